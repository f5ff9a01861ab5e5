"""Stops of every joint that has a coordinate of its own: when they are met, what they return, what they carry."""

from pathlib import Path

import numpy as np
import pytest

import flexframe as ff
from flexframe.cases.case import load_case
from flexframe.cases.run import run_case
from flexframe.errors import FlexframeError, InputError

MASS, INERTIA, SPEED, E = 2.0, 0.03, 1.5, 0.6
IMPULSIVE = ff.contacts.NormalLaw("impulsive", restitution=E)
LAW = {"stop_law": IMPULSIVE}
TURNING_LAW = {"rotation_stop_law": IMPULSIVE}
X, Y, Z = np.eye(3)
LEAD = 0.05
ENDS = ("J", "ground", "body")
ASLANT = np.array([0.6, 0.0, 0.8])

JOINTS = {  # joint, velocity and angular velocity that it allows, the contact that is met, its end
    "cylindrical": (ff.joints.Cylindrical(*ENDS, Z, stops=(-0.1, 0.3), **LAW), Z, 0 * Z, "J.upper", 0.3),
    "cylindrical, down": (ff.joints.Cylindrical(*ENDS, Z, stops=(-0.1, 0.3), **LAW), -Z, 0 * Z, "J.lower", 0.1),
    "cylindrical, turning": (
        ff.joints.Cylindrical(*ENDS, Z, rotation_stops=(-0.2, 0.9), **TURNING_LAW),
        0 * Z,
        -Z,
        "J.rotation.lower",
        0.2,
    ),
    "screw": (ff.joints.Screw(*ENDS, LEAD, stops=(-1.0, 0.4), **LAW), Z, 2 * np.pi / LEAD * Z, "J.upper", 0.4),
    "point_on_line": (ff.joints.PointOnLine(*ENDS, X, stops=(-0.2, 0.5), **LAW), -X, 0 * Z, "J.lower", 0.2),
    "planar": (ff.joints.InPlane(*ENDS, Z, stops=(-0.2, 0.5), **LAW), X, 0 * Z, "J.upper", 0.5),
    "planar, second": (
        ff.joints.InPlane(*ENDS, Z, stops=(-0.2, 0.5), second_stops=(-0.7, 0.3), **LAW),
        -Y,
        0 * Z,
        "J.second.lower",
        0.7,
    ),
    "planar, turning": (
        ff.joints.InPlane(*ENDS, Z, rotation_stops=(-0.2, 0.8), **TURNING_LAW),
        0 * Z,
        Z,
        "J.rotation.upper",
        0.8,
    ),
    "universal": (ff.joints.Universal(*ENDS, stops=(-0.4, 0.6), **LAW), 0 * Z, X, "J.upper", 0.6),
    "universal, second": (
        ff.joints.Universal(*ENDS, stops=(-0.4, 0.6), second_stops=(-0.5, 0.7), **LAW),
        0 * Z,
        Y,
        "J.second.upper",
        0.7,
    ),
    "universal, second down": (
        ff.joints.Universal(*ENDS, second_stops=(-0.5, 0.7), **LAW),
        0 * Z,
        -Y,
        "J.second.lower",
        0.5,
    ),
    "spherical": (ff.joints.Spherical(*ENDS, bend_stop=0.35, bend_axis=Y, **LAW), 0 * Z, ASLANT, "J.bend", 0.35),
    "constant_velocity": (ff.joints.ConstantVelocity(*ENDS, X, bend_stop=0.45, **LAW), 0 * Z, -Z, "J.bend", 0.45),
}


@pytest.mark.parametrize("kind", JOINTS)
@pytest.mark.parametrize("way", [{"step": 7e-3}, {"tolerance": 1e-9}])
def test_the_end_is_met_in_time_and_returns_the_restitution(kind: str, way: dict[str, float]) -> None:
    """A body that moves freely along its joint reaches the end s after s/v, and goes back with e v."""
    joint, velocity, spin, name, end = JOINTS[kind]
    body = ff.RigidBody("body", MASS, np.eye(3) * INERTIA)
    start = ff.Placement((0.0, 0.0, 0.0), velocity=tuple(SPEED * velocity), angular_velocity=tuple(SPEED * spin))
    system = ff.System([body], [joint], start={"body": start}, space="spatial")
    found = ff.simulate(system, duration=end / SPEED * 1.3, samples=3, **way)
    (event,) = found.events
    # of generalised-α a screw turns by steps of SPEED 2π/LEAD h = 1.3 rad: its angle has (ω h)²/12 of error
    exact = 1e-9 if kind != "screw" or "tolerance" in way else 1e-2
    assert event.name == name
    assert event.time == pytest.approx(end / SPEED, rel=exact)
    after = found.motion.body("body")
    moved = after.velocities[-1] if velocity.any() else after.angular_velocities[-1]
    way_back = velocity if velocity.any() else spin
    np.testing.assert_allclose(moved, -E * SPEED * way_back, atol=1e-8 * SPEED)
    lost = 0.5 * SPEED**2 * (1 - E**2) * (MASS * velocity @ velocity + INERTIA * spin @ spin)
    assert event.lost == pytest.approx(lost, rel=1e-8)


