"""Stress of a body at many instants: one operator for each element, applied to all displacements at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.stress_recovery import AccelerationField, nodal_extension, stress_measures
from flexframe.elements.contract import ElementBatch
from flexframe.elements.integration import StressField, stiffness_points, stress, stress_names
from flexframe.elements.properties import BeamProperty
from flexframe.maths.arrays import Array, IntArray

MEASURES = ("von_mises", "principal_max", "principal_min", "fibre")
_AT_ONCE = 4_000_000  # numbers of a table of stress


@dataclass(frozen=True, eq=False)
class Largest:
    """Largest value of a measure over a body at each instant, of `principal_min` the smallest, and its place."""

    values: Array  # Pa: (instants,)
    places: Array  # m: (instants, 3)
    cells: IntArray  # (instants,)


@dataclass(frozen=True, eq=False)
class StressSeries:
    """What a body went through."""

    largest: Mapping[str, Largest]
    nodal: Array | None  # von Mises stress averaged at the nodes at the pictures, Pa: (pictures, nodes)


def stress_points(discrete: DiscreteBody) -> int:
    """Number of points where stress is recovered."""
    return sum(batch.count * len(stiffness_points(batch.taken(slice(0, 1)))[0]) for batch in discrete.batches)


def stress_series(
    discrete: DiscreteBody, displacements: Array, body_forces: Sequence[AccelerationField], pictures: IntArray
) -> StressSeries:
    """Stress of displacements (instants, p) with the body force per mass of each instant.

    The body force matters inside beams only. `pictures` are the instants whose nodal stress is kept.
    """
    instants, nodes = len(displacements), discrete.body.mesh.node_count
    padded = np.concatenate([displacements, np.zeros((instants, 1))], axis=1)
    largest: dict[str, Largest] = {}
    total, count = np.zeros((len(pictures), nodes)), np.zeros(nodes)
    for batch in discrete.batches:
        for part in _pieces(batch, instants):
            moved = padded[:, discrete.dofs.of_elements(part)]
            values = _values(discrete, part, moved, body_forces)
            positions = stiffness_points(part)
            names = stress_names(part)
            measures = stress_measures(part, StressField(names, positions, values))
            for name in MEASURES:
                if name in measures:
                    _take(largest, name, measures[name], positions, part.cells)
            extension = nodal_extension(part)
            if extension is not None and len(pictures):
                at_nodes = np.einsum("ag,tegc->teac", extension, values[pictures])
                shown = stress_measures(part, StressField(names, part.coordinates, at_nodes))["von_mises"]
                for number, of_elements in enumerate(shown):
                    np.add.at(total[number], part.nodes, of_elements)
                np.add.at(count, part.nodes, 1.0)
    nodal = np.where(count > 0, total / np.maximum(count, 1), np.nan) if count.any() else None
    return StressSeries(largest, nodal)


def _pieces(batch: ElementBatch, instants: int) -> list[ElementBatch]:
    """Runs of elements whose stress at all instants is not too much at once."""
    points = len(stiffness_points(batch.taken(slice(0, 1)))[0])
    step = max(1, _AT_ONCE // (instants * points * 9))
    return [batch.taken(slice(start, start + step)) for start in range(0, batch.count, step)]


def _values(
    discrete: DiscreteBody, part: ElementBatch, moved: Array, body_forces: Sequence[AccelerationField]
) -> Array:
    """Components at the recovery points: (instants, elements, points, components)."""
    instants, elements, dofs = moved.shape
    # stress is linear in the displacements: a column for each of them
    columns = [stress(part, np.broadcast_to(unit, (elements, dofs))).values for unit in np.eye(dofs)]
    operator = np.stack(columns, axis=-1)
    shape = operator.shape[1:3]
    flat = operator.reshape(elements, -1, dofs) @ moved.transpose(1, 2, 0)
    values = np.moveaxis(flat.reshape(elements, *shape, instants), -1, 0)
    if isinstance(part.prop, BeamProperty):
        values = values + _between_nodes(discrete, part, body_forces)
    return np.asarray(values)


def _between_nodes(discrete: DiscreteBody, part: ElementBatch, body_forces: Sequence[AccelerationField]) -> Array:
    """What body forces b + Ax and line loads add inside beams, linear in the twelve numbers of b and A."""
    still = np.zeros((part.count, part.element_dofs))
    points, density = stiffness_points(part), part.prop.material.density
    line = np.broadcast_to(discrete.loads.line_density(part)[:, None], points.shape)
    total = stress(part, still, line, np.zeros((3, 3))).values
    constant = np.array([force(np.zeros((1, 3)))[0] for force in body_forces])
    gradient = np.array([(force(np.eye(3)) - force(np.zeros((1, 3)))).T for force in body_forces])
    out = np.broadcast_to(total, (len(body_forces), *total.shape)).copy()
    for axis in range(3):
        load = np.broadcast_to(density * np.eye(3)[axis], points.shape)
        made = stress(part, still, load, np.zeros((3, 3))).values
        out += np.multiply.outer(constant[:, axis], made)
        for along in range(3):
            unit = np.zeros((3, 3))
            unit[axis, along] = 1.0
            made = stress(part, still, density * points @ unit.T, unit).values
            out += np.multiply.outer(gradient[:, axis, along], made)
    return out


def _take(largest: dict[str, Largest], name: str, values: Array, positions: Array, cells: IntArray) -> None:
    """Let values (instants, elements, points) compete with what was found before."""
    instants, _, points = values.shape
    flat = values.reshape(instants, -1)
    sign = -1.0 if name == "principal_min" else 1.0
    place = (sign * flat).argmax(axis=1)
    found = flat[np.arange(instants), place]
    where, owner = positions.reshape(-1, 3)[place], cells[place // points]
    if name in largest:
        before = largest[name]
        better = sign * found > sign * before.values
        found = np.where(better, found, before.values)
        where = np.where(better[:, None], where, before.places)
        owner = np.where(better, owner, before.cells)
    largest[name] = Largest(found, where, owner)
