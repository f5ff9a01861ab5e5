"""The lowest modes of quadratic (gyroscopic) eigenproblems (λ²M + λC + K) φ = 0, small or large.

They are solved by shift and invert of the linearised problem, so that a defective zero (the rigid rotation of a
free spinning body) comes out at about 1e-8 of the lowest frequencies, not of the highest.
"""

from dataclasses import dataclass

import numpy as np

from flexframe.keeping import keep_part
from flexframe.maths.arrays import Array, ComplexArray, SparseMatrix
from flexframe.maths.eigen_residuals import check_count, is_skew, is_symmetric, with_largest_entry_positive
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.maths.factor_kernels import Order
from flexframe.maths.factorisation import SingularMatrixError, factorise
from flexframe.maths.gyroscopic_eigenproblems import ConservativeModes, conservative_modes
from flexframe.maths.quadratic_operator import Quadratic, frequency_scale, quadratic_residuals, shift_invert
from flexframe.maths.quadratic_search import arnoldi_states, dense_states, well_shifted
from flexframe.maths.solver_settings import cores_for_solver

# Dense LAPACK and Arnoldi take the same time for 20 modes of a plane body at about 150 unknowns; the limit is a
# little higher because a dense solution also sees every unstable mode.
_DENSE_QUADRATIC = 200
_ZERO_LEVEL = 1e-5  # |λ| below this part of the lowest frequencies is a zero that rounding has split
_KNOWN_ZERO_LEVEL = 1e-3  # the same where a zero is known to be there
_REFINED_ABOVE = 1e-7  # residual that calls for Newton steps; rounding alone leaves up to √eps


@dataclass(frozen=True, eq=False)
class QuadraticModes:
    """Eigenpairs of (λ²M + λC + K) φ = 0 by ascending |λ|; one of each conjugate pair, that with Im λ > 0.

    Shapes: eigenvalues (k,), vectors (n, k) with φᴴMφ = 1, residuals (k,). Real eigenvalues stand for
    themselves. A multiple zero counts once for every two. `confirmed` tells whether a count of the eigenvalues of
    conservative equations, or a search beside the modes found, says that none was missed (always true for a
    dense solution); None where the count is not to be had.
    """

    eigenvalues: ComplexArray
    vectors: ComplexArray
    residuals: Array
    method: str
    confirmed: bool | None


def quadratic_modes(
    mass: SparseMatrix,
    damping: SparseMatrix,
    stiffness: SparseMatrix,
    count: int,
    *,
    target: complex | None = None,
    known: Array | None = None,
    simple_zeros: int = 0,
    order: Order | None = None,
) -> QuadraticModes:
    """The lowest `count` modes of λ²M + λC + K, M positive definite, C and K any real matrices.

    With `target` the modes nearest to it instead, nearest first. Unstable eigenvalues (Re λ > 0) that were
    found beyond `count` are returned too, after the others. `known` (2n, k) are real states (φ, φ̇) that span an
    invariant subspace; its eigenvalues are left out, as are `simple_zeros` zeros that are the other half of zeros
    in it. `order` is that of a factorisation of a matrix of nearly the pattern of K, to spare the search for one.
    """
    check_count(count, mass.shape[0])

    def compute() -> QuadraticModes:
        with cores_for_solver(mass.shape[0]):
            return _quadratic_modes(mass, damping, stiffness, count, target, known, simple_zeros, order)

    return keep_part(
        "quadratic modes",
        (mass, damping, stiffness, count, target, known, simple_zeros),
        compute,
    )


def _quadratic_modes(  # noqa: PLR0917
    mass: SparseMatrix,
    damping: SparseMatrix,
    stiffness: SparseMatrix,
    count: int,
    target: complex | None,
    known: Array | None,
    simple_zeros: int,
    order: Order | None,
) -> QuadraticModes:
    size = mass.shape[0]
    if target is None and abs(damping).max() == 0.0 and is_symmetric(stiffness):
        return _undamped_modes(mass, stiffness, count)
    dense = size <= _DENSE_QUADRATIC or 2 * count + 8 > size // 2
    bound = simple_zeros > 0 or (known is not None and known.shape[1] > 0)
    if target is None and not dense and not bound and is_skew(damping) and is_symmetric(stiffness):
        found = conservative_modes(mass, damping, stiffness, count, order)
        if found is not None:
            return _imaginary_modes(mass, damping, stiffness, found)
    problem = Quadratic.scaled(mass, damping, stiffness, np.empty((2 * size, 0)) if known is None else known)
    operator = shift_invert(problem, target, count)
    first_scale = operator.scale
    if target is None and not dense:
        operator = well_shifted(operator, count)
    if dense:
        theta, states = dense_states(operator)
        method, confirmed = f"LAPACK with shift {operator.shift:.3g}", True
    else:
        theta, states, confirmed = arnoldi_states(operator, count, lowest=target is None)
        method = f"Arnoldi with shift {operator.shift:.3g}, {operator.factors.solver}"
    operator.factors.close()
    keep = np.abs(theta) > np.finfo(float).eps * np.abs(theta).max()
    values, vectors = operator.shift + 1.0 / theta[keep], states[:size, keep]
    centre = 0.0 if target is None else target
    slowest = np.argsort(np.abs(values))[:simple_zeros]
    halves = slowest[np.abs(values[slowest]) < _KNOWN_ZERO_LEVEL * first_scale]
    values, vectors = np.delete(values, halves), np.delete(vectors, halves, axis=1)
    values, vectors = _one_of_each_pair(values, vectors, _ZERO_LEVEL * operator.scale)
    listed = np.lexsort((-values.real, np.round(np.abs(values - centre) / operator.scale, 9)))
    unstable = values.real > 1e-7 * np.abs(values) + _ZERO_LEVEL * operator.scale
    listed = np.concatenate([listed[:count], [i for i in listed[count:] if unstable[i]]]).astype(int)
    values, vectors, residuals = _refine(problem, values[listed], vectors[:, listed])
    return QuadraticModes(values, _normalised(problem.unscale(vectors), mass), residuals, method, confirmed)


