"""Alternating timings of two programs on the same work in one run; only their ratio means something."""

import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


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
    ours()
    theirs()
    mine, others = [], []
    for _ in range(repetitions):
        mine.append(_seconds(ours))
        others.append(_seconds(theirs))
    return Comparison(workload, peer, mine, others, note)


def _seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def write(name: str, comparisons: list[Comparison]) -> None:
    """Print the ratios and keep everything as JSON beside the machine's data."""
    RESULTS.mkdir(exist_ok=True)
    data = {
        "machine": {
            "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "load": os.getloadavg()[0],
            "python": platform.python_version(),
        },
        "comparisons": [asdict(c) | {"ratio": c.ratio} for c in comparisons],
    }
    (RESULTS / f"{name}.json").write_text(json.dumps(data, indent=1), encoding="utf-8")
    for comparison in comparisons:
        print(comparison.line())
