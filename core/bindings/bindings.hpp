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

/// Sparse patterns, sums and scaling.
void bind_sparse(nb::module_& module);

}  // namespace flexframe::bindings
