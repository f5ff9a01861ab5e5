// Systems that are stepped from outside, for Python.
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bindings.hpp"
#include "flexframe/continuous_system.hpp"
#include "flexframe/stepper.hpp"

namespace flexframe::bindings {

namespace {

NamedValue named(nb::handle given) {
    return {nb::cast<std::string>(given.attr("name")), nb::cast<std::string>(given.attr("unit"))};
}

Stepping read_stepping(nb::handle tables) {
    Stepping out;
    for (nb::handle each : tables.attr("inputs")) out.inputs.push_back(named(each));
    for (nb::handle each : tables.attr("outputs")) {
        out.outputs.push_back({named(each), nb::cast<Index>(each.attr("signal"))});
    }
    for (nb::handle each : tables.attr("samplings")) {
        out.samplings.push_back({nb::cast<double>(each.attr("period")), nb::cast<double>(each.attr("offset")),
                                 !each.attr("function").is_none()});
    }
    for (nb::handle each : tables.attr("events")) {
        EventAction event;
        event.name = nb::cast<std::string>(each.attr("name"));
        event.stop = nb::cast<bool>(each.attr("stop"));
        for (nb::handle pair : each.attr("held")) {
            const auto [held, value] = nb::cast<std::tuple<Index, double>>(pair);
            event.held.push_back(held);
            event.values.push_back(value);
        }
        event.touch = nb::cast<Index>(each.attr("touch"));
        event.restitution = nb::cast<double>(each.attr("restitution"));
        event.friction = nb::cast<double>(each.attr("friction"));
        event.least_speed = nb::cast<double>(each.attr("least_speed"));
        event.lock = nb::cast<Index>(each.attr("lock"));
        out.events.push_back(std::move(event));
    }
    out.step = nb::cast<double>(tables.attr("step"));
    const auto method = nb::cast<std::vector<double>>(tables.attr("method"));
    std::copy_n(method.begin(), 4, out.method.begin());
    out.limit = nb::cast<double>(tables.attr("limit"));
    return out;
}

/// Go on by a length of time with inputs, and fill the outputs; other threads run unless functions of Python do.
Index step(Stepper& stepper, double length, Given<const double, 1> inputs, Given<double, 1> outputs) {
    if (inputs.size() != stepper.stepping().inputs.size() || outputs.size() != stepper.outputs().size()) {
        throw std::invalid_argument("inputs or outputs have another number");
    }
    stepper.set_inputs(inputs.data());
    std::optional<nb::gil_scoped_release> release;
    if (!stepper.functions) release.emplace();
    const Status status = stepper.step(length);
    std::copy(stepper.outputs().begin(), stepper.outputs().end(), outputs.data());
    return static_cast<Index>(status);
}

/// Event, time, speed before, impulse and energy lost of what happened since the last call; whether a lock is
/// closed, whether shapes come to rest, and whether such shapes part.
std::vector<std::tuple<Index, double, double, double, double, bool, bool, bool>> take_happened(Stepper& stepper) {
    std::vector<std::tuple<Index, double, double, double, double, bool, bool, bool>> out;
    for (const Happened& each : stepper.happened) {
        const Impact& impact = each.impact;
        out.emplace_back(each.event, each.time, impact.speed, impact.impulse, impact.lost, each.closed,
                         impact.rests, each.parts);
    }
    stepper.happened.clear();
    return out;
}

/// Set t, x and w, and find all that follows; a RuntimeError says why there is nothing.
void evaluate(ContinuousSystem& system, double time, Given<const double, 1> x, Given<const double, 1> inputs) {
    if (x.size() != system.states().size() || inputs.size() != system.stepping().inputs.size()) {
        throw std::invalid_argument("states or inputs have another number");
    }
    system.set_time(time);
    system.set_states(x.data());
    for (std::size_t k = 0; k < inputs.size(); ++k) system.set_input(static_cast<Index>(k), inputs.data()[k]);
    if (!system.evaluate()) throw std::runtime_error(system.problem());
}

std::vector<double> list_of(const Vector& vector) { return {vector.begin(), vector.end()}; }

/// Slopes of rates and outputs along a direction of states and inputs.
std::tuple<std::vector<double>, std::vector<double>> slopes(ContinuousSystem& system, Given<const double, 1> x,
                                                            Given<const double, 1> inputs) {
    if (x.size() != system.states().size() || inputs.size() != system.stepping().inputs.size()) {
        throw std::invalid_argument("states or inputs have another number");
    }
    Vector of_rates, of_outputs;
    if (!system.slopes(x.data(), inputs.data(), of_rates, of_outputs)) throw std::runtime_error(system.problem());
    return {list_of(of_rates), list_of(of_outputs)};
}

void bind_continuous(nb::module_& module) {
    nb::class_<ContinuousSystem>(module, "ContinuousSystem")
        .def("__init__",
             [](ContinuousSystem* self, const std::shared_ptr<const System>& system, nb::handle tables,
                nb::handle place, double time) {
                 const State state = read_state(*system, place);
                 new (self) ContinuousSystem(system, read_stepping(tables));
                 self->start(state, time);
             })
        .def_prop_ro("positions", [](const ContinuousSystem& self) { return self.partition().positions; })
        .def_prop_ro("velocities", [](const ContinuousSystem& self) { return self.partition().velocities; })
        .def_prop_ro("states", [](const ContinuousSystem& self) { return self.states(); })
        .def_prop_ro("nominals", &ContinuousSystem::nominals)
        .def_prop_ro("watched",
                     [](const ContinuousSystem& self) {
                         std::vector<std::tuple<Index, Index>> out;
                         for (Index k = 0; k < self.indicator_count(); ++k) {
                             out.emplace_back(self.event_of(k), self.contact_of(k));
                         }
                         return out;
                     })
        .def("evaluate", &evaluate)
        .def_prop_ro("rates", [](const ContinuousSystem& self) { return list_of(self.rates()); })
        .def_prop_ro("outputs", [](const ContinuousSystem& self) { return self.outputs(); })
        .def_prop_ro("indicators", [](ContinuousSystem& self) { return self.indicators(); })
        .def_prop_ro("gaps",
                     [](const ContinuousSystem& self) {
                         return std::make_tuple(self.gaps().position, self.gaps().velocity);
                     })
        .def("slopes", &slopes);
}

}  // namespace

void bind_stepping(nb::module_& module) {
    bind_continuous(module);
    nb::class_<RunningState>(module, "RunningState").def_ro("time", &RunningState::time);
    nb::class_<Stepper>(module, "Stepper")
        .def("__init__",
             [](Stepper* self, const std::shared_ptr<const System>& system, nb::handle tables) {
                 new (self) Stepper(system, read_stepping(tables));
             })
        .def("start",
             [](Stepper& self, nb::handle place, double time, double expected) {
                 return static_cast<Index>(self.start(read_state(self.system(), place), time, expected));
             })
        .def("step", &step)
        .def("call", [](Stepper& self, Stepper::Functions functions) { self.functions = std::move(functions); })
        .def("hold",
             [](Stepper& self, Index number, double value, double time, double step) {
                 return self.method().hold(number, value, time, step);
             })
        .def_prop_ro("time", &Stepper::time)
        .def_prop_ro("status", [](const Stepper& self) { return static_cast<Index>(self.status()); })
        .def_prop_ro("body", &Stepper::body)
        .def_prop_ro("outputs", [](const Stepper& self) { return self.outputs(); })
        .def_prop_ro("inputs",
                     [](const Stepper& self) {
                         const std::vector<double>& held = self.method().state().held;
                         return std::vector<double>(held.begin(), held.begin() + self.stepping().inputs.size());
                     })
        .def("signals", [](Stepper& self, double time) { return self.method().signals(time); })
        .def("take_happened", &take_happened)
        .def("write", [](Stepper& self, nb::handle place) {
            write_state(self.system(), self.method().state(), place);
        })
        .def("save", &Stepper::save)
        .def("restore", &Stepper::restore)
        .def("write_file", [](const Stepper& self, const std::string& path) { write_running(path, self); })
        .def("read_file", [](Stepper& self, const std::string& path) { return read_running(path, self); });
}

}  // namespace flexframe::bindings
