"""Modes by factors in single precision: against dense LAPACK, with bad inverses, and with a mode left out."""

import numpy as np
import pytest
from scipy import linalg, sparse
from tests.maths.sample_matrices import beam, plane, solid
from tests.rounding import rounding

from flexframe.maths import eigenproblems, factorisation, rough_search
from flexframe.maths.block_davidson import NearlyInverted, lowest_pairs
from flexframe.maths.eigenproblems import symmetric_modes
from flexframe.maths.factorisation import RoughFactors, rough_factors
from flexframe.maths.pardiso_kernel import mkl

needs_pardiso = pytest.mark.skipif(mkl() is None, reason="pypardiso is not installed")
HIGH = 1e6  # at least the highest eigenvalue over the lowest of these small bodies, which amplifies rounding


@pytest.fixture(autouse=True)
def small_bodies_too(monkeypatch):
    """Every size goes by single precision."""
    monkeypatch.setattr(factorisation, "ROUGH_FROM", 0)
    monkeypatch.setattr(eigenproblems, "_DENSE_SYMMETRIC", 0)
    monkeypatch.setenv("FLEXFRAME_SOLVER", "pardiso")


def exact_eigenvalues(k, m, count):
    return linalg.eigh(k.toarray(), m.toarray(), eigvals_only=True, subset_by_index=[0, count - 1])


@needs_pardiso
@pytest.mark.parametrize("body", ["plane", "solid"])
def test_same_modes_as_dense(body):
    """LAPACK rounds relative to the top of the spectrum; ρ ≤ 1e-8 leaves 1e-16 of an eigenvalue."""
    k, m, _ = plane((12, 10), clamped=True) if body == "plane" else solid((4, 3, 2), clamped=True)
    exact = exact_eigenvalues(k, m, 15)
    found = symmetric_modes(k, m, 15)
    assert found.method.startswith("block Davidson, PARDISO (MKL), ")
    assert "single precision" in found.method
    assert found.confirmed
    np.testing.assert_allclose(found.eigenvalues, exact, rtol=rounding(k.shape[0], HIGH))
    np.testing.assert_allclose(found.vectors.T @ (m @ found.vectors), np.eye(15), atol=rounding(k.shape[0], 10.0))
    # ρ bounds the residual by the norm of A⁻¹ᐟ²: the one in the record is relative to √ε |K||φ| too
    assert found.residuals.max() < 1e-7


@needs_pardiso
@pytest.mark.parametrize("copies", [4, 14, 20])
def test_equal_eigenvalues_are_all_found(copies):
    """Copies of a body side by side, more of them than a block has columns: each eigenvalue so many times."""
    k, m, _ = plane((5, 2), clamped=True)
    single = exact_eigenvalues(k, m, 2)
    many = [sparse.csr_array(sparse.kron(sparse.eye_array(copies), a)) for a in (k, m)]
    found = symmetric_modes(*many, copies + 1)
    assert found.method.startswith("block Davidson")
    expected = np.repeat(single, copies)[: copies + 1]
    np.testing.assert_allclose(found.eigenvalues, expected, rtol=rounding(k.shape[0], HIGH))
    assert found.confirmed


@needs_pardiso
def test_many_modes_with_restarts():
    """Sixty modes fill the room for columns more than once."""
    k, m, _ = plane((14, 14), clamped=True)
    found = symmetric_modes(k, m, 60)
    assert found.method.startswith("block Davidson")
    np.testing.assert_allclose(found.eigenvalues, exact_eigenvalues(k, m, 60), rtol=rounding(k.shape[0], HIGH))
    assert found.confirmed


@needs_pardiso
def test_a_mode_that_is_missed_is_counted_and_found(monkeypatch):
    """The first search never sees the second of two unlike bodies; the count tells, the second search does."""
    (k1, m1, _), (k2, m2, _) = plane((6, 3), clamped=True), plane((5, 4), clamped=True)
    k, m = (sparse.csr_array(sparse.block_diag(pair)) for pair in ((k1, k2), (m1, m2)))
    exact = exact_eigenvalues(k, m, 6)
    assert exact_eigenvalues(k1, m1, 6)[-1] > 1.1 * exact[-1]
    usual, searches = lowest_pairs, []

    def blind(pencil, *given, **named):
        searches.append(given)
        if len(searches) > 1:
            return usual(pencil, *given, **named)

        def solve(rhs):
            seen = rhs.copy()
            seen[k1.shape[0] :] = 0.0
            return pencil.solve(seen)

        return usual(NearlyInverted(pencil.matrix, pencil.mass, solve, pencil.known), *given, **named)

    monkeypatch.setattr(rough_search, "lowest_pairs", blind)
    found = symmetric_modes(k, m, 6)
    assert len(searches) > 1
    np.testing.assert_allclose(found.eigenvalues, exact, rtol=rounding(k.shape[0], HIGH))
    assert found.confirmed


@pytest.mark.parametrize("error", [0.0, 0.05, 0.4])
def test_an_inverse_with_errors_leads_to_the_same_modes(error):
    """A⁻¹ times 1 + E with |E| up to 0.4 in the norm of A: more steps, the same eigenvalues."""
    k, m, _ = plane((6, 5), clamped=True)
    dense = k.toarray()
    root = linalg.cholesky(dense, lower=True)  # A⁻¹ = L⁻ᵀL⁻¹
    raw = np.random.default_rng(5).standard_normal(dense.shape)
    wrong = error * (raw + raw.T) / np.linalg.norm(raw + raw.T, 2)

    def solve(rhs):
        inner = linalg.solve_triangular(root, rhs, lower=True)
        return linalg.solve_triangular(root, inner + wrong @ inner, lower=True, trans=1)

    pairs = lowest_pairs(NearlyInverted(k, m, solve, np.empty((len(dense), 0))), 8, spare=3, seed=1)
    assert pairs is not None
    values, vectors = pairs
    np.testing.assert_allclose(values[:8], exact_eigenvalues(k, m, 8), rtol=rounding(len(dense), HIGH))
    np.testing.assert_allclose(vectors.T @ (m @ vectors), np.eye(11), atol=rounding(len(dense), 10.0))


