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
    Perpendicular,
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


@dataclass(frozen=True, eq=False)
class FlankForce(CableForce):
    """A flank of teeth, along s or (`side` −1) along −s."""

    side: float


def flank_force(
    joint: "Transmission", coupled: Coupled, side: float, numbers: tuple[float, float, float]
) -> TransmissionForce:
    """One flank of elastic teeth, which presses where `side` · s is more than half the play.

    It is a strand whose tension begins at the other end of the play, along s or, with the side −1, along −s.
    """
    stiffness, play, damping = numbers
    along = coupled if side > 0 else _reversed(coupled)
    own = (joint.name, joint.first, joint.second, along)
    return FlankForce(*own, stiffness, -0.5 * stiffness * play, damping, side)


def _reversed(coupled: Coupled) -> Coupled:
    """−s = −f(r)."""
    between, law = coupled.follower, coupled.law
    assert isinstance(law, Proportional), "as teeth have it"
    match between.coordinate:
        case MeshAngle() as angle:
            other: Holonomic = replace(angle, axis=_tuple(-np.array(angle.axis)), radius=-angle.radius)
        case Along() as way:
            other = replace(way, direction=_tuple(-np.array(way.direction)))
        case _:
            raise AssertionError("teeth act on wheels and racks")
    back = replace(between, coordinate=other)
    return replace(coupled, follower=back, law=Proportional(-law.slope, -law.offset))


class BeltForce(CableForce):
    """Two strands that pull against each other."""

    kind: ClassVar[str] = "belt"
    sides: ClassVar[tuple[float, ...]] = (1.0, -1.0)


@dataclass(frozen=True, eq=False)
class Pull:
    """A force or moment on a wheel in a direction of its carrier that follows what its transmission carries.

    Its law is one of `force`, the torque or force along the second coordinate, or of the stretch `s` of an elastic
    transmission with its rate `v`. It has the protocol of forces along coordinates.
    """

    kind: ClassVar[str] = "actuator"
    name: str
    first: str  # the carrier
    second: str
    along: Along | Perpendicular
    joint: str
    law: Formula
    coupled: Coupled

    def coordinate(self) -> Holonomic:
        return self.along

    def force(self, value: Array, rate: Array) -> Array:  # noqa: ARG002 - what it follows is added to this
        return np.zeros_like(value)

    def slopes(self, value: Array, rate: Array) -> tuple[Array, Array]:
        return np.zeros_like(value), np.zeros_like(rate)

    def parameters(self) -> LawParameters:
        return LawParameters()


def pulls_of(joints: Iterable[object]) -> tuple[Pull, ...]:
    """What transmissions among joints pull and push beside their own coordinates."""
    return tuple(each for joint in joints if isinstance(joint, Transmission) for each in joint.pulls())


def elements_of(joints: Iterable[object]) -> tuple[TransmissionForce, ...]:
    """Force elements among joints."""
    return tuple(each for joint in joints if isinstance(joint, Transmission) for each in joint.elements())


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

    def elements(self) -> tuple[TransmissionForce, ...]:
        """Its force in the parts that act by themselves, as each flank of its teeth does."""
        whole = self.element()
        return () if whole is None else (whole,)

    def pulls(self) -> tuple[Pull, ...]:
        """What it pulls and pushes beside its own coordinates."""
        return ()

    @property
    def follows_reaction(self) -> str:
        """The field for which it acts on bearings with a force that follows its reaction; none: no force does."""
        if getattr(self, "stiffness", None) is not None or getattr(self, "torque_only", True):
            return ""
        follows = {"flanks": getattr(self, "flanks", "one") == "both"}
        follows |= {name: bool(getattr(self, name, 0.0)) for name in ("helix_angle", "pretension")}
        return next((name for name, does in follows.items() if does), "")

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


Flanks = Literal["one", "both"]
"""On which flanks rigid teeth press: along one line, or on the one that touches."""


