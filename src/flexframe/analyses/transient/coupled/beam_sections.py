"""Stress in the sections of beams at one place of an elastic body, in balance with what acts between the nodes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexframe.analyses.transient.coupled.elastic_parts import ElasticPart
from flexframe.analyses.transient.coupled.stress_rows import Measure
from flexframe.assembly.interior_forces import InteriorForces
from flexframe.assembly.stress_series import StressOperator, stress_operator
from flexframe.elements.contract import is_loaded_inside
from flexframe.elements.integration import (
    StressField,
    measure_unit,
    recovery_points,
    stress_measures,
    stress_names,
)
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.supports import NodeSelection
from flexframe.sensors.contract import Reading

_SAME = 1e-9  # distance of sections that count as one, in sizes of the body


@dataclass(frozen=True, eq=False)
class BeamSections:
    """All sections of beams at a place: those of several cells where they meet in a node."""

    places: tuple[tuple[StressOperator, IntArray], ...]  # elements, and which of their stations


@dataclass(frozen=True, eq=False)
class BeamStress:
    """Measures at such a place over time: resultants on the mean, fibre stress or strain of the worst cell."""

    sections: BeamSections
    forces: InteriorForces
    beside: "BeamStress | None" = None  # of another part of a divided body, where two of them meet

    def stresses(self, measure: Measure | None) -> tuple[dict[str, Reading], str]:
        del measure  # all of them cost as much as one
        mean, worst = self._find()
        return {name: Reading(v) for name, v in (mean | {"fibre": worst["fibre"]}).items()}, "fibre"

    def strains(self) -> dict[str, Reading]:
        return {"fibre": Reading(self._find()[1]["strain"])}

    def unit(self, measure: Measure) -> str:
        return measure_unit(self.sections.places[0][0].batch.family, measure)

    def _find(self) -> tuple[dict[str, Array], dict[str, Array]]:
        found = self._cells()
        joined = {name: np.concatenate(parts, axis=1) for name, parts in found.items()}
        worst = {name: joined.pop(name).max(axis=1) for name in ("fibre", "strain")}
        return {name: values.mean(axis=1) for name, values in joined.items()}, worst

    def _cells(self) -> dict[str, list[Array]]:
        """Measures of all cells at the place: (instants, cells) each."""
        deformation = self.forces.deformation
        assert deformation is not None, "a coupled motion knows how its bodies deform"
        found: dict[str, list[Array]] = {} if self.beside is None else self.beside._cells()
        for operator, stations in self.sections.places:
            values, batch = operator.components(deformation.displacements, self.forces), operator.batch
            there = values[:, np.arange(batch.count), stations]  # (instants, elements, 6)
            field = StressField(stress_names(batch), batch.coordinates, there)
            measures = stress_measures(batch, field)
            measures["strain"] = measures["fibre"] / batch.prop.material.young
            for name, value in measures.items():
                found.setdefault(name, []).append(value)
        return found


def joined_sections(parts: Sequence[BeamStress]) -> BeamStress:
    """The sections of all cells at a place where parts of a body meet."""
    first, *others = parts
    return first if not others else replace(first, beside=joined_sections(others))


def beam_sections(part: ElasticPart, on: NodeSelection) -> BeamSections:
    """The sections that are nearest to the selected nodes (to their mean place)."""
    discrete = part.discrete
    place = discrete.body.mesh.points[discrete.body.selected_nodes(on)].mean(axis=0)
    beams = [batch for batch in discrete.batches if is_loaded_inside(batch.family)]
    distances = [np.linalg.norm(recovery_points(batch) - place, axis=-1) for batch in beams]
    least = min(float(away.min()) for away in distances) + _SAME * discrete.size
    chosen = []
    for batch, away in zip(beams, distances, strict=True):
        elements, stations = np.nonzero(away <= least)
        if elements.size:
            chosen.append((stress_operator(discrete, batch.take(elements), part.reduced.basis.vectors), stations))
    return BeamSections(tuple(chosen))
