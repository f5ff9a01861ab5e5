// A table of one input or two: cubic between its points, with given slopes, and held beyond its ends.
//
// Over a cell with u = (x − x₀)/h and v = (y − y₀)/k it is the product of Hermite's cubics,
//
//     f = Σ_ij (A_i(u) f + h B_i(u) f_x)(A_j(v) … + k B_j(v) …),
//
// from f, f_x, f_y and f_xy at the four corners. Whoever makes the slopes sees to it that it does not overshoot.
#pragma once

#include "flexframe/views.hpp"

namespace flexframe {

/// Numbers at every point of a grid: f, f_x, f_y, f_xy.
constexpr Index grid_width = 4;

/// A table in flat numbers: the x of its rows, the y of its columns, and four numbers for each point, row by row.
/// One with a single column is a table of x alone.
struct TableGrid {
    const double* numbers = nullptr;
    Index rows = 0, columns = 0;

    Index size() const { return rows + columns + grid_width * rows * columns; }
    Index inputs() const { return columns > 1 ? 2 : 1; }

    /// Whether there are points, and both inputs increase.
    bool is_complete() const;

    /// f, its slopes, and second derivatives, which jump at the points.
    struct Value {
        double value = 0.0, slope_x = 0.0, slope_y = 0.0;
        double xx = 0.0, xy = 0.0, yy = 0.0;
    };

    Value at(double x, double y) const;
};

}  // namespace flexframe
