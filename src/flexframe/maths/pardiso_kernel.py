"""One factorisation by PARDISO of Intel's MKL, through the library that pypardiso installs."""

import ctypes
import os
import sys
import weakref
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import IntArray
from flexframe.maths.factor_kernels import Block, Kind, Order, ScaledMatrix
from flexframe.maths.solver_settings import thread_count
from flexframe.phases import phase

Precision = Literal["double", "single"]

_MATRIX_TYPE = {
    ("spd", False): 2,
    ("symmetric", False): -2,
    ("general", False): 11,
    ("symmetric", True): 6,
    ("general", True): 13,
    ("hermitian", True): -4,
}


@lru_cache(maxsize=1)
def mkl() -> ctypes.CDLL | None:
    """The MKL library that pypardiso finds, or None without pypardiso.

    Its search through all files of the environment takes seconds; the usual place is looked at first.
    """
    usual = sorted((Path(sys.prefix) / "lib").glob("libmkl_rt.so*"))
    if usual:
        os.environ.setdefault("PYPARDISO_MKL_RT", str(usual[0]))
    try:
        import pypardiso
    except ImportError:
        return None
    library: ctypes.CDLL = pypardiso.ps.libmkl
    return library


class PardisoKernel:
    """One PARDISO factorisation; arguments and iparm positions are those of MKL's manual, one-based.

    `order` is the order of elimination, found unless it is given: that of another matrix with the same pattern, or
    nearly so, spares the search for one.
    """

    def __init__(
        self,
        scaled: ScaledMatrix,
        kind: Kind,
        precision: Precision = "double",
        order: Order | None = None,
    ) -> None:
        library = mkl()
        assert library is not None
        self._pardiso, self._get_diagonal = library["pardiso"], library["pardiso_getdiag"]
        self._set_threads = library["MKL_Set_Num_Threads_Local"]
        assert scaled.is_triangle == (kind != "general")
        self._threads = thread_count(scaled.entries)
        self._size = scaled.size
        single = precision == "single"
        stored = scaled.stored
        is_complex = bool(np.iscomplexobj(stored.data))
        self._dtype = stored.dtype
        if single:
            self._dtype = np.dtype(np.complex64 if is_complex else np.float32)
        self._type = _MATRIX_TYPE[kind, is_complex]
        self._entries = stored.data.astype(self._dtype, copy=False)
        self._row_starts = stored.indptr.astype(np.int32, copy=False)
        self._columns = stored.indices.astype(np.int32, copy=False)
        self._handle = np.zeros(64, dtype=np.int64)
        self._iparm = np.zeros(64, dtype=np.int32)
        matching = int(kind == "general")
        smallest = 6 if single else 13
        self._order = np.zeros(self._size, dtype=np.int32) if order is None else order
        self._has_order = kind != "general"  # which goes with a matching of the entries, not of the pattern
        # own values; METIS order, told or given; pivots below 10^-smallest raised; scaling and matching;
        # precision; numbers from zero; keep diagonal
        for position, value in (
            (1, 1),
            (2, 2),
            (5, (2 if order is None else 1) * self._has_order),
            (10, smallest),
            (11, matching),
            (13, matching),
            (28, int(single)),
            (35, 1),
            (56, 1),
        ):
            self._iparm[position - 1] = value
        plural = "" if self._threads == 1 else "s"
        self.name = f"PARDISO (MKL), {self._threads} thread{plural}" + (", single precision" if single else "")
        self.error = self._analyse()
        self._finalizer = weakref.finalize(
            self, _release, self._pardiso, self._handle, self._iparm, self._type, self._size
        )

    @phase("ordering")
    def _analyse(self) -> int:
        """Order and pattern of the factors, and the memory they will take; PARDISO's code of what went wrong."""
        return self._call(11)[1]

    @phase("factors")
    def factorise(self, entries: NDArray[Any] | None = None) -> int:
        """Compute the factors; zero, or PARDISO's code of what went wrong.

        `entries` are those of another matrix of the same pattern, which takes the place of the one before.
        """
        if entries is not None:
            self._entries = entries.astype(self._dtype, copy=False)
        if self.error == 0:
            self.error = self._call(22)[1]
        return self.error

    def _call(self, phase: int, rhs: Block | None = None) -> tuple[Block, int]:
        if rhs is None:
            rhs = np.zeros((self._size, 1), dtype=self._dtype)
        x, error = np.empty_like(rhs), ctypes.c_int32(0)
        before = self._set_threads(ctypes.c_int32(self._threads))
        self._pardiso(
            _pointer(self._handle),
            *(_integer(v) for v in (1, 1, self._type, phase, self._size)),
            *(_pointer(a) for a in (self._entries, self._row_starts, self._columns, self._order)),
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
    def order(self) -> Order | None:
        """The order of elimination of a symmetric matrix."""
        return self._order if self._has_order else None

    @property
    def memory(self) -> float:
        """Bytes that the factors will take, known before they are computed."""
        return 1024.0 * max(float(self._iparm[14]), float(self._iparm[15]) + float(self._iparm[16]))

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

    @phase("solves")
    def solve(self, rhs: Block) -> Block:
        """x with Â x = rhs in the precision of the factors."""
        x, error = self._call(33, np.asfortranarray(rhs, dtype=self._dtype))
        if error:
            raise AnalysisError(f"PARDISO could not solve (code {error}); set FLEXFRAME_SOLVER=superlu")
        return x

    def smallest_pivot(self) -> float:
        """The smallest |pivot|; zero where one was raised."""
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
        """Sylvester's count of a symmetric or Hermitian matrix."""
        return {2: 0, -2: int(self._iparm[22]), -4: int(self._iparm[22])}.get(self._type)

    def close(self) -> None:
        """Free the factors."""
        self._finalizer()


def _release(pardiso: Any, handle: IntArray, iparm: Any, matrix_type: int, size: int) -> None:
    integers = (_integer(v) for v in (1, 1, matrix_type, -1, size))
    unused, error = (None,) * 4, ctypes.c_int32(0)
    ending = (_integer(1), _pointer(iparm), _integer(0), None, None, ctypes.byref(error))
    pardiso(_pointer(handle), *integers, *unused, *ending)


def _pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


def _integer(value: int) -> Any:
    return ctypes.byref(ctypes.c_int32(value))
