#include "flexframe/model_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace flexframe {

namespace {

constexpr Index most = std::numeric_limits<int>::max();  // entries along an axis
constexpr Index most_alive = 4096;  // values of a formula at once; none has so many characters

bool below(Index value, std::size_t count) { return value >= 0 && value < static_cast<Index>(count); }

// --- one description for both ways ------------------------------------------------------------------------------

/// Puts numbers one after the other into arrays of their names.
class Packing {
public:
    static constexpr bool reading = false;

    void real(const std::string& name, double& value) { array(name, false).reals.push_back(value); }
    void whole(const std::string& name, Index& value) { array(name, true).integers.push_back(value); }

    void list(const std::string& name, Index, std::vector<double>& values) {
        std::vector<double>& out = array(name, false).reals;
        out.insert(out.end(), values.begin(), values.end());
    }

    void list(const std::string& name, Index, std::vector<Index>& values) {
        std::vector<Index>& out = array(name, true).integers;
        out.insert(out.end(), values.begin(), values.end());
    }

    NamedArrays finish() {
        for (auto& [name, array] : arrays_) {
            array.shape = {static_cast<Index>(array.integral ? array.integers.size() : array.reals.size())};
        }
        return std::move(arrays_);
    }

private:
    NamedArray& array(const std::string& name, bool integral) {
        NamedArray& found = arrays_[name];
        found.integral = integral;
        return found;
    }

    NamedArrays arrays_;
};

/// Takes numbers from arrays in the order in which they were put there.
class Unpacking {
public:
    static constexpr bool reading = true;

    Unpacking(const std::string& path, const NamedArrays& arrays) : path_(path), arrays_(arrays) {}

    void real(const std::string& name, double& value) { value = *take(name, 1, reals(name)); }
    void whole(const std::string& name, Index& value) { value = *take(name, 1, integers(name)); }

    void list(const std::string& name, Index count, std::vector<double>& values) {
        const auto* first = take(name, count, reals(name));
        values.assign(first, first + count);
    }

    void list(const std::string& name, Index count, std::vector<Index>& values) {
        const auto* first = take(name, count, integers(name));
        values.assign(first, first + count);
    }

    bool has(const std::string& name) const { return arrays_.count(name) > 0; }

    [[noreturn]] void refuse(const std::string& what) const {
        throw FileError(path_ + " holds no model that can be used: " + what);
    }

    void require(bool holds, const std::string& what) const {
        if (!holds) refuse(what);
    }

private:
    const NamedArray& array(const std::string& name, bool integral) const {
        const auto found = arrays_.find(name);
        require(found != arrays_.end(), "the array " + name + " is missing");
        require(found->second.integral == integral, "the array " + name + " has another type of numbers");
        return found->second;
    }

    const std::vector<double>& reals(const std::string& name) const { return array(name, false).reals; }
    const std::vector<Index>& integers(const std::string& name) const { return array(name, true).integers; }

    /// Where the next numbers of an array are.
    template <class T>
    const T* take(const std::string& name, Index count, const std::vector<T>& values) {
        Index& taken = taken_[name];
        require(count <= static_cast<Index>(values.size()) - taken, "the array " + name + " is too short");
        const Index first = taken;
        taken += count;
        return values.data() + first;
    }

