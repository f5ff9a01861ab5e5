"""Reference trajectories in a case: motions from point to point, in place of a formula of time."""

from collections.abc import Callable
from contextlib import suppress
from functools import reduce
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, model_validator

from flexframe.entries import quantities as q
from flexframe.entries.entry import Entry, choose_lead, refusal, refusal_at
from flexframe.entries.fields import (
    AnyQuantity,
    Multiplier,
    OneOrList,
    PositiveNumber,
    Time,
    TimeOrZero,
    count,
    quantity,
)
from flexframe.entries.parameters import any_measured
from flexframe.entries.problems import show_value
from flexframe.entries.quantities import Powers
from flexframe.errors import InputError, at_field
from flexframe.motion.shapers import Shaper, ShaperKind, shape_trajectory, shaper
from flexframe.motion.trajectories import Trajectory, polynomial, s_curve, trapezoid, via_points

Values = Annotated[tuple[AnyQuantity, ...], Field(min_length=2, strict=False)]
Points = Annotated[
    Values, BeforeValidator(lambda value: value if isinstance(value, list | tuple) else [0.0, value])
]
"""Values from the first to the last; a single one is reached from zero."""
TwoValues = Annotated[tuple[AnyQuantity, AnyQuantity], Field(strict=False)]
Times = Annotated[tuple[Time, ...], Field(min_length=2, strict=False)]
Duration = Annotated[float, quantity(q.TIME, "positive")]


_Frequency = Annotated[float, quantity(q.FREQUENCY, "positive")]
_Frequencies = Annotated[tuple[_Frequency, ...], Field(min_length=1, max_length=8, strict=False)]
_AnyFrequencies = Annotated[float | tuple[float, ...], OneOrList(_Frequency, _Frequencies)]


class ShaperEntry(Entry):
    """An input shaper, `zv`, `zvd` or `ei`, for a frequency or several, one after the other.

    The command comes in parts whose vibrations cancel. `damping` is the damping ratio of all modes, `vibration`
    what `ei` leaves at the frequency.
    """

    leads: ClassVar[tuple[str, ...]] = ("zv", "zvd", "ei")
    zv: _AnyFrequencies | None = None
    zvd: _AnyFrequencies | None = None
    ei: _AnyFrequencies | None = None
    damping: Multiplier = 0.0
    vibration: PositiveNumber = 0.05

    @model_validator(mode="after")
    def _one(self) -> "ShaperEntry":
        choose_lead([name for name in self.leads if getattr(self, name) is not None], self.leads, "shaper")
        return self

    def shaper(self) -> Shaper:
        """The shaper that is described."""
        kind: ShaperKind = "zv" if self.zv is not None else "zvd" if self.zvd is not None else "ei"
        given = getattr(self, kind)
        frequencies = given if isinstance(given, tuple) else (given,)
        each = (shaper(kind, f, damping=self.damping, vibration=self.vibration) for f in frequencies)
        return reduce(Shaper.followed_by, each)


_ORDERS = {"speed": 1, "speeds": 1, "acceleration": 2, "deceleration": 2, "accelerations": 2, "jerk": 3}


def _powers(value: Any, order: int) -> Powers | None:
    """Powers of metre, kilogram and second of what has this rate; None of plain numbers, which go with all."""
    with suppress(InputError):
        measured = any_measured(value) if isinstance(value, str) else None
        if measured is not None and not measured.bare:
            length, mass, time = measured.exponents
            return length, mass, time + order
    return None


class TrajectoryEntry(Entry):
    """A motion from point to point; its fields are those of the function of the same name in `ff.motion`.

    With a `shaper` it is divided into parts, so that it leaves little vibration.
    """

    build: ClassVar[Callable[..., Trajectory]]
    shaper: ShaperEntry | None = None

    def law(self) -> Trajectory:
        """The trajectory that is described."""
        given: dict[str, Any] = {key: value for key, value in dict(self).items() if value is not None}
        points, by = given.pop(self.leads[0]), given.pop("shaper", None)
        law = type(self).build(points, **given)
        if by is None:
            return law
        with at_field("shaper"):
            return shape_trajectory(law, by.shaper())

    @model_validator(mode="before")
    @classmethod
    def _of_one_kind(cls, data: Any) -> Any:
        """Limits are rates of what moves: metres a second do not go with degrees."""
        first: tuple[Any, Powers] | None = None
        for field, order in {cls.leads[0]: 0, **_ORDERS}.items() if isinstance(data, dict) else ():
            given = data.get(field)
            for value in given if isinstance(given, list | tuple) else [given]:
                powers = _powers(value, order)
                if powers is None:
                    continue
                first = first or (value, powers)
                if powers != first[1]:
                    what = field if order else "value"
                    raise refusal_at(
                        field,
                        f"{show_value(value)} is no {what} of what moves by {show_value(first[0])}; mend a unit",
                    )
        return data

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
    build = staticmethod(trapezoid)
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
    build = staticmethod(s_curve)
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
    build = staticmethod(polynomial)
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
    def build(points: tuple[float, ...], **given: Any) -> Trajectory:
        return via_points(given.pop("times"), points, **given)
