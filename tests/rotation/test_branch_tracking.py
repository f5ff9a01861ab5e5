"""Branches through crossings, veerings and equal eigenvalues."""

import numpy as np
import pytest
from tests.rounding import ROUNDING

from flexframe.maths.branch_tracking import States, equal_groups, follow_branches


def _family(coupling: float):
    """Two levels 1 + s and 2 − s that meet at s = ½, coupled or not, and a third far above."""

    def solve(s: float) -> States:
        A = np.array([[1 + s, coupling, 0], [coupling, 2 - s, 0], [0, 0, 5.0]])
        values, vectors = np.linalg.eigh(A)
        return States(1j * values, vectors.astype(complex))

    return solve


def _values(coupling: float, parameters: np.ndarray) -> np.ndarray:
    solve = _family(coupling)
    solutions = [solve(s) for s in parameters]
    branches = follow_branches(solve, parameters, solutions, wanted=2, equal=1e-9)
    table = np.array([solution.eigenvalues.imag for solution in solutions])
    order = np.argsort(table[0, branches.numbers[0]])
    return np.take_along_axis(table, branches.numbers, axis=1)[:, order]


@pytest.mark.parametrize("count", [4, 5, 21], ids=["between samples", "at a sample", "finely"])
def test_uncoupled_levels_cross(count: int) -> None:
    s = np.linspace(0.0, 1.0, count)
    found = _values(0.0, s)
    assert found[:, 0] == pytest.approx(1 + s, abs=ROUNDING)
    assert found[:, 1] == pytest.approx(2 - s, abs=ROUNDING)


@pytest.mark.parametrize("coupling", [0.2, 0.01])
def test_coupled_levels_veer(coupling: float) -> None:
    """The lower level stays the lower one: 3/2 ∓ √((s − ½)² + c²); steps far coarser than the veering itself."""
    s = np.linspace(0.0, 1.0, 6)
    found = _values(coupling, s)
    gap = np.sqrt((s - 0.5) ** 2 + coupling**2)
    assert found[:, 0] == pytest.approx(1.5 - gap, abs=ROUNDING)
    assert found[:, 1] == pytest.approx(1.5 + gap, abs=ROUNDING)


def test_what_no_step_resolves_is_reported() -> None:
    """A coupling of 1e-9 veers within 1e-9 of the range: the shares jump, and the reader is told or it crosses."""
    s = np.linspace(0.0, 1.0, 4)
    solve = _family(1e-9)
    branches = follow_branches(solve, s, [solve(x) for x in s], wanted=2, equal=1e-14)
    crossed = branches.numbers[0].tolist() != branches.numbers[-1].tolist()
    assert crossed or branches.doubtful


def test_equal_eigenvalues_take_the_shapes_of_their_neighbours() -> None:
    """A double level at s = 0 splits into circular shapes; at zero any basis would do, that one is taken."""

    def solve(s: float) -> States:
        A = np.array([[2.0, -1j * s], [1j * s, 2.0]])
        values, vectors = np.linalg.eigh(A)
        return States(1j * values, vectors)

    s = np.array([0.0, 0.1, 0.2])
    branches = follow_branches(solve, s, [solve(x) for x in s], wanted=2, equal=1e-9)
    circular = np.array([1, 1j]) / np.sqrt(2)
    shares = np.abs(circular.conj() @ branches.states[0]) ** 2
    assert sorted(shares) == pytest.approx([0, 1], abs=1e-12)
    assert not branches.doubtful


def test_passing_zero_turns_a_mode_into_its_conjugate() -> None:
    """λ = i(1 − s) is listed as its conjugate beyond s = 1; it is the same branch."""

    def solve(s: float) -> States:
        shape = np.array([[1.0], [1j]]) / np.sqrt(2)
        other = shape.conj()
        shapes = np.hstack([shape if s < 1 else shape.conj(), other])
        states = np.concatenate([shapes, np.array([abs(1 - s), 3.0]) * shapes])
        return States(1j * np.array([abs(1 - s), 3.0]), states / np.linalg.norm(states, axis=0))

    s = np.array([0.6, 0.9, 1.1, 1.4])
    branches = follow_branches(solve, s, [solve(x) for x in s], wanted=1, equal=1e-9)
    assert branches.numbers[:, 0].tolist() == [0, 0, 0, 0]


def test_what_leaves_the_window_is_not_what_comes_into_it() -> None:
    """An oscillation above the wanted modes leaves the window as an overdamped motion of another shape comes in.

    Levels 1 (wanted), 4 + s (leaves) and 6 − 2s (comes in; real), of which the two lowest are known: they meet at
    s = 2/3. Their shapes have a share of 0.3 of each other, since damped modes are not orthogonal.
    """

    def solve(s: float) -> States:
        values = np.array([1j, 1j * (4 + s), -(6 - 2 * s)])
        states = np.array([[1, 0, 0], [0, 1, np.sqrt(0.3)], [0, 0, np.sqrt(0.7)]], dtype=complex)
        known = np.argsort(np.abs(values))[:2]
        return States(values[known], states[:, known])

    s = np.linspace(0.0, 2.0, 5)
    solutions = [solve(x) for x in s]
    branches = follow_branches(solve, s, solutions, wanted=1, equal=1e-9)
    values = branches.values([solution.eigenvalues for solution in solutions])
    known = [column[np.isfinite(column)] for column in values.T]
    assert len(known) == 3
    assert known[0] == pytest.approx(1j)
    assert known[1] == pytest.approx(1j * (4 + s[:2]))
    assert known[2] == pytest.approx(-(6 - 2 * s[2:]))


def test_equal_groups() -> None:
    values = 1j * np.array([1.0, 2.0, 2.0 + 1e-12, 3.0, 2.0])
    (group,) = equal_groups(values, 1e-9)
    assert sorted(group) == [1, 2, 4]
