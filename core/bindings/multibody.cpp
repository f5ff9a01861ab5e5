// Bodies, systems and integrators for Python. Tables are named tuples of arrays, read by the names of fields.
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "bindings.hpp"
#include "flexframe/beam_interior.hpp"
#include "flexframe/explicit_runge_kutta.hpp"
#include "flexframe/equations.hpp"
#include "flexframe/energy_momentum.hpp"
#include "flexframe/generalised_alpha.hpp"
#include "flexframe/input_slopes.hpp"
#include "flexframe/model_file.hpp"
#include "flexframe/tangents.hpp"

namespace flexframe::bindings {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using BodyHandle = std::shared_ptr<const BodyIntegrals>;
using SystemHandle = std::shared_ptr<const System>;
using Memory = std::map<std::string, std::vector<double>>;

template <class T, int N>
View<const T, N> field(nb::handle tables, const char* name) {
    return view(nb::cast<Given<const T, N>>(tables.attr(name)));
}

template <class T, int N>
std::vector<T> list(nb::handle tables, const char* name) {
    const View<const T, N> values = field<T, N>(tables, name);
    return {values.data, values.data + values.size()};
}

Vector3 vector3(View<const double, 1> values) { return {values(0), values(1), values(2)}; }

Eigen::Map<const RowMajor> matrix(View<const double, 2> values) {
    return {values.data, values.shape[0], values.shape[1]};
}

// --- description ------------------------------------------------------------------------------------------------

BodyHandle read_body(double mass, Given<const double, 1> first_moment, Given<const double, 2> second_moment,
                     Given<const double, 2> origin_coupling, Given<const double, 3> position_coupling,
                     Given<const double, 4> shape_products, Given<const double, 3> products,
                     Given<const double, 2> stiffness, Given<const double, 2> damping,
                     Given<const double, 1> quartic_signs, Given<const double, 3> quartic_forms,
                     Given<const double, 2> leans, Given<const double, 2> shortening) {
    auto body = std::make_shared<BodyIntegrals>();
    const Index m = static_cast<Index>(stiffness.shape(0)), n = static_cast<Index>(origin_coupling.shape(1));
    const Index k = static_cast<Index>(products.shape(0)), terms = static_cast<Index>(quartic_signs.shape(0));
    body->coordinates = m;
    body->fields = n;
    body->mass = mass;
    body->first_moment = vector3(view(first_moment));
    body->second_moment = matrix(view(second_moment));
    body->origin_coupling = matrix(view(origin_coupling)).transpose();
    const auto X = view(position_coupling);
    const auto Y = view(shape_products);
    body->position_coupling.resize(n, 9);
    body->shape_products.resize(9 * n, n);
    for (Index a = 0; a < 3; ++a) {
        for (Index b = 0; b < 3; ++b) {
            body->position_coupling.col(3 * a + b) = Eigen::Map<const Vector>(X(b, a).data, n);
            body->shape_products.middleRows((3 * a + b) * n, n) = matrix(Y(a, b));
        }
    }
    body->products = Eigen::Map<const RowMajor>(products.data(), k * m, m);
    body->stiffness = matrix(view(stiffness));
    body->damping = matrix(view(damping));
    body->quartic_signs = Eigen::Map<const Vector>(quartic_signs.data(), terms);
    body->quartic_forms = Eigen::Map<const RowMajor>(quartic_forms.data(), terms * m, m);
    body->leans = matrix(view(leans));
    body->shortening = matrix(view(shortening));
    body->derive();
    return body;
}

void read_frames(nb::handle tables, System& system) {
    const auto bodies = field<Index, 1>(tables, "bodies"), kinds = field<Index, 1>(tables, "elastic"),
               curved = field<Index, 1>(tables, "curved"), by_sine = field<Index, 1>(tables, "by_sine");
    const auto places = field<double, 2>(tables, "places");
    const auto rows = field<double, 3>(tables, "rows");
    const auto quadratic = field<double, 4>(tables, "quadratic");
    const auto shortening = field<double, 3>(tables, "shortening");
    for (Index f = 0; f < bodies.count(); ++f) {
        Frame frame;
        frame.body = bodies(f);
        frame.kind = static_cast<FrameKind>(kinds(f));
        frame.curved = curved(f) != 0;
        frame.by_sine = by_sine(f) != 0;
        frame.place = vector3(places(f));
        if (frame.kind != FrameKind::rigid) {
            const Index m = system.bodies[frame.body].coordinates();
            frame.rows = matrix(rows(f)).leftCols(m).transpose();
            frame.quadratic.resize(6 * m, m);
            for (Index i = 0; i < 6; ++i) {
                frame.quadratic.middleRows(i * m, m) = matrix(quadratic(f, i)).topLeftCorner(m, m);
            }
            if (frame.by_sine) {
                frame.leans = system.bodies[frame.body].integrals->leans;
                frame.shortening = matrix(shortening(f)).leftCols(frame.leans.rows()).transpose();
            }
        }
        system.frames.push_back(std::move(frame));
    }
}

/// Rows of constraints from arrays: types, frames (first, second, carrier), places, directions, radii.
struct RowTables {
    explicit RowTables(nb::handle tables)
        : types(field<Index, 1>(tables, "types")),
          frames(field<Index, 2>(tables, "frames")),
          places(field<double, 3>(tables, "places")),
          directions(field<double, 3>(tables, "directions")),
          radii(field<double, 1>(tables, "radii")) {}

    ConstraintRow row(Index k) const {
        ConstraintRow out;
        out.type = types(k);
        out.first = frames(k, 0);
        out.second = frames(k, 1);
        out.carrier = frames(k, 2);
        out.first_place = vector3(places(k, 0));
        out.second_place = vector3(places(k, 1));
        out.x = vector3(directions(k, 0));
        out.y = vector3(directions(k, 1));
        out.z = vector3(directions(k, 2));
        out.radius = radii(k);
        return out;
    }

