// Geometrically exact beams: two sections that move as rigid bodies, and an element between them.
//
// Between its ends the frame of the section is H(ξ) = H_A exp(ξ d), exp d = H_A⁻¹H_B, a screw motion: the element
// rides on a frame of its own, and d = (U, Ω) does not know how both ends move together (Sonneville, Cardona and
// Brüls 2014). With the length L, the reference d₀ (curved and twisted as the element is at rest) and the
// flexibility F of the element the strains, the forces in its middle and the energy are
//
//     ε = (d − d₀)/L = (Γ, κ),      ε = F(d) f,   f = (n, m),      V = ½ L εᵀF⁻¹ε,
//
// Γ stretch and shears, κ twist and bends in the axes of the section, without a limit of displacements and
// rotations. Along an element without load its moments change by b = n × U₀ + m × Ω, since n has an arm and the
// section turns on the way. What their deviations from the mean store is a residual flexibility, with C that of
// bends and twist:
//
//     F(d) = F₀ + (1/12) A C Aᵀ,   A = [Ũ₀; Ω̃],      ∂V/∂d = f + (L/12) (0, m × g),   g = C b = C Aᵀf .
//
// Twists η of the ends change d by ḋ = P η with P = [−T⁻¹(−d), T⁻¹(d)], so that the forces on them are
// −Pᵀ(∂V/∂d + D ε̇), D the damping. A section at ξ moves by
//
//     η(ξ) = exp(−ξ ad) η_A + ξ T(ξd) ḋ = Q(ξ) η
//
// and its inertia, μ for each length, gives ∫ Qᵀ(μ η̇ − ad_ηᵀ μ η) L dξ, at two points of Gauss. Weight is an
// acceleration of all mass, as it is in bodies.
#pragma once

#include "flexframe/rigid_motions.hpp"
#include "flexframe/views.hpp"

namespace flexframe {

/// Points of Gauss along an element, at which inertia and loads are taken; both have half of its length.
constexpr double beam_points[2] = {0.21132486540518712, 0.78867513459481288};  // (1 ∓ 1/√3)/2

using Vector12 = Eigen::Matrix<double, 12, 1>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;

/// An end of an element: the body that carries it, and the frame of the section in that body.
struct BeamEnd {
    Index body = 0;
    Pose frame;
    Matrix6 twist = Matrix6::Identity();  // of the section by that of the body
    bool apart = false;                   // whether the frame is not that of the body

    void place(const Pose& given);
};

struct BeamElement {
    BeamEnd ends[2];
    double length = 1.0;
    Vector6 reference = Vector6::Zero();  // d₀
    Matrix6 flexibility = Matrix6::Identity();  // F₀: that at rest less (1/12) A C Aᵀ there
    Matrix3 bending = Matrix3::Identity();      // C
    Matrix6 damping = Matrix6::Zero(), mass = Matrix6::Zero();
    Matrix6 straight = Matrix6::Identity();    // F₀ and what Ũ₀ adds to it, found by `settle`
    Matrix3 deviating = Matrix3::Zero();       // (1/12) C Ũ₀ᵀ
    bool planar = false;  // whether ends, section and motion stay in one plane, across z of the bodies
    Matrix3 stiffness = Matrix3::Zero();  // F⁻¹ along the plane (N, V, M) where it is planar

    /// Finds what does not change with d, and whether the element is planar, between bodies that move in the plane
    /// or not.
    void settle(bool in_plane);
};

/// Factors L Lᵀ of a symmetric matrix of six rows, written out.
class CholeskyOfSix {
public:
    /// By its lower half; false where it is not definite.
    bool compute(const Matrix6& matrix);
    Vector6 solve(const Vector6& right) const;
    Matrix6 lower(const Matrix6& right) const;  // L⁻¹ right

private:
    Matrix6 L_ = Matrix6::Identity();        // below its diagonal
    Vector6 inverse_ = Vector6::Ones();      // of the diagonal
};

/// An element at one state.
struct BeamState {
    Pose first;                                          // H_A
    Matrix3 rotation = Matrix3::Identity();              // of H_A
    Vector6 d = Vector6::Zero(), rate = Vector6::Zero(); // and ḋ
    Vector6 middle = Vector6::Zero();                    // f
    Vector3 deviation = Vector3::Zero();                 // g
    Vector6 elastic = Vector6::Zero(), force = Vector6::Zero();  // ∂V/∂d, and with damping
    CholeskyOfSix flexibility;                           // of F(d)
    Vector12 twists = Vector12::Zero();                  // η of both ends, in their own axes
    AdjointSeries inverse;                               // of T⁻¹
    Matrix6 back = Matrix6::Identity(), ahead = Matrix6::Identity();  // T⁻¹(−d) and T⁻¹(d)
};

/// Turn [rad] of one end against the other beyond which an element is folded: at π it would jump to the other
/// side.
constexpr double most_turn = 2.6;

/// Where the ends are, how they move, and the strain with its forces.
void move_beam(const BeamElement& beam, const Pose& a, const Pose& b, const double* velocity_a,
               const double* velocity_b, BeamState& out);

/// Forces of the strain on the bodies that carry the ends, as they stand beside M u̇: Pᵀ(∂V/∂d + D ε̇).
Vector12 beam_resistance(const BeamElement& beam, const BeamState& state);

/// M u̇ + h less weight; local accelerations of the two bodies, gravity in space axes.
Vector12 beam_inertia(const BeamElement& beam, const BeamState& state, const double* acceleration_a,
                      const double* acceleration_b, const Vector3& gravity);

/// M u of the two bodies.
Vector12 beam_momentum(const BeamElement& beam, const BeamState& state);

/// M by the velocities of the two bodies.
Matrix12 beam_mass(const BeamElement& beam, const BeamState& state);

/// ∂(Pᵀp)/∂q along changes of position in body axes: Pᵀ(∂²V/∂d²)P and what a force p does as the element turns.
Matrix12 beam_stiffness(const BeamElement& beam, const BeamState& state);

/// Pᵀ(D/L)P.
Matrix12 beam_damping(const BeamElement& beam, const BeamState& state);

/// A force and a moment for each length times a law, in space or turning with sections, as the first is at rest.
/// The force acts at the end of an arm in the axes of the section, such as the centre of its mass.
struct BeamLoad {
    Index beam = 0, law = 0;
    bool in_space = true;
    Vector6 wrench = Vector6::Zero();
    Vector3 arm = Vector3::Zero();
};

/// Forces ∫ Qᵀ w L dξ of a load on the bodies that carry the ends.
Vector12 apply_load(const BeamElement& beam, const BeamState& state, const BeamLoad& load);

/// w of a load, and of inertia less weight, for each length at the points of Gauss, in the axes of the sections
/// there; inertia of an element in space.
void section_loads(const BeamElement& beam, const BeamState& state, const BeamLoad& load, Vector6 (&out)[2]);
void section_inertia(const BeamElement& beam, const BeamState& state, const double* acceleration_a,
                     const double* acceleration_b, const Vector3& gravity, Vector6 (&out)[2]);

/// The part of ∫ Qᵀ w L dξ that acts on the first section.
Vector6 on_first_section(const BeamElement& beam, const BeamState& state, const Vector6 (&w)[2]);

/// Energies, momenta about the origin of space, mass and its first moment there.
struct BeamMeasures {
    double kinetic = 0.0, strain = 0.0, mass = 0.0;
    Vector3 linear = Vector3::Zero(), angular = Vector3::Zero(), first_moment = Vector3::Zero();
};
BeamMeasures measure_beam(const BeamElement& beam, const BeamState& state);

}  // namespace flexframe
