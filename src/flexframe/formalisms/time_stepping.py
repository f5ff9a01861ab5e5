"""Steps in time of M q̈ + C q̇ + K q = f + Aᵀλ, A q̇ = 0, with coefficients that may follow the motion of the frame.

Generalised-α: displacements and rates by Newmark's formulas, the equation of motion at a weighted instant of
the step. With spectral radius 1 this is the midpoint rule, which keeps the energy of a conservative body;
below 1 it damps what the step is too coarse for. How the constraints are met in each step is left to the
formalism.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import sparse

from flexframe.formalisms.contract import BoundSolver
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.generalised_alpha import AlphaMethod


class Coefficients(Protocol):
    """C, K and f at one instant."""

    @property
    def damping(self) -> SparseMatrix: ...
    @property
    def stiffness(self) -> SparseMatrix: ...
    @property
    def load(self) -> Array: ...


@dataclass(frozen=True, eq=False)
class State:
    """q, q̇ and the accelerations of the method."""

    displacements: Array
    rates: Array
    accelerations: Array


@dataclass(frozen=True, eq=False)
class Stepper:
    """One size of step with one set of coefficients; what depends on both is factorised once."""

    mass: SparseMatrix
    coefficients: Coefficients
    step: float
    method: AlphaMethod
    solve: BoundSolver
    constraints: int  # rows of A

    @classmethod
    def prepared(
        cls,
        mass: SparseMatrix,
        coefficients: Coefficients,
        *,
        step: float,
        method: AlphaMethod,
        bound: Callable[[SparseMatrix], BoundSolver],
        constraints: int,
    ) -> "Stepper":
        """Factorise (1 − α_m)M + (1 − α_f)(γhC + βh²K) the way a formalism does."""
        h, now = step, 1 - method.force_weight
        matrix = sparse.csr_array(
            (1 - method.inertia_weight) * mass
            + now * method.gamma * h * coefficients.damping
            + now * method.beta * h**2 * coefficients.stiffness
        )
        return cls(mass, coefficients, h, method, bound(matrix), constraints)

    def advance(self, state: State) -> State:
        """From t to t + h; the coefficients are those at t + (1 − α_f)h."""
        m, h = self.method, self.step
        M, C, K, f = self.mass, self.coefficients.damping, self.coefficients.stiffness, self.coefficients.load
        u, v, a = state.displacements, state.rates, state.accelerations
        old, new = m.force_weight, 1 - m.force_weight
        u_known = u + h * v + h**2 * (0.5 - m.beta) * a
        v_known = v + h * (1 - m.gamma) * a
        force = f - m.inertia_weight * (M @ a)
        force = force - C @ (old * v + new * v_known) - K @ (old * u + new * u_known)
        a_new = self.solve(np.asarray(force), np.zeros(self.constraints)).accelerations
        u_new, v_new = u_known + h**2 * m.beta * a_new, v_known + h * m.gamma * a_new
        return State(u_new, v_new, a_new)
