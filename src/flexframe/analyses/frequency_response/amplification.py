"""Amplification factors and separation margins of critical speeds, as rules of the industry ask for them.

A critical speed N_c is the peak of a response over the speed; with N₁ < N_c < N₂ where the response is 0.707 of
the peak, the amplification factor is AF = N_c/(N₂ − N₁). API 617 (7th and 8th edition; API RP 684 explains it)
asks for no margin where AF < 2.5, and else for

    SM = 17 (1 − 1/(AF − 1.5)) %        of a critical speed below the lowest operating speed,
    SM = 10 + 17 (1 − 1/(AF − 1.5)) %   of one above the highest,

as parts of that operating speed. Whether the rules apply to a machine is for its contract to say.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array
from flexframe.maths.roots import bracket_root

CRITICALLY_DAMPED = 2.5  # AF below which a critical speed is called critically damped
UNDAMPED = 1e6  # AF above which a peak is a pole
HALF_POWER = float(np.sqrt(0.5))
_STEPS = 200


@dataclass(frozen=True)
class Passage:
    """A critical speed of a response [rad/s], its amplification factor and its margin against operating speeds.

    `low` and `high` are the speeds of 0.707 of the peak, None where the range of speeds does not show them;
    `margin` and `required` are parts of the operating speed beside it, None where none is given.
    """

    sensor: str
    speed_rad_s: float
    amplitude: float
    low_rad_s: float | None
    high_rad_s: float | None
    amplification: float | None
    margin: float | None
    required: float | None
    verdict: str


def amplification_factor(peak: float, low: float | None, high: float | None) -> float | None:
    """N_c/(N₂ − N₁); with one of both the other is taken as far from the peak; None without both."""
    if low is None and high is None:
        return None
    width = 2 * (high - peak) if low is None and high is not None else 2 * (peak - (low or 0.0))
    if low is not None and high is not None:
        width = high - low
    return peak / width if width > 0 else None


def required_margin(amplification: float, *, above: bool) -> float:
    """The separation margin that API 617 asks for, as a part of the operating speed."""
    if amplification < CRITICALLY_DAMPED:
        return 0.0
    part = 0.17 * (1 - 1 / (amplification - 1.5))
    return 0.10 + part if above else part


def passages(
    sensor: str,
    response: Callable[[float], float],
    speeds: Array,
    amplitudes: Array,
    operating: tuple[float, float] | None,
    *,
    damped: bool = True,
) -> list[Passage]:
    """The critical speeds of one response over increasing speeds, peaks and their sides solved on `response`.

    What is not damped has no peaks but poles, which stand at the sample beside them.
    """
    found = []
    inner = np.flatnonzero((amplitudes[1:-1] > amplitudes[:-2]) & (amplitudes[1:-1] >= amplitudes[2:])) + 1
    for k in inner:
        if not damped:
            found.append(_pole(sensor, float(speeds[k])))
            continue
        try:
            peak, size = _peak(response, float(speeds[k - 1]), float(speeds[k + 1]))
            low, high = (_side(response, speeds, amplitudes, (peak, size), step) for step in (-1, 1))
        except AnalysisError:  # singular: nothing damps the motion
            found.append(_pole(sensor, float(speeds[k])))
            continue
        factor = amplification_factor(peak, low, high)
        if factor is not None and factor > UNDAMPED:
            found.append(_pole(sensor, peak))
            continue
        found.append(Passage(sensor, peak, size, low, high, factor, *_verdict(peak, factor, operating)))
    return found


def _pole(sensor: str, speed: float) -> Passage:
    return Passage(sensor, speed, np.inf, None, None, None, None, None, "not damped")


def _peak(response: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """The largest value between two speeds; flat at the top, so that half the digits of the speed are known."""
    from scipy.optimize import minimize_scalar  # others do without

    found = minimize_scalar(
        lambda speed: -response(float(speed)),
        bounds=(low, high),
        method="bounded",
        options={"xatol": 1e-8 * high, "maxiter": _STEPS},
    )
    return float(found.x), -float(found.fun)


def _side(
    response: Callable[[float], float], speeds: Array, amplitudes: Array, top: tuple[float, float], step: int
) -> float | None:
    """Where the response has fallen to 0.707 of a peak on one side, None where it rises again before or ends."""
    peak, level = top[0], HALF_POWER * top[1]
    beside = np.flatnonzero((speeds - peak) * step > 0)[::step]
    inside, last = peak, top[1]
    for k in beside:
        at, here = float(speeds[k]), float(amplitudes[k])
        if here <= level:
            ends = sorted((inside, at))
            return bracket_root(lambda speed: response(speed) - level, *ends, tolerance=1e-10 * peak)
        if here > last:
            return None
        inside, last = at, here
    return None


def _verdict(
    peak: float, factor: float | None, operating: tuple[float, float] | None
) -> tuple[float | None, float | None, str]:
    """Margin, required margin and the verdict."""
    if factor is None:
        return None, None, "not known: the range of speeds does not show the sides of the peak"
    damped = f"critically damped (AF < {CRITICALLY_DAMPED})" if factor < CRITICALLY_DAMPED else ""
    if operating is None:
        return None, None, damped or "no operating speed is given"
    low, high = operating
    if low <= peak <= high:
        return (
            0.0,
            None if damped else required_margin(factor, above=False),
            damped or "within the operating speeds",
        )
    above = peak > high
    margin = peak / high - 1 if above else 1 - peak / low
    required = required_margin(factor, above=above)
    if damped:
        return margin, 0.0, damped
    return margin, required, "meets API 617" if margin >= required else "fails API 617"
