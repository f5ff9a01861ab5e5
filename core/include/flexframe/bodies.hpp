// One body in its moving frame: integrals, inertia forces and mass matrix.
//
// Displacements are linear in the fields η = (δ, z), z_j = ½ δᵀZ_j δ. With A = ε̃ + ω̃², a = v̇ + ω × v − g,
// ξ = x + F η and P_mk = ∫ρ ξ_k F_m = X_km + Y_mk η the inertia forces are
//
//     force   m a + A s + 2 ω × M_O η̇ + M_O η̈,
//     moment  s × a + I ε + ω × I ω + 2 (tr G − Gᵀ) ω + M_r η̈,      G_km = P_mk·η̇,
//     fields  M_Oᵀ a + A_mk P_mk + 2 ω_a C_a η̇ + m η̈,
//
// and those on δ are the ones on the fields times ∂η/∂δ = [1; Z(δ)]. Gravity enters as −g beside the acceleration.
//
// A body with energy of fourth order also shortens by fourth powers of its slopes ϑ = L δ at points along it:
// z_j = ½ δᵀZ_j δ + Σ_g B_jg ϑ_g⁴.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "flexframe/rotations.hpp"
#include "flexframe/views.hpp"

namespace flexframe {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Integrals of a body on its n fields, in body axes about the origin of its frame; m of them are coordinates.
struct BodyIntegrals {
    Index coordinates = 0;  // m
    Index fields = 0;       // n
    double mass = 0.0;
    Vector3 first_moment = Vector3::Zero();    // S = ∫ρ x
    Matrix3 second_moment = Matrix3::Zero();   // J = ∫ρ x xᵀ
    Matrix origin_coupling;    // M_O = ∫ρ F, one column for each axis: (n, 3)
    Matrix position_coupling;  // X, column 3m + k is ∫ρ x_k F_m: (n, 9)
    Matrix shape_products;     // Y, rows (3m + k)n … are ∫ρ F_mᵀF_k: (9n, n)
    Matrix coriolis;           // C_a = Y_cb − Y_bc, one below the other: (3n, n)
    Matrix field_mass;         // Σ Y_kk: (n, n)
    Matrix products;           // Z, rows j m … are Z_j: (k m, m)
    Matrix stiffness;          // (m, m)
    Matrix damping;            // (m, m)
    Vector quartic_signs;      // of the strain energy ½ Σ s (δᵀRδ)² of fourth order: (terms,)
    Matrix quartic_forms;      // R, one below the other: (terms m, m)
    Matrix leans;              // L: (g, m)
    Matrix shortening;         // B: (k, g)

    /// Fill C_a and the mass of the fields from Y.
    void derive();

    bool rigid() const { return coordinates == 0; }

    /// What a turn of a section counts against the limit of small deflections: less where there is the next order.
    double counted_turn() const { return quartic_signs.size() > 0 ? 0.6 : 1.0; }

    /// ½ δᵀKδ + ½ Σ s (δᵀRδ)².
    double strain_energy(const double* deformation) const;

    /// What the energy of fourth order adds to K, Σ 2 s [(δᵀRδ) R + 2 Rδ (Rδ)ᵀ], times a factor.
    void stiffen(const double* deformation, double factor, Eigen::Ref<Matrix> K) const;

    /// Whether nothing of it has mass, as of sections that beams are between.
    bool massless() const { return rigid() && mass == 0.0 && second_moment.isZero(0.0); }
};

/// Work arrays of bodies with the same numbers of coordinates and fields.
struct BodyScratch {
    Matrix motion;     // η, η̇, η̈: (n, 3)
    Matrix slopes;     // Z_j δ, one column for each product: (m, k)
    Matrix turning;    // Z_j δ̇, the same
    Matrix arms;       // P, column 3m + k: (n, 9)
    Matrix gyroscopic; // C_a η̇: (n, 3)
    Vector force;      // on the fields: (n,)
    Matrix leaning;    // field mass · [1; Z(δ)]: (n, m)
    Vector lean;       // ϑ: (g,)
    Vector powers;     // ϑ⁴, then others of that degree: (g,)
    void resize(Index coordinates, Index fields);
};

/// M u̇ + h less gravity in local coordinates (v, ω, δ); `gravity` in body components. η and its rates stay in
/// `work`.
void body_inertia(const BodyIntegrals& body, const double* deformation, const double* velocity,
                  const double* acceleration, const Vector3& gravity, double* out, BodyScratch& work);

/// M(δ): (6 + m, 6 + m).
void body_mass(const BodyIntegrals& body, const double* deformation, Eigen::Ref<Matrix> M, BodyScratch& work);

/// Stiffness and damping forces added to `out` (6 + m), or of stiffness what is not linear alone; the power that
/// is dissipated.
double resist(const BodyIntegrals& body, const double* deformation, const double* velocity, double* out,
              bool linear = true);

}  // namespace flexframe
