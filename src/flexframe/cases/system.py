"""From the entries of a case to a system of bodies; what does not fit is noted at its field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from flexframe.cases.building import BuiltBodies
from flexframe.entries.controllers import ControllerEntry, EventEntry, InputEntry
from flexframe.entries.entry import Entry
from flexframe.entries.fields import Name
from flexframe.entries.links import (
    DriveEntry,
    JointEntry,
    MarkerEntry,
    RigidBodyEntry,
    StartEntry,
    SurfaceBodyEntry,
    build_frame,
)
from flexframe.entries.problems import Problems, locate_errors, unknown_name
from flexframe.entries.quantities import FORCE, MOMENT, Dimension, named_measure, unit_of
from flexframe.entries.robots import AnyDriveEntry, LimitsEntry, RobotEntry, ToolDriveEntry
from flexframe.entries.sensors import SensorEntry
from flexframe.entries.system_loads import ContactEntry, SystemLoadEntry
from flexframe.errors import InputError
from flexframe.files import Folder
from flexframe.maths.formula import Formula
from flexframe.model.body import Body, Space
from flexframe.model.constraints import Fixed, Law, state_law
from flexframe.model.contacts import Contact
from flexframe.model.controllers.contract import Controller
from flexframe.model.drives import Drive, FollowingLaw, JointLimits
from flexframe.model.events import Event, Input
from flexframe.model.friction import FrictionInJoint
from flexframe.model.joints import Joint, Prismatic, Revolute
from flexframe.model.rigid_body import RigidBody, body_frames
from flexframe.model.system import System, part_of
from flexframe.model.system_loads import Actuator, MarkerForce, SystemLoad
from flexframe.sensors.contract import Sensor


class SystemEntries(Protocol):
    """The parts of a case that make a system."""

    @property
    def title(self) -> str: ...
    @property
    def space(self) -> Space: ...
    @property
    def bodies(self) -> Mapping[Name, Entry]: ...
    @property
    def ground(self) -> Mapping[Name, MarkerEntry]: ...
    @property
    def start(self) -> Mapping[Name, StartEntry]: ...
    @property
    def joints(self) -> Mapping[Name, JointEntry]: ...
    @property
    def robots(self) -> Mapping[Name, RobotEntry]: ...
    @property
    def limits(self) -> Mapping[Name, LimitsEntry]: ...
    @property
    def drives(self) -> Mapping[Name, AnyDriveEntry]: ...
    @property
    def initial(self) -> Mapping[Name, DriveEntry]: ...
    @property
    def sensors(self) -> Mapping[Name, SensorEntry]: ...
    @property
    def controllers(self) -> Mapping[Name, ControllerEntry]: ...
    @property
    def inputs(self) -> Mapping[str, InputEntry]: ...
    @property
    def parameters(self) -> Mapping[str, Any]: ...
    @property
    def events(self) -> Mapping[Name, EventEntry]: ...
    @property
    def loads(self) -> Mapping[Name, SystemLoadEntry]: ...
    @property
    def contacts(self) -> Mapping[Name, ContactEntry]: ...


def build_system(document: SystemEntries, built: BuiltBodies, folder: Folder, problems: Problems) -> System:
    """Rigid and meshed bodies, joints, drives and loads; CaseError with every problem found."""
    made: list[System] = []
    if document.robots:
        from flexframe.cases.robots import robot_systems

        made = robot_systems(document.robots, built.robots, built.bodies, document.space, problems)
    bodies = _bodies(document, made, built, folder, problems)
    for name in (*document.joints, *document.drives, *document.initial):
        lists = [part for part in ("joints", "drives", "initial") if name in getattr(document, part)]
        if len(lists) > 1:
            problems.add((lists[1], name), f"the name '{name}' is also that of {lists[0]}.{name}; choose another")
    ground: dict[str, Any] = {name: frame for robot in made for name, frame in robot.ground.items()}
    ground |= {name: build_frame(entry) for name, entry in document.ground.items()}
    with problems.at():
        bare = System(bodies, ground=ground, space=document.space)
    problems.raise_if_any()
    joints = _joints(document, made, bodies, ground, folder, problems)
    given = {name: entry for name, entry in document.drives.items() if not isinstance(entry, ToolDriveEntry)}
    drives = _drives(given, bare, joints, part="drives", folder=folder, problems=problems)
    initial = _drives(document.initial, bare, joints, part="initial", folder=folder, problems=problems)
    contacts = _contacts(document, bodies, ground, problems)
    loads: list[SystemLoad] = [load for robot in made for load in robot.loads]
    loads = [load for load in loads if not isinstance(load, FrictionInJoint)]  # which joints bring themselves
    for name, load_entry in document.loads.items():
        with problems.at("loads", name):
            loads.append(load_entry.load(name, folder))
    limits = _limits(document, made, joints, problems)
    start = {name: place for robot in made for name, place in robot.start.items()}
    start |= {name: entry.start() for name, entry in document.start.items()}
    problems.raise_if_any()
    parts = _Parts(
        bodies, list(joints.values()), drives, ground=ground, start=start, space=document.space, limits=limits
    )
    drives = _with_paths(document, parts, folder, problems)
    unchecked = _Parts(
        bodies, list(joints.values()), drives, loads, ground=ground, space=document.space, contacts=contacts
    )
    named = _with_names(document, unchecked, folder, problems)
    for joint in named.joints:
        with problems.at("joints", joint.name):
            named.require_lock(joint)
    for drive in drives:
        with problems.at("drives", drive.name):
            named.following(drive)
    for load in named.loads:  # with the friction of joints
        with problems.at(*part_of(load)):
            named.require_load(load)
            _require_units(load, named.inputs)
    events: list[Event] = []
    for name, event_entry in document.events.items():
        with problems.at("events", name):
            events.append(event_entry.event(name))
            named.require_event(events[-1])
    for name in document.start:
        with problems.at("start", name):
            bare.body(name)
    problems.raise_if_any()
    return System(
        bodies,
        list(joints.values()),
        drives,
        loads,
        ground=ground,
        start=start,
        initial=initial,
        sensors=named.sensors,
        controllers=named.controllers,
        events=events,
        space=document.space,
        name=document.title or "system",
        contacts=contacts,
        inputs=named.inputs,
        limits=limits,
    )


def _bodies(
    document: SystemEntries,
    robots: Sequence[System],
    built: BuiltBodies,
    folder: Folder,
    problems: Problems,
) -> list[RigidBody | Body]:
    """Links of robots, and then the bodies of the case."""
    bodies: list[RigidBody | Body] = [body for robot in robots for body in robot.bodies]
    for name, entry in document.bodies.items():
        with problems.at("bodies", name):
            match entry:
                case RigidBodyEntry():
                    bodies.append(entry.body(name, folder))
                case SurfaceBodyEntry():
                    bodies.append(entry.body(name, folder, built.materials))
                case _:
                    bodies.append(built.bodies[name])
    problems.raise_if_any()
    return bodies


def _with_paths(document: SystemEntries, parts: System, folder: Folder, problems: Problems) -> list[Drive]:
    """The drives with those that lead tools along paths."""
    for name, entry in document.drives.items():
        if isinstance(entry, ToolDriveEntry):
            from flexframe.cases.robots import path_drives

            with locate_errors(problems, "drives", name):
                parts = replace(parts, drives=[*parts.drives, *path_drives(entry, name, parts, folder)])
    problems.raise_if_any()
    return list(parts.drives)


def _joints(  # noqa: PLR0917 - all parts that joints are made of
    document: SystemEntries,
    robots: Sequence[System],
    bodies: Sequence[RigidBody | Body],
    ground: Mapping[str, Any],
    folder: Folder,
    problems: Problems,
) -> dict[str, Joint]:
    """Those of robots, and then those of the case."""
    joints: dict[str, Joint] = {joint.name: joint for robot in robots for joint in robot.joints}
    for name, joint_entry in document.joints.items():
        with problems.at("joints", name):
            if name in joints:
                raise InputError(f"the name '{name}' is also that of a joint of a robot; choose another")
            link = joint_entry.joint(name, folder)
            alone = _Parts(bodies, [link], ground=ground, space=document.space)
            alone.require_links()
            alone.contacts_of(link)  # its clearance and stops can be made
            joints[name] = link
    return joints


def _contacts(
    document: SystemEntries, bodies: Sequence[RigidBody | Body], ground: Mapping[str, Any], problems: Problems
) -> list[Contact]:
    contacts: list[Contact] = []
    for name, contact_entry in document.contacts.items():
        with problems.at("contacts", name):
            contact = contact_entry.contact(name)
            System(bodies, contacts=[contact], ground=ground, space=document.space)
            contacts.append(contact)
    return contacts


def _limits(
    document: SystemEntries, robots: Sequence[System], joints: Mapping[str, Joint], problems: Problems
) -> list[JointLimits]:
    """Those of the case stand in the place of those of a robot."""
    limits = {each.joint: each for robot in robots for each in robot.limits}
    for name, entry in document.limits.items():
        with problems.at("limits", name):
            limits[name] = entry.limits(name)
            if not isinstance(joints.get(name), Revolute | Prismatic):
                raise InputError(unknown_name("revolute or prismatic joint", name, list(joints)))
    return list(limits.values())


@dataclass(frozen=True, eq=False)
class _Parts(System):
    """The parts of a system before it is known whether they fit each other."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "ground", body_frames(self.ground))
        self._add_joint_frictions()


