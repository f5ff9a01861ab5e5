"""Ranges of a parameter in which a periodic system is unstable, their ends solved.

Where nothing is damped, a range starts where two multipliers meet on the unit circle and leave it like a square
root. Where there is damping, a multiplier crosses the circle at an angle.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from flexframe.analyses.stability.record import UnstableRange
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.spectra.floquet.collisions import (
    Meeting,
    Phases,
    meetings,
    smallest_angle,
    stable_between,
    unstable_near,
)
from flexframe.spectra.floquet.period_map import Growth

MEETINGS = 60  # of multipliers between the values of a scan that are looked at
_LOOKED_AT = 5  # values inside a range among which the largest growth is taken
_FINE = 1e-14  # of the values, where solving ends


@dataclass(frozen=True)
class Ranges:
    """The ranges, and how many meetings of multipliers were left unseen."""

    found: tuple[UnstableRange, ...]
    unseen: int


def unstable_ranges(growth: Growth, values: Array) -> Ranges:
    """Solve where the system becomes unstable or stable between ascending values."""
    given = [float(value) for value in values]
    between, unseen = _between(growth, given)
    between += _peaks(growth, values)
    places = _part_ranges(growth, sorted({*given, *between}), set(between))
    unstable = [not growth.map_at(p).stable for p in places]
    out: list[UnstableRange] = []
    start: float | None = places[0] if unstable[0] else None
    open_start = unstable[0]
    for i in range(1, len(places)):
        if unstable[i] == unstable[i - 1]:
            continue
        edge = _edge(growth, places[i - 1], places[i])
        if unstable[i]:
            start, open_start = edge, False
        else:
            assert start is not None
            out.append(_range(growth, (start, edge), (open_start, False), places))
            start = None
    if start is not None:
        out.append(_range(growth, (start, places[-1]), (open_start, True), places))
    return Ranges(tuple(out), unseen)


def _between(growth: Growth, places: Sequence[float]) -> tuple[list[float], int]:
    """Values of the other sort between neighbours that are both stable or both unstable."""
    found: list[float] = []
    expected: list[tuple[Meeting, float, float]] = []
    known: dict[float, Phases] = {}
    for low, high in pairwise(places):
        stable = growth.map_at(low).stable, growth.map_at(high).stable
        if stable == (True, True):
            expected += [(meeting, low, high) for meeting in meetings(growth, (low, high), known)]
        elif stable == (False, False):
            gap = stable_between(growth, low, high)
            found += [] if gap is None else [gap]
    expected.sort(key=lambda each: each[0].rate)  # slow motions first: their resonances are strongest
    for meeting, low, high in expected[:MEETINGS]:
        value = unstable_near(growth, meeting, low, high)
        found += [] if value is None else [value]
    return found, max(0, len(expected) - MEETINGS)


def _part_ranges(growth: Growth, places: list[float], between: set[float]) -> list[float]:
    """With stable values between neighbouring narrow ranges."""
    added = []
    for low, high in pairwise(places):
        narrow = low in between or high in between
        if narrow and not growth.map_at(low).stable and not growth.map_at(high).stable:
            middle = (low + high) / 2
            added += [middle] if growth.map_at(middle).stable else []
    return sorted([*places, *added])


def _edge(growth: Growth, low: float, high: float) -> float:
    """Where the system changes between a stable and an unstable value.

    With damping log |μ|max passes zero. Without, (log μ − log μ')² of the two that meet does: it is four times the
    square of the growth on one side, of half their angle, negative, on the other.
    """

    def excess(value: float) -> float:
        found = growth.map_at(float(value))
        if not found.conservative:
            return found.growth
        return -(smallest_angle(found) ** 2) if found.stable else found.growth**2

    for place in (low, high):
        if growth.map_at(place).stable and excess(place) >= 0:
            return place
    return float(brentq(excess, low, high, xtol=_FINE * max(abs(low), abs(high)), rtol=4 * _FINE))


def _peaks(growth: Growth, values: Array) -> list[float]:
    """Maxima of the growth between values at which nothing is unstable."""
    sizes = np.array([growth.at(float(p)) for p in values])
    found = []
    for i in range(1, len(values) - 1):
        beside = min(sizes[i - 1], sizes[i + 1])
        if sizes[i] < max(sizes[i - 1], sizes[i + 1]) or sizes[i] > 0 or sizes[i] - beside < 1e-9:
            continue
        best = minimize_scalar(
            lambda p: -growth.at(float(p)),
            bounds=(float(values[i - 1]), float(values[i + 1])),
            method="bounded",
            options={"xatol": 1e-4 * float(values[i + 1] - values[i - 1]), "maxiter": 25},
        )
        if -best.fun > 0:
            found.append(float(best.x))
    return found


def _range(
    growth: Growth, ends: tuple[float, float], are_open: tuple[bool, bool], places: Sequence[float]
) -> UnstableRange:
    low, high = ends
    inside = [p for p in places if low <= p <= high]
    if len(inside) < _LOOKED_AT:
        inside += [float(low + part * (high - low)) for part in np.linspace(0, 1, _LOOKED_AT + 2)[1:-1]]
    where = max(inside, key=growth.at)
    found = growth.map_at(where)
    return UnstableRange(low, high, *are_open, found.growth / found.period, where, _kind(found.multipliers))


def _kind(multipliers: ComplexArray) -> str:
    """How the largest multiplier left the circle."""
    value = multipliers[0]
    if abs(value.imag) > 1e-6 * abs(value):
        return "two motions together"
    return "at the period" if value.real > 0 else "at twice the period"
