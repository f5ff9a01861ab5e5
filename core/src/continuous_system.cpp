#include "flexframe/continuous_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include "flexframe/contact_steps.hpp"
#include "flexframe/jumps.hpp"

namespace flexframe {

namespace {

constexpr double least_band = 1e-12, band_part = 1e-10;  // of indicators, absolute and beside their size
constexpr double widest_gap = 1e3;      // m or rad in the place of a gap that is not there
constexpr double reach_growth = 10.0;   // of `reach`, beyond which other coordinates are chosen
constexpr double usual_deflection = 1e-3;  // of shapes, beside what moves a body by a length
constexpr double turned_enough = 1e-6;  // margin of coordinates at which an integrator has found their event
constexpr int most_events = 1000;       // at one instant, which are a chain without an end
constexpr double infinity = std::numeric_limits<double>::infinity();

// Differences: strides in lengths of the system and radians, and what those of orders 8 and 6 may differ by
constexpr double strides[4] = {4e-3, 4e-4, 4e-5, 4e-6};
constexpr double smooth = 1e-10, rough = 1e-6;
constexpr double eighth[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
constexpr double sixth[3] = {3.0 / 4, -3.0 / 20, 1.0 / 60};

std::string at(double time) {
    char text[48];
    std::snprintf(text, sizeof text, " at t = %.6g s", time);
    return text;
}

}  // namespace

std::string why_not_continuous(const System& system, const Stepping& stepping) {
    for (const ContactElement& contact : system.contacts) {
        if (contact_laws()[contact.law].impulsive) {
            return "an impulsive contact comes to rest, which changes the number of states; give the contact a "
                   "law with a stiffness, or take co-simulation";
        }
    }
    for (const EventAction& event : stepping.events) {
        if (event.lock >= 0) {
            return event.name + " changes the number of states; take co-simulation";
        }
    }
    for (const SamplingTimes& sampling : stepping.samplings) {
        if (sampling.by_function) return "a controller is a function of Python, which a model file cannot hold";
    }
    return "";
}

ContinuousSystem::ContinuousSystem(std::shared_ptr<const System> system, Stepping stepping)
    : system_(std::move(system)),
      stepping_(std::move(stepping)),
      equations_(system_),
      chart_(equations_),
      state_(*system_),
      anchor_(state_),
      here_(state_),
      accelerations_(Vector::Zero(system_->size)),
      multipliers_(Vector::Zero(system_->row_count())) {
    const std::string reason = why_not_continuous(*system_, stepping_);
    if (!reason.empty()) throw std::invalid_argument(reason);
    for (std::size_t k = 0; k < stepping_.events.size(); ++k) watched_.push_back({static_cast<Index>(k), -1, 0});
    for (std::size_t k = 0; k < system_->contacts.size(); ++k) {
        // places of a curve change their order: all of them have one indicator
        const Index first = system_->first_touches[k], count = system_->first_touches[k + 1] - first;
        const bool curved = contact_pairs()[system_->contacts[k].pair].curved;
        for (Index t = 0; t < (curved ? 1 : count); ++t) watched_.push_back({-1, first + t, curved ? count : 1});
    }
    monitors_ = system_->row_count() > 0;
    for (const Body& body : system_->bodies) monitors_ = monitors_ || body.numbers[3] >= 0;
    outputs_.assign(stepping_.outputs.size(), 0.0);
    for (auto* list : {&values_, &sides_, &sizes_, &gaps_}) list->assign(watched_.size(), 0.0);
    indicators_.assign(static_cast<std::size_t>(indicator_count()), 0.0);
}

bool ContinuousSystem::fail(const std::string& words) {
    problem_ = words + at(time_);
    return false;
}

Index ContinuousSystem::event_of(Index indicator) const {
    return indicator < static_cast<Index>(watched_.size()) ? watched_[indicator].event : -1;
}

Index ContinuousSystem::contact_of(Index indicator) const {
    const Index touch = indicator < static_cast<Index>(watched_.size()) ? watched_[indicator].touch : -1;
    return touch < 0 ? -1 : &system_->contact_of(touch) - system_->contacts.data();
}

void ContinuousSystem::start(const State& state, double time) {
    time_ = last_sampled_ = time;
    held_ = state.held;
    state_ = anchor_ = here_ = state;
    if (!chart_.choose(state, time)) throw std::invalid_argument("the constraints are singular at the start");
    const Partition& chosen = chart_.partition();
    const std::size_t f = chosen.positions.size(), g = chosen.velocities.size();
    x_.assign(f + g + state.states.size(), 0.0);
    rates_ = Vector::Zero(x_.size());
    chart_.read(state, x_.data(), x_.data() + f);
    put_memories(state.states);
    anchor_x_ = here_x_ = x_;
    anchor_time_ = here_time_ = time;
    touching_ = state.touching;
    known_ = false;
    if (!begin_here()) throw std::invalid_argument(problem_);
}

bool ContinuousSystem::begin_here() {
    if (!evaluate()) return false;
    begin_contacts();
    known_ = false;
    if (!evaluate()) return false;
    take_sides();
    reach_limit_ = reach_growth * std::clamp(chart_.reach(), 1.0, 1e6);
    anchor_ = state_;
    anchor_x_ = x_;
    anchor_time_ = time_;
    return true;
}

void ContinuousSystem::follow(const State& state, double time) {
    const std::size_t f = chart_.partition().positions.size();
    chart_.read(state, x_.data(), x_.data() + f);
    put_memories(state.states);
    time_ = here_time_ = anchor_time_ = time;
    held_ = state.held;
    touching_ = state.touching;
    here_ = anchor_ = state;
    here_x_ = anchor_x_ = x_;
    known_ = false;
}

void ContinuousSystem::put_memories(const std::vector<double>& states) {
    std::copy(states.begin(), states.end(), x_.end() - static_cast<std::ptrdiff_t>(states.size()));
}

void ContinuousSystem::begin_contacts() {
    if (touching_.empty()) return;
    for (std::size_t t = 0; t < touching_.size(); ++t) {
        const Touch& touch = equations_.touches[t];
        take_touch(*system_, static_cast<Index>(t), touch.where.gap < 0.0, touch.rate, true, state_);
    }
    touching_ = state_.touching;
}

std::vector<double> ContinuousSystem::nominals() const {
    Vector places = system_->scales, rates = system_->scales;
    for (const Body& body : system_->bodies) {
        for (Index j : body.active) {
            if (j < 6) continue;
            const Index number = body.numbers[j], k = j - 6;
            const double mass = body.integrals->field_mass(k, k), stiffness = body.integrals->stiffness(k, k);
            const double frequency = mass > 0.0 ? std::sqrt(std::max(0.0, stiffness / mass)) : 0.0;
            places[number] *= usual_deflection;
            rates[number] *= std::min(1.0, usual_deflection * std::max(1.0, frequency));
        }
    }
    std::vector<double> out;
    for (Index number : chart_.partition().positions) out.push_back(places[number]);
    for (Index number : chart_.partition().velocities) out.push_back(rates[number]);
    out.resize(x_.size(), 1.0);
    return out;
}

void ContinuousSystem::set_time(double time) {
    known_ = known_ && time == time_;
    time_ = time;
}

void ContinuousSystem::set_states(const double* x) {
    if (std::equal(x_.begin(), x_.end(), x)) return;
    std::copy_n(x, x_.size(), x_.begin());
    known_ = false;
}

void ContinuousSystem::set_input(Index k, double value) {
    known_ = known_ && held_[k] == value;
    held_[k] = value;
}

double ContinuousSystem::distance(const std::vector<double>& x, double time) const {
    double most = 0.0;
    const std::vector<Index>& numbers = chart_.partition().positions;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        most = std::max(most, std::abs(x[k] - x_[k]) / system_->scales[numbers[k]]);
    }
    return most + std::abs(time - time_);
}

bool ContinuousSystem::evaluate() {
    if (known_) return true;
    const std::size_t f = chart_.partition().positions.size(), g = chart_.partition().velocities.size();
    const std::size_t own = x_.size() - f - g;
    const bool from_anchor = distance(anchor_x_, anchor_time_) <= distance(here_x_, here_time_);
    bool found = false;
    for (int attempt = 0; attempt < 2 && !found; ++attempt) {
        state_ = from_anchor == (attempt == 0) ? anchor_ : here_;
        state_.held = held_;
        state_.touching = touching_;
        std::copy_n(x_.begin() + static_cast<std::ptrdiff_t>(f + g), own, state_.states.begin());
        found = chart_.place(x_.data(), x_.data() + f, time_, state_);
    }
    if (!found) return fail("no position meets the constraints with these values of the independent coordinates");
    if (!equations_.accelerations(state_, time_, accelerations_.data(), multipliers_.data())) {
        return fail("a free motion has no inertia, or the equations are singular");
    }
    state_.counted = equations_.counted();
    gaps_found_ = equations_.gaps();
    chart_.rates(state_, accelerations_.data(), rates_.data(), rates_.data() + f);
    rates_.tail(own) = equations_.state_rates();
    if (!rates_.allFinite()) return fail("the derivatives are not finite");
    here_ = state_;
    here_x_ = x_;
    here_time_ = time_;
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
        outputs_[k] = equations_.signals.value(stepping_.outputs[k].signal);
    }
    look();
    margin_known_ = false;
    return known_ = true;
}

