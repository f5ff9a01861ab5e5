"""A body with its matrices and invariants."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from flexframe.assembly.attachments import PointBodies, lumped_masses, point_bodies, spring_matrix, stand_dofs
from flexframe.assembly.axisymmetric import harmonics_only, require_section, swept_inertia
from flexframe.assembly.couplings import coupled_dofs, rigid_joins
from flexframe.assembly.dofs import DofMap, components, number_dofs, rigid_displacements
from flexframe.assembly.equilibrium import Equilibrium, allowed_rigid_motions
from flexframe.assembly.geometric import GeometricInvariants
from flexframe.assembly.given_matrices import Coordinates, given_dofs, given_inertia, require_sound, with_hidden
from flexframe.assembly.inertia import InertiaInvariants, integrate_inertia
from flexframe.assembly.loads import AppliedLoads, applied_loads
from flexframe.assembly.pattern import BlockMatrix, NodePattern, assembled
from flexframe.assembly.prestress import prestress_matrices
from flexframe.assembly.projection import Projection, support_projection
from flexframe.elements.contract import ElementBatch, is_interpolated, is_structural
from flexframe.elements.families import family_for, family_named, require_fitting
from flexframe.elements.integration import stiffness
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.mesh.cells import VERTEX
from flexframe.mesh.checks import require_valid
from flexframe.model.body import Body
from flexframe.phases import phase

if TYPE_CHECKING:
    from flexframe.assembly.harmonics import Harmonics


@dataclass(frozen=True, eq=False)
class DiscreteBody:
    """Matrices of a body in its own axes, integrated once; the motion only combines them."""

    body: Body
    batches: tuple[ElementBatch, ...]
    dofs: DofMap
    pattern: NodePattern
    stiffness: SparseMatrix  # elastic k, with the springs: (p, p)
    element_stiffness: SparseMatrix  # elastic k of the elements alone: (p, p)
    inertia: InertiaInvariants
    supports: Projection
    loads: AppliedLoads
    point_bodies: PointBodies | None = None

    @cached_property
    def mass(self) -> SparseMatrix:
        """m = ∫ρ NᵀN: (p, p)."""
        return self.inertia.mass_matrix()

    def require_freedom(self) -> None:
        """Refuse a body whose supports leave nothing that could move."""
        if not self.supports.size:
            raise InputError(
                f"the supports of body {self.body.name} hold everything, so that nothing can move; leave one of "
                "them out, or divide the body into more elements",
                part=("bodies", self.body.name, "supports"),
            )

    @cached_property
    def turning_fields(self) -> Array:
        """Displacements that show how fast the frame turns, C of them being 2ω × M: the translations, (p, t)."""
        fields = rigid_displacements(self.dofs, self.body.mesh.points)[:, :3]
        return np.asarray(fields[:, np.abs(fields).max(axis=0) > 0])

    @property
    def size(self) -> float:
        """Diagonal of the bounding box [m]."""
        low, high = self.body.mesh.bounding_box
        return float(np.linalg.norm(high - low)) or 1.0

    @cached_property
    def equilibrium(self) -> Equilibrium:
        """Static solver of the supported body."""
        if self.body.axisymmetric:
            raise harmonics_only(self.body.name)
        low, high = self.body.mesh.bounding_box
        centre = (low + high) / 2
        fields = rigid_displacements(self.dofs, self.body.mesh.points, centre)
        springs = spring_matrix(self.body, self.dofs, "stiffness")
        rigid, frame = allowed_rigid_motions(self.supports, fields, self.size, springs, self._given_stiffness)
        # a + α × (x − c) = (a − α × c) + α × x
        frame[:3] -= np.cross(frame[3:], centre, axisa=0, axisb=0, axisc=0)
        reduce = self.supports.reduce_matrix
        return Equilibrium(reduce(self.stiffness), reduce(self.mass), self.supports, rigid, frame, self.dofs)

    @property
    def _given_stiffness(self) -> SparseMatrix | None:
        """That which another program computed, or springs of its file, on the equations of the body."""
        given = self.body.matrices
        if given is None:
            return None
        at = Coordinates.of(given, self.dofs, self.body.mesh.points)
        return at.place(given.stiffness, self.dofs.count)

    @cached_property
    def of_elements(self) -> "DiscreteBody | None":
        """The body of its elements alone, where it has given shapes as well; its nodes have the same numbers.

        Static answers of a few shapes are too stiff for stress, so that geometric stiffness is taken from it.
        """
        given = self.body.matrices
        if given is None or given.shapes is None or given.quadratic is not None or not self.batches:
            return None
        return discretise(replace(self.body, matrices=None))

    @cached_property
    def geometric(self) -> GeometricInvariants:
        """Geometric stiffness for unit loads, filled as needed."""
        if self.of_elements is not None:
            return replace(self.of_elements.geometric, dofs=self.dofs, _known={})
        return GeometricInvariants(
            self.batches,
            self.dofs,
            self.pattern,
            self.inertia,
            self.equilibrium,
            self.loads,
            self.stiffness,
            self.supports,
            rigid_joins(self.body, self.dofs),
            self.point_bodies,
            self.body.matrices,
        )

    @cached_property
    def harmonics(self) -> "Harmonics":
        """The nodal diameters of a body of revolution."""
        from flexframe.assembly.harmonics import Harmonics  # others do without

        assert self.body.axisymmetric
        return Harmonics(self)

    @cached_property
    def prestress(self) -> tuple[SparseMatrix, SparseMatrix] | None:
        """Stiffness of given axial forces and torques, and the skew one of the moments at the ends.

        (p, p) each.
        """
        return prestress_matrices(self.body, self.batches, self.dofs)

    @cached_property
    def spring_damping(self) -> SparseMatrix | None:
        """Dampers to the frame: (p, p)."""
        return spring_matrix(self.body, self.dofs, "damping")

    @cached_property
    def given_damping(self) -> SparseMatrix | None:
        """Damping that came with given matrices: (p, p)."""
        given = self.body.matrices
        if given is None or given.damping is None:
            return None
        return Coordinates.of(given, self.dofs, self.body.mesh.points).place(given.damping, self.dofs.count)

    @cached_property
    def element_mass(self) -> SparseMatrix:
        """m without point masses: (p, p)."""
        return self.without_point_masses.mass_matrix() if self.body.point_masses else self.mass

    @cached_property
    def without_point_masses(self) -> InertiaInvariants:
        """The invariants of inertia of the elements alone."""
        nothing = np.zeros(self.body.mesh.node_count)
        return _inertia(self.body, self.batches, self.dofs, self.pattern, lumped=nothing)


def element_batches(body: Body) -> tuple[ElementBatch, ...]:
    """The cells of a body's regions, grouped by family and property."""
    mesh = body.mesh
    owner = np.full(mesh.cell_count, -1)
    batches: list[ElementBatch] = []
    starts = mesh.block_starts
    points = [
        np.arange(start, start + len(block))
        for block, start in zip(mesh.blocks, starts, strict=False)
        if block.cell == VERTEX
    ]
    for index, region in enumerate(body.regions):
        numbers = np.arange(mesh.cell_count) if region.cells is None else mesh.cells_of(region.cells)
        taken = numbers[owner[numbers] >= 0]
        if taken.size:
            raise InputError(
                f"body {body.name}: cell {mesh.cell_label(int(taken[0]))} is in two regions; "
                "let each cell set appear once"
            )
        owner[numbers] = index
        for block, start, end in zip(mesh.blocks, starts[:-1], starts[1:], strict=True):
            cells = numbers[(numbers >= start) & (numbers < end)]
            if not cells.size or block.cell == VERTEX:
                continue
            family = family_named(region.family) if region.family else family_for(block.cell, region.prop)
            if family.cell != block.cell:
                raise InputError(
                    f"body {body.name}: {family.name} elements need {family.cell.name} cells, "
                    f"the mesh has {block.cell.name}; leave the family out or use another mesh"
                )
            require_fitting(family, region.prop)
            nodes = block.nodes[cells - start]
            batch = ElementBatch(family, region.prop, nodes, mesh.points[nodes], cells)
            if not is_structural(family):
                batches.append(batch)
                continue
            try:
                varying = family.along_line(batch)
            except InputError as error:
                raise InputError(f"body {body.name}: {error}", field=error.field) from error
            batches += varying if region.family else [part for each in varying for part in family.divide(each)]
    owner[np.concatenate([np.empty(0, dtype=np.int64), *points])] = 0  # places for couplings, not elements
    if (owner < 0).any() and (body.regions or body.matrices is None):
        cell = mesh.cell_label(int(np.argmax(owner < 0)))
        raise InputError(f"body {body.name}: cell {cell} belongs to no region; give its cell set a property")
    return tuple(batches)


