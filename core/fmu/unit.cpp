#include "unit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace flexframe::fmu {

namespace {

std::string first_line(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

}  // namespace

std::string folder_of(const char* address) {
    std::string text = address == nullptr ? "" : address;
    const auto drop = [&](const std::string& prefix) {
        if (text.compare(0, prefix.size(), prefix) != 0) return false;
        text.erase(0, prefix.size());
        return true;
    };
    if (drop("file:")) {
        drop("//localhost") || drop("//");
        if (text.size() > 2 && text[0] == '/' && text[2] == ':') text.erase(0, 1);  // a drive of Windows
        std::string plain;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool coded = text[i] == '%' && i + 2 < text.size() && std::isxdigit(text[i + 1] & 0xff) &&
                               std::isxdigit(text[i + 2] & 0xff);
            plain.push_back(coded ? static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16)) : text[i]);
            if (coded) i += 2;
        }
        text = plain;
    }
    while (text.size() > 1 && (text.back() == '/' || text.back() == '\\')) text.pop_back();
    return text;
}

Unit::Unit(const std::string& resources, const std::string& token, Kind kind)
    : path_(resources + "/model.flexframe"), kind_(kind) {
    if (first_line(resources + "/token") != token) {
        throw std::runtime_error("the token of the description is not that of the model in " + resources);
    }
    model_ = read_model(path_);
    if (!model_.state || !model_.stepping) throw std::runtime_error(path_ + " holds no system to step");
    const std::string reason = why_not_continuous(*model_.system, *model_.stepping);
    if (reason.empty()) {
        continuous_ = std::make_unique<ContinuousSystem>(model_.system, *model_.stepping);
    } else if (kind == Kind::model_exchange) {
        throw std::runtime_error(reason);
    }
    reset();
}

void Unit::begin() {
    if (kind_ == Kind::co_simulation) {
        stepper_ = std::make_unique<Stepper>(model_.system, *model_.stepping);
        if (!read_running(path_, *stepper_)) throw std::runtime_error(path_ + " holds no state to start from");
    }
    if (!continuous_) return;
    continuous_ = std::make_unique<ContinuousSystem>(model_.system, *model_.stepping);
    // where bristles are straight yet, which our integrator takes as after its first step
    State state = *model_.state;
    state.states = State(*model_.system).states;
    continuous_->start(state, model_.time);
}

void Unit::reset() {
    begin();
    const std::size_t inputs = model_.stepping->inputs.size();
    inputs_.assign(model_.state->held.begin(), model_.state->held.begin() + static_cast<std::ptrdiff_t>(inputs));
    starts_ = continuous_ ? continuous_->states() : std::vector<double>();
    started_anew_ = false;
    step_ = model_.stepping->step;
    phase_ = Phase::instantiated;
    words.clear();
}

Unit::Variable Unit::variable(unsigned reference) const {
    std::size_t left = reference;
    const std::size_t states = starts_.size();
    const std::size_t indicators = continuous_ ? static_cast<std::size_t>(continuous_->indicator_count()) : 0;
    const std::pair<Sort, std::size_t> sorts[] = {{Sort::time, 1},
                                                  {Sort::input, inputs_.size()},
                                                  {Sort::output, model_.stepping->outputs.size()},
                                                  {Sort::step, 1},
                                                  {Sort::state, states},
                                                  {Sort::derivative, states},
                                                  {Sort::indicator, indicators}};
    for (const auto& [sort, count] : sorts) {
        if (left < count) return {sort, left};
        left -= count;
    }
    throw std::invalid_argument("there is no variable with the value reference " + std::to_string(reference));
}

std::string Unit::name_of(const Variable& variable) const {
    switch (variable.sort) {
        case Sort::time: return "the time";
        case Sort::input: return model_.stepping->inputs[variable.number].name;
        case Sort::output: return model_.stepping->outputs[variable.number].value.name;
        case Sort::step: return "internal_step";
        case Sort::state: return "state " + std::to_string(variable.number + 1);
        case Sort::derivative: return "the derivative of state " + std::to_string(variable.number + 1);
        default: return "event indicator " + std::to_string(variable.number + 1);
    }
}

ContinuousSystem& Unit::exchanged() {
    if (kind_ != Kind::model_exchange) throw std::invalid_argument("this instance is for co-simulation");
    return *continuous_;
}

void Unit::look_at_motion() {
    // the equations at the state at which a running system is
    if (kind_ == Kind::co_simulation && phase_ >= Phase::running) {
        continuous_->follow(stepper_->method().state(), stepper_->time());
    }
    if (!continuous_->evaluate()) throw std::runtime_error(continuous_->problem());
}

double Unit::get(unsigned reference) {
    const Variable found = variable(reference);
    const bool exchanges = kind_ == Kind::model_exchange;
    switch (found.sort) {
        case Sort::time: return time();
        case Sort::input: return inputs_[found.number];
        case Sort::step: return step_;
        case Sort::output:
            if (!exchanges) return stepper_->outputs()[found.number];
            look_at_motion();
            return continuous_->outputs()[found.number];
        case Sort::state:
            if (phase_ < Phase::running) return starts_[found.number];
            if (!exchanges) look_at_motion();
            return continuous_->states()[found.number];
        case Sort::derivative: look_at_motion(); return continuous_->rates()[static_cast<Index>(found.number)];
        default: look_at_motion(); return continuous_->indicators()[found.number];
    }
}

