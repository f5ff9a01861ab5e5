"""Forces of teeth in bearings, and transmissions that begin unstretched, against closed forms."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.clearance.machines import motion
from tests.rounding import rounding

import flexframe as ff
from flexframe.errors import InputError
from flexframe.model.joints import Joint, Prismatic, Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce
from flexframe.model.transmissions.belts import Belt, Cable
from flexframe.model.transmissions.contract import Transmission
from flexframe.model.transmissions.gears import Gear, Rack
from flexframe.multibody.histories import joint_force

T, ALPHA = 4.0, np.radians(20.0)
WHERE = np.array([np.cos(0.3), np.sin(0.3)])
WHEELS = [RigidBody("a", 1.0, 1e-3), RigidBody("b", 2.0, 5e-3)]


def pair(gear: Gear, distance: float, torque: float, **bearing: float) -> System:
    """Two wheels a distance apart with a torque T on the first; `torque` on the second keeps the balance."""
    bearings: list[Joint] = [Revolute("A", "ground", "a"), Revolute("B", "ground.B", "b", **bearing)]
    loads = [MarkerForce("in", "a", moment=(0.0, 0.0, T)), MarkerForce("out", "b", moment=(0.0, 0.0, torque))]
    second = tuple(distance * WHERE)
    return System(WHEELS, [*bearings, gear], loads=loads, ground={"B": second}, start={"b": Placement(second)})


@pytest.mark.parametrize("elastic", [{}, {"stiffness": 1e5, "phase": 0.0}])
@pytest.mark.parametrize("angle", [20.0, 0.0, 25.0])
def test_bearings_feel_the_teeth(elastic: dict[str, float], angle: float) -> None:
    """T/(r cos α) in both bearings, T/r along the tangent and T/r tan α apart from each other."""
    r1, ratio = 0.03, 3.0
    gear = Gear("g", "a", "b", ratio=ratio, pressure_angle=np.radians(angle), **elastic)  # type: ignore[arg-type]
    system = pair(gear, 4 * r1, ratio * T)
    if elastic:  # stretched as the torque wants it from the start on
        wound = ratio * T / 1e5
        system = System(
            system.bodies,
            system.joints,
            loads=system.loads,
            ground=system.ground,
            start={"b": Placement(system.start["b"].position, wound)},
        )
    run = motion(system, 1e-3, 3, step=1e-3 / 2)
    radial, along = T / r1 * np.tan(np.radians(angle)), T / r1
    across = np.array([-WHERE[1], WHERE[0]])
    on_a, on_b = joint_force(run, "A")[0], joint_force(run, "B")[0]
    size = along / np.cos(np.radians(angle))
    for force in (on_a, on_b):
        np.testing.assert_allclose(np.linalg.norm(force, axis=1), size, rtol=rounding(1e5))
    np.testing.assert_allclose(on_b[0, :2] @ WHERE, -radial, atol=rounding(1e5, size))  # b is pushed away from a
    np.testing.assert_allclose(on_b[0, :2] @ across, -along, rtol=rounding(1e5))  # and driven
    np.testing.assert_allclose(on_a, -on_b, atol=rounding(1e5, size))


def test_inside_a_ring() -> None:
    """A pinion of 20 mm in a ring of 60 mm: the same force, the ring pushed outwards where they mesh."""
    gear = Gear("g", "a", "b", ratio=3.0, internal=True)
    run = motion(pair(gear, 0.04, -3 * T), 1e-3, 2, step=1e-3)
    force = joint_force(run, "B")[0][0, :2]
    assert np.linalg.norm(force) == pytest.approx(T / (0.02 * np.cos(ALPHA)), rel=rounding(1e5))
    # the pitch point is on the side of the pinion away from the centre of the ring
    assert force @ WHERE == pytest.approx(T / 0.02 * np.tan(ALPHA), rel=rounding(1e5))


def test_the_other_flank() -> None:
    """A negative angle is for torques the other way: the wheels are pushed apart again."""
    gear = Gear("g", "a", "b", ratio=3.0, pressure_angle=-ALPHA)
    system = pair(gear, 0.12, -3 * T)
    loads = [MarkerForce("in", "a", moment=(0.0, 0.0, -T)), system.loads[1]]
    run = motion(
        System(system.bodies, system.joints, loads=loads, ground=system.ground, start=system.start),
        1e-3,
        2,
        step=1e-3,
    )
    assert joint_force(run, "B")[0][0, :2] @ WHERE == pytest.approx(-T / 0.03 * np.tan(ALPHA), rel=rounding(1e5))


def test_teeth_on_their_backs_are_reported() -> None:
    """With the torque the other way round the radial part has the wrong sense, which a notice says."""
    forwards = pair(Gear("g", "a", "b", ratio=3.0), 0.12, 0.0)
    backwards = replace(forwards, loads=[MarkerForce("in", "a", moment=(0.0, 0.0, -T))])
    for system, said in ((forwards, False), (backwards, True)):
        record = ff.simulate(system, duration=2e-3, step=1e-4)
        assert any("press on their other flank" in notice for notice in record.notices) is said


def test_torques_alone() -> None:
    """Without forces of teeth bearings carry nothing, and the wheels turn as they do with them."""
    speeds = []
    for only in (True, False):
        gear = Gear("g", "a", "b", ratio=3.0, torque_only=only)
        run = motion(pair(gear, 0.12, 0.0), 0.05, 3, step=1e-3)
        speeds.append(run.velocities[-1, [2, 5]])
        assert np.any(joint_force(run, "A")[0]) is not np.bool_(only)
    np.testing.assert_allclose(speeds[0], speeds[1], rtol=rounding(1e6))
    rate = T / (1e-3 + 5e-3 / 9)
    np.testing.assert_allclose(speeds[0], (rate * 0.05, -rate * 0.05 / 3), rtol=rounding(1e6))


def test_teeth_push_an_elastic_bearing() -> None:
    """The second wheel rests where the stiffness of its bearing carries T/(r cos α); its angle makes up for it."""
    k = 1e6
    gear = Gear("g", "a", "b", ratio=3.0)
    system = pair(gear, 0.12, 3 * T, stiffness=k, damping=2e3)
    run = motion(system, 0.1, 3, step=1e-4)
    moved = run.positions[-1, 1, :2] - 0.12 * WHERE
    # to first order in the displacement over the radius, 142 µm beside 30 mm
    assert np.linalg.norm(moved) == pytest.approx(T / (0.03 * np.cos(ALPHA)) / k, rel=1e-6)
    assert moved @ WHERE == pytest.approx(T / 0.03 * np.tan(ALPHA) / k, rel=1e-6)


def test_energy_with_an_elastic_bearing() -> None:
    """The force of teeth is that of a coordinate: wheels that shake in their bearings keep their energy."""
    gear = Gear("g", "a", "b", ratio=3.0, stiffness=2e4)
    system = pair(gear, 0.12, 0.0, stiffness=1e6)
    run = motion(system, 0.02, 201, integrator="dormand_prince", tolerance=1e-11)
    stored, work = run.energies[:, :4].sum(axis=1), run.energies[:, 5]
    np.testing.assert_allclose(stored - stored[0], work, atol=1e-8 * work.max())  # some hundred steps


@pytest.mark.parametrize("opposite", [False, True])
def test_rack(opposite: bool) -> None:
    """T/r along the travel, T/r tan α against the guide, away from the pinion."""
    r, side = 0.03, 1.0 if opposite else -1.0
    rack = RigidBody("rack", 3.0, 1e-2)
    joints = [
        Revolute("A", "ground.A", "a"),
        Prismatic("guide", "ground.G", "rack"),
        Rack("r", "a", "rack", radius=r, opposite=opposite),
    ]
    loads = [
        MarkerForce("in", "a", moment=(0.0, 0.0, T)),
        MarkerForce("out", "rack", force=(side * T / r, 0.0)),
    ]
    places = {"A": (0.2, 0.1), "G": (0.0, 0.1 + side * r)}
    start = {"a": Placement(places["A"]), "rack": Placement((0.0, 0.1 + side * r))}
    run = motion(System([WHEELS[0], rack], joints, loads=loads, ground=places, start=start), 1e-3, 2, step=1e-3)
    on_pinion, on_rack = joint_force(run, "A")[0][0], joint_force(run, "guide")[0][0]
    np.testing.assert_allclose(on_pinion[:2], (-side * T / r, side * T / r * np.tan(ALPHA)), rtol=rounding(1e5))
    np.testing.assert_allclose(on_rack[:2], (0.0, -side * T / r * np.tan(ALPHA)), atol=rounding(1e5, T / r))


def test_planet_gear() -> None:
    """With an arm as carrier, which turns about the axis of the sun, the planet's bearing carries T/(r cos α)."""
    r, arm_length = 0.05, 0.08
    bodies = [
        RigidBody("arm", 1.0, 1e8, points={"P": (arm_length, 0.0)}),
        RigidBody("planet", 1e-9, 1e-3),
        RigidBody("sun", 1.0, 1e-2),
    ]
    joints = [
        Revolute("O", "ground", "arm"),
        Revolute("S", "ground", "sun"),
        Revolute("P", "arm.P", "planet"),
        Gear("g", "sun", "planet", ratio=r / 0.03, carrier="arm"),
    ]
    loads = [
        MarkerForce("in", "sun", moment=(0.0, 0.0, T)),
        MarkerForce("planet", "planet", moment=(0.0, 0.0, T * r / 0.03)),
    ]
    run = motion(System(bodies, joints, loads=loads), 1e-6, 2, step=1e-6)
    force = np.linalg.norm(joint_force(run, "P")[0][0])
    assert force == pytest.approx(T / (0.03 * np.cos(ALPHA)), rel=1e-6)  # an arm of this inertia stays


