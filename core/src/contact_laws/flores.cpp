// N = K δⁿ (1 + c δ̇/v) with c = 8(1 − e)/(5e) (Flores, Machado, Silva and Martins 2011).
#include "laws.hpp"

namespace flexframe {

namespace {

double factor(double e) { return 1.6 * (1.0 - e) / e; }

}  // namespace

const ContactLaw flores{"flores", &factor, &force_by_impact};

}  // namespace flexframe
