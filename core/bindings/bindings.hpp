// What the files of bindings share: arrays of numpy as views, and one function for each subject.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <vector>

#include "flexframe/views.hpp"

namespace flexframe {
struct State;
struct System;
}  // namespace flexframe

namespace flexframe::bindings {

namespace nb = nanobind;

/// A contiguous array of numpy with N axes; T const for arrays that are only read. Nothing is converted or copied.
template <class T, int N>
using Given = nb::ndarray<nb::numpy, T, nb::ndim<N>, nb::c_contig, nb::device::cpu>;

/// The same as a view; -1 stands for an axis of any length.
template <class T, auto... Lengths>
View<T, sizeof...(Lengths)> view(
    const nb::ndarray<nb::numpy, T, nb::shape<Lengths...>, nb::c_contig, nb::device::cpu>& array) {
    View<T, sizeof...(Lengths)> out;
    out.data = array.data();
    for (std::size_t axis = 0; axis < sizeof...(Lengths); ++axis) {
        out.shape[axis] = static_cast<Index>(array.shape(axis));
    }
    return out;
}

/// Define a function that takes arrays as they are (one that was converted would not receive what is written) and
/// lets other threads of Python run. The same name may stand for several types of numbers.
template <class... Arguments, class Result>
void define(nb::module_& module, const char* name, Result (*function)(Arguments...)) {
    module.def(
        name, function, (static_cast<void>(sizeof(Arguments)), nb::arg().noconvert())...,
        nb::call_guard<nb::gil_scoped_release>());
}

/// The numbers of a vector as an array that keeps it.
template <class T>
nb::ndarray<nb::numpy, T> array_of(std::vector<T>&& numbers) {
    auto kept = std::make_unique<std::vector<T>>(std::move(numbers));
    T* first = kept->data();
    const std::size_t length = kept->size();
    nb::capsule owner(kept.release(), [](void* memory) noexcept {
        std::unique_ptr<std::vector<T>>(static_cast<std::vector<T>*>(memory)).reset();
    });
    return nb::ndarray<nb::numpy, T>(first, {length}, owner);
}

/// A state from the arrays of a place, and into them.
State read_state(const System& system, nb::handle arrays);
void write_state(const System& system, const State& state, nb::handle arrays);

/// Sparse patterns, sums and scaling.
void bind_sparse(nb::module_& module);

/// Parts of graphs, cells that lie in one another.
void bind_meshes(nb::module_& module);

/// Systems of bodies, and their integrators.
void bind_multibody(nb::module_& module);

/// Systems that are stepped from outside.
void bind_stepping(nb::module_& module);

/// Films of journal bearings.
void bind_films(nb::module_& module);

/// Bodies in free flight.
void bind_free_flight(nb::module_& module);

/// The end of a process that does not hear a signal.
void bind_last_resort(nb::module_& module);

}  // namespace flexframe::bindings
