"""Joints between two bodies: each is a list of constraints between a frame on one and a frame on the other.

A marker is written "body.point"; "ground.A" is fixed in space. On an elastic body the point is a node set (its
mean), or a node number. Axes are given in the axes of the frames, which are those of the body unless a named frame
says otherwise.
"""

from dataclasses import KW_ONLY, dataclass
from math import inf, pi
from typing import ClassVar, Protocol, cast

import numpy as np

from flexframe.errors import InputError, at_field
from flexframe.model.clearance import (
    JointClearance,
    Stops,
    joint_clearance,
    joint_stops,
)
from flexframe.model.constraints import (
    Along,
    Between,
    BladeSlip,
    Constraint,
    Coupled,
    Directed,
    Direction,
    Displacement,
    Distance,
    Fixed,
    Holonomic,
    JointConstraint,
    Perpendicular,
    RimHeight,
    RimSlip,
    Rotation,
    TimeLaw,
    state_law,
    two_normals,
    unit,
)
from flexframe.model.contacts import NormalLaw
from flexframe.model.rubbing import JointFriction, joint_friction
from flexframe.model.transmissions.followers import Proportional

X, Z = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Jointed(Directed):
    """A joint that may be elastic: springs with dampers in the place of its rigid constraints.

    `stiffness` [N/m] and `damping` [N s/m] are for displacements that it holds, `rotation_stiffness` [N m/rad] and
    `rotation_damping` [N m s] for rotations; what has no stiffness stays rigid.

    `lock` is a formula of t, sensors, controllers and switches: while it is above zero the joint stays where it
    was when that began, rigidly. A joint that moves then is stopped by an impulse.
    """

    _: KW_ONLY
    stiffness: float | None = None
    damping: float = 0.0
    rotation_stiffness: float | None = None
    rotation_damping: float = 0.0
    lock: TimeLaw | str | float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._require_lock()
        for turn in ("", "rotation_"):
            stiffness, damping = getattr(self, f"{turn}stiffness"), getattr(self, f"{turn}damping")
            if damping and stiffness is None:
                raise InputError(
                    f"{turn}damping is for an elastic joint; give {turn}stiffness too", field=f"{turn}damping"
                )
            if (stiffness is not None and not stiffness > 0) or damping < 0:
                raise InputError(
                    f"{turn}stiffness and {turn}damping of a joint are positive; correct them",
                    field=f"{turn}stiffness",
                )
        rows = cast("Joint", self).constraints()
        if self.rotation_stiffness is not None and not any(isinstance(row, Perpendicular) for row in rows):
            coupled = any(isinstance(row, Coupled) for row in rows)
            why = (
                "the rotations of this joint follow each other rigidly"
                if coupled
                else "this joint holds no rotation"
            )
            raise InputError(f"rotation_stiffness is given, and {why}; leave it out", field="rotation_stiffness")

    def _require_lock(self) -> None:
        if self.lock is None:
            return
        with at_field("lock"):
            state_law(self.lock)
        if not lock_coordinates(cast("Joint", self), planar=False):
            raise InputError("this joint has no coordinate of its own to lock; leave lock out", field="lock")


def lock_coordinates(joint: "Joint", *, planar: bool) -> tuple[Holonomic, ...]:
    """The coordinates that a joint leaves free and that a lock holds; in the plane those that change there."""
    match joint:
        case Revolute():
            found: tuple[Holonomic, ...] = (Rotation(joint.axis),)
        case Prismatic() | PointOnLine() | Screw():
            found = (Along(joint.axis),)
        case Cylindrical():
            found = Along(joint.axis), Rotation(joint.axis)
        case InPlane():
            found = *(Along(normal) for normal in two_normals(joint.normal)), Rotation(joint.normal)
        case Spherical():
            found = (Rotation(Z),) if planar else tuple(Displacement(_NOWHERE, axis) for axis in _AXES)
        case Universal():
            found = Displacement(_NOWHERE, joint.axis), Displacement(_NOWHERE, joint.second_axis)
        case ConstantVelocity():
            found = tuple(Displacement(_NOWHERE, axis) for axis in two_normals(joint.axis))
        case _:
            found = ()
    return tuple(row for row in found if not planar or _changes_in_plane(row))


