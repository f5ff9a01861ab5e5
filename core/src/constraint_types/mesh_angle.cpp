// s = atan2(z · y, x · y) + κ x · Δ: the angle of a wheel about an axis of its carrier, the first frame, and how
// far its centre is displaced along the line x on which teeth press, over the radius 1/κ of its base circle. A
// torque along s acts with the force κ on the centre of the wheel, as teeth do.
#include "types.hpp"

namespace flexframe {

namespace {

/// κ x · Δ.
void add_shift(const PlacedRow& row, RowValue& out) {
    const Vector3 d = row.radius * row.x;
    out.value += d.dot(row.delta);
    out.add_difference(d, row.arm_a, row.arm_b);
    out.carrier.tail<3>() += d.cross(row.delta);
}

void value(const PlacedRow& row, RowValue& out) {
    rotation.value(row, out);
    add_shift(row, out);
}

void slope(const PlacedStep& step, RowValue& out) {
    rotation.slope(step, out);
    add_shift(step.mean, out);
}

void rate(const PlacedRow& row, RowRate& out) {
    RowRate shift;
    along.rate(row, shift);
    rotation.rate(row, out);
    out.rate += row.radius * shift.rate;
    out.bias += row.radius * shift.bias;
}

}  // namespace

const ConstraintType mesh_angle{"mesh_angle", true, &value, &rate, &slope};

}  // namespace flexframe
