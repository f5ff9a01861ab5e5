"""The lowest modes of conservative gyroscopic eigenproblems (λ²M + λG + K) φ = 0, G skew, K definite.

All eigenvalues are ±iω. With x = (φ, λφ) they are those of a skew operator in the inner product of diag(K, M), and
their number below a frequency is the number of negative eigenvalues of the Hermitian K + iωG − ω²M. Both hold on
a real basis, too, so that one factorisation of K serves as it does at rest: the modes without G are the first
basis, and the corrections d = K⁻¹ (K + iωG − ω²M) φ of the pairs that are not yet accurate make it larger. |d| in
the norm of the mass is the error that a step of inverse iteration sees. K itself is never multiplied, whose
rounding would hide slow modes: K d is known from what d was solved for. Where factors in single precision do, K is
definite by such a margin that it can be multiplied, and d need not be exact.
"""

from contextlib import closing
from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from flexframe.maths.arrays import Array, ComplexArray, SparseMatrix
from flexframe.maths.block_lanczos import Operator, largest_pairs, working_bytes
from flexframe.maths.eigen_residuals import SEED
from flexframe.maths.factor_kernels import Order
from flexframe.maths.factorisation import (
    Factorisation,
    RoughFactors,
    SingularMatrixError,
    count_negative,
    factorise,
    rough_factors,
)
from flexframe.maths.matrix_products import product

_SPARE = 4  # pairs beyond the wanted ones, to find a gap to count below
_STARTS = (1, 2, 4)  # modes without G for each pair sought; more where rotation has brought others below
_TOLERANCE = 1e-8  # of |φ − u| in the norm of the mass; the error of ω is its square
_ROUGH = 1e-3  # the same for the spare pairs
_DRIFT = 1e-9  # of ω, relative, after which a pair that was accurate is looked at again
_ROOM = 10  # columns of a basis before a restart, in numbers of pairs
_PASSES = 40
_GAP = 1e-5  # between two frequencies, relative, so that a count between them is safe
_DEPENDENT = 1e-8  # part of the square of a column that must be new for it to count; less is mostly rounding


@dataclass(frozen=True, eq=False)
class ConservativeModes:
    """ω ascending (k,), φ (n, k) of λ = iω, and whether a count proves that none is missing (None: it cannot)."""

    frequencies: Array
    vectors: ComplexArray
    method: str
    confirmed: bool | None


def conservative_modes(
    mass: SparseMatrix, gyroscopic: SparseMatrix, stiffness: SparseMatrix, count: int, order: Order | None = None
) -> ConservativeModes | None:
    """The lowest `count` modes of a definite K; None where K is not definite, or a mode stays hidden.

    `order` is that of a factorisation of a matrix of nearly the pattern of K.
    """
    size = mass.shape[0]
    if 2 * _ROOM * (count + _SPARE) > size:
        return None
    beside = max(4 * 8.0 * size * _ROOM * (count + _SPARE), working_bytes(size, 0, count + _SPARE))
    factors: RoughFactors | Factorisation | None = rough_factors(stiffness, beside, order)
    if factors is None:
        try:
            factors = factorise(stiffness, "spd", order=order, beside=beside)
        except SingularMatrixError:
            return None
    with closing(factors):
        if factors.negative_pivots != 0:
            return None
        problem = _Problem(mass, gyroscopic, stiffness, factors)
        for start in _STARTS:
            found = _search(problem, count, start)
            if found is None:
                return None
            frequencies, vectors = found
            confirmed = _confirm(problem, count, frequencies)
            if confirmed is not False:
                break
        else:
            return None
        name = f"modes without gyroscopic terms and what these add, {factors.solver}"
    return ConservativeModes(frequencies[:count], vectors, name, confirmed)


