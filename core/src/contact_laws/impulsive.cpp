// No force: shapes that meet are thrown back by an impulse, see `GeneralisedAlpha::impact`.
#include "laws.hpp"

namespace flexframe {

namespace {

NormalForce at(const ContactParameters&, double, double, double) { return {}; }

}  // namespace

const ContactLaw impulsive{"impulsive", nullptr, &at, true};

}  // namespace flexframe
