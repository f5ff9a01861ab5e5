"""Analyses of one case beside each other: rigid against flexible."""

from pathlib import Path

import numpy as np
import pytest

from flexframe.cases.case import load_case
from flexframe.cases.run import run_case
from flexframe.presentation.blocks import Plot, Table
from flexframe.presentation.scenes import Scene
from flexframe.reports.build import case_document, difference

PENDULUM = """title: Pendulum
ground: {{O: [0, 0]}}
materials:
  rubber: {{young: 50 MPa, poisson: 0.3, density: 1200 kg/m^3}}
bodies:
  arm:
    mesh: {{line: {{length: 0.5, divisions: 4}}}}
    material: rubber
    section: {{rectangle: {{width: 20 mm, height: 20 mm}}}}
    reduction: {reduction}
joints:
  O: {{revolute: [ground.O, arm.start]}}
loads:
  weight: {{gravity: [0, -9.81]}}
analyses:
  together:
    kind: transient
    duration: 0.2
    steps: 200
    samples: 41
    sensors:
      tip: {{position: arm.end}}
      bending: {{displacement: arm, at: [0.25, 0], along: [0, 1]}}
{extra}
  rigid:
    kind: rigid_motion
    duration: 0.2
    samples: 41
    sensors:
      tip: {{position: arm.end}}
      bending: {{displacement: arm, at: [0.25, 0], along: [0, 1]}}
"""
STRESS = "      stress: {stress: arm, at: [0.25, 0]}\n      strain: {strain: arm, at: [0.25, 0]}"


def report(folder: Path, reduction: str, extra: str = ""):
    case = folder / "pendulum.yaml"
    text = PENDULUM.format(reduction=reduction, extra=extra)
    case.write_text(text, encoding="utf-8")
    result = run_case(load_case(case))
    return result, case_document(result)


def test_sensors_of_the_same_name_stand_in_one_plot(tmp_path):
    result, document = report(tmp_path, "{modes: 3}")
    section = next(s for s in document.sections if s.title == "Comparison of analyses")
    plots = {block.title: block for block in section.blocks if isinstance(block, Plot)}
    assert list(plots) == ["tip x", "tip y", "bending"]
    assert all([s.name for s in plot.series] == ["together", "rigid"] for plot in plots.values())
    table = next(block for block in section.blocks if isinstance(block, Table))
    rows = {row[0]: row[1:] for row in table.rows}
    bent = np.abs(result.records["together"].sensors["bending"].values).max()
    unit, flexible, rigid, apart = rows["bending"]
    # the rigid arm does not bend, so that all of the deflection is the difference; in units of the reader
    assert (unit, rigid) == ("mm", 0.0)
    assert flexible == apart == pytest.approx(1e3 * bent, rel=1e-12)


def test_a_body_chosen_to_be_rigid_moves_as_the_rigid_motion_and_has_no_stress(tmp_path):
    result, document = report(tmp_path, "rigid", STRESS)
    together, rigid = (result.records[name] for name in ("together", "rigid"))
    assert set(together.sensors) == {"tip", "bending"}
    assert not together.sensors["bending"].values.any()
    said = [notice for notice in together.notices if "left out" in notice]
    assert said == [
        "sensor stress is left out: body arm is rigid here and has no stress",
        "sensor strain is left out: body arm is rigid here and has no strain",
    ]
    tips = np.stack([rigid.sensors[f"tip {axis}"].values for axis in "xy"], axis=1)
    # two integrators: generalised-α of second order with ωΔt = 5·10⁻³ is within (ωΔt)² of the length
    np.testing.assert_allclose(together.sensors["tip"].values, tips, atol=0.5 * 5e-3**2)
    scene = next(b for s in document.sections for b in s.blocks if isinstance(b, Scene))
    assert scene.content.traces[0].name == "tip"  # the path of what a sensor watches


def test_the_difference_of_two_curves():
    one, two = np.linspace(0, 1, 1001), np.linspace(0.2, 2, 1801)
    # |t − t²| is largest at ½; lines between instants 1 ms apart are within h²/8 · 2 of the parabola
    assert difference((one, one), (two, two**2)) == pytest.approx(0.25, abs=1e-6 / 4)
    assert np.isnan(difference((one, one), (one + 5, one)))
