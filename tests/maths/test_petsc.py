"""Factorisation by MUMPS through PETSc, in one process and in several; run by `make test-petsc`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from tests.rounding import rounding

import flexframe as ff
from flexframe.maths.factorisation import SingularMatrixError, factorise

pytestmark = pytest.mark.petsc

CASE = """
title: Block
bodies:
  block:
    mesh: {block: {lengths: [1, 0.4, 0.3], divisions: [10, 4, 3]}}
    material: steel
    supports: [{clamp: left}]
    loads: [{traction: [0, 1 MPa, 0], on: right}]
analyses:
  vibration: {kind: modes, count: 6}
  bending: {kind: statics}
"""


def lattice(n: int) -> "sparse.csr_array":
    """The Laplace operator on n³ points; eigenvalues 6 − 2 Σ cos(iπ/(n + 1))."""
    line = sparse.diags_array([-np.ones(n - 1), 2.0 * np.ones(n), -np.ones(n - 1)], offsets=[-1, 0, 1])
    unit = sparse.eye_array(n)
    terms = [(line, unit, unit), (unit, line, unit), (unit, unit, line)]
    return sparse.csr_array(sum(sparse.kron(sparse.kron(a, b), c) for a, b, c in terms))


@pytest.fixture(autouse=True)
def chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLEXFRAME_SOLVER", "petsc")


def test_solves_and_counts_eigenvalues() -> None:
    n, shift = 14, 0.9
    cosines = np.cos(np.arange(1, n + 1) * np.pi / (n + 1))
    below = np.add.outer(np.add.outer(cosines, cosines), cosines) > 3.0 - shift / 2.0
    matrix = lattice(n) - shift * sparse.eye_array(n**3)
    wanted = np.random.default_rng(1).standard_normal((n**3, 3))
    with factorise(matrix, "symmetric") as factors:
        assert factors.solver == "MUMPS through PETSc"
        assert factors.negative_pivots == np.count_nonzero(below)
        nearest = np.abs(6.0 - 2.0 * np.add.outer(np.add.outer(cosines, cosines), cosines) - shift).min()
        assert_allclose(factors.solve(matrix @ wanted), wanted, atol=rounding(n**3, 12.0 / nearest))


def test_matrices_that_are_not_symmetric() -> None:
    n = 14
    matrix = lattice(n) + sparse.diags_array(0.3 * np.ones(n**3 - 1), offsets=1)
    wanted = np.random.default_rng(2).standard_normal(n**3)
    with factorise(matrix, "general") as factors:
        assert_allclose(factors.solve(matrix @ wanted), wanted, atol=rounding(n**3, 1e3))


def test_a_body_that_floats_is_refused() -> None:
    body = ff.Body.solid("block", ff.mesh.block((1.0, 0.4, 0.3), (10, 4, 3)), material=ff.STEEL)
    with pytest.raises(SingularMatrixError):
        factorise(ff.discretise(body).stiffness, "symmetric")


def test_modes_are_those_of_slepc() -> None:
    from petsc4py import PETSc
    from slepc4py import SLEPc

    mesh = ff.mesh.block((1.0, 0.4, 0.3), (10, 4, 3))
    body = ff.Body.solid("block", mesh, material=ff.STEEL, supports=[ff.Clamp("left")])
    found = ff.modes(body, count=6)
    assert "MUMPS" in found.method
    discrete = ff.discretise(body)
    free = discrete.supports.basis
    pencil = []
    for matrix in (discrete.stiffness, discrete.mass):
        rows = sparse.csr_array(free.T @ matrix @ free)
        parts = (rows.indptr.astype(np.int32), rows.indices.astype(np.int32), rows.data)
        pencil.append(PETSc.Mat().createAIJ(rows.shape, csr=parts))
    solver = SLEPc.EPS().create()
    solver.setOperators(*pencil)
    solver.setProblemType(SLEPc.EPS.ProblemType.GHEP)
    solver.setDimensions(6)
    solver.setTarget(0.0)
    solver.setWhichEigenpairs(SLEPc.EPS.Which.TARGET_MAGNITUDE)
    solver.getST().setType("sinvert")
    solver.setTolerances(1e-12)
    solver.solve()
    values = np.array([solver.getEigenvalue(k).real for k in range(6)])
    assert_allclose(
        found.frequencies_hz, np.sqrt(values) / (2.0 * np.pi), rtol=1e-9
    )  # SLEPc's 1e-12 of λ, and K's rounding


def test_two_processes_give_what_one_gives(tmp_path: Path) -> None:
    (tmp_path / "block.yaml").write_text(CASE, encoding="utf-8")
    run = [sys.executable, "-m", "flexframe", "run", "block.yaml", "--out"]
    launch = ["mpiexec", "--allow-run-as-root", "--oversubscribe", "-n", "2"]
    # mpiexec must not take this process, which may have used MPI itself, for one that it started
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_"))}
    for start, out in (([], "alone"), (launch, "together")):
        subprocess.run([*start, *run, out], cwd=tmp_path, env=plain, check=True, capture_output=True, timeout=300)
    alone, together = (
        json.loads((tmp_path / out / "summary.json").read_text())["analyses"] for out in ("alone", "together")
    )
    assert together["vibration"]["method"].endswith("MUMPS through PETSc in 2 processes")
    frequencies = [found["vibration"]["frequencies_hz"] for found in (alone, together)]
    assert_allclose(*frequencies, rtol=1e-9)
