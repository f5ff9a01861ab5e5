"""Materials and cross-sections of a case."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, GetCoreSchemaHandler, model_validator
from pydantic_core import CoreSchema

from flexframe.elements.orthotropic import OrthotropicMaterial
from flexframe.elements.polygon_section import PolygonSection
from flexframe.elements.properties import (
    MATERIALS,
    Circle,
    GeneralSection,
    Material,
    Rectangle,
    Section,
)
from flexframe.elements.section_matrices import SectionMatrices
from flexframe.elements.section_shapes import angle_section, box_section, channel_section, i_section
from flexframe.entries import quantities as q
from flexframe.entries.entry import Entry, by_choice, checker, choose_lead, refusal, refusal_at
from flexframe.entries.fields import (
    Area,
    AreaMoment,
    Density,
    Length,
    LengthOrZero,
    Modulus,
    Number,
    OneOrList,
    PositiveNumber,
    SectionOffset,
    quantity,
)
from flexframe.errors import InputError

BUILT_IN_MATERIALS: dict[str, Material | OrthotropicMaterial] = {material.name: material for material in MATERIALS}
_THREE = Field(min_length=3, max_length=3, strict=False)

_Values = float | tuple[float, ...]
ModulusOrThree = Annotated[_Values, OneOrList(Modulus, Annotated[tuple[Modulus, ...], _THREE])]
RatioOrThree = Annotated[_Values, OneOrList(Number, Annotated[tuple[Number, ...], _THREE])]


class MaterialEntry(Entry):
    """An elastic material: isotropic, or orthotropic with three values 1, 2, 3 or 12, 23, 13 and shear moduli."""

    young: ModulusOrThree
    poisson: RatioOrThree
    density: Density
    shear: Annotated[tuple[Modulus, ...], _THREE] | None = None
    strength: Modulus | None = None
    idealised: bool = False

    @model_validator(mode="after")
    def _one_kind(self) -> "MaterialEntry":
        three = [isinstance(self.young, tuple), isinstance(self.poisson, tuple), self.shear is not None]
        if any(three) and not all(three):
            raise refusal(
                "an orthotropic material has three values each of young, poisson and shear (12, 23, 13); give all "
                "of them, or one value of young and poisson"
            )
        if all(three) and self.strength is not None:
            raise refusal("one strength does not fit an orthotropic material; leave it out")
        return self

    def material(self, name: str) -> Material | OrthotropicMaterial:
        """The material that is described."""
        if isinstance(self.young, tuple):
            assert isinstance(self.poisson, tuple) and self.shear is not None
            (E1, E2, E3), (nu12, nu23, nu13), (G12, G23, G13) = self.young, self.poisson, self.shear
            return OrthotropicMaterial(
                (E1, E2, E3), (nu12, nu23, nu13), (G12, G23, G13), self.density, name, self.idealised
            )
        assert not isinstance(self.poisson, tuple)
        return Material(self.young, self.poisson, self.density, name, self.idealised, self.strength)


class RectangleEntry(Entry):
    """A rectangle: `height` in the plane of a planar beam, `width` across it."""

    width: Length
    height: Length
    shear_factor: PositiveNumber = 5 / 6


class CircleEntry(Entry):
    """A circle, or a tube with an inner diameter; Cowper's shear factor of the material unless one is given."""

    diameter: Length
    inner_diameter: LengthOrZero = 0.0
    shear_factor: PositiveNumber | None = None


class GeneralSectionEntry(Entry):
    """A section by its constants; `inertia_z` resists bending in the x–y plane of a planar beam."""

    area: Area
    inertia_z: AreaMoment
    inertia_y: AreaMoment
    torsion_constant: AreaMoment
    shear_factor: PositiveNumber = 5 / 6
    fibre_height: Length | None = None
    fibre_width: Length | None = None
    shear_factor_across: PositiveNumber | None = None


class ISectionEntry(Entry):
    """An I with its web in the plane of a planar beam: outer measures, thickness of web and flanges."""

    height: Length
    width: Length
    web: Length
    flange: Length
    shear_factor: PositiveNumber | None = None
    shear_factor_across: PositiveNumber | None = None

    def section(self) -> PolygonSection:
        """The section that is described."""
        return i_section(self.height, self.width, web=self.web, flange=self.flange)


class ChannelEntry(ISectionEntry):
    """A channel with its web in the plane of a planar beam and its flanges towards +z."""

    def section(self) -> PolygonSection:
        return channel_section(self.height, self.width, web=self.web, flange=self.flange)


class BoxEntry(Entry):
    """A hollow rectangle: outer measures, walls along the height (web) and along the width (flange, as web)."""

    height: Length
    width: Length
    web: Length
    flange: Length | None = None
    shear_factor: PositiveNumber | None = None
    shear_factor_across: PositiveNumber | None = None

    def section(self) -> PolygonSection:
        """The section that is described."""
        return box_section(self.height, self.width, web=self.web, flange=self.flange)


class AngleEntry(Entry):
    """An L with legs along y (height) and z (width) from its corner."""

    height: Length
    width: Length
    thickness: Length
    shear_factor: PositiveNumber | None = None
    shear_factor_across: PositiveNumber | None = None

    def section(self) -> PolygonSection:
        """The section that is described."""
        return angle_section(self.height, self.width, thickness=self.thickness)


