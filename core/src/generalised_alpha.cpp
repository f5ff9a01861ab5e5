#include "flexframe/generalised_alpha.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "flexframe/switching.hpp"

namespace flexframe {

namespace {

constexpr int usual_iterations = 12, most_iterations = 60;  // more where every one is half as large as the last
constexpr double slow = 0.012;           // contraction of an iteration beyond which factors are renewed
constexpr double stuck = 0.7;            // beyond which they are renewed at once
constexpr double turning = 0.2;          // beyond which those of exact beams are
constexpr int most_renewals = 30;        // of them in one step
constexpr double position_goal = 1e-13;  // remaining error of positions, in lengths of the system and radians
constexpr double speed_goal = 1e-11;     // of velocities, relative to the largest
constexpr double rounding = 5e-16;       // of the gap of a constraint, in lengths of the system and radians
constexpr double roughest = 1e-8;        // error of positions that rounding may leave at a singular position
constexpr double share = 1e-5;           // of the first correction, which is of the size of the error of the step

constexpr Index most_divisions = 2000;   // that are kept before somebody takes them
constexpr int most_halvings = 9;         // of a step whose iteration fails
constexpr double k_change = 0.1;         // of a jump that slides, to see what it does
constexpr double k_goal = 1e-10;         // last change of it
constexpr double k_rounding = 1e-6;      // change of it of which rounding leaves too little
constexpr int most_slides = 20;          // rounds to find it

using Neighbours = std::vector<std::vector<Index>>;

/// The bodies whose equations change with the coordinates of each body, itself first.
Neighbours reach_of_bodies(const System& system) {
    const Index bodies = static_cast<Index>(system.bodies.size());
    std::vector<std::set<Index>> next(bodies);
    const auto join = [&](const std::vector<Index>& together) {
        for (Index a : together) {
            for (Index b : together) {
                if (a != b) next[a].insert(b);
            }
        }
    };
    for (const RowGroup& group : system.groups) join(group.bodies);
    for (const auto& [i, j] : system.structure.couplings) {
        if (i < bodies && j < bodies) join({i, j});
    }
    Neighbours out(bodies);
    for (Index b = 0; b < bodies; ++b) {
        out[b].push_back(b);
        out[b].insert(out[b].end(), next[b].begin(), next[b].end());
    }
    return out;
}

/// Groups of bodies of which no two act on the same equations: columns of one group are found together.
Neighbours colour_bodies(const Neighbours& reach) {
    std::vector<Index> colour(reach.size(), -1);
    Neighbours out;
    for (std::size_t b = 0; b < reach.size(); ++b) {
        std::set<Index> taken;
        for (Index c : reach[b]) {
            for (Index d : reach[c]) taken.insert(colour[d]);
        }
        Index own = 0;
        while (taken.count(own)) ++own;
        colour[b] = own;
        if (own == static_cast<Index>(out.size())) out.emplace_back();
        out[own].push_back(b);
    }
    return out;
}

}  // namespace

GeneralisedAlpha::GeneralisedAlpha(std::shared_ptr<const System> system, const double (&constants)[4],
                                   double limit)
    : divisions(*system),
      system_(std::move(system)),
      equations_(system_),
      sampling_(system_),
      matrix_(*system_),
      am_(constants[0]),
      af_(constants[1]),
      beta_(constants[2]),
      gamma_(constants[3]),
      limit_(limit),
      position_factor_(beta_ * (1.0 - af_) / (1.0 - am_)),
      velocity_factor_(gamma_ * (1.0 - af_) / (1.0 - am_)),
      before_(*system_),
      after_(*system_),
      spare_(*system_),
      events_(*system_),
      point_(*system_),
      history_(system_->size + system_->row_count(), system_->scales),
      contacts_(*system_),
      impulsive_(system_->impulsive_touches()),
      reach_(reach_of_bodies(*system_)),
      colours_(colour_bodies(reach_)) {
    const Index n = system_->size, rows = system_->row_count();
    for (Vector* vector : {&u_, &u_next_, &x_, &trial_, &a_, &moves_, &spare_u_}) vector->setZero(n);
    for (Vector* vector : {&multipliers_, &multipliers_before_, &spare_multipliers_}) vector->setZero(rows);
    for (Vector* vector : {&base_, &right_}) vector->setZero(n + rows);
    for (Vector* vector : {&state_rates_, &state_aid_}) vector->setZero(system_->state_count());
    state_base_ = state_factors_ = state_rates_;
    std::vector<char> settles(system_->state_count(), 0);
    for (const ForceElement& element : system_->elements) {
        if (element.bristles >= 0) settles[element.bristles] = 1;
    }
    for (Index k = 0; k < system_->signals.states(); ++k) {
        if (!settles[k]) blocks_.push_back(k);
    }
}

bool GeneralisedAlpha::start(const State& state, double time, double step) {
    before_ = after_ = spare_ = state;
    before_.get_velocities(*system_, u_.data());
    if (!system_->signals.jumps.empty()) {
        before_.held = sides_at_start(sampling_, before_, time);
        if (before_.held.empty()) return false;
        after_.held = spare_.held = before_.held;
    }
    if (static_cast<Index>(blocks_.size()) < state_rates_.size()) {
        // Bristles that slip at the start are bent as after one step: forces that come up within micrometres would
        // be taken for accelerations that change fast all along.
        state_base_ = Eigen::Map<const Vector>(before_.states.data(), state_rates_.size());
        state_factors_ = (state_base_.array() == 0.0).select(Vector::Constant(state_base_.size(), step), 0.0);
        for (Index k : blocks_) state_factors_[k] = 0.0;
        equations_.step_states(state_base_, state_factors_);
        equations_.stepping = true;
        evaluate(before_, time);
        equations_.stepping = false;
        const Vector& bent = equations_.states();
        if (equations_.found_states) before_.states.assign(bent.begin(), bent.end());
    }
    if (!find_accelerations(time, step)) return false;
    join_unknowns();
    history_.start(right_);
    contacts_.begin(sampling_, before_, time);
    works_.values[3] += bristle_energy(sampling_);
    return impulsive_.empty() || rest_at_the_start(time, step);
}

bool GeneralisedAlpha::find_accelerations(double time, double step) {
    if (!equations_.accelerations(before_, time, x_.data(), multipliers_.data())) return false;
    last_step_ = step;
    age_ = -1;
    powers_ = equations_.powers;
    before_.counted = after_.counted = equations_.counted();
    state_rates_ = state_aid_ = equations_.state_rates();
    keep_slips();
    events_.begin(equations_);
    // a at the time (α_m − α_f) h beside the start to first order, which keeps the order of λ
    const double small = 1e-3 * step;
    moves_ = small * u_ + 0.5 * small * small * x_;
    u_next_ = u_ + small * x_;
    move();
    Vector ignored = multipliers_;
    for (Index k = 0; k < state_rates_.size(); ++k) after_.states[k] = before_.states[k] + small * state_rates_[k];
    if (!equations_.accelerations(after_, time + small, trial_.data(), ignored.data())) return false;
    a_ = x_ + (trial_ - x_) * ((am_ - af_) * step / small);
    const Vector& rates = equations_.state_rates();
    for (Index k : blocks_) state_aid_[k] += (rates[k] - state_rates_[k]) * ((am_ - af_) * step / small);
    return true;
}

bool GeneralisedAlpha::begin_again(double time, double step) {
    after_.copy_positions(before_);
    age_ = -1;
    if (contacts_.present()) {  // velocities may have changed
        sampling_.evaluate(before_, time, x_.data(), multipliers_.data(), Detail::residual);
        contacts_.look(sampling_.touches);
    }
    if (!find_accelerations(time, step)) return false;
    join_unknowns();
    history_.start(right_);
    return true;
}

const std::vector<double>& GeneralisedAlpha::signals(double time) {
    // not those of the last iteration, which are older by its correction
    if (system_->signals.reactions.empty()) {
        sampling_.evaluate(before_, time, x_.data(), multipliers_.data(), Detail::residual);
    } else {
        sampling_.accelerations(before_, time, spare_u_.data(), spare_multipliers_.data());
    }
    return sampling_.signals.values();
}

bool GeneralisedAlpha::hold(Index number, double value, double time, double step) {
    std::vector<double> held = before_.held;
    held[number] = value;
    return jump(held, time, step);
}

bool GeneralisedAlpha::jump(const std::vector<double>& held, double time, double step) {
    // Forces jump, and with them accelerations, by the same in x and a: what the method has damped of motions that
    // are fast beside the step stays damped, which a new beginning at every instant would stir up again.
    if (held == before_.held) return true;
    change_step(step);
    const Index n = system_->size;
    Vector x = Vector::Zero(n), multipliers = Vector::Zero(system_->row_count());
    if (!sampling_.accelerations(before_, time, x.data(), multipliers.data())) return false;
    const Vector rates = sampling_.state_rates();
    before_.held = after_.held = held;
    if (!impulsive_.empty() && !settle(resting(), time)) return false;
    if (!equations_.accelerations(before_, time, trial_.data(), right_.data() + n)) return false;
    equations_.keep_conditions(before_);
    after_.held = before_.held;
    x_ += trial_ - x;
    a_ += trial_ - x;
    multipliers_ += right_.tail(system_->row_count()) - multipliers;
    const Vector change = equations_.state_rates() - rates;
    state_rates_ += change;
    for (Index k : blocks_) state_aid_[k] += change[k];
    powers_ = equations_.powers;
    age_ = -1;
    events_.begin(equations_);
    events_.begin_rest(equations_, opened_);
    opened_.clear();
    join_unknowns();
    history_.start(right_);
    return true;
}

bool GeneralisedAlpha::sample(Index groups, double time, double step) {
    signals(time);
    return jump(sampled_values(sampling_, before_.held, groups), time, step);
}

bool GeneralisedAlpha::switch_side(Index jump, double time, double step) {
    const std::vector<double> held = sides_beyond(sampling_, before_, time, jump);
    slide_slopes_.resize(0, 0);  // others may slide from now on
    return !held.empty() && this->jump(held, time, step);
}

Impact GeneralisedAlpha::impact(Index touch, double restitution, double friction, double least_speed, double time,
                                double step) {
    sampling_.evaluate(before_, time, x_.data(), multipliers_.data(), Detail::residual);
    const double speed = sampling_.touches[touch].rate;
    const bool slow = restitution == 0.0 || std::abs(speed) < least_speed ||
                      bounce_is_short(touch, restitution, speed, time);
    Impact out = strike(sampling_, before_, time, touch, slow ? 0.0 : restitution, friction, u_);
    if (!out.found) return out;
    before_.set_velocities(*system_, u_.data());
    works_.values[0] += out.drives;
    works_.values[3] += out.lost;
    out.found = begin_after_impulse(slow ? touch : -1, time, step);
    out.rests = rests(touch);
    return out;
}

Impact GeneralisedAlpha::lock(Index held, double time, double step) {
    Impact out = close_or_open(sampling_, before_, time, held, u_);
    if (!out.found) return out;
    for (Index row = 0; row < system_->row_count(); ++row) {
        if (system_->rows[row].lock == held && before_.held[held] == 0.0) multipliers_[row] = 0.0;
    }
    works_.values[0] += out.drives;
    works_.values[2] += out.lost;
    before_.set_velocities(*system_, u_.data());
    after_.held = before_.held;
    out.found = begin_after_impulse(-1, time, step);
    return out;
}

double GeneralisedAlpha::dip(double step) const {
    for (Index k = 0; k < events_.count(); ++k) {
        const double part = deepest_dip(events_.start.values[k], step * events_.start.rates[k],
                                        events_.value(equations_, k), step * events_.rate(equations_, k));
        if (part < 1.0) return part;
    }
    return 1.0;
}

void GeneralisedAlpha::save(AlphaPoint& point) const {
    point.state = before_;
    point.u = u_;
    point.x = x_;
    point.a = a_;
    point.multipliers = multipliers_;
    point.state_rates = state_rates_;
    point.state_aid = state_aid_;
    point.history = history_;
    point.works = works_;
    point.powers = powers_;
    point.events = events_.start;
    point.contacts = contacts_;
    point.last_step = last_step_;
    point.steps = counts.steps;
    point.halved = counts.halved;
    point.divisions = divisions.count();
}

void GeneralisedAlpha::go_back(const AlphaPoint& point) {
    before_ = point.state;
    u_ = point.u;
    x_ = point.x;
    a_ = point.a;
    multipliers_ = point.multipliers;
    state_rates_ = point.state_rates;
    state_aid_ = point.state_aid;
    history_ = point.history;
    works_ = point.works;
    powers_ = point.powers;
    events_.start = point.events;
    contacts_ = point.contacts;
    last_step_ = point.last_step;
    counts.steps = point.steps;
    counts.halved = point.halved;
    divisions.shorten(point.divisions);
    after_.copy_positions(before_);
    age_ = -1;
}

Outcome GeneralisedAlpha::end_at_event(const AlphaPoint& start, Index event, double begin, double step,
                                       Index taken) {
    // the length of the step at whose end the signal is zero, by the method of Illinois; the end that is past it
    const double at_start = start.events.values[event];
    double low = 0.0, high = step, at_low = at_start, at_high = events_.value(equations_, event);
    const double close = 4e-16 * std::abs(begin) + 1e-14 * step;
    bool past = true;  // the state at hand is that of `high`
    if (start.events.rates[event] > 0.0) {  // it grows before it falls: begin where it is largest
        const double slope = step * start.events.rates[event];
        const double part = widest(at_low, slope, at_high, step * events_.rate(equations_, event)) * step;
        if (part > 0.0) {
            go_back(start);
            const Status status = one_step(begin + part, part);
            if (status != Status::done) return {status, taken, begin + part, -1};
            const double value = events_.value(equations_, event);
            past = value <= 0.0;
            (past ? high : low) = part;
            (past ? at_high : at_low) = value;
        }
    }
    // rounding of positions over the length of a step is an error of its velocities: shorter ones are not taken
    const double shortest = 1e-6 * step;
    if (events_.releases(equations_, event)) {
        // forces of constraints and supports are accurate in steps of one length: it is where the straight line
        // between both ends of the step is zero
        high = std::max(high * at_low / (at_low - at_high), shortest);
        at_high = 0.0;
        past = high == step;
    }
    while (high - low > close && high > shortest && at_high != 0.0) {
        double length = high - at_high * (high - low) / (at_high - at_low);
        if (!(length > low + 0.5 * close && length < high - 0.5 * close)) length = 0.5 * (low + high);
        length = std::max(length, shortest);
        go_back(start);
        const Status status = one_step(begin + length, length);
        if (status != Status::done) return {status, taken, begin + length, -1};
        const double value = events_.value(equations_, event);
        past = value == 0.0 || (value > 0.0) != (at_start > 0.0);
        if (past) {
            if ((value > 0.0) == (at_high > 0.0)) at_low *= 0.5;
            high = length;
            at_high = value;
        } else {
            at_high *= 0.5;
            low = length;
            at_low = value;
        }
    }
    happened_at_start_ = high <= shortest;
    if (happened_at_start_) {
        go_back(start);
        events_.tell_at_start(event);
        rewind();
        return {Status::event, taken, begin, event};
    }
    if (!past) {
        go_back(start);
        const Status status = one_step(begin + high, high);
        if (status != Status::done) return {status, taken, begin + high, -1};
    }
    const Index earlier = events_.passed_but(equations_, event);
    if (earlier >= 0 && high < step) return end_at_event(start, earlier, begin, high, taken);
    events_.tell(equations_, event, earlier >= 0);
    age_ = -1;
    rewind();
    return {Status::event, taken, begin + high, event};
}

void GeneralisedAlpha::rewind() { interval_ = within_ = 0; }

void GeneralisedAlpha::move() {
    advance(*system_, before_, moves_.data(), after_);
    after_.set_velocities(*system_, u_next_.data());
}

void GeneralisedAlpha::predict(double step) {
    for (Index i = 0; i < system_->size; ++i) {
        const double a = ((1.0 - af_) * trial_[i] + af_ * x_[i] - am_ * a_[i]) / (1.0 - am_);
        moves_[i] = step * u_[i] + step * step * ((0.5 - beta_) * a_[i] + beta_ * a);
        u_next_[i] = u_[i] + step * ((1.0 - gamma_) * a_[i] + gamma_ * a);
    }
}

void GeneralisedAlpha::evaluate(const State& state, double time) {
    equations_.evaluate(state, time, trial_.data(), multipliers_.data(), Detail::residual);
}

void GeneralisedAlpha::join_unknowns() {
    right_.head(system_->size) = x_;
    right_.tail(system_->row_count()) = multipliers_;
}

bool GeneralisedAlpha::factorise_by_differences(double time, double step) {
    // column by column from differences of the residual, the constraints as they are scaled in the iteration
    const Index n = system_->size, count = system_->row_count();
    const double hh = step * step * position_factor_, h = step * velocity_factor_;
    Matrix full;
    matrix_.write(full);
    full.leftCols(n).setZero();
    evaluate(after_, time);
    base_ = equations_.residual;
    const Vector trial = trial_, moves = moves_, u_next = u_next_;
    for (const std::vector<Index>& bodies : colours_) {
        Index most = 0;
        for (Index b : bodies) most = std::max<Index>(most, system_->bodies[b].active.size());
        for (Index j = 0; j < most; ++j) {
            for (Index b : bodies) {
                if (j >= static_cast<Index>(system_->bodies[b].active.size())) continue;
                const Index i = column_of(b, j);
                const double small = difference(i, hh);
                trial_[i] += small;
                moves_[i] += hh * small;
                u_next_[i] += h * small;
            }
            move();
            evaluate(after_, time);
            trial_ = trial;
            moves_ = moves;
            u_next_ = u_next;
            right_ = equations_.residual - base_;
            for (Index row = 0; row < count; ++row) right_[n + row] /= system_->rows[row].holonomic ? hh : h;
            for (Index b : bodies) {
                if (j < static_cast<Index>(system_->bodies[b].active.size())) {
                    put_column(b, column_of(b, j), 1.0 / difference(column_of(b, j), hh), full);
                }
            }
        }
    }
    move();
    return matrix_.factorise(full);
}

Index GeneralisedAlpha::column_of(Index b, Index j) const {
    const Body& body = system_->bodies[b];
    return body.numbers[body.active[j]];
}

double GeneralisedAlpha::difference(Index column, double hh) const { return 1e-7 * system_->scales[column] / hh; }

void GeneralisedAlpha::put_column(Index b, Index column, double factor, Matrix& full) const {
    const auto put = [&](Index first, Index length) {
        full.col(column).segment(first, length) = factor * right_.segment(first, length);
    };
    for (Index other : reach_[b]) put(column_of(other, 0), system_->bodies[other].active.size());
    for (const RowGroup& group : system_->groups) {
        if (std::count(group.bodies.begin(), group.bodies.end(), b)) put(system_->size + group.first, group.count);
    }
}

void GeneralisedAlpha::fill(const State& state, double step) {
    // Iterations contract by ε/(ε + σ²) in rows that are nearly dependent, where A H⁻¹ Aᵀ has σ² left near a
    // singular position: there a small ε is good, and what rounding allows differs from place to place.
    equations_.fill(state, matrix_, step * velocity_factor_, step * step * position_factor_, regularisation_);
}

bool GeneralisedAlpha::refactorise(double time, double step) {
    fill(after_, step);
    return by_differences_ ? factorise_by_differences(time, step) : matrix_.factorise();
}

bool GeneralisedAlpha::factorise_before(double time, double step) {
    // for a step that ends in a singular position of the linkage: there the constraints hardly change with the
    // positions, so that the matrix next to it serves and its own does not
    evaluate(before_, time);
    fill(before_, step);
    const bool found = matrix_.factorise();
    evaluate(after_, time);
    return found;
}

bool GeneralisedAlpha::drives_move() const {
    // one correction, however small, leaves the force of a moving drive off by as much in every step
    for (const RowState& row : equations_.rows) {
        if (row.target.rate != 0.0) return true;
    }
    return false;
}

double GeneralisedAlpha::rounding_floor(double step, double weight) {
    // corrections that gaps of the size of rounding call for with the factors at hand: large near a singular
    // position of the linkage, although the constraints are met as well as can be
    const Index n = system_->size;
    right_.setZero();
    for (Index row = 0; row < system_->row_count(); ++row) {
        const DrivenRow& driven = system_->rows[row];
        const double unit = rounding / driven.scale /
                            (driven.holonomic ? step * step * position_factor_ : step * velocity_factor_);
        right_[n + row] = equations_.residual[n + row] < 0.0 ? unit : -unit;
    }
    matrix_.solve(right_.data());
    double floor = 0.0;
    for (Index i = 0; i < n; ++i) floor = std::max(floor, std::abs(right_[i]) * weight / system_->scales[i]);
    return std::min(floor, roughest / position_goal);
}

Status GeneralisedAlpha::iterate(double time, double step) {
    const Index n = system_->size, count = system_->row_count();
    const double hh = step * step * position_factor_, h = step * velocity_factor_;
    const double fastest = speed_goal * std::max(1.0, largest_speed(*system_, u_.data()));
    // a correction of x counts by what it means for positions and velocities; no finer than rounding of positions
    const double weight = std::max(hh / position_goal, h / std::max(fastest, 2e-15 / step));
    const int attempts = system_->slack > 0.0 ? 6 : 4;
    regularisation_ = usual_regularisation;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        if (attempt > 0) {
            if (attempt == 2) by_differences_ = true;
            if (attempt == 3) by_differences_ = false;
            if (attempt == 4) regularisation_ = 1.0;
            if (attempt == 5) regularisation_ = 1e-4;
            trial_ = x_;
            multipliers_ = multipliers_before_;
            predict(step);
        }
        move();
        double last = 0.0, aim = 1.0;
        int renewals = 0;
        bool renew = false;
        for (int iteration = 0; iteration < most_iterations; ++iteration) {
            evaluate(after_, time);
            ++counts.evaluations;
            if (!equations_.found_states) break;
            if (iteration == 0 && age_ >= 0) ++age_;
            if (age_ < 0 || (attempt > 0 && iteration == 0) || renew) {
                renew = false;
                const bool made = attempt >= 3 ? factorise_before(time, step) : refactorise(time, step);
                if (!made && attempt == attempts - 1) return Status::singular;
                if (!made) break;
                age_ = 0;
                contraction_ = 0.1;
                ++counts.factorisations;
                if (by_differences_) evaluate(after_, time);
            }
            right_ = -equations_.residual;
            for (Index row = 0; row < count; ++row) right_[n + row] /= system_->rows[row].holonomic ? hh : h;
            matrix_.solve(right_.data());
            ++counts.iterations;
            double size = 0.0;
            for (Index i = 0; i < n; ++i) {
                const double part = right_[i];
                trial_[i] += part;
                moves_[i] += hh * part;
                u_next_[i] += h * part;
                size = std::max(size, std::abs(part) * weight / system_->scales[i]);
                if (!std::isfinite(part)) size = std::numeric_limits<double>::infinity();
            }
            multipliers_ += right_.tail(count);
            if (!std::isfinite(size)) break;
            move();
            const double rate = last > 0.0 ? size / last : contraction_;
            if (iteration > 0) contraction_ = std::min(0.9, std::max({rate, 0.5 * contraction_, 1e-3}));
            if (iteration == 0) aim = std::max(1.0, share * size);
            const bool done = size <= 1.0 || (rate < 0.9 && 2.0 * size * rate <= aim * (1.0 - rate));
            if (done && !(iteration == 0 && drives_move())) {
                // factors that were not tried are taken to become worse with their age
                if (iteration == 0 && age_ > 0) contraction_ = std::min(0.9, contraction_ * (1.0 + 1.0 / age_));
                if ((iteration > 0 && rate > slow && age_ > 1) || attempt >= 3) age_ = -1;
                return Status::done;
            }
            // exact beams turn so far within a step that their matrix is found anew on the way
            if (!system_->beams.empty() && iteration > 0 && rate > turning && renewals < most_renewals) {
                renew = true;
                ++renewals;
                last = size;
                continue;
            }
            if (iteration > 1 && (rate > stuck || (iteration + 1 >= usual_iterations && rate > 0.5))) {
                if (size <= std::max(30.0, rounding_floor(step, weight))) {
                    if (attempt > 3) age_ = -1;
                    return Status::done;
                }
                break;
            }
            last = size;
        }
    }
    return Status::no_convergence;
}