    const std::string& path_;
    const NamedArrays& arrays_;
    std::map<std::string, Index> taken_;
};

/// A number of things.
template <class File>
Index exchange_count(File& file, const std::string& name, Index count) {
    file.whole(name, count);
    if constexpr (File::reading) file.require(count >= 0 && count <= most, name + " is out of range");
    return count;
}

template <class File>
void exchange(File& file, const std::string& name, bool& value) {
    Index number = value ? 1 : 0;
    file.whole(name, number);
    value = number != 0;
}

template <class File>
void exchange(File& file, const std::string& name, Vector3& value) {
    for (int i = 0; i < 3; ++i) file.real(name, value[i]);
}

template <class File, class T>
void exchange(File& file, const std::string& name, std::vector<T>& values) {
    const Index count = exchange_count(file, name + "/count", static_cast<Index>(values.size()));
    file.list(name, count, values);
}

/// A text, byte by byte.
template <class File>
void exchange(File& file, const std::string& name, std::string& text) {
    std::vector<Index> bytes;
    for (unsigned char byte : text) bytes.push_back(byte);
    exchange(file, name, bytes);
    if constexpr (File::reading) {
        text.clear();
        for (Index byte : bytes) {
            file.require(byte > 0 && byte < 256, name + " is no text");
            text.push_back(static_cast<char>(byte));
        }
    }
}

/// A matrix with its shape, column by column.
template <class File, class Values>
void exchange_matrix(File& file, const std::string& name, Values& values) {
    const Index rows = exchange_count(file, name + "/shape", values.rows());
    const Index columns = exchange_count(file, name + "/shape", values.cols());
    std::vector<double> numbers(values.data(), values.data() + values.size());
    exchange(file, name, numbers);
    if constexpr (File::reading) {
        file.require(rows * columns == static_cast<Index>(numbers.size()), name + " does not have its shape");
        file.require(Values::ColsAtCompileTime != 1 || columns == 1, name + " is not a list");
        values.resize(rows, columns);
        std::copy(numbers.begin(), numbers.end(), values.data());
    }
}

/// A list: each item after the other, by a function.
template <class File, class Item, class Function>
void exchange_list(File& file, const std::string& name, std::vector<Item>& items, Function function) {
    const Index count = exchange_count(file, name + "/count", static_cast<Index>(items.size()));
    for (Index k = 0; k < count; ++k) {
        if constexpr (File::reading) items.emplace_back();
        function(items[k]);
    }
}

template <class File>
void exchange(File& file, BodyIntegrals& body) {
    file.whole("integrals/coordinates", body.coordinates);
    file.whole("integrals/fields", body.fields);
    file.real("integrals/mass", body.mass);
    exchange(file, "integrals/first_moment", body.first_moment);
    for (int i = 0; i < 9; ++i) file.real("integrals/second_moment", body.second_moment.data()[i]);
    exchange_matrix(file, "integrals/origin_coupling", body.origin_coupling);
    exchange_matrix(file, "integrals/position_coupling", body.position_coupling);
    exchange_matrix(file, "integrals/shape_products", body.shape_products);
    exchange_matrix(file, "integrals/products", body.products);
    exchange_matrix(file, "integrals/stiffness", body.stiffness);
    exchange_matrix(file, "integrals/damping", body.damping);
    exchange_matrix(file, "integrals/quartic_signs", body.quartic_signs);
    exchange_matrix(file, "integrals/quartic_forms", body.quartic_forms);
    exchange_matrix(file, "integrals/leans", body.leans);
    exchange_matrix(file, "integrals/shortening", body.shortening);
}

template <class File>
void exchange(File& file, Frame& frame) {
    Index kind = static_cast<Index>(frame.kind);
    file.whole("frames/body", frame.body);
    file.whole("frames/kind", kind);
    if constexpr (File::reading) file.require(kind >= 0 && kind <= 2, "a frame follows its body in no known way");
    frame.kind = static_cast<FrameKind>(kind);
    exchange(file, "frames/curved", frame.curved);
    exchange(file, "frames/by_sine", frame.by_sine);
    exchange(file, "frames/place", frame.place);
    exchange_matrix(file, "frames/rows", frame.rows);
    exchange_matrix(file, "frames/quadratic", frame.quadratic);
    exchange_matrix(file, "frames/leans", frame.leans);
    exchange_matrix(file, "frames/shortening", frame.shortening);
}

template <class File>
void exchange(File& file, const std::string& table, ConstraintRow& row) {
    file.whole(table + "/type", row.type);
    for (Index* frame : {&row.first, &row.second, &row.carrier}) file.whole(table + "/frames", *frame);
    for (Vector3* place : {&row.first_place, &row.second_place}) exchange(file, table + "/places", *place);
    for (Vector3* direction : {&row.x, &row.y, &row.z}) exchange(file, table + "/directions", *direction);
    file.real(table + "/radius", row.radius);
}

template <class File>
void exchange(File& file, const std::string& table, Tape& tape) {
    exchange(file, table + "/opcodes", tape.opcodes);
    exchange(file, table + "/operands", tape.operands);
    file.whole(table + "/stack_size", tape.stack_size);
}

template <class File, class Values>
void exchange_numbers(File& file, const std::string& name, Values& values) {
    for (Index i = 0; i < values.size(); ++i) file.real(name, values.data()[i]);
}

template <class File>
void exchange_beams(File& file, System& system) {
    exchange_list(file, "beams", system.beams, [&](BeamElement& beam) {
        for (BeamEnd& end : beam.ends) {
            Pose frame = end.frame;
            file.whole("beams/bodies", end.body);
            exchange_numbers(file, "beams/places", frame.position);
            exchange_numbers(file, "beams/quaternions", frame.quaternion);
            if constexpr (File::reading) end.place(frame);
        }
        file.real("beams/lengths", beam.length);
        exchange_numbers(file, "beams/references", beam.reference);
        exchange_numbers(file, "beams/flexibilities", beam.flexibility);
        exchange_numbers(file, "beams/bending", beam.bending);
        exchange_numbers(file, "beams/damping", beam.damping);
        exchange_numbers(file, "beams/mass", beam.mass);
    });
    exchange_list(file, "beam_loads", system.beam_loads, [&](BeamLoad& load) {
        file.whole("beam_loads/beams", load.beam);
        file.whole("beam_loads/laws", load.law);
        exchange(file, "beam_loads/in_space", load.in_space);
        exchange_numbers(file, "beam_loads/wrenches", load.wrench);
        exchange_numbers(file, "beam_loads/arms", load.arm);
    });
}

template <class File>
void exchange_rows(File& file, System& system) {
    exchange_list(file, "rows", system.rows, [&](DrivenRow& row) {
        exchange(file, "rows", row.row);
        file.whole("rows/law", row.law);
        exchange(file, "rows/holonomic", row.holonomic);
        file.real("rows/scale", row.scale);
        file.whole("rows/leading", row.leading.first);
        file.whole("rows/leading", row.leading.count);
        file.whole("rows/locks", row.lock);
        file.whole("rows/locks", row.locked_at);
    });
    exchange_list(file, "arguments", system.arguments, [&](ConstraintRow& row) {
        exchange(file, "arguments", row);
    });
    exchange_list(file, "elements", system.elements, [&](ForceElement& element) {
        exchange(file, "elements", element.coordinate);
        file.whole("elements/law", element.law);
        for (double& constant : element.parameters.constants) file.real("elements/constants", constant);
        file.whole("elements/actuator", element.actuator);
        file.whole("elements/leading", element.leading.first);
        file.whole("elements/leading", element.leading.count);
        file.whole("elements/coupling", element.coupling);
        file.whole("elements/bristles", element.bristles);
        exchange(file, "elements/speeds", element.parameters.curve.x);
        exchange(file, "elements/forces", element.parameters.curve.y);
        exchange(file, "elements/slopes", element.parameters.curve.slopes);
        exchange(file, "elements/force", element.parameters.force);
        exchange(file, "elements/damping", element.parameters.damping);
        exchange(file, "elements/grid", element.parameters.grid);
        file.whole("elements/grid_rows", element.parameters.grid_rows);
        file.whole("elements/grid_columns", element.parameters.grid_columns);
    });
}

template <class File>
void exchange(File& file, ContactShape& shape) {
    file.whole("contacts/frames", shape.frame);
    exchange(file, "contacts/places", shape.place);
    for (int i = 0; i < 9; ++i) file.real("contacts/axes", shape.axes.data()[i]);
    file.real("contacts/sizes", shape.radius);
    file.real("contacts/sizes", shape.length);
}

template <class File>
void exchange_contacts(File& file, System& system) {
    exchange_list(file, "contacts", system.contacts, [&](ContactElement& contact) {
        file.whole("contacts/kinds", contact.pair);
        file.whole("contacts/kinds", contact.law);
        Index model = static_cast<Index>(contact.model);
        file.whole("contacts/kinds", model);
        contact.model = static_cast<FrictionModel>(model);
        exchange(file, contact.first);
        exchange(file, contact.second);
        exchange(file, "contacts/closed", contact.curve.closed);
        exchange(file, "contacts/parameters", contact.curve.parameters);
        exchange_matrix(file, "contacts/points", contact.curve.points);
        exchange_matrix(file, "contacts/bends", contact.curve.bends);
        ContactParameters& p = contact.parameters;
        BristleParameters& friction = p.friction;
        for (double* value :
             {&p.stiffness, &p.exponent, &p.damping, &p.least_speed, &friction.static_friction,
              &friction.dynamic_friction, &p.regularisation, &friction.stribeck, &p.divisions,
              &friction.stiffness, &friction.damping, &friction.viscous, &friction.break_away}) {
            file.real("contacts/constants", *value);
        }
    });
}

template <class File>
void exchange_loads(File& file, System& system) {
    exchange_list(file, "forces", system.forces, [&](MarkerForce& force) {
        file.whole("forces/frame", force.frame);
        exchange(file, "forces/arm", force.arm);
        exchange(file, "forces/in_body", force.in_body);
        for (Index& law : force.laws) file.whole("forces/laws", law);
    });
    exchange_list(file, "loads", system.loads, [&](BodyLoad& load) {
        file.whole("loads/body", load.body);
        file.whole("loads/law", load.law);
        exchange(file, "loads/in_space", load.in_space);
        exchange(file, "loads/force", load.force);
        exchange(file, "loads/moment", load.moment);
        exchange_list(file, "loads/moments", load.moments, [&](LoadMoment& part) {
            Index axes[2] = {part.i, part.k};
            for (Index& axis : axes) file.whole("loads/axes", axis);
            if constexpr (File::reading) {
                file.require(below(axes[0], 3) && below(axes[1], 3), "a load has no axis");
            }
            part.i = static_cast<int>(axes[0]);
            part.k = static_cast<int>(axes[1]);
            file.real("loads/position", part.position);
            exchange_matrix(file, "loads/rows", part.rows);
            exchange_matrix(file, "loads/quadratic", part.quadratic);
            exchange_matrix(file, "loads/work_rows", part.work_rows);
            exchange_matrix(file, "loads/work_quadratic", part.work_quadratic);
        });
    });
}

template <class File>
void exchange(File& file, TimeLaws& laws) {
    exchange(file, "laws/kinds", laws.kinds);
    exchange(file, "laws/starts", laws.starts);
    exchange(file, "laws/counts", laws.counts);
    exchange(file, "laws/values", laws.values);
    exchange(file, "laws/opcodes", laws.opcodes);
    exchange(file, "laws/operands", laws.operands);
    exchange(file, "laws/origins", laws.origins);
    exchange(file, "laws/table", laws.table);
    exchange(file, "laws/pieces", laws.pieces);
    exchange(file, "laws/columns", laws.columns);
    exchange(file, "laws/grids", laws.grids);
    exchange(file, "laws/nested", laws.nested);
    file.whole("laws/stack_size", laws.stack_size);
}

template <class File>
void exchange_signals(File& file, System& system) {
    exchange_list(file, "measured", system.measured, [&](ConstraintRow& row) { exchange(file, "measured", row); });
    SignalTables& signals = system.signals;
    exchange(file, "signals/kinds", signals.kinds);
    exchange(file, "signals/sources", signals.sources);
    exchange(file, "signals/constants", signals.constants);
    exchange(file, "signals/starts", signals.starts);
    exchange(file, "signals/inputs", signals.inputs);
    exchange(file, "signals/factors", signals.factors);
    exchange(file, "signals/derivatives", signals.derivatives);
    exchange(file, "signals/initial_states", signals.initial_states);
    exchange(file, "signals/initial_held", signals.initial_held);
    exchange(file, "signals/sample_starts", signals.sample_starts);
    exchange(file, "signals/sampled_held", signals.sampled_held);
    exchange(file, "signals/sampled_signals", signals.sampled_signals);
    exchange(file, "signals/events", signals.events);
    exchange(file, "signals/event_directions", signals.event_directions);
    exchange_list(file, "signals/reactions", signals.reactions, [&](Reaction& reaction) {
        file.whole("signals/reactions/first", reaction.first);
        file.whole("signals/reactions/count", reaction.count);
        exchange(file, "signals/reactions/wrench", reaction.wrench);
        for (double& part : reaction.direction) file.real("signals/reactions/direction", part);
        exchange(file, "signals/reactions/in_first", reaction.in_first);
    });
    exchange_list(file, "signals/jumps", signals.jumps, [&](Jump& jump) {
        Index kind = static_cast<Index>(jump.kind);
        file.whole("signals/jumps/kind", kind);
        jump.kind = static_cast<JumpKind>(kind);
        file.whole("signals/jumps/signal", jump.signal);
        file.whole("signals/jumps/held", jump.held);
    });
}

/// Everything but bodies and laws, which are shared.
template <class File>
void exchange(File& file, System& system) {
    exchange_list(file, "frames", system.frames, [&](Frame& frame) { exchange(file, frame); });
    exchange_rows(file, system);
    exchange_beams(file, system);
    exchange_contacts(file, system);
    exchange_loads(file, system);
    exchange_signals(file, system);
    exchange(file, "gravity", system.gravity);
    exchange_list(file, "fields", system.fields, [&](ChangingField& field) {
        exchange(file, "fields/acceleration", field.acceleration);
        file.whole("fields/law", field.law);
    });
    file.whole("size", system.size);
    exchange_matrix(file, "scales", system.scales);
    exchange_matrix(file, "joined_damping", system.joined_damping);
    file.real("slack", system.slack);
}

template <class File>
void exchange(File& file, Body& body, Index& integrals) {
    file.whole("bodies/integrals", integrals);
    file.real("bodies/length", body.length);
    exchange(file, "bodies/numbers", body.numbers);
}

template <class File>
void exchange(File& file, State& state) {
    exchange(file, "state/positions", state.positions);
    exchange(file, "state/quaternions", state.quaternions);
    exchange(file, "state/deformation", state.deformation);
    exchange(file, "state/velocities", state.velocities);
    exchange(file, "state/angles", state.angles);
    exchange(file, "state/states", state.states);
    exchange(file, "state/held", state.held);
    exchange(file, "state/counted", state.counted);
    std::vector<double> touching = numbers_of(state.touching);
    exchange(file, "state/touching", touching);
    state.touching.resize(touching.size() / TouchMemory::count);
    if (!read_numbers(touching, state.touching)) state.touching.clear();  // which does not fit the system
}

template <class File>
void exchange(File& file, Stepping& stepping) {
    const auto named = [&](const std::string& table, NamedValue& value) {
        exchange(file, table + "/name", value.name);
        exchange(file, table + "/unit", value.unit);
    };
    exchange_list(file, "stepping/inputs", stepping.inputs,
                  [&](NamedValue& input) { named("stepping/inputs", input); });
    exchange_list(file, "stepping/outputs", stepping.outputs, [&](Output& output) {
        named("stepping/outputs", output.value);
        file.whole("stepping/outputs/signal", output.signal);
    });
    exchange_list(file, "stepping/samplings", stepping.samplings, [&](SamplingTimes& sampling) {
        file.real("stepping/samplings/period", sampling.period);
        file.real("stepping/samplings/offset", sampling.offset);
    });
    exchange_list(file, "stepping/events", stepping.events, [&](EventAction& event) {
        exchange(file, "stepping/events/name", event.name);
        exchange(file, "stepping/events/stop", event.stop);
        exchange(file, "stepping/events/held", event.held);
        exchange(file, "stepping/events/values", event.values);
        file.whole("stepping/events/touch", event.touch);
        file.real("stepping/events/restitution", event.restitution);
        file.real("stepping/events/friction", event.friction);
        file.real("stepping/events/least_speed", event.least_speed);
        file.whole("stepping/events/lock", event.lock);
    });
    file.real("stepping/step", stepping.step);
    for (double& part : stepping.method) file.real("stepping/method", part);
    file.real("stepping/limit", stepping.limit);
}

// --- what a system must hold before anything is computed with it ------------------------------------------------

/// Whether a matrix has a shape; one without entries may be left out.
template <class Values>
bool has_shape(const Values& values, Index rows, Index columns) {
    if (rows * columns == 0 && values.rows() == 0 && values.cols() == 0) return true;
    return values.rows() == rows && values.cols() == columns;
}

void validate(const Unpacking& file, const BodyIntegrals& body) {
    const Index m = body.coordinates, n = body.fields, terms = body.quartic_signs.size();
    file.require(m >= 0 && n >= m && n <= most, "a body has fewer fields than coordinates");
    file.require(has_shape(body.origin_coupling, n, 3) && has_shape(body.position_coupling, n, 9) &&
                     has_shape(body.shape_products, 9 * n, n) && has_shape(body.products, (n - m) * m, m) &&
                     has_shape(body.stiffness, m, m) && has_shape(body.damping, m, m) &&
                     has_shape(body.quartic_forms, terms * m, m) && has_shape(body.leans, body.leans.rows(), m) &&
                     has_shape(body.shortening, n - m, body.leans.rows()),
                 "integrals of a body do not fit its coordinates");
}

void validate_bodies(const Unpacking& file, const System& system) {
    // velocities of all bodies follow one another in u
    Index next = 0;
    for (const Body& body : system.bodies) {
        const std::size_t local = 6 + static_cast<std::size_t>(body.coordinates());
        file.require(body.numbers.size() == local, "a body does not number its velocities");
        const Index first = next;
        for (std::size_t j = 0; j < local; ++j) {
            const bool fixed = body.numbers[j] == -1 && j < 6;
            file.require(fixed || body.numbers[j] == next, "velocities of bodies are not numbered in their order");
            if (!fixed) ++next;
        }
        file.require(next > first, "a body cannot move");
    }
    file.require(next == system.size && system.scales.size() == next, "the number of velocities is another one");
    const Index joined = system.joined_damping.size() == 0 ? 0 : next;
    file.require(has_shape(system.joined_damping, joined, joined), "the damping does not fit the bodies");
}

void validate_frames(const Unpacking& file, const System& system) {
    file.require(!system.frames.empty() && system.frames.back().body == -1, "the ground is missing");
    for (std::size_t f = 0; f < system.frames.size(); ++f) {
        const Frame& frame = system.frames[f];
        const bool ground = f + 1 == system.frames.size();
        file.require(ground || below(frame.body, system.bodies.size()), "a frame belongs to no body");
        if (frame.kind == FrameKind::rigid) continue;
        file.require(!ground, "the ground cannot deform");
        const Index m = system.bodies[frame.body].coordinates();
        const Index leans = frame.leans.rows();
        const bool bends = (!frame.curved || has_shape(frame.quadratic, 6 * m, m)) &&
                           has_shape(frame.leans, leans, m) && has_shape(frame.shortening, leans, 6);
        file.require(m > 0 && has_shape(frame.rows, m, 6) && bends, "a frame does not fit its body");
    }
}

void validate_rows(const Unpacking& file, const System& system) {
    const std::size_t laws = system.laws->kinds.size();
    const auto check = [&](const ConstraintRow& row) {
        file.require(below(row.type, constraint_types().size()), "a constraint is of no known type");
        for (Index frame : {row.first, row.second, row.carrier}) {
            file.require(below(frame, system.frames.size()), "a constraint binds a frame that is not there");
        }
    };
    const auto check_leading = [&](Leading leading) {
        const Index all = static_cast<Index>(system.arguments.size());
        const bool there = leading.first >= 0 && leading.count >= 0 && leading.first <= all &&
                           leading.count <= all - leading.first;
        file.require(there, "a coordinate follows another one that is not there");
    };
    for (const ConstraintRow& row : system.arguments) check(row);
    for (const DrivenRow& row : system.rows) {
        check(row.row);
        check_leading(row.leading);
        file.require(below(row.law, laws), "a constraint follows a law that is not there");
        const std::size_t held = system.signals.initial_held.size();
        const bool has_lock = row.lock >= 0 && row.locked_at >= 0;
        file.require(has_lock ? below(row.lock, held) && below(row.locked_at, held)
                              : row.lock == -1 && row.locked_at == -1,
                     "a lock has no held values");
    }
    for (const ForceElement& element : system.elements) {
        check(element.coordinate);
        check_leading(element.leading);
        file.require(below(element.coupling, laws), "a force acts along a coordinate without a law");
        file.require(below(element.law, force_laws().size()), "a force follows no known law");
        file.require(element.actuator == -1 || below(element.actuator, laws), "an actuator has no law");
        file.require(element.bristles == -1 || (below(element.bristles, system.signals.states()) &&
                                                 element.parameters.constants[3] > 0.0),
                     "bristles of friction have no state");
        const ForceParameters& parameters = element.parameters;
        const bool motor = std::string(force_laws()[element.law].name) == "motor";
        const MonotoneCubic& curve = parameters.curve;
        const std::size_t points = curve.x.size();
        const bool complete = curve.y.size() == points && curve.slopes.size() == points;
        file.require(complete && (points > 1 || (points == 0 && !motor)), "a curve of forces is incomplete");
        const auto known = [](const Tape& tape, Index variables) {
            const bool fits = tape.stack_size >= 1 && tape.stack_size <= most_alive;
            return fits && (tape.empty() || tape.is_complete(variables));
        };
        const Index rows = parameters.grid_rows, columns = parameters.grid_columns;
        const Index numbers = static_cast<Index>(parameters.grid.size());
        const bool fits = rows > 0 && columns > 0 && rows <= numbers && columns <= numbers / rows &&
                          parameters.table().size() == numbers && parameters.table().is_complete();
        file.require(fits || (numbers == 0 && rows == 0 && columns == 0), "a table of forces is incomplete");
        file.require(known(parameters.force, 2) && known(parameters.damping, 1), "a formula cannot be evaluated");
    }
    for (const ChangingField& field : system.fields) {
        file.require(below(field.law, laws), "a field follows a law that is not there");
    }
    for (const ConstraintRow& row : system.measured) check(row);
    for (const MarkerForce& force : system.forces) {
        file.require(below(force.frame, system.frames.size()), "a force acts on a frame that is not there");
        for (Index law : force.laws) file.require(below(law, laws), "a force follows a law that is not there");
    }
    for (const BodyLoad& load : system.loads) {
        file.require(below(load.body, system.bodies.size()) && below(load.law, laws), "a load acts on no body");
        const Index m = system.bodies[load.body].coordinates();
        for (const LoadMoment& part : load.moments) {
            file.require(part.rows.size() == m && part.work_rows.size() == m && has_shape(part.quadratic, m, m) &&
                             has_shape(part.work_quadratic, m, m),
                         "a load does not fit the coordinates of its body");
        }
    }
}

void validate_beams(const Unpacking& file, const System& system, std::size_t laws) {
    for (const BeamElement& beam : system.beams) {
        for (const BeamEnd& end : beam.ends) {
            file.require(below(end.body, system.bodies.size()), "a beam ends on a body that is not there");
        }
        file.require(beam.ends[0].body != beam.ends[1].body, "a beam ends twice on one body");
        file.require(beam.length > 0.0, "a beam has no length");
    }
    for (const BeamLoad& load : system.beam_loads) {
        file.require(below(load.beam, system.beams.size()) && below(load.law, laws), "a load acts on no beam");
    }
}

void validate_contacts(const Unpacking& file, const System& system) {
    for (const ContactElement& contact : system.contacts) {
        file.require(below(contact.pair, contact_pairs().size()) && below(contact.law, contact_laws().size()),
                     "a contact is of no known pair of shapes or law");
        for (Index frame : {contact.first.frame, contact.second.frame}) {
            file.require(below(frame, system.frames.size()), "a contact is on a frame that is not there");
        }
        const ContactParameters& p = contact.parameters;
        const bool stiff = p.stiffness > 0.0 || contact_laws()[contact.law].impulsive;
        file.require(stiff && p.exponent >= 1.0 && p.least_speed > 0.0 && p.regularisation > 0.0 &&
                         p.friction.stribeck > 0.0 && p.divisions >= 1.0,
                     "a contact has numbers that cannot be");
        const BristleParameters& f = p.friction;
        file.require(below(static_cast<Index>(contact.model), 3) &&
                         (!contact.has_bristles() ||
                          (f.dynamic_friction > 0.0 && f.static_friction >= f.dynamic_friction &&
                           f.stiffness > 0.0 && f.break_away > 0.0 && f.break_away < 1.0)),
                     "the friction of a contact has numbers that cannot be");
        if (!contact_pairs()[contact.pair].curved) continue;
        const ContactCurve& curve = contact.curve;
        const Index points = curve.points.cols();
        file.require(points >= 2 && has_shape(curve.points, 2, points) && has_shape(curve.bends, 2, points) &&
                         static_cast<Index>(curve.parameters.size()) == points,
                     "the curve of a contact is incomplete");
        for (Index k = 1; k < points; ++k) {
            file.require(curve.parameters[k] > curve.parameters[k - 1], "the curve of a contact does not go on");
        }
    }
}

void validate(const Unpacking& file, const TimeLaws& laws) {
    const std::size_t count = laws.kinds.size();
    file.require(laws.starts.size() == count && laws.counts.size() == count && laws.values.size() == count &&
                     laws.origins.size() == 2 * count && laws.columns.size() == count &&
                     laws.operands.size() == laws.opcodes.size() &&
                     laws.table.size() % 3 == 0 && laws.pieces.size() % piece_width == 0 && laws.stack_size >= 1 &&
                     laws.stack_size <= static_cast<Index>(laws.opcodes.size()) + 1,
                 "the laws of time are incomplete");
    for (std::size_t k = 0; k < count; ++k) {
        const Index first = laws.starts[k], length = laws.counts[k];
        if (laws.kinds[k] == static_cast<Index>(LawKind::number)) continue;
        if (laws.kinds[k] == static_cast<Index>(LawKind::signal)) continue;  // see validate_signals
        if (laws.kinds[k] == static_cast<Index>(LawKind::grid)) {
            const Index columns = laws.columns[k], total = static_cast<Index>(laws.grids.size());
            const bool fits = first >= 0 && length > 0 && columns > 0 && first <= total && length <= total &&
                              columns <= total / length && laws.grid(k).size() <= total - first;
            file.require(fits && laws.grid(k).is_complete(), "a table of forces is incomplete");
            continue;
        }
        if (laws.kinds[k] == static_cast<Index>(LawKind::nested)) {
            file.require(laws.is_nested(static_cast<Index>(k)), "a law of other laws is incomplete");
            continue;
        }
        const bool tape = laws.kinds[k] == static_cast<Index>(LawKind::tape);
        const bool table = laws.kinds[k] == static_cast<Index>(LawKind::table);
        const bool pieces = laws.kinds[k] == static_cast<Index>(LawKind::pieces);
        file.require(tape || table || pieces, "a law of time is of no known kind");
        const std::size_t rows = table ? laws.table.size() / 3 : laws.pieces.size() / piece_width;
        const Index total = static_cast<Index>(tape ? laws.opcodes.size() : rows);
        file.require(first >= 0 && length >= (table ? 2 : 1) && first <= total && length <= total - first,
                     "a law of time is longer than its table");
        if (table) file.require(laws.origins[2 * k + 1] > 0.0, "the times of a table do not increase");
        if (tape) file.require(laws.is_tape(static_cast<Index>(k)), "a formula cannot be evaluated");
    }
}

/// Laws of constraints are those of time; forces follow these or signals.
void validate_signals(const Unpacking& file, const System& system) {
    const TimeLaws& laws = *system.laws;
    file.require(system.has_valid_signals(), "signals do not fit each other");
    const auto check = [&](Index law, bool signals_too, Index variables = 1) {
        const Index signal = laws.signal(law);
        const bool fits = signal >= 0 ? signals_too && below(signal, system.signals.kinds.size())
                                      : laws.kinds[law] != static_cast<Index>(LawKind::signal) &&
                                            laws.variables(law) <= variables;
        file.require(fits, "something follows a law of signals that are not there");
    };
    for (const DrivenRow& row : system.rows) check(row.law, false, row.leading.count + 1);
    for (const MarkerForce& force : system.forces) {
        for (Index law : force.laws) check(law, true);
    }
    for (const BodyLoad& load : system.loads) check(load.law, true);
    for (const BeamLoad& load : system.beam_loads) check(load.law, true);
    for (const ChangingField& field : system.fields) check(field.law, true);
    for (const ForceElement& element : system.elements) {
        if (element.actuator >= 0) check(element.actuator, true);
        check(element.coupling, false, element.leading.count + 1);
    }
}

void validate(const Unpacking& file, const System& system, const State& state) {
    const std::size_t bodies = system.bodies.size();
    file.require(state.positions.size() == 3 * bodies && state.quaternions.size() == 4 * bodies &&
                     state.deformation.size() == static_cast<std::size_t>(system.deformation_size) &&
                     state.velocities.size() == static_cast<std::size_t>(system.local_size) &&
                     state.angles.size() == bodies &&
                     state.states.size() == static_cast<std::size_t>(system.state_count()) &&
                     state.held.size() == system.signals.initial_held.size() &&
                     state.counted.size() == system.measured.size() + system.arguments.size() &&
                     state.touching.size() == static_cast<std::size_t>(system.touch_count()),
                 "the state does not fit the system");
}

void validate(const Unpacking& file, const System& system, const Stepping& stepping) {
    const std::size_t held = system.signals.initial_held.size();
    file.require(stepping.inputs.size() <= held, "inputs have no values");
    for (const Output& output : stepping.outputs) {
        file.require(below(output.signal, system.signals.kinds.size()), "an output is no signal");
    }
    const std::size_t groups = system.signals.sample_starts.size();
    file.require(stepping.samplings.size() == (groups > 0 ? groups - 1 : 0) && stepping.samplings.size() < 63,
                 "sampled values have no times");
    for (const SamplingTimes& sampling : stepping.samplings) {
        file.require(sampling.period > 0.0 && std::isfinite(sampling.period) && sampling.offset >= 0.0 &&
                         std::isfinite(sampling.offset),
                     "a sampling time is not above zero");
    }
    file.require(stepping.events.size() == system.signals.events.size(), "events do nothing");
    for (const EventAction& event : stepping.events) {
        file.require(event.held.size() == event.values.size(), "an event sets values that are not there");
        for (Index k : event.held) file.require(below(k, held), "an event sets values that are not there");
        file.require(event.lock == -1 || below(event.lock, held), "an event closes no lock");
        file.require(event.touch == -1 || below(event.touch, system.touch_count()), "an event is no impact");
    }
    file.require(stepping.step > 0.0 && std::isfinite(stepping.step) && stepping.limit > 0.0,
                 "a step is not above zero");
    // α_m < 1, α_f < 1, β and γ > 0: what the method divides by
    const auto& m = stepping.method;
    file.require(m[0] < 1.0 && m[1] < 1.0 && m[2] > 0.0 && m[3] > 0.0, "the integrator has other constants");
}

std::shared_ptr<const System> read_system(Unpacking& file) {
    std::vector<std::shared_ptr<const BodyIntegrals>> integrals;
    const Index different = exchange_count(file, "integrals/count", 0);
    for (Index k = 0; k < different; ++k) {
        auto body = std::make_shared<BodyIntegrals>();
        exchange(file, *body);
        validate(file, *body);
        body->derive();
        integrals.push_back(std::move(body));
    }
    auto system = std::make_shared<System>();
    exchange_list(file, "bodies", system->bodies, [&](Body& body) {
        Index number = 0;
        exchange(file, body, number);
        file.require(below(number, integrals.size()), "a body has no integrals");
        body.integrals = integrals[number];
    });
    exchange(file, *system);
    auto laws = std::make_shared<TimeLaws>();
    exchange(file, *laws);
    validate(file, *laws);
    system->laws = std::move(laws);
    validate_bodies(file, *system);
    validate_frames(file, *system);
    validate_rows(file, *system);
    validate_beams(file, *system, system->laws->kinds.size());
    validate_signals(file, *system);
    validate_contacts(file, *system);
    system->prepare();
    return system;
}

void put_system(Packing& file, const System& given) {
    if (!given.laws->functions.empty()) {
        throw FileError("a model with compiled functions cannot be kept in a file, which holds no functions");
    }
    System system = given;
    std::vector<std::shared_ptr<const BodyIntegrals>> integrals;
    std::vector<Index> numbers;
    for (const Body& body : system.bodies) {
        const auto found = std::find(integrals.begin(), integrals.end(), body.integrals);
        numbers.push_back(found - integrals.begin());
        if (found == integrals.end()) integrals.push_back(body.integrals);
    }
    exchange_count(file, "integrals/count", static_cast<Index>(integrals.size()));
    for (const auto& own : integrals) {
        BodyIntegrals body = *own;
        exchange(file, body);
    }
    std::size_t next = 0;
    exchange_list(file, "bodies", system.bodies, [&](Body& body) { exchange(file, body, numbers[next++]); });
    exchange(file, system);
    TimeLaws laws = *system.laws;
    exchange(file, laws);
}

const std::string memory_of = "memory/";  // prefix of what an integrator remembers

}  // namespace

