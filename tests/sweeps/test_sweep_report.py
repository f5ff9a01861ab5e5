"""What a user sees of a sweep: the command, the report, the plots."""

import json
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from typer.testing import CliRunner

from flexframe.cli import app
from flexframe.errors import InputError
from flexframe.presentation.blocks import Plot, Table
from flexframe.presentation.scenes import Row
from flexframe.reports.sweep import sweep_document
from flexframe.sweeps.responses import responses
from flexframe.sweeps.sweep import Sweep, sweep

from .cheap import HEIGHT, LENGTH, cheap_case

mpl.use("Agg")


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cheap_case(tmp_path_factory.mktemp("case"))


@pytest.fixture(scope="module")
def surface(case: Path) -> Sweep:
    return sweep(case, {LENGTH: "0.8:1.2:5", HEIGHT: "8:12:4 mm"})


@pytest.fixture(scope="module")
def cloud(case: Path) -> Sweep:
    return sweep(case, {LENGTH: "0.8:1.2", HEIGHT: "10:10.1 mm"}, latin_hypercube=30, seed=1)


def test_command_writes_and_prints(case: Path, tmp_path: Path) -> None:
    arguments = ["sweep", str(case), "--vary", f"{LENGTH}=1,-1,2", "--out", str(tmp_path / "out")]
    shown = CliRunner().invoke(app, arguments)
    assert shown.exit_code == 0, shown.output
    assert "3 cases: 2 done, 1 failed" in shown.output and "report.html" in shown.output
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "case.yaml", "cases.jsonl", "report.html", "results.nc", "summary.json", "sweep.json",
    ]  # fmt: skip
    refused = CliRunner().invoke(app, arguments)
    assert refused.exit_code == 2
    continued = CliRunner().invoke(app, [*arguments, "--resume", "--json"])
    assert continued.exit_code == 0
    summary = json.loads(continued.stdout)
    assert (summary["cases"], summary["failed"], summary["computed_now"]) == (3, 1, 0)


def test_command_refuses_and_fails_with_the_right_codes(case: Path, tmp_path: Path) -> None:
    bad = CliRunner().invoke(app, ["sweep", str(case), "--vary", "nonsense", "--out", str(tmp_path / "a")])
    assert bad.exit_code == 2
    none = CliRunner().invoke(app, ["sweep", str(case), "--vary", f"{LENGTH}=-1,-2", "--out", str(tmp_path / "b")])
    assert none.exit_code == 2  # no case can be built: told before any is run


def test_failures_are_shown_once_for_each_reason(case: Path, tmp_path: Path) -> None:
    arguments = ["sweep", str(case), "--vary", "bodies.beam.theory=euler_bernoulli,magic,timoshenko"]
    arguments += ["--vary", f"{LENGTH}=1,2,-1", "--out", str(tmp_path / "out")]
    shown = CliRunner().invoke(app, arguments)
    assert shown.exit_code == 0, shown.output
    told = [line for line in shown.output.splitlines() if line.startswith("case ")]
    assert "case 2 (bodies.beam.theory=euler_bernoulli" in told[0] and "and 2 others: " in told[0]
    assert (
        "case 3 (bodies.beam.theory=magic" in told[1] and "and 1 other: " in told[1]
    )  # of both mistakes the length
    found = sweep(
        case, {"bodies.beam.theory": ["euler_bernoulli", "magic", "timoshenko"], LENGTH: ["1 m", "2 m", "-1 m"]}
    )
    document = sweep_document(found, "title: x")
    table = next(section for section in document.sections if section.title == "Failed cases").blocks[0]
    assert isinstance(table, Table)
    assert [column.header for column in table.columns] == ["case", "theory", "length", "reason"]
    assert [row[0] for row in table.rows] == [2, 3, 4, 5, 8]
    assert table.rows[0][1:3] == ("euler_bernoulli", "-1 m")


