// Systems of the tests of integrators, and arrays for their samples.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "clouds.hpp"
#include "flexframe/samples.hpp"
#include "flexframe/system.hpp"
#include "random.hpp"

namespace flexframe::tests {

inline Index type_of(const std::string& name) {
    const auto& types = constraint_types();
    for (std::size_t k = 0; k < types.size(); ++k) {
        if (types[k].name == name) return static_cast<Index>(k);
    }
    return -1;
}

inline Index law_of(const std::string& name) {
    const auto& laws = force_laws();
    for (std::size_t k = 0; k < laws.size(); ++k) {
        if (laws[k].name == name) return static_cast<Index>(k);
    }
    return -1;
}

/// A coordinate between two frames; places and directions at their origins and along x.
inline ConstraintRow row_between(const std::string& type, Index first, Index second, Index carrier) {
    ConstraintRow out;
    out.type = type_of(type);
    out.first = first;
    out.second = second;
    out.carrier = carrier;
    out.first_place = out.second_place = Vector3::Zero();
    out.x = out.y = out.z = Vector3::UnitX();
    return out;
}

/// Three rows that hold a frame at the origin of space.
inline void hold_at_origin(System& system, Index frame, Index ground) {
    for (int axis = 0; axis < 3; ++axis) {
        DrivenRow held;
        held.row = row_between("along", ground, frame, ground);
        held.row.x = Vector3::Unit(axis);
        system.rows.push_back(held);
    }
}

/// Laws of time: 0, 1 and sin 5t.
inline std::shared_ptr<const TimeLaws> three_laws() {
    TimeLaws laws;
    const auto kind = [](LawKind which) { return static_cast<Index>(which); };
    laws.kinds = {kind(LawKind::number), kind(LawKind::number), kind(LawKind::tape)};
    laws.starts = {0, 0, 0};
    laws.counts = {0, 0, 4};
    laws.values = {0.0, 1.0, 0.0};
    laws.origins = std::vector<double>(6, 0.0);
    laws.columns = {0, 0, 0};
    for (Operation code : {Operation::number, Operation::variable, Operation::multiply, Operation::sin}) {
        laws.opcodes.push_back(static_cast<Index>(code));
    }
    laws.operands = {5.0, 0.0, 0.0, 0.0};
    laws.stack_size = 2;
    return std::make_shared<const TimeLaws>(laws);
}

/// A body numbered after the others.
inline void add_body(System& system, const BodyIntegrals& integrals) {
    Body body;
    body.integrals = std::make_shared<const BodyIntegrals>(integrals);
    for (Index j = 0; j < 6 + integrals.coordinates; ++j) body.numbers.push_back(system.size++);
    system.bodies.push_back(body);
}

/// A frame at a place of a rigid body, or the origin of any.
inline void add_frame(System& system, Index body, const Vector3& place) {
    Frame frame;
    frame.body = body;
    frame.place = place;
    system.frames.push_back(frame);
}

inline std::shared_ptr<const System> finished(System& system) {
    system.laws = three_laws();
    system.gravity = Vector3(0.0, -9.81, 0.0);
    system.scales = Vector::Ones(system.size);
    system.prepare();
    return std::make_shared<const System>(system);
}

/// Two rigid bodies in space, the first held at the origin, the second at a point of the first.
inline std::shared_ptr<const System> double_pendulum() {
    Random random(31);
    System system;
    for (int b = 0; b < 2; ++b) add_body(system, Cloud(random, 8, 0, 0).integrals());
    for (Index b = 0; b < 2; ++b) add_frame(system, b, Vector3::Zero());
    add_frame(system, -1, Vector3::Zero());
    hold_at_origin(system, 0, 2);
    for (int axis = 0; axis < 3; ++axis) {
        DrivenRow held;
        held.row = row_between("along", 0, 1, 2);
        held.row.first_place = Vector3(1.0, 0.5, -0.2);
        held.row.x = Vector3::Unit(axis);
        system.rows.push_back(held);
    }
    return finished(system);
}

/// An elastic body held at the origin, with a spring, friction, a force and a load of its own.
inline std::shared_ptr<const System> elastic_pendulum() {
    Random random(32);
    const Index m = 3;
    System system;
    BodyIntegrals integrals = Cloud(random, 12, m, 2).integrals();
    integrals.stiffness = 2000.0 * random.definite(m);
    integrals.damping = 2.0 * random.definite(m);
    add_body(system, integrals);
    add_frame(system, 0, Vector3::Zero());
    Frame tip;
    tip.body = 0;
    tip.kind = FrameKind::turned;
    tip.curved = true;
    tip.place = Vector3(0.8, 0.3, 0.1);
    tip.rows = random.matrix(m, 6);
    tip.quadratic.resize(6 * m, m);
    for (int i = 0; i < 6; ++i) {
        const Matrix G = 0.1 * random.matrix(m, m);
        tip.quadratic.middleRows(i * m, m) = G + G.transpose();
    }
    system.frames.push_back(tip);
    add_frame(system, -1, Vector3::Zero());
    hold_at_origin(system, 0, 2);
    ForceElement spring;
    spring.coordinate = row_between("distance", 2, 1, 2);
    spring.coordinate.first_place = Vector3(0.5, 1.0, 0.0);
    spring.law = law_of("spring");
    spring.parameters.constants[0] = 30.0;
    spring.parameters.constants[1] = 0.4;
    spring.parameters.constants[2] = 0.5;
    system.elements.push_back(spring);
    ForceElement friction;
    friction.coordinate = row_between("along", 2, 1, 2);
    friction.law = law_of("friction");
    friction.parameters.constants[0] = 0.7;
    friction.parameters.constants[1] = 0.5;
    system.elements.push_back(friction);
    MarkerForce push;
    push.frame = 1;
    push.in_body = true;
    push.laws[0] = 2;
    push.laws[5] = 1;
    system.forces.push_back(push);
    BodyLoad load;
    load.law = 2;
    load.in_space = true;
    load.force = Vector3(0.0, 1.0, 0.0);
    LoadMoment moment;
    moment.i = 0;
    moment.k = 1;
    moment.position = 0.5;
    moment.rows = moment.work_rows = random.matrix(m, 1);
    moment.quadratic = moment.work_quadratic = 0.1 * random.definite(m);
    load.moments.push_back(moment);
    system.loads.push_back(load);
    return finished(system);
}

/// A state on the constraints: bodies as they are drawn, turning as one.
inline State start_of(const System& system) {
    State state(system);
    const Vector3 spin(0.5, -0.3, 2.0);
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
        state.quaternions[4 * b] = 1.0;
        const Vector3 place = b == 0 ? Vector3(Vector3::Zero()) : Vector3(1.0, 0.5, -0.2);
        const Vector3 moved = spin.cross(place);
        for (int i = 0; i < 3; ++i) {
            state.positions[3 * b + i] = place[i];
            state.velocities[system.bodies[b].first_velocity + i] = moved[i];
            state.velocities[system.bodies[b].first_velocity + 3 + i] = spin[i];
        }
    }
    return state;
}

