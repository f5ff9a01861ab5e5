// What it takes to step a system from outside beside its equations: inputs and outputs by name, when held values
// are sampled, what events do, and the steps of the integrator.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "flexframe/views.hpp"

namespace flexframe {

/// A name with a unit, as tables and files show it.
struct NamedValue {
    std::string name, unit;
};

/// A signal that whoever steps the system reads.
struct Output {
    NamedValue value;
    Index signal = 0;
};

/// When a group of held values is sampled: offset + k · period.
struct SamplingTimes {
    double period = 0.0, offset = 0.0;
    bool by_function = false;  // whether somebody outside gives the values
};

/// A number with so many digits after the first, so that times that are equal but for rounding are the same.
double rounded(double value, int digits);

/// Instants that are the same but for rounding, relative to a period.
constexpr double same_instant = 1e-9;

/// The groups that are sampled at a time, one bit for each; at the `last` time of a call also those that are due
/// there but for rounding.
Index groups_at(const std::vector<SamplingTimes>& samplings, double time, double last);

/// The first instant of sampling after a time and before the last one; else the last one.
double next_instant(const std::vector<SamplingTimes>& samplings, double time, double last);

/// What happens when an event of the system does.
struct EventAction {
    std::string name;
    bool stop = false;
    std::vector<Index> held;     // held values that are set …
    std::vector<double> values;  // … to these
    Index touch = -1;            // whose shapes are thrown back
    double restitution = 1.0, friction = 0.0;
    double least_speed = 0.0;    // of an impact, below which shapes rest on each other
    Index lock = -1;             // held value that closes a lock
};

struct Stepping {
    std::vector<NamedValue> inputs;  // the first held values of the system
    std::vector<Output> outputs;
    std::vector<SamplingTimes> samplings;  // of the groups of the signals
    std::vector<EventAction> events;
    double step = 0.0;                // the longest of the integrator
    std::array<double, 4> method{};   // α_m, α_f, β, γ
    double limit = 0.0;               // rotation of a section [rad] that ends the motion
};

}  // namespace flexframe
