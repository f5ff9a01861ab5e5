"""Solves against dense numpy, inertia against eigvalsh, and singular bodies refused, by both solvers."""

import gc
from pathlib import Path

import numpy as np
import pytest
from scipy import linalg, sparse
from tests.maths.sample_matrices import beam, plane, random_sparse, solid
from tests.rounding import ROUNDING
from threadpoolctl import threadpool_info, threadpool_limits

from flexframe.errors import AnalysisError, InputError
from flexframe.maths import pardiso, superlu
from flexframe.maths.equilibration import equilibrated, equilibrated_triangle, upper_triangle
from flexframe.maths.factor_kernels import ScaledMatrix
from flexframe.maths.factorisation import (
    MatrixTooLargeError,
    SingularMatrixError,
    count_negative,
    factorise,
    thread_count,
)
from flexframe.maths.solver_settings import cores_for_solver

has_pardiso = pardiso.mkl() is not None
SOLVERS = [
    pytest.param("pardiso", marks=pytest.mark.skipif(not has_pardiso, reason="pypardiso is not installed")),
    "superlu",
]


def sample(kind, rng, size=120):
    a = random_sparse(size, rng)
    if kind == "spd":
        return sparse.csr_array(a @ a.T + 0.1 * sparse.eye_array(size))
    if kind == "symmetric":
        return sparse.csr_array(a + a.T - 2.0 * sparse.eye_array(size))
    if kind == "complex":
        return sparse.csr_array(a + 1j * random_sparse(size, rng))
    return a


def right_hand_side(size, columns, is_complex, rng):
    shape = (size,) if columns is None else (size, columns)
    b = rng.standard_normal(shape)
    return b + 1j * rng.standard_normal(shape) if is_complex else b


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", ["spd", "symmetric", "general", "complex"])
@pytest.mark.parametrize("columns", [None, 1, 3])
@pytest.mark.parametrize("complex_rhs", [False, True])
def test_solve_agrees_with_dense(solver, kind, columns, complex_rhs):
    """Backward-stable solves differ by cond(A)·eps; cond < 1e5 here, so 1e-10 leaves room."""
    rng = np.random.default_rng(1)
    a = sample(kind, rng)
    assert np.linalg.cond(a.toarray()) < 1e5
    b = right_hand_side(a.shape[0], columns, complex_rhs, rng)
    with factorise(a, "general" if kind == "complex" else kind, solver=solver) as factors:
        x = factors.solve(b)
    exact = np.linalg.solve(a.toarray(), b)
    assert x.shape == b.shape
    assert x.dtype == exact.dtype
    assert np.abs(x - exact).max() < 1e-10 * np.abs(exact).max()


@pytest.mark.parametrize("solver", SOLVERS)
def test_complex_symmetric(solver):
    rng = np.random.default_rng(2)
    a = sample("complex", rng)
    a = sparse.csr_array(a + a.T)
    b = rng.standard_normal(a.shape[0])
    x = factorise(a, "symmetric", solver=solver).solve(b)
    np.testing.assert_allclose(x, np.linalg.solve(a.toarray(), b), rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("body", ["plane", "solid"])
def test_large_bodies_solve_to_rounding(solver, body):
    """Sizes that reach PARDISO's and METIS's thresholds; residual relative to |A||x| is a few eps."""
    k, _, _ = plane((45, 45), clamped=True) if body == "plane" else solid((6, 6, 6), clamped=True)
    assert k.shape[0] > superlu._METIS_FROM
    b = np.random.default_rng(3).standard_normal((k.shape[0], 2))
    factors = factorise(k, "spd", solver=solver)
    assert factors.solver.startswith("PARDISO" if solver == "pardiso" else "SuperLU with METIS")
    x = factors.solve(b)
    scale = abs(k) @ np.abs(x) + np.abs(b)
    assert (np.abs(k @ x - b) / scale).max() < 1e-12
    assert factors.negative_pivots == 0


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("shift", [0.0, 0.3, 1.0, 5.0, 40.0, 400.0])
def test_negative_pivots_count_eigenvalues_below_the_shift(solver, shift):
    """Sylvester: the inertia of K − σM is that of the pencil; σ lies between eigenvalues."""
    k, m = beam(30, clamped=True, rigidity=1.0, mass_per_length=100.0)
    shifted = sparse.csr_array(k - shift * m)
    expected = int((np.linalg.eigvalsh(shifted.toarray()) < 0.0).sum())
    assert factorise(shifted, "symmetric", solver=solver).negative_pivots == expected


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(5))
def test_negative_pivots_of_random_matrices(solver, seed):
    a = sample("symmetric", np.random.default_rng(seed))
    counted = factorise(a, "symmetric", solver=solver).negative_pivots
    expected = int((np.linalg.eigvalsh(a.toarray()) < 0.0).sum())
    assert counted in ((expected,) if solver == "pardiso" else (expected, None))


