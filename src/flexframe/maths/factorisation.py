"""Sparse direct factorisation: PARDISO where it is installed, SuperLU everywhere.

The matrix A is first equilibrated, Â = R A C with unit row and column maxima, so that the size of a pivot
of Â has a meaning that does not depend on units: a pivot is the stiffness left at one unknown when the
unknowns eliminated before it are free to follow, as a fraction of its own stiffness. A pivot near rounding
(measured on free bodies: below 2e-13; on supported beams of 5,000 elements: above 7e-12), together with a
vector that Â maps to almost nothing, is what is called singular here.

The environment variable FLEXFRAME_SOLVER (pardiso or superlu) forces a solver; FLEXFRAME_THREADS sets the
number of PARDISO's threads (unless set: one for a small matrix, else all cores open to the process).
"""

import ctypes
import os
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import TracebackType
from typing import Any, Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import SuperLU, splu

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix

Kind = Literal["spd", "symmetric", "general"]
Block = NDArray[Any]

# Measured on plane, solid and beam bodies: below 2,000 unknowns SuperLU factorises faster than PARDISO;
# above 5,000 a METIS order pays for itself in SuperLU unless rows are as short as those of a beam.
_PARDISO_FROM = 2_000
_METIS_FROM = 5_000
_METIS_ROW_LENGTH = 25.0
_THREADS_FROM = 300_000  # entries; below, a second thread gains nothing, and loses much on a busy machine

_NEARLY_NULL = 1e-10  # |Â x| / |x| below which the pivots are looked at
_BACKWARD_ERROR = 1e-12  # of a trial solve, above which a more careful pivot choice is made
_REFINED_BELOW = 1e-6  # smallest pivot of a beam of 100 elements; PARDISO's solves are refined below


class SingularMatrixError(AnalysisError):
    """A matrix that cannot be inverted; `equation` is an unknown that takes part in the free motion."""

    def __init__(self, equation: int | None, reason: str = "") -> None:
        self.equation = equation
        place = "" if equation is None else f" at equation {equation}"
        detail = f" ({reason})" if reason else ""
        super().__init__(f"the matrix is singular{place}{detail}; support or connect what can move freely")


class _Kernel(Protocol):
    """A factorised Â."""

    name: str

    def solve(self, rhs: Block) -> Block: ...
    def smallest_pivot(self) -> float: ...
    def negative_pivots(self) -> int | None: ...
    def close(self) -> None: ...


class Factorisation:
    """A factorised matrix; `close()`, the end of a `with` block or garbage collection frees its memory."""

    def __init__(self, kernel: _Kernel, row_scale: Array, column_scale: Array, *, is_complex: bool) -> None:
        self._kernel = kernel
        self._row_scale, self._column_scale = row_scale, column_scale
        self._is_complex = is_complex
        self._closed = False

    @property
    def solver(self) -> str:
        """What did the work, in words."""
        return self._kernel.name

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
        scaled = np.asfortranarray(columns * self._row_scale[:, None], dtype=dtype)
        x = self._kernel.solve(scaled) * self._column_scale[:, None]
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


def factorise(matrix: SparseMatrix, kind: Kind, *, solver: str | None = None) -> Factorisation:
    """Factorise a square sparse matrix for repeated solves.

    `kind` is what the caller knows of it: "spd" may turn out indefinite (it is then treated as
    "symmetric"), and "symmetric" means A = Aᵀ also when complex. Raises `SingularMatrixError` for a matrix
    that is singular to working precision.
    """
    matrix = sparse.csr_array(matrix)
    is_complex = bool(np.iscomplexobj(matrix.data))
    matrix = matrix.astype(np.complex128 if is_complex else np.float64)
    matrix.sum_duplicates()  # also sorts the indices
    if is_complex and kind == "spd":
        kind = "symmetric"
    scaled, row_scale, column_scale = _equilibrated(matrix, symmetric=kind != "general")
    use_pardiso = _wants_pardiso(solver, scaled.shape[0])
    kernel = _factorise_pardiso(scaled, kind) if use_pardiso else _factorise_superlu(scaled, kind)
    return Factorisation(kernel, row_scale, column_scale, is_complex=is_complex)


