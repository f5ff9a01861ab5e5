"""How a motion in time is shown: moving picture, sensors, energies, support forces."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from flexframe.analyses.signal_blocks import signal_blocks, signal_table
from flexframe.analyses.transient.record import SensorHistory, Transient
from flexframe.maths.arrays import Array
from flexframe.presentation.blocks import (
    Axis,
    Cell,
    Check,
    Column,
    Cursor,
    Notice,
    Plot,
    PointLinks,
    Series,
    Table,
)
from flexframe.presentation.drawing import drawing, frames_within_budget
from flexframe.presentation.presentation import DataTable, Figure, Presentation, SensorCurves, history, unit_plots
from flexframe.presentation.scenes import Block, History, PartMotion, ScalarField, Scene
from flexframe.results.peaks import ROUNDING, StressRecord
from flexframe.results.record import thin

POINTS = 1500  # of a curve


LOOSE_JOINTS = "joints or supports are not met to this part of the displacements; take smaller steps"


def balance_check(drift: float) -> Check:
    """The misfit of the energy balance; a part in a thousand shows in forces and amplitudes."""
    words = "energy appears or is lost to this part of the largest; take smaller steps or a tighter tolerance"
    return Check("energy balance", drift, limit=1e-3, otherwise=words)


class TransientPresentation(Presentation[Transient]):
    """The moving body, one plot for each unit, stress and support forces."""

    axes = ("instant",)
    lists: ClassVar = {"reductions.*": ("shape of {holder}",)}
    telling = ("sensors.*.values",)

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        scene = _scene(name, record)
        blocks: list[Block] = [
            *extremes(record.summary()),
            *(Notice("info", text) for text in record.notices),
            scene,
        ]
        titles = {"m": "Displacements", "rad": "Rotations", "J": "Energies"}
        for unit in dict.fromkeys((*titles, *(sensor.unit for sensor in record.sensors.values()))):
            title = titles.get(unit, "Sensors")
            sensors = {key: sensor for key, sensor in record.sensors.items() if sensor.unit == unit}
            if sensors:
                blocks.append(_plot(title, unit, record, sensors, scene.id))
        blocks += signal_blocks(record.times, self._curves(), record.settling)
        if record.stress is not None:
            blocks += _stress(record, record.stress, scene.id)
        if record.support_forces is not None:
            blocks.append(_forces(record, scene.id))
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """Extremes of the sensors over all steps, those of stress with their places; frequencies, settling."""
        record = self.record
        return extremes(record.summary()) + signal_table(record.times, self._curves(), record.settling)

    def _curves(self) -> dict[str, tuple[str, Array]]:
        return {key: (s.unit, s.values) for key, s in self.record.sensors.items()}

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        return (
            balance_check(record.energy_drift),
            Check("constraint residual", record.constraint_residual, limit=1e-6, otherwise=LOOSE_JOINTS),
            Check("steps", record.steps),
            Check("equations by", record.formalism or "closed form"),
            Check("computed in", record.seconds, "s"),
        )

    def sensors(self) -> SensorCurves:
        """What the sensors saw."""
        found = self.record.sensors
        return SensorCurves(self.record.times, {name: (s.unit, s.values) for name, s in found.items()})

    def data(self) -> DataTable:
        """Sensors over time."""
        return history(self.record.times, {name: sensor.values for name, sensor in self.record.sensors.items()})

    def figure(self) -> Figure:
        """What the sensors saw."""
        curves = {name: (sensor.unit, sensor.values) for name, sensor in self.record.sensors.items()}
        return unit_plots(Axis("time", "s"), self.record.times, curves)


def _stress(record: Transient, stress: StressRecord, scene: str) -> list[Block]:
    """Each measure over time, and a table with the time and place of its peak."""
    series = []
    for seen in stress.measures:
        chosen = thin(len(seen.times), POINTS)
        times = seen.times[chosen]
        name = seen.measure.replace("_", " ")
        series.append(Series(name, times, seen.values[chosen], links=PointLinks(scene, times=times)))
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
    for seen in stress.measures:
        peak = seen.peak
        x, y, z = (float(c) for c in peak.place)
        rows.append((seen.measure.replace("_", " "), peak.value, peak.time, x, y, z, peak.words))
    caption = "Time and place of the peak of each measure over all steps; places in the undeformed body."
    return [plot, Table((*columns, *axes, Column("in")), tuple(rows), caption=caption)]


def _scene(name: str, record: Transient) -> Scene:
    drawn = drawing(record.body, record.mesh, record.model, carried=("masses", "supports", "springs", "loads"))
    nodal = None if record.stress is None else record.stress.nodal
    count = frames_within_budget(drawn, len(record.snapshots), fields=0 if nodal is None else 1)
    chosen = thin(len(record.snapshots), max(count, 2))
    path = record.frame_path
    motion = PartMotion(
        positions=None if path is None else path.positions[chosen],
        rotations=None if path is None else path.rotations[chosen],
    )
    motions = tuple(replace(motion, displacements=u) for u in drawn.displacements(record.displacements[chosen]))
    fields: tuple[ScalarField, ...] = ()
    if nodal is not None:
        fields = (ScalarField("von Mises stress", drawn.field(np.nan_to_num(nodal[chosen])), "Pa"),)
    seen = "Seen from the body frame." if path is None else "The frame moves as given."
    return Scene(
        id=f"transient-{name}",
        parts=drawn.parts,
        content=History(record.times[record.snapshots][chosen], motions),
        title="Motion",
        fields=fields,
        displacement_unit="m",
        caption=f"{record.method[0].upper()}{record.method[1:]}. {seen}",
    )


def _plot(title: str, unit: str, record: Transient, sensors: dict[str, SensorHistory], scene: str) -> Plot:
    chosen = thin(len(record.times), POINTS)
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


EXTREMES = (
    Column("sensor"),
    Column("unit"),
    Column("smallest", "", 6, of_row=True),
    Column("at", "s", 4),
    Column("largest", "", 6, of_row=True),
    Column("at", "s", 4),
    Column("last", "", 6, of_row=True),
)
"""Columns of the table of what sensors saw."""


def extremes(summary: Mapping[str, Any], over: str = "all steps") -> tuple[Table, ...]:
    """The table of what sensors saw and of the largest stress; `over` says which instants were looked at."""
    rows = extreme_rows(summary)
    table = Table(EXTREMES, tuple(rows), caption=f"Smallest and largest values over {over}.")
    return ((table,) if rows else ()) + strength_table(summary.get("stress", {}))


def strength_table(stresses: Mapping[str, Any]) -> tuple[Table, ...]:
    """Largest stress against the strength of its material; none where no strength is given."""
    rows = tuple(
        (name.replace("_", " "), peak.get("max_Pa", peak.get("value")), peak["strength_Pa"], peak["safety"])
        for name, peak in stresses.items()
        if "safety" in peak
    )
    columns = (
        Column("strength"),
        Column("largest stress", "Pa", 5),
        Column("strength of the material", "Pa", 5),
        Column("safety (1: at the limit)", "", 3),
    )
    return (Table(columns, rows),) if rows else ()


def extreme_rows(summary: Mapping[str, Any]) -> list[tuple[Cell, ...]]:
    """What sensors saw and the largest stress, from the summary of a motion."""
    rows: list[tuple[Cell, ...]] = []
    for name, sensor in summary.get("sensors", {}).items():
        last, peaks = sensor["values"][-1], summary["peaks"].get(name)
        if peaks is None:  # only seen at the instants of the summary
            seen = f"{name} (at {len(sensor['values'])} instants)"
            rows.append((seen, sensor["unit"], min(sensor["values"]), None, max(sensor["values"]), None, last))
            continue
        found = [peaks[word] for word in ("min", "min_at_s", "max", "max_at_s")]
        parts = sensor.get("components", [""])
        each = zip(*found, last, strict=True) if "components" in sensor else [(*found, last)]
        for part, (low, low_at, high, high_at, end) in zip(parts, each, strict=True):
            rounding = abs(end) <= ROUNDING * max(abs(low), abs(high))
            shown = (low, low_at, high, high_at, 0.0 if rounding else end)
            rows.append((f"{name} {part}".strip(), sensor["unit"], *shown))
    for name, peak in summary.get("stress", {}).items():
        what = f"{peak['measure']} of {name}" if "measure" in peak else name
        value = peak["max_Pa"] if "max_Pa" in peak else peak["value"]
        label = f"largest {what.replace('_', ' ')}, {_cell(peak)}"
        rows.append((label, "Pa", None, None, value, peak["at_s"], None))
    return rows


def _cell(peak: Mapping[str, Any]) -> str:
    """Where a peak of stress is."""
    where = f"cell {peak['cell']}"
    if "along" in peak:
        where += f" at {100 * peak['along']:.3g} %"
    if "fibre_m" in peak:
        y, z = (1e3 * coordinate + 0.0 for coordinate in peak["fibre_m"])  # −0 is 0
        where += f", fibre y {y:.4g}, z {z:.4g} mm"
    return where
