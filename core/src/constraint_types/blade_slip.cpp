// ṡ = y · (velocity of a blade − that of the first body there); a constraint on velocities, without a value.
#include "types.hpp"

namespace flexframe {

namespace {

void value(const PlacedRow& row, RowValue& out) {
    out.add_difference(row.y, row.b.position + row.arm_b - row.a.position, row.arm_b);
}

void rate(const PlacedRow& row, RowRate& out) {
    const Vector3 &w_a = row.a.angular_velocity, &w_b = row.b.angular_velocity;
    const Vector3 from_a = row.b.position + row.arm_b - row.a.position;
    const Vector3 blade_rate = row.b.velocity + row.turn_b;
    const Vector3 slip = blade_rate - row.a.velocity - w_a.cross(from_a);
    const Vector3 swing = w_b.cross(row.turn_b) - w_a.cross(blade_rate - row.a.velocity);
    out.rate = row.y.dot(slip);
    out.bias = w_b.cross(row.y).dot(slip) + row.y.dot(swing);
}

}  // namespace

const ConstraintType blade_slip{"blade_slip", false, &value, &rate};

}  // namespace flexframe
