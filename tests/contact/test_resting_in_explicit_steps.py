"""Shapes at rest in explicit steps: held by forces without a yielding support, so that closed forms are close."""

import numpy as np
import pytest
from scipy.optimize import brentq

from contact.test_impulses import CONTROLLED, MASS, RADIUS, G, ball, floor, run
from contact.test_resting import leaves, moving_floor, rests
from flexframe.analyses.simulate import simulate
from flexframe.elements.properties import STEEL, Rectangle
from flexframe.model.body import Body
from flexframe.model.constraints import Direction
from flexframe.model.contacts import NormalLaw, SpherePlane, SpherePolyline, SphereProfile, SphereSphere
from flexframe.model.joints import Prismatic, Revolute, Weld
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, SystemGravity
from flexframe.multibody.contract import SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system

TOLERANCE = 1e-9  # of CONTROLLED, in lengths of these systems, which are of the order of 0.1 m
UP: Direction = (0.0, 1.0, 0.0)

pytestmark = pytest.mark.parametrize("options", CONTROLLED)


def test_ball_comes_to_rest_after_all_its_bounces(options: dict[str, object]) -> None:
    """All flights last t₀ (1 + e)/(1 − e); bounces are followed down to 10⁻² of the tolerance in height."""
    e, drop = 0.8, 0.2
    body, start = ball("ball", (0.0, drop + RADIUS))
    contact = floor(e, least_speed=1e-12)
    found = run(System([body], loads=[SystemGravity()], contacts=[contact], start={"ball": start}), 3.0, **options)  # type: ignore[arg-type]
    end = np.sqrt(2 * drop / G) * (1 + e) / (1 - e)
    left_out = np.sqrt(2 * 1e-2 * TOLERANCE / G)  # the flight of a bounce of that height in a system of 1 m
    (time,) = rests(found)
    assert end - 2 * e * left_out / (1 - e) - 1e-9 <= time <= end + 1e-9
    settled = found.times > end + 1e-9
    assert settled.any() and found.reason is None and not leaves(found)
    assert found.contacts[settled, 0, 1] == pytest.approx(MASS * G, rel=1e-12)
    assert found.positions[settled, 0, 1] == pytest.approx(RADIUS, abs=1e-13)
    assert found.energies[-1, 7] == pytest.approx(MASS * G * drop, rel=1e-8)
    assert found.energy_drift < 1e-9


def test_ball_that_starts_at_rest_stays(options: dict[str, object]) -> None:
    body, start = ball("ball", (0.0, RADIUS))
    system = System([body], loads=[SystemGravity()], contacts=[floor(0.9)], start={"ball": start})
    found = run(system, 100.0, **options)  # type: ignore[arg-type]
    assert not found.occurrences
    assert found.contacts[:, 0, 1] == pytest.approx(MASS * G, rel=1e-12)
    assert found.positions[:, 0, 1] == pytest.approx(RADIUS, abs=1e-13)


def test_ball_on_a_shaking_table_flies_and_lands(options: dict[str, object]) -> None:
    """y = A (1 − cos ωt): it leaves where A ω² cos ωt = −g, and meets the table again where the parabola does."""
    A, w = 0.01, 50.0
    found = run(moving_floor(f"{A}*(1-cos({w}*t))"), 0.16, samples=161, **options)  # type: ignore[arg-type]
    off = np.arccos(-G / (A * w**2)) / w
    y0, v0 = A * (1 - np.cos(w * off)), A * w * np.sin(w * off)
    meets = brentq(
        lambda t: y0 + v0 * (t - off) - 0.5 * G * (t - off) ** 2 - A * (1 - np.cos(w * t)), off + 0.01, 0.16
    )
    speed = v0 - G * (meets - off) - A * w * np.sin(w * meets)
    impact = next(each for each in found.occurrences if each.speed is not None)
    assert leaves(found)[0] == pytest.approx(off, abs=1e-9)
    assert impact.time == pytest.approx(meets, abs=1e-9)
    assert impact.speed == pytest.approx(speed, rel=1e-7)
    before = found.times < off
    force = MASS * (G + A * w**2 * np.cos(w * found.times[before]))
    assert found.contacts[before, 0, 1] == pytest.approx(force, rel=1e-9)
    assert found.energy_drift < 1e-7


