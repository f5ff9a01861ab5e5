// Differences over a step: forces of exact beams work as their energies change, and are in equilibrium.
#include <limits>
#include <string>

#include "check.hpp"
#include "flexframe/beam_steps.hpp"
#include "random.hpp"

using flexframe::BeamElement;
using flexframe::BeamState;
using flexframe::BeamStepForces;
using flexframe::compose;
using flexframe::exponential;
using flexframe::FrameStep;
using flexframe::Matrix12;
using flexframe::Matrix3;
using flexframe::Pose;
using flexframe::Vector12;
using flexframe::Vector3;
using flexframe::Vector6;
using flexframe::tests::check_near;
using flexframe::tests::finish;
using flexframe::tests::Random;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A body over a step: its poses, its twist in its own axes for the whole step, and its velocities at both ends.
struct Moved {
    Pose poses[2];
    Vector6 velocities[2];
    FrameStep step;

    Moved(Random& random, const Pose& start, const Vector6& twist) {
        poses[0] = start;
        poses[1] = compose(start, exponential(flexframe::cayley_logarithm(twist)));
        poses[1].quaternion.normalize();
        for (Vector6& each : velocities) each << random.vector3(), random.vector3();
        for (int end = 0; end < 2; ++end) {
            flexframe::FrameInSpace& frame = end == 0 ? step.start : step.end;
            frame.position = poses[end].position;
            frame.rotation = flexframe::rotation_matrix(poses[end].quaternion.data());
        }
        step.join(step.start.rotation * twist.tail<3>());
    }
};

Vector6 random_twist(Random& random, double size) {
    Vector6 out;
    out << size * random.vector3(), size * random.vector3();
    return out;
}

BeamElement random_beam(Random& random, bool apart) {
    BeamElement beam;
    beam.length = 1.3;
    beam.flexibility = random.definite(6);
    beam.bending = random.definite(3);
    beam.damping = random.definite(6);
    beam.reference << 1.3, 0.1, -0.2, 0.3 * random.vector3();
    // a section of a few mass points
    for (int k = 0; k < 4; ++k) {
        const double mass = 0.5 + std::abs(random.vector3()[0]);
        const Matrix3 S = flexframe::skew(0.3 * random.vector3());
        Eigen::Matrix<double, 3, 6> velocity;
        velocity << Matrix3::Identity(), -S;
        beam.mass += mass * velocity.transpose() * velocity;
    }
    for (flexframe::BeamEnd& end : beam.ends) {
        if (apart) end.place(exponential(random_twist(random, 0.4)));
    }
    beam.settle(false);
    return beam;
}

