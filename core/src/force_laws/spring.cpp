// A spring with damper over s − s₀.
#include "characteristic.hpp"
#include "laws.hpp"

namespace flexframe {

namespace {

CoordinateForce at(const ForceParameters& parameters, double coordinate, double rate, std::vector<Jet>& stack) {
    return characteristic(parameters, coordinate - parameters.constants[1], rate, stack);
}

double energy(const ForceParameters& parameters, double coordinate, std::vector<Jet>& stack) {
    return stored_energy(parameters, coordinate - parameters.constants[1], stack);
}

}  // namespace

const ForceLaw spring{"spring", false, &at, &energy};

}  // namespace flexframe
