"""Forces of loads, contacts, joints and drives as names in formulas, and drives that follow sensors."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexframe as ff
from flexframe.errors import InputError
from flexframe.model.contacts import NormalLaw, SpherePlane
from flexframe.model.controllers.kinds import ZeroOrderHold
from flexframe.model.drives import AngleDrive, PositionDrive
from flexframe.model.events import Event
from flexframe.model.joints import Prismatic, Revolute
from flexframe.model.rigid_body import Placement, RigidBody
from flexframe.model.state_laws import Table
from flexframe.model.system import System
from flexframe.model.system_loads import Actuator, MarkerForce, Motor, Spring, SystemGravity, TorsionSpring
from flexframe.multibody.contract import Simulation, SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system
from flexframe.sensors.contract import Rate
from flexframe.sensors.kinds import (
    ContactSensor,
    JointSensor,
    LoadSensor,
    MarkerSensor,
    RotationSensor,
)

M, K, D, G = 2.0, 800.0, 3.0, 9.81
EXPLICIT = {"tolerance": 1e-11, "integrator": "dormand_prince_853"}
BLOCK = RigidBody("m", M, np.array(0.01))
GUIDE = Prismatic("guide", "ground", "m", axis=(1.0, 0.0))
LIFT = Prismatic("guide", "ground", "m", axis=(0.0, 1.0))


def run(system: System, duration: float, samples: int, **options: object) -> Simulation:
    asked = SimulationOptions(duration=duration, samples=samples, **options)  # type: ignore[arg-type]
    return integrate(dynamic_system(system), asked)


def damped(t: np.ndarray, k: float, d: float, inertia: float) -> np.ndarray:
    """Free vibration from one at rest."""
    decay = d / (2 * inertia)
    w = np.sqrt(k / inertia - decay**2)
    return np.asarray(np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t)))


# --- forces of loads ---------------------------------------------------------------------------------------------


def test_the_force_of_a_spring_is_a_name() -> None:
    """A second force that repeats that of the spring makes it one of twice the stiffness and damping."""
    system = System(
        [BLOCK],
        [GUIDE],
        loads=[
            Spring("spring", "ground", "m", K, damping=D, axis=(1.0, 0.0)),
            MarkerForce("again", "m", ("f", 0.0)),
        ],
        sensors={"f": LoadSensor("spring")},
        start={"m": Placement(np.array([0.1, 0.0, 0.0]))},
    )
    found = run(system, 1.0, 11, **EXPLICIT)
    np.testing.assert_allclose(
        found.positions[:, 0, 0], 0.1 * damped(found.times, 2 * K, 2 * D, M), rtol=0, atol=1e-9
    )
    stiff = run(system, 0.5, 2, step=0.05)  # ω h = 1.4: Newton has the slopes of the force
    assert stiff.statistics.iterations <= 3 * stiff.statistics.steps


def test_the_torque_of_a_torsion_spring_counts_as_the_spring_does_after_a_turn() -> None:
    """The spring is free again after a turn, and so is what follows it: the arm swings about 2π."""
    J = 0.02
    system = System(
        [RigidBody("arm", 1.0, np.array(J))],
        [Revolute("A", "ground", "arm")],
        loads=[
            TorsionSpring("spring", "ground", "arm", 5.0, damping=0.01),
            Actuator("again", "ground", "arm", "f"),
        ],
        sensors={"f": LoadSensor("spring")},
        start={"arm": Placement(np.zeros(3), 2 * np.pi + 0.5)},
    )
    found = run(system, 1.0, 11, **EXPLICIT)
    expected = 0.5 * damped(found.times, 10.0, 0.02, J)
    np.testing.assert_allclose(np.sin(found.angles[:, 0]), np.sin(expected), rtol=0, atol=1e-8)


def test_forces_of_actuators_and_motors_and_at_markers_are_names() -> None:
    """A motor 10 − 0.1 ω, a brake of half of it and a force by the formula of that."""
    J = 0.02
    system = System(
        [RigidBody("arm", 1.0, np.array(J))],
        [Revolute("A", "ground", "arm")],
        loads=[
            Motor("motor", "ground", "arm", (0.0, 100.0), (10.0, 0.0)),
            Actuator("brake", "ground", "arm", "-0.5*torque"),
            MarkerForce("push", "arm", ("2*braking", "t")),
        ],
        sensors={"torque": LoadSensor("motor"), "braking": LoadSensor("brake")},
    )
    record = ff.simulate(system, duration=1.0, samples=11, tolerance=1e-10, sensors={"pushed": LoadSensor("push")})
    speed = 100 * (1 - np.exp(-0.05 * record.times / J))  # J ω̇ = (10 − 0.1 ω)/2
    torque = 10 - 0.1 * speed
    np.testing.assert_allclose(record.sensors["torque"].values, torque, atol=1e-7)
    np.testing.assert_allclose(record.sensors["braking"].values, -torque / 2, atol=1e-7)
    assert record.sensors["torque"].unit == "N m"
    np.testing.assert_allclose(record.sensors["pushed"].values[:, 0], -torque, atol=1e-7)
    np.testing.assert_allclose(record.sensors["pushed"].values[:, 1], record.times, atol=1e-12)


def test_a_load_that_follows_itself_is_refused() -> None:
    system = System(
        [BLOCK], [GUIDE], loads=[MarkerForce("f", "m", ("1 + own.x", 0.0))], sensors={"own": LoadSensor("f")}
    )
    with pytest.raises(InputError, match="load f follows its own force"):
        dynamic_system(system)


# --- forces of contacts ------------------------------------------------------------------------------------------


def standing(depth: float, force: tuple[str, str], **more: object) -> System:
    """A block on a floor of the stiffness K, pressed in by a depth."""
    return System(
        [BLOCK],
        loads=[SystemGravity(), MarkerForce("push", "m", force)],
        contacts=[
            SpherePlane(
                name="floor",
                first="ground",
                second="m",
                law=NormalLaw("kelvin_voigt", K, exponent=1.0),
            )
        ],
        sensors={"n": ContactSensor("contact_force", "floor"), "gap": ContactSensor("contact_gap", "floor")},
        start={"m": Placement(np.array([0.0, -depth, 0.0]))},
        **more,  # type: ignore[arg-type]
    )


def test_the_force_of_a_contact_is_a_name() -> None:
    """A pull of half the normal force leaves the block ω² = K/2M about twice the depth of its weight."""
    deep = 2 * M * G / K
    system = standing(1.2 * deep, ("0.3*n", "-0.5*n"))
    found = run(system, 1.0, 21, **EXPLICIT)
    t, w = found.times, np.sqrt(K / 2 / M)
    np.testing.assert_allclose(found.positions[:, 0, 1], -deep * (1 + 0.2 * np.cos(w * t)), rtol=0, atol=1e-9)
    # across, 0.3 N/M with N = K deep (1 + 0.2 cos ωt)
    x = 0.3 * K * deep / M * (t**2 / 2 + 0.2 * (1 - np.cos(w * t)) / w**2)
    np.testing.assert_allclose(found.positions[:, 0, 0], x, rtol=0, atol=1e-8)
    implicit = run(system, 1.0, 21, step=1e-3)
    np.testing.assert_allclose(implicit.positions[:, 0, 1], found.positions[:, 0, 1], rtol=0, atol=1e-5)


def test_newton_has_the_slope_of_the_force_of_a_contact() -> None:
    """A push of 4e4 times the normal force, ω h = 4, converges in few iterations."""
    found = run(standing(1.05 * M * G / K / 4e4, ("0", "4e4*n")), 0.1, 2, step=1e-3)
    assert found.statistics.steps == 100
    assert found.statistics.iterations <= 400


def test_a_gap_is_a_name_of_events() -> None:
    """A block that is thrown up from a floor it does not touch is 0.1 m above it at once, and later again."""
    v = 2.0
    system = System(
        [BLOCK],
        loads=[SystemGravity()],
        contacts=[
            SpherePlane(name="floor", first="ground", second="m", law=NormalLaw("kelvin_voigt", K, exponent=1.0))
        ],
        sensors={"gap": ContactSensor("contact_gap", "floor")},
        events=[Event("high", "gap - 0.1")],
        start={"m": Placement(np.array([0.0, 1e-3, 0.0]), velocity=np.array([0.0, v, 0.0]))},
    )
    found = run(system, 0.4, 5, step=1e-3)
    h = 0.1 - 1e-3
    expected = [(v - s * np.sqrt(v**2 - 2 * G * h)) / G for s in (1, -1)]
    # generalised-α is exact for a constant acceleration but for the tolerance of its iteration
    np.testing.assert_allclose([each.time for each in found.occurrences], expected, atol=1e-9)


# --- forces of joints and drives ---------------------------------------------------------------------------------


def lifted(**more: object) -> System:
    """A block that is lifted by 0.1 (1 − cos 5t) m: its drive gives M (G + 2.5 cos 5t)."""
    return System(
        [BLOCK],
        [LIFT],
        [PositionDrive("lift", "ground", "m", "0.1*(1 - cos(5*t))", axis=(0.0, 1.0))],
        loads=[SystemGravity(), MarkerForce("across", "m", ("10*t", 0.0, 0.0), (0.0, 0.0, "3*t"))],
        sensors={
            "f": JointSensor("drive", "lift"),
            "side": JointSensor("joint_force", "guide"),
            "turn": JointSensor("joint_moment", "guide"),
        },
        **more,  # type: ignore[arg-type]
    )


def test_a_sampled_controller_reads_forces_of_drives_and_joints() -> None:
    """What is held is the force at the last instant, in steps of the order h² off."""
    system = lifted(
        controllers=[
            ZeroOrderHold("u", "f", period=0.05),
            ZeroOrderHold("s", "side.x", period=0.05),
            ZeroOrderHold("m", "turn", period=0.05),
        ]
    )
    record = ff.simulate(system, duration=1.0, samples=41, step=1e-3)
    instants = np.floor(record.times / 0.05 + 1e-9) * 0.05
    np.testing.assert_allclose(record.sensors["u"].values, M * (G + 2.5 * np.cos(5 * instants)), atol=1e-3)
    np.testing.assert_allclose(record.sensors["s"].values, -10 * instants, atol=1e-6)
    np.testing.assert_allclose(record.sensors["m"].values, -3 * instants, atol=1e-6)


def test_an_event_reads_the_force_of_a_drive() -> None:
    """The drive gives the weight alone where cos 5t = 0."""
    found = run(lifted(events=[Event("light", f"f - {M * G}", passage="falling")]), 1.0, 3, step=1e-3)
    (light,) = found.occurrences
    assert light.time == pytest.approx(np.pi / 10, abs=1e-5)  # of the order h²


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("f", "f is the force of lift, which follows from all other forces"),
        ("rate", "the rate of a force"),
    ],
)
def test_a_load_cannot_follow_the_force_of_a_drive(name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        System(
            [BLOCK],
            [LIFT],
            [PositionDrive("lift", "ground", "m", "0.1*t", axis=(0.0, 1.0))],
            loads=[MarkerForce("push", "m", (f"0.1*{name}", 0.0))],
            sensors={"f": JointSensor("drive", "lift"), "rate": Rate(JointSensor("drive", "lift"))},
        )


def test_sensors_of_forces_that_are_not_there_are_refused() -> None:
    system = standing(0.01, ("0", "0"))
    for sensor, words in (
        (LoadSensor("pushh"), "unknown load 'pushh' .did you mean 'push'"),
        (LoadSensor("gravity"), "no single force"),
        (ContactSensor("contact_force", "flor"), "unknown contact 'flor'"),
    ):
        with pytest.raises(InputError, match=words):
            sensor.markers(system)


# --- drives that follow a sensor ---------------------------------------------------------------------------------

J, R = 0.05, 0.3


def geared(law: str, **more: object) -> System:
    """An arm under a torque of 2 N m and a block whose place follows a law."""
    return System(
        [RigidBody("arm", 1.0, np.array(J)), BLOCK],
        [Revolute("A", "ground", "arm"), GUIDE],
        [PositionDrive("follow", "ground", "m", law, axis=(1.0, 0.0))],
        loads=[Actuator("motor", "ground", "arm", 2.0)],
        sensors={
            "a": RotationSensor("angle", "arm"),
            "w": RotationSensor("angular_velocity", "arm"),
            "x": MarkerSensor("position", "m", along=(1.0, 0.0)),
            "f": JointSensor("drive", "follow"),
        },
        **more,  # type: ignore[arg-type]
    )


def test_equations_of_formalisms_count_the_turns_of_what_a_drive_follows() -> None:
    """The same motion, through more than a turn, by the equations of a formalism and by Radau's method."""
    system = geared(f"{R}*a + 0.02*(1 - cos(8*t))")
    for options in ({"formalism": "kane"}, {"integrator": "radau"}):
        record = ff.simulate(system, duration=2.0, samples=5, tolerance=1e-9, **options)  # type: ignore[arg-type]
        t = record.times
        a = (t**2 - M * R * 0.02 * (1 - np.cos(8 * t))) / (J + M * R**2)
        np.testing.assert_allclose(record.sensors["a"].values, a, rtol=0, atol=1e-6)


