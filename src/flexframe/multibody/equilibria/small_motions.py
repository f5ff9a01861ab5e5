"""Small motions about a steady one: frequencies of a system that turns or rests, and what damps them.

With z the changes of positions that the constraints allow (B, A B = 0) and u = u₀ + B y,

    ż = y − [u₀, z],      ẏ = (∂u̇/∂z) z + (∂u̇/∂y) y,

where [u₀, z] is (ω × d + v × θ, ω × θ) of each body and nothing for δ. The derivatives are central differences of
the accelerations, on states that are put back onto the constraints. B holds the modes of the elastic bodies as
joints tie them: a difference is good to a part of its own size, small along a soft mode beside a stiff one.

Modes of a stiff system some of whose motions have hardly any inertia.

K φ = κ M φ by Cholesky's factors of M leaves errors of the rounding of the largest κ in all others, and κ of a
section without rotary inertia is next to infinite: soft modes drown. From the other side,

    M v = μ (K + σ M) v,      vᵀ(K + σM) v = 1,      κ = 1/μ − σ,

soft motions have the largest μ and are exact to rounding, and motions without inertia have μ = 0: they follow at
once and are no modes.

Damping of the assembled system: modes about a state that joints hold together, and what damps them.

With B spanning the motions that joints and drives allow at a state, z their amounts, and D the elastic coordinates
of all bodies among them, modes are those of BᵀMB z̈ + K z = 0 without rigid motions, D z = 0. Damping acts on the
rates of the elastic coordinates alone,

    C with DᵀCD = Σ 2ζω (BᵀMB φ)(BᵀMB φ)ᵀ,   2ζω = α + βω² for Rayleigh's,

constant in the coordinates of the bodies: exact about the state, never on rigid motion, whatever the position.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg

from flexframe.equations.damping import DeformationModes, deformation_modes
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.maths.null_spaces import null_space
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equations import (
    accelerations_at,
    elastic_matrices,
    equations_at,
    move_state,
    place_of,
    with_velocity,
)
from flexframe.multibody.equilibria.turning import bracket
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


def linearise_motion(system: DynamicSystem, state: DynamicState) -> LinearisedMotion:
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
        there = move_state(system, state, B @ z)
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


_LIGHT = 1e-13  # of the largest μ: inertia below it is none
_EMPTY = 1e-16  # of the same: μ is taken for at least that
_SMALLEST = 1e-9  # shift, as a part of the smallest ratio of diagonals of K and M
_ROUNDING = 8 * np.finfo(float).eps  # of the sum of |K|: an entry is a sum over some elements


@dataclass(frozen=True, eq=False)
class LightModes:
    """κ of motions that have inertia, ascending, their directions of unit mass, and what rounding leaves of κ."""

    values: Array  # κ: (k,)
    directions: Array  # φ: (f, k)
    uncertainty: Array  # (k,)

    @property
    def noise(self) -> float:
        """What is left of κ where it should vanish."""
        small = np.abs(self.values) <= self.uncertainty
        return float(self.uncertainty[small].max(initial=0.0))


def light_modes(stiffness: Array, mass: Array, count: int | None = None) -> LightModes:
    """Modes of symmetric K and M, neither of which has to be definite as long as K + σM is for some σ.

    All that have inertia, or the softest if a number is given.
    """
    K, M = (stiffness + stiffness.T) / 2, (mass + mass.T) / 2
    shift = 0.0
    diagonals = np.abs(np.diagonal(K)) / np.maximum(np.diagonal(M), np.finfo(float).tiny)
    least = _SMALLEST * float(diagonals.min(initial=np.inf))
    for _ in range(12):
        try:
            mu, v = linalg.eigh(M, K + shift * M)
            break
        except linalg.LinAlgError:
            shift = 100 * shift or least
    else:
        raise AnalysisError(
            "a free motion has no inertia; give the bodies that move freely a mass and a moment of inertia"
        )
    largest = mu.max(initial=0.0)
    heavy = int(np.count_nonzero(mu > _LIGHT * largest))
    order = np.argsort(-mu)[: count or heavy]
    mu, v = np.maximum(mu[order], _EMPTY * largest), v[:, order]
    values, directions = 1 / mu - shift, v / np.sqrt(mu)
    size = np.abs(directions)
    uncertainty = _ROUNDING * np.einsum("ik,ij,jk->k", size, np.abs(K), size, optimize=True)
    return LightModes(values, directions, uncertainty + 4 * np.finfo(float).eps * shift)


_APART = 1e-12  # part of the largest entry below which bodies do not damp each other
_OVERDAMPED = 1e-6  # imaginary part of an eigenvalue, relative, below which nothing oscillates


@dataclass(frozen=True, eq=False)
class DampedModes:
    """Modes of the linearised system that oscillate, by ascending frequency."""

    frequencies_hz: Array  # |λ|/2π: (k,)
    ratios: Array  # −Re λ/|λ|: (k,)


def damped_modes(system: DynamicSystem, state: DynamicState) -> DampedModes:
    """Frequencies and ratios of small motions about a state, all that acts included."""
    values = linearise_motion(system, state).eigenvalues
    values = values[values.imag > _OVERDAMPED * np.abs(values).max(initial=0.0)]
    values = values[np.argsort(np.abs(values))]
    return DampedModes(np.abs(values) / (2 * np.pi), -values.real / np.abs(values))


def assembled_modes(system: DynamicSystem, state: DynamicState) -> DeformationModes:
    """Modes of the system about a state, as what moves its elastic coordinates in their scales."""
    small = linearise_motion(system, state)
    B, free = small.basis, small.basis.shape[1]
    M = B.T @ equations_at(system, state).mass @ B
    K = -M @ small.matrix[free:, :free]
    elastic = elastic_numbers(system)
    return deformation_modes(M, K, B[elastic] / system.tables.scales[elastic, None])


def elastic_numbers(system: DynamicSystem) -> IntArray:
    """Places of the elastic coordinates in u, body after body: (e,)."""
    tables = system.tables.bodies
    return np.concatenate(
        [tables.numbers[b, 6 : 6 + m] for b, m in enumerate(tables.sizes)] or [np.empty(0, dtype=np.int64)]
    ).astype(np.int64)


def with_ratios(system: DynamicSystem, modes: DeformationModes, ratios: float | Array) -> DynamicSystem:
    """The system with ratios of critical damping in its assembled modes, beside what it has."""
    scales = system.tables.scales[elastic_numbers(system)]
    return with_damping(system, modes.damping(ratios) / np.outer(scales, scales))


def with_damping(system: DynamicSystem, damping: Array) -> DynamicSystem:
    """The system with C (e, e) of its elastic coordinates added; bodies that are apart keep it as their own."""
    blocks = [system.elastic(number) for number in range(len(system.bodies))]
    within = linalg.block_diag(*(damping[block, block] for block in blocks))
    if np.abs(damping - within).max(initial=0.0) > _APART * np.abs(damping).max(initial=0.0):
        numbers = elastic_numbers(system)
        joined = np.zeros((system.size, system.size))
        joined[np.ix_(numbers, numbers)] = damping
        return replace(system, tables=system.tables._replace(joined_damping=joined))
    bodies = [
        replace(body, damping=body.damping + damping[block, block])
        for body, block in zip(system.bodies, blocks, strict=True)
    ]
    return replace(system, bodies=tuple(bodies))
