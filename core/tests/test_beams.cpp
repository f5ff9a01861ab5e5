// Exact beams against differences of their energy and of the motion of mass points that they carry.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "check.hpp"
#include "flexframe/beams.hpp"
#include "random.hpp"

using flexframe::AdjointSeries;
using flexframe::BeamElement;
using flexframe::BeamState;
using flexframe::Matrix12;
using flexframe::Matrix3;
using flexframe::Matrix6;
using flexframe::Pose;
using flexframe::Vector12;
using flexframe::Vector3;
using flexframe::Vector6;
using flexframe::tests::check_near;
using flexframe::tests::finish;
using flexframe::tests::Random;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Differences of fourth order with the step s err by s⁴ and by rounding over s or s².
constexpr double step = 2e-3, by_differences = 1e-8;

Pose random_pose(Random& random, double turn) {
    Vector6 d;
    d << random.vector3(), turn * random.vector3();
    return flexframe::exponential(d);
}

/// Where a frame is that was at `start` and moves by the twist u, changing by x: start ∘ exp(t u + ½ t² x).
Pose moved(const Pose& start, const Vector6& u, const Vector6& x, double t) {
    return compose(start, flexframe::exponential(t * u + 0.5 * t * t * x));
}

struct Point {
    double mass;
    Vector3 place;
};

struct Example {
    BeamElement beam;
    Pose ends[2];
    Vector6 u[2], x[2];
    std::vector<Point> points;  // of every section

    explicit Example(unsigned seed, double turn) {
        Random random(seed);
        beam.length = 1.3;
        beam.flexibility = random.definite(6);
        beam.bending = random.definite(3);
        beam.damping = random.definite(6);
        beam.reference << 1.3, 0.1, -0.2, 0.3 * random.vector3();
        for (int i = 0; i < 4; ++i) points.push_back({1.0 + 0.5 * random.number(), random.vector3()});
        for (const Point& point : points) {
            const Matrix3 arm = flexframe::skew(point.place);
            beam.mass.topLeftCorner<3, 3>() += point.mass * Matrix3::Identity();
            beam.mass.topRightCorner<3, 3>() -= point.mass * arm;
            beam.mass.bottomLeftCorner<3, 3>() += point.mass * arm;
            beam.mass.bottomRightCorner<3, 3>() -= point.mass * arm * arm;
        }
        for (int side = 0; side < 2; ++side) beam.ends[side].place(random_pose(random, 1.0));
        beam.settle(false);
        ends[0] = random_pose(random, 1.0);
        Vector6 d;
        d << 1.2, 0.2, 0.1, turn * random.vector3().normalized();
        // the end of the second body so that the element has the logarithm d
        Pose back;
        const Pose& own = beam.ends[1].frame;
        back.quaternion << own.quaternion[0], -own.quaternion.tail<3>();
        back.position = -flexframe::rotate(back.quaternion.data(), own.position);
        ends[1] = compose(compose(compose(ends[0], beam.ends[0].frame), flexframe::exponential(d)), back);
        for (int side = 0; side < 2; ++side) {
            u[side] = random.matrix(6, 1);
            x[side] = random.matrix(6, 1);
        }
    }

    BeamState at(double t) const {
        BeamState out;
        move_beam(beam, moved(ends[0], u[0], x[0], t), moved(ends[1], u[1], x[1], t), u[0].data(), u[1].data(),
                  out);
        return out;
    }

    /// The state with positions changed by q of both bodies, at time t, velocities as at the beginning.
    BeamState displaced(const Vector12& q, double t = 0.0) const {
        BeamState out;
        const Vector6 none = Vector6::Zero();
        move_beam(beam, moved(moved(ends[0], u[0], x[0], t), q.head<6>(), none, 1.0),
                  moved(moved(ends[1], u[1], x[1], t), q.tail<6>(), none, 1.0), u[0].data(), u[1].data(), out);
        return out;
    }

