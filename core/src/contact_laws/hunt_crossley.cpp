// N = K δⁿ (1 + c δ̇/v), v the speed of the impact, with c = 3(1 − e)/2 (Hunt and Crossley 1975), which holds for
// e near one.
#include <algorithm>
#include <cmath>

#include "laws.hpp"

namespace flexframe {

NormalForce force_by_impact(const ContactParameters& parameters, double depth, double rate, double impact) {
    NormalForce out;
    const double n = parameters.exponent, slope = parameters.stiffness * std::pow(depth, n - 1.0);
    out.elastic = slope * depth;
    out.energy = out.elastic * depth / (n + 1.0);
    const double speed = std::max(impact > 0.0 ? impact : std::abs(rate), parameters.least_speed);
    const double factor = 1.0 + parameters.damping * rate / speed;
    if (factor <= 0.0) return out;  // no tension
    out.force = out.elastic * factor;
    out.stiffness = n * slope * factor;
    out.damping = out.elastic * parameters.damping / speed;
    return out;
}

namespace {

double factor(double e) { return 1.5 * (1.0 - e); }

}  // namespace

const ContactLaw hunt_crossley{"hunt_crossley", &factor, &force_by_impact};

}  // namespace flexframe