@pytest.mark.parametrize("solver", SOLVERS)
def test_spd_is_only_a_belief(solver):
    """A matrix announced as definite that is not: still solved, and its inertia told."""
    k, m = beam(20, clamped=True)
    a = sparse.csr_array(k - 4000.0 * m)
    expected = int((np.linalg.eigvalsh(a.toarray()) < 0.0).sum())
    assert expected > 0
    factors = factorise(a, "spd", solver=solver)
    b = np.ones(a.shape[0])
    np.testing.assert_allclose(factors.solve(b), np.linalg.solve(a.toarray(), b), rtol=1e-7)
    assert factors.negative_pivots == expected


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", ["spd", "symmetric", "general"])
@pytest.mark.parametrize("unit", [1.0, 1e-12, 1e12])
@pytest.mark.parametrize("body", ["short beam", "long beam", "plane", "solid"])
def test_free_bodies_are_singular(solver, kind, unit, body):
    """K of an unsupported body is singular only up to rounding: no exact zero pivot need appear."""
    k = {
        "short beam": lambda: beam(10, clamped=False)[0],
        "long beam": lambda: beam(1000, clamped=False)[0],
        "plane": lambda: plane((12, 12), clamped=False)[0],
        "solid": lambda: solid((3, 3, 3), clamped=False)[0],
    }[body]()
    with pytest.raises(SingularMatrixError, match="support or connect"):
        factorise(sparse.csr_array(unit * k), kind, solver=solver)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", ["spd", "symmetric", "general"])
def test_slender_supported_bodies_are_not(solver, kind):
    """A cantilever of 2000 elements has a condition number near 1e14 and a smallest pivot near 1e-10."""
    k, _ = beam(2000, clamped=True, rigidity=100.0)
    load = np.zeros(k.shape[0])
    load[-2] = 1.0
    tip = factorise(k, kind, solver=solver).solve(load)[-2]
    # PL³/3EI = 1/300; rounding of the entries of K alone is worth eps·n⁴ ≈ 4e-3 if it adds up the worst way.
    assert abs(tip - 1.0 / 300.0) < 1e-3 / 300.0


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", ["spd", "symmetric", "general"])
def test_the_free_unknown_is_named(solver, kind):
    """A body with one unknown tied to nothing but its neighbour's copy: the pair (k, last) floats."""
    k, _, _ = plane((4, 4), clamped=True)
    n = k.shape[0]
    bar = sparse.coo_array(
        ([3.0, -3.0, -3.0, 3.0], ([n, n, n + 1, n + 1], [n, n + 1, n, n + 1])), shape=(n + 2,) * 2
    )
    padded = sparse.csr_array((k.data, k.indices, np.append(k.indptr, [k.nnz] * 2)), shape=(n + 2, n + 2))
    with pytest.raises(SingularMatrixError) as caught:
        factorise(sparse.csr_array(padded + bar), kind, solver=solver)
    assert caught.value.equation in (n, n + 1)
    assert str(caught.value.equation) in str(caught.value)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", ["spd", "symmetric", "general"])
