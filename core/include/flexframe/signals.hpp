// Signals: numbers that follow from the state of a system, each from earlier ones, which loads and blocks read.
//
// The state reaches them through measured coordinates s with their rates ṡ, through states z of blocks and through
// values that are held between sampling instants. States follow ż = g(t, s, ṡ, z), g being signals too. Where a
// step asks for z = b + c ż at its end, c a diagonal, z is solved here, so that signals depend on s and ṡ alone:
//
//     ∂z/∂(s, ṡ) = (1 − c ∂g/∂z)⁻¹ c ∂g/∂(s, ṡ) .
#pragma once

#include <Eigen/Core>
#include <vector>

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
    law          // a formula of its inputs, or a table of its first one
};

/// The description of all signals, in flat tables.
struct SignalTables {
    std::vector<Index> kinds;        // SignalKind of each
    std::vector<Index> sources;      // coordinate, state, held value or law
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

    Index count() const { return static_cast<Index>(kinds.size()); }
    Index states() const { return static_cast<Index>(derivatives.size()); }
    Index held() const { return static_cast<Index>(initial_held.size()); }

    /// Whether every number is one of something that exists, and every input comes before its signal.
    bool valid(Index coordinates, Index touches, const TimeLaws& laws) const;
};

/// The values of all signals at one state, and how they change with s, ṡ and z.
class Signals {
public:
    Signals(const SignalTables& tables, Index coordinates);

    bool empty() const { return tables_->count() == 0; }

    /// z = states, and ż is computed.
    void take_states(const std::vector<double>& states);

    /// z = base + factors · ż at the end of a step, one factor for each state.
    void step_states(const Eigen::VectorXd& base, const Eigen::VectorXd& factors);

    /// All values at a time from coordinates and rates (one after the other in `measured`) and held values; false
    /// where the states of a step are not found.
    bool evaluate(const TimeLaws& laws, double time, const double* coordinates, const double* rates,
                  const std::vector<double>& held);

    /// Gradients with respect to (s, ṡ), those of states included; call it after `evaluate`.
    void differentiate(const TimeLaws& laws);

    double value(Index signal) const { return values_[signal]; }
    const std::vector<double>& values() const { return values_; }
    const Eigen::VectorXd& states() const { return states_; }
    const Eigen::VectorXd& state_rates() const { return state_rates_; }

    /// ∂(signal)/∂(s, ṡ): (2 · coordinates,).
    auto gradient(Index signal) const { return gradients_.col(signal).head(2 * coordinates_); }

private:
    void run(const TimeLaws& laws);
    void run_gradients(const TimeLaws& laws);
    void find_rates();

    const SignalTables* tables_;
    Index coordinates_;
    double time_ = 0.0;
    bool stepping_ = false;  // whether states are those of a step
    const double *s_ = nullptr, *s_rates_ = nullptr, *held_ = nullptr;
    std::vector<double> values_, variables_;
    std::vector<double> directions_;  // zero but while a slope is taken
    Eigen::VectorXd states_, state_rates_, base_, factors_;
    Eigen::MatrixXd gradients_;  // by s, ṡ and z, one column for each signal
    std::vector<Jet> stack_;
};

}  // namespace flexframe
