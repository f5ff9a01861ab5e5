#include "flexframe/explicit_runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "flexframe/switching.hpp"
#include "flexframe/turns.hpp"

namespace flexframe {

namespace {

Vector3 three(const Body& body, const Vector& step, int first) {
    Vector3 out = Vector3::Zero();
    for (int i = 0; i < 3; ++i) {
        if (body.numbers[first + i] >= 0) out[i] = step[body.numbers[first + i]];
    }
    return out;
}

std::vector<double> list(const Vector& vector) { return {vector.begin(), vector.end()}; }

/// The number before another one.
double before(double number) { return std::nextafter(number, -std::numeric_limits<double>::infinity()); }

constexpr int parts = 8;           // of a step at whose ends events are looked at
constexpr double reach = 4.0;      // of a step beyond the next impact
constexpr int most_attempts = 60;  // to end a step at an event

}  // namespace

ExplicitRungeKutta::ExplicitRungeKutta(std::shared_ptr<const System> system, const Tableau& tableau,
                                       double tolerance, double limit)
    : system_(std::move(system)),
      tableau_(tableau),
      equations_(system_),
      sampling_(system_),
      tolerance_(tolerance),
      limit_(limit),
      before_(*system_),
      after_(*system_),
      between_(*system_),
      spare_(*system_),
      contacts_(*system_),
      impulsive_(system_->impulsive_touches()),
      events_(*system_),
      part_begin_(events_.start),
      part_end_(events_.start) {
    const Index n = system_->size;
    for (Vector* vector : {&u_, &u_next_, &change_, &step_, &inner_step_, &inner_u_, &spare_u_, &first_}) {
        vector->setZero(n);
    }
    multipliers_.setZero(system_->row_count());
    inner_multipliers_ = multipliers_;
    kq_.setZero(n, tableau_.all_stages());
    ku_.setZero(n, tableau_.all_stages());
    kw_.setZero(Works::count, tableau_.all_stages());
    const Index states = system_->state_count();
    kz_.setZero(states, tableau_.all_stages());
    for (Vector* vector : {&z_, &z_next_, &z_change_, &z_first_}) vector->setZero(states);
    const Index late = static_cast<Index>(tableau_.dense.size());
    late_q_.setZero(n, late);
    late_u_.setZero(n, late);
    late_w_.setZero(Works::count, late);
    late_z_.setZero(states, late);
    power_.setZero(Works::count);
}

bool ExplicitRungeKutta::start(const State& state, double time) {
    begin_at(state, time);
    if (!system_->signals.jumps.empty()) {
        const std::vector<double> held = sides_at_start(sampling_, before_, time);
        if (held.empty()) return false;
        before_.held = after_.held = between_.held = spare_.held = held;
    }
    contacts_.begin(sampling_, before_, time);
    works_.values[3] += bristle_energy(sampling_);
    look_at_end();
    return impulsive_.empty() || rest_at_the_start();
}

void ExplicitRungeKutta::begin_at(const State& state, double time) {
    before_ = after_ = between_ = spare_ = state;
    before_.get_velocities(*system_, u_.data());
    u_next_ = spare_u_ = inner_u_ = u_;
    z_ = z_next_ = Eigen::Map<const Vector>(before_.states.data(), z_.size());
    time_ = time;
}

void ExplicitRungeKutta::sample_at(std::vector<double> instants, std::vector<Index> groups, Index functions) {
    instants_ = std::move(instants);
    groups_ = std::move(groups);
    functions_ = functions;
    next_instant_ = 0;
    while (resumed_ && next_instant_ < instants_.size() && instants_[next_instant_] <= time_) ++next_instant_;
}

const std::vector<double>& ExplicitRungeKutta::signals() {
    look_at(before_, time_);
    return sampling_.signals.values();
}

void ExplicitRungeKutta::look_at(const State& state, double time) {
    if (system_->signals.reactions.empty() && !sampling_.has_conditions(state)) {
        change_.setZero();
        sampling_.evaluate(state, time, change_.data(), inner_multipliers_.data(), Detail::residual);
    } else {  // multipliers of this state, and forces that conditions determine
        sampling_.accelerations(state, time, change_.data(), inner_multipliers_.data());
    }
}

void ExplicitRungeKutta::look_at_end() {
    if (!events_.any()) return;
    signals();
    events_.begin(sampling_);
}

void ExplicitRungeKutta::take_held(const std::vector<double>& held) {
    if (held == before_.held) return;
    before_.held = after_.held = between_.held = held;
    fresh_ = true;
    if (resting().empty()) look_at_end();
    else settle(resting());  // what presses shapes together may have changed
}

void ExplicitRungeKutta::hold(Index number, double value) {
    std::vector<double> held = before_.held;
    held[number] = value;
    take_held(held);
}

Impact ExplicitRungeKutta::impact(Index touch, double restitution, double friction, double least_speed) {
    look_at(before_, time_);
    const double speed = sampling_.touches[touch].rate;
    const bool slow =
        restitution == 0.0 || std::abs(speed) < least_speed || bounce_is_low(touch, restitution, speed);
    Impact out = strike(sampling_, before_, time_, touch, slow ? 0.0 : restitution, friction, u_);
    if (!out.found) return out;
    before_.set_velocities(*system_, u_.data());
    works_.values[0] += out.drives;
    works_.values[3] += out.lost;
    out.found = settle_after_impulse(slow ? touch : -1);
    out.rests = rests(touch);
    return out;
}

Impact ExplicitRungeKutta::lock(Index held) {
    Impact out = close_or_open(sampling_, before_, time_, held, u_);
    if (!out.found) return out;
    before_.set_velocities(*system_, u_.data());
    after_.held = between_.held = before_.held;
    works_.values[0] += out.drives;
    works_.values[2] += out.lost;
    out.found = settle_after_impulse(-1);
    return out;
}

bool ExplicitRungeKutta::switch_side(Index jump) {
    const std::vector<double> held = sides_beyond(sampling_, before_, time_, jump);
    if (held.empty()) return false;
    take_held(held);
    return true;
}

bool ExplicitRungeKutta::sample_end(const Samples& samples, Index k) {
    inner_works_ = works_;
    return take_sample(sampling_, before_, u_.data(), time_, works_, samples, k, spare_, spare_u_);
}

bool ExplicitRungeKutta::keep_end(const Samples& steps, Index k) {
    if (!sampling_.accelerations(before_, time_, spare_u_.data(), inner_multipliers_.data())) return false;
    keep_step(sampling_, before_, u_.data(), spare_u_.data(), inner_multipliers_.data(), works_, steps, k);
    return true;
}

bool ExplicitRungeKutta::instant_is_due() const {
    const double rounding = 1e-15 * std::max(std::abs(time_), 1e-9);
    return next_instant_ < instants_.size() && instants_[next_instant_] <= time_ + rounding;
}

double ExplicitRungeKutta::length_of_next() {
    // not much longer than to the next impact, and no longer than to the next instant of sampling, with no short
    // step before that
    double length = next_step_;
    if (!impulsive_.empty()) length = std::min(length, std::max(reach * time_to_impact(), 1e-3 * length));
    if (next_instant_ == instants_.size()) return length;
    const double left = instants_[next_instant_] - time_;
    if (left <= length * (1.0 + 1e-9)) return left;
    return std::min(length, 0.5 * left);
}

void ExplicitRungeKutta::combine(const Matrix& k, const std::vector<double>& factors, double factor,
                                 Vector& out) const {
    out.setZero();
    for (std::size_t j = 0; j < factors.size(); ++j) {
        if (factors[j] != 0.0) out.noalias() += (factor * factors[j]) * k.col(j);
    }
}

void ExplicitRungeKutta::interpolate(const double* start, const Matrix& k, const Matrix& late,
                                     const double* change, double step, double part, double* out) const {
    const double rest = 1.0 - part;
    const Index last = tableau_.stages - 1;
    for (Index i = 0; i < k.rows(); ++i) {
        double inner = 0.0;
        for (Index m = late.cols() - 1; m >= 0; --m) inner = (inner + late(i, m)) * (m % 2 == 0 ? rest : part);
        const double bend = step * k(i, 0) - change[i];
        const double tail = change[i] - step * k(i, last) - bend;
        const double begin = start == nullptr ? 0.0 : start[i];
        out[i] = begin + part * (change[i] + rest * (bend + part * (tail + inner)));
    }
}

void ExplicitRungeKutta::place(const Vector& step, State& after) const {
    after.touching = before_.touching;
    for (std::size_t b = 0; b < system_->bodies.size(); ++b) {
        const Body& body = system_->bodies[b];
        const double* q = before_.quaternions.data() + 4 * b;
        const Vector3 theta = three(body, step, 3), moved = rotate(q, three(body, step, 0));
        for (int i = 0; i < 3; ++i) after.positions[3 * b + i] = before_.positions[3 * b + i] + moved[i];
        turn_quaternion(q, without_turns(theta), after.quaternions.data() + 4 * b);
        after.angles[b] = before_.angles[b] + theta[2];
        for (Index r = 0; r < body.coordinates(); ++r) {
            const Index own = body.first_coordinate + r;
            after.deformation[own] = before_.deformation[own] + step[body.numbers[6 + r]];
        }
    }
    if (!after.counted.empty()) count_turns(*system_, before_, step.data(), after);
}

void ExplicitRungeKutta::chart_rates(const Vector& step, const State& there, double* out) const {
    for (std::size_t b = 0; b < system_->bodies.size(); ++b) {
        const Body& body = system_->bodies[b];
        const double* u = there.velocities.data() + body.first_velocity;
        const Vector3 v(u[0], u[1], u[2]), w(u[3], u[4], u[5]), theta = three(body, step, 3);
        // into space with the attitude of the stage, back into the axes of the start
        const double *start = before_.quaternions.data() + 4 * b, *now = there.quaternions.data() + 4 * b;
        const Vector3 d = rotate_back(start, rotate(now, v));
        const Vector3 turn = turn_rate(theta, w);
        for (int i = 0; i < 3; ++i) {
            if (body.numbers[i] >= 0) out[body.numbers[i]] = d[i];
            if (body.numbers[3 + i] >= 0) out[body.numbers[3 + i]] = turn[i];
        }
        for (Index r = 0; r < body.coordinates(); ++r) out[body.numbers[6 + r]] = u[6 + r];
    }
}

bool ExplicitRungeKutta::evaluate(Equations& equations, int stage, double time, double step, Vector& moved,
                                  Vector& u, State& there) {
    const std::vector<double>& weights = tableau_.weights[stage];
    combine(kq_, weights, step, moved);
    combine(ku_, weights, step, u);
    u += u_;
    place(moved, there);
    there.set_velocities(*system_, u.data());
    combine(kz_, weights, step, z_next_);
    z_next_ += z_;
    Eigen::Map<Vector>(there.states.data(), z_.size()) = z_next_;
    const double now = time + tableau_.nodes[stage] * step;
    Vector& multipliers = &equations == &sampling_ ? inner_multipliers_ : multipliers_;
    if (!equations.accelerations(there, now, ku_.col(stage).data(), multipliers.data())) return false;
    if (!repeats_) ++counts.evaluations;
    chart_rates(moved, there, kq_.col(stage).data());
    kz_.col(stage) = equations.state_rates();
    const Powers& powers = equations.powers;
    kw_.col(stage) << powers.drives, powers.loads, powers.dissipation, powers.contact;
    return true;
}

bool ExplicitRungeKutta::stages(double time, double step) {
    interpolates_ = false;
    int first = 0;
    if (!fresh_) {  // the chart of the new step: only u̇ is known from the last one
        ku_.col(0) = first_;
        kq_.col(0) = u_;
        kw_.col(0) = power_;
        kz_.col(0) = z_first_;
        first = 1;
    }
    for (int stage = first; stage < tableau_.stages; ++stage) {
        if (!evaluate(equations_, stage, time, step, step_, u_next_, after_)) return false;
    }
    return true;
}

double ExplicitRungeKutta::error(double step) {
    // of positions and velocities, in lengths of the system and radians, over the tolerance: the largest e of all,
    // or e²/√(e² + 0.01 ê²) with the one of lower order ê
    top_ = std::max(top_, largest_speed(*system_, u_next_.data()));
    const auto largest = [&](const std::vector<double>& factors) {
        double worst = 0.0;
        for (Index i = 0; i < system_->size; ++i) {
            double off = 0.0, slip = 0.0;
            for (int j = 0; j < tableau_.stages; ++j) {
                off += factors[j] * kq_(i, j);
                slip += factors[j] * ku_(i, j);
            }
            if (!std::isfinite(off + slip)) return std::numeric_limits<double>::infinity();
            const double size = step / system_->scales[i];
            worst = std::max({worst, std::abs(off) * size, std::abs(slip) * size / std::max(1.0, top_)});
        }
        for (Index i = 0; i < z_.size(); ++i) {
            double off = 0.0;
            for (int j = 0; j < tableau_.stages; ++j) off += factors[j] * kz_(i, j);
            if (!std::isfinite(off)) return std::numeric_limits<double>::infinity();
            worst = std::max(worst, std::abs(off) * step / std::max(1.0, std::abs(z_[i])));
        }
        return worst / tolerance_;
    };
    const double fine = largest(tableau_.error);
    if (tableau_.coarse_error.empty() || fine == 0.0 || !std::isfinite(fine)) return fine;
    return fine * fine / std::hypot(fine, 0.1 * largest(tableau_.coarse_error));
}

bool ExplicitRungeKutta::seems_stiff(double step) {
    // The last two stages are both at the end of the step (Hairer and Wanner, Solving ODEs II, section IV.2). What
    // they differ by grows in the direction of the largest eigenvalue λ, where Δu̇ = λ Δu and Δu̇ = λ² Δq, so that
    //
    //     h |λ| ≈ h min(‖Δu̇‖ / ‖Δu‖, √(‖Δu̇‖ / ‖Δq‖)) .
    //
    // Fifteen steps beyond the bound of stability, with fewer than six in a row within it, are stiff.
    const int last = tableau_.stages - 1;
    const std::vector<double>&a = tableau_.weights[last], &b = tableau_.weights[last - 1];
    double moved = 0.0, sped = 0.0, forced = 0.0;
    for (Index i = 0; i < system_->size; ++i) {
        double q = 0.0, u = 0.0;
        for (int j = 0; j < last; ++j) {
            const double weight = a[j] - (j < last - 1 ? b[j] : 0.0);
            q += weight * kq_(i, j);
            u += weight * ku_(i, j);
        }
        const double scale = 1.0 / system_->scales[i], turn = ku_(i, last) - ku_(i, last - 1);
        moved += scale * scale * step * step * q * q;
        sped += scale * scale * step * step * u * u;
        forced += scale * scale * turn * turn;
    }
    const double damped = step * std::sqrt(forced / sped), bound = step * std::sqrt(std::sqrt(forced / moved));
    if (moved > 0.0 && sped > 0.0 && std::min(damped, bound) > tableau_.stability) {
        easy_ = 0;
        return ++stiff_ >= 15;
    }
    if (++easy_ >= 6) stiff_ = 0;
    return false;
}

bool ExplicitRungeKutta::prepare_interpolation(double time, double step) {
    if (interpolates_) return true;
    for (int stage = tableau_.stages; stage < tableau_.all_stages(); ++stage) {
        if (!evaluate(sampling_, stage, time, step, inner_step_, inner_u_, between_)) return false;
    }
    for (std::size_t m = 0; m < tableau_.dense.size(); ++m) {
        const Eigen::Map<const Vector> factors(tableau_.dense[m].data(), tableau_.all_stages());
        late_q_.col(m).noalias() = step * (kq_ * factors);
        late_u_.col(m).noalias() = step * (ku_ * factors);
        late_w_.col(m).noalias() = step * (kw_ * factors);
        late_z_.col(m).noalias() = step * (kz_ * factors);
    }
    interpolates_ = true;
    return true;
}

void ExplicitRungeKutta::place_inside(double step, double part, State& state, Vector& u, Works& works) {
    interpolate(nullptr, kq_, late_q_, step_.data(), step, part, inner_step_.data());
    change_ = u_next_ - u_;
    interpolate(u_.data(), ku_, late_u_, change_.data(), step, part, u.data());
    interpolate(works_.values, kw_, late_w_, gained_.values, step, part, works.values);
    z_change_ = Eigen::Map<const Vector>(after_.states.data(), z_.size()) - z_;
    interpolate(z_.data(), kz_, late_z_, z_change_.data(), step, part, state.states.data());
    place(inner_step_, state);
    state.set_velocities(*system_, u.data());
}

void ExplicitRungeKutta::keep_inside(double time, double step, double now, const Samples& steps,
                                     View<double, 1> when) {
    Works reached;
    place_inside(step, (now - time) / step, between_, inner_u_, reached);
    sampling_.accelerations(between_, now, spare_u_.data(), inner_multipliers_.data());
    keep_step(sampling_, between_, inner_u_.data(), spare_u_.data(), inner_multipliers_.data(), reached, steps,
              kept);
    when(kept++) = now;
}

bool ExplicitRungeKutta::keep_steps(double time, double step, double last, const Samples& steps,
                                    View<double, 1> when) {
    // what is beyond the last sample is not asked for
    const double end = std::min(time + step, last);
    if (end < time + step) {
        if (!prepare_interpolation(time, step)) return false;
        keep_inside(time, step, end, steps, when);
    } else {
        Works reached = works_;
        for (int i = 0; i < Works::count; ++i) reached.values[i] += gained_.values[i];
        const double* rates = ku_.col(tableau_.stages - 1).data();
        keep_step(equations_, after_, u_next_.data(), rates, multipliers_.data(), reached, steps, kept);
        when(kept++) = end;
        if (!prepare_interpolation(time, step)) return false;
    }
    keep_inside(time, step, 0.5 * (time + end), steps, when);
    return true;
}

Outcome ExplicitRungeKutta::sample_inside(View<const double, 1> times, Index& taken, double time, double step,
                                          double last, const Samples& samples) {
    while (taken < times.count() && times(taken) <= last) {
        const double now = times(taken);
        if (!prepare_interpolation(time, step)) return {Status::no_inertia, taken, now, -1};
        place_inside(step, (now - time) / step, between_, inner_u_, inner_works_);
        const auto [bent, body] = equations_.judge_deflection(between_, limit_);
        if (bent != Status::done) return {bent, taken, now, body};
        if (!take_sample(sampling_, between_, inner_u_.data(), now, inner_works_, samples, taken, spare_,
                         spare_u_)) {
            return {Status::no_inertia, taken, now, -1};
        }
        ++taken;
    }
    return {Status::running, taken, time, -1};
}

void ExplicitRungeKutta::keep_first(Index stage) {
    first_ = ku_.col(stage);
    power_ = kw_.col(stage);
    z_first_ = kz_.col(stage);
    fresh_ = false;
}

Index ExplicitRungeKutta::event_to_be_told() {
    if (std::count(events_.told.begin(), events_.told.end(), 2.0) == 0) return -1;
    signals();
    for (Index k = 0; k < events_.count(); ++k) {
        if (events_.told[k] != 2.0 || !events_.passed(sampling_, k)) continue;
        events_.tell_at_start(k);
        return k;
    }
    return -1;
}

void ExplicitRungeKutta::look_inside(double time, double step, double part, EventValues& out) {
    Works ignored;
    place_inside(step, part, between_, inner_u_, ignored);
    look_at(between_, time + part * step);
    events_.read(sampling_, out);
}

template <class Value>
void ExplicitRungeKutta::close_in(Passage& passage, double width, const Value& value) const {
    // the length of the step at whose end the event is zero, by the method of Illinois
    auto& [event, low, high, at_low, at_high] = passage;
    double weight_low = 1.0, weight_high = 1.0;
    for (int i = 0; i < most_attempts && high - low > width && at_high != 0.0; ++i) {
        const double a = weight_low * at_low, b = weight_high * at_high;
        double length = high - b * (high - low) / (b - a);
        if (!(length > low + 0.5 * width && length < high - 0.5 * width)) length = 0.5 * (low + high);
        const double found = value(length);
        if (!std::isfinite(found)) return;
        if (found == 0.0 || (found > 0.0) != (at_low > 0.0)) {
            high = length;
            at_high = found;
            weight_high = 1.0;
            weight_low *= 0.5;
        } else {
            low = length;
            at_low = found;
            weight_low = 1.0;
            weight_high *= 0.5;
        }
    }
}

ExplicitRungeKutta::Passage ExplicitRungeKutta::passage_inside(double time, double step, Index event, double begin,
                                                               double end) {
    // between two parts of a step; a gap that closes and opens again there is looked at where it is least
    const double g0 = part_begin_.values[event], g1 = part_end_.values[event], h = (end - begin) * step;
    Passage out{event, begin * step, end * step, g0, g1};
    EventValues inside = part_end_;
    const double dip = deepest_dip(g0, h * part_begin_.rates[event], g1, h * part_end_.rates[event]);
    if (dip < 1.0) {
        out.high = (begin + dip * (end - begin)) * step;
        look_inside(time, step, out.high / step, inside);
        out.at_high = inside.values[event];
    }
    if (!events_.passes(event, g0, out.at_high)) return {};
    close_in(out, 1e-9 * step, [&](double length) {
        look_inside(time, step, length / step, inside);
        return inside.values[event];
    });
    return out;
}

ExplicitRungeKutta::Passage ExplicitRungeKutta::first_passage(double time, double step) {
    part_begin_ = events_.start;
    events_.look_back(equations_);
    Passage first;
    for (int i = 1; i <= parts && first.event < 0; ++i) {
        const double begin = static_cast<double>(i - 1) / parts, end = static_cast<double>(i) / parts;
        if (i < parts) look_inside(time, step, end, part_end_);
        else events_.read(equations_, part_end_);
        for (Index k = 0; k < events_.count(); ++k) {
            const Passage found = passage_inside(time, step, k, begin, end);
            if (found.event >= 0 && (first.event < 0 || found.high < first.high)) first = found;
        }
        std::swap(part_begin_, part_end_);
    }
    return first;
}

bool ExplicitRungeKutta::end_at(Passage& passage, double time, double& step) {
    // the interpolation is as good as a step, and lengths a little beside those that it gives hold the event
    const double width = 4e-16 * std::abs(time) + 1e-15 * step;
    double taken = -1.0;
    bool solved = true;
    const auto value_after = [&](double length) {
        keep_first(0);
        solved = solved && stages(time, length);
        taken = length;
        return solved ? events_.value(equations_, passage.event) : std::numeric_limits<double>::quiet_NaN();
    };
    const auto past = [&](double value) { return value == 0.0 || (value > 0.0) != (passage.at_low > 0.0); };
    const double near = std::max(passage.high - passage.low, width);
    for (double beside = near; solved && !past(passage.at_high = value_after(passage.high)); beside *= 4.0) {
        passage.low = passage.high;
        passage.at_low = passage.at_high;
        if (passage.high == step) break;
        passage.high = std::min(step, passage.high + beside);
    }
    for (double beside = near; solved && passage.low > 0.0; beside *= 4.0) {
        const double value = value_after(passage.low);
        if (!past(value)) {
            passage.at_low = value;
            break;
        }
        passage.high = passage.low;
        passage.at_high = value;
        passage.low = std::max(0.0, passage.low - beside);
        if (passage.low == 0.0) passage.at_low = events_.start.values[passage.event];
    }
    if (past(passage.at_high)) {
        close_in(passage, width, value_after);
        step = passage.high;
    } else {
        passage.event = -1;  // a step does not see what the interpolation saw just beyond zero
    }
    if (solved && taken != step) {
        keep_first(0);
        solved = stages(time, step);
    }
    return solved;
}

Outcome ExplicitRungeKutta::run(View<const double, 1> times, Index taken, const Samples& samples,
                                const Samples& steps, View<double, 1> when, double seconds) {
    const Budget budget(seconds);
    if (resumed_) {
        if (!take_sample(sampling_, between_, inner_u_.data(), times(0), inner_works_, samples, 0, spare_,
                         spare_u_)) {
            return {Status::no_inertia, taken, times(0), -1};
        }
        taken = 1;
        resumed_ = false;
    }
    while (true) {
        while (instant_is_due()) {
            time_ = instants_[next_instant_];
            const Index groups = groups_[next_instant_++];
            signals();
            take_held(sampled_values(sampling_, before_.held, groups));
            if ((groups & functions_) != 0) return {Status::event, taken, time_, -1};
        }
        const Index late = event_to_be_told();
        if (late >= 0) return {Status::event, taken, time_, late};
        for (; taken < times.count() && times(taken) <= time_; ++taken) {
            if (!sample_end(samples, taken)) return {Status::no_inertia, taken, time_, -1};
        }
        const double time = time_;
        double step = length_of_next();
        if (taken == times.count()) return {Status::done, taken, times(taken - 1), -1};
        if (next_step_ < 1e-13 * std::max(std::abs(time), 1e-9)) return {Status::too_small, taken, time, -1};
        const bool full = when.count() > 0 && kept + 2 > when.count();
        if (full || budget.spent()) return {Status::running, taken, time, -1};
        if (!stages(time, step)) return {Status::no_inertia, taken, time, -1};
        const double size = error(step);
        const double aimed = std::isfinite(size) ? 0.9 * std::pow(size, -1.0 / tableau_.order) : 0.1;
        const double factor = size < 1e-4 ? 5.0 : std::min(5.0, std::max(0.1, aimed));
        const auto reject = [&](double shorter) {
            if (!repeats_) ++counts.rejected;
            next_step_ = shorter;
            keep_first(0);
        };
        if (!(size <= 1.0)) {
            reject(step * std::min(factor, 0.9));
            continue;
        }
        if (contacts_.present()) {  // at the end of the step, which its last stage evaluated
            const double wanted = contacts_.judge(equations_, after_, step);
            if (wanted < step) {
                reject(wanted);
                continue;
            }
        }
        const double grown = std::max(step * factor, step < next_step_ ? next_step_ : 0.0);
        bool jumps = next_instant_ < instants_.size() && step >= instants_[next_instant_] - time;
        double end = jumps ? instants_[next_instant_] : time + step;
        Passage passage;
        if (events_.any()) {
            if (!prepare_interpolation(time, step)) return {Status::no_inertia, taken, time, -1};
            passage = first_passage(time, step);
        }
        if (passage.event >= 0) {
            if (events_.start.rates[passage.event] > 0.0 && passage.high <= step / parts) {
                reject(step / parts);  // shapes were just thrown back: what they do first needs a shorter step
                continue;
            }
            const double whole = step;
            if (!end_at(passage, time, step)) return {Status::no_inertia, taken, time, -1};
            if (step < whole) {
                jumps = true;
                end = time + step;
            }
        }
        if (!repeats_) ++counts.steps;
        const std::vector<double>& weights = tableau_.weights[tableau_.stages - 1];
        for (int i = 0; i < Works::count; ++i) {
            gained_.values[i] = 0.0;
            for (std::size_t j = 0; j < weights.size(); ++j) gained_.values[i] += step * weights[j] * kw_(i, j);
        }
        const double last = times(times.count() - 1);
        if (when.count() > 0 && !keep_steps(time, step, last, steps, when)) {
            return {Status::no_inertia, taken, time, -1};
        }
        // where something jumps at the end, its sample shows what is after that
        jumps = jumps || passage.event >= 0;
        const Outcome sampled = sample_inside(times, taken, time, step, jumps ? before(end) : end, samples);
        if (sampled.status != Status::running) return sampled;
        if (taken == times.count()) {  // the step that holds the last sample is repeated by whoever goes on
            keep_first(0);
            repeats_ = true;
            return {Status::done, taken, times(taken - 1), -1};
        }
        const auto [bent, body] = equations_.judge_deflection(after_, limit_);
        if (bent != Status::done) return {bent, taken, end, body};
        const double left = (stiff_until_ - time) / step;
        if (left > stiff_steps_left_ && seems_stiff(step)) return {Status::stiff, taken, end, -1};
        time_ = end;
        next_step_ = grown;
        keep_first(tableau_.stages - 1);
        repeats_ = false;
        if (passage.event >= 0) {
            events_.tell(equations_, passage.event, events_.passed_but(equations_, passage.event) >= 0);
        } else {
            events_.tell_none();
            events_.begin(equations_);
        }
        for (int i = 0; i < Works::count; ++i) works_.values[i] += gained_.values[i];
        u_ = u_next_;
        after_.counted = equations_.counted();
        before_.copy_positions(after_);
        between_.counted = before_.counted;
        z_ = Eigen::Map<const Vector>(before_.states.data(), z_.size());
        if (!equations_.project(before_, end, u_.data(), closed)) {
            return {Status::no_inertia, taken, end, -1};
        }
        if (!keep_conditions(end)) return {Status::no_inertia, taken, end, -1};
        take_contacts(end, step);
        if (passage.event >= 0) return {Status::event, taken, end, passage.event};
    }
}

bool ExplicitRungeKutta::keep_conditions(double time) {
    if (!equations_.has_conditions(before_)) return true;
    equations_.keep_conditions(before_);
    if (!equations_.project_held(before_, time, u_.data())) return false;
    after_.held = between_.held = before_.held;
    after_.touching = between_.touching = before_.touching;
    return true;
}

void ExplicitRungeKutta::take_contacts(double time, double step) {
    // Forces that change at once where shapes meet or part are found anew. While shapes touch, steps are those of
    // the contact: errors of positions beside the size of the system say little about a depth of micrometres.
    if (!contacts_.present()) return;
    if (contacts_.accept(equations_.touches, before_, time, step)) {
        z_ = Eigen::Map<const Vector>(before_.states.data(), z_.size());  // of bristles that are apart
        fresh_ = true;
    }
    next_step_ = std::min(next_step_, contacts_.allowed());
}

std::map<std::string, std::vector<double>> ExplicitRungeKutta::memory() const {
    return {
        {"positions", before_.positions},
        {"quaternions", before_.quaternions},
        {"deformation", before_.deformation},
        {"angles", before_.angles},
        {"touching", numbers_of(before_.touching)},
        {"contacts", contacts_.memory()},
        {"u", list(u_)},
        {"first", list(first_)},
        {"power", list(power_)},
        {"states", before_.states},
        {"state_rates", list(z_first_)},
        {"counted", before_.counted},
        {"held", before_.held},
        {"works", {works_.values, works_.values + Works::count}},
        {"event_values", events_.start.values},
        {"event_rates", events_.start.rates},
        {"told", events_.told},
        {"inner_works", {inner_works_.values, inner_works_.values + Works::count}},
        {"numbers",
         {time_, next_step_, top_, fresh_ ? 1.0 : 0.0, repeats_ ? 1.0 : 0.0, static_cast<double>(stiff_),
          static_cast<double>(easy_)}},
    };
}

bool ExplicitRungeKutta::restore(const State& state, const std::map<std::string, std::vector<double>>& memory) {
    const auto read = [&](const char* name, auto begin, Index count) {
        const auto found = memory.find(name);
        if (found == memory.end() || static_cast<Index>(found->second.size()) != count) return false;
        std::copy(found->second.begin(), found->second.end(), begin);
        return true;
    };
    begin_at(state, 0.0);
    between_.get_velocities(*system_, inner_u_.data());
    double numbers[7];
    if (!(read("positions", before_.positions.begin(), before_.positions.size()) &&
          read("quaternions", before_.quaternions.begin(), before_.quaternions.size()) &&
          read("deformation", before_.deformation.begin(), before_.deformation.size()) &&
          read("angles", before_.angles.begin(), before_.angles.size()) && read("u", u_.data(), u_.size()) &&
          read("first", first_.data(), first_.size()) && read("power", power_.data(), Works::count) &&
          read("states", before_.states.begin(), before_.states.size()) &&
          read("state_rates", z_first_.data(), z_first_.size()) &&
          read("counted", before_.counted.begin(), before_.counted.size()) &&
          read("works", works_.values, Works::count) &&
          read("inner_works", inner_works_.values, Works::count) &&
          read("event_values", events_.start.values.begin(), events_.count()) &&
          read("event_rates", events_.start.rates.begin(), events_.count()) &&
          read("held", before_.held.begin(), before_.held.size()) &&
          read("told", events_.told.begin(), events_.count()) &&
          read("numbers", numbers, 7))) {
        return false;
    }
    const auto contacts = memory.find("contacts"), touching = memory.find("touching");
    if (contacts == memory.end() || touching == memory.end() || !contacts_.restore(contacts->second) ||
        !read_numbers(touching->second, before_.touching)) {
        return false;
    }
    after_.touching = between_.touching = before_.touching;
    after_.held = before_.held;
    before_.set_velocities(*system_, u_.data());
    z_ = Eigen::Map<const Vector>(before_.states.data(), z_.size());
    time_ = numbers[0];
    next_step_ = numbers[1];
    top_ = numbers[2];
    fresh_ = numbers[3] != 0.0;
    repeats_ = numbers[4] != 0.0;
    stiff_ = static_cast<int>(numbers[5]);
    easy_ = static_cast<int>(numbers[6]);
    resumed_ = true;
    return true;
}

}  // namespace flexframe
