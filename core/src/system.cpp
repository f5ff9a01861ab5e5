#include "flexframe/system.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "flexframe/turns.hpp"

namespace flexframe {

namespace {

/// Bodies that the frames of a row and of what it follows belong to, each once, ascending.
std::vector<Index> bodies_of(const System& system, const ConstraintRow& row, Leading leading) {
    std::set<Index> found;
    const auto add = [&](const ConstraintRow& own) {
        for (Index frame : {own.first, own.second, own.carrier}) {
            const Index body = system.frames[frame].body;
            if (body >= 0) found.insert(body);
        }
    };
    add(row);
    for (Index k = leading.first; k < leading.first + leading.count; ++k) add(system.arguments[k]);
    return {found.begin(), found.end()};
}

void couple(BlockStructure& structure, const std::vector<Index>& nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) structure.couplings.emplace_back(nodes[i], nodes[j]);
    }
}

}  // namespace

Index System::touch_count() const {
    Index total = 0;
    for (const ContactElement& contact : contacts) total += contact_pairs()[contact.pair].points;
    return total;
}

const ContactElement& System::contact_of(Index touch) const {
    const auto after = std::upper_bound(first_touches.begin(), first_touches.end(), touch);
    return contacts[after - first_touches.begin() - 1];
}

Index System::stack_size() const {
    Index most = laws->stack_size;
    for (const ForceElement& element : elements) {
        most = std::max({most, element.parameters.force.stack_size, element.parameters.damping.stack_size});
    }
    return most;
}

Index System::state_count() const {
    Index count = signals.states();
    for (Index first : bristles) count += first >= 0 ? 3 : 0;
    return count;
}

bool System::has_valid_signals() const {
    const SignalTables& t = signals;
    const Index all = t.count();
    const auto below = [](Index value, Index limit) { return value >= 0 && value < limit; };
    const auto known = [&](const std::vector<Index>& numbers) {
        return std::all_of(numbers.begin(), numbers.end(), [&](Index k) { return below(k, all); });
    };
    const auto size = [](const auto& list) { return static_cast<Index>(list.size()); };
    if (size(t.sources) != all || size(t.constants) != all || size(t.starts) != all + 1 || t.starts.front() != 0 ||
        t.starts.back() != size(t.inputs) || size(t.factors) != size(t.inputs) ||
        size(t.initial_states) != t.states()) {
        return false;
    }
    for (Index k = 0; k < all; ++k) {
        if (t.starts[k + 1] < t.starts[k]) return false;
        for (Index i = t.starts[k]; i < t.starts[k + 1]; ++i) {
            if (!below(t.inputs[i], k)) return false;
        }
        const Index source = t.sources[k];
        switch (static_cast<SignalKind>(t.kinds[k])) {
            case SignalKind::number:
            case SignalKind::time:
            case SignalKind::linear: break;
            case SignalKind::coordinate:
            case SignalKind::rate:
                if (!below(source, size(measured))) return false;
                break;
            case SignalKind::state:
                if (!below(source, t.states())) return false;
                break;
            case SignalKind::held:
                if (!below(source, t.held())) return false;
                break;
            case SignalKind::law:
                if (!below(source, size(laws->kinds)) ||
                    laws->kinds[source] == static_cast<Index>(LawKind::signal) ||
                    laws->variables(source) > t.starts[k + 1] - t.starts[k]) {
                    return false;
                }
                break;
            case SignalKind::force:
                if (!below(source, size(elements)) || t.starts[k + 1] - t.starts[k] != 2) return false;
                break;
            case SignalKind::normal:
            case SignalKind::gap:
                if (!below(source, size(contacts))) return false;
                break;
            case SignalKind::reaction:
                if (!below(source, size(t.reactions))) return false;
                break;
            case SignalKind::jump:
                if (!below(source, size(t.jumps)) || t.jumps[source].signal != k ||
                    t.starts[k + 1] - t.starts[k] != 1) {
                    return false;
                }
                break;
            default: return false;
        }
    }
    for (const Jump& each : t.jumps) {
        const bool is_jump =
            below(each.signal, all) && t.kinds[each.signal] == static_cast<Index>(SignalKind::jump);
        if (!is_jump || !below(each.held, t.held() - 1) || !below(static_cast<Index>(each.kind), 3)) return false;
    }
    for (const Reaction& each : t.reactions) {
        if (each.first < 0 || each.count < 1 || each.count > row_count() - each.first) return false;
    }
    const bool groups = t.sample_starts.empty()
                            ? t.sampled_held.empty()
                            : t.sample_starts.front() == 0 && t.sample_starts.back() == size(t.sampled_held) &&
                                  std::is_sorted(t.sample_starts.begin(), t.sample_starts.end());
    const bool holds = std::all_of(t.sampled_held.begin(), t.sampled_held.end(),
                                   [&](Index k) { return below(k, t.held()); });
    return groups && holds && size(t.sampled_held) == size(t.sampled_signals) && known(t.sampled_signals) &&
           known(t.derivatives) &&
           std::all_of(t.events.begin(), t.events.end(), [&](Index k) { return below(k, all + touch_count()); }) &&
           size(t.events) == size(t.event_directions);
}

