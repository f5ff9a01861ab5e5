// Which equations elements couple, and sums of element matrices into the sparse matrix of a body.
//
// Pairs are nodes that share an element, as compressed rows with sorted columns. `numbers` (nodes, d) gives the
// equation of each degree of freedom of a node, −1 where there is none, ascending from node to node, so that the
// columns of the equations are sorted where those of the pairs are.
#pragma once

#include <vector>

#include "flexframe/compressed_rows.hpp"

namespace flexframe {

/// Compressed rows with room of their own.
template <class I>
struct OwnedRows {
    std::vector<I> starts;
    std::vector<I> columns;
};

/// Pairs of nodes within an element, of several tables of elements (elements, nodes of each); columns are sorted.
template <class I>
OwnedRows<I> node_pairs(Index node_count, const std::vector<View<const Index, 2>>& tables);

/// scalars(slot of i, j) += blocks(e, a, b) for nodes i, j = a, b of element e.
template <class I>
void add_scalars(Rows<I> pairs, View<const Index, 2> nodes, View<const double, 3> blocks, View<double, 1> scalars);

/// Where the rows of the equations start; `wanted` (d, d) says which entries of a pair's block the matrix has.
template <class I>
void equation_starts(
    Rows<I> pairs, View<const Index, 2> numbers, View<const bool, 2> wanted, View<Index, 1> starts);

/// Columns of the equations, where every pair has its whole block.
template <class I, class J>
void equation_columns(Rows<I> pairs, View<const Index, 2> numbers, View<const J, 1> starts, View<J, 1> columns);

/// scalar ⊗ factor on the equations: columns and entries; zeros of the factor (d, d) are left out.
template <class I, class J>
void expand_scalars(
    SparseMatrix<I, double> scalars, View<const Index, 2> numbers, View<const double, 2> factor,
    MatrixRoom<J, double> made);

/// Rows of equations into which blocks of node pairs are added.
template <class I, class J>
struct BlockRows {
    Rows<I> pairs;
    View<const I, 1> offsets;  // of each pair's block in the rows of its first node
    View<const J, 1> starts;   // of the rows of the equations
};

/// Where the block of each pair begins in the rows of its first node, which all have the same columns.
template <class I>
void block_offsets(Rows<I> pairs, View<const Index, 2> numbers, View<I, 1> offsets);

/// K(numbers(i), numbers(j)) += blocks(e, a, b) (d, d) for nodes i, j = a, b of element e.
template <class I, class J>
void add_blocks(
    BlockRows<I, J> rows, View<const Index, 2> numbers, View<const Index, 2> nodes, View<const double, 5> blocks,
    View<double, 1> entries);

/// Where the rows of A[kept][:, kept] start; `place` (columns,) is −1 for a column that is left out.
template <class I>
void selected_starts(Rows<I> rows, View<const Index, 1> kept, View<const Index, 1> place, View<Index, 1> starts);

/// Columns and entries of A[kept][:, kept].
template <class I, class T>
void select(
    SparseMatrix<I, T> matrix, View<const Index, 1> kept, View<const Index, 1> place, MatrixRoom<I, T> made);

}  // namespace flexframe
