"""Machines under control: motions of the core against exact solutions of the closed loop."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm
from tests.rounding import rounding

import flexframe as ff
from flexframe.cases.checking import check_case
from flexframe.controllers import (
    PID,
    Controller,
    Delay,
    Gain,
    PythonFunction,
    Reference,
    StateSpace,
    TransferFunction,
)
from flexframe.errors import InputError
from flexframe.model.system_loads import Actuator
from flexframe.multibody.contract import DynamicState, SimulationOptions
from flexframe.multibody.integrators.simulation import integrate
from flexframe.multibody.system import dynamic_system

from .reference import ReferenceSignals
from .test_blocks import RIGID, closed_rigid_axis, pid_by_hand

ANGLE = ff.sensors.RotationSensor("angle", "arm")
SPEED = ff.sensors.RotationSensor("angular_velocity", "arm", (0.0, 0.0, 1.0))
J = RIGID["inertia"]
GAINS = {name: RIGID[name] for name in ("kp", "ki", "kd", "filter")}


def axis(controllers: Sequence[Controller], torque: str = "torque") -> ff.System:
    """A rigid arm on a motor, measured by `angle` and `speed`."""
    return ff.System(
        [ff.RigidBody("arm", 1.0, J)],
        [ff.Revolute("axis", "ground", "arm")],
        loads=[Actuator("motor", "ground", "arm", torque)],
        sensors={"angle": ANGLE, "speed": SPEED},
        controllers=controllers,
    )


def angles(system: ff.System, duration: float = 2.0, samples: int = 21, **options: Any) -> np.ndarray:
    record = ff.simulate(system, duration=duration, samples=samples, sensors={"angle": ANGLE}, **options)
    return np.asarray(record.sensors["angle"].values)


TIMES = np.linspace(0.0, 2.0, 21)


def test_a_pid_on_a_rigid_axis() -> None:
    """J φ̈ = PID(1 − φ) against the exact solution by the matrix exponential."""
    found = angles(axis([PID("torque", "1 - angle", **GAINS)]), tolerance=1e-10, integrator="dormand_prince_853")
    exact = closed_rigid_axis(TIMES)[0]
    assert np.abs(found - exact).max() < 1e-8  # a hundred steps of relative error 1e-10


@pytest.mark.parametrize("way", [{"step": 4e-5}, {"tolerance": 1e-8}])
def test_a_pid_on_a_rigid_axis_against_python_control(way: dict[str, float]) -> None:
    """Step response of angle and torque by the transfer functions of PID and axis: both to 1e-6 of their largest.

    Steps of h leave 250 h² of the torque, which falls within 10 ms from 440 N m: 4e-7 with 0.04 ms.
    """
    control = pytest.importorskip("control", reason="python-control is not installed")
    s = control.tf("s")
    kp, ki, kd, Tf = GAINS.values()
    pid = kp + ki / s + kd * s / (Tf * s + 1)
    loop = pid / (J * s**2)
    record = ff.simulate(
        axis([PID("torque", "1 - angle", **GAINS)]), duration=2.0, samples=201, sensors={"angle": ANGLE}, **way
    )
    for name, transfer in {"angle": loop / (1 + loop), "torque": pid / (1 + loop)}.items():
        _, expected = control.step_response(control.minreal(transfer, verbose=False), record.times)
        np.testing.assert_allclose(
            record.sensors[name].values, expected, rtol=0, atol=1e-6 * np.abs(expected).max()
        )


def test_steps_of_second_order() -> None:
    """Generalised-α brings states of controllers to second order, as it does coordinates."""
    exact = closed_rigid_axis(TIMES)[0]
    system = axis([PID("torque", "1 - angle", **GAINS)])
    errors = [np.abs(angles(system, step=step) - exact).max() for step in (2e-3, 1e-3, 5e-4)]
    assert errors[2] < 4e-6
    # the error falls by four where the step is halved, but for terms of the next order
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.05)


def held_axis(block: PID, period: float, count: int, offset: float = 0.0) -> np.ndarray:
    """Angle of the axis at sampling instants: exact between them, as the torque is constant there."""
    state, found, errors = np.zeros(2), [], np.zeros(0)
    A = np.array([[1.0, period], [0.0, 1.0]])
    B = np.array([0.5 * period**2, period]) / J
    for _ in range(count):
        found.append(state[0])
        errors = np.append(errors, 1.0 - state[0])
        state = A @ state + B * pid_by_hand(errors, period, block)[-1]
    return np.array(found)


@pytest.mark.parametrize("limits", [None, (-20.0, 20.0)])
@pytest.mark.parametrize("way", [{"step": 0.01}, {"step": 0.0031}, {"tolerance": 1e-10}])
def test_a_sampled_pid_is_exact(way: dict[str, float], limits: Any) -> None:
    """Torques are constant between instants, where steps end: the motion is exact whatever the step."""
    period = 0.01
    gains = {"kp": 12.0, "ki": 15.0, "kd": 2.0, "filter": 0.02}
    block = PID("torque", "1 - angle", **gains, limits=limits, period=period)
    found = angles(axis([block]), duration=1.0, samples=101, **way)
    exact = held_axis(block, period, 101)
    assert np.abs(found - exact).max() < 1e-9
    if limits:
        free = held_axis(PID("torque", "1 - angle", **gains, period=period), period, 101)
        assert np.abs(exact - free).max() > 0.01  # the limits matter in this run


def test_the_output_grid_does_not_matter() -> None:
    """Samples that fall between instants, on them, and beside them by a rounding."""
    block = PID("torque", "1 - angle", kp=12.0, kd=2.0, filter=0.02, period=0.03)
    ends = [angles(axis([block]), duration=0.9, samples=samples, step=0.01)[-1] for samples in (2, 10, 28, 31, 61)]
    assert np.ptp(ends) < 1e-9
    record = ff.simulate(axis([block]), duration=0.9, samples=31, step=0.01)
    assert record.figures.steps == 90  # instants that are samples but for rounding cost no step


def test_sampled_blocks_in_a_row() -> None:
    """Three blocks of the same instants are one: no sample is lost between them, in any order."""
    period = 0.01
    single = [Gain("torque", "-30*(angle - 1) - 4*speed", period=period)]
    row = [
        Gain("torque", "both", period=period),
        Gain("both", "error - 4*speed", period=period),
        Gain("error", "1 - angle", 30.0, period=period),
    ]
    expected = angles(axis(single), duration=0.5, samples=11, step=0.005)
    for blocks in (row, row[::-1]):
        found = angles(axis(blocks), duration=0.5, samples=11, step=0.005)
        assert np.abs(found - expected).max() < rounding(1e5)  # fifty instants, some roundings each


def test_a_delayed_controller() -> None:
    """P and D on values of three samples ago: the difference equation with a shift register by hand."""
    period, late = 0.01, 3
    found = angles(
        axis([Delay("torque", "8*(1 - angle) - 1.5*speed", late * period, period=period)]),
        duration=1.0,
        samples=101,
        step=0.01,
    )
    state, line, exact = np.zeros(2), [0.0] * late, []
    for _ in range(101):
        exact.append(state[0])
        line.append(8 * (1 - state[0]) - 1.5 * state[1])
        torque = line.pop(0)
        state = np.array([[1.0, period], [0.0, 1.0]]) @ state + np.array([0.5 * period, 1.0]) * period * torque / J
    assert np.abs(found - exact).max() < 1e-9


NETWORKS = {
    "filters around a sampled gain": [
        TransferFunction("smooth", "angle", (1.0,), (0.02, 1.0)),
        Gain("command", "25*(target - smooth) - 3*speed", period=0.02, offset=0.01),
        ff.controllers.Notch("torque", "command", frequency=40.0, width=0.6, depth=0.1),
        Reference("target", ff.motion.s_curve((0.0, 0.8), speed=1.5, acceleration=10.0, jerk=200.0)),
    ],
    "a slow loop around a fast one": [
        PID("wanted", "0.5 - angle", kp=6.0, ki=4.0, period=0.04, limits=(-1.0, 1.0)),
        ff.controllers.ZeroOrderHold("seen", "speed", period=0.01),
        ff.controllers.Saturation("torque", "4*(wanted - seen)", (-2.0, 2.0)),
    ],
    "a slow block that reads a fast one": [
        Gain("fast", "-8*angle - 2*speed", period=0.01),
        TransferFunction("torque", "fast + 4", (1.0, 1.0), (1.0, 2.0), period=0.03),
    ],
    "a loop of two states and a delay": [
        StateSpace("inner", "outer - 0.3*late", [[-20.0]], [[20.0]], [[1.0]]),
        TransferFunction("outer", "0.5 - angle - inner", (30.0,), (1.0, 25.0)),
        Delay("late", "speed", 0.02, order=3),
        ff.controllers.LeadLag("torque", "inner - 0.5*late", lead=0.2, lag=0.05, gain=5.0),
    ],
}


@pytest.mark.parametrize("name", NETWORKS)
def test_networks_of_blocks(name: str) -> None:
    """The core against signals in numpy that scipy integrates, an independent way through the same blocks."""
    blocks = NETWORKS[name]
    times = np.linspace(0.0, 0.6, 7)
    expected, _ = ReferenceSignals(("angle", "speed"), blocks).simulate(
        lambda _, x, of: np.array([x[1], of("torque") / J]),
        lambda _, x: {"angle": x[0], "speed": x[1]},
        np.zeros(2),
        times,
        ["torque"],
    )
    errors = [
        np.abs(angles(axis(blocks), duration=0.6, samples=7, step=step) - expected[:, 0]).max()
        for step in (1e-3, 2.5e-4)
    ]
    assert errors[1] < 1e-6
    # second order: sixteen times better at a quarter of the step, ten where limits or corners fall between steps
    assert errors[1] < max(errors[0] / 10, 1e-9)


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("cut", [5, 7])  # at an instant of the samplings, and between two
@pytest.mark.parametrize("way", [{"step": 2e-3}, {"tolerance": 1e-8, "integrator": "dormand_prince"}])
def test_a_run_that_is_resumed_is_the_same_run(name: str, cut: int, way: dict[str, Any]) -> None:
    """Stopped, saved as arrays and continued: states and held values go on bit by bit."""
    system = dynamic_system(axis(NETWORKS[name]))
    times = np.linspace(0.0, 0.192, 17)  # 12 ms apart: the cuts are at 60 and 84 ms
    options = SimulationOptions(duration=float(times[-1]), **way)
    whole = integrate(system, options, times=times)
    first = integrate(system, options, times=times[: cut + 1])
    saved = DynamicState.from_arrays({key: np.array(value) for key, value in first.end.arrays().items()})
    second = integrate(system, options, saved, times=times[cut:])
    for part in ("angles", "velocities", "accelerations", "signals"):
        np.testing.assert_array_equal(getattr(whole, part)[: cut + 1], getattr(first, part))
        np.testing.assert_array_equal(getattr(whole, part)[cut:], getattr(second, part))


def test_a_function_of_python() -> None:
    """The same law as a block and as a function; the function is called at the instants and nowhere else."""
    period, calls = 0.02, []

    def law(time: float, angle: float, speed: float) -> float:
        calls.append(time)
        return 30 * (1 - angle) - 4 * speed

    function = PythonFunction("torque", ("angle", "speed"), law, period)
    found = angles(axis([function]), duration=0.5, samples=11, step=0.01)
    expected = angles(
        axis([Gain("torque", "30*(1 - angle) - 4*speed", period=period)]), duration=0.5, samples=11, step=0.01
    )
    assert np.abs(found - expected).max() < rounding(1e5)
    assert np.abs(np.array(calls) - period * np.arange(len(calls))).max() < rounding(10)
    assert len(calls) in (25, 26)  # the last one falls on the end


def test_an_observer() -> None:
    """A state space of two inputs and two outputs that reads its own effect: separation of observer and control.

    The plant's states and the error of the observer are linear: the exponential of the matrix by hand.
    """
    k, L = np.array([20.0, 4.0]), np.array([40.0, 400.0])
    A, B, C = np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([0.0, 1 / J]), np.array([1.0, 0.0])
    block = StateSpace(
        "model",
        ("torque", "angle"),
        A - np.outer(L, C),
        np.column_stack([B, L]),
        np.eye(2),
        components=("x", "v"),
        initial=(0.3, 0.0),
    )
    torque = Gain("torque", "-20*(model.x - 1) - 4*model.v")
    found = angles(axis([block, torque]), tolerance=1e-10, integrator="dormand_prince_853")
    # states φ, φ̇, x̂, v̂, 1
    drive = np.concatenate([np.zeros(2), -k, [k[0]]])
    matrix = np.zeros((5, 5))
    matrix[:2, :2] = A
    matrix[:2] += np.outer(B, drive)
    matrix[2:4, 2:4] = A - np.outer(L, C)
    matrix[2:4] += np.outer(B, drive)
    matrix[2:4, 0] += L
    exact = [(expm(matrix * t) @ [0.0, 0.0, 0.3, 0.0, 1.0])[0] for t in TIMES]
    assert np.abs(found - exact).max() < 1e-8


def test_a_trajectory_as_setpoint() -> None:
    """With the torque J φ̈ of the trajectory fed forward the arm is on it, and the feedback has nothing to do."""
    move = ff.motion.polynomial((0.0, 1.0), order=7, duration=1.0)
    coefficients = np.polynomial.Polynomial(move.coefficients[0]).deriv(2).coef
    forward = "+".join(f"({c!r})*t^{k}" for k, c in enumerate(coefficients.tolist()))
    blocks = [
        Reference("target", move),
        Gain("forward", f"({forward})*(1 - step(t - 1))", J),
        PID("feedback", "angle", kp=50.0, setpoint="target"),
        Gain("torque", "forward + feedback"),
    ]
    found = angles(axis(blocks), tolerance=1e-10, integrator="dormand_prince_853", duration=1.0, samples=11)
    assert np.abs(found - move.jet(np.linspace(0.0, 1.0, 11))[0]).max() < 1e-8


FLEXIBLE = {"motor": 0.2, "load": 0.5, "stiffness": 150.0, "damping": 0.4}


def flexible_axis(controller: Controller) -> ff.System:
    """Motor and load on one axis with a spring between them; the motor is measured and driven."""
    return ff.System(
        [ff.RigidBody("rotor", 1.0, FLEXIBLE["motor"]), ff.RigidBody("load", 1.0, FLEXIBLE["load"])],
        [ff.Revolute("A", "ground", "rotor"), ff.Revolute("B", "ground", "load")],
        loads=[
            ff.loads.TorsionSpring("shaft", "rotor", "load", FLEXIBLE["stiffness"], 0.0, FLEXIBLE["damping"]),
            Actuator("motor", "ground", "rotor", "torque"),
        ],
        sensors={
            "angle": ff.sensors.RotationSensor("angle", "rotor"),
            "speed": ff.sensors.RotationSensor("angular_velocity", "rotor", (0.0, 0.0, 1.0)),
        },
        controllers=[controller],
        start={"rotor": ff.Placement(rotation=[0.05]), "load": ff.Placement(rotation=[-0.03])},
    )


def closed_flexible_axis(kp: float, kd: float, ki: float) -> np.ndarray:
    """Matrix of φ₁, φ₂, φ̇₁, φ̇₂ and the integral, by hand."""
    J1, J2, k, c = FLEXIBLE.values()
    return np.array([
        [0, 0, 1, 0, 0],
        [0, 0, 0, 1, 0],
        [-(k + kp) / J1, k / J1, -(c + kd) / J1, c / J1, 1 / J1],
        [k / J2, -k / J2, c / J2, -c / J2, 0],
        [-ki, 0, 0, 0, 0],
    ])  # fmt: skip


def test_a_flexible_axis_has_the_eigenvalues_of_the_closed_loop() -> None:
    """From instants of one motion: x_{k+1} = Φ x_k, and the eigenvalues of Φ are e^{λΔt}."""
    gains = {"kp": 60.0, "kd": 3.0, "ki": 80.0}
    matrix = closed_flexible_axis(**gains)
    exact = np.sort_complex(np.linalg.eigvals(matrix))
    assert exact.real.max() < -0.1 and np.abs(exact.imag).max() > 20  # stable, and the shaft takes part
    bodies = {name: ff.sensors.RotationSensor("angle", name) for name in ("rotor", "load")}
    up = (0.0, 0.0, 1.0)
    turning = {f"{name}'": ff.sensors.RotationSensor("angular_velocity", name, up) for name in bodies}
    record = ff.simulate(
        flexible_axis(PID("torque", "-angle", rate="-speed", **gains)),
        duration=1.0,
        samples=41,
        tolerance=1e-11,
        integrator="dormand_prince_853",
        sensors={**bodies, **turning},
    )
    x = np.column_stack([record.sensors[name].values for name in ("rotor", "load", "rotor'", "load'")])
    start = np.array([0.05, -0.03, 0.0, 0.0, 0.0])
    times = np.linspace(0.0, 1.0, 41)
    states = np.array([expm(matrix * t) @ start for t in times])
    size = np.abs(states[:, :4]).max(axis=0)
    assert (np.abs(x - states[:, :4]).max(axis=0) < 1e-7 * size).all()
    # five states from four measured ones: one instant more of the first
    seen = np.column_stack([x[:-1], x[1:, :1]]) / np.append(size, size[0])
    step, *_ = np.linalg.lstsq(seen[:-1], seen[1:], rcond=None)
    found = np.sort_complex(np.log(np.linalg.eigvals(step).astype(complex)) / times[1])
    assert np.abs(found - exact).max() < 1e-4 * np.abs(exact).max()  # 1e-7 by the condition of the fit, about 100


CASE = """
bodies:
  arm: {mass: 1 kg, inertia: 0.3}
