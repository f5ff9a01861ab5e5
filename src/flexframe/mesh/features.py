"""The lines that show the form of a body: its creases and free edges, without the edges inside a face."""

import numpy as np

from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh import blocks as topology
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.mesh import Mesh


def feature_lines(mesh: Mesh, angle: float = np.pi / 6) -> IntArray:
    """Straight pieces (n, 2): line cells, free edges, and edges where faces meet at more than `angle` [rad]."""
    lines = [block for block in mesh.blocks if block.cell.dimension == 1]
    surface = [block for block in mesh.blocks if block.cell.dimension == 2]
    if mesh.dimension == 3:
        surface += mesh.boundary()
    edges, normals = _edges_with_normals(mesh.points, surface)
    _, first, group, counts = np.unique(
        topology.row_keys(np.sort(edges[:, :2], axis=1)),
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    total = np.zeros((len(first), 3))
    np.add.at(total, group, normals)
    # Two unit normals at an angle α add to 2 cos(α/2).
    crease = np.linalg.norm(total, axis=1) < 2 * np.cos(angle / 2)
    shown = edges[np.sort(first[(counts != 2) | crease])]
    return np.concatenate([topology.segments(topology.all_edges(lines)), topology.segments(shown)])


def _edges_with_normals(points: Array, surface: list[CellBlock]) -> tuple[IntArray, Array]:
    """Edges of each face (n, 3) as `all_edges` gives them, with the unit normals of the faces (n, 3)."""
    normals = [np.empty((0, 3))]
    for block in surface:
        corner = points[block.nodes[:, : block.cell.corners]]
        normal = np.cross(corner[:, 2] - corner[:, 0], corner[:, -1] - corner[:, 1])
        length = np.linalg.norm(normal, axis=1, keepdims=True)
        unit = np.divide(normal, length, out=np.zeros_like(normal), where=length > 0)
        normals += [unit] * len(block.cell.edges)
    return topology.all_edges(surface), np.concatenate(normals)
