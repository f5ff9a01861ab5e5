"""Wedges with 6 and 15 nodes on the triangle (0,0), (1,0), (0,1) times ζ ∈ [-1, 1]."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import Quadrature, wedge
from flexframe.mesh.cells import TRIANGLE, WEDGE, WEDGE15, Cell

_CORNER_GRADIENT = np.array([[-1.0, -1], [1, 0], [0, 1]])
_BOTTOM_AND_TOP = (-1.0, 1.0)
_FIRST, _SECOND = np.array(TRIANGLE.edges).T


def _area_coordinates(points: Array) -> Array:
    """L = (1−ξ−η, ξ, η): (points, 3)."""
    return np.stack([1 - points[:, 0] - points[:, 1], points[:, 0], points[:, 1]], axis=1)


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
