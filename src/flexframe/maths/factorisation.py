"""Sparse direct factorisation: PARDISO where it is installed, SuperLU everywhere, MUMPS through PETSc on request.

The matrix A is first equilibrated, Â = R A C with unit row and column maxima. The environment variable
FLEXFRAME_SOLVER (pardiso, superlu, petsc) forces a solver; FLEXFRAME_THREADS sets the number of PARDISO's threads
(unless set: one for a small matrix, else all cores open to the process); FLEXFRAME_MEMORY the gigabytes that
factors may take (unless set: what is free in the system or container), beyond which a definite matrix is
factorised in single precision, and refused where that does not fit either.
"""

import os
from types import TracebackType
from typing import Literal, Self

import numpy as np
from scipy import sparse

from flexframe.errors import InputError
from flexframe.maths import pardiso
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.equilibration import equilibrated, equilibrated_triangle
from flexframe.maths.factor_kernels import (
    Block,
    Kernel,
    Kind,
    MatrixTooLargeError,
    Order,
    ScaledMatrix,
    SingularMatrixError,
)
from flexframe.maths.multilevel.pool import current_parts, current_pool
from flexframe.maths.solver_settings import memory_limit, thread_count
from flexframe.phases import phase

__all__ = [
    "Factorisation",
    "MatrixTooLargeError",
    "RoughFactors",
    "SingularMatrixError",
    "count_negative",
    "definite_factors",
    "factorise",
    "rough_factors",
    "thread_count",
]

# Measured on plane, solid and beam bodies: below 2,000 unknowns SuperLU factorises faster than PARDISO.
_PARDISO_FROM = 2_000
_PETSC_FROM = 2_000  # unknowns that are worth dividing among processes
DIVIDED_FROM = 200  # unknowns that are worth dividing
ROUGH_FROM = 20_000  # unknowns from which on factors in single precision are tried: below, all takes a second


class Factorisation:
    """A factorised matrix; `close()`, the end of a `with` block or garbage collection frees its memory."""

    def __init__(self, kernel: Kernel, row_scale: Array, column_scale: Array, *, is_complex: bool) -> None:
        self._kernel = kernel
        self._row_scale, self._column_scale = row_scale, column_scale
        self._is_complex = is_complex
        self._closed = False

    @property
    def solver(self) -> str:
        """What did the work, in words."""
        return self._kernel.name

    @property
    def order(self) -> Order | None:
        """The order of elimination, for another matrix of the same pattern; None where there is none to share."""
        return self._kernel.order

    @property
    def negative_pivots(self) -> int | None:
        """How many eigenvalues of a symmetric matrix are negative (Sylvester); None where not known."""
        return self._kernel.negative_pivots()

    def solve(self, rhs: Block) -> Block:
        """x with A x = rhs; rhs is (n,) or (n, k), real or complex. Complex if either of the two is."""
        assert not self._closed, "solve after close"
        rhs = np.asarray(rhs)
        split = np.iscomplexobj(rhs) and not self._is_complex
        columns = rhs.reshape(len(rhs), -1)
        if split:
            columns = np.hstack([columns.real, columns.imag])
        dtype = np.complex128 if self._is_complex else np.float64
        scaled = np.empty(columns.shape, dtype=dtype, order="F")
        np.multiply(columns, self._row_scale[:, None], out=scaled)
        solved = self._kernel.solve(scaled)
        x = np.empty(columns.shape, dtype=dtype)
        np.multiply(solved, self._column_scale[:, None], out=x)
        if split:
            half = x.shape[1] // 2
            x = x[:, :half] + 1j * x[:, half:]
        return np.ascontiguousarray(x).reshape(rhs.shape)

    def close(self) -> None:
        """Free the factors; the object cannot solve afterwards."""
        self._closed = True
        self._kernel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def factorise(
    matrix: SparseMatrix,
    kind: Kind,
    *,
    solver: str | None = None,
    order: Order | None = None,
    beside: float = 0.0,
    whole: bool = False,
) -> Factorisation:
    """Factorise a square sparse matrix for repeated solves.

    `kind` is what the caller knows of it: "spd" may turn out indefinite (it is then treated as
    "symmetric"), and "symmetric" means A = Aᵀ also when complex. `order` is that of a factorisation of a matrix
    with the same pattern, or nearly so, which spares the search for one; `beside` the bytes that will be needed
    while the factors are there. Raises `SingularMatrixError` for a matrix that is singular to working precision,
    and `MatrixTooLargeError`, before anything is computed, where PARDISO foresees more memory than there is; a
    definite matrix is then eliminated by substructures if these fit, unless it shall stay `whole`.
    """
    matrix = _sort(matrix)
    is_complex = bool(np.iscomplexobj(matrix.data))
    if is_complex and kind == "spd":
        kind = "symmetric"
    kernel: Kernel
    dividable = kind == "spd" and not whole and matrix.shape[0] >= DIVIDED_FROM
    if dividable and (parts := current_parts()) is not None:
        return _divide(matrix, parts)
    wanted = _wanted_solver(solver, matrix)
    if wanted != "superlu":
        if kind == "general":
            stored, row_scale, column_scale = equilibrated(matrix, symmetric=False)
        else:
            stored, row_scale = equilibrated_triangle(matrix)
            column_scale = row_scale

        def multiply(x: Block) -> Block:
            return np.asarray(row_scale[:, None] * np.asarray(matrix @ (column_scale[:, None] * x)))

        scaled = ScaledMatrix(stored, is_triangle=kind != "general")
        if wanted == "petsc":
            from flexframe.maths.petsc import factorise_petsc  # seldom there

            return Factorisation(factorise_petsc(scaled, kind), row_scale, column_scale, is_complex=is_complex)
        try:
            kernel = pardiso.factorise_pardiso(scaled, kind, multiply, order, beside)
        except MatrixTooLargeError as error:
            if not dividable:
                raise
            return _divide(matrix, _fitting_parts(matrix, beside, error))
    else:
        from flexframe.maths.superlu import factorise_superlu  # takes longer to load than a small case to compute

        stored, row_scale, column_scale = equilibrated(matrix, symmetric=kind != "general")
        kernel = factorise_superlu(stored, kind, order)
    return Factorisation(kernel, row_scale, column_scale, is_complex=is_complex)


