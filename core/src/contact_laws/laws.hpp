// Every law of normal force, each defined in the file of its name, and what those with damping by impact share.
#pragma once

#include "flexframe/contact.hpp"

namespace flexframe {

extern const ContactLaw kelvin_voigt;
extern const ContactLaw hunt_crossley;
extern const ContactLaw lankarani_nikravesh;
extern const ContactLaw flores;
extern const ContactLaw restitution;
extern const ContactLaw impulsive;

/// N = K δⁿ (1 + c δ̇/v) ≥ 0 with v the speed of the impact.
NormalForce force_by_impact(const ContactParameters& parameters, double depth, double rate, double impact);

}  // namespace flexframe
