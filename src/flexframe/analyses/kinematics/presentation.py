"""How the motion of a mechanism is shown: moving mechanism, positions and their rates."""

from collections.abc import Mapping

import numpy as np

from flexframe.analyses.kinematics.record import Kinematics
from flexframe.analyses.mechanism_tables import SOUGHT, mobility_checks, peak_checks, travel
from flexframe.analyses.peak_instants import one_of_each, place_names
from flexframe.analyses.transient.presentation import extremes
from flexframe.analyses.transient.record import SensorHistory
from flexframe.maths.arrays import Array
from flexframe.multibody.motion import MechanismMotion
from flexframe.presentation.blocks import Check, Notice, Table
from flexframe.presentation.mechanism_scene import mechanism_scene, quantity_plot, time_plot
from flexframe.presentation.presentation import DataTable, Figure, Presentation, SensorCurves, history
from flexframe.presentation.scenes import Block, Row


class KinematicsPresentation(Presentation[Kinematics]):
    """The moving mechanism, and positions, velocities and accelerations over time."""

    axes = ("instant",)

    def blocks(self, name: str) -> tuple[Block, ...]:
        record = self.record
        motion, scene = record.motion, f"kinematics-{name}"
        blocks: list[Block] = [
            *self.overview(),
            *(Notice("info", text) for text in record.notices),
            mechanism_scene(scene, motion, watched=record.watched),
            *sensor_plots(scene, motion.times, record.sensors),
            *motion_plots(scene, motion),
        ]
        return tuple(blocks)

    def overview(self) -> tuple[Table, ...]:
        """What sensors saw, then travel, speed and acceleration of the points."""
        motion = self.record.motion
        return extremes(self.record.summary(), SOUGHT) + travel(motion, self.record.between)

    def quality(self) -> tuple[Check, ...]:
        motion = self.record.motion
        checks = [*mobility_checks(motion), Check("instants", len(motion.times))]
        if motion.smallest_singular_value is not None:
            label = f"smallest singular value (t = {motion.at_time:.4g} s, 0 is a dead point)"
            checks.append(Check(label, motion.smallest_singular_value))
        if self.record.branch:
            checks.append(Check("assembly", self.record.branch))
        return (*checks, *peak_checks(self.record.between))

    def sensors(self) -> SensorCurves:
        """What the sensors saw."""
        found = self.record.sensors
        return SensorCurves(self.record.motion.times, {name: (s.unit, s.values) for name, s in found.items()})

    def data(self) -> DataTable:
        """Positions and velocities of the bodies over time."""
        return motion_data(self.record.motion)

    def figure(self) -> Figure:
        """Paths and positions of the bodies."""
        return mechanism_scene("kinematics", self.record.motion, watched=self.record.watched)


def motion_data(motion: MechanismMotion) -> DataTable:
    """Positions and velocities of every body over time, columns `BODY.x` … `BODY.omega_z`."""
    columns = {
        f"{name}.{letter}{axis}": values[:, i]
        for name in motion.names
        for letter, values in (
            ("", motion.body(name).positions),
            ("v", motion.body(name).velocities),
            ("omega_", motion.body(name).angular_velocities),
        )
        for i, axis in enumerate("xyz")
    }
    return history(motion.times, columns)


def sensor_plots(scene: str, times: Array, sensors: Mapping[str, SensorHistory]) -> list[Block]:
    """What the sensors saw, a plot for each unit."""
    blocks: list[Block] = []
    for unit in dict.fromkeys(sensor.unit for sensor in sensors.values()):
        curves = [(key, sensor.values) for key, sensor in sensors.items() if sensor.unit == unit]
        blocks.append(time_plot(scene, times, curves, title="Sensors", label="value", unit=unit))
    return blocks


def motion_plots(scene: str, motion: MechanismMotion) -> list[Block]:
    """Angles and their rates of all bodies, positions and their rates of all named points."""
    times = motion.times
    blocks: list[Block] = []
    bodies = [motion.body(name) for name in motion.names]
    turning = [
        body for body in bodies if np.ptp(body.angular_velocities, axis=0).any() or body.angular_velocities.any()
    ]
    angles = [(b.name, np.degrees(b.angles)) for b in turning if b.angles is not None]
    if angles:
        blocks.append(time_plot(scene, times, angles, title="Angles", label="angle", unit="°"))
    if turning:
        blocks.append(
            Row(
                (
                    quantity_plot(
                        scene,
                        times,
                        [(b.name, _main(b.angular_velocities, motion)) for b in turning],
                        "Angular velocities",
                        "rad/s",
                    ),
                    quantity_plot(
                        scene,
                        times,
                        [(b.name, _main(b.angular_accelerations, motion)) for b in turning],
                        "Angular accelerations",
                        "rad/s²",
                    ),
                )
            )
        )
    places = {place: motion.marker(place) for place in place_names(motion)}
    moving = [
        (names, places[place])
        for place, names in one_of_each(places, 1e-9 * motion.mechanism.length).items()
        if np.ptp(places[place][0], axis=0).max() > 1e-9 * motion.mechanism.length
    ]
    if not moving:
        moving = [(b.name, (b.positions, b.velocities, b.accelerations)) for b in bodies]
    positions = [
        (f"{place} {axis}", parts[0][:, i])
        for place, parts in moving
        for i, axis in enumerate("xyz")
        if np.ptp(parts[0][:, i]) > 1e-9 * motion.mechanism.length
    ]
    blocks.append(time_plot(scene, times, positions, title="Positions", label="position", unit="m"))
    blocks.append(
        Row(
            (
                quantity_plot(
                    scene, times, [(p, np.linalg.norm(parts[1], axis=1)) for p, parts in moving], "Speeds", "m/s"
                ),
                quantity_plot(
                    scene,
                    times,
                    [(p, np.linalg.norm(parts[2], axis=1)) for p, parts in moving],
                    "Accelerations",
                    "m/s²",
                ),
            )
        )
    )
    return blocks


def _main(vectors: Array, motion: MechanismMotion) -> Array:
    """The component about z in the plane, the length in space."""
    return vectors[:, 2] if motion.mechanism.planar else np.linalg.norm(vectors, axis=1)
