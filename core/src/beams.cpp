#include "flexframe/beams.hpp"

#include <cmath>

#include "flexframe/planar_beams.hpp"

namespace flexframe {

namespace {

const double gauss[2] = {0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)};

/// v, ad v, …, ad⁴v, and what their rates add where d moves and v does not.
struct Chain {
    Vector6 value[5], rate[5];

    Chain(const Vector6& d, const Vector6& d_rate, const Vector6& v) {
        value[0] = v;
        rate[0].setZero();
        for (int n = 1; n < 5; ++n) {
            value[n] = bracket(d, value[n - 1]);
            rate[n] = bracket(d_rate, value[n - 1]) + bracket(d, rate[n - 1]);
        }
    }
};

/// Σ c_n ξⁿ adⁿ v, n from 0, of a series at ξ d.
Vector6 sum(const AdjointSeries& series, double xi, const Vector6* powers) {
    Vector6 out = powers[0];
    double scale = xi;
    for (int n = 0; n < 4; ++n) {
        out += series.factor[n] * scale * powers[n + 1];
        scale *= xi;
    }
    return out;
}

/// Its rate with x changing by x_rate: coefficients change too.
Vector6 sum_rate(const AdjointSeries& series, double xi, const Chain& chain, double x_rate) {
    Vector6 out = Vector6::Zero();
    double scale = xi;
    for (int n = 0; n < 4; ++n) {
        const double change = series.slope[n] * xi * xi * x_rate;
        out += scale * (series.factor[n] * chain.rate[n + 1] + change * chain.value[n + 1]);
        scale *= xi;
    }
    return out;
}

Vector6 transposed_sum(const AdjointSeries& series, double xi, const Vector6& d, const Vector6& f) {
    Vector6 out = f, power = f;
    double scale = xi;
    for (int n = 0; n < 4; ++n) {
        power = cobracket(d, power);
        out += series.factor[n] * scale * power;
        scale *= xi;
    }
    return out;
}

Matrix6 matrix_sum(const AdjointSeries& series, double xi, const Matrix6* powers) {
    Matrix6 out = Matrix6::Identity();
    double scale = xi;
    for (int n = 0; n < 4; ++n) {
        out += (series.factor[n] * scale) * powers[n];
        scale *= xi;
    }
    return out;
}

/// Wrenches or twists of the ends by those of the bodies.
Vector6 to_end(const BeamEnd& end, const Vector6& twist) {
    return end.apart ? Vector6(end.twist * twist) : twist;
}

Vector12 to_bodies(const BeamElement& beam, const Vector6& a, const Vector6& b) {
    Vector12 out;
    out.head<6>() = beam.ends[0].apart ? Vector6(beam.ends[0].twist.transpose() * a) : a;
    out.tail<6>() = beam.ends[1].apart ? Vector6(beam.ends[1].twist.transpose() * b) : b;
    return out;
}

void to_bodies(const BeamElement& beam, Matrix12& matrix) {
    for (int side = 0; side < 2; ++side) {
        const BeamEnd& end = beam.ends[side];
        if (!end.apart) continue;
        const Eigen::Matrix<double, 6, 12> rows = end.twist.transpose() * matrix.middleRows<6>(6 * side);
        matrix.middleRows<6>(6 * side) = rows;
        const Eigen::Matrix<double, 12, 6> columns = matrix.middleCols<6>(6 * side) * end.twist;
        matrix.middleCols<6>(6 * side) = columns;
    }
}

/// η at a point of Gauss.
Vector6 section_twist(const BeamState& state, double xi, const Vector6* start, const Vector6* rates) {
    const double x = xi * xi * state.d.tail<3>().squaredNorm();
    return sum(exponential_series(x), xi, start) + xi * sum(tangent_series(x), xi, rates);
}

/// ∂(T⁻ᵀ(d) f)/∂d.
Matrix6 inverse_slope(const AdjointSeries& series, const Vector6& d, const Vector6& f) {
    Vector6 powers[5];
    powers[0] = f;
    for (int n = 1; n < 5; ++n) powers[n] = cobracket(d, powers[n - 1]);
    // Σ_n c_n Σ_j (adᵀ)^j B((adᵀ)^(n−1−j) f), from the innermost outwards: D_n = B(f_(n−1)) + adᵀ D_(n−1)
    const Matrix6 A = bracket_matrix(d).transpose();
    Matrix6 D = Matrix6::Zero(), out = Matrix6::Zero();
    for (int n = 0; n < 4; ++n) {
        D = cobracket_matrix(powers[n]) + (A * D).eval();
        out += series.factor[n] * D;
        out.rightCols<3>() += (2.0 * series.slope[n]) * powers[n + 1] * d.tail<3>().transpose();
    }
    return out;
}

/// A = [Ũ₀; Ω̃].
Eigen::Matrix<double, 6, 3> moment_arms(const BeamElement& beam, const Vector6& d) {
    Eigen::Matrix<double, 6, 3> out;
    out << skew(beam.reference.head<3>()), skew(d.tail<3>());
    return out;
}

/// ∂²V/∂d² = (1/L) N F⁻¹Nᵀ + (L/12) E m̃ C m̃ Eᵀ with E = [0; 1] and N = 1 + (L/12) E (m̃ C Aᵀ − g̃ Eᵀ).
Matrix6 energy_curvature(const BeamElement& beam, const BeamState& state) {
    const double share = beam.length / 12.0;
    const Matrix3 m = skew(state.middle.tail<3>()), mC = m * beam.bending;
    Matrix6 N = Matrix6::Identity();
    N.bottomRows<3>().noalias() += share * (mC * moment_arms(beam, state.d).transpose());
    N.bottomRightCorner<3, 3>() -= share * skew(state.deviation);
    const Matrix6 half = state.flexibility.matrixL().solve(N.transpose());
    Matrix6 out = (1.0 / beam.length) * (half.transpose() * half);
    out.bottomRightCorner<3, 3>() += share * (mC * m);
    return out;
}

Matrix12 squared(const BeamElement& beam, const BeamState& state, const Matrix6& middle) {
    Eigen::Matrix<double, 6, 12> P;
    P << -state.back, state.ahead;
    Matrix12 out = P.transpose() * (middle * P);
    to_bodies(beam, out);
    return out;
}

}  // namespace

