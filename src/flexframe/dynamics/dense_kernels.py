"""Small dense linear algebra for compiled loops: LU with partial pivoting, in place."""

from typing import Any

from flexframe.dynamics.compiling import fast_inner

_SINGULAR = 1e-300


@fast_inner
def factorise(matrix: Any, pivots: Any, count: int) -> bool:
    """P A = L U in the first `count` rows and columns; whether all pivots are finite and not zero."""
    for k in range(count):
        best, largest = k, abs(matrix[k, k])
        for i in range(k + 1, count):
            size = abs(matrix[i, k])
            if size > largest:
                best, largest = i, size
        pivots[k] = best
        if not largest > _SINGULAR:  # also when it is not a number
            return False
        if best != k:
            for j in range(count):
                matrix[k, j], matrix[best, j] = matrix[best, j], matrix[k, j]
        inverse = 1.0 / matrix[k, k]
        for i in range(k + 1, count):
            factor = matrix[i, k]
            if factor != 0.0:
                factor *= inverse
                matrix[i, k] = factor
                for j in range(k + 1, count):
                    matrix[i, j] -= factor * matrix[k, j]
    return True


@fast_inner
def substitute(matrix: Any, pivots: Any, count: int, right: Any) -> None:
    """Overwrite `right` by A⁻¹ right."""
    for k in range(count):
        best = pivots[k]
        if best != k:
            right[k], right[best] = right[best], right[k]
    for i in range(1, count):
        total = 0.0
        for j in range(i):
            total += matrix[i, j] * right[j]
        right[i] -= total
    for i in range(count - 1, -1, -1):
        total = 0.0
        for j in range(i + 1, count):
            total += matrix[i, j] * right[j]
        right[i] = (right[i] - total) / matrix[i, i]
