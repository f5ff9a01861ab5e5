"""What is drawn beside the mesh of a body: point masses, supports, springs and dampers to its frame, loads."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from typing import Literal

import numpy as np
from scipy import sparse

from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.model.body import Body, PointMass
from flexframe.model.loads import Gravity, LineLoad, Load, NodeForce, Pressure, Traction
from flexframe.model.supports import FrameSpring, NodeSelection, Support
from flexframe.presentation.beam_surfaces import BeamSurface
from flexframe.presentation.scenes import Part, Skin

MOST = 12  # symbols of one support, spring or load
SIZE = 0.035  # of a support as a part of the body's size
STEEL = 7850.0  # kg/m³, of the ball that stands for a mass without inertia
BALL = (0.012, 0.05)  # least and largest radius of that ball as a part of the body's size
FLAT = 0.04  # least thickness of a disc over its radius
ALIKE = 0.02  # relative difference of two moments that count as equal
AROUND = 28  # sides of a disc
Points = Sequence[Sequence[float]]
Carried = Sequence[Literal["masses", "supports", "springs", "loads"]]


@dataclass(frozen=True, eq=False)
class Symbol:
    """A part, and the displacements and rotations of its nodes from those of the nodes of the mesh."""

    part: Part
    motion: SparseMatrix  # (6 nodes of the part, 6 nodes of the mesh)


@dataclass(frozen=True, eq=False)
class Site:
    """A body, its size, and how far it reaches around its nodes: where symbols are attached."""

    body: Body
    surface: BeamSurface | None

    @property
    def size(self) -> float:
        """Largest extent of the mesh [m]."""
        return float(np.ptp(self.body.mesh.points, axis=0).max(initial=0.0)) or 1.0

    @property
    def down(self) -> Array:
        """Where the ground is drawn."""
        return np.array([0.0, -1.0, 0.0] if self.body.space == "planar" else [0.0, 0.0, -1.0])

    @cached_property
    def bulks(self) -> Mapping[int, Array]:
        """Nodes with a point mass, and the vertices that are drawn around them: node → (v, 3)."""
        return {
            int(node): mass_solid(mass, self.size).vertices
            for mass in self.body.point_masses
            for node in self.body.selected_nodes(mass.on)
        }

    def reach(self, node: int, direction: Array) -> float:
        """From a node to the surface of the beams and masses around it [m]."""
        around = [self.bulks[node]] if node in self.bulks else []
        if self.surface is not None:
            skin, stations = self.surface.skin, self.surface.stations
            here = np.linalg.norm(stations - self.body.mesh.points[node], axis=1) < 1e-9 * self.size
            around.append(skin.offsets[here[skin.nodes]])
        return max((float((vertices @ direction).max(initial=0.0)) for vertices in around), default=0.0)

    def outward(self, node: int, direction: Array) -> Array:
        """A direction or its opposite, whichever leads away from the middle of the body, or down."""
        points = self.body.mesh.points
        away = float((points[node] - (points.min(axis=0) + points.max(axis=0)) / 2) @ direction)
        if abs(away) < 1e-6 * self.size:
            away = float(self.down @ direction) or -1.0
        return direction if away > 0 else -direction

    def few(self, nodes: IntArray) -> IntArray:
        """At most some of the nodes, evenly chosen."""
        chosen = np.unique(np.round(np.linspace(0, len(nodes) - 1, min(len(nodes), MOST))).astype(int))
        return nodes[chosen]

    def following(self, nodes: IntArray, weights: Array, *, turning: bool) -> SparseMatrix:
        """Motion of points that follow nodes by a share, with or without their rotations."""
        columns = 6 if turning else 3
        rows = (6 * np.arange(len(nodes))[:, None] + np.arange(columns)).ravel()
        dofs = (6 * nodes[:, None] + np.arange(columns)).ravel()
        shape = (6 * len(nodes), 6 * self.body.mesh.node_count)
        return sparse.csr_array((np.repeat(weights, columns), (rows, dofs)), shape=shape)


@dataclass(frozen=True, eq=False)
class Solid:
    """Triangles around a node: vertices as seen from it."""

    vertices: Array  # (v, 3)
    triangles: IntArray  # (t, 3)


@dataclass(frozen=True, eq=False)
class TurningLoad:
    """A force that turns about an axis, or a mass beside it that turns with the body, as it is drawn."""

    on: NodeSelection
    direction: Array  # across the axis, where it points first: (3,)
    axis: Array  # about which it turns in the positive sense: (3,)
    words: str  # its size
    mass: bool = False


def body_symbols(
    site: Site, carried: Carried, springs: Sequence[FrameSpring] = (), turning: Sequence[TurningLoad] = ()
) -> list[Symbol]:
    """Symbols of what a body carries; `springs`, such as bearings, and `turning` loads stand beside its own."""
    body = site.body
    made: dict[str, Iterator[Symbol]] = {
        "masses": (_mass(site, mass) for mass in body.point_masses),
        "supports": (symbol for support in body.supports for symbol in _support(site, support)),
        "springs": (symbol for spring in (*body.springs, *springs) for symbol in _spring(site, spring)),
        "loads": chain(
            (symbol for load in body.loads for symbol in _load(site, load)),
            (_turning(site, load) for load in turning),
        ),
    }
    return [symbol for kind in carried for symbol in made[kind]]


def _attach(
    site: Site, name: str, nodes: IntArray, solids: Sequence[Solid], *, turning: bool = False, **look: str
) -> Symbol:
    """Solids that move with nodes, one each; supports and loads keep their directions, masses turn."""
    followed = np.repeat(np.arange(len(nodes)), [len(s.vertices) for s in solids])
    starts = len(nodes) + np.concatenate([[0], np.cumsum([len(s.vertices) for s in solids])[:-1]]).astype(np.int64)
    part = Part(
        name,
        site.body.mesh.points[nodes],
        triangles=np.concatenate([start + s.triangles for start, s in zip(starts, solids, strict=True)]),
        skin=Skin(followed.astype(np.int64), np.concatenate([s.vertices for s in solids])),
        symbol=True,
        colour=look.get("colour", ""),
        label=look.get("label", ""),
    )
    return Symbol(part, site.following(nodes, np.ones(len(nodes)), turning=turning))


# ---------------------------------------------------------------------- point masses


def _mass(site: Site, mass: PointMass) -> Symbol:
    nodes = site.few(site.body.selected_nodes(mass.on))
    solid = mass_solid(mass, site.size)
    label = f"{mass.mass:.4g} kg"
    return _attach(site, "point mass", nodes, [solid] * len(nodes), turning=True, colour="brown", label=label)


def mass_solid(mass: PointMass, size: float) -> Solid:
    """The disc, ball or block that has the mass and the moments; a steel ball where there are none.

    With J = ∫ρ s² along a principal axis a block has the sides √(12 J/m), a disc the radius 2√(J/m) and the
    thickness √(12 J/m), a ball the radius √(5 J/m).
    """
    moments, axes = np.linalg.eigh(mass.second_moments())
    moments = np.maximum(moments, 0.0) / mass.mass
    if not moments.any():
        radius = float(np.cbrt(3 * mass.mass / (4 * np.pi * STEEL)))
        return ball(float(np.clip(radius, BALL[0] * size, BALL[1] * size)))
    low, middle, high = moments
    if high - low <= ALIKE * high:
        return ball(float(np.sqrt(5 * moments.mean())))
    if high - middle <= ALIKE * high:  # a disc: two equal moments across, the smaller one along its axis
        radius = float(2 * np.sqrt((high + middle) / 2))
        return disc(radius, max(float(np.sqrt(12 * low)), FLAT * radius), axes[:, 0])
    if middle - low <= ALIKE * high:  # a rod, the larger moment along its axis
        length = float(np.sqrt(12 * high))
        return disc(max(float(2 * np.sqrt((low + middle) / 2)), FLAT * length), length, axes[:, 2])
    sides = np.maximum(np.sqrt(12 * moments), FLAT * np.sqrt(12 * high))
    return block(sides, axes)


def disc(radius: float, thickness: float, axis: Array) -> Solid:
    """A cylinder about the node."""
    e1, e2 = _across(axis)
    angles = 2 * np.pi * np.arange(AROUND) / AROUND
    ring = radius * (np.cos(angles)[:, None] * e1 + np.sin(angles)[:, None] * e2)
    vertices = np.concatenate([ring - thickness / 2 * axis, ring + thickness / 2 * axis])
    i = np.arange(AROUND)
    j = (i + 1) % AROUND
    inner = np.arange(1, AROUND - 1)
    cap = np.stack([np.zeros_like(inner), inner, inner + 1], axis=1)
    sides = np.concatenate([np.stack([i, j, i + AROUND], axis=1), np.stack([j, j + AROUND, i + AROUND], axis=1)])
    return Solid(vertices, np.concatenate([sides, cap, cap + AROUND]))


def ball(radius: float) -> Solid:
    """A sphere about the node."""
    rings, around = 9, 18
    polar = np.pi * np.arange(1, rings) / rings
    angle = 2 * np.pi * np.arange(around) / around
    ring = np.stack(
        [
            np.outer(np.sin(polar), np.cos(angle)),
            np.outer(np.sin(polar), np.sin(angle)),
            np.outer(np.cos(polar), np.ones(around)),
        ],
        axis=-1,
    ).reshape(-1, 3)
    vertices = radius * np.concatenate([[[0.0, 0, 1]], ring, [[0.0, 0, -1]]])
    i = np.arange(around)
    j = (i + 1) % around
    last = len(vertices) - 1
    faces = [np.stack([np.zeros_like(i), 1 + i, 1 + j], axis=1)]
    for row in range(rings - 2):
        a, b = 1 + row * around, 1 + (row + 1) * around
        faces += [np.stack([a + i, b + i, a + j], axis=1), np.stack([a + j, b + i, b + j], axis=1)]
    bottom = 1 + (rings - 2) * around
    faces.append(np.stack([bottom + i, np.full_like(i, last), bottom + j], axis=1))
    return Solid(vertices, np.concatenate(faces))


def block(sides: Array, axes: Array, centre: Array | None = None) -> Solid:
    """A box about the node, or about a point seen from it; the axes are columns."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = np.array([t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))], dtype=np.int64)
    return Solid((signs * sides / 2) @ axes.T + (0.0 if centre is None else centre), triangles)


