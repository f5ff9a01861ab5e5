"""The reports of kinematics, joint forces and computed motion of a mechanism."""

from collections.abc import Sequence

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.mechanisms.inverse_dynamics import MechanismForces, applied_power, drive_power
from flexframe.mechanisms.motion import MechanismMotion
from flexframe.reports.document import Block, Column, KeyValue, KeyValues, Notice, Row, Section, Table
from flexframe.reports.mechanism_scene import mechanism_scene, time_plot
from flexframe.results.joint_forces import JointForces
from flexframe.results.kinematics import Kinematics, place_names
from flexframe.results.rigid_motion import RigidMotion

Curve = tuple[str, Array]


def kinematics_section(name: str, record: Kinematics) -> Section:
    """Moving mechanism, and positions, velocities and accelerations over time."""
    motion, scene = record.motion, f"kinematics-{name}"
    figures = [
        KeyValue(
            "Degrees of freedom", motion.mobility.degrees_of_freedom, note=f"{motion.mobility.driven} driven"
        ),
        KeyValue("Redundant constraints", motion.mobility.redundant),
        KeyValue("Instants", len(motion.times)),
        KeyValue("Closure of the loops", motion.closure, "", "largest residual, relative", 2),
    ]
    if motion.smallest_singular_value is not None:
        note = f"at t = {motion.at_time:.4g} s; 0 is a dead point"
        figures.append(KeyValue("Smallest singular value", motion.smallest_singular_value, "", note, 3))
    if record.branch:
        figures.append(KeyValue("Assembly", record.branch))
    blocks: list[Block] = [
        KeyValues(tuple(figures)),
        *_notices(record.notices),
        mechanism_scene(scene, motion),
        *_sensor_plots(scene, record),
        *_motion_plots(scene, motion),
    ]
    return Section(name, tuple(blocks))


def joint_forces_section(name: str, record: JointForces) -> Section:
    """Moving mechanism with force arrows, forces over time, largest forces."""
    motion, scene = record.motion, f"forces-{name}"
    blocks: list[Block] = [
        KeyValues(
            (
                KeyValue("Degrees of freedom", motion.mobility.degrees_of_freedom),
                KeyValue("Redundant constraints", motion.mobility.redundant),
                KeyValue("Balance of every body", record.forces.balance, "", "largest residual, relative", 2),
            )
        ),
        *_notices(record.notices),
        mechanism_scene(scene, motion, record.forces),
        *_force_blocks(scene, record.forces),
    ]
    return Section(name, tuple(blocks))


