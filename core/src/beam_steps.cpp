#include "flexframe/beam_steps.hpp"

#include <cmath>

namespace flexframe {

namespace {

/// (1 − cos φ)/φ², (φ − sin φ)/φ³ and sin φ/φ by φ², as `turn_ratios` has them.
struct TurnSpans {
    Span a, b, c;

    TurnSpans(double x0, double x1) : a{0.0, 0.0}, b{0.0, 0.0}, c{0.0, 0.0} {
        double term = 1.0, power0 = 1.0, power1 = 1.0, steep = 0.0;  // (−1)^k/(2k)!, x^k, Σ x₁^j x₀^(k−1−j)
        const auto add = [&](Span& out, double factor) {
            out.mean += 0.5 * factor * (power0 + power1);
            out.slope += factor * steep;
        };
        for (int k = 0; k < 13; ++k) {
            const double one = term / ((2 * k + 1) * (2 * k + 2)), two = one / (2 * k + 3);
            add(c, term / (2 * k + 1));
            add(a, one);
            add(b, two);
            steep = x1 * steep + power0;
            power0 *= x0;
            power1 *= x1;
            term = -one;
        }
    }
};

/// v, ad v, …, ad⁴v at both ends.
struct Ladder {
    Vector6 rungs[2][5];

    Ladder(const Vector6& d0, const Vector6& v0, const Vector6& d1, const Vector6& v1) {
        rungs[0][0] = v0;
        rungs[1][0] = v1;
        for (int n = 1; n < 5; ++n) {
            rungs[0][n] = bracket(d0, rungs[0][n - 1]);
            rungs[1][n] = bracket(d1, rungs[1][n - 1]);
        }
    }

    Vector6 mean(int n) const { return 0.5 * (rungs[0][n] + rungs[1][n]); }

    /// Σ c_n ξⁿ adⁿ v, n from 0, at one end.
    Vector6 sum(const double (&factors)[4], double xi, int end) const {
        Vector6 out = rungs[end][0];
        double scale = xi;
        for (int n = 0; n < 4; ++n, scale *= xi) out += (factors[n] * scale) * rungs[end][n + 1];
        return out;
    }

    /// Weights of the differences of rungs as those of the differences of v, left in the first, and of d.
    void descend(const Vector6& d, Vector6 (&on)[5], Vector6& on_d) const {
        for (int n = 4; n > 0; --n) {
            on_d -= cobracket(mean(n - 1), on[n]);
            on[n - 1] += cobracket(d, on[n]);
        }
    }
};

/// How twists of sections change with d for given twists of the ends.
class TwistSteps {
public:
    TwistSteps(const BeamState& start, const BeamState& end, const Vector12& twists)
        : d_(0.5 * (start.d + end.d)),
          together_(twists.head<6>() + twists.tail<6>()),
          inverse_(inverse_tangent_span(start.d.tail<3>().squaredNorm(), end.d.tail<3>().squaredNorm())),
          differing_(start.d, twists.tail<6>() - twists.head<6>(), end.d, twists.tail<6>() - twists.head<6>()),
          moving_(start.d, twists.head<6>(), end.d, twists.head<6>()),
          changing_(start.d, rate(start, twists), end.d, rate(end, twists)) {
        for (int n = 0; n < 5; ++n) {
            on_moving_[n].setZero();
            on_changing_[n].setZero();
        }
    }

    /// Mean of η at a point over both ends.
    Vector6 mean(double xi, const AdjointSpan& carry, const AdjointSpan& turn) const {
        return 0.5 * (moving_.sum(carry.start, xi, 0) + moving_.sum(carry.end, xi, 1) +
                      xi * (changing_.sum(turn.start, xi, 0) + changing_.sum(turn.end, xi, 1)));
    }

