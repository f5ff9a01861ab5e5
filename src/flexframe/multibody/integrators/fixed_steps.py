"""Fixed steps in the core: intervals between samples, what is kept, and going on where a run ended."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from time import perf_counter
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from flexframe import _core
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, BoolArray, IntArray
from flexframe.maths.generalised_alpha import AlphaMethod
from flexframe.multibody.contract import (
    DynamicState,
    DynamicSystem,
    Follows,
    Progress,
    Simulation,
    SimulationOptions,
    Statistics,
)
from flexframe.multibody.equations import memory_of, no_inertia, place_of, state_of
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
    block_of_steps,
    copy_samples,
    empty_samples,
    equal_steps,
    reason_of,
    record,
)
from flexframe.stages import begin_work

NOTHING, SAMPLE, STEP = range(3)  # what is kept at the end of an interval

_STEPS_AT_ONCE = 2000


class Method(Protocol):
    """What the core offers of a method with fixed steps; the stub of `_core` says more."""

    def start(self, place: Any, time: float, step: float) -> bool: ...
    def restore(self, place: Any, memory: Mapping[str, Sequence[float]]) -> bool: ...
    def run(self, intervals: Any, samples: Any, taken: int, seconds: float) -> tuple[int, int, float, int]: ...
    def keep_divisions(self) -> None: ...
    def division_times(self) -> Array: ...
    def give_divisions(self, samples: Any) -> None: ...
    def memory(self) -> dict[str, list[float]]: ...
    def write(self, place: Any) -> None: ...
    def counts(self) -> tuple[int, int, int, int, int]: ...


AnyMethod = TypeVar("AnyMethod", bound=Method)


class Segment(NamedTuple):
    """Intervals of equal steps."""

    starts: Array
    steps: Array
    firsts: IntArray
    counts: IntArray
    ends: Array
    kept: IntArray  # what is kept at the ends
    sampled: IntArray  # groups of held values that are sampled there, one bit for each


def fixed_step(options: SimulationOptions, integrator: str) -> float:
    """The step that is asked for [s]."""
    if options.equal_step is None:
        raise InputError(
            f"{integrator} has equal steps; give step or steps instead of a tolerance", field="tolerance"
        )
    return options.equal_step


@dataclass(eq=False)
class FixedSteps(Generic[AnyMethod]):
    """A motion under way: segments of steps one after the other."""

    name: str  # of the integrator, and of what it remembers
    system: DynamicSystem
    run: AnyMethod
    start: DynamicState
    times: Array  # of the samples that are wanted
    options: SimulationOptions
    progress: Progress | None
    taken: int = 0
    reason: str | None = None  # why a motion ended early

    def __post_init__(self) -> None:
        self.step = fixed_step(self.options, self.name)
        self.samples = empty_samples(self.system, len(self.times))
        # every step of a segment, where someone looks at all of them
        self.block = self.samples if self.options.observe is None else empty_samples(self.system, _STEPS_AT_ONCE)

    def simulate(self, checkpoint: Callable[[DynamicState], None] | None) -> Simulation:
        """The motion at the wanted times."""
        begin_work()
        if self.options.observe is not None:
            self.run.keep_divisions()
        first, _ = equal_steps(float(self.times[0]), float(self.times[1]), self.step)
        self.begin(first)
        began = perf_counter()
        status, when, body = self._go(first, checkpoint)
        steps, iterations, factorisations, evaluations, halved = self.run.counts()
        statistics = Statistics(
            steps=steps,
            rejected=0,
            iterations=iterations,
            factorisations=factorisations,
            evaluations=evaluations,
            seconds=perf_counter() - began,
            halved=halved,
        )
        reason = self.reason if status == DONE else reason_of(self.system, status, when, body)
        taken = self.times[: self.taken]
        return record(self.system, self.name, taken, self.samples, statistics, self.end(when), reason)

    def begin(self, step: float) -> bool:
        """At a start, or where the memory of the state left it; whether it is a start."""
        place = place_of(self.system, self.start)
        own = memory_of(self.start, f"{self.name}_")
        if own and self.run.restore(place, own):
            return False
        if not self.run.start(place, self.start.time, step):
            raise AnalysisError(no_inertia(self.system))
        return True

    def end(self, time: float) -> DynamicState:
        """The state at hand, with what it takes to go on from there."""
        place = place_of(self.system, self.start)
        self.run.write(place)
        memory = {f"{self.name}_{name}": np.array(part) for name, part in self.run.memory().items()}
        return state_of(self.system, place, time, memory)

    def after(self, segment: Segment, functions: int, when: float) -> None:
        """What is done at the end of a segment where groups of functions of Python are due."""
        raise NotImplementedError

    def event(self, number: int, when: float, calls: Instants) -> "list[Segment]":
        """Do what an event asks for; what is left."""
        raise NotImplementedError

    def _go(self, first: float, checkpoint: Callable[[DynamicState], None] | None) -> tuple[int, float, int]:
        """All segments: how they ended, when, and the body that bends too far."""
        begin = self.start.time
        calls = Instants.of(self.system.network.samplings, begin, self.times, resumed=bool(self.start.memory))
        segments = deque([first_sample(begin, first, calls), *segments_between(self.times, self.step, calls)])
        status, when, body = DONE, begin, -1
        while segments:
            segment = segments.popleft()
            status, when, body = self._segment(segment)
            if status == NO_INERTIA and not self.taken:
                raise AnalysisError(no_inertia(self.system))
            if status == EVENT:
                status = DONE
                segments = deque(self.event(body, when, calls))
                continue
            if status != DONE:
                break
            functions = int(segment.sampled[-1]) & calls.functions
            if functions:
                self.after(segment, functions, when)
            if checkpoint is not None and segment.kept[-1]:
                checkpoint(self.end(float(segment.ends[-1])))
        return status, float(when), body

    def _segment(self, segment: Segment) -> tuple[int, float, int]:
        observe = self.options.observe
        single, asked = (segment, None) if observe is None else _single_steps(segment)
        done, status, when, body = (self.taken if asked is None else 0), RUNNING, self.start.time, -1
        while status == RUNNING:
            status, done, when, body = self.run.run(single, self.block, done, SECONDS_AT_ONCE)
            self._show_divisions()
            if self.progress is not None:
                begin = self.start.time
                self.progress(min(1.0, float((when - begin) / (self.times[-1] - begin))))
        if observe is None or asked is None:
            self.taken = done
        else:
            self.taken = copy_samples(self.block, asked[:done], self.samples, self.taken)
            if done:
                observe(block_of_steps(self.system, self.name, single.ends[:done], self.block))
        return status, when, body

    def _show_divisions(self) -> None:
        """Show the instants at which steps are divided to whoever looks at all of them."""
        observe, times = self.options.observe, self.run.division_times()
        if observe is not None and len(times):
            rows = empty_samples(self.system, len(times))
            self.run.give_divisions(rows)
            observe(replace(block_of_steps(self.system, self.name, times, rows), divided=True))


def first_sample(time: float, step: float, calls: Instants) -> Segment:
    """No step, one sample."""
    none, groups = np.zeros(1, dtype=np.int64), np.array([calls.groups.get(time, 0)])
    return Segment(np.array([time]), np.array([step]), none, none, np.array([time]), np.array([SAMPLE]), groups)


def segments_between(times: Array, step: float, calls: Instants) -> list[Segment]:
    """Each interval between samples in equal steps no longer than asked for, gathered for compiled loops.

    Steps end at the sampling instants too; the first time is one where a motion is, the others are samples.
    """
    ends = np.array([t for t in calls.groups if times[0] < t < times[-1]])
    every = np.unique(np.concatenate([times, ends])) if ends.size else times
    wanted = set(times.tolist())
    pieces: list[tuple[float, float, int, int, float, int, int]] = []
    for begin, end in pairwise(every):
        (length, count), done = equal_steps(float(begin), float(end), step), 0
        while done < count:
            some = min(_STEPS_AT_ONCE, count - done)
            last = done + some == count
            kept, groups = (SAMPLE if float(end) in wanted else NOTHING), calls.groups.get(float(end), 0)
            pieces.append((begin, length, done, some, end, kept if last else NOTHING, groups if last else 0))
            done += some
    out: list[Segment] = []
    gathered: list[tuple[float, float, int, int, float, int, int]] = []
    for k, piece in enumerate(pieces):
        gathered.append(piece)
        full = k == len(pieces) - 1 or sum(p[3] for p in gathered) + pieces[k + 1][3] > _STEPS_AT_ONCE
        if full or piece[6] & calls.functions:
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
        ends=np.where(asked | (last & (segment.sampled[interval] > 0)), segment.ends[interval], ends),
        kept=np.where(asked, SAMPLE, STEP),
        sampled=np.where(last, segment.sampled[interval], 0),
    )
    return single, asked


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