@pytest.mark.parametrize(
    "joint",
    [
        Gear("g", "a", "b", ratio=3.0, stiffness=1e5),
        Gear("g", "a", "b", ratio=3.0, stiffness=1e5, backlash=1e-3, torque_only=True),
        Belt("g", "a", "b", radii=(0.02, 0.05), stiffness=1e6, pretension=20.0),
    ],
)
def test_elastic_ones_begin_unstretched(joint: Transmission) -> None:
    """Wheels that are placed at any angle stay there; with a phase they are stretched by what it leaves."""
    bearings = [Revolute("A", "ground", "a"), Revolute("B", "ground.B", "b")]
    start = {"a": Placement((0.0, 0.0), 0.7), "b": Placement((0.12, 0.0), 1.1)}
    system = System(WHEELS, [*bearings, joint], ground={"B": (0.12, 0.0)}, start=start)
    run = motion(system, 0.01, 3, step=1e-4)
    np.testing.assert_allclose(run.angles[-1], (0.7, 1.1), atol=1e-9)
    given = replace(joint, phase=0.0)  # type: ignore[call-arg]
    moving = motion(replace(system, joints=[*bearings, given]), 0.01, 3, step=1e-4)
    assert np.abs(moving.velocities[-1]).max() > 1.0


def test_a_rack_begins_unstretched() -> None:
    rack = RigidBody("rack", 3.0, 1e-2)
    joints = [
        Revolute("A", "ground.A", "a"),
        Prismatic("guide", "ground.G", "rack"),
        Rack("r", "a", "rack", radius=0.03, stiffness=1e6),
    ]
    places = {"A": (0.2, 0.1), "G": (0.0, 0.07)}
    start = {"a": Placement(places["A"], 0.4), "rack": Placement((0.31, 0.07))}
    run = motion(System([WHEELS[0], rack], joints, ground=places, start=start), 0.01, 3, step=1e-4)
    assert run.angles[-1, 0] == pytest.approx(0.4, abs=1e-9)
    assert run.positions[-1, 1, 0] == pytest.approx(0.31, abs=1e-9)


