"""Attitude of a free body in compiled steps, with its angular momentum kept in space."""

from math import sqrt
from typing import Any

import numpy as np
from numba import njit

_MOST_ITERATIONS = 60
_ROUND_OFF = 1e-16


@njit(cache=True)
def quaternion_product(a: Any, b: Any, out: Any) -> None:
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
def in_space(q: Any, v: Any, out: Any) -> None:
    """R(q) v = v + 2 q₀ (e × v) + 2 e × (e × v)."""
    x = q[2] * v[2] - q[3] * v[1]
    y = q[3] * v[0] - q[1] * v[2]
    w = q[1] * v[1] - q[2] * v[0]
    out[0] = v[0] + 2 * (q[0] * x + q[2] * w - q[3] * y)
    out[1] = v[1] + 2 * (q[0] * y + q[3] * x - q[1] * w)
    out[2] = v[2] + 2 * (q[0] * w + q[1] * y - q[2] * x)


@njit(cache=True)
def turned_step(q: Any, means: Any, step: float, coefficients: Any) -> None:
    """The quaternion one step on: collocation with given angular velocities at the nodes."""
    weights, stages, _, _, _ = coefficients
    s = len(weights)
    slopes, old, at, spin = np.zeros((s, 4)), np.zeros(4), np.zeros(4), np.zeros(4)
    for _ in range(_MOST_ITERATIONS):
        change = 0.0
        for i in range(s):
            for c in range(4):
                at[c] = q[c]
                old[c] = slopes[i, c]
                for j in range(s):
                    at[c] += step * stages[i, j] * slopes[j, c]
            for c in range(3):
                spin[1 + c] = 0.5 * means[i, c]
            quaternion_product(at, spin, slopes[i])
            for c in range(4):
                change = max(change, abs(step * (slopes[i, c] - old[c])))
        if change < _ROUND_OFF:
            break
    for c in range(4):
        for i in range(s):
            q[c] += step * weights[i] * slopes[i, c]
    _unit(q)


@njit(cache=True)
def aligned(q: Any, L: Any, momentum: Any) -> None:
    """Turn the frame by the smallest rotation that takes R L to the direction of the momentum in space."""
    length = sqrt(momentum[0] ** 2 + momentum[1] ** 2 + momentum[2] ** 2)
    own = sqrt(L[0] ** 2 + L[1] ** 2 + L[2] ** 2)
    if length == 0.0 or own == 0.0:
        return
    now, turn, out = np.zeros(3), np.zeros(4), np.zeros(4)
    for _ in range(2):  # the second time removes the round-off of the first
        in_space(q, L, now)
        scale = 1.0 / (own * length)
        turn[0] = 1.0 + (now[0] * momentum[0] + now[1] * momentum[1] + now[2] * momentum[2]) * scale
        turn[1] = (now[1] * momentum[2] - now[2] * momentum[1]) * scale
        turn[2] = (now[2] * momentum[0] - now[0] * momentum[2]) * scale
        turn[3] = (now[0] * momentum[1] - now[1] * momentum[0]) * scale
        quaternion_product(turn, q, out)
        for c in range(4):
            q[c] = out[c]
        _unit(q)
