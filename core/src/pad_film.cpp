#include "flexframe/pad_film.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace flexframe {

namespace {

using Pair = std::array<double, 2>;
using Square = std::array<Pair, 2>;

// Gauss's rule of five points: of degree 9
constexpr std::array<double, 5> gauss_points{
    -0.90617984593866399, -0.53846931010568309, 0.0, 0.53846931010568309, 0.90617984593866399};
constexpr std::array<double, 5> gauss_weights{
    0.23692688505618909, 0.47862867049936647, 0.56888888888888889, 0.47862867049936647, 0.23692688505618909};

constexpr double zero_pressure = 1e-13;   // P and flows below it are rounding
constexpr double end_tolerance = 1e-8;    // of the ends of a film, in cells; forces have its square
constexpr int most_pivots = 10;           // of blocks without progress, before single ones
constexpr int most_single_pivots = 2000;  // of the guaranteed kind, which never took more than a few
constexpr int most_moves = 40;            // of the ends of a film
constexpr int free_moves = 12;            // before ends no longer enter new cells

/// e⊥ = (sin θ, −cos θ), the integral of e.
Pair integral_of_e(double theta) { return {std::sin(theta), -std::cos(theta)}; }

/// H = 1 − X·e along a circle.
struct Gap {
    Pair X;

    double height(double theta) const { return 1.0 - X[0] * std::cos(theta) - X[1] * std::sin(theta); }
    double slope(double theta) const { return X[0] * std::sin(theta) - X[1] * std::cos(theta); }
};

/// Integrals over a part of an arc with constant Q: I_n = ∫H⁻ⁿ, J_n = ∫e⊥H⁻ⁿ, G = ∫e⊥e⊥ᵀH⁻³, and ∂/∂X of I and J.
struct Stretch {
    double I1 = 0.0, I2 = 0.0, I3 = 0.0;
    Pair J2{}, J3{}, dI2{}, dI3{};
    Square dJ2{}, dJ3{}, G{};

    Stretch() = default;
    Stretch(const Gap& gap, double from, double to) {
        const double half = 0.5 * (to - from), middle = 0.5 * (to + from);
        for (std::size_t g = 0; g < gauss_points.size(); ++g) {
            const double theta = middle + half * gauss_points[g], c = std::cos(theta), s = std::sin(theta);
            const double inverse = 1.0 / (1.0 - gap.X[0] * c - gap.X[1] * s);
            const double two = half * gauss_weights[g] * inverse * inverse, three = two * inverse;
            const Pair perpendicular{s, -c}, dH{-c, -s};
            I1 += half * gauss_weights[g] * inverse;
            I2 += two;
            I3 += three;
            for (int k = 0; k < 2; ++k) {
                J2[k] += two * perpendicular[k];
                J3[k] += three * perpendicular[k];
                dI2[k] -= 2.0 * three * dH[k];
                dI3[k] -= 3.0 * three * inverse * dH[k];
                for (int m = 0; m < 2; ++m) {
                    dJ2[k][m] -= 2.0 * three * perpendicular[k] * dH[m];
                    dJ3[k][m] -= 3.0 * three * inverse * perpendicular[k] * dH[m];
                    G[k][m] += three * perpendicular[k] * perpendicular[m];
                }
            }
        }
    }

    /// Q from P at both ends: P_b − P_a = I₂ − Q I₃.
    double flow(double rise) const { return (I2 - rise) / I3; }
};

/// A symmetric positive definite band matrix, lower half, factorised in place as L D Lᵀ.
class Band {
public:
    Band(Index size, Index width) : size_(size), width_(width), entries_(size * (width + 1)) {}

    double& operator()(Index row, Index column) {
        if (row < column) std::swap(row, column);
        return entries_[column * (width_ + 1) + row - column];
    }

    void factorise() {
        for (Index k = 0; k < size_; ++k) {
            double* column = &entries_[k * (width_ + 1)];
            const Index below = std::min(width_, size_ - 1 - k);
            const double inverse = 1.0 / column[0];
            for (Index d = 1; d <= below; ++d) {
                if (column[d] == 0.0) continue;
                const double factor = column[d] * inverse;
                double* target = &entries_[(k + d) * (width_ + 1)];
                for (Index r = d; r <= below; ++r) target[r - d] -= factor * column[r];
            }
            for (Index d = 1; d <= below; ++d) column[d] *= inverse;
        }
    }

