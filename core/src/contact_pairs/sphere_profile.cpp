// A sphere or a point against a smooth curve: between its points c(s) is the cubic with values p and second
// derivatives b at both,
//
//     c = A p₀ + B p₁ + (A³ − A) h²/6 b₀ + (B³ − B) h²/6 b₁,     A = (s₁ − s)/h,  B = 1 − A .
//
// Nearest places have (c − p)·c′ = 0: they are bracketed by samples of the distance and found by Newton's
// iteration, kept in its bracket.
#include "curves.hpp"

namespace flexframe {

namespace {

using Vector2 = Eigen::Vector2d;

constexpr Index samples = 4;  // of the distance on each segment

/// A point of the curve with two derivatives.
struct CurvePoint {
    Vector2 value, slope, bend;
};

/// At a number of segments from the first point, whole parts being points.
CurvePoint point_at(const ContactCurve& curve, double place) {
    const Index k = std::min(std::max<Index>(static_cast<Index>(std::floor(place)), 0), curve.segments() - 1);
    const double h = curve.parameters[k + 1] - curve.parameters[k];
    const double B = place - static_cast<double>(k), A = 1.0 - B;
    const auto p0 = curve.points.col(k), p1 = curve.points.col(k + 1);
    const auto b0 = curve.bends.col(k), b1 = curve.bends.col(k + 1);
    CurvePoint out;
    out.value = A * p0 + B * p1 + h * h / 6.0 * ((A * A * A - A) * b0 + (B * B * B - B) * b1);
    out.slope = (p1 - p0) / h + h / 6.0 * ((3.0 * B * B - 1.0) * b1 - (3.0 * A * A - 1.0) * b0);
    out.bend = A * b0 + B * b1;
    return out;
}

/// Squared distance, half of it, and its derivative by the number of segments.
double slope_of_square(const ContactCurve& curve, const Vector2& p, double place) {
    const CurvePoint c = point_at(curve, place);
    return (c.value - p).dot(c.slope);
}

/// Where (c − p)·c′ passes zero upwards between two places.
double refine(const ContactCurve& curve, const Vector2& p, double low, double high) {
    double place = 0.5 * (low + high);
    for (int iteration = 0; iteration < 60; ++iteration) {
        const CurvePoint c = point_at(curve, place);
        const double first = (c.value - p).dot(c.slope);
        (first < 0.0 ? low : high) = place;
        const Index k = std::min<Index>(static_cast<Index>(place), curve.segments() - 1);
        const double h = curve.parameters[k + 1] - curve.parameters[k];
        const double second = h * (c.slope.squaredNorm() + (c.value - p).dot(c.bend));
        double next = second > 0.0 ? place - first / second : low - 1.0;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (std::abs(next - place) < 1e-14 * static_cast<double>(curve.segments())) return next;
        place = next;
    }
    return place;
}

NearestPlace place_at(const ContactCurve& curve, const Vector2& p, double place) {
    const CurvePoint c = point_at(curve, place);
    NearestPlace out;
    out.normal = right_of(c.slope);
    out.distance = out.normal.dot(p - c.value);
    return out;
}

NearestPlace end_at(const ContactCurve& curve, const Vector2& p, double place) {
    const CurvePoint c = point_at(curve, place);
    NearestPlace out = at_corner(p - c.value, right_of(c.slope), right_of(c.slope));
    out.beyond = out.distance < 0.0;
    return out;
}

void at(const PlacedShape& profile, const PlacedShape& sphere, const ContactCurve& curve, ContactPoint* out) {
    const Vector2 p = in_plane(profile, sphere);
    NearestPlaces found;
    const Index count = samples * curve.segments();
    const double end = static_cast<double>(curve.segments());
    double before = slope_of_square(curve, p, 0.0);
    if (!curve.closed && before > 0.0) found.add(end_at(curve, p, 0.0));
    for (Index k = 1; k <= count; ++k) {
        const double place = k == count ? end : static_cast<double>(k) / samples;
        const double now = slope_of_square(curve, p, place);
        if (before <= 0.0 && now > 0.0) {
            found.add(place_at(curve, p, refine(curve, p, place - 1.0 / samples, place)));
        }
        before = now;
    }
    if (!curve.closed && before <= 0.0) found.add(end_at(curve, p, end));
    found.write(profile, sphere, out);
}

}  // namespace

const ContactPair sphere_profile{"sphere_profile", curve_contacts, true, &at};

}  // namespace flexframe
