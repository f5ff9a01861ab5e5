#include "flexframe/equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "flexframe/planar_beams.hpp"
#include "flexframe/redundancy.hpp"

namespace flexframe {

namespace {

constexpr double pi = 3.141592653589793;
constexpr int most_reaction_iterations = 60;

/// The whole turns that are nearest to an angle.
double whole_turns(double angle) { return 2.0 * pi * std::round(angle / (2.0 * pi)); }

/// s − f, angles to the nearer side; ṡ − ḟ of a constraint on velocities.
double gap(const DrivenRow& row, const RowState& state) {
    if (!row.holonomic) return state.rate.rate - state.target.rate;
    const double miss = state.value.value - state.target.value;
    if (!constraint_types()[row.row.type].periodic) return miss;
    return miss - 2.0 * pi * std::floor((miss + pi) / (2.0 * pi));
}

}  // namespace

Equations::Equations(std::shared_ptr<const System> system)
    : residual(Vector::Zero(system->size + system->row_count())),
      rows(system->rows.size()),
      coordinates(system->elements.size()),
      measured(system->measured.size()),
      arguments(system->arguments.size()),
      beams(system->beams.size()),
      signals(system->signals,
              static_cast<Index>(system->measured.size()) +
                  (system->signals.reads_contacts() ? system->touch_count() : 0),
              system->elements, system->first_touches),
      touches(system->touch_count()),
      own(*system),
      system_(std::move(system)),
      rotations_(system_->bodies.size()),
      motions_(system_->frames.size()),
      stack_(system_->stack_size()),
      wrenches_(Vector::Zero(6 * system_->frames.size())),
      right_(Vector::Zero(residual.size())),
      spare_(Vector::Zero(residual.size())),
      nothing_(Vector::Zero(residual.size())),
      moved_(*system_),
      element_forces_(system_->elements.size()),
      counted_(system_->measured.size() + system_->arguments.size(), 0.0),
      rates_(system_->measured.size(), 0.0),
      acting_(system_->rows.size(), 1),
      reactions_(system_->signals.reactions.size(), 0.0),
      states_(Vector::Zero(system_->state_count())),
      state_rates_(states_),
      base_(states_),
      factors_(states_),
      bristle_steps_(touches.size()),
      follows_reactions_(system_->follows_reactions()) {
    Index most = 0;
    for (const auto& [coordinates_, fields] : system_->shapes) {
        scratch_.emplace_back();
        scratch_.back().resize(coordinates_, fields);
        most = std::max(most, coordinates_);
    }
    for (std::size_t f = 0; f < motions_.size(); ++f) {
        const Frame& frame = system_->frames[f];
        motions_[f].columns.setZero(frame.kind == FrameKind::rigid ? 0 : frame.rows.rows(), 6);
    }
    frame_scratch_.bent.setZero(most, 6);
    local_.setZero(6 + most);
    acceleration_.setZero(6 + most);
    block_.setZero(6 + most, 6 + most);
    Index tallest = 1;
    for (const RowGroup& group : system_->groups) tallest = std::max(tallest, group.count);
    segment_.setZero(tallest, 6 + most);
}

BodyPose Equations::pose(Index b, const State& state) const {
    const Body& body = system_->bodies[b];
    return {state.positions.data() + 3 * b, rotations_[b], state.deformation.data() + body.first_coordinate,
            state.velocities.data() + body.first_velocity};
}

void Equations::place_frames(const State& state, bool drifting) {
    for (Index b : system_->burdened) rotations_[b] = rotation_matrix(state.quaternions.data() + 4 * b);
    for (Index f : system_->placed) {
        const Frame& frame = system_->frames[f];
        move_frame(frame, pose(frame.body, state), drifting, motions_[f], frame_scratch_);
    }
}

void Equations::evaluate_coordinate(const ConstraintRow& row, bool moving, RowState& out) {
    PlacedRow placed(row, motions_[row.first], motions_[row.second], motions_[row.carrier]);
    const ConstraintType& type = constraint_types()[row.type];
    out.value = RowValue();
    type.value(placed, out.value);
    if (!moving) return;
    placed.move();
    type.rate(placed, out.rate);
}

double Equations::count(const ConstraintRow& row, double value, double before) const {
    // an angle is the nearest to what was counted last
    return constraint_types()[row.type].periodic ? value + whole_turns(before - value) : value;
}

void Equations::evaluate_arguments(const State& state, bool moving) {
    const std::size_t first = measured.size();
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const ConstraintRow& row = system_->arguments[k];
        evaluate_coordinate(row, moving, arguments[k]);
        counted_[first + k] = count(row, arguments[k].value.value, state.counted[first + k]);
    }
}

void Equations::follow(Leading leading, Index law, double time, bool moving, RowState& out) {
    // s − f(r, t): ṡ − f_r ṙ − f_t, and the bias β − (second derivative of f along (ṙ, 1)) − f_r β_r
    const TimeLaws& laws = *system_->laws;
    const Index count = leading.count;
    RowState* r = arguments.data() + leading.first;
    leads_.resize(count + 1);
    along_.assign(count + 1, 0.0);
    for (Index i = 0; i < count; ++i) leads_[i] = counted_[measured.size() + leading.first + i];
    leads_[count] = time;
    const auto slope = [&](Index i) {
        along_[i] = 1.0;
        const Jet f = laws.along(law, leads_.data(), along_.data(), stack_);
        along_[i] = 0.0;
        return f;
    };
    for (Index i = 0; i < count; ++i) {
        const Jet f = slope(i);
        r[i].slope = f.rate;
        out.target = {f.value, 0.0, 0.0};
    }
    if (laws.variables(law) > count) out.target.rate = slope(count).rate;
    if (!moving) return;
    for (Index i = 0; i < count; ++i) {
        along_[i] = r[i].rate.rate;
        out.rate.rate -= r[i].slope * r[i].rate.rate;
        out.rate.bias -= r[i].slope * r[i].rate.bias;
    }
    along_[count] = 1.0;
    out.rate.bias -= laws.along(law, leads_.data(), along_.data(), stack_).second;
}