void GeneralisedAlpha::change_step(double step) {
    if (step == last_step_) return;
    if (last_step_ > 0.0) {  // a and w belong to times in proportion to the step
        a_ = x_ + (a_ - x_) * (step / last_step_);
        for (Index k : blocks_) {
            state_aid_[k] = state_rates_[k] + (state_aid_[k] - state_rates_[k]) * (step / last_step_);
        }
    }
    age_ = -1;
    last_step_ = step;
    contraction_ = 0.1;
    join_unknowns();
    history_.start(right_);
}

void GeneralisedAlpha::step_states(double step) {
    const Eigen::Map<const Vector> z(before_.states.data(), state_rates_.size());
    const double part = step * gamma_ / (1.0 - am_);
    for (Index k : blocks_) {
        state_base_[k] = z[k] + step * (1.0 - gamma_) * state_aid_[k] +
                         part * (af_ * state_rates_[k] - am_ * state_aid_[k]);
        state_factors_[k] = step * velocity_factor_;
    }
    const auto settle = [&](Index first, Index count, double rate) {
        const double theta = settling_weight(rate * step);
        state_base_.segment(first, count) =
            z.segment(first, count) + step * (1.0 - theta) * state_rates_.segment(first, count);
        state_factors_.segment(first, count).setConstant(theta * step);
    };
    for (const ForceElement& element : system_->elements) {
        const Index first = element.bristles;
        if (first >= 0) settle(first, 1, std::abs(state_aid_[first]) / element.parameters.constants[3]);
    }
    for (std::size_t k = 0; k < system_->contacts.size(); ++k) {
        for (Index t = system_->first_touches[k]; t < system_->first_touches[k + 1]; ++t) {
            const Index first = system_->bristles[t];
            if (first < 0) continue;
            const double slip = state_aid_.segment<3>(first).norm();
            settle(first, 3, settling_rate(system_->contacts[k].parameters.friction, slip));
        }
    }
    equations_.step_states(state_base_, state_factors_);
}

