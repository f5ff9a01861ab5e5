#include "flexframe/planar_beams.hpp"

#include <Eigen/LU>
#include <cmath>

namespace flexframe {

namespace {

using Matrix36 = Eigen::Matrix<double, 3, 6>;
using PlaneMatrix = Eigen::Matrix<double, 6, 6>;

constexpr int plane[3] = {0, 1, 5};
constexpr int across[3] = {2, 3, 4};

/// atan(z/w), by its series where neighbours are turned little, as they mostly are.
double half_angle(double z, double w) {
    const double ratio = z / w, x = ratio * ratio;
    if (!(x < 0.01)) return w < 0.0 ? std::atan2(-z, -w) : std::atan2(z, w);
    double sum = 1.0 / 17.0;  // the next term is 1e-19 of the first
    for (int n = 15; n >= 1; n -= 2) sum = 1.0 / n - x * sum;
    return ratio * sum;
}

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
    static const double c[8] = {
        1.0 / 12,       1.0 / 720,           1.0 / 30240,         1.0 / 1209600,
        1.0 / 47900160, 691.0 / 1307674368e3, 1.0 / 74724249600.0, 3617.0 / 10670622842880e3};
    double value = 0.0, slope = 0.0;  // of (1 − h)/x by x
    for (int n = 7; n >= 0; --n) {
        slope = slope * x + value;
        value = value * x + c[n];
    }
    return {1.0 - value * x, -2.0 * angle * (value + x * slope), value * angle, value + 2.0 * x * slope};
}

/// A state keeps them where that in space has its series.
void keep(const Halves& at, BeamState& state) {
    state.inverse.factor[0] = at.h;
    state.inverse.factor[1] = at.k;
    state.inverse.slope[0] = at.h_slope;
    state.inverse.slope[1] = at.k_slope;
}

Halves kept(const BeamState& state) {
    const AdjointSeries& from = state.inverse;
    return {from.factor[0], from.slope[0], from.factor[1], from.slope[1]};
}

/// s = sin ψ/ψ, c = (1 − cos ψ)/ψ and their first and second derivatives by ψ.
///
/// With P_k = Σ (−ψ²)ⁿ/(2n + k)!, P_k = 1/k! − ψ² P_(k+2): s = P₁, c = ψ P₂, s' = ψ (P₃ − P₂), c' = P₁ − P₂,
/// s'' = −P₁ − 2 (P₃ − P₂), c'' = ψ (2 P₃ − P₂ − 2 P₄).
struct Chord {
    double s, c, s1, c1, s2, c2;

    explicit Chord(double angle) {
        const double x = angle * angle;
        // 5!/(2n + 5)! and 6!/(2n + 6)!; five terms leave 1e-17 below half a radian, ten below three
        static const double odd[10] = {
            1.0, 1.0 / 42, 1.0 / 3024, 1.0 / 332640, 1.0 / 51891840,
            1.0 / 10897286400.0, 1.0 / 2964061900800.0, 1.0 / 1013709170073600.0, 1.0 / 425757851430912e3,
            1.0 / 215433472824041472e3};
        static const double even[10] = {
            1.0, 1.0 / 56, 1.0 / 5040, 1.0 / 665280, 1.0 / 121080960,
            1.0 / 29059430400.0, 1.0 / 8892185702400.0, 1.0 / 3379030566912000.0, 1.0 / 1561112121913344e3,
            1.0 / 861733891296165888e3};
        double P5 = 0.0, P6 = 0.0;
        for (int n = x < 0.25 ? 4 : 9; n >= 0; --n) {
            P5 = odd[n] - x * P5;
            P6 = even[n] - x * P6;
        }
        P5 /= 120.0;
        P6 /= 720.0;
        const double P4 = 1.0 / 24.0 - x * P6, P3 = 1.0 / 6.0 - x * P5, P2 = 0.5 - x * P4, P1 = 1.0 - x * P3;
        s = P1;
        c = angle * P2;
        s1 = angle * (P3 - P2);
        c1 = P1 - P2;
        s2 = -P1 - 2.0 * (P3 - P2);
        c2 = angle * (2.0 * P3 - P2 - 2.0 * P4);
    }
};

/// (vx, vy, ω) of a section by those of the body: R(−α)(v + ω × p).
struct EndMap {
    double cosine, sine, x, y;

    explicit EndMap(const BeamEnd& end)
        : cosine(end.twist(0, 0)), sine(end.twist(0, 1)), x(end.twist(0, 5)), y(end.twist(1, 5)) {}

