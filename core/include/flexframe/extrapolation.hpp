// Extrapolation of a vector that is known at equal steps, by its backward differences
//
//     ∇⁰x_n = x_n,      ∇ʲx_n = ∇ʲ⁻¹x_n − ∇ʲ⁻¹x_{n−1},      x_{n+1} ≈ Σ_{j ≤ q} ∇ʲx_n .
//
// What the order q missed is ∇^{q+1}x_{n+1}; the order that would have missed least at the last step serves for
// the next one, so that smooth motion is met closely and a jump or a fast vibration is not amplified.
#pragma once

#include <vector>

#include "flexframe/bodies.hpp"

namespace flexframe {

class Extrapolation {
public:
    /// Vectors of this size; entries that have a scale, the first ones, decide about the order.
    Extrapolation(Index size, const Vector& scales);

    /// Forget what was known: the value is constant.
    void start(const Vector& value);

    /// The value after the next step of the same length.
    void add(const Vector& value);

    /// The value that is to be expected after the next step.
    void predict(Vector& out) const;

    /// All differences, their number and the order, to be kept and put back.
    std::vector<double> memory() const;
    bool restore(const std::vector<double>& values);

private:
    Matrix differences_;  // ∇ʲ, one column for each j: (size, highest + 2)
    Vector weights_;      // inverse scales
    Index known_ = 0;     // differences that are known
    Index order_ = 0;
    Vector next_;
};

}  // namespace flexframe
