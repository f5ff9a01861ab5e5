// Loads of the bodies themselves: constant in their axes or in space, times a factor that follows a law of time.
//
// With A = 1, or A = Rᵀ for a load that keeps its direction in space, p_ik = ∫ξ_i df_k and τ_ik = ∫θ_i dm_k the
// forces are A F on v, ε_aij A_jk p_ik + A M on ω and A_ik ∂(p_ik + τ_ik)/∂δ on δ.
#pragma once

#include <vector>

#include "flexframe/bodies.hpp"
#include "flexframe/rotations.hpp"

namespace flexframe {

/// One of the nine p_ik and τ_ik, those that are not zero.
struct LoadMoment {
    int i = 0, k = 0;
    double position = 0.0;   // p_ik of the undeformed body
    Vector rows;             // ∂p_ik/∂δ: (m,)
    Matrix quadratic;        // (m, m)
    Vector work_rows;        // ∂(p_ik + τ_ik)/∂δ: (m,)
    Matrix work_quadratic;   // (m, m)
};

/// The loads of one body.
struct BodyLoad {
    Index body = 0;
    Index law = 0;  // of the factor
    bool in_space = false;
    Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
    std::vector<LoadMoment> moments;
};

/// An acceleration of space on all mass that changes with a law of time: its work is that of a load.
struct ChangingField {
    Vector3 acceleration = Vector3::Zero();
    Index law = 0;  // of the factor
};

/// out −= factor · Q in local coordinates (v, ω, δ); the power of Q.
double apply_load(const BodyLoad& load, double factor, const Matrix3& rotation, const double* deformation,
                  const double* velocity, double* out);

}  // namespace flexframe
