#include "flexframe/extrapolation.hpp"

#include <algorithm>

namespace flexframe {

namespace {

constexpr Index highest = 3;  // order; errors that an iteration leaves grow up to 2⁴ times in the extrapolation

}  // namespace

Extrapolation::Extrapolation(Index size, const Vector& scales)
    : differences_(Matrix::Zero(size, highest + 2)), weights_(scales.cwiseInverse()), next_(Vector::Zero(size)) {}

void Extrapolation::start(const Vector& value) {
    differences_.setZero();
    differences_.col(0) = value;
    known_ = order_ = 0;
}

void Extrapolation::add(const Vector& value) {
    known_ = std::min(known_ + 1, highest + 1);
    next_ = value;
    double least = 0.0;
    for (Index j = 0; j <= known_; ++j) {
        // ∇ʲ in place of the last one, which the next difference is taken to
        differences_.col(j).swap(next_);
        next_ = differences_.col(j) - next_;
        if (j == 0) continue;
        const double missed = differences_.col(j).head(weights_.size()).cwiseProduct(weights_).squaredNorm();
        if (j == 1 || missed < least) {
            least = missed;
            order_ = j - 1;
        }
    }
}

void Extrapolation::predict(Vector& out) const {
    out = differences_.col(0);
    for (Index j = 1; j <= order_; ++j) out += differences_.col(j);
}

std::vector<double> Extrapolation::memory() const {
    std::vector<double> out(differences_.data(), differences_.data() + differences_.size());
    out.push_back(static_cast<double>(known_));
    out.push_back(static_cast<double>(order_));
    return out;
}

bool Extrapolation::restore(const std::vector<double>& values) {
    const Index own = differences_.size();
    if (static_cast<Index>(values.size()) != own + 2) return false;
    std::copy_n(values.begin(), own, differences_.data());
    known_ = static_cast<Index>(values[own]);
    order_ = static_cast<Index>(values[own + 1]);
    return known_ >= 0 && known_ <= highest + 1 && order_ >= 0 && order_ <= highest;
}

}  // namespace flexframe
