"""Error control: explicit Runge–Kutta methods with projection, for what is not stiff."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter

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
    Progress,
    Simulation,
    SimulationOptions,
    Statistics,
)
from flexframe.multibody.equations import no_inertia
from flexframe.multibody.integrators.recording import (
    DONE,
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
        _begin(system, run, start)
        samples = empty_samples(system, len(times))
        times = np.ascontiguousarray(times, dtype=float)
        room = 0 if options.observe is None else 2 * _STEPS_AT_ONCE
        block, moments = empty_samples(system, room), np.zeros(room)
        taken, status, when, body = 0, RUNNING, start.time, -1
        began = perf_counter()
        while status == RUNNING:
            before = taken
            status, taken, when, body = run.run(times, taken, samples, block, moments, SECONDS_AT_ONCE)
            kept = run.take_kept()
            if options.observe is not None and kept:
                options.observe(block_of_steps(system, self.name, moments[:kept], block))
            if status == STIFF:
                raise StiffMotionError(when)
            _require_bounded(run.counts()[0], when - float(times[0]), options.duration)
            if status == NO_INERTIA and not taken:
                raise AnalysisError(no_inertia(system))
            if checkpoint is not None and taken > before:
                checkpoint(_end(system, run, start, float(times[taken - 1])))
            if progress is not None:
                progress(float(min(1.0, (when - times[0]) / (times[-1] - times[0]))))
        steps, rejected, evaluations = run.counts()
        statistics = Statistics(
            steps=steps,
            rejected=rejected,
            iterations=0,
            factorisations=evaluations,
            evaluations=evaluations,
            seconds=perf_counter() - began,
        )
        reason = None if status == DONE else reason_of(system, status, when, body)
        end = _end(system, run, start, float(times[taken - 1]) if taken else start.time)
        made = recorded(system, self.name, times[:taken], samples, statistics, end, reason)
        made = replace(made, contact_peaks=run.contact_peaks())
        if options.observe is not None and taken:
            options.observe(made)
            seconds = perf_counter() - began
            return replace(made, statistics=replace(statistics, seconds=seconds))
        return made


def _require_bounded(steps: int, passed: float, whole: float) -> None:
    """Refuse a motion that would take far too many steps at the pace of those in the time that has passed."""
    if steps > _STEPS_JUDGED and passed > 0 and steps / passed * whole > MOST_STEPS:
        raise AnalysisError(
            f"the motion takes about {steps / passed * whole:.1g} steps at the pace of {steps:,} of them, more "
            f"than {MOST_STEPS:.0e}; shorten its duration of {whole:g} s, or loosen the tolerance"
        )


def _begin(system: DynamicSystem, run: _core.ExplicitRungeKutta, start: DynamicState) -> None:
    """At a start, or where the memory of the state left it."""
    place, own = place_of(system, start), memory_of(start, _MEMORY)
    if not (own and run.restore(place, own)):
        run.start(place, start.time)


def _end(system: DynamicSystem, run: _core.ExplicitRungeKutta, start: DynamicState, time: float) -> DynamicState:
    """The state of the last sample; the memory is the start of the step at hand."""
    place = place_of(system, start)
    run.write(place)
    return state_of(system, place, time, {_MEMORY + name: np.array(part) for name, part in run.memory().items()})