def cone(tip: Array, direction: Array, height: float, radius: float, sides: int = 16) -> Solid:
    """A cone or pyramid whose base lies in a direction from its tip."""
    e1, e2 = _across(direction)
    angles = 2 * np.pi * (np.arange(sides) + 0.5) / sides
    base = tip + height * direction + radius * (np.cos(angles)[:, None] * e1 + np.sin(angles)[:, None] * e2)
    i = np.arange(sides)
    inner = np.arange(1, sides - 1)
    sloped = np.stack([np.zeros_like(i), 1 + i, 1 + (i + 1) % sides], axis=1)
    cap = np.stack([np.ones_like(inner), 1 + inner, 2 + inner], axis=1)
    return Solid(np.concatenate([tip[None], base]), np.concatenate([sloped, cap]))


def join_solids(solids: Sequence[Solid]) -> Solid:
    """Several solids as one."""
    starts = np.concatenate([[0], np.cumsum([len(s.vertices) for s in solids])[:-1]]).astype(np.int64)
    return Solid(
        np.concatenate([s.vertices for s in solids]),
        np.concatenate([start + s.triangles for start, s in zip(starts, solids, strict=True)]),
    )


def _across(axis: Array) -> tuple[Array, Array]:
    """Two unit vectors across a unit vector, along axes of the body where it is one of them."""
    other = np.eye(3)[int(np.argmin(np.abs(axis)))]
    e1 = np.cross(axis, other)
    e1 /= np.linalg.norm(e1)
    return e1, np.cross(axis, e1)


