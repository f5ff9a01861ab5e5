"""Springs, dampers, motors and mounts whose forces follow more than their own coordinate."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from tests.rounding import rounding

import flexframe as ff
from flexframe.analyses.crosscheck.system_analysis import crosscheck_system
from flexframe.cases.case import load_case
from flexframe.cases.run import run_case
from flexframe.errors import FlexframeError

MASS, INERTIA, K, D = 2.0, 0.05, 800.0, 3.0
X = (1.0, 0.0)
SENSORS = {
    "x": ff.sensors.MarkerSensor("position", "block", along=X),
    "w": ff.sensors.RotationSensor("angular_velocity", "wheel", (0.0, 0.0, 1.0)),
    "angle": ff.sensors.RotationSensor("angle", "wheel"),
}


def machine(*loads: object, start: float = 0.1, spin: float = 0.0, **more: object) -> ff.System:
    """A block on a slide and a wheel on its axis."""
    return ff.System(
        [ff.RigidBody("block", MASS, 0.01), ff.RigidBody("wheel", 1.0, INERTIA)],
        [ff.Prismatic("guide", "ground", "block", axis=X), ff.Revolute("hub", "ground", "wheel")],
        loads=list(loads),  # type: ignore[arg-type]
        start={
            "block": ff.Placement((start, 0.0)),
            "wheel": ff.Placement(rotation=[0.3], angular_velocity=(0.0, 0.0, spin)),
        },
        sensors=SENSORS,
        **more,  # type: ignore[arg-type]
    )


def simulated(system: ff.System, **options: object) -> ff.results.CoupledMotion:
    words = {"tolerance": 1e-10} if "step" not in options else {}
    return ff.simulate(system, duration=1.0, samples=11, sensors=SENSORS, **words, **options)  # type: ignore[arg-type]


TIMES = np.linspace(0.0, 1.0, 11)


def integrated(slope: object, start: list[float]) -> np.ndarray:
    """The first coordinate of y' = f(t, y) at the samples."""
    found = solve_ivp(slope, (0, 1), start, t_eval=TIMES, rtol=1e-11, atol=1e-13)  # type: ignore[call-overload]
    return np.asarray(found.y[0])


SPRINGS = {
    "formula": {"characteristic": "-800*(1 + t)*s - 3*(1 + angle^2)*v"},
    "damping": {"characteristic": "-800*(1 + t)*s", "damping": "3*(1 + angle^2)"},
}


@pytest.mark.parametrize("kind", SPRINGS)
@pytest.mark.parametrize("way", [{}, {"step": 2e-4}])
def test_a_spring_follows_time_and_a_sensor(kind: str, way: dict[str, float]) -> None:
    """m ẍ = −K (1 + t) x − D (1 + φ²) ẋ beside a wheel that turns freely, φ = 0.3 + 2 t."""
    found = simulated(machine(ff.Spring("spring", "ground", "block", axis=X, **SPRINGS[kind]), spin=2.0), **way)  # type: ignore[arg-type]

    def slope(t: float, y: np.ndarray) -> list[float]:
        angle = 0.3 + 2 * t
        return [y[1], (-K * (1 + t) * y[0] - D * (1 + angle**2) * y[1]) / MASS]

    exact = integrated(slope, [0.1, 0.0])
    # steps of h leave (ω h)² ω T/12 of the amplitude: 28²/s² · 4e-8 s² · 28/12
    assert np.abs(found.sensors["x"].values - exact).max() < 0.1 * (1e-4 if way else 1e-8)
    assert found.energy_drift < (1e-5 if way else 1e-8)


def test_a_factor_multiplies_all_that_a_spring_does() -> None:
    """One that weakens: m ẍ = −e^{−t} (K x + D ẋ); its force is a name, too."""
    spring = ff.Spring("spring", "ground", "block", K, 0.0, D, axis=X, factor="exp(-t)")
    system = machine(spring)
    sensors = {**SENSORS, "pull": ff.sensors.LoadSensor("spring")}
    found = ff.simulate(system, duration=1.0, samples=11, sensors=sensors, tolerance=1e-10)
    exact = integrated(lambda t, y: [y[1], -np.exp(-t) * (K * y[0] + D * y[1]) / MASS], [0.1, 0.0])
    np.testing.assert_allclose(found.sensors["x"].values, exact, atol=1e-9)
    speed = found.motion.body("block").velocities[:, 0]
    force = -np.exp(-TIMES) * (K * exact + D * speed)
    np.testing.assert_allclose(found.sensors["pull"].values, force, atol=1e-6)
    np.testing.assert_allclose(found.sensors["spring"].values, force, atol=1e-6)  # recorded by itself


