"""How a body frame moves: its state of motion at one instant, and laws time → frame motion."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError
from flexframe.given import require_number
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_vector, skew

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


class Signal(Protocol):
    """A scalar function of time with its first two derivatives, such as a formula or a smoothed record."""

    def jet(self, t: float) -> tuple[float, float, float]:
        """Value, first and second derivative."""
        ...


@dataclass(frozen=True)
class Constant:
    """A signal that does not change."""

    value: float = 0.0

    def jet(self, t: float) -> tuple[float, float, float]:  # noqa: ARG002 - the same at all times
        return self.value, 0.0, 0.0


@dataclass(frozen=True)
class Pose:
    """Where a frame is: origin in space, and the rotation from body to space axes."""

    position: Array
    rotation: Array  # R: (3, 3)


class MotionLaw(Protocol):
    """Time → frame motion, in body components."""

    def at(self, t: float) -> FrameMotion:
        """ω [rad/s], ε [rad/s²], v_O [m/s] and a_O [m/s²] at the time t [s], in body components."""
        ...

    def pose(self, t: float) -> Pose:
        """Origin [m] in axes of space and rotation from body to space axes, at the time t [s]."""
        ...


@dataclass(frozen=True, eq=False)
class Steady:
    """The same motion in body components at all times: a steady spin when the origin is at rest.

    A constant ω and a constant a_O describe an origin that is carried round on a circle, or at rest.
    """

    motion: FrameMotion

    def at(self, t: float) -> FrameMotion:  # noqa: ARG002 - the same at all times
        """The given motion, in body components, at every time."""
        return self.motion

    def pose(self, t: float) -> Pose:
        """Origin [m] in axes of space and rotation at the time t [s]; of a pure spin or pure translation only."""
        motion = self.motion
        turning = motion.angular_velocity.any() and motion.origin_velocity.any()
        if turning or motion.angular_acceleration.any() or motion.origin_acceleration.any():
            raise InputError(
                "a motion given by its components at one instant has no position in time; "
                "give the angle and the path as formulas of t"
            )
        return Pose(motion.origin_velocity * t, rotation_from_vector(motion.angular_velocity * t))


@dataclass(frozen=True, eq=False)
class Prescribed:
    """R = R(axis 1, angle 1) R(axis 2, angle 2) …, origin on a path given in space axes.

    One rotation about z is planar motion; three rotations are any motion (Euler or Cardan angles).
    """

    rotations: Sequence[tuple[Sequence[float], Signal]] = ()
    path: tuple[Signal, Signal, Signal] = field(default_factory=lambda: (Constant(), Constant(), Constant()))

    def at(self, t: float) -> FrameMotion:
        """ω [rad/s], ε [rad/s²], v_O [m/s] and a_O [m/s²] at the time t [s], in body components."""
        R, omega, epsilon = np.eye(3), np.zeros(3), np.zeros(3)
        for axis, angle in self.rotations:
            n = _unit(axis)
            value, rate, acceleration = _finite_jet(angle, t, "the angle")
            turn = rotation_from_vector(value * n)
            # components in the turned axes: ω' = Tᵀω + n φ̇, ε' = Tᵀε + n φ̈ + (Tᵀω) × n φ̇
            carried = turn.T @ omega
            epsilon = turn.T @ epsilon + n * acceleration + np.cross(carried, n) * rate
            omega = carried + n * rate
            R = R @ turn
        jets = np.array([_finite_jet(signal, t, "the path") for signal in self.path], dtype=float)
        return FrameMotion(omega, epsilon, R.T @ jets[:, 1], R.T @ jets[:, 2])

    def pose(self, t: float) -> Pose:
        """Point of the path [m] in axes of space and product of the rotations, at the time t [s]."""
        R = np.eye(3)
        for axis, angle in self.rotations:
            R = R @ rotation_from_vector(angle.jet(t)[0] * _unit(axis))
        return Pose(np.array([signal.jet(t)[0] for signal in self.path], dtype=float), R)


def _finite_jet(signal: Signal, t: float, what: str) -> tuple[float, float, float]:
    """The jet of a signal, refused where the signal or a derivative of it does not exist."""
    jet = signal.jet(t)
    if not np.isfinite(jet).all():
        raise InputError(
            f"{what} of the motion or one of its derivatives is not finite at t = {t:g} s; "
            "change the formula, or choose another time"
        )
    return jet


def planar(angle: Signal, path: tuple[Signal, Signal] | None = None) -> Prescribed:
    """Rotation about z and a path in the x–y plane.

    Parameters
    ----------
    angle
        Angle over time [rad]: an object with `jet(t)` → value, rate, second derivative.
    path
        x and y of the origin over time [m]; at rest if not given.

    Returns
    -------
    Prescribed
        A motion law, for analyses over time.

    Examples
    --------
    >>> times = np.linspace(0.0, 1.0, 40)
    >>> turning = ff.motion.planar(ff.motion.smooth(times, 3 * times, noise=0.0))
    >>> turning.at(0.5).angular_velocity.round(6) + 0.0
    array([0., 0., 3.])
    """
    x, y = path or (Constant(), Constant())
    return Prescribed(((PLANAR_AXIS, angle),), (x, y, Constant()))


def _unit(axis: Sequence[float]) -> Array:
    direction = vector3(axis, "rotation axis")
    length = float(np.linalg.norm(direction))
    if length == 0:
        raise InputError("a rotation axis has no direction; give a vector other than zero")
    return direction / length
