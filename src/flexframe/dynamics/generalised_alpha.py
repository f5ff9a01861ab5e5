"""Generalised-α: fixed steps, second order, numerical damping of what the step does not resolve."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter
from typing import ClassVar, NamedTuple

import numpy as np

from flexframe.dynamics.addresses import Addressed
from flexframe.dynamics.alpha_kernels import (
    EVALUATIONS,
    FACTORISATIONS,
    ITERATIONS,
    REJECTED,
    STEPS,
    run_segment,
)
from flexframe.dynamics.contract import (
    DynamicState,
    DynamicSystem,
    Progress,
    Simulation,
    SimulationOptions,
    Statistics,
)
from flexframe.dynamics.recording import block_of_steps, copy_samples, empty_samples, recorded
from flexframe.dynamics.sampling_kernels import NOTHING, SAMPLE, STEP
from flexframe.dynamics.step_sizes import equal_steps
from flexframe.dynamics.stopping import DONE, NO_INERTIA, reason_of
from flexframe.dynamics.system_kernels import ACCELERATIONS, at_state
from flexframe.dynamics.tables import Place, Work
from flexframe.dynamics.workspace import (
    move_place,
    place_of,
    set_velocity,
    state_of,
    velocity_vector,
    work_arrays,
)
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, BoolArray, IntArray
from flexframe.maths.generalised_alpha import AlphaMethod

_STEPS_AT_ONCE = 2000


class Running(NamedTuple):
    """What a step reads and writes."""

    before: Place
    after: Place
    spare: Place
    u: Array
    u_next: Array
    x: Array  # u̇
    x_before: Array  # one step earlier
    contraction: Array  # of an iteration: (1,)
    trial: Array
    a: Array
    step: Array
    multipliers: Array
    multipliers_before: Array
    base: Array
    level: IntArray  # 0: mass, damping and stiffness; 1: all by differences: (1,)
    age: IntArray  # −1: factors must be renewed: (1,)
    last_step: Array  # (1,)
    counts: IntArray
    works: Array  # (3,)
    powers: Array  # (3,)
    keep_factors: Array
    keep_pivots: IntArray


class Segment(NamedTuple):
    """Intervals of equal steps."""

    starts: Array
    steps: Array
    firsts: IntArray
    counts: IntArray
    ends: Array
    kept: IntArray  # what is kept at the ends


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
            raise InputError("generalised_alpha has equal steps; give step or steps instead of a tolerance")
        method = AlphaMethod(USUAL_RADIUS if options.spectral_radius is None else options.spectral_radius)
        factors = method.inertia_weight, method.force_weight, method.beta, method.gamma
        work = work_arrays(system)
        first, _ = equal_steps(float(times[0]), float(times[1]), step_asked)
        run = _running(system, start, factors, first, work)
        samples = empty_samples(system, len(times))
        # every step of a segment, where someone looks at all of them
        block = samples if options.observe is None else empty_samples(system, _STEPS_AT_ONCE)
        tables, running, written, arrays = map(Addressed, (system.tables, run, block, work))
        taken, status, when, body = 0, DONE, start.time, -1
        segments = [_first_sample(start.time, run.last_step[0]), *_segments(times, step_asked)]
        total = sum(int(segment.counts.sum()) for segment in segments)
        began = perf_counter()
        for segment in segments:
            if options.observe is None:
                status, taken, when, body = run_segment(
                    tables, running, Addressed(segment), factors, system.deflection_limit, written, taken, arrays
                )
            else:
                single, asked = _single_steps(segment)
                status, done, when, body = run_segment(
                    tables, running, Addressed(single), factors, system.deflection_limit, written, 0, arrays
                )
                taken = copy_samples(block, asked[:done], samples, taken)
                if done:
                    options.observe(block_of_steps(system, self.name, single.ends[:done], block))
            if status == NO_INERTIA and not taken:
                raise AnalysisError(
                    "a free motion has no inertia, or the linkage is at a dead point; give the bodies that move "
                    "freely a mass and a moment of inertia, or start elsewhere"
                )
            if status != DONE:
                break
            if not run.counts[STEPS]:
                began = perf_counter()  # compilation, where it was needed, is behind
            if checkpoint is not None and segment.kept[-1]:
                checkpoint(_end(system, run, work, float(segment.ends[-1])))
            if progress is not None:
                progress(float(run.counts[STEPS] / max(total, 1)))
        counts = run.counts
        statistics = Statistics(
            steps=int(counts[STEPS]),
            rejected=int(counts[REJECTED]),
            iterations=int(counts[ITERATIONS]),
            factorisations=int(counts[FACTORISATIONS]),
            evaluations=int(counts[EVALUATIONS]),
            seconds=perf_counter() - began,
        )
        reason = None if status == DONE else reason_of(system, status, when, body)
        end = _end(system, run, work, float(when))
        return recorded(system, self.name, times[:taken], samples, statistics, end, reason)


def _running(
    system: DynamicSystem, start: DynamicState, factors: tuple[float, float, float, float], step: float, work: Work
) -> Running:
    n, rows = system.size, system.rows
    before, after = place_of(system, start), place_of(system, start)
    u = velocity_vector(system, before)
    run = Running(
        before=before,
        after=after,
        spare=place_of(system, start),
        u=u,
        u_next=u.copy(),
        x=np.zeros(n),
        x_before=np.zeros(n),
        contraction=np.full(1, 0.9),
        trial=np.zeros(n),
        a=np.zeros(n),
        step=np.zeros(n),
        multipliers=np.zeros(rows),
        multipliers_before=np.zeros(rows),
        base=np.zeros(n + rows),
        level=np.zeros(1, dtype=np.int64),
        age=np.full(1, -1, dtype=np.int64),
        last_step=np.zeros(1),
        counts=np.zeros(5, dtype=np.int64),
        works=np.zeros(3),
        powers=np.zeros(3),
        keep_factors=np.zeros_like(work.factors),
        keep_pivots=np.zeros_like(work.pivots),
    )
    memory = start.memory
    if "alpha_a" in memory and memory["alpha_a"].shape == (n,):
        run.u[:] = memory["alpha_u"]
        set_velocity(system, run.u, run.before)
        run.a[:], run.x[:], run.multipliers[:] = memory["alpha_a"], memory["alpha_x"], memory["alpha_multipliers"]
        work.factors[:], work.pivots[:] = memory["alpha_factors"], memory["alpha_pivots"]
        run.level[:], run.age[:] = memory["alpha_level"], memory["alpha_age"]
        run.last_step[:], run.works[:] = memory["alpha_step"], memory["alpha_works"]
        run.powers[:], run.x_before[:] = memory["alpha_powers"], memory["alpha_x_before"]
        run.contraction[:] = memory["alpha_contraction"]
        return run
    _first_accelerations(system, run, start.time, factors, step, work)
    return run


def _first_accelerations(  # noqa: PLR0917
    system: DynamicSystem,
    run: Running,
    time: float,
    factors: tuple[float, float, float, float],
    step: float,
    work: Work,
) -> None:
    """u̇ at the start, and a at the time (α_m − α_f) h beside it to first order, which keeps the order of λ."""
    am, af, _, _ = factors
    tables, arrays, spare, none = Addressed(system.tables), Addressed(work), run.spare, np.zeros(9)
    at_state(tables, run.before, time, run.x, run.multipliers, run.u, spare, none, ACCELERATIONS, arrays)
    run.powers[:] = work.powers
    small = 1e-3 * step
    after = move_place(system, run.before, small * run.u + 0.5 * small**2 * run.x)
    set_velocity(system, run.u + small * run.x, after)
    later, ignored = np.zeros_like(run.x), np.zeros_like(run.multipliers)
    at_state(tables, after, time + small, later, ignored, run.u, spare, none, ACCELERATIONS, arrays)
    run.a[:] = run.x + (later - run.x) * ((am - af) * step / small)


def _end(system: DynamicSystem, run: Running, work: Work, time: float) -> DynamicState:
    memory: dict[str, Array] = {
        "alpha_u": run.u.copy(),
        "alpha_a": run.a.copy(),
        "alpha_x": run.x.copy(),
        "alpha_x_before": run.x_before.copy(),
        "alpha_contraction": run.contraction.copy(),
        "alpha_multipliers": run.multipliers.copy(),
        "alpha_factors": work.factors.copy(),
        "alpha_pivots": work.pivots.astype(float),
        "alpha_level": run.level.astype(float),
        "alpha_age": run.age.astype(float),
        "alpha_step": run.last_step.copy(),
        "alpha_works": run.works.copy(),
        "alpha_powers": run.powers.copy(),
    }
    return state_of(system, run.before, time, memory)


def _first_sample(time: float, step: float) -> Segment:
    """No step, one sample."""
    none = np.zeros(1, dtype=np.int64)
    return Segment(np.array([time]), np.array([step]), none, none, np.array([time]), np.array([SAMPLE]))


def _segments(times: Array, step: float) -> list[Segment]:
    """Each interval between samples in equal steps no longer than asked for, gathered for compiled loops."""
    pieces: list[tuple[float, float, int, int, float, bool]] = []
    for begin, end in pairwise(times):
        (length, count), done = equal_steps(float(begin), float(end), step), 0
        while done < count:
            some = min(_STEPS_AT_ONCE, count - done)
            pieces.append((begin, length, done, some, end, done + some == count))
            done += some
    out: list[Segment] = []
    gathered: list[tuple[float, float, int, int, float, bool]] = []
    for k, piece in enumerate(pieces):
        gathered.append(piece)
        if k == len(pieces) - 1 or sum(p[3] for p in gathered) + pieces[k + 1][3] > _STEPS_AT_ONCE:
            a, h, f, c, e, s = zip(*gathered, strict=True)
            out.append(
                Segment(
                    np.array(a),
                    np.array(h),
                    np.array(f, dtype=np.int64),
                    np.array(c, dtype=np.int64),
                    np.array(e),
                    np.where(s, SAMPLE, NOTHING),
                )
            )
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
    )
    return single, asked
