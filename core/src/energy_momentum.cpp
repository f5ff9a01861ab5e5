#include "flexframe/energy_momentum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace flexframe {

namespace {

constexpr int most_iterations = 40, most_renewals = 10;
constexpr double slow = 0.1;        // contraction of an iteration beyond which the next step renews factors
constexpr double turning = 0.3;     // beyond which they are renewed at once
constexpr double rounding = 1e-15;  // of velocities, relative, and of places, in lengths of the system and radians
constexpr double stuck = 0.5;       // contraction of an iteration that rounding has ended …
constexpr double floor_ratio = 1e3;  // … within so many times its goal
constexpr int most_halvings = 12;   // of one step
constexpr double resting = 1e-26;   // square of a momentum over mass and energy that is taken for rounding

}  // namespace

EnergyMomentum::EnergyMomentum(std::shared_ptr<const System> system)
    : divisions(*system),
      system_(std::move(system)),
      equations_(system_),
      balance_(system_),
      matrix_(*system_),
      before_(*system_),
      after_(*system_),
      middle_(*system_),
      shown_(*system_),
      history_(system_->size + system_->row_count(), system_->scales),
      mixing_(system_->size + system_->row_count(), system_->scales.cwiseInverse()) {
    const Index n = system_->size, rows = system_->row_count();
    for (Vector* vector : {&u_, &u_next_, &x_, &twists_, &moves_, &shown_u_}) vector->setZero(n);
    multipliers_.setZero(rows);
    right_ = unknowns_ = Vector::Zero(n + rows);
    find_flights();
}

void EnergyMomentum::find_flights() {
    // bodies that anything joins are of one kind, those that are bound of that of the ground
    const Index ground = static_cast<Index>(system_->bodies.size());
    std::vector<Index> kind(ground + 1);
    std::iota(kind.begin(), kind.end(), Index{0});
    const auto join = [&](Index a, Index b) {
        const Index from = kind[a], to = kind[b];
        std::replace(kind.begin(), kind.end(), from, to);
    };
    const auto body = [&](Index frame) {
        return system_->frames[frame].body < 0 ? ground : system_->frames[frame].body;
    };
    const auto bind = [&](const ConstraintRow& row) {
        join(body(row.first), body(row.second));
        join(body(row.carrier), body(row.second));
    };
    for (const DrivenRow& row : system_->rows) bind(row.row);
    for (const ForceElement& element : system_->elements) bind(element.coordinate);
    for (const BeamElement& beam : system_->beams) join(beam.ends[0].body, beam.ends[1].body);
    std::map<Index, std::size_t> known;
    for (Index b = 0; b < ground; ++b) {
        if (kind[b] == kind[ground]) continue;
        const auto [place, is_new] = known.emplace(kind[b], flights_.size());
        if (is_new) flights_.emplace_back();
        flights_[place->second].bodies.push_back(b);
        balance_.falls[b] = 1;
    }
}

void EnergyMomentum::follow_flights() {
    bool changed = false;
    for (Flight& flight : flights_) {
        const StepBalance::Motion& motion = flight.motion;
        if (motion.momentum.squaredNorm() <= resting * motion.mass * motion.kinetic) continue;
        changed = true;
        const Vector3 more = motion.momentum / motion.mass;
        flight.velocity += more;
        for (Index b : flight.bodies) {
            const Vector3 v = rotate_back(before_.quaternions.data() + 4 * b, more);
            const Body& body = system_->bodies[b];
            for (Index j : body.active) {
                if (j < 3) u_[body.numbers[j]] -= v[j];
            }
        }
    }
    if (!changed) return;
    before_.set_velocities(*system_, u_.data());
    balance_.begin(before_);
    for (Flight& flight : flights_) flight.motion = balance_.motion(flight.bodies, before_);
}

void EnergyMomentum::move_flights(double step) {
    for (Flight& flight : flights_) {
        const StepBalance::Motion before = flight.motion;
        flight.motion = balance_.motion(flight.bodies, before_);
        const Vector3 mean = (0.5 / before.mass) * (before.momentum + flight.motion.momentum);
        const Vector3 axes = balance_.axes[flight.bodies.front()];
        flight.centre += step * (axes + mean);
        flight.velocity += step * balance_.field;
        works_.values[1] += step * before.mass * balance_.changing.dot(axes + mean);
    }
    follow_flights();
}

const State& EnergyMomentum::state() {
    shown_.copy_positions(before_);
    shown_.velocities = before_.velocities;
    for (const Flight& flight : flights_) {
        const Vector3 place = flight.centre - flight.motion.first_moment / flight.motion.mass;
        for (Index b : flight.bodies) {
            const Vector3 v = rotate_back(before_.quaternions.data() + 4 * b, flight.velocity);
            const Index first = system_->bodies[b].first_velocity;
            for (int i = 0; i < 3; ++i) {
                shown_.positions[3 * b + i] += place[i];
                shown_.velocities[first + i] += v[i];
            }
        }
    }
    return shown_;
}

