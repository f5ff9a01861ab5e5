// Inertia of a body against the sum over its mass points, and against Newton and Euler for a rigid one.
#include <Eigen/Eigenvalues>
#include <limits>
#include <string>

#include "check.hpp"
#include "clouds.hpp"
#include "flexframe/bodies.hpp"
#include "random.hpp"

using flexframe::BodyIntegrals;
using flexframe::BodyScratch;
using flexframe::Index;
using flexframe::Matrix;
using flexframe::Matrix3;
using flexframe::Vector;
using flexframe::Vector3;
using flexframe::tests::check;
using flexframe::tests::check_near;
using flexframe::tests::Cloud;
using flexframe::tests::finish;
using flexframe::tests::Random;

namespace {

/// Sums over twelve points of products of up to six factors, five hundred roundings of the largest term.
constexpr double rounding = 500.0 * std::numeric_limits<double>::epsilon();

Vector inertia(const BodyIntegrals& body, const Vector& delta, const Vector& u, const Vector& u_rate,
               const Vector3& gravity = Vector3::Zero()) {
    BodyScratch work;
    work.resize(body.coordinates, body.fields);
    Vector out = Vector::Zero(6 + body.coordinates);
    body_inertia(body, delta.data(), u.data(), u_rate.data(), gravity, out.data(), work);
    return out;
}

Matrix mass(const BodyIntegrals& body, const Vector& delta) {
    BodyScratch work;
    work.resize(body.coordinates, body.fields);
    Matrix out = Matrix::Zero(6 + body.coordinates, 6 + body.coordinates);
    body_mass(body, delta.data(), out, work);
    return out;
}

void check_vectors(const Vector& found, const Vector& expected, double size, const std::string& statement) {
    check_near((found - expected).cwiseAbs().maxCoeff(), 0.0, rounding * size, statement);
}

// M u̇ + h = Σ w (∂ṙ/∂u)ᵀ r̈ and M = Σ w (∂ṙ/∂u)ᵀ ∂ṙ/∂u.
void against_points(Index m, Index k, unsigned seed, const std::string& name) {
    Random random(seed);
    const Cloud cloud(random, 12, m, k);
    const BodyIntegrals body = cloud.integrals();
    const Vector delta = 0.3 * random.matrix(m, 1), u = random.matrix(6 + m, 1), u_rate = random.matrix(6 + m, 1);
    Vector expected = Vector::Zero(6 + m), sizes = Vector::Zero(6 + m);
    Matrix M = Matrix::Zero(6 + m, 6 + m);
    const Vector3 g(0.3, -9.81, 0.5);
    Vector weight = Vector::Zero(6 + m);
    for (Index p = 0; p < cloud.points(); ++p) {
        const Matrix partial = cloud.partial(p, delta);
        const Vector3 a = cloud.acceleration(p, delta, u, u_rate);
        expected += cloud.masses[p] * partial.transpose() * a;
        sizes += cloud.masses[p] * partial.cwiseAbs().transpose() * a.cwiseAbs();
        M += cloud.masses[p] * partial.transpose() * partial;
        weight += cloud.masses[p] * partial.transpose() * g;
    }
    const Matrix found = mass(body, delta);
    const double size = M.cwiseAbs().maxCoeff();
    check_near((found - M).cwiseAbs().maxCoeff(), 0.0, rounding * size, name + ": mass");
    check_near((found - found.transpose()).cwiseAbs().maxCoeff(), 0.0, rounding * size, name + ": symmetric");
    check(Eigen::SelfAdjointEigenSolver<Matrix>(found).eigenvalues()[0] > 0.0, name + ": positive");
    check_vectors(inertia(body, delta, u, u_rate), expected, sizes.maxCoeff(), name + ": inertia");
    const Vector still = Vector::Zero(6 + m);
    check_vectors(inertia(body, delta, still, u_rate), M * u_rate, size, name + ": M u̇ from rest");
    const double heavy = g.norm() * size;
    check_vectors(inertia(body, delta, still, still, g), -weight, heavy, name + ": gravity");
}

// About the mass centre c: m a_c = F and I_c ε + ω × I_c ω = M_O − c × F.
void rigid_against_newton_and_euler() {
    Random random(21);
    const Cloud cloud(random, 12, 0, 0);
    const BodyIntegrals body = cloud.integrals();
    const Vector3 c = body.first_moment / body.mass;
    Matrix3 I = Matrix3::Zero();
    for (Index p = 0; p < cloud.points(); ++p) {
        const Vector3 d = cloud.places[p] - c;
        I += cloud.masses[p] * (d.squaredNorm() * Matrix3::Identity() - d * d.transpose());
    }
    const Vector u = random.matrix(6, 1), u_rate = random.matrix(6, 1);
    const Vector3 v = u.head<3>(), w = u.tail<3>(), e = u_rate.tail<3>();
    const Vector3 at_centre = Vector3(u_rate.head<3>()) + w.cross(v) + e.cross(c) + w.cross(w.cross(c));
    Vector expected(6);
    expected.head<3>() = body.mass * at_centre;
    expected.tail<3>() = I * e + w.cross(I * w) + c.cross(Vector3(expected.head<3>()));
    const double size = 10.0 * body.mass;
    check_vectors(inertia(body, Vector(0), u, u_rate), expected, size, "Newton and Euler");
}

// Forces of K, D and ½ Σ s (δᵀRδ)²: their power is −dE/dt less what is dissipated.
void resistance() {
    Random random(22);
    const Index m = 3;
    BodyIntegrals body = Cloud(random, 12, m, 0).integrals();
    body.stiffness = random.definite(m);
    body.damping = random.definite(m);
    body.quartic_signs = Vector(2);
    body.quartic_signs << 1.0, -1.0;
    body.quartic_forms.resize(2 * m, m);
    for (Index j = 0; j < 2; ++j) body.quartic_forms.middleRows(j * m, m) = random.definite(m);
    const Vector delta = random.matrix(m, 1), u = random.matrix(6 + m, 1);
    const auto energy = [&](const Vector& at) {
        double out = 0.5 * at.dot(body.stiffness * at);
        for (Index j = 0; j < 2; ++j) {
            const double square = at.dot(body.quartic_forms.middleRows(j * m, m) * at);
            out += 0.5 * body.quartic_signs[j] * square * square;
        }
        return out;
    };
    check_near(body.strain_energy(delta.data()), energy(delta), 100.0 * rounding, "energy of the strain");
    Vector force = Vector::Zero(6 + m);
    const double dissipated = resist(body, delta.data(), u.data(), force.data());
    const Vector rate = u.tail(m);
    const Vector damped = body.damping * rate;
    check_near(dissipated, rate.dot(damped), rounding * 30.0, "power of the damping");
    check(force.head(6).isZero(0.0), "nothing on the frame");
    // differences of fourth order of a polynomial of fourth degree have no error but rounding, 1e-16 · 100/h
    const double h = 1e-2;
    for (Index r = 0; r < m; ++r) {
        const Vector step = Vector::Unit(m, r) * h;
        const double slope = (8.0 * (energy(delta + step) - energy(delta - step)) -
                              (energy(delta + 2.0 * step) - energy(delta - 2.0 * step))) /
                             (12.0 * h);
        check_near(force[6 + r] - damped[r], slope, 100.0 * rounding, "elastic forces are slopes of the energy");
    }
    Matrix tangent = body.stiffness;
    body.stiffen(delta.data(), 1.0, tangent);
    const auto forces = [&](const Vector& at) {
        Vector out = Vector::Zero(6 + m);
        resist(body, at.data(), u.data(), out.data());
        return Vector(out.tail(m));
    };
    for (Index r = 0; r < m; ++r) {
        const Vector step = Vector::Unit(m, r) * h;
        const Vector slope = (8.0 * (forces(delta + step) - forces(delta - step)) -
                              (forces(delta + 2.0 * step) - forces(delta - 2.0 * step))) /
                             (12.0 * h);
        check_vectors(tangent.col(r), slope, 1e3, "the tangent is the slope of the forces");
    }
}

}  // namespace

int main() {
    against_points(0, 0, 11, "rigid");
    against_points(4, 0, 12, "linear field");
    against_points(3, 4, 13, "quadratic field");
    against_points(1, 1, 14, "one coordinate");
    rigid_against_newton_and_euler();
    resistance();
    return finish();
}
