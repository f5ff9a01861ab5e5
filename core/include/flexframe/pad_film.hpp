// The film between a journal and a pad of its bearing: Reynolds' equation with cavitation, and its derivatives.
#pragma once

#include "flexframe/views.hpp"

namespace flexframe {

/// What becomes of pressures below that of the surroundings.
enum class Cavitation {
    none,      ///< they stay (Sommerfeld)
    guembel,   ///< they count as zero in forces (half Sommerfeld)
    reynolds,  ///< the film ends where p = 0 and dp/dθ = 0: p ≥ 0 complementary to the divergence of its flow
};

/// Axial functions on half of a bearing that is symmetric about its middle: their products, weights of the points.
struct AxialPoints {
    View<const double, 2> stiffness;  ///< ∫ φ_j' φ_k' dZ: (rows, rows)
    View<const double, 1> weights;    ///< ∫ φ_j dZ, with which ∫ φ_j φ_k dZ is diagonal: (rows,)
    double end_weight = 0.0;          ///< that of the end of the bearing, where P = 0; without one it is sealed
};

/// Pads of equal radius and length; of n pads in a batch each has an arc and a place of the journal.
///
/// With H = h/c, P = p/(6 µ Ω (R/c)²), Z = z/R, and the journal's centre at X from that of the pad's circle, in c,
///     ∂/∂θ(H³ ∂P/∂θ) + H³ ∂²P/∂Z² = ∂H/∂θ + (2/Ω) ∂H/∂t,   H = 1 − X·e(θ),   e = (cos θ, sin θ).
struct Pads {
    View<const double, 2> arcs;       ///< θ where the pad begins and ends, in the sense of rotation: (n, 2)
    View<const double, 2> edges;      ///< P where it begins and ends; a whole circle has none: (n, 2)
    View<const double, 2> positions;  ///< X: (n, 2)
    bool closed = false;              ///< arcs are a whole circle without edges
};

/// What is found of each pad; both halves of the length count.
struct PadFilms {
    View<double, 3> pressures;  ///< P at points of the arc, ends included, in each row: (n, cells + 1, rows);
                                ///< where a guess is positive the film is sought first, without one everywhere
    View<double, 2> forces;     ///< F = −∫∫ P e dθ dZ on the journal: (n, 2)
    View<double, 3> stiffness;  ///< −∂F/∂X: (n, 2, 2)
    View<double, 3> damping;    ///< −Ω ∂F/∂Ẋ: (n, 2, 2)
    View<double, 2> flows;      ///< in at the beginning, out at both sides, in Ω R² c/2: (n, 2)
    View<double, 1> drags;      ///< ∫∫ (filled share)/H dθ dZ: (n,)
    View<Index, 2> counts;      ///< pivots, moves of the film's ends, whether these converged: (n, 3)
};

/// Solve every pad of a batch; cells and rows are those of the arrays.
///
/// Between its points along the arc P is that of one dimension without axial flow, P' = (H − Q)/H³ with constant
/// Q, so that long bearings are exact. Axial flow is lumped at the points, which is of second order. With
/// Reynolds' condition the complementarity problem of the points is solved first by block pivots (Júdice and
/// Pires); then the ends of the film move to where the arriving flow Q is that of the journal alone, Q = H, within
/// cells, by Newton's method. Forces depend on these ends in second order only: derivatives are those of a film
/// that stays where it is.
void solve_pads(const Pads& pads, const AxialPoints& axial, Cavitation cavitation, const PadFilms& found);

}  // namespace flexframe
