"""Robots as files describe them: links in a tree of joints.

Every joint has a frame in its parent; the frame of its child lies there when the joint is at zero.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from flexframe.elements.properties import BeamProperty, Material, Section
from flexframe.errors import InputError
from flexframe.maths.arrays import Array
from flexframe.maths.rotations import rotation_from_axis_angle, vector_from_rotation
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import Body, Region
from flexframe.model.constraints import Direction, unit
from flexframe.model.drives import JointLimits
from flexframe.model.rigid_body import BodyFrame
from flexframe.model.system import System, unknown
from flexframe.model.transmissions.followers import Coordinate

JointKind = Literal["revolute", "continuous", "prismatic", "fixed", "floating", "planar"]
Base = Literal["fixed", "free"]
Limits = Literal["check", "stops", "none"]

TURNS: Mapping[str, Coordinate] = {"revolute": "rotation", "continuous": "rotation", "prismatic": "travel"}
"""What the coordinate of a joint is; others have none or several."""


@dataclass(frozen=True, eq=False)
class Pose:
    """Where a frame is: rotation (3, 3) and origin [m]."""

    rotation: Array = field(default_factory=lambda: np.eye(3))
    place: Array = field(default_factory=lambda: np.zeros(3))

    def __matmul__(self, other: "Pose") -> "Pose":
        return Pose(self.rotation @ other.rotation, self.place + self.rotation @ other.place)

    def frame(self) -> BodyFrame:
        """As a marker of a body."""
        return BodyFrame(self.place, vector_from_rotation(self.rotation))


@dataclass(frozen=True, eq=False)
class RobotLink:
    """A link: mass [kg], centre [m] and inertia about it [kg m²] in the axes of the link, and what is drawn."""

    name: str
    mass: float = 0.0
    centre: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))
    mesh: Mesh | None = None


@dataclass(frozen=True, eq=False)
class Follows:
    """A joint whose value is factor × that of another + offset."""

    joint: str
    factor: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, eq=False)
class RobotJoint:
    """A joint: its frame in the parent, the axis in that frame, damping, friction, limits, what it follows."""

    name: str
    kind: JointKind
    parent: str
    child: str
    origin: Pose = field(default_factory=Pose)
    axis: Direction = (1.0, 0.0, 0.0)
    limits: JointLimits | None = None
    damping: float = 0.0  # N m s/rad or N s/m
    friction: float = 0.0  # N m or N
    follows: Follows | None = None

    @property
    def moves(self) -> bool:
        """Whether it has one coordinate, an angle or a travel."""
        return self.kind in TURNS

    def pose(self, value: float) -> Pose:
        """The frame of the child in that of the parent at a value of the joint [rad or m]."""
        axis = unit(self.axis, "axis")
        if self.kind == "prismatic":
            return self.origin @ Pose(place=value * axis)
        if self.moves:
            return self.origin @ Pose(rotation_from_axis_angle(axis, value))
        return self.origin


@dataclass(frozen=True, eq=False)
class Robot:
    """Links and joints of a tree; `root` is the link that no joint has as its child."""

    name: str
    links: Mapping[str, RobotLink]
    joints: Mapping[str, RobotJoint]
    notices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for joint in self.joints.values():
            for name in (joint.parent, joint.child):
                if name not in self.links:
                    raise InputError(f"joint {joint.name}: {unknown('link', name, list(self.links))}")
        children = [joint.child for joint in self.joints.values()]
        twice = [name for name in self.links if children.count(name) > 1]
        if twice:
            raise InputError(
                f"link {twice[0]} has two parents; a robot is a tree: add the joint that closes a loop in the case"
            )
        roots = [name for name in self.links if name not in children]
        if len(roots) != 1 or len(list(self._down(roots[0]))) != len(self.links):
            what = f"{len(roots)} roots ({', '.join(roots[:4])})" if len(roots) != 1 else "a closed loop of joints"
            raise InputError(f"the links of {self.name} are no tree: they have {what}; give one base")
        for joint in self.joints.values():
            if joint.follows is not None and not self.joints.get(joint.follows.joint, joint).moves:
                raise InputError(f"joint {joint.name} mimics {joint.follows.joint}, which has no coordinate")
            if joint.follows is not None and joint.follows.joint not in self.joints:
                known = unknown("joint", joint.follows.joint, list(self.joints))
                raise InputError(f"joint {joint.name} mimics another: {known}")

    @cached_property
    def root(self) -> str:
        """The link that no joint has as its child."""
        return next(name for name in self.links if name not in {joint.child for joint in self.joints.values()})

    @cached_property
    def tree(self) -> tuple[str, ...]:
        """All links, parents first."""
        return tuple(self._down(self.root))

    def _down(self, root: str) -> Iterator[str]:
        """Links from a root on, parents first."""
        waiting, seen = [root], {root}
        while waiting:
            here = waiting.pop(0)
            yield here
            found = [j.child for j in self.joints.values() if j.parent == here and j.child not in seen]
            seen |= set(found)
            waiting += found

    def parent_of(self, link: str) -> RobotJoint | None:
        """The joint that carries a link."""
        return next((joint for joint in self.joints.values() if joint.child == link), None)

    @property
    def driven(self) -> tuple[str, ...]:
        """Joints that a motor may drive: those with a coordinate that follows no other."""
        return tuple(name for name, joint in self.joints.items() if joint.moves and joint.follows is None)

    def values(self, given: Mapping[str, float] | None = None) -> dict[str, float]:
        """Values of all joints with a coordinate [rad or m]: as given, else those next to zero within limits."""
        for name in given or {}:
            if name not in self.driven:
                raise InputError(unknown("joint", name, list(self.driven)), field=("values", name))
        found: dict[str, float] = {}
        for name in self.driven:
            limits = self.joints[name].limits
            found[name] = (given or {}).get(name, 0.0 if limits is None else limits.nearest(0.0))
        for name, joint in self.joints.items():
            if joint.moves and joint.follows is not None:
                found[name] = self._follow(joint, found, 0)
        return found

    def _follow(self, joint: RobotJoint, values: Mapping[str, float], depth: int) -> float:
        assert joint.follows is not None
        leader = self.joints[joint.follows.joint]
        if depth > len(self.joints):
            raise InputError(f"joint {joint.name} mimics itself in the end; let one of them lead")
        value = values[leader.name] if leader.follows is None else self._follow(leader, values, depth + 1)
        return joint.follows.factor * value + joint.follows.offset

    def poses(self, values: Mapping[str, float] | None = None, base: Pose | None = None) -> dict[str, Pose]:
        """Frames of all links in space at values of the joints [rad or m], the root at `base`."""
        all_values = self.values(values)
        found = {self.root: base or Pose()}
        for name in self.tree[1:]:
            joint = self.parent_of(name)
            assert joint is not None
            found[name] = found[joint.parent] @ joint.pose(all_values.get(joint.name, 0.0))
        return found

    def joint_places(self, link: str) -> dict[str, Pose]:
        """Frames of the joints at a link, in its axes, the one that carries it first."""
        if link not in self.links:
            raise InputError(unknown("link", link, list(self.links)), field="link")
        carrying = self.parent_of(link)
        found = {} if carrying is None else {carrying.name: Pose()}
        return found | {joint.name: joint.origin for joint in self.joints.values() if joint.parent == link}

    def beam(
        self,
        link: str,
        *,
        section: Section,
        material: Material,
        divisions: int = 8,
        to: Sequence[float] | None = None,
        up: Sequence[float] | None = None,
        keep_mass: bool = True,
        **more: Any,
    ) -> Body:
        """A link as a beam between its joints, for `system(elastic=…)`.

        Parameters
        ----------
        link
            Its name.
        section, material
            Of the beam; lengths in m.
        divisions
            Elements between two joints.
        to
            Where a link that carries no joint ends [m, axes of the link].
        up
            Direction of the z axis of the section, in axes of the link.
        keep_mass
            Whether mass, centre and inertia stay those of the link: what the beam does not weigh is a rigid
            piece on it. Else the beam is all there is.
        more
            More fields of `Body`.

        Returns
        -------
        Body
            The beam, its node sets named after the joints of the link.
        """
        from flexframe.multibody.robots.assembly import link_body, link_line

        x, y, z = (0.0, 0.0, 0.0) if up is None else (float(value) for value in up)
        prop = BeamProperty(material, section, None if up is None else (x, y, z))
        region = Region(prop, family="timoshenko_beam")
        body = Body(link, link_line(self, link, divisions, to), (region,), space="spatial", **more)
        return link_body(self, link, body, keep_mass=keep_mass)

    def link(
        self, link: str, body: Body, *, keep_mass: bool = True, attach: Mapping[str, str] | None = None
    ) -> Body:
        """A body of any kind in the place of a link, for `system(elastic=…)`.

        Parameters
        ----------
        link
            Its name.
        body
            Any elastic body, in the axes of the link.
        keep_mass
            Whether mass, centre and inertia stay those of the link.
        attach
            Node sets at which joints attach, by the names of the joints; sets of their names if not given.

        Returns
        -------
        Body
            The body with the axes of the joints and, where asked for, a rigid piece that makes up for the mass.
        """
        from flexframe.multibody.robots.assembly import link_body

        return link_body(self, link, body, keep_mass=keep_mass, attach=attach)

    def system(
        self,
        *,
        elastic: Mapping[str, Body] | None = None,
        base: Base = "fixed",
        at: BodyFrame | None = None,
        values: Mapping[str, float] | None = None,
        limits: Limits = "check",
        stop_stiffness: float | None = None,
        prefix: str = "",
        **more: Any,
    ) -> System:
        """The robot as a system in space.

        Parameters
        ----------
        elastic
            Bodies in the place of links, by names of links, as `beam` makes them.
        base
            Whether the root is "fixed" to the ground or "free".
        at
            Frame of the root in space; the origin if not given.
        values
            Values of joints at the start [rad or m]; those next to zero within limits if not given.
        limits
            "check": limits are those of the system, which paths are checked against; "stops": revolute and
            prismatic joints also run against them; "none": they are left out.
        stop_stiffness
            Of the stops [N m/rad and N/m].
        prefix
            Before all names, where a system has two robots.
        more
            More parts of `System`: drives, loads, sensors …; its bodies and joints are added to those given.

        Returns
        -------
        System
            Bodies, joints, damping, friction, limits and the start.
        """
        from flexframe.multibody.robots.assembly import Assembly  # made of robots

        parts = Assembly(self, dict(elastic or {}), base, limits, stop_stiffness, prefix)
        return parts.system(Pose() if at is None else Pose(at.axes, at.point), self.values(values), more)