double ContinuousSystem::raw_value(const Watched& watched, double before) const {
    if (watched.event >= 0) return equations_.signals.value(system_->signals.events[watched.event]);
    double least = widest_gap;
    for (Index t = watched.touch; t < watched.touch + watched.count; ++t) {
        const double gap = equations_.touches[t].where.gap;
        if (gap < widest_gap) least = std::min(least, gap_after(*system_, t, gap, before));
    }
    return least;
}

double ContinuousSystem::band(Index k) const { return least_band + band_part * sizes_[k]; }

void ContinuousSystem::look() {
    for (Index k = 0; k < static_cast<Index>(watched_.size()); ++k) {
        values_[k] = raw_value(watched_[k], gaps_[k]);
        indicators_[k] = values_[k] + sides_[k] * band(k);
    }
}

void ContinuousSystem::take_sides() {
    for (Index k = 0; k < static_cast<Index>(watched_.size()); ++k) {
        // a value of zero is on the side on which its event has happened
        const Index event = watched_[k].event;
        const Index direction = event >= 0 ? system_->signals.event_directions[event] : -1;
        sides_[k] = values_[k] != 0.0 ? (values_[k] > 0.0 ? 1.0 : -1.0) : (direction >= 0 ? 1.0 : -1.0);
        sizes_[k] = std::abs(values_[k]);
        gaps_[k] = values_[k];
    }
    look();
}

