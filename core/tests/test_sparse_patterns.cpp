// Sums of element matrices, parts and scaling of sparse matrices against dense ones that are summed plainly.
#include <algorithm>
#include <complex>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "flexframe/sparse_patterns.hpp"
#include "flexframe/sparse_scaling.hpp"

using namespace flexframe;
using namespace flexframe::tests;

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

template <class T>
View<const T, 1> given(const std::vector<T>& values) {
    return {values.data(), {static_cast<Index>(values.size())}};
}

template <class T>
View<T, 1> made(std::vector<T>& values) {
    return {values.data(), {static_cast<Index>(values.size())}};
}

template <class I>
Rows<I> rows_of(const OwnedRows<I>& owned) {
    return {given(owned.starts), given(owned.columns)};
}

/// A square matrix by rows.
template <class T>
struct Dense {
    explicit Dense(Index size) : size(size), values(size * size) {}
    T& operator()(Index i, Index j) { return values[i * size + j]; }
    Index size;
    std::vector<T> values;
};

/// All entries that a sparse matrix has, added into a dense one.
template <class I, class T>
Dense<T> dense(Rows<I> rows, const std::vector<T>& entries) {
    Dense<T> matrix(rows.count());
    for (Index row = 0; row < rows.count(); ++row) {
        for (Index place = rows.starts(row); place < rows.starts(row + 1); ++place) {
            matrix(row, rows.columns(place)) += entries[place];
        }
    }
    return matrix;
}

template <class I>
bool sorted(Rows<I> rows) {
    for (Index row = 0; row < rows.count(); ++row) {
        const I* first = rows.columns.data + rows.starts(row);
        const I* last = rows.columns.data + rows.starts(row + 1);
        if (std::adjacent_find(first, last, [](I a, I b) { return a >= b; }) != last) return false;
    }
    return true;
}

/// Elements with different nodes each, drawn by lot; node 0 belongs to none.
struct Elements {
    Elements(Index count, Index size, Index node_count, unsigned seed) : size(size) {
        std::mt19937 lot(seed);
        std::vector<Index> all;
        for (Index node = 1; node < node_count; ++node) all.push_back(node);
        for (Index e = 0; e < count; ++e) {
            std::shuffle(all.begin(), all.end(), lot);
            nodes.insert(nodes.end(), all.begin(), all.begin() + size);
        }
    }
    View<const Index, 2> table() const { return {nodes.data(), {static_cast<Index>(nodes.size()) / size, size}}; }
    Index size;
    std::vector<Index> nodes;
};

std::vector<double> numbers_by_lot(Index count, unsigned seed) {
    std::mt19937 lot(seed);
    std::uniform_real_distribution<double> even(-1.0, 1.0);
    std::vector<double> values(count);
    for (double& value : values) value = even(lot);
    return values;
}

constexpr Index node_count = 17;

template <class I>
void test_node_pairs() {
    const Elements threes(9, 3, node_count, 1), fives(4, 5, node_count, 2);
    const auto pairs = node_pairs<I>(node_count, {threes.table(), fives.table()});
    Dense<char> expected(node_count);
    Index count = 0;
    for (const Elements* elements : {&threes, &fives}) {
        for (Index e = 0; e < elements->table().count(); ++e) {
            for (Index a = 0; a < elements->size; ++a) {
                for (Index b = 0; b < elements->size; ++b) {
                    char& shared = expected(elements->table()(e, a), elements->table()(e, b));
                    count += shared == 0;
                    shared = 1;
                }
            }
        }
    }
    check(sorted(rows_of(pairs)), "columns of node pairs ascend");
    check_equal(static_cast<Index>(pairs.columns.size()), count, "every pair is there once");
    const auto found = dense(rows_of(pairs), std::vector<char>(pairs.columns.size(), 1));
    check(found.values == expected.values, "the pairs are those of the elements");
    check(pairs.starts[1] == 0, "a node without elements has no pairs");
    check(node_pairs<I>(3, {}).columns.empty(), "no elements, no pairs");
}