void Equations::evaluate_rows(const State& state, double time, Detail detail) {
    const bool rates = detail != Detail::residual;
    if (!arguments.empty()) evaluate_arguments(state, rates || !coordinates.empty());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const DrivenRow& row = system_->rows[k];
        const bool moving = rates || !row.holonomic;
        evaluate_coordinate(row.row, moving, rows[k]);
        acting_[k] = row.lock < 0 || state.held[row.lock] != 0.0;
        if (row.leading.count > 0) {
            follow(row.leading, row.law, time, moving, rows[k]);
        } else if (row.locked_at >= 0) {
            rows[k].target = {state.held[row.locked_at], 0.0, 0.0};
        } else {
            rows[k].target = system_->laws->at(row.law, time, stack_);
        }
    }
}

void Equations::evaluate_elements(double time) {
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
        const ForceElement& element = system_->elements[k];
        evaluate_coordinate(element.coordinate, true, coordinates[k]);
        if (element.leading.count == 0) continue;
        follow(element.leading, element.coupling, time, true, coordinates[k]);
        double& value = coordinates[k].value.value;
        value = count(element.coordinate, value - coordinates[k].target.value, 0.0);
    }
}

void Equations::find_reactions(const double* multipliers) {
    for (std::size_t k = 0; k < reactions_.size(); ++k) {
        const Reaction& own = system_->signals.reactions[k];
        reactions_[k] = 0.0;
        for (Index row = own.first; row < own.first + own.count; ++row) {
            reactions_[k] += multipliers[row] * reaction_slope(own, row);
        }
    }
}

double Equations::reaction_slope(const Reaction& reaction, Index row) const {
    // 1 of Σ λ; of the wrench Σ λ J on the second frame, its moment about the place of the joint there, a part
    if (!acting_[row]) return 0.0;
    if (!reaction.wrench) return 1.0;
    const ConstraintRow& first = system_->rows[reaction.first].row;
    Vector6 wrench = on_frame(row, first.second);
    const Vector3 force = wrench.head<3>(), arm = motions_[first.second].rotation * first.second_place;
    wrench.tail<3>() -= arm.cross(force);
    if (!reaction.in_first) return reaction.direction.dot(wrench);
    const Matrix3& axes = motions_[first.first].rotation;
    return (axes * reaction.direction.head<3>()).dot(wrench.head<3>()) +
           (axes * reaction.direction.tail<3>()).dot(wrench.tail<3>());
}

Vector6 Equations::on_frame(Index row, Index frame) const {
    Vector6 out = Vector6::Zero();
    const auto add = [&](const ConstraintRow& own, const RowValue& value, double factor) {
        if (own.first == frame) out += factor * value.first;
        if (own.second == frame) out += factor * value.second;
        if (own.carrier == frame) out += factor * value.carrier;
    };
    const DrivenRow& driven = system_->rows[row];
    add(driven.row, rows[row].value, 1.0);
    for (Index k = driven.leading.first; k < driven.leading.first + driven.leading.count; ++k) {
        add(system_->arguments[k], arguments[k].value, -arguments[k].slope);
    }
    return out;
}

void Equations::evaluate_signals(const State& state, double time, const double* multipliers) {
    found_states = true;
    if (signals.empty()) return;
    if (!stepping) signals.take_states(state.states);
    for (std::size_t k = 0; k < measured.size(); ++k) {
        const ConstraintRow& row = system_->measured[k];
        evaluate_coordinate(row, true, measured[k]);
        counted_[k] = count(row, measured[k].value.value, state.counted[k]);
        rates_[k] = measured[k].rate.rate;
    }
    find_reactions(multipliers);
    held_ = state.held;
    for (std::size_t k = 0; finding_ && k < sliding_.size(); ++k) {
        held_[system_->signals.jumps[sliding_[k]].held + 1] = unknowns_[k];
    }
    found_states = signals.evaluate(*system_->laws, {time, counted_.data(), rates_.data(), held_.data(),
                                                     touches.data(), reactions_.data()});
}

void Equations::step_states(const Vector& base, const Vector& factors) {
    base_ = base;
    factors_ = factors;
    const Index blocks = system_->signals.states();
    signals.step_states(base.head(blocks), factors.head(blocks));
}

void Equations::read_bristles(const State& state) {
    for (std::size_t t = 0; t < touches.size(); ++t) {
        const Index first = system_->bristles[t];
        if (first < 0) continue;
        const double* base = stepping ? base_.data() : state.states.data();
        bristle_steps_[t] = {Eigen::Map<const Vector3>(base + first), stepping ? factors_[first] : 0.0};
    }
}

void Equations::gather_states() {
    const Index blocks = system_->signals.states();
    states_.head(blocks) = signals.states();
    state_rates_.head(blocks) = signals.state_rates();
    for (std::size_t t = 0; t < touches.size(); ++t) {
        const Index first = system_->bristles[t];
        if (first < 0) continue;
        states_.segment<3>(first) = touches[t].bristles.bending;
        state_rates_.segment<3>(first) = touches[t].bristles.rate;
    }
}

double Equations::law_value(Index law, double time) {
    const Index signal = system_->laws->signal(law);
    return signal >= 0 ? signals.value(signal) : system_->laws->at(law, time, stack_).value;
}

// Power of a changing field: a · Σ ∫ρ v, the linear momentum of all.
void Equations::add_fields(const State& state, double time) {
    field_ = system_->gravity;
    if (system_->fields.empty()) return;
    Vector3 changing = Vector3::Zero();
    for (const ChangingField& field : system_->fields) {
        changing += law_value(field.law, time) * field.acceleration;
    }
    field_ += changing;
    powers.loads += changing.dot(measure(state).linear_momentum);
}

void Equations::add_wrench(const ConstraintRow& row, const RowValue& value, double force) {
    Eigen::Map<Vector6>(wrench(row.first)) += force * value.first;
    Eigen::Map<Vector6>(wrench(row.second)) += force * value.second;
    Eigen::Map<Vector6>(wrench(row.carrier)) += force * value.carrier;
}

void Equations::add_wrench(const ConstraintRow& row, Leading leading, const RowState& state, double force) {
    add_wrench(row, state.value, force);
    for (Index k = leading.first; k < leading.first + leading.count; ++k) {
        add_wrench(system_->arguments[k], arguments[k].value, -arguments[k].slope * force);
    }
}

