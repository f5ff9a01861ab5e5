"""Linear models of systems with sampled controllers, against python-control and against the motion itself."""

import numpy as np
import pytest

import flexframe as ff
from flexframe.maths.arrays import Array
from flexframe.maths.state_space import StateSpace, balanced_truncation

from .arms import CHOICE, angle_of, flexible_arm

WANTED = 1e-9  # of the largest pole that is wanted
J = 2.0 / 3  # of the rod about its end [kg m²]


def _loop(*controllers: object, law: str = "torque", **more: object) -> ff.System:
    """A rod on a motor without weight: J θ̈ = torque."""
    given: dict[str, object] = {
        "inputs": [ff.Input("command", 0.0, unit="rad")],
        "sensors": {"angle": angle_of()},
        **more,
    }
    return ff.System(
        [ff.RigidBody.rod("rod", length=1.0, mass=2.0)],
        [ff.Revolute("A", "ground", "rod")],
        loads=[ff.loads.Actuator("motor", "ground", "rod", law)],
        controllers=controllers,  # type: ignore[arg-type]  # of any kind
        **given,  # type: ignore[arg-type]  # fields of a system
    )


def _apart(found: Array, expected: Array) -> float:
    """How far every expected pole is from the nearest one, at most."""
    return max(float(np.abs(found - value).min()) for value in expected)


@pytest.mark.parametrize(("period", "stability"), [(0.01, "stable"), (0.25, "unstable")])
def test_sampled_pid_is_that_of_python_control(period: float, stability: str) -> None:
    """c2d of 1/(J s²) with a hold, in the loop with kp + ki T/(z − 1) + kd (z − 1)/((T_f + T) z − T_f)."""
    control = pytest.importorskip("control", reason="python-control is not installed")
    kp, ki, kd, lag = 40.0, 25.0, 6.0, 0.02
    pid = ff.controllers.PID("torque", "command - angle", kp=kp, ki=ki, kd=kd, filter=lag, period=period)
    model = ff.linearise(_loop(pid), outputs=["angle", "torque"])
    assert model.sample_period == period
    plant = control.c2d(control.ss([[0, 1], [0, 0]], [[0], [1 / J]], [[1, 0]], [[0]]), period, "zoh")
    z = control.tf("z")
    z.dt = period
    law = kp + ki * period / (z - 1) + kd * (z - 1) / ((lag + period) * z - lag)
    closed = control.feedback(plant * control.ss(law), 1)
    # the PID remembers its last error and its last slope, of which only one combination acts: a pole at zero
    assert (model.order, len(closed.poles())) == (5, 4)
    assert np.abs(model.poles[0]) < 1e-12
    # tf → ss loses digits of multiple poles: the characteristic polynomial is the reference
    top, bottom = np.array(control.tf(plant).num[0][0]), np.array([1.0, -2.0, 1.0])
    expected = np.roots(np.polyadd(np.polymul(bottom, law.den[0][0]), np.polymul(top, law.num[0][0])))
    expected = expected[np.argsort(np.abs(expected))]
    assert _apart(model.poles, expected) < 1e-8  # its numerator has only 1e-9 digits of a double pole
    assert model.stability == stability
    assert (np.abs(expected).max() < 1.0) == (stability == "stable")
    _, steps = control.step_response(closed, period * np.arange(20))
    grown = np.abs(steps).max()
    assert np.abs(model.step_response(period * np.arange(20))[:, 0, 0] - steps).max() < 1e-8 * grown
    f = np.array([0.05, 0.2, 0.45]) / period
    assert model.response(f)[:, 0, 0] == pytest.approx(closed(np.exp(2j * np.pi * f * period)), rel=1e-7)


def test_pd_controller_by_hand() -> None:
    """x_{k+1} = (1 − T²kp/2J) x + (T − T²kd/2J) v, v_{k+1} = v − T/J (kp x + kd v): poles, damping, its end."""
    kp, kd, period = 30.0, 4.0, 0.02

    def poles(T: float) -> Array:
        held = np.array([[1.0, T], [0.0, 1.0]]) - np.outer([T**2 / (2 * J), T / J], [kp, kd])
        return np.asarray(np.linalg.eigvals(held))

    sensors = {"angle": angle_of(), "speed": ff.sensors.RotationSensor("angular_velocity", "rod")}
    # |z| = 1 of a pair where det = 1 − T kd/J + T²kp/2J = 1: T = 2 kd/kp; of z = −1 where T = 2J/kd
    end = min(2 * kd / kp, 2 * J / kd)
    models = [
        ff.linearise(
            _loop(ff.controllers.Gain("torque", f"-{kp}*angle - {kd}*speed", period=T), inputs=[], sensors=sensors)
        )
        for T in (period, 0.999 * end, 1.001 * end)
    ]
    assert _apart(models[0].poles, poles(period)) < WANTED
    exponent = np.log(poles(period)[0]) / period
    assert models[0].damping_ratios[0] == pytest.approx(-exponent.real / abs(exponent), rel=1e-8)
    assert models[0].frequencies_hz[0] == pytest.approx(abs(exponent.imag) / (2 * np.pi), rel=1e-8)
    assert [each.stability for each in models[1:]] == ["stable", "unstable"]


