"""Case files, summaries, stored data and reports of elastic links; the numbers of the examples."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from flexframe.cases.case import load_case, parse_case
from flexframe.cases.run import run_case
from flexframe.errors import FlexframeError
from flexframe.presentation.blocks import Cursor, Plot
from flexframe.presentation.scenes import History, Row, Scene
from flexframe.reports.build import report_document

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def record(name, analysis, *overrides):
    case = load_case(EXAMPLES / f"{name}.yaml", overrides)
    return case.analyses[analysis].run(case)


def flat(blocks):
    for block in blocks:
        yield from flat(block.blocks) if isinstance(block, Row) else (block,)


def test_slider_crank_example():
    """First turn of the rod: coupled both ways 1.6413 mm and −1.8699 mm (reference); one way within 1e-3 of it."""
    summary = record("slider_crank", "rod").summary()
    middle = summary["sensors"]["middle"]
    assert middle["unit"] == "m"
    assert middle["max"] == pytest.approx(0.3 * 0.005471, rel=1e-3)
    assert middle["min"] == pytest.approx(-0.3 * 0.006233, rel=1e-3)
    assert summary["coupling"] == "one-way"
    assert len(summary["times_s"]) == len(middle["values"]) <= 400
    assert set(summary["joints"]) == {"B", "C"}
    assert summary["stress"]["rod"]["max_Pa"] == pytest.approx(1.77e8, rel=0.02)  # pinned
    steady = record("slider_crank", "steady").summary()["periodic"]
    assert steady["stable"]
    assert steady["residual"] < 1e-10


def test_wind_pump_example():
    summary = record("wind_pump", "spectrum").summary()
    assert len(summary["frequencies_hz"]) == len(summary["times_s"]) == len(summary["crank_angle_deg"]) == 361
    assert len(summary["frequencies_hz"][0]) == 6
    assert summary["crank_angle_deg"][-1] == pytest.approx(360.0)
    low, high = summary["range_hz"][0]
    assert (low, high) == pytest.approx((57.832, 58.400), abs=2e-3)  # pinned
    assert "do not decide the stability" in summary["stability"]
    assert any("recording" in notice for notice in summary["notices"])
    json.dumps(summary)


@pytest.mark.parametrize(
    ("example", "analysis"),
    [
        ("wind_pump", "spectrum"),
        ("wind_pump", "vibration"),
        ("slider_crank", "rod"),
        ("slider_crank", "spectrum"),
        ("four_bar", "running"),
        ("four_bar", "response"),
    ],
)
def test_records_are_stored_and_reported(example, analysis, tmp_path):
    """Every plot over the cycle follows the moving mechanism; data survive a round trip through a file."""
    found = record(example, analysis)
    document = report_document("title", description="", case_name="case", case_text="", records={analysis: found})
    blocks = list(flat(document.sections[0].blocks))
    (scene,) = [block for block in blocks if isinstance(block, Scene)]
    assert isinstance(scene.content, History)
    cursors = [block.cursor for block in blocks if isinstance(block, Plot) and block.x.unit != "Hz"]
    assert cursors
    assert all(isinstance(cursor, Cursor) and cursor.scene == scene.id for cursor in cursors)
    dataset = found.to_xarray()
    dataset.to_netcdf(tmp_path / "data.nc", engine="h5netcdf")
    assert dataset.sizes["time"] == len(found.times)


def test_deformation_moves_with_the_mechanism():
    """The scene draws the elastic body displaced: the kept shapes are those of the record, instant by instant."""
    found = record("four_bar", "response")
    document = report_document("t", description="", case_name="c", case_text="", records={"response": found})
    (scene,) = [block for block in flat(document.sections[0].blocks) if isinstance(block, Scene)]
    names = [part.name for part in scene.parts]
    number = names.index("coupler")
    shapes, part = scene.content.motions[number].displacements, scene.parts[number]
    points = found.motion.mechanism.system.body("coupler").mesh.points
    # nodes of the mesh are among the points of its axis, which are set between them so that it looks curved
    places = [int(np.argmin(np.linalg.norm(part.nodes - point, axis=1))) for point in points]
    np.testing.assert_array_equal(shapes[:, places], found.displacements["coupler"])
    np.testing.assert_allclose(scene.content.times, found.times[found.snapshots])
    assert scene.content.motions[names.index("ground")].displacements is None


def case_text(analysis):
    text = (EXAMPLES / "slider_crank.yaml").read_text(encoding="utf-8")
    return text[: text.index("analyses:")] + "analyses:\n  asked:\n" + analysis


@pytest.mark.parametrize(
    ("analysis", "message"),
    [
        ("    kind: cycle_spectrum\n    duration: 1 ms\n    body: rob\n", "did you mean 'rod'"),
        ("    kind: cycle_spectrum\n    duration: 1 ms\n    body: crank\n", "rigid"),
        ("    kind: cycle_spectrum\n    duration: 1 ms\n", "remove its supports"),
        (
            "    kind: elastic_response\n    duration: 1 ms\n    steps: 5\n    body: rod\n    periodic: true\n",
            "does not repeat",
        ),
        ("    kind: elastic_response\n    duration: 1 ms\n    steps: 5\n    method: euler\n", "give one of"),
        ("    kind: elastic_response\n    duration: 1 ms\n", "steps"),
    ],
)
def test_case_errors(analysis, message):
    with pytest.raises(FlexframeError, match=message):
        run_case(parse_case(case_text(analysis), file="case.yaml", folder=EXAMPLES))