void Equations::apply_forces(double time) {
    for (const MarkerForce& force : system_->forces) {
        const FrameMotion& frame = motions_[force.frame];
        const Index b = system_->frames[force.frame].body;
        Vector6 load;
        for (int i = 0; i < 6; ++i) load[i] = law_value(force.laws[i], time);
        Vector3 push = load.head<3>(), moment = load.tail<3>();
        if (force.in_body && b >= 0) {
            push = rotations_[b] * push;
            moment = rotations_[b] * moment;
        }
        moment += (frame.rotation * force.arm).cross(push);
        Eigen::Map<Vector6> total(wrench(force.frame));
        total.head<3>() += push;
        total.tail<3>() += moment;
        powers.loads += push.dot(frame.velocity) + moment.dot(frame.angular_velocity);
    }
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
        const ForceElement& element = system_->elements[k];
        const ForceLaw& law = force_laws()[element.law];
        const double rate = coordinates[k].rate.rate;
        CoordinateForce force;
        if (element.actuator < 0 || law.energy != nullptr) {
            force = law.at(element.parameters, coordinates[k].value.value, rate, stack_);
        }
        if (element.actuator >= 0) {  // of a spring whose formula jumps what is elastic is known without that
            force.other = law_value(element.actuator, time) - force.elastic;
            force.stiffness = force.damping = 0.0;
        }
        element_forces_[k] = force;
        if (law.drives) {
            powers.loads += force.other * rate;
        } else {
            powers.dissipation -= force.other * rate;
        }
        // what bent bristles store, ½ σ₀ z², is not lost
        if (element.bristles >= 0) {
            const Index z = element.bristles;
            powers.dissipation -= element.parameters.constants[2] * signals.states()[z] * signals.state_rates()[z];
        }
        add_wrench(element.coordinate, element.leading, coordinates[k], force.elastic + force.other);
    }
}

void Equations::place_contacts(const State& state) {
    read_bristles(state);
    touching_ = state.touching;
    for (std::size_t k = 0; finding_ && k < resting_.size(); ++k) {
        touching_[resting_[k]].preload = unknowns_[sliding_.size() + k];
    }
    for (std::size_t k = 0; k < system_->contacts.size(); ++k) {
        const ContactElement& contact = system_->contacts[k];
        const Index begin = system_->first_touches[k];
        find_touches(contact, motions_[contact.first.frame], motions_[contact.second.frame],
                     touching_.data() + begin, bristle_steps_.data() + begin, touches.data() + begin);
    }
}

void Equations::apply_contacts() {
    for (std::size_t k = 0; k < system_->contacts.size(); ++k) {
        const ContactElement& contact = system_->contacts[k];
        const FrameMotion &a = motions_[contact.first.frame], &b = motions_[contact.second.frame];
        const bool turning = contact_pairs()[contact.pair].turning;
        for (Index t = system_->first_touches[k]; t < system_->first_touches[k + 1]; ++t) {
            const Touch& touch = touches[t];
            if (!touch.acts) continue;
            // forces (or moments) equal and opposite at the same point; what is not elastic is dissipated
            const Vector3 &f = touch.force, &c = touch.where.point;
            RowValue along;
            add_contact_direction(a, b, f, c, turning, along);
            Eigen::Map<Vector6>(wrench(contact.first.frame)) += along.first;
            Eigen::Map<Vector6>(wrench(contact.second.frame)) += along.second;
            const Vector3 velocity = contact_velocity(a, b, c, turning);
            contact_energy_ += touch.normal.energy;
            powers.contact += touch.normal.elastic * touch.rate - f.dot(velocity);
        }
    }
}

void Equations::local_equations(Index b, const State& state, double time, const double* x, Acting acting) {
    const Body& body = system_->bodies[b];
    const BodyIntegrals& integrals = *body.integrals;
    const Index m = body.coordinates();
    const BodyPose here = pose(b, state);
    acceleration_.head(6).setZero();
    for (Index j : body.active) acceleration_[j] = x[body.numbers[j]];
    Vector3 weight = Vector3::Zero();
    if (acting == Acting::everything) weight = rotations_[b].transpose() * field_;
    body_inertia(integrals, here.deformation, here.velocity, acceleration_.data(), weight, local_.data(),
                 scratch_[body.scratch]);
    if (acting == Acting::everything) {
        if (m > 0) {
            powers.dissipation +=
                resist(integrals, here.deformation, here.velocity, local_.data(), strain_resists);
        }
        for (Index k : body.loads) {
            const BodyLoad& load = system_->loads[k];
            const double factor = law_value(load.law, time);
            powers.loads += factor * apply_load(load, factor, rotations_[b], here.deformation, here.velocity,
                                                local_.data());
        }
    }
    for (Index f : body.frames) {
        transmit(motions_[f], rotations_[b], -Eigen::Map<const Vector6>(wrench(f)), local_.data());
    }
    for (Index j : body.active) residual[body.numbers[j]] = local_[j];
}

void Equations::evaluate(const State& state, double time, const double* x, const double* multipliers,
                         Detail detail, Acting acting) {
    place_frames(state, detail == Detail::biases);
    move_beams(state);
    evaluate_rows(state, time, detail);
    evaluate_elements(time);
    if (acting == Acting::everything) place_contacts(state);
    evaluate_signals(state, time, multipliers);
    wrenches_.setZero();
    powers = Powers();
    contact_energy_ = 0.0;
    if (acting == Acting::everything) {
        add_fields(state, time);
        apply_forces(time);
        apply_contacts();
    }
    if (states_.size() > 0) gather_states();
    for (std::size_t k = 0; k < rows.size(); ++k) {
        take_gap(k);
        if (!acting_[k]) continue;
        powers.drives += multipliers[k] * rows[k].target.rate;
        add_wrench(system_->rows[k].row, system_->rows[k].leading, rows[k], multipliers[k]);
    }
    if (!beams.empty()) residual.head(system_->size).setZero();
    for (Index b : system_->burdened) local_equations(b, state, time, x, acting);
    if (!beams.empty()) add_beams(state, time, x, acting);
    if (acting == Acting::everything && system_->joined_damping.size() > 0) {
        powers.dissipation += resist_together(state);
    }
}

void Equations::take_gap(std::size_t row) {
    // λ = 0 stands in the place of a constraint that does not act
    residual[system_->size + row] = acting_[row] ? gap(system_->rows[row], rows[row]) : 0.0;
}

void Equations::evaluate_constraints(const State& state, double time) {
    place_frames(state, false);
    evaluate_rows(state, time, Detail::rates);
    for (std::size_t k = 0; k < rows.size(); ++k) take_gap(k);
}

