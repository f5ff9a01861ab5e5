// Every type of constraint, each defined in the file of its name.
#pragma once

#include "flexframe/constraints.hpp"

namespace flexframe {

extern const ConstraintType along;
extern const ConstraintType perpendicular;
extern const ConstraintType rotation;
extern const ConstraintType mesh_angle;
extern const ConstraintType distance;
extern const ConstraintType displacement;
extern const ConstraintType rim_height;
extern const ConstraintType rim_slip;
extern const ConstraintType blade_slip;

}  // namespace flexframe