def _changes_in_plane(row: Holonomic) -> bool:
    """An angle about z, or a displacement in the plane."""
    match row:
        case Rotation():
            return bool(abs(unit(row.axis, "axis")[2]) > _ALONG_Z)
        case Along():
            return bool(abs(unit(row.direction, "axis")[2]) < _ALONG_Z)
    return False


_AXES = (X, (0.0, 1.0, 0.0), Z)
_NOWHERE = (0.0, 0.0, 0.0)
_ALONG_Z = 0.5  # part of an axis along z, which is all or nothing in the plane
_PERPENDICULAR = 1e-9  # cosine of the angle between axes that are at right angles


@dataclass(frozen=True)
class WithClearance(Jointed):
    """A joint that may have play: `clearance` [m], or all that is known of it, see `JointClearance`."""

    _: KW_ONLY
    clearance: float | JointClearance | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.clearance is not None and (self.stiffness or self.rotation_stiffness):
            raise InputError(
                "a joint is elastic or has play; leave out either stiffness or clearance", field="clearance"
            )
        object.__setattr__(self, "clearance", joint_clearance(self.clearance))


@dataclass(frozen=True)
class Stopped(Jointed):
    """A joint whose coordinate has ends: `stops`, lower and upper [rad or m], of the second frame in the first.

    They are met as shapes are: by a law of contact, `stop_law`, or by a spring of `stop_stiffness` [N m/rad or
    N/m] with a damper `stop_damping` that push and never pull. Of a hinge a law is one of moments and angles.
    """

    most_stops: ClassVar[float] = inf
    stopped: ClassVar[tuple[str, ...]] = ("stops",)  # fields of coordinates that follow this law
    _: KW_ONLY
    stops: tuple[float, float] | None = None
    stop_stiffness: float | None = None
    stop_damping: float = 0.0
    stop_law: NormalLaw | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.ends()

    def ends(self) -> dict[str, Stops]:
        """The stops that there are, by their fields."""
        given = {field: getattr(self, field) for field in self.stopped}
        return joint_stops(given, (self.stop_stiffness, self.stop_damping), self.stop_law, self.most_stops)


@dataclass(frozen=True)
class TurningStopped(Stopped):
    """A joint that also turns between ends: `rotation_stops` [rad], which have a law of their own.

    `rotation_stop_law` is one of moments and angles, `rotation_stop_stiffness` [N m/rad] and
    `rotation_stop_damping` [N m s] a spring with a damper.
    """

    _: KW_ONLY
    rotation_stops: tuple[float, float] | None = None
    rotation_stop_stiffness: float | None = None
    rotation_stop_damping: float = 0.0
    rotation_stop_law: NormalLaw | None = None

    def ends(self) -> dict[str, Stops]:
        spring = (self.rotation_stop_stiffness, self.rotation_stop_damping)
        given = {"rotation_stops": self.rotation_stops}
        return super().ends() | joint_stops(given, spring, self.rotation_stop_law, 2 * pi, "rotation_")


@dataclass(frozen=True)
class BendStopped(Jointed):
    """A joint whose axes are bent against each other by `bend_stop` [rad] at most, in any direction.

    `stop_law`, or `stop_stiffness` [N m/rad] and `stop_damping` [N m s], say how that end is met, as of a hinge.
    """

    _: KW_ONLY
    bend_stop: float | None = None
    stop_stiffness: float | None = None
    stop_damping: float = 0.0
    stop_law: NormalLaw | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.ends()

    def ends(self) -> dict[str, Stops]:
        """The end of the bend, if there is one."""
        if self.bend_stop is not None and not 0 < self.bend_stop < pi:
            raise InputError(
                f"bend_stop is {self.bend_stop:g} rad; give an angle above zero and below π", field="bend_stop"
            )
        given = {"bend_stop": None if self.bend_stop is None else (0.0, self.bend_stop)}
        return joint_stops(given, (self.stop_stiffness, self.stop_damping), self.stop_law, 2 * pi)


