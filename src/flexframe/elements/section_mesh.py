"""Triangles of second order in a polygon with holes, of one size, for the functions of a cross-section."""

from dataclasses import dataclass

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array, BoolArray, IntArray

Ring = tuple[tuple[float, float], ...]
"""Corners (y, z) [m] of a closed line, in either sense, the first one not repeated."""

_MOST_POINTS = 40_000  # on the boundary; beyond, the walls are too thin for this


@dataclass(frozen=True, eq=False)
class SectionMesh:
    """Corners and middles of sides, and six of them for each triangle in the order of VTK."""

    points: Array  # (y, z): (points, 2)
    triangles: IntArray  # (triangles, 6)


def section_mesh(rings: tuple[Ring, ...], size: float) -> SectionMesh:
    """Triangles of about `size` between the outline rings[0] and the holes rings[1:].

    The boundary is divided evenly and the inside filled with a hexagonal lattice; Delaunay's triangles of these
    points that lie inside are the mesh. It is taken when its edges hold the whole boundary; otherwise the points
    are set closer until they do.
    """
    for _ in range(5):
        found = _triangles(rings, size)
        if found is not None:
            return _second_order(*found)
        size /= 2
    raise InputError(
        "section: the outline cannot be divided into triangles; leave out corners that nearly coincide, or give "
        "the constants as a general section"
    )


def ring_area(ring: Ring) -> float:
    """½ Σ (y_i z_i+1 − y_i+1 z_i), positive counter-clockwise."""
    y, z = np.array(ring).T
    return float(np.sum(y * np.roll(z, -1) - np.roll(y, -1) * z) / 2)


def inside(rings: tuple[Ring, ...], points: Array) -> BoolArray:
    """Whether a ray to the right meets the rings an odd number of times: (points,)."""
    odd = np.zeros(len(points), dtype=bool)
    y, z = points.T
    for ring in rings:
        corners = np.array(ring)
        for (y1, z1), (y2, z2) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            if z1 != z2:
                across = (z1 > z) != (z2 > z)
                odd ^= across & (y < y1 + (z - z1) / (z2 - z1) * (y2 - y1))
    return odd


def _triangles(rings: tuple[Ring, ...], size: float) -> tuple[Array, IntArray] | None:
    """Points and corners of triangles, None where they do not hold the boundary."""
    boundary, edges = _boundary(rings, size)
    if len(boundary) > _MOST_POINTS:
        raise InputError(
            "section: the walls are too thin beside the size of the section to be divided into triangles; give "
            "the constants as a general section"
        )
    middle = _lattice(rings, size)
    middle = middle[_distance(rings, middle) > 0.6 * size]
    points = np.concatenate([boundary, middle])
    from scipy.spatial import Delaunay  # loaded where such a section is used: not every start pays for it

    triangles = Delaunay(points).simplices.astype(np.int64)
    a, b, c = (points[triangles[:, i]] for i in range(3))
    twice = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
    triangles[twice < 0] = triangles[twice < 0][:, ::-1]
    kept = inside(rings, (a + b + c) / 3) & (np.abs(twice) > 1e-9 * size**2)
    triangles = triangles[kept]
    sides = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    held, count = np.unique(sides, axis=0, return_counts=True)
    # the sides that belong to one triangle are those of the boundary, no more and no less
    outer = held[count == 1]
    wanted = np.unique(np.sort(edges, axis=1), axis=0)
    whole = abs(np.abs(twice[kept]).sum() / 2 / _area(rings) - 1) < 1e-9
    return (points, triangles) if whole and outer.shape == wanted.shape and (outer == wanted).all() else None


def _lattice(rings: tuple[Ring, ...], size: float) -> Array:
    """Points of a hexagonal lattice between the rings, row by row between its crossings with them."""
    sides = np.concatenate([np.stack([ring, np.roll(ring, -1, axis=0)], axis=1) for ring in map(np.array, rings)])
    (y1, z1), (y2, z2) = sides[:, 0].T, sides[:, 1].T
    low, high = z1.min(), z1.max()
    found = []
    for number, z in enumerate(np.arange(low + size / 2, high, size * np.sqrt(0.75))):
        met = (z1 > z) != (z2 > z)
        crossings = np.sort(y1[met] + (z - z1[met]) / (z2[met] - z1[met]) * (y2[met] - y1[met]))
        for start, end in crossings.reshape(-1, 2):
            first = np.ceil(start / size - number % 2 / 2)
            columns = (first + number % 2 / 2 + np.arange(int((end - start) / size) + 1)) * size
            columns = columns[columns < end]
            found.append(np.stack([columns, np.full(len(columns), z)], axis=1))
    return np.concatenate(found) if found else np.empty((0, 2))


def _area(rings: tuple[Ring, ...]) -> float:
    outline, *holes = (abs(ring_area(ring)) for ring in rings)
    return outline - sum(holes)


def _boundary(rings: tuple[Ring, ...], size: float) -> tuple[Array, IntArray]:
    """Points on the rings and pairs of neighbours."""
    points: list[Array] = []
    edges: list[Array] = []
    start = 0
    for ring in rings:
        corners = np.array(ring)
        made = []
        for first, last in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            count = max(1, int(np.ceil(np.linalg.norm(last - first) / size)))
            made.append(first + np.arange(count)[:, None] / count * (last - first))
        line = np.concatenate(made)
        numbers = start + np.arange(len(line))
        points.append(line)
        edges.append(np.stack([numbers, np.roll(numbers, -1)], axis=1))
        start += len(line)
    return np.concatenate(points), np.concatenate(edges)


def _distance(rings: tuple[Ring, ...], points: Array) -> Array:
    """From the nearest side of the rings: (points,)."""
    nearest = np.full(len(points), np.inf)
    for ring in rings:
        corners = np.array(ring)
        for first, last in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            along = last - first
            place = np.clip((points - first) @ along / (along @ along), 0.0, 1.0)
            nearest = np.minimum(nearest, np.linalg.norm(points - first - place[:, None] * along, axis=1))
    return nearest


def _second_order(points: Array, triangles: IntArray) -> SectionMesh:
    """With a node in the middle of each side."""
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    unique, numbers = np.unique(np.sort(sides, axis=1), axis=0, return_inverse=True)
    middles = len(points) + numbers.reshape(3, -1).T
    return SectionMesh(np.concatenate([points, points[unique].mean(axis=1)]), np.hstack([triangles, middles]))
