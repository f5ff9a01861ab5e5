"""Controllers against exact solutions: linear systems by matrix exponentials, difference equations by hand."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import signal
from scipy.linalg import expm
from tests.rounding import rounding

import flexframe as ff
from flexframe.controllers import (
    PID,
    Controller,
    Delay,
    Gain,
    LeadLag,
    Notch,
    PythonFunction,
    Reference,
    Saturation,
    StateSpace,
    TransferFunction,
    ZeroOrderHold,
)
from flexframe.errors import InputError
from flexframe.model.controllers.kinds import CONTROLLERS

from .reference import ReferenceSignals

# what is left of the integration of a smooth motion over a few periods: relative tolerance 1e-12 of each step,
# some hundred steps, and a growth of errors by less than ten in a stable system
INTEGRATED = 1e-9
TIMES = np.linspace(0.0, 2.0, 21)


def responses(blocks: Sequence[Controller], name: str, times: np.ndarray = TIMES, value: str = "1") -> np.ndarray:
    """The signal of a name over time without any plant, `u` being a formula of time."""
    given = Reference("u", value)
    made = ReferenceSignals((), [given, *blocks])
    nothing = np.zeros(0)
    return made.simulate(lambda *_: nothing, lambda *_: {}, nothing, times, [name])[1][:, 0]


def step_response(numerator: Sequence[float], denominator: Sequence[float], times: np.ndarray) -> np.ndarray:
    """Of a transfer function to u = 1, by the exponential of its matrices."""
    A, B, C, D = signal.tf2ss(numerator, denominator)
    n = len(A)
    both = np.block([[A, B], [np.zeros((1, n + 1))]])
    states = [expm(both * t)[:n, n:] for t in times]
    return np.array([(C @ x + D)[0, 0] for x in states])


LINEAR = [
    (TransferFunction("y", "u", (2.0, 3.0), (1.0, 4.0, 30.0)), ([2.0, 3.0], [1.0, 4.0, 30.0])),
    (TransferFunction("y", "u", (0.0, 1.0, 0.0, 2.0), (2.0, 3.0, 5.0)), ([1.0, 0.0, 2.0], [2.0, 3.0, 5.0])),
    (TransferFunction("y", "u", (5.0,), (2.0,)), ([2.5], [1.0])),
    (LeadLag("y", "u", lead=0.3, lag=0.1, gain=2.0), ([0.6, 2.0], [0.1, 1.0])),
    (Notch("y", "u", frequency=9.0, width=0.4, depth=0.1), ([1.0, 1.8, 81.0], [1.0, 7.2, 81.0])),
    (PID("y", "u", kp=2.0, ki=3.0, kd=0.5, filter=0.2), ([0.2 * 2 + 0.5, 2 + 0.2 * 3, 3.0], [0.2, 1.0, 0.0])),
]


@pytest.mark.parametrize("block, ratio", LINEAR, ids=lambda x: getattr(x, "kind", ""))
def test_continuous_blocks_are_their_transfer_functions(block: Controller, ratio: Any) -> None:
    exact = step_response(*ratio, TIMES)  # type: ignore[call-arg]
    found = responses([block], "y")
    assert np.abs(found - exact).max() < INTEGRATED * np.abs(exact).max()


def sampled(block: Controller, **more: Any) -> Any:
    given = {**vars(block), **more}
    return type(block)(**given)


@pytest.mark.parametrize("block, ratio", LINEAR[:5], ids=lambda x: getattr(x, "kind", ""))
def test_sampled_blocks_are_exact_for_held_inputs(block: Controller, ratio: Any) -> None:
    """Of a held sine: the difference equation of the exact zero-order hold by scipy.signal, within rounding."""
    period = 0.1
    found = responses([sampled(block, period=period)], "y", value="sin(7*t)")
    inputs = np.sin(7 * TIMES)
    made = signal.cont2discrete(signal.tf2ss(*ratio), period)
    x, exact = np.zeros(len(made[0])), []
    for u in inputs:
        exact.append((made[2] @ x + made[3][:, 0] * u)[0])
        x = made[0] @ x + made[1][:, 0] * u
    # 21 products of small matrices, whose exponentials are taken of another form of the same equations
    assert np.abs(found - exact).max() < rounding(21 * 100) * max(1.0, np.abs(exact).max())


def test_a_delay_is_exact_where_it_is_sampled() -> None:
    times = np.linspace(0.0, 1.0, 101)
    found = responses([Delay("y", "u", 0.03, period=0.01)], "y", times, "1 + sin(7*t)")
    exact = np.where(times < 0.03 - 1e-9, 0.0, 1 + np.sin(7 * (times - 0.03)))
    assert np.abs(found - exact).max() < rounding(100)


@pytest.mark.parametrize("order", [1, 2, 4, 6])
def test_a_continuous_delay_is_as_good_as_it_says(order: int) -> None:
    """In the steady state of sin ωt: amplitude of the error as stated, and the leading term of its series."""
    time, omega = 0.5, 3.0
    delay = Delay("y", "u", time, order=order)
    made = delay.matrices()
    s = 1j * omega
    ratio = (made.C @ np.linalg.solve(s * np.eye(order) - made.A, made.B) + made.D)[0, 0]
    assert abs(ratio) == pytest.approx(1.0, rel=rounding(1000))
    assert abs(ratio - np.exp(-s * time)) == pytest.approx(delay.error(omega), abs=rounding(1000))
    from math import factorial

    small = 1.0 / time  # ωT = 1: the next term of the series is smaller by (ωT)²/8 and more
    leading = factorial(order) ** 2 / (factorial(2 * order) * factorial(2 * order + 1))
    assert delay.error(small) == pytest.approx(leading, rel=0.15, abs=rounding(10))


def test_limits_and_holds() -> None:
    found = responses([Saturation("y", "u", (-0.5, 0.25))], "y", value="sin(7*t)")
    assert np.abs(found - np.clip(np.sin(7 * TIMES), -0.5, 0.25)).max() == 0.0
    held = responses([ZeroOrderHold("y", "u", period=0.4, offset=0.2)], "y", TIMES + 0.05, "1 + t")
    instants = 0.2 + 0.4 * np.floor((TIMES + 0.05 - 0.2) / 0.4 + 1e-9)
    assert np.abs(held - np.where(instants < 0.0, 0.0, 1 + instants)).max() < rounding(100)
    gained = responses([Gain("y", "2*u", 3.0)], "y", value="t")
    assert np.abs(gained - 6 * TIMES).max() < rounding(10) * 12


def pid_by_hand(errors: np.ndarray, T: float, block: PID) -> np.ndarray:
    """The classical algorithm, line by line."""
    low, high = block.limits or (-np.inf, np.inf)
    total = D = last = 0.0
    out = []
    for e in errors:
        D = (block.filter * D + block.kd * (e - last)) / (block.filter + T)
        v = block.kp * e + total + D
        u = min(max(v, low), high)
        out.append(u)
        last = e
        if block.anti_windup == "conditional":
            total += block.ki * T * e if (v - u) * e * block.ki <= 0 else 0.0
        else:
            total += block.ki * T * e
            if block.limits and block.anti_windup == "back_calculation":
                total += min(T / block.tracking_time, 1.0) * (u - v)
    return np.array(out)


@pytest.mark.parametrize("anti_windup", ["back_calculation", "conditional", "none"])
@pytest.mark.parametrize("limits", [None, (-1.5, 1.0)])
def test_the_sampled_pid_is_its_difference_equation(anti_windup: Any, limits: Any) -> None:
    T = 0.1
    block = PID("y", "u", kp=1.2, ki=4.0, kd=0.2, filter=0.05, limits=limits, anti_windup=anti_windup, period=T)
    found = responses([block], "y", value="sin(5*t) + 0.3")
    exact = pid_by_hand(np.sin(5 * TIMES) + 0.3, T, block)
    assert np.abs(found - exact).max() < rounding(1000)
    if limits:
        assert found.max() == 1.0 and found.min() >= -1.5  # the limits are met in this run


def test_back_calculation_ends_the_windup() -> None:
    """A PI at its limit: the integral settles where ki e = (v − u)/T_t, v = u + T_t ki e."""
    block = PID("y", "u", kp=1.0, ki=4.0, limits=(-1.0, 1.0))
    assert block.tracking_time == pytest.approx(0.25)
    # after e = 2 for 5 s, v − u = T_t ki e = 2; e = −0.5 from then on: v jumps from 3 to 0.5, off the limit
    times = np.array([4.9, 5.0, 5.0001])
    found = responses([block], "y", times, "2 - 2.5*step(t - 5)")
    assert found[0] == 1.0
    assert found[2] == pytest.approx(0.5, abs=1e-3)  # 1e-4 s later
    wound = responses([PID("y", "u", kp=1.0, ki=4.0, limits=(-1.0, 1.0), anti_windup="none")], "y", times,
                      "2 - 2.5*step(t - 5)")  # fmt: skip
    assert wound[2] == 1.0


def test_a_rate_in_place_of_the_derivative() -> None:
    """kp e + kd ė with ė given is exact without a filter: e = sin 3t."""
    block = PID("y", "u", kp=2.0, kd=0.5, rate="3*cos(3*t)")
    found = responses([block], "y", value="sin(3*t)")
    assert np.abs(found - (2 * np.sin(3 * TIMES) + 1.5 * np.cos(3 * TIMES))).max() < rounding(100)
    setpoint = PID("y", "u", kp=2.0, setpoint=ff.motion.trapezoid((0.0, 1.0), speed=1.0, acceleration=2.0))
    found = responses([setpoint], "y", value="0.25")
    assert found[-1] == pytest.approx(1.5, rel=rounding(100))


RIGID = {"inertia": 0.3, "kp": 40.0, "ki": 60.0, "kd": 4.0, "filter": 0.01}


def test_a_rigid_axis_under_pid() -> None:
    """J φ̈ = PID(1 − φ): the closed loop is linear, and its states follow by the matrix exponential."""
    J, kp, ki, kd, Tf = RIGID.values()
    block = PID("torque", "1 - angle", kp=kp, ki=ki, kd=kd, filter=Tf)
    made = ReferenceSignals(("angle",), [block])
    plant, watched = made.simulate(
        lambda _, x, of: np.array([x[1], of("torque") / J]),
        lambda _, x: {"angle": x[0]},
        np.zeros(2),
        TIMES,
        ["torque"],
    )
    exact = closed_rigid_axis(TIMES)
    assert np.abs(plant[:, 0] - exact[0]).max() < INTEGRATED
    assert np.abs(watched[:, 0] - exact[1]).max() < INTEGRATED * np.abs(exact[1]).max()


def closed_rigid_axis(times: np.ndarray) -> np.ndarray:
    """Angle and torque; states φ, φ̇, I, x and the constant 1."""
    J, kp, ki, kd, Tf = RIGID.values()
    e = np.array([-1.0, 0, 0, 0, 1])
    torque = kp * e + np.array([0, 0, 1, 0, 0]) + kd / Tf * (e - np.array([0, 0, 0, 1, 0]))
    A = np.array([[0, 1.0, 0, 0, 0], torque / J, ki * e, (e - np.array([0, 0, 0, 1, 0])) / Tf, np.zeros(5)])
    states = np.array([expm(A * t) @ [0, 0, 0, 0, 1.0] for t in times])
    return np.array([states[:, 0], states @ torque])


def test_an_object_of_another_program() -> None:
    """A, B, C, D and dt are all that is asked: the matrices of python-control and scipy.signal."""
    A, B, C, D = signal.tf2ss([2.0, 3.0], [1.0, 4.0, 30.0])
    made = StateSpace.from_system("y", "u", SimpleNamespace(A=A, B=B, C=C, D=D, dt=0))
    exact = step_response([2.0, 3.0], [1.0, 4.0, 30.0], TIMES)
    assert np.abs(responses([made], "y") - exact).max() < INTEGRATED
    held = StateSpace.from_system("y", "u", signal.StateSpace(A, B, C, D), period=0.1)
    discrete = signal.cont2discrete((A, B, C, D), 0.1)
    other = StateSpace.from_system("y", "u", SimpleNamespace(**dict(zip("ABCD", discrete, strict=False)), dt=0.1))
    assert other.period == 0.1 and other.discrete
    both = [responses([block], "y", value="sin(9*t)") for block in (held, other)]
    assert np.abs(both[0] - both[1]).max() < rounding(2100)
    with pytest.raises(InputError, match="has no matrix A; convert it to a state space"):
        StateSpace.from_system("y", "u", object())


def test_several_inputs_and_outputs() -> None:
    """A double integrator with position and speed as outputs, from given values at the start."""
    block = StateSpace(
        "model",
        ("u", "2*u"),
        [[0.0, 1.0], [0.0, 0.0]],
        [[0.0, 0.0], [1.0, 1.0]],
        np.eye(2),
        components=("x", "v"),
        initial=(1.0, -2.0),
    )
    found = responses([block], "model.x")
    assert np.abs(found - (1 - 2 * TIMES + 1.5 * TIMES**2)).max() < INTEGRATED * 5


def test_a_function_at_a_sampling_rate() -> None:
    calls: list[float] = []

    def square(time: float, value: float) -> float:
        calls.append(time)
        return value**2

    found = responses([PythonFunction("y", "u", square, period=0.5)], "y", value="1 + t")
    assert calls == [0.0, 0.5, 1.0, 1.5, 2.0]
    assert np.abs(found - (1 + np.floor(TIMES / 0.5 + 1e-9) * 0.5) ** 2).max() < rounding(10) * 9


def test_a_continuous_block_between_sampled_ones() -> None:
    """The last block reads what the first one has just sampled."""
    row = [Gain("c", "b", 5.0, period=0.1), Gain("b", "a", 3.0), Gain("a", "u", 2.0, period=0.1)]
    for blocks in (row, row[::-1], [row[1], row[0], row[2]]):
        assert np.abs(responses(blocks, "c", value="1 + t") - 30 * (1 + TIMES)).max() < rounding(10) * 90


def test_blocks_in_a_row_are_read_in_the_order_of_need() -> None:
    """Three sampled blocks, the last one given first: no delay between them, and a loop of states is allowed."""
    row = [Gain("c", "b", 5.0, period=0.1), Gain("b", "a", 3.0, period=0.1), Gain("a", "u", 2.0, period=0.1)]
    assert np.abs(responses(row, "c", value="1 + t") - 30 * (1 + TIMES)).max() < rounding(10) * 90
    # ẏ = u − z, ż = y: an oscillator of two blocks that read each other
    pair = [TransferFunction("y", "u - z", (1.0,), (1.0, 0.0)), TransferFunction("z", "y", (1.0,), (1.0, 0.0))]
    assert np.abs(responses(pair, "y") - np.sin(TIMES)).max() < INTEGRATED


LOOPS = [
    ([Gain("a", "b"), Gain("b", "c + 1"), Gain("c", "a")], "a reads b reads c reads a"),
    ([PID("a", "1 - a", kp=1.0)], "a reads a"),
    ([Gain("a", "b"), LeadLag("b", "a", lead=1.0, lag=1.0)], "a reads b reads a"),
]


def system(blocks: Any, **more: Any) -> ff.System:
    """A body on an axis with controllers; `angle` is a sensor."""
    return ff.System(
        [ff.RigidBody("arm", 1.0, 0.3)],
        [ff.Revolute("axis", "ground", "arm")],
        sensors={"angle": ff.sensors.RotationSensor("angle", "arm")},
        controllers=blocks,
        **more,
    )


@pytest.mark.parametrize("blocks, names", LOOPS)
def test_algebraic_loops_are_refused_with_their_names(blocks: Any, names: str) -> None:
    with pytest.raises(InputError, match=f"own output at the same instant: {names}; put a block with a state"):
        system(blocks)


def test_loops_with_states_or_sampling_are_none() -> None:
    system([Gain("a", "b"), TransferFunction("b", "a", (1.0,), (1.0, 1.0))])
    system([Gain("a", "b"), Gain("b", "a", period=0.1)])
    system([PID("a", "1 - a", ki=1.0)])


NAMES = [
    ([Gain("a", "angel")], "did you mean 'angle'"),
    ([Gain("a", "angle.x")], "it is one number, write angle"),
    ([Gain("a", "b.x"), Gain("b", "1")], "the controller b has no output 'b.x'; write b"),
    ([Gain("t", "1")], "the name 't' is a word of formulas"),
    ([Gain("angle", "1")], "are called 'angle'"),
    ([Gain("a", "1"), Gain("a", "2")], "are called 'a'"),
    ([Gain("my axis", "1")], "the name 'my axis' cannot stand in a formula"),
]


@pytest.mark.parametrize("blocks, message", NAMES)
def test_names_stand_for_one_thing(blocks: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        system(blocks)


REFUSALS = [
    (lambda: TransferFunction("y", "u", (1.0, 0.0), (1.0,)), "the numerator has degree 1 and the denominator 0"),
    (lambda: TransferFunction("y", "u", (1.0,), (0.0,)), "denominator has no coefficient other than zero"),
    (lambda: TransferFunction("y", "u", (1.0,), (1.0, 2.0), discrete=True), "a discrete block needs a period"),
    (lambda: PID("y", "u", kp=1.0, kd=1.0), "needs a lag; give filter, a time, or rate"),
    (lambda: PID("y", "u", ki=1.0, limits=(0.0, 1.0)), "no tracking time follows from its gains"),
    (lambda: PID("y", "u", kp=1.0, ki=1.0, limits=(0.0, 1.0), anti_windup="conditional"), "only a sampled"),
    (lambda: Saturation("y", "u", (1.0, -1.0)), "limits 1 and -1 do not increase"),
    (lambda: Gain("y", "u", period=0.0), "period is 0 s; give a time above zero"),
    (lambda: Gain("y", "u", offset=0.1), "offset is given without a period"),
    (lambda: Delay("y", "u", 0.025, period=0.01), "is 2.5 periods; give a whole number"),
    (lambda: Delay("y", "u", 0.1, order=20), "order is 20; give 1 to 10"),
    (lambda: Notch("y", "u", frequency=0.0), "frequency is 0; give one above zero"),
    (lambda: LeadLag("y", "u", lead=1.0), "lag is 0 s; give a time above zero"),
    (lambda: ZeroOrderHold("y", "u"), "a hold needs a period"),
    (
        lambda: StateSpace("y", "u", np.eye(2), [[1.0]], [[1.0, 0.0]]),
        r"B has shape \(1, 1\) and should have \(2, 1\)",
    ),
    (lambda: StateSpace("y", "u", [[1.0]], [[1.0]], [[1.0], [2.0]]), "0 components do not name 2 outputs"),
]


@pytest.mark.parametrize("make, message", REFUSALS)
def test_refusals(make: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        make()
    assert "\n" not in str(error.value) and error.value.field


def test_every_kind_has_its_own_word() -> None:
    words = [kind.kind for kind in CONTROLLERS]  # type: ignore[attr-defined]
    assert len(set(words)) == len(words) == 13
