"""How far the stress of a body is from being converged: recovered stress against that of the elements."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.stress_patches import (
    SampledStress,
    has_products,
    polynomial_extension,
    recovered_nodal_stress,
)
from flexframe.assembly.stress_recovery import nodal_extension
from flexframe.elements.contract import ElementBatch, is_interpolated, is_surface
from flexframe.elements.integration import stress, volume_weights
from flexframe.elements.properties import Property
from flexframe.elements.shell_common import BENDING, MEMBRANE
from flexframe.maths.arrays import Array
from flexframe.mesh.shapes import cell_geometry

_FOLD = np.cos(np.radians(20))  # shorter means of unit normals are those of an edge, where moments may jump


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
    shells: dict[Property, list[tuple[ElementBatch, Array]]] = {}
    for batch in discrete.batches:
        family, prop = batch.family, batch.prop
        if is_interpolated(family) and family.cell.dimension > 1:
            values = stress(batch, padded[discrete.dofs.of_elements(batch)]).values
            solids.setdefault(prop, []).append(SampledStress(family, batch, values))
        elif is_surface(family):
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
        compliance = np.asarray(np.linalg.inv(batch.prop.elasticity()), dtype=float)[None]
        weights = volume_weights(family, batch, rule)
        difference = recovered - computed
        mises = _form(difference, _mises(batch)[None])
        error, energy = ((weights * _form(v, compliance)).sum(axis=1) for v in (difference, computed))
        mean = np.sqrt((weights * mises).sum(axis=1) / weights.sum(axis=1))
        out.append((part, _Judged(error, energy, mean)))
    return out


def _shells(node_count: int, parts: list[tuple[ElementBatch, Array]]) -> list[tuple[ElementBatch, _Judged]]:
    out = []
    for (batch, _), resultants in zip(parts, _smoothed_resultants(node_count, parts), strict=True):
        family, t = batch.family, batch.prop.extent
        assert is_surface(family)
        compliance = family.compliance(batch.coordinates, batch.prop)
        weights = resultants.areas
        error, energy = (
            (weights * _form(v, compliance)).sum(axis=1)
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


def _mises(batch: ElementBatch) -> Array:
    """Q with σ_v² = σᵀQσ of the components in Voigt order."""
    if batch.family.cell.dimension == 3:
        return _MISES
    across = batch.prop.stress_across()
    if across is None:
        return _PLANE_MISES
    whole = np.zeros((6, 3))  # σzz follows from the plane components
    whole[[0, 1, 3], [0, 1, 2]] = 1.0
    whole[2] = across
    return np.asarray(whole.T @ _MISES @ whole)


# ---------------------------------------------------------------------- averages of shells, in space


@dataclass(frozen=True, eq=False)
class _SmoothedResultants:
    """Nxx, Nyy, Nxy, Mxx, Myy, Mxy of elements, in their axes at the points of a rule: (elements, points, 6)."""

    computed: Array
    recovered: Array  # interpolated from the averages at the nodes
    areas: Array  # dA: (elements, points)


def _smoothed_resultants(
    node_count: int, parts: Sequence[tuple[ElementBatch, Array]]
) -> tuple[_SmoothedResultants, ...]:
    """Averages over all batches, which come with their resultants at the rule: (elements, points, resultants)."""
    total, normals, count = np.zeros((node_count, 2, 3, 3)), np.zeros((node_count, 3)), np.zeros(node_count)
    own = []
    for batch, values in parts:
        extension = nodal_extension(batch)
        assert is_surface(batch.family) and extension is not None
        axes = batch.family.axes(batch.coordinates)
        at_nodes = np.einsum("ag,egr->ear", extension, _join(values))
        own.append((axes, at_nodes))
        np.add.at(total, batch.nodes, _in_space(at_nodes, axes))
        np.add.at(normals, batch.nodes, np.broadcast_to(axes[:, None, 2], (*batch.nodes.shape, 3)))
        np.add.at(count, batch.nodes, 1.0)
    used = np.maximum(count, 1)
    mean = total / used[:, None, None, None]
    smooth = np.linalg.norm(normals, axis=1) > _FOLD * used
    out = []
    for (batch, values), (axes, at_nodes) in zip(parts, own, strict=True):
        averaged = _in_plane(mean[batch.nodes], axes)
        nodal = np.where(smooth[batch.nodes][..., None], averaged, at_nodes)
        family = batch.family
        assert is_surface(family)
        shape = cell_geometry(family.cell).shape(family.rule.points)
        interpolated = np.einsum("ga,ear->egr", shape, nodal)
        out.append(_SmoothedResultants(_join(values), interpolated, family.areas(batch.coordinates)))
    return tuple(out)


def _join(values: Array) -> Array:
    return np.concatenate([values[..., MEMBRANE], values[..., BENDING]], axis=-1)


def _in_space(values: Array, axes: Array) -> Array:
    """N and M as tensors in body axes: (elements, nodes, 2, 3, 3)."""
    plane = np.empty((*values.shape[:2], 2, 2, 2))
    for kind in range(2):
        xx, yy, xy = (values[..., 3 * kind + i] for i in range(3))
        plane[..., kind, 0, 0], plane[..., kind, 1, 1] = xx, yy
        plane[..., kind, 0, 1] = plane[..., kind, 1, 0] = xy
    return np.einsum("eki,eankl,elj->eanij", axes[:, :2], plane, axes[:, :2], optimize=True)


def _in_plane(tensors: Array, axes: Array) -> Array:
    """Components in the plane of the elements: (elements, nodes, 6)."""
    plane = np.einsum("eki,eanij,elj->eankl", axes[:, :2], tensors, axes[:, :2], optimize=True)
    parts = [plane[:, :, kind, i, j] for kind in range(2) for i, j in ((0, 0), (1, 1), (0, 1))]
    return np.stack(parts, axis=-1)
