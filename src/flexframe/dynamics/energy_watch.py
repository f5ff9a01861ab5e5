"""Energy balance of a motion along its steps, whatever samples of it are kept."""

from dataclasses import dataclass, field

import numpy as np

from flexframe.dynamics.contract import Simulation
from flexframe.maths.arrays import Array


@dataclass(eq=False)
class EnergyWatch:
    """Extremes of the energies at the ends of steps up to an end, and of stored energy less work."""

    end: float
    _least: Array = field(default_factory=lambda: np.full(8, np.inf))
    _most: Array = field(default_factory=lambda: np.full(8, -np.inf))

    def take(self, block: Simulation) -> None:
        """Some steps, each given by its end and its middle; samples, whose times increase, are left out."""
        ends = np.flatnonzero((np.diff(block.times) < 0) & (block.times[:-1] <= self.end))
        if len(ends):
            values = _with_balance(block)[ends]
            self._least = np.minimum(self._least, values.min(axis=0))
            self._most = np.maximum(self._most, values.max(axis=0))

    def drift(self, run: Simulation) -> float:
        """Largest change of the balance since the start of a motion, relative to the largest energy involved."""
        start = _with_balance(run)[0]
        changes = np.maximum(np.maximum(self._most, start) - start, start - np.minimum(self._least, start))
        largest = max(float(changes[:-1].max()), float(self._most[0]), float(start[0]))
        return float(changes[-1]) / largest if largest else 0.0


def _with_balance(run: Simulation) -> Array:
    """Energies, and in a last column stored energy less work: (T, 8)."""
    energies = run.energies
    return np.column_stack([energies, run.stored_energy - energies[:, 4] - energies[:, 5] + energies[:, 6]])
