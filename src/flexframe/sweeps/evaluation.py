"""One case of a sweep: from its values to its numbers, the same wherever it is computed."""

import gc
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Any, Literal

import flexframe
from flexframe.cases.case import Case, build_case
from flexframe.cases.document import Override
from flexframe.cases.run import run_case
from flexframe.cases.source import Node, parse_yaml
from flexframe.errors import AnalysisError, FlexframeError
from flexframe.files import Folder
from flexframe.library_warnings import keep_from_terminal
from flexframe.maths.solver_settings import limited_threads
from flexframe.results.storage import finite_summary
from flexframe.sweeps.plan import Values

Quantities = dict[str, Any]
"""Dotted name → number, text or nested lists of them, as JSON holds them."""

LEFT_OUT = frozenset(
    {
        "seconds",
        "seconds_by_phase",
        "steps_per_second",
        "resumed_at_s",
        "notices",
        "description",
        "terms",
        "samples",
    }
)
"""Fields that are no results: how long it took differs from run to run, the others repeat the case."""


def quantities(summary: Mapping[str, Any], keep: Sequence[str] = ()) -> Quantities:
    """Every number and list of a summary; with `keep` only those whose names fit one of the patterns."""
    found: Quantities = {}
    for analysis, fields in summary["analyses"].items():
        _collect(fields, analysis, found)
    if not keep:
        return found
    return {name: value for name, value in found.items() if _is_kept(name, keep)}


def _is_kept(name: str, keep: Sequence[str]) -> bool:
    return is_word(name) or any(fnmatchcase(name, pattern) for pattern in keep)


def is_word(name: str) -> bool:
    """Whether a field tells how to read the numbers beside it: the kind of an analysis, or a unit."""
    return name.endswith(".unit") or (name.endswith(".kind") and name.count(".") == 1)


def _collect(value: Any, name: str, found: Quantities) -> None:
    last = name.rpartition(".")[2]
    if last in LEFT_OUT:
        return
    match value:
        case Mapping():
            for key, part in value.items():
                _collect(part, f"{name}.{key}", found)
        case [Mapping(), *_]:
            for key in dict.fromkeys(key for entry in value for key in entry):
                _collect([entry.get(key) for entry in value], f"{name}.{key}", found)
        case str():
            if is_word(name):
                found[name] = value
        case _:
            found[name] = value


THREADS = "FLEXFRAME_THREADS"

_one_at_a_time = Lock()
"""Threads of a process share the libraries' settings, so its cases follow each other."""

_latest: list[Case] = []
"""The case before, at most; bodies that the next one has, too, are not integrated again."""


@dataclass(frozen=True)
class CaseSource:
    """What every case of a sweep has in common; when `confined`, files are opened below the folder only."""

    text: str
    file: str
    folder: str
    settings: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]
    threads: int = 1
    keep: tuple[str, ...] = ()
    confined: bool = False
    max_memory: float | None = None  # bytes of the process that computes a case
    version: str = flexframe.__version__

    def case(self, values: Values) -> Case:
        """The case with these values; the text is parsed once in a process."""
        changes = [Override(path, value) for path, value in zip(self.paths, values, strict=True)]
        settings = [*(Override.parse(setting) for setting in self.settings), *changes]
        root = _parse(self.text, self.file)
        folder = Folder(Path(self.folder), self.confined)
        return build_case(root, self.text, file=self.file, folder=folder, settings=settings)

    def as_json(self) -> str:
        """One line of text."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "CaseSource":
        data: dict[str, Any] = json.loads(text)
        paths = tuple(tuple(path) for path in data.pop("paths"))
        settings, keep = tuple(data.pop("settings")), tuple(data.pop("keep"))
        return cls(paths=paths, settings=settings, keep=keep, **data)


@dataclass(frozen=True)
class Task:
    """A case to compute: its place in the plan and its values."""

    index: int
    values: Values


@dataclass(frozen=True)
class Outcome:
    """What became of a case: its numbers, or the reason why there are none."""

    index: int
    status: Literal["done", "failed"]
    seconds: float
    quantities: Quantities = field(default_factory=dict)
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Outcome":
        return cls(**data)


def evaluate(source: CaseSource, task: Task) -> Outcome:
    """Run a case; whatever stops it is its outcome, so that the other cases go on."""
    _require_version(source.version)
    with _one_at_a_time, _threads(source.threads):
        start = perf_counter()
        try:
            result = run_case(_prepare(source, task.values), max_memory=source.max_memory)
            if result.stopped:
                _latest.clear()
                gc.collect()  # nothing of it stays
                return Outcome(task.index, "failed", perf_counter() - start, reason=result.stopped)
            summary = finite_summary(result.summary())
            found = quantities(summary, source.keep)
        except FlexframeError as error:
            return Outcome(task.index, "failed", perf_counter() - start, reason=str(error))
        except MemoryError:
            return Outcome(task.index, "failed", perf_counter() - start, reason="there was not enough memory")
        except Exception as error:  # a fault of ours: reported as the reason, and the sweep goes on
            reason = f"internal error: {type(error).__name__}: {error}; please report it"
            return Outcome(task.index, "failed", perf_counter() - start, reason=reason)
        reason = _ended_early(summary)
        return Outcome(task.index, "failed" if reason else "done", perf_counter() - start, found, reason)


def evaluate_some(source: CaseSource, tasks: Sequence[Task], seconds: float) -> list[Outcome]:
    """Run cases until the time is up, one at least; those that are not among the outcomes are still to be run."""
    keep_from_terminal()
    start = perf_counter()
    found = []
    for task in tasks:
        found.append(evaluate(source, task))
        if perf_counter() - start > seconds:
            break
    return found


def _prepare(source: CaseSource, values: Values) -> Case:
    """The case, with the matrices of the one before where only motion and analyses differ."""
    case = source.case(values)
    for earlier in _latest:
        case.adopt(earlier)
    _latest[:] = [case]
    return case


def sample_case(source: CaseSource, points: Sequence[Values]) -> Case:
    """The first, the middle or the last case, whichever can be built; the first error when none can."""
    refusals: list[FlexframeError] = []
    for index in dict.fromkeys((0, len(points) // 2, len(points) - 1)):
        try:
            return source.case(points[index])
        except FlexframeError as error:
            refusals.append(error)
    raise refusals[0]


def _ended_early(summary: Mapping[str, Any]) -> str:
    """Motions that stopped before their time; what they gave until then is kept."""
    early = {name: found["stopped"] for name, found in summary["analyses"].items() if found.get("stopped")}
    return "; ".join(f"{name} ended early: {reason}" for name, reason in early.items())


def _require_version(wanted: str) -> None:
    """Another version may round differently, or know other analyses: none of the cases should run."""
    if flexframe.__version__ != wanted:
        raise AnalysisError(
            f"the worker has flexframe {flexframe.__version__}, the sweep is of {wanted}; install the same there"
        )


@lru_cache(maxsize=4)
def _parse(text: str, file: str) -> Node:
    return parse_yaml(text, file)


@contextmanager
def _threads(count: int) -> Iterator[None]:
    """The same number of threads everywhere: sums are rounded alike, and workers do not crowd each other."""
    before = os.environ.get(THREADS)
    os.environ[THREADS] = str(count)
    try:
        with limited_threads(count):
            yield
    finally:
        if before is None:
            del os.environ[THREADS]
        else:
            os.environ[THREADS] = before
