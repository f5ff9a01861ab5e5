"""Random constraint matrices of known rank; every claim is checked by multiplying out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexframe.errors import AnalysisError
from flexframe.maths.null_spaces import coordinate_partition, null_space, particular_solution

# Orthogonal transformations of unit rows round by a few eps times the dimension.
ROUNDING = 1e-13


def matrix_of_rank(rows, columns, rank, rng, *, units=1.0):
    """Product of two random factors, rows then multiplied by powers of `units`."""
    product = rng.standard_normal((rows, rank)) @ rng.standard_normal((rank, columns))
    return product * units ** rng.integers(-3, 4, (rows, 1))


shapes = st.tuples(st.integers(1, 12), st.integers(1, 15), st.integers(0, 12), st.integers(0, 2**32 - 1)).map(
    lambda s: (s[0], s[1], min(s[2], s[0], s[1]), s[3])
)


@settings(max_examples=150, deadline=None)
@given(shapes)
def test_null_space(shape):
    rows, columns, rank, seed = shape
    a = matrix_of_rank(rows, columns, rank, np.random.default_rng(seed), units=100.0)
    space = null_space(a)
    assert space.rank == rank == np.linalg.matrix_rank(a / np.maximum(np.linalg.norm(a, axis=1), 1e-300)[:, None])
    assert space.basis.shape == (columns, columns - rank)
    np.testing.assert_allclose(space.basis.T @ space.basis, np.eye(columns - rank), atol=ROUNDING)
    scale = np.linalg.norm(a, axis=1, keepdims=True) + 1e-300
    assert np.abs(a @ space.basis / scale).max(initial=0.0) < ROUNDING
    # Without the redundant rows the rank is the same and equals their number.
    kept = np.setdiff1d(np.arange(rows), space.redundant_rows)
    assert len(kept) == rank
    assert rank == 0 or np.linalg.matrix_rank(a[kept] / scale[kept]) == rank


@settings(max_examples=150, deadline=None)
@given(shapes)
def test_coordinate_partition(shape):
    rows, columns, rank, seed = shape
    a = matrix_of_rank(rows, columns, rank, np.random.default_rng(seed), units=100.0)
    partition = coordinate_partition(a)
    together = np.concatenate([partition.dependent, partition.independent])
    assert np.array_equal(np.sort(together), np.arange(columns))
    assert len(partition.dependent) == rank
    np.testing.assert_array_equal(partition.basis[partition.independent], np.eye(columns - rank))
    scale = np.linalg.norm(a, axis=1, keepdims=True) + 1e-300
    # The basis may grow by the condition of the dependent columns, which pivoting keeps moderate.
    growth = 1.0 + np.abs(partition.basis).max(initial=0.0)
    assert np.abs(a @ partition.basis / scale).max(initial=0.0) < 1e-11 * growth


@settings(max_examples=150, deadline=None)
@given(shapes)
def test_particular_solution_is_the_shortest(shape):
    rows, columns, rank, seed = shape
    rng = np.random.default_rng(seed)
    a = matrix_of_rank(rows, columns, rank, rng)
    b = -a @ rng.standard_normal(columns)
    g = particular_solution(a, b)
    np.testing.assert_allclose(a @ g + b, 0.0, atol=1e-10 * (1.0 + np.abs(b).max()))
    # Shortest: nothing of it lies in the null space.
    assert np.abs(null_space(a).basis.T @ g).max(initial=0.0) < 1e-10 * (1.0 + np.linalg.norm(g))


def test_contradicting_constraints_are_named():
    a = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 1.0], [1e6, 0.0, 0.0]])
    np.testing.assert_allclose(particular_solution(a, np.array([1.0, 0.0, 1e6])), [-1.0, 0.0, 0.0], atol=ROUNDING)
    with pytest.raises(AnalysisError, match=r"contradict each other, most of all number [02]"):
        particular_solution(a, np.array([1.0, 0.0, 3e6]))
    with pytest.raises(AnalysisError, match="number 1"):
        particular_solution(np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([1.0, 2.0]))


def test_four_bar_loop_written_twice():
    """A loop of three links held at both pivots: two closing equations, repeated in other units."""
    angles = np.array([0.3, 1.1, 2.0])
    lengths = np.array([1.0, 2.5, 1.8])
    closing = np.vstack([-lengths * np.sin(angles), lengths * np.cos(angles)])
    space = null_space(np.vstack([closing, 1000.0 * closing]))
    assert space.rank == 2
    assert len(space.redundant_rows) == 2
    # Velocity ratios of the loop by the law of sines: ω_i ∝ sin(φ_j − φ_k)/l_i, cyclic.
    ratios = np.sin(angles[[1, 2, 0]] - angles[[2, 0, 1]]) / lengths
    ratios /= np.linalg.norm(ratios)
    assert abs(abs(space.basis[:, 0] @ ratios) - 1.0) < ROUNDING
    assert len(coordinate_partition(closing).independent) == 1


def test_no_constraints():
    nothing = np.empty((0, 4))
    assert null_space(nothing).basis.shape == (4, 4)
    assert len(coordinate_partition(nothing).independent) == 4
    np.testing.assert_array_equal(particular_solution(nothing, np.empty(0)), np.zeros(4))
