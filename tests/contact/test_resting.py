"""Shapes that an impulsive law brings to rest on each other, and that part again, against closed forms."""

import numpy as np
import pytest
from scipy.optimize import brentq

from contact.test_impulses import MASS, RADIUS, G, ball, floor, run
from flexframe.analyses.simulate import simulate
from flexframe.elements.properties import STEEL, Rectangle
from flexframe.errors import InputError
from flexframe.model.body import Body
from flexframe.model.contacts import NormalLaw, SpherePlane, SpherePolyline, SphereProfile, SphereSphere
from flexframe.model.drives import PositionDrive
from flexframe.model.joints import Prismatic, Weld
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, SystemGravity
from flexframe.multibody.contract import Simulation, SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system

STEP = 1e-2
YIELD = G * (STEP / 100) ** 2
"""Depth of a support under the weight with this step: its frequency is 100/h (docs/theory/contact.md)."""


def leaves(found: Simulation) -> list[float]:
    return [each.time for each in found.occurrences if each.rests == 0]


def rests(found: Simulation) -> list[float]:
    return [each.time for each in found.occurrences if each.rests == 1]


@pytest.mark.parametrize("least_speed", [1e-3, 1e-5])
@pytest.mark.parametrize("e", [0.5, 0.8])
def test_ball_comes_to_rest_after_all_its_bounces(e: float, least_speed: float) -> None:
    """All flights together last t₀ (1 + e)/(1 − e); what is left of the last bounces is 2 e v/(g (1 − e))."""
    drop = 0.2
    body, start = ball("ball", (0.0, drop + RADIUS))
    contact = floor(e, least_speed=least_speed)
    found = run(System([body], loads=[SystemGravity()], contacts=[contact], start={"ball": start}), 3.0)
    first = np.sqrt(2 * drop / G)
    (time,) = rests(found)
    end = first * (1 + e) / (1 - e)
    assert end - 2 * e * least_speed / G / (1 - e) <= time <= end + 1e-9
    settled = found.times > end + 1e-9
    assert settled.any()
    assert found.contacts[settled, 0, 1] == pytest.approx(MASS * G, rel=1e-6)  # rounding of the gap, K times
    assert found.positions[settled, 0, 1] == pytest.approx(RADIUS, abs=2 * YIELD)
    assert not leaves(found)
    assert found.energies[-1, 7] == pytest.approx(MASS * G * drop, rel=1e-6)
    assert found.energy_drift < 1e-9  # the energy in the last bounces is in the ledger, too


def test_ball_that_starts_at_rest_stays() -> None:
    body, start = ball("ball", (0.0, RADIUS))
    found = run(System([body], loads=[SystemGravity()], contacts=[floor(0.9)], start={"ball": start}), 0.5)
    assert not found.occurrences
    assert found.contacts[:, 0, 1] == pytest.approx(MASS * G, rel=1e-6)
    assert found.positions[:, 0, 1] == pytest.approx(RADIUS, abs=YIELD)
    assert found.energy_drift == 0.0 or found.energies[:, :2].max() < 1e-12


def moving_floor(law: str, e: float = 0.0) -> System:
    """A ball at rest on a table that moves up and down by a law."""
    table = RigidBody("table", 3.0, 1.0)
    body, start = ball("ball", (0.0, RADIUS))
    contact = SpherePlane(
        name="top",
        first="table",
        second="ball",
        radius=RADIUS,
        law=NormalLaw("impulsive", restitution=e),
    )
    return System(
        [table, body],
        [Prismatic("guide", "ground", "table", axis=(0.0, 1.0, 0.0))],
        drives=[PositionDrive("lift", "ground", "table", law, axis=(0.0, 1.0, 0.0))],
        loads=[SystemGravity()],
        contacts=[contact],
        start={"ball": start},
    )


def test_ball_leaves_a_table_that_is_accelerated_away() -> None:
    """y = −a t³: the table falls faster than the ball from 6 a t = g on; then the ball flies."""
    a = 20.0  # m/s³
    found = run(moving_floor(f"-{a}*t^3"), 0.2, step=1e-3, samples=201)
    off = G / (6 * a)
    (left,) = leaves(found)
    # the force falls by 0.6 % of the weight in a step; it is linear in t and met at the ends of steps
    assert left == pytest.approx(off, abs=1e-5)
    before, after = (found.times > 0.06) & (found.times < off), found.times > off
    weight = MASS * G
    assert found.contacts[before, 0, 1] == pytest.approx(
        weight - 6 * MASS * a * found.times[before], abs=1e-4 * weight
    )
    flight = found.times[after] - off
    height = RADIUS - a * off**3 - 3 * a * off**2 * flight - 0.5 * G * flight**2
    assert found.positions[after, 1, 1] == pytest.approx(height, abs=1e-5 * 3 * a * off**2)
    assert (found.contacts[after, 0, 1] == 0).all()
    assert found.energy_drift < 1e-4


