// Exact beams in a plane: the equations of `beams.hpp` for (vx, vy, ω) alone, written out.
//
// With the angle φ between both ends, p from the first to the second in the axes of the first, h = (φ/2) cot(φ/2)
// and k = (1 − h)/φ
//
//     U = [h, φ/2; −φ/2, h] p,      T⁻¹(d) = [h, −φ/2, ½U_y + kU_x; φ/2, h, −½U_x + kU_y; 0, 0, 1] ,
//
// and the section at ξ is at u = ξ V(ξφ) U, V(ψ) = [sin ψ, cos ψ − 1; 1 − cos ψ, sin ψ]/ψ, seen from the first.
#pragma once

#include "flexframe/beams.hpp"

namespace flexframe {

/// Whether nothing of ends, section law, mass and shape at rest leads out of the plane, and F⁻¹ in it if so.
bool is_planar(const BeamElement& beam, Matrix3& stiffness);

void move_planar_beam(const BeamElement& beam, const Pose& a, const Pose& b, const double* velocity_a,
                      const double* velocity_b, BeamState& out);
Vector12 planar_beam_inertia(const BeamElement& beam, const BeamState& state, const double* acceleration_a,
                             const double* acceleration_b, const Vector3& gravity);

/// Inertia, and forces of the strain where they count, on (vx, vy, ω) of both bodies: (6,).
Vector6 planar_beam_forces(const BeamElement& beam, const BeamState& state, const Vector3& acceleration_a,
                           const Vector3& acceleration_b, const Vector3& gravity, bool resists);
Matrix12 planar_beam_mass(const BeamElement& beam, const BeamState& state);
Matrix12 planar_beam_stiffness(const BeamElement& beam, const BeamState& state);

}  // namespace flexframe
