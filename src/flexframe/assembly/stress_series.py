"""Stress of a body at many instants: one operator for each element, applied to all displacements at once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.interior_forces import BeamOperator, ElementRows, InteriorForces, beam_operator
from flexframe.assembly.stress_recovery import nodal_extension
from flexframe.elements.contract import ElementBatch, is_loaded_inside, is_structural
from flexframe.elements.integration import (
    StressField,
    recovery_field,
    recovery_points,
    stress_measures,
    stress_names,
)
from flexframe.maths.arrays import Array, IntArray

MEASURES = ("von_mises", "principal_max", "principal_min", "fibre")
_AT_ONCE = 4_000_000  # numbers of a table of stress
_KEPT = 5_000_000  # numbers of operators that are kept


@dataclass(frozen=True, eq=False)
class Largest:
    """Largest value of a measure over a body at each instant, of `principal_min` the smallest, and its place.

    In beams `along` says how far along the cell that is (0 … 1), and `fibres` where in the section; NaN elsewhere.
    """

    values: Array  # Pa: (instants,)
    places: Array  # m: (instants, 3)
    cells: IntArray  # (instants,)
    along: Array  # (instants,)
    fibres: Array  # (y, z), m: (instants, 2)

    def at(self, instants: IntArray) -> "Largest":
        """Some of the instants."""
        return Largest(
            values=self.values[instants],
            places=self.places[instants],
            cells=self.cells[instants],
            along=self.along[instants],
            fibres=self.fibres[instants],
        )

    def against(self, other: "Largest", sign: float) -> "Largest":
        """The better of both at each instant."""
        better = sign * other.values > sign * self.values
        return Largest(
            values=np.where(better, other.values, self.values),
            places=np.where(better[:, None], other.places, self.places),
            cells=np.where(better, other.cells, self.cells),
            along=np.where(better, other.along, self.along),
            fibres=np.where(better[:, None], other.fibres, self.fibres),
        )


@dataclass(frozen=True, eq=False)
class StressSeries:
    """What a body went through."""

    largest: Mapping[str, Largest]
    nodal: Array | None  # von Mises stress averaged at the nodes at the snapshots, Pa: (snapshots, nodes)


@dataclass(frozen=True, eq=False)
class StressOperator:
    """Components of stress at the recovery points of some elements, as matrices that serve all instants."""

    batch: ElementBatch
    positions: Array  # of the recovery points: (elements, points, 3)
    rows: ElementRows  # points · components
    beams: BeamOperator | None  # of what acts between the nodes

    def components(self, displacements: Array, forces: InteriorForces) -> Array:
        """Of displacements (T, p), with the forces inside beams: (T, elements, points, components)."""
        values = self.rows.times(displacements)
        if self.beams is not None:
            values += self.beams.resultants(forces)
        return np.moveaxis(values.reshape(*self.positions.shape[:2], -1, len(displacements)), -1, 0)


def stress_operator(discrete: DiscreteBody, batch: ElementBatch, basis: Array | None = None) -> StressOperator:
    """The operator of some elements of a body, of a reduced one where `basis` (dofs, m) is given."""
    # stress is linear in the displacements: a column for each of them
    shape = (batch.count, batch.element_dofs)
    columns = [recovery_field(batch, np.broadcast_to(unit, shape)).values for unit in np.eye(batch.element_dofs)]
    rows = np.stack(columns, axis=-1)
    return StressOperator(
        batch=batch,
        positions=recovery_points(batch),
        rows=ElementRows.of(discrete, batch, rows.reshape(batch.count, -1, batch.element_dofs), basis),
        beams=beam_operator(discrete, batch, basis) if is_loaded_inside(batch.family) else None,
    )


@dataclass(frozen=True, eq=False)
class StressOperators:
    """The elements of a body in pieces whose stress at all instants of a block is not too much at once.

    Operators are kept where they are not too many, and made anew for each block elsewhere.
    """

    discrete: DiscreteBody
    basis: Array | None = None  # displacements of the coordinates of a reduced body: (dofs, m)
    _kept: list[StressOperator] = field(default_factory=list)

    def pieces(self, instants: int) -> Iterator[StressOperator]:
        """One after the other."""
        batches = [part for batch in self.discrete.batches for part in _pieces(batch, instants)]
        if not batches:  # a body of given matrices
            return
        width = self.discrete.batches[0].element_dofs if self.basis is None else self.basis.shape[1]
        numbers = sum(part.count * _points(part) * 6 * width for part in batches)
        if numbers > _KEPT:
            yield from (stress_operator(self.discrete, part, self.basis) for part in batches)
            return
        if [part.count for part in batches] != [operator.batch.count for operator in self._kept]:
            self._kept[:] = [stress_operator(self.discrete, part, self.basis) for part in batches]
        yield from self._kept


def stress_series(
    operators: StressOperators, displacements: Array, forces: InteriorForces, snapshots: IntArray
) -> StressSeries:
    """Stress of displacements (instants, p) with the forces inside the body at each instant.

    These matter in beams only. `snapshots` are the instants whose nodal stress is kept.
    """
    nodes = operators.discrete.body.mesh.node_count
    largest: dict[str, Largest] = {}
    total, count = np.zeros((len(snapshots), nodes)), np.zeros(nodes)
    for operator in operators.pieces(len(displacements)):
        part, names = operator.batch, stress_names(operator.batch)
        values = operator.components(displacements, forces)
        measures = stress_measures(part, StressField(names, operator.positions, values), many=True)
        for name in MEASURES:
            if name in measures:
                found = _largest(operator, name, measures, values)
                best = largest.get(name)
                largest[name] = found if best is None else best.against(found, sign_of(name))
        extension = nodal_extension(part)
        if extension is not None and len(snapshots):
            at_nodes = np.einsum("ag,tegc->teac", extension, values[snapshots])
            shown = stress_measures(part, StressField(names, part.coordinates, at_nodes))["von_mises"]
            for number, of_elements in enumerate(shown):
                np.add.at(total[number], part.nodes, of_elements)
            np.add.at(count, part.nodes, 1.0)
    nodal = np.where(count > 0, total / np.maximum(count, 1), np.nan) if count.any() else None
    return StressSeries(largest, nodal)


def sign_of(measure: str) -> float:
    """−1 where the smallest value counts."""
    return -1.0 if measure == "principal_min" else 1.0


def _points(batch: ElementBatch) -> int:
    return len(recovery_points(batch.take(slice(0, 1)))[0])


def _pieces(batch: ElementBatch, instants: int) -> list[ElementBatch]:
    """Runs of elements whose stress at all instants is not too much at once."""
    step = max(1, _AT_ONCE // (instants * _points(batch) * 9))
    return [batch.take(slice(start, start + step)) for start in range(0, batch.count, step)]


def _largest(operator: StressOperator, name: str, measures: Mapping[str, Array], components: Array) -> Largest:
    """The best of a measure (instants, elements, points); `components` are those that it comes from."""
    part, positions = operator.batch, operator.positions
    instants, _, points = measures[name].shape
    place = (sign_of(name) * measures[name].reshape(instants, -1)).argmax(axis=1)
    # once more at the places that were found, where principal stresses are not those of the closed form
    there = components[np.arange(instants), place // points, place % points]
    best = stress_measures(part, StressField(stress_names(part), positions, there))
    along, fibres = np.full(instants, np.nan), np.full((instants, 2), np.nan)
    family = part.family
    if is_structural(family) and family.stations is not None:
        along = family.stations[place % points]
        found = family.worst_fibre(best, part.prop)
        fibres = fibres if found is None else found
    return Largest(best[name], positions.reshape(-1, 3)[place], part.cells[place // points], along, fibres)
