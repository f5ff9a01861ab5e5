#include "flexframe/planar_beams.hpp"

#include <Eigen/LU>
#include <cmath>

namespace flexframe {

namespace {

using Vector2 = Eigen::Vector2d;
using Matrix2 = Eigen::Matrix2d;
using Matrix36 = Eigen::Matrix<double, 3, 6>;
using PlaneMatrix = Eigen::Matrix<double, 6, 6>;

const double gauss[2] = {0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)};
constexpr int plane[3] = {0, 1, 5};
constexpr int across[3] = {2, 3, 4};

/// h = (φ/2) cot(φ/2), k = (1 − h)/φ, and their derivatives by φ.
struct Halves {
    double h, h_slope, k, k_slope;
};

Halves halves(double angle) {
    const double x = angle * angle;
    if (x > 0.25) {
        const double half = 0.5 * angle, cotangent = 1.0 / std::tan(half), sine = std::sin(half);
        const double h = half * cotangent, h_slope = 0.5 * cotangent - 0.5 * half / (sine * sine);
        return {h, h_slope, (1.0 - h) / angle, -h_slope / angle - (1.0 - h) / x};
    }
    // 1 − h = x/12 + x²/720 + x³/30240 + …, coefficients 2ζ(2n)/(2π)^2n; the last is 1e-17 of the first at φ = ½
    static const double c[8] = {1.0 / 12,       1.0 / 720,           1.0 / 30240,        1.0 / 1209600,
                                1.0 / 47900160, 691.0 / 1307674368e3, 1.0 / 74724249600.0, 3617.0 / 10670622842880e3};
    double value = 0.0, slope = 0.0;  // of (1 − h)/x by x
    for (int n = 7; n >= 0; --n) {
        slope = slope * x + value;
        value = value * x + c[n];
    }
    return {1.0 - value * x, -2.0 * angle * (value + x * slope), value * angle, value + 2.0 * x * slope};
}

/// s = sin ψ/ψ, c = (1 − cos ψ)/ψ and their first and second derivatives by ψ.
struct Chord {
    double s, c, s1, c1, s2, c2;

    /// V⁽ⁿ⁾ v.
    static Vector2 apply(double s, double c, const Vector2& v) { return {s * v[0] - c * v[1], c * v[0] + s * v[1]}; }
};

Chord chord(double angle) {
    const double x = angle * angle;
    Chord out;
    if (x > 0.25) {
        const double sine = std::sin(angle), cosine = std::cos(angle);
        out.s = sine / angle;
        out.c = (1.0 - cosine) / angle;
        out.s1 = (cosine - out.s) / angle;
        out.c1 = (sine - out.c) / angle;
        out.s2 = (-sine - 2.0 * out.s1) / angle;
        out.c2 = (cosine - 2.0 * out.c1) / angle;
        return out;
    }
    // Σ (−x)ⁿ/(2n + 1)! and Σ (−x)ⁿ/(2n + 2)!, values with two derivatives by x
    double S = 0.0, S1 = 0.0, S2 = 0.0, C = 0.0, C1 = 0.0, C2 = 0.0;
    static const double odd[7] = {1.0,           -1.0 / 6,         1.0 / 120,        -1.0 / 5040,
                                  1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800.0};
    for (int n = 6; n >= 0; --n) {
        S2 = S2 * x + 2.0 * S1;
        S1 = S1 * x + S;
        S = S * x + odd[n];
        C2 = C2 * x + 2.0 * C1;
        C1 = C1 * x + C;
        C = C * x + odd[n] / (2 * n + 2);
    }
    out.s = S;
    out.c = angle * C;
    out.s1 = 2.0 * angle * S1;
    out.c1 = C + 2.0 * x * C1;
    out.s2 = 2.0 * S1 + 4.0 * x * S2;
    out.c2 = angle * (6.0 * C1 + 4.0 * x * C2);
    return out;
}

Vector2 turned(const Vector2& v) { return {-v[1], v[0]}; }

/// (vx, vy, ω) of a section by those of the body: R(−α)(v + ω × p).
struct EndMap {
    double cosine, sine, x, y;

    explicit EndMap(const BeamEnd& end)
        : cosine(end.twist(0, 0)), sine(end.twist(0, 1)), x(end.twist(0, 5)), y(end.twist(1, 5)) {}

