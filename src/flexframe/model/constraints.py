"""The few scalar constraints that all joints, drives and force elements are made of.

A constraint binds two frames, the first on one body and the second on another: p is the place of each, x its
directions. Directions are given in the axes of their frame. A holonomic constraint says s(positions) = f(t); a
constraint on velocities only says A(positions) · velocities = 0.

A class names the type that the core evaluates (`core/src/constraint_types`) and says what stands in its row.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.maths.pieces import Pieces
from flexframe.maths.rotations import vector_from_rotation
from flexframe.motion.frame import vector3

Direction = tuple[float, ...]


class Directed(Described):
    """A description whose axes and normals have a direction."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for field in fields(cast("Any", self)):
            value = getattr(self, field.name)
            if field.name in _DIRECTIONS and value is not None:
                with at_field(field.name):
                    unit(value, field.name.replace("_", " "))


_DIRECTIONS = ("axis", "second_axis", "normal", "direction")


class TimeLaw(Protocol):
    """A scalar function of time with two derivatives at many times, such as a formula or a smoothed record."""

    def jet(self, times: ArrayLike, /) -> tuple[Array, Array, Array]:
        """Value, first and second derivative."""
        ...


@runtime_checkable
class Piecewise(TimeLaw, Protocol):
    """A law of time that is made of polynomials, which the core evaluates as they are."""

    @property
    def pieces(self) -> Pieces:
        """Its polynomials."""
        ...


@dataclass(frozen=True)
class Fixed:
    """A law that does not change."""

    value: float = 0.0

    def jet(self, times: ArrayLike, /) -> tuple[Array, Array, Array]:
        t = np.asarray(times, dtype=float)
        return np.full(t.shape, self.value), np.zeros(t.shape), np.zeros(t.shape)


Law = TimeLaw | str | float
"""A formula of t and of sensors, a number, or a law such as a smoothed record or a table; SI units."""


class StateLaw:
    """A law of inputs, each a formula of t, sensors and controllers or such a law: a table, or a function."""

    inputs: Sequence[Law]

    def jet(self, times: ArrayLike, /) -> tuple[Array, Array, Array]:  # noqa: ARG002 - as the protocol has it
        """Not defined: this law needs its inputs, so a call for times alone is an error; see `evaluate`."""
        raise AssertionError("a law of state is known in a state, not at a time")

    def evaluate(self, *inputs: Array) -> Array:
        """The law at many instants, one array for each input."""
        raise NotImplementedError


def state_law(value: "TimeLaw | str | float") -> TimeLaw:
    """A law of time, a formula of t and of names of sensors and controllers, or a table or function of these."""
    if isinstance(value, StateLaw):
        return value
    return Formula.parse(value, open_to_names=True) if isinstance(value, str) else time_law(value)


def names_in(law: TimeLaw) -> tuple[str, ...]:
    """Names of sensors and controllers that a law reads."""
    if isinstance(law, StateLaw):
        return tuple(name for each in law.inputs for name in names_in(state_law(each)))
    if not isinstance(law, Formula):
        return ()
    own = law.variables.index("t") if "t" in law.variables else 0  # before t stands what is a load's own
    return tuple(name for name in law.names if name not in law.variables[:own])


def constant_of(law: TimeLaw) -> float | None:
    """The number that a law is, or a formula without variables."""
    if isinstance(law, Fixed):
        return law.value
    if isinstance(law, Formula) and not any(map(law.depends_on, law.variables)):
        return float(law(*np.zeros(len(law.variables))))
    return None


def follows_state(law: TimeLaw) -> bool:
    """Whether a law is one of more than the time."""
    return isinstance(law, StateLaw) or bool(names_in(law))


def time_law(value: "TimeLaw | str | float") -> TimeLaw:
    """A law from a formula of t in words, a number, or a law."""
    if isinstance(value, str):
        return Formula.parse(value)
    if isinstance(value, int | float):
        return Fixed(float(value))
    if isinstance(value, StateLaw):
        raise InputError(
            f"{type(value).__name__} is a law of sensors, and here a law of time is wanted; give a formula of t"
        )
    if not hasattr(value, "jet"):
        raise InputError(
            f"{value!r} is no law of time; give a formula of t as a text, a number, or a law with value and two "
            "derivatives, such as ff.motion.smooth(times, values)"
        )
    return value


@dataclass(frozen=True, eq=False)
class Row:
    """What the core reads of a constraint beside its two places: directions x, y, z of the formulas, and a radius.

    x and z are in the axes of the first body and y in those of the second; `in_space`: x is in space axes.
    """

    x: Array | None = None
    y: Array | None = None
    z: Array | None = None
    radius: float = 0.0
    in_space: bool = False


@dataclass(frozen=True)
class Along:
    """d · (p_second − p_first) = f(t), d fixed in the first body or (`in_space`) in space. Unit: m."""

    type: ClassVar[str] = "along"
    direction: Direction
    in_space: bool = False
    law: TimeLaw = Fixed()

    def row(self, first: Array, second: Array, /) -> Row:  # noqa: ARG002 - nothing in the second body
        d = unit(self.direction, "axis")
        return Row(d if self.in_space else first @ d, in_space=self.in_space)


