"""Stress, or stress resultants, at the quadrature points of the stiffness and where it is recovered."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexframe.elements.beam_lines import repeated_integral
from flexframe.elements.continuum import continuum_stiffness, mode_amounts, strain_gradients
from flexframe.elements.contract import (
    ElementBatch,
    Family,
    StructuralFamily,
    at_nodes,
    element_ends,
    is_enhanced,
    is_structural,
    rows_of_pieces,
)
from flexframe.elements.stress_measures import VOIGT_PLANE, VOIGT_SOLID, tensor_measures, von_mises
from flexframe.maths.arrays import Array


@dataclass(frozen=True)
class StressField:
    """Stress (Pa, Voigt order) or stress resultants at points of the elements."""

    names: tuple[str, ...]
    positions: Array  # (elements, points, 3)
    values: Array  # (elements, points, components)


def stress_names(batch: ElementBatch) -> tuple[str, ...]:
    """Names of the stress components that a batch recovers."""
    family = batch.family
    if is_structural(family):
        return family.resultants
    return {1: ("sxx",), 2: ("sxx", "syy", "sxy"), 3: ("sxx", "syy", "szz", "sxy", "syz", "szx")}[
        family.cell.dimension
    ]


def stress_measures(batch: ElementBatch, field: StressField, *, many: bool = False) -> dict[str, Array]:
    """Components and what follows from them at the same points, in the shape of the values but their last axis.

    Of `many` tensors the principal stresses are found in closed form.
    """
    values = {name: field.values[..., i] for i, name in enumerate(field.names)}
    if is_structural(batch.family):
        return batch.family.stress_measures(values, batch.prop)
    if len(field.names) == 1:
        return values | {"von_mises": np.abs(values["sxx"])}
    across = batch.prop.stress_across()
    if across is not None:
        values["szz"] = field.values @ across
    return values | tensor_measures(values, many=many)


def equivalent_stress(family: Family, values: Mapping[str, Any]) -> Any:
    """Von Mises' stress of components of any shape, of a shell the larger one of both surfaces, Pa."""
    return family.equivalent_stress(values) if is_structural(family) else von_mises(values)


def measure_unit(family: Family, measure: str) -> str:
    """Unit of a measure of stress: Pa, or that of a resultant."""
    return family.units.get(measure, "Pa") if is_structural(family) else "Pa"


def stress(
    batch: ElementBatch, displacements: Array, load: Array | None = None, gradient: Array | None = None
) -> StressField:
    """Stress of element displacements (elements, p) at the stiffness points.

    `load` is the force density (elements, points, 3) in N/m³ that acts inside the elements, `gradient` (3, 3) in
    1/s² how the force per mass varies across a section; beams complete their resultants with them.
    """
    family = batch.family
    names = stress_names(batch)
    if is_structural(family):
        return _structural(family, batch, displacements, load, gradient, stations=None)
    positions = stiffness_points(batch)
    at = strain_gradients(family, batch)
    nodal = displacements.reshape(batch.count, family.cell.nodes, -1)
    D = batch.prop.elasticity()
    if is_enhanced(family):
        _, amounts = mode_amounts(continuum_stiffness(at, D), family.cell.nodes)
        modes = np.einsum("emp,ep->em", amounts, displacements).reshape(batch.count, -1, nodal.shape[2])
        nodal = np.concatenate([nodal, modes], axis=1)
    if at.tangents is not None:
        strain = np.einsum("ega,egi,eai->eg", at.gradient[..., 0], at.tangents, nodal, optimize=True)[..., None]
        return StressField(names, positions, strain * D[0, 0])
    grad_u = np.einsum("egad,eai->egid", at.gradient, nodal, optimize=True)
    voigt = VOIGT_PLANE if family.cell.dimension == 2 else VOIGT_SOLID
    strain = np.stack([grad_u[..., i, k] + (grad_u[..., k, i] if i != k else 0.0) for i, k in voigt], axis=-1)
    return StressField(names, positions, strain @ D)


def recovery_field(
    batch: ElementBatch, displacements: Array, load: Array | None = None, gradient: Array | None = None
) -> StressField:
    """Stress as `stress` gives it, where it is looked at: resultants of beams at stations, the ends among them.

    The load is given at the stiffness points.
    """
    family = batch.family
    if is_structural(family) and family.stations is not None:
        return _structural(family, batch, displacements, load, gradient, stations=family.stations)
    return stress(batch, displacements, load, gradient)


def _structural(  # noqa: PLR0917
    family: StructuralFamily,
    batch: ElementBatch,
    displacements: Array,
    load: Array | None,
    gradient: Array | None,
    stations: Array | None,
) -> StressField:
    across = np.zeros((3, 3)) if gradient is None else gradient
    made = [
        _resultants(family, part, displacements[rows], None if load is None else load[rows], across, stations)
        for part, rows in rows_of_pieces(batch)
    ]
    positions, values = (np.concatenate(kind) for kind in zip(*made, strict=True))
    return StressField(family.resultants, positions, values)


def _resultants(  # noqa: PLR0917
    family: StructuralFamily,
    batch: ElementBatch,
    displacements: Array,
    load: Array | None,
    gradient: Array,
    stations: Array | None,
) -> tuple[Array, Array]:
    """Positions (elements, points, 3) and resultants (elements, points, strains)."""
    arms = family.arms(batch.coordinates, batch.prop)
    ends = element_ends(batch, arms)
    fields = family.strain_fields(ends, batch.prop)
    elements, points, strains, dofs = fields.resultant.shape
    operator = at_nodes(fields.resultant, arms).reshape(elements, points * strains, dofs)
    values = np.matmul(operator, displacements[..., None]).reshape(elements, points, strains)
    positions = fields.positions
    if stations is not None:
        # forces of nodal displacements are at most linear along a beam
        extension = repeated_integral(0, stations, points)
        positions, values = (np.einsum("sg,egi->esi", extension, kind) for kind in (positions, values))
    if load is not None:
        values = values + family.particular_resultants(ends, batch.prop, load, gradient, stations)
    return positions, values if stations is None else family.reported_resultants(values, batch.prop)


def recovery_points(batch: ElementBatch) -> Array:
    """Positions of the points where stress is looked at: (elements, points, 3)."""
    family, positions = batch.family, stiffness_points(batch)
    if is_structural(family) and family.stations is not None:
        return np.einsum("sg,egi->esi", repeated_integral(0, family.stations, positions.shape[1]), positions)
    return positions


def stiffness_points(batch: ElementBatch) -> Array:
    """Positions of the quadrature points of the stiffness: (elements, points, 3)."""
    family = batch.family
    if is_structural(family):
        return np.concatenate(
            [
                family.strain_fields(
                    element_ends(part, family.arms(part.coordinates, part.prop)), part.prop
                ).positions
                for part in batch.pieces()
            ]
        )
    return np.einsum("ga,eai->egi", family.shape(family.stiffness_rule.points), batch.coordinates)
