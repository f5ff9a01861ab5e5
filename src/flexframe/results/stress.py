"""Stress through a motion: the largest value of each measure, where and when."""

from dataclasses import dataclass
from typing import Any

from flexframe.maths.arrays import Array, IntArray


@dataclass(frozen=True, eq=False)
class MeasureHistory:
    """The largest value of a stress measure over a body at each instant, of `principal_min` the smallest."""

    measure: str
    times: Array  # s: (instants,)
    values: Array  # Pa: (instants,)
    places: Array  # in the mesh, m: (instants, 3)
    cells: IntArray  # (instants,)

    @property
    def peak(self) -> int:
        """The instant of the largest value of all, of `principal_min` the smallest."""
        return int(self.values.argmin() if self.measure == "principal_min" else self.values.argmax())

    def summary(self) -> dict[str, Any]:
        """Value, time and place of the peak."""
        peak = self.peak
        return {
            "value": float(self.values[peak]),
            "unit": "Pa",
            "at_s": float(self.times[peak]),
            "place_m": self.places[peak].tolist(),
            "cell": int(self.cells[peak]),
        }


@dataclass(frozen=True, eq=False)
class StressRecord:
    """Every measure through the motion, and the nodal von Mises stress that pictures show."""

    measures: tuple[MeasureHistory, ...]
    nodal: Array | None  # averaged at the nodes, Pa: (pictures, nodes); None for beams
