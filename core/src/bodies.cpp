#include "flexframe/bodies.hpp"

namespace flexframe {

namespace {

using Given = Eigen::Map<const Vector>;

/// I = tr 𝒥 − 𝒥 of a second moment 𝒥.
Matrix3 inertia_of(const Matrix3& second_moment) {
    return second_moment.trace() * Matrix3::Identity() - second_moment;
}

/// η and Z(δ) from δ.
void place_fields(const BodyIntegrals& body, const double* deformation, BodyScratch& work) {
    const Index m = body.coordinates, k = body.fields - m;
    const Given delta(deformation, m);
    work.motion.col(0).head(m) = delta;
    if (k == 0) return;
    Eigen::Map<Vector>(work.slopes.data(), m * k).noalias() = body.products * delta;
    work.motion.col(0).segment(m, k).noalias() = 0.5 * (work.slopes.transpose() * delta);
    if (body.leans.rows() == 0) return;
    work.lean.noalias() = body.leans * delta;
    work.powers = work.lean.array().square().square();
    work.motion.col(0).segment(m, k).noalias() += body.shortening * work.powers;
    work.powers = 4.0 * work.lean.array().cube();
    work.slopes.noalias() += body.leans.transpose() * (body.shortening * work.powers.asDiagonal()).transpose();
}

/// η̇ = Z(δ) δ̇ and η̈ = Z(δ) δ̈ + δ̇ᵀZ δ̇ of the products; the others are δ̇ and δ̈.
void move_fields(const BodyIntegrals& body, const double* rates, const double* seconds, BodyScratch& work) {
    const Index m = body.coordinates, k = body.fields - m;
    const Given rate(rates, m), second(seconds, m);
    work.motion.col(1).head(m) = rate;
    work.motion.col(2).head(m) = second;
    if (k == 0) return;
    Eigen::Map<Vector>(work.turning.data(), m * k).noalias() = body.products * rate;
    const auto slopes = work.slopes.transpose();
    work.motion.col(1).segment(m, k).noalias() = slopes * rate;
    work.motion.col(2).segment(m, k).noalias() = slopes * second;
    work.motion.col(2).segment(m, k).noalias() += work.turning.transpose() * rate;
    if (body.leans.rows() == 0) return;
    work.powers.noalias() = body.leans * rate;
    work.powers = 12.0 * (work.lean.array() * work.powers.array()).square();
    work.motion.col(2).segment(m, k).noalias() += body.shortening * work.powers;
}

/// P = X + Y η, s = S + M_Oᵀη and 𝒥 = J + X_ab·η + P_ab·η of the deformed body.
Matrix3 deform(const BodyIntegrals& body, Vector3& s, BodyScratch& work) {
    const auto eta = work.motion.col(0).head(body.fields);
    Eigen::Map<Vector> arms(work.arms.data(), 9 * body.fields);
    arms = Eigen::Map<const Vector>(body.position_coupling.data(), 9 * body.fields);
    arms.noalias() += body.shape_products * eta;
    s = body.first_moment;
    s.noalias() += body.origin_coupling.transpose() * eta;
    Eigen::Matrix<double, 9, 1> first, second;
    first.noalias() = body.position_coupling.transpose() * eta;
    second.noalias() = work.arms.transpose() * eta;
    Matrix3 J = body.second_moment;
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) J(a, b) += first[3 * b + a] + second[3 * a + b];
    }
    return J;
}

}  // namespace

void BodyIntegrals::derive() {
    const Index n = fields;
    field_mass.setZero(n, n);
    coriolis.resize(3 * n, n);
    const auto Y = [&](int a, int b) { return shape_products.middleRows((3 * a + b) * n, n); };
    for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        field_mass += Y(a, a);
        coriolis.middleRows(a * n, n) = Y(c, b) - Y(b, c);
    }
}

double BodyIntegrals::strain_energy(const double* deformation) const {
    const Index m = coordinates;
    const Given delta(deformation, m);
    double energy = 0.0;
    for (Index t = 0; t < m; ++t) energy += 0.5 * delta[t] * stiffness.col(t).dot(delta);
    for (Index j = 0; j < quartic_signs.size(); ++j) {
        const double square = delta.dot(quartic_forms.middleRows(j * m, m).lazyProduct(delta));
        energy += 0.5 * quartic_signs[j] * square * square;
    }
    return energy;
}

void BodyIntegrals::stiffen(const double* deformation, double factor, Eigen::Ref<Matrix> K) const {
    const Index m = coordinates;
    const Given delta(deformation, m);
    Vector pushed(m);
    for (Index j = 0; j < quartic_signs.size(); ++j) {
        const auto R = quartic_forms.middleRows(j * m, m);
        const double scale = 2.0 * factor * quartic_signs[j];
        pushed.noalias() = R * delta;
        K += scale * delta.dot(pushed) * R;
        K.noalias() += 2.0 * scale * pushed * pushed.transpose();
    }
}

void BodyScratch::resize(Index coordinates, Index fields) {
    const Index m = coordinates, n = fields, k = n - m;
    motion.setZero(n, 3);
    slopes.setZero(m, k);
    turning.setZero(m, k);
    arms.setZero(n, 9);
    gyroscopic.setZero(n, 3);
    force.setZero(n);
    leaning.setZero(n, m);
}

