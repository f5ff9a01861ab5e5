"""What multiplies a part of the equations: functions of the operating point, and multipliers of the terms."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from flexframe.maths.arrays import Array, IntArray
from flexframe.motion.frame import FrameMotion


@dataclass(frozen=True)
class Terms:
    """Multipliers of the terms that the moving frame adds: 1 is the physics, other values are for study.

    `euler` and `centrifugal` scale matrix and load alike; the stress behind `geometric` is always that of the
    true loads.
    """

    coriolis: float = 1.0
    euler: float = 1.0
    centrifugal: float = 1.0
    geometric: float = 1.0

    @property
    def physical(self) -> bool:
        """Whether every term is on as it is."""
        return self == Terms()

    def multiplier(self, part: str) -> float:
        """Of a part of the equations by its name; 1 for parts that no multiplier scales."""
        return float(getattr(self, part)) if part in _NAMES else 1.0


_NAMES = frozenset(Terms.__dataclass_fields__)

SPIN = ("ωx", "ωy", "ωz")
SPIN_UP = ("εx", "εy", "εz")
ORIGIN = ("ax", "ay", "az")
SPEED = "Ω"
"""Speed of rotation about a given axis [rad/s]."""
ACCELERATION = "Ω̇"
"""Its rate [rad/s²]."""
TIME = "t"
FREQUENCY = "λ"
"""The exponent of e^{λt}, iω of a harmonic motion [rad/s]."""

AMOUNTS = (SPEED, ACCELERATION, TIME, FREQUENCY)
"""What functions of the operating point may depend on beside the motion of the frame."""

Substitution = Mapping[str, tuple[complex, str | None]]
"""Component → a number and the component that it multiplies, None where the number is all."""

_VECTORS = {"ω": "angular_velocity", "ε": "angular_acceleration", "a": "origin_acceleration"}
_COMPONENTS = {
    name: (_VECTORS[name[0]], axis) for names in (SPIN, SPIN_UP, ORIGIN) for axis, name in enumerate(names)
}


def _zero() -> Array:
    return np.zeros(3)


@dataclass(frozen=True, eq=False)
class OperatingPoint:
    """ω, ε, a_O of the frame in body components, and named amounts: one value each, or arrays over instants.

    Amounts are the speed Ω about an axis, time, frequency, forces at markers, cosines of an angle; what is not
    given is zero. Shapes are (..., 3) of vectors and (...) of amounts.
    """

    angular_velocity: Array = field(default_factory=_zero)
    angular_acceleration: Array = field(default_factory=_zero)
    origin_acceleration: Array = field(default_factory=_zero)
    amounts: Mapping[str, ArrayLike] = field(default_factory=dict)
    _given: "tuple[object, OperatingPoint] | None" = field(default=None, init=False, repr=False)

    @classmethod
    def of(cls, motion: "FrameMotion | OperatingPoint") -> "OperatingPoint":
        """The point of one motion."""
        if isinstance(motion, OperatingPoint):
            return motion
        return cls(motion.angular_velocity, motion.angular_acceleration, motion.origin_acceleration)

    @classmethod
    def along(cls, motions: Sequence[FrameMotion], **amounts: ArrayLike) -> "OperatingPoint":
        """The points of several motions: arrays over (t,)."""
        omega, epsilon, a = (
            np.array([getattr(motion, name) for motion in motions]).reshape(-1, 3) for name in _VECTORS.values()
        )
        return cls(omega, epsilon, a, amounts)

    @classmethod
    def at_speed(cls, speed: ArrayLike, frequency: ArrayLike = 0.0) -> "OperatingPoint":
        """Steady rotation about the axis that the equations were written for."""
        return cls(amounts={SPEED: speed, FREQUENCY: frequency})

    def component(self, name: str) -> Any:
        """A component of the motion or an amount: (...)."""
        if name in _COMPONENTS:
            vector, axis = _COMPONENTS[name]
            return getattr(self, vector)[..., axis]
        return np.asarray(self.amounts.get(name, 0.0))

    def substitute(self, amounts: Substitution) -> "OperatingPoint":
        """The same with some amounts expressed by others; the last one is kept."""
        key = tuple(amounts.items())
        if self._given is None or self._given[0] != key:
            values = {
                name: number if other is None else number * self.component(other)
                for name, (number, other) in amounts.items()
            }
            made = replace(self, amounts={**self.amounts, **values})
            object.__setattr__(self, "_given", (key, made))
        assert self._given is not None
        return self._given[1]

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the instants; () for one."""
        vectors = (self.angular_velocity, self.angular_acceleration, self.origin_acceleration)
        shapes = [np.shape(vector)[:-1] for vector in vectors]
        return np.broadcast_shapes(*shapes, *(np.shape(amount) for amount in self.amounts.values()))

    def some(self, instants: "IntArray | slice | int") -> "OperatingPoint":
        """Some of the instants (t,)."""
        (count,) = self.shape

        def cut_values(values: ArrayLike, *trailing: int) -> Array:
            return np.broadcast_to(np.asarray(values), (count, *trailing))[instants]

        return replace(
            self,
            angular_velocity=cut_values(self.angular_velocity, 3),
            angular_acceleration=cut_values(self.angular_acceleration, 3),
            origin_acceleration=cut_values(self.origin_acceleration, 3),
            amounts={name: cut_values(values) for name, values in self.amounts.items()},
        )


