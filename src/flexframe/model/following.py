"""Drives that follow measured coordinates and the time: s = f(r, t)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula, Jet
from flexframe.model.constraints import (
    Along,
    Between,
    Coupled,
    Distance,
    Fixed,
    JointConstraint,
    Law,
    Rotation,
    StateLaw,
    TimeLaw,
    names_in,
    state_law,
    time_law,
)
from flexframe.model.measured import Measured, MeasuredCoordinate, MeasuredInput
from flexframe.model.state_laws import Table

PartOfLaw = Formula | Table | TimeLaw
"""A formula of the coordinates and t, a table of such parts, or a law of time."""


@dataclass(frozen=True, eq=False)
class FollowingLaw:
    """f(r, t) of a drive: a formula of the names of other coordinates and of t, or a table of such formulas.

    Without names it is a law of time.
    """

    law: PartOfLaw  # formulas have the variables (*names, t)
    names: tuple[str, ...]
    leaders: tuple[Between, ...]  # r, in the order of the names

    def jet(self, times: ArrayLike, /) -> Jet:
        assert not self.names, "a law of coordinates is known in a position, not at a time"
        t = np.asarray(times, dtype=float)
        none = np.zeros((t.size, 0))
        value, rate, second = self.along(none, none, t.ravel(), 1.0)
        return value.reshape(t.shape), rate.reshape(t.shape), second.reshape(t.shape)

    @property
    def depends_on_time(self) -> bool:
        """Whether it changes where the coordinates do not."""
        return _depends_on_time(self.law)

    def along(self, values: Array, rates: Array, times: Array, time_rate: float) -> Jet:
        """f and two derivatives along straight lines of r (T, names) and t: (T,) each."""
        zero, still = np.zeros(len(times)), np.zeros(len(times))
        curve = [(values[:, k], rates[:, k], zero) for k in range(len(self.names))]
        return _along(self.law, [*curve, (times, np.full(len(times), time_rate), still)])

    def slopes(self, values: Array, times: Array) -> tuple[Array, Array, Array]:
        """f (T,), f_r (T, names) and f_t (T,)."""
        count = len(self.names)
        value = self.along(values, np.zeros_like(values), times, 0.0)[0]
        by_place = [
            self.along(values, np.tile(np.arange(count) == k, (len(times), 1)).astype(float), times, 0.0)[1]
            for k in range(count)
        ]
        return value, np.stack(by_place, axis=1), self.along(values, np.zeros_like(values), times, 1.0)[1]

    def frozen(self, time: float) -> "FollowingLaw":
        """With the time held."""
        return replace(self, law=_frozen(self.law, self.names, time))


def _along(law: PartOfLaw, curve: Sequence[Jet]) -> Jet:
    if isinstance(law, Table):
        return law.grid.along([_along(_part(each), curve) for each in law.inputs])
    if isinstance(law, Formula):
        return law.along(curve)
    time, rate, _ = curve[-1]
    value, first, second = law.jet(time)
    return value, first * rate, second * rate**2


def _part(given: Law) -> PartOfLaw:
    """An input of a table, which is made of parts already."""
    return Fixed(float(given)) if isinstance(given, int | float) else given  # type: ignore[return-value]


def _depends_on_time(law: PartOfLaw) -> bool:
    if isinstance(law, Table):
        return any(_depends_on_time(_part(each)) for each in law.inputs)
    return law.depends_on("t") if isinstance(law, Formula) else not isinstance(law, Fixed)


def _frozen(law: PartOfLaw, names: tuple[str, ...], time: float) -> PartOfLaw:
    if isinstance(law, Table):
        return replace(law, inputs=tuple(_frozen(_part(each), names, time) for each in law.inputs))
    if not isinstance(law, Formula):
        return Fixed(float(law.jet(np.array([time]))[0][0]))
    stopped = Formula.parse(law.text, names, {**dict(law.constants), "t": time})
    return replace(stopped, variables=(*names, "t"))


def following_law(given: TimeLaw, measured: Callable[[str], Measured], drive: str) -> FollowingLaw:
    """The law of a drive by measured coordinates and t; what cannot be one is refused."""
    names = tuple(dict.fromkeys(names_in(given)))
    leaders = tuple(_leader(name, measured(name), drive) for name in names)
    return FollowingLaw(_with_variables(given, names, drive), names, leaders)


def _leader(name: str, measured: Measured, drive: str) -> Between:
    if isinstance(measured, MeasuredInput):
        raise InputError(
            f"drive {drive} follows {name}, an input, which may jump, and a drive prescribes a position with its "
            "speed and acceleration; take an actuator with a controller that follows it"
        )
    if not isinstance(measured, MeasuredCoordinate):
        raise InputError(
            f"drive {drive} follows {name}, a force; a drive prescribes a position, so that it may follow "
            "positions, distances and angles only; take an actuator with a controller"
        )
    if measured.rate:
        raise InputError(
            f"drive {drive} follows {name}, a speed: that would be a constraint on velocities, which no position "
            "belongs to; follow the position whose rate it is, or take an actuator with a controller"
        )
    return Between(measured.first, measured.second, measured.coordinate)


def _with_variables(law: TimeLaw, names: tuple[str, ...], drive: str) -> PartOfLaw:
    """A law whose formulas have the same variables, in the same order."""
    if isinstance(law, Formula):
        return Formula.parse(law.text, (*names, "t"), dict(law.constants))
    if isinstance(law, Table):
        return replace(law, inputs=tuple(_with_variables(state_law(each), names, drive) for each in law.inputs))
    if isinstance(law, StateLaw):
        raise InputError(
            f"drive {drive} cannot follow a {type(law).__name__}, which has no second derivative; give a formula "
            "or a table, or take an actuator"
        )
    return law


def driven(first: str, second: str, coordinate: Along | Rotation | Distance, law: Law) -> JointConstraint:
    """The constraint of a drive: a coordinate after a law of time, or after other coordinates."""
    if not isinstance(law, FollowingLaw) or not law.leaders:
        return replace(coordinate, law=time_law(law))
    own = Between(first, second, replace(coordinate, law=Fixed()))
    return Coupled(own, law.leaders[0], law, law.leaders[1:])
