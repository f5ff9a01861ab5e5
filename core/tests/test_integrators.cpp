// One short run of each integrator: rigid and elastic bodies on ball joints.
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "check.hpp"
#include "flexframe/energy_momentum.hpp"
#include "flexframe/explicit_runge_kutta.hpp"
#include "flexframe/generalised_alpha.hpp"
#include "pendulums.hpp"

using flexframe::EnergyMomentum;
using flexframe::ExplicitRungeKutta;
using flexframe::GeneralisedAlpha;
using flexframe::Index;
using flexframe::Intervals;
using flexframe::Kept;
using flexframe::State;
using flexframe::Status;
using flexframe::System;
using flexframe::View;
using flexframe::tests::check;
using flexframe::tests::check_equal;
using flexframe::tests::check_near;
using flexframe::tests::double_pendulum;
using flexframe::tests::elastic_pendulum;
using flexframe::tests::finish;
using flexframe::tests::Record;
using flexframe::tests::start_of;

namespace {

constexpr double long_enough = 1e3;  // s, a budget that is never spent
constexpr double limit = 10.0;       // rad
constexpr double duration = 0.1;     // s

using Handle = std::shared_ptr<const System>;

/// α_m, α_f, β, γ for a spectral radius ρ: (2ρ − 1)/(ρ + 1), ρ/(ρ + 1), ¼(1 + α_f − α_m)², ½ + α_f − α_m.
GeneralisedAlpha alpha(const Handle& system) {
    const double radius = 0.8, am = (2 * radius - 1) / (radius + 1), af = radius / (radius + 1);
    const double constants[4] = {am, af, 0.25 * (1 + af - am) * (1 + af - am), 0.5 + af - am};
    return GeneralisedAlpha(system, constants, limit);
}

EnergyMomentum keeping(const Handle& system) { return EnergyMomentum(system); }

/// Equal steps from one time to another, one interval, with a sample at its end.
class Plan {
public:
    Plan(double begin, double end, Index steps)
        : start_(begin), step_(steps == 0 ? 1e-3 : (end - begin) / static_cast<double>(steps)), end_(end),
          count_(steps) {}

    Intervals intervals() const {
        return {{&start_, {1}}, {&step_, {1}}, {&first_, {1}}, {&count_, {1}}, {&end_, {1}}, {&kept_, {1}}};
    }