class Coefficient(Protocol):
    """A scalar function of the operating point, real or complex."""

    @property
    def components(self) -> tuple[str, ...] | None:
        """The factors of a product of components, () of a constant; None for any other function."""
        ...

    @property
    def open_to(self) -> tuple[str, ...]:
        """Components and amounts on which it may depend."""
        ...

    def at(self, point: OperatingPoint) -> Any:
        """The values at a point: an array that broadcasts to its shape."""
        ...

    def substitute(self, given: Substitution) -> "Coefficient":
        """The same with some components expressed by others."""
        ...

    def hold(self, point: OperatingPoint) -> "Coefficient":
        """The same with functions replaced by their values at a point; products of components stay."""
        ...


@dataclass(frozen=True)
class Monomial:
    """scale · Π components: 2 ωx ωy, or a constant."""

    components: tuple[str, ...] = ()
    scale: complex = 1.0

    @property
    def open_to(self) -> tuple[str, ...]:
        return self.components

    def at(self, point: OperatingPoint) -> Any:
        value: Any = self.scale
        for name in self.components:
            value = value * point.component(name)
        return value

    def substitute(self, given: Substitution) -> "Monomial":
        scale, components = self.scale, []
        for name in self.components:
            factor, other = given.get(name, (1.0, name))
            scale *= factor
            if other is not None:
                components.append(other)
        return Monomial(tuple(components), scale)

    def hold(self, point: OperatingPoint) -> "Monomial":  # noqa: ARG002 - there is no function
        return self

    def __str__(self) -> str:
        return " ".join(self.components) or "1"


CONSTANT = Monomial()


@dataclass(frozen=True, eq=False)
class Law:
    """Any function of the operating point times a product of components: a bearing's table over the speed.

    It must take arrays of instants too. A function may give several values (..., k) at once, of which the law is
    the one at a `place`; laws of one function are then evaluated together. A substitution changes the product, and
    the amounts that the function sees.
    """

    name: str
    function: Callable[[OperatingPoint], Any]
    factor: Monomial = CONSTANT
    place: int | None = None
    amounts: tuple[str, ...] = AMOUNTS  # on which the function depends
    given: Substitution = field(default_factory=dict)

    @property
    def components(self) -> None:
        return None

    @property
    def open_to(self) -> tuple[str, ...]:
        seen = [self.given.get(name, (1.0, name))[1] for name in self.amounts]
        return (*self.factor.components, *(name for name in seen if name is not None))

    def at(self, point: OperatingPoint) -> Any:
        return self.factor.at(point) * self._value(point)

    def hold(self, point: OperatingPoint) -> Monomial:
        return Monomial(self.factor.components, self.factor.scale * self._value(point).item())

    def _value(self, point: OperatingPoint) -> Any:
        """Of the function, with what it is given."""
        values = self.values(point)
        return values if self.place is None else values[..., self.place]

    def values(self, point: OperatingPoint) -> Any:
        """All that the function gives."""
        return np.asarray(self.function(point.substitute(self.given) if self.given else point))

    def substitute(self, given: Substitution) -> "Law":
        later = {
            name: (number, None)
            if other is None
            else (number * given[other][0], given[other][1])
            if other in given
            else (number, other)
            for name, (number, other) in self.given.items()
        }
        own = {name: value for name, value in given.items() if name in self.amounts and name not in self.given}
        return replace(self, factor=self.factor.substitute(given), given={**own, **later})

    def __str__(self) -> str:
        return " ".join([self.name, *self.factor.components])