def test_box_on_two_feet_is_lifted_at_one(options: dict[str, object]) -> None:
    """Each foot bears half the weight; a force c t on one takes it off at m g/2c, the other keeps its half."""
    c, half = 30.0, 0.2
    box = RigidBody("box", 2.0, 0.05, points={"a": (-half, -0.1), "b": (half, -0.1)})
    law = NormalLaw("impulsive", restitution=0.2)
    feet = [SpherePlane(name=foot, first="ground", second=f"box.{foot}", law=law) for foot in "ab"]
    lift = MarkerForce("lift", "box.a", force=(0.0, f"{c}*t", 0.0))
    system = System([box], loads=[SystemGravity(), lift], contacts=feet, start={"box": Placement((0.0, 0.1, 0.0))})
    found = run(system, 0.4, samples=41, **options)  # type: ignore[arg-type]
    off = 2.0 * G / 2 / c
    assert leaves(found) == pytest.approx([off], abs=1e-10)
    before = found.times < off
    assert found.contacts[before, 1, 1] == pytest.approx(G, rel=1e-9)
    assert found.contacts[before, 0, 1] == pytest.approx(G - c * found.times[before], abs=1e-9 * G)
    assert (np.diff(found.contacts[found.times > off + 0.01, 0, 0]) > 0).all()
    assert found.energy_drift < 1e-7


def test_table_on_four_feet_shares_its_weight(options: dict[str, object]) -> None:
    """Four feet in space are one more than needed: the shortest forces, a quarter of the weight each."""
    corners = {
        name: (x, y, 0.0) for name, (x, y) in zip("abcd", [(1, 1), (-1, 1), (-1, -1), (1, -1)], strict=True)
    }
    table = RigidBody("table", 8.0, np.diag([1.0, 1.0, 2.0]), points=corners)
    law = NormalLaw("impulsive", restitution=0.0)
    feet = [
        SpherePlane(name=foot, first="ground", second=f"table.{foot}", normal=(0.0, 0.0, 1.0), law=law)
        for foot in corners
    ]
    gravity = SystemGravity(acceleration=(0.0, 0.0, -G))
    found = run(System([table], loads=[gravity], contacts=feet, space="spatial"), 1.0, **options)  # type: ignore[arg-type]
    assert not found.occurrences
    assert found.contacts[:, :, 1] == pytest.approx(8.0 * G / 4, rel=1e-10)


def test_sliding_ball_begins_to_roll_at_rest_on_its_floor(options: dict[str, object]) -> None:
    """5/7 of its speed after 2 v/(7 μ g), friction takes 1/7 of its energy and spin as much again."""
    mu, v = 0.2, 1.0
    body, start = ball("ball", (0.0, RADIUS), (v, 0.0))
    system = System([body], loads=[SystemGravity()], contacts=[floor(0.5, mu)], start={"ball": start})
    found = run(system, 0.4, samples=401, **options)  # type: ignore[arg-type]
    speed, spin = np.hypot(found.velocities[:, 0], found.velocities[:, 1]), found.velocities[:, 2]
    slides = found.times < 2 * v / (7 * mu * G) - 1e-2
    assert speed[slides] == pytest.approx(v - mu * G * found.times[slides], abs=1e-6)
    # creep below the regularisation of 1 mm/s shifts the beginning, not the speed of rolling
    assert speed[-1] == pytest.approx(5 / 7 * v, rel=1e-6)
    assert spin[-1] * RADIUS == pytest.approx(-5 / 7 * v, rel=1e-6)
    assert found.energies[-1, 7] == pytest.approx(0.5 * MASS * v**2 * 2 / 7, rel=1e-6)
    assert found.contacts[:, 0, 1] == pytest.approx(MASS * G, rel=1e-9)


def test_ball_that_falls_on_a_ball_at_rest(options: dict[str, object]) -> None:
    """Impacts pass through the lower one into the floor; both come to rest, and the floor bears both."""
    lower, at_lower = ball("ball", (0.0, RADIUS))
    upper, at_upper = ball("upper", (0.0, 3 * RADIUS + 0.05))
    law = NormalLaw("impulsive", restitution=0.5)
    between = SphereSphere(name="between", first="ball", second="upper", radii=(RADIUS, RADIUS), law=law)
    system = System(
        [lower, upper],
        [Prismatic(f"guide {name}", "ground", name, axis=UP) for name in ("ball", "upper")],
        loads=[SystemGravity()],
        contacts=[floor(0.5), between],
        start={"ball": at_lower, "upper": at_upper},
    )
    found = run(system, 1.0, **options)  # type: ignore[arg-type]
    assert found.reason is None
    assert found.contacts[-1, :2, 1] == pytest.approx([2 * MASS * G, MASS * G], rel=1e-10)
    assert found.energies[-1, 7] == pytest.approx(MASS * G * 0.05, rel=1e-7)
    assert found.energy_drift < 1e-7


