#include "flexframe/frame_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace flexframe {

namespace {

/// φ/sin φ by cos φ.
Span turn_ratio(double cosine0, double cosine1) {
    const double y0 = 0.5 * (1.0 - cosine0), y1 = 0.5 * (1.0 - cosine1);  // sin²(φ/2)
    if (std::max(y0, y1) < 0.25) {
        // asin z/(z √(1 − z²)) = Σ b_k z^2k, b_k = b_(k−1) 2k/(2k + 1); the last term is below 1e-18
        constexpr int terms = 30;
        static const std::array<double, terms> b = [] {
            std::array<double, terms> out{1.0};
            for (int k = 1; k < terms; ++k) out[k] = out[k - 1] * (2.0 * k) / (2.0 * k + 1.0);
            return out;
        }();
        double first = 0.0, last = 0.0, slope = 0.0;
        for (int k = terms - 1; k >= 0; --k) {
            slope = slope * y1 + first;
            first = first * y0 + b[k];
            last = last * y1 + b[k];
        }
        return {0.5 * (first + last), -0.5 * slope};
    }
    const auto value = [](double y) {
        const double z = std::sqrt(y);
        return std::asin(z) / (z * std::sqrt(1.0 - y));
    };
    const double first = value(y0), last = value(y1), change = cosine1 - cosine0;
    if (std::abs(change) > 1e-3) return {0.5 * (first + last), (last - first) / change};
    // the mean of dψ/dc = (φ cos φ − sin φ)/sin³φ at three points of Gauss: what is left is of the order 1e-18
    const auto slope = [](double c) {
        const double square = 1.0 - c * c, sine = std::sqrt(square);
        return (std::acos(c) * c - sine) / (square * sine);
    };
    const double middle = 0.5 * (cosine0 + cosine1), aside = std::sqrt(0.15) * change;
    return {0.5 * (first + last),
            (5.0 * slope(middle - aside) + 8.0 * slope(middle) + 5.0 * slope(middle + aside)) / 18.0};
}

/// Axis times sin φ, and cos φ.
double split(const Matrix3& R, Vector3& axis) {
    axis = 0.5 * Vector3(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
    return 0.5 * (R.trace() - 1.0);
}

}  // namespace

Vector6 cayley_logarithm(const Vector6& twist) {
    const Vector3 v = twist.head<3>(), tau = twist.tail<3>();
    const double square = tau.squaredNorm(), size = std::sqrt(square);
    const double ratio = size > 1e-4 ? 2.0 * std::atan(0.5 * size) / size : 1.0 - square / 12.0;
    // 1 − r over |τ|², whose next term is below rounding where the series stands
    const double lost = size > 1e-4 ? (1.0 - ratio) / square : 1.0 / 12.0;
    Vector6 out;
    out << ratio * v + (lost * tau.dot(v)) * tau, ratio * tau;
    return out;
}

void FrameStep::join(const Vector3& turn) {
    mean.position = 0.5 * (start.position + end.position);
    mean.rotation = 0.5 * (start.rotation + end.rotation);
    mean.velocity = end.position - start.position;
    mean.angular_velocity = turn;
}

TurnStep::TurnStep(const FrameStep& a, const FrameStep& b, const Matrix3& fixed)
    : a_(a.mean.rotation), b_(b.mean.rotation * fixed) {
    Vector3 first, last;
    const double cosine0 = split(a.start.rotation.transpose() * b.start.rotation * fixed, first);
    const double cosine1 = split(a.end.rotation.transpose() * b.end.rotation * fixed, last);
    axis_ = 0.5 * (first + last);
    ratio_ = turn_ratio(cosine0, cosine1);
}

Vector3 TurnStep::moment(const Vector3& on) const {
    // Ω = ψ(cos φ) a with a = sin φ times the axis
    const Vector3 on_axis = ratio_.mean * on;
    const double on_cosine = ratio_.slope * axis_.dot(on);
    // columns x of R̄_A and y of R̄_B: the difference of the relative rotation has the entries w · (y_j × x_i)
    Vector3 out = Vector3::Zero();
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out += (0.5 * on_axis[i]) * (b_.col(j).cross(a_.col(k)) - b_.col(k).cross(a_.col(j)));
        out += (0.5 * on_cosine) * b_.col(i).cross(a_.col(i));
    }
    return out;
}

}  // namespace flexframe
