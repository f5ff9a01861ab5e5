#include "flexframe/dormand_prince.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flexframe {

namespace {

constexpr int stage_count = 7;
constexpr double nodes[7] = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};
constexpr double weights[7][6] = {
    {0, 0, 0, 0, 0, 0},
    {1.0 / 5, 0, 0, 0, 0, 0},
    {3.0 / 40, 9.0 / 40, 0, 0, 0, 0},
    {44.0 / 45, -56.0 / 15, 32.0 / 9, 0, 0, 0},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729, 0, 0},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656, 0},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
constexpr double errors[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                              -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
constexpr double dense[7] = {-12715105075.0 / 11282082432.0,  0,
                             87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                             701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                             69997945.0 / 29380423.0};

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

DormandPrince::DormandPrince(std::shared_ptr<const System> system, double tolerance, double limit)
    : system_(std::move(system)),
      equations_(system_),
      sampling_(system_),
      tolerance_(tolerance),
      limit_(limit),
      before_(*system_),
      after_(*system_),
      between_(*system_),
      spare_(*system_) {
    const Index n = system_->size;
    for (Vector* vector : {&u_, &u_next_, &change_, &step_, &inner_step_, &inner_u_, &spare_u_, &first_}) {
        vector->setZero(n);
    }
    multipliers_.setZero(system_->row_count());
    kq_.setZero(n, stage_count);
    ku_.setZero(n, stage_count);
    kw_.setZero(3, stage_count);
    power_.setZero(3);
}

void DormandPrince::start(const State& state, double time) {
    before_ = after_ = between_ = spare_ = state;
    before_.get_velocities(*system_, u_.data());
    u_next_ = spare_u_ = inner_u_ = u_;
    time_ = time;
}

void DormandPrince::combine(const Matrix& k, const double* factors, int count, double factor, Vector& out) const {
    out.setZero();
    for (int j = 0; j < count; ++j) out.noalias() += (factor * factors[j]) * k.col(j);
}

void DormandPrince::interpolate(const double* start, const Matrix& k, const double* change, double step,
                                double part, double* out) const {
    for (Index i = 0; i < k.rows(); ++i) {
        double late = 0.0;
        for (int j = 0; j < stage_count; ++j) late += dense[j] * k(i, j);
        const double bend = step * k(i, 0) - change[i];
        const double tail = change[i] - step * k(i, 6) - bend;
        const double begin = start == nullptr ? 0.0 : start[i];
        out[i] = begin + part * (change[i] + (1.0 - part) * (bend + part * (tail + (1.0 - part) * step * late)));
    }
}

void DormandPrince::place(const Vector& step, State& after) const {
    for (std::size_t b = 0; b < system_->bodies.size(); ++b) {
        const Body& body = system_->bodies[b];
        const double* q = before_.quaternions.data() + 4 * b;
        const Vector3 theta = three(body, step, 3), moved = rotate(q, three(body, step, 0));
        for (int i = 0; i < 3; ++i) after.positions[3 * b + i] = before_.positions[3 * b + i] + moved[i];
        turn_quaternion(q, theta, after.quaternions.data() + 4 * b);
        after.angles[b] = before_.angles[b] + theta[2];
        for (Index r = 0; r < body.coordinates(); ++r) {
            const Index own = body.first_coordinate + r;
            after.deformation[own] = before_.deformation[own] + step[body.numbers[6 + r]];
        }
    }
}

void DormandPrince::chart_rates(const Vector& step, double* out) const {
    for (std::size_t b = 0; b < system_->bodies.size(); ++b) {
        const Body& body = system_->bodies[b];
        const double* u = after_.velocities.data() + body.first_velocity;
        const Vector3 v(u[0], u[1], u[2]), w(u[3], u[4], u[5]), theta = three(body, step, 3);
        // into space with the attitude of the stage, back into the axes of the start
        const Vector3 d =
            rotate_back(before_.quaternions.data() + 4 * b, rotate(after_.quaternions.data() + 4 * b, v));
        const Vector3 once = theta.cross(w);
        const Vector3 turn = w + 0.5 * once + cotangent_ratio(theta.squaredNorm()) * theta.cross(once);
        for (int i = 0; i < 3; ++i) {
            if (body.numbers[i] >= 0) out[body.numbers[i]] = d[i];
            if (body.numbers[3 + i] >= 0) out[body.numbers[3 + i]] = turn[i];
        }
        for (Index r = 0; r < body.coordinates(); ++r) out[body.numbers[6 + r]] = u[6 + r];
    }
}

bool DormandPrince::stages(double time, double step) {
    for (int stage = 0; stage < stage_count; ++stage) {
        if (stage == 0 && !fresh_) {
            // the chart of the new step: only u̇ is known from the last one
            ku_.col(0) = first_;
            kq_.col(0) = u_;
            kw_.col(0) = power_;
            continue;
        }
        combine(kq_, weights[stage], stage, step, step_);
        combine(ku_, weights[stage], stage, step, u_next_);
        u_next_ += u_;
        place(step_, after_);
        after_.set_velocities(*system_, u_next_.data());
        if (!equations_.accelerations(after_, time + nodes[stage] * step, ku_.col(stage).data(),
                                      multipliers_.data())) {
            return false;
        }
        ++counts.evaluations;
        chart_rates(step_, kq_.col(stage).data());
        kw_.col(stage) << equations_.powers.drives, equations_.powers.loads, equations_.powers.dissipation;
    }
    return true;
}

double DormandPrince::error(double step) {
    // of positions and velocities, in lengths of the system and radians, over the tolerance
    top_ = std::max(top_, largest_speed(*system_, u_next_.data()));
    double worst = 0.0;
    for (Index i = 0; i < system_->size; ++i) {
        double off = 0.0, slip = 0.0;
        for (int j = 0; j < stage_count; ++j) {
            off += errors[j] * kq_(i, j);
            slip += errors[j] * ku_(i, j);
        }
        if (!std::isfinite(off + slip)) return std::numeric_limits<double>::infinity();
        const double size = step / system_->scales[i];
        worst = std::max({worst, std::abs(off) * size, std::abs(slip) * size / std::max(1.0, top_)});
    }
    return worst / tolerance_;
}

void DormandPrince::place_inside(double step, double part, State& state, Vector& u, Works& works) {
    interpolate(nullptr, kq_, step_.data(), step, part, inner_step_.data());
    change_ = u_next_ - u_;
    interpolate(u_.data(), ku_, change_.data(), step, part, u.data());
    interpolate(works_.values, kw_, gained_.values, step, part, works.values);
    place(inner_step_, state);
    state.set_velocities(*system_, u.data());
}

void DormandPrince::keep_steps(double time, double step, const Samples& steps, View<double, 1> when) {
    Works reached = works_;
    for (int i = 0; i < 3; ++i) reached.values[i] += gained_.values[i];
    keep_step(equations_, after_, u_next_.data(), ku_.col(6).data(), multipliers_.data(), reached, steps, kept);
    when(kept) = time + step;
    place_inside(step, 0.5, between_, inner_u_, reached);
    when(kept + 1) = time + 0.5 * step;
    sampling_.accelerations(between_, when(kept + 1), spare_u_.data(), multipliers_.data());
    keep_step(sampling_, between_, inner_u_.data(), spare_u_.data(), multipliers_.data(), reached, steps,
              kept + 1);
    kept += 2;
}

Outcome DormandPrince::sample_inside(View<const double, 1> times, Index& taken, double time, double step,
                                     const Samples& samples) {
    while (taken < times.count() && times(taken) <= time + step) {
        const double now = times(taken);
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

void DormandPrince::keep_first(Index stage) {
    first_ = ku_.col(stage);
    power_ = kw_.col(stage);
    fresh_ = false;
}

Outcome DormandPrince::run(View<const double, 1> times, Index taken, const Samples& samples, const Samples& steps,
                           View<double, 1> when, double seconds) {
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
        if (budget.spent() || (when.count() > 0 && kept + 2 > when.count())) {
            return {Status::running, taken, time, -1};
        }
        if (!stages(time, step)) return {Status::no_inertia, taken, time, -1};
        const double size = error(step);
        double factor = size < 1e-4 ? 5.0 : (std::isfinite(size) ? 0.9 * std::pow(size, -0.2) : 0.1);
        factor = std::min(5.0, std::max(0.1, factor));
        if (!(size <= 1.0)) {
            ++counts.rejected;
            next_step_ = step * std::min(factor, 0.9);
            keep_first(0);
            continue;
        }
        ++counts.steps;
        for (int i = 0; i < 3; ++i) {
            gained_.values[i] = 0.0;
            for (int j = 0; j < 6; ++j) gained_.values[i] += step * weights[6][j] * kw_(i, j);
        }
        if (when.count() > 0) keep_steps(time, step, steps, when);
        const Outcome sampled = sample_inside(times, taken, time, step, samples);
        if (sampled.status != Status::running) return sampled;
        if (taken == times.count()) {  // the step that holds the last sample is repeated by whoever goes on
            keep_first(0);
            return {Status::done, taken, times(taken - 1), -1};
        }
        const auto [bent, body] = equations_.deflection(after_);
        if (!(bent <= limit_)) {
            return {std::isfinite(bent) ? Status::too_bent : Status::not_finite, taken, time + step, body};
        }
        time_ = time + step;
        next_step_ = step * factor;
        keep_first(6);
        for (int i = 0; i < 3; ++i) works_.values[i] += gained_.values[i];
        u_ = u_next_;
        before_.copy_positions(after_);
        if (!equations_.project(before_, time + step, u_.data(), closed)) {
            return {Status::no_inertia, taken, time + step, -1};
        }
    }
}

std::map<std::string, std::vector<double>> DormandPrince::memory() const {
    return {
        {"positions", before_.positions},
        {"quaternions", before_.quaternions},
        {"deformation", before_.deformation},
        {"angles", before_.angles},
        {"u", list(u_)},
        {"first", list(first_)},
        {"power", list(power_)},
        {"works", {works_.values, works_.values + 3}},
        {"inner_works", {inner_works_.values, inner_works_.values + 3}},
        {"numbers", {time_, next_step_, top_, fresh_ ? 1.0 : 0.0}},
    };
}

bool DormandPrince::restore(const State& state, const std::map<std::string, std::vector<double>>& memory) {
    const auto read = [&](const char* name, auto begin, Index count) {
        const auto found = memory.find(name);
        if (found == memory.end() || static_cast<Index>(found->second.size()) != count) return false;
        std::copy(found->second.begin(), found->second.end(), begin);
        return true;
    };
    start(state, 0.0);
    between_.get_velocities(*system_, inner_u_.data());
    double numbers[4];
    if (!(read("positions", before_.positions.begin(), before_.positions.size()) &&
          read("quaternions", before_.quaternions.begin(), before_.quaternions.size()) &&
          read("deformation", before_.deformation.begin(), before_.deformation.size()) &&
          read("angles", before_.angles.begin(), before_.angles.size()) && read("u", u_.data(), u_.size()) &&
          read("first", first_.data(), first_.size()) && read("power", power_.data(), 3) &&
          read("works", works_.values, 3) && read("inner_works", inner_works_.values, 3) &&
          read("numbers", numbers, 4))) {
        return false;
    }
    before_.set_velocities(*system_, u_.data());
    time_ = numbers[0];
    next_step_ = numbers[1];
    top_ = numbers[2];
    fresh_ = numbers[3] != 0.0;
    return true;
}

}  // namespace flexframe
