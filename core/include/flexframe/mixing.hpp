// Anderson's mixing of iterations x ← x + f(x) that contract slowly.
//
// With the differences ΔX, ΔF of the last iterations the next one is
//
//     x + f − (ΔX + ΔF) γ,      γ the least |W (f − ΔF γ)| ,
//
// which meets the solution as a method of secants does (Walker and Ni 2011).
#pragma once

#include <Eigen/QR>

#include "flexframe/bodies.hpp"

namespace flexframe {

class Mixing {
public:
    /// Vectors of this size; the first entries have weights W, the others follow.
    Mixing(Index size, const Vector& weights)
        : weights_(weights), x_(size), f_(size), of_x_(size, most), of_f_(size, most) {}

    void start() { known_ = -1; }

    /// The correction f of an iteration at x, turned into the one to take.
    void mix(const Vector& x, Vector& f) {
        const Index head = weights_.size();
        if (known_ >= 0) {
            const Index column = known_ % most;
            of_x_.col(column) = x - x_;
            of_f_.col(column) = f - f_;
        }
        x_ = x;
        f_ = f;
        const Index count = std::min<Index>(++known_, most);
        if (count == 0) return;
        const auto scaled = weights_.asDiagonal() * of_f_.topLeftCorner(head, count);
        Eigen::ColPivHouseholderQR<Matrix> factors;
        factors.setThreshold(1e-6);  // differences that say no more than others are left out
        factors.compute(scaled);
        const Vector part = factors.solve(weights_.cwiseProduct(f_.head(head)));
        f.noalias() -= of_x_.leftCols(count) * part;
        f.noalias() -= of_f_.leftCols(count) * part;
    }

private:
    static constexpr Index most = 5;
    Vector weights_, x_, f_;
    Matrix of_x_, of_f_;
    Index known_ = -1;  // differences so far
};

}  // namespace flexframe
