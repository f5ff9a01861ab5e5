"""Natural systems: L = ½q̇ᵀM(q)q̇ + q̇ᵀg(q) − V(q) without explicit time, so that h = ½q̇ᵀMq̇ + V is an integral."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from flexframe.maths.arrays import Array


class NaturalSystem(Protocol):
    """n coordinates; of g only the skew Γ_ij = ∂_j g_i − ∂_i g_j acts."""

    def mass(self, q: Array) -> Array:
        """M: (n, n)."""
        ...

    def mass_gradient(self, q: Array) -> Array | None:
        """∂M_ij/∂q_k with k first, (n, n, n); None where M is constant."""
        ...

    def gyroscopic(self, q: Array) -> Array:
        """Γ: (n, n)."""
        ...

    def potential(self, q: Array) -> float:
        """V."""
        ...

    def potential_gradient(self, q: Array) -> Array:
        """∂V/∂q: (n,)."""
        ...


@dataclass(frozen=True, eq=False)
class LinearSystem:
    """M q̈ + Γ q̇ + K q = f with M, K symmetric and Γ skew: constant coefficients, V = ½qᵀKq − qᵀf."""

    inertia: Array  # M: (n, n)
    coriolis: Array  # Γ: (n, n)
    stiffness: Array  # K: (n, n)
    load: Array  # f: (n,)

    def mass(self, q: Array) -> Array:  # noqa: ARG002 - the same everywhere
        return self.inertia

    def mass_gradient(self, q: Array) -> None:  # noqa: ARG002
        return None

    def gyroscopic(self, q: Array) -> Array:  # noqa: ARG002
        return self.coriolis

    def potential(self, q: Array) -> float:
        return float(q @ self.stiffness @ q / 2 - q @ self.load)

    def potential_gradient(self, q: Array) -> Array:
        return np.asarray(self.stiffness @ q - self.load)


def kinetic_energy(system: NaturalSystem, q: Array, rates: Array) -> float:
    """½q̇ᵀMq̇."""
    return float(rates @ system.mass(q) @ rates / 2)


def energy(system: NaturalSystem, q: Array, rates: Array) -> float:
    """h = ½q̇ᵀMq̇ + V."""
    return kinetic_energy(system, q, rates) + system.potential(q)


def inertia_forces(system: NaturalSystem, q: Array, rates: Array) -> Array:
    """ν in M q̈ + ν = 0: (∂_k M_ij) q̇_k q̇_j − ½(∂_i M_jk) q̇_j q̇_k + Γ_ij q̇_j + ∂_i V."""
    forces = system.gyroscopic(q) @ rates + system.potential_gradient(q)
    gradient = system.mass_gradient(q)
    if gradient is not None:
        forces = forces + np.tensordot(rates, gradient, 1) @ rates - (gradient @ rates) @ rates / 2
    return np.asarray(forces)


def accelerations(system: NaturalSystem, q: Array, rates: Array) -> Array:
    """q̈ of Lagrange's equations in time."""
    return np.asarray(np.linalg.solve(system.mass(q), -inertia_forces(system, q, rates)))
