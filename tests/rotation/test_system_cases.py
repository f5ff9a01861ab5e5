"""Campbell diagrams of systems in case files: the example, what is refused, records, tables and reports."""

import json
from functools import cache

import numpy as np
import pytest
from scipy import linalg

from flexframe.analyses.campbell.system_record import SystemCampbell
from flexframe.cases.case import Case, load_case, parse_case
from flexframe.cases.run import run_case
from flexframe.entries.problems import CaseError
from flexframe.presentation.blocks import Plot, Table, VerticalLine
from flexframe.presentation.scenes import Modes, Scene
from flexframe.reports.document import Document, Section, render_html

from .example_cases import EXAMPLES

TURN = 2 * np.pi


@cache
def example() -> Case:
    return load_case(EXAMPLES / "bladed_hub.yaml")


@cache
def record(analysis: str) -> SystemCampbell:
    made = example().analyses[analysis].run(example())
    assert isinstance(made, SystemCampbell)
    return made


def flap_of_a_cantilever(speed: float, offset: float, terms: int = 8) -> np.ndarray:
    """Frequencies [Hz] of the blade of the example as an Euler–Bernoulli beam, by Ritz with powers of x."""
    length, thickness, young, density = 0.6, 6e-3, 70e9, 2700.0
    x, weights = np.polynomial.legendre.leggauss(40)
    x, weights = (x + 1) / 2, weights / 2
    powers = np.arange(2, 2 + terms)
    w = x[:, None] ** powers
    slope, bend = powers * x[:, None] ** (powers - 1), powers * (powers - 1) * x[:, None] ** (powers - 2)
    # in units of the length: N/ρA L² Ω² = r (1 − x) + (1 − x²)/2
    tension = offset / length * (1 - x) + (1 - x**2) / 2
    M = w.T * weights @ w
    K = young * thickness**2 / 12 / density / length**4 * (bend.T * weights @ bend)
    K += speed**2 * (slope.T * (weights * tension) @ slope)
    return np.sqrt(linalg.eigh(K, M, eigvals_only=True)) / TURN


def test_flap_of_the_fixed_blades() -> None:
    """An independent Ritz solution; shear and rotary inertia, which it leaves out, take 5e-4 off the second."""
    driven = record("driven")
    flap = [b for b, label in enumerate(driven.labels) if label in ("flap of blade_a", "flap of blade_b")]
    assert len(flap) == 4
    for k in (0, 13, 25):
        expected = np.repeat(flap_of_a_cantilever(driven.speeds[k], 0.15)[:2], 2)
        assert np.sort(driven.frequencies_hz[k, flap]) == pytest.approx(expected, rel=6e-4)


def test_example_keeps_its_numbers() -> None:
    """Pinned; the free hub raises the lag of the loose blade, and its damper damps it most."""
    driven, free = record("driven"), record("free running")
    loose = [made.labels.index("lag of blade_c") for made in (driven, free)]
    assert driven.frequencies_hz[[0, -1], loose[0]] == pytest.approx([36.9511, 39.9544], rel=1e-5)
    assert free.frequencies_hz[[0, -1], loose[1]] == pytest.approx([42.7218, 46.0420], rel=1e-5)
    assert driven.damping_ratios[-1, loose[0]] == pytest.approx(0.01214, rel=1e-3)
    assert free.labels[0].startswith("free motion") and not free.eigenvalues[:, 0].any()
    assert driven.critical_speeds_rad_s == pytest.approx(
        [31.6247, 31.6250, 55.3383, 55.3399, 79.0307, 121.852], rel=1e-5
    )
    # the blade with a free frame has the field of second order: of the order of the strain, 1e-4
    blades = [driven.frequencies_hz[-1, driven.labels.index(f"flap of blade_{name}")] for name in "ac"]
    assert blades[1] == pytest.approx(blades[0], rel=2e-4)
    np.testing.assert_allclose(driven.torques, 0.0, atol=1e-6)  # springs of 3000 N m, angles to 1e-11 and better


def test_branches_of_lag_and_flap_cross() -> None:
    """The second flap passes the first lag near 11 turns a second; both keep their shapes."""
    driven = record("driven")
    lag = driven.frequencies_hz[:, driven.labels.index("lag of blade_a")]
    flap = np.sort(driven.frequencies_hz[:, [b for b, x in enumerate(driven.labels) if x == "flap of blade_a"]])
    assert (np.diff(lag) > 0).all() and np.ptp(lag) < 2.1
    assert flap[0, 1] < lag[0] and flap[-1, 1] > lag[-1]
    assert not [notice for notice in driven.notices if "doubt" in notice]


@pytest.mark.parametrize("analysis", ["driven", "free running"])
def test_records_can_be_kept_and_shown(analysis: str) -> None:
    made = record(analysis)
    summary = made.summary()
    json.dumps(summary, allow_nan=False)
    assert summary["frame"] == "rotating" and summary["whirl"] is None
    assert np.array(summary["frequencies_hz"]).shape == (26, len(summary["labels"]))
    assert summary["critical_speeds_rad_s"] == [c["speed_rad_s"] for c in summary["critical_speeds"]]
    dataset = made.to_xarray()
    assert dataset.attrs["kind"] == "campbell" and dataset["frequency"].shape == made.frequencies_hz.shape
    table = made.to_dataframe()
    assert table.index.name == "speed_rad_s" and len(table) == 26
    *found, branches = made.presentation().overview()
    assert len(branches.rows) == len(made.labels)
    assert sum(len(table.rows) for table in found) == len(made.critical_speeds)
    assert "campbell" in repr(made)


