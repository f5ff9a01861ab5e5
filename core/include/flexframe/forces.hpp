// Forces along coordinates (springs, dampers, friction, motors) and forces at markers.
//
// A law of force is one file in src/force_laws/ and its name in the list of src/forces.cpp.
#pragma once

#include <vector>

#include "flexframe/constraints.hpp"
#include "flexframe/monotone_cubic.hpp"
#include "flexframe/rotations.hpp"
#include "flexframe/table_grid.hpp"
#include "flexframe/time_laws.hpp"

namespace flexframe {

/// What a law of force along a coordinate is made of: numbers, a curve, and formulas.
struct ForceParameters {
    double constants[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    MonotoneCubic curve;  // of force over stretch or speed
    Tape force;           // of stretch s and rate v
    Tape damping;         // of the rate v
    std::vector<double> grid;  // of force over stretch and rate, numbers of a `TableGrid`
    Index grid_rows = 0, grid_columns = 0;

    TableGrid table() const { return {grid.data(), grid_rows, grid_columns}; }
};

/// A force along a coordinate s with its rate: what is elastic, what is not, and how both change.
struct CoordinateForce {
    double elastic = 0.0;    // derives from the energy
    double other = 0.0;
    double stiffness = 0.0;  // −∂(elastic + other)/∂s
    double damping = 0.0;    // −∂(elastic + other)/∂ṡ
};

/// A law of force along a coordinate.
struct ForceLaw {
    const char* name;
    bool drives;  // whether its work is that of a load, not dissipation
    CoordinateForce (*at)(const ForceParameters& parameters, double coordinate, double rate,
                          std::vector<Jet>& stack);
    double (*energy)(const ForceParameters& parameters, double coordinate, std::vector<Jet>& stack);  // or none
};

/// All laws, by their numbers in the tables.
const std::vector<ForceLaw>& force_laws();

/// A force element: the coordinate along which it acts, and its law.
struct ForceElement {
    ConstraintRow coordinate;
    Index law = 0;
    ForceParameters parameters;
    Index actuator = -1;  // law of time or signal that the force follows instead
    Leading leading;      // other coordinates r: the force acts along s − f(r), …
    Index coupling = 0;   // … f being this law
    Index bristles = -1;  // state z of friction, with σ₀ and z that slips as its third and fourth constant
};

/// A force and a moment at a place on a frame, each component after a law of time.
struct MarkerForce {
    Index frame = 0;
    Vector3 arm = Vector3::Zero();  // from the frame to the place
    bool in_body = false;           // whether the components are in the axes of the body
    Index laws[6] = {0, 0, 0, 0, 0, 0};
};

}  // namespace flexframe
