"""Block Davidson with thick restarts: the lowest eigenpairs of A φ = α M φ by an inverse that is only nearly A⁻¹.

With r = Aφ − αMφ the step A⁻¹r = φ − αA⁻¹Mφ spans what Lanczos spans with A⁻¹M, but an error of the inverse
touches only the direction of the step, not the projection: factors in single precision, which take half the
time and memory, lead to the same eigenpairs. And ρ = √(rᵀA⁻¹r/α), the residual of A⁻¹M in the norm of A, is known
from each step; the error of α is its square.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.matrix_products import dense_product, product
from flexframe.phases import phase

# Measured on a solid of 100,000 unknowns: 20 modes take 124, 136, 144 and 167 columns in blocks of 8, 12, 16 and
# 24, of which those of 8 take a third longer each than those of 16.
_WIDTH = 12
_BLOCKS = 10  # beside the wanted vectors before a restart; half as many where a block is large itself
_LARGE = 500_000  # unknowns
_TOLERANCE = 1e-8  # of ρ
_ROUGH = 1e-2  # the same for the spare pairs
_NEW = 1e-7  # part of a column that must be new for it to count
_CLEAN = 1e6  # squared amplification of rounding by orthogonalisation that needs no second one
_STEPS = 60  # and two more for each mode: a good inverse needs fewer


@dataclass(frozen=True, eq=False)
class NearlyInverted:
    """A, definite, M, definite, and x ↦ nearly A⁻¹x on blocks; `known` (n, k), M-orthonormal, is kept out."""

    matrix: SparseMatrix
    mass: SparseMatrix
    solve: Callable[[Array], Array]
    known: Array


def davidson_bytes(size: int, count: int, spare: int) -> float:
    """What `lowest_pairs` keeps in memory at most: V, AV and MV, and some blocks on the way."""
    width, capacity = _room(size, count, spare)
    return 8.0 * size * (3 * capacity + 2 * (count + spare) + 6 * width)


def _room(size: int, count: int, spare: int) -> tuple[int, int]:
    """Width of a block, and columns before a restart."""
    width = min(max(4, count + spare), _WIDTH)
    blocks = _BLOCKS if size < _LARGE else _BLOCKS // 2
    return width, count + spare + (blocks + 1) * width


def lowest_pairs(pencil: NearlyInverted, count: int, *, spare: int, seed: int) -> tuple[Array, Array] | None:
    """The lowest eigenvalues α, ascending, and M-orthonormal vectors: (count + spare,), (n, count + spare).

    The first `count` are accurate, the others good enough to tell the next eigenvalues. None where the inverse is
    too far from A⁻¹ for that.
    """
    size, wanted = pencil.mass.shape[0], count + spare
    width, capacity = _room(size, count, spare)
    space = _Subspace(pencil, capacity)
    goals = np.where(np.arange(wanted) < count, _TOLERANCE, _ROUGH)
    weights = 1.0 / pencil.matrix.diagonal()
    ratio = np.inf  # of ρ and √(rᵀr/α) in the norm of the diagonal, as far as it is known
    columns = pencil.solve(product(pencil.mass, np.random.default_rng(seed).standard_normal((size, width))))
    for _ in range(_STEPS + 2 * wanted):
        if not np.isfinite(columns).all() or not space.append(columns):
            return None
        values, turn = space.ritz()
        values, turn = values[:wanted], turn[:, :wanted]
        residuals = space.residuals(values, turn)
        sizes = np.sqrt(np.einsum("ij,ij,i->j", residuals, residuals, weights) / values)
        todo = np.flatnonzero(ratio * sizes > goals[: len(values)])[:width]
        if not todo.size:
            return space.rayleigh(turn)
        residuals = np.ascontiguousarray(residuals[:, todo])
        columns = pencil.solve(residuals)
        squares = np.einsum("ij,ij->j", residuals, columns) / values[todo]
        if not (squares > 0.0).all():
            return None
        ratio = float(np.max(np.sqrt(squares) / sizes[todo]))
        if space.is_full(width):
            space.restart(wanted + width)
    return None


class _Subspace:
    """M-orthonormal columns V with AV, MV and H = VᵀAV."""

    def __init__(self, pencil: NearlyInverted, capacity: int) -> None:
        self._pencil = pencil
        self._vectors, self._stiff, self._moved = (np.empty((pencil.mass.shape[0], capacity)) for _ in range(3))
        self._known_moved = np.asarray(pencil.mass @ pencil.known)
        self._projected = np.zeros((capacity, capacity))
        self._filled = 0

    def is_full(self, width: int) -> bool:
        """Whether another block may find no room."""
        return self._filled + width > self._vectors.shape[1]

    @phase("orthogonalisation")
    def append(self, columns: Array) -> bool:
        """Take up what is new in some columns; whether there was anything."""
        old, moved_old = self._vectors[:, : self._filled], self._moved[:, : self._filled]
        known, known_moved = self._pencil.known, self._known_moved
        for _ in range(5):
            amounts, known_amounts = (dense_product(a.T, columns) for a in (moved_old, known_moved))
            columns -= dense_product(old, amounts)
            if known.shape[1]:
                columns -= dense_product(known, known_amounts)
            moved = product(self._pencil.mass, columns)
            gram = dense_product(columns.T, moved)
            squares = np.maximum(np.diag(gram), np.finfo(float).tiny)
            scale = 1.0 / np.sqrt(squares)
            values, turn = linalg.eigh(0.5 * (gram + gram.T) * scale * scale[:, None])
            new = values > _NEW**2
            if not new.any():
                return False
            taken_out = (np.sum(amounts**2, axis=0) + np.sum(known_amounts**2, axis=0)) / squares
            turn = scale[:, None] * turn[:, new] / np.sqrt(values[new])
            columns, moved = dense_product(columns, turn), dense_product(moved, turn)
            # what rounding leaves of the old ones grows like what was taken out, and by making the new ones alike
            if new.all() and 1.0 + taken_out.max() < _CLEAN * values[0]:
                break
        start, end = self._filled, self._filled + columns.shape[1]
        stiff = product(self._pencil.matrix, columns)
        self._vectors[:, start:end], self._moved[:, start:end], self._stiff[:, start:end] = columns, moved, stiff
        new_part = dense_product(self._vectors[:, :end].T, stiff)
        self._projected[:end, start:end] = new_part
        self._projected[start:end, :end] = new_part.T
        self._filled = end
        return True

    @phase("orthogonalisation")
    def ritz(self) -> tuple[Array, Array]:
        """Eigenvalues of H, ascending, and its eigenvectors."""
        values, turn = linalg.eigh(self._projected[: self._filled, : self._filled])
        return values, turn

    @phase("orthogonalisation")
    def residuals(self, values: Array, turn: Array) -> Array:
        """Aφ − αMφ of some Ritz pairs."""
        made = dense_product(self._stiff[:, : self._filled], turn)
        made -= dense_product(self._moved[:, : self._filled], turn * values)
        return made

    @phase("orthogonalisation")
    def rayleigh(self, turn: Array) -> tuple[Array, Array]:
        """Ritz vectors and their Rayleigh quotients.

        The eigenvalues of H carry rounding of the largest of them, these only their own.
        """
        vectors = dense_product(self._vectors[:, : self._filled], turn)
        stiff, moved = (product(matrix, vectors) for matrix in (self._pencil.matrix, self._pencil.mass))
        return np.einsum("ij,ij->j", vectors, stiff) / np.einsum("ij,ij->j", vectors, moved), vectors

    @phase("orthogonalisation")
    def restart(self, keep: int) -> None:
        """Keep the first `keep` Ritz vectors."""
        values, turn = self.ritz()
        turn = turn[:, :keep]
        for columns in (self._vectors, self._stiff, self._moved):
            columns[:, :keep] = dense_product(columns[:, : self._filled], turn)
        self._projected[:] = 0.0
        self._projected[:keep, :keep] = np.diag(values[:keep])
        self._filled = keep