void GeneralisedAlpha::keep_slips() {
    for (std::size_t k = 0; k < system_->elements.size(); ++k) {
        const Index first = system_->elements[k].bristles;
        if (first >= 0) state_aid_[first] = equations_.coordinates[k].rate.rate;
    }
    for (std::size_t t = 0; t < equations_.touches.size(); ++t) {
        const Index first = system_->bristles[t];
        if (first >= 0) state_aid_.segment<3>(first) = equations_.touches[t].bristles.slip;
    }
}

Status GeneralisedAlpha::solve_step(double time, double step) {
    multipliers_before_ = multipliers_;
    after_.held = before_.held;
    history_.predict(right_);
    trial_ = right_.head(system_->size);
    multipliers_ = right_.tail(system_->row_count());
    predict(step);
    if (state_rates_.size() > 0) step_states(step);
    equations_.stepping = true;
    Status status = iterate(time, step);
    if (status == Status::done && !system_->signals.jumps.empty()) status = slide(time, step);
    equations_.stepping = false;
    return status;
}

Status GeneralisedAlpha::slide(double time, double step) {
    // k of jumps that slide such that their arguments are zero at the end of the step, by the method of Broyden:
    // the slopes of one step serve in the next one of the same length.
    std::vector<Index> own;
    for (const Jump& jump : system_->signals.jumps) {
        if (jump.mode(before_.held) == JumpMode::sliding) own.push_back(&jump - system_->signals.jumps.data());
    }
    if (own.empty()) return Status::done;
    const Index count = static_cast<Index>(own.size());
    const auto k = [&](Index i) -> double& { return after_.held[system_->signals.jumps[own[i]].held + 1]; };
    Vector arguments(count), next(count);
    const auto read = [&](Vector& out) {
        evaluate(after_, time);
        for (Index i = 0; i < count; ++i) {
            out[i] = equations_.signals.value(system_->signals.argument(system_->signals.jumps[own[i]]));
        }
    };
    read(arguments);
    if (slide_slopes_.rows() != count || slide_step_ != step) {
        Matrix slopes(count, count);
        for (Index i = 0; i < count; ++i) {
            k(i) += k_change;
            const Status status = iterate(time, step);
            if (status != Status::done) return status;
            read(next);
            slopes.col(i) = (next - arguments) / k_change;
            k(i) -= k_change;
        }
        const Status status = iterate(time, step);  // back to where it began
        if (status != Status::done) return status;
        read(arguments);
        slide_slopes_ = slopes;
        slide_step_ = step;
    }
    for (int round = 0; round < most_slides; ++round) {
        const Vector change = slide_slopes_.completeOrthogonalDecomposition().solve(-arguments);
        if (!change.allFinite()) break;
        if (change.lpNorm<Eigen::Infinity>() <= k_goal) return Status::done;
        for (Index i = 0; i < count; ++i) k(i) += change[i];
        const Status status = iterate(time, step);
        if (status != Status::done) return status;
        read(next);
        if (change.norm() > k_rounding) {
            slide_slopes_ +=
                (next - arguments - slide_slopes_ * change) * change.transpose() / change.squaredNorm();
        }
        arguments = next;
    }
    slide_slopes_.resize(0, 0);
    return Status::no_convergence;
}

