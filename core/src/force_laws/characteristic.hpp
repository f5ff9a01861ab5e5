// The characteristic of a spring with damper: force over its stretch e and the rate v of it.
//
// Constants: stiffness k, free value, damping d, preload P, clearance c, and +1 where it only pulls, −1 where it
// only pushes. With z = e less its part within ±c the elastic force is P − k z, a curve f(e), or a formula or
// table f(e, 0); what these add at v is not elastic. The damper −d(v) v works while the spring does.
#pragma once

#include "flexframe/forces.hpp"

namespace flexframe {

CoordinateForce characteristic(const ForceParameters& parameters, double stretch, double rate,
                               std::vector<Jet>& stack);

/// What is stored: −∫ of the elastic force over the stretch.
double stored_energy(const ForceParameters& parameters, double stretch, std::vector<Jet>& stack);

}  // namespace flexframe
