"""From the records of a case to its report."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flexframe import __version__
from flexframe.reports import (
    campbell,
    coupled_motion,
    crosscheck,
    elastic_links,
    frequency_response,
    matrices,
    mechanisms,
    mode_comparison,
    modes,
    reduction,
    run_up,
    stability,
    statics,
    transient,
)
from flexframe.reports.document import Block, Code, Document, Notice, Section, Text
from flexframe.reports.html import render_html
from flexframe.results.campbell import CampbellDiagram
from flexframe.results.coupled_motion import CoupledMotion
from flexframe.results.crosscheck import Crosscheck
from flexframe.results.cycle_spectrum import CycleSpectrum
from flexframe.results.elastic_response import ElasticResponse
from flexframe.results.frequency_response import FrequencyResponse
from flexframe.results.kinematics import Kinematics
from flexframe.results.liaison_forces import LiaisonForces
from flexframe.results.mode_comparison import ModeComparison
from flexframe.results.records import Matrices, Modes, Record, Statics
from flexframe.results.reduction import Reduction
from flexframe.results.rigid_motion import RigidMotion
from flexframe.results.run_up import RunUp
from flexframe.results.stability import Stability
from flexframe.results.system_crosscheck import SystemCrosscheck
from flexframe.results.transient import Transient

SECTIONS: tuple[tuple[type[Any], Callable[[str, Any], Section]], ...] = (
    (Modes, modes.section),
    (ModeComparison, mode_comparison.section),
    (Statics, statics.section),
    (Matrices, matrices.section),
    (Crosscheck, crosscheck.section),
    (SystemCrosscheck, crosscheck.section),
    (Transient, transient.section),
    (CoupledMotion, coupled_motion.section),
    (Reduction, reduction.section),
    (CampbellDiagram, campbell.section),
    (FrequencyResponse, frequency_response.section),
    (RunUp, run_up.section),
    (Stability, stability.section),
    (Kinematics, mechanisms.kinematics_section),
    (LiaisonForces, mechanisms.liaison_forces_section),
    (RigidMotion, mechanisms.rigid_motion_section),
    (CycleSpectrum, elastic_links.cycle_spectrum_section),
    (ElasticResponse, elastic_links.elastic_response_section),
)
"""Which section a record makes; a new kind of analysis adds one line."""


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
        make = next((make for kind, make in SECTIONS if isinstance(record, kind)), None)
        blocks: tuple[Block, ...]
        if make is None:
            blocks = (Notice("info", f"{record.kind}: no picture of this kind; see summary.json"),)
            sections.append(Section(name, blocks))
        else:
            section = make(name, record)
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
