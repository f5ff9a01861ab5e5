"""Sparse homogeneous equations solved for some of their unknowns, one equation at a time."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexframe.maths.arrays import IntArray, SparseMatrix

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