bool EnergyMomentum::start(const State& state, double time, double step) {
    before_ = after_ = middle_ = shown_ = state;
    before_.get_velocities(*system_, u_.data());
    if (!equations_.accelerations(before_, time, x_.data(), multipliers_.data())) return false;
    balance_.begin(before_);
    for (Flight& flight : flights_) {
        flight.motion = balance_.motion(flight.bodies, before_);
        flight.centre = flight.motion.first_moment / flight.motion.mass;
        flight.velocity.setZero();
    }
    follow_flights();
    last_step_ = step;
    right_ << x_, multipliers_;
    history_.start(right_);
    return true;
}

void EnergyMomentum::move(double step) {
    u_next_ = u_ + step * x_;
    twists_ = (0.5 * step) * (u_ + u_next_);
    Vector6 twist = Vector6::Zero();
    for (const Body& body : system_->bodies) {
        for (Index j : body.active) twist[j] = twists_[body.numbers[j]];
        const Vector6 way = cayley_logarithm(twist);
        for (Index j : body.active) moves_[body.numbers[j]] = way[j];
    }
    advance(*system_, before_, moves_.data(), after_);
    after_.set_velocities(*system_, u_next_.data());
}

bool EnergyMomentum::refactorise(double time, double step) {
    // half way through the step places and forces change alike with ū, so that the matrix is symmetric to h²
    moves_ *= 0.5;
    advance(*system_, before_, moves_.data(), middle_);
    moves_ *= 2.0;
    const Vector mean = twists_ / step;
    middle_.set_velocities(*system_, mean.data());
    equations_.evaluate(middle_, time - 0.5 * step, x_.data(), multipliers_.data(), Detail::residual);
    // what a force does as an element turns is that of the start: a beam that hardly stretches is far off in its
    // force while the iteration moves it
    for (std::size_t k = 0; k < equations_.beams.size(); ++k) {
        equations_.beams[k].force = balance_.start_beams()[k].elastic;
    }
    equations_.fill(middle_, matrix_, 0.5 * step, 0.25 * step * step, 0.01);
    ++counts.factorisations;
    age_ = 0;
    return matrix_.factorise();
}

Status EnergyMomentum::iterate(double time, double step) {
    const Index n = system_->size, rows = system_->row_count();
    const double hh = 0.5 * step * step, h = 0.5 * step;
    balance_.place_fields(time - h);
    for (const Flight& flight : flights_) {
        for (Index b : flight.bodies) balance_.axes[b] = flight.velocity + h * balance_.field;
    }
    mixing_.start();
    int renewals = 0;
    double last = 0.0, rate = 0.0, size = std::numeric_limits<double>::infinity(), goal = 0.0;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        move(step);
        balance_.evaluate(after_, twists_, multipliers_, time, step);
        ++counts.evaluations;
        // a correction that rounding has made, or after which the next one would be below it
        const bool ended = rate > stuck && size <= floor_ratio * goal;
        const bool foreseen = iteration > 1 && rate * size <= 0.3 * goal;
        if (iteration > 0 && (size <= goal || foreseen || ended)) {
            if (rate > slow && age_ > 0) age_ = -1;
            return Status::done;
        }
        if (iteration == 0 && age_ >= 0) ++age_;
        if (age_ < 0 || (rate > turning && renewals < most_renewals)) {
            if (!refactorise(time, step)) return Status::singular;
            mixing_.start();
            ++renewals;
        }
        right_ = -balance_.residual;
        for (Index row = 0; row < rows; ++row) right_[n + row] /= system_->rows[row].holonomic ? hh : h;
        matrix_.solve(right_.data());
        unknowns_ << x_, multipliers_;
        mixing_.mix(unknowns_, right_);
        ++counts.iterations;
        x_ += right_.head(n);
        multipliers_ += right_.tail(rows);
        last = size;
        size = 0.0;
        for (Index i = 0; i < n; ++i) {
            const double part = step * std::abs(right_[i]) / system_->scales[i];
            size = std::isfinite(part) ? std::max(size, part) : std::numeric_limits<double>::infinity();
        }
        if (!std::isfinite(size) || (iteration > 4 && size > last && size > 1.0)) return Status::no_convergence;
        rate = iteration > 0 ? size / last : 0.0;
        const double before = largest_speed(*system_, u_.data());
        const double fastest = std::max(before, largest_speed(*system_, u_next_.data()));
        goal = rounding * std::max(fastest, 1.0 / step);
    }
    return Status::no_convergence;
}

void EnergyMomentum::accept(double step) {
    std::swap(balance_.given, balance_.left);
    balance_.next();
    u_ = u_next_;
    before_.copy_positions(after_);
    before_.velocities = after_.velocities;
    for (int k = 0; k < Works::count; ++k) works_.values[k] += balance_.works.values[k];
    move_flights(step);
    right_ << x_, multipliers_;
    history_.add(right_);
    ++counts.steps;
}

