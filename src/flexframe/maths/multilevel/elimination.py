"""Elimination of one substructure by the stiffness alone, solves with what is left, and counts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.factor_kernels import SingularMatrixError, pivot_tolerance
from flexframe.maths.factorisation import Factorisation, definite_factors, factorise
from flexframe.maths.multilevel.panels import Symmetric, front, subtract_product, symmetric
from flexframe.phases import phase

_ROUNDING = pivot_tolerance(50_000)


@dataclass(frozen=True, eq=False)
class Entries:
    """Entries of K and M in the rows of a substructure: columns of its own, and of its boundary."""

    stiffness: SparseMatrix  # K_ss
    stiffness_edge: SparseMatrix  # K_sb
    mass: SparseMatrix | None = None
    mass_edge: SparseMatrix | None = None


Added = tuple[Symmetric, IntArray]
"""What a substructure adds, and its places among own unknowns and boundary of the next level's."""


def eliminate_part(entries: Entries) -> tuple[Symmetric, None] | None:
    """What elimination of a part adds to the stiffness on its boundary; None where it is not definite."""
    factors = definite_factors(entries.stiffness)
    if factors is None:
        return None
    with factors:
        return _added(factors, entries.stiffness_edge), None


def eliminate_separator(
    entries: Entries, children: Sequence[Added]
) -> tuple[Symmetric, tuple[Array, Array]] | None:
    """The same for what separates substructures, and what leads back to its unknowns: L and L⁻¹K_sb."""
    A = front(entries.stiffness, entries.stiffness_edge, children, np.float64)
    factor = sound_factor(A.own, entries.stiffness.diagonal())
    if factor is None:
        return None
    half = half_solve(factor, A.beside, in_place=True)
    subtract_product(A.rest, half, half)
    return A.rest, (factor, half)


def count_part(entries: Entries) -> tuple[Symmetric, int] | None:
    """What elimination adds on the boundary, and how many eigenvalues of the own block are negative.

    None where an eigenvalue is too near to zero to tell.
    """
    try:
        factors = factorise(entries.stiffness, "symmetric")
    except SingularMatrixError:
        return None
    with factors:
        negative = factors.negative_pivots
        if negative is None:
            return None
        return _added(factors, entries.stiffness_edge), negative


def count_separator(entries: Entries, children: Sequence[Added]) -> tuple[Symmetric, int] | None:
    """The same for what separates substructures; of these it has what they added, and the places."""
    A = front(entries.stiffness, entries.stiffness_edge, children, np.float64)
    if not len(A.own):
        return A.rest, 0
    work, _ = linalg.lapack.dsytrf_lwork(len(A.own), lower=1)
    packed, pivots, info = linalg.lapack.dsytrf(A.own, lower=1, lwork=int(work), overwrite_a=1)
    negative = _negative_in(packed, pivots) if info == 0 else None
    if negative is None:
        return None
    if A.rest.size:
        answer, _ = linalg.lapack.dsytrs(packed, pivots, A.beside, lower=1)
        subtract_product(A.rest, A.beside, answer)
    return A.rest, negative


def condense_load(entries: Entries, load: Array) -> Array | None:
    """What a load on a part adds to that on its boundary: −K_bs K_ss⁻¹ f_s."""
    factors = definite_factors(entries.stiffness)
    if factors is None:
        return None
    with factors:
        return np.asarray(-(entries.stiffness_edge.T @ factors.solve(load)))


def solve_part(entries: Entries, load: Array, beside: Array) -> Array | None:
    """The unknowns of a part where those of its boundary are known: K_ss⁻¹(f_s − K_sb x_b)."""
    factors = definite_factors(entries.stiffness)
    if factors is None:
        return None
    with factors:
        return np.asarray(factors.solve(load - np.asarray(entries.stiffness_edge @ beside)))


@phase("solves")
def half_solve(factor: Array, rhs: Array, *, in_place: bool = False) -> Array:
    """L⁻¹ rhs, for a block (s, k); in the place of one in Fortran's order if wanted."""
    return _triangular(factor, rhs, 0, in_place=in_place)


@phase("solves")
def half_solve_back(factor: Array, rhs: Array) -> Array:
    """L⁻ᵀ rhs."""
    return _triangular(factor, rhs, 1, in_place=False)


def _triangular(factor: Array, rhs: Array, turned: int, *, in_place: bool) -> Array:
    if not len(factor) or not rhs.size:
        return np.zeros(rhs.shape)
    found, info = linalg.lapack.dtrtrs(np.asarray(factor), rhs, lower=1, trans=turned, overwrite_b=int(in_place))
    assert info == 0
    return np.asarray(found)


def _added(factors: Factorisation, edge: SparseMatrix) -> Symmetric:
    """−K_bs K_ss⁻¹ K_sb, some rows at a time."""
    back, by_column = edge.T.tocsr(), edge.tocsc()
    return symmetric(
        edge.shape[1],
        lambda first, last: -(back[:last] @ factors.solve(by_column[:, first:last].toarray())).T,
    )


def _negative_in(packed: Array, pivots: IntArray) -> int | None:
    """Negative eigenvalues of the pivot blocks of L D Lᵀ (Bunch–Kaufman, lower); None where one is zero."""
    negative, k = 0, 0
    while k < len(pivots):
        if pivots[k] > 0:
            if packed[k, k] == 0.0:
                return None
            negative += int(packed[k, k] < 0.0)
            k += 1
        else:  # a block of two with one eigenvalue of each sign
            negative += 1
            k += 2
    return negative


def sound_factor(matrix: Array, scale: Array) -> Array | None:
    """L in the place of a matrix, unless a pivot is not positive or, beside the stiffness `scale` of its unknown,
    no more than rounding."""
    try:
        factor = dense_factor(matrix)
    except linalg.LinAlgError:
        return None
    return factor if (np.diagonal(factor) ** 2 > _ROUNDING * scale).all() else None


@phase("factors")
def dense_factor(matrix: Array) -> Array:
    """Cholesky's L, in the place of the matrix if that is in Fortran's order."""
    return np.asarray(linalg.cholesky(matrix, lower=True, overwrite_a=True)) if len(matrix) else matrix
