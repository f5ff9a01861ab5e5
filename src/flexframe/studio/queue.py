"""The queue of runs: some at once, each in a process of its own, the others wait their turn."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, time

from flexframe.errors import InputError
from flexframe.studio.runs import FINAL, LOG, Run, RunStore, State, close_run, is_alive, write_state
from flexframe.studio.workspace import CaseText, ConflictError

PERIOD = 0.1
GRACE = 3.0
"""Seconds between looks at the processes, and from asking a process to end until it is killed."""

MAX_WAITING = 50
_TAIL = 2000


@dataclass
class _Process:
    """A run that is computed: our own child, or one that an earlier server started and we found alive."""

    child: subprocess.Popen[bytes] | None
    pid: int | None
    asked_to_end: float | None = None

    def alive(self, folder: Path) -> bool:
        return self.child.poll() is None if self.child is not None else is_alive(folder)

    def send(self, kill: bool) -> None:
        """End the process with all that it started."""
        if self.pid is None:
            return
        try:
            if os.name == "posix":
                os.killpg(self.pid, signal.SIGKILL if kill else signal.SIGTERM)
            elif self.child is not None:
                self.child.terminate()
        except (ProcessLookupError, PermissionError):
            pass  # it has ended meanwhile


@dataclass
class RunQueue:
    """Starts, watches and ends the processes of runs; all methods may be called from any thread."""

    store: RunStore
    at_once: int = 1
    waiting: list[str] = field(default_factory=list)
    active: dict[str, _Process] = field(default_factory=dict)
    _change: threading.Condition = field(default_factory=threading.Condition)
    _stopping: bool = False
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Take up what an earlier server left, and begin."""
        for run in reversed(self.store.all()):
            if run.state.status in FINAL:
                continue
            if is_alive(run.folder):
                self.active[run.request.id] = _Process(None, run.state.pid)
            elif run.state.status == "queued":
                self.waiting.append(run.request.id)
            else:
                close_run(run.folder, "interrupted", "the run ended with the studio; run it again", time())
        self._thread = threading.Thread(target=self._watch, name="flexframe-runs", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End everything that is computed; what waits is taken up by the next start."""
        with self._change:
            self._stopping = True
            self._change.notify_all()
        if self._thread is not None:
            self._thread.join()
        for process in self.active.values():
            process.send(kill=False)
        deadline = monotonic() + GRACE
        for run_id, process in self.active.items():
            folder = self.store.get(run_id).folder
            while process.alive(folder) and monotonic() < deadline:
                threading.Event().wait(0.02)
            process.send(kill=True)
            if process.child is not None:
                process.child.wait()
            if self.store.get(run_id).state.status not in FINAL:
                close_run(folder, "interrupted", "the run ended with the studio; run it again", time())
        self.active.clear()

    def submit(self, case: CaseText, title: str, files: Sequence[str] = ()) -> Run:
        """A new run at the end of the queue, with the files that its case names."""
        with self._change:
            self._require_room()
        run = self.store.create(case, title, files)  # without the lock: large files take a while
        with self._change:
            self.waiting.append(run.request.id)
            self._change.notify_all()
        return run

    def resume(self, run_id: str) -> Run:
        """Queue a run again that did not come to its end; it goes on where that is possible."""
        run = self.store.get(run_id)
        with self._change:
            if run.state.status not in ("cancelled", "interrupted"):
                raise ConflictError(f"the run is {run.state.status}; only one that was stopped can go on")
            self._require_room()
            write_state(run.folder, State("queued"))
            self.waiting.append(run_id)
            self._change.notify_all()
        return self.store.get(run_id)

    def cancel(self, run_id: str) -> Run:
        """End a run, or take it out of the queue; one that has ended stays as it is."""
        run = self.store.get(run_id)
        with self._change:
            if run_id in self.waiting:
                self.waiting.remove(run_id)
                close_run(run.folder, "cancelled", "taken out of the queue before it started", time())
            elif run_id in self.active and self.active[run_id].asked_to_end is None:
                process = self.active[run_id]
                process.pid = process.pid or run.state.pid
                process.asked_to_end = monotonic()
                process.send(kill=False)
        return self.store.get(run_id)

    def remove(self, run_id: str) -> None:
        """Forget a run that has ended."""
        run = self.store.get(run_id)
        with self._change:
            if run_id in self.waiting or run_id in self.active:
                raise ConflictError("the run has not ended; cancel it first")
            self.store.remove(run)

    def _require_room(self) -> None:
        if len(self.waiting) >= MAX_WAITING:
            raise ConflictError(f"{MAX_WAITING} runs are waiting already; cancel some or wait")

    def _watch(self) -> None:
        with self._change:
            while not self._stopping:
                for run_id in [name for name in self.active if self._has_ended(name)]:
                    del self.active[run_id]
                while self.waiting and len(self.active) < self.at_once:
                    self._begin(self.waiting.pop(0))
                self._change.wait(PERIOD if self.active else None)

    def _begin(self, run_id: str) -> None:
        run = self.store.get(run_id)
        self.store.foresee(run)
        # -P: a file beside the case must not be taken for a module
        command = [sys.executable, "-P", "-m", "flexframe.studio.worker", str(run.folder)]
        with (run.folder / LOG).open("wb") as log:
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=run.folder,
                start_new_session=True,
            )
        self.active[run_id] = _Process(child, child.pid)

    def _has_ended(self, run_id: str) -> bool:
        """Whether a run is over; then its state has a last word."""
        process, run = self.active[run_id], self.store.get(run_id)
        if process.alive(run.folder):
            if process.asked_to_end is not None and monotonic() - process.asked_to_end > GRACE:
                process.send(kill=True)
            return False
        run = self.store.get(run_id)
        if process.asked_to_end is not None and run.state.status != "done":
            close_run(run.folder, "cancelled", "stopped on request; it can go on, or be run again", time())
        elif run.state.status not in FINAL:
            close_run(run.folder, "failed", _last_words(run, process), time())
        return True


def _last_words(run: Run, process: _Process) -> str:
    """Why a process ended without telling."""
    code = process.child.returncode if process.child is not None else None
    reason = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
    tail = log_tail(run)
    last = f": {tail.splitlines()[-1]}" if tail else ""
    hint = "; not enough memory is a frequent cause" if code == -9 else ""
    return f"the process of this run ended unexpectedly ({reason}){hint}{last}"


def log_tail(run: Run) -> str:
    """The end of what the process of a run printed."""
    try:
        with run.files.open(LOG) as file:
            file.stream.seek(max(0, file.size - _TAIL))
            return file.stream.read().decode("utf-8", errors="replace").strip()
    except InputError:
        return ""
