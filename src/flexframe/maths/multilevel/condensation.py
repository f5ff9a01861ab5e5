"""What is done with one substructure; functions of plain data, for any process.

With its own unknowns s and its boundary b, static shapes Ψ = −K_ss⁻¹K_sb and modes Φ of the substructure with its
boundary held, x_s = Φ q + Ψ x_b turns stiffness and mass into those of a larger element (Craig & Bampton 1968):

    K = [Λ  0 ; 0  K_bb + K_bsΨ],   M = [1  P ; Pᵀ  M_bb + M_bsΨ + ΨᵀM_sb + ΨᵀM_ssΨ],   P = Φᵀ(M_sb + M_ssΨ) .

What separates substructures has theirs added to its own entries; q of those takes part in its modes Φ, of which
the lowest are kept: interfaces are reduced level by level (Bennighof & Lehoucq 2004).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.block_lanczos import Operator, largest_pairs
from flexframe.maths.eigen_residuals import SEED
from flexframe.maths.factor_kernels import SingularMatrixError, pivot_tolerance
from flexframe.maths.factorisation import Factorisation, factorise
from flexframe.phases import phase

COLUMNS = 256  # of the boundary at a time
_ROUNDING = pivot_tolerance(50_000)
_DENSE = 300  # unknowns up to which modes are LAPACK's


@dataclass(frozen=True, eq=False)
class Entries:
    """Entries of K and M in the rows of a substructure: columns of its own, and of its boundary."""

    stiffness: SparseMatrix  # K_ss
    stiffness_edge: SparseMatrix  # K_sb
    mass: SparseMatrix | None = None
    mass_edge: SparseMatrix | None = None


@dataclass(frozen=True, eq=False)
class Condensed:
    """What a substructure adds to K and M on its boundary, and its modes with the boundary held."""

    stiffness: Array  # (b, b)
    mass: Array  # (b, b)
    coupling: Array  # P: (m, b)
    squares: Array  # Λ: (m,)


@dataclass(frozen=True, eq=False)
class Placed:
    """A condensed substructure, and the places of its boundary among own and boundary of the next level's."""

    condensed: Condensed
    places: IntArray


@dataclass(frozen=True, eq=False)
class Inside:
    """What leads back to the own unknowns, x_s = modes q + Ψ x_b, and to those of the level below, q = below q."""

    modes: Array  # (s, m)
    below: Array | None = None  # (m of all children, m)
    factor: Array | None = None  # L of K_ss = L Lᵀ, where it is dense: (s, s)
    edge: Array | None = None  # K_sb with what children added, where it is dense: (s, b)


def condense_part(entries: Entries, modes: int) -> tuple[Condensed, Inside] | None:
    """A part of the model as a larger element; None where its stiffness is not definite."""
    assert entries.mass is not None
    assert entries.mass_edge is not None
    factors = _definite(entries.stiffness)
    if factors is None:
        return None
    with factors:
        squares, shapes = _part_modes(entries.stiffness, entries.mass, factors, modes)
        edge, mass_edge = entries.stiffness_edge, entries.mass_edge
        size = edge.shape[1]
        stiffness, mass = np.empty((size, size)), np.empty((size, size))
        coupling = np.empty((len(squares), size))
        back, mass_back = edge.T.tocsr(), mass_edge.T.tocsr()
        by_column, mass_by_column = edge.tocsc(), mass_edge.tocsc()
        for start in range(0, size, COLUMNS):
            some = slice(start, min(start + COLUMNS, size))
            static = -factors.solve(by_column[:, some].toarray())
            moved = np.asarray(entries.mass @ static) + mass_by_column[:, some].toarray()
            stiffness[:, some] = back @ static
            mass[:, some] = mass_back @ static - back @ factors.solve(moved)
            coupling[:, some] = shapes.T @ moved
    return Condensed(_symmetric(stiffness), _symmetric(mass), coupling, squares), Inside(shapes)


def condense_separator(
    entries: Entries, children: Sequence[Placed], modes: int, own_modes: int
) -> tuple[Condensed, Inside] | None:
    """What separates substructures, together with them, as a larger element; None where it is not definite."""
    assert entries.mass is not None
    assert entries.mass_edge is not None
    own = entries.stiffness.shape[0]
    K = _front(entries.stiffness, entries.stiffness_edge, children, "stiffness")
    M = _front(entries.mass, entries.mass_edge, children, "mass")
    P = _stacked(children, len(K))
    edge, mass_edge = K[:own, own:].copy(), M[:own, own:]
    factor = _sound_cholesky(K[:own, :own], entries.stiffness.diagonal())
    if factor is None:
        return None
    static = -_cholesky_solve(factor, edge)
    moved = M[:own, :own] @ static + mass_edge
    stiffness = K[own:, own:] + edge.T @ static
    mass = M[own:, own:] + static.T @ moved + mass_edge.T @ static
    beside = P[:, own:] + P[:, :own] @ static
    squares, shapes = _dense_modes(factor, M[:own, :own], own_modes)
    below = np.concatenate([placed.condensed.squares for placed in children])
    squares, turn = _joined_modes(below, squares, P[:, :own] @ shapes, modes)
    down, across = turn[: len(below)], shapes @ turn[len(below) :]
    coupling = down.T @ beside + across.T @ moved
    condensed = Condensed(_symmetric(stiffness), _symmetric(mass), coupling, squares)
    return condensed, Inside(across, down, factor, edge)


