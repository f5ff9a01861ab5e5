#include "flexframe/signals.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace flexframe {

namespace {

constexpr int most_iterations = 50, most_halvings = 12;
constexpr double solved = 1e-13;   // last correction of states, relative to the terms that they are the sum of
constexpr double stagnant = 1e-9;  // and where corrections do not shrink any more

}  // namespace

bool SignalTables::valid(Index coordinates, Index touches, const TimeLaws& laws) const {
    const Index all = count();
    const auto below = [](Index value, Index limit) { return value >= 0 && value < limit; };
    const auto signals = [&](const std::vector<Index>& numbers) {
        return std::all_of(numbers.begin(), numbers.end(), [&](Index k) { return below(k, all); });
    };
    const auto size = [](const auto& list) { return static_cast<Index>(list.size()); };
    if (size(sources) != all || size(constants) != all || size(starts) != all + 1 || starts.front() != 0 ||
        starts.back() != size(inputs) || size(factors) != size(inputs) || size(initial_states) != states()) {
        return false;
    }
    for (Index k = 0; k < all; ++k) {
        if (starts[k + 1] < starts[k]) return false;
        for (Index i = starts[k]; i < starts[k + 1]; ++i) {
            if (!below(inputs[i], k)) return false;
        }
        const Index source = sources[k];
        switch (static_cast<SignalKind>(kinds[k])) {
            case SignalKind::number:
            case SignalKind::time:
            case SignalKind::linear: break;
            case SignalKind::coordinate:
            case SignalKind::rate:
                if (!below(source, coordinates)) return false;
                break;
            case SignalKind::state:
                if (!below(source, states())) return false;
                break;
            case SignalKind::held:
                if (!below(source, held())) return false;
                break;
            case SignalKind::law:
                if (!below(source, size(laws.kinds)) ||
                    laws.kinds[source] == static_cast<Index>(LawKind::signal) ||
                    laws.variables(source) > starts[k + 1] - starts[k]) {
                    return false;
                }
                break;
            default: return false;
        }
    }
    const bool groups = sample_starts.empty()
                            ? sampled_held.empty()
                            : sample_starts.front() == 0 && sample_starts.back() == size(sampled_held) &&
                                  std::is_sorted(sample_starts.begin(), sample_starts.end());
    const bool holds = std::all_of(sampled_held.begin(), sampled_held.end(),
                                   [&](Index k) { return below(k, held()); });
    return groups && holds && size(sampled_held) == size(sampled_signals) && signals(sampled_signals) &&
           signals(derivatives) &&
           std::all_of(events.begin(), events.end(), [&](Index k) { return below(k, all + touches); }) &&
           size(events) == size(event_directions);
}

Signals::Signals(const SignalTables& tables, Index coordinates)
    : tables_(&tables), coordinates_(coordinates), values_(tables.count(), 0.0) {
    states_ = Eigen::Map<const Eigen::VectorXd>(tables.initial_states.data(), tables.states());
    state_rates_.setZero(tables.states());
    base_ = states_;
    gradients_.setZero(2 * coordinates + tables.states(), tables.count());
    Index most = 0;
    for (Index k = 0; k < tables.count(); ++k) most = std::max(most, tables.starts[k + 1] - tables.starts[k]);
    variables_.assign(most, 0.0);
    directions_.assign(most, 0.0);
}

void Signals::take_states(const std::vector<double>& states) {
    stepping_ = false;
    states_ = Eigen::Map<const Eigen::VectorXd>(states.data(), tables_->states());
}

void Signals::step_states(const Eigen::VectorXd& base, const Eigen::VectorXd& factors) {
    base_ = states_ = base;  // from which they are looked for, so that a step does not depend on the one before
    factors_ = factors;
    stepping_ = true;
}

