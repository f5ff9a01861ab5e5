"""Nodal forces of the applied loads."""

from dataclasses import dataclass, field

import numpy as np

from flexframe.assembly.dofs import DofMap
from flexframe.assembly.inertia import InertiaInvariants
from flexframe.elements.contract import NODE_DOFS, ElementBatch, is_interpolated, is_structural, is_surface
from flexframe.elements.families import FAMILIES
from flexframe.elements.integration import inertia_points
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import Quadrature, gauss_line, gauss_square, triangle
from flexframe.mesh.cells import LINE
from flexframe.mesh.facets import facet_owners
from flexframe.mesh.mesh import CellBlock, Mesh
from flexframe.model.body import Body
from flexframe.model.loads import Gravity, LineLoad, NodeForce, Pressure, Traction
from flexframe.motion.frame import vector3

_OUT_OF_PLANE = ", or model the body in space"


@dataclass(frozen=True, eq=False)
class AppliedLoads:
    """Nodal forces, and what of them acts inside the elements."""

    forces: Array  # (p,)
    gravity: Array  # acceleration field: (3,)
    line: Array  # line loads by cell, N/m: (cells, 3)
    nodal: Array = field(default_factory=lambda: np.zeros((0, 6)))  # at nodes and on facets: (nodes, 6)

    def line_density(self, batch: ElementBatch) -> Array:
        """Line loads as force densities in the elements of a batch, N/m³: (elements, 3)."""
        return line_density(self.line, batch)


def line_density(line: Array, batch: ElementBatch) -> Array:
    """Line loads by cell [N/m] as force densities in the elements of a batch, N/m³: (elements, 3)."""
    if batch.family.cell.dimension > 1:
        return np.zeros((batch.count, 3))
    return np.asarray(line[batch.cells] / batch.prop.extent)


def applied_loads(
    body: Body, batches: tuple[ElementBatch, ...], dofs: DofMap, inertia: InertiaInvariants
) -> AppliedLoads:
    """Consistent nodal forces of all loads of a body."""
    nodal = np.zeros((body.mesh.node_count, 6))
    structural = np.zeros(dofs.count)
    gravity = np.zeros(3)
    line = np.zeros((body.mesh.cell_count, 3))
    for load in body.loads:
        match load:
            case NodeForce(on=on, force=force, moment=moment):
                nodes = body.selected_nodes(on)
                nodal[nodes, :3] += vector3(force, "force")
                nodal[nodes, 3:] += vector3(moment, "moment")
                if any(moment) and not (dofs.numbers[nodes][:, 3:] >= 0).any():
                    raise InputError(
                        f"body {body.name}: a moment acts on '{on}' whose nodes have no rotation; "
                        "give a pair of forces instead"
                    )
            case Traction(on=on, traction=traction):
                _add_traction(body, batches, on, vector3(traction, "traction"), nodal)
            case Pressure(on=on, pressure=pressure):
                _add_traction(body, batches, on, float(pressure), nodal)
            case LineLoad(force=force, on=on):
                structural += _line_load(body, batches, dofs, vector3(force, "line load"), on)
                line[slice(None) if on is None else body.mesh.cells_of(on)] += vector3(force, "line load")
            case Gravity(acceleration=acceleration):
                gravity += vector3(acceleration, "acceleration")
    forces = structural + inertia.origin_load(gravity)
    present = dofs.numbers >= 0
    lost = (np.abs(nodal) > 1e-9 * np.abs(nodal).max(initial=0.0)) & ~present
    if lost.any():
        node, column = (int(place) for place in np.argwhere(lost)[0])
        raise InputError(
            f"body {body.name}: a load acts along {NODE_DOFS[column]} of node {body.mesh.node_label(node)}, which "
            f"does not move that way; leave that component out{_OUT_OF_PLANE if body.space == 'planar' else ''}"
        )
    forces[dofs.numbers[present]] += nodal[present]
    return AppliedLoads(forces, gravity, line, nodal)


def _line3_shape(points: Array) -> Array:
    s = points[:, 0]
    return np.stack([s * (s - 1) / 2, s * (s + 1) / 2, 1 - s**2], axis=1)


def _line3_gradient(points: Array) -> Array:
    s = points[:, 0]
    return np.stack([s - 0.5, s + 0.5, -2 * s], axis=1)[..., None]


_FACET_RULES: dict[str, Quadrature] = {
    "line": gauss_line(2),
    "line3": gauss_line(3),
    "triangle": triangle(2),
    "triangle6": triangle(4),
    "quad": gauss_square(2),
    "quad8": gauss_square(3),
}


def facet_interpolation(block: CellBlock) -> tuple[Quadrature, Array, Array]:
    """Rule, φ (points, nodes) and ∂φ/∂ξ (points, nodes, dimension) of a facet cell."""
    name = block.cell.name
    if name not in _FACET_RULES:
        raise InputError(f"a load on {name} facets is not possible; use line, triangle or quad facets")
    rule = _FACET_RULES[name]
    if name == "line3":
        return rule, _line3_shape(rule.points), _line3_gradient(rule.points)
    family = next(f for f in FAMILIES if f.cell == block.cell and is_interpolated(f))
    assert is_interpolated(family)
    return rule, family.shape(rule.points), family.shape_gradient(rule.points)


