// A system of bodies, frames, constraints, forces and loads as the loops read it, and its states.
//
// Velocities of a body are local, (v, ω, δ̇) in body components: 6 + m numbers. A planar body moves in three of
// the first six; `numbers` says where each local velocity stands in the vector u of all, −1 where it is
// always zero.
#pragma once

#include <memory>
#include <vector>

#include "flexframe/beams.hpp"
#include "flexframe/block_factorisation.hpp"
#include "flexframe/bodies.hpp"
#include "flexframe/constraints.hpp"
#include "flexframe/contact.hpp"
#include "flexframe/forces.hpp"
#include "flexframe/frames.hpp"
#include "flexframe/loads.hpp"
#include "flexframe/signals.hpp"
#include "flexframe/time_laws.hpp"

namespace flexframe {

/// A body of a system: its integrals, which bodies may share, and its place among the unknowns.
struct Body {
    std::shared_ptr<const BodyIntegrals> integrals;
    Index scratch = 0;            // work arrays of its size
    Index first_velocity = 0;     // in the local velocities of all bodies
    Index first_coordinate = 0;   // in the deformation of all bodies
    double length = 1.0;          // of its displacements, for the end of small deflections
    std::vector<Index> numbers;   // of its local velocities in u: (6 + m,)
    std::vector<Index> active;    // local velocities that are not always zero
    std::vector<Index> frames;    // frames that it carries and that something acts on or looks at
    std::vector<Index> loads;     // loads that act on it
    Index coordinates() const { return integrals->coordinates; }
};

/// A constraint with the law that it follows: s = f(t), or s = f(r, t) with other coordinates r.
struct DrivenRow {
    ConstraintRow row;
    Index law = 0;
    bool holonomic = true;  // whether it is a constraint on positions
    double scale = 1.0;     // makes metres and radians comparable
    Leading leading;        // r; none: the time alone
    Index lock = -1;        // held value that is not zero while the row acts; −1: it always does
    Index locked_at = -1;   // held value that s keeps instead of a law
};

/// Rows of one joint or drive: they bind the same bodies.
struct RowGroup {
    Index first = 0, count = 0;
    std::vector<Index> bodies;
};

/// Everything that does not change while the system moves.
struct System {
    std::vector<Body> bodies;
    std::vector<Frame> frames;  // the last one is the ground
    std::vector<DrivenRow> rows;
    std::vector<ForceElement> elements;
    std::vector<BeamElement> beams;
    std::vector<BeamLoad> beam_loads;
    std::vector<ContactElement> contacts;
    std::vector<MarkerForce> forces;
    std::vector<BodyLoad> loads;
    std::vector<ConstraintRow> measured;   // coordinates that signals read
    std::vector<ConstraintRow> arguments;  // coordinates that others follow, as the angle of a pinion
    SignalTables signals;
    std::shared_ptr<const TimeLaws> laws;
    Vector3 gravity = Vector3::Zero();   // constant, with a potential
    std::vector<ChangingField> fields;   // beside it
    Index size = 0;            // n: velocities u of all bodies
    Vector scales;             // of u, as displacements: (n,)
    Matrix joined_damping;     // of deformations of different bodies on each other: (n, n) or none
    double slack = 0.0;        // regularisation of redundant rows, relative to A M⁻¹ Aᵀ

    // found by `prepare`
    std::vector<Index> placed;      // frames that something acts on or looks at
    std::vector<Index> burdened;    // bodies with mass, such frames or loads: others are sections of beams alone
    std::vector<RowGroup> groups;
    std::vector<Index> first_touches;  // of each contact among the places of all contacts, and their number
    std::vector<Index> bristles;  // the first of three states of each touch, after those of blocks; −1: none
    std::vector<std::pair<Index, Index>> shapes;  // coordinates and fields of the work arrays of bodies
    BlockStructure structure;
    Index local_size = 0;        // local velocities of all bodies
    Index deformation_size = 0;  // coordinates of all bodies

    /// Places at which contacts may touch.
    Index touch_count() const;

    /// The contact that a place belongs to.
    const ContactElement& contact_of(Index touch) const;

    /// States of blocks, then those of the bristles of touches.
    Index state_count() const;

    Index row_count() const { return static_cast<Index>(rows.size()); }

    /// Whether every number of the signals is of something that exists, and every input comes before its signal.
    bool has_valid_signals() const;

    /// Whether a force follows the multipliers of the same instant, as friction of a bearing does.
    bool follows_reactions() const;

    /// The length of the system, in which displacements are compared with angles.
    double length() const;

    /// Touches of impulsive contacts, whose gaps are events.
    std::vector<Index> impulsive_touches() const;

    /// Jets alive at once in the longest formula of laws and forces.
    Index stack_size() const;

    /// Number bodies, frames and groups after the description is filled or changed.
    void prepare();
};

/// Positions and velocities of all bodies.
struct State {
    std::vector<double> positions;    // (bodies, 3)
    std::vector<double> quaternions;  // (bodies, 4)
    std::vector<double> deformation;  // of all bodies, one after the other
    std::vector<double> velocities;   // local, of all bodies
    std::vector<double> angles;       // of a planar system, through all turns: (bodies,)
    std::vector<double> states;       // z of blocks, then of the bristles of touches
    std::vector<double> held;         // between sampling instants
    std::vector<double> counted;      // measured coordinates and arguments, angles through all turns
    std::vector<TouchMemory> touching;  // of places of contact

    explicit State(const System& system);

    /// Positions and signals of another state; velocities are left alone.
    void copy_positions(const State& other);

    /// Velocities from u.
    void set_velocities(const System& system, const double* u);

    /// u from the velocities.
    void get_velocities(const System& system, double* u) const;
};

/// Positions after a step of the coordinates: r + R Tᵀ(θ) d, R exp θ̃, δ + dδ.
void advance(const System& system, const State& before, const double* step, State& after);

/// The largest velocity in lengths of the system and radians.
double largest_speed(const System& system, const double* u);

}  // namespace flexframe
