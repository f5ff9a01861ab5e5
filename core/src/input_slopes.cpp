#include "flexframe/input_slopes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace flexframe {

namespace {

/// The same system with every signal a held value of its own number, and without what follows no signal.
std::shared_ptr<const System> with_held_signals(const System& system) {
    auto made = std::make_shared<System>(system);
    const Index count = system.signals.count();
    SignalTables tables;
    for (Index k = 0; k < count; ++k) {
        tables.kinds.push_back(static_cast<Index>(SignalKind::held));
        tables.sources.push_back(k);
        tables.starts.push_back(0);
    }
    tables.constants.assign(count, 0.0);
    tables.initial_held.assign(count, 0.0);
    made->signals = tables;
    made->measured.clear();
    made->contacts.clear();
    made->elements.clear();
    for (const ForceElement& element : system.elements) {
        if (element.actuator < 0 || system.laws->signal(element.actuator) < 0) continue;
        made->elements.push_back(element);
        made->elements.back().bristles = -1;
    }
    for (DrivenRow& row : made->rows) row.lock = row.locked_at = -1;
    made->gravity.setZero();
    made->prepare();
    return made;
}

}  // namespace

Matrix signal_slopes(const System& system, const std::vector<double>& values, Index inputs) {
    const SignalTables& t = system.signals;
    Matrix out = Matrix::Zero(t.count(), inputs);
    std::vector<Jet> stack(system.stack_size());
    std::vector<double> variables, direction;
    for (Index k = 0; k < t.count(); ++k) {
        const Index first = t.starts[k], last = t.starts[k + 1], source = t.sources[k];
        switch (static_cast<SignalKind>(t.kinds[k])) {
            case SignalKind::held:
                if (source < inputs) out(k, source) = 1.0;
                break;
            case SignalKind::linear:
                for (Index i = first; i < last; ++i) out.row(k) += t.factors[i] * out.row(t.inputs[i]);
                break;
            case SignalKind::law:
                variables.clear();
                for (Index i = first; i < last; ++i) variables.push_back(values[t.inputs[i]]);
                direction.assign(variables.size(), 0.0);
                for (Index i = first; i < last; ++i) {
                    direction[i - first] = 1.0;
                    const Jet value = system.laws->along(source, variables.data(), direction.data(), stack);
                    const double slope = value.rate;
                    direction[i - first] = 0.0;
                    if (slope != 0.0 && std::isfinite(slope)) out.row(k) += slope * out.row(t.inputs[i]);
                }
                break;
            default: break;
        }
    }
    return out;
}

InputSlopes::InputSlopes(const System& system)
    : equations_(with_held_signals(system)),
      state_(equations_.system()),
      nothing_(Vector::Zero(equations_.residual.size())) {}

Matrix InputSlopes::at(const State& state, double time, const std::vector<double>& values, const Matrix& slopes) {
    // Steps far longer than the values leave nothing of the rounding of forces that follow no signal.
    constexpr double far = 1048576.0;
    Matrix out(equations_.residual.size(), slopes.cols());
    state_.positions = state.positions;
    state_.quaternions = state.quaternions;
    state_.deformation = state.deformation;
    state_.velocities = state.velocities;
    state_.angles = state.angles;
    for (Index k = 0; k < slopes.cols(); ++k) {
        const double size = std::max(1e-300, slopes.col(k).cwiseAbs().maxCoeff());
        Vector sides[2];
        for (int side = 0; side < 2; ++side) {
            const double step = (side == 0 ? far : -far) / size;
            for (std::size_t j = 0; j < values.size(); ++j) state_.held[j] = values[j] + step * slopes(j, k);
            equations_.evaluate(state_, time, nothing_.data(), nothing_.data(), Detail::residual);
            sides[side] = equations_.residual;
        }
        out.col(k) = (sides[0] - sides[1]) * (size / (2.0 * far));
    }
    return out;
}

}  // namespace flexframe
