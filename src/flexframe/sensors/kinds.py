"""Every kind of sensor; adding one is its class and its name in `SENSORS`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from flexframe.elements.contract import NODE_DOFS
from flexframe.errors import InputError
from flexframe.model.body import Body
from flexframe.model.constraints import Along, Distance, Fixed, Rotation, unit
from flexframe.model.drives import AngleDrive
from flexframe.model.elasticity import Bushing, RowSpring, joint_springs, rigid_constraints
from flexframe.model.joints import Jointed
from flexframe.model.measured import (
    Measured,
    MeasuredContact,
    MeasuredCoordinate,
    MeasuredLoad,
    MeasuredReaction,
    MeasuredSprings,
)
from flexframe.model.system import GROUND, System, unknown
from flexframe.model.system_loads import COORDINATE_FORCES, BodyLoads, MarkerForce
from flexframe.motion.frame import PLANAR_AXIS, vector3
from flexframe.sensors.contract import (
    Axes,
    Direction,
    Marker,
    MarkerName,
    Markers,
    Measurement,
    Name,
    Point,
    Rate,
    Reading,
    Selection,
    Sensor,
    UnavailableError,
    find_marker,
    stack,
)
from flexframe.sensors.states import State

Dof = Literal["ux", "uy", "uz", "rx", "ry", "rz"]
EnergyName = Literal["kinetic", "strain", "potential", "supplied", "dissipated", "contact", "total"]

_UNITS = {
    "displacement": "m",
    "rotation": "rad",
    "position": "m",
    "velocity": "m/s",
    "acceleration": "m/s^2",
    "angular_velocity": "rad/s",
    "angular_acceleration": "rad/s^2",
}


@dataclass(frozen=True)
class DofSensor(Sensor):
    """A displacement [m] or rotation [rad] relative to the body frame, averaged over the selected nodes."""

    on: Selection
    dof: Dof = "uy"
    body: Name | None = None

    def marker(self, system: System) -> Marker:
        """The nodes; without the name of a body those of the only meshed one."""
        if self.dof not in NODE_DOFS:
            raise InputError(f"'{self.dof}' is unknown; choose from {', '.join(NODE_DOFS)}")
        meshed = [body.name for body in system.bodies if isinstance(body, Body)]
        owner = self.body or (meshed[0] if len(meshed) == 1 else "")
        if owner not in meshed:
            raise InputError(f"is on '{owner}'; name an elastic body with body: {', '.join(meshed)}")
        return find_marker(system, owner, self.on)

    def markers(self, system: System) -> tuple[Marker, ...]:
        return (self.marker(system),)

    def read(self, state: State) -> Measurement:
        found, row = state.marker(self.marker(state.system)), NODE_DOFS.index(self.dof)
        found.require(row, "degree of freedom")
        reading = found.displacement if row < 3 else found.rotation
        return Measurement("m" if row < 3 else "rad", reading[row % 3])


@dataclass(frozen=True)
class MarkerSensor(Sensor):
    """A point "body.point", or "body" and the node nearest to `at`; `along` makes it a single number.

    Displacement and rotation are those by deformation, relative to the frame of the body and in its axes; the
    others are in space. `axes` changes that.
    """

    quantity: Literal["displacement", "rotation", "position", "velocity", "acceleration"]
    marker: MarkerName
    at: Point | None = None
    along: Direction | None = None
    axes: Axes | None = None

    def markers(self, system: System) -> tuple[Marker, ...]:
        return (find_marker(system, self.marker, self.at),)

    def read(self, state: State) -> Measurement:
        (marker,) = self.markers(state.system)
        found = state.marker(marker)
        rotation = self.quantity == "rotation"
        if self.along is not None and self.quantity in {"displacement", "rotation"}:
            for axis in np.flatnonzero(vector3(self.along, "along")):
                found.require(int(axis) + 3 * rotation, "direction")
        reading: Reading = getattr(found, self.quantity)
        own: Axes = "body" if self.quantity in {"displacement", "rotation"} else "space"
        if (self.axes or own) != own:
            R = state.frame(marker.body).rotation
            reading = reading.rotated(R) if own == "body" else reading.rotated_back(R)
        return vector(reading, _UNITS[self.quantity], self.along, state, rotation=rotation)

    def measurements(self, name: str, system: System) -> Mapping[str, Measured]:
        if self.quantity not in {"position", "velocity"} or self.axes == "body" or self.at is not None:
            return super().measurements(name, system)
        self.markers(system)
        rate = self.quantity == "velocity"
        directions = {"": self.along} if self.along is not None else _axes(system)
        return {
            part: MeasuredCoordinate(name, GROUND, self.marker, Along(direction, in_space=True), rate)
            for part, direction in directions.items()
        }


@dataclass(frozen=True)
class RotationSensor(Sensor):
    """How a body rotates: its angle in the plane [rad], angular velocity or angular acceleration."""

    quantity: Literal["angle", "angular_velocity", "angular_acceleration"]
    body: Name
    along: Direction | None = None
    axes: Axes = "space"

    def markers(self, system: System) -> tuple[Marker, ...]:
        system.body(self.body)
        if self.quantity == "angle" and system.space != "planar":
            raise InputError("an angle is that of a body in the plane; in space use angular_velocity")
        return ()

    def read(self, state: State) -> Measurement:
        frame = state.frame(self.body)
        if self.quantity == "angle":
            return Measurement("rad", frame.angle)
        reading: Reading = getattr(frame, self.quantity)
        if self.axes == "body":
            reading = reading.rotated_back(frame.rotation)
        return vector(reading, _UNITS[self.quantity], self.along, state, rotation=True)

    def measurements(self, name: str, system: System) -> Mapping[str, Measured]:
        self.markers(system)
        axis = PLANAR_AXIS if system.space == "planar" else self.along
        if self.quantity == "angular_acceleration" or axis is None or self.axes == "body":
            return super().measurements(name, system)
        return {"": MeasuredCoordinate(name, GROUND, self.body, Rotation(axis), self.quantity != "angle")}


@dataclass(frozen=True)
class RelativeSensor(Sensor):
    """The distance [m] of two points "body.point", or the angle [rad] of the second body against the first.

    The angle is that about an axis of the first body, z unless given, counted through all turns.
    """

    quantity: Literal["distance", "relative_angle"]
    between: Markers
    axis: Direction | None = None

    def markers(self, system: System) -> tuple[Marker, ...]:
        for marker in self.between:
            system.frame(marker)
        moving = [marker for marker in self.between if system.frame(marker)[0] != GROUND]
        return tuple(find_marker(system, marker) for marker in moving)

    def read(self, state: State) -> Measurement:
        if self.quantity == "distance":
            first, second = (self._position(marker, state) for marker in self.between)
            return Measurement("m", (second - first).norm())
        if not state.planar:
            raise UnavailableError(state, "relative angle in space", "take the angular velocities of the bodies")
        first, second = (self._angle(marker, state) for marker in self.between)
        return Measurement("rad", second - first)

    def _position(self, marker: str, state: State) -> Reading:
        owner, frame = state.system.frame(marker)
        if owner != GROUND:
            return state.marker(find_marker(state.system, marker)).position
        moving = next(m for m in self.between if state.system.frame(m)[0] != GROUND)
        like = state.marker(find_marker(state.system, moving)).position
        return like * 0.0 + frame.point

    def _angle(self, marker: str, state: State) -> Reading:
        owner, frame = state.system.frame(marker)
        turned = float(np.arctan2(frame.axes[1, 0], frame.axes[0, 0]))
        if owner != GROUND:
            return state.frame(owner).angle + turned
        moving = next(m for m in self.between if state.system.frame(m)[0] != GROUND)
        return state.frame(state.system.frame(moving)[0]).angle * 0.0 + turned

    def measurements(self, name: str, system: System) -> Mapping[str, Measured]:
        self.markers(system)
        coordinate = Distance(Fixed()) if self.quantity == "distance" else Rotation(self.axis or PLANAR_AXIS)
        return {"": MeasuredCoordinate(name, *self.between, coordinate)}


@dataclass(frozen=True)
class StressSensor(Sensor):
    """Stress [Pa] or strain at a marker of an elastic body; `measure` is von_mises, fibre, sxx, exx_top, Mz, …

    It is the mean over the cells at a node; of a beam the largest fibre stress of its cells at the nearest
    section, or a resultant such as N or Mz. A strain is that in an isotropic material, of shells in both surfaces.
    """

    quantity: Literal["stress", "strain"]
    marker: MarkerName
    at: Point | None = None
    measure: str | None = None

    def markers(self, system: System) -> tuple[Marker, ...]:
        marker = find_marker(system, self.marker, self.at)
        if marker.on is None:
            raise InputError(f"{self.marker} has no stress; name a marker of a meshed body, or give at")
        return (marker,)

    def read(self, state: State) -> Measurement:
        (marker,) = self.markers(state.system)
        found = state.stress(marker)
        if self.quantity == "stress":
            stresses, usual = found.stresses(self.measure)
            name = self.measure or usual
            return Measurement(found.unit(name), _choose(name, stresses))
        strains = found.strains()
        if self.measure is None and len(strains) > 1:
            return Measurement("", stack(list(strains.values())), tuple(strains))
        return Measurement("", _choose(self.measure or next(iter(strains)), strains))


@dataclass(frozen=True)
class JointSensor(Sensor):
    """Force [N] or moment [N m] of a joint or drive on its second body; `drive`: what a drive must give."""

    quantity: Literal["joint_force", "joint_moment", "drive"]
    joint: Name
    along: Direction | None = None
    axes: Axes = "space"

    def markers(self, system: System) -> tuple[Marker, ...]:
        links = system.drives if self.quantity == "drive" else (*system.joints, *system.drives)
        names = [link.name for link in links]
        if self.joint not in names:
            raise InputError(unknown("drive" if self.quantity == "drive" else "joint", self.joint, names))
        return ()

    def read(self, state: State) -> Measurement:
        self.markers(state.system)
        found = state.joint(self.joint)
        if self.quantity == "drive":
            if not found.values.shape[1]:
                raise UnavailableError(
                    state, f"value of the drive {self.joint}", "take its joint_force or _moment"
                )
            drive = next(d for d in state.system.drives if d.name == self.joint)
            unit = "N m" if isinstance(drive, AngleDrive) else "N"
            if found.values.shape[1] == 1:
                return Measurement(unit, Reading(found.values[:, 0]))
            return Measurement(unit, Reading(found.values), tuple("xyz"[: found.values.shape[1]]))
        moment = self.quantity == "joint_moment"
        reading = Reading(found.moment if moment else found.force)
        if self.axes == "body" and found.second != GROUND:
            reading = reading.rotated_back(state.frame(found.second).rotation)
        return vector(reading, "N m" if moment else "N", self.along, state, rotation=moment)

    def measurements(self, name: str, system: System) -> Mapping[str, Measured]:
        self.markers(system)
        if self.quantity == "drive":
            laws = next(drive for drive in system.drives if drive.name == self.joint).laws
            parts = ("",) if len(laws) == 1 else tuple("xyz"[: len(laws)])
            return {part: MeasuredReaction(name, self.joint, row) for row, part in enumerate(parts)}
        link = next(link for link in (*system.joints, *system.drives) if link.name == self.joint)
        if isinstance(link, Jointed) and system.contacts_of(link):
            raise InputError(
                f"a formula cannot use the sensor {name}: joint {self.joint} has a clearance or stops, so that "
                "its force is that of contacts, too; measure contact_force of its contacts"
            )
        if self.axes == "body":
            raise InputError(
                f"a formula cannot use the sensor {name} in body axes; leave axes out, and turn it by a formula"
            )
        moment = self.quantity == "joint_moment"
        springs = [
            spring for joint in system.joints if joint.name == self.joint for spring in joint_springs(joint)
        ]
        if springs and (moment or any(isinstance(spring.row, Along) for spring in springs)):
            return self._of_springs(name, system, springs)
        if not rigid_constraints(link):
            raise InputError(
                f"a formula cannot use the sensor {name}: {self.joint} stretches and has no reaction; measure the "
                "force of a bearing"
            )
        directions = {"": self.along} if self.along is not None else _axes(system)
        if moment and self.along is None and system.space == "planar":
            directions = {"": PLANAR_AXIS}
        found: dict[str, Measured] = {}
        for part, direction in directions.items():
            along = vector3(direction, "along")
            along = along / np.linalg.norm(along)
            both = np.concatenate([np.zeros(3), along] if moment else [along, np.zeros(3)])
            found[part] = MeasuredReaction(name, self.joint, 0, tuple(both.tolist()))
        return found

    def _of_springs(self, name: str, system: System, springs: Sequence[RowSpring]) -> Mapping[str, Measured]:
        """The force of an elastic joint, whose springs pull in directions of space that do not turn."""
        rows = [spring.row for spring in springs if isinstance(spring.row, Along)]
        owner, frame = system.frame(springs[0].first)
        if self.quantity == "joint_moment" or not all(row.in_space or owner == GROUND for row in rows):
            why = (
                f"its springs turn with {owner}; measure the deflection, or load_force of a bushing in its place"
                if self.quantity == "joint_force"
                else "the directions of its moments turn; measure the rotation"
            )
            raise InputError(f"a formula cannot use the sensor {name}: joint {self.joint} is elastic, and {why}")
        pulls = [unit(row.direction, "axis") for row in rows]
        pulls = [pull if row.in_space else frame.axes @ pull for row, pull in zip(rows, pulls, strict=True)]
        found: dict[str, Measured] = {}
        for part, direction in ({"": self.along} if self.along is not None else _axes(system)).items():
            along = unit(direction, "along")
            parts = [float(along @ pull) for pull in pulls]
            if system.space == "planar":  # springs across the plane are left out
                parts = [part for part, pull in zip(parts, pulls, strict=True) if abs(pull[2]) < _IN_PLANE]
            found[part] = MeasuredSprings(name, self.joint, tuple(parts))
        return found


_IN_PLANE = 0.5  # part of a direction along z, which is all or nothing in the plane


@dataclass(frozen=True)
class LoadSensor(Sensor):
    """The force of a load: of a spring, friction, motor or actuator on its second body, along its coordinate.

    Of one along a line or an axis it is in N, of one about an axis in N m. A force at a marker has components [N],
    in the axes in which it is given, a bushing those of its force on the second marker in the axes of the first,
    `body_loads` those of the sum of all loads of the body, in the axes in which they act.
    """

    load_force: Name

    @property
    def load(self) -> str:
        """Name of the load."""
        return self.load_force

    def markers(self, system: System) -> tuple[Marker, ...]:
        self.measurements("", system)
        return ()

    def measurements(self, name: str, system: System) -> Mapping[str, Measured]:
        loads = {load.name: load for load in system.loads}
        if self.load not in loads:
            raise InputError(unknown("load", self.load, list(loads)))
        load = loads[self.load]
        if isinstance(load, MarkerForce):
            return {"xyz"[k]: MeasuredLoad(name, self.load, k) for k in range(len(load.force))}
        if isinstance(load, Bushing | BodyLoads):
            return {part: MeasuredLoad(name, self.load, k) for k, part in enumerate(_axes(system))}
        if not isinstance(load, COORDINATE_FORCES):
            raise InputError(
                f"{self.load} is a {load.kind}, which is no single force; name a spring, bushing, friction, "
                "motor, actuator, force at a marker or body_loads"
            )
        return {"": MeasuredLoad(name, self.load)}

    def read(self, state: State) -> Measurement:
        parts = tuple(self.measurements("", state.system))
        load = next(load for load in state.system.loads if load.name == self.load)
        along = isinstance(load, COORDINATE_FORCES) and load.coordinate()
        turns = isinstance(along, Rotation)
        values, unit = state.load(self.load), "N m" if turns else "N"
        return (
            Measurement(unit, Reading(values[:, 0]))
            if parts == ("",)
            else Measurement(unit, Reading(values), parts)
        )


@dataclass(frozen=True)
class ContactSensor(Sensor):
    """The normal force of a contact [N], that of all its places, or its gap [m], negative where shapes overlap."""

    quantity: Literal["contact_force", "contact_gap"]
    contact: Name

    def markers(self, system: System) -> tuple[Marker, ...]:
        contacts = {contact.name: contact for contact in system.all_contacts}
        if self.contact not in contacts:
            raise InputError(unknown("contact", self.contact, list(contacts)))
        if self.quantity == "contact_force" and contacts[self.contact].law.kind == "impulsive":
            raise InputError(
                f"contact {self.contact} throws back by impulses and has no force; take its contact_gap, or a law "
                "of force"
            )
        return ()

    def measurements(self, name: str, system: System) -> Mapping[str, Measured]:
        self.markers(system)
        return {"": MeasuredContact(name, self.contact, "force" if self.quantity == "contact_force" else "gap")}

    def read(self, state: State) -> Measurement:
        self.markers(state.system)
        gap, force = state.contact(self.contact)
        if self.quantity == "contact_gap":
            return Measurement("m", Reading(gap))
        return Measurement("N", Reading(force))


@dataclass(frozen=True)
class EnergySensor(Sensor):
    """An energy of the whole system [J]."""

    energy: EnergyName

    def markers(self, system: System) -> tuple[Marker, ...]:
        del system
        if self.energy not in get_args(EnergyName):
            raise InputError(unknown("energy", self.energy, get_args(EnergyName)))
        return ()

    def read(self, state: State) -> Measurement:
        parts = ("kinetic", "strain", "potential") if self.energy == "total" else (self.energy,)
        return Measurement("J", Reading(np.sum([state.energy(part) for part in parts], axis=0)))


@dataclass(frozen=True)
class MomentumSensor(Sensor):
    """Momentum of the whole system; angular about the origin of space."""

    momentum: Literal["linear", "angular"]
    along: Direction | None = None

    def markers(self, system: System) -> tuple[Marker, ...]:
        del system
        if self.momentum not in {"linear", "angular"}:
            raise InputError(unknown("momentum", self.momentum, ("linear", "angular")))
        return ()

    def read(self, state: State) -> Measurement:
        angular = self.momentum == "angular"
        reading = Reading(state.momentum(self.momentum))
        return vector(reading, "kg m^2/s" if angular else "kg m/s", self.along, state, rotation=angular)


SENSORS: tuple[type[Sensor], ...] = (
    DofSensor,
    MarkerSensor,
    RotationSensor,
    RelativeSensor,
    StressSensor,
    JointSensor,
    LoadSensor,
    ContactSensor,
    EnergySensor,
    MomentumSensor,
)
"""Every kind of sensor that case files, analyses and the contract tests know."""


def _axes(system: System) -> dict[str, tuple[float, ...]]:
    """Directions of the components of a vector."""
    axes = np.eye(3)
    return {part: tuple(axes[i]) for i, part in enumerate("xy" if system.space == "planar" else "xyz")}


def watched_markers(system: System, sensors: Mapping[str, Sensor]) -> dict[str, Marker]:
    """The points that sensors follow, by the names of the sensors."""
    followed = {name: sensor.of if isinstance(sensor, Rate) else sensor for name, sensor in sensors.items()}
    return {name: s.markers(system)[0] for name, s in followed.items() if isinstance(s, MarkerSensor)}


def vector(
    reading: Reading, unit: str, along: Direction | None, state: State, *, rotation: bool = False
) -> Measurement:
    """Components of a vector: one along a direction, those in the plane (of a rotation that about z), or three."""
    if along is not None:
        direction = vector3(along, "along")
        length = float(np.linalg.norm(direction))
        if not length > 0:
            raise InputError("the direction of a sensor has no length; give a vector other than zero")
        return Measurement(unit, reading.along(direction / length))
    if not state.planar:
        return Measurement(unit, reading, ("x", "y", "z"))
    return Measurement(unit, reading[2]) if rotation else Measurement(unit, reading[:2], ("x", "y"))


def _choose(measure: str, values: Mapping[str, Reading]) -> Reading:
    if measure not in values:
        raise InputError(f"there is no '{measure}'; choose from {', '.join(values)}")
    return values[measure]
