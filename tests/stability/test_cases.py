"""Stability in case files: the examples, their summaries and reports, and what is refused."""

from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from scipy.special import mathieu_a, mathieu_b

from flexframe.cases.case import Case, load_case, parse_case
from flexframe.commands.tables import record_tables
from flexframe.entries.problems import CaseError
from flexframe.presentation.display import headline
from flexframe.reports.build import report_html
from flexframe.results.record import Record

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def example(name: str, *overrides: str) -> Case:
    return load_case(EXAMPLES / f"{name}.yaml", overrides)


@cache
def record(name: str, analysis: str, *overrides: str) -> Any:
    case = example(name, *overrides)
    return case.analyses[analysis].run(case)


def test_mathieu_example() -> None:
    """Inside the first tongue; the chart's ends at q = 2 and 8 are characteristic values, asked for to 1e-8."""
    point = record("mathieu", "one point").summary()
    assert not point["stable"] and point["conservative"]
    assert point["multipliers"][0][0] < -1 and point["multipliers"][0][1] == 0
    assert point["reciprocity"] < 1e-10
    rows = ("analyses.chart.chart.start=2", "analyses.chart.chart.count=2")
    chart = record("mathieu", "chart", *rows).summary()["chart"]
    assert chart["values"] == [2.0, 8.0]
    for q, ranges in zip(chart["values"], chart["unstable_ranges"], strict=True):
        ends = [r[end] for r in ranges for end in ("low", "high") if not r[f"open_{end}"]]
        exact = np.sort([mathieu_a(n, q) for n in range(6)] + [mathieu_b(n, q) for n in range(1, 6)])
        assert ends == pytest.approx(exact[(exact > -4) & (exact < 14)], abs=1e-8)


def test_four_bar_example() -> None:
    """Stable at 300 rpm: the slowest disturbance keeps 47.6 % over a turn; more modes change nothing there.

    Pinned: without damping the multipliers lie on the unit circle, in reciprocal pairs.
    """
    turn = record("floquet_four_bar", "one turn", "analyses.one turn.modes=3").summary()
    assert turn["stable"] and not turn["conservative"]
    assert np.hypot(*turn["multipliers"][0]) == pytest.approx(0.47586, rel=1e-3)
    assert turn["truncation"] < 1e-3
    bare = [f"bodies.{name}.damping.stiffness=0" for name in ("crank", "coupler", "follower")]
    free = record("floquet_four_bar", "one turn", "analyses.one turn.modes=3", *bare).summary()
    assert free["conservative"] and free["reciprocity"] < 1e-10
    assert np.hypot(*np.array(free["multipliers"]).T) == pytest.approx(1.0, abs=1e-9)


def test_four_bar_example_faster() -> None:
    """Unstable above 571 rpm; the scan is shortened here to the values around that end."""
    rows = ("analyses.faster.speed_factors.start=1.85", "analyses.faster.speed_factors.end=1.95")
    scan = record("floquet_four_bar", "faster", *rows, "analyses.faster.speed_factors.count=3").scan
    assert [r.low for r in scan.unstable_ranges] == pytest.approx([1.9042], rel=2e-3)
    (found,) = scan.unstable_ranges
    assert found.kind == "at the period" and found.open_high


def test_asymmetric_rotor_example() -> None:
    """Damping in space of 3 N s/m leaves the widest range, and narrows it."""
    undamped, damped = (record("asymmetric_rotor", name) for name in ("undamped", "damped"))
    widest = max(undamped.scan.unstable_ranges, key=lambda r: r.high - r.low)
    (left,) = damped.scan.unstable_ranges
    assert len(undamped.scan.unstable_ranges) == 8
    assert widest.low < left.low < left.high < widest.high
    assert undamped.reciprocity < 1e-10
    # every motion loses d/2m of its logarithm: exactly, since damping is alike in all directions of space
    assert damped.growth_rate == pytest.approx(-3.0 / 4.0, rel=1e-9)


def test_run_up_example() -> None:
    """The quicker passage has the smaller and later peak; a steady speed would give 10 mm at 10 turns/s.

    The peak is pinned; the same motion is integrated independently in tests/rotation/test_run_up.py.
    """
    peaks = {name: record("run_up", name).peak("disc") for name in ("quick", "slow")}
    assert peaks["quick"][0] < peaks["slow"][0] < 0.010
    assert 2 * np.pi * 10 < peaks["slow"][1] < peaks["quick"][1]
    assert peaks["quick"][0] == pytest.approx(7.0837e-3, rel=1e-3)
    assert record("run_up", "unequal").peak("disc")[0] > peaks["slow"][0]


def test_reports() -> None:
    """Every block of the reports can be drawn."""
    records = {"chart": record("mathieu", "one point"), "run": record("run_up", "quick")}
    records["rotor"] = record("asymmetric_rotor", "damped")
    page = report_html("t", description="", case_name="t", case_text="", records=records)
    assert "Floquet" in page and "Passing the critical speeds" in page
    for each in records.values():
        assert each.to_xarray().attrs["kind"] == each.kind


