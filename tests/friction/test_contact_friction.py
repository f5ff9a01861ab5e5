"""Bristles in contacts: a block on a slope, a ball that slides and rolls, shapes that part, checkpoints."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flexframe import _core
from flexframe.errors import InputError
from flexframe.model.contacts import ContactFriction, NormalLaw, SpherePlane, SpherePolyline
from flexframe.model.joints import Prismatic
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.rubbing import FrictionModel
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, SystemGravity
from flexframe.multibody.contract import DynamicSystem, Simulation, SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system

G, MU, MASS, RADIUS = 9.81, 0.4, 2.0, 0.05
HERTZ = NormalLaw("hunt_crossley", 1e8, restitution=0.5)
LINEAR = NormalLaw("kelvin_voigt", 1e6, 1.0, damping=2e3)
MODELS: tuple[FrictionModel, ...] = ("elasto_plastic", "lugre")


def run(system: System | DynamicSystem, duration: float, samples: int, **options: Any) -> Simulation:
    asked = SimulationOptions(duration=duration, samples=samples, **({"step": 1e-3} | options))
    return integrate(system if isinstance(system, DynamicSystem) else dynamic_system(system), asked)


def block(angle: float, friction: ContactFriction, *, speed: float = 0.0, space: str = "planar") -> System:
    """A block on four (in the plane two) feet on a slope: gravity is inclined instead, along x, by an angle."""
    half, height = 0.2, 0.02
    places = [(-half, 0.0), (half, 0.0)] if space == "planar" else [(-half, half), (half, half), (0.0, -half)]
    feet = {f"f{k}": (x, -height, z) for k, (x, z) in enumerate(places)}
    inertia = np.array(0.03) if space == "planar" else np.eye(3) * 0.03
    depth = MASS * G * np.cos(angle) / len(feet) / LINEAR.stiffness
    start = Placement((0.0, height - depth, 0.0), velocity=(speed, 0.0, 0.0))
    return System(
        [RigidBody("block", MASS, inertia, np.zeros(3), feet)],
        loads=[SystemGravity(acceleration=(G * np.sin(angle), -G * np.cos(angle), 0.0))],
        start={"block": start},
        contacts=[
            SpherePlane(name=foot, first="ground", second=f"block.{foot}", law=LINEAR, friction=friction)
            for foot in feet
        ],
        space=space,  # type: ignore[arg-type]
    )


REPOSE = float(np.arctan(MU))


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("model", MODELS)
def test_a_block_sticks_on_a_slope(model: FrictionModel, space: str) -> None:
    """Below the angle of friction it does not move from 1 s to 100 s; 1e-12 m is the rounding of 1e4 steps.

    tan 0.8 ρ of tan ρ is 0.8 of what friction holds, below the break-away of 0.9. LuGre takes velocities of any
    size for slip, and those of iterations end at 1e-11 m/s.
    """
    found = run(block(0.8 * REPOSE, ContactFriction(MU, model=model), space=space), 100.0, 101, step=1e-2)
    assert np.ptp(found.positions[1:, 0, 0]) < (1e-12 if model == "elasto_plastic" else 1e-9)
    held = found.contacts[-1, :, 3].sum()
    assert held == pytest.approx(-MASS * G * np.sin(0.8 * REPOSE), rel=1e-8)
    assert np.linalg.norm(found.velocities[-1]) < 1e-10


def test_tanh_creeps_there() -> None:
    """By tanh(v/v_r) = tan α/μ, v = 1.1 mm/s atanh(0.78): what bristles do away with."""
    found = run(block(0.8 * REPOSE, ContactFriction(MU)), 2.0, 3, step=1e-2)
    creep = 1e-3 * np.arctanh(np.tan(0.8 * REPOSE) / MU)
    assert found.positions[-1, 0, 0] - found.positions[-2, 0, 0] == pytest.approx(creep, rel=1e-3)


@pytest.mark.parametrize("model", MODELS)
def test_a_block_slides_down_a_steep_slope(model: FrictionModel) -> None:
    """With g (sin α − μ cos α) exactly once it slips and no longer rocks, by velocities and by positions."""
    angle = 1.5 * REPOSE
    found = run(block(angle, ContactFriction(MU, model=model)), 2.0, 5)
    acceleration = G * (np.sin(angle) - MU * np.cos(angle))
    assert (found.velocities[4, 0] - found.velocities[3, 0]) / 0.5 == pytest.approx(acceleration, rel=1e-7)
    assert np.diff(found.positions[:, 0, 0], n=2)[-1] / 0.25 == pytest.approx(acceleration, rel=1e-6)


def test_static_friction_is_left_once() -> None:
    """It holds between both coefficients at rest, and slides on with the dynamic one when it is pushed."""
    friction = ContactFriction(0.3, 0.5, model="elasto_plastic")
    angle = float(np.arctan(0.4))
    rest = run(block(angle, friction), 2.0, 3)
    assert abs(rest.positions[-1, 0, 0] - rest.positions[-2, 0, 0]) < 1e-9
    pushed = run(block(angle, friction, speed=0.2), 1.0, 3)
    acceleration = G * (np.sin(angle) - 0.3 * np.cos(angle))
    assert (pushed.velocities[2, 0] - pushed.velocities[1, 0]) / 0.5 == pytest.approx(acceleration, rel=1e-7)


def ball(friction: ContactFriction, *, speed: float, space: str = "planar", height: float = 0.0) -> System:
    """A ball on the plane y = 0 that is thrown along x without a spin."""
    inertia = 0.4 * MASS * RADIUS**2
    depth = (MASS * G / HERTZ.stiffness) ** (1 / 1.5)
    along = (speed, 0.0, 0.0) if space == "planar" else (0.6 * speed, 0.0, -0.8 * speed)
    return System(
        [RigidBody("ball", MASS, np.array(inertia) if space == "planar" else np.eye(3) * inertia)],
        loads=[SystemGravity()],
        start={"ball": Placement((0.0, RADIUS - depth if height == 0 else RADIUS + height, 0.0), velocity=along)},
        contacts=[
            SpherePlane(name="floor", first="ground", second="ball", radius=RADIUS, law=HERTZ, friction=friction)
        ],
        space=space,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("model", MODELS)
def test_a_ball_slides_and_then_rolls(model: FrictionModel, space: str) -> None:
    """It slides for 2 v/(7 μ g) and rolls on with 5/7 v.

    The depth of the contact is a rolling radius that is less by 1e-5; bristles come to rest within 10 µm of slip.
    """
    speed = 2.0
    found = run(ball(ContactFriction(0.3, model=model), speed=speed, space=space), 1.0, 6, step=2e-4)
    slides = 2 * speed / (7 * 0.3 * G)  # 0.194 s
    u = np.linalg.norm(found.velocities[:, : 2 if space == "planar" else 3], axis=1)
    np.testing.assert_allclose(u[2:], 5 / 7 * speed, rtol=1e-4)
    way = speed * slides - 0.5 * 0.3 * G * slides**2 + 5 / 7 * speed * (1.0 - slides)
    x, _, z = found.positions[-1, 0]
    assert np.hypot(x, z) == pytest.approx(way, rel=1e-4)
    kinetic = found.energies[-1, 0]
    assert kinetic == pytest.approx(0.5 * MASS * speed**2 * 5 / 7, rel=1e-4)


@pytest.mark.parametrize("model", MODELS)
def test_a_bouncing_ball_loses_slip_by_coulomb(model: FrictionModel) -> None:
    """An oblique impact that slips throughout changes the slip velocity by −3.5 μ (1 + e) v: friction is μ N."""
    mu, fall = 0.1, 1.0
    law = NormalLaw("restitution", 1e8, restitution=0.7)
    system = ball(ContactFriction(mu, model=model), speed=3.0, height=0.01)
    system = replace(
        system,
        loads=[],
        contacts=[replace(system.contacts[0], law=law)],
        start={"ball": Placement((0.0, RADIUS + 0.01, 0.0), velocity=(3.0, -fall, 0.0))},
    )
    found = run(system, 0.03, 4)
    turned, w = found.angles[-1, 0], found.velocities[-1, 2]
    v = np.array([[np.cos(turned), -np.sin(turned)], [np.sin(turned), np.cos(turned)]]) @ found.velocities[-1, :2]
    assert v[1] == pytest.approx(0.7 * fall, rel=1e-3)
    assert v[0] == pytest.approx(3.0 - mu * 1.7 * fall, rel=2e-3)
    assert v[0] + RADIUS * w == pytest.approx(3.0 - 3.5 * mu * 1.7 * fall, rel=2e-3)
    assert (found.end.states == 0.0).all()  # apart, they are straight
    assert found.energy_drift < 1e-3


def test_explicit_and_implicit_steps_agree() -> None:
    """To the first order of implicit steps in the bending of 0.1 mm."""
    friction = ContactFriction(0.3, model="elasto_plastic", presliding=1e-4)
    system = ball(friction, speed=0.5)
    implicit = run(system, 0.2, 5, step=1e-4)
    explicit = run(system, 0.2, 5, integrator="dormand_prince", step=None, tolerance=1e-9)
    np.testing.assert_allclose(implicit.positions, explicit.positions, rtol=0, atol=2e-5)
    assert explicit.energy_drift < 1e-6


def test_a_shaken_block_keeps_its_place() -> None:
    """The normal force swings by a half: an elasto-plastic foot comes back to where it was.

    Steps of different lengths leave 1e-11 m in a second, of second order in them; bristles bend by 5 µm.
    """
    system = block(0.3 * REPOSE, ContactFriction(MU, model="elasto_plastic"))
    shake = MarkerForce("shake", "block", (0.0, f"{0.5 * MASS * G}*sin(20*pi*t)"))
    found = run(replace(system, loads=[*system.loads, shake]), 5.0, 51)
    x = found.positions[:, 0, 0]
    assert abs(x[-1] - x[10]) < 1e-10


# --- checkpoints and files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("integrator", ["generalised_alpha", "dormand_prince"])
def test_run_that_is_continued_repeats_the_whole(integrator: str) -> None:
    """Bit by bit, from a checkpoint while it slides."""
    system = dynamic_system(ball(ContactFriction(0.3, model="elasto_plastic", presliding=1e-4), speed=0.5))
    given: dict[str, Any] = {"step": 1e-3} if integrator == "generalised_alpha" else {"tolerance": 1e-6}
    options = SimulationOptions(duration=0.1, samples=2, integrator=integrator, **given)
    times = np.array([0.0, 0.03, 0.1])
    whole = integrate(system, options, times=times)
    there = integrate(system, options, times=times[:2]).end
    assert np.abs(there.states).max() > 1e-5
    rest = integrate(system, options, there, times=times[1:])
    assert (rest.positions[-1] == whole.positions[-1]).all()
    assert (rest.energies[-1] == whole.energies[-1]).all()


def test_the_file_of_a_model_has_the_bristles(tmp_path: Path) -> None:
    """Equal bits of motion."""
    system, path = dynamic_system(ball(ContactFriction(0.3, model="lugre"), speed=1.0)), str(tmp_path / "model")
    _core.write_model(system.compiled, path)
    again = replace(system)
    again.__dict__["compiled"] = _core.read_model(path).system
    options = SimulationOptions(duration=0.1, step=1e-3, samples=3)
    before, after = integrate(system, options), integrate(again, options)
    np.testing.assert_array_equal(before.positions, after.positions)


# --- iterations --------------------------------------------------------------------------------------------------


def test_high_friction_needs_no_more_iterations() -> None:
    """The matrix knows how friction follows the normal force.

    Of a ball that slides and rolls over 500 steps; a matrix without that took half as many again.
    """
    light = NormalLaw("hunt_crossley", 1e8, restitution=0.5)
    system = ball(ContactFriction(0.2), speed=3.0)
    found = run(replace(system, contacts=[replace(system.contacts[0], law=light)]), 0.5, 3)
    assert found.statistics.iterations < 5 * found.statistics.steps


# --- what is refused ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"model": "lugre", "regularisation": 1e-3}, "for tanh"),
        ({"presliding": 1e-5}, "tanh does not have"),
        ({"model": "elasto_plastic", "break_away": 1.0}, "between 0 and 1"),
        ({"model": "elasto_plastic", "presliding": 0.0}, "presliding"),
    ],
)
def test_numbers_that_make_no_sense(fields: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError, match=why):
        ContactFriction(0.3, **fields)


def test_contacts_that_cannot_have_bristles() -> None:
    friction = ContactFriction(0.3, model="elasto_plastic")
    with pytest.raises(InputError, match="impulsive has none"):
        SpherePlane(name="floor", first="ground", second="b", law=NormalLaw("impulsive"), friction=friction)
    with pytest.raises(InputError, match="come and go"):
        SpherePolyline(
            name="floor", first="ground", second="b", law=LINEAR, friction=friction, points=[[0, 0], [1, 0]]
        )
    system = dynamic_system(ball(friction, speed=1.0))
    with pytest.raises(InputError, match="bristles"):
        integrate(system, SimulationOptions(duration=0.1, samples=3, tolerance=1e-6, integrator="radau"))


@pytest.mark.parametrize(
    "options", [{"step": 1e-3}, {"integrator": "dormand_prince", "step": None, "tolerance": 1e-9}]
)
def test_what_bristles_store_is_given_back(options: dict[str, object]) -> None:
    """A slide that N presses on a wall is pulled below break-away and let go: ½ F²/(N σ₀), and back."""
    depth, presliding, period = 1e-3, 1e-4, 2.0
    normal = LINEAR.stiffness * depth
    pull = 0.5 * MU * normal
    friction = ContactFriction(MU, model="elasto_plastic", presliding=presliding)
    contact = SpherePlane(name="wall", first="ground", second="slide", law=LINEAR, friction=friction)
    system = System(
        [RigidBody("slide", MASS, np.array(0.03))],
        [Prismatic("guide", "ground.low", "slide", axis=(1.0, 0.0))],
        loads=[MarkerForce("pull", "slide", (f"{pull}*(1 - cos(2*pi*t/{period}))/2", 0.0))],
        contacts=[contact],
        ground={"low": (0.0, -depth)},
        start={"slide": Placement((0.0, -depth, 0.0))},
    )
    found = run(system, period, 41, **options)
    force = pull * (1 - np.cos(2 * np.pi * found.times / period)) / 2
    pressed = 0.5 * LINEAR.stiffness * depth**2
    stored = 0.5 * force**2 * presliding / (MU * normal)
    # the damping of the bristles lags behind by its relaxation, about 1 ms beside T/2π: 3e-3
    np.testing.assert_allclose(found.energies[:, 3] - pressed, stored, rtol=0, atol=5e-3 * stored.max())
    assert np.abs(found.energies[:, 7]).max() < 0.02 * stored.max()  # of the damping of the bristles
    assert found.energy_drift < 1e-5
