"""Maggi: Bᵀ[d/dt ∂T/∂q̇ − ∂T/∂q − Q] = 0, with too many coordinates q bound by A q̇ + b = 0 and A B = 0.

On an element the coordinates are the places y_g of its mass points, each with its own T_g = ½w_g|v + Wy_g +
ẏ_g|², and the shape functions bind them: y_g = x_g + N_g δ, so that B is the stack of the N_g. On a body they
are the degrees of freedom of all elements side by side; A joins them and holds the supports, and B is a null
space of A: zeros and ones for joins. In a system the coordinates are the places of all mass points, free
particles with w r̈ = f; frames and shapes bind them, ṙ = G u, joints and drives bind u, and along the motions
ṙ = G B ż + … left over (G B)ᵀ(w r̈ − f) = 0. Joint forces drop out because BᵀAᵀ = 0 and come back as M q̈ + h − Q.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from flexframe.assembly.discrete import DiscreteBody
from flexframe.formalisms.beam_sections import BeamMotion
from flexframe.formalisms.bodies import broken_equations
from flexframe.formalisms.constraints import RANK, orthonormal_basis, projection_solver, scaled, sparse_basis
from flexframe.formalisms.contract import (
    BodyEquations,
    BoundMotion,
    BoundSolver,
    ElementEquations,
    ElementState,
    MovingElements,
    SystemInstant,
)
from flexframe.formalisms.formalism import BodySize, Formalism
from flexframe.formalisms.mass_points import PointMotion, Work, at_points, column, half_square
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.null_spaces import null_space, particular_solution
from flexframe.maths.rotations import skew
from flexframe.motion.frame import FrameMotion


@dataclass(frozen=True, eq=False)
class ParticleEquation:
    """ÿ + C ẏ + K y + f = 0 for unit mass: Lagrange's left side of one free point in the frame."""

    damping: Array  # (3, 3)
    stiffness: Array  # (3, 3)
    constant: Array  # (3,)


def particle_equation(motion: FrameMotion) -> ParticleEquation:
    """d/dt ∂T/∂ẏ − ∂T/∂y of T = ½|v + Wy + ẏ|²: p = ẏ + Wy + v, ∂T/∂y = Wᵀp."""
    W, v = motion.W, motion.origin_velocity
    v_rate = motion.origin_acceleration - W @ v
    return ParticleEquation(damping=W - W.T, stiffness=motion.E - W.T @ W, constant=v_rate - W.T @ v)


def element_basis(elements: MovingElements) -> Array:
    """B = ∂ẏ/∂δ̇, the shape matrices of all points: (elements, points, 3, p)."""
    return elements.shape


