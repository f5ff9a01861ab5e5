// What the files of bindings share: arrays of numpy as views, and one function for each subject.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "flexframe/views.hpp"

namespace flexframe::bindings {

namespace nb = nanobind;

/// A contiguous array of numpy with N axes; T const for arrays that are only read. Nothing is converted or copied.
template <class T, int N>
using Given = nb::ndarray<nb::numpy, T, nb::ndim<N>, nb::c_contig, nb::device::cpu>;

template <class T, int N>
View<T, N> view(const Given<T, N>& array) {
    View<T, N> out;
    out.data = array.data();
    for (int axis = 0; axis < N; ++axis) out.shape[axis] = static_cast<Index>(array.shape(axis));
    return out;
}

void bind_multibody(nb::module_& module);

}  // namespace flexframe::bindings
