"""What an element family is: data and interpolation; every matrix follows from them by quadrature.

Two kinds of family exist. An *interpolated* family moves all displacement components with the same functions,
u = Σ φ_a(ξ) u_a (bars, plane and solid elements), so that its inertia and geometric integrals are scalar
matrices. A *structural* family (beams, shells) also has rotations and a displacement field in the volume,
u = N(x) δ, given point by point.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from typing_extensions import TypeIs

from flexframe.elements.properties import Property
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.quadrature import Quadrature
from flexframe.mesh.cells import Cell

NODE_DOFS = ("ux", "uy", "uz", "rx", "ry", "rz")
"""Displacements along and small rotations about the body axes."""

NUMBERS_AT_ONCE = 1_000_000
"""Entries of element matrices made together: enough to hide Python, few enough for caches and memory."""


class InterpolatedFamily(Protocol):
    """u = Σ φ_a(ξ) u_a on the reference cell of `cell`."""

    @property
    def name(self) -> str: ...
    @property
    def cell(self) -> Cell: ...
    @property
    def degree(self) -> int:
        """Degree of the polynomials that the functions φ reproduce completely."""
        ...

    @property
    def stiffness_rule(self) -> Quadrature: ...
    @property
    def mass_rule(self) -> Quadrature: ...

    def shape(self, points: Array) -> Array:
        """φ_a(ξ): (points, nodes)."""
        ...

    def shape_gradient(self, points: Array) -> Array:
        """∂φ_a/∂ξ_i: (points, nodes, cell dimension)."""
        ...


class EnhancedFamily(InterpolatedFamily, Protocol):
    """An interpolated family with strains of its own inside each element, so that it bends without locking."""

    def incompatible_gradient(self, points: Array) -> Array:
        """∂P_m/∂ξ_i of the incompatible modes, of zero mean over the stiffness rule: (points, modes, d)."""
        ...


@dataclass(frozen=True)
class StrainFields:
    """Generalised strains e_r = B_r δ + ½ (Γδ)ᵀ H_r (Γδ) of a structural family at its quadrature points."""

    weights: Array  # (elements, points): dx or dA
    positions: Array  # (elements, points, 3)
    strain: Array  # B: (elements, points, strains, dofs)
    resultant: Array  # S = (this) δ, D B wherever a strain carries the resultant: as B
    slope: Array  # Γ: (elements, points, slopes, dofs)


@dataclass(frozen=True)
class InertiaFields:
    """Mass-weighted points whose sums are the exact inertia integrals of a structural family."""

    weights: Array  # ρ dV in kg: (elements, points)
    positions: Array  # (elements, points, 3)
    shape: Array  # N in body axes: (elements, points, 3, dofs)


class StructuralFamily(Protocol):
    """u = N(x) δ in the volume, generalised strains on a line or a surface."""

    @property
    def name(self) -> str: ...
    @property
    def cell(self) -> Cell: ...
    @property
    def degree(self) -> int:
        """Degree of the transverse displacement polynomials that the element reproduces completely."""
        ...

    @property
    def node_dofs(self) -> tuple[str, ...]: ...
    @property
    def resultants(self) -> tuple[str, ...]:
        """Names of the stress resultants, the partners of the generalised strains."""
        ...

    @property
    def quadratic(self) -> Array:
        """H_r of the quadratic part of the strains: (strains, slopes, slopes)."""
        ...

    def arms(self, coordinates: Array, prop: Property) -> Array | None:
        """Rigid arms in body axes from the nodes to the ends of the element, if it has any: (elements, nodes, 3).

        Every other method takes the coordinates of the ends and answers in the displacements of the ends.
        """
        ...

    def strain_fields(self, coordinates: Array, prop: Property) -> StrainFields: ...

    def inertia_fields(self, coordinates: Array, prop: Property) -> InertiaFields: ...

    def section_kernel(self, coordinates: Array, prop: Property, gradient: Array) -> Array:
        """Stiffness of the body force b + A x per mass in the turned sections: (elements, slopes, slopes).

        A section that turns by θ moves its points s by θ×s + ½θ×(θ×s); the force does work on the second part,
        −½ ΓᵀKΓ for each unit of length or area. `gradient` is A in body axes, 1/s².
        """
        ...

    @property
    def stations(self) -> Array | None:
        """Where along a beam (0 … 1) its resultants are recovered; None where that is at the stiffness points."""
        ...

    def particular_resultants(
        self, coordinates: Array, prop: Property, load: Array, gradient: Array, stations: Array | None = None
    ) -> Array:
        """Resultants inside elements with fixed ends under the force density `load` (elements, points, 3) in N/m³.

        They complete S(δ), which knows the load only through the nodes: (elements, points, strains), or at the
        stations of beams. Across a section the force per mass varies by `gradient` (3, 3) in 1/s², which makes
        moments.
        """
        ...


Family = InterpolatedFamily | StructuralFamily


def is_interpolated(family: Family) -> TypeIs[InterpolatedFamily]:
    """Whether all displacement components follow the same functions φ."""
    return hasattr(family, "shape_gradient")


def is_enhanced(family: Family) -> TypeIs[EnhancedFamily]:
    """Whether the elements have incompatible modes."""
    return hasattr(family, "incompatible_gradient")


def is_structural(family: Family) -> TypeIs[StructuralFamily]:
    """The other kind."""
    return hasattr(family, "strain_fields")


def node_dofs(family: Family) -> tuple[str, ...]:
    """The degrees of freedom that a family puts on each of its nodes.

    A bar lives in space although its cell is a line; plane cells move in their plane, solids in space.
    """
    if is_structural(family):
        return family.node_dofs
    return NODE_DOFS[:2] if family.cell.dimension == 2 else NODE_DOFS[:3]


@dataclass(frozen=True)
class ElementBatch:
    """All elements of one family and one property, evaluated together."""

    family: Family
    prop: Property
    nodes: IntArray  # (elements, nodes per element)
    coordinates: Array  # (elements, nodes per element, 3)
    cells: IntArray  # numbers of the cells in the mesh, for messages

    @property
    def count(self) -> int:
        """Number of elements."""
        return len(self.nodes)

    @property
    def element_dofs(self) -> int:
        """Degrees of freedom of one element."""
        return self.family.cell.nodes * len(node_dofs(self.family))

    def taken(self, elements: IntArray | slice) -> "ElementBatch":
        """The batch of the chosen elements only."""
        return ElementBatch(
            self.family, self.prop, self.nodes[elements], self.coordinates[elements], self.cells[elements]
        )

    def pieces(self) -> Iterator["ElementBatch"]:
        """The batch in parts whose matrices fit into the cache of a processor."""
        step = max(64, NUMBERS_AT_ONCE // self.element_dofs**2)
        for start in range(0, self.count, step):
            yield self.taken(slice(start, start + step))
