"""Cases in several processes of this machine, with nothing but the standard library.

Each process has a thread here that gives it one case at a time and waits for the answer. A process that dies is
replaced and its case tried once more; if that one dies too, the case has failed.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event, Lock, Thread
from time import perf_counter
from typing import Protocol

from flexframe.errors import AnalysisError
from flexframe.sweeps.evaluation import THREADS, CaseSource, Outcome, Task, evaluate

ATTEMPTS = 2
PATIENCE = 2.0  # s for an idle process to end by itself
LAST_PATIENCE = (
    60.0  # s for one that is lost to end with its own exit code, and for threads whose process is killed
)


@dataclass(frozen=True)
class Processes:
    """Some processes on this machine."""

    workers: int

    @property
    def name(self) -> str:
        return f"{self.workers} processes"

    def outcomes(self, source: CaseSource, tasks: Iterable[Task]) -> Iterator[Outcome]:
        crew = _Crew(source, iter(tasks))
        threads = [Thread(target=crew.serve, daemon=True) for _ in range(self.workers)]
        try:
            for thread in threads:
                thread.start()
            working = len(threads)
            while working:
                found = crew.found.get()
                if isinstance(found, Outcome):
                    yield found
                elif isinstance(found, Exception):
                    raise found
                else:
                    working -= 1
        finally:
            crew.dismiss()
            for thread in threads:
                thread.join(LAST_PATIENCE)


@dataclass(eq=False)
class _Crew:
    """What the threads share; None in the queue says that one of them has finished."""

    source: CaseSource
    tasks: Iterator[Task]
    found: "SimpleQueue[Outcome | Exception | None]" = field(default_factory=SimpleQueue)
    lock: Lock = field(default_factory=Lock)
    stopped: Event = field(default_factory=Event)
    processes: "set[subprocess.Popen[str]]" = field(default_factory=set)

    def serve(self) -> None:
        """Keep one process busy until no task is left."""
        try:
            process = self._start()
            while (task := self._next()) is not None:
                outcome, process = self._answer(task, process)
                self.found.put(outcome)
            self._end(process)
        except Exception as error:  # passed to the thread that asked
            self.found.put(error)
        self.found.put(None)

    def dismiss(self) -> None:
        """Stop at once; what is being computed is lost, what was answered is not."""
        self.stopped.set()
        with self.lock:
            for process in self.processes:
                process.kill()

    def _next(self) -> Task | None:
        with self.lock:
            return None if self.stopped.is_set() else next(self.tasks, None)

    def _answer(self, task: Task, process: "subprocess.Popen[str]") -> tuple[Outcome, "subprocess.Popen[str]"]:
        start = perf_counter()
        for _ in range(ATTEMPTS):
            line = _ask(process, task)
            if line:
                return Outcome.from_json(json.loads(line)), process
            self._end(process, LAST_PATIENCE)
            code = process.wait()
            if self.stopped.is_set():
                break
            process = self._start()
        reason = f"the process that computed it ended {_how(code)}, {ATTEMPTS} times"
        return Outcome(task.index, "failed", perf_counter() - start, reason=reason), process

    def _start(self) -> "subprocess.Popen[str]":
        threads = str(self.source.threads)
        limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", THREADS), threads)
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "flexframe.sweeps.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, **limits},
                encoding="utf-8",
            )
        except OSError as error:
            raise AnalysisError(f"no process could be started ({error.strerror}); use fewer workers") from error
        with self.lock:
            self.processes.add(process)
            if self.stopped.is_set():
                process.kill()
        assert process.stdin is not None
        _send(process, self.source.as_json())
        return process

    def _end(self, process: "subprocess.Popen[str]", patience: float = PATIENCE) -> None:
        """Close the pipes, so that the process ends, and wait for it."""
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):  # it may be gone already
            process.stdin.close()
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        with self.lock:
            self.processes.discard(process)


def _ask(process: "subprocess.Popen[str]", task: Task) -> str:
    """The answer to a task; empty when the process has died."""
    assert process.stdout is not None
    if not _send(process, json.dumps([task.index, task.values])):
        return ""
    line = process.stdout.readline()
    return line if line.endswith("\n") else ""


def _send(process: "subprocess.Popen[str]", line: str) -> bool:
    assert process.stdin is not None
    try:
        process.stdin.write(line + "\n")
        process.stdin.flush()
    except (BrokenPipeError, ConnectionError):
        return False
    return True


def _how(code: int) -> str:
    if code >= 0:
        return f"with exit code {code}"
    known = {number.value: number.name for number in signal.Signals}
    return f"by signal {known.get(-code, -code)}"


class Runner(Protocol):
    """Where cases are computed."""

    @property
    def name(self) -> str:
        """What the reader of a report should know."""
        ...

    def outcomes(self, source: CaseSource, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """The outcome of every task, as they finish; tasks are taken when there is room for them."""
        ...


@dataclass(frozen=True)
class Serial:
    """This process."""

    name: str = "one process"

    def outcomes(self, source: CaseSource, tasks: Iterable[Task]) -> Iterator[Outcome]:
        for task in tasks:
            yield evaluate(source, task)