void body_inertia(const BodyIntegrals& body, const double* deformation, const double* velocity,
                  const double* acceleration, const Vector3& gravity, double* out, BodyScratch& work) {
    const Vector3 v(velocity[0], velocity[1], velocity[2]), w(velocity[3], velocity[4], velocity[5]);
    const Vector3 e(acceleration[3], acceleration[4], acceleration[5]);
    const Vector3 a = Vector3(acceleration[0], acceleration[1], acceleration[2]) + w.cross(v) - gravity;
    Eigen::Map<Vector3> force(out), moment(out + 3);
    if (body.rigid()) {
        const Vector3& s = body.first_moment;
        const Matrix3 I = inertia_of(body.second_moment);
        force = body.mass * a + e.cross(s) + w.cross(w.cross(s));
        moment = s.cross(a) + I * e + w.cross(I * w);
        return;
    }
    const Index m = body.coordinates, n = body.fields, k = n - m;
    place_fields(body, deformation, work);
    move_fields(body, velocity + 6, acceleration + 6, work);
    Vector3 s;
    const Matrix3 I = inertia_of(deform(body, s, work));
    const auto rate = work.motion.col(1).head(n), second = work.motion.col(2).head(n);
    Eigen::Matrix<double, 3, 2> moved;  // M_O η̇, M_O η̈
    moved.noalias() = body.origin_coupling.transpose() * work.motion.rightCols(2);
    Eigen::Matrix<double, 9, 2> swept;  // P·η̇, P·η̈
    swept.noalias() = work.arms.transpose() * work.motion.rightCols(2);
    const Eigen::Map<const Matrix3> G(swept.col(0).data());  // column-major: G(k, m) = P_mk·η̇
    const Eigen::Map<const Matrix3> H(swept.col(1).data());
    force = body.mass * a + e.cross(s) + w.cross(w.cross(s)) + 2.0 * w.cross(Vector3(moved.col(0))) + moved.col(1);
    moment = s.cross(a) + I * e + w.cross(I * w) + 2.0 * (G.trace() * w - G.transpose() * w);
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        moment[i] += H(j, l) - H(l, j);  // (P_lj − P_jl)·η̈
    }
    // forces on the fields
    const Matrix3 A = skew(e) + w * w.transpose() - w.squaredNorm() * Matrix3::Identity();
    const Matrix3 A_rows = A.transpose();  // entry 3m + k of its data is A_mk
    const Eigen::Map<const Eigen::Matrix<double, 9, 1>> factors(A_rows.data());
    auto on_fields = work.force.head(n);
    on_fields.noalias() = body.field_mass * second;
    on_fields.noalias() += body.origin_coupling * a;
    on_fields.noalias() += work.arms * factors;
    Eigen::Map<Vector>(work.gyroscopic.data(), 3 * n).noalias() = body.coriolis * rate;
    on_fields.noalias() += work.gyroscopic * (2.0 * w);
    Eigen::Map<Vector> on_coordinates(out + 6, m);
    on_coordinates = on_fields.head(m);
    if (k > 0) on_coordinates.noalias() += work.slopes * on_fields.tail(k);
}

void body_mass(const BodyIntegrals& body, const double* deformation, Eigen::Ref<Matrix> M, BodyScratch& work) {
    const Index m = body.coordinates, n = body.fields, k = n - m;
    Vector3 s = body.first_moment;
    Matrix3 J = body.second_moment;
    if (m > 0) {
        place_fields(body, deformation, work);
        J = deform(body, s, work);
    }
    M.topLeftCorner<3, 3>() = body.mass * Matrix3::Identity();
    M.block<3, 3>(0, 3) = -skew(s);
    M.block<3, 3>(3, 0) = skew(s);
    M.block<3, 3>(3, 3) = inertia_of(J);
    if (m == 0) return;
    const Matrix& slopes = work.slopes;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        const auto turn = work.arms.col(3 * l + j) - work.arms.col(3 * j + l);
        auto along = M.col(i).segment(6, m), about = M.col(3 + i).segment(6, m);
        along = body.origin_coupling.col(i).head(m);
        about = turn.head(m);
        if (k > 0) {
            along.noalias() += slopes * body.origin_coupling.col(i).tail(k);
            work.force.head(k) = turn.tail(k);
            about.noalias() += slopes * work.force.head(k);
        }
        M.row(i).segment(6, m) = along.transpose();
        M.row(3 + i).segment(6, m) = about.transpose();
    }
    auto elastic = M.block(6, 6, m, m);
    Matrix& leaning = work.leaning;
    leaning = body.field_mass.leftCols(m);
    if (k > 0) leaning.noalias() += body.field_mass.rightCols(k) * slopes.transpose();
    elastic = leaning.topRows(m);
    if (k > 0) elastic.noalias() += slopes * leaning.bottomRows(k);
}

double resist(const BodyIntegrals& body, const double* deformation, const double* velocity, double* out,
              bool linear) {
    const Index m = body.coordinates;
    const Given delta(deformation, m), rate(velocity + 6, m);
    Eigen::Map<Vector> force(out + 6, m);
    if (linear) force.noalias() += body.stiffness * delta;
    double power = 0.0;
    for (Index r = 0; linear && r < m; ++r) {
        const double resisted = body.damping.row(r).dot(rate);
        force[r] += resisted;
        power += resisted * rate[r];
    }
    // forces Σ 2 s (δᵀRδ) R δ of the energy of fourth order
    for (Index j = 0; j < body.quartic_signs.size(); ++j) {
        if (body.quartic_signs[j] == 0.0) continue;
        const auto R = body.quartic_forms.middleRows(j * m, m);
        double square = 0.0;
        for (Index r = 0; r < m; ++r) square += delta[r] * R.row(r).dot(delta);
        for (Index r = 0; r < m; ++r) force[r] += 2.0 * body.quartic_signs[j] * square * R.row(r).dot(delta);
    }
    return power;
}

}  // namespace flexframe
