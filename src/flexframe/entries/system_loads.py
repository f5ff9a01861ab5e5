"""Loads on the bodies of a system in a case."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from flexframe.entries import quantities as q
from flexframe.entries.entry import ByKeys, Entry
from flexframe.entries.fields import (
    AccelerationVector,
    Angle,
    AngularVelocity,
    Coordinate,
    Direction,
    ForceVector,
    FormulaOfTime,
    Moment,
    MomentVector,
    Name,
    Number,
    one_of,
    quantity,
)
from flexframe.entries.links import Markers
from flexframe.model.system_loads import (
    BodyLoads,
    Friction,
    MarkerForce,
    Motor,
    Spring,
    SystemGravity,
    SystemLoad,
    TorsionSpring,
)

DAMPING = q.Dimension("a damping", "N s/m", (0, 1, -1), "20 N s/m")
TORSION_DAMPING = q.Dimension("a damping of rotation", "N m s", (2, 1, -1), "0.1 N m s")

Stiffness = Annotated[float, quantity(q.FORCE_PER_LENGTH, "not negative")]
TorsionStiffness = Annotated[float, quantity(q.MOMENT, "not negative")]
DampingValue = Annotated[float, quantity(DAMPING, "not negative")]
TorsionDampingValue = Annotated[float, quantity(TORSION_DAMPING, "not negative")]
Formulas = Annotated[tuple[FormulaOfTime, ...], Field(min_length=2, max_length=3, strict=False)]
ThreeFormulas = Annotated[tuple[FormulaOfTime, ...], Field(min_length=3, max_length=3, strict=False)]
Speeds = Annotated[tuple[AngularVelocity, ...], Field(min_length=2, strict=False)]
Torques = Annotated[tuple[Moment, ...], Field(min_length=2, strict=False)]


class SystemGravityEntry(Entry):
    """An acceleration field, fixed in space."""

    leads: ClassVar[tuple[str, ...]] = ("gravity",)
    gravity: AccelerationVector

    def load(self, name: str) -> SystemLoad:
        return SystemGravity(name, self.gravity)


class MarkerForceEntry(Entry):
    """A force [N], a moment [N m], or both at a place, as formulas of t, with their values before t = 0."""

    leads: ClassVar[tuple[str, ...]] = ("force", "moment")
    force: Formulas | None = None
    moment: ThreeFormulas | None = None
    on: str
    axes: Literal["space", "body"] = "space"
    force_before: ForceVector | None = None
    moment_before: MomentVector | None = None

    def load(self, name: str) -> SystemLoad:
        zero = (0.0, 0.0, 0.0)
        before = (self.force_before, self.moment_before)
        return MarkerForce(name, self.on, self.force or zero, self.moment or zero, self.axes, *before)


class BodyLoadsEntry(Entry):
    """How the loads of a body itself act in a coupled motion: times a formula of t, in axes of body or space."""

    leads: ClassVar[tuple[str, ...]] = ("body_loads",)
    body_loads: Name
    factor: FormulaOfTime | None = None
    axes: Literal["space", "body"] = "body"
    factor_before: Number | None = None

    def load(self, name: str) -> SystemLoad:
        factor = 1.0 if self.factor is None else self.factor
        return BodyLoads(name, self.body_loads, factor, self.axes, self.factor_before)


class SpringEntry(Entry):
    """A spring with damper between two places, along their line or along an axis of the first body."""

    leads: ClassVar[tuple[str, ...]] = ("spring",)
    spring: Markers
    stiffness: Stiffness = 0.0
    free_length: Coordinate = 0.0
    damping: DampingValue = 0.0
    axis: Direction | None = None

    def load(self, name: str) -> SystemLoad:
        return Spring(name, *self.spring, self.stiffness, self.free_length, self.damping, self.axis)


class TorsionSpringEntry(Entry):
    """A torsion spring [N m/rad] with damper about an axis."""

    leads: ClassVar[tuple[str, ...]] = ("torsion_spring",)
    torsion_spring: Markers
    stiffness: TorsionStiffness = 0.0
    free_angle: Angle = 0.0
    damping: TorsionDampingValue = 0.0
    axis: Direction = (0.0, 0.0, 1.0)

    def load(self, name: str) -> SystemLoad:
        return TorsionSpring(name, *self.torsion_spring, self.stiffness, self.free_angle, self.damping, self.axis)


class FrictionEntry(Entry):
    """Coulomb friction of constant force [N] along an axis, or torque [N m] about it.

    It grows as tanh(velocity / regularisation), so that it is smooth where the direction changes.
    """

    leads: ClassVar[tuple[str, ...]] = ("friction",)
    friction: Markers
    limit: Annotated[float, one_of((q.FORCE, q.MOMENT), "not negative")]
    regularisation: Annotated[float, one_of((q.VELOCITY, q.ANGULAR_VELOCITY), "positive")] = 1e-3
    axis: Direction | None = None
    of: Literal["sliding", "rotation"] = "sliding"

    def load(self, name: str) -> SystemLoad:
        sliding = self.of == "sliding"
        axis = self.axis or ((1.0, 0.0, 0.0) if sliding else (0.0, 0.0, 1.0))
        along: Literal["axis", "angle"] = "axis" if sliding else "angle"
        return Friction(name, *self.friction, self.limit, self.regularisation, axis, along)


class MotorEntry(Entry):
    """A torque [N m] that depends on the speed [rad/s] of the second body against the first."""

    leads: ClassVar[tuple[str, ...]] = ("motor",)
    motor: Markers
    speeds: Speeds
    torques: Torques
    axis: Direction = (0.0, 0.0, 1.0)

    def load(self, name: str) -> SystemLoad:
        return Motor(name, *self.motor, self.speeds, self.torques, self.axis)


SystemLoadEntry = Annotated[
    SystemGravityEntry
    | MarkerForceEntry
    | BodyLoadsEntry
    | SpringEntry
    | TorsionSpringEntry
    | FrictionEntry
    | MotorEntry,
    ByKeys("load"),
]
