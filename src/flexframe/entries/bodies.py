"""Bodies of a case, and how they are reduced to few coordinates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from flexframe.elements.orthotropic import OrthotropicMaterial
from flexframe.elements.properties import (
    AxisymmetricProperty,
    BarProperty,
    BeamProperty,
    Material,
    PlaneProperty,
    Property,
    ShellProperty,
    SolidProperty,
    StrainLaw,
)
from flexframe.entries.attachments import (
    CouplingEntry,
    FrameSpringEntry,
    LoadEntry,
    OrientationEntry,
    PointMassEntry,
    SupportEntry,
)
from flexframe.entries.bearings import NamedBearings, bearings
from flexframe.entries.entry import Entry, refusal, refusal_at
from flexframe.entries.fields import (
    Angle,
    Area,
    Checked,
    Count,
    Direction,
    FileName,
    Length,
    Multiplier,
    Name,
    OneOrList,
    Point,
    PositiveNumber,
    RateOrZero,
    SectionOffset,
    Selection,
    Text,
    TimeOrZero,
    count,
)
from flexframe.entries.materials import SectionEntry
from flexframe.entries.meshes import MeshEntry, PlaceSetEntry
from flexframe.entries.motions import MotionEntry
from flexframe.entries.parameters import current
from flexframe.entries.problems import show_value
from flexframe.errors import FieldPath, InputError, at_field
from flexframe.files import Folder
from flexframe.maths.formula import Formula
from flexframe.mesh.reference_points import with_points
from flexframe.model.body import Body, Damping, Region
from flexframe.model.matrices import Use
from flexframe.motion.frame import vector3

if TYPE_CHECKING:
    from flexframe.reduction.attached import Reference
    from flexframe.reduction.strategies import ReductionStrategy

StrategyName = Literal["guyan", "craig_bampton", "modal", "multilevel"]


class ClampedFrameEntry(Entry):
    """A frame that moves with some nodes, or with an interface."""

    clamp: Selection


ReferenceEntry = Literal["mean_axes"] | ClampedFrameEntry


def build_reference(entry: ReferenceEntry | None) -> "Reference | None":
    """The reference condition that is described."""
    from flexframe.reduction.attached import ClampedFrame, MeanAxes

    if entry is None:
        return None
    return MeanAxes() if entry == "mean_axes" else ClampedFrame(entry.clamp)


def build_strategy(
    name: StrategyName, modes: int, *, attachments: bool, substructures: int | None = None
) -> "ReductionStrategy":
    """The strategy of that name."""
    from flexframe.reduction.strategies import CraigBampton, Guyan, Modal, Multilevel

    strategies: dict[str, ReductionStrategy] = {
        "guyan": Guyan(),
        "craig_bampton": CraigBampton(modes),
        "modal": Modal(modes, attachments),
        "multilevel": Multilevel(modes, substructures),
    }
    return strategies[name]


def require_divided(strategy: StrategyName, substructures: int | None) -> None:
    """Refuse a number of substructures beside a strategy that does not divide."""
    if substructures is not None and strategy != "multilevel":
        raise refusal(f"substructures belong to the multilevel strategy, not to {strategy}; leave them out")


class ReductionChoiceEntry(Entry):
    """The few coordinates of an elastic body in a coupled motion; its joints and loads act at interfaces."""

    strategy: StrategyName = "modal"
    modes: Count = 8
    attachments: bool = True
    inertia_shapes: bool = False
    reference: ReferenceEntry | None = None
    damping_ratio: Multiplier = 0.0
    interfaces: dict[str, Literal["rigid", "mean"]] = Field(default_factory=dict)
    parts: Count = 1
    substructures: Count | None = None
    order: Literal[2, 3] = 2

    @model_validator(mode="after")
    def _meant(self) -> "ReductionChoiceEntry":
        if self.strategy != "modal" and not self.attachments:
            raise refusal(f"attachments belong to the modal strategy, not to {self.strategy}; leave them out")
        require_divided(self.strategy, self.substructures)
        return self


AnyMaterial = Material | OrthotropicMaterial

_MAKES = {
    "plane": ("thickness", "plane"),
    "beam": ("section", "theory", "rotary_inertia", "up", "angle", "twist", "offset", "strain_law"),
    "bar": ("area",),
    "shell": ("shell",),
}
"""What cells can be made of, beside a solid, and the fields that say so."""


def _twist(value: Any) -> Formula:
    if not isinstance(value, str):
        raise refusal(
            f"{show_value(value)} is no twist; give two angles such as [0, 30 deg], or a formula of s such as "
            "'0.5*s'"
        )
    try:
        return current().formula(value, variables=("s",))
    except InputError as error:
        raise refusal(str(error)) from None


_TwistFormula = Annotated[
    Formula, Checked(_twist, {"description": "A formula of s, from 0 to 1 along the line [rad]", "type": "string"})
]
_TwistAngles = Annotated[tuple[Angle, Angle], Field(strict=False)]
TwistEntry = Annotated[tuple[float, float] | Formula, OneOrList(_TwistFormula, _TwistAngles)]


class ShellEntry(Entry):
    """A flat or folded shell in space; the multipliers are those of ShellProperty."""

    thickness: Length
    drilling: PositiveNumber = 1.0
    shear_factor: PositiveNumber = 5 / 6
    rotary_inertia: Multiplier = 1.0


class MakeEntry(Entry):
    """What cells are made of: a material with a thickness (plane), shell, section (beam), area (bar), or alone.

    With `plane: axisymmetric` the mesh is the section of a body of revolution about y.
    """

    material: Name | None = None
    thickness: Length | None = None
    plane: Literal["stress", "strain", "axisymmetric"] | None = None
    section: SectionEntry | None = None
    theory: Literal["timoshenko", "euler_bernoulli"] | None = None
    rotary_inertia: Multiplier | None = None
    up: Direction | None = None
    angle: Angle | None = None
    twist: TwistEntry | None = None
    offset: SectionOffset | None = None
    strain_law: StrainLaw | None = None
    area: Area | None = None
    shell: ShellEntry | None = None
    orientation: OrientationEntry | None = None
    element: str | None = None


class RegionEntry(MakeEntry):
    """The cells of a set and what they are made of."""

    cells: str | None = None


class DampingEntry(Entry):
    """Rayleigh damping: mass × m + stiffness × k of the body's own elements, in its frame or in space (fixed)."""

    mass: RateOrZero = 0.0
    stiffness: TimeOrZero = 0.0
    fixed_mass: RateOrZero = 0.0
    fixed_stiffness: TimeOrZero = 0.0

    def damping(self) -> Damping:
        """The damping that is described."""
        return Damping(**dict(self))


