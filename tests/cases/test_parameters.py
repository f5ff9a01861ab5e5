"""Named parameters: in every sort of field, with units, changed from outside, and refused with a remedy."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.cases.sample_cases import PLATE
from tests.rounding import ROUNDING

from flexframe.cases.case import Case, parse_case
from flexframe.cases.run import run_case
from flexframe.cases.source import parse_yaml
from flexframe.cli import app
from flexframe.entries import quantities as q
from flexframe.entries.motions import FormulaMotionEntry
from flexframe.entries.parameters import Parameters, field_value, read_parameters, reading_with
from flexframe.entries.problems import Problems
from flexframe.entries.quantities import Dimension
from flexframe.errors import InputError

Parse = Callable[..., Case]
Found = Callable[..., list[str]]

CRANK = """\
parameters:
  period: turns*2*pi/speed
  speed: 150 rad/s
  turns: 2
  length: 300 mm
  wall: 8 mm
  parts: 6
  mass_per_length: 0.5 kg/m
  load: 20 N
  tilt: 30 deg
ground: {A: [0, 0]}
bodies:
  crank: {mass: mass_per_length*length/2, inertia: 0.36 kg*(length/2)^2/3, centre: [length/4, 0],
          points: {A: [0, 0], B: [length/2, 0]}}
  rod:
    mesh: {line: {length: length, divisions: 2*parts}}
    material: steel
    section: {rectangle: {width: wall, height: wall + 2 mm}}
    supports: [{pin: start}, {roller: end, direction: [0, 1]}]
    loads: [{force: [0, -load/2], on: end}, {force: [0, load], on: [length/2, 0]}]
start:
  rod: {position: [length/2, 0], angle: -tilt}
joints:
  A: {revolute: [ground.A, crank.A]}
  B: {revolute: [crank.B, rod.start]}
  C: {point_on_line: [ground.A, rod.end], axis: [1, 0]}
drives:
  motor: {angle: tilt + speed*t, joint: A}
analyses:
  turn: {kind: kinematics, duration: period, samples: 60*turns + 1}