def _add_traction(
    body: Body, batches: tuple[ElementBatch, ...], on: str, traction: Array | float, nodal: Array
) -> None:
    """Add ∫φ t dA; a number is a pressure against the outward normal, of shells against their own normal."""
    for block in _loaded_blocks(body, batches, on):
        rule, phi, gradient = facet_interpolation(block)
        tangents = np.einsum("gad,eai->egdi", gradient, body.mesh.points[block.nodes])
        if block.cell.dimension == 1:
            across = _normals_at(body, batches, block)[:, None]
            normal = np.cross(tangents[:, :, 0], across) * _thickness_at(body, batches, block)[:, None, None]
        else:
            normal = np.cross(tangents[:, :, 0], tangents[:, :, 1])
        if isinstance(traction, float):
            force = -traction * normal
        else:
            force = np.linalg.norm(normal, axis=-1, keepdims=True) * traction
        contribution = np.einsum("ga,egi,g->eai", phi, force, rule.weights)
        np.add.at(nodal[:, :3], block.nodes, contribution)
        if block.cell == LINE:
            _add_edge_moments(body, batches, block, contribution.sum(axis=1), nodal)


def _add_edge_moments(
    body: Body, batches: tuple[ElementBatch, ...], block: CellBlock, forces: Array, nodal: Array
) -> None:
    """Moments about the normal of shells whose edges bend with the rotations of the corners."""
    if not any(is_surface(batch.family) for batch in batches):
        return
    normals = _normals_at(body, batches, block)
    edges = body.mesh.points[block.nodes[:, 1]] - body.mesh.points[block.nodes[:, 0]]
    outward = np.cross(edges, normals)
    across = np.einsum("ei,ei->e", forces, outward) / np.linalg.norm(outward, axis=1)
    owners, moments = facet_owners(body.mesh, block)[0], np.zeros(len(edges))
    for batch in batches:
        if is_surface(batch.family):
            owned = np.isin(owners, batch.cells)
            moments[owned] = batch.family.edge_moment(edges[owned], across[owned])
    moment = moments[:, None] * normals
    np.add.at(nodal[:, 3:], block.nodes[:, 0], -moment)
    np.add.at(nodal[:, 3:], block.nodes[:, 1], moment)


def _loaded_blocks(body: Body, batches: tuple[ElementBatch, ...], on: str) -> tuple[CellBlock, ...]:
    """The facets of a set, or the cells of a set of shells."""
    mesh = body.mesh
    if on in mesh.facet_sets or on not in mesh.cell_sets:
        return mesh.facets_of(on)
    cells = mesh.cells_of(on)
    shells = [batch.cells for batch in batches if is_surface(batch.family)]
    if not np.isin(cells, np.concatenate([np.empty(0, dtype=np.int64), *shells])).all():
        raise InputError(
            f"body {body.name}: a load acts on the cells '{on}', which are not all shells; give a facet set"
        )
    return mesh.cells_in(cells)


def _normals_at(body: Body, batches: tuple[ElementBatch, ...], block: CellBlock) -> Array:
    """Unit normal of the plane or shell element that each edge bounds: (edges, 3)."""
    normals = np.tile([0.0, 0.0, 1.0], (len(block.nodes), 1))
    if not any(is_surface(batch.family) for batch in batches):
        return normals
    of_cells = np.tile([0.0, 0.0, 1.0], (body.mesh.cell_count, 1))
    for batch in batches:
        if is_surface(batch.family):
            of_cells[batch.cells] = batch.family.axes(batch.coordinates)[:, 2]
    owners, _ = facet_owners(body.mesh, block)
    return of_cells[owners]


def nodal_areas(mesh: Mesh, on: str) -> Array:
    """Share ∫φ dA of each node in the area (length of edges) of a facet set: (nodes,)."""
    share = np.zeros(mesh.node_count)
    for block in mesh.facets_of(on):
        rule, phi, gradient = facet_interpolation(block)
        tangents = np.einsum("gad,eai->egid", gradient, mesh.points[block.nodes])
        size = np.sqrt(np.linalg.det(tangents.swapaxes(2, 3) @ tangents))
        np.add.at(share, block.nodes, (size * rule.weights) @ phi)
    return share


def _thickness_at(body: Body, batches: tuple[ElementBatch, ...], block: CellBlock) -> Array:
    """Thickness of the plane region that each edge belongs to: (edges,)."""
    thickness = np.full(len(block.nodes), np.nan)
    for batch in batches:
        if batch.family.cell.dimension == 2:
            inside = np.zeros(body.mesh.node_count, dtype=bool)
            inside[batch.nodes] = True
            thickness[inside[block.nodes].all(axis=1)] = batch.prop.extent
    if np.isnan(thickness).any():
        raise InputError(
            f"body {body.name}: a load acts on edges that belong to no plane or shell element; choose another set"
        )
    return thickness


def _line_load(body: Body, batches: tuple[ElementBatch, ...], dofs: DofMap, force: Array, on: str | None) -> Array:
    """∫Nᵀq dx along the beams and bars of a cell set."""
    total = np.zeros(dofs.count)
    wanted = None if on is None else body.mesh.cells_of(on)
    found = False
    for batch in batches:
        if batch.family.cell.dimension > 1:
            continue
        part = batch if wanted is None else batch.take(np.flatnonzero(np.isin(batch.cells, wanted)))
        if not part.count:
            continue
        found = True
        refusal = part.family.line_load_refusal(part.prop) if is_structural(part.family) else None
        if refusal is not None:
            raise InputError(f"body {body.name}: {refusal}", field="loads")
        samples = inertia_points(part)
        per_length = samples.weights / (batch.prop.material.density * batch.prop.extent)
        numbers = dofs.of_elements(part)
        values = np.einsum("eg,egip,i->ep", per_length, samples.shape, force)
        kept = numbers >= 0
        if body.space == "planar" and abs(force[2]) > 1e-9 * np.linalg.norm(force):
            raise InputError(f"body {body.name}: a line load has a component along z; leave it out{_OUT_OF_PLANE}")
        np.add.at(total, numbers[kept], values[kept])
    if not found:
        raise InputError(f"body {body.name}: a line load needs beams or bars; use a traction on plane elements")
    return total