    Vector3 forward(const double* v) const {
        return {cosine * v[0] + sine * v[1] + x * v[5], -sine * v[0] + cosine * v[1] + y * v[5], v[5]};
    }
    Vector3 backward(const Vector3& f) const {
        return {cosine * f[0] - sine * f[1], sine * f[0] + cosine * f[1], x * f[0] + y * f[1] + f[2]};
    }
    Matrix3 matrix() const {
        Matrix3 out;
        out << cosine, sine, x, -sine, cosine, y, 0.0, 0.0, 1.0;
        return out;
    }
};

void scatter(const Vector3& value, int side, Vector12& out) {
    for (int i = 0; i < 3; ++i) out[6 * side + plane[i]] = value[i];
}

/// Forces on both bodies by those on the first section and along d.
Vector12 to_bodies(const BeamElement& beam, const Vector3& on_first, const Vector3& on_second) {
    Vector12 out = Vector12::Zero();
    const Vector3 forces[2] = {on_first, on_second};
    for (int side = 0; side < 2; ++side) {
        scatter(beam.ends[side].apart ? EndMap(beam.ends[side]).backward(forces[side]) : forces[side], side, out);
    }
    return out;
}

Matrix12 to_bodies(const BeamElement& beam, PlaneMatrix& matrix) {
    for (int side = 0; side < 2; ++side) {
        if (!beam.ends[side].apart) continue;
        const Matrix3 map = EndMap(beam.ends[side]).matrix();
        matrix.middleRows<3>(3 * side) = (map.transpose() * matrix.middleRows<3>(3 * side)).eval();
        matrix.middleCols<3>(3 * side) = (matrix.middleCols<3>(3 * side) * map).eval();
    }
    Matrix12 out = Matrix12::Zero();
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) out(6 * (i / 3) + plane[i % 3], 6 * (j / 3) + plane[j % 3]) = matrix(i, j);
    }
    return out;
}

Matrix3 in_plane(const Matrix6& matrix) {
    Matrix3 out;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) out(i, j) = matrix(plane[i], plane[j]);
    }
    return out;
}

Vector3 in_plane(const Vector6& v) { return {v[0], v[1], v[5]}; }

/// P = [−T⁻¹(−d), T⁻¹(d)].
Matrix36 rates(const BeamState& state) {
    Matrix36 out;
    out << -in_plane(state.back), in_plane(state.ahead);
    return out;
}

/// ∂(T⁻ᵀ(d) f)/∂d of d = (U, φ).
Matrix3 inverse_slope(const Halves& at, double sign, const Vector3& d, const Vector3& f) {
    const double k = sign * at.k, h_slope = sign * at.h_slope;
    Matrix3 out;
    out << 0.0, 0.0, h_slope * f[0] + 0.5 * f[1],  //
        0.0, 0.0, -0.5 * f[0] + h_slope * f[1],    //
        k * f[0] - 0.5 * f[1], 0.5 * f[0] + k * f[1], sign * at.k_slope * (d[0] * f[0] + d[1] * f[1]);
    return out;
}

/// Where a section is, seen from the first one, and how that changes with d.
struct Station {
    Vector2 u, slope;  // u, and V'U
    Chord V;
    double turn_cosine, turn_sine;

    Station(const BeamState& state, double xi) : V(chord(xi * state.d[5])) {
        const Vector2 U = state.d.head<2>();
        u = xi * Chord::apply(V.s, V.c, U);
        slope = Chord::apply(V.s1, V.c1, U);
        turn_cosine = 1.0 - xi * state.d[5] * V.c;
        turn_sine = xi * state.d[5] * V.s;
    }

    /// The first moment of a section for each length, in axes of the first one.
    Vector2 moment(const Matrix6& mass) const {
        const double x = mass(5, 1), y = -mass(5, 0);
        return {turn_cosine * x - turn_sine * y, turn_sine * x + turn_cosine * y};
    }
};

bool apart(const Matrix6& matrix) {
    double size = 0.0;
    for (int i : plane) {
        for (int j : across) size = std::max(size, std::abs(matrix(i, j)) / std::sqrt(matrix(i, i) * matrix(j, j)));
    }
    return !(size > 1e-12);
}

}  // namespace