double System::length() const {
    for (const Body& body : bodies) {
        if (!body.numbers.empty() && body.numbers[0] >= 0) return scales[body.numbers[0]];
    }
    return 1.0;
}

std::vector<Index> System::impulsive_touches() const {
    std::vector<Index> out;
    for (Index event : signals.events) {
        if (event >= signals.count()) out.push_back(event - signals.count());
    }
    return out;
}

bool System::follows_reactions() const {
    const SignalTables& t = signals;
    if (t.reactions.empty()) return false;
    std::vector<char> reads(t.count(), 0);
    for (Index k = 0; k < t.count(); ++k) {
        reads[k] = t.kinds[k] == static_cast<Index>(SignalKind::reaction);
        for (Index i = t.starts[k]; i < t.starts[k + 1]; ++i) reads[k] |= reads[t.inputs[i]];
    }
    for (Index law = 0; law < static_cast<Index>(laws->kinds.size()); ++law) {
        const Index signal = laws->signal(law);
        if (signal >= 0 && reads[signal]) return true;
    }
    return false;
}

namespace {

/// Frames of bodies that rows, forces, contacts or signals know, or that deflections are seen at, ascending.
std::vector<Index> used_frames(const System& system) {
    std::vector<char> used(system.frames.size(), 0);
    const auto use = [&](const ConstraintRow& row) {
        for (Index frame : {row.first, row.second, row.carrier}) used[frame] = 1;
    };
    for (const DrivenRow& row : system.rows) use(row.row);
    for (const ForceElement& element : system.elements) use(element.coordinate);
    for (const ContactElement& contact : system.contacts) use(contact.between());
    for (const ConstraintRow& row : system.measured) use(row);
    for (const ConstraintRow& row : system.arguments) use(row);
    for (const MarkerForce& force : system.forces) used[force.frame] = 1;
    std::vector<Index> out;
    for (std::size_t f = 0; f < used.size(); ++f) {
        const Frame& frame = system.frames[f];
        const bool seen = used[f] || frame.kind != FrameKind::rigid;
        if (seen && frame.body >= 0) out.push_back(static_cast<Index>(f));
    }
    return out;
}

}  // namespace

