"""The report of the equilibrium of a system."""

import numpy as np

from flexframe.reports.coupled_motion import bases_table
from flexframe.reports.document import Block, Column, KeyValue, KeyValues, Notice, Section, Table
from flexframe.reports.mechanism_scene import mechanism_scene
from flexframe.results.system_statics import SystemStatics


def section(name: str, record: SystemStatics) -> Section:
    """Stability, the bodies where they rest, what joints and springs carry."""
    largest = record.largest_displacements
    figures = [
        KeyValue("Equilibrium", record.stability),
        KeyValue("Degrees of freedom", len(record.eigenvalues)),
        KeyValue("Potential energy", record.potential, "J", "weight, springs and strain", 6),
    ]
    if len(record.eigenvalues):
        note = f"tangent stiffness over mass; mostly {record.loosest}"
        figures.insert(1, KeyValue("Smallest eigenvalue", float(record.eigenvalues[0].real), "rad²/s²", note, 5))
    if largest:
        body = max(largest, key=lambda n: largest[n])
        figures.append(KeyValue("Elastic displacement", largest[body], "m", f"largest, {body}", 5))
    blocks: list[Block] = [KeyValues(tuple(figures))]
    if record.stability != "stable":
        blocks.append(Notice("info", f"The position is {record.words}."))
    blocks += [Notice("info", text) for text in record.notices]
    blocks += [mechanism_scene(f"equilibrium-{name}", record.motion, record.forces), _positions(record)]
    blocks.append(_joints(record))
    if record.springs:
        blocks.append(_springs(record))
    if record.stress:
        columns = (Column("body"), Column("measure"), Column("largest", "MPa", 5), Column("where"))
        rows = tuple((b, p.measure.replace("_", " "), p.value / 1e6, p.words) for b, p in record.stress.items())
        blocks.append(Table(columns, rows, "Largest stress"))
    if record.reductions:
        blocks.append(bases_table(record.reductions))
    return Section(name, tuple(blocks))


def _positions(record: SystemStatics) -> Table:
    rows: list[tuple[str | float | None, ...]] = []
    for name in record.motion.names:
        moving, (moved, turned) = record.motion.body(name), record.moved[name]
        angle = None if moving.angles is None else float(np.degrees(moving.angles[0]))
        rows.append((name, *map(float, moving.positions[0]), angle, moved, float(np.degrees(turned))))
    columns = (
        Column("body"),
        *(Column(axis, "m", 6) for axis in "xyz"),
        Column("angle", "°", 6),
        Column("moved", "m", 4),
        Column("turned", "°", 4),
    )
    return Table(columns, tuple(rows), "Where the bodies rest, and how far that is from the start")


def _joints(record: SystemStatics) -> Table:
    rows: list[tuple[str | float | None, ...]] = []
    for name, found in record.forces.joints.items():
        rows.append((name, found.second, *found.force[0].tolist(), *found.moment[0].tolist()))
    columns = (
        Column("joint or drive"),
        Column("on"),
        *(Column(f"force {axis}", "N", 5) for axis in "xyz"),
        *(Column(f"moment {axis}", "N m", 5) for axis in "xyz"),
    )
    return Table(columns, tuple(rows), "Forces of joints and drives, space axes")


def _springs(record: SystemStatics) -> Table:
    rows = tuple(
        (
            s.name,
            s.kind.replace("_", " "),
            s.coordinate,
            "rad" if s.turns else "m",
            s.force,
            "N m" if s.turns else "N",
        )
        for s in record.springs
    )
    columns = (
        Column("spring"),
        Column("kind"),
        Column("coordinate", "", 6),
        Column("unit"),
        Column("force", "", 6),
        Column("of force"),
    )
    return Table(columns, rows, "Springs")
