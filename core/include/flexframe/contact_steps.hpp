// Steps in time where shapes touch: none passes over a contact, and those within one are short beside it.
//
// Between both ends of a step a gap is taken as the cubic of its values and rates. A step in which an open gap
// falls below zero, or a closed one rises above it, is shortened until it ends where the shapes meet or part, and
// the speed of an impact is kept. While they touch, with the mass m = 1/(J M⁻¹ Jᵀ) that a normal force moves and
// the energy E = ½ m δ̇² + ∫K δⁿ dδ, a free impact would reach the depth δ_m = (E (n + 1)/K)^(1/(n + 1)) at the
// speed v = √(2E/m) and last
//
//     T = 2 ∫₀¹ dx/√(1 − xⁿ⁺¹) δ_m/v;
//
// a step is at most T/divisions, less by 1 + ∂N/∂δ̇ v/N where damping is large. With ω = π/T the part of the depth
// that changes fast is √((δ̇/ω)² + (δ̈/ω²)²): where it is small beside the depth the contact rests, and steps
// grow.
#pragma once

#include <cmath>
#include <vector>

#include "flexframe/equations.hpp"

namespace flexframe {

/// The cubic with values and slopes at 0 and 1, which a gap follows in a step.
inline double cubic(double g0, double s0, double g1, double s1, double x) {
    const double y = 1.0 - x;
    return y * y * ((1.0 + 2.0 * x) * g0 + x * s0) + x * x * ((3.0 - 2.0 * x) * g1 - y * s1);
}

/// A gap at the end of a step in which it was `before`; one that is an angle may have come around.
inline double gap_after(const System& system, Index touch, double gap, double before) {
    constexpr double turn = 6.283185307179586;
    const bool turning = contact_pairs()[system.contact_of(touch).pair].turning;
    return turning ? gap - turn * std::round((gap - before) / turn) : gap;
}

/// What a state keeps of a touch whose shapes are together or apart, and where that has `changed` the speed with
/// which they met.
void take_touch(const System& system, Index touch, bool closed, double rate, bool changed, State& state);

class ContactSteps {
public:
    explicit ContactSteps(const System& system);

    bool present() const { return !gaps_.empty(); }

    /// Whether any shapes touch.
    bool touching() const;

    /// Look at a state from which steps begin.
    void begin(Equations& equations, State& state, double time);

    /// Gaps and rates after velocities jumped.
    void look(const std::vector<Touch>& touches);

    /// Length of the next step that the contacts at hand allow.
    double allowed() const;

    /// The length that a step should have had that was evaluated at its end; as long as it was where it serves.
    double judge(Equations& equations, const State& after, double step);

    /// Take a step with its end, where impacts are kept and bristles of shapes that part are straight; whether
    /// shapes met or parted.
    bool accept(const std::vector<Touch>& touches, State& state, double time, double step);

    /// Largest normal force of each contact so far, between steps by the parabola of three, and when: (contacts,).
    const std::vector<double>& peaks() const { return peaks_; }
    const std::vector<double>& peak_times() const { return peak_times_; }

    std::vector<double> memory() const;
    bool restore(const std::vector<double>& values);

    const ContactElement& contact_of(Index touch) const { return system_->contacts[owners_[touch]]; }

private:
    bool impulsive(std::size_t touch) const { return contact_laws()[contact_of(touch).law].impulsive; }
    double duration(Index touch, double depth, double speed, double mass, double& sharpness) const;
    double contact_step(Equations& equations, const State& state, Index touch, double depth, double speed);
    double judge_open(Equations& equations, const State& after, Index touch, double step);
    void follow_peak(std::size_t contact, double time, double force);
    double judge_closed(Equations& equations, const State& after, Index touch, double step);

    const System* system_;  // whoever steps keeps it
    std::vector<Index> owners_;                  // contact of each touch
    std::vector<double> gaps_, rates_;           // at the start of the step
    std::vector<double> closed_;                 // 1 where shapes touch
    std::vector<double> masses_;                 // that a normal force moves, zero where it is not known
    std::vector<double> limits_;                 // steps that a touch allows after the last one
    std::vector<double> durations_;              // T of touches
    std::vector<double> peaks_, peak_times_;
    std::vector<double> recent_;                 // times and normal forces of the last two steps: (contacts, 4)
    double last_step_ = 0.0;
};

/// Whether a shape that meets a curve at a touch rests at another place of it: these change their order, so that
/// they cannot both be held.
bool rests_elsewhere(const ContactSteps& contacts, const std::vector<Index>& resting, Index touch);

}  // namespace flexframe
