"""Stress through a motion: the largest value of each measure, where and when."""

from dataclasses import dataclass
from typing import Any

from flexframe.maths.arrays import Array, IntArray


def beam_place(along: float | None, fibre: tuple[float, float] | None) -> dict[str, Any]:
    """What a summary says of a place in a beam, nothing for other bodies."""
    out: dict[str, Any] = {} if along is None else {"along": along}
    return out if fibre is None else out | {"fibre_m": list(fibre)}


def safety(measure: str, value: float, strength: float | None) -> dict[str, float]:
    """Strength and factor of safety of a fibre or von Mises stress, where a strength is given."""
    if strength is None or measure not in ("fibre", "von_mises") or not value:
        return {}
    return {"strength_Pa": strength, "safety": strength / abs(value)}


@dataclass(frozen=True, eq=False)
class StressPeak:
    """The extreme value of one measure of stress over all steps, and where and when it is."""

    measure: str
    value: float  # Pa
    time: float  # s
    place: Array  # in the mesh, of a beam on its axis, m: (3,)
    cell: int
    along: float | None = None  # of a beam: 0 at its first node … 1
    fibre: tuple[float, float] | None = None  # of a beam: (y, z) in its section, m
    strength: float | None = None  # of the material there, Pa

    def summary(self) -> dict[str, Any]:
        """Value, time and place."""
        return {
            "value": self.value,
            "unit": "Pa",
            "at_s": self.time,
            "place_m": self.place.tolist(),
            "cell": self.cell,
            **beam_place(self.along, self.fibre),
            **safety(self.measure, self.value, self.strength),
        }

    @property
    def words(self) -> str:
        """Where it is, in words."""
        where = f"cell {self.cell}"
        if self.along is not None:
            where += f", {100 * self.along:.3g} % along"
        if self.fibre is not None:
            y, z = (1e3 * place + 0.0 for place in self.fibre)  # −0 is 0
            where += f", fibre y {y:.4g}, z {z:.4g} mm"
        return where


@dataclass(frozen=True, eq=False)
class MeasureHistory:
    """The largest value of a stress measure over a body at the stored instants, of `principal_min` the smallest.

    The peak is that of all steps.
    """

    measure: str
    times: Array  # s: (instants,)
    values: Array  # Pa: (instants,)
    places: Array  # in the mesh, m: (instants, 3)
    cells: IntArray  # (instants,)
    peak: StressPeak

    def summary(self) -> dict[str, Any]:
        """Value, time and place of the peak."""
        return self.peak.summary()


@dataclass(frozen=True, eq=False)
class StressRecord:
    """Every measure through the motion, and the nodal von Mises stress that snapshots show."""

    measures: tuple[MeasureHistory, ...]
    nodal: Array | None  # averaged at the nodes, Pa: (snapshots, nodes); None for beams


@dataclass(frozen=True, eq=False)
class StressHistory:
    """Largest stress of a body of a mechanism over time, and where and when it is largest of all steps."""

    body: str
    times: Array  # stored instants, s: (instants,)
    largest: Array  # Pa, over the body: (instants,)
    peak: StressPeak
    principal: tuple[StressPeak, ...] = ()  # largest and smallest principal stress of plane bodies, shells, solids

    @property
    def measure(self) -> str:
        """Which stress it is."""
        return self.peak.measure

    @property
    def value(self) -> float:
        """The largest of all, Pa."""
        return self.peak.value

    @property
    def time(self) -> float:
        """When that is, s."""
        return self.peak.time

    @property
    def place(self) -> Array:
        """Where that is in the mesh, m: (3,)."""
        return self.peak.place

    @property
    def cell(self) -> int:
        """In which cell."""
        return self.peak.cell

    def summary(self) -> dict[str, Any]:
        peak = self.peak
        return {
            "measure": peak.measure,
            "max_Pa": peak.value,
            "at_s": peak.time,
            "place": peak.place.tolist(),
            "cell": peak.cell,
            **beam_place(peak.along, peak.fibre),
            **safety(peak.measure, peak.value, peak.strength),
            "principal": {
                found.measure: {
                    "value_Pa": found.value,
                    "at_s": found.time,
                    "place": found.place.tolist(),
                    "cell": found.cell,
                }
                for found in self.principal
            },
        }