@dataclass(frozen=True)
class WithStops(WithClearance, Stopped):
    """A joint that may have play and stops, and friction.

    `friction` is a torque about its axis or a force along it: its limit, or all that is known of it, see
    `JointFriction`.
    """

    _: KW_ONLY
    friction: JointFriction | TimeLaw | str | float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.clearance is not None and self.friction is not None:
            raise InputError(
                "a joint with play rubs where its shapes touch; give clearance: {radial, friction} instead",
                field="friction",
            )
        object.__setattr__(self, "friction", joint_friction(self.friction))


@dataclass(frozen=True)
class JointElasticity:
    """Stiffness, None where it is rigid, and damping of a joint."""

    displacement: tuple[float | None, float] = (None, 0.0)
    rotation: tuple[float | None, float] = (None, 0.0)


def elasticity_of(joint: "Joint") -> JointElasticity:
    """What a joint says of its elasticity."""
    if not isinstance(joint, Jointed):
        return JointElasticity()
    return JointElasticity((joint.stiffness, joint.damping), (joint.rotation_stiffness, joint.rotation_damping))


def frictions_of(joint: "Joint") -> dict[str, JointFriction]:
    """What a joint says of its friction, by field."""
    if not isinstance(joint, WithStops | Cylindrical):
        return {}
    found = {field: getattr(joint, field, None) for field in ("friction", "rotation_friction")}
    return {field: given for field, given in found.items() if given is not None}


class Joint(Protocol):
    """A kinematic link between two bodies."""

    kind: ClassVar[str]

    @property
    def name(self) -> str:
        """Its name, unique among the joints of a system."""
        ...

    @property
    def first(self) -> str:
        """First marker, written "body.point"; axes are given in its frame."""
        ...

    @property
    def second(self) -> str:
        """Second marker, written "body.point"."""
        ...

    def constraints(self) -> tuple[JointConstraint, ...]:
        """What it demands of the two frames."""
        ...


_SAME_POINT = tuple(Along(d, in_space=True) for d in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))


def _same_axis(axis: Direction) -> tuple[Constraint, ...]:
    u, v = two_normals(axis)
    return Perpendicular(u, axis), Perpendicular(v, axis)


def _on_line(axis: Direction) -> tuple[Constraint, ...]:
    return tuple(Along(normal) for normal in two_normals(axis))


@dataclass(frozen=True)
class Revolute(WithStops):
    """A hinge: the points stay together, the axes stay parallel."""

    kind: ClassVar[str] = "revolute"
    most_stops: ClassVar[float] = 2 * pi
    name: str
    first: str
    second: str
    axis: Direction = Z

    def constraints(self) -> tuple[Constraint, ...]:
        """Five: the points coincide [m, axes of space], the axes are parallel."""
        return *_SAME_POINT, *_same_axis(self.axis)


@dataclass(frozen=True)
class Prismatic(WithStops):
    """A slide along the axis without rotation."""

    kind: ClassVar[str] = "prismatic"
    name: str
    first: str
    second: str
    axis: Direction = X

    def constraints(self) -> tuple[Constraint, ...]:
        """Five: no offset across the axis [m, first frame], no relative rotation."""
        u, v = two_normals(self.axis)
        return *_on_line(self.axis), *_same_axis(self.axis), Perpendicular(u, v)


