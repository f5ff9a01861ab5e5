"""A sweep of 1,000 cheap cases: what a case costs beside its own work, two workers against one, memory.

A case here is a beam of four elements and its two lowest modes. Its own work is timed by the loop that one would
write by hand: `load_case` with the changed field, then `run_case`, case by case; the sweep parses the file once,
which counts for it. The overhead is told both ways: against the cases' own time, and against that loop.

The gain of a second worker is measured on the rotating beam of the examples at many speeds.

Usage: python -m benchmarks.sweep [cases] [repetitions]
"""

import resource
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.harness import Comparison, Figure, alternating, write

from flexframe.cases.case import load_case
from flexframe.cases.run import run_case
from flexframe.sweeps.cluster import has_dask
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
analyses:
  modes: {kind: modes, count: 2}
"""
FIELD = "bodies.beam.mesh.line.length"
EXAMPLE = Path(__file__).parents[1] / "examples" / "rotating_beam.yaml"


def overhead(case: Path, count: int, repetitions: int) -> list[Figure]:
    """Serial sweeps and the plain loop in turns."""
    kept: list[Sweep] = []
    memory: list[float] = []

    def swept() -> None:
        with tempfile.TemporaryDirectory() as folder:
            kept.append(sweep(case, {FIELD: f"0.5:1.5:{count}"}, out=Path(folder) / "sweep"))
        memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)

    def loop() -> None:
        for k in range(count):
            run_case(load_case(case, [f"{FIELD}={0.5 + k / (count - 1)}"])).summary()

    sweep(case, {FIELD: "0.5:1.5:20"})  # imports and caches
    together, plain = alternating([swept, loop], repetitions, warm=False)
    inside = [1e3 * (found.wall_seconds - found.case_seconds) / count for found in kept]
    outside = 1e3 * (statistics.median(together) - statistics.median(plain)) / count
    note = f"a case takes {1e3 * statistics.median(plain) / count:.3g} ms by itself"
    return [
        Figure(f"overhead of a case in a sweep of {count}", statistics.median(inside), "ms", 5.0, note=note),
        Figure("the same against a plain loop of load_case and run_case", outside, "ms", 5.0),
        Figure(
            "growth of the largest memory from the first sweep to the last", memory[-1] - memory[0], "MB", 50.0
        ),
    ]


def workers(count: int, repetitions: int) -> list[Comparison]:
    """Two workers against one, with their start, on a case of some ten milliseconds: a blade at many speeds."""
    vary = {"bodies.blade.motion.spin": f"0:40:{count} rad/s"}

    def swept(scheduler: str, number: int) -> None:
        sweep(EXAMPLE, vary, workers=number, scheduler=scheduler, keep=["*.frequencies_hz"])

    found = []
    for scheduler in ("processes", *(["local"] if has_dask() else [])):
        works = [lambda n=number, s=scheduler: swept(s, n) for number in (1, 2)]
        one, two = alternating(works, repetitions, warm=False)
        where = "a local Dask cluster" if scheduler == "local" else "plain processes"
        work = f"sweep of {count} cases of {1e3 * statistics.median(one) / count:.3g} ms, two workers of {where}"
        found.append(Comparison(work, "one worker", two, one, "with the start of the workers"))
    return found


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cheap.yaml"
        path.write_text(CASE, encoding="utf-8")
        figures = overhead(path, count, repetitions)
    write("sweep", workers(count, repetitions), figures=figures)
