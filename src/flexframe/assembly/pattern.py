"""Sparsity pattern of the node graph, computed once; element blocks are added in place by the compiled core."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from flexframe import _core
from flexframe.assembly.dofs import DofMap
from flexframe.maths.arrays import Array, BoolArray, IntArray, SparseMatrix

_NARROW = np.iinfo(np.int32).max  # up to there column numbers and row starts take 32 bits, as solvers want


@dataclass(frozen=True, eq=False)
class NodePattern:
    """Which pairs of nodes share an element, as compressed rows with sorted columns."""

    starts: IntArray
    columns: IntArray

    @classmethod
    def of(cls, node_count: int, connectivities: Sequence[IntArray]) -> "NodePattern":
        """Pattern of all pairs of nodes within the elements of the given connectivities."""
        tables = [np.ascontiguousarray(nodes, dtype=np.int64) for nodes in connectivities]
        most = sum(nodes.size * nodes.shape[1] for nodes in tables)
        return cls(*_core.node_pairs(node_count, tables, most > _NARROW))

    @property
    def node_count(self) -> int:
        return len(self.starts) - 1

    def zeros(self) -> Array:
        """Room for one number for each pair."""
        return np.zeros(len(self.columns))

    def add(self, nodes: IntArray, blocks: Array, data: Array) -> None:
        """Add element matrices of one number for each pair, (elements, n, n), into `data` (pairs,)."""
        _core.add_scalars(
            self.starts, self.columns, np.ascontiguousarray(nodes), np.ascontiguousarray(blocks), data
        )

    def scalar(self, data: Array) -> SparseMatrix:
        """The node matrix of one number for each pair."""
        size = self.node_count
        return sparse.csr_array((data, self.columns, self.starts), shape=(size, size))


@dataclass(frozen=True, eq=False)
class BlockMatrix:
    """A matrix of the numbered dofs into which the blocks of elements are added."""

    matrix: SparseMatrix
    pattern: NodePattern
    numbers: IntArray  # equation of each node and component, −1 where there is none: (nodes, d)
    offsets: IntArray  # of each pair's block in the rows of its first node: (pairs,)

    @classmethod
    def zeros(cls, pattern: NodePattern, dofs: DofMap, columns: IntArray) -> "BlockMatrix":
        """Zeros wherever two nodes of the pattern have the dofs `columns`."""
        numbers = np.ascontiguousarray(dofs.numbers[:, columns])
        graph = (pattern.starts, pattern.columns)
        starts, indices = _empty_rows(
            graph, numbers, np.ones((len(columns), len(columns)), dtype=bool), dofs.count
        )
        _core.equation_columns(*graph, numbers, starts, indices)
        offsets = np.empty_like(pattern.columns)
        _core.block_offsets(*graph, numbers, offsets)
        matrix = sparse.csr_array((np.zeros(len(indices)), indices, starts), shape=(dofs.count, dofs.count))
        return cls(matrix, pattern, numbers, offsets)

    def add(self, nodes: IntArray, blocks: Array) -> None:
        """Add node blocks of elements, (elements, n, n, d, d)."""
        _core.add_blocks(
            self.pattern.starts,
            self.pattern.columns,
            self.offsets,
            self.matrix.indptr,
            self.matrix.data,
            self.numbers,
            np.ascontiguousarray(nodes),
            np.ascontiguousarray(blocks),
        )


def expand_scalar(scalar: SparseMatrix, factor: Array, dofs: DofMap, columns: IntArray) -> SparseMatrix:
    """scalar ⊗ factor on the dofs `columns` of each node, zeros of the factor left out."""
    numbers = np.ascontiguousarray(dofs.numbers[:, columns])
    factor = np.ascontiguousarray(factor, dtype=float)
    graph = (scalar.indptr, scalar.indices)
    starts, indices = _empty_rows(graph, numbers, factor != 0, dofs.count)
    entries = np.empty(len(indices))
    _core.expand_scalars(*graph, scalar.data, numbers, factor, starts, indices, entries)
    return sparse.csr_array((entries, indices, starts), shape=(dofs.count, dofs.count))


def submatrix(matrix: SparseMatrix, kept: IntArray) -> SparseMatrix:
    """A[kept][:, kept]; the entries of a row keep their order where the numbers kept ascend."""
    graph = (matrix.indptr, matrix.indices)
    place = np.full(matrix.shape[1], -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    starts = np.empty(len(kept) + 1, dtype=np.int64)
    _core.selected_starts(*graph, kept, place, starts)
    made_starts = starts.astype(matrix.indptr.dtype)
    columns = np.empty(starts[-1], dtype=matrix.indices.dtype)
    entries = np.empty(starts[-1], dtype=matrix.dtype)
    _core.select(*graph, matrix.data, kept, place, made_starts, columns, entries)
    return sparse.csr_array((entries, columns, made_starts), shape=(len(kept), len(kept)))


def _empty_rows(
    graph: tuple[Any, Any], numbers: IntArray, wanted: BoolArray, count: int
) -> tuple[IntArray, IntArray]:
    """Row starts of the numbered dofs, and room for column numbers."""
    starts = np.empty(count + 1, dtype=np.int64)
    _core.equation_starts(*graph, numbers, wanted, starts)
    kind = np.int32 if starts[-1] <= _NARROW else np.int64
    return starts.astype(kind), np.empty(starts[-1], dtype=kind)


def assembled(matrices: Array, numbers: IntArray, size: int) -> SparseMatrix:
    """Element matrices (elements, p, p) added into a sparse matrix; numbers (elements, p), −1 left out."""
    rows = np.broadcast_to(numbers[:, :, None], matrices.shape)
    columns = np.broadcast_to(numbers[:, None, :], matrices.shape)
    kept = (rows >= 0) & (columns >= 0)
    triplets = (matrices[kept], (rows[kept], columns[kept]))
    return sparse.csr_array(sparse.coo_array(triplets, shape=(size, size)))