class ElasticEntry(Entry):
    """What every elastic body may have, whatever it is made of."""

    description: Text = ""
    space: Literal["planar", "spatial"] | None = None
    supports: Annotated[tuple[SupportEntry, ...], Field(strict=False)] = ()
    loads: Annotated[tuple[LoadEntry, ...], Field(strict=False)] = ()
    point_masses: Annotated[tuple[PointMassEntry, ...], Field(strict=False)] = ()
    couplings: Annotated[tuple[CouplingEntry, ...], Field(strict=False)] = ()
    springs: Annotated[tuple[FrameSpringEntry, ...], Field(strict=False)] = ()
    damping: DampingEntry = DampingEntry()
    axis: Direction | None = None
    bearings: NamedBearings = Field(default_factory=dict)
    reduction: ReductionChoiceEntry | Literal["rigid", "exact"] | None = None
    motion: MotionEntry = "rest"

    def complete(self, body: Body, folder: Folder) -> Body:
        """The body with all that is given here, beside what it has."""
        return replace(
            body,
            supports=(*(support.support() for support in self.supports), *body.supports),
            loads=(*(load.load() for load in self.loads), *body.loads),
            point_masses=(*(point_mass.point_mass() for point_mass in self.point_masses), *body.point_masses),
            damping=self.damping.damping(),
            couplings=(*(coupling.coupling() for coupling in self.couplings), *body.couplings),
            springs=(*(spring.spring() for spring in self.springs), *body.springs),
            axis=body.axis if self.axis is None else _axis(self.axis),
            bearings=(*bearings(self.bearings, folder), *body.bearings),
        )


