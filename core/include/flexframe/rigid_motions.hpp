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

/// ad_d e = (Ω × U_e + U × Ω_e, Ω × Ω_e).
inline Vector6 bracket(const Vector6& d, const Vector6& e) {
    const Vector3 U = d.head<3>(), W = d.tail<3>(), u = e.head<3>(), w = e.tail<3>();
    Vector6 out;
    out << W.cross(u) + U.cross(w), W.cross(w);
    return out;
}

/// ad_dᵀ f of a wrench f = (n, m): (n × Ω, n × U + m × Ω).
inline Vector6 cobracket(const Vector6& d, const Vector6& f) {
    const Vector3 U = d.head<3>(), W = d.tail<3>(), n = f.head<3>(), m = f.tail<3>();
    Vector6 out;
    out << n.cross(W), n.cross(U) + m.cross(W);
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

/// A place and an attitude: p and a unit quaternion.
struct Pose {
    Vector3 position = Vector3::Zero();
    Vector4 quaternion = Vector4(1.0, 0.0, 0.0, 0.0);
};

/// A frame fixed in another one: the pose first ∘ second.
Pose compose(const Pose& first, const Pose& second);

/// d with `to` = `from` ∘ exp d, turning by less than half a revolution.
Vector6 logarithm(const Pose& from, const Pose& to);

/// exp d.
Pose exponential(const Vector6& d);

/// The twist of a frame fixed in another one by the twist of that: [Fᵀ, −Fᵀp̃; 0, Fᵀ].
Matrix6 carried_twist(const Pose& fixed);

}  // namespace flexframe
