"""The largest stress of a body over every step of a motion, from blocks of steps."""

from dataclasses import dataclass, field, replace

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.interior_forces import InteriorForces
from flexframe.assembly.stress_series import Largest, StressOperators, sign_of, stress_series
from flexframe.maths.arrays import Array, IntArray
from flexframe.results.peaks import MeasureHistory, StressHistory, StressPeak, StressRecord

_ROOM = 2_000_000  # displacements of a block
_SHORTEST, _LONGEST = 20, 600  # few enough for caches


def block_size(discrete: DiscreteBody) -> int:
    """Steps that are looked at together."""
    return int(np.clip(_ROOM // discrete.dofs.count, _SHORTEST, _LONGEST))


@dataclass(eq=False)
class StressWatch:
    """Sees every step, remembers the peak of each measure, and stores the history at some instants."""

    operators: StressOperators
    peaks: dict[str, StressPeak] = field(default_factory=dict)
    _times: list[Array] = field(default_factory=list)
    _stored: dict[str, list[Largest]] = field(default_factory=dict)
    _nodal: list[Array] = field(default_factory=list)

    def take(
        self, times: Array, displacements: Array, forces: InteriorForces, stored: IntArray, snapshots: IntArray
    ) -> None:
        """The next steps (T,); `stored` and `snapshots` are the numbers among them that are kept."""
        series = stress_series(self.operators, displacements, forces, snapshots)
        for name, found in series.largest.items():
            best = peak_of(name, times, found)
            before = self.peaks.get(name)
            if before is None or sign_of(name) * best.value > sign_of(name) * before.value:
                self.peaks[name] = best
            self._stored.setdefault(name, []).append(found.at(stored))
        self._times.append(times[stored])
        if series.nodal is not None and len(snapshots):
            self._nodal.append(series.nodal)

    def record(self) -> StressRecord | None:
        """Every measure; None for a body without stress."""
        if not self.peaks:
            return None
        measures = tuple(self._history(name) for name in self.peaks)
        return StressRecord(measures, np.concatenate(self._nodal) if self._nodal else None)

    def history(self) -> StressHistory | None:
        """The largest fibre or von Mises stress, with the principal stresses; None for a body without stress."""
        names = [name for name in ("fibre", "von_mises") if name in self.peaks]
        if not names:
            return None
        worst = max(names, key=lambda name: self.peaks[name].value)
        values = np.max([self._history(name).values for name in names], axis=0)
        principal = tuple(peak for name, peak in self.peaks.items() if name.startswith("principal"))
        times = np.concatenate(self._times)
        return StressHistory(self.operators.discrete.body.name, times, values, self._peak(worst), principal)

    def _peak(self, name: str) -> StressPeak:
        found = self.peaks[name]
        return replace(found, strength=self.operators.discrete.body.strength(found.cell))

    def _history(self, name: str) -> MeasureHistory:
        kept = self._stored[name]
        return MeasureHistory(
            measure=name,
            times=np.concatenate(self._times),
            values=np.concatenate([found.values for found in kept]),
            places=np.concatenate([found.places for found in kept]),
            cells=np.concatenate([found.cells for found in kept]),
            peak=self._peak(name),
        )


def peak_of(name: str, times: Array, found: Largest) -> StressPeak:
    """The extreme one of instants."""
    worst = int((sign_of(name) * found.values).argmax())
    in_beam = not np.isnan(found.along[worst])
    fibre = (float(found.fibres[worst, 0]), float(found.fibres[worst, 1]))
    return StressPeak(
        measure=name,
        value=float(found.values[worst]),
        time=float(times[worst]),
        place=found.places[worst],
        cell=int(found.cells[worst]),
        along=float(found.along[worst]) if in_beam else None,
        fibre=fibre if in_beam and name == "fibre" else None,
    )