def eliminate_part(entries: Entries) -> tuple[Array, None] | None:
    """What elimination of a part adds to the stiffness on its boundary; None where it is not definite."""
    factors = _definite(entries.stiffness)
    if factors is None:
        return None
    with factors:
        return _added(factors, entries.stiffness_edge), None


def eliminate_separator(
    entries: Entries, children: Sequence[tuple[Array, IntArray]]
) -> tuple[Array, Inside] | None:
    """The same for what separates substructures, and what leads back to its unknowns."""
    own = entries.stiffness.shape[0]
    A = _with_added(entries, children)
    factor = _sound_cholesky(A[:own, :own], entries.stiffness.diagonal())
    if factor is None:
        return None
    edge = A[:own, own:].copy()
    left = A[own:, own:] - edge.T @ _cholesky_solve(factor, edge)
    return _symmetric(left), Inside(np.empty((own, 0)), None, factor, edge)


def count_part(entries: Entries) -> tuple[Array, int] | None:
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


def count_separator(entries: Entries, children: Sequence[tuple[Array, IntArray]]) -> tuple[Array, int] | None:
    """The same for what separates substructures; of these it has what they added, and the places."""
    own = entries.stiffness.shape[0]
    A = _with_added(entries, children)
    if not own:
        return A, 0
    packed, pivots, info = linalg.lapack.dsytrf(A[:own, :own], lower=1)
    negative = _negative_in(packed, pivots) if info == 0 else None
    if negative is None:
        return None
    if len(A) == own:
        return np.empty((0, 0)), negative
    answer, _ = linalg.lapack.dsytrs(packed, pivots, A[:own, own:], lower=1)
    return _symmetric(A[own:, own:] - A[own:, :own] @ answer), negative


def condense_load(entries: Entries, load: Array) -> Array | None:
    """What a load on a part adds to that on its boundary: −K_bs K_ss⁻¹ f_s."""
    factors = _definite(entries.stiffness)
    if factors is None:
        return None
    with factors:
        return np.asarray(-(entries.stiffness_edge.T @ factors.solve(load)))


def solve_part(entries: Entries, load: Array, beside: Array) -> Array | None:
    """The unknowns of a part where those of its boundary are known: K_ss⁻¹(f_s − K_sb x_b)."""
    factors = _definite(entries.stiffness)
    if factors is None:
        return None
    with factors:
        return np.asarray(factors.solve(load - np.asarray(entries.stiffness_edge @ beside)))


def solve_dense(inside: Inside, load: Array, beside: Array | None = None) -> Array:
    """K_ss⁻¹(f_s − K_sb x_b) of what separates substructures."""
    assert inside.factor is not None
    assert inside.edge is not None
    return _cholesky_solve(inside.factor, load if beside is None else load - inside.edge @ beside)


def _definite(matrix: SparseMatrix) -> Factorisation | None:
    try:
        factors = factorise(matrix, "spd")
    except SingularMatrixError:
        return None
    if factors.negative_pivots == 0:
        return factors
    factors.close()
    return None


def _part_modes(
    stiffness: SparseMatrix, mass: SparseMatrix, factors: Factorisation, count: int
) -> tuple[Array, Array]:
    """Lowest modes of a part, roughly; K and M are diagonal on them whatever their errors."""
    size = stiffness.shape[0]
    count = min(count, size)
    if size <= _DENSE or count > size // 4:
        return _dense_modes(_cholesky(stiffness.toarray()), mass.toarray(), count)
    if not np.abs(mass.data).max(initial=0.0):
        return np.empty(0), np.empty((size, 0))
    operator = Operator(factors.solve, mass, np.empty((size, 0)))
    _, vectors = largest_pairs(operator, 0, spare=count, seed=SEED)
    K, M = (vectors.T @ np.asarray(matrix @ vectors) for matrix in (stiffness, mass))
    mu, turn = linalg.eigh(_symmetric(M), _symmetric(K))
    mu, turn = mu[::-1], turn[:, ::-1]
    return np.asarray(1.0 / mu), np.asarray(vectors @ (turn / np.sqrt(mu)))


