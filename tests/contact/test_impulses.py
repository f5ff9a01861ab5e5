"""Impacts by restitution alone, against closed forms: bounces, spheres, friction, linkages."""

import numpy as np
import pytest
from tests.rounding import rounding

from flexframe.model.contacts import ContactFriction, NormalLaw, SpherePlane, SphereSphere
from flexframe.model.joints import Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity
from flexframe.multibody.contract import DynamicState, Simulation, SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system

G, RADIUS, MASS = 9.81, 0.05, 0.5


def run(
    system: System, duration: float, *, step: float | None = 1e-2, samples: int = 11, **more: object
) -> Simulation:
    options = SimulationOptions(duration=duration, step=step, samples=samples, **more)  # type: ignore[arg-type]
    return integrate(dynamic_system(system), options, partial=True)


CONTROLLED = [
    {"step": None, "tolerance": 1e-9, "integrator": name} for name in ("dormand_prince", "dormand_prince_853")
]


def ball(
    name: str, at: tuple[float, float], velocity: tuple[float, float] = (0.0, 0.0)
) -> tuple[RigidBody, Placement]:
    body = RigidBody(name, MASS, np.array(0.4 * MASS * RADIUS**2))
    return body, Placement(np.array([*at, 0.0]), velocity=np.array([*velocity, 0.0]))


def in_space(found: Simulation) -> tuple[float, float, float]:
    """Velocity at the end in axes of space, and spin."""
    vx, vy, w = found.velocities[-1][:3]
    c, s = np.cos(found.angles[-1, 0]), np.sin(found.angles[-1, 0])
    return float(c * vx - s * vy), float(s * vx + c * vy), float(w)


def floor(restitution: float, friction: float = 0.0, least_speed: float = 1e-3) -> SpherePlane:
    return SpherePlane(
        name="floor",
        first="ground",
        second="ball",
        radius=RADIUS,
        law=NormalLaw("impulsive", restitution=restitution, least_speed=least_speed),
        friction=ContactFriction(friction) if friction else None,
    )


@pytest.mark.parametrize(
    ("options", "samples"),
    [({}, 11), ({"step": 7e-3}, 301), ({"step": 0.1}, 4), (CONTROLLED[0], 11), (CONTROLLED[1], 301)],
)
def test_bouncing_ball(options: dict[str, object], samples: int) -> None:
    """Times and heights of all bounces: free fall is exact in these steps, so that they do not count."""
    e, drop = 0.8, 1.0
    body, start = ball("ball", (0.0, drop + RADIUS))
    system = System([body], loads=[SystemGravity()], contacts=[floor(e)], start={"ball": start})
    found = run(system, 3.0, samples=samples, **options)  # type: ignore[arg-type]
    speed = np.sqrt(2 * G * drop)
    time, times, speeds = speed / G, [], []
    while time < 3.0:
        times.append(time)
        speeds.append(-speed)
        speed *= e
        time += 2 * speed / G
    np.testing.assert_allclose([each.time for each in found.occurrences], times, rtol=0, atol=rounding(1e4))
    np.testing.assert_allclose([each.speed for each in found.occurrences], speeds, rtol=0, atol=rounding(1e5))
    lost = [0.5 * MASS * v**2 * (1 - e**2) for v in speeds]
    np.testing.assert_allclose([each.lost for each in found.occurrences], lost, rtol=rounding(1e5))
    assert found.energy_drift < rounding(1e5)


def test_two_balls() -> None:
    """Along their line e(v₁ − v₂) is the speed of parting, and momentum stays."""
    first, at_first = ball("a", (0.0, 0.0), (2.0, 0.0))
    second, at_second = ball("b", (0.5, 0.03), (-1.0, 0.0))
    law = NormalLaw("impulsive", restitution=0.7)
    contact = SphereSphere(name="meet", first="a", second="b", radii=(RADIUS, RADIUS), law=law)
    found = run(System([first, second], contacts=[contact], start={"a": at_first, "b": at_second}), 0.3)
    (meet,) = found.occurrences
    n = np.array([np.sqrt(4 * RADIUS**2 - 0.03**2), 0.03]) / (2 * RADIUS)
    closing = -3.0 * n[0]
    assert meet.speed == pytest.approx(closing, abs=rounding(1e4))
    impulse = 1.7 * 3.0 * n[0] * MASS / 2
    assert meet.impulse == pytest.approx(impulse, rel=rounding(1e4))
    u = found.velocities[-1]
    np.testing.assert_allclose(u[:2], [2.0, 0.0] - impulse / MASS * n, rtol=0, atol=rounding(1e4))
    np.testing.assert_allclose(u[3:5], [-1.0, 0.0] + impulse / MASS * n, rtol=0, atol=rounding(1e4))
    assert found.energy_drift < rounding(1e4)


