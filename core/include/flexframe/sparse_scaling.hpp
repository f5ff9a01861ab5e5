// Sums, products and scaling of sparse matrices, where numpy would copy the matrix.
#pragma once

#include "flexframe/compressed_rows.hpp"

namespace flexframe {

/// y = |A| x for blocks of columns x, y: (n, k).
template <class I, class T>
void absolute_product(SparseMatrix<I, T> matrix, View<const double, 2> x, View<double, 2> y);

/// made = A + factor·B on the entries of A; false where B has others. Rows of both are sorted.
template <class I>
bool add_scaled(
    SparseMatrix<I, double> first, SparseMatrix<I, double> second, double factor, View<double, 1> made);

/// The largest |r_i a_ij c_j| of each row and of each column.
template <class I, class T>
void scaled_maxima(
    SparseMatrix<I, T> matrix, View<const double, 1> row_scale, View<const double, 1> column_scale,
    View<double, 1> row_maxima, View<double, 1> column_maxima);

/// made = R A C; `made` may be the entries of the matrix.
template <class I, class T>
void scale(
    SparseMatrix<I, T> matrix, View<const double, 1> row_scale, View<const double, 1> column_scale,
    View<T, 1> made);

/// The largest |s_i a_ij s_j| of each row of a symmetric matrix, from its upper triangle.
template <class I, class T>
void triangle_maxima(SparseMatrix<I, T> upper, View<const double, 1> scale, View<double, 1> maxima);

/// Where the rows of the upper triangle start, a diagonal entry in each.
template <class I>
void upper_starts(Rows<I> rows, View<I, 1> starts);

/// Columns and entries of the upper triangle, the diagonal first in each row, zero where the matrix has none.
template <class I, class T>
void fill_upper(SparseMatrix<I, T> matrix, MatrixRoom<I, T> upper);

}  // namespace flexframe