def thread_count(entries: int) -> int:
    """Threads for a matrix: FLEXFRAME_THREADS, or every core open to this process if it is large."""
    text = os.environ.get("FLEXFRAME_THREADS", "")
    if text:
        if not text.isdecimal() or int(text) < 1:
            raise InputError(f"FLEXFRAME_THREADS is {text!r}; set it to a whole number from 1 on, or unset it")
        return int(text)
    if entries < _THREADS_FROM:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _wants_pardiso(solver: str | None, size: int) -> bool:
    wanted = (solver or os.environ.get("FLEXFRAME_SOLVER", "")).lower()
    if wanted not in ("", "pardiso", "superlu"):
        raise InputError(f"solver {wanted!r} is not known; use pardiso or superlu")
    if wanted == "pardiso" and _mkl() is None:
        raise InputError("solver pardiso is not installed; install flexframe[fast], or use superlu")
    if wanted:
        return wanted == "pardiso"
    return size >= _PARDISO_FROM and _mkl() is not None


def _equilibrated(matrix: SparseMatrix, *, symmetric: bool) -> tuple[SparseMatrix, Array, Array]:
    """Â = R A C with the largest entry of every row and column near one (Ruiz, three sweeps), and R, C."""
    n = matrix.shape[0]
    columns, lengths = matrix.indices, np.diff(matrix.indptr)
    rows = np.repeat(np.arange(n), lengths)
    size = np.abs(matrix.data)
    if not np.isfinite(size).all():
        equation = int(rows[np.argmin(np.isfinite(size))])
        raise AnalysisError(f"the matrix is not finite at equation {equation}; check the data given there")
    if not lengths.all():
        raise SingularMatrixError(int(np.argmin(lengths)), "its row is zero")
    row_scale, column_scale = np.ones(n), np.ones(n)
    for _ in range(3):
        scaled = size * row_scale[rows] * column_scale[columns]
        row_max = np.maximum.reduceat(scaled, matrix.indptr[:-1])
        column_max = row_max
        if not symmetric:
            column_max = np.zeros(n)
            np.maximum.at(column_max, columns, scaled)
        for largest in (row_max, column_max):
            if not largest.all():
                raise SingularMatrixError(int(np.argmin(largest)), "its row or column is zero")
        row_scale = row_scale / np.sqrt(row_max)
        column_scale = column_scale / np.sqrt(column_max)
    entries = matrix.data * (row_scale[rows] * column_scale[columns])
    return sparse.csr_array((entries, columns, matrix.indptr), shape=matrix.shape), row_scale, column_scale


def _pivot_tolerance(size: int) -> float:
    """Rounding left in a pivot of Â: errors of `size` updates add up like a random walk."""
    return float(10.0 * np.finfo(float).eps * np.sqrt(size + 100.0))


@dataclass(frozen=True)
class _Trial:
    """One trial solve and one step of inverse iteration with Â."""

    nearly_null: Block
    smallness: float  # |Â x| / |x|, an upper estimate of the smallest singular value
    backward_error: float


def _try_out(scaled: SparseMatrix, solve: Callable[[Block], Block]) -> _Trial:
    n = scaled.shape[0]
    start = np.random.default_rng(20).standard_normal(n).astype(scaled.dtype)
    first = solve(start.reshape(n, 1))[:, 0]
    largest = float(np.abs(first).max())
    if not np.isfinite(largest):
        return _Trial(start, 0.0, np.inf)
    residual = float(np.abs(scaled @ first - start).max())
    error = residual / (largest * float(abs(scaled).sum(axis=1).max()) + float(np.abs(start).max()))
    first = first / np.linalg.norm(first)
    second = solve(first.reshape(n, 1))[:, 0]
    if not np.isfinite(second).all():
        return _Trial(first, 0.0, np.inf)
    return _Trial(second, float(1.0 / np.linalg.norm(second)), error)


