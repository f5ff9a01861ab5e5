"""Histories of bodies, points, joint forces and sensors, from the samples of a simulation."""

from collections.abc import Mapping

import numpy as np

from flexframe.dynamics.contract import ENERGIES, BodyHistory, Sensor, SensorHistory, Simulation
from flexframe.dynamics.frame_kinematics import FrameHistory, frame_history
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_quaternion, vector_from_rotation
from flexframe.mechanisms.kernels import fill_rows
from flexframe.mechanisms.states import cross
from flexframe.model.system import unknown

_AXES = ("x", "y", "z")


def body_history(simulation: Simulation, name: str) -> BodyHistory:
    """Motion of one body in space axes."""
    system = simulation.system
    if name not in system.names:
        raise InputError(unknown("body", name, system.names))
    b = system.number(name)
    R = rotation_from_quaternion(simulation.quaternions[:, b])
    v, w, rates = _local(simulation, b, simulation.velocities)
    vd, wd, second = _local(simulation, b, simulation.accelerations)
    acceleration = vd + cross(w, v)  # d(R v)/dt = R(v̇ + ω × v)
    return BodyHistory(
        name=name,
        positions=simulation.positions[:, b],
        rotations=R,
        angles=simulation.angles[:, b] if system.planar else None,
        velocities=_turned(R, v),
        angular_velocities=_turned(R, w),
        accelerations=_turned(R, acceleration),
        angular_accelerations=_turned(R, wd),
        deformation=simulation.deformations[:, system.elastic(b)],
        rates=rates,
        second=second,
    )


def _local(simulation: Simulation, b: int, vectors: Array) -> tuple[Array, Array, Array]:
    """Translation, rotation and deformation part of u or u̇ of one body: (T, 3), (T, 3), (T, m)."""
    numbers = simulation.system.tables.bodies.numbers[b][: 6 + simulation.system.bodies[b].size]
    local = np.where(numbers >= 0, vectors[:, numbers], 0.0)
    return local[:, :3], local[:, 3:6], local[:, 6:]


def _turned(R: Array, vectors: Array) -> Array:
    return np.asarray(np.einsum("tij,tj->ti", R, vectors))


def marker_history(
    simulation: Simulation, place: str, motions: Mapping[str, BodyHistory] | None = None
) -> FrameHistory:
    """Motion of a place "body.point" in space, with its displacement in body axes.

    `motions` are those of all bodies, where they are at hand.
    """
    owner, _, name = place.partition(".")
    system = simulation.system
    if owner not in system.names:
        raise InputError(unknown("body", owner, system.names))
    body = system.bodies[system.number(owner)]
    motion = motions[owner] if motions is not None else body_history(simulation, owner)
    if body.reduced is None or not name:
        point = system.system.frame(place)[1].point
        return frame_history(motion, point, None, geometric=system.geometric)
    known = [p.name for p in (*body.reduced.interfaces, *body.reduced.sensors)]
    if name not in known:
        raise InputError(unknown(f"point of {owner}", name, known))
    there = body.reduced.point(name)
    return frame_history(motion, there.position, there, geometric=system.geometric)


