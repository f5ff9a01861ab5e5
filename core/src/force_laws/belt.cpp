// Strands that pull and do not push: T± = max(0, T₀ ± k s). A belt has both, f = T₋ − T₊, a cable only f = −T₊; a
// strand that is taut has the damping d too.
#include <algorithm>

#include "laws.hpp"

namespace flexframe {

namespace {

/// T₀ ± k s of the strand on one side (1 or −1).
double tension_of(const ForceParameters& parameters, double side, double coordinate) {
    return parameters.constants[1] + side * parameters.constants[0] * coordinate;
}

void add_strand(const ForceParameters& parameters, double side, double coordinate, double rate,
                CoordinateForce& out) {
    const double stiffness = parameters.constants[0], damping = parameters.constants[2];
    const double tension = tension_of(parameters, side, coordinate);
    if (!(tension > 0.0)) return;
    out.elastic -= side * tension;
    const double damped = side * damping * rate;
    if (tension + damped < 0.0) {  // a strand that slackens fast does not push
        out.other += side * tension;
        return;
    }
    out.other -= side * damped;
    out.stiffness += stiffness;
    out.damping += damping;
}

/// Energy of a strand, counted from where it is slack.
double strand_energy(const ForceParameters& parameters, double side, double coordinate) {
    const double tension = std::max(tension_of(parameters, side, coordinate), 0.0);
    return 0.5 * tension * tension / parameters.constants[0];
}

CoordinateForce belt_force(const ForceParameters& parameters, double coordinate, double rate, std::vector<Jet>&) {
    CoordinateForce out;
    add_strand(parameters, 1.0, coordinate, rate, out);
    add_strand(parameters, -1.0, coordinate, rate, out);
    return out;
}

double belt_energy(const ForceParameters& parameters, double coordinate, std::vector<Jet>&) {
    return strand_energy(parameters, 1.0, coordinate) + strand_energy(parameters, -1.0, coordinate);
}

CoordinateForce cable_force(const ForceParameters& parameters, double coordinate, double rate, std::vector<Jet>&) {
    CoordinateForce out;
    add_strand(parameters, 1.0, coordinate, rate, out);
    return out;
}

double cable_energy(const ForceParameters& parameters, double coordinate, std::vector<Jet>&) {
    return strand_energy(parameters, 1.0, coordinate);
}

}  // namespace

const ForceLaw belt{"belt", false, &belt_force, &belt_energy};
const ForceLaw cable{"cable", false, &cable_force, &cable_energy};

}  // namespace flexframe
