// ṡ = z · (velocity of the rim at the contact − that of the plane there); on velocities, without a value.
#include "rim.hpp"
#include "types.hpp"

namespace flexframe {

namespace {

void value(const PlacedRow& row, RowValue& out) {
    const Vector3 to_contact = row.arm_b - row.radius * rim(row.x, row.y).to_centre;
    const Vector3 from_a = row.b.position + to_contact - row.a.position;
    out.add_difference(row.z, from_a, to_contact);
}

void rate(const PlacedRow& row, RowRate& out) {
    const Vector3 &w_a = row.a.angular_velocity, &w_b = row.b.angular_velocity;
    const Vector3 &v_a = row.a.velocity, &v_b = row.b.velocity;
    const auto [tilt, root, e] = rim(row.x, row.y);
    const Vector3 x_rate = w_a.cross(row.x), y_rate = w_b.cross(row.y);
    const double tilt_rate = x_rate.dot(row.y) + row.x.dot(y_rate);
    const Vector3 e_rate =
        (x_rate - tilt_rate * row.y - tilt * y_rate) / root + tilt * tilt_rate / (root * root) * e;
    const Vector3 to_contact = row.arm_b - row.radius * e;
    const Vector3 from_a = row.b.position + to_contact - row.a.position;
    const Vector3 slip = v_b + w_b.cross(to_contact) - v_a - w_a.cross(from_a);
    const Vector3 contact_rate = v_b + row.turn_b - row.radius * e_rate;
    const Vector3 swing = w_b.cross(contact_rate - v_b) - w_a.cross(contact_rate - v_a);
    out.rate = row.z.dot(slip);
    out.bias = w_a.cross(row.z).dot(slip) + row.z.dot(swing);
}

}  // namespace

const ConstraintType rim_slip{"rim_slip", false, &value, &rate};

}  // namespace flexframe
