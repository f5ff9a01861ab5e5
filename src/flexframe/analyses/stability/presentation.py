"""How stability is shown: multipliers beside the unit circle, growth over a parameter, the chart."""

from typing import ClassVar

import numpy as np

from flexframe.analyses.stability.record import Stability, StabilityChart, StabilityScan, UnstableRange
from flexframe.maths.arrays import Array
from flexframe.presentation.blocks import (
    Axis,
    Band,
    Check,
    Column,
    KeyValue,
    KeyValues,
    Notice,
    Plot,
    ReferenceLine,
    Series,
    Table,
    VerticalLine,
)
from flexframe.presentation.presentation import DataTable, Figure, Presentation, compact
from flexframe.presentation.scenes import Block

_ROWS = 60
_LABELS = 6  # ends of ranges with a number beside their line
_ROUNDING = 1e-12  # of a map whose entries are of the order of one
_CURVES = 6  # multipliers over a parameter that are drawn


class StabilityPresentation(Presentation[Stability]):
    """Multipliers beside the unit circle, growth and ranges over the parameter, chart."""

    lists: ClassVar = {
        "multipliers": ("multiplier", "part"),
        "exponents": ("multiplier", "part"),
        "scan.unstable_ranges*": ("range",),
        "scan.*": ("value",),
        "chart.unstable_ranges*": ("row", "range"),
        "chart.growth_rates": ("row", "value"),
        "chart.*": ("row",),
    }

    def blocks(self, name: str) -> tuple[Block, ...]:  # noqa: ARG002
        record = self.record
        blocks: list[Block] = [
            _figures(record),
            *(Notice("warning", text) for text in record.notices),
            _circle(record),
            _multipliers(record),
        ]
        if record.scan is not None:
            blocks += [_growth(record.scan), _sizes(record.scan), _ranges(record.scan)]
        if record.chart is not None and record.scan is not None:
            blocks.append(_chart(record.chart, record.scan))
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """Multipliers, then the unstable ranges of a scan."""
        found = _multipliers(self.record)
        tables = [compact(found, without=["frequency, up to 1/period"], caption=_multiplier_words(self.record))]
        if self.record.scan is not None:
            ranges, words = _ranges(self.record.scan), _range_words(self.record.scan, self.record)
            if isinstance(ranges, Table):
                tables.insert(0, compact(ranges, caption=words))
            else:
                tables.insert(0, Table((Column(words),), ()))
        return tuple(tables)

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        finer = "take more steps a period"
        checks = [Check("change in the last refinement", record.error, "", 1e-5, finer)]
        if record.truncation is not None:
            checks.append(Check("change with more modes", record.truncation, "", 1e-2, "keep more modes"))
        else:
            checks.append(Check("modes left out", "none" if record.complete else "much faster ones"))
        if record.reciprocity is not None:
            checks.append(
                Check("misfit of reciprocal pairs", record.reciprocity, "", 1e-5, "take more steps a period")
            )
        return tuple(checks)

    def data(self) -> DataTable:
        """A row for each multiplier, the largest first."""
        multipliers = self.record.multipliers
        columns = {
            "real": multipliers.real,
            "imaginary": multipliers.imag,
            "size": np.abs(multipliers),
            "growth_rate": self.record.exponents.real,
        }
        return DataTable("multiplier", np.arange(1, len(multipliers) + 1), columns)

    def figure(self) -> Figure:
        """Multipliers and the unit circle; below them the growth over the scan, where there is one."""
        circle, scan = _circle(self.record), self.record.scan
        return (circle,) if scan is None else (circle, _growth(scan))


def _figures(record: Stability) -> KeyValues:
    return KeyValues(
        (
            KeyValue("Motion", "stable" if record.stable else "unstable", note=_at(record)),
            KeyValue("Period", record.period, "s"),
            KeyValue("Largest multiplier", float(np.abs(record.multipliers[0])), digits=6),
            KeyValue("Growth rate", _visible(record.growth_rate, record), "1/s", digits=4),
        )
    )


