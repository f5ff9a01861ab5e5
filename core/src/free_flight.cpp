#include "flexframe/free_flight.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace flexframe {

namespace {

constexpr int most_iterations = 60;
constexpr double round_off = 1e-16;
constexpr double sensitive = 1e-8;  // slope of the energy, squared and over the energy, that is too small to use
constexpr double stagnant = 1e-11;  // a change that no longer falls counts as rounding below this
constexpr double too_large = 1e6;   // a change that will not come down again

/// value += amount; what rounding loses is kept for the next time. Holds only while sums keep their order.
void add_compensated(double& value, double& lost, double amount) {
    const double wanted = amount + lost;
    const double sum = value + wanted;
    lost = wanted - (sum - value);
    value = sum;
}

double squared_length(const double* v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

attitude::Vector vector_of(const double* v) { return {v[0], v[1], v[2]}; }

/// What belongs to the points of the mean, four points at once: ∫_0^{γ_q} ℓ_j, or the weights of the mean. The
/// last point fills up the four, with weight zero.
std::vector<Points> gather_points(const Collocation& method, bool weights) {
    const Index s = method.stages, K = method.points, blocks = (K + points_at_once - 1) / points_at_once;
    std::vector<Points> out(static_cast<std::size_t>(blocks * s), Points::Zero());
    for (Index place = 0; place < blocks * points_at_once; ++place) {
        const Index q = std::min(place, K - 1), block = place / points_at_once, lane = place % points_at_once;
        for (Index j = 0; j < s; ++j) {
            const double value = weights ? method.means[j * K + q] : method.point_integrals[q * s + j];
            out[block * s + j][lane] = weights && place >= K ? 0.0 : value;
        }
    }
    return out;
}

}  // namespace

FreeFlight::FreeFlight(Hamiltonian hamiltonian, Collocation method)
    : hamiltonian_(std::move(hamiltonian)), method_(std::move(method)) {
    method_.require_shapes();
    const CentralInertia& body = hamiltonian_.body();
    const auto room = [](Index length) { return std::vector<double>(static_cast<std::size_t>(length), 0.0); };
    const Index s = method_.stages, m = body.coordinates;
    state = {room(width()), room(width()), {1.0, 0.0, 0.0, 0.0}, room(s * width()), room(2), room(4), room(2)};
    for (double damping : body.damping) damped_ = damped_ || damping != 0.0;
    // a coordinate without stiffness takes no part in the correction of the energy
    for (double frequency : body.frequencies) {
        compliance_.push_back(frequency > 0.0 ? 1.0 / (frequency * frequency) : 0.0);
    }
    oscillators_ = room(4 * m * s * s);
    point_weights_ = gather_points(method_, false);
    mean_weights_ = gather_points(method_, true);
    at_ = gradient_ = std::vector<Points>(static_cast<std::size_t>(width()), Points::Zero());
    mean_ = change_ = guess_ = room(s * width());
    slope_ = room(width());
    quaternion_slopes_.setZero(4, s);
}

double FreeFlight::keep_invariants() {
    const attitude::Quaternion q(state.quaternion.data());
    const attitude::Vector momentum = attitude::to_space(q, vector_of(state.y.data()));
    std::copy(momentum.data(), momentum.data() + 3, state.reference.begin());
    state.reference[3] = evaluate();
    return state.reference[3];
}

FlightReport FreeFlight::advance(double step, Index steps, double seconds, View<double, 2> trace) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    FlightReport report;
    measure_sizes();
    prepare(step);
    while (report.steps < steps) {
        extrapolate();
        report.outcome = solve(step, report.iterations);
        if (report.outcome != FlightOutcome::done) return report;
        add_slopes(step);
        const double energy = evaluate();
        if (!std::isfinite(energy)) {
            report.outcome = FlightOutcome::indefinite;
            return report;
        }
        restore_energy(energy + state.sums[1] - state.reference[3]);
        advance_attitude(step);
        if (report.steps < trace.shape[0]) write_trace(&trace(report.steps, 0));
        ++report.steps;
        if (report.steps < steps && Clock::now() >= end) {
            report.outcome = FlightOutcome::paused;
            return report;
        }
    }
    return report;
}

void FreeFlight::measure_sizes() {
    const auto or_one = [](double size) { return size != 0.0 ? size : 1.0; };
    const double energy = state.reference[3];
    length_ = or_one(std::sqrt(squared_length(state.reference.data())));
    speed_ = or_one(std::sqrt(2.0 * energy));
    energy_ = or_one(energy);
}

