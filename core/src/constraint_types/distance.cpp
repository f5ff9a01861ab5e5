// s = |Δ|; points that coincide are taken apart along the x axis of space.
#include "types.hpp"

namespace flexframe {

namespace {

Vector3 direction(const Vector3& delta, double length) {
    return length > 0.0 ? Vector3(delta / length) : Vector3::UnitX();
}

void value(const PlacedRow& row, RowValue& out) {
    out.value = row.delta.norm();
    out.add_difference(direction(row.delta, out.value), row.arm_a, row.arm_b);
}

// ṡ = n·Δ̇,  β = n·Δ_β + (|Δ̇|² − ṡ²)/|Δ|
void rate(const PlacedRow& row, RowRate& out) {
    const double length = row.delta.norm();
    const Vector3 n = direction(row.delta, length);
    out.rate = n.dot(row.delta_rate);
    out.bias = n.dot(row.delta_bias);
    if (length > 0.0) out.bias += (row.delta_rate.squaredNorm() - out.rate * out.rate) / length;
}

// |Δ₁| − |Δ₀| = (Δ₀ + Δ₁)·(Δ₁ − Δ₀)/(|Δ₀| + |Δ₁|)
void slope(const PlacedStep& step, RowValue& out) {
    const double both = step.start.delta.norm() + step.end.delta.norm();
    out.add_difference(direction(2.0 * step.mean.delta, both), step.mean.arm_a, step.mean.arm_b);
}

}  // namespace

const ConstraintType distance{"distance", false, &value, &rate, &slope};

}  // namespace flexframe
