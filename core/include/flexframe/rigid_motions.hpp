// Motions of frames in space and their logarithms: d = (U, Ω), exp d turning by Ω and shifting along with it.
//
// Twists (v, ω) are in the axes of the frame that moves. With ad_d = [Ω̃, Ũ; 0, Ω̃] and x = |Ω|², every power of
// ad_d beyond the fourth follows from ad⁵ + 2x ad³ + x² ad = 0, so that
//
//     exp(−ad)             = 1 + Σ e_n adⁿ        takes a twist at the beginning of d to its end,
//     T  = (1 − e^(−ad))/ad = 1 + Σ t_n adⁿ        gives the twist at the end that belongs to a change of d,
//     T⁻¹ = ad/(1 − e^(−ad)) = 1 + ½ ad + a₂ ad² + a₄ ad⁴ ,
//
// with n = 1 … 4 and coefficients that are power series of x.
#pragma once

#include <Eigen/Core>

#include "flexframe/rotations.hpp"

namespace flexframe {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

// Both products are written out: sums of small vectors through memory would wait for each other's stores.

/// ad_d e = (Ω × U_e + U × Ω_e, Ω × Ω_e).
inline Vector6 bracket(const Vector6& d, const Vector6& e) {
    const double u = d[0], v = d[1], w = d[2], p = d[3], q = d[4], r = d[5];
    Vector6 out;
    out[0] = q * e[2] - r * e[1] + v * e[5] - w * e[4];
    out[1] = r * e[0] - p * e[2] + w * e[3] - u * e[5];
    out[2] = p * e[1] - q * e[0] + u * e[4] - v * e[3];
    out[3] = q * e[5] - r * e[4];
    out[4] = r * e[3] - p * e[5];
    out[5] = p * e[4] - q * e[3];
    return out;
}

/// ad_dᵀ f of a wrench f = (n, m): (n × Ω, n × U + m × Ω).
inline Vector6 cobracket(const Vector6& d, const Vector6& f) {
    const double u = d[0], v = d[1], w = d[2], p = d[3], q = d[4], r = d[5];
    Vector6 out;
    out[0] = f[1] * r - f[2] * q;
    out[1] = f[2] * p - f[0] * r;
    out[2] = f[0] * q - f[1] * p;
    out[3] = f[1] * w - f[2] * v + f[4] * r - f[5] * q;
    out[4] = f[2] * u - f[0] * w + f[5] * p - f[3] * r;
    out[5] = f[0] * v - f[1] * u + f[3] * q - f[4] * p;
    return out;
}

/// ad_d.
inline Matrix6 bracket_matrix(const Vector6& d) {
    Matrix6 out;
    const Matrix3 turn = skew(d.tail<3>());
    out << turn, skew(d.head<3>()), Matrix3::Zero(), turn;
    return out;
}

/// B(f) with ad_eᵀ f = B(f) e.
inline Matrix6 cobracket_matrix(const Vector6& f) {
    Matrix6 out;
    const Matrix3 n = skew(f.head<3>());
    out << Matrix3::Zero(), n, n, skew(f.tail<3>());
    return out;
}

/// Coefficients of ad, ad², ad³, ad⁴, and their derivatives by x.
struct AdjointSeries {
    double factor[4] = {0.0, 0.0, 0.0, 0.0}, slope[4] = {0.0, 0.0, 0.0, 0.0};
};

/// Of exp(−ad), of T and of T⁻¹; they serve for turns up to half a revolution.
AdjointSeries exponential_series(double x);
AdjointSeries tangent_series(double x);
AdjointSeries inverse_tangent_series(double x);

/// Coefficients at two x, and their divided differences, which are derivatives where both are equal.
struct AdjointSpan {
    double start[4], end[4], slope[4];
    double mean(int n) const { return 0.5 * (start[n] + end[n]); }
};
AdjointSpan exponential_span(double x0, double x1);
AdjointSpan tangent_span(double x0, double x1);
AdjointSpan inverse_tangent_span(double x0, double x1);

/// A place and an attitude: p and a unit quaternion.
struct Pose {
    Vector3 position = Vector3::Zero();
    Vector4 quaternion = Vector4(1.0, 0.0, 0.0, 0.0);
};

/// A frame fixed in another one: the pose first ∘ second.
Pose compose(const Pose& first, const Pose& second);

/// d with `to` = `from` ∘ exp d, turning by less than half a revolution; with the coefficients of T⁻¹(d).
Vector6 logarithm(const Pose& from, const Pose& to, AdjointSeries& inverse);
inline Vector6 logarithm(const Pose& from, const Pose& to) {
    AdjointSeries ignored;
    return logarithm(from, to, ignored);
}

/// exp d.
Pose exponential(const Vector6& d);

/// The twist of a frame fixed in another one by the twist of that: [Fᵀ, −Fᵀp̃; 0, Fᵀ].
Matrix6 carried_twist(const Pose& fixed);

}  // namespace flexframe
