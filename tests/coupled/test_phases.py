"""A motion that goes on where another one ended: in one piece or in phases, and with other joints."""

from pathlib import Path

import numpy as np
import pytest
from tests.rounding import rounding

import flexframe as ff
from flexframe.cases.case import load_case
from flexframe.cases.run import run_case
from flexframe.errors import FlexframeError

G = 9.81
TIP = {"tip": ff.sensors.MarkerSensor("position", "arm.end", along=(0.0, 1.0))}


def swinging(torque: str = "3*sin(5*t)") -> ff.System:
    """An elastic arm on a hinge, with a controller that has a state."""
    arm = ff.Body.beam("arm", length=0.8, divisions=4, section=ff.Rectangle(0.02, 0.01), material=ff.STEEL)
    return ff.System(
        [arm],
        [ff.Revolute("A", "ground", "arm.start")],
        loads=[ff.SystemGravity(), ff.loads.Actuator("motor", "ground", "arm.start", "u")],
        controllers=[ff.controllers.TransferFunction("u", torque, (1.0,), (0.05, 1.0))],
    )


def test_two_phases_are_the_motion_in_one_piece() -> None:
    """From the end of a motion of 0.3 s another one of 0.2 s: bodies, deformation, controllers and time go on."""
    options = {"tolerance": 1e-10, "sensors": TIP, "initial_deformation": "undeformed"}
    whole = ff.simulate(swinging(), duration=0.5, samples=6, **options)
    first = ff.simulate(swinging(), duration=0.3, samples=4, **options)
    del options["initial_deformation"]
    second = ff.simulate(swinging(), duration=0.2, samples=3, after=first, **options)
    np.testing.assert_allclose(second.times, [0.3, 0.4, 0.5], rtol=rounding(10))
    # errors of some hundred steps of 1e-10 of the arm's 0.8 m
    np.testing.assert_allclose(second.sensors["tip"].values, whole.sensors["tip"].values[3:], atol=1e-7)
    np.testing.assert_allclose(second.sensors["u"].values, whole.sensors["u"].values[3:], atol=1e-7)
    assert second.start.words == "goes on where another motion ended, at t = 0.3 s"
    assert not second.start.notices


def test_another_basis_carries_the_deformation() -> None:
    """A sensor more gives the arm another basis: its tip is where it was, to what the basis leaves out."""
    first = ff.simulate(swinging(), duration=0.3, samples=2, tolerance=1e-9, sensors=TIP)
    more = {**TIP, "middle": ff.sensors.MarkerSensor("position", "arm.2", along=(0.0, 1.0))}
    second = ff.simulate(swinging(), duration=0.1, samples=2, tolerance=1e-9, sensors=more, after=first)
    assert second.sensors["tip"].values[0] == pytest.approx(first.sensors["tip"].values[-1], abs=1e-6)


def test_a_joint_that_opens() -> None:
    """A pendulum let go at its lowest point flies on as a stone does, with the velocity that it had."""
    rod = ff.RigidBody.rod("rod", length=0.6, mass=1.0)
    centre = {"c": ff.sensors.MarkerSensor("position", "rod.centre")}
    rod = ff.RigidBody("rod", 1.0, 0.03, centre=(0.3, 0.0), points={"centre": (0.3, 0.0)})
    held = ff.System(
        [rod],
        [ff.Revolute("A", "ground", "rod")],
        loads=[ff.SystemGravity()],
        sensors={"angle": ff.sensors.RotationSensor("angle", "rod")},
        events=[ff.controllers.Event("lowest", "angle + pi/2", stop=True)],
    )
    swing = ff.simulate(held, duration=2.0, tolerance=1e-11, samples=11, sensors=centre)
    free = ff.System([rod], loads=[ff.SystemGravity()])
    flight = ff.simulate(free, duration=0.4, tolerance=1e-11, samples=5, sensors=centre, after=swing)
    t = flight.times - swing.times[-1]
    inertia = 0.03 + 0.3**2
    speed = 0.3 * np.sqrt(2 * G * 0.3 / inertia)  # horizontally, by the energy of the fall
    expected = np.stack([-speed * t, -0.3 - 0.5 * G * t**2], axis=1)
    np.testing.assert_allclose(flight.sensors["c"].values[:, :2], expected, atol=1e-8)


def test_other_bodies_are_refused() -> None:
    first = ff.simulate(swinging(), duration=0.01, tolerance=1e-6, samples=2)
    ball = ff.System([ff.RigidBody("ball", 1.0, 1.0)])
    with pytest.raises(ff.InputError, match="other bodies"):
        ff.simulate(ball, duration=0.1, tolerance=1e-6, after=first)


CASE = """
bodies:
  ram: {mass: 2 kg}
joints:
  guide: {prismatic: [ground, ram], axis: [1, 0]}
start:
  ram: {velocity: [1 m/s, 0]}
sensors:
  x: {position: ram, along: [1, 0]}
loads:
  push: {force: ["2*t", 0], on: ram}
events:
  there: {when: x - 0.5, passage: growing, stop: true}
analyses:
  approach: {kind: transient, duration: 2 s, step: 1 ms}
  press: {kind: transient, duration: 0.3 s, tolerance: 1e-9, samples: 4, after: AFTER}
"""


def test_phases_of_a_case(tmp_path: Path) -> None:
    """m ẍ = 2 t from 1 m/s: x = t + t³/6, also after the event at which the first phase ends."""
    path = tmp_path / "case.yaml"
    path.write_text(CASE.replace("AFTER", "approach"), encoding="utf-8")
    found = run_case(load_case(path)).records
    end = found["approach"].times[-1]
    assert found["approach"].events[-1].ends
    np.testing.assert_allclose(found["press"].times, end + np.array([0.0, 0.1, 0.2, 0.3]), rtol=1e-9)
    t = found["press"].times
    np.testing.assert_allclose(found["press"].sensors["x"].values, t + t**3 / 6, atol=1e-6)  # of steps of 1 ms


@pytest.mark.parametrize(("after", "words"), [("aproach", "did you mean 'approach'"), ("press", "unknown motion")])
def test_what_cannot_be_followed_is_refused_at_its_field(after: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    path.write_text(CASE.replace("AFTER", after), encoding="utf-8")
    with pytest.raises(FlexframeError) as error:
        load_case(path)
    assert "case.yaml:16: analyses.press.after: " in str(error.value)
    assert words in str(error.value)
