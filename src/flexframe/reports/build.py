"""From the records of a case to its report."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flexframe import __version__, reports
from flexframe.reports.document import Block, Code, Document, Notice, Section, Text
from flexframe.reports.html import render_html
from flexframe.results.records import Record

SECTIONS: Mapping[str, Callable[[], Callable[[str, Any], Section]]] = {
    "Modes": lambda: reports.modes.section,
    "ModeComparison": lambda: reports.mode_comparison.section,
    "Statics": lambda: reports.statics.section,
    "SystemStatics": lambda: reports.system_statics.section,
    "Matrices": lambda: reports.matrices.section,
    "Crosscheck": lambda: reports.crosscheck.section,
    "SystemCrosscheck": lambda: reports.crosscheck.section,
    "Transient": lambda: reports.transient.section,
    "CoupledMotion": lambda: reports.coupled_motion.section,
    "Reduction": lambda: reports.reduction.section,
    "CampbellDiagram": lambda: reports.campbell.section,
    "SystemCampbell": lambda: reports.system_campbell.section,
    "FrequencyResponse": lambda: reports.frequency_response.section,
    "RunUp": lambda: reports.run_up.section,
    "Stability": lambda: reports.stability.section,
    "Kinematics": lambda: reports.mechanisms.kinematics_section,
    "JointForces": lambda: reports.mechanisms.joint_forces_section,
    "RigidMotion": lambda: reports.mechanisms.rigid_motion_section,
    "CycleSpectrum": lambda: reports.elastic_links.cycle_spectrum_section,
    "ElasticResponse": lambda: reports.elastic_links.elastic_response_section,
}
"""Which section a record makes, by the name of its class; a new kind of analysis adds one line.

A module is loaded when it has something to say.
"""


def report_document(
    title: str,
    *,
    description: str,
    case_name: str,
    case_text: str,
    records: Mapping[str, Record],
    remarks: Mapping[str, str] | None = None,
    meta: Sequence[tuple[str, str]] = (),
) -> Document:
    """A document with a section for each analysis, opened by its remark, and the case file at the end."""
    sections = []
    remarks = remarks or {}
    if description:
        sections.append(Section("About this case", (Text(description),)))
    for name, record in records.items():
        make = SECTIONS.get(type(record).__name__)
        blocks: tuple[Block, ...]
        if make is None:
            blocks = (Notice("info", f"{record.kind}: no picture of this kind; see summary.json"),)
            sections.append(Section(name, blocks))
        else:
            section = make()(name, record)
            opening = (Text(remarks[name]),) if remarks.get(name) else ()
            sections.append(Section(section.title, (*opening, *section.blocks)))
    sections.append(Section("Case file", (Code(case_text, "yaml", caption=case_name),)))
    return Document(
        title=title, sections=tuple(sections), case_name=case_name, version=__version__, meta=tuple(meta)
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
