"""Validation of cases for the server, in a process that may be lost."""

import json
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flexframe.entries.problems import Problem

PATIENCE = 20.0
"""Seconds of computing that a check may take; while other programs have the processor, none pass."""

GIVEN_UP = 600.0
"""Seconds after which no answer is expected any more."""


@dataclass
class Checker:
    """Sends cases to the check process, one after another; a lost process is started anew."""

    patience: float = PATIENCE
    _process: subprocess.Popen[str] | None = None
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def check(self, folder: Path, name: str, text: str, known: str | None = None) -> Mapping[str, Any]:
        """What `check_process.checked` says, or that the process could not say it."""
        request = json.dumps(
            {"folder": str(folder), "name": name, "text": text, "known": known, "seconds": self.patience}
        )
        with self._turn:
            answer = self._asked(request)
        if answer:
            return json.loads(answer)
        message = (
            f"the check took more than {self.patience:g} s of computing, or more memory than it may; "
            "make the meshes coarser, or run the case without it"
        )
        return {"valid": False, "problems": [Problem(name, None, (), message).as_json()]}

    def _asked(self, request: str) -> str:
        """The answer; empty when there is none in time."""
        if self._process is not None and self._process.poll() is not None:
            self._end()
        process = self._process = self._process or _started()
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
                self._process = _started()

    def stop(self) -> None:
        """End the process, also while it computes."""
        process = self._process
        if process is not None:
            process.kill()
        with self._turn:
            self._end()

    def _end(self) -> None:
        """Kill the process, await its end and close its pipes."""
        if self._process is not None:
            self._process.kill()
            with suppress(BrokenPipeError):  # of a request that it did not take
                self._process.communicate()
            self._process = None


def _started() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "flexframe.studio.check_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
