"""Stress and strain at one place of a reduced body other than a beam: rows that multiply its coordinates.

Every component of stress is linear in the coordinates, so that a history of any length costs a product of small
matrices; measures such as von Mises' follow from the components at each instant.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from flexframe.analyses.transient.coupled.elastic_parts import ElasticPart
from flexframe.analyses.transient.coupled_record import SensorRecord
from flexframe.assembly.discrete import DiscreteBody
from flexframe.assembly.stress_recovery import recovered_stress
from flexframe.elements.properties import BeamProperty, Material, Property, ShellProperty
from flexframe.elements.shell_common import local_axes
from flexframe.elements.shell_elasticity import shell_elasticity
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, IntArray
from flexframe.model.supports import NodeSelection

Measure = str
_DERIVED = ("von_mises", "principal", "fibre")  # what the names of measures begin with that are not linear
_PAIRS = ("xx", "yy", "zz", "xy", "yz", "zx")


@dataclass(frozen=True, eq=False)
class StressRows:
    """Components of stress at a place, Pa (of shells also resultants in N/m and N): components = rows · δ."""

    names: tuple[str, ...]
    rows: Array  # (components, m)
    prop: Property
    compliance: Array | None = None  # (εxx, εyy, γxy) from (σxx, σyy, σxy) of shells, in axes of the cells: (3, 3)

    def history(self, sensor: str, coordinates: Array, measure: Measure | None, *, strain: bool) -> SensorRecord:
        """A measure over time; without a measure von Mises' stress, or all strains."""
        values = dict(zip(self.names, self.rows @ coordinates.T, strict=True))
        if strain:
            return strain_record(sensor, measure, self._strains(values))
        measure = measure or "von_mises"
        if measure not in values:
            values |= {"von_mises": equivalent_stress(self.prop, values)}
        return stress_record(sensor, measure, values)

    def _strains(self, values: dict[str, Array]) -> dict[str, Array]:
        """ε = ((1 + ν)σ − ν tr σ 1)/E with engineering shears; of a shell in both surfaces, z = ±t/2."""
        material = self.prop.material
        if self.compliance is not None:
            return self._surface_strains(values, self.compliance)
        if not isinstance(material, Material):
            raise InputError(
                "strain is known in isotropic solids and plane bodies, shells, beams and bars; ask for stress"
            )
        if "syy" not in values:
            return {"exx": values["sxx"] / material.young}
        stress = {pair: values.get(f"s{pair}", np.zeros_like(values["sxx"])) for pair in _PAIRS}
        E, nu = material.young, material.poisson
        trace = stress["xx"] + stress["yy"] + stress["zz"]
        normal = {f"e{pair}": ((1 + nu) * stress[pair] - nu * trace) / E for pair in _PAIRS[:3]}
        shear = {f"g{pair}": 2 * (1 + nu) / E * stress[pair] for pair in _PAIRS[3:] if f"s{pair}" in values}
        return normal | shear

    @staticmethod
    def _surface_strains(values: dict[str, Array], compliance: Array) -> dict[str, Array]:
        strains: dict[str, Array] = {}
        for side in ("top", "bottom"):
            stress = np.stack([values[f"s{pair}_{side}"] for pair in ("xx", "yy", "xy")])
            parts = zip(("exx", "eyy", "gxy"), compliance @ stress, strict=True)
            strains |= {f"{name}_{side}": part for name, part in parts}
        return strains


def strain_record(sensor: str, measure: Measure | None, strains: dict[str, Array]) -> SensorRecord:
    """One strain over time, or all of them where none is named."""
    if measure is None and len(strains) > 1:
        return SensorRecord("", np.stack(list(strains.values()), axis=1), tuple(strains))
    return SensorRecord("", _chosen(sensor, measure or next(iter(strains)), strains))


def stress_record(sensor: str, measure: Measure, values: dict[str, Array]) -> SensorRecord:
    """One measure of stress, or one resultant, over time."""
    unit = {"N": "N", "V": "N", "Q": "N/m", "M": "N m"}.get(measure[0], "Pa")
    return SensorRecord(unit, _chosen(sensor, measure, values))