"""


def test_every_sort_of_field_takes_them(parse: Parse) -> None:
    """Quantities, vectors, counts, points and formulas have the values worked out by hand."""
    case = parse(CRANK)
    rod, crank = case.document.bodies["rod"], case.document.bodies["crank"]
    assert rod.mesh.line.length == 0.3 and rod.mesh.line.divisions == 12  # type: ignore[union-attr]
    assert rod.section.rectangle.height == pytest.approx(0.01, rel=ROUNDING)  # type: ignore[union-attr]
    assert rod.loads[0].force == (0.0, -10.0) and rod.loads[1].on == (0.15, 0.0, 0.0)  # type: ignore[union-attr]
    assert crank.mass == pytest.approx(0.075, rel=ROUNDING)  # type: ignore[union-attr]
    assert crank.inertia == pytest.approx(0.36 * 0.15**2 / 3, rel=ROUNDING)  # type: ignore[union-attr]
    assert crank.points["B"] == (0.15, 0.0, 0.0)  # type: ignore[union-attr]
    assert case.document.start["rod"].angle == pytest.approx(-math.pi / 6, rel=ROUNDING)
    turn = case.analyses["turn"]
    assert turn.samples == 121  # type: ignore[attr-defined]
    assert turn.duration == pytest.approx(4 * math.pi / 150, rel=ROUNDING)  # type: ignore[attr-defined]
    assert case.parameters.unused_names() == ()


def test_formulas_of_time_stay_exact(parse: Parse) -> None:
    """amplitude·sin(ωt) with its two derivatives; the tape holds numbers, so that compiled loops see no names."""
    text = PLATE.replace("title: Plate", "parameters: {amplitude: 20 mm, speed: 90 rpm, grow: 3 rad/s^2}")
    motion = "    motion: {angle: speed*t + grow*t^2/2, path: [amplitude*sin(speed*t), '0']}\nanalyses:"
    entry = parse(text.replace("analyses:", motion)).document.meshed_bodies["plate"].motion
    assert isinstance(entry, FormulaMotionEntry) and entry.path is not None and entry.angle is not None
    speed, times = 3 * math.pi, np.linspace(0.0, 2.0, 7)
    value, rate, acceleration = entry.path[0].jet(times)
    np.testing.assert_allclose(value, 0.02 * np.sin(speed * times), rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(rate, 0.02 * speed * np.cos(speed * times), rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(acceleration, -0.02 * speed**2 * np.sin(speed * times), rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(entry.angle.jet(times)[2], 3.0, rtol=ROUNDING)
    assert entry.path[0].variables == ("t",)
    assert entry.path[0].constants == (("amplitude", 0.02), ("speed", speed))


def test_equal_texts_of_other_parameters_are_other_formulas(parse: Parse) -> None:
    text = PLATE.replace("title: Plate", "parameters: {speed: 90 rpm}")
    text = text.replace("analyses:", "    motion: {angle: speed*t}\nanalyses:")
    slow, fast = (parse(text, *more).document.meshed_bodies["plate"].motion for more in ((), ("speed=2",)))
    assert slow != fast


PARAMETERS = {
    "length": "300 mm",
    "width": "20 mm",
    "speed": "150 rad/s",
    "stiffness": "2 kN/m",
    "mass": "500 g",
    "ratio": 0.5,
    "n": 3,
    "f": "20 Hz",
    "rod": "40 cm",
    "depth": "rod/4",
}


def known() -> Parameters:
    problems = Problems("case.yaml", parse_yaml("a: 1", "case.yaml"))
    found = read_parameters(PARAMETERS, PARAMETERS, problems)
    problems.raise_if_any()
    return found


@pytest.mark.parametrize(
    ("text", "dimension", "expected"),
    [
        ("length", q.LENGTH, 0.3),
        ("-length", q.LENGTH, -0.3),
        ("0.5*length", q.LENGTH, 0.15),
        ("length/20", q.LENGTH, 0.015),
        ("width + 2 mm", q.LENGTH, 0.022),
        ("length - 3*width/2", q.LENGTH, 0.27),
        ("length * width", q.AREA, 0.006),
        ("width^3*length/12", q.AREA_MOMENT, 2e-7),
        ("(2 mm)^2", q.AREA, 4e-6),
        ("2 mm^2 + width*1 mm", q.AREA, 2.2e-5),
        ("length/2 mm", q.PURE, 150.0),
        ("10 N/length", q.FORCE_PER_LENGTH, 10 / 0.3),
        ("10 N m/length", q.FORCE, 10 / 0.3),
        ("2*pi/speed", q.TIME, 2 * math.pi / 150),
        ("1/speed", q.TIME, 1 / 150),
        ("sqrt(stiffness/mass)", q.ANGULAR_VELOCITY, math.sqrt(4000.0)),
        ("(stiffness/mass)^0.5", q.ANGULAR_VELOCITY, math.sqrt(4000.0)),
        ("mass*9.81 m/s^2", q.FORCE, 4.905),
        ("mass*9.81 m/s²", q.FORCE, 4.905),
        ("speed + 30 rpm", q.ANGULAR_VELOCITY, 150 + math.pi),
        ("speed + 0.5 1/s", q.ANGULAR_VELOCITY, 150.5),
        ("atan2(width, length)", q.ANGLE, math.atan2(0.02, 0.3)),
        ("sin(30 deg)*length", q.LENGTH, 0.15),
        ("30° + 15 deg", q.ANGLE, math.pi / 4),
        ("max(width, length, 1 cm)", q.LENGTH, 0.3),
        ("length*(1 - ratio)", q.LENGTH, 0.15),
        ("1 - width/length", q.PURE, 1 - 0.02 / 0.3),
        ("5 %*length", q.LENGTH, 0.015),
        ("ratio", q.LENGTH, 0.5),
        ("2*ratio", q.STRESS, 1.0),
        ("pi/2", q.ANGLE, math.pi / 2),
        ("2^-n", q.PURE, 0.125),
        ("f", q.ANGULAR_VELOCITY, 40 * math.pi),
        ("-f", q.ANGULAR_VELOCITY, -40 * math.pi),
        ("f", q.RATE, 20.0),
        ("f + 2 Hz", q.ANGULAR_VELOCITY, 44 * math.pi),
        ("2*rod", q.LENGTH, 0.8),
        ("depth", q.LENGTH, 0.1),
        ("3 inch + width", q.LENGTH, 0.0962),
        ("5 µm + width", q.LENGTH, 0.020005),
        ("2 · width", q.LENGTH, 0.04),
        ("3 mm", q.LENGTH, 0.003),
    ],
)
def test_values(text: str, dimension: Dimension, expected: float) -> None:
    """Worked out by hand; a few roundings."""
    with reading_with(known()):
        assert field_value(text, dimension) == pytest.approx(expected, rel=1e-14)


def test_sums_of_decimals_leave_no_round_off() -> None:
    """0.15 + 0.3 in floating point is 0.44999999999999996; the sum of 150 mm and 300 mm must be a round number."""
    with reading_with(known()):
        assert field_value("length + 150 mm", q.LENGTH) == 0.45


@pytest.mark.parametrize(
    ("text", "dimension", "words"),
    [
        ("2*pi/speed", q.LENGTH, ("is a time, but a length is expected", "20 mm")),
        ("1/4 m", q.LENGTH, ("is in m^-1, but a length is expected",)),
        ("length*length", q.LENGTH, ("is an area, but a length is expected",)),
        ("width/length", q.LENGTH, ("is a plain number, but a length is expected",)),
        ("width + 2", q.LENGTH, ("a length and a plain number cannot be added; give 2 a unit",)),
        ("width + speed", q.LENGTH, ("a length and an angular velocity cannot be added",)),
        ("max(width, 1 s)", q.LENGTH, ("a length and a time cannot be compared",)),
        ("sin(width)", q.PURE, ("sin of a length has no meaning",)),
        ("2^width", q.PURE, ("an exponent is a length",)),
        ("width^99", q.LENGTH, ("to the power 99",)),
        (
            "lenght/2",
            q.LENGTH,
            ("'lenght' is not a parameter (did you mean 'length'?)", "known are length, width"),
        ),
        ("1/sped", q.TIME, ("did you mean 'speed'",)),
        ("2 widht", q.LENGTH, ("did you mean 'width'",)),
        ("2 width", q.LENGTH, ("an operator is missing before 'width'; write * width",)),
        ("2*t", q.LENGTH, ("'t' is the time",)),
        ("length*mm", q.LENGTH, ("'mm' is a unit and stands after a number; write 1 mm",)),
        ("length +", q.LENGTH, ("the formula ends too early",)),
        ("length; import os", q.LENGTH, ("the character ';' is not known",)),
        ("__import__('os')", q.LENGTH, ("not a length",)),
        ("length/0", q.LENGTH, ("is not a finite number",)),
        ("length*1e80", q.LENGTH, ("too large",)),
        ("2*f", q.ANGULAR_VELOCITY, ("Hz could mean turns or radians", "rad/s or rpm")),
        ("1/f", q.TIME, ("Hz could mean turns or radians",)),
        ("f + speed", q.ANGULAR_VELOCITY, ("Hz could mean turns or radians",)),
        ("2 mm^2^2", q.LENGTH, ("could be that of the unit or of all; put parentheses",)),
        ("5 A*length", q.LENGTH, ("not a mechanical unit",)),
        ("(" * 60 + "length" + ")" * 60, q.LENGTH, ("nesting is deeper",)),
        ("length" + "+length" * 400, q.LENGTH, ("too long",)),
    ],
)
def test_refusals(text: str, dimension: Dimension, words: tuple[str, ...]) -> None:
    with reading_with(known()), pytest.raises(InputError) as caught:
        field_value(text, dimension)
    for word in words:
        assert word in str(caught.value)


def with_parameters(*lines: str) -> str:
    return PLATE.replace("title: Plate", "\n".join(["parameters:", *(f"  {line}" for line in lines)]))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["a: b", "b: 2*c", "c: a + 1"], "case.yaml:2: parameters.a: is computed from itself (a → b → c → a)"),
        (["a: a"], "case.yaml:2: parameters.a: is computed from itself (a → a); give one of them a value"),
        (["m: 3 kg"], "case.yaml:2: parameters.m: is the name of a unit; choose another, such as mass"),
        (["kN: 3"], "case.yaml:2: parameters.kN: is the name of a unit; choose another, such as kN_value"),
        (["t: 3"], "parameters.t: is the name of the time in formulas; choose another, such as thickness"),
        (["pi: 3"], "parameters.pi: is the name of a constant"),
        (["sin: 3"], "parameters.sin: is the name of a function"),
        (["2a: 3"], "parameters.2a: cannot be the name of a parameter; use letters a to z, digits and _"),
        (["crank length: 3"], "parameters.crank length: cannot be the name of a parameter"),
        (["a: [1, 2]"], "parameters.a: a list is no value; give a number, a text with a unit, or an expression"),
        (["a: true"], "parameters.a: true is no value"),
        (["a:"], "parameters.a: nothing is no value"),
        (["a: 3 mn"], "case.yaml:2: parameters.a: '3 mn': the unit 'mn' is unknown"),
        (["speed: 1 m", "b: 1/sped"], "case.yaml:3: parameters.b: '1/sped': the unit 'sped' is unknown"),
        (["a: 1 m + 2 s"], "parameters.a: '1 m + 2 s': a length and a time cannot be added"),
        (["speed: 0", "a: 1/speed"], "parameters.a: '1/speed': inf is not a finite number"),
    ],
)
def test_parameters_that_cannot_be(problems: Found, lines: list[str], message: str) -> None:
    found = problems(with_parameters(*lines))
    assert len(found) == 1 and message in found[0]


def test_all_wrong_parameters_are_told_at_once(problems: Found) -> None:
    """One line each; what is computed from a refused one is not told again."""
    found = problems(with_parameters("a: 3 mn", "b: 2*a", "c: widht/2", "width: 3"))
    assert found[0].startswith("case.yaml:2: parameters.a: ")
    assert found[1] == (
        "case.yaml:4: parameters.c: 'widht/2': 'widht' is not a parameter (did you mean 'width'?); "
        "known are a, b, width"
    )
    assert len(found) == 2


def test_wrong_sections(problems: Found) -> None:
    assert "parameters: 3 is given where names are expected" in problems(PLATE + "parameters: 3\n")[0]


def test_wrong_fields_are_told_with_line_field_and_remedy(problems: Found) -> None:
    text = with_parameters("speed: 150 rad/s", "offset: -5 mm", "n: 3")
    assert problems(text, "bodies.plate.thickness=2*pi/speed", "analyses.vibration.count=n/2") == [
        "case.yaml:9: bodies.plate.thickness: '2*pi/speed' is a time, but a length is expected; "
        "give a number in m or a text with a unit such as 20 mm",
        "case.yaml:15: analyses.vibration.count: 'n/2' gives 1.5, which is not a whole number; "
        "change the expression",
    ]
    (sign,) = problems(text, "bodies.plate.thickness=offset")
    assert sign.endswith("bodies.plate.thickness: is offset = -0.005 m; give a value that is positive")
    (unknown,) = problems(PLATE, "bodies.plate.thickness=wall/2")
    assert "'wall' is not known; declare it at the top of the case, as in 'parameters: {wall: …}'" in unknown
    (hz,) = problems(with_parameters("f: 3 Hz"), "bodies.plate.motion={angle: f*t}")
    assert "'f' is in Hz, which could mean turns or radians in a formula; give it in rad/s or rpm" in hz
    (slip,) = problems(text, "bodies.plate.motion={angle: sped*t}")
    assert "the name 'sped' is not known; did you mean speed?" in slip


def test_names_of_other_things_are_not_expressions(parse: Parse) -> None:
    """Sets, bodies and materials keep their names beside parameters of the same name."""
    case = parse(with_parameters("left: 3", "right: 2", "plate: 1", "steel: 5", "vibration: 1"))
    assert case.bodies()["plate"].supports[0].on == "left"
    assert set(case.parameters.unused_names()) == {"left", "right", "plate", "steel", "vibration"}


def test_long_chains_are_evaluated(parse: Parse) -> None:
    """Each needs the one before; order in the file does not matter, nor does their number."""
    chain = [f"p{k}: p{k - 1} + 1 mm" for k in range(2000, 0, -1)]
    case = parse(with_parameters(*chain, "p0: 1 mm"), "bodies.plate.thickness=p2000")
    assert case.document.meshed_bodies["plate"].thickness == pytest.approx(2.001, rel=1e-12)


# ---------------------------------------------------------------------- from outside

WALL = with_parameters("wall: 5 mm", "twice: 2*wall").replace("thickness: 5 mm", "thickness: twice")


@pytest.mark.parametrize(
    ("setting", "thickness"),
    [
        ("parameters.wall=7 mm", 0.014),
        ("wall=7 mm", 0.014),
        ("wall=0.007", 0.014),
        ("parameters.wall=0.3 cm + 4 mm", 0.014),
        ("twice=wall + 9 mm", 0.014),
    ],
)
def test_set(parse: Parse, setting: str, thickness: float) -> None:
    """By path or by name; a plain number is in the SI unit that the file's value has."""
    case = parse(WALL, setting)
    assert case.document.meshed_bodies["plate"].thickness == pytest.approx(thickness, rel=ROUNDING)
    assert case.parameters.found["twice"].measured.unit == "m"


