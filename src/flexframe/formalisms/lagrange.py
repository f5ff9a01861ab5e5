"""Lagrange: d/dt ∂T/∂δ̇ − ∂T/∂δ = Q, with T = ½∫ρ|v + W(x + Nδ) + Nδ̇|².

T is a quadratic form of (δ̇, δ, 1) whose coefficients change with the frame: W → E, v → a − Wv. Three
derivatives are taken: the momentum p = ∂T/∂δ̇, its total rate, and ∂T/∂δ. The velocity v of the origin is
needed and drops out. Constraints keep their multipliers: one system for q̈ and λ.

In a system T = ½Σ w|v + ω × ξ + ξ̇|² of each body, and the velocities v, ω of the frames are not rates of
coordinates, so that the equations are those of Boltzmann and Hamel, P = ∂T/∂u:

    Ṗ_v + ω × P_v = Q_v,      Ṗ_ω + ω × P_ω + v × P_v = Q_ω,      Ṗ_δ − ∂T/∂δ = Q_δ .

T of an exact beam depends on the places of the bodies at its ends, which adds −∂T/∂q to the first two.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from flexframe.formalisms.beam_sections import BeamMotion
from flexframe.formalisms.constraints import RANK, Scaled, scaled, solve_full
from flexframe.formalisms.contract import (
    BoundMotion,
    BoundSolver,
    ElementEquations,
    ElementState,
    MovingElements,
    SystemInstant,
)
from flexframe.formalisms.formalism import BodySize, Formalism, ones
from flexframe.formalisms.mass_points import PointMotion, Work, at_points, column, half_square
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.factorisation import SingularMatrixError, factorise
from flexframe.maths.null_spaces import null_space
from flexframe.motion.frame import FrameMotion


def velocity(elements: MovingElements, motion: FrameMotion, work: Work) -> Array:
    """Coefficients N, WN, v + Wx of the velocity in (δ̇, δ, 1): (elements, points, 3, 2p + 1)."""
    dragged = work.multiply(motion.W, np.concatenate([elements.shape, column(elements.positions)], axis=-1))
    dragged[..., -1] += motion.origin_velocity
    return np.concatenate([elements.shape, dragged], axis=-1)


def velocity_rate(elements: MovingElements, motion: FrameMotion, work: Work) -> Array:
    """Their time derivatives 0, EN, (a − Wv) + Ex."""
    changed = work.multiply(motion.E, np.concatenate([elements.shape, column(elements.positions)], axis=-1))
    changed[..., -1] += motion.origin_acceleration - motion.W @ motion.origin_velocity
    return np.concatenate([np.zeros_like(elements.shape), changed], axis=-1)


@dataclass(frozen=True)
class Lagrange(Formalism):
    """d/dt ∂T/∂q̇ − ∂T/∂q = Q + Aᵀλ, where T = ½∫ρ ṙ·ṙ is the kinetic energy."""

    title: ClassVar[str] = "Lagrange"
    primitive: ClassVar[str] = "kinetic energy T"
    system_primitive: ClassVar[str] = "kinetic energy T, multipliers λ"
    energy_kind: ClassVar[str] = "kinetic"
    bound_words: ClassVar[str] = "supports by multipliers"

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
        amounts = np.concatenate([state.rates, state.displacements, ones(elements)], axis=1)
        return half_square(elements.weights, at_points(velocity(elements, motion, Work()), amounts))

    def bound(self, mass: SparseMatrix, constraint: SparseMatrix) -> BoundSolver:
        return with_multipliers(mass, constraint)

    def body_unknowns(self, size: BodySize) -> int:
        """δ̈ and a multiplier for each row of the supports."""
        return size.total + (size.total - size.free)

    def system_unknowns(self, size: int, rank: int, rows: int) -> int:  # noqa: ARG002
        return size + rows

    def system_motion(self, instant: SystemInstant, work: Work) -> BoundMotion:
        mass, rest = instant.gather(
            [_body_left_side(body, work) for body in instant.bodies],
            [_beam_left_side(beam, work) for beam in instant.beams],
        )
        problem = scaled(mass, instant.forces_of_potential - rest, instant.constraint, instant.bias)
        return _with_all_multipliers(problem, work)


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


def _body_left_side(body: PointMotion, work: Work) -> tuple[Array, Array]:
    """M and h of Ṗ + … = M u̇ + h."""
    partial, rate, spin, v = body.partial, body.partial_rate, body.spin, body.velocities
    mass = body.sum(partial, partial, work)
    u = np.concatenate([body.velocity, spin, body.rates])[body.columns]
    # P = Σ w Gᵀṙ and ṙ = G u; G changes with ξ
    changed = work.sum(body.sum(rate, v, work), body.sum(partial, np.asarray(rate @ u), work))
    dragged = np.cross(spin, body.shapes, axisb=1, axisc=1) + body.shape_rates  # ∂ṙ/∂δ
    linear = (body.weights * body.shares) @ v
    angular = body.weights @ np.cross(body.places, v)
    work.count(9 * len(v))
    turned = np.concatenate(
        [
            np.cross(spin, linear),
            np.cross(spin, angular) + np.cross(body.velocity, linear),
            -body.sum(dragged, v, work),
        ]
    )
    return mass, work.sum(changed, turned[body.columns])


def _beam_left_side(beam: BeamMotion, work: Work) -> tuple[Array, Array]:
    """The same of beams, whose T depends on the places of both bodies: −∂T/∂q along changes in body axes."""
    partial, rate, moving = beam.partial, beam.partial_rate, beam.velocities
    changed = work.sum(beam.sum(rate, moving, work), beam.sum(partial, beam.bending, work))
    momenta, u = (x.reshape(-1, 2, 6) for x in (beam.sum(partial, moving, work), beam.velocity))
    linear, angular, v, spin = momenta[..., :3], momenta[..., 3:], u[..., :3], u[..., 3:]
    turned = np.concatenate([np.cross(spin, linear), np.cross(spin, angular) + np.cross(v, linear)], axis=-1)
    pulled = beam.sum(beam.dragged, moving, work)
    work.count(18 * len(u))
    return beam.sum(partial, partial, work), work.sum(changed, turned.reshape(-1, 12), -pulled)


def _with_all_multipliers(problem: Scaled, work: Work) -> BoundMotion:
    """One system for u̇ and λ; of rows that say the same, one is kept."""
    A, gamma = problem.constraint, problem.bias
    redundant = null_space(A, RANK).redundant_rows
    kept = np.setdiff1d(np.arange(len(A)), redundant)
    A, gamma = A[kept], gamma[kept]
    n, m = len(problem.force), len(kept)
    saddle = np.block([[problem.mass, -A.T], [A, np.zeros((m, m))]])
    solution = solve_full(saddle, np.concatenate([problem.force, -gamma]), work)
    return problem.restore(solution[:n], A.T @ solution[n:])