void Unit::set(unsigned reference, double value) {
    const Variable found = variable(reference);
    const std::string name = name_of(found);
    if (!std::isfinite(value)) throw std::invalid_argument(name + " is not a finite number");
    switch (found.sort) {
        case Sort::input:
            inputs_[found.number] = value;
            if (continuous_) continuous_->set_input(static_cast<Index>(found.number), value);
            return;
        case Sort::step:
            if (phase_ >= Phase::running) throw std::invalid_argument(name + " is fixed after initialisation");
            if (!(value > 0.0)) {
                throw std::invalid_argument(name + " is " + std::to_string(value) + " s; give more than zero");
            }
            step_ = value;
            return;
        case Sort::state:
            if (phase_ >= Phase::running) throw std::invalid_argument(name + " is set before the start only");
            starts_[found.number] = value;
            started_anew_ = true;
            continuous_->set_states(starts_.data());
            return;
        default: throw std::invalid_argument(name + " is computed and cannot be set");
    }
}

void Unit::require_start(double start) const {
    if (!(std::abs(start - model_.time) <= 1e-12)) {
        throw std::invalid_argument("the model starts at t = " + std::to_string(model_.time) +
                                    " s, as laws of its drives and loads do; start there");
    }
}

void Unit::enter_initialisation() {
    if (phase_ != Phase::instantiated) throw std::invalid_argument("initialisation has begun before; reset");
    phase_ = Phase::initialising;
}

void Unit::exit_initialisation() {
    if (phase_ != Phase::initialising) throw std::invalid_argument("initialisation has not begun");
    if (started_anew_ && !continuous_->evaluate()) {
        throw std::runtime_error("the values at the start are refused: " + continuous_->problem());
    }
    if (kind_ == Kind::co_simulation) {
        stepper_->set_step(step_);
        if (started_anew_ && stepper_->start(continuous_->state(), model_.time, step_) != Status::done) {
            throw std::runtime_error(reason_of(*stepper_));
        }
        stepper_->set_inputs(inputs_.data());
        const bool same = std::equal(inputs_.begin(), inputs_.end(), stepper_->method().state().held.begin());
        if (!same && stepper_->apply_inputs() != Status::done) throw std::runtime_error(reason_of(*stepper_));
    } else if (!continuous_->begin_here()) {
        throw std::runtime_error(continuous_->problem());
    }
    phase_ = Phase::running;
}

void Unit::terminate() { phase_ = Phase::terminated; }

Result Unit::step(double point, double length) {
    if (kind_ != Kind::co_simulation) throw std::invalid_argument("this instance is for model exchange");
    if (phase_ != Phase::running) throw std::invalid_argument("a step before initialisation has ended");
    if (!(length > 0.0 && std::isfinite(length))) {
        throw std::invalid_argument("a communication step of " + std::to_string(length) + " s is none");
    }
    if (!(std::abs(point - stepper_->time()) <= 1e-6 * length + 1e-12 * std::abs(point))) {
        throw std::invalid_argument("the communication point is " + std::to_string(point) +
                                    " s, and the unit is at " + std::to_string(stepper_->time()) + " s");
    }
    stepper_->set_inputs(inputs_.data());
    const Status status = stepper_->step(length);
    stepper_->happened.clear();
    if (status == Status::done) return Result::ok;
    words = reason_of(*stepper_);
    return status == Status::event ? Result::discard : Result::error;
}

namespace {

void require_array(const double* array, std::size_t given, std::size_t there, const char* what) {
    if (given == there && (array != nullptr || given == 0)) return;
    throw std::invalid_argument("there are " + std::to_string(there) + ' ' + what + ", not " +
                                std::to_string(given));
}

}  // namespace

void Unit::set_time(double time) {
    if (!std::isfinite(time)) throw std::invalid_argument("the time is not a finite number");
    exchanged().set_time(time);
}

void Unit::set_states(const double* x, std::size_t count) {
    require_array(x, count, state_count(), "states");
    for (std::size_t k = 0; k < count; ++k) {
        if (std::isfinite(x[k])) continue;
        throw std::invalid_argument(name_of({Sort::state, k}) + " is not a finite number");
    }
    exchanged().set_states(x);
}

void Unit::get_states(double* x, std::size_t count) {
    require_array(x, count, state_count(), "states");
    std::copy_n(exchanged().states().begin(), count, x);
}

void Unit::get_nominals(double* out, std::size_t count) {
    require_array(out, count, state_count(), "states");
    const std::vector<double> found = exchanged().nominals();
    std::copy_n(found.begin(), count, out);
}

Result Unit::told(bool done) {
    // a state that cannot be is one that the integrator tried: it may take a shorter step
    if (done) return Result::ok;
    words = continuous_->problem();
    return Result::discard;
}

