"""Robots of a case: a URDF file, where it stands, which of its links are elastic; and limits of joints."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from flexframe.entries import quantities as q
from flexframe.entries.bodies import BodyEntry
from flexframe.entries.entry import Entry, refusal, refusal_at
from flexframe.entries.fields import Count, FileName, Name, Point, Text, one_of
from flexframe.entries.links import FrameEntry
from flexframe.entries.meshes import MeshEntry
from flexframe.model.drives import JointLimits

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
