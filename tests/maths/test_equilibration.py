"""Scaling of small matrices, by array operations, against the compiled loops for large ones."""

import numpy as np
import pytest
from rounding import ROUNDING
from scipy import sparse

from flexframe.maths import equilibration


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("kind", [float, complex])
def test_small_and_large_are_scaled_alike(symmetric: bool, kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(2)
    dense = generator.standard_normal((30, 30)) * (generator.random((30, 30)) < 0.2) + np.diag(
        10.0 ** np.arange(-15, 15)
    )
    if kind is complex:
        dense = dense + 1j * dense[::-1, ::-1]
    matrix = sparse.csr_array(dense + dense.T if symmetric else dense)
    small = equilibration.equilibrated(matrix, symmetric=symmetric)
    monkeypatch.setattr(equilibration, "_SMALL", 0)
    large = equilibration.equilibrated(matrix, symmetric=symmetric)
    # the same products in the same order; a complex absolute value may differ in its last bit
    for mine, other in zip((small[0].data, *small[1:]), (large[0].data, *large[1:]), strict=True):
        np.testing.assert_allclose(mine, other, rtol=ROUNDING, atol=0)
