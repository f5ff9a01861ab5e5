"""Graphs: nodes and the links between them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from flexframe import _core
from flexframe.maths.arrays import IntArray, SparseMatrix

Nodes = NDArray[np.integer[Any]]

_SEED = 3
_ROWS = 50_000  # at a time


def connected_parts(count: int, first: Nodes, second: Nodes) -> IntArray:
    """The part of each of `count` nodes where links join first[k] and second[k]; numbered by their first nodes."""
    parts = np.empty(count, dtype=np.int64)
    ends = [np.ascontiguousarray(nodes, dtype=np.int64) for nodes in (first, second)]
    _core.connected_parts(ends[0], ends[1], parts)
    return parts


def alike_unknowns(pattern: SparseMatrix) -> IntArray:
    """A group for unknowns with the same neighbours, such as the displacements of a node, from zero on."""
    rng = np.random.default_rng(_SEED)
    # whole numbers, so that sums do not depend on the order of the neighbours
    marks = rng.integers(1, 2**45, pattern.shape[0]).astype(float)
    sums = np.empty(pattern.shape[0])
    for first in range(0, len(sums), _ROWS):
        starts = pattern.indptr[first : first + _ROWS + 1]
        columns = pattern.indices[starts[0] : starts[-1]]
        shape = (len(starts) - 1, len(marks))
        rows = sparse.csr_array((np.ones(len(columns)), columns, starts - starts[0]), shape=shape)
        sums[first : first + _ROWS] = rows @ marks
    return np.asarray(np.unique(sums, return_inverse=True)[1], dtype=np.int64)