    /// Where a mass point of the section at ξ is.
    static Vector3 place(const BeamState& state, double xi, const Point& point) {
        const Pose here = compose(state.first, flexframe::exponential(xi * state.d));
        return here.position + flexframe::rotate(here.quaternion.data(), point.place);
    }
};

template <class F>
auto slope(F f) {
    return ((8.0 * (f(step) - f(-step)) - (f(2 * step) - f(-2 * step))) / (12.0 * step)).eval();
}

template <class F>
auto second(F f) {
    return ((16.0 * (f(step) + f(-step)) - (f(2 * step) + f(-2 * step)) - 30.0 * f(0.0)) / (12.0 * step * step))
        .eval();
}

void series(double turn, unsigned seed) {
    Random random(seed);
    Vector6 d;
    d << random.vector3(), turn * random.vector3().normalized();
    const Matrix6 ad = flexframe::bracket_matrix(d);
    const double x = d.tail<3>().squaredNorm();
    const auto sum = [&](const AdjointSeries& s) {
        Matrix6 out = Matrix6::Identity(), power = ad;
        for (double factor : s.factor) {
            out += factor * power;
            power = (ad * power).eval();
        }
        return out;
    };
    Matrix6 exponential = Matrix6::Identity(), tangent = Matrix6::Identity(), term = Matrix6::Identity();
    for (int n = 1; n < 60; ++n) {
        term = (term * (-ad) / n).eval();
        exponential += term;
        tangent += term / (n + 1);
    }
    // terms of the plain series reach e^|ad|, about 60 roundings of that
    const double bound = 60.0 * epsilon * std::exp(ad.norm());
    const std::string name = " at a turn of " + std::to_string(turn);
    check_near((sum(flexframe::exponential_series(x)) - exponential).norm(), 0.0, bound, "exp(-ad)" + name);
    check_near((sum(flexframe::tangent_series(x)) - tangent).norm(), 0.0, bound, "T" + name);
    const Matrix6 product = sum(flexframe::inverse_tangent_series(x)) * tangent;
    check_near((product - Matrix6::Identity()).norm(), 0.0, 10.0 * bound, "T and its inverse" + name);
    const Pose there = flexframe::exponential(d);
    if (turn < 2.0) {
        const Vector6 found = flexframe::logarithm(Pose(), there);
        check_near((found - d).norm(), 0.0, 100.0 * epsilon * d.norm(), "log" + name);
    }
    for (int n = 0; n < 4; ++n) {  // slopes of the coefficients
        const auto of = [&](auto f) {
            const auto at = [&](double change) { return Eigen::Matrix<double, 1, 1>(f(x + change).factor[n]); };
            return slope(at)[0] - f(x).slope[n];
        };
        check_near(of(flexframe::exponential_series), 0.0, by_differences, "slope of exp(-ad)" + name);
        check_near(of(flexframe::tangent_series), 0.0, by_differences, "slope of T" + name);
        check_near(of(flexframe::inverse_tangent_series), 0.0, by_differences, "slope of the inverse of T" + name);
    }
}

void forces(unsigned seed, double turn) {
    const Example example(seed, turn);
    const BeamElement& beam = example.beam;
    const std::string name = " at a turn of " + std::to_string(turn);
    const BeamState here = example.at(0.0);
    const Vector6 rate = slope([&](double t) { return example.at(t).d; });
    check_near((rate - here.rate).norm(), 0.0, by_differences, "rate of d" + name);

    BeamElement lossless = beam;
    lossless.damping.setZero();
    Example still = example;
    still.beam = lossless;
    const BeamState elastic = still.at(0.0);
    const Vector12 force = beam_resistance(lossless, elastic);
    const Matrix12 K = beam_stiffness(lossless, elastic);
    for (int i = 0; i < 12; ++i) {
        const Vector12 q = Vector12::Unit(i);
        const auto energy = [&](double t) {
            return Eigen::Matrix<double, 1, 1>(measure_beam(lossless, still.displaced(t * q)).strain);
        };
        check_near(slope(energy)[0], force[i], 1e2 * by_differences, "force by energy" + name);
        const auto resisted = [&](double t) { return beam_resistance(lossless, still.displaced(t * q)); };
        check_near((slope(resisted) - K.col(i)).norm(), 0.0, 1e3 * by_differences, "stiffness" + name);
    }
    // damping takes ḋᵀC ḋ/L, and its matrix is that of the rates
    Vector12 u;
    u << example.u[0], example.u[1];
    const double power = here.rate.dot(beam.damping * here.rate) / beam.length;
    check_near(u.dot(beam_damping(beam, here) * u), power, 1e3 * epsilon * power, "power of damping" + name);
    check_near(u.dot(beam_resistance(beam, here)), here.force.dot(here.rate), 1e3 * epsilon * power,
               "power of all forces" + name);
}

