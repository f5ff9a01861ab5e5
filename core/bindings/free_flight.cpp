// Free flight: the energy of a body, the coefficients of its steps, and the flight itself.
#include "flexframe/free_flight.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>

#include "bindings.hpp"

namespace flexframe::bindings {

namespace {

using namespace nb::literals;

template <int N>
using Numbers = Given<const double, N>;

template <class Array>
std::vector<double> copy_of(const Array& array) {
    return {array.data(), array.data() + array.size()};
}

template <class T>
void require_rows(const View<T, 2>& array, Index rows, Index columns, const char* name) {
    if (array.shape[0] >= rows && array.shape[1] == columns) return;
    throw std::invalid_argument(std::string(name) + " needs " + std::to_string(rows) + " rows of " +
                                std::to_string(columns) + " numbers");
}

void make_hamiltonian(Hamiltonian* self, bool planar, const Numbers<1>& frequencies,
                      const Numbers<2>& second_moment, const Numbers<2>& position_coupling,
                      const Numbers<3>& shape_products,
                      const Numbers<3>& rate_products, const Numbers<3>& products, const Numbers<2>& stiffness,
                      const Numbers<2>& damping) {
    CentralInertia body;
    body.planar = planar;
    body.coordinates = static_cast<Index>(frequencies.size());
    body.fields = static_cast<Index>(position_coupling.shape(1));
    body.frequencies = copy_of(frequencies);
    body.second_moment = copy_of(second_moment);
    body.position_coupling = copy_of(position_coupling);
    body.shape_products = copy_of(shape_products);
    body.rate_products = copy_of(rate_products);
    body.products = copy_of(products);
    body.stiffness = copy_of(stiffness);
    body.damping = copy_of(damping);
    new (self) Hamiltonian(std::move(body));
}

/// H and ∂H/∂(L, p, z) at the rows of `states`, four at a time; the last row fills up the four.
void evaluate(Hamiltonian& hamiltonian, const Numbers<2>& given, const Given<double, 1>& energies,
              const Given<double, 2>& found) {
    const View<const double, 2> states = view(given);
    const View<double, 2> gradients = view(found);
    const Index count = states.count(), width = hamiltonian.body().width();
    require_rows(states, 0, width, "states");
    require_rows(gradients, count, width, "gradients");
    if (view(energies).count() < count) throw std::invalid_argument("energies needs a number for each state");
    std::vector<Points> at(static_cast<std::size_t>(width)), slope(static_cast<std::size_t>(width));
    for (Index first = 0; first < count; first += points_at_once) {
        for (Index lane = 0; lane < points_at_once; ++lane) {
            const Index row = std::min(first + lane, count - 1);
            for (Index c = 0; c < width; ++c) at[c][lane] = states(row, c);
        }
        const Points energy = hamiltonian.evaluate(at.data(), slope.data());
        for (Index row = first; row < std::min(first + points_at_once, count); ++row) {
            energies.data()[row] = energy[row - first];
            for (Index c = 0; c < width; ++c) gradients(row, c) = slope[c][row - first];
        }
    }
}

void make_collocation(Collocation* self, const Numbers<1>& weights, const Numbers<2>& node_integrals,
                      const Numbers<2>& point_integrals, const Numbers<2>& means, const Numbers<2>& ahead) {
    Collocation method;
    method.stages = static_cast<Index>(weights.size());
    method.points = static_cast<Index>(point_integrals.shape(0));
    method.weights = copy_of(weights);
    method.node_integrals = copy_of(node_integrals);
    method.point_integrals = copy_of(point_integrals);
    method.means = copy_of(means);
    method.ahead = copy_of(ahead);
    method.require_shapes();
    new (self) Collocation(std::move(method));
}

/// Python holds the interpreter again when the steps are done; nobody else may use the flight until then.
nb::tuple advance(FreeFlight& flight, double step, Index steps, double seconds,
                  const std::optional<Given<double, 2>>& given) {
    View<double, 2> trace;
    if (given) {
        trace = view(*given);
        require_rows(trace, steps, flight.trace_width(), "trace");
    }
    FlightReport report;
    {
        const nb::gil_scoped_release released;
        report = flight.advance(step, steps, seconds, trace);
    }
    return nb::make_tuple(report.outcome, report.steps, report.iterations);
}

/// An array of the state as numpy sees it: the same memory, kept alive by the flight.
template <std::vector<double> FlightState::*part>
nb::ndarray<nb::numpy, double, nb::ndim<1>> state_array(nb::handle self) {
    std::vector<double>& numbers = nb::cast<FreeFlight&>(self).state.*part;
    return {numbers.data(), {numbers.size()}, self};
}

}  // namespace

void bind_free_flight(nb::module_& module) {
    nb::enum_<FlightOutcome>(module, "FlightOutcome")
        .value("DONE", FlightOutcome::done)
        .value("PAUSED", FlightOutcome::paused)
        .value("DIVERGED", FlightOutcome::diverged)
        .value("INDEFINITE", FlightOutcome::indefinite);
    nb::class_<Hamiltonian>(module, "Hamiltonian")
        .def("__init__", &make_hamiltonian, nb::kw_only(), "planar"_a, "frequencies"_a, "second_moment"_a,
             "position_coupling"_a, "shape_products"_a, "rate_products"_a, "products"_a, "stiffness"_a,
             "damping"_a)
        .def("evaluate", &evaluate, "states"_a, "energies"_a, "gradients"_a);
    nb::class_<Collocation>(module, "Collocation")
        .def("__init__", &make_collocation, nb::kw_only(), "weights"_a, "node_integrals"_a, "point_integrals"_a,
             "means"_a, "ahead"_a);
    nb::class_<FreeFlight>(module, "FreeFlight")
        .def(nb::init<Hamiltonian, Collocation>(), "hamiltonian"_a, "method"_a)
        .def_prop_ro("y", &state_array<&FlightState::y>)
        .def_prop_ro("lost", &state_array<&FlightState::lost>)
        .def_prop_ro("quaternion", &state_array<&FlightState::quaternion>)
        .def_prop_ro("slopes", &state_array<&FlightState::slopes>)
        .def_prop_ro("sums", &state_array<&FlightState::sums>)
        .def_prop_ro("reference", &state_array<&FlightState::reference>)
        .def_prop_ro("watch", &state_array<&FlightState::watch>)
        .def("keep_invariants", &FreeFlight::keep_invariants)
        .def("advance", &advance, "step"_a, "steps"_a, "seconds"_a, "trace"_a = nb::none());
}

}  // namespace flexframe::bindings
