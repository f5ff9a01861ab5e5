"""Impacts and rolling against closed forms, momenta and energy, and independence of steps and output."""

from functools import cache

import numpy as np
import pytest
from tests.contact.systems import HERTZ, MASS, RADIUS, ball_over_plane, motion, two_balls

from flexframe.analyses.simulate import simulate
from flexframe.elements.properties import STEEL, Rectangle
from flexframe.errors import InputError
from flexframe.model.body import Body
from flexframe.model.contacts import ContactFriction, NormalLaw, SphereInSphere, SpherePlane
from flexframe.model.joints import Weld
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity
from flexframe.multibody.contract import Simulation, SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system

STATED = 2e-3
"""Error of peak forces with forty steps in an impact, as docs/theory/contact.md states it."""
DEPTH = (2.5 / 2 * MASS / HERTZ) ** 0.4  # of Hertz at 1 m/s: ½ m v² = ⅖ K δ^2.5
PEAK = HERTZ * DEPTH**1.5
HALF = NormalLaw("restitution", HERTZ, restitution=0.5)


@cache
def hertz_impact(divisions: int) -> Simulation:
    law = NormalLaw("restitution", HERTZ)
    return motion(ball_over_plane(law, divisions=divisions), 0.02, samples=4001, step=5e-6)


def test_hertz_impact_against_closed_form() -> None:
    """Greatest depth, greatest force, and duration 2.9432 δ/v."""
    run = hertz_impact(40)
    closed = run.contacts[:, 0, 0] < 0
    assert run.contact_peaks[0, 0] == pytest.approx(PEAK, rel=STATED)
    assert -run.contacts[:, 0, 0].min() == pytest.approx(DEPTH, rel=STATED)
    assert run.times[closed][-1] - run.times[closed][0] == pytest.approx(2.9432 * DEPTH, abs=2 * 5e-6)
    assert run.contact_peaks[0, 1] == pytest.approx(0.01 + 2.9432 / 2 * DEPTH, rel=STATED * 2.9432 * DEPTH / 0.01)


LAWS = [HALF, NormalLaw("kelvin_voigt", 1e6, 1.0, damping=200.0)]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.kind)
def test_halving_the_divisions_changes_the_peak_less_than_stated(law: NormalLaw) -> None:
    peaks = [
        motion(ball_over_plane(law, divisions=divisions), 0.02).contact_peaks[0, 0] for divisions in (40, 80, 160)
    ]
    assert abs(peaks[1] / peaks[0] - 1) < STATED
    assert abs(peaks[2] / peaks[1] - 1) < STATED / 4


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.kind)
def test_halving_the_step_changes_the_peak_less_than_stated(law: NormalLaw) -> None:
    """Of a rigid ball, whatever the step of its flight."""
    peaks = [
        motion(ball_over_plane(law), 0.02, step=step).contact_peaks[0, 0] for step in (2e-3, 1e-3, 5e-4, 1e-5)
    ]
    assert peaks == pytest.approx([peaks[-1]] * 4, rel=STATED)


@pytest.mark.parametrize(("step", "samples"), [(5e-2, 2), (1e-2, 6), (1e-3, 11), (7e-4, 37), (1e-4, 501)])
def test_impacts_do_not_depend_on_steps_and_output(step: float, samples: int) -> None:
    """The impact is found to 1e-4 of a step of its own, whatever the grid: what is left is the stated error."""
    run = motion(ball_over_plane(HALF), 0.05, samples=samples, step=step)
    base = motion(ball_over_plane(HALF), 0.05, samples=11, step=2e-3)
    assert run.contact_peaks[0] == pytest.approx(base.contact_peaks[0], rel=STATED / 10)
    assert run.velocities[-1, 1] == pytest.approx(base.velocities[-1, 1], rel=STATED / 10)
    assert run.positions[-1, 0, 1] == pytest.approx(base.positions[-1, 0, 1], rel=STATED / 10)


def test_an_impact_inside_one_step_is_not_missed() -> None:
    """The ball is back above the floor at the end of the only step."""
    run = motion(ball_over_plane(NormalLaw("restitution", HERTZ), height=1e-3), 4e-3, samples=2, step=4e-3)
    flight = 4e-3 - 1e-3 - 2.9432 * DEPTH
    assert run.positions[-1, 0, 1] == pytest.approx(RADIUS + flight, rel=STATED)


def test_bouncing_ball_comes_to_rest() -> None:
    """Bounces of e = ½: heights fall by e², all flights last t₀ (1 + e)/(1 − e), then it lies still."""
    g, h = 9.81, 0.1
    stiff = 1e3 * HERTZ  # an impact of 0.05 ms, during which the weight counts little
    law = NormalLaw("restitution", stiff, restitution=0.5)
    run = motion(ball_over_plane(law, height=h, speed=0.0, gravity=g), 1.0, samples=1001, step=1e-2)
    drop = np.sqrt(2 * h / g)
    height = run.positions[:, 0, 1] - RADIUS
    first = (run.times > drop) & (run.times < 2 * drop)
    assert height[first].max() == pytest.approx(h / 4, rel=2 * STATED)
    settled = run.times > 3 * drop + 0.05
    static = (MASS * g / stiff) ** (2 / 3)
    assert height[settled] == pytest.approx(-static, rel=1e-3)  # rest of the decay, in the implicit steps
    assert run.contacts[-1, 0, 1] == pytest.approx(MASS * g, rel=1e-6)
    assert run.energies[-1, 7] == pytest.approx(MASS * g * (h + static) - run.energies[-1, 3], rel=STATED)


