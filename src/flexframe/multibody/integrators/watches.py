"""What is watched along the steps of a motion: its energy balance, and coordinates that pass given values."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from scipy.interpolate import BarycentricInterpolator
from scipy.optimize import brentq

from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion
from flexframe.multibody.constraints import ConstraintSet
from flexframe.multibody.contract import ENERGIES, DynamicState, Simulation
from flexframe.multibody.histories import configuration_of
from flexframe.multibody.states import Configuration, placed


@dataclass(eq=False)
class EnergyWatch:
    """Extremes of the energies at the ends of steps up to an end, and of stored energy less work."""

    end: float
    _least: Array = field(default_factory=lambda: np.full(len(ENERGIES) + 1, np.inf))
    _most: Array = field(default_factory=lambda: np.full(len(ENERGIES) + 1, -np.inf))

    def take(self, block: Simulation) -> None:
        """Some steps, each given by its end and its middle; samples, whose times increase, are left out."""
        ends = np.flatnonzero((np.diff(block.times) < 0) & (block.times[:-1] <= self.end))
        if len(ends):
            values = _with_balance(block)[ends]
            self._least = np.minimum(self._least, values.min(axis=0))
            self._most = np.maximum(self._most, values.max(axis=0))

    @property
    def key(self) -> str:
        """What the extremes belong to."""
        return repr(self.end)

    def arrays(self) -> dict[str, Array]:
        """The extremes, as copies."""
        return {"least": self._least.copy(), "most": self._most.copy()}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Go on from such extremes."""
        self._least, self._most = arrays["least"], arrays["most"]

    def drift(self, run: Simulation) -> float:
        """Largest change of the balance since the start of a motion, relative to the largest energy involved."""
        start = _with_balance(run)[0]
        changes = np.maximum(np.maximum(self._most, start) - start, start - np.minimum(self._least, start))
        largest = max(float(changes[:-1].max()), float(self._most[0]), float(start[0]))
        return float(changes[-1]) / largest if largest else 0.0


def _with_balance(run: Simulation) -> Array:
    """Energies, and in a last column stored energy less work: (T, 9)."""
    return np.column_stack([run.energies, run.energy_balance])


Motion = Callable[[Array, Callable[[Simulation], None] | None], Simulation]
"""The motion from its start at given times, always by the same steps, which an observer is shown."""

_NODES = 0.5 - 0.5 * np.cos(np.linspace(0.0, np.pi, 17))
"""Chebyshev's, of half a step: far more than the degree of any interpolation."""


@dataclass(frozen=True)
class _Between:
    """A coordinate passes its value between two times of one step."""

    row: int
    before: float
    after: float


class _PassedError(Exception):
    """Enough is seen."""


@dataclass(eq=False)
class _Search:
    """Looks at ends and middles of steps for changes of sign."""

    coordinates: ConstraintSet
    end: float
    once: bool
    last: tuple[float, Array]  # time and gaps
    found: list[_Between] = field(default_factory=list)

    def take(self, block: Simulation) -> None:
        """Some steps, each given by its end and its middle; samples, whose times increase, are left out."""
        if (np.diff(block.times) > 0).all():
            return
        order, gaps = np.argsort(block.times), _gaps(self.coordinates, configuration_of(block), block.times)
        times = np.append(self.last[0], block.times[order])
        gaps = np.concatenate([self.last[1][None], gaps[order]])
        round_the_back = self.coordinates.turns & (np.abs(gaps[:-1] - gaps[1:]) > np.pi)  # of an angle
        changes = (gaps[:-1] * gaps[1:] < 0) & ~round_the_back
        here = [
            _Between(int(row), float(times[k]), float(times[k + 1]))
            for k, row in zip(*np.nonzero(changes), strict=True)
            if times[k] < self.end
        ]
        self.found += here
        self.last = float(times[-1]), gaps[-1]
        if here and self.once:
            raise _PassedError


def passages(
    motion: Motion,
    start: DynamicState,
    end: float,
    coordinates: ConstraintSet,
    *,
    planar: bool,
    once: bool = False,
) -> tuple[tuple[str, float], ...]:
    """Names of the coordinates and times at which they pass their values, in order; `once` looks for the first."""
    span = np.array([start.time, end])
    here = placed(
        start.positions[None],
        rotation_from_quaternion(start.quaternions)[None],
        start.angles[None] if planar else None,
    )
    search = _Search(coordinates, end, once, (start.time, _gaps(coordinates, here, span[:1])[0]))
    with suppress(_PassedError):
        motion(span, search.take)
    if not search.found:
        return ()
    nodes = [between.before + (between.after - between.before) * _NODES for between in search.found]
    instants = np.unique(np.concatenate([span[:1], *nodes]))
    found = []
    again = motion(instants, None)
    gaps = _gaps(coordinates, configuration_of(again), again.times)
    for between, own in zip(search.found, nodes, strict=True):
        values = gaps[np.searchsorted(again.times, own), between.row]
        found.append((coordinates.owners[between.row], _root(own, values)))
    happened = sorted((event for event in found if event[1] <= end), key=lambda event: event[1])
    return tuple(happened[:1] if once else happened)


def _root(nodes: Array, values: Array) -> float:
    """Where the polynomial through values at nodes is zero; the nearer end where rounding hides that."""
    if values[0] * values[-1] >= 0:
        return float(nodes[0] if abs(values[0]) < abs(values[-1]) else nodes[-1])
    polynomial = BarycentricInterpolator(nodes, values)
    return float(brentq(lambda time: float(polynomial(time)), nodes[0], nodes[-1], xtol=1e-15))


def _gaps(coordinates: ConstraintSet, configuration: Configuration, times: Array) -> Array:
    """Coordinates less their values: (T, coordinates)."""
    return coordinates.residual(coordinates.values(configuration, times)[0], coordinates.targets(times))
