// Free flight: the energy against a sum over mass points, and steps against exact motions and invariants.
#include "flexframe/free_flight.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"

using namespace flexframe;
using flexframe::tests::check;
using flexframe::tests::check_near;
using flexframe::tests::finish;

namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double forever = 1e9;  // s

/// Mass points x_p with ρ_p on n fields F_p (3, n), counted from their mass centre; the fields after the first m
/// are moved by the products ½ zᵀZ_j z.
struct MassPoints {
    Index coordinates = 0;
    std::vector<double> masses;
    std::vector<Vector3d> places;
    std::vector<MatrixXd> fields;
    std::vector<MatrixXd> products;
    MatrixXd stiffness;

    Index count() const { return fields[0].cols(); }

    /// η and ∂η/∂z.
    VectorXd eta(const VectorXd& z) const {
        VectorXd out(count());
        out.head(coordinates) = z;
        for (std::size_t j = 0; j < products.size(); ++j) out[coordinates + Index(j)] = z.dot(products[j] * z) / 2;
        return out;
    }
    MatrixXd slopes(const VectorXd& z) const {
        MatrixXd out = MatrixXd::Identity(count(), coordinates);
        for (std::size_t j = 0; j < products.size(); ++j) {
            out.row(coordinates + Index(j)) = (products[j] * z).transpose();
        }
        return out;
    }
};

std::vector<double> row_by_row(const MatrixXd& matrix) {
    std::vector<double> out;
    for (Index i = 0; i < matrix.rows(); ++i) {
        for (Index j = 0; j < matrix.cols(); ++j) out.push_back(matrix(i, j));
    }
    return out;
}

void append(std::vector<double>& out, const MatrixXd& matrix) {
    const std::vector<double> numbers = row_by_row(matrix);
    out.insert(out.end(), numbers.begin(), numbers.end());
}

/// The tables of mass points, by their definitions.
CentralInertia tables_of(const MassPoints& points, std::vector<double> frequencies) {
    const Index m = points.coordinates, n = points.count(), k = n - m;
    Matrix3d J = Matrix3d::Zero();
    std::vector<VectorXd> X(9, VectorXd::Zero(n));
    std::vector<MatrixXd> Y(9, MatrixXd::Zero(n, n));
    for (std::size_t p = 0; p < points.masses.size(); ++p) {
        const Vector3d& x = points.places[p];
        const MatrixXd& F = points.fields[p];
        J += points.masses[p] * x * x.transpose();
        for (Index a = 0; a < 3; ++a) {
            for (Index b = 0; b < 3; ++b) {
                X[3 * a + b] += points.masses[p] * x[a] * F.row(b).transpose();
                Y[3 * a + b] += points.masses[p] * F.row(a).transpose() * F.row(b);
            }
        }
    }
    CentralInertia body;
    body.coordinates = m;
    body.fields = n;
    body.frequencies = std::move(frequencies);
    body.second_moment = row_by_row(J);
    for (const VectorXd& part : X) append(body.position_coupling, part.transpose());
    for (const MatrixXd& part : Y) append(body.shape_products, part.transpose());
    for (Index a = 0; a < 3; ++a) {
        const Index b = (a + 1) % 3, c = (a + 2) % 3;
        append(body.rate_products, (Y[3 * c + b] - Y[3 * b + c]).transpose());
    }
    append(body.rate_products, Y[0] + Y[4] + Y[8]);
    for (Index r = 0; r < m; ++r) {
        for (Index j = 0; j < k; ++j) append(body.products, points.products[j].row(r));
    }
    body.stiffness = row_by_row(points.stiffness);
    body.damping.assign(m * m, 0.0);
    return body;
}

/// Eight points anywhere, with two coordinates and two products.
MassPoints scattered_points() {
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    const auto random = [&](Index rows, Index columns) {
        MatrixXd out(rows, columns);
        for (Index i = 0; i < rows; ++i) {
            for (Index j = 0; j < columns; ++j) out(i, j) = number(generator);
        }
        return out;
    };
    MassPoints points;
    points.coordinates = 2;
    double mass = 0.0;
    Vector3d centre = Vector3d::Zero();
    MatrixXd mean = MatrixXd::Zero(3, 4);
    for (int p = 0; p < 8; ++p) {
        points.masses.push_back(1.5 + number(generator));
        points.places.push_back(random(3, 1));
        points.fields.push_back(random(3, 4));
        mass += points.masses[p];
        centre += points.masses[p] * points.places[p];
        mean += points.masses[p] * points.fields[p];
    }
    for (int p = 0; p < 8; ++p) {
        points.places[p] -= centre / mass;
        points.fields[p] -= mean / mass;
    }
    for (int j = 0; j < 2; ++j) {
        const MatrixXd Z = random(2, 2);
        points.products.push_back(Z + Z.transpose());
    }
    const MatrixXd root = random(2, 2);
    points.stiffness = root * root.transpose();
    return points;
}

