"""Sparsity pattern of the node graph, computed once; element blocks are added in place by a compiled loop.

The loops are loaded with the first large model: a small one is done, with the same sums, before they are there.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexframe.assembly import small_patterns
from flexframe.assembly.dofs import DofMap
from flexframe.maths.arrays import Array, BoolArray, IntArray, SparseMatrix

SMALL = 100_000
"""Entries up to which array operations take less time than loading the compiled loops."""


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
        graph = (self.starts, self.columns)
        if _by_arrays(blocks.size):
            small_patterns.add_blocks(graph, nodes, blocks, data)
            return
        from flexframe.assembly.pattern_kernels import add_blocks

        flat = int(np.prod(data.shape[1:]))
        add_blocks(*graph, nodes, blocks.reshape(*blocks.shape[:3], flat), data.reshape(-1, flat))

    def scalar(self, data: Array) -> SparseMatrix:
        """The node matrix of one number for each pair."""
        size = self.node_count
        return sparse.csr_array((data, self.columns, self.starts), shape=(size, size))


def expanded(pattern: NodePattern, data: Array, dofs: DofMap, columns: IntArray) -> SparseMatrix:
    """Blocks (pairs, d, d) on the dofs `columns` of each node as a matrix of the numbered dofs."""
    numbers = np.ascontiguousarray(dofs.numbers[:, columns])
    wanted = np.ones((len(columns), len(columns)), dtype=bool)
    graph = (pattern.starts, pattern.columns)
    if _by_arrays(data.size):
        starts, indices, values = small_patterns.rows_of_pairs(graph, numbers, wanted, data, dofs.count)
    else:
        from flexframe.assembly.pattern_kernels import fill_rows

        starts, indices, values = made = _empty_rows(graph, numbers, wanted, dofs.count)
        fill_rows(graph, numbers, wanted, data, made)
    return sparse.csr_array((values, indices, starts), shape=(dofs.count, dofs.count))


def expand_scalar(scalar: SparseMatrix, factor: Array, dofs: DofMap, columns: IntArray) -> SparseMatrix:
    """scalar ⊗ factor on the dofs `columns` of each node, zeros of the factor left out."""
    numbers = np.ascontiguousarray(dofs.numbers[:, columns])
    factor = np.ascontiguousarray(factor, dtype=float)
    graph = (np.asarray(scalar.indptr), np.asarray(scalar.indices))
    if _by_arrays(scalar.nnz * factor.size):
        blocks = scalar.data[:, None, None] * factor
        starts, indices, values = small_patterns.rows_of_pairs(graph, numbers, factor != 0, blocks, dofs.count)
    else:
        from flexframe.assembly.pattern_kernels import fill_scaled_rows

        starts, indices, values = made = _empty_rows(graph, numbers, factor != 0, dofs.count)
        fill_scaled_rows(graph, numbers, factor, scalar.data, made)
    return sparse.csr_array((values, indices, starts), shape=(dofs.count, dofs.count))


def submatrix(matrix: SparseMatrix, kept: IntArray) -> SparseMatrix:
    """A[kept][:, kept]; the entries of a row keep their order where the numbers kept ascend."""
    if _by_arrays(matrix.nnz):
        return sparse.csr_array(matrix[kept][:, kept])
    from flexframe.assembly.pattern_kernels import fill_selected, selected_starts

    place = np.full(matrix.shape[1], -1, dtype=matrix.indices.dtype)
    place[kept] = np.arange(len(kept))
    starts = selected_starts(matrix.indptr, matrix.indices, kept, place).astype(matrix.indptr.dtype)
    columns, entries = np.empty(starts[-1], dtype=place.dtype), np.empty(starts[-1], dtype=matrix.dtype)
    fill_selected((matrix.indptr, matrix.indices, matrix.data), kept, place, (starts, columns, entries))
    return sparse.csr_array((entries, columns, starts), shape=(len(kept), len(kept)))


def _by_arrays(entries: int) -> bool:
    """Whether to do without the compiled loops: they are not loaded, and this is not worth it."""
    return entries <= SMALL and "numba" not in sys.modules


def _empty_rows(
    graph: small_patterns.Graph, numbers: IntArray, wanted: BoolArray, count: int
) -> tuple[IntArray, IntArray, Array]:
    """Row starts, and room for column numbers and values; 32-bit numbers where they suffice, as solvers want."""
    from flexframe.assembly.pattern_kernels import row_starts

    starts = row_starts(*graph, numbers, wanted, count)
    kind = np.int32 if starts[-1] < np.iinfo(np.int32).max else np.int64
    return starts.astype(kind), np.empty(starts[-1], dtype=kind), np.empty(starts[-1])


def assembled(matrices: Array, numbers: IntArray, size: int) -> SparseMatrix:
    """Element matrices (elements, p, p) added into a sparse matrix; numbers (elements, p), −1 left out."""
    rows = np.broadcast_to(numbers[:, :, None], matrices.shape)
    columns = np.broadcast_to(numbers[:, None, :], matrices.shape)
    kept = (rows >= 0) & (columns >= 0)
    triplets = (matrices[kept], (rows[kept], columns[kept]))
    return sparse.csr_array(sparse.coo_array(triplets, shape=(size, size)))
