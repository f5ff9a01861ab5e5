"""The loops of `pattern_kernels` for small models, without a compiler: loading one takes longer than the model."""

from typing import Any

import numpy as np

from flexframe.maths.arrays import Array, BoolArray, IntArray

Graph = tuple[Any, Any]
"""Row starts and sorted columns of pairs of nodes, in whole numbers of any size."""


def pair_rows(graph: Graph) -> IntArray:
    """The first node of every pair."""
    starts, _ = graph
    return np.asarray(np.repeat(np.arange(len(starts) - 1), np.diff(starts)))


def add_blocks(graph: Graph, nodes: IntArray, blocks: Array, data: Array) -> None:
    """data[slot(i, j)] += blocks[e, a, b] for i, j = nodes of element e, in the order of the elements."""
    starts, columns = graph
    count = len(starts) - 1
    keys = pair_rows(graph) * count + columns
    wanted = nodes[:, :, None].astype(np.int64) * count + nodes[:, None, :]
    np.add.at(data, np.searchsorted(keys, wanted), blocks)


def rows_of_pairs(
    graph: Graph, numbers: IntArray, wanted: BoolArray, values: Array, count: int
) -> tuple[IntArray, IntArray, Array]:
    """Row starts, columns and values of the expanded matrix, in the order of the nodes' columns.

    Values are (pairs, d, d); numbers (nodes, d) are −1 where a node has no equation.
    """
    _, columns = graph
    rows = np.broadcast_to(numbers[pair_rows(graph)][:, :, None], values.shape)
    across = np.broadcast_to(numbers[columns][:, None, :], values.shape)
    kept = (rows >= 0) & (across >= 0) & wanted
    order = np.argsort(rows[kept], kind="stable")
    made = np.concatenate([[0], np.cumsum(np.bincount(rows[kept], minlength=count))])
    return made.astype(np.int32), across[kept][order].astype(np.int32), values[kept][order]
