"""What a formalism is given and what it must give back, in words that all of them share.

Elements and bodies: given are mass points that a frame carries, the forces between them, and the motion of the
frame. Every formalism starts from its own primitive, takes its own derivatives, and must end at the same equations

    M δ̈ + C δ̇ + K δ = f .

Where coordinates are bound by A q̇ + b = 0 it solves M q̈ = F + Aᵀλ with A q̈ + γ = 0, γ = Ȧq̇ + ḃ, in its own
way. This second half knows nothing of elements: any system that can say M, F, A and γ at a state can be given
to it.

Systems: given are the mass points of all bodies with their velocities, the applied forces Q (elastic and damping
forces, gravity, springs, loads), and the constraint equations A u̇ + γ = 0 of joints and drives, all at one state.
Exact beams come as mass points of their sections, with their strain and its energy, from which forces follow.
Each formalism must end at the same u̇ and at the same joint forces Aᵀλ.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from flexframe.errors import AnalysisError
from flexframe.formalisms.beam_sections import BeamMotion
from flexframe.formalisms.mass_points import PointMotion, Work
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.motion.frame import FrameMotion

if TYPE_CHECKING:
    from flexframe.multibody.contract import DynamicState, DynamicSystem


@dataclass(frozen=True, eq=False)
class MovingElements:
    """Elements of one kind as mass points at r = r_O + R (x + Nδ), and the forces Q = −kδ − dδ̇ + q in them."""

    weights: Array  # ρ dV in kg: (elements, points)
    positions: Array  # x in body axes: (elements, points, 3)
    shape: Array  # N in body axes: (elements, points, 3, p)
    stiffness: Array  # k, elastic and geometric: (elements, p, p)
    damping: Array  # d: (elements, p, p)
    load: Array  # q: (elements, p)

    @property
    def count(self) -> int:
        """Number of elements."""
        return self.shape.shape[0]

    @property
    def size(self) -> int:
        """Degrees of freedom of one element."""
        return self.shape.shape[-1]

    def without_forces(self) -> "MovingElements":
        """The same points with nothing between them: what remains is inertia."""
        return replace(self, stiffness=0 * self.stiffness, damping=0 * self.damping, load=0 * self.load)


@dataclass(frozen=True, eq=False)
class ElementEquations:
    """M δ̈ + C δ̇ + K δ = f of every element: matrices (elements, p, p), load (elements, p)."""

    mass: Array
    damping: Array
    stiffness: Array
    load: Array

    def residual(self, state: "ElementState") -> Array:
        """Mδ̈ + Cδ̇ + Kδ − f: (elements, p)."""
        return (
            _apply(self.mass, state.accelerations)
            + _apply(self.damping, state.rates)
            + _apply(self.stiffness, state.displacements)
            - self.load
        )

    def accelerations(self, displacements: Array, rates: Array) -> Array:
        """δ̈ of free elements: (elements, p)."""
        force = self.load - _apply(self.damping, rates) - _apply(self.stiffness, displacements)
        return np.asarray(np.linalg.solve(self.mass, force[..., None])[..., 0])


@dataclass(frozen=True, eq=False)
class ElementState:
    """δ, δ̇ and δ̈ of every element: (elements, p) each."""

    displacements: Array
    rates: Array
    accelerations: Array


@dataclass(frozen=True, eq=False)
class ConstrainedSystem:
    """M q̈ = F + Aᵀλ with A q̈ + γ = 0 at one state; rows of A may be redundant if they do not contradict."""

    mass: SparseMatrix  # M(q, t): (n, n)
    force: Array  # F = Q − h(q, q̇, t): (n,)
    constraint: SparseMatrix  # A(q, t): (m, n)
    bias: Array  # γ = Ȧq̇ + ḃ: (m,)


@dataclass(frozen=True, eq=False)
class BoundMotion:
    """Accelerations that obey the constraints, and the joint forces Q_L = M q̈ − F = Aᵀλ that see to it."""

    accelerations: Array  # (n,)
    joint_forces: Array  # (n,)


class BoundSolver(Protocol):
    """M and A prepared once, for many forces."""

    def __call__(self, force: Array, bias: Array) -> BoundMotion: ...


class ElementRoute(Protocol):
    """A route from mass points to equations of motion."""

    def element_equations(self, elements: MovingElements, motion: FrameMotion, work: Work) -> ElementEquations:
        """The equations of every element by this route."""
        ...

    def bound(self, mass: SparseMatrix, constraint: SparseMatrix) -> BoundSolver:
        """How this route deals with constraints."""
        ...


@dataclass(frozen=True, eq=False)
class BodyEquations:
    """M q̈ + C q̇ + K q = f + Aᵀλ, A q̇ = 0, and δ = lift q the displacements of the body."""

    mass: SparseMatrix
    damping: SparseMatrix
    stiffness: SparseMatrix
    load: Array
    constraint: SparseMatrix  # A
    lift: SparseMatrix  # (p, n): a left inverse of `spread`
    spread: SparseMatrix  # (n, p): q = spread δ

    def force(self, q: Array, rates: Array) -> Array:
        """F = f − C q̇ − K q."""
        return np.asarray(self.load - self.damping @ rates - self.stiffness @ q)

    def system(self, displacements: Array, rates: Array) -> ConstrainedSystem:
        """What any formalism can solve, at the state of a body (p,)."""
        force = self.force(self.spread @ displacements, self.spread @ rates)
        return ConstrainedSystem(self.mass, force, self.constraint, np.zeros(self.constraint.shape[0]))


@dataclass(frozen=True, eq=False)
class SystemInstant:
    """A system at one state."""

    system: "DynamicSystem"
    state: "DynamicState"
    bodies: tuple[PointMotion, ...]
    places: tuple[slice, ...]  # of the velocities of each body in u
    velocity: Array  # u: (n,)
    applied: Array  # Q, without forces of exact beams: (n,)
    constraint: Array  # A: (rows, n)
    drive: Array  # b of A u + b = 0: (rows,)
    bias: Array  # γ: (rows,)
    potential: float  # V of gravity, springs and strain
    beams: tuple[BeamMotion, ...] = ()  # all exact beams at once, if there are any

    def gather(
        self, parts: Sequence[tuple[Array, Array]], beams: Sequence[tuple[Array, Array]] = ()
    ) -> tuple[Array, Array]:
        """M and h of M u̇ + h of all bodies side by side and of the beams between them: (n, n) and (n,).

        Beams have (beams, 12, 12) and (beams, 12), in the velocities (v, ω) of both bodies.
        """
        if len(beams) != len(self.beams):
            raise AnalysisError("it has no route for exact beams; give them a reduction by shapes")
        size = len(self.velocity)
        mass, force = np.zeros((size, size)), np.zeros(size)
        for place, (M, h) in zip(self.places, parts, strict=True):
            mass[place, place], force[place] = M, h
        for motion, (M, h) in zip(self.beams, beams, strict=True):
            own = motion.sections
            np.add.at(
                mass, (own.numbers[:, :, None], own.numbers[:, None]), M[:, own.columns[:, None], own.columns]
            )
            np.add.at(force, own.numbers, h[:, own.columns])
        return mass, force

    def spread_forces(self, forces: Sequence[Array]) -> Array:
        """Forces on the bodies at the ends of the beams (beams, 12) as one vector: (n,)."""
        total = np.zeros_like(self.velocity)
        for motion, force in zip(self.beams, forces, strict=True):
            np.add.at(total, motion.sections.numbers, force[:, motion.sections.columns])
        return total

    @cached_property
    def forces_along_strains(self) -> Array:
        """Q with that of beams by the work of their section forces along rates of strain: (n,)."""
        return self.applied + self.spread_forces([beam.force_along_strains() for beam in self.beams])

    @cached_property
    def forces_of_potential(self) -> Array:
        """Q with that of beams by derivatives of their strain energy: (n,)."""
        return self.applied + self.spread_forces([beam.force_of_potential() for beam in self.beams])


def bound_motion(route: ElementRoute, system: ConstrainedSystem) -> BoundMotion:
    """Accelerations and joint forces of a system at one state, the way a formalism finds them."""
    return route.bound(system.mass, system.constraint)(system.force, system.bias)


def _apply(matrices: Array, vectors: Array) -> Array:
    return np.asarray(np.matmul(matrices, vectors[..., None])[..., 0])
