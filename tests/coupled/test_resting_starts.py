"""Motions that start where everything rests: machines settled on their mounts, against closed forms."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.rounding import rounding

from flexframe.cases.case import parse_case
from flexframe.entries.problems import CaseError
from flexframe.errors import AnalysisError, FlexframeError

MASS, INERTIA, STIFF, GRAVITY = 800.0, 450.0, 4e5, 9.81
SAG = MASS * GRAVITY / (2 * STIFF)
BOX = """\
ground: {L: [-1, 0], R: [1, 0]}
bodies:
  box: {mass: 800 kg, inertia: 450 kg m^2, points: {L: [-1, 0], R: [1, 0]}}
loads:
  weight: {gravity: [0, -9.81]}
  left: {bushing: [ground.L, box.L], stiffness: [1e5, 4e5, 0]}
  right: {bushing: [ground.R, box.R], stiffness: [1e5, 4e5, 0]}
MORE
sensors:
  height: {position: box, along: [0, 1]}
analyses:
  run: {kind: transient, duration: 0.5 s, step: 0.5 ms, samples: 101, initial_deformation: at_rest}
"""


@cache
def motion(text, *overrides):
    case = parse_case(text, file="rest.yaml", folder=Path.cwd(), overrides=overrides)
    return case.analyses["run"].run(case)


def box(more: str = "") -> str:
    return BOX.replace("MORE\n", more)


def test_a_box_on_springs_has_settled() -> None:
    """It sinks by mg/2k before the start, and stays there."""
    found = motion(box())
    # equilibria are solved to 1e-13 of the size; 1000 steps add their rounding
    np.testing.assert_allclose(found.sensors["height"].values, -SAG, rtol=rounding(1e3, condition=1e3))
    start = found.summary()["start"]
    assert start["initial_deformation"] == "at_rest"
    assert start["frames_moved_m"] == pytest.approx(SAG, rel=1e-9)
    # the softest motion is sideways or pitching: 2 k_x/m, or 2 k_y l²/J
    softest = min(2 * 1e5 / MASS, 2 * STIFF / INERTIA)
    assert start["smallest_eigenvalue_rad2_s2"] == pytest.approx(softest, rel=1e-6)


def test_without_it_the_weight_drops() -> None:
    found = motion(box(), "analyses.run.initial_deformation=equilibrium", "analyses.run.spectral_radius=1")
    # twice the sag; the period of 0.2 s is followed by 400 steps
    assert found.sensors["height"].values.min() == pytest.approx(-2 * SAG, rel=1e-3)


def test_described_velocities_are_kept() -> None:
    """A push of 0.3 m/s makes it swing about the position at rest: v/ω sin ωt."""
    found = motion(box("start: {box: {velocity: [0, 0.3]}}\n"), "analyses.run.spectral_radius=1")
    omega = np.sqrt(2 * STIFF / MASS)
    swing = 0.3 / omega * np.sin(omega * found.times)
    # the phase of generalised-α is late by (ωh)²/12 of it, 2e-5 · 16 rad
    np.testing.assert_allclose(found.sensors["height"].values + SAG, swing, atol=0.3 / omega * 5e-4)


MOTOR = """\
  motor: {actuator: [ground, rotor], law: 30 - 2*speed, law_before: 0}
"""


def test_an_actuator_that_follows_the_state_is_switched_on_at_the_start() -> None:
    """J ω̇ = 30 − 2ω from rest: ω = 15 (1 − exp(−2t/J)); without `law_before` it would never rest."""
    text = f"""\
bodies:
  rotor: {{mass: 5 kg, inertia: 0.4}}
joints:
  axis: {{revolute: [ground, rotor]}}
sensors:
  speed: {{angular_velocity: rotor}}
loads:
  spiral: {{torsion_spring: [ground, rotor], stiffness: 1e-9}}
{MOTOR}analyses:
  run: {{kind: transient, duration: 0.5 s, tolerance: 1e-10, samples: 51, initial_deformation: at_rest}}
"""
    found = motion(text)
    # the spring holds with less than 1e-9 of the torque
    np.testing.assert_allclose(found.sensors["speed"].values, 15 * (1 - np.exp(-2 * found.times / 0.4)), atol=1e-7)
    with pytest.raises(FlexframeError, match="rotor goes on moving under its loads"):
        motion(text.replace(", law_before: 0", ""))


def test_beams_bend_where_their_base_has_settled() -> None:
    """A base on a spring sinks by the weight of all, and its beam hangs as in statics."""
    young, density, side, length = 210e9, 7850.0, 0.02, 1.0
    line = density * side**2 * GRAVITY
    text = """\
materials: {hard: {young: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}}
bodies:
  base: {mass: 10 kg, inertia: 1}
  beam:
    mesh: {line: {length: 1 m, divisions: 8}}
    material: hard
    section: {rectangle: {width: 20 mm, height: 20 mm}}
    theory: euler_bernoulli
    supports: [{clamp: start}]
    reduction: {modes: 4, inertia_shapes: true}
joints:
  guide: {prismatic: [ground, base], axis: [0, 1]}
  clamp: {fixed: [base, beam.start]}
loads:
  weight: {gravity: [0, -9.81]}
  mount: {spring: [ground, base], axis: [0, 1], stiffness: 20 kN/m}
analyses:
  run:
    kind: transient
    duration: 0.05
    step: 0.25 ms
    samples: 51
    initial_deformation: at_rest
    sensors:
      base: {position: base, along: [0, 1]}
      tip: {displacement: beam.end, along: [0, 1]}
"""
    found = motion(text)
    sag = (10 * GRAVITY + line * length) / 20e3
    # nothing moves; a deflection of 1e-3 of the length changes levers by its square
    np.testing.assert_allclose(found.sensors["base"].values, -sag, rtol=1e-7)
    tip = line * length**4 / (8 * young * side**4 / 12)
    np.testing.assert_allclose(found.sensors["tip"].values, -tip, rtol=1e-5)


def test_a_position_that_does_not_stay_is_refused() -> None:
    """A pendulum upright on a spring softer than its weight."""
    text = """\
bodies:
  rod: {mass: 2 kg, inertia: 0.1, centre: [0, 0.5]}
joints:
  pivot: {revolute: [ground, rod]}
loads:
  weight: {gravity: [0, -9.81]}
  spiral: {torsion_spring: [ground, rod], stiffness: 5}
analyses:
  run: {kind: transient, duration: 0.1 s, step: 1 ms, initial_deformation: at_rest}
"""
    with pytest.raises(AnalysisError, match="unstable"):
        motion(text)


def test_one_body_has_no_place_to_settle() -> None:
    text = """\
bodies:
  beam:
    mesh: {line: {length: 1 m, divisions: 2}}
    material: steel
    section: {rectangle: {width: 20 mm, height: 20 mm}}
    supports: [{clamp: start}]
analyses:
  run: {kind: transient, duration: 0.1 s, steps: 10, initial_deformation: at_rest}
"""
    with pytest.raises(CaseError, match="at_rest belongs to a system"):
        motion(text)
