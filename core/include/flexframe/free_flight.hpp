// Steps of a free elastic body in its angular momentum L, natural coordinates z and momenta p:
//
//     L̇ = L × ∂H/∂L,      ż = ∂H/∂p,      ṗ = −∂H/∂z − d ż,      q̇ = ½ q ∘ (0, ∂H/∂L),
//
// with L in body axes and q the quaternion of the frame. The collocation polynomial keeps H and |L|; the attitude
// is integrated with the same mean angular velocities and then rotated by the remainder of that integration, so
// that R L, the angular momentum in space, stays where it was.
#pragma once

#include <vector>

#include "flexframe/attitude.hpp"
#include "flexframe/central_inertia.hpp"
#include "flexframe/collocation.hpp"
#include "flexframe/views.hpp"

namespace flexframe {

/// How steps ended: all taken, out of time, without convergence, or with a mass matrix that is not definite.
enum class FlightOutcome { done, paused, diverged, indefinite };

/// What was done: steps taken and iterations that they needed.
struct FlightReport {
    FlightOutcome outcome = FlightOutcome::done;
    Index steps = 0;
    Index iterations = 0;
};

/// All that a flight remembers: a copy of it goes on with the same bits.
struct FlightState {
    std::vector<double> y;           // L, z, p: (3 + 2m,)
    std::vector<double> lost;        // what rounding took from y: (3 + 2m,)
    std::vector<double> quaternion;  // (4,)
    std::vector<double> slopes;      // of the last step at the nodes: (s, 3 + 2m)
    std::vector<double> sums;        // angle about z of a planar body, work of damping: (2,)
    std::vector<double> reference;   // angular momentum in space and energy, which are kept: (4,)
    std::vector<double> watch;       // largest departures from them, relative: energy, angular momentum: (2,)
};

/// A body in free flight.
class FreeFlight {
public:
    FreeFlight(Hamiltonian hamiltonian, Collocation method);

    FlightState state;

    /// Keep from now on the angular momentum in space and the energy of the present state; the energy, which is
    /// not finite where the body is deformed beyond what its displacement field describes.
    double keep_invariants();

    /// Take steps until all are done or `seconds` have passed, at least one; the result does not depend on how
    /// they are divided. Each fills the next row of `trace`, if it has rows, with y, quaternion and sums.
    FlightReport advance(double step, Index steps, double seconds, View<double, 2> trace = {});

    /// Numbers in a row of the trace.
    Index trace_width() const { return width() + 6; }

private:
    Index width() const { return hamiltonian_.body().width(); }
    void measure_sizes();
    void prepare(double step);
    bool find_means(double step);
    void find_changes(double step);
    double apply_changes();
    FlightOutcome solve(double step, Index& iterations);
    void extrapolate();
    void add_slopes(double step);
    void restore_energy(double defect);
    void advance_attitude(double step);
    void write_trace(double* row) const;
    double evaluate();

    Hamiltonian hamiltonian_;
    Collocation method_;
    bool damped_ = false;
    double length_ = 1.0, speed_ = 1.0, energy_ = 1.0;  // |L|, √2H and H of the reference, or one for zero
    double prepared_step_ = 0.0;  // that the oscillators belong to; none yet
    std::vector<double> compliance_;     // 1/ω²: (m,)
    std::vector<double> oscillators_;    // inverse of a step of each coordinate of the body at rest: (m, 2s, 2s)
    std::vector<Points> point_weights_;  // ∫_0^{γ_q} ℓ_j, four points at once: (K/4, s)
    std::vector<Points> mean_weights_;   // β_q ℓ_i(γ_q)/b_i, four points at once: (K/4, s)
    std::vector<Points> at_, gradient_;  // state and ∂H at four points: (3 + 2m,)
    std::vector<double> mean_, change_;  // mean gradient, change of the slopes: (s, 3 + 2m)
    std::vector<double> guess_, slope_;  // slopes to begin with; ∂H at the end of a step
    attitude::Slopes quaternion_slopes_;
};

}  // namespace flexframe
