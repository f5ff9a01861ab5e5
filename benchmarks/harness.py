"""One harness for all benchmarks: alternating timings in one run, medians with spread, JSON beside machine data.

Only what is measured in the same run is compared: a ratio of two programs, a part of a bound that was measured on
the same machine, or the growth from one size to the next. `tools/benchmark_page.py` makes a page of it all.
"""

import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from math import log
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
PACKAGES = (
    "numpy",
    "scipy",
    "pypardiso",
    "scikit-fem",
    "exudyn",
    "ross-rotordynamics",
    "sympy",
    "distributed",
)
_CPU = Path("/proc/cpuinfo")
_MEMORY = Path("/proc/meminfo")


@dataclass(frozen=True)
class Comparison:
    """Seconds of flexframe and of a peer, repetition by repetition, and the ratio of the medians."""

    workload: str
    peer: str
    ours_s: list[float]
    peer_s: list[float]
    note: str = ""

    @property
    def ratio(self) -> float:
        """How many times faster flexframe is."""
        return statistics.median(self.peer_s) / statistics.median(self.ours_s)

    def line(self) -> str:
        ours = f"{min(self.ours_s):.3g}–{max(self.ours_s):.3g} s"
        theirs = f"{min(self.peer_s):.3g}–{max(self.peer_s):.3g} s"
        return f"{self.workload}: {self.ratio:.3g} times {self.peer} ({ours} against {theirs}) {self.note}"


@dataclass(frozen=True)
class Bound:
    """Seconds of flexframe, and the seconds that the machine needs at least for what cannot be avoided."""

    workload: str
    what: str
    ours_s: list[float]
    bound_s: list[float]
    note: str = ""

    @property
    def part(self) -> float:
        """Part of the time that is unavoidable: 1 is the limit."""
        return statistics.median(self.bound_s) / statistics.median(self.ours_s)

    def line(self) -> str:
        ours, bound = statistics.median(self.ours_s), statistics.median(self.bound_s)
        return f"{self.workload}: {100 * self.part:.0f} % of {self.what} ({bound:.3g} of {ours:.3g} s) {self.note}"


@dataclass(frozen=True)
class Growth:
    """Seconds at several sizes, repetition by repetition, and the exponent p of the fit t ~ size^p."""

    workload: str
    unit: str
    sizes: list[int]
    seconds: list[list[float]]  # (sizes, repetitions)
    theory: float
    why: str = ""
    note: str = ""

    @property
    def exponent(self) -> float:
        """Slope of the logarithms by least squares."""
        x = [log(size) for size in self.sizes]
        y = [log(statistics.median(times)) for times in self.seconds]
        mean_x, mean_y = statistics.fmean(x), statistics.fmean(y)
        across = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
        return across / sum((a - mean_x) ** 2 for a in x)

    def line(self) -> str:
        sizes = ", ".join(
            f"{size}: {statistics.median(t):.3g} s" for size, t in zip(self.sizes, self.seconds, strict=True)
        )
        return f"{self.workload}: grows like {self.unit}^{self.exponent:.2f}, theory {self.theory:g} ({sizes})"


@dataclass(frozen=True)
class Figure:
    """A single measured value with the limit that it has to keep."""

    workload: str
    value: float
    unit: str
    limit: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether the limit is kept; nothing where there is none."""
        if self.limit is None:
            return None
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def line(self) -> str:
        sign = "at least" if self.at_least else "at most"
        verdict = "met" if self.holds else "missed"
        asked = "" if self.limit is None else f" (asked: {sign} {self.limit:g}, {verdict})"
        return f"{self.workload}: {self.value:.3g} {self.unit}{asked} {self.note}"


@dataclass(frozen=True)
class Machine:
    """Where it was measured."""

    processor: str
    cores: int
    memory_gb: float
    system: str
    python: str
    packages: dict[str, str] = field(default_factory=dict)


def compare(
    workload: str,
    peer: str,
    ours: Callable[[], Any],
    theirs: Callable[[], Any],
    *,
    repetitions: int = 5,
    note: str = "",
) -> Comparison:
    """Run both once unmeasured, then alternately."""
    mine, others = alternating([ours, theirs], repetitions)
    return Comparison(workload, peer, mine, others, note)


def alternating(works: Sequence[Callable[[], Any]], repetitions: int, *, warm: bool = True) -> list[list[float]]:
    """Seconds of each work, taken in turns so that a busy moment meets all of them."""
    if warm:
        for work in works:
            work()
    found: list[list[float]] = [[] for _ in works]
    for _ in range(repetitions):
        for times, work in zip(found, works, strict=True):
            times.append(seconds_of(work))
    return found


def growth(
    workload: str,
    sizes: Sequence[int],
    prepared: Callable[[int], Callable[[], Any]],
    *,
    unit: str,
    theory: float,
    why: str = "",
    repetitions: int = 3,
) -> Growth:
    """Time a workload at several sizes in turns; `prepared` gives the work of a size, ready to be timed."""
    works = [prepared(size) for size in sizes]
    works[0]()  # loads what is compiled
    return Growth(workload, unit, list(sizes), alternating(works, repetitions, warm=False), theory, why)


def seconds_of(work: Callable[[], Any]) -> float:
    """Wall time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def processor_seconds(work: Callable[[], Any], *, enough: float = 0.05) -> float:
    """Processor time of one call, which other work disturbs less: the mean of as many as take `enough` seconds."""
    calls, began = 0, time.process_time()
    while calls == 0 or time.process_time() - began < enough:
        work()
        calls += 1
    return (time.process_time() - began) / calls


def machine() -> Machine:
    """What the reader must know to judge the seconds; the ratios depend on it less."""
    names = {line.split(":", 1)[1].strip() for line in _lines(_CPU) if line.startswith("model name")}
    kilobytes = next((int(line.split()[1]) for line in _lines(_MEMORY) if line.startswith("MemTotal")), 0)
    packages = {}
    for name in PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    return Machine(
        processor=", ".join(sorted(names)) or platform.processor() or platform.machine(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        memory_gb=round(kilobytes / 1e6, 1),
        system=platform.system(),
        python=platform.python_version(),
        packages=packages,
    )


def write(
    name: str,
    comparisons: Sequence[Comparison] = (),
    *,
    bounds: Sequence[Bound] = (),
    growths: Sequence[Growth] = (),
    figures: Sequence[Figure] = (),
) -> None:
    """Print everything and keep it as JSON beside the machine's data."""
    RESULTS.mkdir(exist_ok=True)
    data = {
        "machine": asdict(machine()) | {"load": os.getloadavg()[0]},
        "comparisons": [asdict(c) | {"ratio": c.ratio} for c in comparisons],
        "bounds": [asdict(b) | {"part": b.part} for b in bounds],
        "growths": [asdict(g) | {"exponent": g.exponent} for g in growths],
        "figures": [asdict(f) | {"holds": f.holds} for f in figures],
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    results: tuple[Comparison | Bound | Growth | Figure, ...] = (*comparisons, *bounds, *growths, *figures)
    for result in results:
        print(result.line())


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
