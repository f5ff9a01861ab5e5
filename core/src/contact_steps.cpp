#include "flexframe/contact_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "flexframe/generalised_alpha.hpp"

namespace flexframe {

namespace {

constexpr double pi = 3.141592653589793;
constexpr double landing = 1e-4;   // of the way of a contact step: how near to zero a gap is where shapes meet
constexpr double resting = 0.05;   // part of the depth that changes fast below which a contact rests
constexpr double flat = 0.05;      // part of a force by which the next ones are lower, as `peaks.py` has it
constexpr double growth = 2.0;     // of a step from one to the next while shapes touch
constexpr double least = 1e-9;     // of a step that is left, which is taken for none
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Where the cubic first passes a value, in the direction of the sign; none beyond 1.
double passage(double g0, double s0, double g1, double s1, double value, double sign) {
    constexpr int parts = 32;
    const auto above = [&](double x) { return sign * (cubic(g0, s0, g1, s1, x) - value) > 0.0; };
    for (int k = 1; k <= parts; ++k) {
        double low = static_cast<double>(k - 1) / parts, high = static_cast<double>(k) / parts;
        if (!above(high)) continue;
        for (int i = 0; i < 50; ++i) {
            const double middle = 0.5 * (low + high);
            (above(middle) ? high : low) = middle;
        }
        return high;
    }
    return infinity;
}

}  // namespace

void take_touch(const System& system, Index touch, bool closed, double rate, bool changed, State& state) {
    // places of a curve change their order, so that each acts by its gap
    const bool curved = contact_pairs()[system.contact_of(touch).pair].curved;
    state.touching[touch].apart = closed || curved ? 0.0 : 1.0;
    if (!changed) return;
    state.touching[touch].impact = closed ? std::max(-rate, 0.0) : 0.0;
    const Index first = system.bristles[touch];  // bristles that are apart are straight
    if (!closed && first >= 0) std::fill_n(state.states.begin() + first, 3, 0.0);
}

ContactSteps::ContactSteps(const System& system) : system_(&system) {
    for (std::size_t k = 0; k < system.contacts.size(); ++k) {
        const Index places = system.first_touches[k + 1] - system.first_touches[k];
        owners_.insert(owners_.end(), places, static_cast<Index>(k));
    }
    for (auto* list : {&gaps_, &rates_, &closed_, &masses_, &durations_}) list->assign(owners_.size(), 0.0);
    limits_.assign(owners_.size(), infinity);
    peaks_.assign(system.contacts.size(), 0.0);
    peak_times_.assign(system.contacts.size(), 0.0);
    recent_.assign(4 * system.contacts.size(), 0.0);
}

void ContactSteps::begin(Equations& equations, State& state, double time) {
    if (!present()) return;
    const Vector still = Vector::Zero(system_->size), none = Vector::Zero(system_->row_count());
    equations.evaluate(state, time, still.data(), none.data(), Detail::residual);
    accept(equations.touches, state, time, 0.0);
    for (std::size_t t = 0; t < gaps_.size(); ++t) {
        if (closed_[t] == 0.0 || impulsive(t)) continue;
        limits_[t] = contact_step(equations, state, t, -gaps_[t], std::abs(rates_[t]));
    }
}

void ContactSteps::look(const std::vector<Touch>& touches) {
    for (std::size_t t = 0; t < gaps_.size(); ++t) {
        gaps_[t] = touches[t].where.gap;
        rates_[t] = touches[t].rate;
    }
}

bool ContactSteps::touching() const {
    return std::any_of(closed_.begin(), closed_.end(), [](double each) { return each != 0.0; });
}

double ContactSteps::allowed() const {
    double least_limit = infinity;
    for (std::size_t t = 0; t < limits_.size(); ++t) {
        if (closed_[t] != 0.0) least_limit = std::min({least_limit, limits_[t], growth * last_step_});
    }
    return least_limit;
}

double ContactSteps::duration(Index touch, double depth, double speed, double mass, double& sharpness) const {
    const ContactElement& contact = contact_of(touch);
    const ContactParameters& p = contact.parameters;
    const double n = p.exponent, slow = 1e-3 * p.least_speed;
    const double stored = p.stiffness * std::pow(std::max(depth, 0.0), n + 1.0) / (n + 1.0);
    const double energy = stored + 0.5 * mass * std::max(speed * speed, slow * slow);
    const double deepest = std::pow(energy * (n + 1.0) / p.stiffness, 1.0 / (n + 1.0));
    const double fastest = std::sqrt(2.0 * energy / mass);
    const NormalForce there = contact_laws()[contact.law].at(p, deepest, 0.0, fastest);
    sharpness = 1.0 + there.damping * fastest / there.elastic;
    return impact_duration_factor(n) * deepest / fastest;
}

double ContactSteps::contact_step(Equations& equations, const State& state, Index touch, double depth,
                                  double speed) {
    double sharpness = 1.0;
    double& mass = masses_[touch];
    if (mass == 0.0) {
        // modes of elastic bodies that are fast beside the impact yield without inertia: M + K/ω² with ω = π/T
        double stiffness = 0.0;
        const int rounds = system_->deformation_size > 0 ? 4 : 1;
        for (int k = 0; k < rounds; ++k) {
            const double moved = equations.mobility(state, touch, stiffness);
            mass = moved > 0.0 ? 1.0 / moved : infinity;
            if (!std::isfinite(mass)) {  // nothing moves against the contact
                mass = 0.0;
                return infinity;
            }
            const double time = duration(touch, depth, speed, mass, sharpness) / pi;
            stiffness = time * time;
        }
    }
    durations_[touch] = duration(touch, depth, speed, mass, sharpness);
    return durations_[touch] / (contact_of(touch).parameters.divisions * sharpness);
}

double ContactSteps::judge_open(Equations& equations, const State& after, Index touch, double step) {
    const Touch& now = equations.touches[touch];
    const double g0 = gaps_[touch], g1 = gap_after(*system_, touch, now.where.gap, g0);
    const double s0 = rates_[touch] * step, s1 = now.rate * step;
    if (g1 == no_gap) return step;
    if (g0 == no_gap) {  // a place of a curve that was not there before
        if (g1 >= 0.0) return step;
        return step > 1.5 * contact_step(equations, after, touch, 0.0, std::abs(now.rate)) ? 0.5 * step : step;
    }
    const double meets = g1 < 0.0 ? 1.0 : passage(g0, s0, g1, s1, 0.0, -1.0);
    if (meets == infinity) return step;
    const double speed = std::max(std::abs(now.rate), std::abs(rates_[touch]));
    const double short_step = contact_step(equations, after, touch, 0.0, speed);
    const double near = landing * speed * short_step;
    if (g1 < 0.0 && g1 >= -near) return step;
    double part = passage(g0, s0, g1, s1, -0.5 * near, -1.0);
    if (g1 < 0.0 && step > 4.0 * short_step) {
        // a long step is stopped by a force that was not yet there, and its end says little: not later than the
        // speed at its start says, or the way before the impact in two steps
        if (s0 < 0.0) part = std::min(part, (g0 + 0.5 * near) / -s0);
        if (part > 0.9) part = 0.5;
    }
    return part < 1.0 ? part * step : step;
}

double ContactSteps::judge_closed(Equations& equations, const State& after, Index touch, double step) {
    const Touch& now = equations.touches[touch];
    const double gap = now.where.gap, depth = -gap, speed = now.rate;
    const double short_step = contact_step(equations, after, touch, std::max(depth, 0.0), speed);
    limits_[touch] = short_step;
    if (gap >= 0.0) {  // the step ends where the shapes part
        const double near = landing * std::max(std::abs(speed), std::abs(rates_[touch])) * short_step;
        if (gap == no_gap || gap <= near) return step;
        const double part = passage(gaps_[touch], rates_[touch] * step, gap, speed * step, 0.5 * near, 1.0);
        return part < 1.0 ? part * step : step;
    }
    const double frequency = pi / durations_[touch], change = (now.rate - rates_[touch]) / step;
    const double fast = std::hypot(speed / frequency, change / (frequency * frequency));
    limits_[touch] = short_step * std::max(1.0, fast > 0.0 ? resting * depth / fast : 1e6);
    return step > 1.5 * limits_[touch] ? limits_[touch] : step;
}

double ContactSteps::judge(Equations& equations, const State& after, double step) {
    double wanted = step;
    for (std::size_t t = 0; t < gaps_.size(); ++t) {
        const Index touch = static_cast<Index>(t);
        if (impulsive(t)) continue;  // its impacts are events
        const bool open = closed_[t] == 0.0;
        wanted = std::min(wanted, open ? judge_open(equations, after, touch, step)
                                       : judge_closed(equations, after, touch, step));
    }
    return wanted;
}

bool ContactSteps::accept(const std::vector<Touch>& touches, State& state, double time, double step) {
    bool changed = false;
    std::vector<double> forces(peaks_.size(), 0.0);
    for (std::size_t t = 0; t < gaps_.size(); ++t) {
        gaps_[t] = touches[t].where.gap;
        rates_[t] = touches[t].rate;
        forces[owners_[t]] += touches[t].normal.force;
        if (impulsive(t)) continue;
        const bool closed = gaps_[t] < 0.0, meets = closed != (closed_[t] != 0.0);
        take_touch(*system_, static_cast<Index>(t), closed, rates_[t], meets, state);
        if (!meets) continue;
        changed = true;
        closed_[t] = closed ? 1.0 : 0.0;
        if (!closed) masses_[t] = 0.0;
        if (closed && masses_[t] > 0.0) {
            double sharpness = 1.0;
            const double time_scale = duration(static_cast<Index>(t), 0.0, rates_[t], masses_[t], sharpness);
            limits_[t] = time_scale / (contact_of(static_cast<Index>(t)).parameters.divisions * sharpness);
        }
    }
    for (std::size_t k = 0; k < peaks_.size(); ++k) follow_peak(k, time, forces[k]);
    last_step_ = changed ? infinity : step;
    return changed;
}

void ContactSteps::follow_peak(std::size_t contact, double time, double force) {
    double* last = recent_.data() + 4 * contact;
    double peak = force, when = time;
    const double first = last[2] - last[0], second = time - last[2];
    const bool even = first > 0.0 && second > 0.0 && first < 3.0 * second && second < 3.0 * first;
    const double drop = last[3] - std::min(last[1], force);
    if (even && last[3] >= last[1] && last[3] >= force && drop > 0.0 && drop < flat * last[3]) {
        // the parabola f + b (t − t₁) + a (t − t₁)² through the three, t₁ that of the middle one
        const double before = (last[3] - last[1]) / first, after = (force - last[3]) / second;
        const double a = (after - before) / (first + second), b = before + a * first;
        peak = last[3] - 0.25 * b * b / a;
        when = last[2] - 0.5 * b / a;
    }
    std::copy_n(last + 2, 2, last);
    last[2] = time;
    last[3] = force;
    if (peak <= peaks_[contact]) return;
    peaks_[contact] = peak;
    peak_times_[contact] = when;
}

std::vector<double> ContactSteps::memory() const {
    std::vector<double> out{last_step_};
    for (const auto* list :
         {&gaps_, &rates_, &closed_, &masses_, &durations_, &limits_, &peaks_, &peak_times_, &recent_}) {
        out.insert(out.end(), list->begin(), list->end());
    }
    return out;
}

bool ContactSteps::restore(const std::vector<double>& values) {
    if (values.size() != 1 + 6 * gaps_.size() + 6 * peaks_.size()) return false;
    auto next = values.begin();
    last_step_ = *next++;
    for (auto* list :
         {&gaps_, &rates_, &closed_, &masses_, &durations_, &limits_, &peaks_, &peak_times_, &recent_}) {
        std::copy_n(next, list->size(), list->begin());
        next += static_cast<std::ptrdiff_t>(list->size());
    }
    return true;
}

Status GeneralisedAlpha::step_through_contacts(double end, double step) {
    double left = step;
    while (left > least * step) {
        // equal parts of what is left, as long as the contacts at hand allow
        const double parts = std::ceil(left / contacts_.allowed() * (1.0 - 1e-9));
        double part = parts > 1.0 ? left / parts : left;
        bool is_taken = false;
        for (int attempt = 0;; ++attempt) {
            const double time = end - (left - part);
            if (is_short(part)) {
                const Status status = short_step(time, part);
                if (status != Status::done) return status;
                is_taken = true;
                break;
            }
            change_step(part);
            const Status status = solve_step(time, part);
            double wanted = 0.25 * part;
            if (status == Status::done) {
                equations_.stepping = true;
                evaluate(after_, time);  // gaps, powers and states after the last correction
                equations_.stepping = false;
                wanted = contacts_.judge(equations_, after_, part);
            } else if (attempt > 20) {
                return status;
            }
            if (wanted >= part || (attempt > 30 && status == Status::done)) break;
            multipliers_ = multipliers_before_;
            part = wanted;
        }
        if (!is_taken) {
            accept_step(part);
            ++counts.steps;
        }
        left -= part;
        const double time = end - std::max(left, 0.0);
        touching_before_ = before_.touching;
        const bool looked_at = keeps_divisions_ && (part < step || contacts_.touching());
        if (looked_at) keep_division(time);
        if (contacts_.accept(equations_.touches, before_, time, part)) {
            by_differences_ = false;
            if (!meet_or_part(time)) return Status::singular;
            if (looked_at) keep_division(time);  // forces may jump
        }
    }
    return Status::done;
}

bool GeneralisedAlpha::meet_or_part(double time) {
    // What contacts add to the accelerations jumps where shapes meet or part. The auxiliary acceleration a becomes
    // that of the same instant, which is an error of the order h² once: with the rate of x, as at the start of a
    // motion, what the method has damped of motions that are fast beside the step would be stirred up, and a rate
    // that belongs to a contact would reach into the long steps after it.
    const std::vector<TouchMemory> now = before_.touching;
    before_.touching = touching_before_;
    bool found = sampling_.accelerations(before_, time, trial_.data(), base_.data());
    before_.touching = now;
    found = equations_.accelerations(before_, time, right_.data(), right_.data() + system_->size) && found;
    if (!found) return false;
    x_ += right_.head(system_->size) - trial_;
    multipliers_ += right_.tail(system_->row_count()) - base_.head(system_->row_count());
    a_ = x_;
    state_rates_ = state_aid_ = equations_.state_rates();
    keep_slips();
    powers_ = equations_.powers;
    age_ = -1;
    join_unknowns();
    history_.start(right_);
    trial_ = x_;
    evaluate(before_, time);  // what is looked at after a step
    return true;
}

void GeneralisedAlpha::keep_division(double time) {
    keep_step(equations_, before_, u_.data(), x_.data(), multipliers_.data(), works_, divisions.add(time), 0);
}

}  // namespace flexframe
