"""Forces of bushings and elastic joints as sensors and as names in formulas, against their laws by hand."""

from dataclasses import replace

import numpy as np
import pytest
from tests.rounding import rounding

import flexframe as ff
from flexframe.errors import InputError
from flexframe.model.elasticity import Bushing
from flexframe.model.joints import Joint, Prismatic, Revolute
from flexframe.model.rigid_body import BodyFrame, Placement, RigidBody
from flexframe.model.system import System
from flexframe.model.system_loads import MarkerForce
from flexframe.multibody.contract import SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system
from flexframe.sensors.kinds import JointSensor, LoadSensor

K = np.array([[1e3, 200.0, 30.0], [200.0, 2e3, 0.0], [30.0, 0.0, 10.0]])
D = np.diag([5.0, 8.0, 0.1])
PRELOAD = (1.0, 2.0, 0.0)
ANGLE = 0.4
MOUNT = Bushing("mount", "ground.A", "m", K.tolist(), D.tolist(), PRELOAD)
BODIES = [RigidBody("m", 2.0, np.array(0.1)), RigidBody("other", 1.0, np.array(0.1))]


def shaken(*joints: Joint, **given: object) -> System:
    """A body that a force shakes; half of what the sensor `k` measures acts on another one that is free."""
    echo = MarkerForce("echo", "other", ("0.5*k.x", "0.5*k.y"))
    push = MarkerForce("push", "m", ("10*sin(20*t)", "4*cos(15*t)"))
    base = System(BODIES, joints, ground={"A": BodyFrame(np.zeros(3), np.array([ANGLE]))}, loads=[push])
    return replace(base, **{**given, "loads": [*given.get("loads", ()), echo, push]})  # type: ignore[arg-type,misc]


def test_the_force_of_a_bushing() -> None:
    """preload − K q − D q̇ with q in the turned axes of the first marker, at every sample, to rounding."""
    start = {"m": Placement((0.01, 0.02, 0.0), ANGLE + 0.1, (0.3, -0.2, 0.0), (0.0, 0.0, 0.5))}
    system = shaken(loads=[MOUNT], sensors={"k": LoadSensor("mount")}, start=start)
    run = integrate(dynamic_system(system), SimulationOptions(duration=0.3, samples=7, step=1e-3))
    R = np.array([[np.cos(ANGLE), np.sin(ANGLE)], [-np.sin(ANGLE), np.cos(ANGLE)]])
    q = np.column_stack([run.positions[:, 0, :2] @ R.T, run.angles[:, 0] - ANGLE])
    moving = np.einsum("tij,tj->ti", _rotations(run.angles[:, 0]), run.velocities[:, :2])
    rate = np.column_stack([moving @ R.T, run.velocities[:, 2]])
    expected = np.array(PRELOAD) - q @ K - rate @ D
    found = run.signals[:, list(run.system.network.load_forces["mount"])]
    np.testing.assert_allclose(found, expected[:, :2], atol=rounding(1e4, float(np.abs(expected).max())))
    record = ff.simulate(system, duration=0.3, samples=7, step=1e-3, sensors={"k": LoadSensor("mount")})
    np.testing.assert_allclose(record.sensors["k"].values, found, rtol=rounding(1e6))


def _rotations(angles: np.ndarray) -> np.ndarray:
    cosine, sine = np.cos(angles), np.sin(angles)
    return np.stack([np.stack([cosine, -sine], axis=-1), np.stack([sine, cosine], axis=-1)], axis=-2)


