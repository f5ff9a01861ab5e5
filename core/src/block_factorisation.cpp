#include "flexframe/block_factorisation.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace flexframe {

namespace {

using Sets = std::vector<std::set<Index>>;

/// Remove a node from its neighbours and join them with each other.
void eliminate(Index node, Sets& neighbours) {
    const std::set<Index> own = neighbours[node];
    for (Index j : own) {
        neighbours[j].erase(node);
        for (Index k : own) {
            if (k != j) neighbours[j].insert(k);
        }
    }
    neighbours[node].clear();
}

// Part of the largest value of a pivot below which it is taken for rounding: bodies have their own inertia, groups
// of redundant rows no more than their regularisation.
constexpr double vanishing_body = 1e-10, vanishing_group = 1e-13;

constexpr Index small_panel = 24;  // rows below a pivot block up to which plain loops are fastest

/// Cholesky's factor of a block into its lower half, with the inverse of its diagonal; false where there is none.
bool cholesky(double* block, Index n, double sign, const double* largest) {
    const double vanishing = sign > 0.0 ? vanishing_body : vanishing_group;
    for (Index j = 0; j < n; ++j) {
        double* own = block + j * n;
        if (sign < 0.0) {
            for (Index i = j; i < n; ++i) own[i] = -own[i];
        }
        for (Index k = 0; k < j; ++k) {
            const double* earlier = block + k * n;
            const double factor = earlier[j];
            for (Index i = j; i < n; ++i) own[i] -= factor * earlier[i];
        }
        if (!(own[j] > vanishing * largest[j])) return false;  // also where it is not a number
        const double inverse = 1.0 / std::sqrt(own[j]);
        own[j] = inverse;
        for (Index i = j + 1; i < n; ++i) own[i] *= inverse;
    }
    return true;
}

/// x = L⁻¹ x, with the inverse of the diagonal in its place.
void solve_lower(const double* L, Index n, double* x) {
    for (Index j = 0; j < n; ++j) {
        const double* column = L + j * n;
        const double part = x[j] * column[j];
        x[j] = part;
        for (Index i = j + 1; i < n; ++i) x[i] -= part * column[i];
    }
}

/// x = L⁻ᵀ x.
void solve_upper(const double* L, Index n, double* x) {
    for (Index j = n - 1; j >= 0; --j) {
        const double* column = L + j * n;
        double total = x[j];
        for (Index i = j + 1; i < n; ++i) total -= column[i] * x[i];
        x[j] = total * column[j];
    }
}

/// A panel of S unknowns with one neighbour of as many, as those of a chain are: its factor L, then W. Loops of a
/// length that the compiler knows take a third of the instructions.
template <int S>
struct Link {
    const double *L, *W;
    double sign;

    explicit Link(const double* panel, double sign_) : L(panel), W(panel + S * S), sign(sign_) {}

    /// x = D L⁻¹ x, and what that leaves of the neighbour.
    void descend(double* x, double* neighbour) const {
        double v[S];
        for (int i = 0; i < S; ++i) v[i] = x[i];
        for (int j = 0; j < S; ++j) {
            v[j] *= L[j * S + j];
            for (int i = j + 1; i < S; ++i) v[i] -= v[j] * L[j * S + i];
        }
        for (int j = 0; j < S; ++j) {
            x[j] = sign * v[j];
            for (int i = 0; i < S; ++i) neighbour[i] -= x[j] * W[j * S + i];
        }
    }

    /// x = L⁻ᵀ (x − s Wᵀ neighbour).
    void ascend(double* x, const double* neighbour) const {
        double v[S];
        for (int j = 0; j < S; ++j) {
            double total = 0.0;
            for (int i = 0; i < S; ++i) total += W[j * S + i] * neighbour[i];
            v[j] = x[j] - sign * total;
        }
        for (int j = S - 1; j >= 0; --j) {
            for (int i = j + 1; i < S; ++i) v[j] -= L[j * S + i] * v[i];
            v[j] *= L[j * S + j];
        }
        for (int i = 0; i < S; ++i) x[i] = v[i];
    }
};

/// y += factor · W x of a panel with `height` rows.
void add_product(const double* W, Index height, Index width, double factor, const double* x, double* y) {
    for (Index j = 0; j < width; ++j) {
        const double part = factor * x[j];
        const double* column = W + j * height;
        for (Index i = 0; i < height; ++i) y[i] += part * column[i];
    }
}

/// The lower half of U = factor · W Wᵀ for a low panel, where a product of general matrices costs more to set up.
void square_panel(const double* W, Index height, Index width, double factor, double* U, Index stride) {
    for (Index j = 0; j < height; ++j) {
        double* out = U + j * stride;
        std::fill(out + j, out + height, 0.0);
        for (Index k = 0; k < width; ++k) {
            const double* column = W + k * height;
            const double part = factor * column[j];
            for (Index i = j; i < height; ++i) out[i] += part * column[i];
        }
    }
}

}  // namespace

