"""A curve through points that is monotone where they are: cubic polynomials with limited slopes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array


@dataclass(frozen=True)
class MonotoneCubic:
    """y over x by cubic Hermite polynomials (PCHIP), straight with the slopes of its ends beyond them.

    Slopes are the weighted harmonic means of Fritsch and Butland (1984), zero where the points turn back.
    """

    x: Sequence[float]
    y: Sequence[float]

    def __post_init__(self) -> None:
        if len(self.x) != len(self.y) or len(self.x) < 2:
            raise InputError(f"{len(self.x)} points have {len(self.y)} values; give as many, two of them at least")
        if not (np.isfinite(self.x).all() and np.isfinite(self.y).all()):
            raise InputError("a point of the table is not finite; correct or remove it")
        if not (np.diff(self.x) > 0).all():
            raise InputError("the points of the table do not increase; sort them")

    @cached_property
    def slopes(self) -> Array:
        """Of all points: (points,)."""
        x, y = np.asarray(self.x, dtype=float), np.asarray(self.y, dtype=float)
        h, mean = np.diff(x), np.diff(y) / np.diff(x)
        if len(x) == 2:
            return np.repeat(mean, 2)
        before, after = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
        rising = mean[:-1] * mean[1:] > 0
        with np.errstate(divide="ignore", invalid="ignore"):
            inner = np.where(rising, (before + after) / (before / mean[:-1] + after / mean[1:]), 0.0)
        first, last = _end_slope(h[0], h[1], mean[0], mean[1]), _end_slope(h[-1], h[-2], mean[-1], mean[-2])
        return np.array([first, *inner, last])

    def value(self, at: Array) -> Array:
        """The curve."""
        u, c = self._pieces(at)
        return np.asarray(c[0] + u * (c[1] + u * (c[2] + u * c[3])))

    def slope(self, at: Array) -> Array:
        """Its derivative."""
        u, c = self._pieces(at)
        return np.asarray(c[1] + u * (2 * c[2] + 3 * u * c[3]))

    def _pieces(self, at: Array) -> tuple[Array, tuple[Array, Array, Array, Array]]:
        """The distance from the start of the piece that holds at a place, and its polynomial."""
        x, y, m = np.asarray(self.x, dtype=float), np.asarray(self.y, dtype=float), self.slopes
        at = np.asarray(at, dtype=float)
        k = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
        h = x[k + 1] - x[k]
        mean = (y[k + 1] - y[k]) / h
        c2, c3 = (3 * mean - 2 * m[k] - m[k + 1]) / h, (m[k] + m[k + 1] - 2 * mean) / h**2
        below, above = at <= x[0], at >= x[-1]
        start = np.where(above, x[-1], np.where(below, x[0], x[k]))
        value = np.where(above, y[-1], np.where(below, y[0], y[k]))
        slope = np.where(above, m[-1], np.where(below, m[0], m[k]))
        outside = below | above
        return at - start, (value, slope, np.where(outside, 0.0, c2), np.where(outside, 0.0, c3))


def _end_slope(h0: float, h1: float, mean0: float, mean1: float) -> float:
    """That of the parabola through three points, limited so that the end stays monotone."""
    slope = ((2 * h0 + h1) * mean0 - h0 * mean1) / (h0 + h1)
    if np.sign(slope) != np.sign(mean0):
        return 0.0
    if np.sign(mean0) != np.sign(mean1) and abs(slope) > 3 * abs(mean0):
        return float(3 * mean0)
    return float(slope)