def definite_factors(
    matrix: SparseMatrix, *, order: Order | None = None, beside: float = 0.0, whole: bool = False
) -> Factorisation | None:
    """Factors of a real symmetric matrix, None unless it is positive definite; the rest as for `factorise`."""
    try:
        factors = factorise(matrix, "spd", order=order, beside=beside, whole=whole)
    except SingularMatrixError:
        return None
    if factors.negative_pivots == 0:
        return factors
    factors.close()
    return None


def _fitting_parts(matrix: SparseMatrix, beside: float, error: MatrixTooLargeError) -> int:
    """How many substructures fit into memory; the error where none do."""
    from flexframe.maths.multilevel.memory import smallest_division

    limit, pool = memory_limit(), current_pool()
    assert limit is not None
    if beside >= limit:
        raise error
    pencil, needs = smallest_division(matrix, sparse.csr_array(matrix.shape), 0, pool, limit - beside)
    if needs.excess(pool, limit - beside) > 1.0:
        raise error
    return pencil.parts


def _divide(matrix: SparseMatrix, parts: int) -> Factorisation:
    from flexframe.maths.multilevel.model import DividedKernel, NotDefiniteError  # factorises parts by this module

    try:
        kernel = DividedKernel(matrix, parts, current_pool())
    except NotDefiniteError as error:
        raise SingularMatrixError(None, "not definite") from error
    ones = np.ones(matrix.shape[0])
    return Factorisation(kernel, ones, ones, is_complex=False)