_NEAR_UP = 0.05  # sine of the angle between the axis of a beam and `up` below which its section has no direction


def displaced_body(body: Body, points: Array) -> Body:
    """The body with its nodes at other points (nodes, 3), to be drawn; as it is where beams lose their `up`."""
    for batch in element_batches(body):
        up = getattr(batch.prop, "up", None)
        if up is None:
            continue
        axis = points[batch.nodes[:, 1]] - points[batch.nodes[:, 0]]
        across = np.linalg.norm(np.cross(axis, up), axis=1)
        if (across < _NEAR_UP * np.linalg.norm(axis, axis=1) * np.linalg.norm(up)).any():
            return body
    return replace(body, mesh=replace(body.mesh, points=points))


@phase("assembly")
def discretise(body: Body, *, joined: bool = False) -> DiscreteBody:
    """Integrate stiffness and inertia of a body.

    Parameters
    ----------
    body
        The described body.
    joined
        Whether it is several bodies made one, whose nodes may lie at the same places.

    Returns
    -------
    DiscreteBody
        Stiffness, mass and the invariants of inertia, in SI units. Analyses accept it in place of the body, and
        the integration is then done once.

    Examples
    --------
    >>> blade = ff.Body.beam(
    ...     "blade", length=1.2, divisions=8, section=ff.Rectangle(0.04, 0.01), material=ff.STEEL
    ... )
    >>> discrete = ff.discretise(blade)
    >>> discrete.dofs.count, round(discrete.inertia.mass, 6)  # ρAL
    (27, 3.768)
    """
    given = body.matrices
    require_valid(
        body.mesh,
        # what joins two nodes at one place is a coupling, or a matrix such as that of a bushing
        allow_coincident_nodes=joined or bool(body.couplings) or given is not None,
        either_way=_has_sides(body),
        layers=_layers(body),
    )
    batches = element_batches(body)
    _require_plane(body, batches)
    require_section(body)
    coupled = [*coupled_dofs(body), *stand_dofs(body), *given_dofs(body)]
    dofs = with_hidden(number_dofs(body.mesh, batches, body.space, coupled), body)
    interpolated = [batch for batch in batches if is_interpolated(batch.family)]
    pattern = NodePattern.of(body.mesh.node_count, [batch.nodes for batch in interpolated])
    replaced = given is not None and not given.added
    stiffness_matrix = _element_stiffness(() if replaced else batches, dofs, pattern)
    if given is not None:
        require_sound(body.name, given, dofs, body.mesh.points)
        at = Coordinates.of(given, dofs, body.mesh.points)
        stiffness_matrix = sparse.csr_array(stiffness_matrix + at.place(given.stiffness, dofs.count))
    springs = spring_matrix(body, dofs, "stiffness")
    points = point_bodies(body, dofs)
    inertia = _inertia(body, batches, dofs, pattern, lumped=lumped_masses(body, dofs), attached=points)
    if body.axisymmetric:
        inertia = swept_inertia(inertia)
    return DiscreteBody(
        body=body,
        batches=batches,
        dofs=dofs,
        pattern=pattern,
        stiffness=stiffness_matrix if springs is None else sparse.csr_array(stiffness_matrix + springs),
        element_stiffness=stiffness_matrix,
        inertia=inertia,
        supports=support_projection(body, dofs),
        loads=applied_loads(body, batches, dofs, inertia),
        point_bodies=points,
    )


