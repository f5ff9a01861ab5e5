"""Partners: what the assignment of scipy gives, with and without rivals."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from flexframe.maths.branch_tracking import best_partners

RNG = np.random.default_rng(11)


@pytest.mark.parametrize("shape", [(1, 1), (4, 4), (3, 7), (7, 3), (0, 3), (3, 0)])
@pytest.mark.parametrize("clear", [True, False])
def test_partners_against_scipy(shape: tuple[int, int], clear: bool) -> None:
    """Random numbers have no ties, so that the answer is one."""
    for _ in range(20):
        shares = RNG.random(shape)
        if clear and min(shape):
            places = RNG.permutation(max(shape))[: min(shape)]
            pairs = (np.arange(min(shape)), places)
            shares[pairs if shape[0] <= shape[1] else pairs[::-1]] += 2.0
        rows, columns = best_partners(shares)
        expected = linear_sum_assignment(shares, maximize=True)
        assert np.array_equal(rows, expected[0])
        assert np.array_equal(columns, expected[1])


def test_clear_partners_need_no_scipy() -> None:
    code = (
        "import sys, numpy\n"
        "from flexframe.maths.branch_tracking import best_partners\n"
        "best_partners(numpy.eye(3))\n"
        "assert 'scipy.optimize' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
