// Block factors of [H, Aᵀ; A, −E] against a dense solution of the same matrix, for trees and loops of bodies.
#include <Eigen/LU>
#include <Eigen/SVD>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "flexframe/block_factorisation.hpp"
#include "random.hpp"

using flexframe::BlockFactorisation;
using flexframe::BlockStructure;
using flexframe::Index;
using flexframe::Matrix;
using flexframe::Vector;
using flexframe::tests::check;
using flexframe::tests::check_equal;
using flexframe::tests::check_near;
using flexframe::tests::finish;
using flexframe::tests::Random;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Bodies with their numbers of unknowns, and groups of rows: how many, and the bodies that they bind.
struct Linkage {
    std::vector<Index> bodies;
    std::vector<std::pair<Index, std::vector<Index>>> groups;
    std::vector<std::pair<Index, Index>> springs;  // pairs of bodies that are coupled in H

    BlockStructure structure() const {
        BlockStructure out;
        out.sizes = bodies;
        out.bodies = static_cast<Index>(bodies.size());
        for (const auto& [rows, bound] : groups) {
            const Index group = static_cast<Index>(out.sizes.size());
            out.sizes.push_back(rows);
            for (Index body : bound) out.couplings.emplace_back(group, body);
        }
        for (const auto& pair : springs) out.couplings.push_back(pair);
        return out;
    }
};

/// A linkage with random blocks, in the factorisation and as a dense matrix.
struct Filled {
    Filled(const Linkage& linkage, double slack, unsigned seed) : factors(linkage.structure()), random(seed) {
        const BlockStructure structure = linkage.structure();
        for (Index size : structure.sizes) {
            starts.push_back(total);
            total += size;
        }
        dense.setZero(total, total);
        for (Index b = 0; b < structure.bodies; ++b) {
            const Index size = linkage.bodies[b];
            const Matrix H = random.definite(size);
            factors.diagonal(b) = H;
            dense.block(starts[b], starts[b], size, size) = H.selfadjointView<Eigen::Lower>();
        }
        for (const auto& [i, j] : linkage.springs) {
            couple(i, j, 0.1 * random.matrix(structure.sizes[i], structure.sizes[j]));
        }
        for (std::size_t g = 0; g < linkage.groups.size(); ++g) {
            const auto& [rows, bound] = linkage.groups[g];
            const Index group = structure.bodies + static_cast<Index>(g);
            for (Index b : bound) couple(group, b, random.matrix(rows, linkage.bodies[b]));
            factors.diagonal(group).diagonal().setConstant(-slack);
            dense.block(starts[group], starts[group], rows, rows).diagonal().setConstant(-slack);
        }
    }

    void couple(Index i, Index j, const Matrix& block) {
        factors.add(i, j, block);
        dense.block(starts[i], starts[j], block.rows(), block.cols()) += block;
        dense.block(starts[j], starts[i], block.cols(), block.rows()) += block.transpose();
    }

    BlockFactorisation factors;
    Random random;
    std::vector<Index> starts;
    Index total = 0;
    Matrix dense;
};

/// |K x − f| over |K||x| + |f| is n ε times the growth of the factors, which blocks without exchanges bound by the
/// condition of their pivots; solutions differ by the condition of K besides.
void solves(const Linkage& linkage, double slack, unsigned seed, const std::string& name) {
    Filled filled(linkage, slack, seed);
    const std::vector<double> before = filled.factors.values();
    Matrix written;
    filled.factors.write(before, written);
    check(written == filled.dense, name + ": the blocks stand where they belong");
    const Vector f = filled.random.matrix(filled.total, 1);
    Vector product(filled.total);
    filled.factors.multiply(before, f.data(), product.data());
    Matrix without = filled.dense;  // E is left out
    const Index bodies = static_cast<Index>(linkage.bodies.size());
    const Index first = bodies < static_cast<Index>(filled.starts.size()) ? filled.starts[bodies] : filled.total;
    without.bottomRightCorner(filled.total - first, filled.total - first).setZero();
    const double n = static_cast<double>(filled.total);
    const double size = (without.cwiseAbs() * f.cwiseAbs()).maxCoeff();
    check_near((without * f - product).cwiseAbs().maxCoeff(), 0.0, n * epsilon * size, name + ": products");

    check(filled.factors.factorise(), name + ": every pivot is definite");
    Vector x = f;
    filled.factors.solve(x.data());
    const Eigen::JacobiSVD<Matrix> svd(filled.dense);
    const double condition = svd.singularValues()(0) / svd.singularValues()(filled.total - 1);
    const Vector expected = filled.dense.fullPivLu().solve(f);
    const double reach = expected.cwiseAbs().maxCoeff();
    const double bound = 10.0 * n * epsilon * condition;
    check_near((x - expected).cwiseAbs().maxCoeff(), 0.0, bound * reach, name + ": solution");
    const double terms = (filled.dense.cwiseAbs() * x.cwiseAbs() + f.cwiseAbs()).maxCoeff();
    check_near((filled.dense * x - f).cwiseAbs().maxCoeff(), 0.0, bound * terms, name + ": residual");

    filled.factors.set_values(before.data());
    check(filled.factors.factorise(), name + ": put back and factorised again");
    Vector again = f;
    filled.factors.solve(again.data());
    check(again == x, name + ": the same bits from the same numbers");
}

