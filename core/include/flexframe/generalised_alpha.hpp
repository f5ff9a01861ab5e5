// Generalised-α on the Lie group (Brüls, Cardona & Arnold 2012; Arnold, Brüls & Cardona 2015).
//
// With h the step, x = u̇ at its end and an auxiliary acceleration a,
//
//     (1 − α_m) a₁ + α_m a₀ = (1 − α_f) x₁ + α_f x₀,
//     q₁ = q₀ ∘ exp(h u₀ + h²(½ − β) a₀ + h²β a₁),      u₁ = u₀ + h(1 − γ) a₀ + hγ a₁,
//
// and x₁, λ₁ solve M x + h = Q + Aᵀλ and s(q₁) = f. Factors of the iteration matrix are kept while they serve.
// States z of blocks follow by the same constants (Brüls and Golinval 2006): with an auxiliary rate w,
//
//     (1 − α_m) w₁ + α_m w₀ = (1 − α_f) ż₁ + α_f ż₀,      z₁ = z₀ + h(1 − γ) w₀ + hγ w₁ .
//
// Bristles of friction settle within micrometres of slip, far faster than steps; theirs is
//
//     z₁ = z₀ + h(1 − θ) ż₀ + hθ ż₁
//
// with θ exact for the rate |v₀| σ₀/μ at which they settle: ½ where they stick, so that they bend by their way.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "flexframe/contact_steps.hpp"
#include "flexframe/equations.hpp"
#include "flexframe/event_watch.hpp"
#include "flexframe/extrapolation.hpp"
#include "flexframe/integration.hpp"
#include "flexframe/jumps.hpp"
#include "flexframe/samples.hpp"

namespace flexframe {

/// Everything that a step changes, to take it again with another length.
struct AlphaPoint {
    explicit AlphaPoint(const System& system)
        : state(system), history(system.size + system.row_count(), system.scales), contacts(system) {}

    State state;
    Vector u, x, a, multipliers, state_rates, state_aid;
    Extrapolation history;
    Works works;
    Powers powers;
    EventValues events;
    ContactSteps contacts;
    double last_step = 0.0;
    Index steps = 0, halved = 0, divisions = 0;
};

class GeneralisedAlpha {
public:
    /// α_m, α_f, β and γ of the method; a section that turns by more than `limit` [rad] ends the motion.
    GeneralisedAlpha(std::shared_ptr<const System> system, const double (&constants)[4], double limit);

    /// Begin at a state that meets the constraints; false where a free motion has no inertia.
    bool start(const State& state, double time, double step);

    /// Go on until the intervals are done, something stops the motion, or the budget [s] is spent.
    Outcome run(const Intervals& intervals, const Samples& samples, Index taken, double seconds);

    /// Whether the last event happened where a step begins: what ends there was done before.
    bool happened_at_start() const { return happened_at_start_; }

    /// Forget how far the intervals of the last call were done.
    void rewind();

    /// The values of all signals at the state at hand.
    const std::vector<double>& signals(double time);

    /// Set a held value, and find the accelerations that belong to it; false where a motion has no inertia.
    bool hold(Index number, double value, double time, double step);

    /// The same for all held values at once.
    bool hold_all(const std::vector<double>& held, double time, double step) { return jump(held, time, step); }

    /// Throw the shapes of a touch back.
    ///
    /// Where shapes meet at less than the least speed, or a bounce would be far shorter than a step, they are not
    /// thrown back; if they are pressed together they rest on each other from then on.
    Impact impact(Index touch, double restitution, double friction, double least_speed, double time, double step);

    /// Whether the shapes of a touch rest on each other by an impulsive law.
    bool rests(Index touch) const { return before_.touching[touch].rests(); }

    /// Whether a shape that meets a curve at this touch rests at another place of it: these change their order, so
    /// that they cannot both be held.
    bool rests_elsewhere(Index touch) const;

    /// Shapes that rested on each other part; false where a motion has no inertia.
    bool release(Index touch, double time, double step);

    /// Close or open the lock with this held value.
    Impact lock(Index held, double time, double step);

    /// A jump leaves its side; false where a motion has no inertia.
    bool switch_side(Index jump, double time, double step);

    /// Keep the instants at which contacts and failed iterations divide steps, for whoever looks at all of them.
    void keep_divisions() { keeps_divisions_ = true; }
    KeptInstants divisions;

