"""Run-up of a Jeffcott rotor against an independent integration in axes of space."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from flexframe.analyses.frequency_response.unbalance import unbalance_response
from flexframe.analyses.run_up.analysis import SpeedRamp, run_up
from flexframe.errors import InputError
from flexframe.model.bearings import Bearing
from flexframe.sensors import DofSensor
from flexframe.spectra.rotation.harmonic_loads import Unbalance

from .rotors import AXIS, MASS, TURN, point_rotor

MOMENT = 2e-3  # kg m
ANGLE = 0.4


def in_space(
    ramp: SpeedRamp, times: np.ndarray, start: complex, *, k: np.ndarray, outer: float, inner: float
) -> np.ndarray:
    """m r̈ = −k r − c_e ṙ − c_i(ṙ − Ω × r) + m e(Ω² e_r − ε e_t), at first carried round at the first speed."""
    J = np.array([[0.0, -1.0], [1.0, 0.0]])

    def motion(t: float) -> tuple[float, float, float]:
        return tuple(float(value[0]) for value in ramp.at(np.array([t])))  # type: ignore[return-value]

    def right(t: float, x: np.ndarray) -> np.ndarray:
        angle, speed, acceleration = motion(t)
        e = np.array([np.cos(angle + ANGLE), np.sin(angle + ANGLE)])
        r, v = x[:2], x[2:]
        force = -k * r - outer * v - inner * (v - speed * J @ r)
        return np.concatenate([v, (force + MOMENT * (speed**2 * e - acceleration * J @ e)) / MASS])

    speed = ramp.start
    x = np.array([start.real, start.imag, -speed * start.imag, speed * start.real])
    end = ramp.duration
    first = times[times <= end]
    kwargs = {"method": "DOP853", "rtol": 1e-11, "atol": 1e-15}
    one = solve_ivp(right, (0, end), x, t_eval=first, **kwargs)
    out = [one.y[0] + 1j * one.y[1]]
    if len(first) < len(times):
        # the load jumps where the ramp ends: start again there
        x = solve_ivp(right, (0, end), x, **kwargs).y[:, -1]
        two = solve_ivp(right, (end, times[-1]), x, t_eval=times[times > end], **kwargs)
        out.append(two.y[0] + 1j * two.y[1])
    return np.concatenate(out)


@pytest.mark.parametrize(("outer", "inner"), [(12.0, 0.0), (6.0, 4.0)], ids=["in space", "also inside"])
def test_through_the_resonance(outer: float, inner: float) -> None:
    """From 4 to 16 turns/s through 10 in 2 s, then steady; DOP853 at 1e-11 leaves about 1e-9."""
    ramp = SpeedRamp(TURN * 4, TURN * 16, TURN * 6)
    found = run_up(
        point_rotor(10.0, damping=inner),
        ramp,
        [Unbalance("all", MOMENT / 2, ANGLE)],
        {"disc": DofSensor("start")},
        hold=0.3,
        axis=AXIS,
        bearings=[Bearing("all", damping=outer / 2)],
        modes=2,
    )
    k = MASS * (TURN * 10) ** 2
    chosen = np.unique(np.linspace(0, len(found.times) - 1, 200).astype(int))
    start = found.orbits["disc"].turning[0]
    steady = MOMENT * ramp.start**2 * np.exp(1j * ANGLE) / (k - MASS * ramp.start**2 + 1j * outer * ramp.start)
    assert start == pytest.approx(steady, rel=1e-10)
    expected = in_space(ramp, found.times[chosen], start, k=np.array([k, k]), outer=outer, inner=inner)
    seen = found.orbits["disc"].in_space(found.angles)[chosen]
    assert np.abs(seen - expected).max() < 1e-8 * np.abs(expected).max()
    radius, speed, _ = found.peak("disc")
    # passing quickly, the peak is late and lower than that of the steady answer
    resonant = MOMENT / MASS / (outer / (MASS * TURN * 10))
    assert speed > TURN * 10 and radius < resonant


def test_unequal_bearings() -> None:
    """Springs of 10 and 11 Hz in space: two resonances, coefficients of the turning frame at twice the angle."""
    ramp = SpeedRamp(TURN * 1, TURN * 14, TURN * 8)
    k = MASS * (TURN * np.array([10.0, 11.0])) ** 2
    inside = MASS * (TURN * 5.0) ** 2
    found = run_up(
        point_rotor(5.0),
        ramp,
        [Unbalance("all", MOMENT / 2, ANGLE)],
        {"disc": DofSensor("start")},
        axis=AXIS,
        bearings=[Bearing("all", stiffness=tuple((k - inside) / 2), damping=(4.0, 4.0))],
        modes=2,
    )
    chosen = np.unique(np.linspace(0, len(found.times) - 1, 100).astype(int))
    orbit = found.orbits["disc"]
    expected = in_space(ramp, found.times[chosen], orbit.turning[0], k=k, outer=8.0, inner=0.0)
    assert np.abs(orbit.in_space(found.angles)[chosen] - expected).max() < 1e-8 * np.abs(expected).max()


def test_slow_run_up_follows_the_steady_answer() -> None:
    """At an acceleration of 0.5 turns/s² the orbit lags by less than 1 % away from the resonance."""
    ramp = SpeedRamp(TURN * 13, TURN * 15, TURN * 0.5)
    bearings = [Bearing("all", damping=20.0)]
    found = run_up(
        point_rotor(10.0),
        ramp,
        [Unbalance("all", MOMENT / 2)],
        {"disc": DofSensor("start")},
        axis=AXIS,
        bearings=bearings,
    )
    steady = unbalance_response(
        point_rotor(10.0),
        found.speeds[[0, -1]],
        [Unbalance("all", MOMENT / 2)],
        {"disc": DofSensor("start")},
        axis=AXIS,
        bearings=bearings,
    )
    assert found.orbits["disc"].turning[[0, -1]] == pytest.approx(steady.curves["disc"].values, rel=1e-2)
    assert found.orbits["disc"].turning[0] == pytest.approx(steady.curves["disc"].values[0], rel=1e-10)


def test_ramps_are_checked() -> None:
    with pytest.raises(InputError, match="other way"):
        SpeedRamp(1.0, 2.0, -1.0)
    with pytest.raises(InputError, match="other than zero"):
        SpeedRamp(1.0, 2.0, 0.0)
    with pytest.raises(InputError, match="neither an unbalance nor a force"):
        run_up(point_rotor(10.0), SpeedRamp(0.0, 1.0, 1.0), [], {"disc": DofSensor("start")})
