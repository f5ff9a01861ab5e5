// f = −k (s − s₀) − d ṡ with the angle s − s₀ between −π and π.
#include <cmath>

#include "laws.hpp"

namespace flexframe {

namespace {

constexpr double pi = 3.141592653589793;

CoordinateForce at(const ForceParameters& parameters, double coordinate, double rate) {
    const auto [stiffness, free, damping] = parameters.constants;
    const double turns = std::ceil((coordinate - free - pi) / (2.0 * pi));
    const double twist = coordinate - free - 2.0 * pi * turns;  // in (−π, π]
    return {-stiffness * twist, -damping * rate, 0.5 * stiffness * twist * twist, stiffness, damping};
}

}  // namespace

const ForceLaw torsion_spring{"torsion_spring", false, &at};

}  // namespace flexframe
