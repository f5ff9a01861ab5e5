// f = −k (s − s₀) − d ṡ
#include "laws.hpp"

namespace flexframe {

namespace {

CoordinateForce at(const ForceParameters& parameters, double coordinate, double rate) {
    const auto [stiffness, free, damping] = parameters.constants;
    const double stretch = coordinate - free;
    return {-stiffness * stretch, -damping * rate, 0.5 * stiffness * stretch * stretch, stiffness, damping};
}

}  // namespace

const ForceLaw spring{"spring", false, &at};

}  // namespace flexframe