def test_a_pressure_angle_that_is_none() -> None:
    with pytest.raises(InputError, match="give less than 60 deg"):
        ff.joints.Gear("g", "a", "b", ratio=3.0, pressure_angle=20.0)


# --- both flanks, helical teeth, belts ---------------------------------------------------------------------------

ACROSS = np.array([-WHERE[1], WHERE[0]])


@pytest.mark.parametrize("elastic", [{"flanks": "both"}, {"stiffness": 1e5, "damping": 5.0}])
@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_the_flank_that_touches_presses(elastic: dict[str, Any], sense: float) -> None:
    """Wheels are pushed apart by T/r tan α whichever way the torque goes; elastic teeth settle within 0.5 s."""
    system = pair(Gear("g", "a", "b", ratio=3.0, **elastic), 0.12, 0.0)
    torques = (("in", "a", sense * T), ("out", "b", 3 * sense * T))
    loads = [MarkerForce(name, on, moment=(0.0, 0.0, torque)) for name, on, torque in torques]
    run = motion(replace(system, loads=loads), 0.5 if "stiffness" in elastic else 1e-3, 2, step=1e-4)
    force = joint_force(run, "B")[0][-1, :2]
    assert force @ WHERE == pytest.approx(-T / 0.03 * np.tan(ALPHA), rel=1e-9)  # what is left of the swing
    assert force @ ACROSS == pytest.approx(-sense * T / 0.03, rel=1e-9)
    np.testing.assert_allclose(joint_force(run, "A")[0][-1, :2], -force, rtol=1e-9)


