// Functions of FMI 2.0 for co-simulation and model exchange, as the standard (fmi-standard.org, version 2.0.4)
// declares them.
#include <cstddef>
#include <string>

#include "exported.hpp"

namespace {

using namespace flexframe::fmu;

using Logger = void (*)(void* environment, const char* instance, int status, const char* category,
                        const char* message, ...);

/// Callbacks of the environment; memory is our own.
struct Callbacks {
    Logger logger;
    void* (*allocate)(std::size_t, std::size_t);
    void (*free)(void*);
    void (*step_finished)(void*, int);
    void* environment;
};

/// What an event did.
struct EventInfo {
    int again, ends, nominals, states, has_next;
    double next;
};

struct Voice {
    Logger logger = nullptr;
    void* environment = nullptr;
    std::string name;

    void say(Result result, const std::string& words) const {
        if (logger != nullptr) {
            logger(environment, name.c_str(), static_cast<int>(result), category(result), "%s", words.c_str());
        }
    }
};

template <class Work>
int with(void* given, Work work) {
    return guard<Voice>(given, [&](Instance<Voice>& instance) { return work(instance); });
}

int refuse_values(void* given, std::size_t count, const char* what) {
    return count == 0 ? 0 : refuse<Voice>(given, what);
}

}  // namespace

