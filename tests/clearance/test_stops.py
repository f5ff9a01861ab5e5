"""Stops of joints: rebound in closed form, none missed, and energy."""

import numpy as np
import pytest
from tests.clearance.machines import motion
from tests.rounding import rounding

from flexframe.errors import InputError
from flexframe.model.contacts import NormalLaw
from flexframe.model.joints import Prismatic, Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity
from flexframe.multibody.contract import Simulation
from flexframe.multibody.histories import joint_force

INERTIA, K, OMEGA, G = 0.02, 5e3, 3.0, 9.81
DIVISIONS = 1 / 40**2  # an impact is forty steps of a method of second order


def turning(law: NormalLaw, stops: tuple[float, float] = (-0.2, 0.3), speed: float = OMEGA) -> System:
    wheel = RigidBody("wheel", 1.0, INERTIA)
    joint = Revolute("A", "ground", "wheel", stops=stops, stop_law=law)
    return System([wheel], [joint], start={"wheel": Placement((0.0, 0.0), angular_velocity=(0.0, 0.0, speed))})


def sliding(law: NormalLaw) -> System:
    block = RigidBody("block", 0.5, 1e-3)
    joint = Prismatic("A", "ground", "block", (0.6, 0.8), stops=(-0.2, 0.3), stop_law=law)
    start = Placement((0.0, 0.0), velocity=(0.6 * OMEGA, 0.8 * OMEGA, 0.0))
    return System([block], [joint], start={"block": start})


def speed_along(run: Simulation, system: System) -> float:
    if isinstance(system.joints[0], Revolute):
        return float(run.velocities[-1, 2])
    return float(run.velocities[-1, :2] @ (0.6, 0.8))


@pytest.mark.parametrize("make", [turning, sliding])
@pytest.mark.parametrize("exponent", [1.0, 1.5])
@pytest.mark.parametrize("e", [1.0, 0.8, 0.5, 0.2])
def test_the_asked_restitution_is_returned(make: object, exponent: float, e: float) -> None:
    """By a compliant law after one impact, in steps a hundred times as long as the impact."""
    system = make(NormalLaw("restitution", 4e4, exponent, e, least_speed=1e-6))  # type: ignore[operator]
    run = motion(system, 0.18, 3, step=0.06)
    assert speed_along(run, system) == pytest.approx(-e * OMEGA, rel=DIVISIONS)
    inertia = INERTIA if isinstance(system.joints[0], Revolute) else 0.5
    lost = 0.5 * inertia * OMEGA**2 * (1 - e**2)
    assert run.energies[-1, 7] == pytest.approx(lost, rel=DIVISIONS, abs=rounding(1e3))


@pytest.mark.parametrize("make", [turning, sliding])
def test_an_impulse_returns_it_exactly(make: object) -> None:
    system = make(NormalLaw("impulsive", restitution=0.7))  # type: ignore[operator]
    run = motion(system, 0.18, 3, step=0.06)
    assert speed_along(run, system) == pytest.approx(-0.7 * OMEGA, rel=rounding(1e4))
    (happened,) = run.occurrences
    assert happened.time == pytest.approx(0.3 / OMEGA, rel=rounding(1e5))
    inertia = INERTIA if isinstance(system.joints[0], Revolute) else 0.5
    assert happened.impulse == pytest.approx(1.7 * inertia * OMEGA, rel=rounding(1e4))
    assert happened.lost == pytest.approx(0.5 * inertia * OMEGA**2 * (1 - 0.49), rel=rounding(1e4))
    assert run.energy_drift < rounding(1e4)


@pytest.mark.parametrize("law", ["hunt_crossley", "lankarani_nikravesh"])
def test_published_laws_keep_what_they_return(law: str) -> None:
    """e of ln((1 + c)/(1 − c e)) = c (1 + e) with the published c: Lankarani and Nikravesh's 0.5 returns 0.725."""
    c = {"hunt_crossley": 0.75, "lankarani_nikravesh": 0.75 * 0.75}[law]
    grid = np.linspace(0.01, 1.0, 1_000_001)
    e = grid[np.argmin(np.abs(np.log((1 + c) / (1 - c * grid)) - c * (1 + grid)))]
    run = motion(turning(NormalLaw(law, K, 1.0, 0.5, least_speed=1e-6)), 0.18, 3, step=0.06)  # type: ignore[arg-type]
    assert run.velocities[-1, 2] == pytest.approx(-e * OMEGA, rel=DIVISIONS)


