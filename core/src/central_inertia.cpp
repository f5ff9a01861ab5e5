#include "flexframe/central_inertia.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "flexframe/shapes.hpp"

namespace flexframe {

namespace {

/// A table that is the same at all points: rows of `columns` numbers, `stride` apart.
struct Table {
    const double* data;
    Index rows, columns, stride;
};

/// out_r += Σ_t A_rt x_t; four rows share what is read of x, by reference since a copy would pass through memory.
void add_product(const Table& A, const Points* x, Points* out) {
    Index r = 0;
    for (; r + 4 <= A.rows; r += 4) {
        const double* row = A.data + r * A.stride;
        Points first = out[r], second = out[r + 1], third = out[r + 2], fourth = out[r + 3];
        for (Index t = 0; t < A.columns; ++t) {
            const Points& factor = x[t];
            first += row[t] * factor;
            second += row[A.stride + t] * factor;
            third += row[2 * A.stride + t] * factor;
            fourth += row[3 * A.stride + t] * factor;
        }
        out[r] = first;
        out[r + 1] = second;
        out[r + 2] = third;
        out[r + 3] = fourth;
    }
    for (; r < A.rows; ++r) {
        const double* row = A.data + r * A.stride;
        Points total = out[r];
        for (Index t = 0; t < A.columns; ++t) total += row[t] * x[t];
        out[r] = total;
    }
}

void clear(std::vector<Points>& values) { std::fill(values.begin(), values.end(), Points::Zero()); }

/// Cholesky's M = G Gᵀ in place in the lower half, with 1/G_jj on the diagonal; NaN or infinite where M is not
/// positive definite.
void factorise(Points* M, Index size) {
    for (Index j = 0; j < size; ++j) {
        Points* pivot_row = M + j * size;
        Points pivot = pivot_row[j];
        for (Index k = 0; k < j; ++k) pivot -= pivot_row[k] * pivot_row[k];
        const Points inverse = 1.0 / pivot.sqrt();
        pivot_row[j] = inverse;
        for (Index i = j + 1; i < size; ++i) {
            Points* row = M + i * size;
            Points total = row[j];
            for (Index k = 0; k < j; ++k) total -= row[k] * pivot_row[k];
            row[j] = total * inverse;
        }
    }
}

/// x ← M⁻¹ x with the factor of M.
void solve_factorised(const Points* G, Index size, Points* x) {
    for (Index i = 0; i < size; ++i) {
        Points total = x[i];
        for (Index k = 0; k < i; ++k) total -= G[i * size + k] * x[k];
        x[i] = total * G[i * size + i];
    }
    for (Index i = size - 1; i >= 0; --i) {
        const Points value = x[i] * G[i * size + i];
        x[i] = value;
        for (Index k = 0; k < i; ++k) x[k] -= G[i * size + k] * value;
    }
}

}  // namespace

void CentralInertia::require_shapes() const {
    const Index m = coordinates, n = fields;
    if (n < m) throw std::invalid_argument("a body has at least as many fields as coordinates");
    require_length(frequencies, m, "frequencies");
    require_length(second_moment, 9, "second_moment");
    require_length(position_coupling, 9 * n, "position_coupling");
    require_length(shape_products, 9 * n * n, "shape_products");
    require_length(rate_products, 4 * n * n, "rate_products");
    require_length(products, (n - m) * m * m, "products");
    require_length(stiffness, m * m, "stiffness");
    require_length(damping, m * m, "damping");
}

Hamiltonian::Hamiltonian(CentralInertia body) : body_(std::move(body)) {
    body_.require_shapes();
    const Index m = body_.coordinates, n = body_.fields;
    const auto room = [](Index length) {
        return std::vector<Points>(static_cast<std::size_t>(length), Points::Zero());
    };
    eta_ = eta_rate_ = by_place_ = room(n);
    slopes_ = slope_rates_ = leaning_ = room(m * (n - m));
    arms_ = room(9 * n);
    turning_ = room(3 * n);
    mass_ = room((3 + m) * (3 + m));
    velocities_ = room(3 + m);
    mixed_ = room(4 * n);
    by_rate_ = room(n - m);
}

// η = (z, ½ zᵀZ_j z) and ∂η_j/∂z_r = Σ_t Z_j,rt z_t .
void Hamiltonian::place_fields(const Points* z) {
    const Index m = body_.coordinates, k = body_.fields - m;
    clear(slopes_);
    add_product({body_.products.data(), m * k, m, m}, z, slopes_.data());
    clear(eta_);
    for (Index r = 0; r < m; ++r) {
        eta_[r] = z[r];
        for (Index j = 0; j < k; ++j) eta_[m + j] += 0.5 * slopes_[r * k + j] * z[r];
    }
}

// P_ab = X_ab + Y_abᵀη and ∫ρ (ξ × F)_a = P_bc − P_cb, with ξ = x + u and a, b, c cyclic.
void Hamiltonian::find_arms() {
    const Index n = body_.fields;
    for (Index r = 0; r < 9 * n; ++r) arms_[r].setConstant(body_.position_coupling[r]);
    add_product({body_.shape_products.data(), 9 * n, n, n}, eta_.data(), arms_.data());
    for (Index a = 0; a < 3; ++a) {
        const Index b = (a + 1) % 3, c = (a + 2) % 3;
        const Points *P_bc = arms_.data() + (3 * b + c) * n, *P_cb = arms_.data() + (3 * c + b) * n;
        for (Index r = 0; r < n; ++r) turning_[a * n + r] = P_bc[r] - P_cb[r];
    }
}

// I_c = tr 𝒥 − 𝒥, with 𝒥 = ∫ρ ξ ξᵀ = J + X_ab·η + P_ba·η .
void Hamiltonian::fill_rigid_mass() {
    const Index n = body_.fields, size = 3 + body_.coordinates;
    for (Index a = 0; a < 3; ++a) {
        for (Index b = 0; b <= a; ++b) {
            Points total = Points::Constant(body_.second_moment[3 * a + b]);
            const double* X = body_.position_coupling.data() + (3 * a + b) * n;
            const Points* P = arms_.data() + (3 * b + a) * n;
            for (Index r = 0; r < n; ++r) total += (X[r] + P[r]) * eta_[r];
            mass_[a * size + b] = -total;
        }
    }
    const Points trace = -(mass_[0] + mass_[size + 1] + mass_[2 * size + 2]);
    for (Index a = 0; a < 3; ++a) mass_[a * size + a] += trace;
}

// M_r = ∫ρ (ξ × F) ∂η/∂z .
void Hamiltonian::fill_coupling() {
    const Index m = body_.coordinates, n = body_.fields, k = n - m, size = 3 + m;
    for (Index r = 0; r < m; ++r) {
        for (Index a = 0; a < 3; ++a) {
            const Points* turning = turning_.data() + a * n;
            Points total = turning[r];
            for (Index j = 0; j < k; ++j) total += slopes_[r * k + j] * turning[m + j];
            mass_[(3 + r) * size + a] = total;
        }
    }
}

// m_c = [1, Sᵀ] 𝓜 [1; S] = 𝓜₁₁ + ½ (SᵀW + WᵀS), with the field mass 𝓜 in parts and W = 𝓜₂₂S + 2𝓜₂₁ .
void Hamiltonian::fill_elastic_mass() {
    const Index m = body_.coordinates, n = body_.fields, k = n - m, size = 3 + m;
    const double* field_mass = body_.rate_products.data() + 3 * n * n;
    const Table squares{field_mass + m * n + m, k, k, n};
    for (Index r = 0; r < m; ++r) {
        Points* W = leaning_.data() + r * k;
        for (Index j = 0; j < k; ++j) W[j].setConstant(2.0 * field_mass[(m + j) * n + r]);
        add_product(squares, slopes_.data() + r * k, W);
    }
    for (Index r = 0; r < m; ++r) {
        const Points *S_r = slopes_.data() + r * k, *W_r = leaning_.data() + r * k;
        for (Index t = 0; t <= r; ++t) {
            const Points *S_t = slopes_.data() + t * k, *W_t = leaning_.data() + t * k;
            Points total = Points::Zero();
            for (Index j = 0; j < k; ++j) total += S_r[j] * W_t[j] + W_r[j] * S_t[j];
            mass_[(3 + r) * size + 3 + t] = field_mass[r * n + t] + 0.5 * total;
        }
    }
}

// A planar body turns about z alone: the other two axes have a mass of one and no coupling.
void Hamiltonian::keep_plane() {
    const Index size = 3 + body_.coordinates;
    for (Index row = 0; row < size; ++row) {
        for (Index axis = 0; axis < 2; ++axis) mass_[row * size + axis].setConstant(row == axis ? 1.0 : 0.0);
    }
}

// (ω, ż) = M_c⁻¹ (L, p), and η̇ = (ż, S ż).
void Hamiltonian::solve_velocities(const Points* L, const Points* p) {
    const Index m = body_.coordinates, k = body_.fields - m, size = 3 + m;
    for (Index a = 0; a < 3; ++a) velocities_[a] = L[a];
    for (Index r = 0; r < m; ++r) velocities_[3 + r] = p[r];
    factorise(mass_.data(), size);
    solve_factorised(mass_.data(), size, velocities_.data());
    clear(eta_rate_);
    for (Index r = 0; r < m; ++r) {
        eta_rate_[r] = velocities_[3 + r];
        for (Index j = 0; j < k; ++j) eta_rate_[m + j] += slopes_[r * k + j] * velocities_[3 + r];
    }
}

// ∂T/∂η = ∫ρ (ω × ξ + u̇)·(ω × F) = Σ (ω² δ_ab − ω_a ω_b) P_ab + Σ ω_a C_aᵀη̇,
// ∂T/∂η̇ = ∫ρ (ω × ξ + u̇)·F = Σ ω_a ∫ρ (ξ × F)_a + 𝓜 η̇ .
void Hamiltonian::differentiate_kinetic_energy() {
    const Index m = body_.coordinates, n = body_.fields, k = n - m;
    const Points* omega = velocities_.data();
    const double* C = body_.rate_products.data();
    clear(mixed_);
    add_product({C, 3 * n, n, n}, eta_rate_.data(), mixed_.data());
    add_product({C + (3 * n + m) * n, k, n, n}, eta_rate_.data(), mixed_.data() + 3 * n + m);
    const Points square = omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2];
    Points factors[9];
    for (Index a = 0; a < 3; ++a) {
        for (Index b = 0; b < 3; ++b) factors[3 * a + b] = -omega[a] * omega[b];
        factors[4 * a] += square;
    }
    for (Index r = 0; r < n; ++r) {
        Points total = omega[0] * mixed_[r] + omega[1] * mixed_[n + r] + omega[2] * mixed_[2 * n + r];
        for (Index ab = 0; ab < 9; ++ab) total += factors[ab] * arms_[ab * n + r];
        by_place_[r] = total;
    }
    for (Index r = m; r < n; ++r) {
        Points total = mixed_[3 * n + r];
        for (Index a = 0; a < 3; ++a) total += omega[a] * turning_[a * n + r];
        by_rate_[r - m] = total;
    }
}

