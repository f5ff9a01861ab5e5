// One instance of a functional mock-up unit, whatever version of the interface asks: a running system with its
// inputs, outputs and parameters by value references.
//
//     0 the time, then inputs, then outputs, then the internal step
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "flexframe/model_file.hpp"
#include "flexframe/stepper.hpp"

namespace flexframe::fmu {

/// Status of the interface; both versions number them alike.
enum class Result : int { ok = 0, warning = 1, discard = 2, error = 3, fatal = 4 };

enum class Phase { instantiated, initialising, stepping, terminated };

/// What an instance must have to go on from an earlier point.
struct UnitState {
    RunningState running;
    std::vector<double> inputs;
    double step = 0.0;
    Phase phase = Phase::instantiated;
};

class Unit {
public:
    /// From the folder of resources; a std::runtime_error says what is wrong with it or with the token.
    Unit(const std::string& resources, const std::string& token);

    double get(unsigned reference) const;
    void set(unsigned reference, double value);

    void enter_initialisation(double start);
    void exit_initialisation();
    void terminate();
    void reset();

    /// Go on by a communication step; `ended` where an event stops the motion, the reason in `words`.
    Result step(double point, double length);
    bool ended() const { return stepper_->status() == Status::event; }
    double time() const { return stepper_->time(); }

    UnitState save() const;
    void restore(const UnitState& state);
    std::vector<double> pack(const UnitState& state) const;
    UnitState unpack(const double* numbers, std::size_t count) const;

    std::string words;  // why the last step was not taken

private:
    void begin();

    Model model_;
    std::string path_;
    std::unique_ptr<Stepper> stepper_;
    std::vector<double> inputs_;
    double step_ = 0.0;
    Phase phase_ = Phase::instantiated;
};

/// The path of a folder from its address, file:///…; a path stays as it is.
std::string folder_of(const char* address);

}  // namespace flexframe::fmu
