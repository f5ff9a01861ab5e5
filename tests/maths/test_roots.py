"""Roots of functions whose roots are known, and few evaluations."""

from collections.abc import Callable
from math import cos, exp, log, pi, sqrt

import pytest
from tests.rounding import ROUNDING

from flexframe.maths.roots import bracket_root

FUNCTIONS: list[tuple[Callable[[float], float], float, float, float]] = [
    (lambda x: x**2 - 2, 0.0, 2.0, sqrt(2)),
    (lambda x: 2 - x**2, 0.0, 2.0, sqrt(2)),
    (cos, 1.0, 3.0, pi / 2),
    (lambda x: exp(x) - 1e-6, -50.0, 10.0, log(1e-6)),
    (lambda x: (x - 1) ** 3, -3.0, 4.5, 1.0),
    (lambda x: -1.0 if x < 0.3 else 2.0, 0.0, 1.0, 0.3),
    (lambda x: x - 5e8, 0.0, 1e9, 5e8),
    (lambda x: x, 0.0, 1.0, 0.0),
]


@pytest.mark.parametrize("number", range(len(FUNCTIONS)))
def test_root_is_met(number: int) -> None:
    """To the tolerance of 1e-12; the triple root to the third root of the smallest number that is not zero."""
    function, low, high, root = FUNCTIONS[number]
    calls: list[float] = []

    def counted(x: float) -> float:
        calls.append(x)
        return function(x)

    found = bracket_root(counted, low, high, tolerance=1e-12)
    assert low <= found <= high
    assert found == pytest.approx(root, abs=1e-12, rel=ROUNDING)
    assert len(calls) < 80  # halving alone takes 43 from an interval of 4


def test_smooth_function_takes_few_values() -> None:
    """Halving an interval of 2 down to 1e-13 takes 44 values."""
    calls: list[float] = []

    def counted(x: float) -> float:
        calls.append(x)
        return x**2 - 2

    bracket_root(counted, 0.0, 2.0, tolerance=1e-13)
    assert len(calls) <= 12
