"""Rigid bodies of a case that closed surfaces describe."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from flexframe.elements.orthotropic import OrthotropicMaterial
from flexframe.elements.properties import Material
from flexframe.entries.entry import Entry, refusal
from flexframe.entries.fields import Density, FileName, Name, Text
from flexframe.entries.links import MarkerEntry, build_frame
from flexframe.errors import at_field
from flexframe.files import Folder
from flexframe.model.rigid_body import RigidBody

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