def rigid_motion_section(name: str, record: RigidMotion) -> Section:
    """Moving mechanism, motion and forces over time, what the integrator did."""
    motion, scene = record.motion, f"motion-{name}"
    figures = [
        KeyValue(
            "Degrees of freedom", motion.mobility.degrees_of_freedom, note=f"{motion.mobility.driven} driven"
        ),
        KeyValue("Steps", record.steps, note=record.method),
        KeyValue("Energy drift", record.energy_drift, "", "relative, seen at the instants shown", 2),
        KeyValue("Closure of the loops", motion.closure, "", "largest residual, relative", 2),
    ]
    if record.periodicity is not None:
        largest = float(np.abs(record.periodicity.multipliers).max(initial=0.0))
        note = "stable" if record.periodicity.stable else "unstable"
        figures.append(KeyValue("Largest multiplier", largest, "", f"over one period: {note}", 3))
    blocks: list[Block] = [
        KeyValues(tuple(figures)),
        *_notices(record.notices),
        mechanism_scene(scene, motion, record.forces),
        *_sensor_plots(scene, record),
        *_motion_plots(scene, motion),
        *_force_blocks(scene, record.forces),
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
    return Section(name, tuple(blocks))


def _notices(texts: Sequence[str]) -> list[Block]:
    return [Notice("info", text) for text in texts]


def _sensor_plots(scene: str, record: Kinematics | RigidMotion) -> list[Block]:
    """What the sensors saw, a plot for each unit."""
    blocks: list[Block] = []
    for unit in dict.fromkeys(sensor.unit for sensor in record.sensors.values()):
        curves = [(key, sensor.values) for key, sensor in record.sensors.items() if sensor.unit == unit]
        blocks.append(time_plot(scene, record.motion.times, curves, title="Sensors", label="value", unit=unit))
    return blocks


def _motion_plots(scene: str, motion: MechanismMotion) -> list[Block]:
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
                    _of(
                        scene,
                        times,
                        [(b.name, _main(b.angular_velocities, motion)) for b in turning],
                        "Angular velocities",
                        "rad/s",
                    ),
                    _of(
                        scene,
                        times,
                        [(b.name, _main(b.angular_accelerations, motion)) for b in turning],
                        "Angular accelerations",
                        "rad/s²",
                    ),
                )
            )
        )
    places = [(place, motion.marker(place)) for place in (place_names(motion) or ())]
    moving = [
        (place, parts)
        for place, parts in places
        if np.ptp(parts[0], axis=0).max() > 1e-9 * motion.mechanism.length
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
                _of(scene, times, [(p, np.linalg.norm(parts[1], axis=1)) for p, parts in moving], "Speeds", "m/s"),
                _of(
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


def _of(scene: str, times: Array, curves: Sequence[Curve], title: str, unit: str) -> Block:
    return time_plot(scene, times, curves, title=title, label=title.lower(), unit=unit)


def _force_blocks(scene: str, forces: MechanismForces) -> list[Block]:
    times = forces.motion.times
    links = [force for force in forces.joints.values() if not force.drive]
    drives = [force for force in forces.joints.values() if force.drive]
    blocks: list[Block] = []
    if links:
        sizes = [(force.name, np.linalg.norm(force.force, axis=1)) for force in links]
        blocks.append(_of(scene, times, sizes, "Joint forces", "N"))
        components = [
            (f"{force.name} {axis}", force.force[:, i])
            for force in links
            for i, axis in enumerate("xyz")
            if np.abs(force.force[:, i]).max(initial=0.0) > 0
        ]
        blocks.append(_of(scene, times, components, "Components of the joint forces", "N"))
        moments = [(f.name, np.linalg.norm(f.moment, axis=1)) for f in links]
        largest = max(float(values.max(initial=0.0)) for _, values in moments)
        scale = max(float(values.max(initial=0.0)) for _, values in sizes) * forces.motion.mechanism.length
        shown = [
            (name, values) for name, values in moments if values.max(initial=0.0) > 1e-12 * max(scale, largest)
        ]
        if shown:
            blocks.append(_of(scene, times, shown, "Joint moments", "N m"))
    for force in drives:
        torque = np.abs(force.moment).max(initial=0.0) > 0 and not np.abs(force.force).max(initial=0.0) > 0
        curves = [
            (f"{force.name}{f' {i + 1}' if force.values.shape[1] > 1 else ''}", force.values[:, i])
            for i in range(force.values.shape[1])
        ]
        title, unit = (f"Torque of {force.name}", "N m") if torque else (f"Force of {force.name}", "N")
        blocks.append(_of(scene, times, curves, title, unit))
    if drives:
        powers = [("drives", drive_power(forces)), ("loads", applied_power(forces.motion))]
        blocks.append(_of(scene, times, powers, "Power", "W"))
    rows = []
    for force in (*links, *drives):
        size = np.linalg.norm(force.force, axis=1)
        worst = int(np.argmax(size))
        moment = float(np.linalg.norm(force.moment, axis=1).max(initial=0.0))
        rows.append(
            (force.name, f"{force.first} → {force.second}", float(size[worst]), float(times[worst]), moment)
        )
    columns = (
        Column("joint"),
        Column("on"),
        Column("largest force", "N"),
        Column("at", "s", 4),
        Column("largest moment", "N m"),
    )
    blocks.append(Table(columns, tuple(rows), caption="Forces on the second body, moments about its place."))
    return blocks
