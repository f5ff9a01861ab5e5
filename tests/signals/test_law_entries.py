"""What a case file may say of tables, forces in formulas and drives that follow a sensor, and what is refused."""

from pathlib import Path

import numpy as np
import pytest
from tests.rounding import rounding

from flexframe.cases.case import load_case
from flexframe.cases.run import run_case
from flexframe.errors import FlexframeError
from flexframe.model.state_laws import Table
from flexframe.model.system_loads import Actuator, MarkerForce, Spring

CASE = """
bodies:
  arm: {{mass: 1 kg, inertia: 0.02 kg m^2}}
  block: {{mass: 2 kg}}
joints:
  axis: {{revolute: [ground, arm]}}
  guide: {{prismatic: [ground, block], axis: [1, 0]}}
drives:
  follow: {{position: {drive}, joint: guide}}
sensors:
  speed: {{angular_velocity: arm, along: [0, 0, 1]}}
  angle: {{angle: arm}}
  pull: {{load_force: motor}}
  push: {{drive: follow}}
controllers:
  u: {{reference: 1 - exp(-t)}}
  target: {{reference: {{polynomial: [0, 2], duration: 1 s, order: 5}}}}
  lead: {{gain: target.rate}}
  torque: {{gain: 0.1*angle, factor: 2}}
  force: {{hold: push, period: 10 ms, unit: N}}
loads:
  motor: {{actuator: [ground, arm], law: {law}}}
  drag: {{on: arm, moment: -0.001*speed}}
  {more}
analyses:
  move: {{kind: transient, duration: 0.5 s, step: 1 ms, samples: 11}}
"""
SPEEDS, THROTTLES = (0.0, 400.0, 1000.0), (0.0, 0.5, 1.0)


def torque(speed: float, throttle: float) -> float:
    return (10.0 - 0.01 * speed) * throttle


def grid() -> str:
    rows = [f"{w},{','.join(str(torque(w, u)) for u in THROTTLES)}" for w in SPEEDS]
    return "\n".join([f"speed,{','.join(map(str, THROTTLES))}", *rows])


def columns() -> str:
    rows = [f"{w};{u};{torque(w, u)}" for u in reversed(THROTTLES) for w in SPEEDS]
    return "\n".join(["# measured", "rpm;throttle;torque", *rows])


LAWS = {
    "grid": "{table: map.csv, inputs: [speed, u], scales: [1 rpm, 1, 1 N m]}",
    "columns": "{table: columns.csv, inputs: [speed, u], scales: [1 rpm, 1, 1 N m]}",
    "inline": "{table: {over: [[0 rpm, 400 rpm, 1000 rpm], [0, 0.5, 1]], "
    "values: [[0, 5 N m, 10 N m], [0, 3, 6], [0, 0, 0]]}, inputs: [speed, u]}",
}


def case(tmp_path: Path, law: str = "2", drive: str = "0.1*t", more: str = ""):  # type: ignore[no-untyped-def]
    (tmp_path / "map.csv").write_text(grid())
    (tmp_path / "columns.csv").write_text(columns())
    path = tmp_path / "case.yaml"
    path.write_text(CASE.format(law=law, drive=drive, more=more), encoding="utf-8")
    return load_case(path)


def refused(tmp_path: Path, **given: str) -> str:
    with pytest.raises(FlexframeError) as error:
        case(tmp_path, **given).system()
    return str(error.value)


@pytest.mark.parametrize("kind", LAWS)
def test_tables_of_two_inputs_are_read(kind: str, tmp_path: Path) -> None:
    """At its points and, since the torque is bilinear, between them; in SI."""
    motor = next(load for load in case(tmp_path, LAWS[kind]).system().loads if load.name == "motor")
    assert isinstance(motor, Actuator)
    assert isinstance(motor.law, Table)
    rpm = np.array([0.0, 300.0, 1000.0, 700.0])
    throttle = np.array([0.5, 0.2, 1.0, 0.9])
    found = motor.law.evaluate(rpm * np.pi / 30, throttle)
    np.testing.assert_allclose(found, (10 - 0.01 * rpm) * throttle, atol=10 * rounding(100))


