"""The record of the stability of a system with periodic coefficients: multipliers, unstable ranges, a chart."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from flexframe.maths.arrays import Array, ComplexArray
from flexframe.results.record import NamedArrays, Record, thin

SUMMARY_SAMPLES = 300


@dataclass(frozen=True)
class UnstableRange:
    """Between `low` and `high` disturbances grow; open ends are those of the scan, the others are solved."""

    low: float
    high: float
    open_low: bool
    open_high: bool
    growth_rate: float  # the largest that was seen, 1/s
    at: float  # where
    kind: str  # "at the period" (μ real, positive), "at twice the period" (negative), "two motions together"


@dataclass(frozen=True, eq=False)
class StabilityScan:
    """Multipliers and growth over values of a parameter, and the ranges in which disturbances grow."""

    parameter: str
    unit: str
    values: Array  # (values,)
    periods: Array  # s: (values,)
    multipliers: ComplexArray  # the largest first: (values, 2r)
    unstable_ranges: tuple[UnstableRange, ...]
    unseen: int = 0  # meetings of multipliers between the values that were not looked at

    @property
    def growth_rates(self) -> Array:
        """log |μ|max / period, 1/s; negative where every disturbance dies away: (values,)."""
        return np.asarray(np.log(np.abs(self.multipliers).max(axis=1)) / self.periods)


@dataclass(frozen=True, eq=False)
class StabilityChart:
    """Growth over two parameters, and the solved ranges of the first at every value of the second."""

    parameter: str
    unit: str
    values: Array  # of the second parameter: (rows,)
    growth_rates: Array  # 1/s: (rows, values of the scan)
    ranges: tuple[tuple[UnstableRange, ...], ...]  # of each row


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Record):
    """Floquet's multipliers of one period: factors by which disturbances grow or die.

    `error` is the change of the map of a period in its last refinement, `truncation` the largest change of a
    multiplier when half as many modes more are kept (None: nothing is left out, or what is left out is too fast).
    Of a conservative system the multipliers come in reciprocal pairs; `reciprocity` is the largest misfit, None
    with damping.
    """

    kind: ClassVar[str] = "stability"
    presented_by: ClassVar[str] = ".presentation:StabilityPresentation"

    subject: str
    parameters: Mapping[str, float]
    period: float  # s
    multipliers: ComplexArray  # the largest first: (2r,)
    stable: bool
    reciprocity: float | None
    error: float
    truncation: float | None
    steps: int
    unknowns: int
    method: str
    scan: StabilityScan | None = None
    chart: StabilityChart | None = None
    notices: tuple[str, ...] = ()

    @property
    def exponents(self) -> ComplexArray:
        """log μ / period [1/s]; imaginary parts are known up to multiples of 2π / period."""
        return np.asarray(np.log(self.multipliers) / self.period)

    @property
    def complete(self) -> bool:
        """Whether every mode takes part."""
        return len(self.multipliers) >= 2 * self.unknowns

    @property
    def growth_rate(self) -> float:
        """Largest real part of an exponent, 1/s."""
        return float(self.exponents.real.max())

    def summary(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "kind": self.kind,
            "subject": self.subject,
            "parameters": dict(self.parameters),
            "period_s": self.period,
            "stable": self.stable,
            "multipliers": _pairs(self.multipliers),
            "exponents": _pairs(self.exponents),
            "growth_rate": self.growth_rate,
            "conservative": self.reciprocity is not None,
            "reciprocity": self.reciprocity,
            "error": self.error,
            "truncation": self.truncation,
            "steps": self.steps,
            "unknowns": self.unknowns,
            "method": self.method,
            "notices": list(self.notices),
        }
        if self.scan is not None:
            chosen = thin(len(self.scan.values), SUMMARY_SAMPLES)
            out["scan"] = {
                "parameter": self.scan.parameter,
                "unit": self.scan.unit,
                "values": self.scan.values[chosen].tolist(),
                "growth_rates": self.scan.growth_rates[chosen].tolist(),
                "largest_multipliers": np.abs(self.scan.multipliers[chosen, 0]).tolist(),
                "unstable_ranges": [asdict(r) for r in self.scan.unstable_ranges],
                "samples": {"shown": len(chosen), "kept": len(self.scan.values)},
            }
        if self.chart is not None:
            out["chart"] = {
                "parameter": self.chart.parameter,
                "unit": self.chart.unit,
                "values": self.chart.values.tolist(),
                "unstable_ranges": [[asdict(r) for r in row] for row in self.chart.ranges],
            }
        return out

    def arrays(self) -> NamedArrays:
        data: dict[str, Any] = {
            "multiplier": (("number", "part"), np.stack([self.multipliers.real, self.multipliers.imag], -1)),
        }
        coords: dict[str, Any] = {"part": ["re", "im"]}
        if self.scan is not None:
            mu = self.scan.multipliers
            data["scan_multiplier"] = (("value", "number", "part"), np.stack([mu.real, mu.imag], -1))
            data["growth_rate"] = ("value", self.scan.growth_rates, {"units": "1/s"})
            coords["value"] = ("value", self.scan.values, {"parameter": self.scan.parameter})
        if self.chart is not None:
            data["chart_growth_rate"] = (("row", "value"), self.chart.growth_rates, {"units": "1/s"})
            coords["row"] = ("row", self.chart.values, {"parameter": self.chart.parameter})
        return NamedArrays(data, coords=coords, attrs={"kind": self.kind, "period": self.period})


def _pairs(values: ComplexArray) -> list[list[float]]:
    return [[float(v.real), float(v.imag)] for v in values]
