"""Large arrays that wait on disk, in files without a name that end with them (in TMPDIR)."""

import weakref
from tempfile import TemporaryFile
from typing import Any

import numpy as np

from flexframe.maths.arrays import Array

_LARGE = 2**22  # bytes; smaller arrays stay in memory


class StoredArray:
    """An array in a file; numpy, and whoever it is sent to, find it as a usual one."""

    def __init__(self, array: Array) -> None:
        self.shape, self.dtype, self.nbytes = array.shape, array.dtype, array.nbytes
        self._order = "F" if array.flags.f_contiguous else "C"
        self._file = TemporaryFile()  # noqa: SIM115 - open as long as this object lives
        weakref.finalize(self, self._file.close)
        memory = np.asarray(array.T if self._order == "F" else array, order="C")
        self._file.write(memory.data)
        self._file.flush()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """Read it."""
        self._file.seek(0)
        flat = np.fromfile(self._file, dtype=self.dtype)
        read = flat.reshape(self.shape[::-1]).T if self._order == "F" else flat.reshape(self.shape)
        return read if dtype is None else read.astype(dtype, copy=False)

    def __len__(self) -> int:
        return int(self.shape[0])

    def __reduce__(self) -> Any:
        return np.asarray, (np.asarray(self),)


def stored(array: Array) -> Array:
    """The array itself if it is small, else one in a file."""
    if array.nbytes < _LARGE or not (array.flags.c_contiguous or array.flags.f_contiguous):
        return array
    return StoredArray(array)  # type: ignore[return-value]  # which is read wherever numpy takes an array
