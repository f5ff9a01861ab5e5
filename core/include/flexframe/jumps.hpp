// What jumps at an instant: velocities by an impulse that the constraints pass on, and values that are held.
#pragma once

#include <vector>

#include "flexframe/equations.hpp"

namespace flexframe {

/// The normal impulse, the energy that is lost, and the rate of the gap before.
struct Impact {
    bool found = false;
    bool rests = false;   // shapes stay together from then on
    double impulse = 0.0, lost = 0.0, speed = 0.0;
    double drives = 0.0;  // work of drives that hold against the impulse
};

/// The velocity of the second shape of a touch against the first, at the state that was evaluated last.
Vector3 touch_velocity(Equations& equations, Index touch, const Vector& u);

/// The rate of the gap of a touch jumps to −restitution times what it was; `u` at the state is changed.
Impact strike(Equations& equations, const State& state, double time, Index touch, double restitution,
              double friction, Vector& u);

/// Shapes of touches that move towards each other stop together, as where one that comes to rest pushes another
/// one that rests: impulses of at least zero with which none of them goes on; `u` at the state is changed.
Impact stop_together(Equations& equations, const State& state, double time, const std::vector<Index>& touches,
                     Vector& u);

/// Close the lock with this held value where the joint is, which stops it by an impulse, or open it; `u` and what
/// the state holds are changed. Of several coordinates that are locked together the impulse and the speed
/// are the largest.
Impact close_or_open(Equations& equations, State& state, double time, Index held, Vector& u);

/// The held values after groups of them, one bit for each, are sampled at the state that was evaluated last.
std::vector<double> sampled_values(const Equations& equations, const std::vector<double>& held, Index groups);

}  // namespace flexframe