template <class I>
void test_scalars() {
    const Elements elements(20, 4, node_count, 3);
    const auto pairs = node_pairs<I>(node_count, {elements.table()});
    const auto blocks = numbers_by_lot(20 * 16, 4);
    std::vector<double> scalars(pairs.columns.size());
    add_scalars(rows_of(pairs), elements.table(), {blocks.data(), {20, 4, 4}}, made(scalars));
    Dense<double> expected(node_count);
    for (Index e = 0; e < 20; ++e) {
        for (Index a = 0; a < 4; ++a) {
            for (Index b = 0; b < 4; ++b) {
                expected(elements.table()(e, a), elements.table()(e, b)) += blocks[(e * 4 + a) * 4 + b];
            }
        }
    }
    check(dense(rows_of(pairs), scalars).values == expected.values, "scalars are added element by element");

    const Elements others(5, 4, node_count, 77);
    const auto nothing = node_pairs<I>(node_count, {});
    bool refused = false;
    try {
        add_scalars(rows_of(nothing), others.table(), {blocks.data(), {5, 4, 4}}, made(scalars));
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    check(refused, "pairs that the pattern lacks are refused");
}

/// Equations of `width` degrees of freedom of each node; some nodes lack some or all of them.
struct Equations {
    explicit Equations(Index width) : width(width) {
        for (Index node = 0; node < node_count; ++node) {
            for (Index i = 0; i < width; ++i) {
                const bool missing = node == 5 || (node % 4 == 1 && i == node % width);
                numbers.push_back(missing ? -1 : count++);
            }
        }
    }
    View<const Index, 2> table() const { return {numbers.data(), {node_count, width}}; }
    Index width;
    Index count = 0;
    std::vector<Index> numbers;
};

template <class I, class J>
OwnedRows<J> rows_of_equations(Rows<I> pairs, const Equations& equations) {
    constexpr bool all[9] = {true, true, true, true, true, true, true, true, true};
    std::vector<Index> starts(equations.count + 1);
    equation_starts(pairs, equations.table(), {all, {equations.width, equations.width}}, made(starts));
    OwnedRows<J> rows{{starts.begin(), starts.end()}, std::vector<J>(starts.back())};
    equation_columns(pairs, equations.table(), given(rows.starts), made(rows.columns));
    return rows;
}

template <class I, class J>
void test_blocks(Index width) {
    const Elements elements(30, 4, node_count, 5);
    const Equations equations(width);
    const auto pairs = node_pairs<I>(node_count, {elements.table()});
    const auto rows = rows_of_equations<I, J>(rows_of(pairs), equations);
    check(sorted(rows_of(rows)), "columns of equations ascend");

    std::vector<I> offsets(pairs.columns.size());
    block_offsets(rows_of(pairs), equations.table(), made(offsets));
    const auto blocks = numbers_by_lot(30 * 16 * width * width, 6);
    std::vector<double> entries(rows.columns.size());
    const BlockRows<I, J> target{rows_of(pairs), given(offsets), given(rows.starts)};
    const View<const double, 5> given_blocks{blocks.data(), {30, 4, 4, width, width}};
    add_blocks(target, equations.table(), elements.table(), given_blocks, made(entries));

    Dense<double> expected(equations.count);
    for (Index e = 0; e < 30; ++e) {
        for (Index a = 0; a < 4; ++a) {
            for (Index b = 0; b < 4; ++b) {
                for (Index i = 0; i < width; ++i) {
                    for (Index j = 0; j < width; ++j) {
                        const Index row = equations.table()(elements.table()(e, a), i);
                        const Index column = equations.table()(elements.table()(e, b), j);
                        if (row >= 0 && column >= 0) expected(row, column) += given_blocks(e, a, b, i, j);
                    }
                }
            }
        }
    }
    check(dense(rows_of(rows), entries).values == expected.values, "blocks are added where their equations are");
}

template <class I, class J>
void test_expanded_scalars() {
    const Elements elements(12, 3, node_count, 7);
    const Equations equations(3);
    const auto pairs = node_pairs<I>(node_count, {elements.table()});
    const auto scalars = numbers_by_lot(static_cast<Index>(pairs.columns.size()), 8);
    const std::vector<double> factor{0.0, -2.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 3.0};
    const bool wanted[9] = {false, true, false, true, false, false, false, false, true};
    std::vector<Index> starts(equations.count + 1);
    equation_starts(rows_of(pairs), equations.table(), {wanted, {3, 3}}, made(starts));
    OwnedRows<J> rows{{starts.begin(), starts.end()}, std::vector<J>(starts.back())};
    std::vector<double> entries(starts.back());
    expand_scalars<I, J>(
        {rows_of(pairs), given(scalars)}, equations.table(), {factor.data(), {3, 3}},
        {given(rows.starts), made(rows.columns), made(entries)});

    auto of_nodes = dense(rows_of(pairs), scalars);
    Dense<double> expected(equations.count);
    for (Index node = 0; node < node_count; ++node) {
        for (Index other = 0; other < node_count; ++other) {
            for (Index i = 0; i < 3; ++i) {
                for (Index j = 0; j < 3; ++j) {
                    const Index row = equations.table()(node, i), column = equations.table()(other, j);
                    if (row >= 0 && column >= 0) expected(row, column) = of_nodes(node, other) * factor[i * 3 + j];
                }
            }
        }
    }
    check(dense(rows_of(rows), entries).values == expected.values, "scalar times factor on the equations");
    check(
        std::none_of(entries.begin(), entries.end(), [](double entry) { return entry == 0.0; }),
        "zeros of the factor are left out");
}

/// A matrix with symmetric pattern whose entries differ by many powers of ten; T real or complex.
template <class I, class T>
struct Sample {
    Sample() {
        const Elements elements(14, 4, node_count, 9);
        rows = node_pairs<I>(node_count, {elements.table()});
        const auto values = numbers_by_lot(static_cast<Index>(rows.columns.size()), 10);
        for (std::size_t place = 0; place < values.size(); ++place) {
            const double power = std::pow(10.0, static_cast<double>(place % 13) - 6.0);
            entries.push_back(T(values[place]) * T(power));
        }
    }
    SparseMatrix<I, T> matrix() const { return {rows_of(rows), given(entries)}; }
    OwnedRows<I> rows;
    std::vector<T> entries;
};

template <class I, class T>
void test_selection() {
    const Sample<I, T> sample;
    auto whole = dense(rows_of(sample.rows), sample.entries);
    for (const std::vector<Index>& kept : {std::vector<Index>{2, 3, 7, 11}, {12, 4, 9}, {}}) {
        std::vector<Index> place(node_count, -1), starts(kept.size() + 1);
        for (std::size_t i = 0; i < kept.size(); ++i) place[kept[i]] = static_cast<Index>(i);
        selected_starts(rows_of(sample.rows), given(kept), given(place), made(starts));
        OwnedRows<I> rows{{starts.begin(), starts.end()}, std::vector<I>(starts.back())};
        std::vector<T> entries(starts.back());
        select<I, T>(
            sample.matrix(), given(kept), given(place), {given(rows.starts), made(rows.columns), made(entries)});
        auto found = dense(rows_of(rows), entries);
        bool equal = true;
        for (std::size_t i = 0; i < kept.size(); ++i) {
            for (std::size_t j = 0; j < kept.size(); ++j) equal &= found(i, j) == whole(kept[i], kept[j]);
        }
        check(equal, "the selected part of a matrix");
    }
}

template <class I, class T>
void test_upper_triangle() {
    Sample<I, T> sample;
    auto whole = dense(rows_of(sample.rows), sample.entries);
    OwnedRows<I> rows;
    rows.starts.resize(node_count + 1);
    upper_starts(rows_of(sample.rows), made(rows.starts));
    rows.columns.resize(rows.starts.back());
    std::vector<T> entries(rows.starts.back());
    fill_upper<I, T>(sample.matrix(), {given(rows.starts), made(rows.columns), made(entries)});
    auto found = dense(rows_of(rows), entries);
    bool equal = true, diagonal_first = true;
    for (Index i = 0; i < node_count; ++i) {
        diagonal_first &= rows.columns[rows.starts[i]] == i;
        for (Index j = 0; j < node_count; ++j) equal &= found(i, j) == (j < i ? T(0.0) : whole(i, j));
    }
    check(equal, "the upper triangle");
    check(diagonal_first, "a diagonal entry comes first in each row, also where the matrix has none");
}

template <class I, class T>
void test_scaling() {
    const Sample<I, T> sample;
    const auto rows = rows_of(sample.rows);
    std::vector<double> row_scale = numbers_by_lot(node_count, 11), column_scale = numbers_by_lot(node_count, 12);
    for (double& value : row_scale) value += 2.0;  // positive, as scales are
    for (double& value : column_scale) value += 2.0;
    std::vector<double> of_rows(node_count), of_columns(node_count), expected_rows(node_count);
    std::vector<double> expected_columns(node_count);
    scaled_maxima(sample.matrix(), given(row_scale), given(column_scale), made(of_rows), made(of_columns));
    std::vector<T> scaled(sample.entries.size());
    scale(sample.matrix(), given(row_scale), given(column_scale), made(scaled));
    for (Index i = 0; i < node_count; ++i) {
        for (Index place = rows.starts(i); place < rows.starts(i + 1); ++place) {
            const Index j = rows.columns(place);
            const T entry = sample.entries[place] * row_scale[i] * column_scale[j];
            // three products in any order: three roundings, and one more in the absolute value
            check_near(std::abs(scaled[place] - entry), 0.0, 4 * rounding * std::abs(entry), "a scaled entry");
            expected_rows[i] = std::max(expected_rows[i], std::abs(entry));
            expected_columns[j] = std::max(expected_columns[j], std::abs(entry));
        }
    }
    for (Index i = 0; i < node_count; ++i) {
        check_near(of_rows[i], expected_rows[i], 4 * rounding * expected_rows[i], "the largest entry of a row");
        check_near(of_columns[i], expected_columns[i], 4 * rounding * expected_columns[i], "that of a column");
    }
}

template <class I>
void test_triangle_maxima() {
    // [[1, 0, -8], [0, 2, 3], [-8, 3, 4]] with S = diag(1, 10, 0.5): |S A S| has 1 0 4 | 0 200 15 | 4 15 1
    const std::vector<I> starts{0, 2, 4, 5}, columns{0, 2, 1, 2, 2};
    const std::vector<double> entries{1.0, -8.0, 2.0, 3.0, 4.0}, scale{1.0, 10.0, 0.5};
    std::vector<double> maxima(3);
    triangle_maxima<I, double>({{given(starts), given(columns)}, given(entries)}, given(scale), made(maxima));
    check(maxima == std::vector<double>({4.0, 200.0, 15.0}), "largest entries of the rows of a symmetric matrix");
}

template <class I>
void test_sum_and_product() {
    // A = [[1, 2, 0], [0, 3, 0], [4, 0, 5]], B has entries where A has: [[0, 7, 0], [0, 0, 0], [1, 0, 2]]
    const std::vector<I> starts{0, 2, 3, 5}, columns{0, 1, 1, 0, 2};
    const std::vector<I> other_starts{0, 1, 1, 3}, other_columns{1, 0, 2};
    const std::vector<double> entries{1, 2, 3, 4, 5}, others{7, 1, 2};
    const SparseMatrix<I, double> A{{given(starts), given(columns)}, given(entries)};
    const SparseMatrix<I, double> B{{given(other_starts), given(other_columns)}, given(others)};
    std::vector<double> sum(5);
    check(add_scaled(A, B, -2.0, made(sum)), "all entries of B are entries of A");
    check(sum == std::vector<double>({1, -12, 3, 2, 1}), "A − 2 B");
    std::vector<double> other_sum(3);
    check(!add_scaled(B, A, 1.0, made(other_sum)), "A has entries that B lacks");

    const std::vector<std::complex<double>> turned{{3, 4}, 0, {0, -1}, -2, {5, -12}};  // sizes 5, 0, 1, 2, 13
    const std::vector<double> x{1, 10, 2, 20, 3, 30};
    std::vector<double> y(6);
    absolute_product<I, std::complex<double>>(
        {{given(starts), given(columns)}, given(turned)}, {x.data(), {3, 2}}, {y.data(), {3, 2}});
    check(y == std::vector<double>({5, 50, 2, 20, 41, 410}), "|A| x of two columns");
}

template <class I>
void test_indices() {
    test_node_pairs<I>();
    test_scalars<I>();
    for (Index width : {1, 2, 3}) {
        test_blocks<I, std::int32_t>(width);
        test_blocks<I, std::int64_t>(width);
    }
    test_expanded_scalars<I, std::int32_t>();
    test_expanded_scalars<I, std::int64_t>();
    test_selection<I, double>();
    test_selection<I, std::complex<double>>();
    test_upper_triangle<I, double>();
    test_upper_triangle<I, std::complex<double>>();
    test_scaling<I, double>();
    test_scaling<I, std::complex<double>>();
    test_triangle_maxima<I>();
    test_sum_and_product<I>();
}

}  // namespace

int main() {
    test_indices<std::int32_t>();
    test_indices<std::int64_t>();
    return finish();
}
