// The end of the angle of a hinge: g = l − φ, where φ = atan2(y·e, x·e) in (−π, π] is the angle of the direction
// e of the second shape (its x) about z of the first one, and l the largest angle. The normal is that of −φ,
//
//     n = (cos φ (y × e) − sin φ (x × e))/ρ,      ρ = √((x·e)² + (y·e)²),      ġ = n · (ω_b − ω_a) ,
//
// which is −z where the axes of both are the same.
#include <cmath>

#include "pairs.hpp"

namespace flexframe {

namespace {

void at(const PlacedShape& first, const PlacedShape& second, const ContactCurve&, ContactPoint* out) {
    const Vector3 x = first.axes.col(0), y = first.axes.col(1), e = second.axes.col(0);
    const double cosine = x.dot(e), sine = y.dot(e), size = cosine * cosine + sine * sine;
    const Vector3 n = (cosine * y.cross(e) - sine * x.cross(e)) / size;
    *out = {first.length - std::atan2(sine, cosine), n, second.position};
}

}  // namespace

const ContactPair angle_stop{"angle_stop", 1, false, &at, true};

}  // namespace flexframe
