"""The crosscheck of systems in case files, by the command, in records and reports."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from flexframe.analyses.crosscheck.analysis import crosscheck
from flexframe.analyses.crosscheck.system_record import SystemCrosscheck
from flexframe.cases.case import parse_case
from flexframe.cli import app
from flexframe.elements.properties import Rectangle
from flexframe.equations.coefficients import Terms
from flexframe.model.body import Body
from flexframe.model.supports import Clamp
from flexframe.motion.frame import FrameMotion

from .system_samples import SOFT

PENDULUM = """
title: Two rods
materials: {soft: {young: 200 MPa, poisson: 0.3, density: 1200}}
ground: {O: [0, 0]}
bodies:
  upper:
    mesh: {line: {length: 1 m, divisions: 4}}
    material: soft
    section: {rectangle: {width: 20 mm, height: 20 mm}}
    supports: [{clamp: start}]
    reduction: {modes: 2}
  lower: {mass: 0.5 kg, inertia: 0.04, centre: [0.4, 0], points: {A: [0, 0]}}
start:
  upper: {angular_velocity: [0, 0, 2]}
  lower: {position: [1, 0], angular_velocity: [0, 0, -1]}
joints:
  A: {revolute: [ground.O, upper.start]}
  B: {revolute: [upper.end, lower.A]}
loads:
  weight: {gravity: [0, -9.81]}
analyses:
  run: {kind: transient, duration: 0.1 s, step: 1 ms}
"""


@pytest.fixture(scope="module")
def record(tmp_path_factory) -> SystemCrosscheck:
    folder = tmp_path_factory.mktemp("case")
    text = PENDULUM + "  check: {kind: crosscheck, duration: 2 ms}\n"
    case = parse_case(text, file="pendulum.yaml", folder=folder)
    found = case.analyses["check"].run(case)
    assert isinstance(found, SystemCrosscheck)
    return found


def test_record_of_a_system(record: SystemCrosscheck) -> None:
    """All six apply and agree; the summary has what the command prints."""
    summary = record.summary()
    assert record.agrees
    assert summary["kind"] == "crosscheck"
    for name, entry in summary["formalisms"].items():
        assert entry["applicable"], name
        assert entry["max_relative_difference"] < 1e-9
        assert entry["unknowns"] > 0
        assert entry["operations"]["multiplications"] > 100
        assert entry["seconds"] > 0
    n, rank = summary["velocities"], 4  # two hinges in the plane
    unknowns = {name: entry["unknowns"] for name, entry in summary["formalisms"].items()}
    free = n - rank
    assert unknowns == {
        "lagrange": n + 4,
        "gibbs_appell": n,
        "hamilton": 2 * n,
        "maggi": free,
        "kane": free,
        "whittaker": 2 * free - 1,
    }
    assert summary["span_s"] <= 2e-3


def test_table_report_and_dataset(record: SystemCrosscheck) -> None:
    assert record.presentation().blocks("check")
    assert list(record.to_dataframe().index) == [check.title for check in record.checks]
    data = record.to_xarray()
    assert float(data["relative_difference"].max()) == max(c.max_relative_difference for c in record.checks)
    assert np.isfinite(data["drift"]).all()


def test_command_takes_the_transient_of_a_system(tmp_path) -> None:
    """Without an entry of its own the coupled motion of a case is what is compared."""
    path = tmp_path / "pendulum.yaml"
    path.write_text(PENDULUM)
    done = CliRunner().invoke(app, ["crosscheck", str(path), "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)["crosschecks"]["run"]
    assert found["agrees"]
    assert found["bodies"] == {"upper": found["bodies"]["upper"], "lower": 0}
    assert set(found["formalisms"]) == {"lagrange", "gibbs_appell", "hamilton", "maggi", "kane", "whittaker"}


def test_crosscheck_uses_the_terms_or_says_so() -> None:
    """The multiplier of geometric stiffness takes part (1e-9 with 0 as with 1); those of inertia give a notice."""
    beam = Body.beam(
        "beam", length=1.0, divisions=3, section=Rectangle(0.02, 0.02), material=SOFT, supports=(Clamp("start"),)
    )
    motion = FrameMotion((0, 0, 30.0))
    plain = crosscheck(beam, motion)
    without = crosscheck(beam, motion, terms=Terms(geometric=0.0))
    assert plain.agrees
    assert without.agrees
    assert without.summary()["terms"]["geometric"] == 0.0
    assert not without.notices
    study = crosscheck(beam, motion, terms=Terms(coriolis=0.0, centrifugal=-1.0))
    assert any("coriolis, centrifugal" in notice for notice in study.notices)
    assert study.summary()["terms"]["coriolis"] == 1.0
