#include "flexframe/monotone_cubic.hpp"

#include <algorithm>

namespace flexframe {

namespace {

/// y = y₀ + u (m₀ + u (c₂ + u c₃)) with u = x − x₀ on an interval of length h with the mean slope δ:
/// c₂ = (3δ − 2m₀ − m₁)/h, c₃ = (m₀ + m₁ − 2δ)/h².
struct Cubic {
    double start, value, slope, c2, c3;
};

Cubic piece(const MonotoneCubic& curve, Index k) {
    const double h = curve.x[k + 1] - curve.x[k], mean = (curve.y[k + 1] - curve.y[k]) / h;
    const double m0 = curve.slopes[k], m1 = curve.slopes[k + 1];
    return {curve.x[k], curve.y[k], m0, (3.0 * mean - 2.0 * m0 - m1) / h, (m0 + m1 - 2.0 * mean) / (h * h)};
}

double integral_of(const Cubic& c, double u) {
    return u * (c.value + u * (c.slope / 2.0 + u * (c.c2 / 3.0 + u * c.c3 / 4.0)));
}

}  // namespace

Index MonotoneCubic::interval(double at) const {
    const auto above = std::upper_bound(x.begin(), x.end(), at) - x.begin();
    return std::min<Index>(std::max<Index>(above - 1, 0), static_cast<Index>(x.size()) - 2);
}

double MonotoneCubic::value(double at) const {
    if (at <= x.front()) return y.front() + slopes.front() * (at - x.front());
    if (at >= x.back()) return y.back() + slopes.back() * (at - x.back());
    const Cubic c = piece(*this, interval(at));
    const double u = at - c.start;
    return c.value + u * (c.slope + u * (c.c2 + u * c.c3));
}

double MonotoneCubic::slope(double at) const {
    if (at <= x.front()) return slopes.front();
    if (at >= x.back()) return slopes.back();
    const Cubic c = piece(*this, interval(at));
    const double u = at - c.start;
    return c.slope + u * (2.0 * c.c2 + u * 3.0 * c.c3);
}

double MonotoneCubic::integral(double at) const {
    if (at <= x.front()) {
        const double u = at - x.front();
        return u * (y.front() + 0.5 * u * slopes.front());
    }
    const Index last = interval(std::min(at, x.back()));
    double total = 0.0;
    for (Index k = 0; k < last; ++k) total += integral_of(piece(*this, k), x[k + 1] - x[k]);
    if (at < x.back()) return total + integral_of(piece(*this, last), at - x[last]);
    const double u = at - x.back();
    return total + integral_of(piece(*this, last), x.back() - x[last]) + u * (y.back() + 0.5 * u * slopes.back());
}

}  // namespace flexframe
