"""Meshes as parts of a scene: only what is seen, so that a report stays small."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from flexframe.maths.arrays import IntArray
from flexframe.mesh.mesh import Mesh
from flexframe.presentation.scenes import Part

Number = TypeVar("Number", np.float64, np.complex128)
BUDGET = 6_000_000  # bytes of moving nodes that one scene may take


@dataclass(frozen=True, eq=False)
class Drawing:
    """A part, and which nodes of the mesh it shows."""

    part: Part
    nodes: IntArray

    def shown(self, values: NDArray[Number]) -> NDArray[Number]:
        """Values of the nodes that are drawn: nodes first."""
        return values[self.nodes]


def drawing(name: str, mesh: Mesh, *, colour: str = "", radius: float = 0.0) -> Drawing:
    """Surface triangles and cell edges of plane and solid cells, lines of beams and bars."""
    triangles = mesh.surface_triangles()
    segments = mesh.lines()
    beams = np.concatenate(
        [np.empty((0, 2), np.int64), *(b.nodes[:, :2] for b in mesh.blocks if b.cell.dimension == 1)]
    )
    used = np.unique(np.concatenate([triangles.ravel(), segments.ravel(), beams.ravel()]))
    number = np.full(mesh.node_count, -1, dtype=np.int64)
    number[used] = np.arange(used.size)
    part = Part(
        name=name,
        nodes=mesh.points[used],
        triangles=number[triangles] if len(triangles) else None,
        lines=number[beams] if len(beams) else None,
        edges=number[segments] if len(triangles) else None,
        radius=radius,
        colour=colour,
    )
    return Drawing(part, used)


def frames_within_budget(drawn: Drawing, frames: int, numbers_per_node: int) -> int:
    """How many shapes or instants fit into the budget, at least one."""
    size = 4 * numbers_per_node * max(len(drawn.nodes), 1)
    return max(1, min(frames, BUDGET // size))