    View<const Index, 1> types;
    View<const Index, 2> frames;
    View<const double, 3> places, directions;
    View<const double, 1> radii;
};

void read_rows(nb::handle tables, System& system) {
    const RowTables rows(tables);
    const auto laws = field<Index, 1>(tables, "laws"), holonomic = field<Index, 1>(tables, "holonomic");
    const auto scales = field<double, 1>(tables, "scales");
    const auto leading = field<Index, 2>(tables, "leading"), locks = field<Index, 2>(tables, "locks");
    for (Index k = 0; k < rows.types.count(); ++k) {
        system.rows.push_back({rows.row(k), laws(k), holonomic(k) != 0, scales(k), {leading(k, 0), leading(k, 1)},
                               locks(k, 0), locks(k, 1)});
    }
}

void read_forces(nb::handle tables, nb::handle coordinates, System& system) {
    const auto frames = field<Index, 1>(tables, "frames"), in_body = field<Index, 1>(tables, "in_body");
    const auto arms = field<double, 2>(tables, "arms");
    const auto laws = field<Index, 2>(tables, "laws");
    for (Index k = 0; k < frames.count(); ++k) {
        MarkerForce force;
        force.frame = frames(k);
        force.arm = vector3(arms(k));
        force.in_body = in_body(k) != 0;
        for (int i = 0; i < 6; ++i) force.laws[i] = laws(k, i);
        system.forces.push_back(force);
    }
    const RowTables rows(coordinates);
    const auto couplings = field<Index, 1>(coordinates, "laws");
    const auto leading = field<Index, 2>(coordinates, "leading");
    const auto kinds = field<Index, 1>(tables, "kinds"), starts = field<Index, 1>(tables, "curve_starts"),
               tapes = field<Index, 1>(tables, "tape_starts"), opcodes = field<Index, 1>(tables, "opcodes");
    const auto actuators = field<Index, 1>(tables, "actuators"), bristles = field<Index, 1>(tables, "bristles");
    const auto constants = field<double, 2>(tables, "constants"), curve = field<double, 2>(tables, "curve");
    const auto operands = field<double, 1>(tables, "operands");
    const auto grid_starts = field<Index, 1>(tables, "grid_starts"),
               columns = field<Index, 1>(tables, "grid_columns");
    const auto grids = field<double, 1>(tables, "grids");
    const Index stack_size = nb::cast<Index>(tables.attr("stack_size"));
    const auto tape = [&](Index number) {
        Tape out;
        const Index begin = tapes(number), end = tapes(number + 1);
        out.opcodes.assign(opcodes.data + begin, opcodes.data + end);
        out.operands.assign(operands.data + begin, operands.data + end);
        out.stack_size = stack_size;
        return out;
    };
    for (Index k = 0; k < rows.types.count(); ++k) {
        ForceElement element;
        element.coordinate = rows.row(k);
        element.law = kinds(k);
        element.actuator = actuators(k);
        element.leading = {leading(k, 0), leading(k, 1)};
        element.coupling = couplings(k);
        element.bristles = bristles(k);
        for (int i = 0; i < 6; ++i) element.parameters.constants[i] = constants(k, i);
        for (Index i = starts(k); i < starts(k + 1); ++i) {
            element.parameters.curve.x.push_back(curve(i, 0));
            element.parameters.curve.y.push_back(curve(i, 1));
            element.parameters.curve.slopes.push_back(curve(i, 2));
        }
        if (columns(k) > 0) {
            ForceParameters& p = element.parameters;
            p.grid.assign(grids.data + grid_starts(k), grids.data + grid_starts(k + 1));
            p.grid_columns = columns(k);
            p.grid_rows = (static_cast<Index>(p.grid.size()) - columns(k)) / (1 + grid_width * columns(k));
        }
        element.parameters.force = tape(2 * k);
        element.parameters.damping = tape(2 * k + 1);
        system.elements.push_back(std::move(element));
    }
}

void read_beams(nb::handle tables, System& system) {
    const auto bodies = field<Index, 2>(tables, "bodies");
    const auto places = field<double, 3>(tables, "places"), quaternions = field<double, 3>(tables, "quaternions");
    const auto lengths = field<double, 1>(tables, "lengths");
    const auto references = field<double, 2>(tables, "references");
    const auto flexibilities = field<double, 3>(tables, "flexibilities"),
               bending = field<double, 3>(tables, "bending"), damping = field<double, 3>(tables, "damping"),
               mass = field<double, 3>(tables, "mass");
    for (Index k = 0; k < lengths.count(); ++k) {
        BeamElement beam;
        for (int side = 0; side < 2; ++side) {
            Pose frame;
            frame.position = vector3(places(k, side));
            frame.quaternion = Eigen::Map<const Vector4>(quaternions(k, side).data);
            beam.ends[side].body = bodies(k, side);
            beam.ends[side].place(frame);
        }
        beam.length = lengths(k);
        beam.reference = Eigen::Map<const Vector6>(references(k).data);
        beam.flexibility = matrix(flexibilities(k));
        beam.bending = matrix(bending(k));
        beam.damping = matrix(damping(k));
        beam.mass = matrix(mass(k));
        system.beams.push_back(beam);
    }
    const auto loaded = field<Index, 1>(tables, "loaded"), laws = field<Index, 1>(tables, "laws"),
               in_space = field<Index, 1>(tables, "in_space");
    const auto wrenches = field<double, 2>(tables, "wrenches"), arms = field<double, 2>(tables, "arms");
    for (Index k = 0; k < loaded.count(); ++k) {
        BeamLoad load;
        load.beam = loaded(k);
        load.law = laws(k);
        load.in_space = in_space(k) != 0;
        load.wrench = Eigen::Map<const Vector6>(wrenches(k).data);
        load.arm = Eigen::Map<const Vector3>(arms(k).data);
        system.beam_loads.push_back(load);
    }
}

void read_contacts(nb::handle tables, System& system) {
    const auto pairs = field<Index, 1>(tables, "pairs"), laws = field<Index, 1>(tables, "laws"),
               starts = field<Index, 1>(tables, "curve_starts"), closed = field<Index, 1>(tables, "closed"),
               models = field<Index, 1>(tables, "frictions");
    const auto frames = field<Index, 2>(tables, "frames");
    const auto places = field<double, 3>(tables, "places"), sizes = field<double, 3>(tables, "sizes");
    const auto axes = field<double, 4>(tables, "axes");
    const auto constants = field<double, 2>(tables, "constants"), curves = field<double, 2>(tables, "curves");
    for (Index k = 0; k < pairs.count(); ++k) {
        ContactElement contact;
        contact.pair = pairs(k);
        contact.law = laws(k);
        contact.model = static_cast<FrictionModel>(models(k));
        ContactShape* shapes[2] = {&contact.first, &contact.second};
        for (int side = 0; side < 2; ++side) {
            shapes[side]->frame = frames(k, side);
            shapes[side]->place = vector3(places(k, side));
            shapes[side]->axes = matrix(axes(k, side));
            shapes[side]->radius = sizes(k, side, 0);
            shapes[side]->length = sizes(k, side, 1);
        }
        const Index count = starts(k + 1) - starts(k);
        contact.curve.closed = closed(k) != 0;
        contact.curve.points.resize(2, count);
        contact.curve.bends.resize(2, count);
        for (Index i = 0; i < count; ++i) {
            const auto row = curves(starts(k) + i);
            contact.curve.parameters.push_back(row(0));
            contact.curve.points.col(i) << row(1), row(2);
            contact.curve.bends.col(i) << row(3), row(4);
        }
        ContactParameters& p = contact.parameters;
        Index next = 0;
        BristleParameters& friction = p.friction;
        for (double* value :
             {&p.stiffness, &p.exponent, &p.damping, &p.least_speed, &friction.static_friction,
              &friction.dynamic_friction, &p.regularisation, &friction.stribeck, &p.divisions,
              &friction.stiffness, &friction.damping, &friction.viscous, &friction.break_away}) {
            *value = constants(k, next++);
        }
        system.contacts.push_back(std::move(contact));
    }
}

void read_loads(nb::handle tables, System& system) {
    const auto bodies = field<Index, 1>(tables, "bodies"), laws = field<Index, 1>(tables, "laws"),
               in_space = field<Index, 1>(tables, "in_space");
    const auto used = field<Index, 3>(tables, "used");
    const auto force = field<double, 2>(tables, "force"), moment = field<double, 2>(tables, "moment");
    const auto positions = field<double, 3>(tables, "positions");
    const auto rows = field<double, 4>(tables, "rows"), work_rows = field<double, 4>(tables, "work_rows");
    const auto quadratic = field<double, 5>(tables, "quadratic");
    const auto work = field<double, 5>(tables, "work_quadratic");
    for (Index k = 0; k < bodies.count(); ++k) {
        BodyLoad load;
        load.body = bodies(k);
        load.law = laws(k);
        load.in_space = in_space(k) != 0;
        load.force = vector3(force(k));
        load.moment = vector3(moment(k));
        const Index m = system.bodies[load.body].coordinates();
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                if (used(k, i, j) == 0) continue;
                LoadMoment part;
                part.i = i;
                part.k = j;
                part.position = positions(k, i, j);
                part.rows = Eigen::Map<const Vector>(rows(k, i, j).data, m);
                part.work_rows = Eigen::Map<const Vector>(work_rows(k, i, j).data, m);
                part.quadratic = matrix(quadratic(k, i, j)).topLeftCorner(m, m).transpose();
                part.work_quadratic = matrix(work(k, i, j)).topLeftCorner(m, m).transpose();
                load.moments.push_back(std::move(part));
            }
        }
        system.loads.push_back(std::move(load));
    }
}