def test_both_flanks_of_a_known_motion() -> None:
    """A pinion that swings drives a wheel of I: torque I ε/3 on the wheel, T/r tan α apart at every instant."""
    swing = ff.AngleDrive("motor", "ground", "a", "0.2*sin(10*t)")
    for flanks in ("one", "both"):
        system = pair(Gear("g", "a", "b", ratio=3.0, flanks=flanks), 0.12, 0.0)  # type: ignore[arg-type]
        found = ff.joint_forces(replace(system, loads=[], drives=[swing]), np.linspace(0.01, 0.6, 40))
        torque = 5e-3 * 0.2 * 100 * np.sin(10 * found.forces.motion.times) / 3  # on the wheel, which turns back
        apart = -found.forces.joints["B"].force[:, :2] @ WHERE
        push = torque / 0.09 * np.tan(ALPHA)
        expected = np.abs(push) if flanks == "both" else -push
        np.testing.assert_allclose(np.abs(apart), np.abs(push), atol=1e-12)
        if flanks == "both":
            np.testing.assert_allclose(apart, expected, atol=1e-12)
        said = any("press on their other flank" in notice for notice in found.notices)
        assert said is (flanks == "one")


@pytest.mark.parametrize("internal", [False, True])
@pytest.mark.parametrize("elastic", [{"flanks": "both"}, {"stiffness": 1e5, "damping": 5.0}])
def test_helical_teeth_push_along_the_axis_and_tilt(elastic: dict[str, Any], internal: bool) -> None:
    """F tan β at the pitch radius of each wheel; a right-hand driver that runs forwards is pushed along it."""
    beta, r1, sense = np.radians(15.0), 0.02 if internal else 0.03, -1.0 if internal else 1.0
    distance = 2 * r1 if internal else 4 * r1
    gear = Gear("g", "a", "b", ratio=3.0, helix_angle=float(beta), internal=internal, **elastic)
    system = System(
        [RigidBody("a", 1.0, np.eye(3) * 1e-3), RigidBody("b", 2.0, np.eye(3) * 5e-3)],
        [Revolute("A", "ground", "a"), Revolute("B", "ground.B", "b"), gear],
        loads=[
            MarkerForce("in", "a", moment=(0.0, 0.0, T)),
            MarkerForce("out", "b", moment=(0.0, 0.0, 3 * sense * T)),
        ],
        ground={"B": (distance, 0.0, 0.0)},
        start={"b": Placement((distance, 0.0, 0.0))},
        space="spatial",
    )
    run = motion(system, 0.5 if "stiffness" in elastic else 1e-3, 2, step=1e-4)
    along = T / r1
    (force, moment), (other, counter) = ((part[-1] for part in joint_force(run, name)) for name in "AB")
    # the pitch point of the ring is beyond the centre of the pinion, seen from that of the ring
    np.testing.assert_allclose(
        force, [sense * along * np.tan(ALPHA), sense * along, -along * np.tan(beta)], rtol=1e-9
    )
    np.testing.assert_allclose(other, -force, rtol=1e-9)
    tilt = T * np.tan(beta)
    np.testing.assert_allclose(moment, [0.0, sense * tilt, 0.0], atol=1e-9)
    np.testing.assert_allclose(counter, [0.0, 3 * tilt, 0.0], atol=1e-9)


