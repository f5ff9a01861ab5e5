"""What a finished run offers to take away, each under an address that works once and for a short time."""

import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_urlsafe
from shutil import rmtree
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Literal
from urllib.parse import quote

from fastapi.responses import Response, StreamingResponse

from flexframe.errors import AnalysisError
from flexframe.files import Folder
from flexframe.results.storage import DATA, REPORT, SUMMARY
from flexframe.studio.bounds import DOWNLOAD_SECONDS, EXPORT_SECONDS
from flexframe.studio.runs import RESULTS, Run
from flexframe.studio.workspace import NotThereError

Offer = Literal["report", "summary", "netcdf", "csv", "vtk"]

EXPORTS = "exports"
_PART = 1 << 20  # bytes at a time


@dataclass(frozen=True)
class Download:
    """A file of a run's folder and the name under which it is saved."""

    files: Folder
    path: str
    name: str
    media_type: str


@dataclass
class Tickets:
    """Secrets that stand for one download each; so that large files need not pass through the page's memory."""

    _given: dict[str, tuple[Download, float]] = field(default_factory=dict)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def issue(self, download: Download) -> str:
        """A new secret."""
        secret = token_urlsafe(32)
        with self._turn:
            now = monotonic()
            self._given = {key: entry for key, entry in self._given.items() if entry[1] > now}
            self._given[secret] = (download, now + DOWNLOAD_SECONDS)
        return secret

    def redeem(self, secret: str) -> Download:
        """The download, once."""
        with self._turn:
            download, until = self._given.pop(secret, (None, 0.0))
        if download is None or until < monotonic() or not download.files.has(download.path):
            raise NotThereError("this download has been used or has expired; ask for it again")
        return download


def file_response(files: Folder, path: str, media_type: str, saved_as: str | None = None) -> Response:
    """A file of a folder as an answer, sent from the descriptor that was opened; for saving under a name."""
    held = ExitStack()
    opened = held.enter_context(files.open(path))

    def parts() -> Iterator[bytes]:
        with held:
            while part := opened.stream.read(_PART):
                yield part

    headers = {"Content-Length": str(opened.size)}
    if saved_as is not None:
        headers["Content-Disposition"] = f"attachment; filename*=utf-8''{quote(saved_as)}"
    return StreamingResponse(parts(), media_type=media_type, headers=headers)


def offer_file(run: Run, offer: Offer) -> Download:
    """A file of a finished run; tables and ParaView files are made when first asked for."""
    if run.state.status != "done":
        raise NotThereError("only a run that is done can be downloaded; wait for it or run it again")
    return _OFFERS[offer](run, Path(run.request.case).stem)


def _stored_file(file: str, suffix: str, media_type: str) -> Callable[[Run, str], Download]:
    def find(run: Run, stem: str) -> Download:
        path = f"{RESULTS}/{file}"
        if not run.files.has(path):
            raise NotThereError(f"the results of this run have no {file}; run it again")
        return Download(run.files, path, f"{stem}{suffix}", media_type)

    return find


def _export(form: str) -> Callable[[Run, str], Download]:
    """Files of `flexframe export`, packed."""

    def make(run: Run, stem: str) -> Download:
        path = f"{EXPORTS}/{form}.zip"
        packed = run.folder / path
        if not run.files.has(path):
            packed.parent.mkdir(exist_ok=True)
            with TemporaryDirectory(dir=packed.parent) as scratch:
                made = Path(scratch) / form
                _run_export(run.folder / RESULTS, form, made)
                _pack(made, packed)
                rmtree(made)
        return Download(run.files, path, f"{stem}-{form}.zip", "application/zip")

    return make


def _run_export(results: Path, form: str, out: Path) -> None:
    command = [
        sys.executable,
        "-P",
        "-m",
        "flexframe.studio.export_process",
        str(results),
        "--to",
        form,
        "--out",
        str(out),
        "--confined",
    ]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=EXPORT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise AnalysisError(f"the export takes more than {EXPORT_SECONDS:g} s; use flexframe export") from None
    if done.returncode < 0:
        raise AnalysisError(f"the export was ended by signal {-done.returncode}; use flexframe export")
    if done.returncode != 0:
        told = done.stderr.decode("utf-8", errors="replace").strip() or "no message"
        raise AnalysisError(told.splitlines()[-1])


def _pack(folder: Path, target: Path) -> None:
    """All files of a folder in one archive, which appears when it is whole."""
    new = target.with_name(f"{target.name}.new")
    with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    new.replace(target)


_OFFERS: Mapping[Offer, Callable[[Run, str], Download]] = {
    "report": _stored_file(REPORT, "-report.html", "text/html"),
    "summary": _stored_file(SUMMARY, "-summary.json", "application/json"),
    "netcdf": _stored_file(DATA, "-results.nc", "application/x-netcdf"),
    "csv": _export("csv"),
    "vtk": _export("vtk"),
}
