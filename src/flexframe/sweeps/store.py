"""The folder of a sweep: what was asked, every finished case, and at the end the whole.

sweep.json   the plan; a sweep is only continued by the same one
case.yaml    the case file as it was read
cases.jsonl  the outcomes, a line each, added as the cases finish
results.nc   all of them as one dataset     } written when every case is there,
summary.json counts, failures and times     } each file whole or not at all
report.html  tables and plots               }

The outcomes stand in the order in which they came. A process that is killed loses nothing that it had added. A
line that was cut short, or damaged on the disk, does not fit its checksum; it counts as not written, and its case
is computed again.
"""

import hashlib
import json
import os
import sys
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexframe.cases.case import Case
from flexframe.cases.document import named_files, with_included
from flexframe.errors import AnalysisError, InputError
from flexframe.files import ANYWHERE
from flexframe.results.folders import INSIDE, FolderBusyError, claimed_folder
from flexframe.sweeps.evaluation import CaseSource, Outcome
from flexframe.sweeps.plan import SweepPlan

if TYPE_CHECKING:
    import xarray

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


PLAN = "sweep.json"
CASE_TEXT = "case.yaml"
CASES = "cases.jsonl"
DATA = "results.nc"
SUMMARY = "summary.json"
REPORT = "report.html"
_NEW = ".new"


@dataclass(frozen=True, eq=False)
class SweepStore:
    """The folder of one sweep, which nobody else writes to at the moment."""

    folder: Path
    journal: Journal

    def outcomes(self) -> Iterator[Outcome]:
        """Everything that is kept so far."""
        return outcomes(self.folder / CASES)

    def write(self, *, dataset: "xarray.Dataset", summary: Mapping[str, Any]) -> None:
        """Keep the dataset and the summary beside the cases."""
        from flexframe.results.netcdf import write_groups

        with _explain_errors(self.folder):
            new = self.folder / (DATA + _NEW)
            with _written_here():
                write_groups(new, {"/": dataset})
            new.replace(self.folder / DATA)
            _write_text(self.folder / SUMMARY, json.dumps(summary, indent=1, ensure_ascii=False) + "\n")


def _written_here() -> AbstractContextManager[object]:
    """Keep a Dask client that the user has from writing the file with its workers."""
    dask = sys.modules.get("dask")
    return nullcontext() if dask is None else dask.config.set(scheduler="synchronous")


@contextmanager
def open_store(
    folder: Path, plan: SweepPlan, source: CaseSource, sample: Case, *, resume: bool
) -> Iterator[SweepStore]:
    """Claim a folder for a sweep: a new one, or with `resume` also one that holds the same sweep already."""
    path = folder.resolve()
    with ExitStack() as held:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            held.enter_context(claimed_folder(path))
        except FolderBusyError:
            raise AnalysisError(
                f"{folder}: another sweep is writing here; wait for it or give another folder with --out"
            ) from None
        except OSError as error:
            raise _unwritable(folder, error) from error
        identity = _identity(plan, source, sample)
        if _begun(path):
            _require_same(folder, path, identity, resume=resume, total=len(plan.points))
        else:
            _require_empty(folder, path)
            with _explain_errors(folder):
                path.mkdir(exist_ok=True)
                _write_text(path / CASE_TEXT, source.text)
                _write_text(path / PLAN, json.dumps(identity, indent=1, ensure_ascii=False) + "\n")
        with _explain_errors(folder):
            journal = held.enter_context(open_journal(path / CASES))
        yield SweepStore(path, journal)


def write_report(folder: Path, text: str) -> None:
    """Keep the report page beside the results."""
    with _explain_errors(folder):
        _write_text(folder / REPORT, text)


def _identity(plan: SweepPlan, source: CaseSource, sample: Case) -> dict[str, Any]:
    """Whatever changes a number of the sweep."""
    return {
        "version": source.version,
        "case": Path(source.file).name,
        "case_sha256": hashlib.sha256(source.text.encode()).hexdigest(),
        "files_sha256": _files_sha256(plan, sample),
        "settings": list(source.settings),
        "threads": source.threads,
        "keep": list(source.keep),
        "plan": plan.as_json(),
    }


def _files_sha256(plan: SweepPlan, sample: Case) -> dict[str, str]:
    """Hashes of the meshes and recordings that the cases name, and of what these include."""
    columns = zip(*plan.points, strict=True)
    varied = {variation.path: names for variation, names in zip(plan.variations, columns, strict=True)}
    found: dict[str, str] = {}
    for path, given in named_files(sample.document):
        for name in dict.fromkeys(varied.get(tuple(map(str, path)), (given,))):
            with suppress(InputError):  # the cases that name it will fail
                for part in with_included(name, sample.folder):
                    found[part] = hashlib.sha256(sample.folder.read(part)).hexdigest()
    return found


def _require_same(folder: Path, path: Path, identity: dict[str, Any], *, resume: bool, total: int) -> None:
    try:
        stored = json.loads(ANYWHERE.read(path / PLAN))
        if not isinstance(stored, dict):
            raise TypeError("it holds no fields")
    except (InputError, ValueError, TypeError) as error:
        raise InputError(f"{folder}: {PLAN} cannot be read ({error}); give another folder with --out") from None
    if not resume:
        done = len({outcome.index for outcome in outcomes(path / CASES)})
        raise InputError(
            f"{folder}: this folder holds a sweep already ({done} cases); "
            "continue it with --resume, or give another folder with --out"
        )
    differing = [key for key, value in identity.items() if stored.get(key) != value]
    if differing:
        words = {"plan": "other variations", "case_sha256": "another case file", "files_sha256": "other files"}
        words |= {"version": "another version of flexframe", "settings": "other settings"}
        what = " and ".join(words.get(key, f"another {key}") for key in differing)
        raise InputError(
            f"{folder}: the sweep there has {what}, {total} cases are asked now; "
            "ask for the same, or give another folder with --out"
        )


def _begun(path: Path) -> bool:
    """Whether there are cases or results; without any, the folder may as well be used for another sweep."""
    return (path / PLAN).is_file() and (_holds_cases(path) or (path / DATA).exists() or (path / SUMMARY).exists())


def _holds_cases(path: Path) -> bool:
    return (path / CASES).is_file() and (path / CASES).stat().st_size > 0


def _require_empty(folder: Path, path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise InputError(f"{folder}: this is a file; give a folder for the sweep with --out")
    # what a sweep leaves that was ended before its first case
    ours = {CASE_TEXT, PLAN, CASE_TEXT + _NEW, PLAN + _NEW}
    if not _holds_cases(path):
        ours |= {CASES}
    names = sorted(entry.name for entry in path.iterdir()) if path.exists() else []
    foreign = [name for name in names if name not in ours and not name.startswith((f"{INSIDE}.", "lost+found"))]
    if foreign or path == Path.cwd():
        held = f"holds '{foreign[0]}'" if foreign else "is the current one"
        raise InputError(f"{folder}: this folder {held}; a sweep needs one of its own, give it with --out")


@contextmanager
def _explain_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _unwritable(folder, error) from error


def _unwritable(folder: Path, error: OSError) -> AnalysisError:
    reason = error.strerror or str(error)
    return AnalysisError(f"{folder}: the sweep cannot be written ({reason}); free space or give another --out")


def _write_text(path: Path, text: str) -> None:
    """Put a file in its place when it is whole and on the disk."""
    new = path.with_name(path.name + _NEW)
    with new.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
