#include "flexframe/overlaps.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace flexframe {

namespace {

template <int d>
using Point = Eigen::Matrix<double, d, 1>;

/// Points in the order of a balanced tree: the middle of a range splits it along one axis after another.
template <int d>
class PointTree {
public:
    explicit PointTree(const std::vector<Point<d>>& points) : points_(points), order_(points.size()) {
        std::iota(order_.begin(), order_.end(), Index{0});
        split(0, size(), 0);
    }

    /// visit(point) for every point inside of a box.
    template <class Visit>
    void for_each_inside(const Point<d>& low, const Point<d>& high, Visit visit) const {
        look(0, size(), 0, low, high, visit);
    }

private:
    Index size() const { return static_cast<Index>(points_.size()); }

    void split(Index first, Index last, int axis) {
        if (last - first < 2) return;
        const Index middle = (first + last) / 2;
        std::nth_element(
            order_.begin() + first, order_.begin() + middle, order_.begin() + last,
            [this, axis](Index i, Index j) { return points_[i][axis] < points_[j][axis]; });
        split(first, middle, (axis + 1) % d);
        split(middle + 1, last, (axis + 1) % d);
    }

    template <class Visit>
    void look(
        Index first, Index last, int axis, const Point<d>& low, const Point<d>& high, Visit& visit) const {
        if (first >= last) return;
        const Index middle = (first + last) / 2;
        const Point<d>& point = points_[order_[middle]];
        // those before the middle are not above it along this axis, those after it not below
        if (low[axis] < point[axis]) look(first, middle, (axis + 1) % d, low, high, visit);
        if ((low.array() < point.array()).all() && (point.array() < high.array()).all()) visit(order_[middle]);
        if (high[axis] > point[axis]) look(middle + 1, last, (axis + 1) % d, low, high, visit);
    }

    const std::vector<Point<d>>& points_;
    std::vector<Index> order_;
};

template <int d>
Point<d> corner(View<const double, 3> corners, Index simplex, Index number) {
    return Point<d>(&corners(simplex, number, 0));
}

/// The smallest barycentric coordinate: x = x_0 + Σ λ_k (x_k − x_0), λ_0 = 1 − Σ λ_k.
template <int d>
double smallest_coordinate(View<const double, 3> corners, Index simplex, const Point<d>& x) {
    const Point<d> origin = corner<d>(corners, simplex, 0);
    Eigen::Matrix<double, d, d> edges;
    for (int k = 0; k < d; ++k) edges.col(k) = corner<d>(corners, simplex, k + 1) - origin;
    const Point<d> coordinates = edges.partialPivLu().solve(x - origin);
    return std::min(coordinates.minCoeff(), 1.0 - coordinates.sum());
}

template <int d>
std::optional<std::array<Index, 2>> overlapping_cells_in(
    View<const double, 3> corners, View<const Index, 1> starts, double margin) {
    const Index count = starts.count() - 1;
    std::vector<Point<d>> centres(count, Point<d>::Zero()), low(count), high(count);
    for (Index cell = 0; cell < count; ++cell) {
        low[cell] = high[cell] = corner<d>(corners, starts(cell), 0);
        for (Index simplex = starts(cell); simplex < starts(cell + 1); ++simplex) {
            for (int k = 0; k <= d; ++k) {
                const Point<d> x = corner<d>(corners, simplex, k);
                low[cell] = low[cell].cwiseMin(x);
                high[cell] = high[cell].cwiseMax(x);
                centres[cell] += x / static_cast<double>((d + 1) * (starts(cell + 1) - starts(cell)));
            }
        }
    }
    const PointTree<d> tree(centres);
    for (Index cell = 0; cell < count; ++cell) {
        Index found = count;
        tree.for_each_inside(low[cell], high[cell], [&](Index other) {
            if (other == cell || other > found) return;
            for (Index simplex = starts(cell); simplex < starts(cell + 1); ++simplex) {
                if (smallest_coordinate<d>(corners, simplex, centres[other]) > margin) found = other;
            }
        });
        if (found < count) return std::array<Index, 2>{std::min(cell, found), std::max(cell, found)};
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::array<Index, 2>> overlapping_cells(
    View<const double, 3> corners, View<const Index, 1> starts, double margin) {
    switch (corners.shape[2]) {
        case 2: return overlapping_cells_in<2>(corners, starts, margin);
        case 3: return overlapping_cells_in<3>(corners, starts, margin);
        default: throw std::invalid_argument("cells that can lie in one another have two or three coordinates");
    }
}

}  // namespace flexframe
