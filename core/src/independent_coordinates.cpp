#include "flexframe/independent_coordinates.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "flexframe/turns.hpp"

namespace flexframe {

namespace {

constexpr double dependent = 1e-10;  // pivots beside the largest that count as zero
constexpr double near_enough = 1e-11;  // gaps at which steps that gain nothing more have reached rounding
constexpr int most_iterations = 30;
constexpr double contraction = 0.1;    // of gaps by a step, beyond which its factors are renewed
constexpr double far_turn = 1.5;       // rad from a reference, far from where T(θ) is singular
constexpr double longest = 0.5;        // step of Newton's method, in lengths of the system and radians

// Which coordinates are rather dependent than others: places follow from rotations, and what bends is seldom what
// a joint binds, and stiff.
constexpr double weight_of_place = 1.0, weight_of_turn = 0.3, weight_of_deformation = 1e-3;

/// T(θ) = 1 − a θ̃ + b θ̃² with ω = T θ̇.
Matrix3 turn_matrix(const Vector3& theta) {
    const TurnRatios t = turn_ratios(theta.squaredNorm());
    const Matrix3 S = skew(theta);
    return Matrix3::Identity() - t.a * S + t.b * S * S;
}

std::vector<char> marks(const std::vector<Index>& chosen, Index n) {
    std::vector<char> out(n, 0);
    for (Index k : chosen) out[k] = 1;
    return out;
}

/// New numbers, those that were there before at their places.
std::vector<Index> keep_places(const std::vector<Index>& before, const std::vector<Index>& now) {
    if (before.size() != now.size()) return now;
    std::vector<Index> out(before.size(), -1), rest;
    for (std::size_t k = 0; k < before.size(); ++k) {
        if (std::count(now.begin(), now.end(), before[k]) > 0) out[k] = before[k];
    }
    for (Index number : now) {
        if (std::count(before.begin(), before.end(), number) == 0) rest.push_back(number);
    }
    auto next = rest.begin();
    for (Index& each : out) {
        if (each < 0) each = *next++;
    }
    return out;
}

}  // namespace

IndependentCoordinates::IndependentCoordinates(Equations& equations)
    : equations_(equations),
      system_(equations.system()),
      reference_(system_),
      position_(system_),
      velocity_(system_),
      before_(system_),
      found_(system_),
      p_(Vector::Zero(system_.size)),
      start_(p_),
      w_(p_),
      right_(Vector::Zero(system_.size + system_.row_count())) {
    for (const Body& body : system_.bodies) shared_ = shared_ && is_planar(body);
    for (const DrivenRow& row : system_.rows) shared_ = shared_ && row.holonomic;
}

Vector3 IndependentCoordinates::turned(Index b, const State& state) const {
    // θ with q = q₀ ∘ exp(θ/2), at most half a turn
    const double *q0 = reference_.quaternions.data() + 4 * b, *q = state.quaternions.data() + 4 * b;
    const Vector3 e0(q0[1], q0[2], q0[3]), e(q[1], q[2], q[3]);
    double scalar = q0[0] * q[0] + e0.dot(e);
    Vector3 part = q0[0] * e - q[0] * e0 - e0.cross(e);
    if (scalar < 0.0) {
        scalar = -scalar;
        part = -part;
    }
    const double sine = part.norm();
    return sine > 0.0 ? Vector3((2.0 * std::atan2(sine, scalar) / sine) * part) : Vector3(2.0 * part);
}

void IndependentCoordinates::coordinates(const State& state, Vector& p) const {
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
        const Body& body = system_.bodies[b];
        for (int i = 0; i < 3; ++i) {
            if (body.numbers[i] >= 0) p[body.numbers[i]] = state.positions[3 * b + i];
        }
        if (is_planar(body)) {
            p[body.numbers[5]] = state.angles[b];
        } else {
            const Vector3 theta = turned(b, state);
            for (int i = 0; i < 3; ++i) p[body.numbers[3 + i]] = theta[i];
        }
        for (Index r = 0; r < body.coordinates(); ++r) {
            p[body.numbers[6 + r]] = state.deformation[body.first_coordinate + r];
        }
    }
}

void IndependentCoordinates::configure(const Vector& p, State& state) const {
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
        const Body& body = system_.bodies[b];
        for (int i = 0; i < 3; ++i) {
            if (body.numbers[i] >= 0) state.positions[3 * b + i] = p[body.numbers[i]];
        }
        Vector3 theta = Vector3::Zero();
        if (is_planar(body)) {
            state.angles[b] = p[body.numbers[5]];
            theta[2] = state.angles[b] - reference_.angles[b];
        } else {
            for (int i = 0; i < 3; ++i) theta[i] = p[body.numbers[3 + i]];
            state.angles[b] = reference_.angles[b] + theta[2];
        }
        turn_quaternion(reference_.quaternions.data() + 4 * b, without_turns(theta),
                        state.quaternions.data() + 4 * b);
        for (Index r = 0; r < body.coordinates(); ++r) {
            state.deformation[body.first_coordinate + r] = p[body.numbers[6 + r]];
        }
    }
}

