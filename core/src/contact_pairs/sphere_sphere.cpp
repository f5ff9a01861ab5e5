// g = |Δ| − r_a − r_b, n = Δ/|Δ|; centres that coincide are pushed apart along x.
#include "pairs.hpp"

namespace flexframe {

namespace {

void at(const PlacedShape& first, const PlacedShape& second, const ContactCurve&, ContactPoint* out) {
    const Vector3 delta = second.position - first.position;
    const double length = delta.norm();
    const Vector3 n = length > 0.0 ? Vector3(delta / length) : Vector3::UnitX();
    *out = {length - first.radius - second.radius, n, second.position - second.radius * n};
}

}  // namespace

const ContactPair sphere_sphere{"sphere_sphere", 1, false, &at};

}  // namespace flexframe
