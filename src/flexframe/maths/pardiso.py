"""Factorisation by PARDISO: careful where pivots are small, in single precision where memory is short."""

from collections.abc import Callable

import numpy as np

from flexframe.errors import AnalysisError
from flexframe.maths.factor_kernels import (
    BACKWARD_ERROR,
    Block,
    Kind,
    MatrixTooLargeError,
    Order,
    ScaledMatrix,
    SingularMatrixError,
    pivot_tolerance,
    refuse_singular,
    try_out,
)
from flexframe.maths.pardiso_kernel import PardisoKernel, mkl
from flexframe.maths.solver_settings import memory_limit

__all__ = [
    "MatrixTooLargeError",
    "PardisoKernel",
    "RefinedKernel",
    "factorise_pardiso",
    "memory_limit",
    "mkl",
    "single_precision_inertia",
    "single_precision_kernel",
]

_ZERO_PIVOT, _NO_MEMORY = -4, (-2, -9)
_REFINED_BELOW = 1e-6  # smallest pivot of a beam of 100 elements; solves are refined below
_REFINED = 1e-12  # |residual| / |right-hand side| of solves with factors in single precision
_REFINEMENTS = 60


def factorise_pardiso(
    scaled: ScaledMatrix,
    kind: Kind,
    multiply: Callable[[Block], Block],
    order: Order | None = None,
    beside: float = 0.0,
) -> "PardisoKernel | RefinedKernel":
    """Factorise, and where pivots or a trial solve are bad, go on to the next more careful kind.

    Factors of a definite matrix that do not fit into memory, with `beside` bytes left for others, are made in
    single precision; `multiply` is x ↦ Âx without a copy of Â.
    """
    kernel = PardisoKernel(scaled, kind, order=order)
    try:
        _require_room(kernel, scaled.size, beside)
    except MatrixTooLargeError:
        if kind != "spd":
            raise
        return _refined_factors(scaled, multiply, kernel.order, beside)
    if kernel.factorise() == 0:
        pivot = kernel.smallest_pivot()
        if pivot < _REFINED_BELOW:
            kernel.refine_solves()
        if kind == "spd" and pivot > pivot_tolerance(scaled.size):
            return kernel  # Cholesky with sound pivots needs no trial
        trial = try_out(scaled, kernel.solve)
        refuse_singular(trial, kernel, scaled.size)
        if trial.backward_error < BACKWARD_ERROR:
            return kernel
    error, equation = kernel.error, kernel.zero_pivot_equation
    kernel.close()
    if error in _NO_MEMORY:
        raise MatrixTooLargeError(scaled.size)
    if error not in (0, _ZERO_PIVOT):
        raise AnalysisError(f"PARDISO could not factorise (code {error}); set FLEXFRAME_SOLVER=superlu")
    if kind == "general":
        raise SingularMatrixError(equation, "no usable pivot")
    if kind == "spd":
        return factorise_pardiso(scaled, "symmetric", multiply, kernel.order, beside)
    return factorise_pardiso(ScaledMatrix(scaled.whole), "general", multiply, beside=beside)


def _require_room(kernel: PardisoKernel, size: int, beside: float = 0.0) -> None:
    """Stop before factors are computed that would not fit."""
    limit, needed = memory_limit(), kernel.memory + beside
    if limit is not None and needed > limit:
        kernel.close()
        raise MatrixTooLargeError(size, needed, limit)


class RefinedKernel:
    """Factors of a definite Â in single precision that precondition conjugate gradients in double.

    They take half the memory and err by about 1e-7 of Â, so that a few steps bring a solve to `_REFINED` in the
    residual however ill-conditioned Â is, as long as it stays definite in single precision.
    """

    def __init__(self, multiply: Callable[[Block], Block], factors: PardisoKernel) -> None:
        self._multiply, self._factors = multiply, factors
        self.name = f"{factors.name} with conjugate gradients in double"

    def solve(self, rhs: Block) -> Block:
        """Conjugate gradients, all columns side by side."""
        goal = _REFINED * np.linalg.norm(rhs, axis=0)
        scale = np.where(goal > 0.0, goal, 1.0)
        x, residual = np.zeros(rhs.shape, order="F"), rhs.copy(order="F")
        direction, last = np.zeros_like(x), np.ones(rhs.shape[1])
        for _ in range(_REFINEMENTS):
            # scaled to ordinary size, since single precision underflows
            better = self._factors.solve(residual / scale).astype(np.float64) * scale
            product = np.einsum("ij,ij->j", residual, better)
            direction = better + direction * (product / last)
            image = self._multiply(direction)
            work = np.einsum("ij,ij->j", direction, image)
            step = np.where(work > 0.0, product / np.where(work > 0.0, work, 1.0), 0.0)
            x += direction * step
            residual -= image * step
            last = np.where(product > 0.0, product, 1.0)
            if (np.linalg.norm(residual, axis=0) <= goal).all():
                return x
        raise AnalysisError(
            "single precision is too coarse for this matrix and double does not fit in memory; "
            "use a coarser mesh, or set FLEXFRAME_MEMORY to the gigabytes that may be used"
        )

    @property
    def order(self) -> Order | None:
        """That of the factors."""
        return self._factors.order

    def smallest_pivot(self) -> float:
        """That of the single-precision factors."""
        return self._factors.smallest_pivot()

    def negative_pivots(self) -> int | None:
        """None: a definite matrix."""
        return 0

    def close(self) -> None:
        """Free the factors."""
        self._factors.close()


def _refined_factors(
    scaled: ScaledMatrix, multiply: Callable[[Block], Block], order: Order | None, beside: float
) -> RefinedKernel:
    """Single-precision factors of a definite matrix with refined solves."""
    kernel = PardisoKernel(scaled, "spd", "single", order)
    _require_room(kernel, scaled.size, beside)
    error = kernel.factorise()
    if error or kernel.perturbed_pivots:
        kernel.close()
        if error in _NO_MEMORY:
            raise MatrixTooLargeError(scaled.size)
        raise SingularMatrixError(kernel.zero_pivot_equation, "not definite in single precision")
    return RefinedKernel(multiply, kernel)


def single_precision_kernel(scaled: ScaledMatrix, beside: float, order: Order | None = None) -> PardisoKernel:
    """For a symmetric or Hermitian Â, analysed, not factorised yet; what does not fit into memory is refused."""
    kind: Kind = "hermitian" if np.iscomplexobj(scaled.stored.data) else "symmetric"
    kernel = PardisoKernel(scaled, kind, "single", order)
    _require_room(kernel, scaled.size, beside)
    return kernel


def single_precision_inertia(scaled: ScaledMatrix, order: Order | None = None) -> int | None:
    """How many eigenvalues of a symmetric or Hermitian Â are negative, by single precision; None if it fails."""
    try:
        kernel = single_precision_kernel(scaled, 0.0, order)
    except MatrixTooLargeError:
        return None
    error = kernel.factorise()
    count = None if error or kernel.perturbed_pivots else kernel.negative_pivots()
    kernel.close()
    return count
