"""The case format: what a case file may hold."""

from typing import Annotated, Any, Literal

from pydantic import Field

from flexframe.cases.bodies import BodyEntry
from flexframe.cases.entries import ByField, ByKeys, Entry
from flexframe.cases.fields import Name, ParameterName, ParameterValue, Text
from flexframe.cases.kinds.campbell import CampbellEntry
from flexframe.cases.kinds.crosscheck import CrosscheckEntry
from flexframe.cases.kinds.cycle_spectrum import CycleSpectrumEntry
from flexframe.cases.kinds.elastic_response import ElasticResponseEntry
from flexframe.cases.kinds.frequency_response import FrequencyResponseEntry
from flexframe.cases.kinds.joint_forces import JointForcesEntry
from flexframe.cases.kinds.kinematics import KinematicsEntry
from flexframe.cases.kinds.matrices import MatricesEntry
from flexframe.cases.kinds.mode_comparison import ModeComparisonEntry
from flexframe.cases.kinds.modes import ModesEntry
from flexframe.cases.kinds.reduction import ReductionEntry
from flexframe.cases.kinds.rigid_motion import RigidMotionEntry
from flexframe.cases.kinds.run_up import RunUpEntry
from flexframe.cases.kinds.stability import StabilityEntry
from flexframe.cases.kinds.statics import StaticsEntry
from flexframe.cases.kinds.transient import TransientEntry
from flexframe.cases.links import DriveEntry, JointEntry, MarkerEntry, RigidBodyEntry, StartEntry
from flexframe.cases.materials import MaterialEntry
from flexframe.cases.system_loads import SystemLoadEntry

BodyAnalysis = (
    ModesEntry
    | StaticsEntry
    | MatricesEntry
    | CrosscheckEntry
    | TransientEntry
    | ReductionEntry
    | CampbellEntry
    | FrequencyResponseEntry
    | RunUpEntry
)
SystemAnalysis = KinematicsEntry | JointForcesEntry | RigidMotionEntry | CycleSpectrumEntry | ElasticResponseEntry
Analysis = BodyAnalysis | SystemAnalysis | StabilityEntry | ModeComparisonEntry
"""Every kind of analysis; adding one is one file in `kinds` and one name here."""


class CaseDocument(Entry):
    """A flexframe case: materials, bodies, how they are linked and driven, and what is asked of them."""

    title: Text = ""
    description: Text = ""
    parameters: dict[ParameterName, ParameterValue] = Field(default_factory=dict)
    materials: dict[Name, MaterialEntry] = Field(default_factory=dict)
    space: Literal["planar", "spatial"] = "planar"
    ground: dict[Name, MarkerEntry] = Field(default_factory=dict)
    bodies: Annotated[dict[Name, Annotated[BodyEntry | RigidBodyEntry, ByKeys("body")]], Field(min_length=1)]
    start: dict[Name, StartEntry] = Field(default_factory=dict)
    joints: dict[Name, JointEntry] = Field(default_factory=dict)
    drives: dict[Name, DriveEntry] = Field(default_factory=dict)
    loads: dict[Name, SystemLoadEntry] = Field(default_factory=dict)
    initial: dict[Name, DriveEntry] = Field(default_factory=dict)
    analyses: Annotated[dict[Name, Annotated[Analysis, ByField("kind")]], Field(min_length=1)]

    @property
    def meshed_bodies(self) -> dict[str, BodyEntry]:
        """The elastic bodies."""
        return {name: body for name, body in self.bodies.items() if isinstance(body, BodyEntry)}

    @property
    def body_analyses(self) -> dict[str, BodyAnalysis | StabilityEntry]:
        """What is asked of single bodies."""
        return {
            name: a
            for name, a in self.analyses.items()
            if isinstance(a, BodyAnalysis) or (isinstance(a, StabilityEntry) and a.of_body)
        }

    @property
    def has_system(self) -> bool:
        """Whether bodies are linked, driven or rigid, so that they make a system."""
        parts = (self.ground, self.start, self.joints, self.drives, self.loads, self.initial)
        asked = any(isinstance(analysis, SystemAnalysis) for analysis in self.analyses.values())
        return asked or any(parts) or len(self.meshed_bodies) < len(self.bodies)


def case_schema() -> dict[str, Any]:
    """The case format as a JSON schema."""
    schema = CaseDocument.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "flexframe case",
    }
