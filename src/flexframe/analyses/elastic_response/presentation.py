"""How the elastic motion of the bodies of a mechanism is shown."""

from dataclasses import replace
from typing import ClassVar

import numpy as np

from flexframe.analyses.elastic_response.record import ElasticResponse
from flexframe.analyses.signal_blocks import signal_blocks
from flexframe.analyses.transient.presentation import LOOSE_JOINTS, balance_check, extremes
from flexframe.maths.arrays import Array
from flexframe.presentation.blocks import (
    Axis,
    Cell,
    Check,
    Column,
    Cursor,
    Notice,
    Plot,
    Series,
    Table,
)
from flexframe.presentation.mechanism_scene import mechanism_scene, shown_instants, time_plot
from flexframe.presentation.presentation import DataTable, Figure, Presentation, SensorCurves, history, unit_plots
from flexframe.presentation.scenes import Block, Scene

_NOTHING = 1e-9  # part of the largest force times the size of the mechanism that is a rounded moment
_FAST = "this part of the energy is vibration that the steps do not resolve; take more steps"


class ElasticResponsePresentation(Presentation[ElasticResponse]):
    """The deforming mechanism, sensors, forces with and without elasticity, stress and where it is largest."""

    axes = ("instant",)
    lists: ClassVar = {"multipliers": ("multiplier", "part"), "bodies": ("body",)}
    telling = ("sensors.*.max", "stress.*.max_Pa")

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        scene = f"response-{name}"
        blocks: list[Block] = [
            *self.overview(),
            *(Notice("info", text) for text in record.notices),
            deforming_scene(scene, record),
        ]
        times = record.times
        for unit in dict.fromkeys(sensor.unit for sensor in record.sensors.values()):
            curves = [(key, s.values) for key, s in record.sensors.items() if s.unit == unit]
            label = {"m": "displacement", "rad": "rotation", "J": "energy"}.get(unit, "value")
            blocks.append(time_plot(scene, times, curves, title=_titles(label), label=label, unit=unit))
        blocks += signal_blocks(times, {key: (s.unit, s.values) for key, s in record.sensors.items()})
        sizes = [(key, np.linalg.norm(f.force, axis=1)) for key, f in record.joints.items()]
        rigid = [(f"{key}, rigid", np.linalg.norm(f.rigid_force, axis=1)) for key, f in record.joints.items()]
        loaded = [curve for curve in (*sizes, *rigid) if curve[1].max(initial=0.0) > 0]
        if loaded:
            blocks.append(time_plot(scene, times, loaded, title="Joint forces", label="force", unit="N"))
        for found in record.stress:
            blocks.append(_stress_plot(scene, record, found.body, found.times, found.largest / 1e6))
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """What sensors saw and the largest stress, then the joint forces with and without elasticity."""
        record = self.record
        rows: list[tuple[Cell, ...]] = []
        forces = (float(np.abs(found.force).max(initial=0.0)) for found in record.joints.values())
        size = max(forces, default=0.0) * record.motion.mechanism.length
        for name, found in record.joints.items():
            force, rigid = (np.linalg.norm(part, axis=1) for part in (found.force, found.rigid_force))
            moment = np.linalg.norm(found.moment, axis=1)
            worst, turned = int(force.argmax()), int(moment.argmax())
            pushed, twisted = force[worst] > 0 or rigid.any(), moment[turned] > _NOTHING * size
            rows.append(
                (
                    name,
                    found.on,
                    float(force[worst]) if pushed else None,
                    float(record.times[worst]) if pushed else None,
                    float(rigid.max()) if pushed else None,
                    float(moment[turned]) if twisted else None,
                    float(record.times[turned]) if twisted else None,
                )
            )
        columns = (
            Column("joint, drive"),
            Column("on"),
            Column("largest force", "N"),
            Column("at", "s", 4),
            Column("of rigid bodies", "N"),
            Column("largest moment", "N m"),
            Column("at", "s", 4),
        )
        loaded = any(row[2] or row[5] for row in rows)
        return extremes(record.summary()) + (
            (Table(columns, tuple(rows), caption="Forces of joints and drives over all steps."),) if loaded else ()
        )

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        checks = [
            balance_check(record.energy_drift),
            Check("unresolved vibration", record.unresolved, limit=0.05, otherwise=_FAST),
            Check("constraint residual", record.constraint_residual, limit=1e-6, otherwise=LOOSE_JOINTS),
            Check("steps", record.steps),
            Check("method", record.method),
            Check("basis", record.basis),
        ]
        if record.damping.parts:
            checks.append(
                Check("damping", f"{'; '.join(record.damping.parts)} {record.damping.ratio_words}".strip())
            )
        if record.periodic is not None:
            largest = float(np.abs(record.periodic.multipliers).max())
            words = "disturbances grow from period to period: the motion is unstable"
            checks.insert(0, Check("largest multiplier of a period", largest, "", 1 + 1e-6, words, 4))
        return tuple(checks)

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


def deforming_scene(scene_id: str, record: ElasticResponse) -> Scene:
    """The moving mechanism with the deformation of its elastic bodies, which the page can magnify."""
    scene = mechanism_scene(
        scene_id, record.motion, record.forces, watched=record.watched, displacements=record.displacements
    )
    return replace(
        scene,
        title="Mechanism and deformation",
        caption="Arrows are the forces of the rigid motion.",
    )


def _titles(label: str) -> str:
    return {
        "displacement": "Displacements in the frame of the body",
        "rotation": "Rotations",
        "energy": "Energies",
    }.get(label, label)


def _stress_plot(scene: str, record: ElasticResponse, body: str, times: Array, values: Array) -> Plot:
    kept = shown_instants(len(record.times))
    return Plot(
        x=Axis("time", "s"),
        y=Axis("largest stress", "MPa"),
        series=(Series(body, times, values),),
        title=f"Largest stress of {body}",
        cursor=Cursor(scene, record.times[kept], record.times[kept]),
        height=300,
    )
