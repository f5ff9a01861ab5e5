"""What an element family is: data and interpolation; every matrix follows from them by quadrature.

Two kinds of family exist. An *interpolated* family moves all displacement components with the same functions,
u = Σ φ_a(ξ) u_a (bars, plane and solid elements), so that its inertia and geometric integrals are scalar
matrices. A *structural* family (beams, shells) also has rotations and a displacement field in the volume,
u = N(x) δ, given point by point.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from typing_extensions import TypeIs

from flexframe.elements.properties import AxisymmetricProperty, Property, Section
from flexframe.elements.stress_measures import von_mises
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


@dataclass(frozen=True)
class PlacedSections:
    """Cross-sections where they are: principal axes x, y, z as rows in body components, arms from the nodes."""

    section: Section
    axes: Array  # (elements, 3, 3)
    arms: Array  # m, to the centroids: (elements, 3)


@dataclass(frozen=True, eq=False)
class SectionLaw:
    """The linear law of cross-sections for strains of any size of the beam, about their centroids.

    Γ = (stretch, two shears) and κ = (twist, two bends) follow forces and moments f by (Γ, κ) = flexibility · f;
    `mass` holds the inertia for each length. Both are in the principal axes of the section.
    """

    axes: Array  # x, y, z at both ends as rows in body components: (elements, 2, 3, 3)
    arms: Array  # m, from the nodes to the centroids: (elements, 2, 3)
    flexibility: Array  # (6, 6)
    mass: Array  # (6, 6)


class StructuralFamily(ABC):
    """u = N(x) δ in the volume, generalised strains on a line or a surface; a member overrides what differs.

    Methods take the coordinates (elements, nodes, 3) of the ends of rigid arms, where it has arms, and answer in
    the displacements of these ends.
    """

    @property
    @abstractmethod
    def name(self) -> str: ...
    @property
    @abstractmethod
    def cell(self) -> Cell: ...
    @property
    @abstractmethod
    def degree(self) -> int:
        """Degree of the transverse displacement polynomials that the element reproduces completely."""

    @property
    @abstractmethod
    def property_type(self) -> type[Property]:
        """The kind of property that the elements are made of."""

    def suits(self, prop: Property) -> bool:
        """Whether its elements can be made of this."""
        return isinstance(prop, self.property_type)

    @property
    def node_dofs(self) -> tuple[str, ...]:
        """The degrees of freedom of a node: all six, or the three displacements."""
        return NODE_DOFS

    @property
    @abstractmethod
    def resultants(self) -> tuple[str, ...]:
        """Names of the stress resultants, the partners of the generalised strains."""

    @property
    @abstractmethod
    def units(self) -> Mapping[str, str]:
        """Units of the measures that are not stresses [Pa], by name."""

    @property
    @abstractmethod
    def quadratic(self) -> Array:
        """H_r of the quadratic part of the strains: (strains, slopes, slopes)."""

    @abstractmethod
    def strain_fields(self, coordinates: Array, prop: Property) -> StrainFields: ...

    @abstractmethod
    def inertia_fields(self, coordinates: Array, prop: Property) -> InertiaFields: ...

    @abstractmethod
    def stress_measures(self, values: Mapping[str, Array], prop: Property) -> dict[str, Array]:
        """Resultants (any shape) with the stresses that follow: components sxx …, then von_mises or fibre, Pa."""

    def arms(self, coordinates: Array, prop: Property) -> Array | None:
        """Rigid arms in body axes from the nodes to the ends of the element, if any: (elements, nodes, 3)."""
        del coordinates, prop
        return None

    def section_kernel(self, coordinates: Array, prop: Property, gradient: Array) -> Array:
        """Stiffness of the body force b + A x per mass in the turned sections, (elements, points, slopes, slopes).

        There may be one point for all where it does not change along the element.

        A section that turns by θ moves its points s by θ×s + ½θ×(θ×s); the force does work on the second part,
        −½ ΓᵀKΓ for each unit of length or area. `gradient` is A in body axes, 1/s².
        """
        del prop, gradient
        return np.zeros((len(coordinates), 1, *self.quadratic.shape[1:]))

    @property
    def stations(self) -> Array | None:
        """Where along a line element (0 … 1) resultants are recovered, in balance with forces between the nodes.

        None where that is at the stiffness points, with what the nodes know of the load. A family with stations
        has its strain fields at the Gauss points of `clamped_beams`, and a measure "fibre".
        """
        return None

    def particular_resultants(
        self, coordinates: Array, prop: Property, load: Array, gradient: Array, stations: Array | None = None
    ) -> Array:
        """Resultants inside elements with fixed ends under the force density `load` (elements, points, 3) in N/m³.

        They complete S(δ), which knows the load only through the nodes: (elements, points, strains), or at the
        stations. Across a section the force per mass varies by `gradient` (3, 3) in 1/s², which makes moments.
        """
        del coordinates, prop, gradient, stations
        return np.zeros((*load.shape[:2], len(self.resultants)))

    def working_resultants(self, values: Array, prop: Property) -> Array:
        """Resultants (…, strains) that do work on the strains whose quadratic part is `quadratic`."""
        del prop
        return values

    def line_load_refusal(self, prop: Property) -> str | None:
        """Why forces along the lines of its elements cannot be taken, with the remedy; None where they can."""
        del prop
        return None

    def reported_resultants(self, values: Array, prop: Property) -> Array:
        """Resultants (…, strains) as they are shown: those of beams about the line of the section."""
        del prop
        return values

    def worst_fibre(self, measures: Mapping[str, Array], prop: Property) -> Array | None:
        """(y, z) [m] of the fibre of a section with the largest normal stress: (…, 2), None without sections."""
        del measures, prop
        return None

    def equivalent_stress(self, values: Mapping[str, Any]) -> Any:
        """Von Mises' stress of the components among the measures, Pa, in their shape."""
        return von_mises(values)

    def mean_squared_rotation(self, coordinates: Array, nodal: Array) -> Array:
        """Mean of θθᵀ over each element, without twist, of fields (elements, p, m): (elements, m, m)."""
        elements, nodes, size = len(coordinates), self.cell.nodes, nodal.shape[2]
        fields = nodal.reshape(elements, nodes, -1, size)
        axis = coordinates[:, -1] - coordinates[:, 0]
        length = np.linalg.norm(axis, axis=1)[:, None]
        axis = axis / length
        if len(self.node_dofs) == 3:  # the chord turns by t × Δu/L
            moved = (fields[:, -1] - fields[:, 0]) / length[..., None]
            turns = np.cross(axis[:, :, None], moved, axis=1)
            return np.einsum("eir,eit->ert", turns, turns, optimize=True)
        turns = fields[:, :, 3:6]
        if self.cell.dimension == 1:
            turns = turns - np.einsum("ei,ej,enjr->enir", axis, axis, turns, optimize=True)
        total = turns.sum(axis=1)
        squares = np.einsum("enir,enit->ert", turns, turns, optimize=True)
        # exact for rotations that are linear over a line or a triangle
        return np.asarray((squares + np.einsum("eir,eit->ert", total, total)) / (nodes * (nodes + 1)))

    def placed_sections(self, coordinates: Array, prop: Property) -> PlacedSections | None:  # noqa: ARG002
        """The cross-sections of its elements, of a family that has them."""
        return None

    def section_law(
        self,
        coordinates: Array,  # noqa: ARG002
        prop: Property,  # noqa: ARG002
        tangents: Array | None = None,  # noqa: ARG002 - of the line at both nodes, NaN without: (elements, 2, 3)
    ) -> SectionLaw | None:
        """What its sections do under forces and moments, of a family of beams."""
        return None

    def along_line(self, batch: "ElementBatch") -> tuple["ElementBatch", ...]:
        """The batch, or its elements one by one where the property changes along the line of a region's cells."""
        return (batch,)

    def divide(self, batch: "ElementBatch") -> tuple["ElementBatch", ...]:
        """The batch, or its parts where another family suits some elements better and none was asked for."""
        return (batch,)


