// g = n · Δ − r with the normal n of the plane, the first shape, and the centre of the sphere, the second.
#include "pairs.hpp"

namespace flexframe {

namespace {

void at(const PlacedShape& plane, const PlacedShape& sphere, const ContactCurve&, ContactPoint* out) {
    const Vector3 n = plane.axes.col(0);
    *out = {n.dot(sphere.position - plane.position) - sphere.radius, n, sphere.position - sphere.radius * n};
}

}  // namespace

const ContactPair sphere_plane{"sphere_plane", 1, false, &at};

}  // namespace flexframe
