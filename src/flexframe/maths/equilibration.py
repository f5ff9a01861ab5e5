"""Scaling of a sparse matrix to unit row and column maxima, so that no pivot depends on units."""

import numpy as np
from scipy import sparse

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.factor_kernels import SingularMatrixError

_SMALL = 50_000  # entries; up to there array operations are quicker than loading the compiled loops
_SWEEPS = 3  # of Ruiz' iteration; the maxima are then within a few per cent of one


def equilibrated(matrix: SparseMatrix, *, symmetric: bool) -> tuple[SparseMatrix, Array, Array]:
    """Â = R A C with the largest entry of every row and column near one (Ruiz), and R, C."""
    n = matrix.shape[0]
    _refuse_unusable(matrix)
    row_scale, column_scale = np.ones(n), np.ones(n)
    size = np.abs(matrix.data) if np.iscomplexobj(matrix.data) else matrix.data
    for _ in range(_SWEEPS):
        maxima = _maxima(matrix, size, row_scale, column_scale)
        row_max, column_max = (maxima[0], maxima[0]) if symmetric else maxima
        for largest in (row_max, column_max):
            if not largest.all():
                raise SingularMatrixError(int(np.argmin(largest)), "its row or column is zero")
        row_scale = row_scale / np.sqrt(row_max)
        column_scale = column_scale / np.sqrt(column_max)
    entries = _scaled(matrix, row_scale, column_scale)
    return sparse.csr_array((entries, matrix.indices, matrix.indptr), shape=matrix.shape), row_scale, column_scale


def equilibrated_triangle(matrix: SparseMatrix) -> tuple[SparseMatrix, Array]:
    """The upper triangle of Â = S A S for a symmetric A with sorted rows, and S."""
    _refuse_unusable(matrix)
    upper = upper_triangle(matrix)
    scale = np.ones(matrix.shape[0])
    from flexframe.maths.equilibration_kernels import scale_in_place, triangle_maxima

    for _ in range(_SWEEPS):
        largest = triangle_maxima(upper.indptr, upper.indices, upper.data, scale)
        if not largest.all():
            raise SingularMatrixError(int(np.argmin(largest)), "its row or column is zero")
        scale = scale / np.sqrt(largest)
    scale_in_place(upper.indptr, upper.indices, upper.data, scale)
    return upper, scale


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
    from flexframe.maths.equilibration_kernels import fill_upper, upper_starts

    starts = upper_starts(matrix.indptr, matrix.indices)
    kind = matrix.indices.dtype
    columns, entries = np.empty(starts[-1], dtype=kind), np.empty(starts[-1], dtype=matrix.dtype)
    fill_upper(matrix.indptr, matrix.indices, matrix.data, starts, columns, entries)
    return sparse.csr_array((entries, columns, starts.astype(kind)), shape=matrix.shape)


def _maxima(matrix: SparseMatrix, size: Array, row_scale: Array, column_scale: Array) -> tuple[Array, Array]:
    """The largest scaled |entry| of each row, none of which is empty, and of each column."""
    if matrix.nnz > _SMALL:
        from flexframe.maths.equilibration_kernels import maxima

        rows, columns = maxima(matrix.indptr, matrix.indices, size, row_scale, column_scale)
        return rows, columns
    values = np.abs(size) * row_scale[_row_numbers(matrix)] * column_scale[matrix.indices]
    largest = np.zeros(len(column_scale))
    np.maximum.at(largest, matrix.indices, values)
    return np.maximum.reduceat(values, matrix.indptr[:-1]), largest


def _scaled(matrix: SparseMatrix, row_scale: Array, column_scale: Array) -> Array:
    """The entries of R A C."""
    if matrix.nnz > _SMALL:
        from flexframe.maths.equilibration_kernels import scale

        entries = np.empty_like(matrix.data)
        scale(matrix.indptr, matrix.indices, matrix.data, row_scale, column_scale, entries)
        return entries
    return np.asarray(matrix.data * (row_scale[_row_numbers(matrix)] * column_scale[matrix.indices]))


def _row_numbers(matrix: SparseMatrix) -> IntArray:
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