class RoughFactors:
    """Factors of symmetric matrices of one pattern in single precision, one after another, with one order for all.

    They take half the time and memory of others. A solve errs by single precision times the condition: it serves
    where that is measured and corrected.
    """

    def __init__(self, matrix: SparseMatrix, beside: float, order: Order | None) -> None:
        upper, self._scale = equilibrated_triangle(matrix)
        self._pattern = upper.indptr, upper.indices
        self._kernel = pardiso.single_precision_kernel(ScaledMatrix(upper, is_triangle=True), beside, order)
        self.negative_pivots = self._factorise()
        self.solver = self._kernel.name

    def _factorise(self, entries: Array | None = None) -> int | None:
        if self._kernel.factorise(entries) or self._kernel.perturbed_pivots:
            return None
        return self._kernel.negative_pivots()

    def replace(self, matrix: SparseMatrix) -> int | None:
        """Factorise another matrix instead; how many of its eigenvalues are negative, None where not known."""
        upper, self._scale = equilibrated_triangle(_sort(matrix))
        alike = zip(self._pattern, (upper.indptr, upper.indices), strict=True)
        if all(np.array_equal(*pair) for pair in alike):
            return self._factorise(upper.data)
        order = self._kernel.order
        self.close()
        self._pattern = upper.indptr, upper.indices
        self._kernel = pardiso.single_precision_kernel(ScaledMatrix(upper, is_triangle=True), 0.0, order)
        return self._factorise()

    @property
    def order(self) -> Order | None:
        """The order of elimination, for another matrix of the same pattern."""
        return self._kernel.order

    def smallest_pivot(self) -> float:
        """The smallest |pivot| of the equilibrated matrix."""
        return self._kernel.smallest_pivot()

    def solve(self, rhs: Array) -> Array:
        """Nearly x with A x = rhs, (n, k)."""
        scaled = rhs * self._scale[:, None]
        size = np.linalg.norm(scaled, axis=0)  # single precision underflows
        scaled /= np.where(size > 0.0, size, 1.0)
        return np.multiply(self._kernel.solve(scaled), self._scale[:, None] * size, order="C")

    def close(self) -> None:
        """Free the factors."""
        self._kernel.close()


def rough_factors(matrix: SparseMatrix, beside: float, order: Order | None = None) -> RoughFactors | None:
    """Factors in single precision of a real symmetric matrix that is definite by a margin that they see.

    None where it is not, without PARDISO, for a matrix so small that double precision takes no time, and where
    there is no room for them. `beside` and `order` are as in `factorise`.
    """
    matrix = _sort(matrix)
    size = matrix.shape[0]
    if size < ROUGH_FROM or np.iscomplexobj(matrix.data) or _wanted_solver(None, matrix) != "pardiso":
        return None
    try:
        factors = RoughFactors(matrix, beside, order)
    except (SingularMatrixError, MatrixTooLargeError):
        return None
    # ten times the rounding that as many updates leave in a pivot of single precision, as they add up at random
    least = 10.0 * float(np.finfo(np.float32).eps) * np.sqrt(size + 100.0)
    if factors.negative_pivots == 0 and factors.smallest_pivot() > least:
        return factors
    factors.close()
    return None


@phase("count")
def count_negative(matrix: SparseMatrix, order: Order | None = None) -> int | None:
    """How many eigenvalues of a real symmetric or a Hermitian matrix are negative, by single precision.

    Half the time and memory of `factorise`, and right unless an eigenvalue is within single precision of zero: it
    serves to confirm a number that is known from elsewhere. `order` is as in `factorise`. None without PARDISO, or
    where pivots are too small.
    """
    matrix = _sort(matrix)
    if _wanted_solver(None, matrix) != "pardiso":
        return None
    upper, _ = equilibrated_triangle(matrix)
    return pardiso.single_precision_inertia(ScaledMatrix(upper, is_triangle=True), order)


def _sort(matrix: SparseMatrix) -> SparseMatrix:
    """The matrix in double precision with sorted rows and no duplicates; itself if it is so already."""
    made = sparse.csr_array(matrix).astype(
        np.complex128 if np.iscomplexobj(matrix.data) else np.float64, copy=False
    )
    if not made.has_canonical_format:
        made = made.copy()
        made.sum_duplicates()
    return made


def _wanted_solver(solver: str | None, matrix: SparseMatrix) -> Literal["pardiso", "superlu", "petsc"]:
    wanted = (solver or os.environ.get("FLEXFRAME_SOLVER", "")).lower()
    if wanted == "superlu":
        return "superlu"
    if wanted == "petsc" and matrix.shape[0] >= _PETSC_FROM and not np.iscomplexobj(matrix.data):
        return "petsc"
    if wanted not in ("", "pardiso", "petsc"):
        raise InputError(f"solver {wanted!r} is not known; use pardiso, superlu or petsc")
    there = pardiso.mkl() is not None
    if wanted == "pardiso" and not there:
        raise InputError("solver pardiso is not installed; install flexframe[fast], or use superlu")
    large = wanted == "pardiso" or matrix.shape[0] >= _PARDISO_FROM
    return "pardiso" if large and there else "superlu"
