"""Computed motions against exact and published solutions."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from flexframe.analyses.rigid_motion.analysis import rigid_motion
from flexframe.errors import AnalysisError, InputError
from flexframe.model.drives import AngleDrive, PositionDrive
from flexframe.model.friction import Friction
from flexframe.model.joints import KnifeEdge, Prismatic, Revolute, Rolling, Spherical
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, Motor, Spring, SystemGravity, TorsionSpring

from .linkages import slider_crank
from .newton_euler import imbalance

O = {"O": (0, 0)}  # noqa: E741


def pendulum(**extra):
    mass = RigidBody("mass", 1.0, 0.0, points={"O": (1, 0), "P": (0, 0)})
    return System(
        [mass],
        [Revolute("A", "ground.O", "mass.O")],
        loads=[SystemGravity()],
        ground=O,
        start={"mass": Placement((-1, 0))},
        **extra,
    )


def test_pendulum_of_the_iftomm_library():
    """A01: from (−1, 0) the mass is at (−0.2750874626, −0.9614192051) after 10 s."""
    record = rigid_motion(pendulum(), np.linspace(0, 10, 401), relative_tolerance=1e-11)
    place = record.motion.marker("mass.P")[0][-1]
    np.testing.assert_allclose(place[:2], (-0.2750874626, -0.9614192051), atol=2e-10)
    assert imbalance(record.forces) < 1e-9


def test_period_of_the_pendulum_by_events():
    """The lowest point is passed every half period, 1.18392097379 s."""
    lowest = AngleDrive("lowest", "ground.O", "mass.O", "pi/2")
    record = rigid_motion(pendulum(), np.linspace(0, 5, 51), events=[lowest], relative_tolerance=1e-11)
    times = [time for _, time in record.events]
    np.testing.assert_allclose(np.diff(times), 2.36784194758 / 2, rtol=1e-9)
    stopped = rigid_motion(pendulum(), np.linspace(0, 5, 51), events=[lowest], stop_at_event=True)
    assert stopped.motion.times[-1] == pytest.approx(0.5)  # the last wanted time before 0.59 s


def test_events_are_exact_where_the_motion_is():
    """A constant force: x = 1 + 2 t² passes 3 at 1 s and a moving value at the roots of a quadratic.

    The motion is integrated exactly, so that the times are good to rounding.
    """
    system = oscillator([MarkerForce("push", "block.P", ("8", "0"))])  # x = 1 + 2 t²
    events = [
        PositionDrive("three", "ground.O", "block.P", "3"),
        PositionDrive("overtaken", "ground.O", "block.P", "0.5 + 3*t"),  # 2t² − 3t + ½ = 0
    ]
    record = rigid_motion(system, np.linspace(0, 2, 5), events=events)
    roots = [(3 - np.sqrt(5)) / 4, (3 + np.sqrt(5)) / 4]
    assert [name for name, _ in record.events] == ["overtaken", "three", "overtaken"]
    times = [time for _, time in record.events]
    np.testing.assert_allclose(times, [roots[0], 1.0, roots[1]], rtol=0, atol=1e-12)
    stopped = rigid_motion(system, [0.0, 0.4, 0.8, 1.2], events=events[:1], stop_at_event=True, method="implicit")
    assert stopped.motion.times.tolist() == [0.0, 0.4, 0.8]
    assert stopped.events[0][1] == pytest.approx(1.0, abs=1e-9)  # the tolerance of the integration


def test_a_motion_that_ends_before_its_second_instant():
    """The only instant before an event is the start."""
    system = oscillator([MarkerForce("push", "block.P", ("8", "0"))])
    event = PositionDrive("near", "ground.O", "block.P", "1.02")  # after 0.1 s
    record = rigid_motion(system, [0.0, 1.0], events=[event], stop_at_event=True)
    assert record.motion.times.tolist() == [0.0]
    assert record.events == (("near", pytest.approx(0.1, abs=1e-12)),)


def double_pendulum(space):
    rods = [RigidBody.rod(name, length=1.0, mass=1.0) for name in ("upper", "lower")]
    return System(
        rods,
        [Revolute("A", "ground.O", "upper.start"), Revolute("B", "upper.end", "lower.start")],
        loads=[SystemGravity()],
        ground={"O": (0, 0)},
        start={"lower": Placement((1, 0))},
        space=space,
    )


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_double_pendulum(space):
    """Uniform rods released horizontally; reference at t = 1 to six digits."""
    record = rigid_motion(double_pendulum(space), np.linspace(0, 1, 101))
    np.testing.assert_allclose(record.motion.marker("upper.end")[0][-1, :2], (-0.934807, -0.355155), atol=6e-7)
    np.testing.assert_allclose(record.motion.marker("lower.end")[0][-1, :2], (-1.662115, -1.041467), atol=6e-7)
    assert record.energy_drift < 1e-8  # integrated to 1e-9
    height = sum(record.motion.body(name).point((0.5, 0, 0))[0][:, 1] for name in ("upper", "lower"))
    assert np.ptp(record.kinetic_energy + 9.81 * height) < 1e-7  # of 10 J, integrated to 1e-9


@pytest.mark.parametrize("method", ["explicit", "implicit"])
def test_energy_drift_is_that_of_the_integration(method):
    """The misfit of the exact energy of a double pendulum at 4001 instants, found with two stored instants too.

    Within steps the interpolation is less accurate than at their ends, by which the two may differ.
    """
    times = np.linspace(0, 3, 4001)
    fine = rigid_motion(double_pendulum("planar"), times, relative_tolerance=1e-5, method=method)
    height = sum(fine.motion.body(name).point((0.5, 0, 0))[0][:, 1] for name in ("upper", "lower"))
    energy = fine.kinetic_energy + 9.81 * height
    at_steps = np.abs(energy - energy[0]).max() / np.abs(fine.kinetic_energy).max()
    assert 1e-7 < at_steps < 1e-3  # a loose tolerance, so that there is something to see
    assert fine.energy_drift < 2 * at_steps
    if method == "explicit":  # the interpolation of the implicit method is the poorer one of the two
        assert fine.energy_drift > at_steps / 5
    for count in (2, 31):
        few = rigid_motion(
            double_pendulum("planar"), np.linspace(0, 3, count), relative_tolerance=1e-5, method=method
        )
        assert few.energy_drift == pytest.approx(fine.energy_drift, rel=1e-9)


def test_energy_drift_of_a_driven_and_damped_crank_with_few_instants():
    """Drives and friction do work: the balance closes to the tolerance of 1e-9 with 31 instants of a fast turn."""
    crank, rod = RigidBody.rod("crank", length=0.1, mass=0.5), RigidBody.rod("rod", length=0.3, mass=0.4)
    system = System(
        [crank, rod],
        [Revolute("A", "ground.O", "crank.start"), Revolute("B", "crank.end", "rod.start")],
        drives=[AngleDrive("motor", "ground.O", "crank.start", "60*t + 3*sin(200*t)")],
        loads=[SystemGravity()],
        ground={"O": (0, 0)},
        start={"rod": Placement((0.1, 0))},
    )
    record = rigid_motion(system, np.linspace(0, 0.5, 31))
    assert record.energy_drift < 1e-7


def test_driven_crank_gives_the_kinematic_motion():
    """With every freedom driven the integration must reproduce the kinematics."""
    record = rigid_motion(slider_crank(), np.linspace(0, 0.04, 21))
    q = 150 * record.motion.times
    x = 0.15 * np.cos(q) + np.sqrt(0.09 - (0.15 * np.sin(q)) ** 2)
    np.testing.assert_allclose(record.motion.marker("slider.C")[0][:, 0], x, atol=1e-12)


def oscillator(loads, **extra):
    block = RigidBody("block", 2.0, 0.0, points={"P": (0, 0)})
    return System(
        [block],
        [Prismatic("slide", "ground.O", "block.P")],
        loads=loads,
        ground=O,
        start={"block": Placement((1.0, 0))},
        **extra,
    )


def test_damped_oscillator_in_closed_form():
    spring = Spring("spring", "ground.O", "block.P", 50.0, 0.4, 1.0, axis=(1.0, 0.0, 0.0))
    record = rigid_motion(oscillator([spring]), np.linspace(0, 3, 61), relative_tolerance=1e-11)
    t = record.motion.times
    decay, w = 0.25, np.sqrt(25 - 0.0625)
    x = 0.4 + 0.6 * np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t))
    np.testing.assert_allclose(record.motion.marker("block.P")[0][:, 0], x, atol=1e-9)


@pytest.mark.parametrize("method", ["explicit", "implicit"])
def test_friction_stops_a_block_after_the_right_way(method):
    """v₀²/(2 F/m) up to the creep below the regularisation velocity (1 mm/s of 2 m/s: 1e-3 of the way)."""
    system = oscillator(
        [Friction("friction", "ground.O", "block.P", 8.0, velocity=1e-3)],
        initial=[PositionDrive("throw", "ground.O", "block.P", "1 + 2*t")],
    )
    record = rigid_motion(system, np.linspace(0, 0.6, 13), relative_tolerance=1e-7, method=method)
    assert record.motion.marker("block.P")[0][-1, 0] - 1.0 == pytest.approx(4 / (2 * 4), rel=2e-3)


def test_motor_runs_up_to_the_speed_of_no_torque():
    """I ω̇ = M₀ (1 − ω/ω₀): ω = ω₀ (1 − e^{−M₀ t/(I ω₀)})."""
    wheel = RigidBody("wheel", 1.0, 0.5, points={"O": (0, 0)})
    system = System(
        [wheel],
        [Revolute("A", "ground.O", "wheel.O")],
        loads=[Motor("motor", "ground.O", "wheel.O", (-10.0, 100.0), (11.0, 0.0))],
        ground=O,
    )
    record = rigid_motion(system, np.linspace(0, 5, 26))
    expected = 100 * (1 - np.exp(-10 * record.motion.times / (0.5 * 100)))
    np.testing.assert_allclose(record.motion.body("wheel").angular_velocities[:, 2], expected, atol=1e-6)


def test_forces_in_space_and_body_axes():
    """A body-fixed thrust on a turning body: ẍ = F/m cos θ, against an independent integration."""
    craft = RigidBody("craft", 2.0, 0.3, points={"tail": (-0.5, 0)})
    system = System(
        [craft],
        loads=[MarkerForce("thrust", "craft.tail", ("3*(1 + 0.1*t)", "0.2"), axes="body")],
        start={"craft": Placement(angular_velocity=(0, 0, 0.7))},
    )
    record = rigid_motion(system, np.linspace(0, 2, 5))

    def rate(t, y):
        force = np.array([3 * (1 + 0.1 * t), 0.2])
        c, s = np.cos(y[2]), np.sin(y[2])
        a = np.array([[c, -s], [s, c]]) @ force / 2.0
        return [y[3], y[4], y[5], a[0], a[1], -0.5 * 0.2 / 0.3]

    exact = solve_ivp(rate, (0, 2), [0, 0, 0, 0, 0, 0.7], rtol=1e-11, atol=1e-12, method="DOP853").y[:, -1]
    body = record.motion.body("craft")
    np.testing.assert_allclose([*body.positions[-1, :2], body.angles[-1]], exact[:3], atol=1e-8)


def test_free_top_keeps_energy_and_angular_momentum():
    body = RigidBody("body", 1.5, (0.02, 0.05, 0.06), points={"O": (0, 0, 0)})
    system = System(
        [body],
        [Spherical("ball", "ground.O", "body.O")],
        ground={"O": (0, 0, 0)},
        start={"body": Placement(angular_velocity=(0.1, 9.0, 0.2))},  # near the unstable middle axis
        space="spatial",
    )
    record = rigid_motion(system, np.linspace(0, 5, 201))
    moving = record.motion.body("body")
    R = moving.rotations
    L = np.einsum("tij,jk,tlk,tl->ti", R, np.diag((0.02, 0.05, 0.06)), R, moving.angular_velocities)
    np.testing.assert_allclose(L, np.broadcast_to(L[0], L.shape), atol=1e-7)
    assert np.ptp(moving.in_body(moving.angular_velocities)[:, 1]) > 15.0  # it tumbles: ±9 rad/s
    assert np.ptp(record.kinetic_energy) < 1e-7 * record.kinetic_energy[0]


def test_knife_edge_on_an_incline():
    """Skate on a plane tilted along x, with spin ω: x = (g/2ω²) sin²ωt, and it drifts sideways (Rosenberg)."""
    skate = RigidBody("skate", 1.0, 0.2, points={"P": (0, 0)})
    g, w = 2.0, 3.0
    system = System(
        [skate],
        [KnifeEdge("edge", "ground", "skate.P")],
        loads=[SystemGravity(acceleration=(g, 0.0, 0.0))],
        start={"skate": Placement(angular_velocity=(0, 0, w))},
    )
    record = rigid_motion(system, np.linspace(0, 2, 41), relative_tolerance=1e-11)
    t = record.motion.times
    x, y = g / (2 * w**2) * np.sin(w * t) ** 2, g / (2 * w**2) * (w * t - 0.5 * np.sin(2 * w * t))
    body = record.motion.body("skate")
    np.testing.assert_allclose(body.positions[:, 0], x, atol=1e-9)
    np.testing.assert_allclose(body.positions[:, 1], y, atol=1e-9)


def test_cylinder_rolls_down_with_two_thirds_of_the_acceleration():
    """ẍ = (2/3) g sin α for a homogeneous cylinder, in the plane."""
    wheel = RigidBody("wheel", 3.0, 0.5 * 3.0 * 0.04, points={"centre": (0, 0)})
    system = System(
        [wheel],
        [Rolling("floor", "ground", "wheel.centre", 0.2)],
        loads=[SystemGravity(acceleration=(1.5, -9.0, 0.0))],
        start={"wheel": Placement((0, 0.2))},
    )
    record = rigid_motion(system, np.linspace(0, 1, 11))
    body = record.motion.body("wheel")
    np.testing.assert_allclose(body.positions[:, 0], 0.5 * record.motion.times**2, atol=1e-10)
    np.testing.assert_allclose(body.angles, -body.positions[:, 0] / 0.2, atol=1e-9)
    np.testing.assert_allclose(record.forces.joints["floor"].force[5], (-1.5, 27.0, 0.0), atol=1e-9)


def test_periodic_motion_of_a_forced_oscillator():
    """m ẍ + d ẋ + k x = F sin Ωt: amplitude F/√((k − mΩ²)² + (dΩ)²), multipliers e^{λT}."""
    spring = Spring("spring", "ground.O", "block.P", 50.0, 0.0, 1.0, axis=(1.0, 0.0, 0.0))
    system = oscillator([spring, MarkerForce("shaker", "block.P", ("3*sin(4*t)", "0"))])
    period = 2 * np.pi / 4
    record = rigid_motion(system, np.linspace(0, period, 41), period=period, settle=1)
    amplitude = 3 / np.hypot(50 - 2 * 16, 4.0)
    x = record.motion.marker("block.P")[0][:, 0]
    phase = np.arctan2(-4.0, 50 - 32)
    np.testing.assert_allclose(x, amplitude * np.sin(4 * record.motion.times + phase), atol=1e-6)
    assert record.periodicity is not None and record.periodicity.stable
    expected = np.exp(-0.25 * period)
    np.testing.assert_allclose(np.abs(record.periodicity.multipliers), expected, rtol=1e-4)


def test_torsion_pendulum_frequency():
    wheel = RigidBody("wheel", 1.0, 0.5, points={"O": (0, 0)})
    system = System(
        [wheel],
        [Revolute("A", "ground.O", "wheel.O")],
        loads=[TorsionSpring("torsion", "ground.O", "wheel.O", 8.0, 0.5)],
        ground=O,
    )
    record = rigid_motion(system, np.linspace(0, 3, 16))
    np.testing.assert_allclose(
        record.motion.body("wheel").angles, 0.5 - 0.5 * np.cos(4 * record.motion.times), atol=1e-8
    )


def test_errors_tell_the_way_out():
    free = System([RigidBody("thing", 0.0, 0.0)])
    with pytest.raises(AnalysisError, match="thing has no mass"):
        rigid_motion(free, [0.0, 1.0])
    with pytest.raises(InputError, match="two times or more"):
        rigid_motion(pendulum(), [0.0])
    with pytest.raises(InputError, match="start velocities contradict each other"):
        held = [
            AngleDrive("hold", "ground.O", "mass.O", "0.2*t"),
            PositionDrive("x", "ground.O", "mass.P", "-1 + t"),
        ]
        rigid_motion(pendulum(initial=held), [0.0, 1.0])