def test_a_sweep_that_keeps_nothing_is_refused_and_its_folder_free(case: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--keep frequencies: no number of case 0 is called so"):
        sweep(case, {LENGTH: [1, 2]}, keep=["frequencies"], out=tmp_path / "out")
    found = sweep(case, {LENGTH: [1, 2]}, keep=["*.frequencies_hz"], out=tmp_path / "out")
    assert found.computed == 2


def test_names_of_the_dataset_itself_may_be_varied(case: Path) -> None:
    moving = case.with_name("turning.yaml")
    moving.write_text(case.read_text().replace("supports:", "motion: {spin: 1 rad/s}\n    supports:"))
    axes = ["[0, 0, 1]", "[0, 0, -1]"]
    found = sweep(moving, {"bodies.beam.motion.axis": axes, "analyses.modes.count": [1, 2]})
    assert found.dataset["modes.direction_shares"].dims == ("motion.axis", "count", "modes.mode", "axis")
    assert found.dataset["motion.axis"].values.tolist() == axes
    counts = np.isfinite(found.dataset["modes.frequencies_hz"]).sum("modes.mode")
    assert counts.values.tolist() == [[1, 2], [1, 2]]


def test_report_draws_curves_and_contours(surface: Sweep) -> None:
    document = sweep_document(surface, "title: x")
    section = next(section for section in document.sections if section.title == "modes")
    row = section.blocks[0]
    assert isinstance(row, Row)
    curves, contours = row.blocks
    assert isinstance(curves, Plot) and isinstance(contours, Plot)
    assert curves.series[0].name == "height 8 mm"
    # a line of equal frequency is h/L² = const; the grid's cells are straight, so 2 % of bending between nodes
    levels = [float(series.name.removesuffix(" Hz")) for series in contours.series]
    assert np.ptp(np.diff(levels)) < 1e-9 and len(levels) in range(4, 10)
    assert all(level == round(level, 1) for level in levels)  # from 4.5 to 15 Hz in steps of a round number
    assert (contours.x.minimum, contours.x.maximum) == (0.8, 1.2)  # all of the plane, reached by a line or not
    for series in contours.series:
        along = series.y[np.isfinite(series.y)] / series.x[np.isfinite(series.x)] ** 2
        assert np.ptp(along) / along.mean() < 0.02


def test_report_of_points_tells_what_matters(cloud: Sweep) -> None:
    document = sweep_document(cloud, "title: x")
    table = next(section for section in document.sections if section.title == "What matters").blocks[0]
    assert isinstance(table, Table)
    assert [column.header for column in table.columns] == ["response", "length", "height"]
    # a length that varies by half decides the rank, a height that varies by a hundredth does not
    assert table.rows[0][1] == pytest.approx(-1, abs=0.01) and abs(float(table.rows[0][2] or 0)) < 0.4


def test_only_telling_numbers_are_drawn(surface: Sweep) -> None:
    assert [response.name for response in responses(surface)] == ["modes.frequencies_hz"]


def test_plots(surface: Sweep, cloud: Sweep) -> None:
    filled = surface.plot("modes.frequencies_hz", mode=1)
    assert filled.get_xlabel() == "height [mm]" and filled.get_ylabel() == "length"
    curve = surface.plot("modes.frequencies_hz", mode=0, height=8)
    line = curve.lines[0]
    expected = surface.dataset["modes.frequencies_hz"].sel(height=8).isel({"modes.mode": 0})
    np.testing.assert_array_equal(line.get_ydata(), expected)
    assert len(cloud.plot("modes.frequencies_hz").lines) == 2
    assert filled.figure.axes[1].get_ylabel() == "modes.frequencies_hz mode 2 [Hz]"  # of the colours
    with pytest.raises(InputError, match="no number"):
        surface.plot("modes.frequency")
    with pytest.raises(InputError, match="count from 0 to 1"):
        surface.plot("modes.frequencies_hz", mode=2)
    with pytest.raises(InputError, match="not among the values"):
        surface.plot("modes.frequencies_hz", height=9)
    with pytest.raises(InputError, match="no dimension"):
        surface.plot("modes.frequencies_hz", branch=1)
    mpl.pyplot.close("all")


def test_words_have_a_curve_each(case: Path) -> None:
    vary = {"bodies.beam.theory": ["euler_bernoulli", "timoshenko"], LENGTH: [1, 2, 3]}
    found = sweep(case, vary)
    axes = found.plot("modes.frequencies_hz", mode=1)
    assert axes.get_xlabel() == "length" and axes.get_ylabel() == "modes.frequencies_hz mode 2 [Hz]"
    assert [line.get_label() for line in axes.lines] == ["theory euler_bernoulli", "theory timoshenko"]
    values = found.dataset["modes.frequencies_hz"].isel({"modes.mode": 1})
    np.testing.assert_array_equal([line.get_ydata() for line in axes.lines], values)
    words = found.plot("modes.frequencies_hz", length=2)
    assert [len(line.get_ydata()) for line in words.lines] == [2, 2]  # two modes of two theories
    mpl.pyplot.close("all")
