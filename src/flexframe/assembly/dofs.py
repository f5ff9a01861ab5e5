"""Numbering of the degrees of freedom of a body."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

import numpy as np
from scipy import sparse

from flexframe.elements.contract import NODE_DOFS, ElementBatch, node_dofs
from flexframe.maths.arrays import Array, ComplexArray, IntArray, SparseMatrix
from flexframe.maths.rotations import skew
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Space

Field = TypeVar("Field", Array, ComplexArray)
_ACTIVE = {"planar": ("ux", "uy", "rz"), "spatial": NODE_DOFS}


@dataclass(frozen=True, eq=False)
class DofMap:
    """Equation number of each node and degree of freedom, −1 where there is none: (nodes, 6)."""

    numbers: IntArray
    count: int

    def of_elements(self, batch: ElementBatch) -> IntArray:
        """Equation numbers of each element's degrees of freedom, node by node: (elements, p)."""
        columns = components(batch)
        return self.numbers[batch.nodes[:, :, None], columns].reshape(batch.count, -1)

    def place(self, equation: int) -> tuple[int, str]:
        """Node number and name of an equation."""
        node, column = np.argwhere(self.numbers == equation)[0]
        return int(node), NODE_DOFS[column]

    def nodal(self, vector: Field) -> Field:
        """A vector (count,) or block (count, k) as (nodes, 6) or (nodes, 6, k), zero where there is no dof."""
        padded = np.concatenate([vector, np.zeros((1, *vector.shape[1:]), dtype=vector.dtype)])
        return cast(Field, padded[self.numbers])


def components(batch: ElementBatch) -> IntArray:
    """Columns of the node table that a family uses."""
    return np.array([NODE_DOFS.index(name) for name in node_dofs(batch.family)])


def numbered(
    mesh: Mesh,
    batches: Sequence[ElementBatch],
    space: Space,
    more: Iterable[tuple[IntArray, tuple[str, ...]]] = (),
) -> DofMap:
    """Number the degrees of freedom that elements give stiffness to, node by node, and `more` of some nodes."""
    active = np.zeros((mesh.node_count, 6), dtype=bool)
    for batch in batches:
        active[np.unique(batch.nodes)[:, None], components(batch)] = True
    for nodes, names in more:
        active[nodes[:, None], [NODE_DOFS.index(name) for name in names]] = True
    active &= np.array([name in _ACTIVE[space] for name in NODE_DOFS])
    numbers = np.full(active.shape, -1, dtype=np.int64)
    count = int(active.sum())
    numbers[active] = np.arange(count)
    return DofMap(numbers, count)


def turning_generator(dofs: DofMap, axis: Array) -> SparseMatrix:
    """J with Jδ = a × u and a × θ at every node, as far as both components exist: (count, count)."""
    rows, columns, values = [], [], []
    turn = skew(axis)
    for start in (0, 3):
        numbers = dofs.numbers[:, start : start + 3]
        for i, j in zip(*np.nonzero(turn), strict=True):
            both = (numbers[:, i] >= 0) & (numbers[:, j] >= 0)
            rows.append(numbers[both, i])
            columns.append(numbers[both, j])
            values.append(np.full(int(both.sum()), turn[i, j]))
    places = (np.concatenate(rows), np.concatenate(columns))
    shape = (dofs.count, dofs.count)
    return sparse.csr_array(sparse.coo_array((np.concatenate(values), places), shape=shape))


def rigid_displacements(dofs: DofMap, points: Array) -> Array:
    """Small rigid motions of the body: three translations, three rotations about the origin: (count, 6)."""
    nodes = len(points)
    field = np.zeros((nodes, 6, 6))
    field[:, :3, :3] = np.eye(3)
    field[:, 3:, 3:] = np.eye(3)
    x, y, z = points.T
    # θ × x
    field[:, 1, 3], field[:, 2, 3] = -z, y
    field[:, 0, 4], field[:, 2, 4] = z, -x
    field[:, 0, 5], field[:, 1, 5] = -y, x
    return field[dofs.numbers >= 0]