@dataclass(frozen=True)
class Perpendicular:
    """x_first · x_second = 0."""

    type: ClassVar[str] = "perpendicular"
    first: Direction
    second: Direction

    def row(self, first: Array, second: Array, /) -> Row:
        return Row(first @ unit(self.first, "axis"), second @ unit(self.second, "axis"))


@dataclass(frozen=True)
class Rotation:
    """The second frame is turned by f(t) [rad] about an axis that both share."""

    type: ClassVar[str] = "rotation"
    axis: Direction
    law: TimeLaw = Fixed()

    def row(self, first: Array, second: Array, /) -> Row:
        u, v = two_normals(self.axis)
        return Row(first @ u, second @ u, first @ v)


@dataclass(frozen=True, kw_only=True)
class MeshAngle(Rotation):
    """The angle of a wheel about an axis of its carrier, and the way of its centre along the line of its teeth.

    s = θ + n · (p − c)/r with the line n on which teeth press, the place c of the centre in the carrier, both in
    its axes, and the radius r of the base circle [m], negative where a force along n turns the wheel backwards: a
    torque along s acts with the force that teeth have.
    """

    type: ClassVar[str] = "mesh_angle"
    line: Direction
    centre: Direction
    radius: float

    def row(self, first: Array, second: Array, /) -> Row:
        n = unit(self.line, "line")
        across = np.cross(unit(self.axis, "axis"), n)
        return Row(first @ n, second @ n, first @ across, 1 / self.radius)


def first_place(constraint: object, point: Array, axes: Array) -> Array:
    """Where a constraint holds on its first body, beside the point of the marker there with its axes."""
    return point + axes @ constraint.centre if isinstance(constraint, MeshAngle) else point


@dataclass(frozen=True)
class Distance:
    """|p_second − p_first| = f(t). Unit: m."""

    type: ClassVar[str] = "distance"
    law: TimeLaw

    def row(self, first: Array, second: Array, /) -> Row:  # noqa: ARG002 - it has no direction
        return Row()


@dataclass(frozen=True)
class Displacement:
    """t · Δ + r · Θ: displacement Δ and vector of rotation Θ of the second frame in axes of the first, weighted.

    It holds for rotations of less than a half turn.
    """

    type: ClassVar[str] = "displacement"
    translation: Direction
    rotation: Direction

    def row(self, first: Array, second: Array, /) -> Row:
        turn = vector_from_rotation(second @ first.T)
        return Row(first @ np.array(self.translation), turn, first @ np.array(self.rotation))


@dataclass(frozen=True)
class RimHeight:
    """The rim of a disc (axis in the second frame, centre its marker) touches a plane of the first body."""

    type: ClassVar[str] = "rim_height"
    radius: float
    normal: Direction
    axis: Direction

    def row(self, first: Array, second: Array, /) -> Row:
        return Row(first @ self.normal, second @ self.axis, radius=self.radius)


@dataclass(frozen=True)
class RimSlip:
    """The point of the rim that touches the plane does not move along `direction` of it. Velocities only."""

    type: ClassVar[str] = "rim_slip"
    radius: float
    normal: Direction
    axis: Direction
    direction: Direction

    def row(self, first: Array, second: Array, /) -> Row:
        return Row(first @ self.normal, second @ self.axis, first @ self.direction, self.radius)


@dataclass(frozen=True)
class BladeSlip:
    """The marker of the second body does not move along `normal`, fixed in the second frame. Velocities only."""

    type: ClassVar[str] = "blade_slip"
    normal: Direction

    def row(self, first: Array, second: Array, /) -> Row:  # noqa: ARG002 - nothing in the first body
        return Row(y=second @ unit(self.normal, "normal"))


Holonomic = Along | Perpendicular | Rotation | Distance | Displacement | RimHeight
OnVelocities = RimSlip | BladeSlip
Constraint = Holonomic | OnVelocities


@dataclass(frozen=True)
class Between:
    """A coordinate between two markers; an angle counts through all turns."""

    first: str
    second: str
    coordinate: Holonomic


@dataclass(frozen=True, eq=False)
class Coupled:
    """A coordinate that follows another one, s = f(r); both may belong to markers beside those of the joint.

    A drive may follow several, and the time as well.
    """

    follower: Between  # s
    leader: Between  # r
    law: TimeLaw  # f, of r instead of the time
    more: tuple[Between, ...] = ()  # further r of a law that has several

    @property
    def sides(self) -> tuple[Between, ...]:
        """All coordinates, that which follows first."""
        return self.follower, self.leader, *self.more


JointConstraint = Constraint | Coupled


def unit(direction: Sequence[float], what: str) -> Array:
    """The direction with length one; two components are completed by z = 0."""
    vector = vector3(direction, what)
    length = float(np.linalg.norm(vector))
    if length == 0:
        raise InputError(f"{what} has no direction; give a vector other than zero")
    return vector / length


def two_normals(axis: Sequence[float], what: str = "axis") -> tuple[Direction, Direction]:
    """u and v with (u, v, axis) right-handed; for z they are x and y."""
    w = unit(axis, what)
    helper = np.eye(3)[int(np.argmin(np.round(np.abs(w), 9)))]
    u = helper - w * (w @ helper)
    u /= np.linalg.norm(u)
    v = np.cross(w, u)
    return tuple(u.tolist()), tuple(v.tolist())
