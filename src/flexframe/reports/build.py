"""From the records of a case to its report."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from flexframe import __version__
from flexframe.cases.run import CaseResult
from flexframe.maths.arrays import Array
from flexframe.phases import Phase
from flexframe.presentation.blocks import Axis, Cell, Check, Code, Column, Plot, Quality, Series, Table, Text
from flexframe.presentation.presentation import SensorCurves
from flexframe.presentation.scenes import Block, Scene
from flexframe.presentation.units import SI, DisplayUnits, in_units
from flexframe.reports.document import Document, Section, render_html
from flexframe.results.record import Record, thin

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
        kept = thin(len(curves.times), POINTS)
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


def report_document(
    title: str,
    *,
    description: str,
    case_name: str,
    case_text: str,
    records: Mapping[str, Record],
    remarks: Mapping[str, str] | None = None,
    seconds: Mapping[str, Mapping[Phase, float]] | None = None,
    meta: Sequence[tuple[str, str]] = (),
    units: DisplayUnits = SI,
) -> Document:
    """A document with a section for each analysis, opened by its remark, and the case file at the end."""
    sections = []
    remarks = remarks or {}
    if description:
        sections.append(Section("About this case", (Text(description),)))
    for name, record in records.items():
        opening = (Text(remarks[name]),) if remarks.get(name) else ()
        presentation = record.presentation()
        blocks = tuple(in_units(block, units) for block in presentation.blocks(name))
        checks = (*presentation.quality(), *_time(seconds[name] if seconds else {}))
        sections.append(Section(name, (*opening, *blocks, *((Quality(checks),) if checks else ()))))
    compared = comparison_section(records)
    if compared is not None:
        blocks = tuple(in_units(block, units) for block in compared.blocks)
        sections.append(Section(compared.title, blocks))
    if case_text:
        sections.append(Section("Case file", (Code(case_text, "yaml", caption=case_name),)))
    return Document(
        title=title, sections=tuple(sections), case_name=case_name, version=__version__, meta=tuple(meta)
    )


def _time(seconds: Mapping[Phase, float]) -> tuple[Check, ...]:
    """What an analysis took, and the phases that took more than a hundredth of it."""
    total = sum(seconds.values())
    if not total:
        return ()
    parts = [f"{name} {spent:.2g}" for name, spent in seconds.items() if spent > 0.01 * total]
    return (Check("time", f"{total:.3g} s ({', '.join(parts)})" if len(parts) > 1 else f"{total:.3g} s"),)


def case_document(result: CaseResult) -> Document:
    """A section for each analysis, with the remarks of the case, its file and what was set from outside."""
    case = result.case
    meta = [("case file", Path(case.file).name), ("sha256 of the case", case.sha256)]
    meta += [(f"parameter {name}", str(parameter)) for name, parameter in case.parameters.found.items()]
    meta += [("set", str(override)) for override in case.overrides]
    return report_document(
        case.title,
        description=case.document.description,
        case_name=case.name,
        case_text=case.text,
        records=result.records,
        remarks={name: analysis.description for name, analysis in case.analyses.items()},
        seconds=result.seconds,
        meta=meta,
        units=case.units,
    )


def report_html(
    title: str,
    *,
    description: str,
    case_name: str,
    case_text: str,
    records: Mapping[str, Record],
    remarks: Mapping[str, str] | None = None,
    meta: Sequence[tuple[str, str]] = (),
) -> str:
    """The report as one self-contained page."""
    return render_html(
        report_document(
            title,
            description=description,
            case_name=case_name,
            case_text=case_text,
            records=records,
            remarks=remarks,
            meta=meta,
        )
    )


def scene_html(title: str, scene: Scene) -> str:
    """One moving picture as a page."""
    shown = in_units(replace(scene, autoplay=True), SI)
    return render_html(Document(title=title, sections=(Section(title, (shown,)),), version=__version__))
