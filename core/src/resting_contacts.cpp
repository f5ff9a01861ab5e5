// Shapes that an impulsive law has brought to rest on each other.
//
// Where bounces become too small or too short to follow, shapes that are pressed together stay together. With J
// the rows of the rates of their gaps, D those of the forces (normals, less friction along the slip) and g̈ the
// accelerations of the gaps without them, the normal forces that hold them solve
//
//     (J M⁻¹ Dᵀ) N = −g̈,      N ≥ 0,
//
// joints kept; shapes with a negative one part. Each is held from then on by a support N = P + K δ + d δ̇ with
// K = m ω² and d = 2 m ω/(ω h)², m = 1/(J M⁻¹ Jᵀ) and ω = 100/h beside the step h, at most 3·10⁴ rad/s, or 3·10⁵
// where bodies are elastic: a change of the load by Δ moves the shapes by Δ/K. It is released where N is zero.
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "flexframe/generalised_alpha.hpp"

namespace flexframe {

namespace {

constexpr double stiff = 100.0;           // ω h
constexpr double stiffest = 3e4;          // ω [rad/s], beyond which errors of the iteration show in the force
constexpr double stiffest_elastic = 3e5;  // of elastic bodies, whose vibration presses far more than their weight
constexpr double shortest_bounce = 1e-4;  // of a step
constexpr double touching = 1e-9;         // gap at the start beside the distance from the origin, and rate

}  // namespace

std::vector<Index> GeneralisedAlpha::resting() const {
    std::vector<Index> out;
    for (Index touch : impulsive_) {
        if (rests(touch)) out.push_back(touch);
    }
    return out;
}

bool GeneralisedAlpha::rests_elsewhere(Index touch) const {
    const ContactElement& contact = contacts_.contact_of(touch);
    if (!contact_pairs()[contact.pair].curved) return false;
    const std::vector<Index> held = resting();
    return std::any_of(held.begin(), held.end(),
                       [&](Index each) { return &contacts_.contact_of(each) == &contact; });
}

Vector GeneralisedAlpha::gap_accelerations(const Vector& x, double time) {
    // (ġ(t + ε) − ġ(t − ε))/2ε with the accelerations x
    const double small = 1e-3 * asked_step_;
    Vector out = Vector::Zero(system_->touch_count());
    for (const double side : {small, -small}) {
        moves_ = side * u_ + 0.5 * side * side * x;
        u_next_ = u_ + side * x;
        move();
        equations_.evaluate(after_, time + side, x.data(), multipliers_.data(), Detail::residual);
        for (Index t = 0; t < out.size(); ++t) out[t] += equations_.touches[t].rate / (2.0 * side);
    }
    return out;
}

bool GeneralisedAlpha::bounce_is_short(Index touch, double restitution, double speed, double time) {
    if (!(restitution < 1.0)) return false;  // bounces do not become smaller
    const double pressed = -gap_accelerations(x_, time)[touch];
    return 2.0 * restitution * std::abs(speed) < shortest_bounce * asked_step_ * pressed;
}

double GeneralisedAlpha::support_frequency() const {
    return std::min(stiff / asked_step_, system_->deformation_size > 0 ? stiffest_elastic : stiffest);
}

void GeneralisedAlpha::support(Index touch, double force, double mobility) {
    const Touch& there = sampling_.touches[touch];
    TouchMemory& memory = before_.touching[touch];
    const double frequency = support_frequency();
    memory.stiffness = frequency * frequency / mobility;
    // the method itself damps what is fast beside the step, and velocities on constraints have errors
    const double fast = std::max(1.0, frequency * asked_step_);
    memory.damping = 2.0 * frequency / mobility / (fast * fast);
    memory.preload = force - memory.stiffness * there.depth() + memory.damping * there.rate;
}

void GeneralisedAlpha::open(Index touch) {
    opened_.push_back(touch);
    const Index first = system_->bristles[touch];  // bristles that are apart are straight
    if (first >= 0) std::fill_n(before_.states.begin() + first, 3, 0.0);
}

bool GeneralisedAlpha::settle(const std::vector<Index>& touches, double time) {
    opened_.clear();
    const std::vector<Index> before = resting();
    if (before.empty() && touches.empty()) return true;
    const Index n = system_->size, count = static_cast<Index>(touches.size());
    const auto stored = [&](Index t) {
        const TouchMemory& memory = before_.touching[t];
        const double depth = sampling_.touches[t].depth();
        return (memory.preload + 0.5 * memory.stiffness * depth) * depth;
    };
    sampling_.evaluate(before_, time, x_.data(), multipliers_.data(), Detail::residual);
    Matrix bent = Matrix::Zero(3, count);  // friction of bristles that are bent already, over the normal force
    for (Index i = 0; i < count; ++i) {
        const Touch& touch = sampling_.touches[touches[i]];
        const bool has_bristles = contacts_.contact_of(touches[i]).has_bristles();
        if (!has_bristles || !(touch.normal.force > 0.0)) continue;
        bent.col(i) = touch.force / touch.normal.force - touch.where.normal;
    }
    for (Index t : before) {
        works_.values[3] += stored(t);
        before_.touching[t] = TouchMemory();
        if (std::count(touches.begin(), touches.end(), t) == 0) open(t);
    }
    Vector x(n), multipliers(system_->row_count());
    if (!sampling_.accelerations(before_, time, x.data(), multipliers.data())) return false;
    const Vector pressed = -gap_accelerations(x, time);
    Matrix J(n, count), answers(n, count), G(count, count);
    Vector mobilities(count), wanted(count);
    const auto answer = [&](Index touch, const Vector3& along) {
        right_.setZero();
        sampling_.touch_direction(touch, along, right_);
        const Vector direction = right_.head(n);
        sampling_.own.solve_refined(right_.data());
        return std::make_pair(direction, Vector(right_.head(n)));
    };
    for (Index i = 0; i < count; ++i) {
        const Index touch = touches[i];
        const Vector3 normal = sampling_.touches[touch].where.normal;
        const Vector3 velocity = touch_velocity(sampling_, touch, u_);
        const auto [direction, moved] = answer(touch, normal);
        J.col(i) = direction;
        answers.col(i) = moved;
        mobilities[i] = direction.dot(moved);
        if (!(mobilities[i] > 0.0)) return false;
        wanted[i] = pressed[touch];
        const Vector3 slip = velocity - normal.dot(velocity) * normal;
        const ContactElement& contact = contacts_.contact_of(touch);
        Vector3 friction = bent.col(i);
        if (contact.rough() && !contact.has_bristles() && slip.norm() > 0.0) {
            friction = -friction_ratio(contact.parameters, slip.norm()).size() * slip.normalized();
        }
        if (friction.norm() > 0.0) answers.col(i) += answer(touch, friction).second;
    }
    G = J.transpose() * answers;
    std::vector<Index> kept;
    for (Index i = 0; i < count; ++i) kept.push_back(i);
    Vector forces;
    while (!kept.empty()) {
        forces = G(kept, kept).completeOrthogonalDecomposition().solve(wanted(kept));
        Index worst = 0;
        const double least = forces.minCoeff(&worst);
        const Index i = kept[worst];
        const double frequency = support_frequency();
        const double hidden = hidden_gap(sampling_.touches[touches[i]]) * frequency * frequency / mobilities[i];
        if (least >= -hidden) break;
        open(touches[i]);
        kept.erase(kept.begin() + worst);
    }
    for (std::size_t k = 0; k < kept.size(); ++k) {
        const Index touch = touches[kept[k]];
        double mobility = mobilities[kept[k]];
        if (system_->deformation_size > 0) {  // modes that are fast beside the step do not yield by their inertia
            const double slow = sampling_.mobility(before_, touch, asked_step_ * asked_step_);
            if (slow > 0.0) mobility = slow;
        }
        support(touch, std::max(forces[k], 0.0), mobility);
        works_.values[3] -= stored(touch);
    }
    return true;
}

bool GeneralisedAlpha::settle_and_begin(const std::vector<Index>& touches, double time, double step) {
    if (!settle(touches, time) || !begin_again(time, step)) return false;
    evaluate(before_, time);
    events_.begin_rest(equations_, opened_);
    opened_.clear();
    return true;
}

bool GeneralisedAlpha::begin_after_impulse(Index brought, double time, double step) {
    // shapes that rested and are moved by the impulse are struck next, or part
    std::vector<Index> still = resting();
    if (brought < 0 && still.empty()) return begin_again(time, step);
    sampling_.evaluate(before_, time, x_.data(), multipliers_.data(), Detail::residual);
    const double least = touching * std::max(1.0, largest_speed(*system_, u_.data()));
    const auto moves = [&](Index each) { return std::abs(sampling_.touches[each].rate) > least; };
    still.erase(std::remove_if(still.begin(), still.end(), moves), still.end());
    if (brought >= 0) still.push_back(brought);
    return settle_and_begin(still, time, step);
}

bool GeneralisedAlpha::release(Index touch, double time, double step) {
    std::vector<Index> others = resting();
    others.erase(std::remove(others.begin(), others.end(), touch), others.end());
    return settle_and_begin(others, time, step);
}

bool GeneralisedAlpha::rest_at_the_start(double time, double step) {
    asked_step_ = std::max(asked_step_, step);
    sampling_.evaluate(before_, time, x_.data(), multipliers_.data(), Detail::residual);
    const double least = touching * std::max(1.0, largest_speed(*system_, u_.data()));
    std::vector<Index> still, struck;
    for (Index touch : impulsive_) {
        const Touch& there = sampling_.touches[touch];
        if (!(std::abs(there.where.gap) <= touching * (1.0 + there.where.point.norm()))) continue;
        (std::abs(there.rate) <= least ? still : struck).push_back(touch);
    }
    if (still.empty() && struck.empty()) return true;
    if (!settle(still, time) || !begin_again(time, step)) return false;
    opened_.insert(opened_.end(), struck.begin(), struck.end());
    evaluate(before_, time);
    events_.begin_rest(equations_, opened_);
    opened_.clear();
    return true;
}

}  // namespace flexframe