@pytest.mark.parametrize("step", [5e-4, 1e-4])
def test_ball_on_a_shaking_table_flies_and_lands(step: float) -> None:
    """y = A (1 − cos ωt): it leaves where A ω² cos ωt = −g, and meets the table again where the parabola does."""
    A, w = 0.01, 50.0
    found = run(moving_floor(f"{A}*(1-cos({w}*t))"), 0.16, step=step, samples=161)
    off = np.arccos(-G / (A * w**2)) / w
    y0, v0 = A * (1 - np.cos(w * off)), A * w * np.sin(w * off)
    meets = brentq(
        lambda t: y0 + v0 * (t - off) - 0.5 * G * (t - off) ** 2 - A * (1 - np.cos(w * t)), off + 0.01, 0.16
    )
    speed = v0 - G * (meets - off) - A * w * np.sin(w * meets)
    impact = next(each for each in found.occurrences if each.speed is not None)
    second_order = (w * step) ** 2 / w
    assert leaves(found)[0] == pytest.approx(off, abs=second_order)
    assert impact.time == pytest.approx(meets, abs=second_order)
    assert impact.speed == pytest.approx(speed, rel=10 * (w * step) ** 2)
    assert found.energy_drift < (w * step) ** 2


def test_ball_that_is_lifted() -> None:
    """A force c t takes it off at m g/c; then m ÿ = c (t − t₁)."""
    c = 20.0
    body, start = ball("ball", (0.0, RADIUS))
    lift = MarkerForce("lift", "ball", force=(0.0, f"{c}*t", 0.0))
    found = run(
        System([body], loads=[SystemGravity(), lift], contacts=[floor(0.3)], start={"ball": start}),
        0.5,
        step=1e-3,
        samples=51,
    )
    off = MASS * G / c
    assert leaves(found) == pytest.approx([off], abs=1e-6)
    after = found.times > off
    height = c * (found.times[after] - off) ** 3 / (6 * MASS)
    assert found.positions[after, 0, 1] - RADIUS == pytest.approx(height, abs=1e-6)
    before = found.times < off - 1e-3
    # at the start the force begins to fall at once, by 0.4 % of the weight in a step
    assert found.contacts[before, 0, 1] == pytest.approx(MASS * G - c * found.times[before], abs=2e-4 * MASS * G)


def test_box_on_two_feet_is_lifted_at_one() -> None:
    """Each foot bears half the weight; a force c t on one takes it off at m g/2c, the other keeps its half."""
    c, half = 30.0, 0.2
    box = RigidBody("box", 2.0, 0.05, points={"a": (-half, -0.1), "b": (half, -0.1)})
    law = NormalLaw("impulsive", restitution=0.2)
    feet = [SpherePlane(name=foot, first="ground", second=f"box.{foot}", law=law) for foot in "ab"]
    lift = MarkerForce("lift", "box.a", force=(0.0, f"{c}*t", 0.0))
    system = System([box], loads=[SystemGravity(), lift], contacts=feet, start={"box": Placement((0.0, 0.1, 0.0))})
    found = run(system, 0.4, step=1e-3, samples=41)
    off = 2.0 * G / 2 / c
    assert leaves(found) == pytest.approx([off], abs=1e-6)
    before = found.times < off - 1e-3
    assert found.contacts[before, 1, 1] == pytest.approx(G, rel=1e-5)
    assert found.contacts[before, 0, 1] == pytest.approx(G - c * found.times[before], abs=2e-4 * G)
    # then it turns about the other foot, which slides: the gap of the first grows
    assert (np.diff(found.contacts[found.times > off + 0.01, 0, 0]) > 0).all()
    assert found.energy_drift < 1e-4


def test_sliding_ball_begins_to_roll_at_rest_on_its_floor() -> None:
    """5/7 of its speed after 2 v/(7 μ g), friction takes 1/7 of its energy."""
    mu, v = 0.2, 1.0
    body, start = ball("ball", (0.0, RADIUS), (v, 0.0))
    found = run(
        System([body], loads=[SystemGravity()], contacts=[floor(0.5, mu)], start={"ball": start}),
        0.4,
        step=2e-4,
        samples=401,
    )
    # velocities are in axes that turn with the ball
    speed, spin = np.hypot(found.velocities[:, 0], found.velocities[:, 1]), found.velocities[:, 2]
    slides = found.times < 2 * v / (7 * mu * G) - 1e-2
    assert speed[slides] == pytest.approx(v - mu * G * found.times[slides], abs=1e-4)
    assert speed[-1] == pytest.approx(5 / 7 * v, rel=1e-3)  # creep below the regularisation of 1 mm/s
    assert spin[-1] * RADIUS == pytest.approx(-5 / 7 * v, rel=1e-3)
    assert found.energies[-1, 7] == pytest.approx(0.5 * MASS * v**2 * 2 / 7, rel=2e-3)
    assert found.contacts[1:, 0, 1] == pytest.approx(MASS * G, rel=1e-3)


