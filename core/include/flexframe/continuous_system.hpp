// A system as ordinary differential equations ẋ = f(t, x, w) for whoever integrates them.
//
// x are independent positions ξ, independent velocities v (independent_coordinates.hpp), and the states of blocks
// and bristles; w are inputs, the first held values. Between events all that is held stays as it is, shapes that
// are apart stay apart and those that touch stay together, so that f is as smooth as the laws of the model. An
// event is an indicator that changes its sign: a signal of the system's events, or the gap of a contact; or an
// instant of sampling. Indicators have a narrow band against coming back by rounding: z + b on the side above zero
// and z − b on the other, b = 1e-12 + 1e-10 max |z|.
//
// Another choice of coordinates is an event, too, with an indicator of its own, the last one: where the dependent
// ones no longer follow well from the independent ones, or a body in space has turned far from its reference
// attitude.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "flexframe/independent_coordinates.hpp"
#include "flexframe/stepping.hpp"

namespace flexframe {

/// Why equations with events cannot stand for a system; nothing where they can.
std::string why_not_continuous(const System& system, const Stepping& stepping);

/// What an event did.
struct EventOutcome {
    bool ends = false;       // the motion is over
    bool states = false;     // x has other values
    bool nominals = false;   // other coordinates are independent
    bool has_next = false;   // whether there is another instant of sampling …
    double next = 0.0;       // … and when
};

/// Everything that it takes to go on from a point.
struct ContinuousPoint {
    double time = 0.0;
    std::vector<double> x;
    State state;  // near to x, with all that is held
    Partition partition;
    std::vector<double> references, sides, sizes, gaps;
    double reach_limit = 0.0, last_sampled = 0.0;
};

class ContinuousSystem {
public:
    /// A std::invalid_argument says why a system cannot be one.
    ContinuousSystem(std::shared_ptr<const System> system, Stepping stepping);

    /// Begin at a state that meets the constraints and was sampled.
    void start(const State& state, double time);

    /// Begin where t, x and w were set to.
    bool begin_here();

    /// Take the state at which another integrator is, in the coordinates that were chosen.
    void follow(const State& state, double time);

    const System& system() const { return *system_; }
    const Stepping& stepping() const { return stepping_; }
    const Partition& partition() const { return chart_.partition(); }

    Index state_count() const { return static_cast<Index>(x_.size()); }
    Index indicator_count() const { return static_cast<Index>(watched_.size()) + (monitors_ ? 1 : 0); }
    double time() const { return time_; }
    double input(Index k) const { return held_[k]; }
    const std::vector<double>& states() const { return x_; }

    /// Usual sizes of the states, to which tolerances of simulators refer: a length of the machine, a radian, one
    /// of each in a second; of shapes a thousandth of a length, since deflections are small beside it.
    std::vector<double> nominals() const;

    /// What an indicator looks at, an event or a contact; −1 where it is none, both of the coordinates.
    Index event_of(Index indicator) const;
    Index contact_of(Index indicator) const;

    void set_time(double time);
    void set_states(const double* x);
    void set_input(Index k, double value);

    /// Find all that follows from t, x and w; false where there is nothing, with `problem`.
    bool evaluate();

    const Vector& rates() const { return rates_; }              // ẋ
    const std::vector<double>& outputs() const { return outputs_; }
    const std::vector<double>& indicators();
    const State& state() const { return state_; }
    Gaps gaps() const { return gaps_found_; }

    /// A step of the integrator is accepted; `event` where other coordinates are wanted. False where the motion
    /// cannot go on.
    bool complete_step(bool& event);

    /// Do what events at this instant ask for.
    bool update(EventOutcome& outcome);

    /// Slopes of ẋ and of the outputs along a direction of x and w, by differences of eighth order whose error is
    /// judged by those of sixth; false where there is no derivative.
    bool slopes(const double* along_x, const double* along_w, Vector& of_rates, Vector& of_outputs);

    ContinuousPoint save() const;
    bool restore(const ContinuousPoint& point);

    const std::string& problem() const { return problem_; }

private:
    /// What an indicator looks at: an event, or places of a contact.
    struct Watched {
        Index event = -1, touch = -1, count = 0;
    };

    double raw_value(const Watched& watched, double before) const;
    double band(Index k) const;
    void look();
    void begin_contacts();
    void put_memories(const std::vector<double>& states);
    void take_sides();
    bool passed(Index k) const { return sides_[k] * values_[k] <= 0.0; }
    bool happen(Index k, EventOutcome& outcome);
    double margin();
    bool choose_coordinates(EventOutcome& outcome);
    double distance(const std::vector<double>& x, double time) const;
    bool fail(const std::string& words);
    bool differences(double stride, const double* along_x, const double* along_w, Vector& fine, Vector& coarse);

    std::shared_ptr<const System> system_;
    Stepping stepping_;
    Equations equations_;
    IndependentCoordinates chart_;
    std::vector<Watched> watched_;
    std::vector<double> x_, held_;
    std::vector<TouchMemory> touching_;
    double time_ = 0.0, last_sampled_ = 0.0;
    bool known_ = false;              // whether all belongs to t, x and w
    State state_, anchor_, here_;     // now, at the last accepted step, where it was evaluated last
    std::vector<double> anchor_x_, here_x_;
    double anchor_time_ = 0.0, here_time_ = 0.0;
    Vector accelerations_, multipliers_, rates_;
    std::vector<double> outputs_, values_, indicators_, sides_, sizes_, gaps_;
    Gaps gaps_found_;
    bool monitors_ = false;           // whether other coordinates may become necessary
    double reach_limit_ = 0.0, margin_ = 0.0;
    bool margin_known_ = false;
    std::string problem_;
};

/// A point as numbers, and back; false where they are not those of such a point. `point` gives the sizes.
std::vector<double> pack(const ContinuousPoint& point);
bool unpack(const double* numbers, Index count, ContinuousPoint& point);

}  // namespace flexframe
