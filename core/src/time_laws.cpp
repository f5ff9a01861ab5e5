#include "flexframe/time_laws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flexframe {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

double sign_of(double x) { return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0); }

/// f, f' and f'' of a function of one argument at x.
Jet function_of_one(Operation code, double x) {
    switch (code) {
        case Operation::negate: return {-x, -1.0, 0.0};
        case Operation::sin: return {std::sin(x), std::cos(x), -std::sin(x)};
        case Operation::cos: return {std::cos(x), -std::sin(x), -std::cos(x)};
        case Operation::tan: {
            const double f = std::tan(x);
            return {f, 1.0 + f * f, 2.0 * f * (1.0 + f * f)};
        }
        case Operation::asin:
        case Operation::acos: {
            if (std::abs(x) > 1.0) return {nan, nan, nan};
            const double root = std::sqrt(1.0 - x * x);
            const double slope = 1.0 / root, curvature = x / (root * root * root);
            if (code == Operation::asin) return {std::asin(x), slope, curvature};
            return {std::acos(x), -slope, -curvature};
        }
        case Operation::atan: {
            const double size = 1.0 + x * x;
            return {std::atan(x), 1.0 / size, -2.0 * x / (size * size)};
        }
        case Operation::sinh: return {std::sinh(x), std::cosh(x), std::sinh(x)};
        case Operation::cosh: return {std::cosh(x), std::sinh(x), std::cosh(x)};
        case Operation::tanh: {
            const double f = std::tanh(x);
            return {f, 1.0 - f * f, -2.0 * f * (1.0 - f * f)};
        }
        case Operation::exp: {
            const double f = std::exp(x);
            return {f, f, f};
        }
        case Operation::log:
            if (x <= 0.0) return {x == 0.0 ? -infinity : nan, nan, nan};
            return {std::log(x), 1.0 / x, -1.0 / (x * x)};
        case Operation::sqrt: {
            if (x < 0.0) return {nan, nan, nan};
            const double f = std::sqrt(x);
            return {f, 0.5 / f, -0.25 / (x * f)};
        }
        case Operation::abs: return {std::abs(x), sign_of(x), 0.0};
        case Operation::sign: return {sign_of(x), 0.0, 0.0};
        case Operation::step: return {x < 0.0 ? 0.0 : 1.0, 0.0, 0.0};
        default: return {nan, nan, nan};
    }
}

/// x^y: as a power of x where y stands still, else by exp(y log x).
Jet power(const Jet& x, const Jet& y) {
    const double e = y.value;
    if (y.rate == 0.0 && y.second == 0.0) {
        if (x.value == 0.0 && e < 0.0) return {infinity, nan, nan};
        if (x.value < 0.0 && e != std::floor(e)) return {nan, nan, nan};
        const double f = std::pow(x.value, e);
        if (e == 0.0) return {f, 0.0, 0.0};
        if (x.value == 0.0 && e < 1.0) return {f, nan, nan};
        const double slope = e * std::pow(x.value, e - 1.0);
        double curvature = 0.0;
        if (e != 1.0) curvature = x.value == 0.0 && e < 2.0 ? nan : e * (e - 1.0) * std::pow(x.value, e - 2.0);
        return {f, slope * x.rate, slope * x.second + curvature * x.rate * x.rate};
    }
    if (x.value <= 0.0) return {nan, nan, nan};
    const double root = std::log(x.value), l1 = x.rate / x.value, l2 = x.second / x.value - l1 * l1;
    const double g1 = y.rate * root + e * l1;
    const double g2 = y.second * root + 2.0 * y.rate * l1 + e * l2;
    const double f = std::pow(x.value, e);
    return {f, f * g1, f * (g2 + g1 * g1)};
}

Jet quotient(const Jet& x, const Jet& y) {
    const double q = x.value / y.value;
    const double rate = (x.rate - q * y.rate) / y.value;
    return {q, rate, (x.second - 2.0 * rate * y.rate - q * y.second) / y.value};
}

/// The angle of (y, x), with the arguments in the order of atan2.
Jet angle(const Jet& x, const Jet& y) {
    const double size = x.value * x.value + y.value * y.value;
    const double rate = (y.value * x.rate - x.value * y.rate) / size;
    const double growth = 2.0 * rate * (x.value * x.rate + y.value * y.rate);
    return {std::atan2(x.value, y.value), rate, (y.value * x.second - x.value * y.second - growth) / size};
}

Jet function_of_two(Operation code, const Jet& x, const Jet& y) {
    switch (code) {
        case Operation::add: return {x.value + y.value, x.rate + y.rate, x.second + y.second};
        case Operation::subtract: return {x.value - y.value, x.rate - y.rate, x.second - y.second};
        case Operation::multiply:
            return {x.value * y.value, x.rate * y.value + x.value * y.rate,
                    x.second * y.value + 2.0 * x.rate * y.rate + x.value * y.second};
        case Operation::divide: return quotient(x, y);
        case Operation::power: return power(x, y);
        case Operation::atan2: return angle(x, y);
        case Operation::min: return x.value <= y.value ? x : y;
        case Operation::max: return x.value >= y.value ? x : y;
        default: {  // mod
            const double whole = std::floor(x.value / y.value);
            return {x.value - y.value * whole, x.rate - whole * y.rate, x.second - whole * y.second};
        }
    }
}

