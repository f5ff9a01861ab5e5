// The library of exported units through its C interface, as a simulator uses it: both versions, co-simulation and
// model exchange, states, two instances in threads, and everything that a unit must refuse without falling.
#include <dlfcn.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "check.hpp"
#include "flexframe/stepper.hpp"
#include "pendulums.hpp"

using flexframe::Index;
using flexframe::tests::check;
using flexframe::tests::check_near;
using flexframe::tests::finish;

namespace {

const std::string token = "{a token}";

/// A pendulum of two bodies in space: a force along x on the second is the input, places of that are the outputs,
/// and an event turns a held value where it passes x = 0.9.
std::shared_ptr<const flexframe::System> machine(flexframe::Stepping& stepping) {
    flexframe::System system(*flexframe::tests::double_pendulum());
    for (int axis = 0; axis < 2; ++axis) {
        flexframe::ConstraintRow place = flexframe::tests::row_between("along", 2, 1, 2);
        place.x = flexframe::Vector3::Unit(axis);
        system.measured.push_back(place);
    }
    const auto kind = [](flexframe::SignalKind which) { return static_cast<Index>(which); };
    using flexframe::SignalKind;
    flexframe::SignalTables& t = system.signals;
    t.kinds = {kind(SignalKind::held), kind(SignalKind::coordinate), kind(SignalKind::coordinate),
               kind(SignalKind::linear), kind(SignalKind::held)};
    t.sources = {0, 0, 1, 0, 1};
    t.constants = {0.0, 0.0, 0.0, -0.9, 0.0};
    t.starts = {0, 0, 0, 0, 1, 1};
    t.inputs = {1};
    t.factors = {1.0};
    t.initial_held = {0.0, 1.0};
    t.sample_starts = {0};
    t.events = {3};
    t.event_directions = {-1};
    flexframe::TimeLaws laws(*system.laws);
    laws.kinds.push_back(static_cast<Index>(flexframe::LawKind::signal));
    laws.starts.push_back(0);
    laws.counts.push_back(0);
    laws.values.push_back(0.0);
    laws.origins.resize(8, 0.0);
    laws.columns.push_back(0);
    system.laws = std::make_shared<const flexframe::TimeLaws>(laws);
    flexframe::MarkerForce push;
    push.frame = 1;
    push.laws[0] = 3;
    system.forces.push_back(push);
    // found anew
    system.groups.clear();
    system.first_touches.clear();
    system.shapes.clear();
    system.structure = flexframe::BlockStructure();
    for (flexframe::Body& body : system.bodies) {
        body.active.clear();
        body.frames.clear();
    }
    system.prepare();
    stepping.inputs = {{"force", "N"}};
    stepping.outputs = {{{"x", "m"}, 1}, {{"y", "m"}, 2}};
    flexframe::EventAction turn;
    turn.name = "turn";
    turn.held = {1};
    turn.values = {2.0};
    stepping.events = {turn};
    stepping.step = 1e-3;
    stepping.method = {1.0 / 3.0, 4.0 / 9.0, 0.30864197530864196, 0.6111111111111112};  // ρ = 0.8
    stepping.limit = 10.0;
    return std::make_shared<const flexframe::System>(system);
}

/// A folder of resources as a unit has it.
std::string write_resources() {
    const auto folder = std::filesystem::temp_directory_path() / "flexframe_test_fmu";
    std::filesystem::create_directories(folder);
    flexframe::Stepping stepping;
    const auto system = machine(stepping);
    flexframe::Stepper stepper(system, stepping);
    check(stepper.start(flexframe::tests::start_of(*system), 0.0, 1e-3) == flexframe::Status::done, "a start");
    flexframe::write_running((folder / "model.flexframe").string(), stepper);
    std::ofstream(folder / "token") << token << "\n";
    return folder.string();
}

thread_local std::string heard;

void hear2(void*, const char*, int, const char*, const char*, const char* words) { heard = words; }
void hear3(void*, int, const char*, const char* words) { heard = words; }

/// Callbacks of FMI 2.0; the logger has one more argument after the format.
struct Callbacks {
    void (*logger)(void*, const char*, int, const char*, const char*, const char*) = hear2;
    void* (*allocate)(std::size_t, std::size_t) = nullptr;
    void (*give_back)(void*) = nullptr;
    void (*finished)(void*, int) = nullptr;
    void* environment = nullptr;
};

struct EventInfo {
    int again, ends, nominals, states, has_next;
    double next;
};

/// The library, loaded while this lives.
class Library {
public:
    explicit Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        check(handle_ != nullptr, "the library is loaded");
    }
    ~Library() { dlclose(handle_); }
    Library(const Library&) = delete;

