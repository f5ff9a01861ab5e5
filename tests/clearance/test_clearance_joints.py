"""Joints with clearance against their ideal ones, equilibria in closed form, and energy."""

from functools import cache

import numpy as np
import pytest
from tests.clearance.machines import CRANK, FLORES, ROD, ideal, motion, slider_crank

from flexframe.maths.arrays import Array
from flexframe.model.clearance import JointClearance
from flexframe.model.contacts import ContactFriction, NormalLaw
from flexframe.model.joints import Prismatic, Revolute, Spherical
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.rubbing import FrictionModel
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, SystemGravity, TorsionSpring
from flexframe.multibody.contract import Simulation, SimulationOptions
from flexframe.multibody.histories import joint_force
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system

G = 9.81
SLIDER = 0.14
SPEED = 200.0
TURN = 2 * np.pi / SPEED
STIFF = NormalLaw("restitution", 1e12, restitution=0.3)
SOFT = NormalLaw("restitution", 1e8, restitution=0.2)
TILT = 1 / np.sqrt(1 - (CRANK / ROD) ** 2)
"""1/cos φ of the rod at its steepest: a place of its end that is off by e moves the slider by e/cos φ at most."""


@cache
def crank_motion(clearance: float) -> Simulation:
    play = JointClearance(clearance, law=STIFF) if clearance else None
    return motion(slider_crank(play, SPEED), 1.5 * TURN, 3001, step=TURN / 2000)


def deviation(run: Simulation, base: Simulation) -> Array:
    return np.asarray(run.positions[:, 2, 0] - base.positions[:, 2, 0])


def test_slider_stays_within_the_clearance() -> None:
    """|Δx| ≤ (c + δ)/cos φ to first order, δ the depth of the hardest impact; the rest is of the order c²/l."""
    base = crank_motion(0.0)
    for c in (4e-4, 1e-4):
        run = crank_motion(c)
        depth = (run.contact_peaks[0, 0] / STIFF.stiffness) ** (2 / 3)
        off = np.abs(deviation(run, base)).max()
        assert off < (c + depth) * TILT + (c + depth) ** 2 / ROD
        assert off > 0.5 * c


def test_motion_converges_to_the_ideal_one_with_order_one() -> None:
    base = crank_motion(0.0)
    late = base.times > 0.5 * TURN
    found = [np.sqrt(np.mean(deviation(crank_motion(c), base)[late] ** 2)) for c in (4e-4, 2e-4, 1e-4)]
    orders = np.log2(np.array(found[:-1]) / found[1:])
    np.testing.assert_allclose(orders, 1.0, atol=0.25)  # single impacts come at other instants for each clearance


def test_window_averages_of_the_joint_force_converge() -> None:
    """With a window w that ends smoothly the mean of m Δẍ w is that of m Δx ẅ: bounded by the deviation.

    w = 1 − cos(2π t/τ) over half a turn. The force of the record is at instants, so that its mean is off by what
    the sum of an impact over them misses: here sums of speeds are taken, ∫ F w dt = −m ∫ Δv ẇ dt, from the motion.
    """
    base = crank_motion(0.0)
    tau = TURN / 2
    inside = (base.times >= TURN - 1e-12) & (base.times <= TURN + tau + 1e-12)
    t = base.times[inside] - TURN
    window_rate = 2 * np.pi / tau * np.sin(2 * np.pi * t / tau)
    ideal_force = joint_force(base, "C")[0][inside, 0]
    weights = 1 - np.cos(2 * np.pi * t / tau)
    mean = np.trapezoid(ideal_force * weights, t) / tau
    from_speeds = -SLIDER * np.trapezoid(speed_of(base)[inside] * window_rate, t) / tau
    assert from_speeds == pytest.approx(mean, rel=1e-4)  # trapezia over 1000 instants, 1e-6 of a smooth force
    for c in (4e-4, 2e-4, 1e-4):
        run = crank_motion(c)
        off = np.abs(deviation(run, base)).max()
        found = -SLIDER * np.trapezoid(speed_of(run)[inside] * window_rate, t) / tau
        assert abs(found - mean) < SLIDER * off * (2 * np.pi / tau) ** 2 * 2 / np.pi + 1e-4 * abs(mean)


def speed_of(run: Simulation) -> Array:
    """Of the slider along its guide, which does not turn."""
    return np.asarray(run.velocities[:, 6])


