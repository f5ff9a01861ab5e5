#include "unit.hpp"

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

Unit::Unit(const std::string& resources, const std::string& token) : path_(resources + "/model.flexframe") {
    if (first_line(resources + "/token") != token) {
        throw std::runtime_error("the token of the description is not that of the model in " + resources);
    }
    model_ = read_model(path_);
    if (!model_.state || !model_.stepping) throw std::runtime_error(path_ + " holds no system to step");
    reset();
}

void Unit::begin() {
    stepper_ = std::make_unique<Stepper>(model_.system, *model_.stepping);
    if (!read_running(path_, *stepper_)) throw std::runtime_error(path_ + " holds no state to start from");
}

void Unit::reset() {
    begin();
    inputs_.clear();
    for (std::size_t k = 0; k < model_.stepping->inputs.size(); ++k) inputs_.push_back(stepper_->input(k));
    step_ = model_.stepping->step;
    phase_ = Phase::instantiated;
    words.clear();
}

double Unit::get(unsigned reference) const {
    const std::size_t inputs = inputs_.size(), outputs = stepper_->outputs().size();
    if (reference == 0) return stepper_->time();
    if (reference <= inputs) return inputs_[reference - 1];
    if (reference <= inputs + outputs) return stepper_->outputs()[reference - 1 - inputs];
    if (reference == inputs + outputs + 1) return step_;
    throw std::invalid_argument("there is no variable with the value reference " + std::to_string(reference));
}

void Unit::set(unsigned reference, double value) {
    const std::size_t inputs = inputs_.size(), outputs = stepper_->outputs().size();
    if (reference >= 1 && reference <= inputs) {
        const std::string& name = model_.stepping->inputs[reference - 1].name;
        if (!std::isfinite(value)) throw std::invalid_argument(name + " is not a finite number");
        inputs_[reference - 1] = value;
        return;
    }
    if (reference == inputs + outputs + 1) {
        if (phase_ == Phase::stepping) throw std::invalid_argument("internal_step is fixed after initialisation");
        if (!(value > 0.0 && std::isfinite(value))) {
            throw std::invalid_argument("internal_step is " + std::to_string(value) + " s; give more than zero");
        }
        step_ = value;
        return;
    }
    const bool known = reference <= inputs + outputs;
    throw std::invalid_argument("the variable with the value reference " + std::to_string(reference) +
                                (known ? " is computed and cannot be set" : " is not there"));
}

void Unit::enter_initialisation(double start) {
    if (phase_ != Phase::instantiated) throw std::invalid_argument("initialisation has begun before; reset");
    if (std::abs(start - model_.time) > 1e-12) {
        throw std::invalid_argument("the model starts at t = " + std::to_string(model_.time) +
                                    " s, as laws of its drives and loads do; start there");
    }
    phase_ = Phase::initialising;
}

void Unit::exit_initialisation() {
    if (phase_ != Phase::initialising) throw std::invalid_argument("initialisation has not begun");
    stepper_->set_step(step_);
    stepper_->set_inputs(inputs_.data());
    bool same = true;
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
        same = same && inputs_[k] == model_.state->held[k];
    }
    if (!same && stepper_->apply_inputs() != Status::done) throw std::runtime_error(reason_of(*stepper_));
    phase_ = Phase::stepping;
}

void Unit::terminate() { phase_ = Phase::terminated; }

Result Unit::step(double point, double length) {
    if (phase_ != Phase::stepping) throw std::invalid_argument("a step before initialisation has ended");
    if (!(length > 0.0 && std::isfinite(length))) {
        throw std::invalid_argument("a communication step of " + std::to_string(length) + " s is none");
    }
    if (std::abs(point - stepper_->time()) > 1e-6 * length + 1e-12 * std::abs(point)) {
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

UnitState Unit::save() const { return {stepper_->save(), inputs_, step_, phase_}; }

void Unit::restore(const UnitState& state) {
    if (state.inputs.size() != inputs_.size() || !stepper_->restore(state.running)) {
        throw std::invalid_argument("the state is that of another unit");
    }
    inputs_ = state.inputs;
    step_ = state.step;
    phase_ = state.phase;
    stepper_->set_step(step_);
}

std::vector<double> Unit::pack(const UnitState& state) const {
    std::vector<double> out{static_cast<double>(state.phase), state.step};
    out.insert(out.end(), state.inputs.begin(), state.inputs.end());
    const std::vector<double> running = flexframe::pack(state.running);
    out.insert(out.end(), running.begin(), running.end());
    return out;
}

UnitState Unit::unpack(const double* numbers, std::size_t count) const {
    UnitState state = save();
    const std::size_t first = 2 + inputs_.size();
    const bool known = count > first && numbers[0] >= 0.0 && numbers[0] <= 3.0 && numbers[1] > 0.0;
    if (!known || !flexframe::unpack(numbers + first, static_cast<Index>(count - first), state.running)) {
        throw std::invalid_argument("these bytes are no state of this unit");
    }
    state.phase = static_cast<Phase>(static_cast<int>(numbers[0]));
    state.step = numbers[1];
    state.inputs.assign(numbers + 2, numbers + first);
    return state;
}

}  // namespace flexframe::fmu
