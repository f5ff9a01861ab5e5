"""Arnoldi searches for the eigenvalues of a shifted and inverted quadratic problem, until none can be missing."""

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigs

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import ComplexArray
from flexframe.maths.eigen_residuals import SEED, Block
from flexframe.maths.factorisation import SingularMatrixError
from flexframe.maths.quadratic_operator import ShiftInvert, completed, shift_invert_at


class NoConvergenceError(AnalysisError):
    """A search that did not come to an end."""


def well_shifted(operator: ShiftInvert, count: int) -> ShiftInvert:
    """Bring the shift below the wanted |λ|, so that few others lie as near to it.

    Fast rotation can lower the frequencies far below those of the symmetric part of K. A rough look at the
    first few tells, also by not coming to an end: then very many lie as near as the first.
    """
    few = min(count, 4)
    for _ in range(8):
        known = operator.known_states()
        try:
            theta, _ = _largest(operator, 2 * few + 2, known, seed=SEED, tolerance=1e-2, restarts=6)
        except NoConvergenceError:
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
        try:
            operator = shift_invert_at(operator.problem, 0.2 * reach, 0.4 * reach)
        except SingularMatrixError:  # so slow that rounding of K hides it
            return shift_invert_at(operator.problem, operator.shift, operator.scale)
    return operator


def dense_states(operator: ShiftInvert) -> tuple[ComplexArray, ComplexArray]:
    """All eigenvalues θ and states outside the known ones, by LAPACK."""
    known = operator.known_states()
    outside = linalg.qr(known)[0][:, known.shape[1] :] if known.shape[1] else np.eye(2 * operator.problem.size)
    theta, turn = linalg.eig(outside.conj().T @ operator.apply(outside.astype(operator.dtype)))
    return np.asarray(theta), completed(operator, theta, outside @ turn, known)


def arnoldi_states(operator: ShiftInvert, count: int, *, lowest: bool) -> tuple[ComplexArray, ComplexArray, bool]:
    """States of the largest |θ|, searched again beside those found until nothing new lies within reach.

    Eigenvalues of the same value (identical blades on one hub) may escape a single search. When the lowest
    |λ| are wanted, all |λ| ≤ r lie within |λ − σ| ≤ r + σ; the search goes on until that circle is full.
    """
    known = operator.known_states()
    more, needed, tolerance = 2 * count + 6, 0.0, 0.0
    basis = np.empty((2 * operator.problem.size, 0), dtype=operator.dtype)
    complete = False
    for sweep in range(20):
        beside = np.hstack([known, basis])
        theta, states = _largest(operator, more, beside, seed=SEED + sweep, tolerance=tolerance)
        if np.abs(theta).max() * (1.0 + 3.0 * tolerance) < needed:
            complete = True
            break
        if tolerance:
            tolerance = 0.0
            continue
        halves = [states.real, states.imag] if operator.dtype is np.float64 else [states]
        basis = _orthonormal(np.hstack([basis, *halves]), known)
        theta, _ = _rayleigh_ritz(operator, basis)
        needed = _needed_reach(operator, theta, count, lowest=lowest)
        # A full circle needs only a rough look for what was missed; any other, a search like the first.
        full = np.abs(theta).min() <= needed
        more, tolerance = (4, 1e-2) if full else (count + 6, 0.0)
    theta, states = _rayleigh_ritz(operator, basis)
    return theta, completed(operator, theta, states, known), complete


def _needed_reach(operator: ShiftInvert, theta: ComplexArray, count: int, *, lowest: bool) -> float:
    """The |θ| down to which everything must be known so that the first `count` modes are the first."""
    values = operator.shift + 1.0 / theta
    centre = 0.0 if lowest else operator.shift
    sizes = np.sort(np.abs(values[values.imag >= 0.0] - centre))
    radius = sizes[min(count, len(sizes)) - 1]
    return float((1.0 - 1e-9) / (radius + abs(operator.shift - centre)))


def _largest(
    operator: ShiftInvert,
    count: int,
    known: Block,
    *,
    seed: int,
    tolerance: float,
    restarts: int | None = None,
) -> tuple[ComplexArray, ComplexArray]:
    """Arnoldi for the largest |θ| outside the invariant subspace `known`."""
    size = 2 * operator.problem.size

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
        raise NoConvergenceError(
            f"Arnoldi did not converge for {count} eigenvalues; ask for fewer modes, or give a target"
        ) from None
    return np.asarray(theta), np.asarray(states)


def _orthonormal(columns: Block, known: Block) -> Block:
    """Orthonormal basis of the columns outside `known`; what is linearly dependent to 1e-9 is left out."""
    norms = np.linalg.norm(columns, axis=0)
    columns = columns[:, norms > 0.0] / norms[norms > 0.0]
    columns = columns - known @ (known.conj().T @ columns)
    q, r, _ = linalg.qr(columns, mode="economic", pivoting=True)
    rank = int(np.count_nonzero(np.abs(np.diagonal(r)) > 1e-9))
    return np.asarray(q[:, :rank])


def _rayleigh_ritz(operator: ShiftInvert, basis: Block) -> tuple[ComplexArray, ComplexArray]:
    theta, turn = linalg.eig(basis.conj().T @ operator.apply(basis))
    return np.asarray(theta), np.asarray(basis @ turn)
