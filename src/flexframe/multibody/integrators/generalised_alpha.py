"""Generalised-α: fixed steps, second order, numerical damping of what the step does not resolve."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from flexframe import _core
from flexframe.maths.arrays import Array
from flexframe.maths.generalised_alpha import AlphaMethod
from flexframe.multibody.contract import (
    DynamicState,
    DynamicSystem,
    Follows,
    Progress,
    Simulation,
    SimulationOptions,
)
from flexframe.multibody.integrators.events import (
    Happenings,
    Instants,
    call_functions,
    happen,
    locked_at_start,
    reason_to_end,
)
from flexframe.multibody.integrators.fixed_steps import (
    NOTHING,
    FixedSteps,
    Segment,
    first_sample,
    segments_between,
)
from flexframe.multibody.integrators.recording import SECONDS_AT_ONCE, block_of_steps, equal_steps

USUAL_RADIUS = 0.8
"""Spectral radius with which the multipliers of joints are damped within some steps."""


@dataclass(frozen=True)
class GeneralisedAlpha:
    """Implicit, of second order, with a fixed step [s]."""

    name: ClassVar[str] = "generalised_alpha"
    follows: ClassVar[Follows] = "events"

    def run(  # noqa: PLR0917 - as the contract has it
        self,
        system: DynamicSystem,
        start: DynamicState,
        times: Array,
        options: SimulationOptions,
        progress: Progress | None,
        checkpoint: Callable[[DynamicState], None] | None,
    ) -> Simulation:
        method = AlphaMethod(USUAL_RADIUS if options.spectral_radius is None else options.spectral_radius)
        constants = method.inertia_weight, method.force_weight, method.beta, method.gamma
        run = _core.GeneralisedAlpha(system.compiled, constants, system.deflection_limit)
        motion = _Motion(self.name, system, run, start, times, options, progress)
        made = motion.simulate(checkpoint)
        return replace(made, occurrences=tuple(motion.happened.events), contact_peaks=run.contact_peaks())


@dataclass(eq=False)
class _Motion(FixedSteps[_core.GeneralisedAlpha]):
    """Steps with what happens between them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.happened = Happenings(self.system, self.options.duration)

    def begin(self, step: float) -> bool:
        fresh = super().begin(step)
        if fresh:
            here = _Here(self.run, self.start.time, step)
            self.happened.events += locked_at_start(self.system, here, self.start.time)
        return fresh

    def after(self, segment: Segment, functions: int, when: float) -> None:
        call_functions(self.system, _Here(self.run, when, float(segment.steps[-1])), functions, when)

    def event(self, number: int, when: float, calls: Instants) -> list[Segment]:
        """Do what an event asks for; what is left."""
        at_start = self.run.happened_at_start()
        left = np.append(when, self.times[self.times > when])
        length = equal_steps(when, float(left[1]), self.step)[0] if len(left) > 1 else self.step
        self._show(when, length)  # what jumps is seen on both sides
        happened = happen(self.system, _Here(self.run, when, length), number, when)
        self.happened.add(happened)
        self._show(when, length)
        here = first_sample(when, length, calls)
        if happened.ends:
            self.reason = reason_to_end(happened)
            self.taken -= int(self.taken > 0 and self.times[self.taken - 1] == when)  # it is taken again
            self.times = np.append(self.times[: self.taken], when)
            return [first_sample(when, length, Instants())]
        segments = segments_between(left, self.step, calls)
        if at_start:
            return segments
        # what was to be sampled or kept at this very instant
        if when in self.times:
            return [here, *segments]
        return [here._replace(kept=np.array([NOTHING])), *segments] if here.sampled[0] else segments

    def _show(self, when: float, step: float) -> None:
        """Show the state at hand to whoever looks at all steps."""
        observe = self.options.observe
        if observe is not None:
            self.run.run(first_sample(when, step, Instants()), self.block, 0, SECONDS_AT_ONCE)
            observe(block_of_steps(self.system, self.name, np.array([when]), self.block))


class _Here(NamedTuple):
    """The run at a time, with the length of the next step."""

    run: _core.GeneralisedAlpha
    time: float
    step: float

    def signals(self) -> list[float]:
        return self.run.signals(self.time)

    def hold(self, number: int, value: float) -> bool:
        return self.run.hold(number, value, self.time, self.step)

    def impact(
        self, touch: int, restitution: float, friction: float, least_speed: float
    ) -> tuple[bool, float, float, float, bool]:
        return self.run.impact(touch, restitution, friction, least_speed, self.time, self.step)

    def rests(self, touch: int) -> bool:
        return self.run.rests(touch)

    def rests_elsewhere(self, touch: int) -> bool:
        return self.run.rests_elsewhere(touch)

    def release(self, touch: int) -> bool:
        return self.run.release(touch, self.time, self.step)

    def lock(self, held: int) -> tuple[bool, bool, float, float, float]:
        return self.run.lock(held, self.time, self.step)

    def switch_side(self, jump: int) -> bool:
        return self.run.switch_side(jump, self.time, self.step)
