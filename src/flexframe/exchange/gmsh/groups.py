"""Cells of a file in named groups of each dimension, as gmsh has them, turned into a mesh with sets."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh import blocks as topology
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.facets import outward
from flexframe.mesh.mesh import Mesh

GroupMembers = Mapping[str, Sequence[IntArray]]
"""Name → for each block, the rows that belong to the group."""
_KINDS = ("point", "line", "surface", "volume")


def group_name(names: Mapping[tuple[int, int], str], dimension: int, tag: int) -> str:
    """Name of a physical group, or line1, surface2 and so on where it has none."""
    return names.get((dimension, tag), f"{_KINDS[dimension]}{tag}")


def mesh_of_groups(
    points: Array,
    blocks: Sequence[CellBlock],
    groups: Mapping[int, GroupMembers],
    node_labels: IntArray | None = None,
    cell_labels: Sequence[IntArray] | None = None,
) -> Mesh:
    """Mesh of the cells of the highest dimension; the lower ones only say what belongs to which set.

    Groups of the highest dimension are cell sets, those one below facet sets and node sets, lower ones node
    sets. Nodes that neither a cell nor a set uses are left out.
    """
    highest = max(block.cell.dimension for block in blocks)
    if highest == 0:
        raise InputError("the file has points but no lines, plane cells or solids; mesh the model and save again")
    kept = [number for number, block in enumerate(blocks) if block.cell.dimension == highest]
    mesh = Mesh(
        points,
        tuple(blocks[number] for number in kept),
        node_labels=node_labels,
        cell_labels=None if cell_labels is None else np.concatenate([cell_labels[n] for n in kept]),
    )
    starts = np.cumsum([0, *(len(blocks[number]) for number in kept)])
    cell_sets = {
        name: np.concatenate([starts[i] + rows[number] for i, number in enumerate(kept)])
        for name, rows in groups.get(highest, {}).items()
    }
    node_sets, facet_sets = {}, {}
    for dimension in range(highest):
        for name, rows in groups.get(dimension, {}).items():
            chosen = tuple(CellBlock(b.cell, b.nodes[r]) for b, r in zip(blocks, rows, strict=True) if len(r))
            node_sets[name] = topology.nodes_of_blocks(chosen)
            if dimension == highest - 1 and dimension > 0:
                facet_sets[name] = _as_facets(mesh, name, chosen)
    return without_loose_nodes(mesh.with_sets(node_sets, facet_sets, cell_sets), keep_named=True)


def without_loose_nodes(mesh: Mesh, *, keep_named: bool = False) -> Mesh:
    """The mesh without the nodes that no cell uses, and a notice if there were any."""
    kept = mesh.without_unused_nodes(keep_named=keep_named)
    dropped = mesh.node_count - kept.node_count
    if not dropped:
        return kept
    what = "1 node that no cell uses was" if dropped == 1 else f"{dropped} nodes that no cell uses were"
    return replace(kept, notices=(*kept.notices, f"{what} left out"))


def _as_facets(mesh: Mesh, name: str, chosen: tuple[CellBlock, ...]) -> tuple[CellBlock, ...]:
    try:
        return outward(mesh, chosen)
    except InputError as error:
        raise InputError(f"group '{name}': {error}") from error