void GeneralisedAlpha::accept_step(double step) {
    const Index states = state_rates_.size();
    if (states > 0) {
        const Vector& rates = equations_.state_rates();
        for (Index k : blocks_) {
            state_aid_[k] = ((1.0 - af_) * rates[k] + af_ * state_rates_[k] - am_ * state_aid_[k]) / (1.0 - am_);
        }
        keep_slips();
        state_rates_ = rates;
        Eigen::Map<Vector>(after_.states.data(), states) = equations_.states();
    }
    after_.counted = equations_.counted();
    a_ = ((1.0 - af_) * trial_ + af_ * x_ - am_ * a_) / (1.0 - am_);
    x_ = trial_;
    join_unknowns();
    history_.add(right_);
    u_ = u_next_;
    before_.copy_positions(after_);
    before_.set_velocities(*system_, u_.data());
    // work by the trapezoidal rule
    works_.add(powers_, 0.5 * step);
    works_.add(equations_.powers, 0.5 * step);
    powers_ = equations_.powers;
}

bool GeneralisedAlpha::is_short(double step) const {
    return step < 1e-3 * std::min(asked_step_, contacts_.allowed());
}

Status GeneralisedAlpha::short_step(double time, double step) {
    // Rounding ε of positions is an error ε/h of velocities and ε/h² of forces where constraints are solved for
    // positions: a step that is far shorter than asked for is a Taylor series, put on the constraints.
    moves_ = step * u_ + 0.5 * step * step * x_;
    u_next_ = u_ + step * x_;
    move();
    for (Index k = 0; k < state_rates_.size(); ++k) after_.states[k] = before_.states[k] + step * state_rates_[k];
    if (!equations_.project(after_, time, u_next_.data(), closed)) return Status::singular;
    u_ = u_next_;
    before_.copy_positions(after_);
    before_.set_velocities(*system_, u_.data());
    works_.add(powers_, step);
    const EventValues events = events_.start;  // of the start of the whole step
    if (!begin_again(time, std::min(asked_step_, contacts_.allowed()))) return Status::singular;
    events_.start = events;
    trial_ = x_;
    evaluate(before_, time);  // what is looked at after a step
    ++counts.steps;
    return Status::done;
}

