// A whole model in one file: bodies with their integrals, frames, constraints, forces, loads and laws of time.
// With a state and the memory of an integrator it is a checkpoint.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flexframe/array_file.hpp"
#include "flexframe/stepping.hpp"
#include "flexframe/system.hpp"

namespace flexframe {

/// A system with all that belongs to it, and a state that it was left in.
struct Model {
    std::shared_ptr<const System> system;
    std::optional<State> state;
    double time = 0.0;
    std::map<std::string, std::vector<double>> memory;  // of the integrator that goes on from the state
    std::optional<Stepping> stepping;  // for whoever steps it from outside
};

void write_model(const std::string& path, const Model& model);

/// The model of a file, ready for every integrator; a FileError where the file does not hold one.
Model read_model(const std::string& path);

}  // namespace flexframe
