// s = x · Δ: how far the second place is from the first along a direction.
#include "types.hpp"

namespace flexframe {

namespace {

void value(const PlacedRow& row, RowValue& out) {
    out.value = row.x.dot(row.delta);
    out.add_difference(row.x, row.arm_a, row.arm_b);
    out.carrier.tail<3>() += row.x.cross(row.delta);
}

// ẋ = ω_x × x:  ṡ = ẋ·Δ + x·Δ̇,  β = x·Δ_β + 2 ẋ·Δ̇ + (ω_x × ẋ)·Δ
void rate(const PlacedRow& row, RowRate& out) {
    const Vector3& spin = row.carrier.angular_velocity;
    const Vector3 x_rate = spin.cross(row.x);
    out.rate = x_rate.dot(row.delta) + row.x.dot(row.delta_rate);
    out.bias = row.x.dot(row.delta_bias) + 2.0 * x_rate.dot(row.delta_rate) + spin.cross(x_rate).dot(row.delta);
}

}  // namespace

const ConstraintType along{"along", false, &value, &rate};

}  // namespace flexframe
