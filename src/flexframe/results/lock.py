"""A lock that ends with its process, even when that is killed."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


_HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


class FolderBusyError(Exception):
    """Somebody else holds the lock."""


@contextmanager
def folder_lock(path: Path) -> Iterator[None]:
    """Hold a lock file; FolderBusyError at once when another process has it."""
    handle = _acquired(path)
    try:
        yield
    finally:
        if sys.platform == "win32":
            os.close(handle)  # an open file cannot be removed there
            path.unlink(missing_ok=True)
        else:
            path.unlink(missing_ok=True)
            os.close(handle)


def _acquired(path: Path) -> int:
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
