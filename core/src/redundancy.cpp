#include "flexframe/redundancy.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace flexframe {

namespace {

/// Combinations of rows by nodes: the bodies, and after them the groups of rows that they are combined of.
struct Strip {
    Index count = 0;
    std::map<Index, Matrix> blocks;
};

/// Strips by the bodies that they act on, and the next body to be taken.
class Elimination {
public:
    Elimination(const std::vector<BoundRows>& rows, Index bodies, double threshold);

    void run();
    Matrix left(const std::vector<BoundRows>& rows, Index bodies) const;

private:
    void add(Strip strip);
    void remove(Index number);
    void recount(Index body, Index change);
    void eliminate(Index body);
    Matrix stack(const std::set<Index>& numbers, Index node, Index total) const;

    double threshold_;
    std::vector<Strip> strips_;
    std::vector<std::set<Index>> touching_;     // strips of each body
    std::vector<Index> counts_;                 // rows of each body
    std::set<std::pair<Index, Index>> waiting_; // bodies by the number of their rows
};

Elimination::Elimination(const std::vector<BoundRows>& rows, Index bodies, double threshold)
    : threshold_(threshold), touching_(bodies), counts_(bodies, 0) {
    for (Index b = 0; b < bodies; ++b) waiting_.insert({0, b});
    for (std::size_t g = 0; g < rows.size(); ++g) {
        Strip strip;
        strip.count = rows[g].count;
        const std::vector<Index>& bound = rows[g].bodies;
        for (std::size_t k = 0; k < bound.size(); ++k) strip.blocks[bound[k]] = rows[g].blocks[k];
        strip.blocks[bodies + static_cast<Index>(g)] = Matrix::Identity(strip.count, strip.count);
        add(std::move(strip));
    }
}

void Elimination::recount(Index body, Index change) {
    waiting_.erase({counts_[body], body});
    counts_[body] += change;
    waiting_.insert({counts_[body], body});
}

void Elimination::add(Strip strip) {
    const Index number = static_cast<Index>(strips_.size());
    for (const auto& [node, block] : strip.blocks) {
        if (node >= static_cast<Index>(touching_.size())) break;
        touching_[node].insert(number);
        recount(node, strip.count);
    }
    strips_.push_back(std::move(strip));
}

void Elimination::remove(Index number) {
    for (const auto& [node, block] : strips_[number].blocks) {
        if (node >= static_cast<Index>(touching_.size())) break;
        touching_[node].erase(number);
        recount(node, -strips_[number].count);
    }
    strips_[number] = Strip();
}

Matrix Elimination::stack(const std::set<Index>& numbers, Index node, Index total) const {
    Matrix out;
    Index first = 0;
    for (Index number : numbers) {
        const Strip& strip = strips_[number];
        const auto found = strip.blocks.find(node);
        if (found != strip.blocks.end()) {
            if (out.size() == 0) out.setZero(total, found->second.cols());
            out.middleRows(first, strip.count) = found->second;
        }
        first += strip.count;
    }
    return out;
}

void Elimination::eliminate(Index body) {
    const std::set<Index> own = touching_[body];
    const Index total = counts_[body];
    const Matrix A = stack(own, body, total);
    Index rank = 0;
    Matrix Q = Matrix::Identity(total, total);
    if (A.size() > 0) {
        const Eigen::ColPivHouseholderQR<Matrix> factors(A);
        const Vector pivots = factors.matrixQR().diagonal().cwiseAbs();
        while (rank < pivots.size() && pivots[rank] > threshold_) ++rank;
        Q = factors.householderQ() * Q;
    }
    Strip rest;
    rest.count = total - rank;
    if (rest.count > 0) {
        std::set<Index> nodes;
        for (Index number : own) {
            for (const auto& [node, block] : strips_[number].blocks) nodes.insert(node);
        }
        nodes.erase(body);
        for (Index node : nodes) {
            rest.blocks[node].noalias() = Q.rightCols(rest.count).transpose() * stack(own, node, total);
        }
    }
    for (Index number : own) remove(number);
    if (rest.count > 0) add(std::move(rest));
}

void Elimination::run() {
    while (!waiting_.empty()) {
        const auto [count, body] = *waiting_.begin();
        if (count > 0) eliminate(body);
        waiting_.erase({counts_[body], body});
    }
}

Matrix Elimination::left(const std::vector<BoundRows>& rows, Index bodies) const {
    std::vector<Index> firsts;
    Index total = 0, dependent = 0;
    for (const BoundRows& group : rows) {
        firsts.push_back(total);
        total += group.count;
    }
    for (const Strip& strip : strips_) dependent += strip.count;
    Matrix out = Matrix::Zero(total, dependent);
    Index column = 0;
    for (const Strip& strip : strips_) {
        for (const auto& [node, block] : strip.blocks) {
            const Index group = node - bodies;
            out.block(firsts[group], column, rows[group].count, strip.count) = block.transpose();
        }
        column += strip.count;
    }
    return out;
}

}  // namespace

Matrix dependent_rows(const std::vector<BoundRows>& rows, Index bodies, double tolerance) {
    double longest = 0.0;
    for (const BoundRows& group : rows) {
        Vector squares = Vector::Zero(group.count);
        for (const Matrix& block : group.blocks) squares += block.rowwise().squaredNorm();
        longest = std::max(longest, squares.size() > 0 ? squares.maxCoeff() : 0.0);
    }
    Elimination elimination(rows, bodies, tolerance * std::sqrt(longest));
    elimination.run();
    return elimination.left(rows, bodies);
}

}  // namespace flexframe