def _refuse_singular(trial: _Trial, kernel: _Kernel, size: int) -> None:
    """Raise if both a nearly null vector and a pivot at rounding level say so."""
    if trial.smallness < _NEARLY_NULL:
        pivot = kernel.smallest_pivot()
        if pivot < _pivot_tolerance(size):
            kernel.close()
            equation = int(np.argmax(np.abs(trial.nearly_null)))
            raise SingularMatrixError(equation, f"pivot {pivot:.1e} of 1")


# --- SuperLU ---------------------------------------------------------------------------------------------


class _SuperLUKernel:
    def __init__(self, factors: SuperLU, order: IntArray | None, name: str, *, has_inertia: bool) -> None:
        self.name = name
        self._factors: SuperLU | None = factors
        self._order = order
        # With the same row and column order, L U is L D Lᵀ with D = diag U and Sylvester's law holds.
        self._has_inertia = has_inertia and bool(np.array_equal(factors.perm_r, factors.perm_c))
        self._pivots: Block | None = None

    def solve(self, rhs: Block) -> Block:
        assert self._factors is not None
        if self._order is None:
            return self._factors.solve(rhs)
        x = np.empty_like(rhs)
        x[self._order] = self._factors.solve(np.asfortranarray(rhs[self._order]))
        return x

    def _diagonal(self) -> Block:
        # Reading U copies both factors, so it is done only when somebody asks.
        if self._pivots is None:
            assert self._factors is not None
            self._pivots = self._factors.U.diagonal()
        return self._pivots

    def smallest_pivot(self) -> float:
        return float(np.abs(self._diagonal()).min())

    def negative_pivots(self) -> int | None:
        return int(np.count_nonzero(self._diagonal() < 0.0)) if self._has_inertia else None

    def close(self) -> None:
        self._factors = None


def _factorise_superlu(scaled: SparseMatrix, kind: Kind) -> _SuperLUKernel:
    """Diagonal pivots in a symmetric order first; off-diagonal pivots if a trial solve shows the need."""
    n = scaled.shape[0]
    has_inertia = kind != "general" and not np.iscomplexobj(scaled.data)
    symmetric_pattern = kind != "general" or _has_symmetric_pattern(scaled)
    order: IntArray | None = None
    specification: Literal["COLAMD", "MMD_AT_PLUS_A", "NATURAL"] = "COLAMD"
    name, columns = "SuperLU", scaled.tocsc()
    if symmetric_pattern:
        specification, name = "MMD_AT_PLUS_A", "SuperLU with minimum-degree ordering"
        if n >= _METIS_FROM and scaled.nnz > _METIS_ROW_LENGTH * n:
            order = _metis_order(scaled)
            columns = scaled[order][:, order].tocsc()
            specification, name = "NATURAL", "SuperLU with METIS ordering"
    thresholds = (0.0, 0.1, 1.0) if symmetric_pattern else (1.0,)
    for threshold in thresholds:
        try:
            factors = splu(
                columns,
                permc_spec=specification,
                diag_pivot_thresh=threshold,
                options={"SymmetricMode": symmetric_pattern},
            )
        except RuntimeError as error:
            if "singular" not in str(error):
                raise
            if threshold == thresholds[-1]:
                raise SingularMatrixError(_free_equation(scaled), "a pivot is zero") from None
            continue
        kernel = _SuperLUKernel(factors, order, name, has_inertia=has_inertia)
        trial = _try_out(scaled, kernel.solve)
        _refuse_singular(trial, kernel, n)
        if trial.backward_error < _BACKWARD_ERROR:
            return kernel
    raise SingularMatrixError(_free_equation(scaled), f"a solve is wrong by {trial.backward_error:.0e}")


def _has_symmetric_pattern(matrix: SparseMatrix) -> bool:
    transposed = sparse.csr_array(matrix.T)
    transposed.sort_indices()
    return bool(
        np.array_equal(matrix.indptr, transposed.indptr) and np.array_equal(matrix.indices, transposed.indices)
    )


