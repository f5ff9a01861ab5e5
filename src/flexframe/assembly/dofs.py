"""Numbering of the degrees of freedom of a body."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

import numpy as np
from scipy import sparse

from flexframe.elements.contract import NODE_DOFS, ElementBatch
from flexframe.maths.arrays import Array, ComplexArray, IntArray, SparseMatrix
from flexframe.maths.rotations import skew
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Space

Field = TypeVar("Field", Array, ComplexArray)
_ACTIVE = {"planar": ("ux", "uy", "rz"), "spatial": NODE_DOFS}


@dataclass(frozen=True, eq=False)
class DofMap:
    """Equation number of each node and degree of freedom, −1 where there is none: (nodes, 6).

    The last of the `count` equations may belong to no node: coordinates that nodes follow, which take the values
    `hidden` (k, 6) in rigid motions about the origin of the body frame.
    """

    numbers: IntArray
    count: int
    hidden: Array | None = None

    def of_elements(self, batch: ElementBatch) -> IntArray:
        """Equation numbers of each element's degrees of freedom, node by node: (elements, p)."""
        columns = components(batch)
        return self.numbers[batch.nodes[:, :, None], columns].reshape(batch.count, -1)

    def place(self, equation: int) -> tuple[int, str]:
        """Node number and name of an equation."""
        found = np.argwhere(self.numbers == equation)
        if not len(found):
            return -1, f"coordinate {equation - int(self.numbers.max())}"
        node, column = found[0]
        return int(node), NODE_DOFS[column]

    def nodal(self, vector: Field) -> Field:
        """A vector (count,) or block (count, k) as (nodes, 6) or (nodes, 6, k), zero where there is no dof."""
        padded = np.concatenate([vector, np.zeros((1, *vector.shape[1:]), dtype=vector.dtype)])
        return cast(Field, padded[self.numbers])


def components(batch: ElementBatch) -> IntArray:
    """Columns of the node table that the elements of a batch use."""
    return np.array([NODE_DOFS.index(name) for name in batch.node_dofs])


def number_dofs(
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


def rigid_displacements(dofs: DofMap, points: Array, about: Array | None = None) -> Array:
    """Small rigid motions of the body: translations, and rotations about a point or the origin: (count, 6)."""
    nodes = len(points)
    points = points if about is None else points - about
    field = np.zeros((nodes, 6, 6))
    field[:, :3, :3] = np.eye(3)
    field[:, 3:, 3:] = np.eye(3)
    x, y, z = points.T
    # θ × x
    field[:, 1, 3], field[:, 2, 3] = -z, y
    field[:, 0, 4], field[:, 2, 4] = z, -x
    field[:, 0, 5], field[:, 1, 5] = -y, x
    moved = field[dofs.numbers >= 0]
    if dofs.hidden is None:
        return moved
    shift = np.eye(6)
    if about is not None:
        shift[:3, 3:] = skew(about)  # θ × (x − c) = θ × x + c × θ
    return np.concatenate([moved, dofs.hidden @ shift])
