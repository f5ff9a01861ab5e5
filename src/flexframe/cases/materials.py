"""Materials and cross-sections of a case."""

from typing import ClassVar

from pydantic import model_validator

from flexframe.cases.entries import Entry, chosen_lead
from flexframe.cases.fields import (
    Area,
    AreaMoment,
    Density,
    Length,
    LengthOrZero,
    Modulus,
    Number,
    PositiveNumber,
)
from flexframe.elements.properties import (
    MATERIALS,
    Circle,
    GeneralSection,
    Material,
    Rectangle,
    Section,
)

BUILT_IN_MATERIALS = {material.name: material for material in MATERIALS}


class MaterialEntry(Entry):
    """An isotropic elastic material."""

    young: Modulus
    poisson: Number
    density: Density

    def material(self, name: str) -> Material:
        """The material that is described."""
        return Material(self.young, self.poisson, self.density, name)


class RectangleEntry(Entry):
    """A rectangle: `height` in the plane of a planar beam, `width` across it."""

    width: Length
    height: Length
    shear_factor: PositiveNumber = 5 / 6


class CircleEntry(Entry):
    """A circle, or a tube with an inner diameter."""

    diameter: Length
    inner_diameter: LengthOrZero = 0.0
    shear_factor: PositiveNumber = 0.9


class GeneralSectionEntry(Entry):
    """A section by its constants; `inertia_z` resists bending in the x–y plane of a planar beam."""

    area: Area
    inertia_z: AreaMoment
    inertia_y: AreaMoment
    torsion_constant: AreaMoment
    shear_factor: PositiveNumber = 5 / 6
    fibre_height: Length | None = None
    fibre_width: Length | None = None


class SectionEntry(Entry):
    """The cross-section of a beam: one of the shapes."""

    leads: ClassVar[tuple[str, ...]] = ("rectangle", "circle", "general")

    rectangle: RectangleEntry | None = None
    circle: CircleEntry | None = None
    general: GeneralSectionEntry | None = None

    @model_validator(mode="after")
    def _one_shape(self) -> "SectionEntry":
        chosen_lead([key for key in self.leads if getattr(self, key) is not None], self.leads, "section")
        return self

    def section(self) -> Section:
        """The section that is described."""
        if self.rectangle is not None:
            return Rectangle(**dict(self.rectangle))
        if self.circle is not None:
            return Circle(**dict(self.circle))
        assert self.general is not None
        return GeneralSection(**dict(self.general))
