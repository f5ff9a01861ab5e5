"""Transmissions: a coordinate of one body follows a coordinate of another one, s = f(r).

Angles are those against a carrier, the housing or arm that both wheels turn in, and count through all turns. Each
transmission acts by a force or torque along s; along r, and on the carrier, act what keeps the balance of power:
it neither takes nor gives any. With a stiffness the coordinate s − f(r) is that of a spring instead.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError, at_field
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.maths.pieces import DEGREE, Pieces, spline_pieces
from flexframe.model.characteristics import LawParameters
from flexframe.model.constraints import (
    Along,
    Between,
    Coupled,
    Directed,
    Direction,
    Fixed,
    Holonomic,
    JointConstraint,
    Piecewise,
    Rotation,
    TimeLaw,
    unit,
)

X, Z = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
ANGLE = "angle"
"""Name of the angle of a cam in a formula of its profile."""


# ---------------------------------------------------------------------- laws of a coordinate


@dataclass(frozen=True)
class Proportional:
    """offset + slope · r."""

    slope: float
    offset: float = 0.0

    def jet(self, times: ArrayLike, /) -> tuple[Array, Array, Array]:
        r = np.asarray(times, dtype=float)
        return self.offset + self.slope * r, np.full(r.shape, self.slope), np.zeros(r.shape)

    @property
    def pieces(self) -> Pieces:
        """Its polynomial."""
        coefficients = np.zeros((1, DEGREE + 1))
        coefficients[0, :2] = self.offset, self.slope
        return Pieces(np.zeros(1), coefficients)


@dataclass(frozen=True)
class ProfilePoints:
    """A quintic spline through values at angles [rad].

    It repeats after a turn where the points span one with the same value at both ends; else the angle must stay
    between the points.
    """

    angles: tuple[float, ...]
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.angles) != len(self.values) or len(self.angles) < _FEWEST:
            raise InputError(f"a profile needs a value for each angle, at least {_FEWEST} of them")
        if not (np.diff(self.angles) > 0).all():
            raise InputError("the angles of a profile do not increase; sort its points")

    @property
    def closed(self) -> bool:
        """Whether it repeats after a turn."""
        height = np.ptp(self.values)
        whole = abs(self.angles[-1] - self.angles[0] - 2 * np.pi) < _SAME
        return bool(whole and abs(self.values[-1] - self.values[0]) <= _SAME * height)

    @cached_property
    def pieces(self) -> Pieces:
        """Its polynomials."""
        from scipy.interpolate import make_interp_spline  # takes a third of a second to import

        angles, values = np.array(self.angles), np.array(self.values)
        if self.closed:
            angles[-1], values[-1] = angles[0] + 2 * np.pi, values[0]
        spline = make_interp_spline(angles, values, k=5, bc_type="periodic" if self.closed else None)
        ends, coefficients = spline_pieces(spline.t, spline.c, 5)
        period = 2 * np.pi if self.closed else 0.0
        return Pieces(ends[:-1], coefficients, float(angles[0]), period)

    def jet(self, times: ArrayLike, /) -> tuple[Array, Array, Array]:
        return self.pieces.jet(times)


_FEWEST = 6
_SAME = 1e-9

Profile = Formula | ProfilePoints | str | float
"""A formula of `angle`, points of a curve, or a number."""


def profile_law(profile: Profile) -> TimeLaw:
    """The law of a profile in words or as it is."""
    if isinstance(profile, str):
        return Formula.parse(profile, (ANGLE,))
    if isinstance(profile, int | float):
        return Fixed(float(profile))
    if isinstance(profile, Formula):
        if profile.variables != (ANGLE,):
            raise InputError(f"the profile is a formula of {', '.join(profile.variables)}; write it of {ANGLE}")
        return profile
    if not isinstance(profile, Piecewise):
        raise InputError(f"{profile!r} is no profile; give a formula of {ANGLE}, or ff.joints.ProfilePoints")
    return profile


# ---------------------------------------------------------------------- forces of elastic transmissions


@dataclass(frozen=True, eq=False)
class TransmissionForce:
    """A force along s − f(r); with the protocol of forces along coordinates."""

    kind: ClassVar[str]
    name: str
    first: str
    second: str
    coupled: Coupled
    stiffness: float
    given: float  # play or pretension
    damping: float

    def coordinate(self) -> Holonomic:
        return self.coupled.follower.coordinate

    def force(self, value: Array, rate: Array) -> Array:
        raise NotImplementedError

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:
        raise NotImplementedError

    @property
    def damped(self) -> bool:
        """Whether it takes energy."""
        return self.damping > 0

    def parameters(self) -> LawParameters:
        return LawParameters((self.stiffness, self.given, self.damping))


class MeshForce(TransmissionForce):
    """Flanks with play b: −sgn(s) max(0, k p + d ṗ) where p = |s| − b/2 > 0, else nothing."""

    kind: ClassVar[str] = "gear_mesh"

    def force(self, value: Array, rate: Array) -> Array:
        depth, side = np.abs(value) - 0.5 * self.given, np.sign(value)
        push = np.maximum(self.stiffness * depth + self.damping * side * rate, 0.0)
        return np.asarray(np.where(depth > 0, -side * push, 0.0))

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:
        depth, side = np.abs(value) - 0.5 * self.given, np.sign(value)
        pushes = (depth > 0) & (self.stiffness * depth + self.damping * side * rate >= 0)
        return np.where(pushes, self.stiffness, 0.0), np.where(pushes, self.damping, 0.0)


class CableForce(TransmissionForce):
    """One strand that pulls: −max(0, T₀ + k s), with damping while it is taut."""

    kind: ClassVar[str] = "cable"
    sides: ClassVar[tuple[float, ...]] = (1.0,)

    def force(self, value: Array, rate: Array) -> Array:
        total = np.zeros(np.shape(value))
        for side in self.sides:
            tension = self.given + side * self.stiffness * value
            pull = np.maximum(tension + side * self.damping * rate, 0.0)
            total = total - np.where(tension > 0, side * pull, 0.0)
        return total

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:
        taut = np.zeros(np.shape(value))
        for side in self.sides:
            tension = self.given + side * self.stiffness * value
            taut = taut + ((tension > 0) & (tension + side * self.damping * rate >= 0))
        return self.stiffness * taut, self.damping * taut


class BeltForce(CableForce):
    """Two strands that pull against each other."""

    kind: ClassVar[str] = "belt"
    sides: ClassVar[tuple[float, ...]] = (1.0, -1.0)


def elements_of(joints: Iterable[object]) -> tuple[TransmissionForce, ...]:
    """Force elements among joints."""
    found = (joint.element() for joint in joints if isinstance(joint, Transmission))
    return tuple(element for element in found if element is not None)


def sides_of(joint: object) -> tuple[Between, ...]:
    """The coordinates that a joint couples, each with its two markers."""
    found = [c for c in joint.constraints() if isinstance(c, Coupled)] if hasattr(joint, "constraints") else []
    if isinstance(joint, Transmission) and (element := joint.element()) is not None:
        found.append(element.coupled)
    return tuple(side for coupled in found for side in coupled.sides)


# ---------------------------------------------------------------------- kinds


class Transmission(Directed):
    """A joint that couples two coordinates."""

    kind: ClassVar[str]
    name: str
    first: str
    second: str

    def coupled(self) -> Coupled:
        """What follows what."""
        raise NotImplementedError

    def element(self) -> TransmissionForce | None:
        """Its force, where it has a stiffness."""
        return None

    def constraints(self) -> tuple[JointConstraint, ...]:
        return (self.coupled(),) if self.element() is None else ()


def _positive(what: str, value: float) -> None:
    if not (value > 0 and np.isfinite(value)):
        raise InputError(f"{what} is {value:g}; give a number above zero")


def _not_negative(joint: Transmission, *names: str) -> None:
    for name in names:
        value = getattr(joint, name)
        if value is not None and not value >= 0:
            raise InputError(f"{name} of {joint.name} is {value:g}; give zero or more", field=name)


@dataclass(frozen=True)
class Gear(Transmission):
    """Two wheels that mesh: the second turns by ∓ 1/ratio of the first, both against the carrier.

    `ratio` is the speed of the first over that of the second, `teeth` gives it as [z₁, z₂]: z₂/z₁. Wheels that
    mesh from outside turn against each other, `internal` ones with each other. Where the axes are not parallel the
    sense of `second_axis` decides. `phase` [rad] is the angle of the second wheel where the first has none.
    With `stiffness` [N m/rad, about the axis of the second wheel] teeth are elastic, with `damping` [N m s/rad]
    and a `backlash` [rad, of the second wheel, from flank to flank].
    """

    kind: ClassVar[str] = "gear"
    name: str
    first: str
    second: str
    ratio: float = 1.0
    teeth: tuple[float, ...] = ()
    carrier: str = "ground"
    internal: bool = False
    axis: Direction = Z
    second_axis: Direction | None = None
    phase: float = 0.0
    stiffness: float | None = None
    damping: float = 0.0
    backlash: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        with at_field("ratio"):
            _positive(f"ratio of {self.name}", self.ratio)
        if self.teeth and len(self.teeth) != 2:
            raise InputError(f"gear {self.name} has two wheels; give two numbers of teeth", field="teeth")
        if self.teeth and self.ratio != 1.0:
            raise InputError(f"gear {self.name} has teeth and a ratio; give one of them", field="ratio")
        for number in self.teeth:
            with at_field("teeth"):
                _positive(f"a number of teeth of {self.name}", number)
        _not_negative(self, "stiffness", "damping", "backlash")
        if self.stiffness is None and (self.backlash or self.damping):
            raise InputError(f"gear {self.name} has play or damping but no stiffness; give one", field="stiffness")

    @property
    def slope(self) -> float:
        """Speed of the second wheel over that of the first."""
        size = self.teeth[0] / self.teeth[1] if self.teeth else 1.0 / self.ratio
        return size if self.internal else -size

    def coupled(self) -> Coupled:
        return Coupled(
            Between(self.carrier, self.second, Rotation(self.second_axis or self.axis)),
            Between(self.carrier, self.first, Rotation(self.axis)),
            Proportional(self.slope, self.phase),
        )

    def element(self) -> TransmissionForce | None:
        if self.stiffness is None:
            return None
        own = (self.name, self.first, self.second, self.coupled())
        return MeshForce(*own, self.stiffness, self.backlash, self.damping)


@dataclass(frozen=True)
class Rack(Transmission):
    """Rack and pinion: the second body travels along `direction` by radius · angle of the first.

    Travel and angle are against the carrier; with `opposite` the rack lies on the other side of the pinion.
    `offset` [m] is the travel where the angle is zero. With `stiffness` [N/m] the teeth are elastic, with
    `damping` [N s/m] and `backlash` [m].
    """

    kind: ClassVar[str] = "rack"
    name: str
    first: str
    second: str
    radius: float
    carrier: str = "ground"
    opposite: bool = False
    axis: Direction = Z
    direction: Direction = X
    offset: float = 0.0
    stiffness: float | None = None
    damping: float = 0.0
    backlash: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        with at_field("radius"):
            _positive(f"radius of {self.name}", self.radius)
        _not_negative(self, "stiffness", "damping", "backlash")
        if self.stiffness is None and (self.backlash or self.damping):
            raise InputError(f"rack {self.name} has play or damping but no stiffness; give one", field="stiffness")

    def coupled(self) -> Coupled:
        return Coupled(
            Between(self.carrier, self.second, Along(_of_unit_length(self.direction))),
            Between(self.carrier, self.first, Rotation(self.axis)),
            Proportional(-self.radius if self.opposite else self.radius, self.offset),
        )

    def element(self) -> TransmissionForce | None:
        if self.stiffness is None:
            return None
        own = (self.name, self.first, self.second, self.coupled())
        return MeshForce(*own, self.stiffness, self.backlash, self.damping)


@dataclass(frozen=True)
class Cam(Transmission):
    """A cam and its follower, always in contact: a coordinate of the second body is a function of the angle.

    The angle is that of the first body about `axis`, the follower travels along `direction` or (`of: rotation`)
    turns about `second_axis`, all against the carrier. `profile` is a formula of `angle` [rad] or points of a
    curve [m, or rad of a follower that turns]. A force of the contact below zero would lift the follower off.
    """

    kind: ClassVar[str] = "cam"
    name: str
    first: str
    second: str
    profile: Profile
    carrier: str = "ground"
    of: Literal["travel", "rotation"] = "travel"
    axis: Direction = Z
    direction: Direction = (0.0, 1.0, 0.0)
    second_axis: Direction = Z

    def __post_init__(self) -> None:
        super().__post_init__()
        with at_field("profile"):
            profile_law(self.profile)

    def coupled(self) -> Coupled:
        travels = self.of == "travel"
        coordinate = Along(_of_unit_length(self.direction)) if travels else Rotation(self.second_axis)
        return Coupled(
            Between(self.carrier, self.second, coordinate),
            Between(self.carrier, self.first, Rotation(self.axis)),
            profile_law(self.profile),
        )


@dataclass(frozen=True)
class Belt(Transmission):
    """A belt around two pulleys with `radii` [m]: r₂θ₂ = r₁θ₁, both against the carrier.

    A crossed belt turns the second pulley the other way. With `stiffness` [N/m] of each strand it stretches, with
    `damping` [N s/m] and a `pretension` [N] of each; a strand pulls and never pushes.
    """

    kind: ClassVar[str] = "belt"
    made: ClassVar[type[CableForce]] = BeltForce
    name: str
    first: str
    second: str
    radii: tuple[float, ...] = (1.0, 1.0)
    carrier: str = "ground"
    crossed: bool = False
    axis: Direction = Z
    phase: float = 0.0
    stiffness: float | None = None
    damping: float = 0.0
    pretension: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.radii) != 2:
            raise InputError(f"{self.name} runs on two pulleys; give two radii", field="radii")
        for radius in self.radii:
            with at_field("radii"):
                _positive(f"a radius of {self.name}", radius)
        _not_negative(self, "damping", "pretension")
        if self.stiffness is not None:
            with at_field("stiffness"):
                _positive(f"stiffness of {self.name}", self.stiffness)
        elif self.damping or self.pretension:
            raise InputError(f"{self.name} has tension or damping but no stiffness; give one", field="stiffness")

    def coupled(self) -> Coupled:
        slope = self.radii[0] / self.radii[1]
        return Coupled(
            Between(self.carrier, self.second, Rotation(self.axis)),
            Between(self.carrier, self.first, Rotation(self.axis)),
            Proportional(-slope if self.crossed else slope, self.phase),
        )

    def element(self) -> TransmissionForce | None:
        if self.stiffness is None:
            return None
        r = self.radii[1]  # tension times radius along the angle of the second pulley
        own = (self.name, self.first, self.second, self.coupled())
        return self.made(*own, self.stiffness * r**2, self.pretension * r, self.damping * r**2)


@dataclass(frozen=True)
class Cable(Belt):
    """A cable from one drum to another with `radii` [m], wound so that the second follows when the first pulls.

    It is one strand: a positive angle of the second drum beyond r₁θ₁/r₂ stretches it, a positive angle of the
    first slackens it. The fields are those of a belt; without a stiffness it is always taut.
    """

    kind: ClassVar[str] = "cable"
    made: ClassVar[type[CableForce]] = CableForce


def _of_unit_length(direction: Sequence[float]) -> Direction:
    return tuple(unit(direction, "direction").tolist())


TRANSMISSIONS: tuple[type[Transmission], ...] = (Gear, Rack, Cam, Belt, Cable)
"""Every kind of transmission; adding one is a class and its name here."""
