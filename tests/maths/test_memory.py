"""A model whose factors do not fit is refused before they are computed, by one message that tells what to do."""

import re
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from scipy import linalg, sparse
from tests.maths.sample_matrices import solid

from flexframe.analyses.modes.analysis import modes
from flexframe.elements.properties import STEEL
from flexframe.errors import AnalysisError
from flexframe.maths import eigenproblems, pardiso, small_memory, solver_settings, superlu
from flexframe.maths.block_lanczos import working_bytes
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.maths.equilibration import equilibrated_triangle
from flexframe.maths.factor_kernels import MatrixTooLargeError, ScaledMatrix
from flexframe.maths.factorisation import factorise
from flexframe.maths.multilevel.condensation import Condensed, Placed, condense_separator
from flexframe.maths.multilevel.division import Substructure
from flexframe.maths.multilevel.elimination import Entries
from flexframe.maths.multilevel.memory import Needs, front_bytes, needs, require_room, smallest_division
from flexframe.maths.multilevel.model import divided_pencil
from flexframe.maths.multilevel.modes import multilevel_modes
from flexframe.maths.multilevel.panels import ROWS, Symmetric, lower_rows
from flexframe.maths.multilevel.pool import Serial
from flexframe.maths.solver_settings import memory_limit
from flexframe.mesh.builders import block
from flexframe.model.body import Body
from flexframe.model.supports import Clamp

needs_pardiso = pytest.mark.skipif(pardiso.mkl() is None, reason="pypardiso is not installed")


def factor_bytes(matrix, precision):
    kernel = pardiso.PardisoKernel(
        ScaledMatrix(equilibrated_triangle(matrix)[0], is_triangle=True), "spd", precision
    )
    needed = kernel.memory
    kernel.close()
    return needed


@needs_pardiso
def test_modes_stop_before_the_factors(monkeypatch):
    """Nothing is factorised: PARDISO's numerical phase (22) is never reached."""
    monkeypatch.delenv("FLEXFRAME_SOLVER", raising=False)
    phases = []
    call = pardiso.PardisoKernel._call
    monkeypatch.setattr(
        pardiso.PardisoKernel,
        "_call",
        lambda self, phase, rhs=None: (phases.append(phase), call(self, phase, rhs))[1],
    )
    body = Body.solid(
        "block", block((2.0, 1.0, 1.0), (8, 4, 4), order=2), material=STEEL, supports=(Clamp("left"),)
    )
    free = modes(body, count=4)
    assert free.confirmed
    assert phases.count(22) == 2  # one for the modes, one for their count
    phases.clear()
    monkeypatch.setenv("FLEXFRAME_MEMORY", "0.001")
    with pytest.raises(AnalysisError) as caught:
        modes(body, count=4)
    assert 22 not in phases
    message = str(caught.value)
    needed = float(re.search(r"does not fit in memory: solving takes ([0-9.]+) GB", message).group(1))
    assert 0.005 < needed < 0.05  # 3,000 unknowns: 0.8 million entries in the factors, and 180 vectors
    assert "0.001 GB may be used; use a coarser mesh" in message
    assert "FLEXFRAME_MEMORY" in message
    assert "\n" not in message


@pytest.mark.slow
@needs_pardiso
def test_room_for_the_vectors_is_kept(monkeypatch):
    """What would hold the factors alone does not hold the vectors of Lanczos too: single precision, same modes."""
    monkeypatch.delenv("FLEXFRAME_SOLVER", raising=False)
    k, m, _ = solid((7, 5, 5), clamped=True)
    exact = linalg.eigh(k.toarray(), m.toarray(), eigvals_only=True, subset_by_index=[0, 5])
    single, double = (factor_bytes(k, precision) for precision in ("single", "double"))
    beside = working_bytes(k.shape[0], 6, 4)
    assert single < 0.9 * double
    monkeypatch.setenv("FLEXFRAME_MEMORY", f"{(0.5 * (single + double) + beside) / 1e9:.9f}")
    found = symmetric_modes(k, m, 6)
    assert "single precision with conjugate gradients" in found.method
    np.testing.assert_allclose(found.eigenvalues, exact, rtol=1e-9)  # LAPACK's own error, eps of the top
    monkeypatch.setenv("FLEXFRAME_MEMORY", f"{(single + 0.5 * beside) / 1e9:.9f}")
    with pytest.raises(MatrixTooLargeError, match="may be used"):
        symmetric_modes(k, m, 6)


def test_modes_that_could_not_be_counted_say_so(monkeypatch):
    """No room for the second factorisation: the modes are those found, with a notice."""
    monkeypatch.setattr(eigenproblems, "_confirmed_count", lambda *_: None)
    body = Body.solid(
        "block", block((2.0, 1.0, 1.0), (6, 3, 3), order=2), material=STEEL, supports=(Clamp("left"),)
    )
    found = modes(body, count=3)
    assert found.method.startswith("Lanczos")
    assert found.confirmed is None
    assert sum("not counted" in notice for notice in found.notices) == 1


