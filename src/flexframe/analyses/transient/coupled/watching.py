"""What is seen of every step of a coupled motion: extremes of sensors, of forces in joints and of stress."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from flexframe.analyses.stress_watch import block_size
from flexframe.analyses.transient.coupled.division import BodyStress, ElasticSystem
from flexframe.analyses.transient.coupled.exact_stress import ExactBodyStress
from flexframe.analyses.transient.coupled.observed import Observed
from flexframe.maths.arrays import Array
from flexframe.multibody.contract import Simulation
from flexframe.multibody.integrators.recording import some_samples
from flexframe.multibody.signals import Reported
from flexframe.results.peaks import Extremes, Peaks
from flexframe.sensors.contract import Sensor, read_all

_LONGEST = 2000


@dataclass(eq=False)
class Watch:
    """Sees the steps of a motion in blocks, as one pass over arrays, and remembers extremes only."""

    elastic: ElasticSystem
    sensors: Mapping[str, Sensor]
    reported: Sequence[Reported] = ()  # outputs of controllers and loads of state
    seconds: float = 0.0  # that looking took
    stress: dict[str, BodyStress | ExactBodyStress] = field(init=False)
    _seen: dict[str, Extremes] = field(default_factory=dict)
    _forces: dict[str, Extremes] = field(default_factory=dict)
    _after: dict[str, list[Array]] = field(default_factory=dict)  # of instants that are seen twice: time, values
    _last: float = float("nan")  # time of the step before
    _size: int = field(init=False)

    def __post_init__(self) -> None:
        self.stress = self.elastic.stress()
        self._size = min((block_size(part.discrete) for part in self.elastic.parts.values()), default=_LONGEST)

    def take(self, run: Simulation) -> None:
        """The next steps."""
        began = perf_counter()
        for begin in range(0, len(run.times), self._size):
            self._look(Observed.of(some_samples(run, slice(begin, begin + self._size)), self.elastic.parts))
        self.seconds += perf_counter() - began

    def _look(self, seen: Observed) -> None:
        times = seen.run.times

        def take(into: dict[str, Extremes], name: str, values: Array) -> None:
            own = into.setdefault(name, Extremes())
            (own.take_in_order if seen.run.divided else own.take)(times, values)

        found = {name: each.values.reshape(len(times), -1) for name, each in read_all(self.sensors, seen).items()}
        found |= {each.name: seen.run.signals[:, each.signals] for each in self.reported}
        for name, values in found.items():
            take(self._seen, name, values)
            if times[0] == self._last:  # an event: what was seen before and after it
                self._after.setdefault(name, []).append(np.append(times[0], values[0]))
        self._last = float(times[-1])
        for link in seen.links:
            columns = [np.linalg.norm(vectors, axis=1) for vectors in seen.wrench(link.name)]
            if link in seen.system.drives:
                columns += list(seen.multipliers(link.name).T)
            take(self._forces, link.name, np.stack(columns, axis=1))
        for part in self.stress.values():
            part.take(seen)

    def sensor_peaks(self, name: str) -> tuple[Peaks, ...]:
        """Of each component of a sensor."""
        return self._seen[name].peaks()

    def at_events(self, name: str, events: Sequence[float]) -> Array:
        """What a sensor saw right after events at these times, NaN where it did not: (events, components)."""
        rows = {float(row[0]): row[1:] for row in self._after.get(name, ())}
        nothing = np.full(len(self._seen[name].least[0]), np.nan)
        return np.array([rows.get(time, nothing) for time in events]).reshape(len(events), len(nothing))

    @property
    def force_peaks(self) -> dict[str, tuple[Peaks, ...]]:
        """Of the sizes of force [N] and moment [N m] of each joint and drive, of drives then of what they need."""
        return {name: found.peaks() for name, found in self._forces.items()}

    @property
    def key(self) -> str:
        """What the remembered numbers belong to."""
        return repr(sorted(self.sensors.items()))

    def arrays(self) -> dict[str, Array]:
        """Everything that is remembered, for a file."""
        out = {f"seen_{name}": found.array() for name, found in self._seen.items()}
        out |= {f"forces_{name}": found.array() for name, found in self._forces.items()}
        out |= {f"after_{name}": np.array(rows) for name, rows in self._after.items()}
        return out | {
            f"stress_{name}": part.array() for name, part in self.stress.items() if part.peak is not None
        }

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Remember what such a file holds."""
        for kind, target in (("seen_", self._seen), ("forces_", self._forces)):
            target |= {n[len(kind) :]: Extremes.from_array(v) for n, v in arrays.items() if n.startswith(kind)}
        self._after |= {n.removeprefix("after_"): list(v) for n, v in arrays.items() if n.startswith("after_")}
        for name, part in self.stress.items():
            if f"stress_{name}" in arrays:
                part.restore(arrays[f"stress_{name}"])
