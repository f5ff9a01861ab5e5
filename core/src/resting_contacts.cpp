// Shapes that an impulsive law has brought to rest on each other.
//
// Where bounces become too small or too short to follow, shapes that are pressed together stay together: normal
// forces N ≥ 0 hold them such that their gaps have no acceleration (conditions.cpp), friction along the slip
// included; shapes with a negative one part.
//
// Explicit steps keep them so, by the same condition in every stage, and put gaps and their rates back to zero
// after each step. Steps of generalised-α give each a support N = P + K δ + d δ̇ with K = m ω² and d = 2 m ω/(ω
// h)², m = 1/(J M⁻¹ Jᵀ) and ω = 100/h beside the step h, at most 3·10⁴ rad/s, or 3·10⁵ where bodies are elastic: a
// change of the load by Δ moves the shapes by Δ/K. Shapes part where N is zero.
#include <algorithm>
#include <cmath>
#include <limits>

#include "flexframe/explicit_runge_kutta.hpp"
#include "flexframe/generalised_alpha.hpp"

namespace flexframe {

namespace {

constexpr double stiff = 100.0;           // ω h
constexpr double stiffest = 3e4;          // ω [rad/s], beyond which errors of the iteration show in the force
constexpr double stiffest_elastic = 3e5;  // of elastic bodies, whose vibration presses far more than their weight
constexpr double shortest_bounce = 1e-4;  // of a step
constexpr double lowest_bounce = 1e-2;    // of the error that an explicit step may have
constexpr double touching = 1e-9;         // gap at the start beside the distance from the origin, and rate
constexpr double rounding = 1e-11;        // of the largest normal force

/// Which of some touches have shapes at rest.
std::vector<Index> resting_of(const State& state, const std::vector<Index>& touches) {
    std::vector<Index> out;
    std::copy_if(touches.begin(), touches.end(), std::back_inserter(out),
                 [&](Index each) { return state.touching[each].rests(); });
    return out;
}

/// Leave out those whose shapes move against each other, at the state that was evaluated last.
void leave_out_moving(const Equations& equations, const Vector& u, std::vector<Index>& touches) {
    const double least = touching * std::max(1.0, largest_speed(equations.system(), u.data()));
    const auto moves = [&](Index each) { return std::abs(equations.touches[each].rate) > least; };
    touches.erase(std::remove_if(touches.begin(), touches.end(), moves), touches.end());
}

/// Impulsive touches without a gap at the state that was evaluated last: with shapes that are still, and others.
struct Closed {
    std::vector<Index> still, struck;
};

Closed closed_touches(const Equations& equations, const Vector& u, const std::vector<Index>& impulsive) {
    Closed out;
    for (Index touch : impulsive) {
        const Touch& there = equations.touches[touch];
        if (std::abs(there.where.gap) <= touching * (1.0 + there.where.point.norm())) out.still.push_back(touch);
    }
    out.struck = out.still;
    leave_out_moving(equations, u, out.still);
    const auto rests = [&](Index each) { return std::count(out.still.begin(), out.still.end(), each) > 0; };
    out.struck.erase(std::remove_if(out.struck.begin(), out.struck.end(), rests), out.struck.end());
    return out;
}

/// Hold the shapes of touches at rest in a state; those that are pulled apart are opened instead. A force may be
/// below zero by what `hidden` says of its touch. False where a motion has no inertia.
template <class Hidden>
bool hold_at_rest(Equations& equations, State& state, double time, std::vector<Index>& touches,
                  std::vector<Index>& opened, const Hidden& hidden) {
    const System& system = equations.system();
    Vector x(system.size), multipliers(system.row_count());
    for (Index t : touches) {
        state.touching[t] = TouchMemory();
        state.touching[t].held = 1.0;
    }
    while (true) {
        if (!equations.accelerations(state, time, x.data(), multipliers.data())) return false;
        equations.keep_conditions(state);
        const auto less = [&](Index a, Index b) { return state.touching[a].preload < state.touching[b].preload; };
        const auto worst = std::min_element(touches.begin(), touches.end(), less);
        if (worst == touches.end()) return true;
        const double most = state.touching[*std::max_element(touches.begin(), touches.end(), less)].preload;
        const double allowed = std::max(rounding * std::max(most, 0.0), hidden(*worst));
        if (state.touching[*worst].preload >= -allowed) return true;
        state.touching[*worst] = TouchMemory();
        opened.push_back(*worst);
        touches.erase(worst);
    }
}

/// Bristles of shapes that part are straight.
void straighten(const System& system, const std::vector<Index>& opened, State& state) {
    for (Index touch : opened) {
        const Index first = system.bristles[touch];
        if (first >= 0) std::fill_n(state.states.begin() + first, 3, 0.0);
    }
}

}  // namespace

bool rests_elsewhere(const ContactSteps& contacts, const std::vector<Index>& resting, Index touch) {
    const ContactElement& contact = contacts.contact_of(touch);
    if (!contact_pairs()[contact.pair].curved) return false;
    return std::any_of(resting.begin(), resting.end(),
                       [&](Index each) { return &contacts.contact_of(each) == &contact; });
}

// --- generalised-α ----------------------------------------------------------------------------------------------

std::vector<Index> GeneralisedAlpha::resting() const { return resting_of(before_, impulsive_); }

bool GeneralisedAlpha::rests_elsewhere(Index touch) const {
    return flexframe::rests_elsewhere(contacts_, resting(), touch);
}

bool GeneralisedAlpha::bounce_is_short(Index touch, double restitution, double speed, double time) {
    if (!(restitution < 1.0)) return false;  // bounces do not become smaller
    if (!sampling_.accelerations(before_, time, spare_u_.data(), spare_multipliers_.data())) return false;
    const double pressed = -sampling_.gap_accelerations(before_, {touch}, spare_u_.data())[0];
    return 2.0 * restitution * std::abs(speed) < shortest_bounce * asked_step_ * pressed;
}

double GeneralisedAlpha::support_frequency() const {
    return std::min(stiff / asked_step_, system_->deformation_size > 0 ? stiffest_elastic : stiffest);
}

void GeneralisedAlpha::support(Index touch, double force, double mobility) {
    const Touch& there = sampling_.touches[touch];
    TouchMemory& memory = before_.touching[touch];
    memory = TouchMemory();
    const double frequency = support_frequency();
    memory.stiffness = frequency * frequency / mobility;
    // the method itself damps what is fast beside the step, and velocities on constraints have errors
    const double fast = std::max(1.0, frequency * asked_step_);
    memory.damping = 2.0 * frequency / mobility / (fast * fast);
    memory.preload = force - memory.stiffness * there.depth() + memory.damping * there.rate;
}

bool GeneralisedAlpha::settle(const std::vector<Index>& touches, double time) {
    opened_.clear();
    const std::vector<Index> before = resting();
    if (before.empty() && touches.empty()) return true;
    const auto stored = [&](Index t) {
        const TouchMemory& memory = before_.touching[t];
        const double depth = sampling_.touches[t].depth();
        return (memory.preload + 0.5 * memory.stiffness * depth) * depth;
    };
    sampling_.evaluate(before_, time, x_.data(), multipliers_.data(), Detail::residual);
    for (Index t : before) {
        works_.values[3] += stored(t);
        before_.touching[t] = TouchMemory();
        if (std::count(touches.begin(), touches.end(), t) == 0) opened_.push_back(t);
    }
    // what errors of the iteration for positions may hide
    const auto hidden = [&](Index touch) {
        const double frequency = support_frequency(), mobility = sampling_.mobility(before_, touch, 0.0);
        return mobility > 0.0 ? hidden_gap(sampling_.touches[touch]) * frequency * frequency / mobility : 0.0;
    };
    std::vector<Index> kept = touches;
    if (!hold_at_rest(sampling_, before_, time, kept, opened_, hidden)) return false;
    straighten(*system_, opened_, before_);
    for (Index touch : kept) {
        // modes that are fast beside the step do not yield by their inertia
        const bool elastic = system_->deformation_size > 0;
        double mobility = elastic ? sampling_.mobility(before_, touch, asked_step_ * asked_step_) : 0.0;
        if (!(mobility > 0.0)) mobility = sampling_.mobility(before_, touch, 0.0);
        if (!(mobility > 0.0)) return false;
        support(touch, std::max(before_.touching[touch].preload, 0.0), mobility);
        works_.values[3] -= stored(touch);
    }
    return true;
}

bool GeneralisedAlpha::settle_and_begin(const std::vector<Index>& touches, double time, double step) {
    if (!settle(touches, time) || !begin_again(time, step)) return false;
    evaluate(before_, time);
    events_.begin_rest(equations_, opened_);
    opened_.clear();
    return true;
}

bool GeneralisedAlpha::begin_after_impulse(Index brought, double time, double step) {
    // shapes that rested and are moved by the impulse are struck next, or part
    std::vector<Index> still = resting();
    if (brought < 0 && still.empty()) return begin_again(time, step);
    if (brought >= 0) {
        still.push_back(brought);
        const Impact stop = stop_together(sampling_, before_, time, still, u_);
        if (!stop.found) return false;
        before_.set_velocities(*system_, u_.data());
        works_.values[0] += stop.drives;
        works_.values[3] += stop.lost;
    }
    sampling_.evaluate(before_, time, x_.data(), multipliers_.data(), Detail::residual);
    leave_out_moving(sampling_, u_, still);
    return settle_and_begin(still, time, step);
}

bool GeneralisedAlpha::release(Index touch, double time, double step) {
    std::vector<Index> others = resting();
    others.erase(std::remove(others.begin(), others.end(), touch), others.end());
    return settle_and_begin(others, time, step);
}

bool GeneralisedAlpha::rest_at_the_start(double time, double step) {
    asked_step_ = std::max(asked_step_, step);
    sampling_.evaluate(before_, time, x_.data(), multipliers_.data(), Detail::residual);
    const auto [still, struck] = closed_touches(sampling_, u_, impulsive_);
    if (still.empty() && struck.empty()) return true;
    if (!settle(still, time) || !begin_again(time, step)) return false;
    opened_.insert(opened_.end(), struck.begin(), struck.end());
    evaluate(before_, time);
    events_.begin_rest(equations_, opened_);
    opened_.clear();
    return true;
}

// --- explicit steps ---------------------------------------------------------------------------------------------

std::vector<Index> ExplicitRungeKutta::resting() const { return resting_of(before_, impulsive_); }

bool ExplicitRungeKutta::rests_elsewhere(Index touch) const {
    return flexframe::rests_elsewhere(contacts_, resting(), touch);
}

bool ExplicitRungeKutta::settle(std::vector<Index> touches) {
    std::vector<Index> opened = resting();
    for (Index t : opened) before_.touching[t] = TouchMemory();
    const auto stays = [&](Index t) { return std::count(touches.begin(), touches.end(), t) > 0; };
    opened.erase(std::remove_if(opened.begin(), opened.end(), stays), opened.end());
    const auto nothing = [](Index) { return 0.0; };
    if (!hold_at_rest(sampling_, before_, time_, touches, opened, nothing)) return false;
    straighten(*system_, opened, before_);
    if (!touches.empty() && !sampling_.project_held(before_, time_, u_.data())) return false;
    z_ = Eigen::Map<const Vector>(before_.states.data(), z_.size());
    after_.touching = between_.touching = before_.touching;
    fresh_ = true;
    look_at_end();
    events_.begin_rest(sampling_, opened);
    contacts_.look(sampling_.touches);
    return true;
}

bool ExplicitRungeKutta::settle_after_impulse(Index brought) {
    std::vector<Index> still = resting();
    if (brought >= 0) {
        still.push_back(brought);
        const Impact stop = stop_together(sampling_, before_, time_, still, u_);
        if (!stop.found) return false;
        before_.set_velocities(*system_, u_.data());
        works_.values[0] += stop.drives;
        works_.values[3] += stop.lost;
    }
    sampling_.evaluate(before_, time_, first_.data(), multipliers_.data(), Detail::residual);
    leave_out_moving(sampling_, u_, still);
    return settle(std::move(still));
}

bool ExplicitRungeKutta::bounce_is_low(Index touch, double restitution, double speed) {
    // lower than what a step may err by: e² v²/2a
    if (!(restitution < 1.0)) return false;
    if (!sampling_.accelerations(before_, time_, spare_u_.data(), inner_multipliers_.data())) return false;
    const double pressed = -sampling_.gap_accelerations(before_, {touch}, spare_u_.data())[0];
    const bool turning = contact_pairs()[contacts_.contact_of(touch).pair].turning;
    const double length = turning ? 1.0 : system_->length();
    return restitution * restitution * speed * speed < 2.0 * lowest_bounce * tolerance_ * length * pressed;
}

double ExplicitRungeKutta::time_to_impact() {
    // g + ġ t + ½ g̈ t² = 0: a long step would not see shapes that pass through each other in a part of it
    double least = std::numeric_limits<double>::infinity();
    std::vector<Index> open;
    for (Index touch : impulsive_) {
        if (!rests(touch)) open.push_back(touch);
    }
    if (open.empty() || !sampling_.accelerations(before_, time_, spare_u_.data(), inner_multipliers_.data())) {
        return least;
    }
    const Vector accelerations = sampling_.gap_accelerations(before_, open, spare_u_.data());
    for (std::size_t k = 0; k < open.size(); ++k) {
        const Touch& touch = sampling_.touches[open[k]];
        if (touch.where.gap == no_gap) continue;
        const double g = std::max(touch.where.gap, 0.0), s = touch.rate, a = accelerations[k];
        const double square = s * s - 2.0 * a * g;
        if (square < 0.0 || (s >= 0.0 && a >= 0.0)) continue;
        least = std::min(least, s < 0.0 ? 2.0 * g / (std::sqrt(square) - s) : (s + std::sqrt(square)) / -a);
    }
    return least;
}

bool ExplicitRungeKutta::release(Index touch) {
    std::vector<Index> others = resting();
    others.erase(std::remove(others.begin(), others.end(), touch), others.end());
    return settle(std::move(others));
}

bool ExplicitRungeKutta::rest_at_the_start() {
    sampling_.evaluate(before_, time_, first_.data(), multipliers_.data(), Detail::residual);
    const auto [still, struck] = closed_touches(sampling_, u_, impulsive_);
    if (still.empty() && struck.empty()) return true;
    if (!settle(still)) return false;
    events_.begin_rest(sampling_, struck);
    return true;
}

}  // namespace flexframe
