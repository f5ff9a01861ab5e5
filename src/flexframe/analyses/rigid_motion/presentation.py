"""How a motion computed from the forces is shown."""

from typing import ClassVar

import numpy as np

from flexframe.analyses.joint_forces.presentation import force_blocks
from flexframe.analyses.kinematics.presentation import motion_data, motion_plots, sensor_plots
from flexframe.analyses.mechanism_tables import (
    SOUGHT,
    balance_of_bodies,
    mobility_checks,
    peak_checks,
    peak_forces,
    travel,
)
from flexframe.analyses.rigid_motion.record import RigidMotion
from flexframe.analyses.signal_blocks import signal_blocks
from flexframe.analyses.transient.presentation import balance_check, extremes
from flexframe.presentation.blocks import Check, Column, Notice, Table
from flexframe.presentation.mechanism_scene import mechanism_scene, time_plot
from flexframe.presentation.presentation import DataTable, Figure, Presentation, SensorCurves
from flexframe.presentation.scenes import Block


class RigidMotionPresentation(Presentation[RigidMotion]):
    """The moving mechanism, motion and forces over time, what the integrator did."""

    axes = ("instant",)
    lists: ClassVar = {"multipliers": ("multiplier", "part"), "events*": ("event",)}

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        motion, scene = record.motion, f"motion-{name}"
        blocks: list[Block] = [
            *self.overview(),
            *(Notice("info", text) for text in record.notices),
            mechanism_scene(scene, motion, record.forces, watched=record.watched),
            *sensor_plots(scene, motion.times, record.sensors),
            *signal_blocks(
                motion.times, {key: (s.unit, s.values) for key, s in record.sensors.items()}, record.settling
            ),
            *motion_plots(scene, motion),
            *force_blocks(scene, record.forces),
            time_plot(
                scene,
                motion.times,
                [("kinetic energy", record.kinetic_energy)],
                title="Kinetic energy",
                label="energy",
                unit="J",
            ),
        ]
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """What sensors saw, events, forces of joints, needs of drives, travel of points."""
        record = self.record
        events = tuple((event, time) for event, time in record.events)
        return (
            *extremes(record.summary(), SOUGHT),
            *((Table((Column("event"), Column("time", "s", 8)), events),) if events else ()),
            *peak_forces(record.forces, between=record.between),
            *travel(record.motion, record.between),
        )

    def quality(self) -> tuple[Check, ...]:
        record = self.record
        checks = [
            balance_check(record.energy_drift),
            balance_of_bodies(record.forces),
            *mobility_checks(record.motion),
            *peak_checks(record.between),
            Check("steps", record.steps),
            Check("method", record.method),
        ]
        if record.periodicity is not None:
            largest = float(np.abs(record.periodicity.multipliers).max(initial=0.0))
            words = "disturbances grow from period to period: the motion is unstable"
            checks.insert(0, Check("largest multiplier of a period", largest, "", 1 + 1e-6, words, 4))
        return tuple(checks)

    def sensors(self) -> SensorCurves:
        """What the sensors saw."""
        found = self.record.sensors
        return SensorCurves(self.record.motion.times, {name: (s.unit, s.values) for name, s in found.items()})

    def data(self) -> DataTable:
        """Positions and velocities of the bodies over time."""
        return motion_data(self.record.motion)

    def figure(self) -> Figure:
        """Paths and positions of the bodies."""
        return mechanism_scene("motion", self.record.motion, watched=self.record.watched)
