"""Gibbs–Appell: ∂S/∂δ̈ = Q, with the energy of accelerations S = ½∫ρ|a + (E + W²)(x + Nδ) + 2WNδ̇ + Nδ̈|².

One gradient, no derivative with respect to time. The same statement as a minimum is Gauss's principle of least
constraint: among the accelerations that the constraints allow, the true ones make ½(q̈ − M⁻¹F)ᵀM(q̈ − M⁻¹F)
smallest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from flexframe.errors import AnalysisError
from flexframe.formalisms.contract import (
    BoundMotion,
    BoundSolver,
    ElementEquations,
    ElementState,
    MovingElements,
)
from flexframe.formalisms.work import Work, at_points, column, half_square
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.factorisation import factorise
from flexframe.motion.frame import FrameMotion

SETTLED = 1e-14  # relative change of the accelerations at which the minimum counts as found
ATTEMPTS = 200


def acceleration(elements: MovingElements, motion: FrameMotion, work: Work) -> Array:
    """Coefficients N, 2WN, (E + W²)N, a + (E + W²)x in (δ̈, δ̇, δ, 1): (elements, points, 3, 3p + 1)."""
    N = elements.shape
    transport = motion.E + motion.W @ motion.W
    carried = work.turned(transport, np.concatenate([N, column(elements.positions)], axis=-1))
    carried[..., -1] += motion.origin_acceleration
    return np.concatenate([N, work.turned(2 * motion.W, N), carried], axis=-1)


@dataclass(frozen=True)
class GibbsAppell:
    """∂S/∂δ̈ = Q, where S = ½∫ρ r̈·r̈ is the energy of accelerations."""

    name: ClassVar[str] = "gibbs_appell"
    title: ClassVar[str] = "Gibbs–Appell"
    primitive: ClassVar[str] = "energy of accelerations S"
    energy_kind: ClassVar[str] = "acceleration"

    def refusal(self, motions: Sequence[FrameMotion], *, damped: bool) -> None:  # noqa: ARG002
        return None

    def element_equations(self, elements: MovingElements, motion: FrameMotion, work: Work) -> ElementEquations:
        p = elements.size
        G = acceleration(elements, motion, work)
        # ∂S/∂δ̈ = ∫ρ (∂r̈/∂δ̈)ᵀ r̈: of the quadratic form S only the rows of δ̈
        gradient = work.integral(elements.weights, G[..., :p], G)
        return ElementEquations(
            mass=gradient[..., :p],
            damping=work.sum(gradient[..., p : 2 * p], elements.damping),
            stiffness=work.sum(gradient[..., 2 * p : -1], elements.stiffness),
            load=work.sum(elements.load, -gradient[..., -1]),
        )

    def energy(self, elements: MovingElements, motion: FrameMotion, state: ElementState) -> Array:
        """S of every element."""
        ones = np.ones((elements.count, 1))
        amounts = np.concatenate([state.accelerations, state.rates, state.displacements, ones], axis=1)
        return half_square(elements.weights, at_points(acceleration(elements, motion, Work()), amounts))

    def bound(self, mass: SparseMatrix, constraint: SparseMatrix) -> BoundSolver:
        return least_constraint(mass, constraint)


def least_constraint(mass: SparseMatrix, constraint: SparseMatrix) -> BoundSolver:
    """Minimise ½q̈ᵀMq̈ − q̈ᵀF subject to A q̈ = −γ: q̈ = a − M⁻¹Aᵀ(AM⁻¹Aᵀ)⁻¹(A a + γ), a = M⁻¹F.

    A skew part of M (gyroscopic forces at the end of a time step) does no work and takes no part in the
    function that is minimised: it counts among the forces, at the accelerations found last, until they do not
    change any more.
    """
    symmetric = sparse.csr_array((mass + mass.T) / 2)
    skew = sparse.csr_array((mass - mass.T) / 2)
    gyroscopic = bool(np.abs(skew.data).max(initial=0.0) > 1e-14 * np.abs(symmetric.data).max(initial=1.0))
    factors = factorise(symmetric, "spd")
    compliance = factors.solve(constraint.T.toarray())
    coupling = constraint @ compliance
    inverse = np.linalg.pinv(coupling, rcond=1e-12, hermitian=True) if len(coupling) else coupling

    def minimum(force: Array, bias: Array) -> Array:
        found = factors.solve(force)
        for _ in range(2):  # the second time removes the round-off of the first
            found = found - compliance @ (inverse @ (constraint @ found + bias))
        return np.asarray(found)

    def solve(force: Array, bias: Array) -> BoundMotion:
        found = minimum(force, bias)
        for _ in range(ATTEMPTS if gyroscopic else 0):
            last, found = found, minimum(force - skew @ found, bias)
            if np.abs(found - last).max() <= SETTLED * np.abs(found).max():
                break
        else:
            if gyroscopic:
                raise AnalysisError(
                    "the minimum of Gauss's function was not found: gyroscopic forces are too large for the step; "
                    "use a smaller step or another formalism"
                )
        return BoundMotion(found, np.asarray(mass @ found - force))

    return solve
