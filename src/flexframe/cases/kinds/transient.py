"""Motion in time of one body on a frame that moves in a known way."""

from typing import Annotated, Literal

from pydantic import Field

from flexframe.cases import quantities as q
from flexframe.cases.entries import Entry
from flexframe.cases.fields import Count, Name, Number, Selection, Text, quantity
from flexframe.cases.kinds.contract import Bodies, TermsEntry
from flexframe.cases.kinds.formalisms import FormalismName
from flexframe.cases.motions import MotionEntry
from flexframe.results.transient import Transient


class SensorEntry(Entry):
    """A displacement [m] or rotation [rad], averaged over the selected nodes."""

    on: Selection
    dof: Literal["ux", "uy", "uz", "rx", "ry", "rz"] = "uy"


class TransientEntry(Entry):
    """Displacements over time from rest, relative to the frame, with energies and support forces."""

    kind: Literal["transient"]
    description: Text = ""
    body: Name | None = None
    motion: MotionEntry | None = None
    terms: TermsEntry = TermsEntry()
    formalism: FormalismName | None = None
    duration: Annotated[float, quantity(q.TIME, "positive")]
    steps: Count
    sensors: dict[Name, SensorEntry] = Field(default_factory=dict)
    spectral_radius: Number = 1.0
    modes: Count = 4

    def run(self, bodies: Bodies) -> Transient:
        from flexframe.analyses.histories import Sensor
        from flexframe.analyses.transient import transient

        moving = bodies.moving(self.body, self.motion)
        return transient(
            moving.discrete,
            moving.law,
            end=self.duration,
            steps=self.steps,
            formalism=self.formalism,
            sensors={name: Sensor(entry.on, entry.dof) for name, entry in self.sensors.items()},
            terms=self.terms.terms(),
            spectral_radius=self.spectral_radius,
            modes=self.modes,
        )
