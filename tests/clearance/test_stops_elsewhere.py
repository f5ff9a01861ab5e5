"""Stops of joints at rest, in steady turning and in rigid motions, against closed forms."""

import numpy as np
import pytest
from scipy.optimize import brentq
from tests.rounding import rounding

from flexframe.analyses.campbell.system_analysis import system_campbell
from flexframe.analyses.rigid_motion.analysis import rigid_motion
from flexframe.analyses.statics.system_analysis import system_statics
from flexframe.errors import InputError
from flexframe.model.contacts import NormalLaw
from flexframe.model.drives import AngleDrive
from flexframe.model.joints import Prismatic, Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import SystemGravity

G, LENGTH, MASS = 9.81, 0.8, 2.0
INERTIA = MASS * LENGTH**2 / 3
DIFFERENCES = 1e-8
"""Of a tangent by central differences: the square of their stride of 1e-6, and rounding over it."""


def rod(**stops: object) -> System:
    """A rod on a hinge, at rest along x under its weight; a stop may hold it."""
    body = RigidBody.rod("rod", length=LENGTH, mass=MASS)
    return System([body], [Revolute("A", "ground", "rod", **stops)], loads=[SystemGravity()])  # type: ignore[arg-type]


@pytest.mark.parametrize("stiffness", [1e2, 1e4, 1e8])
def test_a_rod_lies_on_its_stop(stiffness: float) -> None:
    """m g L/2 cos φ = K (−0.1 − φ), and the tangent is K less that of the weight."""
    found = system_statics(rod(stops=(-0.1, 1.0), stop_stiffness=stiffness, stop_damping=3.0))
    weight = MASS * G * LENGTH / 2

    def moment(angle: float) -> float:
        return weight * float(np.cos(angle)) - stiffness * (-0.1 - angle)

    angle = brentq(moment, -1.5, -0.1, xtol=1e-15)
    pressed = {spring.name: spring for spring in found.springs}
    lower, upper = pressed["A.lower"], pressed["A.upper"]
    assert lower.force == pytest.approx(weight * np.cos(angle), rel=1e-9 * max(1.0, stiffness / 1e6))
    assert lower.coordinate == pytest.approx(angle + 0.1, rel=1e-6)
    assert (lower.kind, upper.kind, upper.force) == ("stop", "stop, open", 0.0)
    assert found.stability == "stable"
    tangent = (stiffness - weight * np.sin(angle)) / INERTIA
    assert found.eigenvalues[0].real == pytest.approx(tangent, rel=DIFFERENCES)
    force = found.forces.joints["A"]
    close = rounding(1e4, MASS * G) + rounding(100, stiffness)  # the stop has K times the rounding of the angle
    assert force.force[0] == pytest.approx([0.0, MASS * G, 0.0], abs=close)


def test_a_stop_that_is_not_reached_does_nothing() -> None:
    found = system_statics(rod(stops=(-2.0, 1.0), stop_stiffness=1e4))
    assert {spring.kind for spring in found.springs} == {"stop, open"}
    assert found.eigenvalues[0].real == pytest.approx(MASS * G * LENGTH / 2 / INERTIA, rel=DIFFERENCES)


def test_a_block_on_a_stop_by_a_power_of_the_depth() -> None:
    """K δ^1.5 = m g, with the tangent 1.5 K √δ; the depth of 0.1 µm is less than a difference in space."""
    law = NormalLaw("restitution", 5e11, 1.5, restitution=0.3)
    block = RigidBody("block", 3.0, 1e-2)
    guide = Prismatic("A", "ground", "block", (0.0, 1.0), stops=(-0.2, 0.3), stop_law=law)
    found = system_statics(System([block], [guide], loads=[SystemGravity()]))
    depth = (3.0 * G / 5e11) ** (2 / 3)
    lower = next(spring for spring in found.springs if spring.name == "A.lower")
    assert lower.force == pytest.approx(3.0 * G, rel=1e-6)  # rounding of a travel of 0.2 m over the depth
    assert -lower.coordinate == pytest.approx(depth, rel=1e-6)
    assert found.eigenvalues[0].real == pytest.approx(1.5 * 5e11 * np.sqrt(depth) / 3.0, rel=1e-6)


