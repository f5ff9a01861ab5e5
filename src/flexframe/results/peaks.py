"""Extremes of what was seen over all steps of a motion, whatever part of the steps is stored."""

from dataclasses import dataclass, field

import numpy as np

from flexframe.maths.arrays import Array, IntArray

ROUNDING = 1e-12  # part of the largest size by which values that are equal differ


@dataclass(frozen=True)
class Peaks:
    """Smallest and largest value of one quantity over all steps, with their times [s]."""

    least: float
    least_at: float
    largest: float
    largest_at: float

    @property
    def magnitude(self) -> tuple[float, float]:
        """The value that is farthest from zero, and its time."""
        if abs(self.least) > abs(self.largest):
            return self.least, self.least_at
        return self.largest, self.largest_at

    def summary(self) -> dict[str, float]:
        return {"min": self.least, "min_at_s": self.least_at, "max": self.largest, "max_at_s": self.largest_at}


def first_largest(values: Array) -> IntArray:
    """Rows of the largest values of columns, the first of those that differ by rounding: (instants, …) → (…)."""
    close = _rounding(np.abs(values).max(axis=0))
    return np.asarray(np.argmax(values >= values.max(axis=0) - close, axis=0))


def _rounding(sizes: Array) -> Array:
    """By how much values of these sizes may differ, nothing where they are infinite."""
    return np.where(np.isfinite(sizes), ROUNDING * sizes, 0.0)


def peaks_of(times: Array, values: Array) -> Peaks:
    """Peaks of values (instants,)."""
    low, high = int(first_largest(-values)), int(first_largest(values))
    return Peaks(float(values[low]), float(times[low]), float(values[high]), float(times[high]))


def _none() -> Array:
    return np.empty((2, 0))


FLAT = 0.05
"""Part of a value by which the next ones differ up to which its peak is that of a parabola."""


@dataclass(eq=False)
class Extremes:
    """Collects the extremes of several columns from blocks of instants."""

    least: Array = field(default_factory=_none)  # values and times: (2, columns)
    largest: Array = field(default_factory=_none)
    earlier: Array = field(default_factory=_none)  # the last two instants of those in order, for the parabola
    latest: Array = field(default_factory=_none)

    def take(self, times: Array, values: Array) -> None:
        """The next instants: values (instants, columns)."""
        low, high, every = first_largest(-values), first_largest(values), np.arange(values.shape[1])
        self._take(np.stack([values[low, every], times[low]]), np.stack([values[high, every], times[high]]))

    def take_in_order(self, times: Array, values: Array) -> None:
        """The same of instants that follow one another: a peak between three of them is that of their parabola.

        They must be evenly spread, within a factor of three, and the outer ones lower by at most `FLAT` of the
        middle one, so that what jumps is not overestimated.
        """
        self.take(times, values)
        rows = np.stack([values, np.broadcast_to(times[:, None], values.shape)], axis=1)  # (instants, 2, columns)
        if self.latest.size:
            rows = np.concatenate([self.earlier[None], self.latest[None], rows])
        # the first instant of all has nothing before it
        self.earlier, self.latest = rows[max(len(rows) - 2, 0)], rows[-1]
        if len(rows) < 3:
            return
        (v0, t0), (v1, t1), (v2, t2) = (np.moveaxis(rows[k : len(rows) - 2 + k], 1, 0) for k in range(3))
        first, second = t1 - t0, t2 - t1
        even = (first > 0) & (second > 0) & (first < 3 * second) & (second < 3 * first)
        drop = np.maximum(np.abs(v1 - v0), np.abs(v1 - v2))
        top = even & ((v1 - v0) * (v1 - v2) >= 0) & (drop > 0) & (drop < FLAT * np.abs(v1))
        # f + b (t − t₁) + a (t − t₁)² through the three
        v0, v1, v2, t1, first, second = (each[top] for each in (v0, v1, v2, t1, first, second))
        before, after = (v1 - v0) / first, (v2 - v1) / second
        a = (after - before) / (first + second)
        b = before + a * first
        found = np.stack([v1 - 0.25 * b * b / a, t1 - 0.5 * b / a], axis=1)
        for each, place in zip(found, np.nonzero(top)[1], strict=True):
            if each[0] < self.least[0, place]:
                self.least[:, place] = each
            if each[0] > self.largest[0, place]:
                self.largest[:, place] = each

    def _take(self, least: Array, largest: Array) -> None:
        if not self.least.size:
            self.least, self.largest = least, largest
            return
        close = _rounding(np.maximum(np.abs(self.least[0]), np.abs(self.largest[0])))
        self.least = np.where(least[0] < self.least[0] - close, least, self.least)
        self.largest = np.where(largest[0] > self.largest[0] + close, largest, self.largest)

    def array(self) -> Array:
        """What was collected, for a file: (2 or 4, 2, columns)."""
        own = (self.least, self.largest, self.earlier, self.latest)
        return np.stack([each for each in own if each.size or not self.least.size])

    @staticmethod
    def from_array(array: Array) -> "Extremes":
        """What such a file holds."""
        return Extremes(*(np.array(each) for each in array))

    def peaks(self) -> tuple[Peaks, ...]:
        """Of each column."""
        columns = zip(*self.least, *self.largest, strict=True)
        return tuple(Peaks(*(float(value) for value in column)) for column in columns)


def stored_words(steps: int, kept: int) -> tuple[str, ...]:
    """What a reader must know of a record that holds only some instants of a motion of so many steps."""
    if kept > steps:
        return ()
    stride, rest = divmod(steps, max(kept - 1, 1))
    stored = f"{kept} of {steps + 1} instants" if rest else f"one step in {stride}"
    return (f"stored: {stored}; peaks are over all steps",)