bool is_planar(const BeamElement& beam, Matrix3& stiffness) {
    for (const BeamEnd& end : beam.ends) {
        if (end.frame.quaternion.segment<2>(1).norm() > 1e-12) return false;
    }
    if (beam.reference.segment<3>(2).norm() > 1e-12 * beam.length) return false;
    Eigen::Matrix<double, 6, 3> A;
    A << skew(beam.reference.head<3>()), skew(beam.reference.tail<3>());
    const Matrix6 F = beam.flexibility + A * beam.bending * A.transpose() / 12.0;
    // the first moment along z gives moments across the plane alone
    Matrix6 mass = beam.mass;
    for (int i : across) mass(i, i) = std::max(mass(i, i), 1e-300);
    mass(3, 1) = mass(1, 3) = mass(4, 0) = mass(0, 4) = 0.0;
    if (!apart(F) || beam.bending.topRightCorner<2, 1>().norm() > 1e-12 * beam.bending(2, 2)) return false;
    for (int i : plane) {
        for (int j : across) {
            if (std::abs(mass(i, j)) > 1e-12 * mass(0, 0)) return false;
        }
    }
    stiffness = in_plane(F).inverse();
    return true;
}

void move_planar_beam(const BeamElement& beam, const Pose& a, const Pose& b, const double* velocity_a,
                      const double* velocity_b, BeamState& out) {
    const BeamEnd &start = beam.ends[0], &end = beam.ends[1];
    out.first = start.apart ? compose(a, start.frame) : a;
    const Pose last = end.apart ? compose(b, end.frame) : b;
    const Vector4 &p = out.first.quaternion, &q = last.quaternion;
    // cos and sin of the first section, and half the angle between both
    const double cosine = p[0] * p[0] - p[3] * p[3], sine = 2.0 * p[0] * p[3];
    out.rotation << cosine, -sine, 0.0, sine, cosine, 0.0, 0.0, 0.0, 1.0;
    const double w = p[0] * q[0] + p[3] * q[3], z = p[0] * q[3] - p[3] * q[0];
    const double angle = 2.0 * (w < 0.0 ? std::atan2(-z, -w) : std::atan2(z, w));
    const Vector3 apart = last.position - out.first.position;
    const double x = cosine * apart[0] + sine * apart[1], y = cosine * apart[1] - sine * apart[0];
    const Halves at = halves(angle);
    const double U = at.h * x + 0.5 * angle * y, W = at.h * y - 0.5 * angle * x;
    out.d << U, W, 0.0, 0.0, 0.0, angle;
    const auto fill = [&](Matrix6& matrix, double sign) {
        matrix(0, 0) = matrix(1, 1) = at.h;
        matrix(1, 0) = 0.5 * sign * angle;
        matrix(0, 1) = -matrix(1, 0);
        matrix(0, 5) = 0.5 * sign * W + at.k * U;
        matrix(1, 5) = -0.5 * sign * U + at.k * W;
    };
    fill(out.back, -1.0);
    fill(out.ahead, 1.0);
    const Vector3 eta_a = start.apart ? EndMap(start).forward(velocity_a)
                                      : Vector3(velocity_a[0], velocity_a[1], velocity_a[5]);
    const Vector3 eta_b = end.apart ? EndMap(end).forward(velocity_b)
                                    : Vector3(velocity_b[0], velocity_b[1], velocity_b[5]);
    scatter(eta_a, 0, out.twists);
    scatter(eta_b, 1, out.twists);
    const Vector3 rate = in_plane(out.ahead) * eta_b - in_plane(out.back) * eta_a;
    const Vector3 f = beam.stiffness * (in_plane(Vector6(out.d - beam.reference)) / beam.length);
    for (int i = 0; i < 3; ++i) {
        out.rate[plane[i]] = rate[i];
        out.middle[plane[i]] = out.elastic[plane[i]] = f[i];
    }
    const Vector3 damped = in_plane(beam.damping) * (rate / beam.length);
    for (int i = 0; i < 3; ++i) out.force[plane[i]] = f[i] + damped[i];
}

