"""An elastic body: a mesh with properties, supports and loads."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from flexframe.elements.properties import (
    BeamProperty,
    Material,
    PlaneProperty,
    PlaneState,
    Property,
    Section,
    SolidProperty,
)
from flexframe.errors import InputError
from flexframe.maths.arrays import IntArray
from flexframe.mesh.builders import line
from flexframe.mesh.mesh import Mesh
from flexframe.model.loads import Load
from flexframe.model.supports import NodeSelection, Support

Space = Literal["planar", "spatial"]


@dataclass(frozen=True)
class Region:
    """Cells with one property; `cells` names a cell set (all cells without a name)."""

    prop: Property
    cells: str | None = None
    family: str | None = None


@dataclass(frozen=True)
class PointMass:
    """A mass [kg] at each selected node."""

    on: NodeSelection
    mass: float

    def __post_init__(self) -> None:
        if not (np.isfinite(self.mass) and self.mass > 0):
            raise InputError(f"point mass is {self.mass:g}; give a positive number of kilograms")


@dataclass(frozen=True)
class Damping:
    """Rayleigh damping, mass × M + stiffness × K [1/s, s]; it acts on the motion relative to the frame."""

    mass: float = 0.0
    stiffness: float = 0.0


@dataclass(frozen=True, eq=False)
class Body:
    """An elastic body described in its own frame.

    In `planar` space the nodes move in the x–y plane (ux, uy, rz); `spatial` frees every degree of freedom that
    the elements have, so that a beam flaps and twists as well.
    """

    name: str
    mesh: Mesh
    regions: tuple[Region, ...]
    supports: tuple[Support, ...] = ()
    loads: tuple[Load, ...] = ()
    point_masses: tuple[PointMass, ...] = ()
    space: Space = "planar"
    damping: Damping = field(default_factory=Damping)

    def __post_init__(self) -> None:
        if not self.regions:
            raise InputError(f"body {self.name} has no region; give at least one property for its cells")
        if self.space == "planar" and self.mesh.dimension == 3:
            raise InputError(f"body {self.name} is a solid; a solid moves in space, so use space: spatial")

    @classmethod
    def plane(
        cls,
        name: str,
        mesh: Mesh,
        *,
        material: Material,
        thickness: float,
        state: PlaneState = "stress",
        supports: tuple[Support, ...] = (),
        loads: tuple[Load, ...] = (),
    ) -> "Body":
        """A body of plane elements."""
        region = Region(PlaneProperty(material, thickness, state))
        return cls(name, mesh, (region,), supports=supports, loads=loads)

    @classmethod
    def solid(
        cls,
        name: str,
        mesh: Mesh,
        *,
        material: Material,
        supports: tuple[Support, ...] = (),
        loads: tuple[Load, ...] = (),
    ) -> "Body":
        """A body of solid elements."""
        region = Region(SolidProperty(material))
        return cls(name, mesh, (region,), supports=supports, loads=loads, space="spatial")

    @classmethod
    def beam(
        cls,
        name: str,
        *,
        length: float,
        divisions: int,
        section: Section,
        material: Material,
        theory: Literal["euler_bernoulli", "timoshenko"] = "timoshenko",
        root: float = 0.0,
        rotary_inertia: float = 1.0,
        supports: tuple[Support, ...] = (),
        loads: tuple[Load, ...] = (),
        space: Space = "planar",
    ) -> "Body":
        """A straight beam along x from x = `root`, with node sets "start" and "end"."""
        mesh = line(length, divisions, start=(root, 0.0, 0.0))
        region = Region(BeamProperty(material, section, rotary_inertia=rotary_inertia), family=f"{theory}_beam")
        return cls(name, mesh, (region,), supports=supports, loads=loads, space=space)

    def selected_nodes(self, on: NodeSelection) -> IntArray:
        """Node numbers of a selection."""
        if isinstance(on, str):
            return self.mesh.nodes_of(on)
        if isinstance(on, int):
            if not 0 <= on < self.mesh.node_count:
                raise InputError(
                    f"body {self.name} has no node {on}; nodes count from 0 to {self.mesh.node_count - 1}"
                )
            return np.array([on], dtype=np.int64)
        return np.array([self.mesh.nearest_node(on)], dtype=np.int64)
