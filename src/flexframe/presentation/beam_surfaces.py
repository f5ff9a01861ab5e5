"""Beams as they look: their sections swept along their axes, curved between the nodes as beams bend."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import sparse

from flexframe.assembly.discrete import element_batches
from flexframe.elements.contract import PlacedSections, is_structural
from flexframe.elements.polygon_section import PolygonSection
from flexframe.elements.saint_venant import section_mesh
from flexframe.elements.sections import Circle, Section
from flexframe.maths.arrays import Array, IntArray, SparseMatrix
from flexframe.maths.rotations import rotation_from_vector, skew, vector_from_rotation
from flexframe.model.body import Body
from flexframe.presentation.scenes import Skin

SIDES = 24  # of the polygon that stands for a circle
MOST = 4000  # beams of a body that are drawn with their sections
PIECES = 16  # into which the beams of a body are divided at least, so that they look curved
FAR_BENT = 60  # the same for beams that may be rolled up
SAME = 1e-9  # directions and lengths [m] closer than this are one


@dataclass(frozen=True)
class SectionFace:
    """A section in its principal axes (y, z) [m]: outline, then holes, and triangles that fill it."""

    rings: tuple[Array, ...]  # (corners, 2) each
    points: Array  # (points, 2)
    triangles: IntArray  # (triangles, 3)


def section_face(section: Section) -> SectionFace:
    """The face of a section; one that is given by constants is the rectangle of its height and width."""
    if isinstance(section, Circle):
        angles = 2 * np.pi * np.arange(SIDES) / SIDES
        circle = np.stack([np.cos(angles), np.sin(angles)], axis=1) / 2
        diameters = [d for d in (section.diameter, section.inner_diameter) if d > 0]
        rings = tuple(d * circle for d in diameters)
        return SectionFace(rings, np.concatenate(rings), _fan(SIDES) if len(rings) == 1 else _strip(SIDES))
    if isinstance(section, PolygonSection):
        return _polygon_face(section)
    y, z = section.height / 2, section.width / 2
    ring = np.array([[y, z], [-y, z], [-y, -z], [y, -z]])
    return SectionFace((ring,), ring, _fan(4))


def _polygon_face(section: PolygonSection) -> SectionFace:
    """Corners relative to the centroid, in axes turned by the principal angle from y to z."""
    cosine, sine = np.cos(section.principal_angle), np.sin(section.principal_angle)
    turn = np.array([[cosine, sine], [-sine, cosine]])

    def principal(points: Array) -> Array:
        return np.asarray((points - np.asarray(section.centroid)) @ turn.T)

    rings = (section.outline, *section.holes)
    filled = section_mesh(rings, float(np.ptp(np.array(section.outline), axis=0).max()))
    return SectionFace(
        tuple(principal(np.array(ring, dtype=float)) for ring in rings),
        principal(filled.points),
        filled.triangles[:, :3].astype(np.int64),
    )


def _fan(count: int) -> IntArray:
    inner = np.arange(1, count - 1)
    return np.stack([np.zeros_like(inner), inner, inner + 1], axis=1)


def _strip(count: int) -> IntArray:
    """Between two rings of as many points."""
    i = np.arange(count)
    j = (i + 1) % count
    first = np.stack([i, j, i + count], axis=1)
    return np.concatenate([first, np.stack([j, j + count, i + count], axis=1)])


@dataclass(frozen=True, eq=False)
class BeamSurface:
    """The surface of all beams of a body and how it follows the nodes.

    `stations` are points of the axes; vertices of the skin follow them as rigid sections. Triangles count the
    stations first, then the vertices.
    """

    stations: Array  # (s, 3) m
    ends: IntArray  # (s, 2) nodes of the beam on which a station lies, the same twice at a node
    shares: Array  # (s,) of the way from the first to the second
    axes: Array  # (s, 3) of the beam at rest
    motion: SparseMatrix  # (6 s, 6 nodes): displacement and rotation of the stations from those of the nodes
    weights: SparseMatrix  # (s, nodes): of other values
    skin: Skin
    triangles: IntArray  # (m, 3)
    lines: IntArray  # (k, 2) axes, between stations

    def deform(self, points: Array, values: Array) -> Array:
        """Displacements and rotation vectors of the stations where those of the nodes have any size: (…, s, 6).

        Between nodes at r with the axes R e the beam is the cubic r(s) = H₁r₁ + H₃r₂ + ℓ(H₂R₁e + H₄R₂e) with
        ℓ = |r₂ − r₁|/cos²(φ/4), φ between both axes, which is nearest to an arc, and its sections turn evenly from
        R₁ to R₂, across the curve.
        """
        a, b = self.ends.T
        place = (points + values[..., :3])[..., (a, b), :]  # (…, 2, s, 3)
        R = rotation_from_vector(values[..., 3:])
        first, last = R[..., a, :, :], R[..., b, :, :]
        tangents = [np.einsum("...sij,sj->...si", turn, self.axes) for turn in (first, last)]
        apart, along = (np.linalg.norm(tangents[1] + sign * tangents[0], axis=-1) for sign in (-1, 1))
        half = np.arctan2(apart, along)  # of the angle between both tangents
        chord = np.linalg.norm(place[..., 1, :, :] - place[..., 0, :, :], axis=-1)
        arc = (chord / np.cos(half / 2) ** 2)[..., None]
        cubics, slopes = (found[:, :, None] for found in hermite(self.shares))
        given = (place[..., 0, :, :], arc * tangents[0], place[..., 1, :, :], arc * tangents[1])
        r, way = (sum(h * g for h, g in zip(shape, given, strict=True)) for shape in (cubics, slopes))
        turn = vector_from_rotation(np.swapaxes(first, -1, -2) @ last)
        even = first @ rotation_from_vector(self.shares[:, None] * turn)
        normal = np.einsum("...sij,sj->...si", even, self.axes)
        rotations = vector_from_rotation(rotation_from_vector(_turn_to(normal, np.asarray(way))) @ even)
        at_node = (a == b)[:, None]
        found = np.concatenate([np.asarray(r) - self.stations, rotations], axis=-1)
        return np.where(at_node, values[..., a, :], found)


def _turn_to(first: Array, second: Array) -> Array:
    """The smallest rotation vector that takes a direction to another one; none where one has no length."""
    axis = np.cross(first, second)
    sine = np.linalg.norm(axis, axis=-1, keepdims=True)
    angle = np.arctan2(sine, np.sum(first * second, axis=-1, keepdims=True))
    return np.asarray(axis * np.divide(angle, sine, out=np.zeros_like(sine), where=sine > 0))


def hermite(s: Array | float) -> tuple[Array, Array]:
    """Hermite's cubics of value and slope at both ends, H₁ … H₄, and their derivatives: (4, …) each."""
    cubics = np.array([1 - 3 * s**2 + 2 * s**3, s * (1 - s) ** 2, 3 * s**2 - 2 * s**3, s**2 * (s - 1)])
    slopes = np.array([6 * s**2 - 6 * s, 1 - 4 * s + 3 * s**2, 6 * s - 6 * s**2, 3 * s**2 - 2 * s])
    return cubics, slopes


