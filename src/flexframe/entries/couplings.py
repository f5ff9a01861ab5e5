"""Couplings, springs to the frame and orientations of materials in a case."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from flexframe.elements.orthotropic import Orientation
from flexframe.entries import quantities as q
from flexframe.entries.entry import ByKeys, Entry, choose_lead
from flexframe.entries.fields import Angle, Direction, Selection, quantity
from flexframe.entries.supports import DofName
from flexframe.model.supports import Coupling, EquationCoupling, FrameSpring, MeanCoupling, RigidCoupling

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