def modes_below(
    mass: SparseMatrix,
    gyroscopic: SparseMatrix,
    stiffness: SparseMatrix,
    frequency: float,
    *,
    expected: int | None = None,
    order: Order | None = None,
) -> int | None:
    """Negative eigenvalues of K + iωG − ω²M: the modes below ω where K is definite; None if not to be had.

    If single precision counts as many as `expected` that settles it; `order` is that of a factorisation of K. Else
    the pivots of the real form of twice the size are counted in double precision.
    """
    for _ in range(5):
        A, B = sparse.csr_array(stiffness - frequency**2 * mass), sparse.csr_array(frequency * gyroscopic)
        hermitian = sparse.csr_array(A + 1j * B) if B.nnz else A
        if expected is not None and count_negative(hermitian, order) == expected:
            return expected
        real = sparse.csr_array(sparse.block_array([[A, -B], [B, A]])) if B.nnz else A
        try:
            with factorise(real, "symmetric") as factors:
                count = factors.negative_pivots
        except SingularMatrixError:
            frequency *= 1 + 1e-7
            continue
        return count if count is None or not B.nnz else count // 2
    return None


@dataclass(frozen=True, eq=False)
class _Problem:
    """M, G, K, and the factors of K."""

    mass: SparseMatrix
    gyroscopic: SparseMatrix
    stiffness: SparseMatrix
    factors: Factorisation | RoughFactors

    def forces(self, columns: Array, solved_for: Array) -> Array:
        """K u of some columns u = K⁻¹f."""
        return product(self.stiffness, columns) if isinstance(self.factors, RoughFactors) else solved_for


def _search(problem: _Problem, count: int, starts: int) -> tuple[Array, ComplexArray] | None:
    """ω of `count` accurate pairs and the spare ones, and φ of the accurate ones."""
    pairs = count + _SPARE
    operator = Operator(problem.factors.solve, problem.mass, np.empty((problem.mass.shape[0], 0)))
    _, start = largest_pairs(operator, 0, spare=starts * pairs, seed=SEED)
    subspace = _Subspace(problem, (_ROOM + starts) * pairs)
    subspace.extend(problem.factors.solve(moved := product(problem.mass, start)), moved)
    accurate = np.arange(pairs) < count
    limits, drifts = np.where(accurate, _TOLERANCE, _ROUGH), np.where(accurate, _DRIFT, _ROUGH)
    settled, found = np.full(pairs, np.nan), np.empty((problem.mass.shape[0], pairs), dtype=np.complex128)
    for _ in range(_PASSES):
        try:
            frequencies, amounts = subspace.ritz(pairs)
        except linalg.LinAlgError:  # K is definite by a hair: rounding has won
            return None
        wanted = np.flatnonzero(~(np.abs(frequencies - settled) <= drifts * frequencies))
        if not len(wanted):
            return frequencies, found[:, :count]
        half = len(wanted)
        vectors, forces = subspace.residuals(frequencies[wanted], amounts[:, wanted])
        corrections = problem.factors.solve(forces)
        squares = np.einsum("ij,ij->j", corrections, product(problem.mass, corrections))
        late = np.sqrt(squares[:half] + squares[half:]) > limits[wanted]
        vectors -= corrections
        found[:, wanted[~late]] = vectors[:, :half][:, ~late] + 1j * vectors[:, half:][:, ~late]
        settled[wanted] = np.where(late, np.nan, frequencies[wanted])
        if late.any():
            both = np.tile(late, 2)
            if not subspace.has_room(int(both.sum())):
                subspace.restart(amounts)
            subspace.extend(corrections[:, both], forces[:, both])
    return None


