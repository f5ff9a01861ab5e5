"""Starts of coupled motion: deformed as motion and loads want it, against closed forms of statics.

Reduced bodies have the static answers to inertia, so that a start in equilibrium is exact but for effects of
second order in the deflection (1e-6 to 1e-5 here) and the differences that integration leaves.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from flexframe.cases.case import parse_case
from flexframe.cases.run import run_case
from flexframe.entries.problems import CaseError

YOUNG, DENSITY, SIDE, GRAVITY = 210e9, 7850.0, 0.02, 9.81
LINE = DENSITY * SIDE**2 * GRAVITY  # weight per length, N/m
BENDING = YOUNG * SIDE**4 / 12  # N m²
BODY = """\
    mesh: {line: {length: 1 m, divisions: 8}}
    material: hard
    section: {rectangle: {width: 20 mm, height: 20 mm}}
    theory: euler_bernoulli
"""
RUN = """\
materials: {hard: {young: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}}
analyses:
  run:
    kind: transient
    duration: 0.05
    step: 0.25 ms
    samples: 51
"""
CLAMPED = f"""\
ground: {{O: [0, 0]}}
bodies:
  beam:
{BODY}    supports: [{{clamp: start}}]
    reduction: {{modes: 4, inertia_shapes: true}}
joints: {{wall: {{fixed: [ground.O, beam.start]}}}}
loads: {{weight: {{gravity: [0, -9.81]}}}}
{RUN}    sensors:
      tip: {{displacement: beam.end, along: [0, 1]}}
      clamp: {{joint_moment: wall, along: [0, 0, 1]}}
"""


@cache
def motion(text, *overrides):
    case = parse_case(text, file="start.yaml", folder=Path.cwd(), overrides=overrides)
    return case.analyses["run"].run(case)


def test_a_beam_held_still_hangs_as_in_statics():
    """ρgA L⁴/8EI and ρgA L²/2 at every instant: it does not move."""
    found = motion(CLAMPED)
    assert found.sensors["tip"].values == pytest.approx(-LINE / (8 * BENDING), rel=1e-5)
    assert found.sensors["clamp"].values == pytest.approx(LINE / 2, rel=1e-5)
    start = found.summary()["start"]
    assert start["initial_deformation"] == "equilibrium"
    assert start["max_elastic_displacement_m"] == pytest.approx(LINE / (8 * BENDING), rel=1e-5)
    # that of the first mode, (1.87510407/L)⁴ EI/ρA, which deflections of 1e-3 hardly change
    assert start["smallest_eigenvalue_rad2_s2"] == pytest.approx(
        1.87510407**4 * BENDING / (DENSITY * SIDE**2), rel=1e-3
    )


def test_undeformed_the_weight_falls_on_it():
    """A load that comes suddenly doubles what it would do slowly, within what higher modes add or leave."""
    found = motion(CLAMPED, "analyses.run.initial_deformation=undeformed")
    assert found.sensors["tip"].values.min() == pytest.approx(-2 * LINE / (8 * BENDING), rel=0.05)
    assert found.sensors["tip"].values[0] == 0.0
    start = found.summary()["start"]
    assert (start["initial_deformation"], start["max_elastic_displacement_m"]) == ("undeformed", 0.0)


def test_an_arm_held_by_its_drives():
    """The elbow of two horizontal links carries ρgA L²/2, the shoulder that of both: 4 ρgA L²/2."""
    arm = f"""\
ground: {{O: [0, 0]}}
bodies:
  upper: &link
{BODY}    supports: [{{clamp: start}}]
    reduction: {{modes: 3, inertia_shapes: true}}
  lower: *link
start: {{lower: {{position: [1, 0]}}}}
joints:
  shoulder: {{revolute: [ground.O, upper.start]}}
  elbow: {{revolute: [upper.end, lower.start]}}
drives:
  first: {{angle: 0, joint: shoulder}}
  second: {{angle: 0, joint: elbow}}
loads: {{weight: {{gravity: [0, -9.81]}}}}
{RUN}    sensors:
      elbow: {{drive: second}}
      shoulder: {{drive: first}}
"""
    found = motion(arm)
    # the links slope by 1e-2, which shortens levers by its square
    assert found.sensors["elbow"].values == pytest.approx(LINE / 2, rel=3e-4)
    assert found.sensors["shoulder"].values == pytest.approx(2 * LINE, rel=3e-4)
    # the second link hangs at the deflected end of the first and follows it
    assert found.start.moved == pytest.approx(
        LINE / (8 * BENDING) + LINE / (3 * BENDING) + LINE / (4 * BENDING), rel=1e-3
    )


FREE = f"""\
bodies:
  rod:
{BODY}    reduction: {{modes: 4, inertia_shapes: true, reference: mean_axes}}
{{start}}
{{loads}}
{RUN}    sensors:
      first: {{displacement: rod.start, along: [1, 0]}}
      last: {{displacement: rod.end, along: [1, 0]}}