def test_a_torsion_spring_counts_its_twist_within_a_half_turn() -> None:
    """Its formula sees the same stretch as a number does, after two turns as well."""
    free = 0.3 + 4 * np.pi
    plain = ff.loads.TorsionSpring("coil", "ground", "wheel", 5.0, free, 0.02)
    named = ff.loads.TorsionSpring("coil", "ground", "wheel", 0.0, free, characteristic="-5*s - 0.02*v + 0*angle")
    ends = [simulated(machine(each, spin=3.0)).sensors["angle"].values for each in (plain, named)]
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-8)
    assert np.ptp(ends[0]) > 0.1


def test_a_motor_by_formula_runs_up_as_its_torque_says() -> None:
    """J ω̇ = u (10 − 0.2 ω), u = 1 − e^{−t}, and a table with that factor is the same."""
    throttle = ff.controllers.Reference("u", "1 - exp(-t)")
    by_formula = ff.loads.Motor("motor", "ground", "wheel", law="u*(10 - 0.2*v)")
    by_table = ff.loads.Motor("motor", "ground", "wheel", (0.0, 100.0), (10.0, -10.0), factor="u")
    exact = integrated(lambda t, y: [(1 - np.exp(-t)) * (10 - 0.2 * y[0]) / INERTIA], [0.0])
    for motor in (by_formula, by_table):
        found = simulated(machine(motor, controllers=[throttle]))
        np.testing.assert_allclose(found.sensors["w"].values, exact, atol=1e-7 * exact.max())
        torque = (1 - np.exp(-TIMES)) * (10 - 0.2 * exact)
        np.testing.assert_allclose(found.sensors["motor"].values, torque, atol=1e-6)


def test_a_mount_that_gives_way() -> None:
    """A bushing whose factor falls with the travel: m ẍ = −(1 − 4 x²)(K x + D ẋ)."""
    mount = ff.loads.Bushing("mount", "ground", "block", (K, K, 0.0), (D, D, 0.0), factor="1 - 4*x^2")
    sensors = {**SENSORS, "carried": ff.sensors.LoadSensor("mount")}
    found = ff.simulate(machine(mount), duration=1.0, samples=11, sensors=sensors, tolerance=1e-10)
    exact = integrated(lambda _, y: [y[1], -(1 - 4 * y[0] ** 2) * (K * y[0] + D * y[1]) / MASS], [0.1, 0.0])
    np.testing.assert_allclose(found.sensors["x"].values, exact, atol=1e-9)
    speed = found.motion.body("block").velocities[:, 0]
    carried = -(1 - 4 * exact**2) * (K * exact + D * speed)
    np.testing.assert_allclose(found.sensors["carried"].values[:, 0], carried, atol=1e-6)


def test_formalisms_agree_on_springs_that_change() -> None:
    """And Whittaker refuses them: the energy is not kept."""
    spring = ff.Spring("spring", "ground", "block", K, axis=X, factor="1 + t")
    coil = ff.loads.TorsionSpring("coil", "ground", "wheel", characteristic="-5*s*(1 + x)")
    system = machine(spring, coil)
    found = crosscheck_system(system)
    assert found.agrees
    reasons = {check.name: check.reason for check in found.checks}
    assert "spring follows more than its own coordinate" in reasons.pop("whittaker")
    assert not any(reasons.values())


def test_inverse_dynamics_has_them_too() -> None:
    """The drive of the block carries what the spring does: F = m ẍ + K (1 + t) x."""
    drive = ff.PositionDrive("drive", "ground", "block", "0.1*cos(3*t)", axis=X)
    spring = ff.Spring("spring", "ground", "block", K, axis=X, factor="1 + t")
    system = machine(spring, drives=[drive, ff.AngleDrive("still", "ground", "wheel", "0.3")])
    found = ff.joint_forces(system, TIMES).forces
    x = 0.1 * np.cos(3 * TIMES)
    expected = -9 * MASS * x + K * (1 + TIMES) * x
    np.testing.assert_allclose(found.joints["drive"].values[:, 0], expected, atol=K * rounding(1e4))


