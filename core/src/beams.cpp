#include "flexframe/beams.hpp"

#include <cmath>

#include "flexframe/planar_beams.hpp"

namespace flexframe {

namespace {

using Four = Eigen::Array4d;

/// The six components of four twists, side by side: what is done with all of them takes the steps of one.
struct FourTwists {
    Four part[6];

    void put(int lane, const Vector6& v) {
        for (int i = 0; i < 6; ++i) part[i][lane] = v[i];
    }
    Vector6 take(int lane) const {
        Vector6 out;
        for (int i = 0; i < 6; ++i) out[i] = part[i][lane];
        return out;
    }

    /// += ad_d e of each.
    void add_bracket(const Vector6& d, const FourTwists& e) {
        const double u = d[0], v = d[1], w = d[2], p = d[3], q = d[4], r = d[5];
        const Four* const f = e.part;
        part[0] += q * f[2] - r * f[1] + v * f[5] - w * f[4];
        part[1] += r * f[0] - p * f[2] + w * f[3] - u * f[5];
        part[2] += p * f[1] - q * f[0] + u * f[4] - v * f[3];
        part[3] += q * f[5] - r * f[4];
        part[4] += r * f[3] - p * f[5];
        part[5] += p * f[4] - q * f[3];
    }
};

/// v, ad v, …, ad⁴v of four twists, and what their rates add where d moves and they do not.
struct Chains {
    FourTwists value[5], rate[5];

    Chains(const Vector6& d, const Vector6& d_rate, const FourTwists& v) {
        value[0] = v;
        for (Four& part : rate[0].part) part.setZero();
        for (int n = 1; n < 5; ++n) {
            for (int i = 0; i < 6; ++i) {
                value[n].part[i].setZero();
                rate[n].part[i].setZero();
            }
            value[n].add_bracket(d, value[n - 1]);
            rate[n].add_bracket(d_rate, value[n - 1]);
            if (n > 1) rate[n].add_bracket(d, rate[n - 1]);
        }
    }
};

/// 1, ξ, …, ξ⁴ times the coefficients of a series, that of 1 being 1.
struct Weights {
    double value[5], slope[5];

    Weights(const AdjointSeries& series, double xi) : value{1.0}, slope{0.0} {
        double scale = xi;
        for (int n = 0; n < 4; ++n, scale *= xi) {
            value[n + 1] = series.factor[n] * scale;
            slope[n + 1] = series.slope[n] * scale;
        }
    }
};

/// How sections at the points of Gauss move with the first one and with ḋ: η = exp(−ξ ad) η_A + ξ T(ξd) ḋ.
struct SectionWeights {
    Weights carry, turn;
    double xi;

    SectionWeights(const BeamState& state, double xi_)
        : carry(exponential_series(xi_ * xi_ * state.d.tail<3>().squaredNorm()), xi_),
          turn(tangent_series(xi_ * xi_ * state.d.tail<3>().squaredNorm()), xi_),
          xi(xi_) {}
};

/// Forces on sections as those on the first one and along ḋ.
struct SectionForces {
    Vector6 on_start = Vector6::Zero(), on_change = Vector6::Zero();

    void add(const Vector6& d, const SectionWeights& weights, const Vector6& f) {
        Vector6 power = f;
        on_start += f;
        on_change += weights.xi * f;
        for (int n = 1; n < 5; ++n) {
            power = cobracket(d, power);
            on_start += weights.carry.value[n] * power;
            on_change += (weights.xi * weights.turn.value[n]) * power;
        }
    }

    Vector6 on_first(const BeamState& state) const { return on_start - state.back.transpose() * on_change; }
    Vector6 on_second(const BeamState& state) const { return state.ahead.transpose() * on_change; }
};

/// v, ad v, …, ad⁴v.
struct Powers6 {
    Vector6 value[5];

    Powers6(const Vector6& d, const Vector6& v) {
        value[0] = v;
        for (int n = 1; n < 5; ++n) value[n] = bracket(d, value[n - 1]);
    }

