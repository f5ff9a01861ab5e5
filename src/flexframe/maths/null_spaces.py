"""Solutions of linear constraints A q̇ + b = 0: null spaces, dependent coordinates, particular solutions.

Rows are scaled to unit length first, so a rank does not depend on the units in which a constraint is written.
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, IntArray


@dataclass(frozen=True, eq=False)
class NullSpace:
    """All x with A x = 0, and what A says twice.

    Shapes: basis (n, n − rank), orthonormal columns; redundant_rows (m − rank,), ascending: rows that
    depend on the other ones (which of several equivalent rows is named is a choice).
    """

    basis: Array
    rank: int
    redundant_rows: IntArray


@dataclass(frozen=True, eq=False)
class CoordinatePartition:
    """x = basis · x[independent] solves A x = 0, with the identity in the independent rows.

    Shapes: dependent (rank,), independent (n − rank,), both ascending; basis (n, n − rank).
    """

    dependent: IntArray
    independent: IntArray
    basis: Array


def null_space(matrix: Array, tolerance: float = 1e-10) -> NullSpace:
    """Null space of A (m, n) by pivoted QR of Aᵀ, or by singular values where rows are redundant.

    A direction counts as constrained if its singular value exceeds `tolerance` times the largest one.
    """
    rows = _unit_rows(matrix)
    count, size = rows.shape
    if count == 0 or size == 0:
        return NullSpace(np.eye(size), 0, np.arange(count))
    q, r, order = linalg.qr(rows.T, pivoting=True)
    diagonal = np.abs(np.diagonal(r))
    if count <= size and diagonal[-1] > tolerance * diagonal[0]:
        return NullSpace(np.asarray(q[:, count:], dtype=float), count, np.empty(0, dtype=np.int64))
    _, values, directions = linalg.svd(rows)
    rank = int(np.count_nonzero(values > tolerance * values[0])) if values[0] > 0.0 else 0
    return NullSpace(np.ascontiguousarray(directions[rank:].T), rank, np.sort(order[rank:]).astype(np.int64))


def coordinate_partition(matrix: Array, tolerance: float = 1e-10) -> CoordinatePartition:
    """Choose dependent coordinates by pivoted QR of A (m, n), so that A[:, dependent] is well conditioned."""
    rows = _unit_rows(matrix)
    size = rows.shape[1]
    if rows.shape[0] == 0 or size == 0:
        return CoordinatePartition(np.empty(0, dtype=np.int64), np.arange(size), np.eye(size))
    r, order = linalg.qr(rows, mode="r", pivoting=True)
    diagonal = np.abs(np.diagonal(r))
    rank = int(np.count_nonzero(diagonal > tolerance * diagonal[0])) if diagonal[0] > 0.0 else 0
    # R₁₁ x_d + R₁₂ x_i = 0
    dependence = -linalg.solve_triangular(r[:rank, :rank], r[:rank, rank:])
    dependent, independent = order[:rank], order[rank:]
    ascending = np.argsort(independent)
    basis = np.zeros((size, size - rank))
    basis[dependent] = dependence[:, ascending]
    basis[independent[ascending], np.arange(size - rank)] = 1.0
    return CoordinatePartition(np.sort(dependent).astype(np.int64), independent[ascending].astype(np.int64), basis)


def particular_solution(matrix: Array, offset: Array, tolerance: float = 1e-10) -> Array:
    """The shortest g with A g + b = 0; redundant rows are allowed if they agree.

    Raises `AnalysisError` with the row that fits worst if there is no solution to `tolerance`.
    """
    lengths = np.linalg.norm(matrix, axis=1)
    rows, b = _unit_rows(matrix), offset / np.where(lengths > 0.0, lengths, 1.0)
    solution = np.zeros(rows.shape[1])
    if rows.size:
        solution = np.asarray(linalg.lstsq(rows, -b, cond=tolerance)[0])
    misfit = np.abs(rows @ solution + b)
    if misfit.size and misfit.max() > tolerance * (np.linalg.norm(solution) + np.abs(b).max()):
        row = int(np.argmax(misfit))
        raise AnalysisError(
            f"the constraints contradict each other, most of all number {row} (misfit {misfit[row]:.1e}); "
            "remove or correct one of them"
        )
    return solution


def _unit_rows(matrix: Array) -> Array:
    rows = np.asarray(matrix, dtype=float)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0.0, lengths, 1.0))
