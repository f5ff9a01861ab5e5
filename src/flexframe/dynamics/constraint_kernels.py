"""Constraints of joints and drives in compiled loops: values, rates, targets, gaps, and the rows of A."""

from math import pi
from typing import Any

from flexframe.dynamics.compiling import fast_inner, inner
from flexframe.dynamics.frame_kernels import place_frames
from flexframe.dynamics.law_kernels import NUMBER, law_jet
from flexframe.mechanisms.constraint_types import ROTATION
from flexframe.mechanisms.kernels import fill_rates, fill_rows


@fast_inner
def _evaluate_rows(rows: Any, work: Any, s: Any, J: Any, rate: Any, bias: Any) -> None:  # noqa: PLR0917
    frames = rows.frames
    for row in range(len(frames)):
        s[0, row] = 0.0
        for side in range(3):
            f = frames[row, side]
            for i in range(6):
                J[0, row, f, i] = 0.0
    data = (rows.types, frames, rows.places, rows.directions, rows.radii)
    fill_rows(data, work.r, work.R, s, J)
    fill_rates(data, work.r, work.R, work.v, work.w, rate, bias)


@inner
def sides_of(frames: Any, row: int) -> Any:
    """The frames of a row, each once; −1 where the carrier is one of the others."""
    a, b, c = frames[row, 0], frames[row, 1], frames[row, 2]
    return a, b, (-1 if c in (a, b) else c)


@fast_inner
def evaluate(tables: Any, place: Any, time: float, work: Any) -> None:
    """Frames, constraints and their targets at a place and a time."""
    place_frames(tables, place, work)
    numbers, target = tables.rows.laws, work.target
    kinds, values = tables.laws.kinds, tables.laws.values
    if len(numbers):
        _evaluate_rows(tables.rows, work, work.s, work.J, work.rate, work.bias)
        for row in range(len(numbers)):
            law = numbers[row]
            if kinds[law] == NUMBER:
                target[row, 0], target[row, 1], target[row, 2] = values[law], 0.0, 0.0
            else:
                target[row, 0], target[row, 1], target[row, 2] = law_jet(tables.laws, law, time, work.stack)
    if len(tables.coordinates.types):
        _evaluate_rows(tables.coordinates, work, work.cs, work.cJ, work.crate, work.cbias)


@inner
def gap(holonomic: int, constraint_type: int, s: float, rate: float, target: Any) -> float:
    """s − f, angles to the nearer side; ṡ − ḟ of a constraint on velocities."""
    if holonomic == 0:
        return rate - target[1]
    miss = s - target[0]
    if constraint_type == ROTATION:
        miss = (miss + pi) % (2.0 * pi) - pi
    return miss


@inner
def gaps(tables: Any, work: Any) -> Any:
    """Largest gap of positions and of velocities, in lengths of the system and radians."""
    rows = tables.rows
    return _largest(rows.holonomic, rows.types, rows.scales, work.s, work.rate, work.target)


@inner
def _largest(holonomic: Any, types: Any, scales: Any, s: Any, rate: Any, target: Any) -> Any:  # noqa: PLR0917
    worst, slip = 0.0, 0.0
    for row in range(len(types)):
        if holonomic[row]:
            miss = gap(1, types[row], s[0, row], rate[0, row], target[row])
            worst = max(worst, abs(miss) * scales[row])
        slip = max(slip, abs(rate[0, row] - target[row, 1]) * scales[row])
    return worst, slip


@inner
def fill_constraints(tables: Any, work: Any, matrix: Any, first: int) -> None:
    """A into the rows `first` … of a matrix, from the frames and rows that were evaluated."""
    sides, owners, elastic = tables.rows.frames, tables.frames.bodies, tables.frames.elastic
    sizes, numbers, J, jacobians = tables.bodies.sizes, tables.bodies.numbers, work.J, work.jacobians
    for row in range(len(sides)):
        for j in range(tables.size):
            matrix[first + row, j] = 0.0
        for f in sides_of(sides, row):
            if f < 0 or owners[f] < 0:
                continue
            b = owners[f]
            for j in range(6 + (sizes[b] if elastic[f] else 0)):
                if numbers[b, j] >= 0:
                    total = 0.0
                    for i in range(6):
                        total += J[0, row, f, i] * jacobians[f, i, j]
                    matrix[first + row, numbers[b, j]] += total
