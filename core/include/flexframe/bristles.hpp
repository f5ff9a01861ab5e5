// Friction that sticks in a contact: bristles between two faces bend by z before they slip.
//
// Slip velocity v and bending z are tangential. With μ(v) = μ_d + (μ_s − μ_d) exp(−(v/v_s)²), x = σ₀|z|/μ(v) and
// ẑ = z/|z| the force over the normal force is
//
//     r = −(σ₀ z + σ₁ exp(−(σ₁ v/μ_s)²) ż + σ₂ v) ,
//     ż = v − α(x) x max(0, v·ẑ) ẑ            (elasto-plastic: Dupont, Hayward, Armstrong, Altpeter 2002),
//     ż = v − |v| σ₀ z/μ(v)                   (LuGre: Canudas de Wit, Olsson, Åström, Lischinsky 1995) ,
//
// with α = 0 up to the break-away x = b, ½ (1 − cos π(x − b)/(1 − b)) from there to 1, then 1. Along one line both
// are the models of one coordinate; in two dimensions the elasto-plastic one never bends beyond μ/σ₀.
//
// A step asks for z = b + c ż. In both models z has the direction of w = b + c v, so that its length is left:
//
//     |z| + c α(x) x max(0, v·ŵ) = |w| ,      |z| (1 + c |v| σ₀/μ) = |w| .
#pragma once

#include "flexframe/rotations.hpp"
#include "flexframe/views.hpp"

namespace flexframe {

/// How friction is made regular, in the order of `model.contacts.FRICTION_MODELS`.
enum class FrictionModel : Index { tanh, elasto_plastic, lugre };

/// Numbers of friction with bristles, all over the normal force.
struct BristleParameters {
    double static_friction = 0.0, dynamic_friction = 0.0;  // μ_s, μ_d
    double stribeck = 1e-2;                                // v_s [m/s]
    double stiffness = 0.0;                                // σ₀ [1/m]
    double damping = 0.0;                                  // σ₁ [s/m]
    double viscous = 0.0;                                  // σ₂ [s/m]
    double break_away = 0.9;                               // b
};

/// What bristles do at a slip velocity: bending, its rate, force over the normal force, and −∂r/∂v with z of the
/// step.
struct Bristles {
    Vector3 bending = Vector3::Zero(), rate = Vector3::Zero(), ratio = Vector3::Zero();
    Matrix3 resistance = Matrix3::Zero();
};

/// z = base + factor · ż at a slip velocity; without a factor z is the base.
Bristles bend(const BristleParameters& parameters, FrictionModel model, const Vector3& slip, const Vector3& base,
              double factor);

/// How fast bristles that slip come to their steady bending, |v| σ₀/μ(v) [1/s].
double settling_rate(const BristleParameters& parameters, double speed);

/// θ of z₁ = z₀ + h (1 − θ) ż₀ + h θ ż₁ that is exact for bristles which settle at a rate: ½ of slow, 1 of fast.
double settling_weight(double rate_times_step);

}  // namespace flexframe
