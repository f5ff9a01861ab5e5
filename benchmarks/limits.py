"""How near assembly, modes and the transient loop are to what the machine can do at best.

- Assembly: the matrices that it gives must be written to memory once; everything else is above that.
- Modes: the factors of K − σM take a number of flops that the ordering fixes (as PARDISO counts them), at best at
  the rate of a matrix product.
- Transient loop: every step solves one dense system; LAPACK needs some time for as many systems of that size.

Usage: python -m benchmarks.limits [unknowns]
"""

import sys
from pathlib import Path

import numpy as np
from benchmarks.bounds import flop_bound, lapack_bound, matrix_bytes, traffic_bound
from benchmarks.growth import plane_body, solid_body
from benchmarks.harness import Bound, write

from flexframe.analyses.modes import modes
from flexframe.assembly.discrete import DiscreteBody, discretise
from flexframe.cases.case import load_case
from flexframe.model.body import Body

CRANK = Path(__file__).parents[1] / "examples" / "slider_crank_3d.yaml"
STEPS = 1000


def assembly_bound(name: str, body: Body) -> Bound:
    """All matrices of a body, and its mesh, through memory once."""
    discrete = discretise(body)
    moved = sum(matrix_bytes(matrix) for matrix in (discrete.stiffness, discrete.mass))
    moved += body.mesh.points.nbytes + sum(part.nodes.nbytes for part in body.mesh.blocks)
    return traffic_bound(
        f"assembly, {name}, {discrete.dofs.count} unknowns",
        lambda: discretise(body),
        moved,
        what="writing K, M and reading the mesh once",
        note="quadrature and the invariants are not in the bound",
    )


def factorisation_flops(discrete: DiscreteBody) -> float | None:
    """Flops of one factorisation of K with PARDISO's ordering, as it counts them; nothing without PARDISO."""
    try:
        from pypardiso import PyPardisoSolver
    except ImportError:
        return None
    supported = discrete.supports.reduce_matrix(discrete.stiffness)
    solver = PyPardisoSolver(mtype=-2)
    for place, value in {1: 1, 2: 2, 19: -1}.items():
        solver.set_iparm(place, value)
    from scipy import sparse

    solver.factorize(sparse.csr_matrix(sparse.triu(supported, format="csr")))
    count = float(solver.get_iparm(19)) * 1e6
    solver.free_memory(everything=True)
    return count


def modes_bound(unknowns: int) -> list[Bound]:
    """Twenty modes of a solid against the flops of one factorisation."""
    body = solid_body(unknowns, "tetra")
    discrete = discretise(body)
    flops = factorisation_flops(discrete)
    if flops is None:
        return []
    return [
        flop_bound(
            f"20 modes, Tet10, {discrete.dofs.count} unknowns",
            lambda: modes(discrete, count=20),
            flops,
            what="the flops of one factorisation",
            note="solves, orthogonalisation and the count that no mode is missing are not in the bound",
        )
    ]


def transient_bound() -> list[Bound]:
    """Steps of the coupled slider-crank against as many dense systems of its size."""
    if not CRANK.is_file():
        return []
    case = load_case(CRANK)
    name, entry = next(iter(case.document.analyses.items()))
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


if __name__ == "__main__":
    unknowns = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rows = [
        assembly_bound("plane quadrilaterals of second order", plane_body(unknowns)),
        assembly_bound("Tet10", solid_body(unknowns, "tetra")),
        assembly_bound("Hex20", solid_body(unknowns, "hexahedron")),
        *modes_bound(unknowns),
        *transient_bound(),
    ]
    assert all(np.isfinite(row.part) for row in rows)
    write("limits", bounds=rows)
