"""Files that a case, a mesh or a stored result names: all of them are opened here.

Only regular files are opened: a pipe may never end, and a device may be more than a file. A confined folder opens
nothing outside itself: no absolute paths, no `..`, no links that lead out.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import BinaryIO

from flexframe.errors import InputError

# Not to wait for the other end of a pipe, not to follow a link, not to become the owner of a terminal.
_FLAGS = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_NOCTTY", "O_BINARY")
)
_WALKS = os.open in os.supports_dir_fd and os.stat in os.supports_dir_fd
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISLNK, "a link that leads nowhere or was changed just now"),
)


class RefusedFileError(InputError):
    """A file that must not be opened here."""


class MissingFileError(InputError):
    """A file that does not exist."""


@dataclass(frozen=True)
class Folder:
    """Where the files of a case are looked for; when `confined`, nothing outside it is opened.

    Each folder on the way to a file of a confined folder is opened from the one before without following links,
    so that exchanging one of them for a link meanwhile leads nowhere. A hard link is the file itself.
    """

    path: Path
    confined: bool = False

    @contextmanager
    def open(self, name: str | Path) -> Iterator["OpenFile"]:
        """A regular file for reading; InputError when there is none or it is refused."""
        text = str(name)
        try:
            path = self._resolve(text)
            handle = _opened_below(*path) if isinstance(path, tuple) else _open(path)
        except FileNotFoundError:
            raise MissingFileError(f"{text}: there is no such file; check the path") from None
        except (OSError, ValueError, RuntimeError) as error:  # also endless links, zero bytes
            reason = getattr(error, "strerror", None) or "this is no name of a file"
            raise InputError(f"{text}: cannot be read ({reason}); check the path") from None
        except RefusedFileError as error:
            raise RefusedFileError(f"{text}: {error}") from None
        with os.fdopen(handle, "rb") as stream:
            yield OpenFile(text, stream, self._beside(text))

    def read(self, name: str | Path, most: int = -1) -> bytes:
        """The content of a file, or its first bytes."""
        with self.open(name) as file:
            return file.stream.read(most)

    def require(self, name: str | Path) -> None:
        """InputError when a file cannot be opened."""
        with self.open(name):
            pass

    def has(self, name: str | Path) -> bool:
        """Whether a file can be opened."""
        with suppress(InputError):
            self.require(name)
            return True
        return False

    def inside(self, name: str | Path) -> "Folder":
        """A folder below this one, or anywhere where it is not confined; what it opens stays in it."""
        text = str(name)
        if self.confined and leads_outside(text):
            raise RefusedFileError(f"{text}: leads out of the folder; copy the files into it")
        path = (self.path / text).resolve()
        if self.confined and not path.is_relative_to(self.path.resolve()):
            raise RefusedFileError(f"{text}: is a link that leads out of the folder; copy the files into it")
        if not path.is_dir():
            raise MissingFileError(f"{text}: there is no such folder; check the path")
        return Folder(path, confined=True)

    def _resolve(self, name: str) -> "Path | tuple[Path, tuple[str, ...]]":
        """The path without links; of a confined folder in two parts, that of the folder and the names below."""
        if not self.confined:
            return (self.path / name).resolve()
        if leads_outside(name):
            raise RefusedFileError("leads out of the folder; copy the file into it")
        root, path = self.path.resolve(), (self.path / name).resolve()
        if not path.is_relative_to(root):
            raise RefusedFileError("is a link that leads out of the folder; copy the file into it")
        return root, path.relative_to(root).parts

    def _beside(self, name: str) -> "Folder":
        """The folder in which a file lies; what that file names must lie there, too."""
        path = (self.path / name).resolve().parent
        return Folder(path, confined=True)


@dataclass(frozen=True)
class OpenFile:
    """A regular file that is open; `name` is for messages, `folder` holds the files that it may name."""

    name: str
    stream: BinaryIO
    folder: Folder

    @property
    def short(self) -> str:
        """The name without folders."""
        return Path(self.name).name

    @property
    def suffix(self) -> str:
        """The ending of the name in small letters, with its point."""
        return Path(self.name).suffix.lower()

    @property
    def size(self) -> int:
        """Bytes."""
        return os.fstat(self.stream.fileno()).st_size

    def head(self, count: int) -> bytes:
        """The first bytes; what is read later begins there again."""
        found = self.stream.read(count)
        self.stream.seek(0)
        return found

    @contextmanager
    def private_copy(self) -> Iterator[Path]:
        """The path of a private copy, for libraries that open files by themselves."""
        try:
            made = TemporaryDirectory(prefix="flexframe-")
        except OSError:
            raise InputError(
                f"{self.name}: files of this sort are copied, and there is no folder for that; set TMPDIR to one "
                "that can be written to"
            ) from None
        with made as folder:
            path = Path(folder) / f"file{self.suffix}"
            with path.open("wb") as target:
                copyfileobj(self.stream, target)
            yield path


ANYWHERE = Folder(Path())
"""For paths that a user gives himself: from the current folder, or absolute."""


def leads_outside(text: str) -> bool:
    """Whether a text is a path that does not stay below its folder, on any system."""
    posix, windows = PurePosixPath(text), PureWindowsPath(text)
    anchored = posix.is_absolute() or bool(windows.anchor)
    return anchored or ".." in posix.parts or ".." in windows.parts or "\0" in text


def _opened_below(root: Path, parts: tuple[str, ...]) -> int:
    """A descriptor of a file, reached from its root without following a link on the way."""
    if not parts:
        raise RefusedFileError("is a folder, not a file; name a file in it")
    if not _WALKS:
        return _opened_and_compared(root, root.joinpath(*parts))
    here = os.open(root, _FLAGS | os.O_DIRECTORY)
    try:
        for part in parts[:-1]:
            above, here = here, os.open(part, _FLAGS | os.O_DIRECTORY, dir_fd=here)
            os.close(above)
        return _open(parts[-1], here)
    finally:
        os.close(here)


def _opened_and_compared(root: Path, path: Path) -> int:
    """A descriptor where folders cannot be opened: what was opened must still be what lies there."""
    handle = _open(path)
    now = path.resolve()
    if now.is_relative_to(root) and os.path.samestat(now.stat(), os.fstat(handle)):
        return handle
    os.close(handle)
    raise RefusedFileError("was exchanged while it was opened; try again")


def _open(path: Path | str, below: int | None = None) -> int:
    """A descriptor of a regular file; what it is, is judged before and again after it is opened."""
    _require_regular(os.stat(path, dir_fd=below, follow_symlinks=False))
    handle = os.open(path, _FLAGS, dir_fd=below)
    try:
        _require_regular(os.fstat(handle))
    except BaseException:
        os.close(handle)
        raise
    return handle


def _require_regular(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = next((name for test, name in _KINDS if test(found.st_mode)), "something else")
        raise RefusedFileError(f"is {kind}, not a regular file; save the data in a file and name that")