    /// Count y · (η₁ − η₀) at a point.
    void weigh(double xi, const AdjointSpan& carry, const AdjointSpan& turn, const Vector6& y) {
        on_moving_[0] += y;
        on_changing_[0] += xi * y;
        double scale = xi;
        for (int n = 0; n < 4; ++n, scale *= xi) {
            on_moving_[n + 1] += (carry.mean(n) * scale) * y;
            on_changing_[n + 1] += (xi * turn.mean(n) * scale) * y;
            on_square_ += (xi * xi * scale) * (carry.slope[n] * moving_.mean(n + 1).dot(y) +
                                               xi * turn.slope[n] * changing_.mean(n + 1).dot(y));
        }
    }

    /// All that was counted as weights of d₁ − d₀.
    Vector6 on_d() {
        Vector6 out = Vector6::Zero();
        moving_.descend(d_, on_moving_, out);
        changing_.descend(d_, on_changing_, out);
        // ḋ = (even part of T⁻¹)(η_B − η_A) + ½ ad (η_A + η_B)
        const Vector6& on_rate = on_changing_[0];
        Vector6 on_differing[5] = {Vector6::Zero(), Vector6::Zero(), inverse_.mean(1) * on_rate, Vector6::Zero(),
                                   inverse_.mean(3) * on_rate};
        for (int n : {1, 3}) on_square_ += inverse_.slope[n] * differing_.mean(n + 1).dot(on_rate);
        differing_.descend(d_, on_differing, out);
        out -= 0.5 * cobracket(together_, on_rate);
        out.tail<3>() += 2.0 * on_square_ * d_.tail<3>();
        return out;
    }

private:
    static Vector6 rate(const BeamState& state, const Vector12& twists) {
        return state.ahead * twists.tail<6>() - state.back * twists.head<6>();
    }

    Vector6 d_, together_;
    AdjointSpan inverse_;
    Ladder differing_, moving_, changing_;
    Vector6 on_moving_[5], on_changing_[5];
    double on_square_ = 0.0;  // of |Ω|²
};

/// Weights of d₁ − d₀ in ½ η₀ᵀ(M(d₁) − M(d₀)) η₁.
Vector6 inertia_slope(const BeamElement& beam, const BeamState& start, const BeamState& end) {
    TwistSteps before(start, end, start.twists), after(start, end, end.twists);
    const double x0 = start.d.tail<3>().squaredNorm(), x1 = end.d.tail<3>().squaredNorm();
    const double weight = 0.25 * beam.length;  // half of that of a point
    for (double xi : beam_points) {
        const AdjointSpan carry = exponential_span(xi * xi * x0, xi * xi * x1);
        const AdjointSpan turn = tangent_span(xi * xi * x0, xi * xi * x1);
        const Vector6 of_before = before.mean(xi, carry, turn), of_after = after.mean(xi, carry, turn);
        before.weigh(xi, carry, turn, weight * (beam.mass * of_after));
        after.weigh(xi, carry, turn, weight * (beam.mass * of_before));
    }
    return before.on_d() + after.on_d();
}

/// Weights of d₁ − d₀ in V(d₁) − V(d₀).
Vector6 strain_slope(const BeamElement& beam, const BeamState& start, const BeamState& end) {
    const Vector3 U = beam.reference.head<3>(), turn = 0.5 * (start.d + end.d).tail<3>();
    const auto deviation = [&](const Vector6& f) -> Vector3 {  // C Āᵀf
        return beam.bending * (f.head<3>().cross(U) + f.tail<3>().cross(turn));
    };
    Vector6 out = 0.5 * (start.middle + end.middle);
    out.tail<3>() += (beam.length / 24.0) * (end.middle.tail<3>().cross(deviation(start.middle)) +
                                             start.middle.tail<3>().cross(deviation(end.middle)));
    return out;
}

/// Where the mass centre of a section is, seen from the first one: ρ = ξ V(θ) U + R(θ) c with θ = ξ Ω.
class MassCentre {
public:
    MassCentre(const Vector6& d0, const Vector6& d1, double xi, const Vector3& centre)
        : xi_(xi), turn_(0.5 * xi * (d0 + d1).tail<3>()), ratios_(square(d0), square(d1)) {
        for (int end = 0; end < 2; ++end) {
            const Vector6& d = end == 0 ? d0 : d1;
            const Vector3 theta = xi * d.tail<3>();
            shift_[end] = xi * d.head<3>();
            shifted_[end][0] = theta.cross(shift_[end]);
            shifted_[end][1] = theta.cross(shifted_[end][0]);
            centre_ = centre;
            turned_[end][0] = theta.cross(centre);
            turned_[end][1] = theta.cross(turned_[end][0]);
            const double at = end == 0 ? square(d0) : square(d1);
            const TurnRatios r = turn_ratios(at);
            place_[end] = shift_[end] + r.a * shifted_[end][0] + r.b * shifted_[end][1] + centre +
                          r.c * turned_[end][0] + r.a * turned_[end][1];
        }
    }

