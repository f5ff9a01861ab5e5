// A force that follows a law of time or a signal, whatever its coordinate is.
#include "laws.hpp"

namespace flexframe {

namespace {

CoordinateForce at(const ForceParameters&, double, double, std::vector<Jet>&) { return {}; }

}  // namespace

const ForceLaw actuator{"actuator", true, &at, nullptr};

}  // namespace flexframe
