#include "flexframe/beam_interior.hpp"

#include <cmath>

namespace flexframe {

BeamInterior::BeamInterior(const BeamElement& beam, const BeamState& state, const double* acceleration_a,
                           const double* acceleration_b, const Vector3& gravity)
    : beam_(beam), state_(state), start_(state.back.transpose() * state.elastic) {
    for (Vector6& each : along_) each.setZero();
    Vector6 w[2];
    section_inertia(beam, state, acceleration_a, acceleration_b, gravity, w);
    for (Vector6& each : w) each = -each;
    count(w);
}

void BeamInterior::add(const BeamLoad& load, double factor) {
    Vector6 w[2];
    section_loads(beam_, state_, load, w);
    for (Vector6& each : w) each *= factor;
    count(w);
}

void BeamInterior::count(const Vector6 (&w)[2]) {
    start_ += on_first_section(beam_, state_, w);
    for (int g = 0; g < 2; ++g) {
        const Matrix3 R = rotation_matrix(exponential(beam_points[g] * state_.d).quaternion.data());
        along_[g].head<3>() += R * w[g].head<3>();
        along_[g].tail<3>() += R * w[g].tail<3>();
    }
}

Vector6 BeamInterior::at(double xi) const {
    const Pose here = exponential(xi * state_.d);
    Vector3 force = start_.head<3>(), moment = start_.tail<3>() - here.position.cross(force);
    for (double point : beam_points) {
        const double s = xi * point, part = (s - beam_points[0]) / (beam_points[1] - beam_points[0]);
        const Vector6 w = (0.5 * xi * beam_.length) * (along_[0] + part * (along_[1] - along_[0]));
        const Vector3 arm = exponential(s * state_.d).position - here.position;
        force -= w.head<3>();
        moment -= w.tail<3>() + arm.cross(w.head<3>());
    }
    Vector6 out;
    out << rotate_back(here.quaternion.data(), force), rotate_back(here.quaternion.data(), moment);
    return out;
}

}  // namespace flexframe
