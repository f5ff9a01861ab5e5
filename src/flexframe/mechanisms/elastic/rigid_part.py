"""A rigid body among elastic ones: six small displacements of its own, with the same terms of the moving frame.

u = d + φ × x, and ½ φ × (φ × x) on which the forces do work: its geometric stiffness; z = (d, φ) in body axes.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexframe.assembly.geometric import UnitLoad
from flexframe.assembly.inertia import centrifugal_factor, euler_factor
from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import Monomial
from flexframe.equations.cycle import CycleEquations, along
from flexframe.equations.invariants import frame_parts
from flexframe.equations.parts import LOAD, STIFFNESS, Part
from flexframe.equations.terms import Terms
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.rotations import skew
from flexframe.mechanisms.elastic.link_history import LinkHistory, MarkerLoad

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

    def mass_matrix(self) -> SparseMatrix:
        """∫ρ NᵀN."""
        return self.contraction(np.eye(3))

    def geometric_stiffness(self, load: UnitLoad) -> SparseMatrix:
        """Of a unit of inertia load −ρAx or −ρe_i: P = −AJ or −e_iSᵀ."""
        kind, i, j = load
        if kind == "origin":
            return self.geometric(-np.outer(np.eye(3)[i], self.first_moment))
        factor = euler_factor(i) if kind == "euler" else centrifugal_factor(i, j)
        return self.geometric(-factor @ self.second_moment)

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
        parts, amounts = [*frame_parts(self)], dict[str, Array]()
        for number, load in enumerate(history.loads, 1):
            for name, wrench in (("force", load.force), ("moment", load.moment)):
                amounts |= {_amount(number, name, i): wrench[:, i] for i in range(3)}
            parts += self._marker_parts(number, load)
        body = AffineEquations(len(self.columns), tuple(parts), terms)
        return along(body, history.points(amounts), history.times)

    def _marker_parts(self, number: int, load: MarkerLoad) -> Iterator[Part[SparseMatrix]]:
        """Unit forces and moments at a marker, and the stiffness that the forces make."""
        rows = self.twist(load.point)
        for i in range(3):
            force, moment = (Monomial((_amount(number, name, i),)) for name in ("force", "moment"))
            stress = self.geometric(np.outer(np.eye(3)[i], load.point))
            yield Part.given("geometric", STIFFNESS, stress, force)
            yield Part.given("marker", LOAD, rows[i], force)
            yield Part.given("marker", LOAD, rows[3 + i], moment)


def _amount(number: int, name: str, axis: int) -> str:
    """What a component of the wrench at a marker is called."""
    return f"{name} {'xyz'[axis]} of load {number}"