class BodyEntry(ElasticEntry, MakeEntry):
    """An elastic body: mesh, what it is made of, supports, loads and the motion of its frame."""

    leads: ClassVar[tuple[str, ...]] = ("mesh",)
    mesh: MeshEntry
    regions: Annotated[tuple[RegionEntry, ...], Field(min_length=1, strict=False)] | None = None

    @property
    def takes_space_of_system(self) -> bool:
        """Whether it lives where the system does unless it says otherwise, since its pieces are bodies of that."""
        pieces = isinstance(self.reduction, ReductionChoiceEntry) and self.reduction.parts != 1
        return pieces or self.reduction == "exact"

    @model_validator(mode="after")
    def _made_of_something(self) -> "BodyEntry":
        shorthand = [name for name in MakeEntry.model_fields if getattr(self, name) is not None]
        if self.regions is not None and shorthand:
            raise refusal(f"{shorthand[0]} is given beside regions; move it into the regions")
        if self.regions is None and self.material is None:
            raise refusal("no material is given; give material, or regions that have one each")
        return self

    def materials_used(self) -> Iterator[tuple[FieldPath, str | None]]:
        """Fields that name materials, and the names."""
        yield ("material",), self.material
        for k, part in enumerate(self.regions or ()):
            yield ("regions", k, "material"), part.material


def _axis(direction: Sequence[float]) -> tuple[float, float, float]:
    x, y, z = (*direction, 0.0)[:3]
    return (x, y, z)


# ---------------------------------------------------------------------- of files


def _units(text: str) -> str:
    from flexframe.exchange.units import parse_units

    try:
        parse_units(text)
    except InputError as error:
        raise refusal(str(error).removeprefix("units: ")) from None
    return text


_Files = Annotated[
    tuple[FileName, ...],
    OneOrList(FileName, Annotated[tuple[FileName, ...], Field(min_length=1, strict=False)]),
    AfterValidator(lambda given: (given,) if isinstance(given, str) else given),
]
_Labels = Annotated[tuple[Annotated[int, count(0, 10**12)], ...], Field(min_length=1, strict=False)]


class PartEntry(Entry):
    """Files of other programs that together hold a part, the units that they are in, and what is used of them.

    `materials` says which material of the case stands for a name of the files. `nodes` (by the labels of the
    files), `select` and `reference_points` name nodes.
    """

    files: _Files
    units: Annotated[str, AfterValidator(_units)] | None = None
    use: Use | None = None
    materials: dict[str, Name] = Field(default_factory=dict)
    supports: bool = True
    nodes: dict[Name, _Labels] = Field(default_factory=dict)
    select: dict[str, PlaceSetEntry] = Field(default_factory=dict)
    reference_points: dict[str, Point] = Field(default_factory=dict)

    def filed_body(self, name: str, materials: Mapping[str, AnyMaterial], folder: Folder) -> Body:
        """The body that the files describe; they are found from the folder of the case."""
        from flexframe.exchange.bodies import node_numbering, part_body
        from flexframe.exchange.reading import read_part

        with at_field("files"):
            part = read_part(
                self.files,
                units=self.units,
                materials={given: materials[meant] for given, meant in self.materials.items()},
                folder=folder,
            )
        body = part_body(name, part, use=self.use, supports=self.supports)
        known = {*body.mesh.node_sets, *body.mesh.facet_sets, *body.mesh.cell_sets}
        for field in ("nodes", "select"):
            for again in known & set(getattr(self, field)):
                with at_field(field, again):
                    raise InputError(f"the files have a set '{again}' already; choose another name")
        mesh = body.mesh
        for given, labels in self.nodes.items():
            with at_field("nodes", given):
                numbers = node_numbering(mesh).of(np.array(labels), ", ".join(self.files))
                mesh = mesh.with_sets({given: numbers})
        for given, place in self.select.items():
            with at_field("select", given):
                mesh = place.add_to(mesh, given)
        with at_field("reference_points"):
            mesh = with_points(mesh, self.reference_points)
        return body.on_larger_mesh(mesh)