def test_formalisms_refuse_to_count_turns_in_space() -> None:
    screw = ff.joints.Screw("screw", "ground", "nut", lead=0.01)
    system = System([RigidBody("nut", 1.0, np.eye(3))], [screw], loads=[SystemGravity()], space="spatial")
    with pytest.raises(
        InputError, match="screw counts the turns of an angle, which a formalism does in the plane"
    ):
        ff.simulate(system, duration=0.1, tolerance=1e-6, formalism="kane")


@pytest.mark.parametrize("options", [EXPLICIT, {"step": 1e-3}])
def test_a_drive_follows_an_angle_and_the_time(options: dict) -> None:
    """x = R a + g(t), g = 0.02 (1 − cos 8t): (J + M R²) ä = 2 − M R g̈, through more than a turn."""
    found = run(geared(f"{R}*a + 0.02*(1 - cos(8*t))"), 2.0, 21, **options)
    t = found.times
    g = 0.02 * (1 - np.cos(8 * t))
    a = (t**2 - M * R * g) / (J + M * R**2)
    tolerance = 1e-9 if options is EXPLICIT else 1e-4
    assert a.max() > 2 * np.pi
    np.testing.assert_allclose(found.angles[:, 0], a, rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.positions[:, 1, 0], R * a + g, rtol=0, atol=tolerance)
    assert found.energy_drift < (1e-9 if options is EXPLICIT else 1e-4)


