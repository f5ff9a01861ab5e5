"""Extremes over all steps of a motion, whatever part of the steps is stored: of what was seen, and of stress."""

from dataclasses import dataclass, field
from typing import Any

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
        """Both values in the unit of the quantity, and their times [s], by name."""
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


def beam_place(along: float | None, fibre: tuple[float, float] | None) -> dict[str, Any]:
    """What a summary says of a place in a beam, nothing for other bodies."""
    out: dict[str, Any] = {} if along is None else {"along": along}
    return out if fibre is None else out | {"fibre_m": list(fibre)}


def safety(measure: str, value: float, strength: float | None) -> dict[str, float]:
    """Strength and factor of safety of a fibre or von Mises stress, where a strength is given."""
    if strength is None or measure not in ("fibre", "von_mises") or not value:
        return {}
    return {"strength_Pa": strength, "safety": strength / abs(value)}


@dataclass(frozen=True, eq=False)
class StressPeak:
    """The extreme value of one measure of stress over all steps, and where and when it is."""

    measure: str
    value: float  # Pa
    time: float  # s
    place: Array  # in the mesh, of a beam on its axis, m: (3,)
    cell: int
    along: float | None = None  # of a beam: 0 at its first node … 1
    fibre: tuple[float, float] | None = None  # of a beam: (y, z) in its section, m
    strength: float | None = None  # of the material there, Pa

    def summary(self) -> dict[str, Any]:
        """Value, time and place."""
        return {
            "value": self.value,
            "unit": "Pa",
            "at_s": self.time,
            "place_m": self.place.tolist(),
            "cell": self.cell,
            **beam_place(self.along, self.fibre),
            **safety(self.measure, self.value, self.strength),
        }

    @property
    def words(self) -> str:
        """Where it is, in words."""
        where = f"cell {self.cell}"
        if self.along is not None:
            where += f", {100 * self.along:.3g} % along"
        if self.fibre is not None:
            y, z = (1e3 * place + 0.0 for place in self.fibre)  # −0 is 0
            where += f", fibre y {y:.4g}, z {z:.4g} mm"
        return where


@dataclass(frozen=True, eq=False)
class MeasureHistory:
    """The largest value of a stress measure over a body at the stored instants, of `principal_min` the smallest.

    The peak is that of all steps.
    """

    measure: str
    times: Array  # s: (instants,)
    values: Array  # Pa: (instants,)
    places: Array  # in the mesh, m: (instants, 3)
    cells: IntArray  # (instants,)
    peak: StressPeak

    def summary(self) -> dict[str, Any]:
        """Value, time and place of the peak."""
        return self.peak.summary()


@dataclass(frozen=True, eq=False)
class StressRecord:
    """Every measure through the motion, and the nodal von Mises stress that snapshots show."""

    measures: tuple[MeasureHistory, ...]
    nodal: Array | None  # averaged at the nodes, Pa: (snapshots, nodes); None for beams


@dataclass(frozen=True, eq=False)
class StressHistory:
    """Largest stress of a body of a mechanism over time, and where and when it is largest of all steps."""

    body: str
    times: Array  # stored instants, s: (instants,)
    largest: Array  # Pa, over the body: (instants,)
    peak: StressPeak
    principal: tuple[StressPeak, ...] = ()  # largest and smallest principal stress of plane bodies, shells, solids

    @property
    def measure(self) -> str:
        """Which stress it is."""
        return self.peak.measure

    @property
    def value(self) -> float:
        """The largest of all, Pa."""
        return self.peak.value

    @property
    def time(self) -> float:
        """When that is, s."""
        return self.peak.time

    @property
    def place(self) -> Array:
        """Where that is in the mesh, m: (3,)."""
        return self.peak.place

    @property
    def cell(self) -> int:
        """In which cell."""
        return self.peak.cell

    def summary(self) -> dict[str, Any]:
        """The peak by name: stress [Pa], time [s], place [m] in the mesh and cell; also of principal stress."""
        peak = self.peak
        return {
            "measure": peak.measure,
            "max_Pa": peak.value,
            "at_s": peak.time,
            "place": peak.place.tolist(),
            "cell": peak.cell,
            **beam_place(peak.along, peak.fibre),
            **safety(peak.measure, peak.value, peak.strength),
            "principal": {
                found.measure: {
                    "value_Pa": found.value,
                    "at_s": found.time,
                    "place": found.place.tolist(),
                    "cell": found.cell,
                }
                for found in self.principal
            },
        }
