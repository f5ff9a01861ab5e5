"""The quadratic eigenproblem (λ²M + λC + K) φ = 0 as a linear one of twice the size, shifted and inverted."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg, sparse

from flexframe.maths.arrays import Array, ComplexArray, SparseMatrix
from flexframe.maths.eigen_residuals import Block, is_symmetric, relative_residuals, rounding_floor
from flexframe.maths.eigenproblems import lowest_eigenvalue
from flexframe.maths.factorisation import Factorisation, SingularMatrixError, factorise


@dataclass(frozen=True, eq=False)
class Quadratic:
    """M, C, K in unknowns scaled to unit diagonal mass.

    `known` (2n, k) are real states (φ, φ̇) that span an invariant subspace, in the unknowns before scaling.
    """

    mass: SparseMatrix
    damping: SparseMatrix
    stiffness: SparseMatrix
    scale: Array
    known: Array

    @staticmethod
    def scaled(mass: SparseMatrix, damping: SparseMatrix, stiffness: SparseMatrix, known: Array) -> "Quadratic":
        """The problem in scaled unknowns."""
        diagonal = mass.diagonal()
        scale = np.where(diagonal > 0.0, 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0)), 1.0)
        d = sparse.diags_array(scale)
        m, c, k = (sparse.csr_array(d @ a @ d) for a in (mass, damping, stiffness))
        return Quadratic(m, c, k, scale, known)

    @property
    def size(self) -> int:
        """Number of unknowns n."""
        return int(self.mass.shape[0])

    def unscale(self, vectors: Block) -> Block:
        """Vectors in the unknowns before scaling."""
        return np.asarray(vectors * self.scale[:, None])

    def at(self, value: complex) -> SparseMatrix:
        """P(λ) = λ²M + λC + K."""
        return sparse.csr_array(value**2 * self.mass + value * self.damping + self.stiffness)

    def slope(self, value: complex, vector: Block) -> Block:
        """P'(λ) φ."""
        return np.asarray(2.0 * value * (self.mass @ vector) + self.damping @ vector)

    def residuals(self, values: ComplexArray, vectors: ComplexArray) -> Array:
        """|P(λ)φ| relative to its terms."""
        return quadratic_residuals(self.mass, self.damping, self.stiffness, values, vectors)


def quadratic_residuals(
    mass: SparseMatrix, damping: SparseMatrix, stiffness: SparseMatrix, values: ComplexArray, vectors: ComplexArray
) -> Array:
    """|(λ²M + λC + K)φ| of each pair relative to its terms."""
    return relative_residuals(
        values**2 * np.asarray(mass @ vectors),
        values * np.asarray(damping @ vectors),
        np.asarray(stiffness @ vectors),
        floor=rounding_floor(stiffness, vectors),
    )


@dataclass(frozen=True, eq=False)
class ShiftInvert:
    """(𝒜 − σℬ)⁻¹ℬ on states (φ, λφ/s), eigenvalues θ = 1/(λ − σ).

    y₁ = −P(σ)⁻¹ (s M x₂ + (C + σM) x₁), y₂ = (x₁ + σ y₁)/s with s, the scale of the lowest frequencies,
    making both halves of a state equally large.
    """

    problem: Quadratic
    factors: Factorisation
    shift: complex
    scale: float

    @property
    def dtype(self) -> type[Any]:
        """Real for a real shift."""
        return np.complex128 if isinstance(self.shift, complex) else np.float64

    def apply(self, states: Block) -> Block:
        """The operator on one state or on the columns of a block."""
        size = self.problem.size
        first, second = states[:size], states[size:]
        inertia = self.problem.mass @ (self.scale * second + self.shift * first)
        position = -self.factors.solve(inertia + self.problem.damping @ first)
        return np.concatenate([position, (first + self.shift * position) / self.scale])

    def known_states(self) -> Block:
        """Orthonormal basis Q of the invariant subspace known beforehand: (2n, k)."""
        size, known = self.problem.size, self.problem.known
        scale = np.concatenate([self.problem.scale, self.problem.scale * self.scale])
        return (
            np.asarray(linalg.qr(known / scale[:, None], mode="economic")[0]) if known.size else known[: 2 * size]
        )


def completed(operator: ShiftInvert, theta: ComplexArray, states: ComplexArray, known: Block) -> ComplexArray:
    """Eigenstates of the whole operator A from those of its part outside the invariant subspace Q.

    With A z = θ z + Q w for z ⟂ Q, x = z + Q y with (θ − QᴴAQ) y = w. A last product with A takes out what
    residuals amplify, the part of high frequency; states of high frequency themselves would suffer from it.
    """
    states = states.astype(complex)
    if known.shape[1]:
        inner = known.conj().T @ operator.apply(known)
        rest = known.conj().T @ operator.apply(states)
        for i, value in enumerate(theta):
            amounts = np.linalg.lstsq(value * np.eye(len(inner)) - inner, rest[:, i], rcond=1e-14)[0]
            states[:, i] += known @ amounts
    low = np.abs(theta) > 1e-6 * np.abs(theta).max(initial=0.0)
    states[:, low] = operator.apply(states[:, low]) / theta[low]
    return states


def shift_invert(problem: Quadratic, target: complex | None, count: int) -> ShiftInvert:
    """Factorise P at the target, or at half the lowest frequency of the symmetric part of K."""
    if target is None:
        scale = frequency_scale(problem, count)
        for factor in (1.0, 8.0, 64.0, 512.0):
            try:
                return shift_invert_at(problem, 0.5 * factor * scale, factor * scale)
            except SingularMatrixError:  # so slow that rounding of K hides the inertia: shift further
                continue
        raise SingularMatrixError(None, "λ²M + λC + K at every λ tried")
    shift = complex(target).real if complex(target).imag == 0.0 else complex(target)
    return shift_invert_at(problem, shift, abs(target) or frequency_scale(problem, count))


def shift_invert_at(problem: Quadratic, shift: complex, scale: float) -> ShiftInvert:
    """Factorise P at a shift, or next to it where it is an eigenvalue."""
    for _ in range(4):
        matrix = problem.at(shift)
        try:
            factors = factorise(matrix, "symmetric" if is_symmetric(matrix) else "general")
        except SingularMatrixError:
            shift = shift + 1e-3 * scale
            continue
        return ShiftInvert(problem, factors, shift, scale)
    raise SingularMatrixError(None, "λ²M + λC + K at every λ tried")


def frequency_scale(problem: Quadratic, count: int) -> float:
    """The lowest frequency of M and the symmetric part of K, and not far below the gyroscopic one.

    A free spinning body has an exact zero that rounding turns into a tiny frequency; the skew part of C, twice
    the spin times the mass, tells the scale that matters beside it.
    """
    symmetric = sparse.csr_array(0.5 * (problem.stiffness + problem.stiffness.T))
    skew = sparse.csr_array(0.5 * (problem.damping - problem.damping.T))
    gyroscopic = float(abs(skew).sum(axis=1).max() / abs(problem.mass).sum(axis=1).max())
    if abs(symmetric).max() <= 1e-14 * gyroscopic**2:
        return gyroscopic if gyroscopic > 0.0 else 1.0
    lowest = lowest_eigenvalue(symmetric, problem.mass, min(count, problem.size))
    return max(float(np.sqrt(lowest)), 0.05 * gyroscopic)
