"""Compiled steps of a free elastic body in its angular momentum L, natural coordinates z and momenta p.

    L̇ = L × ∂H/∂L,      ż = ∂H/∂p,      ṗ = −∂H/∂z − d ż,      q̇ = ½ q ∘ (0, ∂H/∂L),

with L in body axes and q the quaternion of the frame. The collocation polynomial keeps H and |L|; the attitude
is integrated with the same mean angular velocities and then turned by the remainder of that integration, so
that R L, the angular momentum in space, stays where it was. Small arrays are written out as loops whose inner
index is contiguous.
"""

from math import atan2, sqrt
from typing import Any

import numpy as np
from numba import njit

DONE, DIVERGED, INDEFINITE = range(3)
MOST_ITERATIONS = 60
ROUND_OFF = 1e-16
FUSED = {"contract"}  # a·b + c in one operation, rounded once
SENSITIVE = 1e-8  # slope of the energy, squared and over the energy, below which it is not used
STAGNANT = 1e-11  # a change that no longer falls counts as round-off below this


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
def _factorised(a: Any) -> bool:
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
    if not _factorised(M):
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


@njit(cache=True)
def _quaternion_product(a: Any, b: Any, out: Any) -> None:
    w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    y = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3]
    v = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]
    out[0], out[1], out[2], out[3] = w, x, y, v


@njit(cache=True)
def _unit(q: Any) -> None:
    length = sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2 + q[3] ** 2)
    for i in range(4):
        q[i] /= length


@njit(cache=True)
def _in_space(q: Any, v: Any, out: Any) -> None:
    """R(q) v = v + 2 q₀ (e × v) + 2 e × (e × v)."""
    x = q[2] * v[2] - q[3] * v[1]
    y = q[3] * v[0] - q[1] * v[2]
    w = q[1] * v[1] - q[2] * v[0]
    out[0] = v[0] + 2 * (q[0] * x + q[2] * w - q[3] * y)
    out[1] = v[1] + 2 * (q[0] * y + q[3] * x - q[1] * w)
    out[2] = v[2] + 2 * (q[0] * w + q[1] * y - q[2] * x)


@njit(cache=True)
def _turned(q: Any, means: Any, step: float, coefficients: Any) -> None:
    """The quaternion one step on: collocation with given angular velocities at the nodes."""
    weights, stages, _, _, _ = coefficients
    s = len(weights)
    slopes, old, at, spin = np.zeros((s, 4)), np.zeros(4), np.zeros(4), np.zeros(4)
    for _ in range(MOST_ITERATIONS):
        change = 0.0
        for i in range(s):
            for c in range(4):
                at[c] = q[c]
                old[c] = slopes[i, c]
                for j in range(s):
                    at[c] += step * stages[i, j] * slopes[j, c]
            for c in range(3):
                spin[1 + c] = 0.5 * means[i, c]
            _quaternion_product(at, spin, slopes[i])
            for c in range(4):
                change = max(change, abs(step * (slopes[i, c] - old[c])))
        if change < ROUND_OFF:
            break
    for c in range(4):
        for i in range(s):
            q[c] += step * weights[i] * slopes[i, c]
    _unit(q)


@njit(cache=True)
def _aligned(q: Any, L: Any, momentum: Any) -> None:
    """Turn the frame by the smallest rotation that takes R L to the direction of the momentum in space."""
    length = sqrt(momentum[0] ** 2 + momentum[1] ** 2 + momentum[2] ** 2)
    own = sqrt(L[0] ** 2 + L[1] ** 2 + L[2] ** 2)
    if length == 0.0 or own == 0.0:
        return
    now, turn, out = np.zeros(3), np.zeros(4), np.zeros(4)
    for _ in range(2):  # the second time removes the round-off of the first
        _in_space(q, L, now)
        scale = 1.0 / (own * length)
        turn[0] = 1.0 + (now[0] * momentum[0] + now[1] * momentum[1] + now[2] * momentum[2]) * scale
        turn[1] = (now[1] * momentum[2] - now[2] * momentum[1]) * scale
        turn[2] = (now[2] * momentum[0] - now[0] * momentum[2]) * scale
        turn[3] = (now[0] * momentum[1] - now[1] * momentum[0]) * scale
        _quaternion_product(turn, q, out)
        for c in range(4):
            q[c] = out[c]
        _unit(q)


