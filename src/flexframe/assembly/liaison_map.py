"""Elimination of linear conditions: δ̇ = B ż + g, and the forces that enforce them."""

from dataclasses import dataclass
from typing import cast

import numpy as np
from scipy import sparse

from flexframe.assembly.dofs import DofMap, Field
from flexframe.elements.contract import NODE_DOFS
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.model.body import Body


@dataclass(frozen=True, eq=False)
class LiaisonMap:
    """δ = B z: independent coordinates z of a supported body; the columns of B are orthonormal.

    `kept` holds the equation numbers when B only selects (no skew support): slicing is then enough.
    """

    basis: SparseMatrix  # B: (p, n)
    kept: IntArray | None

    @property
    def size(self) -> int:
        """Number of independent coordinates n."""
        return int(self.basis.shape[1])

    def reduce_matrix(self, matrix: SparseMatrix) -> SparseMatrix:
        """BᵀMB."""
        if self.kept is not None:
            if len(self.kept) == matrix.shape[0]:
                return matrix
            return sparse.csr_array(matrix[self.kept][:, self.kept])
        return sparse.csr_array(self.basis.T @ (matrix @ self.basis))

    def reduce_vector(self, vector: Array) -> Array:
        """Bᵀf, for a vector or the columns of a block."""
        return np.asarray(self.basis.T @ vector)

    def expand(self, independent: Field) -> Field:
        """δ = Bz, for a vector or the columns of a block, real or complex."""
        return cast(Field, np.asarray(self.basis @ independent))

    def support_forces(self, residual: Array) -> Array:
        """The part of the nodal forces that the supports carry, (1 − BBᵀ) r of r = K δ − f."""
        return np.asarray(residual - self.basis @ (self.basis.T @ residual))


def supported(body: Body, dofs: DofMap) -> LiaisonMap:
    """The map that the supports of a body leave; conditions on degrees of freedom that do not exist are met."""
    rows: dict[int, list[Array]] = {}
    for support in body.supports:
        conditions = support.conditions()
        for node in body.selected_nodes(support.on):
            rows.setdefault(int(node), []).append(conditions)
    removed = np.zeros(dofs.count, dtype=bool)
    blocks: list[tuple[IntArray, Array]] = []
    for node, held_rows in rows.items():
        present = dofs.numbers[node] >= 0
        stacked = np.concatenate(held_rows)[:, present]
        stacked[np.abs(stacked) < 1e-12] = 0.0  # a direction along an axis up to rounding, cos 90° = 6e-17
        equations = dofs.numbers[node][present]
        held = _null_complement(stacked)
        if held is None:
            removed[equations[np.abs(stacked).max(axis=0, initial=0.0) > 0]] = True
        else:
            removed[equations] = True
            blocks.append((equations, held))
    kept = np.flatnonzero(~removed)
    triplets = [(kept, np.arange(len(kept)), np.ones(len(kept)))]
    size = len(kept)
    for equations, free in blocks:
        columns = size + np.arange(free.shape[1])
        size += free.shape[1]
        triplets.append(
            (
                np.repeat(equations, free.shape[1]),
                np.tile(columns, len(equations)),
                free.ravel(),
            )
        )
    row, column, value = (np.concatenate(part) for part in zip(*triplets, strict=True))
    basis = sparse.csr_array(sparse.coo_array((value, (row, column)), shape=(dofs.count, size)))
    return LiaisonMap(basis, None if blocks else kept)


def _null_complement(conditions: Array) -> Array | None:
    """Orthonormal null space of the conditions at one node, or None when they hold single dofs only."""
    single = (conditions != 0).sum(axis=1) <= 1
    if single.all():
        return None
    _, values, right = np.linalg.svd(conditions)
    rank = int((values > 1e-10 * values[0]).sum())
    return np.asarray(right[rank:].T)


def support_description(dofs: DofMap, equation: int) -> str:
    """A degree of freedom in words, for messages."""
    node, name = dofs.place(equation)
    return f"node {node}, {name} ({'displacement' if NODE_DOFS.index(name) < 3 else 'rotation'})"
