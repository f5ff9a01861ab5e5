// A curve through points by cubic polynomials whose slopes keep it monotone between points that are; beyond its
// ends it goes on straight with the slopes there.
#pragma once

#include <vector>

#include "flexframe/views.hpp"

namespace flexframe {

struct MonotoneCubic {
    std::vector<double> x, y, slopes;  // of the points, x increasing

    bool empty() const { return x.empty(); }
    double value(double at) const;
    double slope(double at) const;

    /// ∫ y dx from the first point on.
    double integral(double at) const;

private:
    Index interval(double at) const;
};

}  // namespace flexframe