CASE = """
bodies:
  block: {{mass: 2 kg, inertia: 0.01}}
  wheel: {{mass: 1 kg, inertia: 0.05}}
parameters: {{rate: 800}}
start:
  block: {{position: [0.1, 0]}}
joints:
  guide: {{prismatic: [ground, block], axis: [1, 0]}}
  hub: {{revolute: [ground, wheel]}}
sensors:
  x: {{position: block, along: [1, 0]}}
controllers:
  u: {{reference: 1 + t}}
loads:
  load: {load}
analyses:
  move: {{kind: transient, duration: 0.2 s, step: 0.5 ms, samples: 3}}
"""


def case(tmp_path: Path, load: str):  # type: ignore[no-untyped-def]
    path = tmp_path / "case.yaml"
    path.write_text(CASE.format(load=load), encoding="utf-8")
    return load_case(path)


WRITTEN = {
    '{spring: [ground, block], axis: [1, 0], force: "-rate*u*s"}': "x",
    "{spring: [ground, block], axis: [1, 0], stiffness: 800 N/m, factor: u}": "x",
    "{bushing: [ground, block], stiffness: [800, 0, 0], factor: 1 + t}": "x",
}


def test_what_a_case_may_write(tmp_path: Path) -> None:
    """Three ways to say the same."""
    ends = [
        run_case(case(tmp_path, load)).records["move"].sensors[name].values[-1] for load, name in WRITTEN.items()
    ]
    assert ends == pytest.approx([ends[0]] * 3, rel=1e-9)
    for load in (
        '{motor: [ground, wheel], law: "u*(3 - 0.1*v)"}',
        '{spring: [ground, block], axis: [1, 0], stiffness: 800 N/m, damping: "3*u*abs(v)"}',
        "{spring: [ground, block], axis: [1, 0], stiffness: 800 N/m, damping: 3*u}",
    ):
        assert run_case(case(tmp_path, load)).records["move"].times[-1] == pytest.approx(0.2)


REFUSED = {
    '{spring: [ground, block], axis: [1, 0], force: "-rate*xx*s"}': "unknown name in a formula 'xx'",
    '{motor: [ground, wheel], law: "3 - w"}': "unknown name in a formula 'w'",
    "{motor: [ground, wheel]}": "two of them at least, or a law",
    "{motor: [ground, wheel], law: 3 - v, speeds: [0, 1], torques: [1, 0]}": "a law and a table",
    "{spring: [ground, block], axis: [1, 0], stiffness: 8, acts: tension, damping: 3*u}": "at some stretches",
    "{spring: [ground, block], axis: [1, 0], stiffness: 800 N/m, damping: 3 kg}": "a mass, but a damping",
}


@pytest.mark.parametrize("load", REFUSED)
def test_what_cannot_be_is_refused_in_one_line(load: str, tmp_path: Path) -> None:
    with pytest.raises(FlexframeError) as error:
        case(tmp_path, load).system()
    assert REFUSED[load] in str(error.value)
    assert "case.yaml:16: loads.load" in str(error.value)


def test_an_equilibrium_lists_what_they_carry() -> None:
    """K (1 + x/0.1) x = m g from the spring that stiffens, and the coil twisted by what the actuator gives."""
    spring = ff.Spring("spring", "ground", "block", K, axis=X, factor="1 + x/0.1")
    coil = ff.loads.TorsionSpring("coil", "ground", "wheel", 5.0, 0.3)
    push = ff.loads.Actuator("push", "ground", "wheel", "2.5")
    found = ff.system_statics(machine(spring, coil, push, ff.SystemGravity("weight", (-9.81, 0.0)), start=-0.01))
    carried = {each.name: each.force for each in found.springs}
    assert carried == pytest.approx({"spring": MASS * 9.81, "coil": -2.5, "push": 2.5}, rel=1e-9)
    x = float(found.forces.motion.body("block").positions[0, 0])
    assert -K * (1 + x / 0.1) * x == pytest.approx(MASS * 9.81, rel=1e-9)
