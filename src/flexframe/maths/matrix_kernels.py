"""Compiled loops over sparse matrices in compressed rows, where scipy would copy the matrix."""

from typing import Any

from numba import njit


@njit(cache=True)
def absolute_product(starts: Any, columns: Any, entries: Any, x: Any, y: Any) -> None:  # pragma: no cover
    """y = |A||x| for blocks of columns, row by row in memory."""
    width = x.shape[1]
    for row in range(len(starts) - 1):
        for k in range(width):
            y[row, k] = 0.0
        for place in range(starts[row], starts[row + 1]):
            size, column = abs(entries[place]), columns[place]
            for k in range(width):
                y[row, k] += size * abs(x[column, k])


@njit(cache=True)
def add_scaled(first: Any, second: Any, factor: float, made: Any) -> bool:  # pragma: no cover
    """made = A + factor·B on the entries of A; False where B has others. Rows of both are sorted."""
    starts, columns, entries = first
    other_starts, other_columns, other_entries = second
    for row in range(len(starts) - 1):
        place, end = starts[row], starts[row + 1]
        for other in range(other_starts[row], other_starts[row + 1]):
            while place < end and columns[place] < other_columns[other]:
                made[place] = entries[place]
                place += 1
            if place == end or columns[place] != other_columns[other]:
                return False
            made[place] = entries[place] + factor * other_entries[other]
            place += 1
        while place < end:
            made[place] = entries[place]
            place += 1
    return True