Linkage chain(Index bodies) {
    Linkage out;
    for (Index b = 0; b < bodies; ++b) {
        out.bodies.push_back(6);
        out.groups.push_back({5, b == 0 ? std::vector<Index>{0} : std::vector<Index>{b - 1, b}});
    }
    return out;
}

void trees_and_loops() {
    solves({{6}, {}, {}}, 0.0, 1, "one free body");
    solves({{6, 9}, {}, {{1, 0}}}, 0.0, 2, "two free bodies on a spring");
    solves(chain(1), 0.0, 3, "a pendulum");
    solves(chain(7), 0.0, 4, "a chain");
    solves({{6, 9, 3, 6, 11}, {{3, {0}}, {5, {0, 1}}, {2, {0, 2}}, {3, {1, 3}}, {5, {1, 4}}}, {}}, 0.0, 5,
           "a tree");
    solves({{6, 8, 6}, {{3, {0}}, {3, {0, 1}}, {3, {1, 2}}, {3, {2}}}, {}}, 0.0, 6, "a closed loop");
    solves({{6, 6, 6, 6}, {{5, {0}}, {3, {0, 1}}, {3, {1, 2}}, {2, {0, 2}}, {5, {2, 3}}}, {{3, 1}}}, 0.0, 7,
           "a loop with a tail and a spring across");
    solves({{6, 6, 7}, {{3, {0, 1, 2}}, {2, {0}}}, {}}, 0.0, 8, "one group of three bodies");
}

// Five rows twice: A has not full rank, and E > 0 keeps the pivots of groups negative.
void redundant_rows() {
    Linkage door;
    door.bodies = {6};
    door.groups = {{5, {0}}, {5, {0}}};
    solves(door, 1e-3, 9, "more rows than a body has motions");
    Linkage loop;
    loop.bodies = {6, 6};
    loop.groups = {{5, {0}}, {5, {0, 1}}, {5, {1}}, {2, {0, 1}}};
    solves(loop, 1e-3, 10, "a loop with more rows than motions");
}

void a_chain_costs_as_much_as_it_has_bodies() {
    std::vector<Index> stored;
    for (Index n : {10, 20, 40, 80}) {
        const BlockFactorisation factors(chain(n).structure());
        stored.push_back(static_cast<Index>(factors.values().size()));
        check_equal(factors.size(), 11 * n, "unknowns of a chain");
    }
    // a n + b: every body more costs the same
    const Index each = (stored[1] - stored[0]) / 10;
    check_equal(stored[1] - stored[0], 10 * each, "whole bodies");
    check_equal(stored[2] - stored[1], 20 * each, "from 20 to 40 bodies");
    check_equal(stored[3] - stored[2], 40 * each, "from 40 to 80 bodies");
    // of a body: itself, its group, and the blocks between it, its group and the next body
    check(each <= 6 * 6 + 5 * 5 + 2 * 5 * 6, "no block beyond those of the tree is stored");
}

void bodies_without_inertia_are_refused() {
    Filled filled(chain(3), 0.0, 11);
    filled.factors.diagonal(1).setZero();
    check(!filled.factors.factorise(), "what a body without mass carries is not its own");
    Filled half(chain(3), 0.0, 12);
    half.factors.diagonal(2)(5, 5) = std::numeric_limits<double>::quiet_NaN();
    check(!half.factors.factorise(), "NaN is not definite");
}

// [2, 1; 1, −1/2] by hand: 2x + μ = 3, x − μ/2 = 1  →  x = 5/4, μ = 1/2.
void by_hand() {
    BlockFactorisation factors(BlockStructure{{1, 1}, 1, {{1, 0}}});
    factors.diagonal(0)(0, 0) = 2.0;
    factors.diagonal(1)(0, 0) = -0.5;
    factors.add(1, 0, Matrix::Ones(1, 1));
    check(factors.factorise(), "two by two");
    Vector x(2);
    x << 3.0, 1.0;
    factors.solve(x.data());
    check_near(x[0], 1.25, 10 * epsilon, "x by hand");
    check_near(x[1], 0.5, 10 * epsilon, "μ by hand");
    factors.clear();
    check(!factors.factorise(), "nothing is left after clear");
}

}  // namespace

int main() {
    by_hand();
    trees_and_loops();
    redundant_rows();
    a_chain_costs_as_much_as_it_has_bodies();
    bodies_without_inertia_are_refused();
    return finish();
}
