"""What a formalism is given and what it must give back, in words that all six share.

Given are mass points that a frame carries, the forces between them, and the motion of the frame. Every formalism
starts from its own primitive, takes its own derivatives, and must end at the same equations

    M δ̈ + C δ̇ + K δ = f .

Where coordinates are bound by A q̇ + b = 0 it solves M q̈ = F + Aᵀλ with A q̈ + γ = 0, γ = Ȧq̇ + ḃ, in its own
way. This second half knows nothing of elements: any system that can say M, F, A and γ at a state can be given
to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from flexframe.formalisms.work import Work
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.motion.frame import FrameMotion


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
            _applied(self.mass, state.accelerations)
            + _applied(self.damping, state.rates)
            + _applied(self.stiffness, state.displacements)
            - self.load
        )

    def accelerations(self, displacements: Array, rates: Array) -> Array:
        """δ̈ of free elements: (elements, p)."""
        force = self.load - _applied(self.damping, rates) - _applied(self.stiffness, displacements)
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


class Formalism(Protocol):
    """A route from mass points to equations of motion, named after its author."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def primitive(self) -> str:
        """What the route starts from, in words."""
        ...

    def refusal(self, motions: Sequence[FrameMotion], *, damped: bool) -> str | None:
        """Why the route does not exist for these instants of a motion, or None; it names the term."""
        ...

    def element_equations(self, elements: MovingElements, motion: FrameMotion, work: Work) -> ElementEquations:
        """The equations of every element by this route."""
        ...

    def energy(self, elements: MovingElements, motion: FrameMotion, state: ElementState) -> Array | None:
        """The scalar function behind the route (`energy_kind`), or None where there is none: (elements,)."""
        ...

    @property
    def energy_kind(self) -> str:
        """One of kinetic, acceleration, hamiltonian and jacobi, or nothing."""
        ...

    def bound(self, mass: SparseMatrix, constraint: SparseMatrix) -> BoundSolver:
        """How this route deals with constraints."""
        ...


def bound_motion(formalism: Formalism, system: ConstrainedSystem) -> BoundMotion:
    """Accelerations and joint forces of a system at one state, the way a formalism finds them."""
    return formalism.bound(system.mass, system.constraint)(system.force, system.bias)


def _applied(matrices: Array, vectors: Array) -> Array:
    return np.asarray(np.matmul(matrices, vectors[..., None])[..., 0])
