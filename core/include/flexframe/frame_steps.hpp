// Frames over a step that keeps energy and momenta, and exact differences of what lies between two of them.
//
// A frame moves by H₁ = (1 − ½ŝ)⁻¹(1 + ½ŝ) H₀, Cayley's map, with one twist ŝ = (v, τ) of space for the whole
// step. With the means x̄, R̄ of both ends, R̄ being no rotation,
//
//     x₁ − x₀ = v + τ × x̄,      R₁ − R₀ = τ̃ R̄ .
//
// Differences are thus linear in the twists, as rates are: those of products are means times differences, and
// divided differences of functions of one number stand for derivatives.
#pragma once

#include "flexframe/rotations.hpp"

namespace flexframe {

/// The displacement and rotation vector d with exp d = Cayley's map of a twist (v, τ), both in the axes of the
/// frame.
///
/// With φ = 2 atan(½|τ|) and r = φ/|τ| = (φ/2) cot(φ/2) it is r τ, and v with its part across τ shortened by r.
Vector6 cayley_logarithm(const Vector6& twist);

/// A number's mean over both ends of a step, and the divided difference of a function.
struct Span {
    double mean = 0.0, slope = 0.0;
};

/// A frame at both ends of a step.
struct FrameStep {
    FrameInSpace start, end;
    FrameInSpace mean;  // x̄ and R̄; its velocities are x₁ − x₀ and τ

    const Vector3& shift() const { return mean.velocity; }
    const Vector3& turn() const { return mean.angular_velocity; }

    /// Find the mean from both ends and the turn τ.
    void join(const Vector3& turn);

    /// The way that a force and a moment about x̄ work along.
    double work(const Vector6& wrench) const {
        return wrench.head<3>().dot(shift()) + wrench.tail<3>().dot(turn());
    }
};

/// How the rotation vector Ω of exp Ω̃ = R_Aᵀ R_B E changes over a step.
class TurnStep {
public:
    TurnStep(const FrameStep& a, const FrameStep& b, const Matrix3& fixed = Matrix3::Identity());

    /// The moment on the second frame, in space axes, that works as `on` does along Ω₁ − Ω₀; on the first it is
    /// the opposite.
    Vector3 moment(const Vector3& on) const;

private:
    Matrix3 a_, b_;  // R̄_A and R̄_B E
    Vector3 axis_;   // mean of sin φ times the axis
    Span ratio_;     // φ/sin φ by cos φ
};

}  // namespace flexframe
