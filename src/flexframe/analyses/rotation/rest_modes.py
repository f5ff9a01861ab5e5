"""Modes at rest as the start of a basis, from factors that serve on."""

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import LinearOperator, eigsh

from flexframe.equations.affine import AffineEquations
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.factorisation import Factorisation, SingularMatrixError, factorise

_SEED = 11


def has_mass_everywhere(mass: SparseMatrix) -> bool:
    """Whether every coordinate of a small body has a mass of its own."""
    scale = 1 / np.sqrt(np.maximum(mass.diagonal(), np.finfo(float).tiny))
    return bool(linalg.eigvalsh(scale[:, None] * mass.toarray() * scale)[0] > 1e-9)


def definite_factors(stiffness: SparseMatrix) -> Factorisation | None:
    """Factors of K, None unless it is definite."""
    try:
        factors = factorise(stiffness, "spd")
    except SingularMatrixError:
        return None
    if factors.negative_pivots == 0:
        return factors
    factors.close()
    return None


def modes_at_rest(equations: AffineEquations, factors: Factorisation, count: int) -> tuple[Array, Array]:
    """Modes at rest with the factors of K that are at hand; they need not be complete, only a good start."""
    shape = equations.stiffness.shape
    values, vectors = eigsh(
        equations.mass,
        count,
        M=equations.mass,
        sigma=0.0,
        OPinv=LinearOperator(shape, matvec=factors.solve, dtype=np.float64),
        v0=factors.solve(equations.mass @ np.random.default_rng(_SEED).standard_normal(shape[0])),
        ncv=min(shape[0], 2 * count + 12),
        tol=1e-5,
    )
    order = np.argsort(values)
    return np.asarray(values[order]), np.asarray(vectors[:, order])
