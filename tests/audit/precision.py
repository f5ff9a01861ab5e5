"""Fifty-digit arithmetic, derivatives and the two judgements: a form holds, or fails by a known error.

Arrays are NumPy arrays of ``mpf``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from mpmath import mp, mpf
from numpy.typing import NDArray

Vector = NDArray[Any]
TimeFunction = Callable[[mpf], Any]

DIGITS = 50
# Fifty digits, sums of some thousand products of order one: forty digits survive with a wide margin.
ROUND_OFF = mpf(10) ** -40
# A slip counts as shown when it moves the quantity by more than this part of the term concerned. All data
# are of order one, so a real slip shows at this level and lies 38 orders of magnitude above round-off.
VISIBLE = mpf(1) / 100


# --- arithmetic ------------------------------------------------------------------------------------------


def array(values: Any) -> Vector:
    """An array of ``mpf``."""
    return np.array(values, dtype=object)


def contract(subscripts: str, *operands: Any) -> Any:
    """Einstein summation over arrays of ``mpf``; a scalar comes back as ``mpf``."""
    result = np.einsum(subscripts, *operands)
    return result.item() if isinstance(result, np.ndarray) and result.ndim == 0 else result


def identity(order: int) -> Vector:
    """The unit matrix."""
    return array([[mpf(i == j) for j in range(order)] for i in range(order)])


def size(value: Any) -> mpf:
    """The largest absolute entry."""
    return max(abs(entry) for entry in np.ravel(array(value)))


def solve(matrix: Vector, right: Vector) -> Vector:
    """The solution of a square linear system."""
    solution = mp.lu_solve(mp.matrix(matrix.tolist()), mp.matrix(right.tolist()))
    return array([solution[i] for i in range(len(right))])


def skew(vector: Vector) -> Vector:
    """The operator of ω × x."""
    one, two, three = vector
    zero = mpf(0)
    return array([[zero, -three, two], [three, zero, -one], [-two, one, zero]])


def axial(matrix: Vector) -> Vector:
    """The vector of a skew operator."""
    return array([matrix[2, 1], matrix[0, 2], matrix[1, 0]])


def derivative(function: TimeFunction, t: mpf, order: int = 1) -> Any:
    """The first or second derivative of a function that may itself contain derivatives.

    Central differences with step 10^-d at 3d + 20 digits, where d is the precision of the caller: the
    truncation error is of order 10^-2d and the cancellation error 10^-(d+20), so d digits are right; a
    nested call sees the raised precision and scales its own step.
    """
    digits = mp.dps
    with mp.workdps(3 * digits + 20):
        step = mpf(10) ** -digits
        ahead, behind = function(t + step), function(t - step)
        first, second = (ahead - behind) / (2 * step), (ahead - 2 * function(t) + behind) / step**2
    return +(first if order == 1 else second)


def gradient(function: Callable[[Vector], mpf], point: Vector) -> Vector:
    """The gradient of a scalar function of a vector."""

    def along(index: int) -> mpf:
        def shifted(value: mpf) -> mpf:
            moved = point.copy()
            moved[index] = value
            return function(moved)

        return derivative(shifted, point[index])

    return array([along(index) for index in range(len(point))])


# --- judgements ------------------------------------------------------------------------------------------


def assert_holds(value: Any, truth: Any) -> None:
    """A form agrees with the truth to working precision."""
    residual = size(value - truth)
    assert residual <= ROUND_OFF * max(mpf(1), size(truth)), f"residual {mp.nstr(residual, 5)}"


def assert_fails_by(printed: Any, truth: Any, error: Any, term: Any) -> None:
    """A printed form misses the truth by exactly ``error``, a visible part of the ``term`` concerned."""
    assert_holds(printed - truth, error)
    assert size(error) > VISIBLE * size(term), f"error {mp.nstr(size(error), 5)} is not visible"
