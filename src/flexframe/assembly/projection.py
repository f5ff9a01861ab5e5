"""Elimination of linear constraints: δ̇ = B ż + g, and the forces that enforce them."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from scipy import sparse

from flexframe.assembly.couplings import CouplingMap, coupling_constraints, coupling_map
from flexframe.assembly.dofs import DofMap, Field
from flexframe.assembly.pattern import submatrix
from flexframe.elements.contract import NODE_DOFS
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.graphs import connected_parts
from flexframe.model.body import Body

_NOTHING = 1e-12  # coefficients of constraints below this are rounding


@dataclass(frozen=True, eq=False)
class Projection:
    """δ = B z: independent coordinates z of a supported body; the columns of B are orthonormal.

    `kept` holds the equation numbers when B only selects (no skew support, no coupling): slicing is then enough.
    """

    basis: SparseMatrix  # B: (p, n)
    kept: IntArray | None
    couplings: CouplingMap | None = None

    @classmethod
    def identity(cls, size: int) -> "Projection":
        """The projection that leaves every degree of freedom."""
        return cls(sparse.csr_array(sparse.eye_array(size)), np.arange(size))

    @property
    def size(self) -> int:
        """Number of independent coordinates n."""
        return int(self.basis.shape[1])

    def reduce_matrix(self, matrix: SparseMatrix) -> SparseMatrix:
        """BᵀMB."""
        if self.kept is not None:
            if len(self.kept) == matrix.shape[0]:
                return matrix
            return submatrix(matrix, self.kept)
        return sparse.csr_array(self.basis.T @ (matrix @ self.basis))

    def reduce_vector(self, vector: Array) -> Array:
        """Bᵀf, for a vector or the columns of a block."""
        return np.asarray(self.basis.T @ vector)

    def expand(self, independent: Field) -> Field:
        """δ = Bz, for a vector or the columns of a block, real or complex."""
        return cast(Field, np.asarray(self.basis @ independent))

    def support_forces(self, residual: Array) -> Array:
        """The part of the nodal forces that supports and couplings carry, (1 − BBᵀ) r of r = K δ − f."""
        return np.asarray(residual - self.basis @ (self.basis.T @ residual))

    def carry(self, residual: Array) -> Array:
        """Forces (p,) or (p, k) by the coupling that carries them, as `CouplingMap.carry`."""
        return residual if self.couplings is None else self.couplings.carry(residual)

    def reactions(self, residual: Array) -> Array:
        """Forces of the supports alone: those on nodes that follow in a coupling act at the nodes that lead."""
        forces = self.support_forces(residual)
        if self.couplings is None:
            return forces
        moved = np.zeros_like(forces)
        moved[self.couplings.independent] = self.couplings.explicit.T @ forces
        return moved


def support_projection(body: Body, dofs: DofMap, more: SparseMatrix | None = None) -> Projection:
    """The map that supports and couplings leave; constraints on degrees of freedom that do not exist are met.

    `more` are rows (m, p) of further constraints on a body without couplings.
    """
    if dofs.hidden is not None:
        return _following(body, dofs)
    couplings = coupling_map(body, dofs)
    constraints = support_rows(body, dofs, more)
    if couplings is None:
        free, kept = eliminate(constraints)
        return Projection(free, kept)
    free, _ = eliminate(sparse.csr_array(constraints @ couplings.basis))
    return Projection(sparse.csr_array(couplings.basis @ free), None, couplings)


def _following(body: Body, dofs: DofMap) -> Projection:
    """The map of a body whose nodes follow coordinates of their own, within supports and couplings."""
    from flexframe.maths.null_spaces import null_space

    given = body.matrices
    assert given is not None and given.shapes is not None
    first = dofs.count - given.size
    followed = dofs.numbers[given.rows[:, 0], given.rows[:, 1]]
    free = np.setdiff1d(np.arange(dofs.count), followed)  # references of couplings, and the coordinates at the end
    explicit = np.zeros((dofs.count, len(free)))
    explicit[free, np.arange(len(free))] = 1.0
    explicit[followed, len(free) - given.size :] = given.shapes
    assert free[len(free) - given.size] == first
    rows = sparse.vstack([support_rows(body, dofs), coupling_constraints(body, dofs)], format="csr")
    held = np.asarray(rows @ explicit)
    scale = np.abs(held).max(axis=1, initial=0.0)
    held = held[scale > _NOTHING] / scale[scale > _NOTHING, None]
    basis = explicit if not len(held) else explicit @ null_space(held).basis
    return Projection(sparse.csr_array(np.linalg.qr(basis)[0]), None)


def support_rows(body: Body, dofs: DofMap, more: SparseMatrix | None = None) -> SparseMatrix:
    """Rows a·δ = 0 of all supports, and `more` of them: (m, p)."""
    rows: list[IntArray] = [np.empty(0, dtype=np.int64)]
    columns: list[IntArray] = [np.empty(0, dtype=np.int64)]
    values: list[Array] = [np.empty(0)]
    count = 0
    for support in body.supports:
        constraints = support.constraints()
        constraints = np.where(np.abs(constraints) < _NOTHING, 0.0, constraints)
        nodes = body.selected_nodes(support.on)
        for constraint in constraints:
            used = np.flatnonzero(constraint)
            numbers = dofs.numbers[nodes][:, used]
            row = np.broadcast_to(count + np.arange(len(nodes))[:, None], numbers.shape)
            present = numbers >= 0
            rows.append(row[present])
            columns.append(numbers[present])
            values.append(np.broadcast_to(constraint[used], numbers.shape)[present])
            count += len(nodes)
    triplets = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    found = sparse.csr_array(sparse.coo_array(triplets, shape=(count, dofs.count)))
    return found if more is None else sparse.csr_array(sparse.vstack([found, more]))


def eliminate(constraints: SparseMatrix) -> tuple[SparseMatrix, IntArray | None]:
    """Orthonormal basis of all x with constraints · x = 0, and the numbers kept when it only selects."""
    size = constraints.shape[1]
    removed = np.zeros(size, dtype=bool)
    rest = constraints
    while True:
        # a direction along an axis up to rounding, cos 90° = 6e-17
        rest.data[np.abs(rest.data) < _NOTHING] = 0.0
        rest.eliminate_zeros()
        entries = np.diff(rest.indptr)
        single = rest.indices[rest.indptr[:-1][entries == 1]]
        if not single.size:
            break
        removed[single] = True
        kept_columns = sparse.diags_array((~removed).astype(float), format="csr")
        rest = sparse.csr_array(rest[entries > 1] @ kept_columns)
    blocks = _dense_blocks(rest)
    for columns, _ in blocks:
        removed[columns] = True
    kept = np.flatnonzero(~removed)
    triplets = [(kept, np.arange(len(kept)), np.ones(len(kept)))]
    count = len(kept)
    for columns, free in blocks:
        places = count + np.arange(free.shape[1])
        count += free.shape[1]
        triplets.append((np.repeat(columns, free.shape[1]), np.tile(places, len(columns)), free.ravel()))
    row, column, value = (np.concatenate(part) for part in zip(*triplets, strict=True))
    basis = sparse.csr_array(sparse.coo_array((value, (row, column)), shape=(size, count)))
    return basis, None if blocks else kept


def _dense_blocks(constraints: SparseMatrix) -> list[tuple[IntArray, Array]]:
    """Groups of unknowns that constraints tie to each other, with an orthonormal basis of what they leave free."""
    constraints = sparse.csr_array(constraints[np.diff(constraints.indptr) > 0])
    if not constraints.shape[0]:
        return []
    from flexframe.maths.null_spaces import null_space  # loads scipy.linalg, which few supports need

    # unknowns of one constraint belong together
    heads = np.repeat(constraints.indices[constraints.indptr[:-1]], np.diff(constraints.indptr))
    labels = connected_parts(constraints.shape[1], heads, constraints.indices)
    row_labels = labels[constraints.indices[constraints.indptr[:-1]]]
    blocks = []
    order = np.argsort(row_labels, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(row_labels[order])) + 1):
        part = constraints[rows]
        columns = np.unique(part.indices).astype(np.int64)
        blocks.append((columns, null_space(part[:, columns].toarray()).basis))
    return blocks


def support_description(dofs: DofMap, equation: int) -> str:
    """A degree of freedom in words, for messages."""
    node, name = dofs.place(equation)
    return f"node {node}, {name} ({'displacement' if NODE_DOFS.index(name) < 3 else 'rotation'})"