    void solve(std::vector<double>& x) const {
        for (Index k = 0; k < size_; ++k) {
            const double* column = &entries_[k * (width_ + 1)];
            const Index below = std::min(width_, size_ - 1 - k);
            for (Index d = 1; d <= below; ++d) x[k + d] -= column[d] * x[k];
        }
        for (Index k = size_ - 1; k >= 0; --k) {
            const double* column = &entries_[k * (width_ + 1)];
            const Index below = std::min(width_, size_ - 1 - k);
            double sum = x[k] / column[0];
            for (Index d = 1; d <= below; ++d) sum -= column[d] * x[k + d];
            x[k] = sum;
        }
    }

private:
    Index size_, width_;
    std::vector<double> entries_;
};

/// The film of one pad: points i along the arc, rows j along the axis; cell i lies between the points i and i + 1.
class PadFilm {
public:
    PadFilm(Pair arc, Pair edges, Pair X, bool closed, Index cells, const AxialPoints& axial)
        : gap_{X},
          edges_(edges),
          closed_(closed),
          cells_(cells),
          rows_(axial.weights.count()),
          points_(closed ? cells : cells + 1),
          start_(arc[0]),
          width_((arc[1] - arc[0]) / static_cast<double>(cells)),
          axial_(axial),
          whole_(cells),
          area_(points_),
          bow_weights_(find_bow_weights()),
          wet_(points_ * rows_, 1),
          pressure_(points_ * rows_),
          ends_(cells * rows_),
          shortened_(cells * rows_, -1) {
        for (Index i = 0; i < cells_; ++i) whole_[i] = Stretch(gap_, at(i), at(i + 1));
        for (Index i = 0; i < points_; ++i) area_[i] = width_ * std::pow(gap_.height(at(i)), 3);
        for (Index i = 0; i < cells_; ++i) {
            for (Index j = 0; j < rows_; ++j) ends_[i * rows_ + j] = {at(i), at(i + 1)};
        }
        if (!closed_) {
            for (Index j = 0; j < rows_; ++j) {
                for (Index side = 0; side < 2; ++side) {
                    const Index place = (side ? cells_ : 0) * rows_ + j;
                    pressure_[place] = edges_[side];
                    wet_[place] = edges_[side] > 0.0;
                }
            }
        }
    }

    /// `guess` is (cells + 1, rows).
    void solve(Cavitation cavitation, View<double, 2> guess) {
        if (cavitation == Cavitation::reynolds) {
            pivot(guess);
            if (converged_) move_ends();
        } else {
            if (!closed_) std::fill(wet_.begin(), wet_.end(), 1);
            solve_pressure();
        }
        positive_part_ = cavitation == Cavitation::guembel;
    }

    void write(const PadFilms& found, Index pad) const;

private:
    /// Weights of the rows for what bows between points, less where axial flow evens it out: (1 + Δθ²/12KW⁻¹)⁻¹w.
    std::vector<double> find_bow_weights() const {
        Eigen::MatrixXd matrix(rows_, rows_);
        Eigen::VectorXd weights(rows_);
        for (Index j = 0; j < rows_; ++j) {
            weights[j] = axial_.weights(j);
            for (Index k = 0; k < rows_; ++k) {
                const double evened = width_ * width_ / 12.0 * axial_.stiffness(j, k) / axial_.weights(k);
                matrix(j, k) = (j == k ? 1.0 : 0.0) + evened;
            }
        }
        const Eigen::VectorXd found = matrix.partialPivLu().solve(weights);
        return {found.begin(), found.end()};
    }

    double at(Index i) const { return start_ + width_ * static_cast<double>(i); }
    Index next(Index i) const { return closed_ && i + 1 == points_ ? 0 : i + 1; }
    bool is_edge(Index i) const { return !closed_ && (i == 0 || i == cells_); }
    bool is_unknown(Index i, Index j) const { return !is_edge(i) && wet_[i * rows_ + j]; }
    double P(Index i, Index j) const { return pressure_[i * rows_ + j]; }

    /// Whether a cell holds film: one of its points does, or is the edge that the film reaches.
    bool is_film(Index i, Index j) const { return wet_[i * rows_ + j] || wet_[next(i) * rows_ + j]; }
    const Stretch& stretch(Index i, Index j) const {
        const Index own = shortened_[i * rows_ + j];
        return own < 0 ? whole_[i] : parts_[own];
    }
    double flow(Index i, Index j) const { return stretch(i, j).flow(P(next(i), j) - P(i, j)); }

