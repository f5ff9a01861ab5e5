"""Gears, racks, screws, cams and shafts without compliance, against closed forms."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.rounding import ROUNDING, rounding

import flexframe as ff
from flexframe import _core
from flexframe.errors import InputError
from flexframe.model.joints import (
    ConstantVelocity,
    Cylindrical,
    Prismatic,
    Revolute,
    Screw,
    Universal,
)
from flexframe.model.rigid_body import BodyFrame, Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce, SystemGravity
from flexframe.model.transmissions.belts import Belt, Cable
from flexframe.model.transmissions.followers import Cam, ProfilePoints
from flexframe.model.transmissions.gears import Gear, Rack
from flexframe.multibody.contract import Simulation, SimulationOptions
from flexframe.multibody.equations import accelerations_at, place_of
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.inverse_dynamics import transmitted_power
from flexframe.multibody.start import initial_state
from flexframe.multibody.system import dynamic_system
from flexframe.presentation.mechanism_shapes import wheel_parts

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def wheel(name: str, inertia: float, **more: object) -> RigidBody:
    return RigidBody(name, 1.0, np.array(inertia), **more)  # type: ignore[arg-type]


def run(system: System, duration: float, samples: int, **options: object) -> Simulation:
    asked = SimulationOptions(duration=duration, samples=samples, **options)  # type: ignore[arg-type]
    return integrate(dynamic_system(system), asked)


def train(*, torque: float = 2.0, drive: str = "", **start: Placement) -> System:
    """Three wheels: i₁ = π from outside, i₂ = 43/17 from inside."""
    return System(
        [wheel("a", 0.02), wheel("b", 0.3), wheel("c", 0.5)],
        [
            *(Revolute(name.upper(), f"ground.{name.upper()}", name) for name in "abc"),
            Gear("one", "a", "b", ratio=np.pi),
            Gear("two", "b", "c", teeth=(17, 43), internal=True),
        ],
        [ff.AngleDrive("motor", "ground.A", "a", drive)] if drive else [],
        [MarkerForce("torque", "a", moment=(0.0, 0.0, torque))],
        ground={"A": (0.0, 0.0), "B": (1.0, 0.0), "C": (2.0, 0.0)},
        start=start,
    )


REFERRED = 0.02 + 0.3 / np.pi**2 + 0.5 / (np.pi * 43 / 17) ** 2  # inertia at the first shaft


def test_a_train_accelerates_by_its_referred_inertia() -> None:
    system = dynamic_system(train())
    found = accelerations_at(system, initial_state(system)).velocity_rate.reshape(3, 3)[:, 2]
    expected = 2.0 / REFERRED * np.array([1.0, -1 / np.pi, -17 / 43 / np.pi])
    np.testing.assert_allclose(found, expected, rtol=ROUNDING)


@pytest.mark.parametrize("integrator", ["generalised_alpha", "dormand_prince"])
def test_an_irrational_ratio_does_not_drift(integrator: str) -> None:
    """About 500 turns: the gap of the teeth stays that of the last step, whatever was counted before.

    Angles of 3000 rad are known to 3000 ε, a hundred roundings of which are allowed.
    """
    options = {"tolerance": 1e-8} if integrator == "dormand_prince" else {"step": 0.01}
    start = Placement(angular_velocity=np.array([0.0, 0.0, 200.0]))
    found = run(train(a=start), 10.0, 41, integrator=integrator, **options)
    a, b, c = found.angles.T
    assert a[-1] > 2 * np.pi * 400
    np.testing.assert_allclose(b, -a / np.pi, atol=rounding(100, 4000))
    np.testing.assert_allclose(c, -a / np.pi * 17 / 43, atol=rounding(100, 4000))


def test_kinematics_and_torques_of_a_driven_train() -> None:
    """Torque of the drive: I ε − 2; the teeth pass on what the wheels behind them need."""
    times = np.linspace(0.0, 20.0, 300)
    forces = ff.joint_forces(train(drive="30*t + t^2"), times).forces
    angle = 30 * times + times**2
    np.testing.assert_allclose(forces.motion.body("c").angles, -angle / np.pi * 17 / 43, atol=rounding(100, 1000))
    np.testing.assert_allclose(forces.joints["motor"].values[:, 0], 2 * REFERRED - 2.0, rtol=1e-9)
    behind = -(0.3 / np.pi + 0.5 * (17 / 43) ** 2 / np.pi) * 2
    np.testing.assert_allclose(forces.joints["one"].moment[:, 2], behind, rtol=1e-9)
    # what goes through the first pair accelerates both wheels behind it
    speed = 30 + 2 * times
    np.testing.assert_allclose(transmitted_power(forces, "one"), -behind * speed / np.pi, rtol=1e-9)
    with pytest.raises(InputError, match="whose shares follow from that on its second body"):
        forces.on("one", "a")


def planetary() -> System:
    """Sun 20, planet 30, ring 80 teeth; the planet turns on an arm, and the ring stands still."""
    arm = wheel("arm", 0.1, points={"P": (0.5, 0.0)})
    return System(
        [wheel("sun", 0.05), wheel("planet", 0.02), arm],
        [
            Revolute("S", "ground", "sun"),
            Revolute("H", "ground", "arm"),
            Revolute("P", "arm.P", "planet"),
            Gear("outer", "sun", "planet", teeth=(20, 30), carrier="arm"),
            Gear("inner", "planet", "ground", teeth=(30, 80), carrier="arm", internal=True),
        ],
        start={"planet": Placement((0.5, 0.0, 0.0))},
    )


def test_a_planetary_gear_obeys_willis() -> None:
    """(ω_sun − ω_arm)/(ω_ring − ω_arm) = −z_ring/z_sun; its inertia is referred to the sun by energy."""
    ratio = 1 + 80 / 20  # of sun to arm with the ring at rest
    base = planetary()
    driven = System(base.bodies, base.joints, [ff.AngleDrive("motor", "ground", "sun", "7*t")], start=base.start)
    motion = ff.kinematics(driven, np.linspace(0.0, 30.0, 200)).motion
    np.testing.assert_allclose(motion.body("arm").angles, 7 * motion.times / ratio, atol=1e-10)
    # ω_planet − ω_arm = −(20/30) (ω_sun − ω_arm)
    spin = 7 / ratio - 20 / 30 * (7 - 7 / ratio)
    np.testing.assert_allclose(motion.body("planet").angular_velocities[:, 2], spin, atol=1e-10)
    loaded = System(
        base.bodies, base.joints, loads=[MarkerForce("T", "sun", moment=(0.0, 0.0, 3.0))], start=base.start
    )
    system = dynamic_system(loaded)
    found = accelerations_at(system, initial_state(system)).velocity_rate[2]
    referred = 0.05 + (0.1 + 1.0 * 0.5**2) / ratio**2 + 0.02 * (spin / 7) ** 2
    np.testing.assert_allclose(found, 3.0 / referred, rtol=rounding(100, 100))  # condition of the saddle point


def test_bevel_gears_in_space() -> None:
    """Axes x and y on a carrier that turns about z: angles are those against the carrier, through all turns."""
    bodies = [
        RigidBody("carrier", 1.0, np.full(3, 0.3)),
        RigidBody("a", 1.0, np.full(3, 0.1)),
        RigidBody("b", 1.0, np.full(3, 0.2)),
    ]
    joints = [
        Revolute("C", "ground", "carrier", Z),
        Revolute("A", "carrier", "a", X),
        Revolute("B", "carrier", "b", Y),
        Gear("bevel", "a", "b", ratio=1.7, carrier="carrier", axis=X, second_axis=Y),
    ]
    drives = [
        ff.AngleDrive("turn", "ground", "carrier", "0.9*t"),
        ff.AngleDrive("spin", "carrier", "a", "40*t", X),
    ]
    times = np.linspace(0.0, 10.0, 90)  # more than half a turn between two instants
    motion = ff.kinematics(System(bodies, joints, drives, space="spatial"), times).motion
    R = np.swapaxes(motion.body("carrier").rotations, 1, 2) @ motion.body("b").rotations
    angle = -40 * times / 1.7
    np.testing.assert_allclose(R[:, 0, 0], np.cos(angle), atol=rounding(100, 400))
    np.testing.assert_allclose(R[:, 0, 2], np.sin(angle), atol=rounding(100, 400))
    inside = np.einsum("tji,tj->ti", motion.body("carrier").rotations, motion.body("b").angular_velocities)
    np.testing.assert_allclose(inside, np.tile([0.0, -40 / 1.7, 0.9], (90, 1)), atol=1e-10)


def rack(**more: object) -> System:
    return System(
        [wheel("pinion", 0.02), RigidBody("rack", 3.0, np.array(0.1))],
        [
            Revolute("A", "ground", "pinion"),
            Prismatic("guide", "ground.B", "rack", axis=(1.0, 0.0)),
            Rack("teeth", "pinion", "rack", 0.05, **more),  # type: ignore[arg-type]
        ],
        loads=[MarkerForce("T", "pinion", moment=(0.0, 0.0, 2.0)), MarkerForce("F", "rack", (-10.0, 0.0))],
        ground={"B": (0.0, -0.05)},
        start={"rack": Placement((0.0, -0.05, 0.0))},
    )


@pytest.mark.parametrize("opposite", [False, True])
def test_a_rack_travels_by_radius_times_angle(opposite: bool) -> None:
    """x = ± r θ with the inertia I + m r²; steps of constant acceleration are exact up to the projection 1e-14."""
    sign = -1.0 if opposite else 1.0
    found = run(rack(opposite=opposite), 2.0, 21, step=0.01)
    acceleration = (2.0 - sign * 10.0 * 0.05) / (0.02 + 3.0 * 0.05**2)
    np.testing.assert_allclose(found.angles[:, 0], 0.5 * acceleration * found.times**2, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.positions[:, 1, 0], sign * 0.05 * found.angles[:, 0], atol=1e-12)


@pytest.mark.parametrize("left_handed", [False, True])
def test_a_screw_holds_a_force_by_a_torque(left_handed: bool) -> None:
    """F lead = 2π T in inverse dynamics and at rest."""
    lead = 0.004
    sign = -1.0 if left_handed else 1.0
    bodies = [RigidBody("nut", 2.0, np.full(3, 0.01)), RigidBody("screw", 1.0, np.full(3, 0.002))]
    joints = [
        Prismatic("guide", "ground", "nut", axis=Z),
        Revolute("bearing", "ground", "screw", Z),
        Screw("thread", "screw", "nut", lead, Z, left_handed),
    ]
    loads = [SystemGravity("weight", (0.0, 0.0, -10.0)), MarkerForce("F", "nut", (0.0, 0.0, -300.0))]
    drives = [ff.AngleDrive("motor", "ground", "screw", "50*t", Z)]
    system = System(bodies, joints, drives, loads, space="spatial")
    forces = ff.joint_forces(system, np.linspace(0.0, 3.0, 31)).forces
    travel = forces.motion.body("nut").positions[:, 2]
    # the nut turns by −50 t against the screw
    np.testing.assert_allclose(travel, -sign * 50 * forces.motion.times * lead / (2 * np.pi), atol=1e-12)
    torque = -sign * (300.0 + 2.0 * 10.0) * lead / (2 * np.pi)
    np.testing.assert_allclose(forces.joints["motor"].values[:, 0], torque, rtol=1e-9)
    # force and moment of the thread on the nut
    np.testing.assert_allclose(forces.joints["thread"].force[:, 2], 320.0, rtol=1e-9)
    np.testing.assert_allclose(forces.joints["thread"].moment[:, 2], torque, rtol=1e-9)


CAM = "0.02 + 0.005*(1 - cos(angle)) + 0.001*sin(3*angle)"


def cam(profile: object) -> System:
    return System(
        [wheel("cam", 0.02), RigidBody("valve", 0.3, np.array(0.01))],
        [
            Revolute("A", "ground", "cam"),
            Prismatic("guide", "ground", "valve", axis=(0.0, 1.0)),
            Cam("lobe", "cam", "valve", profile),  # type: ignore[arg-type]
        ],
        [ff.AngleDrive("motor", "ground", "cam", "5*t + 2*t^2")],
        [SystemGravity()],
        start={"valve": Placement((0.0, 0.02, 0.0))},
    )


@pytest.mark.parametrize("by_points", [False, True])
def test_a_cam_moves_its_follower_and_feels_it(by_points: bool) -> None:
    """s(θ(t)) with two derivatives, the force of the contact m (g + s̈) and the torque F s'.

    The spline through 73 points of a smooth curve is exact to h⁵ of its second derivative, 1e-5 relatively.
    """
    t = np.linspace(0.0, 6.0, 400)
    a, da, dda = 5 * t + 2 * t**2, 5 + 4 * t, 4.0
    s = 0.02 + 0.005 * (1 - np.cos(a)) + 0.001 * np.sin(3 * a)
    s1 = 0.005 * np.sin(a) + 0.003 * np.cos(3 * a)
    s2 = 0.005 * np.cos(a) - 0.009 * np.sin(3 * a)
    grid = np.linspace(0.0, 2 * np.pi, 73)
    heights = 0.02 + 0.005 * (1 - np.cos(grid)) + 0.001 * np.sin(3 * grid)
    profile = ProfilePoints(tuple(grid), tuple(heights)) if by_points else CAM
    forces = ff.joint_forces(cam(profile), t).forces
    valve = forces.motion.body("valve")
    second = s2 * da**2 + s1 * dda
    exact = 1e-4 if by_points else 1e-9
    np.testing.assert_allclose(valve.positions[:, 1], s, atol=1e-3 * exact)
    np.testing.assert_allclose(valve.velocities[:, 1], s1 * da, atol=exact * 0.2)
    np.testing.assert_allclose(valve.accelerations[:, 1], second, atol=exact * np.abs(second).max())
    contact = 0.3 * (9.81 + second)
    np.testing.assert_allclose(forces.joints["lobe"].force[:, 1], contact, atol=exact * np.abs(contact).max())
    torque = 0.02 * dda + contact * s1
    np.testing.assert_allclose(forces.joints["motor"].values[:, 0], torque, atol=exact * np.abs(torque).max())


def test_a_cam_keeps_energy_in_a_transient() -> None:
    """Free of its motor, a spinning cam exchanges energy with the weight of its follower; nothing is lost."""
    given = cam(CAM)
    start = {"cam": Placement(angular_velocity=np.array([0.0, 0.0, 9.0])), **given.start}
    found = run(
        System(given.bodies, given.joints, (), given.loads, start=start),
        5.0,
        51,
        integrator="dormand_prince",
        tolerance=1e-10,
    )
    total = found.energies[:, :4].sum(axis=1)
    assert np.ptp(found.positions[:, 1, 1]) > 0.009
    np.testing.assert_allclose(total, total[0], atol=1e-8 * np.ptp(found.energies[:, 0]) + 1e-9)


def test_a_belt_without_stretch() -> None:
    """r₂θ₂ = r₁θ₁, and the other way when crossed."""
    for crossed, sign in ((False, 1.0), (True, -1.0)):
        system = System(
            [wheel("a", 0.02), wheel("b", 0.3)],
            [
                Revolute("A", "ground", "a"),
                Revolute("B", "ground.B", "b"),
                Belt("belt", "a", "b", (0.1, 0.25), crossed=crossed),
            ],
            [ff.AngleDrive("motor", "ground", "a", "80*t")],
            ground={"B": (1.0, 0.0)},
        )
        motion = ff.kinematics(system, np.linspace(0.0, 5.0, 40)).motion
        np.testing.assert_allclose(
            motion.body("b").angles, sign * 0.4 * 80 * motion.times, atol=rounding(100, 400)
        )


def shafts(middle: object, bend: float) -> System:
    """Two shafts that meet at the origin, the second bent by an angle about z."""
    second = BodyFrame((0.0, 0.0, 0.0), np.array([0.0, 0.0, bend]))
    return System(
        [RigidBody("one", 1.0, np.full(3, 0.01)), RigidBody("two", 1.0, np.full(3, 0.01))],
        [
            Revolute("A", "ground", "one", X),
            Cylindrical("B", "ground.bent", "two", X),
            middle,  # type: ignore[list-item]
        ],
        [ff.AngleDrive("motor", "ground", "one", "10*t", X)],
        ground={"bent": second},
        start={"two": Placement(rotation=np.array([0.0, 0.0, bend]))},
        space="spatial",
    )


def test_universal_and_constant_velocity_shafts() -> None:
    """Cardan's ω₂/ω₁ = cos β/(1 − sin²β cos²θ) with the cross of the first shaft across the bend at θ = 0."""
    bend = 0.6
    times = np.linspace(0.0, 1.3, 60)
    out = np.array([np.cos(bend), np.sin(bend), 0.0])
    even = ff.kinematics(shafts(ConstantVelocity("cv", "one", "two", X), bend), times).motion
    np.testing.assert_allclose(even.body("two").angular_velocities @ out, 10.0, rtol=1e-10)
    np.testing.assert_allclose(even.body("two").angular_accelerations @ out, 0.0, atol=1e-8)
    cross = ff.kinematics(shafts(Universal("u", "one", "two", Y, Z), bend), times).motion
    theta = 10 * times
    ratio = np.cos(bend) / (1 - np.sin(bend) ** 2 * np.sin(theta + np.pi / 2) ** 2)
    np.testing.assert_allclose(cross.body("two").angular_velocities @ out, 10 * ratio, rtol=1e-9)


