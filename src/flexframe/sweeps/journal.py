"""Outcomes in the order in which they came: a line each, added in one step and checked when read.

A process that is killed loses nothing that it had added. A line that was cut short, or damaged on the disk, does
not fit its checksum; it counts as not written, and its case is computed again.
"""

import json
import os
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from flexframe.errors import AnalysisError
from flexframe.files import ANYWHERE
from flexframe.sweeps.evaluation import Outcome

FLUSHED_EVERY = 1.0  # s: what a power failure may cost; a killed process costs nothing
FLUSHING_PART = 0.02
"""Part of the time that flushing may take; on a slow or busy disk it is done less often."""


@dataclass
class Journal:
    """A file that outcomes are added to."""

    path: Path
    _handle: int
    _due: float = field(default_factory=lambda: time.monotonic() + FLUSHED_EVERY)

    def add(self, outcome: Outcome) -> None:
        """Keep an outcome; it survives this process from now on."""
        line = memoryview(_line(outcome))
        try:
            while line:
                line = line[os.write(self._handle, line) :]
            if time.monotonic() > self._due:
                self.flush()
        except OSError as error:
            raise AnalysisError(
                f"{self.path}: cannot be written ({error.strerror}); free space and continue with --resume"
            ) from error

    def flush(self) -> None:
        """Make everything durable."""
        start = time.monotonic()
        os.fsync(self._handle)
        end = time.monotonic()
        self._due = end + max(FLUSHED_EVERY, (end - start) / FLUSHING_PART)


@contextmanager
def open_journal(path: Path) -> Iterator[Journal]:
    """Open for adding; a line that was cut short is taken away first."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.ftruncate(handle, _whole(path))
        journal = Journal(path, handle)
        yield journal
        journal.flush()
    finally:
        os.close(handle)


def outcomes(path: Path) -> Iterator[Outcome]:
    """The outcomes that are whole, oldest first; a case that was computed again comes again."""
    if not path.exists():
        return
    with ANYWHERE.open(path) as file:
        for line in file.stream:
            outcome = _read(line)
            if outcome is not None:
                yield outcome


def _line(outcome: Outcome) -> bytes:
    data = json.dumps(outcome.as_json(), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(data), data)


def _read(line: bytes) -> Outcome | None:
    checksum, _, data = line.rstrip(b"\n").partition(b" ")
    if not line.endswith(b"\n") or checksum != b"%08x" % zlib.crc32(data):
        return None
    return Outcome.from_json(json.loads(data))


def _whole(path: Path) -> int:
    """Bytes up to the end of the last line."""
    data_end = 0
    with ANYWHERE.open(path) as file:
        for line in file.stream:
            if line.endswith(b"\n"):
                data_end += len(line)
    return data_end
