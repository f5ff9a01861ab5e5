// Which side jumps take: where a motion starts, and where an argument passes.
//
// On either side of the place at which an argument σ is zero the formulas are smooth, and a jump keeps its side
// until σ passes. There it goes over to the other side if σ goes on there. If both sides lead back it slides: k
// between them keeps σ = 0 (conditions.cpp), until k reaches one of the sides (Filippov 1988).
#pragma once

#include <vector>

#include "flexframe/equations.hpp"

namespace flexframe {

/// How far a jump is from leaving its side, zero where it does, at the state that was evaluated last: the
/// argument, or of one that slides what is left of k.
double jump_margin(const Equations& equations, Index jump);

/// Held values with the sides of all jumps where a motion starts at a state; none where a motion has no inertia.
std::vector<double> sides_at_start(Equations& equations, const State& state, double time);

/// Held values after a jump leaves its side at a state; none where a motion has no inertia.
std::vector<double> sides_beyond(Equations& equations, const State& state, double time, Index jump);

}  // namespace flexframe
