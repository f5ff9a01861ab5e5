#include "flexframe/rigid_motions.hpp"

#include <array>
#include <cmath>

namespace flexframe {

namespace {

constexpr int terms = 30;
constexpr double negligible = 1e-19;
using Series = std::array<double, terms>;

/// Value at ad² = −x of the even part, 1 + …, and of the odd part over ad, both as power series of x.
struct Parts {
    Series even, odd;
};

/// Σ (−x)^k/(2k + first)! times a sign.
Series factorials(int first, double sign) {
    Series out{};
    double term = sign;
    for (int n = 2; n <= first; ++n) term /= n;
    for (int k = 0; k < terms; ++k) {
        out[k] = term;
        term /= -(2.0 * k + first + 1) * (2.0 * k + first + 2);
    }
    return out;
}

/// (φ/2) cot(φ/2) = 1 + Σ g_k x^k; sums of products of ζ(2k) give (2k + 1) g_k = −Σ g_j g_(k−j), g₁ = −1/12.
Series half_cotangent() {
    Series g{};
    g[0] = 1.0;
    g[1] = -1.0 / 12.0;
    for (int k = 2; k < terms; ++k) {
        for (int j = 1; j < k; ++j) g[k] -= g[j] * g[k - j];
        g[k] /= 2.0 * k + 1.0;
    }
    return g;
}

Series only(double first) {
    Series out{};
    out[0] = first;
    return out;
}

/// The polynomial in ad that has the value and the slope of a function where ad² = −x, and 1 where ad = 0:
/// p₂ = Σ (k − 2) c_k x^(k−1), p₄ = Σ (k − 1) c_k x^(k−2), p₁ = Σ (1 − k) s_k x^k, p₃ = −Σ k s_k x^(k−1).
AdjointSeries polynomial(const Parts& parts, double x) {
    AdjointSeries out;
    double power = 1.0, lower = 0.0, lowest = 0.0;  // x^k, x^(k−1), x^(k−2)
    double before = 0.0;                            // x^(k−3)
    for (int k = 0; k < terms; ++k) {
        const double c = parts.even[k], s = parts.odd[k];
        out.factor[0] += (1 - k) * s * power;
        out.slope[0] += (1 - k) * k * s * lower;
        if (k > 0) {
            out.factor[1] += (k - 2) * c * lower;
            out.slope[1] += (k - 2) * (k - 1) * c * lowest;
            out.factor[2] -= k * s * lower;
            out.slope[2] -= k * (k - 1) * s * lowest;
        }
        if (k > 1) {
            out.factor[3] += (k - 1) * c * lowest;
            out.slope[3] += (k - 1) * (k - 2) * c * before;
        }
        if (k > 3 && before < negligible) break;
        before = lowest;
        lowest = lower;
        lower = power;
        power *= x;
    }
    return out;
}

Vector4 product(const Vector4& p, const Vector4& q) {
    const Vector3 a = p.tail<3>(), b = q.tail<3>();
    Vector4 out;
    out << p[0] * q[0] - a.dot(b), p[0] * b + q[0] * a + a.cross(b);
    return out;
}

Vector4 conjugate(const Vector4& q) { return {q[0], -q[1], -q[2], -q[3]}; }

}  // namespace

AdjointSeries exponential_series(double x) {
    static const Parts parts{factorials(0, 1.0), factorials(1, -1.0)};
    return polynomial(parts, x);
}

AdjointSeries tangent_series(double x) {
    static const Parts parts{factorials(1, 1.0), factorials(2, -1.0)};
    return polynomial(parts, x);
}

AdjointSeries inverse_tangent_series(double x) {
    static const Parts parts{half_cotangent(), only(0.5)};
    return polynomial(parts, x);
}

Pose compose(const Pose& first, const Pose& second) {
    Pose out;
    out.position = first.position + rotate(first.quaternion.data(), second.position);
    out.quaternion = product(first.quaternion, second.quaternion);
    return out;
}

Vector6 logarithm(const Pose& from, const Pose& to) {
    const Vector3 p = rotate_back(from.quaternion.data(), to.position - from.position);
    Vector4 q = product(conjugate(from.quaternion), to.quaternion);
    if (q[0] < 0.0) q = -q;
    const Vector3 e = q.tail<3>();
    const double sine = e.norm();
    // Ω = φ e/|e| with sin(φ/2) = |e|; near zero the ratio is 2
    const double angle = 2.0 * std::atan2(sine, q[0]), ratio = sine > 1e-150 ? angle / sine : 2.0;
    const Vector3 turn = ratio * e;
    // p = (1 + a Ω̃ + b Ω̃²) U, and U = (1 − ½ Ω̃ + c Ω̃²) p with c = (1 − (φ/2) cot(φ/2))/φ²
    const double x = turn.squaredNorm();
    static const Series g = half_cotangent();
    double c = 0.0, power = 1.0;
    for (int k = 1; k < terms && power > negligible; ++k) {
        c -= g[k] * power;
        power *= x;
    }
    const Vector3 once = turn.cross(p);
    Vector6 out;
    out << p - 0.5 * once + c * turn.cross(once), turn;
    return out;
}

Pose exponential(const Vector6& d) {
    const Vector3 U = d.head<3>(), turn = d.tail<3>();
    const TurnRatios r = turn_ratios(turn.squaredNorm());
    const Vector3 once = turn.cross(U);
    Pose out;
    out.position = U + r.a * once + r.b * turn.cross(once);
    const Vector4 none(1.0, 0.0, 0.0, 0.0);
    turn_quaternion(none.data(), turn, out.quaternion.data());
    return out;
}

Matrix6 carried_twist(const Pose& fixed) {
    const Matrix3 back = rotation_matrix(fixed.quaternion.data()).transpose();
    Matrix6 out;
    out << back, -back * skew(fixed.position), Matrix3::Zero(), back;
    return out;
}

}  // namespace flexframe
