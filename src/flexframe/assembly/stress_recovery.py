"""Stress of a displaced body: at the points where it is most accurate, of beams at stations with both ends, and
averaged at the nodes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.stress_patches import has_products, polynomial_extension
from flexframe.elements.contract import ElementBatch, InterpolatedFamily, is_interpolated, is_structural
from flexframe.elements.fibres import fibre_stress, worst_fibre
from flexframe.elements.integration import StressField, recovery_field, stiffness_points, stress_across
from flexframe.elements.properties import BeamProperty, PlaneProperty, ShellProperty
from flexframe.elements.shell_quadrilateral import ShellQuadrilateral
from flexframe.elements.shell_triangle import ShellTriangle
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.principal import extreme_eigenvalues
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
        if not isinstance(self.batch.prop, BeamProperty):
            return None
        forces = (np.asarray(self.measures[name][element, point]) for name in ("N", "My", "Mz"))
        y, z = worst_fibre(self.batch.prop.section, *forces)
        return float(y), float(z)


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
    if isinstance(family, ShellTriangle | ShellQuadrilateral):
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


def _shell_measures(values: dict[str, Array], thickness: float) -> dict[str, Array]:
    """N, M, Q, and the stress N/t ± 6M/t² of the surfaces: "top" is where the normal points.

    Von Mises and principal stresses without the name of a surface are the extremes of both.
    """
    measures = {name: value for name, value in values.items() if name[0] in "NMQ"}
    for surface, side in (("top", 1.0), ("bottom", -1.0)):
        sxx, syy, sxy = (
            values[f"N{pair}"] / thickness + side * 6 * values[f"M{pair}"] / thickness**2
            for pair in ("xx", "yy", "xy")
        )
        measures |= {f"sxx_{surface}": sxx, f"syy_{surface}": syy, f"sxy_{surface}": sxy}
        measures[f"von_mises_{surface}"] = np.sqrt(sxx**2 - sxx * syy + syy**2 + 3 * sxy**2)
        # the stress across the surface is zero, one of the three principal values
        middle, radius = (sxx + syy) / 2, np.hypot((sxx - syy) / 2, sxy)
        largest, smallest = np.maximum(middle + radius, 0.0), np.minimum(middle - radius, 0.0)
        measures["principal_max"] = np.maximum(measures.get("principal_max", largest), largest)
        measures["principal_min"] = np.minimum(measures.get("principal_min", smallest), smallest)
    measures["von_mises"] = np.maximum(measures["von_mises_top"], measures["von_mises_bottom"])
    return measures


def stress_measures(batch: ElementBatch, field: StressField, *, many: bool = False) -> dict[str, Array]:
    """Components and what follows from them at the same points, in the shape of the values but their last axis.

    Of `many` tensors the principal stresses are found in closed form.
    """
    values = {name: field.values[..., i] for i, name in enumerate(field.names)}
    if isinstance(batch.prop, BeamProperty):
        values["fibre"] = fibre_stress(batch.prop.section, values["N"], values["My"], values["Mz"])
        return values
    if isinstance(batch.prop, ShellProperty):
        return _shell_measures(values, batch.prop.thickness)
    if len(field.names) == 1:
        return values | {"von_mises": np.abs(values["sxx"])}
    tensor = np.zeros((*field.values.shape[:-1], 3, 3))
    for name, value in values.items():
        i, j = "xyz".index(name[1]), "xyz".index(name[2])
        tensor[..., i, j] = tensor[..., j, i] = value
    if isinstance(batch.prop, PlaneProperty) and batch.prop.state == "strain":
        tensor[..., 2, 2] = field.values @ stress_across(batch.prop)
        values["szz"] = tensor[..., 2, 2]
    mean = np.trace(tensor, axis1=-2, axis2=-1) / 3
    deviator = tensor - mean[..., None, None] * np.eye(3)
    if many:
        smallest, largest = extreme_eigenvalues(tensor)
    else:
        principal = np.linalg.eigvalsh(tensor)
        smallest, largest = principal[..., 0], principal[..., 2]
    return values | {
        "von_mises": np.sqrt(1.5 * np.einsum("...ij,...ij->...", deviator, deviator)),
        "principal_max": largest,
        "principal_min": smallest,
    }