    // unknowns: point by point; of a circle from both sides at once, so that the band stays narrow
    Index column(Index i) const {
        if (!closed_) return i - 1;
        return 2 * i < points_ ? 2 * i : 2 * (points_ - i) - 1;
    }
    Index unknown(Index i, Index j) const { return column(i) * rows_ + j; }
    Index unknowns() const { return (closed_ ? points_ : points_ - 2) * rows_; }
    Index first() const { return closed_ ? 0 : 1; }
    Index last() const { return closed_ ? points_ : points_ - 1; }

    double pressure_at(const std::vector<double>& x, Index i, Index j) const {
        return is_edge(i) ? 0.0 : x[unknown(i, j)];
    }

    /// (A P)_j at a point: flow out of its cell less flow in, without what does not depend on unknowns.
    double product(const std::vector<double>& x, Index i, Index j) const {
        double sum = 0.0;
        for (Index k = 0; k < rows_; ++k) sum += axial_.stiffness(j, k) * pressure_at(x, i, k);
        sum *= area_[i];
        const Index left = closed_ && i == 0 ? points_ - 1 : i - 1;
        const double own = pressure_at(x, i, j), w = axial_.weights(j);
        sum += w * (own - pressure_at(x, left, j)) / stretch(left, j).I3;
        sum += w * (own - pressure_at(x, next(i), j)) / stretch(i, j).I3;
        return sum;
    }

    Band matrix() const;
    std::vector<double> load() const;
    void solve_pressure();
    void pivot(View<double, 2> guess);
    void move_ends();
    bool dry_negative();
    double move_row(Index j, bool enter);
    void move_right_end(Index i, Index j, double to);
    void move_left_end(Index i, Index j, double to);
    void set_ends(Index i, Index j, double from, double to);
    void renew_parts();

    /// ∂P/∂X_m, or ∂P/∂Ẋ_m with Ω = 1, of the film that stays where it is; zero at edges.
    std::vector<double> slope_of_pressure(int m, bool squeeze) const;
    double zero_crossing(Index i, Index j) const;
    double inflow() const;
    double side_flow() const;
    double drag() const;
    double row_drag(Index j, double& arriving) const;
    struct Sum;
    void add_cell(Sum& sum, Index i, Index j) const;
    void add_axial_bow(Sum& sum, Index i) const;

