// Sparse patterns and scaling for Python: indices of 32 or 64 bits, real or complex entries, as scipy has them.
#include <nanobind/stl/vector.h>

#include <complex>

#include "bindings.hpp"
#include "flexframe/sparse_patterns.hpp"
#include "flexframe/sparse_scaling.hpp"

namespace flexframe::bindings {

namespace {

template <class I>
using Integers = Given<const I, 1>;
using Numbers = Given<const Index, 2>;
using Vector = Given<const double, 1>;

template <class I>
Rows<I> rows(const Integers<I>& starts, const Integers<I>& columns) {
    return {view(starts), view(columns)};
}

template <class I, class T>
SparseMatrix<I, T> matrix(
    const Integers<I>& starts, const Integers<I>& columns, const Given<const T, 1>& entries) {
    return {rows<I>(starts, columns), view(entries)};
}

template <class I, class T>
MatrixRoom<I, T> room(const Integers<I>& starts, const Given<I, 1>& columns, const Given<T, 1>& entries) {
    return {view(starts), view(columns), view(entries)};
}

template <class I>
nb::tuple pairs_with(Index node_count, const std::vector<Numbers>& tables) {
    std::vector<View<const Index, 2>> views;
    for (const Numbers& table : tables) views.push_back(view(table));
    OwnedRows<I> made;
    {
        nb::gil_scoped_release unlocked;
        made = node_pairs<I>(node_count, views);
    }
    return nb::make_tuple(array_of(std::move(made.starts)), array_of(std::move(made.columns)));
}

/// Loops over rows with indices of type I.
template <class I>
void bind_rows(nb::module_& module) {
    define(module, "add_scalars", +[](Integers<I> starts, Integers<I> columns, Numbers nodes,
                                      Given<const double, 3> blocks, Given<double, 1> scalars) {
        add_scalars(rows<I>(starts, columns), view(nodes), view(blocks), view(scalars));
    });
    define(module, "block_offsets", +[](Integers<I> starts, Integers<I> columns, Numbers numbers,
                                        Given<I, 1> made) {
        block_offsets(rows<I>(starts, columns), view(numbers), view(made));
    });
    define(module, "equation_starts", +[](Integers<I> starts, Integers<I> columns, Numbers numbers,
                                          Given<const bool, 2> wanted, Given<Index, 1> made) {
        equation_starts(rows<I>(starts, columns), view(numbers), view(wanted), view(made));
    });
    define(module, "selected_starts", +[](Integers<I> starts, Integers<I> columns, Integers<Index> kept,
                                          Integers<Index> place, Given<Index, 1> made) {
        selected_starts(rows<I>(starts, columns), view(kept), view(place), view(made));
    });
    define(module, "add_scaled", +[](Integers<I> starts, Integers<I> columns, Vector entries,
                                     Integers<I> other_starts, Integers<I> other_columns, Vector other_entries,
                                     double factor, Given<double, 1> made) {
        return add_scaled(
            matrix<I, double>(starts, columns, entries),
            matrix<I, double>(other_starts, other_columns, other_entries), factor, view(made));
    });
    define(module, "upper_starts", +[](Integers<I> starts, Integers<I> columns, Given<I, 1> made) {
        upper_starts(rows<I>(starts, columns), view(made));
    });
}

/// Loops from pairs with indices of type I to equations with indices of type J, which are many more.
template <class I, class J>
void bind_equations(nb::module_& module) {
    define(module, "equation_columns", +[](Integers<I> starts, Integers<I> columns, Numbers numbers,
                                           Integers<J> made_starts, Given<J, 1> made_columns) {
        equation_columns(rows<I>(starts, columns), view(numbers), view(made_starts), view(made_columns));
    });
    define(module, "add_blocks", +[](Integers<I> starts, Integers<I> columns, Integers<I> offsets,
                                     Integers<J> made_starts, Given<double, 1> made_entries, Numbers numbers,
                                     Numbers nodes, Given<const double, 5> blocks) {
        const BlockRows<I, J> made{rows<I>(starts, columns), view(offsets), view(made_starts)};
        add_blocks(made, view(numbers), view(nodes), view(blocks), view(made_entries));
    });
    define(module, "expand_scalars", +[](Integers<I> starts, Integers<I> columns, Vector scalars, Numbers numbers,
                                         Given<const double, 2> factor, Integers<J> made_starts,
                                         Given<J, 1> made_columns, Given<double, 1> made_entries) {
        expand_scalars(
            matrix<I, double>(starts, columns, scalars), view(numbers), view(factor),
            room<J, double>(made_starts, made_columns, made_entries));
    });
}

/// Loops over matrices with indices of type I and entries of type T.
template <class I, class T>
void bind_matrices(nb::module_& module) {
    using Entries = Given<const T, 1>;
    define(module, "select", +[](Integers<I> starts, Integers<I> columns, Entries entries, Integers<Index> kept,
                                 Integers<Index> place, Integers<I> made_starts, Given<I, 1> made_columns,
                                 Given<T, 1> made_entries) {
        select(
            matrix<I, T>(starts, columns, entries), view(kept), view(place),
            room<I, T>(made_starts, made_columns, made_entries));
    });
    define(module, "absolute_product", +[](Integers<I> starts, Integers<I> columns, Entries entries,
                                           Given<const double, 2> x, Given<double, 2> y) {
        absolute_product(matrix<I, T>(starts, columns, entries), view(x), view(y));
    });
    define(module, "scaled_maxima", +[](Integers<I> starts, Integers<I> columns, Entries entries, Vector row_scale,
                                        Vector column_scale, Given<double, 1> of_rows,
                                        Given<double, 1> of_columns) {
        scaled_maxima(
            matrix<I, T>(starts, columns, entries), view(row_scale), view(column_scale), view(of_rows),
            view(of_columns));
    });
    define(module, "scale", +[](Integers<I> starts, Integers<I> columns, Entries entries, Vector row_scale,
                                Vector column_scale, Given<T, 1> made) {
        scale(matrix<I, T>(starts, columns, entries), view(row_scale), view(column_scale), view(made));
    });
    define(module, "triangle_maxima", +[](Integers<I> starts, Integers<I> columns, Entries entries, Vector scale,
                                          Given<double, 1> made) {
        triangle_maxima(matrix<I, T>(starts, columns, entries), view(scale), view(made));
    });
    define(module, "fill_upper", +[](Integers<I> starts, Integers<I> columns, Entries entries,
                                     Integers<I> made_starts, Given<I, 1> made_columns, Given<T, 1> made_entries) {
        fill_upper(matrix<I, T>(starts, columns, entries), room<I, T>(made_starts, made_columns, made_entries));
    });
}

template <class I>
void bind_indices(nb::module_& module) {
    bind_rows<I>(module);
    bind_equations<I, std::int32_t>(module);
    bind_equations<I, std::int64_t>(module);
    bind_matrices<I, double>(module);
    bind_matrices<I, std::complex<double>>(module);
}

}  // namespace

void bind_sparse(nb::module_& module) {
    bind_indices<std::int32_t>(module);
    bind_indices<std::int64_t>(module);
    module.def("node_pairs", [](Index node_count, const std::vector<Numbers>& tables, bool wide) {
        return wide ? pairs_with<std::int64_t>(node_count, tables) : pairs_with<std::int32_t>(node_count, tables);
    });
}

}  // namespace flexframe::bindings
