"""A ball on a slope: it slides or rolls by Coulomb's law, whatever law presses it on the slope."""

import numpy as np
import pytest
from tests.contact.systems import motion

from flexframe.model.contacts import ContactFriction, NormalLaw, SpherePlane
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity
from flexframe.multibody.system import dynamic_system

G, RADIUS, MASS, STIFFNESS = 9.81, 0.05, 0.5, 1e8
CREEP = 1e-4  # m/s, velocity over which friction is smoothed


@pytest.mark.parametrize("law", ["impulsive", "restitution"])
@pytest.mark.parametrize(
    ("angle", "friction"), [(20.0, 0.0), (20.0, 0.05), (20.0, 0.3), (35.0, 0.15), (35.0, 0.25)]
)
def test_ball_on_a_slope(angle: float, friction: float, law: str) -> None:
    """It rolls with 5/7 g sin α where μ ≥ 2/7 tan α, else it slides with g (sin α − μ cos α) and spins up."""
    alpha = np.radians(angle)
    rolls = friction >= 2 / 7 * np.tan(alpha)
    along = 5 / 7 * np.sin(alpha) if rolls else np.sin(alpha) - friction * np.cos(alpha)
    held = 2 / 7 * np.sin(alpha) if rolls else friction * np.cos(alpha)
    normal = MASS * G * np.cos(alpha)
    depth = 0.0 if law == "impulsive" else (normal / STIFFNESS) ** (2 / 3)
    floor = SpherePlane(
        name="slope",
        first="ground",
        second="ball",
        radius=RADIUS,
        law=NormalLaw("impulsive") if law == "impulsive" else NormalLaw("restitution", STIFFNESS),
        friction=ContactFriction(friction, regularisation=CREEP) if friction else None,
    )
    system = System(
        [RigidBody("ball", MASS, 0.4 * MASS * RADIUS**2)],
        loads=[SystemGravity(acceleration=(G * np.sin(alpha), -G * np.cos(alpha), 0.0))],
        start={"ball": Placement((0.0, RADIUS - depth, 0.0))},
        contacts=[floor],
    )
    end = 0.2
    found = motion(dynamic_system(system), end, samples=21, step=2e-4)
    speed = np.hypot(found.velocities[:, 0], found.velocities[:, 1])  # in axes that turn with the ball
    # what is smoothed and the arm of friction, which is the radius less the depth
    near = 2 * CREEP + 2 * depth / RADIUS
    assert speed == pytest.approx(G * along * found.times, abs=near)
    assert -found.velocities[:, 2] * RADIUS == pytest.approx(2.5 * G * held * found.times, abs=2.5 * near)
    assert found.contacts[1:, 0, 1] == pytest.approx(normal, rel=1e-3)
    assert found.energy_drift < 1e-4
    slip = G * (along - 2.5 * held) * end
    taken = 0.0 if rolls else friction * normal * 0.5 * slip * end
    assert found.energies[-1, 7] == pytest.approx(taken, abs=1e-3 * MASS * (G * end) ** 2)
