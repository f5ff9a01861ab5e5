"""Measured motion: columns of a CSV file, interpolated or smoothed, with rates and their noise."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from pydantic import AfterValidator, GetCoreSchemaHandler, TypeAdapter
from pydantic_core import CoreSchema

from flexframe.entries import quantities as q
from flexframe.entries.entry import ByKeys, Entry, by_choice, checker, refusal
from flexframe.entries.fields import AnyQuantity, FileName, FormulaOfState, FormulaOfTime, quantity
from flexframe.entries.problems import did_you_mean
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
from flexframe.maths.smoothing import LARGEST_SAMPLE, SmoothedSignal, smooth
from flexframe.model.constraints import TimeLaw
from flexframe.motion.laws import Signal

if TYPE_CHECKING:
    from scipy.interpolate import BSpline

MAX_BYTES = 200_000_000


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


@dataclass(frozen=True)
class ByShape:
    """Annotation of a union: a mapping is an entry (or a choice of them), anything else the plain type."""

    entry: Any
    plain: Any

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        plain = TypeAdapter(self.plain).validate_python
        one = isinstance(self.entry, type)
        entry = self.entry.model_validate if one else checker(self.entry).validate_python

        def choose(value: Any) -> Any:
            return (entry if isinstance(value, dict | Entry) else plain)(value)

        return by_choice(choose, lambda: source, handler)


_Described = Annotated[
    RecordingEntry | TrapezoidEntry | SCurveEntry | PolynomialEntry | ViaPointsEntry, ByKeys("law of time")
]
LawEntry = Annotated[FormulaOfTime | _Described, ByShape(_Described, FormulaOfTime)]
"""A formula of the time t in SI units, a column of a CSV file, or a motion from point to point."""
StateLawEntry = Annotated[FormulaOfState | _Described, ByShape(_Described, FormulaOfState)]
"""The same with formulas of sensors and controllers too."""


def build_law(entry: "Formula | RecordingEntry | TrajectoryEntry", folder: Folder) -> TimeLaw:
    """The law that is described."""
    match entry:
        case RecordingEntry():
            return entry.law(folder)
        case TrajectoryEntry():
            return entry.law()
    return entry


def recorded_columns(
    file: str | Path, folder: Folder, time: str, wanted: Sequence[str]
) -> tuple[Array, dict[str, Array]]:
    """Times and the wanted columns of a CSV file; what is wrong is told with its line."""
    lines, table = _read_table(Path(file), folder, (time, *wanted))
    for row in np.flatnonzero(np.diff(table[:, 0]) <= 0)[:1]:
        name, number = Path(file).name, lines[row + 1]
        raise InputError(f"{name}:{number}: the time is not later than on the line before; sort the lines")
    return table[:, 0], {name: table[:, i + 1] for i, name in enumerate(wanted)}


class ColumnEntry(Entry):
    """The numbers of a column of a CSV file with a header; `scale` turns them into SI units."""

    leads: ClassVar[tuple[str, ...]] = ("samples",)
    samples: FileName
    column: str
    scale: AnyQuantity = 1.0

    def build(self, folder: Folder) -> tuple[float, ...]:
        """The numbers in SI; the file is found from the folder of the case."""
        _, table = _read_table(Path(self.samples), folder, (self.column,))
        return tuple((self.scale * table[:, 0]).tolist())


def _read_table(path: Path, folder: Folder, wanted: Sequence[str]) -> tuple[list[int], Array]:
    """Numbers of the lines with samples, and the wanted columns: (lines, columns)."""
    data = folder.read(path, MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InputError(f"{path.name} is larger than {MAX_BYTES // 10**6} MB; take fewer samples")
    try:
        lines = list(enumerate(StringIO(data.decode("utf-8-sig"), newline=""), start=1))
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path.name}:{number}: is not UTF-8 text; give a CSV file with a header") from None
    kept = [(number, line) for number, line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not kept:
        raise InputError(f"{path.name} is empty; give a header and one line for each sample")
    separator = max(",;\t", key=kept[0][1].count)
    names = _cells(kept[0][1], separator)
    for name in wanted:
        if name not in names:
            raise InputError(
                f"{path.name}:{kept[0][0]}: has no column '{name}'{did_you_mean(name, names)}; "
                f"it has {', '.join(names)}"
            )
    places = [names.index(name) for name in wanted]
    table = np.array([_numbers(path, number, _cells(line, separator), names, places) for number, line in kept[1:]])
    if not len(table):
        raise InputError(f"{path.name} has a header but no samples; give one line for each")
    return [number for number, _ in kept[1:]], table


def _cells(line: str, separator: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]


def _numbers(path: Path, number: int, cells: list[str], names: list[str], places: list[int]) -> list[float]:
    if len(cells) != len(names):
        raise InputError(
            f"{path.name}:{number}: {len(cells)} cells under {len(names)} column names; mend the line"
        )
    values = []
    for place in places:
        try:
            value = float(cells[place])
        except ValueError:
            value = np.nan
        if not abs(value) <= LARGEST_SAMPLE:
            wrong = "too large for a measurement" if np.isfinite(value) else "not a number"
            raise InputError(
                f"{path.name}:{number}: '{cells[place]}' under {names[place]} is {wrong}; mend or remove the line"
            )
        values.append(value)
    return values


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
            raise InputError("a sample is not a finite number; remove or mend its row")
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
