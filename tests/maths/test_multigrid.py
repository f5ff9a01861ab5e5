"""Multigrid as a preconditioner, and modes without factors, against LAPACK."""

import numpy as np
import pytest
from scipy import linalg
from tests.maths.sample_matrices import plane, solid

from flexframe.errors import AnalysisError
from flexframe.maths import lobpcg, multigrid
from flexframe.maths.eigenproblems import mass_orthonormal
from flexframe.maths.lobpcg import lowest_pairs
from flexframe.maths.matrix_products import shifted

pytest.importorskip("pyamg")


def plane_motions(places):
    """Of nodes whose two displacements follow one another: (n, 3)."""
    axis = np.arange(places.shape[1]) % 2
    return np.column_stack([axis == 0, axis == 1, np.where(axis == 0, -places[1], places[0])]).astype(float)


@pytest.fixture
def several_levels(monkeypatch):
    """Small bodies have levels too."""
    monkeypatch.setattr(multigrid, "_COARSEST", 30)


@pytest.mark.usefixtures("several_levels")
def test_cycle_stands_in_for_the_inverse():
    """Symmetric and definite, and B K has a condition below 20 whatever the size: 2.4 times less error a step.

    A cycle with other signs, or without what coarse levels give, has one of K's own, 1e4 here and more.
    """
    for cells in ((14, 7), (20, 10)):
        k, _, places = plane(cells, clamped=True)
        cycle = multigrid.MultigridCycle(k, plane_motions(places))
        assert len(cycle.sizes) >= 3
        assert cycle.sizes[1] < k.shape[0] / 4
        inverse = cycle(np.eye(k.shape[0]))
        # the finest level works in single precision
        np.testing.assert_allclose(inverse, inverse.T, atol=1e-4 * np.abs(inverse).max())
        values = linalg.eigh(0.5 * (inverse + inverse.T), linalg.inv(k.toarray()), eigvals_only=True)
        assert values[0] > 0.05
        assert values[-1] < 1.0 + 1e-3  # a correction never goes too far where smoothers do not


@pytest.mark.usefixtures("several_levels")
def test_lowest_pairs_are_lapacks():
    """Eigenvalues to the square of η, which is a millionth, also repeated ones and those beside known motions."""
    k, m, places = solid((3, 3, 3), clamped=False)
    motions = np.column_stack([np.where(np.arange(places.shape[1]) % 3 == axis, 1.0, 0.0) for axis in range(3)])
    turned = np.cross(np.eye(3)[:, None, :], places.T[::3][None], axis=2).reshape(3, -1).T
    motions = np.hstack([motions, turned])
    rigid = mass_orthonormal(motions, m)
    tau = 1e-6 * float(k.diagonal().max() / m.diagonal().max())
    cycle = multigrid.MultigridCycle(shifted(k, m, -tau), motions)
    exact = linalg.eigh(k.toarray(), m.toarray(), eigvals_only=True, subset_by_index=[6, 15])
    values, vectors = lowest_pairs(k, m, 10, known=rigid, precondition=cycle)
    assert np.diff(exact).min() < 1e-6 * exact[-1]  # a cube has pairs and triples
    # LAPACK errs by eps of the top, 1e-16 · 1e4 of these, and the square of η over a gap of a tenth is 1e-11
    np.testing.assert_allclose(values, exact, rtol=1e-9)
    np.testing.assert_allclose(vectors.T @ (m @ vectors), np.eye(10), atol=1e-9)
    assert np.abs(rigid.T @ (m @ vectors)).max() < 1e-8


def test_modes_that_do_not_converge_are_refused(monkeypatch):
    monkeypatch.setattr(lobpcg, "_STEPS", 2)
    k, m, _ = plane((8, 4), clamped=True)
    with pytest.raises(AnalysisError, match="5 modes did not converge without factors"):
        lowest_pairs(k, m, 5, known=np.empty((k.shape[0], 0)), precondition=lambda r: r / k.diagonal()[:, None])