def _with_names(document: SystemEntries, parts: _Parts, folder: Folder, problems: Problems) -> _Parts:
    """The parts with sensors, controllers and inputs, whose names formulas of loads and events may use."""
    sensors: dict[str, Sensor] = {}
    for name, sensor_entry in document.sensors.items():
        with problems.at("sensors", name):
            sensors[name] = sensor_entry.sensor()
            sensors[name].markers(parts)
    controllers: list[Controller] = []
    for name, controller_entry in document.controllers.items():
        with problems.at("controllers", name):
            controllers.append(controller_entry.controller(name, folder))
    inputs: list[Input] = []
    for name, input_entry in document.inputs.items():
        with problems.at("inputs", name):
            inputs.append(input_entry.input(name))
            if name in document.parameters:
                raise InputError(f"the name '{name}' is also that of a parameter; choose another")
    problems.raise_if_any()
    named = replace(parts, sensors=sensors, controllers=controllers, inputs=inputs)
    with problems.at():
        named.require_controllers()
    problems.raise_if_any()
    return named


def _require_units(load: SystemLoad, inputs: Sequence[Input]) -> None:
    """Refuse a force or moment that is an input alone, whose unit is that of something else.

    A plain number has no unit and is taken in SI; products with numbers may be of any unit.
    """
    units = {each.name: each.unit for each in inputs if each.unit}
    wanted: list[tuple[Dimension, str, Sequence[Law]]] = []
    match load:
        case Actuator(along=along, law=law):
            wanted = [(MOMENT if along == "angle" else FORCE, "law", (law,))]
        case MarkerForce(force=force, moment=moment):
            wanted = [(FORCE, "force", force), (MOMENT, "moment", moment)]
    for dimension, field, laws in wanted:
        for law in laws:
            found = state_law(law)
            name = found.text.strip(" +-()") if isinstance(found, Formula) else ""
            if name in units and unit_of(units[name]).exponents != dimension.exponents:
                raise InputError(
                    f"input {name} is {named_measure(unit_of(units[name]).exponents)} [{units[name]}], and here "
                    f"{dimension.name} is wanted; give its value in {dimension.unit}, or give it a factor",
                    field=field,
                )


def _drives(
    entries: Mapping[Name, DriveEntry],
    bare: System,
    joints: Mapping[str, Joint],
    *,
    part: str,
    folder: Folder,
    problems: Problems,
) -> list[Drive]:
    drives = []
    for name, entry in entries.items():
        with problems.at(part, name):
            drive = entry.drive(name, joints, folder)
            # its markers exist, on two bodies; what it follows is looked up when all names are known
            replace(bare, joints=[drive.following(lambda _: FollowingLaw(Fixed(), (), ()))])
            drives.append(drive)
    return drives
