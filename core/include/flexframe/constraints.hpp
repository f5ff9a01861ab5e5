// Constraint equations between frames: value s, Jacobian J, rate ṡ and bias β of one coordinate,
//
//     ṡ = J · (v, ω),      s̈ = J · (v̇, ω̇) + β,
//
// with v, ω of the frames in space axes. In the formulas a and b are the first and the second frame, ρ the arm of
// a place from the origin of its frame, Δ = p_b − p_a, and x, y, z directions fixed in a (or in space), b and a.
//
// A type of constraint is one file in src/constraint_types/ and its name in the list of src/constraints.cpp.
#pragma once

#include <array>
#include <vector>

#include "flexframe/frame_steps.hpp"
#include "flexframe/rotations.hpp"
#include "flexframe/views.hpp"

namespace flexframe {

/// One row: its type, the frames that it binds, places on them, directions and a radius.
struct ConstraintRow {
    Index type = 0;
    Index first = 0, second = 0, carrier = 0;  // frames of a and b, and the one that carries x
    Vector3 first_place, second_place;         // in their frames
    Vector3 x, y, z;                           // in the axes of the carrier, of b and of a
    double radius = 0.0;
};

/// The coordinates that another one follows: so many of `System::arguments`, which are its own, from the first on.
struct Leading {
    Index first = 0, count = 0;
};

/// A row with its arms and directions in space axes.
struct PlacedRow {
    PlacedRow(const ConstraintRow& row, const FrameInSpace& a, const FrameInSpace& b, const FrameInSpace& carrier);

    const FrameInSpace &a, &b, &carrier;
    Vector3 arm_a, arm_b, x, y, z;
    Vector3 delta;  // p_b − p_a
    double radius;

    // motion, filled by `move`
    Vector3 turn_a, turn_b;            // ω × ρ
    Vector3 delta_rate, delta_bias;
    void move();
};

/// Value and Jacobian with respect to the velocities of first, second and carrier.
struct RowValue {
    double value = 0.0;
    Vector6 first = Vector6::Zero(), second = Vector6::Zero(), carrier = Vector6::Zero();

    /// Rows of d · (velocity at p_b − velocity at p_a) with d held, from arms to the two points.
    void add_difference(const Vector3& d, const Vector3& arm_a, const Vector3& arm_b);
};

struct RowRate {
    double rate = 0.0, bias = 0.0;
};

inline PlacedRow::PlacedRow(const ConstraintRow& row, const FrameInSpace& first, const FrameInSpace& second,
                     const FrameInSpace& bearer)
    : a(first),
      b(second),
      carrier(bearer),
      arm_a(first.rotation * row.first_place),
      arm_b(second.rotation * row.second_place),
      x(bearer.rotation * row.x),
      y(second.rotation * row.y),
      z(first.rotation * row.z),
      delta(second.position + arm_b - (first.position + arm_a)),
      radius(row.radius) {}

inline void PlacedRow::move() {
    turn_a = a.angular_velocity.cross(arm_a);
    turn_b = b.angular_velocity.cross(arm_b);
    delta_rate = b.velocity + turn_b - (a.velocity + turn_a);
    delta_bias = b.angular_velocity.cross(turn_b) - a.angular_velocity.cross(turn_a);
}

inline void RowValue::add_difference(const Vector3& d, const Vector3& arm_a, const Vector3& arm_b) {
    first.head<3>() -= d;
    first.tail<3>() -= arm_a.cross(d);
    second.head<3>() += d;
    second.tail<3>() += arm_b.cross(d);
}

/// Rate and bias of x · y with x fixed in a and y in b.
inline RowRate rate_of_product(const Vector3& x, const Vector3& y, const Vector3& spin_a, const Vector3& spin_b) {
    const Vector3 x_rate = spin_a.cross(x), y_rate = spin_b.cross(y);
    return {x_rate.dot(y) + x.dot(y_rate),
            spin_a.cross(x_rate).dot(y) + 2.0 * x_rate.dot(y_rate) + x.dot(spin_b.cross(y_rate))};
}

/// A row at both ends of a step and at their mean.
struct PlacedStep {
    PlacedStep(const ConstraintRow& given, const FrameStep& first, const FrameStep& second,
               const FrameStep& carrier)
        : row(given),
          a(first),
          b(second),
          start(given, first.start, second.start, carrier.start),
          end(given, first.end, second.end, carrier.end),
          mean(given, first.mean, second.mean, carrier.mean) {}

    const ConstraintRow& row;
    const FrameStep &a, &b;
    PlacedRow start, end, mean;
};

/// A type of constraint.
struct ConstraintType {
    const char* name;
    bool periodic;  // whether the value is an angle, which counts modulo 2π
    void (*value)(const PlacedRow& row, RowValue& out);
    void (*rate)(const PlacedRow& row, RowRate& out);
    void (*slope)(const PlacedStep& step, RowValue& out) = nullptr;  // of `row_slope`, where the mean will not do
};

/// All types, by their numbers in the tables.
const std::vector<ConstraintType>& constraint_types();

RowValue row_value(const ConstraintRow& row, const FrameInSpace& a, const FrameInSpace& b,
                   const FrameInSpace& carrier);
RowRate row_rate(const ConstraintRow& row, const FrameInSpace& a, const FrameInSpace& b,
                 const FrameInSpace& carrier);

/// J with s₁ − s₀ = J · (x₁ − x₀, τ) over a step, and that difference.
///
/// Where s is a sum of products of places and directions it is the Jacobian at their means.
RowValue row_slope(const ConstraintRow& row, const FrameStep& a, const FrameStep& b, const FrameStep& carrier);

}  // namespace flexframe
