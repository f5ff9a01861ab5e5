// Tangents by bodies that move at the same time against differences along one coordinate after the other.
#include <cmath>
#include <memory>
#include <string>

#include "check.hpp"
#include "flexframe/equations.hpp"
#include "flexframe/tangents.hpp"
#include "pendulums.hpp"

using flexframe::Index;
using flexframe::Matrix;
using flexframe::State;
using flexframe::System;
using flexframe::Vector;
using flexframe::Vector3;
using flexframe::tests::check;
using flexframe::tests::check_near;
using flexframe::tests::finish;
using flexframe::tests::Random;
using flexframe::tests::start_of;

namespace {

constexpr double stride = 1e-6;  // of the differences that are tested
constexpr double step = 1e-3;    // of those of fourth order beside them

Matrix dense(const flexframe::SparseEntries& entries, Index rows, Index columns) {
    Matrix out = Matrix::Zero(rows, columns);
    for (std::size_t k = 0; k < entries.values.size(); ++k) {
        out(entries.rows[k], entries.columns[k]) += entries.values[k];
    }
    return out;
}

/// A chain of rigid bodies in space with exact beams between them, the first held at the origin.
std::shared_ptr<const System> beam_chain(Index count) {
    Random random(41);
    System system;
    for (Index b = 0; b < count; ++b) {
        flexframe::tests::add_body(system, flexframe::tests::Cloud(random, 8, 0, 0).integrals());
    }
    for (Index b = 0; b < count; ++b) flexframe::tests::add_frame(system, b, Vector3::Zero());
    flexframe::tests::add_frame(system, -1, Vector3::Zero());
    flexframe::tests::hold_at_origin(system, 0, count);
    for (Index b = 0; b + 1 < count; ++b) {
        flexframe::BeamElement beam;
        beam.length = 0.9;
        for (int side = 0; side < 2; ++side) {
            flexframe::Vector6 place;
            place << 0.2 * random.vector3(), 0.5 * random.vector3();
            beam.ends[side].body = b + side;
            beam.ends[side].place(flexframe::exponential(place));
        }
        beam.reference << 0.9, 0.0, 0.0, 0.2 * random.vector3();
        beam.flexibility = 0.1 * random.definite(6);
        beam.bending = 0.1 * random.definite(3);
        beam.mass = 0.1 * random.definite(6);
        beam.damping = 0.5 * random.definite(6);
        system.beams.push_back(beam);
    }
    return flexframe::tests::finished(system);
}

void tangents(const std::shared_ptr<const System>& system, unsigned seed, const std::string& name, Index colours) {
    Random random(seed);
    flexframe::Equations equations(system);
    const Index n = system->size, all = n + system->row_count();
    const Vector x = random.matrix(n, 1), multipliers = random.matrix(system->row_count(), 1);
    const Vector start = 0.3 * random.matrix(n, 1), u = random.matrix(n, 1);
    State state(*system);
    flexframe::advance(*system, start_of(*system), start.data(), state);
    state.set_velocities(*system, u.data());
    flexframe::TangentMaker maker(equations);
    const flexframe::Tangents found = maker.at(state, 0.1, x.data(), multipliers.data(), stride, true);
    if (colours > 0) check(maker.colours() == colours, "colours of " + name);

    const auto residual = [&](const State& there) {
        equations.evaluate(there, 0.1, x.data(), multipliers.data(), flexframe::Detail::residual);
        return Vector(equations.residual);
    };
    Matrix positions(all, n), velocities(all, n);
    for (Index k = 0; k < n; ++k) {
        const auto displaced = [&](double s) {
            const Vector along = s * Vector::Unit(n, k);
            State there = state;
            flexframe::advance(*system, state, along.data(), there);
            there.set_velocities(*system, u.data());
            return residual(there);
        };
        const auto faster = [&](double s) {
            const Vector changed = u + s * Vector::Unit(n, k);
            State there = state;
            there.set_velocities(*system, changed.data());
            return residual(there);
        };
        const auto slope = [&](const auto& at) {
            return Vector((8.0 * (at(step) - at(-step)) - at(2.0 * step) + at(-2.0 * step)) / (12.0 * step));
        };
        positions.col(k) = slope(displaced);
        velocities.col(k) = slope(faster);
    }
    // rounding of forces over the stride, and of the fourth order what the fifth derivative leaves
    const double forces = residual(state).cwiseAbs().maxCoeff();
    const double tolerance = 1e-15 * 10.0 * forces / stride + 1e-9 * positions.cwiseAbs().maxCoeff();
    check_near((dense(found.positions, all, n) - positions).cwiseAbs().maxCoeff(), 0.0, tolerance,
               "positions of " + name);
    check_near((dense(found.velocities, all, n) - velocities).cwiseAbs().maxCoeff(), 0.0, tolerance,
               "velocities of " + name);
}

}  // namespace

int main() {
    tangents(flexframe::tests::double_pendulum(), 1, "a double pendulum", 0);
    tangents(flexframe::tests::elastic_pendulum(), 2, "an elastic pendulum", 1);
    // every third body of a chain moves at the same time
    tangents(beam_chain(8), 3, "a chain of beams", 3);
    return finish();
}
