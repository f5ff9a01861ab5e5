// What jumps at an instant: velocities by an impulse that the constraints pass on, and values that are held.
#pragma once

#include <vector>

#include "flexframe/equations.hpp"

namespace flexframe {

/// The normal impulse, the energy that is lost, and the rate of the gap before.
struct Impact {
    bool found = false;
    double impulse = 0.0, lost = 0.0, speed = 0.0;
    double drives = 0.0;  // work of drives that hold against the impulse
};

/// The rate of the gap of a touch jumps to −restitution times what it was; `u` at the state is changed.
Impact strike(Equations& equations, const State& state, double time, Index touch, double restitution,
              double friction, Vector& u);

/// The held values after groups of them, one bit for each, are sampled at the state that was evaluated last.
std::vector<double> sampled_values(const Equations& equations, const std::vector<double>& held, Index groups);

}  // namespace flexframe
