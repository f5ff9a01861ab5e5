"""flexframe crosscheck: the equations of a case by every formalism."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from flexframe.analyses.contract import TermsEntry
from flexframe.analyses.crosscheck.entry import CrosscheckEntry
from flexframe.analyses.crosscheck.record import Crosscheck
from flexframe.analyses.crosscheck.system_record import SystemCrosscheck
from flexframe.cases.case import Case, load_case
from flexframe.commands.console import console, print_json, progress_bar
from flexframe.commands.tables import record_tables
from flexframe.entries.problems import locate_errors
from flexframe.errors import AnalysisError
from flexframe.presentation.display import headline


def crosscheck(path: Path, overrides: Sequence[str], as_json: bool) -> None:
    """Compare, print, and fail where a formalism disagrees."""
    case = load_case(path, overrides)
    entries = _entries(case)
    records: dict[str, Crosscheck | SystemCrosscheck] = {}
    with progress_bar(quiet=as_json) as progress:
        for name, entry in entries.items():
            progress(len(records), len(entries), name)
            with locate_errors(case.problems(), "analyses", name):
                records[name] = entry.run(case)
        progress(len(entries), len(entries), "")
    if as_json:
        summaries = {name: record.summary() for name, record in records.items()}
        print_json({"case": case.name, "crosschecks": summaries})
    else:
        _print_tables(case, records)
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
        if analysis.kind == "campbell" and analysis.is_of_system(has_system=case.has_system):
            continue  # its equations are those of a motion that a transient of the system would compare
        terms = getattr(analysis, "terms", None) or TermsEntry()
        if analysis.kind == "transient" and analysis.is_of_system(has_system=case.has_system):
            entry = CrosscheckEntry(kind="crosscheck", terms=terms, duration=getattr(analysis, "duration", None))
        else:
            time = getattr(analysis, "time", 0.0)
            body = analysis.body or (next(iter(case.bodies())) if case.has_system else None)
            entry = CrosscheckEntry(
                kind="crosscheck", body=body, motion=analysis.known_motion, terms=terms, time=time
            )
        if entry not in made.values():
            made[name] = entry
    if not made:
        raise AnalysisError(
            "the case asks nothing whose equations could be compared; add an analysis of a meshed body, or a "
            "transient of the system"
        )
    return made


def _print_tables(case: Case, records: Mapping[str, Crosscheck | SystemCrosscheck]) -> None:
    screen = console()
    screen.print(case.title, style="bold")
    for name, record in records.items():
        screen.print()
        screen.print(f"{name}: {headline(record.summary())}")
        for table in record_tables(record):
            screen.print(table)
        for line in record.compared:
            screen.print(f"compared: {line}")
        for notice in record.notices:
            screen.print(f"note: {notice}", style="yellow")
