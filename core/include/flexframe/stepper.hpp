// A running system: it goes on from instant to instant with inputs that are held in between, samples and events
// included, and gives its outputs. Nothing of Python is needed, so that the same serves a unit for co-simulation.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "flexframe/generalised_alpha.hpp"
#include "flexframe/model_file.hpp"
#include "flexframe/stepping.hpp"

namespace flexframe {

/// An event that happened.
struct Happened {
    Index event = 0;
    double time = 0.0;
    Impact impact;
    bool closed = false;  // a lock
    bool parts = false;   // shapes that rested on each other
};

/// Where a running system is, with all that it takes to go on bit by bit.
struct RunningState {
    double time = 0.0, origin = 0.0, length = 0.0;
    Index count = 0;
    std::vector<double> outputs;
    State state;
    std::map<std::string, std::vector<double>> memory;
};

class Stepper {
public:
    /// Values that somebody outside gives for groups of held values at an instant; false ends the motion.
    using Functions = std::function<bool(Index groups, double time, double step)>;

    Stepper(std::shared_ptr<const System> system, Stepping stepping);

    const System& system() const { return *system_; }
    const Stepping& stepping() const { return stepping_; }
    GeneralisedAlpha& method() { return *method_; }
    const GeneralisedAlpha& method() const { return *method_; }

    /// Begin at a state that meets the constraints; `expected` is the length of the first call of `go`.
    Status start(const State& state, double time, double expected);

    /// Go on by a length of time; steps of equal length that follow each other end at multiples of it.
    Status step(double length) { return go(next(length), length); }

    /// Go on to a time with inputs as they are.
    Status go(double end) { return go(end, end - time_); }

    /// Inputs from the next step on: (inputs,).
    void set_inputs(const double* values);

    /// Let inputs act at once, so that outputs are those of the new ones.
    Status apply_inputs();

    /// Another length of internal steps.
    void set_step(double step) { stepping_.step = step; }
    double input(Index k) const { return wanted_[k]; }

    double time() const { return time_; }
    Status status() const { return status_; }
    Index body() const { return body_; }  // that bends too far, or the event that ended the motion

    /// Values of all outputs and signals, and what the sample at hand holds.
    const std::vector<double>& outputs() const { return outputs_; }
    const std::vector<double>& signals() const { return signals_; }

    RunningState save() const;
    bool restore(const RunningState& saved);

    std::vector<Happened> happened;  // since the caller looked
    Functions functions;

private:
    /// An interval of equal steps to an instant, and groups that are sampled there.
    struct Piece {
        double begin = 0.0, step = 0.0, end = 0.0;
        Index count = 0, groups = 0;
    };

    double next(double length);
    Status go(double end, double length);
    bool take_inputs(double step);
    Outcome run(const Piece& piece, bool sampled);
    Piece piece_to(double end, double last) const;
    bool act(Index event, double time, double step);
    bool close_locks(double time, double step);
    bool call_functions(Index groups, double time, double step);
    void keep_outputs();

    std::shared_ptr<const System> system_;
    Stepping stepping_;
    std::unique_ptr<GeneralisedAlpha> method_;
    std::vector<double> wanted_;  // inputs
    double time_ = 0.0;
    double origin_ = 0.0, length_ = 0.0;  // steps of one length count from here
    Index count_ = 0;
    Status status_ = Status::done;
    Index body_ = -1;
    std::vector<double> outputs_, signals_;
    KeptInstants row_;
};

/// The whole running system in a file, and on from there; false where the file is of another system.
void write_running(const std::string& path, const Stepper& stepper);
bool read_running(const std::string& path, Stepper& stepper);

/// A running state as numbers, and back; false where they are not those of such a state.
std::vector<double> pack(const RunningState& state);
bool unpack(const double* numbers, Index count, RunningState& state);

/// Why a motion ended, in words.
std::string reason_of(const Stepper& stepper);

}  // namespace flexframe
