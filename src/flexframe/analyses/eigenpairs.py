"""Eigenpairs of a body's frozen equations on the coordinates that its supports leave."""

from dataclasses import dataclass, replace

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.dofs import rigid_displacements
from flexframe.assembly.equations import EquationsOfMotion
from flexframe.maths.arrays import Array, ComplexArray, SparseMatrix
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.maths.quadratic_eigenproblems import quadratic_modes


@dataclass(frozen=True, eq=False)
class Eigenpairs:
    """Eigenvalues λ [rad/s] of (λ²M + λC + K)φ = 0 and vectors in independent coordinates."""

    eigenvalues: ComplexArray  # (modes,)
    vectors: ComplexArray  # (n, modes)
    residuals: Array  # (modes,)
    method: str
    confirmed: bool | None  # whether a count or a second search proves that no lower mode was missed


def eigenpairs(discrete: DiscreteBody, equations: EquationsOfMotion, count: int) -> Eigenpairs:
    """The lowest `count` eigenpairs: the symmetric problem without damping, the quadratic one otherwise."""
    reduce = discrete.supports.reduce_matrix
    M, K = reduce(equations.mass), reduce(equations.stiffness)
    if equations.damping_parts or "euler" in equations.stiffness_parts:
        C = reduce(equations.damping)
        solution = quadratic_modes(M, C, K, count)
        pairs = Eigenpairs(
            solution.eigenvalues, solution.vectors, solution.residuals, solution.method, solution.confirmed
        )
        return _with_exact_zeros(discrete, _with_exact_translations(discrete, pairs, M, C, K), M, K)
    rigid = discrete.equilibrium.rigid
    # rigid motions store no energy only while nothing but the elastic stiffness acts
    known = rigid if rigid.shape[1] and set(equations.stiffness_parts) == {"elastic"} else None
    symmetric = symmetric_modes(K, M, count, rigid_modes=known)
    squares = symmetric.eigenvalues.copy()
    if known is not None:
        # zero by geometry; what a stiff thin body leaves by rounding would look like an instability
        squares[np.argsort(np.abs(squares), kind="stable")[: known.shape[1]]] = 0.0
    # λ² = −μ: a negative μ is a pair of real eigenvalues ±√−μ, of which the unstable one is listed
    eigenvalues = np.sqrt(-squares.astype(complex))
    return Eigenpairs(
        np.where(eigenvalues.imag < 0, -eigenvalues, eigenvalues),
        symmetric.vectors.astype(complex),
        symmetric.residuals,
        symmetric.method,
        symmetric.confirmed,
    )


def _with_exact_translations(
    discrete: DiscreteBody, pairs: Eigenpairs, M: SparseMatrix, C: SparseMatrix, K: SparseMatrix
) -> Eigenpairs:
    """Rigid translations of a free body by projection on their own space, which is exactly invariant.

    A free body at rest in space, or in uniform motion, is seen to circle at Ω by the rotating frame: a defective
    double eigenvalue, which a general solver can only find to the square root of its precision.
    """
    fields = rigid_displacements(discrete.dofs, discrete.body.mesh.points)[:, :3]
    fields = fields[:, np.abs(fields).max(axis=0) > 0]
    basis = discrete.supports.reduce_vector(fields)
    if not np.allclose(discrete.supports.expand(basis), fields, atol=1e-12):
        return pairs
    basis = basis / np.sqrt(np.einsum("pi,pi->i", basis, np.asarray(M @ basis)))
    moved = np.asarray(M @ basis)
    small = [basis.T @ np.asarray(matrix @ basis) for matrix in (C, K)]
    for matrix, projected in zip((C, K), small, strict=True):
        image = np.asarray(matrix @ basis)
        if np.abs(image - moved @ projected).max() > 1e-8 * float(
            np.abs(matrix.diagonal()).max() + np.abs(image).max()
        ):
            return pairs
    values, states = _small_quadratic(*small)
    eigenvalues, vectors = pairs.eigenvalues.copy(), pairs.vectors.copy()
    amounts = moved.T @ vectors
    total = modal_energies(M, vectors)
    unused = values.imag >= -1e-9 * np.abs(values).max()
    for k in np.flatnonzero(np.einsum("im,im->m", amounts.conj(), amounts).real > (1 - 1e-6) * total):
        if not unused.any():
            break
        nearest = int(np.argmin(np.where(unused, np.abs(values - eigenvalues[k]), np.inf)))
        unused[nearest] = False
        eigenvalues[k] = values[nearest]
        vectors[:, k] = basis @ states[:, nearest]
    order = np.lexsort((eigenvalues.real, np.abs(eigenvalues)))
    return replace(
        pairs, eigenvalues=eigenvalues[order], vectors=vectors[:, order], residuals=pairs.residuals[order]
    )


def _with_exact_zeros(discrete: DiscreteBody, pairs: Eigenpairs, M: SparseMatrix, K: SparseMatrix) -> Eigenpairs:
    """Rigid motions that K does not resist, at exactly zero.

    K r = 0 for the rotation of a free body about its spin axis, since geometric and centrifugal stiffness cancel,
    and for the translation along it. Such a zero is a defective double eigenvalue (the body may also turn a
    little faster), which rounding splits.
    """
    rigid = discrete.equilibrium.rigid
    if not rigid.shape[1]:
        return pairs
    resisted = np.asarray(K @ rigid)
    scale = float(np.abs(K.diagonal()).max()) * np.abs(rigid).max()
    _, values, right = np.linalg.svd(resisted, full_matrices=True)
    values = np.concatenate([values, np.zeros(rigid.shape[1] - len(values))])
    free = rigid @ right[values <= 1e-9 * scale * np.sqrt(len(rigid))].T
    if not free.shape[1]:
        return pairs
    weighted = np.asarray(M @ free)
    amounts = np.linalg.solve(free.T @ weighted, weighted.T @ pairs.vectors)
    inside = modal_energies(M, np.asarray(free @ amounts, dtype=complex))
    total = modal_energies(M, pairs.vectors)
    slow = np.abs(pairs.eigenvalues) <= 1e-4 * np.abs(pairs.eigenvalues).max(initial=0.0)
    eigenvalues = np.where(slow & (inside > (1 - 1e-6) * total), 0.0, pairs.eigenvalues)
    return replace(pairs, eigenvalues=eigenvalues)


def _small_quadratic(C: Array, K: Array) -> tuple[ComplexArray, ComplexArray]:
    """All eigenpairs of λ² + λC + K for the projected translations, each double one exactly double.

    In the complete physics K = (C/2)², so that (λ + C/2)² φ = 0: twice the eigenvalues of −C/2.
    """
    if np.abs(K - C @ C / 4).max() <= 1e-9 * np.abs(K).max():
        values, vectors = np.linalg.eig(-C / 2)
        return np.tile(values, 2).astype(complex), np.tile(vectors, 2).astype(complex)
    size, scale = len(C), float(np.sqrt(np.abs(K).max())) or 1.0
    companion = np.block([[np.zeros((size, size)), np.eye(size)], [-K / scale**2, -C / scale]])
    values, vectors = np.linalg.eig(companion)
    return (scale * values).astype(complex), vectors[:size].astype(complex)


def modal_energies(matrix: SparseMatrix, fields: ComplexArray) -> Array:
    """φᴴMφ of each column: (modes,)."""
    return np.einsum("pm,pm->m", fields.conj(), np.asarray(matrix @ fields, dtype=complex)).real
