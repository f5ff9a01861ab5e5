"""Modes of one large body: direct, in substructures on Dask workers, and by multigrid; time and memory of each.

    python -m benchmarks.substructures 40 10 10 --workers 2 --gigabytes 8
    python -m benchmarks.substructures 40 10 10 --only divided

Bricks of twenty nodes (`--order 1`: of eight), equal in all directions, clamped at one end. Prints one line of
JSON: for each way its frequencies, processor time and the most memory of each process; for substructures the most
that a frequency of the other ways lies outside its bounds, as a part of their distance (zero or less: none does).
`--gigabytes` limits the address space of each worker.
"""

import argparse
import json
import resource
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import perf_counter, process_time
from typing import Any

import numpy as np

import flexframe as ff
from flexframe.analyses.workers import DaskPool, local_client
from flexframe.maths import eigenproblems, small_memory
from flexframe.maths.factor_kernels import MatrixTooLargeError
from flexframe.maths.multilevel.pool import worked_by

WAYS = ("direct", "multigrid", "divided")


def bar(cells: tuple[int, int, int], order: int) -> ff.Body:
    """Clamped at one end."""
    mesh = ff.mesh.block((cells[0] / cells[1], 1.0, cells[2] / cells[1]), cells, order=order)
    return ff.Body.solid("bar", mesh, material=ff.STEEL, supports=(ff.Clamp("left"),))


def peak_gigabytes() -> float:
    """The most that this process ever had in memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


def limit_memory(gigabytes: float) -> None:
    """Let this process have no more address space."""
    resource.setrlimit(resource.RLIMIT_AS, (int(1e9 * gigabytes), int(1e9 * gigabytes)))


def whole(cells: tuple[int, int, int], order: int, count: int, way: str) -> dict[str, Any]:
    """Modes in one process, direct or by multigrid."""
    body = bar(cells, order)
    if way == "multigrid":
        eigenproblems._direct_modes = _no_factors
        small_memory.smallest_division = _no_factors
    began, spent = perf_counter(), process_time()
    found = ff.modes(body, count=count)
    return {
        "method": found.method,
        "confirmed": found.confirmed,
        "seconds": perf_counter() - began,
        "processor_seconds": process_time() - spent,
        "gigabytes": peak_gigabytes(),
        "frequencies": found.frequencies_hz.tolist(),
    }


def _no_factors(*_given: Any, **_named: Any) -> Any:
    raise MatrixTooLargeError(0)


def divided(given: argparse.Namespace) -> dict[str, Any]:
    """The same by substructures, with the bounds."""
    body = bar(tuple(given.cells), given.order)
    workers, gigabytes = given.workers, given.gigabytes
    threads = {"FLEXFRAME_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with local_client(workers, instead="use fewer workers", environment=threads, gigabytes=gigabytes) as client:
        client.run(limit_memory, gigabytes)
        pool = DaskPool(client, f"{workers} workers")
        began, spent = perf_counter(), process_time()
        with worked_by(pool):
            found = ff.modes(body, count=given.count, substructures=given.substructures)
        seconds, spent = perf_counter() - began, process_time() - spent
        peaks = list(client.run(peak_gigabytes).values())
        times = list(client.run(process_time).values())
    assert found.frequency_bounds_hz is not None
    return {
        "method": found.method,
        "confirmed": found.confirmed,
        "seconds": seconds,
        "processor_seconds": spent,
        "worker_processor_seconds": times,
        "gigabytes": peak_gigabytes(),
        "worker_gigabytes": peaks,
        "frequencies": found.frequencies_hz.tolist(),
        "bounds": found.frequency_bounds_hz.tolist(),
    }


def main() -> None:
    """One comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cells", type=int, nargs=3)
    parser.add_argument("--order", type=int, default=2, choices=(1, 2))
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--substructures", type=int, default=16)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--gigabytes", type=float, default=8.0)
    parser.add_argument("--only", choices=WAYS)
    given = parser.parse_args()
    cells = tuple(given.cells)
    found: dict[str, Any] = {}
    for way in (given.only,) if given.only else WAYS:
        if way == "divided":
            found[way] = divided(given)
            continue
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            found[way] = process.submit(whole, cells, given.order, given.count, way).result()
    if "divided" in found:
        lower, upper = np.array(found["divided"]["bounds"]).T
        found["widest_bound"] = float(((upper - lower) / upper).max())
        for way in [way for way in found if way in WAYS[:2]]:
            other = np.array(found[way]["frequencies"])
            found[f"{way}_outside"] = float((np.maximum(lower - other, other - upper) / (upper - lower)).max())
    print(json.dumps({"cells": cells, "order": given.order, **found}))


if __name__ == "__main__":
    main()
