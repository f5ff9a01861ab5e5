"""Compiled steps of a free elastic body in its angular momentum L, natural coordinates z and momenta p.

    L̇ = L × ∂H/∂L,      ż = ∂H/∂p,      ṗ = −∂H/∂z − d ż,      q̇ = ½ q ∘ (0, ∂H/∂L),

with L in body axes and q the quaternion of the frame. The collocation polynomial keeps H and |L|; the attitude
is integrated with the same mean angular velocities and then turned by the remainder of that integration, so
that R L, the angular momentum in space, stays where it was.
"""

from math import atan2, sqrt
from typing import Any

import numpy as np
from numba import njit

from flexframe.dynamics.attitude_kernels import aligned, in_space, turned_step
from flexframe.dynamics.momentum_kernels import FUSED, gradient, scratch

DONE, DIVERGED, INDEFINITE = range(3)
MOST_ITERATIONS = 60
ROUND_OFF = 1e-16
SENSITIVE = 1e-8  # slope of the energy, squared and over the energy, below which it is not used
STAGNANT = 1e-11  # a change that no longer falls counts as round-off below this


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
def _restore(y: Any, lost: Any, slope: Any, frequencies: Any, defect: float, sizes: Any) -> None:  # noqa: PLR0917
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
        _restore(y, lost, slope, frequencies, defect, sizes)
        for c in range(4):
            before[c] = q[c]
        turned_step(q, mean, step, coefficients)
        aligned(q, y[:3], reference[:3])
        if tables[0]:
            sums[0] += 2.0 * atan2(before[0] * q[3] - before[3] * q[0], before[0] * q[0] + before[3] * q[3])
        in_space(q, y[:3], now)
        gap = 0.0
        for c in range(3):
            gap = max(gap, abs(now[c] - reference[c]))
        watch[1] = max(watch[1], gap / sizes[0])
    return DONE, steps, total_iterations
