// s = x · y: zero where two directions are perpendicular.
#include "types.hpp"

namespace flexframe {

namespace {

void value(const PlacedRow& row, RowValue& out) {
    out.value = row.x.dot(row.y);
    const Vector3 turning = row.x.cross(row.y);
    out.first.tail<3>() += turning;
    out.second.tail<3>() -= turning;
}

void rate(const PlacedRow& row, RowRate& out) {
    out = rate_of_product(row.x, row.y, row.a.angular_velocity, row.b.angular_velocity);
}

}  // namespace

const ConstraintType perpendicular{"perpendicular", false, &value, &rate};

}  // namespace flexframe
