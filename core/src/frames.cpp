#include "flexframe/frames.hpp"

#include <algorithm>
#include <cmath>

namespace flexframe {

namespace {

/// ρ and θ of a point in its body, with their rates and δ̇ᵀG δ̇.
struct PointMotion {
    Vector6 value = Vector6::Zero(), rate = Vector6::Zero(), bending = Vector6::Zero();
};

/// A frame that is the frame of its body: velocities diag(R, R) u.
void move_rigid(const BodyPose& body, FrameMotion& out) {
    const Eigen::Map<const Vector3> v(body.velocity), w(body.velocity + 3), r(body.position);
    const Matrix3& R = body.rotation;
    out.position = r;
    out.rotation = R;
    out.velocity = R * v;
    out.angular_velocity = R * w;
    out.drift << R * w.cross(v), Vector3::Zero();
}

/// The point in body components, with ∂ρ/∂δ and ∂θ/∂δ.
PointMotion move_point(const Frame& frame, const BodyPose& body, bool drifting, FrameMotion& out,
                       FrameScratch& work) {
    const Index m = frame.rows.rows();
    const Index axes = frame.kind == FrameKind::turned ? 6 : 3;
    const Eigen::Map<const Vector> delta(body.deformation, m), rate(body.velocity + 6, m);
    PointMotion point;
    point.value.head<3>() = frame.place;
    auto columns = out.columns.leftCols(axes);
    columns = frame.rows.leftCols(axes);
    point.value.head(axes).noalias() += columns.transpose() * delta;
    if (frame.curved) {
        Eigen::Map<Matrix> bent(work.bent.data(), m, axes);
        Eigen::Map<Vector>(work.bent.data(), m * axes).noalias() = frame.quadratic.topRows(m * axes) * delta;
        point.value.head(axes).noalias() += 0.5 * (bent.transpose() * delta);
        columns += bent;
        if (drifting) {
            Eigen::Map<Vector>(work.bent.data(), m * axes).noalias() = frame.quadratic.topRows(m * axes) * rate;
            point.bending.head(axes).noalias() = bent.transpose() * rate;
        }
    }
    if (frame.leans.rows() > 0) {
        const auto share = frame.shortening.leftCols(axes);
        work.lean.noalias() = frame.leans * delta;
        work.powers = work.lean.array().square().square();
        point.value.head(axes).noalias() += share.transpose() * work.powers;
        work.powers = 4.0 * work.lean.array().cube();
        columns.noalias() += frame.leans.transpose() * (work.powers.asDiagonal() * share);
        if (drifting) {
            work.powers.noalias() = frame.leans * rate;
            work.powers = 12.0 * (work.lean.array() * work.powers.array()).square();
            point.bending.head(axes).noalias() += share.transpose() * work.powers;
        }
    }
    point.rate.head(axes).noalias() = columns.transpose() * rate;
    return point;
}

/// The ratios a and g of turns by their sine, and da/dx, dg/dx with x = θ²; near a right angle they end.
struct SineRatios {
    double a, g, da, dg;

    explicit SineRatios(double x) {
        const double cosine = std::sqrt(std::max(1.0 - x, 1e-6));
        a = 1.0 / (1.0 + cosine);
        g = a / cosine;
        da = 0.5 * a * g;
        dg = 0.5 * g * g * (1.0 + 2.0 * cosine) / cosine;
    }
};

/// Attitude and spin of a frame that turns with the deformation.
void turn_frame(const Frame& frame, const BodyPose& body, const PointMotion& point, bool drifting,
                FrameMotion& out) {
    const Eigen::Map<const Vector3> w(body.velocity + 3);
    const Matrix3& R = body.rotation;
    const Vector3 theta = point.value.tail<3>(), theta_rate = point.rate.tail<3>();
    const Matrix3 S = skew(theta), S2 = S * S;
    const Vector3 once = theta.cross(theta_rate);
    const double x = theta.squaredNorm(), along = theta.dot(theta_rate), growth = 2.0 * along;
    Vector3 turning;  // (dT/dt) θ̇
    if (frame.by_sine) {
        const SineRatios t(x);
        out.rotation.noalias() = R * (Matrix3::Identity() + S + t.a * S2);
        out.turn = Matrix3::Identity() + t.a * S + t.g * theta * theta.transpose();  // ϖ = T θ̇
        turning = growth * (t.da * once + t.dg * along * theta) + t.g * along * theta_rate +
                  t.g * theta_rate.squaredNorm() * theta;
    } else {
        const TurnRatios t = turn_ratios(x);
        out.rotation.noalias() = R * (Matrix3::Identity() + t.c * S + t.a * S2);
        out.turn = Matrix3::Identity() + t.a * S + t.b * S2;
        turning = t.b * theta_rate.cross(once) + growth * (t.da * once + t.db * theta.cross(once));
    }
    const Vector3 spin = out.turn * theta_rate;
    out.angular_velocity = R * (w + spin);
    if (drifting) {  // R[ω × ϖ + dϖ/dt]
        out.drift.tail<3>() = R * (w.cross(spin) + turning + out.turn * point.bending.tail<3>());
    }
}

}  // namespace

void move_frame(const Frame& frame, const BodyPose& body, bool drifting, FrameMotion& out, FrameScratch& work) {
    if (frame.kind == FrameKind::rigid) {
        move_rigid(body, out);
        return;
    }
    const bool turned = frame.kind == FrameKind::turned;
    const PointMotion point = move_point(frame, body, drifting, out, work);
    const Eigen::Map<const Vector3> v(body.velocity), w(body.velocity + 3), r(body.position);
    const Matrix3& R = body.rotation;
    const Vector3 rho = point.value.head<3>(), rho_rate = point.rate.head<3>();
    const Vector3 around = w.cross(rho);
    out.position = r + R * rho;
    out.velocity = R * (v + around + rho_rate);
    out.arm = rho;
    if (drifting) {  // R[ω × (v + ω × ρ) + 2 ω × ρ̇ + δ̇ᵀG δ̇]
        out.drift.head<3>() = R * (w.cross(v + around) + 2.0 * w.cross(rho_rate) + point.bending.head<3>());
        out.drift.tail<3>().setZero();
    }
    if (!turned) {
        out.rotation = R;
        out.angular_velocity = R * w;
        return;
    }
    turn_frame(frame, body, point, drifting, out);
}

void transmit(const FrameMotion& frame, const Matrix3& rotation, const Vector6& wrench, double* out) {
    // f = Rᵀ(force) and n = Rᵀ(moment) give f on v, n + ρ × f on ω and ρ_δᵀf + θ_δᵀTᵀn on δ
    const Vector3 f = rotation.transpose() * wrench.head<3>(), n = rotation.transpose() * wrench.tail<3>();
    Eigen::Map<Vector3>(out) += f;
    Eigen::Map<Vector3>(out + 3) += n + frame.arm.cross(f);
    if (frame.columns.rows() == 0) return;
    Vector6 local;
    local << f, frame.turn.transpose() * n;
    Eigen::Map<Vector>(out + 6, frame.columns.rows()).noalias() += frame.columns.lazyProduct(local);
}

}  // namespace flexframe
