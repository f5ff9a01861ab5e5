"""Datasets in one netCDF file, a group each."""

import io
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

if TYPE_CHECKING:
    import xarray

COMPRESSED_FROM = 10_000  # values

_Answer = TypeVar("_Answer")


def write_groups(path: Path, datasets: Mapping[str, "xarray.Dataset"]) -> None:
    """Write the datasets and flush them to the disk; OSError when there is no room."""
    with path.open("w+b", buffering=0) as file:
        target = _Unfailing(file)
        mode: Literal["w", "a"] = "w"
        for name, dataset in datasets.items():
            packed = {
                key: {"zlib": True, "complevel": 4} for key, var in dataset.items() if var.size >= COMPRESSED_FROM
            }
            try:
                dataset.to_netcdf(target, mode=mode, group=name, engine="h5netcdf", encoding=packed)
            except (OSError, RuntimeError, KeyError, ValueError):
                # the library stumbles over data that could not be kept; any other error is a real one
                if target.error is None:
                    raise
            if target.error is not None:
                raise target.error
            mode = "a"
        os.fsync(file.fileno())


class _Unfailing(io.RawIOBase):
    """A file that keeps its first error instead of raising it.

    HDF5 writes its remaining data when it closes a file; if that fails again it ends the whole process.
    """

    def __init__(self, file: io.FileIO) -> None:
        super().__init__()
        self._file = file
        self.error: OSError | None = None

    def _attempt(self, call: Callable[[], _Answer], otherwise: _Answer) -> _Answer:
        if self.error is None:
            try:
                return call()
            except OSError as error:
                self.error = error
        return otherwise

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._file.tell()

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._file.seek(offset, whence)

    def readinto(self, buffer: Any, /) -> int | None:
        return self._attempt(lambda: self._file.readinto(buffer), len(buffer))

    def write(self, data: Any, /) -> int:
        return self._attempt(lambda: self._written(memoryview(data).cast("B")), len(data))

    def _written(self, data: memoryview) -> int:
        """All of the data: a single system call writes at most 2 GB, and less on a disk that fills up."""
        done = 0
        while done < len(data):
            done += self._file.write(data[done:]) or 0
        return done

    def truncate(self, size: int | None = None, /) -> int:
        return self._attempt(lambda: self._file.truncate(size), size or 0)
