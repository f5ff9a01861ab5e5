"""Cells turned the right way round: plane cells counter-clockwise, solids not inside out."""

from dataclasses import replace

import numpy as np

from flexframe.maths.arrays import IntArray
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import Cell
from flexframe.mesh.checks import is_flat
from flexframe.mesh.facets import outward
from flexframe.mesh.measures import cell_measures
from flexframe.mesh.mesh import Mesh

# Corners of the mirrored cell; the mid-side nodes follow from the edges.
_MIRRORED_CORNERS: dict[str, tuple[int, ...]] = {
    "triangle": (0, 2, 1),
    "quad": (0, 3, 2, 1),
    "tetra": (0, 2, 1, 3),
    "hexahedron": (4, 5, 6, 7, 0, 1, 2, 3),
    "wedge": (3, 4, 5, 0, 1, 2),
}


def reoriented(mesh: Mesh) -> Mesh:
    """The mesh with clockwise plane cells and inside-out solids renumbered, and its facet sets outwards."""
    flat = is_flat(mesh)
    turned = []
    for block in mesh.blocks:
        wrong = cell_measures(mesh.points, block, flat).size < 0
        nodes = block.nodes.copy()
        if wrong.any():
            nodes[wrong] = block.nodes[wrong][:, mirrored_nodes(block.cell)]
        turned.append(CellBlock(block.cell, nodes))
    upright = replace(mesh, blocks=tuple(turned))
    return replace(upright, facet_sets={k: outward(upright, v) for k, v in mesh.facet_sets.items()})


def mirrored_nodes(cell: Cell) -> IntArray:
    """Order in which the nodes of a cell give the same cell with the other handedness."""
    corners = _MIRRORED_CORNERS[cell.linear_name]
    middle = {frozenset(edge[:2]): edge[2:] for edge in cell.edges}
    middles = [
        node for first, last, *_ in cell.edges for node in middle[frozenset((corners[first], corners[last]))]
    ]
    return np.array([*corners, *middles], dtype=np.int64)