@pytest.mark.parametrize("stored", [True, False])
def test_a_zero_row_is_named(solver, kind, stored):
    a, _ = beam(10, clamped=True)
    rows = np.repeat(np.arange(20), np.diff(a.indptr))
    a.data[(rows == 7) | (a.indices == 7)] = 0.0
    if not stored:
        a.eliminate_zeros()
    with pytest.raises(SingularMatrixError) as caught:
        factorise(a, kind, solver=solver)
    assert caught.value.equation == 7


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", ["symmetric", "general"])
def test_zero_diagonal_is_not_singular(solver, kind):
    """A saddle point [K Aᵀ; A 0] is regular though its last pivots cannot come from the diagonal first."""
    rng = np.random.default_rng(5)
    k = sparse.csr_array(sparse.eye_array(30) * 1e6)
    a = random_sparse(30, rng)[:8]
    saddle = sparse.csr_array(sparse.block_array([[None, a], [a.T, k]]))
    b = rng.standard_normal(38)
    x = factorise(saddle, kind, solver=solver).solve(b)
    np.testing.assert_allclose(x, np.linalg.solve(saddle.toarray(), b), rtol=1e-8, atol=1e-14)


@pytest.mark.parametrize("solver", SOLVERS)
def test_units_do_not_matter(solver):
    """Unknowns in wildly different units (D K D, powers of two so that scaling is exact): the same answer."""
    k, _, _ = plane((8, 8), clamped=True)
    rng = np.random.default_rng(6)
    d = 2.0 ** rng.integers(-30, 30, k.shape[0])
    b = rng.standard_normal(k.shape[0])
    plain = factorise(k, "spd", solver=solver).solve(b)
    scaled = d * factorise(
        sparse.csr_array(sparse.diags_array(d) @ k @ sparse.diags_array(d)), "spd", solver=solver
    ).solve(d * b)
    np.testing.assert_allclose(scaled, plain, rtol=1e-8, atol=1e-10 * np.abs(plain).max())


def test_the_matrix_is_left_alone():
    rng = np.random.default_rng(7)
    a = sample("general", rng)
    unsorted = sparse.csr_array((a.data.copy(), a.indices.copy(), a.indptr.copy()), shape=a.shape)
    before = unsorted.data.copy(), unsorted.indices.copy()
    factorise(unsorted, "general")
    assert np.array_equal(before[0], unsorted.data)
    assert np.array_equal(before[1], unsorted.indices)


def test_infinite_entries_are_refused():
    k, _ = beam(5, clamped=True)
    k.data[k.indptr[4]] = np.nan
    with pytest.raises(AnalysisError, match="not finite at equation 4"):
        factorise(k, "spd")


@pytest.mark.skipif(not has_pardiso, reason="pypardiso is not installed")
def test_the_choice_of_solver(monkeypatch):
    small, _ = beam(10, clamped=True)
    large, _ = beam(1500, clamped=True)
    monkeypatch.delenv("FLEXFRAME_SOLVER", raising=False)
    monkeypatch.delenv("FLEXFRAME_THREADS", raising=False)
    assert factorise(small, "spd").solver == "SuperLU with minimum-degree ordering"
    assert factorise(large, "spd").solver == "PARDISO (MKL), 1 thread"
    monkeypatch.setenv("FLEXFRAME_THREADS", "2")
    monkeypatch.setenv("FLEXFRAME_SOLVER", "pardiso")
    assert factorise(small, "spd").solver == "PARDISO (MKL), 2 threads"
    monkeypatch.setenv("FLEXFRAME_SOLVER", "superlu")
    assert factorise(large, "spd").solver.startswith("SuperLU")


def test_numpy_leaves_the_cores_to_the_solver_of_a_large_model():
    def threads():
        return [found["num_threads"] for found in threadpool_info() if found["user_api"] == "blas"]

    with threadpool_limits(2):
        before = threads()
        with cores_for_solver(50):
            assert threads() == before
        with cores_for_solver(100_000):
            assert set(threads()) == {1}
        assert threads() == before