def test_a_constant_velocity_joint_passes_torque_on() -> None:
    """In a transient with inertia 2 · 0.01, a torque turns both shafts alike."""
    given = shafts(ConstantVelocity("cv", "one", "two", X), 0.6)
    loads = [MarkerForce("T", "one", moment=(0.5, 0.0, 0.0))]
    system = System(given.bodies, given.joints, (), loads, ground=given.ground, start=given.start, space="spatial")
    found = run(system, 0.5, 11, integrator="dormand_prince", tolerance=1e-10)
    np.testing.assert_allclose(found.velocities[:, 3], 25.0 * found.times, atol=1e-7)
    spins = found.velocities.reshape(11, 2, 6)[:, :, 3]
    np.testing.assert_allclose(spins[:, 1], spins[:, 0], atol=1e-9)


def test_wrong_transmissions_are_refused() -> None:
    with pytest.raises(InputError, match="give one of them"):
        Gear("g", "a", "b", ratio=2.0, teeth=(10, 20))
    with pytest.raises(InputError, match="no stiffness"):
        Gear("g", "a", "b", backlash=0.1)
    with pytest.raises(InputError, match="angle"):
        Cam("c", "a", "b", "sin(t)")
    with pytest.raises(InputError, match="measures a against itself"):
        System([wheel("a", 1.0), wheel("b", 1.0)], [Gear("g", "a", "b", carrier="a")])


