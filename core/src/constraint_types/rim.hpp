// The rim of a round disc on a plane.
#pragma once

#include <algorithm>
#include <cmath>

#include "flexframe/rotations.hpp"

namespace flexframe {

/// With the normal n of the plane and the axis k of the disc: w = n·k, √(1 − w²) and e = (n − w k)/√(1 − w²),
/// which points from the contact to the centre.
struct Rim {
    double tilt, root;
    Vector3 to_centre;
};

inline Rim rim(const Vector3& normal, const Vector3& axis) {
    const double tilt = normal.dot(axis), root = std::sqrt(std::max(1.0 - tilt * tilt, 0.0));
    return {tilt, root, (normal - tilt * axis) / root};
}

}  // namespace flexframe
