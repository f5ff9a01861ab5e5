"""Symmetric matrices of which half is kept, against dense ones; arrays on disk against those in memory."""

import pickle

import numpy as np
import pytest
from scipy import sparse

from flexframe.keeping import fingerprint
from flexframe.maths.multilevel import panels, stored
from flexframe.maths.multilevel.panels import Symmetric, front, mirror, subtract_product, symmetric


@pytest.fixture(autouse=True)
def small_panels(monkeypatch):
    monkeypatch.setattr(panels, "ROWS", 7)
    monkeypatch.setattr(stored, "_LARGE", 100)


def random_symmetric(size, rng):
    dense = rng.standard_normal((size, size))
    dense += dense.T
    return dense, symmetric(size, lambda first, last: dense[first:last, :last].copy())


def test_children_are_added_at_their_places():
    """Own and boundary entries of two children, wherever they fall, as a dense sum has them."""
    rng = np.random.default_rng(1)
    own, edge = 9, 24
    k = sparse.csr_array(sparse.random_array((own, own), density=0.4, rng=rng))
    k = sparse.csr_array(k + k.T)
    beside = sparse.csr_array(sparse.random_array((own, edge), density=0.3, rng=rng))
    expected = np.zeros((own + edge, own + edge))
    expected[:own, :own], expected[:own, own:] = k.toarray(), beside.toarray()
    expected[own:, :own] = expected[:own, own:].T
    children = []
    for size in (20, 26):
        places = rng.permutation(own + edge)[:size]
        # of own and of boundary each ascending, in any mixture
        inside = places < own
        places[inside], places[~inside] = np.sort(places[inside]), np.sort(places[~inside])
        dense, matrix = random_symmetric(size, rng)
        expected[np.ix_(places, places)] += dense
        children.append((matrix.store(), places))
    made = front(k, beside, children, np.float64)
    mirror(made.own)
    np.testing.assert_allclose(made.own, expected[:own, :own], atol=1e-15)
    np.testing.assert_allclose(made.beside, expected[:own, own:], atol=1e-15)
    np.testing.assert_allclose(made.rest.toarray(), expected[own:, own:], atol=1e-15)
    left = rng.standard_normal((own, edge))
    subtract_product(made.rest, left, left)
    np.testing.assert_allclose(made.rest.toarray(), expected[own:, own:] - left.T @ left, atol=1e-13)


def test_half_is_kept():
    dense, matrix = random_symmetric(700, np.random.default_rng(2))
    np.testing.assert_array_equal(matrix.toarray(), dense)
    assert sum(panel.nbytes for panel in matrix.panels) < 0.51 * dense.nbytes
    assert Symmetric(()).size == 0


@pytest.mark.parametrize("order", ["C", "F"])
def test_stored_arrays_are_as_they_were(order):
    """Read, sent to another process and hashed, they are the array; small ones stay where they are."""
    array = np.array(np.random.default_rng(3).standard_normal((30, 11)), order=order)
    on_disk = stored.stored(array)
    assert isinstance(on_disk, stored.StoredArray)
    for _ in range(2):
        found = np.asarray(on_disk)
        np.testing.assert_array_equal(found, array)
        assert found.flags.f_contiguous == array.flags.f_contiguous
    sent = pickle.loads(pickle.dumps(on_disk))
    assert type(sent) is np.ndarray
    np.testing.assert_array_equal(sent, array)
    assert fingerprint(on_disk) == fingerprint(array)
    assert on_disk.shape == array.shape
    assert stored.stored(array[:1, :2].copy()).nbytes == 16
