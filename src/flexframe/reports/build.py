"""From the records of a case to its report."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from flexframe import __version__
from flexframe.cases.run import CaseResult
from flexframe.phases import Phase
from flexframe.presentation.blocks import Check, Code, Quality, Text
from flexframe.presentation.scenes import Scene
from flexframe.presentation.units import SI, DisplayUnits, in_units
from flexframe.reports.comparison import comparison_section
from flexframe.reports.document import Document, Section
from flexframe.reports.html import render_html
from flexframe.results.record import Record


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
