"""Integration rules on the reference cells of the elements."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product

import numpy as np

from flexframe.errors import InputError
from flexframe.maths.arrays import Array

# An orbit is every distinct permutation of one set of barycentric coordinates, all with the same weight.
# Weights here are fractions of the cell's measure. All rules have positive weights and interior points and
# come from solving the moment equations to 40 digits; a rule of degree p also serves the degrees below it
# that have no positive interior rule with fewer points.
_Orbit = tuple[float, tuple[float, ...]]


def _orbit3(weight: float, a: float, b: float | None = None) -> _Orbit:
    """(a, a, 1−2a): three points, or (a, b, 1−a−b): six points."""
    second = a if b is None else b
    return weight, (a, second, 1.0 - a - second)


def _orbit4(weight: float, a: float, b: float | None = None) -> _Orbit:
    """(a, a, a, 1−3a): four points, or (a, a, b, 1−2a−b): twelve points, six where b = ½−a."""
    third = a if b is None else b
    return weight, (a, a, third, 1.0 - 2.0 * a - third)


_CENTROID3: tuple[float, ...] = (1 / 3, 1 / 3, 1 / 3)
_CENTROID4: tuple[float, ...] = (0.25, 0.25, 0.25, 0.25)

_TRIANGLE_4 = (
    _orbit3(0.223381589678011466, 0.445948490915964886),
    _orbit3(0.109951743655321868, 0.0915762135097707435),
)
_TRIANGLE_ORBITS: dict[int, tuple[_Orbit, ...]] = {
    1: ((1.0, _CENTROID3),),
    2: (_orbit3(1 / 3, 1 / 6),),
    3: _TRIANGLE_4,
    4: _TRIANGLE_4,
    5: (
        (0.225, _CENTROID3),
        _orbit3(0.125939180544827153, 0.101286507323456339),
        _orbit3(0.132394152788506181, 0.470142064105115090),
    ),
    6: (
        _orbit3(0.0508449063702068169, 0.0630890144915022283),
        _orbit3(0.116786275726379366, 0.249286745170910421),
        _orbit3(0.0828510756183735752, 0.310352451033784405, 0.0531450498448169474),
    ),
    7: (
        _orbit3(0.0530778017902324117, 0.0649305131591648631),
        _orbit3(0.0692746820794168935, 0.0438634717923724715, 0.313559184384931508),
        _orbit3(0.0708530836921335673, 0.198384476681506719, 0.517039939069322946),
    ),
    8: (
        (0.144315607677787168, _CENTROID3),
        _orbit3(0.0950916342672846248, 0.459292588292723156),
        _orbit3(0.0324584976231980803, 0.0505472283170309755),
        _orbit3(0.103217370534718250, 0.170569307751760207),
        _orbit3(0.0272303141744349943, 0.00839477740995760534, 0.263112829634638113),
    ),
}

_TETRAHEDRON_5 = (
    _orbit4(0.0734930431163619495, 0.0927352503108912264),
    _orbit4(0.112687925718015851, 0.310885919263300610),
    _orbit4(0.0425460207770814664, 0.454496295874350351, 0.045503704125649649),
)
_TETRAHEDRON_ORBITS: dict[int, tuple[_Orbit, ...]] = {
    1: ((1.0, _CENTROID4),),
    2: (_orbit4(0.25, (5.0 - 5.0**0.5) / 20.0),),
    3: (_orbit4(0.125, 0.112956794512511029), _orbit4(0.125, 0.328861649930202910)),
    4: _TETRAHEDRON_5,
    5: _TETRAHEDRON_5,
    6: (
        _orbit4(0.0100772110553206429, 0.0406739585346113531),
        _orbit4(0.0399227502581674921, 0.214602871259152029),
        _orbit4(0.0553571815436547221, 0.322337890142275510),
        _orbit4(0.0482142857142857143, 0.0636610018750175253, 0.269672331458315808),
    ),
}


@dataclass(frozen=True, eq=False)
class Quadrature:
    """∫ f over a reference cell ≈ Σ weights[g] f(points[g]); the arrays are read-only.

    Shapes: points (g, d), weights (g,).
    """

    points: Array
    weights: Array

    def __post_init__(self) -> None:
        self.points.setflags(write=False)
        self.weights.setflags(write=False)


@lru_cache
def gauss_line(points: int) -> Quadrature:
    """Gauss–Legendre on [−1, 1]: n points, exact to degree 2n−1; weights sum to 2."""
    return _gauss_box(points, 1)


@lru_cache
def gauss_square(points: int) -> Quadrature:
    """Product of n×n Gauss points on [−1, 1]²; weights sum to 4. The last coordinate runs fastest."""
    return _gauss_box(points, 2)


@lru_cache
def gauss_cube(points: int) -> Quadrature:
    """Product of n×n×n Gauss points on [−1, 1]³; weights sum to 8. The last coordinate runs fastest."""
    return _gauss_box(points, 3)


@lru_cache
def triangle(degree: int) -> Quadrature:
    """Rule exact to `degree` on the triangle (0,0), (1,0), (0,1); weights sum to ½.

    Symmetric to degree 8 (1, 3, 6, 6, 7, 12, 15, 16 points), a conical product of Gauss rules above.
    """
    _require_positive(degree, "degree")
    orbits = _TRIANGLE_ORBITS.get(degree)
    return _conical(degree, 2) if orbits is None else _symmetric(orbits, 1 / 2)


@lru_cache
def tetrahedron(degree: int) -> Quadrature:
    """Rule exact to `degree` on the tetrahedron (0,0,0), (1,0,0), (0,1,0), (0,0,1); weights sum to 1/6.

    Symmetric to degree 6 (1, 4, 8, 14, 14, 24 points), a conical product of Gauss rules above.
    """
    _require_positive(degree, "degree")
    orbits = _TETRAHEDRON_ORBITS.get(degree)
    return _conical(degree, 3) if orbits is None else _symmetric(orbits, 1 / 6)


@lru_cache
def wedge(degree: int) -> Quadrature:
    """Triangle × [−1, 1] with points (ξ, η, ζ), exact to `degree` in (ξ, η) and in ζ; weights sum to 1."""
    base, axis = triangle(degree), gauss_line(degree // 2 + 1)
    points = np.hstack(
        [np.repeat(base.points, len(axis.weights), axis=0), np.tile(axis.points, (len(base.weights), 1))]
    )
    return Quadrature(points, np.outer(base.weights, axis.weights).ravel())


def _require_positive(value: int, name: str) -> None:
    if value < 1:
        raise InputError(f"quadrature {name} {value} is not possible; use 1 or more")


def _gauss_box(points: int, dimension: int) -> Quadrature:
    _require_positive(points, "point count")
    x, w = np.polynomial.legendre.leggauss(points)
    return Quadrature(
        np.array(list(product(x, repeat=dimension))),
        np.array([np.prod(c) for c in product(w, repeat=dimension)]),
    )


def _symmetric(orbits: Iterable[_Orbit], measure: float) -> Quadrature:
    """Permute each orbit's barycentric coordinates; the cell's coordinates are all of them but the first."""
    points: list[tuple[float, ...]] = []
    weights: list[float] = []
    for weight, barycentric in orbits:
        members = _distinct_permutations(barycentric)
        points += [member[1:] for member in members]
        weights += [weight * measure] * len(members)
    return Quadrature(np.array(points), np.array(weights))


def _distinct_permutations(values: tuple[float, ...]) -> list[tuple[float, ...]]:
    """Permutations that differ by more than rounding (1−2a−b may repeat b up to its last digit)."""
    found: dict[tuple[float, ...], tuple[float, ...]] = {}
    for member in permutations(values):
        found.setdefault(tuple(round(v, 12) for v in member), member)
    return list(found.values())


def _conical(degree: int, dimension: int) -> Quadrature:
    """Stroud's product: fold [0,1]^d onto the simplex, Gauss–Jacobi absorbs each fold's (1−x)^k."""
    count = degree // 2 + 1
    rules = [_gauss_jacobi(count, k) for k in reversed(range(dimension))]
    points: list[list[float]] = []
    weights: list[float] = []
    for picks in product(range(count), repeat=dimension):
        remaining, weight, point = 1.0, 1.0, []
        for (x, w), i in zip(rules, picks, strict=True):
            point.append(remaining * x[i])
            remaining *= 1.0 - x[i]
            weight *= w[i]
        points.append(point)
        weights.append(weight)
    return Quadrature(np.array(points), np.array(weights))


def _gauss_jacobi(count: int, k: int) -> tuple[Array, Array]:
    """Points and weights on [0, 1] with the weight function (1−x)^k.

    Golub and Welsch: the points on [−1, 1] are the eigenvalues of the matrix of the recurrence of the Jacobi
    polynomials P^(k, 0), the weights follow from the first components of its eigenvectors.
    """
    n = np.arange(count, dtype=float)
    diagonal = np.full(count, -k / (k + 2.0))
    diagonal[1:] = -(k**2) / ((2 * n[1:] + k) * (2 * n[1:] + k + 2))
    m = n[1:]
    beside = 2 * m * (m + k) / ((2 * m + k) * np.sqrt((2 * m + k) ** 2 - 1))
    x, vectors = np.linalg.eigh(np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1))
    return (1.0 + x) / 2.0, vectors[0] ** 2 / (k + 1.0)
