// The equations of a system at one state: M u̇ + h = Q + Aᵀλ with s(q) = f(t), A u = ḟ and A u̇ + β = f̈.
#pragma once

#include <memory>
#include <vector>

#include "flexframe/integration.hpp"
#include "flexframe/saddle_point.hpp"
#include "flexframe/system.hpp"

namespace flexframe {

/// A constraint or a coordinate of a force at one state.
struct RowState {
    RowValue value;
    RowRate rate;
    Jet target;          // f, ḟ, f̈ of time
    double slope = 0.0;  // f_r of a coordinate r that another one follows
};

/// Largest gap of positions and of velocities, in lengths of the system and radians.
struct Gaps {
    double position = 0.0, velocity = 0.0;
};

/// Energies and momenta of a state.
struct Measures {
    double kinetic = 0.0, strain = 0.0, gravity = 0.0;
    Vector3 linear_momentum = Vector3::Zero(), angular_momentum = Vector3::Zero();
};

/// Power of drives, of loads, and of what is dissipated, by contacts and by all else.
struct Powers {
    double drives = 0.0, loads = 0.0, dissipation = 0.0, contact = 0.0;
};

/// What is taken into account at a state.
enum class Acting { everything, inertia };

/// How far constraints are evaluated: what the residual needs, their rates, and biases with drifts of frames too.
enum class Detail { residual, rates, biases };

/// Evaluates a system; keeps its work arrays from call to call.
class Equations {
public:
    explicit Equations(std::shared_ptr<const System> system);

    const System& system() const { return *system_; }

    /// M x + h − Q − Aᵀλ and below it the gaps of the constraints, in `residual`.
    void evaluate(const State& state, double time, const double* x, const double* multipliers, Detail detail,
                  Acting acting = Acting::everything);

    /// The constraints alone with their rates: `rows`, and their gaps below in `residual`.
    void evaluate_constraints(const State& state, double time);

    /// A of a group of rows by the active velocities of a body, at the state that was evaluated last; zero of rows
    /// that do not act. It holds until the next call.
    Eigen::Block<Matrix> constraint_block(const RowGroup& group, Index b);

    /// [M + damping·D + stiffness·K, Aᵀ; A, −ε] at the state that was evaluated last; ε of redundant rows is the
    /// `regularisation` times that of the system.
    void fill(const State& state, SaddlePoint& matrix, double damping, double stiffness,
              double regularisation = 1.0);

    /// M and below it A at the state that was evaluated last: (n + rows, n).
    void write_matrices(const State& state, Matrix& out);

    /// Orthonormal y with yᵀA = 0 at the state that was evaluated last, rows and velocities as they are scaled.
    Matrix dependent_rows(double tolerance);

    /// u̇ and λ at a state; false where a free motion has no inertia, or forces that follow λ are not found.
    ///
    /// Jumps that slide and shapes that are held at rest (conditions.cpp) have the k and the normal forces with
    /// which arguments and gaps are not accelerated.
    bool accelerations(const State& state, double time, double* x, double* multipliers);

    /// Whether such conditions hold at a state.
    bool has_conditions(const State& state) const;

    /// Write what was found of them last into a state.
    void keep_conditions(State& state) const;

    /// The rate of the argument of a jump with the accelerations x, at the state that these were found at last.
    double jump_rate(Index jump, const double* x);

    /// Second derivatives of gaps with the accelerations x, at the state that these were found at last.
    Vector gap_accelerations(const State& state, const std::vector<Index>& touches, const double* x);

    /// Held values of the state that was evaluated last; those of jumps that slide as they were found.
    const std::vector<double>& held() const { return held_; }

    /// Put positions and velocities on the constraints, nearest in the metric of the mass; whether it succeeds.
    bool project(State& state, double time, double* u, double goal);

    /// Put gaps of shapes that are held at rest and their rates to zero, what moves them least; whether it
    /// succeeds.
    bool project_held(State& state, double time, double* u);

    /// Second derivative of every constraint without u̇, less that of its law: (rows,).
    void biases(double* out) const;

    /// Jᵀ of a coordinate at the state that was evaluated last, in the order of u, added to `out`.
    void direction(const ConstraintRow& row, const RowState& state, Vector& out);

    /// The same of a direction at the place of a touch, from the first shape to the second.
    void touch_direction(Index touch, const Vector3& along, Vector& out);

    /// Stored in force elements and contacts at the state that was evaluated last.
    double spring_energy();

    /// Whether a row is more than λ = 0, as that of an open lock is.
    bool acts(Index row) const { return acting_[row] != 0; }

    Gaps gaps() const;

    /// States of blocks and of the bristles of touches, and their rates, at the state that was evaluated last.
    const Vector& states() const { return states_; }
    const Vector& state_rates() const { return state_rates_; }

    /// The states of a step that is solved are z = base + factors · ż; those of a touch have one factor.
    void step_states(const Vector& base, const Vector& factors);

    /// Measured coordinates and arguments of the state that was evaluated last, angles through all turns.
    const std::vector<double>& counted() const { return counted_; }
    Measures measure(const State& state);

    /// J (M + stiffness·K)⁻¹ Jᵀ of the normal of a touch, constraints kept: what a force there moves.
    double mobility(const State& state, Index touch, double stiffness);

    /// Whether a body bends further than a limit [rad], or an exact beam is folded at the state that was evaluated
    /// last, and that body; else done.
    std::pair<Status, Index> judge_deflection(const State& state, double limit) const;

