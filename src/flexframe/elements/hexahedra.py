"""Hexahedra with 8 and 20 nodes on ξ, η, ζ ∈ [-1, 1]."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import Quadrature, gauss_cube
from flexframe.mesh.cells import HEXAHEDRON, HEXAHEDRON20, Cell

_CORNERS = np.array(
    [[-1.0, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]
)
_MIDDLES = np.array([_CORNERS[list(edge)].mean(axis=0) for edge in HEXAHEDRON.edges])


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
        return np.prod(1 + points[:, None, :] * _CORNERS, axis=2) / 8

    def shape_gradient(self, points: Array) -> Array:
        """(points, 8, 3)."""
        return _CORNERS * _others(1 + points[:, None, :] * _CORNERS) / 8

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
        s = points[:, None, :] * _CORNERS
        corners = np.prod(1 + s, axis=2) * (s.sum(axis=2) - 2) / 8
        return np.concatenate([corners, np.prod(_middle_factors(points), axis=2) / 4], axis=1)

    def shape_gradient(self, points: Array) -> Array:
        """(points, 20, 3)."""
        s = points[:, None, :] * _CORNERS
        product, total = np.prod(1 + s, axis=2), s.sum(axis=2) - 2
        corners = _CORNERS * (_others(1 + s) * total[..., None] + product[..., None]) / 8
        slopes = np.where(_MIDDLES == 0, -2 * points[:, None, :], _MIDDLES)
        return np.concatenate([corners, slopes * _others(_middle_factors(points)) / 4], axis=1)


def _middle_factors(points: Array) -> Array:
    """1 − ξ² along the edge of a mid-side node, 1 + ξξ_a across it: (points, 12, 3)."""
    x = points[:, None, :]
    return np.where(_MIDDLES == 0, 1 - x**2, 1 + x * _MIDDLES)
