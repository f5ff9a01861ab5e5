"""The case format: what a case file may hold."""

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, ValidationInfo, field_validator

from flexframe.analyses.contract import AnalysisEntry, BodyAnalysisEntry
from flexframe.analyses.kinds import KINDS, entry_class
from flexframe.entries.bodies import BodyEntry
from flexframe.entries.contacts import ContactEntry
from flexframe.entries.controllers import ControllerEntry
from flexframe.entries.entry import ByField, ByKeys, Entry, refusal
from flexframe.entries.events import EventEntry
from flexframe.entries.fields import Name, ParameterName, ParameterValue, Text
from flexframe.entries.inputs import InputEntry
from flexframe.entries.links import DriveEntry, JointEntry, MarkerEntry, RigidBodyEntry, StartEntry
from flexframe.entries.materials import MaterialEntry
from flexframe.entries.robots import LimitsEntry, RobotEntry
from flexframe.entries.sensors import AnySensorEntry
from flexframe.entries.shafts import RossEntry, RotorEntry, TrainEntry
from flexframe.entries.surfaces import SurfaceBodyEntry
from flexframe.entries.system_loads import SystemLoadEntry
from flexframe.entries.tool_paths import AnyDriveEntry
from flexframe.entries.units import UnitsEntry
from flexframe.errors import FieldPath

_NOT_GIVEN = {"": None}  # no name of a body
MeshedEntry = BodyEntry | RotorEntry | RossEntry
_AnyBodyEntry = MeshedEntry | RigidBodyEntry | SurfaceBodyEntry


_IN_LOADS = "write it into loads, as loads: {NAME: {…}}"
_IN_JOINTS = "write it into joints, as joints: {NAME: {…}}"
_IN_BODIES = "it belongs to a body: write it into bodies: {NAME: {…}}"
_IN_ANALYSES = "it belongs to an analysis: write it into analyses: {NAME: {…}}"
_ELSEWHERE = {
    "gravity": "it is a load: write loads: {weight: {gravity: [0, -9.81]}}",
    **dict.fromkeys(
        (
            "forces",
            "force",
            "moments",
            "springs",
            "spring",
            "dampers",
            "bushings",
            "friction",
            "motors",
            "actuators",
        ),
        _IN_LOADS,
    ),
    **dict.fromkeys(("constraints", "gears", "belts", "cams", "transmissions", "clearance", "stops"), _IN_JOINTS),
    **dict.fromkeys(("mesh", "material", "section", "supports", "reduction", "shaft", "bearings"), _IN_BODIES),
    **dict.fromkeys(("markers", "points"), "write points: into a body, or ground: for points of space"),
    **dict.fromkeys(("duration", "step", "tolerance", "integrator", "samples", "motion"), _IN_ANALYSES),
    "motions": "what moves a joint is a drive: write drives: {NAME: {…}}",
}


class CaseDocument(Entry):
    """A flexframe case: materials, bodies, how they are linked and driven, and what is asked of them."""

    elsewhere: ClassVar[Mapping[str, str]] = _ELSEWHERE

    title: Text = ""
    description: Text = ""
    parameters: dict[ParameterName, ParameterValue] = Field(default_factory=dict)
    units: UnitsEntry = Field(default_factory=UnitsEntry)
    materials: dict[Name, MaterialEntry] = Field(default_factory=dict)
    space: Literal["planar", "spatial"] = "planar"
    ground: dict[Name, MarkerEntry] = Field(default_factory=dict)
    robots: dict[Name, RobotEntry] = Field(default_factory=dict)
    bodies: dict[Name, Annotated[_AnyBodyEntry, ByKeys("body")]] = Field(
        default_factory=lambda: dict(_NOT_GIVEN), validate_default=True
    )
    trains: dict[Name, TrainEntry] = Field(default_factory=dict)
    start: dict[Name, StartEntry] = Field(default_factory=dict)
    joints: dict[Name, JointEntry] = Field(default_factory=dict)
    drives: dict[Name, AnyDriveEntry] = Field(default_factory=dict)
    limits: dict[Name, LimitsEntry] = Field(default_factory=dict)
    sensors: dict[Name, AnySensorEntry] = Field(default_factory=dict)
    controllers: dict[ParameterName, ControllerEntry] = Field(default_factory=dict)
    inputs: dict[ParameterName, InputEntry] = Field(default_factory=dict)
    events: dict[Name, EventEntry] = Field(default_factory=dict)
    loads: dict[Name, SystemLoadEntry] = Field(default_factory=dict)
    contacts: dict[Name, ContactEntry] = Field(default_factory=dict)
    initial: dict[Name, DriveEntry] = Field(default_factory=dict)
    analyses: Annotated[
        dict[Name, Annotated[AnalysisEntry, ByField("kind", KINDS, entry_class)]], Field(min_length=1)
    ]

    @field_validator("bodies", mode="before")
    @classmethod
    def _has_bodies(cls, bodies: Any, info: ValidationInfo) -> Any:
        given = bodies != _NOT_GIVEN
        if not info.data.get("robots") and (not given or bodies == {}):
            raise refusal("has too few entries; give 1 or more" if given else "is missing; give it")
        return bodies if given else {}

    @property
    def meshed_bodies(self) -> dict[str, MeshedEntry]:
        """The elastic bodies, and links of robots that are elastic, by the names of their bodies."""
        found: dict[str, MeshedEntry] = {
            f"{robot.prefix}{link}": entry for robot in self.robots.values() for link, entry in robot.links.items()
        }
        return found | {name: body for name, body in self.bodies.items() if isinstance(body, MeshedEntry)}

    def body_path(self, name: str) -> FieldPath:
        """Where an elastic body stands in the file."""
        for robot, entry in self.robots.items():
            if name not in self.bodies and name.removeprefix(entry.prefix) in entry.links:
                return ("robots", robot, "links", name.removeprefix(entry.prefix))
        return ("bodies", name)

    @property
    def body_analyses(self) -> dict[str, BodyAnalysisEntry]:
        """What is asked of single bodies."""
        return {n: a for n, a in self.analyses.items() if isinstance(a, BodyAnalysisEntry) and a.of_body}

    @cached_property
    def has_system(self) -> bool:
        """Whether bodies are linked, driven or rigid, so that they make a system."""
        parts = (self.ground, self.start, self.joints, self.drives, self.loads, self.initial, self.contacts)
        asked = any(analysis.needs_system for analysis in self.analyses.values())
        rigid = any(not isinstance(body, MeshedEntry) for body in self.bodies.values())
        return asked or any(parts) or bool(self.robots) or rigid


def case_schema() -> dict[str, Any]:
    """The case format as a JSON schema."""
    schema = CaseDocument.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "flexframe case",
    }
