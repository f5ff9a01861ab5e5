"""Functions of time made of polynomials, one from each beginning to the next."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from flexframe.maths.arrays import Array

DEGREE = 7
"""Highest power of the time in a piece; the core has the same."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """Σ c_k τ^k, k = 0 … 7, where τ is the time since the beginning of the last piece that has begun.

    The first piece holds before the second one begins, with negative τ before its own beginning, and the last one
    for ever; with a period, everything from the origin on repeats itself.
    """

    begins: Array  # s, not decreasing: (n,)
    coefficients: Array  # (n, 8)
    origin: float = 0.0  # s
    period: float = 0.0  # s; 0: none

    def jet(self, times: ArrayLike) -> tuple[Array, Array, Array]:
        """Value, first and second derivative; at a beginning those of the piece that begins."""
        t = np.asarray(times, dtype=float)
        if self.period > 0.0:
            t = t - self.period * np.floor((t - self.origin) / self.period)
        row = np.maximum(np.searchsorted(self.begins, t, side="right") - 1, 0)
        tau = t - self.begins[row]
        value, rate, half_second = np.zeros(t.shape), np.zeros(t.shape), np.zeros(t.shape)
        for k in range(DEGREE, -1, -1):  # Horner's scheme, differentiated twice
            half_second = half_second * tau + rate
            rate = rate * tau + value
            value = value * tau + self.coefficients[row, k]
        return value, rate, 2.0 * half_second

    @property
    def derivative(self) -> "Pieces":
        """Σ k c_k τ^(k−1)."""
        powers = np.zeros_like(self.coefficients)
        powers[:, :-1] = self.coefficients[:, 1:] * np.arange(1, DEGREE + 1)
        return replace(self, coefficients=powers)

    def table(self) -> Array:
        """Rows of the core: beginning and coefficients, (n, 9)."""
        return np.column_stack([self.begins, self.coefficients])


def spline_pieces(knots: Array, coefficients: Array, degree: int) -> tuple[Array, Array]:
    """Ends (n + 1,) and coefficients (n, 8) of the polynomials of a B-spline between its different knots."""
    from scipy.interpolate import PPoly  # takes a third of a second to import

    polynomials = PPoly.from_spline((knots, coefficients, degree))
    inside = np.flatnonzero(np.diff(polynomials.x) > 0.0)
    inside = inside[(inside >= degree) & (inside < len(knots) - degree - 1)]
    powers = np.zeros((len(inside), DEGREE + 1))
    powers[:, : degree + 1] = polynomials.c[::-1, inside].T
    return np.append(polynomials.x[inside], polynomials.x[inside[-1] + 1]), powers