    /// A function by its name.
    template <class Function>
    Function* get(const char* name) const {
        void* found = dlsym(handle_, name);
        check(found != nullptr, std::string("the library has ") + name);
        Function* out = nullptr;
        std::memcpy(&out, &found, sizeof out);
        return out;
    }

private:
    void* handle_;
};

using Reference = std::uint32_t;

/// One instance of either version, with what both have.
class Instance {
public:
    Instance(const Library& library, int version, bool exchange, const std::string& resources,
             const std::string& given = token)
        : library_(library), version_(version) {
        if (version == 2) {
            const std::string address = "file://" + resources;
            const auto make = library.get<void*(const char*, int, const char*, const char*, const Callbacks*, int,
                                                int)>("fmi2Instantiate");
            own = make("one", exchange ? 0 : 1, given.c_str(), address.c_str(), &callbacks_, 0, 0);
        } else if (exchange) {
            const auto make = library.get<void*(const char*, const char*, const char*, bool, bool, void*,
                                                decltype(&hear3))>("fmi3InstantiateModelExchange");
            own = make("one", given.c_str(), (resources + "/").c_str(), false, false, nullptr, hear3);
        } else {
            const auto make =
                library.get<void*(const char*, const char*, const char*, bool, bool, bool, bool, const Reference*,
                                  std::size_t, void*, decltype(&hear3), void*)>("fmi3InstantiateCoSimulation");
            own = make("one", given.c_str(), (resources + "/").c_str(), false, false, false, false, nullptr, 0,
                       nullptr, hear3, nullptr);
        }
    }

    ~Instance() { library_.get<void(void*)>(version_ == 2 ? "fmi2FreeInstance" : "fmi3FreeInstance")(own); }
    Instance(const Instance&) = delete;

    /// Call a function that both versions have under its name after the prefix.
    template <class... Arguments>
    int call(const char* name, Arguments... arguments) const {
        const std::string whole = (version_ == 2 ? "fmi2" : "fmi3") + std::string(name);
        return library_.get<int(void*, Arguments...)>(whole.c_str())(own, arguments...);
    }

    int set(Reference reference, double value) const {
        if (version_ == 2) {
            return call<const Reference*, std::size_t, const double*>("SetReal", &reference, 1, &value);
        }
        return call<const Reference*, std::size_t, const double*, std::size_t>("SetFloat64", &reference, 1, &value,
                                                                               1);
    }

    double get(Reference reference) const {
        double value = std::numeric_limits<double>::quiet_NaN();
        if (version_ == 2) {
            call<const Reference*, std::size_t, double*>("GetReal", &reference, 1, &value);
        } else {
            call<const Reference*, std::size_t, double*, std::size_t>("GetFloat64", &reference, 1, &value, 1);
        }
        return value;
    }

    bool begin(double force = 0.0) const {
        int status = 0;
        if (version_ == 2) {
            status = call<int, double, double, int, double>("SetupExperiment", 0, 0.0, 0.0, 0, 0.0);
            status += call("EnterInitializationMode");
        } else {
            status = call<bool, double, double, bool, double>("EnterInitializationMode", false, 0.0, 0.0, false,
                                                              0.0);
        }
        status += set(1, force);
        return status + call("ExitInitializationMode") == 0;
    }

    int step(double time, double length) const {
        if (version_ == 2) return call<double, double, int>("DoStep", time, length, 1);
        bool event, ends, early;
        double reached;
        const auto step = "DoStep";
        return call<double, double, bool, bool*, bool*, bool*, double*>(step, time, length, true, &event, &ends,
                                                                        &early, &reached);
    }

    int update(bool& states) const {
        if (version_ == 2) {
            EventInfo info{};
            const int status = call<EventInfo*>("NewDiscreteStates", &info);
            states = info.states != 0;
            return status;
        }
        bool again, ends, nominals, has_next;
        double next;
        return call<bool*, bool*, bool*, bool*, bool*, double*>("UpdateDiscreteStates", &again, &ends, &nominals,
                                                                &states, &has_next, &next);
    }

