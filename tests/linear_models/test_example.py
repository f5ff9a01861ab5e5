"""The example of a flexible arm, and its files, against what its description says by hand."""

from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat

import flexframe as ff
from flexframe.cases.case import load_case, parse_case
from flexframe.cases.run import run_case
from flexframe.commands.export import export
from flexframe.errors import FlexframeError
from flexframe.reports.build import report_html
from flexframe.results.storage import write_results

EXAMPLE = ff.example_paths()["arm_linear"]


def test_arm_linear(tmp_path: Path) -> None:
    """Pole of the arm as one piece, −c/J; the reduced model within its bound; files for MATLAB."""
    result = run_case(load_case(EXAMPLE))
    plant, small = result.records["plant"], result.records["small"]
    assert isinstance(plant, ff.results.LinearModel)
    assert isinstance(small, ff.results.LinearModel)
    J = 0.05 + 2700 * 1.8e-4 / 3
    # bending takes a little inertia from the slow motion: (0.236/61)² of it
    assert np.abs(plant.poles + 0.05 / J).min() == pytest.approx(0.0, abs=1e-4)
    assert plant.order == 10
    assert (small.order, small.reduction is not None) == (6, True)
    f = np.geomspace(0.01, 500.0, 400)
    apart = np.linalg.norm(plant.response(f) - small.response(f), 2, axis=(1, 2)).max()
    assert small.reduction is not None
    assert apart < small.reduction.error_bound < 1e-3
    # far below the first mode both outputs follow w/(J s² + c s), the tip at 1 m
    s = 2j * np.pi * 0.02
    assert plant.response(0.02)[0, :, 0] == pytest.approx(np.full(2, 1 / (J * s**2 + 0.05 * s)), rel=1e-3)
    page = report_html("arm", description="", case_name="arm", case_text="", records=dict(result.records))
    assert all(words in page for words in ("Frequency response", "Step response", "logarithmic decrement"))
    # amplitudes in rad/(N m) and m/(N m), phases, poles
    assert len(plant.plot()) == 4
    folder = tmp_path / "results"
    write_results(
        folder, summary={"analyses": {"plant": plant.summary()}}, records={"plant": plant}, case_text="", report=""
    )
    for to in ("mat", "csv"):
        export(folder, to, tmp_path / to, (), as_json=True)
    assert np.array_equal(loadmat(tmp_path / "mat" / "plant.mat")["A"], plant.A)
    assert len(list((tmp_path / "csv").iterdir())) == 5
    with pytest.raises(FlexframeError, match="no analysis is a linear model"):
        export(folder, "simscape", tmp_path / "simscape", (), as_json=True)


BLADE = """
materials: {steel: {young: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}}
bodies:
  blade:
    space: spatial
    mesh: {line: {length: 1 m, divisions: 6}}
    material: steel
    section: {rectangle: {width: 40 mm, height: 10 mm}}
    supports: [{clamp: start}]
analyses:
  model:
    kind: linear_model
    inputs: [push, base.y]
    forces: {push: {on: end, force: [0, 1, 0]}}
    sensors: {tip: {on: end, dof: uy}, speed: {on: end, dof: uy, rate: true}}
    frames: {root: start, tip: end}
    frequencies: {end: 100 Hz}
"""


def test_body_in_a_case(tmp_path: Path) -> None:
    """The static answer l³/3EI with a part of shear, and origins of frames in the file for Simscape."""
    record = run_case(parse_case(BLADE, file="blade.yaml", folder=tmp_path)).records["model"]
    assert isinstance(record, ff.results.LinearModel)
    expected = 1 / (3 * 210e9 * 0.04 * 0.01**3 / 12)
    assert record.response(0.0)[0, 0, 0].real == pytest.approx(expected, rel=1e-3)
    assert [each.unit for each in record.outputs] == ["m", "m/s"]
    read = loadmat(record.write_simscape(tmp_path / "blade.mat"))
    assert read["origins"].tolist() == [[0, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("inputs: [torque, loads.none]", "unknown input 'loads.none'"),
        ("outputs: [tap]", "unknown output 'tap'"),
        ("point: motion", "give the instant of the motion"),
        ("step: 1 ms", "belongs to point: motion"),
        ("drive: motor", "give its speed too"),
        ("modes: 3", "belongs to the linear model of one body"),
        ("reduce: {method: modal, tolerance: 1}", "a modal reduction takes an order"),
    ],
)
def test_wrong_fields_are_refused_at_check(line: str, message: str, tmp_path: Path) -> None:
    """Each with its field and what to do."""
    text = EXAMPLE.read_text(encoding="utf-8")
    text = text[: text.index("analyses:")] + f"analyses:\n  plant:\n    kind: linear_model\n    {line}\n"
    with pytest.raises(FlexframeError, match=message):
        case = parse_case(text, file="arm.yaml", folder=tmp_path)
        case.analyses["plant"].check(case)


def test_more_states_than_there_are() -> None:
    """Refused where the order stands, as soon as the model is made."""
    case = load_case(EXAMPLE, ["analyses.small.reduce.order=60"])
    with pytest.raises(FlexframeError, match=r"analyses.small.reduce.order: 60 states of 10"):
        run_case(case)
