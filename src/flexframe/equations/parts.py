"""One part of the equations: a constant matrix or vector, made when first needed, and its coefficient."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import numpy as np

from flexframe.assembly.projection import Projection
from flexframe.equations.coefficients import CONSTANT, Coefficient
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
        return Once(lambda: self._projected(basis, order))

    def _projected(self, basis: Basis, order: int) -> Any:
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
    def given(cls, name: str, order: int, value: Any, coefficient: Coefficient = CONSTANT) -> "Part[MatrixT]":
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
