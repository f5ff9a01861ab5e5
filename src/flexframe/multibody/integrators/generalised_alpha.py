"""Generalised-α: fixed steps, second order, numerical damping of what the step does not resolve."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from time import perf_counter
from typing import ClassVar, NamedTuple

import numpy as np

from flexframe import _core
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, BoolArray, IntArray
from flexframe.maths.generalised_alpha import AlphaMethod
from flexframe.multibody.contract import (
    DynamicState,
    DynamicSystem,
    Occurrence,
    Progress,
    Simulation,
    SimulationOptions,
    Statistics,
)
from flexframe.multibody.equations import no_inertia
from flexframe.multibody.integrators.events import call_functions, happen, sampling_instants
from flexframe.multibody.integrators.recording import (
    DONE,
    EVENT,
    NO_INERTIA,
    RUNNING,
    SECONDS_AT_ONCE,
    block_of_steps,
    copy_samples,
    empty_samples,
    equal_steps,
    reason_of,
    recorded,
)
from flexframe.multibody.places import memory_of, place_of, state_of
from flexframe.stages import begin_work

NOTHING, SAMPLE, STEP = range(3)  # what is kept at the end of an interval
STEPS = 0  # first of the counts

_STEPS_AT_ONCE = 2000
_MEMORY = "alpha_"


class Segment(NamedTuple):
    """Intervals of equal steps."""

    starts: Array
    steps: Array
    firsts: IntArray
    counts: IntArray
    ends: Array
    kept: IntArray  # what is kept at the ends
    sampled: IntArray  # groups of held values that are sampled there, one bit for each


USUAL_RADIUS = 0.8
"""Spectral radius with which the multipliers of joints are damped within some steps."""


@dataclass(frozen=True)
class GeneralisedAlpha:
    """Implicit, of second order, with a fixed step [s]."""

    name: ClassVar[str] = "generalised_alpha"

    def run(  # noqa: PLR0917 - as the contract has it
        self,
        system: DynamicSystem,
        start: DynamicState,
        times: Array,
        options: SimulationOptions,
        progress: Progress | None,
        checkpoint: Callable[[DynamicState], None] | None,
    ) -> Simulation:
        step_asked = options.equal_step
        if step_asked is None:
            raise InputError(
                "generalised_alpha has equal steps; give step or steps instead of a tolerance", field="tolerance"
            )
        first, _ = equal_steps(float(times[0]), float(times[1]), step_asked)
        begin_work()
        run = _core.GeneralisedAlpha(system.compiled, _constants(options), system.deflection_limit)
        _begin(system, run, start, first)
        samples = empty_samples(system, len(times))
        # every step of a segment, where someone looks at all of them
        block = samples if options.observe is None else empty_samples(system, _STEPS_AT_ONCE)
        taken, status, when, body = 0, DONE, start.time, -1
        groups, resumed = len(system.network.samplings), bool(start.memory)
        instants = sampling_instants(system.network.all_samplings, start.time, times, resumed=resumed)
        begin = _first_sample(start.time, first, instants)
        segments = deque([begin, *_segments(times, step_asked, instants, groups)])
        occurrences: list[Occurrence] = []
        began = perf_counter()
        while segments:
            segment = segments.popleft()
            single, asked = (segment, None) if options.observe is None else _single_steps(segment)
            done, status = (taken if asked is None else 0), RUNNING
            while status == RUNNING:
                status, done, when, body = run.run(single, block, done, SECONDS_AT_ONCE)
                if progress is not None:
                    progress(float((when - start.time) / (times[-1] - start.time)))
            if options.observe is None or asked is None:
                taken = done
            else:
                taken = copy_samples(block, asked[:done], samples, taken)
                if done:
                    options.observe(block_of_steps(system, self.name, single.ends[:done], block))
            if status == NO_INERTIA and not taken:
                raise AnalysisError(no_inertia(system))
            if status == EVENT:
                left = np.append(when, times[times > when])
                next_step = equal_steps(when, float(left[-1] if len(left) < 2 else left[1]), step_asked)[0]
                occurrences.append(happen(system, run, system.network.events[body], float(when), next_step))
                if occurrences[-1].ends:
                    status, taken, _, _ = run.run(
                        _first_sample(when, next_step, {}), samples, taken, SECONDS_AT_ONCE
                    )
                    times = np.append(times[: taken - 1], when)
                    break
                status, segments = DONE, deque(_segments(left, step_asked, instants, groups))
                continue
            if status != DONE:
                break
            _call_functions(system, run, start, segment)
            if checkpoint is not None and segment.kept[-1]:
                checkpoint(_end(system, run, start, float(segment.ends[-1])))
        statistics = _statistics(run, perf_counter() - began)
        reason = None if status == DONE else reason_of(system, status, when, body)
        end = _end(system, run, start, float(when))
        return replace(
            recorded(system, self.name, times[:taken], samples, statistics, end, reason),
            occurrences=tuple(occurrences),
        )


def _constants(options: SimulationOptions) -> tuple[float, float, float, float]:
    """α_m, α_f, β and γ."""
    method = AlphaMethod(USUAL_RADIUS if options.spectral_radius is None else options.spectral_radius)
    return method.inertia_weight, method.force_weight, method.beta, method.gamma


def _statistics(run: _core.GeneralisedAlpha, seconds: float) -> Statistics:
    steps, iterations, factorisations, evaluations = run.counts()
    return Statistics(
        steps=steps,
        rejected=0,
        iterations=iterations,
        factorisations=factorisations,
        evaluations=evaluations,
        seconds=seconds,
    )


def _call_functions(
    system: DynamicSystem, run: _core.GeneralisedAlpha, start: DynamicState, segment: Segment
) -> None:
    """Call functions of Python that are due at the end of a segment."""
    due = int(segment.sampled[-1]) >> len(system.network.samplings)
    if due:
        call_functions(
            system, run, _end(system, run, start, float(segment.ends[-1])), due, float(segment.steps[-1])
        )


def _begin(system: DynamicSystem, run: _core.GeneralisedAlpha, start: DynamicState, step: float) -> None:
    """At a start, or where the memory of the state left it."""
    place = place_of(system, start)
    own = memory_of(start, _MEMORY)
    if own and run.restore(place, own):
        return
    if not run.start(place, start.time, step):
        raise AnalysisError(no_inertia(system))


def _end(system: DynamicSystem, run: _core.GeneralisedAlpha, start: DynamicState, time: float) -> DynamicState:
    place = place_of(system, start)
    run.write(place)
    return state_of(system, place, time, {_MEMORY + name: np.array(part) for name, part in run.memory().items()})


def _first_sample(time: float, step: float, instants: Mapping[float, int]) -> Segment:
    """No step, one sample."""
    none, groups = np.zeros(1, dtype=np.int64), np.array([instants.get(time, 0)])
    return Segment(np.array([time]), np.array([step]), none, none, np.array([time]), np.array([SAMPLE]), groups)


def _segments(times: Array, step: float, instants: Mapping[float, int], groups: int) -> list[Segment]:
    """Each interval between samples in equal steps no longer than asked for, gathered for compiled loops.

    Steps end at the sampling instants too; the first time is one where a motion is, the others are samples. After
    the groups of held values come functions of Python: a segment ends where one of them is called.
    """
    ends = np.array([t for t in instants if times[0] < t < times[-1]])
    every = np.unique(np.concatenate([times, ends])) if ends.size else times
    wanted = set(times.tolist())
    pieces: list[tuple[float, float, int, int, float, int, int]] = []
    for begin, end in pairwise(every):
        (length, count), done = equal_steps(float(begin), float(end), step), 0
        while done < count:
            some = min(_STEPS_AT_ONCE, count - done)
            last = done + some == count
            kept, due = (SAMPLE if float(end) in wanted else NOTHING), instants.get(float(end), 0)
            pieces.append((begin, length, done, some, end, kept if last else NOTHING, due if last else 0))
            done += some
    out: list[Segment] = []
    gathered: list[tuple[float, float, int, int, float, int, int]] = []
    for k, piece in enumerate(pieces):
        gathered.append(piece)
        calls = piece[6] >> groups
        if k == len(pieces) - 1 or calls or sum(p[3] for p in gathered) + pieces[k + 1][3] > _STEPS_AT_ONCE:
            a, h, f, c, e, s, g = zip(*gathered, strict=True)
            whole = [np.array(each, dtype=np.int64) for each in (f, c, s, g)]
            out.append(Segment(np.array(a), np.array(h), whole[0], whole[1], np.array(e), whole[2], whole[3]))
            gathered = []
    return out


def _single_steps(segment: Segment) -> tuple[Segment, BoolArray]:
    """The same steps, each of them kept, and which of them are samples."""
    interval = np.repeat(np.arange(len(segment.counts)), np.maximum(segment.counts, 1))
    last = np.append(interval[1:] != interval[:-1], True)
    number = np.arange(len(interval)) - np.searchsorted(interval, interval)
    firsts = segment.firsts[interval] + number
    asked = last & (segment.kept[interval] == SAMPLE)
    ends = segment.starts[interval] + (firsts + 1) * segment.steps[interval]
    single = Segment(
        starts=segment.starts[interval],
        steps=segment.steps[interval],
        firsts=firsts,
        counts=np.minimum(segment.counts[interval], 1),
        ends=np.where(asked, segment.ends[interval], ends),
        kept=np.where(asked, SAMPLE, STEP),
        sampled=np.where(last, segment.sampled[interval], 0),
    )
    return single, asked