# ---------------------------------------------------------------------- supports


def _support(site: Site, support: Support) -> Iterator[Symbol]:
    """A block where everything is held, a pyramid where the node is, one on a plate where it can slide."""
    rows = support.constraints()
    held = np.linalg.svd(rows[:, :3])
    count = int((held[1] > 1e-9).sum())
    if not count:
        return
    nodes = site.few(site.body.selected_nodes(support.on))
    direction = held[2][0] if count == 1 else None
    planar = site.body.space == "planar"
    wanted = 2 if planar else 3
    turns = rows[:, 5:] if planar else rows[:, 3:]
    fixed = count >= wanted and int(np.linalg.matrix_rank(turns, tol=1e-9)) == turns.shape[1]
    solids = []
    for node in nodes:
        way = site.down if direction is None else site.outward(int(node), direction)
        solids.append(_support_solid(site, int(node), way, fixed=fixed, slides=count < wanted))
    yield _attach(site, "support", nodes, solids, colour="grey")


def _support_solid(site: Site, node: int, way: Array, *, fixed: bool, slides: bool) -> Solid:
    size = SIZE * site.size
    axes = np.stack([*_across(way), way], axis=1)
    if fixed:
        width = 2 * max(size / 2, *(site.reach(node, e) + 0.3 * size for e in np.eye(3)))
        return block(np.full(3, width), np.eye(3))
    tip = site.reach(node, way) * way
    solids = [cone(tip, way, size, 0.75 * size, sides=4)]
    if slides:
        plate = np.array([1.5, 1.5, 0.12]) * size
        solids.append(block(plate, axes, tip + 1.25 * size * way))
    return join_solids(solids)


