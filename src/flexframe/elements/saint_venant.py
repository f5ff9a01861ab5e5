"""Saint-Venant's torsion and flexure of a cross-section, on triangles of second order.

With principal axes y, z through the centroid the warping ω and the flexure functions Ψ solve, for every φ,

    ∫∇ω·∇φ = ∫(z φ,y − y φ,z),      ∫∇Ψ·∇φ = ∫[(ν/2) d·∇φ + 2(1+ν) s φ]

with s = y, d = (y² − z², 2yz) for shear along y and s = z, d = (2yz, z² − y²) for shear along z. The stresses are
τ = Gθ'(ω,y − z, ω,z + y) and τ = V/(2(1+ν)I) (∇Ψ − ν d/2), which leaves no traction on the sides. The torsion
constant is J = Ip − ∫|∇ω|². The shear area is that of the energy, V²/GA_s = ∫τ²/G (Pilkey 2002; Renton; Romano);
Ψ is linear in ν, so that three integrals give it for every material. The shear centre is Trefftz's: torsion about
it and shear through it do no work on each other; it does not depend on the material.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexframe.elements.interpolated_families import Triangle6
from flexframe.errors import InputError
from flexframe.maths.arrays import Array, BoolArray, IntArray
from flexframe.maths.quadrature import triangle

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


_FAMILY = Triangle6()
_RULE = triangle(4)  # squares of quadratic stresses


@dataclass(frozen=True, eq=False)
class SectionConstants:
    """What the functions say about a section whose y and z are principal axes through the centroid."""

    torsion_constant: float
    shear_centre: Array  # (y, z) [m]
    flexure: Array  # a, b, c of A_s = 4I²/(a + 2bs + cs²), s = ν/(1+ν), for shear along y and z: (2, 3)


def section_constants(mesh: SectionMesh) -> SectionConstants:
    """Solve for ω and the parts of Ψ on a mesh in principal axes through the centroid."""
    at = mesh.points[mesh.triangles]
    slopes = _FAMILY.shape_gradient(_RULE.points)
    shape = _FAMILY.shape(_RULE.points)
    jacobian = np.einsum("eai,gad->egid", at, slopes)
    weights = np.linalg.det(jacobian) * _RULE.weights
    gradient = np.einsum("gad,egdi->egai", slopes, np.linalg.inv(jacobian))
    y, z = np.moveaxis(np.einsum("ga,eai->egi", shape, at), -1, 0)
    polar = float(np.sum(weights * (y**2 + z**2)))

    count = len(mesh.points)
    nodes = mesh.triangles.shape[1]
    blocks = np.einsum("eg,egai,egbi->eab", weights, gradient, gradient, optimize=True)
    rows, columns = np.repeat(mesh.triangles, nodes, axis=1), np.tile(mesh.triangles, (1, nodes))
    K = sparse.csr_array((blocks.ravel(), (rows.ravel(), columns.ravel())), shape=(count, count))

    def load(along: Array | None, value: Array | None = None) -> Array:
        """∫(along·∇φ + value φ)."""
        parts = np.zeros(mesh.triangles.shape)
        if along is not None:
            parts += np.einsum("eg,egi,egai->ea", weights, along, gradient, optimize=True)
        if value is not None:
            parts += (weights * value) @ shape
        total = np.zeros(count)
        np.add.at(total, mesh.triangles, parts)
        return total

    curved = (np.stack([y**2 - z**2, 2 * y * z], axis=-1), np.stack([2 * y * z, z**2 - y**2], axis=-1))
    twist = load(np.stack([z, -y], axis=-1))
    loads = [twist]
    for s, d in zip((y, z), curved, strict=True):
        loads += [load(None, 2 * s), load(d / 2)]
    from scipy.sparse.linalg import splu  # loaded where such a section is used: not every start pays for it

    # functions up to a constant: the first node is held
    solved = np.zeros((count, len(loads)))
    solved[1:] = splu(sparse.csc_array(K[1:, 1:])).solve(np.array(loads).T[1:])
    fields = np.einsum("egai,eap->pegi", gradient, solved[mesh.triangles], optimize=True)

    warping = solved[:, 0]
    values = np.einsum("ga,ea->eg", shape, warping[mesh.triangles])
    second = [float(np.sum(weights * s**2)) for s in (y, z)]
    flexure = np.empty((2, 3))
    for k, d in enumerate(curved):
        plain, lateral = fields[1 + 2 * k], fields[2 + 2 * k] - d / 2
        flexure[k] = [
            float(np.sum(weights * (p * q).sum(axis=-1)))
            for p, q in ((plain, plain), (plain, lateral), (lateral, lateral))
        ]
    # ω less its mean: the first moments of y and z vanish
    centre = np.array([-np.sum(weights * values * z) / second[1], np.sum(weights * values * y) / second[0]])
    return SectionConstants(polar - float(warping @ twist), centre, flexure)
