"""Run-up of a rotor through its critical speeds."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry, TermsEntry
from flexframe.entries.bearings import Bearings, bearings
from flexframe.entries.entry import refusal_at
from flexframe.entries.fields import (
    AngularAcceleration,
    AngularVelocity,
    Count,
    Direction,
    Name,
    TimeOrZero,
)
from flexframe.entries.motions import MotionEntry
from flexframe.entries.rotors import UnbalanceEntry
from flexframe.entries.sensors import AnySensorEntry, described

if TYPE_CHECKING:
    from flexframe.analyses.run_up.record import RunUp


class RunUpEntry(BodyAnalysisEntry):
    """Motion of an unbalanced rotor whose speed grows (or falls) from `start` to `end`, then stays for `hold`."""

    motion: ClassVar[MotionEntry | None] = None  # the ramp says how the body turns
    takes_rotors: ClassVar[bool] = True

    kind: Literal["run_up"]
    start: AngularVelocity = 0.0
    end: AngularVelocity
    acceleration: AngularAcceleration
    hold: TimeOrZero = 0.0
    axis: Direction | None = None
    loads: Annotated[tuple[UnbalanceEntry, ...], Field(min_length=1, strict=False)]
    sensors: Annotated[dict[Name, AnySensorEntry], Field(min_length=1)]
    bearings: Bearings = ()
    modes: Count = 12
    terms: TermsEntry = TermsEntry()

    @model_validator(mode="after")
    def _reachable(self) -> "RunUpEntry":
        if self.acceleration == 0 or (self.end - self.start) / self.acceleration <= 0:
            raise refusal_at(
                "acceleration", "the acceleration does not lead from start to end; change its sign or size"
            )
        return self

    def run(self, bodies: Bodies) -> "RunUp":
        from flexframe.analyses.run_up.analysis import SpeedRamp, run_up

        return run_up(
            bodies.rotor(self.body),
            SpeedRamp(self.start, self.end, self.acceleration),
            [load.made() for load in self.loads],
            described(self.sensors),
            hold=self.hold,
            axis=self.axis,
            terms=self.terms.terms(),
            bearings=bearings(self.bearings, bodies.folder),
            modes=self.modes,
        )