void read_signals(nb::handle tables, nb::handle measured, System& system) {
    const RowTables rows(measured);
    for (Index k = 0; k < rows.types.count(); ++k) system.measured.push_back(rows.row(k));
    SignalTables& signals = system.signals;
    signals.kinds = list<Index, 1>(tables, "kinds");
    signals.sources = list<Index, 1>(tables, "sources");
    signals.constants = list<double, 1>(tables, "constants");
    signals.starts = list<Index, 1>(tables, "starts");
    signals.inputs = list<Index, 1>(tables, "inputs");
    signals.factors = list<double, 1>(tables, "factors");
    signals.derivatives = list<Index, 1>(tables, "derivatives");
    signals.initial_states = list<double, 1>(tables, "initial_states");
    signals.initial_held = list<double, 1>(tables, "initial_held");
    signals.sample_starts = list<Index, 1>(tables, "sample_starts");
    signals.sampled_held = list<Index, 1>(tables, "sampled_held");
    signals.sampled_signals = list<Index, 1>(tables, "sampled_signals");
    signals.events = list<Index, 1>(tables, "events");
    signals.event_directions = list<Index, 1>(tables, "event_directions");
    // first row, rows, 1 where it is of a wrench, 1 where its direction turns with the first frame
    const auto reactions = field<Index, 2>(tables, "reactions");
    const auto directions = field<double, 2>(tables, "reaction_directions");
    for (Index k = 0; k < reactions.count(); ++k) {
        Reaction reaction{reactions(k, 0), reactions(k, 1), reactions(k, 2) != 0, Vector6::Zero()};
        reaction.in_first = reactions(k, 3) != 0;
        for (int i = 0; i < 6; ++i) reaction.direction[i] = directions(k, i);
        signals.reactions.push_back(reaction);
    }
    const auto jumps = field<Index, 2>(tables, "jumps");
    for (Index k = 0; k < jumps.count(); ++k) {
        signals.jumps.push_back({static_cast<JumpKind>(jumps(k, 0)), jumps(k, 1), jumps(k, 2)});
    }
}

std::shared_ptr<const TimeLaws> read_laws(nb::handle tables) {
    auto laws = std::make_shared<TimeLaws>();
    laws->kinds = list<Index, 1>(tables, "kinds");
    laws->starts = list<Index, 1>(tables, "starts");
    laws->counts = list<Index, 1>(tables, "counts");
    laws->values = list<double, 1>(tables, "values");
    laws->opcodes = list<Index, 1>(tables, "opcodes");
    laws->operands = list<double, 1>(tables, "operands");
    laws->origins = list<double, 2>(tables, "origins");
    laws->table = list<double, 2>(tables, "table");
    laws->pieces = list<double, 2>(tables, "pieces");
    laws->columns = list<Index, 1>(tables, "columns");
    laws->grids = list<double, 1>(tables, "grids");
    laws->nested = list<Index, 1>(tables, "nested");
    const auto functions = field<Index, 2>(tables, "functions");  // addresses of value and slopes, inputs
    for (Index k = 0; k < functions.count(); ++k) {
        CompiledFunction function;
        const auto address = [&](int which) { return static_cast<std::uintptr_t>(functions(k, which)); };
        function.value = reinterpret_cast<decltype(function.value)>(address(0));
        function.slopes = reinterpret_cast<decltype(function.slopes)>(address(1));
        function.inputs = functions(k, 2);
        if (!function.value || function.inputs < 1 || function.inputs > most_inputs) {
            throw std::invalid_argument("a compiled function has no address or too many inputs");
        }
        laws->functions.push_back(function);
    }
    laws->stack_size = nb::cast<Index>(tables.attr("stack_size"));
    return laws;
}

