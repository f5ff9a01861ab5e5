"""Meshes of a case: made from a few sizes, read from a file, or written out; and sets of their nodes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import prod
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexframe.entries.entry import Entry, choose_lead, refusal
from flexframe.entries.fields import (
    Angle,
    Count,
    Direction,
    FileName,
    Length,
    NodeNumber,
    OneOrList,
    Order,
    Point,
    PositiveNumber,
)
from flexframe.errors import InputError, at_field
from flexframe.files import Folder
from flexframe.maths.arrays import Array
from flexframe.mesh import builders
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import cell_named
from flexframe.mesh.extrusion import revolve
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.reference_points import with_points
from flexframe.motion.frame import vector3

_NEAR = 1e-3  # of the size of the mesh, when no tolerance is given: files round coordinates


class PlaneEntry(Entry):
    """A plane through a point."""

    point: Point
    normal: Direction


class CylinderSurfaceEntry(Entry):
    """The surface of a cylinder about an axis through a point, such as a bore."""

    point: Point
    axis: Direction = (0.0, 0.0, 1.0)
    radius: Length


class RimEntry(Entry):
    """A circle about an axis through its centre, such as the rim of a bore."""

    centre: Point
    axis: Direction = (0.0, 0.0, 1.0)
    radius: Length


class CornersEntry(Entry):
    """A box along the axes, by two opposite corners."""

    low: Point
    high: Point


class PlaceSetEntry(Entry):
    """Nodes (and boundary facets) within `tolerance` of a plane, cylinder or circle, in a box; or a known set."""

    leads: ClassVar[tuple[str, ...]] = ("plane", "cylinder", "circle", "set")
    plane: PlaneEntry | None = None
    cylinder: CylinderSurfaceEntry | None = None
    circle: RimEntry | None = None
    set: str | None = None
    within: CornersEntry | None = None
    tolerance: Length | None = None

    @model_validator(mode="after")
    def _one_place(self) -> "PlaceSetEntry":
        lead = choose_lead([key for key in self.leads if getattr(self, key) is not None], self.leads, "place")
        for companion in ("within", "tolerance"):
            if lead == "set" and getattr(self, companion) is not None:
                raise refusal(f"{companion} is for a place, not for a set; leave it out")
        return self

    def add_to(self, mesh: Mesh, name: str) -> Mesh:
        """The mesh with the set of that name."""
        if self.set is not None:
            return _rename_set(mesh, self.set, name)
        low, high = mesh.bounding_box
        tolerance = self.tolerance or _NEAR * float(np.linalg.norm(high - low))
        near = self._distance(mesh.points) <= tolerance
        if self.within is not None:
            corners = [vector3(corner, "corner") for corner in (self.within.low, self.within.high)]
            lower, upper = np.minimum(*corners) - tolerance, np.maximum(*corners) + tolerance
            near &= ((mesh.points >= lower) & (mesh.points <= upper)).all(axis=1)
        nodes = np.flatnonzero(near)
        if not nodes.size:
            raise InputError(f"no node lies on '{name}'; check the place, or give a larger tolerance")
        facets = mesh.facets_on(nodes)
        return mesh.with_sets(node_sets={name: nodes}, facet_sets={name: facets} if facets else {})

    def _distance(self, points: Array) -> Array:
        if self.plane is not None:
            return np.asarray(np.abs((points - self.plane.point) @ _unit(self.plane.normal)))
        if self.circle is not None:
            return np.hypot(*_off_axis(points - self.circle.centre, self.circle.axis, self.circle.radius))
        assert self.cylinder is not None
        off, _ = _off_axis(points - self.cylinder.point, self.cylinder.axis, self.cylinder.radius)
        return np.asarray(np.abs(off))


def _rename_set(mesh: Mesh, old: str, new: str) -> Mesh:
    """The mesh with a set under one more name, of whatever kind it is."""
    mesh.nodes_of(old)
    return mesh.with_sets(
        node_sets={new: mesh.node_sets[old]} if old in mesh.node_sets else {},
        facet_sets={new: mesh.facet_sets[old]} if old in mesh.facet_sets else {},
        cell_sets={new: mesh.cell_sets[old]} if old in mesh.cell_sets else {},
    )


def _off_axis(offsets: Array, direction: tuple[float, ...], radius: float) -> tuple[Array, Array]:
    """Distance from an axis less the radius, and position along it: (points,) each."""
    axis = _unit(direction)
    along = offsets @ axis
    return np.linalg.norm(offsets - np.outer(along, axis), axis=1) - radius, along


def _unit(direction: tuple[float, ...]) -> Array:
    vector = vector3(direction, "direction")
    length = float(np.linalg.norm(vector))
    if length == 0:
        raise InputError("a direction has no length; give a vector other than zero")
    return np.asarray(vector / length)


MAX_CELLS = 5_000_000

PlaneShape = Literal["quad", "triangle"]
SolidShape = Literal["hexahedron", "tetra", "wedge"]
_List = Field(strict=False)


def _exactly(length: int) -> Any:
    return Field(min_length=length, max_length=length, strict=False)


Pair = Annotated[tuple[Count, ...], _exactly(2)]
Triple = Annotated[tuple[Count, ...], _exactly(3)]
_Counts = Annotated[tuple[Count, ...], Field(min_length=1, strict=False)]
CountOrCounts = Annotated[int | tuple[int, ...], OneOrList(Count, _Counts)]


class LineEntry(Entry):
    """Lines of equal length from `start` along `direction`; sets start, end."""

    length: Length
    divisions: Count
    start: Point = (0.0, 0.0, 0.0)
    direction: Direction = (1.0, 0.0, 0.0)


class PolylineEntry(Entry):
    """Lines between points; sets start, end, corner1 …, segment1 … ."""

    points: Annotated[tuple[Point, ...], Field(min_length=2, strict=False)]
    divisions: CountOrCounts | None = None
    size: Length | None = None

    def cell_count(self) -> float:
        """How many cells there will be."""
        if self.size is not None:
            return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum() / self.size)
        each = self.divisions or 0
        return sum(each) if isinstance(each, tuple) else each * len(self.points)


class ArcEntry(Entry):
    """Nodes on an arc from `start` along `direction`, bent `towards` its centre, and tangents; sets start, end."""

    radius: Length
    angle: Angle
    divisions: Count
    start: Point = (0.0, 0.0, 0.0)
    direction: Direction = (1.0, 0.0, 0.0)
    towards: Direction = (0.0, 1.0, 0.0)


class SplineEntry(Entry):
    """Nodes on a smooth curve through points, with tangents; sets start, end, point1 … ."""

    points: Annotated[tuple[Point, ...], Field(min_length=3, strict=False)]
    divisions: Count


class RectangleMeshEntry(Entry):
    """Rectangle from the origin; divisions along x and y; sets left, right, bottom, top and the corners."""

    length: Length
    height: Length
    divisions: Pair
    order: Order = 2
    shape: PlaneShape = "quad"


class QuadrilateralEntry(Entry):
    """Grid inside four corners, counter-clockwise from the bottom left; sets as of the rectangle."""

    corners: Annotated[tuple[Point, ...], _exactly(4)]
    divisions: Pair
    order: Order = 2
    shape: PlaneShape = "quad"


class AnnulusEntry(Entry):
    """Ring about the origin; divisions along the radius and around; sets inner, outer."""

    inner_radius: Length
    outer_radius: Length
    divisions: Pair
    order: Order = 2
    shape: PlaneShape = "quad"


class DiscEntry(Entry):
    """Disc about the origin; divisions from the centre to its core's side (and rings); sets outer, centre."""

    radius: Length
    divisions: CountOrCounts
    order: Order = 2
    shape: PlaneShape = "quad"


