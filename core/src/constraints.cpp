#include "flexframe/constraints.hpp"

#include "constraint_types/types.hpp"

namespace flexframe {

const std::vector<ConstraintType>& constraint_types() {
    static const std::vector<ConstraintType> types{along,    perpendicular, rotation,     distance,  rim_height,
                                                   rim_slip, blade_slip,    displacement, mesh_angle};
    return types;
}

RowValue row_value(const ConstraintRow& row, const FrameInSpace& a, const FrameInSpace& b,
                   const FrameInSpace& carrier) {
    RowValue out;
    constraint_types()[row.type].value(PlacedRow(row, a, b, carrier), out);
    return out;
}

RowRate row_rate(const ConstraintRow& row, const FrameInSpace& a, const FrameInSpace& b,
                 const FrameInSpace& carrier) {
    PlacedRow placed(row, a, b, carrier);
    placed.move();
    RowRate out;
    constraint_types()[row.type].rate(placed, out);
    return out;
}

RowValue row_slope(const ConstraintRow& row, const FrameStep& a, const FrameStep& b, const FrameStep& carrier) {
    const PlacedStep step(row, a, b, carrier);
    const ConstraintType& type = constraint_types()[row.type];
    RowValue out;
    if (type.slope) {
        type.slope(step, out);
    } else {
        type.value(step.mean, out);
    }
    out.value = a.work(out.first) + b.work(out.second) + carrier.work(out.carrier);
    return out;
}

}  // namespace flexframe