/// Pairs of points at ±b_i e_i, two of which a coordinate each moves along their axis: b_i = a_i + z_i/√(2μ) with
/// the mass μ of a point. Moments of inertia 2μ(b_j² + b_k²), oscillators of unit mass, and nothing else that
/// couples.
struct StretchingCross {
    static constexpr double mass = 0.5;
    Vector3d arms{0.6, 0.8, 1.1};
    std::vector<double> frequencies{9.0, 14.0};

    MassPoints points() const {
        MassPoints out;
        out.coordinates = 2;
        for (int axis = 0; axis < 3; ++axis) {
            for (double side : {-1.0, 1.0}) {
                MatrixXd F = MatrixXd::Zero(3, 2);
                if (axis < 2) F(axis, axis) = side / std::sqrt(2.0 * mass);
                out.masses.push_back(mass);
                out.places.push_back(side * arms[axis] * Vector3d::Unit(axis));
                out.fields.push_back(F);
            }
        }
        out.stiffness = MatrixXd::Zero(2, 2);
        for (int r = 0; r < 2; ++r) out.stiffness(r, r) = frequencies[r] * frequencies[r];
        return out;
    }

    double energy(const std::vector<double>& y) const {
        Vector3d b = arms;
        double total = 0.0;
        for (int r = 0; r < 2; ++r) {
            b[r] += y[3 + r] / std::sqrt(2.0 * mass);
            total += 0.5 * (y[5 + r] * y[5 + r] + frequencies[r] * frequencies[r] * y[3 + r] * y[3 + r]);
        }
        for (int a = 0; a < 3; ++a) {
            const double other = b[(a + 1) % 3] * b[(a + 1) % 3] + b[(a + 2) % 3] * b[(a + 2) % 3];
            total += y[a] * y[a] / (4.0 * mass * other);
        }
        return total;
    }
};

/// Three stages and four points of the mean: nodes of Gauss in closed form, integrals by his rule with four
/// points.
Collocation gauss_collocation() {
    const double root = std::sqrt(0.6);
    const std::vector<double> nodes{(1 - root) / 2, 0.5, (1 + root) / 2}, weights{5.0 / 18, 8.0 / 18, 5.0 / 18};
    const double inner = std::sqrt(3.0 / 7 - 2.0 / 7 * std::sqrt(1.2));
    const double outer = std::sqrt(3.0 / 7 + 2.0 / 7 * std::sqrt(1.2));
    const std::vector<double> at{(1 - outer) / 2, (1 - inner) / 2, (1 + inner) / 2, (1 + outer) / 2};
    const double heavy = (18 + std::sqrt(30.0)) / 72, light = (18 - std::sqrt(30.0)) / 72;
    const std::vector<double> at_weights{light, heavy, heavy, light};
    const auto lagrange = [&](Index j, double t) {
        double value = 1.0;
        for (Index i = 0; i < 3; ++i) value *= i == j ? 1.0 : (t - nodes[i]) / (nodes[j] - nodes[i]);
        return value;
    };
    const auto integral = [&](Index j, double end) {
        double total = 0.0;
        for (Index q = 0; q < 4; ++q) total += end * at_weights[q] * lagrange(j, end * at[q]);
        return total;
    };
    Collocation method;
    method.stages = 3;
    method.points = 4;
    method.weights = weights;
    for (Index i = 0; i < 3; ++i) {
        for (Index j = 0; j < 3; ++j) {
            method.node_integrals.push_back(integral(j, nodes[i]));
            method.ahead.push_back(lagrange(j, 1.0 + nodes[i]));
        }
        for (Index q = 0; q < 4; ++q) method.means.push_back(at_weights[q] * lagrange(i, at[q]) / weights[i]);
    }
    for (Index q = 0; q < 4; ++q) {
        for (Index j = 0; j < 3; ++j) method.point_integrals.push_back(integral(j, at[q]));
    }
    return method;
}

