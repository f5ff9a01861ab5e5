"""Steps of ÿ + C(t)ẏ + K(t)y = f(t) by collocation at Gauss's points, eight stages, order 16.

With accelerations L at the stages, y_i = y + c_i h v + h² Σ (a²)_ij L_j and v_i = v + h Σ a_ij L_j leave one
linear system of them alone:  L_i + h C_i Σ a_ij L_j + h² K_i Σ (a²)_ij L_j = f_i − C_i v − K_i (y + c_i h v).
"""

import numpy as np

from flexframe.maths.arrays import Array

STAGES = 8


def _tableau(stages: int) -> tuple[Array, Array, Array]:
    """Nodes c, weights b and a_ij = ∫₀^{c_i} ℓ_j of collocation at Gauss's points of [0, 1]."""
    points, weights = np.polynomial.legendre.leggauss(stages)
    legendre = np.polynomial.legendre
    # ℓ_j = Σ_k (2k+1)/2 w_j P_k(x_j) P_k on [−1, 1], integrated term by term
    values = legendre.legvander(points, stages - 1)
    integrals = np.empty((stages, stages))
    for k in range(stages):
        unit = np.zeros(stages)
        unit[k] = 1.0
        integrals[:, k] = legendre.legval(points, legendre.legint(unit, lbnd=-1))
    inner = integrals @ ((np.arange(stages) + 0.5)[:, None] * (values * weights[:, None]).T)
    return (1 + points) / 2, weights / 2, inner / 2


NODES, _WEIGHTS, _INNER = _tableau(STAGES)


def step_maps(damping: Array, stiffness: Array, h: float, load: Array | None = None) -> tuple[Array, Array]:
    """Φ (s, 2r, 2r) and g (s, 2r) of x ↦ Φx + g, x = (y, ẏ), for s steps of length h.

    C and K at the nodes of every step are (s, 8, r, r), f (s, 8, r).
    """
    C, K = damping, stiffness
    count, _, r, _ = C.shape
    system = h * np.einsum("ij,siab->siajb", _INNER, C) + h**2 * np.einsum("ij,siab->siajb", _INNER @ _INNER, K)
    system = system.reshape(count, STAGES * r, STAGES * r) + np.eye(STAGES * r)
    f = np.zeros((count, STAGES, r)) if load is None else load
    right = np.concatenate([-K, -C - (h * NODES)[:, None, None] * K, f[..., None]], axis=3)
    accelerations = np.linalg.solve(system, right.reshape(count, STAGES * r, 2 * r + 1))
    accelerations = accelerations.reshape(count, STAGES, r, 2 * r + 1)
    out = np.empty((count, 2 * r, 2 * r + 1))
    out[:, :r] = h**2 * np.einsum("j,sjab->sab", _WEIGHTS @ _INNER, accelerations)
    out[:, r:] = h * np.einsum("j,sjab->sab", _WEIGHTS, accelerations)
    one = np.eye(r)
    out[:, :r, :r] += one
    out[:, :r, r : 2 * r] += h * one
    out[:, r:, r : 2 * r] += one
    return out[:, :, : 2 * r], out[:, :, 2 * r]


def first_order_maps(matrices: Array, h: float) -> Array:
    """Φ (s, n, n) of s steps of ẋ = A x of length h, A at the nodes of every step: (s, 8, n, n).

    The slopes L_i = A_i (x + h Σ a_ij L_j) solve one linear system, and Φ = 1 + h Σ b_i L_i.
    """
    count, _, n, _ = matrices.shape
    system = np.eye(STAGES * n) - h * np.einsum("ij,siab->siajb", _INNER, matrices).reshape(
        count, STAGES * n, STAGES * n
    )
    slopes = np.linalg.solve(system, matrices.reshape(count, STAGES * n, n)).reshape(count, STAGES, n, n)
    return np.asarray(np.eye(n) + h * np.einsum("j,sjab->sab", _WEIGHTS, slopes))
