// Sparse matrices in compressed rows, as scipy stores them; nothing is owned.
#pragma once

#include "flexframe/views.hpp"

namespace flexframe {

/// Which entries a matrix has: columns from starts(i) to starts(i + 1) are those of row i.
template <class I>
struct Rows {
    View<const I, 1> starts;
    View<const I, 1> columns;

    Index count() const { return starts.count() - 1; }
};

/// A matrix: its entries with a number each.
template <class I, class T>
struct SparseMatrix {
    Rows<I> rows;
    View<const T, 1> entries;
};

/// A matrix under way: the starts of its rows are known, columns and entries are written.
template <class I, class T>
struct MatrixRoom {
    View<const I, 1> starts;
    View<I, 1> columns;
    View<T, 1> entries;
};

}  // namespace flexframe