/// A rigid body with principal moments of inertia; J = ½ tr I − I.
CentralInertia rigid_body(const Vector3d& moments) {
    CentralInertia body;
    body.second_moment.assign(9, 0.0);
    for (Index a = 0; a < 3; ++a) body.second_moment[4 * a] = moments.sum() / 2 - moments[a];
    return body;
}

/// H and ∂H/∂(L, p, z) at one state.
double energy_at(Hamiltonian& hamiltonian, const VectorXd& y, VectorXd& gradient) {
    std::vector<Points> at(y.size()), slope(y.size());
    for (Index c = 0; c < y.size(); ++c) at[c].setConstant(y[c]);
    const double energy = hamiltonian.evaluate(at.data(), slope.data())[0];
    for (Index c = 0; c < y.size(); ++c) gradient[c] = slope[c][0];
    return energy;
}

/// Momenta L = Σρ ξ × v and p = Σρ (∂u/∂z)ᵀ v of velocities v = ω × ξ + u̇, and T = ½ Σρ v²; the tables must give
/// back T + ½ zᵀkz, ω and ż. The slope by z is compared with differences.
void energy_is_that_of_mass_points() {
    const MassPoints points = scattered_points();
    Hamiltonian hamiltonian(tables_of(points, {1.0, 1.0}));
    const Vector3d omega(0.4, -0.9, 0.7);
    VectorXd z(2), rates(2), y(7), slope(7), other(7);
    z << 0.11, -0.07;
    rates << -0.3, 0.5;
    const VectorXd eta = points.eta(z);
    const MatrixXd slopes = points.slopes(z);
    Vector3d L = Vector3d::Zero();
    VectorXd p = VectorXd::Zero(2);
    double energy = z.dot(points.stiffness * z) / 2;
    for (std::size_t i = 0; i < points.masses.size(); ++i) {
        const Vector3d place = points.places[i] + points.fields[i] * eta;
        const Vector3d v = omega.cross(place) + points.fields[i] * (slopes * rates);
        L += points.masses[i] * place.cross(v);
        p += points.masses[i] * (points.fields[i] * slopes).transpose() * v;
        energy += points.masses[i] * v.squaredNorm() / 2;
    }
    y << L, z, p;
    // rounding of sums over eight points, magnified by the mass matrix, whose condition is below 1000
    const double tolerance = 1e4 * epsilon;
    check_near(energy_at(hamiltonian, y, slope), energy, tolerance * energy, "H of mass points");
    for (Index a = 0; a < 3; ++a) check_near(slope[a], omega[a], tolerance, "∂H/∂L is ω");
    for (Index r = 0; r < 2; ++r) check_near(slope[3 + r], rates[r], tolerance, "∂H/∂p is ż");
    const std::vector<Index> order{0, 1, 2, 5, 6, 3, 4};  // ∂H/∂(L, p, z)
    const double size = 1e-3;  // fourth-order differences: 1e-12, and rounding over 1e-3
    for (Index place = 0; place < 7; ++place) {
        const auto H = [&](int k) {
            VectorXd moved = y;
            moved[order[place]] += k * size;
            return energy_at(hamiltonian, moved, other);
        };
        const double difference = (8 * (H(1) - H(-1)) - (H(2) - H(-2))) / (12 * size);
        check_near(slope[place], difference, 1e-9, "gradient against differences, place " + std::to_string(place));
    }
}

/// Points that are evaluated together do not know of each other.
void points_are_independent() {
    Hamiltonian hamiltonian(tables_of(scattered_points(), {1.0, 1.0}));
    std::vector<Points> at(7), slope(7);
    for (Index c = 0; c < 7; ++c) at[c] = 0.1 * (c + 1) + 0.01 * Points(0.0, 1.0, 2.0, 3.0);
    const Points together = hamiltonian.evaluate(at.data(), slope.data());
    for (Index lane = 0; lane < points_at_once; ++lane) {
        VectorXd y(7), alone(7);
        for (Index c = 0; c < 7; ++c) y[c] = at[c][lane];
        check(energy_at(hamiltonian, y, alone) == together[lane], "the energy of a point has the same bits alone");
        for (Index c = 0; c < 7; ++c) check(alone[c] == slope[c][lane], "and so has its gradient");
    }
}

