"""How a body is carried through time by the closed form."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.equations.cycle import Combination
from flexframe.formalisms.constraints import unbound
from flexframe.formalisms.time_stepping import BodyInstant, BodyTask, State, Stepper, alpha_words
from flexframe.maths.arrays import Array
from flexframe.motion.frame import FrameMotion


@dataclass(frozen=True, eq=False)
class ClosedForm:
    """Eliminated equations, coefficients combined from invariants."""

    whole: ClassVar[bool] = True
    task: BodyTask
    combined: Combination
    notices: tuple[str, ...] = ()

    @property
    def description(self) -> str:
        return f"{alpha_words(self.task.method)}, supports eliminated"

    @property
    def steps(self) -> int:
        return self.task.steps

    def motion(self, displacements: Array, rates: Array) -> Iterator[BodyInstant]:
        """The body at every time, the first one among them."""
        task, method, supports = self.task, self.task.method, self.task.discrete.supports
        mass = supports.reduce_matrix(task.discrete.mass)
        first = self.combined.at(task.law.at(float(task.times[0])))
        u, v = supports.reduce_vector(displacements), supports.reduce_vector(rates)
        force = first.load - first.damping @ v - first.stiffness @ u
        state = State(u, v, unbound(mass)(np.asarray(force), np.zeros(0)).accelerations)
        yield BodyInstant(supports.expand(u), supports.expand(v))

        def stepper(motion: FrameMotion) -> Stepper:
            at = self.combined.at(motion)
            return Stepper.prepare(mass, at, step=task.step, method=method, bound=unbound, constraints=0)

        for step in task.prepare_steps(1 - method.force_weight, stepper):
            state = step.advance(state)
            yield BodyInstant(supports.expand(state.displacements), supports.expand(state.rates))
