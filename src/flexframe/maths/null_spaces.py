"""Linear constraints: null spaces and particular solutions, redundant equations, sparse elimination.

Rows are scaled to unit length first, so a rank does not depend on the units in which a constraint is written.
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix


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


RANK_TOLERANCE = 1e-8
"""A singular value below this part of the largest counts as zero, where lengths and angles are comparable."""


def rank(singular_values: Array) -> int:
    """How many singular values count."""
    if not singular_values.size or singular_values[0] == 0:
        return 0
    return int(np.count_nonzero(singular_values > RANK_TOLERANCE * singular_values[0]))


def shortest(matrix: Array, right: Array) -> Array:
    """The shortest x that meets A x = b best, where A (m, n) may have redundant rows or free columns: (n,)."""
    if not right.any():
        return np.zeros(matrix.shape[1])
    U, s, Vt = np.linalg.svd(matrix, full_matrices=False)
    r = rank(s)
    return np.asarray(((right @ U[:, :r]) / s[:r]) @ Vt[:r])


def solved(matrices: Array, right: Array, known_rank: int) -> Array:
    """x with A x = b, the shortest of the best where A (T, m, n) has redundant rows or free columns: (T, n)."""
    _, m, n = matrices.shape
    if m == n == known_rank:
        return np.asarray(np.linalg.solve(matrices, right[..., None])[..., 0])
    U, s, Vt = np.linalg.svd(matrices, full_matrices=False)
    parts = np.einsum("tmr,tm->tr", U[..., :known_rank], right) / s[..., :known_rank]
    return np.einsum("trn,tr->tn", Vt[:, :known_rank], parts)


_NOTHING = 1e-10  # of the largest factor of an equation: what is left of one that others say already
_Terms = dict[int, float]


@dataclass(frozen=True, eq=False)
class Elimination:
    """x[pivots] = factors · x, where `factors` has zero columns for the pivots; `kept` are the equations used."""

    pivots: IntArray  # (r,)
    kept: IntArray  # (r,)
    factors: SparseMatrix  # (r, n)


def eliminate(equations: SparseMatrix) -> Elimination:
    """Solve equations (m, n) · x = 0, each for its unknown with the largest factor; redundant ones drop out."""
    found: dict[int, _Terms] = {}
    kept: list[int] = []
    rows = sparse.csr_array(equations)
    for row, (start, end) in enumerate(zip(rows.indptr[:-1].tolist(), rows.indptr[1:].tolist(), strict=True)):
        terms = dict(zip(rows.indices[start:end].tolist(), rows.data[start:end].tolist(), strict=True))
        size = max(map(abs, terms.values()), default=0.0)
        _substitute(terms, found, _NOTHING * size)
        if not terms:
            continue
        pivot = max(terms, key=lambda column: (abs(terms[column]), -column))
        factor = terms.pop(pivot)
        found[pivot] = {column: -value / factor for column, value in terms.items()}
        kept.append(row)
    for terms in reversed(found.values()):  # later equations solved for what earlier ones were left with
        _substitute(terms, found, 0.0)
    counts = [len(terms) for terms in found.values()]
    columns = np.array([column for terms in found.values() for column in terms], dtype=np.int64)
    values = np.array([value for terms in found.values() for value in terms.values()], dtype=float)
    places = (np.repeat(np.arange(len(counts)), counts), columns)
    factors = sparse.csr_array(sparse.coo_array((values, places), shape=(len(counts), rows.shape[1])))
    return Elimination(np.array(list(found), dtype=np.int64), np.array(kept, dtype=np.int64), factors)


def _substitute(terms: _Terms, found: dict[int, _Terms], least: float) -> None:
    """Put what is known in place of its unknowns; terms up to `least` are rounding."""
    waiting = [column for column in terms if column in found]
    while waiting:
        column = waiting.pop()
        factor = terms.pop(column, 0.0)
        if not factor:
            continue
        for other, value in found[column].items():
            if other in found:
                waiting.append(other)
            terms[other] = terms.get(other, 0.0) + factor * value
    for column in [column for column, value in terms.items() if abs(value) <= least]:
        del terms[column]