@njit(cache=True)
def _added(value: Any, lost: Any, index: int, amount: float) -> None:
    """value[index] += amount, what rounding loses kept for the next time."""
    wanted = amount + lost[index]
    new = value[index] + wanted
    lost[index] = wanted - (new - value[index])
    value[index] = new


@njit(cache=True, fastmath=FUSED)
def _slopes(  # noqa: PLR0912, PLR0917
    tables: Any, coefficients: Any, linear: Any, step: float, y: Any, k: Any, memory: Any, sizes: Any
) -> Any:
    """Solve for the slopes k (s, 3 + 2m) at the nodes; gives the outcome and the iterations."""
    weights, stages, points, means, _ = coefficients
    at, gradients, mean, change, work = memory
    planar, damping = tables[0], tables[7]
    s, K, width = len(weights), points.shape[0], len(y)
    m = (width - 3) // 2
    previous = np.inf
    for iteration in range(1, MOST_ITERATIONS + 1):
        for q in range(K):
            for c in range(width):
                total = 0.0
                for j in range(s):
                    total += points[q, j] * k[j, c]
                at[c] = y[c] + step * total
            energy = gradient(tables, at[:3], at[3 : 3 + m], at[3 + m :], gradients[q], work)
            if not np.isfinite(energy):
                return INDEFINITE, iteration
        largest = 0.0
        for i in range(s):
            for c in range(width):
                total = 0.0
                for q in range(K):
                    total += means[i, q] * gradients[q, c]
                mean[i, c] = total
        for i in range(s):
            for c in range(3):
                total = 0.0
                for j in range(s):
                    total += stages[i, j] * k[j, c]
                at[c] = y[c] + step * total
            w = mean[i]
            change[i, 0] = at[1] * w[2] - at[2] * w[1] - k[i, 0]
            change[i, 1] = at[2] * w[0] - at[0] * w[2] - k[i, 1]
            change[i, 2] = at[0] * w[1] - at[1] * w[0] - k[i, 2]
            for r in range(m):
                change[i, 3 + r] = w[3 + r] - k[i, 3 + r]
                pull = -w[3 + m + r]
                for t in range(m):
                    pull -= damping[r, t] * w[3 + t]
                change[i, 3 + m + r] = pull - k[i, 3 + m + r]
        if planar:
            for i in range(s):
                for c in range(3):
                    change[i, c] = 0.0
        for i in range(s):
            moved = 0.0
            for c in range(3):
                k[i, c] += change[i, c]
                moved += change[i, c] ** 2
            largest = max(largest, sqrt(moved) / sizes[0])
        for r in range(m):  # the oscillators of an undeformed body are solved exactly
            for i in range(2 * s):
                total = 0.0
                for j in range(s):
                    total += linear[r, i, j] * change[j, 3 + r] + linear[r, i, s + j] * change[j, 3 + m + r]
                if i < s:
                    k[i, 3 + r] += total
                else:
                    k[i - s, 3 + m + r] += total
                    largest = max(largest, abs(total) / sizes[1])
        error = abs(step) * largest
        if error <= ROUND_OFF or (error < STAGNANT and error >= 0.3 * previous):
            return DONE, iteration
        if not error < 1e6:
            return DIVERGED, iteration
        previous = error
    return DIVERGED, MOST_ITERATIONS