    const Vector3& start() const { return place_[0]; }
    const Vector3& end() const { return place_[1]; }

    /// Weights of d₁ − d₀ in G · (ρ₁ − ρ₀).
    Vector6 on_d(const Vector3& G) const {
        const auto middle = [](const Vector3& first, const Vector3& last) -> Vector3 {
            return 0.5 * (first + last);
        };
        const Vector3 once = middle(shifted_[0][0], shifted_[1][0]);
        const Vector3 twice = middle(shifted_[0][1], shifted_[1][1]);
        const Vector3 round = middle(turned_[0][0], turned_[1][0]);
        const Vector3 rounder = middle(turned_[0][1], turned_[1][1]);
        const double on_square = G.dot(ratios_.a.slope * (once + rounder) + ratios_.b.slope * twice +
                                       ratios_.c.slope * round);
        Vector3 on_turn = Vector3::Zero(), on_shift = G;
        // a product θ × y has the difference Δθ × ȳ + θ̄ × Δy
        const auto back = [&](const Vector3& y, const Vector3& on) -> Vector3 {
            on_turn += y.cross(on);
            return on.cross(turn_);
        };
        const Vector3 on_once = ratios_.a.mean * G + back(once, ratios_.b.mean * G);
        on_shift += back(middle(shift_[0], shift_[1]), on_once);
        const Vector3 on_round = ratios_.c.mean * G + back(round, ratios_.a.mean * G);
        back(centre_, on_round);
        Vector6 out;
        out << xi_ * on_shift, xi_ * on_turn + (2.0 * xi_ * on_square) * turn_;
        return out;
    }

private:
    double square(const Vector6& d) const { return xi_ * xi_ * d.tail<3>().squaredNorm(); }

    double xi_;
    Vector3 turn_, centre_;
    TurnSpans ratios_;
    Vector3 shift_[2], shifted_[2][2], turned_[2][2], place_[2];
};

/// A wrench on the second section about its x̄ by weights r of d₁ − d₀: Bᵀr, in space axes.
class RelativeMotion {
public:
    RelativeMotion(const BeamState& start, const BeamState& end, const FrameStep& a, const FrameStep& b)
        : rotation_(a.mean.rotation), angle_(a, b), turn_(0.5 * (start.d + end.d).tail<3>()) {
        const Vector3 p0 = a.start.rotation.transpose() * (b.start.position - a.start.position);
        const Vector3 p1 = a.end.rotation.transpose() * (b.end.position - a.end.position);
        const Vector3 once0 = start.d.tail<3>().cross(p0), once1 = end.d.tail<3>().cross(p1);
        p_ = 0.5 * (p0 + p1);
        once_ = 0.5 * (once0 + once1);
        twice_ = 0.5 * (start.d.tail<3>().cross(once0) + end.d.tail<3>().cross(once1));
        // c = a₂ − x a₄ of U = (1 − ½ Ω̃ + c Ω̃²) p
        const double x0 = start.d.tail<3>().squaredNorm(), x1 = end.d.tail<3>().squaredNorm();
        const AdjointSpan inverse = inverse_tangent_span(x0, x1);
        c_.mean = 0.5 * (inverse.start[1] - x0 * inverse.start[3] + inverse.end[1] - x1 * inverse.end[3]);
        c_.slope = inverse.slope[1] - inverse.mean(3) - 0.5 * (x0 + x1) * inverse.slope[3];
    }