// ∂H/∂L = ω,  ∂H/∂p = ż,  ∂H/∂z_r = (k z)_r − ∂T/∂η_r − Σ_j (∂T/∂η_j S_jr + ∂T/∂η̇_j Ṡ_jr) .
Points Hamiltonian::evaluate(const Points* state, Points* gradient) {
    const Index m = body_.coordinates, k = body_.fields - m;
    const Points *L = state, *z = state + 3, *p = state + 3 + m;
    place_fields(z);
    find_arms();
    fill_rigid_mass();
    fill_coupling();
    fill_elastic_mass();
    if (body_.planar) keep_plane();
    solve_velocities(L, p);
    differentiate_kinetic_energy();
    clear(slope_rates_);
    add_product({body_.products.data(), m * k, m, m}, velocities_.data() + 3, slope_rates_.data());
    Points energy = Points::Zero();
    for (Index a = 0; a < 3; ++a) {
        gradient[a] = velocities_[a];
        energy += 0.5 * velocities_[a] * L[a];
    }
    Points* force = gradient + 3 + m;
    std::fill(force, force + m, Points::Zero());
    add_product({body_.stiffness.data(), m, m, m}, z, force);
    for (Index r = 0; r < m; ++r) {
        gradient[3 + r] = velocities_[3 + r];
        energy += 0.5 * (velocities_[3 + r] * p[r] + force[r] * z[r]);
        force[r] -= by_place_[r];
        for (Index j = 0; j < k; ++j) {
            force[r] -= by_place_[m + j] * slopes_[r * k + j] + by_rate_[j] * slope_rates_[r * k + j];
        }
    }
    return energy;
}

}  // namespace flexframe
