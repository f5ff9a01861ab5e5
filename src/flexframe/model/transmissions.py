"""Transmissions: a coordinate of one body follows a coordinate of another one, s = f(r).

Angles are those against a carrier, the housing or arm that both wheels turn in, and count through all turns. Each
transmission acts by a force or torque along s; along r, and on the carrier, act what keeps the balance of power:
it neither takes nor gives any. With a stiffness the coordinate s − f(r) is that of a spring instead.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, cast

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
    MeshAngle,
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

    def assembled(self, centres: tuple[Array, Array] | None, misfit: float) -> "Transmission":  # noqa: ARG002
        """The same where the places of both markers in the axes of the carrier are known, at the start.

        Places are given where bearings hold the markers of wheels there. `misfit` is s − f(r); an elastic
        transmission whose phase is not given begins without a stretch.
        """
        return self

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


PRESSURE_ANGLE = float(np.radians(20.0))
"""Of teeth that give none [rad]."""


class Toothed(Transmission):
    """A transmission by teeth: elastic ones have play and damping, and press along a line."""

    stiffness: float | None
    damping: float
    backlash: float
    pressure_angle: float
    torque_only: bool

    def _require_teeth(self) -> None:
        _not_negative(self, "stiffness", "damping", "backlash")
        if self.stiffness is None and (self.backlash or self.damping):
            raise InputError(
                f"{self.kind} {self.name} has play or damping but no stiffness; give one", field="stiffness"
            )
        if not abs(self.pressure_angle) < np.radians(60):
            raise InputError(
                f"the pressure angle of {self.name} is {np.degrees(self.pressure_angle):g} deg; give less than 60 "
                "deg, as 20 deg",
                field="pressure_angle",
            )

    def element(self) -> TransmissionForce | None:
        if self.stiffness is None:
            return None
        own = (self.name, self.first, self.second, self.coupled())
        return MeshForce(*own, self.stiffness, self.backlash, self.damping)


@dataclass(frozen=True)
class MeshLine:
    """How teeth press, in the axes of the carrier: along a line, on wheels with centres and base radii [m].

    A radius is negative where a force along the line turns its wheel backwards.
    """

    line: Direction
    centres: tuple[Direction, Direction]
    radii: tuple[float, float]


@dataclass(frozen=True)
class Gear(Toothed):
    """Two wheels that mesh: the second turns by ∓ 1/ratio of the first, both against the carrier.

    `ratio` is the speed of the first over that of the second, `teeth` gives it as [z₁, z₂]: z₂/z₁. Wheels that
    mesh from outside turn against each other, `internal` ones with each other. Where the axes are not parallel the
    sense of `second_axis` decides. `phase` [rad] is the angle of the second wheel where the first has none;
    without one rigid teeth take zero, elastic ones begin unstretched. With `stiffness` [N m/rad, about the axis of
    the second wheel] teeth are elastic, with `damping` [N m s/rad] and a `backlash` [rad, of the second wheel,
    from flank to flank].

    Markers are the centres of the wheels: the force of the teeth acts at the pitch point, which divides the
    distance of the centres at the start by the ratio, and bearings feel it. It lies at `pressure_angle` [rad] to
    the common tangent, on the flank on which the first wheel drives in its positive sense; a negative angle is for
    the other flank. There are torques alone, which the carrier holds, with `torque_only`, where axes are not
    parallel or the same, and where no revolute or cylindrical joint holds the markers of both wheels in the
    carrier.
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
    phase: float | None = None
    stiffness: float | None = None
    damping: float = 0.0
    backlash: float = 0.0
    pressure_angle: float = PRESSURE_ANGLE
    torque_only: bool = False

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
        self._require_teeth()

    @property
    def slope(self) -> float:
        """Speed of the second wheel over that of the first."""
        size = self.teeth[0] / self.teeth[1] if self.teeth else 1.0 / self.ratio
        return size if self.internal else -size

    def coupled(self) -> Coupled:
        return Coupled(
            Between(self.carrier, self.second, Rotation(self.second_axis or self.axis)),
            Between(self.carrier, self.first, Rotation(self.axis)),
            Proportional(self.slope, self.phase or 0.0),
        )

    def assembled(self, centres: tuple[Array, Array] | None, misfit: float) -> Transmission:
        phased = self
        if self.stiffness is not None and self.phase is None:
            phased = replace(self, phase=misfit)
        mesh = None if self.torque_only or centres is None else phased.mesh_line(centres)
        return phased if mesh is None else MeshedGear(**_fields_of(phased), mesh=mesh)

    def mesh_line(self, centres: tuple[Array, Array]) -> MeshLine | None:
        """The line on which teeth press; none where axes are not parallel, or the same.

        With e from the first centre to the second one, a apart, and the slope f of the second angle over the
        first, the pitch point is at f a/(f − 1) from the first centre and a/(f − 1) from the second, along e.
        """
        axis = unit(self.axis, "axis")
        second = axis if self.second_axis is None else unit(self.second_axis, "second axis")
        apart = (centres[1] - centres[0]) - axis * (axis @ (centres[1] - centres[0]))
        sense = float(np.sign(axis @ second))
        distance, f = float(np.linalg.norm(apart)), sense * self.slope  # both angles about the first axis
        if not _same_line(axis, second) or distance < _SAME * (1 + np.abs(centres).max()) or abs(f - 1) < _SAME:
            return None
        e = apart / distance
        outwards = -1.0 if f > 0 else 1.0
        angle = self.pressure_angle
        drive = float(np.sign(f / (f - 1)))  # of the rim of the first wheel, along axis × e
        line = drive * np.cos(angle) * np.cross(axis, e) + outwards * np.sin(angle) * e
        base = drive * distance / (f - 1) * np.cos(angle)
        radii = (f * base, base)
        return MeshLine(_tuple(line), (_tuple(centres[0]), _tuple(centres[1])), (radii[0], sense * radii[1]))


