"""What formalisms share where coordinates are bound: M q̈ = F + Aᵀλ, A q̈ + γ = 0; rows of A may say the same.

A system has few rows and full matrices in many units. A body has many sparse rows, which fall into small groups:
copies of one degree of freedom that are joined, a node on an inclined support. Groups are found from the pattern
of A; joins and holds need no arithmetic, the others a small dense one.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.csgraph import connected_components

from flexframe.errors import AnalysisError
from flexframe.formalisms.contract import BoundMotion, BoundSolver
from flexframe.formalisms.mass_points import Work
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.factorisation import factorise
from flexframe.maths.null_spaces import coordinate_partition, null_space

SMALL = 300  # unknowns
SINGULAR = 1e-13  # eigenvalue of the scaled mass matrix below which there is no inertia
WELL = 1e-3  # eigenvalue of the scaled mass matrix above which it is used as it is
RANK = 1e-9  # singular value, relative, below which a row of a system says what others say
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
    for members in _group(groups, np.flatnonzero(touched)):
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


def _group(groups: IntArray, members: IntArray) -> list[IntArray]:
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


def projection_solver(mass: SparseMatrix, constraint: SparseMatrix, basis: SparseMatrix) -> BoundSolver:
    """Solve BᵀMB z̈ = Bᵀ(F − M g), q̈ = B z̈ + g: the joint forces drop out and are recovered as M q̈ − F."""
    free = basis.shape[1] > 0  # with every freedom driven, g is the whole motion
    factors = factorise(sparse.csr_array(basis.T @ (mass @ basis)), "general") if free else None

    def solve(force: Array, bias: Array) -> BoundMotion:
        accelerations = particular(constraint, bias)
        if factors is not None:
            accelerations = accelerations + basis @ factors.solve(basis.T @ (force - mass @ accelerations))
        return BoundMotion(accelerations, np.asarray(mass @ accelerations - force))

    return solve


@dataclass(frozen=True, eq=False)
class Scaled:
    """M u̇ = F + Aᵀλ, A u̇ + γ = 0 of a whole system in comparable units.

    Velocities are scaled so that the diagonal of M is one, and rows of A to unit length: metres, radians and
    elastic coordinates are then comparable, and a rank is the same for all formalisms.
    """

    mass: Array  # (n, n), ones on the diagonal
    force: Array
    constraint: Array  # (rows, n), rows of unit length
    bias: Array
    unit: Array  # u̇ = unit · solution: (n,)

    def restore(self, accelerations: Array, joint_forces: Array | None = None) -> BoundMotion:
        """Back to the units of the system; joint forces that are not given are M u̇ − F."""
        forces = self.mass @ accelerations - self.force if joint_forces is None else joint_forces
        return BoundMotion(accelerations * self.unit, forces / self.unit)

    def project(self, basis: Array, particular: Array, work: Work) -> BoundMotion:
        """BᵀM B ż = Bᵀ(F − M g), u̇ = B ż + g; joint forces do no work in B and come back as M u̇ − F."""
        n, r = basis.shape
        small = basis.T @ self.mass @ basis
        work.count(n * n * r + n * r * r)
        speeds = solve_full(small, basis.T @ (self.force - self.mass @ particular), work)
        return self.restore(basis @ speeds + particular)


def scaled(mass: Array, force: Array, constraint: Array, bias: Array) -> Scaled:
    """Bring a problem to comparable units."""
    diagonal = np.diagonal(mass)
    unit = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    rows = constraint * unit
    lengths = np.linalg.norm(rows, axis=1)
    lengths = np.where(lengths > 0, lengths, 1.0)
    return Scaled(mass * np.outer(unit, unit), force * unit, rows / lengths[:, None], bias / lengths, unit)


def with_factor(problem: Scaled) -> tuple[Scaled, Array]:
    """A problem with the same solution whose mass matrix is definite, and L of M = LLᵀ.

    Where a body has (almost) no inertia of its own but is held, ½|A u̇ + γ|² is added to Gauss's function: it
    is zero for all accelerations that the constraint equations allow.
    """
    A = problem.constraint
    lowest = _lowest(problem.mass)
    chosen = problem
    if lowest < WELL and len(A):
        added = replace(problem, mass=problem.mass + A.T @ A, force=problem.force - A.T @ problem.bias)
        if _lowest(added.mass) > lowest:
            chosen, lowest = added, _lowest(added.mass)
    if not lowest > SINGULAR:
        raise AnalysisError(
            "a free motion has no inertia; give the bodies that move freely a mass and a moment of inertia"
        )
    return chosen, np.asarray(linalg.cholesky(chosen.mass, lower=True))


def _lowest(mass: Array) -> float:
    return float(linalg.eigvalsh(mass, subset_by_index=[0, 0])[0]) if len(mass) else 1.0


def solve_full(matrix: Array, right: Array, work: Work) -> Array:
    """The solution of a small full system of equations."""
    work.count(len(matrix) ** 3 // 3 + len(matrix) ** 2)
    if not len(matrix):
        return right
    try:
        return np.asarray(np.linalg.solve(matrix, right))
    except np.linalg.LinAlgError:
        raise AnalysisError(
            "the equations of motion are singular: a free motion has no inertia; give the bodies that move freely "
            "a mass and a moment of inertia"
        ) from None
