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

double jump_value(JumpKind kind, double argument) {
    if (kind == JumpKind::floor) return std::floor(argument);
    if (kind == JumpKind::step) return argument < 0.0 ? -1.0 : 1.0;
    return static_cast<double>((argument > 0.0) - (argument < 0.0));
}

bool SignalTables::reads_contacts() const {
    return std::any_of(kinds.begin(), kinds.end(), [](Index kind) {
        return kind == static_cast<Index>(SignalKind::normal) || kind == static_cast<Index>(SignalKind::gap);
    });
}

Signals::Signals(const SignalTables& tables, Index coordinates, const std::vector<ForceElement>& elements,
                 const std::vector<Index>& first_touches)
    : tables_(&tables),
      coordinates_(coordinates),
      given_count_(2 * coordinates + static_cast<Index>(tables.reactions.size() + 1 + tables.jumps.size())),
      elements_(&elements),
      first_touches_(&first_touches),
      values_(tables.count(), 0.0) {
    states_ = Eigen::Map<const Eigen::VectorXd>(tables.initial_states.data(), tables.states());
    state_rates_.setZero(tables.states());
    base_ = states_;
    gradients_.setZero(given_count_ + tables.states(), tables.count());
    Index most = 0;
    for (Index k = 0; k < tables.count(); ++k) most = std::max(most, tables.starts[k + 1] - tables.starts[k]);
    variables_.assign(most, 0.0);
    directions_.assign(most, 0.0);
    Index alive = 1;
    for (const ForceElement& element : elements) {
        alive = std::max({alive, element.parameters.force.stack_size, element.parameters.damping.stack_size});
    }
    stack_.resize(alive);
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

CoordinateForce Signals::element_force(Index signal) {
    const ForceElement& element = (*elements_)[tables_->sources[signal]];
    const Index* inputs = tables_->inputs.data() + tables_->starts[signal];
    return force_laws()[element.law].at(element.parameters, values_[inputs[0]], values_[inputs[1]], stack_);
}

Index Signals::deepest(Index contact) const {
    Index found = (*first_touches_)[contact];
    for (Index t = found; t < (*first_touches_)[contact + 1]; ++t) {
        if (given_.touches[t].where.gap < given_.touches[found].where.gap) found = t;
    }
    return found;
}

bool Signals::evaluate(const TimeLaws& laws, const SignalSources& sources) {
    if (static_cast<Index>(stack_.size()) < laws.stack_size) stack_.resize(laws.stack_size);
    given_ = sources;
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
            case SignalKind::time: out = given_.time; break;
            case SignalKind::coordinate: out = given_.coordinates[source]; break;
            case SignalKind::rate: out = given_.rates[source]; break;
            case SignalKind::state: out = states_[source]; break;
            case SignalKind::held: out = given_.held[source]; break;
            case SignalKind::reaction: out = given_.reactions[source]; break;
            case SignalKind::jump: {
                const Jump& jump = t.jumps[source];
                const bool is_held = given_.held[jump.held] != static_cast<double>(JumpMode::free);
                out = is_held ? given_.held[jump.held + 1] : jump_value(jump.kind, values_[t.inputs[first]]);
                break;
            }
            case SignalKind::gap: out = given_.touches[deepest(source)].where.gap; break;
            case SignalKind::normal:
                out = 0.0;
                for (Index t = (*first_touches_)[source]; t < (*first_touches_)[source + 1]; ++t) {
                    out += given_.touches[t].normal.force;
                }
                break;
            case SignalKind::force: {
                const CoordinateForce force = element_force(k);
                out = force.elastic + force.other;
                break;
            }
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
    const Index first_gap = coordinates_ - first_touches_->back();  // of signals that read contacts
    for (Index k = 0; k < t.count(); ++k) {
        const Index first = t.starts[k], last = t.starts[k + 1], source = t.sources[k];
        auto out = gradients_.col(k);
        out.setZero();
        switch (static_cast<SignalKind>(t.kinds[k])) {
            case SignalKind::coordinate: out[source] = 1.0; break;
            case SignalKind::rate: out[coordinates_ + source] = 1.0; break;
            case SignalKind::reaction: out[2 * coordinates_ + source] = 1.0; break;
            case SignalKind::state: out[given_count_ + source] = 1.0; break;
            case SignalKind::time: out[time_row()] = 1.0; break;
            case SignalKind::jump: out[time_row() + 1 + source] = 1.0; break;
            case SignalKind::linear:
                for (Index i = first; i < last; ++i) out += t.factors[i] * gradients_.col(t.inputs[i]);
                break;
            case SignalKind::force: {
                const CoordinateForce force = element_force(k);
                out -= force.stiffness * gradients_.col(t.inputs[first]) +
                       force.damping * gradients_.col(t.inputs[first + 1]);
                break;
            }
            case SignalKind::gap: out[first_gap + deepest(source)] = 1.0; break;
            case SignalKind::normal:  // of the depth, −gap
                for (Index p = (*first_touches_)[source]; p < (*first_touches_)[source + 1]; ++p) {
                    out[first_gap + p] = -given_.touches[p].normal.stiffness;
                    out[coordinates_ + first_gap + p] = -given_.touches[p].normal.damping;
                }
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
    const Index n = tables_->states(), p = given_count_;
    if (n == 0 || !stepping_) return;
    Eigen::MatrixXd matrix(n, n), slopes(n, p);
    for (Index i = 0; i < n; ++i) {
        const auto g = gradients_.col(tables_->derivatives[i]);
        matrix.row(i) = -factors_[i] * g.tail(n).transpose();
        matrix(i, i) += 1.0;
        slopes.row(i) = factors_[i] * g.head(p).transpose();
    }
    const Eigen::MatrixXd with_states = matrix.partialPivLu().solve(slopes);  // ∂z/∂(s, ṡ, r)
    gradients_.topRows(p) += with_states.transpose() * gradients_.bottomRows(n);
}

}  // namespace flexframe
