"""Products and sums of matrices, by MKL or the compiled core where numpy and scipy take more time or memory."""

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from flexframe import _core
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.pardiso_kernel import mkl
from flexframe.maths.solver_settings import thread_count

Block = NDArray[Any]

_SMALL = 50_000  # entries; up to there scipy is as quick
_PRECISIONS = {"d": ("d", ctypes.c_double), "f": ("s", ctypes.c_float)}  # in MKL's letters
_PLAIN, _GENERAL, _ROW_BY_ROW = 10, 20, 101  # operation, type and layout in MKL's numbers
_AS_IT_IS, _TRANSPOSED = 111, 112  # the same of dense matrices


class _Description(ctypes.Structure):
    """MKL's matrix_descr: type, triangle and diagonal, of which a general matrix needs the first."""

    _fields_ = (("kind", ctypes.c_int), ("triangle", ctypes.c_int), ("diagonal", ctypes.c_int))


def product(matrix: SparseMatrix, block: Block) -> Block:
    """A X of a real matrix and a block (n, k), by MKL where it is there for large ones of one precision."""
    library = mkl() if matrix.nnz > _SMALL and block.shape[1] > 1 else None
    narrow = matrix.indices.dtype == matrix.indptr.dtype == np.int32
    known = _PRECISIONS.get(matrix.dtype.char) if matrix.dtype == block.dtype else None
    if library is None or not narrow or known is None:
        return np.asarray(matrix @ block)
    letter, real = known
    x, y = np.ascontiguousarray(block), np.empty((matrix.shape[0], block.shape[1]), dtype=block.dtype)
    handle, rows = ctypes.c_void_p(), matrix.indptr
    pointers = (_address(rows), _address(rows[1:]), _address(matrix.indices), _address(matrix.data))
    sizes = (ctypes.c_int(size) for size in matrix.shape)
    one, none, width = real(1.0), real(0.0), ctypes.c_int(x.shape[1])
    before = library["MKL_Set_Num_Threads_Local"](ctypes.c_int(thread_count(matrix.nnz)))
    error = library[f"mkl_sparse_{letter}_create_csr"](ctypes.byref(handle), ctypes.c_int(0), *sizes, *pointers)
    assert error == 0, f"MKL refused a matrix (code {error})"
    description = _Description(_GENERAL, 0, 0)
    layout = ctypes.c_int(_ROW_BY_ROW)
    error = library[f"mkl_sparse_{letter}_mm"](
        ctypes.c_int(_PLAIN), one, handle, description, layout, _address(x), width, width, none, _address(y), width
    )
    library["mkl_sparse_destroy"](handle)
    library["MKL_Set_Num_Threads_Local"](ctypes.c_int(before))
    return y if error == 0 else np.asarray(matrix @ block)


def dense_product(first: Array, second: Array) -> Array:
    """A B of real matrices, one of them large, by the threads of MKL where it is there.

    Beside a sparse solver numpy has one thread, so that its own do not take the cores from those of MKL.
    """
    library = mkl() if max(first.size, second.size) > _SMALL else None
    left, right = _row_layout(first), _row_layout(second)
    if library is None or left is None or right is None or not min(first.size, second.size):
        return np.asarray(first @ second)
    made = np.empty((first.shape[0], second.shape[1]))
    (first_kind, first_step), (second_kind, second_step) = left, right
    sizes = (ctypes.c_int(n) for n in (*made.shape, first.shape[1]))
    before = library["MKL_Set_Num_Threads_Local"](ctypes.c_int(thread_count(max(first.size, second.size))))
    library["cblas_dgemm"](
        *(ctypes.c_int(n) for n in (_ROW_BY_ROW, first_kind, second_kind)),
        *sizes,
        *(ctypes.c_double(1.0), _address(first), ctypes.c_int(first_step), _address(second)),
        *(ctypes.c_int(second_step), ctypes.c_double(0.0), _address(made), ctypes.c_int(made.shape[1])),
    )
    library["MKL_Set_Num_Threads_Local"](ctypes.c_int(before))
    return made


def _row_layout(matrix: Array) -> tuple[int, int] | None:
    """Rows as they are or transposed, in CBLAS's numbers, and how far one is from the next; None for others."""
    if matrix.dtype != np.float64:
        return None
    for kind, (across, along), length in (
        (_AS_IT_IS, matrix.strides, matrix.shape[1]),
        (_TRANSPOSED, matrix.strides[::-1], matrix.shape[0]),
    ):
        if along == matrix.itemsize and across >= length * along and across % along == 0:
            return kind, across // along
    return None


def absolute_product(matrix: SparseMatrix, block: Block) -> Array:
    """|A||X| of a matrix and a block (n, k), real or complex, without a copy of the matrix."""
    made = np.empty((matrix.shape[0], block.shape[1]))
    sizes = np.ascontiguousarray(np.abs(block))
    _core.absolute_product(matrix.indptr, matrix.indices, matrix.data, sizes, made)
    return made


def shifted(stiffness: SparseMatrix, mass: SparseMatrix, shift: float) -> SparseMatrix:
    """K − shift·M, with the indices of K where it holds those of M, so that only values take memory."""
    both_sorted = stiffness.has_canonical_format and mass.has_canonical_format
    alike = stiffness.indices.dtype == mass.indices.dtype and stiffness.dtype == mass.dtype == np.float64
    if both_sorted and alike:
        first, second = ((matrix.indptr, matrix.indices, matrix.data) for matrix in (stiffness, mass))
        made = np.empty_like(stiffness.data)
        if _core.add_scaled(*first, *second, -float(shift), made):
            return sparse.csr_array((made, stiffness.indices, stiffness.indptr), shape=stiffness.shape)
    return sparse.csr_array(stiffness - shift * mass)


def _address(array: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