class _Subspace:
    """M-orthonormal columns V with M V, G V and K V, and VᵀGV, VᵀKV."""

    def __init__(self, problem: _Problem, capacity: int) -> None:
        self._problem = problem
        size = problem.mass.shape[0]
        self._columns, self._mass, self._gyroscopic, self._stiffness = (
            np.empty((size, capacity), order="F") for _ in range(4)
        )
        self._small_gyroscopic, self._small_stiffness = (np.zeros((capacity, capacity)) for _ in range(2))
        self._used = 0

    def has_room(self, count: int) -> bool:
        """Whether so many columns can be added."""
        return self._used + count <= self._columns.shape[1]

    def extend(self, columns: Array, forces: Array) -> None:
        """Take up what is new in some columns u, solutions of K u = forces."""
        forces = self._problem.forces(columns, forces)
        old = slice(0, self._used)
        amounts = self._mass[:, old].T @ columns
        columns = columns - self._columns[:, old] @ amounts
        again = self._mass[:, old].T @ columns
        columns -= self._columns[:, old] @ again
        amounts += again
        forces = forces - self._stiffness[:, old] @ amounts
        moved = product(self._problem.mass, columns)
        gram = columns.T @ moved
        new = np.diag(gram) > _DEPENDENT * (np.diag(gram) + np.einsum("ij,ij->j", amounts, amounts))
        columns, moved, forces, gram = columns[:, new], moved[:, new], forces[:, new], gram[np.ix_(new, new)]
        scale = np.sqrt(np.diag(gram))
        values, turn = linalg.eigh(0.5 * (gram + gram.T) / np.outer(scale, scale))
        turn = turn[:, values > _DEPENDENT] / np.sqrt(values[values > _DEPENDENT]) / scale[:, None]
        self._put_columns(columns @ turn, moved @ turn, forces @ turn)

    def _put_columns(self, columns: Array, moved: Array, forces: Array) -> None:
        new = slice(self._used, self._used + columns.shape[1])
        self._columns[:, new], self._mass[:, new], self._stiffness[:, new] = columns, moved, forces
        self._gyroscopic[:, new] = product(self._problem.gyroscopic, columns)
        self._used = new.stop
        all_columns = self._columns[:, : self._used]
        for small, large in (
            (self._small_gyroscopic, self._gyroscopic),
            (self._small_stiffness, self._stiffness),
        ):
            small[: self._used, new] = all_columns.T @ large[:, new]
            sign = -1.0 if small is self._small_gyroscopic else 1.0
            small[new, : self._used] = sign * small[: self._used, new].T

    def ritz(self, count: int) -> tuple[Array, ComplexArray]:
        """ω ascending and amounts y (m, k) with |Vy| = 1 in the norm of the mass.

        With VᵀKV = LLᵀ the pairs are those of the Hermitian i[[L⁻¹GL⁻ᵀ, L⁻¹], [−L⁻ᵀ, 0]], eigenvalues −1/ω.
        """
        m = self._used
        stiffness = self._small_stiffness[:m, :m]
        inverse = linalg.solve_triangular(
            linalg.cholesky(0.5 * (stiffness + stiffness.T), lower=True), np.eye(m), lower=True
        )
        skew = np.zeros((2 * m, 2 * m))
        skew[:m, :m] = inverse @ self._small_gyroscopic[:m, :m] @ inverse.T
        skew[:m, m:], skew[m:, :m] = inverse, -inverse.T
        values, vectors = linalg.eigh(1j * skew, subset_by_index=[0, count - 1])
        amounts = inverse.T @ vectors[:m]
        return -1.0 / values, amounts / np.linalg.norm(amounts, axis=0)

    def residuals(self, frequencies: Array, amounts: ComplexArray) -> tuple[Array, Array]:
        """φ = Vy and (K + iωG − ω²M)φ, real parts of all and then imaginary parts."""
        parts, crossed = np.hstack([amounts.real, amounts.imag]), np.hstack([-amounts.imag, amounts.real])
        rates = np.tile(frequencies, 2)
        forces = self._stiffness[:, : self._used] @ parts
        forces -= (self._mass[:, : self._used] @ parts) * rates**2
        forces += (self._gyroscopic[:, : self._used] @ crossed) * rates
        return self._columns[:, : self._used] @ parts, forces

    def restart(self, amounts: ComplexArray) -> None:
        """Keep the pairs alone."""
        turn = linalg.qr(np.hstack([amounts.real, amounts.imag]), mode="economic", pivoting=True)
        kept = turn[0][:, np.abs(np.diag(turn[1])) > np.sqrt(_DEPENDENT)]
        columns, moved, forces = (a[:, : self._used] @ kept for a in (self._columns, self._mass, self._stiffness))
        self._used = 0
        self._put_columns(columns, moved, forces)


def _confirm(problem: _Problem, count: int, frequencies: Array) -> bool | None:
    """Whether as many modes lie below a gap after the wanted ones as were found."""
    last = count - 1 + int(np.argmax(np.diff(frequencies[count - 1 :])))
    between = 0.5 * float(frequencies[last] + frequencies[last + 1])
    if frequencies[last + 1] - frequencies[last] < _GAP * between:
        return False
    matrices = (problem.mass, problem.gyroscopic, problem.stiffness)
    below = modes_below(*matrices, between, expected=last + 1, order=problem.factors.order)
    return None if below is None else below == last + 1