    /// Everything that it takes to go on from here bit by bit, by names.
    std::map<std::string, std::vector<double>> memory() const;
    bool restore(const State& state, const std::map<std::string, std::vector<double>>& memory);

    const State& state() const { return before_; }
    const ContactSteps& contacts() const { return contacts_; }

    StepCounts counts;

private:
    void predict(double step);
    void move();
    void join_unknowns();
    void evaluate(const State& state, double time);
    void fill(const State& state, double step);
    bool refactorise(double time, double step);
    bool factorise_by_differences(double time, double step);
    Index column_of(Index b, Index j) const;
    double difference(Index column, double hh) const;
    void put_column(Index b, Index column, double factor, Matrix& full) const;
    bool factorise_before(double time, double step);
    bool drives_move() const;
    double rounding_floor(double step, double weight);
    Status iterate(double time, double step);
    void change_step(double step);
    void step_states(double step);
    void keep_slips();
    Status solve_step(double time, double step);
    Status slide(double time, double step);
    void accept_step(double step);
    Status one_step(double time, double step);
    Status plain_step(double time, double step, int halvings);
    bool is_short(double step) const;
    Status short_step(double time, double step);
    bool begin_again(double time, double step);
    bool jump(const std::vector<double>& held, double time, double step);
    bool meet_or_part(double time);
    bool rest_at_the_start(double time, double step);
    bool bounce_is_short(Index touch, double restitution, double speed, double time);
    std::vector<Index> resting() const;
    bool settle(const std::vector<Index>& touches, double time);
    bool settle_and_begin(const std::vector<Index>& touches, double time, double step);
    double support_frequency() const;
    void support(Index touch, double force, double mobility);
    bool begin_after_impulse(Index brought, double time, double step);
    bool find_accelerations(double time, double step);
    bool sample(Index groups, double time, double step);
    double dip(double step) const;
    Outcome end_at_event(const AlphaPoint& start, Index event, double begin, double step, Index taken);
    void save(AlphaPoint& point) const;
    void go_back(const AlphaPoint& point);
    Status step_through_contacts(double end, double step);
    void keep_division(double time);

    std::shared_ptr<const System> system_;
    Equations equations_, sampling_;
    SaddlePoint matrix_;
    double am_, af_, beta_, gamma_, limit_;
    double position_factor_, velocity_factor_;  // β' and γ': what a change of x₁ does to q₁/h² and u₁/h
    State before_, after_, spare_;
    Vector u_, u_next_, x_, trial_, a_, moves_, multipliers_, multipliers_before_, base_, right_;
    Vector spare_u_, spare_multipliers_;
    Vector state_rates_, state_aid_;  // ż, and w of blocks or the slip velocity of bristles
    Vector state_base_, state_factors_;
    std::vector<Index> blocks_;  // states that are none of bristles
    Matrix slide_slopes_;        // of the arguments of jumps that slide by their k, at the end of a step …
    double slide_step_ = 0.0;    // … of this length
    EventWatch events_;
    bool happened_at_start_ = false;
    AlphaPoint point_;  // the start of the step at hand, where events are looked for
    Extrapolation history_;  // of x and λ
    double contraction_ = 0.9, last_step_ = 0.0;
    double asked_step_ = 0.0;  // the longest so far
    static constexpr double usual_regularisation = 0.01;  // of redundant rows, part of that of the system
    double regularisation_ = usual_regularisation;
    bool by_differences_ = false;  // the iteration matrix has all that changes
    Index age_ = -1;               // of the factors in steps; −1: they must be renewed
    Works works_;
    Powers powers_;
    ContactSteps contacts_;
    bool keeps_divisions_ = false;
    std::vector<Index> impulsive_;              // touches whose shapes are thrown back
    std::vector<Index> opened_;                 // touches whose shapes rested on each other until now
    std::vector<TouchMemory> touching_before_;  // of the start of a part of a step
    Index interval_ = 0, within_ = 0;  // how far the intervals at hand are done
    std::vector<std::vector<Index>> reach_;    // bodies whose equations change with the coordinates of each
    std::vector<std::vector<Index>> colours_;  // bodies whose columns are found by the same differences
};

}  // namespace flexframe
