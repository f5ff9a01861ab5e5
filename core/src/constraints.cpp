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

}  // namespace flexframe
