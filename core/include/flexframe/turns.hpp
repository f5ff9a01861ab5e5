// Turns of angles that are counted: by how much a step turns the frames of an angle against each other.
#pragma once

#include "flexframe/system.hpp"

namespace flexframe {

/// Measured coordinates and arguments of `after` near to what they are after a step (n,) of the coordinates from
/// `before`: angles by w · (θ_b − θ_a) about their axis w, so that a step may be of several turns.
void count_turns(const System& system, const State& before, const double* step, State& after);

}  // namespace flexframe
