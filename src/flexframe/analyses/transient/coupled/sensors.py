"""Sensors on a system of rigid and elastic bodies: points, bodies, stress, joints, energy and momentum."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

import numpy as np

from flexframe.analyses.transient.coupled.observed import Observed
from flexframe.analyses.transient.coupled.stress_rows import Measure, StressRows
from flexframe.analyses.transient.coupled_record import SensorRecord
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.model.body import Body
from flexframe.model.drives import AngleDrive
from flexframe.model.rigid_body import RigidBody
from flexframe.model.supports import NodeSelection
from flexframe.model.system import GROUND, System, unknown
from flexframe.motion.frame import vector3

Axes = Literal["space", "body"]
PointQuantity = Literal["displacement", "rotation", "position", "velocity", "acceleration"]
RotationQuantity = Literal["angle", "angular_velocity", "angular_acceleration"]
EnergyName = Literal["kinetic", "strain", "potential", "supplied", "dissipated", "total"]
Direction = tuple[float, ...]

_UNITS = {
    "displacement": "m",
    "rotation": "rad",
    "position": "m",
    "velocity": "m/s",
    "acceleration": "m/s^2",
    "angle": "rad",
    "angular_velocity": "rad/s",
    "angular_acceleration": "rad/s^2",
}


class MotionSensor(Protocol):
    """Something that is watched in a coupled motion."""

    def watched(self, system: System) -> tuple[str, NodeSelection] | None:
        """Body and nodes that it needs on the mesh of an elastic body; InputError for what does not exist."""
        ...

    def read(self, name: str, seen: Observed) -> SensorRecord:
        """What it saw; `name` is that of the sensor."""
        ...


@dataclass(frozen=True)
class PointSensor:
    """A point of a body: where it is, how it moves, how far it is displaced by deformation.

    The place is "body.point", or "body" with `at`: the node of a mesh nearest to a point, or that point of a rigid
    body. Displacement and rotation are relative to the frame of the body and in its axes, the others in space;
    `axes` changes that. `along` makes it a single number.
    """

    quantity: PointQuantity
    place: str
    at: Direction | int | None = None
    along: Direction | None = None
    axes: Axes | None = None

    def watched(self, system: System) -> tuple[str, NodeSelection] | None:
        owner, _ = system.frame(self.place)
        if owner == GROUND:
            raise InputError("a sensor on the ground sees nothing; name a body")
        body, point = system.body(owner), self.place.partition(".")[2]
        if point and self.at is not None:
            raise InputError(f"the place {self.place} is given with at; leave out one of them")
        if isinstance(body, RigidBody):
            return None
        if self.at is not None:
            return owner, self.at
        if not point:
            return None  # the origin of the frame
        return owner, int(point) if point.isdigit() else point

    def read(self, name: str, seen: Observed) -> SensorRecord:
        owner, frame = seen.system.frame(self.place)
        elastic = self.watched(seen.system) is not None and owner in seen.parts
        values: Array
        if self.quantity == "rotation":
            still = np.zeros((len(seen.run.times), 3))
            values = seen.rotation(owner, sensor_point(name)) if elastic else still
        else:
            found = (
                seen.point(owner, sensor_point(name))
                if elastic
                else seen.fixed(owner, self._rigid_place(seen.system, owner, frame.point))
            )
            values = getattr(found, f"{self.quantity}s" if self.quantity != "velocity" else "velocities")
        own: Axes = "body" if self.quantity in ("displacement", "rotation") else "space"
        wanted = self.axes or own
        if wanted != own:
            R = seen.bodies[owner].rotations
            values = np.einsum("tij,tj->ti" if wanted == "space" else "tji,tj->ti", R, values)
        return _vector(values, _UNITS[self.quantity], self.along, seen, turning=self.quantity == "rotation")

    def _rigid_place(self, system: System, owner: str, point: Array) -> Array:
        if self.at is None:
            return point
        body = system.body(owner)
        if isinstance(body, RigidBody):
            if isinstance(self.at, int):
                raise InputError(f"body {owner} has no nodes; give a point instead of the number {self.at}")
            return vector3(self.at, "at")
        return np.asarray(body.mesh.points[body.selected_nodes(self.at)].mean(axis=0))


@dataclass(frozen=True)
class RotationSensor:
    """Angle [rad] of a body in the plane, or its angular velocity or acceleration."""

    quantity: RotationQuantity
    body: str
    along: Direction | None = None
    axes: Axes = "space"

    def watched(self, system: System) -> tuple[str, NodeSelection] | None:
        system.body(self.body)
        if self.quantity == "angle" and system.space != "planar":
            raise InputError("an angle is that of a body in the plane; in space use angular_velocity")
        return None

    def read(self, name: str, seen: Observed) -> SensorRecord:
        del name
        moving = seen.motion.body(self.body)
        if self.quantity == "angle":
            assert moving.angles is not None
            return SensorRecord("rad", moving.angles)
        values = {
            "angular_velocity": moving.angular_velocities,
            "angular_acceleration": moving.angular_accelerations,
        }[self.quantity]
        if self.axes == "body":
            values = moving.in_body(values)
        return _vector(values, _UNITS[self.quantity], self.along, seen, turning=True)


@dataclass(frozen=True)
class StressSensor:
    """Stress [Pa] or strain at a node of an elastic body, the mean of its cells; of a beam at the nearest section,
    the largest fibre stress of its cells there.

    `measure` is von_mises, fibre (largest normal stress of a beam's section), a component such as sxx, or a
    resultant of a beam such as N or Mz. A strain is that of the same measure in an isotropic material.
    """

    place: str
    at: Direction | int | None = None
    measure: Measure | None = None
    strain: bool = False

    def watched(self, system: System) -> tuple[str, NodeSelection] | None:
        need = PointSensor("displacement", self.place, self.at).watched(system)
        if need is None:
            raise InputError(f"{self.place} has no stress; name a place of a meshed body, or give at")
        return need

    def read(self, name: str, seen: Observed) -> SensorRecord:
        need = self.watched(seen.system)
        assert need is not None
        owner, on = need
        if owner not in seen.parts:
            raise InputError(f"sensor {name}: body {owner} is rigid here and has no stress; give it a reduction")
        place = seen.stressed(owner, on)
        if isinstance(place, StressRows):
            return place.history(name, seen.bodies[owner].deformation, self.measure, strain=self.strain)
        return place.history(name, seen.interior(owner), self.measure, strain=self.strain)


@dataclass(frozen=True)
class JointSensor:
    """Force [N] or moment [N m] of a joint or drive on its second body; `value`: what a drive must give."""

    quantity: Literal["force", "moment", "value"]
    joint: str
    along: Direction | None = None
    axes: Axes = "space"

    def watched(self, system: System) -> tuple[str, NodeSelection] | None:
        links = system.drives if self.quantity == "value" else (*system.joints, *system.drives)
        names = [link.name for link in links]
        if self.joint not in names:
            raise InputError(unknown("drive" if self.quantity == "value" else "joint", self.joint, names))
        return None

    def read(self, name: str, seen: Observed) -> SensorRecord:
        del name
        found = seen.force(self.joint)
        if self.quantity == "value":
            drive = next(d for d in seen.system.drives if d.name == self.joint)
            unit = "N m" if isinstance(drive, AngleDrive) else "N"
            if found.values.shape[1] == 1:
                return SensorRecord(unit, found.values[:, 0])
            return SensorRecord(unit, found.values, tuple("xyz"[: found.values.shape[1]]))
        values = found.force if self.quantity == "force" else found.moment
        if self.axes == "body" and found.second != GROUND:
            values = seen.motion.body(found.second).in_body(values)
        turning = self.quantity == "moment"
        return _vector(values, "N m" if turning else "N", self.along, seen, turning=turning)


@dataclass(frozen=True)
class SystemSensor:
    """Energy [J] or momentum of the whole system (angular about the origin, space axes)."""

    quantity: Literal["energy", "momentum"]
    which: EnergyName | Literal["linear", "angular"]
    along: Direction | None = None

    def watched(self, system: System) -> tuple[str, NodeSelection] | None:
        del system
        known = get_args(EnergyName) if self.quantity == "energy" else ("linear", "angular")
        if self.which not in known:
            raise InputError(unknown(self.quantity, self.which, known))
        return None

    def read(self, name: str, seen: Observed) -> SensorRecord:
        del name
        if self.quantity == "energy":
            parts = ("kinetic", "strain", "potential") if self.which == "total" else (self.which,)
            return SensorRecord("J", np.sum([seen.energies[part] for part in parts], axis=0))
        if self.which == "linear":
            return _vector(seen.run.linear_momentum, "kg m/s", self.along, seen)
        return _vector(seen.run.angular_momentum, "kg m^2/s", self.along, seen, turning=True)


def sensor_point(name: str) -> str:
    """Name of the point on a reduced body that a sensor watches."""
    return f"sensor {name}"


def watched_points(system: System, sensors: Mapping[str, MotionSensor]) -> dict[str, dict[str, NodeSelection]]:
    """Points that sensors need on elastic bodies: body → name of the point → nodes."""
    points: dict[str, dict[str, NodeSelection]] = {}
    for name, sensor in sensors.items():
        try:
            need = sensor.watched(system)
            if need is not None:
                body = system.body(need[0])
                assert isinstance(body, Body), "only elastic bodies have nodes to be watched"
                body.selected_nodes(need[1])
        except InputError as error:
            raise InputError(f"sensor {name}: {error}") from None
        if need is not None and isinstance(sensor, PointSensor):
            points.setdefault(need[0], {})[sensor_point(name)] = need[1]
    return points


def _vector(
    values: Array, unit: str, along: Direction | None, seen: Observed, *, turning: bool = False
) -> SensorRecord:
    """Components of a vector: one along a direction, those in the plane, or three."""
    if along is not None:
        direction = vector3(along, "along")
        length = float(np.linalg.norm(direction))
        if not length > 0:
            raise InputError("the direction of a sensor has no length; give a vector other than zero")
        return SensorRecord(unit, values @ (direction / length))
    if not seen.planar:
        return SensorRecord(unit, values, ("x", "y", "z"))
    return SensorRecord(unit, values[:, 2]) if turning else SensorRecord(unit, values[:, :2], ("x", "y"))
