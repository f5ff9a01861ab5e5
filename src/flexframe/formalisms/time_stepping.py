"""Steps in time of M q̈ + C q̇ + K q = f + Aᵀλ, A q̇ = 0, with coefficients that may follow the motion of the frame.

Generalised-α: displacements and rates by Newmark's formulas, the equation of motion at a weighted instant of
the step. With spectral radius 1 this is the midpoint rule, which keeps the energy of a conservative body;
below 1 it damps what the step is too coarse for. How the constraints are met in each step is left to the
formalism.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeVar

import numpy as np
from scipy import sparse

from flexframe.assembly.discrete import DiscreteBody
from flexframe.formalisms.contract import BodyEquations, BoundSolver
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.generalised_alpha import AlphaMethod
from flexframe.motion.frame import FrameMotion, MotionLaw

_Made = TypeVar("_Made")


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
    def prepare(
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


@dataclass(frozen=True, eq=False)
class BodyInstant:
    """δ and δ̇ of a body: (p,)."""

    displacements: Array
    rates: Array


class BodyMotion(Protocol):
    """A way of a body through time."""

    @property
    def description(self) -> str: ...
    @property
    def notices(self) -> tuple[str, ...]: ...
    @property
    def steps(self) -> int: ...
    @property
    def whole(self) -> bool:
        """Whether every degree of freedom of the body takes part."""
        ...

    def motion(self, displacements: Array, rates: Array) -> Iterator[BodyInstant]:
        """The body at every time, the first one among them."""
        ...


@dataclass(frozen=True, eq=False)
class BodyTask:
    """A body on a frame that moves in a known way, and the equal steps that are asked for."""

    discrete: DiscreteBody
    law: MotionLaw
    times: Array
    geometric: float  # multiplier of the geometric stiffness
    method: AlphaMethod
    modes: int  # of a basis, where a formalism needs one

    @property
    def step(self) -> float:
        return float(self.times[1] - self.times[0])

    @property
    def steps(self) -> int:
        return len(self.times) - 1

    def prepare_steps(self, weight: float, make: Callable[[FrameMotion], _Made]) -> Iterator[_Made]:
        """For each step what `make` gives at t + weight·h, made anew only where the motion has changed."""
        made: _Made | None = None
        last: FrameMotion | None = None
        for start in self.times[:-1]:
            motion = self.law.at(float(start + weight * self.step))
            if made is None or last is None or not motion.acts_like(last):
                made, last = make(motion), motion
            yield made


@dataclass(frozen=True, eq=False)
class SteppedMotion:
    """Generalised-α on the equations of a body at every step, constraints met as a formalism does."""

    whole: ClassVar[bool] = True
    task: BodyTask
    equations: Callable[[FrameMotion], BodyEquations]
    bound: Callable[[SparseMatrix, SparseMatrix], BoundSolver]
    words: str  # how constraints are met
    notices: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        return f"{alpha_words(self.task.method)}, {self.words}"

    @property
    def steps(self) -> int:
        return self.task.steps

    def motion(self, displacements: Array, rates: Array) -> Iterator[BodyInstant]:
        task, method = self.task, self.task.method
        now = self.equations(task.law.at(float(task.times[0])))
        A, spread, lift = now.constraint, now.spread, now.lift
        constraints = A.shape[0]

        def bound(matrix: SparseMatrix) -> BoundSolver:
            return self.bound(matrix, A)

        def stepper(motion: FrameMotion) -> Stepper:
            at = self.equations(motion)
            return Stepper.prepare(
                at.mass, at, step=task.step, method=method, bound=bound, constraints=constraints
            )

        u, v = np.asarray(spread @ displacements), np.asarray(spread @ rates)
        state = State(u, v, bound(now.mass)(now.force(u, v), np.zeros(constraints)).accelerations)
        yield BodyInstant(displacements, rates)
        for step in task.prepare_steps(1 - method.force_weight, stepper):
            state = step.advance(state)
            yield BodyInstant(np.asarray(lift @ state.displacements), np.asarray(lift @ state.rates))


def alpha_words(method: AlphaMethod) -> str:
    """The method with its parameter."""
    return f"generalised-α, spectral radius {method.spectral_radius:g}"
