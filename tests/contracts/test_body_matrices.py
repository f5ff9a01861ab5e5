"""Parts of a body's matrices by the compiled core and without building matrices, against plain numpy."""

import numpy as np
import pytest
from scipy import sparse

from flexframe.assembly.discrete import discretise
from flexframe.assembly.pattern import submatrix
from flexframe.elements.properties import STEEL
from flexframe.mesh.builders import block, rectangle
from flexframe.model.body import Body


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("kind", [float, complex])
def test_submatrix(index: type, kind: type) -> None:
    """The same entries as by numpy's indexing, in any order of the numbers kept."""
    generator = np.random.default_rng(1)
    matrix = sparse.csr_array(sparse.random_array((60, 60), density=0.2, rng=generator).astype(kind))
    matrix.indptr, matrix.indices = matrix.indptr.astype(index), matrix.indices.astype(index)
    for kept in (np.arange(0, 60, 2), np.arange(60), generator.permutation(60)[:17], np.empty(0, dtype=np.int64)):
        found = submatrix(matrix, kept)
        assert found.shape == (len(kept), len(kept))
        np.testing.assert_array_equal(found.toarray(), matrix.toarray()[np.ix_(kept, kept)])


@pytest.mark.parametrize("space", ["plane", "solid"])
def test_energies_along_the_axes(space: str) -> None:
    """Against φᴴ Y_kk φ with the contractions themselves; together they are φᴴ M φ."""
    if space == "plane":
        mesh = rectangle(2.0, 1.0, divisions=(4, 3), order=2, shape="quad")
        body = Body.plane("plate", mesh, material=STEEL, thickness=0.01)
    else:
        body = Body.solid("block", block((2.0, 1.0, 1.0), (3, 2, 2), order=2), material=STEEL)
    discrete = discretise(body)
    generator = np.random.default_rng(2)
    fields = generator.standard_normal((discrete.dofs.count, 3, 2)) @ np.array([1, 1j])
    found = discrete.inertia.axis_energies(fields)
    for k in range(3):
        factor = np.zeros((3, 3))
        factor[k, k] = 1.0
        contraction = discrete.inertia.contraction(factor)
        expected = np.einsum("pm,pm->m", fields.conj(), contraction @ fields).real
        np.testing.assert_allclose(found[:, k], expected, rtol=1e-12)
    total = np.einsum("pm,pm->m", fields.conj(), discrete.mass @ fields).real
    np.testing.assert_allclose(found.sum(axis=1), total, rtol=1e-12)
