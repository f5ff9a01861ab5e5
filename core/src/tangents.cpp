#include "flexframe/tangents.hpp"

#include <algorithm>
#include <set>

namespace flexframe {

void SparseEntries::add(Index row, Index column, double value) {
    rows.push_back(row);
    columns.push_back(column);
    values.push_back(value);
}

TangentMaker::TangentMaker(Equations& equations)
    : equations_(equations),
      system_(equations.system()),
      moved_(system_),
      step_(Vector::Zero(system_.size)),
      ahead_(equations.residual.size()),
      behind_(equations.residual.size()) {
    colour();
}

void TangentMaker::colour() {
    const Index bodies = static_cast<Index>(system_.bodies.size());
    std::vector<std::set<Index>> near(bodies);  // bodies whose equations a body has a part in, itself first
    for (Index b = 0; b < bodies; ++b) near[b].insert(b);
    const auto join = [&](Index a, Index b) {
        near[a].insert(b);
        near[b].insert(a);
    };
    for (const RowGroup& group : system_.groups) {
        for (Index a : group.bodies) {
            for (Index b : group.bodies) join(a, b);
        }
    }
    for (const auto& [a, b] : system_.structure.couplings) {
        if (a < bodies && b < bodies) join(a, b);
    }
    if (system_.signals.kinds.size() > 0 || system_.joined_damping.size() > 0) {
        for (Index b = 1; b < bodies; ++b) {
            for (Index a = 0; a < b; ++a) join(a, b);
        }
    }
    touched_.resize(bodies);
    for (Index b = 0; b < bodies; ++b) {
        for (Index a : near[b]) {
            for (Index j : system_.bodies[a].active) touched_[b].push_back(system_.bodies[a].numbers[j]);
        }
    }
    for (const RowGroup& group : system_.groups) {
        for (Index b : group.bodies) {
            for (Index k = 0; k < group.count; ++k) touched_[b].push_back(system_.size + group.first + k);
        }
    }
    // each body takes the first colour whose bodies touch none of the equations that it touches
    std::vector<std::set<Index>> taken;
    for (Index b = 0; b < bodies; ++b) {
        std::size_t c = 0;
        const auto meets = [&](const std::set<Index>& others) {
            return std::any_of(near[b].begin(), near[b].end(), [&](Index a) { return others.count(a) > 0; });
        };
        while (c < taken.size() && meets(taken[c])) ++c;
        if (c == taken.size()) {
            taken.emplace_back();
            members_.emplace_back();
        }
        taken[c].insert(near[b].begin(), near[b].end());
        members_[c].push_back(b);
    }
}

void TangentMaker::evaluate(const State& state, double time, const double* x, const double* multipliers,
                            Vector& out) {
    // stiff beams and bodies would leave the rounding of their forces in the differences
    equations_.strain_resists = false;
    equations_.evaluate(state, time, x, multipliers, Detail::residual);
    equations_.strain_resists = true;
    out = equations_.residual;
}

void TangentMaker::scatter(const std::vector<Index>& bodies, Index place, const Vector& change,
                           SparseEntries& out) const {
    for (Index b : bodies) {
        const Body& body = system_.bodies[b];
        if (place >= static_cast<Index>(body.active.size())) continue;
        const Index column = body.numbers[body.active[place]];
        for (Index row : touched_[b]) {
            if (change[row] != 0.0) out.add(row, column, change[row] / system_.scales[column]);
        }
    }
}

void TangentMaker::add_bodies(Tangents& out, bool rates) const {
    for (const Body& body : system_.bodies) {
        const Index m = body.coordinates();
        for (Index i = 0; i < m; ++i) {
            for (Index j = 0; j < m; ++j) {
                const Index row = body.numbers[6 + i], column = body.numbers[6 + j];
                const double stiffness = body.integrals->stiffness(i, j), damping = body.integrals->damping(i, j);
                if (stiffness != 0.0) out.positions.add(row, column, stiffness);
                if (rates && damping != 0.0) out.velocities.add(row, column, damping);
            }
        }
    }
}

State TangentMaker::with_contacts_held(const State& state, double time, const double* x,
                                       const double* multipliers) {
    // N = N₀ + ∂N/∂δ (δ − δ₀) + ∂N/∂δ̇ (δ̇ − δ̇₀) of shapes that touch; those that are apart stay so. A difference
    // may then be longer than the depth of a contact.
    State out = state;
    if (out.touching.empty()) return out;
    equations_.evaluate(state, time, x, multipliers, Detail::residual);
    for (std::size_t t = 0; t < out.touching.size(); ++t) {
        const Touch& touch = equations_.touches[t];
        TouchMemory& memory = out.touching[t];
        memory.apart = 1.0;
        if (!touch.acts) continue;
        memory.stiffness = touch.normal.stiffness;
        memory.damping = touch.normal.damping;
        memory.preload = touch.normal.force - memory.stiffness * touch.depth() + memory.damping * touch.rate;
    }
    return out;
}

Tangents TangentMaker::at(const State& state, double time, const double* x, const double* multipliers,
                          double stride, bool rates, const double* beam_forces) {
    Tangents out;
    const State held = with_contacts_held(state, time, x, multipliers);
    Vector u = Vector::Zero(system_.size);
    state.get_velocities(system_, u.data());
    const double fast = std::max(1.0, largest_speed(system_, u.data()));
    Index most = 0;
    for (const Body& body : system_.bodies) most = std::max(most, static_cast<Index>(body.active.size()));
    for (const std::vector<Index>& bodies : members_) {
        for (Index place = 0; place < most; ++place) {
            step_.setZero();
            for (Index b : bodies) {
                const Body& body = system_.bodies[b];
                if (place >= static_cast<Index>(body.active.size())) continue;
                const Index column = body.numbers[body.active[place]];
                step_[column] = stride * system_.scales[column];
            }
            for (Vector* side : {&ahead_, &behind_}) {
                moved_ = held;
                advance(system_, held, step_.data(), moved_);
                moved_.set_velocities(system_, u.data());
                evaluate(moved_, time, x, multipliers, *side);
                step_ = -step_;
            }
            scatter(bodies, place, (ahead_ - behind_) / (2.0 * stride), out.positions);
            if (!rates) continue;
            for (Vector* side : {&ahead_, &behind_}) {
                moved_ = held;
                const Vector faster = u + fast * step_;
                moved_.set_velocities(system_, faster.data());
                evaluate(moved_, time, x, multipliers, *side);
                step_ = -step_;
            }
            scatter(bodies, place, (ahead_ - behind_) / (2.0 * stride * fast), out.velocities);
        }
    }
    add_bodies(out, rates);
    equations_.evaluate(state, time, x, multipliers, Detail::residual);
    const auto add = [&](const BeamElement& beam, const Matrix12& matrix, SparseEntries& entries) {
        for (int r = 0; r < 12; ++r) {
            const Body& row = system_.bodies[beam.ends[r / 6].body];
            if (row.numbers[r % 6] < 0) continue;
            for (int c = 0; c < 12; ++c) {
                const Index column = system_.bodies[beam.ends[c / 6].body].numbers[c % 6];
                if (column >= 0) entries.add(row.numbers[r % 6], column, matrix(r, c));
            }
        }
    };
    for (std::size_t k = 0; k < system_.beams.size(); ++k) {
        BeamState elastic = equations_.beams[k];
        elastic.force = elastic.elastic;  // damping is among the differences
        if (beam_forces != nullptr) elastic.force = Eigen::Map<const Vector6>(beam_forces + 6 * k);
        add(system_.beams[k], beam_stiffness(system_.beams[k], elastic), out.positions);
    }
    return out;
}

}  // namespace flexframe
