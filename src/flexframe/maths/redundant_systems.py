"""Linear systems of many instants at once, also where constraints say the same thing twice."""

import numpy as np

from flexframe.maths.arrays import Array

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