joints:
  axis: {revolute: [ground, arm]}
sensors:
  angle: {angle: arm}
controllers:
CONTROLLERS
loads:
  motor: {actuator: [ground, arm], law: torque}
analyses:
  move: {kind: transient, duration: 2 s, samples: 21, tolerance: 1e-10, sensors: {angle: {angle: arm}}}
"""


def written(tmp_path: Path, lines: Sequence[str]) -> Path:
    path = tmp_path / "case.yaml"
    path.write_text(CASE.replace("CONTROLLERS", "\n".join(f"  {line}" for line in lines)), encoding="utf-8")
    return path


def test_a_case_with_a_controller(tmp_path: Path) -> None:
    lines = [
        "target: {reference: 1}",
        "torque: {pid: angle, setpoint: target, kp: 40 N m/rad, ki: 60, kd: 4, filter: 10 ms}",
    ]
    record = ff.run_case(ff.load_case(written(tmp_path, lines))).records["move"]
    found = record.sensors["angle"].values  # type: ignore[attr-defined]
    assert np.abs(found - closed_rigid_axis(TIMES)[0]).max() < 1e-7


ENTRIES = [
    ("{gain: 1 - angle, factor: 3}", Gain),
    ("{transfer_function: angle, numerator: [1], denominator: [1, 2], period: 1 ms}", TransferFunction),
    ("{state_space: [angle, 2*t], A: [[0]], B: [[1, 2]], C: [[1]]}", StateSpace),
    ("{lead_lag: angle, lead: 0.1 s, lag: 10 ms, gain: 2}", ff.controllers.LeadLag),
    ("{notch: angle, frequency: 20 Hz, width: 0.3}", ff.controllers.Notch),
    ("{saturation: angle, limits: [-1 N m, 1 N m]}", ff.controllers.Saturation),
    ("{delay: angle, time: 5 ms, order: 3}", Delay),
    ("{hold: angle, period: 5 ms, offset: 1 ms}", ff.controllers.ZeroOrderHold),
    ("{reference: {trapezoid: 1, speed: 1, acceleration: 2}}", Reference),
]


@pytest.mark.parametrize("text, kind", ENTRIES)
def test_every_block_in_a_case(text: str, kind: type, tmp_path: Path) -> None:
    system = ff.load_case(written(tmp_path, [f"torque: {text}"])).system()
    assert type(system.controllers[0]) is kind
    if kind is ff.controllers.Notch:
        assert system.controllers[0].frequency == pytest.approx(40 * np.pi)  # type: ignore[attr-defined]


WRONG = [
    (["torque: {pid: angel, kp: 1}"], "case.yaml:9: controllers.torque", "did you mean 'angle'"),
    (["torque: {pid: angle, kd: 1}"], "case.yaml:9: controllers.torque.kd", "give filter, a time, or rate"),
    (["torque: {pdi: angle}"], "case.yaml:9: controllers.torque", "did you mean 'pid'"),
    (["torque: {gain: b}", "b: {gain: torque}"], "controllers.torque", "torque reads b reads torque"),
    (
        ["torque: {transfer_function: angle, numerator: [1, 0], denominator: [1]}"],
        "controllers.torque.numerator",
        "degree 1",
    ),
    (["torque: {hold: angle}"], "controllers.torque", "a hold needs a period"),
    (["angle: {gain: 1}", "torque: {gain: 1}"], "", "'angle'"),
    (["torque: {gain: angle, period: 1 ns}"], "case.yaml:9: controllers.torque.period", "2e+09 instants in 2 s"),
]


@pytest.mark.parametrize("lines, place, message", WRONG)
def test_what_is_wrong_is_said_at_its_line(lines: list[str], place: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        ff.load_case(written(tmp_path, lines)).system()
    assert place in str(error.value) and message in str(error.value)


SWITCHED = """events:
  half: {when: angle - 0.5, set: {NAME: 1}}
