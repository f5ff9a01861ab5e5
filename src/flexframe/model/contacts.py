"""Contacts between shapes on two bodies, or on a body and the ground: pairs of shapes, normal force and friction.

The first marker carries the surface that is touched (plane, ring, curve), the second the sphere, point or
cylinder that touches it. In the plane a sphere is a circle; a point is a sphere of radius zero. A pair of shapes
is one class here and one file in `core/src/contact_pairs`, a law one name here and one file in
`core/src/contact_laws`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from flexframe import _core
from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.arrays import Array
from flexframe.model.constraints import Direction, unit
from flexframe.model.rubbing import PRESLIDING, RELAXATION, FrictionModel, require_bristles

LawName = Literal["kelvin_voigt", "hunt_crossley", "lankarani_nikravesh", "flores", "restitution", "impulsive"]

_LEAST_RESTITUTION = 0.01
_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class NormalLaw(Described):
    """A normal force over the depth δ and its rate; it is never tension.

    `kelvin_voigt` is K δ + d δ̇. The others are K δⁿ (1 + c δ̇/v) with v the speed of the impact, `least_speed`
    [m/s] at least: c is 3(1 − e)/2 of Hunt and Crossley, 3(1 − e²)/4 of Lankarani and Nikravesh, 8(1 − e)/(5e) of
    Flores, and for `restitution` the number with which one free impact returns e exactly. Without a restitution
    they are elastic.

    `impulsive` has impulses instead: the speed along the normal jumps to −e times what it was, with an impulse of
    friction up to μ times the normal one. Shapes that meet at less than `least_speed` and are pressed together
    rest on each other, until nothing presses them any more.
    """

    kind: LawName
    stiffness: float = 0.0  # K [N/mⁿ]
    exponent: float = 1.5
    restitution: float = 1.0
    damping: float = 0.0  # of kelvin_voigt [N s/m]
    least_speed: float = 1e-3

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind == "impulsive":
            self._require_impulsive()
            return
        if not (np.isfinite(self.stiffness) and self.stiffness > 0):
            raise InputError(f"the stiffness is {self.stiffness:g}; give one above zero", field="stiffness")
        if not 1 <= self.exponent <= 10:
            raise InputError(f"the exponent is {self.exponent:g}; give 1 to 10, 1.5 for Hertz", field="exponent")
        if self.kind == "kelvin_voigt":
            if self.exponent != 1:
                raise InputError("kelvin_voigt is linear; give exponent 1, or another law", field="exponent")
            if self.restitution != 1:
                raise InputError(
                    "the restitution of kelvin_voigt depends on the masses; give its damping, or take the law "
                    "restitution",
                    field="restitution",
                )
        elif self.damping:
            raise InputError(f"{self.kind} has its damping by the restitution; leave damping out", field="damping")
        if not _LEAST_RESTITUTION <= self.restitution <= 1:
            raise InputError(
                f"the restitution is {self.restitution:g}; give {_LEAST_RESTITUTION} to 1", field="restitution"
            )
        if self.damping < 0 or not self.least_speed > 0:
            raise InputError("give a damping of zero or more and a least speed above zero", field="damping")

    def _require_impulsive(self) -> None:
        if self.stiffness or self.damping:
            raise InputError("impulsive has neither stiffness nor damping; leave them out", field="stiffness")
        if not (0 <= self.restitution <= 1 and self.least_speed > 0):
            raise InputError(f"the restitution is {self.restitution:g}; give 0 to 1", field="restitution")

    @property
    def factor(self) -> float:
        """c, or the damping of a linear law."""
        if self.kind == "impulsive":
            return 0.0
        if self.kind == "kelvin_voigt":
            return self.damping
        return _core.contact_damping(_core.contact_laws().index(self.kind), self.restitution)


def hertz_stiffness(
    radii: tuple[float, float], moduli: tuple[float, float], poisson_ratios: tuple[float, float]
) -> float:
    """K = 4/3 E √R of two spheres [N/m^1.5], with 1/R = 1/R₁ + 1/R₂ and 1/E = Σ (1 − ν²)/E; infinity is a plane.

    Parameters
    ----------
    radii
        Radii of both [m]; that of a hollow is negative.
    moduli
        Young's moduli [Pa].
    poisson_ratios
        Poisson's ratios.

    Returns
    -------
    float
        K of the force K δ^1.5 [N/m^1.5].

    Examples
    --------
    >>> f"{ff.contacts.hertz_stiffness((0.01, float('inf')), (210e9, 210e9), (0.3, 0.3)):.4g}"
    '1.538e+10'
    """
    curvature = sum(1 / radius for radius in radii)
    if not curvature > 0 or min(moduli) <= 0:
        raise InputError(
            f"radii of {radii[0]:g} and {radii[1]:g} m touch along a surface; give others", field="radius"
        )
    compliance = sum((1 - nu**2) / E for E, nu in zip(moduli, poisson_ratios, strict=True))
    return float(4 / 3 / compliance / np.sqrt(curvature))


@dataclass(frozen=True)
class ContactFriction(Described):
    """Coulomb's friction μ N against the slip v; without a `static` coefficient it is the dynamic one.

    `tanh` is μ = (μ_d + (μ_s − μ_d) exp(−(v/v_s)²)) tanh(v/v_r): `regularisation` v_r [m/s], 1 mm/s unless given,
    is where it reaches 76 % of its value; below it the contact creeps. `elasto_plastic` and `lugre` are those of
    the load `Friction`: bristles bend by `presliding`, 10 µm, under μ_s N before they slip, with a damping of
    `relaxation`, 1 ms, times their stiffness, so that an elasto-plastic contact sticks without creep; `viscous`
    [s/m] adds to μ in proportion to the slip. Bristles of shapes that part are straight again.
    """

    dynamic: float
    static: float | None = None
    regularisation: float | None = None
    stribeck: float = 1e-2  # v_s [m/s]
    model: FrictionModel = "tanh"
    presliding: float | None = None
    relaxation: float | None = None
    viscous: float = 0.0
    break_away: float = 0.9

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.dynamic >= 0 and (self.static is None or self.static >= self.dynamic)):
            raise InputError(
                "a coefficient of friction is negative, or the static one below the dynamic; give 0 <= dynamic <= "
                "static",
                field="friction",
            )
        if not ((self.regularisation is None or self.regularisation > 0) and self.stribeck > 0):
            raise InputError("a velocity of friction is not positive; give one above zero", field="regularisation")
        if self.model == "tanh":
            own = {"presliding": None, "relaxation": None, "viscous": 0.0, "break_away": 0.9}
            given = [name for name, default in own.items() if getattr(self, name) != default]
            if given:
                raise InputError(
                    f"{given[0]} is of bristles, which tanh does not have; give model: elasto_plastic, or leave "
                    f"{given[0]} out",
                    field=given[0],
                )
            return
        if self.regularisation is not None:
            raise InputError(f"a regularisation is for tanh, not for {self.model}; leave it out", field="model")
        if not self.dynamic > 0:
            raise InputError(f"{self.model} needs a coefficient of friction above zero", field="dynamic")
        require_bristles(self, "friction")

    def constants(self) -> tuple[float, ...]:
        """μ_s, μ_d, v_r and v_s; then σ₀, σ₁, σ₂ over the normal force, and b."""
        static = self.dynamic if self.static is None else self.static
        smoothing = 1e-3 if self.regularisation is None else self.regularisation
        stiffness = static / (PRESLIDING if self.presliding is None else self.presliding)
        damping = stiffness * (RELAXATION if self.relaxation is None else self.relaxation)
        bristles = (stiffness, damping, self.viscous, self.break_away)
        return static, self.dynamic, smoothing, self.stribeck, *bristles


FRICTION_MODELS: tuple[FrictionModel, ...] = ("tanh", "elasto_plastic", "lugre")
"""In the order of the core."""


class ShapeSize(NamedTuple):
    """A shape on its marker: axes in those of the marker (columns), radius and length, and how far beside it."""

    axes: Array  # (3, 3)
    radius: float = 0.0
    length: float = 0.0
    beside: tuple[float, float, float] = (0.0, 0.0, 0.0)  # in the axes of the marker


_NO_CURVE = np.zeros((0, 5))


@dataclass(frozen=True, kw_only=True)
class Contact(Described):
    """What all contacts have: a normal force, friction, and steps in the duration of an impact."""

    kind: ClassVar[str]
    turning: ClassVar[bool] = False
    """Whether the gap is an angle [rad], forces being moments [N m]."""
    name: str
    first: str
    second: str
    law: NormalLaw
    friction: ContactFriction | None = None
    divisions: int = 40

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.divisions < 4:
            raise InputError(f"contact {self.name}: {self.divisions} divisions are too few; give 4 or more")
        for what in ("radius", "length"):
            value = getattr(self, what, 0.0)
            if not (np.isfinite(value) and value >= 0):
                raise InputError(f"contact {self.name}: {what} is {value:g} m; give zero or more", field=what)
        if self.friction is not None and self.friction.model != "tanh":
            self._require_bristles(self.friction.model)

    def _require_bristles(self, model: FrictionModel) -> None:
        if self.law.kind == "impulsive":
            raise InputError(
                f"contact {self.name}: {model} needs a normal force, and impulsive has none; take another law, or "
                "the coefficient alone",
                field="friction",
            )

    @property
    def planar(self) -> bool:
        """Whether it can be in a planar system."""
        return True

    def shapes(self) -> tuple[ShapeSize, ShapeSize]:
        """Of the first and the second marker."""
        raise NotImplementedError

    def curve(self) -> tuple[Array, bool]:
        """Parameter, point and second derivative along a curve (points, 5), and whether it is closed."""
        return _NO_CURVE, False

    def constants(self) -> tuple[float, ...]:
        """Numbers of laws in the core."""
        law, friction = self.law, (self.friction or ContactFriction(0.0)).constants()
        normal = (law.stiffness, law.exponent, law.factor, law.least_speed)
        return *normal, *friction[:4], float(self.divisions), *friction[4:]


def _axes_along(direction: Direction, column: int, what: str) -> Array:
    """Right-handed axes of which one has a direction: (3, 3)."""
    with at_field(what):
        n = unit(direction, what)
    other = np.asarray(_Z if abs(n[2]) < 0.9 else _Y)
    u = np.cross(other, n)
    u /= np.linalg.norm(u)
    columns = {0: (n, u, np.cross(n, u)), 2: (u, np.cross(n, u), n)}
    return np.stack(columns[column], axis=1)


@dataclass(frozen=True, kw_only=True)
class SpherePlane(Contact):
    """A sphere, circle or point (radius zero) at the second marker on a plane through the first one.

    `normal` points out of the plane, in the axes of its marker.
    """

    kind: ClassVar[str] = "sphere_plane"
    radius: float = 0.0
    normal: Direction = _Y

    def shapes(self) -> tuple[ShapeSize, ShapeSize]:
        return ShapeSize(_axes_along(self.normal, 0, "normal")), ShapeSize(np.eye(3), self.radius)


@dataclass(frozen=True, kw_only=True)
class SphereSphere(Contact):
    """Two spheres or circles that touch from outside."""

    kind: ClassVar[str] = "sphere_sphere"
    radii: tuple[float, float]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (min(self.radii) >= 0 and sum(self.radii) > 0):
            raise InputError(f"contact {self.name}: radii are {self.radii}; give positive ones", field="radii")

    def shapes(self) -> tuple[ShapeSize, ShapeSize]:
        return ShapeSize(np.eye(3), self.radii[0]), ShapeSize(np.eye(3), self.radii[1])


@dataclass(frozen=True, kw_only=True)
class SphereInSphere(Contact):
    """A ball (second) in a socket (first), in the plane a journal in its bearing, with a radial clearance."""

    kind: ClassVar[str] = "sphere_in_sphere"
    radius: float  # of the ball
    clearance: float  # radius of the socket less that of the ball

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_clearance(self.name, self.clearance)

    def shapes(self) -> tuple[ShapeSize, ShapeSize]:
        return ShapeSize(np.eye(3), self.radius + self.clearance), ShapeSize(np.eye(3), self.radius)


@dataclass(frozen=True, kw_only=True)
class CylinderPlane(Contact):
    """A cylinder of finite length on a plane, in space; each of its two rims follows the law."""

    kind: ClassVar[str] = "cylinder_plane"
    radius: float
    length: float
    normal: Direction = _Y
    axis: Direction = _Z  # of the cylinder, in the axes of its marker

    @property
    def planar(self) -> bool:
        return False

    def shapes(self) -> tuple[ShapeSize, ShapeSize]:
        plane = ShapeSize(_axes_along(self.normal, 0, "normal"))
        return plane, ShapeSize(_axes_along(self.axis, 2, "axis"), self.radius, self.length)


@dataclass(frozen=True, kw_only=True)
class JournalBearing(Contact):
    """A journal (second) in a bearing (first) of finite length, in space; each end follows the law."""

    kind: ClassVar[str] = "journal_bearing"
    radius: float  # of the journal
    clearance: float
    length: float  # of the bearing
    axis: Direction = _Z  # of both, in the axes of their markers

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_clearance(self.name, self.clearance)

    @property
    def planar(self) -> bool:
        return False

    def shapes(self) -> tuple[ShapeSize, ShapeSize]:
        axes = _axes_along(self.axis, 2, "axis")
        bearing = ShapeSize(axes, self.radius + self.clearance, self.length)
        return bearing, ShapeSize(axes, self.radius)


@dataclass(frozen=True, kw_only=True)
class OnCurve(Contact):
    """A sphere, circle or point on a curve through points in the x–y plane of the first marker."""

    points: ArrayLike = field(repr=False)
    radius: float = 0.0
    closed: bool = True
    free: Literal["outside", "inside", "right", "left"] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.curve()

    def _require_bristles(self, model: FrictionModel) -> None:
        raise InputError(
            f"contact {self.name}: {model} follows each place of contact by itself, and those of a curve come and "
            "go along it; take model: tanh",
            field="friction",
        )

    def shapes(self) -> tuple[ShapeSize, ShapeSize]:
        return ShapeSize(np.eye(3)), ShapeSize(np.eye(3), self.radius)


@dataclass(frozen=True, kw_only=True)
class SpherePolyline(OnCurve):
    """A sphere, circle or point on straight lines between points in the x–y plane of the first marker.

    A `closed` line is solid inside, or hollow; an open one is free to its right, in the order of its points, or
    to its left. In space it goes on along z.
    """

    kind: ClassVar[str] = "sphere_polyline"
    closed: bool = False

    def curve(self) -> tuple[Array, bool]:
        points = _order_points(self.name, self.points, self.closed, self.free)
        return np.column_stack([_lengths(points), points, np.zeros((len(points), 2))]), self.closed


@dataclass(frozen=True, kw_only=True)
class SphereProfile(OnCurve):
    """A sphere, circle or point on a smooth curve through points in the x–y plane of the first marker.

    The curve is a cubic spline over the length of the chords, periodic where it is `closed`: tangent and curvature
    are continuous. Sides are those of a polyline.
    """

    kind: ClassVar[str] = "sphere_profile"

    def curve(self) -> tuple[Array, bool]:
        from scipy.interpolate import CubicSpline  # loaded where it is used

        points = _order_points(self.name, self.points, self.closed, self.free)
        if len(points) < 4:
            raise InputError(f"contact {self.name}: {len(points)} points are too few for a curve; give 4 or more")
        s = _lengths(points)
        spline = CubicSpline(s, points, bc_type="periodic" if self.closed else "not-a-knot")
        return np.column_stack([s, points, spline(s, 2)]), self.closed


def require_no_contacts(contacts: Sequence[Contact], analysis: str) -> None:
    """Refuse shapes that meet and part where an analysis has no place for them."""
    if contacts:
        raise InputError(
            f"{analysis} knows no contact, and {contacts[0].name} is one; take a transient, or leave contacts out",
            field="kind",
        )


@dataclass(frozen=True, kw_only=True)
class AngleStop(Contact):
    """The end of a hinge: the second marker may be turned by `angle` [rad] about `axis`, from `middle` on.

    Angles are those about the axis, in (−π, π] around the middle; moments [N m] and angular velocities stand in
    the place of forces and velocities.
    """

    kind: ClassVar[str] = "angle_stop"
    turning: ClassVar[bool] = True
    axis: Direction = _Z
    zero: Direction = _X  # across the axis, the same in both markers where the angle is zero
    middle: float = 0.0
    angle: float

    def shapes(self) -> tuple[ShapeSize, ShapeSize]:
        w, u = unit(self.axis, "axis"), unit(self.zero, "zero")
        v = np.cross(w, u)
        c, s = np.cos(self.middle), np.sin(self.middle)
        first = np.stack([c * u + s * v, c * v - s * u, w], axis=1)
        return ShapeSize(first, length=self.angle), ShapeSize(np.stack([u, v, w], axis=1))


@dataclass(frozen=True, kw_only=True)
class BendStop(Contact):
    """The end of a ball joint: the direction `axis` of both markers may be bent apart by `angle` [rad].

    Moments [N m] and angular velocities stand in the place of forces and velocities.
    """

    kind: ClassVar[str] = "bend_stop"
    turning: ClassVar[bool] = True
    axis: Direction = _X
    angle: float

    def shapes(self) -> tuple[ShapeSize, ShapeSize]:
        axes = _axes_along(self.axis, 0, "axis")
        return ShapeSize(axes, length=self.angle), ShapeSize(axes)


CONTACTS: tuple[type[Contact], ...] = (
    SpherePlane,
    SphereSphere,
    SphereInSphere,
    CylinderPlane,
    JournalBearing,
    SpherePolyline,
    SphereProfile,
)
"""Every pair of shapes; adding one is a class and its name here, and a file in the core."""


def _require_clearance(name: str, clearance: float) -> None:
    if not clearance > 0:
        raise InputError(
            f"contact {name}: the clearance is {clearance:g} m; give one above zero, or take a joint without",
            field="clearance",
        )


def _lengths(points: Array) -> Array:
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])


def _order_points(name: str, given: ArrayLike, closed: bool, free: str | None) -> Array:
    """The points with the free side to the right, a closed curve ending where it begins: (points, 2)."""
    points = np.asarray(given, dtype=float)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2 or not np.isfinite(points).all():
        raise InputError(f"contact {name}: points are {points.shape}; give pairs of x and y", field="points")
    if closed and not np.array_equal(points[0], points[-1]):
        points = np.concatenate([points, points[:1]])
    if (np.linalg.norm(np.diff(points, axis=0), axis=1) == 0).any() or (closed and len(points) < 4):
        raise InputError(
            f"contact {name}: two points in a row are the same, or fewer than three; leave one out", field="points"
        )
    sides: Sequence[str] = ("outside", "inside") if closed else ("right", "left")
    side = free or sides[0]
    if side not in sides:
        raise InputError(
            f"contact {name}: free is '{side}'; a {'closed' if closed else 'open'} curve has {sides[0]} or "
            f"{sides[1]}",
            field="free",
        )
    if closed:  # counterclockwise has the outside to the right
        x, y = points.T
        turns = float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) > 0
        return points if turns == (side == "outside") else points[::-1].copy()
    return points if side == "right" else points[::-1].copy()
