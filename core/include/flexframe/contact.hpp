// Contact between shapes on two frames: gap g, unit normal n that pushes the second shape away from the first, and
// the point c at which both are pushed, on the surface of the second,
//
//     ġ = n · (v_b(c) − v_a(c)),      slip = (1 − n nᵀ)(v_b(c) − v_a(c)) .
//
// The first formula is exact where gap and normal belong to the nearest points of two rigid surfaces. With the
// depth δ = −g the normal force is a law N(δ, δ̇) ≥ 0 of which a part K δⁿ is elastic, and friction is
//
//     μ(v) N against the slip,   μ(v) = (μ_d + (μ_s − μ_d) exp(−(v/v_s)²)) tanh(v/v_r) ,
//
// or that of bristles (bristles.hpp), whose bending is a state of the touch: a vector in the axes of the frame of
// the first shape, which is laid into the tangent plane with its length kept.
//
// A pair of shapes is one file in src/contact_pairs/, a law of the normal force one in src/contact_laws/, with
// their names in the lists of src/contact.cpp.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "flexframe/bodies.hpp"
#include "flexframe/bristles.hpp"
#include "flexframe/constraints.hpp"
#include "flexframe/rotations.hpp"
#include "flexframe/views.hpp"

namespace flexframe {

/// A curve in the x–y plane of its shape, straight or cubic between its points; its right side, in the direction
/// in which the points follow one another, is free. A closed one ends where it begins.
struct ContactCurve {
    std::vector<double> parameters;  // ascending: (points,)
    Matrix points;                   // (2, points)
    Matrix bends;                    // second derivatives by the parameter, zero of a polyline: (2, points)
    bool closed = false;

    Index segments() const { return points.cols() - 1; }
};

/// Where a shape is fixed: its frame, its place and its axes there, and its size.
struct ContactShape {
    Index frame = 0;
    Vector3 place = Vector3::Zero();
    Matrix3 axes = Matrix3::Identity();  // columns; a plane is normal to x, a cylinder lies along z
    double radius = 0.0, length = 0.0;
};

/// Numbers of the laws of normal force and friction.
struct ContactParameters {
    double stiffness = 0.0, exponent = 1.0;  // K, n
    double damping = 0.0;                    // d of a linear law, else the factor c of damping
    double least_speed = 1e-3;               // of an impact, below which damping grows no more
    BristleParameters friction;              // of which tanh takes μ_s, μ_d and v_s
    double regularisation = 1e-3;            // v_r
    double divisions = 40.0;                 // steps within the duration of an impact
};

/// A velocity of the second frame against the first at a place, or their angular velocity.
inline Vector3 contact_velocity(const FrameInSpace& a, const FrameInSpace& b, const Vector3& place, bool turning) {
    if (turning) return b.angular_velocity - a.angular_velocity;
    return b.velocity + b.angular_velocity.cross(place - b.position) -
           (a.velocity + a.angular_velocity.cross(place - a.position));
}

/// Rows of that velocity along a direction, which is held.
inline void add_contact_direction(const FrameInSpace& a, const FrameInSpace& b, const Vector3& direction,
                                  const Vector3& place, bool turning, RowValue& out) {
    if (!turning) return out.add_difference(direction, place - a.position, place - b.position);
    out.first.tail<3>() -= direction;
    out.second.tail<3>() += direction;
}

/// A contact between two shapes.
struct ContactElement {
    Index pair = 0, law = 0;
    FrictionModel model = FrictionModel::tanh;
    ContactShape first, second;
    ContactCurve curve;  // of the first shape, where it has one
    ContactParameters parameters;

    /// The frames, as of a constraint between them.
    ConstraintRow between() const;

    bool rough() const { return parameters.friction.static_friction > 0.0; }
    bool has_bristles() const { return model != FrictionModel::tanh; }
};

/// A shape in space.
struct PlacedShape {
    PlacedShape(const ContactShape& shape, const FrameInSpace& frame)
        : position(frame.position + frame.rotation * shape.place),
          axes(frame.rotation * shape.axes),
          radius(shape.radius),
          length(shape.length) {}