    Vector residual;                 // (n + rows,)
    std::vector<RowState> rows;
    std::vector<RowState> coordinates;
    std::vector<RowState> measured;
    std::vector<RowState> arguments;
    std::vector<BeamState> beams;
    /// Whether strain counts in the residual, of beams all of it, of bodies what is linear, with their damping:
    /// its derivative is known without.
    bool strain_resists = true;
    Signals signals;
    bool stepping = false;           // whether states are those that are found at the end of a step
    bool found_states = true;        // whether the states of blocks at the end of a step were found
    std::vector<Touch> touches;      // places of all contacts
    Powers powers;
    SaddlePoint own;                 // matrix of accelerations and projections

private:
    std::pair<double, Index> deflection(const State& state) const;
    void place_frames(const State& state, bool drifting);
    void evaluate_coordinate(const ConstraintRow& row, bool moving, RowState& out);
    void evaluate_arguments(const State& state, bool moving);
    double count(const ConstraintRow& row, double value, double before) const;
    void follow(Leading leading, Index law, double time, bool moving, RowState& out);
    void evaluate_rows(const State& state, double time, Detail detail);
    void evaluate_elements(double time);
    void take_gap(std::size_t row);
    void evaluate_signals(const State& state, double time, const double* multipliers);
    void find_reactions(const double* multipliers);
    bool solve_accelerations(const State& state, double time, double* x, double* multipliers);
    bool meet_reactions(const State& state, double time, double* x, double* multipliers);
    void collect_conditions(const State& state);
    bool meet_conditions(const State& state, double time, double* x, double* multipliers);
    double drift(const ConstraintRow& row, const RowValue& J) const;
    double rate_row(Index jump, Vector& out);
    void find_response(const State& state, const Matrix& rows, Matrix& answers, Matrix& out);
    Vector gap_biases(const State& state, const std::vector<Index>& which);
    double reaction_slope(const Reaction& reaction, Index row) const;
    Vector6 on_frame(Index row, Index frame) const;
    double law_value(Index law, double time);
    void apply_forces(double time);
    void place_contacts(const State& state);
    void apply_contacts();
    void add_fields(const State& state, double time);
    void add_wrench(const ConstraintRow& row, const RowValue& value, double force);
    void add_wrench(const ConstraintRow& row, Leading leading, const RowState& state, double force);
    void local_equations(Index b, const State& state, double time, const double* x, Acting acting);
    void move_beams(const State& state);
    void add_beams(const State& state, double time, const double* x, Acting acting);
    void take_ends(const BeamElement& beam, const double* x, Vector12& out) const;
    void fill_beams(SaddlePoint& matrix, double damping, double stiffness);
    double resist_together(const State& state);
    std::vector<Index> moving_bodies(const ConstraintRow& row, Leading leading) const;
    void row_segment(const ConstraintRow& row, Leading leading, const RowState& state, Index b, Vector& out) const;
    void add_segment(const ConstraintRow& row, const RowValue& value, double factor, Index b, Vector& out) const;
    void fill_elements(SaddlePoint& matrix, double damping, double stiffness);
    void add_to_vector(Index b, Vector& out) const;
    Index collect_directions(const State& state);
    Index collect_rubbing();
    void fill_corrections(const State& state, SaddlePoint& matrix, double damping, double stiffness);
    void correct_signals(Index count, double damping, double stiffness);
    void correct_friction(Index first, double damping, double stiffness);
    void fill_contacts(SaddlePoint& matrix, double damping, double stiffness);
    void read_bristles(const State& state);
    void gather_states();
    void add_direction(SaddlePoint& matrix, const ConstraintRow& row, Leading leading, const RowState& state,
                       double factor);
    void fill_joined_damping(SaddlePoint& matrix, double damping);
    void fill_constraints(SaddlePoint& matrix, double slack);
    BodyPose pose(Index b, const State& state) const;
    double* wrench(Index frame) { return wrenches_.data() + 6 * frame; }

    std::shared_ptr<const System> system_;
    std::vector<Matrix3> rotations_;
    std::vector<FrameMotion> motions_;
    FrameScratch frame_scratch_;
    std::vector<BodyScratch> scratch_;
    std::vector<Jet> stack_;
    Vector3 field_ = Vector3::Zero();  // acceleration of space on all mass now
    double contact_energy_ = 0.0;
    Vector wrenches_;
    Vector local_, acceleration_, right_, spare_, nothing_;
    Matrix block_, segment_;
    State moved_;
    std::vector<CoordinateForce> element_forces_;
    std::vector<double> counted_, rates_;  // of measured coordinates, those of arguments after them
    std::vector<double> leads_, along_;    // coordinates that another one follows and the time, and a direction
    std::vector<char> acting_;             // 0 of rows of locks that are open
    std::vector<double> reactions_;        // that signals read
    std::vector<double> held_;             // of the state at hand
    std::vector<TouchMemory> touching_;    // the same
    std::vector<Index> sliding_, resting_;  // jumps that slide, and touches whose shapes are held at rest …
    Vector unknowns_;                       // … and their k and normal forces, which count while they are found
    bool finding_ = false;
    std::vector<Index> followed_;          // signals that forces follow
    std::vector<Vector> directions_;       // of these forces, in the order of u
    std::vector<std::pair<Index, int>> rubbing_;  // touches with friction, and its tangent
    Matrix corrected_, slopes_;            // U and W of forces that follow the state, −U W in the matrix
    Vector states_, state_rates_, base_, factors_;
    std::vector<BristleStep> bristle_steps_;  // of touches
    bool follows_reactions_;  // whether forces follow the multipliers of the same instant
};

/// What remains of projected positions and velocities, in lengths of the system and radians.
constexpr double closed = 1e-14;

}  // namespace flexframe
