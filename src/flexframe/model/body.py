"""An elastic body: a mesh with properties, supports and loads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from flexframe.elements.families import family_named
from flexframe.elements.orthotropic import OrthotropicMaterial
from flexframe.elements.properties import (
    AxisymmetricProperty,
    BeamProperty,
    Material,
    PlaneProperty,
    PlaneState,
    Property,
    Section,
    ShellProperty,
    SolidProperty,
    StrainLaw,
)
from flexframe.errors import InputError
from flexframe.given import Described
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.builders import line
from flexframe.mesh.mesh import Mesh
from flexframe.model.bearings import Bearing
from flexframe.model.loads import Load
from flexframe.model.matrices import BodyMatrices
from flexframe.model.plausibility import require_possible
from flexframe.model.supports import Coupling, FrameSpring, NodePlace, NodeSelection, Support, node_place

Space = Literal["planar", "spatial"]
EndMoments = Literal["axial", "semitangential", "tangential"]


@dataclass(frozen=True)
class Region(Described):
    """Cells with one property; `cells` names a cell set (all cells without a name)."""

    prop: Property
    cells: str | None = None
    family: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.family is not None:
            family_named(self.family)


@dataclass(frozen=True)
class PointMass(Described):
    """A mass [kg] at each selected node, with an inertia tensor [kg m²] about the node in body axes if it has one.

    `inertia` holds three principal moments (Ixx, Iyy, Izz), or six with Ixy, Iyz, Izx of the tensor.
    """

    on: NodeSelection
    mass: float
    inertia: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (np.isfinite(self.mass) and self.mass > 0):
            raise InputError(f"point mass is {self.mass:g}; give a positive number of kilograms")
        if self.inertia is None:
            return
        if len(self.inertia) not in (3, 6) or not np.isfinite(self.inertia).all():
            raise InputError(
                f"inertia of a point mass is {self.inertia}; give 3 or 6 numbers (xx, yy, zz, xy, yz, zx)"
            )
        if np.linalg.eigvalsh(self.second_moments())[0] < -1e-9 * max(np.abs(self.inertia).max(), 1e-300):
            raise InputError(
                f"inertia of a point mass is {self.inertia}; no body has it: each principal moment is at most the "
                "sum of the other two"
            )

    def second_moments(self) -> Array:
        """∫ρ s sᵀ = ½ tr(I) 1 − I about the node: (3, 3)."""
        values = (*(self.inertia or (0.0, 0.0, 0.0)), 0.0, 0.0, 0.0)
        xx, yy, zz, xy, yz, zx = values[:6]
        tensor = np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]], dtype=float)
        return np.asarray(np.trace(tensor) / 2 * np.eye(3) - tensor)


@dataclass(frozen=True)
class Damping(Described):
    """Rayleigh damping, mass × m + stiffness × k of the body's own elements [1/s, s].

    It acts on rates relative to the frame; springs, point masses and rigid motion of a free body have no part. Of
    a shaft that is damping inside the rotor, which drives whirl that is slower than the rotation. `fixed_mass` and
    `fixed_stiffness` act alike on rates of displacement in space, as a medium at rest does.
    """

    mass: float = 0.0
    stiffness: float = 0.0
    fixed_mass: float = 0.0
    fixed_stiffness: float = 0.0


@dataclass(frozen=True)
class Prestress(Described):
    """A given axial force [N, tension positive] and torque [N m, about the beam's x] in beams; all cells if none
    named.

    `ends` says how the moments that make the torque turn with the ends of the beam: "axial" moments keep their
    direction in the frame, "tangential" ones follow the section, and "semitangential" ones turn half as much.
    """

    cells: str | None = None
    axial_force: float = 0.0
    torque: float = 0.0
    ends: EndMoments = "axial"


@dataclass(frozen=True, eq=False)
class Body(Described):
    """An elastic body described in its own frame.

    In `planar` space the nodes move in the x–y plane (ux, uy, rz); `spatial` frees every degree of freedom that
    the elements have, so that a beam flaps and twists as well. `axes` turns those of markers, by the names of node
    sets, against the axes of the body: rotation vectors [rad]. `matrices` of another program stand in place of
    those of the elements, or beside them. A rotor has a spin `axis` through its
    origin and `bearings`, which stay in space while it turns; analyses of rotation take both from it. That of a
    body of revolution, whose mesh is its section, is y.
    """

    name: str
    mesh: Mesh
    regions: tuple[Region, ...]
    supports: tuple[Support, ...] = ()
    loads: tuple[Load, ...] = ()
    point_masses: tuple[PointMass, ...] = ()
    space: Space = "planar"
    damping: Damping = field(default_factory=Damping)
    couplings: tuple[Coupling, ...] = ()
    springs: tuple[FrameSpring, ...] = ()
    prestress: tuple[Prestress, ...] = ()
    axis: tuple[float, float, float] | None = None
    bearings: tuple[Bearing, ...] = ()
    axes: Mapping[str, ArrayLike] = field(default_factory=dict)
    matrices: BodyMatrices | None = None
    notices: tuple[str, ...] = ()  # what was lost on the way from the file that the body is from

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.regions and self.mesh.dimension > 0 and self.matrices is None:
            raise InputError(f"body {self.name} has no region; give at least one property for its cells")
        if self.space == "planar" and self.mesh.dimension == 3:
            raise InputError(f"body {self.name} is a solid; a solid moves in space, so use space: spatial")
        given = self.matrices
        if self.space == "planar" and given is not None and given.placed and not given.added:
            raise InputError(
                f"body {self.name} is made of matrices or modes, which move in space; leave space: planar out, "
                "and give a system of such bodies space: spatial",
                field="space",
            )
        for region in self.regions:
            require_possible(self.name, region.prop)
        if self.axisymmetric and self.axis is None:
            object.__setattr__(self, "axis", (0.0, 1.0, 0.0))

    def strength(self, cell: int) -> float | None:
        """Strength of the material of a cell [Pa], where one is given."""
        for region in self.regions:
            if region.cells is None or cell in self.mesh.cell_sets[region.cells]:
                material = getattr(region.prop, "material", None)
                return material.strength if isinstance(material, Material) else None
        return None

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
        """A body of plane elements.

        Parameters
        ----------
        name
            Name of the body.
        mesh
            Triangles or quadrilaterals in the x–y plane [m].
        material
            Isotropic material.
        thickness
            Thickness [m].
        state
            Plane "stress" or plane "strain".
        supports, loads
            What fixes the body in its frame, and what acts on it.

        Returns
        -------
        Body
            The body, with ux and uy at each node.

        Examples
        --------
        >>> sheet = ff.Body.plane("sheet", ff.mesh.rectangle(2.0, 1.0, (4, 2)), material=ff.STEEL, thickness=0.01)
        >>> round(ff.bodies.check_body(sheet).mass, 6)  # 7850 kg/m³ × 0.02 m³
        157.0
        """
        region = Region(PlaneProperty(material, thickness, state))
        return cls(name, mesh, (region,), supports=supports, loads=loads)

    @classmethod
    def shell(
        cls,
        name: str,
        mesh: Mesh,
        *,
        material: Material,
        thickness: float,
        supports: tuple[Support, ...] = (),
        loads: tuple[Load, ...] = (),
    ) -> "Body":
        """A body of flat shell elements in space.

        Parameters
        ----------
        name
            Name of the body.
        mesh
            Triangles or quadrilaterals in space [m].
        material
            Isotropic material.
        thickness
            Thickness [m].
        supports, loads
            What fixes the body in its frame, and what acts on it.

        Returns
        -------
        Body
            The body, with three displacements and three rotations at each node.

        Examples
        --------
        >>> plate = ff.Body.shell(
        ...     "plate", ff.mesh.rectangle(2.0, 1.0, (4, 2), order=1), material=ff.STEEL, thickness=0.01
        ... )
        >>> round(ff.bodies.check_body(plate).mass, 6)
        157.0
        """
        region = Region(ShellProperty(material, thickness))
        return cls(name, mesh, (region,), supports=supports, loads=loads, space="spatial")

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
        """A body of solid elements.

        Parameters
        ----------
        name
            Name of the body.
        mesh
            Tetrahedra, hexahedra or wedges [m].
        material
            Isotropic material.
        supports, loads
            What fixes the body in its frame, and what acts on it.

        Returns
        -------
        Body
            The body, with ux, uy and uz at each node.

        Examples
        --------
        >>> block = ff.Body.solid("block", ff.mesh.block((0.4, 0.1, 0.1), (4, 1, 1)), material=ff.STEEL)
        >>> round(ff.bodies.check_body(block).mass, 6)
        31.4
        """
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
        theory: Literal["euler_bernoulli", "timoshenko"] | None = None,
        root: float = 0.0,
        rotary_inertia: float = 1.0,
        strain_law: StrainLaw = "green",
        supports: tuple[Support, ...] = (),
        loads: tuple[Load, ...] = (),
        point_masses: tuple[PointMass, ...] = (),
        springs: tuple[FrameSpring, ...] = (),
        space: Space = "planar",
    ) -> "Body":
        """A straight beam along x from x = `root`, with node sets "start" and "end".

        Parameters
        ----------
        name
            Name of the body.
        length, root
            Length [m], and x of the first node [m].
        divisions
            Number of elements.
        section
            Cross-section, such as `Rectangle` or `Circle`; lengths in m.
        material
            Isotropic material.
        theory
            "timoshenko" (with shear, the default) or "euler_bernoulli"; none beside matrices of a section.
        rotary_inertia
            Multiplier of the rotary inertia of the section.
        strain_law
            Axial strain of second order in the geometric stiffness: "green" or "engineering".
        supports, loads
            What fixes the body in its frame, and what acts on it.
        point_masses, springs
            Masses [kg] and discs [kg, kg m²] at nodes; springs and dampers between nodes and the frame
            [N/m, N m/rad, N s/m, N m s/rad].
        space
            "planar" (x–y) or "spatial".

        Returns
        -------
        Body
            The body, with a mesh of two-node lines [m].

        Examples
        --------
        >>> blade = ff.Body.beam(
        ...     "blade", length=1.2, divisions=8, section=ff.Rectangle(0.04, 0.01), material=ff.STEEL
        ... )
        >>> sorted(blade.mesh.node_sets), len(blade.mesh.points)
        (['end', 'start'], 9)
        """
        mesh = line(length, divisions, start=(root, 0.0, 0.0))
        prop = BeamProperty(material, section, rotary_inertia=rotary_inertia, strain_law=strain_law)
        region = Region(prop, family=None if theory is None else f"{theory}_beam")
        return cls(
            name,
            mesh,
            (region,),
            supports=supports,
            loads=loads,
            point_masses=point_masses,
            space=space,
            springs=springs,
        )

    @classmethod
    def of_revolution(
        cls,
        name: str,
        mesh: Mesh,
        *,
        material: Material | OrthotropicMaterial,
        supports: tuple[Support, ...] = (),
    ) -> "Body":
        """A solid of revolution about its y axis, described by its section.

        Parameters
        ----------
        name
            Name of the body.
        mesh
            Triangles or quadrilaterals in the x–y plane, with the radius x ≥ 0 and y along the axis [m].
        material
            Isotropic material, or one of whose axes is z, along the circumference.
        supports
            What holds rings of the body, in the axes of the section: x radial, y axial, z along the circumference.

        Returns
        -------
        Body
            The body, with ux, uy and uz at each node of the section; `modes` and `campbell_diagram` take it.

        Examples
        --------
        >>> disc = ff.Body.of_revolution("disc", ff.mesh.rectangle(0.2, 0.02, (4, 1)), material=ff.STEEL)
        >>> round(ff.bodies.check_body(disc).mass, 6)  # 7850 kg/m³ × π 0.2² × 0.02 m³
        19.729202
        """
        region = Region(AxisymmetricProperty(material))
        return cls(name, mesh, (region,), supports=supports, space="spatial")

    @property
    def axisymmetric(self) -> bool:
        """Whether its mesh is the section of a body of revolution."""
        return any(region.prop.revolved for region in self.regions)

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """What is unlikely in the description, sentence by sentence."""
        from flexframe.model.doubts import body_doubts

        return body_doubts(self)

    def on_larger_mesh(self, mesh: Mesh) -> "Body":
        """The body with more sets and points; its nodes keep their numbers."""
        given, more = self.matrices, mesh.node_count - self.mesh.node_count
        if given is not None and given.lumped is not None:
            given = replace(given, lumped=np.concatenate([given.lumped, np.zeros(more)]))
        return replace(self, mesh=mesh, matrices=given)

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
        return np.array([self.place(on).node], dtype=np.int64)

    def place(self, point: Sequence[float]) -> NodePlace:
        """The node that a point [m] in body axes stands for; a point off the body is refused."""
        depth = max((region.prop.depth for region in self.regions), default=0.0)
        return node_place(self.name, self.mesh, point, planar=self.space == "planar", depth=depth)