def test_a_table_of_one_input_is_read(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("angle,torque\n0,0\n90,-3\n180,-4\n")
    law = "{table: one.csv, inputs: angle, scales: [1 deg, 1 N m]}"
    motor = next(load for load in case(tmp_path, law).system().loads if load.name == "motor")
    assert isinstance(motor, Actuator)
    assert isinstance(motor.law, Table)
    np.testing.assert_allclose(motor.law.evaluate(np.radians([0.0, 90.0, 180.0, 270.0])), [0, -3, -4, -4])


def test_a_spring_has_a_table_over_stretch_and_rate(tmp_path: Path) -> None:
    """From a file and in lists, at points of the table: −1000 s − 20 v."""
    (tmp_path / "damper.csv").write_text("mm,-1,0,1\n-10,30,10,-10\n0,20,0,-20\n10,10,-10,-30\n")
    lists = "{over: [-10 mm, 0, 10 mm], rates: [-1, 0, 1], values: [[30, 10, -10], [20, 0, -20], [10, -10, -30]]}"
    for force in ("{table: damper.csv, scales: [1 mm, 1 m/s, 1 N]}", lists):
        more = f"spring: {{spring: [ground, block], axis: [1, 0], force: {force}}}"
        spring = next(load for load in case(tmp_path, more=more).system().loads if load.name == "spring")
        assert isinstance(spring, Spring)
        s, v = np.array([-0.01, 0.0, 0.005]), np.array([1.0, -0.5, 0.25])
        np.testing.assert_allclose(spring.force(s, v), -1000 * s - 20 * v, atol=30 * rounding(100))
        stiffness, damping = spring.slopes(s, v)
        np.testing.assert_allclose(stiffness, 1000.0)
        np.testing.assert_allclose(damping, 20.0)


def test_a_motion_follows_what_the_case_says(tmp_path: Path) -> None:
    """A drive that follows the angle, a held force of it, a moment about z, the rate of a reference, units."""
    found = case(tmp_path, drive="0.3*angle + 0.001*t^2")
    drag = next(load for load in found.system().loads if load.name == "drag")
    assert isinstance(drag, MarkerForce)
    record = run_case(found).records["move"]
    t, inertia = record.times, 0.02 + 2 * 0.3**2
    # (J + m R²) ω̇ = 2 − m R g̈ − c ω
    c, m0 = 0.001, 2 - 2 * 0.3 * 0.002
    speed = m0 / c * (1 - np.exp(-c * t / inertia))
    np.testing.assert_allclose(record.sensors["speed"].values, speed, atol=1e-5)  # of the order h²
    np.testing.assert_allclose(record.sensors["pull"].values, 2.0)
    acceleration = m0 / inertia * np.exp(-c * t / inertia)
    np.testing.assert_allclose(record.sensors["force"].values, 2 * (0.3 * acceleration + 0.002), atol=1e-4)
    assert record.sensors["force"].unit == "N"
    rate = 2 * (30 * t**2 - 60 * t**3 + 30 * t**4)
    np.testing.assert_allclose(record.sensors["lead"].values, rate, atol=1e-12)


def test_a_drive_follows_a_table_of_an_angle_and_the_time(tmp_path: Path) -> None:
    """x = (10 − 0.01 a)(t + 0.1)/100 between the points of a bilinear table, as by a formula."""
    law = "{table: map.csv, inputs: [angle, t + 0.1], scales: [1, 1, 10 mm]}"
    by_table, by_formula = (
        run_case(case(tmp_path, drive=drive)).records["move"] for drive in (law, "(10 - 0.01*angle)*(t + 0.1)/100")
    )
    for name in ("angle", "push"):  # the same equations; the iteration of a step ends at 1e-9 of its forces or so
        found, expected = by_table.sensors[name].values, by_formula.sensors[name].values
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)


def test_the_unit_of_an_output_is_that_of_the_load_that_follows_it(tmp_path: Path) -> None:
    record = run_case(case(tmp_path, law="torque")).records["move"]
    assert record.sensors["torque"].unit == "N m"
    assert record.sensors["u"].unit == ""


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"law": "{table: none.csv, inputs: speed}"}, "none.csv"),
        ({"law": "{table: map.csv, inputs: speed}"}, "map.csv:1: has 4 columns, and a table of 1 input has 2"),
        ({"law": "{table: columns.csv, inputs: [speed, u], scales: [1, 2]}"}, "2 scales are given"),
        ({"law": "{table: map.csv, inputs: [speed, throttel]}"}, "unknown name in a formula 'throttel'"),
        ({"law": "{table: map.csv}"}, "inputs"),
        ({"law": "0.1*push"}, "push is the force of follow, which follows from all other forces"),
        ({"law": "0.1*pull"}, "load motor follows its own force"),
        ({"drive": "0.1*speed"}, "drives.follow.*speed, a speed: that would be a constraint on velocities"),
        ({"drive": "{table: map.csv, inputs: [speed, t]}"}, "drives.follow.*speed, a speed"),
        ({"drive": "{table: map.csv, inputs: [angle, u]}"}, "drives.follow.*u is a controller"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(given: dict[str, str], words: str, tmp_path: Path) -> None:
    import re

    if "own force" in words:
        with pytest.raises(FlexframeError, match=words):
            run_case(case(tmp_path, **given))
        return
    told = refused(tmp_path, **given)
    assert re.search(words, told), told


def test_a_grid_with_a_hole_is_refused_with_the_point(tmp_path: Path) -> None:
    (tmp_path / "hole.csv").write_text("x,y,f\n0,0,1\n0,1,2\n1,0,3\n")
    assert "1, 1 is missing" in refused(tmp_path, law="{table: hole.csv, inputs: [speed, u]}")
    (tmp_path / "twice.csv").write_text("x,y,f\n0,0,1\n0,1,2\n1,0,3\n1,0,4\n")
    assert "twice.csv:5" in refused(tmp_path, law="{table: twice.csv, inputs: [speed, u]}")
