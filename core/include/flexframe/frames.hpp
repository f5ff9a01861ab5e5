// Frames on bodies: where markers are, how they move, and their velocities by those of their body.
//
// A frame of an elastic body is at ρ = x_P + N_u δ + ½ δᵀG_u δ and turned against the body by exp θ̃ with
// θ = N_θ δ + ½ δᵀG_θ δ; its angular velocity against the body is, with the ratios a and b of φ = |θ|,
//
//     ϖ = θ̇ + a θ × θ̇ + b θ × (θ × θ̇) .
//
// Of a body with energy of fourth order θ is as long as the sine of the turn is: with κ = √(1 − θ²)
//
//     R = 1 + θ̃ + a θ̃²,      ϖ = θ̇ + a θ × θ̇ + g θ (θ·θ̇),      a = 1/(1 + κ),  g = 1/(κ (1 + κ)) .
#pragma once

#include <vector>

#include "flexframe/bodies.hpp"
#include "flexframe/rotations.hpp"

namespace flexframe {

/// How a frame follows the deformation of its body.
enum class FrameKind : Index { rigid, displaced, turned };

/// A frame of a body; the ground has the body −1.
struct Frame {
    Index body = -1;
    FrameKind kind = FrameKind::rigid;
    bool curved = false;                // whether its motion has a quadratic part
    bool by_sine = false;               // whether θ is as long as the sine of the turn
    Vector3 place = Vector3::Zero();    // x_P
    Matrix rows;                        // N_P, one column for each displacement and rotation: (m, 6)
    Matrix quadratic;                   // G_P, symmetric, one below the other: (6m, m)
    Matrix leans;                       // slopes ϑ of a body with energy of fourth order: (g, m)
    Matrix shortening;                  // by which their fourth powers move it: (g, 6)
};

/// A frame at one instant, with what its velocities [R, −R ρ̃, R ρ_δ; 0, R, R T θ_δ] u by those of its body need.
struct FrameMotion : FrameInSpace {
    Vector6 drift = Vector6::Zero();  // acceleration without that of the coordinates
    Vector3 arm = Vector3::Zero();    // ρ
    Matrix3 turn = Matrix3::Identity();                // T
    Eigen::Matrix<double, Eigen::Dynamic, 6> columns;  // ρ_δ and θ_δ: (m, 6), of a rigid frame (0, 6)
};

/// Where a body is: origin in space, rotation, deformation and local velocities.
struct BodyPose {
    const double* position;
    const Matrix3& rotation;
    const double* deformation;
    const double* velocity;
};

/// Work array of one frame: (m, 6).
struct FrameScratch {
    Eigen::Matrix<double, Eigen::Dynamic, 6> bent;
    Vector lean, powers;  // ϑ and products of fourth degree
};

/// The motion of a frame; drifts only where they are wanted.
void move_frame(const Frame& frame, const BodyPose& body, bool drifting, FrameMotion& out, FrameScratch& work);

/// Forces (v, ω, δ) that a force and a moment at a frame, in space axes, are on its body, added to `out`.
void transmit(const FrameMotion& frame, const Matrix3& rotation, const Vector6& wrench, double* out);

}  // namespace flexframe
