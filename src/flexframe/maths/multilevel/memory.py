"""What a model in substructures takes of memory and of work, known before anything is computed.

A task has s own unknowns and b of its boundary. What separates substructures has K in double and M in single
precision, 12 (s² + sb + ½b²) bytes, Ψ and M on it, 8 sb, and of each child 6 b² and what its modes are coupled by.
A part has its factors, 6 b² in the end, and some blocks of columns. Between tasks everything large is on disk.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.block_lanczos import working_bytes
from flexframe.maths.equilibration import equilibrated_triangle
from flexframe.maths.factor_kernels import MatrixTooLargeError, ScaledMatrix
from flexframe.maths.multilevel.condensation import SEPARATOR
from flexframe.maths.multilevel.division import USUAL_SIZE, Substructure
from flexframe.maths.multilevel.model import DividedPencil, divided_pencil
from flexframe.maths.multilevel.panels import ROWS
from flexframe.maths.multilevel.pool import Pool
from flexframe.maths.pardiso_kernel import PardisoKernel, mkl
from flexframe.maths.solver_settings import memory_limit

_SIZES = (USUAL_SIZE, 8_000, 60_000)  # of substructures that are tried
_FACTOR_ENTRIES = 40.0  # of L, in n^(4/3): PARDISO foresees 24 to 36 for bars of twenty-node bricks
_BLOCKS = 10.0  # of as many vectors as modes are sought, which refinement has at a time


@dataclass(frozen=True)
class Needs:
    """Bytes of the largest task, bytes of the process that leads beside K and M, operations of all tasks."""

    task: float
    leader: float
    operations: float

    def excess(self, pool: Pool, limit: float) -> float:
        """How often the need exceeds what there is: one or less where it fits."""
        if pool.memory is None:
            return (self.task + self.leader) / limit
        return max(self.task / pool.memory, self.leader / limit)

    def refusal(self, pool: Pool, size: int, limit: float) -> MatrixTooLargeError:
        """The error where it does not fit."""
        if pool.memory is None:
            return MatrixTooLargeError(size, self.task + self.leader, limit)
        if self.task > pool.memory:
            return MatrixTooLargeError(size, self.task, pool.memory)
        return MatrixTooLargeError(size, self.leader, limit)


def smallest_division(
    stiffness: SparseMatrix, mass: SparseMatrix, modes: int, pool: Pool, limit: float
) -> tuple[DividedPencil, Needs]:
    """A division that fits, or the one that comes nearest to it; and what it needs."""
    best: tuple[DividedPencil, Needs] | None = None
    size = stiffness.shape[0]
    for part in _SIZES:
        if size < 2 * part and best is not None:
            continue
        pencil = divided_pencil(stiffness, mass, max(2, -(-size // part)), pool)
        found = needs(pencil, modes)
        if best is None or found.excess(pool, limit) < best[1].excess(pool, limit):
            best = pencil, found
        if best[1].excess(pool, limit) <= 1.0:
            break
    assert best is not None
    return best


def require_room(pencil: DividedPencil, modes: int) -> None:
    """Refuse a division whose largest task, or whose vectors, do not fit."""
    limit = memory_limit()
    if limit is None:
        return
    found = needs(pencil, modes)
    if found.excess(pencil.pool, limit) > 1.0:
        raise found.refusal(pencil.pool, pencil.stiffness.shape[0], limit)


def needs(pencil: DividedPencil, modes: int) -> Needs:
    """What modes by these substructures take; of `modes` zero, what solves take."""
    own = np.array([len(piece.own) for piece in pencil.division], dtype=np.float64)
    edge = np.array([len(piece.boundary) for piece in pencil.division], dtype=np.float64)
    separates = np.array([bool(piece.children) for piece in pencil.division])
    below = np.array([_given_bytes(piece, modes) for piece in pencil.division])
    fronts = [
        front_bytes(piece, [pencil.division[child] for child in piece.children], modes)
        for piece in pencil.division
        if piece.children
    ]
    largest = int(np.argmax(np.where(separates, 0.0, own)))
    parts = below[~separates].max() + 8.0 * own[largest] * (5.0 * ROWS + 2.0 * modes)
    task = max(*fronts, float(parts) + _part_bytes(pencil, largest))
    entries = 24.0 * pencil.stiffness.nnz  # the pattern while it is divided; later K − shift·M, rows on their way
    leader = 8.0 * _BLOCKS * pencil.stiffness.shape[0] * (modes + 8) + entries + float(below.max())
    return Needs(task, leader, _operations(own, edge, separates))


def front_bytes(piece: Substructure, children: Sequence[Substructure], modes: int) -> float:
    """What condensation of what separates substructures takes."""
    s, b = float(len(piece.own)), float(len(piece.boundary))
    below = sum(_given_bytes(child, modes) for child in children)
    passing = 16.0 * ROWS * (s + b) + 32.0 * min(s, SEPARATOR) ** 2  # panels; LAPACK's modes of few unknowns
    return below + 12.0 * (s * s + s * b + 0.5 * b * (b + ROWS)) + 8.0 * s * b + passing


def _given_bytes(piece: Substructure, modes: int) -> float:
    """What a substructure gives to the next level."""
    b = float(len(piece.boundary))
    return 6.0 * b * (b + ROWS) + 4.0 * modes * b


def _operations(own: Array, edge: Array, separates: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> float:
    """Multiplications and additions of condensation."""
    s, b = own[~separates], edge[~separates]
    factors = _FACTOR_ENTRIES * s ** (4.0 / 3.0)
    parts = factors**2 / s + 8.0 * factors * b  # two solves for each unknown of the boundary
    s, b = own[separates], edge[separates]
    return float(parts.sum() + (s**3 / 3.0 + 4.0 * s * s * b + 4.0 * s * b * b).sum())


def _part_bytes(pencil: DividedPencil, number: int) -> float:
    """Factors of one part, and the vectors of its modes."""
    own = pencil.division[number].own
    size = len(own)
    vectors = working_bytes(size, 0, 32)
    if mkl() is None:
        return 16.0 * _FACTOR_ENTRIES * size ** (4.0 / 3.0) + vectors  # L and U
    matrix = pencil.stiffness[own][:, own]
    kernel = PardisoKernel(ScaledMatrix(equilibrated_triangle(matrix)[0], is_triangle=True), "spd")
    needed = kernel.memory
    kernel.close()
    return needed + vectors
