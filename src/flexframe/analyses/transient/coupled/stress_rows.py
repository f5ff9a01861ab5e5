"""Stress and strain at one place of a reduced body other than a beam: rows that multiply its coordinates.

Every component of stress is linear in the coordinates, so that a history of any length costs a product of small
matrices; measures such as von Mises' follow from the components at each instant.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexframe.analyses.transient.coupled.elastic_parts import ElasticPart
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.stress_recovery import recovered_stress
from flexframe.elements.contract import ElementBatch, is_loaded_inside, is_surface
from flexframe.elements.integration import equivalent_stress, measure_unit
from flexframe.elements.properties import Material
from flexframe.elements.stress_measures import PAIRS, is_linear
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.supports import NodeSelection
from flexframe.sensors.contract import Reading, stack

Measure = str
_SURFACE = ("exx", "eyy", "gxy")
_RESULTANTS = ("Nxx", "Nyy", "Nxy", "Mxx", "Myy", "Mxy")


@dataclass(frozen=True, eq=False)
class StressRows:
    """Components of stress at a place, Pa (of shells also resultants in N/m and N): components = rows · δ."""

    names: tuple[str, ...]
    rows: Array  # (components, m)
    batch: ElementBatch  # whose elements these are
    surfaces: Array | None = (
        None  # (εxx, εyy, γxy) at top and bottom of shells by N and M, in cell axes: (2, 3, 6)
    )


@dataclass(frozen=True, eq=False)
class RowStress:
    """Stress and strain at such a place for coordinates δ (T, m)."""

    rows: StressRows
    coordinates: Reading

    @property
    def _components(self) -> dict[str, Reading]:
        values, slopes = self.rows.rows @ self.coordinates.values.T, self.coordinates.slopes
        if slopes is None:
            return {name: Reading(value) for name, value in zip(self.rows.names, values, strict=True)}
        changes = np.einsum("cm,tmz->ctz", self.rows.rows, slopes)
        return {name: Reading(*pair) for name, *pair in zip(self.rows.names, values, changes, strict=True)}

    def stresses(self, measure: Measure | None) -> tuple[dict[str, Reading], str]:
        values = self._components
        if measure is None or measure not in values:
            values |= {"von_mises": equivalent_stress(self.rows.batch.family, values)}
        return values, "von_mises"

    def unit(self, measure: Measure) -> str:
        return measure_unit(self.rows.batch.family, measure)

    def strains(self) -> dict[str, Reading]:
        """ε = ((1 + ν)σ − ν tr σ 1)/E with engineering shears; of a shell in both surfaces, z = ±t/2."""
        values, material = self._components, self.rows.batch.prop.material
        if self.rows.surfaces is not None:
            return self._surface_strains(values, self.rows.surfaces)
        if not isinstance(material, Material):
            raise InputError(
                "strain is known in isotropic solids and plane bodies, shells, beams and bars; ask for stress"
            )
        if "syy" not in values:
            return {"exx": values["sxx"] / material.young}
        stress = {pair: values.get(f"s{pair}", values["sxx"] * 0.0) for pair in PAIRS}
        E, nu = material.young, material.poisson
        trace = stress["xx"] + stress["yy"] + stress["zz"]
        normal = {f"e{pair}": ((1 + nu) * stress[pair] - nu * trace) / E for pair in PAIRS[:3]}
        shear = {f"g{pair}": 2 * (1 + nu) / E * stress[pair] for pair in PAIRS[3:] if f"s{pair}" in values}
        return normal | shear

    @staticmethod
    def _surface_strains(values: Mapping[str, Reading], surfaces: Array) -> dict[str, Reading]:
        resultants = stack([values[name] for name in _RESULTANTS])
        return {
            f"{name}_{side}": resultants.along(row)
            for side, rows in zip(("top", "bottom"), surfaces, strict=True)
            for name, row in zip(_SURFACE, rows, strict=True)
        }


def stress_rows(part: ElasticPart, on: NodeSelection) -> StressRows | None:
    """Rows at the selected nodes (their mean), averaged over the cells there; None where only beams are."""
    discrete, basis = part.discrete, part.reduced.basis
    nodes = discrete.body.selected_nodes(on)
    place = discrete.body.mesh.points[nodes].mean(axis=0)
    columns = [_components(discrete, vector, nodes, place) for vector in basis.vectors.T]
    if columns[0] is None:
        return None
    names, batch = tuple(columns[0][0]), columns[0][1]
    rows = np.array([[column[0][name] for column in columns if column is not None] for name in names])
    return StressRows(names, rows, batch, _shell_surfaces(discrete, nodes, batch))


def _shell_surfaces(discrete: DiscreteBody, nodes: IntArray, of: ElementBatch) -> Array | None:
    """ε + z κ at top and bottom of the shells at the nodes, on the mean; None elsewhere: (2, 3, 6)."""
    if not is_surface(of.family):
        return None
    found = []
    for batch in discrete.batches:
        if batch.prop is of.prop and is_surface(batch.family):
            there = np.isin(batch.nodes, nodes).any(axis=1)
            own = batch.family.compliance(batch.coordinates[there], batch.prop)
            found.append(np.broadcast_to(own, (there.sum(), 6, 6)))
    mean = np.concatenate(found).mean(axis=0)
    bottom, top = of.family.faces(of.prop)
    return np.stack([mean[:3] + z * mean[3:] for z in (top, bottom)])


def _components(
    discrete: DiscreteBody, vector: Array, nodes: IntArray, place: Array
) -> tuple[dict[str, float], ElementBatch] | None:
    at_nodes: list[tuple[dict[str, float], ElementBatch]] = []
    nearest: tuple[float, dict[str, float], ElementBatch] | None = None
    beams = np.inf  # distance of the nearest section of a beam
    for batch, part in zip(discrete.batches, recovered_stress(discrete, vector), strict=True):
        if is_loaded_inside(batch.family):
            beams = min(beams, float(np.linalg.norm(part.positions - place, axis=-1).min()))
            continue
        if part.nodal:
            there = np.isin(batch.nodes, nodes)
            if there.any():
                found = {name: float(v[there].mean()) for name, v in part.nodal.items() if is_linear(name)}
                at_nodes.append((found, batch))
            continue
        distances = np.linalg.norm(part.positions - place, axis=-1)
        cell, point = np.unravel_index(np.argmin(distances), distances.shape)
        if nearest is None or distances[cell, point] < nearest[0]:
            found = {name: float(v[cell, point]) for name, v in part.measures.items() if is_linear(name)}
            nearest = float(distances[cell, point]), found, batch
    if at_nodes:
        return at_nodes[0]
    if nearest is not None and nearest[0] <= beams:
        return nearest[1], nearest[2]
    if not np.isfinite(beams):
        raise InputError("no cell with stress is near this place; choose another one")
    return None
