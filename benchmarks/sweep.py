"""A sweep of 1,000 cheap cases: what a case costs beside its own work, two workers against one, memory.

A case is a beam of four elements at rest and at speed, some ten milliseconds. Its own work is timed by the loop
that one would write by hand: `load_case` with the changed field, then `run_case`, case by case; the sweep parses
the file once, which counts for it. The overhead is told both ways: against the cases' own time, and against that
loop.

Two workers are compared with one twice: as a user waits for them, from the call to the dataset, and by the pace of
the cases once all workers are at work. Starting a worker takes as long as a hundred of these cases, whatever their
number. How far the machine itself allows a second process is measured beside it.

Usage: python -m benchmarks.sweep [cases] [repetitions]
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.harness import Comparison, Figure, alternating, write
from benchmarks.targets import target

from flexframe.cases.case import load_case
from flexframe.cases.run import run_case
from flexframe.sweeps.cluster import has_dask
from flexframe.sweeps.evaluation import CaseSource
from flexframe.sweeps.sweep import Sweep, sweep

CASE = """title: Cheap beam
materials:
  metal: {young: 200 GPa, poisson: 0.3, density: 8000 kg/m^3}
bodies:
  beam:
    mesh: {line: {length: 1 m, divisions: 4}}
    material: metal
    section: {rectangle: {width: 20 mm, height: 10 mm}}
    supports: [{clamp: start}]
    motion: {spin: 10 rad/s}
analyses:
  rest: {kind: modes, count: 2, motion: rest}
  spinning: {kind: modes, count: 2}
"""
CHEAPER = "".join(CASE.splitlines(keepends=True)[:-1])  # half the work
FIELD = "bodies.beam.mesh.line.length"
OVERHEAD = 5.0  # ms a case
FLAT = 10.0  # MB that memory may grow by from the first fifth of a long sweep to its end
LONG = 5  # times as many cases for the memory
SETTLED = 0.2  # part of the cases after which all workers are at work
WHERE = {"processes": "plain processes", "local": "a local Dask cluster"}


@dataclass
class Watch:
    """Notes when each case was finished."""

    start: float = field(default_factory=time.perf_counter)
    times: list[float] = field(default_factory=list)

    def __call__(self, done: int, failed: int, total: int) -> None:  # noqa: ARG002 - as sweeps tell their progress
        if done:
            self.times.append(time.perf_counter())

    @property
    def pace(self) -> float:
        """Seconds a case when all workers are at work."""
        settled = int(SETTLED * len(self.times))
        return (self.times[-1] - self.times[settled]) / (len(self.times) - 1 - settled)


def varied(count: int) -> dict[str, str]:
    """So many lengths."""
    return {FIELD: f"0.5:1.5:{count}"}


def overhead(case: Path, count: int, repetitions: int) -> list[Figure]:
    """Serial sweeps and the plain loop in turns."""
    kept: list[Sweep] = []

    def swept() -> None:
        with tempfile.TemporaryDirectory() as folder:
            kept.append(sweep(case, varied(count), out=Path(folder) / "sweep"))

    def loop() -> None:
        for k in range(count):
            run_case(load_case(case, [f"{FIELD}={0.5 + k / (count - 1)}"])).summary()

    sweep(case, varied(20))  # imports and caches
    together, plain = alternating([swept, loop], repetitions, warm=False)
    inside = [1e3 * (found.wall_seconds - found.case_seconds) / count for found in kept]
    outside = 1e3 * (statistics.median(together) - statistics.median(plain)) / count
    note = f"a case takes {1e3 * statistics.median(plain) / count:.3g} ms by itself"
    return [
        Figure(f"overhead of a case in a sweep of {count}", statistics.median(inside), "ms", OVERHEAD, note=note),
        Figure("the same against a plain loop of load_case and run_case", outside, "ms", OVERHEAD),
    ]


def memory(case: Path, count: int) -> list[Figure]:
    """What a long sweep holds: after a fifth of its cases, after the last, and when the dataset is there."""
    held: dict[int, float] = {}
    early = count // LONG

    def note(done: int, failed: int, total: int) -> None:  # noqa: ARG001 - as sweeps tell their progress
        if done in (early, total):
            held[done] = resident()

    with tempfile.TemporaryDirectory() as folder:
        sweep(case, varied(count), out=Path(folder) / "sweep", progress=note)
    gathered = resident() - held[early]
    label = f"growth of memory from case {early} to case {count} of a sweep"
    return [
        Figure(label, held[count] - held[early], "MB", FLAT),
        Figure("the same, with all numbers of all cases in one dataset", gathered, "MB", note="not asked"),
    ]


def resident() -> float:
    """Megabytes of this process in memory."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1e3


def workers(case: Path, count: int, repetitions: int) -> list[Comparison]:
    """Two workers against one, as a user waits for them and by the pace of the cases."""
    found = []
    for scheduler in ("processes", *(["local"] if has_dask() else [])):
        waited: dict[int, list[float]] = {1: [], 2: []}
        paced: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(repetitions):
            for number in (1, 2):
                watch = Watch()
                sweep(case, varied(count), workers=number, scheduler=scheduler, progress=watch)
                waited[number].append(time.perf_counter() - watch.start)
                paced[number].append(count * watch.pace)
        work = f"{count} cases of {1e3 * statistics.median(paced[1]) / count:.3g} ms, two workers"
        where = WHERE[scheduler]
        found += [
            Comparison(f"{work}, without their start", f"one worker of {where}", paced[2], paced[1]),
            Comparison(f"{work}, from call to dataset", f"one worker of {where}", waited[2], waited[1]),
        ]
    return found


def machine_gain(count: int) -> Figure:
    """How much more two processes do than one when they have nothing to do with each other."""
    alone, together = (_own_seconds(count, number) for number in (1, 2))
    gain = 2 * alone / together
    return Figure("work of two independent processes", gain, "times that of one", note="what the machine allows")


def _own_seconds(count: int, number: int) -> float:
    """Mean time of the cases of some processes that run side by side; their start does not count."""
    source = CaseSource(CASE, "cheap.yaml", ".", (), (tuple(FIELD.split(".")),))
    tasks = [json.dumps([k, [repr(0.5 + k / count)]]) for k in range(count)]
    text = "\n".join([source.as_json(), *tasks]) + "\n"
    command = [sys.executable, "-m", "flexframe.sweeps.worker"]

    def computed(_: int) -> float:
        answers = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
        return sum(json.loads(line)["seconds"] for line in answers.splitlines()[1:])

    with ThreadPoolExecutor(number) as pool:
        return statistics.fmean(pool.map(computed, range(number)))


def told(comparisons: list[Comparison], figures: list[Figure]) -> None:
    """Print what is asked and whether it holds."""
    for comparison in comparisons:
        asked = target("sweep", comparison.peer)
        if asked is not None:
            met = "met" if comparison.ratio >= asked else "missed"
            print(
                f"{met}: {comparison.ratio:.3g} times {comparison.peer}, asked {asked:g} ({comparison.workload})"
            )
    for figure in figures:
        if figure.holds is not None:
            print(f"{'met' if figure.holds else 'missed'}: {figure.workload}, {figure.value:.3g} {figure.unit}")


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cheap.yaml"
        path.write_text(CASE, encoding="utf-8")
        half = path.with_name("cheaper.yaml")
        half.write_text(CHEAPER, encoding="utf-8")
        figures = [*overhead(path, count, min(repetitions, 2)), *memory(half, LONG * count)]
        figures.append(machine_gain(count // 2))
        comparisons = workers(path, count, repetitions)
    write("sweep", comparisons, figures=figures)
    told(comparisons, figures)
