"""Products and shifts of sparse matrices against dense numpy: products by scipy and by MKL."""

import numpy as np
import pytest
from scipy import sparse
from tests.maths.sample_matrices import plane, random_sparse, solid
from tests.rounding import ROUNDING, rounding

from flexframe.maths import matrix_products
from flexframe.maths.matrix_products import absolute_product, dense_product, product, shifted


@pytest.fixture(params=["small", "large"])
def _small(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix_products, "_SMALL", 10**9 if request.param == "small" else 0)


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("columns", [1, 3, 16, 37])
def test_product(order: str, columns: int) -> None:
    """Sums of some ten products of numbers of size one: a few eps."""
    rng = np.random.default_rng(1)
    matrix = random_sparse(300, rng)[:, :200]
    block = np.asarray(rng.standard_normal((200, columns)), order=order)
    expected = matrix.toarray() @ block
    found = product(sparse.csr_array(matrix), block)
    np.testing.assert_allclose(found, expected, rtol=0, atol=ROUNDING * np.abs(expected).max() * 10)


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize("columns", [0, 1, 5])
@pytest.mark.parametrize("first", ["rows", "columns", "part", "transposed part", "every second", "complex"])
@pytest.mark.parametrize("second", ["rows", "columns", "part", "one broadcast"])
def test_dense_product(first: str, second: str, columns: int) -> None:
    """Views in whatever order against sums of exact products: forty roundings of numbers of size one."""
    rng = np.random.default_rng(4)
    a, b = rng.standard_normal((60, 80)), rng.standard_normal((40, 9))
    left = {
        "rows": a[:, :40].copy(),
        "columns": np.asfortranarray(a[:, :40]),
        "part": a[:, 20:60],
        "transposed part": a[10:50].T,
        "every second": a[:, ::2],
        "complex": a[:, :40] * 1j,
    }[first]
    right = {
        "rows": b[:, :columns].copy(),
        "columns": np.asfortranarray(b[:, :columns]),
        "part": b[:, 2 : 2 + columns],
        "one broadcast": np.broadcast_to(b[:, :1], (40, columns)),
    }[second]
    expected = np.sum(left[:, :, None] * right[None], axis=1)
    found = dense_product(left, right)
    assert found.shape == expected.shape
    np.testing.assert_allclose(
        found, expected, rtol=0, atol=rounding(40) * (np.abs(left) @ np.abs(right)).max(initial=1)
    )


@pytest.mark.usefixtures("_small")
def test_product_of_other_kinds() -> None:
    """64-bit numbers and single precision, which are not handed to MKL."""
    rng = np.random.default_rng(2)
    matrix, block = random_sparse(50, rng), rng.standard_normal((50, 4))
    expected = matrix.toarray() @ block
    wide = matrix.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    np.testing.assert_allclose(product(wide, block), expected, atol=1e-13)
    np.testing.assert_allclose(product(matrix, block.astype(np.float32)), expected, atol=1e-5)


@pytest.mark.parametrize("kind", [float, complex])
def test_absolute_product(kind: type) -> None:
    rng = np.random.default_rng(3)
    matrix = random_sparse(120, rng)
    block = rng.standard_normal((120, 5)).astype(kind)
    if kind is complex:
        matrix, block = sparse.csr_array(matrix * (1 - 2j)), block * (3 + 1j)
    expected = np.abs(matrix.toarray()) @ np.abs(block)
    np.testing.assert_allclose(absolute_product(matrix, block), expected, rtol=ROUNDING)


@pytest.mark.parametrize("shift", [0.0, -3.0, 1e4])
def test_shifted_matrix(shift: float) -> None:
    """The mass of a body has entries where the stiffness has; the other way round and unsorted it need not.

    One product and one sum, which the processor may round once instead of twice.
    """
    k, m, _ = plane((4, 3), clamped=True)
    diagonal = sparse.csr_array(sparse.diags_array(k.diagonal()))
    unsorted = sparse.csr_array(m[:, ::-1])[:, ::-1]
    wide = m.copy()
    wide.indptr, wide.indices = wide.indptr.astype(np.int64), wide.indices.astype(np.int64)
    for first, second in ((k, m), (m, k), (diagonal, m), (k, unsorted), (k, wide)):
        a, b = first.toarray(), second.toarray()
        error = np.abs(shifted(first, second, shift).toarray() - (a - shift * b))
        assert (error <= rounding(2) * (np.abs(a) + np.abs(shift * b))).all()


def test_nothing_is_copied_but_values() -> None:
    """K − σM shares the column numbers of K, and leaves K as it is."""
    k, m, _ = solid((2, 2, 2), clamped=True)
    k = sparse.csr_array(k + m)  # entries wherever the mass has some
    before = k.data.copy()
    made = shifted(k, m, 2.0)
    assert np.shares_memory(made.indices, k.indices)
    np.testing.assert_array_equal(k.data, before)
