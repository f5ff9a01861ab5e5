"""Friction of joints whose limit is a coefficient times the reaction of the same instant, by hand calculation.

Bristles bend by 10 µm or 10 µrad, and steps are 1 ms, so that a motion which begins at rest or comes to rest is
off by the way of about a step.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from flexframe.errors import AnalysisError, InputError
from flexframe.model.friction import FrictionInJoint
from flexframe.model.joints import Cylindrical, Prismatic, Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.rubbing import FrictionModel, JointFriction
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, SystemGravity
from flexframe.model.transmissions.gears import Rack
from flexframe.multibody.contract import Simulation, SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.mechanism import mechanism
from flexframe.multibody.system import dynamic_system

G = 9.81
MODELS: tuple[FrictionModel, ...] = ("elasto_plastic", "lugre", "tanh")
ALONG, UP = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


def run(system: System, duration: float, samples: int, **options: Any) -> Simulation:
    return integrate(dynamic_system(system), SimulationOptions(duration=duration, samples=samples, **options))


@pytest.mark.parametrize("model", MODELS)
def test_a_loaded_disc_stops(model: FrictionModel) -> None:
    """A journal under 500 N: µ r F = 1 N m stops 0.5 kg m² at 10 rad/s after I ω/(µ r F) = 5 s and 25 rad."""
    system = System(
        [RigidBody("disc", 2.0, np.array(0.5))],
        [Revolute("A", "ground", "disc", friction=JointFriction(model=model, coefficient=0.1, radius=0.02))],
        loads=[MarkerForce("load", "disc", (300.0, -400.0))],
        start={"disc": Placement(angular_velocity=(0.0, 0.0, 10.0))},
    )
    found = run(system, 6.0, 7, step=1e-3)
    assert found.angles[4, 0] == pytest.approx(10 * 4 - 0.5 * 2.0 * 4**2, rel=1e-5)
    assert found.angles[-1, 0] == pytest.approx(25.0, rel=1e-5)
    assert found.energies[-1, 6] == pytest.approx(25.0, rel=1e-5)  # all of ½ I ω² is dissipated
    assert found.energy_drift < 1e-5


def test_a_block_on_a_slide_under_its_weight() -> None:
    """v²/(2 µ g) however heavy it is, and with the static coefficient it holds on a slope of 0.25 > µ = 0.2."""
    friction = JointFriction(coefficient=0.2, static_coefficient=0.3)
    system = System(
        [RigidBody("block", 7.0, np.array(0.01))],
        [Prismatic("guide", "ground", "block", axis=ALONG, friction=friction)],
        loads=[SystemGravity()],
        start={"block": Placement(velocity=(1.5, 0.0, 0.0))},
    )
    assert run(system, 1.0, 3, step=5e-4).positions[-1, 0, 0] == pytest.approx(1.5**2 / (2 * 0.2 * G), rel=1e-3)
    tilts = SystemGravity("slope", acceleration=(0.25 * G, 0.0, 0.0), factor="min(1, t)")
    x = run(replace(system, loads=[SystemGravity(), tilts], start={}), 5.0, 6, step=1e-3).positions[2:, 0, 0]
    assert 0 < x[-1] < 1e-5  # what bristles bend
    assert np.ptp(x) < 1e-12  # sticks: rounding of 5,000 steps of 1e-5 m


def test_the_reaction_follows_the_friction_that_follows_it() -> None:
    """A weight m on a rope around a drum: I a/R = T R − µ r (m_d g + T), T = m (g − a).

    Friction and reaction are solved together, so that the rope's force at the last instant is right to the 1e-9 at
    which iterations of a step end, not to the order of the step.
    """
    mu, r, R, inertia, drum, weight = 0.2, 0.03, 0.1, 0.02, 5.0, 3.0
    system = System(
        [RigidBody("drum", drum, np.array(inertia)), RigidBody("weight", weight, np.array(0.01))],
        [
            Revolute("journal", "ground", "drum", friction=JointFriction(coefficient=mu, radius=r)),
            Prismatic("shaft", "ground.guide", "weight", axis=UP),
            Rack("rope", "drum", "weight", R, direction=UP, pressure_angle=0.0),
        ],
        loads=[SystemGravity()],
        ground={"guide": (R, 0.0)},
        start={"weight": Placement(np.array([R, 0.0, 0.0]))},
    )
    a = (weight * R - mu * r * (drum + weight)) * G / (inertia / R + weight * R - mu * r * weight)
    found = run(system, 0.5, 3, step=1e-3)
    assert found.multipliers[-1, -1] == pytest.approx(weight * (G - a), rel=1e-9)
    assert found.multipliers[-1, 1] == pytest.approx(drum * G + weight * (G - a), rel=1e-9)
    assert found.positions[-1, 1, 1] == pytest.approx(-0.5 * a * 0.5**2, rel=1e-3)
    assert found.energy_drift < 1e-5
    other = run(
        replace(system, joints=[_smoothed(joint) for joint in system.joints]),
        0.5,
        3,
        integrator="dormand_prince",
        tolerance=1e-8,
    )
    # tanh lacks friction until the drum turns with some 10 mrad/s, 0.2 ms of the 0.5 s
    assert other.positions[-1, 1, 1] == pytest.approx(-0.5 * a * 0.5**2, rel=1e-4)


def _smoothed(joint: Any) -> Any:
    """With tanh in the place of bristles."""
    if getattr(joint, "friction", None) is None:
        return joint
    return replace(joint, friction=replace(joint.friction, model="tanh"))


# --- a wedge -----------------------------------------------------------------------------------------------------

ANGLE, WEDGE, BLOCK = np.radians(10.0), 2.0, 5.0


def wedge(coefficient: float, push: float = 0.0, speed: float = 0.0) -> System:
    """A wedge on a smooth floor lifts a block in a smooth upright guide; their common face rubs."""
    face = (float(np.cos(ANGLE)), float(np.sin(ANGLE)), 0.0)
    return System(
        [RigidBody("wedge", WEDGE, np.array(0.01)), RigidBody("block", BLOCK, np.array(0.01))],
        [
            Prismatic("floor", "ground", "wedge", axis=ALONG),
            Prismatic("guide", "ground", "block", axis=UP),
            Prismatic("face", "wedge", "block", axis=face, friction=JointFriction(coefficient=coefficient)),
        ],
        loads=[SystemGravity(), MarkerForce("push", "wedge", (push, 0.0))],
        start={
            "wedge": Placement(velocity=(speed, 0.0, 0.0)),
            "block": Placement(velocity=(0.0, -speed * float(np.tan(ANGLE)), 0.0)),
        },
    )


def test_a_wedge_locks_itself() -> None:
    """tan 10° = 0.176: with µ = 0.3 the weight does not drive the wedge out, within what bristles bend."""
    x = run(wedge(0.3), 10.0, 11, step=2e-3).positions[1:, 0, 0]
    assert 0 < x[-1] < 1e-5
    assert np.ptp(x) < 1e-12  # rounding of 5,000 steps of 1e-5 m


def test_a_wedge_that_does_not_lock() -> None:
    """With µ = 0.1, N and the acceleration follow from the two balances of wedge and block."""
    mu, speed = 0.1, 0.5
    sine, cosine = np.sin(ANGLE), np.cos(ANGLE)
    on_block = np.array([-sine + mu * cosine, cosine + mu * sine])  # of a unit of N, sliding down
    matrix = np.array([[WEDGE, on_block[0]], [-BLOCK * np.tan(ANGLE), -on_block[1]]])
    a, normal = np.linalg.solve(matrix, [0.0, -BLOCK * G])
    found = run(wedge(mu, speed=speed), 0.4, 3, step=5e-4)
    assert found.positions[-1, 0, 0] == pytest.approx(speed * 0.4 + 0.5 * a * 0.4**2, rel=1e-4)
    face = dynamic_system(wedge(mu)).owners.index("face")
    assert abs(found.multipliers[-1, face]) == pytest.approx(normal, rel=1e-9)


def test_a_wedge_is_pushed_in_by_the_angle_of_friction() -> None:
    """P = W tan(α + arctan µ) keeps it in uniform motion, once its bristles are bent."""
    push = -BLOCK * G * float(np.tan(ANGLE + np.arctan(0.3)))
    x = run(wedge(0.3, push, -0.2), 0.4, 5, step=1e-3).positions[:, 0, 0]
    np.testing.assert_allclose(np.diff(x)[1:], -0.02, rtol=1e-3)


# --- moments -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("offset", "jams"), [(0.3, False), (0.6, True)])
def test_a_drawer_jams_beyond_half_its_length_over_the_coefficient(offset: float, jams: bool) -> None:
    """P at the side b: both ends of the guide carry P b/L and rub with 2 µ P b/L; with µ/L = 1/m 0.5 m jams."""
    pull, mass = 10.0, 4.0
    system = System(
        [RigidBody("drawer", mass, np.array(0.1), points={"knob": (0.0, offset)})],
        [Prismatic("guide", "ground", "drawer", axis=ALONG, friction=JointFriction(coefficient=0.4, length=0.4))],
        loads=[MarkerForce("pull", "drawer.knob", (pull, 0.0))],
    )
    x = run(system, 1.0, 3, step=1e-3).positions[-1, 0, 0]
    if jams:
        assert 0 < x < 2e-5  # bristles, which a pull that comes at once bends by up to twice as much
    else:
        assert x == pytest.approx(0.5 * pull * (1 - 2 * offset) / mass, rel=5e-3)  # begins at rest


SPATIAL = {"space": "spatial", "start": {"body": Placement(angular_velocity=(0.0, 0.0, 20.0))}}


@pytest.mark.parametrize(
    ("force", "moment", "torque"),
    [
        ((300.0, 400.0, 0.0), (0.0, 0.0, 0.0), 0.1 * 0.02 * 500),
        ((0.0, 0.0, -200.0), (0.0, 0.0, 0.0), 0.1 * 0.05 * 200),
        ((0.0, 0.0, 0.0), (0.0, 30.0, 0.0), 0.1 * 0.02 * 2 * 30 / 0.1),
        ((0.0, 800.0, 0.0), (30.0, 0.0, 0.0), 0.1 * 0.02 * 800),  # both ends carry in one sense
        ((0.0, 200.0, 100.0), (0.0, 30.0, 0.0), 0.1 * (0.02 * 2 * np.hypot(100, 300) + 0.05 * 100)),
    ],
)
def test_a_journal_in_space(force: tuple[float, ...], moment: tuple[float, ...], torque: float) -> None:
    """Force across the axis, thrust, and a moment that tilts: each end of the bearing carries F/2 ± M/L."""
    friction = JointFriction(coefficient=0.1, radius=0.02, thrust_radius=0.05, length=0.1)
    system = System(
        [RigidBody("body", 1.0, np.eye(3) * 0.4)],
        [Revolute("A", "ground", "body", friction=friction)],
        loads=[MarkerForce("load", "body", force, moment)],
        **SPATIAL,  # type: ignore[arg-type]
    )
    found = run(system, 1.0, 3, step=1e-3)
    assert found.signals[-1, -1] == pytest.approx(-torque, rel=1e-6)
    q = found.quaternions[-1, 0]
    turned = 20.0 - 0.5 * torque / 0.4
    assert 2 * np.arctan2(q[3], q[0]) % (2 * np.pi) == pytest.approx(turned % (2 * np.pi), abs=1e-4)


def test_a_slide_in_space_with_a_moment_about_its_axis() -> None:
    """µ (|F| + 2 M/w) = 0.1 (50 + 2 · 6/0.2) N = 11 N takes 5.5 m/s² from 2 kg along a sloping axis."""
    friction = JointFriction(coefficient=0.1, width=0.2)
    system = System(
        [RigidBody("body", 2.0, np.eye(3) * 0.1)],
        [Prismatic("A", "ground", "body", axis=(0.0, 0.6, 0.8), friction=friction)],
        loads=[MarkerForce("load", "body", (50.0, 0.0, 0.0), (0.0, 3.6, 4.8))],
        start={"body": Placement(velocity=(0.0, 1.2, 1.6))},
        space="spatial",
    )
    found = run(system, 0.2, 3, step=1e-3)
    assert np.linalg.norm(found.positions[-1, 0]) == pytest.approx(2 * 0.2 - 0.5 * 5.5 * 0.04, rel=1e-4)


def test_a_sleeve_rubs_along_and_about_its_axis() -> None:
    """The same 200 N brake both ways: µ F/m = 10 m/s² and µ r F/I = 4 rad/s²."""
    both = JointFriction(coefficient=0.1)
    sleeve = Cylindrical("A", "ground", "rod", friction=both, rotation_friction=replace(both, radius=0.02))
    system = System(
        [RigidBody("rod", 2.0, np.eye(3) * 0.1)],
        [sleeve],
        loads=[MarkerForce("load", "rod", (120.0, 160.0, 0.0))],
        start={"rod": Placement(velocity=(0.0, 0.0, 3.0), angular_velocity=(0.0, 0.0, 2.0))},
        space="spatial",
    )
    found = run(system, 0.2, 3, step=5e-4)
    assert found.positions[-1, 0, 2] == pytest.approx(3 * 0.2 - 0.5 * 10 * 0.04, rel=1e-3)
    q = found.quaternions[-1, 0]
    assert 2 * np.arctan2(q[3], q[0]) == pytest.approx(2 * 0.2 - 0.5 * 4 * 0.04, rel=1e-3)


def test_a_limit_adds_to_the_coefficient() -> None:
    """A seal of 0.5 N m beside µ r F = 1 N m, and a coefficient that halves: 1.5 and 1 N m."""
    for coefficient, torque in ((0.1, 1.5), ("0.05 + 0*t", 1.0)):
        friction = JointFriction(0.5, coefficient=coefficient, radius=0.02)
        system = System(
            [RigidBody("disc", 2.0, np.array(0.5))],
            [Revolute("A", "ground", "disc", friction=friction)],
            loads=[MarkerForce("load", "disc", (0.0, 500.0))],
            start={"disc": Placement(angular_velocity=(0.0, 0.0, 10.0))},
        )
        assert run(system, 0.5, 3, step=1e-3).signals[-1, -1] == pytest.approx(-torque, rel=1e-6)


# --- what is refused ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "limit"),
        ({"coefficient": 0.1}, "radius"),
        ({"coefficient": -0.1, "radius": 0.01}, "coefficient"),
        ({"coefficient": 0.2, "static_coefficient": 0.1, "radius": 0.01}, "static_coefficient"),
        ({"limit": 1.0, "static_coefficient": 0.1}, "static_coefficient"),
        ({"limit": 1.0, "radius": 0.01}, "radius"),
        ({"coefficient": 0.1, "radius": 0.0}, "radius"),
        ({"coefficient": 0.1, "radius": 0.01, "length": 0.1}, "length"),
        ({"coefficient": 0.1, "radius": 0.01, "width": 0.1}, "width"),
        ({"coefficient": 0.1, "radius": 0.01, "thrust_radius": 0.1}, "thrust_radius"),
        ({"coefficient": 0.1, "radius": 0.01, "stiffness": 1e5}, "stiffness"),
    ],
)
def test_fields_that_make_no_sense_in_the_plane(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as refused:
        System(
            [RigidBody("disc", 1.0, np.array(0.5))],
            [Revolute("A", "ground", "disc", friction=JointFriction(**fields))],
        )
    assert (*refused.value.part, *refused.value.field)[-1] == field


def test_an_elastic_joint_has_no_reaction() -> None:
    joint = Revolute("A", "ground", "disc", stiffness=1e6, friction=JointFriction(coefficient=0.1, radius=0.01))
    with pytest.raises(InputError, match="has springs"):
        System([RigidBody("disc", 1.0, np.array(0.5))], [joint])


def test_forces_are_not_known_before_reactions() -> None:
    system = System(
        [RigidBody("disc", 1.0, np.array(0.5))],
        [Revolute("A", "ground", "disc", friction=JointFriction(coefficient=0.1, radius=0.01, model="tanh"))],
    )
    assert isinstance(system.loads[0], FrictionInJoint)
    ready = mechanism(system)
    with pytest.raises(AnalysisError, match="found with it in a motion or its inverse"):
        ready.network.values(np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1)))
    with pytest.raises(InputError, match="follows its reaction"):
        system.require_free_of_reactions("a formalism")
