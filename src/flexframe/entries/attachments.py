"""What a body of a case is held, coupled and loaded by, its point masses, and the axes of its material."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from flexframe.elements.orthotropic import Orientation
from flexframe.entries import quantities as q
from flexframe.entries.entry import ByKeys, Entry, choose_lead
from flexframe.entries.fields import (
    AccelerationVector,
    Angle,
    Direction,
    ForcePerLengthVector,
    ForceVector,
    Mass,
    MomentVector,
    Selection,
    Stress,
    StressVector,
    quantity,
)
from flexframe.model.body import PointMass
from flexframe.model.loads import Gravity, LineLoad, Load, NodeForce, Pressure, Traction
from flexframe.model.supports import (
    Clamp,
    Coupling,
    EquationCoupling,
    Fix,
    FrameSpring,
    MeanCoupling,
    Pin,
    RigidCoupling,
    Roller,
    Support,
    Symmetric,
)

DofName = Literal["ux", "uy", "uz", "rx", "ry", "rz"]


class ClampEntry(Entry):
    """No displacement and no rotation."""

    leads: ClassVar[tuple[str, ...]] = ("clamp",)
    clamp: Selection

    def support(self) -> Support:
        return Clamp(self.clamp)


class PinEntry(Entry):
    """No displacement; rotations are free."""

    leads: ClassVar[tuple[str, ...]] = ("pin",)
    pin: Selection

    def support(self) -> Support:
        return Pin(self.pin)


class RollerEntry(Entry):
    """No displacement along the direction."""

    leads: ClassVar[tuple[str, ...]] = ("roller",)
    roller: Selection
    direction: Direction

    def support(self) -> Support:
        return Roller(self.roller, self.direction)


class SymmetricEntry(Entry):
    """A plane of symmetry with this normal."""

    leads: ClassVar[tuple[str, ...]] = ("symmetric",)
    symmetric: Selection
    normal: Direction

    def support(self) -> Support:
        return Symmetric(self.symmetric, self.normal)


class FixEntry(Entry):
    """Single degrees of freedom fixed."""

    leads: ClassVar[tuple[str, ...]] = ("fix",)
    fix: Selection
    dofs: Annotated[tuple[DofName, ...], Field(min_length=1, strict=False)]

    def support(self) -> Support:
        return Fix(self.fix, self.dofs)


SupportEntry = Annotated[
    ClampEntry | PinEntry | RollerEntry | SymmetricEntry | FixEntry,
    ByKeys("support"),
]


_TORSION = q.Dimension("a stiffness of rotation", "N m", (2, 1, -2), "500 N m")
_DAMPING = q.Dimension("a damping", "N s/m", (0, 1, -1), "20 N s/m")
_TORSION_DAMPING = q.Dimension("a damping of rotation", "N m s", (2, 1, -1), "0.1 N m s")
_THREE = Field(min_length=3, max_length=3, strict=False)

Stiffnesses = Annotated[tuple[Annotated[float, quantity(q.FORCE_PER_LENGTH, "not negative")], ...], _THREE]
TorsionStiffnesses = Annotated[tuple[Annotated[float, quantity(_TORSION, "not negative")], ...], _THREE]
Dampings = Annotated[tuple[Annotated[float, quantity(_DAMPING, "not negative")], ...], _THREE]
TorsionDampings = Annotated[tuple[Annotated[float, quantity(_TORSION_DAMPING, "not negative")], ...], _THREE]
Dofs = Annotated[tuple[DofName, ...], Field(min_length=1, strict=False)]

_ZERO = (0.0, 0.0, 0.0)
_ALL: tuple[DofName, ...] = ("ux", "uy", "uz", "rx", "ry", "rz")


class RigidCouplingEntry(Entry):
    """Nodes that follow a reference node as one rigid piece (RBE2)."""

    leads: ClassVar[tuple[str, ...]] = ("rigid",)
    rigid: Selection
    reference: Selection
    dofs: Dofs = _ALL

    def coupling(self) -> Coupling:
        return RigidCoupling(self.reference, self.rigid, self.dofs)


class MeanCouplingEntry(Entry):
    """Nodes whose mean motion a reference node takes (RBE3); weights by node, or by area of a facet set."""

    leads: ClassVar[tuple[str, ...]] = ("mean",)
    mean: Selection
    reference: Selection
    dofs: Dofs = _ALL
    weighting: Literal["nodes", "area"] = "nodes"

    def coupling(self) -> Coupling:
        return MeanCoupling(self.reference, self.mean, self.dofs, self.weighting)


class TermEntry(Entry):
    """A degree of freedom of a node in an equation, times a factor."""

    on: Selection
    dof: DofName
    factor: float = 1.0


class EquationEntry(Entry):
    """A linear equation among displacements [m] and rotations [rad] of nodes: Σ factor · dof = 0 (MPC)."""

    leads: ClassVar[tuple[str, ...]] = ("equation",)
    equation: Annotated[tuple[TermEntry, ...], Field(min_length=1, strict=False)]

    def coupling(self) -> Coupling:
        return EquationCoupling.of_terms([(term.on, term.dof, term.factor) for term in self.equation])


CouplingEntry = Annotated[RigidCouplingEntry | MeanCouplingEntry | EquationEntry, ByKeys("coupling")]


class FrameSpringEntry(Entry):
    """A spring and damper from each selected node to the frame of the body, along and about x, y, z."""

    on: Selection
    stiffness: Stiffnesses = _ZERO
    rotational_stiffness: TorsionStiffnesses = _ZERO
    damping: Dampings = _ZERO
    rotational_damping: TorsionDampings = _ZERO

    def spring(self) -> FrameSpring:
        return FrameSpring(
            self.on, self.stiffness, self.rotational_stiffness, self.damping, self.rotational_damping
        )


class OrientationEntry(Entry):
    """How the axes of an orthotropic material lie: turned about z, turned by a rotation vector, or two axes."""

    leads: ClassVar[tuple[str, ...]] = ("angle", "rotation", "axes")
    angle: Angle | None = None
    rotation: Annotated[tuple[Angle, ...], _THREE] | None = None
    axes: Annotated[tuple[Direction, ...], Field(min_length=2, max_length=2, strict=False)] | None = None

    @model_validator(mode="after")
    def _one_way(self) -> "OrientationEntry":
        choose_lead([key for key in self.leads if getattr(self, key) is not None], self.leads, "orientation")
        return self

    def orientation(self) -> Orientation:
        """The orientation that is described."""
        if self.axes is not None:
            first, second = self.axes
            return Orientation(first, second)
        turned = self.rotation if self.rotation is not None else self.angle
        assert turned is not None
        return Orientation.of_rotation(turned)


Inertia = Annotated[float, quantity(q.Dimension("a moment of inertia", "kg m^2", (2, 1, 0), "0.02 kg m^2"))]


class NodeLoadEntry(Entry):
    """A force, a moment, or both, at each selected node."""

    leads: ClassVar[tuple[str, ...]] = ("force", "moment")
    force: ForceVector = (0.0, 0.0, 0.0)
    moment: MomentVector = (0.0, 0.0, 0.0)
    on: Selection

    def load(self) -> Load:
        return NodeForce(self.on, self.force, self.moment)


class TractionEntry(Entry):
    """A force per area on a set of edges (of plane elements) or faces (of solids)."""

    leads: ClassVar[tuple[str, ...]] = ("traction",)
    traction: StressVector
    on: str

    def load(self) -> Load:
        return Traction(self.on, self.traction)


class PressureEntry(Entry):
    """A pressure on a set of edges or faces, positive towards the body."""

    leads: ClassVar[tuple[str, ...]] = ("pressure",)
    pressure: Stress
    on: str

    def load(self) -> Load:
        return Pressure(self.on, self.pressure)


class LineLoadEntry(Entry):
    """A force per length along beams or bars; all of them without a cell set."""

    leads: ClassVar[tuple[str, ...]] = ("line_load",)
    line_load: ForcePerLengthVector
    on: str | None = None

    def load(self) -> Load:
        return LineLoad(self.line_load, self.on)


class GravityEntry(Entry):
    """An acceleration field, constant in body axes."""

    leads: ClassVar[tuple[str, ...]] = ("gravity",)
    gravity: AccelerationVector

    def load(self) -> Load:
        return Gravity(self.gravity)


LoadEntry = Annotated[
    NodeLoadEntry | TractionEntry | PressureEntry | LineLoadEntry | GravityEntry,
    ByKeys("load"),
]


class PointMassEntry(Entry):
    """A mass at each selected node, with moments of inertia xx, yy, zz (and xy, yz, zx) about it if it has any."""

    mass: Mass
    on: Selection
    inertia: Annotated[tuple[Inertia, ...], Field(min_length=3, max_length=6, strict=False)] | None = None

    def point_mass(self) -> PointMass:
        """The point mass that is described."""
        return PointMass(self.on, self.mass, self.inertia)