def test_joint_force_is_that_of_the_contact() -> None:
    """The slider has no other force along its guide: F_x = m ẍ."""
    run = crank_motion(4e-4)
    force, moment = joint_force(run, "C")
    np.testing.assert_allclose(force[:, 0], SLIDER * run.accelerations[:, 6], atol=1e-9 * np.abs(force).max())
    assert np.abs(moment).max() < 1e-9 * np.abs(force).max()  # without friction through the centre of the journal


def test_published_slider_crank() -> None:
    """Flores and Ambrósio at 5000 rpm: acceleration in peaks far above the ideal ones, position hardly different.

    An impact with the speed v has the force K δ^1.5 with ½ m v² = ⅖ K δ^2.5 at least for the mass of the slider
    and the rod end; the peaks of the record are several times what the ideal joint needs.
    """
    speed = 5000 * np.pi / 30
    system = slider_crank(FLORES, speed)
    turn = 2 * np.pi / speed
    run = motion(system, 2 * turn, 2001, step=1e-5)
    base = motion(ideal(system), 2 * turn, 2001, step=1e-5)
    assert FLORES.law is not None
    depth = (run.contact_peaks[0, 0] / FLORES.law.stiffness) ** (2 / 3)
    off = np.abs(deviation(run, base)).max()
    assert off < (FLORES.radial + depth) * TILT * (1 + FLORES.radial / ROD)
    needed = np.linalg.norm(joint_force(base, "C")[0], axis=1).max()
    top = CRANK * speed**2 * (1 + CRANK / ROD)
    assert np.abs(base.accelerations[:, 6]).max() == pytest.approx(
        top, rel=1e-4
    )  # in the dead centre, at the start
    assert run.contact_peaks[0, 0] > 3 * needed
    assert np.abs(run.accelerations[:, 6]).max() > 3 * top
    flying = run.contacts[:, 0, 0] > 0  # then the slider has no force along its guide
    assert flying.any()
    assert np.abs(run.accelerations[flying, 6]).max() < 1e-9 * top
    assert run.energy_drift < 1e-3


def test_journal_rests_in_its_bearing() -> None:
    """K δⁿ = m g, below the middle by clearance and depth."""
    body = RigidBody("shaft", 2.0, 1e-3)
    joint = Revolute("A", "ground", "shaft", clearance=JointClearance(1e-4, law=SOFT))
    run = motion(System([body], [joint], loads=[SystemGravity()]), 1.0, 101, step=1e-3)
    depth = (2.0 * G / SOFT.stiffness) ** (2 / 3)
    assert run.positions[-1, 0, 1] == pytest.approx(-1e-4 - depth, rel=1e-6)  # what is left of the decay
    np.testing.assert_allclose(joint_force(run, "A")[0][-1], [0.0, 2.0 * G, 0.0], atol=1e-5)


@pytest.mark.parametrize("length", [None, 0.02])
def test_journal_in_space(length: float | None) -> None:
    """Held along its axis; with a length each of two ends carries half of the weight, K δⁿ = m g/2."""
    body = RigidBody("shaft", 2.0, np.eye(3) * 1e-3)
    play = JointClearance(1e-4, length=length, law=SOFT)
    system = System(
        [body],
        [Revolute("A", "ground", "shaft", clearance=play)],
        loads=[SystemGravity(acceleration=(0.0, -G, 1.0))],
        space="spatial",
    )
    run = motion(system, 1.0, 101, step=1e-3)
    depth = (2.0 * G / (1 if length is None else 2) / SOFT.stiffness) ** (2 / 3)
    np.testing.assert_allclose(run.positions[-1, 0], [0.0, -1e-4 - depth, 0.0], rtol=0, atol=1e-6 * depth)
    np.testing.assert_allclose(joint_force(run, "A")[0][-1], [0.0, 2.0 * G, -2.0], atol=1e-5)
    assert len(run.system.owners) == (3 if length is None else 1)


def test_ball_in_its_socket() -> None:
    body = RigidBody("ball", 2.0, np.eye(3) * 1e-3)
    joint = Spherical("A", "ground", "ball", clearance=JointClearance(1e-4, law=SOFT))
    system = System([body], [joint], loads=[SystemGravity(acceleration=(3.0, 0.0, 4.0))], space="spatial")
    run = motion(system, 1.0, 101, step=1e-3)
    depth = (2.0 * 5.0 / SOFT.stiffness) ** (2 / 3)
    np.testing.assert_allclose(run.positions[-1, 0], (1e-4 + depth) * np.array([0.6, 0.0, 0.8]), atol=1e-6 * depth)
    assert run.system.rows == 0