// The equations of a step for one natural coordinate at rest, k_z − hA k_p = …, ω²hA k_z + (1 + d hA) k_p = …,
// inverted.
void FreeFlight::prepare(double step) {
    if (step == prepared_step_) return;
    const CentralInertia& body = hamiltonian_.body();
    const Index s = method_.stages;
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const RowMajor A = step * Eigen::Map<const RowMajor>(method_.node_integrals.data(), s, s);
    RowMajor equations(2 * s, 2 * s);
    for (Index r = 0; r < body.coordinates; ++r) {
        const double square = body.frequencies[r] * body.frequencies[r];
        const double damping = body.damping[r * body.coordinates + r];
        equations.setIdentity();
        equations.topRightCorner(s, s) -= A;
        equations.bottomLeftCorner(s, s) += square * A;
        equations.bottomRightCorner(s, s) += damping * A;
        Eigen::Map<RowMajor>(oscillators_.data() + 4 * s * s * r, 2 * s, 2 * s) = equations.inverse();
    }
    prepared_step_ = step;
}

// k_i ← Σ_j ℓ_j(1 + c_i) k_j, the polynomial of the last step carried on.
void FreeFlight::extrapolate() {
    const Index s = method_.stages, size = width();
    std::vector<double>& k = state.slopes;
    for (Index i = 0; i < s; ++i) {
        for (Index c = 0; c < size; ++c) {
            double total = 0.0;
            for (Index j = 0; j < s; ++j) total += method_.ahead[i * s + j] * k[j * size + c];
            guess_[i * size + c] = total;
        }
    }
    std::copy(guess_.begin(), guess_.end(), k.begin());
}

// g_i = Σ_q β_q ℓ_i(γ_q)/b_i ∇H(y + h Σ_j ∫_0^{γ_q} ℓ_j k_j); false where H is not finite.
bool FreeFlight::find_means(double step) {
    const Index s = method_.stages, size = width();
    std::fill(mean_.begin(), mean_.end(), 0.0);
    for (std::size_t block = 0; block < point_weights_.size(); block += static_cast<std::size_t>(s)) {
        for (Index c = 0; c < size; ++c) {
            Points total = Points::Zero();
            for (Index j = 0; j < s; ++j) total += state.slopes[j * size + c] * point_weights_[block + j];
            at_[c] = state.y[c] + step * total;
        }
        const Points energy = hamiltonian_.evaluate(at_.data(), gradient_.data());
        if (!energy.isFinite().all()) return false;
        for (Index i = 0; i < s; ++i) {
            const Points& weights = mean_weights_[block + i];
            for (Index c = 0; c < size; ++c) {
                const Points part = weights * gradient_[c];
                mean_[i * size + c] += (part[0] + part[1]) + (part[2] + part[3]);
            }
        }
    }
    return true;
}

// By how much the slopes miss L_i × g_L, g_p and −g_z − d g_p. A planar body keeps L.
void FreeFlight::find_changes(double step) {
    const CentralInertia& body = hamiltonian_.body();
    const Index s = method_.stages, size = width(), m = body.coordinates;
    for (Index i = 0; i < s; ++i) {
        const double *k = &state.slopes[i * size], *mean = &mean_[i * size];
        double *change = &change_[i * size], L[3] = {0.0, 0.0, 0.0};
        for (Index j = 0; j < s; ++j) {
            for (Index c = 0; c < 3; ++c) L[c] += method_.node_integrals[i * s + j] * state.slopes[j * size + c];
        }
        for (Index c = 0; c < 3; ++c) L[c] = state.y[c] + step * L[c];
        change[0] = body.planar ? 0.0 : L[1] * mean[2] - L[2] * mean[1] - k[0];
        change[1] = body.planar ? 0.0 : L[2] * mean[0] - L[0] * mean[2] - k[1];
        change[2] = body.planar ? 0.0 : L[0] * mean[1] - L[1] * mean[0] - k[2];
        for (Index r = 0; r < m; ++r) {
            change[3 + r] = mean[3 + r] - k[3 + r];
            double pull = -mean[3 + m + r];
            for (Index t = 0; damped_ && t < m; ++t) pull -= body.damping[r * m + t] * mean[3 + t];
            change[3 + m + r] = pull - k[3 + m + r];
        }
    }
}

// k_L += change, and (k_z, k_p) += what solves the oscillators of the undeformed body; the largest change,
// relative.
double FreeFlight::apply_changes() {
    const Index s = method_.stages, size = width(), m = hamiltonian_.body().coordinates;
    std::vector<double>& k = state.slopes;
    double largest = 0.0;
    for (Index i = 0; i < s; ++i) {
        for (Index c = 0; c < 3; ++c) k[i * size + c] += change_[i * size + c];
        largest = std::max(largest, std::sqrt(squared_length(&change_[i * size])) / length_);
    }
    for (Index r = 0; r < m; ++r) {
        const double* row = &oscillators_[4 * s * s * r];
        for (Index i = 0; i < 2 * s; ++i, row += 2 * s) {
            double total = 0.0;
            for (Index j = 0; j < s; ++j) {
                total += row[j] * change_[j * size + 3 + r] + row[s + j] * change_[j * size + 3 + m + r];
            }
            k[i < s ? i * size + 3 + r : (i - s) * size + 3 + m + r] += total;
            if (i >= s) largest = std::max(largest, std::abs(total) / speed_);
        }
    }
    return largest;
}

