#include "flexframe/sparse_patterns.hpp"

#include <algorithm>
#include <complex>
#include <numeric>
#include <stdexcept>

namespace flexframe {

namespace {

/// The elements at each node, by counting; an element is the place of its nodes in memory and their number.
class Incidence {
public:
    Incidence(Index node_count, const std::vector<View<const Index, 2>>& tables) : starts_(node_count + 1, 0) {
        for (const auto& table : tables) {
            for (Index place = 0; place < table.size(); ++place) ++starts_[table.data[place] + 1];
        }
        for (Index node = 0; node < node_count; ++node) starts_[node + 1] += starts_[node];
        elements_.resize(starts_.back());
        std::vector<Index> next(starts_.begin(), starts_.end() - 1);
        for (const auto& table : tables) {
            const Index size = table.shape[1];
            for (Index place = 0; place < table.size(); ++place) {
                elements_[next[table.data[place]]++] = {table.data + place / size * size, size};
            }
        }
        seen_.resize(node_count);
    }

    /// visit(i, j) once for each pair of nodes that share an element, i ascending.
    template <class Visit>
    void for_each_pair(Visit visit) {
        const Index node_count = static_cast<Index>(seen_.size());
        std::fill(seen_.begin(), seen_.end(), -1);
        for (Index i = 0; i < node_count; ++i) {
            for (Index place = starts_[i]; place < starts_[i + 1]; ++place) {
                const Element& element = elements_[place];
                for (Index b = 0; b < element.size; ++b) {
                    const Index j = element.nodes[b];
                    if (seen_[j] == i) continue;
                    seen_[j] = i;
                    visit(i, j);
                }
            }
        }
    }

private:
    struct Element {
        const Index* nodes;
        Index size;
    };
    std::vector<Index> starts_;
    std::vector<Element> elements_;
    std::vector<Index> seen_;  // the last node that each node was a partner of
};

/// Finds pairs of an element's nodes: these are sorted once, so that one walk along a row meets all of them.
template <class I>
class PairFinder {
public:
    PairFinder(Rows<I> pairs, Index size) : slots(size), pairs_(pairs), order_(size) {}

    /// Sort the nodes of the next element.
    void set(const Index* nodes) {
        nodes_ = nodes;
        std::iota(order_.begin(), order_.end(), Index{0});
        std::sort(order_.begin(), order_.end(), [=](Index a, Index b) { return nodes[a] < nodes[b]; });
    }

    /// slots[b] becomes that of the pair of node a and node b of the element.
    void find(Index a) {
        Index slot = pairs_.starts(nodes_[a]);
        const Index end = pairs_.starts(nodes_[a] + 1);
        for (Index b : order_) {
            while (slot < end && pairs_.columns(slot) < nodes_[b]) ++slot;
            if (slot == end || pairs_.columns(slot) != nodes_[b]) {
                throw std::invalid_argument("an element has a pair of nodes that the pattern lacks");
            }
            slots[b] = slot;
        }
    }

