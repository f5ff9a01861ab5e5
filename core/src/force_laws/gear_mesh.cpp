// Teeth with play: with p = |s| − b/2, the depth of the flanks in each other, f = −sgn(s) max(0, k p + d ṗ) where
// p > 0, else nothing. Flanks do not pull.
#include <algorithm>
#include <cmath>

#include "laws.hpp"

namespace flexframe {

namespace {

CoordinateForce at(const ForceParameters& parameters, double coordinate, double rate) {
    const auto [stiffness, play, damping] = parameters.constants;
    const double depth = std::abs(coordinate) - 0.5 * play;
    if (!(depth > 0.0)) return {};
    const double side = coordinate > 0.0 ? 1.0 : -1.0;
    const double push = stiffness * depth, damped = damping * side * rate;
    const double energy = 0.5 * stiffness * depth * depth;
    if (push + damped < 0.0) return {-side * push, side * push, energy, 0.0, 0.0};
    return {-side * push, -side * damped, energy, stiffness, damping};
}

}  // namespace

const ForceLaw gear_mesh{"gear_mesh", false, &at};

}  // namespace flexframe
