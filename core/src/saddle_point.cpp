#include "flexframe/saddle_point.hpp"

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <cmath>
#include <limits>

namespace flexframe {

namespace {

constexpr Index dense_up_to = 250;  // rows; sparse factors beyond
constexpr int refinements = 3;      // with redundant rows
constexpr double negligible = 1e-14;  // resistance of a body, part of the largest, that rounding may leave

}  // namespace

/// Factors of a matrix without structure, dense or sparse by its size, with exchanges of rows.
struct SaddlePoint::General {
    Matrix matrix;
    bool sparse = false;
    Eigen::PartialPivLU<Matrix> dense_factors;
    Eigen::SparseLU<Eigen::SparseMatrix<double>> sparse_factors;

    bool factorise() {
        sparse = matrix.rows() > dense_up_to;
        if (!matrix.allFinite()) return false;
        if (sparse) {
            sparse_factors.compute(matrix.sparseView());
            return sparse_factors.info() == Eigen::Success;
        }
        dense_factors.compute(matrix);
        const auto pivots = dense_factors.matrixLU().diagonal().cwiseAbs();
        return matrix.rows() == 0 || (pivots.minCoeff() > 1e-300 && std::isfinite(pivots.sum()));
    }

    void solve(Eigen::Map<Vector> x) const {
        if (sparse) {
            x = sparse_factors.solve(Vector(x));
        } else {
            x = dense_factors.solve(Vector(x));
        }
    }
};

SaddlePoint::SaddlePoint(const System& system)
    : system_(system),
      bodies_(static_cast<Index>(system.bodies.size())),
      blocks_(system.structure),
      filled_(blocks_.values().size(), 0.0),
      given_(Vector::Zero(blocks_.size())),
      solution_(given_),
      product_(given_) {}

SaddlePoint::~SaddlePoint() = default;
SaddlePoint::SaddlePoint(SaddlePoint&&) noexcept = default;

void SaddlePoint::clear() {
    blocks_.clear();
    directions_.resize(0, 0);
    slopes_.resize(0, 0);
}

void SaddlePoint::correct(const Matrix& directions, const Matrix& slopes) {
    directions_ = directions;
    slopes_ = slopes;
}

bool SaddlePoint::resists_everywhere() {
    // a force through the centre of a body without inertia leaves the rounding of its arm in the place of a zero
    for (Index b = 0; b < bodies_; ++b) {
        const Body& body = system_.bodies[b];
        const auto block = blocks_.diagonal(b);
        double least = std::numeric_limits<double>::infinity(), most = 0.0;
        for (std::size_t j = 0; j < body.active.size(); ++j) {
            const double scale = system_.scales[body.numbers[body.active[j]]];
            const double size = std::abs(block(j, j)) * scale * scale;
            least = std::min(least, size);
            most = std::max(most, size);
        }
        if (least < negligible * most) return false;
    }
    return true;
}

bool SaddlePoint::factorise() {
    keep();
    way_ = Way::blocks;
    if (!resists_everywhere() || !blocks_.factorise()) {
        way_ = Way::augmented;
        if (!factorise_augmented()) {
            way_ = Way::general;
            symmetric_ = true;
            if (!general_) general_ = std::make_unique<General>();
            write_plain(general_->matrix);
            if (!general_->factorise()) return false;
        }
    }
    return factorise_correction();
}

bool SaddlePoint::factorise_correction() {
    const Index n = system_.size, count = directions_.cols();
    if (count == 0) return true;
    answers_.setZero(blocks_.size(), count);
    answers_.topRows(n) = directions_;
    for (Index c = 0; c < count; ++c) solve_plain(answers_.col(c).data());
    small_ = (Matrix::Identity(count, count) - slopes_ * answers_).inverse();
    return small_.allFinite();
}

bool SaddlePoint::factorise_augmented() {
    if (!augmented_) {
        BlockStructure structure = system_.structure;
        for (const RowGroup& group : system_.groups) {
            for (Index b : group.bodies) {
                for (Index c : group.bodies) {
                    if (c < b) structure.couplings.emplace_back(b, c);
                }
            }
        }
        augmented_ = std::make_unique<BlockFactorisation>(structure);
    }
    augmented_->clear();
    for (Index b = 0; b < bodies_; ++b) augmented_->diagonal(b) = blocks_.read(filled_, b, b);
    for (const auto& [i, j] : system_.structure.couplings) {
        if (i < bodies_ && j < bodies_) augmented_->add(i, j, blocks_.read(filled_, i, j));
    }
    rows_.clear();
    weights_.setZero(system_.row_count());
    for (std::size_t g = 0; g < system_.groups.size(); ++g) {
        const RowGroup& group = system_.groups[g];
        const Index node = bodies_ + static_cast<Index>(g);
        augmented_->diagonal(node) = blocks_.read(filled_, node, node);
        auto weights = weights_.segment(group.first, group.count);  // Σ: largest H_jj over ΣA_j²
        const std::size_t first = rows_.size();
        double largest = 0.0;
        for (Index b : group.bodies) {
            rows_.push_back(blocks_.read(filled_, node, b));
            augmented_->add(node, b, rows_.back());
            weights += rows_.back().rowwise().squaredNorm();
            largest = std::max(largest, blocks_.read(filled_, b, b).diagonal().maxCoeff());
        }
        weights = (largest > 0.0 ? largest : 1.0) * weights.cwiseInverse();
        for (std::size_t a = 0; a < group.bodies.size(); ++a) {
            const Matrix weighted = rows_[first + a].transpose() * weights.asDiagonal();
            augmented_->diagonal(group.bodies[a]) += weighted * rows_[first + a];
            for (std::size_t b = 0; b < a; ++b) {
                augmented_->add(group.bodies[a], group.bodies[b], weighted * rows_[first + b]);
            }
        }
    }
    return augmented_->factorise();
}

void SaddlePoint::solve_augmented(double* right) const {
    std::size_t k = 0;
    const Index n = system_.size;
    for (const RowGroup& group : system_.groups) {
        const Vector given = Eigen::Map<const Vector>(right + n + group.first, group.count)
                                 .cwiseProduct(weights_.segment(group.first, group.count));
        for (Index b : group.bodies) {
            const Matrix& A = rows_[k++];
            Eigen::Map<Vector>(right + system_.bodies[b].numbers[system_.bodies[b].active.front()], A.cols()) +=
                A.transpose() * given;
        }
    }
    augmented_->solve(right);
}

bool SaddlePoint::factorise(const Matrix& general) {
    keep();
    directions_.resize(0, 0);  // the general matrix has all
    slopes_.resize(0, 0);
    if (!general_) general_ = std::make_unique<General>();
    general_->matrix = general;
    way_ = Way::general;
    symmetric_ = false;
    return general_->factorise();
}

void SaddlePoint::write(Matrix& out) const {
    write_plain(out);
    if (directions_.cols() == 0) return;
    const Index rows = system_.row_count();
    out.topRightCorner(system_.size, rows).noalias() -= directions_ * slopes_.rightCols(rows);
}

void SaddlePoint::write_plain(Matrix& out) const {
    blocks_.write(filled_, out);
    const Index rows = system_.row_count();
    out.rightCols(rows) = -out.rightCols(rows).eval();  // λ = −μ
}

void SaddlePoint::multiply(const double* x, double* out) const { blocks_.multiply(filled_, x, out); }

void SaddlePoint::solve(double* right) const {
    solve_plain(right);
    if (directions_.cols() == 0) return;
    Eigen::Map<Vector> x(right, blocks_.size());
    x += answers_ * (small_ * (slopes_ * x));
}

void SaddlePoint::solve_plain(double* right) const {
    const Index n = system_.size, rows = system_.row_count();
    if (way_ == Way::general) {
        general_->solve(Eigen::Map<Vector>(right, n + rows));
        return;
    }
    if (way_ == Way::blocks) blocks_.solve(right);
    if (way_ == Way::augmented) solve_augmented(right);
    for (Index row = n; row < n + rows; ++row) right[row] = -right[row];  // λ = −μ
}

void SaddlePoint::solve_refined(double* right) {
    const Index n = system_.size, size = n + system_.row_count();
    Eigen::Map<Vector> x(right, size);
    if (way_ == Way::general && system_.slack == 0.0) return solve(right);
    given_ = x;
    solve(right);
    for (int k = 0; k < (system_.slack == 0.0 ? 1 : refinements); ++k) {
        solution_ = x;
        x.tail(size - n) = -x.tail(size - n);
        multiply(right, product_.data());
        if (directions_.cols() > 0) product_.head(n).noalias() -= directions_ * (slopes_ * solution_);
        x = given_ - product_;
        solve(right);
        x += solution_;
    }
}

std::vector<double> SaddlePoint::memory() const {
    // number of corrections, what was filled in, then the general matrix or U and W
    std::vector<double> out{static_cast<double>(directions_.cols())};
    out.insert(out.end(), filled_.begin(), filled_.end());
    const auto add = [&](const Matrix& part) { out.insert(out.end(), part.data(), part.data() + part.size()); };
    if (way_ == Way::general && !symmetric_) add(general_->matrix);
    add(directions_);
    add(slopes_);
    return out;
}

bool SaddlePoint::restore(const double* values, Index count) {
    const Index own = 1 + static_cast<Index>(filled_.size()), order = blocks_.size(), n = system_.size;
    if (count < own) return false;  // of another system
    const Index corrections = static_cast<Index>(values[0]);
    const bool plain = corrections >= 0 && corrections <= count && count == own + (n + order) * corrections;
    if (!plain && count != own + order * order) return false;
    clear();
    blocks_.set_values(values + 1);
    if (!plain) return factorise(Eigen::Map<const Matrix>(values + own, order, order));
    const double* more = values + own;
    correct(Eigen::Map<const Matrix>(more, n, corrections),
            Eigen::Map<const Matrix>(more + n * corrections, corrections, order));
    return factorise();
}

}  // namespace flexframe
