"""Facets found in the mesh: which cell each one bounds, and turned outwards from it."""

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import IntArray
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
