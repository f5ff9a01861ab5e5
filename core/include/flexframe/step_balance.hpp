// The balance of momentum of rigid bodies and exact beams over a step, with energy kept.
//
// A body moves by Cayley's map of its mean twist over the step (`frame_steps.hpp`), q₁ = q₀ ∘ cay(h ū) with
// ū = ½(u₀ + u₁), and its momentum π = M u, p = R π_v and l = R π_ω in space, obeys
//
//     p₁ − p₀ = h F,      l₁ − l₀ + (x₁ − x₀) × ½(p₀ + p₁) = h N ,
//
// F and N about the mean place x̄ from differences in place of derivatives (`beam_steps.hpp`, `row_slope`):
// joints, drives, springs and weight work as far as s − f(t) and their energies change, and act on two bodies by
// equal and opposite wrenches of space. The twist of a step is the same in the axes of both of its ends, so that
//
//     ½ u₁ᵀM₁u₁ − ½ u₀ᵀM₀u₀ = ū · (M₁u₁ − M₀u₀) − ½ u₀ᵀ(M₁ − M₀)u₁
//
// is the work of F and N: energy is kept whatever the step, and with it the sums of p and of x × p + l.
#pragma once

#include <memory>
#include <vector>

#include "flexframe/beam_steps.hpp"
#include "flexframe/samples.hpp"
#include "flexframe/system.hpp"

namespace flexframe {

class StepBalance {
public:
    explicit StepBalance(std::shared_ptr<const System> system);

    /// Where a step begins.
    void begin(const State& state);

    /// Find the acceleration of space at a time.
    void place_fields(double time);

    /// The balance of a step that ends at a state and a time, by twists h ū of the bodies in the order of u and λ.
    void evaluate(const State& end, const Vector& twists, const Vector& multipliers, double time, double step);

    /// The next step begins where the last one that was evaluated ends.
    void next();

    /// Of bodies, with beams between them, at the beginning.
    struct Motion {
        double mass = 0.0, kinetic = 0.0;
        Vector3 momentum = Vector3::Zero(), first_moment = Vector3::Zero();
    };
    Motion motion(const std::vector<Index>& bodies, const State& state) const;

    /// Exact beams where the step begins, and a body of one that is folded there, or −1.
    const std::vector<BeamState>& start_beams() const { return start_beams_; }
    Index folded() const;

    Vector residual;             // of the balance over h in axes between both ends, then s₁ − f(t₁): (n + rows,)
    std::vector<Vector6> left;   // what is left of the balance of each body, in space axes
    std::vector<Vector6> given;  // what the step before left, which this one makes good
    std::vector<char> falls;     // bodies whose axes of reference fall with them, so that weight does nothing
    std::vector<Vector3> axes;   // mean velocity of these axes in the step
    Vector3 field = Vector3::Zero(), changing = Vector3::Zero();  // acceleration of space, and what changes of it
    Works works;                 // of the step

private:
    void place_end(const State& state);
    void apply_beams(double step);
    void apply_loads(double middle);
    void apply_elements(double middle, double step);
    void apply_rows(const Vector& multipliers, double time, double step);
    void add(Index frame, const Vector6& wrench, double factor);
    void add_load(Index body, const Vector6& wrench);
    const FrameStep& frame(Index number) const;
    double law(Index number, double time) { return system_->laws->at(number, time, stack_).value; }

    std::shared_ptr<const System> system_;
    std::vector<Matrix6> masses_;  // of the bodies themselves
    std::vector<BeamState> start_beams_, end_beams_;
    std::vector<Vector6> start_momenta_, end_momenta_;
    std::vector<FrameStep> frames_;     // of bodies, that of the ground last
    std::vector<Vector6> wrenches_;     // F and N, the same
    std::vector<Vector4> quaternions_, end_quaternions_;
    std::vector<Vector3> carried_;  // way of these axes
    std::vector<Jet> stack_;
};

}  // namespace flexframe
