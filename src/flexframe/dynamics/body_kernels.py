"""Inertia of one body in compiled loops: what its accelerations and velocities demand, and its mass matrix.

With η = (δ, z), z_j = ½ δᵀZ_j δ, A = ε̃ + ω̃², a = v̇ + ω × v − g, ξ = x + F η and all integrals on the fields F

    force   m a + A s + 2 ω × M_O η̇ + M_O η̈,
    moment  s × a + I ε + ω × I ω + 2 (tr G − Gᵀ) ω + M_r η̈,
    fields  M_Oᵀ a + A_mk (X_km + Y_mk η) + 2 ω_a C_a η̇ + m η̈,

and the forces on δ are those on the fields times ∂η/∂δ = [1; Z(δ)]. Gravity enters as −g beside the acceleration.
"""

from typing import Any

from flexframe.dynamics.compiling import fast_inner
from flexframe.dynamics.vector_kernels import cross, symmetric_times


@fast_inner
def _field_motion(  # noqa: PLR0917
    m: int, n: int, products: Any, delta: Any, rates: Any, accelerations: Any, eta: Any, slopes: Any
) -> None:
    """η, η̇, η̈ and Z(δ) from δ and the local velocities and accelerations."""
    for r in range(m):
        eta[0, r] = delta[r]
        eta[1, r] = rates[6 + r]
        eta[2, r] = accelerations[6 + r]
    for j in range(n - m):
        Z = products[j]
        half, rate, second = 0.0, 0.0, 0.0
        for r in range(m):
            slope, turn = 0.0, 0.0
            for t in range(m):
                slope += Z[r, t] * delta[t]
                turn += Z[r, t] * rates[6 + t]
            slopes[j, r] = slope
            half += slope * delta[r]
            rate += slope * rates[6 + r]
            second += slope * accelerations[6 + r] + turn * rates[6 + r]
        eta[0, m + j] = 0.5 * half
        eta[1, m + j] = rate
        eta[2, m + j] = second


@fast_inner
def _dot(a: Any, b: Any, count: int) -> float:
    total = 0.0
    for i in range(count):
        total += a[i] * b[i]
    return total


@fast_inner
def _moments(n: int, S: Any, J: Any, M_O: Any, X: Any, Y: Any, eta: Any, moved: Any) -> Any:  # noqa: PLR0917
    """s and 𝒥 of the deformed body; Y η is left in `moved`."""
    for a in range(3):
        for c in range(a, 3):
            for r in range(n):
                moved[a, c, r] = 0.0
                moved[c, a, r] = 0.0
            block = Y[a, c]
            for r in range(n):
                total = 0.0
                for t in range(n):
                    total += block[r, t] * eta[t]
                moved[a, c, r] = total
            if c > a:
                for r in range(n):
                    part = eta[r]
                    for t in range(n):
                        moved[c, a, t] += block[r, t] * part
    s = (
        S[0] + _dot(M_O[0], eta, n),
        S[1] + _dot(M_O[1], eta, n),
        S[2] + _dot(M_O[2], eta, n),
    )
    J00 = J[0, 0] + 2.0 * _dot(X[0, 0], eta, n) + _dot(moved[0, 0], eta, n)
    J11 = J[1, 1] + 2.0 * _dot(X[1, 1], eta, n) + _dot(moved[1, 1], eta, n)
    J22 = J[2, 2] + 2.0 * _dot(X[2, 2], eta, n) + _dot(moved[2, 2], eta, n)
    J01 = J[0, 1] + _dot(X[0, 1], eta, n) + _dot(X[1, 0], eta, n) + _dot(moved[0, 1], eta, n)
    J02 = J[0, 2] + _dot(X[0, 2], eta, n) + _dot(X[2, 0], eta, n) + _dot(moved[0, 2], eta, n)
    J12 = J[1, 2] + _dot(X[1, 2], eta, n) + _dot(X[2, 1], eta, n) + _dot(moved[1, 2], eta, n)
    return s, (J11 + J22, -J01, -J02, J00 + J22, -J12, J00 + J11)  # I: xx, xy, xz, yy, yz, zz