def test_settings_that_do_not_fit(problems: Found) -> None:
    assert problems(WALL, "wall=3 s") == [
        "case.yaml:2: parameters.wall: '3 s': this is a time, but the case file gives a length; "
        "give a number in m or a text with such a unit"
    ]
    assert problems(WALL, "wal=3 mm") == [
        "case.yaml: --set wal=3 mm: there is no field or parameter 'wal' (did you mean 'wall'?); "
        "known are wall, twice"
    ]
    (far,) = problems(WALL, "height=3 mm")
    assert "height: unknown field" in far


def test_a_field_goes_before_a_parameter_of_its_name(parse: Parse) -> None:
    case = parse(with_parameters("title: 3 mm") + "title: Plate\n", "title=Other")
    assert case.title == "Other" and case.parameters.found["title"].given == "3 mm"


def test_matrices_are_shared_only_where_parameters_leave_the_body_alone(parse: Parse) -> None:
    """A sweep takes over the matrices of a body from the case before, but not when a parameter changed it."""
    moving = WALL.replace("  wall:", "  speed: 3 rad/s\n  wall:")
    moving = moving.replace("analyses:", "    motion: {spin: speed}\nanalyses:")
    first, faster, thicker = parse(moving), parse(moving, "speed=5"), parse(moving, "wall=6 mm")
    first.discrete("plate")
    faster.adopt(first)
    thicker.adopt(first)
    assert faster.discrete("plate") is first.discrete("plate")
    assert thicker.discrete("plate") is not first.discrete("plate")