SystemHandle read_system(const std::vector<BodyHandle>& bodies, nb::handle tables) {
    auto system = std::make_shared<System>();
    const nb::object own = tables.attr("bodies");
    const auto numbers = field<Index, 2>(own, "numbers");
    const auto lengths = field<double, 1>(own, "lengths");
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        Body body;
        body.integrals = bodies[b];
        body.length = lengths(b);
        body.numbers.assign(numbers(b).data, numbers(b).data + 6 + body.coordinates());
        system->bodies.push_back(std::move(body));
    }
    read_frames(tables.attr("frames"), *system);
    read_rows(tables.attr("rows"), *system);
    const RowTables arguments(tables.attr("arguments"));
    for (Index k = 0; k < arguments.types.count(); ++k) system->arguments.push_back(arguments.row(k));
    read_forces(tables.attr("forces"), tables.attr("coordinates"), *system);
    read_beams(tables.attr("beams"), *system);
    read_contacts(tables.attr("contacts"), *system);
    read_loads(tables.attr("loads"), *system);
    read_signals(tables.attr("signals"), tables.attr("measured"), *system);
    system->laws = read_laws(tables.attr("laws"));
    system->gravity = vector3(field<double, 1>(tables, "gravity"));
    const nb::object changing = tables.attr("fields");
    const auto accelerations = field<double, 2>(changing, "accelerations");
    const auto factors = field<Index, 1>(changing, "laws");
    for (Index k = 0; k < factors.count(); ++k) system->fields.push_back({vector3(accelerations(k)), factors(k)});
    system->size = nb::cast<Index>(tables.attr("size"));
    system->scales = Eigen::Map<const Vector>(field<double, 1>(tables, "scales").data, system->size);
    system->joined_damping = matrix(field<double, 2>(tables, "joined_damping"));
    system->slack = nb::cast<double>(tables.attr("slack"));
    if (!system->has_valid_signals()) {
        throw std::invalid_argument("the tables of signals do not fit each other");
    }
    system->prepare();
    return system;
}

SystemHandle with_laws(const System& system, nb::handle laws) {
    auto other = std::make_shared<System>(system);
    other->laws = read_laws(laws);
    return other;
}

// --- states -----------------------------------------------------------------------------------------------------

/// Arrays of a place: deformations and velocities are padded to the body with most coordinates.
template <class T>
struct Place {
    explicit Place(nb::handle place)
        : positions(view(nb::cast<Given<T, 2>>(place.attr("positions")))),
          quaternions(view(nb::cast<Given<T, 2>>(place.attr("quaternions")))),
          deformation(view(nb::cast<Given<T, 2>>(place.attr("deformation")))),
          velocities(view(nb::cast<Given<T, 2>>(place.attr("velocities")))),
          angles(view(nb::cast<Given<T, 1>>(place.attr("angles")))),
          states(view(nb::cast<Given<T, 1>>(place.attr("states")))),
          held(view(nb::cast<Given<T, 1>>(place.attr("held")))),
          counted(view(nb::cast<Given<T, 1>>(place.attr("counted")))) {}

    View<T, 2> positions, quaternions, deformation, velocities;
    View<T, 1> angles, states, held, counted;
};

}  // namespace

State read_state(const System& system, nb::handle arrays) {
    const Place<const double> place(arrays);
    State state(system);
    std::copy_n(place.positions.data, place.positions.size(), state.positions.begin());
    std::copy_n(place.quaternions.data, place.quaternions.size(), state.quaternions.begin());
    std::copy_n(place.angles.data, place.angles.size(), state.angles.begin());
    // without numbers these are the ones to begin with
    const auto copy = [](View<const double, 1> given, std::vector<double>& out) {
        if (given.size() == static_cast<Index>(out.size())) std::copy_n(given.data, given.size(), out.begin());
    };
    copy(place.states, state.states);
    copy(place.held, state.held);
    copy(place.counted, state.counted);
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
        const Body& body = system.bodies[b];
        const Index m = body.coordinates();
        std::copy_n(place.deformation(b).data, m, state.deformation.begin() + body.first_coordinate);
        std::copy_n(place.velocities(b).data, 6 + m, state.velocities.begin() + body.first_velocity);
    }
    return state;
}

void write_state(const System& system, const State& state, nb::handle arrays) {
    const Place<double> place(arrays);
    std::copy(state.positions.begin(), state.positions.end(), place.positions.data);
    std::copy(state.quaternions.begin(), state.quaternions.end(), place.quaternions.data);
    std::copy(state.angles.begin(), state.angles.end(), place.angles.data);
    const auto copy = [](const std::vector<double>& given, View<double, 1> out) {
        if (out.size() == static_cast<Index>(given.size())) std::copy(given.begin(), given.end(), out.data);
    };
    copy(state.states, place.states);
    copy(state.held, place.held);
    copy(state.counted, place.counted);
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
        const Body& body = system.bodies[b];
        const Index m = body.coordinates();
        std::copy_n(state.deformation.begin() + body.first_coordinate, m, place.deformation(b).data);
        std::copy_n(state.velocities.begin() + body.first_velocity, 6 + m, place.velocities(b).data);
    }
}

namespace {

/// A new array of numpy with these numbers.
template <class Values>
nb::object new_array(const Values& values, std::initializer_list<std::size_t> shape) {
    using Numbers = std::vector<double>;
    auto numbers = std::make_unique<Numbers>(values.begin(), values.end());
    double* data = numbers->data();
    const nb::capsule owner(numbers.get(), [](void* own) noexcept {
        const std::unique_ptr<Numbers> last(static_cast<Numbers*>(own));
    });
    numbers.release();  // the capsule has it now
    return nb::cast(nb::ndarray<nb::numpy, double>(data, shape, owner));
}

nb::object new_array(const Vector& values) {
    return new_array(values, {static_cast<std::size_t>(values.size())});
}

nb::object new_matrix(const Matrix& values) {
    const RowMajor rows = values;
    return new_array(std::vector<double>(rows.data(), rows.data() + rows.size()),
                     {static_cast<std::size_t>(rows.rows()), static_cast<std::size_t>(rows.cols())});
}

/// An evaluation of the equations from Python.
class Evaluation {
public:
    explicit Evaluation(const SystemHandle& system) : equations(system), state(*system) {}

