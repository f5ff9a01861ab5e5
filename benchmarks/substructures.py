"""Modes of one body in substructures on Dask workers beside the direct ones: frequencies, bounds, memory.

    python -m benchmarks.substructures 40 10 10 --workers 2

Prints one line of JSON: seconds and peak memory of the direct solution (in a process of its own), of each worker
and of the process that leads them; and how far a frequency of the direct solution lies outside its bounds at most,
as a part of their distance (zero or less: none does).
"""

import argparse
import json
import resource
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import perf_counter
from typing import Any

import numpy as np

import flexframe as ff
from flexframe.analyses.workers import DaskPool, local_client
from flexframe.maths.multilevel.pool import worked_by


def bar(cells: tuple[int, int, int]) -> ff.Body:
    """Twenty-node bricks, clamped at one end."""
    mesh = ff.mesh.block((cells[0] / cells[1], 1.0, cells[2] / cells[1]), cells, order=2)
    return ff.Body.solid("bar", mesh, material=ff.STEEL, supports=(ff.Clamp("left"),))


def peak_gigabytes() -> float:
    """The most that this process ever had in memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


def direct(cells: tuple[int, int, int], count: int) -> tuple[list[float], float, float]:
    """Frequencies, seconds, peak memory."""
    body = bar(cells)
    began = perf_counter()
    found = ff.modes(body, count=count)
    return found.frequencies_hz.tolist(), perf_counter() - began, peak_gigabytes()


def divided(cells: tuple[int, int, int], count: int, substructures: int | None, workers: int) -> dict[str, Any]:
    """Frequencies, bounds, seconds, and peak memory of everybody."""
    body = bar(cells)
    with local_client(workers, instead="use fewer workers", environment={"FLEXFRAME_THREADS": "1"}) as client:
        pool = DaskPool(client, f"{workers} workers")
        began = perf_counter()
        with worked_by(pool):
            found = ff.modes(body, count=count, substructures=substructures)
        seconds = perf_counter() - began
        peaks = list(client.run(peak_gigabytes).values())
    assert found.frequency_bounds_hz is not None
    return {
        "method": found.method,
        "confirmed": found.confirmed,
        "seconds": seconds,
        "frequencies": found.frequencies_hz,
        "bounds": found.frequency_bounds_hz,
        "worker_gigabytes": peaks,
        "leader_gigabytes": peak_gigabytes(),
    }


def main() -> None:
    """One comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cells", type=int, nargs=3)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--substructures", type=int, default=16)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    cells = tuple(given.cells)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        expected, direct_seconds, direct_peak = process.submit(direct, cells, given.count).result()
    found = divided(cells, given.count, given.substructures, given.workers)
    lower, upper = found.pop("bounds").T
    whole, own = np.array(expected), found.pop("frequencies")
    outside = np.maximum(lower - whole, whole - upper) / (upper - lower)
    print(
        json.dumps(
            {
                "cells": cells,
                "direct_seconds": direct_seconds,
                "direct_gigabytes": direct_peak,
                **found,
                "largest_difference": float(np.abs(own / whole - 1).max()),
                "widest_bound": float(((upper - lower) / upper).max()),
                "outside": float(outside.max()),
            }
        )
    )


if __name__ == "__main__":
    main()
