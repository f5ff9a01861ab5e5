"""Joints that are locked and released: momentum, energy, and the force in the lock."""

import numpy as np
import pytest
from tests.clearance.machines import motion
from tests.rounding import rounding

from flexframe.errors import InputError
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.model.drives import PositionDrive
from flexframe.model.events import Event, Switch
from flexframe.model.joints import Cylindrical, Prismatic, Revolute, Spherical, Weld
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, SystemGravity
from flexframe.multibody.histories import joint_force
from flexframe.sensors.kinds import RotationSensor

INERTIA, TORQUE = 0.02, 0.3


def wheel(lock: str, **more: object) -> System:
    """A wheel under a torque from rest."""
    loads = [MarkerForce("torque", "wheel", moment=(0.0, 0.0, TORQUE))]
    joint = Revolute("A", "ground", "wheel", lock=lock)
    return System([RigidBody("wheel", 1.0, INERTIA)], [joint], loads=loads, **more)  # type: ignore[arg-type]


SWITCHED = {
    "controllers": [Switch("brake")],
    "events": [Event("on", "t - 0.1", set={"brake": 1.0}), Event("off", "t - 0.25", set={"brake": 0.0})],
}


STEPS = [
    {"step": 1e-3},
    {"integrator": "dormand_prince", "tolerance": 1e-9},
    {"integrator": "dormand_prince_853", "tolerance": 1e-9},
]


@pytest.mark.parametrize("options", STEPS)
@pytest.mark.parametrize(("lock", "more"), [("(t - 0.1)*(0.25 - t)", {}), ("brake", SWITCHED)])
def test_a_lock_by_times_or_by_a_switch(lock: str, more: dict[str, object], options: dict[str, object]) -> None:
    """Stopped by the impulse I ω with ½ I ω² lost, held against the torque, and released from rest."""
    run = motion(wheel(lock, **more), 0.4, 401, **options)  # type: ignore[arg-type]
    rate, t = TORQUE / INERTIA, run.times
    speed = np.where(t <= 0.1, rate * t, np.where(t <= 0.25, 0.0, rate * (t - 0.25)))
    at_jump = np.isclose(t, 0.1)
    np.testing.assert_allclose(run.velocities[~at_jump, 2], speed[~at_jump], atol=rounding(1e5, 10.0))
    closed, opened = (each for each in run.occurrences if each.name == "lock of A")
    assert closed.time == pytest.approx(0.1, rel=rounding(1e3))
    assert closed.speed == pytest.approx(rate * 0.1, rel=rounding(1e4))
    assert closed.impulse == pytest.approx(-TORQUE * 0.1, rel=rounding(1e4))
    assert closed.lost == pytest.approx(0.5 * INERTIA * (rate * 0.1) ** 2, rel=rounding(1e4))
    assert (opened.speed, opened.time) == (None, pytest.approx(0.25, rel=rounding(1e3)))
    held = (t > 0.1) & (t < 0.25)
    moment = joint_force(run, "A")[1][:, 2]
    np.testing.assert_allclose(moment[held & ~at_jump], -TORQUE, rtol=rounding(1e4))
    assert not moment[t < 0.1].any()
    angle = run.angles[held, 0]
    assert np.ptp(angle) < rounding(1e3)  # it does not creep
    assert run.energies[-1, 6] == pytest.approx(closed.lost, rel=rounding(10))
    assert run.energy_drift < rounding(1e5)


@pytest.mark.parametrize("options", STEPS)
def test_a_latch_holds_what_passes_it(options: dict[str, object]) -> None:
    """Locked when the angle passes a value, by the angle itself: it stays there."""
    system = wheel("angle - 0.2", sensors={"angle": RotationSensor("angle", "wheel")})
    run = motion(system, 0.4, 41, **options)  # type: ignore[arg-type]
    assert run.angles[-1, 0] == pytest.approx(0.2, rel=rounding(1e4))
    assert len(run.occurrences) == 1


@pytest.mark.parametrize("options", STEPS)
def test_a_lock_that_is_closed_at_the_start(options: dict[str, object]) -> None:
    run = motion(wheel("0.1 - t"), 0.2, 21, **options)  # type: ignore[arg-type]
    assert run.velocities[-1, 2] == pytest.approx(TORQUE / INERTIA * 0.1, rel=rounding(1e5))
    assert run.occurrences[0].time == 0.0


def test_the_drive_gives_what_it_holds_against() -> None:
    """A pendulum on a cart that a drive moves: the balance closes with the work of the drive's impulse."""
    cart, rod = RigidBody("cart", 1.0, 0.1), RigidBody.rod("rod", length=0.5, mass=2.0)
    joints = [Prismatic("guide", "ground", "cart"), Revolute("hinge", "cart", "rod", lock="t - 0.31")]
    drive = PositionDrive("motor", "ground", "cart", "3*t", axis=(1.0, 0.0, 0.0))
    system = System([cart, rod], joints, [drive], loads=[SystemGravity()])
    run = motion(system, 0.4, 41, step=1e-4)
    (closed,) = run.occurrences
    assert closed.speed is not None and abs(closed.speed) > 1.0
    assert run.energy_drift < 1e-6  # (ω h)² of the swing; the impulse of the drive does work of the order one
    assert np.linalg.norm(run.velocities[-1, 3:5]) == pytest.approx(3.0, rel=1e-6)  # moves with the cart
    assert abs(run.velocities[-1, 5]) < 1e-6


@pytest.mark.parametrize("kind", [Spherical, Cylindrical])
def test_all_coordinates_are_locked_in_space(kind: type[Spherical] | type[Cylindrical]) -> None:
    """A heavy body stays where it is, and its joint carries weight and moment."""
    centre, mass = np.array([0.1, 0.0, 0.2]), 2.0
    body = RigidBody("body", mass, np.diag([0.1, 0.2, 0.3]), centre=tuple(centre))
    start = {"body": Placement((0.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, 1.0))}
    gravity = SystemGravity(acceleration=(0.0, 0.0, -9.81))
    system = System(
        [body], [kind("A", "ground", "body", lock="t - 0.1")], loads=[gravity], start=start, space="spatial"
    )
    run = motion(system, 0.3, 31, step=1e-3)
    assert np.abs(run.velocities[-1]).max() < 1e-9
    assert np.ptp(run.quaternions[run.times > 0.101], axis=0).max() < 1e-9
    force, moment = joint_force(run, "A")
    arm = rotation_from_quaternion(run.quaternions[-1, 0]) @ centre
    np.testing.assert_allclose(force[-1], (0.0, 0.0, mass * 9.81), atol=1e-8)
    np.testing.assert_allclose(moment[-1], np.cross(arm, (0.0, 0.0, mass * 9.81)), atol=1e-8)


def test_refusals() -> None:
    with pytest.raises(InputError, match="no coordinate of its own to lock"):
        Weld("A", "ground", "wheel", lock="t")
    with pytest.raises(InputError, match="unknown name in a formula 'brake'"):
        wheel("brake")