void inertia(unsigned seed, double turn) {
    const Example example(seed, turn);
    const BeamElement& beam = example.beam;
    const std::string name = " at a turn of " + std::to_string(turn);
    const BeamState here = example.at(0.0);
    const Vector3 g(0.3, -9.81, 0.7);
    const Vector12 found = beam_inertia(beam, here, example.x[0].data(), example.x[1].data(), g);
    const Matrix12 M = beam_mass(beam, here);
    Vector12 expected = Vector12::Zero();
    Matrix12 expected_mass = Matrix12::Zero();
    flexframe::BeamMeasures sums;
    for (double xi : {0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)}) {
        for (const Point& point : example.points) {
            const double weight = 0.5 * beam.length * point.mass;
            const auto along = [&](double t) { return Example::place(example.at(t), xi, point); };
            const Vector3 r = along(0.0), v = slope(along), a = second(along);
            Eigen::Matrix<double, 3, 12> J;
            for (int i = 0; i < 12; ++i) {
                J.col(i) = slope([&](double t) {
                    return Example::place(example.displaced(t * Vector12::Unit(i)), xi, point);
                });
            }
            expected += weight * J.transpose() * (a - g);
            expected_mass += weight * J.transpose() * J;
            sums.kinetic += 0.5 * weight * v.squaredNorm();
            sums.linear += weight * v;
            sums.angular += weight * r.cross(v);
            sums.mass += weight;
            sums.first_moment += weight * r;
        }
    }
    const double size = 1e3 * by_differences;  // forces are of the order of a hundred
    check_near((found - expected).norm(), 0.0, 1e1 * size, "inertia by points" + name);
    check_near((M - expected_mass).norm(), 0.0, size, "mass matrix by points" + name);
    const flexframe::BeamMeasures measures = measure_beam(beam, here);
    check_near(measures.kinetic, sums.kinetic, size, "kinetic energy" + name);
    check_near((measures.linear - sums.linear).norm(), 0.0, size, "linear momentum" + name);
    check_near((measures.angular - sums.angular).norm(), 0.0, size, "angular momentum" + name);
    check_near(measures.mass, sums.mass, 1e2 * epsilon * sums.mass, "mass" + name);
    check_near((measures.first_moment - sums.first_moment).norm(), 0.0, 1e3 * epsilon * sums.mass,
               "first moment" + name);
}

// Strains do not change where everything is moved and turned together.
void objectivity() {
    const Example example(7, 1.1);
    Random random(8);
    const Pose shift = random_pose(random, 2.0);
    BeamState here = example.at(0.0), there;
    move_beam(example.beam, compose(shift, example.ends[0]), compose(shift, example.ends[1]), example.u[0].data(),
              example.u[1].data(), there);
    check_near((here.d - there.d).norm(), 0.0, 1e2 * epsilon, "strain after a rigid motion");
    check_near((here.rate - there.rate).norm(), 0.0, 1e3 * epsilon, "rate of strain after a rigid motion");
}

