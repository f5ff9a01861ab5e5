"""Records of motion, interpolated as they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from flexframe.entries.recordings import recorded_columns
from flexframe.errors import InputError
from flexframe.files import Folder
from flexframe.maths.arrays import Array
from flexframe.motion.laws import Signal

if TYPE_CHECKING:
    from scipy.interpolate import BSpline

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
