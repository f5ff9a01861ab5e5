"""`flexframe` from the shell: help, warm runs of small examples, and first runs, which compile their loops.

Usage: python -m benchmarks.startup [repetitions]

A warm run is told by the quickest of several, taken in turns: a busy machine only ever adds time. Its processor
time stands beside it. The imports are the floor: the packages that every computation stands on.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import Figure, write

EXAMPLES = Path(__file__).parents[1] / "examples"
SMALL = (
    "rectangle_element",
    "triangle_element",
    "rotating_beam",
    "reduced_beam",
    "run_up",
    "spinning_plate",
    "jeffcott",
    "asymmetric_rotor",
    "double_pendulum",
    "rolling_disc",
    "spin_up",
)
"""Examples that compute little: bodies alone, rotors, a rigid mechanism, and a body coupled with its motion."""
FIRST = ("rotating_beam", "double_pendulum", "spin_up", "four_bar")
HELP_LIMIT, WARM_LIMIT, FIRST_LIMIT = 0.5, 1.5, 30.0  # s
FLOORS = ("numpy", "numpy, scipy.sparse")
START = "import sys; from flexframe.cli import main; sys.argv[0] = 'flexframe'; main()"


@dataclass(frozen=True)
class Times:
    """Seconds of one process: on the clock, and of the processor."""

    wall: float
    processor: float


def timed(code: str, *arguments: str, folder: Path, cache: Path | None = None) -> Times:
    """Run code in a process of its own; bytecode is kept in the folder, with `cache` compiled loops only there."""
    settings = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    settings["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    if cache is not None:
        settings["NUMBA_CACHE_DIR"] = str(cache)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-c", code, *arguments], check=True, env=settings, capture_output=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Times(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def run(name: str, folder: Path, cache: Path | None = None) -> Times:
    """Run an example."""
    case = str(EXAMPLES / f"{name}.yaml")
    return timed(START, "run", case, "--out", str(folder / name), folder=folder, cache=cache)


def quickest(workload: str, found: list[Times], limit: float | None) -> Figure:
    """The quickest of several processes, and the least processor time."""
    least = min(times.processor for times in found)
    note = f"{least:.2f} s of the processor"
    return Figure(workload, min(times.wall for times in found), "s", limit, note=note)


def measured(repetitions: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as given:
        folder = Path(given)
        works = [
            *((f"import {names}", None, lambda n=names: timed(f"import {n}", folder=folder)) for names in FLOORS),
            ("help", HELP_LIMIT, lambda: timed(START, "--help", folder=folder)),
            *((f"warm run of {name}", WARM_LIMIT, lambda n=name: run(n, folder)) for name in SMALL),
        ]
        found: list[list[Times]] = [[] for _ in works]
        for repetition in range(repetitions + 1):
            for times, (_, _, work) in zip(found, works, strict=True):
                taken = work()
                if repetition:  # the first makes everything warm
                    times.append(taken)
        figures = [quickest(name, times, limit) for (name, limit, _), times in zip(works, found, strict=True)]
        for name in FIRST:
            times = run(name, folder, folder / f"cache of {name}")
            figures.append(quickest(f"first run of {name}", [times], FIRST_LIMIT))
    return figures


if __name__ == "__main__":
    write("startup", figures=measured(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