bool IndependentCoordinates::counts(Index row, bool of_positions) const {
    return equations_.acts(row) && (!of_positions || system_.rows[row].holonomic);
}

Matrix IndependentCoordinates::transformed(const RowGroup& group, Index b, const State& state,
                                           bool of_positions) {
    const Body& body = system_.bodies[b];
    Matrix A = equations_.constraint_block(group, b);
    Matrix6 change = Matrix6::Identity();
    change.topLeftCorner<3, 3>() = rotation_matrix(state.quaternions.data() + 4 * b).transpose();
    if (of_positions && !is_planar(body)) change.bottomRightCorner<3, 3>() = turn_matrix(turned(b, state));
    std::vector<Index> rigid;
    for (Index j : body.active) {
        if (j < 6) rigid.push_back(j);
    }
    const Index count = static_cast<Index>(rigid.size());
    A.leftCols(count) = (A.leftCols(count) * change(rigid, rigid)).eval();
    for (Index k = 0; k < group.count; ++k) {
        if (!counts(group.first + k, of_positions)) A.row(k).setZero();
    }
    return A;
}

bool IndependentCoordinates::choose(const State& state, double time) {
    reference_ = state;
    equations_.evaluate_constraints(state, time);
    const Index n = system_.size, count = system_.row_count();
    Vector weights(n);
    for (const Body& body : system_.bodies) {
        for (Index j : body.active) {
            const double weight = j < 3 ? weight_of_place : j < 6 ? weight_of_turn : weight_of_deformation;
            weights[body.numbers[j]] = weight * system_.scales[body.numbers[j]];
        }
    }
    const auto independent = [&](bool of_positions) {
        std::vector<Index> out;
        Matrix A = Matrix::Zero(count, n);
        for (const RowGroup& group : system_.groups) {
            for (Index b : group.bodies) {
                const Body& body = system_.bodies[b];
                const Matrix block = transformed(group, b, state, of_positions);
                A.block(group.first, body.numbers[body.active.front()], block.rows(), block.cols()) = block;
            }
        }
        for (Index row = 0; row < count; ++row) A.row(row) *= system_.rows[row].scale;
        A.array().rowwise() *= weights.transpose().array();
        std::vector<char> taken(n, 0);
        if (count > 0) {
            Eigen::ColPivHouseholderQR<Matrix> factors(A);
            factors.setThreshold(dependent);
            const auto& order = factors.colsPermutation().indices();
            for (Index k = 0; k < factors.rank(); ++k) taken[order[k]] = 1;
        }
        for (Index k = 0; k < n; ++k) {
            if (!taken[k]) out.push_back(k);
        }
        return out;
    };
    Partition found{independent(true), {}};
    found.velocities = shared_ ? found.positions : independent(false);
    const bool first = free_positions_.empty();
    if (!first && (found.positions.size() != partition_.positions.size() ||
                   found.velocities.size() != partition_.velocities.size())) {
        return false;
    }
    partition_.positions = keep_places(partition_.positions, found.positions);
    partition_.velocities = keep_places(partition_.velocities, found.velocities);
    restore(partition_, references());
    return true;
}

std::vector<double> IndependentCoordinates::references() const {
    std::vector<double> out;
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
        const double* q = reference_.quaternions.data() + 4 * b;
        out.insert(out.end(), {q[0], q[1], q[2], q[3], reference_.angles[b]});
    }
    return out;
}

void IndependentCoordinates::restore(const Partition& partition, const std::vector<double>& references) {
    partition_ = partition;
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
        std::copy_n(references.data() + 5 * b, 4, reference_.quaternions.data() + 4 * b);
        reference_.angles[b] = references[5 * b + 4];
    }
    free_positions_ = marks(partition_.positions, system_.size);
    free_velocities_ = marks(partition_.velocities, system_.size);
    position_.known = velocity_.known = false;
}

void IndependentCoordinates::read(const State& state, double* positions, double* velocities) const {
    Vector all(system_.size);
    coordinates(state, all);
    for (std::size_t k = 0; k < partition_.positions.size(); ++k) positions[k] = all[partition_.positions[k]];
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
        const Body& body = system_.bodies[b];
        const double* u = state.velocities.data() + body.first_velocity;
        const Vector3 v = rotate(state.quaternions.data() + 4 * b, Vector3(u[0], u[1], u[2]));
        for (Index j : body.active) all[body.numbers[j]] = j < 3 ? v[j] : u[j];
    }
    for (std::size_t k = 0; k < partition_.velocities.size(); ++k) velocities[k] = all[partition_.velocities[k]];
}

