"""A system of bodies: who is linked to whom, what drives them and what loads them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Literal, Protocol

from numpy.typing import ArrayLike

from flexframe.errors import FieldPath, InputError, at_field, at_part
from flexframe.given import Described
from flexframe.model.body import Body, Space
from flexframe.model.constraints import TimeLaw, follows_state, names_in, state_law
from flexframe.model.contacts import CONTACTS, Contact, require_no_contacts
from flexframe.model.controllers.contract import Controller, require_connected
from flexframe.model.drives import Drive, JointLimits, following_law
from flexframe.model.events import Event, Input, Switch
from flexframe.model.friction import FrictionInJoint, joint_frictions
from flexframe.model.joint_contacts import joint_contacts, stop_contacts
from flexframe.model.joints import Joint, Jointed, Prismatic, Revolute
from flexframe.model.measured import Measured, MeasuredInput, MeasuredReaction, Measuring
from flexframe.model.rigid_body import BodyFrame, Placement, RigidBody, body_frames
from flexframe.model.system_loads import (
    BodyLoads,
    MarkerForce,
    SystemGravity,
    SystemLoad,
    laws_of,
    require_known,
)
from flexframe.model.transmissions.contract import Transmission, sides_of
from flexframe.motion.frame import vector3

GROUND = "ground"
MOST_STEPS = 1_000_000_000
MOST_INSTANTS = 10_000_000  # at which a controller acts
"""Steps in time of one motion; more are refused."""

InitialDeformation = Literal["equilibrium", "at_rest", "undeformed", "periodic"]


@dataclass(frozen=True)
class _Name:
    name: str


class _Named(Protocol):
    @property
    def name(self) -> str: ...


@dataclass(frozen=True, eq=False)
class System(Described):
    """Bodies, rigid or elastic, with joints, drives and loads.

    `ground` names points fixed in space. `start` says roughly where bodies are; what the joints demand is then
    found exactly, and which of several assemblies it is depends on it. The friction of joints is added to `loads`.
    `initial` holds coordinates at the start
    of a motion that is computed (value and rate of their law); afterwards they are free. `sensors`,
    `controllers` and `inputs` give names that formulas of loads and `events` may use. `limits` are bounds of
    joints that paths are checked against.
    """

    bodies: Sequence[RigidBody | Body]
    joints: Sequence[Joint] = ()
    drives: Sequence[Drive] = ()
    loads: Sequence[SystemLoad] = ()
    ground: Mapping[str, ArrayLike | BodyFrame] = field(default_factory=dict)
    start: Mapping[str, Placement] = field(default_factory=dict)
    initial: Sequence[Drive] = ()
    sensors: Mapping[str, Measuring] = field(default_factory=dict)
    controllers: Sequence[Controller] = ()
    events: Sequence[Event] = ()
    space: Space = "planar"
    name: str = "system"
    contacts: Sequence[Contact] = ()
    inputs: Sequence[Input] = ()
    limits: Sequence[JointLimits] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "ground", body_frames(self.ground))
        self._add_joint_frictions()
        if not self.bodies:
            raise InputError("the system has no body; give at least one")
        _require_unique("body", bodies=self.bodies)
        _require_unique("joint or drive", joints=self.joints, drives=self.drives, initial=self.initial)
        _require_unique("load", loads=self.loads)
        _require_unique("event", events=self.events)
        names = [body.name for body in self.bodies]
        if GROUND in names:
            raise InputError(f"a body is called '{GROUND}'; that is the name of the fixed frame, choose another")
        if self.space == "spatial":
            for body in self.bodies:
                if isinstance(body, RigidBody):
                    with at_part("bodies", body.name):
                        body.require_spatial()
        for name in self.start:
            if name not in names:
                raise InputError(f"start: {unknown('body', name, names)}")
        object.__setattr__(self, "drives", tuple(map(self.following, self.drives)))
        for drive in self.initial:
            laws = [law for law in map(state_law, drive.laws) if follows_state(law)]
            if laws:
                what = next(iter(names_in(laws[0])), f"a {type(laws[0]).__name__}")
                raise InputError(
                    f"initial {drive.name} names {what}, and what holds at the start follows no sensor; give a "
                    "formula of t",
                    part=("initial", drive.name),
                )
        self.require_links()
        self.require_controllers()
        for load in self.loads:
            self.require_load(load)
        _require_loads([load for load in self.loads if isinstance(load, BodyLoads)], self)
        for joint in self.joints:
            self.require_lock(joint)
        for event in self.events:
            self.require_event(event)
        self.require_limits()
        self._require_contacts()
        played = [contact for contact in self.all_contacts if contact not in self.contacts]
        _require_unique("contact", joints=played, contacts=self.contacts)

    def _add_joint_frictions(self) -> None:
        frictions: list[FrictionInJoint] = []
        for joint in self.joints:
            with at_part("joints", joint.name):
                frictions += joint_frictions(joint, planar=self.space == "planar")
        given = [load for load in self.loads if not isinstance(load, FrictionInJoint)]
        if frictions or len(given) < len(self.loads):
            object.__setattr__(self, "loads", (*given, *frictions))

    def following(self, drive: Drive) -> Drive:
        """A drive whose laws name sensors, with the coordinates that these measure in their place."""
        with at_part("drives", drive.name):
            return drive.following(lambda law: following_law(law, self._follow, drive.name))

    def _follow(self, name: str) -> Measured:
        """What a drive follows under a name."""
        if any(name.partition(".")[0] == each.name for each in self.controllers):
            raise InputError(
                f"{name} is a controller, and a drive prescribes a position with its speed and acceleration, "
                "which a controller does not give; take an actuator that follows it"
            )
        return self.measured(name)

    def require_links(self) -> None:
        """Refuse joints and drives that do not bind two bodies, or leave the plane where the bodies are."""
        for link in (*self.joints, *self.drives, *self.initial):
            with_marker = (self.frame(link.first, link.name), self.frame(link.second, link.name))
            if with_marker[0][0] == with_marker[1][0]:
                raise InputError(f"{link.name} links {with_marker[0][0]} to itself; name two bodies")
            for side in sides_of(link):
                owners = [self.frame(marker, link.name)[0] for marker in (side.first, side.second)]
                if owners[0] == owners[1]:
                    raise InputError(
                        f"{link.name} measures {owners[0]} against itself; name another body as carrier",
                        field="carrier",
                    )
            if self.space == "planar":
                _require_in_plane(link)

    def require_limits(self) -> None:
        """Refuse limits of what is no revolute or prismatic joint, and two of one."""
        joints = {joint.name: joint for joint in self.joints}
        _require_unique("limits", limits=self.limits)
        for limits in self.limits:
            if limits.joint not in joints:
                raise InputError(unknown("joint", limits.joint, list(joints)), part=("limits", limits.joint))
            if not isinstance(joints[limits.joint], Revolute | Prismatic):
                raise InputError(
                    f"{limits.joint} has no single coordinate that limits could bound; name a revolute or "
                    "prismatic joint",
                    part=("limits", limits.joint),
                )

    def limits_of(self, joint: str) -> JointLimits:
        """The limits of a joint; without bounds where none are given."""
        return next((each for each in self.limits if each.joint == joint), JointLimits(joint))

    def require_load(self, load: SystemLoad) -> None:
        """Refuse a load that acts on nothing or follows names that stand for nothing."""
        require_known(load)
        owners = [self.frame(marker, load.name)[0] for marker in _markers(load)]
        if len(owners) == 2 and owners[0] == owners[1]:
            where = "two points of the ground" if owners[0] == GROUND else f"two points of body {owners[0]}"
            raise InputError(
                f"{load.name} acts between {where}, so that it moves nothing; name points of two bodies, or "
                "of a body and the ground",
                field=load.kind,
            )
        _require_loads([load] if isinstance(load, BodyLoads) else [], self)
        with at_part(*part_of(load)):
            self._require_known(laws_of(load))

    def require_controllers(self) -> None:
        """Refuse controllers that read names which stand for nothing or for two things, and loops of them."""
        sensors = [_Name(name) for name in self.sensors]
        _require_unique(
            "sensor, controller or input" if self.inputs else "sensor or controller",
            sensors=sensors,
            controllers=self.controllers,
            inputs=self.inputs,
        )
        require_connected(self.controllers, self.measured)

    def require_lock(self, joint: Joint) -> None:
        """Refuse a joint whose lock follows names that stand for nothing."""
        if isinstance(joint, Jointed) and joint.lock is not None:
            with at_part("joints", joint.name), at_field("lock"):
                self._require_known((state_law(joint.lock),))

    def require_event(self, event: Event) -> None:
        """Refuse an event that looks at names that stand for nothing, or sets what is no switch."""
        switches = [each.name for each in self.controllers if isinstance(each, Switch)]
        with at_part("events", event.name):
            self._require_known((state_law(event.when),), instants=True)
            for name in event.set:
                if name not in switches:
                    raise InputError(self._no_switch(name, switches), field="set")

    def _no_switch(self, name: str, switches: list[str]) -> str:
        """Why an event cannot set something."""
        if any(name == each.name for each in self.controllers):
            return (
                f"{name} is a controller, whose output follows its input; events set switches: add one to the "
                "controllers (name: {switch: 0}), and use it in the input or the limits of others"
            )
        if not switches:
            return f"there is no switch {name}; add it to the controllers ({name}: {{switch: 0}})"
        return unknown("switch", name, switches)

    def _require_known(self, laws: Iterable[TimeLaw], *, instants: bool = False) -> None:
        controllers = [each.name for each in self.controllers]
        for law in laws:
            for name in names_in(law):
                if name.partition(".")[0] not in controllers:
                    self.measured(name, instants=instants)

    def measured(self, name: str, *, instants: bool = False) -> Measured:
        """What a name in a formula stands for: `gap`, or `tip.x` of a sensor with components.

        Forces of joints and drives are for formulas that are read at `instants` only.
        """
        whole, _, component = name.partition(".")
        if any(whole == each.name for each in self.inputs):
            if component:
                raise InputError(
                    f"the input {whole} has no component '{component}'; it is one number, write {whole}"
                )
            return MeasuredInput(whole)
        if whole not in self.sensors:
            known = [
                *self.sensors,
                *(each.name for each in self.controllers),
                *(each.name for each in self.inputs),
            ]
            raise InputError(
                f"{unknown('name in a formula', whole, known)}; parameters, sensors, controllers and inputs make "
                "names"
            )
        found = self.sensors[whole].measurements(whole, self)
        if component in found:
            one = found[component]
            if isinstance(one, MeasuredReaction) and not instants:
                raise InputError(
                    f"the sensor {whole} is the force of {one.joint}, which follows from all other forces: none "
                    "of them may depend on it at the same instant; read it in a controller with a period, or "
                    "measure a spring or contact that stands in its place"
                )
            return one
        if not component:
            words = " or ".join(f"{whole}.{part}" for part in found)
            raise InputError(f"the sensor {whole} has components; write {words} in a formula")
        parts = [part for part in found if part]
        remedy = f"choose from {', '.join(parts)}" if parts else f"it is one number, write {whole}"
        raise InputError(f"the sensor {whole} has no component '{component}'; {remedy}")

    def _require_contacts(self) -> None:
        """Each is between two bodies, and of a kind that the core knows."""
        for contact in self.contacts:
            if type(contact) not in CONTACTS:
                names = ", ".join(kind.__name__ for kind in CONTACTS)
                raise InputError(f"{contact.name}: {type(contact).__name__} is no known contact; use {names}")
            owners = [self.frame(marker, contact.name)[0] for marker in (contact.first, contact.second)]
            if owners[0] == owners[1]:
                raise InputError(f"contact {contact.name} is between two points of {owners[0]}; name two bodies")
            if self.space == "planar" and not contact.planar:
                raise InputError(
                    f"contact {contact.name}: {type(contact).__name__} is for space: spatial; in the plane a "
                    "cylinder is a circle, take a sphere"
                )
            if self.space == "planar" and any(abs(shape.axes[2, 2]) < 1 - 1e-12 for shape in contact.shapes()):
                raise InputError(
                    f"contact {contact.name}: its plane is not along z; give a normal in the x–y plane",
                    field="normal",
                )

    def require_smooth(self, analysis: str) -> None:
        """Refuse shapes that meet and joints that are locked where an analysis has no place for them."""
        for joint in self.joints:
            if stop_contacts(joint):
                raise InputError(
                    f"{analysis} knows no contact, and {joint.name} has stops; take a transient, or leave its "
                    "stops out",
                    field="stops",
                    part=("joints", joint.name),
                )
        require_no_contacts(self.all_contacts, analysis)
        self._require_no_locks(analysis)

    def require_stops_at_most(self, analysis: str) -> None:
        """The same, but for stops of joints that yield by a law with a stiffness."""
        stops = [(joint, contact) for joint in self.joints for contact in stop_contacts(joint)]
        names = {contact.name for _, contact in stops}
        require_no_contacts([contact for contact in self.all_contacts if contact.name not in names], analysis)
        for joint, contact in stops:
            if contact.law.kind == "impulsive":
                raise InputError(
                    f"{analysis} knows no impulses, and the stops of {joint.name} are impulsive; give them a "
                    "stop_stiffness or a law with a stiffness, or take a transient",
                    field="stop_law",
                    part=("joints", joint.name),
                )
        self._require_no_locks(analysis)

    def _require_no_locks(self, analysis: str) -> None:
        for joint in self.joints:
            if isinstance(joint, Jointed) and joint.lock is not None:
                raise InputError(
                    f"{analysis} knows no lock, and {joint.name} has one; take a transient, or leave it out: a "
                    "joint that stays locked is a fixed one",
                    field="lock",
                    part=("joints", joint.name),
                )

    def require_free_of_reactions(self, analysis: str) -> None:
        """Refuse friction that follows reactions where forces are known before them."""
        for load in self.loads:
            if isinstance(load, FrictionInJoint) and load.pressed is not None:
                raise InputError(
                    f"{analysis} finds forces before reactions, and the friction of {load.joint} follows its "
                    "reaction; take a transient, or give friction a limit",
                    part=("joints", load.joint, load.name.rpartition(".")[2]),
                )
        for joint in self.joints:
            if isinstance(joint, Transmission) and (field := joint.follows_reaction):
                raise InputError(
                    f"{analysis} finds forces before reactions, and what {joint.name} does to bearings follows "
                    f"its reaction; take a transient, or leave out {field}",
                    part=("joints", joint.name, field),
                )

    @cached_property
    def all_contacts(self) -> tuple[Contact, ...]:
        """The contacts, then those of joints with clearance or stops."""
        return (*self.contacts, *(contact for joint in self.joints for contact in self.contacts_of(joint)))

    def contacts_of(self, joint: Joint) -> tuple[Contact, ...]:
        """The contacts that stand in the place of a joint with clearance, and its stops."""
        with at_part("joints", joint.name):
            return joint_contacts(joint, planar=self.space == "planar")

    @cached_property
    def parts(self) -> Mapping[str, FieldPath]:
        """Where joints, drives, coordinates at the start, loads and sensors stand, by name."""
        lists: dict[str, Sequence[_Named]] = {
            "events": self.events,
            "inputs": self.inputs,
            "controllers": self.controllers,
            "contacts": self.contacts,
            "loads": self.loads,
            "initial": self.initial,
            "drives": self.drives,
            "joints": self.joints,
        }
        found: dict[str, FieldPath] = {name: ("sensors", name) for name in self.sensors}
        found |= {each.name: (where, each.name) for where, things in lists.items() for each in things}
        return found | {load.name: part_of(load) for load in self.loads if isinstance(load, FrictionInJoint)}

    def body(self, name: str) -> RigidBody | Body:
        """The body of that name."""
        for body in self.bodies:
            if body.name == name:
                return body
        raise InputError(unknown("body", name, [body.name for body in self.bodies]))

    def resolve(self, marker: str) -> str:
        """The marker of the body that is computed with; another one where a body is divided into several."""
        return marker

    def pieces_of(self, body: str) -> tuple[str, ...]:
        """The bodies that a body is computed as: itself, unless it is divided."""
        return (body,)

    def frame(self, marker: str, wanted_by: str = "") -> tuple[str, BodyFrame]:
        """Body and frame of a marker "body.point"; without a point the origin of the body."""
        prefix = f"{wanted_by}: " if wanted_by else ""
        owner, _, point = marker.partition(".")
        if owner == GROUND:
            frames: Mapping[str, BodyFrame] = self.ground  # type: ignore[assignment]  # made so at the start
        else:
            try:
                body = self.body(owner)
            except InputError as error:
                raise InputError(f"{prefix}{error}") from None
            if isinstance(body, Body):
                return owner, _mesh_frame(body, point, prefix)
            frames = body.frames
        if not point:
            return owner, BodyFrame((0.0, 0.0, 0.0))  # type: ignore[arg-type]  # made an array
        if point not in frames:
            raise InputError(f"{prefix}{unknown(f'point of {owner}', point, list(frames))}")
        return owner, frames[point]


def _require_in_plane(link: Joint | Drive) -> None:
    """Slides in the plane have an axis in it."""
    axis = getattr(link, "axis", None)
    if link.kind not in ("prismatic", "point_on_line", "position") or axis is None:
        return
    x, y, z = vector3(axis, f"axis of {link.name}")
    if abs(z) > 0 and not (x or y):
        raise InputError(
            f"{link.name} slides along z, and all bodies of a planar system stay in the x–y plane; give an axis "
            "in it, such as [1, 0], or use space: spatial",
            field="axis",
        )


def part_of(load: SystemLoad) -> tuple[str, str]:
    """Where a load stands in its system: by its own name, or as part of a joint."""
    return ("joints", load.joint) if isinstance(load, FrictionInJoint) else ("loads", load.name)


def _markers(load: SystemLoad) -> tuple[str, ...]:
    match load:
        case SystemGravity() | BodyLoads():
            return ()
        case MarkerForce():
            return (load.on,)
    return load.first, load.second


def _require_loads(ways: Sequence[BodyLoads], system: System) -> None:
    """Each must name a meshed body that has loads, and none twice."""
    seen: dict[str, str] = {}
    for way in ways:
        body = system.body(way.body)
        if not isinstance(body, Body) or not body.loads:
            raise InputError(
                f"{way.name}: body {way.body} has no loads of its own; give it loads, or name another"
            )
        if way.body in seen:
            raise InputError(
                f"{way.name} and {seen[way.body]} both speak of the loads of {way.body}; leave one out"
            )
        seen[way.body] = way.name


def _mesh_frame(body: Body, point: str, prefix: str) -> BodyFrame:
    """A node, or the mean of a node set."""
    if not point:
        return BodyFrame((0.0, 0.0, 0.0))  # type: ignore[arg-type]  # made an array
    try:
        nodes = body.selected_nodes(int(point) if point.isdigit() else point)
    except InputError as error:
        raise InputError(f"{prefix}{error}") from None
    if not nodes.size:
        raise InputError(f"{prefix}the set '{point}' of {body.name} has no node; choose another one")
    return BodyFrame(body.mesh.points[nodes].mean(axis=0), body.axes.get(point, (0.0, 0.0, 0.0)))  # type: ignore[arg-type]  # made an array


def unknown(kind: str, name: str, known: Sequence[str]) -> str:
    """A message about a name that stands for nothing."""
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    hint = f" (did you mean '{near[0]}'?)" if near else ""
    return f"unknown {kind} '{name}'{hint}; known are {', '.join(known) or 'none'}"


def _require_unique(what: str, **parts: Iterable[_Named]) -> None:
    """Refuse a name that was given before, at the part of the system that has it again."""
    seen: set[str] = set()
    for part, things in parts.items():
        for thing in things:
            if thing.name in seen:
                raise InputError(
                    f"two of the {what} entries are called '{thing.name}'; give each its own name",
                    part=(part, thing.name),
                )
            seen.add(thing.name)
