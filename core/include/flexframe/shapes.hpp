// Lengths of given arrays, checked where a description enters the core.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "flexframe/views.hpp"

namespace flexframe {

/// Throw std::invalid_argument, with the name of the array, where it has another length.
inline void require_length(const std::vector<double>& array, Index length, const std::string& name) {
    const Index found = static_cast<Index>(array.size());
    if (found == length) return;
    throw std::invalid_argument(name + " has " + std::to_string(found) + " numbers instead of " +
                                std::to_string(length));
}

}  // namespace flexframe
