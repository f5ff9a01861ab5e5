"""A block with play in a guide in space: where it rests under a force and under a moment."""

import numpy as np
import pytest
from tests.clearance.machines import motion

from flexframe.model.clearance import JointClearance
from flexframe.model.constraints import two_normals
from flexframe.model.contacts import ContactFriction, NormalLaw
from flexframe.model.joints import Prismatic
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, SystemGravity
from flexframe.multibody.contract import Simulation
from flexframe.multibody.histories import joint_force

MASS, PLAY, LENGTH, WIDTH, K = 0.8, 2e-4, 0.1, 0.04, 1e6
REST = 1e-6
"""Part of the depth that is left of impacts which are damped out."""


def block(loads: list[object], friction: float = 0.0, axis: tuple[float, ...] = (1.0, 0.0, 0.0)) -> System:
    law = NormalLaw("restitution", K, 1.0, 0.1)
    rubbing = ContactFriction(friction) if friction else None
    clearance = JointClearance(PLAY, 5e-3, LENGTH, law, rubbing, WIDTH)
    body = RigidBody("block", MASS, np.eye(3) * 1e-3)
    joint = Prismatic("guide", "ground", "block", axis, clearance=clearance)
    return System([body], [joint], loads=loads, space="spatial", start={"block": Placement((0.0, 0.0, 0.0))})  # type: ignore[arg-type]


def force(x: float, y: float, z: float, moment: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> MarkerForce:
    return MarkerForce("push", "block", force=(x, y, z), moment=moment)


def rest(system: System, duration: float = 0.5) -> Simulation:
    return motion(system, duration, 11, step=1e-3)


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.6, 0.8)])
def test_it_lies_on_four_corners(axis: tuple[float, ...]) -> None:
    """Under a force F across the guide, along a wall, by the play and F/(4K)."""
    u, _ = two_normals(axis)
    F = 40.0
    run = rest(block([force(*(-F * np.array(u)))], axis=axis))
    depth = F / (4 * K)
    moved = run.positions[-1, 0] @ np.array(u)
    assert moved == pytest.approx(-PLAY - depth, abs=REST * PLAY + 1e-3 * depth)
    carried, moment = joint_force(run, "guide")
    np.testing.assert_allclose(carried[-1], F * np.array(u), atol=1e-3 * F)
    assert np.abs(moment[-1]).max() < 1e-3 * F * WIDTH


def test_it_tilts_between_two_walls() -> None:
    """Under a moment M about z front and back corners carry M/l: the tilt is 2 (c + δ)/l with δ = M/(2 K l)."""
    M = 1.5
    run = rest(block([force(0.0, 0.0, 0.0, (0.0, 0.0, M))]))
    tilt = 2 * np.arcsin(run.quaternions[-1, 0, 3])
    # corners are half a width beside the axis: of second order in the tilt, which is 4e-3
    assert tilt == pytest.approx(2 * (PLAY + M / (2 * K * LENGTH)) / LENGTH, rel=5e-3)
    assert joint_force(run, "guide")[1][-1, 2] == pytest.approx(-M, rel=1e-3)


def test_it_twists_about_its_axis() -> None:
    """Under a moment about the axis all four edges touch: it is held."""
    M = 0.4
    run = rest(block([force(0.0, 0.0, 0.0, (M, 0.0, 0.0))]))
    assert joint_force(run, "guide")[1][-1, 0] == pytest.approx(-M, rel=1e-3)
    half = WIDTH / 2 - 5e-3
    twist = 2 * np.arcsin(run.quaternions[-1, 0, 1])
    # eight corners at half a width from the middle of their wall: 8 K δ s = M, twist = (c + δ)/s
    depth = M / (8 * K * half)
    assert twist == pytest.approx((PLAY + depth) / half, rel=2e-2)  # of second order in the twist, 1.4e-2


def test_friction_along_the_guide() -> None:
    """Lying on its corners under its weight it slides along with a − μ g."""
    mu, push = 0.3, 6.0
    run = motion(
        block([SystemGravity(acceleration=(0.0, 0.0, -9.81)), force(push, 0.0, 0.0)], mu), 0.6, 61, step=1e-3
    )
    rate = push / MASS - mu * 9.81
    late = run.times > 0.3
    slope = np.polyfit(run.times[late], run.velocities[late, 0], 1)[0]
    assert slope == pytest.approx(rate, rel=1e-2)  # corners settle in this time
