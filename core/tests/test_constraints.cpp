// Every type of constraint and every law of force against differences of what it says itself.
#include <Eigen/Geometry>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "check.hpp"
#include "flexframe/constraints.hpp"
#include "flexframe/forces.hpp"
#include "random.hpp"

using flexframe::ConstraintRow;
using flexframe::CoordinateForce;
using flexframe::ForceParameters;
using flexframe::FrameInSpace;
using flexframe::Index;
using flexframe::Matrix3;
using flexframe::Vector3;
using flexframe::Vector6;
using flexframe::tests::check;
using flexframe::tests::check_near;
using flexframe::tests::finish;
using flexframe::tests::Random;

namespace {

/// df/dt at 0 by differences of sixth order: with h = 0.002 the h⁶ f⁽⁷⁾/140 that is left out is 5e-19 times a
/// derivative that may be 1e7 beside a disc that lies nearly flat, and rounding leaves 1e-14/h.
constexpr double h = 0.002;
constexpr double tolerance = 1e-9;

double slope(const std::function<double(double)>& f) {
    return (45.0 * (f(h) - f(-h)) - 9.0 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) / (60.0 * h);
}

/// A frame that moves with constant velocity and spin, in space axes.
struct Moving {
    Vector3 position, velocity, spin;
    Matrix3 rotation;

    explicit Moving(Random& random)
        : position(random.vector3()), velocity(random.vector3()), spin(random.vector3()) {
        const Vector3 turn = random.vector3();
        rotation = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
    }

    FrameInSpace at(double time) const {
        FrameInSpace out;
        out.position = position + time * velocity;
        out.rotation = Eigen::AngleAxisd(time * spin.norm(), spin.normalized()).toRotationMatrix() * rotation;
        out.velocity = velocity;
        out.angular_velocity = spin;
        return out;
    }

    Vector6 rates() const {
        Vector6 out;
        out << velocity, spin;
        return out;
    }
};

/// The row of a type; the frame that carries x is the first, or a third one where the type allows it.
struct Case {
    Index type;
    bool third = false;

