"""Write docs/benchmarks.md from what the benchmarks measured (benchmarks/results/*.json).

Usage: python tools/benchmark_page.py
"""

import json
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # run as a script, or as `python -m`

from benchmarks.targets import EXPLANATIONS, target  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "benchmarks.md"
BUSY = 1.5  # load of a core from which other work must have been there
NEAR = 0.3  # by which a fitted exponent may differ from theory: four sizes, one octave apart, on a real machine

HEAD = """# Benchmarks

This page is written by `make bench`. Each figure compares what was measured in one run on one machine: two
programs in turns, a time with a bound that the machine allows, or a time at one size with that at the next. Times
are medians, with the smallest and the largest in brackets. Ratios carry over to other machines, seconds do not.

"""


def page(results: dict[str, dict[str, Any]]) -> str:
    """The page, from the results by name of their benchmark."""
    parts = [HEAD, *_machine(results)]
    for title, sections in (
        ("Against other programs", _comparisons(results)),
        ("Limits that hold by themselves", _figures(results)),
        ("How near the limit of the machine", _bounds(results)),
        ("How the cost grows", _growths(results)),
        ("What does not hold", _missed(results)),
    ):
        lines = list(sections)
        if lines:
            parts += [f"## {title}\n\n", *lines, "\n"]
    return "".join(parts)


def _machine(results: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Machines, each with the benchmarks that ran there."""
    groups: dict[str, list[str]] = {}
    for name, result in results.items():
        found = result["machine"]
        packages = ", ".join(f"{package} {number}" for package, number in found.get("packages", {}).items())
        memory = f", {found['memory_gb']} GB" if "memory_gb" in found else ""
        text = f"{found['processor']}, {found['cores']} cores{memory}, Python {found['python']}"
        groups.setdefault(f"{text}; {packages}" if packages else text, []).append(name)
    for text, names in groups.items():
        loads = [results[name]["machine"]["load"] for name in names]
        busy = f" The load of the machine was {min(loads):.1f} to {max(loads):.1f} when they ended."
        yield f"Machine of {', '.join(names)}: {text}.{busy}\n\n"


def _comparisons(results: dict[str, dict[str, Any]]) -> Iterator[str]:
    yield "| workload | peer | flexframe | peer | times faster | asked | |\n|---|---|---:|---:|---:|---:|---|\n"
    for name, result in results.items():
        for row in result.get("comparisons", ()):
            asked = target(name, row["peer"])
            met = "" if asked is None else ("met" if row["ratio"] >= asked else "**missed**")
            wanted = "" if asked is None else f"{asked:g}"
            ours, theirs = _spread(row["ours_s"]), _spread(row["peer_s"])
            peer = f"{row['peer']}<br>{row['note']}" if row["note"] else row["peer"]
            yield f"| {row['workload']} | {peer} | {ours} | {theirs} | {row['ratio']:.3g} | {wanted} | {met} |\n"


def _figures(results: dict[str, dict[str, Any]]) -> Iterator[str]:
    rows = [row for result in results.values() for row in result.get("figures", ())]
    if rows:
        yield "| figure | measured | asked | |\n|---|---:|---:|---|\n"
    for row in rows:
        sign = "at least" if row["at_least"] else "at most"
        asked = "" if row["limit"] is None else f"{sign} {row['limit']:g} {row['unit']}"
        met = {None: "", True: "met", False: "**missed**"}[row["holds"]]
        yield f"| {row['workload']} | {row['value']:.3g} {row['unit']} | {asked} | {met} |\n"


def _bounds(results: dict[str, dict[str, Any]]) -> Iterator[str]:
    rows = [row for result in results.values() for row in result.get("bounds", ())]
    if rows:
        yield "| workload | bound | bound | flexframe | part | |\n|---|---|---:|---:|---:|---|\n"
    for row in rows:
        bound, ours = _seconds(statistics.median(row["bound_s"])), _spread(row["ours_s"])
        part = f"{100 * row['part']:.0f} %"
        yield f"| {row['workload']} | {row['what']} | {bound} | {ours} | {part} | {row['note']} |\n"


def _growths(results: dict[str, dict[str, Any]]) -> Iterator[str]:
    rows = [row for result in results.values() for row in result.get("growths", ())]
    if rows:
        yield "| workload | sizes | times | exponent | theory | |\n|---|---|---|---:|---:|---|\n"
    for row in rows:
        sizes = ", ".join(f"{size:,}" for size in row["sizes"]) + f" {row['unit']}"
        times = ", ".join(_seconds(statistics.median(found)) for found in row["seconds"])
        exponents = f"{row['exponent']:.2f} | {row['theory']:g}"
        yield f"| {row['workload']} | {sizes} | {times} | {exponents} | {row['why']} |\n"


def _missed(results: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Every figure that misses what is asked, with the reason where one is known."""
    for name, result in results.items():
        missed = [
            f"{row['workload']}: {row['ratio']:.3g} times {row['peer']}, asked {asked:g}"
            for row in result.get("comparisons", ())
            if (asked := target(name, row["peer"])) is not None and row["ratio"] < asked
        ]
        missed += [
            f"{row['workload']}: {row['value']:.3g} {row['unit']}, asked {row['limit']:g}"
            for row in result.get("figures", ())
            if row["holds"] is False
        ]
        missed += [
            f"{row['workload']}: grows like {row['unit']}^{row['exponent']:.2f}, theory says {row['theory']:g}"
            for row in result.get("growths", ())
            if row["exponent"] > row["theory"] + NEAR
        ]
        for line in missed:
            yield f"- {line}. {_reason(name, result)}\n"


def _reason(name: str, result: dict[str, Any]) -> str:
    cores, load = result["machine"]["cores"], result["machine"]["load"]
    if load > BUSY * cores:
        return (
            f"The machine was busy with other work (load {load:.1f} on {cores} cores), which hits the two sides "
            "of a comparison unequally; measure again on a quiet one."
        )
    return EXPLANATIONS.get(name, "No reason is known.")


def _spread(times: list[float]) -> str:
    median = _seconds(statistics.median(times))
    return median if len(times) == 1 else f"{median} ({_seconds(min(times))}–{_seconds(max(times))})"


def _seconds(value: float) -> str:
    return f"{value:.3g} s" if value >= 0.1 else f"{1e3 * value:.3g} ms"


if __name__ == "__main__":
    found = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*.json"))}
    if not found:
        raise SystemExit("there are no results; run make bench first")
    PAGE.write_text(page(found), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
