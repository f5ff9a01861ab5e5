// Views of arrays that somebody else owns, row by row in memory, as numpy lays them out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace flexframe {

using Index = std::int64_t;

/// An array of N axes, contiguous, not owned.
template <class T, int N>
struct View {
    T* data = nullptr;
    std::array<Index, N> shape{};

    /// The entry at N indices, or the part of an array that fewer of them leave.
    template <class... I>
    decltype(auto) operator()(I... indices) const {
        constexpr int given = sizeof...(I);
        static_assert(given >= 1 && given <= N, "more indices than axes");
        const std::array<Index, given> at{static_cast<Index>(indices)...};
        Index offset = 0;
        for (int axis = 0; axis < given; ++axis) offset = offset * shape[axis] + at[axis];
        if constexpr (given == N) {
            return data[offset];
        } else {
            View<T, N - given> part;
            for (int axis = given; axis < N; ++axis) {
                offset *= shape[axis];
                part.shape[axis - given] = shape[axis];
            }
            part.data = data + offset;
            return part;
        }
    }

    /// Length of the first axis.
    Index count() const { return shape[0]; }

    /// Number of all entries.
    Index size() const {
        Index total = 1;
        for (Index length : shape) total *= length;
        return total;
    }
};

}  // namespace flexframe