@pytest.mark.parametrize("options", [EXPLICIT, {"step": 1e-3}, {"integrator": "radau", "tolerance": 1e-9}])
def test_a_drive_follows_a_product_with_the_time(options: dict) -> None:
    """x = R a (1 + t): J ä + M ẍ R (1 + t) = 2 with ẍ = R (ä (1 + t) + 2 ȧ), against scipy's solution."""

    def slope(t: float, y: np.ndarray) -> list[float]:
        s = R * (1 + t)
        return [y[1], (2.0 - 2 * M * s * R * y[1]) / (J + M * s**2)]

    found = run(geared(f"{R}*a*(1 + t)"), 1.0, 11, **options)
    exact = solve_ivp(slope, (0.0, 1.0), [0.0, 0.0], t_eval=found.times, rtol=1e-12, atol=1e-13, method="DOP853")
    allowed = 1e-5 if "step" in options else 1e-8  # of the order h², or of the tolerance
    np.testing.assert_allclose(found.angles[:, 0], exact.y[0], rtol=0, atol=allowed)
    np.testing.assert_allclose(found.positions[:, 1, 0], R * exact.y[0] * (1 + found.times), rtol=0, atol=allowed)


LAWS_OF_TWO_ANGLES = {
    "formula": "0.1*cos(a)*sin(b) + 0.05*t*a",
    # x³ and y³ are no tables without overshoot; a plane between points of both inputs is
    "table": Table(
        ("cos(a)*sin(b)", "t*a"),
        ([-1.0, 0.0, 1.0], [0.0, 1.0, 4.0]),
        [[-0.1, -0.05, 0.1], [0.0, 0.05, 0.2], [0.1, 0.15, 0.3]],
    ),
}


