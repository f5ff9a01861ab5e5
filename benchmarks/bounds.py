"""What the machine can do at best, measured here and now: writing, flops, and LAPACK on the same systems.

The work that cannot be avoided, divided by these, is the least time that a workload can take on this machine.
"""

import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import scipy.linalg
from benchmarks.harness import Bound, alternating
from scipy import sparse

BIG = 20_000_000  # numbers: 160 MB, beyond any cache
DOUBLE = 8  # bytes
INDEX = 4


def processor_seconds_of(work: Callable[[], Any]) -> float:
    """Processor time of one call, all threads together: a busy machine changes it less than wall time."""
    start = time.process_time()
    work()
    return time.process_time() - start


@cache
def new_memory_rate(repetitions: int = 5) -> float:
    """Bytes per second of writing an array that was just allocated, as a result always is.

    The system gives its pages one by one as they are first written, which can take longer than the writing.
    """

    def written() -> None:
        np.empty(BIG).fill(1.0)

    return DOUBLE * BIG / min(processor_seconds_of(written) for _ in range(repetitions))


@cache
def matrix_product_rate(kind: type = np.float64, size: int = 1500, repetitions: int = 5) -> float:
    """Flops per second of a processor in a matrix product."""
    a, b = np.ones((size, size), dtype=kind), np.ones((size, size), dtype=kind)
    a @ b
    return 2.0 * size**3 / min(processor_seconds_of(lambda: a @ b) for _ in range(repetitions))


def matrix_bytes(matrix: sparse.csr_array) -> int:
    """Bytes of a sparse matrix in compressed rows: values, columns, row starts."""
    return matrix.nnz * (DOUBLE + INDEX) + (matrix.shape[0] + 1) * INDEX


def work_bound(
    workload: str,
    ours: Callable[[], Any],
    least: Mapping[str, float],
    *,
    what: str,
    repetitions: int = 1,
    note: str = "",
) -> Bound:
    """How near a workload is to the least processor seconds of the parts of its work."""
    mine = [processor_seconds_of(ours) for _ in range(repetitions)]
    told = "; ".join(f"{name}: {seconds:.2g} s" for name, seconds in least.items())
    return Bound(workload, what, mine, [sum(least.values())], f"{told}; {note}" if note else told)


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
