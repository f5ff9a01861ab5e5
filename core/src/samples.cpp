#include "flexframe/samples.hpp"

#include <algorithm>
#include <tuple>

namespace flexframe {

namespace {

void copy(const double* source, Index count, double* target) { std::copy_n(source, count, target); }

void keep_state(const System& system, const State& state, const double* u, const Samples& samples, Index k) {
    const Index bodies = static_cast<Index>(system.bodies.size());
    copy(state.positions.data(), 3 * bodies, samples.positions(k).data);
    copy(state.quaternions.data(), 4 * bodies, samples.quaternions(k).data);
    copy(state.angles.data(), bodies, samples.angles(k).data);
    copy(state.deformation.data(), system.deformation_size, samples.deformations(k).data);
    copy(u, system.size, samples.velocities(k).data);
}

void keep_energies(Equations& equations, const State& state, const Works& works, const Samples& samples, Index k) {
    // what bristles of contacts store is not lost yet
    const double bent = bristle_energy(equations);
    samples.springs(k) = equations.spring_energy() + bent;
    const std::vector<double>& signals = equations.signals.values();
    copy(signals.data(), static_cast<Index>(signals.size()), samples.signals(k).data);
    copy(works.values, Works::count, samples.works(k).data);
    samples.works(k).data[3] -= bent;
    const Measures measures = equations.measure(state);
    double* out = samples.measures(k).data;
    out[0] = measures.kinetic;
    out[1] = measures.strain;
    out[2] = measures.gravity;
    for (int i = 0; i < 3; ++i) {
        out[3 + i] = measures.linear_momentum[i];
        out[6 + i] = measures.angular_momentum[i];
    }
}

/// The forces of all places of each contact together, on its second shape, at the deepest of them.
void keep_contacts(const Equations& equations, const Samples& samples, Index k) {
    const System& system = equations.system();
    for (std::size_t c = 0; c < system.contacts.size(); ++c) {
        double* out = samples.contacts(k, c).data;
        const Touch* deepest = nullptr;
        double normal = 0.0, friction = 0.0;
        Vector3 force = Vector3::Zero();
        for (Index t = system.first_touches[c]; t < system.first_touches[c + 1]; ++t) {
            const Touch& touch = equations.touches[t];
            if (deepest == nullptr || touch.where.gap < deepest->where.gap) deepest = &touch;
            normal += touch.normal.force;
            friction += touch.normal.force * touch.friction.size();
            force += touch.force;
        }
        out[0] = deepest->where.gap;
        out[1] = normal;
        out[2] = friction;
        for (int i = 0; i < 3; ++i) {
            out[3 + i] = force[i];
            out[6 + i] = deepest->where.point[i];
        }
    }
}

/// Every field of rows of samples.
auto fields(Samples& rows) {
    return std::tie(rows.positions, rows.quaternions, rows.angles, rows.deformations, rows.velocities,
                    rows.accelerations, rows.multipliers, rows.springs, rows.gaps, rows.slips, rows.works,
                    rows.measures, rows.signals, rows.contacts);
}

/// The shapes of one row.
Samples one_row(const System& system) {
    const Index bodies = static_cast<Index>(system.bodies.size());
    Samples out;
    out.positions.shape = {1, bodies, 3};
    out.quaternions.shape = {1, bodies, 4};
    out.angles.shape = {1, bodies};
    out.deformations.shape = {1, system.deformation_size};
    out.velocities.shape = out.accelerations.shape = {1, system.size};
    out.multipliers.shape = {1, system.row_count()};
    out.springs.shape = out.gaps.shape = out.slips.shape = {1};
    out.works.shape = {1, Works::count};
    out.measures.shape = {1, 9};
    out.signals.shape = {1, system.signals.count()};
    out.contacts.shape = {1, static_cast<Index>(system.contacts.size()), 9};
    return out;
}

}  // namespace

double bristle_energy(const Equations& equations) {
    const System& system = equations.system();
    double out = 0.0;
    for (std::size_t c = 0; c < system.contacts.size(); ++c) {
        if (!system.contacts[c].has_bristles()) continue;
        const double stiffness = system.contacts[c].parameters.friction.stiffness;
        for (Index t = system.first_touches[c]; t < system.first_touches[c + 1]; ++t) {
            const Touch& touch = equations.touches[t];
            out += 0.5 * touch.normal.force * stiffness * touch.bristles.bending.squaredNorm();
        }
    }
    return out;
}

KeptInstants::KeptInstants(const System& system) : row_(one_row(system)) {
    std::apply([&](const auto&... field) { width_ = (field.size() + ...); }, fields(row_));
}

const Samples& KeptInstants::row(Index k) {
    double* next = values_.data() + k * width_;
    const auto place = [&](auto& field) {
        field.data = next;
        next += field.size();
    };
    std::apply([&](auto&... field) { (place(field), ...); }, fields(row_));
    return row_;
}

const Samples& KeptInstants::add(double time) {
    times_.push_back(time);
    values_.resize(count() * width_);
    return row(count() - 1);
}

void KeptInstants::shorten(Index count) {
    times_.resize(count);
    values_.resize(count * width_);
}

void KeptInstants::give(Samples rows) {
    for (Index k = 0; k < count(); ++k) {
        row(k);
        const auto copy_row = [&](const auto& own, const auto& other) {
            copy(own.data, own.size(), other.data + k * own.size());
        };
        std::apply(
            [&](const auto&... own) {
                std::apply([&](const auto&... other) { (copy_row(own, other), ...); }, fields(rows));
            },
            fields(row_));
    }
    shorten(0);
}

void keep_step(Equations& equations, const State& state, const double* u, const double* rates,
               const double* multipliers, const Works& works, const Samples& samples, Index k) {
    const System& system = equations.system();
    keep_state(system, state, u, samples, k);
    copy(rates, system.size, samples.accelerations(k).data);
    copy(multipliers, system.row_count(), samples.multipliers(k).data);
    samples.gaps(k) = 0.0;
    samples.slips(k) = 0.0;
    keep_contacts(equations, samples, k);
    keep_energies(equations, state, works, samples, k);
}

bool keep_solved(Equations& equations, const State& state, const double* u, double time, const Works& works,
                 const Samples& samples, Index k) {
    const System& system = equations.system();
    keep_state(system, state, u, samples, k);
    double* multipliers = samples.multipliers(k).data;
    const bool solved = equations.accelerations(state, time, samples.accelerations(k).data, multipliers);
    const Gaps worst = equations.gaps();
    samples.gaps(k) = worst.position;
    samples.slips(k) = worst.velocity / std::max(1.0, largest_speed(system, u));
    keep_contacts(equations, samples, k);
    keep_energies(equations, state, works, samples, k);
    return solved;
}

bool take_sample(Equations& equations, const State& state, const double* u, double time, const Works& works,
                 const Samples& samples, Index k, State& spare, Vector& spare_u) {
    const System& system = equations.system();
    copy(u, system.size, spare_u.data());
    spare.copy_positions(state);
    const bool projected = equations.project(spare, time, spare_u.data(), closed);
    spare.set_velocities(system, spare_u.data());
    return keep_solved(equations, spare, spare_u.data(), time, works, samples, k) && projected;
}

}  // namespace flexframe
