"""What a case may say of a linear model."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from flexframe.analyses.contract import Bodies, BodyAnalysisEntry, Misfit, TermsEntry
from flexframe.analyses.frequency_response.entry import FrequenciesEntry
from flexframe.entries import quantities as q
from flexframe.entries.bearings import Bearings, bearings
from flexframe.entries.entry import Entry, refusal_at
from flexframe.entries.fields import (
    AngularVelocity,
    Count,
    ForceVector,
    MomentVector,
    Name,
    PositiveNumber,
    Selection,
    TimeOrZero,
    count,
    quantity,
)
from flexframe.entries.motions import MotionEntry
from flexframe.entries.problems import Problems
from flexframe.entries.sensors import AnySensorEntry, check_sensors, describe_sensors
from flexframe.errors import AnalysisError, FieldPath, InputError
from flexframe.model.system import System

if TYPE_CHECKING:
    from flexframe.analyses.linear_model.record import LinearModel

Seconds = Annotated[float, quantity(q.TIME, "positive")]
Names = Annotated[tuple[str, ...], Field(strict=False)]
_NOTHING = (0.0, 0.0, 0.0)
_OF_BODY = ("forces", "bearings", "modes", "frames")
_OF_SYSTEM = ("point", "step", "tolerance", "drive", "speed", "period", "instants")


class ModelForceEntry(Entry):
    """A force and a moment in body axes at each selected node; the input is a factor of it."""

    on: Selection
    force: ForceVector = _NOTHING
    moment: MomentVector = _NOTHING


class ModelReductionEntry(Entry):
    """A smaller model with the same inputs and outputs: so many states, or as few as a tolerance allows."""

    method: Literal["balanced", "modal"] = "balanced"
    order: Count | None = None
    tolerance: PositiveNumber | None = None

    @model_validator(mode="after")
    def _one(self) -> "ModelReductionEntry":
        if (self.order is None) == (self.tolerance is None):
            raise refusal_at("order", "give one of order and tolerance")
        if self.method == "modal" and self.order is None:
            raise refusal_at("tolerance", "a modal reduction takes an order; give that")
        return self


class LinearModelEntry(BodyAnalysisEntry):
    """ẋ = A x + B w, y = C x + D w with names and units, poles, frequency and step response.

    In a system (joints, drives, rigid bodies, a start), without `body` and `motion`, small changes of the whole
    system about its equilibrium, an instant of its motion, its steady rotation at a `speed`, or along its cycle of
    a `period`. Else one body on a frame that is at rest or turns.
    """

    takes_rotors: ClassVar[bool] = True

    kind: Literal["linear_model"]
    motion: MotionEntry | None = None
    time: TimeOrZero = 0.0
    terms: TermsEntry = TermsEntry()
    inputs: Names | None = None
    outputs: Names | None = None
    sensors: dict[Name, AnySensorEntry] = Field(default_factory=dict)
    forces: dict[Name, ModelForceEntry] = Field(default_factory=dict)
    point: Literal["equilibrium", "start", "motion"] = "equilibrium"
    step: Seconds | None = None
    tolerance: PositiveNumber | None = None
    drive: Name | None = None
    speed: AngularVelocity | None = None
    period: Seconds | None = None
    instants: Annotated[int, count(8, 4096)] = 64
    bearings: Bearings = ()
    modes: Count | None = None
    frames: dict[Name, Selection] = Field(default_factory=dict)
    reduce: ModelReductionEntry | None = None
    frequencies: FrequenciesEntry | None = None
    duration: Seconds | None = None

    def is_of_system(self, *, has_system: bool) -> bool:
        """Whether the whole system is meant."""
        return has_system and self.body is None and self.motion is None

    def misfits(self, *, of_system: bool) -> Iterator[Misfit]:
        """Fields that belong to a body or to a system alone, and what to do."""
        for name in _OF_BODY if of_system else _OF_SYSTEM:
            if name in self.model_fields_set:
                other = "one body; leave it out, or name the body" if of_system else "a whole system; leave it out"
                yield (name,), f"belongs to the linear model of {other}"
        if of_system:
            yield from self._point_misfits()
            for name, value in self.terms:
                if name != "geometric" and value != 1.0:
                    yield ("terms", name), "cannot be changed in a system; leave it out"
            if self.terms.geometric not in (0.0, 1.0):
                yield ("terms", "geometric"), "is 0 or 1 in a system; give one of them"

    def _point_misfits(self) -> Iterator[Misfit]:
        if self.speed is not None and self.point != "equilibrium":
            yield ("point",), "is given beside a speed; give one of them"
        if self.drive is not None and self.speed is None:
            yield ("drive",), "names what turns the system; give its speed too"
        if self.period is not None and (self.speed is not None or self.point != "equilibrium"):
            yield ("period",), "is that of a cycle; leave out speed and point, or the period"
        for name in ("step", "tolerance"):
            if getattr(self, name) is not None and self.point != "motion" and self.period is None:
                yield (name,), "belongs to point: motion or to a period; leave it out, or give one of them"
        if self.step is not None and self.tolerance is not None:
            yield ("tolerance",), "is given beside a step; give one of them"
        if self.point == "motion" and not self.time > 0:
            yield ("time",), "is missing; give the instant of the motion"

    def check_system(self, system: System, problems: Problems, path: FieldPath) -> None:
        check_sensors(self.sensors, system, problems, path)

    def run(self, bodies: Bodies) -> "LinearModel":
        of_system = self.is_of_system(has_system=bodies.has_system)
        made = self._of_system(bodies) if of_system else self._of_body(bodies)
        if self.reduce is None:
            return made
        try:
            return made.reduce(self.reduce.order, method=self.reduce.method, tolerance=self.reduce.tolerance)
        except InputError as error:  # what fits is known once the model is made, not when the case is checked
            raise AnalysisError(str(error), field=("reduce", *error.field)) from error

    def _of_system(self, bodies: Bodies) -> "LinearModel":
        from flexframe.analyses.linear_model.analysis import linearise

        return linearise(
            bodies.system(),
            inputs=self.inputs,
            outputs=self.outputs,
            sensors=describe_sensors(self.sensors),
            terms=self.terms.terms(),
            point=self.point,
            time=self.time,
            step=self.step,
            tolerance=self.tolerance,
            drive=self.drive,
            speed=self.speed,
            period=self.period,
            instants=self.instants,
            reductions=bodies.reductions(),
            discrete=bodies.discrete_bodies(),
            frequencies_hz=None if self.frequencies is None else self.frequencies.values(),
            duration=self.duration,
        )

    def _of_body(self, bodies: Bodies) -> "LinearModel":
        from flexframe.analyses.linear_model.analysis import linearise
        from flexframe.model.loads import NodeForce

        frozen = bodies.frozen(self.body, self.motion, self.time)
        return linearise(
            frozen.discrete,
            frozen.motion,
            inputs=self.inputs,
            outputs=self.outputs,
            sensors=describe_sensors(self.sensors),
            terms=self.terms.terms(),
            forces={name: NodeForce(load.on, load.force, load.moment) for name, load in self.forces.items()},
            bearings=bearings(self.bearings, bodies.folder),
            modes=self.modes,
            frames=self.frames,
            frequencies_hz=None if self.frequencies is None else self.frequencies.values(),
            duration=self.duration,
        )
