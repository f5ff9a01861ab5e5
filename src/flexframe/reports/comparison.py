"""Analyses of one case beside each other: sensors of the same name in one plot, such as rigid against flexible."""

from collections.abc import Mapping

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.presentation.blocks import Axis, Cell, Column, Plot, Series, Table
from flexframe.presentation.presentation import SensorCurves
from flexframe.presentation.scenes import Block
from flexframe.reports.document import Section
from flexframe.results.record import Record, thinned

POINTS = 1500  # of a curve


def comparison_section(records: Mapping[str, Record]) -> Section | None:
    """A plot for each sensor that two or more analyses have in the same unit, or None where there is none."""
    seen = {name: record.presentation().sensors() for name, record in records.items()}
    sensors: dict[tuple[str, str], dict[str, SensorCurves]] = {}
    for analysis, curves in seen.items():
        for sensor, (unit, _) in curves.values.items():
            sensors.setdefault((sensor, unit), {})[analysis] = curves
    shared = {key: found for key, found in sensors.items() if len(found) > 1}
    if not shared:
        return None
    plots: list[Block] = [_plot(sensor, unit, found) for (sensor, unit), found in shared.items()]
    return Section("Comparison of analyses", (_table(shared), *plots))


def _plot(sensor: str, unit: str, found: Mapping[str, SensorCurves]) -> Plot:
    series = []
    for number, (analysis, curves) in enumerate(found.items()):
        kept = thinned(len(curves.times), POINTS)
        values = curves.values[sensor][1]
        series.append(Series(analysis, curves.times[kept], values[kept], dashed=number % 2 == 1))
    return Plot(Axis("time", "s"), Axis(sensor, unit), tuple(series), title=sensor, height=300)


def _table(shared: Mapping[tuple[str, str], Mapping[str, SensorCurves]]) -> Table:
    """Largest size of each sensor in each analysis, and how far each is from the first while both last."""
    names = list(dict.fromkeys(analysis for found in shared.values() for analysis in found))
    columns = [Column("sensor"), Column("unit")]
    columns += [Column(f"largest in {name}", "", 5, of_row=True) for name in names]
    columns.append(Column("largest difference to the first", "", 5, of_row=True))
    rows: list[tuple[Cell, ...]] = []
    for (sensor, unit), found in shared.items():
        largest: list[Cell] = [
            float(np.abs(found[name].values[sensor][1]).max()) if name in found else None for name in names
        ]
        first, *others = ((curves.times, curves.values[sensor][1]) for curves in found.values())
        apart = max(difference(first, other) for other in others)
        rows.append((sensor, unit, *largest, apart))
    caption = "Sensors of the same name and unit; sizes of values, differences at the instants of both."
    return Table(tuple(columns), tuple(rows), caption=caption)


def difference(first: tuple[Array, Array], second: tuple[Array, Array]) -> float:
    """Largest distance of two curves (times, values) where both are known, between instants by straight lines."""
    begin, end = max(first[0][0], second[0][0]), min(first[0][-1], second[0][-1])
    times = np.union1d(first[0], second[0])
    times = times[(times >= begin) & (times <= end)]
    if not times.size:
        return float("nan")
    return float(np.abs(np.interp(times, *first) - np.interp(times, *second)).max())
