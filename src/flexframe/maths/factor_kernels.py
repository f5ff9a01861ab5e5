"""What the sparse solvers share: the contract of a factorised matrix, trial solves, when it counts as singular.

A pivot of the equilibrated matrix Â is the stiffness left at one unknown when the unknowns eliminated before it
are free to follow, as a fraction of its own stiffness. A pivot near rounding (measured on free bodies: below
2e-13; on supported beams of 5,000 elements: above 7e-12), together with a vector that Â maps to almost nothing, is
what is called singular here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import SparseMatrix

Kind = Literal["spd", "symmetric", "general", "hermitian"]
Block = NDArray[Any]
Order = NDArray[np.int32]
"""Order of elimination: the equation that comes first, second, …"""

BACKWARD_ERROR = 1e-12  # of a trial solve, above which a more careful pivot choice is made
_NEARLY_NULL = 1e-10  # |Â x| / |x| below which the pivots are looked at


class SingularMatrixError(AnalysisError):
    """A matrix that cannot be inverted; `equation` is an unknown that takes part in the free motion."""

    def __init__(self, equation: int | None, reason: str = "") -> None:
        self.equation = equation
        place = "" if equation is None else f" at equation {equation}"
        detail = f" ({reason})" if reason else ""
        self._given = (equation, reason)
        super().__init__(f"the matrix is singular{place}{detail}; support or connect what can move freely")

    def __reduce__(self) -> Any:  # from one process to another
        return type(self), self._given


class MatrixTooLargeError(AnalysisError):
    """Factors that do not fit in memory."""

    def __init__(self, size: int, needed: float | None = None, limit: float | None = None) -> None:
        told = f"a matrix of {size} equations does not fit in memory"
        if needed is not None and limit is not None:
            told = f"{told}: solving takes {needed / 1e9:.3g} GB, {limit / 1e9:.3g} GB may be used"
        self.needed = needed
        self._given = (size, needed, limit)
        super().__init__(
            f"{told}; use a coarser mesh or part of it, or set FLEXFRAME_MEMORY to the gigabytes that may be used"
        )

    def __reduce__(self) -> Any:  # from one process to another
        return type(self), self._given


class Kernel(Protocol):
    """A factorised Â."""

    name: str

    @property
    def order(self) -> Order | None:
        """The order of elimination where one was sought that suits another matrix of the same pattern too."""
        ...

    def solve(self, rhs: Block) -> Block:
        """x with Â x = rhs, columns in Fortran order."""
        ...

    def smallest_pivot(self) -> float:
        """The smallest |pivot|, zero where a pivot had to be raised."""
        ...

    def negative_pivots(self) -> int | None:
        """How many eigenvalues of a symmetric Â are negative; None where not known."""
        ...

    def close(self) -> None:
        """Free the factors."""
        ...


@dataclass(frozen=True, eq=False)
class ScaledMatrix:
    """Â: all its entries, or the upper triangle of a symmetric one with its diagonal first in each row."""

    stored: SparseMatrix
    is_triangle: bool = False

    @property
    def size(self) -> int:
        """Number of equations."""
        return int(self.stored.shape[0])

    @property
    def entries(self) -> int:
        """How many entries the whole matrix has."""
        return 2 * self.stored.nnz - self.size if self.is_triangle else self.stored.nnz

    @property
    def whole(self) -> SparseMatrix:
        """Â with all its entries."""
        if not self.is_triangle:
            return self.stored
        lower = self.stored.T - sparse.diags_array(self.stored.diagonal())
        return sparse.csr_array(self.stored + lower)

    def __matmul__(self, x: Block) -> Block:
        """Â x."""
        return _product(self, self.stored, x)

    def largest_row_sum(self) -> float:
        """The largest sum of |entries| of a row."""
        return float(_product(self, abs(self.stored), np.ones(self.size)).max())


def _product(matrix: ScaledMatrix, stored: SparseMatrix, x: Block) -> Block:
    product = np.asarray(stored @ x)
    if matrix.is_triangle:
        product = product + stored.T @ x - (stored.diagonal() * x.T).T
    return np.asarray(product)


@dataclass(frozen=True)
class Trial:
    """One trial solve and one step of inverse iteration with Â."""

    nearly_null: Block
    smallness: float  # |Â x| / |x|, an upper estimate of the smallest singular value
    backward_error: float


def try_out(scaled: ScaledMatrix, solve: Callable[[Block], Block]) -> Trial:
    """How well a factorisation solves, and how near to singular Â is."""
    n = scaled.size
    start = np.random.default_rng(20).standard_normal(n).astype(scaled.stored.dtype)
    first = solve(start.reshape(n, 1))[:, 0]
    largest = float(np.abs(first).max())
    if not np.isfinite(largest):
        return Trial(start, 0.0, np.inf)
    residual = float(np.abs(scaled @ first - start).max())
    error = residual / (largest * scaled.largest_row_sum() + float(np.abs(start).max()))
    first = first / np.linalg.norm(first)
    second = solve(first.reshape(n, 1))[:, 0]
    if not np.isfinite(second).all():
        return Trial(first, 0.0, np.inf)
    return Trial(second, float(1.0 / np.linalg.norm(second)), error)


def pivot_tolerance(size: int) -> float:
    """Rounding left in a pivot of Â: errors of `size` updates add up like a random walk."""
    return float(10.0 * np.finfo(float).eps * np.sqrt(size + 100.0))


def refuse_singular(trial: Trial, kernel: Kernel, size: int) -> None:
    """Raise if both a nearly null vector and a pivot at rounding level say so."""
    if trial.smallness < _NEARLY_NULL:
        pivot = kernel.smallest_pivot()
        if pivot < pivot_tolerance(size):
            kernel.close()
            equation = int(np.argmax(np.abs(trial.nearly_null)))
            raise SingularMatrixError(equation, f"pivot {pivot:.1e} of 1")
