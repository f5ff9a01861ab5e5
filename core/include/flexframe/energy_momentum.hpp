// Steps that keep energy and momenta: the balance of `step_balance.hpp` solved for
//
//     x = (u₁ − u₀)/h and λ      with      s(q₁) = f(t₁) .
//
// Multipliers belong to steps. What an iteration leaves of a step is made good by the next one, so that errors of
// momenta do not add up. A step whose iteration fails is taken in two halves.
//
// Cayley's map in the axes of bodies does not know of uniform motion, which it would follow with an error of the
// order h². Bodies that no joint or spring binds to the ground are followed in axes that fall, and move with their
// common mass centre, faster when loads have made it so: a balance that holds in one of them holds in all. In
// space the mass centre has the mean of its velocities at both ends of a step.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "flexframe/equations.hpp"
#include "flexframe/extrapolation.hpp"
#include "flexframe/integration.hpp"
#include "flexframe/mixing.hpp"
#include "flexframe/step_balance.hpp"

namespace flexframe {

class EnergyMomentum {
public:
    explicit EnergyMomentum(std::shared_ptr<const System> system);

    /// Begin at a state that meets the constraints; false where a free motion has no inertia.
    bool start(const State& state, double time, double step);

    /// Go on until the intervals are done, something stops the motion, or the budget [s] is spent.
    Outcome run(const Intervals& intervals, const Samples& samples, Index taken, double seconds);

    /// Keep the ends of the parts into which steps are divided, for whoever looks at all of them.
    void keep_divisions() { keeps_divisions_ = true; }
    KeptInstants divisions;

    /// Everything that it takes to go on from here bit by bit, by names.
    std::map<std::string, std::vector<double>> memory() const;
    bool restore(const State& state, const std::map<std::string, std::vector<double>>& memory);

    /// The state in space.
    const State& state();

    StepCounts counts;

private:
    /// Bodies that fly together, and the axes that they are followed in.
    struct Flight {
        std::vector<Index> bodies;
        Vector3 centre = Vector3::Zero();    // the mass centre in space
        Vector3 velocity = Vector3::Zero();  // of the axes
        StepBalance::Motion motion;          // in them
    };

    void find_flights();
    void follow_flights();
    void move_flights(double step);
    void move(double step);
    bool refactorise(double time, double step);
    Status iterate(double time, double step);
    Status one_step(double time, double step, int halvings);
    void accept(double step);
    bool keep(double time, const Samples& samples, Index k);

    std::shared_ptr<const System> system_;
    Equations equations_;  // for the matrix of the iteration, and for samples
    StepBalance balance_;
    SaddlePoint matrix_;
    std::vector<Flight> flights_;
    State before_, after_, middle_, shown_;
    Vector u_, u_next_, x_, twists_, moves_, multipliers_, right_, unknowns_;
    Vector shown_u_;
    Extrapolation history_;  // of x and λ
    Mixing mixing_;          // of their corrections
    Works works_;
    double last_step_ = 0.0;
    Index age_ = -1;  // of the factors in steps; −1: they must be renewed
    bool keeps_divisions_ = false;
    Index interval_ = 0, within_ = 0;  // how far the intervals at hand are done
};

}  // namespace flexframe