/// A negative mass: no energy.
void indefinite_mass_is_reported() {
    CentralInertia body = rigid_body({1.0, 1.0, 1.0});
    body.second_moment.assign(9, 0.0);
    FreeFlight flight(Hamiltonian(body), gauss_collocation());
    flight.state.y = {1.0, 0.0, 0.0};
    check(!std::isfinite(flight.keep_invariants()), "a body without inertia has no finite energy");
    const FlightReport report = flight.advance(0.01, 5, forever);
    check(report.outcome == FlightOutcome::indefinite && report.steps == 0, "and takes no step");
}

/// |L| and H of a rigid body are quadratic and kept by every step: rounding is all that is left, however many
/// steps.
void rigid_body_keeps_momentum_and_energy() {
    const Vector3d moments(1.0, 2.0, 2.6), L(0.7, 0.02, 3.38);
    FreeFlight flight(Hamiltonian(rigid_body(moments)), gauss_collocation());
    flight.state.y = {L[0], L[1], L[2]};
    flight.state.quaternion = {0.5, -0.5, 0.5, 0.5};
    const double energy = flight.keep_invariants();
    check_near(energy, (L.array().square() / moments.array()).sum() / 2, 10 * epsilon * energy, "energy at first");
    const FlightReport report = flight.advance(0.05, 20000, forever);
    check(report.outcome == FlightOutcome::done && report.steps == 20000, "all steps are taken");
    const Vector3d now(flight.state.y.data());
    const Vector4d q(flight.state.quaternion.data());
    const Vector3d in_space = attitude::to_space(q, now), before = attitude::to_space({0.5, -0.5, 0.5, 0.5}, L);
    check((now - L).norm() > 0.1, "it tumbles");
    check_near(now.norm(), L.norm(), 10 * epsilon * L.norm(), "length of the angular momentum");
    check_near((now.array().square() / moments.array()).sum() / 2, energy, 20 * epsilon * energy, "energy");
    check_near((in_space - before).norm(), 0.0, 20 * epsilon * L.norm(), "angular momentum in space");
    check_near(q.norm(), 1.0, 4 * epsilon, "length of the quaternion");
}

Vector4d rotation_about(const Vector3d& axis, double angle) {
    const Vector3d e = std::sin(angle / 2) * axis.normalized();
    return {std::cos(angle / 2), e[0], e[1], e[2]};
}

/// With A = B the top precesses about L: R(t) = exp(t L̃/A) R₀ exp(t (1 − C/A) ω₃ ẽ₃). Order 6 at 0.03 rad a step
/// leaves 1e-12 after 40 rad.
void symmetric_top_precesses() {
    const double A = 1.3, C = 0.7, spin = 2.0;
    const Vector3d omega(0.8, 0.0, spin), L(A * omega[0], 0.0, C * spin);
    FreeFlight flight(Hamiltonian(rigid_body({A, A, C})), gauss_collocation());
    const Vector4d start(0.6, 0.0, 0.8, 0.0);
    flight.state.y = {L[0], L[1], L[2]};
    flight.state.quaternion = {start[0], start[1], start[2], start[3]};
    flight.keep_invariants();
    const double time = 20.0;
    flight.advance(time / 2000, 2000, forever);
    const Vector3d in_space = attitude::to_space(start, L);
    const Vector4d outer = rotation_about(in_space, time * L.norm() / A);
    const Vector4d inner = rotation_about({0.0, 0.0, 1.0}, time * (1 - C / A) * spin);
    const Vector4d expected = attitude::product(attitude::product(outer, start), inner);
    const Vector4d q(flight.state.quaternion.data());
    check_near(std::abs(q.dot(expected)), 1.0, 1e-12, "attitude of a symmetric top");
    const double side = std::copysign(1.0, q.dot(expected));
    check_near((q - side * expected).norm(), 0.0, 1e-10, "attitude, to first order");
    const double turned = -(1 - C / A) * spin * time;  // ω₁ + iω₂ in body axes
    check_near(flight.state.y[0], L[0] * std::cos(turned), 1e-10, "first momentum of a symmetric top");
    check_near(flight.state.y[1], L[0] * std::sin(turned), 1e-10, "second momentum of a symmetric top");
}

FreeFlight stretching_flight() {
    const StretchingCross cross;
    FreeFlight flight(Hamiltonian(tables_of(cross.points(), cross.frequencies)), gauss_collocation());
    flight.state.y = {2.0, 1.5, 3.0, 0.05, -0.04, 0.2, 0.1};
    flight.keep_invariants();
    return flight;
}

