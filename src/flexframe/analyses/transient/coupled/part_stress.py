"""The largest stress of an elastic body in a coupled motion, from blocks of its steps.

In solids, plane bodies and shells stress is linear in the coordinates: it is recovered once for each of them. Most
points and instants are passed over, as their stress cannot exceed the largest that was found. In beams, forces
between the nodes count too.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from flexframe.analyses.stress_watch import StressWatch
from flexframe.analyses.transient.coupled.elastic_parts import ElasticPart
from flexframe.analyses.transient.coupled.observed import Observed
from flexframe.assembly.stress_recovery import recovered_stress
from flexframe.assembly.stress_series import StressOperators
from flexframe.elements.contract import ElementBatch, is_loaded_inside
from flexframe.elements.integration import equivalent_stress
from flexframe.elements.stress_measures import is_linear
from flexframe.maths.arrays import Array, IntArray
from flexframe.results.peaks import StressHistory, StressPeak

_NUMBERS = 4_000_000  # stress components that are formed at once
_FIRST = 8  # instants looked at first, for a bound


@dataclass(frozen=True, eq=False)
class _Linear:
    """Components of stress at all points of a batch: rows that multiply the coordinates."""

    batch: ElementBatch
    rows: dict[str, Array]  # component → (points, m)
    positions: Array  # (points, 3)
    cells: IntArray  # (points,)

    def size(self, coordinates: Array, points: IntArray) -> Array:
        """Von Mises' stress at some points, Pa: (points, instants)."""
        values = {name: rows[points] @ coordinates.T for name, rows in self.rows.items()}
        return equivalent_stress(self.batch.family, values)

    def best(self, coordinates: Array, least: float) -> tuple[float, int, int] | None:
        """Largest stress above `least`, with its instant and point; None where there is none.

        Stress is a seminorm: over coordinates c in the principal directions v_k of a block it is at most
        Σ|c_k| σ(v_k), which leaves few points and instants.
        """
        every, instants = np.arange(len(self.positions)), np.arange(len(coordinates))
        _, _, directions = np.linalg.svd(coordinates, full_matrices=False)
        amounts = np.abs(coordinates @ directions.T)
        found: tuple[float, int, int] | None = None
        first = np.unique([*amounts.argmax(axis=0)[:_FIRST], *np.abs(coordinates).argmax(axis=0)[:_FIRST]])
        unit = self.size(directions, every)  # (points, directions)
        points = every
        for some in (first, instants):
            points = every[unit @ amounts.max(axis=0) > least]
            bound = amounts[some] @ unit[points].max(axis=0, initial=0.0)
            for part in _parts(some[bound > least], len(points) * len(self.rows)):
                size = self.size(coordinates[part], points)
                point, instant = np.unravel_index(int(size.argmax()), size.shape)
                if size[point, instant] > least:
                    least = float(size[point, instant])
                    found = least, int(part[instant]), int(points[point])
        return found


def _parts(instants: IntArray, numbers: int) -> list[IntArray]:
    stride = max(1, _NUMBERS // max(numbers, 1))
    return [instants[i : i + stride] for i in range(0, len(instants), stride)] if numbers else []


@dataclass(eq=False)
class PartStress:
    """Sees every step of one elastic body and remembers the peak."""

    part: ElasticPart
    peak: StressPeak | None = None
    _linear: list[_Linear] = field(init=False)
    _beams: bool = field(init=False)
    _operators: StressOperators = field(init=False)

    def __post_init__(self) -> None:
        self._operators = StressOperators(self.part.discrete, self.part.reduced.basis.vectors)
        discrete, vectors = self.part.discrete, self.part.reduced.basis.vectors
        self._beams = any(is_loaded_inside(batch.family) for batch in discrete.batches)
        self._linear = []
        if self._beams or not discrete.batches:
            return
        recovered = [recovered_stress(discrete, vector) for vector in vectors.T]
        for number, batch in enumerate(discrete.batches):
            first = recovered[0][number]
            names = [name for name in first.measures if is_linear(name)]
            rows = {n: np.stack([r[number].measures[n].ravel() for r in recovered], axis=1) for n in names}
            points = first.positions.reshape(-1, 3)
            cells = np.repeat(first.cells, len(points) // max(len(first.cells), 1))
            self._linear.append(_Linear(batch, rows, points, cells))

    def take(self, seen: Observed) -> None:
        """The next steps."""
        if self._beams:
            found = self._in_beams(seen)
            if found is not None:
                self._compare(found.peak)
            return
        coordinates, times = seen.bodies[self.part.name].deformation, seen.run.times
        for linear in self._linear:
            best = linear.best(coordinates, -1.0 if self.peak is None else self.peak.value)
            if best is not None:
                value, instant, point = best
                where = linear.positions[point], int(linear.cells[point])
                self._compare(StressPeak("von_mises", value, float(times[instant]), *where))

    def _compare(self, found: StressPeak) -> None:
        if self.peak is None or found.value > self.peak.value:
            self.peak = found

    def array(self) -> Array:
        """The peak as numbers, for a file."""
        assert self.peak is not None
        found, (y, z) = self.peak, self.peak.fibre or (np.nan, np.nan)
        along = np.nan if found.along is None else found.along
        return np.array([found.value, found.time, *found.place, found.cell, along, y, z])

    def restore(self, array: Array) -> None:
        """The peak that such a file holds."""
        value, time, *place, cell, along, y, z = (float(number) for number in array)
        beam = not np.isnan(along)
        self.peak = StressPeak(
            measure="von_mises" if np.isnan(y) else "fibre",
            value=value,
            time=time,
            place=np.array(place),
            cell=int(cell),
            along=along if beam else None,
            fibre=None if np.isnan(y) else (y, z),
        )

    def history(self, seen: Observed) -> StressHistory | None:
        """The largest stress at the stored instants, and the peak of all steps; None for a body without stress."""
        if self.peak is None:
            return None
        peak = replace(self.peak, strength=self.part.discrete.body.strength(self.peak.cell))
        if self._beams:
            found = self._in_beams(seen)
            assert found is not None
            return StressHistory(self.part.name, found.times, found.largest, peak, found.principal)
        coordinates, times = seen.bodies[self.part.name].deformation, seen.run.times
        largest = np.zeros(len(times))
        for linear in self._linear:
            every = np.arange(len(linear.positions))
            for some in _parts(np.arange(len(times)), len(every) * len(linear.rows)):
                largest[some] = np.maximum(largest[some], linear.size(coordinates[some], every).max(axis=0))
        return StressHistory(self.part.name, times, largest, peak)

    def _in_beams(self, seen: Observed) -> StressHistory | None:
        watch = StressWatch(self._operators)
        forces = seen.interior(self.part.name)
        watch.take(
            seen.run.times,
            seen.bodies[self.part.name].deformation,
            forces,
            np.arange(len(seen.run.times)),
            np.empty(0, dtype=np.int64),
        )
        return watch.history()
