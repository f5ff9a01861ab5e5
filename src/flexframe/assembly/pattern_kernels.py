"""Compiled loops over elements and pairs of nodes; flat arrays in, flat arrays out."""

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True)
def add_blocks(starts: Any, columns: Any, nodes: Any, blocks: Any, data: Any) -> None:  # pragma: no cover
    """data[slot(i, j)] += blocks[e, a, b] for i, j = nodes of element e; columns are sorted in each row."""
    elements, size = nodes.shape
    entries = blocks.shape[3]
    for e in range(elements):
        for a in range(size):
            row = nodes[e, a]
            for b in range(size):
                column = nodes[e, b]
                low, high = starts[row], starts[row + 1]
                while low < high:
                    middle = (low + high) // 2
                    if columns[middle] < column:
                        low = middle + 1
                    else:
                        high = middle
                for k in range(entries):
                    data[low, k] += blocks[e, a, b, k]


@njit(cache=True)
def row_starts(starts: Any, columns: Any, numbers: Any, wanted: Any, count: int) -> Any:  # pragma: no cover
    """Where the rows of the expanded matrix start; numbers (nodes, d) are −1 where a node has no equation."""
    made = np.zeros(count + 1, dtype=np.int64)
    size = numbers.shape[1]
    for node in range(numbers.shape[0]):
        for a in range(size):
            row = numbers[node, a]
            if row < 0:
                continue
            for slot in range(starts[node], starts[node + 1]):
                for b in range(size):
                    if wanted[a, b] and numbers[columns[slot], b] >= 0:
                        made[row + 1] += 1
    for row in range(count):
        made[row + 1] += made[row]
    return made


@njit(cache=True)
def fill_rows(pattern: Any, numbers: Any, wanted: Any, blocks: Any, made: Any) -> None:  # pragma: no cover
    """Columns and values of the expanded matrix, in the order of the nodes' columns."""
    starts, columns = pattern
    row_starts, indices, values = made
    size = numbers.shape[1]
    for node in range(numbers.shape[0]):
        for a in range(size):
            row = numbers[node, a]
            if row < 0:
                continue
            place = row_starts[row]
            for slot in range(starts[node], starts[node + 1]):
                for b in range(size):
                    column = numbers[columns[slot], b]
                    if wanted[a, b] and column >= 0:
                        indices[place] = column
                        values[place] = blocks[slot, a, b]
                        place += 1


@njit(cache=True)
def fill_scaled_rows(pattern: Any, numbers: Any, factor: Any, scalars: Any, made: Any) -> None:  # pragma: no cover
    """As `fill_rows` for blocks that are one number times the same factor."""
    starts, columns = pattern
    row_starts, indices, values = made
    size = numbers.shape[1]
    for node in range(numbers.shape[0]):
        for a in range(size):
            row = numbers[node, a]
            if row < 0:
                continue
            place = row_starts[row]
            for slot in range(starts[node], starts[node + 1]):
                for b in range(size):
                    column = numbers[columns[slot], b]
                    if factor[a, b] != 0.0 and column >= 0:
                        indices[place] = column
                        values[place] = scalars[slot] * factor[a, b]
                        place += 1


@njit(cache=True)
def selected_starts(starts: Any, columns: Any, kept: Any, place: Any) -> Any:  # pragma: no cover
    """Where the rows of A[kept][:, kept] start; place (columns,) is −1 for a column that is left out."""
    made = np.zeros(len(kept) + 1, dtype=np.int64)
    for i in range(len(kept)):
        found = 0
        for slot in range(starts[kept[i]], starts[kept[i] + 1]):
            found += place[columns[slot]] >= 0
        made[i + 1] = made[i] + found
    return made


@njit(cache=True)
def fill_selected(matrix: Any, kept: Any, place: Any, made: Any) -> None:  # pragma: no cover
    """Columns and values of A[kept][:, kept]."""
    starts, columns, entries = matrix
    new_starts, new_columns, new_entries = made
    for i in range(len(kept)):
        target = new_starts[i]
        for slot in range(starts[kept[i]], starts[kept[i] + 1]):
            column = place[columns[slot]]
            if column >= 0:
                new_columns[target], new_entries[target] = column, entries[slot]
                target += 1