def _has_sides(body: Body) -> bool:
    """Whether all plane cells are shells, which have two sides and may be listed either way round."""
    plane = any(region.prop.in_plane for region in body.regions)
    return body.space == "spatial" and not plane and bool(body.regions)


def _layers(body: Body) -> IntArray | None:
    """The region of each cell, of a body with several: cells of two regions may lie between the same nodes."""
    if len(body.regions) < 2:
        return None
    layers = np.zeros(body.mesh.cell_count, dtype=np.int64)
    for number, region in enumerate(body.regions):
        if region.cells is not None:
            layers[body.mesh.cells_of(region.cells)] = number
    return layers


def _inertia(
    body: Body,
    batches: tuple[ElementBatch, ...],
    dofs: DofMap,
    pattern: NodePattern,
    *,
    lumped: Array,
    attached: PointBodies | None = None,
) -> InertiaInvariants:
    """Invariants of elements or given matrices, and of the masses at nodes."""
    given, points = body.matrices, body.mesh.points
    replaced = given is not None and not given.added
    base = integrate_inertia(
        () if replaced else batches,
        dofs,
        pattern,
        points=points,
        lumped=lumped,
        attached=attached,
        placed=given is None or given.placed,
    )
    if given is None:
        return base
    elements = None
    if replaced and batches:
        elements = integrate_inertia(batches, dofs, pattern, points=points, lumped=np.zeros(len(points)))
    return given_inertia(body, base, elements, dofs)