extern "C" {

const char* fmi2GetTypesPlatform() {
    return "default";
}

const char* fmi2GetVersion() {
    return "2.0";
}

int fmi2SetDebugLogging(void*, int, std::size_t, const char* const*) {
    return 0;
}

void* fmi2Instantiate(const char* name, int type, const char* guid, const char* resources,
                      const Callbacks* callbacks, int, int) {
    Voice voice;
    if (callbacks != nullptr) {
        voice.logger = callbacks->logger;
        voice.environment = callbacks->environment;
    }
    voice.name = name == nullptr ? "" : name;
    return instantiate(voice, resources, guid, type == 0 ? Kind::model_exchange : Kind::co_simulation);
}

void fmi2FreeInstance(void* c) {
    free_instance<Voice>(c);
}

int fmi2SetupExperiment(void* c, int, double, double start, int, double) {
    return with(c, [&](Instance<Voice>& instance) {
        instance.unit->require_start(start);
        return Result::ok;
    });
}

int fmi2EnterInitializationMode(void* c) {
    return with(c, [](Instance<Voice>& instance) {
        instance.unit->enter_initialisation();
        return Result::ok;
    });
}

int fmi2ExitInitializationMode(void* c) {
    return with(c, [](Instance<Voice>& instance) {
        instance.unit->exit_initialisation();
        return Result::ok;
    });
}

int fmi2Terminate(void* c) {
    return with(c, [](Instance<Voice>& instance) {
        instance.unit->terminate();
        return Result::ok;
    });
}

int fmi2Reset(void* c) {
    return with(c, [](Instance<Voice>& instance) {
        instance.unit->reset();
        return Result::ok;
    });
}

int fmi2GetReal(void* c, const unsigned* references, std::size_t count, double* values) {
    return with(c, [&](Instance<Voice>& instance) {
        require_places(references, values, count);
        for (std::size_t k = 0; k < count; ++k) values[k] = instance.unit->get(references[k]);
        return Result::ok;
    });
}

int fmi2SetReal(void* c, const unsigned* references, std::size_t count, const double* values) {
    return with(c, [&](Instance<Voice>& instance) {
        require_places(references, values, count);
        for (std::size_t k = 0; k < count; ++k) instance.unit->set(references[k], values[k]);
        return Result::ok;
    });
}

int fmi2GetInteger(void* c, const unsigned*, std::size_t count, int*) {
    return refuse_values(c, count, "whole numbers");
}

int fmi2SetInteger(void* c, const unsigned*, std::size_t count, const int*) {
    return refuse_values(c, count, "whole numbers");
}

int fmi2GetBoolean(void* c, const unsigned*, std::size_t count, int*) {
    return refuse_values(c, count, "truth values");
}

int fmi2SetBoolean(void* c, const unsigned*, std::size_t count, const int*) {
    return refuse_values(c, count, "truth values");
}

int fmi2GetString(void* c, const unsigned*, std::size_t count, const char**) {
    return refuse_values(c, count, "texts");
}

int fmi2SetString(void* c, const unsigned*, std::size_t count, const char* const*) {
    return refuse_values(c, count, "texts");
}

int fmi2GetFMUstate(void* c, void** state) {
    return get_state<Voice>(c, state);
}

int fmi2SetFMUstate(void* c, void* state) {
    return set_state<Voice>(c, state);
}

int fmi2FreeFMUstate(void* c, void** state) {
    return free_state<Voice>(c, state);
}

int fmi2SerializedFMUstateSize(void* c, void* state, std::size_t* size) {
    return state_size<Voice>(c, state, size);
}

int fmi2SerializeFMUstate(void* c, void* state, char* bytes, std::size_t size) {
    return write_state<Voice>(c, state, bytes, size);
}

int fmi2DeSerializeFMUstate(void* c, const char* bytes, std::size_t size, void** state) {
    return read_state<Voice>(c, bytes, size, state);
}

int fmi2GetDirectionalDerivative(void* c, const unsigned* unknowns, std::size_t unknown_count,
                                 const unsigned* knowns, std::size_t known_count, const double* seed,
                                 double* out) {
    return directional<Voice>(c, unknowns, unknown_count, knowns, known_count, seed, out);
}

int fmi2EnterEventMode(void* c) {
    return with(c, [](Instance<Voice>&) { return Result::ok; });
}

int fmi2NewDiscreteStates(void* c, EventInfo* info) {
    return with(c, [&](Instance<Voice>& instance) {
        flexframe::EventOutcome outcome;
        const Result result = tell(instance, instance.unit->update(outcome));
        *info = {0, outcome.ends, outcome.nominals, outcome.states, outcome.has_next, outcome.next};
        return result;
    });
}

int fmi2EnterContinuousTimeMode(void* c) {
    return with(c, [](Instance<Voice>&) { return Result::ok; });
}

int fmi2CompletedIntegratorStep(void* c, int, int* event, int* ends) {
    return with(c, [&](Instance<Voice>& instance) {
        bool wanted = false;
        const Result result = tell(instance, instance.unit->complete_step(wanted));
        *event = wanted ? 1 : 0;
        *ends = 0;
        return result;
    });
}

int fmi2SetTime(void* c, double time) {
    return with(c, [&](Instance<Voice>& instance) {
        instance.unit->set_time(time);
        return Result::ok;
    });
}

int fmi2SetContinuousStates(void* c, const double* x, std::size_t count) {
    return with(c, [&](Instance<Voice>& instance) {
        instance.unit->set_states(x, count);
        return Result::ok;
    });
}

int fmi2GetContinuousStates(void* c, double* x, std::size_t count) {
    return with(c, [&](Instance<Voice>& instance) {
        instance.unit->get_states(x, count);
        return Result::ok;
    });
}

int fmi2GetNominalsOfContinuousStates(void* c, double* out, std::size_t count) {
    return with(c, [&](Instance<Voice>& instance) {
        instance.unit->get_nominals(out, count);
        return Result::ok;
    });
}

int fmi2GetDerivatives(void* c, double* out, std::size_t count) {
    return with(c, [&](Instance<Voice>& instance) {
        return tell(instance, instance.unit->get_derivatives(out, count));
    });
}

int fmi2GetEventIndicators(void* c, double* out, std::size_t count) {
    return with(c, [&](Instance<Voice>& instance) {
        return tell(instance, instance.unit->get_indicators(out, count));
    });
}

int fmi2SetRealInputDerivatives(void* c, const unsigned*, std::size_t count, const int*, const double*) {
    return refuse_values(c, count, "derivatives of inputs");
}

int fmi2GetRealOutputDerivatives(void* c, const unsigned*, std::size_t count, const int*, double*) {
    return refuse_values(c, count, "derivatives of outputs");
}

int fmi2DoStep(void* c, double point, double length, int) {
    return with(c, [&](Instance<Voice>& instance) {
        return tell(instance, instance.unit->step(point, length));
    });
}

int fmi2CancelStep(void* c) {
    return refuse<Voice>(c, "steps that could be cancelled");
}

int fmi2GetStatus(void* c, int, int* value) {
    return with(c, [&](Instance<Voice>&) {
        *value = 0;
        return Result::ok;
    });
}

int fmi2GetRealStatus(void* c, int, double* value) {
    return with(c, [&](Instance<Voice>& instance) {
        *value = instance.unit->time();  // the last one that was reached
        return Result::ok;
    });
}

int fmi2GetIntegerStatus(void* c, int, int*) {
    return refuse<Voice>(c, "status that is a whole number");
}

int fmi2GetBooleanStatus(void* c, int, int* value) {
    return with(c, [&](Instance<Voice>& instance) {
        *value = instance.unit->ended() ? 1 : 0;  // terminated
        return Result::ok;
    });
}

int fmi2GetStringStatus(void* c, int, const char** value) {
    return with(c, [&](Instance<Voice>& instance) {
        *value = instance.unit->words.c_str();
        return Result::ok;
    });
}

}  // extern "C"