bool takes_two(Operation code) {
    return (code > Operation::negate && code < Operation::sin) || code == Operation::atan2 ||
           code >= Operation::min;
}

/// Polynomial of fifth degree between two rows of a table, with their values and two derivatives.
Jet interpolate(const double* rows, Index count, double origin, double step, double time) {
    const double place = (time - origin) / step;
    const Index k = std::min(std::max<Index>(static_cast<Index>(std::floor(place)), 0), count - 2);
    const double x = place - static_cast<double>(k);
    const double* a = rows + 3 * k;
    const double* b = a + 3;
    const double p0 = a[0], v0 = a[1] * step, a0 = a[2] * step * step;
    const double p1 = b[0] - (p0 + v0 + 0.5 * a0), v1 = b[1] * step - (v0 + a0), a1 = b[2] * step * step - a0;
    const double c3 = 10.0 * p1 - 4.0 * v1 + 0.5 * a1;
    const double c4 = -15.0 * p1 + 7.0 * v1 - a1;
    const double c5 = 6.0 * p1 - 3.0 * v1 + 0.5 * a1;
    const double value = p0 + x * (v0 + x * (0.5 * a0 + x * (c3 + x * (c4 + x * c5))));
    const double rate = v0 + x * (a0 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)));
    const double second = a0 + x * (6.0 * c3 + x * (12.0 * c4 + x * 20.0 * c5));
    return {value, rate / step, second / (step * step)};
}

/// Σ c_k τ^k with two derivatives, τ the time since the beginning of the last piece that has begun.
///
/// The first row holds before the second one begins, and the last one for ever; with a period they repeat.
Jet along_pieces(const double* rows, Index count, double origin, double period, double time) {
    if (period > 0.0) time -= period * std::floor((time - origin) / period);
    Index low = 0, high = count;  // the rows that have begun are [0, high)
    while (high - low > 1) {
        const Index middle = (low + high) / 2;
        (rows[piece_width * middle] <= time ? low : high) = middle;
    }
    const double* c = rows + piece_width * low + 1;
    const double tau = time - c[-1];
    double value = 0.0, rate = 0.0, half_second = 0.0;
    for (Index k = piece_width - 2; k >= 0; --k) {  // Horner's scheme, differentiated twice
        half_second = half_second * tau + rate;
        rate = rate * tau + value;
        value = value * tau + c[k];
    }
    return {value, rate, 2.0 * half_second};
}

constexpr Index most_variables = 1000000;

/// The value that a tape leaves; `variable` gives the jet of each by its number.
template <class Variable>
Jet run(const Index* opcodes, const double* operands, Index count, const Variable& variable,
        std::vector<Jet>& stack) {
    Index top = 0;
    for (Index k = 0; k < count; ++k) {
        const auto code = static_cast<Operation>(opcodes[k]);
        if (code == Operation::number) {
            stack[top++] = {operands[k], 0.0, 0.0};
        } else if (code == Operation::variable) {
            stack[top++] = variable(static_cast<Index>(operands[k]));
        } else if (takes_two(code)) {
            stack[top - 2] = function_of_two(code, stack[top - 2], stack[top - 1]);
            --top;
        } else {
            const Jet x = stack[top - 1], f = function_of_one(code, x.value);
            stack[top - 1] = {f.value, f.rate * x.rate, f.rate * x.second + f.second * x.rate * x.rate};
        }
    }
    return stack[0];
}

/// Whether a tape can be evaluated.
bool runs(const Index* opcodes, const double* operands, Index count, Index variables, Index stack_size) {
    Index alive = 0;
    for (Index k = 0; k < count; ++k) {
        if (opcodes[k] < 0 || opcodes[k] > static_cast<Index>(Operation::mod)) return false;
        const auto code = static_cast<Operation>(opcodes[k]);
        const bool named = code == Operation::variable;
        if (named && !(operands[k] >= 0.0 && operands[k] < static_cast<double>(variables))) return false;
        const Index taken = code == Operation::number || named ? 0 : (takes_two(code) ? 2 : 1);
        if (alive < taken) return false;
        alive += 1 - taken;
        if (alive > stack_size) return false;
    }
    return alive == 1;
}

}  // namespace

Jet CompiledFunction::along(const double* given, const double* direction) const {
    const int count = static_cast<int>(inputs);
    Jet out{value(given, count), 0.0, 0.0};
    if (std::all_of(direction, direction + count, [](double part) { return part == 0.0; })) return out;
    double work[most_inputs];
    if (slopes) {
        slopes(given, count, work);
        for (int i = 0; i < count; ++i) out.rate += work[i] * direction[i];
        return out;
    }
    // (f(x + εd) − f(x − εd))/2ε, ε small beside the inputs that change
    double size = 1e-3;
    for (int i = 0; i < count; ++i) {
        if (direction[i] != 0.0) size = std::max(size, std::abs(given[i] / direction[i]));
    }
    const double small = 1e-6 * size;
    const auto beside = [&](double part) {
        for (int i = 0; i < count; ++i) work[i] = given[i] + part * direction[i];
        return value(work, count);
    };
    const double above = beside(small), below = beside(-small);
    out.rate = (above - below) / (2.0 * small);
    return out;
}

