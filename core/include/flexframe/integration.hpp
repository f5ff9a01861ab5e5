// What integrators have in common: intervals of equal steps, how a call ends, and a budget of time, so that the
// caller can look up.
#pragma once

#include <chrono>

#include "flexframe/views.hpp"

namespace flexframe {

/// How a call of an integrator ended, in the order of `multibody.integrators.recording`.
enum class Status : Index {
    done,
    singular,
    no_convergence,
    not_finite,
    too_bent,
    no_inertia,
    too_small,
    running,
    stiff,
    event,
    folded  // an exact beam whose ends turn by nearly half a revolution against each other
};

/// Status, samples that are taken, the time that was reached, and the body that bends too far or the event.
struct Outcome {
    Status status = Status::done;
    Index taken = 0;
    double time = 0.0;
    Index body = -1;
};

/// What is kept at the end of an interval.
enum class Kept : Index { nothing, sample, step };

/// Intervals of equal steps, one after the other.
struct Intervals {
    View<const double, 1> starts, steps;
    View<const Index, 1> firsts, counts;  // number of the first step from the start, and of steps
    View<const double, 1> ends;
    View<const Index, 1> kept;  // Kept
    View<const Index, 1> sampled;  // groups of held values that are sampled at the end, one bit for each; or none

    /// When a step of an interval ends: at its end an interval is where it is said to be, whatever rounding of its
    /// steps makes of that.
    double time(Index interval, Index step) const {
        const bool groups = sampled.count() > 0 && sampled(interval) != 0;
        const bool stops = groups || static_cast<Kept>(kept(interval)) == Kept::sample;
        if (stops && step + 1 == counts(interval)) return ends(interval);
        return starts(interval) + static_cast<double>(firsts(interval) + step + 1) * steps(interval);
    }
};

/// What steps of equal length took. Those into which one is divided are counted instead of it.
struct StepCounts {
    Index steps = 0, iterations = 0, factorisations = 0, evaluations = 0;
    Index halved = 0;  // steps, and parts of them, that were taken in two halves since their iteration failed
};

/// Wall time that a call may take; a motion does not depend on where it is interrupted.
class Budget {
public:
    explicit Budget(double seconds) : end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                              std::chrono::duration<double>(seconds))) {}
    bool spent() const { return Clock::now() >= end_; }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point end_;
};

}  // namespace flexframe
