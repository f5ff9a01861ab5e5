"""Plane quadrilaterals with 4 and 8 nodes on ξ, η ∈ [-1, 1]."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexframe.maths.arrays import Array
from flexframe.maths.quadrature import Quadrature, gauss_square
from flexframe.mesh.cells import QUAD, QUAD8, Cell

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
