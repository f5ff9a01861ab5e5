// f = −F tanh(ṡ/v): Coulomb's friction, smoothed over a small velocity v.
#include <cmath>

#include "laws.hpp"

namespace flexframe {

namespace {

CoordinateForce at(const ForceParameters& parameters, double, double rate, std::vector<Jet>&) {
    const double limit = parameters.constants[0], velocity = parameters.constants[1];
    const double part = std::tanh(rate / velocity);
    return {0.0, -limit * part, 0.0, limit * (1.0 - part * part) / velocity};
}

}  // namespace

const ForceLaw friction{"friction", false, &at, nullptr};

}  // namespace flexframe