// The slopes at the nodes, to rounding.
FlightOutcome FreeFlight::solve(double step, Index& iterations) {
    double previous = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        ++iterations;
        if (!find_means(step)) return FlightOutcome::indefinite;
        find_changes(step);
        const double error = std::abs(step) * apply_changes();
        if (error <= round_off || (error < stagnant && error >= 0.3 * previous)) return FlightOutcome::done;
        if (!(error < too_large)) return FlightOutcome::diverged;
        previous = error;
    }
    return FlightOutcome::diverged;
}

// y += h Σ_i b_i k_i, and the work of damping h Σ_i b_i ż_iᵀ d ż_i .
void FreeFlight::add_slopes(double step) {
    const CentralInertia& body = hamiltonian_.body();
    const Index s = method_.stages, size = width(), m = body.coordinates;
    for (Index c = 0; c < size; ++c) {
        double total = 0.0;
        for (Index i = 0; i < s; ++i) total += method_.weights[i] * state.slopes[i * size + c];
        add_compensated(state.y[c], state.lost[c], step * total);
    }
    for (Index i = 0; damped_ && i < s; ++i) {
        const double* rates = &mean_[i * size + 3];
        double power = 0.0;
        for (Index r = 0; r < m; ++r) {
            for (Index t = 0; t < m; ++t) power += rates[r] * body.damping[r * m + t] * rates[t];
        }
        state.sums[1] += step * method_.weights[i] * power;
    }
}

// H at y, with ∂H/∂(L, p, z) in slope_.
double FreeFlight::evaluate() {
    for (Index c = 0; c < width(); ++c) at_[c].setConstant(state.y[c]);
    const double energy = hamiltonian_.evaluate(at_.data(), gradient_.data())[0];
    for (Index c = 0; c < width(); ++c) slope_[c] = gradient_[c][0];
    return energy;
}

// Take the rounding of a step out of the energy, along the part of ∂H/∂(L, z, p) that leaves |L| alone, and then
// out of |L|.
void FreeFlight::restore_energy(double defect) {
    const Index m = hamiltonian_.body().coordinates;
    double *y = state.y.data(), *lost = state.lost.data();
    state.watch[0] = std::max(state.watch[0], std::abs(defect) / energy_);
    const double square = squared_length(y);
    const double along = square > 0.0 ? (y[0] * slope_[0] + y[1] * slope_[1] + y[2] * slope_[2]) / square : 0.0;
    const double weight = square / (2.0 * energy_);
    double across[3], total = 0.0;
    for (Index c = 0; c < 3; ++c) {
        across[c] = slope_[c] - along * y[c];
        total += weight * across[c] * across[c];
    }
    for (Index r = 0; r < m; ++r) {
        total += slope_[3 + r] * slope_[3 + r] + compliance_[r] * slope_[3 + m + r] * slope_[3 + m + r];
    }
    if (total <= sensitive * energy_) return;  // a steady spin: the energy has no slope there
    const double part = -defect / total;
    for (Index c = 0; c < 3; ++c) add_compensated(y[c], lost[c], part * weight * across[c]);
    for (Index r = 0; r < m; ++r) {
        add_compensated(y[3 + r], lost[3 + r], part * compliance_[r] * slope_[3 + m + r]);
        add_compensated(y[3 + m + r], lost[3 + m + r], part * slope_[3 + r]);
    }
    if (!(square > 0.0)) return;
    const double stretch = length_ / std::sqrt(squared_length(y)) - 1.0;
    for (Index c = 0; c < 3; ++c) add_compensated(y[c], lost[c], y[c] * stretch);
}

// The frame follows the mean angular velocities, and R L returns to the momentum in space.
void FreeFlight::advance_attitude(double step) {
    const attitude::Vector L = vector_of(state.y.data()), momentum = vector_of(state.reference.data());
    const attitude::Quaternion before(state.quaternion.data());
    attitude::Quaternion q = before;
    attitude::advance(q, method_, mean_.data(), width(), step, quaternion_slopes_);
    attitude::align(q, L, momentum);
    std::copy(q.data(), q.data() + 4, state.quaternion.begin());
    if (hamiltonian_.body().planar) {
        const double sine = before[0] * q[3] - before[3] * q[0], cosine = before[0] * q[0] + before[3] * q[3];
        state.sums[0] += 2.0 * std::atan2(sine, cosine);
    }
    const attitude::Vector gap = attitude::to_space(q, L) - momentum;
    state.watch[1] = std::max(state.watch[1], gap.cwiseAbs().maxCoeff() / length_);
}

void FreeFlight::write_trace(double* row) const {
    row = std::copy(state.y.begin(), state.y.end(), row);
    row = std::copy(state.quaternion.begin(), state.quaternion.end(), row);
    std::copy(state.sums.begin(), state.sums.end(), row);
}

}  // namespace flexframe
