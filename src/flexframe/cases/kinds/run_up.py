"""Run-up of a rotor through its critical speeds."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from flexframe.cases.entries import Entry, refusal
from flexframe.cases.fields import (
    AngularAcceleration,
    AngularVelocity,
    Count,
    Direction,
    Name,
    Text,
    TimeOrZero,
)
from flexframe.cases.kinds.campbell import Bearings, bearings
from flexframe.cases.kinds.contract import Bodies, TermsEntry
from flexframe.cases.kinds.frequency_response import UnbalanceEntry
from flexframe.cases.motions import MotionEntry
from flexframe.cases.sensors import AnySensorEntry, described
from flexframe.motion.frame import PLANAR_AXIS

if TYPE_CHECKING:
    from flexframe.results.run_up import RunUp


class RunUpEntry(Entry):
    """Motion of an unbalanced rotor whose speed grows (or falls) from `start` to `end`, then stays for `hold`."""

    motion: ClassVar[MotionEntry | None] = None  # the ramp says how the body turns

    kind: Literal["run_up"]
    description: Text = ""
    body: Name | None = None
    start: AngularVelocity = 0.0
    end: AngularVelocity
    acceleration: AngularAcceleration
    hold: TimeOrZero = 0.0
    axis: Direction = PLANAR_AXIS
    loads: Annotated[tuple[UnbalanceEntry, ...], Field(min_length=1, strict=False)]
    sensors: Annotated[dict[Name, AnySensorEntry], Field(min_length=1)]
    bearings: Bearings = ()
    modes: Count = 12
    terms: TermsEntry = TermsEntry()

    @model_validator(mode="after")
    def _reachable(self) -> "RunUpEntry":
        if self.acceleration == 0 or (self.end - self.start) / self.acceleration <= 0:
            raise refusal("the acceleration does not lead from start to end; change its sign or size")
        return self

    def run(self, bodies: Bodies) -> "RunUp":
        from flexframe.analyses.rotation.harmonic_loads import Unbalance
        from flexframe.analyses.run_up import SpeedRamp, run_up

        return run_up(
            bodies.frozen(self.body, None, 0.0).discrete,
            SpeedRamp(self.start, self.end, self.acceleration),
            [Unbalance(load.on, load.unbalance, load.angle) for load in self.loads],
            described(self.sensors),
            hold=self.hold,
            axis=self.axis,
            terms=self.terms.terms(),
            bearings=bearings(self.bearings),
            modes=self.modes,
        )