    bool complete(bool& event) const {
        if (version_ == 2) {
            int wanted = 0, ends = 0;
            const int status = call<int, int*, int*>("CompletedIntegratorStep", 1, &wanted, &ends);
            event = wanted != 0;
            return status == 0;
        }
        bool ends;
        return call<bool, bool*, bool*>("CompletedIntegratorStep", true, &event, &ends) == 0;
    }

    const char* derivatives() const {
        return version_ == 2 ? "GetDerivatives" : "GetContinuousStateDerivatives";
    }
    const char* state(const char* verb) const {
        name_ = std::string(verb) + (version_ == 2 ? "FMUstate" : "FMUState");
        return name_.c_str();
    }

    void* own = nullptr;

private:
    const Library& library_;
    int version_;
    Callbacks callbacks_;
    mutable std::string name_;
};

constexpr std::size_t states = 6 + 6;  // two bodies on ball joints: three rotations each
constexpr Reference first_state = 5;   // after time, force, x, y, internal_step

/// The place of the second body after a time, by steps of the unit.
std::pair<double, double> by_steps(const Instance& unit, int count) {
    for (int k = 0; k < count; ++k) check(unit.step(0.01 * k, 0.01) == 0, "a step");
    return {unit.get(2), unit.get(3)};
}

/// The same by Runge–Kutta's method of fourth order on the equations; how often x jumped is counted.
std::pair<double, double> by_equations(const Instance& unit, int count, int& jumps) {
    std::vector<double> x(states), y(states), k(states), sum(states);
    bool changed = false, event = false;
    check(unit.update(changed) == 0, "a first update");
    check(unit.call("EnterContinuousTimeMode") == 0, "continuous time");
    const double h = 0.01 / 8;
    const auto rates = [&](double time, const std::vector<double>& at) {
        unit.call<double>("SetTime", time);
        unit.call<const double*, std::size_t>("SetContinuousStates", at.data(), states);
        check(unit.call<double*, std::size_t>(unit.derivatives(), k.data(), states) == 0, "derivatives");
    };
    for (int n = 0; n < 8 * count; ++n) {
        const double t = h * n;
        unit.call<double*, std::size_t>("GetContinuousStates", x.data(), states);
        sum = x;
        const double weights[4] = {h / 6, h / 3, h / 3, h / 6}, parts[4] = {0.5 * h, 0.5 * h, h, 0.0};
        y = x;
        for (int stage = 0; stage < 4; ++stage) {
            rates(t + (stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h), y);
            for (std::size_t i = 0; i < states; ++i) {
                sum[i] += weights[stage] * k[i];
                y[i] = x[i] + parts[stage] * k[i];
            }
        }
        unit.call<double>("SetTime", t + h);
        unit.call<const double*, std::size_t>("SetContinuousStates", sum.data(), states);
        double indicators[2];
        check(unit.call<double*, std::size_t>("GetEventIndicators", indicators, 2) == 0, "indicators");
        check(unit.complete(event), "a completed step");
        if (!event && indicators[1] > 0.0) continue;
        check(unit.call("EnterEventMode") == 0 && unit.update(changed) == 0, "an event");
        jumps += changed ? 1 : 0;
        unit.call("EnterContinuousTimeMode");
    }
    return {unit.get(2), unit.get(3)};
}

