"""flexframe run: every analysis of a case, results in a folder."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flexframe.cases.case import Case, load_case
from flexframe.cases.run import run_case
from flexframe.commands.console import complain, console, print_json, progress_bar
from flexframe.commands.tables import quality_lines, record_tables
from flexframe.entries.problems import located
from flexframe.errors import AnalysisError
from flexframe.presentation.display import headline
from flexframe.presentation.units import DisplayUnits
from flexframe.reports.build import case_document
from flexframe.reports.html import render_html
from flexframe.results.checkpoint import checkpoint_beside
from flexframe.results.record import Record
from flexframe.results.storage import REPORT, result_folder


def run(
    path: Path,
    out: Path | None,
    overrides: Sequence[str],
    as_json: bool,
    *,
    resume: bool = False,
    confined: bool = False,
) -> None:
    """Compute, write and print; a motion that ended early is written, too, and then told as an error."""
    case = load_case(path, overrides, confined=confined)
    directory = out or Path(f"{case.name}-results")
    with result_folder(directory) as folder:
        kept = {name: checkpoint_beside(folder.path, name, resume=resume) for name in case.analyses}
        try:
            with progress_bar(quiet=as_json) as progress:
                result = run_case(case, progress, kept.__getitem__)
        except KeyboardInterrupt:
            if any(checkpoint.path.exists() for checkpoint in kept.values()):
                complain("an unfinished motion is kept; --resume goes on from there")
            raise
        report = render_html(case_document(result))
        summary = folder.write(
            summary=result.summary(), records=result.records, case_text=case.text, report=report
        )
        for checkpoint in kept.values():
            checkpoint.clear()
    if as_json:
        print_json(summary)
    else:
        _print_tables(summary, result.records, case.units)
        print(f"report: {directory / REPORT}")
    _require_finished(case, summary)


def _require_finished(case: Case, summary: Mapping[str, Any]) -> None:
    """An error at the first motion that ended before its time."""
    for name, found in summary["analyses"].items():
        if found.get("stopped"):
            with located(case.problems(), "analyses", name):
                raise AnalysisError(f"the motion ends early: {found['stopped']}; what there is of it was written")


def _print_tables(summary: dict[str, Any], records: Mapping[str, Record], units: DisplayUnits) -> None:
    screen = console()
    screen.print(summary["title"], style="bold")
    for name, analysis in summary["analyses"].items():
        screen.print()
        screen.print(f"{name}: {headline(analysis, units)}")
        for table in record_tables(records[name], units):
            screen.print(table)
        for line in quality_lines(records[name]):
            screen.print(line)
        for notice in analysis.get("notices", ()):
            screen.print(f"note: {notice}", style="yellow")
    screen.print()
    for note in summary.get("notes", ()):
        screen.print(f"note: {note}", style="yellow")