void Equations::move_beams(const State& state) {
    const auto pose = [&](Index b) {
        Pose out;
        out.position = Eigen::Map<const Vector3>(state.positions.data() + 3 * b);
        out.quaternion = Eigen::Map<const Vector4>(state.quaternions.data() + 4 * b);
        return out;
    };
    const auto velocity = [&](Index b) { return state.velocities.data() + system_->bodies[b].first_velocity; };
    for (std::size_t k = 0; k < beams.size(); ++k) {
        const BeamElement& beam = system_->beams[k];
        const Index a = beam.ends[0].body, b = beam.ends[1].body;
        move_beam(beam, pose(a), pose(b), velocity(a), velocity(b), beams[k]);
    }
}

void Equations::take_ends(const BeamElement& beam, const double* x, Vector12& out) const {
    out.setZero();
    for (int side = 0; side < 2; ++side) {
        const Body& body = system_->bodies[beam.ends[side].body];
        for (Index j : body.active) out[6 * side + j] = x[body.numbers[j]];
    }
}

void Equations::add_beams(const State& state, double time, const double* x, Acting acting) {
    const auto add = [&](const BeamElement& beam, const Vector12& force) {
        for (int side = 0; side < 2; ++side) {
            const Body& body = system_->bodies[beam.ends[side].body];
            for (Index j : body.active) residual[body.numbers[j]] += force[6 * side + j];
        }
    };
    const bool all = acting == Acting::everything;
    Vector12 ends;
    for (std::size_t k = 0; k < beams.size(); ++k) {
        const BeamElement& beam = system_->beams[k];
        if (beam.planar && all && strain_resists) {
            const auto numbers = [&](int side, int j) { return system_->bodies[beam.ends[side].body].numbers[j]; };
            const auto take = [&](int side) {
                return Vector3(x[numbers(side, 0)], x[numbers(side, 1)], x[numbers(side, 5)]);
            };
            const Vector6 force = planar_beam_forces(beam, beams[k], take(0), take(1), field_, true);
            for (int i = 0; i < 6; ++i) residual[numbers(i / 3, i % 3 == 2 ? 5 : i % 3)] += force[i];
            powers.dissipation += (beams[k].force - beams[k].elastic).dot(beams[k].rate);
            continue;
        }
        take_ends(beam, x, ends);
        Vector12 force = beam_inertia(beam, beams[k], ends.data(), ends.data() + 6,
                                      all ? field_ : Vector3(Vector3::Zero()));
        if (all && !strain_resists && !beam.damping.isZero()) {
            BeamState damped = beams[k];
            damped.force -= damped.elastic;
            force += beam_resistance(beam, damped);
        }
        if (all && strain_resists) {
            force += beam_resistance(beam, beams[k]);
            powers.dissipation += (beams[k].force - beams[k].elastic).dot(beams[k].rate);
        }
        add(beam, force);
    }
    if (!all) return;
    for (const BeamLoad& load : system_->beam_loads) {
        const BeamElement& beam = system_->beams[load.beam];
        const Vector12 force = law_value(load.law, time) * apply_load(beam, beams[load.beam], load);
        for (int side = 0; side < 2; ++side) {
            const Index first = system_->bodies[beam.ends[side].body].first_velocity;
            for (int j = 0; j < 6; ++j) powers.loads += force[6 * side + j] * state.velocities[first + j];
        }
        add(beam, -force);
    }
}

double Equations::resist_together(const State& state) {
    state.get_velocities(*system_, spare_.data());
    double power = 0.0;
    for (Index i = 0; i < system_->size; ++i) {
        const double resisted = system_->joined_damping.col(i).dot(spare_.head(system_->size));
        residual[i] += resisted;
        power += resisted * spare_[i];
    }
    return power;
}

double Equations::drift(const ConstraintRow& row, const RowValue& J) const {
    return J.first.dot(motions_[row.first].drift) + J.second.dot(motions_[row.second].drift) +
           J.carrier.dot(motions_[row.carrier].drift);
}

void Equations::biases(double* out) const {
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const Leading leading = system_->rows[k].leading;
        out[k] = 0.0;
        if (!acting_[k]) continue;
        out[k] = rows[k].rate.bias - rows[k].target.second + drift(system_->rows[k].row, rows[k].value);
        for (Index i = leading.first; i < leading.first + leading.count; ++i) {
            out[k] -= arguments[i].slope * drift(system_->arguments[i], arguments[i].value);
        }
    }
}

double Equations::spring_energy() {
    double total = contact_energy_;
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
        const ForceElement& element = system_->elements[k];
        const ForceLaw& law = force_laws()[element.law];
        if (law.energy) total += law.energy(element.parameters, coordinates[k].value.value, stack_);
        if (element.bristles >= 0) {
            const double z = signals.states()[element.bristles];
            total += 0.5 * element.parameters.constants[2] * z * z;
        }
    }
    return total;
}

Gaps Equations::gaps() const {
    Gaps worst;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (!acting_[k]) continue;
        const DrivenRow& row = system_->rows[k];
        if (row.holonomic) worst.position = std::max(worst.position, std::abs(gap(row, rows[k])) * row.scale);
        worst.velocity = std::max(worst.velocity, std::abs(rows[k].rate.rate - rows[k].target.rate) * row.scale);
    }
    return worst;
}

void Equations::fill(const State& state, SaddlePoint& matrix, double damping, double stiffness,
                     double regularisation) {
    matrix.clear();
    for (Index b : system_->burdened) {
        const Body& body = system_->bodies[b];
        if (body.integrals->massless()) continue;
        const Index m = body.coordinates();
        auto M = block_.topLeftCorner(6 + m, 6 + m);
        body_mass(*body.integrals, state.deformation.data() + body.first_coordinate, M, scratch_[body.scratch]);
        if (m > 0 && (damping != 0.0 || stiffness != 0.0)) {
            M.block(6, 6, m, m) += damping * body.integrals->damping + stiffness * body.integrals->stiffness;
            body.integrals->stiffen(state.deformation.data() + body.first_coordinate, stiffness,
                                    M.block(6, 6, m, m));
        }
        auto own = matrix.body(b);
        for (std::size_t j = 0; j < body.active.size(); ++j) {
            for (std::size_t i = j; i < body.active.size(); ++i) own(i, j) = M(body.active[i], body.active[j]);
        }
    }
    fill_elements(matrix, damping, stiffness);
    fill_beams(matrix, damping, stiffness);
    fill_contacts(matrix, damping, stiffness);
    if (damping != 0.0 || stiffness != 0.0) fill_corrections(state, matrix, damping, stiffness);
    if (system_->joined_damping.size() > 0 && damping != 0.0) fill_joined_damping(matrix, damping);
    fill_constraints(matrix, regularisation * system_->slack);
}

