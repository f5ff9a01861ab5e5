#include "flexframe/rigid_motions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace flexframe {

namespace {

constexpr int terms = 30;
constexpr double negligible = 1e-18;  // what a series leaves out, beside its terms
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

/// How many terms of power series serve up to some x.
class Lengths {
public:
    /// `largest(k)` is the largest coefficient of x^k, beside 1.
    template <class Largest>
    explicit Lengths(const Largest& largest) {
        for (int k = 0; k < terms; ++k) {
            const double size = largest(k);
            until_[k] = size > 0.0 && k > 0 ? std::pow(negligible / size, 1.0 / k) : 0.0;
        }
    }

    /// Terms that are needed at x.
    int at(double x) const {
        int count = 4;
        while (count < terms && until_[count] < x) count += 2;
        return std::min(count, terms);
    }

private:
    Series until_{};
};

/// The polynomial in ad that has the value and the slope of a function where ad² = −x, and 1 where ad = 0:
/// p₁ = Σ (1 − k) s_k x^k, p₂ = Σ (k − 1) c_(k+1) x^k, p₃ = −Σ (k + 1) s_(k+1) x^k, p₄ = Σ (k + 1) c_(k+2) x^k.
class Polynomial {
public:
    explicit Polynomial(const Parts& parts)
        : coefficients_(gather(parts)), lengths_([&](int k) { return coefficients_[k].abs().maxCoeff(); }) {}

    AdjointSeries at(double x) const {
        Four value = Four::Zero(), slope = Four::Zero();
        for (int k = lengths_.at(x) - 1; k >= 0; --k) {
            slope = slope * x + value;
            value = value * x + coefficients_[k];
        }
        AdjointSeries out;
        Eigen::Map<Four>(out.factor) = value;
        Eigen::Map<Four>(out.slope) = slope;
        return out;
    }

    /// Nothing cancels where both x are close.
    AdjointSpan between(double x0, double x1) const {
        Four first = Four::Zero(), last = Four::Zero(), slope = Four::Zero();
        for (int k = lengths_.at(std::max(x0, x1)) - 1; k >= 0; --k) {
            slope = slope * x1 + first;
            first = first * x0 + coefficients_[k];
            last = last * x1 + coefficients_[k];
        }
        AdjointSpan out;
        Eigen::Map<Four>(out.start) = first;
        Eigen::Map<Four>(out.end) = last;
        Eigen::Map<Four>(out.slope) = slope;
        return out;
    }

private:
    using Four = Eigen::Array4d;

    static std::array<Four, terms> gather(const Parts& parts) {
        std::array<Four, terms> out;
        const auto part = [](const Series& series, int k) { return k < terms ? series[k] : 0.0; };
        for (int k = 0; k < terms; ++k) {
            out[k] << (1 - k) * parts.odd[k], (k - 1) * part(parts.even, k + 1),
                -(k + 1) * part(parts.odd, k + 1), (k + 1) * part(parts.even, k + 2);
        }
        return out;
    }

    std::array<Four, terms> coefficients_;
    Lengths lengths_;
};

const Polynomial& exponential_polynomial() {
    static const Polynomial out({factorials(0, 1.0), factorials(1, -1.0)});
    return out;
}

const Polynomial& tangent_polynomial() {
    static const Polynomial out({factorials(1, 1.0), factorials(2, -1.0)});
    return out;
}

const Polynomial& inverse_polynomial() {
    static const Polynomial out({half_cotangent(), only(0.5)});
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

AdjointSeries exponential_series(double x) { return exponential_polynomial().at(x); }
AdjointSeries tangent_series(double x) { return tangent_polynomial().at(x); }
AdjointSeries inverse_tangent_series(double x) { return inverse_polynomial().at(x); }
AdjointSpan exponential_span(double x0, double x1) { return exponential_polynomial().between(x0, x1); }
AdjointSpan tangent_span(double x0, double x1) { return tangent_polynomial().between(x0, x1); }
AdjointSpan inverse_tangent_span(double x0, double x1) { return inverse_polynomial().between(x0, x1); }

Pose compose(const Pose& first, const Pose& second) {
    Pose out;
    out.position = first.position + rotate(first.quaternion.data(), second.position);
    out.quaternion = product(first.quaternion, second.quaternion);
    return out;
}

Vector6 logarithm(const Pose& from, const Pose& to, AdjointSeries& inverse) {
    const Vector3 p = rotate_back(from.quaternion.data(), to.position - from.position);
    Vector4 q = product(conjugate(from.quaternion), to.quaternion);
    if (q[0] < 0.0) q = -q;
    const Vector3 e = q.tail<3>();
    const double sine = e.norm();
    // Ω = φ e/|e| with sin(φ/2) = |e|; near zero the ratio is 2
    const double angle = 2.0 * std::atan2(sine, q[0]), ratio = sine > 1e-150 ? angle / sine : 2.0;
    const Vector3 turn = ratio * e;
    // p = (1 + a Ω̃ + b Ω̃²) U, and U = (1 − ½ Ω̃ + c Ω̃²) p with c = (1 − (φ/2) cot(φ/2))/φ² = a₂ − x a₄
    const double x = turn.squaredNorm();
    inverse = inverse_tangent_series(x);
    const double c = inverse.factor[1] - x * inverse.factor[3];
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