    void evaluate(nb::handle place, double when, Given<const double, 1> x, Given<const double, 1> multipliers,
                  bool inertia_only) {
        state = read_state(equations.system(), place);
        time = when;
        equations.evaluate(state, when, x.data(), multipliers.data(), Detail::biases,
                           inertia_only ? Acting::inertia : Acting::everything);
    }

    bool accelerations(nb::handle place, double time, Given<double, 1> x, Given<double, 1> multipliers) {
        state = read_state(equations.system(), place);
        return equations.accelerations(state, time, x.data(), multipliers.data());
    }

    bool project(nb::handle place, double time) {
        state = read_state(equations.system(), place);
        Vector u = Vector::Zero(equations.system().size);
        state.get_velocities(equations.system(), u.data());
        if (!equations.project(state, time, u.data(), closed)) return false;
        state.set_velocities(equations.system(), u.data());
        state.counted = equations.counted();
        write_state(equations.system(), state, place);
        return true;
    }

    nb::object residual() const { return new_array(equations.residual); }

    nb::object matrices() {
        Matrix out;
        equations.write_matrices(state, out);
        return new_matrix(out);
    }

    /// What resists a change of positions at the state that was evaluated last, as iterations take it: (n, n).
    nb::object stiffness() {
        const Index n = equations.system().size;
        Matrix out, inertia;
        for (Matrix* matrix : {&out, &inertia}) {
            equations.fill(state, equations.own, 0.0, matrix == &out ? 1.0 : 0.0);
            equations.own.keep();
            equations.own.write(*matrix);
        }
        return new_matrix(out.topLeftCorner(n, n) - inertia.topLeftCorner(n, n));
    }

    /// Forces K(ε + ε̇) of exact beams at the state that was evaluated last: those of the strain after a unit of
    /// time at these velocities, if strains went on as they begin to: (beams, 6).
    nb::object extrapolated_beam_forces() const {
        const System& system = equations.system();
        std::vector<double> out;
        for (std::size_t k = 0; k < system.beams.size(); ++k) {
            const BeamElement& beam = system.beams[k];
            const BeamState& here = equations.beams[k];
            const Vector6 rate = here.rate / beam.length;
            Vector6 force = here.elastic;
            if (beam.planar) {
                constexpr int plane[3] = {0, 1, 5};
                for (int i = 0; i < 3; ++i) {
                    for (int j = 0; j < 3; ++j) force[plane[i]] += beam.stiffness(i, j) * rate[plane[j]];
                }
            } else {
                force += here.flexibility.solve(rate);
            }
            out.insert(out.end(), force.data(), force.data() + 6);
        }
        return new_array(out, {system.beams.size(), 6});
    }

    /// ∂r/∂q and ∂r/∂u as rows, columns and values, at accelerations x and multipliers; `beam_forces` (beams, 6)
    /// stand for those of the strain, none where there are none.
    nb::object tangents(nb::handle place, double time, Given<const double, 1> x,
                        Given<const double, 1> multipliers, double stride, bool rates,
                        Given<const double, 2> beam_forces) {
        state = read_state(equations.system(), place);
        if (!tangent_maker) tangent_maker.emplace(equations);
        const Tangents found = tangent_maker->at(state, time, x.data(), multipliers.data(), stride, rates,
                                                 beam_forces.shape(0) > 0 ? beam_forces.data() : nullptr);
        nb::list out;
        for (const SparseEntries* entries : {&found.positions, &found.velocities}) {
            for (const std::vector<Index>* numbers : {&entries->rows, &entries->columns}) {
                out.append(new_array(*numbers, {numbers->size()}));
            }
            out.append(new_array(entries->values, {entries->values.size()}));
        }
        return out;
    }

    nb::object dependent_rows(double tolerance) { return new_matrix(equations.dependent_rows(tolerance)); }

    nb::object targets() const {
        std::vector<double> out;
        for (const RowState& row : equations.rows) {
            out.insert(out.end(), {row.target.value, row.target.rate, row.target.second});
        }
        return new_array(out, {equations.rows.size(), 3});
    }

    nb::object biases() const {
        Vector out = Vector::Zero(equations.system().row_count());
        equations.biases(out.data());
        return new_array(out);
    }

    nb::object coordinates() const {
        std::vector<double> out;
        for (const RowState& row : equations.coordinates) out.push_back(row.value.value);
        return new_array(out, {out.size()});
    }

    nb::object signals() const {
        const std::vector<double>& values = equations.signals.values();
        return new_array(values, {values.size()});
    }

    /// ∂r/∂w and ∂(signals)/∂w of the first held values w, states kept, at the state that was evaluated last.
    std::pair<nb::object, nb::object> input_slopes(Index inputs) {
        const System& system = equations.system();
        if (!slopes) slopes.emplace(system);
        const std::vector<double>& values = equations.signals.values();
        const Matrix of_signals = signal_slopes(system, values, inputs);
        return {new_matrix(slopes->at(state, time, values, of_signals)), new_matrix(of_signals)};
    }

    nb::object powers() const {
        const Powers& p = equations.powers;
        return new_array(std::vector<double>{p.drives, p.loads, p.dissipation, p.contact}, {4});
    }

    /// Gap, rate, normal force, friction, normal, point and force on the second shape of every place: (touches,
    /// 13).
    nb::object touches() const {
        std::vector<double> out;
        for (const Touch& touch : equations.touches) {
            out.insert(out.end(), {touch.where.gap, touch.rate, touch.normal.force,
                                   touch.normal.force * touch.friction.size()});
            for (const Vector3* v : {&touch.where.normal, &touch.where.point, &touch.force}) {
                out.insert(out.end(), v->begin(), v->end());
            }
        }
        return new_array(out, {equations.touches.size(), 13});
    }

    nb::object measures() {
        const Measures m = equations.measure(state);
        Vector out(9);
        out << m.kinetic, m.strain, m.gravity, m.linear_momentum, m.angular_momentum;
        return new_array(out);
    }

