"""Scaling of a sparse matrix to unit row and column maxima, so that no pivot depends on units."""

import numpy as np
from scipy import sparse

from flexframe import _core
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.factor_kernels import SingularMatrixError

_SWEEPS = 3  # of Ruiz' iteration; the maxima are then within a few per cent of one


def equilibrated(matrix: SparseMatrix, *, symmetric: bool) -> tuple[SparseMatrix, Array, Array]:
    """Â = R A C with the largest entry of every row and column near one (Ruiz), and R, C."""
    n = matrix.shape[0]
    _refuse_unusable(matrix)
    row_scale, column_scale = np.ones(n), np.ones(n)
    row_max, column_max = np.empty(n), np.empty(n)
    stored = (matrix.indptr, matrix.indices, matrix.data)
    for _ in range(_SWEEPS):
        _core.scaled_maxima(*stored, row_scale, column_scale, row_max, column_max)
        _refuse_zeros(row_max)
        _refuse_zeros(column_max)
        row_scale = row_scale / np.sqrt(row_max)
        column_scale = row_scale if symmetric else column_scale / np.sqrt(column_max)
    entries = np.empty_like(matrix.data)
    _core.scale(*stored, row_scale, column_scale, entries)
    return sparse.csr_array((entries, matrix.indices, matrix.indptr), shape=matrix.shape), row_scale, column_scale


def equilibrated_triangle(matrix: SparseMatrix) -> tuple[SparseMatrix, Array]:
    """The upper triangle of Â = S A S for a symmetric A with sorted rows, and S."""
    _refuse_unusable(matrix)
    upper = upper_triangle(matrix)
    scale, largest = np.ones(matrix.shape[0]), np.empty(matrix.shape[0])
    stored = (upper.indptr, upper.indices, upper.data)
    for _ in range(_SWEEPS):
        _core.triangle_maxima(*stored, scale, largest)
        _refuse_zeros(largest)
        scale = scale / np.sqrt(largest)
    _core.scale(*stored, scale, scale, upper.data)
    return upper, scale


def _refuse_zeros(largest: Array) -> None:
    """Rows or columns whose largest entry is zero."""
    if not largest.all():
        raise SingularMatrixError(int(np.argmin(largest)), "its row or column is zero")


def _refuse_unusable(matrix: SparseMatrix) -> None:
    """Entries that are no numbers, rows without entries."""
    lengths = np.diff(matrix.indptr)
    if not np.isfinite(matrix.data).all():
        place = int(np.argmin(np.isfinite(matrix.data)))
        equation = int(np.searchsorted(matrix.indptr, place, side="right")) - 1
        raise AnalysisError(f"the matrix is not finite at equation {equation}; check the data given there")
    if not lengths.all():
        raise SingularMatrixError(int(np.argmin(lengths)), "its row is zero")


def upper_triangle(matrix: SparseMatrix) -> SparseMatrix:
    """Upper triangle of a matrix with sorted rows, with every diagonal entry stored, zero or not."""
    starts = np.empty_like(matrix.indptr)
    _core.upper_starts(matrix.indptr, matrix.indices, starts)
    columns = np.empty(starts[-1], dtype=matrix.indices.dtype)
    entries = np.empty(starts[-1], dtype=matrix.dtype)
    _core.fill_upper(matrix.indptr, matrix.indices, matrix.data, starts, columns, entries)
    return sparse.csr_array((entries, columns, starts), shape=matrix.shape)
