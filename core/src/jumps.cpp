#include "flexframe/jumps.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace flexframe {

Vector3 touch_velocity(Equations& equations, Index touch, const Vector& u) {
    Vector along = Vector::Zero(u.size() + equations.system().row_count());
    Vector3 velocity;
    for (int i = 0; i < 3; ++i) {
        along.setZero();
        equations.touch_direction(touch, Vector3::Unit(i), along);
        velocity[i] = along.head(u.size()).dot(u);
    }
    return velocity;
}

Impact strike(Equations& equations, const State& state, double time, Index touch, double restitution,
              double friction, Vector& u) {
    // M Δu = Aᵀλ + Jₙᵀp + J_tᵀq, A Δu = 0, and Jₙ(u + Δu) = −e Jₙu. With friction J_t(u + Δu) = 0 as long as
    // |q| ≤ μp (Coulomb), else q = −μp against the slip before the impact.
    const System& system = equations.system();
    const Index n = system.size;
    const Vector still = Vector::Zero(n), none = Vector::Zero(system.row_count());
    equations.evaluate(state, time, still.data(), none.data(), Detail::rates);
    Vector right = Vector::Zero(n + system.row_count());
    const Vector3 normal = equations.touches[touch].where.normal;
    const Vector3 velocity = touch_velocity(equations, touch, u);
    Impact out;
    out.speed = normal.dot(velocity);
    const Vector3 slip = velocity - out.speed * normal;
    const double slipping = slip.norm();
    equations.fill(state, equations.own, 0.0, 0.0);
    if (!equations.own.factorise()) return out;
    const auto answer = [&](const Vector3& direction, Vector& J, Vector& x) {
        right.setZero();
        equations.touch_direction(touch, direction, right);
        J = right.head(n);
        equations.own.solve_refined(right.data());
        x = right.head(n);
        double power = 0.0;  // of drives that hold against the unit impulse
        for (Index row = 0; row < system.row_count(); ++row) {
            power += right[n + row] * equations.rows[row].target.rate;
        }
        return power;
    };
    Vector J, x, Jt = Vector::Zero(n), xt = Vector::Zero(n);
    const double by_normal = answer(normal, J, x);
    double by_slip = 0.0;
    const double nn = J.dot(x);
    if (!(nn > 0.0)) return out;
    const double wanted = -(1.0 + restitution) * out.speed;
    double p = wanted / nn, q = 0.0;
    if (friction > 0.0 && slipping > 0.0) {
        by_slip = answer(slip / slipping, Jt, xt);
        const double nt = J.dot(xt), tt = Jt.dot(xt), determinant = nn * tt - nt * nt;
        if (determinant > 1e-12 * nn * tt) {
            p = (wanted * tt + slipping * nt) / determinant;
            q = (-slipping * nn - wanted * nt) / determinant;
        }
        if (!(determinant > 1e-12 * nn * tt) || std::abs(q) > friction * p) {
            p = wanted / (nn - friction * nt);
            q = -friction * p;
        }
    }
    const Vector change = p * x + q * xt;
    // work of the impulses over the mean of the velocities before and after
    out.lost = -p * (out.speed + 0.5 * J.dot(change)) - q * (slipping + 0.5 * Jt.dot(change));
    out.impulse = p;
    out.drives = p * by_normal + q * by_slip;
    u += change;
    out.found = true;
    return out;
}

Impact stop_together(Equations& equations, const State& state, double time, const std::vector<Index>& touches,
                     Vector& u) {
    // M Δu = Aᵀλ + Jᵀp, A Δu = 0 and J(u + Δu) = 0 of those with p ≥ 0, found by leaving out the most negative one
    const System& system = equations.system();
    const Index n = system.size, count = static_cast<Index>(touches.size());
    const Vector still = Vector::Zero(n), none = Vector::Zero(system.row_count());
    equations.evaluate(state, time, still.data(), none.data(), Detail::rates);
    equations.fill(state, equations.own, 0.0, 0.0);
    Impact out;
    out.found = equations.own.factorise();
    if (!out.found) return out;
    Matrix J(n, count), answers(n, count);
    Vector drives = Vector::Zero(count), right(n + system.row_count());
    for (Index i = 0; i < count; ++i) {
        right.setZero();
        equations.touch_direction(touches[i], equations.touches[touches[i]].where.normal, right);
        J.col(i) = right.head(n);
        equations.own.solve_refined(right.data());
        answers.col(i) = right.head(n);
        for (Index row = 0; row < system.row_count(); ++row) {
            drives[i] += right[n + row] * equations.rows[row].target.rate;
        }
    }
    const Matrix G = J.transpose() * answers;
    const Vector speeds = J.transpose() * u;
    std::vector<Index> kept;
    for (Index i = 0; i < count; ++i) kept.push_back(i);
    Vector p = Vector::Zero(count);
    while (!kept.empty()) {
        const Vector some = G(kept, kept).completeOrthogonalDecomposition().solve(-speeds(kept));
        Index worst = 0;
        if (some.minCoeff(&worst) >= 0.0) {
            p(kept) = some;
            break;
        }
        kept.erase(kept.begin() + worst);
    }
    out.lost = -p.dot(speeds + 0.5 * G * p);
    out.drives = p.dot(drives);
    u += answers * p;
    return out;
}

Impact close_or_open(Equations& equations, State& state, double time, Index held, Vector& u) {
    const System& system = equations.system();
    const Index n = system.size, count = system.row_count();
    const Vector still = Vector::Zero(n), none = Vector::Zero(count);
    const bool closes = state.held[held] == 0.0;
    Impact out;
    out.found = true;
    state.held[held] = closes ? 1.0 : 0.0;
    if (!closes) return out;
    equations.evaluate(state, time, still.data(), none.data(), Detail::rates);
    // M Δu = Aᵀλ with A Δu = −ṡ of what is locked, and zero of all else. The impulses act over the mean of the
    // velocities before and after: what drives give is λ ḟ, what is lost −½ λ ṡ.
    Vector right = Vector::Zero(n + count), speeds = Vector::Zero(count);
    for (Index row = 0; row < count; ++row) {
        const DrivenRow& driven = system.rows[row];
        if (driven.lock != held) continue;
        state.held[driven.locked_at] = equations.rows[row].value.value;
        speeds[row] = equations.rows[row].rate.rate;
        right[n + row] = -speeds[row];
        if (std::abs(speeds[row]) > std::abs(out.speed)) out.speed = speeds[row];
    }
    equations.fill(state, equations.own, 0.0, 0.0);
    out.found = equations.own.factorise();
    if (!out.found) return out;
    equations.own.solve_refined(right.data());
    for (Index row = 0; row < count; ++row) {
        const double impulse = right[n + row];
        out.drives += impulse * equations.rows[row].target.rate;
        if (system.rows[row].lock != held) continue;
        out.lost -= 0.5 * impulse * speeds[row];
        if (std::abs(impulse) > std::abs(out.impulse)) out.impulse = impulse;
    }
    u += right.head(n);
    return out;
}

std::vector<double> sampled_values(const Equations& equations, const std::vector<double>& held, Index groups) {
    const SignalTables& tables = equations.system().signals;
    const std::vector<double>& values = equations.signals.values();
    std::vector<double> out = held;
    for (std::size_t g = 0; g + 1 < tables.sample_starts.size(); ++g) {
        if ((groups >> g & 1) == 0) continue;
        for (Index k = tables.sample_starts[g]; k < tables.sample_starts[g + 1]; ++k) {
            out[tables.sampled_held[k]] = values[tables.sampled_signals[k]];
        }
    }
    return out;
}

}  // namespace flexframe
