"""How far the stress of a body is from being converged: recovered stress against that of the elements."""

from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.shell_averages import smoothed_resultants
from flexframe.assembly.stress_patches import (
    SampledStress,
    has_products,
    polynomial_extension,
    recovered_nodal_stress,
)
from flexframe.elements.contract import ElementBatch, is_interpolated
from flexframe.elements.integration import elasticity, stress, stress_across, volume_weights
from flexframe.elements.properties import PlaneProperty, Property, ShellProperty
from flexframe.elements.shell_common import local_axes
from flexframe.elements.shell_elasticity import shell_elasticity
from flexframe.maths.arrays import Array


@dataclass(frozen=True, eq=False)
class StressError:
    """Estimated error of the stress in the energy norm ‖σ‖² = ∫σᵀD⁻¹σ dV (Zienkiewicz and Zhu).

    σ* of plane and solid elements comes from fits to patches of them or, with triangles and tetrahedra, from
    averages at the nodes, that of shells from averages of membrane forces and moments. Beams and bars are not
    judged: their forces are exact between the nodes. For quadratic tetrahedra the estimate is too large by up to a
    third.
    """

    cells: Array  # ‖σ* − σ‖ of each cell, √J; NaN for cells that are not judged: (cells,)
    stress: Array  # root mean square of σ* − σ in each cell as a von Mises stress, Pa: (cells,)
    norm: float  # ‖σ‖ of the cells that are judged, √J

    @property
    def estimate(self) -> float:
        """‖σ* − σ‖ of the body, √J."""
        return float(np.sqrt(np.nansum(self.cells**2)))

    @property
    def relative(self) -> float:
        """Part of the whole: η = ‖σ* − σ‖ / √(‖σ‖² + ‖σ* − σ‖²)."""
        whole = np.hypot(self.norm, self.estimate)
        return self.estimate / float(whole) if whole else 0.0

    @property
    def worst(self) -> int:
        """The cell with the largest error."""
        return int(np.nanargmax(self.cells))


@dataclass(frozen=True, eq=False)
class _Judged:
    """‖σ* − σ‖² and ‖σ‖² of each element, and σ* − σ as a mean von Mises stress: (elements,) each."""

    error: Array
    energy: Array
    stress: Array


def stress_error(discrete: DiscreteBody, displacements: Array) -> StressError | None:
    """Error of the stress of nodal displacements (p,); None for a body of beams and bars only."""
    padded = np.append(displacements, 0.0)
    solids: dict[Property, list[SampledStress]] = {}
    shells: dict[ShellProperty, list[tuple[ElementBatch, Array]]] = {}
    for batch in discrete.batches:
        family, prop = batch.family, batch.prop
        if is_interpolated(family) and family.cell.dimension > 1:
            values = stress(batch, padded[discrete.dofs.of_elements(batch)]).values
            solids.setdefault(prop, []).append(SampledStress(family, batch, values))
        elif isinstance(prop, ShellProperty):
            values = stress(batch, padded[discrete.dofs.of_elements(batch)]).values
            shells.setdefault(prop, []).append((batch, values))
    if not solids and not shells:
        return None
    mesh = discrete.body.mesh
    cells, means = np.full((2, mesh.cell_count), np.nan)
    energy = 0.0
    # stress may jump where the material or the thickness changes: each is smoothed by itself
    judged = [(part.batch, found) for parts in solids.values() for part, found in _solids(mesh.points, parts)]
    judged += [(batch, found) for parts in shells.values() for batch, found in _shells(mesh.node_count, parts)]
    for batch, found in judged:
        cells[batch.cells], means[batch.cells] = np.sqrt(np.maximum(found.error, 0)), found.stress
        energy += float(found.energy.sum())
    return StressError(cells, means, float(np.sqrt(energy)))


def _solids(points: Array, parts: list[SampledStress]) -> list[tuple[SampledStress, _Judged]]:
    nodal = recovered_nodal_stress(points, parts)
    out = []
    for part in parts:
        family, batch = part.family, part.batch
        rule = family.mass_rule
        products = has_products(family)
        inside = polynomial_extension(family.stiffness_rule, rule.points, family.degree, products=products)
        computed = np.einsum("gk,ekc->egc", inside, part.values)
        recovered = np.einsum("ga,eac->egc", family.shape(rule.points), nodal[batch.nodes])
        compliance = np.asarray(np.linalg.inv(elasticity(batch.prop)), dtype=float)[None]
        weights = volume_weights(family, batch, rule)
        difference = recovered - computed
        mises = _form(difference, _mises(batch.prop)[None])
        error, energy = ((weights * _form(v, compliance)).sum(axis=1) for v in (difference, computed))
        mean = np.sqrt((weights * mises).sum(axis=1) / weights.sum(axis=1))
        out.append((part, _Judged(error, energy, mean)))
    return out


def _shells(node_count: int, parts: list[tuple[ElementBatch, Array]]) -> list[tuple[ElementBatch, _Judged]]:
    out = []
    for (batch, _), resultants in zip(parts, smoothed_resultants(node_count, parts), strict=True):
        prop = batch.prop
        assert isinstance(prop, ShellProperty)
        t = prop.thickness
        plane = shell_elasticity(prop, local_axes(batch.coordinates)).plane
        compliance = np.asarray(np.linalg.inv(plane), dtype=float)
        weights = resultants.areas
        error, energy = (
            (weights * (_form(v[..., :3], compliance) / t + _form(v[..., 3:], compliance) * 12 / t**3)).sum(axis=1)
            for v in (resultants.recovered - resultants.computed, resultants.computed)
        )
        membrane, bending = np.split(resultants.recovered - resultants.computed, 2, axis=-1)
        sides = [_form(membrane / t + side * 6 * bending / t**2, _PLANE_MISES[None]) for side in (-1, 1)]
        mean = np.sqrt((weights * np.maximum(*sides)).sum(axis=1) / weights.sum(axis=1))
        out.append((batch, _Judged(error, energy, mean)))
    return out


def _form(values: Array, matrix: Array) -> Array:
    """vᵀQv of values (elements, points, c) with Q (elements or 1, c, c): (elements, points)."""
    return np.asarray(((values @ matrix) * values).sum(axis=-1))


_PLANE_MISES = np.array([[1.0, -0.5, 0], [-0.5, 1, 0], [0, 0, 3]])
_MISES = np.diag([1.5, 1.5, 1.5, 3, 3, 3]) - np.pad(np.full((3, 3), 0.5), (0, 3))


def _mises(prop: Property) -> Array:
    """Q with σ_v² = σᵀQσ of the components in Voigt order."""
    if not isinstance(prop, PlaneProperty):
        return _MISES
    if prop.state == "stress":
        return _PLANE_MISES
    whole = np.zeros((6, 3))  # σzz follows from the plane components
    whole[[0, 1, 3], [0, 1, 2]] = 1.0
    whole[2] = stress_across(prop)
    return np.asarray(whole.T @ _MISES @ whole)
