// Signals: numbers that follow from the state of a system, each from earlier ones, which loads and blocks read.
//
// The state reaches them through measured coordinates s with their rates ṡ, through states z of blocks and through
// values that are held between sampling instants; the gaps of contacts count among the measured coordinates, after
// all others. Reactions r are linear in the multipliers of constraints; a force that follows them, as friction in
// a bearing does, is found with them. States follow ż = g(t, s, ṡ, r, z), g being signals too. Where a step asks
// for z = b + c ż at its end, c a diagonal, z is solved here, so that signals depend on s, ṡ and r alone:
//
//     ∂z/∂(s, ṡ, r) = (1 − c ∂g/∂z)⁻¹ c ∂g/∂(s, ṡ, r) .
//
// Formulas that jump (sign, step, mod) read numbers k that are held while a motion is followed: k = ±1 by the side
// of zero on which an argument is, or the whole number below it. Steps end where arguments pass (event_watch.hpp,
// switching.hpp).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "flexframe/contact.hpp"
#include "flexframe/forces.hpp"
#include "flexframe/time_laws.hpp"
#include "flexframe/views.hpp"

namespace flexframe {

/// What a signal is, in the order of `multibody.signals.Kind`.
enum class SignalKind : Index {
    number,
    time,
    coordinate,  // s of a measured coordinate
    rate,        // ṡ
    state,       // z
    held,        // constant between sampling instants
    linear,      // c₀ + Σ cᵢ sᵢ
    law,         // a formula, table or function of its inputs
    force,       // of a force element at its inputs s and ṡ
    normal,      // force of all places of a contact
    gap,         // the least one of a contact
    reaction,    // of constraints
    jump         // k of what jumps, by the side of its input
};

/// What jumps, in the order of `maths.jumps.JumpKind`: the side of zero, which at zero is none or that above it,
/// or the whole number below.
enum class JumpKind : Index { sign, step, floor };

/// How a jump acts: as its argument says, held on its side, or between both sides so that the argument stays zero.
enum class JumpMode : Index { free, fixed, sliding };

/// A jump: its signal, and the first of two held values, its mode and k.
struct Jump {
    JumpKind kind = JumpKind::sign;
    Index signal = 0, held = 0;

    JumpMode mode(const std::vector<double>& values) const {
        return static_cast<JumpMode>(static_cast<Index>(values[held]));
    }
};

/// k of a free jump.
double jump_value(JumpKind kind, double argument);

/// What constraints do to their second frame: Σ λ of rows, or of their wrench a part along a direction.
struct Reaction {
    Index first = 0, count = 0;  // rows
    bool wrench = false;
    Vector6 direction = Vector6::Zero();  // of force and moment about the place of the first row, in space …
    bool in_first = false;                // … or in the axes of its first frame
};

/// What signals read of a state.
struct SignalSources {
    double time = 0.0;
    const double *coordinates = nullptr, *rates = nullptr;  // measured
    const double* held = nullptr;
    const Touch* touches = nullptr;
    const double* reactions = nullptr;
};

/// The description of all signals, in flat tables.
struct SignalTables {
    std::vector<Index> kinds;        // SignalKind of each
    std::vector<Index> sources;      // coordinate, state, held value, law, force element, contact or reaction
    std::vector<double> constants;   // of numbers and linear signals
    std::vector<Index> starts{0};    // of the inputs of each: (signals + 1,)
    std::vector<Index> inputs;       // numbers of earlier signals
    std::vector<double> factors;     // of linear signals, one for each input
    std::vector<Index> derivatives;  // the signal that is ż of each state
    std::vector<double> initial_states, initial_held;
    std::vector<Index> sample_starts;   // of the groups of values that are sampled together: (groups + 1,)
    std::vector<Index> sampled_held;    // the held value that takes …
    std::vector<Index> sampled_signals; // … the value of this signal
    std::vector<Index> events;  // signals whose passages through zero are looked for; then gaps of touches
    std::vector<Index> event_directions;  // 1: growing, −1: falling, 0: both
    std::vector<Reaction> reactions;
    std::vector<Jump> jumps;

    Index count() const { return static_cast<Index>(kinds.size()); }
    Index states() const { return static_cast<Index>(derivatives.size()); }
    Index held() const { return static_cast<Index>(initial_held.size()); }

    /// Whether a signal reads contacts.
    bool reads_contacts() const;

    /// The signal whose passages a jump follows.
    Index argument(const Jump& jump) const { return inputs[starts[jump.signal]]; }

    /// The jump whose passages an event is, or −1.
    Index jump_of(Index event) const {
        const bool jumps_there =
            events[event] < count() && kinds[events[event]] == static_cast<Index>(SignalKind::jump);
        return jumps_there ? sources[events[event]] : -1;
    }
};

/// The values of all signals at one state, and how they change with s, ṡ, r, z, the time and the k of jumps.
class Signals {
public:
    /// `coordinates` are the measured ones and the gaps; places of contact k are `first_touches` k to k + 1.
    Signals(const SignalTables& tables, Index coordinates, const std::vector<ForceElement>& elements,
            const std::vector<Index>& first_touches);

    bool empty() const { return tables_->count() == 0; }

    /// z = states, and ż is computed.
    void take_states(const std::vector<double>& states);

    /// z = base + factors · ż at the end of a step, one factor for each state.
    void step_states(const Eigen::VectorXd& base, const Eigen::VectorXd& factors);

    /// All values; false where the states of a step are not found.
    bool evaluate(const TimeLaws& laws, const SignalSources& sources);

    /// Gradients with respect to (s, ṡ, r, t, k), those of states included; call it after `evaluate`.
    void differentiate(const TimeLaws& laws);

    double value(Index signal) const { return values_[signal]; }
    const std::vector<double>& values() const { return values_; }
    const Eigen::VectorXd& states() const { return states_; }
    const Eigen::VectorXd& state_rates() const { return state_rates_; }

    /// ∂(signal)/∂(s, ṡ, r, t, k): (2 · coordinates + reactions + 1 + jumps,).
    auto gradient(Index signal) const { return gradients_.col(signal).head(given_count_); }

    /// ∂(signal)/∂t, ∂(signal)/∂k of a jump, and ∂(signal)/∂z, where states are given.
    double slope_by_time(Index signal) const { return gradients_(time_row(), signal); }
    double slope_by_jump(Index signal, Index jump) const { return gradients_(time_row() + 1 + jump, signal); }
    auto slope_by_states(Index signal) const { return gradients_.col(signal).tail(tables_->states()); }

private:
    void run(const TimeLaws& laws);
    void run_gradients(const TimeLaws& laws);
    void find_rates();
    CoordinateForce element_force(Index signal);
    Index deepest(Index contact) const;
    Index time_row() const { return 2 * coordinates_ + static_cast<Index>(tables_->reactions.size()); }

    const SignalTables* tables_;
    Index coordinates_, given_count_;  // those of s, and those of s, ṡ, r, t and k
    const std::vector<ForceElement>* elements_;
    const std::vector<Index>* first_touches_;
    bool stepping_ = false;  // whether states are those of a step
    SignalSources given_;
    std::vector<double> values_, variables_;
    std::vector<double> directions_;  // zero but while a slope is taken
    Eigen::VectorXd states_, state_rates_, base_, factors_;
    Eigen::MatrixXd gradients_;  // by s, ṡ, r, t, k and z, one column for each signal
    std::vector<Jet> stack_;
};

}  // namespace flexframe