@pytest.mark.parametrize("crossed", [False, True])
@pytest.mark.parametrize("elastic", [{}, {"stiffness": 1e5, "damping": 100.0}])
def test_strands_pull_at_the_bearings(elastic: dict[str, float], crossed: bool) -> None:
    """2 T₀ cos γ between the pulleys, and across what the balance of moments of the whole asks for."""
    r1, r2, distance, tension = 0.05, 0.12, 0.5, 100.0
    belt = Belt("g", "a", "b", radii=(r1, r2), crossed=crossed, pretension=tension, **elastic)  # type: ignore[arg-type]
    out = (1.0 if crossed else -1.0) * T * r2 / r1
    run = motion(pair(belt, distance, out), 1.0 if elastic else 1e-3, 2, step=1e-3)
    sine = (r1 + r2 if crossed else r1 - r2) / distance
    force = joint_force(run, "B")[0][-1, :2]
    assert force @ WHERE == pytest.approx(
        2 * tension * np.sqrt(1 - sine**2), rel=1e-9
    )  # what is left of the swing
    assert force @ ACROSS == pytest.approx(-(T + out) / distance, rel=1e-9)
    np.testing.assert_allclose(joint_force(run, "A")[0][-1, :2], -force, rtol=1e-9)


@pytest.mark.parametrize("elastic", [{}, {"stiffness": 1e5, "damping": 1000.0}])
def test_a_slack_strand_does_not_pull(elastic: dict[str, float]) -> None:
    """80 N of torque beyond 2 · 10 N of pretension: one strand carries T/r₁ = 80 N, the other one nothing."""
    belt = Belt("g", "a", "b", radii=(0.05, 0.05), pretension=10.0, **elastic)  # type: ignore[arg-type]
    run = motion(pair(belt, 0.5, -T), 1.0 if elastic else 1e-3, 2, step=1e-3)
    force = joint_force(run, "B")[0][-1, :2]
    assert force @ WHERE == pytest.approx(T / 0.05, rel=1e-9)
    assert force @ ACROSS == pytest.approx(0.0, abs=1e-9)


def test_turns_at_the_start_do_not_stretch_a_belt() -> None:
    """Pulleys that begin 5 and 12 rad turned, which a belt of any phase joins unstretched: 2 T₀ cos γ."""
    belt = Belt("g", "a", "b", radii=(0.05, 0.12), pretension=100.0, stiffness=1e5)
    system = pair(belt, 0.5, 0.0)
    turned = {"a": Placement((0.0, 0.0), 5.0), "b": Placement(system.start["b"].position, 12.0)}
    run = motion(replace(system, loads=[], start=turned), 1e-3, 2, step=1e-3)
    pull = 200.0 * np.sqrt(1 - (0.07 / 0.5) ** 2)
    assert joint_force(run, "B")[0][-1, :2] @ WHERE == pytest.approx(pull, rel=rounding(1e6))


def test_a_cable_pulls_with_its_strand() -> None:
    """The drum b hangs on a cable with the torque T: T/r₂ in the strand, on the line that touches both drums."""
    cable = Cable("g", "a", "b", radii=(0.05, 0.12), stiffness=1e5, damping=1000.0)
    system = pair(cable, 0.5, T)
    loads = [MarkerForce("in", "a", moment=(0.0, 0.0, -T * 0.05 / 0.12)), system.loads[1]]
    run = motion(replace(system, loads=loads), 1.0, 2, step=1e-3)
    sine, strand = -0.07 / 0.5, T / 0.12
    force = joint_force(run, "B")[0][-1, :2]
    assert force @ WHERE == pytest.approx(strand * np.sqrt(1 - sine**2), rel=1e-9)
    assert force @ ACROSS == pytest.approx(-(T - T * 0.05 / 0.12) / 0.5, rel=1e-9)  # balance of moments


def test_torques_of_a_belt_alone() -> None:
    belt = Belt("g", "a", "b", radii=(0.05, 0.12), pretension=100.0, torque_only=True)
    run = motion(pair(belt, 0.5, -T * 0.12 / 0.05), 1e-3, 2, step=1e-3)
    np.testing.assert_allclose(joint_force(run, "B")[0][-1], 0.0, atol=rounding(1e5, T))


def test_axial_forces_want_space() -> None:
    with pytest.raises(InputError, match="space: spatial"):
        motion(pair(Gear("g", "a", "b", ratio=3.0, helix_angle=0.2), 0.12, 0.0), 1e-3, 2, step=1e-3)
    with pytest.raises(InputError, match="helix angle"):
        Gear("g", "a", "b", helix_angle=1.2)