Status EnergyMomentum::one_step(double time, double step, int halvings) {
    if (step != last_step_) {
        age_ = -1;
        last_step_ = step;
        right_ << x_, multipliers_;
        history_.start(right_);
    }
    const Vector x = x_, multipliers = multipliers_;
    history_.predict(right_);
    x_ = right_.head(system_->size);
    multipliers_ = right_.tail(system_->row_count());
    const Status status = iterate(time, step);
    if (status == Status::done) {
        accept(step);
        return status;
    }
    if (halvings == 0) return status;
    ++counts.halved;
    x_ = x;
    multipliers_ = multipliers;
    const Status first = one_step(time - 0.5 * step, 0.5 * step, halvings - 1);
    if (first != Status::done) return first;
    const double middle = time - 0.5 * step;
    if (keeps_divisions_ && !keep(middle, divisions.add(middle), 0)) return Status::no_inertia;
    return one_step(time, 0.5 * step, halvings - 1);
}

bool EnergyMomentum::keep(double time, const Samples& samples, Index k) {
    const State& here = state();
    here.get_velocities(*system_, shown_u_.data());
    return keep_solved(equations_, here, shown_u_.data(), time, works_, samples, k);
}

Outcome EnergyMomentum::run(const Intervals& intervals, const Samples& samples, Index taken, double seconds) {
    const Budget budget(seconds);
    for (; interval_ < intervals.starts.count(); ++interval_, within_ = 0) {
        const Index k = interval_;
        const auto kept = static_cast<Kept>(intervals.kept(k));
        for (; within_ < intervals.counts(k); ++within_) {
            const double time = intervals.time(k, within_);
            if (budget.spent()) return {Status::running, taken, time - intervals.steps(k), -1};
            const Status status = one_step(time, intervals.steps(k), most_halvings);
            const Index folded = balance_.folded();
            if (folded >= 0) return {Status::folded, taken, time, folded};
            if (status != Status::done) return {status, taken, time, -1};
        }
        if (kept == Kept::nothing) continue;
        if (!keep(intervals.ends(k), samples, taken)) return {Status::no_inertia, taken, intervals.ends(k), -1};
        ++taken;
    }
    interval_ = within_ = 0;
    return {Status::done, taken, intervals.ends(intervals.ends.count() - 1), -1};
}

std::map<std::string, std::vector<double>> EnergyMomentum::memory() const {
    const auto list = [](const Vector& vector) { return std::vector<double>(vector.begin(), vector.end()); };
    std::vector<double> flights, given;
    for (const Flight& flight : flights_) {
        flights.insert(flights.end(), flight.centre.begin(), flight.centre.end());
        flights.insert(flights.end(), flight.velocity.begin(), flight.velocity.end());
    }
    for (const Vector6& each : balance_.given) given.insert(given.end(), each.begin(), each.end());
    return {
        {"positions", before_.positions},
        {"u", list(u_)},
        {"x", list(x_)},
        {"multipliers", list(multipliers_)},
        {"history", history_.memory()},
        {"factors", matrix_.memory()},
        {"flights", flights},
        {"given", given},
        {"works", {works_.values, works_.values + Works::count}},
        {"numbers", {last_step_, static_cast<double>(age_)}},
    };
}

bool EnergyMomentum::restore(const State& state, const std::map<std::string, std::vector<double>>& memory) {
    bool complete = true;
    const auto find = [&](const char* name, std::size_t count) -> const double* {
        const auto found = memory.find(name);
        const bool known = found != memory.end() && found->second.size() == count;
        complete = complete && known;
        return known ? found->second.data() : nullptr;
    };
    const Index n = system_->size, rows = system_->row_count();
    const std::size_t bodies = system_->bodies.size();
    const double *positions = find("positions", 3 * bodies), *u = find("u", n), *x = find("x", n);
    const double *multipliers = find("multipliers", rows), *flights = find("flights", 6 * flights_.size());
    const double *given = find("given", 6 * bodies), *works = find("works", Works::count);
    const double* numbers = find("numbers", 2);
    const auto history = memory.find("history"), factors = memory.find("factors");
    if (!complete || history == memory.end() || factors == memory.end() || !history_.restore(history->second)) {
        return false;
    }
    before_ = after_ = middle_ = shown_ = state;
    std::copy_n(positions, 3 * bodies, before_.positions.begin());
    u_ = Eigen::Map<const Vector>(u, n);
    x_ = Eigen::Map<const Vector>(x, n);
    multipliers_ = Eigen::Map<const Vector>(multipliers, rows);
    before_.set_velocities(*system_, u_.data());
    for (std::size_t k = 0; k < flights_.size(); ++k) {
        flights_[k].centre = Eigen::Map<const Vector3>(flights + 6 * k);
        flights_[k].velocity = Eigen::Map<const Vector3>(flights + 6 * k + 3);
    }
    for (std::size_t b = 0; b < bodies; ++b) balance_.given[b] = Eigen::Map<const Vector6>(given + 6 * b);
    std::copy_n(works, Works::count, works_.values);
    last_step_ = numbers[0];
    age_ = static_cast<Index>(numbers[1]);
    if (age_ >= 0 && !matrix_.restore(factors->second.data(), factors->second.size())) age_ = -1;
    balance_.begin(before_);
    for (Flight& flight : flights_) flight.motion = balance_.motion(flight.bodies, before_);
    return true;
}

}  // namespace flexframe
