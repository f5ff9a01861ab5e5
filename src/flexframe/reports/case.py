"""The report of a case that was run."""

from pathlib import Path

from flexframe.cases.run import CaseResult
from flexframe.reports.build import report_document
from flexframe.reports.document import Document


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
        meta=meta,
    )