BASE = """
bodies:
  beam:
    mesh: {{line: {{length: 1 m, divisions: 2}}}}
    material: steel
    section: {{circle: {{diameter: 10 mm}}}}
    supports: [{{clamp: start}}]
analyses:
  it: {{kind: stability, {fields}}}
"""


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("loads: [{on: end, force: [cos(t), 0]}]", "no period is given"),
        ("period: 1, loads: [{on: end, force: [P*cos(t), 0]}]", "P"),
        ("period: 2*pi/w, parameters: {w: 1}, scan: {parameter: w, start: 1, end: 2}", "parameters belong to"),
        ("period: 1, parameters: {t: 1}, loads: [{on: end, force: [1, 0]}]", "cannot stand in a formula"),
        ("speed: 5 Hz, period: 1", "repeats after half a turn"),
        ("period: 1, bearings: [{on: end, stiffness: 5}]", "without a speed"),
        ("speed: 5 Hz, loads: [{on: end, force: [1, 0]}]", "give one of them"),
        ("speed: 5 Hz, branch: 1", "belong to a mechanism"),
        ("speed: 5 Hz, body: bem", "unknown body"),
        (
            "period: 1, loads: [{on: end, force: [1, 0]}], parameters: {w: 1}, "
            "chart: {parameter: w, start: 1, end: 2}",
            "without a scan",
        ),
    ],
)
def test_refusals(fields: str, message: str) -> None:
    with pytest.raises(CaseError) as error:
        parse_case(BASE.format(fields=fields), file="case.yaml", folder=EXAMPLES)
    assert message in str(error.value)


MECHANISM = """
ground: {A: [0, 0]}
bodies:
  bar: {mass: 1 kg, inertia: 0.1 kg m^2, points: {A: [0, 0]}}
joints: {A: {revolute: [ground.A, bar.A]}}
drives: {motor: {angle: 3*t, joint: A}}
analyses:
  it:
    kind: stability
    period: 2*pi/w
"""


@pytest.mark.parametrize(
    ("text", "line", "field", "message"),
    [
        ("period: 2*pi/w,", 10, "period", "w"),
        ("period: 2*pi*,", 10, "period", "column 6: the formula ends too early"),
        ("period: 2*pi - 7,", 10, "period", "is -0.716815 s; give a positive time"),
        ("period: [1],", 10, "period", "not a formula"),
        ("period: 1, frame: {angle: sin(Q*t)},", 10, "frame.angle", "Q"),
        ("period: 1, frame: {path: [0, sin(t]},", 10, "frame.path[1]", "parenthesis"),
        ("period: long*, parameters: {long: 12.5},", 10, "period", "column 6: the formula ends too early"),
        ("period: 1, loads: [{on: end, force: [1, P*t]}],", 10, "loads[0].force[1]", "P"),
    ],
)
def test_bad_formulas_are_told_at_their_fields(text: str, line: int, field: str, message: str) -> None:
    """File, line and field of the formula, and not of the analysis as a whole; and what to do."""
    loads = "" if "loads" in text or "frame" in text else "loads: [{on: end, force: [cos(t), 0]}],"
    case = BASE.replace("  it: {{", "  it:\n    {{").format(fields=f"{text} {loads} modes: 1")
    with pytest.raises(CaseError) as error:
        parse_case(case, file="case.yaml", folder=EXAMPLES)
    (problem,) = error.value.problems
    assert str(problem).startswith(f"case.yaml:{line}: analyses.it.{field}: ")
    assert message in problem.message and ";" in problem.message


def test_bad_period_of_a_mechanism_is_told_at_its_field() -> None:
    with pytest.raises(CaseError) as error:
        parse_case(MECHANISM, file="case.yaml", folder=EXAMPLES)
    (problem,) = error.value.problems
    assert str(problem).startswith("case.yaml:10: analyses.it.period: ")
    assert "w" in problem.message and ";" in problem.message


def test_tables_of_the_command_line() -> None:
    """What `flexframe run` prints names the verdict, the ranges and the peaks."""

    def printed(found: Record) -> str:
        out = Console(width=160, file=StringIO())
        out.print(headline(found.summary()))
        for table in record_tables(found):
            out.print(table)
        assert isinstance(out.file, StringIO)
        return out.file.getvalue()

    rotor = printed(record("asymmetric_rotor", "damped"))
    assert "stable at speed 37.6991 rad/s, 1 unstable range in the scan" in rotor  # 6 turns a second
    assert "Ranges of speed in which disturbances grow" in rotor and "61.1769" in rotor
    assert "UNSTABLE" in printed(record("mathieu", "one point"))
    assert "7.08" in printed(record("run_up", "quick"))  # mm, as it is small
    jeffcott = printed(record("jeffcott", "unequal"))
    assert "critical" in jeffcott and "68.54" in jeffcott and "unbalance" in jeffcott
    assert "disc" in printed(record("jeffcott", "unbalance"))
