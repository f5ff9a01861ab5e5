"""Error control: explicit Runge–Kutta methods with projection, for what is not stiff."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import ClassVar, NamedTuple

import numpy as np

from flexframe import _core
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.model.system import MOST_STEPS
from flexframe.multibody.contract import (
    LEAST_TOLERANCE,
    MOST_TOLERANCE,
    DynamicState,
    DynamicSystem,
    Follows,
    Progress,
    Simulation,
    SimulationOptions,
    Statistics,
)
from flexframe.multibody.equations import no_inertia
from flexframe.multibody.integrators.events import (
    Happenings,
    Instants,
    call_functions,
    happen,
    locked_at_start,
    reason_to_end,
)
from flexframe.multibody.integrators.recording import (
    DONE,
    EVENT,
    NO_INERTIA,
    RUNNING,
    SECONDS_AT_ONCE,
    STIFF,
    block_of_steps,
    empty_samples,
    reason_of,
    recorded,
)
from flexframe.multibody.places import memory_of, place_of, state_of
from flexframe.stages import begin_work

_STEPS_AT_ONCE = 500
_STEPS_JUDGED = 1000
_TOLERANCE = 1e-8
_MEMORY = "pair_"


class StiffMotionError(AnalysisError):
    """Stability, not accuracy, bounds the steps of an explicit method, and very many are left."""

    def __init__(self, time: float) -> None:
        self.time = time
        super().__init__(
            f"the motion is stiff at t = {time:.6g} s: its explicit steps are bounded by stability; take method: "
            "implicit"
        )


@dataclass(frozen=True)
class EmbeddedPair:
    """Explicit, by the tableau of its name, errors of steps below a tolerance [lengths of the system, radians].

    Where the motion is stiff and more than `stiff_steps_left` steps are left until its `end` [s],
    `StiffMotionError` is raised.
    """

    follows: ClassVar[Follows] = "events"
    name: str = "dormand_prince"
    stiff_steps_left: float = np.inf
    end: float = 0.0

    def run(  # noqa: PLR0917 - as the contract has it
        self,
        system: DynamicSystem,
        start: DynamicState,
        times: Array,
        options: SimulationOptions,
        progress: Progress | None,
        checkpoint: Callable[[DynamicState], None] | None,
    ) -> Simulation:
        tolerance = _TOLERANCE if options.tolerance is None else options.tolerance
        if not LEAST_TOLERANCE < tolerance < MOST_TOLERANCE:
            raise InputError(f"a tolerance of {tolerance:g} cannot be met; give 1e-13 to 1e-2", field="tolerance")
        begin_work()
        run = _core.ExplicitRungeKutta(system.compiled, self.name, tolerance, system.deflection_limit)
        run.end_when_stiff(self.stiff_steps_left, self.end)
        fresh = _begin(system, run, start)
        times = np.ascontiguousarray(times, dtype=float)
        motion = _Motion(system, run, start, times, options, self.name)
        if fresh:
            motion.happened.events += locked_at_start(system, _Here(run), start.time)
        began = perf_counter()
        status, when, body = motion.go(progress, checkpoint)
        steps, rejected, evaluations = run.counts()
        statistics = Statistics(
            steps=steps,
            rejected=rejected,
            iterations=0,
            factorisations=evaluations,
            evaluations=evaluations,
            seconds=perf_counter() - began,
        )
        taken = motion.times[: motion.taken]
        reason = motion.reason if status == DONE else reason_of(system, status, when, body)
        end = _end(system, run, start, float(taken[-1]) if len(taken) else start.time)
        made = recorded(system, self.name, taken, motion.samples, statistics, end, reason)
        made = replace(made, contact_peaks=run.contact_peaks(), occurrences=tuple(motion.happened.events))
        if options.observe is not None and len(taken):
            options.observe(made)
            seconds = perf_counter() - began
            return replace(made, statistics=replace(statistics, seconds=seconds))
        return made


@dataclass(eq=False)
class _Motion:
    """A motion under way: steps up to where something happens, and what happens there."""

    system: DynamicSystem
    run: _core.ExplicitRungeKutta
    start: DynamicState
    times: Array  # of the samples that are wanted
    options: SimulationOptions
    name: str
    taken: int = 0
    reason: str | None = None  # why a motion ended early

    def __post_init__(self) -> None:
        self.happened = Happenings(self.system, self.options.duration)
        self.samples = empty_samples(self.system, len(self.times))
        room = 0 if self.options.observe is None else 2 * _STEPS_AT_ONCE
        self.block, self.moments = empty_samples(self.system, room), np.zeros(room)
        resumed = bool(memory_of(self.start, _MEMORY))
        self.calls = Instants.of(
            self.system.network.samplings, self.start.time, self.times, resumed=resumed, ahead=1
        )
        self.run.sample_at([*self.calls.groups], [*self.calls.groups.values()], self.calls.functions)

    def go(
        self, progress: Progress | None, checkpoint: Callable[[DynamicState], None] | None
    ) -> tuple[int, float, int]:
        """All steps: how they ended, when, and the body that bends too far."""
        times, status, when, body = self.times, RUNNING, self.start.time, -1
        while status == RUNNING:
            before = self.taken
            status, self.taken, when, body = self.run.run(
                times, self.taken, self.samples, self.block, self.moments, SECONDS_AT_ONCE
            )
            kept = self.run.take_kept()
            if self.options.observe is not None and kept:
                self.options.observe(block_of_steps(self.system, self.name, self.moments[:kept], self.block))
            if status == STIFF:
                raise StiffMotionError(when)
            _require_bounded(self.run.counts()[0], when - float(times[0]), self.options.duration)
            if status == NO_INERTIA and not self.taken:
                raise AnalysisError(no_inertia(self.system))
            if status == EVENT:
                status = self._happen(body, when)
            if checkpoint is not None and self.taken > before:
                checkpoint(_end(self.system, self.run, self.start, float(times[self.taken - 1])))
            if progress is not None:
                progress(float(min(1.0, (when - times[0]) / (times[-1] - times[0]))))
        return status, when, body

    def _happen(self, number: int, when: float) -> int:
        """Call the functions that are due, or do what an event asks for; whether the motion goes on."""
        here = _Here(self.run)
        if number < 0:
            call_functions(self.system, here, self.calls.groups[when] & self.calls.functions, when)
            return RUNNING
        happened = happen(self.system, here, number, when)
        self.happened.add(happened)
        self._show(when)  # the other side of what jumps; the step showed its end
        if not happened.ends:
            return RUNNING
        self.reason = reason_to_end(happened)
        self.taken -= int(self.taken > 0 and self.times[self.taken - 1] == when)  # it is taken again
        self.run.sample_end(self.samples, self.taken)
        self.times = np.append(self.times[: self.taken], when)
        self.taken += 1
        return DONE

    def _show(self, when: float) -> None:
        if self.options.observe is not None and self.run.keep_end(self.block, 0):
            self.options.observe(block_of_steps(self.system, self.name, np.array([when]), self.block))


class _Here(NamedTuple):
    """The end of the last step of a run."""

    run: _core.ExplicitRungeKutta

    def signals(self) -> list[float]:
        return self.run.signals()

    def hold(self, number: int, value: float) -> bool:
        self.run.hold(number, value)
        return True

    def impact(
        self, touch: int, restitution: float, friction: float, least_speed: float
    ) -> tuple[bool, float, float, float, bool]:
        return self.run.impact(touch, restitution, friction, least_speed)

    def rests(self, touch: int) -> bool:
        return self.run.rests(touch)

    def rests_elsewhere(self, touch: int) -> bool:
        return self.run.rests_elsewhere(touch)

    def release(self, touch: int) -> bool:
        return self.run.release(touch)

    def lock(self, held: int) -> tuple[bool, bool, float, float, float]:
        return self.run.lock(held)

    def switch_side(self, jump: int) -> bool:
        return self.run.switch_side(jump)


def _require_bounded(steps: int, passed: float, whole: float) -> None:
    """Refuse a motion that would take far too many steps at the pace of those in the time that has passed."""
    if steps > _STEPS_JUDGED and passed > 0 and steps / passed * whole > MOST_STEPS:
        raise AnalysisError(
            f"the motion takes about {steps / passed * whole:.1g} steps at the pace of {steps:,} of them, more "
            f"than {MOST_STEPS:.0e}; shorten its duration of {whole:g} s, or loosen the tolerance"
        )


def _begin(system: DynamicSystem, run: _core.ExplicitRungeKutta, start: DynamicState) -> bool:
    """At a start, or where the memory of the state left it; whether it is a start."""
    place, own = place_of(system, start), memory_of(start, _MEMORY)
    if own and run.restore(place, own):
        return False
    if not run.start(place, start.time):
        raise AnalysisError(no_inertia(system))
    return True


def _end(system: DynamicSystem, run: _core.ExplicitRungeKutta, start: DynamicState, time: float) -> DynamicState:
    """The state of the last sample; the memory is the start of the step at hand."""
    place = place_of(system, start)
    run.write(place)
    return state_of(system, place, time, {_MEMORY + name: np.array(part) for name, part in run.memory().items()})
