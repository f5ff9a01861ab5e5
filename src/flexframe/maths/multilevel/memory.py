"""What a model in substructures takes of memory, known before anything is computed."""

import numpy as np

from flexframe.maths.arrays import SparseMatrix
from flexframe.maths.block_lanczos import working_bytes
from flexframe.maths.equilibration import equilibrated_triangle
from flexframe.maths.factor_kernels import ScaledMatrix
from flexframe.maths.multilevel.condensation import COLUMNS
from flexframe.maths.multilevel.division import USUAL_SIZE
from flexframe.maths.multilevel.model import DividedPencil, divided_pencil
from flexframe.maths.multilevel.pool import Pool
from flexframe.maths.pardiso_kernel import PardisoKernel, mkl

_SIZES = (USUAL_SIZE, 8_000, 60_000)  # of substructures that are tried
_FACTOR_ENTRIES = 40.0  # of L, in n^(4/3): PARDISO foresees 24 to 36 for bars of twenty-node bricks


def least_memory(
    stiffness: SparseMatrix, mass: SparseMatrix, modes: int, pool: Pool, limit: float
) -> tuple[DividedPencil, float]:
    """A division that fits into the limit, or the one that takes least; and the bytes that it takes."""
    best: tuple[DividedPencil, float] | None = None
    size = stiffness.shape[0]
    for part in _SIZES:
        if size < 2 * part and best is not None:
            continue
        pencil = divided_pencil(stiffness, mass, max(2, -(-size // part)), pool)
        needed = needed_bytes(pencil, modes)
        if best is None or needed < best[1]:
            best = pencil, needed
        if best[1] <= limit:
            break
    assert best is not None
    return best


def needed_bytes(pencil: DividedPencil, modes: int) -> float:
    """Bytes of one process that does everything: dense factors, the largest task, vectors; K and M are there."""
    own = np.array([len(piece.own) for piece in pencil.division], dtype=float)
    edge = np.array([len(piece.boundary) for piece in pencil.division], dtype=float)
    separates = np.array([bool(piece.children) for piece in pencil.division])
    held = float((own * (own + edge))[separates].sum())
    # what was added from below waits for at most one substructure of each level beside the two of the task
    waiting = float(sum(2.0 * edge[levels].max() ** 2 for levels in _levels(pencil)))
    fronts = 5.0 * float(((own + edge)[separates] ** 2).max(initial=0.0))
    largest = int(np.argmax(np.where(separates, 0.0, own)))
    part = _part_bytes(pencil, largest) / 8.0 + 3.0 * edge[largest] ** 2 + 4.0 * own[largest] * COLUMNS
    vectors = 10.0 * pencil.stiffness.shape[0] * (modes + 8)
    return 8.0 * (held + waiting + max(fronts, part) + vectors)


def _levels(pencil: DividedPencil) -> "list[np.ndarray[tuple[int], np.dtype[np.int64]]]":
    level = np.array([piece.level for piece in pencil.division])
    return [np.flatnonzero(level == k) for k in range(1, level.max() + 1)]


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
