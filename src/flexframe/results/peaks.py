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


@dataclass(eq=False)
class Extremes:
    """Collects the extremes of several columns from blocks of instants."""

    least: Array = field(default_factory=lambda: np.empty((2, 0)))  # values and times: (2, columns)
    largest: Array = field(default_factory=lambda: np.empty((2, 0)))

    def take(self, times: Array, values: Array) -> None:
        """The next instants: values (instants, columns)."""
        low, high, every = first_largest(-values), first_largest(values), np.arange(values.shape[1])
        least = np.stack([values[low, every], times[low]])
        largest = np.stack([values[high, every], times[high]])
        if not self.least.size:
            self.least, self.largest = least, largest
            return
        close = _rounding(np.maximum(np.abs(self.least[0]), np.abs(self.largest[0])))
        self.least = np.where(least[0] < self.least[0] - close, least, self.least)
        self.largest = np.where(largest[0] > self.largest[0] + close, largest, self.largest)

    def array(self) -> Array:
        """What was collected, for a file: (2, 2, columns)."""
        return np.stack([self.least, self.largest])

    @staticmethod
    def from_array(array: Array) -> "Extremes":
        """What such a file holds."""
        return Extremes(np.array(array[0]), np.array(array[1]))

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
