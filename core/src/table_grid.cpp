#include "flexframe/table_grid.hpp"

#include <algorithm>

namespace flexframe {

namespace {

/// Hermite's cubics of an interval at a place: factors of the values and of the slopes at its two ends, and both
/// of their derivatives.
struct Hermite {
    Index interval = 0;
    double values[2] = {1.0, 0.0}, slopes[2] = {0.0, 0.0};
    double value_rates[2] = {0.0, 0.0}, slope_rates[2] = {0.0, 0.0};
    double value_bends[2] = {0.0, 0.0}, slope_bends[2] = {0.0, 0.0};
};

Hermite hermite(const double* points, Index count, double at) {
    Hermite out;
    if (count < 2) return out;
    const Index above = std::upper_bound(points, points + count, at) - points;
    out.interval = std::min(std::max<Index>(above - 1, 0), count - 2);
    const double h = points[out.interval + 1] - points[out.interval];
    const double place = (at - points[out.interval]) / h;
    const double u = std::min(std::max(place, 0.0), 1.0);
    out.values[1] = u * u * (3.0 - 2.0 * u);
    out.values[0] = 1.0 - out.values[1];
    out.slopes[0] = h * u * (1.0 - u) * (1.0 - u);
    out.slopes[1] = h * u * u * (u - 1.0);
    if (u != place) return out;  // held: nothing changes
    out.value_rates[1] = 6.0 * u * (1.0 - u) / h;
    out.value_rates[0] = -out.value_rates[1];
    out.slope_rates[0] = (1.0 - u) * (1.0 - 3.0 * u);
    out.slope_rates[1] = u * (3.0 * u - 2.0);
    out.value_bends[1] = (6.0 - 12.0 * u) / (h * h);
    out.value_bends[0] = -out.value_bends[1];
    out.slope_bends[0] = (6.0 * u - 4.0) / h;
    out.slope_bends[1] = (6.0 * u - 2.0) / h;
    return out;
}

}  // namespace

bool TableGrid::is_complete() const {
    const auto increases = [](const double* points, Index count) {
        for (Index k = 1; k < count; ++k) {
            if (!(points[k] > points[k - 1])) return false;
        }
        return true;
    };
    return rows > 1 && columns > 0 && increases(numbers, rows) && increases(numbers + rows, columns);
}

TableGrid::Value TableGrid::at(double x, double y) const {
    const Hermite a = hermite(numbers, rows, x), b = hermite(numbers + rows, columns, y);
    const double* nodes = numbers + rows + columns;
    Value out;
    const Index sides = columns > 1 ? 2 : 1;
    for (Index i = 0; i < 2; ++i) {
        for (Index j = 0; j < sides; ++j) {
            const double* f = nodes + grid_width * ((a.interval + i) * columns + b.interval + j);
            // along y at this row: the value and how it changes with x, with the derivatives of both by y
            const double value = b.values[j] * f[0] + b.slopes[j] * f[2];
            const double change = b.values[j] * f[1] + b.slopes[j] * f[3];
            const double value_y = b.value_rates[j] * f[0] + b.slope_rates[j] * f[2];
            const double change_y = b.value_rates[j] * f[1] + b.slope_rates[j] * f[3];
            const double value_yy = b.value_bends[j] * f[0] + b.slope_bends[j] * f[2];
            const double change_yy = b.value_bends[j] * f[1] + b.slope_bends[j] * f[3];
            out.value += a.values[i] * value + a.slopes[i] * change;
            out.slope_x += a.value_rates[i] * value + a.slope_rates[i] * change;
            out.slope_y += a.values[i] * value_y + a.slopes[i] * change_y;
            out.xx += a.value_bends[i] * value + a.slope_bends[i] * change;
            out.xy += a.value_rates[i] * value_y + a.slope_rates[i] * change_y;
            out.yy += a.values[i] * value_yy + a.slopes[i] * change_yy;
        }
    }
    return out;
}

}  // namespace flexframe
