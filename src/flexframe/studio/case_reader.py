"""Cases read and checked for the server, in a process that may be lost."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flexframe.entries.problems import CaseError, Problem
from flexframe.errors import AnalysisError, FlexframeError
from flexframe.studio.bounds import CASE_SECONDS, CASES_WAITING, GIVEN_UP, TRIAL_SECONDS

UNTRIED = "the analyses are too large to be tried here; flexframe check tries them without these bounds"


class BusyError(FlexframeError):
    """Too many wait already."""


@dataclass(frozen=True)
class CaseHead:
    """The title of a case and the files that it names."""

    title: str
    files: tuple[str, ...]


@dataclass
class CaseReader:
    """Sends cases to the case process, one after another; a lost process is started anew."""

    seconds: float = CASE_SECONDS
    _process: subprocess.Popen[str] | None = None
    _scratch: TemporaryDirectory[str] | None = None
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _room: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(CASES_WAITING))

    def check(self, folder: Path, name: str, text: str, known: str | None = None) -> Mapping[str, Any]:
        """What a case holds, or what is wrong with it."""
        answer = self._answer("check", folder=str(folder), name=name, text=text, known=known)
        return answer if answer is not None else {"valid": False, "problems": [self._too_much(name).as_json()]}

    def trial(self, folder: Path, name: str, text: str) -> Mapping[str, Any]:
        """What is wrong with the analyses of a case, or that they are too large to be tried."""
        seconds = min(self.seconds, TRIAL_SECONDS)
        answer = self._answer("trial", seconds, folder=str(folder), name=name, text=text)
        return answer if answer is not None else {"valid": True, "problems": [], "notices": [UNTRIED]}

    def read(self, folder: Path, name: str, text: str) -> CaseHead:
        """Title and files of a case; CaseError when it cannot be read, or not within the bounds."""
        answer = self._answer("read", folder=str(folder), name=name, text=text)
        if answer is None:
            raise CaseError([self._too_much(name)])
        if not answer["valid"]:
            raise CaseError([_problem(found) for found in answer["problems"]])
        return CaseHead(answer["title"], tuple(answer["files"]))

    def part(self, folder: Path, files: Sequence[str], units: str) -> Mapping[str, Any]:
        """What files hold of a part, or what is wrong with them."""
        answer = self._answer("part", folder=str(folder), files=list(files), units=units)
        return answer if answer is not None else {"valid": False, "problems": [_part_too_much(files[0]).as_json()]}

    def part_case(self, folder: Path, files: Sequence[str], units: str, names: Sequence[Mapping[str, Any]]) -> str:
        """The text of a case with a part and named sets; CaseError when there is none."""
        answer = self._answer(
            "part_case", folder=str(folder), files=list(files), units=units, names=[dict(name) for name in names]
        )
        if answer is None:
            raise CaseError([_part_too_much(files[0])])
        if not answer["valid"]:
            raise CaseError([_problem(found) for found in answer["problems"]])
        return str(answer["text"])

    def examples(self) -> list[dict[str, Any]]:
        """What the gallery shows of each example."""
        answer = self._answer("examples")
        if answer is None or not answer["valid"]:
            raise AnalysisError("the examples cannot be read; install flexframe again")
        return list(answer["examples"])

    def _too_much(self, name: str) -> Problem:
        message = (
            f"reading the case takes more than {self.seconds:g} s of computing, or more memory than it may; "
            "make meshes coarser, and put long lists into files that the case names"
        )
        return Problem(name, None, (), message)

    def _answer(self, task: str, seconds: float | None = None, **words: Any) -> Mapping[str, Any] | None:
        """What the process says; None when it could not in its time and memory."""
        if not self._room.acquire(blocking=False):
            raise BusyError(f"{CASES_WAITING} cases wait to be read; try again in a moment")
        try:
            request = json.dumps({"task": task, "seconds": seconds or self.seconds, **words})
            with self._turn:
                answer = self._ask(request)
        finally:
            self._room.release()
        return json.loads(answer) if answer else None

    def _ask(self, request: str) -> str:
        """The answer; empty when there is none in time."""
        if self._process is not None and self._process.poll() is not None:
            self._end()
        process = self._process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        alarm = threading.Timer(GIVEN_UP, process.kill)
        alarm.start()
        answer = ""
        try:
            process.stdin.write(request + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        except (BrokenPipeError, UnicodeDecodeError):
            pass
        finally:
            alarm.cancel()
        if not answer:
            self._end()
        return answer

    def warm(self) -> None:
        """Start the process before it is needed."""
        with self._turn:
            if self._process is None:
                self._process = self._start()

    def stop(self) -> None:
        """End the process, also while it computes."""
        process = self._process
        if process is not None:
            process.kill()
        with self._turn:
            self._end()

    def _end(self) -> None:
        """Kill the process, await its end, close its pipes and remove its copies."""
        if self._process is not None:
            self._process.kill()
            with suppress(BrokenPipeError):  # of a request that it did not take
                self._process.communicate()
            self._process = None
        if self._scratch is not None:
            self._scratch.cleanup()
            self._scratch = None

    def _start(self) -> subprocess.Popen[str]:
        """A new process, whose private copies of files go when it ends, whatever ends it."""
        self._scratch = TemporaryDirectory(prefix="flexframe-")
        # -P: a file of the folder must not be taken for a module
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "flexframe.studio.case_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            env={**os.environ, "TMPDIR": self._scratch.name},
        )


def _part_too_much(name: str) -> Problem:
    message = "reading the part takes more computing or memory than the studio gives it; use flexframe describe"
    return Problem(name, None, (), message)


def _problem(found: Mapping[str, Any]) -> Problem:
    path = (found["field"],) if found["field"] else ()
    return Problem(found["file"], found["line"], path, found["message"])
