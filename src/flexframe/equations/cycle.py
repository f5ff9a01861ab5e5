"""The equations of a body along the instants of a motion."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic

import numpy as np
from scipy import sparse

from flexframe.equations.affine import AffineEquations
from flexframe.equations.coefficients import OperatingPoint
from flexframe.equations.parts import DAMPING, LOAD, STIFFNESS, MatrixT
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.motion.frame import FrameMotion


@dataclass(frozen=True, eq=False)
class Totals:
    """C, K and f of one instant."""

    damping: SparseMatrix
    stiffness: SparseMatrix
    load: Array


@dataclass(eq=False)
class Combination:
    """The sums of affine equations along a motion; those of the last instant are kept."""

    equations: AffineEquations
    _sums: dict[int, "_PatternSum"] = field(init=False)
    _last: tuple[FrameMotion, Totals] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._sums = {order: _PatternSum(self.equations, order) for order in (DAMPING, STIFFNESS)}

    def at(self, motion: FrameMotion) -> Totals:
        """The sums of an instant."""
        if self._last is None or not self._last[0].acts_like(motion):
            damping, stiffness = (self._sums[order].at(motion) for order in (DAMPING, STIFFNESS))
            self._last = (motion, Totals(damping, stiffness, self.equations.load(motion)))
        return self._last[1]


@dataclass(eq=False)
class _PatternSum:
    """Σ a_i A_i on the union of the patterns of all parts that have occurred so far."""

    equations: AffineEquations
    order: int
    _keys: IntArray = field(init=False)
    _pattern: SparseMatrix = field(init=False)
    _known: dict[int, Array] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._extend(())

    def at(self, motion: FrameMotion) -> SparseMatrix:
        point = OperatingPoint.of(motion)
        parts = self.equations.of_order(self.order)
        weights = [self.equations.weight(part, point) for part in parts]
        occurring = [number for number, weight in enumerate(weights) if weight]
        if not self._known.keys() >= set(occurring):
            self._extend(occurring)
        data = np.zeros(len(self._keys))
        for number in occurring:
            data = data + weights[number] * self._known[number]
        pattern = self._pattern
        return sparse.csr_array((data, pattern.indices, pattern.indptr), shape=pattern.shape)

    def _extend(self, more: Sequence[int]) -> None:
        parts = self.equations.of_order(self.order)
        numbers = sorted({*self._known, *more})
        size = self.equations.size
        pattern = sparse.csr_array(sparse.eye_array(size))
        for number in numbers:
            filled = parts[number].matrix.copy()
            filled.data = np.ones(len(filled.data))
            pattern = sparse.csr_array(pattern + filled)
        pattern.sort_indices()
        self._pattern = pattern
        self._keys = np.repeat(np.arange(size), np.diff(pattern.indptr)) * size + pattern.indices
        self._known = {number: self._place(parts[number].matrix) for number in numbers}

    def _place(self, matrix: SparseMatrix) -> Array:
        """The entries of a matrix on the common pattern."""
        entries = sparse.coo_array(matrix)
        entries.sum_duplicates()
        places = np.searchsorted(self._keys, entries.row.astype(np.int64) * self.equations.size + entries.col)
        data = np.zeros(len(self._keys), dtype=entries.dtype)
        data[places] = entries.data
        return data


@dataclass(frozen=True, eq=False)
class CycleEquations(Generic[MatrixT]):
    """Affine equations and the points at which they are taken, one for each time; nothing is integrated again."""

    equations: AffineEquations[MatrixT]
    points: OperatingPoint  # arrays over (T,)
    times: Array  # (T,)

    @property
    def size(self) -> int:
        """Number of coordinates n."""
        return self.equations.size

    @property
    def mass(self) -> MatrixT:
        """M."""
        return self.equations.mass

    @property
    def damping(self) -> MatrixT:
        """C without motion."""
        return self.equations.damping

    @property
    def stiffness(self) -> MatrixT:
        """K without motion."""
        return self.equations.stiffness

    @property
    def amounts(self) -> Array:
        """Coefficients of the parts of K that change: (T, parts)."""
        return self._weights[STIFFNESS]

    def at(self, instants: "IntArray | slice") -> "CycleEquations[MatrixT]":
        """Some of the instants."""
        return replace(self, points=self.points.some(instants), times=self.times[instants])

    def project(self, basis: Array) -> "CycleEquations[Array]":
        """On z = V y, V (n, r)."""
        return CycleEquations(self.equations.project(basis), self.points, self.times)

    def matrix_at(self, order: int, instant: int) -> MatrixT:
        """K (0) or C (1) at one instant."""
        return self.equations.matrix(order, self.points.some(instant))

    def damping_at(self, instants: "IntArray | slice") -> Array:
        """C at several instants, dense: (t, n, n)."""
        return self.equations.weighted_sum(DAMPING, self._weights[DAMPING][instants])

    def stiffness_at(self, instants: "IntArray | slice") -> Array:
        """K at several instants, dense: (t, n, n)."""
        return self.equations.weighted_sum(STIFFNESS, self._weights[STIFFNESS][instants])

    def load_at(self, instants: "IntArray | slice") -> Array:
        """f at several instants: (t, n)."""
        return np.asarray(self._weights[LOAD][instants] @ self.equations.unit_loads.T)

    @cached_property
    def _weights(self) -> dict[int, Array]:
        """Coefficients of all instants by order: (T, parts)."""
        varying = {order: self.equations.varying_weights(order, self.points) for order in (STIFFNESS, DAMPING)}
        return {LOAD: self.equations.weights(LOAD, self.points), **varying}


def along(equations: AffineEquations[MatrixT], points: OperatingPoint, times: Array) -> CycleEquations[MatrixT]:
    """The equations of the instants with only the parts that occur, one for each coefficient."""
    return CycleEquations(equations.active(points).merge(), points, np.asarray(times))
