// Redundant rows of trees, loops and lattices against the rank that a dense factorisation finds.
#include <Eigen/LU>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "flexframe/redundancy.hpp"
#include "random.hpp"

using flexframe::BoundRows;
using flexframe::dependent_rows;
using flexframe::Index;
using flexframe::Matrix;
using flexframe::tests::check_equal;
using flexframe::tests::check_near;
using flexframe::tests::finish;
using flexframe::tests::Random;

namespace {

constexpr Index velocities = 6;

BoundRows bind(Random& random, Index count, std::vector<Index> bodies) {
    BoundRows out{count, std::move(bodies), {}};
    for (std::size_t k = 0; k < out.bodies.size(); ++k) out.blocks.push_back(random.matrix(count, velocities));
    return out;
}

Matrix dense(const std::vector<BoundRows>& rows, Index bodies) {
    Index total = 0, first = 0;
    for (const BoundRows& group : rows) total += group.count;
    Matrix out = Matrix::Zero(total, velocities * bodies);
    for (const BoundRows& group : rows) {
        for (std::size_t k = 0; k < group.bodies.size(); ++k) {
            out.block(first, velocities * group.bodies[k], group.count, velocities) = group.blocks[k];
        }
        first += group.count;
    }
    return out;
}

void check_dependence(const std::vector<BoundRows>& rows, Index bodies, Index expected, const std::string& what) {
    const Matrix A = dense(rows, bodies), y = dependent_rows(rows, bodies, 1e-8);
    check_equal(y.cols(), expected, what + ": number of redundant rows");
    check_equal(A.rows() - Eigen::FullPivLU<Matrix>(A).setThreshold(1e-8).rank(), expected, what + ": dense rank");
    // orthogonal factors of a few hundred rows: their number times the rounding, entries of order one
    const double small = 1e4 * 2.2e-16;
    check_near((y.transpose() * A).cwiseAbs().maxCoeff(), 0.0, small * A.norm(), what + ": yᵀA = 0");
    const Matrix unit = Matrix::Identity(y.cols(), y.cols());
    check_near((y.transpose() * y - unit).cwiseAbs().maxCoeff(), 0.0, small, what + ": orthonormal");
}

/// A chain of joints with five rows each; `closed` by one more to the ground.
std::vector<BoundRows> chain(Random& random, Index bodies, bool closed) {
    std::vector<BoundRows> rows{bind(random, 5, {0})};
    for (Index b = 1; b < bodies; ++b) rows.push_back(bind(random, 5, {b - 1, b}));
    if (closed) rows.push_back(bind(random, 5, {bodies - 1}));
    return rows;
}

void test_trees() {
    Random random(5);
    const auto rows = chain(random, 12, false);
    check_equal(dependent_rows(rows, 12, 1e-8).cols(), 0, "joints of a tree are independent");
}

void test_loop() {
    Random random(6);
    auto rows = chain(random, 8, true);
    check_equal(dependent_rows(rows, 8, 1e-8).cols(), 0, "a loop of eight links with five rows each");
    // two of its rows are made combinations of others, and one is given twice
    BoundRows& last = rows.back();
    last.blocks[0].row(1) = 2.0 * last.blocks[0].row(0);
    BoundRows again{1, rows[4].bodies, {}};
    for (const Matrix& block : rows[4].blocks) again.blocks.push_back(block.row(3));
    rows.push_back(again);
    rows.push_back({2, {}, {}});  // between two places of the ground
    check_dependence(rows, 8, 4, "a loop");
}

void test_overclosed_lattice() {
    // cells between two rails: every rung closes a loop with more rows than the freedoms it has
    Random random(7);
    const Index cells = 12, bodies = 2 * cells;
    std::vector<BoundRows> rows;
    for (Index c = 0; c < cells; ++c) {
        rows.push_back(c == 0 ? bind(random, 5, {0}) : bind(random, 5, {2 * c - 2, 2 * c}));
        rows.push_back(bind(random, 5, {2 * c, 2 * c + 1}));
        if (c > 0) rows.push_back(bind(random, 5, {2 * c - 1, 2 * c + 1}));
    }
    const Matrix A = dense(rows, bodies);
    check_dependence(rows, bodies, std::max<Index>(0, A.rows() - A.cols()), "a lattice");
}

}  // namespace

int main() {
    test_trees();
    test_loop();
    test_overclosed_lattice();
    return finish();
}