    Vector3 forward(const Vector3& v) const {
        return {cosine * v[0] + sine * v[1] + x * v[2], -sine * v[0] + cosine * v[1] + y * v[2], v[2]};
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

/// Where a section is, seen from the first one, and how that changes with d; numbers, not vectors: sums of small
/// vectors through memory would wait for each other's stores.
struct Station {
    Chord V;
    double x, y, slope_x, slope_y;  // u, and V'U
    double c_x, c_y;                // first moment of the section for each length, in axes of the first one

    Station(const BeamElement& beam, const BeamState& state, double xi) : V(xi * state.d[5]) {
        const double U = state.d[0], W = state.d[1], psi = xi * state.d[5];
        x = xi * (V.s * U - V.c * W);
        y = xi * (V.c * U + V.s * W);
        slope_x = V.s1 * U - V.c1 * W;
        slope_y = V.c1 * U + V.s1 * W;
        const double cosine = 1.0 - psi * V.c, sine = psi * V.s, m_x = beam.mass(5, 1), m_y = -beam.mass(5, 0);
        c_x = cosine * m_x - sine * m_y;
        c_y = sine * m_x + cosine * m_y;
    }
};

bool apart(const Matrix6& matrix) {
    double size = 0.0;
    for (int i : plane) {
        for (int j : across) {
            size = std::max(size, std::abs(matrix(i, j)) / std::sqrt(matrix(i, i) * matrix(j, j)));
        }
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
    const double angle = 2.0 * half_angle(z, w);
    const Vector3 apart = last.position - out.first.position;
    const double x = cosine * apart[0] + sine * apart[1], y = cosine * apart[1] - sine * apart[0];
    const Halves at = halves(angle);
    const double U = at.h * x + 0.5 * angle * y, W = at.h * y - 0.5 * angle * x;
    out.d[0] = U;
    out.d[1] = W;
    out.d[5] = angle;
    keep(at, out);
    const auto fill = [&](Matrix6& matrix, double sign) {
        matrix(0, 0) = matrix(1, 1) = at.h;
        matrix(1, 0) = 0.5 * sign * angle;
        matrix(0, 1) = -matrix(1, 0);
        matrix(0, 5) = 0.5 * sign * W + at.k * U;
        matrix(1, 5) = -0.5 * sign * U + at.k * W;
    };
    fill(out.back, -1.0);
    fill(out.ahead, 1.0);
    const Vector3 v_a(velocity_a[0], velocity_a[1], velocity_a[5]);
    const Vector3 v_b(velocity_b[0], velocity_b[1], velocity_b[5]);
    const Vector3 eta_a = start.apart ? EndMap(start).forward(v_a) : v_a;
    const Vector3 eta_b = end.apart ? EndMap(end).forward(v_b) : v_b;
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
    const auto plane_of = [](const double* v) { return Vector3(v[0], v[1], v[5]); };
    const Vector6 forces =
        planar_beam_forces(beam, state, plane_of(acceleration_a), plane_of(acceleration_b), gravity, false);
    Vector12 out = Vector12::Zero();
    scatter(forces.head<3>(), 0, out);
    scatter(forces.tail<3>(), 1, out);
    return out;
}

Vector6 planar_beam_forces(const BeamElement& beam, const BeamState& state, const Vector3& acceleration_a,
                           const Vector3& acceleration_b, const Vector3& gravity, bool resists) {
    const auto end = [&](int side, const Vector3& v) {
        return beam.ends[side].apart ? EndMap(beam.ends[side]).forward(v) : v;
    };
    const Vector3 x_a = end(0, acceleration_a), x_b = end(1, acceleration_b);
    const Vector3 eta_a(state.twists[0], state.twists[1], state.twists[5]);
    const Vector3 eta_b(state.twists[6], state.twists[7], state.twists[11]);
    const double turning = state.rate[5], U = state.d[0], W = state.d[1], U_rate = state.rate[0],
                 W_rate = state.rate[1];
    // d̈ = T⁻¹(d) η̇_B − T⁻¹(−d) η̇_A and the rates of both
    const Matrix3 back = in_plane(state.back), ahead = in_plane(state.ahead);
    const Halves at = kept(state);
    const double h = at.h_slope * turning, k = at.k_slope * turning, spins = eta_a[2] + eta_b[2];
    const double k_x = k * U + at.k * U_rate, k_y = k * W + at.k * W_rate, apart = eta_b[2] - eta_a[2];
    Vector3 second = ahead * x_b - back * x_a;
    const double sum_x = turning * (eta_a[0] + eta_b[0]) - spins * U_rate,
                 sum_y = turning * (eta_a[1] + eta_b[1]) - spins * W_rate;
    second[0] += h * (eta_b[0] - eta_a[0]) + apart * k_x - 0.5 * sum_y;
    second[1] += h * (eta_b[1] - eta_a[1]) + apart * k_y + 0.5 * sum_x;
    // acceleration of the first section less that of weight, in its axes: v̇ + ω × v − g
    const double cosine = state.rotation(0, 0), sine = state.rotation(1, 0), spin = eta_a[2], square = spin * spin;
    const double start_x = x_a[0] - spin * eta_a[1] - cosine * gravity[0] - sine * gravity[1];
    const double start_y = x_a[1] + spin * eta_a[0] + sine * gravity[0] - cosine * gravity[1];
    const double mass = 0.5 * beam.length * beam.mass(0, 0), J = 0.5 * beam.length * beam.mass(5, 5);
    Vector3 on_start = Vector3::Zero(), on_change = Vector3::Zero();
    for (double xi : beam_points) {
        const Station there(beam, state, xi);
        const Chord& V = there.V;
        const double psi = xi * turning, psi_rate = xi * second[2];
        // u̇ = ξ (V U̇ + ψ̇ V'U) and ü = ξ (V Ü + 2 ψ̇ V'U̇ + ψ̈ V'U + ψ̇² V''U)
        const double rate_x = xi * (V.s * U_rate - V.c * W_rate + psi * there.slope_x);
        const double rate_y = xi * (V.c * U_rate + V.s * W_rate + psi * there.slope_y);
        const double second_x = xi * (V.s * second[0] - V.c * second[1] + psi_rate * there.slope_x +
                                      psi * (2.0 * (V.s1 * U_rate - V.c1 * W_rate) + psi * (V.s2 * U - V.c2 * W)));
        const double second_y = xi * (V.c * second[0] + V.s * second[1] + psi_rate * there.slope_y +
                                      psi * (2.0 * (V.c1 * U_rate + V.s1 * W_rate) + psi * (V.c2 * U + V.s2 * W)));
        // a = v̇ + ω × v − g + ε × u − ω² u + 2 ω × u̇ + ü
        const double a_x = start_x - x_a[2] * there.y - square * there.x - 2.0 * spin * rate_y + second_x;
        const double a_y = start_y + x_a[2] * there.x - square * there.y + 2.0 * spin * rate_x + second_y;
        const double omega = spin + psi, epsilon = x_a[2] + psi_rate, half = 0.5 * beam.length;
        // F = m a + ε × c − ω² c and M = J ε + c × a for each length
        const double c_x = half * there.c_x, c_y = half * there.c_y;
        const double F_x = mass * a_x - epsilon * c_y - omega * omega * c_x;
        const double F_y = mass * a_y + epsilon * c_x - omega * omega * c_y;
        const double M = J * epsilon + c_x * a_y - c_y * a_x;
        on_start[0] += F_x;
        on_start[1] += F_y;
        on_start[2] += M + there.x * F_y - there.y * F_x;
        on_change[0] += xi * (V.s * F_x + V.c * F_y);
        on_change[1] += xi * (V.s * F_y - V.c * F_x);
        on_change[2] += xi * (xi * (there.slope_x * F_x + there.slope_y * F_y) + M);
    }
    if (resists) on_change += in_plane(state.force);
    const Vector3 on_first = on_start - back.transpose() * on_change, on_second = ahead.transpose() * on_change;
    Vector6 out;
    out << (beam.ends[0].apart ? EndMap(beam.ends[0]).backward(on_first) : on_first),
        (beam.ends[1].apart ? EndMap(beam.ends[1]).backward(on_second) : on_second);
    return out;
}

Matrix12 planar_beam_mass(const BeamElement& beam, const BeamState& state) {
    const Matrix3 back = in_plane(state.back), ahead = in_plane(state.ahead);
    PlaneMatrix out = PlaneMatrix::Zero();
    for (double xi : beam_points) {
        const Station there(beam, state, xi);
        const double m = beam.mass(0, 0), c_x = there.c_x, c_y = there.c_y;
        Matrix3 mu, on_start, on_change;
        mu << m, 0.0, -c_y, 0.0, m, c_x, -c_y, c_x, beam.mass(5, 5);
        on_start << 1.0, 0.0, -there.y, 0.0, 1.0, there.x, 0.0, 0.0, 1.0;
        on_change << there.V.s, -there.V.c, xi * there.slope_x, there.V.c, there.V.s, xi * there.slope_y, 0.0, 0.0,
            1.0;
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
    const Halves at = kept(state);
    PlaneMatrix out = P.transpose() * ((beam.stiffness / beam.length) * P);
    // ∂(−T⁻ᵀ(−d) f)/∂d = (∂T⁻ᵀ f)(−d): h' and k change their sign, and so does U
    Matrix3 slopes = inverse_slope(at, -1.0, d, f);
    out.topRows<3>().noalias() += slopes * P;
    slopes = inverse_slope(at, 1.0, d, f);
    out.bottomRows<3>().noalias() += slopes * P;
    return to_bodies(beam, out);
}

}  // namespace flexframe
