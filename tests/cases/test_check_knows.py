"""`check` finds what `run` would refuse, at the same field, and its words say what to do."""

import re
from pathlib import Path

import pytest

import flexframe as ff
from flexframe.cases.case import Case, parse_case
from flexframe.cases.checking import check_case
from flexframe.cases.examples import example_paths
from flexframe.cases.run import run_case
from flexframe.errors import FlexframeError, InputError
from flexframe.stages import begin_work, checking, only_checked

CRANK = """\
bodies:
  crank:
    mass: 1 kg
    inertia: [0.01, 0.1, 0.1]
    points: {A: [0, 0], B: [1, 0]}
ground: {O: [0, 0], P: [2, 0]}
joints:
  hinge:
    revolute: [ground.O, crank.A]
    axis: [0, 0, 1]
drives:
  motor:
    angle: 10*t
    joint: hinge
analyses:
  turn:
    kind: kinematics
    duration: 0.1 s
    samples: 3
"""

BEAM = """\
bodies:
  beam:
    mesh: {line: {length: 1 m, divisions: 2}}
    material: steel
    section: {rectangle: {width: 20 mm, height: 10 mm}}
    supports:
      - clamp: start
analyses:
  first:
    kind: modes
    count: 2
"""

DISC = """\
space: spatial
bodies:
  disc:
    mass: 2 kg
    inertia: [0.01, 0.01, 0.02]
joints:
  roll:
    rolling: [ground, disc]
    radius: 0.1 m
start:
  disc:
    position: [0, 0.1]
    rotation: [90 deg, 0, 0]
analyses:
  motion:
    kind: rigid_motion
    duration: 0.1 s
"""


def case_of(text: str, *changes: tuple[str, str]) -> Case:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return parse_case(text, file="case.yaml", folder=Path())


def told(text: str, *changes: tuple[str, str]) -> tuple[list[str], int]:
    """The lines by which `check` refuses a case and its exit code; `run` must say the same."""
    answers = []
    for way in (check_case, run_case):
        with pytest.raises(FlexframeError) as caught:
            way(case_of(text, *changes))
        answers.append((str(caught.value).splitlines(), caught.value.exit_code))
    checked, ran = answers
    assert set(ran[0]) <= set(checked[0])
    assert checked[1] == ran[1]
    return checked


@pytest.mark.parametrize(
    ("changes", "line", "field", "words"),
    [
        ([("axis: [0, 0, 1]", "axis: [0, 0, 0]")], 10, "joints.hinge.axis", "give a vector other than zero"),
        (
            [("analyses:", "  second: {angle: 5*t, joint: hinge}\nanalyses:")],
            15,
            "drives.second",
            "remove a drive",
        ),
        (
            [("analyses:", "loads:\n  pull: {spring: [crank.A, crank.B], stiffness: 100}\nanalyses:")],
            16,
            "loads.pull.spring",
            "acts between two points of body crank, so that it moves nothing; name points of two bodies",
        ),
        (
            [("analyses:", "loads:\n  pull: {spring: [ground.O, ground.P], stiffness: 100}\nanalyses:")],
            16,
            "loads.pull.spring",
            "acts between two points of the ground, so that it moves nothing; name points of two bodies",
        ),
        (
            [("drives:", "  slide: {prismatic: [ground.P, crank.B], axis: [0, 0, 1]}\ndrives:")],
            11,
            "joints.slide.axis",
            "slides along z, and all bodies of a planar system stay in the x–y plane; give an axis in it",
        ),
        ([("angle: 10*t", "angle: sqrt(t - 0.05)")], 12, "drives.motor", "choose another law or other times"),
        ([("angle: 10*t", "angle: sqrt(0.05 - t)")], 12, "drives.motor", "at t = 0.05 s; choose another law"),
        (
            [("kind: kinematics", "kind: rigid_motion"), ("angle: 10*t", "angle: sqrt(0.05 - t)")],
            12,
            "drives.motor",
            "has no finite value, velocity and acceleration at t = 0.05 s; choose another law",
        ),
        (
            [("kind: kinematics", "kind: rigid_motion\n    relative_tolerance: 10")],
            18,
            "analyses.turn.relative_tolerance",
            "give 1e-13 to 1e-2",
        ),
        (
            [("samples: 3", "samples: 3\n    sensors:\n      s: {stress: crank.B}")],
            21,
            "analyses.turn.sensors.s",
            "crank.B has no stress; name a marker of a meshed body",
        ),
        ([("samples: 3", "samples: 3\n    branch: 7")], 20, "analyses.turn.branch", "give 1 to 1"),
        (
            [("drives:\n  motor:\n    angle: 10*t\n    joint: hinge\n", "")],
            13,
            "analyses.turn.kind",
            "add a drive, or compute the motion from the forces",
        ),
        (
            [("drives:\n  motor:\n    angle: 10*t\n    joint: hinge\n", ""), ("kinematics", "cycle_spectrum")],
            13,
            "analyses.turn.kind",
            "add a drive",
        ),
        ([("kind: kinematics", "kind: cycle_spectrum")], 17, "analyses.turn.kind", "give at least one a mesh"),
        (
            [("kind: kinematics", "kind: cycle_spectrum\n    body: crank")],
            18,
            "analyses.turn.body",
            "body crank is rigid and has no deformation; name one with a mesh",
        ),
    ],
)
def test_a_mechanism(changes: list[tuple[str, str]], line: int, field: str, words: str) -> None:
    try:
        case_of(CRANK, *changes)
    except InputError as error:
        found, code = str(error).splitlines(), error.exit_code  # refused where it is read, by both
    else:
        found, code = told(CRANK, *changes)
    assert found[0].startswith(f"case.yaml:{line}: {field}: ")
    assert words in found[0]
    assert code in (2, 3)


