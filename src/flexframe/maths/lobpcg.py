"""The lowest modes of K φ = λ M φ without factors of K: locally optimal block preconditioned conjugate gradients.

Each step takes the lowest Ritz vectors of the span of approximate modes x, of their residuals r = Kx − λMx
preconditioned, and of the last changes of x (Knyazev 2001). With B ≈ K⁻¹ the preconditioner,

    η = √(rᵀB r / λ)     is about     |r| / √λ in the norm of K⁻¹ ,

a pure number for which some eigenvalue is within λη of x's, and whose square is of the order of the error of a
Ritz value: where it is small, the work ends.
"""

from collections.abc import Callable

import numpy as np
from scipy import linalg

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.eigen_residuals import SEED
from flexframe.maths.eigenproblems import mass_orthonormal
from flexframe.maths.matrix_products import product

SPARE = 6  # vectors beyond the wanted modes, which make them converge
_GOAL = 1e-6  # of η
_STEPS = 300
_DEPENDENT = 1e-12  # square of what a unit vector must have of its own

Preconditioner = Callable[[Array], Array]


def working_columns(wanted: int) -> int:
    """How many vectors in double precision `lowest_pairs` keeps at most, with those on the way."""
    return 14 * (wanted + SPARE)


def lowest_pairs(
    stiffness: SparseMatrix, mass: SparseMatrix, wanted: int, *, known: Array, precondition: Preconditioner
) -> tuple[Array, Array]:
    """The `wanted` lowest modes that are M-orthogonal to some `known` ones (n, r), ascending: (k,), (n, k)."""
    size = stiffness.shape[0]
    width = min(wanted + SPARE, size - known.shape[1])
    start = precondition(np.random.default_rng(SEED).standard_normal((size, width)))
    search = _Search(stiffness, mass, known, mass_orthonormal(_apart(start, known, mass), mass))
    largest = np.inf
    for _ in range(_STEPS):
        values, residuals = search.residuals()
        better = precondition(residuals)
        eta = np.sqrt(np.maximum(np.einsum("ij,ij->j", residuals, better), 0.0) / np.abs(values))
        largest = float(eta[:wanted].max())
        if largest <= _GOAL:
            return values[:wanted], search.vectors[:, :wanted]
        del residuals
        search.step(better[:, eta > _GOAL])
    raise AnalysisError(
        f"{wanted} modes did not converge without factors (residual {largest:.0e}); ask for fewer, "
        "or set FLEXFRAME_MEMORY to the gigabytes that may be used"
    )


class _Search:
    """Ritz vectors X and their last changes P, each with K and M times it."""

    def __init__(self, stiffness: SparseMatrix, mass: SparseMatrix, known: Array, start: Array) -> None:
        self._stiffness, self._mass, self._known = stiffness, mass, known
        self._width = start.shape[1]
        self._space = [start, product(stiffness, start), product(mass, start)]
        self._changes = [np.empty((len(start), 0)) for _ in range(3)]
        self._combine([np.empty((len(start), 0)) for _ in range(3)])

    @property
    def vectors(self) -> Array:
        """X."""
        return self._space[0]

    def residuals(self) -> tuple[Array, Array]:
        """Ritz values λ and Kx − λMx."""
        x, kx, mx = self._space
        values = np.einsum("ij,ij->j", x, kx)
        return values, kx - mx * values

    def step(self, directions: Array) -> None:
        """The lowest Ritz vectors with some directions more."""
        directions = directions - self._space[0] @ (self._space[2].T @ directions)
        directions = _apart(directions, self._known, self._mass)
        directions /= np.linalg.norm(directions, axis=0)
        self._combine([directions, product(self._stiffness, directions), product(self._mass, directions)])

    def _combine(self, new: list[Array]) -> None:
        blocks = [self._space, new, self._changes]
        gram, energies = (
            np.block([[first[0].T @ second[which] for second in blocks] for first in blocks]) for which in (2, 1)
        )
        amounts = _lowest(0.5 * (energies + energies.T), 0.5 * (gram + gram.T), self._width)
        few, many = self._width, self._width + new[0].shape[1]
        for which in range(3):  # one after another, in the place of those before: they are large
            change = new[which] @ amounts[few:many]
            change += self._changes[which] @ amounts[many:]
            self._changes[which] = change
            self._space[which] = self._space[which] @ amounts[:few]
            self._space[which] += change
        sizes = np.sqrt(np.einsum("ij,ij->j", self._changes[0], self._changes[2]))
        kept = sizes > 0.0
        if kept.all():
            for change in self._changes:
                np.divide(change, sizes, out=change)
        else:
            self._changes = [change[:, kept] / sizes[kept] for change in self._changes]


def _lowest(energies: Array, gram: Array, count: int) -> Array:
    """Amounts of the lowest Ritz vectors, unit in the mass, without what depends on other columns."""
    scale = 1.0 / np.sqrt(np.diagonal(gram))
    sizes, turn = linalg.eigh(gram * np.outer(scale, scale))
    kept = sizes > _DEPENDENT
    basis = scale[:, None] * turn[:, kept] / np.sqrt(sizes[kept])
    projected = basis.T @ energies @ basis
    _, some = linalg.eigh(0.5 * (projected + projected.T), subset_by_index=[0, count - 1])
    return np.asarray(basis @ some)


def _apart(columns: Array, known: Array, mass: SparseMatrix) -> Array:
    return columns - known @ (known.T @ product(mass, columns)) if known.shape[1] else columns
