// N = K δⁿ (1 + c δ̇/v) with the c that returns the asked restitution e in one free impact, whatever n and the
// speed.
//
// Of m δ̈ = −N follows, with w = δ̇/v from 1 to −e,
//
//     w dw/(1 + c w) = −K δⁿ dδ/(m v²),      ∫₋ₑ¹ w/(1 + c w) dw = 0,      c (1 + e) = ln((1 + c)/(1 − c e)) .
//
// With 1 − c e = exp(−y) the last one is solved for y, where it has one root beside y = 0.
#include <cmath>

#include "laws.hpp"

namespace flexframe {

namespace {

double factor(double e) {
    if (e >= 1.0) return 0.0;
    const auto misfit = [e](double y) {
        const double c = -std::expm1(-y) / e;
        return std::log1p(c) + y - c * (1.0 + e);
    };
    // negative from zero to the root: between the point where c = 1 − e, which is below it, and a large one
    double low = 1e-3 * (1.0 - e) * e, high = 4.0 / e + 10.0;
    for (int k = 0; k < 200 && high - low > 1e-16 * high; ++k) {
        const double middle = 0.5 * (low + high);
        (misfit(middle) < 0.0 ? low : high) = middle;
    }
    return -std::expm1(-0.5 * (low + high)) / e;
}

}  // namespace

const ContactLaw restitution{"restitution", &factor, &force_by_impact};

}  // namespace flexframe