@fast_inner
def body_inertia(  # noqa: PLR0912, PLR0917
    bodies: Any, b: int, delta: Any, rates: Any, accelerations: Any, gravity: Any, out: Any, work: Any
) -> None:
    """M u̇ + h less gravity of one body, in local coordinates; `gravity` is in body components."""
    m, n, mass, S, J = (
        bodies.sizes[b],
        bodies.fields[b],
        bodies.mass[b],
        bodies.first_moment[b],
        bodies.second_moment[b],
    )
    M_O, X, Y, C = (
        bodies.origin_coupling[b],
        bodies.position_coupling[b],
        bodies.shape_products[b],
        bodies.coriolis[b],
    )
    me, eta, slopes, moved, force = bodies.elastic_mass[b], work.eta, work.slopes, work.moved, work.field_force
    v = (rates[0], rates[1], rates[2])
    w = (rates[3], rates[4], rates[5])
    e = (accelerations[3], accelerations[4], accelerations[5])
    turned = cross(w, v)
    a = (
        accelerations[0] + turned[0] - gravity[0],
        accelerations[1] + turned[1] - gravity[1],
        accelerations[2] + turned[2] - gravity[2],
    )
    if m == 0:
        s = (S[0], S[1], S[2])
        inertia = (
            J[1, 1] + J[2, 2],
            -J[0, 1],
            -J[0, 2],
            J[0, 0] + J[2, 2],
            -J[1, 2],
            J[0, 0] + J[1, 1],
        )
        sd, sdd = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    else:
        _field_motion(m, n, bodies.products[b], delta, rates, accelerations, eta, slopes)
        s, inertia = _moments(n, S, J, M_O, X, Y, eta[0], moved)
        etad, etadd = eta[1], eta[2]
        sd = (_dot(M_O[0], etad, n), _dot(M_O[1], etad, n), _dot(M_O[2], etad, n))
        sdd = (_dot(M_O[0], etadd, n), _dot(M_O[1], etadd, n), _dot(M_O[2], etadd, n))
    first, second = cross(e, s), cross(w, cross(w, s))
    coriolis = cross(w, sd)
    for i in range(3):
        out[i] = mass * a[i] + first[i] + second[i] + 2.0 * coriolis[i] + sdd[i]
    lever, spun, gyro = cross(s, a), symmetric_times(inertia, e), cross(w, symmetric_times(inertia, w))
    for i in range(3):
        out[3 + i] = lever[i] + spun[i] + gyro[i]
    if m == 0:
        return
    # moments of the deformation: 2 (tr G − Gᵀ) ω + M_r η̈, G_km = (X_km + Y_mk η)·η̇
    trace = 0.0
    for k in range(3):
        trace += _dot(X[k, k], etad, n) + _dot(moved[k, k], etad, n)
    for i in range(3):
        total = trace * w[i]
        for k in range(3):
            total -= w[k] * (_dot(X[k, i], etad, n) + _dot(moved[i, k], etad, n))
        j, k = (i + 1) % 3, (i + 2) % 3
        swing = 0.0
        for r in range(n):
            swing += (X[j, k, r] - X[k, j, r] + moved[k, j, r] - moved[j, k, r]) * etadd[r]
        out[3 + i] += 2.0 * total + swing
    # forces on the fields
    ww = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    A00, A11, A22 = w[0] * w[0] - ww, w[1] * w[1] - ww, w[2] * w[2] - ww
    A01, A10 = w[0] * w[1] - e[2], w[0] * w[1] + e[2]
    A02, A20 = w[0] * w[2] + e[1], w[0] * w[2] - e[1]
    A12, A21 = w[1] * w[2] - e[0], w[1] * w[2] + e[0]
    w0, w1, w2 = 2.0 * w[0], 2.0 * w[1], 2.0 * w[2]
    for r in range(n):
        total = 0.0
        for t in range(n):
            total += me[r, t] * etadd[t] + (w0 * C[0, r, t] + w1 * C[1, r, t] + w2 * C[2, r, t]) * etad[t]
        force[r] = total
    for r in range(n):
        force[r] += (
            M_O[0, r] * a[0]
            + M_O[1, r] * a[1]
            + M_O[2, r] * a[2]
            + A00 * (X[0, 0, r] + moved[0, 0, r])
            + A11 * (X[1, 1, r] + moved[1, 1, r])
            + A22 * (X[2, 2, r] + moved[2, 2, r])
            + A01 * (X[1, 0, r] + moved[0, 1, r])
            + A10 * (X[0, 1, r] + moved[1, 0, r])
            + A02 * (X[2, 0, r] + moved[0, 2, r])
            + A20 * (X[0, 2, r] + moved[2, 0, r])
            + A12 * (X[2, 1, r] + moved[1, 2, r])
            + A21 * (X[1, 2, r] + moved[2, 1, r])
        )
    for r in range(m):
        out[6 + r] = force[r]
    for j in range(n - m):
        part = force[m + j]
        for r in range(m):
            out[6 + r] += slopes[j, r] * part