Result Unit::get_derivatives(double* out, std::size_t count) {
    require_array(out, count, state_count(), "states");
    const Result result = told(exchanged().evaluate());
    if (result == Result::ok) std::copy_n(continuous_->rates().data(), count, out);
    return result;
}

Result Unit::get_indicators(double* out, std::size_t count) {
    require_array(out, count, indicator_count(), "event indicators");
    const Result result = told(exchanged().evaluate());
    if (result == Result::ok) std::copy_n(continuous_->indicators().begin(), count, out);
    return result;
}

Result Unit::complete_step(bool& event) {
    event = false;
    return told(exchanged().complete_step(event)) == Result::ok ? Result::ok : Result::error;
}

Result Unit::update(EventOutcome& outcome) {
    return told(exchanged().update(outcome)) == Result::ok ? Result::ok : Result::error;
}

Result Unit::slopes(const std::vector<unsigned>& unknowns, const std::vector<unsigned>& knowns, const double* seed,
                    double* out) {
    ContinuousSystem& system = exchanged();
    std::vector<double> along_x(starts_.size(), 0.0), along_w(inputs_.size(), 0.0);
    for (std::size_t k = 0; k < knowns.size(); ++k) {
        const Variable found = variable(knowns[k]);
        if (found.sort != Sort::state && found.sort != Sort::input) {
            throw std::invalid_argument(name_of(found) + " is neither a state nor an input");
        }
        (found.sort == Sort::state ? along_x : along_w)[found.number] += seed[k];
    }
    std::vector<Variable> asked;
    for (unsigned reference : unknowns) {
        asked.push_back(variable(reference));
        if (asked.back().sort != Sort::derivative && asked.back().sort != Sort::output) {
            throw std::invalid_argument(name_of(asked.back()) + " is neither a derivative nor an output");
        }
    }
    Vector of_rates, of_outputs;
    const Result result = told(system.slopes(along_x.data(), along_w.data(), of_rates, of_outputs));
    if (result != Result::ok) return result;
    for (std::size_t k = 0; k < asked.size(); ++k) {
        const Index number = static_cast<Index>(asked[k].number);
        out[k] = asked[k].sort == Sort::derivative ? of_rates[number] : of_outputs[number];
    }
    return Result::ok;
}

UnitState Unit::save() const {
    UnitState out;
    if (stepper_) out.running = stepper_->save();
    if (kind_ == Kind::model_exchange) out.point = continuous_->save();
    out.inputs = inputs_;
    out.starts = starts_;
    out.step = step_;
    out.phase = phase_;
    out.started_anew = started_anew_;
    return out;
}

void Unit::restore(const UnitState& state) {
    const bool mine = state.inputs.size() == inputs_.size() && state.starts.size() == starts_.size() &&
                      state.point.has_value() == (kind_ == Kind::model_exchange);
    if (!mine || (stepper_ && !stepper_->restore(*state.running)) ||
        (state.point && !continuous_->restore(*state.point))) {
        throw std::invalid_argument("the state is that of another unit");
    }
    inputs_ = state.inputs;
    starts_ = state.starts;
    started_anew_ = state.started_anew;
    step_ = state.step;
    phase_ = state.phase;
    if (stepper_) stepper_->set_step(step_);
    if (!continuous_) return;
    for (std::size_t k = 0; k < inputs_.size(); ++k) continuous_->set_input(static_cast<Index>(k), inputs_[k]);
    if (phase_ < Phase::running) continuous_->set_states(starts_.data());
}

std::vector<double> Unit::pack(const UnitState& state) const {
    std::vector<double> out{static_cast<double>(state.phase), state.step, state.started_anew ? 1.0 : 0.0};
    for (const auto* list : {&state.inputs, &state.starts}) out.insert(out.end(), list->begin(), list->end());
    const std::vector<double> rest = state.point ? flexframe::pack(*state.point) : flexframe::pack(*state.running);
    out.insert(out.end(), rest.begin(), rest.end());
    return out;
}

UnitState Unit::unpack(const double* numbers, std::size_t count) const {
    UnitState state = save();
    const std::size_t inputs = 3, starts = inputs + inputs_.size(), first = starts + starts_.size();
    bool known = count > first && numbers[0] >= 0.0 && numbers[0] <= 3.0 && numbers[1] > 0.0 &&
                 std::all_of(numbers, numbers + first, [](double each) { return std::isfinite(each); });
    if (known) {
        const Index rest = static_cast<Index>(count - first);
        known = state.point ? flexframe::unpack(numbers + first, rest, *state.point)
                            : flexframe::unpack(numbers + first, rest, *state.running);
    }
    if (!known) throw std::invalid_argument("these bytes are no state of this unit");
    state.phase = static_cast<Phase>(static_cast<int>(numbers[0]));
    state.step = numbers[1];
    state.started_anew = numbers[2] != 0.0;
    state.inputs.assign(numbers + inputs, numbers + starts);
    state.starts.assign(numbers + starts, numbers + first);
    return state;
}

}  // namespace flexframe::fmu
