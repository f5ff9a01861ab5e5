"""The report of a static analysis."""

import numpy as np

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
from flexframe.results.records import Statics


def section(name: str, record: Statics) -> Section:
    """Deformed body coloured by stress, maxima with their places."""
    drawn = drawing(record.body, record.mesh)
    summary = record.summary()
    fields = tuple(
        ScalarField(measure.replace("_", " "), (drawn.shown(np.nan_to_num(values)),), "Pa")
        for measure, values in record.nodal_stress.items()
    )
    scene = Scene(
        id=f"statics-{name}",
        parts=(drawn.part,),
        content=StaticShape((drawn.shown(record.displacements[:, :3]),)),
        title="Deformed body",
        fields=fields,
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
        tuple((m.measure.replace("_", " "), m.value, m.unit, *m.place, m.cell) for m in record.maxima),
        caption="Largest magnitude of each measure at the recovery points of the elements.",
    )
    force = record.support_forces[:, :3].sum(axis=0)
    blocks: list[Block] = [
        KeyValues(
            (
                KeyValue("Largest displacement", summary["max_displacement_m"], "m"),
                KeyValue("At node", summary["max_displacement_node"]),
                KeyValue("Support force", float(np.linalg.norm(force)), "N"),
                KeyValue("Speed", record.speed_rad_s, "rad/s"),
            )
        ),
        *(Notice("info", text) for text in record.notices),
        scene,
        maxima,
    ]
    return Section(name, tuple(blocks))
