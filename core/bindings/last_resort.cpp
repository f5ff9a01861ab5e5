// The end of a process that does not hear a signal.
#include "flexframe/last_resort.hpp"

#include <nanobind/stl/string.h>

#include "bindings.hpp"

namespace flexframe::bindings {

using namespace nb::literals;

void bind_last_resort(nb::module_& module) {
    module.def("remove_at_last", &remove_at_last, "path"_a);
    module.def("leave_at_last", &leave_at_last, "path"_a);
    nb::class_<LastResort>(module, "LastResort")
        .def(nb::init<const std::string&>(), "pipe"_a)
        .def("answer", &LastResort::answer, "signal"_a, "words"_a, "exit_code"_a, "patience"_a)
        .def("set_heard", &LastResort::set_heard, "heard"_a)
        .def("join", &LastResort::join, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace flexframe::bindings
