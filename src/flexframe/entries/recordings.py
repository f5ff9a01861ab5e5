"""Measured motion: columns of a CSV file, interpolated or smoothed, with rates and their noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from pydantic import AfterValidator

from flexframe.entries import quantities as q
from flexframe.entries.entry import ByKeys, Entry, refusal
from flexframe.entries.fields import AnyQuantity, FileName, FormulaOfState, FormulaOfTime, quantity
from flexframe.entries.tables import ByShape, TableEntry, read_columns
from flexframe.entries.trajectories import (
    PolynomialEntry,
    SCurveEntry,
    TrajectoryEntry,
    TrapezoidEntry,
    ViaPointsEntry,
)
from flexframe.errors import InputError
from flexframe.files import Folder
from flexframe.maths.arrays import Array
from flexframe.maths.formula import Formula
from flexframe.maths.pieces import Pieces
from flexframe.maths.smoothing import SmoothedSignal, smooth
from flexframe.model.constraints import TimeLaw
from flexframe.motion.frame import Signal

if TYPE_CHECKING:
    from scipy.interpolate import BSpline


@dataclass(frozen=True, eq=False)
class Recording:
    """A smoothed column: a law of time that knows its noise.

    The signal's `noise` is the standard deviation of the samples about the curve; `acceleration_error` what it
    does to the second derivative inside the record, one standard deviation. Units are those of the column, per s².
    """

    column: str
    file: str
    signal: SmoothedSignal
    samples: int
    acceleration_error: float

    def jet(self, times: Any, /) -> tuple[Array, Array, Array]:
        """Value, velocity and acceleration."""
        try:
            return self.signal.jet(times)
        except InputError as error:
            raise InputError(f"column '{self.column}' of {self.file}: {error}") from None

    @property
    def pieces(self) -> Pieces:
        """Its polynomials."""
        return self.signal.pieces

    def notice(self) -> str:
        """What the reader must know about it."""
        alike = self.signal.correlated
        told = f" (correlated over about {alike} samples, which count as one)" if alike > 1 else ""
        return (
            f"{self.column} is a recording of {self.samples} samples ({self.file}), smoothed: "
            f"noise {self.signal.noise:.3g}{told}, standard error of its second derivative "
            f"{self.acceleration_error:.3g} per s²"
        )


def _not_negative(noise: float) -> float:
    if noise < 0:
        raise refusal(f"is {noise:g}; give a value that is not negative")
    return noise


class RecordingEntry(Entry):
    """A column of a CSV file with a header, smoothed by a quintic spline.

    `noise` is the known standard deviation (found by cross validation without it; 0 interpolates), `period` that
    of a motion that repeats itself; `scale` and `offset` turn the column into SI units.
    """

    leads: ClassVar[tuple[str, ...]] = ("samples",)
    samples: FileName
    column: str
    time: str = "t"
    noise: Annotated[AnyQuantity, AfterValidator(_not_negative)] | None = None
    period: Annotated[float, quantity(q.TIME, "positive")] | None = None
    scale: AnyQuantity = 1.0
    offset: AnyQuantity = 0.0

    def law(self, folder: Folder) -> Recording:
        """The smoothed column; the file is found from the folder of the case."""
        times, columns = recorded_columns(self.samples, folder, self.time, [self.column])
        values = self.offset + self.scale * columns[self.column]
        try:
            signal = smooth(times, values, noise=self.noise, period=self.period)
        except InputError as error:
            raise InputError(f"{self.samples}: {error}") from None
        middle = np.linspace(times[0], times[-1], 5)[1:-1]
        error_there = float(signal.standard_error(middle, 2).max())
        return Recording(self.column, self.samples, signal, len(times), error_there)


@dataclass(frozen=True, eq=False)
class SmoothedColumn:
    """A recording as a signal of one time."""

    recording: Recording

    def jet(self, t: float) -> tuple[float, float, float]:
        value, rate, acceleration = self.recording.jet(t)
        return float(value), float(rate), float(acceleration)


def smoothed_columns(
    file: FileName, folder: Folder, time: str, wanted: Sequence[str], period: float | None = None
) -> dict[str, SmoothedColumn]:
    """The wanted columns of a CSV file, smoothed, as signals for the motion of a frame."""
    entries = {name: RecordingEntry(samples=file, column=name, time=time, period=period) for name in wanted}
    return {name: SmoothedColumn(entry.law(folder)) for name, entry in entries.items()}


_Described = Annotated[
    RecordingEntry | TrapezoidEntry | SCurveEntry | PolynomialEntry | ViaPointsEntry, ByKeys("law of time")
]
LawEntry = Annotated[FormulaOfTime | _Described, ByShape(_Described, FormulaOfTime)]
"""A formula of the time t in SI units, a column of a CSV file, or a motion from point to point."""
_OfState = Annotated[
    RecordingEntry | TrapezoidEntry | SCurveEntry | PolynomialEntry | ViaPointsEntry | TableEntry, ByKeys("law")
]
StateLawEntry = Annotated[FormulaOfState | _OfState, ByShape(_OfState, FormulaOfState)]
"""A law of time, or a formula of sensors and controllers, or a table over these."""


def build_law(entry: "Formula | RecordingEntry | TableEntry | TrajectoryEntry", folder: Folder) -> TimeLaw:
    """The law that is described."""
    match entry:
        case RecordingEntry() | TableEntry():
            return entry.law(folder)
        case TrajectoryEntry():
            return entry.law()
    return entry


def recorded_columns(
    file: str | Path, folder: Folder, time: str, wanted: Sequence[str]
) -> tuple[Array, dict[str, Array]]:
    """Times and the wanted columns of a CSV file; what is wrong is reported with its line."""
    lines, table = read_columns(Path(file), folder, (time, *wanted))
    for row in np.flatnonzero(np.diff(table[:, 0]) <= 0)[:1]:
        name, number = Path(file).name, lines[row + 1]
        raise InputError(f"{name}:{number}: the time is not later than on the line before; sort the lines")
    return table[:, 0], {name: table[:, i + 1] for i, name in enumerate(wanted)}


DEGREE = 5


@dataclass(frozen=True, eq=False)
class Sampled:
    """The quintic spline through samples of a smooth motion; noise in them is not removed.

    The degree keeps the second derivative, which the inertia forces need, smooth between the samples.
    """

    times: Array  # s, increasing: (samples,)
    values: Array  # (samples,)

    def __post_init__(self) -> None:
        if len(self.times) <= DEGREE:
            raise InputError(f"there are {len(self.times)} samples; give at least {DEGREE + 1}")
        if not (np.isfinite(self.times).all() and np.isfinite(self.values).all()):
            raise InputError("a sample is not a finite number; remove or correct its row")
        steps = np.diff(self.times)
        if (steps <= 0).any():
            row = int(np.argmax(steps <= 0)) + 2
            raise InputError(f"the time does not increase at data row {row}; sort the rows by time")

    @cached_property
    def _splines(self) -> tuple["BSpline", "BSpline", "BSpline"]:
        from scipy.interpolate import make_interp_spline  # takes a third of a second to import

        value = make_interp_spline(self.times, self.values, k=DEGREE)
        return value, value.derivative(1), value.derivative(2)

    def jet(self, t: float) -> tuple[float, float, float]:
        first, last = self.times[0], self.times[-1]
        if not first <= t <= last:
            raise InputError(f"the time {t:g} s is outside the record, {first:g} to {last:g} s; choose one inside")
        value, rate, acceleration = (float(spline(t)) for spline in self._splines)
        return value, rate, acceleration


def sampled_columns(file: str | Path, folder: Folder, time: str, wanted: Sequence[str]) -> dict[str, Signal]:
    """The wanted columns of a CSV file as functions of its time column."""
    times, columns = recorded_columns(file, folder, time, wanted)
    return {name: Sampled(times, columns[name]) for name in wanted}
