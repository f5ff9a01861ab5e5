"""What engineers read from a curve over time: its spectrum, its decay and when it has settled.

Free vibration decays as x = X e^{−ζωt} cos(ω_d t + φ): the logarithms of its peaks fall on a line, which drops
from one period to the next by the logarithmic decrement δ = 2πζ/√(1 − ζ²).
"""

from dataclasses import dataclass

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array


def mean_over_time(times: Array, values: Array) -> float:
    """∫ x dt over the duration, by trapezoids; the value itself of a single instant."""
    span = float(times[-1] - times[0])
    return float((values[1:] + values[:-1]) @ np.diff(times) / (2 * span)) if span else float(values[0])


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Amplitudes of the harmonic parts of a curve."""

    frequencies_hz: Array  # (lines,)
    amplitudes: Array  # in the unit of the curve: (lines,)

    @property
    def main_hz(self) -> float:
        """The frequency of the largest amplitude, between the lines by a parabola through three of them."""
        if len(self.amplitudes) < 3:
            return float("nan")
        k = int(np.clip(np.argmax(self.amplitudes[1:]) + 1, 1, len(self.amplitudes) - 2))
        low, top, high = np.log(np.maximum(self.amplitudes[k - 1 : k + 2], 1e-300))
        bend = low - 2 * top + high
        shift = 0.5 * (low - high) / bend if bend < 0 else 0.0
        step = self.frequencies_hz[1] - self.frequencies_hz[0]
        return float(self.frequencies_hz[k] + shift * step)


@dataclass(frozen=True)
class Decay:
    """A free vibration that dies out: its frequency [Hz], damping ratio and logarithmic decrement.

    `misfit` is the largest distance of the logarithms of the peaks from their line, 0 for one pure mode.
    """

    frequency_hz: float
    damping_ratio: float
    logarithmic_decrement: float
    peaks: int
    misfit: float


def _even(times: Array, values: Array) -> tuple[Array, Array]:
    """The curve on equal steps, as fine as it was stored."""
    t, x = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    if t.shape != x.shape or t.ndim != 1 or len(t) < 8:
        raise InputError("a curve needs eight instants at least, and a value for each; store more samples")
    steps = np.diff(t)
    if not (steps > 0).all():
        raise InputError("the instants of a curve must increase")
    if np.ptp(steps) <= 1e-6 * steps.mean():
        return t, x
    even = np.linspace(t[0], t[-1], len(t))
    return even, np.interp(even, t, x)


def spectrum(times: Array, values: Array) -> Spectrum:
    """Amplitudes over frequency [Hz] about the mean value, with Hann's window.

    Parameters
    ----------
    times, values
        Instants [s] and a curve in any unit; instants that are not equally spaced are interpolated.

    Returns
    -------
    Spectrum
        Amplitudes in the unit of the curve over frequencies [Hz]: a vibration of amplitude X that fits the record
        has a line of height X.

    Examples
    --------
    >>> t = np.linspace(0.0, 2.0, 401)
    >>> found = ff.results.spectrum(t, 3.0 * np.sin(2 * np.pi * 12.0 * t))
    >>> round(found.main_hz, 2)
    12.0
    """
    t, x = _even(times, values)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(len(x)) / len(x))
    lines = np.fft.rfft((x - x.mean()) * window)
    amplitudes = 2 * np.abs(lines) / window.sum()
    return Spectrum(np.fft.rfftfreq(len(x), t[1] - t[0]), amplitudes)


def decay(times: Array, values: Array, about: float | None = None) -> Decay:
    """Frequency and damping of a free vibration, from the line through the logarithms of its peaks.

    Parameters
    ----------
    times, values
        Instants [s] and a curve in any unit, from the release on.
    about
        The value it comes to rest at, in the unit of the curve; without it the mean of the last fifth.

    Returns
    -------
    Decay
        Frequency [Hz], damping ratio and logarithmic decrement of one mode; `misfit` shows others.

    Examples
    --------
    >>> t = np.linspace(0.0, 3.0, 3001)
    >>> found = ff.results.decay(t, np.exp(-0.5 * t) * np.cos(20.0 * t), about=0.0)
    >>> round(found.damping_ratio, 4)  # 0.5/sqrt(20² + 0.5²)
    0.025
    """
    t, x = _even(times, values)
    x = x - (float(x[-len(x) // 5 :].mean()) if about is None else about)
    size = np.abs(x)
    inside = np.flatnonzero((size[1:-1] >= size[:-2]) & (size[1:-1] > size[2:])) + 1
    inside = inside[size[inside] > 1e-3 * size.max(initial=0.0)]  # below that, rounding and rest
    if len(inside) < 3:
        raise InputError("the curve has fewer than three peaks: no decay can be read; record a longer motion")
    at, tops = _between(t, size, inside)
    rate, start = np.polyfit(at, np.log(tops), 1)
    omega = np.pi * (len(at) - 1) / (at[-1] - at[0])  # two peaks a period
    ratio = float(-rate / np.hypot(rate, omega))
    return Decay(
        frequency_hz=float(omega / (2 * np.pi)),
        damping_ratio=ratio,
        logarithmic_decrement=float(-2 * np.pi * rate / omega),
        peaks=len(at),
        misfit=float(np.abs(np.log(tops) - (rate * at + start)).max()),
    )


def _between(times: Array, size: Array, peaks: Array) -> tuple[Array, Array]:
    """Instants and heights of peaks by parabolas through three samples."""
    low, top, high = size[peaks - 1], size[peaks], size[peaks + 1]
    bend = low - 2 * top + high
    shift = np.where(bend < 0, 0.5 * (low - high) / np.where(bend < 0, bend, 1.0), 0.0)
    return times[peaks] + shift * (times[1] - times[0]), top - 0.25 * (low - high) * shift


def settling_time(
    times: Array,
    values: Array,
    band: float = 0.02,
    final: float | None = None,
    *,
    absolute: float | None = None,
) -> float:
    """When a curve stays within a band about its final value [s], infinite if it does not.

    Parameters
    ----------
    times, values
        Instants [s] and a curve in any unit.
    band
        Half the width of the band, as a part of the largest distance from the final value.
    final
        The value it settles at, in the unit of the curve; without it the last one.
    absolute
        Half the width of the band in the unit of the curve, instead of `band`.

    Returns
    -------
    float
        Time from the first instant on [s].

    Examples
    --------
    >>> t = np.linspace(0.0, 10.0, 10001)
    >>> round(ff.results.settling_time(t, 1 - np.exp(-t), final=1.0), 3)  # ln 50
    3.912
    """
    t, x = np.asarray(times, dtype=float), np.asarray(values, dtype=float)
    if not 0 < band < 1:
        raise InputError(f"band is {band:g}; give a part between 0 and 1, such as 0.02")
    distance = np.abs(x - (float(x[-1]) if final is None else final))
    if absolute is not None and not (np.isfinite(absolute) and absolute > 0):
        raise InputError(f"absolute is {absolute:g}; give a distance from the final value above zero")
    limit = band * float(distance.max(initial=0.0)) if absolute is None else absolute
    outside = np.flatnonzero(distance > limit)
    if not outside.size:
        return 0.0
    last = int(outside[-1])
    if last == len(x) - 1:
        return float("inf")
    part = (distance[last] - limit) / (distance[last] - distance[last + 1])
    return float(t[last] + part * (t[last + 1] - t[last]) - t[0])
