"""Equations of motion along a cycle as sums of constant matrices with amounts that change in time.

    M z̈ + [D + Σ ω_a(t) 2c_a] ż + [K + Σ c_u(t) K_u] z = Σ c_u(t) f_u

A unit u is a unit of inertia load (ω_a ω_b, ε_a, a_i) or of a force at a marker; K_u holds its geometric stiffness
and, for the frame terms, their own matrix. Nothing is integrated again along the motion.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexframe.maths.arrays import Array, IntArray, SparseMatrix


@dataclass(frozen=True, eq=False)
class CycleEquations:
    """The sums over all instants, in the coordinates z that the supports leave."""

    times: Array  # (T,)
    mass: SparseMatrix
    damping: SparseMatrix  # D
    gyroscopic: tuple[SparseMatrix, ...]  # 2c of a unit spin about each axis that occurs
    stiffness: SparseMatrix  # K, elastic
    unit_stiffness: tuple[SparseMatrix, ...]  # K_u
    unit_loads: Array  # f_u: (n, units)
    spins: Array  # (T, axes)
    amounts: Array  # c_u: (T, units)
    units: tuple[str, ...]

    @property
    def size(self) -> int:
        """Number of coordinates n."""
        return int(self.mass.shape[0])

    def damping_at(self, instant: int) -> SparseMatrix:
        """C at one instant."""
        return _combined(self.damping, self.gyroscopic, self.spins[instant])

    def stiffness_at(self, instant: int) -> SparseMatrix:
        """K at one instant."""
        return _combined(self.stiffness, self.unit_stiffness, self.amounts[instant])

    def load_at(self, instant: int) -> Array:
        """f at one instant: (n,)."""
        return np.asarray(self.unit_loads @ self.amounts[instant])

    @property
    def symmetric(self) -> bool:
        """Whether nothing but symmetric stiffness acts: no spin, no damping, no angular acceleration."""
        euler = [not bool(abs(K - K.T).max() > 1e-12 * abs(K).max()) for K in self.unit_stiffness]
        return not self.spins.any() and not self.damping.nnz and all(euler)

    def projected(self, basis: Array) -> "ReducedEquations":
        """On z = V y: (n, r)."""
        V = basis

        def small(matrix: SparseMatrix) -> Array:
            return np.asarray(V.T @ (matrix @ V))

        r = V.shape[1]
        return ReducedEquations(
            basis=V,
            times=self.times,
            mass=small(self.mass),
            damping=small(self.damping),
            gyroscopic=np.array([small(G) for G in self.gyroscopic]).reshape(-1, r, r),
            stiffness=small(self.stiffness),
            unit_stiffness=np.array([small(K) for K in self.unit_stiffness]).reshape(-1, r, r),
            unit_loads=V.T @ self.unit_loads,
            spins=self.spins,
            amounts=self.amounts,
        )


@dataclass(frozen=True, eq=False)
class ReducedEquations:
    """The same sums, dense, on a basis."""

    basis: Array  # V: (n, r)
    times: Array
    mass: Array  # (r, r)
    damping: Array
    gyroscopic: Array  # (axes, r, r)
    stiffness: Array
    unit_stiffness: Array  # (units, r, r)
    unit_loads: Array  # (r, units)
    spins: Array
    amounts: Array

    @property
    def size(self) -> int:
        """Number of coordinates r."""
        return int(self.mass.shape[0])

    def damping_at(self, instants: "IntArray | slice") -> Array:
        """C at several instants: (t, r, r)."""
        return self.damping + np.tensordot(self.spins[instants], self.gyroscopic, axes=1)

    def stiffness_at(self, instants: "IntArray | slice") -> Array:
        """K at several instants: (t, r, r)."""
        return self.stiffness + np.tensordot(self.amounts[instants], self.unit_stiffness, axes=1)

    def load_at(self, instants: "IntArray | slice") -> Array:
        """f at several instants: (t, r)."""
        return np.asarray(self.amounts[instants] @ self.unit_loads.T)


def _combined(constant: SparseMatrix, parts: tuple[SparseMatrix, ...], amounts: Array) -> SparseMatrix:
    total = constant
    for part, amount in zip(parts, amounts, strict=True):
        if amount:
            total = total + amount * part
    return sparse.csr_array(total)