@pytest.mark.parametrize("law", LAWS_OF_TWO_ANGLES)
def test_a_drive_follows_two_angles_and_the_time(law: str) -> None:
    """x = 0.1 cos a sin b + 0.05 t a with a = 3t and b = 2t: place, rates, force M ẍ and torques −M ẍ ∂x/∂a."""
    arms = [RigidBody(name, 1.0, np.array(J)) for name in "ab"]
    system = System(
        [*arms, BLOCK],
        [*(Revolute(arm.name.upper(), "ground", arm.name) for arm in arms), GUIDE],
        [
            AngleDrive("turn_a", "ground", "a", "3*t"),
            AngleDrive("turn_b", "ground", "b", "2*t"),
            PositionDrive("follow", "ground", "m", LAWS_OF_TWO_ANGLES[law]),
        ],
        sensors={"a": RotationSensor("angle", "a"), "b": RotationSensor("angle", "b")},
    )
    t = np.linspace(0.0, 1.0, 21)
    a, b = 3 * t, 2 * t
    x = 0.1 * np.cos(a) * np.sin(b) + 0.15 * t**2
    v = 0.1 * (-3 * np.sin(a) * np.sin(b) + 2 * np.cos(a) * np.cos(b)) + 0.3 * t
    acceleration = 0.1 * (-13 * np.cos(a) * np.sin(b) - 12 * np.sin(a) * np.cos(b)) + 0.3
    by_a, by_b = -0.1 * np.sin(a) * np.sin(b) + 0.05 * t, 0.1 * np.cos(a) * np.cos(b)
    motion = ff.kinematics(system, t).motion
    np.testing.assert_allclose(motion.body("m").positions[:, 0], x, atol=1e-11)
    np.testing.assert_allclose(motion.body("m").velocities[:, 0], v, atol=1e-11)
    np.testing.assert_allclose(motion.body("m").accelerations[:, 0], acceleration, atol=1e-10)
    forces = ff.joint_forces(system, t).forces.joints
    np.testing.assert_allclose(forces["follow"].values[:, 0], M * acceleration, atol=1e-9)
    np.testing.assert_allclose(forces["turn_a"].values[:, 0], M * acceleration * by_a, atol=1e-9)
    np.testing.assert_allclose(forces["turn_b"].values[:, 0], M * acceleration * by_b, atol=1e-9)


