"""Stress of one body through its motion in time."""

from dataclasses import dataclass, field

import numpy as np

from flexframe.analyses.body_forces import frame_body_force
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.equations import Terms
from flexframe.assembly.stress_series import stress_points, stress_series
from flexframe.maths.arrays import Array, IntArray
from flexframe.motion.laws import MotionLaw
from flexframe.results.stress import MeasureHistory, StressRecord
from flexframe.results.transient import thinned

_INSTANTS = 4000
_ROOM = 20_000_000  # displacements that are kept
_POINTS = 3_000_000  # points and instants whose stress is found
_FEWEST = 50


@dataclass(eq=False)
class FollowedStress:
    """Collects displacements, and finds their stress at the end.

    All instants are looked at, or evenly spread ones where there are too many; `pictures` are always among them.
    """

    discrete: DiscreteBody
    times: Array
    pictures: IntArray  # numbers of the times whose nodal stress is kept
    chosen: IntArray = field(init=False)
    _shapes: list[Array] = field(default_factory=list)

    def __post_init__(self) -> None:
        fits = min(_INSTANTS, _ROOM // self.discrete.dofs.count, _POINTS // stress_points(self.discrete))
        spread = thinned(len(self.times), max(fits, _FEWEST))
        self.chosen = np.union1d(spread, self.pictures)

    @property
    def notices(self) -> tuple[str, ...]:
        """What the reader must know."""
        if len(self.chosen) == len(self.times):
            return ()
        return (f"stress was found at {len(self.chosen)} of {len(self.times)} instants; a peak between is missed",)

    def take(self, number: int, displacements: Array) -> None:
        """The body at the time of that number; numbers come in order."""
        place = len(self._shapes)
        if place < len(self.chosen) and self.chosen[place] == number:
            self._shapes.append(displacements.copy())

    def record(self, law: MotionLaw, terms: Terms) -> StressRecord | None:
        """Every measure over time; None where the body has none."""
        times = self.times[self.chosen]
        gravity = self.discrete.loads.gravity
        forces = [frame_body_force(law.at(float(t)), terms, gravity) for t in times]
        pictures = np.searchsorted(self.chosen, self.pictures)
        series = stress_series(self.discrete, np.array(self._shapes), forces, pictures)
        if not series.largest:
            return None
        measures = tuple(
            MeasureHistory(name, times, found.values, found.places, found.cells)
            for name, found in series.largest.items()
        )
        return StressRecord(measures, series.nodal)
