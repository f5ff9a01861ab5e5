// Overlapping cells: a grid without, a cell put into another, and cells drawn by lot against a look at all pairs.
#include "flexframe/overlaps.hpp"

#include <random>
#include <vector>

#include "check.hpp"

using namespace flexframe;
using namespace flexframe::tests;

namespace {

/// Cells as lists of simplices.
struct Cells {
    explicit Cells(Index dimension) : dimension(dimension) {}

    /// A right-angled simplex along the axes.
    void add_simplex(const std::vector<double>& at, double size) {
        for (Index k = 0; k <= dimension; ++k) {
            for (Index axis = 0; axis < dimension; ++axis) {
                corners.push_back(at[axis] + (axis + 1 == k ? size : 0.0));
            }
        }
    }
    void end_cell() { starts.push_back(static_cast<Index>(corners.size()) / (dimension * (dimension + 1))); }

    std::optional<std::array<Index, 2>> overlap(double margin) const {
        const Index simplices = starts.back(), count = static_cast<Index>(starts.size());
        return overlapping_cells(
            {corners.data(), {simplices, dimension + 1, dimension}}, {starts.data(), {count}}, margin);
    }

    Index dimension;
    std::vector<double> corners;
    std::vector<Index> starts{0};
};

/// Squares of two triangles each, side by side.
Cells squares(int across) {
    Cells cells(2);
    for (int i = 0; i < across; ++i) {
        for (int j = 0; j < across; ++j) {
            const double x = i, y = j;
            const double given[12] = {x, y, x + 1, y, x, y + 1, x + 1, y + 1, x, y + 1, x + 1, y};
            cells.corners.insert(cells.corners.end(), given, given + 12);
            cells.end_cell();
        }
    }
    return cells;
}

/// Simplices of equal shape anywhere: whether one contains the centre of another is plain to see.
void test_by_lot(Index dimension, double size) {
    const Index count = 150;
    std::mt19937 lot(7);
    std::uniform_real_distribution<double> place(0.0, 1.0);
    Cells cells(dimension);
    std::vector<std::vector<double>> at;
    for (Index cell = 0; cell < count; ++cell) {
        std::vector<double> corner(dimension);
        for (double& x : corner) x = place(lot);
        at.push_back(corner);
        cells.add_simplex(corner, size);
        cells.end_cell();
    }
    // x is inside where x − corner > margin·size on every axis and the sum is below (1 − margin)·size
    bool any = false;
    const double margin = 0.05;
    const auto contains = [&](Index cell, Index other) {
        double sum = 0.0;
        for (Index axis = 0; axis < dimension; ++axis) {
            const double along = at[other][axis] + size / (dimension + 1.0) - at[cell][axis];
            if (along <= margin * size) return false;
            sum += along;
        }
        return sum < (1.0 - margin) * size;
    };
    for (Index cell = 0; cell < count; ++cell) {
        for (Index other = 0; other < count; ++other) any |= other != cell && contains(cell, other);
    }
    const auto found = cells.overlap(margin);
    check_equal(found.has_value(), any, "an overlap is found where there is one");
    if (!found) return;
    const auto [first, second] = *found;
    check(first < second, "the lower number comes first");
    check(contains(first, second) || contains(second, first), "the cells found lie in one another");
}

}  // namespace

int main() {
    check(!squares(1).overlap(0.0), "one cell");
    check(!squares(20).overlap(0.0), "cells side by side do not overlap");
    Cells doubled = squares(20);
    doubled.add_simplex({7.2, 3.3}, 0.5);
    doubled.end_cell();
    check_equal(*doubled.overlap(0.02), std::array<Index, 2>{7 * 20 + 3, 400}, "a triangle in square (7, 3)");
    for (Index dimension : {2, 3}) {
        for (double size : {1e-3, 0.05, 0.1, 0.3}) test_by_lot(dimension, size);
    }
    return finish();
}
