// s = x · Δ − r √(1 − (x·y)²): height of the rim of a disc above a plane.
#include "rim.hpp"
#include "types.hpp"

namespace flexframe {

namespace {

void value(const PlacedRow& row, RowValue& out) {
    const Rim contact = rim(row.x, row.y);
    out.value = row.x.dot(row.delta) - row.radius * contact.root;
    out.add_difference(row.x, row.arm_a, row.arm_b);
    const Vector3 turning = row.radius * contact.tilt / contact.root * row.x.cross(row.y);
    out.first.tail<3>() += row.x.cross(row.delta) + turning;
    out.second.tail<3>() -= turning;
}

// d/dt of −r √(1 − w²) is r w ẇ/√(1 − w²)
void rate(const PlacedRow& row, RowRate& out) {
    const Vector3& spin = row.carrier.angular_velocity;
    const Vector3 x_rate = spin.cross(row.x);
    const auto [tilt, root, to_centre] = rim(row.x, row.y);
    const RowRate w = rate_of_product(row.x, row.y, row.a.angular_velocity, row.b.angular_velocity);
    out.rate = x_rate.dot(row.delta) + row.x.dot(row.delta_rate) + row.radius * tilt / root * w.rate;
    out.bias = row.x.dot(row.delta_bias) + 2.0 * x_rate.dot(row.delta_rate) + spin.cross(x_rate).dot(row.delta);
    const double moved = tilt * w.rate;
    out.bias += row.radius * ((w.rate * w.rate + tilt * w.bias) / root + moved * moved / (root * root * root));
}

// √(1 − w₁²) − √(1 − w₀²) = −(w₀ + w₁)(w₁ − w₀)/(√(1 − w₀²) + √(1 − w₁²))
void slope(const PlacedStep& step, RowValue& out) {
    const PlacedRow& row = step.mean;
    const Rim first = rim(step.start.x, step.start.y), last = rim(step.end.x, step.end.y);
    const Vector3 turning =
        row.radius * (first.tilt + last.tilt) / (first.root + last.root) * row.x.cross(row.y);
    along.value(row, out);
    out.first.tail<3>() += turning;
    out.second.tail<3>() -= turning;
}

}  // namespace

const ConstraintType rim_height{"rim_height", false, &value, &rate, &slope};

}  // namespace flexframe