bool IndependentCoordinates::factorise(Solver& solver, const State& state, bool of_positions) {
    const std::vector<char>& free = of_positions ? free_positions_ : free_velocities_;
    SaddlePoint& matrix = solver.matrix;
    matrix.clear();
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
        const Body& body = system_.bodies[b];
        auto own = matrix.body(static_cast<Index>(b));
        for (std::size_t j = 0; j < body.active.size(); ++j) {
            const double scale = system_.scales[body.numbers[body.active[j]]];
            own(j, j) = 1.0 / (scale * scale);
        }
    }
    for (std::size_t g = 0; g < system_.groups.size(); ++g) {
        const RowGroup& group = system_.groups[g];
        Vector sizes = Vector::Zero(group.count);  // Σ A_j²/H_jj
        for (Index b : group.bodies) {
            const Body& body = system_.bodies[b];
            Matrix A = transformed(group, b, state, of_positions);
            for (Index j = 0; j < A.cols(); ++j) {
                const Index number = body.numbers[body.active[j]];
                if (free[number]) A.col(j).setZero();
                sizes += (system_.scales[number] * A.col(j)).cwiseAbs2();
            }
            matrix.add_constraints(static_cast<Index>(g), b, A);
        }
        auto own = matrix.group(static_cast<Index>(g));
        for (Index k = 0; k < group.count; ++k) {
            own(k, k) = counts(group.first + k, of_positions) ? -system_.slack * sizes[k] : -1.0;
        }
    }
    return solver.known = matrix.factorise();
}

bool IndependentCoordinates::place_positions(const double* positions, double time, State& state) {
    const Index n = system_.size, count = system_.row_count();
    for (std::size_t k = 0; k < partition_.positions.size(); ++k) p_[partition_.positions[k]] = positions[k];
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0;; ++iteration) {
        configure(p_, state);
        equations_.evaluate_constraints(state, time);
        const double worst = equations_.gaps().position;
        if (worst <= closed || (worst > 0.5 * last && worst <= near_enough)) return true;
        if (!std::isfinite(worst) || iteration == most_iterations) return false;
        if (!position_.known || (iteration > 0 && worst > contraction * last)) {
            if (!factorise(position_, state, true)) return false;
        }
        last = worst;
        right_.head(n).setZero();
        for (Index row = 0; row < count; ++row) {
            right_[n + row] = counts(row, true) ? -equations_.residual[n + row] : 0.0;
        }
        position_.matrix.solve_refined(right_.data());
        const double length = largest_speed(system_, right_.data());  // of a step, measured alike
        if (!std::isfinite(length)) return false;
        p_ += right_.head(n) * (length > longest ? longest / length : 1.0);
    }
}

bool IndependentCoordinates::place_velocities(const double* velocities, double time, State& state) {
    const Index n = system_.size, count = system_.row_count();
    Solver& solver = solver_of(false);
    Vector& u = start_;
    for (std::size_t k = 0; k < partition_.velocities.size(); ++k) w_[partition_.velocities[k]] = velocities[k];
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0;; ++iteration) {
        for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
            const Body& body = system_.bodies[b];
            Vector3 v = Vector3::Zero();
            for (int i = 0; i < 3; ++i) {
                if (body.numbers[i] >= 0) v[i] = w_[body.numbers[i]];
            }
            v = rotate_back(state.quaternions.data() + 4 * b, v);
            for (Index j : body.active) u[body.numbers[j]] = j < 3 ? v[j] : w_[body.numbers[j]];
        }
        state.set_velocities(system_, u.data());
        equations_.evaluate_constraints(state, time);
        const double worst = equations_.gaps().velocity / std::max(1.0, largest_speed(system_, u.data()));
        if (worst <= closed || (worst > 0.5 * last && worst <= near_enough)) return true;
        if (!std::isfinite(worst) || iteration == most_iterations) return false;
        if (!solver.known || (iteration > 0 && worst > contraction * last)) {
            if (!factorise(solver, state, shared_)) return false;
        }
        last = worst;
        right_.head(n).setZero();
        for (Index row = 0; row < count; ++row) {
            const RowState& own = equations_.rows[row];
            right_[n + row] = counts(row, false) ? own.target.rate - own.rate.rate : 0.0;
        }
        solver.matrix.solve_refined(right_.data());
        w_ += right_.head(n);
    }
}

