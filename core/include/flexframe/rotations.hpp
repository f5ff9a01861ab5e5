// Rotations: vectors of rotation, unit quaternions (scalar first) and what their series have in common.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>

namespace flexframe {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using Vector4 = Eigen::Vector4d;
using Vector6 = Eigen::Matrix<double, 6, 1>;

/// A frame in space axes: where it is and how it moves.
struct FrameInSpace {
    Vector3 position = Vector3::Zero();
    Matrix3 rotation = Matrix3::Identity();
    Vector3 velocity = Vector3::Zero();
    Vector3 angular_velocity = Vector3::Zero();
};

/// The matrix of the product v × … .
inline Matrix3 skew(const Vector3& v) {
    Matrix3 S;
    S << 0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0;
    return S;
}

/// Ratios of the rotation by φ, with x = φ²: a = (1 − cos φ)/φ², b = (φ − sin φ)/φ³, c = sin φ/φ, da/dx, db/dx.
struct TurnRatios {
    double a, b, da, db, c;
};

/// The ratios by their series, which serve for turns of up to two radians:
/// a = Σ (−x)^k/(2k + 2)!,  b = Σ (−x)^k/(2k + 3)!,  c = Σ (−x)^k/(2k + 1)! .
inline TurnRatios turn_ratios(double x) {
    TurnRatios r{0.0, 0.0, 0.0, 0.0, 0.0};
    double term = 1.0;                // (−1)^k/(2k)!
    double power = 1.0, lower = 0.0;  // x^k, k x^(k−1)
    for (int k = 0; k < 11; ++k) {
        const double one = term / ((2 * k + 1) * (2 * k + 2));
        const double two = one / (2 * k + 3);
        r.c += term / (2 * k + 1) * power;
        r.a += one * power;
        r.b += two * power;
        r.da += one * lower;
        r.db += two * lower;
        lower = lower * x + power;
        power *= x;
        term = -one;
    }
    return r;
}

/// The shortest rotation vector of the same rotation: a wheel that spins steadily turns several times in a step.
inline Vector3 without_turns(const Vector3& theta) {
    constexpr double turn = 6.283185307179586;
    const double angle = theta.norm();
    return angle > 0.5 * turn ? Vector3(theta * (1.0 - turn * std::round(angle / turn) / angle)) : theta;
}

/// (1 − (φ/2) cot(φ/2))/φ² of x = φ², for turns of less than a radian or two.
inline double cotangent_ratio(double x) {
    if (x < 0.25) return 1.0 / 12 + x * (1.0 / 720 + x * (1.0 / 30240 + x * (1.0 / 1209600 + x / 47900160.0)));
    const TurnRatios t = turn_ratios(x);
    return (1.0 - 0.5 * t.c / t.a) / x;
}

/// θ̇ = T(θ)⁻¹ ω = ω + ½ θ × ω + c θ × (θ × ω) of an attitude R exp θ̃ that turns with ω in body axes.
inline Vector3 turn_rate(const Vector3& theta, const Vector3& omega) {
    const Vector3 once = theta.cross(omega);
    return omega + 0.5 * once + cotangent_ratio(theta.squaredNorm()) * theta.cross(once);
}

/// R of a unit quaternion.
inline Matrix3 rotation_matrix(const double* q) {
    const double q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
    Matrix3 R;
    R << 1.0 - 2.0 * (q2 * q2 + q3 * q3), 2.0 * (q1 * q2 - q0 * q3), 2.0 * (q1 * q3 + q0 * q2),
        2.0 * (q1 * q2 + q0 * q3), 1.0 - 2.0 * (q1 * q1 + q3 * q3), 2.0 * (q2 * q3 - q0 * q1),
        2.0 * (q1 * q3 - q0 * q2), 2.0 * (q2 * q3 + q0 * q1), 1.0 - 2.0 * (q1 * q1 + q2 * q2);
    return R;
}

/// R(q) v = v + 2 e × (e × v + q₀ v), with q = (q₀, e).
inline Vector3 rotate(const double* q, const Vector3& v) {
    const Vector3 e(q[1], q[2], q[3]);
    return v + 2.0 * e.cross(e.cross(v) + q[0] * v);
}

/// R(q)ᵀ v.
inline Vector3 rotate_back(const double* q, const Vector3& v) {
    const double conjugate[4] = {q[0], -q[1], -q[2], -q[3]};
    return rotate(conjugate, v);
}

/// q ∘ exp(θ/2), of unit length: the attitude turned on by the vector θ in body axes.
inline void turn_quaternion(const double* q, const Vector3& theta, double* out) {
    const double half = 0.25 * theta.squaredNorm();  // (φ/2)²
    const TurnRatios r = turn_ratios(half);
    const double p0 = 1.0 - half * r.a;   // cos(φ/2)
    const Vector3 p = 0.5 * r.c * theta;  // sin(φ/2)/φ θ
    const Vector3 e(q[1], q[2], q[3]);
    Vector4 turned;
    turned[0] = q[0] * p0 - e.dot(p);
    turned.tail<3>() = q[0] * p + p0 * e + e.cross(p);
    turned /= turned.norm();
    for (int i = 0; i < 4; ++i) out[i] = turned[i];
}

}  // namespace flexframe