// In the plane the written out equations give what those in space give.
void planar(unsigned seed, double turn) {
    Random random(seed);
    BeamElement beam;
    beam.length = 0.7;
    beam.reference << 0.68, 0.05, 0.0, 0.0, 0.0, 0.4;
    const auto split = [&](double scale) {  // what is along the plane and across it does not meet
        Matrix6 out = scale * random.definite(6);
        for (int i : {0, 1, 5}) {
            for (int j : {2, 3, 4}) out(i, j) = out(j, i) = 0.0;
        }
        return out;
    };
    beam.flexibility = split(0.3);
    beam.damping = split(1.0);
    beam.bending = random.definite(3);
    beam.bending.topRightCorner<2, 1>().setZero();
    beam.bending.bottomLeftCorner<1, 2>().setZero();
    const Vector3 centre(0.1, -0.2, 0.3);
    beam.mass.topLeftCorner<3, 3>() = 2.0 * Matrix3::Identity();
    beam.mass.bottomLeftCorner<3, 3>() = 2.0 * flexframe::skew(centre);
    beam.mass.topRightCorner<3, 3>() = -2.0 * flexframe::skew(centre);
    beam.mass.bottomRightCorner<3, 3>() = Vector3(0.5, 0.4, 0.9).asDiagonal();
    const auto pose = [&](double x, double y, double angle) {
        Pose out;
        out.position << x, y, 0.0;
        out.quaternion << std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle);
        return out;
    };
    beam.ends[0].place(pose(0.1, 0.05, 0.3));
    beam.ends[1].place(pose(-0.07, 0.02, -0.2));
    const Pose a = pose(0.4, -0.3, 2.0), b = pose(0.2, 0.5, 2.5 + turn);
    const auto vector = [&] {
        Vector6 out = Vector6::Zero();
        for (int i : {0, 1, 5}) out[i] = random.number();
        return out;
    };
    const Vector6 u_a = vector(), u_b = vector(), x_a = vector(), x_b = vector();
    const Vector3 g(1.0, -9.81, 0.0);
    beam.settle(false);
    BeamElement flat = beam;
    flat.settle(true);
    const std::string name = " in the plane at a turn of " + std::to_string(turn);
    check_near(flat.planar ? 1.0 : 0.0, 1.0, 0.0, "a planar beam is known");
    BeamState space, plane;
    move_beam(beam, a, b, u_a.data(), u_b.data(), space);
    move_beam(flat, a, b, u_a.data(), u_b.data(), plane);
    Vector12 used = Vector12::Zero();
    for (int i : {0, 1, 5, 6, 7, 11}) used[i] = 1.0;
    const auto same = [&](const auto& first, const auto& second, const std::string& what) {
        const double size = first.norm();
        check_near((first - second).norm(), 0.0, 1e3 * epsilon * size, what + name);
    };
    const auto block = [&](const Matrix12& matrix) {
        return Matrix12(used.asDiagonal() * matrix * used.asDiagonal());
    };
    same(space.d, plane.d, "screw");
    same(space.rate, plane.rate, "rate of the screw");
    same(beam_resistance(beam, space), beam_resistance(flat, plane), "resistance");
    const Vector12 inertia = beam_inertia(beam, space, x_a.data(), x_b.data(), g);
    same(Vector12(used.cwiseProduct(inertia)), beam_inertia(flat, plane, x_a.data(), x_b.data(), g), "inertia");
    same(block(beam_mass(beam, space)), beam_mass(flat, plane), "mass");
    same(block(beam_stiffness(beam, space)), beam_stiffness(flat, plane), "stiffness");
    same(block(beam_damping(beam, space)), block(beam_damping(flat, plane)), "damping");
    const double energy = measure_beam(beam, space).strain;
    check_near(measure_beam(flat, plane).strain, energy, 1e3 * epsilon * energy, "strain energy" + name);
}

}  // namespace

int main() {
    unsigned seed = 1;
    for (double turn : {0.0, 1e-6, 0.05, 0.5, 1.5, 2.8}) {
        series(turn, ++seed);
        forces(++seed, turn > 1.9 ? 1.9 : turn);
        inertia(++seed, turn > 1.9 ? 1.9 : turn);
    }
    objectivity();
    for (double turn : {-0.6, -0.1, 0.0, 1e-6, 0.05, 0.3, 0.8, 1.7}) planar(++seed, turn);
    return finish();
}
