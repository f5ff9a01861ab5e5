"""`flexframe` from the shell: import, help, and every example on its first run and on warm ones.

Usage: python -m benchmarks.startup [repetitions] [example ...]

The quickest of several processes counts, taken in turns: a busy machine only ever adds time. Its processor time
stands beside it, and the ratio of first to warm runs is one of processor times. A first run has the byte code that
an installed wheel has, but a home, a cache and a folder of results that are empty; what writing the byte code adds
is a figure of its own. The imports are the floor: the packages that every computation stands on. Examples whose
analyses take less than 0.2 s of the processor, once everything is loaded, have a limit.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import Figure, write

EXAMPLES = Path(__file__).parents[1] / "examples"
WITHOUT_BYTECODE = ("rotating_beam", "spin_up")
IMPORT_LIMIT, HELP_LIMIT, WARM_LIMIT = 0.05, 0.1, 1.0  # s
FIRST_LIMIT = 1.3  # of a warm run
LITTLE = 0.2  # s of computation
FLOORS = ("numpy", "numpy, scipy.sparse")
START = "import sys; from flexframe.cli import main; sys.argv[0] = 'flexframe'; main()"
IMPORT = "from time import perf_counter as t; a = t(); import flexframe; print(t() - a)"
COMPUTE = """
import sys
from time import process_time
from flexframe.cases.case import load_case
from flexframe.cases.run import run_case
case, spent = load_case(sys.argv[1]), []
for _ in range(3):
    began = process_time()
    run_case(case)
    spent.append(process_time() - began)
print(min(spent))
"""


@dataclass(frozen=True)
class Times:
    """Seconds of one process: on the clock, and of the processor; and what it printed."""

    wall: float
    processor: float
    printed: str


def timed(code: str, *arguments: str, folder: Path, home: Path | None = None) -> Times:
    """Run code in a process of its own; byte code is kept in the folder, everything else of a user in the home."""
    settings = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    settings["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    own = folder / "home" if home is None else home
    own.mkdir(exist_ok=True)
    settings |= {"HOME": str(own), "XDG_CACHE_HOME": str(own / "cache"), "XDG_CONFIG_HOME": str(own / "settings")}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], check=True, env=settings, capture_output=True, text=True
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Times(wall, processor, done.stdout)


def run(name: str, folder: Path) -> Times:
    """Run an example warm."""
    return timed(START, "run", case_file(name), "--out", str(folder / name), folder=folder)


def first_run(name: str, folder: Path) -> Times:
    """Run an example where nothing was ever run."""
    with tempfile.TemporaryDirectory() as empty:
        home = Path(empty) / "home"
        return timed(START, "run", case_file(name), "--out", f"{empty}/out", folder=folder, home=home)


def case_file(name: str) -> str:
    return str(EXAMPLES / f"{name}.yaml")


def quickest(workload: str, found: list[Times], limit: float | None) -> Figure:
    """The quickest of several processes, and the least processor time."""
    least = min(times.processor for times in found)
    return Figure(workload, min(times.wall for times in found), "s", limit, note=f"{least:.2f} s of the processor")


def small_figures(repetitions: int, folder: Path) -> list[Figure]:
    """Imports and help; the first round makes everything warm."""
    codes = [*((f"import {names}", f"import {names}") for names in FLOORS), ("import flexframe", IMPORT)]
    works = {name: (code, ()) for name, code in codes} | {"help": (START, ("--help",))}
    found: dict[str, list[Times]] = {name: [] for name in works}
    for repetition in range(repetitions + 1):
        for name, (code, words) in works.items():
            taken = timed(code, *words, folder=folder)
            if repetition:
                found[name].append(taken)
    inside = min(float(times.printed) for times in found.pop("import flexframe"))
    help_times = found.pop("help")
    return [
        *(quickest(f"process with {name}", times, None) for name, times in found.items()),
        Figure("import flexframe", inside, "s", IMPORT_LIMIT),
        quickest("help", help_times, HELP_LIMIT),
    ]


def example_figures(name: str, repetitions: int, folder: Path) -> list[Figure]:
    """Warm runs of an example, and what a first run takes more."""
    run(name, folder)
    computed = float(timed(COMPUTE, case_file(name), folder=folder).printed)
    first, warm = [], []
    for _ in range(repetitions):
        first.append(first_run(name, folder))
        warm.append(run(name, folder))
    ratio = min(times.processor for times in first) / min(times.processor for times in warm)
    limit = WARM_LIMIT if computed < LITTLE else None
    figures = [
        quickest(f"warm run of {name}, whose analyses compute for {computed:.2g} s", warm, limit),
        Figure(f"first run of {name} against its warm run, processor time", ratio, "times", FIRST_LIMIT),
    ]
    if name in WITHOUT_BYTECODE:
        with tempfile.TemporaryDirectory() as empty:
            figures.append(quickest(f"first run of {name} that writes byte code", [run(name, Path(empty))], None))
    return figures


def measured(repetitions: int, names: Sequence[str]) -> list[Figure]:
    with tempfile.TemporaryDirectory() as given:
        folder = Path(given)
        figures = small_figures(repetitions, folder)
        for name in names:
            figures += example_figures(name, repetitions, folder)
    return figures


if __name__ == "__main__":
    every = sorted(path.stem for path in EXAMPLES.glob("*.yaml"))
    write("startup", figures=measured(int(sys.argv[1]) if len(sys.argv) > 1 else 3, sys.argv[2:] or every))