void System::prepare() {
    local_size = deformation_size = 0;
    groups.clear();
    shapes.clear();
    structure = BlockStructure();
    burdened.clear();
    for (Body& body : bodies) {
        body.active.clear();
        body.frames.clear();
        body.loads.clear();
        const std::pair<Index, Index> shape{body.integrals->coordinates, body.integrals->fields};
        const auto known = std::find(shapes.begin(), shapes.end(), shape);
        body.scratch = known - shapes.begin();
        if (known == shapes.end()) shapes.push_back(shape);
        body.first_velocity = local_size;
        body.first_coordinate = deformation_size;
        local_size += 6 + body.coordinates();
        deformation_size += body.coordinates();
        for (Index j = 0; j < static_cast<Index>(body.numbers.size()); ++j) {
            if (body.numbers[j] >= 0) body.active.push_back(j);
        }
    }
    placed = used_frames(*this);
    for (Index f : placed) bodies[frames[f].body].frames.push_back(f);
    for (Index k = 0; k < static_cast<Index>(loads.size()); ++k) bodies[loads[k].body].loads.push_back(k);
    for (Index b = 0; b < static_cast<Index>(bodies.size()); ++b) {
        const Body& body = bodies[b];
        if (!body.integrals->massless() || !body.frames.empty() || !body.loads.empty()) burdened.push_back(b);
    }
    structure.bodies = static_cast<Index>(bodies.size());
    for (const Body& body : bodies) structure.sizes.push_back(static_cast<Index>(body.active.size()));
    for (Index row = 0; row < row_count(); ++row) {
        std::vector<Index> own = bodies_of(*this, rows[row].row, rows[row].leading);
        if (groups.empty() || groups.back().bodies != own) {
            groups.push_back({row, 0, std::move(own)});
            structure.sizes.push_back(0);
        }
        ++groups.back().count;
        ++structure.sizes.back();
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
        for (Index body : groups[g].bodies) structure.couplings.emplace_back(structure.bodies + g, body);
    }
    for (const ForceElement& element : elements) {
        couple(structure, bodies_of(*this, element.coordinate, element.leading));
    }
    const auto in_plane = [](const Body& body) { return body.active == std::vector<Index>{0, 1, 5}; };
    for (BeamElement& beam : beams) {
        const Index a = beam.ends[0].body, b = beam.ends[1].body;
        structure.couplings.emplace_back(a, b);
        beam.settle(in_plane(bodies[a]) && in_plane(bodies[b]));
    }
    first_touches.assign(1, 0);
    for (const ContactElement& contact : contacts) {
        couple(structure, bodies_of(*this, contact.between(), {}));
        first_touches.push_back(first_touches.back() + contact_pairs()[contact.pair].points);
    }
    Index next = signals.states();
    bristles.clear();
    for (const ContactElement& contact : contacts) {
        for (Index k = 0; k < contact_pairs()[contact.pair].points; ++k) {
            bristles.push_back(contact.has_bristles() ? next : -1);
            if (contact.has_bristles()) next += 3;
        }
    }
    if (joined_damping.size() > 0) {
        std::vector<Index> elastic;
        for (Index b = 0; b < structure.bodies; ++b) {
            if (bodies[b].coordinates() > 0) elastic.push_back(b);
        }
        couple(structure, elastic);
    }
}

State::State(const System& system)
    : positions(3 * system.bodies.size(), 0.0),
      quaternions(4 * system.bodies.size(), 0.0),
      deformation(system.deformation_size, 0.0),
      velocities(system.local_size, 0.0),
      angles(system.bodies.size(), 0.0),
      states(system.signals.initial_states),
      held(system.signals.initial_held),
      counted(system.measured.size() + system.arguments.size(), 0.0),
      touching(system.touch_count()) {
    states.resize(system.state_count(), 0.0);
}

void State::copy_positions(const State& other) {
    positions = other.positions;
    quaternions = other.quaternions;
    deformation = other.deformation;
    angles = other.angles;
    states = other.states;
    held = other.held;
    counted = other.counted;
    touching = other.touching;
}

void State::set_velocities(const System& system, const double* u) {
    for (const Body& body : system.bodies) {
        for (Index j : body.active) velocities[body.first_velocity + j] = u[body.numbers[j]];
    }
}

void State::get_velocities(const System& system, double* u) const {
    for (const Body& body : system.bodies) {
        for (Index j : body.active) u[body.numbers[j]] = velocities[body.first_velocity + j];
    }
}

