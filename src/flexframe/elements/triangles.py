"""Plane triangles with 3 and 6 nodes on the reference triangle (0,0), (1,0), (0,1)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import Quadrature, triangle
from flexframe.mesh.cells import TRIANGLE, TRIANGLE6, Cell

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
