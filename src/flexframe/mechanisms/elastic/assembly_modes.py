"""Eigenvalues of the joined bodies of a mechanism, frozen in each of its positions.

Modes of the symmetric stiffness come first. Spin, angular acceleration and damping then mix in shapes K⁻¹Cφ and
K⁻¹Eφ; on both together the small quadratic problem is solved, and what its residual shows is added until it is
small.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from flexframe.errors import AnalysisError, InputError
from flexframe.maths.arrays import Array, ComplexArray
from flexframe.mechanisms.elastic.assembly import AssembledInstant, ElasticAssembly
from flexframe.mechanisms.elastic.cycle_modes import companion_modes

_ROUNDS = 6


@dataclass(frozen=True, eq=False)
class AssemblyModes:
    """Eigenpairs in all positions by ascending |λ|, Im λ ≥ 0; vectors of all bodies side by side, M-normalised.

    `bounds` are |r|/2|λ| in the norm of K⁻¹ as for a single link.
    """

    eigenvalues: ComplexArray  # (T, k)
    vectors: ComplexArray  # (T, q, k)
    overlaps: Array  # modal assurance of neighbouring positions: (T − 1, k, k)
    bounds: Array  # (T, k)


def assembly_modes(assembly: ElasticAssembly, count: int, *, tolerance: float = 1e-8) -> AssemblyModes:
    """The `count` lowest modes in every position, their estimated relative error below the tolerance."""
    size = assembly.size - assembly.rank
    if not 1 <= count <= size:
        raise InputError(f"{count} modes of a model with {size} unknowns are not possible; ask for 1 to {size}")
    T = len(assembly.motion.times)
    values = np.empty((T, count), dtype=complex)
    vectors = np.empty((T, assembly.size, count), dtype=complex)
    bounds = np.zeros((T, count))
    overlaps = np.empty((max(T - 1, 0), count, count))
    before: ComplexArray | None = None
    for i in range(T):
        now = assembly.at(i)
        try:
            values[i], small, bounds[i] = _modes(now, count, float(np.sqrt(tolerance / 2)))
        except np.linalg.LinAlgError as error:
            time = assembly.motion.times[i]
            raise AnalysisError(f"the modes at t = {time:g} s could not be found: {error}") from error
        vectors[i] = now.basis @ small
        weighted = np.asarray(assembly.mass @ vectors[i])
        if before is not None:
            overlaps[i - 1] = np.abs(before.conj().T @ vectors[i]) ** 2
        before = weighted
    return AssemblyModes(values, vectors, overlaps, bounds)


def _modes(now: AssembledInstant, count: int, largest: float) -> tuple[ComplexArray, ComplexArray, Array]:
    """Eigenvalues, M-normalised vectors (n, k) and bounds of one position."""
    M, C, K = now.mass, now.damping, (now.stiffness + now.stiffness.T) / 2
    kept = min(count + 2, len(K))
    mu, phi = scipy.linalg.eigh(K, M, subset_by_index=[0, kept - 1])
    if now.symmetric:
        lam = np.sqrt(-mu[:count].astype(complex))
        return np.where(lam.imag < 0, -lam, lam), phi[:, :count].astype(complex), np.zeros(count)
    E = (now.stiffness - now.stiffness.T) / 2
    factor = scipy.linalg.lu_factor(K)
    basis = _orthonormal(M, np.hstack([phi, scipy.linalg.lu_solve(factor, np.hstack([C @ phi, E @ phi]))]))
    for _ in range(_ROUNDS):
        reduced = [basis.T @ A @ basis for A in (C, now.stiffness)]
        lam, small = companion_modes(reduced[0][None], reduced[1][None], count)
        vectors = basis @ small[0]
        residual = M @ vectors * lam[0] ** 2 + C @ vectors * lam[0] + now.stiffness @ vectors
        pulled = scipy.linalg.lu_solve(factor, residual)
        size = np.sqrt(np.abs(np.einsum("nk,nk->k", residual.conj(), pulled)))
        bounds = size / (2 * np.maximum(np.abs(lam[0]), 1e-3 * np.abs(lam[0]).max()))
        if bounds.max() <= largest or basis.shape[1] >= len(K):
            break
        basis = _orthonormal(M, np.hstack([basis, pulled.real, pulled.imag]))
    return lam[0], vectors, bounds


def _orthonormal(M: Array, vectors: Array) -> Array:
    """M-orthonormal basis of the columns, dependent ones left out."""
    upper = scipy.linalg.cholesky(M)
    columns = upper @ vectors
    columns = columns / np.linalg.norm(columns, axis=0).clip(np.finfo(float).tiny)
    q, r, _ = scipy.linalg.qr(columns, mode="economic", pivoting=True)
    kept = np.abs(np.diag(r)) > 1e-10
    return np.asarray(scipy.linalg.solve_triangular(upper, q[:, kept]))
