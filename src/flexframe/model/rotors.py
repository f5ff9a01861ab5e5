"""Rotors by what drawings show: pieces of a shaft from left to right, discs, bearings and seals.

The shaft lies along x. Its stations are the ends of its pieces, the places of discs, bearings and seals, and those
that divide what lies between into elements no longer than the shaft is thick, or as many as are asked for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Literal

import numpy as np

from flexframe.elements.properties import BeamProperty, Circle, Material, ShellProperty, SolidProperty
from flexframe.errors import InputError, at_field
from flexframe.given import Described
from flexframe.maths.arrays import Array, IntArray
from flexframe.mesh.blocks import CellBlock
from flexframe.mesh.cells import LINE
from flexframe.mesh.mesh import Mesh
from flexframe.mesh.plane_builders import annulus
from flexframe.model.bearings import Bearing
from flexframe.model.body import Body, Damping, EndMoments, PointMass, Prestress, Region
from flexframe.model.supports import Fix, RigidCoupling, Support

Pair = float | tuple[float, float]
Motions = Literal["lateral", "torsional", "axial", "all"]
AXIS = (1.0, 0.0, 0.0)

_HELD: dict[str, tuple[str, ...]] = {
    "lateral": ("ux", "rx"),
    "torsional": ("ux", "uy", "uz", "ry", "rz"),
    "axial": ("uy", "uz", "rx", "ry", "rz"),
    "all": (),
}
_AROUND = 8  # cells around a disc that bends, at least
_NEAR = 1e-9  # of the length of the shaft: places that are one station


@dataclass(frozen=True)
class ShaftLayer(Described):
    """A cylinder, a tube or a cone: outer and inner diameter [m], one value or one for each end."""

    diameter: Pair
    bore: Pair = 0.0
    material: Material | None = None  # that of the shaft if none is given
    shear_factor: float | None = None  # Cowper's if none is given
    rotary_inertia: float = 1.0

    def section(self, low: float, high: float) -> tuple[Circle, Circle | None]:
        """The circles at shares of its length, the second None where it is a cylinder."""
        outer, inner = (np.broadcast_to(np.asarray(v, dtype=float), 2) for v in (self.diameter, self.bore))
        first, last = (Circle(float(outer[k]), float(inner[k]), self.shear_factor) for k in (0, 1))
        begin, end = first.towards(last, low), first.towards(last, high)
        return begin, None if first == last else end

    @property
    def thickness(self) -> float:
        """The smaller outer diameter [m]."""
        return float(np.min(self.diameter))


@dataclass(frozen=True)
class ShaftPiece(Described):
    """A piece of a shaft [m]: one layer, or several that move together, such as a shaft and its sleeve.

    Each layer is a beam of its own between the same stations: they have displacements and rotations of the
    stations in common, and each its own shear. `elements` divide it evenly; by default none is longer than the
    piece is thick.
    """

    length: float
    layers: tuple[ShaftLayer, ...]
    elements: int | None = None
    axial_force: float = 0.0  # N, tension positive
    torque: float = 0.0  # N m, about x

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (np.isfinite(self.length) and self.length > 0):
            raise InputError(
                f"a piece of a shaft is {self.length:g} m long; give a positive length", field="length"
            )
        if not self.layers:
            raise InputError("a piece of a shaft has no layer; give its diameter", field="diameter")
        if self.elements is not None and self.elements < 1:
            raise InputError(
                f"a piece of a shaft has {self.elements} elements; give one or more", field="elements"
            )

    @property
    def count(self) -> int:
        """Elements that divide it evenly."""
        thick = max(layer.thickness for layer in self.layers)
        return self.elements or max(1, int(np.ceil(self.length / thick - 1e-9)))


@dataclass(frozen=True)
class Disc(Described):
    """A rigid disc, impeller or coupling half at a place of the shaft [m]: kg and kg m² about its centre."""

    at: float
    mass: float
    polar_inertia: float = 0.0
    diametral_inertia: float = 0.0
    name: str = ""

    @classmethod
    def of_size(
        cls, at: float, *, diameter: float, thickness: float, material: Material, bore: float = 0.0, name: str = ""
    ) -> "Disc":
        """A disc by its measures.

        Parameters
        ----------
        at
            Place of its middle along the shaft [m].
        diameter, thickness, bore
            Outer diameter, thickness along the shaft and inner diameter [m].
        material
            What it is made of; its density counts.
        name
            Its name in messages.

        Returns
        -------
        Disc
            Mass [kg], polar and diametral inertia [kg m²].

        Examples
        --------
        >>> wheel = ff.rotors.Disc.of_size(0.5, diameter=0.28, thickness=0.07, bore=0.05, material=ff.STEEL)
        >>> round(wheel.mass, 3), round(wheel.polar_inertia, 4), round(wheel.diametral_inertia, 4)
        (32.757, 0.3313, 0.179)
        """
        for word, value in (("diameter", diameter), ("thickness", thickness)):
            if not (np.isfinite(value) and value > 0):
                raise InputError(f"disc: {word} is {value:g}; give a positive length in m", field=word)
        if not 0 <= bore < diameter:
            raise InputError(
                f"disc: bore is {bore:g} m; give a value from 0 to below the diameter {diameter:g} m", field="bore"
            )
        mass = material.density * np.pi / 4 * (diameter**2 - bore**2) * thickness
        square = diameter**2 + bore**2
        return cls(
            at, float(mass), float(mass * square / 8), float(mass * (square / 16 + thickness**2 / 12)), name
        )

    def point_mass(self, node: int) -> PointMass:
        """It on a node of a shaft along x."""
        if not (self.polar_inertia or self.diametral_inertia):
            return PointMass(node, self.mass)
        return PointMass(node, self.mass, (self.polar_inertia, self.diametral_inertia, self.diametral_inertia))


@dataclass(frozen=True)
class ShellDisc(Described):
    """A disc that bends: a ring of shells [m] at a place of the shaft, whose inner edge moves with the shaft.

    `divisions` are the cells along the radius and around. Nodes off the axis need the turning frame, in which
    bearings are alike in all directions.
    """

    cells: ClassVar[str] = "shells"

    at: float
    diameter: float
    thickness: float
    bore: float
    material: Material | None = None  # that of the rotor if none is given
    divisions: tuple[int, int] = (4, 24)
    name: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.bore < self.diameter < np.inf:
            raise InputError(
                f"elastic disc: its bore is {self.bore:g} m; give a value between 0 and the diameter "
                f"{self.diameter:g} m",
                field="bore",
            )
        if self.divisions[0] < 1 or self.divisions[1] < _AROUND:
            raise InputError(
                f"elastic disc: its divisions are {self.divisions}; give one or more along the radius and "
                f"{_AROUND} or more around",
                field="divisions",
            )

    def made_of(self, material: Material) -> ShellProperty:
        """What its cells are made of."""
        return ShellProperty(material, self.thickness)

    def parts(self) -> tuple[Array, tuple[CellBlock, ...], IntArray]:
        """Points on the shaft, cells and the nodes of the inner edge."""
        # polygons as large as their circles: mass is exact, inertia to 0.0056 times a side's angle⁴
        step = 2 * np.pi / self.divisions[1]
        wider = float(np.sqrt(step / np.sin(step)))
        made = annulus(wider * self.bore / 2, wider * self.diameter / 2, self.divisions, order=1)
        points = np.column_stack([np.full(made.node_count, self.at), made.points[:, :2]])
        inner = np.unique(np.concatenate([block.nodes.ravel() for block in made.facet_sets["inner"]]))
        return points, made.blocks, inner


@dataclass(frozen=True, eq=False)
class SolidDisc(Described):
    """A disc by a solid mesh [m], whose nodes of the set `hub` move with the shaft.

    The origin of the mesh comes to the place of the disc, and its `axis` along the shaft. Nodes off the axis need
    the turning frame, in which bearings are alike in all directions.
    """

    cells: ClassVar[str] = "solids"

    at: float
    mesh: Mesh
    hub: str
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    material: Material | None = None  # that of the rotor if none is given
    name: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mesh.dimension != 3:
            raise InputError(
                "disc: its mesh is not of solids; sweep a section (revolve) or draw it out (extrude)", field="mesh"
            )
        if self.hub not in self.mesh.node_sets and self.hub not in self.mesh.facet_sets:
            known = ", ".join(sorted({*self.mesh.node_sets, *self.mesh.facet_sets})) or "none"
            raise InputError(f"disc: its mesh has no set {self.hub}; its sets are: {known}", field="hub")
        if not np.linalg.norm(self.axis) > 0:
            raise InputError("disc: its axis has no direction; give one, such as [0, 0, 1]", field="axis")

    def parts(self) -> tuple[Array, tuple[CellBlock, ...], IntArray]:
        """Points on the shaft, cells and the nodes of the hub."""
        axis = np.asarray(self.axis, dtype=float)
        start = np.eye(3)[int(np.argmin(np.abs(axis)))]
        along = axis / np.linalg.norm(axis)
        first = start - (start @ along) * along
        first = first / np.linalg.norm(first)
        turn = np.array([along, first, np.cross(along, first)])
        hub = self.mesh.node_sets.get(self.hub)
        if hub is None:
            hub = np.unique(np.concatenate([block.nodes.ravel() for block in self.mesh.facet_sets[self.hub]]))
        return self.mesh.points @ turn.T + np.array([self.at, 0.0, 0.0]), self.mesh.blocks, hub

    def made_of(self, material: Material) -> SolidProperty:
        """What its cells are made of."""
        return SolidProperty(material)


ElasticDisc = ShellDisc | SolidDisc
"""Discs that bend."""


def rotor_body(
    name: str,
    pieces: Sequence[ShaftPiece],
    *,
    material: Material | None = None,
    discs: Sequence[Disc | ElasticDisc] = (),
    bearings: Sequence[Bearing] = (),
    stations: Mapping[str, float] | None = None,
    start: float = 0.0,
    motions: Motions = "lateral",
    theory: Literal["timoshenko", "euler_bernoulli"] = "timoshenko",
    damping: Damping | None = None,
    end_moments: EndMoments = "axial",
    supports: Sequence[Support] = (),
) -> Body:
    """A rotor along x from its pieces, discs, bearings and seals.

    Parameters
    ----------
    name
        Name of the body.
    pieces
        From left to right.
    material
        Of layers that state none.
    discs
        Rigid discs, rings of shells or solids that bend; stations are made at their places.
    bearings
        Bearings and seals on points (x, 0, 0); stations are made there.
    stations
        Further places along the shaft that get a node and a name [m].
    start
        x of the left end [m].
    motions
        "lateral" bending alone, "torsional" or "axial" alone, or "all".
    theory
        "timoshenko" (with shear) or "euler_bernoulli".
    damping
        Of the material, inside the shaft and in space.
    end_moments
        How the moments behind a torque of the pieces turn with their ends.
    supports
        Further supports, which turn with the shaft.

    Returns
    -------
    Body
        A body of beams with its spin axis and its bearings, and with a node set for each named disc and bearing.

    Examples
    --------
    >>> piece = ff.rotors.ShaftPiece(1.5, (ff.rotors.ShaftLayer(0.05),), elements=6)
    >>> bearings = [ff.rotors.Bearing((x, 0.0, 0.0), stiffness=1e6) for x in (0.0, 1.5)]
    >>> rotor = ff.rotors.rotor_body(
    ...     "rotor",
    ...     [piece],
    ...     material=ff.STEEL,
    ...     discs=[ff.rotors.Disc.of_size(0.5, diameter=0.28, thickness=0.07, bore=0.05, material=ff.STEEL)],
    ...     bearings=bearings,
    ... )
    >>> rotor.mesh.node_count, len(rotor.bearings)
    (7, 2)
    """
    if not pieces:
        raise InputError(f"rotor {name} has no pieces; give the shaft from left to right", field="shaft")
    ends = start + np.concatenate([[0.0], np.cumsum([piece.length for piece in pieces])])
    sites = [_site(bearing, k) for k, bearing in enumerate(bearings)]
    places: list[tuple[tuple[str, str | int], float]] = [(("discs", k), disc.at) for k, disc in enumerate(discs)]
    places += [(("bearings", k), at) for k, at in enumerate(sites)]
    places += [(("stations", key), at) for key, at in (stations or {}).items()]
    reach = _NEAR * float(ends[-1] - ends[0])
    for field, at in places:
        if not ends[0] - reach <= at <= ends[-1] + reach:
            with at_field(*field):
                raise InputError(
                    f"x = {at:g} m is beside the shaft, which goes from {ends[0]:g} to {ends[-1]:g} m", field="at"
                )
    x, cells, owners = _stations(pieces, ends, np.array([at for _, at in places]), reach)

    def node(at: float) -> int:
        return int(np.argmin(np.abs(x - at)))

    regions, numbers = _regions(pieces, material, ends, x, cells=cells, owners=owners, theory=theory)
    sets = {"start": [0], "end": [len(x) - 1]}
    sets |= {key: [node(at)] for key, at in (stations or {}).items()}
    sets |= {disc.name: [node(disc.at)] for disc in discs if disc.name}
    sets |= {bearing.name: [node(at)] for bearing, at in zip(bearings, sites, strict=True) if bearing.name}
    stressed, prestress = _prestress(pieces, owners, end_moments)
    mesh = Mesh(
        np.column_stack([x, np.zeros((len(x), 2))]),
        (CellBlock(LINE, numbers),),
        node_sets={key: np.array(value) for key, value in sets.items()},
        cell_sets={
            "all": np.arange(len(numbers)),
            **{str(region.cells): np.array(own) for region, own in regions},
            **stressed,
        },
    )
    rings = [disc for disc in discs if not isinstance(disc, Disc)]
    mesh, shells, couplings = _with_rings(mesh, rings, [node(disc.at) for disc in rings], material)
    held = (Fix("shaft" if rings else "all", _HELD[motions]),) if _HELD[motions] else ()
    return Body(
        name,
        mesh,
        (*(region for region, _ in regions), *shells),
        supports=(*held, *supports),
        couplings=couplings,
        point_masses=tuple(disc.point_mass(node(disc.at)) for disc in discs if isinstance(disc, Disc)),
        space="spatial",
        damping=damping or Damping(),
        prestress=prestress,
        axis=AXIS,
        bearings=tuple(replace(each, on=node(at)) for each, at in zip(bearings, sites, strict=True)),
    )


def _with_rings(
    mesh: Mesh, rings: Sequence[ElasticDisc], nodes: Sequence[int], material: Material | None
) -> tuple[Mesh, tuple[Region, ...], tuple[RigidCoupling, ...]]:
    """The mesh with discs that bend, their regions, and their bores tied to nodes of the shaft."""
    if not rings:
        return mesh, (), ()
    points, sets = [mesh.points], {"shaft": np.arange(mesh.node_count)}
    blocks = list(mesh.blocks)
    regions, couplings, cell_sets = [], [], dict(mesh.cell_sets)
    start, first = mesh.node_count, mesh.cell_count
    for number, (ring, node) in enumerate(zip(rings, nodes, strict=True)):
        made = ring.material or material
        if made is None:
            with at_field("discs", ring.name or number):
                raise InputError(
                    "no material is given for it; give one to the disc or to the rotor", field="material"
                )
        own, parts, inner = ring.parts()
        name = ring.name or f"disc {number + 1}"
        points.append(own)
        blocks += [CellBlock(block.cell, block.nodes + start) for block in parts]
        count = sum(len(block) for block in parts)
        sets |= {f"{name} bore": inner + start, f"{name} ring": np.arange(start, start + len(own))}
        cells = f"{name} {ring.cells}"
        cell_sets[cells] = np.arange(first, first + count)
        regions.append(Region(ring.made_of(made), cells))
        couplings.append(RigidCoupling(node, f"{name} bore"))
        start, first = start + len(own), first + count
    whole = replace(
        mesh,
        points=np.concatenate(points),
        blocks=tuple(blocks),
        node_sets={**mesh.node_sets, **sets},
        cell_sets={**cell_sets, "all": np.arange(first)},
    )
    return whole, tuple(regions), tuple(couplings)


def _prestress(
    pieces: Sequence[ShaftPiece], owners: Sequence[int], ends: EndMoments
) -> tuple[dict[str, IntArray], tuple[Prestress, ...]]:
    """Cell sets of the pieces with an axial force or torque, on the first of their layers, and these forces."""
    sets, forces, cell = {}, [], 0
    for number, piece in enumerate(pieces):
        count = sum(owner == number for owner in owners)
        if piece.axial_force or piece.torque:
            sets[f"stressed {number + 1}"] = cell + len(piece.layers) * np.arange(count)
            forces.append(Prestress(f"stressed {number + 1}", piece.axial_force, piece.torque, ends))
        cell += len(piece.layers) * count
    return sets, tuple(forces)


def _site(bearing: Bearing, number: int) -> float:
    """x of a bearing [m]."""
    if isinstance(bearing.on, str | int):
        with at_field("bearings", number):
            raise InputError(
                f"a bearing of a rotor is on {bearing.on!r}; give its place as a point (x, 0, 0)", field="on"
            )
    return float(bearing.on[0])


def _stations(
    pieces: Sequence[ShaftPiece], ends: Array, places: Array, reach: float
) -> tuple[Array, list[tuple[int, int]], list[int]]:
    """x of the stations, and the pairs of stations and the piece of each element."""
    found: list[float] = [float(ends[0])]
    cells, owners = [], []
    for number, piece in enumerate(pieces):
        low, high = float(ends[number]), float(ends[number + 1])
        inside = places[(places > low + reach) & (places < high - reach)]
        cuts = np.unique(np.concatenate([[low, high], inside]))
        cuts = cuts[np.concatenate([[True], np.diff(cuts) > reach])]
        for begin, end in pairwise(cuts.tolist()):
            count = max(1, int(np.ceil((end - begin) / piece.length * piece.count - 1e-9)))
            for x in np.linspace(begin, end, count + 1)[1:]:
                cells.append((len(found) - 1, len(found)))
                owners.append(number)
                found.append(float(x))
    return np.array(found), cells, owners


def _regions(
    pieces: Sequence[ShaftPiece],
    material: Material | None,
    ends: Array,
    stations: Array,
    *,
    cells: Sequence[tuple[int, int]],
    owners: Sequence[int],
    theory: str,
) -> tuple[list[tuple[Region, list[int]]], IntArray]:
    """Regions with the numbers of their cells, and the nodes of all cells; equal cylinders share a region."""
    numbers: list[tuple[int, int]] = []
    members: dict[tuple[BeamProperty, int], list[int]] = {}
    for (left, right), owner in zip(cells, owners, strict=True):
        piece = pieces[owner]
        shares = [(stations[node] - ends[owner]) / piece.length for node in (left, right)]
        for layer in piece.layers:
            made = layer.material or material
            if made is None:
                with at_field("shaft", owner):
                    raise InputError(
                        "no material is given for it; give one to the piece or to the rotor", field="material"
                    )
            section, end_section = layer.section(float(shares[0]), float(shares[1]))
            prop = BeamProperty(made, section, rotary_inertia=layer.rotary_inertia, end_section=end_section)
            # a cone goes from the first to the last cell of its region: each has one of its own
            alone = 0 if end_section is None else len(numbers) + 1
            members.setdefault((prop, alone), []).append(len(numbers))
            numbers.append((left, right))
    regions = [
        (Region(prop, f"section {k + 1}", f"{theory}_beam"), own)
        for k, ((prop, _), own) in enumerate(members.items())
    ]
    return regions, np.array(numbers, dtype=np.int64)