/// H is not quadratic here: the correction along ∂H leaves the rounding of single evaluations, without growth.
void elastic_body_keeps_momentum_and_energy() {
    const StretchingCross cross;
    FreeFlight flight = stretching_flight();
    const double energy = cross.energy(flight.state.y), length = Vector3d(flight.state.y.data()).norm();
    check_near(flight.state.reference[3], energy, 20 * epsilon * energy, "energy in closed form");
    double worst_energy = 0.0, worst_length = 0.0, most = 0.0, mean = 0.0;
    constexpr int segments = 200;
    for (int segment = 0; segment < segments; ++segment) {
        const FlightReport report = flight.advance(0.01, 500, forever);
        check(report.outcome == FlightOutcome::done, "steps of an elastic body converge");
        const double change = cross.energy(flight.state.y) / energy - 1.0;
        worst_energy = std::max(worst_energy, std::abs(change));
        mean += change / segments;
        worst_length = std::max(worst_length, std::abs(Vector3d(flight.state.y.data()).norm() / length - 1.0));
        most = std::max(most, std::abs(flight.state.y[3]));
    }
    check(most > 0.05, "it vibrates");
    // a hundred roundings of one evaluation; a hundred thousand steps would leave 2e-11 if they added up
    check_near(worst_energy, 0.0, 100 * epsilon, "energy of an elastic body");
    check_near(mean, 0.0, 20 * epsilon, "energy of an elastic body on the average");
    check_near(worst_length, 0.0, 100 * epsilon, "angular momentum of an elastic body");
    check_near(flight.state.watch[1], 0.0, 100 * epsilon, "angular momentum in space at all steps");
}

/// What a sum y + Δ loses is below half a unit in the last place of y, and kept; a compiler that is free to change
/// the order of sums makes it zero.
void rounding_of_sums_is_kept() {
    FreeFlight flight = stretching_flight();
    flight.advance(0.01, 100, forever);
    double largest = 0.0;
    for (Index c = 0; c < 7; ++c) {
        const double unit = epsilon * std::abs(flight.state.y[c]);
        check(std::abs(flight.state.lost[c]) <= unit / 2, "what rounding took is less than half a unit");
        largest = std::max(largest, std::abs(flight.state.lost[c]) / unit);
    }
    check(largest > 0.01, "and it is kept");
}

/// Steps one by one, each out of time at once, have the bits of steps in a row; the trace tells them.
void division_of_steps_changes_nothing() {
    FreeFlight whole = stretching_flight(), parts = stretching_flight();
    constexpr Index steps = 300;
    std::vector<double> memory(steps * whole.trace_width());
    const View<double, 2> trace{memory.data(), {steps, whole.trace_width()}};
    const FlightReport report = whole.advance(0.01, steps, forever, trace);
    Index taken = 0, iterations = 0;
    while (taken < steps) {
        const FlightReport part = parts.advance(0.01, steps - taken, 0.0);
        check(part.outcome == (taken + 1 < steps ? FlightOutcome::paused : FlightOutcome::done), "out of time");
        check(part.steps == 1, "one step at least, and no more");
        bool same = true;
        for (Index c = 0; c < 7; ++c) same = same && trace(taken, c) == parts.state.y[c];
        for (Index c = 0; c < 4; ++c) same = same && trace(taken, 7 + c) == parts.state.quaternion[c];
        check(same, "the trace has the bits of step " + std::to_string(taken));
        taken += part.steps;
        iterations += part.iterations;
    }
    check(whole.state.y == parts.state.y && whole.state.lost == parts.state.lost, "the same momenta");
    check(whole.state.quaternion == parts.state.quaternion, "the same attitude");
    check(whole.state.watch == parts.state.watch && report.iterations == iterations, "the same departures");
}

void wrong_lengths_are_rejected() {
    CentralInertia body = rigid_body({1.0, 1.0, 1.0});
    body.second_moment.pop_back();
    bool rejected = false;
    try {
        const Hamiltonian hamiltonian(body);
    } catch (const std::invalid_argument& error) {
        rejected = std::string(error.what()) == "second_moment has 8 numbers instead of 9";
    }
    check(rejected, "a table of the wrong length is rejected with its name");
}

}  // namespace

int main() {
    energy_is_that_of_mass_points();
    points_are_independent();
    indefinite_mass_is_reported();
    rigid_body_keeps_momentum_and_energy();
    symmetric_top_precesses();
    elastic_body_keeps_momentum_and_energy();
    rounding_of_sums_is_kept();
    division_of_steps_changes_nothing();
    wrong_lengths_are_rejected();
    return finish();
}
