"""Sparsity pattern of the node graph, computed once; element blocks are added in place by a compiled loop."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from scipy import sparse

from flexframe.assembly.dofs import DofMap
from flexframe.maths.arrays import Array, BoolArray, IntArray, SparseMatrix


@njit(cache=True)
def _add_blocks(starts: Any, columns: Any, nodes: Any, blocks: Any, data: Any) -> None:  # pragma: no cover
    """data[slot(i, j)] += blocks[e, a, b] for i, j = nodes of element e; columns are sorted in each row."""
    elements, size = nodes.shape
    entries = blocks.shape[3]
    for e in range(elements):
        for a in range(size):
            row = nodes[e, a]
            for b in range(size):
                column = nodes[e, b]
                low, high = starts[row], starts[row + 1]
                while low < high:
                    middle = (low + high) // 2
                    if columns[middle] < column:
                        low = middle + 1
                    else:
                        high = middle
                for k in range(entries):
                    data[low, k] += blocks[e, a, b, k]


@njit(cache=True)
def _row_starts(starts: Any, columns: Any, numbers: Any, wanted: Any, count: int) -> Any:  # pragma: no cover
    """Where the rows of the expanded matrix start; numbers (nodes, d) are −1 where a node has no equation."""
    made = np.zeros(count + 1, dtype=np.int64)
    size = numbers.shape[1]
    for node in range(numbers.shape[0]):
        for a in range(size):
            row = numbers[node, a]
            if row < 0:
                continue
            for slot in range(starts[node], starts[node + 1]):
                for b in range(size):
                    if wanted[a, b] and numbers[columns[slot], b] >= 0:
                        made[row + 1] += 1
    for row in range(count):
        made[row + 1] += made[row]
    return made


@njit(cache=True)
def _fill_rows(pattern: Any, numbers: Any, wanted: Any, blocks: Any, made: Any) -> None:  # pragma: no cover
    """Columns and values of the expanded matrix, in the order of the nodes' columns."""
    starts, columns = pattern
    row_starts, indices, values = made
    size = numbers.shape[1]
    for node in range(numbers.shape[0]):
        for a in range(size):
            row = numbers[node, a]
            if row < 0:
                continue
            place = row_starts[row]
            for slot in range(starts[node], starts[node + 1]):
                for b in range(size):
                    column = numbers[columns[slot], b]
                    if wanted[a, b] and column >= 0:
                        indices[place] = column
                        values[place] = blocks[slot, a, b]
                        place += 1


@njit(cache=True)
def _fill_scaled_rows(
    pattern: Any, numbers: Any, factor: Any, scalars: Any, made: Any
) -> None:  # pragma: no cover
    """As `_fill_rows` for blocks that are one number times the same factor."""
    starts, columns = pattern
    row_starts, indices, values = made
    size = numbers.shape[1]
    for node in range(numbers.shape[0]):
        for a in range(size):
            row = numbers[node, a]
            if row < 0:
                continue
            place = row_starts[row]
            for slot in range(starts[node], starts[node + 1]):
                for b in range(size):
                    column = numbers[columns[slot], b]
                    if factor[a, b] != 0.0 and column >= 0:
                        indices[place] = column
                        values[place] = scalars[slot] * factor[a, b]
                        place += 1


@dataclass(frozen=True, eq=False)
class NodePattern:
    """Which pairs of nodes share an element, as compressed rows with sorted columns."""

    starts: IntArray
    columns: IntArray

    @classmethod
    def of(cls, node_count: int, connectivities: Sequence[IntArray]) -> "NodePattern":
        """Pattern of all pairs of nodes within the elements of the given connectivities."""
        total = sparse.csr_array((node_count, node_count), dtype=np.int8)
        for nodes in connectivities:
            elements, size = nodes.shape
            incidence = sparse.csr_array(
                (np.ones(nodes.size, np.int8), nodes.ravel(), np.arange(0, nodes.size + 1, size)),
                shape=(elements, node_count),
            )
            total = total + incidence.T @ incidence
        total = sparse.csr_array(total)
        total.sort_indices()
        return cls(np.asarray(total.indptr), np.asarray(total.indices))

    @property
    def node_count(self) -> int:
        return len(self.starts) - 1

    def zeros(self, *block: int) -> Array:
        """Room for one number or block for each pair."""
        return np.zeros((len(self.columns), *block))

    def add(self, nodes: IntArray, blocks: Array, data: Array) -> None:
        """Add element blocks (elements, n, n, …) into `data` (pairs, …)."""
        if data.ndim == 1:
            _add_blocks(self.starts, self.columns, nodes, blocks[..., None], data[:, None])
        else:
            flat = int(np.prod(data.shape[1:]))
            _add_blocks(
                self.starts,
                self.columns,
                nodes,
                blocks.reshape(*blocks.shape[:3], flat),
                data.reshape(-1, flat),
            )

    def scalar(self, data: Array) -> SparseMatrix:
        """The node matrix of one number for each pair."""
        size = self.node_count
        return sparse.csr_array((data, self.columns, self.starts), shape=(size, size))


def expanded(pattern: NodePattern, data: Array, dofs: DofMap, columns: IntArray) -> SparseMatrix:
    """Blocks (pairs, d, d) on the dofs `columns` of each node as a matrix of the numbered dofs."""
    numbers = np.ascontiguousarray(dofs.numbers[:, columns])
    wanted = np.ones((len(columns), len(columns)), dtype=bool)
    graph = (pattern.starts, pattern.columns)
    made = _empty_rows(graph, numbers, wanted, dofs.count)
    _fill_rows(graph, numbers, wanted, data, made)
    starts, indices, values = made
    return sparse.csr_array((values, indices, starts), shape=(dofs.count, dofs.count))


def expanded_scalar(scalar: SparseMatrix, factor: Array, dofs: DofMap, columns: IntArray) -> SparseMatrix:
    """scalar ⊗ factor on the dofs `columns` of each node, zeros of the factor left out."""
    numbers = np.ascontiguousarray(dofs.numbers[:, columns])
    factor = np.ascontiguousarray(factor, dtype=float)
    graph = (np.asarray(scalar.indptr), np.asarray(scalar.indices))
    made = _empty_rows(graph, numbers, factor != 0, dofs.count)
    _fill_scaled_rows(graph, numbers, factor, scalar.data, made)
    starts, indices, values = made
    return sparse.csr_array((values, indices, starts), shape=(dofs.count, dofs.count))


def _empty_rows(
    graph: tuple[Any, Any], numbers: IntArray, wanted: BoolArray, count: int
) -> tuple[IntArray, IntArray, Array]:
    """Row starts, and room for column numbers and values; 32-bit numbers where they suffice, as solvers want."""
    starts = _row_starts(*graph, numbers, wanted, count)
    kind = np.int32 if starts[-1] < np.iinfo(np.int32).max else np.int64
    return starts.astype(kind), np.empty(starts[-1], dtype=kind), np.empty(starts[-1])


def assembled(matrices: Array, numbers: IntArray, size: int) -> SparseMatrix:
    """Element matrices (elements, p, p) added into a sparse matrix; numbers (elements, p), −1 left out."""
    rows = np.broadcast_to(numbers[:, :, None], matrices.shape)
    columns = np.broadcast_to(numbers[:, None, :], matrices.shape)
    kept = (rows >= 0) & (columns >= 0)
    triplets = (matrices[kept], (rows[kept], columns[kept]))
    return sparse.csr_array(sparse.coo_array(triplets, shape=(size, size)))