    Vector3 position;
    Matrix3 axes;
    double radius, length;
};

/// A gap that is not there: the curve has no further nearest point.
constexpr double no_gap = std::numeric_limits<double>::max();

/// A place where two shapes are nearest.
struct ContactPoint {
    double gap = no_gap;
    Vector3 normal = Vector3::UnitX();
    Vector3 point = Vector3::Zero();
};

/// A pair of shapes with the number of places at which they may touch.
struct ContactPair {
    const char* name;
    Index points;
    bool curved;  // whether the first shape has a curve
    void (*at)(const PlacedShape& first, const PlacedShape& second, const ContactCurve& curve, ContactPoint* out);
    bool turning = false;  // whether the gap is an angle: forces are moments, velocities those of rotation
};

/// A normal force at a depth with its rate: all of it, the elastic part, its energy, and how it changes.
struct NormalForce {
    double force = 0.0, elastic = 0.0, energy = 0.0;
    double stiffness = 0.0;  // ∂N/∂δ
    double damping = 0.0;    // ∂N/∂δ̇
};

/// A law of normal force. `impact` is the speed with which the shapes met, zero where it is not known.
struct ContactLaw {
    const char* name;
    double (*factor)(double restitution);  // c by the coefficient of restitution; none of a linear law
    NormalForce (*at)(const ContactParameters& parameters, double depth, double rate, double impact);
    bool impulsive = false;  // whether velocities jump where shapes meet, instead of a force
};

/// All pairs and laws, by their numbers in the tables.
const std::vector<ContactPair>& contact_pairs();
const std::vector<ContactLaw>& contact_laws();

/// Friction over the normal force along two tangents, and −∂r/∂v of it.
struct FrictionRatio {
    Eigen::Vector2d ratio = Eigen::Vector2d::Zero();
    Eigen::Matrix2d resistance = Eigen::Matrix2d::Zero();

    double size() const { return ratio.norm(); }
};

/// That of tanh at a slip, along it and across it.
FrictionRatio friction_ratio(const ContactParameters& parameters, double slip);

/// Bristles of a touch: bending and its rate, in the axes of the frame of the first shape.
struct TouchBristles {
    Vector3 bending = Vector3::Zero(), rate = Vector3::Zero(), slip = Vector3::Zero();
};

/// What a step asks of the bristles of a touch, z = base + factor · ż; without a factor z is the base.
struct BristleStep {
    Vector3 base = Vector3::Zero();
    double factor = 0.0;
};

/// What is kept of a place of contact from step to step.
///
/// Shapes that are apart at the start of a step do not act on each other in it: it ends where they meet. Shapes of
/// an impulsive law that came to rest have a support, N = P + K δ + d δ̇ with the force P that holds them at rest
/// and K so large that δ does not count; or they are held by an N = P that is found with the accelerations
/// (conditions.cpp). They part where N falls to zero.
struct TouchMemory {
    static constexpr Index count = 6;
    double impact = 0.0;  // speed with which shapes met that touch
    double apart = 0.0;   // 1 while they are apart
    double preload = 0.0, stiffness = 0.0, damping = 0.0;
    double held = 0.0;    // 1 while they are held at rest

    bool is_held() const { return held != 0.0; }
    bool rests() const { return stiffness > 0.0 || is_held(); }
};

/// The same as numbers, one place after the other; false where there are not as many.
std::vector<double> numbers_of(const std::vector<TouchMemory>& memory);
bool read_numbers(const std::vector<double>& numbers, std::vector<TouchMemory>& memory);

/// A place of contact at one state, with all that acts there.
struct Touch {
    ContactPoint where;
    bool acts = false, rests = false;          // whether there is a force, and that of a support
    double pressed = 0.0;                      // force at rest, or of a support: zero where shapes part
    double rate = 0.0;                         // ġ
    NormalForce normal;
    FrictionRatio friction;
    TouchBristles bristles;
    Vector3 force = Vector3::Zero();           // on the second shape
    Vector3 push = Vector3::Zero();            // of it for a unit of the normal force
    RowValue along_normal, along_slip, across_slip;

    double depth() const { return -where.gap; }
};

/// A gap that errors of the iteration for positions may hide.
inline double hidden_gap(const Touch& touch) { return 1e-13 * (1.0 + touch.where.point.norm()); }

/// Gap, normal, point and rate of all places of a contact; forces where they touch.
void find_touches(const ContactElement& contact, const FrameInSpace& a, const FrameInSpace& b,
                  const TouchMemory* memory, const BristleStep* bristles, Touch* out);

/// Duration of a free undamped impact over greatest depth and speed, 2 ∫₀¹ dx/√(1 − xⁿ⁺¹).
double impact_duration_factor(double exponent);

}  // namespace flexframe