def ensure_discrete(body: Body | DiscreteBody) -> DiscreteBody:
    """The matrices of a body, made now unless they were made before."""
    return body if isinstance(body, DiscreteBody) else discretise(body)


def _require_plane(body: Body, batches: tuple[ElementBatch, ...]) -> None:
    for batch in batches:
        flat = batch.family.cell.dimension == 2 and is_interpolated(batch.family)
        if (flat or body.space == "planar") and np.abs(batch.coordinates[..., 2]).max(initial=0.0) > 0:
            node = int(batch.nodes.ravel()[np.argmax(np.abs(batch.coordinates[..., 2]))])
            raise InputError(
                f"body {body.name}: node {body.mesh.node_label(node)} lies outside the x–y plane "
                f"(z = {body.mesh.points[node, 2]:g}); move the mesh into z = 0 or use spatial elements"
            )


def _element_stiffness(batches: tuple[ElementBatch, ...], dofs: DofMap, pattern: NodePattern) -> SparseMatrix:
    total: SparseMatrix | None = None
    sums: dict[int, BlockMatrix] = {}
    for batch in batches:
        if is_interpolated(batch.family):
            columns = components(batch)
            if len(columns) not in sums:
                sums[len(columns)] = BlockMatrix.zeros(pattern, dofs, columns)
            for part in batch.pieces():
                sums[len(columns)].add(part.nodes, stiffness(part))
        else:
            nodes_dofs = batch.element_dofs
            matrices = stiffness(batch).transpose(0, 1, 3, 2, 4).reshape(-1, nodes_dofs, nodes_dofs)
            added = assembled(matrices, dofs.of_elements(batch), dofs.count)
            total = added if total is None else sparse.csr_array(total + added)
    for found in sums.values():
        total = found.matrix if total is None else sparse.csr_array(total + found.matrix)
    return sparse.csr_array((dofs.count, dofs.count), dtype=float) if total is None else total
