// How the residual of a system changes with positions and velocities, for equilibria and small motions about them.
//
// Central differences of everything but the strain of exact beams and the linear stiffness and damping of bodies,
// whose derivatives are known, and of contacts, which are taken as their tangents where shapes touch and as
// nothing where they are apart. Bodies that no equation has in common are moved at the same time (Curtis, Powell
// and Reid 1974), so that a chain of any length takes as many evaluations as a short one.
#pragma once

#include <vector>

#include "flexframe/equations.hpp"

namespace flexframe {

/// Entries of a sparse matrix; those of one place are added.
struct SparseEntries {
    std::vector<Index> rows, columns;
    std::vector<double> values;
    void add(Index row, Index column, double value);
};

/// ∂r/∂q and ∂r/∂u of r = (M x + h − Q − Aᵀλ, s − f), positions along changes in body axes: (n + rows, n) each.
struct Tangents {
    SparseEntries positions, velocities;
};

class TangentMaker {
public:
    explicit TangentMaker(Equations& equations);

    /// At a state, with the stride of differences as a part of lengths of the system and radians.
    /// Without `rates` the derivatives by velocities are left out. `beam_forces`, six of each exact beam, stand
    /// for those of its strain in what a force does as the element turns; without them it is the derivative.
    Tangents at(const State& state, double time, const double* x, const double* multipliers, double stride,
                bool rates, const double* beam_forces = nullptr);

    Index colours() const { return static_cast<Index>(members_.size()); }

private:
    void colour();
    State with_contacts_held(const State& state, double time, const double* x, const double* multipliers);
    void evaluate(const State& state, double time, const double* x, const double* multipliers, Vector& out);
    void add_bodies(Tangents& out, bool rates) const;
    void scatter(const std::vector<Index>& bodies, Index place, const Vector& change, SparseEntries& out) const;

    Equations& equations_;
    const System& system_;
    std::vector<std::vector<Index>> members_;  // bodies of each colour
    std::vector<std::vector<Index>> touched_;  // rows of the residual that a body moves
    State moved_;
    Vector step_, ahead_, behind_;
};

}  // namespace flexframe
