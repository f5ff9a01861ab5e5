"""Motion of a rotor over time: through its critical speeds, or at a steady speed."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry, TermsEntry
from flexframe.entries import quantities as q
from flexframe.entries.analysis_fields import UnbalanceEntry
from flexframe.entries.bearings import Bearings, bearings
from flexframe.entries.entry import Entry, refusal_at
from flexframe.entries.fields import (
    AngularAcceleration,
    AngularVelocity,
    Count,
    Direction,
    Name,
    Selection,
    TimeOrZero,
    quantity,
    quantity_or_formula,
)
from flexframe.entries.motions import MotionEntry
from flexframe.entries.sensors import AnySensorEntry, describe_sensors
from flexframe.maths.formula import Formula

if TYPE_CHECKING:
    from flexframe.analyses.run_up.analysis import SpaceForce
    from flexframe.analyses.run_up.record import RunUp


_Component = Annotated[float | Formula, quantity_or_formula(q.FORCE, "", "t")]


class SpaceForceEntry(Entry):
    """A force across the axis that stays in space: along e1 and e2, each a value or a formula of the time t.

    It acts from `start` until `end`, or to the end of the motion.
    """

    on: Selection
    force: Annotated[tuple[_Component, ...], Field(min_length=2, max_length=2, strict=False)]
    start: TimeOrZero = 0.0
    end: Annotated[float, quantity(q.TIME, "positive")] | None = None

    @model_validator(mode="after")
    def _check_order(self) -> "SpaceForceEntry":
        if self.end is not None and self.end <= self.start:
            raise refusal_at("end", "end is not after start; give a later one")
        return self

    def make(self) -> "SpaceForce":
        """The force that is described."""
        from flexframe.analyses.run_up.analysis import SpaceForce

        end = float("inf") if self.end is None else self.end
        return SpaceForce(self.on, (self.force[0], self.force[1]), self.start, end)


class RunUpEntry(BodyAnalysisEntry):
    """Motion of a rotor whose speed grows (or falls) from `start` to `end`, then stays for `hold`.

    Without `end` the speed is that of `start` all the time. Loads turn with the shaft, `forces` stay in space. The
    motion begins with the answer to the unbalance at the first speed, or from `rest`, as after a sudden unbalance.
    """

    motion: ClassVar[MotionEntry | None] = None  # the ramp says how the body turns
    takes_rotors: ClassVar[bool] = True
    takes_sections: ClassVar[bool] = True

    kind: Literal["run_up"]
    start: AngularVelocity = 0.0
    end: AngularVelocity | None = None
    acceleration: AngularAcceleration = 0.0
    hold: TimeOrZero = 0.0
    axis: Direction | None = None
    loads: Annotated[tuple[UnbalanceEntry, ...], Field(strict=False)] = ()
    forces: Annotated[tuple[SpaceForceEntry, ...], Field(strict=False)] = ()
    begin: Literal["steady", "rest"] = "steady"
    sensors: Annotated[dict[Name, AnySensorEntry], Field(min_length=1)]
    bearings: Bearings = ()
    modes: Count = 12
    terms: TermsEntry = TermsEntry()

    @model_validator(mode="after")
    def _reachable(self) -> "RunUpEntry":
        if not self.loads and not self.forces:
            raise refusal_at("loads", "nothing excites the rotor; give an unbalance, or forces")
        if self.end is None:
            if self.acceleration:
                raise refusal_at("end", "is missing; say up to which speed, or leave the acceleration out")
            if not self.hold:
                raise refusal_at("hold", "is missing; say how long the speed of start is kept, or give an end")
        elif self.acceleration == 0 or (self.end - self.start) / self.acceleration <= 0:
            raise refusal_at(
                "acceleration", "the acceleration does not lead from start to end; change its sign or size"
            )
        return self

    def run(self, bodies: Bodies) -> "RunUp":
        from flexframe.analyses.run_up.analysis import SpeedRamp, run_up

        return run_up(
            bodies.rotor(self.body),
            SpeedRamp(self.start, self.start if self.end is None else self.end, self.acceleration),
            [load.make() for load in self.loads],
            describe_sensors(self.sensors),
            forces=[force.make() for force in self.forces],
            begin=self.begin,
            hold=self.hold,
            axis=self.axis,
            terms=self.terms.terms(),
            bearings=bearings(self.bearings, bodies.folder),
            modes=self.modes,
        )
