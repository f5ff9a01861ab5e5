"""A rigid body among elastic ones: six small displacements of its own, with the same terms of the moving frame.

u = d + φ × x, and ½ φ × (φ × x) on which the forces do work: its geometric stiffness; z = (d, φ) in body axes.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexframe.assembly.equations import Terms
from flexframe.assembly.inertia import centrifugal_factor, euler_factor
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.rotations import skew
from flexframe.mechanisms.elastic.cycle_equations import CycleEquations
from flexframe.mechanisms.elastic.link_history import LinkHistory

_UNIT_SKEW = skew(np.eye(3))


@dataclass(frozen=True, eq=False)
class RigidPart:
    """Mass, S = ∫ρx and J = ∫ρxxᵀ about the origin of the frame; `columns` are the displacements that exist."""

    mass: float
    first_moment: Array  # (3,)
    second_moment: Array  # (3, 3)
    columns: IntArray  # of (d, φ): all six, or three in the plane

    @classmethod
    def of(cls, mass: float, centre: Array, inertia: Array, columns: IntArray) -> "RigidPart":
        """From the inertia tensor about the origin: J = ½ tr(I) 1 − I."""
        return cls(mass, mass * centre, np.trace(inertia) / 2 * np.eye(3) - inertia, columns)

    def contraction(self, factor: Array) -> SparseMatrix:
        """∫ρ NᵀAN with N = [1, −x̃]."""
        S, A = skew(self.first_moment), factor
        turning = -np.einsum("kl,kab,bc,lcd->ad", self.second_moment, _UNIT_SKEW, A, _UNIT_SKEW)
        matrix = np.block([[self.mass * A, -A @ S], [S @ A, turning]])
        return sparse.csr_array(matrix[np.ix_(self.columns, self.columns)])

    def position_load(self, factor: Array) -> Array:
        """∫ρ NᵀAx."""
        turning = np.einsum("kl,kab,bl->a", self.second_moment, _UNIT_SKEW, factor)
        return np.concatenate([factor @ self.first_moment, turning])[self.columns]

    def origin_load(self, acceleration: Array) -> Array:
        """∫ρ Nᵀa."""
        turning = np.cross(self.first_moment, acceleration)
        return np.concatenate([self.mass * acceleration, turning])[self.columns]

    def geometric(self, product: Array) -> SparseMatrix:
        """tr(P) 1 − sym P on φ, P = Σ f xᵀ of all forces f at x."""
        matrix = np.zeros((6, 6))
        matrix[3:, 3:] = np.trace(product) * np.eye(3) - (product + product.T) / 2
        return sparse.csr_array(matrix[np.ix_(self.columns, self.columns)])

    def twist(self, point: Array) -> Array:
        """Displacement and rotation of the marker at a point: (6, columns)."""
        matrix = np.eye(6)
        matrix[:3, 3:] = -skew(point)
        return matrix[:, self.columns]

    def equations(self, history: LinkHistory, terms: Terms) -> CycleEquations:
        """The equations along a history."""
        omega, epsilon = history.angular_velocities, history.angular_accelerations
        S, J = self.first_moment, self.second_moment
        units: list[tuple[str, Array, SparseMatrix, Array]] = []

        def add(name: str, amount: Array, stiffness: SparseMatrix, load: Array, product: Array) -> None:
            if amount.any():
                total = sparse.csr_array(stiffness + terms.geometric * self.geometric(product))
                units.append((name, amount, total, load))

        nothing = sparse.csr_array((len(self.columns), len(self.columns)), dtype=float)
        for i in range(3):
            A, unit = euler_factor(i), np.eye(3)[i]
            load = -terms.euler * self.position_load(A)
            add(f"ε{'xyz'[i]}", epsilon[:, i], terms.euler * self.contraction(A), load, -A @ J)
            amount = history.origin_accelerations[:, i]
            add(f"a{'xyz'[i]}", amount, nothing, -self.origin_load(unit), -np.outer(unit, S))
            for j in range(i, 3):
                A, amount = centrifugal_factor(i, j), omega[:, i] * omega[:, j] * (1 if i == j else 2)
                load = -terms.centrifugal * self.position_load(A)
                add(f"ω{'xyz'[i]} ω{'xyz'[j]}", amount, terms.centrifugal * self.contraction(A), load, -A @ J)
        for marker in history.loads:
            rows = self.twist(marker.point)
            for i in range(3):
                product = np.outer(np.eye(3)[i], marker.point)
                add(f"{marker.name} force {'xyz'[i]}", marker.force[:, i], nothing, rows[i], product)
                add(f"{marker.name} moment {'xyz'[i]}", marker.moment[:, i], nothing, rows[3 + i], 0 * product)
        axes = [a for a in range(3) if omega[:, a].any() and terms.coriolis]
        columns = len(self.columns)
        return CycleEquations(
            times=history.times,
            mass=self.contraction(np.eye(3)),
            damping=nothing,
            gyroscopic=tuple(2 * terms.coriolis * self.contraction(euler_factor(a)) for a in axes),
            stiffness=nothing,
            unit_stiffness=tuple(stiffness for _, _, stiffness, _ in units),
            unit_loads=np.array([load for _, _, _, load in units]).reshape(-1, columns).T,
            spins=omega[:, axes],
            amounts=np.array([amount for _, amount, _, _ in units]).reshape(-1, len(history.times)).T,
            units=tuple(name for name, _, _, _ in units),
        )