Vector12 planar_beam_inertia(const BeamElement& beam, const BeamState& state, const double* acceleration_a,
                             const double* acceleration_b, const Vector3& gravity) {
    const auto end = [&](int side, const double* v) {
        return beam.ends[side].apart ? EndMap(beam.ends[side]).forward(v) : Vector3(v[0], v[1], v[5]);
    };
    const Vector3 x_a = end(0, acceleration_a), x_b = end(1, acceleration_b);
    const Vector3 eta_a(state.twists[0], state.twists[1], state.twists[5]);
    const Vector3 eta_b(state.twists[6], state.twists[7], state.twists[11]);
    const Vector2 U = state.d.head<2>(), U_rate = state.rate.head<2>();
    const double turning = state.rate[5];
    // d̈ = T⁻¹(d) η̇_B − T⁻¹(−d) η̇_A and the rates of both
    const Matrix3 back = in_plane(state.back), ahead = in_plane(state.ahead);
    const Halves at = halves(state.d[5]);
    const double h = at.h_slope * turning;
    const Vector2 apart = eta_b.head<2>() - eta_a.head<2>(), together = eta_a.head<2>() + eta_b.head<2>();
    const Vector2 k = at.k_slope * turning * U + at.k * U_rate;
    Vector3 second = ahead * x_b - back * x_a;
    second.head<2>() += h * apart + 0.5 * turning * turned(together) + (eta_b[2] - eta_a[2]) * k -
                        0.5 * (eta_a[2] + eta_b[2]) * turned(U_rate);
    // acceleration of the first section less that of weight, in its axes: v̇ + ω × v − g
    const Vector2 g = (state.rotation.transpose() * gravity).head<2>();
    const double spin = eta_a[2];
    const Vector2 start = x_a.head<2>() + spin * turned(eta_a.head<2>()) - g;
    Vector3 on_start = Vector3::Zero(), on_change = Vector3::Zero();
    for (double xi : gauss) {
        const Station there(state, xi);
        const Chord& V = there.V;
        const double psi = xi * turning, psi_rate = xi * second[2];
        const Vector2 u_rate = xi * (Chord::apply(V.s, V.c, U_rate) + psi * there.slope);
        const Vector2 u_second =
            xi * (Chord::apply(V.s, V.c, second.head<2>()) + 2.0 * psi * Chord::apply(V.s1, V.c1, U_rate) +
                  psi_rate * there.slope + psi * psi * Chord::apply(V.s2, V.c2, U));
        const Vector2 a = start + x_a[2] * turned(there.u) - spin * spin * there.u + 2.0 * spin * turned(u_rate) + u_second;
        const double omega = spin + psi, epsilon = x_a[2] + psi_rate, half = 0.5 * beam.length;
        const Vector2 c = there.moment(beam.mass);
        // F = m a + ε × c − ω² c and M = J ε + c × a for each length
        const Vector2 F = half * (beam.mass(0, 0) * a + epsilon * turned(c) - omega * omega * c);
        const double M = half * (beam.mass(5, 5) * epsilon + c[0] * a[1] - c[1] * a[0]);
        on_start.head<2>() += F;
        on_start[2] += M + there.u[0] * F[1] - there.u[1] * F[0];
        on_change.head<2>() += xi * Chord::apply(V.s, -V.c, F);
        on_change[2] += xi * (xi * there.slope.dot(F) + M);
    }
    return to_bodies(beam, on_start - back.transpose() * on_change, ahead.transpose() * on_change);
}

Matrix12 planar_beam_mass(const BeamElement& beam, const BeamState& state) {
    const Matrix3 back = in_plane(state.back), ahead = in_plane(state.ahead);
    PlaneMatrix out = PlaneMatrix::Zero();
    for (double xi : gauss) {
        const Station there(state, xi);
        const Vector2 c = there.moment(beam.mass);
        Matrix3 mu, on_start, on_change;
        mu << beam.mass(0, 0), 0.0, -c[1], 0.0, beam.mass(0, 0), c[0], -c[1], c[0], beam.mass(5, 5);
        on_start << 1.0, 0.0, -there.u[1], 0.0, 1.0, there.u[0], 0.0, 0.0, 1.0;
        on_change << there.V.s, -there.V.c, xi * there.slope[0], there.V.c, there.V.s, xi * there.slope[1], 0.0, 0.0, 1.0;
        on_change *= xi;
        Matrix36 Q;
        Q << on_start - on_change * back, on_change * ahead;
        out.noalias() += Q.transpose() * ((0.5 * beam.length) * (mu * Q));
    }
    return to_bodies(beam, out);
}

Matrix12 planar_beam_stiffness(const BeamElement& beam, const BeamState& state) {
    const Matrix36 P = rates(state);
    const Vector3 d = in_plane(state.d), f = in_plane(state.force);
    const Halves at = halves(d[2]);
    PlaneMatrix out = P.transpose() * ((beam.stiffness / beam.length) * P);
    // ∂(−T⁻ᵀ(−d) f)/∂d = (∂T⁻ᵀ f)(−d): h' and k change their sign, and so does U
    Matrix3 slopes = inverse_slope(at, -1.0, d, f);
    out.topRows<3>().noalias() += slopes * P;
    slopes = inverse_slope(at, 1.0, d, f);
    out.bottomRows<3>().noalias() += slopes * P;
    return to_bodies(beam, out);
}

}  // namespace flexframe