def joint_force(
    simulation: Simulation, name: str, motions: Mapping[str, BodyHistory] | None = None
) -> tuple[Array, Array]:
    """Force and moment about its place on the second body of a joint or drive, in space axes: (T, 3) each."""
    system = simulation.system
    rows = [row for row, owner in enumerate(system.owners) if owner == name]
    links = {link.name: link for link in (*system.system.joints, *system.system.drives)}
    if name not in links:
        raise InputError(unknown("joint or drive", name, list(links)))
    T = len(simulation.times)
    force, moment = np.zeros((T, 3)), np.zeros((T, 3))
    if not rows:
        return force, moment
    t = system.tables
    frames = len(t.frames.bodies)
    r, R = np.zeros((T, frames, 3)), np.zeros((T, frames, 3, 3))
    R[:, -1] = np.eye(3)
    for f in {int(frame) for frame in t.rows.frames[rows].ravel()} - {frames - 1}:
        body = system.names[int(t.frames.bodies[f])]
        motion = motions[body] if motions is not None else body_history(simulation, body)
        r[:, f], R[:, f] = motion.positions, motion.rotations
        if t.frames.elastic[f]:
            place = links[name].first if f == t.rows.frames[rows[0], 0] else links[name].second
            there = marker_history(simulation, place, motions)
            r[:, f], R[:, f] = there.positions, there.rotations
    data = tuple(
        part[rows] for part in (t.rows.types, t.rows.frames, t.rows.places, t.rows.directions, t.rows.radii)
    )
    s, J = np.zeros((T, len(rows))), np.zeros((T, len(rows), frames, 6))
    fill_rows(data, r, R, s, J)
    second = int(t.rows.frames[rows[0], 1])
    wrench = np.einsum("tk,tki->ti", simulation.multipliers[:, rows], J[:, :, second])
    force = wrench[:, :3]
    arm = np.einsum("tij,j->ti", R[:, second], t.rows.places[rows[0], 1])
    return force, wrench[:, 3:] - cross(arm, force)


def sensor_history(simulation: Simulation, sensor: Sensor) -> SensorHistory:  # noqa: PLR0911 - one for each kind
    """Values of a sensor."""
    match sensor.kind:
        case "displacement":
            return _vector(sensor, marker_history(simulation, sensor.of).displacements, "m")
        case "position":
            return _vector(sensor, marker_history(simulation, sensor.of).positions, "m")
        case "velocity":
            return _vector(sensor, marker_history(simulation, sensor.of).velocities, "m/s")
        case "acceleration":
            return _vector(sensor, marker_history(simulation, sensor.of).accelerations, "m/s²")
        case "angle":
            motion = body_history(simulation, sensor.of)
            if motion.angles is not None:
                return SensorHistory(sensor.name, "rad", ("angle",), motion.angles[:, None])
            return _vector(sensor, vector_from_rotation(motion.rotations), "rad")
        case "speed":
            motion = body_history(simulation, sensor.of)
            if motion.angles is not None:
                return SensorHistory(sensor.name, "rad/s", ("speed",), motion.angular_velocities[:, 2:])
            return _vector(sensor, motion.angular_velocities, "rad/s")
        case "row":
            return _row(simulation, sensor)
        case "force":
            force, moment = joint_force(simulation, sensor.of)
            labels = (*(f"force {axis}" for axis in _AXES), *(f"moment {axis}" for axis in _AXES))
            return SensorHistory(sensor.name, "N, N m", labels, np.hstack([force, moment]))
        case "energy":
            return SensorHistory(sensor.name, "J", ENERGIES, simulation.energies)
        case "momentum":
            labels = (*(f"linear {axis}" for axis in _AXES), *(f"angular {axis}" for axis in _AXES))
            both = np.hstack([simulation.linear_momentum, simulation.angular_momentum])
            return SensorHistory(sensor.name, "kg m/s, kg m²/s", labels, both)


def _vector(sensor: Sensor, values: Array, unit: str) -> SensorHistory:
    return SensorHistory(sensor.name, unit, _AXES, values)


def _row(simulation: Simulation, sensor: Sensor) -> SensorHistory:
    """linear δ + ½ δᵀ quadratic δ of a body."""
    deformation = body_history(simulation, sensor.of).deformation
    count = deformation.shape[1]
    if sensor.linear is None or sensor.linear.shape[1:] != (count,):
        raise InputError(
            f"sensor {sensor.name} needs rows of {count} numbers, one for each coordinate of {sensor.of}"
        )
    values = deformation @ sensor.linear.T
    if sensor.quadratic is not None and simulation.system.geometric:
        values = values + np.einsum("krs,tr,ts->tk", sensor.quadratic, deformation, deformation) / 2
    labels = tuple(str(k + 1) for k in range(values.shape[1])) if values.shape[1] > 1 else ("value",)
    return SensorHistory(sensor.name, sensor.unit, labels, values)
