"""Modes of conservative gyroscopic equations against dense LAPACK and closed forms."""

from typing import Any

import numpy as np
import pytest
from scipy import linalg, sparse

from flexframe.maths import factorisation
from flexframe.maths.gyroscopic_eigenproblems import conservative_modes, modes_below
from flexframe.maths.pardiso_kernel import mkl
from flexframe.maths.quadratic_eigenproblems import quadratic_modes


def spinning_string(nodes: int, speed: float, *, copies: int = 1) -> tuple[Any, Any, Any]:
    """M, G, K of a string of unit masses in two directions on a frame that turns, springs 1 and 1.3; repeated."""
    chain = sparse.diags_array([2.0, -1.0, -1.0], offsets=[0, 1, -1], shape=(nodes, nodes))
    one = sparse.eye_array(nodes)
    M = sparse.block_diag([one, one] * copies)
    K = sparse.block_diag([chain - speed**2 * one, 1.3 * chain - speed**2 * one] * copies)
    turn = sparse.block_array([[None, -2 * speed * one], [2 * speed * one, None]])
    G = sparse.block_diag([turn] * copies)
    return tuple(sparse.csr_array(matrix) for matrix in (M, G, K))  # type: ignore[return-value]


def exact_frequencies(nodes: int, speed: float) -> np.ndarray:
    """Each sine of the string couples its two directions: (a − Ω² − ω²)(b − Ω² − ω²) = 4Ω²ω²."""
    a = 4.0 * np.sin(np.arange(1, nodes + 1) * np.pi / (2 * (nodes + 1))) ** 2
    k, m = a - speed**2, 1.3 * a - speed**2
    half = 0.5 * (k + m + 4 * speed**2)
    root = np.sqrt(half**2 - k * m)
    return np.sort(np.sqrt(np.concatenate([k * m / (half + root), half + root])))


@pytest.mark.parametrize("fraction", [0.05, 0.5, 0.95], ids=["slow", "half", "nearly critical"])
def test_a_spinning_string(fraction: float) -> None:
    nodes = 700
    speed = fraction * 2.0 * np.sin(np.pi / (2 * (nodes + 1)))  # of the speed at which K is no longer definite
    found = conservative_modes(*spinning_string(nodes, speed), 12)
    assert found is not None
    assert found.confirmed is True
    # eigenvalues of a projection err by the square of 1e-8; rounding of K by eps |K| / ω² = 1e-11 of the lowest ω²
    np.testing.assert_allclose(found.frequencies, exact_frequencies(nodes, speed)[:12], rtol=1e-8)


def test_equal_frequencies_are_found_as_often_as_they_are_there() -> None:
    nodes, speed = 300, 0.004
    found = conservative_modes(*spinning_string(nodes, speed, copies=3), 9)
    assert found is not None
    assert found.confirmed is True
    np.testing.assert_allclose(found.frequencies, np.repeat(exact_frequencies(nodes, speed)[:3], 3), rtol=1e-8)


@pytest.mark.parametrize("precision", ["double", "single"])
def test_random_equations_as_lapack_solves_them(monkeypatch: pytest.MonkeyPatch, precision: str) -> None:
    if precision == "single":
        if mkl() is None:
            pytest.skip("pypardiso is not installed")
        monkeypatch.setattr(factorisation, "ROUGH_FROM", 0)
        monkeypatch.setenv("FLEXFRAME_SOLVER", "pardiso")
    size, count = 500, 10
    rng = np.random.default_rng(3)
    density = sparse.random_array((size, size), density=0.01, rng=rng)
    M = sparse.csr_array(sparse.eye_array(size) * 2.0 + 0.1 * (density @ density.T))
    K = sparse.csr_array(sparse.diags_array(np.geomspace(1.0, 1e4, size)) + density @ density.T)
    skew = 3.0 * sparse.random_array((size, size), density=0.01, rng=rng)
    G = sparse.csr_array(skew - skew.T)
    found = quadratic_modes(M, G, K, count)
    assert found.confirmed is True
    assert ("single precision" in found.method) == (precision == "single")
    m, g, k = (matrix.toarray() for matrix in (M, G, K))
    state = np.block([[np.zeros((size, size)), np.eye(size)], [-np.linalg.solve(m, k), -np.linalg.solve(m, g)]])
    values = linalg.eigvals(state)
    lowest = np.sort(values[values.imag > 0].imag)[:count]
    np.testing.assert_allclose(found.eigenvalues.imag, lowest, rtol=1e-9)
    assert np.abs(found.eigenvalues.real).max() == 0.0
    for value, vector in zip(found.eigenvalues, found.vectors.T, strict=True):
        left = value**2 * (m @ vector) + value * (g @ vector) + k @ vector
        assert np.linalg.norm(left) < 1e-5 * np.linalg.norm(k @ vector)  # |d| below 1e-8 in the norm of the mass
        assert np.vdot(vector, m @ vector).real == pytest.approx(1.0, rel=1e-12)


def test_what_is_not_definite_is_left_to_others() -> None:
    nodes = 400
    speed = 1.5 * 2.0 * np.sin(np.pi / (2 * (nodes + 1)))
    M, G, K = spinning_string(nodes, speed)
    assert conservative_modes(M, G, K, 4) is None
    general = quadratic_modes(M, G, K, 4)
    k, m = (
        4.0 * f * np.sin(np.arange(1, nodes + 1) * np.pi / (2 * (nodes + 1))) ** 2 - speed**2 for f in (1, 1.3)
    )
    roots = np.array([np.roots([1.0, a + b + 4 * speed**2, a * b]) for a, b in zip(k, m, strict=True)]).ravel()
    sizes = np.sort(np.sqrt(np.abs(roots)))
    np.testing.assert_allclose(np.abs(general.eigenvalues[:4]), sizes[:4], rtol=1e-6)


def test_modes_are_counted() -> None:
    nodes, speed = 1200, 0.001
    M, G, K = spinning_string(nodes, speed)
    exact = exact_frequencies(nodes, speed)
    cut = 0.5 * (exact[20] + exact[21])
    assert modes_below(M, G, K, cut) == 21
    assert modes_below(M, G, K, cut, expected=21) == 21
    assert modes_below(M, G, K, cut, expected=20) == 21
