// Laws of time with two derivatives against closed forms.
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "check.hpp"
#include "flexframe/time_laws.hpp"

using flexframe::Index;
using flexframe::Jet;
using flexframe::LawKind;
using flexframe::Operation;
using flexframe::TimeLaws;
using flexframe::tests::check;
using flexframe::tests::check_near;
using flexframe::tests::finish;

namespace {

// twenty roundings of numbers up to ten
constexpr double tolerance = 200.0 * std::numeric_limits<double>::epsilon();

struct Step {
    Operation code;
    double operand = 0.0;
};

Step number(double value) { return {Operation::number, value}; }

constexpr Operation t = Operation::variable;

/// One law that is a tape.
Jet along_tape(const std::vector<Step>& steps, double time) {
    TimeLaws laws;
    laws.kinds = {static_cast<Index>(LawKind::tape)};
    laws.starts = {0};
    laws.counts = {static_cast<Index>(steps.size())};
    laws.values = {0.0};
    laws.origins = {0.0, 0.0};
    for (const Step& step : steps) {
        laws.opcodes.push_back(static_cast<Index>(step.code));
        laws.operands.push_back(step.operand);
    }
    laws.stack_size = static_cast<Index>(steps.size());
    std::vector<Jet> stack(steps.size());
    return laws.at(0, time, stack);
}

void check_jet(const Jet& found, const Jet& expected, const std::string& name) {
    check_near(found.value, expected.value, tolerance * (1.0 + std::abs(expected.value)), name);
    check_near(found.rate, expected.rate, tolerance * (1.0 + std::abs(expected.rate)), name + ", rate");
    check_near(found.second, expected.second, tolerance * (1.0 + std::abs(expected.second)), name + ", second");
}

// f(t) by its tape "t f" and f, f', f'' by hand.
void functions_of_one() {
    const double x = 0.3;
    const double root = std::sqrt(1.0 - x * x), cosine = std::cos(x), size = 1.0 + x * x;
    const double c = std::cosh(x), s = std::sinh(x);
    const auto check_function = [&](Operation code, const Jet& expected, const std::string& name) {
        check_jet(along_tape({{t}, {code}}, x), expected, name);
    };
    check_function(Operation::negate, {-x, -1.0, 0.0}, "−t");
    check_function(Operation::sin, {std::sin(x), cosine, -std::sin(x)}, "sin t");
    check_function(Operation::cos, {cosine, -std::sin(x), -cosine}, "cos t");
    check_function(Operation::tan, {std::tan(x), 1.0 / (cosine * cosine), 2.0 * std::sin(x) / std::pow(cosine, 3)},
                   "tan t");
    check_function(Operation::asin, {std::asin(x), 1.0 / root, x / std::pow(root, 3)}, "asin t");
    check_function(Operation::acos, {std::acos(x), -1.0 / root, -x / std::pow(root, 3)}, "acos t");
    check_function(Operation::atan, {std::atan(x), 1.0 / size, -2.0 * x / (size * size)}, "atan t");
    check_function(Operation::sinh, {s, c, s}, "sinh t");
    check_function(Operation::cosh, {c, s, c}, "cosh t");
    check_function(Operation::tanh, {s / c, 1.0 / (c * c), -2.0 * s / (c * c * c)}, "tanh t");
    check_function(Operation::exp, {std::exp(x), std::exp(x), std::exp(x)}, "exp t");
    check_function(Operation::log, {std::log(x), 1.0 / x, -1.0 / (x * x)}, "log t");
    check_function(Operation::sqrt, {std::sqrt(x), 0.5 / std::sqrt(x), -0.25 / std::pow(x, 1.5)}, "√t");
    check_function(Operation::abs, {x, 1.0, 0.0}, "|t|");
    check_function(Operation::sign, {1.0, 0.0, 0.0}, "sign t");
    check_function(Operation::step, {1.0, 0.0, 0.0}, "step t");
}

// u = t³ and v = 1 + t², so that no derivative is zero.
void functions_of_two() {
    const double x = 0.7;
    const Jet u{x * x * x, 3.0 * x * x, 6.0 * x}, v{1.0 + x * x, 2.0 * x, 2.0};
    const std::vector<Step> both{{t}, number(3.0), {Operation::power},    number(1.0),
                                 {t}, {t},         {Operation::multiply}, {Operation::add}};
    const auto check_function = [&](Operation code, const Jet& expected, const std::string& name) {
        std::vector<Step> steps = both;
        steps.push_back({code});
        check_jet(along_tape(steps, x), expected, name);
    };
    check_function(Operation::add, {u.value + v.value, u.rate + v.rate, u.second + v.second}, "u + v");
    check_function(Operation::subtract, {u.value - v.value, u.rate - v.rate, u.second - v.second}, "u − v");
    // t³ + t⁵
    const double x2 = x * x, x3 = x2 * x;
    check_function(Operation::multiply, {x3 + x3 * x2, 3 * x2 + 5 * x2 * x2, 6 * x + 20 * x3}, "u v");
    // t³/(1 + t²) = t − t/(1 + t²)
    const double d = 1.0 + x2;
    check_function(Operation::divide, {x - x / d, 1.0 - (1.0 - x2) / (d * d), 2.0 * x * (3.0 - x2) / (d * d * d)},
                   "u/v");
    // exp(3 (1 + t²) log t)
    const double g1 = 6.0 * x * std::log(x) + 3.0 * d / x;
    const double g2 = 6.0 * std::log(x) + 6.0 + 6.0 - 3.0 * d / x2;
    const double power = std::exp(3.0 * d * std::log(x));
    check_function(Operation::power, {power, power * g1, power * (g2 + g1 * g1)}, "u^v");
    // atan q with q = u/v
    const double q = x3 / d, q1 = 1.0 - (1.0 - x2) / (d * d), q2 = 2.0 * x * (3.0 - x2) / (d * d * d);
    const double p = 1.0 + q * q;
    check_function(Operation::atan2, {std::atan(q), q1 / p, q2 / p - 2.0 * q * q1 * q1 / (p * p)}, "atan2(u, v)");
    check_function(Operation::min, u, "min(u, v)");
    check_function(Operation::max, v, "max(u, v)");
    check_function(Operation::mod, u, "u mod v, less than one turn");
    // 7 mod t = 7 − 10 t at t = 0.65
    check_jet(along_tape({number(7.0), {t}, {Operation::mod}}, 0.65), {0.5, -10.0, 0.0}, "7 mod t");
}

void edges() {
    const auto power = [](double base, double exponent) {
        return along_tape({number(base), {t}, {Operation::multiply}, number(exponent), {Operation::power}}, 1.0);
    };
    check_jet(power(-2.0, 3.0), {-8.0, -24.0, -48.0}, "(−2t)³ at 1");
    check_jet(power(0.0, 0.0), {1.0, 0.0, 0.0}, "0⁰");
    check_jet(power(0.0, 2.0), {0.0, 0.0, 0.0}, "0²");
    check(std::isnan(power(-2.0, 0.5).value), "the root of a negative number is not a number");
    check(std::isnan(along_tape({number(2.0), {Operation::asin}}, 0.0).value), "nor is asin 2");
    check(std::isinf(along_tape({number(0.0), {Operation::log}}, 0.0).value), "log 0");
    check_near(along_tape({number(-1.0), {Operation::step}}, 0.0).value, 0.0, 0.0, "step(−1)");
    check_near(along_tape({number(0.0), {Operation::step}}, 0.0).value, 1.0, 0.0, "step(0)");
    check_near(along_tape({number(0.0), {Operation::sign}}, 0.0).value, 0.0, 0.0, "sign(0)");
}

// A number, and a table of t⁵: polynomials of fifth degree are what a table of three derivatives has exactly.
void numbers_and_tables() {
    TimeLaws laws;
    laws.kinds = {static_cast<Index>(LawKind::number), static_cast<Index>(LawKind::table)};
    laws.starts = {0, 0};
    laws.counts = {0, 5};
    laws.values = {2.5, 0.0};
    const double origin = -0.5, spacing = 0.25;
    laws.origins = {0.0, 0.0, origin, spacing};
    for (int k = 0; k < 5; ++k) {
        const double x = origin + k * spacing;
        for (double value : {std::pow(x, 5), 5 * std::pow(x, 4), 20 * std::pow(x, 3)}) laws.table.push_back(value);
    }
    std::vector<Jet> stack(1);
    check_jet(laws.at(0, 3.0, stack), {2.5, 0.0, 0.0}, "a number");
    for (double x : {-0.5, -0.31, 0.0, 0.2, 0.5, 0.6, -0.6}) {  // beyond its ends the last polynomial goes on
        // second derivatives by differences of rows are divided by the square of the spacing, 16
        const Jet found = laws.at(1, x, stack);
        check_near(found.value, std::pow(x, 5), 16 * tolerance, "a table");
        check_near(found.rate, 5 * std::pow(x, 4), 16 * tolerance, "a table, rate");
        check_near(found.second, 20 * std::pow(x, 3), 16 * tolerance, "a table, second");
    }
}

// t⁷ before 1, then 1 + 7τ + 21τ² (its parabola there), and the same repeated with a period of 2.
void polynomial_pieces() {
    TimeLaws laws;
    laws.kinds = {static_cast<Index>(LawKind::pieces), static_cast<Index>(LawKind::pieces)};
    laws.starts = {0, 0};
    laws.counts = {2, 2};
    laws.values = {0.0, 0.0};
    laws.origins = {0.0, 0.0, 0.0, 2.0};
    laws.pieces = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 7.0, 21.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    std::vector<Jet> stack(1);
    for (double x : {-0.5, 0.0, 0.3, 0.999}) {
        const Jet expected{std::pow(x, 7), 7 * std::pow(x, 6), 42 * std::pow(x, 5)};
        check_jet(laws.at(0, x, stack), expected, "the first piece");
        // 16 and 3 times the tolerance: the period takes digits from the time, and x⁷ grows by 7 of them
        if (x >= 0.0) {
            check_near(laws.at(1, x + 8.0, stack).value, expected.value, 48 * tolerance, "four periods on");
        }
    }
    for (double x : {1.0, 1.25, 1.9, 5.0}) {
        const double tau = x - 1.0;
        check_jet(laws.at(0, x, stack), {1 + 7 * tau + 21 * tau * tau, 7 + 42 * tau, 42}, "the second piece");
    }
    check_near(laws.at(1, 3.5, stack).value, 1 + 3.5 + 5.25, 48 * tolerance, "the second piece, a period on");
    check_near(laws.at(1, -0.5, stack).value, 1 + 3.5 + 5.25, 48 * tolerance, "the second piece, a period before");
}

double product(const double* x, int count) { return count == 2 ? x[0] * x[1] : 0.0; }

void slopes_of_product(const double* x, int, double* out) {
    out[0] = x[1];
    out[1] = x[0];
}

// x y as a table with its slopes, held beyond the ends, and as a function with slopes and by differences.
void laws_of_two_inputs() {
    TimeLaws laws;
    const Index grid = static_cast<Index>(LawKind::grid), function = static_cast<Index>(LawKind::function);
    laws.kinds = {grid, function, function};
    laws.starts = {0, 0, 1};
    laws.counts = {3, 0, 0};
    laws.columns = {2, 0, 0};
    const double xs[3] = {-1.0, 0.5, 2.0}, ys[2] = {1.0, 3.0};
    laws.grids = {xs[0], xs[1], xs[2], ys[0], ys[1]};
    for (double x : xs) {
        for (double y : ys) laws.grids.insert(laws.grids.end(), {x * y, y, x, 1.0});
    }
    laws.functions = {{&product, &slopes_of_product, 2}, {&product, nullptr, 2}};
    std::vector<Jet> stack(1);
    const double along[2] = {0.3, -2.0};
    for (double x : {-1.0, -0.2, 0.5, 1.9}) {
        for (double y : {1.0, 2.2, 3.0}) {
            const double at[2] = {x, y};
            for (Index law : {0, 1, 2}) {
                check(laws.variables(law) == 2, "two inputs");
                const Jet found = laws.along(law, at, along, stack);
                check_near(found.value, x * y, 16 * tolerance, "x y");
                // differences over 1e-6 leave as much of the rounding
                check_near(found.rate, 0.3 * y - 2.0 * x, law == 2 ? 1e-8 : 64 * tolerance, "the slope of x y");
            }
        }
    }
    const double outside[2] = {5.0, 0.0};
    const Jet held = laws.along(0, outside, along, stack);
    check_near(held.value, 2.0, 16 * tolerance, "a table is held beyond its ends");
    check_near(held.rate, 0.0, 0.0, "and has no slope there");
}

}  // namespace

int main() {
    functions_of_one();
    functions_of_two();
    edges();
    numbers_and_tables();
    polynomial_pieces();
    laws_of_two_inputs();
    return finish();
}
