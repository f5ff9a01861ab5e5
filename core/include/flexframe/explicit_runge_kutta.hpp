// Explicit Runge–Kutta methods with error control on the coordinates of each step; a tableau says which one.
//
// Within a step positions are (d, θ, dδ) from its start: r + R d, R exp θ̃, δ + dδ, so that
//
//     ḋ = (exp θ̃) v,   θ̇ = T(θ)⁻¹ ω = ω + ½ θ × ω + c θ × (θ × ω) .
//
// Accelerations solve the equations with multipliers; after a step the state is put on the constraints. Between
// the ends of a step the interpolation of the tableau serves.
//
// Steps end at the instants of sampling, and where events happen: the interpolation says about when, and the step
// is taken again with lengths at whose end the event comes nearer to zero, so that its error is that of a step.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "flexframe/contact_steps.hpp"
#include "flexframe/equations.hpp"
#include "flexframe/event_watch.hpp"
#include "flexframe/integration.hpp"
#include "flexframe/jumps.hpp"
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

    /// Groups of held values are sampled at these instants, one bit for each group; a call ends with
    /// `Status::event` and no number where one of the `functions` is due.
    void sample_at(std::vector<double> instants, std::vector<Index> groups, Index functions);

    /// Begin at a state that meets the constraints; false where a free motion has no inertia.
    bool start(const State& state, double time);

    /// Go on until all samples are taken, something stops the motion, or the budget [s] is spent.
    ///
    /// `steps` and their times `when` have room for two states of each step, its end and its middle, or none where
    /// these are not asked for; the call ends when they are full.
    Outcome run(View<const double, 1> times, Index taken, const Samples& samples, const Samples& steps,
                View<double, 1> when, double seconds);

    /// The values of all signals at the end of the last step.
    const std::vector<double>& signals();

    /// Set a held value there.
    void hold(Index number, double value);

    /// Throw the shapes of a touch back there.
    ///
    /// Where shapes meet at less than the least speed, or would bounce less high than steps may err, they are not
    /// thrown back; if they are pressed together they rest on each other from then on.
    Impact impact(Index touch, double restitution, double friction, double least_speed);

    /// Whether the shapes of a touch rest on each other by an impulsive law, or at another place of a curve.
    bool rests(Index touch) const { return before_.touching[touch].rests(); }
    bool rests_elsewhere(Index touch) const;

    /// Shapes that rested on each other part; false where a motion has no inertia.
    bool release(Index touch);

    /// Close or open the lock with this held value there.
    Impact lock(Index held);

    /// A jump leaves its side there; false where a motion has no inertia.
    bool switch_side(Index jump);

    /// Keep the state at the end of the last step as a sample, or as a step; false where a motion has no inertia.
    bool sample_end(const Samples& samples, Index k);
    bool keep_end(const Samples& steps, Index k);

    /// Everything that it takes to go on from here bit by bit, by names.
    std::map<std::string, std::vector<double>> memory() const;
    bool restore(const State& state, const std::map<std::string, std::vector<double>>& memory);

    const ContactSteps& contacts() const { return contacts_; }

    /// The state at the end of the last step, and that of the last sample.
    const State& state() const { return before_; }
    const State& sampled() const { return spare_; }

    Index kept = 0;  // states of steps that were written
    struct Counts {
        Index steps = 0, rejected = 0, evaluations = 0;
    } counts;

private:
    void begin_at(const State& state, double time);
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
    void keep_inside(double time, double step, double now, const Samples& steps, View<double, 1> when);
    bool keep_steps(double time, double step, double last, const Samples& steps, View<double, 1> when);
    void place_inside(double step, double part, State& state, Vector& u, Works& works);
    Outcome sample_inside(View<const double, 1> times, Index& taken, double time, double step, double last,
                          const Samples& samples);
    void keep_first(Index stage);
    bool instant_is_due() const;
    double length_of_next();
    void take_held(const std::vector<double>& held);
    std::vector<Index> resting() const;
    bool settle(std::vector<Index> touches);
    bool settle_after_impulse(Index brought);
    bool bounce_is_low(Index touch, double restitution, double speed);
    bool rest_at_the_start();
    double time_to_impact();
    void look_at_end();
    Index event_to_be_told();
    void look_at(const State& state, double time);
    void look_inside(double time, double step, double part, EventValues& out);

    /// An event of a step and the lengths of steps between which it happens, with its values there.
    struct Passage {
        Index event = -1;
        double low = 0.0, high = 0.0, at_low = 0.0, at_high = 0.0;
    };
    template <class Value>
    void close_in(Passage& passage, double width, const Value& value) const;
    Passage passage_inside(double time, double step, Index event, double begin, double end);
    Passage first_passage(double time, double step);
    bool end_at(Passage& passage, double time, double& step);
    void take_contacts(double time, double step);
    bool keep_conditions(double time);

    std::shared_ptr<const System> system_;
    const Tableau tableau_;
    Equations equations_, sampling_;
    double tolerance_, limit_;
    State before_, after_, between_, spare_;
    Vector u_, u_next_, change_, step_, inner_step_, inner_u_, spare_u_, multipliers_, first_;
    Vector inner_multipliers_;
    Matrix kq_, ku_, kw_, kz_;  // rates of coordinates, velocities, works and states of blocks at the stages
    Matrix late_q_, late_u_, late_w_, late_z_;  // e of the interpolation, one a column
    Vector z_, z_next_, z_change_, z_first_;    // states of blocks
    bool interpolates_ = false;        // they are those of the step at hand
    Vector power_;         // at the start of a step: (4,)
    ContactSteps contacts_;
    std::vector<Index> impulsive_;  // touches whose shapes are thrown back
    EventWatch events_;
    EventValues part_begin_, part_end_;     // of a part of a step
    std::vector<double> instants_;          // of sampling
    std::vector<Index> groups_;             // that are sampled there, one bit for each
    Index functions_ = 0;                   // those that whoever calls fills
    std::size_t next_instant_ = 0;
    Works works_, gained_, inner_works_;
    double time_ = 0.0, next_step_ = 1e-6;  // the step grows fivefold from one to the next where that is too short
    double top_ = 0.0;                      // the largest speed so far
    double stiff_steps_left_ = std::numeric_limits<double>::infinity(), stiff_until_ = 0.0;
    int stiff_ = 0, easy_ = 0;              // steps beyond and within the bound of stability
    bool fresh_ = true;                     // nothing is evaluated yet
    bool repeats_ = false;                  // the step at hand was counted by the run that is continued
    bool resumed_ = false;                  // the first sample is where another run was left
};

}  // namespace flexframe