@fast_inner
def body_mass(bodies: Any, b: int, delta: Any, work: Any) -> None:  # noqa: PLR0912
    """M(δ) of one body into `work.block`."""
    m, n, mass, S, J = (
        bodies.sizes[b],
        bodies.fields[b],
        bodies.mass[b],
        bodies.first_moment[b],
        bodies.second_moment[b],
    )
    M_O, X, Y, me = (
        bodies.origin_coupling[b],
        bodies.position_coupling[b],
        bodies.shape_products[b],
        bodies.elastic_mass[b],
    )
    M, still, eta, slopes, moved, lean = work.block, work.local[0], work.eta, work.slopes, work.moved, work.lean
    size = 6 + m
    for i in range(size):
        for j in range(size):
            M[i, j] = 0.0
    for j in range(size):
        still[j] = 0.0
    _field_motion(m, n, bodies.products[b], delta, still, still, eta, slopes)
    s, inertia = _moments(n, S, J, M_O, X, Y, eta[0], moved)
    for i in range(3):
        M[i, i] = mass
    M[0, 4], M[1, 3], M[4, 0], M[3, 1] = s[2], -s[2], s[2], -s[2]
    M[1, 5], M[2, 4], M[5, 1], M[4, 2] = s[0], -s[0], s[0], -s[0]
    M[2, 3], M[0, 5], M[3, 2], M[5, 0] = s[1], -s[1], s[1], -s[1]
    M[3, 3], M[3, 4], M[3, 5], M[4, 4], M[4, 5], M[5, 5] = inertia
    M[4, 3], M[5, 3], M[5, 4] = M[3, 4], M[3, 5], M[4, 5]
    if m == 0:
        return
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        for r in range(m):
            top = M_O[i, r]
            turn = X[j, k, r] - X[k, j, r] + moved[k, j, r] - moved[j, k, r]
            for p in range(n - m):
                q = m + p
                top += M_O[i, q] * slopes[p, r]
                turn += (X[j, k, q] - X[k, j, q] + moved[k, j, q] - moved[j, k, q]) * slopes[p, r]
            M[i, 6 + r] = top
            M[6 + r, i] = top
            M[3 + i, 6 + r] = turn
            M[6 + r, 3 + i] = turn
    for q in range(n):
        for r in range(m):
            lean[q, r] = me[q, r]
        for p in range(n - m):
            part = me[q, m + p]
            for r in range(m):
                lean[q, r] += part * slopes[p, r]
    for q in range(m):
        for r in range(m):
            M[6 + q, 6 + r] = lean[q, r]
    for p in range(n - m):
        for q in range(m):
            part = slopes[p, q]
            for r in range(m):
                M[6 + q, 6 + r] += part * lean[m + p, r]
