"""How the equilibrium of a body is shown: deformed body, maxima with their places."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from flexframe.analyses.statics.record import Statics, StressMaximum
from flexframe.analyses.transient.presentation import strength_table
from flexframe.maths.arrays import Array
from flexframe.mesh.mesh import Mesh
from flexframe.presentation.blocks import Column, KeyValue, KeyValues, Notice, Table
from flexframe.presentation.drawing import drawing
from flexframe.presentation.presentation import DataTable, Figure, Presentation, compact
from flexframe.presentation.scenes import Block, ScalarField, Scene, StaticShape
from flexframe.presentation.units import SI

ROUND_OFF = 1e-9  # part of the largest value or coordinate that is not shown


class StaticsPresentation(Presentation[Statics]):
    """The deformed body coloured by stress, maxima with their places."""

    telling = ("max_displacement_m", "maxima.*.value")

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        summary = record.summary()
        force = float(np.linalg.norm(record.support_forces[:, :3].sum(axis=0)))
        if force <= ROUND_OFF * float(np.linalg.norm(record.support_forces[:, :3], axis=1).sum()):
            force = 0.0  # forces of the supports that balance each other
        blocks: list[Block] = [
            KeyValues(
                (
                    KeyValue("Largest displacement", summary["max_displacement_m"], "m"),
                    KeyValue("At node", summary["max_displacement_node"]),
                    KeyValue("Support force", force, "N"),
                    KeyValue("Speed", record.speed_rad_s, "rad/s"),
                    *_error_figures(record),
                )
            ),
            *strength_table(summary["maxima"]),
            *(Notice("info", text) for text in record.notices),
            _scene(record, f"statics-{name}"),
            _maxima(record),
        ]
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """Largest displacement and largest stress by measure with their places; the error of the stress."""
        table, summary = _maxima(self.record), self.record.summary()
        place = _without_noise(summary["max_displacement_place_m"], self.record.mesh)
        first = ("displacement", summary["max_displacement_m"], "m", *place, None)
        table = replace(table, rows=(first, *table.rows))
        return (
            compact(table, without=["cell"], rows=len(table.rows), caption=_error_words(summary["stress_error"])),
            *strength_table(summary["maxima"]),
        )

    def data(self) -> DataTable:
        """A row for each stress measure: its largest value and place."""
        maxima = self.record.maxima
        places = np.array([m.place for m in maxima]).reshape(-1, 3)
        columns = {
            "value": [m.value for m in maxima],
            "unit": [m.unit for m in maxima],
            **{axis: places[:, i] for i, axis in enumerate("xyz")},
            "cell": [m.cell for m in maxima],
        }
        return DataTable("measure", [m.measure for m in maxima], columns)

    def figure(self) -> Figure:
        """The deformed body, coloured by von Mises stress where it is known at the nodes, else by displacement."""
        return _scene(self.record, "statics")


def _scene(record: Statics, scene_id: str) -> Scene:
    """The deformed body with its stress."""
    drawn = drawing(record.body, record.mesh, record.model, carried=("masses", "supports", "springs", "loads"))
    units = {m.measure: m.unit for m in record.maxima}
    fields = [
        ScalarField(measure.replace("_", " "), drawn.field(np.nan_to_num(values)), units.get(measure, "Pa"))
        for measure, values in record.nodal_stress.items()
    ]
    if record.error is not None:
        fields.append(ScalarField("stress error", drawn.field(_at_nodes(record.mesh, record.error.stress)), "Pa"))
    return Scene(
        id=scene_id,
        parts=drawn.parts,
        content=StaticShape(drawn.displacements(record.displacements)),
        title="Deformed body",
        fields=tuple(fields),
        displacement_unit="m",
        caption=f"Displacements relative to the body frame ({record.frame}).",
    )


def _maxima(record: Statics) -> Table:
    """Largest value of each measure with its place."""
    return Table(
        (
            Column("measure"),
            Column("largest", "", 6, of_row=True),
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


def _error_words(error: Mapping[str, Any] | None) -> str:
    """The estimated error of the stress in a line."""
    if error is None:
        return ""
    near = error["at_maximum_Pa"]
    where = "" if near is None else f"; ±{SI.words(near, 'Pa', 2)} at the largest von Mises stress"
    return f"error of stress: {100 * error['relative']:.2g} % (estimate){where}"


def significant(maxima: tuple[StressMaximum, ...]) -> tuple[StressMaximum, ...]:
    """Maxima that are more than round-off beside the largest of their unit."""
    largest: dict[str, float] = {}
    for maximum in maxima:
        largest[maximum.unit] = max(largest.get(maximum.unit, 0.0), abs(maximum.value))
    return tuple(m for m in maxima if abs(m.value) > ROUND_OFF * largest[m.unit])


def _without_noise(place: Sequence[float], mesh: Mesh) -> tuple[float, ...]:
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
