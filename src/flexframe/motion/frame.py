"""The state of motion of a body frame at one instant."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.given import require_number
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import skew

PLANAR_AXIS = (0.0, 0.0, 1.0)


def vector3(value: ArrayLike, what: str) -> Array:
    """Three finite numbers; two are completed by z = 0, as a planar vector."""
    try:
        given = np.array(value, dtype=float).ravel()
    except (TypeError, ValueError):
        raise InputError(f"{what} is {value!r}; give three finite components (or two in the plane)") from None
    if given.size == 2:
        given = np.append(given, 0.0)
    if given.size != 3 or not np.isfinite(given).all():
        raise InputError(f"{what} is {given.tolist()}; give three finite components (or two in the plane)")
    given.flags.writeable = False
    return given


def _zero() -> Array:
    return np.zeros(3)


@dataclass(frozen=True, eq=False)
class FrameMotion:
    """ω, ε, v_O, a_O of a body frame, all in body components, SI units.

    v = Rᵀ dr_O/dt and a = Rᵀ d²r_O/dt²: components of the absolute velocity and acceleration of the origin.
    """

    angular_velocity: Array = field(default_factory=_zero)
    angular_acceleration: Array = field(default_factory=_zero)
    origin_velocity: Array = field(default_factory=_zero)
    origin_acceleration: Array = field(default_factory=_zero)

    def __post_init__(self) -> None:
        for name in ("angular_velocity", "angular_acceleration", "origin_velocity", "origin_acceleration"):
            object.__setattr__(self, name, vector3(getattr(self, name), name.replace("_", " ")))

    @classmethod
    def spin(cls, speed: float, axis: ArrayLike = PLANAR_AXIS) -> "FrameMotion":
        """Steady rotation at `speed` rad/s about an axis through the origin, which is at rest.

        Parameters
        ----------
        speed
            Angular velocity [rad/s].
        axis
            Direction of the axis in body components; its length does not matter.

        Returns
        -------
        FrameMotion
            ω along the axis [rad/s]; ε, v_O and a_O are zero.

        Examples
        --------
        >>> ff.FrameMotion.spin(30.0).angular_velocity
        array([ 0.,  0., 30.])
        """
        require_number(speed, "the speed of a spin", field="speed")
        direction = vector3(axis, "spin axis")
        length = np.linalg.norm(direction)
        if length == 0:
            raise InputError("the spin axis has no direction; give a vector other than zero")
        return cls(angular_velocity=speed * direction / length)

    @property
    def W(self) -> Array:
        """ω̃, with ω̃x = ω × x."""
        return skew(self.angular_velocity)

    @property
    def E(self) -> Array:
        """ε̃."""
        return skew(self.angular_acceleration)

    @property
    def speed(self) -> float:
        """|ω|, rad/s."""
        return float(np.linalg.norm(self.angular_velocity))

    @property
    def at_rest(self) -> bool:
        """Whether the frame adds nothing to the equations; a uniform translation does not."""
        return not (
            self.angular_velocity.any() or self.angular_acceleration.any() or self.origin_acceleration.any()
        )

    def acts_like(self, other: "FrameMotion") -> bool:
        """Whether two instants have the same ω, ε and a, on which alone the coefficients of a body depend."""
        return all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("angular_velocity", "angular_acceleration", "origin_acceleration")
        )


REST = FrameMotion()