    std::vector<Index> slots;

private:
    Rows<I> pairs_;
    const Index* nodes_ = nullptr;
    std::vector<Index> order_;  // of the element's nodes by their numbers
};

/// visit(place, slot, a, b, column) for every entry that is wanted, in the order of the rows.
template <class I, class J, class Wanted, class Visit>
void for_each_entry(
    Rows<I> pairs, View<const Index, 2> numbers, View<const J, 1> starts, Wanted wanted, Visit visit) {
    const Index size = numbers.shape[1];
    std::vector<std::vector<Index>> used(size);
    for (Index a = 0; a < size; ++a) {
        for (Index b = 0; b < size; ++b) {
            if (wanted(a, b)) used[a].push_back(b);
        }
    }
    for (Index node = 0; node < numbers.count(); ++node) {
        for (Index a = 0; a < size; ++a) {
            if (numbers(node, a) < 0) continue;
            Index place = starts(numbers(node, a));
            for (Index slot = pairs.starts(node); slot < pairs.starts(node + 1); ++slot) {
                const Index* equations = numbers.data + pairs.columns(slot) * size;
                for (Index b : used[a]) {
                    if (equations[b] >= 0) visit(place++, slot, a, b, equations[b]);
                }
            }
        }
    }
}

/// target += one row of a block; columns without an equation are left out.
template <int width>
void add_row(const double* row, const Index* equations, double* target) {
    if (equations[0] >= 0 && equations[width - 1] == equations[0] + width - 1) {  // all there, as nearly always
        for (int j = 0; j < width; ++j) target[j] += row[j];
        return;
    }
    for (int j = 0; j < width; ++j) {
        if (equations[j] >= 0) *target++ += row[j];
    }
}

/// `add_blocks` for blocks whose width is known to the compiler.
template <int width, class I, class J>
void add_blocks_of(
    BlockRows<I, J> rows, View<const Index, 2> numbers, View<const Index, 2> nodes, View<const double, 5> blocks,
    View<double, 1> entries) {
    const Index size = nodes.shape[1];
    PairFinder<I> finder(rows.pairs, size);
    std::vector<const Index*> equations(size);  // of the element's nodes
    for (Index e = 0; e < nodes.count(); ++e) {
        finder.set(&nodes(e, 0));
        for (Index a = 0; a < size; ++a) equations[a] = &numbers(nodes(e, a), 0);
        for (Index a = 0; a < size; ++a) {
            finder.find(a);
            for (int i = 0; i < width; ++i) {
                if (equations[a][i] < 0) continue;
                const double* row = &blocks(e, a, 0, i, 0);
                double* target = entries.data + rows.starts(equations[a][i]);
                for (Index b = 0; b < size; ++b, row += width * width) {
                    add_row<width>(row, equations[b], target + rows.offsets(finder.slots[b]));
                }
            }
        }
    }
}

}  // namespace

template <class I>
OwnedRows<I> node_pairs(Index node_count, const std::vector<View<const Index, 2>>& tables) {
    Incidence incidence(node_count, tables);
    OwnedRows<I> made;
    made.starts.assign(node_count + 1, 0);
    incidence.for_each_pair([&](Index, Index j) { ++made.starts[j + 1]; });
    for (Index node = 0; node < node_count; ++node) made.starts[node + 1] += made.starts[node];
    made.columns.resize(made.starts.back());
    // (i, j) is a pair where (j, i) is: as i ascends, every row j receives its columns in order
    std::vector<I> next(made.starts.begin(), made.starts.end() - 1);
    incidence.for_each_pair([&](Index i, Index j) { made.columns[next[j]++] = static_cast<I>(i); });
    return made;
}

template <class I>
void add_scalars(
    Rows<I> pairs, View<const Index, 2> nodes, View<const double, 3> blocks, View<double, 1> scalars) {
    const Index size = nodes.shape[1];
    PairFinder<I> finder(pairs, size);
    for (Index e = 0; e < nodes.count(); ++e) {
        finder.set(&nodes(e, 0));
        for (Index a = 0; a < size; ++a) {
            finder.find(a);
            for (Index b = 0; b < size; ++b) scalars(finder.slots[b]) += blocks(e, a, b);
        }
    }
}

template <class I>
void equation_starts(
    Rows<I> pairs, View<const Index, 2> numbers, View<const bool, 2> wanted, View<Index, 1> starts) {
    const Index size = numbers.shape[1];
    std::fill(starts.data, starts.data + starts.count(), 0);
    std::vector<Index> present(size);  // how many of a node's partners have the degree of freedom b
    for (Index node = 0; node < numbers.count(); ++node) {
        std::fill(present.begin(), present.end(), 0);
        for (Index slot = pairs.starts(node); slot < pairs.starts(node + 1); ++slot) {
            for (Index b = 0; b < size; ++b) present[b] += numbers(pairs.columns(slot), b) >= 0;
        }
        for (Index a = 0; a < size; ++a) {
            if (numbers(node, a) < 0) continue;
            for (Index b = 0; b < size; ++b) {
                if (wanted(a, b)) starts(numbers(node, a) + 1) += present[b];
            }
        }
    }
    for (Index row = 1; row < starts.count(); ++row) starts(row) += starts(row - 1);
}

template <class I>
void block_offsets(Rows<I> pairs, View<const Index, 2> numbers, View<I, 1> offsets) {
    for (Index node = 0; node < numbers.count(); ++node) {
        I offset = 0;
        for (Index slot = pairs.starts(node); slot < pairs.starts(node + 1); ++slot) {
            offsets(slot) = offset;
            for (Index b = 0; b < numbers.shape[1]; ++b) offset += numbers(pairs.columns(slot), b) >= 0;
        }
    }
}

template <class I, class J>
void equation_columns(Rows<I> pairs, View<const Index, 2> numbers, View<const J, 1> starts, View<J, 1> columns) {
    for_each_entry(
        pairs, numbers, starts, [](Index, Index) { return true; },
        [=](Index place, Index, Index, Index, Index column) { columns(place) = static_cast<J>(column); });
}

template <class I, class J>
void expand_scalars(
    SparseMatrix<I, double> scalars, View<const Index, 2> numbers, View<const double, 2> factor,
    MatrixRoom<J, double> made) {
    for_each_entry(
        scalars.rows, numbers, made.starts, [=](Index a, Index b) { return factor(a, b) != 0.0; },
        [=](Index place, Index slot, Index a, Index b, Index column) {
            made.columns(place) = static_cast<J>(column);
            made.entries(place) = scalars.entries(slot) * factor(a, b);
        });
}

template <class I, class J>
void add_blocks(
    BlockRows<I, J> rows, View<const Index, 2> numbers, View<const Index, 2> nodes, View<const double, 5> blocks,
    View<double, 1> entries) {
    switch (numbers.shape[1]) {
        case 1: return add_blocks_of<1>(rows, numbers, nodes, blocks, entries);
        case 2: return add_blocks_of<2>(rows, numbers, nodes, blocks, entries);
        case 3: return add_blocks_of<3>(rows, numbers, nodes, blocks, entries);
        default: throw std::invalid_argument("elements that interpolate displacements have up to three of a node");
    }
}

template <class I>
void selected_starts(Rows<I> rows, View<const Index, 1> kept, View<const Index, 1> place, View<Index, 1> starts) {
    starts(0) = 0;
    for (Index i = 0; i < kept.count(); ++i) {
        Index found = 0;
        for (Index slot = rows.starts(kept(i)); slot < rows.starts(kept(i) + 1); ++slot) {
            found += place(rows.columns(slot)) >= 0;
        }
        starts(i + 1) = starts(i) + found;
    }
}

template <class I, class T>
void select(
    SparseMatrix<I, T> matrix, View<const Index, 1> kept, View<const Index, 1> place, MatrixRoom<I, T> made) {
    for (Index i = 0; i < kept.count(); ++i) {
        Index target = made.starts(i);
        for (Index slot = matrix.rows.starts(kept(i)); slot < matrix.rows.starts(kept(i) + 1); ++slot) {
            const Index column = place(matrix.rows.columns(slot));
            if (column < 0) continue;
            made.columns(target) = static_cast<I>(column);
            made.entries(target++) = matrix.entries(slot);
        }
    }
}

using I32 = std::int32_t;
using Complex = std::complex<double>;
using Table = View<const Index, 2>;
using List = View<const Index, 1>;
using Blocks = View<const double, 5>;

template OwnedRows<I32> node_pairs(Index, const std::vector<Table>&);
template void block_offsets(Rows<I32>, Table, View<I32, 1>);
template void add_scalars(Rows<I32>, Table, View<const double, 3>, View<double, 1>);
template void equation_starts(Rows<I32>, Table, View<const bool, 2>, View<Index, 1>);
template void selected_starts(Rows<I32>, List, List, View<Index, 1>);
template void add_blocks(BlockRows<I32, I32>, Table, Table, Blocks, View<double, 1>);
template void equation_columns(Rows<I32>, Table, View<const I32, 1>, View<I32, 1>);
template void expand_scalars(SparseMatrix<I32, double>, Table, View<const double, 2>, MatrixRoom<I32, double>);
template void add_blocks(BlockRows<I32, Index>, Table, Table, Blocks, View<double, 1>);
template void equation_columns(Rows<I32>, Table, List, View<Index, 1>);
template void expand_scalars(SparseMatrix<I32, double>, Table, View<const double, 2>, MatrixRoom<Index, double>);
template void select(SparseMatrix<I32, double>, List, List, MatrixRoom<I32, double>);
template void select(SparseMatrix<I32, Complex>, List, List, MatrixRoom<I32, Complex>);
template OwnedRows<Index> node_pairs(Index, const std::vector<Table>&);
template void block_offsets(Rows<Index>, Table, View<Index, 1>);
template void add_scalars(Rows<Index>, Table, View<const double, 3>, View<double, 1>);
template void equation_starts(Rows<Index>, Table, View<const bool, 2>, View<Index, 1>);
template void selected_starts(Rows<Index>, List, List, View<Index, 1>);
template void add_blocks(BlockRows<Index, I32>, Table, Table, Blocks, View<double, 1>);
template void equation_columns(Rows<Index>, Table, View<const I32, 1>, View<I32, 1>);
template void expand_scalars(SparseMatrix<Index, double>, Table, View<const double, 2>, MatrixRoom<I32, double>);
template void add_blocks(BlockRows<Index, Index>, Table, Table, Blocks, View<double, 1>);
template void equation_columns(Rows<Index>, Table, List, View<Index, 1>);
template void expand_scalars(SparseMatrix<Index, double>, Table, View<const double, 2>, MatrixRoom<Index, double>);
template void select(SparseMatrix<Index, double>, List, List, MatrixRoom<Index, double>);
template void select(SparseMatrix<Index, Complex>, List, List, MatrixRoom<Index, Complex>);

}  // namespace flexframe
