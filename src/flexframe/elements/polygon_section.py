"""Sections of any outline: constants from the polygon, torsion and shear from Saint-Venant's functions."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from flexframe.elements.saint_venant import Ring, inside, ring_area, section_mesh
from flexframe.elements.sections import require_positive
from flexframe.errors import InputError
from flexframe.maths.arrays import Array

_ACROSS, _COMPACT = 2, 12  # triangles across a wall of mean thickness 2A/perimeter, and across √A, at least


@dataclass(frozen=True)
class PolygonSection:
    """A section between an outline and holes, corners (y, z) [m] in any axes; its centroid is on the beam's axis.

    Constants are in principal axes, which are turned from the given ones by `principal_angle` [rad] from y to z.
    `torsion_error` and `shear_error` are estimates of the relative error of J and of the shear factors (ν = 0.3),
    from two meshes. Warping is free in these beams: in truth open thin sections are stiffer near a clamped end.
    """

    outline: Ring
    holes: tuple[Ring, ...] = ()
    shear_factor: float | None = None
    shear_factor_across: float | None = None

    def __post_init__(self) -> None:
        for name in ("outline", "holes"):
            made = getattr(self, name)
            rings = (made,) if name == "outline" else made
            for ring in rings:
                _require_ring(ring)
        for field in ("shear_factor", "shear_factor_across"):
            if getattr(self, field) is not None:
                require_positive("section", **{field: getattr(self, field)})
        for hole in self.holes:
            if not inside((self.outline,), np.array(hole)).all():
                raise InputError("section: a hole is not inside the outline; check the corners of both")
        _solve(self.outline, self.holes)

    @property
    def _constants(self) -> "_Solved":
        return _solve(self.outline, self.holes)

    @property
    def area(self) -> float:
        return self._constants.area

    @property
    def inertia_z(self) -> float:
        return self._constants.inertia_z

    @property
    def inertia_y(self) -> float:
        return self._constants.inertia_y

    @property
    def principal_angle(self) -> float:
        return self._constants.angle

    @property
    def centroid(self) -> tuple[float, float]:
        """(y, z) in the axes of the corners."""
        return self._constants.centroid

    @property
    def torsion_constant(self) -> float:
        return self._constants.torsion_constant

    @property
    def torsion_error(self) -> float:
        """Relative, estimated."""
        return self._constants.torsion_error

    @property
    def shear_error(self) -> float:
        """Relative, estimated; the larger of both directions."""
        return self._constants.shear_error

    @property
    def shear_centre(self) -> tuple[float, float]:
        return self._constants.shear_centre

    @property
    def stress_points(self) -> tuple[tuple[float, float], ...]:
        return self._constants.corners

    @property
    def height(self) -> float:
        ys = [y for y, _ in self.stress_points]
        return max(ys) - min(ys)

    @property
    def width(self) -> float:
        zs = [z for _, z in self.stress_points]
        return max(zs) - min(zs)

    def shear_factors(self, poisson: float) -> tuple[float, float]:
        """A_s/A of the shear energy, along the principal axes; as given where they are given."""
        along_y, along_z = self._constants.shear_factors(poisson)
        given = self.shear_factor
        across = given if self.shear_factor_across is None else self.shear_factor_across
        return along_y if given is None else given, along_z if across is None else across


@dataclass(frozen=True, eq=False)
class _Solved:
    area: float
    centroid: tuple[float, float]
    inertia_z: float
    inertia_y: float
    angle: float
    corners: tuple[tuple[float, float], ...]
    torsion_constant: float
    torsion_error: float
    shear_error: float
    shear_centre: tuple[float, float]
    flexure: Array

    def shear_factors(self, poisson: float) -> tuple[float, float]:
        along_y, along_z = _shear_areas(self.flexure, poisson, (self.inertia_z, self.inertia_y)) / self.area
        return float(along_y), float(along_z)


def _shear_areas(flexure: Array, poisson: float, inertias: tuple[float, float]) -> Array:
    """A_s = 4I²/(a + 2bs + cs²), s = ν/(1+ν), along y and z: (2,)."""
    s = poisson / (1 + poisson)
    return np.asarray(4 * np.square(inertias) / (flexure @ [1.0, 2 * s, s**2]))


@cache
def _solve(outline: Ring, holes: tuple[Ring, ...]) -> _Solved:
    """On two meshes, the finer with half the size; functions near a corner of angle α in the material are of
    r^(π/α), so that energies converge with the order 2π/α, at most 4, with which the limit is taken."""
    from flexframe.elements.saint_venant import section_constants  # loads the solvers of scipy

    area, centroid, moments = polygon_moments(outline, holes)
    angle = principal_angle(moments)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    principal = turn @ moments @ turn.T
    rings = tuple(tuple(map(tuple, (np.array(ring) - centroid) @ turn.T)) for ring in (outline, *holes))
    perimeter = sum(float(np.linalg.norm(np.roll(r, -1, axis=0) - np.array(r), axis=1).sum()) for r in rings)
    size = min(2 * area / perimeter / _ACROSS, np.sqrt(area) / _COMPACT)
    coarse, fine = (section_constants(section_mesh(rings, h)) for h in (size, size / 2))
    order = min(4.0, 2 * np.pi / max(_widest_angle(ring, hole=k > 0) for k, ring in enumerate(rings)))

    def limit(kind: str) -> tuple[Array, Array]:
        first, last = (np.asarray(getattr(made, kind), dtype=float) for made in (coarse, fine))
        return last + (last - first) / (2**order - 1), (last - first) / (2**order - 1)

    inertias = (float(principal[0, 0]), float(principal[1, 1]))
    (torsion, torsion_step), (flexure, _), (centre, _) = (
        limit(kind) for kind in ("torsion_constant", "flexure", "shear_centre")
    )
    at_fine, at_limit = (_shear_areas(f, 0.3, inertias) for f in (fine.flexure, flexure))
    y, z = _clean(centre, float(np.ptp(np.array(rings[0]), axis=0).max()))
    return _Solved(
        area,
        (float(centroid[0]), float(centroid[1])),
        *inertias,
        angle,
        tuple((float(p[0]), float(p[1])) for p in _outermost(rings[0])),
        float(torsion),
        abs(float(torsion_step / torsion)),
        float(np.abs(at_fine / at_limit - 1).max()),
        (y, z),
        flexure,
    )


def _clean(centre: Array, size: float) -> tuple[float, float]:
    """Zero what the mesh makes of a shear centre that lies in an axis of symmetry."""
    y, z = (0.0 if abs(c) < 1e-4 * size else float(c) for c in centre)
    return y, z


def polygon_moments(outline: Ring, holes: tuple[Ring, ...] = ()) -> tuple[float, Array, Array]:
    """Area, centroid (2,) and second moments [[∫yy, ∫yz], [∫yz, ∫zz]] about it, exact sums over the sides."""
    area, first, second = 0.0, np.zeros(2), np.zeros((2, 2))
    for ring, sign in ((outline, 1.0), *((hole, -1.0) for hole in holes)):
        p = np.array(ring)
        q = np.roll(p, -1, axis=0)
        cross = (p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]) * sign * np.sign(ring_area(ring))
        area += cross.sum() / 2
        first += cross @ (p + q) / 6
        second += np.einsum("s,si,sj->ij", cross, p + q, p + q) / 24
        second += (np.einsum("s,si,sj->ij", cross, p, p) + np.einsum("s,si,sj->ij", cross, q, q)) / 24
    centroid = first / area
    return float(area), centroid, second - area * np.outer(centroid, centroid)


def principal_angle(moments: Array) -> float:
    """From y to the principal axis that is nearest to it, |angle| ≤ π/4; 0 where all axes are principal."""
    difference, product = (moments[0, 0] - moments[1, 1]) / 2, moments[0, 1]
    if np.hypot(difference, product) < 1e-9 * np.trace(moments):
        return 0.0
    angle = 0.5 * float(np.arctan2(product, difference))
    return angle - float(np.sign(angle)) * np.pi / 2 if abs(angle) > np.pi / 4 * (1 + 1e-12) else angle


def _widest_angle(ring: Ring, *, hole: bool) -> float:
    """The largest angle of the material at a corner of the ring."""
    p = np.array(ring)
    if (ring_area(ring) < 0) != hole:
        p = p[::-1]  # material to the left
    forward, back = np.roll(p, -1, axis=0) - p, np.roll(p, 1, axis=0) - p
    turn = np.arctan2(back[:, 1], back[:, 0]) - np.arctan2(forward[:, 1], forward[:, 0])
    return float(np.mod(turn, 2 * np.pi).max())


def _outermost(ring: Ring) -> Array:
    """Corners of the convex hull: normal stress is linear and largest at one of them."""
    points = np.array(ring)
    from scipy.spatial import ConvexHull  # loaded where such a section is used: not every start pays for it

    return points[ConvexHull(points).vertices]


def _require_ring(ring: Ring) -> None:
    points = np.array(ring, dtype=float)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 3 or not np.isfinite(points).all():
        raise InputError("section: an outline has at least three corners [y, z] with two finite numbers each")
    if len({tuple(p) for p in points}) < len(points):
        raise InputError("section: a corner is given twice; the outline closes by itself, leave the last one out")
    if abs(ring_area(ring)) < 1e-12 * np.ptp(points, axis=0).max() ** 2:
        raise InputError("section: the outline has no area; give its corners in order")
    if _crosses(points):
        raise InputError("section: the outline crosses itself; give its corners in order")


def _crosses(points: Array) -> bool:
    """Whether two sides that are no neighbours meet."""
    p, q = points, np.roll(points, -1, axis=0)
    count = len(p)

    def side(a: Array, b: Array, c: Array) -> Array:
        return np.asarray(np.sign((b - a)[..., 0] * (c - a)[..., 1] - (b - a)[..., 1] * (c - a)[..., 0]))

    i, j = np.triu_indices(count, 2)
    i, j = i[(i > 0) | (j < count - 1)], j[(i > 0) | (j < count - 1)]
    return bool(
        np.any(
            (side(p[i], q[i], p[j]) * side(p[i], q[i], q[j]) < 0)
            & (side(p[j], q[j], p[i]) * side(p[j], q[j], q[i]) < 0)
        )
    )
