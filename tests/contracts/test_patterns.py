"""The pattern of node pairs and matrices summed on it, against dense sums of the same element matrices."""

import numpy as np
import pytest
from scipy import sparse

from flexframe.assembly.dofs import DofMap
from flexframe.assembly.pattern import BlockMatrix, NodePattern, expand_scalar

NODES = 30


def elements(size: int, count: int = 40) -> np.ndarray:
    generator = np.random.default_rng(1)
    return np.array([generator.permutation(NODES)[:size] for _ in range(count)])


def numbered(width: int) -> DofMap:
    """Equations of the first `width` components; node 4 has none, every third node lacks one."""
    active = np.zeros((NODES, 6), dtype=bool)
    active[:, :width] = True
    active[4] = False
    active[::3, 0] = False
    numbers = np.full(active.shape, -1, dtype=np.int64)
    numbers[active] = np.arange(active.sum())
    return DofMap(numbers, int(active.sum()))


def test_pairs_are_those_of_the_elements() -> None:
    """Against a dense table of the pairs, of two kinds of elements together."""
    tables = [elements(5), elements(3, 7)]
    expected = np.zeros((NODES, NODES), dtype=bool)
    for table in tables:
        for nodes in table:
            expected[np.ix_(nodes, nodes)] = True
    pattern = NodePattern.of(NODES, tables)
    expected_pattern = sparse.csr_array(expected)
    np.testing.assert_array_equal(pattern.starts, expected_pattern.indptr)
    np.testing.assert_array_equal(pattern.columns, expected_pattern.indices)
    assert pattern.columns.dtype == np.int32  # what solvers want


def test_scalars_are_added() -> None:
    nodes = elements(5)
    blocks = np.random.default_rng(2).standard_normal((40, 5, 5))
    pattern = NodePattern.of(NODES, [nodes])
    data = pattern.zeros()
    pattern.add(nodes, blocks, data)
    expected = np.zeros((NODES, NODES))
    for each, block in zip(nodes, blocks, strict=True):
        expected[np.ix_(each, each)] += block
    np.testing.assert_array_equal(pattern.scalar(data).toarray(), expected)  # the same sums in the same order


@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("order", ["C", "F"])
def test_blocks_are_added_where_their_equations_are(width: int, order: str) -> None:
    nodes, dofs = elements(5), numbered(width)
    blocks = np.random.default_rng(3).standard_normal((40, 5, 5, width, width))
    made = BlockMatrix.zeros(NodePattern.of(NODES, [nodes]), dofs, np.arange(width))
    made.add(nodes, np.asarray(blocks, order=order))
    expected = np.zeros((dofs.count, dofs.count))
    for each, block in zip(dofs.numbers[nodes][..., :width].reshape(40, -1), blocks, strict=True):
        kept = each >= 0
        matrix = block.transpose(0, 2, 1, 3).reshape(len(each), -1)
        expected[np.ix_(each[kept], each[kept])] += matrix[np.ix_(kept, kept)]
    np.testing.assert_array_equal(made.matrix.toarray(), expected)  # the same sums in the same order
    assert made.matrix.has_canonical_format


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_scalar_times_factor(kind: type) -> None:
    """scalar ⊗ factor, rows and columns without an equation left out; zeros of the factor are not stored."""
    dofs, pattern = numbered(3), NodePattern.of(NODES, [elements(5)])
    scalar = pattern.scalar(np.random.default_rng(4).standard_normal(len(pattern.columns)))
    scalar.indptr, scalar.indices = scalar.indptr.astype(kind), scalar.indices.astype(kind)
    factor = np.array([[0, -2.0, 0], [0.5, 0, 0], [0, 0, 3.0]])
    found = expand_scalar(scalar, factor, dofs, np.arange(3))
    numbers = dofs.numbers[:, :3].ravel()
    expected = np.zeros((dofs.count, dofs.count))
    expected[np.ix_(numbers[numbers >= 0], numbers[numbers >= 0])] = np.kron(scalar.toarray(), factor)[
        np.ix_(numbers >= 0, numbers >= 0)
    ]
    np.testing.assert_array_equal(found.toarray(), expected)  # one product each
    assert found.nnz == np.count_nonzero(expected)
