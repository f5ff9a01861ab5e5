// Energy of a free elastic body by its momenta and natural coordinates, and the gradient.
//
// Displacements are linear in the n fields of a body, u = F η with η = (z, ½ zᵀZ_j z). About the mass centre, with
// the angular momentum L in body axes and the momenta p of the m natural coordinates z,
//
//     H(L, z, p) = ½ (L, p)ᵀ M_c(z)⁻¹ (L, p) + ½ zᵀkz,      M_c = [I_c, M_r; M_rᵀ, m_c] .
#pragma once

#include <Eigen/Core>
#include <vector>

#include "flexframe/views.hpp"

namespace flexframe {

/// A number at four points of the phase space, which are evaluated together, one in each part of a vector
/// register: nothing is summed across them, so that every point has the same order of sums on every processor.
using Points = Eigen::Array<double, 4, 1>;
constexpr Index points_at_once = 4;

/// A free body about its mass centre; arrays row by row, with F and places x counted from there.
struct CentralInertia {
    bool planar = false;
    Index coordinates = 0;                  // m
    Index fields = 0;                       // n
    std::vector<double> frequencies;        // ω of the undeformed body at rest: (m,)
    std::vector<double> second_moment;      // J = ∫ρ x xᵀ: (3, 3)
    std::vector<double> position_coupling;  // X_ab = ∫ρ x_a F_b: (9, n)
    std::vector<double> shape_products;     // Y_abᵀ, with Y_ab = ∫ρ F_aᵀF_b: (9, n, n)
    std::vector<double> rate_products;      // C_aᵀ, with C_a = Y_cb − Y_bc, and the field mass Σ Y_aa: (4, n, n)
    std::vector<double> products;           // Z, entry (r, j, t) is Z_j at (r, t): (m, n − m, m)
    std::vector<double> stiffness;          // k: (m, m)
    std::vector<double> damping;            // d: (m, m)

    /// Number of coordinates (L, z, p).
    Index width() const { return 3 + 2 * coordinates; }

    /// Throw std::invalid_argument where the length of an array is not that of its shape.
    void require_shapes() const;
};

/// H and its gradient, with the arrays that an evaluation works in.
class Hamiltonian {
public:
    explicit Hamiltonian(CentralInertia body);

    const CentralInertia& body() const { return body_; }

    /// H at `state` = (L, z, p), and ∂H/∂(L, p, z) into `gradient`; both of body().width() numbers. H is not
    /// finite where M_c is not positive definite.
    Points evaluate(const Points* state, Points* gradient);

private:
    void place_fields(const Points* z);
    void find_arms();
    void fill_rigid_mass();
    void fill_coupling();
    void fill_elastic_mass();
    void keep_plane();
    void solve_velocities(const Points* L, const Points* p);
    void differentiate_kinetic_energy();

    CentralInertia body_;
    std::vector<Points> eta_;          // η: (n,)
    std::vector<Points> eta_rate_;     // η̇: (n,)
    std::vector<Points> slopes_;       // ∂η_j/∂z_r of the products: (m, n − m)
    std::vector<Points> slope_rates_;  // their rates: (m, n − m)
    std::vector<Points> arms_;         // P_ab = ∫ρ (x + u)_a F_b: (9, n)
    std::vector<Points> turning_;      // ∫ρ ((x + u) × F)_a: (3, n)
    std::vector<Points> leaning_;      // field mass on the slopes: (m, n − m)
    std::vector<Points> mass_;         // M_c, and then its factor: (3 + m, 3 + m)
    std::vector<Points> velocities_;   // (ω, ż): (3 + m,)
    std::vector<Points> mixed_;        // C_a η̇ and field mass · η̇: (4, n)
    std::vector<Points> by_place_;     // ∂T/∂η: (n,)
    std::vector<Points> by_rate_;      // ∂T/∂η̇ of the products: (n − m,)
};

}  // namespace flexframe
