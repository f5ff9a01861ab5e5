"""Eigenpairs of a body's frozen equations on the coordinates that its supports leave."""

from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.dofs import rigid_displacements
from flexframe.assembly.harmonics import HarmonicBody
from flexframe.equations.affine import CROSS_COUPLED
from flexframe.equations.parts import EquationsOfMotion
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, ComplexArray, SparseMatrix
from flexframe.maths.eigen_residuals import relative_residuals, rounding_floor
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.maths.factor_kernels import Order
from flexframe.maths.multilevel.modes import multilevel_modes
from flexframe.maths.multilevel.pool import current_pool
from flexframe.maths.quadratic_eigenproblems import QuadraticModes, quadratic_modes
from flexframe.maths.wave_eigenproblems import LARGEST, wave_modes
from flexframe.spectra.free_motions import FreeMotions, free_motions

_RIGID = 1e-6  # of unit vectors
_SKEW = frozenset({"euler", "circulatory", CROSS_COUPLED})  # parts of K that are not symmetric


@dataclass(frozen=True, eq=False)
class Eigenpairs:
    """Eigenvalues λ [rad/s] of (λ²M + λC + K)φ = 0 and vectors in independent coordinates."""

    eigenvalues: ComplexArray  # (modes,)
    vectors: ComplexArray  # (n, modes)
    residuals: Array  # (modes,)
    method: str
    confirmed: bool | None  # whether a count or a second search proves that no lower mode was missed
    bounds: Array | None = None  # of |λ|, of modes in substructures: (modes, 2)


def eigenpairs(
    discrete: DiscreteBody | HarmonicBody,
    equations: EquationsOfMotion,
    count: int,
    substructures: int | None = None,
) -> Eigenpairs:
    """The lowest `count` eigenpairs: the symmetric problem without damping, the quadratic one otherwise.

    The symmetric one may be divided into `substructures`.
    """
    reduce = discrete.supports.reduce_matrix
    M, K = _reduced_matrices(discrete, equations)
    if equations.damping_parts or not _SKEW.isdisjoint(equations.stiffness_parts):
        if substructures is not None:
            raise InputError(
                "substructures are for modes at rest and without damping; leave them out, or motion and damping",
                field="substructures",
            )
        C = reduce(equations.damping)
        if isinstance(discrete, HarmonicBody) and (found := _waves(discrete, equations, (M, C, K), count)):
            return found
        free = free_motions(discrete, equations, (M, C, K))
        return _quadratic_pairs((M, C, K), count, free, discrete.equilibrium.order)
    motions = discrete.equilibrium.rigid
    # rigid motions store no energy only while nothing but the elastic stiffness acts
    known = motions if motions.shape[1] and set(equations.stiffness_parts) == {"elastic"} else None
    if isinstance(discrete, HarmonicBody):
        return _both_waves(M, K, count, known) if discrete.n else _symmetric_pairs(M, K, count, known)
    return _symmetric_pairs(M, K, count, known, discrete=discrete, substructures=substructures)


def _waves(
    harmonic: HarmonicBody,
    equations: EquationsOfMotion,
    matrices: tuple[SparseMatrix, SparseMatrix, SparseMatrix],
    count: int,
) -> Eigenpairs | None:
    """Those of a body of revolution that turns without damping and free motions, by waves of both directions.

    With n = 0 the displacement along the circumference is i times an amount, as with every other n.
    """
    M, C, K = matrices
    own = M.shape[0] if harmonic.n == 0 else M.shape[0] // 2
    conservative = set(equations.damping_parts) <= {"coriolis"} and _SKEW.isdisjoint(equations.stiffness_parts)
    if not conservative or own > LARGEST or harmonic.equilibrium.rigid.shape[1]:
        return None
    mass, stiffness = (matrix[:own, :own].toarray() for matrix in (M, K))
    if harmonic.n:
        coupling = C[own:, :own].toarray()
    else:
        turned = harmonic.around_circumference
        coupling = C.toarray()
        coupling[turned] *= -1.0
    found = wave_modes(stiffness, coupling, mass, count if harmonic.n else 2 * count)
    if found is None:
        return None
    frequencies, vectors = found.frequencies, found.vectors.astype(complex)
    kept = np.arange(count)
    if harmonic.n:
        vectors = np.concatenate([vectors, -1j * np.sign(frequencies) * vectors]) / np.sqrt(2)
    else:  # each comes with both signs
        kept = np.flatnonzero(frequencies > 0)
        vectors[turned] *= 1j
    return Eigenpairs(
        1j * np.abs(frequencies[kept]), vectors[:, kept], found.residuals[kept], found.method, found.confirmed
    )