def test_a_model_file_keeps_what_follows_what(tmp_path: Path) -> None:
    """Written, read and evaluated again at a state after some turns: the same numbers, bit for bit."""
    start = Placement(angular_velocity=np.array([0.0, 0.0, 200.0]))
    given = train(a=start)
    elastic = [
        Gear("teeth", "a", "c", ratio=3.0, stiffness=50.0, backlash=0.1, damping=0.2, torque_only=True),
        Belt("belt", "a", "c", (0.1, 0.2), stiffness=500.0, pretension=3.0, damping=0.2, torque_only=True),
        Cable("cable", "b", "c", (0.1, 0.2), stiffness=500.0, pretension=3.0, damping=0.2, torque_only=True),
    ]
    joints = [*given.joints, *elastic]
    system = dynamic_system(System(given.bodies, joints, (), given.loads, ground=given.ground, start=given.start))
    path = str(tmp_path / "model")
    place = place_of(
        system, replace(initial_state(system), counted=2 * np.pi * np.array([3.0, -1.0, 1.0, 2.0, 0.0]))
    )
    _core.write_model(system.compiled, path, place, 0.25)
    again = _core.read_model(path)
    found = []
    for model in (system.compiled, again.system):
        evaluation = _core.Evaluation(model)
        evaluation.evaluate(place, 0.25, np.zeros(9), np.zeros(system.rows), False)
        found.append(np.concatenate([evaluation.residual(), evaluation.biases(), evaluation.matrices().ravel()]))
    np.testing.assert_array_equal(*found)
    # three turns of the first wheel are 6 of the second's 2π, modulo its own turns
    gap = np.mod(6 + np.pi, 2 * np.pi) - np.pi
    assert np.abs(found[0][9:18] - gap).min() < 1e-12


def test_wheels_are_drawn_where_they_mesh() -> None:
    """Pitch radii of the planetary gear: 0.2, 0.3 and 0.8 for a distance of 0.5."""
    base = planetary()
    drives = [ff.AngleDrive("motor", "ground", "sun", "7*t")]
    motion = ff.kinematics(System(base.bodies, base.joints, drives, start=base.start), [0.0, 0.1]).motion
    radii = {body: np.median(np.linalg.norm(part.nodes, axis=1)) for body, part in wheel_parts(motion, 1.0, {})}
    assert set(radii) == {"sun", "planet", "ground"}
    for body, radius in (("sun", 0.2), ("planet", 0.3), ("ground", 0.8)):
        assert radii[body] == pytest.approx(radius, rel=0.06)  # half a tooth
