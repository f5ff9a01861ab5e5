// Cells that lie in one another.
#pragma once

#include <array>
#include <optional>

#include "flexframe/views.hpp"

namespace flexframe {

/// Two cells, the lower number first, of which one contains the centre of the other; nothing where there are none.
///
/// Cells are made of simplices: corners (n, d + 1, d) with d = 2 or 3, those of cell c from starts(c) to
/// starts(c + 1). A point is inside where all its barycentric coordinates exceed `margin`, which is not negative.
std::optional<std::array<Index, 2>> overlapping_cells(
    View<const double, 3> corners, View<const Index, 1> starts, double margin);

}  // namespace flexframe
