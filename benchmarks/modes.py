"""Twenty modes of a clamped solid of 100,000 degrees of freedom against CalculiX and scipy.

CalculiX is compared from mesh file to result, scipy on the same matrices: `eigsh` about zero with the Cholesky
factors of PARDISO as inverse, a Krylov space that suits it, and as many threads. It does not count the modes.

CalculiX (ccx, SPOOLES and ARPACK as Debian builds it) gets as many threads as flexframe: FLEXFRAME_THREADS, or
every core. Flexframe's time includes the proof that no mode was missed. Beside the time that passed, the processor
time of both programs is told, which a busy machine changes less, and flexframe's largest memory.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from benchmarks.harness import Comparison, alternating, write
from pypardiso import PyPardisoSolver
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, eigsh

from flexframe.analyses.modes.analysis import modes
from flexframe.assembly.discrete import discretise
from flexframe.elements.properties import Material
from flexframe.exchange.meshes import read_mesh, write_mesh
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.maths.factorisation import thread_count
from flexframe.mesh.builders import block
from flexframe.model.body import Body
from flexframe.model.supports import Clamp

MATERIAL = Material(young=200e9, poisson=0.3, density=7900.0)
COUNT = 20


def calculix_frequencies(folder: Path, name: str) -> np.ndarray:
    """Run ccx and read the frequencies in Hz from its table."""
    threads = str(thread_count(10**9))
    environment = {**os.environ, "OMP_NUM_THREADS": threads, "CCX_NPROC_EQUATION_SOLVER": threads}
    subprocess.run(["ccx", name], cwd=folder, env=environment, check=True, capture_output=True)
    found = []
    for line in (folder / f"{name}.dat").read_text().splitlines():
        words = line.split()
        if len(words) == 5 and words[0].isdigit():
            found.append(float(words[3]))
    return np.array(found[:COUNT])


def workload(divisions: int, shape: str, repetitions: int) -> Comparison:
    mesh = block((4.0, 1.0, 0.8), (4 * divisions, divisions, divisions), order=2, shape=shape)
    folder = Path(tempfile.mkdtemp())
    write_mesh(mesh, folder / "mesh.inp")
    text = (folder / "mesh.inp").read_text()
    steps = f"""*MATERIAL, NAME=STEEL
*ELASTIC
{MATERIAL.young}, {MATERIAL.poisson}
*DENSITY
{MATERIAL.density}
*SOLID SECTION, ELSET=all, MATERIAL=STEEL
*BOUNDARY
left, 1, 3
*STEP
*FREQUENCY
{COUNT}
*END STEP
"""
    (folder / "job.inp").write_text(text + steps)
    kept: dict[str, np.ndarray] = {}
    seconds: dict[str, list[float]] = {"ours": [], "peer": []}
    memory: list[float] = []

    def ours() -> None:
        before = processor_seconds(resource.RUSAGE_SELF)
        body = Body.solid("block", read_mesh(folder / "mesh.inp"), material=MATERIAL, supports=(Clamp("left"),))
        kept["ours"] = modes(body, count=COUNT).frequencies_hz
        seconds["ours"].append(processor_seconds(resource.RUSAGE_SELF) - before)
        memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)

    def theirs() -> None:
        before = processor_seconds(resource.RUSAGE_CHILDREN)
        kept["peer"] = calculix_frequencies(folder, "job")
        seconds["peer"].append(processor_seconds(resource.RUSAGE_CHILDREN) - before)

    small = block((4.0, 1.0, 0.8), (4, 1, 1), order=2, shape=shape)
    modes(Body.solid("block", small, material=MATERIAL, supports=(Clamp("left"),)), count=COUNT)  # loads kernels
    times = alternating([ours, theirs], repetitions, warm=False)
    result = Comparison(f"{COUNT} modes, {mesh.node_count * 3} dofs, {shape}s of second order", "CalculiX", *times)
    # the same elements: hexahedra are integrated alike, tetrahedra by another rule
    difference = float(np.abs(kept["ours"] / kept["peer"] - 1).max())
    assert difference < 1e-3, f"frequencies differ by {difference:.1e}"
    shutil.rmtree(folder)
    mine, other = (statistics.median(seconds[name]) for name in ("ours", "peer"))
    note = (
        f"with threads: {thread_count(10**9)} each; processor {mine:.3g} s against {other:.3g} s, "
        f"{other / mine:.3g} times; frequencies differ by {difference:.0e}; "
        f"flexframe's largest memory {max(memory):.2g} GB"
    )
    return replace(result, note=note)


def against_eigsh(divisions: int, shape: str, repetitions: int) -> Comparison:
    """The eigenproblem alone, ours with the proof that no mode was missed."""
    mesh = block((4.0, 1.0, 0.8), (4 * divisions, divisions, divisions), order=2, shape=shape)
    body = Body.solid("block", mesh, material=MATERIAL, supports=(Clamp("left"),))
    equilibrium = discretise(body).equilibrium
    stiffness, mass = equilibrium.stiffness, equilibrium.mass
    kept: dict[str, np.ndarray] = {}

    def ours() -> None:
        found = symmetric_modes(stiffness, mass, COUNT)
        assert found.confirmed
        kept["ours"] = found.eigenvalues

    def theirs() -> None:
        solver = PyPardisoSolver(mtype=2)
        solver.set_iparm(1, 1)
        solver.set_iparm(2, 2)
        upper = sparse.csr_matrix(sparse.triu(stiffness, format="csr"))
        solver.factorize(upper)
        inverse = LinearOperator(stiffness.shape, matvec=lambda b: solver.solve(upper, b), dtype=np.float64)
        kept["peer"] = eigsh(stiffness, COUNT, M=mass, sigma=0.0, OPinv=inverse, ncv=3 * COUNT)[0]
        solver.free_memory(everything=True)

    times = alternating([ours, theirs], repetitions, warm=False)
    difference = float(np.abs(kept["ours"] / kept["peer"] - 1).max())
    assert difference < 1e-8, f"eigenvalues differ by {difference:.1e}"
    size = stiffness.shape[0]
    name = f"{COUNT} modes of given matrices, {size} unknowns, {shape}s of second order"
    return Comparison(name, "scipy eigsh with PARDISO", *times, note=f"eigenvalues differ by {difference:.0e}")


def processor_seconds(whose: int) -> float:
    """User and system time of this process, or of its children that have ended."""
    usage = resource.getrusage(whose)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    sizes = [int(n) for n in sys.argv[2:4]] or [12, 10]
    shapes = list(zip(("hexahedron", "tetra"), sizes, strict=True))
    rows = [measure(size, shape, repetitions) for measure in (against_eigsh, workload) for shape, size in shapes]
    write("modes", rows)