@njit(cache=True)
def _restored(y: Any, lost: Any, slope: Any, frequencies: Any, defect: float, sizes: Any) -> None:  # noqa: PLR0917
    """Take the rounding of a step out of the energy, along the part of ∂H/∂(L, z, p) that leaves |L| alone."""
    m = len(frequencies)
    square = y[0] ** 2 + y[1] ** 2 + y[2] ** 2
    along = (y[0] * slope[0] + y[1] * slope[1] + y[2] * slope[2]) / square if square > 0.0 else 0.0
    weight = square / (2.0 * sizes[2])
    total = 0.0
    for c in range(3):
        total += weight * (slope[c] - along * y[c]) ** 2
    for r in range(m):
        total += slope[3 + r] ** 2 + (slope[3 + m + r] / frequencies[r]) ** 2
    if total <= SENSITIVE * sizes[2]:  # a steady spin: the energy has no slope there
        return
    part = -defect / total
    for c in range(3):
        _added(y, lost, c, part * weight * (slope[c] - along * y[c]))
    for r in range(m):
        _added(y, lost, 3 + r, part * slope[3 + m + r] / frequencies[r] ** 2)
        _added(y, lost, 3 + m + r, part * slope[3 + r])
    length = sqrt(y[0] ** 2 + y[1] ** 2 + y[2] ** 2)
    for c in range(3):
        _added(y, lost, c, y[c] * (sizes[0] / length - 1.0) if square > 0.0 else 0.0)


@njit(cache=True)
def memory_of(stages: int, points: int, fields: int, size: int) -> Any:
    """Arrays that the solution of one step works in."""
    width = 3 + 2 * size
    return (
        np.zeros(width),
        np.zeros((points, width)),
        np.zeros((stages, width)),
        np.zeros((stages, width)),
        scratch(fields, size),
    )


@njit(cache=True)
def advance(  # noqa: PLR0912, PLR0917
    tables: Any,
    coefficients: Any,
    linear: Any,
    frequencies: Any,
    step: float,
    steps: int,
    state: Any,
    reference: Any,
    sizes: Any,
    watch: Any,
) -> Any:
    """Take steps in place; gives the outcome, the steps done and the iterations they took.

    `state` holds y = (L, z, p), what rounding took from y, the quaternion, the slopes of the last step, and
    two sums: the angle about z of a planar body and the work of damping. `reference` is the angular momentum
    in space and the energy at the start; `watch` keeps the largest departures from them, relative to `sizes`
    (|L|, √2H, energy).
    """
    y, lost, q, k, sums = state
    damping = tables[7]
    weights, _, points, _, ahead = coefficients
    s, width = len(weights), len(y)
    m = (width - 3) // 2
    memory = memory_of(s, points.shape[0], tables[3].shape[0], m)
    mean, work = memory[2], memory[4]
    guess, slope, now, before = np.zeros((s, width)), np.zeros(width), np.zeros(3), np.zeros(4)
    total_iterations = 0
    for number in range(steps):
        for i in range(s):
            for c in range(width):
                total = 0.0
                for j in range(s):
                    total += ahead[i, j] * k[j, c]
                guess[i, c] = total
        for i in range(s):
            for c in range(width):
                k[i, c] = guess[i, c]
        outcome, iterations = _slopes(tables, coefficients, linear, step, y, k, memory, sizes)
        total_iterations += iterations
        if outcome != DONE:
            return outcome, number, total_iterations
        for c in range(width):
            total = 0.0
            for i in range(s):
                total += weights[i] * k[i, c]
            _added(y, lost, c, step * total)
        for i in range(s):
            for r in range(m):
                for t in range(m):
                    sums[1] += step * weights[i] * mean[i, 3 + r] * damping[r, t] * mean[i, 3 + t]
        energy = gradient(tables, y[:3], y[3 : 3 + m], y[3 + m :], slope, work)
        if not np.isfinite(energy):
            return INDEFINITE, number + 1, total_iterations
        defect = energy + sums[1] - reference[3]
        watch[0] = max(watch[0], abs(defect) / sizes[2])
        _restored(y, lost, slope, frequencies, defect, sizes)
        for c in range(4):
            before[c] = q[c]
        _turned(q, mean, step, coefficients)
        _aligned(q, y[:3], reference[:3])
        if tables[0]:
            sums[0] += 2.0 * atan2(before[0] * q[3] - before[3] * q[0], before[0] * q[0] + before[3] * q[3])
        _in_space(q, y[:3], now)
        gap = 0.0
        for c in range(3):
            gap = max(gap, abs(now[c] - reference[c]))
        watch[1] = max(watch[1], gap / sizes[0])
    return DONE, steps, total_iterations