def test_shapes_are_those_of_the_branches() -> None:
    """Largest displacement one; the flap of blade_a moves that blade along the axis and leaves the hub at rest."""
    made = record("driven")
    branch = made.labels.index("flap of blade_a")
    shapes = {body.name: body for body in made.shapes}
    bodies = {body.name: body for body in made.system.bodies}
    assert bodies["blade_a"].mesh is not None
    moved = shapes["blade_a"].displacements(bodies["blade_a"].mesh.points, -1, branch)
    assert np.abs(moved).max() == pytest.approx(1.0, rel=1e-12)
    assert np.abs(moved[:, :2]).max() < 1e-3
    assert np.abs(shapes["hub"].rigid[-1, branch]).max() < 1e-9


def test_report() -> None:
    """The diagram links to the shapes of all bodies, and marks engine orders and critical speeds."""
    made = record("driven")
    blocks = made.presentation().blocks("driven")
    (scene,) = [block for block in blocks if isinstance(block, Scene)]
    assert [part.name for part in scene.parts] == ["hub", "blade_a", "blade_b", "blade_c"]
    assert isinstance(scene.content, Modes)
    assert len(scene.content.modes) == len(made.snapshots) * len(made.labels)
    for part, displacement in zip(scene.parts, scene.content.modes[0].displacement, strict=True):
        assert displacement is not None and displacement.shape == (len(part.nodes), part.columns)
    # blades stand around the axis: their tips are 0.75 m from it
    for part in scene.parts[1:]:
        assert np.linalg.norm(part.nodes, axis=1).max() == pytest.approx(0.75, rel=1e-6)
    diagram, growth = [block for block in blocks if isinstance(block, Plot)]
    assert sum(isinstance(line, VerticalLine) for line in diagram.reference_lines) == len(made.critical_speeds)
    assert growth.title == "Growth rates"
    tables = [block for block in blocks if isinstance(block, Table)]
    assert tables[0].caption == "Critical speeds that a load excites."
    assert len(tables) == 4  # those first, then branches, all critical speeds, coordinates of the bodies
    page = render_html(Document("t", (Section("driven", blocks),), case_name="c", version="0"))
    assert "Campbell diagram in the frame that turns with the system" in page


CASE = """
space: spatial
bodies:
  hub: {mass: 1, inertia: [1, 1, 1], points: {rim: [0.3, 0, 0]}}
  blade: {mass: 3, inertia: [0, 0.7, 0.7], centre: [0.8, 0, 0]}
start: {blade: {position: [0.3, 0, 0]}}
joints:
  bearing: {revolute: [ground, hub]}
  hinge: {revolute: [hub.rim, blade], axis: [0, 1, 0]}
drives: {spin: {angle: 5*t, joint: bearing}}
analyses:
  run:
    kind: campbell
    speeds: {end: 20 rad/s, count: 5}
    modes: 2
"""


def case(*changes: tuple[str, str]) -> Case:
    text = CASE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return parse_case(text, file="fan.yaml", folder=EXAMPLES)


def test_system_of_rigid_bodies() -> None:
    """ν² = Ω²(1 + e S/I) with S = 3 · 0.8 and I = 0.7 + 3 · 0.8² about the hinge."""
    summary = run_case(case()).records["run"].summary()
    found = np.array(summary["frequencies_hz"])[:, 0] * TURN
    ratio = np.sqrt(1 + 0.3 * 2.4 / (0.7 + 3 * 0.64))
    np.testing.assert_allclose(found, ratio * np.array(summary["speeds_rad_s"]), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("modes: 2", "modes: 2\n    axis: [0, 0, 1]"), "run.axis: belongs to the diagram of one body"),
        (("modes: 2", "modes: 2\n    terms: {coriolis: 0}"), "run.terms.coriolis: cannot be changed"),
        (("modes: 2", "modes: 2\n    terms: {geometric: 0.5}"), "run.terms.geometric: is 0 or 1"),
        (("modes: 2", "modes: 2\n    spin: fast"), "run.spin"),
        (("modes: 2", "modes: 2\n    drive: moter"), "run.drive: unknown drive 'moter'"),
    ],
)
def test_wrong_cases_are_refused_at_their_line(change: tuple[str, str], message: str) -> None:
    with pytest.raises(CaseError) as caught:
        case(change)
    assert message in str(caught.value)


def test_fields_of_a_system_do_not_belong_to_a_body() -> None:
    text = """
bodies:
  strip: {mesh: {line: {length: 1, divisions: 2}}, material: steel, section: {circle: {diameter: 0.01}}}
analyses:
  run: {kind: campbell, speeds: {end: 1, count: 2}, drive: motor}
"""
    with pytest.raises(CaseError, match=r"run\.drive: belongs to the diagram of a whole system"):
        parse_case(text, file="strip.yaml", folder=EXAMPLES)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            ("drives:", "loads: {weight: {gravity: [0, -9.81, 0]}}\ndrives:"),
            "weight is not along the axis of spin",
        ),
        (("modes: 2", "modes: 2\n    drive: spinn"), "unknown drive 'spinn'"),
    ],
)
def test_what_cannot_turn_steadily_is_refused_at_its_line(change: tuple[str, str], message: str) -> None:
    with pytest.raises(CaseError) as caught:
        run_case(case(change))
    assert message in str(caught.value) and str(caught.value).startswith("fan.yaml:")
