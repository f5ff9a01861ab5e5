"""The contract of a formalism: one class with the equations of elements, of a body and of a whole system."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.formalisms.bodies import assembled_equations
from flexframe.formalisms.contract import (
    BodyEquations,
    BoundMotion,
    BoundSolver,
    ElementEquations,
    ElementState,
    MovingElements,
    SystemInstant,
)
from flexframe.formalisms.mass_points import Work
from flexframe.formalisms.registry import canonical
from flexframe.formalisms.time_stepping import BodyMotion, BodyTask, SteppedMotion
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.motion.frame import FrameMotion

if TYPE_CHECKING:
    from flexframe.formalisms.system_motion import FormalismRun, SystemTask
    from flexframe.multibody.contract import DynamicSystem


@dataclass(frozen=True)
class BodySize:
    """Numbers that the unknowns of a body follow from."""

    total: int  # degrees of freedom of the nodes
    free: int  # that the supports leave
    side_by_side: int  # of all elements, each with its own


class Velocities:
    """What stands beside the coordinates in the state of a system: the velocities u themselves."""

    def of(self, instant: SystemInstant, work: Work) -> Array:  # noqa: ARG002
        """The variables at an instant: (n,)."""
        return instant.velocity

    def velocity(self, at_rest: Callable[[], SystemInstant], values: Array, work: Work) -> Array:  # noqa: ARG002
        """u of the variables; `at_rest` gives the system at the same place with u = 0."""
        return values

    def rates(self, instant: SystemInstant, motion: BoundMotion, work: Work) -> Array:  # noqa: ARG002
        """How the variables change: (n,)."""
        return motion.accelerations

    def sizes(self, velocities: Array, mass: Array) -> Array:  # noqa: ARG002
        """How large the variables are for velocities of these sizes; `mass` is the diagonal of M: (n,)."""
        return velocities


class Formalism(ABC):
    """A route from mass points to equations of motion, named after its author.

    Elements: `element_equations` and, where the route has one, its `energy`. A body: how its elements are joined
    and held (`body_equations`, `bound`) and how it moves in time (`body_motion`). A system with floating frames:
    accelerations and joint forces at a state (`system_motion`) and its motion (`system_run`). `refusal` and
    `system_refusal` say where the route does not exist, and why.
    """

    title: ClassVar[str]  # authors, in words; the name is made of it
    primitive: ClassVar[str]  # what the route of an element starts from
    system_primitive: ClassVar[str]  # the same for a system, with its way through constraints
    energy_kind: ClassVar[str] = ""  # kinetic, acceleration, hamiltonian or jacobi, or nothing
    needs_mass: ClassVar[bool] = False  # whether every motion of an element must have kinetic energy
    bound_words: ClassVar[str] = "supports as constraints"  # how a body is held, in words
    variables: ClassVar[Velocities] = Velocities()  # of a system in time
    resumable: ClassVar[bool] = True  # whether the motion of a system can be continued from a checkpoint

    @property
    def name(self) -> str:
        """`gibbs_appell` of the title Gibbs–Appell."""
        return canonical(self.title)

    def refusal(self, motions: Sequence[FrameMotion], *, damped: bool) -> str | None:  # noqa: ARG002
        """Why the route does not exist for these instants of a motion, or None; it names the term."""
        return None

    @abstractmethod
    def element_equations(self, elements: MovingElements, motion: FrameMotion, work: Work) -> ElementEquations:
        """M, C, K, f of every element by this route."""

    def energy(
        self,
        elements: MovingElements,  # noqa: ARG002
        motion: FrameMotion,  # noqa: ARG002
        state: ElementState,  # noqa: ARG002
    ) -> Array | None:
        """The scalar function behind the route (`energy_kind`), or None where there is none: (elements,)."""
        return None

    @abstractmethod
    def bound(self, mass: SparseMatrix, constraint: SparseMatrix) -> BoundSolver:
        """How the route solves M q̈ = F + Aᵀλ, A q̈ + γ = 0 for any F and γ."""

    def body_equations(
        self, discrete: DiscreteBody, motion: FrameMotion, *, geometric: float = 1.0
    ) -> BodyEquations:
        """Equations of a body with its supports as constraints."""
        return assembled_equations(self, discrete, motion, geometric=geometric)

    def body_unknowns(self, size: BodySize) -> int:
        """Size of the system that the route solves for a body."""
        return size.free

    def body_motion(self, task: BodyTask) -> BodyMotion:
        """The way of a body through time."""
        equations = partial(self.body_equations, task.discrete, geometric=task.geometric)
        return SteppedMotion(task, equations, self.bound, self.bound_words)

    def system_refusal(self, system: "DynamicSystem") -> str | None:  # noqa: ARG002
        """Why the route does not exist for a system, or None; it names the part that forbids it."""
        return None

    def system_unknowns(self, size: int, rank: int, rows: int) -> int:  # noqa: ARG002
        """Unknowns for n velocities and `rows` constraint equations of which `rank` are independent."""
        return size - rank

    @abstractmethod
    def system_motion(self, instant: SystemInstant, work: Work) -> BoundMotion:
        """Accelerations u̇ and joint forces Aᵀλ."""

    def system_run(self, task: "SystemTask") -> "FormalismRun":
        """The motion of a system at the times asked for."""
        from flexframe.formalisms.system_motion import integrate  # it loads compiled code

        return integrate(task)


def ones(elements: MovingElements) -> Array:
    """The amount 1 of every element's constant terms: (elements, 1)."""
    return np.ones((elements.count, 1))