Status GeneralisedAlpha::one_step(double time, double step) {
    // where faces begin to slip or to stick a step may be too long, too
    const bool rubs = static_cast<Index>(blocks_.size()) < system_->signals.states();
    const bool divides = contacts_.present() || rubs;
    const Status status = divides ? step_through_contacts(time, step) : plain_step(time, step, most_halvings);
    if (status != Status::done || system_->signals.reactions.empty()) return status;
    // Multipliers of the method lag behind where steps change their length; those of the accelerations at a state
    // are smooth, so that events find where they pass a value.
    const bool found = equations_.accelerations(before_, time, spare_u_.data(), spare_multipliers_.data());
    return found ? status : Status::no_inertia;
}

Status GeneralisedAlpha::plain_step(double time, double step, int halvings) {
    if (is_short(step)) return short_step(time, step);
    change_step(step);
    const Status status = solve_step(time, step);
    if (status == Status::done) {
        accept_step(step);
        ++counts.steps;
        return status;
    }
    if (status != Status::no_convergence || halvings == 0) return status;
    ++counts.halved;
    multipliers_ = multipliers_before_;
    by_differences_ = false;
    const double middle = time - 0.5 * step;
    const Status first = plain_step(middle, 0.5 * step, halvings - 1);
    if (first != Status::done) return first;
    if (keeps_divisions_) keep_division(middle);
    return plain_step(time, 0.5 * step, halvings - 1);
}