# ---------------------------------------------------------------------- springs and dampers


def coil(turns: int = 5) -> Points:
    """A zigzag from (0, 0) to (1, 0): along and across."""
    inner = [((0.2 + 0.6 * (k + 0.5) / (2 * turns)), 0.11 * (1 if k % 2 else -1)) for k in range(2 * turns)]
    return [(0.0, 0.0), (0.2, 0.0), *inner, (0.8, 0.0), (1.0, 0.0)]


DASHPOT: tuple[Points, ...] = (
    [(0.0, 0.0), (0.5, 0.0)],
    [(0.5, -0.09), (0.5, 0.09)],
    [(0.35, 0.12), (0.68, 0.12), (0.68, -0.12), (0.35, -0.12)],
    [(0.68, 0.0), (1.0, 0.0)],
)
GROUND: tuple[Points, ...] = ([(1.0, -0.22), (1.0, 0.22)],)
HATCH: tuple[Points, ...] = tuple([(1.0, y), (1.09, y - 0.09)] for y in (-0.12, 0.0, 0.12, 0.22))


def _spring(site: Site, spring: FrameSpring) -> Iterator[Symbol]:
    nodes = site.few(site.body.selected_nodes(spring.on))
    for axis in range(3):
        stiffness, damping = (float(spring.values(what)[axis]) for what in ("stiffness", "damping"))
        label = ", ".join(
            _words(value, unit) for value, unit in ((stiffness, "N/m"), (damping, "N s/m")) if value > 0
        )
        if label:
            yield _frame_spring(
                site, nodes, np.eye(3)[axis], springs=stiffness > 0, damps=damping > 0, label=label
            )
    turning = any((spring.values(what)[3:] > 0).any() for what in ("stiffness", "damping"))
    if turning:
        yield _spiral(site, nodes, spring)


def _frame_spring(site: Site, nodes: IntArray, axis: Array, *, springs: bool, damps: bool, label: str) -> Symbol:
    """Lines from the nodes to the ground beside them; the ends at the nodes move, those at the ground do not."""
    lengths = 2.6 * SIZE * site.size
    shift = 0.2 if springs and damps else 0.0
    strokes: list[Points] = [*GROUND, *HATCH]
    if springs:
        strokes.append([(s, y + shift) for s, y in coil()])
    if damps:
        strokes += [[(s, y - shift) for s, y in stroke] for stroke in DASHPOT]
    if shift:
        strokes.append([(0.0, -shift), (0.0, shift)])
    points: list[Array] = []
    shares, followed, lines = [], [], []
    for node in nodes:
        way = site.outward(int(node), axis)
        side = _across(way)[1]
        start = site.body.mesh.points[node] + site.reach(int(node), way) * way
        for stroke in strokes:
            first = len(points)
            points += [start + lengths * (s * way + y * side) for s, y in stroke]
            shares += [max(0.0, 1 - s) for s, _ in stroke]
            followed += [int(node)] * len(stroke)
            lines += [(first + k, first + k + 1) for k in range(len(stroke) - 1)]
    part = Part(
        "spring" if springs else "damper",
        np.array(points),
        lines=np.array(lines, dtype=np.int64),
        colour="green",
        symbol=True,
        label=label,
    )
    return Symbol(part, site.following(np.array(followed, dtype=np.int64), np.array(shares), turning=False))


