"""Robots of a case, limits of joints, and paths of tools: lines, arcs and splines with a law of the way."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Union

from pydantic import Field, model_validator

from flexframe.entries import links
from flexframe.entries import quantities as q
from flexframe.entries.bodies import BodyEntry
from flexframe.entries.entry import ByKeys, Entry, refusal, refusal_at
from flexframe.entries.fields import Count, FileName, Name, Point, Text, Time, TimeOrZero, one_of, quantity
from flexframe.entries.links import AngleVector, DriveEntry, FrameEntry
from flexframe.entries.meshes import MeshEntry
from flexframe.entries.recordings import RecordingEntry, recorded_columns
from flexframe.entries.tables import ByShape
from flexframe.errors import at_field
from flexframe.files import Folder
from flexframe.model.drives import JointLimits
from flexframe.motion.tool_paths import Arc, Line, PoseLaw, RecordedPath, Segment, Spline, ToolPath, ToolPose
from flexframe.motion.trajectories import Trajectory, polynomial, s_curve, trapezoid

JointValue = Annotated[float, one_of((q.ANGLE, q.LENGTH))]
_SPEED = Annotated[float, one_of((q.ANGULAR_VELOCITY, q.VELOCITY), "positive")]
_EFFORT = Annotated[float, one_of((q.MOMENT, q.FORCE), "positive")]
_STIFFNESS = Annotated[float, one_of((q.MOMENT, q.FORCE_PER_LENGTH), "positive")]


class LimitsEntry(Entry):
    """What a revolute or prismatic joint may do: values between two, a speed, a torque or force of its drive."""

    lower: JointValue | None = None
    upper: JointValue | None = None
    speed: _SPEED | None = None
    force: _EFFORT | None = None

    def limits(self, joint: str) -> JointLimits:
        """The limits that are described."""
        return JointLimits(joint, self.lower, self.upper, self.speed, self.force)


class LinkEntry(BodyEntry):
    """A link of a robot made elastic: a beam between its joints, or a mesh in its axes.

    Without a mesh it is a beam with the given `section` from the joint that carries it to all joints on it, or to
    the point `to`. Joints attach at node sets of their names, or at those that `attach` names. `mass: urdf` adds
    what the link weighs beyond the body as a rigid piece, so that mass, centre and inertia stay; `mass: body` is
    the body alone.
    """

    leads: ClassVar[tuple[str, ...]] = ()
    mesh: MeshEntry | None = None  # type: ignore[assignment]  # a beam has none
    divisions: Count = 8
    to: Point | None = None
    mass: Literal["urdf", "body"] = "urdf"
    attach: dict[Name, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _beam_or_mesh(self) -> "LinkEntry":
        if self.mesh is None and self.section is None and self.regions is None:
            raise refusal("no section is given; give the section of a beam, or a mesh")
        for name in ("divisions", "to"):
            if self.mesh is not None and name in self.model_fields_set:
                raise refusal_at(name, "is for a beam; leave it out beside a mesh")
        if self.motion != "rest":
            raise refusal_at("motion", "is not that of a link, which its joints move; leave it out")
        return self


class RobotEntry(Entry):
    """A robot from a URDF file: its links are bodies and its joints joints of the case, by their names.

    Links that are fixed to each other are one body, named after the first one with a mass or a shape; all of them
    are markers of it. The root is welded to the ground at `at`, or `base: free`. `values` are those of joints at
    the start. `limits` of the file are checked by paths; with `stops` joints run against them with a
    `stop_stiffness`. `packages` are folders of package://NAME/… ;
    with `meshes: false` no visual mesh is read. With `prefix`, all names begin with it.
    """

    urdf: FileName
    packages: dict[str, str] = Field(default_factory=dict)
    meshes: bool = True
    base: Literal["fixed", "free"] = "fixed"
    at: FrameEntry | None = None
    values: dict[Name, JointValue] = Field(default_factory=dict)
    limits: Literal["check", "stops", "none"] = "check"
    stop_stiffness: _STIFFNESS | None = None
    prefix: Text = ""
    links: dict[Name, LinkEntry] = Field(default_factory=dict)
    description: Text = ""


_Speed = Annotated[float, quantity(q.VELOCITY, "positive")]
_Acceleration = Annotated[float, quantity(q.ACCELERATION, "positive")]
JERK = q.Dimension("a jerk", "m/s^3", (1, 0, -3), "20 m/s^3")
_Jerk = Annotated[float, quantity(JERK, "positive")]
_Duration = Annotated[float, quantity(q.TIME, "positive")]
_Noise = Annotated[float, quantity(q.LENGTH, "not negative")]
_Names = Annotated[tuple[str, ...], Field(min_length=2, max_length=3, strict=False)]
_Turns = Annotated[tuple[str, ...], Field(min_length=3, max_length=3, strict=False)]


class PoseEntry(Entry):
    """A place of the tool in space, and its rotation vector."""

    at: Point
    rotation: AngleVector | None = None

    def pose(self) -> ToolPose:
        """The pose that is described."""
        return ToolPose(self.at, self.rotation)


AnyPose = Annotated[Point | PoseEntry, ByShape(PoseEntry, Point)]
"""A point [x, y, z], or a place with a rotation."""


def build_pose(entry: "tuple[float, ...] | PoseEntry") -> ToolPose:
    """The pose that is described."""
    return entry.pose() if isinstance(entry, PoseEntry) else ToolPose(entry)


class LineSegmentEntry(Entry):
    """Straight to a pose."""

    leads: ClassVar[tuple[str, ...]] = ("line",)
    line: AnyPose

    def segment(self) -> Segment:
        """The segment that is described."""
        return Line(build_pose(self.line))


class ArcSegmentEntry(Entry):
    """On a circle through the point `via` to a pose."""

    leads: ClassVar[tuple[str, ...]] = ("arc",)
    arc: AnyPose
    via: Point

    def segment(self) -> Segment:
        """The segment that is described."""
        return Arc(build_pose(self.arc), self.via)


class SplineSegmentEntry(Entry):
    """A smooth curve through points to a pose."""

    leads: ClassVar[tuple[str, ...]] = ("spline",)
    spline: AnyPose
    through: Annotated[tuple[Point, ...], Field(min_length=1, strict=False)]

    def segment(self) -> Segment:
        """The segment that is described."""
        return Spline(build_pose(self.spline), self.through)


SegmentEntry = Annotated[LineSegmentEntry | ArcSegmentEntry | SplineSegmentEntry, ByKeys("segment")]


class ToolPathEntry(Entry):
    """Segments from a first pose, and how fast they are passed.

    Without `start` the path begins where the tool is at the start of the system. `orientation: keep` holds the
    tool as it is turned there; without any rotation only its place is led. The way along the path is a trapezoid
    or, with a `jerk`, an S-curve of the speed, or (`order`) a polynomial; it rests where the direction jumps.
    """

    leads: ClassVar[tuple[str, ...]] = ("segments",)
    segments: Annotated[tuple[SegmentEntry, ...], Field(min_length=1, strict=False)]
    start: AnyPose | None = None
    orientation: Literal["keep", "free"] = "free"
    speed: _Speed | None = None
    acceleration: _Acceleration | None = None
    jerk: _Jerk | None = None
    order: Literal[3, 5, 7] | None = None
    duration: _Duration | None = None
    dwell: TimeOrZero = 0.0
    begin: Time = 0.0

    @model_validator(mode="after")
    def _fits(self) -> "ToolPathEntry":
        if self.order is None and (self.speed is None or self.acceleration is None):
            missing = "speed" if self.speed is None else "acceleration"
            raise refusal_at(missing, "is missing; give speed and acceleration, or the order of a polynomial")
        if self.orientation == "keep" and isinstance(self.start, PoseEntry) and self.start.rotation is not None:
            raise refusal_at("orientation", "is given by the rotation of start; leave one of them out")
        return self

    def law(self, ways: Sequence[float]) -> Trajectory:
        """The way that is described, at rest at these values."""
        limits: dict[str, Any]
        given: dict[str, Any] = {"duration": self.duration, "dwell": self.dwell, "begin": self.begin}
        if self.order is not None:
            limits = {"speed": self.speed, "acceleration": self.acceleration, "jerk": self.jerk}
            return polynomial(ways, order=self.order, **limits, **given)
        assert self.speed is not None and self.acceleration is not None
        if self.jerk is not None:
            return s_curve(ways, speed=self.speed, acceleration=self.acceleration, jerk=self.jerk, **given)
        return trapezoid(ways, speed=self.speed, acceleration=self.acceleration, **given)

    def path(self, here: ToolPose, folder: Folder) -> PoseLaw:  # noqa: ARG002 - as recordings have it
        """The path from where the tool is, unless another start is given."""
        start = here if self.start is None else build_pose(self.start)
        rotation = here.rotation if self.orientation == "keep" else start.rotation
        if self.start is None and self.orientation == "free" and not self._turned:
            rotation = None
        return ToolPath(ToolPose(start.place, rotation), [each.segment() for each in self.segments], self.law)

    @property
    def _turned(self) -> bool:
        """Whether a segment says how the tool is turned."""
        ends = [getattr(each, each.leads[0]) for each in self.segments]
        return any(isinstance(end, PoseEntry) and end.rotation is not None for end in ends)


class RecordedPathEntry(Entry):
    """A tool as columns of a CSV file record it [m, rad], through the samples or smoothed by their noise."""

    leads: ClassVar[tuple[str, ...]] = ("samples",)
    samples: FileName
    time: str = "t"
    columns: _Names = ("x", "y", "z")
    rotation: _Turns | None = None
    noise: _Noise = 0.0

    def path(self, here: ToolPose, folder: Folder) -> PoseLaw:  # noqa: ARG002 - it begins where it does
        """The recorded path."""
        with at_field("samples"):
            times, _ = recorded_columns(self.samples, folder, self.time, self.columns)
            laws = [self._column(name, self.noise, folder) for name in self.columns]
            turning = [self._column(name, 0.0, folder) for name in self.rotation or ()]
        if len(laws) < 3:
            laws.append(_Still())
        return RecordedPath(laws, turning, (float(times[0]), float(times[-1])))

    def _column(self, name: str, noise: float, folder: Folder) -> Any:
        return RecordingEntry(samples=self.samples, column=name, time=self.time, noise=noise).law(folder)


class _Still:
    """No coordinate out of the plane."""

    def jet(self, times: Any, /) -> tuple[Any, Any, Any]:
        zero = 0.0 * times
        return zero, zero, zero


AnyPath = Annotated[ToolPathEntry | RecordedPathEntry, ByKeys("path")]


class ToolDriveEntry(Entry):
    """Joints led so that a tool follows a path: one drive for each of them, named NAME JOINT.

    `joints` are those that motors drive, all revolute and prismatic ones that nothing else drives if not given;
    `starts` says from how many sets of values the first pose is sought.
    """

    leads: ClassVar[tuple[str, ...]] = ("tool",)
    tool: str
    path: AnyPath
    joints: Annotated[tuple[str, ...], Field(min_length=1, strict=False)] | None = None
    starts: Count = 8

    @model_validator(mode="after")
    def _marker(self) -> "ToolDriveEntry":
        if not self.tool.strip():
            raise refusal("tool is no marker; give body.point")
        return self


if TYPE_CHECKING:
    AnyDriveEntry = DriveEntry | ToolDriveEntry
else:
    AnyDriveEntry = Annotated[Union[(*links.DRIVE_ENTRIES, ToolDriveEntry)], ByKeys("drive")]
