"""The lowest modes of symmetric eigenproblems K φ = λ M φ, small or large, by shift and invert.

The lowest eigenvalues keep their digits although the highest are 10¹⁰ times larger.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import linalg

from flexframe.errors import AnalysisError
from flexframe.keeping import keep_part
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.block_lanczos import Operator, largest_pairs, working_bytes
from flexframe.maths.eigen_residuals import (
    SEED,
    check_count,
    relative_residuals,
    rounding_floor,
    with_largest_entry_positive,
)
from flexframe.maths.factor_kernels import Order
from flexframe.maths.factorisation import (
    Factorisation,
    MatrixTooLargeError,
    SingularMatrixError,
    count_negative,
    definite_factors,
    factorise,
)
from flexframe.maths.matrix_products import product, shifted
from flexframe.maths.rough_search import TooRoughError, rough_search
from flexframe.maths.solver_settings import cores_for_solver
from flexframe.phases import phase

# Dense LAPACK and Lanczos take the same time for 20 modes of a plane body of about 500 unknowns.
_DENSE_SYMMETRIC = 500
_LEAST_SINE_SQUARED = 1e-13  # some hundred roundings: what is left of a vector that depends on others
_SPARE = 4  # modes sought beyond the wanted ones, to find a gap to count below


@dataclass(frozen=True, eq=False)
class SymmetricModes:
    """Lowest eigenpairs of K φ = λ M φ, ascending; φᵀMφ = 1 and the largest entry of φ is positive.

    Shapes: eigenvalues (k,), vectors (n, k), residuals (k,). `confirmed` tells whether the inertia of
    K − σM just above the last eigenvalue proves that none was missed; None where it is not available. `bounds`
    (k, 2) are the lowest and highest possible value of each eigenvalue where they were sought, NaN where unknown.
    """

    eigenvalues: Array
    vectors: Array
    residuals: Array
    method: str
    confirmed: bool | None
    bounds: Array | None = None


def symmetric_modes(
    stiffness: SparseMatrix,
    mass: SparseMatrix,
    count: int,
    *,
    rigid_modes: Array | None = None,
    near_null: Callable[[], Array] | None = None,
    confirm: bool = True,
) -> SymmetricModes:
    """The lowest `count` modes of a symmetric K, which may be singular or indefinite, and M ≥ 0.

    `rigid_modes` (n, r) are motions that K does not resist: they are returned as they are (made
    M-orthonormal, with their Rayleigh quotients) and the other modes are sought M-orthogonal to them.
    `confirm` pays one more factorisation for the proof that no mode was missed. Where factors do not fit into
    memory, the modes are found by substructures, or without factors by algebraic multigrid, to which the motions
    that elements do not resist, `near_null()` (n, k), are a help; what was done is said in `method`.
    """
    check_count(count, stiffness.shape[0])
    return keep_part(
        "symmetric modes",
        (stiffness, mass, count, rigid_modes, confirm),
        lambda: _symmetric_modes(stiffness, mass, count, rigid_modes, near_null, confirm=confirm),
    )


def _symmetric_modes(
    stiffness: SparseMatrix,
    mass: SparseMatrix,
    count: int,
    rigid_modes: Array | None,
    near_null: Callable[[], Array] | None,
    *,
    confirm: bool,
) -> SymmetricModes:
    try:
        with cores_for_solver(stiffness.shape[0]):
            return _direct_modes(stiffness, mass, count, rigid_modes, confirm=confirm)
    except MatrixTooLargeError as error:
        from flexframe.maths.small_memory import modes_within_memory  # seldom needed

        return modes_within_memory(
            stiffness, mass, count, rigid_modes=rigid_modes, near_null=near_null, direct=error.needed
        )


def _direct_modes(
    stiffness: SparseMatrix, mass: SparseMatrix, count: int, rigid_modes: Array | None, *, confirm: bool
) -> SymmetricModes:
    size = stiffness.shape[0]
    rigid = np.empty((size, 0)) if rigid_modes is None else mass_orthonormal(rigid_modes, mass)
    wanted = max(count - rigid.shape[1], 0)
    rigid_values = np.einsum("ij,ij->j", rigid, stiffness @ rigid)
    values, vectors = np.empty(0), np.empty((size, 0))
    confirmed: bool | None = True
    method = "rigid modes as given"
    if wanted and (found := _rough_modes(stiffness, mass, wanted, rigid, confirm=confirm)) is not None:
        values, vectors, confirmed, method = found
    elif wanted:
        scale = spectrum_scale(stiffness, mass, wanted, rigid)
        if size <= _DENSE_SYMMETRIC or wanted > size // 4:
            values, vectors = _dense_symmetric(stiffness, mass, wanted, scale.shift, rigid)
            method = f"LAPACK with shift {scale.shift:.3g}"
        else:
            method = f"Lanczos with shift {scale.shift:.3g}, {scale.factors.solver}"
            search = _LanczosSearch(_Pencil(stiffness, mass, scale.shift, rigid), scale.factors)
            values, vectors, confirmed = _counted_modes(search, search.pencil, wanted, confirm=confirm)
        scale.factors.close()
    values = np.concatenate([rigid_values, values])
    vectors = mass_orthonormal(np.hstack([rigid, vectors]), mass)
    order = np.argsort(values, kind="stable")[:count]
    values, vectors = values[order], with_largest_entry_positive(vectors[:, order])
    residuals = relative_residuals(
        product(stiffness, vectors), -values * product(mass, vectors), floor=rounding_floor(stiffness, vectors)
    )
    return SymmetricModes(values, vectors, residuals, method, confirmed)


@phase("count")
def count_below(stiffness: SparseMatrix, mass: SparseMatrix, value: float) -> int | None:
    """How many eigenvalues of K φ = λ M φ lie below `value`, from the signs of the pivots of K − value·M.

    None where the factorisation does not tell. At an eigenvalue itself the count is that just below it.
    """
    step = 1e-9 * max(abs(value), 1e-6 * diagonal_ratio(stiffness, mass))
    for _ in range(6):
        try:
            with factorise(shifted(stiffness, mass, value), "symmetric") as factors:
                return factors.negative_pivots
        except SingularMatrixError:
            value -= step
            step *= 10.0
    return None


def mass_orthonormal(vectors: Array, mass: SparseMatrix) -> Array:
    """Gram–Schmidt in the inner product of M by Cholesky, twice for full accuracy; the order is kept."""
    for _ in range(2):
        gram = vectors.T @ product(mass, vectors)
        try:
            factor = linalg.cholesky(0.5 * (gram + gram.T), lower=True)
            # sin² of the angle between a vector and those before it; rounding leaves a dependent one a little
            independent = bool((np.diag(factor) ** 2 > _LEAST_SINE_SQUARED * np.diag(gram)).all())
        except linalg.LinAlgError:
            independent = False
        if not independent:
            raise AnalysisError("the modes are not independent in the mass matrix; give each motion once")
        vectors = linalg.solve_triangular(factor, vectors.T, lower=True).T
    return np.asarray(vectors)


def diagonal_ratio(stiffness: SparseMatrix, mass: SparseMatrix) -> float:
    """A typical local eigenvalue, near the top of the spectrum."""
    m, k = mass.diagonal(), np.abs(stiffness.diagonal())
    heavy = m > 0.0
    ratios = k[heavy] / m[heavy]
    # of few coordinates most may be rigid motions, whose stiffness is rounding
    ratios = ratios[ratios > 1e-12 * ratios.max(initial=0.0)]
    return float(np.median(ratios)) if ratios.size else 1.0


@dataclass(frozen=True, eq=False)
class SpectrumScale:
    """A shift below the spectrum, K − shift·M factorised, and the lowest nonzero |λ| if it was needed for that."""

    shift: float
    factors: Factorisation
    lowest: float | None


def spectrum_scale(stiffness: SparseMatrix, mass: SparseMatrix, count: int, rigid: Array) -> SpectrumScale:
    """Zero for a definite K; else −τ with K + τM definite and τ a fraction of the highest wanted eigenvalue.

    Too small a τ drowns the elastic modes in the rigid ones, too large a τ makes Lanczos slow; anything
    between 5e-5 and 0.15 of the last eigenvalue does. Block inverse iteration estimates that one from above.
    """
    size = stiffness.shape[0]
    columns = min(max(count, 6) + 4, size - rigid.shape[1])
    beside = working_bytes(size, count, _SPARE) if size > _DENSE_SYMMETRIC else 0.0
    # K is singular if something moves freely
    factors = None if rigid.shape[1] else definite_factors(stiffness, beside=beside, whole=True)
    if factors is not None:
        return SpectrumScale(0.0, factors, None)
    block = np.random.default_rng(SEED).standard_normal((size, columns))
    tau, too_low = 1e-6 * diagonal_ratio(stiffness, mass), 0.0
    order = None
    for _ in range(20):
        factors = definite_factors(shifted(stiffness, mass, -tau), order=order, beside=beside, whole=True)
        if factors is None:
            tau, too_low = 30.0 * tau, tau
            continue
        order = factors.order
        estimates, block = _ritz_values(factors, mass, block, rigid, tau)
        # Estimates carry rounding of τ; what is smaller may be zero, or may show itself with a smaller τ.
        known = np.abs(estimates) > 1e-9 * tau
        last = known[count - 1]
        lowest = float(np.abs(estimates[known]).min()) if known.any() else tau
        if not last and too_low == 0.0:
            goal = 1e-3 * tau
        else:
            goal = 0.05 * (float(np.abs(estimates[count - 1])) if last else lowest)
            goal = max(goal, -1.5 * float(estimates[0]))
            if 1e-3 * goal <= tau <= 3.0 * goal or tau < 4.0 * too_low:
                return SpectrumScale(-tau, factors, lowest)
        factors.close()
        tau = max(goal, float(np.sqrt(tau * too_low)))
    raise AnalysisError(
        "no multiple of the mass makes the stiffness definite; check the model for parts with neither"
    )


def lowest_eigenvalue(stiffness: SparseMatrix, mass: SparseMatrix, count: int) -> float:
    """The size of the lowest nonzero eigenvalue of K φ = λ M φ, roughly; `count` is how many will be wanted."""
    size = stiffness.shape[0]
    nothing = np.empty((size, 0))
    scale = spectrum_scale(stiffness, mass, count, nothing)
    lowest = scale.lowest
    if lowest is None:
        block = np.random.default_rng(SEED).standard_normal((size, min(2, size)))
        lowest = float(_ritz_values(scale.factors, mass, block, nothing, 0.0)[0][0])
    scale.factors.close()
    return lowest


def _ritz_values(
    factors: Factorisation, mass: SparseMatrix, block: Array, rigid: Array, tau: float
) -> tuple[Array, Array]:
    """Two steps of inverse iteration; λ ≈ 1/μ − τ from the projection of (K + τM)⁻¹M, ascending."""
    for _ in range(2):
        block = factors.solve(mass @ block)
        block = block - rigid @ (rigid.T @ (mass @ block))
        block = linalg.qr(block / np.linalg.norm(block, axis=0), mode="economic")[0]
    moved = mass @ block
    inverse = moved.T @ factors.solve(moved)
    gram = block.T @ moved
    mu, turn = linalg.eigh(0.5 * (inverse + inverse.T), 0.5 * (gram + gram.T))
    mu, turn = mu[::-1], turn[:, ::-1]
    return np.asarray(1.0 / mu - tau), np.asarray(block @ turn)


def _dense_symmetric(
    stiffness: SparseMatrix, mass: SparseMatrix, count: int, shift: float, rigid: Array
) -> tuple[Array, Array]:
    """M φ = μ (K − σM) φ with the definite matrix on the right; the largest μ = 1/(λ − σ) come first."""
    size = stiffness.shape[0]
    dense_mass = mass.toarray()
    definite = (stiffness - shift * mass).toarray()
    if rigid.shape[1]:
        # Take the rigid motions out of the left side: they become μ = 0 and stay out of the way.
        moved = mass @ rigid
        dense_mass = dense_mass - moved @ moved.T
    mu, vectors = linalg.eigh(dense_mass, definite, subset_by_index=[size - count, size - 1])
    mu, vectors = mu[::-1], vectors[:, ::-1]
    if mu[-1] <= size * np.finfo(float).eps * mu[0]:
        finite = int(np.count_nonzero(mu > size * np.finfo(float).eps * mu[0]))
        raise AnalysisError(
            f"only {finite + rigid.shape[1]} modes have a finite frequency; ask for no more, or add mass"
        )
    return shift + 1.0 / mu, vectors


@dataclass(frozen=True, eq=False)
class _Pencil:
    """K and M, a shift below the spectrum, and the motions known beforehand."""

    stiffness: SparseMatrix
    mass: SparseMatrix
    shift: float
    rigid: Array


class _Search(Protocol):
    """A way to find modes of a pencil and to count them."""

    def modes(self, count: int, found: Array) -> tuple[Array, Array]:
        """Modes M-orthogonal to the rigid ones and to those found, ascending; `count` of them accurate."""
        ...

    def count_roughly(self, value: float) -> int | None:
        """Eigenvalues below `value` by single precision; None where it fails."""
        ...


class _LanczosSearch:
    """By factors of K − shift·M in double precision; never are two factorisations in memory."""

    def __init__(self, pencil: _Pencil, factors: Factorisation) -> None:
        self.pencil = pencil
        self._factors: Factorisation | None = factors
        self._order: Order | None = None

    def modes(self, count: int, found: Array) -> tuple[Array, Array]:
        """By block Lanczos."""
        pencil, factors = self.pencil, self._factors
        if factors is None:
            matrix = shifted(pencil.stiffness, pencil.mass, pencil.shift)
            factors = factorise(matrix, "spd", order=self._order, whole=True)
        self._order, self._factors = factors.order, None
        with factors:
            known = np.hstack([pencil.rigid, found])
            operator = Operator(factors.solve, pencil.mass, known)
            spare = min(_SPARE, pencil.mass.shape[0] - known.shape[1] - count)
            theta, vectors = largest_pairs(operator, count, spare=spare, seed=SEED + found.shape[1])
            if len(theta) < count:
                finite = len(theta) + known.shape[1]
                raise AnalysisError(f"only {finite} modes have a finite frequency; ask for no more, or add mass")
            # One more step of inverse iteration takes out what the residuals amplify, the part of high frequency.
            polished = factors.solve(product(pencil.mass, vectors))
        return pencil.shift + 1.0 / theta, polished / theta

    def count_roughly(self, value: float) -> int | None:
        """By a factorisation of its own, in the same order."""
        return count_negative(shifted(self.pencil.stiffness, self.pencil.mass, value), self._order)


def _rough_modes(
    stiffness: SparseMatrix, mass: SparseMatrix, wanted: int, rigid: Array, *, confirm: bool
) -> tuple[Array, Array, bool | None, str] | None:
    """By factors in single precision: values, vectors, whether counted, how. None where they do not do."""
    if rigid.shape[1] or wanted > stiffness.shape[0] // 4:
        return None
    search = rough_search(stiffness, mass, wanted, _SPARE)
    if search is None:
        return None
    try:
        pencil = _Pencil(stiffness, mass, 0.0, rigid)
        return *_counted_modes(search, pencil, wanted, confirm=confirm), search.method
    except TooRoughError:
        return None
    finally:
        search.close()


def _counted_modes(
    search: _Search, pencil: _Pencil, wanted: int, *, confirm: bool
) -> tuple[Array, Array, bool | None]:
    """The `wanted` lowest modes; the eigenvalues below a gap after them are counted, missing ones sought."""
    values, vectors = search.modes(wanted, np.empty((pencil.mass.shape[0], 0)))
    confirmed: bool | None = None
    accurate = wanted  # so many come first, those that only tell a gap after them
    for _ in range(5 if confirm and len(values) > wanted else 0):
        ascending = np.sort(values)
        last = wanted - 1 + int(np.argmax(np.diff(ascending[wanted - 1 :])))
        between = 0.5 * float(ascending[last] + ascending[last + 1])
        missing = accurate  # a cluster of equal eigenvalues has no gap yet to count below
        if ascending[last + 1] - ascending[last] > 1e-5 * abs(between):
            expected = pencil.rigid.shape[1] + last + 1
            below = _confirmed_count(search, pencil, between, expected)
            if below is None:
                break
            confirmed, missing = below == expected, below - expected
            if missing <= 0:
                break
        found = mass_orthonormal(vectors[:, :accurate], pencil.mass)
        more, extra = search.modes(missing, found)
        values, vectors = np.concatenate([values[:accurate], more]), np.hstack([found, extra])
        accurate += missing
    lowest = np.argsort(values)[:wanted]
    return values[lowest], vectors[:, lowest], confirmed


def _confirmed_count(search: _Search, pencil: _Pencil, value: float, expected: int) -> int | None:
    """Eigenvalues below `value`: if single precision counts as many as expected that settles it."""
    if search.count_roughly(value) == expected:
        return expected
    try:
        return count_below(pencil.stiffness, pencil.mass, value)
    except MatrixTooLargeError:
        return None