@dataclass(frozen=True, kw_only=True)
class MeshedGear(Gear):
    """A gear whose line of contact is known."""

    mesh: MeshLine

    def coupled(self) -> Coupled:
        both = zip((self.first, self.second), self._axes, self.mesh.centres, self.mesh.radii, strict=True)
        leader, follower = (
            Between(self.carrier, wheel, MeshAngle(axis, line=self.mesh.line, centre=centre, radius=radius))
            for wheel, axis, centre, radius in both
        )
        return Coupled(follower, leader, Proportional(self.slope, self.phase or 0.0))

    @property
    def _axes(self) -> tuple[Direction, Direction]:
        return self.axis, self.second_axis or self.axis


@dataclass(frozen=True)
class Rack(Toothed):
    """Rack and pinion: the second body travels along `direction` by radius · angle of the first.

    Travel and angle are against the carrier; with `opposite` the rack lies on the other side of the pinion.
    `offset` [m] is the travel where the angle is zero; without one rigid teeth take zero, elastic ones begin
    unstretched. With `stiffness` [N/m] the teeth are elastic, with `damping` [N s/m] and `backlash` [m].

    The marker of the pinion is its centre; the force of the teeth acts as that of a gear does, with a
    `pressure_angle` [rad], or along the travel and as a torque alone with `torque_only`.
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
    offset: float | None = None
    stiffness: float | None = None
    damping: float = 0.0
    backlash: float = 0.0
    pressure_angle: float = PRESSURE_ANGLE
    torque_only: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        with at_field("radius"):
            _positive(f"radius of {self.name}", self.radius)
        self._require_teeth()

    def coupled(self) -> Coupled:
        return Coupled(
            Between(self.carrier, self.second, Along(_of_unit_length(self.direction))),
            Between(self.carrier, self.first, Rotation(self.axis)),
            Proportional(-self.radius if self.opposite else self.radius, self.offset or 0.0),
        )

    def assembled(self, centres: tuple[Array, Array] | None, misfit: float) -> Transmission:
        phased = self
        if self.stiffness is not None and self.offset is None:
            phased = replace(self, offset=misfit)
        axis, travel = unit(self.axis, "axis"), unit(self.direction, "direction")
        if self.torque_only or centres is None or abs(axis @ travel) > _SAME:
            return phased
        # e from the pinion to the rack, where the rim moves along its drive = axis × e
        drive = -travel if self.opposite else travel
        e = np.cross(drive, axis)
        line = np.cos(self.pressure_angle) * drive + np.sin(self.pressure_angle) * e
        base = self.radius * np.cos(self.pressure_angle)
        mesh = MeshLine(_tuple(line), (_tuple(centres[0]), _tuple(centres[1])), (base, np.inf))
        return MeshedRack(**_fields_of(phased), mesh=mesh)


@dataclass(frozen=True, kw_only=True)
class MeshedRack(Rack):
    """A rack whose line of contact is known: n · p of the rack is r cos α times the angle of the pinion.

    What is across the travel of the rack stays as it is at the start.
    """

    mesh: MeshLine

    def coupled(self) -> Coupled:
        mesh, sense = self.mesh, -1.0 if self.opposite else 1.0
        travel, line = unit(self.direction, "direction"), np.array(mesh.line)
        across = line - travel * (line @ travel)
        offset = sense * np.cos(self.pressure_angle) * (self.offset or 0.0) + across @ mesh.centres[1]
        pinion = MeshAngle(self.axis, line=mesh.line, centre=mesh.centres[0], radius=mesh.radii[0])
        return Coupled(
            Between(self.carrier, self.second, Along(mesh.line)),
            Between(self.carrier, self.first, pinion),
            Proportional(mesh.radii[0], float(offset)),
        )

    def element(self) -> TransmissionForce | None:
        if self.stiffness is None:
            return None
        own = (self.name, self.first, self.second, self.coupled())
        c = np.cos(self.pressure_angle)  # of the way along the line over the travel
        return MeshForce(*own, self.stiffness / c**2, self.backlash * c, self.damping / c**2)


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

    A crossed belt turns the second pulley the other way. `phase` [rad] is the angle of the second pulley where the
    first has none; without one a belt that stretches begins unstretched. With `stiffness` [N/m] of each strand it
    stretches, with `damping` [N s/m] and a `pretension` [N] of each; a strand pulls and never pushes.
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
    phase: float | None = None
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
            Proportional(-slope if self.crossed else slope, self.phase or 0.0),
        )

    def assembled(self, centres: tuple[Array, Array] | None, misfit: float) -> Transmission:  # noqa: ARG002 - no teeth
        unstretched = self.stiffness is not None and self.phase is None
        return replace(self, phase=misfit) if unstretched else self

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


def _fields_of(joint: Transmission) -> dict[str, Any]:
    return {each.name: getattr(joint, each.name) for each in fields(cast("Any", joint))}


def _tuple(vector: Array) -> Direction:
    return tuple(vector.tolist())


def _same_line(first: Array, second: Array) -> bool:
    return bool(np.linalg.norm(np.cross(first, second)) < _SAME)


def _of_unit_length(direction: Sequence[float]) -> Direction:
    return tuple(unit(direction, "direction").tolist())


TRANSMISSIONS: tuple[type[Transmission], ...] = (Gear, Rack, Cam, Belt, Cable)
"""Every kind of transmission; adding one is a class and its name here."""