void BeamEnd::place(const Pose& given) {
    frame = given;
    twist = carried_twist(given);
    apart = given.position.norm() > 0.0 || std::abs(given.quaternion[0]) < 1.0;
}

void BeamElement::settle(bool in_plane) { planar = in_plane && is_planar(*this, stiffness); }

void move_beam(const BeamElement& beam, const Pose& a, const Pose& b, const double* velocity_a,
               const double* velocity_b, BeamState& out) {
    if (beam.planar) return move_planar_beam(beam, a, b, velocity_a, velocity_b, out);
    out.first = beam.ends[0].apart ? compose(a, beam.ends[0].frame) : a;
    const Pose last = beam.ends[1].apart ? compose(b, beam.ends[1].frame) : b;
    out.rotation = rotation_matrix(out.first.quaternion.data());
    out.d = logarithm(out.first, last);
    out.inverse = inverse_tangent_series(out.d.tail<3>().squaredNorm());
    const Matrix6 ad = bracket_matrix(out.d), square = ad * ad;
    Matrix6 even = out.inverse.factor[1] * square;
    even.noalias() += out.inverse.factor[3] * (square * square);
    even.diagonal().array() += 1.0;
    out.back = even - 0.5 * ad;
    out.ahead = even + 0.5 * ad;
    out.twists << to_end(beam.ends[0], Eigen::Map<const Vector6>(velocity_a)),
        to_end(beam.ends[1], Eigen::Map<const Vector6>(velocity_b));
    out.rate = out.ahead * out.twists.tail<6>() - out.back * out.twists.head<6>();
    const Eigen::Matrix<double, 6, 3> arms = moment_arms(beam, out.d), flexible = arms * (beam.bending / 12.0);
    Matrix6 F = beam.flexibility;
    F.noalias() += flexible * arms.transpose();
    out.flexibility.compute(F);
    out.middle = out.flexibility.solve((out.d - beam.reference) / beam.length);
    out.deviation.noalias() = 12.0 * (flexible.transpose() * out.middle);
    out.elastic = out.middle;
    out.elastic.tail<3>() += (beam.length / 12.0) * out.middle.tail<3>().cross(out.deviation);
    out.force = out.elastic + beam.damping * (out.rate / beam.length);
}