# ---------------------------------------------------------------------- what is told


def test_summary_and_check(parse: Parse, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = with_parameters("wall: 5 mm", "speed: 600 rpm", "period: 2*pi/speed", "f: 20 Hz", "share: 0.5")
    text = text.replace("thickness: 5 mm", "thickness: wall")
    told = run_case(parse(text)).summary()["parameters"]
    assert told["wall"] == {"value": 0.005, "unit": "m", "given": "5 mm"}
    assert told["speed"] == {"value": pytest.approx(20 * math.pi), "unit": "rad/s", "given": "600 rpm"}
    assert told["period"] == {"value": pytest.approx(0.1), "unit": "s", "given": "2*pi/speed"}
    assert told["f"] == {"value": 20.0, "unit": "Hz", "given": "20 Hz"}
    assert told["share"] == {"value": 0.5, "unit": "", "given": "0.5"}
    assert "parameters" not in run_case(parse(PLATE)).summary()
    path = tmp_path / "case.yaml"
    path.write_text(text, encoding="utf-8")
    app(["check", str(path)], standalone_mode=False)
    printed = capsys.readouterr().out
    assert "parameter wall: 5 mm = 0.005 m\n" in printed
    assert "parameter period: 2*pi/speed = 0.1 s\n" in printed
    assert "note: parameter period is not used; use it, or remove it from parameters\n" in printed
    assert "parameter wall is not used" not in printed
    app(["check", str(path), "--json"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out)["parameters"]["wall"]["value"] == 0.005


def test_stability_has_them_beside_its_own(parse: Parse) -> None:
    """Parameters of the analysis go before those of the case, and may be given by them with a unit."""
    text = """
    parameters: {load: 20 N, w: 30 rad/s, turns: 2}
    bodies:
      beam:
        mesh: {line: {length: 1, divisions: 2}}
        material: steel
        section: {rectangle: {width: 1 cm, height: 1 cm}}
        supports: [{clamp: start}]
    analyses:
      a: {kind: stability, period: turns*2*pi/w, parameters: {P: load, w: 40},
          loads: [{on: end, force: [P*cos(w*t)/turns, '0']}]}
    """
    entry = parse(text).analyses["a"]
    excitation = entry.excitation({"P": 10.0})  # type: ignore[attr-defined]
    assert excitation.period == pytest.approx(2 * 2 * math.pi / 40, rel=ROUNDING)
    times = np.array([0.0, 0.1])
    np.testing.assert_allclose(excitation.forces[0].force(times)[:, 0], 5 * np.cos(40 * times), rtol=1e-14)


def test_studio_checks_them(tmp_path: Path) -> None:
    from flexframe.studio.case_process import answer

    request = {"name": "case.yaml", "folder": str(tmp_path), "text": WALL, "task": "check"}
    assert answer(request)["valid"] is True
    wrong = answer({**request, "text": WALL.replace("thickness: twice", "thickness: twicee")})
    (problem,) = wrong["problems"]
    assert (problem["line"], problem["field"]) == (8, "bodies.plate.thickness")
    assert "did you mean 'twice'" in problem["message"]


def test_files_stay_confined(tmp_path: Path) -> None:
    """A parameter is never part of a path."""
    text = with_parameters("part: 3").replace(
        "{rectangle: {length: 0.4, height: 0.1, divisions: [4, 1]}}", "{file: part}"
    )
    with pytest.raises(InputError, match="part"):
        parse_case(text, file="case.yaml", folder=tmp_path, confined=True)


def test_thousands_of_chained_parameters_are_read() -> None:
    """Each is read once, by those before it: a count of readings that grew with the square would not end."""
    count = 4000
    chain = {"p0": 1} | {f"p{i}": f"p{i - 1} + 1" for i in range(1, count)}
    read = read_parameters(chain, chain, Problems("a.yaml", lambda _: None))
    assert read.found[f"p{count - 1}"].measured.value == count