void test_motion(const Library& library, const std::string& resources, int version) {
    const Instance stepped(library, version, false, resources), solved(library, version, true, resources);
    check(stepped.own != nullptr && solved.own != nullptr, "instances");
    check(stepped.begin(3.0) && solved.begin(3.0), "initialised");
    int jumps = 0;
    const auto a = by_steps(stepped, 100), b = by_equations(solved, 100, jumps);
    // second order with steps of 1 ms and a period of about 1 s: 1e-5 of a motion of about 1 m
    check_near(a.first, b.first, 2e-4, "x by both");
    check_near(a.second, b.second, 2e-4, "y by both");
    check(jumps > 0, "bodies turned far enough that rotations count from elsewhere");
    check(std::hypot(b.first, b.second) < 1.2, "within reach of the first body, √1.29 m");

    // a directional derivative: a unit of force moves states by what a difference of rates says
    std::vector<Reference> unknowns(states);
    std::vector<double> found(states), rates(states), other(states);
    for (std::size_t i = 0; i < states; ++i) unknowns[i] = first_state + states + static_cast<Reference>(i);
    const Reference force = 1;
    const double one = 1.0;
    int status = 0;
    if (version == 2) {
        status = solved.call<const Reference*, std::size_t, const Reference*, std::size_t, const double*, double*>(
            "GetDirectionalDerivative", unknowns.data(), states, &force, 1, &one, found.data());
    } else {
        const auto name = "GetDirectionalDerivative";
        status = solved.call<const Reference*, std::size_t, const Reference*, std::size_t, const double*,
                             std::size_t, double*, std::size_t>(name, unknowns.data(), states, &force, 1, &one, 1,
                                                                found.data(), states);
    }
    check(status == 0, "a directional derivative");
    solved.call<double*, std::size_t>(solved.derivatives(), rates.data(), states);
    solved.set(1, 4.0);
    solved.call<double*, std::size_t>(solved.derivatives(), other.data(), states);
    for (std::size_t i = 0; i < states; ++i) {
        // rates are linear in the force: rounding of differences over strides of 0.004
        check_near(found[i], other[i] - rates[i], 1e-9 * (1.0 + std::abs(other[i])), "by the force");
    }
}

void test_states(const Library& library, const std::string& resources, int version, bool exchange) {
    const Instance unit(library, version, exchange, resources);
    check(unit.begin(1.0), "initialised");
    int jumps = 0;
    const auto go = [&] { return exchange ? by_equations(unit, 5, jumps) : by_steps(unit, 5); };
    void* kept = nullptr;
    check(unit.call<void**>(unit.state("Get"), &kept) == 0, "a state");
    const auto first = go();
    check(unit.call<void*>(unit.state("Set"), kept) == 0, "set back");
    check(go() == first, "bit by bit from a state");
    const char* names[3] = {version == 2 ? "SerializedFMUstateSize" : "SerializedFMUStateSize",
                            version == 2 ? "SerializeFMUstate" : "SerializeFMUState",
                            version == 2 ? "DeSerializeFMUstate" : "DeserializeFMUState"};
    std::size_t size = 0;
    check(unit.call<void*, std::size_t*>(names[0], kept, &size) == 0 && size > 0, "its size");
    std::vector<char> bytes(size);
    check(unit.call<void*, char*, std::size_t>(names[1], kept, bytes.data(), size - 1) == 3, "no room for it");
    check(unit.call<void*, char*, std::size_t>(names[1], kept, bytes.data(), size) == 0, "as bytes");
    void* again = nullptr;
    check(unit.call<const char*, std::size_t, void**>(names[2], bytes.data(), size - 8, &again) == 3, "too few");
    std::vector<char> wrong = bytes;
    const double huge = 1e300;
    for (std::size_t place = 0; place + 8 <= size; place += 8) {  // any number of it may be any
        std::memcpy(wrong.data() + place, &huge, 8);
        void* odd = nullptr;
        if (unit.call<const char*, std::size_t, void**>(names[2], wrong.data(), size, &odd) == 0) {
            unit.call<void**>(unit.state("Free"), &odd);
        }
        std::memcpy(wrong.data() + place, bytes.data() + place, 8);
    }
    check(unit.call<const char*, std::size_t, void**>(names[2], bytes.data(), size, &again) == 0, "from bytes");
    check(unit.call<void*>(unit.state("Set"), again) == 0, "set back from bytes");
    check(go() == first, "bit by bit from bytes");
    for (void** each : {&kept, &again}) {
        check(unit.call<void**>(unit.state("Free"), each) == 0 && *each == nullptr, "freed");
    }
    check(unit.call("Reset") == 0 && unit.begin(1.0), "begun anew");
    check(go() == first, "bit by bit after a reset");
}

