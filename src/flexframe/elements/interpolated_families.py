"""Families that move all displacement components with the same functions: bar, plane cells and solid cells."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import (
    Quadrature,
    gauss_cube,
    gauss_line,
    gauss_square,
    tetrahedron,
    triangle,
    wedge,
)
from flexframe.mesh.cells import (
    HEXAHEDRON,
    HEXAHEDRON20,
    LINE,
    QUAD,
    QUAD8,
    TETRA,
    TETRA10,
    TRIANGLE,
    TRIANGLE6,
    WEDGE,
    WEDGE15,
    Cell,
)


@dataclass(frozen=True)
class Bar:
    """Straight bar on ξ ∈ [-1, 1]."""

    name: ClassVar[str] = "bar"
    cell: ClassVar[Cell] = LINE
    degree: ClassVar[int] = 1
    stiffness_rule: ClassVar[Quadrature] = gauss_line(1)
    mass_rule: ClassVar[Quadrature] = gauss_line(2)

    def shape(self, points: Array) -> Array:
        """φ = (1 ∓ ξ)/2: (points, 2)."""
        xi = points[:, 0]
        return np.stack([(1 - xi) / 2, (1 + xi) / 2], axis=1)

    def shape_gradient(self, points: Array) -> Array:
        """∂φ/∂ξ = ∓1/2: (points, 2, 1)."""
        return np.broadcast_to(np.array([[[-0.5], [0.5]]]), (len(points), 2, 1)).copy()


_CORNER_GRADIENT = np.array([[-1.0, -1], [1, 0], [0, 1]])
_EDGES = ((0, 1), (1, 2), (2, 0))


def _area_coordinates(points: Array) -> Array:
    """L = (1−ξ−η, ξ, η): (points, 3)."""
    return np.stack([1 - points[:, 0] - points[:, 1], points[:, 0], points[:, 1]], axis=1)


@dataclass(frozen=True)
class Triangle3:
    """Linear triangle, constant strain."""

    name: ClassVar[str] = "triangle3"
    cell: ClassVar[Cell] = TRIANGLE
    degree: ClassVar[int] = 1
    stiffness_rule: ClassVar[Quadrature] = triangle(1)
    mass_rule: ClassVar[Quadrature] = triangle(2)

    def shape(self, points: Array) -> Array:
        """φ_a = L_a: (points, 3)."""
        return _area_coordinates(points)

    def shape_gradient(self, points: Array) -> Array:
        """∂L_a/∂ξ_i: (points, 3, 2)."""
        return np.broadcast_to(_CORNER_GRADIENT, (len(points), 3, 2)).copy()


@dataclass(frozen=True)
class Triangle6:
    """Quadratic triangle; nodes 4–6 between corners 1–2, 2–3, 3–1. Edges may be curved."""

    name: ClassVar[str] = "triangle6"
    cell: ClassVar[Cell] = TRIANGLE6
    degree: ClassVar[int] = 2
    stiffness_rule: ClassVar[Quadrature] = triangle(4)
    mass_rule: ClassVar[Quadrature] = triangle(6)

    def shape(self, points: Array) -> Array:
        """L_a(2L_a − 1) at corners, 4 L_a L_b at mid-sides: (points, 6)."""
        L = _area_coordinates(points)
        return np.concatenate(
            [L * (2 * L - 1), np.stack([4 * L[:, a] * L[:, b] for a, b in _EDGES], axis=1)], axis=1
        )

    def shape_gradient(self, points: Array) -> Array:
        """(4L_a − 1)∇L_a at corners, 4(L_a∇L_b + L_b∇L_a) at mid-sides: (points, 6, 2)."""
        L = _area_coordinates(points)
        G = _CORNER_GRADIENT
        corners = (4 * L - 1)[:, :, None] * G
        sides = [4 * (L[:, a, None] * G[b] + L[:, b, None] * G[a]) for a, b in _EDGES]
        return np.concatenate([corners, np.stack(sides, axis=1)], axis=1)


_CORNERS = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])


@dataclass(frozen=True)
class Quadrilateral4:
    """Bilinear quadrilateral, fully integrated."""

    name: ClassVar[str] = "quadrilateral4"
    cell: ClassVar[Cell] = QUAD
    degree: ClassVar[int] = 1
    stiffness_rule: ClassVar[Quadrature] = gauss_square(2)
    mass_rule: ClassVar[Quadrature] = gauss_square(2)

    def shape(self, points: Array) -> Array:
        """(1 + ξξ_a)(1 + ηη_a)/4: (points, 4)."""
        factors = 1 + points[:, None, :] * _CORNERS
        return factors[..., 0] * factors[..., 1] / 4

    def shape_gradient(self, points: Array) -> Array:
        """(points, 4, 2)."""
        factors = 1 + points[:, None, :] * _CORNERS
        return np.stack([_CORNERS[:, 0] * factors[..., 1], factors[..., 0] * _CORNERS[:, 1]], axis=-1) / 4


@dataclass(frozen=True)
class Quadrilateral8:
    """Serendipity quadrilateral; nodes 5–8 between corners 1–2, 2–3, 3–4, 4–1."""

    name: ClassVar[str] = "quadrilateral8"
    cell: ClassVar[Cell] = QUAD8
    degree: ClassVar[int] = 2
    stiffness_rule: ClassVar[Quadrature] = gauss_square(3)
    mass_rule: ClassVar[Quadrature] = gauss_square(4)  # φφ det J has degree 7 in each direction on curved cells

    def shape(self, points: Array) -> Array:
        """(1+ξξ_a)(1+ηη_a)(ξξ_a+ηη_a−1)/4 at corners, (1−ξ²)(1+ηη_a)/2 at mid-sides: (points, 8)."""
        xi, eta = points[:, 0], points[:, 1]
        s = points[:, None, :] * _CORNERS
        corners = (1 + s[..., 0]) * (1 + s[..., 1]) * (s[..., 0] + s[..., 1] - 1) / 4
        sides = [
            (1 - xi**2) * (1 - eta) / 2,
            (1 + xi) * (1 - eta**2) / 2,
            (1 - xi**2) * (1 + eta) / 2,
            (1 - xi) * (1 - eta**2) / 2,
        ]
        return np.concatenate([corners, np.stack(sides, axis=1)], axis=1)

    def shape_gradient(self, points: Array) -> Array:
        """(points, 8, 2)."""
        xi, eta = points[:, 0], points[:, 1]
        s = points[:, None, :] * _CORNERS
        along_xi = _CORNERS[:, 0] * (1 + s[..., 1]) * (2 * s[..., 0] + s[..., 1]) / 4
        along_eta = _CORNERS[:, 1] * (1 + s[..., 0]) * (s[..., 0] + 2 * s[..., 1]) / 4
        corners = np.stack([along_xi, along_eta], axis=-1)
        sides = np.stack(
            [
                np.stack([-xi * (1 - eta), -(1 - xi**2) / 2], axis=-1),
                np.stack([(1 - eta**2) / 2, -eta * (1 + xi)], axis=-1),
                np.stack([-xi * (1 + eta), (1 - xi**2) / 2], axis=-1),
                np.stack([-(1 - eta**2) / 2, -eta * (1 - xi)], axis=-1),
            ],
            axis=1,
        )
        return np.concatenate([corners, sides], axis=1)


_TETRAHEDRON_GRADIENT = np.array([[-1.0, -1, -1], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
_TETRAHEDRON_EDGES = np.array(TETRA.edges)


def _volume_coordinates(points: Array) -> Array:
    """L = (1−ξ−η−ζ, ξ, η, ζ): (points, 4)."""
    return np.concatenate([1 - points.sum(axis=1, keepdims=True), points], axis=1)


@dataclass(frozen=True)
class Tetrahedron4:
    """Linear tetrahedron, constant strain: stiff in bending, for transitions and coarse looks only."""

    name: ClassVar[str] = "tetrahedron4"
    cell: ClassVar[Cell] = TETRA
    degree: ClassVar[int] = 1
    stiffness_rule: ClassVar[Quadrature] = tetrahedron(1)
    mass_rule: ClassVar[Quadrature] = tetrahedron(2)

    def shape(self, points: Array) -> Array:
        """φ_a = L_a: (points, 4)."""
        return _volume_coordinates(points)

    def shape_gradient(self, points: Array) -> Array:
        """∂L_a/∂ξ_i: (points, 4, 3)."""
        return np.broadcast_to(_TETRAHEDRON_GRADIENT, (len(points), 4, 3)).copy()


@dataclass(frozen=True)
class Tetrahedron10:
    """Quadratic tetrahedron; nodes 5–10 between corners 1–2, 2–3, 3–1, 1–4, 2–4, 3–4. Edges may be curved."""

    name: ClassVar[str] = "tetrahedron10"
    cell: ClassVar[Cell] = TETRA10
    degree: ClassVar[int] = 2
    stiffness_rule: ClassVar[Quadrature] = tetrahedron(3)  # ∇φ adj J of a curved cell, for the patch test
    mass_rule: ClassVar[Quadrature] = tetrahedron(7)  # φφ det J of a curved cell

    def shape(self, points: Array) -> Array:
        """L_a(2L_a − 1) at corners, 4 L_a L_b at mid-sides: (points, 10)."""
        L = _volume_coordinates(points)
        return np.concatenate(
            [L * (2 * L - 1), 4 * L[:, _TETRAHEDRON_EDGES[:, 0]] * L[:, _TETRAHEDRON_EDGES[:, 1]]], axis=1
        )

    def shape_gradient(self, points: Array) -> Array:
        """(4L_a − 1)∇L_a at corners, 4(L_a∇L_b + L_b∇L_a) at mid-sides: (points, 10, 3)."""
        L, G = _volume_coordinates(points)[..., None], _TETRAHEDRON_GRADIENT
        a, b = _TETRAHEDRON_EDGES.T
        return np.concatenate([(4 * L - 1) * G, 4 * (L[:, a] * G[b] + L[:, b] * G[a])], axis=1)


_CUBE_CORNERS = np.array(
    [[-1.0, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]
)
_MIDDLES = np.array([_CUBE_CORNERS[list(edge)].mean(axis=0) for edge in HEXAHEDRON.edges])


def _others(factors: Array) -> Array:
    """Product of the other two of three factors, for each of them: (..., 3)."""
    return np.stack([np.prod(np.delete(factors, i, axis=-1), axis=-1) for i in range(3)], axis=-1)


@dataclass(frozen=True)
class Hexahedron8:
    """Trilinear hexahedron with the incompatible modes of Wilson and Taylor, so that it bends without locking.

    The modes 1 − ξ², 1 − η², 1 − ζ² belong to one element and are eliminated there; the shared integration takes
    their gradients with the Jacobian of the centre, which is what distorted elements need to pass the patch test.
    """

    name: ClassVar[str] = "hexahedron8"
    cell: ClassVar[Cell] = HEXAHEDRON
    degree: ClassVar[int] = 1
    stiffness_rule: ClassVar[Quadrature] = gauss_cube(2)
    mass_rule: ClassVar[Quadrature] = gauss_cube(3)  # φφ det J has degree 4 in each direction

    def shape(self, points: Array) -> Array:
        """(1 + ξξ_a)(1 + ηη_a)(1 + ζζ_a)/8: (points, 8)."""
        return np.prod(1 + points[:, None, :] * _CUBE_CORNERS, axis=2) / 8

    def shape_gradient(self, points: Array) -> Array:
        """(points, 8, 3)."""
        return _CUBE_CORNERS * _others(1 + points[:, None, :] * _CUBE_CORNERS) / 8

    def incompatible_gradient(self, points: Array) -> Array:
        """Gradients −2ξ_k of the modes 1 − ξ_k²: (points, 3, 3)."""
        return -2 * points[:, :, None] * np.eye(3)


@dataclass(frozen=True)
class Hexahedron20:
    """Serendipity hexahedron, fully integrated; mid-side nodes in the order of the edges. Edges may be curved."""

    name: ClassVar[str] = "hexahedron20"
    cell: ClassVar[Cell] = HEXAHEDRON20
    degree: ClassVar[int] = 2
    stiffness_rule: ClassVar[Quadrature] = gauss_cube(3)
    mass_rule: ClassVar[Quadrature] = gauss_cube(5)  # φφ det J has degree 9 in each direction on curved cells

    def shape(self, points: Array) -> Array:
        """Π(1+ξ_kξ_ak)(Σξ_kξ_ak − 2)/8 at corners, (1−ξ²)(1+ηη_a)(1+ζζ_a)/4 at mid-sides: (points, 20)."""
        s = points[:, None, :] * _CUBE_CORNERS
        corners = np.prod(1 + s, axis=2) * (s.sum(axis=2) - 2) / 8
        return np.concatenate([corners, np.prod(_middle_factors(points), axis=2) / 4], axis=1)

    def shape_gradient(self, points: Array) -> Array:
        """(points, 20, 3)."""
        s = points[:, None, :] * _CUBE_CORNERS
        product, total = np.prod(1 + s, axis=2), s.sum(axis=2) - 2
        corners = _CUBE_CORNERS * (_others(1 + s) * total[..., None] + product[..., None]) / 8
        slopes = np.where(_MIDDLES == 0, -2 * points[:, None, :], _MIDDLES)
        return np.concatenate([corners, slopes * _others(_middle_factors(points)) / 4], axis=1)


def _middle_factors(points: Array) -> Array:
    """1 − ξ² along the edge of a mid-side node, 1 + ξξ_a across it: (points, 12, 3)."""
    x = points[:, None, :]
    return np.where(_MIDDLES == 0, 1 - x**2, 1 + x * _MIDDLES)


_BOTTOM_AND_TOP = (-1.0, 1.0)
_FIRST, _SECOND = np.array(TRIANGLE.edges).T


def _gradient(in_plane: Array, along: Array) -> Array:
    """∂/∂(ξ, η) from ∂/∂L at (points, n, 2) and ∂/∂ζ at (points, n): (points, n, 3)."""
    return np.concatenate([in_plane, along[..., None]], axis=2)


@dataclass(frozen=True)
class Wedge6:
    """Linear wedge: constant strain in the triangle, for transitions."""

    name: ClassVar[str] = "wedge6"
    cell: ClassVar[Cell] = WEDGE
    degree: ClassVar[int] = 1
    stiffness_rule: ClassVar[Quadrature] = wedge(2)
    mass_rule: ClassVar[Quadrature] = wedge(4)  # φφ det J has degree 3 in the triangle, 4 along ζ

    def shape(self, points: Array) -> Array:
        """L_a(1 ∓ ζ)/2: (points, 6)."""
        L, zeta = _area_coordinates(points), points[:, 2:]
        return np.concatenate([L * (1 + end * zeta) / 2 for end in _BOTTOM_AND_TOP], axis=1)

    def shape_gradient(self, points: Array) -> Array:
        """(points, 6, 3)."""
        L, zeta = _area_coordinates(points), points[:, 2:, None]
        parts = [_gradient((1 + end * zeta) / 2 * _CORNER_GRADIENT, end * L / 2) for end in _BOTTOM_AND_TOP]
        return np.concatenate(parts, axis=1)


@dataclass(frozen=True)
class Wedge15:
    """Serendipity wedge; mid-side nodes of the bottom, of the top, then between them. Edges may be curved."""

    name: ClassVar[str] = "wedge15"
    cell: ClassVar[Cell] = WEDGE15
    degree: ClassVar[int] = 2
    stiffness_rule: ClassVar[Quadrature] = wedge(4)
    mass_rule: ClassVar[Quadrature] = wedge(8)  # φφ det J has degree 8 in the triangle, 9 along ζ

    def shape(self, points: Array) -> Array:
        """L_a(1+ζζ_a)(2L_a−2+ζζ_a)/2, 2L_aL_b(1+ζζ_a) at triangle sides, L_a(1−ζ²) between: (points, 15)."""
        L, zeta = _area_coordinates(points), points[:, 2:]
        corners = [L * (1 + end * zeta) * (2 * L - 2 + end * zeta) / 2 for end in _BOTTOM_AND_TOP]
        sides = [2 * L[:, _FIRST] * L[:, _SECOND] * (1 + end * zeta) for end in _BOTTOM_AND_TOP]
        return np.concatenate([*corners, *sides, L * (1 - zeta**2)], axis=1)

    def shape_gradient(self, points: Array) -> Array:
        """(points, 15, 3)."""
        L, zeta, G = _area_coordinates(points), points[:, 2:], _CORNER_GRADIENT
        La, Lb = L[:, _FIRST, None], L[:, _SECOND, None]
        corners, sides = [], []
        for end in _BOTTOM_AND_TOP:
            s = end * zeta
            slope = (1 + s) * (4 * L - 2 + s) / 2
            corners.append(_gradient(slope[..., None] * G, end * L * (2 * L - 1 + 2 * s) / 2))
            across = 2 * (1 + s)[..., None] * (La * G[_SECOND] + Lb * G[_FIRST])
            sides.append(_gradient(across, 2 * end * (La * Lb)[..., 0]))
        between = _gradient((1 - zeta**2)[..., None] * G, -2 * zeta * L)
        return np.concatenate([*corners, *sides, between], axis=1)
