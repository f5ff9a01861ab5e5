// s = x · Δ + z · Θ: a displacement and a turn of the second frame against the first, weighted.
//
// Θ is the vector of rotation exp Θ̃ = exp ỹ R_b R_aᵀ, where y turns the axes of the first place, in the frame of
// the first, onto those of the second; x and z are fixed in the first frame. It holds for turns of less than π.
#include <cmath>

#include "types.hpp"

namespace flexframe {

namespace {

/// c and (dc/dφ)/φ of T⁻¹ = 1 − ½Θ̃ + c Θ̃², c = (1 − ½φ cot ½φ)/φ².
struct Ratios {
    double c, growth;
};

Ratios ratios(double square) {
    if (square < 0.04) {
        // c = 1/12 + φ²/720 + φ⁴/30240 + φ⁶/1209600 + φ⁸/47900160
        const double x = square;
        return {1.0 / 12.0 + x * (1.0 / 720.0 +
                                  x * (1.0 / 30240.0 + x * (1.0 / 1209600.0 + x * (1.0 / 47900160.0)))),
                1.0 / 360.0 + x * (1.0 / 7560.0 + x * (1.0 / 201600.0 + x * (1.0 / 5987520.0)))};
    }
    const double phi = std::sqrt(square), half = 0.5 * phi, cotangent = 1.0 / std::tan(half);
    const double c = (1.0 - half * cotangent) / square;
    // d(½φ cot ½φ)/dφ = ½ cot ½φ − ¼φ (1 + cot² ½φ)
    const double slope = 0.5 * cotangent - 0.5 * half * (1.0 + cotangent * cotangent);
    return {c, (-slope / square - 2.0 * c / phi) / phi};
}

/// Θ in space axes.
Vector3 turn(const PlacedRow& row) {
    Matrix3 turned = row.b.rotation * row.a.rotation.transpose();
    const double angle = row.y.norm();
    if (angle > 0.0) turned = Eigen::AngleAxisd(angle, row.y / angle).toRotationMatrix() * turned;
    const Eigen::Quaterniond q(turned);
    const Vector3 e = q.w() < 0.0 ? Vector3(-q.vec()) : Vector3(q.vec());
    const double sine = e.norm(), cosine = std::abs(q.w());
    // φ/sin(½φ) with φ = 2 atan2(sin ½φ, cos ½φ)
    if (sine < 1e-8) return 2.0 * e;
    return 2.0 * std::atan2(sine, cosine) / sine * e;
}

/// T⁻¹ v.
Vector3 inverse_tangent(const Vector3& theta, double c, const Vector3& v) {
    const Vector3 once = theta.cross(v);
    return v - 0.5 * once + c * theta.cross(once);
}

void value(const PlacedRow& row, RowValue& out) {
    const Vector3 theta = turn(row);
    out.value = row.x.dot(row.delta) + row.z.dot(theta);
    out.add_difference(row.x, row.arm_a, row.arm_b);
    out.first.tail<3>() += row.x.cross(row.delta);
    const Vector3 turning = inverse_tangent(-theta, ratios(theta.squaredNorm()).c, row.z);  // T⁻ᵀ z
    out.first.tail<3>() -= turning;
    out.second.tail<3>() += turning;
}

// In the axes of a: Θ̇ = T⁻¹ w with w = ω_b − ω_a, Θ̈ = Ṫ⁻¹ w + T⁻¹ (ẇ − ω_a × w).
void rate(const PlacedRow& row, RowRate& out) {
    const Vector3& spin = row.a.angular_velocity;
    const Vector3 x_rate = spin.cross(row.x);
    out.rate = x_rate.dot(row.delta) + row.x.dot(row.delta_rate);
    out.bias = row.x.dot(row.delta_bias) + 2.0 * x_rate.dot(row.delta_rate) + spin.cross(x_rate).dot(row.delta);
    const Vector3 theta = turn(row), w = row.b.angular_velocity - spin;
    const Ratios r = ratios(theta.squaredNorm());
    const Vector3 theta_rate = inverse_tangent(theta, r.c, w);
    const Vector3 once = theta.cross(w);
    const Vector3 change = -0.5 * theta_rate.cross(w) + r.growth * theta.dot(theta_rate) * theta.cross(once) +
                           r.c * (theta_rate.cross(once) + theta.cross(theta_rate.cross(w)));
    out.rate += row.z.dot(theta_rate);
    out.bias += row.z.dot(change + inverse_tangent(theta, r.c, -spin.cross(w)));
}

// In the axes of a Θ is that of R_aᵀ R_b exp ỹ, with y in those of b.
void slope(const PlacedStep& step, RowValue& out) {
    const PlacedRow& row = step.mean;
    out.add_difference(row.x, row.arm_a, row.arm_b);
    out.first.tail<3>() += row.x.cross(row.delta);
    const double angle = step.row.y.norm();
    const Matrix3 fixed = angle > 0.0 ? Eigen::AngleAxisd(angle, step.row.y / angle).toRotationMatrix()
                                      : Matrix3(Matrix3::Identity());
    const Vector3 turning = TurnStep(step.a, step.b, fixed).moment(step.row.z);
    out.first.tail<3>() -= turning;
    out.second.tail<3>() += turning;
}

}  // namespace

const ConstraintType displacement{"displacement", false, &value, &rate, &slope};

}  // namespace flexframe
