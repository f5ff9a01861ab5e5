"""Motions of frames d = (U, Ω) between the ends of exact beams, real or complex: power series and nothing else.

With ad_d = [Ω̃, Ũ; 0, Ω̃] a change of d turns and shifts the frame at its end by T ḋ, T = Σ (−ad)ⁿ/(n + 1)!. All
functions here are analytic, so that a derivative is the imaginary part of a small imaginary step: it is exact.
"""

import numpy as np

from flexframe.maths.arrays import Array

STEP = 1e-30  # imaginary; its square is lost beside one
_SMALLEST = 1e-17  # term of a series that does not count any more


def cross_matrix(vectors: Array) -> Array:
    """ṽ with ṽ w = v × w: (..., 3) → (..., 3, 3)."""
    x, y, z = (vectors[..., i] for i in range(3))
    zero = np.zeros_like(x)
    rows = [np.stack(row, axis=-1) for row in ((zero, -z, y), (z, zero, -x), (-y, x, zero))]
    return np.stack(rows, axis=-2)


def adjoint(d: Array) -> Array:
    """ad_d: (..., 6) → (..., 6, 6)."""
    shift, turn = cross_matrix(d[..., :3]), cross_matrix(d[..., 3:])
    out = np.zeros((*d.shape, 6), dtype=d.dtype)
    out[..., :3, :3] = out[..., 3:, 3:] = turn
    out[..., :3, 3:] = shift
    return out


def _mean_power(matrix: Array, size: float) -> Array:
    """Σ matrixⁿ/(n + 1)! for matrices whose powers grow as n·sizeⁿ⁻¹."""
    last, term = 1, 1.0
    while term > _SMALLEST:
        last += 1
        term *= size / last
    one = np.eye(matrix.shape[-1])
    total = one + matrix / (last + 2)
    for n in range(last, 0, -1):
        total = one + matrix @ total / (n + 1)
    return np.asarray(total)


def tangent(d: Array) -> Array:
    """T(d) = Σ (−ad)ⁿ/(n + 1)!: (..., 6) → (..., 6, 6)."""
    return _mean_power(-adjoint(d), _largest(d[..., 3:]))


def rates_between(d: Array) -> Array:
    """P = [−T⁻¹(−d), T⁻¹(d)] of ḋ = P (η_A, η_B), with T⁻¹(−d) = T⁻¹(d) − ad: (..., 6, 12)."""
    ahead = np.linalg.inv(tangent(d))
    return np.concatenate([adjoint(d) - ahead, ahead], axis=-1)


def section_twists(d: Array, along: Array) -> Array:
    """Q of η(ξ) = Q (η_A, η_B), e^(−ξ ad) η_A + ξ T(ξd) P: d (..., 6), ξ (points,) → (..., points, 6, 12)."""
    at = d[..., None, :] * along[:, None]
    T = tangent(at)
    Q = along[:, None, None] * (T @ rates_between(d)[..., None, :, :])
    Q[..., :6] += np.eye(6) - adjoint(at) @ T
    return np.asarray(Q)


def logarithm(quaternion: Array, place: Array) -> Array:
    """d of a frame at a place with an attitude: (..., 4) and (..., 3) → (..., 6), less than half a revolution.

    Ω = 2 v atan(|v|/c)/|v| of the quaternion (c, v), and U = A⁻¹ p with A = Σ Ω̃ⁿ/(n + 1)!.
    """
    c, v = quaternion[..., :1], quaternion[..., 1:]
    square = (v * v).sum(axis=-1, keepdims=True) / c**2
    tiny = np.abs(square) < 1e-20
    sine = np.sqrt(np.where(tiny, 1.0, square))
    turn = 2 * v / c * np.where(tiny, 1 - square / 3, np.arctan(sine) / sine)
    A = _mean_power(cross_matrix(turn), _largest(turn))
    return np.concatenate([np.linalg.solve(A, place[..., None])[..., 0], turn], axis=-1)


def exponential(d: Array) -> Array:
    """exp d as a matrix of homogeneous coordinates: (..., 6) → (..., 4, 4)."""
    turn = cross_matrix(d[..., 3:])
    A = _mean_power(turn, _largest(d[..., 3:]))
    out = np.zeros((*d.shape[:-1], 4, 4), dtype=d.dtype)
    out[..., :3, :3] = np.eye(3) + turn @ A
    out[..., :3, 3] = (A @ d[..., :3, None])[..., 0]
    out[..., 3, 3] = 1.0
    return out


def quaternion_product(first: Array, second: Array) -> Array:
    """first ∘ second of quaternions that may be complex: (..., 4)."""
    a, u, b, v = first[..., :1], first[..., 1:], second[..., :1], second[..., 1:]
    scalar = a * b - (u * v).sum(axis=-1, keepdims=True)
    return np.concatenate([scalar, a * v + b * u + np.cross(u, v)], axis=-1)


def _largest(vectors: Array) -> float:
    return float(np.sqrt((np.abs(vectors) ** 2).sum(axis=-1)).max(initial=0.0))
