// Strands that pull and do not push: T± = max(0, T₀ ± k s). A belt has both, f = T₋ − T₊, a cable only f = −T₊; a
// strand that is taut has the damping d too.
#include <algorithm>

#include "laws.hpp"

namespace flexframe {

namespace {

/// Adds the strand on one side (1 or −1); its energy is counted from where it is slack.
void add_strand(const ForceParameters& parameters, double side, double coordinate, double rate,
                CoordinateForce& out) {
    const auto [stiffness, pretension, damping] = parameters.constants;
    const double tension = pretension + side * stiffness * coordinate;
    if (!(tension > 0.0)) return;
    out.elastic -= side * tension;
    out.energy += 0.5 * tension * tension / stiffness;
    const double damped = side * damping * rate;
    if (tension + damped < 0.0) {  // a strand that slackens fast does not push
        out.other += side * tension;
        return;
    }
    out.other -= side * damped;
    out.stiffness += stiffness;
    out.damping += damping;
}

CoordinateForce belt_force(const ForceParameters& parameters, double coordinate, double rate) {
    CoordinateForce out;
    add_strand(parameters, 1.0, coordinate, rate, out);
    add_strand(parameters, -1.0, coordinate, rate, out);
    return out;
}

CoordinateForce cable_force(const ForceParameters& parameters, double coordinate, double rate) {
    CoordinateForce out;
    add_strand(parameters, 1.0, coordinate, rate, out);
    return out;
}

}  // namespace

const ForceLaw belt{"belt", false, &belt_force};
const ForceLaw cable{"cable", false, &cable_force};

}  // namespace flexframe
