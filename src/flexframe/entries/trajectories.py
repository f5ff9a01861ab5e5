"""Reference trajectories in a case: motions from point to point, in place of a formula of time."""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, model_validator

from flexframe.entries import quantities as q
from flexframe.entries.entry import Entry, refusal, refusal_at
from flexframe.entries.fields import AnyQuantity, Time, TimeOrZero, count, quantity
from flexframe.errors import InputError
from flexframe.motion.trajectories import Trajectory, polynomial, s_curve, trapezoid, via_points

Values = Annotated[tuple[AnyQuantity, ...], Field(min_length=2, strict=False)]
Points = Annotated[
    Values, BeforeValidator(lambda value: value if isinstance(value, list | tuple) else [0.0, value])
]
"""Values from the first to the last; a single one is reached from zero."""
TwoValues = Annotated[tuple[AnyQuantity, AnyQuantity], Field(strict=False)]
Times = Annotated[tuple[Time, ...], Field(min_length=2, strict=False)]
Duration = Annotated[float, quantity(q.TIME, "positive")]


class TrajectoryEntry(Entry):
    """A motion from point to point; its fields are those of the function of the same name in `ff.motion`."""

    made: ClassVar[Callable[..., Trajectory]]

    def law(self) -> Trajectory:
        """The trajectory that is described."""
        given: dict[str, Any] = {key: value for key, value in dict(self).items() if value is not None}
        points = given.pop(self.leads[0])
        return type(self).made(points, **given)

    @model_validator(mode="after")
    def _possible(self) -> "TrajectoryEntry":
        try:
            self.law()
        except InputError as error:
            raise (refusal_at(error.field, str(error)) if error.field else refusal(str(error))) from None
        return self


class TrapezoidEntry(TrajectoryEntry):
    """From rest to rest between points with limits of speed and acceleration, as fast as they allow."""

    leads: ClassVar[tuple[str, ...]] = ("trapezoid",)
    made = staticmethod(trapezoid)
    trapezoid: Points
    speed: AnyQuantity
    acceleration: AnyQuantity
    deceleration: AnyQuantity | None = None
    duration: Duration | None = None
    dwell: TimeOrZero = 0.0
    begin: Time = 0.0


class SCurveEntry(TrajectoryEntry):
    """From rest to rest between points with limits of speed, acceleration and jerk, as fast as they allow."""

    leads: ClassVar[tuple[str, ...]] = ("s_curve",)
    made = staticmethod(s_curve)
    s_curve: Points
    speed: AnyQuantity
    acceleration: AnyQuantity
    jerk: AnyQuantity
    duration: Duration | None = None
    dwell: TimeOrZero = 0.0
    begin: Time = 0.0


class PolynomialEntry(TrajectoryEntry):
    """From rest to rest between points by polynomials of order 3, 5 or 7, in a time or within limits."""

    leads: ClassVar[tuple[str, ...]] = ("polynomial",)
    made = staticmethod(polynomial)
    polynomial: Points
    order: Annotated[int, count(3, 7)] = 5
    duration: Duration | None = None
    speed: AnyQuantity | None = None
    acceleration: AnyQuantity | None = None
    jerk: AnyQuantity | None = None
    dwell: TimeOrZero = 0.0
    begin: Time = 0.0


class ViaPointsEntry(TrajectoryEntry):
    """A spline through values at given times, with given speeds at both ends."""

    leads: ClassVar[tuple[str, ...]] = ("via_points",)
    via_points: Values
    times: Times
    spline: Literal["cubic", "quintic"] = "quintic"
    speeds: TwoValues = (0.0, 0.0)
    accelerations: TwoValues | None = None

    @staticmethod
    def made(points: tuple[float, ...], **given: Any) -> Trajectory:
        return via_points(given.pop("times"), points, **given)
