"""Quadrilaterals cut into triangles and solids into tetrahedra, with their sets and curved edges."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh import blocks as topology
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import TETRA, TRIANGLE, Cell
from flexframe.mesh.facets import outward
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.shapes import cell_geometry

_Cut = Callable[[Mesh, CellBlock], IntArray]
"""Mesh and block → local corners of the simplices that each cell falls into: (cells, simplices, d + 1)."""
_Middles = Callable[[IntArray], IntArray]
"""Ends of edges (n, 2) → numbers of their middle nodes (n)."""


def triangles(mesh: Mesh) -> Mesh:
    """Quadrilaterals cut along their shorter diagonal (of equal ones, the one that points to the centre)."""
    return _subdivide(mesh, {"quad": _cut_quadrilaterals})


def tetrahedra(mesh: Mesh) -> Mesh:
    """Hexahedra cut into six and wedges into three tetrahedra that fit their neighbours.

    Each cell is a cone from its lowest-numbered corner over the faces that do not touch it, and each face
    is cut from its own lowest-numbered corner, so the two cells at a face cut it alike. New middle nodes
    lie on the curved geometry of the cell that was cut.
    """
    return _subdivide(mesh, {"hexahedron": _cut_solids, "wedge": _cut_solids})


def simplices(mesh: Mesh) -> tuple[IntArray, IntArray]:
    """Straight triangles or tetrahedra that fill the largest cells: their nodes (n, d + 1), and the cells (n,)."""
    cuts: dict[str, _Cut] = {"quad": _cut_quadrilaterals, "hexahedron": _cut_solids, "wedge": _cut_solids}
    nodes, owners, first = [], [], 0
    for block in mesh.blocks:
        numbers = first + np.arange(len(block))
        first += len(block)
        if block.cell.dimension != mesh.dimension:
            continue
        cut = cuts.get(block.cell.linear_name)
        local = np.arange(block.cell.corners)[None, None] if cut is None else cut(mesh, block)
        pieces = np.take_along_axis(
            block.nodes[:, None, :], np.broadcast_to(local, (len(block), *local.shape[1:])), 2
        )
        nodes.append(pieces.reshape(-1, pieces.shape[2]))
        owners.append(np.repeat(numbers, pieces.shape[1]))
    return np.concatenate(nodes), np.concatenate(owners)


@dataclass(frozen=True, eq=False)
class _NewMiddles:
    """Middle nodes on the cuts: ends (n, 2), points (n, 3), corners of the face or cell cut there (n, 8)."""

    ends: IntArray
    points: Array
    owners: IntArray


def _subdivide(mesh: Mesh, cuts: dict[str, _Cut]) -> Mesh:
    if not any(block.cell.linear_name in cuts for block in mesh.blocks):
        return mesh
    if len({block.cell.order for block in mesh.blocks if block.cell.dimension}) > 1:
        raise InputError("the mesh mixes cells with and without mid-side nodes; cut meshes of one order only")
    pieces: list[CellBlock] = []
    counts: list[int] = []
    added: list[_NewMiddles] = []
    for block in mesh.blocks:
        cut = cuts.get(block.cell.linear_name)
        if cut is None:
            pieces.append(_straight(block))
            counts.append(1)
            continue
        local = cut(mesh, block)
        nodes = np.take_along_axis(block.nodes[:, None, :], local, axis=2).reshape(-1, local.shape[2])
        pieces.append(CellBlock(TRIANGLE if block.cell.dimension == 2 else TETRA, nodes))
        counts.append(local.shape[1])
        if block.cell.order == 2:
            added.append(_middles_on_cuts(mesh, block, local))
    facet_sets = {k: tuple(_cut_facets(b) for b in v) for k, v in mesh.facet_sets.items()}
    cut_mesh = replace(
        mesh,
        blocks=tuple(pieces),
        facet_sets=facet_sets,
        cell_sets={k: _children(mesh, v, counts) for k, v in mesh.cell_sets.items()},
        cell_labels=None,
        node_labels=None,
    )
    if added:
        cut_mesh = _with_middles(cut_mesh, topology.edges(mesh.blocks), added)
    return replace(cut_mesh, facet_sets={k: outward(cut_mesh, v) for k, v in cut_mesh.facet_sets.items()})


def _cut_quadrilaterals(mesh: Mesh, block: CellBlock) -> IntArray:
    corners = mesh.points[block.nodes[:, :4]]
    diagonals = corners[:, [2, 3]] - corners[:, [0, 1]]
    lengths = np.linalg.norm(diagonals, axis=2)
    to_centre = corners.mean(axis=1) - sum(mesh.bounding_box) / 2
    outwardness = np.abs(np.einsum("cdi,ci->cd", diagonals, to_centre))
    equal = np.abs(lengths[:, 0] - lengths[:, 1]) <= 1e-6 * lengths.max(axis=1)
    clearly = outwardness[:, 1] > outwardness[:, 0] + 1e-6 * outwardness.max(axis=1)
    second = np.where(equal, clearly, lengths[:, 1] < lengths[:, 0])
    first_cut, second_cut = np.array([[0, 1, 2], [0, 2, 3]]), np.array([[1, 2, 3], [1, 3, 0]])
    return np.where(second[:, None, None], second_cut, first_cut)


def _cut_solids(mesh: Mesh, block: CellBlock) -> IntArray:
    del mesh  # the node numbers alone decide
    cell, corners = block.cell, block.nodes[:, : block.cell.corners]
    apex = corners.argmin(axis=1)
    result = np.empty((len(block), 6 if cell.corners == 8 else 3, 4), dtype=np.int64)
    for vertex in range(cell.corners):
        rows = np.flatnonzero(apex == vertex)
        column = 0
        for _, facet in cell.of_order(1).facets:
            if vertex in facet:
                continue
            for base in _fan(corners[rows][:, facet], np.array(facet)):
                result[rows, column, :3] = base[:, ::-1]
                result[rows, column, 3] = vertex
                column += 1
    return result


def _fan(numbers: IntArray, facet: IntArray) -> list[IntArray]:
    """Faces as triangles from their lowest-numbered corner: local corners (faces, 3) of each triangle."""
    count = len(facet)
    if count == 3:
        return [np.tile(facet, (len(numbers), 1))]
    turned = facet[(numbers.argmin(axis=1)[:, None] + np.arange(count)) % count]
    return [turned[:, [0, 1, 2]], turned[:, [0, 2, 3]]]


def _cut_facets(block: CellBlock) -> CellBlock:
    straight = _straight(block)
    if straight.cell.name != "quad":
        return straight
    numbers = straight.nodes
    pair = [np.take_along_axis(numbers, local, axis=1) for local in _fan(numbers, np.arange(4))]
    return CellBlock(TRIANGLE, np.stack(pair, axis=1).reshape(-1, 3))


def _children(mesh: Mesh, cells: IntArray, counts: list[int]) -> IntArray:
    """Numbers of the cells that the given cells were cut into."""
    chosen = np.zeros(mesh.cell_count, dtype=bool)
    chosen[cells] = True
    pieces = np.repeat(counts, [len(block) for block in mesh.blocks])
    return np.flatnonzero(np.repeat(chosen, pieces)).astype(np.int64)


def _straight(block: CellBlock) -> CellBlock:
    return CellBlock(block.cell.of_order(1), block.nodes[:, : block.cell.corners])


# ---------------------------------------------------------------------- middle nodes on the cuts


def _middles_on_cuts(mesh: Mesh, block: CellBlock, local: IntArray) -> _NewMiddles:
    """Middle nodes of the cuts through faces and cells, from the isoparametric map of the cut cells."""
    sides = np.array(list(combinations(range(local.shape[2]), 2)))
    pairs = np.sort(local[:, :, sides].reshape(len(block), -1, 2), axis=2)
    own = {frozenset(edge[:2]) for edge in block.cell.edges}
    parts = []
    for first, last in combinations(range(block.cell.corners), 2):
        if frozenset((first, last)) in own:
            continue
        rows = np.flatnonzero(((pairs == (first, last)).all(axis=2)).any(axis=1))
        weights, corners = _cut_middle(block.cell, first, last)
        nodes = block.nodes[rows]
        parts.append(
            (nodes[:, [first, last]], np.tensordot(mesh.points[nodes], weights, (1, 0)), nodes[:, corners])
        )
    ends, points, owners = (np.concatenate(values) for values in zip(*parts, strict=True))
    return _NewMiddles(ends, points, owners)


@lru_cache
def _cut_middle(cell: Cell, first: int, last: int) -> tuple[Array, tuple[int, ...]]:
    """Shape functions half-way between two corners, and the corners of the part cut there, made eight."""
    geometry = cell_geometry(cell)
    middle = (geometry.nodes[first] + geometry.nodes[last]) / 2
    faces = [facet for _, facet in cell.of_order(1).facets if first in facet and last in facet]
    owner = faces[0] if faces and cell.dimension == 3 else tuple(range(cell.corners))
    return geometry.shape(middle[None, :])[0], tuple(np.resize(owner, 8).tolist())


def _with_middles(mesh: Mesh, edges: IntArray, added: list[_NewMiddles]) -> Mesh:
    """Straight cells given the middle nodes of the old edges (n, 3) and of the cuts."""
    ends = np.concatenate([new.ends for new in added])
    _, chosen = np.unique(topology.row_keys(np.sort(ends, axis=1)), return_index=True)
    points = np.concatenate([new.points for new in added])[chosen]
    owners = np.concatenate([new.owners for new in added])[chosen]
    numbers = mesh.node_count + np.arange(len(chosen))
    middles = _lookup(
        np.concatenate([edges[:, :2], ends[chosen]]), np.concatenate([edges[:, 2], numbers]), mesh.node_count
    )
    node_sets = {}
    for name, members in mesh.node_sets.items():
        inside = np.zeros(mesh.node_count, dtype=bool)
        inside[members] = True
        node_sets[name] = np.concatenate([members, numbers[inside[owners].all(axis=1)]])
    return replace(
        mesh,
        points=np.vstack([mesh.points, points]),
        blocks=tuple(_curve(block, middles) for block in mesh.blocks),
        facet_sets={k: tuple(_curve(b, middles) for b in v) for k, v in mesh.facet_sets.items()},
        node_sets=node_sets,
    )


def _curve(block: CellBlock, middles: _Middles) -> CellBlock:
    if block.cell.dimension == 0:
        return block
    ends = np.array(block.cell.edges)
    found = middles(block.nodes[:, ends].reshape(-1, 2)).reshape(len(block), -1)
    return CellBlock(block.cell.of_order(2), np.hstack([block.nodes, found]))


def _lookup(ends: IntArray, numbers: IntArray, node_count: int) -> _Middles:
    low_high = np.sort(ends, axis=1)
    keys = low_high[:, 0] * node_count + low_high[:, 1]
    order = np.argsort(keys)
    sorted_keys, sorted_numbers = keys[order], numbers[order]

    def middles(pairs: IntArray) -> IntArray:
        wanted = np.sort(pairs, axis=1)
        place = np.searchsorted(sorted_keys, wanted[:, 0] * node_count + wanted[:, 1])
        return np.asarray(sorted_numbers[place])

    return middles