Outcome GeneralisedAlpha::run(const Intervals& intervals, const Samples& samples, Index taken, double seconds) {
    const Budget budget(seconds);
    const bool watching = events_.any();
    for (; interval_ < intervals.starts.count(); ++interval_, within_ = 0) {
        const Index k = interval_;
        const double step = intervals.steps(k);
        asked_step_ = std::max(asked_step_, step);
        const Index groups = intervals.sampled.count() > 0 ? intervals.sampled(k) : 0;
        const auto kept = static_cast<Kept>(intervals.kept(k));
        for (; within_ < intervals.counts(k); ++within_) {
            const double time = intervals.time(k, within_);
            if (budget.spent() || divisions.count() > most_divisions) {
                return {Status::running, taken, time - step, -1};
            }
            if (watching) save(point_);
            const Status status = one_step(time, step);
            if (status != Status::done) return {status, taken, time, -1};
            if (watching) {
                double length = step;
                const double part = dip(step);
                if (part < 1.0) {  // what is missed is found in a step to the deepest point
                    go_back(point_);
                    length = part * step;
                    const Status shorter = one_step(time - step + length, length);
                    if (shorter != Status::done) return {shorter, taken, time, -1};
                }
                events_.look_back(equations_);
                const Index event = events_.passed_but(equations_, -1);
                if (event >= 0) return end_at_event(point_, event, time - step, length, taken);
                if (part < 1.0) {  // it was not there after all
                    go_back(point_);
                    const Status again = one_step(time, step);
                    if (again != Status::done) return {again, taken, time, -1};
                }
                events_.tell_none();
                events_.begin(equations_);
            }
            const auto [bent, body] = equations_.judge_deflection(before_, limit_);
            if (bent != Status::done) return {bent, taken, time, body};
        }
        if (groups != 0 && !sample(groups, intervals.ends(k), step)) {
            return {Status::no_inertia, taken, intervals.ends(k), -1};
        }
        if (kept == Kept::step) {
            keep_step(equations_, before_, u_.data(), x_.data(), multipliers_.data(), works_, samples, taken++);
        } else if (kept == Kept::sample) {
            // velocities are on A u = ḟ to the order of the method; they are put there exactly for the sample
            // only, as correcting them in every step would cost an order
            const double end = intervals.ends(k);
            if (!take_sample(sampling_, before_, u_.data(), end, works_, samples, taken, spare_, spare_u_)) {
                return {Status::no_inertia, taken, end, -1};
            }
            ++taken;
        }
    }
    const double end = intervals.ends(intervals.ends.count() - 1);
    rewind();
    return {Status::done, taken, end, -1};
}