    Equations equations;
    State state;
    double time = 0.0;
    std::optional<TangentMaker> tangent_maker;
    std::optional<InputSlopes> slopes;
};

/// Forces and moments of sections along some exact beams, one after the other from `first`, at many instants: u
/// and u̇ (T, n), acceleration of space on all mass (T, 3), factors of all loads along beams (T, loads), stations
/// (S,); in the axes of the sections: (T, beams, S, 6).
void beam_resultants(const SystemHandle& system, Index first, Given<const double, 3> positions,
                     Given<const double, 3> quaternions, Given<const double, 2> velocities,
                     Given<const double, 2> accelerations, Given<const double, 2> gravity,
                     Given<const double, 2> factors, Given<const double, 1> stations, Given<double, 4> out) {
    const auto r = view(positions), q = view(quaternions);
    const auto u = view(velocities), x = view(accelerations), g = view(gravity), f = view(factors);
    const auto s = view(stations);
    const auto found = view(out);
    const Index count = found.shape[1];
    if (first < 0 || count > static_cast<Index>(system->beams.size()) - first || u.shape[1] != system->size ||
        x.shape[1] != system->size || f.shape[1] != static_cast<Index>(system->beam_loads.size())) {
        throw std::invalid_argument("the arrays are not of this system");
    }
    nb::gil_scoped_release release;
    for (Index k = 0; k < count; ++k) {
        BeamElement beam = system->beams[first + k];
        beam.settle(false);
        const auto local = [&](View<const double, 2> all, Index t, int side) {
            const Body& body = system->bodies[beam.ends[side].body];
            Vector6 own = Vector6::Zero();
            for (Index j : body.active) own[j] = all(t, body.numbers[j]);
            return own;
        };
        const auto pose = [&](Index t, int side) {
            Pose there;
            there.position = vector3(r(t, beam.ends[side].body));
            there.quaternion = Eigen::Map<const Vector4>(q(t, beam.ends[side].body).data);
            return there;
        };
        for (Index t = 0; t < found.shape[0]; ++t) {
            BeamState state;
            const Vector6 u_a = local(u, t, 0), u_b = local(u, t, 1), x_a = local(x, t, 0), x_b = local(x, t, 1);
            move_beam(beam, pose(t, 0), pose(t, 1), u_a.data(), u_b.data(), state);
            BeamInterior interior(beam, state, x_a.data(), x_b.data(), vector3(g(t)));
            for (std::size_t load = 0; load < system->beam_loads.size(); ++load) {
                if (system->beam_loads[load].beam == first + k) interior.add(system->beam_loads[load], f(t, load));
            }
            for (Index station = 0; station < s.shape[0]; ++station) {
                Eigen::Map<Vector6>(found(t, k, station).data) = interior.at(s(station));
            }
        }
    }
}

// --- integrators ------------------------------------------------------------------------------------------------

template <int N>
View<double, N> rows_of(nb::handle samples, const char* name) {
    return view(nb::cast<Given<double, N>>(samples.attr(name)));
}

Samples read_samples(nb::handle samples) {
    Samples out;
    out.positions = rows_of<3>(samples, "positions");
    out.quaternions = rows_of<3>(samples, "quaternions");
    out.angles = rows_of<2>(samples, "angles");
    out.deformations = rows_of<2>(samples, "deformations");
    out.velocities = rows_of<2>(samples, "velocities");
    out.accelerations = rows_of<2>(samples, "accelerations");
    out.multipliers = rows_of<2>(samples, "multipliers");
    out.springs = rows_of<1>(samples, "springs");
    out.gaps = rows_of<1>(samples, "gaps");
    out.slips = rows_of<1>(samples, "slips");
    out.works = rows_of<2>(samples, "works");
    out.measures = rows_of<2>(samples, "measures");
    out.signals = rows_of<2>(samples, "signals");
    out.contacts = rows_of<3>(samples, "contacts");
    return out;
}

using Ended = std::tuple<Index, Index, double, Index>;

Ended tuple_of(const Outcome& outcome) {
    return {static_cast<Index>(outcome.status), outcome.taken, outcome.time, outcome.body};
}

/// Whether velocities could jump, impulse, lost energy, the speed before, and whether shapes rest from then on.
std::tuple<bool, double, double, double, bool> tuple_of(const Impact& impact) {
    return {impact.found, impact.impulse, impact.lost, impact.speed, impact.rests};
}

/// The same of a lock, with whether it is closed.
std::tuple<bool, bool, double, double, double> lock_tuple(const Impact& impact, bool closed) {
    return {impact.found, closed, impact.impulse, impact.lost, impact.speed};
}

Intervals read_intervals(nb::handle intervals) {
    Intervals plan;
    plan.starts = field<double, 1>(intervals, "starts");
    plan.steps = field<double, 1>(intervals, "steps");
    plan.firsts = field<Index, 1>(intervals, "firsts");
    plan.counts = field<Index, 1>(intervals, "counts");
    plan.ends = field<double, 1>(intervals, "ends");
    plan.kept = field<Index, 1>(intervals, "kept");
    plan.sampled = field<Index, 1>(intervals, "sampled");
    return plan;
}

/// Steps of equal length with the system that they move.
template <class Method>
struct EqualSteps {
    template <class... Given>
    explicit EqualSteps(const SystemHandle& description, const Given&... given)
        : system(description), method(description, given...) {}

    Ended run(nb::handle intervals, nb::handle samples, Index taken, double seconds) {
        const Intervals plan = read_intervals(intervals);
        const Samples rows = read_samples(samples);
        nb::gil_scoped_release release;
        return tuple_of(method.run(plan, rows, taken, seconds));
    }

    SystemHandle system;
    Method method;
};

/// What all methods with equal steps offer.
template <class Run>
nb::class_<Run> bind_equal_steps(nb::module_& module, const char* name) {
    return nb::class_<Run>(module, name)
        .def("start", [](Run& self, nb::handle place, double time,
                         double step) { return self.method.start(read_state(*self.system, place), time, step); })
        .def("restore",
             [](Run& self, nb::handle place, const Memory& memory) {
                 return self.method.restore(read_state(*self.system, place), memory);
             })
        .def("run", &Run::run)
        .def("keep_divisions", [](Run& self) { self.method.keep_divisions(); })
        .def("division_times",
             [](const Run& self) {
                 const std::vector<double>& times = self.method.divisions.times();
                 return new_array(times, {times.size()});
             })
        .def("give_divisions",
             [](Run& self, nb::handle samples) { self.method.divisions.give(read_samples(samples)); })
        .def("memory", [](const Run& self) { return self.method.memory(); })
        .def("write",
             [](Run& self, nb::handle place) { write_state(*self.system, self.method.state(), place); })
        .def("counts", [](const Run& self) {
            const StepCounts& c = self.method.counts;
            return std::make_tuple(c.steps, c.iterations, c.factorisations, c.evaluations, c.halved);
        });
}

/// Generalised-α with the system that it moves.
struct AlphaRun : EqualSteps<GeneralisedAlpha> {
    AlphaRun(const SystemHandle& description, std::tuple<double, double, double, double> constants, double limit)
        : EqualSteps(description, as_array(constants).values, limit) {}

