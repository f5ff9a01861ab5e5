"""Stress in geometrically exact beams, from where the sections at the ends of each element are.

Forces at the ends of elements are those with which the strain energy acts on the sections there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from flexframe.analyses.transient.coupled.observed import Observed
from flexframe.assembly.discrete import element_batches
from flexframe.elements.contract import ElementBatch, StructuralFamily
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.supports import NodeSelection
from flexframe.multibody.division.exact import ExactBeams, element_screws
from flexframe.multibody.division.pieces import Division
from flexframe.results.stress import StressHistory, StressPeak
from flexframe.sensors.readings import Reading


@dataclass(frozen=True, eq=False)
class EndForces:
    """Resultants N … Mz at both ends of every element over time, with what the sections make of them."""

    resultants: Array  # (T, elements, 2, 6)
    batches: tuple[tuple[ElementBatch, IntArray], ...]  # and the numbers of their elements

    def measures(self) -> dict[str, Array]:
        """Resultants and the largest normal stress of the section: (T, elements, 2) each."""
        names = ("N", "Vy", "Vz", "Mx", "My", "Mz")
        found = {name: self.resultants[..., i] for i, name in enumerate(names)}
        fibre, young = np.zeros(self.resultants.shape[:3]), np.ones(self.resultants.shape[1])
        for batch, own in self.batches:
            assert isinstance(batch.family, StructuralFamily)
            values = {name: value[:, own] for name, value in found.items()}
            fibre[:, own] = batch.family.stress_measures(values, batch.prop)["fibre"]
            young[own] = batch.prop.material.young
        return {**found, "fibre": fibre, "strain": fibre / young[:, None]}

    def worst_fibre(self, instant: int, element: int, end: int) -> tuple[float, float]:
        """Where in the section the largest stress is [m]."""
        names = ("N", "Vy", "Vz", "Mx", "My", "Mz")
        values = {name: self.resultants[instant, element, end, i] for i, name in enumerate(names)}
        for batch, own in self.batches:
            if element in own:
                assert isinstance(batch.family, StructuralFamily)
                place = batch.family.worst_fibre(values, batch.prop)
                assert place is not None, "beams have fibres"
                return float(place[..., 0]), float(place[..., 1])
        raise AssertionError("every element has a section")


def end_forces(seen: Observed, division: Division) -> EndForces:
    """Resultants of a body of exact beams at all instants."""
    own = division.exact
    assert own is not None
    pieces = [seen.bodies[piece.name] for piece in division.pieces]
    positions = np.stack([piece.positions for piece in pieces], axis=1)
    rotations = np.stack([piece.rotations for piece in pieces], axis=1)
    ends = own.law.end_forces(element_screws(own, positions, rotations))
    order = {int(cell): k for k, cell in enumerate(own.cells)}
    batches = [(b, np.array([order[int(c)] for c in b.cells])) for b in element_batches(division.whole)]
    return EndForces(ends, tuple(batches))


@dataclass(frozen=True, eq=False)
class ExactStress:
    """Measures at a node over time: resultants on the mean of the elements there, stress of the worst of them."""

    forces: EndForces
    ends: tuple[tuple[int, int], ...]  # elements that meet there, and which end of them

    @staticmethod
    def at(seen: Observed, division: Division, on: NodeSelection) -> "ExactStress":
        """At the elements that meet at a node."""
        assert division.exact is not None
        nodes = division.whole.selected_nodes(on)
        met = [(int(e), int(i)) for e, i in np.argwhere(np.isin(division.exact.nodes, nodes))]
        return ExactStress(end_forces(seen, division), tuple(met))

    def _found(self) -> dict[str, Array]:
        measures = self.forces.measures()
        each = {n: np.stack([v[:, e, i] for e, i in self.ends], axis=1) for n, v in measures.items()}
        return {n: v.max(axis=1) if n in ("fibre", "strain") else v.mean(axis=1) for n, v in each.items()}

    def stresses(self, measure: str | None) -> tuple[dict[str, Reading], str]:
        del measure  # all of them cost as much as one
        return {name: Reading(value) for name, value in self._found().items() if name != "strain"}, "fibre"

    def strains(self) -> dict[str, Reading]:
        return {"fibre": Reading(self._found()["strain"])}

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
        forces = end_forces(seen, self.division)
        measures = forces.measures()
        fibre = measures["fibre"]
        if not fibre.size:
            return
        self.strain = max(self.strain, float(measures["strain"].max()))
        instant, element, end = (int(i) for i in np.unravel_index(int(fibre.argmax()), fibre.shape))
        value = float(fibre[instant, element, end])
        if self.peak is not None and value <= self.peak.value:
            return
        cell = int(self._beams.cells[element])
        self.peak = StressPeak(
            measure="fibre",
            value=value,
            time=float(seen.run.times[instant]),
            place=self.division.whole.mesh.points[self._beams.nodes[element, end]],
            cell=cell,
            along=float(end),
            fibre=forces.worst_fibre(instant, element, end),
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
        largest = end_forces(seen, self.division).measures()["fibre"].max(axis=(1, 2))
        return StressHistory(self.division.name, seen.run.times, largest, replace(self.peak))