    ConstraintRow row(Random& random) const {
        ConstraintRow out;
        out.type = type;
        out.first = 0;
        out.second = 1;
        out.carrier = third ? 2 : 0;
        out.first_place = random.vector3();
        out.second_place = random.vector3();
        out.x = random.vector3().normalized();
        out.y = random.vector3().normalized();
        out.z = random.vector3().cross(out.x).normalized();
        out.radius = 0.4;
        return out;
    }
};

bool on_velocities(const std::string& name) { return name == "rim_slip" || name == "blade_slip"; }

void type_obeys_the_contract(const Case& which, unsigned seed) {
    Random random(seed);
    const std::string name = flexframe::constraint_types()[which.type].name;
    const ConstraintRow row = which.row(random);
    std::vector<Moving> frames{Moving(random), Moving(random)};
    frames.push_back(which.third ? Moving(random) : frames[0]);
    const auto value = [&](double t) { return row_value(row, frames[0].at(t), frames[1].at(t), frames[2].at(t)); };
    const auto rate = [&](double t) { return row_rate(row, frames[0].at(t), frames[1].at(t), frames[2].at(t)); };
    const auto J = value(0.0);
    const auto here = rate(0.0);
    const double product =
        J.first.dot(frames[0].rates()) + J.second.dot(frames[1].rates()) + J.carrier.dot(frames[2].rates());
    check_near(here.rate, product, 100 * std::numeric_limits<double>::epsilon() * 10.0, name + ": ṡ = J · (v, ω)");
    check_near(here.bias, slope([&](double t) { return rate(t).rate; }), tolerance, name + ": β = dṡ/dt");
    if (on_velocities(name)) {
        check(J.value == 0.0, name + ": a constraint on velocities has no value");
    } else {
        check_near(here.rate, slope([&](double t) { return value(t).value; }), tolerance, name + ": ṡ = ds/dt");
    }
}

void all_types() {
    const Index count = static_cast<Index>(flexframe::constraint_types().size());
    for (Index type = 0; type < count; ++type) {
        for (unsigned seed = 1; seed <= 5; ++seed) type_obeys_the_contract({type}, seed);
        const std::string name = flexframe::constraint_types()[type].name;
        if (name == "along") type_obeys_the_contract({type, true}, 6);
    }
}

// Points that coincide have no direction; that of the x axis serves.
void a_distance_of_nothing_is_finite() {
    ConstraintRow row;
    for (Index k = 0; k < static_cast<Index>(flexframe::constraint_types().size()); ++k) {
        if (std::string(flexframe::constraint_types()[k].name) == "distance") row.type = k;
    }
    row.first_place = row.second_place = row.x = row.y = row.z = Vector3::Zero();
    const FrameInSpace a, b;
    const auto found = row_value(row, a, b, a);
    check(found.value == 0.0 && found.second[0] == 1.0 && found.first[0] == -1.0, "a distance of nothing along x");
    check(row_rate(row, a, b, a).bias == 0.0, "and without bias");
}

/// Numbers that every law of force takes: with a curve, without one, and with formulas, each with its name.
std::vector<std::pair<std::string, ForceParameters>> parameters() {
    ForceParameters plain;
    plain.constants[0] = 3.0;
    plain.constants[1] = 0.4;
    plain.constants[2] = 0.7;
    plain.constants[3] = 0.2;
    ForceParameters curved = plain;
    curved.curve = {{-2.0, 0.0, 2.0}, {3.0, 1.0, -2.0}, {-0.7, -1.1, -2.0}};
    ForceParameters gap = plain;
    gap.constants[3] = 0.0;
    gap.constants[4] = 0.2;
    ForceParameters pulling = plain;
    pulling.constants[5] = 1.0;
    ForceParameters formula = plain;
    using flexframe::Operation;
    const auto code = [](Operation operation) { return static_cast<Index>(operation); };
    // −2 s³ − ½ v s² and a damping 0.1 + v²
    formula.force.opcodes = {code(Operation::variable), code(Operation::number),   code(Operation::power),
                             code(Operation::number),   code(Operation::multiply), code(Operation::variable),
                             code(Operation::variable), code(Operation::multiply), code(Operation::variable),
                             code(Operation::multiply), code(Operation::number),   code(Operation::multiply),
                             code(Operation::add)};
    formula.force.operands = {0.0, 3.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -0.5, 0.0, 0.0};
    formula.damping.opcodes = {code(Operation::variable), code(Operation::variable), code(Operation::multiply),
                               code(Operation::number), code(Operation::add)};
    formula.damping.operands = {0.0, 0.0, 0.0, 0.1, 0.0};
    formula.force.stack_size = formula.damping.stack_size = 4;
    check(formula.force.is_complete(2) && formula.damping.is_complete(1), "formulas can be evaluated");
    check(!formula.force.is_complete(1), "a formula of s and v has two variables");
    return {{"curve", curved}, {"plain", plain}, {"clearance", gap}, {"tension", pulling}, {"formula", formula}};
}

// elastic = −dE/ds, stiffness = −∂f/∂s, damping = −∂f/∂ṡ.
void law_obeys_the_contract(const flexframe::ForceLaw& law, const std::string& name, const ForceParameters& given,
                            double at, double speed) {
    std::vector<flexframe::Jet> stack(4);
    const CoordinateForce here = law.at(given, at, speed, stack);
    const auto force = [&](double ds, double dv) {
        const CoordinateForce moved = law.at(given, at + ds, speed + dv, stack);
        return moved.elastic + moved.other;
    };
    const auto energy = [&](double d) { return law.energy ? law.energy(given, at + d, stack) : 0.0; };
    check_near(here.elastic, -slope(energy), tolerance, name + ": the elastic force is −dE/ds");
    check_near(here.stiffness, -slope([&](double d) { return force(d, 0.0); }), tolerance, name + ": stiffness");
    check_near(here.damping, -slope([&](double d) { return force(0.0, d); }), tolerance, name + ": damping");
    if (!law.drives) check(here.other * speed <= 0.0, name + ": what is no drive takes energy");
}

void all_laws() {
    for (const auto& law : flexframe::force_laws()) {
        const std::string name = law.name;
        for (const auto& [which, given] : parameters()) {
            if (name == "motor" && which != "curve") continue;
            for (const auto& [s, rate] : {std::pair{0.9, 0.3}, std::pair{-1.2, -0.8}, std::pair{0.1, 1.4}}) {
                law_obeys_the_contract(law, name + " with " + which, given, s, rate);
            }
        }
    }
}

}  // namespace

int main() {
    all_types();
    a_distance_of_nothing_is_finite();
    all_laws();
    return finish();
}
