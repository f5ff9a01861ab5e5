// Explicit Runge–Kutta methods with error control on the coordinates of each step; a tableau says which one.
//
// Within a step positions are (d, θ, dδ) from its start: r + R d, R exp θ̃, δ + dδ, so that
//
//     ḋ = (exp θ̃) v,   θ̇ = T(θ)⁻¹ ω = ω + ½ θ × ω + c θ × (θ × ω) .
//
// Accelerations solve the equations with multipliers; after a step the state is put on the constraints. Between
// the ends of a step the interpolation of the tableau serves.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "flexframe/contact_steps.hpp"
#include "flexframe/equations.hpp"
#include "flexframe/integration.hpp"
#include "flexframe/samples.hpp"
#include "flexframe/tableaus.hpp"

namespace flexframe {

class ExplicitRungeKutta {
public:
    /// Error of a step [lengths of the system, rad]; a section that turns by more than `limit` ends the motion.
    ExplicitRungeKutta(std::shared_ptr<const System> system, const Tableau& tableau, double tolerance,
                       double limit);

    /// End with `Status::stiff` where stability bounds the steps and more than so many are left until a time.
    void end_when_stiff(double steps_left, double until) {
        stiff_steps_left_ = steps_left;
        stiff_until_ = until;
    }

    /// Begin at a state that meets the constraints.
    void start(const State& state, double time);

    /// Go on until all samples are taken, something stops the motion, or the budget [s] is spent.
    ///
    /// `steps` and their times `when` have room for two states of each step, its end and its middle, or none where
    /// these are not asked for; the call ends when they are full.
    Outcome run(View<const double, 1> times, Index taken, const Samples& samples, const Samples& steps,
                View<double, 1> when, double seconds);

    /// Everything that it takes to go on from here bit by bit, by names.
    std::map<std::string, std::vector<double>> memory() const;
    bool restore(const State& state, const std::map<std::string, std::vector<double>>& memory);

    const ContactSteps& contacts() const { return contacts_; }

    /// The state of the last sample.
    const State& sampled() const { return spare_; }

    Index kept = 0;  // states of steps that were written
    struct Counts {
        Index steps = 0, rejected = 0, evaluations = 0;
    } counts;

private:
    void combine(const Matrix& k, const std::vector<double>& factors, double factor, Vector& out) const;
    void interpolate(const double* start, const Matrix& k, const Matrix& late, const double* change, double step,
                     double part, double* out) const;
    void place(const Vector& step, State& after) const;
    void chart_rates(const Vector& step, const State& there, double* out) const;
    bool evaluate(Equations& equations, int stage, double time, double step, Vector& moved, Vector& u,
                  State& there);
    bool stages(double time, double step);
    double error(double step);
    bool seems_stiff(double step);
    bool prepare_interpolation(double time, double step);
    bool keep_steps(double time, double step, const Samples& steps, View<double, 1> when);
    void place_inside(double step, double part, State& state, Vector& u, Works& works);
    Outcome sample_inside(View<const double, 1> times, Index& taken, double time, double step,
                          const Samples& samples);
    void keep_first(Index stage);
    void take_contacts(double time, double step);

    std::shared_ptr<const System> system_;
    const Tableau tableau_;
    Equations equations_, sampling_;
    double tolerance_, limit_;
    State before_, after_, between_, spare_;
    Vector u_, u_next_, change_, step_, inner_step_, inner_u_, spare_u_, multipliers_, first_;
    Matrix kq_, ku_, kw_, kz_;  // rates of coordinates, velocities, works and states of blocks at the stages
    Matrix late_q_, late_u_, late_w_, late_z_;  // e of the interpolation, one a column
    Vector z_, z_next_, z_change_, z_first_;    // states of blocks
    bool interpolates_ = false;        // they are those of the step at hand
    Vector power_;         // at the start of a step: (4,)
    ContactSteps contacts_;
    Works works_, gained_, inner_works_;
    double time_ = 0.0, next_step_ = 1e-6;  // the step grows fivefold from one to the next where that is too short
    double top_ = 0.0;                      // the largest speed so far
    double stiff_steps_left_ = std::numeric_limits<double>::infinity(), stiff_until_ = 0.0;
    int stiff_ = 0, easy_ = 0;              // steps beyond and within the bound of stability
    bool fresh_ = true;                     // nothing is evaluated yet
    bool repeats_ = false;                  // the step at hand was counted by the run that is continued
};

}  // namespace flexframe