@pytest.mark.parametrize("integrator", ["generalised_alpha", "dormand_prince"])
def test_two_balls_keep_momentum_and_energy_balance(integrator: str) -> None:
    """An oblique impact with friction and spin: both momenta are kept, and the balance closes."""
    law = NormalLaw("restitution", HERTZ, restitution=0.7)
    options = {"step": 1e-4} if integrator == "generalised_alpha" else {"step": None, "tolerance": 1e-10}
    run = motion(two_balls(law, (1.0, 0.4), 0.008, 0.2), 0.02, integrator=integrator, **options)
    assert run.contact_peaks[0, 0] > 0
    # forces are equal and opposite at one point; velocities in body axes turn with the error (ω h)²/12 of a step
    tolerance = 0.8 * (30 * 1e-4) ** 2 if integrator == "generalised_alpha" else 1e-9
    assert run.linear_momentum == pytest.approx(run.linear_momentum[:1].repeat(11, 0), abs=tolerance)
    assert run.angular_momentum == pytest.approx(run.angular_momentum[:1].repeat(11, 0), abs=tolerance)
    # forty steps in the impact; with error control some hundred steps of 1e-10
    assert run.energy_drift < (1e-3 if integrator == "generalised_alpha" else 1e-8)
    assert run.energies[-1, 7] > 0


def test_central_impact_of_two_balls() -> None:
    """Velocities after it by momentum and restitution, and the peak by the reduced mass."""
    e, (m, M) = 0.7, (0.4, 1.0)
    run = motion(two_balls(NormalLaw("restitution", HERTZ, restitution=e), (M, m), 0.0, 0.0), 0.02, step=1e-4)
    speeds = np.diff(run.positions[-2:, :, 0], axis=0)[0] / np.diff(run.times[-2:])
    assert speeds == pytest.approx([m * 2 * (1 + e) / (m + M), 2 * (m - e * M) / (m + M)], abs=2 * STATED)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_sliding_ball_begins_to_roll(space: str) -> None:
    """It rolls with 5/7 of its speed after 2 v/(7 μ g); friction has taken 1/7 of its energy."""
    mu, g, v, R, K = 0.2, 9.81, 1.0, 0.05, 1e8
    inertia = 0.4 * MASS * R**2
    ball = RigidBody("ball", MASS, inertia if space == "planar" else inertia * np.eye(3))
    floor = SpherePlane(
        name="floor",
        first="ground",
        second="ball",
        radius=R,
        law=NormalLaw("restitution", K, restitution=0.5),
        friction=ContactFriction(mu, regularisation=1e-4),
    )
    depth = (MASS * g / K) ** (2 / 3)
    system = System(
        [ball],
        loads=[SystemGravity()],
        start={"ball": Placement((0.0, R - depth, 0.0), velocity=(v, 0.0, 0.0))},
        contacts=[floor],
        space=space,  # type: ignore[arg-type]
    )
    run = motion(dynamic_system(system), 0.3, samples=301, step=1e-4)
    speed, spin = np.hypot(run.velocities[:, 0], run.velocities[:, 1]), run.velocities[:, -1]
    rolls = 2 * v / (7 * mu * g)
    slides = run.times < rolls - 1e-3
    # the arm is the radius less the depth, and the last slip below the regularisation is creep
    assert speed[slides] == pytest.approx(v - mu * g * run.times[slides], abs=1e-4)
    assert speed[-1] == pytest.approx(5 / 7 * v, rel=2 * depth / R + 1e-4)
    assert spin[-1] * R == pytest.approx(-5 / 7 * v, rel=2 * depth / R + 1e-4)
    assert run.energies[-1, 7] == pytest.approx(0.5 * MASS * v**2 * 2 / 7, rel=1e-3)
    assert run.energy_drift < 1e-5


def test_journal_in_its_clearance_swings_as_a_pendulum() -> None:
    """A small circle without friction at the bottom of a larger one: period 2π √((R − r)/g) of small swings."""
    clearance, g = 0.1, 9.81
    ball = RigidBody("ball", MASS, 1e-3)
    law = NormalLaw("kelvin_voigt", 1e7, 1.0, damping=2e3)
    ring = SphereInSphere(name="ring", first="ground", second="ball", radius=0.05, clearance=clearance, law=law)
    swing = 1e-3
    start = Placement((swing * clearance, -clearance * np.sqrt(1 - swing**2), 0.0))
    system = System([ball], loads=[SystemGravity()], start={"ball": start}, contacts=[ring])
    period = 2 * np.pi * np.sqrt(clearance / g)
    run = motion(dynamic_system(system), 2 * period, samples=201, step=period / 400)
    assert run.positions[-1, 0, 0] == pytest.approx(swing * clearance, rel=2e-3)
    assert run.positions[100, 0, 0] == pytest.approx(swing * clearance, rel=2e-3)
    assert run.positions[50, 0, 0] == pytest.approx(-swing * clearance, rel=2e-3)