@dataclass(frozen=True)
class Maggi(Formalism):
    """Bᵀ[d/dt ∂T/∂q̇ − ∂T/∂q − Q] = 0, where q are too many coordinates and A B = 0."""

    title: ClassVar[str] = "Maggi"
    primitive: ClassVar[str] = "kinetic energy of free points and a null space B of the constraints"
    system_primitive: ClassVar[str] = "free particles, null space of all bonds"
    energy_kind: ClassVar[str] = "kinetic"
    bound_words: ClassVar[str] = "all elements side by side, joined by a null space"

    def element_equations(self, elements: MovingElements, motion: FrameMotion, work: Work) -> ElementEquations:
        B, particle = element_basis(elements), particle_equation(motion)
        p = elements.size
        # y = x + Bδ, ẏ = Bδ̇, ÿ = Bδ̈ in the equations of the points
        constant = work.multiply(particle.stiffness, column(elements.positions)) + particle.constant[:, None]
        left = np.concatenate(
            [B, work.multiply(particle.damping, B), work.multiply(particle.stiffness, B), constant], axis=-1
        )
        rows = work.integral(elements.weights, B, left)
        return ElementEquations(
            mass=rows[..., :p],
            damping=work.sum(rows[..., p : 2 * p], elements.damping),
            stiffness=work.sum(rows[..., 2 * p : -1], elements.stiffness),
            load=work.sum(elements.load, -rows[..., -1]),
        )

    def energy(self, elements: MovingElements, motion: FrameMotion, state: ElementState) -> Array:
        """T, summed over the points of every element at the places y and rates ẏ of a state."""
        y = elements.positions + at_points(element_basis(elements), state.displacements)
        y_rate = at_points(element_basis(elements), state.rates)
        return half_square(elements.weights, motion.origin_velocity + y @ motion.W.T + y_rate)

    def bound(self, mass: SparseMatrix, constraint: SparseMatrix) -> BoundSolver:
        return projection_solver(mass, constraint, allowed_motions(constraint))

    def body_equations(
        self, discrete: DiscreteBody, motion: FrameMotion, *, geometric: float = 1.0
    ) -> BodyEquations:
        """All elements side by side, joined by constraints."""
        return broken_equations(self, discrete, motion, geometric=geometric)

    def body_unknowns(self, size: BodySize) -> int:
        return size.side_by_side

    def system_motion(self, instant: SystemInstant, work: Work) -> BoundMotion:
        mass, rest = instant.gather(
            [_bound_particles(body, work) for body in instant.bodies],
            [_bound_sections(beam, work) for beam in instant.beams],
        )
        problem = scaled(mass, instant.forces_along_strains - rest, instant.constraint, instant.bias)
        work.count(4 * len(problem.force) * len(problem.constraint) ** 2)
        basis = null_space(problem.constraint, RANK).basis
        return problem.project(basis, particular_solution(problem.constraint, problem.bias), work)


def allowed_motions(constraint: SparseMatrix) -> SparseMatrix:
    """B with A B = 0: zeros and ones for joins (q_i = q_j) and holds (q_i = 0), a QR null space for the rest."""
    A = sparse.csr_array(constraint)
    A.eliminate_zeros()
    entries = np.diff(A.indptr)
    total = np.abs(A @ np.ones(A.shape[1]))
    is_join = (entries == 2) & (total <= 1e-14 * np.abs(A.data).max(initial=0.0))
    is_hold = entries == 1
    joined = boolean_basis(A[is_join], A[is_hold])
    rest = A[~is_join & ~is_hold]
    if not rest.shape[0]:
        return joined
    return sparse.csr_array(joined @ sparse_basis(sparse.csr_array(rest @ joined), orthonormal_basis))


def boolean_basis(joins: SparseMatrix, holds: SparseMatrix) -> SparseMatrix:
    """One column of ones for each set of joined coordinates, none for the sets that are held."""
    size = joins.shape[1]
    pairs = joins.indices.reshape(-1, 2)
    graph = sparse.coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(size, size))
    count, label = connected_components(graph, directed=False)
    kept = np.ones(count, dtype=bool)
    kept[label[holds.indices]] = False
    number = np.cumsum(kept) - 1
    rows = np.flatnonzero(kept[label])
    triplets = (np.ones(len(rows)), (rows, number[label[rows]]))
    return sparse.csr_array(sparse.coo_array(triplets, shape=(size, int(kept.sum()))))


def _bound_particles(body: PointMotion, work: Work) -> tuple[Array, Array]:
    """Gᵀ w r̈ with r̈ = G u̇ + Ġ u, the rate Ġ taken in space: that in the frame and ω × G."""
    u = np.concatenate([body.velocity, body.spin, body.rates])[body.columns]
    bond = body.partial
    bond_rate = work.multiply(skew(body.spin), bond[None])[0] + body.partial_rate
    return body.sum(bond, bond, work), body.sum(bond, np.asarray(bond_rate @ u), work)


def _bound_sections(beam: BeamMotion, work: Work) -> tuple[Array, Array]:
    """The same of the particles of beams, which the screw between the ends binds."""
    bond = beam.partial
    bond_rate = work.product(skew(beam.spins.reshape(-1, 3)), bond.reshape(-1, 3, 12)).reshape(bond.shape)
    bond_rate = bond_rate + beam.partial_rate
    paths = np.asarray((bond_rate @ beam.velocity[:, None, :, None])[..., 0])
    return beam.sum(bond, bond, work), beam.sum(bond, paths, work)
