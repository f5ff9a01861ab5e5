#include "flexframe/event_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "flexframe/contact_steps.hpp"
#include "flexframe/switching.hpp"

namespace flexframe {

namespace {

constexpr double smallest = std::numeric_limits<double>::min();  // a value beside zero, on one of its sides
constexpr double rounding = 1e-10;  // part of earlier values of a signal that says nothing about its side of zero
constexpr int cubic_parts = 64;  // at which the cubic of a gap in a step is looked at

}  // namespace

EventWatch::EventWatch(const System& system) : system_(&system) {
    const std::size_t count = system.signals.events.size();
    start.values.assign(count, 0.0);
    start.rates.assign(count, 0.0);
    told.assign(count, 0.0);
    clear_.assign(count, 0.0);
    back_.assign(count, false);
}

double EventWatch::value(const Equations& equations, Index event) const {
    const Index touch = system_->signals.events[event] - system_->signals.count();
    const double now = value_now(equations, event);
    const bool is_gap = touch >= 0 && !equations.touches[touch].rests;
    return is_gap ? gap_after(*system_, touch, now, start.values[event]) : now;
}

double EventWatch::value_now(const Equations& equations, Index event) const {
    const Index signal = system_->signals.events[event], signals = system_->signals.count();
    const Index jump = system_->signals.jump_of(event);
    if (jump >= 0) return jump_margin(equations, jump);
    if (signal < signals) return equations.signals.value(signal);
    const Touch& touch = equations.touches[signal - signals];
    return touch.rests ? touch.pressed : touch.where.gap;
}

bool EventWatch::releases(const Equations& equations, Index event) const {
    const Index jump = system_->signals.jump_of(event);
    if (jump >= 0) return system_->signals.jumps[jump].mode(equations.held()) == JumpMode::sliding;
    const Index touch = system_->signals.events[event] - system_->signals.count();
    return touch >= 0 && equations.touches[touch].rests;
}

double EventWatch::rate(const Equations& equations, Index event) const {
    const Index touch = system_->signals.events[event] - system_->signals.count();
    return touch < 0 || equations.touches[touch].rests ? 0.0 : equations.touches[touch].rate;
}

void EventWatch::read(const Equations& equations, EventValues& out) const {
    for (Index k = 0; k < count(); ++k) {
        out.values[k] = value(equations, k);
        out.rates[k] = rate(equations, k);
    }
}

void EventWatch::begin(const Equations& equations) {
    for (Index k = 0; k < count(); ++k) {
        start.rates[k] = rate(equations, k);
        if (system_->signals.jump_of(k) >= 0) {  // it is on its side, whatever rounding says
            if (told[k] == 2.0) continue;
            told[k] = 0.0;
            start.values[k] = std::max(value_now(equations, k), smallest);
            continue;
        }
        // what happened does not happen again at the same place, and what is still to be told is not forgotten
        const bool again = told[k] == 1.0 && back_[k] && k != last_;
        if (told[k] != 0.0 && !again && !(start.rates[k] > 0.0)) continue;
        const double now = value_now(equations, k);
        const bool is_signal = system_->signals.events[k] < system_->signals.count();
        if (is_signal && passes_since_start(k, now)) {  // by a jump: it is found in the next step
            told[k] = 2.0;
            continue;
        }
        told[k] = 0.0;
        start.values[k] = now;
        if (is_signal && beside_another(k, now)) {
            const Index direction = system_->signals.event_directions[k];
            if (direction != 0) start.values[k] = direction > 0 ? -smallest : smallest;
        } else {
            clear_[k] = now;
        }
        // shapes that were thrown back are about to be apart, whatever rounding says; others to be struck
        if (!is_signal && !releases(equations, k) && start.values[k] <= 0.0) start.values[k] = smallest;
    }
}

bool EventWatch::beside_another(Index event, double now) const {
    return std::abs(now) < rounding * std::abs(clear_[event]) && std::count(told.begin(), told.end(), 1.0) > 0;
}

void EventWatch::begin_rest(const Equations& equations, const std::vector<Index>& opened) {
    for (Index k = 0; k < count(); ++k) {
        const Index touch = system_->signals.events[k] - system_->signals.count();
        if (touch < 0) continue;
        const bool rests = equations.touches[touch].rests;
        if (!rests && std::count(opened.begin(), opened.end(), touch) == 0) continue;
        told[k] = 0.0;
        start.values[k] = std::max(value_now(equations, k), smallest);
    }
}

bool EventWatch::passes(Index event, double before, double after) const {
    const Index direction = system_->signals.event_directions[event];
    return (direction <= 0 && before > 0.0 && after <= 0.0) || (direction >= 0 && before < 0.0 && after >= 0.0);
}

bool EventWatch::passed(const Equations& equations, Index event) const {
    // shapes that were thrown back and are still together, in steps that are hardly longer than rounding
    if (start.values[event] == smallest && rate(equations, event) > 0.0) return false;
    return passes_since_start(event, value(equations, event));
}

bool EventWatch::passes_since_start(Index event, double now) const {
    // one that begins beside zero has not moved as long as it is zero: it may go either way
    const bool beside = std::abs(start.values[event]) == smallest;
    return !(beside && now == 0.0) && passes(event, start.values[event], now);
}

Index EventWatch::passed_but(const Equations& equations, Index other) const {
    for (Index k = 0; k < count(); ++k) {
        if (k != other && passed(equations, k)) return k;
    }
    return -1;
}

void EventWatch::tell(const Equations& equations, Index event, bool with_others) {
    for (Index k = 0; k < count(); ++k) told[k] = with_others && passed(equations, k) ? 2.0 : 0.0;
    tell_at_start(event);
    begin(equations);
}

void EventWatch::tell_at_start(Index event) {
    start.values[event] = start.values[event] > 0.0 ? -smallest : smallest;
    told[event] = 1.0;
    last_ = event;
    back_[event] = false;
}

void EventWatch::look_back(const Equations& equations) {
    for (Index k = 0; k < count(); ++k) {
        const bool is_signal =
            system_->signals.events[k] < system_->signals.count() && system_->signals.jump_of(k) < 0;
        if (is_signal && told[k] == 1.0) back_[k] = (value(equations, k) > 0.0) != (start.values[k] > 0.0);
    }
}

void EventWatch::tell_none() { std::fill(told.begin(), told.end(), 0.0); }

double widest(double g0, double s0, double g1, double s1) {
    double most = g0, where = 0.0;
    for (int i = 1; i < cubic_parts; ++i) {
        const double x = static_cast<double>(i) / cubic_parts, g = cubic(g0, s0, g1, s1, x);
        if (g > most) {
            most = g;
            where = x;
        }
    }
    return where;
}

double deepest_dip(double g0, double s0, double g1, double s1) {
    if (!(g0 > 0.0 && g1 > 0.0 && s0 < 0.0 && s1 > 0.0)) return 1.0;
    double least = 0.0, where = 1.0;
    for (int i = 1; i < cubic_parts; ++i) {
        const double x = static_cast<double>(i) / cubic_parts, g = cubic(g0, s0, g1, s1, x);
        if (g < least) {
            least = g;
            where = x;
        }
    }
    return where;
}

}  // namespace flexframe