def test_a_loop_that_cannot_close_is_told_at_its_joint() -> None:
    """A rod of 0.1 m between a point that is at most 1 m from the origin and one that is 2 m away."""
    rod = "  gap: {rod: [ground.P, crank.B], length: 0.1}\ndrives:"
    found, code = told(CRANK, ("drives:", rod), ("angle: 10*t", "angle: 1"))
    assert code == 3
    assert re.match(r"case.yaml:\d+: (joints.(gap|hinge)|drives.motor): the linkage cannot be assembled", found[0])
    assert "check the lengths of the links" in found[0]


@pytest.mark.parametrize(
    "kind",
    [
        "{kind: modes, motion: {spin: 3}}",
        "matrices",
        "mode_comparison",
        "reduction",
        "{kind: frequency_response, motion: {spin: 3}, frequencies: {end: 5}, loads: [{force: [0, 1], on: B}], "
        "sensors: {s: {on: 1}}}",
        "{kind: run_up, end: 5, acceleration: 1, loads: [{unbalance: 1, on: B}], sensors: {s: {on: B}}}",
        "{kind: statics, motion: {spin: 3}}",
    ],
)
def test_analyses_of_deformation_in_a_case_of_rigid_bodies(kind: str) -> None:
    """These ended in an internal error."""
    entry = kind if kind.startswith("{") else f"{{kind: {kind}}}"
    text = CRANK[: CRANK.index("analyses:")] + f"analyses:\n  first: {entry}\n"
    with pytest.raises(
        InputError, match=r"case.yaml:16: analyses.first.kind: \w+ is about the deformation of a body"
    ):
        case_of(text)
    with pytest.raises(InputError, match="give one a mesh and a material, or ask for kinematics, joint_forces or"):
        case_of(text)


def test_a_rigid_body_is_not_called_unknown() -> None:
    text = CRANK[: CRANK.index("analyses:")] + "analyses:\n  first:\n    kind: modes\n    body: crank\n"
    with pytest.raises(
        InputError, match=r"case.yaml:18: analyses.first.body: body 'crank' is rigid, and modes is"
    ):
        case_of(text)


def test_a_period_alone_on_a_body() -> None:
    with pytest.raises(InputError, match=r"case.yaml:11: analyses.first.period: a period alone is that of a mech"):
        case_of(BEAM, ("kind: modes\n    count: 2", "kind: stability\n    period: 1 s"))
    with pytest.raises(InputError, match="give loads or a frame that repeat after it, or a speed for a rotor"):
        case_of(BEAM, ("kind: modes\n    count: 2", "kind: stability\n    period: 1 s"))


def test_a_rolling_disc_that_lies_flat() -> None:
    """Its axis along the normal: no point of the rim is the lowest one."""
    found, code = told(DISC)
    assert code == 2
    assert found[0].startswith("case.yaml:7: joints.roll: roll has no meaning at the start: its disc lies flat")
    assert "give a start in which it stands, or another axis or normal" in found[0]


@pytest.mark.parametrize(
    "entry",
    [
        "{kind: modes}",
        "{kind: transient, duration: 1, steps: 2}",
        "{kind: campbell, speeds: {end: 5}}",
        "{kind: statics, second_order: true}",
        "{kind: crosscheck}",
    ],
)
def test_everything_clamped(entry: str) -> None:
    """The message said "ask for 1 to 0"."""
    text = BEAM[: BEAM.index("analyses:")].replace("clamp: start", "clamp: all")
    found, code = told(f"{text}analyses:\n  first: {entry}\n")
    assert code == 2
    assert found[0].startswith("case.yaml:6: bodies.beam.supports: the supports of body beam hold everything")
    assert "leave one of them out, or divide the body into more elements" in found[0]


