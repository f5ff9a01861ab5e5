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
from scipy.sparse.linalg import LinearOperator, eigsh

from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.block_lanczos import Operator, largest_pairs
from flexframe.maths.eigen_residuals import SEED
from flexframe.maths.factor_kernels import Block
from flexframe.maths.factorisation import Factorisation, definite_factors
from flexframe.maths.multilevel.elimination import (
    Entries,
    dense_factor,
    half_solve,
    half_solve_back,
    sound_factor,
)
from flexframe.maths.multilevel.panels import ROWS, Symmetric, front, lower_rows, mirror, subtract_product
from flexframe.maths.multilevel.stored import stored
from flexframe.phases import phase

_DENSE = 300  # unknowns up to which modes are LAPACK's
SEPARATOR = 1_500  # the same of what separates substructures, whose matrices are dense


@dataclass(frozen=True, eq=False)
class Condensed:
    """What a substructure adds to K and M on its boundary, and its modes with the boundary held.

    All that has to do with M is in single precision: it gives approximate modes, which are refined.
    """

    stiffness: Symmetric  # (b, b)
    mass: Symmetric  # (b, b)
    coupling: Block  # P: (m, b)
    squares: Array  # Λ: (m,)

    def store(self) -> "Condensed":
        """The same with large arrays on disk."""
        return Condensed(self.stiffness.store(), self.mass.store(), stored(self.coupling), self.squares)


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
    half: Array | None = None  # L⁻¹K_sb with what children added, where it is dense: (s, b)

    def store(self) -> "Inside":
        """The same with large arrays on disk."""
        below, factor, half = (None if a is None else stored(a) for a in (self.below, self.factor, self.half))
        return Inside(stored(self.modes), below, factor, half)


def condense_part(entries: Entries, modes: int) -> tuple[Condensed, Inside] | None:
    """A part of the model as a larger element; None where its stiffness is not definite."""
    assert entries.mass is not None
    assert entries.mass_edge is not None
    factors = definite_factors(entries.stiffness)
    if factors is None:
        return None
    with factors:
        squares, shapes = _part_modes(entries.stiffness, entries.mass, factors, modes)
        edge, mass_edge = entries.stiffness_edge, entries.mass_edge
        size = edge.shape[1]
        stiffness, mass = [], []
        coupling = np.empty((len(squares), size), dtype=np.float32)
        back, mass_back = edge.T.tocsr(), mass_edge.T.tocsr()
        by_column, mass_by_column = edge.tocsc(), mass_edge.tocsc()
        for first in range(0, size, ROWS):
            last = min(first + ROWS, size)
            static = -factors.solve(by_column[:, first:last].toarray())
            moved = np.asarray(entries.mass @ static) + mass_by_column[:, first:last].toarray()
            stiffness.append(lower_rows((back[:last] @ static).T))
            rows = mass_back[:last] @ static - back[:last] @ factors.solve(moved)
            mass.append(lower_rows(rows.T.astype(np.float32)))
            coupling[:, first:last] = shapes.T @ moved
    return Condensed(Symmetric(tuple(stiffness)), Symmetric(tuple(mass)), coupling, squares), Inside(shapes)


def condense_separator(
    entries: Entries, children: Sequence[Placed], modes: int, own_modes: int
) -> tuple[Condensed, Inside] | None:
    """What separates substructures, together with them, as a larger element; None where it is not definite."""
    assert entries.mass is not None
    assert entries.mass_edge is not None
    own = entries.stiffness.shape[0]
    K = front(
        entries.stiffness,
        entries.stiffness_edge,
        [(placed.condensed.stiffness, placed.places) for placed in children],
        np.float64,
    )
    factor = sound_factor(K.own, entries.stiffness.diagonal())
    if factor is None:
        return None
    half = half_solve(factor, K.beside, in_place=True)
    subtract_product(K.rest, half, half)
    M = front(
        entries.mass,
        entries.mass_edge,
        [(placed.condensed.mass, placed.places) for placed in children],
        np.float32,
    )
    mirror(M.own)
    static = np.empty(half.shape, dtype=np.float32, order="F")
    for first in range(0, half.shape[1], ROWS):
        some = slice(first, first + ROWS)
        static[:, some] = -half_solve_back(factor, half[:, some])
    squares, shapes = _separator_modes(factor, M.own, own_modes)
    moved = M.own @ static + M.beside
    subtract_product(M.rest, static, -moved)
    subtract_product(M.rest, -M.beside, static)
    P = _stacked(children, own + half.shape[1])
    below = np.concatenate([placed.condensed.squares for placed in children])
    squares, turn = _joined_modes(below, squares, P[:, :own] @ shapes, modes)
    down, across = turn[: len(below)], shapes @ turn[len(below) :]
    coupling = down.T.astype(np.float32) @ (P[:, own:] + P[:, :own] @ static)
    coupling += across.T.astype(np.float32) @ moved
    return Condensed(K.rest, M.rest, coupling, squares), Inside(across, down, factor, half)


def _part_modes(
    stiffness: SparseMatrix, mass: SparseMatrix, factors: Factorisation, count: int
) -> tuple[Array, Array]:
    """Lowest modes of a part, roughly; K and M are diagonal on them whatever their errors."""
    size = stiffness.shape[0]
    count = min(count, size)
    if size <= _DENSE or count > size // 4:
        return _dense_modes(dense_factor(stiffness.toarray()), mass.toarray(), count)
    if not np.abs(mass.data).max(initial=0.0):
        return np.empty(0), np.empty((size, 0))
    operator = Operator(factors.solve, mass, np.empty((size, 0)))
    _, vectors = largest_pairs(operator, 0, spare=count, seed=SEED)
    K, M = (vectors.T @ np.asarray(matrix @ vectors) for matrix in (stiffness, mass))
    mu, turn = linalg.eigh(_symmetric(M), _symmetric(K))
    mu, turn = mu[::-1], turn[:, ::-1]
    return np.asarray(1.0 / mu), np.asarray(vectors @ (turn / np.sqrt(mu)))


@phase("orthogonalisation")
def _separator_modes(factor: Array, mass: Array, count: int) -> tuple[Array, Array]:
    """Lowest modes of L Lᵀ φ = λ M φ, roughly where there are many unknowns."""
    size = len(factor)
    if size <= SEPARATOR or count > size // 8:
        return _dense_modes(factor, mass.astype(float), count)
    inverse = LinearOperator(
        (size, size),
        matvec=lambda x: half_solve(factor, mass @ half_solve_back(factor, x.reshape(-1, 1))).ravel(),
        dtype=float,
    )
    start = np.random.default_rng(SEED).standard_normal(size)
    mu, turn = eigsh(inverse, k=count, which="LA", v0=start, tol=1e-3)
    heavy = mu > size * np.finfo(np.float32).eps * max(float(mu.max()), 0.0)
    order = np.flatnonzero(heavy)[np.argsort(-mu[heavy])]
    shapes = half_solve_back(factor, turn[:, order])
    return np.asarray(1.0 / mu[order]), np.asarray(shapes / np.sqrt(mu[order]))


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


def _stacked(children: Sequence[Placed], size: int) -> Block:
    """P of all children on the places of the next level: (m, s + b)."""
    made = np.zeros((sum(len(placed.condensed.squares) for placed in children), size), dtype=np.float32)
    row = 0
    for placed in children:
        few = len(placed.condensed.squares)
        made[row : row + few, placed.places] = np.asarray(placed.condensed.coupling)
        row += few
    return made


def _symmetric(matrix: Array) -> Array:
    return np.asarray(0.5 * (matrix + matrix.T))