std::map<std::string, std::vector<double>> GeneralisedAlpha::memory() const {
    const auto list = [](const Vector& vector) { return std::vector<double>(vector.begin(), vector.end()); };
    return {
        {"u", list(u_)},
        {"a", list(a_)},
        {"x", list(x_)},
        {"history", history_.memory()},
        {"multipliers", list(multipliers_)},
        {"factors", matrix_.memory()},
        {"state_rates", list(state_rates_)},
        {"state_aid", list(state_aid_)},
        {"event_values", events_.start.values},
        {"event_rates", events_.start.rates},
        {"works", {works_.values, works_.values + Works::count}},
        {"powers", {powers_.drives, powers_.loads, powers_.dissipation, powers_.contact}},
        {"contacts", contacts_.memory()},
        {"touching", numbers_of(before_.touching)},
        {"numbers",
         {contraction_, last_step_, asked_step_, by_differences_ ? 1.0 : 0.0, static_cast<double>(age_)}},
    };
}

bool GeneralisedAlpha::restore(const State& state, const std::map<std::string, std::vector<double>>& memory) {
    const auto read = [&](const char* name, Vector& out) {
        const auto found = memory.find(name);
        if (found == memory.end() || static_cast<Index>(found->second.size()) != out.size()) return false;
        out = Eigen::Map<const Vector>(found->second.data(), out.size());
        return true;
    };
    Vector works(Works::count), powers(Works::count), numbers(5);
    if (!(read("u", u_) && read("a", a_) && read("x", x_) && read("multipliers", multipliers_) &&
          read("state_rates", state_rates_) && read("state_aid", state_aid_) && read("works", works) &&
          read("powers", powers) && read("numbers", numbers))) {
        return false;
    }
    const auto history = memory.find("history");
    if (history == memory.end() || !history_.restore(history->second)) return false;
    before_ = state;
    const auto contacts = memory.find("contacts"), touching = memory.find("touching");
    if (contacts == memory.end() || touching == memory.end() || !contacts_.restore(contacts->second) ||
        !read_numbers(touching->second, before_.touching)) {
        return false;
    }
    after_ = spare_ = before_;
    before_.set_velocities(*system_, u_.data());
    std::copy_n(works.data(), Works::count, works_.values);
    powers_ = {powers[0], powers[1], powers[2], powers[3]};
    contraction_ = numbers[0];
    last_step_ = numbers[1];
    asked_step_ = numbers[2];
    by_differences_ = numbers[3] != 0.0;
    age_ = static_cast<Index>(numbers[4]);
    const auto events = memory.find("event_values");
    if (events == memory.end() || events->second.size() != events_.start.values.size()) return false;
    events_.start.values = events->second;
    const auto rates = memory.find("event_rates");
    if (rates == memory.end() || rates->second.size() != events_.start.rates.size()) return false;
    events_.start.rates = rates->second;
    const auto factors = memory.find("factors");
    if (age_ >= 0 &&
        (factors == memory.end() || !matrix_.restore(factors->second.data(), factors->second.size()))) {
        age_ = -1;
    }
    return true;
}

}  // namespace flexframe
