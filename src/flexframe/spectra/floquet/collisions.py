"""Unstable ranges that lie between two values of a scan, found by the meetings of multipliers.

On the unit circle each multiplier e^{iΘ} has a signature, the sign of −i xᴴWx of its vector. Only two of opposite
signature can leave the circle when they meet, and those of negative signature are the conjugates of the others; so
a range begins where Θ_j + Θ_k of two positive ones passes a multiple of 2π (j = k: the period, or twice that).
Slopes dΘ/dp tell how often that happens between two values, however narrow the range is.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment, minimize_scalar

from flexframe.maths.arrays import Array, ComplexArray, IntArray
from flexframe.spectra.floquet.period_map import Growth, PeriodMap

TURN = 2 * np.pi
_STEP = 1e-5  # of the interval, for slopes
_ITERATIONS = 4
_MET = 1e-9  # rad
_WIDTH = 3.0  # half width of the search for growth that outweighs damping, in angles of the decay
_DEAD = 3.0  # decay of two motions together over a period that no meeting can outweigh
_CLEAR = 1e-6  # signature relative to its largest value, below which it tells nothing


@dataclass(frozen=True, eq=False)
class Phases:
    """Multipliers of positive signature at one value: angle, its slope, vector scaled to −i xᴴWx = 1."""

    angles: Array  # rad: (m,)
    decays: Array  # −log |μ|: (m,)
    slopes: Array  # (m,)
    vectors: ComplexArray  # (2r, m)


@dataclass(frozen=True)
class Meeting:
    """Where two multipliers of opposite signature should meet.

    `rate` is the change of the sum of their angles over the interval, `decay` the mean of their −log |μ|.
    """

    value: float
    rate: float
    decay: float


def smallest_angle(found: PeriodMap) -> float:
    """Half the smallest angle between two multipliers of opposite signature [rad]."""
    values, right = np.linalg.eig(found.matrix)
    angles = np.angle(values[_positive(found, right)[0]])
    sums = angles[:, None] + angles[None]
    return float(np.abs(sums - TURN * np.round(sums / TURN)).min(initial=TURN) / 2)


def _positive(found: PeriodMap, vectors: ComplexArray) -> tuple[IntArray, Array]:
    """Which multipliers have a positive signature, and all signatures."""
    signature = np.einsum("im,ij,jm->m", vectors.conj(), -1j * found.form, vectors).real
    return np.flatnonzero(signature > _CLEAR * np.abs(signature).max()), signature


def phases(growth: Growth, value: float, step: float) -> Phases:
    """Angles at a value, slopes from a neighbouring one."""
    here, beside = growth.map_at(value), growth.make(value + step)
    values, right = np.linalg.eig(here.matrix)
    left = np.linalg.inv(right)
    positive, signature = _positive(here, right)
    change = np.einsum("mi,ij,jm->m", left, (beside.matrix - here.matrix) / step, right)
    slopes = (change / values).imag
    vectors = right[:, positive] / np.sqrt(signature[positive])
    mu = values[positive]
    return Phases(np.angle(mu), -np.log(np.abs(mu)), slopes[positive], vectors.astype(complex))


def meetings(growth: Growth, ends: tuple[float, float], known: dict[float, Phases]) -> list[Meeting]:
    """All that are expected between two values at which the system is stable; phases made are kept in `known`."""
    low, high = ends
    length = high - low
    for place, step in ((low, _STEP * length), (high, -_STEP * length)):
        if place not in known:
            known[place] = phases(growth, place, step)
    first, last = known[low], known[high]
    if not (len(first.angles) and len(last.angles)):
        return []
    overlap = np.abs(first.vectors.conj().T @ growth.map_at(low).form @ last.vectors)
    rows, columns = linear_sum_assignment(-np.minimum(overlap, 2.0))
    start, begin = first.angles[rows], first.slopes[rows]
    end, finish = last.angles[columns], last.slopes[columns]
    decays = np.minimum(first.decays[rows], last.decays[columns])
    expected = length * (begin + finish) / 2
    end = end + TURN * np.round((expected - (end - start)) / TURN)
    found = []
    for j in range(len(rows)):
        for k in range(j, len(rows)):
            if decays[j] + decays[k] > _DEAD:
                continue
            total, target = start[j] + start[k], end[j] + end[k]
            slopes = (begin[j] + begin[k]) * length, (finish[j] + finish[k]) * length
            bottom, top = sorted((total, target))
            for m in range(int(np.ceil(bottom / TURN)), int(np.floor(top / TURN)) + 1):
                place = _crossing(total - TURN * m, target - TURN * m, *slopes)
                found.append(Meeting(low + place * length, abs(target - total), (decays[j] + decays[k]) / 2))
    return found


def _crossing(first: float, last: float, begin: float, finish: float) -> float:
    """Where the cubic with these values and slopes at 0 and 1 is zero; on the chord where it has no zero."""
    cubic = np.polynomial.Polynomial(
        [first, begin, 3 * (last - first) - 2 * begin - finish, begin + finish - 2 * (last - first)]
    )
    roots = cubic.roots()
    real = roots[np.abs(roots.imag) < 1e-9].real
    inside = real[(real >= 0) & (real <= 1)]
    return float(inside[0]) if inside.size else float(first / (first - last)) if first != last else 0.5


def unstable_near(growth: Growth, meeting: Meeting, low: float, high: float) -> float | None:
    """A value at which the system is unstable where two multipliers meet, by Newton's method; None if none.

    Outside a range of half width w the sum of the angles behaves like √(δ² − w²), from which Newton's step leads
    to w²/δ, inside the range. With damping the two lock before one of them leaves the circle, if it does; growth
    that outweighs the damping is spread over about as large an angle as the damping, where its maximum is sought.
    """
    value, step = meeting.value, _STEP * (high - low)
    for _ in range(_ITERATIONS):
        if not low < value < high:
            return None
        here = growth.map_at(value)
        if not here.stable:
            return value
        if not here.conservative:
            width = _WIDTH * meeting.decay / meeting.rate * (high - low)
            return _largest_near(growth, value, width, (low, high))
        found = phases(growth, value, step)
        if not len(found.angles):
            return None
        sums = found.angles[:, None] + found.angles[None]
        apart = sums - TURN * np.round(sums / TURN)
        j, k = np.unravel_index(int(np.argmin(np.abs(apart))), apart.shape)
        rate = found.slopes[j] + found.slopes[k]
        if abs(apart[j, k]) < _MET or rate == 0:
            return None
        value -= float(apart[j, k] / rate)
        step = min(step, 0.01 * abs(float(apart[j, k] / rate)) or step)
    return value if low < value < high and not growth.map_at(value).stable else None


def _largest_near(growth: Growth, value: float, width: float, ends: tuple[float, float]) -> float | None:
    bounds = (max(ends[0], value - width), min(ends[1], value + width))
    best = minimize_scalar(
        lambda p: -growth.at(float(p)),
        bounds=bounds,
        method="bounded",
        options={"xatol": 0.05 * (bounds[1] - bounds[0]), "maxiter": 8},
    )
    return None if growth.map_at(float(best.x)).stable else float(best.x)


def stable_between(growth: Growth, low: float, high: float) -> float | None:
    """A value at which the system is stable between two where one motion grows in different ways; None if none."""
    kinds = tuple(_signs(growth.map_at(place).multipliers) for place in (low, high))
    if kinds[0] == kinds[1] or any(sum(kind) > 2 or kind[:2] == (1, 1) for kind in kinds):
        return None
    smallest = 1e-7 * max(abs(low), abs(high))
    while high - low > smallest:
        middle = (low + high) / 2
        found = growth.map_at(middle)
        if found.stable:
            return middle
        if _signs(found.multipliers) == kinds[0]:
            low = middle
        else:
            high = middle
    return None


def _signs(multipliers: ComplexArray) -> tuple[int, int, int]:
    """How many multipliers outside the circle are positive, negative and complex."""
    out = multipliers[np.abs(multipliers) > 1 + 1e-6]
    real = np.abs(out.imag) <= 1e-6 * np.abs(out)
    return int((real & (out.real > 0)).sum()), int((real & (out.real < 0)).sum()), int((~real).sum())
