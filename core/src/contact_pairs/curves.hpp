// Nearest points of a curve, signed: positive on the free side of it.
//
// Every place of the curve that is nearer to the point than its surroundings is found. Where the nearest of all
// has the point on its free side, all such places that have it there count, so that a pin may touch both sides of
// a slot; where the point is inside, the nearest one alone does. The curve goes on along z of its shape,
// unchanged.
#pragma once

#include <algorithm>
#include <cmath>

#include "pairs.hpp"

namespace flexframe {

constexpr Index curve_contacts = 4;  // places at which a sphere may touch a curve

/// A nearest place of a curve: signed distance and direction from it to its free side.
struct NearestPlace {
    double distance = no_gap;
    Eigen::Vector2d normal = Eigen::Vector2d::UnitX();
    bool beyond = false;  // beyond the end of an open curve, behind it
};

/// The nearest places in ascending order of size of their distances.
class NearestPlaces {
public:
    void add(const NearestPlace& place) {
        if (place.beyond) return;
        Index k = std::min(count_, curve_contacts - 1);
        if (count_ == curve_contacts && size(places_[k]) <= size(place)) return;
        for (; k > 0 && size(places_[k - 1]) > size(place); --k) places_[k] = places_[k - 1];
        places_[k] = place;
        count_ = std::min(count_ + 1, curve_contacts);
    }

    /// As gaps of a sphere.
    void write(const PlacedShape& curve, const PlacedShape& sphere, ContactPoint* out) const {
        const bool inside = count_ > 0 && places_[0].distance < 0.0;
        for (Index k = 0; k < curve_contacts; ++k) {
            out[k] = ContactPoint();
            if (k >= count_ || (k > 0 && (inside || places_[k].distance < 0.0))) continue;
            const Vector3 n = curve.axes.leftCols<2>() * places_[k].normal;
            out[k] = {places_[k].distance - sphere.radius, n, sphere.position - sphere.radius * n};
        }
    }

private:
    static double size(const NearestPlace& place) { return std::abs(place.distance); }

    NearestPlace places_[curve_contacts];
    Index count_ = 0;
};

/// The centre of the sphere in the plane of the curve.
inline Eigen::Vector2d in_plane(const PlacedShape& curve, const PlacedShape& sphere) {
    return curve.axes.leftCols<2>().transpose() * (sphere.position - curve.position);
}

/// To the right of a tangent.
inline Eigen::Vector2d right_of(const Eigen::Vector2d& tangent) {
    return Eigen::Vector2d(tangent[1], -tangent[0]).normalized();
}

/// The place of a corner or an end with the normals before and after it.
inline NearestPlace at_corner(const Eigen::Vector2d& away, const Eigen::Vector2d& before,
                              const Eigen::Vector2d& after) {
    NearestPlace out;
    const double distance = away.norm();
    const Eigen::Vector2d both = before + after;
    const double side = away.dot(both) < 0.0 ? -1.0 : 1.0;
    out.distance = side * distance;
    out.normal = distance > 1e-14 ? Eigen::Vector2d(side / distance * away) : Eigen::Vector2d(both.normalized());
    return out;
}

}  // namespace flexframe
