"""Sparsity pattern of the node graph, computed once; element blocks are added in place by a compiled loop."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from scipy import sparse

from flexframe.assembly.dofs import DofMap
from flexframe.maths.arrays import Array, IntArray, SparseMatrix


@njit(cache=True)
def _add_blocks(starts: Any, columns: Any, nodes: Any, blocks: Any, data: Any) -> None:  # pragma: no cover
    """data[slot(i, j)] += blocks[e, a, b] for i, j = nodes of element e; columns are sorted in each row."""
    elements, size = nodes.shape
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
                data[low] += blocks[e, a, b]


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
    if _uniform(dofs, columns):
        shape = (dofs.count, dofs.count)
        matrix = sparse.bsr_array((data, pattern.columns, pattern.starts), shape=shape).tocsr()
        return sparse.csr_array(matrix)
    rows = np.repeat(np.arange(pattern.node_count), np.diff(pattern.starts))
    row_numbers = dofs.numbers[rows][:, columns][:, :, None]
    column_numbers = dofs.numbers[pattern.columns][:, columns][:, None, :]
    kept = np.broadcast_to((row_numbers >= 0) & (column_numbers >= 0), data.shape)
    triplets = (
        np.broadcast_to(row_numbers, data.shape)[kept],
        np.broadcast_to(column_numbers, data.shape)[kept],
    )
    return sparse.csr_array(sparse.coo_array((data[kept], triplets), shape=(dofs.count, dofs.count)))


def expanded_scalar(scalar: SparseMatrix, factor: Array, dofs: DofMap, columns: IntArray) -> SparseMatrix:
    """scalar ⊗ factor on the dofs `columns` of each node, zeros of the factor left out."""
    if _uniform(dofs, columns):
        return sparse.csr_array(sparse.kron(scalar, sparse.coo_array(factor), format="csr"))
    triplets = scalar.tocoo()
    rows, cols, values = [], [], []
    for a, b in np.argwhere(factor):
        i, j = dofs.numbers[triplets.row, columns[a]], dofs.numbers[triplets.col, columns[b]]
        kept = (i >= 0) & (j >= 0)
        rows.append(i[kept])
        cols.append(j[kept])
        values.append(triplets.data[kept] * factor[a, b])
    if not rows:
        return sparse.csr_array((dofs.count, dofs.count), dtype=float)
    data = (np.concatenate(values), (np.concatenate(rows), np.concatenate(cols)))
    return sparse.csr_array(sparse.coo_array(data, shape=(dofs.count, dofs.count)))


def _uniform(dofs: DofMap, columns: IntArray) -> bool:
    """Whether every node has exactly these degrees of freedom, so that numbers run node by node."""
    return bool(dofs.count == len(columns) * len(dofs.numbers) and (dofs.numbers[:, columns] >= 0).all())


def assembled(matrices: Array, numbers: IntArray, size: int) -> SparseMatrix:
    """Element matrices (elements, p, p) added into a sparse matrix; numbers (elements, p), −1 left out."""
    rows = np.broadcast_to(numbers[:, :, None], matrices.shape)
    columns = np.broadcast_to(numbers[:, None, :], matrices.shape)
    kept = (rows >= 0) & (columns >= 0)
    triplets = (matrices[kept], (rows[kept], columns[kept]))
    return sparse.csr_array(sparse.coo_array(triplets, shape=(size, size)))
