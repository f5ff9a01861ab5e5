"""The example of the six formalisms with pinned numbers, its command line and its report."""

import json
from functools import cache
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from typer.testing import CliRunner

from flexframe.analyses.modes.entry import ModesEntry
from flexframe.cases.case import Case, load_case
from flexframe.cli import app
from flexframe.entries.analysis_fields import FormalismName
from flexframe.formalisms import lagrange
from flexframe.formalisms.registry import numeric_formalisms
from flexframe.presentation.blocks import Plot
from flexframe.presentation.scenes import Scene
from flexframe.reports.build import report_document, report_html

EXAMPLE = Path(__file__).parents[2] / "examples" / "formalisms_beam.yaml"


@cache
def case() -> Case:
    return load_case(EXAMPLE)


@cache
def record(name: str) -> Any:
    return case().analyses[name].run(case())


def test_the_choice_of_a_case_is_that_of_the_package() -> None:
    """Names of a case file and of the tuple of formalisms."""
    assert get_args(FormalismName) == tuple(f.name for f in numeric_formalisms())


def test_steady_and_speeding_up() -> None:
    """All six agree to round-off (1e-12) at 6 rad/s; at 5 s five do, and ω = 1.17301 rad/s by the formula."""
    steady, speeding = record("steady"), record("speeding_up")
    assert steady.agrees
    assert max(check.max_relative_difference for check in steady.checks) < 1e-12
    assert [check.applicable for check in speeding.checks] == [True] * 5 + [False]
    assert speeding.speed_rad_s == pytest.approx(0.4 * (5 - 15 / (2 * np.pi) * np.sin(2 * np.pi / 3)), rel=1e-12)
    assert "speed of rotation" in speeding.checks[-1].reason


def test_modes_by_kane_are_the_modes() -> None:
    """1e-9: the same matrices to round-off."""
    expected = record("modes").frequencies_hz
    assert record("modes_by_kane").frequencies_hz == pytest.approx(expected, rel=1e-9)
    assert isinstance(case().analyses["modes_by_kane"], ModesEntry)


def test_spin_up() -> None:
    """−0.57440 m near 6.76 s (linear theory with k_g; 3e-4 for mesh and step); stretch ρAω²L³/3EA = 5.143e-4 m."""
    spin_up = record("spin_up")
    tip = spin_up.sensors["tip"].values
    assert tip.min() == pytest.approx(-0.57440, rel=3e-4)
    assert spin_up.times[np.argmin(tip)] == pytest.approx(6.762, abs=0.03)
    assert spin_up.sensors["tip stretch"].values[-1] == pytest.approx(5.143e-4, rel=2e-3)
    # the hub pulls with ½ρAω²L² = 2160 N
    assert spin_up.support_forces[-1, 0] == pytest.approx(-2160.0, rel=2e-3)
    assert spin_up.energy_drift < 1e-10


def test_released_by_two_routes() -> None:
    """The midpoint rule in (δ, δ̇) and in (δ, p): the same tip to 1e-8 of its largest value."""
    first, second = (record(name).sensors["tip"].values for name in ("released", "released_hamilton"))
    assert np.abs(first - second).max() < 1e-8 * np.abs(first).max()


def test_command_prints_and_exits() -> None:
    """JSON of the crosschecks that the case asks for; exit code 0."""
    outcome = CliRunner().invoke(app, ["crosscheck", str(EXAMPLE), "--json"])
    assert outcome.exit_code == 0, outcome.output
    answer = json.loads(outcome.stdout)
    assert list(answer["crosschecks"]) == ["steady", "speeding_up"]
    assert answer["crosschecks"]["steady"]["agrees"] is True
    table = CliRunner().invoke(app, ["crosscheck", str(EXAMPLE)])
    assert table.exit_code == 0
    assert "gibbs_appell" in table.stdout


def test_command_fails_where_a_formalism_disagrees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 3 and the name of the formalism; the table is still printed."""
    original = lagrange.velocity

    def wrong(*data: Any) -> np.ndarray:
        return original(*data) * 1.001

    monkeypatch.setattr(lagrange, "velocity", wrong)
    outcome = CliRunner().invoke(app, ["crosscheck", str(EXAMPLE)])
    assert outcome.exit_code == 3
    assert "DISAGREES" in outcome.stdout
    assert "lagrange (steady)" in outcome.stderr


def test_command_makes_crosschecks_of_other_cases() -> None:
    """A case without crosschecks: one for every different motion and set of terms of its analyses."""
    example = EXAMPLE.parent / "rotating_beam.yaml"
    outcome = CliRunner().invoke(app, ["crosscheck", str(example), "--json"])
    assert outcome.exit_code == 0, outcome.output
    assert list(json.loads(outcome.stdout)["crosschecks"]) == ["rest", "spinning", "unstressed"]


def test_report() -> None:
    """Sections with plots, and a scene that plays the motion in 200 snapshots at most."""
    records = {name: record(name) for name in ("steady", "speeding_up", "spin_up")}
    shown = {"description": "", "case_name": "arm", "case_text": "", "records": records}
    document = report_document("Arm", **shown)
    blocks = {section.title: section.blocks for section in document.sections}
    (scene,) = (block for block in blocks["spin_up"] if isinstance(block, Scene))
    assert len(scene.content.times) <= 200
    assert [b.title for b in blocks["spin_up"] if isinstance(b, Plot)] == [
        "Displacements",
        "Energies",
        "Stress",
        "Support forces",
    ]
    (plot,) = (block for block in blocks["speeding_up"] if isinstance(block, Plot))
    assert [series.name for series in plot.series] == ["Lagrange", "Gibbs–Appell", "Hamilton", "Maggi", "Kane"]
    assert len(report_html("Arm", **shown)) > 100_000
