#include "flexframe/attitude.hpp"

#include <cmath>

namespace flexframe::attitude {

namespace {

constexpr int most_iterations = 60;
constexpr double round_off = 1e-16;

Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

void normalise(Quaternion& q) { q /= std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]); }

}  // namespace

Quaternion product(const Quaternion& a, const Quaternion& b) {
    return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
            a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
}

// R(q) v = v + 2 q₀ (e × v) + 2 e × (e × v), with q = (q₀, e).
Vector to_space(const Quaternion& q, const Vector& v) {
    const Vector e(q[1], q[2], q[3]);
    const Vector turned = cross(e, v);
    return v + 2.0 * (q[0] * turned + cross(e, turned));
}

// q̇_i = ½ (q + h Σ_j a_ij q̇_j) ∘ (0, ω_i), solved by iteration.
void advance(Quaternion& q, const Collocation& method, const double* omega, Index stride, double step,
             Slopes& slopes) {
    const Index s = method.stages;
    slopes.setZero();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        double change = 0.0;
        for (Index i = 0; i < s; ++i) {
            Quaternion total = Quaternion::Zero();
            for (Index j = 0; j < s; ++j) total += method.node_integrals[i * s + j] * slopes.col(j);
            const double* at_node = omega + i * stride;
            const Quaternion half(0.0, 0.5 * at_node[0], 0.5 * at_node[1], 0.5 * at_node[2]);
            const Quaternion slope = product(q + step * total, half);
            change = std::max(change, std::abs(step) * (slope - slopes.col(i)).cwiseAbs().maxCoeff());
            slopes.col(i) = slope;
        }
        if (change < round_off) break;
    }
    Quaternion total = Quaternion::Zero();
    for (Index i = 0; i < s; ++i) total += method.weights[i] * slopes.col(i);
    q += step * total;
    normalise(q);
}

// The rotation from a to b of unit length has the quaternion (1 + a·b, a × b), but for its length.
void align(Quaternion& q, const Vector& L, const Vector& momentum) {
    const double length = std::sqrt(dot(momentum, momentum)), own = std::sqrt(dot(L, L));
    if (length == 0.0 || own == 0.0) return;
    const double scale = 1.0 / (own * length);
    for (int time = 0; time < 2; ++time) {  // the second time removes the rounding of the first
        const Vector now = to_space(q, L);
        const Vector axis = scale * cross(now, momentum);
        q = product(Quaternion(1.0 + scale * dot(now, momentum), axis[0], axis[1], axis[2]), q);
        normalise(q);
    }
}

}  // namespace flexframe::attitude
