"""Kane: F + F* = 0 along every partial velocity, F* = −∫ρ (∂ṙ/∂η)·r̈, with generalised speeds δ̇ = Yη + z.

No scalar function. The acceleration comes from the velocity by one vector derivative, that of its components
in the frame plus ω × velocity; the partial velocities are one Jacobian of the same velocity.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.formalisms.constraints import partition_basis, projected, sparse_basis
from flexframe.formalisms.contract import BoundSolver, ElementEquations, ElementState, MovingElements
from flexframe.formalisms.work import Work, column
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.motion.frame import FrameMotion


@dataclass(frozen=True, eq=False)
class PointVelocity:
    """Coefficients of ṙ in (δ̇, δ, 1), and the time derivatives of those that the frame changes."""

    of_rates: Array  # (elements, points, 3, p)
    of_displacements: Array
    constant: Array  # (elements, points, 3, 1)
    of_displacements_rate: Array
    constant_rate: Array


def point_velocity(elements: MovingElements, motion: FrameMotion, work: Work) -> PointVelocity:
    """ṙ = v + ω × (x + Nδ) + Nδ̇; ω̇ = ε, v̇ = a − ω × v in body components."""
    N, x = elements.shape, column(elements.positions)
    v, a = motion.origin_velocity, motion.origin_acceleration
    return PointVelocity(
        of_rates=N,
        of_displacements=work.turned(motion.W, N),
        constant=v[:, None] + work.turned(motion.W, x),
        of_displacements_rate=work.turned(motion.E, N),
        constant_rate=(a - motion.W @ v)[:, None] + work.turned(motion.E, x),
    )


def point_acceleration(velocity: PointVelocity, motion: FrameMotion, work: Work) -> Array:
    """r̈ = d(ṙ)/dt in the frame + ω × ṙ, coefficients in (δ̈, δ̇, δ, 1): (elements, points, 3, 3p + 1)."""
    u = velocity
    crossed = work.turned(motion.W, np.concatenate([u.of_rates, u.of_displacements, u.constant], axis=-1))
    # components: of_rates δ̈ + of_displacements δ̇ + rates of the coefficients
    moved = np.concatenate([u.of_displacements, u.of_displacements_rate, u.constant_rate], axis=-1)
    return np.concatenate([u.of_rates, work.sum(moved, crossed)], axis=-1)


def partial_velocities(velocity: PointVelocity, speeds: Array | None) -> Array:
    """∂ṙ/∂η = (∂ṙ/∂δ̇) Y: (elements, points, 3, speeds)."""
    return velocity.of_rates if speeds is None else np.matmul(velocity.of_rates, speeds)


@dataclass(frozen=True)
class Kane:
    """F + F* = 0 for every generalised speed."""

    name: ClassVar[str] = "kane"
    title: ClassVar[str] = "Kane"
    primitive: ClassVar[str] = "partial velocities and accelerations of points"
    energy_kind: ClassVar[str] = ""

    def refusal(self, motions: Sequence[FrameMotion], *, damped: bool) -> None:  # noqa: ARG002
        return None

    def element_equations(self, elements: MovingElements, motion: FrameMotion, work: Work) -> ElementEquations:
        velocity = point_velocity(elements, motion, work)
        partial = partial_velocities(velocity, None)
        # −F* = ∫ρ (∂ṙ/∂δ̇)ᵀ r̈, F = −kδ − dδ̇ + q
        inertia = work.integral(elements.weights, partial, point_acceleration(velocity, motion, work))
        p = elements.size
        return ElementEquations(
            mass=inertia[..., :p],
            damping=work.sum(inertia[..., p : 2 * p], elements.damping),
            stiffness=work.sum(inertia[..., 2 * p : -1], elements.stiffness),
            load=work.sum(elements.load, -inertia[..., -1]),
        )

    def energy(self, elements: MovingElements, motion: FrameMotion, state: ElementState) -> None:
        """There is none: the route knows no scalar function."""

    def bound(self, mass: SparseMatrix, constraint: SparseMatrix) -> BoundSolver:
        """Independent speeds by coordinate partitioning: Y has the identity in their rows."""
        return projected(mass, constraint, sparse_basis(constraint, partition_basis))


def speeds_residual(elements: MovingElements, motion: FrameMotion, speeds: Array, state: ElementState) -> Array:
    """−(F + F*) in generalised speeds δ̇ = Yη + z at a state, Y = `speeds` (p, r): (elements, r)."""
    work = Work()
    velocity = point_velocity(elements, motion, work)
    coefficients = point_acceleration(velocity, motion, work)
    amounts = np.concatenate(
        [state.accelerations, state.rates, state.displacements, np.ones((elements.count, 1))], axis=1
    )
    at = np.matmul(coefficients, amounts[:, None, :, None])
    inertia = work.integral(elements.weights, partial_velocities(velocity, speeds), at)[..., 0]
    active = elements.load - np.einsum("eij,ej->ei", elements.stiffness, state.displacements)
    active = active - np.einsum("eij,ej->ei", elements.damping, state.rates)
    return np.asarray(inertia - active @ speeds)
