"""Runs on the disk: what was asked, how far it is and what it gave; a restart of the server finds them again."""

import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any, Literal

from pydantic import TypeAdapter

from flexframe.errors import FlexframeError, InputError
from flexframe.files import Folder
from flexframe.results.folders import FolderBusyError, folder_lock
from flexframe.results.storage import SUMMARY
from flexframe.studio.bounds import MAX_INPUT, MAX_STATE
from flexframe.studio.workspace import CaseText, NotThereError, Workspace

Status = Literal["queued", "running", "done", "failed", "cancelled", "interrupted"]
FINAL: tuple[Status, ...] = ("done", "failed", "cancelled", "interrupted")
RUN_ID = r"^[0-9]{8}-[0-9]{6}-[0-9]{6}[0-9a-f]{4}$"
"""Time to the microsecond, so that the names sort by age, and four digits against chance."""

REQUEST, STATE, LOCK, LOG, DOCUMENT = "request.json", "state.json", "worker.lock", "log.txt", "document.json"
INPUT, RESULTS = "input", "results"

_PART = 1 << 20  # bytes at a time
_WRITING = 0.99  # all is computed, and being written
_FORESEEABLE = 0.03  # part of an analysis from which the rest is judged


@dataclass(frozen=True)
class Request:
    """What was asked; `expected` are the seconds that each analysis took the last time."""

    id: str
    case: str
    title: str
    created: float
    expected: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class State:
    """How far a run is; times are those of the system clock [s].

    `done` analyses of `total` are finished; of the current one, which started at `since`, a `part` is done as far
    as it tells. A run may be done and still have a message: a motion that ended before its time.
    """

    status: Status
    done: int = 0
    total: int = 0
    current: str = ""
    part: float = 0.0
    finished: tuple[str, ...] = ()
    started: float | None = None
    since: float | None = None
    ended: float | None = None
    pid: int | None = None
    message: str = ""
    problems: tuple[Mapping[str, Any], ...] = ()


_REQUEST, _STATE = TypeAdapter(Request), TypeAdapter(State)


@dataclass(frozen=True)
class Run:
    """A run and its folder."""

    folder: Path
    request: Request
    state: State

    @property
    def files(self) -> Folder:
        """Opens the files of the run, and no others."""
        return Folder(self.folder, confined=True)

    def fraction(self, now: float) -> float:
        """Part of the work that is done, judged by the last run of the case where there was one."""
        state, expected = self.state, self.request.expected
        if state.status == "done":
            return 1.0
        whole = sum(expected.values())
        if whole <= 0 or state.current not in expected:
            return min((state.done + state.part) / state.total, _WRITING) if state.total else 0.0
        spent = sum(expected.get(name, 0.0) for name in state.finished)
        current = expected[state.current]
        if state.part > 0:
            reached = state.part * current
        else:
            reached = min(max(now - (state.since or now), 0.0), 0.98 * current)
        return min((spent + reached) / whole, _WRITING)

    def seconds_left(self, now: float) -> float | None:
        """Time to go, where an earlier run tells it, or the last analysis itself."""
        state, whole = self.state, sum(self.request.expected.values())
        if state.status != "running" or state.since is None:
            return None
        if whole > 0 and state.current in self.request.expected:
            return whole * (1 - self.fraction(now))
        if state.part > _FORESEEABLE and state.done == state.total - 1:
            return (now - state.since) * (1 - state.part) / state.part
        return None


