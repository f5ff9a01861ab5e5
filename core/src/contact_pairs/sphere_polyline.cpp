// A sphere or a point against straight lines between points, extended along z: g = signed distance − r. A corner
// that sticks out is round of radius zero, one that goes in has two nearest places.
#include "curves.hpp"

namespace flexframe {

namespace {

void at(const PlacedShape& line, const PlacedShape& sphere, const ContactCurve& curve, ContactPoint* out) {
    using Vector2 = Eigen::Vector2d;
    const Vector2 p = in_plane(line, sphere);
    const Index count = curve.segments();
    NearestPlaces found;
    const auto side = [&](Index k) { return Vector2(curve.points.col(k + 1) - curve.points.col(k)); };
    const auto part = [&](Index k) {
        return (p - curve.points.col(k)).dot(side(k)) / side(k).squaredNorm();
    };
    for (Index k = 0; k < count; ++k) {
        const double s = part(k);
        if (s > 0.0 && s < 1.0) {
            const Vector2 n = right_of(side(k));
            NearestPlace place;
            place.distance = n.dot(p - curve.points.col(k));
            place.normal = n;
            found.add(place);
        }
        if (s > 0.0) continue;
        // before the first point of this side: its corner is the nearest if the side before ends before the point
        const Vector2 away = p - curve.points.col(k), n = right_of(side(k));
        if (k == 0 && !curve.closed) {
            NearestPlace end = at_corner(away, n, n);
            end.beyond = end.distance < 0.0;
            found.add(end);
            continue;
        }
        const Index before = k == 0 ? count - 1 : k - 1;
        if (part(before) >= 1.0) found.add(at_corner(away, right_of(side(before)), n));
    }
    if (!curve.closed && part(count - 1) >= 1.0) {
        const Vector2 n = right_of(side(count - 1));
        NearestPlace end = at_corner(p - curve.points.col(count), n, n);
        end.beyond = end.distance < 0.0;
        found.add(end);
    }
    found.write(line, sphere, out);
}

}  // namespace

const ContactPair sphere_polyline{"sphere_polyline", curve_contacts, true, &at};

}  // namespace flexframe