@pytest.mark.parametrize("ratio", [0.0, 0.1, 0.4])
def test_rebound_of_a_spring_with_a_damper(ratio: float) -> None:
    """It never pulls: of the damped oscillation with ζ there is left e = exp(−2ζ/√(1 − ζ²) atan(√(1 − ζ²)/ζ))."""
    wheel, damping = RigidBody("wheel", 1.0, INERTIA), 2 * ratio * np.sqrt(K * INERTIA)
    joint = Revolute("A", "ground", "wheel", stops=(-0.2, 0.3), stop_stiffness=K, stop_damping=damping)
    start = {"wheel": Placement((0.0, 0.0), angular_velocity=(0.0, 0.0, OMEGA))}
    run = motion(System([wheel], [joint], start=start), 0.18, 181, step=1e-3)
    root = np.sqrt(1 - ratio**2)
    e = np.exp(-2 * ratio / root * np.arctan2(root, ratio))
    # the force of the damper begins with a jump, which one step takes with an error of its own order
    error = DIVISIONS + ratio / 40
    assert run.velocities[-1, 2] == pytest.approx(-e * OMEGA, rel=error)
    torque = joint_force(run, "A")[1][:, 2]
    assert torque.min() < 0
    assert not torque[run.times < 0.1].any()


def test_no_stop_is_missed() -> None:
    """To and fro between the stops at steps that pass from one to the other: 0.3 rad, then 0.5 rad each."""
    run = motion(turning(NormalLaw("impulsive", restitution=1.0)), 2.0, 501, step=0.16)
    times = (0.3 + 0.5 * np.arange(12)) / OMEGA
    found = [each.time for each in run.occurrences]
    np.testing.assert_allclose(found, times[: len(found)], atol=rounding(1e5))
    assert len(found) == np.sum(times < 2.0)
    assert run.angles[:, 0].max() <= 0.3 + rounding(1e3)
    assert run.angles[:, 0].min() >= -0.2 - rounding(1e3)


@pytest.mark.parametrize("axis", [(0.0, 0.0, 1.0), (1.0, 2.0, 2.0)])
def test_stops_almost_a_turn_apart_in_space(axis: tuple[float, float, float]) -> None:
    """At 3 rad from below, and at −3 rad on the way back, about an axis that lies anywhere."""
    direction = np.array(axis) / np.linalg.norm(axis)
    wheel = RigidBody("wheel", 1.0, np.eye(3) * INERTIA)
    law = NormalLaw("impulsive", restitution=0.5)
    joint = Revolute("A", "ground", "wheel", axis, stops=(-3.0, 3.0), stop_law=law)
    start = {"wheel": Placement((0.0, 0.0, 0.0), angular_velocity=tuple(30.0 * direction))}
    run = motion(System([wheel], [joint], start=start, space="spatial"), 0.52, 3, step=0.01)
    assert [each.name for each in run.occurrences] == ["A.upper", "A.lower"]
    expected = [0.1, 0.1 + 6.0 / 15.0]
    # the step after an impact that is hardly longer than rounding puts positions on the joint to 1e-14
    np.testing.assert_allclose([each.time for each in run.occurrences], expected, rtol=1e-9)
    assert run.occurrences[1].speed == pytest.approx(-15.0, rel=1e-9)


def test_pendulum_on_its_stop() -> None:
    """From the height l above the stop it returns to e² l: ω² = 3g/l of a rod, and sin θ = −1 + e² after it."""
    length, e = 0.4, 0.6
    rod = RigidBody.rod("rod", length=length, mass=2.0)
    law = NormalLaw("impulsive", restitution=e)
    joint = Revolute("A", "ground", "rod", stops=(-np.pi / 2, 1.0), stop_law=law)
    run = motion(System([rod], [joint], loads=[SystemGravity()]), 0.8, 801, step=1e-4)
    # generalised-α: a few (ω h)² with ω of the order √(g/l)
    error = 10 * (1e-4**2 * 3 * G / length)
    assert run.occurrences[0].speed == pytest.approx(-np.sqrt(3 * G / length), rel=error)
    assert run.occurrences[0].time == pytest.approx(
        np.sqrt(length / (3 * G)) * 2.6220575542921198,
        rel=1e-6,  # ∫ dθ/√(sin θ) from 0 to π/2
    )
    after = run.angles[run.times > run.occurrences[0].time, 0]
    assert np.sin(after.max()) == pytest.approx(-1 + e**2, abs=1e-5)  # between two instants of the record


def test_refusals() -> None:
    law = NormalLaw("impulsive")
    with pytest.raises(InputError, match="give two numbers that increase"):
        turning(law, (0.3, -0.2))
    with pytest.raises(InputError, match="give less than 2π"):
        turning(law, (-4.0, 4.0))
    with pytest.raises(InputError, match="stops need a stop_law, or a stop_stiffness"):
        Revolute("A", "ground", "wheel", stops=(-1.0, 1.0))
    with pytest.raises(InputError, match="give stops too"):
        Prismatic("A", "ground", "wheel", stop_stiffness=1.0)
    with pytest.raises(InputError, match="leave one out"):
        Prismatic("A", "ground", "wheel", stops=(-1.0, 1.0), stop_stiffness=1.0, stop_law=law)