def test_ball_swings_in_a_hollow_after_its_bounces(options: dict[str, object]) -> None:
    """On y = x² without friction energy is kept once it rests on the curve, and it slides through the middle."""
    x = np.linspace(-1, 1, 21)
    hollow = SphereProfile(
        name="hollow",
        first="ground",
        second="ball",
        radius=RADIUS,
        points=np.column_stack([x, x**2]),
        closed=False,
        free="left",
        law=NormalLaw("impulsive", restitution=0.3),
    )
    body, start = ball("ball", (0.1, 0.15))
    system = System([body], loads=[SystemGravity()], contacts=[hollow], start={"ball": start})
    found = run(system, 1.0, samples=101, **options)  # type: ignore[arg-type]
    (time,) = rests(found)
    slides = found.times > time
    assert found.energies[slides, 7] == pytest.approx(found.energies[-1, 7], rel=1e-9)
    assert found.energy_drift < 1e-7  # the spline has jumps of its third derivative at its points
    assert np.abs(found.contacts[slides, 0, 0]).max() < 10 * TOLERANCE  # inside steps
    assert found.positions[slides, 0, 0].min() < 0 < found.positions[slides, 0, 0].max()


def test_ball_that_meets_the_other_side_of_a_groove_ends_the_motion(options: dict[str, object]) -> None:
    points = [(-1.0, 1.0), (0.0, 0.0), (1.0, 1.0)]
    law = NormalLaw("impulsive", restitution=0.3)
    groove = SpherePolyline(
        name="groove", first="ground", second="ball", radius=RADIUS, points=points, free="left", law=law
    )
    body, start = ball("ball", (0.02, 0.15))
    system = System([body], loads=[SystemGravity()], contacts=[groove], start={"ball": start})
    found = run(system, 1.0, **options)  # type: ignore[arg-type]
    assert found.reason is not None and "meets it at another" in found.reason
    assert found.positions[-1, 0, :2] == pytest.approx([0.0, np.sqrt(2) * RADIUS], abs=1e-8)


def test_flap_comes_to_rest_on_its_impulsive_stop(options: dict[str, object]) -> None:
    """A hinged flap falls on its stop: in the end the stop carries its moment m g l/2."""
    length, mass = 0.4, 1.2
    flap = RigidBody.rod("flap", length=length, mass=mass)
    law = NormalLaw("impulsive", restitution=0.4)
    hinge = Revolute("hinge", "ground", "flap", stops=(0.0, 2.0), stop_law=law)
    start = {"flap": Placement((0.0, 0.0, 0.0), (0.0, 0.0, 1.0))}
    found = run(System([flap], [hinge], loads=[SystemGravity()], start=start), 3.0, **options)  # type: ignore[arg-type]
    assert found.reason is None and len(rests(found)) == 1
    assert found.angles[-1, 0] == pytest.approx(0.0, abs=1e-12)
    assert found.contacts[-1, :, 1].sum() == pytest.approx(mass * G * length / 2, rel=1e-10)


def test_impulsive_bounces_on_an_elastic_beam_never_pass_through(options: dict[str, object]) -> None:
    """A plastic ball falls on a cantilever: it is carried, thrown off and lands again, always above the beam."""
    beam = Body.beam("beam", length=1.0, divisions=4, section=Rectangle(0.02, 0.02), material=STEEL)
    body, start = ball("ball", (1.0, RADIUS + 0.01))
    law = NormalLaw("impulsive", restitution=0.0)
    top = SpherePlane(name="top", first="beam.end", second="ball", radius=RADIUS, law=law)
    guides = [Weld("clamp", "ground", "beam.start"), Prismatic("guide", "ground", "ball", axis=UP)]
    system = System([beam, body], guides, loads=[SystemGravity()], start={"ball": start}, contacts=[top])
    pair = str(options["integrator"])
    found = simulate(system, duration=0.05, samples=51, tolerance=1e-8, integrator=pair)
    assert not found.stopped
    assert found.contacts["top"].gap.min() > -1e-11
    assert any(event.rests == 1 for event in found.events)
    assert found.energy_drift < 1e-6


def test_run_that_is_continued_repeats_the_whole(options: dict[str, object]) -> None:
    """Bit by bit, from a checkpoint at which the ball rests on its table."""
    system = dynamic_system(moving_floor("0.01*(1-cos(50*t))", 0.4))
    asked = SimulationOptions(duration=0.1, samples=2, **options)  # type: ignore[arg-type]
    times = np.array([0.0, 0.004, 0.1])
    whole = integrate(system, asked, times=times)
    there = integrate(system, asked, times=times[:2]).end
    rest = integrate(system, asked, there, times=times[1:])
    assert whole.contacts[1, 0, 1] > 0
    assert (rest.positions[-1] == whole.positions[-1]).all()
    assert (rest.velocities[-1] == whole.velocities[-1]).all()