def equivalent_stress(prop: Property, values: Mapping[str, Array]) -> Array:
    """Von Mises' stress of components of any shape, of a shell the larger one of both surfaces."""
    if isinstance(prop, ShellProperty):
        sides = [
            _von_mises({f"s{pair}": values[f"s{pair}_{side}"] for pair in ("xx", "yy", "xy")})
            for side in ("top", "bottom")
        ]
        return np.maximum(*sides)
    return _von_mises(values)


def stress_rows(part: ElasticPart, on: NodeSelection) -> StressRows | None:
    """Rows at the selected nodes (their mean), averaged over the cells there; None where only beams are."""
    discrete, basis = part.discrete, part.reduced.basis
    nodes = discrete.body.selected_nodes(on)
    place = discrete.body.mesh.points[nodes].mean(axis=0)
    columns = [_components(discrete, vector, nodes, place) for vector in basis.vectors.T]
    if columns[0] is None:
        return None
    names, prop = tuple(columns[0][0]), columns[0][1]
    rows = np.array([[column[0][name] for column in columns if column is not None] for name in names])
    return StressRows(names, rows, prop, _shell_compliance(discrete, nodes, prop))


def _shell_compliance(discrete: DiscreteBody, nodes: IntArray, prop: Property) -> Array | None:
    """Of the shells at the nodes, on the mean; None elsewhere: (3, 3)."""
    if not isinstance(prop, ShellProperty):
        return None
    found = []
    for batch in discrete.batches:
        if batch.prop is prop:
            there = np.isin(batch.nodes, nodes).any(axis=1)
            found.append(np.broadcast_to(_plane_elasticity(prop, batch.coordinates[there]), (there.sum(), 3, 3)))
    return np.asarray(np.linalg.inv(np.concatenate(found).mean(axis=0)))


def _plane_elasticity(prop: ShellProperty, coordinates: Array) -> Array:
    return shell_elasticity(prop, local_axes(coordinates)).plane


def _components(
    discrete: DiscreteBody, vector: Array, nodes: IntArray, place: Array
) -> tuple[dict[str, float], Property] | None:
    at_nodes: list[tuple[dict[str, float], Property]] = []
    nearest: tuple[float, dict[str, float], Property] | None = None
    beams = np.inf  # distance of the nearest section of a beam
    for batch, part in zip(discrete.batches, recovered_stress(discrete, vector), strict=True):
        if isinstance(batch.prop, BeamProperty):
            beams = min(beams, float(np.linalg.norm(part.positions - place, axis=-1).min()))
            continue
        if part.nodal:
            there = np.isin(batch.nodes, nodes)
            if there.any():
                found = {name: float(v[there].mean()) for name, v in part.nodal.items() if is_linear(name)}
                at_nodes.append((found, batch.prop))
            continue
        distances = np.linalg.norm(part.positions - place, axis=-1)
        cell, point = np.unravel_index(np.argmin(distances), distances.shape)
        if nearest is None or distances[cell, point] < nearest[0]:
            found = {name: float(v[cell, point]) for name, v in part.measures.items() if is_linear(name)}
            nearest = float(distances[cell, point]), found, batch.prop
    if at_nodes:
        return at_nodes[0]
    if nearest is not None and nearest[0] <= beams:
        return nearest[1], nearest[2]
    if not np.isfinite(beams):
        raise InputError("no cell with stress is near this place; choose another one")
    return None


def is_linear(name: str) -> bool:
    """Whether a measure of stress is a component, and so linear in the coordinates."""
    return not name.startswith(_DERIVED)


def _von_mises(values: Mapping[str, Array]) -> Array:
    """√(3/2 s:s) of the deviator; components that are not there are zero."""
    xx, yy, zz, xy, yz, zx = (values.get(f"s{pair}", np.zeros(1)) for pair in _PAIRS)
    normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
    return np.asarray(np.sqrt(normal / 2 + 3 * (xy**2 + yz**2 + zx**2)))


def _chosen(sensor: str, measure: Measure, values: dict[str, Array]) -> Array:
    if measure not in values:
        raise InputError(f"sensor {sensor}: there is no '{measure}'; choose from {', '.join(values)}")
    return np.asarray(values[measure])