class PartBodyEntry(ElasticEntry):
    """An elastic body that files describe, and what the case adds: supports, loads, motion."""

    leads: ClassVar[tuple[str, ...]] = ("part",)
    elsewhere: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(
            ("material", "regions"), "the files say what the body is made of; give part: {materials: …}"
        ),
        **dict.fromkeys(("mesh", "file", "files"), "the body is made of files; write part: {files: […]}"),
    }
    part: PartEntry

    @property
    def takes_space_of_system(self) -> bool:
        """Whether it lives where the system does: never, since files describe bodies in space."""
        return False

    @model_validator(mode="after")
    def _no_exact_beams(self) -> "PartBodyEntry":
        if self.reduction == "exact":
            raise refusal_at("reduction", "exact beams are not made of files; give a mesh of lines and a section")
        return self

    def materials_used(self) -> Iterator[tuple[FieldPath, str | None]]:
        """Fields that name materials, and the names."""
        for given, material in self.part.materials.items():
            yield ("part", "materials", given), material

    def filed_body(self, name: str, materials: Mapping[str, AnyMaterial], folder: Folder) -> Body:
        """The body that the files describe, without what the case adds."""
        with at_field("part"):
            made = self.part.filed_body(name, materials, folder)
        return made if self.space is None else replace(made, space=self.space)


def region(make: MakeEntry, cells: str | None, materials: Mapping[str, AnyMaterial], dimension: int) -> Region:
    """The region that is described, on a mesh of that dimension."""
    if make.material is None:
        raise InputError("material is missing; give one")
    material = materials[make.material]
    family = make.element
    if make.section is not None and make.section.matrices is not None:
        for name in ("theory", "rotary_inertia"):
            if getattr(make, name) is not None:
                raise InputError(
                    f"{name} is given beside matrices of the section, which say how it shears and turns; leave it "
                    "out",
                    field=name,
                )
    elif make.section is not None and family is None:
        family = f"{make.theory or 'timoshenko'}_beam"
    return Region(_property(make, material, dimension), cells, family)


def _property(make: MakeEntry, material: AnyMaterial, dimension: int) -> Property:
    orientation = None if make.orientation is None else make.orientation.orientation()
    if orientation is not None and isinstance(material, Material):
        raise InputError(f"material {material.name} is the same in all directions; leave orientation out")
    given = {kind: [f for f in fields if getattr(make, f) is not None] for kind, fields in _MAKES.items()}
    kinds = [kind for kind, fields in given.items() if fields]
    if len(kinds) > 1:
        first, second = (f"{given[kind][0]} (of a {kind})" for kind in kinds[:2])
        raise InputError(f"{first} and {second} are given together; a region is one of them")
    match kinds:
        case ["plane"]:
            if make.plane == "axisymmetric":
                if make.thickness is not None:
                    raise InputError(
                        "thickness is given beside plane: axisymmetric, whose body goes all around; leave it out",
                        field="thickness",
                    )
                return AxisymmetricProperty(material, orientation)
            if make.thickness is None:
                raise InputError("thickness is missing; give it beside plane")
            return PlaneProperty(material, make.thickness, make.plane or "stress", orientation)
        case ["beam"]:
            if make.section is None:
                raise InputError(f"section is missing; give it beside {given['beam'][0]}")
            x, y, z = vector3(make.up, "up") if make.up is not None else (0.0, 0.0, 0.0)
            up = None if make.up is None else (float(x), float(y), float(z))
            inertia = 1.0 if make.rotary_inertia is None else make.rotary_inertia
            y_offset, z_offset = make.offset or (0.0, 0.0)
            return BeamProperty(
                _isotropic(material, "beam"),
                make.section.section(),
                up,
                inertia,
                angle=make.angle or 0.0,
                twist=make.twist,
                offset=(y_offset, z_offset),
                strain_law=make.strain_law or "green",
            )
        case ["bar"]:
            assert make.area is not None
            return BarProperty(_isotropic(material, "bar"), make.area)
        case ["shell"]:
            assert make.shell is not None
            return ShellProperty(material, **dict(make.shell), orientation=orientation)
    if dimension < 3:
        wanted = "thickness, shell or plane: axisymmetric" if dimension == 2 else "section (beam) or area (bar)"
        raise InputError(f"the mesh has {'plane' if dimension == 2 else 'line'} cells; give {wanted}")
    return SolidProperty(material, orientation)


def _isotropic(material: AnyMaterial, kind: str) -> Material:
    if not isinstance(material, Material):
        raise InputError(f"material {material.name} is orthotropic; a {kind} takes an isotropic one")
    return material