    struct Four {
        double values[4];
    };
    static Four as_array(const std::tuple<double, double, double, double>& t) {
        return {{std::get<0>(t), std::get<1>(t), std::get<2>(t), std::get<3>(t)}};
    }

};

struct PairRun {
    PairRun(const SystemHandle& description, const std::string& tableau, double tolerance, double limit)
        : system(description), method(description, tableau_named(tableau), tolerance, limit) {}

    Ended run(Given<const double, 1> times, Index taken, nb::handle samples, nb::handle steps,
              Given<double, 1> when, double seconds) {
        const Samples rows = read_samples(samples), blocks = read_samples(steps);
        const auto instants = view(times);
        const auto moments = view(when);
        nb::gil_scoped_release release;
        return tuple_of(method.run(instants, taken, rows, blocks, moments, seconds));
    }

    SystemHandle system;
    ExplicitRungeKutta method;
};

/// Largest normal force of each contact so far, and when: (contacts, 2).
nb::object peaks_of(const ContactSteps& contacts) {
    std::vector<double> out;
    for (std::size_t k = 0; k < contacts.peaks().size(); ++k) {
        out.insert(out.end(), {contacts.peaks()[k], contacts.peak_times()[k]});
    }
    return new_array(out, {contacts.peaks().size(), 2});
}

// --- files ------------------------------------------------------------------------------------------------------

void save_model(const SystemHandle& system, const std::string& path, nb::handle place, double time,
                const Memory& memory) {
    Model model{system, {}, time, memory};
    if (!place.is_none()) model.state = read_state(*system, place);
    nb::gil_scoped_release release;
    write_model(path, model);
}

/// Put the state of a model into the arrays of a place; false where it has none.
bool take_state(const Model& model, nb::handle place) {
    if (model.state) write_state(*model.system, *model.state, place);
    return model.state.has_value();
}

// --- constraints over many instants -----------------------------------------------------------------------------

/// Frames of one instant from arrays (instants, frames, …).
std::vector<FrameInSpace> frames_at(Index t, View<const double, 3> r, View<const double, 4> R) {
    std::vector<FrameInSpace> out(r.shape[1]);
    for (Index f = 0; f < r.shape[1]; ++f) {
        out[f].position = vector3(r(t, f));
        out[f].rotation = matrix(R(t, f));
    }
    return out;
}

/// Values, both slopes and f_xx, f_xy, f_yy of a table at many places: (places, 6).
void table_values(Given<const double, 1> numbers, Index rows, Index columns, Given<const double, 1> x,
                  Given<const double, 1> y, Given<double, 2> out) {
    const TableGrid grid{numbers.data(), rows, columns};
    if (rows < 2 || columns < 1 || grid.size() != static_cast<Index>(numbers.size()) || x.size() != y.size() ||
        out.size() != 6 * x.size()) {
        throw std::invalid_argument("the numbers of a table do not fit each other");
    }
    for (std::size_t k = 0; k < x.size(); ++k) {
        const TableGrid::Value f = grid.at(x.data()[k], y.data()[k]);
        const double row[6] = {f.value, f.slope_x, f.slope_y, f.xx, f.xy, f.yy};
        std::copy_n(row, 6, out.data() + 6 * k);
    }
}

void constraint_values(nb::handle tables, Given<const double, 3> positions, Given<const double, 4> rotations,
                       Given<double, 2> values, Given<double, 4> jacobians) {
    const RowTables rows(tables);
    const auto r = view(positions);
    const auto R = view(rotations);
    const auto s = view(values);
    const auto J = view(jacobians);
    nb::gil_scoped_release release;
    for (Index t = 0; t < s.shape[0]; ++t) {
        const std::vector<FrameInSpace> frames = frames_at(t, r, R);
        for (Index k = 0; k < s.shape[1]; ++k) {
            const ConstraintRow row = rows.row(k);
            const RowValue value = row_value(row, frames[row.first], frames[row.second], frames[row.carrier]);
            s(t, k) = value.value;
            Eigen::Map<Vector6>(J(t, k, row.first).data) += value.first;
            Eigen::Map<Vector6>(J(t, k, row.second).data) += value.second;
            Eigen::Map<Vector6>(J(t, k, row.carrier).data) += value.carrier;
        }
    }
}

void constraint_rates(nb::handle tables, Given<const double, 3> positions, Given<const double, 4> rotations,
                      Given<const double, 3> velocities, Given<const double, 3> spins, Given<double, 2> rates,
                      Given<double, 2> biases) {
    const RowTables rows(tables);
    const auto r = view(positions), v = view(velocities),
               w = view(spins);
    const auto R = view(rotations);
    const auto rate = view(rates), bias = view(biases);
    nb::gil_scoped_release release;
    for (Index t = 0; t < rate.shape[0]; ++t) {
        std::vector<FrameInSpace> frames = frames_at(t, r, R);
        for (Index f = 0; f < r.shape[1]; ++f) {
            frames[f].velocity = vector3(v(t, f));
            frames[f].angular_velocity = vector3(w(t, f));
        }
        for (Index k = 0; k < rate.shape[1]; ++k) {
            const ConstraintRow row = rows.row(k);
            const RowRate found = row_rate(row, frames[row.first], frames[row.second], frames[row.carrier]);
            rate(t, k) = found.rate;
            bias(t, k) = found.bias;
        }
    }
}

template <class Registry>
std::vector<std::string> names_of(const Registry& registry) {
    std::vector<std::string> out;
    for (const auto& entry : registry) out.emplace_back(entry.name);
    return out;
}

}  // namespace

