"""Smooth functions on an interval by their values at Chebyshev's points (both ends among them)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexframe.maths.arrays import Array


@dataclass(frozen=True)
class Chebyshev:
    """Points of [start, end]; polynomials of the given degree go through values there."""

    start: float
    end: float
    degree: int = 16

    @cached_property
    def points(self) -> Array:
        """Ascending, the ends exact: (degree + 1,)."""
        x = -np.cos(np.pi * np.arange(self.degree + 1) / self.degree)
        t = self.start + (self.end - self.start) * (1 + x) / 2
        t[0], t[-1] = self.start, self.end
        return np.asarray(t)

    @cached_property
    def _weights(self) -> Array:
        w = (-1.0) ** np.arange(self.degree + 1)
        w[[0, -1]] /= 2
        return np.asarray(w)

    @cached_property
    def differentiation(self) -> Array:
        """Values → derivatives at the points: (degree + 1, degree + 1)."""
        t, w = self.points, self._weights
        apart = t[:, None] - t[None] + np.eye(len(t))
        D = (w[None] / w[:, None]) / apart
        np.fill_diagonal(D, 0.0)
        np.fill_diagonal(D, -D.sum(axis=1))
        return np.asarray(D)

    def interpolation(self, times: Array) -> Array:
        """Values at the points → values at times: (t, degree + 1)."""
        apart = times[:, None] - self.points[None]
        hit = np.abs(apart) <= 1e-15 * (self.end - self.start)
        terms = self._weights / np.where(hit, 1.0, apart)
        matrix = terms / terms.sum(axis=1, keepdims=True)
        exact = hit.any(axis=1)
        matrix[exact] = hit[exact]
        return np.asarray(matrix)

    def tail(self, values: Array) -> float:
        """Size of the last two Chebyshev coefficients, relative to the largest value: how well it is resolved."""
        k = np.arange(self.degree + 1)
        # values at −cos(πj/n): coefficients by the cosine sum with halved ends
        cosines = np.cos(np.pi * np.outer(k, k) / self.degree) * (-1.0) ** k[:, None]
        ends = np.ones(self.degree + 1)
        ends[[0, -1]] = 0.5
        flat = values.reshape(len(values), -1)
        coefficients = 2 / self.degree * ends[:, None] * (cosines @ (ends[:, None] * flat))
        largest = float(np.abs(flat).max(initial=0.0))
        return float(np.abs(coefficients[-2:]).max(initial=0.0)) / largest if largest else 0.0
