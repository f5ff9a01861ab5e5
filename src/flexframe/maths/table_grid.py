"""Tables of one input or two: cubic between their points without overshoot, and held beyond their ends."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from flexframe import _core
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


_HALVINGS = 40


@dataclass(frozen=True, eq=False)
class TableGrid:
    """f over the points of a grid, with continuous slopes.

    Along the lines of the grid it is a monotone cubic (Fritsch and Butland's slopes). Inside a cell it is the
    product of cubics, whose sixteen control values are kept between the values at the four corners by the mixed
    derivative f_xy and, where that does not suffice, by smaller slopes: a polynomial lies between its control
    values, so that the table never leaves the range of the points around a place. Beyond its ends it is held.
    """

    x: Sequence[float]  # of the rows
    y: Sequence[float]  # of the columns; a single one makes it a table of x alone
    values: Array  # (rows, columns)

    def __post_init__(self) -> None:
        shape = (len(self.x), len(self.y))
        if self.values.shape != shape:
            raise InputError(
                f"{shape[0]} × {shape[1]} points have {' × '.join(map(str, self.values.shape))} values; give "
                "a row of values for each point of the first input"
            )
        self.numbers  # noqa: B018 - refuses points that make no table

    @cached_property
    def numbers(self) -> Array:
        """What the core reads: x, y, and f, f_x, f_y, f_xy of all points, row by row."""
        f = self.values
        f_x = np.stack([MonotoneCubic(self.x, column).slopes for column in f.T], axis=1)
        f_y, f_xy = np.zeros_like(f), np.zeros_like(f)
        if len(self.y) > 1:
            f_y = np.stack([MonotoneCubic(self.y, row).slopes for row in f], axis=0)
            f_x, f_y, f_xy = self._limit(f_x, f_y)
        nodes = np.stack([f, f_x, f_y, f_xy], axis=-1)
        return np.concatenate([np.asarray(self.x, dtype=float), np.asarray(self.y, dtype=float), nodes.ravel()])

    def at(self, x: Array, y: Array) -> tuple[Array, Array, Array]:
        """Value and both slopes at many places."""
        value, slope_x, slope_y, *_ = self._all_at(x, y)
        return value, slope_x, slope_y

    def along(self, curve: Sequence[tuple[Array, Array, Array]]) -> tuple[Array, Array, Array]:
        """Value, first and second derivative along a curve of the inputs; the last jumps at the points."""
        x, dx, ddx = curve[0]
        y, dy, ddy = curve[1] if len(curve) > 1 else (np.zeros_like(x),) * 3
        f, f_x, f_y, f_xx, f_xy, f_yy = self._all_at(x, y)
        second = f_xx * dx**2 + 2 * f_xy * dx * dy + f_yy * dy**2 + f_x * ddx + f_y * ddy
        return f, f_x * dx + f_y * dy, second

    def _all_at(self, x: Array, y: Array) -> list[Array]:
        """f, f_x, f_y, f_xx, f_xy and f_yy at many places."""
        x, y = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
        out = np.zeros((x.size, 6))
        at_x, at_y = (np.ascontiguousarray(part.ravel()) for part in (x, y))
        _core.table_values(self.numbers, len(self.x), len(self.y), at_x, at_y, out)
        return [column.reshape(x.shape) for column in out.T]

    def _limit(self, f_x: Array, f_y: Array) -> tuple[Array, Array, Array]:
        """Slopes times a part θ ≤ 1 at each point, and f_xy, with control values in the range of their cells."""
        low, high = self._twists(f_x, f_y)
        tight = low > high
        least, most = np.zeros(tight.shape), np.ones(tight.shape)
        for _ in range(_HALVINGS if tight.any() else 0):
            middle = (least + most) / 2
            low, high = self._twists(middle * f_x, middle * f_y)
            least, most = np.where(low <= high, middle, least), np.where(low <= high, most, middle)
        part = np.where(tight, least, 1.0)
        f_x, f_y = part * f_x, part * f_y
        wanted = (np.gradient(f_x, self.y, axis=1) + np.gradient(f_y, self.x, axis=0)) / 2
        return f_x, f_y, np.clip(wanted, *self._twists(f_x, f_y))

    def _twists(self, f_x: Array, f_y: Array) -> tuple[Array, Array]:
        """The least and the largest f_xy of each point with its control values in range.

        In each of the four cells at a point that is f ± h f_x/3 ± k f_y/3 ± h k f_xy/9.
        """
        f, low, high = self.values, np.full(f_x.shape, -np.inf), np.full(f_x.shape, np.inf)
        corners = np.stack([f[:-1, :-1], f[1:, :-1], f[:-1, 1:], f[1:, 1:]])
        for a, b in product((1, -1), (1, -1)):  # the cell after or before the point along x and y
            h, k = a * _beside(np.diff(self.x), a)[:, None], b * _beside(np.diff(self.y), b)
            least, most = (
                _beside(_beside(cells.T, b).T, a) for cells in (corners.min(axis=0), corners.max(axis=0))
            )
            base, area = f + (h * f_x + k * f_y) / 3, h * k / 9
            with np.errstate(divide="ignore", invalid="ignore"):
                ends = np.sort([(least - base) / area, (most - base) / area], axis=0)
            low = np.where(area != 0, np.maximum(low, ends[0]), low)
            high = np.where(area != 0, np.minimum(high, ends[1]), high)
        return low, high


def _beside(cells: Array, side: int) -> Array:
    """What belongs to the cells after (1) or before (−1) the points along the first axis; zero without a cell."""
    none = np.zeros((1, *cells.shape[1:]))
    return np.concatenate([cells, none] if side > 0 else [none, cells])