def beam_surface(body: Body, pieces: int = PIECES) -> BeamSurface | None:
    """The surface of the beams of a body, or None where it has none, or too many to be seen one by one.

    All beams together are divided into so many pieces at least.
    """
    groups = list(_beams(body))
    count = sum(len(nodes) for _, nodes in groups)
    if not 0 < count <= MOST:
        return None
    builder = _Builder(body, pieces=max(1, -(-pieces // count)))
    for placed, nodes in groups:
        builder.add(placed, nodes)
    return builder.surface()


def _beams(body: Body) -> Iterator[tuple[PlacedSections, IntArray]]:
    """Sections of beams with the end nodes of their cells: (cells, 2)."""
    if all(block.cell.dimension != 1 for block in body.mesh.blocks):
        return
    for batch in element_batches(body):
        family = batch.family
        placed = family.placed_sections(batch.coordinates, batch.prop) if is_structural(family) else None
        if placed is not None:
            yield placed, batch.nodes[:, :2]


@dataclass(frozen=True, eq=False)
class _Placed:
    """A section in its place: principal axes as rows, and the arm from the node to its centroid."""

    face: SectionFace
    axes: Array  # (3, 3)
    arm: Array  # (3,)

    @property
    def key(self) -> bytes:
        """Equal for sections that look alike."""
        numbers = np.concatenate([self.axes.ravel(), self.arm, self.face.points.ravel()])
        return np.round(numbers / SAME).astype(np.int64).tobytes()

    def offsets(self, points: Array) -> Array:
        """Points (y, z) of the section as seen from the node: (points, 3)."""
        return np.asarray(self.arm + points @ self.axes[1:])


class _Builder:
    """Collects stations, rings around them and the faces between the rings."""

    def __init__(self, body: Body, pieces: int) -> None:
        self.points = body.mesh.points
        self.pieces = pieces
        self.station_of_node: dict[int, int] = {}
        self.stations: list[Array] = []
        self.rows: list[tuple[IntArray, Array, Array]] = []  # nodes, (6, 6 nodes) and shares of each station
        self.followed: list[int] = []
        self.offsets: list[Array] = []
        self.rings: dict[tuple[int, bytes], int] = {}  # first vertex
        self.ends: dict[tuple[int, bytes], list[_Placed]] = {}  # sections of elements that end at a station
        self.faces: list[IntArray] = []
        self.lines: list[tuple[int, int]] = []

    def add(self, placed: PlacedSections, cells: IntArray) -> None:
        """Cells with one section."""
        face = section_face(placed.section)
        for k, (first, last) in enumerate(cells):
            self._element(int(first), int(last), _Placed(face, placed.axes[k], placed.arms[k]))

    def surface(self) -> BeamSurface:
        """What was collected, closed where sections end: at free ends, steps and bends."""
        for (station, _), sections in self.ends.items():
            if len(sections) == 1:
                placed = sections[0]
                start = self._vertices(station, placed.offsets(placed.face.points))
                self.faces.append(start + placed.face.triangles)
        return BeamSurface(
            np.array(self.stations),
            np.array([nodes[[0, -1]] for nodes, _, _ in self.rows]),
            np.array([1 - shares[0] for _, _, shares in self.rows]),
            self._axes(),
            self._motion(),
            self._weights(),
            Skin(np.array(self.followed, dtype=np.int64), np.array(self.offsets)),
            len(self.stations) + np.concatenate(self.faces).astype(np.int64),
            np.array(self.lines, dtype=np.int64),
        )

    def _element(self, first: int, last: int, placed: _Placed) -> None:
        stations = [self._at_node(first)]
        stations += [self._between(first, last, part / self.pieces) for part in range(1, self.pieces)]
        stations.append(self._at_node(last))
        self.lines += list(pairwise(stations))
        for end in (stations[0], stations[-1]):
            self.ends.setdefault((end, placed.key), []).append(placed)
        starts = [self._ring(station, placed) for station in stations]
        for a, b in pairwise(starts):
            self._sides(a, b, placed.face)

    def _ring(self, station: int, placed: _Placed) -> int:
        """First vertex of the section at a station; elements in line share it."""
        key = (station, placed.key)
        if key not in self.rings:
            self.rings[key] = self._vertices(station, placed.offsets(np.concatenate(placed.face.rings)))
        return self.rings[key]

    def _vertices(self, station: int, offsets: Array) -> int:
        start = len(self.followed)
        self.followed += [station] * len(offsets)
        self.offsets += list(offsets)
        return start

    def _sides(self, a: int, b: int, face: SectionFace) -> None:
        shift = 0
        for ring in face.rings:
            i = shift + np.arange(len(ring))
            j = shift + (np.arange(len(ring)) + 1) % len(ring)
            self.faces += [np.stack([a + i, a + j, b + i], axis=1), np.stack([a + j, b + j, b + i], axis=1)]
            shift += len(ring)

    def _at_node(self, node: int) -> int:
        if node not in self.station_of_node:
            self.station_of_node[node] = self._station(self.points[node], np.array([node]), np.eye(6), np.ones(1))
        return self.station_of_node[node]

    def _between(self, first: int, last: int, part: float) -> int:
        ends = self.points[[first, last]]
        place = (1 - part) * ends[0] + part * ends[1]
        shape = bending_shape(ends[1] - ends[0], part)
        return self._station(place, np.array([first, last]), shape, np.array([1 - part, part]))

    def _station(self, place: Array, nodes: IntArray, rows: Array, shares: Array) -> int:
        self.stations.append(place)
        self.rows.append((nodes, rows, shares))
        return len(self.stations) - 1

    def _axes(self) -> Array:
        """Unit vectors along the beams of the stations, none at nodes: (s, 3)."""
        axes = np.array([self.points[nodes[-1]] - self.points[nodes[0]] for nodes, _, _ in self.rows])
        lengths = np.linalg.norm(axes, axis=1, keepdims=True)
        return np.asarray(np.divide(axes, lengths, out=np.zeros_like(axes), where=lengths > 0))

    def _motion(self) -> SparseMatrix:
        rows, columns, values = [], [], []
        for station, (nodes, block, _) in enumerate(self.rows):
            dofs = (6 * nodes[:, None] + np.arange(6)).ravel()
            rows.append(np.repeat(6 * station + np.arange(6), dofs.size))
            columns.append(np.tile(dofs, 6))
            values.append(block.ravel())
        return sparse.csr_array(
            (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))),
            shape=(6 * len(self.rows), 6 * len(self.points)),
        )

    def _weights(self) -> SparseMatrix:
        rows = np.repeat(np.arange(len(self.rows)), [len(nodes) for nodes, _, _ in self.rows])
        columns = np.concatenate([nodes for nodes, _, _ in self.rows])
        values = np.concatenate([shares for _, _, shares in self.rows])
        return sparse.csr_array((values, (rows, columns)), shape=(len(self.rows), len(self.points)))


def bending_shape(axis: Array, part: float) -> Array:
    """Displacement and rotation at a part of a beam's length from those of its ends: (6, 12).

    Along the axis e displacement and rotation are linear; across it u = H₁u₁ + H₃u₂ + L(H₂ θ₁×e + H₄ θ₂×e) with
    Hermite's cubics, and θ = e × u′: a beam without shear.
    """
    length = float(np.linalg.norm(axis))
    e = axis / length
    along = np.outer(e, e)
    across = np.eye(3) - along
    s = part
    cubics, slopes = hermite(s)
    tilt = -skew(e)  # θ × e
    out = np.zeros((6, 12))
    for end, linear in ((0, 1 - s), (1, s)):
        u, theta = slice(6 * end, 6 * end + 3), slice(6 * end + 3, 6 * end + 6)
        out[:3, u] = linear * along + cubics[2 * end] * across
        out[:3, theta] = length * cubics[2 * end + 1] * tilt
        out[3:, u] = skew(e) @ across * slopes[2 * end] / length
        out[3:, theta] = linear * along + slopes[2 * end + 1] * skew(e) @ tilt
    return out
