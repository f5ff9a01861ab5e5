"""From the records of a case to its report."""

from collections.abc import Mapping, Sequence

from flexframe import __version__
from flexframe.presentation.blocks import Code, Text
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
    meta: Sequence[tuple[str, str]] = (),
) -> Document:
    """A document with a section for each analysis, opened by its remark, and the case file at the end."""
    sections = []
    remarks = remarks or {}
    if description:
        sections.append(Section("About this case", (Text(description),)))
    for name, record in records.items():
        opening = (Text(remarks[name]),) if remarks.get(name) else ()
        sections.append(Section(name, (*opening, *record.presentation().blocks(name))))
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
