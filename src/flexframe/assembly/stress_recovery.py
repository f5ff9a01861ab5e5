"""Stress of a displaced body: at the points where it is most accurate, of beams at stations with both ends, and
averaged at the nodes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.stress_patches import has_products, polynomial_extension
from flexframe.elements.contract import (
    ElementBatch,
    InterpolatedFamily,
    is_interpolated,
    is_structural,
    is_surface,
)
from flexframe.elements.integration import StressField, recovery_field, stiffness_points, stress_measures
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.shapes import cell_geometry

AccelerationField = Callable[[Array], Array]
"""Positions (…, 3) → body force per mass (…, 3), a linear function."""


@dataclass(frozen=True, eq=False)
class RecoveredStress:
    """Stress measures of one batch at its recovery points."""

    cells: IntArray  # (elements,)
    positions: Array  # (elements, points, 3)
    measures: Mapping[
        str, Array
    ]  # name → (elements, points), Pa; beams also N, V [N], M [N m]; shells N, Q, M for each m
    nodal: Mapping[str, Array]  # name → (elements, nodes), extrapolated
    batch: ElementBatch

    def fibre(self, element: int, point: int) -> tuple[float, float] | None:
        """(y, z) [m] of the fibre with the largest normal stress of a beam's section, None elsewhere."""
        family = self.batch.family
        there = {name: np.asarray(values[element, point]) for name, values in self.measures.items()}
        found = family.worst_fibre(there, self.batch.prop) if is_structural(family) else None
        return None if found is None else (float(found[0]), float(found[1]))


def along_beam(batch: ElementBatch, point: int) -> float | None:
    """Where along a beam (0 … 1) one of its recovery points is, None for other elements."""
    if is_structural(batch.family) and batch.family.stations is not None:
        return float(batch.family.stations[point])
    return None


def recovered_stress(
    discrete: DiscreteBody, displacements: Array, acceleration: AccelerationField | None = None
) -> tuple[RecoveredStress, ...]:
    """Stress of nodal displacements (p,) for each batch of elements.

    `acceleration` is the body force per mass inside the elements, linear in the position; with it, and with the
    line loads of the body, the resultants of beams are exact between the nodes too.
    """
    padded = np.append(displacements, 0.0)
    out = []
    for batch in discrete.batches:
        load = gradient = None
        if acceleration is not None and not is_interpolated(batch.family):
            load = batch.prop.material.density * acceleration(stiffness_points(batch))
            load = load + discrete.loads.line_density(batch)[:, None]
            gradient = (acceleration(np.eye(3)) - acceleration(np.zeros((1, 3)))).T
        field = recovery_field(batch, padded[discrete.dofs.of_elements(batch)], load, gradient)
        measures = stress_measures(batch, field)
        nodal = {}
        to_nodes = nodal_extension(batch)
        if to_nodes is not None:
            components = {name: field.values[..., i] @ to_nodes.T for i, name in enumerate(field.names)}
            at_nodes = StressField(
                field.names, batch.coordinates, np.stack([components[name] for name in field.names], axis=-1)
            )
            nodal = stress_measures(batch, at_nodes)
        out.append(RecoveredStress(batch.cells, field.positions, measures, nodal, batch))
    return tuple(out)


def nodal_extension(batch: ElementBatch) -> Array | None:
    """Values at the recovery points extended to the nodes, None for beams: (nodes, points)."""
    family = batch.family
    if is_interpolated(family):
        return extrapolation(family)
    if is_surface(family):
        # as many points as corners: the polynomials of the cell pass through all values
        return np.asarray(np.linalg.inv(cell_geometry(family.cell).shape(family.rule.points)), dtype=float)
    return None


def averaged_at_nodes(discrete: DiscreteBody, recovered: tuple[RecoveredStress, ...]) -> dict[str, Array]:
    """Mean over the elements at each node of every measure, NaN where no element has it: (nodes,) each."""
    size = discrete.body.mesh.node_count
    averages = {}
    for measure in dict.fromkeys(name for part in recovered for name in part.nodal):
        total, count = np.zeros(size), np.zeros(size)
        for batch, part in zip(discrete.batches, recovered, strict=True):
            if measure in part.nodal:
                np.add.at(total, batch.nodes, part.nodal[measure])
                np.add.at(count, batch.nodes, 1.0)
        averages[measure] = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    return averages


def extrapolation(family: InterpolatedFamily) -> Array:
    """Least-squares extension of values at the stiffness points to the nodes: (nodes, points).

    The polynomial is the richest one of total degree family.degree (all products up to it on squares and cubes)
    that the points determine.
    """
    nodes = reference_nodes(family)
    return polynomial_extension(family.stiffness_rule, nodes, family.degree, products=has_products(family))


def reference_nodes(family: InterpolatedFamily) -> Array:
    """Reference coordinates of the nodes, where φ_a = 1: (nodes, dimension)."""
    # every family has its nodes on the lattice of halves of its reference cell
    lattice = np.array(list(np.ndindex(*(5,) * family.cell.dimension))) / 2.0 - 1.0
    values = family.shape(lattice)
    hit = (np.abs(values - 1) < 1e-12) & (np.abs(np.abs(values).sum(axis=1) - 1) < 1e-12)[:, None]
    return np.stack([lattice[np.argmax(hit[:, a])] for a in range(family.cell.nodes)])
