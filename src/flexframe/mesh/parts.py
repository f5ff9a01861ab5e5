"""Parts of a mesh that hang together, and cells that lie in one another."""

from collections.abc import Iterable

import numpy as np

from flexframe import _core
from flexframe.maths.arrays import IntArray
from flexframe.maths.graphs import connected_parts
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.subdivision import simplices

_MANY = 200_000  # cells; looking through more would take longer than integrating them
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
    labels = connected_parts(mesh.node_count, np.concatenate(rows), np.concatenate(columns))
    _, numbered = np.unique(labels[used], return_inverse=True)
    parts = np.full(mesh.node_count, -1, dtype=np.int64)
    parts[used] = numbered
    return parts


def overlapping_cells(mesh: Mesh) -> tuple[int, int] | None:
    """Two cells of which one contains the centre of the other; None where there are none.

    Plane cells must lie in the plane z = 0. Meshes of very many cells are not looked through.
    """
    nodes, owners = simplices(mesh)
    cells, first = np.unique(owners, return_index=True)
    if len(cells) < 2 or len(cells) > _MANY:
        return None
    corners = np.ascontiguousarray(mesh.points[nodes][..., : mesh.dimension])  # (n, d + 1, d)
    found = _core.overlapping_cells(corners, np.append(first, len(owners)), _INSIDE)
    return None if found is None else (int(cells[found[0]]), int(cells[found[1]]))
