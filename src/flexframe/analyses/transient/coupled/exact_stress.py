"""Stress in geometrically exact beams, from the forces of their sections.

At the ends of elements sections carry what the element exerts on the bodies there, of strain, inertia and loads;
in between they are in balance with weight, inertia and loads (`core/include/flexframe/beam_interior.hpp`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from flexframe import _core
from flexframe.analyses.transient.coupled.observed import Observed
from flexframe.assembly.discrete import element_batches
from flexframe.elements.contract import ElementBatch, StructuralFamily
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.supports import NodeSelection
from flexframe.multibody.division.exact import ExactBeams
from flexframe.multibody.division.pieces import Division
from flexframe.multibody.mechanism import law_values
from flexframe.results.peaks import StressHistory, StressPeak
from flexframe.sensors.contract import Reading

NAMES = ("N", "Vy", "Vz", "Mx", "My", "Mz")
STATIONS = np.linspace(0.0, 1.0, 5)
"""Sections of each element that are looked at; between them forces are the polynomial through all of them."""

_FINE = np.linspace(0.0, 1.0, 257)  # where the largest stress of one element is looked for


@dataclass(frozen=True, eq=False)
class SectionForces:
    """Resultants N … Mz at the stations of every element over time, with what the sections make of them."""

    resultants: Array  # (T, elements, stations, 6)
    batches: tuple[tuple[ElementBatch, IntArray], ...]  # and the numbers of their elements

    def measures(self) -> dict[str, Array]:
        """Resultants and the largest normal stress of the section: (T, elements, stations) each."""
        found = {name: self.resultants[..., i] for i, name in enumerate(NAMES)}
        fibre, young = np.zeros(self.resultants.shape[:3]), np.ones(self.resultants.shape[1])
        for batch, own in self.batches:
            assert isinstance(batch.family, StructuralFamily)
            values = {name: value[:, own] for name, value in found.items()}
            fibre[:, own] = batch.family.stress_measures(values, batch.prop)["fibre"]
            young[own] = batch.prop.material.young
        return {**found, "fibre": fibre, "strain": fibre / young[:, None]}

    def worst(self, instant: int, element: int) -> tuple[float, float, tuple[float, float]]:
        """The largest stress of an element, where along it, and where in the section [m]."""
        resultants = _POLYNOMIAL @ self.resultants[instant, element]
        values = {name: resultants[:, i] for i, name in enumerate(NAMES)}
        for batch, own in self.batches:
            if element in own:
                assert isinstance(batch.family, StructuralFamily)
                fibre = batch.family.stress_measures(values, batch.prop)["fibre"]
                here = int(fibre.argmax())
                place = batch.family.worst_fibre({name: v[here] for name, v in values.items()}, batch.prop)
                assert place is not None, "beams have fibres"
                return float(fibre[here]), float(_FINE[here]), (float(place[..., 0]), float(place[..., 1]))
        raise AssertionError("every element has a section")


def _interpolation() -> Array:
    """Values at fine places by those at the stations: (fine, stations)."""
    powers = np.arange(len(STATIONS))
    return np.asarray(_FINE[:, None] ** powers @ np.linalg.inv(STATIONS[:, None] ** powers))


_POLYNOMIAL = _interpolation()


def section_forces(seen: Observed, division: Division) -> SectionForces:
    """Resultants of a body of exact beams at all instants."""
    own, run = division.exact, seen.run
    assert own is not None
    system, times = run.system, run.times
    before = [d.exact.lengths for d in seen.divisions.values() if d.exact is not None]
    number = [d.name for d in seen.divisions.values() if d.exact is not None].index(division.name)
    factors = np.zeros((len(times), len(system.tables.beams.laws)))
    for k, law in enumerate(system.tables.beams.laws):
        factors[:, k] = law_values(system.laws[law], times, run.signals)
    out = np.empty((len(times), len(own.lengths), len(STATIONS), 6))
    _core.beam_resultants(
        system.compiled,
        sum(map(len, before[:number])),
        np.ascontiguousarray(run.positions),
        np.ascontiguousarray(run.quaternions),
        np.ascontiguousarray(run.velocities),
        np.ascontiguousarray(run.accelerations),
        system.mechanism.gravity_at(times, run.signals),
        factors,
        STATIONS,
        out,
    )
    order = {int(cell): k for k, cell in enumerate(own.cells)}
    batches = [(b, np.array([order[int(c)] for c in b.cells])) for b in element_batches(division.whole)]
    return SectionForces(out, tuple(batches))


@dataclass(frozen=True, eq=False)
class ExactStress:
    """Measures at a node over time: resultants on the mean of the elements there, stress of the worst of them."""

    forces: SectionForces
    ends: tuple[tuple[int, int], ...]  # elements that meet there, and which of their stations

    @staticmethod
    def at(seen: Observed, division: Division, on: NodeSelection) -> "ExactStress":
        """At the elements that meet at a node."""
        assert division.exact is not None
        nodes = division.whole.selected_nodes(on)
        last = len(STATIONS) - 1
        met = [(int(e), last * int(i)) for e, i in np.argwhere(np.isin(division.exact.nodes, nodes))]
        return ExactStress(section_forces(seen, division), tuple(met))

    def _find(self) -> dict[str, Array]:
        measures = self.forces.measures()
        each = {n: np.stack([v[:, e, i] for e, i in self.ends], axis=1) for n, v in measures.items()}
        return {n: v.max(axis=1) if n in ("fibre", "strain") else v.mean(axis=1) for n, v in each.items()}

    def stresses(self, measure: str | None) -> tuple[dict[str, Reading], str]:
        del measure  # all of them cost as much as one
        return {name: Reading(value) for name, value in self._find().items() if name != "strain"}, "fibre"

    def strains(self) -> dict[str, Reading]:
        return {"fibre": Reading(self._find()["strain"])}

    def unit(self, measure: str) -> str:
        return "Pa" if measure == "fibre" else "N m" if measure.startswith("M") else "N"


def largest_strains(watches: Mapping[str, Any]) -> dict[str, float]:
    """Of every body of exact beams among what sees stress."""
    return {name: watch.strain for name, watch in watches.items() if isinstance(watch, ExactBodyStress)}


@dataclass(eq=False)
class ExactBodyStress:
    """Sees every step of a body of exact beams and remembers the largest stress and the largest strain."""

    division: Division
    peak: StressPeak | None = None
    strain: float = 0.0
    _beams: ExactBeams = field(init=False)

    def __post_init__(self) -> None:
        assert self.division.exact is not None
        self._beams = self.division.exact

    def take(self, seen: Observed) -> None:
        """The next steps."""
        forces = section_forces(seen, self.division)
        measures = forces.measures()
        fibre = measures["fibre"]
        if not fibre.size:
            return
        self.strain = max(self.strain, float(measures["strain"].max()))
        instant, element, _ = (int(i) for i in np.unravel_index(int(fibre.argmax()), fibre.shape))
        value, along, place = forces.worst(instant, element)
        if self.peak is not None and value <= self.peak.value:
            return
        cell = int(self._beams.cells[element])
        ends = self.division.whole.mesh.points[self._beams.nodes[element]]
        self.peak = StressPeak(
            measure="fibre",
            value=value,
            time=float(seen.run.times[instant]),
            place=ends[0] + along * (ends[1] - ends[0]),
            cell=cell,
            along=along,
            fibre=place,
            strength=self.division.whole.strength(cell),
        )

    def array(self) -> Array:
        """The peak as numbers, for a file."""
        assert self.peak is not None and self.peak.fibre is not None and self.peak.along is not None
        found = self.peak
        place = [*found.place, found.cell, self.peak.along, *self.peak.fibre]
        return np.array([self.strain, found.value, found.time, *place])

    def restore(self, array: Array) -> None:
        """The peak that such a file holds."""
        self.strain, value, time, *place, cell, along, y, z = (float(number) for number in array)
        strength = self.division.whole.strength(int(cell))
        self.peak = StressPeak("fibre", value, time, np.array(place), int(cell), along, (y, z), strength)

    def history(self, seen: Observed) -> StressHistory | None:
        """The largest stress at the stored instants, and the peak of all steps."""
        if self.peak is None:
            return None
        largest = section_forces(seen, self.division).measures()["fibre"].max(axis=(1, 2))
        return StressHistory(self.division.name, seen.run.times, largest, replace(self.peak))
