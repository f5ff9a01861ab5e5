"""The system that a robot makes: bodies, rigid or elastic, joints, damping, friction, limits and the start.

Links that are fixed to each other become one body, named after the first one with a mass or a shape; all of them
are markers of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from flexframe.assembly.discrete import discretise
from flexframe.errors import InputError
from flexframe.maths.rotations import skew, vector_from_rotation
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import LINE
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.reference_points import with_points
from flexframe.model.body import Body, PointMass
from flexframe.model.joints import InPlane, Joint, Prismatic, Revolute, Weld
from flexframe.model.rigid_body import BodyFrame, Placement, RigidBody
from flexframe.model.rubbing import JointFriction
from flexframe.model.supports import RigidCoupling
from flexframe.model.system import GROUND, System, unknown
from flexframe.model.system_loads import Spring, SystemLoad, TorsionSpring
from flexframe.model.transmissions.followers import Mimic
from flexframe.multibody.robots.description import TURNS, Base, Limits, Pose, Robot, RobotJoint, RobotLink

_SAME = 1e-9  # of a length of a link or of its mass, that is none
_REST = "rest of the link"


def link_line(robot: Robot, link: str, divisions: int = 8, to: Sequence[float] | None = None) -> Mesh:
    """Straight lines from the joint that carries a link to all others at it, which are node sets by name.

    A link that carries nothing reaches to the point `to` [m], the set "end", or to twice its centre of mass.
    """
    places, carrying = robot.joint_places(link), robot.parent_of(link)
    ends = {name: pose.place for name, pose in places.items() if carrying is None or name != carrying.name}
    if to is not None:
        ends["end"] = np.asarray(to, dtype=float)
    if not ends:
        ends["end"] = 2 * robot.links[link].centre
    distinct = {name: place for name, place in ends.items() if np.linalg.norm(place) > _SAME}
    if not distinct:
        raise InputError(
            f"the joints of link {link} lie at one point, and there is no beam between them; give it a mesh, or a "
            "point to which it reaches (to)",
            field="to",
        )
    points, cells = [np.zeros(3)], []
    sets = {name: [0] for name in ends if name not in distinct}
    if carrying is not None:
        sets[carrying.name] = [0]
    for name, place in distinct.items():
        first = len(points)
        points += [place * share for share in np.linspace(0.0, 1.0, divisions + 1)[1:]]
        cells += [(0 if k == 0 else first + k - 1, first + k) for k in range(divisions)]
        sets[name] = [first + divisions - 1]
    block = CellBlock(LINE, np.array(cells, dtype=np.int64))
    node_sets = {name: np.array(nodes, dtype=np.int64) for name, nodes in sets.items()}
    return Mesh(np.array(points), (block,), node_sets=node_sets)


def link_body(
    robot: Robot, link: str, body: Body, *, keep_mass: bool = True, attach: Mapping[str, str] | None = None
) -> Body:
    """An elastic body in the place of a link: axes of its joints and, where asked for, the mass of the link.

    Joints attach at node sets of their names, or at those that `attach` names. What the link weighs beyond the
    body is a rigid piece on the node next to its centre.
    """
    places = robot.joint_places(link)
    for name in attach or {}:
        if name not in places:
            raise InputError(
                f"'{name}' is no joint of link {link}; it has {', '.join(places) or 'none'}",
                field=("attach", name),
            )
    named = {name: body.selected_nodes(on) for name, on in (attach or {}).items()}
    mesh = replace(body.mesh, node_sets={**body.mesh.node_sets, **named})
    for name in places:
        if name not in {*mesh.node_sets, *mesh.facet_sets, *mesh.cell_sets}:
            raise InputError(
                f"the mesh has no set '{name}' for the joint of that name; say where it attaches: "
                f"attach: {{{name}: SET}}",
                field="attach",
            )
    axes = {name: vector_from_rotation(pose.rotation) for name, pose in places.items()}
    made = replace(body, mesh=mesh, axes={**axes, **body.axes})
    return _with_mass_of(robot.links[link], made) if keep_mass else made


def _with_mass_of(link: RobotLink, body: Body) -> Body:
    """The body with a rigid piece that makes up for what the link has more of mass, centre and inertia."""
    own = discretise(body).inertia
    rest = link.mass - own.mass
    if rest <= _SAME * link.mass:
        words = f"body {body.name} weighs {own.mass:.4g} kg, the link in whose place it is {link.mass:.4g} kg"
        return body if rest > -_SAME * own.mass else _note(body, words)
    centre = (link.mass * link.centre - own.mass * own.centre_of_mass) / rest
    arm, rest_arm = skew(link.centre), skew(centre)
    # about the origin of the link, less that of the body, taken to the centre of what is left
    inertia = link.inertia - link.mass * arm @ arm - own.inertia_tensor + rest * rest_arm @ rest_arm
    values = np.linalg.eigvalsh((inertia + inertia.T) / 2)
    possible = bool(values[0] >= 0 and values[0] + values[1] >= values[2])
    moments = (inertia[0, 0], inertia[1, 1], inertia[2, 2], inertia[0, 1], inertia[1, 2], inertia[2, 0])
    apart = np.linalg.norm(body.mesh.points - centre, axis=1)
    jointed = np.unique(np.concatenate([body.selected_nodes(name) for name in body.axes]))
    if len(jointed) < len(apart):
        apart[jointed] = np.inf  # joints hold their own nodes
    node = int(np.argmin(apart))
    made = replace(
        body,
        mesh=with_points(body.mesh, {_REST: centre}),
        couplings=(*body.couplings, RigidCoupling(_REST, node)),
        point_masses=(*body.point_masses, PointMass(_REST, rest, moments if possible else None)),
    )
    if possible:
        return made
    return _note(
        made,
        f"body {body.name}: what the link weighs beyond it, {rest:.4g} kg, is a point at its centre: no solid has "
        "the moments of inertia that are left",
    )


def _note(body: Body, words: str) -> Body:
    return replace(body, mesh=replace(body.mesh, notices=(*body.mesh.notices, words)))


_CREEP = 1e-3  # rad/s or m/s, below which friction of a joint creeps: inverse dynamics knows no memory


@dataclass(frozen=True, eq=False)
class _Group:
    """Links that are one body, with their poses in the frame of the first, which is that of the body."""

    root: str
    poses: dict[str, Pose]


@dataclass(eq=False)
class Assembly:
    """Bodies, joints and loads of a robot as they are made."""

    robot: Robot
    elastic: dict[str, Body]
    base: Base
    limits: Limits
    stop_stiffness: float | None
    prefix: str
    bodies: list[RigidBody | Body] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    loads: list[SystemLoad] = field(default_factory=list)
    ground: dict[str, BodyFrame] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.elastic:
            if name not in self.robot.links:
                raise InputError(unknown("link", name, list(self.robot.links)), field=("links", name))
        if self.limits == "stops" and self.stop_stiffness is None:
            raise InputError("limits: stops want a stop_stiffness; give one, or limits: check", field="limits")
        self.groups = self._groups()
        self.group_of = {name: group for group in self.groups for name in group.poses}

    def _groups(self) -> list[_Group]:
        """Links that fixed joints make one, parents first; elastic ones stay by themselves."""
        found: dict[str, _Group] = {}
        for name in self.robot.tree:
            joint = self.robot.parent_of(name)
            alone = joint is None or joint.kind != "fixed" or name in self.elastic
            if alone or joint is None or joint.parent in self.elastic:
                found[name] = _Group(name, {name: Pose()})
                continue
            group = found[joint.parent]
            group.poses[name] = group.poses[joint.parent] @ joint.origin
            found[name] = group
        return list(dict.fromkeys(found.values()))

    # ------------------------------------------------------------------ names and markers

    def body_of(self, link: str) -> str:
        """The name of the body that a link is part of; the ground where the root is nothing but a frame."""
        group = self.group_of[link]
        if self._is_ground(group):
            return GROUND
        links = self.robot.links
        solid = (name for name in group.poses if links[name].mass or links[name].mesh is not None)
        return self.prefix + next(solid, group.root)

    def _is_ground(self, group: _Group) -> bool:
        """Whether a group is the fixed base and has neither mass nor shape."""
        if group.root != self.robot.root or (group.root in self.elastic):
            return False
        if self.base == "free":
            return False
        return all(
            self.robot.links[name].mass == 0 and self.robot.links[name].mesh is None for name in group.poses
        )

    def _marker(self, joint: RobotJoint, link: str) -> str:
        """Bodies have points or node sets by the names of the joints; those of the ground have the prefix."""
        body = self.body_of(link)
        return f"{body}.{self.prefix if body == GROUND else ''}{joint.name}"

    def _frames(self, group: _Group) -> dict[str, BodyFrame]:
        """Markers of a rigid group: its joints, and the links that are fixed in it."""
        found: dict[str, BodyFrame] = {}
        for name, pose in group.poses.items():
            if len(group.poses) > 1:
                found[name] = pose.frame()
        for name, pose in group.poses.items():
            for joint in self.robot.joints.values():
                if joint.child == name == group.root:
                    found[joint.name] = BodyFrame(np.zeros(3))
                if joint.parent == name and joint.child not in group.poses:
                    found[joint.name] = (pose @ joint.origin).frame()
        return found

    # ------------------------------------------------------------------ parts

    def system(self, at: Pose, values: Mapping[str, float], more: Mapping[str, Any]) -> System:
        """The parts with more of them, as fields of `System`."""
        poses = self.robot.poses({name: values[name] for name in self.robot.driven}, at)
        start: dict[str, Placement] = {}
        for group in self.groups:
            frames = {} if group.root in self.elastic else self._frames(group)
            if self._is_ground(group):
                self.ground |= {
                    self.prefix + name: (at @ Pose(frame.axes, frame.point)).frame()
                    for name, frame in frames.items()
                }
                continue
            name = self.body_of(group.root)
            self.bodies.append(self._body(group, name, frames))
            here = poses[group.root]
            start[name] = Placement(here.place, vector_from_rotation(here.rotation))
        self._fix_base(at)
        for joint in self.robot.joints.values():
            self._add(joint)
        limits = [
            replace(joint.limits, joint=self.prefix + joint.name)
            for joint in self.robot.joints.values()
            if joint.limits is not None and joint.moves and self.limits != "none"
        ]
        given = dict(more)
        parts: dict[str, Any] = {
            "bodies": [*self.bodies, *given.pop("bodies", ())],
            "joints": [*self.joints, *given.pop("joints", ())],
            "loads": [*self.loads, *given.pop("loads", ())],
            "ground": {**self.ground, **given.pop("ground", {})},
            "start": {**start, **given.pop("start", {})},
            "limits": [*limits, *given.pop("limits", ())],
        }
        return System(**parts, **{"name": self.robot.name, "space": "spatial", **given})

    def _body(self, group: _Group, name: str, frames: Mapping[str, BodyFrame]) -> RigidBody | Body:
        if group.root in self.elastic:
            return replace(self.elastic[group.root], name=name)
        links = [(self.robot.links[each], pose) for each, pose in group.poses.items()]
        mass = sum(link.mass for link, _ in links)
        if not mass:
            return RigidBody(name, 0.0, np.zeros(3), points=dict(frames), mesh=_draw(links))
        places = [pose.place + pose.rotation @ link.centre for link, pose in links]
        centre = np.average(places, axis=0, weights=[link.mass for link, _ in links])
        inertia = np.zeros((3, 3))
        for (link, pose), place in zip(links, places, strict=True):
            arm = skew(place - centre)
            inertia += pose.rotation @ link.inertia @ pose.rotation.T - link.mass * arm @ arm
        return RigidBody(name, mass, (inertia + inertia.T) / 2, centre, dict(frames), _draw(links))

    def _fix_base(self, at: Pose) -> None:
        """Weld the root to the ground, where it is a body."""
        if self.base == "free" or self._is_ground(self.group_of[self.robot.root]):
            return
        root = self.body_of(self.robot.root)
        marker = f"{self.prefix}base"
        self.ground[marker] = at.frame()
        if self.robot.root in self.elastic:
            raise InputError(
                f"the base {self.robot.root} is elastic, and nothing says where it is held; give the robot a "
                "rigid base, to which this link is fixed",
                field=("links", self.robot.root),
            )
        self.joints.append(Weld(f"{self.prefix}base of {self.robot.root}", f"{GROUND}.{marker}", root))

    def _add(self, joint: RobotJoint) -> None:
        """The joint of the model, with its damping, and what it follows."""
        if joint.kind == "floating":
            return
        if joint.kind == "fixed" and self.group_of[joint.parent] is self.group_of[joint.child]:
            return
        name = self.prefix + joint.name
        first, second = self._marker(joint, joint.parent), self._marker(joint, joint.child)
        axis = joint.axis
        more: dict[str, Any] = {}
        if joint.friction:
            more["friction"] = JointFriction(joint.friction, velocity=_CREEP)
        bounded = joint.limits is not None and None not in (joint.limits.lower, joint.limits.upper)
        if self.limits == "stops" and bounded and joint.kind in ("revolute", "prismatic"):
            assert joint.limits is not None
            more |= {"stops": joint.limits.range, "stop_stiffness": self.stop_stiffness}
        match joint.kind:
            case "revolute" | "continuous":
                self.joints.append(Revolute(name, first, second, axis, **more))
            case "prismatic":
                self.joints.append(Prismatic(name, first, second, axis, **more))
            case "planar":
                self.joints.append(InPlane(name, first, second, axis))
            case "fixed":
                self.joints.append(Weld(name, first, second))
        if joint.damping and joint.moves:
            damper = f"damping of {name}"
            if joint.kind == "prismatic":
                self.loads.append(Spring(damper, first, second, damping=joint.damping, axis=axis))
            else:
                self.loads.append(TorsionSpring(damper, first, second, damping=joint.damping, axis=axis))
        if joint.follows is not None:
            leader = self.robot.joints[joint.follows.joint]
            self.joints.append(
                Mimic(
                    f"{name} follows {self.prefix}{leader.name}",
                    first,
                    second,
                    (self._marker(leader, leader.parent), self._marker(leader, leader.child)),
                    joint.follows.factor,
                    joint.follows.offset,
                    TURNS[joint.kind],
                    axis,
                    TURNS[leader.kind],
                    leader.axis,
                )
            )


def _draw(links: Sequence[tuple[RobotLink, Pose]]) -> Mesh | None:
    """The shapes of links that are one body, together."""
    parts = [(link.mesh, pose) for link, pose in links if link.mesh is not None]
    if not parts:
        return None
    points, cells, count = [], [], 0
    for mesh, pose in parts:
        points.append(mesh.points @ pose.rotation.T + pose.place)
        cells += [CellBlock(block.cell, block.nodes + count) for block in mesh.blocks]
        count += mesh.node_count
    return Mesh(np.concatenate(points), tuple(cells))
