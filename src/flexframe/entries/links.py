"""Rigid bodies, starts, joints, profiles of cams and drives of a case.

What a case may say of joints and drives follows from the classes of the model.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Union, cast, get_origin

import numpy as np
from pydantic import Field, create_model, model_validator

from flexframe.elements.orthotropic import OrthotropicMaterial
from flexframe.elements.properties import Material
from flexframe.entries import quantities as q
from flexframe.entries.contact_laws import (
    AnyClearance,
    AnyJointFriction,
    AnyLaw,
    ClearanceEntry,
    JointFrictionEntry,
)
from flexframe.entries.entry import ByKeys, Entry, checker, refusal
from flexframe.entries.fields import (
    Angle,
    AngularVelocityVector,
    AnyQuantity,
    Checked,
    Coordinate,
    Density,
    Direction,
    FileName,
    FormulaOfState,
    Length,
    LengthOrZero,
    Name,
    Point,
    PositiveNumber,
    Text,
    VelocityVector,
    one_of,
    quantity,
    quantity_of,
)
from flexframe.entries.meshes import MeshEntry
from flexframe.entries.parameters import current
from flexframe.entries.problems import show_value
from flexframe.entries.recordings import StateLawEntry, build_law, recorded_columns
from flexframe.entries.tables import ByShape
from flexframe.errors import InputError, at_field
from flexframe.files import Folder
from flexframe.maths.formula import Formula
from flexframe.model.drives import DRIVES, Drive
from flexframe.model.joint_kinds import JOINTS
from flexframe.model.joints import Joint, Prismatic
from flexframe.model.rigid_body import BodyFrame, Placement, RigidBody
from flexframe.model.transmissions.followers import ANGLE, ProfilePoints

_Point = Annotated[tuple[Angle, AnyQuantity], Field(strict=False)]


class ProfilePointsEntry:
    """A profile by points."""

    def profile(self, folder: Folder) -> ProfilePoints:
        """The profile that is described."""
        raise NotImplementedError


class PointListEntry(ProfilePointsEntry, Entry):
    """Points [angle, value] of a smooth curve; a whole turn that ends as it begins repeats."""

    leads: ClassVar[tuple[str, ...]] = ("points",)
    points: Annotated[tuple[_Point, ...], Field(strict=False)]

    def profile(self, folder: Folder) -> ProfilePoints:  # noqa: ARG002 - no file
        return ProfilePoints(tuple(a for a, _ in self.points), tuple(v for _, v in self.points))


class ProfileColumnEntry(ProfilePointsEntry, Entry):
    """Two columns of a CSV file with a header: angles and values, which `scale` turns into SI units."""

    leads: ClassVar[tuple[str, ...]] = ("samples",)
    samples: FileName
    column: str
    angle: str = "angle"
    angle_unit: Literal["rad", "deg"] = "rad"
    scale: AnyQuantity = 1.0

    def profile(self, folder: Folder) -> ProfilePoints:
        angles, columns = recorded_columns(self.samples, folder, self.angle, [self.column])
        in_radians = np.radians(angles) if self.angle_unit == "deg" else angles
        return ProfilePoints(tuple(in_radians.tolist()), tuple((self.scale * columns[self.column]).tolist()))


def _profile(value: Any) -> Formula | float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise refusal(f"{show_value(value)} is no profile; give a formula such as '0.01*(1 - cos({ANGLE}))'")
    if isinstance(value, int | float):
        return float(value)
    try:
        return current().formula(value, variables=(ANGLE,))
    except InputError as error:
        raise refusal(str(error)) from None


ProfileFormula = Annotated[
    Formula | float,
    Checked(_profile, {"description": f"A formula of {ANGLE} [rad], in SI units", "type": ["string", "number"]}),
]
_Points = Annotated[PointListEntry | ProfileColumnEntry, ByKeys("profile")]
ProfileEntry = Annotated[ProfileFormula | _Points, ByShape(_Points, ProfileFormula)]
"""A formula of `angle`, points of a curve, or columns of a CSV file."""


Axis = tuple[float, ...]
INERTIA = q.Dimension("a moment of inertia", "kg m^2", (2, 1, 0), "0.02 kg m^2")

MassOrZero = Annotated[float, quantity(q.MASS, "not negative")]
Inertia = Annotated[float, quantity(INERTIA)]
InertiaOrZero = Annotated[float, quantity(INERTIA, "not negative")]
AngleVector = Annotated[tuple[Angle, ...], Field(min_length=3, max_length=3, strict=False)]
Markers = Annotated[tuple[str, str], Field(strict=False)]
"""Two markers, "body.point" each; "ground.A" is fixed in space."""

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


def build_frame(entry: "tuple[float, ...] | FrameEntry") -> BodyFrame:
    """The marker that is described."""
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
        points = {point: build_frame(entry) for point, entry in self.points.items()}
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


# ---------------------------------------------------------------------- joints and drives, as the model has them

Stiffness = Annotated[float, quantity(q.FORCE_PER_LENGTH, "positive")]
Damping = Annotated[float, quantity(q.DAMPING, "not negative")]
RotationStiffness = Annotated[float, quantity(q.MOMENT, "positive")]
RotationDamping = Annotated[float, quantity(q.TORSION_DAMPING, "not negative")]
TORSION_STIFFNESS = q.Dimension("a torsional stiffness", "N m/rad", (2, 1, -2), "2e4 N m/rad")

_TRAVELS = Annotated[tuple[Coordinate, ...], Field(min_length=2, max_length=2, strict=False)]
_ANGLES = Annotated[tuple[Angle, ...], Field(min_length=2, max_length=2, strict=False)]
_TURNING = ("revolute", "universal", "spherical", "constant_velocity")  # whose stops are of angles alone


_MEASURES: Mapping[str, Any] = {
    "length": Length,
    "radius": Length,
    "lead": Length,
    "offset": Coordinate,
    "phase": Angle,
    "pressure_angle": Angle,
    "helix_angle": Angle,
    "ratio": PositiveNumber,
    "teeth": Annotated[tuple[PositiveNumber, ...], Field(min_length=2, max_length=2, strict=False)],
    "radii": Annotated[tuple[Length, ...], Field(min_length=2, max_length=2, strict=False)],
    "carrier": str,
    "leader": Markers,
    "factor": AnyQuantity,
    "leader_of": Literal["rotation", "travel"],
    "mimic.offset": Annotated[float, one_of((q.ANGLE, q.LENGTH))],
    "profile": ProfileEntry,
    "stiffness": Stiffness,
    "damping": Damping,
    "clearance": AnyClearance,
    "friction": AnyJointFriction,
    "rotation_friction": AnyJointFriction,
    "stop_law": AnyLaw,
    "rotation_stop_law": AnyLaw,
    "lock": FormulaOfState,
    "stops": _TRAVELS,
    "second_stops": _TRAVELS,
    "stop_stiffness": Stiffness,
    "stop_damping": Damping,
    "rotation_stops": _ANGLES,
    "rotation_stop_stiffness": RotationStiffness,
    "rotation_stop_damping": RotationDamping,
    "bend_stop": Angle,
    **{f"{kind}.{field}": _ANGLES for kind in ("revolute", "universal") for field in ("stops", "second_stops")},
    **{f"{kind}.stop_stiffness": RotationStiffness for kind in _TURNING},
    **{f"{kind}.stop_damping": RotationDamping for kind in _TURNING},
    "rotation_stiffness": RotationStiffness,
    "rotation_damping": RotationDamping,
    "pretension": Annotated[float, quantity(q.FORCE, "not negative")],
    "backlash": LengthOrZero,
    "gear.stiffness": Annotated[float, quantity(TORSION_STIFFNESS, "positive")],
    "gear.damping": Annotated[float, quantity(q.TORSION_DAMPING, "not negative")],
    "gear.backlash": Annotated[float, quantity(q.ANGLE, "not negative")],
}
"""What the numbers of joints and drives measure, by field or by kind and field; directions need no word."""


def _case_fields(kind: type[Any], *, after: int) -> dict[str, tuple[Any, Any]]:
    """The fields of a class of the model from a position on, with what a case may write there, and defaults.

    Those that all kinds have in common are known by their names only, and come last.
    """
    found = {}
    own = [field for field in fields(kind) if not field.kw_only][after:]
    for field in (*own, *(field for field in fields(kind) if field.kw_only)):
        what: Any = _MEASURES.get(field.name, Direction if field.type in (Axis, Axis | None) else None)
        what = _MEASURES.get(f"{kind.kind}.{field.name}", what)
        if field.type is bool or get_origin(field.type) is Literal:
            what = field.type
        what = quantity_of(field) if what is None else what
        assert what is not None, f"{kind.__name__}.{field.name} needs a unit or a word in _MEASURES"
        what = what | None if field.default is None else what
        found[field.name] = (what, ... if field.default is MISSING else field.default)
    return found


class JointedEntry:
    """Two markers, and the fields that the joint has in the model; every subclass is made from a class there."""

    leads: ClassVar[tuple[str, ...]]
    made: ClassVar[Callable[..., Joint]]

    def joint(self, name: str, folder: Folder | None = None) -> Joint:
        """The joint that is described; files are found from the folder of the case."""
        given = dict(cast("Entry", self))
        for key, value in given.items():
            if isinstance(value, ProfilePointsEntry):
                given[key] = value.profile(folder or Folder(Path()))
        if isinstance(given.get("clearance"), ClearanceEntry):
            with at_field("clearance"):
                given["clearance"] = given["clearance"].clearance(slide=self.leads[0] == "prismatic")
        for key in ("stop_law", "rotation_stop_law"):
            if given.get(key) is not None:
                with at_field(key):
                    given[key] = given[key].law(None)
        for key in ("friction", "rotation_friction"):
            if isinstance(given.get(key), JointFrictionEntry):
                given[key] = given[key].friction()
        return type(self).made(name, *given.pop(self.leads[0]), **given)


class JointVariantEntry(Entry):
    """What a joint is in one motion: elastic or with play, whatever it is in the others."""

    stiffness: Stiffness | None = None
    damping: Damping = 0.0
    rotation_stiffness: RotationStiffness | None = None
    rotation_damping: RotationDamping = 0.0
    clearance: AnyClearance | None = None

    def values(self, joint: Joint) -> dict[str, Any]:
        """The fields of the joint that differ from those of an ideal one."""
        given = dict(self)
        if isinstance(self.clearance, ClearanceEntry):
            with at_field("clearance"):
                given["clearance"] = self.clearance.clearance(slide=isinstance(joint, Prismatic))
        return {name: value for name, value in given.items() if value}


AnyJointVariant = Annotated[Literal["ideal"] | JointVariantEntry, ByShape(JointVariantEntry, Literal["ideal"])]


def joint_entry(kind: type[Joint]) -> type[Entry]:
    """What a case says of a kind of joint: `KIND: [marker, marker]` and its fields, as the model has them."""
    own = {kind.kind: (Markers, ...), **_case_fields(kind, after=3)}
    return derived_entry(JointedEntry, kind, own)


def derived_entry(base: type[Any], kind: type[Any], own: Mapping[str, tuple[Any, Any]]) -> type[Entry]:
    """An entry that is led by the name of a kind and makes it."""
    create: Any = create_model  # its types allow no base that is not a model
    entry: type[Any] = create(
        f"{kind.__name__}Entry", __base__=(base, Entry), __doc__=kind.__doc__, __module__=kind.__module__, **own
    )
    entry.leads, entry.made = (kind.kind,), kind
    return entry


class DrivenEntry:
    """A law of time in a joint or between two markers; every subclass is made from a class of the model."""

    leads: ClassVar[tuple[str, ...]]
    made: ClassVar[Callable[..., Drive]]

    def drive(self, name: str, joints: Mapping[str, Joint], folder: Folder) -> Drive:
        """The drive that is described; without an axis of its own it has that of its joint, or the usual one."""
        given = {key: value for key, value in dict(cast("Entry", self)).items() if value is not None}
        law = given.pop(self.leads[0])
        several = isinstance(law, tuple)
        laws = tuple(build_law(part, folder) for part in (law if several else (law,)))
        in_joint, between = given.pop("joint", None), given.pop("between", None)
        if (in_joint is None) == (between is None):
            raise InputError("give either joint, the name of one, or between, two markers")
        if in_joint is not None:
            link = _known_joint(in_joint, joints)
            between = (link.first, link.second)
            if "axis" in type(cast("Entry", self)).model_fields and hasattr(link, "axis"):
                given.setdefault("axis", link.axis)
        return type(self).made(name, *between, laws if several else laws[0], **given)


def _known_joint(name: str, joints: Mapping[str, Joint]) -> Joint:
    if name not in joints:
        raise InputError(f"there is no joint '{name}'; known are {', '.join(joints) or 'none'}")
    return joints[name]


def drive_entry(kind: type[Drive]) -> type[Entry]:
    """What a case says of a kind of drive: `KIND: law`, its fields, and where it acts."""
    several = Annotated[tuple[StateLawEntry, ...], Field(min_length=2, max_length=3, strict=False)]
    law = StateLawEntry if fields(cast("Any", kind))[3].name == "law" else several
    own = {name: (what | None, None) for name, (what, _) in _case_fields(kind, after=4).items()}
    where = {"joint": (Name | None, None), "between": (Markers | None, None)}
    return derived_entry(DrivenEntry, kind, {kind.kind: (law, ...), **own, **where})


if TYPE_CHECKING:
    JointEntry = JointedEntry
    DriveEntry = DrivenEntry
else:
    JointEntry = Annotated[Union[tuple(map(joint_entry, JOINTS))], ByKeys("joint")]  # noqa: UP007
    DRIVE_ENTRIES = tuple(map(drive_entry, DRIVES))
    DriveEntry = Annotated[Union[DRIVE_ENTRIES], ByKeys("drive")]  # noqa: UP007


_METRES = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "in": 0.0254}


class SurfaceBodyEntry(Entry):
    """A rigid body inside the closed surface of an STL file, of one material or density; points in its axes."""

    leads: ClassVar[tuple[str, ...]] = ("stl",)
    description: Text = ""
    stl: FileName
    unit: Literal["m", "cm", "mm", "in"]
    material: Name | None = None
    density: Density | None = None
    points: dict[Name, MarkerEntry] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _made_of_something(self) -> "SurfaceBodyEntry":
        if (self.material is None) == (self.density is None):
            raise refusal("give either material, the name of one, or density, which the surface is filled with")
        return self

    def body(
        self, name: str, folder: Folder, materials: Mapping[str, Material | OrthotropicMaterial]
    ) -> RigidBody:
        """The body that is described; the file is found from the folder of the case."""
        from flexframe.exchange.meshes import read_mesh

        density = materials[self.material].density if self.material is not None else self.density
        assert density is not None
        points = {point: build_frame(entry) for point, entry in self.points.items()}
        with at_field("stl"):
            surface = read_mesh(self.stl, folder=folder).scaled(_METRES[self.unit])
            return RigidBody.of_surface(name, surface, density=density, points=points)
