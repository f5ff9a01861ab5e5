"""Motions that sparse constraints A q̇ = 0 allow, block by block.

Constraints of a body fall into small groups: copies of one degree of freedom that are joined, a node on an
inclined support. Groups are found from the pattern of A; joins and holds need no arithmetic, the others a
small dense one.
"""

from collections.abc import Callable

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.csgraph import connected_components

from flexframe.formalisms.contract import BoundMotion, BoundSolver
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.factorisation import factorise
from flexframe.maths.null_spaces import coordinate_partition, null_space

SMALL = 300  # unknowns
DenseBasis = Callable[[Array], Array]
"""A (m, n) → B (n, n − rank) with A B = 0."""


def orthonormal_basis(constraint: Array) -> Array:
    """Orthonormal B by QR, or by singular values where rows are redundant."""
    return null_space(constraint).basis


def partition_basis(constraint: Array) -> Array:
    """B with the identity in the rows of the independent coordinates."""
    return coordinate_partition(constraint).basis


def sparse_basis(constraint: SparseMatrix, dense: DenseBasis) -> SparseMatrix:
    """B with A B = 0, sparse: (n, independent)."""
    A = sparse.csc_array(constraint)
    size = A.shape[1]
    groups = connected_components(sparse.csr_array(abs(A).T @ abs(A)), directed=False)[1].astype(np.int64)
    touched = np.diff(A.indptr) > 0
    free = np.flatnonzero(~touched)
    rows, columns, values = [free], [np.arange(len(free))], [np.ones(len(free))]
    width = len(free)
    for members in _grouped(groups, np.flatnonzero(touched)):
        part = A[:, members].toarray()
        basis = dense(part[np.abs(part).max(axis=1) > 0])
        row, column = np.indices(basis.shape)
        rows.append(members[row.ravel()])
        columns.append(width + column.ravel())
        values.append(basis.ravel())
        width += basis.shape[1]
    triplets = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    basis_matrix = sparse.csr_array(sparse.coo_array(triplets, shape=(size, width)))
    basis_matrix.eliminate_zeros()
    return basis_matrix


def _grouped(groups: IntArray, members: IntArray) -> list[IntArray]:
    order = members[np.argsort(groups[members], kind="stable")]
    return np.split(order, np.flatnonzero(np.diff(groups[order])) + 1) if len(order) else []


def particular(constraint: SparseMatrix, offset: Array) -> Array:
    """The shortest g with A g + offset = 0."""
    if not offset.any():
        return np.zeros(constraint.shape[1])
    return np.asarray(sparse.linalg.lsqr(constraint, -offset, atol=1e-15, btol=1e-15)[0])


def unbound(mass: SparseMatrix) -> BoundSolver:
    """Nothing holds: q̈ = M⁻¹F; a small M is factorised as a full matrix, which is faster."""
    factors = linalg.lu_factor(mass.toarray()) if mass.shape[0] <= SMALL else factorise(mass, "general")

    def solve(force: Array, bias: Array) -> BoundMotion:  # noqa: ARG001 - there are no constraints
        if isinstance(factors, tuple):
            return BoundMotion(linalg.lu_solve(factors, force), np.zeros_like(force))
        return BoundMotion(factors.solve(force), np.zeros_like(force))

    return solve


def projected(mass: SparseMatrix, constraint: SparseMatrix, basis: SparseMatrix) -> BoundSolver:
    """Solve BᵀMB z̈ = Bᵀ(F − M g), q̈ = B z̈ + g: the joint forces drop out and are recovered as M q̈ − F."""
    free = basis.shape[1] > 0  # with every freedom driven, g is the whole motion
    factors = factorise(sparse.csr_array(basis.T @ (mass @ basis)), "general") if free else None

    def solve(force: Array, bias: Array) -> BoundMotion:
        accelerations = particular(constraint, bias)
        if factors is not None:
            accelerations = accelerations + basis @ factors.solve(basis.T @ (force - mass @ accelerations))
        return BoundMotion(accelerations, np.asarray(mass @ accelerations - force))

    return solve
