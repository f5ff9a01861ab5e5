#include "flexframe/sparse_scaling.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace flexframe {

template <class I, class T>
void absolute_product(SparseMatrix<I, T> matrix, View<const double, 2> x, View<double, 2> y) {
    const Index width = x.shape[1];
    for (Index row = 0; row < matrix.rows.count(); ++row) {
        double* sums = &y(row, 0);
        std::fill(sums, sums + width, 0.0);
        for (Index place = matrix.rows.starts(row); place < matrix.rows.starts(row + 1); ++place) {
            const double size = std::abs(matrix.entries(place));
            const double* factors = &x(matrix.rows.columns(place), 0);
            for (Index k = 0; k < width; ++k) sums[k] += size * factors[k];
        }
    }
}

template <class I>
bool add_scaled(
    SparseMatrix<I, double> first, SparseMatrix<I, double> second, double factor, View<double, 1> made) {
    for (Index row = 0; row < first.rows.count(); ++row) {
        Index place = first.rows.starts(row);
        const Index end = first.rows.starts(row + 1);
        for (Index other = second.rows.starts(row); other < second.rows.starts(row + 1); ++other) {
            const I column = second.rows.columns(other);
            for (; place < end && first.rows.columns(place) < column; ++place) made(place) = first.entries(place);
            if (place == end || first.rows.columns(place) != column) return false;
            made(place) = first.entries(place) + factor * second.entries(other);
            ++place;
        }
        for (; place < end; ++place) made(place) = first.entries(place);
    }
    return true;
}

template <class I, class T>
void scaled_maxima(
    SparseMatrix<I, T> matrix, View<const double, 1> row_scale, View<const double, 1> column_scale,
    View<double, 1> row_maxima, View<double, 1> column_maxima) {
    std::fill(column_maxima.data, column_maxima.data + column_maxima.count(), 0.0);
    for (Index row = 0; row < matrix.rows.count(); ++row) {
        double largest = 0.0;
        for (Index place = matrix.rows.starts(row); place < matrix.rows.starts(row + 1); ++place) {
            const Index column = matrix.rows.columns(place);
            const double size = std::abs(matrix.entries(place)) * row_scale(row) * column_scale(column);
            largest = std::max(largest, size);
            column_maxima(column) = std::max(column_maxima(column), size);
        }
        row_maxima(row) = largest;
    }
}

template <class I, class T>
void scale(
    SparseMatrix<I, T> matrix, View<const double, 1> row_scale, View<const double, 1> column_scale,
    View<T, 1> made) {
    for (Index row = 0; row < matrix.rows.count(); ++row) {
        for (Index place = matrix.rows.starts(row); place < matrix.rows.starts(row + 1); ++place) {
            made(place) = matrix.entries(place) * (row_scale(row) * column_scale(matrix.rows.columns(place)));
        }
    }
}

template <class I, class T>
void triangle_maxima(SparseMatrix<I, T> upper, View<const double, 1> scale, View<double, 1> maxima) {
    std::fill(maxima.data, maxima.data + maxima.count(), 0.0);
    for (Index row = 0; row < upper.rows.count(); ++row) {
        double largest = maxima(row);
        for (Index place = upper.rows.starts(row); place < upper.rows.starts(row + 1); ++place) {
            const Index column = upper.rows.columns(place);
            const double size = std::abs(upper.entries(place)) * scale(row) * scale(column);
            largest = std::max(largest, size);
            maxima(column) = std::max(maxima(column), size);  // a_ji = a_ij
        }
        maxima(row) = std::max(maxima(row), largest);
    }
}

template <class I>
void upper_starts(Rows<I> rows, View<I, 1> starts) {
    starts(0) = 0;
    for (Index row = 0; row < rows.count(); ++row) {
        I above = 0;
        for (Index place = rows.starts(row); place < rows.starts(row + 1); ++place) {
            above += rows.columns(place) > row;
        }
        starts(row + 1) = starts(row) + above + 1;
    }
}

template <class I, class T>
void fill_upper(SparseMatrix<I, T> matrix, MatrixRoom<I, T> upper) {
    for (Index row = 0; row < matrix.rows.count(); ++row) {
        const Index diagonal = upper.starts(row);
        Index target = diagonal;
        upper.columns(diagonal) = static_cast<I>(row);
        upper.entries(diagonal) = 0.0;
        for (Index place = matrix.rows.starts(row); place < matrix.rows.starts(row + 1); ++place) {
            const I column = matrix.rows.columns(place);
            if (column == row) {
                upper.entries(diagonal) = matrix.entries(place);
            } else if (column > row) {
                upper.columns(++target) = column;
                upper.entries(target) = matrix.entries(place);
            }
        }
    }
}

using I32 = std::int32_t;
using Complex = std::complex<double>;
using Given = View<const double, 1>;
using Made = View<double, 1>;

template bool add_scaled(SparseMatrix<I32, double>, SparseMatrix<I32, double>, double, Made);
template void upper_starts(Rows<I32>, View<I32, 1>);
template void absolute_product(SparseMatrix<I32, double>, View<const double, 2>, View<double, 2>);
template void scaled_maxima(SparseMatrix<I32, double>, Given, Given, Made, Made);
template void scale(SparseMatrix<I32, double>, Given, Given, Made);
template void triangle_maxima(SparseMatrix<I32, double>, Given, Made);
template void fill_upper(SparseMatrix<I32, double>, MatrixRoom<I32, double>);
template void absolute_product(SparseMatrix<I32, Complex>, View<const double, 2>, View<double, 2>);
template void scaled_maxima(SparseMatrix<I32, Complex>, Given, Given, Made, Made);
template void scale(SparseMatrix<I32, Complex>, Given, Given, View<Complex, 1>);
template void triangle_maxima(SparseMatrix<I32, Complex>, Given, Made);
template void fill_upper(SparseMatrix<I32, Complex>, MatrixRoom<I32, Complex>);
template bool add_scaled(SparseMatrix<Index, double>, SparseMatrix<Index, double>, double, Made);
template void upper_starts(Rows<Index>, View<Index, 1>);
template void absolute_product(SparseMatrix<Index, double>, View<const double, 2>, View<double, 2>);
template void scaled_maxima(SparseMatrix<Index, double>, Given, Given, Made, Made);
template void scale(SparseMatrix<Index, double>, Given, Given, Made);
template void triangle_maxima(SparseMatrix<Index, double>, Given, Made);
template void fill_upper(SparseMatrix<Index, double>, MatrixRoom<Index, double>);
template void absolute_product(SparseMatrix<Index, Complex>, View<const double, 2>, View<double, 2>);
template void scaled_maxima(SparseMatrix<Index, Complex>, Given, Given, Made, Made);
template void scale(SparseMatrix<Index, Complex>, Given, Given, View<Complex, 1>);
template void triangle_maxima(SparseMatrix<Index, Complex>, Given, Made);
template void fill_upper(SparseMatrix<Index, Complex>, MatrixRoom<Index, Complex>);

}  // namespace flexframe
