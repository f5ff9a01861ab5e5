// Bristles of a contact: what a step asks for is met, slopes are those of differences, limits are kept.
#include <cmath>
#include <string>

#include "check.hpp"
#include "flexframe/bristles.hpp"
#include "random.hpp"

using flexframe::bend;
using flexframe::BristleParameters;
using flexframe::Bristles;
using flexframe::FrictionModel;
using flexframe::settling_weight;
using flexframe::Vector3;
using flexframe::tests::check;
using flexframe::tests::check_near;
using flexframe::tests::finish;
using flexframe::tests::Random;

namespace {

BristleParameters rough() {
    BristleParameters p;
    p.static_friction = 0.5;
    p.dynamic_friction = 0.3;
    p.stribeck = 0.1;
    p.stiffness = 5e3;  // 0.1 mm at 0.5
    p.damping = 5.0;
    p.viscous = 0.02;
    return p;
}

Vector3 tangent(Random& random, double size) {
    Vector3 out = random.vector3();
    out[2] = 0.0;
    return size * out;
}

/// z = b + c ż, and −∂r/∂v by central differences of 1e-6 of the slip, whose rounding is 1e-9 of it; what they
/// leave out is of second order, 1e-4 where the second difference is that small, away from the bends of α.
void test_steps(FrictionModel model, const std::string& name) {
    Random random(7);
    const BristleParameters p = rough();
    for (int k = 0; k < 200; ++k) {
        const Vector3 base = tangent(random, 1e-4), slip = tangent(random, 0.3);
        const double factor = std::pow(10.0, -5.0 + 0.02 * k);
        const Bristles found = bend(p, model, slip, base, factor);
        const Vector3 rest = base + factor * found.rate - found.bending;
        check_near(rest.norm(), 0.0, 1e-12 * (base.norm() + factor * slip.norm()), name + " of a step");
        const double small = 1e-6 * slip.norm();
        for (int i = 0; i < 2; ++i) {
            const Vector3 aside = small * Vector3::Unit(i);
            const Vector3 more = bend(p, model, slip + aside, base, factor).ratio;
            const Vector3 less = bend(p, model, slip - aside, base, factor).ratio;
            const Vector3 middle = more - 2.0 * found.ratio + less;  // larger where a bend is within
            const Vector3 slope = -(more - less) / (2.0 * small);
            const double scale = found.resistance.norm();
            if (middle.norm() / small > 1e-4 * scale) continue;
            check_near((found.resistance.col(i) - slope).norm(), 0.0, 1e-4 * scale, name + " slope");
        }
    }
}

/// Sliding on and on the force is μ_d + σ₂ v, whatever the bristles began with.
void test_sliding(FrictionModel model, const std::string& name) {
    const BristleParameters p = rough();
    const Vector3 slip(1.5, -2.0, 0.0);
    Vector3 z(3e-5, 5e-5, 0.0);
    for (int k = 0; k < 2000; ++k) z = bend(p, model, slip, z, 1e-6).bending;
    const Vector3 expected = -(0.3 / 2.5 + p.viscous) * slip;
    const Bristles found = bend(p, model, slip, z, 0.0);
    check_near((found.ratio - expected).norm(), 0.0, 1e-9, name + " slides");
}

/// An elasto-plastic bristle is a spring below its break-away, and never bends beyond μ_s/σ₀.
void test_elasto_plastic() {
    const BristleParameters p = rough();
    const Vector3 slip(1e-4, 0.0, 0.0), bent(5e-5, 0.0, 0.0);
    const Bristles spring = bend(p, FrictionModel::elasto_plastic, slip, bent, 0.0);
    check_near(spring.rate[0], 1e-4, 0.0, "it sticks");
    Random random(11);
    Vector3 z = Vector3::Zero();
    double most = 0.0;
    for (int k = 0; k < 5000; ++k) {
        z = bend(p, FrictionModel::elasto_plastic, tangent(random, 0.01), z, 1e-3).bending;
        most = std::max(most, z.norm());
    }
    check(most <= 1e-4 * (1.0 + 1e-12) && most > 0.9e-4, "it bends up to its limit");
}

}  // namespace

int main() {
    for (const auto& [model, name] : {std::pair(FrictionModel::elasto_plastic, std::string("elasto_plastic")),
                                      std::pair(FrictionModel::lugre, std::string("lugre"))}) {
        test_steps(model, name);
        test_sliding(model, name);
    }
    test_elasto_plastic();
    for (double x : {1e-3, 0.5, 30.0}) {  // (1 − (1 − θ)x)/(1 + θx) = e⁻ˣ of ż = −λz, x = λh
        const double theta = settling_weight(x);
        check_near((1.0 - (1.0 - theta) * x) / (1.0 + theta * x), std::exp(-x), 1e-10, "exact settling");
    }
    return finish();
}
