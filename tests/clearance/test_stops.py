"""Stops of joints: rebound in closed form, and energy."""

import numpy as np
import pytest

from clearance.machines import motion
from flexframe.errors import InputError
from flexframe.model.joints import Prismatic, Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.multibody.histories import joint_force

INERTIA, K, OMEGA = 0.02, 5e3, 3.0
STEP = 1e-5
ERROR = 4 * K / INERTIA * STEP**2
"""Of the integrator, of second order: a few (ω h)², 1e-4, over half an oscillation."""


def turning(damping: float, stops: tuple[float, float] = (-0.2, 0.3), speed: float = OMEGA) -> System:
    wheel = RigidBody("wheel", 1.0, INERTIA)
    joint = Revolute("A", "ground", "wheel", stops=stops, stop_stiffness=K, stop_damping=damping)
    return System([wheel], [joint], start={"wheel": Placement((0.0, 0.0), angular_velocity=(0.0, 0.0, speed))})


@pytest.mark.parametrize("ratio", [0.0, 0.1, 0.4])
def test_rebound_of_a_stop(ratio: float) -> None:
    """Half a damped oscillation: e = exp(−π ζ/√(1 − ζ²)), and π/(ω √(1 − ζ²)) between touching and leaving.

    The force of the damper begins with a jump, which the step after it takes with an error of the order ζ ω h.
    """
    error = ERROR + 3 * ratio * np.sqrt(K / INERTIA) * STEP
    damping = 2 * ratio * np.sqrt(K * INERTIA)
    run = motion(turning(damping), 0.18, 181, step=STEP)
    e = np.exp(-np.pi * ratio / np.sqrt(1 - ratio**2))
    assert run.velocities[-1, 2] == pytest.approx(-e * OMEGA, rel=error)
    half = np.pi / np.sqrt(K / INERTIA * (1 - ratio**2))
    assert run.angles[-1, 0] == pytest.approx(0.3 - e * OMEGA * (0.18 - 0.1 - half), rel=error)
    kinetic = 0.5 * INERTIA * OMEGA**2
    assert run.energies[-1, 6] == pytest.approx(kinetic * (1 - e**2), rel=error, abs=error * kinetic)
    stored = run.energies[:, 3].max()
    assert stored <= kinetic * (1 + error)
    torque = joint_force(run, "A")[1][:, 2]
    assert torque.min() < 0
    assert not torque[run.times < 0.1].any()


def test_stops_almost_a_turn_apart() -> None:
    """The stop is met at 3 rad from below, and at −3 rad on the way back; between them nothing acts."""
    run = motion(turning(0.0, (-3.0, 3.0), speed=30.0), 0.35, 3501, step=STEP)
    depth = 30.0 * np.sqrt(INERTIA / K)  # ½ I ω² = ½ K δ²
    assert run.angles[:, 0].max() == pytest.approx(3.0 + depth, rel=1e-4)  # between two instants of the record
    assert run.angles[:, 0].min() == pytest.approx(-3.0 - depth, rel=1e-4)
    assert run.energy_drift < ERROR


def test_slide_between_two_stops() -> None:
    """Without damping it goes to and fro: its speed is what it was, and the stops store what it had."""
    mass, speed, stiffness = 0.5, 2.0, 1e5
    block = RigidBody("block", mass, 1e-3)
    joint = Prismatic("guide", "ground", "block", stops=(-0.05, 0.1), stop_stiffness=stiffness)
    system = System([block], [joint], start={"block": Placement((0.0, 0.0), velocity=(speed, 0.0, 0.0))})
    run = motion(system, 0.3, 3001, step=2e-5)
    depth = speed * np.sqrt(mass / stiffness)
    assert run.positions[:, 0, 0].max() == pytest.approx(0.1 + depth, rel=1e-3)
    assert run.positions[:, 0, 0].min() == pytest.approx(-0.05 - depth, rel=1e-3)
    half = np.pi * np.sqrt(mass / stiffness)
    period = 2 * 0.15 / speed + 2 * half
    first = 0.1 / speed + half / 2
    peaks = run.times[np.flatnonzero(np.diff(np.sign(run.velocities[:, 0])))]
    np.testing.assert_allclose(peaks[:3], first + period / 2 * np.arange(3), atol=2e-4)  # the record's instants


def test_refusals() -> None:
    with pytest.raises(InputError, match="give two numbers that increase"):
        turning(0.0, (0.3, -0.2))
    with pytest.raises(InputError, match="give less than 2π"):
        turning(0.0, (-4.0, 4.0))
    with pytest.raises(InputError, match="stops need a stop_stiffness"):
        Revolute("A", "ground", "wheel", stops=(-1.0, 1.0))
    with pytest.raises(InputError, match="give stops too"):
        Prismatic("A", "ground", "wheel", stop_stiffness=1.0)
