"""Writing results without libraries that they do not hold arrays of."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

ARRAY_LIBRARIES = ("dask", "pint")


@contextmanager
def plain_arrays() -> Iterator[None]:
    """Let xarray believe that other array libraries are absent.

    To see whether an array is one of theirs, xarray imports Dask and pint where they are installed, which takes
    longer than all the rest of writing the results. A process in which they are in use already is left alone.
    """
    hidden = [name for name in ARRAY_LIBRARIES if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type] # None: an import of it fails
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