void bind_multibody(nb::module_& module) {
    nb::class_<BodyIntegrals>(module, "Body");
    nb::class_<System>(module, "System").def_prop_ro("size", [](const System& system) { return system.size; });
    module.def("body", &read_body);
    module.def("system", &read_system);
    module.def("with_laws", &with_laws);
    module.def("beam_resultants", &beam_resultants);
    nb::class_<Evaluation>(module, "Evaluation")
        .def(nb::init<const SystemHandle&>())
        .def("evaluate", &Evaluation::evaluate)
        .def("accelerations", &Evaluation::accelerations)
        .def("project", &Evaluation::project)
        .def("residual", &Evaluation::residual)
        .def("matrices", &Evaluation::matrices)
        .def("stiffness", &Evaluation::stiffness)
        .def("extrapolated_beam_forces", &Evaluation::extrapolated_beam_forces)
        .def("tangents", &Evaluation::tangents)
        .def("dependent_rows", &Evaluation::dependent_rows)
        .def("targets", &Evaluation::targets)
        .def("biases", &Evaluation::biases)
        .def("coordinates", &Evaluation::coordinates)
        .def("signals", &Evaluation::signals)
        .def("input_slopes", &Evaluation::input_slopes)
        .def("powers", &Evaluation::powers)
        .def("touches", &Evaluation::touches)
        .def("measures", &Evaluation::measures)
        .def("spring_energy", [](Evaluation& self) { return self.equations.spring_energy(); });
    bind_equal_steps<EqualSteps<EnergyMomentum>>(module, "EnergyMomentum").def(nb::init<const SystemHandle&>());
    bind_equal_steps<AlphaRun>(module, "GeneralisedAlpha")
        .def(nb::init<const SystemHandle&, std::tuple<double, double, double, double>, double>())
        .def("happened_at_start", [](const AlphaRun& self) { return self.method.happened_at_start(); })
        .def("rewind", [](AlphaRun& self) { self.method.rewind(); })
        .def("signals", [](AlphaRun& self, double time) { return self.method.signals(time); })
        .def("hold", [](AlphaRun& self, Index number, double value, double time,
                        double step) { return self.method.hold(number, value, time, step); })
        .def("impact",
             [](AlphaRun& self, Index touch, double restitution, double friction, double least_speed, double time,
                double step) {
                 return tuple_of(self.method.impact(touch, restitution, friction, least_speed, time, step));
             })
        .def("lock",
             [](AlphaRun& self, Index lock, double time, double step) {
                 const auto impact = self.method.lock(lock, time, step);
                 return lock_tuple(impact, self.method.state().held[lock] != 0.0);
             })
        .def("rests", [](const AlphaRun& self, Index touch) { return self.method.rests(touch); })
        .def("rests_elsewhere",
             [](const AlphaRun& self, Index touch) { return self.method.rests_elsewhere(touch); })
        .def("release", [](AlphaRun& self, Index touch, double time,
                           double step) { return self.method.release(touch, time, step); })
        .def("switch_side", [](AlphaRun& self, Index jump, double time,
                               double step) { return self.method.switch_side(jump, time, step); })
        .def("contact_peaks", [](const AlphaRun& self) { return peaks_of(self.method.contacts()); });
    nb::class_<PairRun>(module, "ExplicitRungeKutta")
        .def(nb::init<const SystemHandle&, const std::string&, double, double>())
        .def("start",
             [](PairRun& self, nb::handle place, double time) {
                 return self.method.start(read_state(*self.system, place), time);
             })
        .def("restore",
             [](PairRun& self, nb::handle place, const Memory& memory) {
                 return self.method.restore(read_state(*self.system, place), memory);
             })
        .def("sample_at",
             [](PairRun& self, std::vector<double> instants, std::vector<Index> groups, Index functions) {
                 self.method.sample_at(std::move(instants), std::move(groups), functions);
             })
        .def("signals", [](PairRun& self) { return self.method.signals(); })
        .def("hold", [](PairRun& self, Index number, double value) { self.method.hold(number, value); })
        .def("impact",
             [](PairRun& self, Index touch, double restitution, double friction, double least_speed) {
                 return tuple_of(self.method.impact(touch, restitution, friction, least_speed));
             })
        .def("rests", [](const PairRun& self, Index touch) { return self.method.rests(touch); })
        .def("rests_elsewhere",
             [](const PairRun& self, Index touch) { return self.method.rests_elsewhere(touch); })
        .def("release", [](PairRun& self, Index touch) { return self.method.release(touch); })
        .def("switch_side", [](PairRun& self, Index jump) { return self.method.switch_side(jump); })
        .def("lock",
             [](PairRun& self, Index lock) {
                 const Impact impact = self.method.lock(lock);
                 return lock_tuple(impact, self.method.state().held[lock] != 0.0);
             })
        .def("sample_end", [](PairRun& self, nb::handle samples,
                              Index k) { return self.method.sample_end(read_samples(samples), k); })
        .def("keep_end", [](PairRun& self, nb::handle steps,
                            Index k) { return self.method.keep_end(read_samples(steps), k); })
        .def("end_when_stiff", [](PairRun& self, double steps_left,
                                  double until) { self.method.end_when_stiff(steps_left, until); })
        .def("run", &PairRun::run)
        .def("memory", [](const PairRun& self) { return self.method.memory(); })
        .def("write", [](const PairRun& self,
                         nb::handle place) { write_state(*self.system, self.method.sampled(), place); })
        .def("take_kept",
             [](PairRun& self) {
                 const Index kept = self.method.kept;
                 self.method.kept = 0;
                 return kept;
             })
        .def("contact_peaks", [](const PairRun& self) { return peaks_of(self.method.contacts()); })
        .def("counts", [](const PairRun& self) {
            const auto& c = self.method.counts;
            return std::make_tuple(c.steps, c.rejected, c.evaluations);
        });
    nb::class_<Model>(module, "Model")
        .def_prop_ro("system", [](const Model& model) { return model.system; })
        .def_ro("time", &Model::time)
        .def_ro("memory", &Model::memory)
        .def("write", &take_state);
    module.def("write_model", &save_model, nb::arg("system"), nb::arg("path"), nb::arg("place") = nb::none(),
               nb::arg("time") = 0.0, nb::arg("memory") = Memory());
    module.def("read_model", &read_model);
    module.def("table_values", &table_values);
    module.def("constraint_values", &constraint_values);
    module.def("constraint_rates", &constraint_rates);
    module.def("constraint_types", [] { return names_of(constraint_types()); });
    module.def("force_laws", [] { return names_of(force_laws()); });
    module.def("contact_points", [] {
        std::vector<Index> out;
        for (const ContactPair& pair : contact_pairs()) out.push_back(pair.points);
        return out;
    });
    module.def("contact_pairs", [] { return names_of(contact_pairs()); });
    module.def("contact_laws", [] { return names_of(contact_laws()); });
    module.def("contact_damping", [](Index law, double restitution) {
        const auto factor = contact_laws().at(law).factor;
        return factor == nullptr ? 0.0 : factor(restitution);
    });
}

}  // namespace flexframe::bindings
