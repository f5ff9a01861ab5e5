"""Factorisation by SuperLU, which scipy brings: the solver that is always there."""

from typing import Any, Literal

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import SuperLU, splu

from flexframe.maths.arrays import SparseMatrix
from flexframe.maths.factor_kernels import (
    BACKWARD_ERROR,
    Block,
    Kind,
    MatrixTooLargeError,
    Order,
    ScaledMatrix,
    SingularMatrixError,
    refuse_singular,
    try_out,
)
from flexframe.phases import phase

# Measured on plane, solid and beam bodies: above 5,000 unknowns a METIS order pays for itself unless rows are as
# short as those of a beam.
_METIS_FROM = 5_000
_METIS_ROW_LENGTH = 25.0
# What SuperLU says of a pivot that is zero, or so small that what follows it is no number (scipy 1.15).
_ZERO_PIVOT = ("singular", "failed to factorize")


class SuperLUKernel:
    """Factors L U of the (permuted) matrix."""

    def __init__(self, factors: SuperLU, order: Order | None, name: str, *, has_inertia: bool) -> None:
        self.name = name
        self._factors: SuperLU | None = factors
        self.order = order
        # With the same row and column order, L U is L D Lᵀ with D = diag U and Sylvester's law holds.
        self._has_inertia = has_inertia and bool(np.array_equal(factors.perm_r, factors.perm_c))
        self._pivots: Block | None = None

    @phase("solves")
    def solve(self, rhs: Block) -> Block:
        assert self._factors is not None
        if self.order is None:
            return self._factors.solve(rhs)
        x = np.empty_like(rhs)
        x[self.order] = self._factors.solve(np.asfortranarray(rhs[self.order]))
        return x

    def _diagonal(self) -> Block:
        # Reading U copies both factors, so it is done only when somebody asks.
        if self._pivots is None:
            assert self._factors is not None
            self._pivots = self._factors.U.diagonal()
        return self._pivots

    def smallest_pivot(self) -> float:
        return float(np.abs(self._diagonal()).min())

    def negative_pivots(self) -> int | None:
        return int(np.count_nonzero(self._diagonal() < 0.0)) if self._has_inertia else None

    def close(self) -> None:
        self._factors = None


@phase("factors")
def factorise_superlu(scaled: SparseMatrix, kind: Kind, order: Order | None = None) -> SuperLUKernel:
    """Diagonal pivots in a symmetric order first; off-diagonal pivots if a trial solve shows the need."""
    n = scaled.shape[0]
    has_inertia = kind != "general" and not np.iscomplexobj(scaled.data)
    symmetric_pattern = kind != "general" or _has_symmetric_pattern(scaled)
    specification: Literal["COLAMD", "MMD_AT_PLUS_A", "NATURAL"] = "COLAMD"
    name, columns = "SuperLU", scaled.tocsc()
    if symmetric_pattern:
        specification, name = "MMD_AT_PLUS_A", "SuperLU with minimum-degree ordering"
        if order is None and n >= _METIS_FROM and scaled.nnz > _METIS_ROW_LENGTH * n:
            order = _metis_order(scaled)
        if order is not None:
            columns = scaled[order][:, order].tocsc()
            specification, name = "NATURAL", "SuperLU with METIS ordering"
    else:
        order = None
    if symmetric_pattern:
        columns = _with_diagonal(columns)
    thresholds = (0.0, 0.1, 1.0) if symmetric_pattern else (1.0,)
    for threshold in thresholds:
        try:
            factors = splu(
                columns,
                permc_spec=specification,
                diag_pivot_thresh=threshold,
                options={"SymmetricMode": symmetric_pattern},
            )
        except MemoryError:
            raise MatrixTooLargeError(n) from None
        except RuntimeError as error:
            if not any(word in str(error) for word in _ZERO_PIVOT):
                raise
            if threshold == thresholds[-1]:
                raise SingularMatrixError(_free_equation(scaled), "a pivot is zero") from None
            continue
        kernel = SuperLUKernel(factors, order, name, has_inertia=has_inertia)
        trial = try_out(ScaledMatrix(scaled), kernel.solve)
        refuse_singular(trial, kernel, n)
        if trial.backward_error < BACKWARD_ERROR:
            return kernel
    raise SingularMatrixError(_free_equation(scaled), f"a solve is wrong by {trial.backward_error:.0e}")


def _with_diagonal(matrix: "sparse.csc_array[Any]") -> "sparse.csc_array[Any]":
    """The same matrix with every diagonal entry stored, zeros too.

    In symmetric mode SuperLU takes it that they are; a column that is left without a candidate for its pivot is
    otherwise given one from memory that nobody wrote (xiaoyeli/superlu, issue 33), which may end the process.
    """
    entries = matrix.tocoo()
    n = matrix.shape[0]
    lacking = np.setdiff1d(np.arange(n), entries.row[entries.row == entries.col])
    if not lacking.size:
        return matrix
    rows, columns = (np.concatenate([part, lacking]) for part in (entries.row, entries.col))
    data = np.concatenate([entries.data, np.zeros(lacking.size, entries.data.dtype)])
    return sparse.csc_array((data, (rows, columns)), shape=matrix.shape)


def _has_symmetric_pattern(matrix: SparseMatrix) -> bool:
    transposed = sparse.csr_array(matrix.T)
    transposed.sort_indices()
    return bool(
        np.array_equal(matrix.indptr, transposed.indptr) and np.array_equal(matrix.indices, transposed.indices)
    )


@phase("ordering")
def _metis_order(matrix: SparseMatrix) -> Order:
    """Nested-dissection order of the graph of a matrix with symmetric pattern."""
    import pymetis

    n = matrix.shape[0]
    rows = np.repeat(np.arange(n), np.diff(matrix.indptr))
    off_diagonal = rows != matrix.indices
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[off_diagonal], minlength=n))])
    graph = pymetis.CSRAdjacency(
        starts.astype(pymetis.zero_copy_dtype()),
        matrix.indices[off_diagonal].astype(pymetis.zero_copy_dtype()),
    )
    return np.asarray(pymetis.nested_dissection(graph)[0], dtype=np.int32)


def _free_equation(scaled: SparseMatrix) -> int | None:
    """The unknown that moves most in the nearly null vector of Â + δ1, where Â itself would not factorise."""
    shifted = (scaled + 1e-9 * sparse.eye_array(scaled.shape[0])).tocsc()
    try:
        trial = try_out(ScaledMatrix(sparse.csr_array(shifted)), splu(shifted).solve)
    except RuntimeError:
        return None
    return int(np.argmax(np.abs(trial.nearly_null)))
