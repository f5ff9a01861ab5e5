"""flexframe crosscheck: the equations of a case by every formalism."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flexframe.cases.case import Case, load_case
from flexframe.cases.kinds.campbell import CampbellEntry
from flexframe.cases.kinds.contract import TermsEntry
from flexframe.cases.kinds.crosscheck import CrosscheckEntry
from flexframe.cases.kinds.transient import TransientEntry
from flexframe.cases.problems import located
from flexframe.commands.console import console, print_json, progress_bar
from flexframe.commands.tables import analysis_table
from flexframe.errors import AnalysisError
from flexframe.results.crosscheck import Crosscheck
from flexframe.results.display import headline
from flexframe.results.system_crosscheck import SystemCrosscheck


def crosscheck(path: Path, overrides: Sequence[str], as_json: bool) -> None:
    """Compare, print, and fail where a formalism disagrees."""
    case = load_case(path, overrides)
    entries = _entries(case)
    records: dict[str, Crosscheck | SystemCrosscheck] = {}
    with progress_bar(quiet=as_json) as progress:
        for name, entry in entries.items():
            progress(len(records), len(entries), name)
            with located(case.problems(), "analyses", name):
                records[name] = entry.run(case)
        progress(len(entries), len(entries), "")
    summaries = {name: record.summary() for name, record in records.items()}
    if as_json:
        print_json({"case": case.name, "crosschecks": summaries})
    else:
        _print_tables(case, summaries)
    wrong = [f"{', '.join(r.disagreeing) or 'closed form'} ({n})" for n, r in records.items() if not r.agrees]
    if wrong:
        limit = next(iter(records.values())).tolerance
        raise AnalysisError(f"formalisms disagree beyond {limit:g}: {'; '.join(wrong)}; please report the case")


def _entries(case: Case) -> dict[str, CrosscheckEntry]:
    """The crosschecks that a case asks for, else one for each of its equations.

    These are those of the whole system where it moves by them (transient), and of every different body,
    motion, time and set of terms that its other analyses name.
    """
    asked = {name: entry for name, entry in case.analyses.items() if isinstance(entry, CrosscheckEntry)}
    if asked:
        return asked
    made: dict[str, CrosscheckEntry] = {}
    for name, analysis in case.document.body_analyses.items():
        if isinstance(analysis, CampbellEntry) and analysis.is_of_system(has_system=case.has_system):
            continue  # its equations are those of a motion that a transient of the system would compare
        terms = getattr(analysis, "terms", None) or TermsEntry()
        if isinstance(analysis, TransientEntry) and analysis.is_coupled(has_system=case.has_system):
            entry = CrosscheckEntry(kind="crosscheck", terms=terms, duration=analysis.duration)
        else:
            time = getattr(analysis, "time", 0.0)
            body = analysis.body or (next(iter(case.bodies())) if case.has_system else None)
            entry = CrosscheckEntry(kind="crosscheck", body=body, motion=analysis.motion, terms=terms, time=time)
        if entry not in made.values():
            made[name] = entry
    if not made:
        raise AnalysisError(
            "the case asks nothing whose equations could be compared; add an analysis of a meshed body, or a "
            "transient of the system"
        )
    return made


def _print_tables(case: Case, summaries: dict[str, dict[str, Any]]) -> None:
    screen = console()
    screen.print(case.title, style="bold")
    for name, summary in summaries.items():
        screen.print()
        screen.print(f"{name}: {headline(summary)}")
        screen.print(analysis_table(summary))
        for line in summary["compared"]:
            screen.print(f"compared: {line}")
        for notice in summary["notices"]:
            screen.print(f"note: {notice}", style="yellow")