@pytest.mark.parametrize("mount", ["bushing", "revolute", "prismatic"])
def test_a_formula_follows_what_a_mount_carries(mount: str) -> None:
    """At rest under 6 N the mount holds with −6 N; half of that accelerates 1 kg for 2 s after the swing is over.

    Damping is critical and more, so that of the swing e⁻²⁰ is left after 1 s.
    """
    sensors = {"k": JointSensor("joint_force", "mount")}
    loads: list[object] = [MarkerForce("load", "m", (0.0, 6.0))]
    joints: list[Joint] = []
    if mount == "bushing":
        sensors = {"k": LoadSensor("mount")}  # type: ignore[dict-item]
        loads.append(Bushing("mount", "ground", "m", (800.0, 800.0, 5.0), (80.0, 80.0, 1.0)))
    elif mount == "revolute":
        joints.append(Revolute("mount", "ground", "m", stiffness=800.0, damping=80.0))
    else:
        joints.append(Prismatic("mount", "ground", "m", axis=(1.0, 0.0, 0.0), stiffness=800.0, damping=80.0))
    echo = MarkerForce("echo", "other", (0.0, "0.5*k.y"))
    system = System(BODIES, joints, loads=[*loads, echo], sensors=sensors)  # type: ignore[list-item,arg-type]
    run = integrate(dynamic_system(system), SimulationOptions(duration=3.0, samples=4, step=2e-3))
    velocity = run.velocities[:, 4]
    assert velocity[-1] - velocity[-2] == pytest.approx(-3.0, rel=1e-6)


def test_a_force_along_one_direction() -> None:
    """Along (0.6, 0.8) of space."""
    sensor = JointSensor("joint_force", "mount", along=(0.6, 0.8))
    joint = Revolute("mount", "ground", "m", stiffness=800.0, damping=80.0)
    loads = [MarkerForce("load", "m", (3.0, 6.0)), MarkerForce("echo", "other", ("k", 0.0))]
    system = System(BODIES, [joint], loads=loads, sensors={"k": sensor})
    run = integrate(dynamic_system(system), SimulationOptions(duration=3.0, samples=4, step=2e-3))
    assert run.velocities[-1, 3] - run.velocities[-2, 3] == pytest.approx(-(0.6 * 3 + 0.8 * 6), rel=1e-6)


@pytest.mark.parametrize(
    ("joint", "sensor", "why"),
    [
        (Revolute("mount", "other", "m", stiffness=1e3), JointSensor("joint_moment", "mount"), "moments turn"),
        (Prismatic("mount", "other", "m", stiffness=1e3), JointSensor("joint_force", "mount"), "turn with other"),
        (ff.joints.Gear("mount", "other", "m", stiffness=1e3), JointSensor("joint_force", "mount"), "no reaction"),
        (Revolute("mount", "other", "m", clearance=1e-4), JointSensor("joint_force", "mount"), "clearance"),
    ],
)
def test_forces_that_no_formula_knows(joint: Joint, sensor: JointSensor, why: str) -> None:
    along = ".y" if why == "turn with other" else ".x"
    name = "k" if why == "moments turn" else f"k{along}"
    with pytest.raises(InputError, match=why):
        System(BODIES, [joint], loads=[MarkerForce("echo", "other", (name, 0.0))], sensors={"k": sensor})


def test_the_force_of_all_loads_of_a_body() -> None:
    """A bar of 0.5 m with 50 N/m along x: 25 N times its factor 2 t, which pushes 1 kg: v = 25 t²."""
    steel = ff.Material(young=2e11, poisson=0.3, density=7800.0)
    bar = ff.Body.beam("bar", length=0.5, divisions=4, section=ff.Rectangle(0.02, 0.01), material=steel)
    bar = replace(bar, loads=(ff.loads.LineLoad((50.0, 0.0)),))
    loads = [ff.loads.BodyLoads("wind", "bar", factor="2*t"), MarkerForce("echo", "other", ("k.x", "k.y"))]
    system = System([bar, BODIES[1]], loads=loads, sensors={"k": LoadSensor("wind")})
    given = {"duration": 1.0, "samples": 3, "step": 1e-3, "reductions": {"bar": "rigid"}}
    found = ff.simulate(system, sensors={"k": LoadSensor("wind")}, **given)  # type: ignore[arg-type]
    # 25 N · 2 t as a linear function is exact; the velocity is one of its sums
    np.testing.assert_allclose(found.sensors["k"].values[:, 0], 50.0 * found.times, atol=rounding(1e4, 50.0))
    np.testing.assert_allclose(found.motion.velocities.linear[:, 1, 0], 25.0 * found.times**2, atol=1e-9 * 25.0)
