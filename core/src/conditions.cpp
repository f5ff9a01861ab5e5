// Forces that conditions on accelerations determine: k of jumps that slide, and normal forces of shapes at rest.
//
// A jump slides where both of its sides lead back to the place at which its argument σ is zero: k between them is
// such that σ̇ = 0 (the equivalent control of Utkin). Shapes that are held at rest have normal forces N with g̈ =
// 0. Both follow from the accelerations, which are linear in them but for forces that follow reactions:
//
//     c(p) = c(0) + C p = 0,      p = (k, N),      C = R M⁻¹ D,
//
// D the forces for a unit of p, joints kept, and R the rows of σ̇ and g̈ by u̇. Redundant ones have the shortest
// p.
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "flexframe/equations.hpp"

namespace flexframe {

namespace {

constexpr int most_rounds = 30, most_projections = 8;
constexpr double settled = 1e-13;  // last change of p, beside the largest of its kind

}  // namespace

bool Equations::has_conditions(const State& state) const {
    const auto slides = [&](const Jump& jump) { return jump.mode(state.held) == JumpMode::sliding; };
    const auto& jumps = system_->signals.jumps;
    return std::any_of(jumps.begin(), jumps.end(), slides) ||
           std::any_of(state.touching.begin(), state.touching.end(),
                       [](const auto& each) { return each.is_held(); });
}

void Equations::collect_conditions(const State& state) {
    sliding_.clear();
    resting_.clear();
    const auto& jumps = system_->signals.jumps;
    for (std::size_t k = 0; k < jumps.size(); ++k) {
        if (jumps[k].mode(state.held) == JumpMode::sliding) sliding_.push_back(static_cast<Index>(k));
    }
    for (std::size_t t = 0; t < state.touching.size(); ++t) {
        if (state.touching[t].is_held()) resting_.push_back(static_cast<Index>(t));
    }
    unknowns_.resize(static_cast<Index>(sliding_.size() + resting_.size()));
    Index next = 0;
    for (Index k : sliding_) unknowns_[next++] = state.held[jumps[k].held + 1];
    for (Index t : resting_) unknowns_[next++] = state.touching[t].preload;
}

void Equations::keep_conditions(State& state) const {
    Index next = 0;
    for (Index k : sliding_) state.held[system_->signals.jumps[k].held + 1] = unknowns_[next++];
    for (Index t : resting_) state.touching[t].preload = unknowns_[next++];
}

double Equations::rate_row(Index jump, Vector& out) {
    // σ̇ = σ_s ṡ + σ_ṡ (J u̇ + β) + σ_t + σ_z ż: the row of u̇ in `out`, and the rest. Rates of gaps have no β
    // here.
    const SignalTables& t = system_->signals;
    const Index argument = t.argument(t.jumps[jump]), own = static_cast<Index>(measured.size());
    const Index read = own + (t.reads_contacts() ? static_cast<Index>(touches.size()) : 0);
    const auto gradient = signals.gradient(argument);
    double rest = signals.slope_by_time(argument);
    if (t.states() > 0) rest += signals.slope_by_states(argument).dot(signals.state_rates());
    out.setZero(residual.size());
    Vector J(residual.size());
    for (Index k = 0; k < read; ++k) {
        const double by_place = gradient[k], by_rate = gradient[read + k];
        rest += by_place * (k < own ? rates_[k] : touches[k - own].rate);
        if (by_rate == 0.0) continue;
        J.setZero();
        if (k < own) {
            direction(system_->measured[k], measured[k], J);
            rest += by_rate * (measured[k].rate.bias + drift(system_->measured[k], measured[k].value));
        } else {
            touch_direction(k - own, touches[k - own].where.normal, J);
        }
        out += by_rate * J;
    }
    return rest;
}

double Equations::jump_rate(Index jump, const double* x) {
    signals.differentiate(*system_->laws);
    Vector row;
    const double rest = rate_row(jump, row);
    return rest + row.head(system_->size).dot(Eigen::Map<const Vector>(x, system_->size));
}

Vector Equations::gap_biases(const State& state, const std::vector<Index>& which) {
    // g̈ without u̇: the rate of ġ while local velocities stay what they are. Frames are placed beside the state
    // and back there, which all else was evaluated at.
    Vector out(static_cast<Index>(which.size()));
    if (which.empty()) return out;
    state.get_velocities(*system_, spare_.data());
    const double small = 1e-5 / std::max(1e-2, largest_speed(*system_, spare_.data()));
    const Vector u = spare_.head(system_->size);
    std::vector<Touch> there = touches;
    out.setZero();
    for (const double side : {small, -small}) {
        const Vector step = side * u;
        moved_.copy_positions(state);
        advance(*system_, state, step.data(), moved_);
        moved_.velocities = state.velocities;
        place_frames(moved_, false);
        place_contacts(moved_);
        for (std::size_t k = 0; k < which.size(); ++k) out[k] += touches[which[k]].rate / (2.0 * side);
    }
    place_frames(state, true);
    touches = std::move(there);
    return out;
}

Vector Equations::gap_accelerations(const State& state, const std::vector<Index>& which, const double* x) {
    Vector out = gap_biases(state, which), J(residual.size());
    for (std::size_t k = 0; k < which.size(); ++k) {
        J.setZero();
        touch_direction(which[k], touches[which[k]].where.normal, J);
        out[k] += J.head(system_->size).dot(Eigen::Map<const Vector>(x, system_->size));
    }
    return out;
}

void Equations::find_response(const State& state, const Matrix& rows, Matrix& answers, Matrix& out) {
    // D, M⁻¹ D and C with the factors of the last solution
    const Index n = system_->size, slides = static_cast<Index>(sliding_.size());
    const Index followed = slides > 0 ? collect_directions(state) : 0;
    Matrix forces = Matrix::Zero(residual.size(), unknowns_.size());
    for (Index j = 0; j < slides; ++j) {
        for (Index c = 0; c < followed; ++c) {
            forces.col(j).head(n) += signals.slope_by_jump(followed_[c], sliding_[j]) * directions_[c];
        }
    }
    Vector force(residual.size());
    for (std::size_t k = 0; k < resting_.size(); ++k) {
        force.setZero();
        touch_direction(resting_[k], touches[resting_[k]].push, force);
        forces.col(slides + static_cast<Index>(k)) = force;
    }
    for (Index j = 0; j < forces.cols(); ++j) {
        force = forces.col(j);
        own.solve_refined(force.data());
        answers.col(j) = force.head(n);
    }
    out = rows * answers;
    const SignalTables& t = system_->signals;
    for (Index i = 0; i < slides && t.states() > 0; ++i) {  // states of blocks whose rates jump
        const auto slopes = signals.slope_by_states(t.argument(t.jumps[sliding_[i]]));
        for (Index j = 0; j < slides; ++j) {
            for (Index z = 0; z < t.states(); ++z) {
                out(i, j) += slopes[z] * signals.slope_by_jump(t.derivatives[z], sliding_[j]);
            }
        }
    }
}

bool Equations::project_held(State& state, double time, double* u) {
    // steps M⁻¹ Jᵀ p along the normals, joints kept to the first order: gaps first, then their rates
    collect_conditions(state);
    const Index n = system_->size, count = static_cast<Index>(resting_.size());
    if (count == 0) return true;
    Matrix J(n, count), answers(n, count);
    Vector row(residual.size()), misses(count);
    bool on_place = false;
    for (int round = 0; round < most_projections; ++round) {
        state.set_velocities(*system_, u);
        evaluate(state, time, nothing_.data(), nothing_.data(), Detail::rates);
        double most = 0.0;
        for (Index i = 0; i < count; ++i) {
            const Touch& touch = touches[resting_[i]];
            most = std::max(most, std::abs(touch.where.gap) / (1.0 + touch.where.point.norm()));
        }
        on_place = on_place || most <= closed || round > most_projections / 2;
        for (Index i = 0; i < count; ++i) {
            const Touch& touch = touches[resting_[i]];
            misses[i] = on_place ? touch.rate : touch.where.gap;
        }
        const double fast = std::max(1.0, largest_speed(*system_, u));
        if (on_place && misses.lpNorm<Eigen::Infinity>() <= closed * fast) return true;
        if (round == 0) {
            fill(state, own, 0.0, 0.0);
            if (!own.factorise()) return false;
            for (Index i = 0; i < count; ++i) {
                row.setZero();
                touch_direction(resting_[i], touches[resting_[i]].where.normal, row);
                J.col(i) = row.head(n);
                own.solve(row.data());
                answers.col(i) = row.head(n);
            }
        }
        const Matrix G = J.transpose() * answers;
        const Vector step = -answers * G.completeOrthogonalDecomposition().solve(misses);
        if (!step.allFinite()) return false;
        if (on_place) {
            for (Index i = 0; i < n; ++i) u[i] += step[i];
        } else {
            moved_.copy_positions(state);
            advance(*system_, state, step.data(), moved_);
            state.copy_positions(moved_);
        }
    }
    state.set_velocities(*system_, u);
    return true;
}

bool Equations::meet_conditions(const State& state, double time, double* x, double* multipliers) {
    const Index n = system_->size, count = unknowns_.size(), slides = static_cast<Index>(sliding_.size());
    Matrix rows(count, n), answers(n, count), response(count, count);
    Vector rest(count), row(residual.size()), biases;
    double last = std::numeric_limits<double>::infinity();
    for (int round = 0; round < most_rounds; ++round) {
        if (!solve_accelerations(state, time, x, multipliers)) return false;
        if (slides > 0) signals.differentiate(*system_->laws);
        for (Index i = 0; i < slides; ++i) {
            rest[i] = rate_row(sliding_[i], row);
            rows.row(i) = row.head(n).transpose();
        }
        if (round == 0) biases = gap_biases(state, resting_);
        for (Index i = slides; i < count; ++i) {
            const Index touch = resting_[i - slides];
            row.setZero();
            touch_direction(touch, touches[touch].where.normal, row);
            rows.row(i) = row.head(n).transpose();
            rest[i] = biases[i - slides];
        }
        rest += rows * Eigen::Map<const Vector>(x, n);
        if (round % 4 == 0) find_response(state, rows, answers, response);
        const Vector change = response.completeOrthogonalDecomposition().solve(-rest);
        if (!change.allFinite()) return false;
        unknowns_ += change;
        // k is of order one; of normal forces the largest counts
        double size = slides > 0 ? change.head(slides).lpNorm<Eigen::Infinity>() : 0.0;
        if (slides < count) {
            const double most = unknowns_.tail(count - slides).lpNorm<Eigen::Infinity>();
            const double part = change.tail(count - slides).lpNorm<Eigen::Infinity>();
            size = std::max(size, most > 0.0 ? part / most : 0.0);
        }
        if (size <= settled || (round > 1 && size <= 1e3 * settled && size >= 0.5 * last)) return true;
        last = size;
    }
    return false;
}

}  // namespace flexframe
