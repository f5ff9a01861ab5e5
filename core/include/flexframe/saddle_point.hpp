// The matrix [H, Aᵀ; A, −ε] of bodies and constraints with its factors.
//
// By blocks as long as all pivots are definite. Where a body alone has no inertia against some motion, such as a
// thin rod that turns about itself, H is replaced by H + AᵀΣA and f by f + AᵀΣg, which changes no solution. What
// is left, and a matrix that is not symmetric, is factorised with exchanges of rows. The unknowns are in the order
// of u and λ: body after body, group after group.
//
// A correction −U W of H, such as that of a controller whose sensor and motor are far from each other, is counted
// by Woodbury's formula, (K − U W)⁻¹ = K⁻¹ + K⁻¹U (1 − W K⁻¹U)⁻¹ W K⁻¹, so that blocks keep their structure.
#pragma once

#include <memory>
#include <vector>

#include "flexframe/block_factorisation.hpp"
#include "flexframe/system.hpp"

namespace flexframe {

class SaddlePoint {
public:
    explicit SaddlePoint(const System& system);
    ~SaddlePoint();
    SaddlePoint(SaddlePoint&&) noexcept;

    void clear();

    /// The block of a body: its active velocities by themselves.
    Eigen::Map<Matrix> body(Index b) { return blocks_.diagonal(b); }

    /// Add to the block between two bodies, and to its mirror image.
    template <class Derived>
    void add_coupling(Index b, Index c, const Eigen::MatrixBase<Derived>& block) {
        blocks_.add(b, c, block);
    }

    /// Add to the block of the rows of a group by the velocities of a body.
    template <class Derived>
    void add_constraints(Index group, Index b, const Eigen::MatrixBase<Derived>& block) {
        blocks_.add(bodies_ + group, b, block);
    }

    /// The regularisation −ε of a group of rows.
    Eigen::Map<Matrix> group(Index group) { return blocks_.diagonal(bodies_ + group); }

    /// Keep the numbers that were filled in; factorisation does it too.
    void keep() { filled_ = blocks_.values(); }

    /// Count with H − U W, U (n, c) and W (c, n + rows): few columns and rows that follow no structure. W by λ is
    /// that of forces that follow reactions.
    void correct(const Matrix& directions, const Matrix& slopes);

    /// Factorise what was filled in; false where it is singular.
    bool factorise();

    /// Factorise a general matrix [H, −Aᵀ; A, 0] in the order of u and λ.
    bool factorise(const Matrix& general);

    /// The matrix as it was filled in, in the order of u and λ: [H, −Aᵀ − U W_λ; A, ε].
    void write(Matrix& out) const;

    /// Overwrite the right-hand side (n + rows) by x and λ of [H, −Aᵀ; A, ε].
    void solve(double* right) const;

    /// The same refined once, so that A x is met to rounding; with redundant rows until ε no longer counts.
    void solve_refined(double* right);

    /// (H x − Aᵀλ, A x) of the matrix as it was filled in, from x and −λ.
    void multiply(const double* x, double* out) const;

    /// What is needed to have the same factors again: the kind of matrix and its numbers.
    std::vector<double> memory() const;
    bool restore(const double* values, Index count);

private:
    struct General;
    enum class Way { blocks, augmented, general };

    bool resists_everywhere();
    bool factorise_augmented();
    bool factorise_correction();
    void write_plain(Matrix& out) const;
    void solve_plain(double* right) const;
    void solve_augmented(double* right) const;

    const System& system_;
    Index bodies_;
    BlockFactorisation blocks_;
    std::vector<double> filled_;        // numbers before factorisation
    std::unique_ptr<BlockFactorisation> augmented_;
    std::vector<Matrix> rows_;          // A of the groups by their bodies, and Σ, for the augmented matrix
    Vector weights_;
    std::unique_ptr<General> general_;  // where blocks do not serve
    Way way_ = Way::blocks;
    bool symmetric_ = true;  // whether the general matrix is the one of the blocks
    Vector given_, solution_, product_;  // of a refinement
    Matrix directions_, slopes_;         // U and W, none where there is no correction
    Matrix answers_, small_;             // K⁻¹[U; 0], and (1 − W K⁻¹U)⁻¹
};

}  // namespace flexframe