class BlockEntry(Entry):
    """Box from the origin; sets left, right (x), front, back (y), bottom, top (z)."""

    lengths: Annotated[tuple[Length, ...], _exactly(3)]
    divisions: Triple
    order: Order = 2
    shape: SolidShape = "hexahedron"


class CylinderEntry(Entry):
    """Cylinder about z; divisions of the disc and along the height; sets outer, bottom, top, centre."""

    radius: Length
    height: Length
    divisions: Annotated[tuple[Count, ...], Field(min_length=2, max_length=3, strict=False)]
    order: Order = 2
    shape: SolidShape = "hexahedron"


class TubeEntry(Entry):
    """Hollow cylinder about z; divisions along radius, around, height; sets inner, outer, bottom, top."""

    inner_radius: Length
    outer_radius: Length
    height: Length
    divisions: Triple
    order: Order = 2
    shape: SolidShape = "hexahedron"


class BladeEntry(Entry):
    """Tapered and twisted plate along x; divisions along span, chord, thickness; sets root, tip, … ."""

    length: Length
    root_chord: Length
    tip_chord: Length
    thickness: Length
    twist_angle: Angle = 0.0
    divisions: Triple
    order: Order = 2
    shape: SolidShape = "hexahedron"


BUILDERS: Mapping[str, Callable[..., Mesh]] = {
    "line": builders.line,
    "polyline": builders.polyline,
    "arc": builders.arc,
    "spline": builders.spline,
    "rectangle": builders.rectangle,
    "quadrilateral": builders.quadrilateral,
    "annulus": builders.annulus,
    "disc": builders.disc,
    "block": builders.block,
    "cylinder": builders.cylinder,
    "tube": builders.tube,
    "blade": builders.blade,
}


