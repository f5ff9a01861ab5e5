// Symmetric block-sparse systems of bodies and constraints,
//
//     [H, Aᵀ; A, −E] (x, μ) = (f, g),
//
// H of the bodies, positive definite, A the rows of groups of constraints, E ≥ 0. The order of elimination is
// found once: bodies that hang on the rest by one group are taken with that group, from the tips to the roots, so
// that a tree costs as much as it has bodies; of what is left, the loops, all bodies come before all groups. In
// that order every pivot block is definite, that of a body positive, that of a group negative, and none needs
// exchanges of rows.
#pragma once

#include <vector>

#include "flexframe/bodies.hpp"

namespace flexframe {

/// What is coupled to what: nodes are the bodies, then the groups of rows.
struct BlockStructure {
    std::vector<Index> sizes;                        // unknowns of each node
    Index bodies = 0;                                // nodes that are bodies
    std::vector<std::pair<Index, Index>> couplings;  // pairs of nodes with a block between them
};

/// Factors P K Pᵀ = L D Lᵀ, with D = ±1 by blocks.
class BlockFactorisation {
public:
    explicit BlockFactorisation(const BlockStructure& structure);

    /// Set all blocks to zero.
    void clear();

    /// The diagonal block of a node; its lower half counts.
    Eigen::Map<Matrix> diagonal(Index node);

    /// Add to the block of two different nodes that are coupled, rows of the one and columns of the other.
    template <class Derived>
    void add(Index row_node, Index column_node, const Eigen::MatrixBase<Derived>& block) {
        const Index i = position_[row_node], j = position_[column_node];
        if (i > j) {
            coupling(j, i) += block;
        } else {
            coupling(i, j) += block.transpose();
        }
    }

    /// Factorise in place; false where a pivot block is not definite.
    bool factorise();

    /// Overwrite right-hand sides, node after node, by the solution.
    void solve(double* right) const;

    /// A block from numbers of the blocks before factorisation, rows of the one node and columns of the other.
    Matrix read(const std::vector<double>& values, Index row_node, Index column_node) const;

    /// The whole matrix from numbers of its blocks before factorisation: (size, size).
    void write(const std::vector<double>& values, Matrix& out) const;

    /// (H x + Aᵀμ, A x) from numbers of the blocks before factorisation: E is left out.
    void multiply(const std::vector<double>& values, const double* x, double* out) const;

    Index size() const { return total_; }

    /// The numbers of all blocks, before or after factorisation, to be kept and put back.
    const std::vector<double>& values() const { return values_; }
    void set_values(const double* values);

private:
    struct Panel {
        Index node = 0, size = 0;       // node, number of its unknowns
        double sign = 1.0;              // +1 for a body, −1 for a group
        Index diagonal = 0;             // offset of its diagonal block (size, size)
        Index below = 0;                // offset of the blocks below it, one after the other: (height, size)
        Index height = 0;
        std::vector<Index> neighbours;  // positions of the nodes that these rows belong to, ascending
        std::vector<Index> rows;        // first row of each of them in the panel
        Index link = 0;                 // its size where it has one neighbour of as many unknowns, 3 or 6, …
        Index next = 0;                 // … and where these begin
    };

    std::vector<Index> order(const BlockStructure& structure) const;
    Index offset(Index earlier, Index later) const;
    Eigen::Map<Matrix, 0, Eigen::OuterStride<>> coupling(Index earlier, Index later);

    std::vector<Panel> panels_;      // in the order of elimination
    std::vector<Index> position_;    // of a node in that order
    std::vector<Index> starts_;      // of the unknowns of a node
    Index total_ = 0;
    std::vector<double> values_;
    Matrix update_;                  // W Wᵀ of one panel
    Vector largest_;                 // values that each pivot had on the way
    mutable Vector below_;           // parts of a right-hand side that a panel touches
};

}  // namespace flexframe
