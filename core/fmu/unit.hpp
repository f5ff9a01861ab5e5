// One instance of a functional mock-up unit, whatever version of the interface asks: a running system for
// co-simulation, or its equations for model exchange, with all variables by value references:
//
//     0 the time, then inputs, outputs, the internal step; of a system that can be equations with events also its
//     states, their derivatives, and event indicators
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flexframe/continuous_system.hpp"
#include "flexframe/model_file.hpp"
#include "flexframe/stepper.hpp"

namespace flexframe::fmu {

/// Status of the interface; both versions number them alike.
enum class Result : int { ok = 0, warning = 1, discard = 2, error = 3, fatal = 4 };

enum class Kind { co_simulation, model_exchange };

enum class Phase { instantiated, initialising, running, terminated };

/// What an instance must have to go on from an earlier point.
struct UnitState {
    std::optional<RunningState> running;    // of co-simulation
    std::optional<ContinuousPoint> point;   // of model exchange
    std::vector<double> inputs, starts;
    double step = 0.0;
    Phase phase = Phase::instantiated;
    bool started_anew = false;
};

class Unit {
public:
    /// From the folder of resources; a std::runtime_error says what is wrong with it or with the token.
    Unit(const std::string& resources, const std::string& token, Kind kind);

    /// What is wrong with a reference or a value is a std::invalid_argument; a variable that cannot be found, as
    /// with states that meet no constraint, a std::runtime_error.
    double get(unsigned reference);
    void set(unsigned reference, double value);

    /// The time at which a simulator starts must be that of the model.
    void require_start(double start) const;
    void enter_initialisation();
    void exit_initialisation();
    void terminate();
    void reset();

    // --- co-simulation ------------------------------------------------------------------------------------------

    /// Go on by a communication step; `ended` where an event stops the motion, the reason in `words`.
    Result step(double point, double length);
    bool ended() const { return stepper_->status() == Status::event; }
    double time() const { return kind_ == Kind::model_exchange ? continuous_->time() : stepper_->time(); }

    // --- model exchange -----------------------------------------------------------------------------------------

    void set_time(double time);
    void set_states(const double* x, std::size_t count);
    void get_states(double* x, std::size_t count);
    void get_nominals(double* out, std::size_t count);
    Result get_derivatives(double* out, std::size_t count);
    Result get_indicators(double* out, std::size_t count);
    Result complete_step(bool& event);
    Result update(EventOutcome& outcome);
    std::size_t state_count() { return static_cast<std::size_t>(exchanged().state_count()); }
    std::size_t indicator_count() { return static_cast<std::size_t>(exchanged().indicator_count()); }

    /// Slopes of unknowns, outputs or derivatives, along a direction of knowns, inputs or states.
    Result slopes(const std::vector<unsigned>& unknowns, const std::vector<unsigned>& knowns, const double* seed,
                  double* out);

    UnitState save() const;
    void restore(const UnitState& state);
    std::vector<double> pack(const UnitState& state) const;
    UnitState unpack(const double* numbers, std::size_t count) const;

    std::string words;  // why the last step was not taken

private:
    /// What a reference is of, and its number there.
    enum class Sort { time, input, output, step, state, derivative, indicator };
    struct Variable {
        Sort sort;
        std::size_t number;
    };

    Variable variable(unsigned reference) const;
    std::string name_of(const Variable& variable) const;
    void begin();
    void look_at_motion();
    ContinuousSystem& exchanged();
    Result told(bool done);

    Model model_;
    std::string path_;
    Kind kind_;
    std::unique_ptr<Stepper> stepper_;            // of co-simulation
    std::unique_ptr<ContinuousSystem> continuous_;  // none of a system that cannot be one
    std::vector<double> inputs_;
    std::vector<double> starts_;                  // states at the start, as they are asked for
    bool started_anew_ = false;                   // whether these are others than those of the model
    double step_ = 0.0;
    Phase phase_ = Phase::instantiated;
};

/// The path of a folder from its address, file:///…; a path stays as it is.
std::string folder_of(const char* address);

}  // namespace flexframe::fmu
