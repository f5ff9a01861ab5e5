"""Error control: the explicit pair of Dormand & Prince with projection, for what is not stiff."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar, NamedTuple

import numpy as np

from flexframe.dynamics.addresses import Addressed
from flexframe.dynamics.contract import (
    DynamicState,
    DynamicSystem,
    Progress,
    Simulation,
    SimulationOptions,
    Statistics,
)
from flexframe.dynamics.embedded_kernels import EVALUATIONS, REJECTED, STEPS, run_embedded
from flexframe.dynamics.recording import block_of_steps, empty_samples, recorded
from flexframe.dynamics.stopping import DONE, NO_INERTIA, RUNNING, reason_of
from flexframe.dynamics.tables import Place
from flexframe.dynamics.workspace import place_of, state_of, velocity_vector, work_arrays
from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, IntArray

_STEPS_AT_ONCE = 500
_TOLERANCE = 1e-8
_FIRST_STEP = 1e-6  # [s]; it grows fivefold from step to step where that is too short


class Running(NamedTuple):
    """What a step reads and writes."""

    before: Place
    after: Place
    between: Place
    spare: Place
    other: Place
    u: Array
    u_next: Array
    spare_u: Array
    step: Array
    change: Array
    lam: Array
    kq: Array  # (7, n)
    ku: Array  # (7, n)
    kw: Array  # powers: (7, 3)
    first: Array  # u̇ at the start of a step
    power: Array  # (3,)
    works: Array  # (3,)
    gained: Array  # (3,)
    dense_step: Array
    dense_u: Array
    dense_works: Array
    clock: Array  # time and step: (2,)
    top: Array  # the largest speed so far: (1,)
    fresh: IntArray  # 1 before the first evaluation: (1,)
    counts: IntArray
    middle: Place  # of a step, where every step is kept
    middle_u: Array
    middle_step: Array
    middle_works: Array  # (3,)
    kept: IntArray  # states of steps: (1,)


@dataclass(frozen=True)
class EmbeddedPair:
    """Explicit, of fifth order, with the error of each step below a tolerance [lengths of the system, radians]."""

    name: ClassVar[str] = "dormand_prince"

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
        if not 1e-14 < tolerance < 0.1:
            raise InputError(f"a tolerance of {tolerance:g} cannot be met; give 1e-13 to 1e-2")
        work = work_arrays(system)
        run = _running(system, start)
        samples = empty_samples(system, len(times))
        times = np.array(times, dtype=float)  # not one that must not be written: that would be compiled anew
        room = 0 if options.observe is None else 2 * _STEPS_AT_ONCE
        block, moments = empty_samples(system, room), np.zeros(room)
        tables, running, written, steps, arrays = map(Addressed, (system.tables, run, samples, block, work))
        taken, status, when, body = 0, RUNNING, start.time, -1
        began, most = perf_counter(), 0  # the first call only compiles, where that is needed
        while status == RUNNING:
            before = taken
            status, taken, when, body = run_embedded(
                tables,
                running,
                times,
                taken,
                tolerance,
                system.deflection_limit,
                most,
                written,
                steps,
                moments,
                arrays,
            )
            if options.observe is not None and run.kept[0]:
                options.observe(block_of_steps(system, self.name, moments[: run.kept[0]], block))
                run.kept[0] = 0
            if not most:
                began, most = perf_counter(), _STEPS_AT_ONCE
            if status == NO_INERTIA and not taken:
                raise AnalysisError(
                    "a free motion has no inertia, or the linkage is at a dead point; give the bodies that move "
                    "freely a mass and a moment of inertia, or start elsewhere"
                )
            if checkpoint is not None and taken > before:
                checkpoint(_end(system, run, float(times[taken - 1])))
            if progress is not None:
                progress(float(min(1.0, (when - times[0]) / (times[-1] - times[0]))))
        statistics = Statistics(
            steps=int(run.counts[STEPS]),
            rejected=int(run.counts[REJECTED]),
            iterations=0,
            factorisations=int(run.counts[EVALUATIONS]),
            evaluations=int(run.counts[EVALUATIONS]),
            seconds=perf_counter() - began,
        )
        reason = None if status == DONE else reason_of(system, status, when, body)
        end = _end(system, run, float(times[taken - 1]) if taken else start.time)
        made = recorded(system, self.name, times[:taken], samples, statistics, end, reason)
        if options.observe is not None and taken:
            options.observe(made)
        return made


def _running(system: DynamicSystem, start: DynamicState) -> Running:
    n, memory = system.size, start.memory
    left = place_of(system, start)
    if "pair_clock" in memory:
        own = {name[5:]: value for name, value in memory.items() if name.startswith("pair_")}
        start = DynamicState.from_arrays({**start.arrays(), **{name: own[name] for name in _PLACE}})
    u = velocity_vector(system, place_of(system, start))
    run = Running(
        before=place_of(system, start),
        after=place_of(system, start),
        between=left,
        spare=place_of(system, start),
        other=place_of(system, start),
        u=u,
        u_next=u.copy(),
        spare_u=u.copy(),
        step=np.zeros(n),
        change=np.zeros(n),
        lam=np.zeros(system.rows),
        kq=np.zeros((7, n)),
        ku=np.zeros((7, n)),
        kw=np.zeros((7, 3)),
        first=np.zeros(n),
        power=np.zeros(3),
        works=np.zeros(3),
        gained=np.zeros(3),
        dense_step=np.zeros(n),
        dense_u=velocity_vector(system, left),
        dense_works=np.zeros(3),
        clock=np.array([start.time, _FIRST_STEP]),
        top=np.zeros(1),
        fresh=np.ones(1, dtype=np.int64),
        counts=np.zeros(3, dtype=np.int64),
        middle=place_of(system, start),
        middle_u=np.zeros(n),
        middle_step=np.zeros(n),
        middle_works=np.zeros(3),
        kept=np.zeros(1, dtype=np.int64),
    )
    if "pair_clock" in memory:
        run.clock[:], run.first[:], run.power[:] = own["clock"], own["first"], own["power"]
        run.works[:], run.top[:], run.fresh[:] = own["works"], own["top"], own["fresh"]
        run.dense_works[:] = own["dense_works"]
    return run


_PLACE = ("positions", "quaternions", "deformation", "velocities", "angular_velocities", "rates", "angles")


def _end(system: DynamicSystem, run: Running, time: float) -> DynamicState:
    """The state of the last sample; the memory is the start of the step at hand."""
    at_step = state_of(system, run.before, float(run.clock[0]))
    memory = {f"pair_{name}": np.asarray(getattr(at_step, name)) for name in _PLACE}
    for name in ("clock", "first", "power", "works", "dense_works", "top", "fresh"):
        memory[f"pair_{name}"] = np.array(getattr(run, name), dtype=float)
    return state_of(system, run.spare, time, memory)