Jet TimeLaws::along(Index law, const double* variables, const double* direction, std::vector<Jet>& stack) const {
    if (kinds[law] == static_cast<Index>(LawKind::function)) {
        return functions[starts[law]].along(variables, direction);
    }
    const auto moving = [&](Index number) { return Jet{variables[number], direction[number], 0.0}; };
    return along_curve(law, moving, stack);
}

Jet TimeLaws::along(Index law, const Jet* variables, std::vector<Jet>& stack) const {
    return along_curve(law, [&](Index number) { return variables[number]; }, stack);
}

template <class Variable>
Jet TimeLaws::along_curve(Index law, const Variable& variable, std::vector<Jet>& stack) const {
    const auto kind = static_cast<LawKind>(kinds[law]);
    const auto chain = [](const Jet& f, const Jet& x) {
        return Jet{f.value, f.rate * x.rate, f.second * x.rate * x.rate + f.rate * x.second};
    };
    if (kind == LawKind::number) return {values[law], 0.0, 0.0};
    if (kind == LawKind::table) {
        const double *rows = table.data() + 3 * starts[law], *origin = origins.data() + 2 * law;
        const Jet x = variable(0);
        return chain(interpolate(rows, counts[law], origin[0], origin[1], x.value), x);
    }
    if (kind == LawKind::pieces) {
        const double *rows = pieces.data() + piece_width * starts[law], *origin = origins.data() + 2 * law;
        const Jet x = variable(0);
        return chain(along_pieces(rows, counts[law], origin[0], origin[1], x.value), x);
    }
    if (kind == LawKind::grid) {
        const TableGrid own = grid(law);
        const Jet x = variable(0), y = own.columns > 1 ? variable(1) : Jet();
        const TableGrid::Value f = own.at(x.value, y.value);
        return {f.value, f.slope_x * x.rate + f.slope_y * y.rate,
                f.xx * x.rate * x.rate + 2.0 * f.xy * x.rate * y.rate + f.yy * y.rate * y.rate +
                    f.slope_x * x.second + f.slope_y * y.second};
    }
    if (kind == LawKind::nested) {
        const Index* parts = nested.data() + starts[law];
        Jet inputs[most_inputs];
        for (Index i = 0; i < counts[law]; ++i) inputs[i] = along_curve(parts[1 + i], variable, stack);
        return along(parts[0], inputs, stack);
    }
    return run(opcodes.data() + starts[law], operands.data() + starts[law], counts[law], variable, stack);
}

bool TimeLaws::is_nested(Index law) const {
    const Index first = starts[law], count = counts[law];
    if (first < 0 || count < 1 || count > most_inputs ||
        count >= static_cast<Index>(nested.size()) - first) {
        return false;
    }
    for (Index i = first; i <= first + count; ++i) {
        const Index part = nested[i];
        if (part < 0 || part >= static_cast<Index>(kinds.size())) return false;
        const auto kind = static_cast<LawKind>(kinds[part]);
        if (kind == LawKind::signal || kind == LawKind::function) return false;
        if (kind == LawKind::nested && part <= law) return false;
    }
    return variables(nested[first]) <= count;
}

Index TimeLaws::variables(Index law) const {
    if (kinds[law] == static_cast<Index>(LawKind::number)) return 0;
    if (kinds[law] == static_cast<Index>(LawKind::grid)) return grid(law).inputs();
    if (kinds[law] == static_cast<Index>(LawKind::function)) return functions[starts[law]].inputs;
    if (kinds[law] == static_cast<Index>(LawKind::nested)) {
        Index most = 0;
        for (Index i = 1; i <= counts[law]; ++i) most = std::max(most, variables(nested[starts[law] + i]));
        return most;
    }
    if (kinds[law] != static_cast<Index>(LawKind::tape)) return 1;
    Index most = 0;
    for (Index k = starts[law]; k < starts[law] + counts[law]; ++k) {
        if (opcodes[k] == static_cast<Index>(Operation::variable)) {
            most = std::max(most, static_cast<Index>(operands[k]) + 1);
        }
    }
    return most;
}

Jet Tape::at(const Jet* variables, std::vector<Jet>& stack) const {
    const auto moving = [&](Index number) { return variables[number]; };
    return run(opcodes.data(), operands.data(), static_cast<Index>(opcodes.size()), moving, stack);
}

bool Tape::is_complete(Index variables) const {
    if (operands.size() != opcodes.size()) return false;
    return runs(opcodes.data(), operands.data(), static_cast<Index>(opcodes.size()), variables, stack_size);
}

bool TimeLaws::is_tape(Index law) const {
    const Index start = starts[law];
    return runs(opcodes.data() + start, operands.data() + start, counts[law], most_variables, stack_size);
}

}  // namespace flexframe
