"""Parts of the equations: a constant matrix or vector with its coefficient, and all at one instant by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import numpy as np

from flexframe.assembly.projection import Projection
from flexframe.equations.coefficients import CONSTANT, Coefficient, Terms
from flexframe.maths.arrays import Array, ComplexArray, SparseMatrix

if TYPE_CHECKING:
    from typing_extensions import TypeVar as TypeVarWithDefault

    MatrixT = TypeVarWithDefault("MatrixT", bound="SparseMatrix | Array", default=SparseMatrix)
else:
    MatrixT = TypeVar("MatrixT")
"""Matrices of the equations: sparse unless said otherwise, or dense."""


LOAD, STIFFNESS, DAMPING, MASS = -1, 0, 1, 2
"""Orders of the derivative that a part multiplies; a load multiplies none and stands on the right side."""

Basis = Projection | Array | ComplexArray
"""Independent coordinates δ = B z: of supports and couplings, or the columns of any basis (p, n)."""


@dataclass(frozen=True, eq=False)
class Once:
    """A matrix or vector that is made when first needed and then kept.

    `small` is its own way onto the columns of a dense basis, where it has a better one than BᴴAB of the whole.
    """

    make: Callable[[], Any]
    small: Callable[[Array], Array] | None = None

    @cached_property
    def value(self) -> Any:
        return self.make()

    def project(self, basis: Basis, order: int) -> "Once":
        """BᴴAB of a matrix, Bᴴf of a load."""
        return Once(lambda: self._project(basis, order))

    def _project(self, basis: Basis, order: int) -> Any:
        if isinstance(basis, Projection):
            return basis.reduce_vector(self.value) if order == LOAD else basis.reduce_matrix(self.value)
        if order == LOAD:
            return basis.conj().T @ self.value
        if self.small is not None and not np.iscomplexobj(basis):
            return self.small(cast("Array", basis))
        return np.asarray(basis.conj().T @ np.asarray(self.value @ basis))


@dataclass(frozen=True, eq=False)
class Part(Generic[MatrixT]):
    """coefficient · matrix of δ, δ̇ or δ̈ (order 0, 1, 2), or coefficient · vector of a load (order −1)."""

    name: str
    order: int
    source: Once
    coefficient: Coefficient = CONSTANT

    @classmethod
    def constant(cls, name: str, order: int, value: Any, coefficient: Coefficient = CONSTANT) -> "Part[MatrixT]":
        """A part whose matrix or vector is at hand."""
        return cls(name, order, Once(lambda: value), coefficient)

    @property
    def matrix(self) -> MatrixT:
        """A: (n, n)."""
        assert self.order != LOAD
        return self.source.value

    @property
    def vector(self) -> Array:
        """f: (n,)."""
        assert self.order == LOAD
        return self.source.value

    def block(self, chosen: slice) -> "Part[MatrixT]":
        """The rows and columns of some of the coordinates alone."""
        source, cut = self.source, (chosen,) if self.order == LOAD else (chosen, chosen)
        return replace(self, source=Once(lambda: source.value[cut]))


def weighted_sum(terms: Sequence[tuple[complex, Once]]) -> Once:
    """Σ a A of constants and what they multiply."""
    if len(terms) == 1 and terms[0][0] == 1:
        return terms[0][1]

    def whole() -> Any:
        return _weight([(weight, source.value) for weight, source in terms])

    def small(basis: Array) -> Array:
        return _weight([(weight, source.project(basis, DAMPING).value) for weight, source in terms])

    return Once(whole, small if any(source.small is not None for _, source in terms) else None)


def _weight(terms: Sequence[tuple[complex, Any]]) -> Any:
    total: Any = None
    for weight, value in terms:
        term = value if weight == 1 else weight * value
        total = term if total is None else total + term
    return total


def dense(matrix: Any) -> Array:
    """A sparse or dense matrix as an array."""
    return np.asarray(matrix) if isinstance(matrix, np.ndarray) else matrix.toarray()


@dataclass(frozen=True, eq=False)
class EquationsOfMotion(Generic[MatrixT]):
    """M δ̈ + C δ̇ + K δ = f with C, K and f in named parts, multipliers already applied.

    Parts that are zero are left out. Matrices of a `DiscreteBody` are those of the unsupported body; its
    `supports` reduce them.
    """

    mass: MatrixT
    damping_parts: Mapping[str, MatrixT]  # coriolis (2c, skew), structural and springs (symmetric)
    stiffness_parts: Mapping[str, MatrixT]  # elastic, geometric, euler (skew), centrifugal
    load_parts: Mapping[str, Array]  # applied, euler, centrifugal, origin
    terms: Terms = field(default_factory=Terms)

    @property
    def damping(self) -> MatrixT:
        """C, the sum of its parts."""
        return _sum(self.damping_parts, self.mass)

    @property
    def stiffness(self) -> MatrixT:
        """K, the sum of its parts."""
        return _sum(self.stiffness_parts, self.mass)

    @property
    def load(self) -> Array:
        """f, the sum of its parts."""
        return np.sum([np.zeros(self.mass.shape[0]), *self.load_parts.values()], axis=0)

    def eigenvalues(self) -> ComplexArray:
        """λ of (λ²M + λC + K)φ = 0 by ascending |λ|, of conjugate pairs the one with Im λ > 0; few unknowns."""
        M, C, K = (dense(matrix) for matrix in (self.mass, self.damping, self.stiffness))
        size = len(M)
        # unknowns of unit mass, modes of M and the diagonal of K bring all unknowns to one size
        own = 1 / np.sqrt(np.diagonal(M))
        _, basis = np.linalg.eigh(M * np.outer(own, own))
        basis = own[:, None] * basis
        basis = basis / np.sqrt(np.einsum("ri,rt,ti->i", basis, M, basis))
        C, K = basis.T @ C @ basis, basis.T @ K @ basis
        scale = float(np.sqrt(np.abs(np.diagonal(K)).max())) or 1.0
        companion = np.block([[np.zeros((size, size)), np.eye(size)], [-K / scale**2, -C / scale]])
        values = scale * np.linalg.eigvals(companion)
        values = values[values.imag >= -1e-9 * np.abs(values)]
        return np.asarray(values[np.argsort(np.abs(values))], dtype=complex)


def _sum(parts: Mapping[str, MatrixT], like: MatrixT) -> Any:
    total: Any = None
    for part in parts.values():
        total = part if total is None else total + part
    return like * 0.0 if total is None else total