@pytest.mark.parametrize("inverse", ["negative", "not a number", "zero"])
def test_an_inverse_that_is_none_is_noticed(inverse):
    k, m, _ = plane((5, 4), clamped=True)
    factor = {"negative": -1.0, "not a number": np.nan, "zero": 0.0}[inverse]
    solve = linalg.lu_factor(k.toarray())

    def wrong(rhs):
        return factor * linalg.lu_solve(solve, rhs)

    assert lowest_pairs(NearlyInverted(k, m, wrong, np.empty((k.shape[0], 0))), 4, spare=3, seed=1) is None


@needs_pardiso
@pytest.mark.parametrize("body", ["slender", "softened", "massless"])
def test_double_precision_where_single_does_not_do(body):
    """Pivots below rounding of single precision, an indefinite K, unknowns without mass: Lanczos, right values."""
    if body == "slender":  # pivots fall like 1/n³, to 1e-8
        k, m = beam(400, clamped=True)
    else:
        k, m, _ = plane((8, 7), clamped=True)
    if body == "softened":
        k = sparse.csr_array(k - 1.5 * exact_eigenvalues(k, m, 1)[0] * m)
    if body == "massless":
        light = np.ones(k.shape[0])
        light[::7] = 0.0
        m = sparse.csr_array(sparse.diags_array(light * m.diagonal()))
        heavy, massless = np.flatnonzero(light), np.flatnonzero(light == 0.0)
        dense = k.toarray()
        condensed = dense[np.ix_(heavy, heavy)] - dense[np.ix_(heavy, massless)] @ np.linalg.solve(
            dense[np.ix_(massless, massless)], dense[np.ix_(massless, heavy)]
        )
        exact = linalg.eigh(condensed, m.toarray()[np.ix_(heavy, heavy)], eigvals_only=True)[:4]
    elif body == "slender":
        # ω² = (βl)⁴EI/(μl⁴), to (βh)⁴/720 of Hermite elements and rounding of K, eps·n⁴
        exact = np.array([1.875104068711961, 4.694091132974175, 7.854757438237613, 10.99554073487547]) ** 4 * 125.0
    else:
        exact = exact_eigenvalues(k, m, 4)
    found = symmetric_modes(k, m, 4)
    assert found.method.startswith("Lanczos")
    np.testing.assert_allclose(found.eigenvalues, exact, rtol=1e-15 * 400**4 if body == "slender" else 1e-9)
    assert found.confirmed


@needs_pardiso
def test_factors_of_one_pattern_one_after_another():
    """Solves to single precision times the condition; counts between eigenvalues; also of a wider pattern."""
    k, m, _ = plane((9, 8), clamped=True)
    values = exact_eigenvalues(k, m, 8)
    factors = rough_factors(k, 0.0)
    assert factors is not None
    assert factors.negative_pivots == 0
    rhs = np.random.default_rng(2).standard_normal((k.shape[0], 3)) * [1.0, 1e-60, 0.0]
    x = factors.solve(rhs)
    condition = np.linalg.cond(k.toarray())
    bound = np.finfo(np.float32).eps * condition * np.linalg.norm(np.linalg.solve(k.toarray(), rhs), axis=0)
    assert (np.linalg.norm(np.linalg.solve(k.toarray(), rhs) - x, axis=0) <= bound).all()
    for i in (1, 5):
        assert values[i + 1] > 1.001 * values[i]
        assert factors.replace(sparse.csr_array(k - 0.5 * (values[i] + values[i + 1]) * m)) == i + 1
    corner = 1e-3 * k[0, 0] * sparse.eye_array(*k.shape, k=k.shape[0] - 1)
    wider = sparse.csr_array(k + corner + corner.T)
    assert wider[0, k.shape[0] - 1] != 0.0 == k[0, k.shape[0] - 1]
    assert factors.replace(wider) == int((np.linalg.eigvalsh(wider.toarray()) < 0.0).sum())
    assert factors.replace(k) == 0
    np.testing.assert_allclose(factors.solve(rhs), x, atol=1e-4 * np.abs(x).max())
    factors.close()


def test_other_solvers_have_none(monkeypatch):
    monkeypatch.setenv("FLEXFRAME_SOLVER", "superlu")
    k, m, _ = plane((6, 5), clamped=True)
    assert rough_factors(k, 0.0) is None
    assert symmetric_modes(k, m, 3).method.startswith("Lanczos")


@needs_pardiso
def test_no_room_for_the_vectors(monkeypatch):
    """Where factors and vectors do not fit, the way that takes less memory is chosen."""
    k, m, _ = solid((4, 3, 3), clamped=True)
    monkeypatch.setattr(RoughFactors, "solve", None)  # not to be called
    search = rough_search.rough_search(k, m, 5, 4)
    assert search is not None
    search.close()
    monkeypatch.setenv("FLEXFRAME_MEMORY", "0.0001")
    assert rough_search.rough_search(k, m, 5, 4) is None