_Ring = Annotated[tuple[SectionOffset, ...], Field(min_length=3, strict=False)]


class PolygonEntry(Entry):
    """Any section by the corners [y, z] of its outline and of its holes, in any axes."""

    outline: _Ring
    holes: Annotated[tuple[_Ring, ...], Field(strict=False)] = ()
    shear_factor: PositiveNumber | None = None
    shear_factor_across: PositiveNumber | None = None

    def section(self) -> PolygonSection:
        """The section that is described."""
        outline, *holes = (tuple((y, z) for y, z in ring) for ring in (self.outline, *self.holes))
        return PolygonSection(outline, tuple(holes))


@dataclass(frozen=True, eq=False)
class _SixRows:
    """Annotation of a 6×6 matrix: six rows of six quantities, or its diagonal."""

    corner: q.Dimension  # of rows and columns 1 to 3
    mixed: q.Dimension
    last: q.Dimension  # of rows and columns 4 to 6

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        corner, mixed, last = (Annotated[float, quantity(kind)] for kind in (self.corner, self.mixed, self.last))
        rows = _list(
            *[_list(corner, corner, corner, mixed, mixed, mixed)] * 3,
            *[_list(mixed, mixed, mixed, last, last, last)] * 3,
        )
        diagonal = _list(corner, corner, corner, last, last, last)
        whole, single = checker(rows), checker(diagonal)

        def choose(value: Any) -> Any:
            if not isinstance(value, list | tuple) or len(value) != 6:
                raise refusal(
                    "is not six rows of six numbers, nor the six numbers of a diagonal; give one of them"
                )
            if isinstance(value[0], list | tuple):
                return whole.validate_python(value)
            return tuple(map(tuple, np.diag(single.validate_python(value)).tolist()))

        return by_choice(choose, lambda: rows | diagonal, handler)


def _list(*kinds: Any) -> Any:
    """A list of values of these types."""
    return Annotated[tuple.__class_getitem__(kinds), Field(strict=False)]


_Rows = tuple[tuple[float, ...], ...]
_ORDERS = {"flexframe": (0, 1, 2, 3, 4, 5), "beamdyn": (2, 0, 1, 5, 3, 4)}
"""Where axial, shear y, shear z, torsion, bending y, bending z stand."""


class SectionMatricesEntry(Entry):
    """A section by its full stiffness and mass for each length, about the line of the beam, as of a composite.

    Rows and columns are axial, shear y, shear z, torsion, bending y, bending z; with `order: beamdyn` those of a
    blade file of BeamDyn, whose z is along the beam: shear x, shear y, axial, bending x, bending y, torsion.
    `height` along y and `width` along z are those of the rectangle that is drawn and at whose corners strains are
    looked at; Young's modulus of the material makes stress of them.
    """

    stiffness: Annotated[_Rows, _SixRows(q.FORCE, q.MOMENT, q.BENDING_STIFFNESS)]
    mass: Annotated[_Rows, _SixRows(q.LINE_MASS, q.MASS, q.LINE_INERTIA)]
    height: Length
    width: Length
    order: Literal["flexframe", "beamdyn"] = "flexframe"

    @model_validator(mode="after")
    def _possible(self) -> "SectionMatricesEntry":
        try:
            self.section()
        except InputError as error:
            raise refusal_at(error.field, str(error).removeprefix("section: ")) from error
        return self

    def section(self) -> SectionMatrices:
        """The section that is described."""
        order = np.ix_(_ORDERS[self.order], _ORDERS[self.order])
        stiffness, mass = (
            tuple(map(tuple, np.array(rows)[order].tolist())) for rows in (self.stiffness, self.mass)
        )
        return SectionMatrices(self.width, self.height, stiffness=stiffness, mass=mass)


class SectionEntry(Entry):
    """The cross-section of a beam: one of the shapes."""

    leads: ClassVar[tuple[str, ...]] = (
        "rectangle",
        "circle",
        "i",
        "channel",
        "box",
        "angle",
        "polygon",
        "general",
        "matrices",
    )

    rectangle: RectangleEntry | None = None
    circle: CircleEntry | None = None
    i: ISectionEntry | None = None
    channel: ChannelEntry | None = None
    box: BoxEntry | None = None
    angle: AngleEntry | None = None
    polygon: PolygonEntry | None = None
    general: GeneralSectionEntry | None = None
    matrices: SectionMatricesEntry | None = None

    @model_validator(mode="after")
    def _one_shape(self) -> "SectionEntry":
        choose_lead([key for key in self.leads if getattr(self, key) is not None], self.leads, "section")
        return self

    def section(self) -> Section:
        """The section that is described."""
        if self.rectangle is not None:
            return Rectangle(**dict(self.rectangle))
        if self.circle is not None:
            return Circle(**dict(self.circle))
        for shape in (self.i, self.channel, self.box, self.angle, self.polygon):
            if shape is not None:
                across = shape.shear_factor_across
                return replace(shape.section(), shear_factor=shape.shear_factor, shear_factor_across=across)
        if self.matrices is not None:
            return self.matrices.section()
        assert self.general is not None
        return GeneralSection(**dict(self.general))
