"""Graphs: nodes and the links between them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexframe import _core
from flexframe.maths.arrays import IntArray

Nodes = NDArray[np.integer[Any]]


def connected_parts(count: int, first: Nodes, second: Nodes) -> IntArray:
    """The part of each of `count` nodes where links join first[k] and second[k]; numbered by their first nodes."""
    parts = np.empty(count, dtype=np.int64)
    ends = [np.ascontiguousarray(nodes, dtype=np.int64) for nodes in (first, second)]
    _core.connected_parts(ends[0], ends[1], parts)
    return parts
