"""Rotors of a case by what drawings show, and trains of several shafts, casings and gears."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from flexframe.elements.properties import Material
from flexframe.entries import quantities as q
from flexframe.entries.attachments import SupportEntry
from flexframe.entries.bearings import BearingFields, PedestalEntry
from flexframe.entries.bodies import AnyMaterial, DampingEntry, ReductionChoiceEntry
from flexframe.entries.entry import Entry, refusal_at
from flexframe.entries.fields import (
    Angle,
    Coordinate,
    Count,
    Direction,
    FileName,
    Force,
    Length,
    LengthOrZero,
    Mass,
    Moment,
    Multiplier,
    Name,
    Number,
    OneOrList,
    Point,
    PositiveNumber,
    Text,
    quantity,
)
from flexframe.entries.meshes import MeshEntry
from flexframe.entries.motions import MotionEntry
from flexframe.errors import FieldPath, InputError, at_field
from flexframe.files import Folder

if TYPE_CHECKING:
    from flexframe.model.body import Body
    from flexframe.model.rotors import Disc, ElasticDisc, ShaftLayer, ShaftPiece, SolidDisc
    from flexframe.model.trains import GearMesh, RotorTrain

_INERTIA = q.Dimension("a moment of inertia", "kg m^2", (2, 1, 0), "0.2 kg m^2")
_Inertia = Annotated[float, quantity(_INERTIA, "not negative")]
_TWO = Field(min_length=2, max_length=2, strict=False)
_Pair = float | tuple[float, ...]
Diameters = Annotated[_Pair, OneOrList(Length, Annotated[tuple[Length, ...], _TWO])]
Bores = Annotated[_Pair, OneOrList(LengthOrZero, Annotated[tuple[LengthOrZero, ...], _TWO])]


def _pair(value: _Pair) -> float | tuple[float, float]:
    return (value[0], value[1]) if isinstance(value, tuple) else value


class LayerEntry(Entry):
    """A cylinder, tube or cone: outer and inner diameter, one value or one for each end."""

    diameter: Diameters
    bore: Bores = 0.0
    material: Name | None = None
    shear_factor: PositiveNumber | None = None
    rotary_inertia: Multiplier = 1.0

    def layer(self, materials: Mapping[str, AnyMaterial]) -> "ShaftLayer":
        """The layer that is described."""
        from flexframe.model.rotors import ShaftLayer

        material = None if self.material is None else isotropic(materials, self.material)
        return ShaftLayer(_pair(self.diameter), _pair(self.bore), material, self.shear_factor, self.rotary_inertia)


class PieceEntry(Entry):
    """A piece of a shaft: its length and diameter (two for a cone), or layers that move together.

    By default it is divided into elements no longer than the piece is thick.
    """

    length: Length
    diameter: Diameters | None = None
    bore: Bores = 0.0
    material: Name | None = None
    elements: Count | None = None
    layers: Annotated[tuple[LayerEntry, ...], Field(min_length=1, strict=False)] | None = None
    axial_force: Force = 0.0
    torque: Moment = 0.0

    @model_validator(mode="after")
    def _one_way(self) -> "PieceEntry":
        if (self.diameter is None) == (self.layers is None):
            raise refusal_at("diameter", "give either the diameter of a piece or its layers")
        return self

    def piece(self, materials: Mapping[str, AnyMaterial]) -> "ShaftPiece":
        """The piece that is described."""
        from flexframe.model.rotors import ShaftPiece

        if self.layers is not None:
            layers = tuple(layer.layer(materials) for layer in self.layers)
        else:
            assert self.diameter is not None, "checked above"
            layers = (LayerEntry(diameter=self.diameter, bore=self.bore, material=self.material).layer(materials),)
        return ShaftPiece(self.length, layers, self.elements, self.axial_force, self.torque)


class RotorDiscEntry(Entry):
    """A disc at a place of the shaft: by its measures and material, or by mass and moments of inertia.

    It is rigid, or `elastic`: a ring of shells with `divisions` along its radius and around, tied to the shaft
    at its bore. With a `mesh` of solids it bends as that, tied to the shaft at the nodes of the set `hub`; the
    origin of the mesh comes to the place, and its `axis` along the shaft.
    """

    at: Coordinate
    diameter: Length | None = None
    thickness: Length | None = None
    bore: LengthOrZero = 0.0
    material: Name | None = None
    mass: Mass | None = None
    polar_inertia: _Inertia = 0.0
    diametral_inertia: _Inertia = 0.0
    elastic: bool = False
    divisions: Annotated[tuple[Count, ...], _TWO] = (4, 24)
    mesh: MeshEntry | None = None
    hub: Name | None = None
    axis: Direction | None = None

    @model_validator(mode="after")
    def _one_way(self) -> "RotorDiscEntry":
        measured = [name for name in ("diameter", "thickness") if getattr(self, name) is not None]
        if self.mesh is not None:
            return self._solid()
        for name in ("hub", "axis"):
            if name in self.model_fields_set:
                raise refusal_at(name, "belongs to a disc with a mesh; leave it out, or give the mesh")
        if (self.mass is None) == (not measured):
            raise refusal_at("mass", "give either the mass of a disc, or its diameter and thickness")
        if measured and len(measured) < 2:
            missing = "thickness" if measured == ["diameter"] else "diameter"
            raise refusal_at(missing, "is missing; give it, or the mass of the disc")
        if self.elastic and not (measured and self.bore):
            raise refusal_at("elastic", "a disc that bends is given by its diameter, thickness and bore")
        if "divisions" in self.model_fields_set and not self.elastic:
            raise refusal_at("divisions", "belongs to an elastic disc; leave it out, or say elastic: true")
        return self

    def _solid(self) -> "RotorDiscEntry":
        """Refuse what a mesh says itself."""
        for name in self.model_fields_set - {"at", "mesh", "hub", "axis", "material"}:
            raise refusal_at(name, "is given beside a mesh, which says it itself; leave it out")
        if self.hub is None:
            raise refusal_at("hub", "is missing; name the set of the mesh whose nodes move with the shaft")
        return self

    def solid(self, name: str, material: Material, folder: Folder) -> "SolidDisc":
        """The solid that is described; files are found from the folder of the case."""
        from flexframe.model.rotors import SolidDisc

        assert self.mesh is not None and self.hub is not None, "checked above"
        # a section is swept about y, all else is round about z
        usual = (0.0, 1.0, 0.0) if self.mesh.revolve is not None else (0.0, 0.0, 1.0)
        x, y, z = usual if self.axis is None else (*self.axis, 0.0)[:3]
        with at_field("mesh"):
            mesh = self.mesh.mesh(folder)
        return SolidDisc(self.at, mesh, self.hub, (x, y, z), material, name)


class ShaftBearingEntry(BearingFields):
    """A bearing, seal or support at a place of the shaft; see `bearings` of an analysis."""

    at: Coordinate
    to: Text | None = None
    pedestal: PedestalEntry | None = None


class RotorEntry(Entry):
    """A rotor along x: pieces of its shaft from left to right, discs, bearings and seals.

    `motions` are those that are computed: lateral bending alone, torsion or stretching alone, or all.
    """

    leads: ClassVar[tuple[str, ...]] = ("shaft",)
    regions: ClassVar[None] = None
    description: Text = ""
    shaft: Annotated[tuple[PieceEntry, ...], Field(min_length=1, strict=False)]
    material: Name | None = None
    start: Coordinate = 0.0
    discs: dict[Name, RotorDiscEntry] = Field(default_factory=dict)
    bearings: dict[Name, ShaftBearingEntry] = Field(default_factory=dict)
    stations: dict[Name, Coordinate] = Field(default_factory=dict)
    motions: Literal["lateral", "torsional", "axial", "all"] = "lateral"
    theory: Literal["timoshenko", "euler_bernoulli"] = "timoshenko"
    damping: DampingEntry = DampingEntry()
    end_moments: Literal["axial", "semitangential", "tangential"] = "axial"
    supports: Annotated[tuple[SupportEntry, ...], Field(strict=False)] = ()
    motion: MotionEntry = "rest"
    reduction: ReductionChoiceEntry | Literal["rigid", "exact"] | None = None

    def materials_used(self) -> Iterator[tuple[FieldPath, str | None]]:
        """Fields that name materials, and the names."""
        yield ("material",), self.material
        for k, piece in enumerate(self.shaft):
            yield ("shaft", k, "material"), piece.material
            for j, layer in enumerate(piece.layers or ()):
                yield ("shaft", k, "layers", j, "material"), layer.material
        for name, disc in self.discs.items():
            yield ("discs", name, "material"), disc.material

    def rotor(self, name: str, materials: Mapping[str, AnyMaterial], folder: Folder) -> "Body":
        """The rotor that is described; tables are found from the folder of the case."""
        from flexframe.model.rotors import rotor_body

        pieces = []
        for k, piece in enumerate(self.shaft):
            with at_field("shaft", k):
                pieces.append(piece.piece(materials))
        discs = []
        for key, disc in self.discs.items():
            with at_field("discs", key):
                discs.append(self._disc(key, disc, materials, folder))
        held = []
        for key, bearing in self.bearings.items():
            with at_field("bearings", key):
                pedestal = None if bearing.pedestal is None else bearing.pedestal.pedestal(folder)
                held.append(
                    bearing.make(folder, on=(bearing.at, 0.0, 0.0), to=bearing.to, name=key, pedestal=pedestal)
                )
        return rotor_body(
            name,
            pieces,
            material=None if self.material is None else isotropic(materials, self.material),
            discs=discs,
            bearings=held,
            stations=dict(self.stations),
            start=self.start,
            motions=self.motions,
            theory=self.theory,
            damping=self.damping.damping(),
            end_moments=self.end_moments,
            supports=tuple(support.support() for support in self.supports),
        )

    def _disc(
        self, name: str, entry: RotorDiscEntry, materials: Mapping[str, AnyMaterial], folder: Folder
    ) -> "Disc | ElasticDisc":
        from flexframe.model.rotors import Disc, ShellDisc

        if entry.mass is not None:
            return Disc(entry.at, entry.mass, entry.polar_inertia, entry.diametral_inertia, name)
        made = entry.material or self.material
        if made is None:
            raise InputError("no material is given for it; give one to the disc or to the rotor", field="material")
        if entry.mesh is not None:
            return entry.solid(name, isotropic(materials, made), folder)
        assert entry.diameter is not None and entry.thickness is not None, "checked above"
        if entry.elastic:
            return ShellDisc(
                entry.at,
                entry.diameter,
                entry.thickness,
                entry.bore,
                isotropic(materials, made),
                (entry.divisions[0], entry.divisions[1]),
                name,
            )
        return Disc.of_size(
            entry.at,
            diameter=entry.diameter,
            thickness=entry.thickness,
            bore=entry.bore,
            material=isotropic(materials, made),
            name=name,
        )


def isotropic(materials: Mapping[str, AnyMaterial], name: str) -> Material:
    """A material that a shaft may be made of."""
    material = materials[name]
    if not isinstance(material, Material):
        raise InputError(f"material {name} is orthotropic; a shaft takes an isotropic one", field="material")
    return material


class RossEntry(Entry):
    """A rotor of one shaft from a save file of ROSS (TOML), with its discs, bearings, seals and their tables.

    Its nodes are the sets "node 0", "node 1" … by their numbers in ROSS.
    """

    leads: ClassVar[tuple[str, ...]] = ("ross",)
    regions: ClassVar[None] = None
    description: Text = ""
    ross: FileName
    motion: MotionEntry = "rest"
    reduction: ReductionChoiceEntry | Literal["rigid", "exact"] | None = None

    def materials_used(self) -> Iterator[tuple[FieldPath, str | None]]:
        """Materials are in the file."""
        return iter(())

    def rotor(self, name: str, materials: Mapping[str, AnyMaterial], folder: Folder) -> "Body":  # noqa: ARG002
        """The rotor of the file, which is found from the folder of the case."""
        import tomllib  # others do without

        from flexframe.model.body import Body
        from flexframe.model.ross_models import ross_rotor

        with at_field("ross"):
            try:
                content = tomllib.loads(folder.read(self.ross).decode("utf-8"))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
                raise InputError(f"{self.ross} is no TOML file ({error}); save the rotor with ROSS") from None
            found = ross_rotor(content, name)
            if not isinstance(found.rotor, Body):
                raise InputError(
                    f"{self.ross} has several shafts; take it over in Python with ff.rotors.ross_rotor, or "
                    "describe the shafts as bodies and join them in trains"
                )
            if found.notices:
                raise InputError(f"{self.ross}: {found.notices[0]}; take it over in Python if that is meant")
        return found.rotor


# ---------------------------------------------------------------------- trains


class TrainMemberEntry(Entry):
    """A body of a train: a shaft that turns at `ratio` times the speed, or a casing at rest (ratio 0)."""

    ratio: Number | None = None
    at: Point = (0.0, 0.0, 0.0)


class TrainBearingEntry(BearingFields):
    """A bearing or coupling between two places of a train, each "body.set", or from one to space."""

    on: Text
    to: Text | None = None


class RotorGearEntry(Entry):
    """Two gears that mesh, by their places "body.set" and the radii of their pitch circles."""

    first: Text
    second: Text
    radii: Annotated[tuple[Length, ...], _TWO]
    stiffness: Annotated[float, quantity(q.FORCE_PER_LENGTH, "positive")]
    damping: Annotated[float, quantity(q.DAMPING, "not negative")] = 0.0
    centres: Direction = (0.0, 1.0, 0.0)
    pressure_angle: Angle = 0.3490658503988659
    helix_angle: Angle = 0.0

    def gear(self, name: str) -> "GearMesh":
        """The gears that are described."""
        from flexframe.model.trains import GearMesh

        x, y, z = (*self.centres, 0.0)[:3]
        return GearMesh(
            self.first,
            self.second,
            (self.radii[0], self.radii[1]),
            self.stiffness,
            self.damping,
            (x, y, z),
            self.pressure_angle,
            self.helix_angle,
            name,
        )


class TrainEntry(Entry):
    """Shafts that turn at their own speeds, casings at rest, and bearings, couplings and gears between them."""

    members: Annotated[dict[Name, TrainMemberEntry], Field(min_length=1)]
    bearings: dict[Name, TrainBearingEntry] = Field(default_factory=dict)
    gears: dict[Name, RotorGearEntry] = Field(default_factory=dict)

    def train(self, name: str, bodies: "Mapping[str, Body]", folder: Folder) -> "RotorTrain":
        """The train that is described."""
        from flexframe.model.trains import RotorTrain, TrainMember

        members = tuple(
            TrainMember(bodies[key], entry.ratio, (entry.at[0], entry.at[1], entry.at[2]))
            for key, entry in self.members.items()
        )
        held = []
        for key, bearing in self.bearings.items():
            with at_field("bearings", key):
                held.append(bearing.make(folder, on=bearing.on, to=bearing.to, name=key))
        return RotorTrain(name, members, tuple(held), tuple(gear.gear(key) for key, gear in self.gears.items()))