std::vector<Index> BlockFactorisation::order(const BlockStructure& structure) const {
    const Index nodes = static_cast<Index>(structure.sizes.size()), bodies = structure.bodies;
    Sets groups(nodes);  // groups of a body that are still there
    Sets all(nodes);
    for (const auto& [i, j] : structure.couplings) {
        all[i].insert(j);
        all[j].insert(i);
        if (i < bodies && j >= bodies) groups[i].insert(j);
        if (j < bodies && i >= bodies) groups[j].insert(i);
    }
    std::vector<Index> out;
    std::vector<bool> gone(nodes, false);
    const auto take = [&](Index node) {
        out.push_back(node);
        gone[node] = true;
        eliminate(node, all);
    };
    // from the tips of the tree: a body with one group left, then the group
    std::vector<Index> tips;
    for (Index body = 0; body < bodies; ++body) {
        if (groups[body].size() <= 1) tips.push_back(body);
    }
    for (std::size_t k = 0; k < tips.size(); ++k) {
        const Index body = tips[k];
        if (gone[body]) continue;
        const std::set<Index> held = groups[body];
        take(body);
        for (Index group : held) {
            take(group);
            for (Index other = 0; other < bodies; ++other) {
                if (groups[other].erase(group) && !gone[other] && groups[other].size() <= 1) tips.push_back(other);
            }
        }
    }
    // loops: bodies first, then groups, each time one with the fewest unknowns around it
    const auto weight = [&](Index node) {
        Index total = 0;
        for (Index j : all[node]) total += structure.sizes[j];
        return total;
    };
    for (int kind = 0; kind < 2; ++kind) {
        std::set<std::pair<Index, Index>> waiting;
        std::vector<Index> known(nodes, 0);
        for (Index node = kind == 0 ? 0 : bodies; node < (kind == 0 ? bodies : nodes); ++node) {
            if (!gone[node]) waiting.insert({known[node] = weight(node), node});
        }
        while (!waiting.empty()) {
            const Index node = waiting.begin()->second;
            waiting.erase(waiting.begin());
            const std::set<Index> touched = all[node];
            take(node);
            for (Index j : touched) {
                if (waiting.erase({known[j], j})) waiting.insert({known[j] = weight(j), j});
            }
        }
    }
    return out;
}

BlockFactorisation::BlockFactorisation(const BlockStructure& structure) {
    const Index nodes = static_cast<Index>(structure.sizes.size());
    starts_.resize(nodes);
    for (Index node = 0; node < nodes; ++node) {
        starts_[node] = total_;
        total_ += structure.sizes[node];
    }
    const std::vector<Index> sequence = order(structure);
    position_.resize(nodes);
    for (Index k = 0; k < nodes; ++k) position_[sequence[k]] = k;
    Sets neighbours(nodes);  // by positions
    for (const auto& [i, j] : structure.couplings) {
        neighbours[position_[i]].insert(position_[j]);
        neighbours[position_[j]].insert(position_[i]);
    }
    Index offset = 0, tallest = 0;
    for (Index k = 0; k < nodes; ++k) {
        Panel panel;
        panel.node = sequence[k];
        panel.size = structure.sizes[panel.node];
        panel.sign = panel.node < structure.bodies ? 1.0 : -1.0;
        panel.neighbours.assign(neighbours[k].begin(), neighbours[k].end());
        for (Index j : panel.neighbours) {
            panel.rows.push_back(panel.height);
            panel.height += structure.sizes[sequence[j]];
        }
        const bool chained = panel.neighbours.size() == 1 && panel.height == panel.size;
        if (chained && (panel.size == 3 || panel.size == 6)) {
            panel.link = panel.size;
            panel.next = starts_[sequence[panel.neighbours.front()]];
        }
        panel.diagonal = offset;
        panel.below = offset + panel.size * panel.size;
        offset = panel.below + panel.size * panel.height;
        tallest = std::max(tallest, panel.height);
        panels_.push_back(std::move(panel));
        eliminate(k, neighbours);
    }
    values_.assign(offset, 0.0);
    update_.resize(tallest, tallest);
    below_.resize(tallest);
    largest_.setZero(total_);
}

