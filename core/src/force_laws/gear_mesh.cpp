// Teeth with play: with p = |s| − b/2, the depth of the flanks in each other, f = −sgn(s) max(0, k p + d ṗ) where
// p > 0, else nothing. Flanks do not pull.
#include <algorithm>
#include <cmath>

#include "laws.hpp"

namespace flexframe {

namespace {

CoordinateForce at(const ForceParameters& parameters, double coordinate, double rate, std::vector<Jet>&) {
    const double stiffness = parameters.constants[0], play = parameters.constants[1],
                 damping = parameters.constants[2];
    const double depth = std::abs(coordinate) - 0.5 * play;
    if (!(depth > 0.0)) return {};
    const double side = coordinate > 0.0 ? 1.0 : -1.0;
    const double push = stiffness * depth, damped = damping * side * rate;
    if (push + damped < 0.0) return {-side * push, side * push, 0.0, 0.0};
    return {-side * push, -side * damped, stiffness, damping};
}

double energy(const ForceParameters& parameters, double coordinate, std::vector<Jet>&) {
    const double depth = std::max(std::abs(coordinate) - 0.5 * parameters.constants[1], 0.0);
    return 0.5 * parameters.constants[0] * depth * depth;
}

}  // namespace

const ForceLaw gear_mesh{"gear_mesh", false, &at, &energy};

}  // namespace flexframe