def test_ball_that_falls_on_a_ball_at_rest() -> None:
    """Impacts pass through the lower one into the floor; both come to rest, and the floor bears both."""
    lower, at_lower = ball("ball", (0.0, RADIUS))
    upper, at_upper = ball("upper", (0.0, 3 * RADIUS + 0.05))
    law = NormalLaw("impulsive", restitution=0.5)
    between = SphereSphere(name="between", first="ball", second="upper", radii=(RADIUS, RADIUS), law=law)
    system = System(
        [lower, upper],
        [Prismatic(f"guide {name}", "ground", name, axis=(0.0, 1.0, 0.0)) for name in ("ball", "upper")],
        loads=[SystemGravity()],
        contacts=[floor(0.5), between],
        start={"ball": at_lower, "upper": at_upper},
    )
    found = run(system, 1.0, step=1e-3)
    assert found.reason is None
    assert found.contacts[-1, 0, 1] == pytest.approx(2 * MASS * G, rel=1e-4)
    assert found.contacts[-1, 1, 1] == pytest.approx(MASS * G, rel=1e-4)
    assert found.energies[-1, 7] == pytest.approx(MASS * G * 0.05, rel=1e-4)
    assert found.energy_drift < 1e-6


def test_ball_swings_in_a_hollow_after_its_bounces() -> None:
    """On y = x² without friction energy is kept once it rests on the curve, and it slides through the middle."""
    x = np.linspace(-1, 1, 21)
    law = NormalLaw("impulsive", restitution=0.3)
    hollow = SphereProfile(
        name="hollow",
        first="ground",
        second="ball",
        radius=RADIUS,
        points=np.column_stack([x, x**2]),
        closed=False,
        free="left",
        law=law,
    )
    body, start = ball("ball", (0.1, 0.15))
    found = run(System([body], loads=[SystemGravity()], contacts=[hollow], start={"ball": start}), 1.0, step=1e-3)
    (time,) = rests(found)
    slides = found.times > time
    assert found.energies[slides, 7] == pytest.approx(found.energies[-1, 7], rel=1e-6)
    assert found.energy_drift < 1e-6
    assert np.abs(found.contacts[slides, 0, 0]).max() < 2 * YIELD
    assert found.positions[slides, 0, 0].min() < 0 < found.positions[slides, 0, 0].max()


def test_ball_that_meets_the_other_side_of_a_groove_ends_the_motion() -> None:
    """Two places of one curve cannot be held by this law, and that is told."""
    law = NormalLaw("impulsive", restitution=0.3)
    points = [(-1.0, 1.0), (0.0, 0.0), (1.0, 1.0)]
    groove = SpherePolyline(
        name="groove", first="ground", second="ball", radius=RADIUS, points=points, free="left", law=law
    )
    body, start = ball("ball", (0.02, 0.15))
    found = run(System([body], loads=[SystemGravity()], contacts=[groove], start={"ball": start}), 1.0, step=1e-3)
    assert found.reason is not None and "meets it at another" in found.reason
    # it has slid down along one side into the corner, where its centre is √2 radii above the point
    assert found.positions[-1, 0, :2] == pytest.approx([0.0, np.sqrt(2) * RADIUS], abs=1e-6)
    assert found.energy_drift < 1e-5


def test_impulsive_bounces_on_an_elastic_beam_never_pass_through() -> None:
    """A plastic ball falls on a cantilever: it is carried, thrown off and lands again, always above the beam."""
    beam = Body.beam("beam", length=1.0, divisions=4, section=Rectangle(0.02, 0.02), material=STEEL)
    body, start = ball("ball", (1.0, RADIUS + 0.01))
    for e in (0.0, 0.5):
        top = SpherePlane(
            name="top",
            first="beam.end",
            second="ball",
            radius=RADIUS,
            law=NormalLaw("impulsive", restitution=e),
        )
        guides = [
            Weld("clamp", "ground", "beam.start"),
            Prismatic("guide", "ground", "ball", axis=(0.0, 1.0, 0.0)),
        ]
        system = System([beam, body], guides, loads=[SystemGravity()], start={"ball": start}, contacts=[top])
        found = simulate(system, duration=0.3, samples=301, step=2e-4)
        assert not found.stopped
        assert found.contacts["top"].gap.min() > -2e-6  # supports yield under the forces of a vibrating beam
        assert any(event.rests == 1 for event in found.events)
        assert found.energy_drift < 5e-3  # what the method damps of modes that are fast beside the step


def test_run_that_is_continued_repeats_the_whole() -> None:
    """Bit by bit, from a checkpoint at which the ball rests on its table."""
    system = dynamic_system(moving_floor("0.01*(1-cos(50*t))", 0.4))
    options = SimulationOptions(duration=0.1, step=1e-3, samples=2)
    times = np.array([0.0, 0.004, 0.1])
    whole = integrate(system, options, times=times)
    there = integrate(system, options, times=times[:2]).end
    rest = integrate(system, options, there, times=times[1:])
    assert whole.contacts[1, 0, 1] > 0
    assert (rest.positions[-1] == whole.positions[-1]).all()
    assert (rest.velocities[-1] == whole.velocities[-1]).all()


def test_shapes_that_overlap_at_the_start_are_refused() -> None:
    body, start = ball("ball", (0.0, 0.5 * RADIUS))
    system = System([body], contacts=[floor(0.5)], start={"ball": start})
    with pytest.raises(InputError, match=r"the shapes of floor overlap by 0\.025 m at the start"):
        simulate(system, duration=0.1, step=1e-3)