namespace {

/// sin φ/φ and (1 − cos φ)/φ² of x = φ²; in a step bodies mostly turn by less than a quarter of a radian.
struct PlaneRatios {
    double sine, cosine;

    explicit PlaneRatios(double x) {
        if (x > 0.0625) {
            const TurnRatios t = turn_ratios(x);
            sine = t.c;
            cosine = t.a;
            return;
        }
        // the next terms are 1e-17 of the first
        sine = 1.0 - x / 6.0 * (1.0 - x / 20.0 * (1.0 - x / 42.0 * (1.0 - x / 72.0 * (1.0 - x / 110.0))));
        cosine = 0.5 - x / 24.0 * (1.0 - x / 30.0 * (1.0 - x / 56.0 * (1.0 - x / 90.0 * (1.0 - x / 132.0))));
    }
};

/// A body that turns about z alone: r + R (d + a θ × d + b θ × (θ × d)) and q ∘ exp(θ/2), written out.
void advance_in_plane(double x, double y, double angle, const double* q, const double* position, double* moved,
                      double* turned) {
    const double x2 = angle * angle;
    const PlaneRatios t(x2), half(0.25 * x2);
    const double along = t.sine, across = t.cosine * angle;
    const double u = along * x - across * y, v = across * x + along * y;
    const double cosine = q[0] * q[0] - q[3] * q[3], sine = 2.0 * q[0] * q[3];
    moved[0] = position[0] + cosine * u - sine * v;
    moved[1] = position[1] + sine * u + cosine * v;
    moved[2] = position[2];
    const double p = 1.0 - 0.25 * x2 * half.cosine, r = 0.5 * half.sine * angle;  // cos and sin of θ/2
    const double w = q[0] * p - q[3] * r, z = q[0] * r + q[3] * p, scale = 1.0 / std::sqrt(w * w + z * z);
    turned[0] = scale * w;
    turned[1] = turned[2] = 0.0;
    turned[3] = scale * z;
}

}  // namespace

void advance(const System& system, const State& before, const double* step, State& after) {
    after.touching = before.touching;
    const auto part = [&](const Body& body, Index j) {
        return body.numbers[j] >= 0 ? step[body.numbers[j]] : 0.0;
    };
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
        const Body& body = system.bodies[b];
        const Vector3 d(part(body, 0), part(body, 1), part(body, 2));
        const Vector3 theta(part(body, 3), part(body, 4), part(body, 5));
        const double* q = before.quaternions.data() + 4 * b;
        if (d[2] == 0.0 && theta[0] == 0.0 && theta[1] == 0.0 && q[1] == 0.0 && q[2] == 0.0) {
            advance_in_plane(d[0], d[1], theta[2], q, before.positions.data() + 3 * b,
                             after.positions.data() + 3 * b, after.quaternions.data() + 4 * b);
        } else {
            const TurnRatios t = turn_ratios(theta.squaredNorm());
            const Vector3 once = theta.cross(d);
            const Vector3 moved = rotate(q, d + t.a * once + t.b * theta.cross(once));
            for (int i = 0; i < 3; ++i) after.positions[3 * b + i] = before.positions[3 * b + i] + moved[i];
            turn_quaternion(q, theta, after.quaternions.data() + 4 * b);
        }
        after.angles[b] = before.angles[b] + theta[2];
        for (Index r = 0; r < body.coordinates(); ++r) {
            after.deformation[body.first_coordinate + r] =
                before.deformation[body.first_coordinate + r] + step[body.numbers[6 + r]];
        }
    }
    if (!after.counted.empty()) count_turns(system, before, step, after);
}

double largest_speed(const System& system, const double* u) {
    double largest = 0.0;
    for (Index i = 0; i < system.size; ++i) largest = std::max(largest, std::abs(u[i]) / system.scales[i]);
    return largest;
}

}  // namespace flexframe