def spiral(axis: Array, radius: float) -> Array:
    """Points of a flat spiral about an axis, of two and a half turns: (60, 3)."""
    e1, e2 = _across(axis)
    angle = np.linspace(0, 5 * np.pi, 60)
    distance = radius * (0.25 + 0.75 * angle / angle[-1])[:, None]
    return np.asarray(distance * (np.cos(angle)[:, None] * e1 + np.sin(angle)[:, None] * e2))


def _spiral(site: Site, nodes: IntArray, spring: FrameSpring) -> Symbol:
    """A flat spiral about the axis of a rotational spring."""
    values = spring.values("stiffness")[3:] + spring.values("damping")[3:]
    curve = spiral(np.eye(3)[int(np.argmax(values))], SIZE * site.size)
    points = np.concatenate([site.body.mesh.points[node] + curve for node in nodes])
    pairs = list(pairwise(range(len(curve))))
    lines = np.concatenate([np.array(pairs) + k * len(curve) for k in range(len(nodes))])
    part = Part("rotational spring", points, lines=lines.astype(np.int64), colour="green", symbol=True)
    followed = np.repeat(nodes, len(curve))
    return Symbol(part, site.following(followed, np.ones(len(followed)), turning=False))


# ---------------------------------------------------------------------- loads


def _load(site: Site, load: Load) -> Iterator[Symbol]:
    match load:
        case NodeForce():
            nodes = site.few(site.body.selected_nodes(load.on))
            if np.any(load.force):
                yield _arrows(site, nodes, np.tile(_vector(load.force), (len(nodes), 1)), "N")
            if np.any(load.moment):
                yield _moments(site, nodes, _vector(load.moment))
        case LineLoad() | Traction():
            nodes = site.few(_loaded_nodes(site.body, load))
            force, unit = (load.force, "N/m") if isinstance(load, LineLoad) else (load.traction, "Pa")
            if np.any(force):
                yield _arrows(site, nodes, np.tile(_vector(force), (len(nodes), 1)), unit)
        case Pressure():
            nodes, normals = _facets(site, load.on)
            if load.pressure and len(nodes):
                yield _arrows(site, nodes, -load.pressure * normals, "Pa", pushing=load.pressure > 0)
        case Gravity():
            centre = site.body.mesh.points.mean(axis=0)
            if np.any(load.acceleration):
                nodes = np.array([site.body.mesh.nearest_node(centre)], dtype=np.int64)
                yield _arrows(site, nodes, _vector(load.acceleration)[None], "m/s^2")


def _loaded_nodes(body: Body, load: LineLoad | Traction) -> IntArray:
    if load.on is not None:
        return body.selected_nodes(load.on)
    lines = [block.nodes[:, :2].ravel() for block in body.mesh.blocks if block.cell.dimension == 1]
    return np.unique(np.concatenate(lines))


def _facets(site: Site, on: str) -> tuple[IntArray, Array]:
    """First nodes of some facets, with their outward normals: (facets,), (facets, 3)."""
    mesh = site.body.mesh
    nodes, normals = [], []
    for block in mesh.facets_of(on):
        for row in site.few(np.arange(len(block))):
            corners = block.nodes[row, : block.cell.corners]
            places = mesh.points[corners]
            sides = (places[1] - places[0], places[-1] - places[0])
            normal = np.cross(sides[0], [0.0, 0.0, 1.0] if block.cell.dimension == 1 else sides[1])
            size = float(np.linalg.norm(normal))
            inside = _behind(site.body, corners)
            if size > 0:
                turned = inside is not None and float((places.mean(axis=0) - inside) @ normal) < 0
                nodes.append(int(corners[0]))
                normals.append((-1 if turned else 1) * normal / size)
    return np.array(nodes, dtype=np.int64), np.array(normals).reshape(-1, 3)


def _behind(body: Body, corners: IntArray) -> Array | None:
    """Centre of the cell of which a facet is a side; None where the facet is a whole shell."""
    for block in body.mesh.blocks:
        rows = np.flatnonzero(np.isin(block.nodes, corners).sum(axis=1) >= len(corners))
        if rows.size and block.cell.corners > len(corners):
            return np.asarray(body.mesh.points[block.nodes[rows[0]]].mean(axis=0))
    return None


def _vector(values: Sequence[float]) -> Array:
    return np.array([*values, 0.0, 0.0, 0.0][:3], dtype=float)


