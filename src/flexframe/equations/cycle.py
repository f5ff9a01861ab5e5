"""The equations of a body along the instants of a motion."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic

import numpy as np

from flexframe.equations.affine import AffineEquations
from flexframe.equations.operating_point import OperatingPoint
from flexframe.equations.parts import DAMPING, LOAD, STIFFNESS, MatrixT
from flexframe.maths.arrays import Array, IntArray


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
        return self.equations.summed(DAMPING, self._weights[DAMPING][instants])

    def stiffness_at(self, instants: "IntArray | slice") -> Array:
        """K at several instants, dense: (t, n, n)."""
        return self.equations.summed(STIFFNESS, self._weights[STIFFNESS][instants])

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
    return CycleEquations(equations.active(points).merged(), points, np.asarray(times))
