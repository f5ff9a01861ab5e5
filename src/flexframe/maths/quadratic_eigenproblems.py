"""The lowest modes of quadratic (gyroscopic) eigenproblems (λ²M + λC + K) φ = 0, small or large.

They are solved by shift and invert of the linearised problem, so that a defective zero (the rigid rotation of a
free spinning body) comes out at about 1e-8 of the lowest frequencies, not of the highest.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigs

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, ComplexArray, SparseMatrix
from flexframe.maths.eigen_residuals import (
    SEED,
    Block,
    check_count,
    is_symmetric,
    relative_residuals,
    rounding_floor,
    with_largest_entry_positive,
)
from flexframe.maths.eigenproblems import spectrum_scale, symmetric_modes
from flexframe.maths.factorisation import Factorisation, SingularMatrixError, factorise

# Dense LAPACK and Arnoldi take the same time for 20 modes of a plane body at about 150 unknowns; the limit is a
# little higher because a dense solution also sees every unstable mode.
_DENSE_QUADRATIC = 200
_ZERO_LEVEL = 1e-5  # |λ| below this part of the lowest frequencies is a zero that rounding has split
_REFINED_ABOVE = 1e-7  # residual that calls for Newton steps; rounding alone leaves up to √eps


@dataclass(frozen=True, eq=False)
class QuadraticModes:
    """Eigenpairs of (λ²M + λC + K) φ = 0 by ascending |λ|; one of each conjugate pair, that with Im λ > 0.

    Shapes: eigenvalues (k,), vectors (n, k) with φᴴMφ = 1, residuals (k,). Real eigenvalues stand for
    themselves. A multiple zero counts once for every two. `confirmed` tells whether a search beside the
    modes found came back empty (always true for a dense solution).
    """

    eigenvalues: ComplexArray
    vectors: ComplexArray
    residuals: Array
    method: str
    confirmed: bool


def quadratic_modes(
    mass: SparseMatrix,
    damping: SparseMatrix,
    stiffness: SparseMatrix,
    count: int,
    *,
    target: complex | None = None,
) -> QuadraticModes:
    """The lowest `count` modes of λ²M + λC + K, M positive definite, C and K any real matrices.

    With `target` the modes nearest to it instead, nearest first. Unstable eigenvalues (Re λ > 0) that were
    found beyond `count` are returned too, after the others.
    """
    size = mass.shape[0]
    check_count(count, size)
    if target is None and abs(damping).max() == 0.0 and is_symmetric(stiffness):
        return _undamped_modes(mass, stiffness, count)
    problem = _Quadratic.scaled(mass, damping, stiffness)
    dense = size <= _DENSE_QUADRATIC or 2 * count + 8 > size // 2
    operator = _shift_invert(problem, target, count)
    if target is None and not dense:
        operator = _well_shifted(operator, count)
    if dense:
        theta, states = linalg.eig(operator.apply(np.eye(2 * size, dtype=operator.dtype)))
        method, confirmed = f"LAPACK with shift {operator.shift:.3g}", True
    else:
        theta, states, confirmed = _arnoldi(operator, count, lowest=target is None)
        method = f"Arnoldi with shift {operator.shift:.3g}, {operator.factors.solver}"
    operator.factors.close()
    keep = np.abs(theta) > np.finfo(float).eps * np.abs(theta).max()
    values, vectors = operator.shift + 1.0 / theta[keep], states[:size, keep]
    centre = 0.0 if target is None else target
    values, vectors = _one_of_each_pair(values, vectors, _ZERO_LEVEL * operator.scale)
    order = np.lexsort((-values.real, np.round(np.abs(values - centre) / operator.scale, 9)))
    unstable = values.real > 1e-7 * np.abs(values) + _ZERO_LEVEL * operator.scale
    order = np.concatenate([order[:count], [i for i in order[count:] if unstable[i]]]).astype(int)
    values, vectors, residuals = _refine(problem, values[order], vectors[:, order])
    vectors = problem.unscale(vectors)
    vectors = vectors / np.sqrt(np.einsum("ij,ij->j", vectors.conj(), mass @ vectors).real)
    return QuadraticModes(values, with_largest_entry_positive(vectors), residuals, method, confirmed)


class _NoConvergenceError(AnalysisError):
    pass


@dataclass(frozen=True, eq=False)
class _Quadratic:
    """M, C, K in unknowns scaled to unit diagonal mass."""

    mass: SparseMatrix
    damping: SparseMatrix
    stiffness: SparseMatrix
    scale: Array

    @staticmethod
    def scaled(mass: SparseMatrix, damping: SparseMatrix, stiffness: SparseMatrix) -> "_Quadratic":
        diagonal = mass.diagonal()
        scale = np.where(diagonal > 0.0, 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0)), 1.0)
        d = sparse.diags_array(scale)
        m, c, k = (sparse.csr_array(d @ a @ d) for a in (mass, damping, stiffness))
        return _Quadratic(m, c, k, scale)

    def unscale(self, vectors: Block) -> Block:
        return np.asarray(vectors * self.scale[:, None])

    def at(self, value: complex) -> SparseMatrix:
        return sparse.csr_array(value**2 * self.mass + value * self.damping + self.stiffness)

    def slope(self, value: complex, vector: Block) -> Block:
        return np.asarray(2.0 * value * (self.mass @ vector) + self.damping @ vector)

    def residuals(self, values: ComplexArray, vectors: ComplexArray) -> Array:
        return relative_residuals(
            values**2 * np.asarray(self.mass @ vectors),
            values * np.asarray(self.damping @ vectors),
            np.asarray(self.stiffness @ vectors),
            floor=rounding_floor(self.stiffness, vectors),
        )


@dataclass(frozen=True, eq=False)
class _ShiftInvert:
    """(𝒜 − σℬ)⁻¹ℬ on states (φ, λφ/s), eigenvalues θ = 1/(λ − σ).

    y₁ = −P(σ)⁻¹ (s M x₂ + (C + σM) x₁), y₂ = (x₁ + σ y₁)/s with s, the scale of the lowest frequencies,
    making both halves of a state equally large.
    """

    problem: _Quadratic
    factors: Factorisation
    shift: complex
    scale: float

    @property
    def dtype(self) -> type[Any]:
        return np.complex128 if isinstance(self.shift, complex) else np.float64

    def apply(self, states: Block) -> Block:
        size = self.problem.mass.shape[0]
        first, second = states[:size], states[size:]
        inertia = self.problem.mass @ (self.scale * second + self.shift * first)
        position = -self.factors.solve(inertia + self.problem.damping @ first)
        return np.concatenate([position, (first + self.shift * position) / self.scale])


def _shift_invert(problem: _Quadratic, target: complex | None, count: int) -> _ShiftInvert:
    """Factorise P at the target, or at half the lowest frequency of the symmetric part of K."""
    if target is None:
        scale = _frequency_scale(problem, count)
        return _shift_invert_at(problem, 0.5 * scale, scale)
    shift = complex(target).real if complex(target).imag == 0.0 else complex(target)
    return _shift_invert_at(problem, shift, abs(target) or _frequency_scale(problem, count))


def _shift_invert_at(problem: _Quadratic, shift: complex, scale: float) -> _ShiftInvert:
    for _ in range(8):
        matrix = problem.at(shift)
        try:
            factors = factorise(matrix, "symmetric" if is_symmetric(matrix) else "general")
        except SingularMatrixError:
            shift = shift + 1e-3 * scale  # the shift is an eigenvalue
            continue
        return _ShiftInvert(problem, factors, shift, scale)
    raise SingularMatrixError(None, "λ²M + λC + K at every λ tried")


def _well_shifted(operator: _ShiftInvert, count: int) -> _ShiftInvert:
    """Bring the shift below the wanted |λ|, so that few others lie as near to it.

    Fast rotation can lower the frequencies far below those of the symmetric part of K. A rough look at the
    first few tells, also by not coming to an end: then very many lie as near as the first.
    """
    nothing = np.empty((2 * operator.problem.mass.shape[0], 0))
    few = min(count, 4)
    for _ in range(8):
        try:
            theta, _ = _largest(operator, 2 * few + 2, nothing, seed=SEED, tolerance=1e-2, restarts=6)
        except _NoConvergenceError:
            reach = 0.5 * abs(operator.shift)
        else:
            values = operator.shift + 1.0 / theta
            sizes = np.sort(np.abs(values[values.imag >= 0.0]))
            reach = float(sizes[min(few, len(sizes)) - 1])
            if reach < 1e-3 * operator.scale:  # zeros, unless another turn shows them to be slow modes
                reach = float(sizes[min(int(np.searchsorted(sizes, 1e-3 * operator.scale)), len(sizes) - 1)])
            if abs(operator.shift) <= reach or reach < 1e-3 * operator.scale:
                break
        operator.factors.close()
        operator = _shift_invert_at(operator.problem, 0.2 * reach, 0.4 * reach)
    return operator


def _frequency_scale(problem: _Quadratic, count: int) -> float:
    """The lowest frequency of M and the symmetric part of K, and not far below the gyroscopic one.

    A free spinning body has an exact zero that rounding turns into a tiny frequency; the skew part of C, twice
    the spin times the mass, tells the scale that matters beside it.
    """
    size = problem.mass.shape[0]
    symmetric = sparse.csr_array(0.5 * (problem.stiffness + problem.stiffness.T))
    skew = sparse.csr_array(0.5 * (problem.damping - problem.damping.T))
    gyroscopic = float(abs(skew).sum(axis=1).max() / abs(problem.mass).sum(axis=1).max())
    if abs(symmetric).max() <= 1e-14 * gyroscopic**2:
        return gyroscopic if gyroscopic > 0.0 else 1.0
    spectrum = spectrum_scale(symmetric, problem.mass, min(count, size), np.empty((size, 0)))
    spectrum.factors.close()
    return max(float(np.sqrt(spectrum.lowest)), 0.05 * gyroscopic)


def _arnoldi(operator: _ShiftInvert, count: int, *, lowest: bool) -> tuple[ComplexArray, ComplexArray, bool]:
    """States of the largest |θ|, searched again beside those found until nothing new lies within reach.

    Eigenvalues of the same value (identical blades on one hub) may escape a single search. When the lowest
    |λ| are wanted, all |λ| ≤ r lie within |λ − σ| ≤ r + σ; the search goes on until that circle is full.
    """
    size = 2 * operator.problem.mass.shape[0]
    more, needed, tolerance = 2 * count + 6, 0.0, 0.0
    basis = np.empty((size, 0), dtype=operator.dtype)
    for sweep in range(20):
        theta, states = _largest(operator, more, basis, seed=SEED + sweep, tolerance=tolerance)
        if np.abs(theta).max() * (1.0 + 3.0 * tolerance) < needed:
            return (*_rayleigh_ritz(operator, basis), True)
        if tolerance:
            tolerance = 0.0
            continue
        halves = [states.real, states.imag] if operator.dtype is np.float64 else [states]
        basis = _orthonormal(np.hstack([basis, *halves]))
        theta, _ = _rayleigh_ritz(operator, basis)
        needed = _needed_reach(operator, theta, count, lowest=lowest)
        # A full circle needs only a rough look for what was missed; any other, a search like the first.
        full = np.abs(theta).min() <= needed
        more, tolerance = (4, 1e-2) if full else (count + 6, 0.0)
    return (*_rayleigh_ritz(operator, basis), False)


def _needed_reach(operator: _ShiftInvert, theta: ComplexArray, count: int, *, lowest: bool) -> float:
    """The |θ| down to which everything must be known so that the first `count` modes are the first."""
    values = operator.shift + 1.0 / theta
    centre = 0.0 if lowest else operator.shift
    sizes = np.sort(np.abs(values[values.imag >= 0.0] - centre))
    radius = sizes[min(count, len(sizes)) - 1]
    return float((1.0 - 1e-9) / (radius + abs(operator.shift - centre)))


def _largest(
    operator: _ShiftInvert,
    count: int,
    known: Block,
    *,
    seed: int,
    tolerance: float,
    restarts: int | None = None,
) -> tuple[ComplexArray, ComplexArray]:
    """Arnoldi for the largest |θ| outside the invariant subspace `known`."""
    size = 2 * operator.problem.mass.shape[0]

    def outside(x: Block) -> Block:
        return np.asarray(x - known @ (known.conj().T @ x))

    def matvec(x: Block) -> Block:
        return np.asarray(outside(operator.apply(outside(x.ravel()))))

    start = matvec(np.random.default_rng(seed).standard_normal(size).astype(operator.dtype))
    linear = LinearOperator((size, size), matvec=matvec, dtype=operator.dtype)
    try:
        theta, states = eigs(
            linear, count, which="LM", v0=start, ncv=min(size, 2 * count + 24), tol=tolerance, maxiter=restarts
        )
    except ArpackNoConvergence:
        raise _NoConvergenceError(
            f"Arnoldi did not converge for {count} eigenvalues; ask for fewer modes, or give a target"
        ) from None
    return np.asarray(theta), np.asarray(states)


def _orthonormal(columns: Block) -> Block:
    """Orthonormal basis of the columns; what is linearly dependent to 1e-9 is left out."""
    norms = np.linalg.norm(columns, axis=0)
    columns = columns[:, norms > 0.0] / norms[norms > 0.0]
    q, r, _ = linalg.qr(columns, mode="economic", pivoting=True)
    rank = int(np.count_nonzero(np.abs(np.diagonal(r)) > 1e-9))
    return np.asarray(q[:, :rank])


def _rayleigh_ritz(operator: _ShiftInvert, basis: Block) -> tuple[ComplexArray, ComplexArray]:
    theta, turn = linalg.eig(basis.conj().T @ operator.apply(basis))
    return np.asarray(theta), np.asarray(basis @ turn)


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
    problem: _Quadratic, values: ComplexArray, vectors: ComplexArray
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
    zero = _ZERO_LEVEL * _frequency_scale(_Quadratic(mass, 0.0 * mass, stiffness, np.ones(size)), count)
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
        modes.confirmed is not False,
    )
