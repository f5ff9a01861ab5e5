// s = atan2(z · y, x · y): the angle by which the second frame is turned about an axis of the first.
#include <cmath>

#include "types.hpp"

namespace flexframe {

namespace {

void value(const PlacedRow& row, RowValue& out) {
    const double sine = row.z.dot(row.y), cosine = row.x.dot(row.y);
    const double size = sine * sine + cosine * cosine;
    out.value = std::atan2(sine, cosine);
    const Vector3 turning = cosine / size * row.z.cross(row.y) - sine / size * row.x.cross(row.y);
    out.first.tail<3>() += turning;
    out.second.tail<3>() -= turning;
}

void rate(const PlacedRow& row, RowRate& out) {
    const double sine = row.z.dot(row.y), cosine = row.x.dot(row.y);
    const double size = sine * sine + cosine * cosine;
    const RowRate s = rate_of_product(row.z, row.y, row.a.angular_velocity, row.b.angular_velocity);
    const RowRate c = rate_of_product(row.x, row.y, row.a.angular_velocity, row.b.angular_velocity);
    out.rate = (cosine * s.rate - sine * c.rate) / size;
    const double growth = 2.0 * (sine * s.rate + cosine * c.rate) * out.rate;
    out.bias = (cosine * s.bias - sine * c.bias - growth) / size;
}

}  // namespace

const ConstraintType rotation{"rotation", true, &value, &rate};

}  // namespace flexframe
