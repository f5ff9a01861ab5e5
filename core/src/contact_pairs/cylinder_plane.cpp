// The lowest points of the two rims of a finite cylinder against a plane: with the axis z of the cylinder, its
// ends e = p ± ½ l z and the direction t = −(n − (n·z) z)/|…| of the rim towards the plane, g = n · (e + r t −
// p_plane).
#include "pairs.hpp"

namespace flexframe {

namespace {

void at(const PlacedShape& plane, const PlacedShape& cylinder, const ContactCurve&, ContactPoint* out) {
    const Vector3 n = plane.axes.col(0), z = cylinder.axes.col(2);
    const Vector3 across = n.dot(z) * z - n;
    const double size = across.norm();
    const Vector3 rim = size > 1e-12 ? Vector3(cylinder.radius / size * across) : Vector3::Zero();
    for (int end = 0; end < 2; ++end) {
        const Vector3 lowest = cylinder.position + (end == 0 ? -0.5 : 0.5) * cylinder.length * z + rim;
        out[end] = {n.dot(lowest - plane.position), n, lowest};
    }
}

}  // namespace

const ContactPair cylinder_plane{"cylinder_plane", 2, false, &at};

}  // namespace flexframe
