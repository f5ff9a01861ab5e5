#include "flexframe/switching.hpp"

#include <algorithm>
#include <cmath>

namespace flexframe {

namespace {

constexpr double within = 1e-9;  // rounding of k beyond its sides

/// Sides that are tried at a state, and what comes of them.
class Trial {
public:
    Trial(Equations& equations, const State& state, double time)
        : equations_(equations),
          state_(state),
          time_(time),
          x_(Vector::Zero(equations.system().size)),
          multipliers_(Vector::Zero(equations.system().row_count())) {}

    std::vector<double>& held() { return state_.held; }

    void set(const Jump& jump, JumpMode mode, double k) {
        state_.held[jump.held] = static_cast<double>(mode);
        state_.held[jump.held + 1] = k;
    }

    /// Arguments of all jumps as they are.
    std::vector<double> arguments() {
        equations_.evaluate(state_, time_, x_.data(), multipliers_.data(), Detail::residual);
        const SignalTables& t = equations_.system().signals;
        std::vector<double> out;
        for (const Jump& jump : t.jumps) out.push_back(equations_.signals.value(t.argument(jump)));
        return out;
    }

    bool solve() { return equations_.accelerations(state_, time_, x_.data(), multipliers_.data()); }

    /// σ̇ of a jump on one of its sides; false where a motion has no inertia.
    bool rate_on(Index jump, double side, double& out) {
        set(jumps()[jump], JumpMode::fixed, side);
        if (!solve()) return false;
        out = equations_.jump_rate(jump, x_.data());
        return true;
    }

    /// Let a jump slide: whether a k between its sides holds its argument. Others that would leave theirs do so.
    bool slide(Index jump) {
        const std::vector<double> before = state_.held;
        set(jumps()[jump], JumpMode::sliding, 0.0);
        for (std::size_t round = 0; round <= jumps().size(); ++round) {
            if (!solve()) break;
            equations_.keep_conditions(state_);
            const Jump* beyond = nullptr;
            for (const Jump& each : jumps()) {
                if (each.mode(state_.held) != JumpMode::sliding) continue;
                if (std::abs(state_.held[each.held + 1]) > 1.0 + within) beyond = &each;
            }
            if (beyond == nullptr) return true;
            if (beyond == &jumps()[jump]) break;
            set(*beyond, JumpMode::fixed, state_.held[beyond->held + 1] > 0.0 ? 1.0 : -1.0);
        }
        state_.held = before;
        return false;
    }

    const std::vector<Jump>& jumps() const { return equations_.system().signals.jumps; }

private:
    Equations& equations_;
    State state_;
    double time_;
    Vector x_, multipliers_;
};

}  // namespace

double jump_margin(const Equations& equations, Index jump) {
    const SignalTables& t = equations.system().signals;
    const Jump& own = t.jumps[jump];
    const double argument = equations.signals.value(t.argument(own)), k = equations.signals.value(own.signal);
    switch (own.mode(equations.held())) {
        case JumpMode::free: return 1.0;
        case JumpMode::sliding: return 1.0 - std::abs(k);
        case JumpMode::fixed: break;
    }
    return own.kind == JumpKind::floor ? std::min(argument - k, k + 1.0 - argument) : k * argument;
}

std::vector<double> sides_at_start(Equations& equations, const State& state, double time) {
    Trial trial(equations, state, time);
    for (const Jump& jump : trial.jumps()) trial.set(jump, JumpMode::free, 0.0);
    const std::vector<double> arguments = trial.arguments();
    std::vector<Index> open;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const Jump& jump = trial.jumps()[k];
        const bool decided = jump.kind == JumpKind::floor || arguments[k] != 0.0;
        trial.set(jump, JumpMode::fixed, decided ? jump_value(jump.kind, arguments[k]) : 1.0);
        if (!decided) open.push_back(static_cast<Index>(k));
    }
    for (Index jump : open) {
        double above = 0.0, below = 0.0;
        if (!trial.rate_on(jump, -1.0, below) || !trial.rate_on(jump, 1.0, above)) return {};
        if (above > 0.0 || (above == 0.0 && below == 0.0)) continue;
        if (below < 0.0 || !trial.slide(jump)) trial.set(trial.jumps()[jump], JumpMode::fixed, -1.0);
    }
    return trial.held();
}

std::vector<double> sides_beyond(Equations& equations, const State& state, double time, Index jump) {
    Trial trial(equations, state, time);
    const Jump& own = trial.jumps()[jump];
    const double k = state.held[own.held + 1];
    if (own.mode(state.held) == JumpMode::sliding) {
        trial.set(own, JumpMode::fixed, k > 0.0 ? 1.0 : -1.0);
        return trial.held();
    }
    const double argument = trial.arguments()[jump];
    if (own.kind == JumpKind::floor) {
        trial.set(own, JumpMode::fixed, argument < k + 0.5 ? k - 1.0 : k + 1.0);
        return trial.held();
    }
    double onward = 0.0;
    if (!trial.rate_on(jump, -k, onward)) return {};
    if (-k * onward < 0.0 && trial.slide(jump)) return trial.held();
    trial.set(own, JumpMode::fixed, -k);
    return trial.held();
}

}  // namespace flexframe
