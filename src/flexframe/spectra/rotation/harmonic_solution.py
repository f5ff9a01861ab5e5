"""Forced harmonic motion P(λ, Ω) x = f at many samples, directly or on a basis that is checked by residuals.

The basis holds the modes at rest and the static shapes of the loads, which stand for all modes left out (static
correction). At the ends, at the peaks and in between the residual is measured in the norm of K̂⁻¹ and its
correction K̂⁻¹r is added until it is small.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy import linalg

from flexframe.equations.affine import AffineEquations
from flexframe.errors import AnalysisError
from flexframe.keeping import keep_part
from flexframe.maths.arrays import Array, ComplexArray, IntArray, SparseMatrix
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.maths.factorisation import Factorisation, SingularMatrixError, factorise

_ROUNDS = 30
_WATCHED = 9
_MOST_MODES = 400
_DENSE = 500_000  # numbers up to which coefficients are kept as full matrices


@dataclass(frozen=True)
class Sample:
    """λ = iω and Ω of one sample [rad/s], and the weights of the loads: (loads,)."""

    eigenvalue: complex
    speed: float
    weights: tuple[complex, ...]


@dataclass(frozen=True, eq=False)
class HarmonicProblem:
    """P = Σ λ^a Ω^b A and f = Σ w F; K and M at rest are what a basis is made of."""

    equations: AffineEquations
    loads: Array  # F: (n, loads)
    samples: Sequence[Sample]
    stiffness: SparseMatrix
    mass: SparseMatrix

    @cached_property
    def dense(self) -> Array | None:
        """All coefficients as one array, where that is small: (coefficients, n, n)."""
        parts = self.equations.coefficients
        if len(parts) * self.mass.shape[0] ** 2 > _DENSE:
            return None
        return np.array([part.matrix.toarray() for part in parts])

    def matrix(self, sample: Sample) -> SparseMatrix:
        """P, real where λ is zero."""
        real = sample.eigenvalue == 0
        total = 0.0 * self.mass if real else 0j * self.mass
        for part, factor in zip(self.equations.coefficients, self.factors(sample), strict=True):
            if factor:
                total = total + (factor.real if real else factor) * part.matrix
        return total

    def factors(self, sample: Sample) -> ComplexArray:
        """What multiplies each coefficient: (coefficients,)."""
        return self.equations.factors(sample.eigenvalue, sample.speed)

    def force(self, sample: Sample) -> ComplexArray:
        """f: (n,)."""
        return np.asarray(self.loads @ np.array(sample.weights, dtype=complex))


@dataclass(frozen=True, eq=False)
class DirectSolution:
    """One factorisation for each sample."""

    problem: HarmonicProblem
    error: float = 0.0

    @property
    def method(self) -> str:
        """In words."""
        return f"direct solution of {self.problem.mass.shape[0]} equations at each sample"

    def displacements(self, number: int) -> ComplexArray:
        """x of a sample: (n,)."""
        return self.answer(self.problem.samples[number])

    def answer(self, sample: Sample) -> ComplexArray:
        """x of a sample that may lie between those of the problem: (n,)."""
        force, dense = self.problem.force(sample), self.problem.dense
        if dense is not None:
            try:
                return np.asarray(
                    np.linalg.solve(np.tensordot(self.problem.factors(sample), dense, axes=1), force)
                )
            except np.linalg.LinAlgError:
                raise _at_resonance(sample) from None
        matrix = self.problem.matrix(sample)

        def solve() -> ComplexArray:
            try:
                with factorise(matrix, "general") as factors:
                    return np.asarray(factors.solve(force), dtype=complex)
            except SingularMatrixError:
                raise _at_resonance(sample) from None

        return keep_part("answer at a frequency", (matrix, force), solve)


@dataclass(eq=False)
class ProjectedSolution:
    """Samples on a basis V; `refined` extends it where residuals call for it."""

    problem: HarmonicProblem
    modes: int
    error: float = field(init=False, default=np.inf)
    basis: Array = field(init=False)
    _factors: Factorisation = field(init=False)
    _metric: SparseMatrix = field(init=False)
    _images: list[Array] = field(init=False)
    _answers: ComplexArray = field(init=False)

    def __post_init__(self) -> None:
        p = self.problem
        size = p.mass.shape[0]
        highest = max(abs(sample.eigenvalue) for sample in p.samples)
        count = min(self.modes, size)
        while True:
            found = symmetric_modes(p.stiffness, p.mass, count, confirm=False)
            if found.eigenvalues[-1] > (1.3 * highest) ** 2 or count >= min(_MOST_MODES, size):
                break
            count = min(2 * count, _MOST_MODES, size)
        positive = found.eigenvalues[found.eigenvalues > 1e-9 * np.abs(found.eigenvalues).max()]
        shift = 0.0 if len(positive) == count else 0.1 * float(positive.min(initial=1.0))
        self._metric = p.stiffness + (shift - 2 * min(0.0, float(found.eigenvalues.min()))) * p.mass
        self._factors = factorise(self._metric, "spd")
        self.basis = np.empty((size, 0))
        self._images = [np.empty((size, 0)) for _ in p.equations.coefficients]
        self._extend(np.hstack([found.vectors, self._factors.solve(p.loads)]))

    @property
    def method(self) -> str:
        """In words."""
        return f"projection of {self.problem.mass.shape[0]} equations on {self.basis.shape[1]} shapes"

    def displacements(self, number: int) -> ComplexArray:
        """x of a sample: (n,)."""
        return np.asarray(self.basis @ self._answers[:, number])

    def answer(self, sample: Sample) -> ComplexArray:
        """x of a sample that may lie between those of the problem: (n,)."""
        return np.asarray(self.basis @ self._small_answer(*self._small(), sample))

    def refined(self, tolerance: float) -> None:
        """Solve all samples, measure, and extend until the watched residuals are within the tolerance."""
        for _ in range(_ROUNDS):
            self._solve()
            corrections, errors = self._corrections(self._watched_samples())
            self.error = float(errors.max(initial=0.0))
            bad = np.flatnonzero(errors > tolerance)
            if not bad.size or not self._extend(np.hstack([corrections[:, bad].real, corrections[:, bad].imag])):
                return

    def _solve(self) -> None:
        p, (small, right) = self.problem, self._small()
        self._answers = np.empty((self.basis.shape[1], len(p.samples)), dtype=complex)
        for k, sample in enumerate(p.samples):
            self._answers[:, k] = self._small_answer(small, right, sample)

    def _small(self) -> tuple[Array, Array]:
        """Coefficients and loads on the basis: (coefficients, m, m), (m, loads)."""
        return np.array([self.basis.T @ image for image in self._images]), self.basis.T @ self.problem.loads

    def _small_answer(self, small: Array, right: Array, sample: Sample) -> ComplexArray:
        matrix = np.einsum("c,cij->ij", self.problem.factors(sample), small)
        try:
            return np.linalg.solve(matrix, right @ np.array(sample.weights, dtype=complex))
        except np.linalg.LinAlgError:
            raise _at_resonance(sample) from None

    def _watched_samples(self) -> IntArray:
        """Samples to look at: evenly spread, and the three highest peaks."""
        count = len(self.problem.samples)
        spread = np.unique(np.linspace(0, count - 1, min(_WATCHED, count)).astype(np.int64))
        size = np.linalg.norm(self._answers, axis=0)
        inner = np.flatnonzero((size[1:-1] >= size[:-2]) & (size[1:-1] >= size[2:])) + 1
        peaks = inner[np.argsort(-size[inner])][:3]
        return np.union1d(spread, peaks)

    def _corrections(self, numbers: IntArray) -> tuple[ComplexArray, Array]:
        """K̂⁻¹r of some samples, and its size relative to that of the answer in the norm of K̂."""
        p = self.problem
        residuals = np.empty((p.mass.shape[0], len(numbers)), dtype=complex)
        for place, k in enumerate(numbers):
            sample = p.samples[k]
            residuals[:, place] = p.force(sample)
            for factor, image in zip(p.factors(sample), self._images, strict=True):
                residuals[:, place] -= factor * (image @ self._answers[:, k])
        corrections = self._factors.solve(residuals)
        answers = self.basis @ self._answers[:, numbers]
        own = np.einsum("im,im->m", residuals.conj(), corrections).real
        whole = np.einsum("im,im->m", answers.conj(), np.asarray(self._metric @ answers)).real
        return corrections, np.sqrt(np.maximum(own, 0) / np.maximum(whole, np.finfo(float).tiny))

    def _extend(self, directions: Array) -> int:
        """Add what is new in the directions; the number of columns that were added."""
        M = self.problem.mass
        lengths = np.sqrt(np.einsum("im,im->m", directions, np.asarray(M @ directions)))
        new = directions[:, lengths > 0] / lengths[lengths > 0]
        for _ in range(2):
            new = new - self.basis @ (self.basis.T @ np.asarray(M @ new))
            gram = new.T @ np.asarray(M @ new)
            values, turn = linalg.eigh((gram + gram.T) / 2)
            kept = values > 1e-12
            new = new @ (turn[:, kept] / np.sqrt(values[kept]))
            if not new.shape[1]:
                return 0
        self.basis = np.hstack([self.basis, new])
        self._images = [
            np.hstack([image, np.asarray(c.matrix @ new)])
            for image, c in zip(self._images, self.problem.equations.coefficients, strict=True)
        ]
        return new.shape[1]


def _at_resonance(sample: Sample) -> AnalysisError:
    return AnalysisError(
        f"the equations are singular at {abs(sample.eigenvalue) / (2 * np.pi):.6g} Hz and {sample.speed:.6g} "
        "rad/s: an undamped resonance has no steady answer; add damping or move that sample"
    )
