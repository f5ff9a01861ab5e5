"""Exudyn in processes of its own, so that both of its builds can be timed in one run.

`import exudyn` gives the build with range checks; its makers offer a second one without them and with AVX2. One
process holds one of them. Times are of the processor, which other work on the machine disturbs least.
"""

import os
import statistics
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

import exudyn as exu
from benchmarks.harness import processor_seconds

Peers = Mapping[str, Callable[..., Any]]
BUILDS = {"Exudyn": "", "Exudyn's fast build": "fast"}
"""What a peer is called, and the name by which Exudyn chooses the build."""


@contextmanager
def exudyn_processes() -> Iterator[Peers]:
    """By name of the build: a function that calls another one, with its arguments, where that build is loaded."""
    pools = {name: ProcessPoolExecutor(1, mp_context=get_context("spawn")) for name in BUILDS}
    before = os.environ.get("EXUDYN_MODULE")
    for name, pool in pools.items():
        os.environ["EXUDYN_MODULE"] = BUILDS[name]
        pool.submit(int).result()  # starts the process, which keeps the surroundings that it finds
    os.environ.pop("EXUDYN_MODULE")
    if before is not None:
        os.environ["EXUDYN_MODULE"] = before
    try:
        yield {name: _caller(pool) for name, pool in pools.items()}
    finally:
        for pool in pools.values():
            pool.shutdown()


def _caller(pool: ProcessPoolExecutor) -> Callable[..., Any]:
    return lambda function, *arguments, **named: pool.submit(function, *arguments, **named).result()


def solver_settings(step: float, steps: int, *, modified: bool, sensors_every: int, sparse: bool = True) -> Any:
    """Exudyn's generalised-α with the spectral radius that we use, with full or modified Newton iterations."""
    chosen = exu.SimulationSettings()
    integration = chosen.timeIntegration
    integration.endTime, integration.numberOfSteps = step * steps, steps
    integration.generalizedAlpha.spectralRadius = 0.8
    integration.newton.useModifiedNewton = modified
    integration.verboseMode = 0
    if sparse:
        chosen.linearSolver.solverType = exu.LinearSolverType.EigenSparse
        chosen.linearSolver.reuseAnalyzedPattern = True
    chosen.solution.file.write = False
    chosen.solution.sensors.writePeriod = step * sensors_every
    chosen.show.computationTime = False
    return chosen


def solve_seconds(mbs: Any, settings: Any) -> float:
    """Processor time of a run of Exudyn."""
    return processor_seconds(lambda: mbs.SolveDynamic(settings), enough=0.0)


def faster(timed: dict[tuple[str, bool], list[float]]) -> dict[str, list[float]]:
    """Of each build the times with full or with modified Newton iterations, whichever takes less."""
    return {
        name: min((timed[name, modified] for modified in (False, True)), key=statistics.median) for name in BUILDS
    }
