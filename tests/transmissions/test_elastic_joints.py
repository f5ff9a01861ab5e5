"""Screws and constant-velocity joints whose points are held by springs, while what they couple stays rigid."""

import numpy as np
import pytest

from flexframe.errors import InputError
from flexframe.model.joints import ConstantVelocity, Joint, Screw
from flexframe.model.rigid_body import RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce
from flexframe.multibody.contract import Simulation, SimulationOptions
from flexframe.multibody.histories import joint_force
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system

M, INERTIA, K = 2.0, 0.05, 500.0
ROOM = 1e-7  # of steps with the tolerance 1e-10, some hundred


def pushed(joint: Joint, force: tuple[float, float, float]) -> Simulation:
    body = RigidBody("body", M, INERTIA * np.eye(3))
    system = System([body], [joint], loads=[MarkerForce("push", "body", force=force)], space="spatial")
    asked = SimulationOptions(duration=0.5, samples=26, integrator="dormand_prince", tolerance=1e-10)
    return integrate(dynamic_system(system), asked)


def test_a_screw_gives_way_across_its_axis_only() -> None:
    """Across: y = F/k (1 − cos ωt). Along: (m + I/p²) z̈ = F, and the thread turns the body by z/p."""
    lead, across, along = 0.6, 3.0, 4.0
    pitch = lead / (2 * np.pi)
    run = pushed(Screw("screw", "ground", "body", lead=lead, stiffness=K), (0.0, across, along))
    y = across / K * (1 - np.cos(np.sqrt(K / M) * run.times))
    acceleration = along / (M + INERTIA / pitch**2)
    # the springs turn with the ground, so that the turning body swings on a straight line
    np.testing.assert_allclose(run.positions[:, 0, 1], y, atol=ROOM * across / K)
    np.testing.assert_allclose(run.positions[:, 0, 2], 0.5 * acceleration * run.times**2, atol=ROOM)
    np.testing.assert_allclose(run.velocities[:, 5], acceleration * run.times / pitch, atol=ROOM)
    force, _ = joint_force(run, "screw")
    np.testing.assert_allclose(force[:, 1], -K * y, atol=ROOM * across)
    np.testing.assert_allclose(force[:, 2], M * acceleration - along, atol=ROOM * along)


def test_a_constant_velocity_joint_gives_way_at_its_point() -> None:
    """A force in any direction: x = F/k (1 − cos ωt), without any rotation."""
    push = np.array([1.0, -2.0, 3.0])
    run = pushed(ConstantVelocity("joint", "ground", "body", stiffness=K), (1.0, -2.0, 3.0))
    moved = (1 - np.cos(np.sqrt(K / M) * run.times))[:, None] * push / K
    np.testing.assert_allclose(run.positions[:, 0], moved, atol=ROOM * 3.0 / K)
    force, _ = joint_force(run, "joint")
    np.testing.assert_allclose(force, -K * moved, atol=ROOM * 3.0)


def test_rotations_that_follow_each_other_have_no_stiffness() -> None:
    with pytest.raises(InputError, match="the rotations of this joint follow each other rigidly"):
        ConstantVelocity("joint", "ground", "body", rotation_stiffness=10.0)
