"""Gibbs–Appell: ∂S/∂δ̈ = Q, with the energy of accelerations S = ½∫ρ|a + (E + W²)(x + Nδ) + 2WNδ̇ + Nδ̈|².

One gradient, no derivative with respect to time. The same statement as a minimum is Gauss's principle of least
constraint: among the accelerations that the constraints allow, the true ones make ½(q̈ − M⁻¹F)ᵀM(q̈ − M⁻¹F)
smallest. In a system S = ½Σ w|r̈|² of all bodies, r̈ = v̇ + ω × v + (ε̃ + ω̃²) ξ + 2 ω × ξ̇ + ξ̈ affine in u̇.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import linalg, sparse

from flexframe.errors import AnalysisError
from flexframe.formalisms.beam_sections import BeamMotion
from flexframe.formalisms.constraints import RANK, Scaled, scaled, with_factor
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
from flexframe.maths.factorisation import factorise
from flexframe.maths.rotations import skew
from flexframe.motion.frame import FrameMotion

SETTLED = 1e-14  # relative change of the accelerations at which the minimum counts as found
ATTEMPTS = 200


def acceleration(elements: MovingElements, motion: FrameMotion, work: Work) -> Array:
    """Coefficients N, 2WN, (E + W²)N, a + (E + W²)x in (δ̈, δ̇, δ, 1): (elements, points, 3, 3p + 1)."""
    N = elements.shape
    transport = motion.E + motion.W @ motion.W
    carried = work.multiply(transport, np.concatenate([N, column(elements.positions)], axis=-1))
    carried[..., -1] += motion.origin_acceleration
    return np.concatenate([N, work.multiply(2 * motion.W, N), carried], axis=-1)


@dataclass(frozen=True)
class GibbsAppell(Formalism):
    """∂S/∂q̈ = Q, where S = ½∫ρ r̈·r̈ is the energy of accelerations; the least of Gauss's function under Aᵀλ."""

    title: ClassVar[str] = "Gibbs–Appell"
    primitive: ClassVar[str] = "energy of accelerations S"
    system_primitive: ClassVar[str] = "energy of accelerations S, least constraint"
    energy_kind: ClassVar[str] = "acceleration"
    bound_words: ClassVar[str] = "minimum of Gauss's function under the supports"

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
        amounts = np.concatenate([state.accelerations, state.rates, state.displacements, ones(elements)], axis=1)
        return half_square(elements.weights, at_points(acceleration(elements, motion, Work()), amounts))

    def bound(self, mass: SparseMatrix, constraint: SparseMatrix) -> BoundSolver:
        return least_constraint(mass, constraint)

    def body_unknowns(self, size: BodySize) -> int:
        return size.total

    def system_unknowns(self, size: int, rank: int, rows: int) -> int:  # noqa: ARG002
        return size

    def system_motion(self, instant: SystemInstant, work: Work) -> BoundMotion:
        mass, rest = instant.gather(
            [_body_gradient(body, work) for body in instant.bodies],
            [_beam_gradient(beam, work) for beam in instant.beams],
        )
        return _least(scaled(mass, instant.forces_along_strains - rest, instant.constraint, instant.bias), work)


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


def _body_gradient(body: PointMotion, work: Work) -> tuple[Array, Array]:
    """∂S/∂u̇ = Σ w (∂r̈/∂u̇)ᵀ r̈ as M u̇ + h."""
    by_acceleration = body.partial  # r̈ is as linear in u̇ as ṙ is in u
    W = skew(body.spin)
    rest = (
        np.outer(body.shares, W @ body.velocity) + body.places @ (W @ W).T + 2 * body.relative @ W.T + body.bending
    )
    work.count(18 * len(rest))
    return body.sum(by_acceleration, by_acceleration, work), body.sum(by_acceleration, np.asarray(rest), work)


def _beam_gradient(beam: BeamMotion, work: Work) -> tuple[Array, Array]:
    """∂S/∂u̇ of sections that move as rigid bodies, r̈ = s (v̇ + ω × v) + (ε̃ + ω̃²) x with (v̇, ε) = Q u̇ + Q̇ u."""
    own, u = beam.sections, beam.velocity[:, None, :, None]
    twist, rate = (beam.twist @ u)[..., 0], (beam.twist_rate @ u)[..., 0]  # (beams, 2, 6)
    W, E = skew(twist[..., 3:]), skew(rate[..., 3:])
    origin = rate[..., :3] + np.cross(twist[..., 3:], twist[..., :3])
    rest = np.einsum("exi,eg->exgi", origin, own.shares) + np.einsum("exij,egj->exgi", E + W @ W, own.points)
    work.count(18 * beam.weights.size)
    flat = rest.reshape(len(u), -1, 3)
    return beam.sum(beam.partial, beam.partial, work), beam.sum(beam.partial, flat, work)


def _least(problem: Scaled, work: Work) -> BoundMotion:
    """The smallest ½|Lᵀ(u̇ − a)|² that obeys the constraint equations, with M = LLᵀ and a = M⁻¹F (Gauss)."""
    n = len(problem.force)
    work.count(n**3 // 6)
    definite, L = with_factor(problem)
    free = linalg.cho_solve((L, True), definite.force)
    A = linalg.solve_triangular(L, problem.constraint.T, lower=True).T  # A L⁻ᵀ
    work.count(n * n * (2 + len(A)))
    if not len(A):
        return problem.restore(free, np.zeros(n))
    gap = -(problem.bias + problem.constraint @ free)
    moved = linalg.lstsq(A, gap, cond=RANK)[0]
    work.count(4 * n * len(A) ** 2)
    found = free + linalg.solve_triangular(L, moved, lower=True, trans="T")
    return problem.restore(found, L @ moved)
