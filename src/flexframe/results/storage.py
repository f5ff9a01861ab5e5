"""Results in a folder: written whole or not at all.

Everything goes into a new folder beside the wanted one, is flushed to the disk, and then takes its place in a
single exchange. Whoever reads, or stops the computer, finds either the old results or the new.
"""

import errno
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import numpy as np

from flexframe.errors import AnalysisError, InputError
from flexframe.files import Folder
from flexframe.results.checkpoint import Checkpoint
from flexframe.results.folders import (
    INSIDE,
    FolderBusyError,
    claimed_folder,
    exchange_folders,
    move_files,
    restore,
)
from flexframe.results.netcdf import require_own_data, write_arrays
from flexframe.results.record import Record

if TYPE_CHECKING:
    import xarray

SUMMARY = "summary.json"
DATA = "results.nc"
REPORT = "report.html"
CASE = "case.yaml"
FILES = (SUMMARY, DATA, REPORT, CASE)
_NEW, _READY = ".new-", ".ready-"
_NOT_EXCHANGED = (errno.EBUSY, errno.EXDEV, errno.EACCES, errno.EPERM)  # of mount points and shared folders
FORMAT = 1  # of the folder: raised when what is written can no longer be read by an earlier version


@dataclass(frozen=True, eq=False)
class StoredResults:
    """Results read from a folder; the arrays of an analysis are read when asked for."""

    files: Folder
    summary: Mapping[str, Any]
    case_text: str

    @property
    def folder(self) -> Path:
        """Where they are."""
        return self.files.path

    def dataset(self, analysis: str) -> "xarray.Dataset":
        """Everything that an analysis computed."""
        import xarray

        if analysis not in self.summary["analyses"]:
            known = ", ".join(self.summary["analyses"])
            raise InputError(f"the results have no analysis '{analysis}'; they have {known}")
        try:
            with self.files.open(DATA) as file:
                require_own_data(file)
                with xarray.open_dataset(file.stream, group=analysis, engine="h5netcdf") as opened:
                    return opened.load()
        except (OSError, KeyError, RuntimeError) as error:  # what the HDF5 library says of a damaged file
            raise InputError(
                f"{self.folder / DATA}: the stored results are damaged ({error}); run the case again"
            ) from None


