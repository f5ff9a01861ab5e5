"""Two folders exchanged in one step of the file system."""

import ctypes
import os
import sys
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2  # Linux
_RENAME_SWAP = 2  # macOS
_ASIDE = "-aside"


def exchange_folders(new: Path, place: Path) -> None:
    """Put the new folder at a place; a folder that was there is at `new` afterwards.

    Linux and macOS exchange both at once. Elsewhere the old folder steps aside first.
    """
    if not place.exists():
        new.rename(place)
    elif not _exchanged(new, place):
        aside = new.with_name(new.name + _ASIDE)
        place.rename(aside)
        try:
            new.rename(place)
        except OSError:
            aside.rename(place)
            raise
        aside.rename(new)


def restored(left: Path, place: Path) -> bool:
    """Put back a folder that stepped aside from its place and was never replaced; whether it was one."""
    if not left.name.endswith(_ASIDE) or place.exists():
        return False
    left.rename(place)
    return True


def _exchanged(first: Path, second: Path) -> bool:
    """Whether the system could exchange two names."""
    names = (os.fsencode(first), os.fsencode(second))
    if sys.platform == "linux":
        call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
        return call is not None and call(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0
    if sys.platform == "darwin":
        call = getattr(ctypes.CDLL(None, use_errno=True), "renamex_np", None)
        return call is not None and call(*names, _RENAME_SWAP) == 0
    return False
