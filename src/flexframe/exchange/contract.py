"""What a file of another program can give of a part, and what a format states about itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from scipy import sparse

from flexframe.elements.orthotropic import OrthotropicMaterial
from flexframe.elements.properties import Material, Property
from flexframe.errors import InputError
from flexframe.exchange.meshing import Meshing
from flexframe.exchange.units import SI, Units
from flexframe.files import OpenFile
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.mesh.mesh import Mesh
from flexframe.model.body import PointMass
from flexframe.model.supports import Coupling, Support
from flexframe.reduction.reduced_body import ReducedBody

AnyMaterial = Material | OrthotropicMaterial
Content = Literal["mesh", "sets", "properties", "masses", "couplings", "supports", "matrices", "modes", "reduced"]
CONTENTS: Mapping[Content, str] = {
    "mesh": "nodes and cells",
    "sets": "named sets of nodes, facets and cells",
    "properties": "materials, thicknesses and cross-sections of the cells",
    "masses": "point masses",
    "couplings": "rigid and mean couplings, springs",
    "supports": "supports",
    "matrices": "stiffness and mass matrices with the degree of freedom of each row",
    "modes": "frequencies and mode shapes at nodes",
    "reduced": "a reduced body with all its invariants",
}


@dataclass(frozen=True)
class PartRegion:
    """Cells of a part and what they are made of; where the file does not say enough, `lacks` says what."""

    cells: str  # name of a cell set
    prop: Property | None
    family: str | None = None
    lacks: str = ""


@dataclass(frozen=True, eq=False)
class FiledMatrix:
    """A square matrix of a file in SI units.

    `rows` are node label and degree of freedom of each row, 1–6 for ux … rz in body axes, 0 for a coordinate that
    is no displacement of a node; None where the file does not say: (p, 2).
    """

    matrix: SparseMatrix
    rows: IntArray | None = None


Role = Literal["stiffness", "mass", "damping"]


def role_of(name: str) -> Role | None:
    """What a matrix is by its name in a file: K…, M… and B…, C… or D… of all programs."""
    word = name.strip().upper()
    for role, starts in _ROLES.items():
        if word.startswith(starts):
            return role
    return None


_ROLES: Mapping[Role, tuple[str, ...]] = {
    "stiffness": ("K", "STI", "PROCESSED STIFF"),
    "mass": ("M",),
    "damping": ("B", "C", "D"),
}


def matrix_in_si(matrix: SparseMatrix, rows: IntArray, name: str, units: Units) -> SparseMatrix:
    """A matrix of a file in SI: energy over the products of what its coordinates are measured in.

    Rows are labelled as in `FiledMatrix`. A matrix whose name does not tell what it is stays as it is.
    """
    role = role_of(name)
    if role is None or units == SI:
        return matrix
    energy = units.force * units.length
    over = {"stiffness": energy, "mass": energy * units.time**2, "damping": energy * units.time}[role]
    each = sparse.diags_array(1 / units.of_coordinates(rows[:, 1]))
    return sparse.csr_array(over * (each @ matrix @ each))


@dataclass(frozen=True, eq=False)
class FiledModes:
    """Modes of a part at labelled nodes, displacements in m and rotations in rad, for the generalised masses."""

    frequencies_hz: Array  # (k,)
    shapes: Array  # (k, nodes, 6)
    node_labels: IntArray  # (nodes,)
    masses: Array  # generalised, kg m² of these shapes: (k,)
    present: tuple[bool, ...] = (True,) * 6  # which of ux … rz the nodes have
    turned: bool = False  # whether displacements are in axes of each node, of which this file says nothing


@dataclass(frozen=True, eq=False)
class Part:
    """What a file gives of one part, in SI units and in one set of axes; all of it is optional.

    Sets that regions, masses, couplings and supports name are sets of the mesh. Extra matrices (springs between
    nodes, matrices that a file adds to its elements) come on top of what cells and masses have. `notices` say what
    was left out or approximated, and what that costs where it can be said; `lost` which elements are no cells,
    so that the mesh is not whole, and `lacks` what else stands in the way of a body, both with their places.
    """

    mesh: Mesh | None = None
    regions: tuple[PartRegion, ...] = ()
    materials: Mapping[str, AnyMaterial] = field(default_factory=dict)
    point_masses: tuple[PointMass, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    supports: tuple[Support, ...] = ()
    extra_stiffness: FiledMatrix | None = None
    extra_mass: FiledMatrix | None = None
    matrices: Mapping[str, FiledMatrix] = field(default_factory=dict)
    modes: FiledModes | None = None
    reduced: ReducedBody | None = None
    retained: IntArray | None = None  # label and degree of freedom of rows of matrices without labels: (k, 2)
    node_axes: tuple[IntArray, Array] | None = (
        None  # labels of nodes with axes of their own, as columns: (n, 3, 3)
    )
    notices: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def hindrances(self) -> tuple[str, ...]:
        """What stands in the way of a body of the cells."""
        without = (region.lacks for region in self.regions if region.prop is None)
        return (*self.lost, *self.lacks, *without)

    @property
    def contents(self) -> tuple[Content, ...]:
        """What there is."""
        mesh = self.mesh
        there: dict[Content, bool] = {
            "mesh": mesh is not None,
            "sets": mesh is not None and bool(mesh.node_sets or mesh.facet_sets or mesh.cell_sets),
            "properties": bool(self.regions),
            "masses": bool(self.point_masses),
            "couplings": bool(self.couplings) or self.extra_stiffness is not None,
            "supports": bool(self.supports),
            "matrices": bool(self.matrices),
            "modes": self.modes is not None,
            "reduced": self.reduced is not None,
        }
        return tuple(name for name, present in there.items() if present)


@dataclass(frozen=True)
class Settings:
    """How a file is to be understood: units, materials in place of its own or that it lacks, size of cells."""

    units: Units = SI
    materials: Mapping[str, AnyMaterial] = field(default_factory=dict)
    meshing: Meshing | None = None  # of geometry
    asked: set[str] = field(default_factory=set, compare=False)  # names of materials that files have

    def material(self, name: str) -> AnyMaterial | None:
        """The material that is given for a name of the file, in whatever case it is written."""
        self.asked.add(name)
        return next((found for key, found in self.materials.items() if key.lower() == name.lower()), None)


@dataclass(frozen=True)
class Format:
    """A kind of file: how it is recognised, read and written, and what it may hold.

    `reads` and `writes` list what can be had from a file and be put into one. `knows` judges the first bytes of a
    file; without it the ending says all. `includes` lists the files that a file includes, from its folder. The
    reader gets a file that is open and gives all of it or raises InputError with the file's name and, of a text,
    the line; the writer returns what it left out of that which the format holds, in sentences.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    reads: tuple[Content, ...] = ()
    writes: tuple[Content, ...] = ()
    read: Callable[[OpenFile, Settings], Part] | None = None
    write: Callable[[Part, Path, Units], tuple[str, ...]] | None = None
    knows: Callable[[bytes], bool] | None = None
    includes: Callable[[OpenFile], list[str]] | None = None
    is_geometry: bool = False  # whether its reader makes the mesh
    needs_cells: bool = False  # whether a mesh of nodes alone has no place in it

    def part(self, file: OpenFile, settings: Settings) -> Part:
        """What a file of this format gives."""
        assert self.read is not None
        if settings.meshing is not None and not self.is_geometry:
            raise InputError(
                f"{file.name}: meshing is for geometry (STEP, IGES), not for {self.title} files; leave it out"
            )
        return self.read(file, settings)