def test_no_memory_in_superlu(monkeypatch):
    def refused(*_, **__):
        raise MemoryError

    monkeypatch.setattr(superlu, "splu", refused)
    k, _, _ = solid((2, 2, 2), clamped=True)
    with pytest.raises(MatrixTooLargeError, match="300 equations does not fit in memory; use a coarser mesh"):
        factorise(k, "spd", solver="superlu")


def test_a_container_has_less_than_the_system(monkeypatch, tmp_path):
    """Limit 5 GB, used 2 GB of which 0.5 GB are files that can be dropped: 3.5 GB, by both kinds of groups."""
    monkeypatch.delenv("FLEXFRAME_MEMORY", raising=False)
    for names in (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")):
        for name, text in zip(names, ("5000000000", "2000000000"), strict=True):
            (tmp_path / name).write_text(f"{text}\n")
        (tmp_path / "memory.stat").write_text("anon 7\ninactive_file 500000000\n")
        assert solver_settings._left_in(tmp_path, names) == 3.5e9
    (tmp_path / "memory.max").write_text("max\n")
    assert solver_settings._left_in(tmp_path, ("memory.max", "memory.current")) is None
    assert solver_settings._left_in(tmp_path / "nowhere", ("memory.max", "memory.current")) is None
    found = memory_limit()
    if Path("/proc/meminfo").exists():
        total = float(Path("/proc/meminfo").read_text().split()[1]) * 1024
        assert found is not None and 0.0 < found <= total


def too_large(*_given, **_named):
    raise MatrixTooLargeError(1764, 1e12, 1e9)


def test_substructures_where_factors_do_not_fit(monkeypatch):
    """Neither precision fits: modes and solves by parts, which the record says, as accurate as their bounds."""
    k, m, _ = solid((6, 3, 3), clamped=True)
    exact = linalg.eigh(k.toarray(), m.toarray(), eigvals_only=True, subset_by_index=[0, 3])
    monkeypatch.setenv("FLEXFRAME_MEMORY", "1")
    monkeypatch.setattr(eigenproblems, "_direct_modes", too_large)
    found = symmetric_modes(k, m, 4)
    assert found.method.startswith("multilevel Craig–Bampton")
    assert found.confirmed
    assert (found.bounds[:, 0] <= exact).all()
    np.testing.assert_allclose(found.eigenvalues, exact, rtol=1e-8)  # where refinement ends


@needs_pardiso
def test_solves_by_substructures_where_factors_do_not_fit(monkeypatch):
    """Solves by parts where the factors of the whole do not fit; those of the parts are PARDISO's too."""
    k, _, _ = solid((6, 3, 3), clamped=True)
    load = np.random.default_rng(3).standard_normal(k.shape[0])
    monkeypatch.setenv("FLEXFRAME_MEMORY", "1")
    monkeypatch.setenv("FLEXFRAME_SOLVER", "pardiso")
    made = []
    usual = pardiso.factorise_pardiso

    def only_parts(scaled, *given, **named):
        made.append(scaled.size)
        return too_large() if scaled.size == k.shape[0] else usual(scaled, *given, **named)

    monkeypatch.setattr(pardiso, "factorise_pardiso", only_parts)
    with factorise(k, "spd") as factors:
        x = factors.solve(load)
    assert made[0] == k.shape[0]
    assert max(made[1:]) < 0.7 * k.shape[0]
    assert factors.solver.startswith("elimination by 2 substructures")
    np.testing.assert_allclose(k @ x, load, atol=1e-9)  # rounding times the condition, 1e5


def rigid_motions(places):
    """Of nodes whose displacements follow one another: (n, 6)."""
    axis = np.arange(places.shape[1]) % 3
    motions = [axis == 0, axis == 1, axis == 2]
    for b, c in ((1, 2), (2, 0), (0, 1)):  # θ × x
        motions.append(np.where(axis == c, places[b], 0) - np.where(axis == b, places[c], 0))
    return np.column_stack(motions).astype(float)


def test_multigrid_where_substructures_do_not_fit(monkeypatch):
    """Without any factors: the frequencies of LAPACK, not counted, and said so; refused where that is too much."""
    pytest.importorskip("pyamg")
    k, m, places = solid((6, 3, 3), clamped=True)
    exact = linalg.eigh(k.toarray(), m.toarray(), eigvals_only=True, subset_by_index=[0, 3])
    monkeypatch.setattr(eigenproblems, "_direct_modes", too_large)
    needed = small_memory.multigrid_bytes(k, 4)
    monkeypatch.setenv("FLEXFRAME_MEMORY", f"{1.01 * needed / 1e9:.9f}")
    monkeypatch.setattr(Needs, "excess", lambda *_: 2.0)
    found = symmetric_modes(k, m, 4, near_null=lambda: rigid_motions(places))
    assert found.method.startswith("LOBPCG, preconditioned by smoothed aggregation (pyamg)")
    assert found.confirmed is None
    # λ errs by the square of η, which ends at 1e-6, and by rounding of K, 1e-16 of 1e5 times λ
    np.testing.assert_allclose(found.eigenvalues, exact, rtol=1e-10)
    assert np.isnan(found.bounds[:, 0]).all()
    assert (exact <= found.bounds[:, 1] * (1 + 1e-10)).all()
    monkeypatch.setenv("FLEXFRAME_MEMORY", "0.001")
    with pytest.raises(MatrixTooLargeError, match=f"solving takes {needed / 1e9:.3g} GB, 0.001 GB may be used"):
        symmetric_modes(k, m, 4, near_null=lambda: rigid_motions(places))


def test_the_quicker_way_is_taken(monkeypatch):
    """Where both fit, substructures, which prove what they find, unless they take ten times the work or more."""
    pytest.importorskip("pyamg")
    k, m, places = solid((6, 3, 3), clamped=True)
    monkeypatch.setenv("FLEXFRAME_MEMORY", "1")
    monkeypatch.setattr(eigenproblems, "_direct_modes", too_large)
    _, divided = smallest_division(k, m, 4, Serial(), 1e9)
    for share, words in ((9.0, "multilevel"), (11.0, "LOBPCG")):
        operations = divided.operations / share
        monkeypatch.setattr(small_memory, "multigrid_operations", lambda *_, given=operations: given)
        found = symmetric_modes(k, m, 4, near_null=lambda: rigid_motions(places))
        assert found.method.startswith(words)


@pytest.mark.parametrize("count", [4, 16])
def test_estimate_of_multigrid_holds(count):
    """No more than the estimate is allocated at any time, and not less than a third of it."""
    pytest.importorskip("pyamg")
    k, m, places = solid((9, 5, 5), clamped=True)  # 6,500 unknowns
    motions = rigid_motions(places)
    tracemalloc.start()
    small_memory.multigrid_modes(k, m, count, None, lambda: motions)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 0.33 < peak / small_memory.multigrid_bytes(k, count) < 1.0


def test_estimate_of_substructures_holds():
    """The largest task of what separates substructures allocates no more than the estimate, nor much less."""
    rng = np.random.default_rng(5)
    own, edge, modes = 700, 1400, 12
    a = sparse.diags_array(rng.uniform(1.0, 2.0, own), format="csr")
    entries = Entries(a, sparse.csr_array((own, edge)), a, sparse.csr_array((own, edge)))
    places = np.arange(own + edge)
    root = rng.standard_normal((own + edge, 3))

    def child():
        added = Symmetric(
            tuple(
                lower_rows(root[first : first + ROWS] @ root[: first + ROWS].T)
                for first in range(0, own + edge, ROWS)
            )
        )
        light = Symmetric(tuple(panel.astype(np.float32) for panel in added.panels))
        return Placed(Condensed(added, light, np.zeros((modes, own + edge), np.float32), np.ones(modes)), places)

    piece = Substructure(np.arange(own), np.arange(own, own + edge), (0, 1), 0)
    below = Substructure(np.arange(9), np.arange(own + edge), (), 1)
    needed = front_bytes(piece, (below, below), modes)
    tracemalloc.start()
    assert condense_separator(entries, [child(), child()], modes, 2 * modes) is not None
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 0.7 < peak / needed < 1.0


def test_divided_models_are_refused_before_the_work(monkeypatch):
    """One line with what the largest task takes, and what a worker has."""
    k, m, _ = solid((6, 3, 3), clamped=True)
    pencil = divided_pencil(k, m, 4, Serial())
    found = needs(pencil, 4)
    monkeypatch.setenv("FLEXFRAME_MEMORY", "0.001")
    told = f"solving takes {(found.task + found.leader) / 1e9:.3g} GB, 0.001 GB may be used"
    with pytest.raises(MatrixTooLargeError, match=told):
        multilevel_modes(k, m, 4, pool=Serial(), parts=4)
    monkeypatch.setenv("FLEXFRAME_MEMORY", "1")
    require_room(pencil, 4)

    class Elsewhere(Serial):
        memory = 1e6

    with pytest.raises(MatrixTooLargeError, match=f"takes {found.task / 1e9:.3g} GB, 0.001 GB may be used"):
        multilevel_modes(k, m, 4, pool=Elsewhere(), parts=4)