def test_pendulum_with_clearance_keeps_its_energy_balance() -> None:
    """What is stored and what contact dissipated, by damping and friction, is what there was at the start."""
    rod = RigidBody.rod("rod", length=0.3, mass=1.0)
    play = JointClearance(2e-4, law=NormalLaw("restitution", 1e9, restitution=0.5), friction=ContactFriction(0.2))
    system = System([rod], [Revolute("A", "ground", "rod", clearance=play)], loads=[SystemGravity()])
    run = motion(system, 1.0, 1001, step=5e-4)
    total = run.energies[:, :4].sum(axis=1)
    lost = run.energies[:, 7]
    scale = 1.0 * G * 0.3
    np.testing.assert_allclose(total + lost, total[0], rtol=0, atol=1e-3 * scale)
    assert lost[-1] > 0.01 * scale
    assert (np.diff(lost) > -1e-9 * scale).all()
    gap = np.linalg.norm(run.positions[:, 0], axis=1)
    assert gap.max() < 2e-4 + (run.contact_peaks[0, 0] / 1e9) ** (2 / 3) * (1 + 1e-6)


@pytest.mark.parametrize("offset", [0.0, 0.01, 0.05])
def test_slide_with_play_under_a_force_across(offset: float) -> None:
    """Force F at a distance a from the middle: ends carry F (½ ± a/L), the far one over there for a > L/2."""
    length, c, F = 0.04, 1e-4, 50.0
    slider = RigidBody("slider", 0.5, 1e-4, points={"P": (offset, 0.0)})
    play = JointClearance(c, length=length, law=SOFT)
    system = System(
        [slider],
        [Prismatic("guide", "ground", "slider", clearance=play)],
        loads=[MarkerForce("push", "slider.P", (0.0, F))],
        start={"slider": Placement((0.1, 0.0))},
    )
    run = motion(system, 1.0, 11, step=5e-4)
    names = [contact.name for contact in system.all_contacts]
    normal = dict(zip(names, run.contacts[-1, :, 1], strict=True))
    front, back = F * (0.5 + offset / length), F * (0.5 - offset / length)
    expected = {
        "guide.front.left": front,
        "guide.front.right": 0.0,
        "guide.back.left": max(back, 0.0),
        "guide.back.right": max(-back, 0.0),
    }
    assert normal == pytest.approx(expected, abs=1e-3 * F)  # cos of the tilt, and what is left of the decay
    ends = [np.sign(N) * (c + (abs(N) / SOFT.stiffness) ** (2 / 3)) for N in (front, back)]
    assert run.angles[-1, 0] == pytest.approx((ends[0] - ends[1]) / length, rel=1e-2, abs=1e-6)
    force, moment = joint_force(run, "guide")
    np.testing.assert_allclose(force[-1], [0.0, -F, 0.0], atol=1e-2 * F)
    assert moment[-1, 2] == pytest.approx(-F * offset, abs=1e-3 * F * length)


@pytest.mark.parametrize("model", ["elasto_plastic", "lugre"])
def test_a_journal_that_a_torque_turns_sticks_in_its_bearing(model: FrictionModel) -> None:
    """It climbs to where friction is T/r and stays: tan φ = F/√((m g)² − F²) < μ; 1e-9 is the rest of it."""
    mass, radius, torque, play, mu = 2.0, 0.01, 0.03, 1e-4, 0.3
    law = NormalLaw("kelvin_voigt", 1e7, 1.0, damping=2e3)
    friction = ContactFriction(mu, model=model)
    system = System(
        [RigidBody("shaft", mass, np.array(0.5 * mass * radius**2))],
        [Revolute("A", "ground", "shaft", clearance=JointClearance(play, radius, law=law, friction=friction))],
        loads=[
            SystemGravity(),
            MarkerForce("turn", "shaft", (0.0, 0.0), (0.0, 0.0, torque)),
            TorsionSpring("drag", "ground", "shaft", damping=0.02),
        ],
        start={"shaft": Placement((0.0, -play, 0.0))},
    )
    found = integrate(dynamic_system(system), SimulationOptions(duration=4.0, samples=5, step=1e-3))
    weight, rubs = mass * 9.81, torque / radius
    normal = np.sqrt(weight**2 - rubs**2)
    assert rubs < mu * normal
    assert found.contacts[-1, 0, 1] == pytest.approx(normal, rel=1e-6)
    assert found.contacts[-1, 0, 2] == pytest.approx(rubs, rel=1e-6)
    x, y, _ = found.positions[-1, 0]
    assert np.arctan2(abs(x), -y) == pytest.approx(np.arctan2(rubs, normal), rel=1e-6)
    assert np.ptp(found.angles[-2:, 0]) < 1e-9