@dataclass(frozen=True)
class RunStore:
    """All runs of a workspace."""

    workspace: Workspace

    @property
    def folder(self) -> Path:
        """Where they are."""
        return self.workspace.kept / "runs"

    def create(self, case: CaseText, title: str, files: Sequence[str] = ()) -> Run:
        """A new run with its own copy of the case and of the files that this names."""
        now = datetime.now(UTC)
        run_id = f"{now:%Y%m%d-%H%M%S-%f}{token_hex(2)}"
        request = Request(run_id, case.name, title, now.timestamp())
        folder = self.folder / run_id
        given = folder / INPUT
        given.mkdir(parents=True)
        try:
            self._copy(files, given)
        except FlexframeError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        (given / case.name).write_text(case.text, encoding="utf-8", newline="\n")
        write_state(folder, State("queued"))
        write_json(folder / REQUEST, asdict(request))  # last: a folder without it is no run
        return self.get(run_id)

    def _copy(self, files: Sequence[str], target: Path) -> None:
        """Copy files of the workspace, together not more than a run may have."""
        room = MAX_INPUT
        for name in files:
            with self.workspace.files.open(name) as file:
                room -= file.size
                if room < 0:
                    raise InputError(
                        f"{name}: the files of the case have more than {MAX_INPUT / 1e9:g} GB; use smaller ones, "
                        "or flexframe run, which does not copy them"
                    )
                copy = target / name
                copy.parent.mkdir(parents=True, exist_ok=True)
                with copy.open("wb") as written:
                    left = file.size  # of a file that grows, not more than was counted
                    while part := file.stream.read(min(left, _PART)):
                        left -= written.write(part)

    def get(self, run_id: str) -> Run:
        """One run."""
        folder = self.folder / run_id
        if not re.fullmatch(RUN_ID, run_id) or folder.is_symlink():
            raise NotThereError(f"there is no run '{run_id}'; choose one of the list")
        try:
            request = _REQUEST.validate_json(Folder(folder, confined=True).read(REQUEST, MAX_STATE))
            return Run(folder, request, read_state(folder))
        except (InputError, ValueError):  # also what is no longer what we wrote
            raise NotThereError(f"there is no run '{run_id}'; choose one of the list") from None

    def all(self, most: int | None = None) -> list[Run]:
        """Every run, the latest first; not more than `most` of them."""
        runs: list[Run] = []
        names = (
            sorted((entry.name for entry in self.folder.iterdir()), reverse=True) if self.folder.is_dir() else []
        )
        for name in names:
            if len(runs) == most:
                break
            try:
                runs.append(self.get(name))
            except NotThereError:
                continue  # half made by a server that was stopped, or damaged
        return runs

    def remove(self, run: Run) -> None:
        """Forget a run and what it gave."""
        (run.folder / REQUEST).unlink(missing_ok=True)
        shutil.rmtree(run.folder, ignore_errors=True)

    def foresee(self, run: Run) -> None:
        """Note what the last finished run of the same case took."""
        expected = self._expected_times(run.request.case)
        write_json(run.folder / REQUEST, asdict(replace(run.request, expected=expected)))

    def _expected_times(self, case: str) -> dict[str, float]:
        """Seconds of each analysis in the last finished run of a case."""
        for run in self.all():
            if run.request.case == case and run.state.status == "done":
                try:
                    summary = json.loads(run.files.read(f"{RESULTS}/{SUMMARY}", MAX_STATE))
                    return {name: float(entry["seconds"]) for name, entry in summary["analyses"].items()}
                except (InputError, ValueError, KeyError, TypeError, AttributeError):
                    continue
        return {}


def is_alive(folder: Path) -> bool:
    """Whether a process works on the run: it holds the lock, and a lock ends with its process."""
    try:
        with folder_lock(folder / LOCK):
            return False
    except FolderBusyError:
        return True


def read_state(folder: Path) -> State:
    """The state of a run."""
    return _STATE.validate_json(Folder(folder, confined=True).read(STATE, MAX_STATE))


def write_state(folder: Path, state: State) -> None:
    """Replace the state of a run."""
    write_json(folder / STATE, asdict(state))


def close_run(folder: Path, status: Status, message: str, ended: float) -> None:
    """A last word on a run whose process could not give one."""
    write_state(folder, replace(read_state(folder), status=status, message=message, ended=ended, pid=None))


def write_json(path: Path, value: Any) -> None:
    """Replace a file in one step; whoever reads finds the old or the new."""
    new = path.with_name(f"{path.name}.{os.getpid()}.{token_hex(4)}.new")
    new.write_text(json.dumps(value, allow_nan=False), encoding="utf-8")
    new.replace(path)
