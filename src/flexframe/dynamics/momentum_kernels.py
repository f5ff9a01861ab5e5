"""Energy of a free elastic body by its momenta and natural coordinates, and the gradient, in compiled loops.

Small arrays are written out as loops whose inner index is contiguous.
"""

from math import sqrt
from typing import Any

import numpy as np
from numba import njit

FUSED = {"contract"}  # a·b + c in one operation, rounded once


@njit(cache=True)
def scratch(fields: int, size: int) -> Any:
    """Arrays that one evaluation works in."""
    n, m = fields, size
    return (
        np.zeros(n),  # η
        np.zeros(n),  # η̇
        np.zeros(9 * n),  # arms, nine rows
        np.zeros((3, n)),  # turning
        np.zeros((m, n)),  # (∂η/∂z)ᵀ · field mass
        np.zeros((3 + m, 3 + m)),  # M_c and its factor
        np.zeros(3 + m),  # velocities
        np.zeros(n),  # ∂T/∂η
        np.zeros(n),  # ∂T/∂η̇
        np.zeros(4 * n),  # C_a η̇ and field mass · η̇
        np.zeros((n - m, m)),  # slopes Z_j z of the quadratic fields
    )


@njit(cache=True, fastmath=FUSED, inline="always")
def _factorise(a: Any) -> bool:
    """Cholesky in place, lower half; false where the matrix is not positive definite."""
    for j in range(a.shape[0]):
        pivot = a[j, j]
        for k in range(j):
            pivot -= a[j, k] * a[j, k]
        if not pivot > 0.0:
            return False
        root = sqrt(pivot)
        a[j, j] = root
        for i in range(j + 1, a.shape[0]):
            total = a[i, j]
            for k in range(j):
                total -= a[i, k] * a[j, k]
            a[i, j] = total / root
    return True


@njit(cache=True, fastmath=FUSED, inline="always")
def _solved(a: Any, x: Any) -> None:
    for i in range(a.shape[0]):
        total = x[i]
        for k in range(i):
            total -= a[i, k] * x[k]
        x[i] = total / a[i, i]
    for i in range(a.shape[0] - 1, -1, -1):
        total = x[i]
        for k in range(i + 1, a.shape[0]):
            total -= a[k, i] * x[k]
        x[i] = total / a[i, i]


@njit(cache=True, fastmath=FUSED, inline="always")
def _inertia(tables: Any, z: Any, work: Any) -> None:  # noqa: PLR0912 - loops written out
    """Arms ∫ρ ξ_a N_b, turning ∫ρ (ξ × N)_a and the lower half of M_c."""
    planar, J, X, Y, rates, Z, _, _, spans = tables
    eta, _, arms, turning, moved, M, _, _, _, _, slopes = work
    m, n = len(z), len(eta)
    for r in range(m):
        eta[r] = z[r]
    for k in range(n - m):
        value = 0.0
        for r in range(m):
            slopes[k, r] = 0.0
        for t in range(m):
            f = z[t]
            for r in range(m):
                slopes[k, r] += f * Z[k, t, r]
        for r in range(m):
            value += 0.5 * slopes[k, r] * z[r]
        eta[m + k] = value
    for r in range(9 * n):
        arms[r] = X[r]
    for t in range(n):
        f = eta[t]
        for r in range(spans[t, 0], spans[t, 1]):  # elsewhere Y is zero
            arms[r] += f * Y[t, r]
    for r in range(n):
        turning[0, r] = arms[5 * n + r] - arms[7 * n + r]
        turning[1, r] = arms[6 * n + r] - arms[2 * n + r]
        turning[2, r] = arms[n + r] - arms[3 * n + r]
    for i in range(3):
        for j in range(i + 1):
            total = J[i, j]
            for r in range(n):
                total += (X[(3 * i + j) * n + r] + arms[(3 * j + i) * n + r]) * eta[r]
            M[i, j] = -total
    trace = -(M[0, 0] + M[1, 1] + M[2, 2])
    for i in range(3):
        M[i, i] += trace
    for a in range(m):
        for r in range(n):
            moved[a, r] = rates[a, 3 * n + r]
        for i in range(3):
            M[3 + a, i] = turning[i, a]
        for k in range(n - m):
            f = slopes[k, a]
            for r in range(n):
                moved[a, r] += f * rates[m + k, 3 * n + r]
            for i in range(3):
                M[3 + a, i] += f * turning[i, m + k]
    for a in range(m):
        for b in range(a + 1):
            M[3 + a, 3 + b] = moved[a, b]
        for k in range(n - m):
            f = moved[a, m + k]
            for b in range(a + 1):
                M[3 + a, 3 + b] += f * slopes[k, b]
    if planar:
        for i in range(2):
            for j in range(i):
                M[i, j] = 0.0
            M[i, i] = 1.0
            M[2, i] = 0.0
            for a in range(m):
                M[3 + a, i] = 0.0


@njit(cache=True, fastmath=FUSED)
def gradient(tables: Any, L: Any, z: Any, p: Any, slope: Any, work: Any) -> Any:  # noqa: PLR0912, PLR0917
    """∂H/∂(L, p, z) into `slope` (3 + 2m), and H; H is not a number where M_c is not definite."""
    _, _, _, _, rates, Z, stiffness, _, _ = tables
    _, eta_rate, arms, turning, _, M, u, by_place, by_rate, mixed, slopes = work
    m, n = len(z), len(eta_rate)
    _inertia(tables, z, work)
    if not _factorise(M):
        return np.nan
    for i in range(3):
        u[i] = L[i]
    for r in range(m):
        u[3 + r] = p[r]
    _solved(M, u)
    energy = 0.0
    for i in range(3):
        slope[i] = u[i]
        energy += 0.5 * u[i] * L[i]
    for r in range(m):
        slope[3 + r] = u[3 + r]
        energy += 0.5 * u[3 + r] * p[r]
        eta_rate[r] = u[3 + r]
    for k in range(n - m):
        rate = 0.0
        for r in range(m):
            rate += slopes[k, r] * u[3 + r]
        eta_rate[m + k] = rate
    square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2]
    # ∂T/∂η = ∫ρ (ω × ξ + u̇)·(ω × N) and ∂T/∂η̇ = ∫ρ (ω × ξ + u̇)·N
    for r in range(4 * n):
        mixed[r] = 0.0
    for t in range(n):
        f = eta_rate[t]
        for r in range(4 * n):
            mixed[r] += f * rates[t, r]
    for r in range(n):
        by_place[r] = square * (arms[r] + arms[4 * n + r] + arms[8 * n + r])
        by_place[r] += u[0] * mixed[r] + u[1] * mixed[n + r] + u[2] * mixed[2 * n + r]
        by_rate[r] = u[0] * turning[0, r] + u[1] * turning[1, r] + u[2] * turning[2, r] + mixed[3 * n + r]
    for i in range(3):
        for j in range(3):
            f = u[i] * u[j]
            for r in range(n):
                by_place[r] -= f * arms[(3 * i + j) * n + r]
    force = slope[3 + m :]
    for r in range(m):
        pull = 0.0
        for t in range(m):
            pull += stiffness[r, t] * z[t]
        energy += 0.5 * pull * z[r]
        force[r] = pull - by_place[r]
    for k in range(n - m):
        f, g = by_place[m + k], by_rate[m + k]
        for r in range(m):
            force[r] -= f * slopes[k, r]
        for t in range(m):  # the rate of a product changes with z too
            h = g * u[3 + t]
            for r in range(m):
                force[r] -= h * Z[k, t, r]
    return energy