def test_blade_leaves_its_droop_stop() -> None:
    """I β̈ + Ω² (I sin β cos β + e S sin β) + g S cos β = K (β₀ − β) while it is pressed."""
    stiffness, droop, offset, moment, inertia = 5e4, -0.05, 0.3, 3.0 * 0.8, 0.7 + 3.0 * 0.64
    hub = RigidBody("hub", 2.0, np.ones(3), points={"rim": [offset, 0, 0]})
    blade = RigidBody("blade", 3.0, np.array([0, 0.7, 0.7]), np.array([0.8, 0, 0]))
    # a positive turn about −y lifts the blade
    hinge = Revolute("hinge", "hub.rim", "blade", axis=(0, -1, 0), stops=(droop, 0.5), stop_stiffness=stiffness)
    fan = System(
        [hub, blade],
        [Revolute("axle", "ground", "hub"), hinge],
        [AngleDrive("motor", "ground", "hub", 0.0)],
        loads=[SystemGravity(acceleration=(0.0, 0.0, -G))],
        start={"blade": Placement([offset, 0, 0])},
        space="spatial",
    )
    speeds = [0.0, 5.0, 30.0]
    found = system_campbell(fan, speeds, modes=1)
    for speed, value in zip(speeds, found.eigenvalues[:, 0], strict=True):

        def torque(b: float, speed: float = speed) -> float:
            turning = speed**2 * (inertia * np.sin(b) * np.cos(b) + offset * moment * np.sin(b))
            return float(turning + G * moment * np.cos(b) - stiffness * max(0.0, droop - b))

        b = brentq(torque, -1.0, 0.0, xtol=1e-15)
        squared = speed**2 * (inertia * np.cos(2 * b) + offset * moment * np.cos(b)) - G * moment * np.sin(b)
        squared = (squared + (stiffness if b < droop else 0.0)) / inertia
        assert abs(value.imag) == pytest.approx(np.sqrt(squared), rel=1e-6)  # of differences at small angles
    assert "stop hinge.lower is pressed at 0, 5 rad/s, with its tangent, and open at other speeds" in found.notices
    assert "stop hinge.upper is open at all speeds" in found.notices


def test_a_rigid_motion_bounces_on_a_spring() -> None:
    """Free fall by h, then half a period on the spring about m g/K, and up again, for ever."""
    stiffness, drop, mass = 2e4, 0.1, 0.5
    block = RigidBody("block", mass, 1e-3)
    guide = Prismatic("A", "ground", "block", (0.0, 1.0), stops=(-drop, 1.0), stop_stiffness=stiffness)
    system = System([block], [guide], loads=[SystemGravity()])
    fall, omega = np.sqrt(2 * drop / G), np.sqrt(stiffness / mass)
    speed = G * fall
    # δ = m g/K (1 − cos ωt) + v/ω sin ωt, which is zero again after
    touching = 2 * (np.pi - np.arctan(speed * omega / G)) / omega
    period = 2 * fall + touching
    deepest = mass * G / stiffness + np.hypot(mass * G / stiffness, speed / omega)
    times = np.array([0.0, fall / 2, fall + touching / 2, period, period + fall / 2, 2 * period])
    found = rigid_motion(system, times, relative_tolerance=1e-11)
    heights = found.motion.body("block").positions[:, 1]
    expected = [0.0, -G * fall**2 / 8, -drop - deepest, 0.0, -G * fall**2 / 8, 0.0]
    assert heights == pytest.approx(expected, abs=1e-8)
    pushed = found.forces.joints["A"].force[:, 1]
    assert pushed == pytest.approx([0.0, 0.0, stiffness * deepest, 0.0, 0.0, 0.0], abs=1e-3)
    assert found.energy_drift < 1e-8


def test_refusals() -> None:
    bouncing = {"stops": (-0.1, 1.0), "stop_law": NormalLaw("impulsive", restitution=0.5)}
    with pytest.raises(
        InputError, match="an equilibrium knows no impulses, and the stops of A are impulsive"
    ) as told:
        system_statics(rod(**bouncing))
    assert told.value.field == ("stop_law",)
    damped = {"stops": (-0.1, 1.0), "stop_law": NormalLaw("restitution", 1e6, 1.5, restitution=0.5)}
    with pytest.raises(InputError, match="a rigid motion knows no restitution of stops, as A has"):
        rigid_motion(rod(**damped), [0.0, 0.1])
    with pytest.raises(InputError, match="a rigid motion knows no lock, and A has one"):
        rigid_motion(rod(lock="t"), [0.0, 0.1])