class SurfaceFamily(StructuralFamily):
    """A structural family on a surface, whose stress is that of two faces and whose cells take tractions."""

    @property
    @abstractmethod
    def rule(self) -> Quadrature:
        """Points of the strain fields, as many as corners."""

    @abstractmethod
    def axes(self, coordinates: Array) -> Array:
        """Local x, y and the normal as rows, in body components: (elements, 3, 3)."""

    @abstractmethod
    def areas(self, coordinates: Array) -> Array:
        """dA at the points of the rule: (elements, points)."""

    @abstractmethod
    def compliance(self, coordinates: Array, prop: Property) -> Array:
        """(ε, κ) of the forces and moments (Nxx, Nyy, Nxy, Mxx, Myy, Mxy) in local axes: (elements or 1, 6, 6)."""

    @abstractmethod
    def faces(self, prop: Property) -> tuple[float, float]:
        """Bottom and top over the plane of the elements, m."""

    def edge_moment(self, edge: Array, force: Array) -> Array:
        """What an in-plane force across edges does on their bending by the corner rotations, [N m]: (edges,).

        It is minus this about the normal at the first corner and plus this at the last; `edge` (edges, 3) is the
        vector along the edge and `force` (edges,) the whole force on it along the outward normal.
        """
        del edge
        return np.zeros_like(force)


