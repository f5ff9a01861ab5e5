"""Blocks of cells of one shape, and the facets, edges and triangles that follow from them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import BoolArray, IntArray
from flexframe.mesh.cells import Cell, cell_named
from flexframe.mesh.validation import frozen_integers


@dataclass(frozen=True, eq=False)
class CellBlock:
    """Cells of one shape; `nodes` is (cells, nodes per cell)."""

    cell: Cell
    nodes: IntArray

    def __post_init__(self) -> None:
        nodes = frozen_integers(self.nodes, f"nodes of the {self.cell.name} cells")
        if nodes.size == 0:
            nodes = frozen_integers(np.empty((0, self.cell.nodes), dtype=np.int64), "nodes")
        if nodes.ndim != 2 or nodes.shape[1] != self.cell.nodes:
            raise InputError(
                f"nodes of {self.cell.name} cells have shape {nodes.shape}; "
                f"give one row of {self.cell.nodes} node numbers for each cell"
            )
        object.__setattr__(self, "nodes", nodes)

    def __len__(self) -> int:
        return int(self.nodes.shape[0])


def row_keys(rows: IntArray) -> IntArray:
    """One integer for each row of non-negative numbers, equal where and only where the rows are equal."""
    base = int(rows.max(initial=0)) + 1
    keys, largest = rows[:, 0], base
    for column in rows.T[1:]:
        if largest * base > np.iinfo(np.int64).max:
            distinct, keys = np.unique(keys, return_inverse=True)
            largest = distinct.size
        keys, largest = keys * base + column, largest * base
    return np.asarray(keys)


def nodes_of_blocks(blocks: Sequence[CellBlock]) -> IntArray:
    """Numbers of the nodes that the cells use, each once."""
    if not blocks:
        return np.empty(0, dtype=np.int64)
    used = np.zeros(max(int(block.nodes.max(initial=-1)) for block in blocks) + 1, dtype=bool)
    for block in blocks:
        used[block.nodes] = True
    return np.flatnonzero(used).astype(np.int64)


def facets_of_cells(blocks: Iterable[CellBlock], dimension: int) -> list[CellBlock]:
    """Every facet of every cell of that dimension, one block for each local facet of each block."""
    return [
        CellBlock(cell_named(name), block.nodes[:, local])
        for block in blocks
        if block.cell.dimension == dimension
        for name, local in block.cell.facets
    ]


def once_only(facets: Sequence[CellBlock]) -> tuple[CellBlock, ...]:
    """The facets that occur a single time (the boundary), one block for each shape."""
    chosen: list[CellBlock] = []
    for cell, nodes in _by_shape(facets):
        _, first, counts = np.unique(
            row_keys(np.sort(nodes[:, : cell.corners], axis=1)), return_index=True, return_counts=True
        )
        single = np.sort(first[counts == 1])
        if single.size:
            chosen.append(CellBlock(cell, nodes[single]))
    return tuple(chosen)


def with_corners_among(blocks: Iterable[CellBlock], wanted: BoolArray) -> list[CellBlock]:
    """The cells all of whose corners are wanted; `wanted` has a place for each node."""
    chosen = []
    for block in blocks:
        rows = np.arange(len(block))
        for corner in range(block.cell.corners):
            rows = rows[wanted[block.nodes[rows, corner]]]
        chosen.append(CellBlock(block.cell, block.nodes[rows]))
    return chosen


def are_among(facets: Iterable[CellBlock], others: Iterable[CellBlock]) -> list[BoolArray]:
    """For each block of facets, which of them have the same corners as one of the others."""
    known = dict(_by_shape([CellBlock(b.cell.of_order(1), b.nodes[:, : b.cell.corners]) for b in others]))
    found = []
    for facet in facets:
        corners = facet.nodes[:, : facet.cell.corners]
        candidates = known.get(facet.cell.of_order(1), np.empty((0, facet.cell.corners), dtype=np.int64))
        keys = row_keys(np.sort(np.concatenate([corners, candidates]), axis=1))
        found.append(np.isin(keys[: len(corners)], keys[len(corners) :], kind="sort"))
    return found


def triangulate(blocks: Iterable[CellBlock]) -> IntArray:
    """Plane cells or faces split into triangles over all their nodes: (triangles, 3)."""
    parts = [
        block.nodes[:, np.array(_TRIANGLES[block.cell.name])].reshape(-1, 3)
        for block in blocks
        if block.cell.name in _TRIANGLES
    ]
    return np.concatenate(parts) if parts else np.empty((0, 3), dtype=np.int64)


def all_edges(blocks: Iterable[CellBlock]) -> IntArray:
    """Edges of every cell as (edges, 3): both ends and the middle node, −1 where there is none."""
    parts: list[IntArray] = []
    for block in blocks:
        for local in block.cell.edges:
            edge = np.full((len(block), 3), -1, dtype=np.int64)
            edge[:, : len(local)] = block.nodes[:, local]
            parts.append(edge)
    return np.concatenate(parts) if parts else np.empty((0, 3), dtype=np.int64)


def edges(blocks: Iterable[CellBlock]) -> IntArray:
    """The edges of the cells, each once, as `all_edges` gives them."""
    every = all_edges(blocks)
    _, first = np.unique(row_keys(np.sort(every[:, :2], axis=1)), return_index=True)
    return np.asarray(every[np.sort(first)])


def segments(edge_nodes: IntArray) -> IntArray:
    """Edges as straight pieces between neighbouring nodes: (pieces, 2)."""
    straight = edge_nodes[edge_nodes[:, 2] < 0][:, :2]
    curved = edge_nodes[edge_nodes[:, 2] >= 0]
    return np.concatenate([straight, curved[:, [0, 2]], curved[:, [2, 1]]])


def _by_shape(blocks: Iterable[CellBlock]) -> list[tuple[Cell, IntArray]]:
    grouped: dict[Cell, list[IntArray]] = {}
    for block in blocks:
        grouped.setdefault(block.cell, []).append(block.nodes)
    return [(cell, np.concatenate(nodes)) for cell, nodes in grouped.items()]


_TRIANGLES: dict[str, tuple[tuple[int, int, int], ...]] = {
    "triangle": ((0, 1, 2),),
    "triangle6": ((0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)),
    "quad": ((0, 1, 2), (0, 2, 3)),
    "quad8": ((0, 4, 7), (4, 1, 5), (5, 2, 6), (6, 3, 7), (4, 5, 6), (4, 6, 7)),
}