bool IndependentCoordinates::place(const double* positions, const double* velocities, double time, State& state) {
    before_ = state;
    coordinates(state, p_);
    start_ = p_;
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
        const Body& body = system_.bodies[b];
        const double* u = state.velocities.data() + body.first_velocity;
        const Vector3 v = rotate(state.quaternions.data() + 4 * b, Vector3(u[0], u[1], u[2]));
        for (Index j : body.active) w_[body.numbers[j]] = j < 3 ? v[j] : u[j];
    }
    if (!place_positions(positions, time, state)) return false;
    if (!state.counted.empty()) {
        p_ -= start_;
        count_turns(system_, before_, p_.data(), state);
    }
    if (!place_velocities(velocities, time, state)) return false;
    found_ = state;
    time_ = time;
    return true;
}

void IndependentCoordinates::rates(const State& state, const double* accelerations, double* position_rates,
                                   double* velocity_rates) const {
    // r̈ = R (v̇ + ω × v) with v in body axes
    Vector p_rates(system_.size), w_rates(system_.size);
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
        const Body& body = system_.bodies[b];
        const double *u = state.velocities.data() + body.first_velocity, *q = state.quaternions.data() + 4 * b;
        const Vector3 v(u[0], u[1], u[2]), omega(u[3], u[4], u[5]);
        Vector3 pushed = omega.cross(v);
        for (int i = 0; i < 3; ++i) {
            if (body.numbers[i] >= 0) pushed[i] += accelerations[body.numbers[i]];
        }
        const Vector3 moved = rotate(q, v), second = rotate(q, pushed);
        const Vector3 turn = is_planar(body) ? omega : turn_rate(turned(static_cast<Index>(b), state), omega);
        for (Index j : body.active) {
            const Index number = body.numbers[j];
            p_rates[number] = j < 3 ? moved[j] : j < 6 ? turn[j - 3] : u[j];
            w_rates[number] = j < 3 ? second[j] : accelerations[number];
        }
    }
    for (std::size_t k = 0; k < partition_.positions.size(); ++k) {
        position_rates[k] = p_rates[partition_.positions[k]];
    }
    for (std::size_t k = 0; k < partition_.velocities.size(); ++k) {
        velocity_rates[k] = w_rates[partition_.velocities[k]];
    }
}

double IndependentCoordinates::reach() {
    // two directions that no symmetry of a machine has, of ±1 for each coordinate
    if (system_.row_count() == 0) return 0.0;
    const Index n = system_.size;
    equations_.evaluate_constraints(found_, time_);
    if (!factorise(position_, found_, true)) return std::numeric_limits<double>::infinity();
    double most = 0.0;
    for (const unsigned pattern : {0x9e3779b9u, 0x7f4a7c15u}) {
        Vector x = Vector::Zero(n);
        unsigned bits = pattern;
        for (Index number : partition_.positions) {
            bits = bits * 1664525u + 1013904223u;
            x[number] = (bits >> 16 & 1u) != 0 ? system_.scales[number] : -system_.scales[number];
        }
        right_.setZero();
        for (const RowGroup& group : system_.groups) {
            for (Index b : group.bodies) {
                const Body& body = system_.bodies[b];
                const Matrix A = transformed(group, b, found_, true);
                right_.segment(n + group.first, group.count) -=
                    A * x.segment(body.numbers[body.active.front()], A.cols());
            }
        }
        position_.matrix.solve_refined(right_.data());
        const double size = largest_speed(system_, right_.data());
        most = std::isfinite(size) ? std::max(most, size) : std::numeric_limits<double>::infinity();
    }
    return most;
}

bool IndependentCoordinates::turns_freely(const Body& body) const {
    const auto chosen = [&](int axis) { return free_positions_[body.numbers[3 + axis]] != 0; };
    return chosen(0) || chosen(1) || chosen(2);
}

double IndependentCoordinates::farthest_turn(const State& state) const {
    double most = 0.0;
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
        const Body& body = system_.bodies[b];
        if (is_planar(body) || !turns_freely(body)) continue;
        most = std::max(most, turned(static_cast<Index>(b), state).norm() / far_turn);
    }
    return most;
}

void IndependentCoordinates::turn_references(const State& state, bool dependent, bool independent) {
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
        const Body& body = system_.bodies[b];
        if (is_planar(body) || !(turns_freely(body) ? independent : dependent)) continue;
        if (turned(static_cast<Index>(b), state).norm() <= 0.5 * far_turn) continue;
        std::copy_n(state.quaternions.data() + 4 * b, 4, reference_.quaternions.data() + 4 * b);
        reference_.angles[b] = state.angles[b];
        position_.known = false;
    }
}

}  // namespace flexframe
