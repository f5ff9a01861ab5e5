"""How near assembly, modes and the transient loop are to what the machine can do at best.

- Assembly: the products of gradients and of shape functions at the quadrature points, each pair of nodes once, at
  the rate of a matrix product; and every matrix written once into new memory.
- Modes: one factorisation of K, whose flops the ordering fixes (as PARDISO counts them), the solves of as many
  right-hand sides as the search took, and one factorisation that counts the modes; all in single precision, at the
  rate of its matrix products.
  Both in processor time, that of flexframe and that of the bound.
- Transient loop: every step solves one dense system; LAPACK needs some time for as many systems of that size.

Usage: python -m benchmarks.limits [unknowns of assembly] [unknowns of modes]
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.bounds import lapack_bound, matrix_bytes, matrix_product_rate, new_memory_rate, work_bound
from benchmarks.growth import plane_body, solid_body
from benchmarks.harness import Bound, write
from scipy import sparse

from flexframe.analyses.modes.analysis import modes
from flexframe.analyses.transient.entry import TransientEntry
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.cases.case import load_case
from flexframe.elements.contract import is_interpolated
from flexframe.maths.factorisation import RoughFactors
from flexframe.model.body import Body

CRANK = Path(__file__).parents[1] / "examples" / "slider_crank_3d.yaml"
STEPS = 1000
COUNT = 20


def quadrature_flops(discrete: DiscreteBody) -> float:
    """Multiplications and additions of the element matrices, each pair of nodes once.

    At every stiffness point: the Jacobian and the gradients of n functions (2 n d² each) and their products, n d
    numbers among themselves; then ∫∂φ∂φ times general elasticities, d² by d² for each pair of nodes. At every mass
    point: the products of n functions.
    """
    total = 0.0
    for batch in discrete.batches:
        assert is_interpolated(batch.family)
        nodes, dimension = batch.family.cell.nodes, batch.family.cell.dimension
        points, mass_points = len(batch.family.stiffness_rule.weights), len(batch.family.mass_rule.weights)
        gradients = points * 4 * nodes * dimension**2
        products = points * (nodes * dimension) * (nodes * dimension + 1)
        contraction = nodes * (nodes + 1) * dimension**4
        mass = mass_points * nodes * (nodes + 1)
        total += batch.count * (gradients + products + contraction + mass)
    return total


def assembly_bound(name: str, body: Body) -> Bound:
    """Quadrature at the rate of a matrix product, then the matrices of a body written once."""
    discrete = discretise(body)
    written = sum(matrix_bytes(matrix) for matrix in (discrete.stiffness, discrete.mass))
    flops, writing, rate = quadrature_flops(discrete), new_memory_rate(), matrix_product_rate()
    return work_bound(
        f"assembly, {name}, {discrete.dofs.count} unknowns",
        lambda: discretise(body).mass,
        {
            f"quadrature, {flops / 1e9:.3g} Gflop at {rate / 1e9:.3g} Gflop/s": flops / rate,
            f"K and M into new memory, {written / 1e6:.3g} MB at {writing / 1e9:.3g} GB/s": written / writing,
        },
        what="quadrature at the rate of a matrix product and K, M written once",
        repetitions=3,
        note="checks of the mesh, the pattern and the invariants are not in the bound",
    )


def factorisation_work(discrete: DiscreteBody) -> tuple[float, float] | None:
    """Flops of one factorisation of K in PARDISO's order, and entries of its factor; nothing without PARDISO."""
    try:
        from pypardiso import PyPardisoSolver
    except ImportError:
        return None
    supported = discrete.supports.reduce_matrix(discrete.stiffness)
    solver = PyPardisoSolver(mtype=2)
    for place, value in {1: 1, 2: 2, 18: -1, 19: -1}.items():
        solver.set_iparm(place, value)
    solver.factorize(sparse.csr_matrix(sparse.triu(supported, format="csr")))
    found = float(solver.get_iparm(19)) * 1e6, float(solver.get_iparm(18))
    solver.free_memory(everything=True)
    return found


@contextmanager
def counted_columns() -> Iterator[list[int]]:
    """How many right-hand sides are solved for by factors in single precision, solve by solve."""
    columns: list[int] = []
    solve = RoughFactors.solve

    def counted(self: RoughFactors, rhs: Any) -> Any:
        columns.append(rhs.shape[1])
        return solve(self, rhs)

    RoughFactors.solve = counted  # type: ignore[method-assign]
    try:
        yield columns
    finally:
        RoughFactors.solve = solve  # type: ignore[method-assign]


def modes_bound(name: str, body: Body) -> list[Bound]:
    """Twenty modes of a solid against the flops of two factorisations and of the solves."""
    discrete = discretise(body)
    work = factorisation_work(discrete)
    if work is None:
        return []
    flops, entries = work
    with counted_columns() as columns:
        found = modes(discrete, count=COUNT)
    assert found.confirmed and columns
    solves = 4.0 * entries * sum(columns)  # forward and back, each entry of the factor once multiplied and added
    rate = matrix_product_rate(np.float32)
    return [
        work_bound(
            f"{COUNT} modes, {name}, {discrete.dofs.count} unknowns",
            lambda: modes(discrete, count=COUNT),
            {
                f"two factorisations of {flops / 1e9:.3g} Gflop at {rate / 1e9:.3g} Gflop/s": 2.0 * flops / rate,
                f"{sum(columns)} right-hand sides, {solves / 1e9:.3g} Gflop": solves / rate,
            },
            what="two factorisations and the solves at the rate of matrix products, in single precision",
            note="ordering, orthogonalisation, residuals and labels are not in the bound",
        )
    ]


def transient_bound() -> list[Bound]:
    """Steps of the coupled slider-crank against as many dense systems of its size."""
    if not CRANK.is_file():
        return []
    case = load_case(CRANK)
    name, entry = next(iter(case.document.analyses.items()))
    assert isinstance(entry, TransientEntry)
    short = entry.model_copy(update={"duration": entry.step * STEPS, "samples": 11})
    record = short.run(case)
    figures = record.summary()["integration"]
    seconds: list[float] = []

    def loop() -> None:
        seconds.append(short.run(case).summary()["seconds"])

    bound = lapack_bound(
        f"transient loop of {CRANK.stem}, {name}, {figures['steps']} steps",
        loop,
        size=figures["unknowns"],
        factorisations=figures["factorisations"],
        solves=figures["iterations"],
    )
    # the time of the loop itself, as the record tells it: not the reduction of the bodies before it
    return [Bound(bound.workload, bound.what, seconds[1:], bound.bound_s, bound.note)]


ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "FLEXFRAME_THREADS"), "1")


if __name__ == "__main__":
    if ONE_THREAD.items() - os.environ.items():  # processor time is that of one thread, from the first import on
        os.execve(
            sys.executable, [sys.executable, "-m", "benchmarks.limits", *sys.argv[1:]], os.environ | ONE_THREAD
        )
    given = [int(word) for word in sys.argv[1:]]
    unknowns, mode_unknowns = [*given, *(100_000, 40_000)[len(given) :]]
    rows = [
        assembly_bound("plane quadrilaterals of second order", plane_body(unknowns)),
        assembly_bound("Tet10", solid_body(unknowns, "tetra")),
        assembly_bound("Hex20", solid_body(unknowns, "hexahedron")),
        *modes_bound("Tet10", solid_body(mode_unknowns, "tetra")),
        *modes_bound("Hex20", solid_body(mode_unknowns, "hexahedron")),
        *transient_bound(),
    ]
    assert all(np.isfinite(row.part) for row in rows)
    write("limits", bounds=rows)
