// What integrators have in common: how a call ends, and a budget of time, so that the caller can look up.
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
    event
};

/// Status, samples that are taken, the time that was reached, and the body that bends too far or the event.
struct Outcome {
    Status status = Status::done;
    Index taken = 0;
    double time = 0.0;
    Index body = -1;
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