bool ContinuousSystem::complete_step(bool& event) {
    if (!evaluate()) return false;
    const Status bent = equations_.judge_deflection(state_, stepping_.limit).first;
    if (bent == Status::folded) return fail("an element of an exact beam is folded; give its mesh more elements");
    if (bent != Status::done) return fail("the deflection of a body left the range of small deflections");
    anchor_ = state_;
    anchor_x_ = x_;
    anchor_time_ = time_;
    for (Index k = 0; k < static_cast<Index>(watched_.size()); ++k) {
        sizes_[k] = std::max(sizes_[k], std::abs(values_[k]));
        gaps_[k] = values_[k];
    }
    look();
    chart_.turn_references(state_, true, false);
    event = monitors_ && margin() <= 0.0;
    return true;
}

double ContinuousSystem::margin() {
    if (!margin_known_) {
        margin_ = std::min(1.0 - chart_.reach() / reach_limit_, 1.0 - chart_.farthest_turn(state_));
        margin_known_ = true;
    }
    return margin_;
}

const std::vector<double>& ContinuousSystem::indicators() {
    if (monitors_) indicators_.back() = margin();
    return indicators_;
}

bool ContinuousSystem::choose_coordinates(EventOutcome& outcome) {
    const std::size_t f = chart_.partition().positions.size();
    const bool anew = 1.0 - chart_.reach() / reach_limit_ <= turned_enough;
    if (anew && !chart_.choose(state_, time_)) {
        return fail("the constraints became singular, as in a dead point");
    }
    if (!anew) chart_.turn_references(state_, true, true);
    chart_.read(state_, x_.data(), x_.data() + f);
    anchor_ = here_ = state_;
    anchor_x_ = here_x_ = x_;
    anchor_time_ = here_time_ = time_;
    known_ = false;
    if (!evaluate()) return false;
    if (anew) reach_limit_ = reach_growth * std::clamp(chart_.reach(), 1.0, 1e6);
    outcome.states = true;
    outcome.nominals = outcome.nominals || anew;
    return true;
}

