// Every law of force along a coordinate, each defined in the file of its name.
#pragma once

#include "flexframe/forces.hpp"

namespace flexframe {

extern const ForceLaw spring;
extern const ForceLaw torsion_spring;
extern const ForceLaw friction;
extern const ForceLaw motor;
extern const ForceLaw actuator;
extern const ForceLaw gear_mesh;
extern const ForceLaw belt;
extern const ForceLaw cable;

}  // namespace flexframe