def test_a_drive_by_a_curved_formula_has_its_second_derivative() -> None:
    """A scotch yoke: x = R cos a with a = 3t, kinematics and force of the drive M ẍ."""
    system = System(
        [RigidBody("arm", 1.0, np.array(J)), BLOCK],
        [Revolute("A", "ground", "arm"), GUIDE],
        [AngleDrive("turn", "ground", "arm", "3*t"), PositionDrive("yoke", "ground", "m", f"{R}*cos(a)")],
        sensors={"a": RotationSensor("angle", "arm")},
    )
    times = np.linspace(0.0, 5.0, 31)
    motion = ff.kinematics(system, times).motion
    x, v = R * np.cos(3 * times), -3 * R * np.sin(3 * times)
    np.testing.assert_allclose(motion.body("m").positions[:, 0], x, atol=1e-12)
    np.testing.assert_allclose(motion.body("m").velocities[:, 0], v, atol=1e-11)
    np.testing.assert_allclose(motion.body("m").accelerations[:, 0], -9 * x, atol=1e-10)
    forces = ff.joint_forces(system, times)
    np.testing.assert_allclose(forces.forces.joints["yoke"].values[:, 0], -9 * M * x, atol=1e-9)
    # the turning drive carries M ẍ dx/da back
    np.testing.assert_allclose(
        forces.forces.joints["turn"].values[:, 0], -9 * M * x * (-R * np.sin(3 * times)), atol=1e-9
    )


@pytest.mark.parametrize(
    ("law", "words"),
    [
        ("0.1*w", "a speed: that would be a constraint on velocities"),
        ("a*t + 0.1*w", "w, a speed: that would be a constraint on velocities"),
        ("0.1*f", "f is the force of follow"),
        ("0.1*b", "unknown name in a formula 'b'"),
    ],
)
def test_a_drive_that_cannot_follow_is_refused(law: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        geared(law)


def test_what_holds_at_the_start_follows_no_sensor() -> None:
    with pytest.raises(InputError, match="follows no sensor"):
        System(
            [BLOCK],
            [GUIDE],
            initial=[PositionDrive("x0", "ground", "m", "0.1*x")],
            sensors={"x": MarkerSensor("position", "m", along=(1.0, 0.0))},
        )