@dataclass(frozen=True)
class Cylindrical(TurningStopped):
    """A slide along the axis and a rotation about it; `stops` are those of the slide.

    `friction` is a force [N] along the axis and `rotation_friction` a torque [N m] about it, one beside the other:
    a limit, or all that is known of it, see `JointFriction`.
    """

    kind: ClassVar[str] = "cylindrical"
    name: str
    first: str
    second: str
    axis: Direction = Z
    _: KW_ONLY
    friction: JointFriction | TimeLaw | str | float | None = None
    rotation_friction: JointFriction | TimeLaw | str | float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "friction", joint_friction(self.friction))
        object.__setattr__(self, "rotation_friction", joint_friction(self.rotation_friction))

    def constraints(self) -> tuple[Constraint, ...]:
        """Four: no offset across the axis [m, first frame], the axes are parallel."""
        return *_on_line(self.axis), *_same_axis(self.axis)


@dataclass(frozen=True)
class Spherical(WithClearance, BendStopped):
    """A ball: the points stay together. `bend_stop` is for the direction `bend_axis` of both frames."""

    kind: ClassVar[str] = "spherical"
    name: str
    first: str
    second: str
    _: KW_ONLY
    bend_axis: Direction = X

    def constraints(self) -> tuple[Constraint, ...]:
        """Three: the points coincide [m, axes of space]."""
        return _SAME_POINT


@dataclass(frozen=True)
class Universal(Stopped):
    """A cross (Cardan joint): the points stay together, two axes stay perpendicular, one on each body.

    `stops` are those of the angle about `axis`, `second_stops` about `second_axis`, by the same law.
    """

    kind: ClassVar[str] = "universal"
    most_stops: ClassVar[float] = 2 * pi
    stopped: ClassVar[tuple[str, ...]] = ("stops", "second_stops")
    name: str
    first: str
    second: str
    axis: Direction = X
    second_axis: Direction = (0.0, 1.0, 0.0)
    _: KW_ONLY
    second_stops: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ends() and abs(unit(self.axis, "axis") @ unit(self.second_axis, "second_axis")) > _PERPENDICULAR:
            raise InputError(
                "stops count angles from where both frames coincide, and axis and second_axis are not "
                "perpendicular there; give axes that are, and frames where the bodies lie otherwise",
                field="second_axis",
            )

    def constraints(self) -> tuple[Constraint, ...]:
        """Four: the points coincide [m, axes of space], `axis` and `second_axis` are perpendicular."""
        return *_SAME_POINT, Perpendicular(self.axis, self.second_axis)


@dataclass(frozen=True)
class ConstantVelocity(BendStopped):
    """A constant-velocity joint of two shafts along `axis`: the points stay together, and nothing twists.

    With u and v across the axis, u₁·v₂ = v₁·u₂: the shafts are bent against each other about a line in the plane
    that halves their angle, so that both turn equally at any bend. A stiffness is that of the points only.
    """

    kind: ClassVar[str] = "constant_velocity"
    name: str
    first: str
    second: str
    axis: Direction = X

    def constraints(self) -> tuple[JointConstraint, ...]:
        """Four: the points coincide [m, axes of space], and u₁·v₂ = v₁·u₂."""
        u, v = two_normals(self.axis)
        across, back = (Between(self.first, self.second, Perpendicular(*pair)) for pair in ((u, v), (v, u)))
        return *_SAME_POINT, Coupled(across, back, Proportional(1.0))


@dataclass(frozen=True)
class Screw(Stopped):
    """A screw in a nut: a slide along the axis by `lead` [m] for each turn about it.

    A stiffness is that across the axis; the thread stays rigid. `stops` are those of the slide [m].
    """

    kind: ClassVar[str] = "screw"
    name: str
    first: str
    second: str
    lead: float
    axis: Direction = Z
    left_handed: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.lead > 0:
            raise InputError(f"screw {self.name} has the lead {self.lead:g}; give metres a turn, more than zero")

    def constraints(self) -> tuple[JointConstraint, ...]:
        """Five: no offset across the axis [m, first frame], parallel axes, travel [m] = ±lead/2π × angle [rad]."""
        axis = tuple(unit(self.axis, "axis").tolist())
        travel = Between(self.first, self.second, Along(axis))
        angle = Between(self.first, self.second, Rotation(axis))
        pitch = self.lead / (2 * np.pi)
        turning = Coupled(travel, angle, Proportional(-pitch if self.left_handed else pitch))
        return *_on_line(self.axis), *_same_axis(self.axis), turning