    double step() const { return step_; }

private:
    double start_, step_, end_;
    Index first_ = 0, count_;
    Index kept_ = static_cast<Index>(Kept::sample);
};

/// Steps from 0 to the end with samples at both; the status must be done.
template <class Method>
void run_steps(Method& method, const Plan& plan, const State& state, const Record& record) {
    check(method.start(state, 0.0, plan.step()), "a start with inertia");
    const Plan none(0.0, 0.0, 0);
    auto outcome = method.run(none.intervals(), record.samples, 0, long_enough);
    outcome = method.run(plan.intervals(), record.samples, outcome.taken, long_enough);
    check(outcome.status == Status::done && outcome.taken == 2, "equal steps arrive");
}

Record run_pair(const Handle& system, const std::vector<double>& times, double tolerance) {
    Record record(*system, static_cast<Index>(times.size())), none(*system, 0);
    ExplicitRungeKutta method(system, flexframe::tableau_named("dormand_prince"), tolerance, limit);
    method.start(start_of(*system), 0.0);
    const View<const double, 1> instants{times.data(), {static_cast<Index>(times.size())}};
    const auto outcome = method.run(instants, 0, record.samples, none.samples, {nullptr, {0}}, long_enough);
    check(outcome.status == Status::done && outcome.taken == instants.count(), "Dormand and Prince arrive");
    return record;
}

/// Samples are on the constraints, to what projections leave: 1e-14 of a length, and rounding.
void check_gaps(const Record& record, Index count, const std::string& name) {
    for (Index k = 0; k < count; ++k) {
        check_near(record.samples.gaps(k), 0.0, 1e-13, name + ": gap");
        check_near(record.samples.slips(k), 0.0, 1e-12, name + ": slip");
    }
}

// Errors of a step below 1e-10: some hundred steps leave less than 1e-7 of the energy, some ten joules.
void pair_keeps_energy(const Handle& system, const std::string& name) {
    const Record record = run_pair(system, {0.0, 0.05, duration}, 1e-10);
    check_gaps(record, 3, name);
    for (Index k = 1; k < 3; ++k) check_near(record.balance(k), record.balance(0), 1e-6, name + ": energy");
}

// Second order: half the step leaves a quarter of the distance from a motion that is far more accurate.
void alpha_converges(const Handle& system, Index steps, const std::string& name) {
    const Record exact = run_pair(system, {0.0, duration}, 1e-11);
    double distances[2], energies[2];
    for (int k = 0; k < 2; ++k) {
        Record record(*system, 2);
        GeneralisedAlpha method = alpha(system);
        const Index count = steps << k;
        run_steps(method, Plan(0.0, duration, count), start_of(*system), record);
        check_equal(method.counts.steps, count, name + ": steps");
        check_gaps(record, 2, name);
        distances[k] = record.distance(1, exact, 1);
        energies[k] = std::abs(record.balance(1) - record.balance(0));
    }
    check_near(distances[0] / distances[1], 4.0, 0.6, name + ": order of positions");
    check(energies[1] < 0.4 * energies[0], name + ": the energy converges too");
}

// Second order too; energy stays whatever the step. Joints hold places to rounding, ε of a length, and velocities
// to ε/h: forty steps of 2.5 ms leave less than 1e-9 of some ten joules.
void steps_keep_energy(const Handle& system, Index steps, const std::string& name) {
    const Record exact = run_pair(system, {0.0, duration}, 1e-11);
    double distances[2];
    for (int k = 0; k < 2; ++k) {
        Record record(*system, 2);
        EnergyMomentum method = keeping(system);
        run_steps(method, Plan(0.0, duration, steps << k), start_of(*system), record);
        check_near(record.samples.gaps(1), 0.0, 1e-13, name + ": gap");
        check_near(record.balance(1), record.balance(0), 1e-9, name + ": energy");
        distances[k] = record.distance(1, exact, 1);
    }
    check_near(distances[0] / distances[1], 4.0, 0.6, name + ": order of positions");
}

// Interrupted by a budget of no time at all, or left and restored from its memory, it takes the same steps.
template <class Make>
void steps_go_on_bit_by_bit(const Make& make, const Handle& system, const std::string& name) {
    const Plan first(0.0, 0.5 * duration, 20), second(0.5 * duration, duration, 20);
    Record whole(*system, 2), parts(*system, 2), restored(*system, 2);
    auto method = make(system);
    check(method.start(start_of(*system), 0.0, first.step()), name + ": start");
    method.run(first.intervals(), whole.samples, 0, long_enough);
    const auto memory = method.memory();
    const State left = method.state();
    method.run(second.intervals(), whole.samples, 1, long_enough);

    auto other = make(system);
    check(other.restore(left, memory), name + ": restored");
    other.run(second.intervals(), restored.samples, 1, long_enough);
    check(whole.numbers(1) == restored.numbers(1), name + ": the same bits from memory");

    auto paused = make(system);
    check(paused.start(start_of(*system), 0.0, first.step()), name + ": start");
    const auto spent = paused.run(first.intervals(), parts.samples, 0, 0.0);
    check(spent.status == Status::running && spent.taken == 0, name + ": a spent budget");
    paused.run(first.intervals(), parts.samples, 0, long_enough);
    paused.run(second.intervals(), parts.samples, 1, long_enough);
    check(whole.numbers(1) == parts.numbers(1), name + ": the same bits after a pause");

    auto spoilt = memory;
    spoilt["u"].pop_back();
    check(!other.restore(left, spoilt), name + ": memory of another system is refused");
    spoilt = memory;
    spoilt["factors"].pop_back();
    check(other.restore(left, spoilt), name + ": factors of another system are made anew");
}

void pair_goes_on_bit_by_bit(const Handle& system, const std::string& name) {
    const std::vector<double> times{0.0, 0.04, duration};
    const Record whole = run_pair(system, times, 1e-8);
    Record parts(*system, 3), none(*system, 0);
    ExplicitRungeKutta method(system, flexframe::tableau_named("dormand_prince"), 1e-8, limit);
    method.start(start_of(*system), 0.0);
    const View<const double, 1> first{times.data(), {2}}, second{times.data() + 1, {2}};
    method.run(first, 0, parts.samples, none.samples, {nullptr, {0}}, long_enough);
    ExplicitRungeKutta other(system, flexframe::tableau_named("dormand_prince"), 1e-8, limit);
    check(other.restore(method.sampled(), method.memory()), name + ": restored");
    Record rest(*system, 2);
    const auto outcome = other.run(second, 0, rest.samples, none.samples, {nullptr, {0}}, long_enough);
    check(outcome.status == Status::done && outcome.taken == 2, name + ": arrives");
    check(whole.numbers(2) == rest.numbers(1), name + ": the same bits from memory");
}

// Ends and middles of all steps, as observers ask for them.
void pair_keeps_steps(const Handle& system, const std::string& name) {
    const std::vector<double> times{0.0, duration};
    Record record(*system, 2), steps(*system, 8);
    std::vector<double> when(8, -1.0);
    ExplicitRungeKutta method(system, flexframe::tableau_named("dormand_prince"), 1e-6, limit);
    method.start(start_of(*system), 0.0);
    const View<const double, 1> instants{times.data(), {2}};
    Index taken = 0, all = 0;
    Status status = Status::running;
    double last = 0.0;
    while (status == Status::running) {
        const auto outcome =
            method.run(instants, taken, record.samples, steps.samples, {when.data(), {8}}, long_enough);
        status = outcome.status;
        taken = outcome.taken;
        for (Index k = 0; k < method.kept; k += 2) {
            check(when[k] > when[k + 1] && when[k + 1] > last, name + ": end and middle of steps in turn");
            last = when[k];
            check_near(steps.balance(k), record.balance(0), 1e-2, name + ": energy at the end of a step");
            check_near(steps.balance(k + 1), record.balance(0), 1e-2, name + ": energy in the middle of a step");
        }
        all += method.kept;
        method.kept = 0;
    }
    check(status == Status::done && all >= 2 && all % 2 == 0, name + ": two states of each step");
}

void all(const Handle& system, Index steps, const std::string& name) {
    pair_keeps_energy(system, name + ", Dormand and Prince");
    alpha_converges(system, steps, name + ", generalised-α");
    steps_go_on_bit_by_bit(alpha, system, name + ", generalised-α");
    pair_goes_on_bit_by_bit(system, name + ", Dormand and Prince");
    pair_keeps_steps(system, name + ", steps");
}

}  // namespace

int main() {
    all(double_pendulum(), 20, "rigid bodies");
    all(elastic_pendulum(), 100, "an elastic body");
    steps_keep_energy(double_pendulum(), 20, "rigid bodies, energy and momenta");
    steps_go_on_bit_by_bit(keeping, double_pendulum(), "rigid bodies, energy and momenta");
    return finish();
}