@dataclass(frozen=True, eq=False)
class ResultFolder:
    """A folder for results that nobody else writes to at the moment.

    `stem` is how files begin that are only there during a run: beside the folder, or inside where nothing can be
    written beside it (a mount point in a container).
    """

    path: Path
    stem: Path

    def checkpoint(self, analysis: str, *, resume: bool = False) -> Checkpoint:
        """Where an analysis keeps an unfinished motion."""
        return Checkpoint(self.stem.with_name(f"{self.stem.name}.{analysis}.unfinished.npz"), resume)

    @property
    def _inside(self) -> bool:
        return self.stem.parent == self.path

    def _take(self, new: Path) -> None:
        """Let a new folder take the place of this one."""
        if not self._inside:
            try:
                exchange_folders(new, self.path)
            except OSError as error:
                if error.errno not in _NOT_EXCHANGED or not self.path.is_dir():
                    raise
            else:
                return
        ready = new.with_name(new.name.replace(_NEW, _READY))
        new.rename(ready)  # from here on it is finished by the next run if this one is killed
        move_files(ready, self.path, SUMMARY)
        shutil.rmtree(ready, ignore_errors=True)

    def write(
        self, *, summary: Mapping[str, Any], records: Mapping[str, Record], case_text: str, report: str
    ) -> dict[str, Any]:
        """Replace the folder by one with these results; the summary as written is returned."""
        written = {"format": FORMAT, **finite_summary(summary)}
        new = self.stem.with_name(f"{self.stem.name}{_NEW}{token_hex(4)}")
        try:
            new.mkdir()
            write_arrays(new / DATA, {name: record.arrays() for name, record in records.items()})
            _write_text(new / SUMMARY, json.dumps(written, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
            _write_text(new / CASE, case_text)
            _write_text(new / REPORT, report)
            _flush(new)
            _refuse_foreign(self.path)
            self._take(new)
            _flush(self.path if self._inside else self.path.parent)
        except OSError as error:
            raise _unwritable(self.path, error) from error
        finally:
            # after the exchange this is the earlier result, before it the unfinished new one
            shutil.rmtree(new, ignore_errors=True)
        return written


@contextmanager
def result_folder(directory: str | Path) -> Iterator[ResultFolder]:
    """Claim a folder for the results of one run, from before its computation until they are written."""
    given = Path(directory)
    path = given.resolve()
    if not path.name or path == Path.cwd():
        raise InputError(f"{given}: results need a folder of their own; give another one with --out")
    _refuse_foreign(path, given)
    with ExitStack() as claimed:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            stem = claimed.enter_context(claimed_folder(path))
            _tidy(path, stem)
        except FolderBusyError:
            raise AnalysisError(
                f"{given}: another run is writing its results here; wait for it or give another folder with --out"
            ) from None
        except OSError as error:
            raise _unwritable(given, error) from error
        yield ResultFolder(path, stem)


def _tidy(path: Path, stem: Path) -> None:
    """Clear away what a run that was killed left, or finish it."""
    for left in sorted(stem.parent.glob(f"{_escape(stem.name)}{_READY}*")):
        move_files(left, path, SUMMARY)
        shutil.rmtree(left, ignore_errors=True)
    for left in sorted(stem.parent.glob(f"{_escape(stem.name)}{_NEW}*")):
        if left.is_file():
            left.unlink(missing_ok=True)
        elif not restore(left, path):
            shutil.rmtree(left, ignore_errors=True)


def write_results(
    directory: str | Path,
    *,
    summary: Mapping[str, Any],
    records: Mapping[str, Record],
    case_text: str,
    report: str,
) -> dict[str, Any]:
    """Write results into a folder, whole or not at all; the summary as written is returned."""
    with result_folder(directory) as folder:
        return folder.write(summary=summary, records=records, case_text=case_text, report=report)


def read_results(directory: str | Path, *, confined: bool = False) -> StoredResults:
    """The results in a folder; when `confined`, they are not read through links that lead out of it.

    Parameters
    ----------
    directory
        Folder that `flexframe run` wrote.
    confined
        Whether links that lead out of the folder are refused.

    Returns
    -------
    StoredResults
        Summary, case, and the arrays of each analysis when asked for; SI units.

    Examples
    --------
    >>> try:
    ...     ff.results.read_results("nothing here")
    ... except ff.InputError as error:
    ...     print(type(error).__name__)
    InputError
    """
    files = Folder(Path(directory), confined)
    folder = files.path
    try:
        summary = json.loads(files.read(SUMMARY).decode("utf-8"))
        case_text = files.read(CASE).decode("utf-8")
    except (InputError, ValueError) as error:
        raise InputError(f"{folder}: no flexframe results here ({error}); give a folder that run wrote") from None
    if not isinstance(summary, dict) or "analyses" not in summary:
        raise InputError(f"{folder}: {SUMMARY} is not flexframe's; give a folder that run wrote")
    require_format(folder, summary)
    return StoredResults(files, summary, case_text)


def require_format(folder: Path, summary: Mapping[str, Any]) -> None:
    """Refuse results that a later version wrote in a way that this one does not know."""
    stored = summary.get("format", 1)  # the first results did not say it
    if not isinstance(stored, int) or stored > FORMAT:
        writer = summary.get("version", "a later version")
        raise InputError(
            f"{folder}: the results have format {stored} (flexframe {writer}), this flexframe reads up to format "
            f"{FORMAT}; update flexframe or run the case again"
        )


def finite_summary(summary: Mapping[str, Any]) -> dict[str, Any]:
    """A copy for JSON: numbers that are not finite become null, and `notes` says where."""
    notes: list[str] = []
    copy: dict[str, Any] = _plain(summary, "", notes)
    if notes:
        copy["notes"] = [*copy.get("notes", []), *notes]
    return copy


def _plain(value: Any, place: str, notes: list[str]) -> Any:
    match value:
        case Mapping():
            return {str(k): _plain(v, f"{place}.{k}" if place else str(k), notes) for k, v in value.items()}
        case np.ndarray() | np.generic():
            return _plain(value.tolist(), place, notes)
        case list() | tuple():
            return [_plain(v, f"{place}[{i}]", notes) for i, v in enumerate(value)]
        case float() if not np.isfinite(value):
            notes.append(f"{place} is {value}, not a finite number; it is written as null")
            return None
    return value


def _write_text(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _flush(path: Path) -> None:
    """Make the entries of a folder durable, where a folder can be opened."""
    if os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _refuse_foreign(path: Path, shown: Path | None = None) -> None:
    """Refuse to replace a file, or a folder with anything that is not a result of flexframe."""
    shown = shown or path
    if not path.exists():
        return
    if not path.is_dir():
        raise InputError(f"{shown}: this is a file; give a folder for the results with --out")
    try:
        foreign = sorted(entry.name for entry in path.iterdir() if not _is_own(entry))
    except OSError as error:
        raise _unwritable(shown, error) from error
    if foreign:
        raise InputError(
            f"{shown}: this folder holds '{foreign[0]}', which is no result of flexframe and would be lost; "
            "give another folder with --out"
        )


def _is_own(entry: Path) -> bool:
    """Whether a part of a folder of results is no loss: a result, or what runs and file systems leave there."""
    return (entry.name in FILES and not entry.is_dir()) or entry.name.startswith((f"{INSIDE}.", "lost+found"))


def _unwritable(path: Path, error: OSError) -> AnalysisError:
    reason = error.strerror or str(error)
    return AnalysisError(f"{path}: results cannot be written ({reason}); free space or give another --out")


def _escape(name: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)