class Toothed(Transmission):
    """A transmission by teeth: elastic ones have play and damping, and press along a line."""

    stiffness: float | None
    damping: float
    backlash: float
    pressure_angle: float
    torque_only: bool
    flanks: Flanks

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

    def _push(self, on_tangent: bool) -> float:
        """tan α where the line is the tangent."""
        return abs(float(np.tan(self.pressure_angle))) if on_tangent else 0.0

    def _apart(self, mesh: "MeshLine", push: float) -> tuple[Pull, ...]:
        """Rigid teeth on the flank that touches push both sides apart by tan α of their force on the tangent."""
        if not push:
            return ()
        radius = abs(mesh.radii[1])
        each = push / radius if np.isfinite(radius) else push  # of a torque on a wheel, of a force on a rack
        law = Formula.parse("push*abs(force)", ("force",), {"push": each})
        carrier, coupled = cast("Any", self).carrier, self.coupled()
        away = np.array(mesh.apart)
        return tuple(
            Pull(f"{self.name} apart {side}", carrier, wheel, Along(_tuple(way)), self.name, law, coupled)
            for side, wheel, way in ((1, self.first, -away), (2, self.second, away))
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
    apart: Direction  # from where teeth touch into the second wheel, or into the rack

    def pressing(self, sense: float) -> "MeshLine":
        """That of the flank on which a force along the line times `sense` pushes the second wheel away."""
        line, apart = np.array(self.line), np.array(self.apart)
        radial = line @ apart
        return replace(self, line=_tuple(line + (sense * abs(radial) - radial) * apart))


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
    the common tangent. Elastic teeth press on the flank that touches, rigid ones with `flanks` both; else these
    have the line of the flank on which the first wheel drives in its positive sense, and a negative angle is for
    the other one. With a `helix_angle` [rad], positive of a first wheel with a right-hand helix, a force along the
    axis acts there too and tilts the wheels; `pressure_angle` is then the one in the plane of the wheels. There
    are torques alone, which the carrier holds, with `torque_only`, where axes are not parallel or the same, and
    where no revolute or cylindrical joint holds the markers of both wheels in the carrier.
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
    flanks: Flanks = "one"
    helix_angle: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not abs(self.helix_angle) < np.radians(60):
            raise InputError(
                f"the helix angle of {self.name} is {np.degrees(self.helix_angle):g} deg; give less than 60 deg, "
                "as 15 deg",
                field="helix_angle",
            )
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
        on_tangent = self.stiffness is None and self.flanks == "both"
        line = replace(phased, pressure_angle=0.0) if on_tangent else phased
        mesh = None if self.torque_only or centres is None else line.mesh_line(centres)
        if mesh is None:
            return phased
        return MeshedGear(**_fields_of(line), mesh=mesh, push=self._push(on_tangent))

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
        both = (_tuple(centres[0]), _tuple(centres[1]))
        return MeshLine(_tuple(line), both, (radii[0], sense * radii[1]), _tuple(outwards * e))


@dataclass(frozen=True, kw_only=True)
class MeshedGear(Gear):
    """A gear whose line of contact is known."""

    mesh: MeshLine
    push: float = 0.0  # tan α of rigid teeth on both flanks, whose line is the tangent

    def coupled(self) -> Coupled:
        both = zip((self.first, self.second), self._axes, self.mesh.centres, self.mesh.radii, strict=True)
        leader, follower = (
            Between(self.carrier, wheel, MeshAngle(axis, line=self.mesh.line, centre=centre, radius=radius))
            for wheel, axis, centre, radius in both
        )
        return Coupled(follower, leader, Proportional(self.slope, self.phase or 0.0))

    def elements(self) -> tuple[TransmissionForce, ...]:
        if self.stiffness is None:
            return ()
        numbers = (self.stiffness, self.backlash, self.damping)
        pushes = float(np.sign(self.mesh.radii[1]))  # a torque along the angle of the second wheel
        flanks = (replace(self, mesh=self.mesh.pressing(-side * pushes)) for side in (1.0, -1.0))
        return tuple(
            flank_force(flank, flank.coupled(), side, numbers)
            for flank, side in zip(flanks, (1.0, -1.0), strict=True)
        )

    def pulls(self) -> tuple[Pull, ...]:
        return (*self._apart(self.mesh, self.push), *self._axial())

    def _axial(self) -> tuple[Pull, ...]:
        """Helical teeth: F tan β along the axis at the pitch point, which tilts both wheels.

        Teeth that turn a first wheel with a right-hand helix forwards push it along −axis. With the torque M
        along the angle of the second wheel that is sgn(slope) M/r₂ tan β along the axis a, and r e × a of it as a
        moment, e being from the centre of the wheel to the pitch point; the second wheel feels the opposite force.
        """
        if not self.helix_angle:
            return ()
        a, (first, second) = unit(self.axis, "axis"), (np.array(centre) for centre in self.mesh.centres)
        apart = (second - first) - a * (a @ (second - first))
        sense = float(np.sign(a @ unit(self.second_axis or self.axis, "axis")))
        f = sense * self.slope
        arms = (f / (f - 1) * apart, 1 / (f - 1) * apart)  # to the pitch point, see `mesh_line`
        push = float(np.sign(self.slope) * np.tan(self.helix_angle) / np.linalg.norm(arms[1]))
        coupled, found = self.coupled(), []
        for side, wheel, arm, way in ((1, self.first, arms[0], push), (2, self.second, arms[1], -push)):
            radius = float(np.linalg.norm(arm))
            tilt = np.cross(np.cross(arm, a), a) / radius  # (m × a) · a₂ turns about m
            ways = (
                ("axial", Along(_tuple(a)), way),
                ("tilt", Perpendicular(_tuple(tilt), _tuple(a)), way * radius),
            )
            for what, along, factor in ways:
                law = Formula.parse("push*force", ("force",), {"push": factor})
                name = f"{self.name} {what} {side}"
                found.append(Pull(name, self.carrier, wheel, along, self.name, law, coupled))
        return tuple(found)

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
    flanks: Flanks = "one"

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
        on_tangent = self.stiffness is None and self.flanks == "both"
        line = replace(phased, pressure_angle=0.0) if on_tangent else phased
        drive = -travel if self.opposite else travel
        e = np.cross(drive, axis)
        along = np.cos(line.pressure_angle) * drive + np.sin(line.pressure_angle) * e
        base = self.radius * np.cos(line.pressure_angle)
        mesh = MeshLine(_tuple(along), (_tuple(centres[0]), _tuple(centres[1])), (base, np.inf), _tuple(e))
        return MeshedRack(**_fields_of(line), mesh=mesh, push=self._push(on_tangent))


@dataclass(frozen=True, kw_only=True)
class MeshedRack(Rack):
    """A rack whose line of contact is known: n · p of the rack is r cos α times the angle of the pinion.

    What is across the travel of the rack stays as it is at the start.
    """

    mesh: MeshLine
    push: float = 0.0  # tan α of rigid teeth on both flanks, whose line is the tangent

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
        return MeshForce(self.name, self.first, self.second, self.coupled(), *self._numbers(self.stiffness))

    def elements(self) -> tuple[TransmissionForce, ...]:
        if self.stiffness is None:
            return ()
        numbers = self._numbers(self.stiffness)
        flanks = (replace(self, mesh=self.mesh.pressing(-side)) for side in (1.0, -1.0))
        return tuple(
            flank_force(flank, flank.coupled(), side, numbers)
            for flank, side in zip(flanks, (1.0, -1.0), strict=True)
        )

    def pulls(self) -> tuple[Pull, ...]:
        return self._apart(self.mesh, self.push)

    def _numbers(self, stiffness: float) -> tuple[float, float, float]:
        """Stiffness, play and damping along the line, whose way is cos α of the travel."""
        c = float(np.cos(self.pressure_angle))
        return stiffness / c**2, self.backlash * c, self.damping / c**2


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

    Markers are the centres of the pulleys: where bearings hold them in the carrier, strands pull at them, along
    the lines that touch both pulleys. A belt that does not stretch does so with a `pretension` only. There are
    torques alone, which the carrier holds, with `torque_only`.
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
    torque_only: bool = False

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
        elif self.damping or (self.pretension and self.made is CableForce):
            raise InputError(f"{self.name} has tension or damping but no stiffness; give one", field="stiffness")

    def coupled(self) -> Coupled:
        slope = self.radii[0] / self.radii[1]
        return Coupled(
            Between(self.carrier, self.second, Rotation(self.axis)),
            Between(self.carrier, self.first, Rotation(self.axis)),
            Proportional(-slope if self.crossed else slope, self.phase or 0.0),
        )

    def assembled(self, centres: tuple[Array, Array] | None, misfit: float) -> Transmission:
        unstretched = self.stiffness is not None and self.phase is None
        phased = replace(self, phase=misfit) if unstretched else self
        if self.torque_only or centres is None or (self.stiffness is None and not self.pretension):
            return phased
        axis = unit(self.axis, "axis")
        apart = (centres[1] - centres[0]) - axis * (axis @ (centres[1] - centres[0]))
        distance = float(np.linalg.norm(apart))
        reach = self.radii[0] + self.radii[1] if self.crossed else self.radii[0] - self.radii[1]
        if distance <= max(abs(reach), _SAME * (1 + np.abs(centres).max())):
            return phased
        strands = StrandLines(_tuple(apart / distance), _tuple(np.cross(axis, apart / distance)), reach / distance)
        return (StrungCable if self.made is CableForce else StrungBelt)(**_fields_of(phased), strands=strands)

    def element(self) -> TransmissionForce | None:
        if self.stiffness is None:
            return None
        r = self.radii[1]  # tension times radius along the angle of the second pulley
        own = (self.name, self.first, self.second, self.coupled())
        return self.made(*own, self.stiffness * r**2, self.pretension * r, self.damping * r**2)


@dataclass(frozen=True)
class StrandLines:
    """Where strands run, in the axes of the carrier: between the centres, across, and the sine of their angle."""

    between: Direction  # e
    across: Direction  # t = axis × e
    sine: float


@dataclass(frozen=True, kw_only=True)
class StrungBelt(Belt):
    """A belt whose pulleys have known centres: its strands pull at them.

    The strand on the side σ = ±1 of t runs along u = cos γ e − σ sin γ t from the first pulley to the second,
    where it pulls with −T u and turns with σ r₂ T (−σ r₂ T of a crossed belt). With the sum S of both tensions and
    their difference D = T₊ − T₋ the second pulley is pulled by −S cos γ e + D sin γ t, the first by the opposite.
    """

    strands: StrandLines

    def tensions(self) -> tuple[str, str, dict[str, float]]:
        """S and D of σ as formulas, and their numbers."""
        r, turned = self.radii[1], -1.0 if self.crossed else 1.0
        if self.stiffness is None:  # the torque r₂ D is known, and no strand pushes
            numbers = {"tension": self.pretension, "r": r, "turned": turned}
            return "max(2*tension, abs(force)/r)", "turned*force/r", numbers
        numbers = {
            "tension": self.pretension,
            "k": self.stiffness * r,
            "d": self.damping * r,
            "turned": turned,
        }
        # a strand that is taut has damping, and does not push
        ahead, behind = (f"0.5*(1 + sign(tension {c} k*s))*max(0, tension {c} (k*s + d*v))" for c in ("+", "-"))
        if self.made is CableForce:
            behind = "0"
        return f"({ahead} + {behind})", f"turned*({behind} - {ahead})", numbers

    def pulls(self) -> tuple[Pull, ...]:
        total, difference, numbers = self.tensions()
        lines, coupled = self.strands, self.coupled()
        numbers |= {"cosine": float(np.sqrt(1 - lines.sine**2)), "sine": lines.sine}
        variables = ("force",) if self.stiffness is None else ("s", "v")
        found = []
        for direction, text in ((lines.between, f"-cosine*{total}"), (lines.across, f"sine*{difference}")):
            law = Formula.parse(text, variables, numbers)
            for side, wheel, sense in ((2, self.second, 1.0), (1, self.first, -1.0)):
                way = _tuple(sense * np.array(direction))
                name = f"{self.name} {'pull' if direction is lines.between else 'side'} {side}"
                found.append(Pull(name, self.carrier, wheel, Along(way), self.name, law, coupled))
        return tuple(found)


@dataclass(frozen=True, kw_only=True)
class StrungCable(StrungBelt):
    """A cable whose drums have known centres."""

    kind: ClassVar[str] = "cable"
    made: ClassVar[type[CableForce]] = CableForce


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
