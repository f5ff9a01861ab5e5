"""Folders of results: exchanged in one step of the file system, and held by one process at a time."""

import ctypes
import errno
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from flexframe import _core

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2  # Linux
_RENAME_SWAP = 2  # macOS
_ASIDE = "-aside"
INSIDE = ".flexframe"
"""How names of our own begin inside a folder beside which nothing can be written."""


def exchange_folders(new: Path, place: Path) -> None:
    """Put the new folder at a place; a folder that was there is at `new` afterwards.

    Linux and macOS exchange both at once. Elsewhere the old folder steps aside first.
    """
    if not place.exists():
        new.rename(place)
    elif not _exchange(new, place):
        aside = new.with_name(new.name + _ASIDE)
        place.rename(aside)
        try:
            new.rename(place)
        except OSError:
            aside.rename(place)
            raise
        aside.rename(new)


def move_files(new: Path, place: Path, last: str) -> None:
    """Put the files of a new folder into a place that cannot be exchanged, such as a mount point.

    The file `last` goes first and comes back last, so that nobody takes a half of the files for the whole.
    """
    if (new / last).exists():
        (place / last).unlink(missing_ok=True)
    for entry in sorted(new.iterdir(), key=lambda entry: entry.name == last):
        target = place / entry.name
        try:
            entry.replace(target)
        except OSError as error:
            if error.errno != errno.EXDEV:  # another file system
                raise
            fresh = place / f"{INSIDE}.new-{entry.name}"
            try:
                shutil.copyfile(entry, fresh)
                descriptor = os.open(fresh, os.O_RDONLY)  # to make it durable
                os.fsync(descriptor)
                os.close(descriptor)
                fresh.replace(target)
            finally:
                fresh.unlink(missing_ok=True)


def restore(left: Path, place: Path) -> bool:
    """Put back a folder that stepped aside from its place and was never replaced; whether it was one."""
    if not left.name.endswith(_ASIDE) or place.exists():
        return False
    left.rename(place)
    return True


def _exchange(first: Path, second: Path) -> bool:
    """Whether the system could exchange two names."""
    names = (os.fsencode(first), os.fsencode(second))
    if sys.platform == "linux":
        call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
        return call is not None and call(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0
    if sys.platform == "darwin":
        call = getattr(ctypes.CDLL(None, use_errno=True), "renamex_np", None)
        return call is not None and call(*names, _RENAME_SWAP) == 0
    return False


if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


_NOT_BESIDE = (errno.EACCES, errno.EPERM, errno.EROFS)
_HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


class FolderBusyError(Exception):
    """Somebody else holds the lock."""


@contextmanager
def folder_lock(path: Path) -> Iterator[None]:
    """Hold a lock file; FolderBusyError at once when another process has it."""
    handle = _acquire(path)
    _core.remove_at_last(str(path.absolute()))
    try:
        yield
    finally:
        _core.leave_at_last(str(path.absolute()))
        if sys.platform == "win32":
            os.close(handle)  # an open file cannot be removed there
            path.unlink(missing_ok=True)
        else:
            path.unlink(missing_ok=True)
            os.close(handle)


@contextmanager
def claimed_folder(path: Path) -> Iterator[Path]:
    """Hold the lock of a folder, beside it or else inside; gives how names of files for this time begin.

    Beside a mount point (a volume of a container) and in a read-only folder nothing is written.
    """
    beside = path.with_name(f".{path.name}")
    with ExitStack() as held:
        stem = path / INSIDE
        if not os.path.ismount(path):
            try:
                held.enter_context(folder_lock(beside.with_name(f"{beside.name}.lock")))
                stem = beside
            except OSError as error:
                if error.errno not in _NOT_BESIDE or not path.is_dir():
                    raise
        if stem != beside:
            held.enter_context(folder_lock(path / f"{INSIDE}.lock"))
        yield stem


def _acquire(path: Path) -> int:
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            if sys.platform == "win32":
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(handle)
            if error.errno in _HELD:
                raise FolderBusyError from None
            raise
        # the file may have been removed by its last holder between opening and locking
        try:
            if os.path.samestat(os.fstat(handle), path.stat()):
                return handle
        except FileNotFoundError:
            pass
        os.close(handle)