/// Memory for samples.
class Record {
public:
    Record(const System& system, Index count) {
        const Index bodies = static_cast<Index>(system.bodies.size()), n = system.size, rows = system.row_count();
        samples.positions = {room(3 * bodies * count), {count, bodies, 3}};
        samples.quaternions = {room(4 * bodies * count), {count, bodies, 4}};
        samples.angles = {room(bodies * count), {count, bodies}};
        samples.deformations = {room(system.deformation_size * count), {count, system.deformation_size}};
        samples.velocities = {room(n * count), {count, n}};
        samples.accelerations = {room(n * count), {count, n}};
        samples.multipliers = {room(rows * count), {count, rows}};
        samples.springs = {room(count), {count}};
        samples.gaps = {room(count), {count}};
        samples.slips = {room(count), {count}};
        samples.works = {room(4 * count), {count, 4}};
        samples.measures = {room(9 * count), {count, 9}};
        const Index contacts = static_cast<Index>(system.contacts.size());
        samples.contacts = {room(9 * contacts * count), {count, contacts, 9}};
    }

    /// Energy less work and plus what was dissipated.
    double balance(Index k) const {
        double out = samples.springs(k);
        for (int i = 0; i < 3; ++i) out += samples.measures(k, i);
        return out - samples.works(k, 0) - samples.works(k, 1) + samples.works(k, 2) + samples.works(k, 3);
    }

    /// All numbers of one sample.
    std::vector<double> numbers(Index k) const {
        std::vector<double> out;
        const auto add = [&](const auto& part) { out.insert(out.end(), part.data, part.data + part.size()); };
        add(samples.positions(k));
        add(samples.quaternions(k));
        add(samples.deformations(k));
        add(samples.velocities(k));
        add(samples.accelerations(k));
        add(samples.multipliers(k));
        add(samples.works(k));
        add(samples.measures(k));
        return out;
    }

    /// Largest difference of positions and attitudes from a sample of another record.
    double distance(Index k, const Record& other, Index j) const {
        double out = 0.0;
        const auto compare = [&](const View<double, 2>& a, const View<double, 2>& b) {
            for (Index i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a.data[i] - b.data[i]));
        };
        compare(samples.positions(k), other.samples.positions(j));
        compare(samples.quaternions(k), other.samples.quaternions(j));
        return out;
    }

    Samples samples;

private:
    double* room(Index count) {
        memory_.emplace_back(static_cast<std::size_t>(count), 0.0);
        return memory_.back().data();
    }

    std::vector<std::vector<double>> memory_;
};

}  // namespace flexframe::tests