"""


def test_a_free_spinning_rod_is_stretched():
    """EA u″ + ρAΩ²(x + u) = 0: each end is out by tan(ka)/k − a with k = Ω sqrt(ρ/E), and stays there."""
    speed, half = 60.0, 0.5
    spin = "start: {rod: {velocity: [0, -30], angular_velocity: [0, 0, 60]}}"  # the middle of the rod rests
    found = motion(FREE.replace("{start}", spin).replace("{loads}", ""))
    k = speed * np.sqrt(DENSITY / YOUNG)
    out = np.tan(k * half) / k - half
    # strains of 3e-5: the geometric part of the axial stiffness is of that relative size
    assert found.sensors["last"].values - found.sensors["first"].values == pytest.approx(2 * out, rel=1e-4)


def test_a_pushed_free_rod_has_the_shape_of_inertia_relief():
    """Under F at one end the force falls linearly to zero at the other: it is shortened by F L/2EA."""
    push = "loads: {push: {force: [-1000, 0], on: rod.end, axes: body}}"
    found = motion(FREE.replace("{start}", "").replace("{loads}", push))
    short = 1000 / (2 * YOUNG * SIDE**2)  # the mean strain; laws of strain differ by twice that
    assert found.sensors["last"].values - found.sensors["first"].values == pytest.approx(-short, rel=4 * short)
    moved = found.motion.body("rod").accelerations[:, 0]
    assert moved == pytest.approx(-1000 / (DENSITY * SIDE**2), rel=1e-9)


def test_a_pendulum_stays_where_it_is_let_go():
    """Horizontal at t = 0, α = 3g/2L, and the sag 5 ρgA L⁴/1536EI of a rod that falls.

    Its bending moment is ρgA x(L − x)²/4L. The height of the section counts: (h/2L)² of the moment of inertia.
    """
    pendulum = f"""\
ground: {{O: [0, 0]}}
bodies:
  rod:
{BODY}    supports: [{{pin: start}}, {{roller: end, direction: [0, 1]}}]
    reduction: {{modes: 4, inertia_shapes: true}}
joints: {{hinge: {{revolute: [ground.O, rod.start]}}}}
loads: {{weight: {{gravity: [0, -9.81]}}}}
{RUN}    sensors:
      angle: {{angle: rod}}
      turn: {{angular_acceleration: rod}}
      middle: {{displacement: rod, at: [0.5, 0], along: [0, 1]}}
"""
    found = motion(pendulum)
    assert found.sensors["angle"].values[0] == 0.0
    assert found.sensors["turn"].values[0] == pytest.approx(-1.5 * GRAVITY / (1 + SIDE**2 / 4), rel=1e-5)
    assert found.sensors["middle"].values[0] == pytest.approx(-5 * LINE / (1536 * BENDING), rel=5e-4)


def test_a_loop_that_only_elasticity_closes():
    """A beam on two hinges, one more than its frame can meet: 5 ρgA L⁴/384EI in the middle, held without sliding.

    Stretching by the deflection w stiffens it by (w/h)² of order 1e-4.
    """
    hinged = f"""\
ground: {{O: [0, 0], Q: [1, 0]}}
bodies:
  beam:
{BODY}    supports: [{{pin: start}}, {{roller: end, direction: [0, 1]}}]
    reduction: {{modes: 4, inertia_shapes: true}}
joints:
  left: {{revolute: [ground.O, beam.start]}}
  right: {{revolute: [ground.Q, beam.end]}}
loads: {{weight: {{gravity: [0, -9.81]}}}}
{RUN}    sensors: {{middle: {{displacement: beam, at: [0.5, 0], along: [0, 1]}}}}
"""
    found = motion(hinged)
    assert found.sensors["middle"].values == pytest.approx(-5 * LINE / (384 * BENDING), rel=1e-3)
    assert found.constraint_residual < 1e-12


def test_loads_with_a_law_count_with_their_value_before():
    """F(t) = −100 cos(t) N at the tip: nothing before t = 0 unless said, F L³/3EI if it was there."""
    pushed = CLAMPED.replace("gravity: [0, -9.81]", 'force: [0, "-100*cos(t)"], on: beam.end')
    assert motion(pushed).sensors["tip"].values[0] == 0.0
    before = motion(pushed.replace("on: beam.end}", "on: beam.end, force_before: [0, -100]}"))
    assert before.sensors["tip"].values[0] == pytest.approx(-100 / (3 * BENDING), rel=1e-4)
    constant = motion(pushed.replace('"-100*cos(t)"', '"-25*4"'))
    assert constant.sensors["tip"].values == pytest.approx(-100 / (3 * BENDING), rel=1e-4)


def test_changed_start_velocities_are_reported():
    """A drive of 20 rad/s against a described 25 rad/s: 5 rad/s off, with the name of the body."""
    driven = CLAMPED.replace("fixed: [ground.O, beam.start]", "revolute: [ground.O, beam.start]").replace(
        "loads:",
        "drives: {motor: {angle: 20*t, joint: wall}}\nstart: {beam: {angular_velocity: [0, 0, 25]}}\nloads:",
    )
    found = motion(driven)
    change = found.summary()["start"]["velocity_changes"]["beam"]
    assert change["angular_rad_s"] == pytest.approx(5.0, rel=1e-9)
    assert any("start velocities of beam" in notice and "5 rad/s" in notice for notice in found.notices)
    agreed = motion(driven.replace("angular_velocity: [0, 0, 25]", "angular_velocity: [0, 0, 20]"))
    assert agreed.summary()["start"]["velocity_changes"] == {}


def test_a_body_on_a_known_motion_has_no_periodic_start():
    case = CLAMPED.replace(
        "    kind: transient\n", "    kind: transient\n    motion: rest\n    initial_deformation: periodic\n"
    )
    with pytest.raises(CaseError, match="initial_deformation: periodic belongs to a system; give equilibrium"):
        run_case(parse_case(case, file="start.yaml", folder=Path.cwd()))