void Equations::write_matrices(const State& state, Matrix& out) {
    fill(state, own, 0.0, 0.0);
    own.keep();
    own.write(out);
    out.conservativeResize(Eigen::NoChange, system_->size);
}

std::vector<Index> Equations::moving_bodies(const ConstraintRow& row, Leading leading) const {
    // that a coordinate and those that it follows bind, each once
    std::vector<Index> out;
    const auto add = [&](const ConstraintRow& own) {
        for (Index frame : {own.first, own.second, own.carrier}) {
            const Index body = system_->frames[frame].body;
            if (body >= 0 && std::find(out.begin(), out.end(), body) == out.end()) out.push_back(body);
        }
    };
    add(row);
    for (Index k = leading.first; k < leading.first + leading.count; ++k) add(system_->arguments[k]);
    return out;
}

void Equations::row_segment(const ConstraintRow& row, Leading leading, const RowState& state, Index b,
                            Vector& out) const {
    out.head(6 + system_->bodies[b].coordinates()).setZero();
    add_segment(row, state.value, 1.0, b, out);
    for (Index k = leading.first; k < leading.first + leading.count; ++k) {
        add_segment(system_->arguments[k], arguments[k].value, -arguments[k].slope, b, out);
    }
}

void Equations::add_segment(const ConstraintRow& row, const RowValue& value, double factor, Index b,
                            Vector& out) const {
    const auto add = [&](Index frame, const Vector6& J) {
        if (system_->frames[frame].body == b) transmit(motions_[frame], rotations_[b], factor * J, out.data());
    };
    add(row.first, value.first);
    add(row.second, value.second);
    add(row.carrier, value.carrier);
}

void Equations::fill_elements(SaddlePoint& matrix, double damping, double stiffness) {
    // c JᵀJ with c = h²β' k + hγ' d; what softens is left out, so that blocks stay definite
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
        const double c = damping * element_forces_[k].damping + stiffness * element_forces_[k].stiffness;
        if (!(c > 0.0)) continue;
        const ForceElement& element = system_->elements[k];
        add_direction(matrix, element.coordinate, element.leading, coordinates[k], c);
    }
}

void Equations::fill_beams(SaddlePoint& matrix, double damping, double stiffness) {
    // what is not symmetric of the stiffness goes with forces that are not in equilibrium, and is left out
    for (std::size_t k = 0; k < beams.size(); ++k) {
        const BeamElement& beam = system_->beams[k];
        Matrix12 own = beam_mass(beam, beams[k]);
        if (damping != 0.0) own += damping * beam_damping(beam, beams[k]);
        if (stiffness != 0.0) {
            const Matrix12 K = beam_stiffness(beam, beams[k]);
            own += (0.5 * stiffness) * (K + K.transpose());
        }
        const Index a = beam.ends[0].body, b = beam.ends[1].body;
        const std::vector<Index>&first = system_->bodies[a].active, &second = system_->bodies[b].active;
        matrix.body(a) += own.topLeftCorner<6, 6>()(first, first);
        matrix.body(b) += own.bottomRightCorner<6, 6>()(second, second);
        matrix.add_coupling(b, a, own.bottomLeftCorner<6, 6>()(second, first).eval());
    }
}

void Equations::add_direction(SaddlePoint& matrix, const ConstraintRow& row, Leading leading,
                              const RowState& state, double factor) {
    const std::vector<Index> sides = moving_bodies(row, leading);
    for (std::size_t a = 0; a < sides.size(); ++a) {
        row_segment(row, leading, state, sides[a], local_);
        const Vector first = local_(system_->bodies[sides[a]].active);
        matrix.body(sides[a]).noalias() += factor * first * first.transpose();
        for (std::size_t b = 0; b < a; ++b) {
            row_segment(row, leading, state, sides[b], local_);
            const Vector second = local_(system_->bodies[sides[b]].active);
            matrix.add_coupling(sides[a], sides[b], factor * first * second.transpose());
        }
    }
}

void Equations::add_to_vector(Index b, Vector& out) const {
    const Body& body = system_->bodies[b];
    for (Index j : body.active) out[body.numbers[j]] += local_[j];
}

void Equations::direction(const ConstraintRow& row, const RowState& state, Vector& out) {
    for (Index body : moving_bodies(row, {})) {
        row_segment(row, {}, state, body, local_);
        add_to_vector(body, out);
    }
}

Index Equations::collect_directions(const State& state) {
    // columns of U: what a unit of each signal that a force follows does to the velocities
    const Index n = system_->size;
    followed_.clear();
    const auto next = [&](Index signal) -> Vector& {
        followed_.push_back(signal);
        if (directions_.size() < followed_.size()) directions_.emplace_back();
        return directions_[followed_.size() - 1].setZero(n);
    };
    for (const MarkerForce& force : system_->forces) {
        const Index b = system_->frames[force.frame].body;
        for (int i = 0; b >= 0 && i < 6; ++i) {
            const Index signal = system_->laws->signal(force.laws[i]);
            if (signal < 0) continue;
            const FrameMotion& frame = motions_[force.frame];
            Vector3 push = Vector3::Zero(), moment = Vector3::Zero();
            (i < 3 ? push : moment)[i % 3] = 1.0;
            if (force.in_body) {
                push = rotations_[b] * push;
                moment = rotations_[b] * moment;
            }
            Vector6 unit;
            unit << push, moment + (frame.rotation * force.arm).cross(push);
            local_.setZero();
            transmit(frame, rotations_[b], unit, local_.data());
            add_to_vector(b, next(signal));
        }
    }
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
        const ForceElement& element = system_->elements[k];
        const Index signal = element.actuator < 0 ? -1 : system_->laws->signal(element.actuator);
        if (signal >= 0) direction(element.coordinate, coordinates[k], next(signal));
    }
    for (const BodyLoad& load : system_->loads) {
        const Index signal = system_->laws->signal(load.law);
        if (signal < 0) continue;
        local_.setZero();
        const BodyPose here = pose(load.body, state);
        apply_load(load, -1.0, rotations_[load.body], here.deformation, here.velocity, local_.data());
        add_to_vector(load.body, next(signal));
    }
    for (const ChangingField& field : system_->fields) {
        const Index signal = system_->laws->signal(field.law);
        if (signal < 0) continue;
        Vector& out = next(signal);
        acceleration_.setZero();
        for (Index b : system_->burdened) {
            // the weight of a body at rest in the field
            const Body& body = system_->bodies[b];
            body_inertia(*body.integrals, pose(b, state).deformation, acceleration_.data(), acceleration_.data(),
                         rotations_[b].transpose() * field.acceleration, local_.data(), scratch_[body.scratch]);
            local_ = -local_;
            add_to_vector(b, out);
        }
        const Vector12 still = Vector12::Zero();
        for (std::size_t k = 0; k < beams.size(); ++k) {
            const BeamElement& beam = system_->beams[k];
            BeamState resting = beams[k];
            resting.twists.setZero();
            resting.rate.setZero();
            const Vector12 weight = beam_inertia(beam, resting, still.data(), still.data(), field.acceleration);
            for (int side = 0; side < 2; ++side) {
                const Body& body = system_->bodies[beam.ends[side].body];
                for (Index j : body.active) out[body.numbers[j]] -= weight[6 * side + j];
            }
        }
    }
    return static_cast<Index>(followed_.size());
}

