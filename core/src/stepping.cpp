#include "flexframe/stepping.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace flexframe {

double rounded(double value, int digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*e", digits, value);
    return std::strtod(text, nullptr);
}

Index groups_at(const std::vector<SamplingTimes>& samplings, double time, double last) {
    Index groups = 0;
    for (std::size_t g = 0; g < samplings.size(); ++g) {
        const auto [period, offset, by_function] = samplings[g];
        const double k = std::round((time - offset) / period);
        if (k < 0.0) continue;
        const double exact = rounded(offset + k * period, 12);
        const bool here = exact == time || (time == last && std::abs(exact - time) <= same_instant * period);
        if (here) groups |= Index{1} << g;
    }
    return groups;
}

double next_instant(const std::vector<SamplingTimes>& samplings, double time, double last) {
    double found = last;
    for (const auto& [period, offset, by_function] : samplings) {
        double k = std::max(0.0, std::floor((time - offset) / period - same_instant));
        double exact = rounded(offset + k * period, 12);
        while (exact <= time + same_instant * period) exact = rounded(offset + ++k * period, 12);
        if (exact < last - same_instant * period) found = std::min(found, exact);
    }
    return found;
}

}  // namespace flexframe
