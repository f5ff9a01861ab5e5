"""Small motions about a steady one: frequencies of a system that turns or rests.

With z the changes of positions that the constraints allow (B, A B = 0) and u = u₀ + B y,

    ż = y − [u₀, z],      ẏ = (∂u̇/∂z) z + (∂u̇/∂y) y,

where [u₀, z] is (ω × d + v × θ, ω × θ) of each body and nothing for δ. The derivatives are central differences of
the accelerations, on states that are put back onto the constraints. B holds the modes of the elastic bodies as
joints tie them: a difference is good to a part of its own size, small along a soft mode beside a stiff one.
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from flexframe.maths.arrays import Array, ComplexArray
from flexframe.maths.null_spaces import null_space
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equations import accelerations_at, elastic_matrices, equations_at, moved, with_velocity
from flexframe.multibody.equilibria.turning_places import bracket
from flexframe.multibody.places import place_of
from flexframe.multibody.start import consistent_start

_STEP = 1e-5  # of a difference, in lengths of the system and radians


@dataclass(frozen=True, eq=False)
class LinearisedMotion:
    """d(z, y)/dt = matrix · (z, y) about one state."""

    matrix: Array  # (2f, 2f)
    basis: Array  # B: (n, f)
    eigenvalues: ComplexArray  # (2f,)

    @property
    def frequencies(self) -> Array:
        """Angular frequencies [rad/s] above zero, ascending."""
        return np.sort(self.eigenvalues.imag[self.eigenvalues.imag > 0])


def linearised(system: DynamicSystem, state: DynamicState) -> LinearisedMotion:
    """Linear motion about a state whose velocities and deformations would not change."""
    scales, n = system.tables.scales, system.size
    here = equations_at(system, state)
    A = here.constraint * system.tables.rows.scales[:, None] * scales
    basis = null_space(A).basis if system.rows else np.eye(n)
    basis, inverse = separate(system, state, here.mass, basis)
    B, back = basis * scales[:, None], inverse / scales
    free = B.shape[1]
    u = here.velocity
    fast = max(1.0, float(np.abs(u / scales).max(initial=0.0)))

    def rate(z: Array, y: Array) -> Array:
        there = moved(system, state, B @ z)
        there = consistent_start(system, with_velocity(system, there, u + B @ y))
        return np.asarray(back @ accelerations_at(system, there).velocity_rate)

    sizes = np.abs(basis).max(axis=0)
    matrix = np.zeros((2 * free, 2 * free))
    matrix[:free, free:] = np.eye(free)
    matrix[:free, :free] = -back @ bracket(system.tables.bodies.numbers, u, B)
    for k, unit in enumerate(np.eye(free)):
        stride = _STEP / sizes[k]
        z, y = stride * unit, stride * fast * unit
        matrix[free:, k] = (rate(z, 0 * z) - rate(-z, 0 * z)) / (2 * stride)
        matrix[free:, free + k] = (rate(0 * y, y) - rate(0 * y, -y)) / (2 * stride * fast)
    return LinearisedMotion(matrix, B, np.linalg.eigvals(matrix).astype(complex))


def separate(system: DynamicSystem, state: DynamicState, mass: Array, basis: Array) -> tuple[Array, Array]:
    """The modes φ of K φ = ω² M φ on a basis (n, f), K of elastic bodies alone, and what undoes them: (f, n)."""
    scales = system.tables.scales
    K = basis.T @ elastic_matrices(system, place_of(system, state))[0] @ basis
    M = basis.T @ (mass * scales[:, None] * scales) @ basis
    try:
        modes = linalg.eigh((K + K.T) / 2, (M + M.T) / 2)[1]
    except linalg.LinAlgError:  # a motion without inertia: there is nothing to separate it by
        return basis, basis.T
    return np.asarray(basis @ modes), np.asarray(linalg.solve(modes, basis.T))
