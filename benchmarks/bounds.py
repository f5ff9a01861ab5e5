"""What the machine can do at best, measured here and now: memory traffic, flops, and LAPACK on the same systems.

The work that cannot be avoided, divided by these, is the least time that a workload can take on this machine.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg
from benchmarks.harness import Bound, alternating, seconds_of
from scipy import sparse

BIG = 20_000_000  # numbers: 160 MB, beyond any cache
DOUBLE = 8  # bytes
INDEX = 4


def stream_triad(repetitions: int = 5) -> float:
    """Bytes per second of a = b + s c on arrays beyond the cache; the triad reads two arrays and writes one."""
    from numba import njit

    @njit
    def triad(a: Any, b: Any, c: Any, s: float) -> None:
        for i in range(len(a)):
            a[i] = b[i] + s * c[i]

    a, b, c = np.zeros(BIG), np.ones(BIG), np.ones(BIG)
    triad(a, b, c, 3.0)
    return 3 * DOUBLE * BIG / min(seconds_of(lambda: triad(a, b, c, 3.0)) for _ in range(repetitions))


def dgemm_peak(size: int = 1500, repetitions: int = 5) -> float:
    """Flops per second of a matrix product, with as many threads as the library takes."""
    a, b = np.ones((size, size)), np.ones((size, size))
    a @ b
    return 2.0 * size**3 / min(seconds_of(lambda: a @ b) for _ in range(repetitions))


def matrix_bytes(matrix: sparse.csr_array) -> int:
    """Bytes of a sparse matrix in compressed rows: values, columns, row starts."""
    return matrix.nnz * (DOUBLE + INDEX) + (matrix.shape[0] + 1) * INDEX


def traffic_bound(
    workload: str, ours: Callable[[], Any], moved: float, *, what: str, repetitions: int = 5, note: str = ""
) -> Bound:
    """How near a workload is to moving its bytes once through memory."""
    rate = stream_triad()
    (mine,) = alternating([ours], repetitions)
    told = f"{moved / 1e6:.3g} MB at {rate / 1e9:.3g} GB/s"
    return Bound(workload, what, mine, [moved / rate], f"{told}; {note}" if note else told)


def flop_bound(
    workload: str, ours: Callable[[], Any], flops: float, *, what: str, repetitions: int = 1, note: str = ""
) -> Bound:
    """How near a workload is to its flops at the rate of a matrix product."""
    rate = dgemm_peak()
    (mine,) = alternating([ours], repetitions, warm=repetitions > 1)
    told = f"{flops / 1e9:.3g} Gflop at {rate / 1e9:.3g} Gflop/s"
    return Bound(workload, what, mine, [flops / rate], f"{told}; {note}" if note else told)


def cholesky_flops(columns: np.ndarray) -> float:
    """Flops of a Cholesky factorisation with these numbers of entries in the columns of L: Σ c²."""
    return float((columns.astype(float) ** 2).sum())


def dense_solves(size: int, factorisations: int, solves: int) -> Callable[[], None]:
    """Factorisations of one dense matrix, and solves with its factors, by LAPACK, one after another."""
    generator = np.random.default_rng(0)
    A = np.asfortranarray(generator.standard_normal((size, size)) + size * np.eye(size))
    b = generator.standard_normal(size)
    factorise, solve = scipy.linalg.get_lapack_funcs(("getrf", "getrs"), (A, b))
    factors, pivots, _ = factorise(A)

    def work() -> None:
        for _ in range(factorisations):
            factorise(A)
        for _ in range(solves):
            solve(factors, pivots, b)

    return work


def lapack_bound(
    workload: str,
    ours: Callable[[], Any],
    *,
    size: int,
    factorisations: int,
    solves: int,
    repetitions: int = 3,
    note: str = "",
) -> Bound:
    """How near a transient loop is to the time that LAPACK takes for as many dense systems of its size."""
    mine, bound = alternating([ours, dense_solves(size, factorisations, solves)], repetitions)
    told = f"{factorisations} factorisations and {solves} solves of {size} unknowns"
    return Bound(workload, "LAPACK on the same dense systems", mine, bound, f"{told}; {note}" if note else told)
