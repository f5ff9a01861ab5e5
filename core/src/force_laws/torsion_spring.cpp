// A spring with damper over the angle s − s₀ between −π and π.
#include <cmath>

#include "characteristic.hpp"
#include "laws.hpp"

namespace flexframe {

namespace {

constexpr double pi = 3.141592653589793;

/// s − s₀ in (−π, π].
double twist(const ForceParameters& parameters, double coordinate) {
    const double angle = coordinate - parameters.constants[1];
    return angle - 2.0 * pi * std::ceil((angle - pi) / (2.0 * pi));
}

CoordinateForce at(const ForceParameters& parameters, double coordinate, double rate, std::vector<Jet>& stack) {
    return characteristic(parameters, twist(parameters, coordinate), rate, stack);
}

double energy(const ForceParameters& parameters, double coordinate, std::vector<Jet>& stack) {
    return stored_energy(parameters, twist(parameters, coordinate), stack);
}

}  // namespace

const ForceLaw torsion_spring{"torsion_spring", false, &at, &energy};

}  // namespace flexframe
