"""Lagrange: d/dt ∂T/∂δ̇ − ∂T/∂δ = Q, with T = ½∫ρ|v + W(x + Nδ) + Nδ̇|².

T is a quadratic form of (δ̇, δ, 1) whose coefficients change with the frame: W → E, v → a − Wv. Three
derivatives are taken: the momentum p = ∂T/∂δ̇, its total rate, and ∂T/∂δ. The velocity v of the origin is
needed and drops out. Constraints keep their multipliers: one system for q̈ and λ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from flexframe.formalisms.contract import (
    BoundMotion,
    BoundSolver,
    ElementEquations,
    ElementState,
    MovingElements,
)
from flexframe.formalisms.work import Work, at_points, column, half_square
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.factorisation import SingularMatrixError, factorise
from flexframe.maths.null_spaces import null_space
from flexframe.motion.frame import FrameMotion


def velocity(elements: MovingElements, motion: FrameMotion, work: Work) -> Array:
    """Coefficients N, WN, v + Wx of the velocity in (δ̇, δ, 1): (elements, points, 3, 2p + 1)."""
    dragged = work.turned(motion.W, np.concatenate([elements.shape, column(elements.positions)], axis=-1))
    dragged[..., -1] += motion.origin_velocity
    return np.concatenate([elements.shape, dragged], axis=-1)


def velocity_rate(elements: MovingElements, motion: FrameMotion, work: Work) -> Array:
    """Their time derivatives 0, EN, (a − Wv) + Ex."""
    changed = work.turned(motion.E, np.concatenate([elements.shape, column(elements.positions)], axis=-1))
    changed[..., -1] += motion.origin_acceleration - motion.W @ motion.origin_velocity
    return np.concatenate([np.zeros_like(elements.shape), changed], axis=-1)


@dataclass(frozen=True)
class Lagrange:
    """d/dt ∂T/∂δ̇ − ∂T/∂δ = Q."""

    name: ClassVar[str] = "lagrange"
    title: ClassVar[str] = "Lagrange"
    primitive: ClassVar[str] = "kinetic energy T"
    energy_kind: ClassVar[str] = "kinetic"

    def refusal(self, motions: Sequence[FrameMotion], *, damped: bool) -> None:  # noqa: ARG002
        return None

    def element_equations(self, elements: MovingElements, motion: FrameMotion, work: Work) -> ElementEquations:
        p = elements.size
        U, U_rate = velocity(elements, motion, work), velocity_rate(elements, motion, work)
        T = work.integral(elements.weights, U, U)  # T = ½ (δ̇, δ, 1)ᵀ T (δ̇, δ, 1)
        half = work.integral(elements.weights, U_rate, U)
        T_rate = work.sum(half, half.swapaxes(1, 2))
        # rows of ∂T/∂δ̇ and ∂T/∂δ; columns of δ̇, δ, 1
        momentum, momentum_rate, gradient = T[:, :p], T_rate[:, :p], T[:, p:-1]
        # ṗ = momentum (δ̈, δ̇, ·) + momentum_rate (δ̇, δ, 1)
        return ElementEquations(
            mass=momentum[..., :p],
            damping=work.sum(momentum_rate[..., :p], momentum[..., p:-1], -gradient[..., :p], elements.damping),
            stiffness=work.sum(momentum_rate[..., p:-1], -gradient[..., p:-1], elements.stiffness),
            load=work.sum(elements.load, gradient[..., -1], -momentum_rate[..., -1]),
        )

    def energy(self, elements: MovingElements, motion: FrameMotion, state: ElementState) -> Array:
        """T of every element."""
        ones = np.ones((elements.count, 1))
        amounts = np.concatenate([state.rates, state.displacements, ones], axis=1)
        return half_square(elements.weights, at_points(velocity(elements, motion, Work()), amounts))

    def bound(self, mass: SparseMatrix, constraint: SparseMatrix) -> BoundSolver:
        return with_multipliers(mass, constraint)


def with_multipliers(mass: SparseMatrix, constraint: SparseMatrix) -> BoundSolver:
    """Solve M q̈ − Aᵀλ = F, A q̈ = −γ together; of rows that say the same, one is kept."""
    rows, size = constraint.shape
    # the multipliers are scaled to the size of M, so that both blocks weigh the same
    scale = float(np.abs(mass.diagonal()).max())
    scaled = scale * constraint
    above = sparse.hstack([mass, -scaled.T])
    below = sparse.hstack([-scaled, sparse.csr_array((rows, rows), dtype=float)])
    try:
        factors = factorise(sparse.csr_array(sparse.vstack([above, below])), "general")
    except SingularMatrixError:
        redundant = null_space(constraint.toarray()).redundant_rows
        if not redundant.size:
            raise
        kept = np.setdiff1d(np.arange(rows), redundant)
        reduced = with_multipliers(mass, sparse.csr_array(constraint[kept]))
        return lambda force, bias: reduced(force, bias[kept])

    def solve(force: Array, bias: Array) -> BoundMotion:
        solution = factors.solve(np.concatenate([force, scale * bias]))
        multipliers = scale * solution[size:]
        return BoundMotion(solution[:size], np.asarray(constraint.T @ multipliers))

    return solve
