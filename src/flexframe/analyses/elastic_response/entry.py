"""Elastic motion of bodies about the rigid motion of their mechanism."""

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from flexframe.analyses.contract import AnalysisEntry, Bodies, TermsEntry
from flexframe.entries.analysis_fields import Duration, SystemDampingEntry
from flexframe.entries.fields import Count, Name, Number
from flexframe.entries.sensors import AnySensorEntry, describe_sensors

if TYPE_CHECKING:
    from flexframe.analyses.elastic_response.record import ElasticResponse


class ElasticResponseEntry(AnalysisEntry):
    """Deformation over time under the loads of the rigid motion (one-way coupling), forces and stress.

    With `body` that link alone, in its frame, from the undeformed shape or (`periodic`) in the response that
    repeats with the duration; without it all elastic bodies joined by the joints.
    """

    needs_system: ClassVar[bool] = True

    kind: Literal["elastic_response"]
    body: Name | None = None
    duration: Duration
    steps: Count
    method: Literal["gauss", "frozen", "frozen_start"] = "gauss"
    periodic: bool = False
    sensors: dict[Name, AnySensorEntry] = Field(default_factory=dict)
    terms: TermsEntry = TermsEntry()
    modes: Count | None = None
    quasi_static: bool = False
    spectral_radius: Number = 0.8
    branch: Count | None = None
    damping: SystemDampingEntry | None = None

    def run(self, bodies: Bodies) -> "ElasticResponse":
        from flexframe.analyses.elastic_response.analysis import elastic_response

        record = elastic_response(
            bodies.system(),
            duration=self.duration,
            steps=self.steps,
            body=self.body,
            discrete=bodies.discrete_bodies(),
            method=self.method,
            periodic=self.periodic,
            sensors=describe_sensors(self.sensors),
            terms=self.terms.terms(),
            modes=self.modes,
            branch=self.branch,
            quasi_static=self.quasi_static,
            spectral_radius=self.spectral_radius,
            damping=None if self.damping is None else self.damping.damping(),
            damping_ratios={
                name: choice.damping_ratio for name, choice in bodies.reductions().items() if choice != "rigid"
            },
        )
        whole = [
            f"body {name} is taken whole, not in {choice.parts} parts: this response is linear in its deformation"
            for name, choice in bodies.reductions().items()
            if choice != "rigid" and choice.parts > 1
        ]
        return replace(record, notices=(*record.notices, *bodies.recordings(), *whole))
