"""The benchmark harness computes what it says, and the page tells what was missed."""

import json
import sys
from pathlib import Path

import pytest

from .repository import ROOT

sys.path.insert(0, str(ROOT))

from benchmarks import harness
from benchmarks.harness import Bound, Comparison, Figure, Growth, alternating
from tools.benchmark_page import page


def test_exponent_is_that_of_a_power_law() -> None:
    sizes = [100, 200, 400, 800]
    grown = Growth("x", "n", sizes, [[3e-6 * n**1.5, 3e-6 * n**1.5, 9.0] for n in sizes], 1.5)
    assert grown.exponent == pytest.approx(1.5, abs=1e-12)  # medians: the disturbed repetition does not count


def test_ratio_part_and_limit() -> None:
    assert Comparison("x", "p", [1.0, 2.0, 9.0], [10.0, 12.0, 14.0]).ratio == 6.0
    assert Bound("x", "b", [4.0], [1.0]).part == 0.25
    assert Figure("x", 4.0, "ms", 5.0).holds and not Figure("x", 1.5, "", 1.8, at_least=True).holds
    assert Figure("x", 4.0, "ms").holds is None


def test_works_take_turns() -> None:
    order: list[str] = []
    times = alternating([lambda: order.append("a"), lambda: order.append("b")], 2)
    assert "".join(order) == "ababab" and [len(found) for found in times] == [2, 2]


def test_page_names_what_is_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "RESULTS", tmp_path)
    comparisons = [Comparison("modes", "CalculiX", [1.0], [2.0]), Comparison("modes", "CalculiX", [1.0], [6.0])]
    growths = [Growth("slow", "n", [1, 2, 4, 8], [[float(n**2)] for n in (1, 2, 4, 8)], 1.0)]
    harness.write("modes", comparisons, growths=growths, figures=[Figure("wait", 7.0, "ms", 5.0)])
    result = json.loads((tmp_path / "modes.json").read_text())
    result["machine"]["load"] = 0.1
    text = page({"modes": result})
    missed = text.split("## What does not hold")[1]
    assert "2 times CalculiX, asked 5" in missed and "6 times CalculiX" not in missed
    assert "wait: 7 ms, asked 5" in missed and "n^2.00, theory says 1" in missed
    result["machine"]["load"] = 100.0
    assert "busy" in page({"modes": result}).split("## What does not hold")[1]
