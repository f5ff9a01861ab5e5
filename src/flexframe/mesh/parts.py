"""Parts of a mesh that hang together, and cells that lie in one another."""

from collections.abc import Iterable

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.subdivision import simplices

_MANY = 200_000  # cells; looking through more would take longer than integrating them
_NEIGHBOURS = 16  # nearest cells that may contain a centre
_INSIDE = 0.02  # of a barycentric coordinate: farther inside than faces that curve or warp


def separate_parts(mesh: Mesh, ties: Iterable[IntArray] = ()) -> IntArray:
    """The part of each node, −1 for nodes of no cell; `ties` are nodes that something else holds together."""
    used = np.zeros(mesh.node_count, dtype=bool)
    rows, columns = [], []
    for block in mesh.blocks:
        used[block.nodes] = used[block.nodes] | (block.cell.dimension > 0)
        rows.append(np.repeat(block.nodes[:, 0], block.nodes.shape[1]))
        columns.append(block.nodes.ravel())
    for tied in ties:
        rows.append(np.full(len(tied), tied[0]))
        columns.append(tied)
    i, j = np.concatenate(rows), np.concatenate(columns)
    graph = coo_array((np.ones(len(i), dtype=np.int8), (i, j)), shape=(mesh.node_count, mesh.node_count))
    labels = connected_components(graph, directed=False)[1]
    _, numbered = np.unique(labels[used], return_inverse=True)
    parts = np.full(mesh.node_count, -1, dtype=np.int64)
    parts[used] = numbered
    return parts


def overlapping_cells(mesh: Mesh) -> tuple[int, int] | None:
    """Two cells of which one contains the centre of the other; None where there are none.

    Plane cells must lie in the plane z = 0. Meshes of very many cells are not looked through.
    """
    d = mesh.dimension
    nodes, owners = simplices(mesh)
    cells, first, pieces = np.unique(owners, return_index=True, return_counts=True)
    if len(cells) < 2 or len(cells) > _MANY:
        return None
    corners = mesh.points[nodes][..., :d]  # (n, d + 1, d)
    low = np.minimum.reduceat(corners.min(axis=1), first)
    high = np.maximum.reduceat(corners.max(axis=1), first)
    centres = np.add.reduceat(corners.mean(axis=1), first) / pieces[:, None]
    near = _nearest(centres)
    inside = ((centres[:, None] > low[near]) & (centres[:, None] < high[near])).all(axis=2)
    inside &= near != np.arange(len(cells))[:, None]
    point, column = np.nonzero(inside)
    other = near[point, column]
    # every simplex of the other cell
    pairs = np.repeat(np.arange(len(other)), pieces[other])
    starts = np.cumsum(pieces[other]) - pieces[other]
    simplex = first[other][pairs] + np.arange(len(pairs)) - starts[pairs]
    hit = np.flatnonzero(_barycentric(corners[simplex], centres[point[pairs]]).min(axis=1) > _INSIDE)
    if not hit.size:
        return None
    pair = int(pairs[hit[0]])
    found = sorted((int(cells[point[pair]]), int(cells[other[pair]])))
    return found[0], found[1]


def _nearest(points: Array) -> IntArray:
    """Numbers of the points next to each one, itself among them: (n, _NEIGHBOURS or n)."""
    if len(points) <= _NEIGHBOURS:
        return np.tile(np.arange(len(points)), (len(points), 1))
    from scipy.spatial import KDTree  # takes longer to load than a small case to compute

    return np.asarray(KDTree(points).query(points, k=_NEIGHBOURS)[1])


def _barycentric(corners: Array, points: Array) -> Array:
    """Coordinates that are all positive inside a simplex: (n, d + 1)."""
    edges = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
    others = np.linalg.solve(edges, (points - corners[:, 0])[..., None])[..., 0]
    return np.concatenate([1 - others.sum(axis=1, keepdims=True), others], axis=1)
