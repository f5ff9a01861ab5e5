// Tableaus: conditions of order of the steps, of their estimates of the error and of the interpolation.
#include "flexframe/tableaus.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "check.hpp"

using namespace flexframe;
using flexframe::tests::check_near;
using flexframe::tests::finish;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Orders of what is subtracted from the step to estimate its error, and of the interpolation.
struct Orders {
    int error, coarse_error, dense;
};

/// Σ_j w_j x_j, and the rounding of that sum and of the decimals of its factors.
struct Sum {
    double value = 0.0, rounding = 0.0;
};

Sum sum(const std::vector<double>& weights, const std::vector<double>& values) {
    Sum out;
    for (std::size_t j = 0; j < weights.size(); ++j) {
        out.value += weights[j] * values[j];
        out.rounding += 4 * weights.size() * epsilon * std::abs(weights[j] * values[j]);
    }
    return out;
}

std::vector<double> powers(const std::vector<double>& nodes, int power) {
    std::vector<double> out;
    for (const double node : nodes) out.push_back(power == 0 ? 1.0 : std::pow(node, power));
    return out;
}

/// y at x from the derivatives at the stages of a step of length 1 from 0, as the header has it.
double interpolated(const Tableau& t, const std::vector<double>& k, double x, double& rounding) {
    double inner = 0.0;
    for (int m = static_cast<int>(t.dense.size()) - 1; m >= 0; --m) {
        const Sum late = sum(t.dense[m], k);
        inner = (inner + late.value) * (m % 2 == 0 ? 1.0 - x : x);
        rounding += late.rounding;
    }
    const double change = sum(t.weights[t.stages - 1], k).value;
    const double bend = k[0] - change, tail = 2 * change - k[0] - k[t.stages - 1];
    return x * (change + (1.0 - x) * (bend + x * (tail + inner)));
}

void test_tableau(const Tableau& t, const Orders& orders) {
    const std::vector<double>& step = t.weights[t.stages - 1];
    for (int i = 0; i < t.all_stages(); ++i) {
        const Sum row = sum(t.weights[i], powers(t.nodes, 0));
        check_near(row.value, t.nodes[i], row.rounding + epsilon, t.name + ": weights of a stage give its node");
    }
    // y' = t^(p−1) gives 1/p; y' = y gives 1/p! as the coefficient of h^p, from bᵀA^(p−1) 1
    const std::vector<double> ones = powers(t.nodes, 0);
    std::vector<double> chain = ones;
    double factorial = 1.0;
    for (int p = 1; p <= t.order; ++p) {
        const Sum quadrature = sum(step, powers(t.nodes, p - 1));
        const std::string order = " of order " + std::to_string(p);
        check_near(quadrature.value, 1.0 / p, quadrature.rounding, t.name + ": quadrature" + order);
        factorial *= p;
        const Sum growth = sum(step, chain);
        check_near(growth.value, 1.0 / factorial, sum(step, ones).rounding,
                   t.name + ": growth" + order);
        std::vector<double> next(chain.size());
        for (std::size_t i = 0; i < chain.size(); ++i) next[i] = sum(t.weights[i], chain).value;
        chain = next;
    }
    for (int p = 1; p <= orders.error; ++p) {
        const Sum found = sum(t.error, powers(t.nodes, p - 1));
        check_near(found.value, 0.0, found.rounding, t.name + ": error without order " + std::to_string(p));
    }
    for (int p = 1; p <= orders.coarse_error; ++p) {
        const Sum found = sum(t.coarse_error, powers(t.nodes, p - 1));
        check_near(found.value, 0.0, found.rounding, t.name + ": coarse error without order " + std::to_string(p));
    }
    for (int p = 1; p <= orders.dense; ++p) {
        for (const double x : {0.0, 0.3, 0.5, 0.8, 1.0}) {
            double rounding = 10 * epsilon;
            const double found = interpolated(t, powers(t.nodes, p - 1), x, rounding);
            check_near(found, std::pow(x, p) / p, rounding, t.name + ": inside, order " + std::to_string(p));
        }
    }
}

}  // namespace

int main() {
    test_tableau(tableau_named("dormand_prince"), {4, 0, 4});
    test_tableau(tableau_named("dormand_prince_853"), {5, 3, 7});
    check_near(static_cast<double>(tableaus().size()), 2.0, 0.0, "every tableau is tested here");
    return finish();
}