class ExtrudeEntry(Entry):
    """A plane mesh drawn out along z; the end faces are the sets bottom, top."""

    mesh: "MeshEntry"
    height: Length
    layers: Count
    ends: Annotated[tuple[str, ...], _exactly(2)] = ("bottom", "top")


class RevolveEntry(Entry):
    """A plane mesh in x > 0 swept about y into a solid; sets are those that the sets of the section sweep."""

    mesh: "MeshEntry"
    divisions: Count


class MeshingEntry(Entry):
    """How finely geometry is meshed: largest size, sizes at named faces, cells per radius and edge, order."""

    size: Length | None = None
    sizes: dict[str, Length] = Field(default_factory=dict)
    per_radius: PositiveNumber = 2.0
    per_edge: PositiveNumber = 1.0
    grading: PositiveNumber = 0.3
    order: Order = 2


class MeshEntry(Entry):
    """The mesh of a body: one of the shapes, a file, or points and cells."""

    leads: ClassVar[tuple[str, ...]] = (*BUILDERS, "extrude", "revolve", "file", "points")

    line: LineEntry | None = None
    polyline: PolylineEntry | None = None
    arc: ArcEntry | None = None
    spline: SplineEntry | None = None
    rectangle: RectangleMeshEntry | None = None
    quadrilateral: QuadrilateralEntry | None = None
    annulus: AnnulusEntry | None = None
    disc: DiscEntry | None = None
    block: BlockEntry | None = None
    cylinder: CylinderEntry | None = None
    tube: TubeEntry | None = None
    blade: BladeEntry | None = None
    extrude: ExtrudeEntry | None = None
    revolve: RevolveEntry | None = None
    file: FileName | None = None
    scale: PositiveNumber | None = None
    part: str | None = None
    reorient: bool | None = None
    meshing: MeshingEntry | None = None
    points: Annotated[tuple[Point, ...], Field(min_length=1, strict=False)] | None = None
    cells: dict[str, Annotated[tuple[Annotated[tuple[NodeNumber, ...], _List], ...], _List]] | None = None
    tangents: Annotated[tuple[Direction, ...], Field(min_length=1, strict=False)] | None = None
    sets: dict[str, Annotated[tuple[NodeNumber, ...], _List]] | None = None
    select: dict[str, PlaceSetEntry] | None = None
    reference_points: dict[str, Point] | None = None

    @model_validator(mode="after")
    def _one_shape(self) -> "MeshEntry":
        lead = choose_lead([key for key in self.leads if getattr(self, key) is not None], self.leads, "mesh")
        if (lead == "points") != (self.cells is not None):
            raise refusal("points and cells go together; give both, or neither and another mesh")
        if self.tangents is not None and (self.points is None or len(self.tangents) != len(self.points)):
            raise refusal("tangents go with points, one for each; give arc or spline where a curve is meant")
        for companion in ("scale", "part", "reorient", "meshing"):
            if lead != "file" and getattr(self, companion) is not None:
                raise refusal(f"{companion} is for a file, not for {lead}; leave it out")
        if self.cell_count() > MAX_CELLS:
            raise refusal(
                f"the mesh would have {self.cell_count():.2g} cells; flexframe takes up to {MAX_CELLS:.0e}, "
                "give fewer divisions"
            )
        return self

    def cell_count(self) -> float:
        """About how many cells the builders will make; 0 where others have made them."""
        for made, times in ((self.extrude, "layers"), (self.revolve, "divisions")):
            if made is not None:
                return float(getattr(made, times) * made.mesh.cell_count())
        if self.polyline is not None:
            return self.polyline.cell_count()
        if self.spline is not None:
            return self.spline.divisions * len(self.spline.points)
        if self.disc is not None:
            return _disc_cells(self.disc.divisions)
        if self.cylinder is not None:
            *around, height = self.cylinder.divisions
            return height * _disc_cells(tuple(around))
        divisions = next((getattr(sizes, "divisions", 0) for _, sizes in self if isinstance(sizes, Entry)), 0)
        return prod(divisions) if isinstance(divisions, tuple) else divisions

    def mesh(self, folder: Folder) -> Mesh:
        """The mesh; files are found from the folder of the case."""
        built = self._build(folder)
        if self.sets:
            built = built.with_sets(node_sets={name: np.array(nodes) for name, nodes in self.sets.items()})
        for name, place in (self.select or {}).items():
            built = place.add_to(built, name)
        if self.reference_points:
            built = with_points(built, self.reference_points)
        return built

    def _build(self, folder: Folder) -> Mesh:
        if self.file is not None:
            from flexframe.exchange.formats import is_geometry
            from flexframe.exchange.meshes import read_mesh
            from flexframe.exchange.meshing import Meshing

            if self.scale is not None and is_geometry(self.file):
                raise InputError(f"{self.file}: says its unit itself and is read in metres; leave scale out")
            meshing = None
            if self.meshing is not None:
                with at_field("meshing"):
                    meshing = Meshing(**dict(self.meshing))
            read = read_mesh(self.file, reorient=bool(self.reorient), meshing=meshing, folder=folder)
            read = replace(read, points=read.points * (self.scale or 1.0))
            return read if self.part is None else read.part(self.part)
        if self.points is not None:
            assert self.cells is not None
            blocks = tuple(_block(name, rows) for name, rows in self.cells.items())
            tangents = None if self.tangents is None else np.array([vector3(t, "tangents") for t in self.tangents])
            return Mesh(np.array(self.points), blocks, tangents=tangents)
        if self.extrude is not None:
            plane = self.extrude.mesh.mesh(folder)
            low, high = self.extrude.ends
            return builders.extrude(plane, self.extrude.height, self.extrude.layers, end_names=(low, high))
        if self.revolve is not None:
            return revolve(self.revolve.mesh.mesh(folder), self.revolve.divisions)
        for name, build in BUILDERS.items():
            sizes = getattr(self, name)
            if sizes is not None:
                return build(**dict(sizes))
        raise AssertionError("validation leaves one mesh")


def _block(name: str, rows: tuple[tuple[int, ...], ...]) -> CellBlock:
    cell = cell_named(name)
    for number, row in enumerate(rows):
        if len(row) != cell.nodes:
            raise InputError(f"{name} cell {number} has {len(row)} nodes; give {cell.nodes}")
    return CellBlock(cell, np.array(rows, dtype=np.int64).reshape(-1, cell.nodes))


def _disc_cells(divisions: int | tuple[int, ...]) -> int:
    """A square core of 2n × 2n cells, and about n rings of 8n unless their number is given."""
    half, *rings = divisions if isinstance(divisions, tuple) else (divisions,)
    return 4 * half**2 + 8 * half * (rings[0] if rings else half)