void write_model(const std::string& path, const Model& model) {
    Packing file;
    put_system(file, *model.system);
    if (model.state) {
        State state = *model.state;
        exchange(file, state);
        double time = model.time;
        file.real("state/time", time);
    }
    if (model.stepping) {
        Stepping stepping = *model.stepping;
        for (const SamplingTimes& sampling : stepping.samplings) {
            if (sampling.by_function) {
                throw FileError("a controller that is a function of Python cannot be kept in a file");
            }
        }
        exchange(file, stepping);
    }
    NamedArrays arrays = file.finish();
    for (const auto& [name, values] : model.memory) {
        arrays[memory_of + name] = {false, {static_cast<Index>(values.size())}, values, {}};
    }
    write_arrays(path, arrays);
}

Model read_model(const std::string& path) {
    const NamedArrays arrays = read_arrays(path);
    Unpacking file(path, arrays);
    Model model;
    model.system = read_system(file);
    if (file.has("state/time")) {
        State state(*model.system);
        exchange(file, state);
        validate(file, *model.system, state);
        model.state = std::move(state);
        file.real("state/time", model.time);
    }
    if (file.has("stepping/step")) {
        Stepping stepping;
        exchange(file, stepping);
        validate(file, *model.system, stepping);
        model.stepping = std::move(stepping);
    }
    for (const auto& [name, array] : arrays) {
        if (name.compare(0, memory_of.size(), memory_of) != 0) continue;
        model.memory[name.substr(memory_of.size())] = array.reals;
    }
    return model;
}

}  // namespace flexframe
