"""Steps in time of the equations of a cycle, y'' + C(t) y' + K(t) y = f(t), as maps x ↦ Φx + g of x = (y, y').

Frozen steps hold the coefficients over a step and go through it exactly, by the matrix exponential: freezing at
the middle of a step is of second order, at its start (rigid motion freezing, as in the older literature) of first.
Gauss's method with two stages lets the coefficients change within the step; it is of fourth order.

A motion that repeats has a response that repeats: x = (1 − Φ_P)⁻¹ g_P with the map of one period. Eigenvalues of
Φ_P (Floquet's multipliers) decide whether disturbances grow.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import scipy.linalg

from flexframe.equations.cycle import CycleEquations
from flexframe.errors import AnalysisError
from flexframe.maths.arrays import Array, ComplexArray

_CHUNK = 200  # steps whose maps are made together
_RESONANT = 1e-10


class StepMethod(Protocol):
    """How the coefficients enter a step."""

    @property
    def name(self) -> str: ...
    @property
    def order(self) -> int: ...
    @property
    def places(self) -> tuple[float, ...]:
        """Where in a step, from 0 to 1, the coefficients are taken."""
        ...

    def maps(self, states: tuple[Array, ...], loads: tuple[Array, ...], step: float) -> tuple[Array, Array]:
        """Φ (s, 2r, 2r) and g (s, 2r) of several steps, from the state matrices and loads at the places."""
        ...


@dataclass(frozen=True)
class FrozenSteps:
    """Coefficients held over a step at its middle (second order) or at its start (first order)."""

    place: float = 0.5

    @property
    def name(self) -> str:
        where = "middle" if self.place == 0.5 else "start" if self.place == 0 else f"{self.place:g}"
        return f"frozen steps, exact propagator, frozen at the {where} of the step"

    @property
    def order(self) -> int:
        return 2 if self.place == 0.5 else 1

    @property
    def places(self) -> tuple[float, ...]:
        return (self.place,)

    def maps(self, states: tuple[Array, ...], loads: tuple[Array, ...], step: float) -> tuple[Array, Array]:
        (A,), (b,) = states, loads
        count, size = A.shape[:2]
        # exp of [[A, b], [0, 0]] holds ∫exp(As) ds b in its last column
        whole = np.zeros((count, size + 1, size + 1))
        whole[:, :size, :size], whole[:, :size, size] = A, b
        done = scipy.linalg.expm(step * whole)
        return np.asarray(done[:, :size, :size]), np.asarray(done[:, :size, size])


@dataclass(frozen=True)
class GaussSteps:
    """Two-stage Gauss–Legendre: coefficients change within the step; energy of a conservative body is kept."""

    name: ClassVar[str] = "Gauss–Legendre, two stages, continuous coefficients"
    order: ClassVar[int] = 4
    places: ClassVar[tuple[float, ...]] = (0.5 - np.sqrt(3) / 6, 0.5 + np.sqrt(3) / 6)

    def maps(self, states: tuple[Array, ...], loads: tuple[Array, ...], step: float) -> tuple[Array, Array]:
        (A, B), (a, b) = states, loads
        size = A.shape[1]
        one = np.eye(size)
        w = ((0.25, 0.25 - np.sqrt(3) / 6), (0.25 + np.sqrt(3) / 6, 0.25))
        system = np.concatenate(
            [
                np.concatenate([one - step * w[0][0] * A, -step * w[0][1] * A], axis=2),
                np.concatenate([-step * w[1][0] * B, one - step * w[1][1] * B], axis=2),
            ],
            axis=1,
        )
        right = np.concatenate(
            [np.concatenate([A, a[..., None]], axis=2), np.concatenate([B, b[..., None]], axis=2)], axis=1
        )
        stages = np.linalg.solve(system, right)
        both = step / 2 * (stages[:, :size] + stages[:, size:])
        return one + both[:, :, :size], both[:, :, size]


@dataclass(frozen=True, eq=False)
class StepMaps:
    """The maps of all steps of a run, made piece by piece; coefficients are those at the places of the method."""

    method: StepMethod
    step: float
    coefficients: tuple[CycleEquations[Array], ...]  # one for each place, its instants are the steps; M = 1

    @property
    def count(self) -> int:
        """Number of steps."""
        return len(self.coefficients[0].times)

    @property
    def size(self) -> int:
        """Number of coordinates r; the state has twice as many."""
        return self.coefficients[0].size

    @property
    def _scale(self) -> float:
        """A frequency; y' over it is comparable with y, so that exponentials need few squarings."""
        return float(np.sqrt(np.linalg.norm(self.coefficients[0].stiffness) + 1e-300))

    def pieces(self) -> Iterator[tuple[Array, Array]]:
        """Φ and g of some steps at a time, in their order, for x = (scale · y, y')."""
        r, scale = self.size, self._scale
        for start in range(0, self.count, _CHUNK):
            chunk = slice(start, min(start + _CHUNK, self.count))
            states, loads = [], []
            for equations in self.coefficients:
                A = np.zeros((chunk.stop - chunk.start, 2 * r, 2 * r))
                A[:, :r, r:] = scale * np.eye(r)
                A[:, r:, :r] = -equations.stiffness_at(chunk) / scale
                A[:, r:, r:] = -equations.damping_at(chunk)
                b = np.zeros(A.shape[:2])
                b[:, r:] = equations.load_at(chunk)
                states.append(A)
                loads.append(b)
            yield self.method.maps(tuple(states), tuple(loads), self.step)

    def run(self, displacements: Array, rates: Array) -> tuple[Array, Array]:
        """y and y' at the ends of all steps, the start first: (count + 1, r) each."""
        r, scale = self.size, self._scale
        x = np.concatenate([scale * displacements, rates])
        out = np.empty((self.count + 1, 2 * r))
        out[0] = x
        number = 0
        for maps, offsets in self.pieces():
            for map_, offset in zip(maps, offsets, strict=True):
                x = map_ @ x + offset
                number += 1
                out[number] = x
        return out[:, :r] / scale, out[:, r:]

    def period(self) -> "PeriodMap":
        """The map of all steps together."""
        whole, offset = np.eye(2 * self.size), np.zeros(2 * self.size)
        for maps, offsets in self.pieces():
            for map_, g in zip(maps, offsets, strict=True):
                whole, offset = map_ @ whole, map_ @ offset + g
        return PeriodMap(whole, offset, self._scale)


@dataclass(frozen=True, eq=False)
class PeriodMap:
    """x ↦ Φx + g over one period, x = (scale · y, y')."""

    matrix: Array
    offset: Array
    scale: float

    @property
    def multipliers(self) -> ComplexArray:
        """Floquet's multipliers, the largest first."""
        values = np.linalg.eigvals(self.matrix).astype(complex)
        return values[np.argsort(-np.abs(values))]

    def periodic_start(self) -> tuple[Array, Array]:
        """y and y' that come back to themselves."""
        size = len(self.offset) // 2
        system = np.eye(2 * size) - self.matrix
        values = np.linalg.svd(system, compute_uv=False)
        if values[-1] < _RESONANT * max(1.0, float(values[0])):
            raise AnalysisError(
                "no periodic response: a natural motion of the link has the period of the cycle (resonance "
                "without damping); give the body damping, or another speed"
            )
        x = np.linalg.solve(system, self.offset)
        return np.asarray(x[:size] / self.scale), np.asarray(x[size:])
