"""The record of the motion of all bodies of a mechanism."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from flexframe.analyses.peak_instants import Between, place_names
from flexframe.analyses.transient.record import SensorHistory
from flexframe.maths.arrays import Array, IntArray
from flexframe.maths.rotations import quaternion_from_rotation
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import LINE, VERTEX
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body
from flexframe.model.rigid_body import RigidBody
from flexframe.multibody.motion import BodyMotion, MechanismMotion
from flexframe.results.body_fields import mesh_variables
from flexframe.results.record import NamedArrays, Record
from flexframe.sensors.contract import Marker

SUMMARY_SAMPLES = 400


def summary_instants(count: int) -> IntArray:
    """Every so many instants, and the last, as many as a summary holds."""
    stride = -(-(count - 1) // (SUMMARY_SAMPLES - 1)) or 1
    return np.unique(np.append(np.arange(0, count, stride), count - 1))


@dataclass(frozen=True, eq=False, repr=False)
class Kinematics(Record):
    """Positions, velocities and accelerations of every body; vectors in space axes, SI units."""

    kind: ClassVar[str] = "kinematics"
    presented_by: ClassVar[str] = ".presentation:KinematicsPresentation"

    motion: MechanismMotion
    branch: str = ""
    notices: tuple[str, ...] = ()
    sensors: Mapping[str, SensorHistory] = field(default_factory=dict)
    watched: Mapping[str, Marker] = field(default_factory=dict)  # points that sensors follow
    between: Between | None = None  # peaks that lie between the instants

    @property
    def times(self) -> Array:
        """s: (instants,)."""
        return self.motion.times

    def summary(self) -> dict[str, Any]:
        motion, kept = self.motion, summary_instants(len(self.times))
        return {
            "kind": self.kind,
            "system": motion.mechanism.system.name,
            "space": motion.mechanism.system.space,
            "degrees_of_freedom": motion.mobility.degrees_of_freedom,
            "redundant_constraints": motion.mobility.redundant,
            "redundant_joints": list(motion.mobility.redundant_joints),
            "instants": len(self.times),
            "closure_residual": motion.closure,
            "smallest_singular_value": motion.smallest_singular_value,
            "smallest_singular_value_at_s": motion.at_time,
            "branch": self.branch,
            "units": UNITS,
            "times_s": self.times[kept].tolist(),
            "bodies": {name: body_summary(motion.body(name), kept) for name in motion.names},
            "points": {place: place_summary(motion, place, kept) for place in place_names(motion)},
            **sensors_summary(self.sensors, self.times, kept),
            "notices": list(self.notices),
        }

    def arrays(self) -> NamedArrays:
        return motion_arrays(self.motion, self.kind).extend(sensor_arrays(self.sensors))


def sensors_summary(sensors: Mapping[str, SensorHistory], times: Array, kept: IntArray) -> dict[str, Any]:
    """What sensors saw at some instants, and their extremes; nothing where there are none."""
    if not sensors:
        return {}
    return {
        "sensors": {name: {"unit": s.unit, "values": s.values[kept].tolist()} for name, s in sensors.items()},
        "peaks": {name: sensor.extremes(times).summary() for name, sensor in sensors.items()},
    }


def sensor_arrays(sensors: Mapping[str, SensorHistory]) -> dict[str, Any]:
    """What sensors saw at all instants."""
    return {f"sensor_{name}": ("time", sensor.values, {"units": sensor.unit}) for name, sensor in sensors.items()}


UNITS = {
    "position": "m",
    "angle": "rad",
    "rotation": "unit quaternion, scalar first",
    "velocity": "m/s",
    "angular_velocity": "rad/s",
    "acceleration": "m/s^2",
    "angular_acceleration": "rad/s^2",
}


def body_summary(body: BodyMotion, kept: IntArray) -> dict[str, Any]:
    """One body at some instants; angles and their rates are single numbers where the motion is planar."""
    planar = body.angles is not None
    out: dict[str, Any] = {"position": body.positions[kept].tolist()}
    if body.angles is not None:
        out["angle"] = body.angles[kept].tolist()
    else:
        out["rotation"] = quaternion_from_rotation(body.rotations[kept]).tolist()
    turning = {"angular_velocity": body.angular_velocities, "angular_acceleration": body.angular_accelerations}
    out["velocity"] = body.velocities[kept].tolist()
    out["acceleration"] = body.accelerations[kept].tolist()
    out |= {name: (values[kept, 2] if planar else values[kept]).tolist() for name, values in turning.items()}
    return out


def place_summary(motion: MechanismMotion, place: str, kept: IntArray) -> dict[str, Any]:
    """A named point at some instants."""
    parts = zip(("position", "velocity", "acceleration"), motion.marker(place), strict=True)
    return {name: values[kept].tolist() for name, values in parts}


def _body_mesh(body: RigidBody | Body) -> Mesh:
    """The mesh of a body; of a rigid one without, lines from point to point and back, or its centre alone."""
    if body.mesh is not None:
        return body.mesh
    assert isinstance(body, RigidBody)
    points = np.unique([frame.point for frame in body.frames.values()] or [body.centre], axis=0)
    numbers = np.arange(len(points))
    pairs = np.column_stack([numbers, np.roll(numbers, -1)])[: None if len(points) > 2 else 1]
    return Mesh(points, (CellBlock(LINE, pairs) if len(points) > 1 else CellBlock(VERTEX, numbers[:, None]),))


def motion_arrays(motion: MechanismMotion, kind: str) -> NamedArrays:
    """Everything about the motion of the bodies."""
    c, u, a = motion.configuration, motion.velocities, motion.accelerations
    vector = ("time", "body", "axis")
    data: dict[str, Any] = {
        "position": (vector, c.positions[:, :-1], {"units": "m"}),
        "rotation": (("time", "body", "quaternion"), quaternion_from_rotation(c.rotations[:, :-1])),
        "velocity": (vector, u.linear[:, :-1], {"units": "m/s"}),
        "angular_velocity": (vector, u.angular[:, :-1], {"units": "rad/s"}),
        "acceleration": (vector, a.linear[:, :-1], {"units": "m/s^2"}),
        "angular_acceleration": (vector, a.angular[:, :-1], {"units": "rad/s^2"}),
    }
    if c.angles is not None:
        data["angle"] = (("time", "body"), c.angles, {"units": "rad"})
    for body in motion.mechanism.system.bodies:
        data |= mesh_variables(_body_mesh(body), body.name)
    return NamedArrays(
        data,
        coords={
            "time": ("time", motion.times, {"units": "s"}),
            "body": list(motion.names),
            "axis": ["x", "y", "z"],
            "quaternion": ["w", "x", "y", "z"],
        },
        attrs={"kind": kind, "closure_residual": motion.closure},
    )
