#include "flexframe/explicit_runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "flexframe/turns.hpp"

namespace flexframe {

namespace {

/// The shortest rotation vector of the same rotation: a wheel that spins steadily turns several times in a step.
Vector3 without_turns(const Vector3& theta) {
    constexpr double turn = 6.283185307179586;
    const double angle = theta.norm();
    return angle > 0.5 * turn ? Vector3(theta * (1.0 - turn * std::round(angle / turn) / angle)) : theta;
}

/// c = (1 − (φ/2) cot(φ/2))/φ² for x = φ²; steps turn by less than a radian or two.
double cotangent_ratio(double x) {
    if (x < 0.25) return 1.0 / 12 + x * (1.0 / 720 + x * (1.0 / 30240 + x * (1.0 / 1209600 + x / 47900160.0)));
    const TurnRatios t = turn_ratios(x);
    return (1.0 - 0.5 * t.c / t.a) / x;
}

Vector3 three(const Body& body, const Vector& step, int first) {
    Vector3 out = Vector3::Zero();
    for (int i = 0; i < 3; ++i) {
        if (body.numbers[first + i] >= 0) out[i] = step[body.numbers[first + i]];
    }
    return out;
}

std::vector<double> list(const Vector& vector) { return {vector.begin(), vector.end()}; }

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
      contacts_(*system_) {
    const Index n = system_->size;
    for (Vector* vector : {&u_, &u_next_, &change_, &step_, &inner_step_, &inner_u_, &spare_u_, &first_}) {
        vector->setZero(n);
    }
    multipliers_.setZero(system_->row_count());
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

void ExplicitRungeKutta::start(const State& state, double time) {
    before_ = after_ = between_ = spare_ = state;
    before_.get_velocities(*system_, u_.data());
    u_next_ = spare_u_ = inner_u_ = u_;
    z_ = z_next_ = Eigen::Map<const Vector>(before_.states.data(), z_.size());
    time_ = time;
    contacts_.begin(sampling_, before_, time);
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
    after.impacts = before_.impacts;
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
        const Vector3 once = theta.cross(w);
        const Vector3 turn = w + 0.5 * once + cotangent_ratio(theta.squaredNorm()) * theta.cross(once);
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
    if (!equations.accelerations(there, now, ku_.col(stage).data(), multipliers_.data())) return false;
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

bool ExplicitRungeKutta::keep_steps(double time, double step, const Samples& steps, View<double, 1> when) {
    Works reached = works_;
    for (int i = 0; i < Works::count; ++i) reached.values[i] += gained_.values[i];
    const double* rates = ku_.col(tableau_.stages - 1).data();
    keep_step(equations_, after_, u_next_.data(), rates, multipliers_.data(), reached, steps, kept);
    when(kept) = time + step;
    if (!prepare_interpolation(time, step)) return false;
    place_inside(step, 0.5, between_, inner_u_, reached);
    when(kept + 1) = time + 0.5 * step;
    sampling_.accelerations(between_, when(kept + 1), spare_u_.data(), multipliers_.data());
    keep_step(sampling_, between_, inner_u_.data(), spare_u_.data(), multipliers_.data(), reached, steps,
              kept + 1);
    kept += 2;
    return true;
}

Outcome ExplicitRungeKutta::sample_inside(View<const double, 1> times, Index& taken, double time, double step,
                                          const Samples& samples) {
    while (taken < times.count() && times(taken) <= time + step) {
        const double now = times(taken);
        if (!prepare_interpolation(time, step)) return {Status::no_inertia, taken, now, -1};
        place_inside(step, (now - time) / step, between_, inner_u_, inner_works_);
        const auto [bent, body] = equations_.deflection(between_);
        if (!(bent <= limit_)) {
            return {std::isfinite(bent) ? Status::too_bent : Status::not_finite, taken, now, body};
        }
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

Outcome ExplicitRungeKutta::run(View<const double, 1> times, Index taken, const Samples& samples,
                                const Samples& steps, View<double, 1> when, double seconds) {
    const Budget budget(seconds);
    if (taken == 0 && !fresh_) {  // a run that is continued: its first sample is where it was left
        if (!take_sample(sampling_, between_, inner_u_.data(), times(0), inner_works_, samples, 0, spare_,
                         spare_u_)) {
            return {Status::no_inertia, taken, times(0), -1};
        }
        taken = 1;
    }
    while (true) {
        const double step = next_step_, time = time_;
        if (taken == times.count()) return {Status::done, taken, times(taken - 1), -1};
        if (step < 1e-13 * std::max(std::abs(time), 1e-9)) return {Status::too_small, taken, time, -1};
        const bool full = when.count() > 0 && kept + 2 > when.count();
        if (full || budget.spent()) return {Status::running, taken, time, -1};
        if (!stages(time, step)) return {Status::no_inertia, taken, time, -1};
        const double size = error(step);
        const double aimed = std::isfinite(size) ? 0.9 * std::pow(size, -1.0 / tableau_.order) : 0.1;
        const double factor = size < 1e-4 ? 5.0 : std::min(5.0, std::max(0.1, aimed));
        if (!(size <= 1.0)) {
            if (!repeats_) ++counts.rejected;
            next_step_ = step * std::min(factor, 0.9);
            keep_first(0);
            continue;
        }
        if (contacts_.present()) {  // at the end of the step, which its last stage evaluated
            const double wanted = contacts_.judge(equations_, after_, step, true);
            if (wanted < step) {
                if (!repeats_) ++counts.rejected;
                next_step_ = wanted;
                keep_first(0);
                continue;
            }
        }
        if (!repeats_) ++counts.steps;
        const std::vector<double>& weights = tableau_.weights[tableau_.stages - 1];
        for (int i = 0; i < Works::count; ++i) {
            gained_.values[i] = 0.0;
            for (std::size_t j = 0; j < weights.size(); ++j) gained_.values[i] += step * weights[j] * kw_(i, j);
        }
        if (when.count() > 0 && !keep_steps(time, step, steps, when)) return {Status::no_inertia, taken, time, -1};
        const Outcome sampled = sample_inside(times, taken, time, step, samples);
        if (sampled.status != Status::running) return sampled;
        if (taken == times.count()) {  // the step that holds the last sample is repeated by whoever goes on
            keep_first(0);
            repeats_ = true;
            return {Status::done, taken, times(taken - 1), -1};
        }
        const auto [bent, body] = equations_.deflection(after_);
        if (!(bent <= limit_)) {
            return {std::isfinite(bent) ? Status::too_bent : Status::not_finite, taken, time + step, body};
        }
        const double left = (stiff_until_ - time) / step;
        if (left > stiff_steps_left_ && seems_stiff(step)) return {Status::stiff, taken, time + step, -1};
        time_ = time + step;
        next_step_ = step * factor;
        keep_first(tableau_.stages - 1);
        repeats_ = false;
        for (int i = 0; i < Works::count; ++i) works_.values[i] += gained_.values[i];
        u_ = u_next_;
        after_.counted = equations_.counted();
        before_.copy_positions(after_);
        between_.counted = before_.counted;
        z_ = Eigen::Map<const Vector>(before_.states.data(), z_.size());
        if (!equations_.project(before_, time + step, u_.data(), closed)) {
            return {Status::no_inertia, taken, time + step, -1};
        }
        take_contacts(time + step, step);
    }
}

void ExplicitRungeKutta::take_contacts(double time, double step) {
    // forces that change at once where shapes meet or part are found anew, and steps grow from one of a contact
    if (!contacts_.present() || !contacts_.accept(equations_.touches, before_, time, step)) return;
    z_ = Eigen::Map<const Vector>(before_.states.data(), z_.size());  // of bristles that are apart
    fresh_ = true;
    next_step_ = std::min(next_step_, contacts_.allowed());
}

std::map<std::string, std::vector<double>> ExplicitRungeKutta::memory() const {
    return {
        {"positions", before_.positions},
        {"quaternions", before_.quaternions},
        {"deformation", before_.deformation},
        {"angles", before_.angles},
        {"impacts", before_.impacts},
        {"contacts", contacts_.memory()},
        {"u", list(u_)},
        {"first", list(first_)},
        {"power", list(power_)},
        {"states", before_.states},
        {"state_rates", list(z_first_)},
        {"counted", before_.counted},
        {"works", {works_.values, works_.values + Works::count}},
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
    start(state, 0.0);
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
          read("impacts", before_.impacts.begin(), before_.impacts.size()) &&
          read("numbers", numbers, 7))) {
        return false;
    }
    const auto contacts = memory.find("contacts");
    if (contacts == memory.end() || !contacts_.restore(contacts->second)) return false;
    between_.impacts = before_.impacts;
    before_.set_velocities(*system_, u_.data());
    z_ = Eigen::Map<const Vector>(before_.states.data(), z_.size());
    time_ = numbers[0];
    next_step_ = numbers[1];
    top_ = numbers[2];
    fresh_ = numbers[3] != 0.0;
    repeats_ = numbers[4] != 0.0;
    stiff_ = static_cast<int>(numbers[5]);
    easy_ = static_cast<int>(numbers[6]);
    return true;
}

}  // namespace flexframe
