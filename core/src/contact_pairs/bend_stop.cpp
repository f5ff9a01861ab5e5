// The end of the bend of a ball joint: g = l − θ, where θ = atan2(|a × b|, a·b) is the angle between the direction
// a of the first shape (its x) and b of the second one, and l the largest angle. The normal is that of −θ,
//
//     n = −(a × b)/|a × b|,      ġ = n · (ω_b − ω_a) ,
//
// and any direction across a where both are the same.
#include <cmath>

#include "pairs.hpp"

namespace flexframe {

namespace {

void at(const PlacedShape& first, const PlacedShape& second, const ContactCurve&, ContactPoint* out) {
    const Vector3 a = first.axes.col(0), b = second.axes.col(0), across = a.cross(b);
    const double sine = across.norm();
    const Vector3 n = sine > 0.0 ? Vector3(-across / sine) : Vector3(a.unitOrthogonal());
    *out = {first.length - std::atan2(sine, a.dot(b)), n, second.position};
}

}  // namespace

const ContactPair bend_stop{"bend_stop", 1, false, &at, true};

}  // namespace flexframe
