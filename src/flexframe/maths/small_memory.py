"""Modes where the factors of the whole matrix do not fit into memory: by substructures, else by multigrid."""

from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.eigen_residuals import (
    energy_rounding,
    relative_residuals,
    rounding_floor,
    with_largest_entry_positive,
)
from flexframe.maths.eigenproblems import SymmetricModes, mass_orthonormal
from flexframe.maths.factor_kernels import MatrixTooLargeError
from flexframe.maths.lobpcg import SPARE, lowest_pairs, working_columns
from flexframe.maths.matrix_products import product, shifted
from flexframe.maths.multigrid import MultigridCycle
from flexframe.maths.multilevel.memory import smallest_division
from flexframe.maths.multilevel.model import NotDefiniteError
from flexframe.maths.multilevel.modes import is_divisible, pencil_modes, small_eigenvalue
from flexframe.maths.multilevel.pool import current_pool
from flexframe.maths.solver_settings import memory_limit

NearNull = Callable[[], Array]
"""Motions that elements do not resist, on the unknowns: (n, k)."""

_PATIENCE = 10.0  # operations of substructures, which prove what they find, for one without them
_PRODUCTS, _CYCLES = 9.0, 60.0  # with K in a step, and steps for 20 modes of cubes


def modes_within_memory(
    stiffness: SparseMatrix,
    mass: SparseMatrix,
    count: int,
    *,
    rigid_modes: Array | None,
    near_null: NearNull | None,
    direct: float | None,
) -> SymmetricModes:
    """The lowest modes by what fits into memory, less than the `direct` bytes.

    Raises `MatrixTooLargeError` with the least that is needed where nothing fits.
    """
    limit, pool = memory_limit(), current_pool()
    assert limit is not None
    needed = [] if direct is None else [direct]
    without = np.inf
    if find_spec("pyamg") is not None:
        without = multigrid_bytes(stiffness, count)
        needed.append(without)
    if is_divisible(stiffness.shape[0], count):
        pencil, divided = smallest_division(stiffness, mass, count, pool, limit)
        quick = divided.operations <= _PATIENCE * multigrid_operations(stiffness, count)
        if divided.excess(pool, limit) <= 1.0 and (quick or without > limit):
            return pencil_modes(pencil, count, rigid_modes=rigid_modes)
        needed.append(divided.task + divided.leader)
    if without <= limit:
        return multigrid_modes(stiffness, mass, count, rigid_modes, near_null)
    raise MatrixTooLargeError(stiffness.shape[0], min(needed, default=None), limit)


def multigrid_operations(stiffness: SparseMatrix, count: int) -> float:
    """Multiplications and additions of `multigrid_modes`, about."""
    return 2.0 * stiffness.nnz * _PRODUCTS * _CYCLES * (count + SPARE)


def multigrid_bytes(stiffness: SparseMatrix, count: int) -> float:
    """What `multigrid_modes` takes beside K and M: the levels while they are made, or levels and vectors.

    Measured on bricks of 8 and 20 nodes: 0.6 of K and 1,100 bytes for each unknown, then a third of K and 640.
    """
    size, entries = stiffness.shape[0], stiffness.nnz * (stiffness.data.itemsize + stiffness.indices.itemsize)
    made = 0.8 * entries + 1500.0 * size
    return max(made, entries / 3.0 + 800.0 * size + 8.0 * size * working_columns(count))


def multigrid_modes(
    stiffness: SparseMatrix,
    mass: SparseMatrix,
    count: int,
    rigid_modes: Array | None,
    near_null: NearNull | None,
) -> SymmetricModes:
    """The lowest modes by LOBPCG, preconditioned by smoothed aggregation (pyamg), without any factors of K.

    They are bounded from above only, as Ritz values are, and not counted.
    """
    size = stiffness.shape[0]
    rigid = np.empty((size, 0)) if rigid_modes is None else mass_orthonormal(rigid_modes, mass)
    wanted = count - rigid.shape[1]
    values, vectors = np.empty(0), np.empty((size, 0))
    if wanted > 0:
        definite = (
            stiffness if not rigid.shape[1] else shifted(stiffness, mass, -small_eigenvalue(stiffness, mass))
        )
        cycle = _preconditioner(definite, near_null)
        values, vectors = lowest_pairs(stiffness, mass, wanted, known=rigid, precondition=cycle)
    vectors = mass_orthonormal(np.hstack([rigid, vectors]), mass)[:, :count]
    values = np.einsum("ij,ij->j", vectors, product(stiffness, vectors))
    order = np.argsort(values, kind="stable")
    values, vectors = values[order], with_largest_entry_positive(vectors[:, order])
    residuals = relative_residuals(
        product(stiffness, vectors), -values * product(mass, vectors), floor=rounding_floor(stiffness, vectors)
    )
    method = "LOBPCG, preconditioned by smoothed aggregation (pyamg): the factors do not fit into memory"
    bounds = np.stack([np.full(count, np.nan), values + energy_rounding(stiffness, vectors)], axis=1)
    return SymmetricModes(values, vectors, residuals, method, None, bounds)


def _preconditioner(definite: SparseMatrix, near_null: NearNull | None) -> MultigridCycle:
    """One V-cycle, with the motions that coarse levels must represent: given ones, else one of all unknowns."""
    motions = np.ones((definite.shape[0], 1)) if near_null is None else near_null()
    motions = motions[:, np.linalg.norm(motions, axis=0) > 0]
    try:
        return MultigridCycle(definite, motions / np.linalg.norm(motions, axis=0))
    except np.linalg.LinAlgError as error:
        raise NotDefiniteError from error
