#include "flexframe/stepper.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>

namespace flexframe {

namespace {

constexpr double unlimited = 1e9;      // s of wall time
constexpr Index most_at_once = 1000;   // events without progress, which are a chain without an end
constexpr double no_progress = 1e-6;   // part of a call within which these lie

View<const double, 1> one(const double& value) { return {&value, {1}}; }
View<const Index, 1> one(const Index& value) { return {&value, {1}}; }

}  // namespace

Stepper::Stepper(std::shared_ptr<const System> system, Stepping stepping)
    : system_(std::move(system)), stepping_(std::move(stepping)), row_(*system_) {
    const auto& m = stepping_.method;
    const double constants[4] = {m[0], m[1], m[2], m[3]};
    method_ = std::make_unique<GeneralisedAlpha>(system_, constants, stepping_.limit);
    const auto& initial = system_->signals.initial_held;
    wanted_.assign(initial.begin(), initial.begin() + stepping_.inputs.size());
    outputs_.assign(stepping_.outputs.size(), 0.0);
    signals_.assign(system_->signals.count(), 0.0);
}

Status Stepper::start(const State& state, double time, double expected) {
    time_ = origin_ = time;
    count_ = 0;
    length_ = 0.0;
    body_ = -1;
    happened.clear();
    std::copy_n(state.held.begin(), wanted_.size(), wanted_.begin());
    const double step = piece_to(time + expected, time + expected).step;
    method_->rewind();
    if (!method_->start(state, time, step)) return status_ = Status::no_inertia;
    if (!close_locks(time, step)) return status_ = Status::no_inertia;
    const Index groups = groups_at(stepping_.samplings, time, time);
    const Outcome outcome = run({time, step, time, 0, groups}, true);
    status_ = outcome.status;
    if (status_ == Status::done && !call_functions(groups, time, step)) status_ = Status::no_inertia;
    return status_;
}

void Stepper::set_inputs(const double* values) { std::copy_n(values, wanted_.size(), wanted_.begin()); }

double Stepper::next(double length) {
    const bool follows = length == length_ && time_ == origin_ + static_cast<double>(count_) * length_;
    if (!follows) {
        origin_ = time_;
        length_ = length;
        count_ = 0;
    }
    ++count_;
    return origin_ + static_cast<double>(count_) * length_;
}

Stepper::Piece Stepper::piece_to(double end, double last) const {
    Piece piece;
    piece.begin = time_;
    piece.end = end;
    piece.count = std::max<Index>(1, std::ceil((end - time_) / stepping_.step * (1.0 - same_instant)));
    piece.step = rounded((end - time_) / static_cast<double>(piece.count), 11);
    piece.groups = groups_at(stepping_.samplings, end, last);
    return piece;
}

Outcome Stepper::run(const Piece& piece, bool sampled) {
    const Index first = 0, kept = static_cast<Index>(sampled ? Kept::sample : Kept::nothing);
    const Intervals plan{one(piece.begin), one(piece.step), one(first),      one(piece.count),
                         one(piece.end),   one(kept),       one(piece.groups)};
    row_.shorten(0);
    const Samples& row = row_.add(piece.end);
    const Outcome outcome = method_->run(plan, row, 0, unlimited);
    if (sampled && outcome.status == Status::done) {
        std::copy_n(row.signals.data, signals_.size(), signals_.begin());
        keep_outputs();
    }
    return outcome;
}

void Stepper::keep_outputs() {
    for (std::size_t k = 0; k < outputs_.size(); ++k) outputs_[k] = signals_[stepping_.outputs[k].signal];
}

bool Stepper::call_functions(Index groups, double time, double step) {
    Index called = 0;
    for (std::size_t g = 0; g < stepping_.samplings.size(); ++g) {
        if (stepping_.samplings[g].by_function) called |= groups & (Index{1} << g);
    }
    return called == 0 || (functions && functions(called, time, step));
}

bool Stepper::close_locks(double time, double step) {
    const std::vector<double> values = method_->signals(time);
    for (std::size_t k = 0; k < stepping_.events.size(); ++k) {
        const Index signal = system_->signals.events[k];
        const bool locks = stepping_.events[k].lock >= 0 && signal < system_->signals.count();
        if (!locks || !(values[signal] > 0.0)) continue;
        if (!act(static_cast<Index>(k), time, step)) return false;
    }
    return true;
}

bool Stepper::act(Index event, double time, double step) {
    const Index jump = system_->signals.jump_of(event);
    if (jump >= 0) return method_->switch_side(jump, time, step);
    const EventAction& action = stepping_.events[event];
    happened.push_back({event, time, {}, false});
    Impact& impact = happened.back().impact;
    impact.found = true;
    if (action.touch >= 0 && method_->rests(action.touch)) {
        impact.found = method_->release(action.touch, time, step);
        happened.back().parts = true;
    } else if (action.touch >= 0 && method_->rests_elsewhere(action.touch)) {
        impact.rests = true;
        status_ = Status::event;
    } else if (action.touch >= 0) {
        impact =
            method_->impact(action.touch, action.restitution, action.friction, action.least_speed, time, step);
    } else if (action.lock >= 0) {
        impact = method_->lock(action.lock, time, step);
        happened.back().closed = method_->state().held[action.lock] != 0.0;
    } else {
        for (std::size_t k = 0; k < action.held.size() && impact.found; ++k) {
            impact.found = method_->hold(action.held[k], action.values[k], time, step);
        }
        if (action.stop) status_ = Status::event;
    }
    if (status_ == Status::event) body_ = event;
    return impact.found;
}

bool Stepper::take_inputs(double step) {
    const std::vector<double>& now = method_->state().held;
    if (std::equal(wanted_.begin(), wanted_.end(), now.begin())) return true;
    std::vector<double> held = now;
    std::copy(wanted_.begin(), wanted_.end(), held.begin());
    return method_->hold_all(held, time_, step);
}

Status Stepper::apply_inputs() {
    if (status_ != Status::done) return status_;
    if (!take_inputs(stepping_.step)) return status_ = Status::no_inertia;
    return status_ = run({time_, stepping_.step, time_, 0, 0}, true).status;
}

Status Stepper::go(double end, double length) {
    if (status_ != Status::done) return status_;
    if (!(end > time_ && std::isfinite(end))) return status_ = Status::too_small;
    const double begin = time_;
    const double first = next_instant(stepping_.samplings, time_, end);
    if (!take_inputs(piece_to(first, end).step)) return status_ = Status::no_inertia;
    Index events = 0;
    while (status_ == Status::done && time_ < end) {
        const double instant = next_instant(stepping_.samplings, time_, end);
        const Piece piece = piece_to(instant, end);
        const Outcome outcome = run(piece, instant == end);
        body_ = outcome.body;
        time_ = outcome.time;
        if (outcome.status == Status::done) {
            time_ = instant;
            if (!call_functions(piece.groups, time_, piece.step)) status_ = Status::no_inertia;
            continue;
        }
        if (outcome.status != Status::event) {
            status_ = outcome.status;
            break;
        }
        if (++events > most_at_once && time_ - begin < no_progress * length) {
            status_ = Status::no_convergence;
            break;
        }
        const bool at_start = method_->happened_at_start();
        const double step = time_ < end ? piece_to(end, end).step : stepping_.step;
        if (!act(outcome.body, time_, step)) {
            status_ = Status::no_inertia;
            break;
        }
        // what was to be sampled or kept at this very instant
        const bool done = at_start || status_ == Status::event;
        const Index groups = done ? 0 : groups_at(stepping_.samplings, time_, end);
        if (status_ == Status::event || groups != 0 || (!at_start && time_ == end)) {
            const bool kept = status_ == Status::event || time_ == end;
            const Outcome here = run({time_, step, time_, 0, groups}, kept);
            if (here.status != Status::done) {
                status_ = here.status;
            } else if (!call_functions(groups, time_, step)) {
                status_ = Status::no_inertia;
            }
        }
    }
    return status_;
}

RunningState Stepper::save() const {
    return {time_, origin_, length_, count_, outputs_, method_->state(), method_->memory()};
}

bool Stepper::restore(const RunningState& saved) {
    if (!method_->restore(saved.state, saved.memory)) return false;
    method_->rewind();
    time_ = saved.time;
    origin_ = saved.origin;
    length_ = saved.length;
    count_ = saved.count;
    outputs_ = saved.outputs;
    status_ = Status::done;
    body_ = -1;
    happened.clear();
    std::copy_n(saved.state.held.begin(), wanted_.size(), wanted_.begin());
    return true;
}

namespace {

const std::string running = "running";  // time of steps, and outputs, beside the memory of the integrator

/// All lists of a state, in one order.
template <class AnyState>
auto lists(AnyState& s) {
    return std::array{&s.positions, &s.quaternions, &s.deformation, &s.velocities, &s.angles,
                      &s.states,    &s.held,        &s.counted};
}

bool fits(const State& a, const State& b) {
    const auto of_a = lists(a), of_b = lists(b);
    return std::equal(of_a.begin(), of_a.end(), of_b.begin(),
                      [](const auto* one, const auto* other) { return one->size() == other->size(); });
}

}  // namespace

void write_running(const std::string& path, const Stepper& stepper) {
    RunningState saved = stepper.save();
    Model model{std::make_shared<const System>(stepper.system()), saved.state, saved.time, saved.memory,
                stepper.stepping()};
    std::vector<double>& own = model.memory[running];
    own = {saved.origin, saved.length, static_cast<double>(saved.count)};
    own.insert(own.end(), saved.outputs.begin(), saved.outputs.end());
    write_model(path, model);
}

bool read_running(const std::string& path, Stepper& stepper) {
    const Model model = read_model(path);
    const auto own = model.memory.find(running);
    if (!model.state || own == model.memory.end() || own->second.size() != 3 + stepper.outputs().size() ||
        !fits(*model.state, stepper.method().state())) {
        return false;
    }
    const std::vector<double>& numbers = own->second;
    RunningState saved{model.time, numbers[0], numbers[1], static_cast<Index>(numbers[2]),
                       {numbers.begin() + 3, numbers.end()}, *model.state, model.memory};
    return stepper.restore(saved);
}

std::vector<double> pack(const RunningState& state) {
    std::vector<double> out{state.time, state.origin, state.length, static_cast<double>(state.count)};
    const auto add = [&](const std::vector<double>& list) {
        out.push_back(static_cast<double>(list.size()));
        out.insert(out.end(), list.begin(), list.end());
    };
    add(state.outputs);
    for (const std::vector<double>* list : lists(state.state)) add(*list);
    for (const auto& [name, list] : state.memory) add(list);  // in the order of the names
    return out;
}

bool unpack(const double* numbers, Index count, RunningState& state) {
    // a state of the same system says how long each list may be
    Index next = 4;
    const auto take = [&](std::vector<double>& list, bool same) {
        if (next >= count || !(numbers[next] >= 0.0 && numbers[next] <= static_cast<double>(count - next - 1))) {
            return false;
        }
        const Index length = static_cast<Index>(numbers[next++]);
        if (same && length != static_cast<Index>(list.size())) return false;
        list.assign(numbers + next, numbers + next + length);
        next += length;
        return true;
    };
    if (count < 4) return false;
    state.time = numbers[0];
    state.origin = numbers[1];
    state.length = numbers[2];
    state.count = static_cast<Index>(numbers[3]);
    bool good = take(state.outputs, true);
    for (std::vector<double>* list : lists(state.state)) good = good && take(*list, true);
    for (auto& [name, list] : state.memory) good = good && take(list, false);
    return good && next == count;
}

std::string reason_of(const Stepper& stepper) {
    char when[48];
    std::snprintf(when, sizeof when, "t = %.6g s", stepper.time());
    const std::string at = std::string(" at ") + when;
    switch (stepper.status()) {
        case Status::done: return "";
        case Status::singular:
            return "the equations became singular" + at + "; look for a dead point or a body without inertia";
        case Status::no_convergence:
            return "the iteration of a step did not converge" + at + "; take a shorter internal step";
        case Status::too_bent:
            return "the deflection of a body left the range of small deflections" + at;
        case Status::folded:
            return "an element of an exact beam is folded" + at + "; give its mesh more elements";
        case Status::no_inertia: return "a free motion has no inertia" + at;
        case Status::too_small: return "a step must be a finite time above zero" + at;
        case Status::event: {
            const Index event = stepper.body();
            const auto& events = stepper.stepping().events;
            const bool known = event >= 0 && event < static_cast<Index>(events.size());
            return "the motion ended" + at + (known ? " by the event " + events[event].name : std::string());
        }
        default: return "the motion is no longer finite" + at;
    }
}

}  // namespace flexframe
