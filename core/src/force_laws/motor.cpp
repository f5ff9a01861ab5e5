// A curve of torque over speed, straight between its points and constant beyond them.
#include "laws.hpp"

namespace flexframe {

namespace {

CoordinateForce at(const ForceParameters& parameters, double, double rate, std::vector<Jet>&) {
    const std::vector<double>&speeds = parameters.curve.x, &forces = parameters.curve.y;
    const std::size_t last = speeds.size() - 1;
    if (rate <= speeds[0]) return {0.0, forces[0], 0.0, 0.0};
    for (std::size_t i = 0; i < last; ++i) {
        if (rate <= speeds[i + 1]) {
            const double slope = (forces[i + 1] - forces[i]) / (speeds[i + 1] - speeds[i]);
            return {0.0, forces[i] + slope * (rate - speeds[i]), 0.0, -slope};
        }
    }
    return {0.0, forces[last], 0.0, 0.0};
}

}  // namespace

const ForceLaw motor{"motor", true, &at, nullptr};

}  // namespace flexframe
