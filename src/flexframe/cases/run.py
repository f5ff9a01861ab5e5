"""Every analysis of a case, one after another."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass, replace
from functools import partial
from typing import Any, cast

import flexframe
from flexframe.analyses.contract import Monitor
from flexframe.cases.case import Case
from flexframe.cases.checking import section_table
from flexframe.cases.stopping import Bounds
from flexframe.entries.problems import locate_errors
from flexframe.errors import StopRequest
from flexframe.keeping import fingerprint
from flexframe.library_warnings import noted_warnings
from flexframe.phases import Phase, clock_time
from flexframe.results.checkpoint import Checkpoint, keep_in
from flexframe.results.record import Record

Progress = Callable[[float, int, str], None]
"""Told before each analysis and during long ones: how many are done (in parts), how many there are, and the name
of the one that runs ('' at the end)."""


@dataclass(frozen=True, eq=False)
class CaseResult:
    """What a case gave: a record for each analysis, and the seconds each took, in all and by phase.

    `stopped` says why analyses are missing or unfinished, where a bound of time or memory was reached or a signal
    came.
    """

    case: Case
    records: Mapping[str, Any]
    seconds: Mapping[str, Mapping[Phase, float]]
    version: str
    stopped: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """Analyses that were not done."""
        return tuple(name for name in self.case.analyses if name not in self.records)

    def summary(self) -> dict[str, Any]:
        """What goes into summary.json."""
        analyses = {}
        for name, record in self.records.items():
            spent = self.seconds[name]
            analyses[name] = {**record.summary(), "seconds": sum(spent.values()), "seconds_by_phase": dict(spent)}
            description = self.case.analyses[name].description
            if description:
                analyses[name]["description"] = description
        about: dict[str, Any] = {
            "parameters": self.case.parameters.as_json(),
            "places": self.case.places(),
            "sections": section_table(self.case.bodies().values()),
        }
        if self.stopped:
            about |= {"stopped": self.stopped, "missing": list(self.missing)}
        return {**self.stamp(), **{key: found for key, found in about.items() if found}, "analyses": analyses}

    def stamp(self) -> dict[str, Any]:
        """What was computed, from which file, with which settings and version."""
        return {
            "case": self.case.name,
            "title": self.case.title,
            "version": self.version,
            "case_sha256": self.case.sha256,
            "settings": {".".join(override.path): override.value for override in self.case.overrides},
        }


def no_progress(done: float, total: int, name: str) -> None:
    """Tell nobody."""


def run_case(
    case: Case,
    progress: Progress = no_progress,
    checkpoints: Callable[[str], Checkpoint] | None = None,
    *,
    max_time: float | None = None,
    max_memory: float | None = None,
    finished: Callable[[CaseResult], None] | None = None,
) -> CaseResult:
    """Run the analyses in their order; the first that cannot be done stops the case with its reason.

    `checkpoints` gives the place where an analysis of that name may keep what is done of it. Beyond a bound of
    time or memory the case ends with what there is; on another than the main thread that is noticed where progress
    is reported.

    Parameters
    ----------
    case
        What `load_case` returned.
    progress
        Called before each analysis and during long ones.
    checkpoints
        Where an analysis of this name keeps what is done of it.
    max_time, max_memory
        Seconds and bytes after which the case ends with what was computed so far.
    finished
        Called with the analyses that are done when a signal ends the case.

    Returns
    -------
    CaseResult
        A record for each analysis, by name, and the seconds each took, by phase.

    Examples
    --------
    >>> result = ff.run_case(ff.load_case(ff.example_paths()["rectangle_element"]))
    >>> [record.kind for record in result.records.values()]
    ['matrices', 'matrices']
    """
    records: dict[str, Any] = {}
    seconds: dict[str, Mapping[Phase, float]] = {}
    bounds = Bounds(max_time, max_memory)
    try:
        with bounds.watch():
            _run_analyses(case, _checking(bounds, progress), checkpoints, records, seconds)
    except StopRequest as request:
        if request is not bounds.request:  # a signal, or a bound of someone else
            if finished is not None:
                finished(CaseResult(case, records, seconds, flexframe.__version__, str(request)))
            raise
    early = any(getattr(record, "stopped", "") for record in records.values())
    stopped = bounds.request is not None and (early or len(records) < len(case.analyses))
    return CaseResult(case, records, seconds, flexframe.__version__, str(bounds.request) if stopped else "")


def _run_analyses(
    case: Case,
    progress: Progress,
    checkpoints: Callable[[str], Checkpoint] | None,
    records: dict[str, Any],
    seconds: dict[str, Mapping[Phase, float]],
) -> None:
    """Add the records and seconds of all analyses, one after another."""
    total = len(case.analyses)
    for name, analysis in case.analyses.items():
        progress(len(records), total, name)
        monitor = Monitor(partial(_part_done, progress, len(records), total, name), records)
        keeper = keep_in(None)
        if checkpoints is not None:
            keeper = keep_in(checkpoints(name), fingerprint(case.fingerprint, name))
        with clock_time() as clock:
            case.discrete_bodies()  # a body that cannot be integrated is refused at its field, whoever needs it
            with locate_errors(case.problems(), "analyses", name), noted_warnings() as warned, keeper:
                record = analysis.run(replace(case, monitor=monitor))
        said = () if records else case.old_words
        records[name] = _with_notices(record, (*said, *warned))
        seconds[name] = clock.seconds
    progress(total, total, "")


def _checking(bounds: Bounds, progress: Progress) -> Progress:
    """Tell progress, and look at the bounds."""

    def tell(done: float, total: int, name: str) -> None:
        if name:
            bounds.check()
        progress(done, total, name)

    return tell


def _with_notices(record: Record, added: Sequence[str]) -> Record:
    """The record with more to tell."""
    if not added:
        return record
    assert is_dataclass(record)
    return cast("Record", replace(record, notices=(*record.notices, *added)))


def _part_done(progress: Progress, before: int, total: int, name: str, fraction: float) -> None:
    """Tell that a part of one analysis is done."""
    progress(before + min(fraction, 1.0), total, name)
