#include "flexframe/step_balance.hpp"

#include <cmath>

namespace flexframe {

namespace {

constexpr double pi = 3.141592653589793;

Vector6 turn(const Matrix3& R, const Vector6& v) {
    Vector6 out;
    out << R * v.head<3>(), R * v.tail<3>();
    return out;
}

/// Elastic force along a coordinate that works as its energy changes, and what is not elastic.
CoordinateForce mean_force(const ForceLaw& law, const ForceParameters& parameters, double start, double change,
                           double step, std::vector<Jet>& stack) {
    CoordinateForce out = law.at(parameters, start + 0.5 * change, change / step, stack);
    if (!law.energy) return out;
    const double first = law.energy(parameters, start, stack);
    const double last = law.energy(parameters, start + change, stack);
    if (std::abs(last - first) > 1e-6 * (std::abs(first) + std::abs(last))) {
        out.elastic = (first - last) / change;
        return out;
    }
    // energies are too close for their difference, and the force a cubic to rounding: two points of Gauss
    const auto elastic = [&](double part) {
        return law.at(parameters, start + part * change, 0.0, stack).elastic;
    };
    const double aside = 0.5 / std::sqrt(3.0);
    out.elastic = 0.5 * (elastic(0.5 - aside) + elastic(0.5 + aside));
    return out;
}

}  // namespace

StepBalance::StepBalance(std::shared_ptr<const System> system)
    : residual(Vector::Zero(system->size + system->row_count())),
      left(system->bodies.size(), Vector6::Zero()),
      given(left),
      falls(system->bodies.size(), 0),
      axes(system->bodies.size(), Vector3::Zero()),
      system_(std::move(system)),
      start_beams_(system_->beams.size()),
      end_beams_(start_beams_),
      start_momenta_(left),
      end_momenta_(left),
      frames_(system_->bodies.size() + 1),
      wrenches_(system_->bodies.size() + 1),
      quaternions_(system_->bodies.size()),
      end_quaternions_(quaternions_),
      carried_(axes),
      stack_(system_->stack_size()) {
    BodyScratch scratch;
    scratch.resize(0, 0);
    for (const Body& body : system_->bodies) {
        Matrix mass(6, 6);
        body_mass(*body.integrals, nullptr, mass, scratch);
        masses_.emplace_back(mass.selfadjointView<Eigen::Lower>());
    }
    frames_.back().join(Vector3::Zero());
}

StepBalance::Motion StepBalance::motion(const std::vector<Index>& bodies, const State& state) const {
    Motion out;
    std::vector<char> own(masses_.size(), 0);
    for (Index b : bodies) {
        own[b] = 1;
        const double mass = masses_[b](0, 0);
        const double* u = state.velocities.data() + system_->bodies[b].first_velocity;
        const FrameInSpace& frame = frames_[b].start;
        out.mass += mass;
        out.kinetic += 0.5 * start_momenta_[b].dot(Eigen::Map<const Vector6>(u));
        out.momentum += frame.rotation * start_momenta_[b].head<3>();
        out.first_moment += mass * frame.position + frame.rotation * system_->bodies[b].integrals->first_moment;
    }
    for (std::size_t k = 0; k < start_beams_.size(); ++k) {
        if (!own[system_->beams[k].ends[0].body]) continue;
        const BeamMeasures beam = measure_beam(system_->beams[k], start_beams_[k]);
        out.mass += beam.mass;
        out.first_moment += beam.first_moment;
    }
    return out;
}

void StepBalance::place_end(const State& state) {
    const auto velocity = [&](Index b) { return state.velocities.data() + system_->bodies[b].first_velocity; };
    const auto pose = [&](Index b) {
        Pose at;
        at.position = Eigen::Map<const Vector3>(state.positions.data() + 3 * b);
        at.quaternion = Eigen::Map<const Vector4>(state.quaternions.data() + 4 * b);
        return at;
    };
    for (std::size_t b = 0; b < masses_.size(); ++b) {
        end_quaternions_[b] = Eigen::Map<const Vector4>(state.quaternions.data() + 4 * b);
        frames_[b].end.position = Eigen::Map<const Vector3>(state.positions.data() + 3 * b);
        frames_[b].end.rotation = rotation_matrix(end_quaternions_[b].data());
        end_momenta_[b] = masses_[b] * Eigen::Map<const Vector6>(velocity(b));
    }
    for (std::size_t k = 0; k < end_beams_.size(); ++k) {
        const BeamElement& beam = system_->beams[k];
        const Index a = beam.ends[0].body, b = beam.ends[1].body;
        move_beam(beam, pose(a), pose(b), velocity(a), velocity(b), end_beams_[k]);
        const Vector12 momentum = beam_momentum(beam, end_beams_[k]);
        end_momenta_[a] += momentum.head<6>();
        end_momenta_[b] += momentum.tail<6>();
    }
}

void StepBalance::begin(const State& state) {
    place_end(state);
    next();
}

Index StepBalance::folded() const {
    for (std::size_t k = 0; k < start_beams_.size(); ++k) {
        if (!(start_beams_[k].d.tail<3>().norm() <= most_turn)) return system_->beams[k].ends[0].body;
    }
    return -1;
}

void StepBalance::place_fields(double time) {
    changing.setZero();
    for (const ChangingField& each : system_->fields) changing += law(each.law, time) * each.acceleration;
    field = system_->gravity + changing;
}

void StepBalance::next() {
    start_beams_.swap(end_beams_);
    start_momenta_.swap(end_momenta_);
    quaternions_.swap(end_quaternions_);
    for (FrameStep& frame : frames_) frame.start = frame.end;
}

const FrameStep& StepBalance::frame(Index number) const {
    const Index body = system_->frames[number].body;
    return body < 0 ? frames_.back() : frames_[body];
}

void StepBalance::add(Index frame, const Vector6& wrench, double factor) {
    const Index body = system_->frames[frame].body;
    if (body >= 0) wrenches_[body] += factor * wrench;
}

void StepBalance::add_load(Index body, const Vector6& wrench) {
    wrenches_[body] += wrench;
    works.values[1] += frames_[body].work(wrench) + wrench.head<3>().dot(carried_[body]);
}

void StepBalance::apply_beams(double step) {
    for (std::size_t k = 0; k < system_->beams.size(); ++k) {
        const BeamElement& beam = system_->beams[k];
        const Index a = beam.ends[0].body, b = beam.ends[1].body;
        const Vector3 weight = falls[a] ? Vector3(Vector3::Zero()) : field;
        const BeamStepForces forces =
            beam_step_forces(beam, start_beams_[k], end_beams_[k], frames_[a], frames_[b], step, weight);
        wrenches_[a] += forces.on[0];
        wrenches_[b] += forces.on[1];
        works.values[2] += forces.dissipated;
        if (!falls[a] && !changing.isZero()) {
            const BeamMeasures first = measure_beam(beam, start_beams_[k]);
            const BeamMeasures last = measure_beam(beam, end_beams_[k]);
            works.values[1] += changing.dot(last.first_moment - first.first_moment);
        }
    }
}

void StepBalance::apply_loads(double middle) {
    for (std::size_t b = 0; b < masses_.size(); ++b) {
        const double mass = masses_[b](0, 0);
        if (mass == 0.0 || falls[b]) continue;
        const Vector3 centre = frames_[b].mean.rotation * system_->bodies[b].integrals->first_moment;
        Vector6 weight;
        weight << mass * field, centre.cross(field);
        wrenches_[b] += weight;
        if (changing.isZero()) continue;
        weight << mass * changing, centre.cross(changing);
        works.values[1] += frames_[b].work(weight);
    }
    for (const MarkerForce& force : system_->forces) {
        const Index b = system_->frames[force.frame].body;
        if (b < 0) continue;
        Vector6 load;
        for (int i = 0; i < 6; ++i) load[i] = law(force.laws[i], middle);
        if (force.in_body) load = turn(frames_[b].mean.rotation, load);
        load.tail<3>() += (frames_[b].mean.rotation * force.arm).cross(load.head<3>());
        add_load(b, load);
    }
    for (const BodyLoad& load : system_->loads) {
        const FrameStep& body = frames_[load.body];
        const Vector6 still = Vector6::Zero();
        Vector6 first = still, last = still;
        apply_load(load, -1.0, body.start.rotation, nullptr, still.data(), first.data());
        apply_load(load, -1.0, body.end.rotation, nullptr, still.data(), last.data());
        const double factor = 0.5 * law(load.law, middle);
        add_load(load.body, factor * (turn(body.start.rotation, first) + turn(body.end.rotation, last)));
    }
    for (const BeamLoad& load : system_->beam_loads) {
        const BeamElement& beam = system_->beams[load.beam];
        const Vector12 first = apply_load(beam, start_beams_[load.beam], load);
        const Vector12 last = apply_load(beam, end_beams_[load.beam], load);
        const double factor = 0.5 * law(load.law, middle);
        for (int side = 0; side < 2; ++side) {
            const FrameStep& body = frames_[beam.ends[side].body];
            add_load(beam.ends[side].body, factor * (turn(body.start.rotation, first.segment<6>(6 * side)) +
                                                     turn(body.end.rotation, last.segment<6>(6 * side))));
        }
    }
}

void StepBalance::apply_elements(double middle, double step) {
    for (const ForceElement& element : system_->elements) {
        const ConstraintRow& row = element.coordinate;
        const FrameStep &a = frame(row.first), &b = frame(row.second), &carrier = frame(row.carrier);
        const RowValue J = row_slope(row, a, b, carrier);
        const double start = row_value(row, a.start, b.start, carrier.start).value;
        const ForceLaw& law = force_laws()[element.law];
        CoordinateForce force;
        if (element.actuator >= 0) {
            force.other = this->law(element.actuator, middle);
        } else {
            force = mean_force(law, element.parameters, start, J.value, step, stack_);
        }
        works.values[law.drives ? 1 : 2] += (law.drives ? 1.0 : -1.0) * force.other * J.value;
        const double total = force.elastic + force.other;
        add(row.first, J.first, total);
        add(row.second, J.second, total);
        add(row.carrier, J.carrier, total);
    }
}

void StepBalance::apply_rows(const Vector& multipliers, double time, double step) {
    for (Index k = 0; k < system_->row_count(); ++k) {
        const DrivenRow& driven = system_->rows[k];
        const ConstraintRow& row = driven.row;
        const FrameStep &a = frame(row.first), &b = frame(row.second), &carrier = frame(row.carrier);
        const RowValue J = row_slope(row, a, b, carrier);
        add(row.first, J.first, multipliers[k]);
        add(row.second, J.second, multipliers[k]);
        add(row.carrier, J.carrier, multipliers[k]);
        double& gap = residual[system_->size + k];
        if (driven.holonomic) {
            gap = row_value(row, a.end, b.end, carrier.end).value - law(driven.law, time);
            if (constraint_types()[row.type].periodic) gap -= 2.0 * pi * std::floor((gap + pi) / (2.0 * pi));
        } else {
            gap = J.value / step - system_->laws->at(driven.law, time - 0.5 * step, stack_).rate;
        }
        works.values[0] += multipliers[k] * J.value;
    }
}

void StepBalance::evaluate(const State& end, const Vector& twists, const Vector& multipliers, double time,
                           double step) {
    place_end(end);
    works = Works();
    const double middle = time - 0.5 * step;
    for (std::size_t b = 0; b < masses_.size(); ++b) {
        const Body& body = system_->bodies[b];
        Vector3 tau = Vector3::Zero();
        for (Index j : body.active) {
            if (j >= 3) tau[j - 3] = twists[body.numbers[j]];
        }
        frames_[b].join(frames_[b].start.rotation * tau);
        carried_[b] = step * axes[b];
    }
    for (Vector6& each : wrenches_) each.setZero();
    apply_beams(step);
    apply_loads(middle);
    apply_elements(middle, step);
    apply_rows(multipliers, time, step);
    for (std::size_t b = 0; b < masses_.size(); ++b) {
        const FrameStep& frame = frames_[b];
        const Vector6 first = turn(frame.start.rotation, start_momenta_[b]);
        const Vector6 last = turn(frame.end.rotation, end_momenta_[b]);
        left[b] = last - first - step * wrenches_[b] + given[b];
        left[b].tail<3>() += frame.shift().cross(0.5 * (first + last).head<3>());
        // axes half way between both ends: there a change of ū and one of the place at the end are the same
        Vector4 half = quaternions_[b] + end_quaternions_[b];
        half.normalize();
        const Vector6 local = turn(rotation_matrix(half.data()).transpose(), left[b] / step);
        const Body& body = system_->bodies[b];
        for (Index j : body.active) residual[body.numbers[j]] = local[j];
    }
}

}  // namespace flexframe