@dataclass(frozen=True)
class Weld(Jointed):
    """Fixed together: the frames coincide."""

    kind: ClassVar[str] = "fixed"
    name: str
    first: str
    second: str

    def constraints(self) -> tuple[Constraint, ...]:
        """Six: the points coincide [m, axes of space], no relative rotation."""
        return *_SAME_POINT, *_same_axis(Z), Perpendicular((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


@dataclass(frozen=True)
class InPlane(TurningStopped):
    """The second body slides on a plane of the first with the given normal, and stays parallel to it.

    `stops` and `second_stops` are those along two directions in the plane, of which normal is the third; for z
    they are x and y.
    """

    kind: ClassVar[str] = "planar"
    stopped: ClassVar[tuple[str, ...]] = ("stops", "second_stops")
    name: str
    first: str
    second: str
    normal: Direction = Z
    _: KW_ONLY
    second_stops: tuple[float, float] | None = None

    def constraints(self) -> tuple[Constraint, ...]:
        """Three: no offset along the normal [m, first frame], the normals are parallel."""
        return Along(self.normal), *_same_axis(self.normal)


@dataclass(frozen=True)
class PointOnLine(Stopped):
    """A point of the second body stays on a line of the first; `stops` are those of its travel."""

    kind: ClassVar[str] = "point_on_line"
    name: str
    first: str
    second: str
    axis: Direction = X

    def constraints(self) -> tuple[Constraint, ...]:
        """Two: no offset across the line [m, first frame]."""
        return _on_line(self.axis)


@dataclass(frozen=True)
class Rod(Jointed):
    """A rod without mass between two points, hinged at both."""

    kind: ClassVar[str] = "rod"
    name: str
    first: str
    second: str
    length: float

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.length > 0:
            raise InputError(f"rod {self.name} has the length {self.length:g}; give metres, more than zero")

    def constraints(self) -> tuple[Constraint, ...]:
        """One: the distance of the points is `length` [m]."""
        return (Distance(Fixed(self.length)),)


@dataclass(frozen=True)
class Rolling(Directed):
    """A disc (centre and axis in the second frame) rolls on a plane of the first body without slipping."""

    kind: ClassVar[str] = "rolling"
    name: str
    first: str
    second: str
    radius: float
    normal: Direction = (0.0, 1.0, 0.0)
    axis: Direction = Z

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.radius > 0:
            raise InputError(
                f"rolling disc {self.name} has the radius {self.radius:g}; give metres, more than zero"
            )

    def constraints(self) -> tuple[Constraint, ...]:
        """Three: the rim touches the plane [m], and its contact point has no velocity in it [m/s]."""
        n, k = tuple(unit(self.normal, "normal").tolist()), tuple(unit(self.axis, "axis").tolist())
        u, v = two_normals(n)
        return (RimHeight(self.radius, n, k), RimSlip(self.radius, n, k, u), RimSlip(self.radius, n, k, v))


@dataclass(frozen=True)
class KnifeEdge(Directed):
    """A blade or skate: its marker on the second body does not move along `normal`, fixed in the second frame."""

    kind: ClassVar[str] = "knife_edge"
    name: str
    first: str
    second: str
    normal: Direction = (0.0, 1.0, 0.0)

    def constraints(self) -> tuple[Constraint, ...]:
        """One, on velocities: none along `normal` of the second frame [m/s]."""
        return (BladeSlip(self.normal),)
