"""flexframe run: every analysis of a case, results in a folder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flexframe.cases.case import load_case
from flexframe.cases.run import CaseResult, run_case
from flexframe.commands.console import console, print_json, progress_bar
from flexframe.commands.tables import analysis_table, headline
from flexframe.reports.build import report_html
from flexframe.results.storage import REPORT, result_folder


def run(path: Path, out: Path | None, overrides: Sequence[str], as_json: bool) -> None:
    """Compute, write and print."""
    case = load_case(path, overrides)
    directory = out or Path(f"{case.name}-results")
    with result_folder(directory) as folder:
        with progress_bar(quiet=as_json) as progress:
            result = run_case(case, progress)
        report = _report(result)
        summary = folder.write(
            summary=result.summary(), records=result.records, case_text=case.text, report=report
        )
    if as_json:
        print_json(summary)
        return
    _print_tables(summary)
    print(f"report: {directory / REPORT}")


def _report(result: CaseResult) -> str:
    case = result.case
    meta = [("case file", Path(case.file).name), ("sha256 of the case", case.sha256)]
    meta += [("set", str(override)) for override in case.overrides]
    return report_html(
        case.title,
        description=case.document.description,
        case_name=case.name,
        case_text=case.text,
        records=result.records,
        remarks={name: analysis.description for name, analysis in case.analyses.items()},
        meta=meta,
    )


def _print_tables(summary: dict[str, Any]) -> None:
    screen = console()
    screen.print(summary["title"], style="bold")
    for name, analysis in summary["analyses"].items():
        screen.print()
        screen.print(f"{name}: {headline(analysis)}")
        screen.print(analysis_table(analysis))
        for notice in analysis.get("notices", ()):
            screen.print(f"note: {notice}", style="yellow")
    screen.print()
    for note in summary.get("notes", ()):
        screen.print(f"note: {note}", style="yellow")