def _metis_order(matrix: SparseMatrix) -> IntArray:
    """Nested-dissection order of the graph of a matrix with symmetric pattern."""
    import pymetis

    n = matrix.shape[0]
    rows = np.repeat(np.arange(n), np.diff(matrix.indptr))
    off_diagonal = rows != matrix.indices
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[off_diagonal], minlength=n))])
    graph = pymetis.CSRAdjacency(
        starts.astype(pymetis.zero_copy_dtype()),
        matrix.indices[off_diagonal].astype(pymetis.zero_copy_dtype()),
    )
    return np.asarray(pymetis.nested_dissection(graph)[0], dtype=np.int64)


def _free_equation(scaled: SparseMatrix) -> int | None:
    """The unknown that moves most in the nearly null vector of Â + δ1, where Â itself would not factorise."""
    shifted = (scaled + 1e-9 * sparse.eye_array(scaled.shape[0])).tocsc()
    try:
        trial = _try_out(sparse.csr_array(shifted), splu(shifted).solve)
    except RuntimeError:
        return None
    return int(np.argmax(np.abs(trial.nearly_null)))


# --- PARDISO ---------------------------------------------------------------------------------------------

_MATRIX_TYPE = {
    ("spd", False): 2,
    ("symmetric", False): -2,
    ("general", False): 11,
    ("symmetric", True): 6,
    ("general", True): 13,
}
_ZERO_PIVOT, _NO_MEMORY = -4, (-2, -9)


@lru_cache(maxsize=1)
def _mkl() -> ctypes.CDLL | None:
    """The MKL library that pypardiso finds, or None without pypardiso."""
    try:
        import pypardiso
    except ImportError:
        return None
    library: ctypes.CDLL = pypardiso.ps.libmkl
    return library


class _PardisoKernel:
    """One PARDISO factorisation; arguments and iparm positions are those of MKL's manual, one-based."""

    def __init__(self, scaled: SparseMatrix, kind: Kind) -> None:
        library = _mkl()
        assert library is not None
        self._pardiso, self._get_diagonal = library["pardiso"], library["pardiso_getdiag"]
        self._set_threads = library["MKL_Set_Num_Threads_Local"]
        self._threads = thread_count(scaled.nnz)
        self._size = scaled.shape[0]
        self._dtype = scaled.dtype
        self._type = _MATRIX_TYPE[kind, bool(np.iscomplexobj(scaled.data))]
        stored = scaled if kind == "general" else _upper_triangle(scaled)
        self._entries = stored.data
        self._row_starts = stored.indptr.astype(np.int32) + 1
        self._columns = stored.indices.astype(np.int32) + 1
        self._handle = np.zeros(64, dtype=np.int64)
        self._iparm = np.zeros(64, dtype=np.int32)
        matching = int(kind == "general")
        # own values; METIS order; pivots below 1e-13 raised; scaling and matching; keep the diagonal
        for position, value in ((1, 1), (2, 2), (10, 13), (11, matching), (13, matching), (56, 1)):
            self._iparm[position - 1] = value
        plural = "" if self._threads == 1 else "s"
        self.name = f"PARDISO (MKL), {self._threads} thread{plural}"
        self.error = self._call(12, np.zeros((self._size, 1), dtype=self._dtype))[1]
        self._finalizer = weakref.finalize(
            self, _release_pardiso, self._pardiso, self._handle, self._iparm, self._type, self._size
        )

    def _call(self, phase: int, rhs: Block) -> tuple[Block, int]:
        x, error = np.zeros_like(rhs), ctypes.c_int32(0)
        before = self._set_threads(ctypes.c_int32(self._threads))
        self._pardiso(
            _pointer(self._handle),
            *(_integer(v) for v in (1, 1, self._type, phase, self._size)),
            *(_pointer(a) for a in (self._entries, self._row_starts, self._columns)),
            None,
            _integer(rhs.shape[1]),
            _pointer(self._iparm),
            _integer(0),
            _pointer(rhs),
            _pointer(x),
            ctypes.byref(error),
        )
        self._set_threads(ctypes.c_int32(before))
        return x, error.value

    @property
    def zero_pivot_equation(self) -> int | None:
        """Where a factorisation without pivoting met a pivot that is not positive."""
        return int(self._iparm[29]) - 1 if self._iparm[29] > 0 else None

    @property
    def perturbed_pivots(self) -> int:
        """PARDISO raises pivots that are too small and goes on; this is how many."""
        return int(self._iparm[13])

    def refine_solves(self) -> None:
        """Correct every solve by that of its residual; a long beam gains two digits by it."""
        self._iparm[7] = 2

    def solve(self, rhs: Block) -> Block:
        x, error = self._call(33, np.asfortranarray(rhs))
        if error:
            raise AnalysisError(f"PARDISO could not solve (code {error}); set FLEXFRAME_SOLVER=superlu")
        return x

    def smallest_pivot(self) -> float:
        factor_diagonal, diagonal = (np.zeros(self._size, dtype=self._dtype) for _ in range(2))
        error = ctypes.c_int32(0)
        self._get_diagonal(
            _pointer(self._handle),
            _pointer(factor_diagonal),
            _pointer(diagonal),
            _integer(1),
            ctypes.byref(error),
        )
        return 0.0 if error.value or self.perturbed_pivots else float(np.abs(factor_diagonal).min())

    def negative_pivots(self) -> int | None:
        return {2: 0, -2: int(self._iparm[22])}.get(self._type)

    def close(self) -> None:
        self._finalizer()


