"""The report of a static analysis."""

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.mesh.mesh import Mesh
from flexframe.reports.document import (
    Block,
    Column,
    KeyValue,
    KeyValues,
    Notice,
    ScalarField,
    Scene,
    Section,
    StaticShape,
    Table,
)
from flexframe.reports.pictures import drawing
from flexframe.results.records import Statics, StressMaximum

ROUND_OFF = 1e-9  # part of the largest value or coordinate that is not shown


def section(name: str, record: Statics) -> Section:
    """Deformed body coloured by stress, maxima with their places."""
    drawn = drawing(record.body, record.mesh)
    summary = record.summary()
    units = {m.measure: m.unit for m in record.maxima}
    fields = [
        ScalarField(measure.replace("_", " "), (drawn.shown(np.nan_to_num(values)),), units.get(measure, "Pa"))
        for measure, values in record.nodal_stress.items()
    ]
    if record.error is not None:
        fields.append(
            ScalarField("stress error", (drawn.shown(_at_nodes(record.mesh, record.error.stress)),), "Pa")
        )
    scene = Scene(
        id=f"statics-{name}",
        parts=(drawn.part,),
        content=StaticShape((drawn.shown(record.displacements[:, :3]),)),
        title="Deformed body",
        fields=tuple(fields),
        displacement_unit="m",
        caption=f"Displacements relative to the body frame ({record.frame}).",
    )
    maxima = Table(
        (
            Column("measure"),
            Column("largest", "", 6),
            Column("unit"),
            Column("x", "m", 4),
            Column("y", "m", 4),
            Column("z", "m", 4),
            Column("cell"),
        ),
        tuple(
            (m.measure.replace("_", " "), m.value, m.unit, *_without_noise(m.place, record.mesh), m.cell)
            for m in significant(record.maxima)
        ),
        caption="Largest magnitude of each measure at the recovery points of the elements, of principal stresses "
        "the largest and the smallest value; round-off is left out.",
    )
    force = record.support_forces[:, :3].sum(axis=0)
    blocks: list[Block] = [
        KeyValues(
            (
                KeyValue("Largest displacement", summary["max_displacement_m"], "m"),
                KeyValue("At node", summary["max_displacement_node"]),
                KeyValue("Support force", float(np.linalg.norm(force)), "N"),
                KeyValue("Speed", record.speed_rad_s, "rad/s"),
                *_error_figures(record),
            )
        ),
        *(Notice("info", text) for text in record.notices),
        scene,
        maxima,
    ]
    return Section(name, tuple(blocks))


def significant(maxima: tuple[StressMaximum, ...]) -> tuple[StressMaximum, ...]:
    """Maxima that are more than round-off beside the largest of their unit."""
    largest: dict[str, float] = {}
    for maximum in maxima:
        largest[maximum.unit] = max(largest.get(maximum.unit, 0.0), abs(maximum.value))
    return tuple(m for m in maxima if abs(m.value) > ROUND_OFF * largest[m.unit])


def _without_noise(place: tuple[float, ...], mesh: Mesh) -> tuple[float, ...]:
    size = float(np.abs(mesh.points).max(initial=0.0))
    return tuple(c if abs(c) > ROUND_OFF * size else 0.0 for c in place)


def _error_figures(record: Statics) -> tuple[KeyValue, ...]:
    if record.error is None:
        return ()
    summary = record.summary()["stress_error"]
    near = summary["at_maximum_Pa"]
    note = "of the energy norm, estimated"
    figures = [KeyValue("Error of the stress", 100 * summary["relative"], "%", note=note, digits=3)]
    if near is not None:
        note = "mean of the cell, estimated"
        figures.append(KeyValue("Error at the largest von Mises", near, "Pa", note=note, digits=3))
    return tuple(figures)


def _at_nodes(mesh: Mesh, values: Array) -> Array:
    """Mean at each node of the cells around it: (nodes,)."""
    total, count = np.zeros((2, mesh.node_count))
    for block, start in zip(mesh.blocks, mesh.block_starts, strict=False):
        of_cells = values[start : start + len(block)]
        known = np.isfinite(of_cells)
        nodes = block.nodes[known]
        np.add.at(total, nodes, np.repeat(of_cells[known], nodes.shape[1]).reshape(nodes.shape))
        np.add.at(count, nodes, 1.0)
    return np.asarray(total / np.maximum(count, 1))
