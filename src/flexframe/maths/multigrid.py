"""Smoothed aggregation for definite stiffness matrices: one V-cycle stands in for K⁻¹, without any factors of K.

Neighbouring nodes are gathered in aggregates (pyamg), of which each keeps its part of some given motions, such as
those of a rigid body: T with TᵀT = 1. One step of Jacobi makes these smooth, P = (1 − ω/λ̄ D⁻¹A) T, and PᵀAP is the
matrix of the next level (Vaněk, Mandel & Brezina 1996). On each level Chebyshev polynomials of D⁻¹A for the upper
part of its spectrum smooth before and after, so that the cycle is symmetric and definite.

The finest level works in single precision and has the indices of K, so that it takes a third of the memory of K:
what single precision does to a correction is 1e-7 of it, whatever the condition of K.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.eigen_residuals import SEED
from flexframe.maths.graphs import alike_unknowns
from flexframe.maths.matrix_products import product
from flexframe.phases import phase

Block = NDArray[np.floating]

_COARSEST = 1_500  # unknowns whose matrix is factorised by LAPACK
_LEVELS = 12
_JACOBI = 4.0 / 3.0  # ω
_DEGREE = 3  # of the polynomials that smooth
_SMOOTHED = 8.0  # they smooth the part of the spectrum from λ̄ divided by this on
_POWER_STEPS = 12
_SAFE = 1.1  # times what the steps find of λ̄


@dataclass(frozen=True, eq=False)
class _Level:
    matrix: SparseMatrix
    inverse_diagonal: Block  # D⁻¹: (n, 1)
    largest: float  # λ̄, not below the eigenvalues of D⁻¹A
    prolongation: SparseMatrix  # P from the next level: (n, m)
    restriction: SparseMatrix  # Pᵀ


class MultigridCycle:
    """x ↦ one V-cycle for K x, on blocks (n, k)."""

    def __init__(self, matrix: SparseMatrix, motions: Array) -> None:
        """`matrix` is definite; `motions` (n, m) are what elements do not resist."""
        self._levels, self._coarsest = _levels(matrix, motions)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Unknowns of each level."""
        return (*(level.matrix.shape[0] for level in self._levels), len(self._coarsest))

    @phase("solves")
    def __call__(self, rhs: Array) -> Array:
        """About K⁻¹ rhs."""
        size = np.linalg.norm(rhs, axis=0)
        size = np.where(size > 0.0, size, 1.0)
        return np.asarray(self._correct(rhs / size, 0) * size, dtype=float)

    def _correct(self, rhs: Block, number: int) -> Block:
        if number == len(self._levels):
            return np.asarray(linalg.cho_solve((self._coarsest, True), rhs.astype(float)))
        level = self._levels[number]
        rhs = np.ascontiguousarray(rhs, dtype=level.matrix.dtype)
        x = _smooth(level, rhs)
        left = rhs - product(level.matrix, x)
        coarse = self._correct(product(level.restriction, left), number + 1)
        correction = product(level.prolongation, np.ascontiguousarray(coarse, dtype=rhs.dtype))
        x += correction
        left -= product(level.matrix, correction)
        x += _smooth(level, left)
        return x


def _smooth(level: _Level, rhs: Block) -> Block:
    """p(D⁻¹A) D⁻¹ rhs with 1 − λp(λ) the Chebyshev polynomial that is least between λ̄/8 and λ̄, one at zero."""
    upper, lower = level.largest, level.largest / _SMOOTHED
    middle, half = 0.5 * (upper + lower), 0.5 * (upper - lower)
    ratio = half / middle  # ρ₁
    step = level.inverse_diagonal * rhs / np.asarray(middle, rhs.dtype)
    x = step.copy()
    left = rhs
    for _ in range(_DEGREE - 1):
        left = left - product(level.matrix, step)
        following = 1.0 / (2.0 * middle / half - ratio)
        scaled = level.inverse_diagonal * left
        scaled *= np.asarray(2.0 * following / half, rhs.dtype)
        step *= np.asarray(following * ratio, rhs.dtype)
        step += scaled
        x += step
        ratio = following
    return x


