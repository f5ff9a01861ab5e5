"""Scaling of sparse matrices against Ruiz' iteration on dense ones."""

import numpy as np
import pytest
from scipy import sparse
from tests.rounding import rounding

from flexframe.maths.equilibration import equilibrated, equilibrated_triangle


def sample(kind: type, *, symmetric: bool) -> np.ndarray:
    """Entries that differ by thirty powers of ten."""
    generator = np.random.default_rng(2)
    dense = generator.standard_normal((30, 30)) * (generator.random((30, 30)) < 0.2) + np.diag(
        10.0 ** np.arange(-15, 15)
    )
    if kind is complex:
        dense = dense + 1j * dense[::-1, ::-1]
    return dense + dense.T if symmetric else dense


def scaled(dense: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Three times: rows and columns divided by the roots of their largest entries."""
    rows, columns = np.ones(len(dense)), np.ones(len(dense))
    for _ in range(3):
        sizes = np.abs(rows[:, None] * dense * columns)
        rows, columns = rows / np.sqrt(sizes.max(axis=1)), columns / np.sqrt(sizes.max(axis=0))
    return rows, columns


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("kind", [float, complex])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_scaled_as_dense(symmetric: bool, kind: type, index: type) -> None:
    """Some five roundings in each of three sweeps; positive products do not cancel."""
    dense = sample(kind, symmetric=symmetric)
    matrix = sparse.csr_array(dense)
    matrix.indptr, matrix.indices = matrix.indptr.astype(index), matrix.indices.astype(index)
    found, rows, columns = equilibrated(matrix, symmetric=symmetric)
    expected_rows, expected_columns = scaled(dense)
    tolerance = rounding(16)
    np.testing.assert_allclose(rows, expected_rows, rtol=tolerance)
    np.testing.assert_allclose(columns, expected_columns, rtol=tolerance)
    expected = expected_rows[:, None] * dense * expected_columns
    np.testing.assert_allclose(found.toarray(), expected, rtol=2 * tolerance)


@pytest.mark.parametrize("kind", [float, complex])
def test_triangle_scaled_as_dense(kind: type) -> None:
    """As above, from the upper triangle alone."""
    dense = sample(kind, symmetric=True)
    found, scale = equilibrated_triangle(sparse.csr_array(dense))
    expected, _ = scaled(dense)
    tolerance = rounding(16)
    np.testing.assert_allclose(scale, expected, rtol=tolerance)
    np.testing.assert_allclose(found.toarray(), np.triu(expected[:, None] * dense * expected), rtol=2 * tolerance)