Index Equations::collect_rubbing() {
    // tangents along which friction acts: that across the slip counts where friction has a memory
    rubbing_.clear();
    for (std::size_t k = 0; k < system_->contacts.size(); ++k) {
        const ContactElement& contact = system_->contacts[k];
        if (!contact.rough()) continue;
        for (Index t = system_->first_touches[k]; t < system_->first_touches[k + 1]; ++t) {
            if (!(touches[t].normal.force > 0.0)) continue;
            rubbing_.emplace_back(t, 0);
            if (contact.has_bristles()) rubbing_.emplace_back(t, 1);
        }
    }
    return static_cast<Index>(rubbing_.size());
}

void Equations::fill_corrections(const State& state, SaddlePoint& matrix, double damping, double stiffness) {
    // forces of the directions U that follow state and multipliers with the slopes W add −U W to the matrix
    const Index followed = signals.empty() ? 0 : collect_directions(state), rubbing = collect_rubbing();
    if (followed + rubbing == 0) return;
    corrected_.setZero(system_->size, followed + rubbing);
    slopes_.setZero(followed + rubbing, system_->size + system_->row_count());
    if (followed > 0) correct_signals(followed, damping, stiffness);
    correct_friction(followed, damping, stiffness);
    matrix.correct(corrected_, slopes_);
}

void Equations::correct_signals(Index count, double damping, double stiffness) {
    const Index own = static_cast<Index>(measured.size());
    const Index read = own + (system_->signals.reads_contacts() ? static_cast<Index>(touches.size()) : 0);
    signals.differentiate(*system_->laws);
    for (Index c = 0; c < count; ++c) corrected_.col(c) = directions_[c];
    Vector& J = right_;
    for (Index k = 0; k < read; ++k) {
        bool is_found = false;  // J, where a force follows this coordinate
        for (Index c = 0; c < count; ++c) {
            const auto gradient = signals.gradient(followed_[c]);
            const double slope = stiffness * gradient[k] + damping * gradient[read + k];
            if (slope == 0.0) continue;
            if (!is_found && k < own) direction(system_->measured[k], measured[k], J.setZero());
            if (!is_found && k >= own) touch_direction(k - own, touches[k - own].where.normal, J.setZero());
            is_found = true;
            slopes_.row(c).head(system_->size) += slope * J.head(system_->size).transpose();
        }
    }
    // Reactions change with multipliers; how they turn with the positions is left to the iteration.
    for (std::size_t k = 0; k < reactions_.size(); ++k) {
        const Reaction& reaction = system_->signals.reactions[k];
        for (Index c = 0; c < count; ++c) {
            const double slope = signals.gradient(followed_[c])[2 * read + static_cast<Index>(k)];
            if (slope == 0.0) continue;
            for (Index row = reaction.first; row < reaction.first + reaction.count; ++row) {
                slopes_(c, system_->size + row) += slope * reaction_slope(reaction, row);
            }
        }
    }
}

void Equations::correct_friction(Index first, double damping, double stiffness) {
    // Friction f = N r along two tangents: ∂f/∂q = −r (h²β' ∂N/∂δ + hγ' ∂N/∂δ̇) Jₙ − hγ' N (−∂r/∂v) J_t. The
    // normal force changes friction, friction not the normal force, so that this is not symmetric; what stands in
    // the blocks of the last term is left out.
    Vector& J = right_;
    for (std::size_t c = 0; c < rubbing_.size(); ++c) {
        const auto [t, own] = rubbing_[c];
        const Touch& touch = touches[t];
        const ConstraintRow row = system_->contact_of(t).between();
        const auto along = [&](const RowValue& value) -> Vector& {
            RowState state;
            state.value = value;
            direction(row, state, J.setZero());
            return J;
        };
        const Index column = first + static_cast<Index>(c), n = system_->size;
        const RowValue* tangents[2] = {&touch.along_slip, &touch.across_slip};
        corrected_.col(column) = along(*tangents[own]).head(n);
        const double follows = damping * touch.normal.damping + stiffness * touch.normal.stiffness;
        slopes_.row(column).head(n) =
            -touch.friction.ratio[own] * follows * along(touch.along_normal).head(n).transpose();
        for (int other = 0; other < 2; ++other) {
            double resistance = touch.friction.resistance(own, other);
            if (other == own) resistance = std::min(resistance, 0.0);
            if (resistance == 0.0) continue;
            slopes_.row(column).head(n) -= damping * touch.normal.force * resistance *
                                           along(*tangents[other]).head(n).transpose();
        }
    }
}