@phase("orthogonalisation")
def _dense_modes(factor: Array, mass: Array, count: int) -> tuple[Array, Array]:
    """Lowest modes of L Lᵀ φ = λ M φ by the largest eigenvalues of L⁻¹M L⁻ᵀ; those without mass are left out."""
    size = len(factor)
    count = min(count, size)
    if not count:
        return np.empty(0), np.empty((size, 0))
    half = linalg.solve_triangular(factor, mass, lower=True)
    inverse = linalg.solve_triangular(factor, half.T, lower=True)
    mu, turn = linalg.eigh(_symmetric(inverse), subset_by_index=[size - count, size - 1])
    heavy = mu > size * np.finfo(float).eps * max(float(mu[-1]), 0.0)
    mu, turn = mu[heavy][::-1], turn[:, heavy][:, ::-1]
    shapes = linalg.solve_triangular(factor, turn, lower=True, trans="T")
    return np.asarray(1.0 / mu), np.asarray(shapes / np.sqrt(mu))


def _joined_modes(first: Array, second: Array, coupling: Array, count: int) -> tuple[Array, Array]:
    """Lowest modes of K = diag(Λ₁, Λ₂), M = [1 C; Cᵀ 1], with unit modal mass: (k,), (m, k)."""
    stiffness = np.concatenate([first, second])
    size, few = len(stiffness), len(first)
    count = min(count, size)
    if not count:
        return np.empty(0), np.empty((size, 0))
    mass = np.eye(size)
    mass[:few, few:], mass[few:, :few] = coupling, coupling.T
    root = 1.0 / np.sqrt(stiffness)
    mu, turn = linalg.eigh(mass * np.outer(root, root), subset_by_index=[size - count, size - 1])
    heavy = mu > size * np.finfo(float).eps * float(mu[-1])
    mu, turn = mu[heavy][::-1], turn[:, heavy][:, ::-1]
    return np.asarray(1.0 / mu), np.asarray(root[:, None] * turn / np.sqrt(mu))


def _added(factors: Factorisation, edge: SparseMatrix) -> Array:
    """−K_bs K_ss⁻¹ K_sb, some columns at a time."""
    size = edge.shape[1]
    made = np.empty((size, size))
    back, by_column = edge.T.tocsr(), edge.tocsc()
    for start in range(0, size, COLUMNS):
        some = slice(start, min(start + COLUMNS, size))
        made[:, some] = -(back @ factors.solve(by_column[:, some].toarray()))
    return _symmetric(made)


def _with_added(entries: Entries, children: Sequence[tuple[Array, IntArray]]) -> Array:
    made = _blocks(entries.stiffness, entries.stiffness_edge)
    for added, places in children:
        made[np.ix_(places, places)] += added
    return made


def _front(own: SparseMatrix, edge: SparseMatrix, children: Sequence[Placed], name: str) -> Array:
    made = _blocks(own, edge)
    for placed in children:
        made[np.ix_(placed.places, placed.places)] += getattr(placed.condensed, name)
    return made


def _blocks(own: SparseMatrix, edge: SparseMatrix) -> Array:
    """[A_ss A_sb; A_bs 0]: what is between two unknowns of the boundary comes later."""
    few, size = own.shape[0], own.shape[0] + edge.shape[1]
    made = np.zeros((size, size))
    made[:few, :few] = own.toarray()
    made[:few, few:] = edge.toarray()
    made[few:, :few] = made[:few, few:].T
    return made


def _stacked(children: Sequence[Placed], size: int) -> Array:
    """P of all children on the places of the next level: (m, s + b)."""
    made = np.zeros((sum(len(placed.condensed.squares) for placed in children), size))
    row = 0
    for placed in children:
        few = len(placed.condensed.squares)
        made[row : row + few, placed.places] = placed.condensed.coupling
        row += few
    return made


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


def _symmetric(matrix: Array) -> Array:
    return np.asarray(0.5 * (matrix + matrix.T))


def _sound_cholesky(matrix: Array, scale: Array) -> Array | None:
    """L, unless a pivot is not positive or, beside the stiffness `scale` of its unknown, no more than rounding."""
    try:
        factor = _cholesky(matrix)
    except linalg.LinAlgError:
        return None
    return factor if (np.diagonal(factor) ** 2 > _ROUNDING * scale).all() else None


@phase("factors")
def _cholesky(matrix: Array) -> Array:
    return np.asarray(linalg.cholesky(matrix, lower=True)) if len(matrix) else matrix


@phase("solves")
def _cholesky_solve(factor: Array, rhs: Array) -> Array:
    return np.asarray(linalg.cho_solve((factor, True), rhs)) if len(factor) and rhs.size else np.zeros_like(rhs)