@phase("factors")
def _levels(matrix: SparseMatrix, motions: Array) -> tuple[list[_Level], Array]:
    """Levels from fine to coarse, and Cholesky's factor of the coarsest matrix."""
    made: list[_Level] = []
    nodes = alike_unknowns(matrix)
    while matrix.shape[0] > _COARSEST and len(made) < _LEVELS:
        inverse = 1.0 / matrix.diagonal()
        largest = _largest_eigenvalue(matrix, inverse)
        tentative, motions, following = _tentative(matrix, nodes, motions)
        if tentative.shape[1] > 0.6 * matrix.shape[0]:
            break
        scaled = sparse.csr_array(matrix @ tentative)
        scaled.data *= np.repeat(-_JACOBI / largest * inverse, np.diff(scaled.indptr))
        smooth = sparse.csr_array(tentative + scaled)
        del tentative, scaled
        back = sparse.csr_array(smooth.T)
        coarse = sparse.csr_array(back @ sparse.csr_array(matrix @ smooth))
        if not made:
            matrix = sparse.csr_array(
                (matrix.data.astype(np.float32), matrix.indices, matrix.indptr), shape=matrix.shape
            )
            smooth, back = smooth.astype(np.float32), back.astype(np.float32)
        made.append(_Level(matrix, inverse[:, None].astype(matrix.dtype), largest, smooth, back))
        matrix, nodes = sparse.csr_array(0.5 * (coarse + coarse.T)), following
    return made, np.asarray(linalg.cholesky(matrix.toarray(), lower=True))


def _largest_eigenvalue(matrix: SparseMatrix, inverse: Array) -> float:
    """A little more than the largest eigenvalue of D⁻¹A, by powers of D^(−½)AD^(−½)."""
    root = np.sqrt(inverse)
    x = np.random.default_rng(SEED).standard_normal(len(root))
    size = 1.0
    for _ in range(_POWER_STEPS):
        x = root * np.asarray(matrix @ (root * (x / np.linalg.norm(x))))
        size = float(np.linalg.norm(x))
    return _SAFE * size


def _tentative(matrix: SparseMatrix, nodes: IntArray, motions: Array) -> tuple[SparseMatrix, Array, IntArray]:
    """T, the motions on the next level, and to which aggregate each of its unknowns belongs."""
    from pyamg.aggregation import fit_candidates, standard_aggregation

    count = int(nodes.max()) + 1
    members = sparse.csr_array((np.ones(len(nodes), dtype=np.int8), (nodes, np.arange(len(nodes)))))
    rows = matrix[np.unique(nodes, return_index=True)[1]]  # one of each node, which has the neighbours of all
    rows = sparse.csr_array((np.ones(rows.nnz, dtype=np.int8), rows.indices, rows.indptr), shape=rows.shape)
    graph = sparse.csr_array(rows @ members.T)
    gathered = sparse.csr_array(standard_aggregation(sparse.csr_matrix(graph, shape=(count, count)))[0])
    owner = np.zeros(count, dtype=np.int64)
    alone = np.diff(gathered.indptr) == 0
    owner[~alone] = gathered.indices
    owner[alone] = gathered.shape[1] + np.arange(np.count_nonzero(alone))  # a node without neighbours
    place = owner[nodes]
    many = int(owner.max()) + 1
    groups = sparse.csr_matrix((np.ones(len(place)), place, np.arange(len(place) + 1)), shape=(len(place), many))
    tentative, coarse = fit_candidates(groups, motions)
    tentative, coarse = sparse.csr_array(tentative), np.asarray(coarse)
    tentative.eliminate_zeros()
    kept = np.flatnonzero(np.diff(tentative.tocsc().indptr))  # an aggregate may have fewer motions than a body
    aggregate = np.repeat(np.arange(many), motions.shape[1])
    return sparse.csr_array(tentative[:, kept]), coarse[kept], np.unique(aggregate[kept], return_inverse=True)[1]