void Equations::fill_contacts(SaddlePoint& matrix, double damping, double stiffness) {
    // normal: h²β' ∂N/∂δ + hγ' ∂N/∂δ̇; friction: hγ' N (−∂r/∂v) along the slip and across it. What softens is left
    // out, so that blocks stay definite, and what is not symmetric: `correct_friction` has them.
    if (damping == 0.0 && stiffness == 0.0) return;
    for (std::size_t k = 0; k < system_->contacts.size(); ++k) {
        const ConstraintRow row = system_->contacts[k].between();
        for (Index t = system_->first_touches[k]; t < system_->first_touches[k + 1]; ++t) {
            const Touch& touch = touches[t];
            if (!touch.acts) continue;
            const double N = touch.normal.force;
            const auto add = [&](const RowValue& value, double factor) {
                RowState along;
                along.value = value;
                if (factor > 0.0) add_direction(matrix, row, {}, along, factor);
            };
            add(touch.along_normal, damping * touch.normal.damping + stiffness * touch.normal.stiffness);
            if (!(N > 0.0)) continue;
            add(touch.along_slip, damping * N * touch.friction.resistance(0, 0));
            add(touch.across_slip, damping * N * touch.friction.resistance(1, 1));
        }
    }
}

void Equations::touch_direction(Index touch, const Vector3& along, Vector& out) {
    const ContactElement& contact = system_->contact_of(touch);
    const ConstraintRow row = contact.between();
    RowState state;  // at the place where they are nearest, whether they touch or not
    add_contact_direction(motions_[row.first], motions_[row.second], along, touches[touch].where.point,
                          contact_pairs()[contact.pair].turning, state.value);
    direction(row, state, out);
}

double Equations::mobility(const State& state, Index touch, double stiffness) {
    std::vector<NormalForce> forces;
    for (Touch& each : touches) {  // without the stiffness of the contacts themselves
        forces.push_back(each.normal);
        each.normal = NormalForce();
    }
    fill(state, own, 0.0, stiffness);
    for (std::size_t t = 0; t < touches.size(); ++t) touches[t].normal = forces[t];
    if (!own.factorise()) return 0.0;
    spare_.setZero();
    touch_direction(touch, touches[touch].where.normal, spare_);
    right_ = spare_;
    own.solve(right_.data());
    return spare_.head(system_->size).dot(right_.head(system_->size));
}

void Equations::fill_joined_damping(SaddlePoint& matrix, double damping) {
    const auto own = [&](Index b) { return system_->bodies[b].numbers[6]; };
    for (Index b = 0; b < static_cast<Index>(system_->bodies.size()); ++b) {
        const Index m = system_->bodies[b].coordinates();
        if (m == 0) continue;
        matrix.body(b).bottomRightCorner(m, m) += damping * system_->joined_damping.block(own(b), own(b), m, m);
        for (Index c = 0; c < b; ++c) {
            const Index k = system_->bodies[c].coordinates();
            if (k == 0) continue;
            Matrix block = Matrix::Zero(system_->bodies[b].active.size(), system_->bodies[c].active.size());
            block.bottomRightCorner(m, k) = damping * system_->joined_damping.block(own(b), own(c), m, k);
            matrix.add_coupling(b, c, block);
        }
    }
}

Eigen::Block<Matrix> Equations::constraint_block(const RowGroup& group, Index b) {
    const std::vector<Index>& active = system_->bodies[b].active;
    auto A = segment_.topLeftCorner(group.count, active.size());
    for (Index k = 0; k < group.count; ++k) {
        const DrivenRow& row = system_->rows[group.first + k];
        if (!acting_[group.first + k]) {
            A.row(k).setZero();
            continue;
        }
        row_segment(row.row, row.leading, rows[group.first + k], b, local_);
        for (std::size_t j = 0; j < active.size(); ++j) A(k, j) = local_[active[j]];
    }
    return A;
}

Matrix Equations::dependent_rows(double tolerance) {
    std::vector<BoundRows> bound;
    for (const RowGroup& group : system_->groups) {
        BoundRows own{group.count, group.bodies, {}};
        for (Index b : group.bodies) {
            Matrix A = constraint_block(group, b);
            for (Index k = 0; k < group.count; ++k) A.row(k) *= system_->rows[group.first + k].scale;
            const Body& body = system_->bodies[b];
            for (Index j = 0; j < A.cols(); ++j) A.col(j) *= system_->scales[body.numbers[body.active[j]]];
            own.blocks.push_back(std::move(A));
        }
        bound.push_back(std::move(own));
    }
    return flexframe::dependent_rows(bound, static_cast<Index>(system_->bodies.size()), tolerance);
}

void Equations::fill_constraints(SaddlePoint& matrix, double slack) {
    for (std::size_t g = 0; g < system_->groups.size(); ++g) {
        const RowGroup& group = system_->groups[g];
        Vector& sizes = spare_;  // Σ A_j²/H_jj
        sizes.head(group.count).setZero();
        for (Index b : group.bodies) {
            const auto A = constraint_block(group, b);
            const auto H = matrix.body(b);
            for (Index j = 0; j < A.cols(); ++j) {
                if (H(j, j) > 0.0) sizes.head(group.count) += A.col(j).cwiseAbs2() / H(j, j);
            }
            matrix.add_constraints(g, b, A);
        }
        for (Index k = 0; k < group.count; ++k) {
            if (!acting_[group.first + k]) matrix.group(g)(k, k) = -1.0;
            else if (slack != 0.0) matrix.group(g)(k, k) = -slack * sizes[k];
        }
    }
}

bool Equations::accelerations(const State& state, double time, double* x, double* multipliers) {
    collect_conditions(state);
    if (sliding_.empty() && resting_.empty()) return solve_accelerations(state, time, x, multipliers);
    finding_ = true;
    const bool found = meet_conditions(state, time, x, multipliers);
    finding_ = false;
    return found;
}

bool Equations::solve_accelerations(const State& state, double time, double* x, double* multipliers) {
    const Index n = system_->size, count = system_->row_count();
    std::fill_n(x, n, 0.0);
    std::fill_n(multipliers, count, 0.0);
    evaluate(state, time, x, multipliers, Detail::biases);
    right_.head(n) = -residual.head(n);
    biases(right_.data() + n);
    right_.tail(count) = -right_.tail(count);
    fill(state, own, 0.0, 0.0);
    if (!own.factorise()) return false;
    own.solve_refined(right_.data());
    std::copy_n(right_.data(), n, x);
    std::copy_n(right_.data() + n, count, multipliers);
    if (follows_reactions_) return meet_reactions(state, time, x, multipliers);
    for (Index row = 0; row < count; ++row) powers.drives += multipliers[row] * rows[row].target.rate;
    if (!reactions_.empty()) evaluate_signals(state, time, multipliers);
    return true;
}

