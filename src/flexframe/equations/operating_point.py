"""What the coefficients of the equations depend on, at one instant or at many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from flexframe.maths.arrays import Array, IntArray
from flexframe.motion.frame import FrameMotion

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

    def given(self, amounts: Substitution) -> "OperatingPoint":
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

        def cut(values: ArrayLike, *trailing: int) -> Array:
            return np.broadcast_to(np.asarray(values), (count, *trailing))[instants]

        return replace(
            self,
            angular_velocity=cut(self.angular_velocity, 3),
            angular_acceleration=cut(self.angular_acceleration, 3),
            origin_acceleration=cut(self.origin_acceleration, 3),
            amounts={name: cut(values) for name, values in self.amounts.items()},
        )
