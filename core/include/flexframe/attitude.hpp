// Attitude of a free body: unit quaternions, scalar first, that take body axes to space.
#pragma once

#include <Eigen/Core>

#include "flexframe/collocation.hpp"
#include "flexframe/views.hpp"

namespace flexframe::attitude {

using Vector = Eigen::Vector3d;
using Quaternion = Eigen::Vector4d;

/// Slopes q̇ at the nodes of a step, one in each column.
using Slopes = Eigen::Matrix<double, 4, Eigen::Dynamic>;

/// a ∘ b.
Quaternion product(const Quaternion& a, const Quaternion& b);

/// R(q) v: a vector of body axes in space.
Vector to_space(const Quaternion& q, const Vector& v);

/// Take q one step on, by collocation with given angular velocities in body axes at the nodes: rows of three
/// numbers, `stride` apart. `slopes` is room for one column at each node.
void advance(Quaternion& q, const Collocation& method, const double* omega, Index stride, double step,
             Slopes& slopes);

/// Rotate the frame by the smallest rotation that takes R L to the direction of the momentum in space.
void align(Quaternion& q, const Vector& L, const Vector& momentum);

}  // namespace flexframe::attitude
