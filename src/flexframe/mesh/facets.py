"""Facets found in the mesh, and smooth faces of its surface with the planes and cylinders that some lie on."""

from dataclasses import dataclass

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.graphs import connected_parts
from flexframe.mesh.blocks import CellBlock, row_keys
from flexframe.mesh.cells import Cell, cell_named
from flexframe.mesh.mesh import Mesh


def facet_owners(mesh: Mesh, facets: CellBlock) -> tuple[IntArray, IntArray]:
    """Number of the (first) cell that each facet bounds and its local facet number there, both (facets,)."""
    nodes, cells, local = _every_facet(mesh, facets.cell)
    corners = np.concatenate([nodes, facets.nodes])[:, : facets.cell.corners]
    keys = row_keys(np.sort(corners, axis=1))
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    place = first[group[len(nodes) :]]
    if (place >= len(nodes)).any():
        lost = facets.nodes[np.argmax(place >= len(nodes)), : facets.cell.corners]
        labels = [mesh.node_label(int(node)) for node in lost]
        raise InputError(f"no cell has the facet with corner nodes {labels}; use facets of the mesh (facets_on)")
    return cells[place], local[place]


def facets_of_owners(mesh: Mesh, cells: IntArray, local: IntArray) -> tuple[CellBlock, ...]:
    """Facets given by cell number and local facet number, oriented outwards, one block for each shape."""
    found: dict[str, list[IntArray]] = {}
    for block, start in zip(mesh.blocks, mesh.block_starts, strict=False):
        for number, (name, nodes) in enumerate(block.cell.facets):
            rows = cells[(local == number) & (cells >= start) & (cells < start + len(block))] - start
            if rows.size:
                found.setdefault(name, []).append(block.nodes[rows][:, nodes])
    return tuple(CellBlock(cell_named(name), np.concatenate(parts)) for name, parts in found.items())


def outward(mesh: Mesh, facets: tuple[CellBlock, ...]) -> tuple[CellBlock, ...]:
    """The same facets, each with the node order of the cell of the mesh that it bounds."""
    return tuple(part for block in facets for part in facets_of_owners(mesh, *facet_owners(mesh, block)))


def _every_facet(mesh: Mesh, facet_cell: Cell) -> tuple[IntArray, IntArray, IntArray]:
    """Facets of that shape of all cells: nodes (facets, n), cell numbers and local numbers (facets,)."""
    nodes = [np.empty((0, facet_cell.nodes), dtype=np.int64)]
    cells, local = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for block, start in zip(mesh.blocks, mesh.block_starts, strict=False):
        for number, (name, places) in enumerate(block.cell.facets):
            if name == facet_cell.name:
                nodes.append(block.nodes[:, places])
                cells.append(start + np.arange(len(block)))
                local.append(np.full(len(block), number))
    return np.concatenate(nodes), np.concatenate(cells), np.concatenate(local)


SHARP = np.deg2rad(32.0)
"""Angle between neighbouring triangles beyond which a face ends; a bore of twelve cells around is one face."""
_NEAR = 1e-4  # of the size of the mesh: files round coordinates to five digits and more


@dataclass(frozen=True)
class Plane:
    """A plane through a point."""

    point: Array  # (3,)
    normal: Array  # (3,), a unit vector

    def distance(self, points: Array) -> Array:
        """Of points: (n,)."""
        return np.asarray(np.abs((points - self.point) @ self.normal))


@dataclass(frozen=True)
class Cylinder:
    """The surface of a cylinder about an axis through a point."""

    point: Array  # (3,)
    axis: Array  # (3,), a unit vector
    radius: float

    def distance(self, points: Array) -> Array:
        """Of points: (n,)."""
        offsets = points - self.point
        across = offsets - np.outer(offsets @ self.axis, self.axis)
        return np.asarray(np.abs(np.linalg.norm(across, axis=1) - self.radius))


@dataclass(frozen=True)
class Face:
    """Triangles of the surface between sharp edges, their nodes, and what they lie on; None for other shapes."""

    triangles: IntArray  # numbers of `Mesh.surface_triangles`
    nodes: IntArray
    place: Plane | Cylinder | None


def faces(mesh: Mesh) -> tuple[Face, ...]:
    """The surface cut at its sharp edges and where three surfaces meet, the largest face first."""
    triangles = mesh.surface_triangles()
    if not len(triangles):
        return ()
    corners = mesh.points[triangles]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sizes = np.linalg.norm(areas, axis=1)
    normals = areas / np.maximum(sizes, 1e-300)[:, None]
    first, second = _smooth_pairs(triangles, normals)
    number = connected_parts(len(triangles), first, second)
    order = np.argsort(number, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(number[order])) + 1)
    near = _NEAR * float(np.linalg.norm(np.subtract(*mesh.bounding_box)))
    found = []
    whole = float(sizes.sum()) or 1.0  # equal faces keep their order, whatever the units are
    for part in sorted(parts, key=lambda part: -round(float(sizes[part].sum()) / whole, 9)):
        nodes = np.unique(triangles[part])
        place = _plane(mesh.points[nodes], areas[part], near) or _cylinder(mesh.points[nodes], normals[part], near)
        found.append(Face(part, nodes, place))
    return tuple(found)


def _smooth_pairs(triangles: IntArray, normals: Array) -> tuple[IntArray, IntArray]:
    """Triangles that share an edge of two and turn little across it, whichever way round they are listed."""
    edges = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    owner = np.tile(np.arange(len(triangles)), 3)
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    edges, owner = edges[order], owner[order]
    starts = np.flatnonzero(np.concatenate([[True], (np.diff(edges, axis=0) != 0).any(axis=1)]))
    twice = starts[np.diff(np.concatenate([starts, [len(edges)]])) == 2]
    first, second = owner[twice], owner[twice + 1]
    turned = np.abs(np.einsum("ei,ei->e", normals[first], normals[second]))
    smooth = turned >= np.cos(SHARP)
    return first[smooth], second[smooth]


def _plane(points: Array, areas: Array, near: float) -> Plane | None:
    heading = areas * np.where(areas @ areas[0] < 0, -1.0, 1.0)[:, None]
    normal = heading.sum(axis=0)
    length = float(np.linalg.norm(normal))
    if length == 0:
        return None
    found = Plane(points.mean(axis=0), normal / length)
    return found if found.distance(points).max() <= near else None


def _cylinder(points: Array, normals: Array, near: float) -> Cylinder | None:
    """The axis is the direction that no normal has; centre and radius are the least-squares circle across it."""
    values, vectors = np.linalg.eigh(normals.T @ normals)
    if values[0] > 1e-3 * values[2]:
        return None
    across, axis = vectors[:, 1:], vectors[:, 0]
    flat = points @ across
    middle = flat.mean(axis=0)
    flat = flat - middle
    # |p − c|² = r²  ⇔  2 c·p + (r² − |c|²) = |p|²
    unknowns, *_ = np.linalg.lstsq(
        np.column_stack([2 * flat, np.ones(len(flat))]), (flat**2).sum(axis=1), rcond=None
    )
    square = float(unknowns[2] + unknowns[:2] @ unknowns[:2])
    if square <= 0:
        return None
    point = across @ (unknowns[:2] + middle) + axis * float((points @ axis).mean())
    found = Cylinder(point, axis, float(np.sqrt(square)))
    return found if found.distance(points).max() <= near else None