    Vector6 wrench(const Vector6& r) const {
        // U = p − ½ y + c z with y = Ω × p and z = Ω × y
        const Vector3 on_U = r.head<3>(), on_z = c_.mean * on_U, on_y = on_z.cross(turn_) - 0.5 * on_U;
        const Vector3 on_p = on_U + on_y.cross(turn_);
        const Vector3 on_turn =
            r.tail<3>() + once_.cross(on_z) + p_.cross(on_y) + (2.0 * c_.slope * twice_.dot(on_U)) * turn_;
        Vector6 out;
        out << rotation_ * on_p, angle_.moment(on_turn);
        return out;
    }

private:
    Matrix3 rotation_;
    TurnStep angle_;
    Vector3 turn_, p_, once_, twice_;
    Span c_;
};

/// A section that is fixed in a body.
FrameStep carry(const FrameStep& body, const BeamEnd& fixed) {
    if (!fixed.apart) return body;
    FrameStep out;
    const Matrix3 turned = rotation_matrix(fixed.frame.quaternion.data());
    const auto place = [&](const FrameInSpace& from, FrameInSpace& to) {
        to.position = from.position + from.rotation * fixed.frame.position;
        to.rotation = from.rotation * turned;
    };
    place(body.start, out.start);
    place(body.end, out.end);
    out.join(body.turn());
    return out;
}

}  // namespace

BeamStepForces beam_step_forces(const BeamElement& beam, const BeamState& start, const BeamState& end,
                                const FrameStep& body_a, const FrameStep& body_b, double step,
                                const Vector3& field) {
    BeamStepForces out;
    const FrameStep a = carry(body_a, beam.ends[0]), b = carry(body_b, beam.ends[1]);
    const Vector6 change = end.d - start.d, damping = beam.damping * (change / (step * beam.length));
    out.dissipated = change.dot(damping);
    Vector6 on_d = strain_slope(beam, start, end) + damping - inertia_slope(beam, start, end);
    Vector3 on_first = Vector3::Zero();  // moment of the weight about x̄ of the first section
    // With H = H_A G the difference of G counts by (1 + ½ŝ_A) H_A at the start, and weight acts at the mean of its
    // places.
    const Vector3 tau = a.turn();
    const Matrix3 R = a.start.rotation + 0.5 * skew(tau) * a.start.rotation;
    const double mass = beam.mass(0, 0);
    const Vector3 weight = 0.5 * beam.length * mass * field;
    if (mass > 0.0 && !field.isZero()) {
        // the first moment of a section stands in the coupling ρA c̃ of its mass matrix
        const Vector3 centre = Vector3(beam.mass(5, 1), beam.mass(3, 2), beam.mass(4, 0)) / mass;
        for (double xi : beam_points) {
            const MassCentre there(start.d, end.d, xi, centre);
            on_first += (0.5 * (a.start.rotation * there.start() + a.end.rotation * there.end())).cross(weight);
            on_d -= there.on_d(R.transpose() * weight);
        }
    }
    const Vector6 wrench = RelativeMotion(start, end, a, b).wrench(on_d);
    const Vector3 force = wrench.head<3>(), arm = b.mean.position - a.mean.position;
    const auto put = [](const FrameStep& section, const FrameStep& body, const Vector3& push,
                        const Vector3& moment, Vector6& on) {
        on << push, moment + (section.mean.position - body.mean.position).cross(push);
    };
    put(b, body_b, -force, -wrench.tail<3>(), out.on[1]);
    put(a, body_a, force + 2.0 * weight, wrench.tail<3>() + arm.cross(force) + on_first, out.on[0]);
    return out;
}

}  // namespace flexframe