def _at(record: Stability) -> str:
    """The parameters, with their units where they are known."""
    scan = record.scan
    units = {} if scan is None else {scan.parameter: scan.unit}
    if record.chart is not None:
        units[record.chart.parameter] = record.chart.unit
    return ", ".join(
        f"{key} = {value:.6g} {units.get(key, '')}".strip() for key, value in record.parameters.items()
    )


def _multiplier_words(record: Stability) -> str:
    given = _at(record)
    where = f" at {given}" if given else ""
    return (
        f"Floquet's multipliers: factors of disturbances over a period of {record.period:.5g} s{where}; "
        "a size above 1 grows."
    )


def _range_words(scan: StabilityScan, record: Stability) -> str:
    """What the table of unstable ranges says, and at which value of the second parameter of a chart."""
    name = scan.parameter.replace("_", " ")
    chart = record.chart
    held = {} if chart is None else {k: v for k, v in record.parameters.items() if k == chart.parameter}
    more = "".join(f", {key} = {value:g} (others in the chart of the report)" for key, value in held.items())
    low, high = float(scan.values[0]), float(scan.values[-1])
    if not scan.unstable_ranges:
        return f"no unstable {name} between {low:.5g} and {high:.5g} {scan.unit}".strip() + more
    return f"Ranges of {name} in which disturbances grow{more}."


def _circle(record: Stability) -> Plot:
    angle = np.linspace(0.0, 2 * np.pi, 181)
    mu = record.multipliers
    out = np.abs(mu) > 1 + 1e-6
    reach = 1.15 * max(1.0, float(np.abs(mu).max()))
    points = [Series("unit circle", np.cos(angle), np.sin(angle), colour="grey")]
    for word, chosen, colour in (("inside or on it", ~out, "blue"), ("outside: growing", out, "red")):
        if chosen.any():
            points.append(Series(word, mu[chosen].real, mu[chosen].imag, colour=colour, line=False, markers=True))
    return Plot(
        x=Axis("real part", minimum=-1.6 * reach, maximum=1.6 * reach),
        y=Axis("imaginary part", minimum=-reach, maximum=reach),
        series=tuple(points),
        title="Floquet's multipliers",
        caption=f"Factors of disturbances over one period. {record.method[:1].upper()}{record.method[1:]}.",
        height=420,
    )


def _multipliers(record: Stability) -> Table:
    columns = (
        Column("real part", "", 8),
        Column("imaginary part", "", 8),
        Column("size", "", 10),
        Column("growth", "1/s", 5),
        Column("frequency, up to 1/period", "Hz", 6),
    )
    rows = tuple(
        (
            *(_size(part) for part in (m.real, m.imag, abs(m))),
            _visible(e.real, record),
            float(abs(e.imag) / (2 * np.pi)),
        )
        for m, e in zip(record.multipliers, record.exponents, strict=True)
    )
    more = f" {len(rows) - _ROWS} more are in summary.json." if len(rows) > _ROWS else ""
    return Table(columns, rows[:_ROWS], caption="Multipliers μ and exponents log μ / period." + more)


def _size(part: float) -> float:
    """A part of a multiplier; what is left of a disturbance below rounding is nothing."""
    return float(part) if abs(part) > _ROUNDING else 0.0


def _visible(growth: float, record: Stability) -> float:
    """A growth rate, zero where a period changes nothing but the last digits."""
    return float(growth) if abs(growth) * record.period > 1e-11 else 0.0


def _edges(ranges: tuple[UnstableRange, ...]) -> tuple[VerticalLine, ...]:
    ends = [end for r in ranges for end, is_open in ((r.low, r.open_low), (r.high, r.open_high)) if not is_open]
    named = len(ends) <= _LABELS  # the table below has them all
    return tuple(VerticalLine("", end, digits=5 if named else 0) for end in ends[:24])


def _growth(scan: StabilityScan) -> Plot:
    points = list(zip(scan.values.tolist(), scan.growth_rates.tolist(), strict=True))
    for r in scan.unstable_ranges:
        points.append((r.at, r.growth_rate))
        points += [(end, 0.0) for end, cut in ((r.low, r.open_low), (r.high, r.open_high)) if not cut]
    value, growth = np.array(sorted(set(points))).T
    return Plot(
        x=Axis(scan.parameter, scan.unit),
        y=Axis("growth rate", "1/s"),
        series=(Series("fastest disturbance", value, growth, colour="red", markers=len(growth) < 80),),
        title=f"Growth over {scan.parameter}",
        reference_lines=(ReferenceLine("stable at or below", 0.0), *_edges(scan.unstable_ranges)),
        caption="log |μ| / period of the largest multiplier. Vertical lines are solved ends of unstable ranges.",
    )