bool ContinuousSystem::happen(Index k, EventOutcome& outcome) {
    const Watched& watched = watched_[k];
    sides_[k] = -sides_[k];
    gaps_[k] = values_[k];
    known_ = false;
    if (watched.event < 0) {
        const std::vector<double> before = state_.states;
        for (Index t = watched.touch; t < watched.touch + watched.count; ++t) {
            const Touch& touch = equations_.touches[t];
            const bool closed = watched.count > 1 ? touch.where.gap < 0.0 : sides_[k] < 0.0;
            take_touch(*system_, t, closed, touch.rate, true, state_);
        }
        touching_ = state_.touching;
        if (state_.states != before) {
            put_memories(state_.states);
            outcome.states = true;
        }
        return evaluate();
    }
    const Index direction = system_->signals.event_directions[watched.event];
    if (direction != 0 && direction * sides_[k] < 0.0) return evaluate();
    const EventAction& action = stepping_.events[watched.event];
    for (std::size_t i = 0; i < action.held.size(); ++i) held_[action.held[i]] = action.values[i];
    outcome.ends = outcome.ends || action.stop;
    return evaluate();
}

bool ContinuousSystem::update(EventOutcome& outcome) {
    outcome = EventOutcome();
    if (!evaluate()) return false;
    const auto settle = [&] {
        for (int chain = 0; chain < most_events; ++chain) {
            const Index count = static_cast<Index>(watched_.size());
            Index next = 0;
            while (next < count && !passed(next)) ++next;
            if (next == count) return true;
            if (!happen(next, outcome)) return false;
        }
        return fail("events set each other off without an end");
    };
    if (!settle()) return false;
    const double due = next_instant(stepping_.samplings, last_sampled_, infinity);
    double shortest = infinity;
    for (const SamplingTimes& each : stepping_.samplings) shortest = std::min(shortest, each.period);
    if (due < infinity && due <= time_ + same_instant * shortest) {
        held_ = sampled_values(equations_, held_, groups_at(stepping_.samplings, due, due));
        last_sampled_ = due;
        known_ = false;
        if (!evaluate() || !settle()) return false;
    }
    if (monitors_ && margin() <= turned_enough && !choose_coordinates(outcome)) return false;
    anchor_ = state_;
    anchor_x_ = x_;
    anchor_time_ = time_;
    outcome.next = next_instant(stepping_.samplings, std::max(last_sampled_, time_), infinity);
    outcome.has_next = outcome.next < infinity;
    return true;
}

bool ContinuousSystem::differences(double stride, const double* along_x, const double* along_w, Vector& fine,
                                   Vector& coarse) {
    const std::vector<double> x = x_, held = held_;
    const Index rates = rates_.size(), size = rates + static_cast<Index>(outputs_.size());
    fine.setZero(size);
    coarse.setZero(size);
    bool found = true;
    for (int k = 4; k >= 1 && found; --k) {
        for (const double sign : {1.0, -1.0}) {
            for (std::size_t i = 0; i < x.size(); ++i) x_[i] = x[i] + sign * k * stride * along_x[i];
            for (std::size_t i = 0; i < stepping_.inputs.size(); ++i) {
                held_[i] = held[i] + sign * k * stride * along_w[i];
            }
            known_ = false;
            found = found && evaluate();
            if (!found) break;
            Vector all(size);
            all << rates_, Eigen::Map<const Vector>(outputs_.data(), static_cast<Index>(outputs_.size()));
            fine += sign * eighth[k - 1] / stride * all;
            if (k < 4) coarse += sign * sixth[k - 1] / stride * all;
        }
    }
    x_ = x;
    held_ = held;
    known_ = false;
    return evaluate() && found;
}

