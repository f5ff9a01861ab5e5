// A ball in a hollow sphere, in the plane a journal in its bearing: g = (r_a − r_b) − |Δ|, n = −Δ/|Δ|.
#include "pairs.hpp"

namespace flexframe {

namespace {

void at(const PlacedShape& first, const PlacedShape& second, const ContactCurve&, ContactPoint* out) {
    const Vector3 delta = second.position - first.position;
    const double length = delta.norm();
    const Vector3 n = length > 0.0 ? Vector3(-delta / length) : Vector3::UnitX();
    *out = {first.radius - second.radius - length, n, second.position - second.radius * n};
}

}  // namespace

const ContactPair sphere_in_sphere{"sphere_in_sphere", 1, false, &at};

}  // namespace flexframe
