"""Labels of nodes and cells in files that are written."""

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import IntArray


def usable_labels(given: IntArray | None, count: int, largest: int) -> IntArray:
    """Labels of the part where a file can hold them, else numbers from 1."""
    if given is not None and len(given):
        possible = 0 < int(given.min()) <= int(given.max()) <= largest
        if possible and len(np.unique(given)) == count:
            return given
    if count > largest:
        raise InputError(f"{count} nodes or cells are more than the format has labels for")
    return np.arange(1, count + 1)
