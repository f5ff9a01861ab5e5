// Events: signals, arguments of what jumps and gaps of impulsive contacts that pass zero, where a step ends.
//
// Values are compared at both ends of a step, or of a part of it. A gap is taken between them as the cubic of its
// values and rates, so that none that closes and opens again in a step is missed.
#pragma once

#include <vector>

#include "flexframe/equations.hpp"

namespace flexframe {

/// The values of all events at one state; rates are those of gaps, zero of signals.
struct EventValues {
    std::vector<double> values, rates;
};

class EventWatch {
public:
    explicit EventWatch(const System& system);

    bool any() const { return !start.values.empty(); }
    Index count() const { return static_cast<Index>(start.values.size()); }

    /// The values at the state that equations were evaluated at last, from those where the step begins: the gap of
    /// a stop of a hinge is counted through all turns.
    double value(const Equations& equations, Index event) const;
    double rate(const Equations& equations, Index event) const;
    void read(const Equations& equations, EventValues& out) const;

    /// Take that state for the one where a step begins.
    void begin(const Equations& equations);

    /// After supports of resting shapes were found anew: such shapes part in the next step at the earliest, and
    /// those that were opened are about to be apart or to be struck, whatever rounding says of their gap.
    void begin_rest(const Equations& equations, const std::vector<Index>& opened);

    /// Whether an event is that shapes at rest part, or that a jump that slides leaves: its value is then a force.
    bool releases(const Equations& equations, Index event) const;

    /// Whether an event happens between two values.
    bool passes(Index event, double before, double after) const;

    /// The same from the start of the step to a state.
    bool passed(const Equations& equations, Index event) const;

    /// The first of all events but one that happened since the start of the step; −1: none.
    Index passed_but(const Equations& equations, Index other) const;

    /// Look at the end of a step whether what happened at its start turned signals back, before events are sought
    /// in it: such an event happens again if another one of the same instant turns its signal once more.
    void look_back(const Equations& equations);

    /// What happens at the end of a step, which is the one at hand: an event, and those of the same instant that
    /// are found in the next step.
    void tell(const Equations& equations, Index event, bool with_others);

    /// What happens at the start of a step.
    void tell_at_start(Index event);

    /// Nothing happened in a step.
    void tell_none();

    /// Where a step begins: a value of the far side of zero after an event.
    EventValues start;
    std::vector<double> told;  // of events at the start of a step: 1 of those that are told, 2 of those to be told

private:
    double value_now(const Equations& equations, Index event) const;
    bool passes_since_start(Index event, double now) const;

    /// Whether a value is zero but for rounding at the instant of another event, which may turn its signal back:
    /// it then begins on the side from which its event can happen. A relay without a band has events without an
    /// end.
    bool beside_another(Index event, double now) const;

    const System* system_;  // whoever steps keeps it
    Index last_ = -1;           // event that was told last
    std::vector<bool> back_;    // whether the signal of a told event was turned back
    std::vector<double> clear_;  // the last value of each signal that is no rounding beside those before it
};

/// The part of a step at which the cubic of a gap is largest.
double widest(double g0, double s0, double g1, double s1);

/// The part of a step at which the cubic of a gap that is open at both ends is least, where that is below zero; 1
/// where it stays open.
double deepest_dip(double g0, double s0, double g1, double s1);

}  // namespace flexframe
