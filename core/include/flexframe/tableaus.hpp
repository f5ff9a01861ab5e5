// Coefficients of explicit Runge–Kutta methods with an estimate of their error and an interpolation.
//
// Stages of a step h from y₀ at t₀ are k_i = f(t₀ + c_i h, y₀ + h Σ_j a_ij k_j). The last stage of a step is at
// its end, y₁ = y₀ + h Σ_j a_sj k_j, and serves as the first of the next one. Between the ends, at t₀ + x h and
// with y₁ − y₀ = Δ,
//
//     y = y₀ + x (Δ + (1 − x) (h k₁ − Δ + x (2Δ − h (k₁ + k_s) + (1 − x) (e₁ + x (e₂ + (1 − x) (e₃ + …)))))),
//
// e_m = h Σ_j d_mj k_j. A new method is a new tableau in the list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flexframe {

struct Tableau {
    std::string name;
    int order = 0;                             // of the step
    int stages = 0;                            // of a step; further ones serve the interpolation alone
    double stability = 0.0;                    // hλ beyond which a step is bounded by stability, not by its error
    std::vector<double> nodes;                 // c
    std::vector<std::vector<double>> weights;  // a, the row of each stage as long as stages are before it
    std::vector<double> error;                 // of the step: (stages,)
    std::vector<double> coarse_error;          // of lower order, or none: (stages,)
    std::vector<std::vector<double>> dense;    // d

    int all_stages() const { return static_cast<int>(nodes.size()); }
};

const std::vector<Tableau>& tableaus();
const Tableau& tableau_named(std::string_view name);

}  // namespace flexframe
