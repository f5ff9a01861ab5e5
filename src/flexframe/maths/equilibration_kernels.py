"""Compiled loops over the entries of a sparse matrix in compressed rows."""

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True)
def maxima(starts: Any, columns: Any, entries: Any, row_scale: Any, column_scale: Any) -> Any:  # pragma: no cover
    """The largest scaled |entry| of each row and of each column."""
    size = len(starts) - 1
    rows, others = np.zeros(size), np.zeros(size)
    for row in range(size):
        largest = 0.0
        for place in range(starts[row], starts[row + 1]):
            column = columns[place]
            value = abs(entries[place]) * row_scale[row] * column_scale[column]
            largest = max(largest, value)
            others[column] = max(others[column], value)
        rows[row] = largest
    return rows, others


@njit(cache=True)
def scale(  # noqa: PLR0917
    starts: Any, columns: Any, entries: Any, row_scale: Any, column_scale: Any, made: Any
) -> None:  # pragma: no cover
    """made = R A C."""
    for row in range(len(starts) - 1):
        for place in range(starts[row], starts[row + 1]):
            made[place] = entries[place] * (row_scale[row] * column_scale[columns[place]])


@njit(cache=True)
def triangle_maxima(starts: Any, columns: Any, entries: Any, scale: Any) -> Any:  # pragma: no cover
    """The largest scaled |entry| of each row of a symmetric matrix, from its upper triangle."""
    size = len(starts) - 1
    rows = np.zeros(size)
    for row in range(size):
        largest = rows[row]
        for place in range(starts[row], starts[row + 1]):
            column = columns[place]
            value = abs(entries[place]) * scale[row] * scale[column]
            largest = max(largest, value)
            rows[column] = max(rows[column], value)
        rows[row] = max(rows[row], largest)
    return rows


@njit(cache=True)
def scale_in_place(starts: Any, columns: Any, entries: Any, scale: Any) -> None:  # pragma: no cover
    """A ← S A S."""
    for row in range(len(starts) - 1):
        for place in range(starts[row], starts[row + 1]):
            entries[place] *= scale[row] * scale[columns[place]]


@njit(cache=True)
def upper_starts(starts: Any, columns: Any) -> Any:  # pragma: no cover
    """Where the rows of the upper triangle start, a diagonal entry in each."""
    size = len(starts) - 1
    made = np.zeros(size + 1, dtype=np.int64)
    for row in range(size):
        above = 0
        for place in range(starts[row], starts[row + 1]):
            above += columns[place] > row
        made[row + 1] = made[row] + above + 1
    return made


@njit(cache=True)
def fill_upper(  # noqa: PLR0917
    starts: Any, columns: Any, entries: Any, made: Any, new_columns: Any, new_entries: Any
) -> None:  # pragma: no cover
    """Columns and entries of the upper triangle, the diagonal first in each row."""
    for row in range(len(starts) - 1):
        diagonal = target = made[row]
        new_columns[diagonal], new_entries[diagonal] = row, 0.0
        for place in range(starts[row], starts[row + 1]):
            if columns[place] == row:
                new_entries[diagonal] = entries[place]
            elif columns[place] > row:
                target += 1
                new_columns[target], new_entries[target] = columns[place], entries[place]