def _sizes(scan: StabilityScan) -> Plot:
    sizes = np.abs(scan.multipliers)[:, :: max(1, scan.multipliers.shape[1] // _CURVES)]
    return Plot(
        x=Axis(scan.parameter, scan.unit),
        y=Axis("size of the multipliers", "", log=bool((sizes > 0).all())),
        series=tuple(Series(f"{k + 1}.", scan.values, sizes[:, k]) for k in range(sizes.shape[1])),
        title="Size of the multipliers, by rank",
        reference_lines=(ReferenceLine("unit circle", 0.0, 1.0),),
        height=260,
    )


def _ranges(scan: StabilityScan) -> Block:
    if not scan.unstable_ranges:
        return Notice("info", f"No unstable range of {scan.parameter} between the values of the scan was found.")
    columns = (
        Column(f"{scan.parameter.replace('_', ' ')} from", scan.unit, 8),
        Column("to", scan.unit, 8),
        Column("ends"),
        Column("largest growth seen", "1/s", 4),
        Column("at", scan.unit, 6),
        Column("disturbances grow"),
    )
    words = {
        (False, False): "solved",
        (True, False): "starts below the scan",
        (False, True): "goes on above the scan",
        (True, True): "the whole scan",
    }
    rows = tuple(
        (r.low, r.high, words[r.open_low, r.open_high], r.growth_rate, r.at, r.kind) for r in scan.unstable_ranges
    )
    return Table(
        columns,
        rows[:_ROWS],
        caption="Unstable ranges, also those between two values of the scan, found where multipliers of opposite "
        "signature meet.",
    )


def _chart(chart: StabilityChart, scan: StabilityScan) -> Plot:
    """Shaded unstable ranges of every row, the parameter of the scan upwards so that bands can be drawn."""
    bands, points = [], []
    rows = [[(r.low, r.high) for r in row] for row in chart.ranges]
    for number, (low, high) in enumerate(_tongues(rows)):
        known = np.isfinite(low)
        if known.sum() > 1:
            bands.append(
                Band(f"unstable {number + 1}", chart.values[known], low[known], high[known], colour="red")
            )
    solved = [
        (x, end)
        for x, row in zip(chart.values, chart.ranges, strict=True)
        for r in row
        for end, is_open in ((r.low, r.open_low), (r.high, r.open_high))
        if not is_open
    ]
    if solved:
        x, y = np.array(solved).T
        points.append(Series("solved ends", x, y, colour="grey", line=False, markers=True))
    return Plot(
        x=Axis(chart.parameter, chart.unit),
        y=Axis(scan.parameter, scan.unit, minimum=float(scan.values[0]), maximum=float(scan.values[-1])),
        series=tuple(points),
        bands=tuple(bands),
        title="Stability chart",
        caption="Disturbances grow in the shaded ranges; ends are solved at every value of the abscissa.",
        height=460,
    )


def _tongues(rows: list[list[tuple[float, float]]]) -> list[tuple[Array, Array]]:
    """Ranges of neighbouring rows that overlap most are one band; NaN where a band has no range."""
    count = len(rows)
    bands: list[tuple[Array, Array]] = []
    last: dict[int, tuple[float, float]] = {}
    for i, row in enumerate(rows):
        now: dict[int, tuple[float, float]] = {}
        for low, high in row:
            shared = {b: min(high, e[1]) - max(low, e[0]) for b, e in last.items() if b not in now}
            best = max(shared, key=lambda b: shared[b], default=-1)
            if best < 0 or shared[best] < -0.5 * (high - low):
                bands.append((np.full(count, np.nan), np.full(count, np.nan)))
                best = len(bands) - 1
            bands[best][0][i], bands[best][1][i] = low, high
            now[best] = (low, high)
        last = now
    return bands
