// Forces and moments of sections along an exact beam, in balance with what acts between its ends.
//
// At the first section the force on what lies before it is that which the element exerts on the body there: of the
// strain, less inertia, and loads, all as the equations of motion count them. From there on
//
//     f(ξ) = f_A − ∫₀^ξ w L dξ,
//
// as wrenches about one point, with w the loads for each length, weight among them, less inertia: linear along the
// element between its points of Gauss, where the equations take them. At the other end it is then the force of the
// element there, and neighbours agree at nodes.
#pragma once

#include "flexframe/beams.hpp"

namespace flexframe {

class BeamInterior {
public:
    /// At a state of an element in space, with local accelerations of the two bodies and gravity in space axes.
    BeamInterior(const BeamElement& beam, const BeamState& state, const double* acceleration_a,
                 const double* acceleration_b, const Vector3& gravity);

    /// Count a load times a factor.
    void add(const BeamLoad& load, double factor);

    /// Force and moment in the axes of the section at ξ, on what lies before it.
    Vector6 at(double xi) const;

private:
    void count(const Vector6 (&w)[2]);

    const BeamElement& beam_;
    const BeamState& state_;
    Vector6 start_;        // f_A
    Vector6 along_[2];     // w at the points of Gauss, about themselves in the axes of the first section
};

}  // namespace flexframe
