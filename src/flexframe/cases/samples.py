"""Records of motion in CSV files."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.interpolate import BSpline, make_interp_spline

from flexframe.cases.problems import did_you_mean
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.motion.laws import Signal

MAX_BYTES = 200_000_000
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
    def _splines(self) -> tuple[BSpline, BSpline, BSpline]:
        value = make_interp_spline(self.times, self.values, k=DEGREE)
        return value, value.derivative(1), value.derivative(2)

    def jet(self, t: float) -> tuple[float, float, float]:
        first, last = self.times[0], self.times[-1]
        if not first <= t <= last:
            raise InputError(f"the time {t:g} s is outside the record, {first:g} to {last:g} s; choose one inside")
        value, rate, acceleration = (float(spline(t)) for spline in self._splines)
        return value, rate, acceleration


def sampled_columns(path: Path, time: str, wanted: Sequence[str]) -> dict[str, Signal]:
    """The wanted columns of a CSV file as functions of its time column."""
    names, rows = _table(path)
    for name in (time, *wanted):
        if name not in names:
            raise InputError(
                f"{path.name} has no column '{name}'{did_you_mean(name, names)}; it has {', '.join(names)}"
            )
    values = np.array([_numbers(row, [names.index(n) for n in (time, *wanted)], path) for row in enumerate(rows)])
    return {name: Sampled(values[:, 0], values[:, place + 1]) for place, name in enumerate(wanted)}


def _numbers(numbered_row: tuple[int, list[str]], columns: Sequence[int], path: Path) -> list[float]:
    number, row = numbered_row
    try:
        return [float(row[column]) for column in columns]
    except (ValueError, IndexError):
        raise InputError(f"{path.name}: data row {number + 1} lacks a number in its columns; mend it") from None


def _table(path: Path) -> tuple[list[str], list[list[str]]]:
    """Column names and the rows of cells; the separator is a comma, semicolon or tab."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path.name} is larger than {MAX_BYTES // 10**6} MB; take fewer samples")
        with path.open(encoding="utf-8-sig", newline="") as file:
            first = file.readline()
            separator = max(",;\t", key=first.count)
            names = [name.strip() for name in next(csv.reader([first], delimiter=separator), [])]
            rows = [row for row in csv.reader(file, delimiter=separator) if any(cell.strip() for cell in row)]
    except FileNotFoundError:
        raise InputError(f"there is no file {path}; give its path from the folder of the case") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path.name} cannot be read ({error}); give a CSV file with a header") from None
    if len(set(names)) < len(names) or not all(names):
        raise InputError(f"{path.name} has a header with empty or repeated names; name each column once")
    return names, rows
