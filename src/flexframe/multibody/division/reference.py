"""The frame of a body in several pieces, from which its displacements are reported.

It obeys the same conditions as that of a body with one frame: supports and clamped nodes do not move in it, and in
the directions that these leave free it has mean axes, ∫ρu = 0 and ∫ρ x × u = 0 for the displacements u of all
pieces. With moments W_j of weights w_j that the pieces give (positions of nodes, w = 1; their directors, w = 0;
∫ρr, w = m; ∫ρx_i r, w = ∫ρx_i) all these are linear in what the frame (r_O, R) sees of them,

    Σ_j C_kj·y_j = c_k,      y_j = Rᵀ(W_j − w_j r_O) .

Positions follow by Newton's method; velocities and accelerations by differentiation, with the same matrix.
"""

from dataclasses import dataclass

import numpy as np

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import cross, rotation_from_vector

_ROUNDS = 60
_CLOSED = 1e-12  # last step, in radians and sizes of the body


@dataclass(frozen=True, eq=False)
class FittedFrame:
    """Conditions that place a frame: rows (ux … rz) of nodes that are zero, and shares of the mean motion."""

    nodes: IntArray  # (s,)
    rows: Array  # (s, 6)
    mean: Array  # of ∫ρu and ∫ρ x × u: (k, 6)
    size: float  # of the body [m]
    origin: int | None = None  # the node whose section it is the frame of, where there is one


@dataclass(frozen=True, eq=False)
class Moments:
    """Vectors that pieces give, in space axes, with time derivatives; their weights, and values at rest."""

    values: Array  # W: (T, J, 3)
    rates: Array
    accelerations: Array
    weights: Array  # w: (J,)
    at_rest: Array  # (J, 3)


@dataclass(frozen=True, eq=False)
class FrameHistory:
    """A frame over time, in space axes."""

    positions: Array  # (T, 3)
    rotations: Array  # (T, 3, 3)
    velocities: Array
    angular_velocities: Array
    accelerations: Array
    angular_accelerations: Array


_EPSILON = np.zeros((3, 3, 3))
for _a, _b, _c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    _EPSILON[_a, _b, _c], _EPSILON[_a, _c, _b] = 1.0, -1.0


def coefficients(frame: FittedFrame) -> Array:
    """C of all conditions on the moments of nodes, four each, then on the four of the mass: (k, J, 3)."""
    nodes = len(frame.nodes)
    C = np.zeros((nodes + len(frame.mean), 4 * nodes + 4, 3))
    for k, row in enumerate(frame.rows):
        C[k, 4 * k] = row[:3]
        # half the skew part of RᵀR_node, which vanishes where the rotation does
        C[k, 4 * k + 1 : 4 * k + 4] = 0.5 * np.einsum("a,akb->kb", row[3:], _EPSILON)
    for k, amounts in enumerate(frame.mean, start=nodes):
        C[k, -4] = amounts[:3]
        C[k, -3:] = np.einsum("a,aij->ij", amounts[3:], _EPSILON)
    return C


def fitted(frame: FittedFrame, moments: Moments, near: tuple[Array, Array], *, planar: bool) -> FrameHistory:
    """The frame that obeys the conditions, found near given positions (T, 3) and rotations (T, 3, 3)."""
    C, w = coefficients(frame), moments.weights
    columns = np.array([0, 1, 5]) if planar else np.arange(6)
    at_rest = np.einsum("kji,ji->k", C, moments.at_rest)
    r, R = near[0].copy(), near[1].copy()
    scale = np.array([frame.size] * 3 + [1.0] * 3)[columns]
    for _ in range(_ROUNDS):
        y = _seen(R, moments.values - w[:, None] * r[:, None])
        left = np.einsum("kji,tji->tk", C, y) - at_rest
        # the frame moved by (d, φ) sees y − w d − φ × y
        step = np.zeros((len(r), 6))
        step[:, columns] = np.linalg.solve(_matrix(C, w, y)[..., columns] * scale, left[..., None])[..., 0]
        step[:, columns] = np.clip(step[:, columns], -0.5, 0.5)
        worst = float(np.abs(step).max(initial=0.0))
        step[:, columns] *= scale
        r = r + np.einsum("tij,tj->ti", R, step[:, :3])
        R = R @ rotation_from_vector(step[:, 3:])
        if worst < _CLOSED:
            break
    else:
        raise AnalysisError(
            "the frame of a body in several parts is not found, since its supports do not hold the deformed body; "
            "leave them out for mean axes, or clamp the frame to a node"
        )
    y = _seen(R, moments.values - w[:, None] * r[:, None])
    A = _matrix(C, w, y)[..., columns]

    def solve(right: Array) -> tuple[Array, Array]:
        out = np.zeros((len(r), 6))
        out[:, columns] = np.linalg.solve(A, np.einsum("kji,tji->tk", C, right)[..., None])[..., 0]
        return out[:, :3], out[:, 3:]

    pushed = _seen(R, moments.rates)
    v, omega = solve(pushed)
    w_ = w[:, None]
    turn = np.broadcast_to(omega[:, None], y.shape)
    moved = pushed - w_ * v[:, None]  # Rᵀ(Ẇ − w ṙ)
    rate = moved - cross(turn, y)  # ẏ
    a, epsilon = solve(_seen(R, moments.accelerations) - cross(turn, moved) - cross(turn, rate))
    space = [np.einsum("tij,tj->ti", R, vector) for vector in (v, omega, a, epsilon)]
    return FrameHistory(r, R, space[0], space[1], space[2], space[3])


def _seen(R: Array, vectors: Array) -> Array:
    return np.asarray(np.einsum("tij,tki->tkj", R, vectors))


def _matrix(C: Array, weights: Array, y: Array) -> Array:
    """(Σ w C, Σ y × C): (T, k, 6)."""
    along = np.broadcast_to(np.einsum("kji,j->ki", C, weights), (len(y), len(C), 3))
    about = cross(y[:, None], np.broadcast_to(C, (len(y), *C.shape))).sum(axis=2)
    return np.concatenate([along, about], axis=2)