def _both_waves(M: SparseMatrix, K: SparseMatrix, count: int, known: Array | None) -> Eigenpairs:
    """Of a body of revolution at rest: the modes of one wave, each followed by the same a quarter period on."""
    half = M.shape[0] // 2
    own = None
    if known is not None:
        left, sizes, _ = np.linalg.svd(known[:half], full_matrices=False)
        own = left[:, sizes > _RIGID]
    one = _symmetric_pairs(M[:half, :half], K[:half, :half], (count + 1) // 2, own)
    vectors = np.zeros((2 * half, 2 * len(one.eigenvalues)), dtype=complex)
    vectors[:half, ::2] = vectors[half:, 1::2] = one.vectors
    return Eigenpairs(
        np.repeat(one.eigenvalues, 2)[:count],
        vectors[:, :count],
        np.repeat(one.residuals, 2)[:count],
        one.method,
        one.confirmed,
    )


def _symmetric_pairs(
    M: SparseMatrix,
    K: SparseMatrix,
    count: int,
    known: Array | None,
    *,
    discrete: DiscreteBody | None = None,
    substructures: int | None = None,
) -> Eigenpairs:
    if substructures is None:
        near_null = None if discrete is None else lambda: _rigid_fields(discrete)
        symmetric = symmetric_modes(K, M, count, rigid_modes=known, near_null=near_null)
    else:
        symmetric = multilevel_modes(K, M, count, parts=substructures, pool=current_pool(), rigid_modes=known)
    squares, bounds = symmetric.eigenvalues.copy(), symmetric.bounds
    if known is not None:
        # zero by geometry; what a stiff thin body leaves by rounding would look like an instability
        rigid = np.argsort(np.abs(squares), kind="stable")[: known.shape[1]]
        squares[rigid] = 0.0
        if bounds is not None:
            bounds = bounds.copy()
            bounds[rigid] = 0.0
    # λ² = −μ: a negative μ is a pair of real eigenvalues ±√−μ, of which the unstable one is listed
    eigenvalues = np.sqrt(-squares.astype(complex))
    return Eigenpairs(
        np.where(eigenvalues.imag < 0, -eigenvalues, eigenvalues),
        symmetric.vectors.astype(complex),
        symmetric.residuals,
        symmetric.method,
        symmetric.confirmed,
        None if bounds is None else np.sign(bounds) * np.sqrt(np.abs(bounds)),
    )


def _rigid_fields(discrete: DiscreteBody) -> Array:
    """Rigid motions of all elements together, on the independent coordinates, whatever supports say: (n, 6)."""
    points = discrete.body.mesh.points
    fields = rigid_displacements(discrete.dofs, points, points.mean(axis=0))
    return discrete.supports.reduce_vector(fields)


def _reduced_matrices(
    discrete: DiscreteBody | HarmonicBody, equations: EquationsOfMotion
) -> tuple[SparseMatrix, SparseMatrix]:
    """M and K on the independent coordinates; those of the body at rest are made once."""
    parts = equations.stiffness_parts
    if set(parts) == {"elastic"} and parts["elastic"] is discrete.stiffness and equations.mass is discrete.mass:
        return discrete.equilibrium.mass, discrete.equilibrium.stiffness
    reduce = discrete.supports.reduce_matrix
    return reduce(equations.mass), reduce(equations.stiffness)


def _quadratic_pairs(
    matrices: tuple[SparseMatrix, SparseMatrix, SparseMatrix], count: int, free: FreeMotions, order: Order | None
) -> Eigenpairs:
    """The free motions as they are, and the modes beside them; unstable ones beyond `count` are kept."""
    M, C, K = matrices
    exact = len(free.eigenvalues)
    others = min(count, M.shape[0] - exact)
    if others <= 0:  # a rigid body: nothing else moves
        nothing = np.empty((M.shape[0], 0), dtype=complex)
        solution = QuadraticModes(np.empty(0, complex), nothing, np.empty(0), "rigid motions by symmetry", True)
    else:
        solution = quadratic_modes(M, C, K, others, known=free.states, simple_zeros=free.simple_zeros, order=order)
    eigenvalues = np.concatenate([free.eigenvalues, solution.eigenvalues])
    vectors = np.hstack([free.vectors, solution.vectors])
    terms = (
        factor * np.asarray(matrix @ free.vectors)
        for factor, matrix in zip((free.eigenvalues**2, free.eigenvalues, 1.0), matrices, strict=True)
    )
    exact_residuals = relative_residuals(*terms, floor=rounding_floor(K, free.vectors))
    residuals = np.concatenate([exact_residuals, solution.residuals])
    scale = float(np.abs(eigenvalues).max(initial=0.0)) or 1.0
    listed = np.lexsort((eigenvalues.real, np.round(np.abs(eigenvalues) / scale, 12)))
    beyond = [i for i in listed[count:] if i >= exact + others]  # what the solver added because it grows
    listed = np.concatenate([listed[:count], beyond]).astype(int)
    values, vectors, residuals = eigenvalues[listed], vectors[:, listed], residuals[listed]
    return Eigenpairs(values, vectors, residuals, solution.method, solution.confirmed)


def modal_energies(matrix: SparseMatrix, fields: ComplexArray) -> Array:
    """φᴴMφ of each column: (modes,)."""
    return np.einsum("pm,pm->m", fields.conj(), np.asarray(matrix @ fields, dtype=complex)).real