void BlockFactorisation::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

void BlockFactorisation::set_values(const double* values) { std::copy_n(values, values_.size(), values_.begin()); }

Eigen::Map<Matrix> BlockFactorisation::diagonal(Index node) {
    const Panel& panel = panels_[position_[node]];
    return {values_.data() + panel.diagonal, panel.size, panel.size};
}

Index BlockFactorisation::offset(Index earlier, Index later) const {
    const Panel& panel = panels_[earlier];
    const auto found = std::lower_bound(panel.neighbours.begin(), panel.neighbours.end(), later);
    return panel.below + panel.rows[found - panel.neighbours.begin()];
}

Eigen::Map<Matrix, 0, Eigen::OuterStride<>> BlockFactorisation::coupling(Index earlier, Index later) {
    const Panel& panel = panels_[earlier];
    return {values_.data() + offset(earlier, later), panels_[later].size, panel.size,
            Eigen::OuterStride<>(panel.height)};
}

Matrix BlockFactorisation::read(const std::vector<double>& values, Index row_node, Index column_node) const {
    const Index i = position_[row_node], j = position_[column_node];
    const Panel &earlier = panels_[std::min(i, j)], &later = panels_[std::max(i, j)];
    if (i == j) return Eigen::Map<const Matrix>(values.data() + earlier.diagonal, earlier.size, earlier.size);
    const Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> block(
        values.data() + offset(std::min(i, j), std::max(i, j)), later.size, earlier.size,
        Eigen::OuterStride<>(earlier.height));
    return i > j ? Matrix(block) : Matrix(block.transpose());
}

void BlockFactorisation::write(const std::vector<double>& values, Matrix& out) const {
    out.setZero(total_, total_);
    for (const Panel& panel : panels_) {
        const Index first = starts_[panel.node];
        const Eigen::Map<const Matrix> own(values.data() + panel.diagonal, panel.size, panel.size);
        out.block(first, first, panel.size, panel.size) = own.selfadjointView<Eigen::Lower>();
        const Eigen::Map<const Matrix> below(values.data() + panel.below, panel.height, panel.size);
        for (std::size_t k = 0; k < panel.neighbours.size(); ++k) {
            const Panel& later = panels_[panel.neighbours[k]];
            const auto block = below.middleRows(panel.rows[k], later.size);
            out.block(starts_[later.node], first, later.size, panel.size) = block;
            out.block(first, starts_[later.node], panel.size, later.size) = block.transpose();
        }
    }
}

void BlockFactorisation::multiply(const std::vector<double>& values, const double* x, double* out) const {
    std::fill_n(out, total_, 0.0);
    for (const Panel& panel : panels_) {
        const Eigen::Map<const Vector> from(x + starts_[panel.node], panel.size);
        Eigen::Map<Vector> to(out + starts_[panel.node], panel.size);
        const Eigen::Map<const Matrix> own(values.data() + panel.diagonal, panel.size, panel.size);
        if (panel.sign > 0.0) to.noalias() += own.selfadjointView<Eigen::Lower>() * from;
        const Eigen::Map<const Matrix> below(values.data() + panel.below, panel.height, panel.size);
        for (std::size_t k = 0; k < panel.neighbours.size(); ++k) {
            const Panel& later = panels_[panel.neighbours[k]];
            const auto block = below.middleRows(panel.rows[k], later.size);
            const Index other = starts_[later.node];
            Eigen::Map<Vector>(out + other, later.size).noalias() += block * from;
            to.noalias() += block.transpose() * Eigen::Map<const Vector>(x + other, later.size);
        }
    }
}

