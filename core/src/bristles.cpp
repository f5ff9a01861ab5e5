#include "flexframe/bristles.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace flexframe {

namespace {

constexpr double pi = 3.141592653589793;
constexpr int most_iterations = 100;

/// μ(v) and its slope.
struct Limit {
    double value, slope;
};

Limit limit_at(const BristleParameters& p, double speed) {
    const double part = speed / p.stribeck;
    const double more = (p.static_friction - p.dynamic_friction) * std::exp(-part * part);
    return {p.dynamic_friction + more, -2.0 * more * part / p.stribeck};
}

/// α(x) x and its slope.
struct Yield {
    double value, slope;
};

Yield yield_at(double x, double break_away) {
    if (x <= break_away) return {0.0, 0.0};
    if (x >= 1.0) return {x, 1.0};
    const double part = pi * (x - break_away) / (1.0 - break_away);
    const double alpha = 0.5 * (1.0 - std::cos(part));
    return {alpha * x, alpha + x * 0.5 * pi * std::sin(part) / (1.0 - break_away)};
}

/// The root t of t + c α(x) x = w with x = σ t, whose left side grows with t: Newton within bounds that close in.
double yielded_length(double w, double c, double sigma, double break_away) {
    double low = 0.0, high = w, t = std::min(w, 1.0 / sigma);
    for (int k = 0; k < most_iterations && high - low > 1e-16 * high; ++k) {
        const Yield yield = yield_at(sigma * t, break_away);
        const double rest = t + c * yield.value - w;
        if (rest == 0.0) return t;
        (rest > 0.0 ? high : low) = t;
        const double next = t - rest / (1.0 + c * sigma * yield.slope);
        if (next == t) return t;
        t = next > low && next < high ? next : 0.5 * (low + high);
    }
    return t;
}

}  // namespace

double settling_rate(const BristleParameters& p, double speed) {
    return speed * p.stiffness / limit_at(p, speed).value;
}

double settling_weight(double x) {
    // 1/(1 − e⁻ˣ) − 1/x
    if (x < 1e-2) return 0.5 + x / 12.0;
    return 1.0 / -std::expm1(-x) - 1.0 / x;
}

Bristles bend(const BristleParameters& p, FrictionModel model, const Vector3& slip, const Vector3& base,
              double factor) {
    const double speed = slip.norm();
    const Limit mu = limit_at(p, speed);
    const double sigma = p.stiffness / mu.value;  // x = σ|z|
    const Vector3 along = speed > 0.0 ? Vector3(slip / speed) : Vector3(Vector3::Zero());
    const Vector3 sigma_slope = -sigma * mu.slope / mu.value * along;
    const Vector3 wanted = base + factor * slip;
    const double length = wanted.norm();
    Bristles out;
    Matrix3 by_slip = Matrix3::Identity(), by_bending = Matrix3::Zero();  // of ż
    if (model == FrictionModel::lugre) {
        out.bending = wanted / (1.0 + factor * speed * sigma);
        out.rate = slip - speed * sigma * out.bending;
        by_slip -= out.bending * (sigma * along + speed * sigma_slope).transpose();
        by_bending.diagonal().array() -= speed * sigma;
    } else {
        const Vector3 direction = length > 0.0 ? Vector3(wanted / length) : Vector3(Vector3::Zero());
        const double onward = std::max(0.0, slip.dot(direction));
        const double t = onward > 0.0 ? yielded_length(length, factor * onward, sigma, p.break_away) : length;
        out.bending = t * direction;
        const Yield yield = yield_at(sigma * t, p.break_away);
        out.rate = slip - yield.value * onward * direction;
        if (yield.value > 0.0 && onward > 0.0) {
            by_slip -= direction * (yield.value * direction + onward * yield.slope * t * sigma_slope).transpose();
            const Vector3 turn = (slip - onward * direction) / t;  // ∂(v·ẑ)/∂z
            by_bending = -direction * (onward * yield.slope * sigma * direction + yield.value * turn).transpose() -
                         yield.value * onward / t *
                             (Matrix3::Identity() - direction * direction.transpose());
        }
    }
    // ∂z/∂v = c (1 − c ∂ż/∂z)⁻¹ ∂ż/∂v, and all of ż
    const Matrix3 with_slip =
        factor * (Matrix3::Identity() - factor * by_bending).partialPivLu().solve(by_slip);
    const Matrix3 rate_slope = by_slip + by_bending * with_slip;
    const double part = p.damping / p.static_friction * speed, damping = p.damping * std::exp(-part * part);
    const Vector3 damping_slope =
        -2.0 * damping * (p.damping / p.static_friction) * part * along;
    out.ratio = -(p.stiffness * out.bending + damping * out.rate + p.viscous * slip);
    out.resistance = p.stiffness * with_slip + damping * rate_slope + out.rate * damping_slope.transpose() +
                     p.viscous * Matrix3::Identity();
    return out;
}

}  // namespace flexframe
