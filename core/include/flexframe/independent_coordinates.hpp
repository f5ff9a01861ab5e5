// Independent coordinates of a system with constraints, by a partition that is chosen with the state.
//
// All coordinates p are, in the order of u: where the frame of a body is in space, its rotation vector θ from a
// reference attitude (in a plane its angle, through all turns), and its deformation. With w = (ṙ, ω, δ̇),
//
//     ṗ = (ṙ, T(θ)⁻¹ ω, δ̇),      u = (Rᵀ ṙ, ω, δ̇),
//
// so that the constraints read A C ṗ = ḟ and A D w = ḟ with C = diag(Rᵀ, T(θ), 1) and D = diag(Rᵀ, 1, 1). A
// factorisation of A D with exchanges of columns divides them: those that it takes for pivots are dependent, all
// others independent, ξ of positions and v of velocities. Constraints on velocities alone do not bind positions,
// so that ξ may be more than v.
//
// For given ξ, v and t the dependent ones solve s(q) = f(t) and A u = ḟ(t) to rounding, by Newton's steps
//
//     [S⁻², Âᵀ; Â, −ε] (Δp, μ) = (0, f − s),
//
// Â being A C without the columns of ξ and S the scales: the least change of dependent coordinates. Constraints
// are met at every state, however long a motion is: nothing drifts.
#pragma once

#include <vector>

#include "flexframe/equations.hpp"

namespace flexframe {

/// Which coordinates are independent, by their numbers in u.
struct Partition {
    std::vector<Index> positions, velocities;
};

class IndependentCoordinates {
public:
    explicit IndependentCoordinates(Equations& equations);

    /// Choose at a state that meets the constraints; what was independent before keeps its place in the lists
    /// where it stays so. False where there would be more or fewer of them than before, as in a dead point.
    bool choose(const State& state, double time);

    /// Take a partition that was chosen before, with the attitudes and angles that it counts from: (bodies, 5).
    void restore(const Partition& partition, const std::vector<double>& references);

    const Partition& partition() const { return partition_; }
    std::vector<double> references() const;

    /// ξ and v of a state.
    void read(const State& state, double* positions, double* velocities) const;

    /// Move a state that is near to ξ and v at a time, constraints met; false where there is none.
    bool place(const double* positions, const double* velocities, double time, State& state);

    /// ξ̇ and v̇ at a state with its u̇.
    void rates(const State& state, const double* accelerations, double* position_rates,
               double* velocity_rates) const;

    /// About how far dependent coordinates move for a unit of the independent ones, in lengths of the system and
    /// radians, at the state that `place` found last; infinity where they do not follow from them.
    double reach();

    /// How far a body has turned whose rotation is independent, over what may be.
    double farthest_turn(const State& state) const;

    /// Let rotations of bodies that have turned far count from this state on: of those whose rotations are all
    /// dependent, and of others, by which ξ changes.
    void turn_references(const State& state, bool dependent, bool independent);

private:
    /// What a system of Newton's steps is made for.
    struct Solver {
        explicit Solver(const System& system) : matrix(system) {}
        SaddlePoint matrix;
        bool known = false;  // whether there are factors
    };

    bool turns_freely(const Body& body) const;
    bool is_planar(const Body& body) const { return body.numbers[3] < 0; }
    Vector3 turned(Index b, const State& state) const;
    void coordinates(const State& state, Vector& p) const;
    void configure(const Vector& p, State& state) const;
    Matrix transformed(const RowGroup& group, Index b, const State& state, bool of_positions);
    bool counts(Index row, bool of_positions) const;
    bool factorise(Solver& solver, const State& state, bool of_positions);
    bool place_positions(const double* positions, double time, State& state);
    bool place_velocities(const double* velocities, double time, State& state);
    Solver& solver_of(bool of_positions) { return !of_positions && !shared_ ? velocity_ : position_; }

    Equations& equations_;
    const System& system_;
    Partition partition_;
    std::vector<char> free_positions_, free_velocities_;  // 1 of independent ones: (n,)
    State reference_;
    bool shared_ = true;  // positions and velocities have the same steps: in a plane, and all on positions
    Solver position_, velocity_;
    State before_;
    State found_;
    double time_ = 0.0;  // of the state that was found last
    Vector p_, start_, w_, right_;
};

}  // namespace flexframe
