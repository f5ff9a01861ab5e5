"""Parts of graphs against scipy's search."""

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from flexframe.maths.graphs import connected_parts


@pytest.mark.parametrize("links", [0, 40, 150, 1000])
@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_parts_are_those_of_scipy(links: int, kind: type) -> None:
    first, second = np.random.default_rng(links).integers(0, 200, (2, links)).astype(kind)
    graph = sparse.coo_array((np.ones(links), (first, second)), shape=(200, 200))
    found = connected_parts(200, first, second)
    np.testing.assert_array_equal(found, connected_components(graph, directed=False)[1])
    _, firsts = np.unique(found, return_index=True)
    assert (np.diff(firsts) > 0).all()
