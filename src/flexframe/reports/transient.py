"""The report of a motion in time: moving picture, sensors, energies, support forces."""

import numpy as np

from flexframe.reports.document import (
    Axis,
    Block,
    Column,
    Cursor,
    History,
    KeyValue,
    KeyValues,
    Notice,
    PartMotion,
    Plot,
    PointLinks,
    ScalarField,
    Scene,
    Section,
    Series,
    Table,
)
from flexframe.reports.pictures import drawing, frames_within_budget
from flexframe.results.stress import StressRecord
from flexframe.results.transient import SensorHistory, Transient, thinned

POINTS = 1500  # of a curve


def section(name: str, record: Transient) -> Section:
    """Figures, the moving body, and one plot for each unit."""
    scene = _scene(name, record)
    blocks: list[Block] = [
        KeyValues(
            (
                KeyValue("Duration", float(record.times[-1]), "s"),
                KeyValue("Steps", record.steps),
                KeyValue("Equations by", record.formalism or "closed form"),
                KeyValue("Energy drift", record.energy_drift, digits=2),
                KeyValue("Constraint residual", record.constraint_residual, digits=2),
                KeyValue("Time", record.seconds, "s", digits=3),
            )
        ),
        *(Notice("info", text) for text in record.notices),
        scene,
    ]
    titles = {"m": "Displacements", "rad": "Rotations", "J": "Energies"}
    for unit in (*titles, *dict.fromkeys(s.unit for s in record.sensors.values() if s.unit not in titles)):
        title = titles.get(unit, "Sensors")
        sensors = {key: sensor for key, sensor in record.sensors.items() if sensor.unit == unit}
        if sensors:
            blocks.append(_plot(title, unit, record, sensors, scene.id))
    if record.stress is not None:
        blocks += _stress(record, record.stress, scene.id)
    if record.support_forces is not None:
        blocks.append(_forces(record, scene.id))
    return Section(name, tuple(blocks))


def _stress(record: Transient, stress: StressRecord, scene: str) -> list[Block]:
    """Each measure over time, and a table with the time and place of its peak."""
    series = []
    for history in stress.measures:
        chosen = thinned(len(history.times), POINTS)
        times = history.times[chosen]
        name = history.measure.replace("_", " ")
        series.append(Series(name, times, history.values[chosen], links=PointLinks(scene, times=times)))
    plot = Plot(
        Axis("time", "s"),
        Axis("largest stress", "Pa"),
        tuple(series),
        title="Stress",
        cursor=_cursor(record, scene),
        caption="Largest value over the body at each instant, smallest of the least principal stress.",
    )
    columns = (Column("measure"), Column("largest", "Pa", 6), Column("at", "s", 5))
    axes = tuple(Column(axis, "m", 4) for axis in "xyz")
    rows = []
    for history in stress.measures:
        peak = history.peak
        x, y, z = (float(c) for c in peak.place)
        rows.append((history.measure.replace("_", " "), peak.value, peak.time, x, y, z, peak.words))
    caption = "Time and place of the peak of each measure over all steps; places in the undeformed body."
    return [plot, Table((*columns, *axes, Column("in")), tuple(rows), caption=caption)]


def _scene(name: str, record: Transient) -> Scene:
    drawn = drawing(record.body, record.mesh)
    nodal = None if record.stress is None else record.stress.nodal
    count = frames_within_budget(drawn, len(record.snapshots), 3 if nodal is None else 4)
    chosen = thinned(len(record.snapshots), max(count, 2))
    path = record.frame_path
    motion = PartMotion(
        positions=None if path is None else path.positions[chosen],
        rotations=None if path is None else path.rotations[chosen],
        displacements=np.array([drawn.shown(record.displacements[i, :, :3]) for i in chosen]),
    )
    fields: tuple[ScalarField, ...] = ()
    if nodal is not None:
        shown = np.array([drawn.shown(np.nan_to_num(nodal[i])) for i in chosen])
        fields = (ScalarField("von Mises stress", (shown,), "Pa"),)
    seen = "Seen from the body frame." if path is None else "The frame moves as given."
    return Scene(
        id=f"transient-{name}",
        parts=(drawn.part,),
        content=History(record.times[record.snapshots][chosen], (motion,)),
        title="Motion",
        fields=fields,
        displacement_unit="m",
        caption=f"{record.method[0].upper()}{record.method[1:]}. {seen}",
    )


def _plot(title: str, unit: str, record: Transient, sensors: dict[str, SensorHistory], scene: str) -> Plot:
    chosen = thinned(len(record.times), POINTS)
    times = record.times[chosen]
    series = tuple(
        Series(key.replace("_", " "), times, sensor.values[chosen], links=PointLinks(scene, times=times))
        for key, sensor in sensors.items()
    )
    return Plot(Axis("time", "s"), Axis(title.lower(), unit), series, title=title, cursor=_cursor(record, scene))


def _forces(record: Transient, scene: str) -> Plot:
    assert record.support_forces is not None
    times = record.times[record.samples]
    series = tuple(
        Series(f"{axis} component", times, force)
        for axis, force in zip("xyz", record.support_forces.T, strict=True)
        if force.any()
    )
    return Plot(
        Axis("time", "s"),
        Axis("force of the supports", "N"),
        series,
        title="Support forces",
        cursor=_cursor(record, scene),
        caption="Resultant of the forces that the supports exert on the body, in body axes.",
    )


def _cursor(record: Transient, scene: str) -> Cursor:
    times = record.times[record.snapshots]
    return Cursor(scene, times, times)