/// How far the work of a step is from the change of energies, and the sums of forces and moments about the origin.
void check_step(unsigned seed, double size, double turn, bool apart) {
    Random random(seed);
    const std::string name = " of step " + std::to_string(size) + ", bent by " + std::to_string(turn);
    const BeamElement beam = random_beam(random, apart);
    const Pose here = exponential(random_twist(random, 1.0));
    Vector6 between;
    between << 1.2, 0.3, -0.2, turn * random.vector3().normalized();
    const Vector6 together = random_twist(random, size);
    const Moved a(random, here, together + random_twist(random, 0.2 * size));
    const Moved b(random, compose(here, exponential(between)), together + random_twist(random, 0.2 * size));
    BeamState states[2];
    for (int end = 0; end < 2; ++end) {
        move_beam(beam, a.poses[end], b.poses[end], a.velocities[end].data(), b.velocities[end].data(),
                  states[end]);
    }
    const double step = 0.1;
    const Vector3 field(0.3, -2.0, 0.7);
    const BeamStepForces forces = beam_step_forces(beam, states[0], states[1], a.step, b.step, step, field);
    const double work = a.step.work(forces.on[0]) + b.step.work(forces.on[1]);
    Vector12 u[2];
    for (int end = 0; end < 2; ++end) u[end] << a.velocities[end], b.velocities[end];
    const auto first = measure_beam(beam, states[0]), last = measure_beam(beam, states[1]);
    const double strain = last.strain - first.strain;
    const double weight = field.dot(last.first_moment - first.first_moment);
    const double inertia = 0.5 * u[0].dot((beam_mass(beam, states[1]) - beam_mass(beam, states[0])) * u[1]);
    const double scale = first.strain + last.strain + first.kinetic + last.kinetic;
    check_near(work, weight + inertia - strain - forces.dissipated, 1000.0 * epsilon * scale, "work" + name);
    const Vector3 sum = forces.on[0].head<3>() + forces.on[1].head<3>() - beam.length * beam.mass(0, 0) * field;
    const double largest = forces.on[1].norm();
    check_near(sum.norm(), 0.0, 100.0 * epsilon * largest, "sum of forces" + name);
    // weight acts at the mean place of the mass centre, all else is in equilibrium
    Vector3 moment = -0.5 * (first.first_moment + last.first_moment).cross(field);
    for (int side = 0; side < 2; ++side) {
        const FrameStep& body = side == 0 ? a.step : b.step;
        moment += body.mean.position.cross(forces.on[side].head<3>()) + forces.on[side].tail<3>();
    }
    check_near(moment.norm(), 0.0, 200.0 * epsilon * largest, "sum of moments" + name);
    check_near(step * beam.length * forces.dissipated,
               (states[1].d - states[0].d).dot(beam.damping * (states[1].d - states[0].d)),
               100.0 * epsilon * forces.dissipated, "damping" + name);
}

/// In the limit of short steps the forces are those of the equations of motion.
void check_limit(unsigned seed) {
    Random random(seed);
    const BeamElement beam = random_beam(random, true);
    const Pose here = exponential(random_twist(random, 1.0));
    Vector6 between;
    between << 1.2, 0.3, -0.2, 0.4, 0.2, -0.3;
    const Pose there = compose(here, exponential(between));
    const Vector6 u_a = random_twist(random, 1.0), u_b = random_twist(random, 1.0);
    const double step = 1e-6;
    Moved a(random, here, step * u_a), b(random, there, step * u_b);
    BeamState states[2];
    for (int end = 0; end < 2; ++end) {
        move_beam(beam, a.poses[end], b.poses[end], u_a.data(), u_b.data(), states[end]);
    }
    const Vector3 field(0.3, -2.0, 0.7);
    const BeamStepForces forces = beam_step_forces(beam, states[0], states[1], a.step, b.step, step, field);
    // M u̇ + h with u̇ = 0 is the change of M u in turning axes less the forces: F = d(M u)/dt − ad_uᵀ M u − …
    Vector12 still = Vector12::Zero();
    const Vector12 expected = -(beam_inertia(beam, states[0], still.data(), still.data() + 6, field) +
                                beam_resistance(beam, states[0]));
    Vector12 u;
    u << u_a, u_b;
    const Vector12 momentum = beam_mass(beam, states[0]) * u;
    const Vector12 rate = (beam_mass(beam, states[1]) * u - momentum) / step;
    for (int side = 0; side < 2; ++side) {
        const Vector6 own = side == 0 ? u_a : u_b;
        const Matrix3 R = flexframe::rotation_matrix((side == 0 ? here : there).quaternion.data());
        Vector6 local;
        local << R.transpose() * forces.on[side].head<3>(), R.transpose() * forces.on[side].tail<3>();
        const Vector6 left = rate.segment<6>(6 * side) -
                             flexframe::cobracket(own, momentum.segment<6>(6 * side)) - local;
        check_near((left + expected.segment<6>(6 * side)).norm(), 0.0, 1e-4, "limit of short steps");
    }
}

}  // namespace

int main() {
    unsigned seed = 1;
    for (double size : {1e-6, 1e-3, 0.1, 1.0}) {
        for (double turn : {0.0, 1e-5, 0.3, 1.5, 2.4}) {
            for (bool apart : {false, true}) check_step(seed++, size, turn, apart);
        }
    }
    for (unsigned k = 0; k < 3; ++k) check_limit(100 + k);
    return finish();
}