def ball_on_beam(law: NormalLaw) -> System:
    beam = Body.beam("beam", length=1.0, divisions=8, section=Rectangle(0.02, 0.01), material=STEEL)
    ball = RigidBody("ball", 0.1, 1e-5)
    hit = SpherePlane(name="hit", first="beam.end", second="ball", radius=RADIUS, law=law)
    return System(
        [beam, ball],
        [Weld("clamp", "ground", "beam.start")],
        start={"ball": Placement((1.0, 0.02), velocity=(0.0, -1.0))},
        contacts=[hit],
    )


ON_BEAM = [
    NormalLaw("restitution", 1e7, restitution=0.7),
    NormalLaw("restitution", 1e9, restitution=0.7),
    NormalLaw("kelvin_voigt", 1e6, 1.0, damping=100.0),
]


@pytest.mark.parametrize("law", ON_BEAM, ids=["soft", "hard", "damper"])
def test_ball_on_an_elastic_beam(law: NormalLaw) -> None:
    """Steps, half of them and error control agree in the peak."""
    system = ball_on_beam(law)
    coarse, fine = (simulate(system, duration=0.02, samples=21, step=step) for step in (1e-4, 5e-5))
    exact = simulate(system, duration=0.02, samples=21, tolerance=1e-10)
    assert coarse.contacts["hit"].peak == pytest.approx(fine.contacts["hit"].peak, rel=STATED)
    assert fine.contacts["hit"].peak == pytest.approx(exact.contacts["hit"].peak, rel=STATED)
    assert coarse.summary()["contacts"]["hit"]["max_normal_N"] == coarse.contacts["hit"].peak


def test_balance_of_a_ball_on_an_elastic_beam() -> None:
    """It closes with the order of the method, and what the contact takes is the same."""
    system = ball_on_beam(ON_BEAM[0])
    fine = simulate(system, duration=0.02, samples=21, step=5e-5)
    exact = simulate(system, duration=0.02, samples=21, tolerance=1e-10)
    assert fine.energies["contact"][-1] == pytest.approx(exact.energies["contact"][-1], rel=STATED)
    assert fine.energy_drift < STATED / 4


@pytest.mark.parametrize("law", ON_BEAM, ids=["soft", "hard", "damper"])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-8])
def test_error_control_finds_and_resolves_the_impact_on_a_beam(law: NormalLaw, tolerance: float) -> None:
    """A rough tolerance neither steps into the contact nor spoils the balance: forty steps are in the impact."""
    found = simulate(ball_on_beam(law), duration=0.02, samples=21, tolerance=tolerance)
    exact = simulate(ball_on_beam(law), duration=0.02, samples=21, tolerance=1e-10)
    assert not found.stopped
    assert found.energy_drift < 100 * tolerance  # errors of some hundred steps
    assert found.contacts["hit"].peak == pytest.approx(exact.contacts["hit"].peak, rel=STATED / 4)
    assert found.energies["contact"][-1] == pytest.approx(exact.energies["contact"][-1], rel=STATED / 4)


def test_run_that_is_continued_repeats_the_whole() -> None:
    """Bit by bit, from a checkpoint in the midst of an impact."""
    system = ball_over_plane(HALF, gravity=9.81)
    options = SimulationOptions(duration=0.05, step=1e-3, integrator="generalised_alpha", samples=2)
    times = np.array([0.0, 0.0101, 0.05])
    whole = integrate(system, options, times=times)
    there = integrate(system, options, times=times[:2]).end
    rest = integrate(system, options, there, times=times[1:])
    assert (rest.positions[-1] == whole.positions[-1]).all()
    assert (rest.velocities[-1] == whole.velocities[-1]).all()
    assert (rest.energies[-1] == whole.energies[-1]).all()
    assert whole.contacts[1, 0, 1] > 0  # it was in contact there


def test_a_model_without_contact_has_no_places() -> None:
    ball = RigidBody("ball", MASS, 1.0)
    run = motion(dynamic_system(System([ball])), 0.01)
    assert run.contacts.shape == (11, 0, 9)
    assert (run.energies[:, 7] == 0).all()


def test_integrators_that_do_not_find_impacts_refuse() -> None:
    for name in ("radau", "conserving"):
        options = {"step": None, "tolerance": 1e-8} if name == "radau" else {}
        with pytest.raises(InputError, match="floor"):
            motion(ball_over_plane(HALF), 0.01, integrator=name, **options)


def test_contact_between_points_of_one_body_is_refused() -> None:
    ball = RigidBody("ball", MASS, 1.0, points={"top": (0.0, 1.0, 0.0)})
    with pytest.raises(InputError, match="name two bodies"):
        System([ball], contacts=[SpherePlane(name="c", first="ball", second="ball.top", law=HALF)])