bool Signals::evaluate(const TimeLaws& laws, double time, const double* coordinates, const double* rates,
                       const std::vector<double>& held) {
    if (static_cast<Index>(stack_.size()) < laws.stack_size) stack_.resize(laws.stack_size);
    time_ = time;
    s_ = coordinates;
    s_rates_ = rates;
    held_ = held.data();
    run(laws);
    find_rates();
    const Index n = tables_->states();
    if (n == 0 || !stepping_) return true;
    // Newton on z − b − c g(z) = 0 from the last z. A state is known to the rounding of the terms that it is the
    // sum of, which may be far larger than itself; where corrections do not shrink any more they are that
    // rounding.
    Eigen::MatrixXd matrix(n, n);
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        run_gradients(laws);
        for (Index i = 0; i < n; ++i) {
            matrix.row(i) = -factors_[i] * gradients_.col(tables_->derivatives[i]).tail(n).transpose();
            matrix(i, i) += 1.0;
        }
        const Eigen::VectorXd rest = base_ + factors_.cwiseProduct(state_rates_) - states_;
        const Eigen::VectorXd step = matrix.partialPivLu().solve(rest);
        if (!step.allFinite()) return false;
        const Eigen::ArrayXd scale =
            1e-300 + (matrix.cwiseAbs() * states_.cwiseAbs() + base_.cwiseAbs() + rest.cwiseAbs()).array();
        const double before = (rest.array().abs() / scale).maxCoeff();
        // A step that leaves more than it found has passed a bend of g, such as the break-away of friction, and is
        // halved; at the level of rounding it is taken as it is.
        const Eigen::VectorXd start = states_;
        double part = 1.0;
        for (int halving = 0; halving < most_halvings; ++halving, part *= 0.5) {
            states_ = start + part * step;
            run(laws);
            find_rates();
            const Eigen::VectorXd left = base_ + factors_.cwiseProduct(state_rates_) - states_;
            const double after = (left.array().abs() / scale).maxCoeff();
            if (before < stagnant || after < (1.0 - 0.25 * part) * before) break;
        }
        const Eigen::VectorXd terms = matrix.cwiseAbs() * states_.cwiseAbs() + base_.cwiseAbs();
        const double correction = (step.array().abs() / (1e-300 + terms.array())).maxCoeff();
        if (correction <= solved || (correction <= stagnant && correction >= 0.5 * last)) return true;
        last = correction;
    }
    return false;
}

void Signals::run(const TimeLaws& laws) {
    const SignalTables& t = *tables_;
    for (Index k = 0; k < t.count(); ++k) {
        const Index first = t.starts[k], last = t.starts[k + 1], source = t.sources[k];
        double& out = values_[k];
        switch (static_cast<SignalKind>(t.kinds[k])) {
            case SignalKind::number: out = t.constants[k]; break;
            case SignalKind::time: out = time_; break;
            case SignalKind::coordinate: out = s_[source]; break;
            case SignalKind::rate: out = s_rates_[source]; break;
            case SignalKind::state: out = states_[source]; break;
            case SignalKind::held: out = held_[source]; break;
            case SignalKind::linear:
                out = t.constants[k];
                for (Index i = first; i < last; ++i) out += t.factors[i] * values_[t.inputs[i]];
                break;
            case SignalKind::law:
                for (Index i = first; i < last; ++i) variables_[i - first] = values_[t.inputs[i]];
                out = laws.along(source, variables_.data(), directions_.data(), stack_).value;
                break;
        }
    }
}

void Signals::run_gradients(const TimeLaws& laws) {
    const SignalTables& t = *tables_;
    for (Index k = 0; k < t.count(); ++k) {
        const Index first = t.starts[k], last = t.starts[k + 1], source = t.sources[k];
        auto out = gradients_.col(k);
        out.setZero();
        switch (static_cast<SignalKind>(t.kinds[k])) {
            case SignalKind::coordinate: out[source] = 1.0; break;
            case SignalKind::rate: out[coordinates_ + source] = 1.0; break;
            case SignalKind::state: out[2 * coordinates_ + source] = 1.0; break;
            case SignalKind::linear:
                for (Index i = first; i < last; ++i) out += t.factors[i] * gradients_.col(t.inputs[i]);
                break;
            case SignalKind::law:
                for (Index i = first; i < last; ++i) variables_[i - first] = values_[t.inputs[i]];
                for (Index i = first; i < last; ++i) {
                    directions_[i - first] = 1.0;
                    const double slope = laws.along(source, variables_.data(), directions_.data(), stack_).rate;
                    directions_[i - first] = 0.0;
                    // a slope without bound, as that of a root at zero, is left to the iteration
                    if (slope != 0.0 && std::isfinite(slope)) out += slope * gradients_.col(t.inputs[i]);
                }
                break;
            default: break;
        }
    }
}

void Signals::find_rates() {
    for (Index i = 0; i < tables_->states(); ++i) state_rates_[i] = values_[tables_->derivatives[i]];
}

void Signals::differentiate(const TimeLaws& laws) {
    run_gradients(laws);
    const Index n = tables_->states(), p = 2 * coordinates_;
    if (n == 0 || !stepping_) return;
    Eigen::MatrixXd matrix(n, n), slopes(n, p);
    for (Index i = 0; i < n; ++i) {
        const auto g = gradients_.col(tables_->derivatives[i]);
        matrix.row(i) = -factors_[i] * g.tail(n).transpose();
        matrix(i, i) += 1.0;
        slopes.row(i) = factors_[i] * g.head(p).transpose();
    }
    const Eigen::MatrixXd with_states = matrix.partialPivLu().solve(slopes);  // ∂z/∂(s, ṡ)
    gradients_.topRows(p) += with_states.transpose() * gradients_.bottomRows(n);
}

}  // namespace flexframe