    Vector6 sum(const Weights& weights) const {
        Vector6 out = value[0];
        for (int n = 1; n < 5; ++n) out += weights.value[n] * value[n];
        return out;
    }
};

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

/// η of sections.
class SectionTwists {
public:
    explicit SectionTwists(const BeamState& state)
        : moving_(state.d, state.twists.head<6>()), changing_(state.d, state.rate) {}

    Vector6 at(const SectionWeights& weights) const {
        return moving_.sum(weights.carry) + weights.xi * changing_.sum(weights.turn);
    }

private:
    Powers6 moving_, changing_;
};

/// Forces for each length on sections at the points of Gauss, together.
SectionForces gather(const BeamElement& beam, const BeamState& state, const Vector6 (&w)[2]) {
    SectionForces out;
    for (int g = 0; g < 2; ++g) {
        out.add(state.d, SectionWeights(state, beam_points[g]), (0.5 * beam.length) * w[g]);
    }
    return out;
}

Vector12 to_bodies(const BeamElement& beam, const BeamState& state, const SectionForces& forces) {
    return to_bodies(beam, forces.on_first(state), forces.on_second(state));
}

/// μ η̇ − ad_ηᵀ μ η less weight at the points of Gauss, each with how its section moves.
template <class Take>
void each_inertia(const BeamElement& beam, const BeamState& state, const double* acceleration_a,
                  const double* acceleration_b, const Vector3& gravity, const Take& take) {
    const Vector6 &d = state.d, &d_rate = state.rate;
    const Vector6 twist_a = state.twists.head<6>(), twist_b = state.twists.tail<6>();
    const Vector6 x_a = to_end(beam.ends[0], Eigen::Map<const Vector6>(acceleration_a));
    const Vector6 x_b = to_end(beam.ends[1], Eigen::Map<const Vector6>(acceleration_b));
    const double x_rate = 2.0 * d.tail<3>().dot(d_rate.tail<3>());
    Vector6 start = x_a;
    start.head<3>() -= state.rotation.transpose() * gravity;
    enum Lane { apart, moving, changing, accelerated };
    FourTwists four;
    four.put(apart, twist_b - twist_a);
    four.put(moving, twist_a);
    four.put(changing, d_rate);
    four.put(accelerated, start);
    const Chains chains(d, d_rate, four);
    // d̈ = P η̇ + Ṗ η, Ṗ η being the rate of (even part of T⁻¹)(η_B − η_A) + ½ ad (η_A + η_B)
    Vector6 d_second = state.ahead * x_b - state.back * x_a + 0.5 * bracket(d_rate, twist_a + twist_b);
    for (int n : {1, 3}) {
        d_second += state.inverse.factor[n] * chains.rate[n + 1].take(apart) +
                    (state.inverse.slope[n] * x_rate) * chains.value[n + 1].take(apart);
    }
    const Powers6 bending(d, d_second);
    for (double xi : beam_points) {
        const SectionWeights weights(state, xi);
        const double growth = xi * xi * x_rate;  // of ξ²x, which the coefficients follow
        Four moved[5], grown[5];
        for (int n = 0; n < 5; ++n) {
            const Weights &carry = weights.carry, &turn = weights.turn;
            moved[n] << 0.0, carry.value[n], xi * turn.value[n], 0.0;
            grown[n] << 0.0, growth * carry.slope[n], xi * growth * turn.slope[n], carry.value[n];
        }
        Vector6 eta, eta_rate;
        for (int i = 0; i < 6; ++i) {
            Four twist = Four::Zero(), rate = Four::Zero();
            for (int n = 0; n < 5; ++n) {
                twist += moved[n] * chains.value[n].part[i];
                rate += grown[n] * chains.value[n].part[i] + moved[n] * chains.rate[n].part[i];
            }
            eta[i] = twist.sum();
            eta_rate[i] = rate.sum();
        }
        eta_rate += xi * bending.sum(weights.turn);
        take(weights, Vector6(beam.mass * eta_rate - cobracket(eta, beam.mass * eta)));
    }
}

/// T⁻¹(d) and T⁻¹(−d), by blocks [T, S; 0, T]: with c = a₂ − x a₄ and σ = U · Ω
///
///     T = 1 + ½Ω̃ + cΩ̃²,      S = ½Ũ + c (UΩᵀ + ΩUᵀ) − 2σ (c − x a₄) − 2σ a₄ ΩΩᵀ ,
///
/// since ad² and ad⁴ are symmetric in their blocks; −d has the transposes of both.
void place_inverse(BeamState& state) {
    const Vector3 U = state.d.head<3>(), turn = state.d.tail<3>();
    const double x = turn.squaredNorm(), a4 = state.inverse.factor[3], c = state.inverse.factor[1] - x * a4;
    const double across = U.dot(turn);
    const Vector3 cU = c * U - (across * a4) * turn;  // of UΩᵀ + ΩUᵀ and ΩΩᵀ together
    Matrix3 T, S;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            T(i, j) = c * turn[i] * turn[j];
            S(i, j) = cU[i] * turn[j] + turn[i] * cU[j];
        }
        T(i, i) += 1.0 - c * x;
        S(i, i) -= 2.0 * across * (c - x * a4);
    }
    T += 0.5 * skew(turn);
    S += 0.5 * skew(U);
    const auto put = [](const Matrix3& own, const Matrix3& beside, Matrix6& out) {
        out.topLeftCorner<3, 3>() = own;
        out.topRightCorner<3, 3>() = beside;
        out.bottomLeftCorner<3, 3>().setZero();
        out.bottomRightCorner<3, 3>() = own;
    };
    put(T, S, state.ahead);
    put(T.transpose(), S.transpose(), state.back);
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
    const Matrix6 half = state.flexibility.lower(N.transpose());
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

void BeamElement::settle(bool in_plane) {
    planar = in_plane && is_planar(*this, stiffness);
    const Matrix3 arm = skew(reference.head<3>());
    deviating = bending * arm.transpose() / 12.0;
    straight = flexibility;
    straight.topLeftCorner<3, 3>() += arm * deviating;
}

bool CholeskyOfSix::compute(const Matrix6& matrix) {
    bool definite = true;
    for (int j = 0; j < 6; ++j) {
        double pivot = matrix(j, j);
        for (int k = 0; k < j; ++k) pivot -= L_(j, k) * L_(j, k);
        definite = definite && pivot > 0.0;
        inverse_[j] = 1.0 / std::sqrt(pivot);
        for (int i = j + 1; i < 6; ++i) {
            double sum = matrix(i, j);
            for (int k = 0; k < j; ++k) sum -= L_(i, k) * L_(j, k);
            L_(i, j) = sum * inverse_[j];
        }
    }
    return definite;
}

Vector6 CholeskyOfSix::solve(const Vector6& right) const {
    Vector6 x = right;
    for (int j = 0; j < 6; ++j) {
        for (int k = 0; k < j; ++k) x[j] -= L_(j, k) * x[k];
        x[j] *= inverse_[j];
    }
    for (int j = 5; j >= 0; --j) {
        for (int i = j + 1; i < 6; ++i) x[j] -= L_(i, j) * x[i];
        x[j] *= inverse_[j];
    }
    return x;
}

Matrix6 CholeskyOfSix::lower(const Matrix6& right) const {
    Matrix6 x = right;
    for (int j = 0; j < 6; ++j) {
        for (int k = 0; k < j; ++k) x.row(j) -= L_(j, k) * x.row(k);
        x.row(j) *= inverse_[j];
    }
    return x;
}

void move_beam(const BeamElement& beam, const Pose& a, const Pose& b, const double* velocity_a,
               const double* velocity_b, BeamState& out) {
    if (beam.planar) return move_planar_beam(beam, a, b, velocity_a, velocity_b, out);
    out.first = beam.ends[0].apart ? compose(a, beam.ends[0].frame) : a;
    const Pose last = beam.ends[1].apart ? compose(b, beam.ends[1].frame) : b;
    out.rotation = rotation_matrix(out.first.quaternion.data());
    out.d = logarithm(out.first, last, out.inverse);
    place_inverse(out);
    out.twists << to_end(beam.ends[0], Eigen::Map<const Vector6>(velocity_a)),
        to_end(beam.ends[1], Eigen::Map<const Vector6>(velocity_b));
    out.rate = out.ahead * out.twists.tail<6>() - out.back * out.twists.head<6>();
    // F₀ + (1/12) A C Aᵀ, the lower half of it, by what Ω does
    const Matrix3 turn = skew(out.d.tail<3>());
    Matrix6 F = beam.straight;
    F.bottomLeftCorner<3, 3>().noalias() += turn * beam.deviating;
    F.bottomRightCorner<3, 3>().noalias() -= turn * ((1.0 / 12.0) * beam.bending) * turn;
    out.flexibility.compute(F);
    out.middle = out.flexibility.solve((out.d - beam.reference) / beam.length);
    out.deviation = beam.bending * (out.middle.head<3>().cross(beam.reference.head<3>()) +
                                    out.middle.tail<3>().cross(out.d.tail<3>()));
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
    SectionForces forces;
    each_inertia(beam, state, acceleration_a, acceleration_b, gravity,
                 [&](const SectionWeights& weights, const Vector6& w) {
                     forces.add(state.d, weights, (0.5 * beam.length) * w);
                 });
    return to_bodies(beam, state, forces);
}

void section_inertia(const BeamElement& beam, const BeamState& state, const double* acceleration_a,
                     const double* acceleration_b, const Vector3& gravity, Vector6 (&out)[2]) {
    int g = 0;
    each_inertia(beam, state, acceleration_a, acceleration_b, gravity,
                 [&](const SectionWeights&, const Vector6& w) { out[g++] = w; });
}

Vector6 on_first_section(const BeamElement& beam, const BeamState& state, const Vector6 (&w)[2]) {
    return gather(beam, state, w).on_first(state);
}

Vector12 beam_momentum(const BeamElement& beam, const BeamState& state) {
    const SectionTwists twists(state);
    SectionForces momenta;
    for (double xi : beam_points) {
        const SectionWeights weights(state, xi);
        momenta.add(state.d, weights, (0.5 * beam.length) * (beam.mass * twists.at(weights)));
    }
    return to_bodies(beam, state, momenta);
}

void section_loads(const BeamElement& beam, const BeamState& state, const BeamLoad& load, Vector6 (&out)[2]) {
    for (int g = 0; g < 2; ++g) {
        // as the section is turned in space, or as it was at rest against the first one
        Vector6 turn = Vector6::Zero();
        turn.tail<3>() = beam_points[g] * (load.in_space ? state.d : beam.reference).tail<3>();
        Pose here = exponential(turn);
        if (load.in_space) here = compose(state.first, here);
        out[g] << rotate_back(here.quaternion.data(), load.wrench.head<3>()),
            rotate_back(here.quaternion.data(), load.wrench.tail<3>());
        out[g].tail<3>() += load.arm.cross(Vector3(out[g].head<3>()));
    }
}

Vector12 apply_load(const BeamElement& beam, const BeamState& state, const BeamLoad& load) {
    Vector6 w[2];
    section_loads(beam, state, load, w);
    return to_bodies(beam, state, gather(beam, state, w));
}

Matrix12 beam_mass(const BeamElement& beam, const BeamState& state) {
    if (beam.planar) return planar_beam_mass(beam, state);
    Matrix6 powers[4];
    powers[0] = bracket_matrix(state.d);
    for (int n = 1; n < 4; ++n) powers[n] = powers[0] * powers[n - 1];
    const double x = state.d.tail<3>().squaredNorm();
    Matrix12 out = Matrix12::Zero();
    for (double xi : beam_points) {
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
    const SectionTwists twists(state);
    for (double xi : beam_points) {
        const Vector6 eta = twists.at(SectionWeights(state, xi));
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