Vector12 beam_resistance(const BeamElement& beam, const BeamState& state) {
    return to_bodies(beam, -state.back.transpose() * state.force, state.ahead.transpose() * state.force);
}

Vector12 beam_inertia(const BeamElement& beam, const BeamState& state, const double* acceleration_a,
                      const double* acceleration_b, const Vector3& gravity) {
    if (beam.planar) return planar_beam_inertia(beam, state, acceleration_a, acceleration_b, gravity);
    const Vector6 &d = state.d, &d_rate = state.rate;
    const Vector6 twist_a = state.twists.head<6>(), twist_b = state.twists.tail<6>();
    const Vector6 x_a = to_end(beam.ends[0], Eigen::Map<const Vector6>(acceleration_a));
    const Vector6 x_b = to_end(beam.ends[1], Eigen::Map<const Vector6>(acceleration_b));
    const double x = d.tail<3>().squaredNorm(), x_rate = 2.0 * d.tail<3>().dot(d_rate.tail<3>());
    // d̈ = P η̇ + Ṗ η, Ṗ η being the rate of (even part of T⁻¹)(η_B − η_A) + ½ ad (η_A + η_B)
    const Chain apart(d, d_rate, twist_b - twist_a);
    Vector6 d_second = state.ahead * x_b - state.back * x_a + 0.5 * bracket(d_rate, twist_a + twist_b);
    for (int n : {1, 3}) {
        d_second += state.inverse.factor[n] * apart.rate[n + 1] +
                    (state.inverse.slope[n] * x_rate) * apart.value[n + 1];
    }
    Vector6 start = x_a;
    start.head<3>() -= state.rotation.transpose() * gravity;
    const Chain moving(d, d_rate, twist_a), changing(d, d_rate, d_rate);
    const Chain accelerated(d, d_rate, start), bending(d, d_rate, d_second);
    Vector6 on_start = Vector6::Zero(), on_change = Vector6::Zero();  // by the twist of A, and by ḋ
    for (double xi : gauss) {
        const AdjointSeries carry = exponential_series(xi * xi * x), turn = tangent_series(xi * xi * x);
        const Vector6 eta = sum(carry, xi, moving.value) + xi * sum(turn, xi, changing.value);
        const Vector6 eta_rate = sum(carry, xi, accelerated.value) + sum_rate(carry, xi, moving, x_rate) +
                                 xi * (sum(turn, xi, bending.value) + sum_rate(turn, xi, changing, x_rate));
        const Vector6 w = (0.5 * beam.length) * (beam.mass * eta_rate - cobracket(eta, beam.mass * eta));
        on_start += transposed_sum(carry, xi, d, w);
        on_change += xi * transposed_sum(turn, xi, d, w);
    }
    return to_bodies(beam, on_start - state.back.transpose() * on_change, state.ahead.transpose() * on_change);
}

