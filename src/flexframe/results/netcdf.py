"""Datasets in one netCDF file, a group each."""

import io
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from flexframe.files import OpenFile, RefusedFileError
from flexframe.results.record import NamedArrays, Variable

if TYPE_CHECKING:
    import xarray

COMPRESSED_FROM = 10_000  # values
LEVEL = 4  # of compression
_BARE = "This is a netCDF dimension but not a netCDF variable."
_NO_VARIABLE = Variable((), np.empty(()))

_Answer = TypeVar("_Answer")


def write_arrays(path: Path, groups: Mapping[str, NamedArrays]) -> None:
    """Write the arrays and flush them to the disk; OSError when there is no room.

    The file holds what xarray would make of the same arrays and opens there as the same dataset. It is written by
    h5py alone, in the layout of netCDF-4: a dimension is a scale of HDF5, which its variables refer to.
    """
    import h5py

    with _flush_file(path) as target, target.errors_kept(), h5py.File(target, "w", track_order=True) as file:
        numbers = count()  # of the dimensions of the whole file
        for name, arrays in groups.items():
            _write_group(file.create_group(name, track_order=True), arrays, numbers)


def write_groups(path: Path, datasets: Mapping[str, "xarray.Dataset"]) -> None:
    """Write datasets of xarray and flush them to the disk; OSError when there is no room."""
    with _flush_file(path) as target:
        mode: Literal["w", "a"] = "w"
        for name, dataset in datasets.items():
            packed = {
                key: {"zlib": True, "complevel": LEVEL}
                for key, var in dataset.items()
                if var.size >= COMPRESSED_FROM
            }
            with target.errors_kept():
                dataset.to_netcdf(target, mode=mode, group=name, engine="h5netcdf", encoding=packed)
            mode = "a"


def _write_group(group: Any, arrays: NamedArrays, numbers: Iterator[int]) -> None:
    """One dataset; values along a dimension of the same name are its scale."""
    variables = arrays.all_variables()
    sizes: dict[str, int] = {}
    for name, variable in variables.items():
        for dim, size in zip(variable.dims, variable.values.shape, strict=True):
            assert sizes.setdefault(dim, size) == size, f"{name} and others differ in the length of {dim}"
    axes = {dim: variables.get(dim, _NO_VARIABLE).dims == (dim,) for dim in sizes}
    scales = {}
    for dim, size in sizes.items():
        stored = _create(group, dim, variables[dim]) if axes[dim] else _bare_scale(group, dim, size)
        stored.make_scale(dim if axes[dim] else f"{_BARE}{size:10d}")
        stored.attrs["_Netcdf4Dimid"] = np.int32(next(numbers))
        scales[dim] = stored
    beside = {name: set(variables[name].dims) for name in arrays.coords if not axes.get(name, False)}
    for name, variable in variables.items():
        if axes.get(name, False):
            continue
        clash = "_nc4_non_coord_" if name in sizes else ""
        stored = _create(group, clash + name, variable, packed=name not in arrays.coords)
        for place, dim in enumerate(variable.dims):
            stored.dims[place].attach_scale(scales[dim])
        along = [key for key, dims in beside.items() if dims <= set(variable.dims)]
        if along and name not in arrays.coords:
            stored.attrs["coordinates"] = " ".join(along)
    _describe(group, arrays.attrs)


def _bare_scale(group: Any, dim: str, size: int) -> Any:
    """A dimension without values; one that is empty may grow, since netCDF has no other of no length."""
    return group.create_dataset(dim, (size,), dtype=">f4", maxshape=None if size else (None,), track_order=True)


def _create(group: Any, name: str, variable: Variable, *, packed: bool = False) -> Any:
    """Texts as such; NaN marks what is missing; large arrays are compressed where asked."""
    import h5py

    values = variable.values
    settings: dict[str, Any] = {}
    attrs = dict(variable.attrs)
    if values.dtype.kind == "U":
        values = values.astype(object)
        settings["dtype"] = h5py.string_dtype()
    elif values.dtype.kind == "f":
        settings["fillvalue"] = values.dtype.type(np.nan)
        attrs = {"_FillValue": values.dtype.type(np.nan), **attrs}
    if packed and values.size >= COMPRESSED_FROM:
        settings |= {"compression": "gzip", "compression_opts": LEVEL}
    if 0 in values.shape:
        settings["maxshape"] = tuple(size or None for size in values.shape)
    stored = group.create_dataset(name, data=values, track_order=True, **settings)
    _describe(stored, attrs)
    return stored


def _describe(stored: Any, attrs: Mapping[str, Any]) -> None:
    """Attributes; a number is a list of one, as netCDF has it."""
    for key, value in attrs.items():
        stored.attrs[key] = value if isinstance(value, str) else np.atleast_1d(value)


def require_own_data(file: OpenFile) -> None:
    """Refuse a file whose data lie in others: links, raw data or views of other files, which HDF5 would open."""
    import h5py

    foreign: list[str] = []

    def look_at_link(name: str, link: Any) -> None:
        if isinstance(link, h5py.ExternalLink):
            foreign.append(name)

    def look_at_data(name: str, found: Any) -> None:
        if isinstance(found, h5py.Dataset) and (found.external or found.is_virtual):
            foreign.append(name)

    with h5py.File(file.stream, "r") as opened:
        opened.visititems_links(look_at_link)
        opened.visititems(look_at_data)
    file.stream.seek(0)
    if foreign:
        raise RefusedFileError(f"{file.name}: '{foreign[0]}' lies in another file; run the case again")


@contextmanager
def _flush_file(path: Path) -> Iterator["_Unfailing"]:
    """A new file that is on the disk in the end."""
    with path.open("w+b", buffering=0) as file:
        yield _Unfailing(file)
        os.fsync(file.fileno())


class _Unfailing(io.RawIOBase):
    """A file that keeps its first error instead of raising it, and goes on in memory.

    HDF5 writes its remaining data when it closes a file, and reads what it wrote before; if that fails, or gives
    other data, it may end the whole process.
    """

    def __init__(self, file: io.FileIO) -> None:
        super().__init__()
        self._file: io.FileIO | io.BytesIO = file
        self.error: OSError | None = None

    @contextmanager
    def errors_kept(self) -> Iterator[None]:
        """Raise the first error of the file in the end, whatever a library made of it meanwhile."""
        try:
            yield
        except (OSError, RuntimeError, KeyError, ValueError):
            # the library stumbles over data that could not be kept; any other error is a real one
            if self.error is None:
                raise
        if self.error is not None:
            raise self.error

    def _attempt(self, call: Callable[[], _Answer]) -> _Answer:
        place = self._file.tell()
        try:
            return call()
        except OSError as error:
            self.error = error
            self._file = io.BytesIO(self._content())
            self._file.seek(place)
            return call()

    def _content(self) -> bytes:
        """What is in the file so far."""
        self._file.seek(0)
        try:
            return self._file.read() or b""
        except OSError:
            return b""

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
        return self._attempt(lambda: self._file.readinto(buffer))

    def write(self, data: Any, /) -> int:
        return self._attempt(lambda: self._write_all(memoryview(data).cast("B")))

    def _write_all(self, data: memoryview) -> int:
        """All of the data: a single system call writes at most 2 GB, and less on a disk that fills up."""
        done = 0
        while done < len(data):
            done += self._file.write(data[done:]) or 0
        return done

    def truncate(self, size: int | None = None, /) -> int:
        return self._attempt(lambda: self._file.truncate(size))
