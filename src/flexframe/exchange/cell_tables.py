"""Elements of a file as blocks of cells, and matrices of single elements as one."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from scipy import sparse

from flexframe.exchange.contract import FiledMatrix
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import Cell


class CellTable(Protocol):
    """Elements of one shape: labels (n,) and node numbers (n, nodes) in the order of the cell."""

    @property
    def cell(self) -> Cell: ...
    @property
    def labels(self) -> IntArray: ...
    @property
    def nodes(self) -> IntArray: ...


def cell_blocks(tables: Sequence[CellTable]) -> tuple[tuple[CellBlock, ...], IntArray, list[IntArray]]:
    """Blocks by shape, labels of all cells, and the cell numbers of each table."""
    rows: dict[Cell, list[IntArray]] = {}
    labels: dict[Cell, list[IntArray]] = {}
    for table in tables:
        rows.setdefault(table.cell, []).append(table.nodes)
        labels.setdefault(table.cell, []).append(table.labels)
    blocks = tuple(CellBlock(cell, np.concatenate(parts)) for cell, parts in rows.items())
    starts = dict(zip(rows, np.cumsum([0, *(len(block) for block in blocks)]), strict=False))
    numbers = []
    for table in tables:
        numbers.append(starts[table.cell] + np.arange(len(table.labels)))
        starts[table.cell] += len(table.labels)
    none = np.empty(0, dtype=np.int64)
    return blocks, np.concatenate([none, *(part for parts in labels.values() for part in parts)]), numbers


def joined_matrices(parts: Sequence[tuple[IntArray, Array]]) -> FiledMatrix | None:
    """Small matrices (k, k) on rows labelled by node and degree of freedom (k, 2) as one; None without any."""
    if not parts:
        return None
    rows, inverse = np.unique(np.concatenate([own for own, _ in parts]), axis=0, return_inverse=True)
    places, done = np.asarray(inverse).ravel(), 0
    row, column, value = [], [], []
    for own, matrix in parts:
        at = places[done : done + len(own)]
        done += len(own)
        row.append(np.repeat(at, len(own)))
        column.append(np.tile(at, len(own)))
        value.append(matrix.ravel())
    triplets = (np.concatenate(value), (np.concatenate(row), np.concatenate(column)))
    return FiledMatrix(sparse.csr_array(sparse.coo_array(triplets, shape=(len(rows), len(rows)))), rows)