Vector12 apply_load(const BeamElement& beam, const BeamState& state, const BeamLoad& load) {
    const Vector6& d = state.d;
    const double x = d.tail<3>().squaredNorm();
    Vector6 on_start = Vector6::Zero(), on_change = Vector6::Zero();
    for (double xi : gauss) {
        // as the section is turned in space, or as it was at rest against the first one
        Vector6 w, turn = Vector6::Zero();
        turn.tail<3>() = xi * (load.in_space ? d : beam.reference).tail<3>();
        Pose here = exponential(turn);
        if (load.in_space) here = compose(state.first, here);
        w << rotate_back(here.quaternion.data(), load.wrench.head<3>()),
            rotate_back(here.quaternion.data(), load.wrench.tail<3>());
        w.tail<3>() += load.arm.cross(Vector3(w.head<3>()));
        w *= 0.5 * beam.length;
        on_start += transposed_sum(exponential_series(xi * xi * x), xi, d, w);
        on_change += xi * transposed_sum(tangent_series(xi * xi * x), xi, d, w);
    }
    return to_bodies(beam, on_start - state.back.transpose() * on_change, state.ahead.transpose() * on_change);
}

Matrix12 beam_mass(const BeamElement& beam, const BeamState& state) {
    if (beam.planar) return planar_beam_mass(beam, state);
    Matrix6 powers[4];
    powers[0] = bracket_matrix(state.d);
    for (int n = 1; n < 4; ++n) powers[n] = powers[0] * powers[n - 1];
    const double x = state.d.tail<3>().squaredNorm();
    Matrix12 out = Matrix12::Zero();
    for (double xi : gauss) {
        const Matrix6 W = xi * matrix_sum(tangent_series(xi * xi * x), xi, powers);
        Eigen::Matrix<double, 6, 12> Q;
        Q.leftCols<6>() = matrix_sum(exponential_series(xi * xi * x), xi, powers) - W * state.back;
        Q.rightCols<6>() = W * state.ahead;
        const Eigen::Matrix<double, 6, 12> momentum = (0.5 * beam.length) * (beam.mass * Q);
        out.noalias() += Q.transpose() * momentum;
    }
    to_bodies(beam, out);
    return out;
}

Matrix12 beam_stiffness(const BeamElement& beam, const BeamState& state) {
    if (beam.planar) return planar_beam_stiffness(beam, state);
    Matrix12 out = squared(beam, state, energy_curvature(beam, state));
    Eigen::Matrix<double, 6, 12> P;
    P << -state.back, state.ahead;
    // ∂(−T⁻ᵀ(−d) p)/∂d = (∂T⁻ᵀ p)(−d), ∂(T⁻ᵀ(d) p)/∂d
    Matrix12 turning;
    turning.topRows<6>() = inverse_slope(state.inverse, -state.d, state.force) * P;
    turning.bottomRows<6>() = inverse_slope(state.inverse, state.d, state.force) * P;
    to_bodies(beam, turning);
    return out + turning;
}

Matrix12 beam_damping(const BeamElement& beam, const BeamState& state) {
    return squared(beam, state, beam.damping / beam.length);
}

BeamMeasures measure_beam(const BeamElement& beam, const BeamState& state) {
    BeamMeasures out;
    const Vector6 strain = (state.d - beam.reference) / beam.length;
    out.strain = 0.5 * beam.length * strain.dot(state.middle);
    const Chain moving(state.d, state.rate, state.twists.head<6>()), changing(state.d, state.rate, state.rate);
    for (double xi : gauss) {
        const Vector6 eta = section_twist(state, xi, moving.value, changing.value);
        const Vector6 momentum = (0.5 * beam.length) * (beam.mass * eta);
        const Pose here = compose(state.first, exponential(xi * state.d));
        const Matrix3 R = rotation_matrix(here.quaternion.data());
        const Vector3 p = R * momentum.head<3>();
        const double mass = 0.5 * beam.length * beam.mass(0, 0);
        // the first moment of a section stands in the coupling ρA c̃ of its mass matrix
        const Vector3 moment = 0.5 * beam.length * Vector3(beam.mass(5, 1), beam.mass(3, 2), beam.mass(4, 0));
        out.kinetic += 0.5 * eta.dot(momentum);
        out.linear += p;
        out.angular += here.position.cross(p) + R * momentum.tail<3>();
        out.mass += mass;
        out.first_moment += mass * here.position + R * moment;
    }
    return out;
}

}  // namespace flexframe
