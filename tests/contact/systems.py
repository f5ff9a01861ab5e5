"""Systems with contacts for the tests: a ball above a plane, two balls, a place of a contact at a state."""

from dataclasses import replace

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.rotations import quaternion_exponential
from flexframe.model.contacts import Contact, ContactFriction, NormalLaw, SpherePlane, SphereSphere
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity
from flexframe.multibody.contract import DynamicSystem, Simulation, SimulationOptions
from flexframe.multibody.equations import evaluation_at, place_of
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system

RADIUS, MASS, HERTZ = 0.01, 1.0, 1e9


def ball_over_plane(
    law: NormalLaw,
    *,
    height: float = 0.01,
    speed: float = 1.0,
    gravity: float = 0.0,
    friction: ContactFriction | None = None,
    divisions: int = 40,
) -> DynamicSystem:
    """A ball that moves down towards the plane y = 0, its lowest point at a height."""
    ball = RigidBody("ball", MASS, 0.4 * MASS * RADIUS**2)
    start = Placement((0.0, height + RADIUS, 0.0), velocity=(0.0, -speed, 0.0))
    floor = SpherePlane(
        name="floor", first="ground", second="ball", radius=RADIUS, law=law, friction=friction, divisions=divisions
    )
    loads = [SystemGravity(acceleration=(0.0, -gravity, 0.0))] if gravity else []
    return dynamic_system(System([ball], loads=loads, start={"ball": start}, contacts=[floor]))


def two_balls(law: NormalLaw, masses: tuple[float, float], offset: float, friction: float) -> DynamicSystem:
    """Two balls in space, the first at rest, the second, turning, on its way along x beside the first."""
    inertias = [np.eye(3) * 0.4 * mass * RADIUS**2 for mass in masses]
    balls = [RigidBody(name, mass, inertia) for name, mass, inertia in zip("ab", masses, inertias, strict=True)]
    start = {"b": Placement((-0.03, offset, 0.0), velocity=(2.0, 0.0, 0.0), angular_velocity=(0.0, 30.0, 5.0))}
    touch = SphereSphere(
        name="touch", first="a", second="b", radii=(RADIUS, RADIUS), law=law, friction=ContactFriction(friction)
    )
    return dynamic_system(System(balls, start=start, contacts=[touch], space="spatial"))


def motion(system: DynamicSystem, duration: float, samples: int = 11, **options: object) -> Simulation:
    """By generalised-α with a step of 1 ms unless something else is asked for."""
    given = {"integrator": "generalised_alpha", "step": 1e-3} | options
    return integrate(system, SimulationOptions(duration=duration, samples=samples, **given))  # type: ignore[arg-type]


def touches_at(contact: Contact, first: Array, second: Array, *, spin: Array | None = None) -> Array:
    """Places of a contact between two free bodies at positions, the second turned by a vector: (touches, 13)."""
    bodies = [RigidBody(name, 1.0, np.eye(3)) for name in "ab"]
    system = dynamic_system(System(bodies, contacts=[replace(contact, first="a", second="b")], space="spatial"))
    turned = np.stack([np.zeros(3), np.zeros(3) if spin is None else spin])
    state = replace(
        initial_state(system), positions=np.stack([first, second]), quaternions=quaternion_exponential(turned)
    )
    evaluation = evaluation_at(system, 0.0)
    evaluation.evaluate(place_of(system, state), 0.0, np.zeros(12), np.zeros(0), False)
    return evaluation.touches()