def _imaginary_modes(
    mass: SparseMatrix, damping: SparseMatrix, stiffness: SparseMatrix, found: ConservativeModes
) -> QuadraticModes:
    """Modes λ = iω of conservative equations, with their residuals."""
    values, vectors = 1j * found.frequencies.astype(np.complex128), _normalised(found.vectors, mass)
    residuals = quadratic_residuals(mass, damping, stiffness, values, vectors)
    return QuadraticModes(values, vectors, residuals, found.method, found.confirmed)


def _normalised(vectors: ComplexArray, mass: SparseMatrix) -> ComplexArray:
    """Columns with φᴴMφ = 1 whose largest entries are real and positive."""
    vectors = vectors / np.sqrt(np.einsum("ij,ij->j", vectors.conj(), np.asarray(mass @ vectors)).real)
    return with_largest_entry_positive(vectors)


def _one_of_each_pair(
    values: ComplexArray, vectors: ComplexArray, zero: float
) -> tuple[ComplexArray, ComplexArray]:
    """Im λ > 0 for its pair, reals as they are, zeros (|λ| < zero) once for two, the largest real parts."""
    size = np.abs(values)
    real = np.abs(values.imag) <= 1e-10 * size
    values = np.where(real, values.real + 0j, values)
    is_zero = size < zero
    zeros = np.flatnonzero(is_zero)
    zeros = zeros[np.lexsort((-values[zeros].imag, -values[zeros].real))][: (len(zeros) + 1) // 2]
    upper = np.flatnonzero(~is_zero & (values.imag > 0.0))
    lower = np.flatnonzero(~is_zero & (values.imag < 0.0))
    # A complex shift may have found the lower one of a pair only.
    partners = list(values[upper])
    alone = []
    for i in lower:
        match = next((p for p in partners if abs(p - values[i].conjugate()) < 1e-6 * size[i]), None)
        if match is None:
            alone.append(i)
        else:
            partners.remove(match)
    kept = np.concatenate([zeros, np.flatnonzero(~is_zero & real), upper]).astype(int)
    single = np.array(alone, dtype=int)
    return (
        np.concatenate([values[kept], values[single].conj()]),
        np.hstack([vectors[:, kept], vectors[:, single].conj()]),
    )


def _refine(
    problem: Quadratic, values: ComplexArray, vectors: ComplexArray
) -> tuple[ComplexArray, ComplexArray, Array]:
    """Newton steps P(λ) y = P'(λ) φ, λ ← λ − φᴴφ/φᴴy, where a residual is not small."""
    vectors = vectors / np.linalg.norm(vectors, axis=0)
    residuals = problem.residuals(values, vectors)
    for i in np.flatnonzero(residuals > _REFINED_ABOVE):
        for _ in range(3):
            value, vector = values[i], vectors[:, i]
            try:
                with factorise(problem.at(complex(value)), "general") as factors:
                    direction = factors.solve(problem.slope(value, vector))
            except SingularMatrixError:
                break
            step = 1.0 / np.vdot(vector, direction)
            direction = direction / np.linalg.norm(direction)
            trial = problem.residuals(np.array([value - step]), direction[:, None])[0]
            if trial >= residuals[i] or abs(step) > 0.1 * abs(value):
                break
            values[i], vectors[:, i], residuals[i] = value - step, direction, trial
    return values, vectors, residuals


def _undamped_modes(mass: SparseMatrix, stiffness: SparseMatrix, count: int) -> QuadraticModes:
    """C = 0: λ = ±i√μ from the symmetric problem K φ = μ M φ; real pairs where μ < 0."""
    size = mass.shape[0]
    zero = _ZERO_LEVEL * frequency_scale(
        Quadratic(mass, 0.0 * mass, stiffness, np.ones(size), np.empty((2 * size, 0))), count
    )
    modes = symmetric_modes(stiffness, mass, count)
    rising = int(np.count_nonzero(modes.eigenvalues < -(zero**2)))
    if rising:  # they come first by μ, not by |λ|
        modes = symmetric_modes(stiffness, mass, min(count + rising, size))
    roots = 1j * np.sqrt(modes.eigenvalues.astype(complex))
    index = np.tile(np.arange(len(roots)), 2)
    values, picks = _one_of_each_pair(np.concatenate([roots, -roots]), index[None, :].astype(complex), zero)
    index = picks[0].real.astype(int)
    order = np.lexsort((-values.real, np.round(np.abs(values) / np.abs(values).max(), 12)))
    order = np.concatenate([order[:count], [i for i in order[count:] if values[i].real > zero]]).astype(int)
    return QuadraticModes(
        values[order],
        modes.vectors[:, index[order]].astype(complex),
        modes.residuals[index[order]],
        modes.method,
        modes.confirmed,
    )
