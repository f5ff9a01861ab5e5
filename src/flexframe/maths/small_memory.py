"""Modes where the factors of the whole matrix do not fit into memory: by substructures, else by multigrid."""

import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy.sparse.linalg import lobpcg

from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, SparseMatrix
from flexframe.maths.eigen_residuals import SEED, relative_residuals, rounding_floor, with_largest_entry_positive
from flexframe.maths.eigenproblems import SymmetricModes, mass_orthonormal
from flexframe.maths.factor_kernels import MatrixTooLargeError
from flexframe.maths.matrix_products import product, shifted
from flexframe.maths.multilevel.memory import least_memory
from flexframe.maths.multilevel.modes import is_divisible, pencil_modes, small_eigenvalue
from flexframe.maths.multilevel.pool import current_pool
from flexframe.maths.solver_settings import memory_limit

NearNull = Callable[[], Array]
"""Motions that elements do not resist, on the unknowns: (n, k)."""

_SPARE = 6  # vectors beyond the wanted modes, which make them converge
_STEPS = 400
_RESIDUAL = 1e-7  # |Kφ − λMφ| / |Kφ|
_ACCEPTED = 1e-5  # the same of what is not given up
_LEVELS = 2.5  # in the memory of K: 1.3 measured for all levels of solids, the rest for what is made on the way


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
    limit = memory_limit()
    assert limit is not None
    needed = [] if direct is None else [direct]
    if is_divisible(stiffness.shape[0], count):
        pencil, bytes_ = least_memory(stiffness, mass, count, current_pool(), limit)
        if bytes_ <= limit:
            return pencil_modes(pencil, count, rigid_modes=rigid_modes)
        needed.append(bytes_)
    if find_spec("pyamg") is not None:
        bytes_ = multigrid_bytes(stiffness, count)
        if bytes_ <= limit:
            return multigrid_modes(stiffness, mass, count, rigid_modes, near_null)
        needed.append(bytes_)
    raise MatrixTooLargeError(stiffness.shape[0], min(needed, default=None), limit)


def multigrid_bytes(stiffness: SparseMatrix, count: int) -> float:
    """What `multigrid_modes` takes beside K and M."""
    entries = stiffness.nnz * (stiffness.data.itemsize + stiffness.indices.itemsize)
    return _LEVELS * entries + 8.0 * stiffness.shape[0] * (12.0 * (count + _SPARE) + 12.0)


def multigrid_modes(
    stiffness: SparseMatrix,
    mass: SparseMatrix,
    count: int,
    rigid_modes: Array | None,
    near_null: NearNull | None,
) -> SymmetricModes:
    """The lowest modes by LOBPCG, preconditioned by smoothed aggregation (pyamg), without any factors of K.

    They are bounded from above only, and not counted.
    """
    size = stiffness.shape[0]
    rigid = np.empty((size, 0)) if rigid_modes is None else mass_orthonormal(rigid_modes, mass)
    wanted = count - rigid.shape[1]
    values, vectors = np.empty(0), np.empty((size, 0))
    if wanted > 0:
        definite = (
            stiffness if not rigid.shape[1] else shifted(stiffness, mass, -small_eigenvalue(stiffness, mass))
        )
        values, vectors = _lobpcg(stiffness, mass, wanted, rigid, _preconditioner(definite, near_null))
    vectors = mass_orthonormal(np.hstack([rigid, vectors]), mass)[:, :count]
    values = np.einsum("ij,ij->j", vectors, product(stiffness, vectors))
    order = np.argsort(values, kind="stable")
    values, vectors = values[order], with_largest_entry_positive(vectors[:, order])
    residuals = relative_residuals(
        product(stiffness, vectors), -values * product(mass, vectors), floor=rounding_floor(stiffness, vectors)
    )
    method = "LOBPCG, preconditioned by smoothed aggregation (pyamg): the factors do not fit into memory"
    return SymmetricModes(values, vectors, residuals, method, None)


def _preconditioner(definite: SparseMatrix, near_null: NearNull | None) -> Any:
    """One V-cycle of smoothed aggregation, with rigid motions as what coarse levels must represent."""
    import pyamg

    fields = None if near_null is None else near_null()
    if fields is not None:
        fields = fields[:, np.linalg.norm(fields, axis=0) > 0]
        fields = fields / np.linalg.norm(fields, axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other forms of the matrix, which cost a copy
        levels = pyamg.smoothed_aggregation_solver(
            definite.tocsr(), B=fields, strength=("symmetric", {"theta": 0.0}), max_coarse=500
        )
    return levels.aspreconditioner(cycle="V")


def _lobpcg(
    stiffness: SparseMatrix, mass: SparseMatrix, wanted: int, rigid: Array, preconditioner: Any
) -> tuple[Array, Array]:
    start = np.random.default_rng(SEED).standard_normal((stiffness.shape[0], wanted + _SPARE))
    start = np.column_stack([preconditioner @ column for column in start.T])
    start = mass_orthonormal(start, mass)
    lowest = float(np.einsum("ij,ij->j", start, product(stiffness, start)).min())
    # of |Kφ − λMφ|, where φᵀMφ = 1
    goal = _RESIDUAL * lowest * float(np.sqrt(np.median(mass.diagonal())))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the residual is looked at below
        found, fields = lobpcg(
            stiffness,
            start,
            B=mass,
            M=preconditioner,
            Y=rigid if rigid.shape[1] else None,
            tol=goal,
            maxiter=_STEPS,
            largest=False,
        )
    order = np.argsort(found)[:wanted]
    values: Array = np.asarray(found[order], dtype=np.float64)
    vectors: Array = np.asarray(fields[:, order], dtype=np.float64)
    loads = product(stiffness, vectors)
    left = np.linalg.norm(loads - values * product(mass, vectors), axis=0) / np.linalg.norm(loads, axis=0)
    if not (left <= _ACCEPTED).all():
        raise AnalysisError(
            f"{wanted} modes did not converge without factors (residual {left.max():.0e}); ask for fewer, "
            "or set FLEXFRAME_MEMORY to the gigabytes that may be used"
        )
    return values, vectors
