"""How many eigenvalues lie in a region of the complex plane, by the argument principle.

The number inside a closed curve is the change of arg det P(λ) along it over 2π. Far eigenvalues turn det P too;
most of that is taken away by dividing by det(λ²M + K₀), the body at rest without spin and damping, whose number
inside is known from the signs of pivots. What is left changes little from point to point; steps are halved until
it does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import add
from typing import Any

import numpy as np
import scipy.sparse.linalg
from scipy import sparse

from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import OperatingPoint
from flexframe.maths.arrays import Array, ComplexArray, IntArray, SparseMatrix
from flexframe.maths.factorisation import SingularMatrixError, factorise

_SEGMENTS = 80
_SMALL = 0.6  # rad of phase in half a step
_ALIKE = 0.2  # rad between the halves: double eigenvalues near the curve, 2π in a short piece, must not hide
_CONSISTENT = 1e-6  # rad between a step and its two halves
_DEEPEST = 14  # times a step is halved


def eigenvalues_inside(
    equations: AffineEquations, speed: float, floor: float, radius: float, gap: float, *, frequency: float = 0.0
) -> int | None:
    """Number of eigenvalues with |λ| < radius and Im λ > floor > 0; None where the curve meets one.

    Coefficients that depend on the frequency of the motion are held at the one given [rad/s].

    `gap` is about the distance of i·radius from the next eigenvalues. Points are dense where the curve crosses the
    imaginary axis and spread like the sinh of the parameter, so that each octave of distance has its own.
    """
    lowest = float(np.arcsin(floor / radius))
    nearest, widest = min(gap / radius, 1.0), np.pi / 2 - lowest

    def curve(s: float) -> complex:
        s = s % 1.0
        if s <= 0.5:  # arc from the right end to the left
            angle = np.pi / 2 + nearest * np.sinh((4 * s - 1) * np.arcsinh(widest / nearest))
            return complex(radius * np.cos(angle), radius * np.sin(angle))
        reach = radius * np.cos(lowest)
        return complex(floor * np.sinh((4 * s - 3) * np.arcsinh(reach / floor)), floor)

    M, K = equations.constant_mass, equations.constant_stiffness
    held = equations.tabulate(OperatingPoint.at_speed(speed, 1j * frequency))
    turning = _Sum.of([part.matrix for part in held.coefficients])
    at_rest = _Sum.of([M, K])

    def phase(s: float) -> complex:
        value = curve(s)
        turned = _unit_determinant(turning.matrix(held.factors(value, speed)))
        return turned * np.conj(_unit_determinant(at_rest.matrix(np.array([value**2, 1.0]))))

    try:
        turned = _rotate(phase, mirrored=equations.conservative)
        known = _below(K, M, radius) - _below(K, M, floor)
    except (SingularMatrixError, RuntimeError):  # splu: "Factor is exactly singular"
        return None
    if turned is None:
        return None
    return known + round(turned / (2 * np.pi))


@dataclass(frozen=True, eq=False)
class _Sum:
    """Σ f A of sparse matrices on one pattern."""

    data: Array  # (matrices, entries)
    pattern: Any  # by columns

    @classmethod
    def of(cls, matrices: Sequence[SparseMatrix]) -> "_Sum":
        pattern: Any = sparse.csc_array(reduce(add, map(abs, matrices)))
        pattern.sort_indices()
        columns = np.repeat(np.arange(pattern.shape[1]), np.diff(pattern.indptr))
        keys = columns * pattern.shape[0] + pattern.indices
        data = np.zeros((len(matrices), len(keys)))
        for row, matrix in zip(data, matrices, strict=True):
            entries = sparse.coo_array(matrix)
            entries.sum_duplicates()
            row[np.searchsorted(keys, entries.col.astype(np.int64) * pattern.shape[0] + entries.row)] = (
                entries.data
            )
        return cls(data, pattern)

    def matrix(self, factors: ComplexArray) -> Any:
        """Complex, by columns."""
        pattern = self.pattern
        return sparse.csc_array((factors @ self.data, pattern.indices, pattern.indptr), shape=pattern.shape)


def _below(stiffness: SparseMatrix, mass: SparseMatrix, frequency: float) -> int:
    """Natural frequencies at rest below a value."""
    with factorise(sparse.csr_array(stiffness - frequency**2 * mass), "symmetric") as factors:
        if factors.negative_pivots is None:
            raise SingularMatrixError(None)
        return factors.negative_pivots


def _rotate(phase: Callable[[float], complex], *, mirrored: bool) -> float | None:
    """Change of the phase along the whole curve, or twice that of its right half.

    Without damping det P(−λ̄) is the conjugate of det P(λ), so that both halves turn alike.
    """
    total = 0.0
    count = _SEGMENTS // 2 if mirrored else _SEGMENTS
    ends = [(0.75 + k / _SEGMENTS, phase(0.75 + k / _SEGMENTS)) for k in range(count + 1)]
    for (start, first), (end, last) in pairwise(ends):
        part = _step(phase, (start, end), (first, last), _DEEPEST)
        if part is None:
            return None
        total += part
    return 2 * total if mirrored else total


def _step(
    phase: Callable[[float], complex], ends: tuple[float, float], values: tuple[complex, complex], depth: int
) -> float | None:
    middle = (ends[0] + ends[1]) / 2
    between = phase(middle)
    first, second = np.angle(between / values[0]), np.angle(values[1] / between)
    whole = np.angle(values[1] / values[0])
    smooth = max(abs(first), abs(second)) < _SMALL and abs(first - second) < _ALIKE
    if smooth and abs(whole - first - second) < _CONSISTENT:
        return float(first + second)
    if depth == 0:
        return None
    left = _step(phase, (ends[0], middle), (values[0], between), depth - 1)
    right = _step(phase, (middle, ends[1]), (between, values[1]), depth - 1)
    return None if left is None or right is None else left + right


def _unit_determinant(matrix: Any) -> complex:
    """det / |det| of a complex sparse matrix."""
    factors = scipy.sparse.linalg.splu(matrix)
    diagonal = factors.U.diagonal()
    signs = _parity(factors.perm_r) * _parity(factors.perm_c)
    return complex(signs * np.exp(1j * np.angle(diagonal).sum()))


def _parity(permutation: IntArray) -> int:
    """+1 or −1: how many cycles of even length there are."""
    seen, sign = np.zeros(len(permutation), dtype=bool), 1
    targets = permutation.tolist()
    for start in range(len(targets)):
        length, here = 0, start
        while not seen[here]:
            seen[here], here, length = True, targets[here], length + 1
        sign = -sign if length and length % 2 == 0 else sign
    return sign
