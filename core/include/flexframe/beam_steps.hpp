// Exact beams over a step that keeps energy and momenta: differences between both ends in place of derivatives.
//
// What lies between two sections changes with the difference w = s_B − s_A of their twists of space alone,
//
//     G = H_A⁻¹H_B,      G₁ − G₀ = H̄_A⁻¹ ŵ H̄_B,      d₁ − d₀ = B w ,
//
// B from G by products, whose difference is mean times difference, and functions of one number, whose divided
// differences stand for derivatives. The forces of an element on its ends are then those of one wrench, equal and
// opposite in space, whatever the step, and
//
//     w · Bᵀγ = V(d₁) − V(d₀),   γ = ½(f₀ + f₁) + (L/24) (0, m₁ × C Āᵀf₀ + m₀ × C Āᵀf₁) ,
//     w · Bᵀk = ½ η₀ᵀ(M(d₁) − M(d₀)) η₁ ,
//
// exactly: with the momenta M η of both ends the kinetic energy changes by what the mean twist ½(η₀ + η₁) does on
// their change less the latter. The weight of sections works along the way of their mass centres the same way.
#pragma once

#include "flexframe/beams.hpp"
#include "flexframe/frame_steps.hpp"

namespace flexframe {

/// A force and a moment about x̄ in space axes on each of two frames, and work that was lost on the way.
struct BeamStepForces {
    Vector6 on[2] = {Vector6::Zero(), Vector6::Zero()};
    double dissipated = 0.0;
};

/// What an element does to the bodies of its ends over a step of a length: strain, damping, what its inertia
/// changes with, and its weight in a field.
BeamStepForces beam_step_forces(const BeamElement& beam, const BeamState& start, const BeamState& end,
                                const FrameStep& a, const FrameStep& b, double step, const Vector3& field);

}  // namespace flexframe
