"""Damping of the assembled system: modes about a state that joints hold together, and what damps them.

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
from flexframe.maths.arrays import Array, IntArray
from flexframe.multibody.contract import DynamicState, DynamicSystem
from flexframe.multibody.equations import equations_at
from flexframe.multibody.equilibria.small_motions import linearised

_APART = 1e-12  # part of the largest entry below which bodies do not damp each other
_OVERDAMPED = 1e-6  # imaginary part of an eigenvalue, relative, below which nothing oscillates


@dataclass(frozen=True, eq=False)
class DampedModes:
    """Modes of the linearised system that oscillate, by ascending frequency."""

    frequencies_hz: Array  # |λ|/2π: (k,)
    ratios: Array  # −Re λ/|λ|: (k,)


def damped_modes(system: DynamicSystem, state: DynamicState) -> DampedModes:
    """Frequencies and ratios of small motions about a state, all that acts included."""
    values = linearised(system, state).eigenvalues
    values = values[values.imag > _OVERDAMPED * np.abs(values).max(initial=0.0)]
    values = values[np.argsort(np.abs(values))]
    return DampedModes(np.abs(values) / (2 * np.pi), -values.real / np.abs(values))


def assembled_modes(system: DynamicSystem, state: DynamicState) -> DeformationModes:
    """Modes of the system about a state, as what moves its elastic coordinates in their scales."""
    small = linearised(system, state)
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
