"""Symmetric matrices of which half is kept, and what substructures add to each other's.

A matrix is kept by panels of rows, each from the first column to the panel's own diagonal block, of which the
lower triangle counts: little more than half of the square, and still something that matrix products can work on.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.multilevel.stored import stored

ROWS = 256  # of a panel


@dataclass(frozen=True, eq=False)
class Symmetric:
    """A symmetric matrix by panels of rows."""

    panels: tuple[Array, ...]

    @property
    def size(self) -> int:
        """How many rows there are."""
        return int(self.panels[-1].shape[1]) if self.panels else 0

    def rows(self) -> Iterator[tuple[int, int, Array]]:
        """First row, the row after the last, and the panel."""
        for number, panel in enumerate(self.panels):
            first = number * ROWS
            yield first, first + panel.shape[0], np.asarray(panel)

    def add(self, rows: IntArray, columns: IntArray, block: Array) -> None:
        """Add a block at ascending rows and columns; nothing of it is above the diagonal but zeros."""
        for number in np.unique(rows // ROWS):
            some = slice(*np.searchsorted(rows, [number * ROWS, (number + 1) * ROWS]))
            panel = self.panels[number]
            wide = int(np.searchsorted(columns, panel.shape[1]))
            panel[np.ix_(rows[some] - number * ROWS, columns[:wide])] += block[some, :wide]

    def store(self) -> "Symmetric":
        """The same with large panels on disk."""
        return Symmetric(tuple(stored(panel) for panel in self.panels))

    def toarray(self) -> Array:
        """All entries."""
        made = np.zeros((self.size, self.size))
        for first, last, panel in self.rows():
            made[first:last, :last] = panel
        return np.asarray(np.tril(made) + np.tril(made, -1).T)


def symmetric(size: int, panel: Callable[[int, int], Array]) -> Symmetric:
    """The matrix whose rows first … last are `panel(first, last)` up to column last."""
    made = []
    for first in range(0, size, ROWS):
        last = min(first + ROWS, size)
        rows = panel(first, last)
        assert rows.shape == (last - first, last)
        made.append(lower_rows(rows))
    return Symmetric(tuple(made))


def lower_rows(rows: Array) -> Array:
    """A panel, whose last columns are its diagonal block, in C's order and with nothing above the diagonal."""
    panel = np.ascontiguousarray(rows)
    block = panel[:, panel.shape[1] - len(panel) :]
    block[...] = np.tril(block)
    return panel


@dataclass(frozen=True, eq=False)
class Front:
    """A matrix on own unknowns s and boundary b: A_ss, of which the lower triangle counts, A_sb, and A_bb."""

    own: Array  # (s, s)
    beside: Array  # (s, b)
    rest: Symmetric  # (b, b)


def front(
    own: SparseMatrix, edge: SparseMatrix, children: Sequence[tuple[Symmetric, IntArray]], kind: type[np.floating]
) -> Front:
    """Own entries, and what children add at their places among own unknowns and boundary.

    What is between two unknowns of the boundary comes later.
    """
    few, size = edge.shape
    made = Front(
        np.asfortranarray(own.toarray(order="F"), dtype=kind),
        np.asfortranarray(edge.toarray(order="F"), dtype=kind),
        symmetric(size, lambda first, last: np.zeros((last - first, last), dtype=kind)),
    )
    for matrix, places in children:
        _add_child(made, matrix, places, few)
    return made


def _add_child(made: Front, matrix: Symmetric, places: IntArray, few: int) -> None:
    is_own = places < few
    for first, last, panel in matrix.rows():
        (own, other), (left, right) = (
            (np.flatnonzero(is_own[some]), np.flatnonzero(~is_own[some]))
            for some in (slice(first, last), slice(0, last))
        )
        rows, columns = places[first:last], places[:last]
        made.own[np.ix_(rows[own], columns[left])] += panel[np.ix_(own, left)]
        made.beside[np.ix_(rows[own], columns[right] - few)] += panel[np.ix_(own, right)]
        made.beside[np.ix_(columns[left], rows[other] - few)] += panel[np.ix_(other, left)].T
        made.rest.add(rows[other] - few, columns[right] - few, panel[np.ix_(other, right)])


def subtract_product(matrix: Symmetric, left: Array, right: Array) -> None:
    """A − LᵀR, symmetric, in the place of A."""
    for first, last, panel in matrix.rows():
        np.subtract(panel, left[:, first:last].T @ right[:, :last], out=panel)
        lower_rows(panel)


def mirror(matrix: Array) -> None:
    """Give a square array the upper triangle that its lower one has."""
    for first in range(0, len(matrix), ROWS):
        last = min(first + ROWS, len(matrix))
        block = matrix[first:last, first:last]
        block[...] = np.tril(block) + np.tril(block, -1).T
        matrix[first:last, last:] = matrix[last:, first:last].T
