#include "characteristic.hpp"

#include <algorithm>
#include <cmath>

namespace flexframe {

namespace {

/// A spring of constant stiffness: its force, how it is stretched beyond the clearance, and whether it works.
struct Linear {
    double force, stretch;
    bool works;
};

Linear linear(const ForceParameters& parameters, double e) {
    const double stiffness = parameters.constants[0], preload = parameters.constants[3];
    const double clearance = parameters.constants[4], pulls = parameters.constants[5];
    const double z = e - std::min(std::max(e, -clearance), clearance);
    const double force = preload - stiffness * z;
    const bool idle = (clearance > 0.0 && z == 0.0) || pulls * force > 0.0 || (pulls != 0.0 && force == 0.0);
    return {idle ? 0.0 : force, z, !idle};
}

/// Σ w f over eight points of Gauss and Legendre on [a, b].
template <class Function>
double gauss(const Function& f, double a, double b) {
    constexpr double points[4] = {0.1834346424956498, 0.525532409916329, 0.7966664774136267, 0.9602898564975363};
    constexpr double weights[4] = {0.362683783378362, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    double total = 0.0;
    for (int i = 0; i < 4; ++i) {
        total += weights[i] * (f(middle - half * points[i]) + f(middle + half * points[i]));
    }
    return half * total;
}

/// ∫ f from a to b: halves are halved again until they add up to the whole, so that kinks of f do no harm.
template <class Function>
double integrate(const Function& f, double a, double b, double whole, int depth) {
    const double middle = 0.5 * (a + b), left = gauss(f, a, middle), right = gauss(f, middle, b);
    const double size = std::abs(left) + std::abs(right);
    if (depth == 0 || !(std::abs(left + right - whole) > 1e-14 * size)) return left + right;
    return integrate(f, a, middle, left, depth - 1) + integrate(f, middle, b, right, depth - 1);
}

}  // namespace

CoordinateForce characteristic(const ForceParameters& parameters, double stretch, double rate,
                               std::vector<Jet>& stack) {
    CoordinateForce out;
    bool works = true;
    if (!parameters.force.empty()) {
        const Jet along_s[2] = {{stretch, 1.0, 0.0}, {rate, 0.0, 0.0}};
        const Jet along_v[2] = {{stretch, 0.0, 0.0}, {rate, 1.0, 0.0}};
        const Jet still[2] = {{stretch, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        const Jet force = parameters.force.at(along_s, stack);
        out.elastic = parameters.force.at(still, stack).value;
        out.other = force.value - out.elastic;
        out.stiffness = -force.rate;
        out.damping = -parameters.force.at(along_v, stack).rate;
    } else if (!parameters.grid.empty()) {
        const TableGrid::Value force = parameters.table().at(stretch, rate);
        out.elastic = parameters.table().at(stretch, 0.0).value;
        out.other = force.value - out.elastic;
        out.stiffness = -force.slope_x;
        out.damping = -force.slope_y;
    } else if (!parameters.curve.empty()) {
        out.elastic = parameters.curve.value(stretch);
        out.stiffness = -parameters.curve.slope(stretch);
    } else {
        const Linear spring = linear(parameters, stretch);
        works = spring.works;
        out.elastic = spring.force;
        out.stiffness = works ? parameters.constants[0] : 0.0;
    }
    if (!works) return out;
    Jet damping{parameters.constants[2], 0.0, 0.0};
    if (!parameters.damping.empty()) {
        const Jet moving{rate, 1.0, 0.0};
        damping = parameters.damping.at(&moving, stack);
    }
    out.other -= damping.value * rate;
    out.damping += damping.value + damping.rate * rate;
    return out;
}

double stored_energy(const ForceParameters& parameters, double stretch, std::vector<Jet>& stack) {
    if (!parameters.force.empty()) {
        const auto force = [&](double e) {
            const Jet still[2] = {{e, 0.0, 0.0}, {0.0, 0.0, 0.0}};
            return parameters.force.at(still, stack).value;
        };
        return -integrate(force, 0.0, stretch, gauss(force, 0.0, stretch), 40);
    }
    if (!parameters.grid.empty()) {
        const auto force = [&](double e) { return parameters.table().at(e, 0.0).value; };
        return -integrate(force, 0.0, stretch, gauss(force, 0.0, stretch), 40);
    }
    if (!parameters.curve.empty()) return parameters.curve.integral(0.0) - parameters.curve.integral(stretch);
    const Linear spring = linear(parameters, stretch);
    const double stiffness = parameters.constants[0], preload = parameters.constants[3];
    if (!spring.works) return 0.0;
    // ½ k z² − P z, for a spring that works on one side only from where it begins to: + ½ P²/k
    const bool one_side = parameters.constants[5] != 0.0 && stiffness > 0.0;
    const double begun = one_side ? 0.5 * preload * preload / stiffness : 0.0;
    return (0.5 * stiffness * spring.stretch - preload) * spring.stretch + begun;
}

}  // namespace flexframe