void test_starts(const Library& library, const std::string& resources, int version) {
    // initial values of states are what the motion begins with, in both interfaces
    for (const bool exchange : {false, true}) {
        const Instance unit(library, version, exchange, resources);
        const double before = unit.get(first_state);
        check(unit.set(first_state, before + 0.1) == 0, "a value at the start");
        check(unit.begin(), "initialised");
        check_near(unit.get(first_state), before + 0.1, 1e-12, "begins there");
        check(unit.set(first_state, before) == 3, "not later");
        const Instance other(library, version, exchange, resources);
        check(other.begin(), "initialised");
        check(std::abs(other.get(2) - unit.get(2)) + std::abs(other.get(3) - unit.get(3)) > 1e-3, "another place");
    }
}

void test_refusals(const Library& library, const std::string& resources, int version) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const bool exchange : {false, true}) {
        const Instance unit(library, version, exchange, resources);
        check(unit.begin(), "initialised");
        check(!unit.begin(), "only once");
        check(unit.set(1, nan) == 3 && heard == "force is not a finite number", "a value that is none");
        check(unit.set(2, 1.0) == 3 && heard == "x is computed and cannot be set", "an output");
        check(unit.set(4000000000u, 1.0) == 3, "no variable");
        check(std::isnan(unit.get(77)), "no variable to read");
        check(unit.set(4, 0.5) == 3, "a parameter that is fixed");
        if (exchange) {
            check(unit.step(0.0, 0.01) == 3 && heard == "this instance is for model exchange", "no steps");
            std::vector<double> x(states, nan);
            check(unit.call<const double*, std::size_t>("SetContinuousStates", x.data(), states) == 3, "states");
            check(unit.call<double*, std::size_t>(unit.derivatives(), x.data(), states - 1) == 3, "too few");
            check(unit.call<double>("SetTime", nan) == 3, "a time that is none");
        } else {
            check(unit.step(3.0, 0.01) == 3, "another time");
            check(unit.step(0.0, -0.01) == 3 && unit.step(0.0, nan) == 3, "no step");
            std::vector<double> x(states);
            check(unit.call<double*, std::size_t>(unit.derivatives(), x.data(), states) == 3, "no equations");
            check(unit.step(0.0, 0.01) == 0, "it goes on");
        }
        check(unit.call<void*>(unit.state("Set"), nullptr) == 3, "no state");
        check(unit.call<const double*, std::size_t>("SetContinuousStates", nullptr, states) == 3, "no array");
        if (version == 2) {
            const auto none = static_cast<const Reference*>(nullptr);
            check(unit.call<const Reference*, std::size_t, double*>("GetReal", none, 1, nullptr) == 3, "no array");
        }
    }
    const Instance stranger(library, version, false, resources, "{another}");
    check(stranger.own == nullptr && heard.find("the token") == 0, "another token");
    const Instance lost(library, version, true, resources + "/nowhere");
    check(lost.own == nullptr && !heard.empty(), "no resources");
    check(lost.call("Terminate") == 3, "a call without an instance");
    const std::string path = resources + "/model.flexframe";
    std::string bytes;
    {
        std::ifstream file(path, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    for (std::size_t length = 0; length < bytes.size(); length += bytes.size() / 40) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes.substr(0, length);
        heard.clear();
        const Instance cut(library, version, length % 2 == 0, resources);
        check(cut.own == nullptr && !heard.empty(), "a truncated model");
    }
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// Calls in another order than the interface has them, and what this unit does not have.
void test_order(const Library& library, const std::string& resources, int version) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const bool exchange : {false, true}) {
        const Instance unit(library, version, exchange, resources);
        check(unit.call("ExitInitializationMode") == 3 && heard == "initialisation has not begun", "no end first");
        check(exchange || (unit.step(0.0, 0.01) == 3 && heard.find("a step before") == 0), "no step first");
        for (const double start : {1.0, nan}) {
            const int status = version == 2
                ? unit.call<int, double, double, int, double>("SetupExperiment", 0, 0.0, start, 0, 0.0)
                : unit.call<bool, double, double, bool, double>("EnterInitializationMode", false, 0.0, start,
                                                                false, 0.0);
            check(status == 3 && heard.find("the model starts at t = 0") == 0, "another time to start at");
        }
        check(unit.set(4, -1.0) == 3 && heard.find("internal_step is -1.000000 s") == 0, "a step below zero");
        if (version == 2) {  // may come twice
            unit.call<int, double, double, int, double>("SetupExperiment", 0, 0.0, 0.0, 0, 0.0);
        }
        check(unit.begin(), "initialised all the same");

        const Reference one = 1;
        const auto names = version == 2 ? std::vector<const char*>{"Integer", "Boolean", "String"}
                                        : std::vector<const char*>{"Float32", "Int8", "UInt8", "Int16", "UInt16",
                                                                   "Int32", "UInt32", "Int64", "UInt64", "Boolean",
                                                                   "String"};
        for (const char* type : names) {
            for (const char* verb : {"Get", "Set"}) {
                const std::string name = std::string(verb) + type;
                double room[2] = {0.0, 0.0};
                for (const std::size_t count : {0, 1}) {
                    const int status =
                        version == 2
                            ? unit.call<const Reference*, std::size_t, void*>(name.c_str(), &one, count, room)
                            : unit.call<const Reference*, std::size_t, void*, std::size_t>(name.c_str(), &one,
                                                                                           count, room, count);
                    check(status == (count == 0 ? 0 : 3), "no variable of another type: " + name);
                }
            }
        }
        if (version == 2) {
            check(unit.call("CancelStep") == 3 && heard == "this unit has no steps that could be cancelled", "no");
        } else {
            check(unit.call("EnterConfigurationMode") == 3, "no configuration");
            check(unit.call("EvaluateDiscreteStates") == 3, "no discrete states");
            double wrong = 0.0;
            check(unit.call<const Reference*, std::size_t, double*, std::size_t>("GetFloat64", &one, 1, &wrong,
                                                                                 2) == 3,
                  "one number a variable");
        }
        check(unit.call("Terminate") == 0, "ended");
        check(exchange || (unit.step(0.0, 0.01) == 3), "no step after the end");
        check(unit.call("Reset") == 0 && unit.begin(), "and begun anew");
        if (!exchange) continue;

        // states of which no motion can be are tried by an integrator: it is told to come back with a shorter step
        std::vector<double> good(states), far(states, 1e200), rates(states);
        unit.call<double*, std::size_t>("GetContinuousStates", good.data(), states);
        unit.call<const double*, std::size_t>("SetContinuousStates", far.data(), states);
        heard.clear();
        check(unit.call<double*, std::size_t>(unit.derivatives(), rates.data(), states) == 2, "discarded");
        check(!heard.empty(), "with its reason");
        unit.call<const double*, std::size_t>("SetContinuousStates", good.data(), states);
        check(unit.call<double*, std::size_t>(unit.derivatives(), rates.data(), states) == 0, "it goes on");
    }
    if (version == 2) return;
    const auto scheduled = library.get<void*(const char*, const char*, const char*, bool, bool, void*,
                                             decltype(&hear3), void*, void*, void*)>(
        "fmi3InstantiateScheduledExecution");
    check(scheduled("one", token.c_str(), resources.c_str(), false, false, nullptr, hear3, nullptr, nullptr,
                    nullptr) == nullptr && heard == "this unit has no scheduled execution",
          "no scheduled execution");
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) return 1;
    const std::string resources = write_resources();
    for (int round = 0; round < 2; ++round) {  // loaded, unloaded, loaded
        const Library library(arguments[1]);
        for (const int version : {2, 3}) {
            test_motion(library, resources, version);
            for (const bool exchange : {false, true}) test_states(library, resources, version, exchange);
            test_starts(library, resources, version);
            test_refusals(library, resources, version);
            test_order(library, resources, version);
        }
        if (round == 1) continue;
        // instances in threads do not see each other
        std::pair<double, double> alone, found[4];
        {
            const Instance unit(library, 2, false, resources);
            unit.begin(2.0);
            alone = by_steps(unit, 20);
        }
        std::vector<std::thread> threads;
        for (auto& each : found) {
            threads.emplace_back([&] {
                const Instance unit(library, 2, false, resources);
                unit.begin(2.0);
                double time = 0.0;
                for (int k = 0; k < 20; ++k, time = 0.01 * k) unit.step(time, 0.01);
                each = {unit.get(2), unit.get(3)};
            });
        }
        for (std::thread& each : threads) each.join();
        for (const auto& each : found) check(each == alone, "the same in a thread");
    }
    std::filesystem::remove_all(resources);
    return finish();
}