def _arrows(site: Site, nodes: IntArray, vectors: Array, unit: str, *, pushing: bool | None = None) -> Symbol:
    """Arrows of one length that pull at the surface or, where they would lie inside the body, push against it."""
    length = 3 * SIZE * site.size
    solids = []
    for node, vector in zip(nodes, vectors, strict=True):
        way = vector / np.linalg.norm(vector)
        inward = site.surface is None and float(site.outward(int(node), way) @ way) < 0
        start = site.reach(int(node), way) * way
        if inward if pushing is None else pushing:
            start = -(site.reach(int(node), -way) + length) * way
        solids.append(arrow(start, way, length))
    label = _words(float(np.linalg.norm(vectors[0])), unit)
    made = _attach(site, "load", nodes, solids, colour="red", label=label)
    # the points of the part are the tips, so that the label stands there; they move as the nodes do
    tips = np.array([solid.vertices[TIP] for solid in solids])
    assert made.part.skin is not None
    skin = replace(made.part.skin, offsets=made.part.skin.offsets - tips[made.part.skin.nodes])
    return replace(made, part=replace(made.part, nodes=made.part.nodes + tips, skin=skin))


TIP = 0  # vertex of an arrow


def arrow(start: Array, way: Array, length: float) -> Solid:
    """An arrow whose tip is its first vertex."""
    axes = np.stack([*_across(way), way], axis=1)
    shaft = block(np.array([0.05, 0.05, 0.7]) * length, axes, start + 0.35 * length * way)
    return join_solids([cone(start + length * way, -way, 0.32 * length, 0.12 * length), shaft])


def _moments(site: Site, nodes: IntArray, moment: Array) -> Symbol:
    """Arcs about the axis of a moment that end in a head."""
    solid = bent_arrow(moment / np.linalg.norm(moment), 1.4 * SIZE * site.size, 0.15 * SIZE * site.size)
    label = _words(float(np.linalg.norm(moment)), "N m")
    return _attach(site, "moment", nodes, [solid] * len(nodes), colour="red", label=label)


def bent_arrow(axis: Array, radius: float, width: float) -> Solid:
    """Most of a circle about a unit axis through the node, with a head the way that it turns."""
    e1, e2 = _across(axis)
    return _arc(e1, e2, radius, np.linspace(0.0, 1.4 * np.pi, 15), width)


def _arc(e1: Array, e2: Array, radius: float, angles: Array, width: float) -> Solid:
    """A bent arrow from e₁ towards e₂."""
    places = radius * (np.cos(angles)[:, None] * e1 + np.sin(angles)[:, None] * e2)
    tangents = -np.sin(angles)[:, None] * e1 + np.cos(angles)[:, None] * e2
    step = 1.05 * radius * (angles[1] - angles[0])
    arcs = [block(np.array([width, width, step]), _axes(t), p) for p, t in zip(places, tangents, strict=True)]
    head = 5.6 * width
    arcs.append(cone(places[-1] + head * tangents[-1], -tangents[-1], head, 2.3 * width))
    return join_solids(arcs)


def _turning(site: Site, load: TurningLoad) -> Symbol:
    """An arrow across the axis, or a ball for a mass beside it, and a bent arrow the way it turns."""
    nodes = site.few(site.body.selected_nodes(load.on))
    size, e1 = SIZE * site.size, load.direction
    e2, solids = np.cross(load.axis, e1), []
    for node in nodes:
        reach = max(site.reach(int(node), way) for way in (e1, -e1, e2, -e2))
        what = ball(0.35 * size) if load.mass else arrow(np.zeros(3), e1, 2.5 * size)
        shown = replace(what, vertices=what.vertices + (reach + (0.35 * size if load.mass else 0.0)) * e1)
        around = _arc(e1, e2, reach + 0.7 * size, np.linspace(0.5, 1.6, 12), 0.12 * size)
        solids.append(join_solids([shown, around]))
    return _attach(site, "load", nodes, solids, turning=load.mass, colour="red", label=load.words)


def _axes(way: Array) -> Array:
    return np.stack([*_across(way), way], axis=1)


def _words(value: float, unit: str) -> str:
    """A number with its unit, thousands and millions of it by their prefix."""
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= factor and unit[0] in "NP":
            return f"{value / factor:.4g} {prefix}{unit}"
    return f"{value:.4g} {unit}"
