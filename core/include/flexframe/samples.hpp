// What is kept of a motion: arrays of the caller, one row for each sample.
#pragma once

#include <vector>

#include "flexframe/equations.hpp"
#include "flexframe/views.hpp"

namespace flexframe {

/// Rows of samples.
struct Samples {
    View<double, 3> positions;      // (samples, bodies, 3)
    View<double, 3> quaternions;    // (samples, bodies, 4)
    View<double, 2> angles;         // (samples, bodies)
    View<double, 2> deformations;   // of all bodies: (samples, coordinates)
    View<double, 2> velocities;     // u: (samples, n)
    View<double, 2> accelerations;  // u̇: (samples, n)
    View<double, 2> multipliers;    // λ: (samples, rows)
    View<double, 1> springs;        // energy of springs
    View<double, 1> gaps;           // of positions
    View<double, 1> slips;          // of velocities, over the largest speed
    View<double, 2> works;          // of drives and loads, what was dissipated, and by contacts: (samples, 4)
    View<double, 2> measures;       // energies and momenta: (samples, 9)
    View<double, 2> signals;        // values of all signals: (samples, signals)
    View<double, 3> contacts;       // gap, normal force, friction, force, point: (samples, contacts, 9)
};

/// Work of drives and of loads, and what was dissipated, by contacts apart from all else.
struct Works {
    static constexpr int count = 4;
    double values[count] = {0.0, 0.0, 0.0, 0.0};

    /// Add a part of the powers.
    void add(const Powers& powers, double time) {
        values[0] += time * powers.drives;
        values[1] += time * powers.loads;
        values[2] += time * powers.dissipation;
        values[3] += time * powers.contact;
    }
};

/// Instants that are kept in the core until somebody asks for them, each with all that a row of samples holds.
class KeptInstants {
public:
    explicit KeptInstants(const System& system);

    Index count() const { return static_cast<Index>(times_.size()); }
    const std::vector<double>& times() const { return times_; }

    /// The row of one more instant, whose number in it is zero.
    const Samples& add(double time);

    /// Forget all but the first ones.
    void shorten(Index count);

    /// Copy all of them into rows of somebody else, and forget them.
    void give(Samples rows);

private:
    const Samples& row(Index k);

    Samples row_;      // of the instant at hand
    Index width_ = 0;  // numbers of one
    std::vector<double> times_, values_;  // (instants,), (instants, width)
};

/// Energy ½ N σ₀ z² of the bristles of contacts at the state that was evaluated last. Works count what friction
/// takes as dissipated; it is among that of springs where a state is kept.
double bristle_energy(const Equations& equations);

/// Keep a step as the integrator has it: nothing is solved again, so that this costs little beside the step.
void keep_step(Equations& equations, const State& state, const double* u, const double* rates,
               const double* multipliers, const Works& works, const Samples& samples, Index k);

/// Keep a state with the accelerations and multipliers that belong to it.
bool keep_solved(Equations& equations, const State& state, const double* u, double time, const Works& works,
                 const Samples& samples, Index k);

/// Keep a sample: the state put on the constraints, with the accelerations and multipliers that belong to it.
bool take_sample(Equations& equations, const State& state, const double* u, double time, const Works& works,
                 const Samples& samples, Index k, State& spare, Vector& spare_u);

}  // namespace flexframe
