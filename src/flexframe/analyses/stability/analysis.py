"""Stability of periodic systems by Floquet's multipliers: parametric excitation, rotors, mechanisms."""

from collections.abc import Iterator, Mapping
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

from flexframe.analyses.judging import judge
from flexframe.analyses.stability.mechanism_cycle import CycleSystem
from flexframe.analyses.stability.ranges import unstable_ranges
from flexframe.analyses.stability.record import Stability, StabilityChart, StabilityScan
from flexframe.errors import InputError
from flexframe.given import numbers
from flexframe.keeping import keep_part
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.spectra.floquet.period_map import (
    Growth,
    PeriodicSystem,
    PeriodMap,
    TooFastError,
    period_map,
    quick_map,
)
from flexframe.stages import begin_work

_RESOLVED = 1e-6  # Chebyshev tail of the coefficients of a mechanism that is not worth a remark
_CHECKED = 20_000  # steps that the check with more modes may take
_NEAR = 1.5  # distance in the complex plane up to which multipliers of two models can be the same


class StabilityProblem(Protocol):
    """A periodic system that depends on named parameters."""

    @property
    def name(self) -> str: ...
    @property
    def unknowns(self) -> int: ...
    @property
    def description(self) -> str: ...

    def unit(self, parameter: str) -> str: ...
    def with_modes(self, count: int) -> "StabilityProblem": ...
    def require(self, parameters: Mapping[str, float]) -> object: ...
    def system(self, parameters: Mapping[str, float]) -> PeriodicSystem: ...


@judge
def stability(
    problem: StabilityProblem,
    at: Mapping[str, float] | None = None,
    *,
    over: tuple[str, ArrayLike] | None = None,
    chart: tuple[str, ArrayLike] | None = None,
    check_modes: bool = True,
) -> Stability:
    """Multipliers of one period at the parameters `at`; unstable ranges `over` a parameter, a chart over a second.

    `over` and `chart` are a name and ascending values. The ends of unstable ranges are solved. `check_modes`
    repeats the analysis with half as many modes more, which tells what was left out.

    Parameters
    ----------
    problem
        A `BodyCycle`, `MechanismCycle` or `RotorCycle` of `ff.cycles`.
    at
        Values of parameters by name.
    over, chart
        A parameter and its ascending values: along one axis, and along the second axis of a chart.
    check_modes
        Whether the analysis is repeated with more modes.

    Returns
    -------
    Stability
        Multipliers of one period, exponents [1/s] and unstable ranges.

    Examples
    --------
    >>> column = ff.Body.beam(
    ...     "column",
    ...     length=1.0,
    ...     divisions=4,
    ...     section=ff.Rectangle(0.02, 0.01),
    ...     material=ff.STEEL,
    ...     supports=(ff.Clamp("start"),),
    ... )
    >>> def pulse(values):
    ...     force = ff.cycles.PeriodicForce("end", lambda t: np.outer(np.cos(20 * np.pi * t), [50.0, 0, 0]))
    ...     return ff.cycles.Excitation(period=0.1, forces=[force])
    >>> ff.stability(ff.cycles.BodyCycle(column, pulse, modes=2), check_modes=False).stable
    True
    """
    given = dict(at or {})
    scan_values = None if over is None else _ascending(over[1], over[0])
    chart_values = None if chart is None else _ascending(chart[1], chart[0])
    if chart is not None and over is None:
        raise InputError("a chart needs a parameter to scan at every row; give one", field="scan")
    if over is not None and scan_values is not None:
        given.setdefault(over[0], float(scan_values[-1]))
    if chart is not None and chart_values is not None:
        given.setdefault(chart[0], float(chart_values[-1]))
    for asked in _scan_values(given, over and (over[0], scan_values), chart and (chart[0], chart_values)):
        problem.require(asked)
    system = problem.system(given)
    begin_work()
    found = _map_period(problem, given)
    multipliers = found.multipliers
    scan = None
    if over is not None and scan_values is not None:
        scan = _scan(problem, given, over[0], scan_values)
    rows = None
    if chart is not None and over is not None and scan_values is not None and chart_values is not None:
        rows = _chart(problem, given, (over[0], scan_values), (chart[0], chart_values))
    return Stability(
        subject=problem.name,
        parameters=given,
        period=system.period,
        multipliers=multipliers,
        stable=found.stable,
        reciprocity=_reciprocity(multipliers) if found.conservative else None,
        error=found.error,
        truncation=_truncation(problem, given, multipliers) if check_modes else None,
        steps=found.steps,
        unknowns=problem.unknowns,
        method=f"{problem.description}; collocation of order 16, {found.steps} steps in a period",
        scan=scan,
        chart=rows,
        notices=_notices(system, found, scan),
    )


