// Bodies of mass points with random fields: every integral is a sum over the points.
#pragma once

#include <cmath>
#include <vector>

#include "flexframe/bodies.hpp"
#include "random.hpp"

namespace flexframe::tests {

/// Points at ξ = x + F η(δ), η = (δ, z), z_j = ½ δᵀZ_j δ.
struct Cloud {
    std::vector<double> masses;
    std::vector<Vector3> places;
    std::vector<Matrix> shapes;    // F of each point: (3, n)
    std::vector<Matrix> products;  // Z_j: (m, m)
    Index coordinates = 0;

    Cloud(Random& random, Index points, Index m, Index k) : coordinates(m) {
        for (Index p = 0; p < points; ++p) {
            masses.push_back(1.0 + 0.5 * random.number());
            places.push_back(random.vector3());
            shapes.push_back(random.matrix(3, m + k));
        }
        for (Index j = 0; j < k; ++j) {
            const Matrix Z = random.matrix(m, m);
            products.push_back(Z + Z.transpose());
        }
    }

    Index fields() const { return coordinates + static_cast<Index>(products.size()); }
    Index points() const { return static_cast<Index>(masses.size()); }

    BodyIntegrals integrals() const {
        const Index m = coordinates, n = fields();
        BodyIntegrals out;
        out.coordinates = m;
        out.fields = n;
        out.origin_coupling.setZero(n, 3);
        out.position_coupling.setZero(n, 9);
        out.shape_products.setZero(9 * n, n);
        for (Index p = 0; p < points(); ++p) {
            const double w = masses[p];
            const Vector3& x = places[p];
            const Matrix& F = shapes[p];
            out.mass += w;
            out.first_moment += w * x;
            out.second_moment += w * x * x.transpose();
            out.origin_coupling += w * F.transpose();
            for (int a = 0; a < 3; ++a) {
                for (int b = 0; b < 3; ++b) {
                    out.position_coupling.col(3 * a + b) += w * x[b] * F.row(a).transpose();
                    out.shape_products.middleRows((3 * a + b) * n, n) += w * F.row(a).transpose() * F.row(b);
                }
            }
        }
        out.products.setZero((n - m) * m, m);
        for (Index j = 0; j < n - m; ++j) out.products.middleRows(j * m, m) = products[j];
        out.stiffness.setZero(m, m);
        out.damping.setZero(m, m);
        out.quartic_forms.setZero(0, m);
        out.derive();
        return out;
    }

    /// η of a deformation.
    Vector fields_at(const Vector& delta) const {
        Vector eta(fields());
        eta.head(coordinates) = delta;
        for (std::size_t j = 0; j < products.size(); ++j) {
            eta[coordinates + static_cast<Index>(j)] = 0.5 * delta.dot(products[j] * delta);
        }
        return eta;
    }

    /// ∂η/∂δ = [1; Z(δ)]: (n, m).
    Matrix field_slopes(const Vector& delta) const {
        Matrix out(fields(), coordinates);
        out.topRows(coordinates).setIdentity();
        for (std::size_t j = 0; j < products.size(); ++j) {
            out.row(coordinates + static_cast<Index>(j)) = (products[j] * delta).transpose();
        }
        return out;
    }

    /// ξ of a point.
    Vector3 place(Index p, const Vector& delta) const { return places[p] + shapes[p] * fields_at(delta); }

    /// ∂(velocity of a point)/∂(v, ω, δ̇) = [1, −ξ̃, F ∂η/∂δ]: (3, 6 + m).
    Matrix partial(Index p, const Vector& delta) const {
        Matrix out(3, 6 + coordinates);
        out.leftCols<3>().setIdentity();
        out.middleCols<3>(3) = -skew(place(p, delta));
        out.rightCols(coordinates) = shapes[p] * field_slopes(delta);
        return out;
    }

    /// Acceleration of a point: a_O + ε × ξ + ω × (ω × ξ) + 2 ω × ξ̇ + ξ̈, with a_O = v̇ + ω × v.
    Vector3 acceleration(Index p, const Vector& delta, const Vector& u, const Vector& u_rate) const {
        const Vector3 v = u.head<3>(), w = u.segment<3>(3), e = u_rate.segment<3>(3);
        const Vector rate = u.tail(coordinates);
        Vector eta_second = field_slopes(delta) * u_rate.tail(coordinates);
        for (std::size_t j = 0; j < products.size(); ++j) {
            eta_second[coordinates + static_cast<Index>(j)] += rate.dot(products[j] * rate);
        }
        const Vector3 xi = place(p, delta), xi_rate = shapes[p] * (field_slopes(delta) * rate);
        const Vector3 a = Vector3(u_rate.head<3>()) + w.cross(v);
        return a + e.cross(xi) + w.cross(w.cross(xi)) + 2.0 * w.cross(xi_rate) + shapes[p] * eta_second;
    }
};

}  // namespace flexframe::tests
