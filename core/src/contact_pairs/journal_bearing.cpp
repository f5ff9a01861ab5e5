// A journal in a bearing of finite length: the journal, longer than the bearing, touches the rims of the bore at
// both ends. A point of a rim is ring(φ) = p_a ± ½ l z_a + r_a (x_a cos φ + y_a sin φ); with the axis z of the
// journal and w = ring − p_b its distance from that axis is |w − (w·z) z|, and the gap is the least of it over φ
// less r_b.
#include <algorithm>
#include <cmath>

#include "pairs.hpp"

namespace flexframe {

namespace {

/// Half the square of the distance from the axis with two derivatives by φ.
struct Square {
    Square(const Vector3& ring, const Vector3& slope, const Vector3& bend, const Vector3& z)
        : away(ring - ring.dot(z) * z), slopes(slope - slope.dot(z) * z), bends(bend - bend.dot(z) * z) {}

    double first() const { return away.dot(slopes); }
    double second() const { return slopes.squaredNorm() + away.dot(bends); }

    Vector3 away, slopes, bends;
};

void at(const PlacedShape& bearing, const PlacedShape& journal, const ContactCurve&, ContactPoint* out) {
    const Vector3 x = bearing.axes.col(0), y = bearing.axes.col(1), z = journal.axes.col(2);
    for (int end = 0; end < 2; ++end) {
        const Vector3 centre =
            bearing.position + (end == 0 ? -0.5 : 0.5) * bearing.length * bearing.axes.col(2) - journal.position;
        // the journal at this end lies towards −(centre − (centre·z) z): the nearest point of the rim is there
        const Vector3 off = centre - centre.dot(z) * z;
        double angle = std::atan2(-off.dot(y), -off.dot(x));
        Vector3 ring;
        for (int iteration = 0; iteration < 20; ++iteration) {
            const Vector3 radial = bearing.radius * (std::cos(angle) * x + std::sin(angle) * y);
            const Vector3 tangent = bearing.radius * (std::cos(angle) * y - std::sin(angle) * x);
            ring = centre + radial;
            const Square square(ring, tangent, -radial, z);
            if (!(square.second() > 0.0)) break;  // the journal is in the middle
            const double step = -square.first() / square.second();
            angle += std::min(0.5, std::max(-0.5, step));
            if (std::abs(step) < 1e-12) break;
        }
        const Vector3 away = ring - ring.dot(z) * z;
        const double distance = away.norm();
        const Vector3 n = distance > 0.0 ? Vector3(-away / distance) : Vector3(-x);
        out[end] = {distance - journal.radius, n, journal.position + ring.dot(z) * z - journal.radius * n};
    }
}

}  // namespace

const ContactPair journal_bearing{"journal_bearing", 2, false, &at};

}  // namespace flexframe
