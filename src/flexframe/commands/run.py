"""flexframe run: every analysis of a case, results in a folder."""

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flexframe.cases.case import Case, load_case
from flexframe.cases.run import CaseResult, run_case
from flexframe.commands.console import complain, console, memory_bytes, print_json, progress_bar, seconds
from flexframe.commands.tables import quality_lines, record_tables
from flexframe.entries.problems import list_names, locate_errors
from flexframe.errors import AnalysisError, InputError, StopRequest
from flexframe.presentation.display import headline
from flexframe.presentation.units import DisplayUnits
from flexframe.reports.build import case_document
from flexframe.reports.document import render_html
from flexframe.results.checkpoint import Checkpoint
from flexframe.results.record import Record
from flexframe.results.storage import REPORT, SUMMARY, ResultFolder, read_results, result_folder


@dataclass(frozen=True)
class RunOptions:
    """What the command line says beside the case and the folder."""

    overrides: Sequence[str] = ()
    resume: bool = False
    confined: bool = False
    max_time: str | None = None
    max_memory: str | None = None
    workers: int | None = None
    scheduler: str | None = None
    as_json: bool = False

    def working(self) -> AbstractContextManager[None]:
        """Who works on the parts of divided models."""
        if self.workers is None and self.scheduler is None:
            return nullcontext()
        from flexframe.analyses.workers import workers

        return workers(self.workers, scheduler=self.scheduler)


def run(path: Path, out: Path | None, options: RunOptions | None = None) -> None:
    """Compute, write and print; a motion that ended early is written, too, and then reported as an error."""
    options = options or RunOptions()
    longest, most = seconds("--max-time", options.max_time), memory_bytes("--max-memory", options.max_memory)
    if most is not None:
        os.environ.setdefault("FLEXFRAME_MEMORY", f"{most / 1e9:g}")  # that factors may take
    case = load_case(path, options.overrides, confined=options.confined)
    directory = out or Path(f"{case.name}-results")
    with result_folder(directory) as folder:
        kept = {name: folder.checkpoint(name, resume=options.resume) for name in case.analyses}
        for note in case.announcements():
            complain(f"note: {note}")
        parts: list[CaseResult] = []
        try:
            with options.working(), progress_bar(quiet=options.as_json) as progress:
                result = run_case(
                    case, progress, kept.__getitem__, max_time=longest, max_memory=most, finished=parts.append
                )
        except StopRequest as request:
            words = _stopped_words(request, kept)
            request.reason = words + "".join(_write_part(part, folder, directory) for part in parts)
            raise
        if result.stopped:
            words = _stopped_words(StopRequest(result.stopped, 3), kept)
            raise AnalysisError(words + _write_part(result, folder, directory))
        summary = _write(result, folder)
        for checkpoint in kept.values():
            checkpoint.clear()
    _show(summary, result, directory, as_json=options.as_json)
    _require_finished(case, summary)


def _stopped_words(request: StopRequest, kept: Mapping[str, Checkpoint]) -> str:
    """Why and where it was stopped, and how to go on."""
    unfinished = [name for name, checkpoint in kept.items() if checkpoint.path.exists()]
    if not unfinished:
        return f"{request.reason}; nothing unfinished is kept"
    reached = f" at {request.reached}" if request.reached else ""
    return f"{request.reason}: stopped in {unfinished[-1]}{reached}; continue with the same command and --resume"


def _write(result: CaseResult, folder: ResultFolder) -> dict[str, Any]:
    report = render_html(case_document(result))
    return folder.write(
        summary=result.summary(), records=result.records, case_text=result.case.text, report=report
    )


def _write_part(result: CaseResult, folder: ResultFolder, directory: Path) -> str:
    """Write what a signal or bound left of a case, never in place of whole earlier results; words about it."""
    left = f"; not done: {list_names(result.missing)}" if result.missing else ""
    if not result.records:
        return left
    if not _is_whole(folder):
        _write(result, folder)
    else:
        directory = directory.with_name(f"{directory.name}-unfinished")
        with result_folder(directory) as other:
            _write(result, other)
    return f"{left}; what there is was written to {directory}"


def _is_whole(folder: ResultFolder) -> bool:
    """Whether a run that nothing stopped has written its results there."""
    if not (folder.path / SUMMARY).exists():
        return False
    try:
        return "stopped" not in read_results(folder.path).summary
    except InputError:  # of another version, or damaged
        return True


def _show(summary: dict[str, Any], result: CaseResult, directory: Path, *, as_json: bool) -> None:
    if as_json:
        print_json(summary)
    else:
        _print_tables(summary, result.records, result.case.units)
        print(f"report: {directory / REPORT}")


def _require_finished(case: Case, summary: Mapping[str, Any]) -> None:
    """An error at the first motion that ended before its time."""
    for name, found in summary["analyses"].items():
        if found.get("stopped"):
            with locate_errors(case.problems(), "analyses", name):
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