bool BlockFactorisation::factorise() {
    // K_kk = s L Lᵀ,  W = K_jk L⁻ᵀ,  K_ij −= s W_ik W_jkᵀ
    for (const Panel& panel : panels_) {
        for (Index i = 0; i < panel.size; ++i) {
            largest_[starts_[panel.node] + i] = std::abs(values_[panel.diagonal + i * (panel.size + 1)]);
        }
    }
    for (const Panel& panel : panels_) {
        double* L = values_.data() + panel.diagonal;
        if (!cholesky(L, panel.size, panel.sign, largest_.data() + starts_[panel.node])) return false;
        if (panel.height == 0) continue;
        Eigen::Map<Matrix> W(values_.data() + panel.below, panel.height, panel.size);
        for (Index j = 0; j < panel.size; ++j) {
            for (Index k = 0; k < j; ++k) W.col(j).noalias() -= L[k * panel.size + j] * W.col(k);
            W.col(j) *= L[j * panel.size + j];
        }
        auto update = update_.topLeftCorner(panel.height, panel.height);
        if (panel.height > small_panel) {
            update.triangularView<Eigen::Lower>() = (panel.sign * W) * W.transpose();
        } else {
            square_panel(W.data(), panel.height, panel.size, panel.sign, update_.data(), update_.rows());
        }
        const Index count = static_cast<Index>(panel.neighbours.size());
        for (Index b = 0; b < count; ++b) {
            const Index column = panel.neighbours[b], first = panel.rows[b], width = panels_[column].size;
            Eigen::Map<Matrix> own(values_.data() + panels_[column].diagonal, width, width);
            own.triangularView<Eigen::Lower>() -= update.block(first, first, width, width);
            double* largest = largest_.data() + starts_[panels_[column].node];
            for (Index i = 0; i < width; ++i) largest[i] = std::max(largest[i], std::abs(own(i, i)));
            for (Index a = b + 1; a < count; ++a) {
                const Index row = panel.neighbours[a], height = panels_[row].size;
                coupling(column, row) -= update.block(panel.rows[a], first, height, width);
            }
        }
    }
    return true;
}

void BlockFactorisation::solve(double* right) const {
    double* below = below_.data();
    for (const Panel& panel : panels_) {
        double* x = right + starts_[panel.node];
        const double* own = values_.data() + panel.diagonal;
        if (panel.link == 3) {
            Link<3>(own, panel.sign).descend(x, right + panel.next);
            continue;
        }
        if (panel.link == 6) {
            Link<6>(own, panel.sign).descend(x, right + panel.next);
            continue;
        }
        solve_lower(own, panel.size, x);
        if (panel.height > 0) {
            std::fill_n(below, panel.height, 0.0);
            add_product(values_.data() + panel.below, panel.height, panel.size, panel.sign, x, below);
            for (std::size_t k = 0; k < panel.neighbours.size(); ++k) {
                const Panel& later = panels_[panel.neighbours[k]];
                double* other = right + starts_[later.node];
                for (Index i = 0; i < later.size; ++i) other[i] -= below[panel.rows[k] + i];
            }
        }
        if (panel.sign < 0.0) {
            for (Index i = 0; i < panel.size; ++i) x[i] = -x[i];
        }
    }
    for (auto panel = panels_.rbegin(); panel != panels_.rend(); ++panel) {
        double* x = right + starts_[panel->node];
        const double* own = values_.data() + panel->diagonal;
        if (panel->link == 3) {
            Link<3>(own, panel->sign).ascend(x, right + panel->next);
            continue;
        }
        if (panel->link == 6) {
            Link<6>(own, panel->sign).ascend(x, right + panel->next);
            continue;
        }
        if (panel->height > 0) {
            for (std::size_t k = 0; k < panel->neighbours.size(); ++k) {
                const Panel& later = panels_[panel->neighbours[k]];
                std::copy_n(right + starts_[later.node], later.size, below + panel->rows[k]);
            }
            for (Index j = 0; j < panel->size; ++j) {
                const double* column = values_.data() + panel->below + j * panel->height;
                double total = 0.0;
                for (Index i = 0; i < panel->height; ++i) total += column[i] * below[i];
                x[j] -= panel->sign * total;
            }
        }
        solve_upper(own, panel->size, x);
    }
}

}  // namespace flexframe