@pytest.mark.parametrize("friction", [0.05, 0.6])
def test_a_thrown_ball_takes_spin(friction: float) -> None:
    """Sliding: μ(1 + e)v m. Sticking: the point of contact stands still, 2/7 of the slip goes into the impulse."""
    e, across, down = 0.6, 2.0, 3.0
    body, start = ball("ball", (0.0, RADIUS + 0.03), (across, -down))
    found = run(System([body], contacts=[floor(e, friction)], start={"ball": start}), 0.05, step=1e-4)
    sliding = friction * (1 + e) * down
    sticking = across * 2 / 7
    assert (sliding < sticking) == (friction == 0.05)
    lost = min(sliding, sticking)
    vx, vy, w = in_space(found)
    assert found.occurrences[0].impulse == pytest.approx(MASS * (1 + e) * down, rel=rounding(1e4))
    # a spinning body moves in its own axes, with an error of second order of the step
    assert vy == pytest.approx(e * down, rel=1e-5)
    assert across - vx == pytest.approx(lost, rel=1e-5)
    assert -w * RADIUS == pytest.approx(2.5 * lost, rel=1e-5)
    assert found.energy_drift < 1e-5


def test_joints_pass_the_impulse_on() -> None:
    """A hinged rod with a ball at its end hits a plane: angular speed −e ω, and the hinge takes its part."""
    length, w = 0.8, 3.0
    rod = RigidBody.rod("rod", length=length, mass=2.0)
    contact = SpherePlane(
        name="stop",
        first="ground.stop",
        second="rod.end",
        normal=(0.0, 1.0, 0.0),
        law=NormalLaw("impulsive", restitution=0.4),
    )
    angle = 0.3
    system = System(
        [rod],
        [Revolute("A", "ground", "rod")],
        contacts=[contact],
        ground={"stop": (0.0, 0.0)},
        start={"rod": Placement(np.zeros(3), np.array([angle]), angular_velocity=np.array([0.0, 0.0, -w]))},
    )
    found = run(system, 0.2, step=1e-3)
    (hit,) = found.occurrences
    assert hit.time == pytest.approx(angle / w, abs=1e-9)  # the end of the rod moves on an arc
    assert hit.speed == pytest.approx(-w * length, rel=1e-9)
    assert hit.impulse == pytest.approx(1.4 * w * (2.0 * length**2 / 3) / length, rel=1e-9)
    assert found.velocities[-1][2] == pytest.approx(0.4 * w, rel=1e-9)


def test_an_impact_inside_a_step_is_not_missed() -> None:
    """The tip of a turning arm dips below a plane for less than a step."""
    length, depth, w, step = 0.5, 1e-4, 10.0, 0.02
    dips = 2 * np.arccos(1 - depth / length) / w
    assert dips < 0.25 * step
    arm = RigidBody.rod("arm", length=length, mass=1.0)
    plane = SpherePlane(
        name="plane", first="ground.low", second="arm.end", law=NormalLaw("impulsive", restitution=1.0)
    )
    begin = -np.pi / 2 - 0.5 * w * step - 3 * w * step  # the deepest place is in the midst of a step
    system = System(
        [arm],
        [Revolute("A", "ground", "arm")],
        contacts=[plane],
        ground={"low": (0.0, -length + depth)},
        start={"arm": Placement(np.zeros(3), np.array([begin]), angular_velocity=np.array([0.0, 0.0, w]))},
    )
    found = run(system, 0.2, step=step)
    assert found.occurrences[0].time == pytest.approx(3.5 * step - dips / 2, abs=1e-6)


@pytest.mark.parametrize("options", [{"step": 1e-2}, *CONTROLLED])
@pytest.mark.parametrize("cut", [5, 13, 20])
def test_a_run_that_is_resumed_between_bounces_is_the_same_run(options: dict[str, object], cut: int) -> None:
    """Stopped, saved as arrays and continued: samples and impacts are those of one run, bit by bit."""
    body, start = ball("ball", (0.0, 1.0 + RADIUS))
    system = dynamic_system(System([body], loads=[SystemGravity()], contacts=[floor(0.8)], start={"ball": start}))
    times = np.linspace(0.0, 3.0, 31)
    asked = SimulationOptions(duration=3.0, **options)  # type: ignore[arg-type]
    whole = integrate(system, asked, times=times)
    first = integrate(system, asked, times=times[: cut + 1])
    saved = DynamicState.from_arrays({name: np.array(value) for name, value in first.end.arrays().items()})
    second = integrate(system, asked, saved, times=times[cut:])
    for part in ("positions", "velocities", "energies"):
        np.testing.assert_array_equal(getattr(whole, part)[: cut + 1], getattr(first, part))
        np.testing.assert_array_equal(getattr(whole, part)[cut:], getattr(second, part))
    assert [*first.occurrences, *second.occurrences] == [*whole.occurrences]
