"""Input shaping: a command is divided into parts that come one after the other, so that their vibrations cancel.

A shaper is a sequence of impulses A_i ≥ 0, ΣA_i = 1, at times t_i; the command f becomes Σ A_i f(t − t_i). What a
mode of frequency ω and damping ratio ζ keeps of the vibration that an unshaped command leaves is

    V = e^{−ζω t_n} √(C² + S²),      C, S = Σ A_i e^{ζω t_i} (cos, sin)(ω √(1 − ζ²) t_i) .

Singer & Seering 1990 (ZV, ZVD); Singhose, Seering & Singer 1997 (EI).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array
from flexframe.maths.pieces import DEGREE
from flexframe.motion.trajectories import Trajectory

ShaperKind = Literal["zv", "zvd", "ei"]

_MOST_IMPULSES = 4096
_SIDES = 32  # of the polygon within the circle of residual vibration that a fitted shaper keeps to
_GRID = 48  # instants of a fitted shaper in the shortest period
_FREQUENCIES = 17  # of a mode within its range
_BETWEEN = 0.99  # of the allowed vibration, for what lies between these frequencies
_GONE = 1e-7  # amplitude of an impulse that is none
_ROUNDING = 1e-13  # of a duration, within which two instants are one


@dataclass(frozen=True, eq=False)
class Shaper:
    """Impulses with amplitudes that sum to one, at times [s] from zero on."""

    amplitudes: Array  # (n,)
    times: Array  # (n,)

    def __post_init__(self) -> None:
        A, t = np.asarray(self.amplitudes, dtype=float), np.asarray(self.times, dtype=float)
        if A.ndim != 1 or A.shape != t.shape or not 1 <= len(A) <= _MOST_IMPULSES:
            raise InputError("a shaper has an amplitude for each time, one of them at least")
        if not (np.isfinite(A).all() and np.isfinite(t).all()) or abs(A.sum() - 1) > 1e-9:
            raise InputError(f"the amplitudes of a shaper sum to {A.sum():g}; they sum to one", field="amplitudes")
        if t[0] != 0.0 or (np.diff(t) <= 0).any():
            raise InputError("the times of a shaper increase from zero on; sort them", field="times")
        object.__setattr__(self, "amplitudes", A)
        object.__setattr__(self, "times", t)

    @property
    def duration(self) -> float:
        """By how much a shaped command is longer [s]."""
        return float(self.times[-1])

    def residual(self, frequencies_hz: ArrayLike, damping: float = 0.0) -> Array:
        """V, what modes of these frequencies keep of their vibration: one of an unshaped command."""
        w = 2 * np.pi * np.asarray(frequencies_hz, dtype=float)[..., None]
        turned = w * np.sqrt(1 - damping**2) * self.times
        grown = self.amplitudes * np.exp(damping * w * (self.times - self.times[-1]))
        return np.asarray(np.hypot((grown * np.cos(turned)).sum(-1), (grown * np.sin(turned)).sum(-1)))

    def followed_by(self, other: "Shaper") -> "Shaper":
        """Both, one after the other: for two modes."""
        times = (self.times[:, None] + other.times).ravel()
        amplitudes = (self.amplitudes[:, None] * other.amplitudes).ravel()
        order = np.argsort(times, kind="stable")
        times, amplitudes = times[order], amplitudes[order]
        first = np.concatenate([[True], np.diff(times) > 1e-12 * max(times[-1], 1e-300)])
        group = np.cumsum(first) - 1
        return Shaper(np.bincount(group, amplitudes).astype(float), times[first])


def shaper(kind: ShaperKind, frequency: float, *, damping: float = 0.0, vibration: float = 0.05) -> Shaper:
    """A shaper for one mode.

    Parameters
    ----------
    kind
        "zv": two impulses, no vibration of a mode that is known exactly, half a period longer. "zvd": three, whose
        residual is also flat there, a whole period longer. "ei": three, which allow some `vibration` at the
        frequency and no more in a wider range.
    frequency
        Natural frequency ω/2π of the undamped mode [Hz].
    damping
        Damping ratio ζ.
    vibration
        What "ei" allows, a part of the vibration without shaping.

    Returns
    -------
    Shaper
        Its impulses.

    Examples
    --------
    >>> zv = ff.motion.shaper("zv", 2.0)
    >>> zv.amplitudes, zv.times
    (array([0.5, 0.5]), array([0.  , 0.25]))
    """
    if not (frequency > 0 and np.isfinite(frequency)):
        raise InputError(f"the frequency is {frequency:g} Hz; give one above zero", field="frequency")
    if not 0 <= damping < 1:
        raise InputError(f"the damping ratio is {damping:g}; give one from 0 to below 1", field="damping")
    z, period = damping, 1 / (frequency * np.sqrt(1 - damping**2))
    K = np.exp(-z * np.pi / np.sqrt(1 - z**2))
    if kind == "zv":
        return Shaper(np.array([1.0, K]) / (1 + K), np.array([0.0, 0.5]) * period)
    if kind == "zvd":
        return Shaper(np.array([1.0, 2 * K, K**2]) / (1 + K) ** 2, np.array([0.0, 0.5, 1.0]) * period)
    if kind != "ei":
        raise InputError(f"there is no shaper '{kind}'; give zv, zvd or ei", field="kind")
    V = vibration
    if not 0 < V < 1:
        raise InputError(f"vibration is {V:g}; give a part between 0 and 1", field="vibration")
    if z == 0.0:
        return Shaper(np.array([(1 + V) / 4, (1 - V) / 2, (1 + V) / 4]), np.array([0.0, 0.5, 1.0]) * period)
    # curves through numerical solutions of the damped equations, by Singhose and others
    first = 0.24968 + 0.24961 * V + 0.80008 * z + 1.23328 * V * z + 0.49599 * z**2 + 3.17316 * V * z**2
    last = 0.25149 + 0.21474 * V - 0.83249 * z + 1.41498 * V * z + 0.85181 * z**2 - 4.90094 * V * z**2
    middle = 0.49990 + 0.46159 * V * z + 4.26169 * V * z**2 + 1.75601 * V * z**3
    middle += V**2 * (8.57843 * z - 108.644 * z**2 + 336.989 * z**3)
    return Shaper(np.array([first, 1 - first - last, last]), np.array([0.0, middle, 1.0]) * period)


def fitted_shaper(
    frequencies: Sequence[float],
    *,
    dampings: Sequence[float] | None = None,
    spread: float = 0.1,
    vibration: float = 0.05,
) -> Shaper:
    """The shortest shaper that leaves at most some vibration of several modes, each within a range.

    Amplitudes at equal times are the solution of a linear programme: V stays inside a polygon of 32 sides at
    frequencies across each range, for the shortest length at which that is possible.

    Parameters
    ----------
    frequencies
        Natural frequencies [Hz].
    dampings
        Damping ratios, zero if not given.
    spread
        Half the width of each range, a part of the frequency: 0.1 for ±10 %.
    vibration
        What may be left, a part of the vibration without shaping.

    Returns
    -------
    Shaper
        Its impulses.

    Examples
    --------
    >>> two = ff.motion.fitted_shaper((2.0, 5.0), spread=0.05)
    >>> bool((two.residual((2.0, 5.0)) <= 0.05).all())
    True
    """
    f = np.asarray(frequencies, dtype=float)
    z = np.zeros(len(f)) if dampings is None else np.asarray(dampings, dtype=float)
    if f.ndim != 1 or not len(f) or not (f > 0).all() or z.shape != f.shape or not ((z >= 0) & (z < 1)).all():
        raise InputError("give frequencies above zero, and a damping ratio from 0 to below 1 for each")
    if not 0 <= spread < 1 or not 0 < vibration < 1:
        raise InputError("spread and vibration are parts between 0 and 1; correct them", field="spread")
    shares = np.linspace(1 - spread, 1 + spread, _FREQUENCIES) if spread else np.ones(1)
    w, ratios = 2 * np.pi * np.outer(f, shares).ravel(), np.repeat(z, len(shares))
    step = 1 / (_GRID * f.max())
    most = int(np.ceil(_GRID * f.max() / f.min())) * 4 * len(f)
    low, high, best = 1, most, None
    while low < high:  # the shortest length by halving
        middle = (low + high) // 2
        made = _least_impulses(w, ratios, vibration, step * np.arange(middle + 1))
        if made is None:
            low = middle + 1
        else:
            best, high = made, middle
    if best is None or len(best.times) > _MOST_IMPULSES:
        raise AnalysisError(
            "no shaper of this length leaves so little vibration; allow more, or take a smaller spread",
            field="vibration",
        )
    return best


def _least_impulses(rates: Array, ratios: Array, vibration: float, times: Array) -> Shaper | None:
    """Amplitudes at times that leave little of modes ω [rad/s], ζ, early rather than late; or None."""
    from scipy.optimize import linprog  # takes a while to import

    around = 2 * np.pi * (np.arange(_SIDES) + 0.5) / _SIDES
    grown = np.exp((ratios * rates)[:, None] * (times - times[-1]))
    turned = (rates * np.sqrt(1 - ratios**2))[:, None] * times
    A = (np.cos(turned[:, None] - around[:, None]) * grown[:, None]).reshape(-1, len(times))
    bound = np.full(len(A), _BETWEEN * vibration * np.cos(np.pi / _SIDES))
    weights = times + (times[-1] or 1.0) / len(times)
    found = linprog(weights, A, bound, np.ones((1, len(times))), [1.0], bounds=(0, 1), method="highs")
    if not found.success or found.x is None:
        return None
    amplitudes = np.where(found.x > _GONE, found.x, 0.0)
    kept = amplitudes > 0
    if not kept[0]:
        return None
    return Shaper(amplitudes[kept] / amplitudes.sum(), times[kept])


# ---------------------------------------------------------------------- shaped laws


def shape_trajectory(law: Trajectory, by: Shaper) -> Trajectory:
    """Σ A_i f(t − t_i) of a trajectory, as polynomials again.

    Parameters
    ----------
    law
        A motion from point to point.
    by
        The shaper.

    Returns
    -------
    Trajectory
        From the same beginning to the same end, longer by the duration of the shaper.

    Examples
    --------
    >>> move = ff.motion.polynomial((0.0, 1.0), duration=1.0)
    >>> slow = ff.motion.shape_trajectory(move, ff.motion.shaper("zvd", 2.0))
    >>> round(slow.duration, 12), round(float(slow.jet(slow.end)[0]), 12)
    (1.5, 1.0)
    """
    return combine([(float(A), float(t), law) for A, t in zip(by.amplitudes, by.times, strict=True)])


def combine(parts: Sequence[tuple[float, float, Trajectory]]) -> Trajectory:
    """Σ A f(t − s) of factors A, shifts s [s] and trajectories f, as polynomials again."""
    ends = np.unique(np.concatenate([law.breaks + shift for _, shift, law in parts]))
    apart = np.concatenate([[True], np.diff(ends) > _ROUNDING * max(np.ptp(ends), 1e-300)])
    breaks = ends[apart]
    middle, rows = (breaks[1:] + breaks[:-1]) / 2, np.zeros((len(breaks) - 1, DEGREE + 1))
    first, last = np.zeros(2), np.zeros(2)
    for factor, shift, law in parts:
        pieces = law.pieces
        row = np.maximum(np.searchsorted(pieces.begins, middle - shift, side="right") - 1, 0)
        rows += factor * shift_polynomials(pieces.coefficients[row], breaks[:-1] - shift - pieces.begins[row])
        for total, (value, rate), away in (
            (first, law.ends[0], breaks[0] - shift - law.begin),
            (last, law.ends[1], breaks[-1] - shift - law.end),
        ):
            total[:] = total + factor * np.array([value + rate * away, rate])
    return Trajectory(breaks, rows, ((float(first[0]), float(first[1])), (float(last[0]), float(last[1]))))


def shift_polynomials(coefficients: Array, by: Array) -> Array:
    """Coefficients of p(τ + s) from those of p(τ): (n, 8)."""
    out = np.zeros_like(coefficients)
    for k in range(DEGREE + 1):
        for m in range(k, DEGREE + 1):
            out[:, k] += comb(m, k) * coefficients[:, m] * by ** (m - k)
    return out
