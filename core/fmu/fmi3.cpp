// Functions of FMI 3.0 for co-simulation and model exchange, as the standard (fmi-standard.org, version 3.0.2)
// declares them.
#include <cstddef>
#include <cstdint>
#include <string>

#include "exported.hpp"

namespace {

using namespace flexframe::fmu;

using Logger = void (*)(void* environment, int status, const char* category, const char* message);
using Reference = std::uint32_t;
using Byte = std::uint8_t;

struct Voice {
    Logger logger = nullptr;
    void* environment = nullptr;

    void say(Result result, const std::string& words) const {
        if (logger != nullptr) logger(environment, static_cast<int>(result), category(result), words.c_str());
    }
};

template <class Work>
int with(void* given, Work work) {
    return guard<Voice>(given, [&](Instance<Voice>& instance) { return work(instance); });
}

int refuse_values(void* given, std::size_t count, const char* what) {
    return count == 0 ? 0 : refuse<Voice>(given, what);
}

int no_clocks(void* given) { return refuse<Voice>(given, "clocks"); }

}  // namespace

extern "C" {

const char* fmi3GetVersion() {
    return "3.0";
}

int fmi3SetDebugLogging(void*, bool, std::size_t, const char* const*) {
    return 0;
}

void* fmi3InstantiateModelExchange(const char*, const char* token, const char* resources, bool, bool,
                                   void* environment, Logger logger) {
    return instantiate(Voice{logger, environment}, resources, token, Kind::model_exchange);
}

void* fmi3InstantiateCoSimulation(const char*, const char* token, const char* resources, bool, bool, bool, bool,
                                  const Reference*, std::size_t, void* environment, Logger logger, void*) {
    return instantiate(Voice{logger, environment}, resources, token, Kind::co_simulation);
}

void* fmi3InstantiateScheduledExecution(const char*, const char*, const char*, bool, bool, void* environment,
                                        Logger logger, void*, void*, void*) {
    Voice{logger, environment}.say(Result::error, "this unit has no scheduled execution");
    return nullptr;
}

void fmi3FreeInstance(void* c) {
    free_instance<Voice>(c);
}

int fmi3EnterInitializationMode(void* c, bool, double, double start, bool, double) {
    return with(c, [&](Instance<Voice>& instance) {
        instance.unit->require_start(start);
        instance.unit->enter_initialisation();
        return Result::ok;
    });
}

int fmi3ExitInitializationMode(void* c) {
    return with(c, [](Instance<Voice>& instance) {
        instance.unit->exit_initialisation();
        return Result::ok;
    });
}

int fmi3EnterEventMode(void* c) {
    return with(c, [](Instance<Voice>& instance) {
        instance.unit->state_count();  // or its refusal
        return Result::ok;
    });
}

int fmi3Terminate(void* c) {
    return with(c, [](Instance<Voice>& instance) {
        instance.unit->terminate();
        return Result::ok;
    });
}

int fmi3Reset(void* c) {
    return with(c, [](Instance<Voice>& instance) {
        instance.unit->reset();
        return Result::ok;
    });
}

int fmi3GetFloat64(void* c, const Reference* references, std::size_t count, double* values,
                   std::size_t places) {
    return with(c, [&](Instance<Voice>& instance) {
        if (places != count) throw std::invalid_argument("every variable of this unit is one number");
        require_places(references, values, count);
        for (std::size_t k = 0; k < count; ++k) values[k] = instance.unit->get(references[k]);
        return Result::ok;
    });
}

int fmi3SetFloat64(void* c, const Reference* references, std::size_t count, const double* values,
                   std::size_t places) {
    return with(c, [&](Instance<Voice>& instance) {
        if (places != count) throw std::invalid_argument("every variable of this unit is one number");
        require_places(references, values, count);
        for (std::size_t k = 0; k < count; ++k) instance.unit->set(references[k], values[k]);
        return Result::ok;
    });
}

int fmi3GetFloat32(void* c, const Reference*, std::size_t count, float*, std::size_t) {
    return refuse_values(c, count, "variables of the type Float32");
}

int fmi3SetFloat32(void* c, const Reference*, std::size_t count, const float*, std::size_t) {
    return refuse_values(c, count, "variables of the type Float32");
}

int fmi3GetInt8(void* c, const Reference*, std::size_t count, std::int8_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type Int8");
}

int fmi3SetInt8(void* c, const Reference*, std::size_t count, const std::int8_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type Int8");
}

int fmi3GetUInt8(void* c, const Reference*, std::size_t count, std::uint8_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type UInt8");
}

int fmi3SetUInt8(void* c, const Reference*, std::size_t count, const std::uint8_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type UInt8");
}

int fmi3GetInt16(void* c, const Reference*, std::size_t count, std::int16_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type Int16");
}

int fmi3SetInt16(void* c, const Reference*, std::size_t count, const std::int16_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type Int16");
}

int fmi3GetUInt16(void* c, const Reference*, std::size_t count, std::uint16_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type UInt16");
}

int fmi3SetUInt16(void* c, const Reference*, std::size_t count, const std::uint16_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type UInt16");
}

int fmi3GetInt32(void* c, const Reference*, std::size_t count, std::int32_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type Int32");
}

int fmi3SetInt32(void* c, const Reference*, std::size_t count, const std::int32_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type Int32");
}

int fmi3GetUInt32(void* c, const Reference*, std::size_t count, std::uint32_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type UInt32");
}

int fmi3SetUInt32(void* c, const Reference*, std::size_t count, const std::uint32_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type UInt32");
}

int fmi3GetInt64(void* c, const Reference*, std::size_t count, std::int64_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type Int64");
}

int fmi3SetInt64(void* c, const Reference*, std::size_t count, const std::int64_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type Int64");
}

int fmi3GetUInt64(void* c, const Reference*, std::size_t count, std::uint64_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type UInt64");
}

int fmi3SetUInt64(void* c, const Reference*, std::size_t count, const std::uint64_t*, std::size_t) {
    return refuse_values(c, count, "variables of the type UInt64");
}

int fmi3GetBoolean(void* c, const Reference*, std::size_t count, bool*, std::size_t) {
    return refuse_values(c, count, "variables of the type Boolean");
}

int fmi3SetBoolean(void* c, const Reference*, std::size_t count, const bool*, std::size_t) {
    return refuse_values(c, count, "variables of the type Boolean");
}

int fmi3GetString(void* c, const Reference*, std::size_t count, const char**, std::size_t) {
    return refuse_values(c, count, "texts");
}

int fmi3SetString(void* c, const Reference*, std::size_t count, const char* const*, std::size_t) {
    return refuse_values(c, count, "texts");
}

int fmi3GetBinary(void* c, const Reference*, std::size_t count, std::size_t*, const Byte**, std::size_t) {
    return refuse_values(c, count, "bytes");
}

int fmi3SetBinary(void* c, const Reference*, std::size_t count, const std::size_t*, const Byte* const*,
                  std::size_t) {
    return refuse_values(c, count, "bytes");
}

int fmi3GetClock(void* c, const Reference*, std::size_t count, bool*) {
    return refuse_values(c, count, "clocks");
}

int fmi3SetClock(void* c, const Reference*, std::size_t count, const bool*) {
    return refuse_values(c, count, "clocks");
}

int fmi3GetNumberOfVariableDependencies(void* c, Reference, std::size_t*) {
    return refuse<Voice>(c, "table of dependencies");
}

int fmi3GetVariableDependencies(void* c, Reference, std::size_t*, Reference*, std::size_t*, int*, std::size_t) {
    return refuse<Voice>(c, "table of dependencies");
}

int fmi3GetFMUState(void* c, void** state) {
    return get_state<Voice>(c, state);
}

int fmi3SetFMUState(void* c, void* state) {
    return set_state<Voice>(c, state);
}

int fmi3FreeFMUState(void* c, void** state) {
    return free_state<Voice>(c, state);
}

int fmi3SerializedFMUStateSize(void* c, void* state, std::size_t* size) {
    return state_size<Voice>(c, state, size);
}

int fmi3SerializeFMUState(void* c, void* state, Byte* bytes, std::size_t size) {
    return write_state<Voice>(c, state, bytes, size);
}

int fmi3DeserializeFMUState(void* c, const Byte* bytes, std::size_t size, void** state) {
    return read_state<Voice>(c, bytes, size, state);
}

int fmi3GetDirectionalDerivative(void* c, const Reference* unknowns, std::size_t unknown_count,
                                 const Reference* knowns, std::size_t known_count, const double* seed,
                                 std::size_t seeds, double* out, std::size_t places) {
    if (seeds != known_count || places != unknown_count) {
        return refuse<Voice>(c, "variables of more than one number");
    }
    return directional<Voice>(c, unknowns, unknown_count, knowns, known_count, seed, out);
}

int fmi3GetAdjointDerivative(void* c, const Reference*, std::size_t, const Reference*, std::size_t,
                             const double*, std::size_t, double*, std::size_t) {
    return refuse<Voice>(c, "adjoint derivatives");
}

int fmi3EnterConfigurationMode(void* c) {
    return refuse<Voice>(c, "structural parameters");
}

int fmi3ExitConfigurationMode(void* c) {
    return refuse<Voice>(c, "structural parameters");
}

int fmi3GetIntervalDecimal(void* c, const Reference*, std::size_t, double*, int*) {
    return no_clocks(c);
}

int fmi3GetIntervalFraction(void* c, const Reference*, std::size_t, std::uint64_t*, std::uint64_t*, int*) {
    return no_clocks(c);
}

int fmi3GetShiftDecimal(void* c, const Reference*, std::size_t, double*) {
    return no_clocks(c);
}

int fmi3GetShiftFraction(void* c, const Reference*, std::size_t, std::uint64_t*, std::uint64_t*) {
    return no_clocks(c);
}

int fmi3SetIntervalDecimal(void* c, const Reference*, std::size_t, const double*) {
    return no_clocks(c);
}

int fmi3SetIntervalFraction(void* c, const Reference*, std::size_t, const std::uint64_t*,
                            const std::uint64_t*) {
    return no_clocks(c);
}

int fmi3SetShiftDecimal(void* c, const Reference*, std::size_t, const double*) {
    return no_clocks(c);
}

int fmi3SetShiftFraction(void* c, const Reference*, std::size_t, const std::uint64_t*, const std::uint64_t*) {
    return no_clocks(c);
}

int fmi3EvaluateDiscreteStates(void* c) {
    return refuse<Voice>(c, "discrete states");
}

int fmi3UpdateDiscreteStates(void* c, bool* again, bool* ends, bool* nominals, bool* states, bool* has_next,
                             double* next) {
    return with(c, [&](Instance<Voice>& instance) {
        flexframe::EventOutcome outcome;
        const Result result = tell(instance, instance.unit->update(outcome));
        *again = false;
        *ends = outcome.ends;
        *nominals = outcome.nominals;
        *states = outcome.states;
        *has_next = outcome.has_next;
        *next = outcome.next;
        return result;
    });
}

int fmi3EnterContinuousTimeMode(void* c) {
    return with(c, [](Instance<Voice>& instance) {
        instance.unit->state_count();
        return Result::ok;
    });
}

int fmi3CompletedIntegratorStep(void* c, bool, bool* event, bool* ends) {
    return with(c, [&](Instance<Voice>& instance) {
        *ends = false;
        return tell(instance, instance.unit->complete_step(*event));
    });
}

int fmi3SetTime(void* c, double time) {
    return with(c, [&](Instance<Voice>& instance) {
        instance.unit->set_time(time);
        return Result::ok;
    });
}

int fmi3SetContinuousStates(void* c, const double* x, std::size_t count) {
    return with(c, [&](Instance<Voice>& instance) {
        instance.unit->set_states(x, count);
        return Result::ok;
    });
}

int fmi3GetContinuousStateDerivatives(void* c, double* out, std::size_t count) {
    return with(c, [&](Instance<Voice>& instance) {
        return tell(instance, instance.unit->get_derivatives(out, count));
    });
}

int fmi3GetEventIndicators(void* c, double* out, std::size_t count) {
    return with(c, [&](Instance<Voice>& instance) {
        return tell(instance, instance.unit->get_indicators(out, count));
    });
}

int fmi3GetContinuousStates(void* c, double* x, std::size_t count) {
    return with(c, [&](Instance<Voice>& instance) {
        instance.unit->get_states(x, count);
        return Result::ok;
    });
}

int fmi3GetNominalsOfContinuousStates(void* c, double* out, std::size_t count) {
    return with(c, [&](Instance<Voice>& instance) {
        instance.unit->get_nominals(out, count);
        return Result::ok;
    });
}

int fmi3GetNumberOfEventIndicators(void* c, std::size_t* count) {
    return with(c, [&](Instance<Voice>& instance) {
        *count = instance.unit->indicator_count();
        return Result::ok;
    });
}

int fmi3GetNumberOfContinuousStates(void* c, std::size_t* count) {
    return with(c, [&](Instance<Voice>& instance) {
        *count = instance.unit->state_count();
        return Result::ok;
    });
}

int fmi3EnterStepMode(void* c) {
    return refuse<Voice>(c, "event mode");
}

int fmi3GetOutputDerivatives(void* c, const Reference*, std::size_t count, const std::int32_t*, double*,
                             std::size_t) {
    return refuse_values(c, count, "derivatives of outputs");
}

int fmi3DoStep(void* c, double point, double length, bool, bool* event, bool* ends, bool* early,
               double* reached) {
    return with(c, [&](Instance<Voice>& instance) {
        const Result result = instance.unit->step(point, length);
        *event = false;
        *ends = *early = result == Result::discard;
        *reached = instance.unit->time();
        if (result == Result::ok) return Result::ok;
        const Result told = *ends ? Result::ok : result;  // an end that was asked for is none of an error
        instance.voice.say(told, instance.unit->words);
        return told;
    });
}

int fmi3ActivateModelPartition(void* c, Reference, double) {
    return no_clocks(c);
}

}  // extern "C"
