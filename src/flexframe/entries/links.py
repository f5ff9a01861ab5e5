"""Rigid bodies, starts, joints and drives of a case."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Protocol

import numpy as np
from pydantic import Field

from flexframe.entries import quantities as q
from flexframe.entries.entry import ByKeys, Entry, checker
from flexframe.entries.fields import (
    Angle,
    AngularVelocityVector,
    Checked,
    Direction,
    Length,
    Name,
    Point,
    Text,
    VelocityVector,
    quantity,
)
from flexframe.entries.meshes import MeshEntry
from flexframe.entries.recordings import ByShape, LawEntry, built_law
from flexframe.errors import InputError
from flexframe.files import Folder
from flexframe.model.drives import AngleDrive, DistanceDrive, Drive, PathDrive, PositionDrive
from flexframe.model.joints import (
    Cylindrical,
    InPlane,
    Joint,
    KnifeEdge,
    PointOnLine,
    Prismatic,
    Revolute,
    Rod,
    Rolling,
    Spherical,
    Universal,
    Weld,
)
from flexframe.model.rigid_body import BodyFrame, Placement, RigidBody

Axis = tuple[float, ...]
INERTIA = q.Dimension("a moment of inertia", "kg m^2", (2, 1, 0), "0.02 kg m^2")

MassOrZero = Annotated[float, quantity(q.MASS, "not negative")]
Inertia = Annotated[float, quantity(INERTIA)]
InertiaOrZero = Annotated[float, quantity(INERTIA, "not negative")]
AngleVector = Annotated[tuple[Angle, ...], Field(min_length=3, max_length=3, strict=False)]
Markers = Annotated[tuple[str, str], Field(strict=False)]
"""Two places, "body.point" each; "ground.A" is fixed in space."""

_row = Annotated[tuple[Inertia, ...], Field(min_length=3, max_length=3, strict=False)]
_one = checker(InertiaOrZero)
_three = checker(Annotated[tuple[InertiaOrZero, ...], Field(min_length=3, max_length=3, strict=False)])
_nine = checker(Annotated[tuple[_row, ...], Field(min_length=3, max_length=3, strict=False)])


def _inertia(value: Any) -> Any:
    if isinstance(value, list | tuple):
        matrix = bool(value) and isinstance(value[0], list | tuple)
        return (_nine if matrix else _three).validate_python(value)
    return _one.validate_python(value)


InertiaEntry = Annotated[
    float | tuple[Any, ...],
    Checked(
        _inertia,
        {
            "description": "Inertia about the centre of mass [kg m^2]: about z, about the axes, or a matrix",
            "anyOf": [{"type": ["number", "string"]}, {"type": "array", "minItems": 3, "maxItems": 3}],
        },
    ),
]


class FrameEntry(Entry):
    """A point with axes of its own, turned by an angle about z or by a rotation vector."""

    at: Point
    angle: Angle = 0.0
    rotation: AngleVector | None = None

    def frame(self) -> BodyFrame:
        """The frame that is described."""
        return BodyFrame(np.array(self.at), np.array(self.rotation if self.rotation is not None else [self.angle]))


MarkerEntry = Annotated[Point | FrameEntry, ByShape(FrameEntry, Point)]
"""A point [x, y] or [x, y, z] in body axes, or a frame."""


def built_frame(entry: "tuple[float, ...] | FrameEntry") -> BodyFrame:
    """The place that is described."""
    return entry.frame() if isinstance(entry, FrameEntry) else BodyFrame(np.array(entry))


class RigidBodyEntry(Entry):
    """A body that does not deform: mass, inertia about its centre of mass, and named points."""

    leads: ClassVar[tuple[str, ...]] = ("mass",)
    description: Text = ""
    mass: MassOrZero
    inertia: InertiaEntry = 0.0
    centre: Point = (0.0, 0.0, 0.0)
    points: dict[Name, MarkerEntry] = Field(default_factory=dict)
    shape: MeshEntry | None = None

    def body(self, name: str, folder: Folder) -> RigidBody:
        """The body that is described."""
        mesh = None if self.shape is None else self.shape.mesh(folder)
        points = {point: built_frame(entry) for point, entry in self.points.items()}
        return RigidBody(name, self.mass, np.array(self.inertia), np.array(self.centre), points, mesh)


class StartEntry(Entry):
    """Roughly where a body is at the start, and how it moves when its motion is computed."""

    position: Point = (0.0, 0.0, 0.0)
    angle: Angle = 0.0
    rotation: AngleVector | None = None
    velocity: VelocityVector = (0.0, 0.0, 0.0)
    angular_velocity: AngularVelocityVector = (0.0, 0.0, 0.0)

    def start(self) -> Placement:
        """The start that is described."""
        return Placement(
            np.array(self.position),
            np.array(self.rotation if self.rotation is not None else [self.angle]),
            np.array(self.velocity),
            np.array(self.angular_velocity),
        )


# ---------------------------------------------------------------------- joints


class RevoluteEntry(Entry):
    """A hinge about the axis."""

    leads: ClassVar[tuple[str, ...]] = ("revolute",)
    revolute: Markers
    axis: Direction = (0.0, 0.0, 1.0)

    def joint(self, name: str) -> Joint:
        return Revolute(name, *self.revolute, self.axis)


class PrismaticEntry(Entry):
    """A slide along the axis."""

    leads: ClassVar[tuple[str, ...]] = ("prismatic",)
    prismatic: Markers
    axis: Direction = (1.0, 0.0, 0.0)

    def joint(self, name: str) -> Joint:
        return Prismatic(name, *self.prismatic, self.axis)


class CylindricalEntry(Entry):
    """A slide along the axis and a rotation about it."""

    leads: ClassVar[tuple[str, ...]] = ("cylindrical",)
    cylindrical: Markers
    axis: Direction = (0.0, 0.0, 1.0)

    def joint(self, name: str) -> Joint:
        return Cylindrical(name, *self.cylindrical, self.axis)


class SphericalEntry(Entry):
    """A ball joint."""

    leads: ClassVar[tuple[str, ...]] = ("spherical",)
    spherical: Markers

    def joint(self, name: str) -> Joint:
        return Spherical(name, *self.spherical)


class UniversalEntry(Entry):
    """A Cardan joint; its two axes are perpendicular, one on each body."""

    leads: ClassVar[tuple[str, ...]] = ("universal",)
    universal: Markers
    axis: Direction = (1.0, 0.0, 0.0)
    second_axis: Direction = (0.0, 1.0, 0.0)

    def joint(self, name: str) -> Joint:
        return Universal(name, *self.universal, self.axis, self.second_axis)


class FixedEntry(Entry):
    """Two frames that coincide."""

    leads: ClassVar[tuple[str, ...]] = ("fixed",)
    fixed: Markers

    def joint(self, name: str) -> Joint:
        return Weld(name, *self.fixed)


class PlanarEntry(Entry):
    """Sliding on a plane with this normal."""

    leads: ClassVar[tuple[str, ...]] = ("planar",)
    planar: Markers
    normal: Direction = (0.0, 0.0, 1.0)

    def joint(self, name: str) -> Joint:
        return InPlane(name, *self.planar, self.normal)


class PointOnLineEntry(Entry):
    """A point of the second body on a line of the first."""

    leads: ClassVar[tuple[str, ...]] = ("point_on_line",)
    point_on_line: Markers
    axis: Direction = (1.0, 0.0, 0.0)

    def joint(self, name: str) -> Joint:
        return PointOnLine(name, *self.point_on_line, self.axis)


class RodEntry(Entry):
    """A rod without mass, hinged at both ends."""

    leads: ClassVar[tuple[str, ...]] = ("rod",)
    rod: Markers
    length: Length

    def joint(self, name: str) -> Joint:
        return Rod(name, *self.rod, self.length)


class RollingEntry(Entry):
    """A disc that rolls on a plane of the first body without slipping."""

    leads: ClassVar[tuple[str, ...]] = ("rolling",)
    rolling: Markers
    radius: Length
    normal: Direction = (0.0, 1.0, 0.0)
    axis: Direction = (0.0, 0.0, 1.0)

    def joint(self, name: str) -> Joint:
        return Rolling(name, *self.rolling, self.radius, self.normal, self.axis)


class KnifeEdgeEntry(Entry):
    """A blade that does not move sideways."""

    leads: ClassVar[tuple[str, ...]] = ("knife_edge",)
    knife_edge: Markers
    normal: Direction = (0.0, 1.0, 0.0)

    def joint(self, name: str) -> Joint:
        return KnifeEdge(name, *self.knife_edge, self.normal)


JointEntry = Annotated[
    RevoluteEntry
    | PrismaticEntry
    | CylindricalEntry
    | SphericalEntry
    | UniversalEntry
    | FixedEntry
    | PlanarEntry
    | PointOnLineEntry
    | RodEntry
    | RollingEntry
    | KnifeEdgeEntry,
    ByKeys("joint"),
]

# ---------------------------------------------------------------------- drives


class _Located(Protocol):
    """A drive in a joint, or between two places."""

    @property
    def joint(self) -> str | None: ...
    @property
    def between(self) -> tuple[str, str] | None: ...


def _ends(entry: _Located, joints: Mapping[str, Joint]) -> tuple[str, str]:
    """The two places of a drive."""
    if (entry.joint is None) == (entry.between is None):
        raise InputError("give either joint, the name of one, or between, two places")
    if entry.between is not None:
        return entry.between
    link = _link(entry, joints)
    return link.first, link.second


def _axis(entry: _Located, joints: Mapping[str, Joint], given: Axis | None, usual: Axis) -> Axis:
    """The given axis, that of the joint, or the usual one."""
    if given is not None:
        return given
    return getattr(_link(entry, joints), "axis", usual) if entry.joint is not None else usual


def _link(entry: _Located, joints: Mapping[str, Joint]) -> Joint:
    assert entry.joint is not None
    if entry.joint not in joints:
        raise InputError(f"there is no joint '{entry.joint}'; known are {', '.join(joints) or 'none'}")
    return joints[entry.joint]


class AngleDriveEntry(Entry):
    """An angle [rad] about the axis as a function of time."""

    leads: ClassVar[tuple[str, ...]] = ("angle",)
    angle: LawEntry
    axis: Direction | None = None
    joint: Name | None = None
    between: Markers | None = None

    def drive(self, name: str, joints: Mapping[str, Joint], folder: Folder) -> Drive:
        ends = _ends(self, joints)
        axis = _axis(self, joints, self.axis, (0.0, 0.0, 1.0))
        return AngleDrive(name, *ends, built_law(self.angle, folder), axis)


class PositionDriveEntry(Entry):
    """A position [m] along an axis of the first body as a function of time."""

    leads: ClassVar[tuple[str, ...]] = ("position",)
    position: LawEntry
    axis: Direction | None = None
    joint: Name | None = None
    between: Markers | None = None

    def drive(self, name: str, joints: Mapping[str, Joint], folder: Folder) -> Drive:
        ends = _ends(self, joints)
        axis = _axis(self, joints, self.axis, (1.0, 0.0, 0.0))
        return PositionDrive(name, *ends, built_law(self.position, folder), axis)


class DistanceDriveEntry(Entry):
    """The distance [m] of two places as a function of time."""

    leads: ClassVar[tuple[str, ...]] = ("distance",)
    distance: LawEntry
    joint: Name | None = None
    between: Markers | None = None

    def drive(self, name: str, joints: Mapping[str, Joint], folder: Folder) -> Drive:
        return DistanceDrive(name, *_ends(self, joints), built_law(self.distance, folder))


class PathDriveEntry(Entry):
    """The path [m] of the second place in the axes of the first."""

    leads: ClassVar[tuple[str, ...]] = ("path",)
    path: Annotated[tuple[LawEntry, ...], Field(min_length=2, max_length=3, strict=False)]
    joint: Name | None = None
    between: Markers | None = None

    def drive(self, name: str, joints: Mapping[str, Joint], folder: Folder) -> Drive:
        return PathDrive(name, *_ends(self, joints), tuple(built_law(part, folder) for part in self.path))


DriveEntry = Annotated[
    AngleDriveEntry | PositionDriveEntry | DistanceDriveEntry | PathDriveEntry,
    ByKeys("drive"),
]
