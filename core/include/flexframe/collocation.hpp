// Coefficients of energy-preserving collocation on the nodes of Gauss (Cohen and Hairer 2011).
//
// The motion over a step is a polynomial of degree s. Its slope at the nodes c_i is B(u(c_i)) g_i, with g_i the
// mean of ∇H(u(τ)) weighted by ℓ_i(τ)/b_i, taken by Gauss's formula with K ≥ s points γ_q and weights β_q. The
// order is 2s.
#pragma once

#include <vector>

#include "flexframe/views.hpp"

namespace flexframe {

/// Arrays row by row, nodes and points on 0 … 1.
struct Collocation {
    Index stages = 0;                     // s
    Index points = 0;                     // K
    std::vector<double> weights;          // b_i: (s,)
    std::vector<double> node_integrals;   // a_ij = ∫_0^{c_i} ℓ_j: (s, s)
    std::vector<double> point_integrals;  // ∫_0^{γ_q} ℓ_j: (K, s)
    std::vector<double> means;            // β_q ℓ_i(γ_q)/b_i: (s, K)
    std::vector<double> ahead;            // ℓ_j(1 + c_i), the slope of the last step carried on: (s, s)

    /// Throw std::invalid_argument where the length of an array is not that of its shape.
    void require_shapes() const;
};

}  // namespace flexframe
