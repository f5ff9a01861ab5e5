"""Every analysis of a case, one after another."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import flexframe
from flexframe.cases.case import Case
from flexframe.cases.problems import located
from flexframe.results.records import Record

Progress = Callable[[int, int, str], None]
"""Told before each analysis: how many are done, how many there are, and the name of the next ('' at the end)."""


@dataclass(frozen=True, eq=False)
class CaseResult:
    """What a case gave: a record for each analysis, and the seconds each took."""

    case: Case
    records: Mapping[str, Record]
    seconds: Mapping[str, float]
    version: str

    def summary(self) -> dict[str, Any]:
        """What goes into summary.json."""
        analyses = {}
        for name, record in self.records.items():
            analyses[name] = {**record.summary(), "seconds": self.seconds[name]}
            description = self.case.analyses[name].description
            if description:
                analyses[name]["description"] = description
        return {**self.stamp(), "analyses": analyses}

    def stamp(self) -> dict[str, Any]:
        """What was computed, from which file, with which settings and version."""
        return {
            "case": self.case.name,
            "title": self.case.title,
            "version": self.version,
            "case_sha256": self.case.sha256,
            "settings": {".".join(override.path): override.value for override in self.case.overrides},
        }


def no_progress(done: int, total: int, name: str) -> None:
    """Tell nobody."""


def run_case(case: Case, progress: Progress = no_progress) -> CaseResult:
    """Run the analyses in their order; the first that cannot be done stops the case with its reason."""
    records: dict[str, Record] = {}
    seconds: dict[str, float] = {}
    total = len(case.analyses)
    for name, analysis in case.analyses.items():
        progress(len(records), total, name)
        start = perf_counter()
        with located(case.problems(), "analyses", name):
            records[name] = analysis.run(case)
        seconds[name] = perf_counter() - start
    progress(total, total, "")
    return CaseResult(case, records, seconds, flexframe.__version__)