def test_settings_that_cannot_be_met(monkeypatch):
    k, _ = beam(5, clamped=True)
    with pytest.raises(InputError, match="use pardiso, superlu or petsc"):
        factorise(k, "spd", solver="mumps")
    monkeypatch.setenv("FLEXFRAME_THREADS", "many")
    with pytest.raises(InputError, match="whole number"):
        thread_count(10)
    monkeypatch.setattr(pardiso, "mkl", lambda: None)
    with pytest.raises(InputError, match=r"flexframe\[fast\]"):
        factorise(k, "spd", solver="pardiso")
    assert factorise(beam(1500, clamped=True)[0], "spd").solver.startswith("SuperLU")


@pytest.mark.skipif(not has_pardiso, reason="pypardiso is not installed")
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="resident memory is read from /proc")
def test_memory_is_freed():
    """Forty factorisations of 7 MB each, dropped or closed: less than six of them may stay resident."""
    k, _, _ = plane((40, 40), clamped=True)

    def resident_megabytes():
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

    for _ in range(5):
        factorise(k, "spd", solver="pardiso").close()
    before = resident_megabytes()
    for i in range(40):
        factors = factorise(k, "spd", solver="pardiso")
        if i % 2:
            factors.close()
            factors.close()
    del factors
    gc.collect()
    assert resident_megabytes() - before < 40.0


# --- single precision -------------------------------------------------------------------------------------


def between_single_and_double(matrix):
    """Gigabytes that hold the factors of a definite matrix in single precision but not in double."""
    scaled = ScaledMatrix(equilibrated_triangle(matrix)[0], is_triangle=True)
    needed = []
    for precision in ("single", "double"):
        kernel = pardiso.PardisoKernel(scaled, "spd", precision)
        needed.append(kernel.memory / 1e9)
        kernel.close()
    assert needed[0] < 0.9 * needed[1]
    return sum(needed) / 2


@pytest.mark.skipif(not has_pardiso, reason="pypardiso is not installed")
@pytest.mark.parametrize("columns", [1, 7])
def test_factors_that_do_not_fit_are_made_in_single_precision(monkeypatch, columns):
    """Conjugate gradients bring solves to 1e-12 in the residual; the condition number is 1e5 here."""
    k, _, _ = solid((7, 6, 5), clamped=True)
    rhs = np.random.default_rng(3).standard_normal((k.shape[0], columns))
    double = factorise(k, "spd", solver="pardiso")
    monkeypatch.setenv("FLEXFRAME_MEMORY", f"{between_single_and_double(k):.6f}")
    single = factorise(k, "spd", solver="pardiso")
    assert "single precision with conjugate gradients in double" in single.solver
    assert "single" not in double.solver
    x = single.solve(rhs)
    assert np.linalg.norm(k @ x - rhs) < 1e-9 * np.linalg.norm(rhs)
    np.testing.assert_allclose(x, double.solve(rhs), atol=1e-8 * np.abs(x).max())
    assert single.negative_pivots == 0
    with pytest.raises(MatrixTooLargeError, match="does not fit in memory"):
        factorise(k, "symmetric", solver="pardiso")  # an indefinite matrix has no such refinement
    monkeypatch.setenv("FLEXFRAME_MEMORY", "1e-6")
    with pytest.raises(MatrixTooLargeError, match="coarser mesh"):
        factorise(k, "spd", solver="pardiso")


@pytest.mark.parametrize("text", ["much", "0", "-3", "nan"])
def test_memory_setting_is_checked(monkeypatch, text):
    monkeypatch.setenv("FLEXFRAME_MEMORY", text)
    with pytest.raises(InputError, match="gigabytes above zero"):
        pardiso.memory_limit()


