"""How a motion computed from the forces is shown."""

from typing import ClassVar

import numpy as np

from flexframe.analyses.joint_forces.presentation import force_blocks
from flexframe.analyses.kinematics.presentation import motion_data, motion_plots, sensor_plots
from flexframe.analyses.rigid_motion.record import RigidMotion
from flexframe.presentation.blocks import Column, KeyValue, KeyValues, Notice, Table
from flexframe.presentation.mechanism_scene import mechanism_scene, time_plot
from flexframe.presentation.presentation import DataTable, Figure, Presentation
from flexframe.presentation.scenes import Block


class RigidMotionPresentation(Presentation[RigidMotion]):
    """The moving mechanism, motion and forces over time, what the integrator did."""

    axes = ("instant",)
    lists: ClassVar = {"multipliers": ("multiplier", "part"), "events*": ("event",)}

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        motion, scene = record.motion, f"motion-{name}"
        figures = [
            KeyValue(
                "Degrees of freedom", motion.mobility.degrees_of_freedom, note=f"{motion.mobility.driven} driven"
            ),
            KeyValue("Steps", record.steps, note=record.method),
            KeyValue("Energy drift", record.energy_drift, "", "relative, along the steps", 2),
            KeyValue("Closure of the loops", motion.closure, "", "largest residual, relative", 2),
        ]
        if record.periodicity is not None:
            largest = float(np.abs(record.periodicity.multipliers).max(initial=0.0))
            note = "stable" if record.periodicity.stable else "unstable"
            figures.append(KeyValue("Largest multiplier", largest, "", f"over one period: {note}", 3))
        blocks: list[Block] = [
            KeyValues(tuple(figures)),
            *(Notice("info", text) for text in record.notices),
            mechanism_scene(scene, motion, record.forces),
            *sensor_plots(scene, motion.times, record.sensors),
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
        if record.events:
            rows = tuple((event, time) for event, time in record.events)
            blocks.append(Table((Column("event"), Column("time", "s", 8)), rows))
        return tuple(blocks)

    def data(self) -> DataTable:
        """Positions and velocities of the bodies over time."""
        return motion_data(self.record.motion)

    def figure(self) -> Figure:
        """Paths and positions of the bodies."""
        return mechanism_scene("motion", self.record.motion)
