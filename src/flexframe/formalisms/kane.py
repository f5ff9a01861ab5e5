"""Kane: F + F* = 0 along every partial velocity, F* = −∫ρ (∂ṙ/∂η)·r̈, with generalised speeds δ̇ = Yη + z.

No scalar function. The acceleration comes from the velocity by one vector derivative, that of its components
in the frame plus ω × velocity; the partial velocities are one Jacobian of the same velocity. Joints make some
speeds of a system depend on others: u = Y η + z with the identity in the rows of the independent speeds η, and
only along these is the balance written.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import linalg

from flexframe.formalisms.beam_sections import BeamMotion
from flexframe.formalisms.constraints import RANK, Scaled, partition_basis, projection_solver, scaled, sparse_basis
from flexframe.formalisms.contract import (
    BoundMotion,
    BoundSolver,
    ElementEquations,
    MovingElements,
    SystemInstant,
)
from flexframe.formalisms.formalism import Formalism
from flexframe.formalisms.mass_points import PointMotion, Work, column
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.null_spaces import coordinate_partition
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
        of_displacements=work.multiply(motion.W, N),
        constant=v[:, None] + work.multiply(motion.W, x),
        of_displacements_rate=work.multiply(motion.E, N),
        constant_rate=(a - motion.W @ v)[:, None] + work.multiply(motion.E, x),
    )


def point_acceleration(velocity: PointVelocity, motion: FrameMotion, work: Work) -> Array:
    """r̈ = d(ṙ)/dt in the frame + ω × ṙ, coefficients in (δ̈, δ̇, δ, 1): (elements, points, 3, 3p + 1)."""
    u = velocity
    crossed = work.multiply(motion.W, np.concatenate([u.of_rates, u.of_displacements, u.constant], axis=-1))
    # components: of_rates δ̈ + of_displacements δ̇ + rates of the coefficients
    moved = np.concatenate([u.of_displacements, u.of_displacements_rate, u.constant_rate], axis=-1)
    return np.concatenate([u.of_rates, work.sum(moved, crossed)], axis=-1)


def partial_velocities(velocity: PointVelocity) -> Array:
    """∂ṙ/∂δ̇: (elements, points, 3, p)."""
    return velocity.of_rates


@dataclass(frozen=True)
class Kane(Formalism):
    """F + F* = 0 for every independent generalised speed η, F* = −∫ρ (∂ṙ/∂η)·r̈."""

    title: ClassVar[str] = "Kane"
    primitive: ClassVar[str] = "partial velocities and accelerations of points"
    system_primitive: ClassVar[str] = "partial velocities, independent speeds"
    bound_words: ClassVar[str] = "independent generalised speeds"

    def element_equations(self, elements: MovingElements, motion: FrameMotion, work: Work) -> ElementEquations:
        velocity = point_velocity(elements, motion, work)
        partial = partial_velocities(velocity)
        # −F* = ∫ρ (∂ṙ/∂δ̇)ᵀ r̈, F = −kδ − dδ̇ + q
        inertia = work.integral(elements.weights, partial, point_acceleration(velocity, motion, work))
        p = elements.size
        return ElementEquations(
            mass=inertia[..., :p],
            damping=work.sum(inertia[..., p : 2 * p], elements.damping),
            stiffness=work.sum(inertia[..., 2 * p : -1], elements.stiffness),
            load=work.sum(elements.load, -inertia[..., -1]),
        )

    def bound(self, mass: SparseMatrix, constraint: SparseMatrix) -> BoundSolver:
        """Independent speeds by coordinate partitioning: Y has the identity in their rows."""
        return projection_solver(mass, constraint, sparse_basis(constraint, partition_basis))

    def system_motion(self, instant: SystemInstant, work: Work) -> BoundMotion:
        mass, rest = instant.gather(
            [_body_inertia(body, work) for body in instant.bodies],
            [_beam_inertia(beam, work) for beam in instant.beams],
        )
        problem = scaled(mass, instant.forces_along_strains - rest, instant.constraint, instant.bias)
        return problem.project(*_independent_speeds(problem, work), work)


def _body_inertia(body: PointMotion, work: Work) -> tuple[Array, Array]:
    """−F* = Σ w (∂ṙ/∂u)ᵀ r̈ as M u̇ + h."""
    components_rate = np.cross(body.spin, body.relative) + body.bending
    rest = components_rate + np.cross(body.spin, body.velocities)
    work.count(12 * len(rest))
    return body.sum(body.partial, body.partial, work), body.sum(body.partial, rest, work)


def _beam_inertia(beam: BeamMotion, work: Work) -> tuple[Array, Array]:
    """The same of sections: d/dt of ṙ in their axes, and ω × ṙ."""
    rest = beam.bending + np.cross(beam.spins, beam.velocities)
    work.count(6 * beam.weights.size)
    return beam.sum(beam.partial, beam.partial, work), beam.sum(beam.partial, rest, work)


def _independent_speeds(problem: Scaled, work: Work) -> tuple[Array, Array]:
    """B with the identity in the rows of the independent speeds, and g that leaves those alone."""
    A, n = problem.constraint, len(problem.force)
    split = coordinate_partition(A, RANK)
    g = np.zeros(n)
    if len(split.dependent):
        g[split.dependent] = linalg.lstsq(A[:, split.dependent], -problem.bias, cond=RANK)[0]
    work.count(4 * n * len(A) ** 2)
    return split.basis, g