def test_planar_angular_velocity_is_one_number() -> None:
    """It was refused as no list, then as too short a one: ω = 2.1 rad/s about z."""
    case = case_of(BEAM, ("supports:", "motion: {angular_velocity: 2.1}\n    supports:"))
    assert case.built.laws["beam"].at(0.0).angular_velocity.tolist() == [0.0, 0.0, 2.1]
    start = case_of(CRANK, ("analyses:", "start:\n  crank: {angular_velocity: 2.1}\nanalyses:")).system().start
    assert start["crank"].angular_velocity.tolist() == [0.0, 0.0, 2.1]


def test_a_spatial_body_in_a_planar_system() -> None:
    """A body of solid elements cannot move in the plane only."""
    text = CRANK.replace("revolute: [ground.O, crank.A]", "revolute: [ground.O, crank.left]")
    start, end = text.index("    mass:"), text.index("ground:")
    block = "    mesh: {block: {lengths: [1, 0.1, 0.1], divisions: [2, 1, 1]}}\n    material: steel\n"
    text = text[:start] + block + text[end:]
    found, code = told(text, ("kind: kinematics", "kind: joint_forces"))
    assert code == 2
    assert found[0].startswith(
        "case.yaml:7: joints.hinge: hinge cannot hold while the bodies move in the x–y plane"
    )
    assert "use space: spatial" in found[0]
    notes = [notice for notice in case_of(text).doubts() if "deforms in space" in notice]
    assert notes == [
        "body crank deforms in space, and the system is planar: its frame stays in the x–y plane; use "
        "space: spatial at the top of the case, or space: planar for the body"
    ]


def test_errors_of_all_analyses_are_told_at_once() -> None:
    more = "  other: {kind: rigid_motion, duration: 1, relative_tolerance: 10}\n"
    with pytest.raises(InputError) as caught:
        check_case(case_of(CRANK + more, ("samples: 3", "samples: 3\n    branch: 7")))
    fields = [line.split(": ")[1] for line in str(caught.value).splitlines()]
    assert fields == ["analyses.turn.branch", "analyses.other.relative_tolerance"]


@pytest.mark.parametrize("name", ["andrews", "four_bar", "jeffcott", "mathieu", "reduced_beam", "rolling_disc"])
def test_examples_pass(name: str) -> None:
    check_case(ff.load_case(example_paths()[name]))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(example_paths()))
def test_every_example_passes(name: str) -> None:
    check_case(ff.load_case(example_paths()[name]))


# ---------------------------------------------------------------------- what is only doubted


@pytest.mark.parametrize(("angle", "doubted"), [("90", True), ("90 deg", False), ("1.5", False), ("-45", True)])
def test_an_angle_without_a_unit(angle: str, doubted: bool) -> None:
    """More than one turn in radians was meant in degrees."""
    case = case_of(CRANK, ("analyses:", f"start:\n  crank: {{angle: {angle}}}\nanalyses:"))
    found = [notice for notice in case.doubts() if "has no unit" in notice]
    assert len(found) == doubted
    if doubted:
        assert found[0].startswith(f"line 16: start.crank.angle: {angle} has no unit and is taken as radians")
        assert found[0].endswith(f"write {angle} deg if degrees are meant")


@pytest.mark.parametrize(("length", "doubted"), [("320", True), ("320 mm", False)])
def test_a_mesh_in_millimetres(length: str, doubted: bool) -> None:
    case = case_of(BEAM, ("length: 1 m", f"length: {length}"))
    found = [notice for notice in case.doubts() if "largest dimension" in notice]
    assert len(found) == doubted
    if doubted:
        assert found[0] == ("body beam: the largest dimension is 320 m, usual is 0.0001 to 150 m; was mm meant?")


# ---------------------------------------------------------------------- where a check ends


def test_a_check_ends_where_work_begins() -> None:
    done = []
    with only_checked():
        with only_checked():
            begin_work()
            done.append("inner")
        done.append("between")
        assert checking()
        begin_work()
        done.append("outer")
    assert done == ["between"]
    assert not checking()
    begin_work()  # outside nothing happens


@pytest.mark.parametrize("way", ["modes", "transient"])
def test_a_check_solves_nothing(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts that take time are taken away."""
    monkeypatch.setattr("flexframe.analyses.modes.analysis.eigenpairs", None)
    monkeypatch.setattr("flexframe.analyses.transient.analysis.FollowedStress", None)
    entry = {"modes": "kind: modes", "transient": "kind: transient\n    duration: 1\n    steps: 9"}[way]
    case = case_of(BEAM, ("kind: modes\n    count: 2", entry))
    check_case(case)
    with pytest.raises(TypeError):
        run_case(case)