def _release_pardiso(pardiso: Any, handle: IntArray, iparm: Any, matrix_type: int, size: int) -> None:
    integers = (_integer(v) for v in (1, 1, matrix_type, -1, size))
    unused, error = (None,) * 4, ctypes.c_int32(0)
    ending = (_integer(1), _pointer(iparm), _integer(0), None, None, ctypes.byref(error))
    pardiso(_pointer(handle), *integers, *unused, *ending)


def _factorise_pardiso(scaled: SparseMatrix, kind: Kind) -> _PardisoKernel:
    """Factorise, and where pivots or a trial solve are bad, go on to the next more careful kind."""
    kernel = _PardisoKernel(scaled, kind)
    if kernel.error == 0:
        pivot = kernel.smallest_pivot()
        if pivot < _REFINED_BELOW:
            kernel.refine_solves()
        if kind == "spd" and pivot > _pivot_tolerance(scaled.shape[0]):
            return kernel  # Cholesky with sound pivots needs no trial
        trial = _try_out(scaled, kernel.solve)
        _refuse_singular(trial, kernel, scaled.shape[0])
        if trial.backward_error < _BACKWARD_ERROR:
            return kernel
    error, equation = kernel.error, kernel.zero_pivot_equation
    kernel.close()
    if error in _NO_MEMORY:
        size = f"{scaled.shape[0]} equations"
        raise AnalysisError(f"a matrix of {size} does not fit in memory; use a coarser mesh or reduce it")
    if error not in (0, _ZERO_PIVOT):
        raise AnalysisError(f"PARDISO could not factorise (code {error}); set FLEXFRAME_SOLVER=superlu")
    if kind == "general":
        raise SingularMatrixError(equation, "no usable pivot")
    return _factorise_pardiso(scaled, "symmetric" if kind == "spd" else "general")


def _upper_triangle(matrix: SparseMatrix) -> SparseMatrix:
    """Upper triangle with every diagonal entry stored, zero or not, as PARDISO wants it."""
    upper = sparse.triu(matrix, format="coo")
    missing = np.setdiff1d(np.arange(matrix.shape[0]), upper.row[upper.row == upper.col])
    rows, columns = np.concatenate([upper.row, missing]), np.concatenate([upper.col, missing])
    entries = np.concatenate([upper.data, np.zeros(len(missing), dtype=upper.dtype)])
    stored = sparse.csr_array(sparse.coo_array((entries, (rows, columns)), shape=matrix.shape))
    stored.sort_indices()
    return stored


def _pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


def _integer(value: int) -> Any:
    return ctypes.byref(ctypes.c_int32(value))
