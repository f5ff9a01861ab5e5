"""Cases of mechanisms that are wrong: each problem is told with file, line and field."""

from pathlib import Path

import numpy as np
import pytest

from flexframe.cases.case import parse_case
from flexframe.cases.run import run_case
from flexframe.entries.problems import CaseError
from flexframe.entries.recordings import RecordingEntry, recorded_columns
from flexframe.errors import AnalysisError, InputError
from flexframe.files import ANYWHERE, Folder

TEXT = """\
ground: {A: [0, 0]}
bodies:
  crank: {mass: 1 kg, inertia: 0.01, points: {A: [0, 0], B: [100 mm, 0]}}
  rod: {mass: 1 kg, inertia: 0.01, points: {B: [0, 0], C: [300 mm, 0]}}
  slider: {mass: 1 kg, points: {C: [0, 0]}}
start:
  rod: {position: [0.1, 0]}
  slider: {position: [0.4, 0]}
joints:
  A: {revolute: [ground.A, crank.A]}
  B: {revolute: [crank.B, rod.B]}
  C: {revolute: [rod.C, slider.C]}
  guide: {prismatic: [ground.A, slider.C]}
drives:
  motor: {angle: 10*t, joint: A}
analyses:
  turn: {kind: kinematics, duration: 0.6, samples: 61}
"""


def load(text, folder=Path(".")):  # noqa: PTH201
    return parse_case(text, file="case.yaml", folder=folder)


def test_the_case_runs():
    record = run_case(load(TEXT)).records["turn"]
    q = 10 * record.motion.times
    x = 0.1 * np.cos(q) + np.sqrt(0.09 - (0.1 * np.sin(q)) ** 2)
    np.testing.assert_allclose(record.motion.marker("slider.C")[0][:, 0], x, atol=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("rod.B]", "rodd.B]"), "case.yaml:11: joints.B: B: unknown body 'rodd' (did you mean 'rod'?)"),
        (("crank.B, rod.B", "crank.Q, rod.B"), "case.yaml:11: joints.B: B: unknown point of crank 'Q'"),
        (("joint: A}", "joint: Z}"), "case.yaml:15: drives.motor: there is no joint 'Z'; known are A, B, C"),
        (
            ("{revolute: [rod.C", "{revolut: [rod.C"),
            "joints.C: 'revolut' is not a joint (did you mean 'revolute'?)",
        ),
        (("angle: 10*t", "angle: 10*q"), "case.yaml:15: drives.motor.angle: "),
        (
            ("mass: 1 kg, points", "mass: -1 kg, points"),
            "bodies.slider.mass: is -1 kg; give a value that is not negative",
        ),
        (("  rod: {position", "  rad: {position"), "case.yaml:7: start.rad: unknown body 'rad'"),
        (("motor: {", "A: {"), "drives.A: the name 'A' is also that of joints.A"),
        (
            ("joint: A}", "joint: A, between: [ground.A, crank.A]}"),
            "give either joint, the name of one, or between",
        ),
        (("inertia: 0.01, points: {A", "inertia: [1, 2], points: {A"), "bodies.crank.inertia"),
        (
            ("slider: {mass: 1 kg, ", "slider: {"),
            "bodies.slider: no body is given; choose one of mesh, part, shaft, ross, mass, stl",
        ),
    ],
)
def test_a_wrong_case_is_refused_at_its_line(change, message):
    assert change[0] in TEXT
    with pytest.raises(CaseError) as caught:
        load(TEXT.replace(*change))
    assert message in str(caught.value)


def test_what_cannot_be_done_is_told_at_the_analysis():
    with pytest.raises(AnalysisError, match=r"case.yaml:17: analyses.turn: .*dead point.*motor at 4"):
        run_case(load(TEXT.replace("C: [300 mm, 0]", "C: [70 mm, 0]")))
    with pytest.raises(CaseError, match=r"case.yaml:16: analyses.turn.kind: 1 degree of freedom has no drive"):
        run_case(load(TEXT.replace("motor: {angle: 10*t, joint: A}", "{}").replace("drives:\n  {}", "drives: {}")))


# ---------------------------------------------------------------------- recordings


def write(folder, lines, name="record.csv"):
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / name


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["t,x", "0,1", "0.1,abc"], "record.csv:3: 'abc' under x is not a number"),
        (["# measured", "t;x", "0;1", "", "0.1;2;3"], "record.csv:5: 3 cells under 2 column names"),
        (["t,x", "0,1", "0.2,1", "0.1,1"], "record.csv:4: the time is not later than on the line before"),
        (["t,x", "0,1e308"], "record.csv:2: '1e308' under x is too large for a measurement"),
        (["t,x", "0,nan"], "record.csv:2: 'nan' under x is not a number"),
        (["t,y", "0,1"], "record.csv:1: has no column 'x'"),
        (["t,x"], "record.csv has a header but no samples"),
        ([""], "record.csv is empty"),
    ],
)
def test_a_bad_record_is_told_by_its_line(tmp_path, lines, message):
    with pytest.raises(InputError) as caught:
        recorded_columns(write(tmp_path, lines), ANYWHERE, "t", ["x"])
    assert message in str(caught.value)


def test_a_record_that_is_no_text_is_told_by_its_line(tmp_path):
    (tmp_path / "record.csv").write_bytes(b"t,x\n0,1\n1,\xb8\n")
    with pytest.raises(InputError, match=r"record.csv:3: is not UTF-8 text"):
        recorded_columns("record.csv", Folder(tmp_path), "t", ["x"])


def test_a_missing_record():
    with pytest.raises(InputError, match=r"nothing.csv: there is no such file"):
        recorded_columns("nothing.csv", ANYWHERE, "t", ["x"])


def test_a_recorded_angle_drives_a_crank(tmp_path):
    """Noise of 1e-4 rad on 2 sin 3t: the noise is found, and acceleration to a few of its standard errors."""
    t = np.arange(0, 2.0, 0.005)
    angle = 2 * np.sin(3 * t)
    noisy = angle + np.random.default_rng(5).normal(0, 1e-4, len(t))
    write(
        tmp_path,
        ["time,angle in degrees", *(f"{a:.4f},{np.degrees(b):.9f}" for a, b in zip(t, noisy, strict=True))],
    )
    entry = RecordingEntry(samples="record.csv", column="angle in degrees", time="time", scale=np.pi / 180)
    law = entry.law(Folder(tmp_path))
    assert law.signal.noise == pytest.approx(1e-4, rel=0.15)  # 400 samples: 3.5 % standard deviation
    inside = np.linspace(0.3, 1.7, 57)
    misfit = law.jet(inside)[2] + 18 * np.sin(3 * inside)
    assert np.abs(misfit).max() < 5 * law.acceleration_error
    recorded = "{samples: record.csv, column: angle in degrees, time: time, scale: 0.017453292519943295}"
    drive = f"motor: {{angle: {recorded}, joint: A}}"
    text = TEXT.replace("motor: {angle: 10*t, joint: A}", drive).replace("duration: 0.6", "duration: 1.9")
    record = run_case(load(text, tmp_path)).records["turn"]
    crank = record.motion.body("crank")
    np.testing.assert_allclose(crank.angles, 2 * np.sin(3 * record.motion.times), atol=4e-4)
    assert "noise" in record.notices[-1]
    late = text.replace("duration: 1.9", "duration: 3")
    with pytest.raises(
        CaseError, match=r"column 'angle in degrees' of record.csv: time .* lies outside the record"
    ):
        run_case(load(late, tmp_path))