def test_several_rates_are_those_of_the_motion() -> None:
    """A filter at 4 ms before a PID at 10 ms, shifted: free motions of the nonlinear program follow the map."""
    control = [
        ff.controllers.TransferFunction("smooth", "angle", [1.0], [0.01, 1.0], period=0.004),
        ff.controllers.PID("torque", "-smooth", kp=8.0, kd=1.5, period=0.01, offset=0.002),
    ]
    model = ff.linearise(_loop(*control, inputs=[]))
    assert model.sample_period == pytest.approx(0.02, rel=1e-12)
    system = _loop(*control, inputs=[], start={"rod": ff.Placement([0, 0], [0, 0, 0.01])})
    motion = ff.simulate(system, duration=0.5, tolerance=1e-12, samples=501)
    # in an eigenvector of the map the angle obeys its characteristic polynomial from period to period
    angle = motion.sensors["angle"].values
    for first in (2, 5, 11):  # ms after the beginning
        seen = angle[first::20]
        rows = np.array([seen[k : k + model.order + 1] for k in range(len(seen) - model.order)])
        polynomial = np.poly(model.poles).real
        assert np.abs(rows @ polynomial[::-1]).max() < 1e-9 * np.abs(angle).max()


def test_arm_with_weight_rests_where_its_controller_holds_it() -> None:
    """An integral has the arm at the command; between samples the elastic plant is the continuous one."""
    pid = ff.controllers.PID("servo", "command - angle", kp=30.0, ki=60.0, kd=3.0, period=0.002)
    arm = flexible_arm("servo", inputs=[ff.Input("command", 0.1, unit="rad")], controllers=[pid])
    model = ff.linearise(arm, reductions=CHOICE, outputs=["angle", "servo"])
    at = {each.name: each.value for each in model.outputs}
    assert at["angle"] == pytest.approx(0.1, abs=1e-9)
    assert model.stability == "stable" and not model.notices
    # what the motor gives is what spring and weight take: −20 φ − m g x, arm bent a little
    mass = 0.03 * 0.006 * 1.0 * ff.ALUMINIUM.density
    assert at["servo"] == pytest.approx(20.0 * 0.1 + mass * 9.81 * 0.5 * np.cos(0.1), rel=0.01)
    # the discrete loop of the model of the plant about the same state
    torque = [ff.Input("torque", at["servo"], unit="N m")]
    plant = ff.linearise(flexible_arm(inputs=torque), reductions=CHOICE, outputs=["angle"])
    made = plant.discrete(0.002)
    T, kp, ki, kd = 0.002, 30.0, 60.0, 3.0
    # states of the PID: integral, last error; without a filter D_k = kd (e_k − e_{k−1})/T
    n = made.order
    C = made.C[0]
    closed = np.zeros((n + 2, n + 2))
    row = np.concatenate([-(kp + kd / T) * C, [1.0, -kd / T]])
    closed[:n, :n], closed[n, n] = made.A, 1.0
    closed[:n] += np.outer(made.B[:, 0], row)
    closed[n, :n], closed[n + 1, :n] = -ki * T * C, -C
    assert _apart(model.poles, np.linalg.eigvals(closed)) < 1e-7  # both models are differences, 1e-9 of kd/T


def test_controllers_that_cannot_be_linearised() -> None:
    """A function of Python, and periods that never meet: one line with the way out."""
    own = ff.controllers.PythonFunction("torque", "angle", lambda _, angle: -angle, period=0.01)
    with pytest.raises(ff.InputError, match="function of Python, whose memory is not known; give it as a PID"):
        ff.linearise(_loop(own, inputs=[]))
    pair = [
        ff.controllers.Gain("torque", "-slow", period=0.01),
        ff.controllers.ZeroOrderHold("slow", "angle", period=0.01 * np.sqrt(2)),
    ]
    with pytest.raises(ff.InputError, match="never meet again"):
        ff.linearise(_loop(*pair, inputs=[]))


def test_reduction_of_a_sampled_model_keeps_its_bound() -> None:
    """2Σσ of instants is that of z = (1 + s)/(1 − s), on the whole circle."""
    rng = np.random.default_rng(5)
    A = np.diag(rng.uniform(-0.9, 0.95, 8)) + np.diag(rng.uniform(-0.1, 0.1, 7), 1)
    system = StateSpace(A, rng.normal(size=(8, 2)), rng.normal(size=(2, 8)), np.zeros((2, 2)), 0.01)
    small = balanced_truncation(system, 4)
    rates = np.linspace(0.0, np.pi / 0.01, 2001)
    apart = np.linalg.norm(system.response(rates) - small.system.response(rates), 2, axis=(1, 2)).max()
    assert small.system.period == 0.01
    assert small.hankel_values[4] * 0.99 < apart < small.error_bound
    # σ² are the eigenvalues of the product of the Gramians of the sums Σ A^k B Bᵀ A^kᵀ
    reach, see = np.zeros((8, 8)), np.zeros((8, 8))
    power = np.eye(8)
    for _ in range(2000):
        reach += power @ system.B @ system.B.T @ power.T
        see += power.T @ system.C.T @ system.C @ power
        power = power @ A
    expected = np.sqrt(np.sort(np.linalg.eigvals(reach @ see).real)[::-1])
    assert small.hankel_values[:5] == pytest.approx(expected[:5], rel=1e-9)