def _scan_values(
    given: Mapping[str, float], over: tuple[str, Array | None] | None, chart: tuple[str, Array | None] | None
) -> Iterator[dict[str, float]]:
    """All values of the scan, at the given value and at the ends of the chart."""
    rows: list[dict[str, float]] = [{}]
    if chart is not None and chart[1] is not None:
        rows += [{chart[0]: float(value)} for value in chart[1][[0, -1]]]
    for row in rows:
        yield {**given, **row}
        if over is not None and over[1] is not None:
            yield from ({**given, **row, over[0]: float(value)} for value in over[1])


def _ascending(values: ArrayLike, name: str) -> Array:
    given = numbers(values, name)
    if given.size < 2 or not np.isfinite(given).all() or (np.diff(given) <= 0).any():
        raise InputError(f"the values of {name} are not two or more ascending numbers; sort them")
    return given


def _growth(problem: StabilityProblem, given: Mapping[str, float], name: str, refinement: float) -> Growth:
    def map_period(value: float) -> PeriodMap:
        there = {**given, name: value}
        return keep_part(
            "map of a period", (there, refinement), lambda: quick_map(problem.system(there), refinement)
        )

    return Growth(map_period)


def _map_period(problem: StabilityProblem, given: Mapping[str, float]) -> PeriodMap:
    return keep_part("refined map of a period", given, lambda: period_map(problem.system(given)))


def _scan(problem: StabilityProblem, given: Mapping[str, float], name: str, values: Array) -> StabilityScan:
    ends = [_map_period(problem, {**given, name: float(values[place])}) for place in (0, -1)]
    growth = _growth(problem, given, name, max(found.refinement for found in ends))
    ranges = unstable_ranges(growth, values)
    maps = [growth.map_at(float(value)) for value in values]
    return StabilityScan(
        parameter=name,
        unit=problem.unit(name),
        values=values,
        periods=np.array([m.period for m in maps]),
        multipliers=np.array([m.multipliers for m in maps]),
        unstable_ranges=ranges.found,
        unseen=ranges.unseen,
    )


def _chart(
    problem: StabilityProblem, given: Mapping[str, float], over: tuple[str, Array], chart: tuple[str, Array]
) -> StabilityChart:
    (name, values), (second, rows) = over, chart
    scans = [_scan(problem, {**given, second: float(row)}, name, values) for row in rows]
    return StabilityChart(
        parameter=second,
        unit=problem.unit(second),
        values=rows,
        growth_rates=np.array([scan.growth_rates for scan in scans]),
        ranges=tuple(scan.unstable_ranges for scan in scans),
    )


def _reciprocity(multipliers: ComplexArray) -> float:
    """Largest |μ μ' − 1| when every multiplier is paired with another."""
    products = np.abs(multipliers[:, None] * multipliers[None] - 1)
    rows, columns = linear_sum_assignment(products)
    return float(products[rows, columns].max())


def _truncation(problem: StabilityProblem, given: Mapping[str, float], multipliers: ComplexArray) -> float | None:
    """Largest distance to the multipliers with more modes; None where none are left out or they are too fast."""
    r = len(multipliers) // 2
    if r >= problem.unknowns:
        return None
    more = problem.with_modes(min(r + max(2, r // 2), problem.unknowns)).system(given)
    try:
        finer = period_map(more, _CHECKED).multipliers
    except TooFastError:
        return None
    apart = np.abs(multipliers[:, None] - finer[None])
    rows, columns = linear_sum_assignment(np.minimum(apart, _NEAR))
    # the highest modes kept are those that change; half of the multipliers must hold
    return float(np.sort(apart[rows, columns])[: max(2, r)].max())


def _notices(system: PeriodicSystem, found: PeriodMap, scan: StabilityScan | None) -> tuple[str, ...]:
    notices = []
    if scan is not None and scan.unseen:
        notices.append(
            f"not looked at: {scan.unseen} meeting{'s' * (scan.unseen > 1)} of multipliers of fast motions "
            "between the values of the scan; very narrow unstable ranges may lie there: take more values, or "
            "keep fewer modes"
        )
    if isinstance(system, CycleSystem) and system.tail > _RESOLVED:
        notices.append(
            f"the coefficients along the cycle are resolved to {system.tail:.1e} only (a motion with corners, or "
            "a recording); multipliers are no better than that"
        )
    if found.error > 1e-8:
        notices.append(f"the map of one period still changed by {found.error:.1e} in its last refinement")
    return tuple(notices)
