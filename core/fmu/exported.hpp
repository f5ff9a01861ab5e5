// What both versions of the interface share: what is exported, and that no exception leaves the library.
#pragma once

#include <algorithm>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include "unit.hpp"

namespace flexframe::fmu {

/// An instance with the voice of its environment.
template <class Voice>
struct Instance {
    std::unique_ptr<Unit> unit;
    Voice voice;
};

/// Do something with an instance; what goes wrong is said and becomes an error.
template <class Voice, class Work>
int guard(void* given, Work work) {
    auto* instance = static_cast<Instance<Voice>*>(given);
    if (instance == nullptr || !instance->unit) return static_cast<int>(Result::error);
    try {
        return static_cast<int>(work(*instance));
    } catch (const std::exception& problem) {
        instance->voice.say(Result::error, problem.what());
    } catch (...) {
        instance->voice.say(Result::error, "an unknown problem");
    }
    return static_cast<int>(Result::error);
}

/// A kind of call that this unit does not have.
template <class Voice>
int refuse(void* given, const char* what) {
    return guard<Voice>(given, [&](Instance<Voice>& instance) {
        instance.voice.say(Result::error, std::string("this unit has no ") + what);
        return Result::error;
    });
}

/// Say why something was not done, and what that is.
template <class Voice>
Result tell(Instance<Voice>& instance, Result result) {
    if (result != Result::ok) instance.voice.say(result, instance.unit->words);
    return result;
}

/// Arrays that are not there are refused, as long as something is asked of them.
inline void require_places(const void* first, const void* second, std::size_t count) {
    if (count > 0 && (first == nullptr || second == nullptr)) throw std::invalid_argument("there is no array");
}

/// The category of what is logged.
inline const char* category(Result result) {
    return result == Result::warning ? "logStatusWarning" : result == Result::discard ? "logStatusDiscard"
                                                                                       : "logStatusError";
}

/// A new instance, or none with the reason said.
template <class Voice>
void* instantiate(Voice voice, const char* resources, const char* token, Kind kind) {
    try {
        auto made = std::make_unique<Instance<Voice>>();
        made->voice = voice;
        made->unit = std::make_unique<Unit>(folder_of(resources), token == nullptr ? "" : token, kind);
        return made.release();  // the environment keeps it until it frees it
    } catch (const std::exception& problem) {
        voice.say(Result::error, problem.what());
    } catch (...) {
        voice.say(Result::error, "an unknown problem");
    }
    return nullptr;
}

template <class Voice>
void free_instance(void* given) {
    const std::unique_ptr<Instance<Voice>> last(static_cast<Instance<Voice>*>(given));
}

/// Copy the state of a unit to where the environment keeps it.
template <class Voice>
int get_state(void* given, void** state) {
    return guard<Voice>(given, [&](Instance<Voice>& instance) {
        if (state == nullptr) throw std::invalid_argument("there is no place for a state");
        auto saved = std::make_unique<UnitState>(instance.unit->save());
        if (*state == nullptr) {
            *state = saved.release();
        } else {
            *static_cast<UnitState*>(*state) = std::move(*saved);
        }
        return Result::ok;
    });
}

template <class Voice>
int set_state(void* given, void* state) {
    return guard<Voice>(given, [&](Instance<Voice>& instance) {
        if (state == nullptr) throw std::invalid_argument("there is no state");
        instance.unit->restore(*static_cast<UnitState*>(state));
        return Result::ok;
    });
}

template <class Voice>
int free_state(void* given, void** state) {
    return guard<Voice>(given, [&](Instance<Voice>&) {
        if (state == nullptr) return Result::ok;
        const std::unique_ptr<UnitState> last(static_cast<UnitState*>(*state));
        *state = nullptr;
        return Result::ok;
    });
}

template <class Voice>
int state_size(void* given, void* state, std::size_t* size) {
    return guard<Voice>(given, [&](Instance<Voice>& instance) {
        if (state == nullptr || size == nullptr) throw std::invalid_argument("there is no state");
        *size = sizeof(double) * instance.unit->pack(*static_cast<UnitState*>(state)).size();
        return Result::ok;
    });
}

template <class Voice, class Byte>
int write_state(void* given, void* state, Byte* bytes, std::size_t size) {
    return guard<Voice>(given, [&](Instance<Voice>& instance) {
        if (state == nullptr || bytes == nullptr) throw std::invalid_argument("there is no state");
        const std::vector<double> numbers = instance.unit->pack(*static_cast<UnitState*>(state));
        if (size < sizeof(double) * numbers.size()) throw std::invalid_argument("there is no room for a state");
        const auto* first = reinterpret_cast<const Byte*>(numbers.data());
        std::copy(first, first + sizeof(double) * numbers.size(), bytes);
        return Result::ok;
    });
}

template <class Voice, class Byte>
int read_state(void* given, const Byte* bytes, std::size_t size, void** state) {
    return guard<Voice>(given, [&](Instance<Voice>& instance) {
        if (state == nullptr || bytes == nullptr) throw std::invalid_argument("there is no state");
        std::vector<double> numbers(size / sizeof(double));
        std::copy(bytes, bytes + sizeof(double) * numbers.size(), reinterpret_cast<Byte*>(numbers.data()));
        auto made = std::make_unique<UnitState>(instance.unit->unpack(numbers.data(), numbers.size()));
        const std::unique_ptr<UnitState> last(static_cast<UnitState*>(*state));
        *state = made.release();
        return Result::ok;
    });
}

template <class Voice, class Reference>
int directional(void* given, const Reference* unknowns, std::size_t unknown_count, const Reference* knowns,
                std::size_t known_count, const double* seed, double* out) {
    return guard<Voice>(given, [&](Instance<Voice>& instance) {
        require_places(unknowns, out, unknown_count);
        require_places(knowns, seed, known_count);
        return tell(instance, instance.unit->slopes({unknowns, unknowns + unknown_count},
                                                    {knowns, knowns + known_count}, seed, out));
    });
}

}  // namespace flexframe::fmu