"""


@pytest.mark.parametrize(
    "name, message", [("torque", "torque is a controller, whose output"), ("on", "add it to the controllers (on:")]
)
def test_an_event_sets_switches_only(name: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, ["torque: {gain: 1 - angle}"])
    path.write_text(path.read_text(encoding="utf-8") + SWITCHED.replace("NAME", name), encoding="utf-8")
    with pytest.raises(InputError) as error:
        ff.load_case(path)
    assert "case.yaml:15: events.half.set" in str(error.value) and message in str(error.value)


def test_an_event_reads_outputs_that_are_there(tmp_path: Path) -> None:
    path = written(tmp_path, ["torque: {gain: 1 - angle}"])
    path.write_text(path.read_text(encoding="utf-8") + "events: {high: {when: torque.x - 1}}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"no output 'torque\.x'; write torque"):
        check_case(ff.load_case(path))


@pytest.mark.parametrize(
    "period, way, doubt",
    [
        ("3 s", "tolerance: 1e-10", "acts every 3 s, once in a motion of 2 s"),
        ("1 ms", "step: 10 ms", "10 times in a step of 0.01 s: steps end there, so that the motion takes 2,000"),
        ("10 ms", "step: 10 ms", ""),
    ],
)
def test_periods_beside_step_and_duration(period: str, way: str, doubt: str, tmp_path: Path) -> None:
    """`check` says what a period means for the motion; nothing where they fit."""
    path = written(tmp_path, [f"torque: {{gain: 1 - angle, period: {period}}}"])
    path.write_text(path.read_text(encoding="utf-8").replace("tolerance: 1e-10", way), encoding="utf-8")
    doubts = [each for each in ff.load_case(path).doubts() if "torque" in each]
    assert len(doubts) == bool(doubt)
    assert not doubt or doubt in doubts[0]


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        (
            "{s_curve: 60 deg, speed: 2 m/s, acceleration: 15, jerk: 300}",
            "'2 m/s' is no speed of what moves by '60 deg'",
        ),
        (
            "{trapezoid: [0, 5 mm], speed: 1 m/s, acceleration: 2 rad/s^2}",
            "'2 rad/s^2' is no acceleration of what",
        ),
    ],
)
def test_limits_of_trajectories_have_the_unit_of_what_moves(reference: str, words: str, tmp_path: Path) -> None:
    path = written(tmp_path, [f"torque: {{reference: {reference}}}"])
    with pytest.raises(ff.FlexframeError) as error:
        ff.load_case(path)
    assert words in str(error.value)
