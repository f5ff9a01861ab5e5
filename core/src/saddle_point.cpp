#include "flexframe/saddle_point.hpp"

#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <cmath>

namespace flexframe {

namespace {

constexpr Index dense_up_to = 250;  // rows; sparse factors beyond
constexpr int refinements = 3;      // with redundant rows

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

void SaddlePoint::clear() { blocks_.clear(); }

bool SaddlePoint::factorise() {
    keep();
    use_general_ = false;
    if (blocks_.factorise()) return true;
    if (!general_) general_ = std::make_unique<General>();
    write(general_->matrix);
    use_general_ = true;
    return general_->factorise();
}

bool SaddlePoint::factorise(const Matrix& general) {
    keep();
    if (!general_) general_ = std::make_unique<General>();
    general_->matrix = general;
    use_general_ = true;
    return general_->factorise();
}

void SaddlePoint::write(Matrix& out) const {
    blocks_.write(filled_, out);
    const Index rows = system_.row_count();
    out.rightCols(rows) = -out.rightCols(rows).eval();  // λ = −μ
}

void SaddlePoint::multiply(const double* x, double* out) const { blocks_.multiply(filled_, x, out); }

void SaddlePoint::solve(double* right) const {
    const Index n = system_.size, rows = system_.row_count();
    if (use_general_) {
        general_->solve(Eigen::Map<Vector>(right, n + rows));
        return;
    }
    blocks_.solve(right);
    for (Index row = n; row < n + rows; ++row) right[row] = -right[row];  // λ = −μ
}

void SaddlePoint::solve_refined(double* right) {
    const Index n = system_.size, size = n + system_.row_count();
    Eigen::Map<Vector> x(right, size);
    if (use_general_ && system_.slack == 0.0) return solve(right);
    given_ = x;
    solve(right);
    for (int k = 0; k < (system_.slack == 0.0 ? 1 : refinements); ++k) {
        solution_ = x;
        x.tail(size - n) = -x.tail(size - n);
        multiply(right, product_.data());
        x = given_ - product_;
        solve(right);
        x += solution_;
    }
}

std::vector<double> SaddlePoint::memory() const {
    const Index own = static_cast<Index>(filled_.size());
    const Index more = use_general_ ? general_->matrix.size() : 0;
    std::vector<double> out(own + more);
    std::copy(filled_.begin(), filled_.end(), out.begin());
    if (more > 0) std::copy_n(general_->matrix.data(), more, out.begin() + own);
    return out;
}

bool SaddlePoint::restore(const double* values, Index count) {
    const Index own = static_cast<Index>(filled_.size()), order = blocks_.size();
    if (count != own && count != own + order * order) return false;  // of another system
    blocks_.set_values(values);
    if (count == own) return factorise();
    return factorise(Eigen::Map<const Matrix>(values + own, order, order));
}

}  // namespace flexframe
