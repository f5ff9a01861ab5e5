// N = K δ + d δ̇, never tension (Kelvin and Voigt). It jumps by d δ̇ where the shapes meet.
#include <cmath>

#include "laws.hpp"

namespace flexframe {

namespace {

NormalForce at(const ContactParameters& parameters, double depth, double rate, double) {
    NormalForce out;
    out.elastic = parameters.stiffness * depth;
    out.energy = 0.5 * out.elastic * depth;
    const double force = out.elastic + parameters.damping * rate;
    if (force <= 0.0) return out;
    out.force = force;
    out.stiffness = parameters.stiffness;
    out.damping = parameters.damping;
    return out;
}

}  // namespace

const ContactLaw kelvin_voigt{"kelvin_voigt", nullptr, &at};

}  // namespace flexframe
