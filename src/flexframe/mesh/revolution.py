"""The surface that the boundary of a plane section sweeps about the y axis, to be drawn."""

from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array, BoolArray, IntArray
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import QUAD, TRIANGLE
from flexframe.mesh.mesh import Mesh


@dataclass(frozen=True, eq=False)
class SweptSurface:
    """The surface, and for each of its nodes the node of the section and the number of the meridian."""

    mesh: Mesh
    nodes: IntArray  # of the section: (points,)
    meridians: IntArray  # (points,)
    angles: Array  # of the meridians about y [rad]


def swept_surface(section: Mesh, meridians: int, on_axis: BoolArray) -> SweptSurface:
    """Revolve the boundary of a section between corner nodes; nodes on the axis stay single."""
    edges = np.concatenate([block.nodes[:, :2] for block in section.boundary()])
    edges = edges[~on_axis[edges].all(axis=1)]
    used = np.unique(edges)
    fixed, moving = used[on_axis[used]], used[~on_axis[used]]
    nodes = np.concatenate([np.tile(moving, meridians), fixed])
    places = np.concatenate([np.repeat(np.arange(meridians), len(moving)), np.zeros(len(fixed), dtype=np.int64)])
    numbers = np.zeros((meridians, section.node_count), dtype=np.int64)
    numbers[:, moving] = np.arange(meridians * len(moving)).reshape(meridians, -1)
    numbers[:, fixed] = meridians * len(moving) + np.arange(len(fixed))
    angles = 2 * np.pi * np.arange(meridians) / meridians
    following = np.roll(numbers, -1, axis=0)
    corners = np.stack(
        [numbers[:, edges[:, 0]], numbers[:, edges[:, 1]], following[:, edges[:, 1]], following[:, edges[:, 0]]],
        axis=-1,
    )
    first, second = on_axis[edges[:, 0]], on_axis[edges[:, 1]]
    whole = corners[:, ~(first | second)].reshape(-1, 4)
    tips = np.concatenate([corners[:, first][..., [0, 1, 2]], corners[:, second][..., [0, 1, 3]]], axis=1)
    blocks = [CellBlock(QUAD, whole), CellBlock(TRIANGLE, tips.reshape(-1, 3))]
    radii, heights = section.points[nodes, 0], section.points[nodes, 1]
    turned = angles[places]
    points = np.stack([radii * np.cos(turned), heights, -radii * np.sin(turned)], axis=-1)
    mesh = Mesh(points, tuple(block for block in blocks if len(block)))
    return SweptSurface(mesh, nodes, places, angles)