Family = InterpolatedFamily | StructuralFamily


def is_interpolated(family: Family) -> TypeIs[InterpolatedFamily]:
    """Whether all displacement components follow the same functions φ."""
    return hasattr(family, "shape_gradient")


def is_enhanced(family: Family) -> TypeIs[EnhancedFamily]:
    """Whether the elements have incompatible modes."""
    return hasattr(family, "incompatible_gradient")


def is_structural(family: Family) -> TypeIs[StructuralFamily]:
    """The other kind."""
    return isinstance(family, StructuralFamily)


def is_surface(family: Family) -> TypeIs[SurfaceFamily]:
    """Whether the elements are shells."""
    return isinstance(family, SurfaceFamily)


def is_beam(family: Family) -> bool:
    """Whether the elements are lines whose nodes move and turn in every direction."""
    return is_structural(family) and family.cell.dimension == 1 and len(family.node_dofs) == len(NODE_DOFS)


def is_loaded_inside(family: Family) -> bool:
    """Whether forces between the nodes make stress beside that of the nodal displacements, as in beams."""
    return is_structural(family) and family.stations is not None


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
    def node_dofs(self) -> tuple[str, ...]:
        """Degrees of freedom of a node: those of the family, and uz too in the section of a body of revolution."""
        return NODE_DOFS[:3] if isinstance(self.prop, AxisymmetricProperty) else node_dofs(self.family)

    @property
    def element_dofs(self) -> int:
        """Degrees of freedom of one element."""
        return self.family.cell.nodes * len(self.node_dofs)

    def take(self, elements: IntArray | slice) -> "ElementBatch":
        """The batch of the chosen elements only."""
        return ElementBatch(
            self.family, self.prop, self.nodes[elements], self.coordinates[elements], self.cells[elements]
        )

    def pieces(self) -> Iterator["ElementBatch"]:
        """The batch in parts whose matrices fit into the cache of a processor."""
        step = max(64, NUMBERS_AT_ONCE // self.element_dofs**2)
        for start in range(0, self.count, step):
            yield self.take(slice(start, start + step))


def element_ends(batch: ElementBatch, arms: Array | None) -> Array:
    """Places of the element ends, which rigid arms join to the nodes: (elements, nodes, 3)."""
    return batch.coordinates if arms is None else batch.coordinates + arms


def at_nodes(columns: Array, arms: Array | None) -> Array:
    """Columns for displacements of the ends as columns for those of the nodes, u_end = u + θ × arm: (e, …, p)."""
    if arms is None:
        return columns
    elements, nodes, _ = arms.shape
    moved = columns.reshape(elements, -1, nodes, 6).copy()
    moved[..., 3:] += np.cross(arms[:, None], moved[..., :3])  # c·(θ × arm) = θ·(arm × c)
    return moved.reshape(columns.shape)


def rows_of_pieces(batch: ElementBatch) -> Iterator[tuple[ElementBatch, slice]]:
    """The pieces of a batch with their rows in its arrays."""
    start = 0
    for part in batch.pieces():
        yield part, slice(start, start + part.count)
        start += part.count