@pytest.mark.skipif(not has_pardiso, reason="pypardiso is not installed")
def test_count_in_single_precision(monkeypatch):
    """Sylvester's count between eigenvalues 1 % apart, which single precision does not confuse; dense LAPACK."""
    monkeypatch.delenv("FLEXFRAME_SOLVER", raising=False)
    k, m, _ = plane((18, 18), clamped=True)
    assert k.shape[0] > 2_000
    values = linalg.eigh(k.toarray(), m.toarray(), eigvals_only=True, subset_by_index=[0, 13])
    for i in (0, 5, 11):
        shift = 0.5 * (values[i] + values[i + 1])
        assert values[i + 1] > 1.01 * values[i]
        assert count_negative(sparse.csr_array(k - shift * m)) == i + 1
    monkeypatch.setenv("FLEXFRAME_SOLVER", "superlu")
    assert count_negative(k) is None


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("kind", ["spd", "symmetric", "general"])
def test_an_order_serves_another_matrix(monkeypatch, solver, kind):
    """The order found for K is good for K − σM: solves and counts as dense LAPACK's, no order is sought anew."""
    monkeypatch.setattr(superlu, "_METIS_FROM", 100)
    k, m, _ = solid((4, 3, 3), clamped=True)
    order = factorise(k, "spd", solver=solver).order
    assert sorted(order) == list(range(k.shape[0]))
    monkeypatch.setattr(superlu, "_metis_order", None)  # not to be called
    values = linalg.eigh(k.toarray(), m.toarray(), eigvals_only=True, subset_by_index=[0, 7])
    shift = 0.5 * float(values[5] + values[6])
    matrix = sparse.csr_array(k - shift * m)
    b = np.random.default_rng(4).standard_normal((k.shape[0], 2))
    factors = factorise(matrix, kind, solver=solver, order=order)
    exact = np.linalg.solve(matrix.toarray(), b)
    assert np.abs(factors.solve(b) - exact).max() < 1e-8 * np.abs(exact).max()
    assert factors.negative_pivots in ((6,) if kind != "general" else (None,))
    if solver == "pardiso":
        monkeypatch.setenv("FLEXFRAME_SOLVER", "pardiso")
        assert count_negative(matrix, order) == 6


def test_triangle_stands_for_the_whole():
    """Products, row sums and the whole matrix from the scaled upper triangle, against dense numpy."""
    k, m, _ = plane((5, 4), clamped=True)
    for matrix in (sparse.csr_array(k - 1e5 * m), sparse.csr_array(k * (1 + 2j))):
        upper, scale = equilibrated_triangle(matrix)
        dense = scale[:, None] * matrix.toarray() * scale
        scaled = ScaledMatrix(upper, is_triangle=True)
        np.testing.assert_allclose(scaled.whole.toarray(), dense, atol=ROUNDING)
        np.testing.assert_allclose(np.abs(dense).max(axis=1), 1.0, atol=0.05)
        x = np.random.default_rng(5).standard_normal((len(scale), 3))
        np.testing.assert_allclose(scaled @ x, dense @ x, atol=1e-13)
        np.testing.assert_allclose(scaled.largest_row_sum(), np.abs(dense).sum(axis=1).max(), rtol=ROUNDING)
        assert abs(scaled.entries - matrix.nnz) < 0.01 * matrix.nnz  # but for entries that are rounding


def test_upper_triangle_stores_the_whole_diagonal():
    a = sparse.csr_array(np.array([[0.0, 2.0, 0.0], [2.0, 3.0, 4.0], [0.0, 4.0, 0.0]]))
    upper = upper_triangle(a)
    np.testing.assert_array_equal(upper.toarray(), np.triu(a.toarray()))
    assert upper.nnz == 5
    assert (upper.indices[upper.indptr[:-1]] == np.arange(3)).all()


@pytest.mark.parametrize("kind", ["symmetric", "general", "complex"])
def test_scaling_brings_maxima_near_one(kind):
    """Each of Ruiz' sweeps takes the root of what is missing; what three leave is within 40 %."""
    found, _, _ = equilibrated(sample(kind, np.random.default_rng(11)), symmetric=kind == "symmetric")
    largest = np.abs(found.toarray()).max(axis=1)
    assert largest.min() > 0.7
    assert largest.max() < 1.4