    Gap gap_;
    Pair edges_;
    bool closed_;
    Index cells_, rows_, points_;
    double start_, width_;
    const AxialPoints& axial_;
    std::vector<Stretch> whole_;
    std::vector<double> area_;              // H³ Δθ that carries axial flow
    std::vector<double> bow_weights_;       // (rows,): of the bow of P between points
    std::vector<char> wet_;                 // (points, rows): P > 0, or unknown
    std::vector<double> pressure_;          // (points, rows)
    std::vector<Pair> ends_;                // (cells, rows): of the film in a cell
    std::vector<Index> shortened_;          // (cells, rows): number of its own stretch, or −1
    std::vector<Stretch> parts_;
    bool positive_part_ = false;
    Index pivots_ = 0, moves_ = 0;
    bool converged_ = true;
};

// ---------------------------------------------------------------------- linear equations of the wet points

Band PadFilm::matrix() const {
    Band A(unknowns(), closed_ ? 2 * rows_ : rows_);
    for (Index i = first(); i < last(); ++i) {
        for (Index j = 0; j < rows_; ++j) {
            const Index row = unknown(i, j);
            if (!is_unknown(i, j)) {
                A(row, row) = 1.0;
                continue;
            }
            for (Index k = 0; k <= j; ++k) {
                if (is_unknown(i, k)) A(row, unknown(i, k)) += area_[i] * axial_.stiffness(j, k);
            }
        }
    }
    for (Index i = 0; i < cells_; ++i) {
        const Index right = next(i);
        for (Index j = 0; j < rows_; ++j) {
            const bool here = is_unknown(i, j), there = is_unknown(right, j);
            if (!here && !there) continue;
            const double a = axial_.weights(j) / stretch(i, j).I3;
            if (here) A(unknown(i, j), unknown(i, j)) += a;
            if (there) A(unknown(right, j), unknown(right, j)) += a;
            if (here && there) A(unknown(i, j), unknown(right, j)) -= a;
        }
    }
    A.factorise();
    return A;
}

/// Flow in less flow out of the cell of each point, at P = 0 of unknowns.
std::vector<double> PadFilm::load() const {
    std::vector<double> f(unknowns());
    for (Index i = 0; i < cells_; ++i) {
        const Index right = next(i);
        for (Index j = 0; j < rows_; ++j) {
            const Stretch& part = stretch(i, j);
            const double w = axial_.weights(j);
            const double known = (is_edge(right) ? P(right, j) : 0.0) - (is_edge(i) ? P(i, j) : 0.0);
            const double q = w * part.flow(known);
            if (!is_edge(i)) f[unknown(i, j)] -= q;
            if (!is_edge(right)) f[unknown(right, j)] += q;
        }
    }
    for (Index i = first(); i < last(); ++i) {
        for (Index j = 0; j < rows_; ++j) {
            if (!is_unknown(i, j)) f[unknown(i, j)] = 0.0;
        }
    }
    return f;
}

void PadFilm::solve_pressure() {
    std::vector<double> x = load();
    matrix().solve(x);
    for (Index i = first(); i < last(); ++i) {
        for (Index j = 0; j < rows_; ++j) pressure_[i * rows_ + j] = x[unknown(i, j)];
    }
}

// ---------------------------------------------------------------------- complementarity at the points

/// P ≥ 0, A P − f ≥ 0, Pᵀ(A P − f) = 0: all wrong signs change at once while their number falls, else one.
void PadFilm::pivot(View<double, 2> guess) {
    const bool known = std::any_of(guess.data, guess.data + guess.size(), [](double P) { return P > 0.0; });
    for (Index i = first(); i < last(); ++i) {
        for (Index j = 0; j < rows_; ++j) wet_[i * rows_ + j] = 1;
    }
    const std::vector<double> f = load();  // of all points
    for (Index i = first(); known && i < last(); ++i) {
        for (Index j = 0; j < rows_; ++j) wet_[i * rows_ + j] = guess(i, j) > 0.0;
    }
    Index fewest = std::numeric_limits<Index>::max();
    int patience = most_pivots;
    std::vector<Index> wrong;
    while (true) {
        ++pivots_;
        std::vector<double> x = f;
        for (Index i = first(); i < last(); ++i) {
            for (Index j = 0; j < rows_; ++j) {
                if (!is_unknown(i, j)) x[unknown(i, j)] = 0.0;
            }
        }
        matrix().solve(x);
        wrong.clear();
        for (Index i = first(); i < last(); ++i) {
            for (Index j = 0; j < rows_; ++j) {
                const Index n = unknown(i, j);
                const double value = is_unknown(i, j) ? x[n] : (product(x, i, j) - f[n]) / axial_.weights(j);
                if (value < -zero_pressure) wrong.push_back(i * rows_ + j);
            }
        }
        for (Index i = first(); i < last(); ++i) {
            for (Index j = 0; j < rows_; ++j) pressure_[i * rows_ + j] = x[unknown(i, j)];
        }
        if (wrong.empty()) return;
        if (pivots_ > most_single_pivots) {
            converged_ = false;
            return;
        }
        if (static_cast<Index>(wrong.size()) < fewest) {
            fewest = static_cast<Index>(wrong.size());
            patience = most_pivots;
        } else if (patience > 0) {
            --patience;
        }
        if (patience > 0) {
            for (Index place : wrong) wet_[place] = !wet_[place];
        } else {
            wet_[wrong.back()] = !wet_[wrong.back()];
        }
    }
}

// ---------------------------------------------------------------------- ends of the film within cells

void PadFilm::set_ends(Index i, Index j, double from, double to) { ends_[i * rows_ + j] = {from, to}; }

void PadFilm::renew_parts() {
    parts_.clear();
    std::fill(shortened_.begin(), shortened_.end(), Index{-1});
    for (Index i = 0; i < cells_; ++i) {
        for (Index j = 0; j < rows_; ++j) {
            const Pair& end = ends_[i * rows_ + j];
            if (!is_film(i, j) || (end[0] == at(i) && end[1] == at(i + 1))) continue;
            shortened_[i * rows_ + j] = static_cast<Index>(parts_.size());
            parts_.emplace_back(gap_, end[0], end[1]);
        }
    }
}

/// The film of point i ends to its right: in cell i, or further on.
void PadFilm::move_right_end(Index i, Index j, double to) {
    const double shortest = 1e-9 * width_;
    set_ends(i, j, ends_[i * rows_ + j][0], at(i + 1));
    if (to > at(i + 1) && !is_edge(next(i))) {  // into the next cell
        const Index right = next(i);
        wet_[right * rows_ + j] = 1;
        pressure_[right * rows_ + j] = 0.0;
        if (wet_[next(right) * rows_ + j]) {  // meets the next film
            set_ends(right, j, at(right), at(right + 1));
            return;
        }
        const double turn = at(right) - at(i + 1);  // a circle closed
        set_ends(right, j, at(right), std::clamp(to + turn, at(right) + shortest, at(right + 1)));
    } else if (to <= at(i) && !is_edge(i)) {  // into the cell before
        wet_[i * rows_ + j] = 0;
        pressure_[i * rows_ + j] = 0.0;
        set_ends(i, j, at(i), at(i + 1));
        const Index left = closed_ && i == 0 ? points_ - 1 : i - 1;
        if (!wet_[left * rows_ + j]) {
            set_ends(left, j, at(left), at(left + 1));  // the last point of this film, unless it begins at an edge
            return;
        }
        const double turn = at(left + 1) - at(i);
        set_ends(left, j, ends_[left * rows_ + j][0], std::clamp(to + turn, at(left) + shortest, at(left + 1)));
    } else {
        set_ends(i, j, ends_[i * rows_ + j][0], std::clamp(to, at(i) + shortest, at(i + 1)));
    }
}

/// The film of point i + 1 begins to its left: in cell i, or further back.
void PadFilm::move_left_end(Index i, Index j, double to) {
    const double shortest = 1e-9 * width_;
    const Index right = next(i);
    set_ends(i, j, at(i), ends_[i * rows_ + j][1]);
    if (to < at(i) && !is_edge(i)) {  // into the cell before
        wet_[i * rows_ + j] = 1;
        pressure_[i * rows_ + j] = 0.0;
        const Index left = closed_ && i == 0 ? points_ - 1 : i - 1;
        if (wet_[left * rows_ + j]) {
            set_ends(left, j, at(left), at(left + 1));
            return;
        }
        const double turn = at(left + 1) - at(i);
        set_ends(left, j, std::clamp(to + turn, at(left), at(left + 1) - shortest), at(left + 1));
    } else if (to >= at(i + 1) && !is_edge(right)) {  // into the next cell
        wet_[right * rows_ + j] = 0;
        pressure_[right * rows_ + j] = 0.0;
        set_ends(i, j, at(i), at(i + 1));
        if (!wet_[next(right) * rows_ + j]) {
            set_ends(right, j, at(right), at(right + 1));
            return;
        }
        const double turn = at(right) - at(i + 1);
        const double from = std::clamp(to + turn, at(right), at(right + 1) - shortest);
        set_ends(right, j, from, ends_[right * rows_ + j][1]);
    } else {
        set_ends(i, j, std::clamp(to, at(i), at(i + 1) - shortest), ends_[i * rows_ + j][1]);
    }
}

/// Move the ends of the films of a row to H = Q; the largest move in cells. An end stays at an edge.
double PadFilm::move_row(Index j, bool enter) {
    struct Move {
        Index cell;
        bool right;
        double to;
    };
    std::vector<Move> moves;
    double largest = 0.0;
    for (Index i = 0; i < cells_; ++i) {
        const bool here = wet_[i * rows_ + j], there = wet_[next(i) * rows_ + j];
        if (here == there) continue;
        const bool right = here;
        const double end = ends_[i * rows_ + j][right ? 1 : 0];
        const double Q = flow(i, j), H = gap_.height(end), slope = gap_.slope(end);
        const bool reached = right ? is_edge(next(i)) && end == at(i + 1) : is_edge(i) && end == at(i);
        if (reached && (right ? Q >= H : Q <= H || slope <= 0.0)) continue;
        if (slope <= 0.0) continue;  // a film that becomes thinner does not end
        double to = end + std::clamp((Q - H) / slope, -width_, width_);
        if (!enter) to = std::clamp(to, at(i), at(i + 1));
        largest = std::max(largest, std::abs(to - end) / width_);
        moves.push_back({i, right, to});
    }
    for (const Move& move : moves) {
        const bool here = wet_[move.cell * rows_ + j], there = wet_[next(move.cell) * rows_ + j];
        if (here == there) continue;  // another end came here
        if (move.right) {
            move_right_end(move.cell, j, move.to);
        } else {
            move_left_end(move.cell, j, move.to);
        }
    }
    return largest;
}

/// Points whose pressure fell below zero where films met are cavities again; whether there were any.
bool PadFilm::dry_negative() {
    const double least = -1e-9 * *std::max_element(pressure_.begin(), pressure_.end()) - zero_pressure;
    bool found = false;
    for (Index i = first(); i < last(); ++i) {
        for (Index j = 0; j < rows_; ++j) {
            const Index place = i * rows_ + j;
            if (!wet_[place] || pressure_[place] >= least) continue;
            const Index left = closed_ && i == 0 ? points_ - 1 : i - 1;
            wet_[place] = 0;
            pressure_[place] = 0.0;
            set_ends(left, j, at(left), at(left + 1));
            set_ends(i, j, at(i), at(i + 1));
            found = true;
        }
    }
    return found;
}

void PadFilm::move_ends() {
    const std::vector<char> wet = wet_;
    const std::vector<double> pressure = pressure_;
    const double rounding = 1e-13 / (width_ * std::hypot(gap_.X[0], gap_.X[1]) + 1e-300);  // of (Q − H)/H'
    for (moves_ = 0; moves_ < most_moves; ++moves_) {
        double largest = 0.0;
        for (Index j = 0; j < rows_; ++j) largest = std::max(largest, move_row(j, moves_ < free_moves));
        renew_parts();
        solve_pressure();
        if (!dry_negative() && largest <= end_tolerance + rounding) return;
    }
    // the solution at the points remains
    converged_ = false;
    wet_ = wet;
    pressure_ = pressure;
    for (Index i = 0; i < cells_; ++i) {
        for (Index j = 0; j < rows_; ++j) set_ends(i, j, at(i), at(i + 1));
    }
    renew_parts();
}

// ---------------------------------------------------------------------- forces and their derivatives

std::vector<double> PadFilm::slope_of_pressure(int m, bool squeeze) const {
    std::vector<double> x(unknowns());
    for (Index i = 0; i < cells_; ++i) {
        const Index right = next(i);
        for (Index j = 0; j < rows_; ++j) {
            if (!is_unknown(i, j) && !is_unknown(right, j)) continue;
            const Stretch& part = stretch(i, j);
            // of Q at given P; of the flow q + 2Ẋ·e⊥ at given P
            const double dQ = squeeze ? -2.0 * part.J3[m] / part.I3
                                      : (part.dI2[m] - flow(i, j) * part.dI3[m]) / part.I3;
            const double w = axial_.weights(j);
            if (!is_edge(i)) x[unknown(i, j)] -= w * dQ;
            if (!is_edge(right)) x[unknown(right, j)] += w * dQ;
        }
    }
    for (Index i = first(); i < last(); ++i) {
        const double H = gap_.height(at(i)), dH = m == 0 ? -std::cos(at(i)) : -std::sin(at(i));
        for (Index j = 0; j < rows_; ++j) {
            if (!is_unknown(i, j)) {
                x[unknown(i, j)] = 0.0;
            } else if (!squeeze) {
                double sum = 0.0;
                for (Index k = 0; k < rows_; ++k) sum += axial_.stiffness(j, k) * P(i, k);
                x[unknown(i, j)] -= 3.0 * width_ * H * H * dH * sum;
            }
        }
    }
    return x;
}

/// ∫P e of a film and its derivatives, row by row and cell by cell.
struct PadFilm::Sum {
    std::array<std::vector<double>, 4> slopes;  // ∂P/∂X and ∂P/∂Ẋ
    Pair integral{};
    Square by_position{}, by_velocity{};
};

/// Where P = P_i + ΔP ∫H⁻³/I₃ of a cell is zero, between ends of opposite sign.
double PadFilm::zero_crossing(Index i, Index j) const {
    const double wanted = stretch(i, j).I3 * P(i, j) / (P(i, j) - P(next(i), j));
    double low = at(i), high = at(i + 1);
    double theta = low + (high - low) * P(i, j) / (P(i, j) - P(next(i), j));
    for (int step = 0; step < 60; ++step) {
        const double value = Stretch(gap_, at(i), theta).I3 - wanted;
        (value < 0.0 ? low : high) = theta;
        const double newton = theta - value * std::pow(gap_.height(theta), 3);
        const double to = newton > low && newton < high ? newton : 0.5 * (low + high);
        if (std::abs(to - theta) <= 1e-15 * (1.0 + std::abs(theta))) return to;
        theta = to;
    }
    return theta;
}

/// ∫P e and its derivatives over a cell, from P = P_i + ΔP ∫H⁻³/I₃ and from the bow between the points.
///
/// ∫P e = [P e⊥] − ∫P' e⊥, where P' = (H − Q)/H³ = ΔP/(I₃H³) + (H − I₂/I₃)/H³.
void PadFilm::add_cell(Sum& sum, Index i, Index j) const {
    if (!is_film(i, j)) return;
    const Index right = next(i);
    const double left_P = P(i, j), right_P = P(right, j);
    const Stretch& cell = stretch(i, j);
    Pair end = ends_[i * rows_ + j];
    Stretch cut;
    const Stretch* part = &cell;
    bool from_left = true, to_right = true;
    if (positive_part_) {
        if (left_P <= zero_pressure && right_P <= zero_pressure) return;
        if (left_P < -zero_pressure || right_P < -zero_pressure) {
            from_left = left_P > right_P;
            to_right = !from_left;
            end[from_left ? 1 : 0] = zero_crossing(i, j);
            cut = Stretch(gap_, end[0], end[1]);
            part = &cut;
        }
    }
    const bool bowed = part == &cell;
    const Pair e_left = integral_of_e(end[0]), e_right = integral_of_e(end[1]);
    const double w = axial_.weights(j);
    // at the end of a film the whole, so that it depends on that end in second order only
    const double bow = !bowed ? 0.0 : shortened_[i * rows_ + j] < 0 ? bow_weights_[j] : w;
    const double slope = (right_P - left_P) / cell.I3;
    for (int k = 0; k < 2; ++k) {
        double integral = -slope * part->J3[k];
        if (to_right) integral += right_P * e_right[k];
        if (from_left) integral -= left_P * e_left[k];
        sum.integral[k] += w * integral - bow * (cell.J2[k] - cell.I2 * cell.J3[k] / cell.I3);
    }
    for (int m = 0; m < 2; ++m) {
        for (bool squeeze : {false, true}) {
            const std::vector<double>& dP = sum.slopes[m + (squeeze ? 2 : 0)];
            const double d_left = is_edge(i) ? 0.0 : dP[unknown(i, j)];
            const double d_right = is_edge(right) ? 0.0 : dP[unknown(right, j)];
            double d_slope = (d_right - d_left) / cell.I3, d_rise = d_slope * part->I3;
            if (!squeeze) {
                d_slope -= slope * cell.dI3[m] / cell.I3;
                d_rise = d_slope * part->I3 + slope * part->dI3[m];
            }
            const double at_left = from_left ? d_left : d_right - d_rise, at_right = at_left + d_rise;
            for (int k = 0; k < 2; ++k) {
                double integral = at_right * e_right[k] - at_left * e_left[k] - d_slope * part->J3[k];
                double of_bow = 0.0;
                if (squeeze) {
                    of_bow = 2.0 * (cell.G[k][m] - cell.J3[k] * cell.J3[m] / cell.I3);
                } else {
                    integral -= slope * part->dJ3[k][m];
                    of_bow = -cell.dJ2[k][m] + (cell.dI2[m] * cell.J3[k] + cell.I2 * cell.dJ3[k][m]) / cell.I3 -
                             cell.I2 * cell.J3[k] * cell.dI3[m] / (cell.I3 * cell.I3);
                }
                (squeeze ? sum.by_velocity : sum.by_position)[k][m] += w * integral + bow * of_bow;
            }
        }
    }
}

/// What axial flow takes from the bow between the points: ∂²P/∂Z² Δθ³/12 e at each of them.
void PadFilm::add_axial_bow(Sum& sum, Index i) const {
    const double theta = at(i), share = (is_edge(i) ? 0.5 : 1.0) * width_ * width_ * width_ / 12.0;
    const Pair e{std::cos(theta), std::sin(theta)};
    std::vector<double> weights(rows_);  // of P of the rows
    for (Index j = 0; j < rows_; ++j) {
        if (positive_part_ && P(i, j) <= 0.0) continue;
        for (Index k = 0; k < rows_; ++k) {
            weights[k] -= share * bow_weights_[j] / axial_.weights(j) * axial_.stiffness(j, k);
        }
    }
    for (Index j = 0; j < rows_; ++j) {
        for (int k = 0; k < 2; ++k) {
            sum.integral[k] += e[k] * weights[j] * P(i, j);
            for (int m = 0; m < 2 && !is_edge(i); ++m) {
                sum.by_position[k][m] += e[k] * weights[j] * sum.slopes[m][unknown(i, j)];
                sum.by_velocity[k][m] += e[k] * weights[j] * sum.slopes[m + 2][unknown(i, j)];
            }
        }
    }
}

/// Of half the length, where the pad begins.
double PadFilm::inflow() const {
    double sum = axial_.end_weight * gap_.height(at(0));
    for (Index j = 0; j < rows_; ++j) {
        const bool film = is_film(0, j) && ends_[j][0] == at(0);
        sum += axial_.weights(j) * (film ? flow(0, j) : gap_.height(at(0)));
    }
    return sum;
}

/// Out of one side: at the points of the film what balances the flow of the end of the bearing, where P = 0.
double PadFilm::side_flow() const {
    double sum = 0.0;
    for (Index i = 0; i < points_; ++i) {
        double out = 0.0, largest = 0.0;
        for (Index j = 0; j < rows_; ++j) {
            largest = std::max(largest, std::abs(P(i, j)));
            for (Index k = 0; k < rows_; ++k) out += axial_.stiffness(j, k) * P(i, k);
        }
        if (largest == 0.0) continue;
        out *= area_[i] * (is_edge(i) ? 0.5 : 1.0);
        const double from = is_edge(i) && i == 0 ? at(0) : at(i) - 0.5 * width_;
        const double to = is_edge(i) && i > 0 ? at(i) : at(i) + 0.5 * width_;
        out += axial_.end_weight * (gap_.height(from) - gap_.height(to));
        if (out > 0.0 || !positive_part_) sum += out;
    }
    return sum;
}

/// ∫(filled share)/H of a row from its first point on. Behind a film streamers carry the flow that arrives, so
/// that they fill arriving/H of the gap; a pad is full where it begins.
double PadFilm::row_drag(Index j, double& arriving) const {
    double sum = 0.0;
    const auto streamers = [&](const Stretch& part, double middle) {
        return arriving < gap_.height(middle) ? arriving * part.I2 : part.I1;
    };
    for (Index i = 0; i < cells_; ++i) {
        if (!is_film(i, j)) {
            sum += streamers(whole_[i], at(i) + 0.5 * width_);
            continue;
        }
        const Pair& end = ends_[i * rows_ + j];
        if (end[0] > at(i)) sum += streamers(Stretch(gap_, at(i), end[0]), 0.5 * (at(i) + end[0]));
        sum += stretch(i, j).I1;
        arriving = gap_.height(end[1]);
        if (end[1] < at(i + 1)) sum += streamers(Stretch(gap_, end[1], at(i + 1)), 0.5 * (end[1] + at(i + 1)));
    }
    return sum;
}

/// Of half the length; the end of the bearing is filled as the row beside it.
double PadFilm::drag() const {
    double sum = 0.0;
    for (Index j = 0; j < rows_; ++j) {
        double arriving = gap_.height(at(0));
        if (closed_) row_drag(j, arriving);  // what arrives after a turn
        const double w = axial_.weights(j) + (j + 1 == rows_ ? axial_.end_weight : 0.0);
        sum += w * row_drag(j, arriving);
    }
    return sum;
}

void PadFilm::write(const PadFilms& found, Index pad) const {
    Sum sum;
    const Band A = matrix();
    for (int n = 0; n < 4; ++n) {
        sum.slopes[n] = slope_of_pressure(n % 2, n >= 2);
        A.solve(sum.slopes[n]);
    }
    for (Index i = 0; i < cells_; ++i) {
        for (Index j = 0; j < rows_; ++j) add_cell(sum, i, j);
    }
    for (Index i = 0; i < points_; ++i) add_axial_bow(sum, i);
    for (int k = 0; k < 2; ++k) {
        found.forces(pad, k) = -2.0 * sum.integral[k];
        for (int m = 0; m < 2; ++m) {
            found.stiffness(pad, k, m) = 2.0 * sum.by_position[k][m];
            found.damping(pad, k, m) = 2.0 * sum.by_velocity[k][m];
        }
    }
    found.flows(pad, 0) = 2.0 * inflow();
    found.flows(pad, 1) = 2.0 * side_flow();
    found.drags(pad) = 2.0 * drag();
    for (Index i = 0; i <= cells_; ++i) {
        for (Index j = 0; j < rows_; ++j) found.pressures(pad, i, j) = P(closed_ && i == cells_ ? 0 : i, j);
    }
    found.counts(pad, 0) = pivots_;
    found.counts(pad, 1) = moves_;
    found.counts(pad, 2) = converged_;
}

}  // namespace

void solve_pads(const Pads& pads, const AxialPoints& axial, Cavitation cavitation, const PadFilms& found) {
    const Index cells = found.pressures.shape[1] - 1;
    for (Index pad = 0; pad < pads.arcs.count(); ++pad) {
        PadFilm film(
            {pads.arcs(pad, 0), pads.arcs(pad, 1)}, {pads.edges(pad, 0), pads.edges(pad, 1)},
            {pads.positions(pad, 0), pads.positions(pad, 1)}, pads.closed, cells, axial);
        film.solve(cavitation, found.pressures(pad));
        film.write(found, pad);
    }
}

}  // namespace flexframe