@pytest.mark.parametrize(("moment", "name"), [(3.0, "J.second.upper"), (-2.0, "J.second.lower")])
def test_a_cross_that_lies_on_its_stop(moment: float, name: str) -> None:
    """Turned about both axes: the stop carries the moment about the second one, on the second body backwards."""
    stiffness, angle = 400.0, 0.5
    joint = ff.joints.Universal(*ENDS, second_stops=(-0.3, 0.7), stop_stiffness=stiffness)
    held = ff.loads.TorsionSpring("hold", "ground", "body", 50.0, angle, axis=tuple(X))
    load = ff.MarkerForce("load", "body", moment=tuple(moment * Y), axes="body")
    body = ff.RigidBody("body", MASS, np.eye(3) * INERTIA)
    system = ff.System([body], [joint], loads=[held, load], space="spatial")
    found = ff.system_statics(system)
    carried = {each.name: each.force for each in found.springs}
    assert carried[name] == pytest.approx(abs(moment), rel=1e-6)
    axes = found.forces.motion.body("body").rotations[0]
    about = (found.forces.joints["J"].moment[0] @ axes)[1]
    assert about == pytest.approx(-moment, rel=1e-6)


def test_a_bend_in_any_direction() -> None:
    """A pendulum on a ball joint that swings out is held at the bend of its stop, K (θ − l) = m g s sin θ."""
    stiffness, reach, limit = 300.0, 0.3, 0.5
    joint = ff.joints.Spherical(*ENDS, bend_stop=limit, bend_axis=(0.0, 0.0, -1.0), stop_stiffness=stiffness)
    push = np.array([0.8, -0.6, 0.0])
    loads = [
        ff.SystemGravity("weight", (0.0, 0.0, -9.81)),
        ff.MarkerForce("push", "body.tip", force=tuple(40.0 * push)),
    ]
    body = ff.RigidBody(
        "body", MASS, np.eye(3) * INERTIA, centre=(0.0, 0.0, -reach), points={"tip": (0.0, 0.0, -reach)}
    )
    aside = np.cross([0.0, 0.0, -1.0], push) * 0.4
    start = {"body": ff.Placement((0.0, 0.0, 0.0), rotation=aside)}
    system = ff.System([body], [joint], loads=loads, start=start, space="spatial")
    found = ff.system_statics(system)
    axes = found.forces.motion.body("body").rotations[0]
    hanging = axes @ np.array([0.0, 0.0, -1.0])
    angle = np.arccos(-hanging[2])
    carried = {each.name: each.force for each in found.springs}["J.bend"]
    assert carried == pytest.approx(stiffness * (angle - limit), rel=1e-6)
    assert carried == pytest.approx(reach * (40 * np.cos(angle) - MASS * 9.81 * np.sin(angle)), rel=1e-6)
    np.testing.assert_allclose(hanging[:2] / np.sin(angle), push[:2], atol=1e-6)


CASE = """
space: spatial
bodies:
  body: {{mass: 2 kg, inertia: [0.03, 0.03, 0.03]}}
start:
  body: {{velocity: {velocity}, angular_velocity: {spin}}}
joints:
  J: {joint}
analyses:
  move: {{kind: transient, duration: 0.5 s, step: 1 ms, samples: 3}}
"""
WRITTEN = {
    "{cylindrical: [ground, body], stops: [-10 mm, 300 mm], stop_law: {impulsive: 0.6}, "
    "rotation_stops: [-5 deg, 5 deg], rotation_stop_stiffness: 100 N m/rad}": (
        "[0, 0, 1.5]",
        "[0, 0, 0]",
        "J.upper",
        0.2,
    ),
    "{spherical: [ground, body], bend_stop: 0.3, stop_law: {impulsive: 0.6}}": (
        "[0, 0, 0]",
        "[0, 0, 1.5]",
        "J.bend",
        0.2,
    ),
    "{universal: [ground, body], second_stops: [-10 deg, 0.3], stop_law: {impulsive: 0.6}}": (
        "[0, 0, 0]",
        "[0, 1.5, 0]",
        "J.second.upper",
        0.2,
    ),
}


@pytest.mark.parametrize("joint", WRITTEN)
def test_what_a_case_may_write(joint: str, tmp_path: Path) -> None:
    velocity, spin, name, time = WRITTEN[joint]
    path = tmp_path / "case.yaml"
    path.write_text(CASE.format(joint=joint, velocity=velocity, spin=spin), encoding="utf-8")
    (event,) = run_case(load_case(path)).records["move"].events
    assert (event.name, event.time) == (name, pytest.approx(time, rel=1e-9))


REFUSED = {
    "{cylindrical: [ground, body], rotation_stops: [0, 1]}": "J.rotation_stop_stiffness: stops need",
    "{cylindrical: [ground, body], rotation_stop_stiffness: 3}": "J.rotation_stops: rotation_stop_stiffness",
    "{spherical: [ground, body], bend_stop: 200 deg, stop_stiffness: 3}": "give an angle above zero and below π",
    "{universal: [ground, body], second_stops: [-4, 4], stop_stiffness: 3}": "J.second_stops: the stops are 8",
    "{universal: [ground, body], axis: [1, 1, 0], stops: [-1, 1], stop_stiffness: 3}": "are not perpendicular",
    "{fixed: [ground, body], stops: [-1, 1]}": "joints.J.stops: unknown field",
}


@pytest.mark.parametrize("joint", REFUSED)
def test_refusals_stand_at_their_field(joint: str, tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    path.write_text(CASE.format(joint=joint, velocity="[0, 0, 0]", spin="[0, 0, 0]"), encoding="utf-8")
    with pytest.raises(FlexframeError) as error:
        load_case(path).system()
    assert REFUSED[joint] in str(error.value)
    assert "case.yaml:8: " in str(error.value)


def test_analyses_that_know_no_impulses_say_so() -> None:
    joint = ff.joints.Spherical(*ENDS, bend_stop=0.3, **LAW)
    body = ff.RigidBody("body", MASS, np.eye(3) * INERTIA)
    with pytest.raises(InputError, match="an equilibrium knows no impulses, and the stops of J are impulsive"):
        ff.system_statics(ff.System([body], [joint], space="spatial"))