bool ContinuousSystem::slopes(const double* along_x, const double* along_w, Vector& of_rates, Vector& of_outputs) {
    if (!evaluate()) return false;
    const Partition& chosen = chart_.partition();
    const std::size_t f = chosen.positions.size(), g = chosen.velocities.size();
    Vector u(system_->size);
    state_.get_velocities(*system_, u.data());
    const double fast = std::max(1.0, largest_speed(*system_, u.data()));
    double size = 0.0;  // of the direction
    for (std::size_t i = 0; i < x_.size(); ++i) {
        const double one = i < f       ? system_->scales[chosen.positions[i]]
                           : i < f + g ? system_->scales[chosen.velocities[i - f]] * fast
                                       : std::max(1.0, std::abs(x_[i]));
        size = std::max(size, std::abs(along_x[i]) / one);
    }
    for (std::size_t i = 0; i < stepping_.inputs.size(); ++i) {
        size = std::max(size, std::abs(along_w[i]) / std::max(1.0, std::abs(held_[i])));
    }
    of_rates = Vector::Zero(rates_.size());
    of_outputs = Vector::Zero(static_cast<Index>(outputs_.size()));
    if (size == 0.0) return true;
    double best = infinity;
    for (const double stride : strides) {
        Vector fine, coarse;
        if (!differences(stride / size, along_x, along_w, fine, coarse)) continue;
        const double most = fine.lpNorm<Eigen::Infinity>(), off = (fine - coarse).lpNorm<Eigen::Infinity>();
        if (!(off < best * std::max(most, 1e-300)) && best < infinity) continue;
        best = off / std::max(most, 1e-300);
        of_rates = fine.head(rates_.size());
        of_outputs = fine.tail(of_outputs.size());
        if (best <= smooth) break;
    }
    if (best <= rough) return true;
    return fail("the equations have no derivative in this direction (play, contact or friction)");
}

ContinuousPoint ContinuousSystem::save() const {
    State state = anchor_;
    state.held = held_;
    state.touching = touching_;
    return {time_,  x_,     std::move(state), chart_.partition(), chart_.references(), sides_,
            sizes_, gaps_, reach_limit_,     last_sampled_};
}

bool ContinuousSystem::restore(const ContinuousPoint& point) {
    if (point.x.size() != x_.size() || point.sides.size() != sides_.size() ||
        point.state.held.size() != held_.size() || point.state.touching.size() != touching_.size()) {
        return false;
    }
    for (const std::vector<Index>* list : {&point.partition.positions, &point.partition.velocities}) {
        if (std::any_of(list->begin(), list->end(), [&](Index k) { return k >= system_->size; })) return false;
    }
    time_ = anchor_time_ = here_time_ = point.time;
    x_ = anchor_x_ = here_x_ = point.x;
    state_ = anchor_ = here_ = point.state;
    held_ = point.state.held;
    touching_ = point.state.touching;
    chart_.restore(point.partition, point.references);
    sides_ = point.sides;
    sizes_ = point.sizes;
    gaps_ = point.gaps;
    reach_limit_ = point.reach_limit;
    last_sampled_ = point.last_sampled;
    known_ = false;
    return evaluate();
}

namespace {

/// All lists of a point but those of whole numbers and of touches.
template <class Point>
auto lists(Point& p) {
    auto& s = p.state;
    return std::array{&p.x,           &p.references, &p.sides,  &p.sizes,  &p.gaps, &s.positions, &s.quaternions,
                      &s.deformation, &s.velocities, &s.angles, &s.states, &s.held, &s.counted};
}

}  // namespace

std::vector<double> pack(const ContinuousPoint& point) {
    std::vector<double> out{point.time, point.reach_limit, point.last_sampled};
    for (const std::vector<Index>* list : {&point.partition.positions, &point.partition.velocities}) {
        for (Index number : *list) out.push_back(static_cast<double>(number));
    }
    for (const std::vector<double>* list : lists(point)) out.insert(out.end(), list->begin(), list->end());
    const std::vector<double> touching = numbers_of(point.state.touching);
    out.insert(out.end(), touching.begin(), touching.end());
    return out;
}

bool unpack(const double* numbers, Index count, ContinuousPoint& point) {
    // a point of the same system says how long each list is
    if (count != static_cast<Index>(pack(point).size())) return false;
    if (!std::all_of(numbers, numbers + count, [](double each) { return std::isfinite(each); })) return false;
    const double* next = numbers;
    point.time = *next++;
    point.reach_limit = *next++;
    point.last_sampled = *next++;
    const Index n = static_cast<Index>(point.state.velocities.size());
    for (std::vector<Index>* list : {&point.partition.positions, &point.partition.velocities}) {
        for (Index& number : *list) {
            if (!(*next >= 0.0 && *next < static_cast<double>(n))) return false;
            number = static_cast<Index>(*next++);
        }
    }
    for (std::vector<double>* list : lists(point)) {
        std::copy_n(next, list->size(), list->begin());
        next += list->size();
    }
    return read_numbers({next, numbers + count}, point.state.touching);
}

}  // namespace flexframe