bool Equations::meet_reactions(const State& state, double time, double* x, double* multipliers) {
    // Newton on M u̇ + h − Q(λ) − Aᵀλ = 0 with A u̇ kept, from the solution without the forces that follow λ. Half
    // corrections lead across the bends of a reaction that changes its sense.
    const Index n = system_->size, count = system_->row_count();
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_reaction_iterations; ++iteration) {
        evaluate(state, time, x, multipliers, Detail::biases);
        fill(state, own, 0.0, 0.0);
        fill_corrections(state, own, 0.0, 0.0);
        if (!own.factorise()) return false;
        right_.head(n) = -residual.head(n);
        right_.tail(count).setZero();
        own.solve_refined(right_.data());
        const double part = iteration < 10 ? 1.0 : 0.5;
        Eigen::Map<Vector>(x, n) += part * right_.head(n);
        Eigen::Map<Vector> lambda(multipliers, count);
        lambda += part * right_.tail(count);
        const double size = right_.tail(count).lpNorm<Eigen::Infinity>();
        const double whole = lambda.lpNorm<Eigen::Infinity>();
        if (!std::isfinite(size)) return false;
        const bool found = size <= 1e-14 * whole || (size <= 1e-10 * whole && size >= 0.5 * last);
        last = size;
        if (!found) continue;
        evaluate(state, time, x, multipliers, Detail::biases);
        return true;
    }
    return false;
}

bool Equations::project(State& state, double time, double* u, double goal) {
    const Index n = system_->size, count = system_->row_count();
    state.set_velocities(*system_, u);
    nothing_.setZero();
    bool on_positions = false;  // positions first, then velocities
    for (int iteration = 0; iteration < 50; ++iteration) {
        evaluate(state, time, nothing_.data(), nothing_.data(), Detail::rates);
        if (count == 0) return true;
        if (iteration == 0) {
            fill(state, own, 0.0, 0.0);
            if (!own.factorise()) return false;
        }
        const Gaps worst = gaps();
        on_positions = on_positions || worst.position <= goal || iteration == 25;
        if (on_positions && worst.velocity <= goal * std::max(1.0, largest_speed(*system_, u))) break;
        right_.head(n).setZero();
        for (Index row = 0; row < count; ++row) {
            if (!acting_[row]) {
                right_[n + row] = 0.0;
            } else if (on_positions) {
                right_[n + row] = rows[row].target.rate - rows[row].rate.rate;
            } else {
                right_[n + row] = system_->rows[row].holonomic ? -residual[n + row] : 0.0;
            }
        }
        own.solve(right_.data());
        if (on_positions) {
            for (Index i = 0; i < n; ++i) u[i] += right_[i];
            state.set_velocities(*system_, u);
        } else {
            moved_.copy_positions(state);
            advance(*system_, state, right_.data(), moved_);
            state.copy_positions(moved_);
        }
    }
    const Gaps worst = gaps();
    const double fast = std::max(1.0, largest_speed(*system_, u));
    return worst.position <= 1e3 * goal && worst.velocity <= 1e3 * goal * fast;
}

Measures Equations::measure(const State& state) {
    Measures out;
    const Vector still = Vector::Zero(local_.size());
    for (Index b : system_->burdened) {
        const Body& body = system_->bodies[b];
        const BodyIntegrals& integrals = *body.integrals;
        const Index m = body.coordinates();
        const BodyPose here = pose(b, state);
        BodyScratch& scratch = scratch_[body.scratch];
        // M u is the inertia of a body that is accelerated by u from rest
        body_inertia(integrals, here.deformation, still.data(), here.velocity, Vector3::Zero(), local_.data(),
                     scratch);
        const Eigen::Map<const Vector> u(here.velocity, 6 + m);
        const Eigen::Map<const Vector3> r(here.position);
        out.kinetic += 0.5 * u.dot(local_.head(6 + m));
        out.strain += integrals.strain_energy(here.deformation);
        const Vector3 p = rotations_[b] * local_.head<3>();
        out.linear_momentum += p;
        out.angular_momentum += rotations_[b] * local_.segment<3>(3) + r.cross(p);
        // −g · (m r + R s)
        Vector3 s = integrals.first_moment;
        if (m > 0) s += integrals.origin_coupling.transpose() * scratch.motion.col(0);
        out.gravity -= system_->gravity.dot(integrals.mass * r + rotations_[b] * s);
    }
    for (std::size_t k = 0; k < beams.size(); ++k) {
        const BeamMeasures own = measure_beam(system_->beams[k], beams[k]);
        out.kinetic += own.kinetic;
        out.strain += own.strain;
        out.linear_momentum += own.linear;
        out.angular_momentum += own.angular;
        out.gravity -= system_->gravity.dot(own.first_moment);
    }
    return out;
}

std::pair<Status, Index> Equations::judge_deflection(const State& state, double limit) const {
    const auto [bent, body] = deflection(state);
    if (!(bent <= limit)) return {std::isfinite(bent) ? Status::too_bent : Status::not_finite, body};
    for (std::size_t k = 0; k < beams.size(); ++k) {
        if (!(beams[k].d.tail<3>().norm() <= most_turn)) return {Status::folded, system_->beams[k].ends[0].body};
    }
    return {Status::done, -1};
}

// The largest rotation of a section [rad], or displacement over the length of its body, and that body.
std::pair<double, Index> Equations::deflection(const State& state) const {
    double largest = 0.0;
    Index worst = -1;
    for (std::size_t b = 0; b < system_->bodies.size(); ++b) {
        const Body& body = system_->bodies[b];
        const Index m = body.coordinates();
        if (m == 0) continue;
        const Eigen::Map<const Vector> delta(state.deformation.data() + body.first_coordinate, m);
        double total = 0.0;  // δᵀ m δ
        for (Index t = 0; t < m; ++t) total += delta[t] * body.integrals->field_mass.col(t).head(m).dot(delta);
        const double share = body.integrals->counted_turn();
        const double size = 2.0 * share * std::sqrt(std::max(total, 0.0) / body.integrals->mass) / body.length;
        if (!(size <= largest)) {
            largest = size;
            worst = b;
        }
        for (Index f : body.frames) {
            if (system_->frames[f].kind == FrameKind::rigid) continue;
            const double turn = share * (system_->frames[f].rows.rightCols<3>().transpose() * delta).norm();
            if (!(turn <= largest)) {
                largest = turn;
                worst = b;
            }
        }
    }
    return {largest, worst};
}

}  // namespace flexframe
