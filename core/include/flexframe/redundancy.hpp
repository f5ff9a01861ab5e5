// Rows of constraints that follow from others: all y with yᵀA = 0, found along the structure of the system.
//
// Bodies are taken one after the other, the one with the fewest rows first. The rows that act on a body are turned
// by an orthogonal Q so that rank(A_b) of them hold all that acts on it, Qᵀ A_b = [R; 0]; those are independent of
// everything that follows and leave, the others go on without this body. What is left after the last body acts on
// nothing. In a tree no row goes on, so that the cost is that of its joints one by one.
#pragma once

#include <vector>

#include "flexframe/bodies.hpp"

namespace flexframe {

/// Rows of one joint or drive by the velocities of the bodies that they bind.
struct BoundRows {
    Index count = 0;
    std::vector<Index> bodies;   // each once
    std::vector<Matrix> blocks;  // by the velocities of each: (count, velocities)
};

/// Orthonormal columns y with yᵀA = 0, rows in the order in which they are given: (rows, redundant rows). A row
/// counts as zero below the part `tolerance` of the longest row.
Matrix dependent_rows(const std::vector<BoundRows>& rows, Index bodies, double tolerance);

}  // namespace flexframe
