// How signals and residual change with inputs: held values that come from outside, the first ones of a system.
#pragma once

#include "flexframe/equations.hpp"

namespace flexframe {

/// ∂(signals)/∂(the first `inputs` held values) at values of the signals, states kept: (signals, inputs).
Matrix signal_slopes(const System& system, const std::vector<double>& values, Index inputs);

/// ∂r/∂(inputs) of M u̇ + h − Q − Aᵀλ with the gaps below: forces are linear in the signals σ that they follow, so
/// that ∂r/∂w = (∂r/∂σ)(∂σ/∂w), and ∂r/∂σ is what a copy of the system gives whose signals are held.
class InputSlopes {
public:
    explicit InputSlopes(const System& system);

    /// At a state, with the slopes of its signals: (n + rows, inputs).
    Matrix at(const State& state, double time, const std::vector<double>& values, const Matrix& slopes);

private:
    Equations equations_;
    State state_;
    Vector nothing_;
};

}  // namespace flexframe
